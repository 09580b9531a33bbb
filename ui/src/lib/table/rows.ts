/** What is asked of rows beside what is shown of them. */
import { backend } from "../backend";
import type { RowRange } from "../backend/bindings";

const KEYS_AT_ONCE = 1_000;

/** The columns that say more of a status: of "target_status" they are "target_state", "target_reason" and "verdict". */
export function companions(id: string): { state: string; reason: string; verdict: string } {
  return { state: id.replace(/status$/, "state"), reason: id.replace(/status$/, "reason"), verdict: "verdict" };
}

/** The keys of the URLs of selected rows, each once, read from at most `limit` rows. */
export async function keysOf(table: number, ranges: RowRange[], limit: number): Promise<number[]> {
  const keys = new Set<number>();
  let left = limit;
  for (const { start, end } of ranges) {
    for (let from = start; from < end && left > 0; from += KEYS_AT_ONCE) {
      const rows = await backend.tableRows(table, from, Math.min(KEYS_AT_ONCE, end - from, left), []);
      left -= rows.length;
      for (const row of rows) keys.add(row.key);
      if (rows.length === 0) break;
    }
  }
  return [...keys];
}
