/**
 * A table at work: its ordering, its columns, what is selected, where the view is.
 *
 * The components draw what is here and hand over clicks and keys. Positions and sizes are in `geometry`.
 */
import { tick } from "svelte";
import { backend } from "../backend";
import type { Filter, RowRange, Sort, TableCard, TableOpened, TableQuery, TableRow, Value } from "../backend/bindings";
import { app } from "../state/app.svelte";
import { preference, remember } from "../state/preferences.svelte";
import { arranged, saved, shownOf, spread, totalWidth, type Columns, type SavedColumns } from "./columns";
import { clamp, drawn, isCapped, lastTop, nativeHeight, revealing, rowsPerPage, rowTop, type Layout, type Span } from "./geometry";
import { Ordering } from "./ordering.svelte";
import { one, size, type Ranges } from "./ranges";
import { companions, keysOf } from "./rows";
import type { Scroller } from "./scroller";
import * as selecting from "./selection";
import type { CellOf, Selection } from "./types";

/** Height of a row, px: `--row` of the tokens. */
export const ROW_PX = 28;
export const HEAD_PX = 30;
/** Both sides of a cell together, px. */
export const CELL_PADDING_PX = 20;
/** Rows drawn beyond each edge of the view. */
const SPARE = 6;
/** Rows are placed against a row at most this far above: a browser cannot place anything 140 million pixels away. */
const BASE_ROWS = 10_000;
/** As many selected rows are found again one by one after a refresh; of more, only the focus is kept. */
const FOUND_AGAIN = 50;

export interface Setup {
  table: string;
  storageKey: string;
  /** Columns that this place shows unless the person chose others. */
  preferred: readonly string[] | null;
  panelHeight: number;
}

interface Landing {
  top: number;
  choice: selecting.Choice;
  panel: number | null;
}

export class TableModel {
  readonly #setup: () => Setup;
  readonly card: TableCard | null = $derived.by(() => app.catalogue.find((card) => card.id === this.#setup().table) ?? null);
  columns = $state.raw<Columns>([]);
  sort = $state.raw<Sort | null>(null);
  choice = $state.raw<selecting.Choice>(selecting.NO_CHOICE);
  /** The row whose panel is open. */
  panel = $state<number | null>(null);
  viewport = $state(0);
  width = $state(0);
  top = $state(0);
  native = $state(0);
  readonly ordering: Ordering;
  scroller: Scroller | null = null;
  element: HTMLElement | null = null;
  #landing: Landing | null = null;

  readonly layout: Layout = $derived.by(() => ({
    rows: this.ordering.rows,
    rowHeight: ROW_PX,
    viewport: this.viewport,
    panel: this.panel === null ? null : { row: this.panel, height: this.#setup().panelHeight },
  }));
  readonly #span: Span = $derived.by(() => drawn(this.layout, this.top, SPARE));
  // Numbers, so that what depends on them rests while the view moves within the rows that are drawn.
  readonly first: number = $derived.by(() => this.#span.first);
  readonly end: number = $derived.by(() => this.#span.end);
  readonly height: number = $derived.by(() => nativeHeight(this.layout));
  /** Rows of the document, used in turn: more than are drawn at any place, so that none is used twice. */
  readonly slots: number = $derived.by(() => Math.min(this.layout.rows, Math.ceil(this.viewport / ROW_PX) + 2 + 2 * SPARE));
  /** The row that the drawn rows are placed against. */
  readonly #base: number = $derived.by(() => (isCapped(this.layout) ? Math.floor(this.first / BASE_ROWS) * BASE_ROWS : 0));
  /** Where that row is in what the browser scrolls, px. */
  readonly blockTop: number = $derived.by(() => {
    const upper = rowTop(this.layout, this.#base);
    return isCapped(this.layout) ? Math.round(this.native - (this.top - upper)) : upper;
  });
  readonly shown = $derived.by(() => spread(shownOf(this.columns), this.width));
  readonly pinned = $derived.by(() => this.shown.filter((column) => column.pinned));
  readonly free = $derived.by(() => this.shown.filter((column) => !column.pinned));
  readonly rowWidth: number = $derived.by(() => Math.max(this.width, totalWidth(this.shown)));

  /** The position that a row of the document shows now; at or beyond `end` it shows none. */
  positionOf(slot: number): number {
    const { first, slots } = this;
    return first + ((((slot - first) % slots) + slots) % slots);
  }

  /** Where a row is within the block, px. */
  offsetOf(position: number): number {
    return rowTop(this.layout, position) - rowTop(this.layout, this.#base);
  }

  constructor(setup: () => Setup) {
    this.#setup = setup;
    this.ordering = new Ordering({ aim: (opened, again) => this.#aim(opened, again), swapped: () => this.#land() });
  }

  // ---- Columns

  /** Takes the columns of the catalogue as they were saved for this place. */
  arrange(): void {
    const cards = this.card?.columns ?? [];
    this.columns = arranged(cards, preference<SavedColumns | null>(this.#key, null), this.#setup().preferred);
    this.#ask();
  }

  get #key(): string {
    return `table.${this.#setup().storageKey}`;
  }

  get savedColumns(): SavedColumns | null {
    return saved(this.columns, this.card?.columns ?? [], this.#setup().preferred);
  }

  change(columns: Columns, keep = true): void {
    this.columns = columns;
    this.#ask();
    this.choice = { ...this.choice, column: clamp(this.choice.column, 0, Math.max(0, this.shown.length - 1)) };
    if (keep) remember(this.#key, this.savedColumns);
  }

  wear(columns: SavedColumns | null): void {
    this.change(arranged(this.card?.columns ?? [], columns, this.#setup().preferred));
  }

  #ask(): void {
    const cards = this.card?.columns ?? [];
    const ids = this.shown.flatMap(({ card }) => (card.kind === "status" ? [card.id, ...Object.values(companions(card.id))] : [card.id]));
    const address = cards.find((card) => card.kind === "url");
    this.ordering.ask([...(address ? [address.id] : []), ...ids].filter((id) => cards.some((card) => card.id === id)));
  }

  // ---- Rows

  /** Opens the list for a query; `again` for the same one, where everything stays in place. */
  show(query: { table: string; crawl: number; filter: Filter | null; sort: Sort | null }, again = false): void {
    void this.ordering.open(query satisfies TableQuery, again);
  }

  refresh(): void {
    const { query } = this.ordering;
    if (query) this.show(query, true);
  }

  row(position: number): TableRow | null {
    return this.ordering.pages?.row(position) ?? null;
  }

  /** Undefined while the cell is not here. */
  cell(row: TableRow, id: string): Value | undefined {
    return row.cells[this.ordering.columns.indexOf(id)];
  }

  cellOf(row: TableRow): CellOf {
    return (id) => this.cell(row, id) ?? null;
  }

  /** The column that holds the address of a row. */
  get address(): string | null {
    return this.card?.columns.find((card) => card.kind === "url")?.id ?? null;
  }

  want(): void {
    this.ordering.pages?.want({ first: this.first, end: this.end }, this.ordering.rows);
  }

  async #aim(opened: TableOpened, again: boolean): Promise<Span> {
    this.#landing = again ? await this.#sameView(opened) : { top: 0, choice: { ...selecting.NO_CHOICE, column: this.choice.column }, panel: null };
    return drawn({ ...this.layout, rows: opened.rows, panel: null }, this.#landing.top, SPARE);
  }

  /** What is looked at, focused and selected now, in another ordering of the same list. */
  async #sameView(opened: TableOpened): Promise<Landing> {
    const { layout, top, choice } = this;
    const find = async (position: number): Promise<number | null> => {
      const row = this.row(position);
      return row ? backend.tablePosition(opened.table, row.key, row.link) : null;
    };
    const inSight = rowTop(layout, choice.row) >= top && rowTop(layout, choice.row) < top + layout.viewport;
    const anchor = inSight && choice.row >= 0 ? choice.row : Math.ceil(top / ROW_PX);
    const [place, focus, panel, ranges] = await Promise.all([
      find(anchor), choice.row >= 0 ? find(choice.row) : -1, this.panel === null ? null : find(this.panel), this.#foundAgain(opened, find),
    ]);
    const moved = place === null ? 0 : (place - anchor) * ROW_PX;
    const next: Layout = { ...layout, rows: opened.rows };
    const row = focus ?? clamp(choice.row, -1, opened.rows - 1);
    return { top: clamp(top + moved, 0, lastTop(next)), choice: { ...choice, ranges, row, anchor: Math.max(0, row) }, panel };
  }

  async #foundAgain(opened: TableOpened, find: (position: number) => Promise<number | null>): Promise<Ranges> {
    const { ranges } = this.choice;
    if (selecting.isAll(this.choice, this.ordering.rows)) return selecting.all(this.choice, opened.rows).ranges;
    if (size(ranges) > FOUND_AGAIN) return [];
    const rows = ranges.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i));
    const places = await Promise.all(rows.map(find));
    const found = places.filter((place) => place !== null).sort((a, b) => a - b);
    return found.reduce<Ranges>((all, place) => (all.at(-1)?.end === place ? [...all.slice(0, -1), { start: all.at(-1)?.start ?? place, end: place + 1 }] : [...all, ...one(place)]), []);
  }

  #land(): void {
    const landing = this.#landing ?? { top: 0, choice: this.choice, panel: null };
    this.#landing = null;
    this.choice = selecting.fitted(landing.choice, this.ordering.rows, this.shown.length);
    this.panel = landing.panel;
    this.top = landing.top;
    // The browser can only scroll as far as it has laid out.
    void tick().then(() => this.scroller?.to(landing.top));
  }

  // ---- Selection and focus

  /** The focus goes to a row and a column, which come into sight. */
  focusOn(row: number, column: number, held: selecting.Held): void {
    const columns = this.shown.length;
    this.choice = selecting.moved(this.choice, clamp(row, -1, this.ordering.rows - 1), clamp(column, 0, Math.max(0, columns - 1)), held);
    this.reveal();
  }

  move(rows: number, columns: number, pages: number, held: selecting.Held): void {
    const { row, column } = this.choice;
    const step = rows + pages * Math.max(1, rowsPerPage(this.layout) - 1);
    const last = this.ordering.rows - 1;
    // Only a single step up leaves the rows for the header.
    const lowest = row === -1 || (rows === -1 && !held.shift) ? -1 : 0;
    const to = clamp(row + step, Math.min(lowest, last), last);
    this.focusOn(to, clamp(column + columns, 0, this.shown.length - 1), columns !== 0 && to === row ? { shift: false, control: true } : held);
  }

  reveal(): void {
    const { row, column } = this.choice;
    if (row >= 0) this.scroller?.to(revealing(this.layout, this.top, row));
    const chosen = this.shown[column];
    if (!this.element || !chosen || chosen.pinned) return;
    const fixed = totalWidth(this.pinned);
    const left = totalWidth(this.shown.slice(0, column));
    const { scrollLeft } = this.element;
    if (left < scrollLeft + fixed) this.element.scrollLeft = left - fixed;
    else if (left + chosen.width > scrollLeft + this.width) this.element.scrollLeft = Math.min(left - fixed, left + chosen.width - this.width);
  }

  /** The selected rows, or the focused one where none is selected. */
  get chosen(): Ranges {
    const { ranges, row } = this.choice;
    return ranges.length > 0 || row < 0 || this.ordering.rows === 0 ? ranges : one(row);
  }

  selection(ranges: Ranges = this.choice.ranges): Selection {
    const table = this.ordering.opened?.table ?? 0;
    const pages = this.ordering.pages;
    const own: RowRange[] = ranges.map(({ start, end }) => ({ start, end }));
    const [begin] = own;
    return {
      table,
      ranges: own,
      count: size(own),
      all: this.ordering.rows > 0 && size(own) === this.ordering.rows,
      firstRow: () => (begin ? (pages?.row(begin.start) ?? null) : null),
      keys: (limit) => keysOf(table, own, limit),
    };
  }

  /** Opens or closes what is below a row, which stays where it is in the view unless the panel needs the room. */
  togglePanel(row: number): void {
    const offset = rowTop(this.layout, row) - this.top;
    this.panel = this.panel === row ? null : row;
    const open = this.panel !== null;
    void tick().then(() => {
      const own = rowTop(this.layout, row);
      const needed = open ? Math.max(0, own + ROW_PX + this.#setup().panelHeight - this.viewport) : 0;
      this.scroller?.to(Math.max(own - offset, Math.min(needed, own)));
    });
  }
}
