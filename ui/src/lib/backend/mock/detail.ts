/** Everything about one URL of the tea shop. */
import type { CurlCommand, FindingPlace, Hop, StructuredDetail, StructuredLine, UrlDetail, Value } from "../bindings";
import { auditsOf, linksOf } from "./audits";
import { site, type Page } from "./site";

const text = (value: Value | undefined) => (value === null || value === undefined ? "" : String(value));

export function urlDetail(key: number): UrlDetail {
  const { pages, links, byUrl } = site();
  const page = pages[(key - 1) % pages.length];
  if (!page) throw { code: "usage", message: "The URL is not in this crawl.", detail: [] };
  const html = page.status === 200 && page.internal === 1 && text(page["content_type"]).startsWith("text/html");
  const own = links.filter((link) => link.source_key === page.key);
  const facts: [string, Value | undefined][] = [
    ["Content type", page["content_type"]], ["Size", page["bytes"]], ["Depth", page["depth"]], ["Found by", page["first_seen"]], ["Found on", page["first_source"]],
    ["Title", page["title"]], ["Description", page["description"]], ["H1", page["h1"]], ["Canonical", page["canonical"]], ["Robots", page["robots"]],
    ["Language", page["lang"]], ["Words", page["word_count"]], ["Link score", page["link_score"]], ["Requested", page["requested"]],
  ];
  const ttfb = Number(page["ttfb_ms"] ?? 0);
  return {
    key: page.key, url: page.url, internal: page.internal === 1, state: page.state, reason: text(page["reason"]) || null, status: page.status,
    indexable: page["indexable"] === 1, indexability: text(page["indexability"]) || null,
    summary: facts.filter(([, value]) => text(value) !== "").map(([name, value]) => ({ name, value: text(value) })),
    timings: page.status === null ? [] : [
      { name: "DNS", value: "4" }, { name: "Connect", value: "21" }, { name: "First byte", value: String(ttfb) }, { name: "Total", value: text(page["total_ms"]) },
    ],
    headers: page.status === null ? [] : [
      ["content-type", text(page["content_type"])], ["cache-control", html ? "no-cache" : "public, max-age=31536000"], ["server", "nginx"],
      ["date", new Date(text(page["requested"])).toUTCString()], ["strict-transport-security", "max-age=63072000"], ["vary", "accept-encoding"],
      ...(page["redirect_target"] ? ([["location", text(page["redirect_target"])]] as [string, string][]) : []),
    ],
    redirects: hops(page, byUrl),
    headings: html ? [{ level: 1, text: text(page["h1"]) }, { level: 2, text: "Tasting notes" }, { level: 3, text: "In the cup" }, { level: 2, text: "How to brew it" }, { level: 2, text: "Goes well with" }].filter((one) => one.text !== "") : [],
    preview: html ? { title: text(page["title"]) || null, title_px: Number(page["title_px"] ?? 0), title_max_px: 561, description: text(page["description"]) || null, description_px: Number(page["description_px"] ?? 0), description_max_px: 985 } : null,
    issues: auditsOf(page.key).map((audit) => {
      const link = linksOf(audit, page.key)[0];
      return {
        audit: audit.id, title: audit.title, severity: audit.severity, priority: audit.priority, link: Number(link?.link ?? 0), in_source: link !== undefined, ignored: false,
        evidence: link
          ? [{ name: "target", value: link.target }, { name: "anchor", value: text(link["anchor"]) }, { name: "element", value: text(link["element"]) }, { name: "line", value: text(link["line"]) }]
          : [{ name: "status", value: text(page.status) }, { name: "title", value: text(page["title"]) }].filter((fact) => fact.value !== ""),
      };
    }),
    structured: html ? structured(page) : { entities: [], faults: [], social: [] },
    inlinks: links.filter((link) => link.target_key === page.key).length,
    outlinks: own.filter((link) => link.kind === "anchor").length, resources: own.filter((link) => link.kind !== "anchor").length,
    history: [
      { crawl: 3, started: "2026-03-11T08:30:00Z", state: page.state, status: page.status, title: text(page["title"]) || null, content_hash: text(page["content_hash"]) || null },
      { crawl: 2, started: "2026-02-11T08:30:00Z", state: page.state, status: page.status, title: text(page["title"]) || null, content_hash: "00000000a41f99c2" },
      { crawl: 1, started: "2026-01-12T09:05:00Z", state: "fetched", status: 200, title: text(page["title"]) || null, content_hash: "00000000a41f99c2" },
    ],
    html,
  };
}

function structured(page: Page): StructuredDetail {
  const line = (level: number, name: string, value: string, more: Partial<StructuredLine> = {}): StructuredLine =>
    ({ level, name, value, is_url: false, is_entity: false, audit: null, remark: null, line: null, ...more });
  const title = text(page["title"]);
  return {
    entities: [
      {
        syntax: "json-ld", types: "Product", id: `${page.url}#product`, line: 6, unread: false, problems: 2,
        lines: [
          line(0, "name", title),
          line(0, "colour", "green", { audit: "structured-unknown-term", line: 9 }),
          line(0, "offers", "Offer", { is_entity: true, line: 10 }),
          line(1, "price", "12.50"), line(1, "priceCurrency", "EUR"), line(1, "url", page.url, { is_url: true }),
          line(0, "image", "", { audit: "structured-required-missing", line: 6 }),
        ],
      },
      { syntax: "microdata", types: "BreadcrumbList", id: null, line: 14, unread: false, problems: 0, lines: [line(0, "itemListElement", "ListItem", { is_entity: true, line: 15 }), line(1, "name", "Teas"), line(1, "position", "1")] },
    ],
    faults: [],
    social: [{ name: "og:title", value: title }, { name: "og:url", value: page.url }, { name: "twitter:card", value: "summary" }],
  };
}

function hops(page: Page, byUrl: Map<string, Page>): Hop[] {
  const trail: Hop[] = [];
  for (let at: Page | undefined = page; at && trail.length < 10; ) {
    trail.push({ url: at.url, status: at.status, reason: text(at["reason"]) || null, key: at.key });
    at = at["redirect_target"] ? byUrl.get(String(at["redirect_target"])) : undefined;
  }
  return trail.length > 1 ? trail : [];
}

export function urlHtml(key: number): string | null {
  const detail = urlDetail(key);
  if (!detail.html) return null;
  const own = site().links.filter((link) => link.source_key === detail.key && link.kind === "anchor");
  const fact = (name: string) => detail.summary.find((one) => one.name === name)?.value ?? "";
  return [
    "<!doctype html>", '<html lang="en">', "<head>", '  <meta charset="utf-8">', `  <title>${fact("Title")}</title>`,
    ...(fact("Description") ? [`  <meta name="description" content="${fact("Description")}">`] : []),
    `  <link rel="canonical" href="${fact("Canonical")}">`, '  <link rel="stylesheet" href="/assets/site.css">', '  <script src="/assets/shop.js" defer></script>', "</head>", "<body>", '  <header><a href="/"><img src="/assets/logo.svg" alt="Linden &amp; Leaf"></a></header>', "  <nav>", "    <ul>",
    ...own.filter((link) => link["position"] === "navigation").map((link) => `      <li><a href="${link["raw_href"]}">${link["anchor"]}</a></li>`),
    "    </ul>", "  </nav>", "  <main>", ...detail.headings.flatMap((heading) => [`    <h${heading.level}>${heading.text}</h${heading.level}>`, "    <p>Whole leaves from family gardens, with a lasting and mellow finish.</p>"]),
    ...own.filter((link) => link["position"] === "content").slice(0, 60).map((link) => `    <p><a href="${link["raw_href"]}">${link["anchor"]}</a></p>`),
    "  </main>", "  <footer>", ...own.filter((link) => link["position"] === "footer").map((link) => `    <a href="${link["raw_href"]}">${link["anchor"]}</a>`), "  </footer>", "</body>", "</html>",
  ].join("\n");
}

/** The link's own tag, or the title. */
export function findingPlace(key: number, _audit: string, link: number): FindingPlace | null {
  const html = urlHtml(key);
  if (html === null) return null;
  const found = site().links.find((one) => one.source_key === key && one.link === link);
  const start = found ? html.indexOf(`<a href="${found["raw_href"]}"`) : html.indexOf("<title>");
  if (start === -1) return null;
  const end = html.indexOf(">", start) + 1;
  const before = html.slice(0, start).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, start, end, tag: html.slice(start, end) };
}

export function curlCommand(key: number): CurlCommand | null {
  const { url, status } = urlDetail(key);
  if (status === null) return null;
  const command = `curl --globoff --http2 --user-agent 'Gossamer' -- '${url}'`;
  return { posix: command, windows: command.replaceAll("'", '"') };
}
