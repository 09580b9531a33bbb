/** The lists behind the figures at the top of the overview, and how long a crawl took. */

import type { CrawlCard, Filter, Operator, Value } from "$lib/backend";

const is = (column: string, operator: Operator, value: Value): Filter => ({ is: { column, operator, value } });

/** Pages: internal, 2xx, HTML. Null where the catalogue lacks a column, since a list that means something else is worse than none. */
export function pagesFilter(columns: ReadonlySet<string>): Filter | null {
  if (!["internal", "status", "content_type"].every((id) => columns.has(id))) return null;
  return { all: [is("internal", "equals", 1), is("status", "at_least", 200), is("status", "below", 300), is("content_type", "contains", "html")] };
}

export function indexableFilter(columns: ReadonlySet<string>): Filter | null {
  return columns.has("indexable") ? is("indexable", "equals", 1) : null;
}

/** Milliseconds from start to end; null while there is no end. */
export function took(crawl: CrawlCard): number | null {
  if (crawl.finished === null) return null;
  const lasted = new Date(crawl.finished).getTime() - new Date(crawl.started).getTime();
  return Number.isFinite(lasted) && lasted >= 0 ? lasted : null;
}
