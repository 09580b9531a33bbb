/**
 * What a list screen shows: a table of the catalogue, a filter, and the title it was opened with. Kept while the window
 * lives, so that who looks at another screen and comes back finds the list as it was left.
 */
import type { Filter } from "$lib/backend";
import { app } from "$lib/state";
import { columnsOf, conjoin, conjuncts, sameParts } from "./quick";

export class ListView {
  table = $state("");
  filter = $state.raw<Filter | null>(null);
  private given = $state.raw<{ title: string; filter: Filter } | null>(null);
  private readonly tables: readonly string[];
  private visit = -1;
  private project: string | null = null;

  /** `tables` of the catalogue that the screen shows; the first is what it opens with. */
  constructor(tables: readonly string[]) {
    this.tables = tables;
    this.table = tables[0] ?? "";
  }

  /** The title that the list was opened with, as long as it still says what it was opened for. */
  get title(): string | null {
    return this.given && sameParts(this.given.filter, this.filter) ? this.given.title : null;
  }

  /** Takes in what the screen was opened with; without anything, it is as it was left. */
  enter(): void {
    if (this.visit === app.visit) return;
    this.visit = app.visit;
    const { filter, title, table } = app.params;
    const project = app.project?.path ?? "";
    if (filter || table) {
      this.table = table && this.tables.includes(table) ? table : (this.tables[0] ?? "");
      this.filter = filter ?? null;
      this.given = filter && title ? { title, filter } : null;
    } else if (this.project !== project) {
      this.show(this.tables[0] ?? "", null);
    }
    this.project = project;
  }

  show(table: string, filter: Filter | null): void {
    this.table = table;
    this.filter = filter;
    this.given = null;
  }

  clear(): void {
    this.filter = null;
    this.given = null;
  }

  /** Another table of the catalogue, with those conditions that it can answer. */
  choose(table: string): void {
    const ids = new Set(app.catalogue.find((card) => card.id === table)?.columns.map((column) => column.id));
    const isPortable = (part: Filter) => "search" in part || (columnsOf(part).length > 0 && columnsOf(part).every((id) => ids.has(id)));
    this.filter = conjoin(conjuncts(this.filter).filter(isPortable));
    this.table = table;
  }
}
