/**
 * Filters that one click sets. They are filters like any other: conditions among the conditions of the list, which the
 * filter bar shows and changes. Choosing another one swaps its conditions and leaves the rest as it is.
 */
import type { Condition, Filter, TableCard } from "$lib/backend/bindings";

export type Quick = { id: string; filters: Filter[] };

/** The filters that are combined with *and* at the top; none for no filter. */
export function conjuncts(filter: Filter | null): Filter[] {
  if (filter === null) return [];
  return "all" in filter ? filter.all.flatMap(conjuncts) : [filter];
}

/** The filter that all of these make; null where there is none. */
export function conjoin(filters: Filter[]): Filter | null {
  if (filters.length === 0) return null;
  const [only] = filters;
  return filters.length === 1 && only ? only : { all: filters };
}

/** The quick filter that a filter contains: the one with most conditions, since "all" is within every filter. */
export function activeQuick(filter: Filter | null, offered: Quick[]): Quick | null {
  const parts = conjuncts(filter).map(canonical);
  const within = offered.filter((quick) => quick.filters.every((part) => parts.includes(canonical(part))));
  return within.reduce<Quick | null>((best, quick) => (!best || quick.filters.length > best.filters.length ? quick : best), null);
}

/** What a filter says beside its quick filter. */
export function restOf(filter: Filter | null, offered: Quick[]): Filter[] {
  const taken = new Set(activeQuick(filter, offered)?.filters.map(canonical));
  return conjuncts(filter).filter((part) => !taken.has(canonical(part)));
}

/** The filter with another quick filter in the place of the present one. */
export function withQuick(filter: Filter | null, quick: Quick, offered: Quick[]): Filter | null {
  return conjoin([...quick.filters, ...restOf(filter, offered)]);
}

/** Whether a filter still says everything that another one says. */
export function sameParts(wanted: Filter, filter: Filter | null): boolean {
  const parts = conjuncts(filter).map(canonical);
  return conjuncts(wanted).every((part) => parts.includes(canonical(part)));
}

/** Those whose columns a table has; what is asked of a column that does not exist would be refused. */
export function answerable(quicks: Quick[], table: TableCard | undefined): Quick[] {
  if (!table) return [];
  const ids = new Set(table.columns.map((column) => column.id));
  return quicks.filter((quick) => quick.filters.every((filter) => columnsOf(filter).every((id) => ids.has(id))));
}

/** Every column a filter names. */
export function columnsOf(filter: Filter): string[] {
  if ("is" in filter) return [filter.is.column];
  if ("not" in filter) return columnsOf(filter.not);
  if ("all" in filter) return filter.all.flatMap(columnsOf);
  if ("any" in filter) return filter.any.flatMap(columnsOf);
  return [];
}

export function is(column: string, operator: Condition["operator"], value: Condition["value"] = null): Filter {
  return { is: { column, operator, value } };
}

/** The tabs above lists of URLs. */
export const URL_QUICKS: Quick[] = [
  { id: "all", filters: [] },
  { id: "internal", filters: [is("internal", "equals", 1)] },
  { id: "ok", filters: [is("status", "at_least", 200), is("status", "below", 300)] },
  { id: "redirect", filters: [is("status", "at_least", 300), is("status", "below", 400)] },
  { id: "missing", filters: [is("status", "at_least", 400), is("status", "below", 500)] },
  { id: "failed", filters: [{ any: [is("status", "at_least", 500), is("state", "equals", "failed")] }] },
  { id: "blocked", filters: [is("state", "equals", "blocked")] },
  {
    id: "unindexable",
    // Other sites' pages are not ours to be indexed, an image is none at all, and what was never asked is not judged.
    filters: [
      is("internal", "equals", 1), is("indexability", "filled"),
      is("indexability", "differs", "indexable"), is("indexability", "differs", "not-html"),
    ],
  },
];

/** The same text for the same filter, whatever the order of its keys. */
function canonical(filter: Filter): string {
  return JSON.stringify(filter, (_, value: unknown) =>
    value && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
