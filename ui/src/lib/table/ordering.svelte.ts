/**
 * The ordering that a table shows: opened for a query, counted, read by pages, and let go.
 *
 * While the next one is being built the old rows stay in sight. It takes their place once its first rows are here, so
 * that nothing flashes. What has become irrelevant (another query meanwhile) is cancelled.
 */
import { backend } from "../backend";
import type { ApiError, TableOpened, TableQuery } from "../backend/bindings";
import { asApiError } from "../state/toasts.svelte";
import type { Span } from "./geometry";
import { release } from "./lent";
import { Pages } from "./pages";

/** Building that takes longer than this, ms, is shown with a way to stop it. */
const SLOW_MS = 300;
/** How long the first rows may keep the old ones in sight, ms. */
const FIRST_ROWS_MS = 250;

let lastTicket = 0;

/** A number for a call that can be cancelled; no two calls have the same. */
export const nextTicket = (): number => ++lastTicket;

export interface Places {
  /** The rows that the view will show of a new ordering; the old rows are still in sight. */
  aim(opened: TableOpened, again: boolean): Promise<Span>;
  /** The new ordering is in place. `again`: it answers the same question as the one before. */
  swapped(again: boolean): void;
}

export class Ordering {
  /** Null until the first one is open. */
  opened = $state.raw<TableOpened | null>(null);
  /** The query that the rows in sight answer. */
  query = $state.raw<TableQuery | null>(null);
  state = $state<"opening" | "open" | "cancelled" | "failed">("opening");
  /** True while building takes long enough to be shown. */
  slow = $state(false);
  error = $state.raw<ApiError | null>(null);
  /** A page of rows that could not be read. */
  pageError = $state.raw<ApiError | null>(null);
  /** What the same query would give now; null while not known. */
  length = $state<number | null>(null);
  /** Counts what arrived, so that what is drawn follows. */
  arrivals = $state(0);
  /** Columns asked for; a new one is put at the end, so that rows fetched before keep their places. */
  columns: string[] = [];

  pages: Pages | null = null;
  #ticket = 0;
  #pending = false;
  readonly #places: Places;

  constructor(places: Places) {
    this.#places = places;
  }

  get rows(): number {
    return this.opened?.rows ?? 0;
  }

  async open(query: TableQuery, again = false): Promise<void> {
    this.#drop();
    const ticket = ++lastTicket;
    this.#ticket = ticket;
    this.#pending = true;
    this.state = "opening";
    this.error = null;
    const timer = setTimeout(() => {
      if (this.#ticket === ticket) this.slow = true;
    }, SLOW_MS);
    try {
      const opened = await backend.openTable(query, ticket);
      if (this.#ticket !== ticket) return release(opened.table);
      await this.#swap(opened, query, ticket, again);
    } catch (error) {
      if (this.#ticket !== ticket) return;
      const known = asApiError(error);
      this.state = known.code === "cancelled" ? "cancelled" : "failed";
      this.error = known.code === "cancelled" ? null : known;
    } finally {
      clearTimeout(timer);
      if (this.#ticket === ticket) {
        this.slow = false;
        this.#pending = false;
      }
    }
  }

  async #swap(opened: TableOpened, query: TableQuery, ticket: number, again: boolean): Promise<void> {
    const span = await this.#places.aim(opened, again);
    const pages = this.#pagesOf(opened.table);
    await this.#firstRows(pages, span, opened.rows);
    if (this.#ticket !== ticket) return release(opened.table);
    const before = this.opened?.table;
    this.pages?.clear();
    this.pages = pages;
    this.opened = opened;
    this.query = query;
    this.state = "open";
    this.length = null;
    this.pageError = null;
    this.arrivals++;
    this.#places.swapped(again);
    if (before !== undefined) release(before);
  }

  #pagesOf(table: number): Pages {
    const pages: Pages = new Pages({
      fetch: (start, count) => backend.tableRows(table, start, count, [...this.columns]),
      arrived: () => {
        this.#arrived?.();
        if (this.pages !== pages) return;
        this.arrivals++;
        this.pageError = null;
      },
      failed: (error) => {
        this.#arrived?.();
        if (this.pages === pages) this.pageError = asApiError(error);
      },
    });
    return pages;
  }

  /** Called at every page that arrives or fails, while the first rows of an ordering are awaited. */
  #arrived: (() => void) | null = null;

  #firstRows(pages: Pages, span: Span, rows: number): Promise<void> {
    if (rows === 0) return Promise.resolve();
    const last = Math.max(span.first, Math.min(span.end, rows) - 1);
    return new Promise((done) => {
      const finish = (): void => {
        clearTimeout(timer);
        if (this.#arrived === look) this.#arrived = null;
        done();
      };
      const look = (): void => {
        if (pages.row(span.first) && pages.row(last)) finish();
      };
      const timer = setTimeout(finish, FIRST_ROWS_MS);
      this.#arrived = look;
      pages.want(span, rows);
    });
  }

  /** Asks for columns as well; what is here already stays in sight meanwhile. */
  ask(ids: readonly string[]): void {
    const added = ids.filter((id) => !this.columns.includes(id));
    if (added.length === 0) return;
    this.columns = [...this.columns, ...added];
    this.pages?.renew();
  }

  cancel(): void {
    if (this.#pending) backend.cancelTable(this.#ticket).catch(() => undefined);
  }

  /** Gives up what is being built, because nobody waits for it any more. */
  #drop(): void {
    this.cancel();
    this.#pending = false;
    this.slow = false;
  }

  /** Gives up what is being built, since nobody looks; true where something was. Rows in sight stay. */
  rest(): boolean {
    const given = this.#pending;
    if (!given) return false;
    this.#drop();
    this.#ticket = ++lastTicket;
    this.state = this.opened ? "open" : "cancelled";
    return true;
  }

  /** Looks whether the same query would give other rows now. */
  async look(): Promise<void> {
    const table = this.opened?.table;
    if (table === undefined || this.#pending) return;
    try {
      const length = await backend.tableLength(table);
      if (this.opened?.table === table) this.length = length;
    } catch {
      // The list in sight is as good as it was; the next look may succeed.
    }
  }

  close(): void {
    this.#drop();
    this.#ticket = ++lastTicket;
    this.pages?.clear();
    if (this.opened) release(this.opened.table);
    this.opened = null;
  }
}
