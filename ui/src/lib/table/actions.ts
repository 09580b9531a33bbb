/** What a person can do with rows and columns, and the menus that offer it. */
import { backend } from "../backend";
import type { Condition, CopyFormat, Filter, TableRow } from "../backend/bindings";
import { copyCurl } from "../detail/curl";
import { exportInlinks } from "../export/inlinks.svelte";
import type { MenuItem } from "../parts/types";
import { app, openList, showUrl } from "../state/app.svelte";
import { fail, toast, warn } from "../state/toasts.svelte";
import { t } from "../text";
import { cellText, NO_VALUE } from "./cells";
import { copyText } from "./clipboard";
import { stepped, withPinned, withShown, type Column } from "./columns";
import { lend } from "./lent";
import { everything, size } from "./ranges";
import type { TableModel } from "./table.svelte";
import type { CellOf, Selection } from "./types";

const COPIED_AT_MOST = 100_000;
const OPENED_AT_MOST = 10;
/** Up to this many pages are named in the filter itself, which outlives the ordering. */
const NAMED_AT_MOST = 200;

export interface Uses {
  onopen?: ((row: TableRow, cell: CellOf) => void) | undefined;
  onexport?: (() => void) | undefined;
  actions?: ((selection: Selection) => MenuItem[]) | undefined;
  narrow?: ((condition: Condition, leaveOut: boolean) => void) | undefined;
  expands: boolean;
}

export function openRow(model: TableModel, uses: Uses, position: number): void {
  const row = model.row(position);
  if (!row) return;
  if (uses.onopen) uses.onopen(row, model.cellOf(row));
  else if (row.key > 0) showUrl(row.key);
}

export async function copyRows(model: TableModel, format: CopyFormat): Promise<void> {
  const ranges = model.chosen;
  const { opened } = model.ordering;
  const n = size(ranges);
  if (!opened || n === 0) return;
  if (n > COPIED_AT_MOST) return warn(t("table.copy_too_many", { n, most: COPIED_AT_MOST }));
  const columns = model.shown.map((column) => column.card.id);
  await copied(backend.copyRows(opened.table, [...ranges], columns, format), t("table.copied_rows", { n }));
}

async function copyColumn(model: TableModel, column: Column): Promise<void> {
  const { opened, rows } = model.ordering;
  const ranges = size(model.choice.ranges) > 1 ? model.choice.ranges : everything(rows);
  const n = size(ranges);
  if (!opened || n === 0) return;
  if (n > COPIED_AT_MOST) return warn(t("table.copy_too_many", { n, most: COPIED_AT_MOST }));
  await copied(backend.copyRows(opened.table, [...ranges], [column.card.id], "tsv"), t("table.copied_rows", { n }));
}

async function copyCell(model: TableModel, position: number, column: Column): Promise<void> {
  const row = model.row(position);
  const value = row ? model.cell(row, column.card.id) : null;
  await copied(Promise.resolve(value === null || value === undefined ? "" : String(value)), t("table.copied_cell"));
}

async function copied(text: Promise<string>, words: string): Promise<void> {
  try {
    if (await copyText(text)) toast(words);
    else warn(t("table.copy_failed"));
  } catch (error) {
    fail(error);
  }
}

export async function openInBrowser(model: TableModel): Promise<void> {
  const ranges = model.chosen;
  const { opened } = model.ordering;
  const { address } = model;
  if (!opened || !address) return;
  if (size(ranges) > OPENED_AT_MOST) return warn(t("table.open_many", { n: size(ranges), most: OPENED_AT_MOST }));
  try {
    for (const { start, end } of ranges) {
      const rows = await backend.tableRows(opened.table, start, end - start, [address]);
      for (const { cells } of rows) if (typeof cells[0] === "string") await backend.openInBrowser(cells[0]);
    }
  } catch (error) {
    fail(error);
  }
}

/** Hands the links to the selected URLs on, as a filter. */
async function withInlinks(selection: Selection, use: (filter: Filter, title: string) => void): Promise<void> {
  const title = t("table.inlinks_of", { n: selection.count });
  try {
    if (selection.count <= NAMED_AT_MOST) return use({ links_to: await selection.keys(NAMED_AT_MOST) }, title);
  } catch (error) {
    return fail(error);
  }
  lend(selection.table);
  use({ links_to_rows: { table: selection.table, ranges: selection.ranges } }, title);
}

/** The menu of the selected rows, and of the cell that has the focus. */
export function rowMenu(model: TableModel, uses: Uses): MenuItem[] {
  const { row: position, column: place } = model.choice;
  const ranges = model.chosen;
  const selection = model.selection(ranges);
  const n = selection.count;
  const row = model.row(position);
  const column = model.shown[place];
  const items: MenuItem[] = [{ id: "open", label: t("table.open"), icon: "open", shortcut: uses.expands ? "Space" : "Enter", disabled: !row, onselect: () => openRow(model, uses, position) }];
  if (uses.expands) {
    const isOpen = model.panel === position;
    items.unshift({ id: "expand", label: isOpen ? t("table.collapse") : t("table.expand"), icon: isOpen ? "chevron-down" : "chevron-right", shortcut: "Enter", onselect: () => model.togglePanel(position) });
  }
  if (model.address) items.push({ id: "browser", label: t("table.open_in_browser"), icon: "external", shortcut: "Ctrl+Enter", disabled: n > OPENED_AT_MOST, onselect: () => void openInBrowser(model) });
  items.push(...merged(ownActions(model, selection), uses.actions?.(selection) ?? []));
  // Of a list of links it is the page of the link that is asked for.
  if (row && row.key > 0 && app.crawl !== null) {
    const crawl = app.crawl;
    items.push({ id: "curl", label: t("detail.copy_curl"), icon: "terminal", onselect: () => void copyCurl(crawl, row.key) });
  }
  if (column && row) items.push(...valueItems(model, uses, row, column));
  if (column) items.push({ id: "copy-cell", label: t("table.copy_cell"), separator: true, disabled: !row, onselect: () => void copyCell(model, position, column) });
  items.push(
    { id: "copy-rows", label: t("table.copy_rows", { n }), icon: "copy", shortcut: "Ctrl+C", separator: !column, onselect: () => void copyRows(model, "tsv") },
    { id: "copy-markdown", label: t("table.copy_markdown"), onselect: () => void copyRows(model, "markdown") },
  );
  if (column) items.push({ id: "copy-column", label: t("table.copy_column", { label: column.card.label }), onselect: () => void copyColumn(model, column) });
  const onexport = uses.onexport;
  if (onexport) items.push({ id: "export", label: n > 1 ? t("table.export_selected", { n }) : t("table.export_these"), icon: "export", shortcut: "E", separator: true, onselect: onexport });
  return items;
}

function ownActions(model: TableModel, selection: Selection): MenuItem[] {
  const ofUrls = model.card?.columns.some((card) => card.id === "url") && app.catalogue.some((card) => card.id === "links");
  if (!ofUrls) return [];
  return [
    { id: "inlinks", label: t("table.inlinks_of", { n: selection.count }), icon: "links", onselect: () => void withInlinks(selection, (filter, title) => openList(filter, title, "links")) },
    { id: "export-inlinks", label: t("table.export_inlinks_of", { n: selection.count }), icon: "export", onselect: () => void withInlinks(selection, exportInlinks) },
  ];
}

/** The place's own entries, which stand for those of the same name here unless they cannot be chosen. */
function merged(own: MenuItem[], placed: MenuItem[]): MenuItem[] {
  const usable = placed.filter((item) => !item.disabled || !own.some(({ id }) => id === item.id));
  const items = [...own.filter(({ id }) => !usable.some((item) => item.id === id)), ...usable];
  return items.map((item, place) => (place === 0 ? { ...item, separator: true } : item));
}

function valueItems(model: TableModel, uses: Uses, row: TableRow, column: Column): MenuItem[] {
  const value = model.cell(row, column.card.id);
  const { narrow } = uses;
  if (!narrow || value === undefined || column.card.kind === "json" || column.card.kind === "time") return [];
  const text = cellText(column.card.kind, value);
  const name = text === NO_VALUE ? t("table.empty_value") : text.length > 40 ? `${text.slice(0, 39)}…` : text;
  const condition: Condition = text === NO_VALUE ? { column: column.card.id, operator: "empty", value: null } : { column: column.card.id, operator: "equals", value };
  return [
    { id: "only-value", label: t("table.only_value", { value: name }), icon: "filter", separator: true, onselect: () => narrow(condition, false) },
    { id: "without-value", label: t("table.without_value", { value: name }), onselect: () => narrow(condition, true) },
  ];
}

/** The menu of a column. */
export function columnMenu(model: TableModel, column: Column, uses: { sort(descending: boolean | null): void; autosize(): void; pick(): void }): MenuItem[] {
  const { card } = column;
  const sorted = model.sort?.column === card.id ? model.sort : null;
  const later = card.quick ? {} : { note: t("table.in_background") };
  const shown = model.shown;
  const place = shown.indexOf(column);
  return [
    { id: "sort-up", label: t("table.sort_up"), icon: "sort-up", checked: sorted?.descending === false, ...later, onselect: () => uses.sort(false) },
    { id: "sort-down", label: t("table.sort_down"), icon: "sort-down", checked: sorted?.descending === true, ...later, onselect: () => uses.sort(true) },
    { id: "sort-none", label: t("table.sort_none"), shortcut: "Shift+Enter", disabled: model.sort === null, onselect: () => uses.sort(null) },
    { id: "pin", label: column.pinned ? t("table.unpin") : t("table.pin"), icon: "pin", separator: true, onselect: () => model.change(withPinned(model.columns, card.id, !column.pinned)) },
    { id: "left", label: t("table.move_left"), shortcut: "Alt+←", disabled: shown[place - 1]?.pinned !== column.pinned, onselect: () => model.change(stepped(model.columns, card.id, -1)) },
    { id: "right", label: t("table.move_right"), shortcut: "Alt+→", disabled: shown[place + 1]?.pinned !== column.pinned, onselect: () => model.change(stepped(model.columns, card.id, 1)) },
    { id: "autosize", label: t("table.autosize"), shortcut: "=", onselect: uses.autosize },
    { id: "hide", label: t("table.hide_column"), disabled: shown.length < 2, separator: true, onselect: () => model.change(withShown(model.columns, card.id, false)) },
    { id: "columns", label: `${t("table.columns")}…`, icon: "columns", onselect: uses.pick },
  ];
}
