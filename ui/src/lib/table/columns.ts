/**
 * The columns of a table as a person arranged them: order, widths, which are shown and which stay at the left.
 *
 * Only what differs from the catalogue is saved, so that a column the engine adds later appears where it belongs.
 * No function changes what it is given.
 */
import type { ColumnCard } from "../backend/bindings";
import { clamp } from "./geometry";

export const NARROWEST = 44;
export const WIDEST = 1_200;
/** What one press of a key changes a column's width by, px. */
export const WIDTH_STEP = 16;

export interface Column {
  card: ColumnCard;
  /** px. */
  width: number;
  shown: boolean;
  pinned: boolean;
}

export type Columns = readonly Column[];

/** What is kept of an arrangement. */
export interface SavedColumns {
  order: string[];
  widths: Record<string, number>;
  shown: Record<string, boolean>;
  pinned: string[];
}

/**
 * The columns of a catalogue as they were saved. `preferred` are the columns that this place shows unless told
 * otherwise, in that order.
 */
export function arranged(cards: readonly ColumnCard[], saved: SavedColumns | null, preferred: readonly string[] | null): Columns {
  const byDefault = defaults(cards, preferred);
  if (!saved) return byDefault;
  const columns = byDefault.map((column) => {
    const { id } = column.card;
    return {
      ...column,
      width: clamp(numberOr(saved.widths?.[id], column.width), NARROWEST, WIDEST),
      shown: saved.shown?.[id] ?? column.shown,
      pinned: saved.pinned?.includes(id) ?? false,
    };
  });
  const ordered = inOrder(columns, saved.order ?? []);
  const tidy = pinnedFirst(ordered);
  return tidy.some((column) => column.shown) ? tidy : byDefault;
}

function defaults(cards: readonly ColumnCard[], preferred: readonly string[] | null): Columns {
  const columns = cards.map((card) => ({
    card,
    width: clamp(card.width, NARROWEST, WIDEST),
    shown: preferred ? preferred.includes(card.id) : card.shown,
    pinned: false,
  }));
  return preferred ? inOrder(columns, preferred) : columns;
}

/** Those named come in the order of the names; the others keep the neighbour before them. */
function inOrder(columns: Columns, order: readonly string[]): Column[] {
  const known = order.filter((id, place) => order.indexOf(id) === place).flatMap((id) => columns.find((column) => column.card.id === id) ?? []);
  const result = [...known];
  columns.forEach((column, place) => {
    if (known.includes(column)) return;
    const before = columns[place - 1];
    result.splice(before ? result.indexOf(before) + 1 : 0, 0, column);
  });
  return result;
}

const pinnedFirst = (columns: Columns): Columns => [...columns.filter((column) => column.pinned), ...columns.filter((column) => !column.pinned)];
const numberOr = (value: unknown, other: number): number => (typeof value === "number" && Number.isFinite(value) ? value : other);

/** What to save of an arrangement, or null where it is the catalogue's. */
export function saved(columns: Columns, cards: readonly ColumnCard[], preferred: readonly string[] | null): SavedColumns | null {
  const byDefault = defaults(cards, preferred);
  const result: SavedColumns = { order: [], widths: {}, shown: {}, pinned: [] };
  for (const column of columns) {
    const { id } = column.card;
    const own = byDefault.find((other) => other.card.id === id);
    if (column.width !== own?.width) result.widths[id] = column.width;
    if (column.shown !== own?.shown) result.shown[id] = column.shown;
    if (column.pinned) result.pinned.push(id);
  }
  const order = columns.map((column) => column.card.id);
  if (order.some((id, place) => id !== byDefault[place]?.card.id)) result.order = order;
  const same = !result.order.length && !result.pinned.length && !Object.keys(result.widths).length && !Object.keys(result.shown).length;
  return same ? null : result;
}

export const shownOf = (columns: Columns): Column[] => columns.filter((column) => column.shown);
export const idsOf = (columns: Columns): string[] => columns.map((column) => column.card.id);
export const totalWidth = (columns: Columns): number => columns.reduce((sum, column) => sum + column.width, 0);

/** As much wider a column may be drawn than it says, to fill the view. */
const STRETCH = 2;
/** What an address keeps at least where the view is too narrow for all columns, and a text that is not short anyway, px. */
const LEAST_URL = 220;
const LEAST_TEXT = 96;

function leastOf({ card, width }: Column): number {
  return Math.min(width, card.kind === "url" ? LEAST_URL : Math.max(LEAST_TEXT, Math.round(card.width / 2)));
}

/**
 * The columns as they are drawn in a view of `room` px: addresses and texts whose width nobody chose take what is left,
 * and give way where it is too little for all.
 */
export function spread(columns: Column[], room: number): Column[] {
  if (room <= 0) return columns;
  const left = room - totalWidth(columns);
  const bends = ({ card, width }: Column): boolean => (card.kind === "url" || card.kind === "text") && width === card.width;
  const bending = columns.filter(bends);
  if (left === 0 || bending.length === 0) return columns;
  const wide = totalWidth(bending);
  const spare = wide - bending.reduce((sum, column) => sum + leastOf(column), 0);
  const grown = Math.min(STRETCH, 1 + left / wide);
  const given = spare > 0 ? Math.min(1, -left / spare) : 0;
  const drawn = (column: Column): number => (left > 0 ? column.width * grown : column.width - (column.width - leastOf(column)) * given);
  return columns.map((column) => (bends(column) ? { ...column, width: Math.floor(drawn(column)) } : column));
}

/** The columns with the widths that they are drawn with, up to one of them: it is about to be resized under the pointer. */
export function frozen(columns: Columns, drawn: Columns, id: string): Columns {
  const until = drawn.findIndex((column) => column.card.id === id);
  const widths = new Map(drawn.slice(0, until + 1).map((column) => [column.card.id, column.width]));
  return columns.map((column) => ({ ...column, width: widths.get(column.card.id) ?? column.width }));
}

const changed = (columns: Columns, id: string, change: Partial<Column>): Columns =>
  columns.map((column) => (column.card.id === id ? { ...column, ...change } : column));

export const resized = (columns: Columns, id: string, width: number): Columns =>
  changed(columns, id, { width: clamp(Math.round(width), NARROWEST, WIDEST) });

/** Shows or hides a column; the last one that is shown stays. */
export function withShown(columns: Columns, id: string, shown: boolean): Columns {
  const others = columns.some((column) => column.shown && column.card.id !== id);
  return shown || others ? changed(columns, id, { shown }) : columns;
}

/** A pinned column is the last of those at the left; one set free is the first of the rest. */
export function withPinned(columns: Columns, id: string, pinned: boolean): Columns {
  const column = columns.find((other) => other.card.id === id);
  if (!column || column.pinned === pinned) return columns;
  const rest = columns.filter((other) => other !== column);
  const place = rest.filter((other) => other.pinned).length;
  return [...rest.slice(0, place), { ...column, pinned, shown: true }, ...rest.slice(place)];
}

/** Puts a column before another one, or last where `before` is null. It takes over the other's side of the pin. */
export function placed(columns: Columns, id: string, before: string | null): Columns {
  const column = columns.find((other) => other.card.id === id);
  if (!column || id === before) return columns;
  const rest = columns.filter((other) => other !== column);
  const found = before === null ? -1 : rest.findIndex((other) => other.card.id === before);
  const place = found < 0 ? rest.length : found;
  const pinned = rest[place]?.pinned === true || (column.pinned && rest[place - 1]?.pinned === true);
  return [...rest.slice(0, place), { ...column, pinned }, ...rest.slice(place)];
}

/** Moves a shown column by one place among those shown, without crossing the pin. */
export function stepped(columns: Columns, id: string, by: 1 | -1): Columns {
  const shown = shownOf(columns);
  const place = shown.findIndex((column) => column.card.id === id);
  const own = shown[place];
  const other = shown[place + by];
  if (!own || !other || own.pinned !== other.pinned) return columns;
  const rest = columns.filter((column) => column !== own);
  const target = rest.indexOf(other) + (by === 1 ? 1 : 0);
  return [...rest.slice(0, target), own, ...rest.slice(target)];
}
