/**
 * Sets of row positions as sorted, disjoint ranges `start ≤ row < end`.
 *
 * A selection of 700,000 rows is one range here, not a list of rows. No function changes what it is given.
 */
import type { RowRange } from "../backend/bindings";

export type Ranges = readonly RowRange[];

export const NOTHING: Ranges = [];
export const one = (row: number): Ranges => [{ start: row, end: row + 1 }];
export const everything = (rows: number): Ranges => (rows > 0 ? [{ start: 0, end: rows }] : NOTHING);

/** The rows between two, both included, whichever is the smaller. */
export const between = (a: number, b: number): RowRange => ({ start: Math.min(a, b), end: Math.max(a, b) + 1 });

export const size = (ranges: Ranges): number => ranges.reduce((sum, { start, end }) => sum + end - start, 0);

export function has(ranges: Ranges, row: number): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle];
    if (!range) return false;
    if (row < range.start) high = middle;
    else if (row >= range.end) low = middle + 1;
    else return true;
  }
  return false;
}

/** `ranges` with the rows of `added`; neighbours grow together. */
export function union(ranges: Ranges, added: RowRange): Ranges {
  if (added.start >= added.end) return ranges;
  const before: RowRange[] = [];
  const after: RowRange[] = [];
  let { start, end } = added;
  for (const range of ranges) {
    if (range.end < start) before.push(range);
    else if (range.start > end) after.push(range);
    else [start, end] = [Math.min(start, range.start), Math.max(end, range.end)];
  }
  return [...before, { start, end }, ...after];
}

/** `ranges` without the rows of `removed`. */
export function without(ranges: Ranges, removed: RowRange): Ranges {
  return ranges.flatMap(({ start, end }) =>
    [{ start, end: Math.min(end, removed.start) }, { start: Math.max(start, removed.end), end }].filter((part) => part.start < part.end),
  );
}

export const toggled = (ranges: Ranges, row: number): Ranges => {
  const range = { start: row, end: row + 1 };
  return has(ranges, row) ? without(ranges, range) : union(ranges, range);
};

/** The rows that a list of `rows` rows has. */
export const within = (ranges: Ranges, rows: number): Ranges => without(ranges, { start: rows, end: Number.MAX_SAFE_INTEGER });
