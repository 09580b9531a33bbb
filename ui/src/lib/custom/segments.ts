/** The segments of a project as they are edited: names and patterns, with what each would have. */
import type { SegmentCard, SegmentText } from "../backend/bindings";

export interface SegmentRow {
  /** Tells rows apart that look alike. */
  key: number;
  name: string;
  /** A pattern a line. */
  patterns: string;
}

let last = 0;

export const rowOf = (card: SegmentCard): SegmentRow => ({ key: ++last, name: card.name, patterns: card.patterns.join("\n") });
export const emptyRow = (): SegmentRow => ({ key: ++last, name: "", patterns: "" });

export const patternsOf = (row: SegmentRow): string[] =>
  row.patterns
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Rows that say anything, as the engine takes them. */
export const textsOf = (rows: readonly SegmentRow[]): SegmentText[] =>
  rows.filter((row) => row.name.trim() !== "" || row.patterns.trim() !== "").map((row) => ({ name: row.name.trim(), patterns: patternsOf(row) }));

/** The rows with one of them a place further up or down. */
export function moved<R extends { key: number }>(rows: readonly R[], key: number, step: -1 | 1): R[] {
  const from = rows.findIndex((row) => row.key === key);
  const to = from + step;
  const all = [...rows];
  const [row] = to >= 0 && to < rows.length ? all.splice(from, 1) : [];
  if (row) all.splice(to, 0, row);
  return all;
}
