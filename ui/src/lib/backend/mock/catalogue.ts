/** The tables and columns the made-up engine offers, named as the real ones. */
import type { ColumnCard, ColumnKind, TableCard } from "../bindings";

type Brief = [id: string, label: string, kind: ColumnKind, width: number, help: string, more?: Partial<ColumnCard>];

const column = ([id, label, kind, width, help, more]: Brief): ColumnCard => ({ id, label, kind, width, shown: true, quick: false, help, choices: [], ...more });
const hidden = { shown: false };
const quick = { quick: true };

const STATES = ["queued", "fetched", "failed", "blocked", "excluded", "over_limit", "not_followed"];
const INDEXABILITY = ["indexable", "blocked-by-robots", "noindex", "canonicalised", "redirect", "client-error", "server-error", "no-response", "not-html", "meta-refresh"];
const VERDICTS = ["ok", "redirect", "broken", "unverified", "blocked", "not_checked", "invalid"];
const LINK_KINDS = ["anchor", "image", "script", "style", "canonical", "iframe"];

const urls: Brief[] = [
  ["url", "URL", "url", 360, "The address, normalised.", quick],
  ["status", "Status", "status", 88, "HTTP status of the last answer.", quick],
  ["state", "State", "state", 104, "Where the URL stands in the crawl.", { choices: STATES }],
  ["reason", "Reason", "text", 160, "Why the URL is in this state.", hidden],
  ["indexability", "Indexability", "text", 132, "Whether search engines may show the page, and if not, why.", { choices: INDEXABILITY }],
  ["indexable", "Indexable", "flag", 84, "Whether search engines may show the page.", hidden],
  ["title", "Title", "text", 280, "The text of the first title element.", quick],
  ["title_px", "Title width", "int", 92, "Pixels the title takes on a desktop result page.", hidden],
  ["description", "Description", "text", 300, "The first meta description.", hidden],
  ["h1", "H1", "text", 200, "The first level one heading.", hidden],
  ["depth", "Depth", "int", 68, "Clicks from the start URL.", quick],
  ["inlinks", "Inlinks", "int", 80, "Links of this crawl that point at the URL.", quick],
  ["outlinks", "Outlinks", "int", 84, "Links on the page.", hidden],
  ["link_score", "Link score", "real", 92, "Importance by internal links, 0 to 100.", hidden],
  ["bytes", "Size", "bytes", 92, "Decoded size of the body.", quick],
  ["transferred", "Transferred", "bytes", 100, "Bytes as sent.", hidden],
  ["ttfb_ms", "First byte", "ms", 92, "Time until the first byte.", quick],
  ["total_ms", "Total time", "ms", 92, "Time until the last byte.", hidden],
  ["content_type", "Content type", "text", 168, "As the server says it."],
  ["internal", "Internal", "flag", 80, "Whether the URL belongs to the site.", hidden],
  ["in_sitemap", "In a sitemap", "flag", 96, "Whether a sitemap that the crawl read lists the URL.", hidden],
  ["host", "Host", "text", 160, "Host and port.", hidden],
  ["redirect_target", "Redirects to", "url", 280, "Where the answer points.", hidden],
  ["canonical", "Canonical", "url", 280, "The canonical URL of the page.", hidden],
  ["robots", "Robots", "text", 120, "Robots directives of the page.", hidden],
  ["lang", "Language", "text", 80, "The lang attribute of the html element.", hidden],
  ["word_count", "Words", "int", 76, "Words of the visible text.", hidden],
  ["first_seen", "Found by", "text", 96, "What named the URL first.", hidden],
  ["first_source", "Found on", "url", 260, "The page that named the URL first.", hidden],
  ["requested", "Requested", "time", 150, "When the URL was asked for.", hidden],
  ["error", "Error", "text", 200, "What went wrong with the request.", hidden],
];
const links: Brief[] = [
  ["source", "Page", "url", 280, "The page with the link.", quick],
  ["target", "Target", "url", 280, "Where the link points.", quick],
  ["anchor", "Anchor", "text", 160, "Text of the link, or the alt text of its image."],
  ["verdict", "Verdict", "verdict", 108, "What the answer means for the link.", { choices: VERDICTS }],
  ["target_status", "Status", "status", 88, "HTTP status of the target."],
  ["target_reason", "Reason", "text", 180, "Why the target has no usable answer."],
  ["kind", "Kind", "text", 84, "Which element names the target.", { choices: LINK_KINDS }],
  ["position", "Position", "text", 92, "Part of the page.", { choices: ["head", "header", "navigation", "content", "aside", "footer"] }],
  ["element", "Element", "text", 200, "Path of the element."],
  ["line", "Line", "int", 60, "Line of the source."],
  ["rel", "Rel", "text", 100, "The rel attribute.", hidden],
  ["followed", "Followed", "flag", 80, "Whether the crawl follows the link.", hidden],
  ["raw_href", "As written", "text", 200, "The attribute as it is written.", hidden],
  ["target_state", "Target state", "state", 108, "Where the target stands in the crawl.", { shown: false, choices: STATES }],
  ["target_internal", "Internal", "flag", 80, "Whether the target belongs to the site.", hidden],
];
const targets: Brief[] = [
  ["target", "Target", "url", 380, "Where links point.", quick],
  ["verdict", "Verdict", "verdict", 112, "What the answer means for its links.", { choices: VERDICTS }],
  ["target_status", "Status", "status", 88, "HTTP status of the target."],
  ["target_reason", "Reason", "text", 220, "Why the target has no usable answer."],
  ["occurrences", "Occurrences", "int", 104, "Places that link there.", quick],
  ["pages", "Pages", "int", 80, "Pages that link there.", quick],
  ["target_internal", "Internal", "flag", 84, "Whether the target belongs to the site."],
];
const findings: Brief[] = [
  ["url", "URL", "url", 340, "The URL with the defect; for a link, the page on which it stands.", quick],
  ["evidence", "Evidence", "text", 480, "What was found, and where."],
  ["status", "Status", "status", 88, "HTTP status of the last answer."],
  ["title", "Title", "text", 280, "The text of the first title element."],
  ["severity", "Severity", "severity", 100, "How bad it is.", { choices: ["issue", "warning", "opportunity", "note"] }],
  ["audit", "Audit", "text", 190, "The audit that found it.", quick],
  ["family", "Family", "text", 100, "What the audit is about.", hidden],
  ["priority", "Priority", "text", 88, "What to mend first among findings of one severity.", { shown: false, choices: ["high", "medium", "low"] }],
];

const entries: Brief[] = [
  ["url", "URL", "url", 420, "The URL of the entry; as written where it is none.", quick],
  ["status", "Status", "status", 88, "The HTTP status of the URL."],
  ["in_crawl", "In the crawl", "flag", 100, "The crawl met the URL."],
  ["indexable", "Indexable", "flag", 84, "Whether search engines may show the page."],
  ["internal", "Internal", "flag", 84, "Whether the URL belongs to the site."],
  ["in_index", "In an index", "flag", 92, "The entry names a sitemap.", hidden],
  ["sitemap", "Sitemap", "url", 320, "The sitemap that has the entry."],
];

export const CATALOGUE: TableCard[] = [
  { id: "urls", title: "URLs", columns: urls.map(column), sort: null },
  { id: "links", title: "Links", columns: links.map(column), sort: null },
  { id: "targets", title: "Link targets", columns: targets.map(column), sort: { column: "occurrences", descending: true } },
  { id: "findings", title: "Findings", columns: findings.map(column), sort: null },
  { id: "sitemap_entries", title: "Sitemap entries", columns: entries.map(column), sort: null },
];
