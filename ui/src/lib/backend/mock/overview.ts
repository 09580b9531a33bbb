/** The overview of the tea shop. */
import type { Bar, CrawlCard, Distribution, Filter, Operator, Overview, SectionCard, Tone, Value } from "../bindings";
import { auditCard, issueCards } from "./audits";
import { site, type Page } from "./site";

const is = (column: string, operator: Operator, value: Value = null): Filter => ({ is: { column, operator, value } });
const between = (column: string, from: number, below: number): Filter => ({ all: [is(column, "at_least", from), is(column, "below", below)] });

/** Pages: what the site answered with as HTML. */
const PAGE: Filter[] = [is("internal", "equals", 1), is("status", "equals", 200), is("content_type", "starts", "text/html")];

export function overview(crawl: CrawlCard): Overview {
  const { pages } = site();
  const cards = issueCards();
  const html = pages.filter((page) => page.internal === 1 && page.status === 200 && String(page["content_type"]).startsWith("text/html"));
  return {
    crawl, pages: html.length, indexable: html.filter((page) => page["indexable"] === 1).length,
    issues: cards.filter((card) => card.severity === "issue").reduce((sum, card) => sum + card.findings, 0),
    ignored: 0,
    warnings: cards.filter((card) => card.severity === "warning").reduce((sum, card) => sum + card.findings, 0),
    fix_first: cards.slice(0, 5).map((card) => ({ audit: card.audit, title: card.title, severity: card.severity, priority: card.priority, findings: card.findings, urls: card.urls, why: auditCard(card.audit).why })),
    distributions: distributions(pages, html), caution: null,
  };
}

/** The first directories, each with the medians of its pages. */
export function sections(): SectionCard[] {
  const groups = new Map<string, Page[]>();
  for (const page of site().pages.filter((one) => one.internal === 1 && one.status !== null)) {
    const [, first, ...rest] = new URL(page.url).pathname.split("/");
    const section = `${new URL(page.url).origin}/${rest.length > 0 ? `${first}/` : ""}`;
    groups.set(section, [...(groups.get(section) ?? []), page]);
  }
  const outcome = (pages: Page[], filter: Filter, label: string, tone: Tone, from: number): Bar =>
    ({ label, tone, count: pages.filter((one) => one.status !== null && one.status >= from && one.status < from + 100).length, filter: { all: [filter, between("status", from, from + 100)] } });
  return [...groups].map(([section, all]) => {
    const pages = all.filter((one) => one.status === 200 && String(one["content_type"]).startsWith("text/html"));
    const median = (column: string) => {
      const known = pages.map((one) => one[column]).filter((value) => value !== null && value !== undefined).map(Number).sort((a, b) => a - b);
      return known[Math.floor((known.length - 1) / 2)] ?? null;
    };
    const filter = is("url", "starts", section);
    return {
      section, filter, pages: pages.length, indexable: pages.filter((one) => one["indexable"] === 1).length, findings: all.filter((one) => (one.status ?? 0) >= 300).length,
      words: median("word_count"), bytes: median("bytes"), ttfb_ms: median("ttfb_ms"), links: median("outlinks"), depth: median("depth"),
      outcomes: [outcome(all, filter, "2xx", "good", 200), outcome(all, filter, "3xx", "redirect", 300), outcome(all, filter, "4xx", "bad", 400), outcome(all, filter, "5xx", "bad", 500)].filter((bar) => bar.count > 0),
    };
  }).filter((one) => one.pages >= 8).sort((a, b) => b.pages - a.pages);
}

function distributions(pages: Page[], html: Page[]): Distribution[] {
  const bar = (rows: Page[], label: string, tone: Tone, filter: Filter, test: (page: Page) => boolean): Bar => ({ label, tone, filter, count: rows.filter(test).length });
  const status = (label: string, tone: Tone, from: number) => bar(pages, label, tone, between("status", from, from + 100), (page) => page.status !== null && page.status >= from && page.status < from + 100);
  const time = (label: string, tone: Tone, from: number, to: number) => bar(html, label, tone, { all: [...PAGE, between("ttfb_ms", from, to)] }, (page) => Number(page["ttfb_ms"]) >= from && Number(page["ttfb_ms"]) < to);
  const size = (label: string, from: number, to: number) => bar(pages, label, "neutral", between("bytes", from, to), (page) => page["bytes"] !== null && Number(page["bytes"]) >= from && Number(page["bytes"]) < to);
  const reason = (label: string, tone: Tone) => bar(pages, label, tone, is("indexability", "equals", label), (page) => page["indexability"] === label);
  const all: Distribution[] = [
    { id: "status", title: "Status", table: "urls", bars: [status("2xx", "good", 200), status("3xx", "redirect", 300), status("4xx", "bad", 400), status("5xx", "bad", 500), bar(pages, "no response", "bad", is("state", "equals", "failed"), (page) => page.state === "failed")] },
    { id: "indexability", title: "Indexability", table: "urls", bars: [reason("indexable", "good"), reason("canonicalised", "warning"), reason("noindex", "warning"), reason("redirect", "redirect"), reason("blocked-by-robots", "warning"), reason("client-error", "bad"), reason("server-error", "bad"), reason("no-response", "bad")] },
    { id: "depth", title: "Depth", table: "urls", bars: [0, 1, 2, 3, 4].map((depth) => bar(html, String(depth), "neutral", { all: [...PAGE, is("depth", "equals", depth)] }, (page) => page["depth"] === depth)) },
    { id: "first_byte", title: "First byte of pages", table: "urls", bars: [time("under 200 ms", "good", 0, 200), time("200–500 ms", "good", 200, 500), time("500–800 ms", "neutral", 500, 800), time("800–1,800 ms", "warning", 800, 1800), time("over 1,800 ms", "bad", 1800, 1e9)] },
    { id: "size", title: "Size", table: "urls", bars: [size("under 10 kB", 0, 10_000), size("10–100 kB", 10_000, 100_000), size("100 kB–1 MB", 100_000, 1_000_000), size("over 1 MB", 1_000_000, 1e12)] },
    { id: "content_type", title: "Content type", table: "urls", bars: ["text/html", "image/jpeg", "image/svg+xml", "text/css", "text/javascript"].map((type) => bar(pages, type, "neutral", is("content_type", "starts", type), (page) => String(page["content_type"] ?? "").startsWith(type))) },
  ];
  return all.map((one) => ({ ...one, bars: one.bars.filter((each) => each.count > 0) }));
}
