/**
 * Which rows are selected and which cell has the focus, and how clicks and keys change both.
 *
 * The anchor is where a range begins: a click or a toggle sets it, shift extends from it.
 */
import { between, everything, has, NOTHING, one, size, toggled, union, within, type Ranges } from "./ranges";

export interface Choice {
  ranges: Ranges;
  /** The row that has the focus, −1 for the header; rows are counted from 0. */
  row: number;
  /** The column that has the focus, by its place among those shown. */
  column: number;
  anchor: number;
}

/** What is held while a row is chosen. */
export interface Held {
  shift: boolean;
  /** Ctrl, or Cmd on a Mac. */
  control: boolean;
}

export const NO_CHOICE: Choice = { ranges: NOTHING, row: 0, column: 0, anchor: 0 };

/** A click on a row. */
export function clicked(choice: Choice, row: number, column: number, held: Held): Choice {
  if (held.shift) {
    const range = between(choice.anchor, row);
    return { ...choice, row, column, ranges: held.control ? union(choice.ranges, range) : [range] };
  }
  return { row, column, anchor: row, ranges: held.control ? toggled(choice.ranges, row) : one(row) };
}

/** The focus goes to a row by the keyboard: it is selected with it, unless Ctrl is held, and shift extends. */
export function moved(choice: Choice, row: number, column: number, held: Held): Choice {
  if (row < 0) return { ...choice, row: -1, column };
  if (held.shift) return { ...choice, row, column, ranges: [between(choice.anchor, row)] };
  if (held.control) return { ...choice, row, column };
  return { row, column, anchor: row, ranges: one(row) };
}

/** A right click keeps a selection that it falls into. */
export function pointed(choice: Choice, row: number, column: number): Choice {
  return has(choice.ranges, row) ? { ...choice, row, column } : clicked(choice, row, column, { shift: false, control: false });
}

/** The focused row enters or leaves the selection. */
export const flipped = (choice: Choice): Choice => ({ ...choice, anchor: choice.row, ranges: toggled(choice.ranges, choice.row) });

export const all = (choice: Choice, rows: number): Choice => ({ ...choice, ranges: everything(rows) });
export const none = (choice: Choice): Choice => ({ ...choice, ranges: NOTHING });
export const isAll = (choice: Choice, rows: number): boolean => rows > 0 && size(choice.ranges) === rows;

/** A choice in a list that now has `rows` rows and `columns` columns. */
export function fitted(choice: Choice, rows: number, columns: number): Choice {
  return {
    ranges: within(choice.ranges, rows),
    row: Math.min(choice.row, rows - 1),
    column: Math.max(0, Math.min(choice.column, columns - 1)),
    anchor: Math.max(0, Math.min(choice.anchor, rows - 1)),
  };
}
