/** The formats rows are written in, in the order of the form. */
export type FormatId = "csv" | "xlsx" | "json" | "jsonl" | "html";

/** Any rows of any table. */
export const ROW_FORMATS: readonly FormatId[] = ["csv", "xlsx", "json", "jsonl"];
/** The broken-link report. */
export const REPORT_FORMATS: readonly FormatId[] = ["html", "xlsx", "csv"];

/** Endings that a change of format may replace. */
export const ENDINGS: readonly string[] = ["csv", "xlsx", "json", "jsonl", "html"];

/** Rows that fit a worksheet of Excel beside its head. */
export const XLSX_ROWS = 1_048_575;

export function isFormat(word: unknown, offered: readonly FormatId[]): word is FormatId {
  return offered.includes(word as FormatId);
}
