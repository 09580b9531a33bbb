/** The table in sight, for what the palette can do with it: the first of the screen that still stands. */
import { tableSeats, type TableSeat } from "../table/seats";

export function takeSeatedTable(): TableSeat | null {
  for (const seat of tableSeats.values()) if (seat.inSight()) return seat;
  return null;
}
