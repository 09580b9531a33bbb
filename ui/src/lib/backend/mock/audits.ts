/** What the made-up audits find, told as the real ones tell it. */
import type { AuditCard, IssueCard, IssueGroup } from "../bindings";
import { site, type Link, type Page, type Row } from "./site";

type Audit = Omit<AuditCard, "references" | "thresholds"> & { family_title: string; thresholds?: AuditCard["thresholds"]; of: (page: Page) => boolean; by?: (link: Link) => boolean; before: number | null };

const page = (one: Page) => one.internal === 1 && one.status === 200 && String(one["content_type"]).startsWith("text/html");
const indexable = (one: Page) => one["indexable"] === 1;
const PAGES = "indexable pages with content";

const AUDITS: Audit[] = [
  { id: "links-to-broken", title: "Link to a broken URL", family: "links", family_title: "Links", severity: "issue", priority: "high", judged: "links to URLs of the site", before: 61, of: () => false, by: (link) => link.verdict === "broken" && link["target_internal"] === 1, why: "A visitor who follows the link reaches an error. Crawlers waste requests on it, and the page it once led to loses what the link passed on.", fix: "Link the page that took its place, or take the link out. Where a template holds the link, one change mends every page." },
  { id: "broken-page", title: "Broken URL", family: "responses", family_title: "Responses", severity: "issue", priority: "high", judged: "URLs of the site", before: 17, of: (one) => one.internal === 1 && one.status === 404, why: "The URL is linked but answers with a client error. Visitors and search engines end there.", fix: "Restore the page, redirect the URL to its successor, or remove the links." },
  { id: "server-error", title: "Server error", family: "responses", family_title: "Responses", severity: "issue", priority: "high", judged: "URLs of the site", before: 4, of: (one) => one.internal === 1 && (one.status ?? 0) >= 500, why: "The server failed to answer. Search engines slow down and drop pages that fail again and again.", fix: "Look in the server’s log at the time of the request, and mend what failed." },
  { id: "no-response", title: "No response", family: "responses", family_title: "Responses", severity: "issue", priority: "high", judged: "URLs of the site", before: 2, of: (one) => one.internal === 1 && one.state === "failed", why: "No usable answer came, after further attempts.", fix: "Check that the server answers from elsewhere, and that no firewall stops the requests." },
  { id: "blocked-by-robots", title: "Page blocked by robots.txt", family: "responses", family_title: "Responses", severity: "warning", priority: "high", judged: "URLs of the site", before: 12, of: (one) => one.state === "blocked", why: "Search engines may not read the page, yet can show its address without a description.", fix: "Allow the page in robots.txt if it should be found; otherwise leave it." },
  { id: "slow-first-byte", title: "Slow first byte", family: "responses", family_title: "Responses", severity: "warning", priority: "medium", judged: "internal HTML pages", before: 15, thresholds: [{ setting: "audit.first_byte_slow", label: "Slow first byte", help: "Pages whose first byte takes longer are reported.", default: "800ms" }], of: (one) => page(one) && Number(one["ttfb_ms"]) > 800, why: "Visitors wait before anything appears, and crawlers ask for fewer pages a day.", fix: "Cache the page, or find the query that takes the time." },
  { id: "internal-link-redirects", title: "Internal link to a redirect", family: "redirects", family_title: "Redirects", severity: "warning", priority: "low", judged: "links to URLs of the site", before: 74, of: () => false, by: (link) => link.verdict === "redirect" && link["target_internal"] === 1, why: "Each visit costs a further request before the page begins to load.", fix: "Link the final URL." },
  { id: "redirect-temporary", title: "Temporary redirect", family: "redirects", family_title: "Redirects", severity: "opportunity", priority: "low", judged: "redirects of the site", before: 4, of: (one) => one.status === 302, why: "A temporary redirect says that the old URL will be back: search engines keep showing it.", fix: "Answer with 301 or 308 where the move is for good." },
  { id: "noindex", title: "noindex", family: "robots", family_title: "Robots", severity: "warning", priority: "high", judged: "internal HTML pages", before: 8, of: (one) => String(one["robots"] ?? "").includes("noindex"), why: "Search engines leave the page out. That is right for some pages and a disaster for others.", fix: "Check that each page of the list should be out." },
  { id: "canonicalised", title: "Canonical names another URL", family: "canonicals", family_title: "Canonicals", severity: "warning", priority: "high", judged: "internal HTML pages", before: 24, of: (one) => one["indexability"] === "canonicalised", why: "The page says that another one should be shown in its place.", fix: "Let products name themselves unless they are copies." },
  { id: "title-too-wide", title: "Title too wide", family: "text", family_title: "Titles and texts", severity: "opportunity", priority: "medium", judged: PAGES, before: 16, thresholds: [{ setting: "audit.title_px_max", label: "Widest title", help: "Titles that take more pixels are reported.", default: "561" }], of: (one) => indexable(one) && Number(one["title_px"]) > 561, why: "Search results cut the title, and its end is not read.", fix: "Put what matters first, and shorten the rest." },
  { id: "title-duplicate", title: "Duplicate title", family: "text", family_title: "Titles and texts", severity: "opportunity", priority: "medium", judged: PAGES, before: null, of: (one) => indexable(one) && one.key % 14 === 3, why: "Pages with the same title cannot be told apart in a result list.", fix: "Say in each title what is particular to the page." },
  { id: "description-missing", title: "Description missing", family: "text", family_title: "Titles and texts", severity: "opportunity", priority: "low", judged: PAGES, before: 41, of: (one) => indexable(one) && one["description"] === null, why: "Search engines put together a text of their own, which may say less.", fix: "Write one or two sentences that make a reader choose the page." },
  { id: "h1-missing", title: "H1 missing", family: "text", family_title: "Titles and texts", severity: "warning", priority: "medium", judged: PAGES, before: 9, of: (one) => indexable(one) && one["h1"] === null, why: "The main heading tells readers and machines what the page is about.", fix: "Give the page one h1." },
  { id: "image-heavy", title: "Heavy image", family: "images", family_title: "Images", severity: "opportunity", priority: "medium", judged: "images", before: 10, of: (one) => one["content_type"] === "image/jpeg" && Number(one["bytes"]) > 100_000, why: "Heavy images are what most pages wait for.", fix: "Save them in the size they are shown, as WebP or AVIF." },
  { id: "alt-missing", title: "Image without alt text", family: "images", family_title: "Images", severity: "issue", priority: "low", judged: "images on pages", before: 58, of: () => false, by: (link) => link.kind === "image" && link["anchor"] === "", why: "People who do not see the image learn nothing of it.", fix: "Describe the image, or give it an empty alt where it is decoration." },
  { id: "external-unverifiable", title: "External URL that could not be verified", family: "responses", family_title: "Responses", severity: "note", priority: "low", judged: "external URLs", before: 5, of: (one) => one.internal === 0 && one.status === 403, why: "The site refuses automatic requests. The link may well work for people.", fix: "Open a few by hand." },
];

const known = new Map<string, Set<number>>();
/** Keys of the affected pages. */
export function holds(id: string): Set<number> {
  let keys = known.get(id);
  const audit = AUDITS.find((one) => one.id === id);
  if (!keys) {
    const { pages, links } = site();
    keys = new Set(audit?.by ? links.filter(audit.by).map((link) => link.source_key) : pages.filter(audit?.of ?? (() => false)).map((one) => one.key));
    known.set(id, keys);
  }
  return keys;
}

const findings = (audit: Audit) => (audit.by ? site().links.filter(audit.by).length : holds(audit.id).size);

const ORDER = ["issue", "warning", "opportunity", "note"];
const RANKS = ["high", "medium", "low"];

export function issueCards(): IssueCard[] {
  const { pages, links } = site();
  return AUDITS.map((audit) => ({
    audit: audit.id, title: audit.title, family: audit.family, family_title: audit.family_title, severity: audit.severity, priority: audit.priority,
    findings: findings(audit), urls: holds(audit.id).size, judged: audit.judged, before: audit.before, ignored: 0, changed: false,
    checked: audit.by ? links.length : audit.judged === PAGES ? pages.filter(indexable).length : pages.filter((one) => one.internal === 1).length,
  })).filter((card) => card.findings > 0).sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity) || RANKS.indexOf(a.priority) - RANKS.indexOf(b.priority) || b.findings - a.findings);
}

export function auditCard(id: string): AuditCard {
  const audit = AUDITS.find((one) => one.id === id);
  if (!audit) throw { code: "usage", message: `There is no audit “${id}”.`, detail: [] };
  const { title, family, severity, priority, judged, why, fix, thresholds = [] } = audit;
  return { id, title, family, severity, priority, judged, why, fix, thresholds, references: ["https://developers.google.com/search/docs/crawling-indexing/links-crawlable"] };
}

export function issueGroups(id: string): IssueGroup[] {
  const audit = AUDITS.find((one) => one.id === id);
  const { pages, links } = site();
  const groups = new Map<string, { keys: Set<number>; findings: number; example: string; column: string; start: string }>();
  const put = (label: string, key: number, example: string, column: string, start: string) => {
    const group = groups.get(label) ?? { keys: new Set<number>(), findings: 0, example, column, start };
    group.keys.add(key);
    group.findings += 1;
    groups.set(label, group);
  };
  if (audit?.by) for (const link of links.filter(audit.by)) put(String(link["element"]), link.source_key, link.source, "url", link.source.split("/").slice(0, 4).join("/"));
  else for (const one of pages.filter((page) => holds(id).has(page.key))) {
    const folder = one.url.split("/").slice(0, 5).join("/");
    put(`${new URL(folder).pathname}…`, one.key, one.url, "url", folder);
  }
  return [...groups].map(([label, group]) => ({
    label, findings: group.findings, urls: group.keys.size, example: group.example,
    filter: { all: [{ finding: id }, { is: { column: group.column, operator: "starts" as const, value: group.start } }] },
    ignore: group.column === "url" ? { pattern: `${group.start}/**` } : null,
  })).sort((a, b) => b.findings - a.findings).slice(0, 12);
}

export function issueText(id: string): string {
  const card = auditCard(id);
  const urls = site().pages.filter((one) => holds(id).has(one.key)).slice(0, 20).map((one) => `- ${one.url}`);
  return `# ${card.title}\n\n${card.why}\n\n## How to fix it\n\n${card.fix}\n\n## Affected URLs\n\n${urls.join("\n")}\n`;
}

/** A row a finding: a link that an audit is about, or a page. */
export function findingRows(shown: number): Row[] {
  const { pages, links } = site();
  const rows: Row[] = [];
  const put = ({ id, severity, priority, family }: Audit, key: number, evidence: string) => {
    const page = pages[key - 1];
    if (page && key <= shown) rows.push({ key, link: rows.length + 1, url: page.url, status: page.status, title: page["title"] ?? null, audit: id, severity, priority, family, evidence });
  };
  for (const audit of AUDITS) {
    if (audit.by) for (const link of links.filter(audit.by)) put(audit, link.source_key, `element: ${link["element"]} · line: ${link["line"]} · target: ${link.target} · anchor: ${link["anchor"]}`);
    else for (const key of holds(audit.id)) put(audit, key, `status: ${pages[key - 1]?.status ?? "none"} · inlinks: ${pages[key - 1]?.["inlinks"] ?? 0}`);
  }
  return rows;
}

/** The audits that hold for one page. */
export const auditsOf = (key: number): Audit[] => AUDITS.filter((audit) => holds(audit.id).has(key));
export const linksOf = (audit: Audit, key: number): Link[] => (audit.by ? site().links.filter((link) => link.source_key === key && audit.by?.(link)) : []);
