/**
 * Where a table and the filter bar above it find each other: by the key under which both keep what a person arranged.
 * So a saved view can hold columns and order, the bar can show the statement of the list, and an empty list can offer
 * to clear the filter, without every screen passing all of that through.
 */
import { SvelteMap } from "svelte/reactivity";
import type { Condition, Filter, Sort } from "../backend/bindings";
import type { SavedColumns } from "./columns";

/** What a named view holds beside its filter. */
export interface Look {
  columns: SavedColumns | null;
  sort: Sort | null;
}

export interface TableSeat {
  /** The statement that the engine gave for the list in sight. */
  sql(): string;
  look(): Look;
  wear(look: Look): void;
  focus(): void;
  /** Opens the choice of columns. */
  columns(): void;
  /** Opens the form that saves the list as a file; null where there is none. */
  readonly export: (() => void) | null;
  /** Whether it is the list of a screen, and not one inside another. */
  inSight(): boolean;
}

export interface FilterSeat {
  set(filter: Filter | null): void;
  narrow(condition: Condition, leaveOut: boolean): void;
}

export const tableSeats = new SvelteMap<string, TableSeat>();
export const filterSeats = new SvelteMap<string, FilterSeat>();

/** Takes a seat and gives back how to leave it. */
export function take<T>(seats: SvelteMap<string, T>, key: string, seat: T): () => void {
  seats.set(key, seat);
  return () => {
    if (seats.get(key) === seat) seats.delete(key);
  };
}
