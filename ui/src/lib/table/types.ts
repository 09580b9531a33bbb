/** What a table tells those who place it. */
import type { CopyFormat, RowRange, TableRow, Value } from "../backend/bindings";

/** The rows a person selected, as ranges of positions in an ordering of the engine. */
export interface Selection {
  /** The ordering, as the engine numbers it. */
  table: number;
  ranges: RowRange[];
  count: number;
  /** Whether that is every row of the filter. */
  all: boolean;
  /** The first of them, where it has been read already. */
  firstRow(): TableRow | null;
  /** The keys of their URLs, each once, of at most `limit` rows. */
  keys(limit: number): Promise<number[]>;
}

export interface ExportState {
  table: number;
  /** Those shown, in their order. */
  columns: string[];
  /** All rows of the filter. */
  rows: number;
  sql: string;
  selection: Selection;
}

export interface TableApi {
  /** Asks the engine for the list anew; focus, place and selection stay. */
  refresh(): void;
  focus(): void;
  exportState(): ExportState;
  /** Puts the selected rows on the clipboard. */
  copy(format: CopyFormat): Promise<void>;
  readonly selection: Selection;
  readonly rows: number;
}

/** Reads a cell of a row by its column; null where it is empty or was not asked for. */
export type CellOf = (id: string) => Value;
