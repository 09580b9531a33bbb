/**
 * Orderings that another list's filter names ("links to these 4,812 rows"). They stay open when their table goes, so
 * that the other list can be sorted or come back to; the oldest is closed once there are several.
 */
import { backend } from "../backend";

const AT_MOST = 6;
const lent: number[] = [];

export function lend(table: number): void {
  if (!lent.includes(table)) lent.push(table);
  while (lent.length > AT_MOST) {
    const oldest = lent.shift();
    if (oldest !== undefined && given.delete(oldest)) close(oldest);
  }
}

/** Those whose table has let go of them. */
const given = new Set<number>();

/** Lets go of an ordering: it is closed unless it is lent. */
export function release(table: number): void {
  if (lent.includes(table)) given.add(table);
  else close(table);
}

function close(table: number): void {
  // The project may be closed by now, and its orderings with it.
  backend.closeTable(table).catch(() => undefined);
}
