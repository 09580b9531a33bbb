/** What a project looks for in pages, as it is edited. */
import type { FieldCard, FieldText } from "../backend/bindings";

export interface FieldRow {
  /** Tells rows apart that look alike. */
  key: number;
  name: string;
  rule: string;
  /** What is known of it since it was saved; null for one that is new or has another rule by now. */
  saved: FieldCard | null;
}

let last = 0;

export const rowOf = (card: FieldCard): FieldRow => ({ key: ++last, name: card.name, rule: card.rule, saved: card });
export const emptyRow = (): FieldRow => ({ key: ++last, name: "", rule: "", saved: null });

/** Rows that say anything, as the engine takes them. */
export const textsOf = (rows: readonly FieldRow[]): FieldText[] =>
  rows.filter((row) => row.name.trim() !== "" || row.rule.trim() !== "").map((row) => ({ name: row.name.trim(), rule: row.rule.trim() }));

/** Whether a row says what is saved, so that its count still holds. */
export const isSaved = (row: FieldRow): boolean => row.saved?.name === row.name.trim() && row.saved.rule === row.rule.trim();
