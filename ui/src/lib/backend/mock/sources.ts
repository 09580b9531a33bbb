/** Where rows come from: the tea shop, or a table made up as it is read. */
import type { Value } from "../bindings";
import { findingRows } from "./audits";
import { at } from "./chance";
import { site, type Row } from "./site";
import { entryRows } from "./sitemaps";

/** Rows by number; a cell is worked out when it is asked for. */
export type Source = { length: number; key: (i: number) => number; link: (i: number) => number; cell: (i: number, column: string) => Value };

const of = (rows: Row[]): Source => ({
  length: rows.length,
  key: (i) => Number(rows[i]?.["key"] ?? 0),
  link: (i) => Number(rows[i]?.["link"] ?? 0),
  cell: (i, column) => rows[i]?.[column] ?? null,
});

/** `shown` of them are there already: a crawl that runs knows only its beginning. */
export function source(table: string, shown: number, synthetic: number | null): Source {
  if (table === "urls" && synthetic !== null) return madeUp(synthetic);
  const { pages, links } = site();
  if (table === "links") return of(links.filter((link) => link.source_key <= shown).map((link) => ({ ...link, key: link.source_key })));
  if (table === "targets") return of(targets(shown));
  if (table === "findings") return of(findingRows(shown));
  if (table === "sitemap_entries") return of(entryRows());
  return of(pages.slice(0, shown));
}

function targets(shown: number): Row[] {
  const found = new Map<number, Row & { on: Set<number> }>();
  for (const link of site().links) {
    if (link.source_key > shown) continue;
    let row = found.get(link.target_key);
    if (!row) {
      row = { key: link.target_key, link: 0, target: link.target, verdict: link.verdict, target_status: link["target_status"] ?? null, target_reason: link["target_reason"] ?? null, occurrences: 0, pages: 0, target_internal: link["target_internal"] ?? 1, on: new Set<number>() } as unknown as Row & { on: Set<number> };
      found.set(link.target_key, row);
    }
    row.on.add(link.source_key);
    row["occurrences"] = Number(row["occurrences"]) + 1;
    row["pages"] = row.on.size;
  }
  return [...found.values()];
}

function madeUp(length: number): Source {
  const pages = site().pages;
  return {
    length,
    key: (i) => i + 1,
    link: () => 0,
    cell: (i, column) => {
      const like = pages[i % pages.length];
      if (column === "url") return `${like?.url ?? ""}${String(like?.url).includes("?") ? "&" : "?"}item=${i + 1}`;
      if (column === "bytes") return Math.round(2_000 + at(i) * 240_000);
      if (column === "ttfb_ms") return Math.round(30 + at(i + 7) ** 3 * 3_000);
      if (column === "inlinks") return Math.round(at(i + 13) ** 6 * 40_000);
      if (column === "depth") return 1 + (i % 9);
      if (column === "title" && like?.["title"]) return `${like["title"]} (${i + 1})`;
      return like?.[column] ?? null;
    },
  };
}
