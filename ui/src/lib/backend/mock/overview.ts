/** The overview of the tea shop. */
import type { Bar, CrawlCard, Distribution, Filter, Operator, Overview, Tone, Value } from "../bindings";
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
    warnings: cards.filter((card) => card.severity === "warning").reduce((sum, card) => sum + card.findings, 0),
    fix_first: cards.slice(0, 5).map((card) => ({ audit: card.audit, title: card.title, severity: card.severity, priority: card.priority, findings: card.findings, urls: card.urls, why: auditCard(card.audit).why })),
    distributions: distributions(pages, html), caution: null,
  };
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
