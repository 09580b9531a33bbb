/** The tea shop's sitemaps, one of them broken off. */
import type { SitemapNode, SitemapTree } from "../bindings";
import { ORIGIN, site, type Row } from "./site";

const node = (key: number, path: string, more: Partial<SitemapNode>): SitemapNode => ({
  key, url: path.includes("://") ? path : ORIGIN + path, parent: 1, level: 1, kind: "urlset", status: 200, outcome: "read", bytes: 0, entries: 0, in_crawl: 0,
  indexable: 0, other_hosts: 0, malformed: 0, errors: [], flags: [], ...more,
});

export function sitemapTree(): SitemapTree {
  const nodes = [
    node(1, "/sitemap.xml", { parent: null, level: 0, kind: "index", bytes: 812, entries: 5, in_crawl: 5 }),
    node(2, "/sitemaps/products.xml.gz", { bytes: 41_208, entries: 240, in_crawl: 240, indexable: 210, flags: ["gzip"] }),
    node(3, "/sitemaps/journal.xml", {
      bytes: 9_310, entries: 61, in_crawl: 61, indexable: 61, outcome: "read as far as it goes",
      errors: [{ code: "xml-error", line: 312, column: 7, text: "the document ends within the element url" }],
    }),
    node(4, "/sitemaps/pages.txt", {
      kind: "text", bytes: 602, entries: 14, in_crawl: 12, indexable: 12, other_hosts: 1, malformed: 1,
      errors: [{ code: "invalid-url", line: 9, column: 1, text: "“ww.lindenleaf.example/faq” is not an address" }],
    }),
    node(5, "/sitemaps/images.xml", { status: 404, kind: "unknown", outcome: "status 404: nothing was read" }),
    node(6, "/sitemaps/regions.xml", {
      kind: "index", bytes: 405, entries: 2, in_crawl: 1, flags: ["nested-index"],
      errors: [{ code: "nested-index", line: 1, column: 1, text: "an index within an index; search engines may not read it" }],
    }),
    node(7, "/sitemaps/regions/eu.xml", {
      parent: 6, level: 2, bytes: 2_216, entries: 18, in_crawl: 0, other_hosts: 18, flags: ["namespace-wrong"],
      errors: [{ code: "namespace-wrong", line: 2, column: 1, text: "the namespace is http://www.google.com/schemas/sitemap/0.84" }],
    }),
    node(8, "/feeds/news.xml", { parent: null, level: 0, kind: "rss", bytes: 7_730, entries: 20, in_crawl: 20, indexable: 19 }),
  ];
  const leaves = nodes.filter((one) => one.kind !== "index");
  const sum = (of: (one: SitemapNode) => number) => leaves.reduce((all, one) => all + of(one), 0);
  const pages = site().pages;
  const unlisted = pages.filter((page) => page.internal === 1 && page["indexable"] === 1 && page["in_sitemap"] === 0).length;
  return { files: nodes.length, entries: sum((one) => one.entries), in_crawl: pages.filter((page) => page["in_sitemap"] === 1).length, unlisted, nodes };
}

/** The entries that the counts are of. */
export function entryRows(): Row[] {
  const { nodes } = sitemapTree();
  const pages = site().pages.filter((page) => page.internal === 1 && page.status === 200);
  return nodes.flatMap((one): Row[] => {
    if (one.kind === "index") return nodes.filter((child) => child.parent === one.key).map((child) => ({ key: 0, url: child.url, status: child.status, in_crawl: 0, indexable: 0, internal: null, in_index: 1, sitemap: one.url }));
    return Array.from({ length: one.entries }, (_, i) => {
      const page = i < one.in_crawl ? pages[i % pages.length] : undefined;
      return {
        key: page?.key ?? 0, url: page?.url ?? `https://elsewhere.example/${i}`, status: page?.status ?? null, in_crawl: page ? 1 : 0, indexable: i < one.indexable ? 1 : 0,
        internal: i >= one.entries - one.other_hosts ? 0 : 1, in_index: 0, sitemap: one.url,
      };
    });
  });
}
