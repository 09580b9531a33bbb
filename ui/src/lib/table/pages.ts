/**
 * The rows of an ordering that the window holds: a bounded set of pages, fetched as they come into sight.
 *
 * What is wanted is said anew at every move. A page that was asked for and is no longer wanted is dropped before it is
 * fetched, so that a drag over a million rows costs as many calls as the engine answers meanwhile, two at a time.
 */
import type { TableRow } from "../backend/bindings";
import type { Span } from "./geometry";

export const PAGE = 200;
const MOST_PAGES = 40;
const MOST_IN_FLIGHT = 2;

export interface PageSource {
  fetch(start: number, count: number): Promise<TableRow[]>;
  /** A page arrived. */
  arrived(): void;
  /** A page could not be fetched; it is not asked for again until `retry`. */
  failed(error: unknown): void;
}

export class Pages {
  readonly #source: PageSource;
  /** From the page used longest ago to the newest. */
  readonly #held = new Map<number, TableRow[]>();
  readonly #inFlight = new Set<number>();
  readonly #broken = new Set<number>();
  /** Pages to be fetched anew that may be shown meanwhile. */
  readonly #old = new Set<number>();
  #queue: number[] = [];
  /** Answers to what was asked before the last `clear` are dropped. */
  #generation = 0;

  constructor(source: PageSource) {
    this.#source = source;
  }

  /** The row at a position, or null while it is not here. */
  row(position: number): TableRow | null {
    return this.#held.get(Math.floor(position / PAGE))?.[position % PAGE] ?? null;
  }

  /** Says which rows are in sight, of `rows` in all. Their pages come first, then the ones around them. */
  want(span: Span, rows: number): void {
    const last = Math.floor(Math.max(0, rows - 1) / PAGE);
    const from = Math.floor(span.first / PAGE);
    const to = Math.min(last, Math.floor(Math.max(span.first, span.end - 1) / PAGE));
    const wanted: number[] = [];
    if (rows > 0 && span.end > span.first) {
      for (let page = from; page <= to; page++) wanted.push(page);
      // Half a page ahead is soon enough, and spares a jump into the middle of a page its neighbours.
      if (to < last && span.end % PAGE > PAGE / 2) wanted.push(to + 1);
      if (from > 0 && span.first % PAGE < PAGE / 2) wanted.push(from - 1);
    }
    for (const page of [...wanted].reverse()) this.#touch(page);
    this.#queue = wanted.filter((page) => (!this.#held.has(page) || this.#old.has(page)) && !this.#inFlight.has(page) && !this.#broken.has(page));
    this.#next();
  }

  /** Asks once more for what failed. */
  retry(span: Span, rows: number): void {
    this.#broken.clear();
    this.want(span, rows);
  }

  /** All pages are fetched anew as they are wanted, and shown as they are until then. */
  renew(): void {
    this.#generation++;
    this.#inFlight.clear();
    for (const page of this.#held.keys()) this.#old.add(page);
  }

  /** Forgets all rows: the ordering or the columns are others now. */
  clear(): void {
    this.#generation++;
    this.#held.clear();
    this.#inFlight.clear();
    this.#broken.clear();
    this.#old.clear();
    this.#queue = [];
  }

  get size(): number {
    return this.#held.size;
  }

  #touch(page: number): void {
    const rows = this.#held.get(page);
    if (!rows) return;
    this.#held.delete(page);
    this.#held.set(page, rows);
  }

  #next(): void {
    while (this.#inFlight.size < MOST_IN_FLIGHT) {
      const page = this.#queue.shift();
      if (page === undefined) return;
      void this.#fetch(page);
    }
  }

  async #fetch(page: number): Promise<void> {
    const generation = this.#generation;
    this.#inFlight.add(page);
    let error: unknown = null;
    let rows: TableRow[] = [];
    try {
      rows = await this.#source.fetch(page * PAGE, PAGE);
    } catch (thrown) {
      error = thrown ?? new Error("no reason given");
    }
    if (generation !== this.#generation) return;
    this.#inFlight.delete(page);
    if (error === null) this.#keep(page, rows);
    else this.#broken.add(page);
    this.#next();
    if (error === null) this.#source.arrived();
    else this.#source.failed(error);
  }

  #keep(page: number, rows: TableRow[]): void {
    this.#held.delete(page);
    this.#held.set(page, rows);
    this.#old.delete(page);
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= MOST_PAGES) return;
      this.#held.delete(oldest);
      this.#old.delete(oldest);
    }
  }
}
