/** Filters that a person named, kept for each table, with the columns and the order they were saved with. */
import type { Filter } from "../backend/bindings";
import { preference, remember } from "../state/preferences.svelte";
import type { Look } from "../table/seats";

export interface SavedView {
  name: string;
  filter: Filter | null;
  look: Look | null;
}

const keyOf = (storageKey: string): string => `views.${storageKey}`;

export function savedViews(storageKey: string): SavedView[] {
  const kept = preference<SavedView[]>(keyOf(storageKey), []);
  return Array.isArray(kept) ? kept.filter((view) => typeof view?.name === "string") : [];
}

/** Saves under a name; an entry of that name is replaced. */
export function saveView(storageKey: string, view: SavedView): void {
  const others = savedViews(storageKey).filter(({ name }) => name !== view.name);
  remember(keyOf(storageKey), [...others, view].sort((a, b) => a.name.localeCompare(b.name)));
}

export function renameView(storageKey: string, from: string, to: string): void {
  const view = savedViews(storageKey).find(({ name }) => name === from);
  if (!view || from === to) return;
  deleteView(storageKey, from);
  saveView(storageKey, { ...view, name: to });
}

export function deleteView(storageKey: string, name: string): void {
  remember(keyOf(storageKey), savedViews(storageKey).filter((view) => view.name !== name));
}

/** Lists of rows and of keys mean nothing in another crawl: a filter that has one cannot be saved. */
export function isLasting(filter: Filter | null): boolean {
  if (!filter) return true;
  if ("all" in filter) return filter.all.every(isLasting);
  if ("any" in filter) return filter.any.every(isLasting);
  if ("not" in filter) return isLasting(filter.not);
  return !("links_to" in filter || "links_from" in filter || "links_to_rows" in filter);
}
