/** The lists behind the numbers of this screen, as filters of the engine's tables. */
import type { Filter, RobotsHost, SitemapNode } from "$lib/backend";
import { app } from "$lib/state";
import { answerable, is } from "../urls/quick";

export type List = { table: string; filter: Filter };

/** The URLs that a host's robots.txt blocked. */
export const blockedBy = (host: RobotsHost): Filter => ({ all: [is("state", "equals", "blocked"), is("url", "starts", `${host.origin}/`)] });

export type EntryKind = "entries" | "in_crawl" | "indexable" | "other_hosts";

const NARROWED: Record<EntryKind, Filter[]> = {
  entries: [],
  in_crawl: [is("in_crawl", "equals", 1)],
  indexable: [is("indexable", "equals", 1)],
  other_hosts: [is("internal", "equals", 0)],
};

/**
 * Entries of a sitemap; null where the engine's tables cannot tell them apart from the others. What an index names are
 * sitemaps, of which no table says whether they were read.
 */
export function entriesOf(node: SitemapNode, kind: EntryKind): List | null {
  if (node.kind === "index" && kind !== "entries") return null;
  return listOf("sitemap_entries", [is("sitemap", "equals", node.url), ...NARROWED[kind]]);
}

export const allEntries = (): List | null => listOf("sitemap_entries", [is("in_index", "equals", 0)]);

/** A URL that several sitemaps list has several entries: URLs are counted, so URLs are listed. */
export const allInCrawl = (): List | null => listOf("urls", [is("in_sitemap", "equals", 1)]);

/** Indexable pages of the site that no sitemap lists. */
export const unlisted = (): List | null => listOf("urls", [is("internal", "equals", 1), is("indexable", "equals", 1), is("in_sitemap", "equals", 0)]);

function listOf(table: string, filters: Filter[]): List | null {
  const card = app.catalogue.find((one) => one.id === table);
  const [quick] = answerable([{ id: "list", filters }], card);
  return quick ? { table, filter: { all: quick.filters } } : null;
}
