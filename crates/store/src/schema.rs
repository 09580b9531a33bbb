//! The tables of a project file. The documented views over them are in `views`.
//!
//! Three decisions shape the file; `docs/project-file.md` tells them to people who query it:
//! a crawl is one key range (`crawl << 32 | url`), so that deleting and comparing crawls are range operations;
//! link lists, documents and HTML are addressed by content, so that an unchanged page costs a later crawl nothing;
//! whatever is derived lives in tables of its own, which can be dropped and rebuilt.

/// `application_id` of a project file: "Goss" in ASCII.
pub const APPLICATION_ID: i32 = 0x476F_7373;

/// `user_version` of the schema below.
pub const VERSION: i32 = 4;

/// Bits of a link's id that number it within its list.
pub const ORDINAL_BITS: u32 = 20;

/// Links kept of one page at most; `parse` counts the rest as dropped.
pub const MAX_LINKS: usize = (1 << ORDINAL_BITS) - 1;

/// Bits of an entity's id that number it within its document.
pub const ENTITY_BITS: u32 = 10;

/// Bits of a visit's key that hold the URL.
pub const URL_BITS: u32 = 32;

pub(crate) const TABLES: &str = "
CREATE TABLE meta(key TEXT PRIMARY KEY, value ANY) WITHOUT ROWID;

-- An origin (scheme, host, port). Name is what people read: the host, with the port when it is not the scheme's own.
CREATE TABLE host(id INTEGER PRIMARY KEY, origin TEXT NOT NULL, name TEXT NOT NULL);

-- Every URL that any crawl of the project met. Hash is the seeded hash of its identity; it is kept so that
-- the in-memory interner can be rebuilt on opening without reading the texts.
CREATE TABLE url(id INTEGER PRIMARY KEY, host INTEGER NOT NULL, hash INTEGER NOT NULL, text TEXT NOT NULL);

-- AUTOINCREMENT: the number of a deleted crawl never comes back for another one.
CREATE TABLE crawl(
  id INTEGER PRIMARY KEY AUTOINCREMENT, job TEXT NOT NULL, start_url TEXT NOT NULL, started INTEGER NOT NULL, finished INTEGER,
  state TEXT NOT NULL, reason TEXT, profile TEXT NOT NULL, program TEXT NOT NULL,
  audited_bot TEXT NOT NULL, respect_nofollow INTEGER NOT NULL,
  encountered INTEGER NOT NULL DEFAULT 0, fetched INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0,
  blocked INTEGER NOT NULL DEFAULT 0, excluded INTEGER NOT NULL DEFAULT 0, over_limit INTEGER NOT NULL DEFAULT 0,
  not_followed INTEGER NOT NULL DEFAULT 0, queued INTEGER NOT NULL DEFAULT 0);
CREATE TABLE seed(crawl INTEGER NOT NULL, url TEXT NOT NULL, PRIMARY KEY(crawl, url)) WITHOUT ROWID;

-- What a crawl did with each kind of link: 3 crawl, 2 check, 1 store, 0 off.
CREATE TABLE link_rule(crawl INTEGER NOT NULL, kind INTEGER NOT NULL, internal INTEGER NOT NULL, treatment INTEGER NOT NULL,
  PRIMARY KEY(crawl, kind, internal)) WITHOUT ROWID;

-- The frontier and the state of every URL of a crawl. Narrow, so that it can be updated in place.
CREATE TABLE visit(
  key INTEGER PRIMARY KEY, host INTEGER NOT NULL, state INTEGER NOT NULL, purpose INTEGER NOT NULL, internal INTEGER NOT NULL,
  depth INTEGER, hops INTEGER NOT NULL, found INTEGER NOT NULL, source INTEGER, reason INTEGER);
-- Serves the scheduler: the next queued URLs of one host.
CREATE INDEX visit_frontier ON visit(host, key) WHERE state = 0;

-- What the server said. Written once, when the URL is done. List is its link list, redirects included.
CREATE TABLE answer(
  key INTEGER PRIMARY KEY, method INTEGER NOT NULL, status INTEGER, version INTEGER, content_type INTEGER,
  bytes INTEGER, transferred INTEGER, started INTEGER NOT NULL, ttfb_ms INTEGER, total_ms INTEGER, dns_ms INTEGER, connect_ms INTEGER,
  remote INTEGER, redirect INTEGER, list INTEGER, flags INTEGER NOT NULL, head_status INTEGER, headers TEXT, error TEXT,
  content_hash INTEGER);

-- ETag and Last-Modified of an answer, where they are no text and the line of headers could not say them byte for byte.
CREATE TABLE validator(key INTEGER PRIMARY KEY, etag BLOB, last_modified BLOB);

-- Every request of a URL that needed more than one, and the one that was answered with 304. Purpose: 0 the URL itself, 1 the confirmation of what failed,
-- 2 a probe.
CREATE TABLE attempt(key INTEGER NOT NULL, n INTEGER NOT NULL, method INTEGER NOT NULL, started INTEGER NOT NULL,
  total_ms INTEGER NOT NULL, status INTEGER, failure INTEGER, purpose INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(key, n)) WITHOUT ROWID;

-- The URLs that were asked once more at the end of a crawl, because they had failed; with done = 0, those that still are to be.
CREATE TABLE confirmation(key INTEGER PRIMARY KEY, done INTEGER NOT NULL);

-- Requests that find out how the site answers what is not there. None of their URLs is a visit because of them. Document:
-- what the answer's HTML says.
CREATE TABLE probe(crawl INTEGER NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL, state TEXT NOT NULL, method INTEGER, started INTEGER,
  total_ms INTEGER, status INTEGER, failure INTEGER, content_type TEXT, bytes INTEGER, redirect TEXT, detail TEXT, document INTEGER,
  PRIMARY KEY(crawl, kind, subject)) WITHOUT ROWID;

-- What a page answered a second user agent.
CREATE TABLE agent_check(key INTEGER PRIMARY KEY, status INTEGER, failure INTEGER, redirect TEXT, indexability INTEGER, started INTEGER NOT NULL,
  total_ms INTEGER NOT NULL);

-- Patterns of addresses without end. Kept: URLs kept back because of it. Allowed: a person let it go on. Examples: a JSON list.
CREATE TABLE trap(crawl INTEGER NOT NULL, pattern TEXT NOT NULL, kind TEXT NOT NULL, why TEXT NOT NULL, examples TEXT NOT NULL,
  kept INTEGER NOT NULL, allowed INTEGER NOT NULL, PRIMARY KEY(crawl, pattern)) WITHOUT ROWID;

-- A page of a crawl: which document it was.
CREATE TABLE page(key INTEGER PRIMARY KEY, document INTEGER NOT NULL, indexability INTEGER NOT NULL);

-- The facts of one HTML document at one URL, shared by the crawls in which it did not change.
CREATE TABLE document(
  id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, html INTEGER,
  title TEXT, title_px INTEGER NOT NULL, title_count INTEGER NOT NULL,
  description TEXT, description_px INTEGER NOT NULL, description_count INTEGER NOT NULL,
  h1 TEXT, h1_count INTEGER NOT NULL, h2 TEXT, h2_count INTEGER NOT NULL,
  canonical TEXT, canonical_url INTEGER, canonical_count INTEGER NOT NULL, canonical_distinct INTEGER NOT NULL,
  robots TEXT, noindex INTEGER NOT NULL, nofollow INTEGER NOT NULL,
  refresh_delay INTEGER, refresh_url TEXT,
  lang TEXT, charset TEXT NOT NULL, charset_source TEXT NOT NULL, viewport TEXT, base TEXT,
  word_count INTEGER NOT NULL, text_bytes INTEGER NOT NULL, text_hash INTEGER NOT NULL, content_hash INTEGER NOT NULL,
  dom_nodes INTEGER NOT NULL, dom_depth INTEGER NOT NULL, head_closed_by TEXT, flags INTEGER NOT NULL,
  headings TEXT, details TEXT);
CREATE UNIQUE INDEX document_hash ON document(hash);

-- What is wrong with the markup of a document, element by element. Kind: model::FlawKind. A finding about the flaw n has the
-- ref -(n + 1).
CREATE TABLE flaw(document INTEGER NOT NULL, n INTEGER NOT NULL, kind INTEGER NOT NULL, line INTEGER NOT NULL, element INTEGER,
  detail TEXT NOT NULL, PRIMARY KEY(document, n)) WITHOUT ROWID;

-- What is kept of the main text of a document, as model::main_text says: its shingles where it is long enough to be compared, and
-- Flesch's reading ease of its prose where its language has a formula. Words and sentences: of the prose.
CREATE TABLE main_text(document INTEGER PRIMARY KEY, hash INTEGER NOT NULL, shingles INTEGER NOT NULL, signature BLOB, language TEXT, ease INTEGER,
  words INTEGER, sentences INTEGER);
-- Where fragments of a document may lead: its ids and the names of its anchors, the low 32 bits of the fingerprint of each, in order.
CREATE TABLE fragment(document INTEGER PRIMARY KEY, hashes BLOB NOT NULL);

-- The structured data of a document: entities that are no other's value, by document << 10 | their number. Syntax: model::structured::Syntax.
-- Types: separated by spaces. Problems: those in the entity, counted. Data: the entity as docs/project-file.md tells of v_structured.
CREATE TABLE entity(id INTEGER PRIMARY KEY, syntax INTEGER NOT NULL, types TEXT NOT NULL, line INTEGER NOT NULL, element INTEGER,
  problems INTEGER NOT NULL, data TEXT NOT NULL);

-- HTML as received and decoded to bytes, zstd; dictionary 0 means none.
CREATE TABLE html(id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, dictionary INTEGER NOT NULL, size INTEGER NOT NULL, data BLOB NOT NULL);
CREATE UNIQUE INDEX html_hash ON html(hash);
CREATE TABLE html_dictionary(id INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- Link lists, addressed by content. A link's id is its list << 20 | its ordinal. Href is read as the module `href` says.
CREATE TABLE link_list(id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, links INTEGER NOT NULL);
CREATE UNIQUE INDEX link_list_hash ON link_list(hash);
CREATE TABLE link(id INTEGER PRIMARY KEY, target INTEGER, shape INTEGER NOT NULL, href INTEGER, anchor INTEGER, line INTEGER NOT NULL);
CREATE TABLE link_shape(id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, position INTEGER NOT NULL, nofollow INTEGER NOT NULL, noscript INTEGER NOT NULL,
  rel TEXT NOT NULL, window TEXT NOT NULL, element TEXT NOT NULL);
CREATE TABLE image_size(link INTEGER PRIMARY KEY, width INTEGER NOT NULL, height INTEGER NOT NULL);

-- Texts that repeat: anchors, raw hrefs, reasons, media types. A text may stand here more than once: the cache
-- that finds it again is bounded.
CREATE TABLE string(id INTEGER PRIMARY KEY, value TEXT NOT NULL);

-- Body: as fetched, at most 512,000 bytes. Chain: the redirects on the way to it, a line each, its status before its address.
-- Error: why the file could not be read; of one that was read (state ok), what is wrong with its lines.
CREATE TABLE robots(crawl INTEGER NOT NULL, host INTEGER NOT NULL, state TEXT NOT NULL, status INTEGER, final_url TEXT, hops INTEGER NOT NULL,
  crawl_delay REAL, fetched INTEGER NOT NULL, error TEXT, flags INTEGER NOT NULL, body BLOB, chain TEXT, PRIMARY KEY(crawl, host)) WITHOUT ROWID;

-- What went to and came from an origin: every request, those for robots.txt and sitemaps included. Total_ms: the time of all of
-- them together. Paused_ms: how long it was left alone because it asked for it. Remote and version: of the last answer.
-- Certificate_names: separated by spaces. Certificate_fault: why it was refused.
CREATE TABLE host_traffic(crawl INTEGER NOT NULL, host INTEGER NOT NULL, requests INTEGER NOT NULL, bytes INTEGER NOT NULL,
  errors INTEGER NOT NULL, slow_downs INTEGER NOT NULL, certificate_expires INTEGER, internal INTEGER NOT NULL DEFAULT 0, total_ms INTEGER NOT NULL DEFAULT 0,
  paused_ms INTEGER NOT NULL DEFAULT 0, remote TEXT, version TEXT, certificate_from INTEGER, certificate_issuer TEXT, certificate_subject TEXT,
  certificate_names TEXT, certificate_fault TEXT, PRIMARY KEY(crawl, host)) WITHOUT ROWID;

CREATE TABLE sitemap(id INTEGER PRIMARY KEY, crawl INTEGER NOT NULL, url TEXT NOT NULL, parent INTEGER, status INTEGER, kind TEXT, entries INTEGER NOT NULL,
  bytes INTEGER NOT NULL, problems TEXT, error TEXT, gzip INTEGER NOT NULL DEFAULT 0, truncated INTEGER NOT NULL DEFAULT 0);
-- What is wrong with a sitemap, and where. The column problems of sitemap has it only in files of version 1.
CREATE TABLE sitemap_problem(sitemap INTEGER NOT NULL, n INTEGER NOT NULL, code TEXT NOT NULL, line INTEGER NOT NULL, column INTEGER NOT NULL,
  detail TEXT NOT NULL, PRIMARY KEY(sitemap, n)) WITHOUT ROWID;
CREATE TABLE sitemap_entry(sitemap INTEGER NOT NULL, n INTEGER NOT NULL, url INTEGER, raw TEXT, lastmod TEXT, PRIMARY KEY(sitemap, n)) WITHOUT ROWID;
CREATE TABLE sitemap_hreflang(sitemap INTEGER NOT NULL, n INTEGER NOT NULL, code TEXT NOT NULL, href TEXT NOT NULL, PRIMARY KEY(sitemap, n, code, href)) WITHOUT ROWID;

-- Things wrong with a URL's bytes that no column holds.
CREATE TABLE problem(key INTEGER NOT NULL, n INTEGER NOT NULL, code TEXT NOT NULL, line INTEGER NOT NULL, detail TEXT NOT NULL, PRIMARY KEY(key, n)) WITHOUT ROWID;

-- What a crawl had to warn about, in order.
CREATE TABLE warning(id INTEGER PRIMARY KEY, crawl INTEGER NOT NULL, moment INTEGER NOT NULL, code TEXT NOT NULL, subject TEXT NOT NULL, detail TEXT NOT NULL);

-- Derived after a crawl.
CREATE TABLE metric(key INTEGER PRIMARY KEY, inlinks INTEGER NOT NULL, followed_inlinks INTEGER NOT NULL, unique_inlinks INTEGER NOT NULL,
  outlinks INTEGER NOT NULL, external_outlinks INTEGER NOT NULL, link_score REAL);
CREATE TABLE chain(key INTEGER PRIMARY KEY, hops INTEGER NOT NULL, final INTEGER NOT NULL, loop INTEGER NOT NULL);
-- A page with the files that it loads, where the size of any is known. Largest: number of its URL.
CREATE TABLE page_weight(key INTEGER PRIMARY KEY, bytes INTEGER NOT NULL, files INTEGER NOT NULL, largest INTEGER NOT NULL, largest_bytes INTEGER NOT NULL);

-- Derived from texts. Pages that say almost the same as another of their cluster. Cluster: the number of the URL that stands for
-- it. Pages: how many it has. Other: the page that it is most like, of those that it was compared with. Similarity: percent.
CREATE TABLE near_duplicate(key INTEGER PRIMARY KEY, cluster INTEGER NOT NULL, pages INTEGER NOT NULL, other INTEGER NOT NULL, similarity INTEGER NOT NULL,
  estimated INTEGER NOT NULL);
CREATE INDEX near_duplicate_cluster ON near_duplicate(cluster, key);
-- Pages with far less text than others of their section, and pages whose title lacks what those of their host and language end with.
CREATE TABLE thin_page(key INTEGER PRIMARY KEY, section TEXT NOT NULL, pages INTEGER NOT NULL, median INTEGER NOT NULL, z REAL NOT NULL);
CREATE TABLE title_outlier(key INTEGER PRIMARY KEY, pattern TEXT NOT NULL, pages INTEGER NOT NULL, share INTEGER NOT NULL);

-- The audits, as they were when they were last evaluated here, and what they found.
CREATE TABLE audit(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, family TEXT NOT NULL, severity TEXT NOT NULL, priority TEXT NOT NULL, title TEXT NOT NULL);
CREATE TABLE evaluation(crawl INTEGER NOT NULL, audit INTEGER NOT NULL, version INTEGER NOT NULL, thresholds TEXT NOT NULL, findings INTEGER NOT NULL,
  urls INTEGER NOT NULL, checked INTEGER NOT NULL, PRIMARY KEY(crawl, audit)) WITHOUT ROWID;
CREATE TABLE finding(crawl INTEGER NOT NULL, audit INTEGER NOT NULL, url INTEGER NOT NULL, ref INTEGER NOT NULL,
  PRIMARY KEY(crawl, audit, url, ref)) WITHOUT ROWID;

-- Findings that a person does not want to be told of, by what they have in common. Kind: audit (all of them), url, pattern (of
-- URLs, as segments are written), place (an element of the markup; target: where the link in it leads, '' for nowhere), text (the one that pages
-- share). Until: the first day on which they count again, as YYYY-MM-DD in UTC.
CREATE TABLE ignored(id INTEGER PRIMARY KEY AUTOINCREMENT, audit TEXT NOT NULL, kind TEXT NOT NULL, subject TEXT, target TEXT, reason TEXT NOT NULL,
  made INTEGER NOT NULL, until TEXT);
-- Asked with every finding, however much is ignored one by one.
CREATE INDEX ignored_audit ON ignored(audit) WHERE kind = 'audit';
-- The findings meant by it, each with the row that lasts longest; none for the kind audit. Derived from ignored and finding.
CREATE TABLE ignored_finding(crawl INTEGER NOT NULL, audit INTEGER NOT NULL, url INTEGER NOT NULL, ref INTEGER NOT NULL, ignored INTEGER NOT NULL,
  PRIMARY KEY(crawl, audit, url, ref)) WITHOUT ROWID;
-- What findings of an audit weigh in this project. Priority: null for the audit's own.
CREATE TABLE audit_override(audit TEXT PRIMARY KEY, severity TEXT NOT NULL, priority TEXT, made INTEGER NOT NULL) WITHOUT ROWID;
-- Thresholds of this project: id of the setting, value as it was typed.
CREATE TABLE threshold(setting TEXT PRIMARY KEY, value TEXT NOT NULL, made INTEGER NOT NULL) WITHOUT ROWID;

-- A crawl that looked again at some URLs of another one; the URLs, and what it was asked for with each; what became of the
-- findings, whose ref is that of the base.
CREATE TABLE recheck(crawl INTEGER PRIMARY KEY, base INTEGER NOT NULL);
CREATE TABLE recheck_url(crawl INTEGER NOT NULL, url INTEGER NOT NULL, purpose INTEGER NOT NULL, internal INTEGER NOT NULL, PRIMARY KEY(crawl, url)) WITHOUT ROWID;
CREATE TABLE recheck_finding(crawl INTEGER NOT NULL, audit TEXT NOT NULL, url INTEGER NOT NULL, ref INTEGER NOT NULL, element TEXT, target INTEGER,
  result TEXT NOT NULL, why TEXT, PRIMARY KEY(crawl, audit, url, ref)) WITHOUT ROWID;

-- Parts of the site that a person gave names, in order. Patterns: a line each. Segment_url: the URLs of all crawls that are in
-- any, each with the set of them; a set's names stand in order, between commas.
CREATE TABLE segment(n INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, patterns TEXT NOT NULL);
CREATE TABLE segment_set(id INTEGER PRIMARY KEY, names TEXT NOT NULL);
CREATE TABLE segment_url(url INTEGER PRIMARY KEY, segments INTEGER NOT NULL);

-- What a person looks for in pages. Kind: text, number, flag. Custom_value: what was found in a page, from n = 1.
CREATE TABLE custom_field(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, rule TEXT NOT NULL, kind TEXT NOT NULL);
CREATE TABLE custom_value(key INTEGER NOT NULL, field INTEGER NOT NULL, n INTEGER NOT NULL, value, PRIMARY KEY(key, field, n)) WITHOUT ROWID;

-- Audits that a person wrote. Their findings are findings, with evidence (a JSON object) beside them; a fault is why one could
-- not be evaluated.
CREATE TABLE custom_audit(name TEXT PRIMARY KEY, title TEXT NOT NULL, severity TEXT NOT NULL, priority TEXT NOT NULL, sql TEXT NOT NULL,
  why TEXT NOT NULL, fix TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE custom_evidence(crawl INTEGER NOT NULL, audit INTEGER NOT NULL, url INTEGER NOT NULL, ref INTEGER NOT NULL, evidence TEXT NOT NULL,
  PRIMARY KEY(crawl, audit, url, ref)) WITHOUT ROWID;
CREATE TABLE custom_fault(crawl INTEGER NOT NULL, name TEXT NOT NULL, why TEXT NOT NULL, PRIMARY KEY(crawl, name)) WITHOUT ROWID;

-- Two crawls that were compared, and by which rules URLs of the earlier were found in the later (a JSON list, '[]' for the same
-- URLs). Change: what differs. Kind: model::ChangeKind. Url: that of the later crawl, or of the earlier where it has none there.
CREATE TABLE comparison(id INTEGER PRIMARY KEY, earlier INTEGER NOT NULL, later INTEGER NOT NULL, mapping TEXT NOT NULL,
  UNIQUE(later, mapping, earlier));
CREATE TABLE change(comparison INTEGER NOT NULL, kind INTEGER NOT NULL, url INTEGER NOT NULL, before TEXT, after TEXT,
  PRIMARY KEY(comparison, kind, url)) WITHOUT ROWID;

-- What became of findings by a crawl, unless they have been open all the time: those that are gone, and those that came back.
-- State: model::Life. Absent: how often in a row they were looked for and not found. Judged: the crawl that looked last; where
-- that is an earlier one, the URL was not looked at, or the rule is another one.
CREATE TABLE life(crawl INTEGER NOT NULL, audit INTEGER NOT NULL, url INTEGER NOT NULL, state INTEGER NOT NULL, absent INTEGER NOT NULL,
  judged INTEGER NOT NULL, PRIMARY KEY(crawl, audit, url)) WITHOUT ROWID;
";

/// Indexes that are built once, after the first crawl, by SQLite's external sorter, and kept live from then on.
/// Each serves the way back: from a target to the links that point at it, from a list to the pages that show it.
pub(crate) const REVERSE_INDEXES: &[(&str, &str)] = &[
    ("link_target", "CREATE INDEX IF NOT EXISTS link_target ON link(target)"),
    ("answer_list", "CREATE INDEX IF NOT EXISTS answer_list ON answer(list) WHERE list IS NOT NULL"),
];

/// Flags of `answer.flags`.
pub mod answer_flags {
    pub const TRUNCATED: i64 = 1;
    pub const INCOMPLETE: i64 = 2;
    pub const DECODE_ERROR: i64 = 4;
    pub const BODY_READ: i64 = 8;
    pub const RETRY_AFTER: i64 = 16;
    pub const HEAD_FAILED: i64 = 32;
    pub const LINKS_DROPPED: i64 = 64;
    pub const BAD_LOCATION: i64 = 128;
    pub const HAS_LOCATION: i64 = 256;
    pub const REDIRECT_TO_SELF: i64 = 512;
    /// Nothing was asked: the host wants https (HSTS), and the link of the answer's list leads there. `answer.redirect` is
    /// null, so that nothing counts it as a redirect.
    pub const SYNTHETIC: i64 = 1024;
    /// The server said that what an earlier crawl holds did not change (304). All else is told as if the page had come.
    pub const NOT_MODIFIED: i64 = 2048;
    /// The number of the type in `SNIFFED_TYPES` that the body has in spite of the declared one, less one: where it begins, and
    /// its greatest value.
    pub const SNIFFED: (u32, i64) = (20, 0xF);
    pub const SNIFFED_TYPES: &[&str] = &[
        "text/html",
        "image/png",
        "image/jpeg",
        "image/gif",
        "application/pdf",
        "application/zip",
        "application/gzip",
    ];
}

/// Flags of `document.flags`.
pub mod document_flags {
    pub const TITLE_OUTSIDE_HEAD: i64 = 1;
    pub const DESCRIPTION_OUTSIDE_HEAD: i64 = 2;
    pub const CANONICAL_OUTSIDE_HEAD: i64 = 4;
    pub const ROBOTS_OUTSIDE_HEAD: i64 = 8;
    pub const H1_IMAGE_ONLY: i64 = 16;
    pub const H1_NOT_FIRST: i64 = 32;
    pub const LEVEL_SKIPPED: i64 = 64;
    pub const HEADING_EMPTY: i64 = 128;
    pub const BODY_EMPTY: i64 = 256;
    pub const QUIRKS: i64 = 512;
    pub const CANONICAL_RELATIVE: i64 = 1024;
    pub const CANONICAL_MALFORMED: i64 = 2048;
    pub const CANONICAL_FRAGMENT: i64 = 4096;
    pub const CANONICAL_ODD_ATTRIBUTES: i64 = 8192;
    pub const CANONICAL_SELF: i64 = 16384;
    pub const REFRESH_IN_NOSCRIPT: i64 = 32768;
    pub const MAIN_MISSING: i64 = 1 << 16;
    /// Numbers among the flags: where they begin, and their greatest value. The latest year of the copyright notice at the end
    /// of the text, less 1,900; 0 for none.
    pub const COPYRIGHT_YEAR: (u32, i64) = (17, 0xFF);
    /// Scripts and style sheets that hold up the first picture of the page.
    pub const RENDER_BLOCKING: (u32, i64) = (25, 0x3F);
    /// Most children of one element of body: bits 51 to 62.
    pub const DOM_CHILDREN: (u32, i64) = (51, 0xFFF);
    /// Open Graph properties that the page lacks, as bits: title, type, image, url.
    pub const OPEN_GRAPH_MISSING: (u32, i64) = (31, 0xF);
    pub const TWITTER_CARD_MISSING: i64 = 1 << 35;
    /// The page was read for structured data, and has none with a type.
    pub const STRUCTURED_MISSING: i64 = 1 << 36;
    /// The table `fragment` has the document's ids, if any: those of before version 4 were not kept.
    pub const IDS_KNOWN: i64 = 1 << 39;
    /// A policy in a meta element of head.
    pub const META_CSP: i64 = 1 << 40;
    pub const UPGRADES_REQUESTS: i64 = 1 << 41;
    /// A meta element says what referrers tell, and whether that is too much.
    pub const META_REFERRER: i64 = 1 << 42;
    pub const META_REFERRER_WEAK: i64 = 1 << 43;
    /// The directives that count for the audited bot, from meta elements and headers.
    pub const DIRECTIVE_NONE: i64 = 1 << 44;
    pub const DIRECTIVES_CONFLICT: i64 = 1 << 45;
    pub const NOSNIPPET: i64 = 1 << 46;
    pub const NOIMAGEINDEX: i64 = 1 << 47;
    pub const NOTRANSLATE: i64 = 1 << 48;
    pub const NOARCHIVE: i64 = 1 << 49;
    /// `details` says until when, where the date could be read.
    pub const UNAVAILABLE_AFTER: i64 = 1 << 50;
}
