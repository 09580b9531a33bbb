/** What can be said of selected rows: that their findings may stay, or that they are to be looked at again. */
import { backend } from "../backend";
import type { IgnoreWhat } from "../backend/bindings";
import type { MenuItem } from "../parts/types";
import { startRecheck } from "../state/app.svelte";
import { asApiError, fail, warn } from "../state/toasts.svelte";
import type { Selection } from "../table/types";
import { t } from "../text";

/** As many as the engine takes one by one. */
const MOST = 1_000;
const AT_ONCE = 500;

/** The different URLs of the selected rows. */
export async function urlsOf(selection: Selection): Promise<string[]> {
  const urls = new Set<string>();
  for (const { start, end } of selection.ranges) {
    for (let at = start; at < end; at += AT_ONCE) {
      for (const { cells } of await backend.tableRows(selection.table, at, Math.min(AT_ONCE, end - at), ["url"])) {
        if (typeof cells[0] === "string") urls.add(cells[0]);
      }
    }
  }
  return [...urls];
}

/** Looks at findings again: all of an audit, or those of URLs. */
export async function recheck(crawl: number, audits: string[], urls: string[]): Promise<void> {
  try {
    await startRecheck({ crawl, audits, urls, sign_in: "kept" });
  } catch (error) {
    const refusal = asApiError(error);
    if (refusal.code === "credentials" || refusal.code === "keychain") warn(`${refusal.message} ${t("said.recheck_sign_in")}`);
    else fail(error);
  }
}

async function recheckRows(crawl: number, audit: string | null, selection: Selection): Promise<void> {
  // Every row of an audit is the audit.
  if (selection.all && audit !== null) return recheck(crawl, [audit], []);
  if (selection.count > MOST) return warn(t("said.recheck_many", { n: selection.count, most: MOST }));
  try {
    await recheck(crawl, audit === null ? [] : [audit], await urlsOf(selection));
  } catch (error) {
    fail(error);
  }
}

async function ignoreRows(selection: Selection, onignore: (what: IgnoreWhat[]) => void): Promise<void> {
  if (selection.count > MOST) return warn(t("said.too_many", { n: selection.count, most: MOST }));
  try {
    const urls = await urlsOf(selection);
    if (urls.length > 0) onignore(urls.map((url) => ({ url })));
  } catch (error) {
    fail(error);
  }
}

export type RowUses = { crawl: number; /** The audit that the rows are about, where it is one. */ audit: string | null; onignore?: (what: IgnoreWhat[]) => void };

/** The entries of a menu of rows. */
export function saidActions(selection: Selection, { crawl, audit, onignore }: RowUses): MenuItem[] {
  const n = selection.count;
  if (n === 0) return [];
  const items: MenuItem[] = [{ id: "recheck", label: t("said.recheck_n", { n }), icon: "refresh", shortcut: "R", onselect: () => void recheckRows(crawl, audit, selection) }];
  if (onignore) items.push({ id: "ignore", label: t("said.ignore_n", { n }), icon: "minus", shortcut: "I", onselect: () => void ignoreRows(selection, onignore) });
  return items;
}

/** R looks again and I ignores, where the rows have the focus; whether the key was used. */
export function onSaidKey(event: KeyboardEvent, selection: Selection | undefined, uses: RowUses): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !selection || selection.count === 0) return false;
  if (!(event.target instanceof Element) || event.target.closest("[role=grid]") === null) return false;
  const key = event.key.toLowerCase();
  const id = key === "r" ? "recheck" : key === "i" ? "ignore" : null;
  const item = saidActions(selection, uses).find((one) => one.id === id);
  if (!item) return false;
  event.preventDefault();
  item.onselect();
  return true;
}
