//! The columns that rules and evidence read, and the joins that give them.
//!
//! One list serves the scan of rules, the conditions of links, and the view of findings, so that a rule and the evidence
//! shown for it cannot mean different things by one name. SQLite leaves out a join of which no column is used.

use crate::findings::place;
use crate::headers::Reader;
use model::state::{FoundBy, Indexability, Limit, UNVERIFIABLE_STATUSES};
use store::schema::{answer_flags, document_flags};

/// Columns of the URL's own visit, answer and document, by name.
const OWN: &[(&str, &str)] = &[
    ("key", "v.key"),
    ("document_id", "p.document"),
    ("word_count", "d.word_count"),
    ("url_id", "u.id"),
    ("url", "u.text"),
    ("internal", "v.internal"),
    ("host_id", "v.host"),
    ("fetched", "(v.state = 1)"),
    ("failed", "(v.state = 2)"),
    ("blocked", "(v.state = 3)"),
    ("over_limit", "(v.state = 5)"),
    ("reason", "vr.value"),
    ("status", STATUS),
    ("method", "CASE a.method WHEN 1 THEN 'GET' WHEN 2 THEN 'HEAD' END"),
    ("content_type", "ct.value"),
    ("media_type", "lower(trim(substr(ct.value, 1, instr(ct.value || ';', ';') - 1)))"),
    ("bytes", "a.bytes"),
    ("ttfb_ms", "a.ttfb_ms"),
    ("total_ms", "a.total_ms"),
    ("head_status", "a.head_status"),
    ("headers", "a.headers"),
    ("error", "a.error"),
    ("list", "a.list"),
    ("redirect_id", "a.redirect"),
    ("redirect_url", "ru.text"),
    ("is_page", "(p.key IS NOT NULL AND v.internal AND v.state = 1 AND a.status BETWEEN 200 AND 299)"),
    ("indexable", "(p.indexability = 1)"),
    ("title", "d.title"),
    ("title_px", "d.title_px"),
    ("title_count", "d.title_count"),
    ("description", "d.description"),
    ("description_px", "d.description_px"),
    ("description_count", "d.description_count"),
    ("h1", "d.h1"),
    ("h1_count", "d.h1_count"),
    ("h2", "d.h2"),
    ("h2_count", "d.h2_count"),
    ("canonical", "d.canonical"),
    ("canonical_id", "d.canonical_url"),
    ("canonical_count", "d.canonical_count"),
    ("canonical_distinct", "d.canonical_distinct"),
    ("robots", "d.robots"),
    ("noindex", "d.noindex"),
    ("nofollow", "d.nofollow"),
    ("lang", "d.lang"),
    ("viewport", "d.viewport"),
    ("text_bytes", "d.text_bytes"),
    ("text_hash", "d.text_hash"),
    ("dom_nodes", "d.dom_nodes"),
    ("dom_depth", "d.dom_depth"),
    ("head_closed_by", "d.head_closed_by"),
    ("refresh_delay", "d.refresh_delay"),
    ("refresh_url", "d.refresh_url"),
    ("first_source", "su.text"),
    ("empty", EMPTY),
    ("main_hash", "mt.hash"),
    ("main_signature", "mt.signature"),
    ("reading_language", "mt.language"),
    ("reading_ease", "mt.ease"),
    ("reading_words", "mt.words"),
    ("reading_sentences", "mt.sentences"),
];

/// The status as a server gave it: an http URL that was turned into its https twin without being asked has none.
const STATUS: &str = "(CASE WHEN a.flags & 1024 = 0 THEN a.status END)";

const _: () = assert!(answer_flags::SYNTHETIC == 1024);

/// A success that has nothing to show: no bytes where a page is to be expected, or a page with nothing in its body. A page that
/// moves its reader on at once is no page of its own.
const EMPTY: &str = "(v.internal AND v.state = 1 AND a.status = 200 AND a.flags & 8 <> 0 AND a.redirect IS NULL AND coalesce(d.refresh_delay, 1) > 0
 AND ((a.bytes = 0 AND (ct.value IS NULL OR lower(trim(substr(ct.value, 1, instr(ct.value || ';', ';') - 1))) IN ('text/html', 'application/xhtml+xml')))
 OR (p.key IS NOT NULL AND d.flags & 256 <> 0)))";

// The numbers of `EMPTY`.
const _: () = assert!(answer_flags::BODY_READ == 8 && document_flags::BODY_EMPTY == 256);

/// Columns that are one bit of a flag word: name, table alias, bit.
const OWN_FLAGS: &[(&str, &str, i64)] = &[
    ("truncated", "a", answer_flags::TRUNCATED),
    ("incomplete", "a", answer_flags::INCOMPLETE),
    ("undecodable", "a", answer_flags::DECODE_ERROR),
    ("body_read", "a", answer_flags::BODY_READ),
    ("retry_after", "a", answer_flags::RETRY_AFTER),
    ("head_failed", "a", answer_flags::HEAD_FAILED),
    ("bad_location", "a", answer_flags::BAD_LOCATION),
    ("has_location", "a", answer_flags::HAS_LOCATION),
    ("redirect_to_self", "a", answer_flags::REDIRECT_TO_SELF),
    ("title_outside_head", "d", document_flags::TITLE_OUTSIDE_HEAD),
    ("description_outside_head", "d", document_flags::DESCRIPTION_OUTSIDE_HEAD),
    ("h1_image_only", "d", document_flags::H1_IMAGE_ONLY),
    ("h1_not_first", "d", document_flags::H1_NOT_FIRST),
    ("level_skipped", "d", document_flags::LEVEL_SKIPPED),
    ("heading_empty", "d", document_flags::HEADING_EMPTY),
    ("body_empty", "d", document_flags::BODY_EMPTY),
    ("canonical_outside_head", "d", document_flags::CANONICAL_OUTSIDE_HEAD),
    ("canonical_relative", "d", document_flags::CANONICAL_RELATIVE),
    ("canonical_malformed", "d", document_flags::CANONICAL_MALFORMED),
    ("canonical_fragment", "d", document_flags::CANONICAL_FRAGMENT),
    ("canonical_odd_attributes", "d", document_flags::CANONICAL_ODD_ATTRIBUTES),
    ("canonical_self", "d", document_flags::CANONICAL_SELF),
    ("robots_outside_head", "d", document_flags::ROBOTS_OUTSIDE_HEAD),
    ("refresh_in_noscript", "d", document_flags::REFRESH_IN_NOSCRIPT),
    ("quirks", "d", document_flags::QUIRKS),
    ("main_missing", "d", document_flags::MAIN_MISSING),
    ("meta_csp", "d", document_flags::META_CSP),
    ("upgrades_requests", "d", document_flags::UPGRADES_REQUESTS),
    ("meta_referrer", "d", document_flags::META_REFERRER),
    ("meta_referrer_weak", "d", document_flags::META_REFERRER_WEAK),
    ("directive_none", "d", document_flags::DIRECTIVE_NONE),
    ("directives_conflict", "d", document_flags::DIRECTIVES_CONFLICT),
    ("nosnippet", "d", document_flags::NOSNIPPET),
    ("noimageindex", "d", document_flags::NOIMAGEINDEX),
    ("notranslate", "d", document_flags::NOTRANSLATE),
    ("noarchive", "d", document_flags::NOARCHIVE),
    ("has_unavailable_after", "d", document_flags::UNAVAILABLE_AFTER),
    ("ids_known", "d", document_flags::IDS_KNOWN),
    ("structured_missing", "d", document_flags::STRUCTURED_MISSING),
    ("twitter_card_missing", "d", document_flags::TWITTER_CARD_MISSING),
];

fn own_columns(reader: Reader) -> Vec<(&'static str, String)> {
    let plain = OWN.iter().map(|(name, sql)| (*name, (*sql).to_owned()));
    let flags = OWN_FLAGS.iter().map(|(name, table, bit)| (*name, format!("({table}.flags & {bit} <> 0)")));
    let derived = [
        ("found_by", FoundBy::sql_case("v.found")),
        (
            "has_content",
            format!("(p.key IS NOT NULL AND a.flags & {} = 0 AND {EMPTY} IS NOT TRUE)", answer_flags::DECODE_ERROR),
        ),
        // Unix milliseconds; NULL where no date could be read.
        (
            "unavailable_after",
            format!("CASE WHEN d.flags & {} <> 0 THEN json_extract(d.details, '$.unavailable_after') END", document_flags::UNAVAILABLE_AFTER),
        ),
        ("sniffed_type", sniffed_type()),
        ("dom_children", number("d", document_flags::DOM_CHILDREN)),
        ("open_graph_missing", number("d", document_flags::OPEN_GRAPH_MISSING)),
        ("render_blocking", number("d", document_flags::RENDER_BLOCKING)),
        (
            "copyright_year",
            format!("CASE WHEN {0} > 0 THEN {0} + 1900 END", number("d", document_flags::COPYRIGHT_YEAR)),
        ),
        // robots.txt keeps the audited bot from a page that was read all the same.
        ("bot_blocked", format!("(p.indexability = {})", Indexability::BlockedByRobots.code())),
        // https was tried because the address named no scheme; it failed, and its http twin was crawled in its place.
        (
            "https_guessed",
            "EXISTS (SELECT 1 FROM warning w WHERE w.crawl = v.key >> 32 AND w.code = 'https-unavailable' AND w.subject = u.text)"
                .to_owned(),
        ),
    ];
    let headers = crate::headers::columns(reader);
    plain.chain(flags).chain(headers).chain(derived).collect()
}

/// Joins of `OWN`, after `visit v` and `url u`.
const OWN_JOINS: &str = "
 LEFT JOIN answer a ON a.key = v.key
 LEFT JOIN page p ON p.key = v.key
 LEFT JOIN document d ON d.id = p.document
 LEFT JOIN main_text mt ON mt.document = p.document
 LEFT JOIN string vr ON vr.id = v.reason
 LEFT JOIN string ct ON ct.id = a.content_type
 LEFT JOIN url ru ON ru.id = a.redirect
 LEFT JOIN url su ON su.id = v.source";

/// Columns that look at other URLs of the crawl: derived numbers, the end of the redirect chain, the canonical's target.
fn crawl_columns() -> Vec<(&'static str, String)> {
    let column = |name, sql: &str| (name, sql.to_owned());
    vec![
        column("depth", "v.depth"),
        column("inlinks", "m.inlinks"),
        column("followed_inlinks", "m.followed_inlinks"),
        column("unique_inlinks", "m.unique_inlinks"),
        column("outlinks", "m.outlinks"),
        column("external_outlinks", "m.external_outlinks"),
        column("hops", "c.hops"),
        column("loop", "c.loop"),
        column("final_id", "c.final"),
        column("final_url", "cu.text"),
        column("final_status", "ca.status"),
        column("final_reason", "cr.value"),
        ("final_broken", broken("cv", "ca")),
        column("final_blocked", "(cv.state = 3)"),
        (
            "cut_short",
            format!("(cv.state = 5 AND cr.value = '{}' AND c.hops >= cv.hops)", Limit::Redirects.word()),
        ),
        // With the files that it loads; NULL where the size of none is known.
        ("page_bytes", of_weight("w.bytes")),
        ("page_files", of_weight("w.files")),
        ("largest_file", of_weight("(SELECT o.text FROM url o WHERE o.id = w.largest)")),
        ("largest_file_bytes", of_weight("w.largest_bytes")),
        ("page_indexability", Indexability::sql_case("p.indexability")),
        // As the second user agent is answered; NULL where it did not ask or had no answer.
        ("second_status", second("g.status")),
        ("second_indexability", second(&Indexability::sql_case("g.indexability"))),
        ("second_redirect", second("g.redirect")),
        // A list is crawled without following links, and so is what is looked at again: what no page links to, and how deep a page lies, is then unknown.
        column("links_followed", "(v.key >> 32 NOT IN (SELECT id FROM crawl WHERE job IN ('list', 'recheck')))"),
        column("final_noindex", "cd.noindex"),
        (
            "final_canonicalised",
            format!("(cd.canonical_url IS NOT NULL AND cd.flags & {} = 0)", document_flags::CANONICAL_SELF),
        ),
        column("final_canonical_id", "cd.canonical_url"),
        ("broken", broken("v", "a")),
        column("crawl_started", "(SELECT started FROM crawl WHERE id = v.key >> 32)"),
        ("certificate_expires", of_host("certificate_expires")),
        ("certificate_subject", of_host("certificate_subject")),
        ("certificate_issuer", of_host("certificate_issuer")),
        ("http_version", of_host("version")),
        // Two requests that were made in the same way differ in the class of their status. A redirect that a cookie ends is no class
        // of its own, and a server that asked for patience or credentials did not fail.
        ("unstable", unstable()),
        (
            "attempts",
            "(SELECT group_concat(coalesce(t.status, 'no answer'), ', ') FROM attempt t WHERE t.key = v.key AND t.purpose IN (0, 1))"
                .to_owned(),
        ),
        // What the server answered a URL that does not exist.
        ("random_status", random_probe("q.status")),
        // The page says what that answer says: the same text, or the same title and heading around a text of the same length.
        (
            "like_random",
            format!(
                "({} IS TRUE)",
                random_probe(
                    "(e.text_hash <> 0 AND e.text_hash = d.text_hash) OR (e.title = d.title AND e.h1 = d.h1 AND abs(e.word_count - d.word_count) * 20 <= e.word_count)"
                )
            ),
        ),
        column("canonical_status", "ka.status"),
        column("canonical_reason", "kr.value"),
        ("canonical_broken", broken("kv", "ka")),
        column("canonical_blocked", "(kv.state = 3)"),
        column("canonical_redirect_id", "ka.redirect"),
        column("canonical_internal", "kv.internal"),
        column("canonical_noindex", "kd.noindex"),
        column("canonical_canonical_id", "kd.canonical_url"),
        ("canonical_canonical_self", format!("(kd.flags & {} <> 0)", document_flags::CANONICAL_SELF)),
        column("canonical_inlinks", "km.unique_inlinks"),
        column("near_pages", "nd.pages"),
        column("near_similarity", "nd.similarity"),
        column("near_estimated", "nd.estimated"),
        column("near_other", "(SELECT text FROM url WHERE id = nd.other)"),
        column("near_first", "(SELECT text FROM url WHERE id = nd.cluster)"),
        column("section", "tp.section"),
        column("section_pages", "tp.pages"),
        column("section_median", "tp.median"),
        column("section_z", "tp.z"),
        column("title_pattern", "tt.pattern"),
        column("title_pattern_pages", "tt.pages"),
        column("title_pattern_share", "tt.share"),
    ]
}

/// Names of the columns that look at other URLs of the crawl.
pub(crate) fn names_of_crawl_columns() -> Vec<&'static str> {
    crawl_columns().into_iter().map(|(name, _)| name).collect()
}

/// A number that stands among the flags of a table.
fn number(table: &str, (shift, most): (u32, i64)) -> String {
    format!("(({table}.flags >> {shift}) & {most})")
}

/// The type that a body has in spite of the declared one.
fn sniffed_type() -> String {
    let (shift, most) = answer_flags::SNIFFED;
    let types: String = answer_flags::SNIFFED_TYPES
        .iter()
        .enumerate()
        .map(|(number, name)| format!(" WHEN {} THEN '{name}'", number + 1))
        .collect();
    format!("CASE (a.flags >> {shift}) & {most}{types} END")
}

/// Whether two requests for one URL came to statuses of different classes.
fn unstable() -> String {
    let counts = |attempt: &str| {
        format!(
            "{attempt}.purpose IN (0, 1) AND {attempt}.status >= 200 AND {attempt}.status NOT IN (304, 401, 407, 429, 503)"
        )
    };
    let class =
        |attempt: &str| format!("CASE WHEN {attempt}.status < 400 THEN 2 ELSE {attempt}.status / 100 END");
    format!(
        "EXISTS (SELECT 1 FROM attempt t JOIN attempt o ON o.key = t.key AND o.n > t.n WHERE t.key = v.key AND o.method = t.method \
         AND {} AND {} AND {} <> {})",
        counts("t"),
        counts("o"),
        class("t"),
        class("o")
    )
}

/// What the second user agent was answered (`g`).
fn second(sql: &str) -> String {
    format!("(SELECT {sql} FROM agent_check g WHERE g.key = v.key)")
}

/// What is known of what a page loads (`w`).
fn of_weight(sql: &str) -> String {
    format!("(SELECT {sql} FROM page_weight w WHERE w.key = v.key)")
}

/// What is known of the URL's host.
fn of_host(column: &str) -> String {
    format!("(SELECT ht.{column} FROM host_traffic ht WHERE ht.crawl = v.key >> 32 AND ht.host = v.host)")
}

/// What is known of the answer to a URL that does not exist (`q`, its document `e`): one a crawl.
fn random_probe(sql: &str) -> String {
    format!(
        "(SELECT {sql} FROM probe q LEFT JOIN document e ON e.id = q.document WHERE q.crawl = v.key >> 32 AND q.kind = 'random-path' LIMIT 1)"
    )
}

const CRAWL_JOINS: &str = "
 LEFT JOIN metric m ON m.key = v.key
 LEFT JOIN chain c ON c.key = v.key
 LEFT JOIN url cu ON cu.id = c.final
 LEFT JOIN visit cv ON cv.key = (v.key & -4294967296) | c.final
 LEFT JOIN answer ca ON ca.key = (v.key & -4294967296) | c.final
 LEFT JOIN string cr ON cr.id = cv.reason
 LEFT JOIN page cp ON cp.key = (v.key & -4294967296) | c.final
 LEFT JOIN document cd ON cd.id = cp.document
 LEFT JOIN visit kv ON kv.key = (v.key & -4294967296) | d.canonical_url
 LEFT JOIN answer ka ON ka.key = (v.key & -4294967296) | d.canonical_url
 LEFT JOIN string kr ON kr.id = kv.reason
 LEFT JOIN page kp ON kp.key = (v.key & -4294967296) | d.canonical_url
 LEFT JOIN document kd ON kd.id = kp.document
 LEFT JOIN metric km ON km.key = (v.key & -4294967296) | d.canonical_url
 LEFT JOIN near_duplicate nd ON nd.key = v.key
 LEFT JOIN thin_page tp ON tp.key = v.key
 LEFT JOIN title_outlier tt ON tt.key = v.key";

/// Columns of the link that a finding points at, for evidence.
fn link_columns() -> Vec<(&'static str, String)> {
    use model::{LinkKind, Position};
    let column = |name, sql: &str| (name, sql.to_owned());
    let mut columns = vec![
        column("link_target", "lt.text"),
        ("link_href", store::raw_href_sql("l", "lt", "u", "lh")),
        column("link_anchor", "ln.value"),
        ("link_kind", LinkKind::sql_case("s.kind")),
        ("link_position", Position::sql_case("s.position")),
        column("link_element", "s.element"),
        column("link_rel", "s.rel"),
        column("link_line", "nullif(l.line, 0)"),
        column("link_status", "la.status"),
        column("link_reason", "lr.value"),
        column("link_content_type", "(SELECT value FROM string WHERE id = la.content_type)"),
        column("link_final_url", "lfu.text"),
        column("link_final_status", "lfa.status"),
        column("link_hops", "lc.hops"),
        column("flaw_element", "we.value"),
        column("flaw_line", "nullif(w.line, 0)"),
        column("flaw_detail", "nullif(w.detail, '')"),
        column("image_width", "li.width"),
        column("image_height", "li.height"),
        ("other_url", other_url()),
        ("sitemap", of_sitemap("s.url")),
        ("sitemap_parent", of_sitemap("(SELECT q.url FROM sitemap q WHERE q.id = s.parent)")),
        ("sitemap_status", of_sitemap("s.status")),
        ("sitemap_error", of_sitemap("s.error")),
        ("sitemap_entries", of_sitemap("s.entries")),
        ("sitemap_bytes", of_sitemap("s.bytes")),
        ("sitemap_days", of_sitemap(SITEMAP_DAYS)),
        ("sitemap_entry", of_entry("e.raw")),
        ("sitemap_entry_number", of_entry("e.n + 1")),
        ("sitemap_lastmod", of_entry("e.lastmod")),
        ("sitemap_alternates", of_entry(ALTERNATES)),
        ("sitemap_problem", of_problem("b.code")),
        ("sitemap_line", of_problem("nullif(b.line, 0)")),
        ("sitemap_column", of_problem("nullif(b.column, 0)")),
        ("sitemap_detail", of_problem("nullif(b.detail, '')")),
        ("trap_pattern", of_trap("t.pattern")),
        ("trap_kind", of_trap("t.kind")),
        ("trap_why", of_trap("t.why")),
        ("trap_kept", of_trap("t.kept")),
        ("trap_examples", of_trap("json(t.examples)")),
        ("probe_status", probe("q.status")),
        ("probe_redirect", probe("q.redirect")),
        ("probe_failure", probe("q.detail")),
        ("probe_title", probe("(SELECT title FROM document WHERE id = q.document)")),
        ("made_up_url", made_up("q.subject")),
        ("made_up_status", made_up("q.status")),
        ("made_up_redirect", made_up("q.redirect")),
        ("made_up_title", made_up("(SELECT title FROM document WHERE id = q.document)")),
        column("robots_problems", "CASE WHEN rb.state = 'ok' THEN rb.error END"),
        column("robots_state", "rb.state"),
        column("robots_status", "rb.status"),
        column("robots_error", "CASE WHEN rb.state <> 'ok' THEN rb.error END"),
        column("robots_hops", "rb.hops"),
        column("robots_final_url", "rb.final_url"),
        column("robots_bytes", "length(rb.body)"),
        column("robots_body", "substr(CAST(rb.body AS TEXT), 1, 2000)"),
        column("robots_crawl_delay", "rb.crawl_delay"),
    ];
    columns.extend(crate::history::columns());
    columns.extend(crate::placed::columns());
    columns
}

/// The days that the entries of a sitemap are dated with, where they are few.
const SITEMAP_DAYS: &str =
    "(SELECT group_concat(DISTINCT substr(e.lastmod, 1, 10)) FROM sitemap_entry e WHERE e.sitemap = s.id)";

/// What an entry says of languages, a line each: the code and the address. Of many the beginning.
const ALTERNATES: &str = "(SELECT substr(group_concat(x.code || ' ' || x.href, char(10)), 1, 2000) FROM sitemap_hreflang x WHERE x.sitemap = e.sitemap AND x.n = e.n)";

// What follows is looked up, not joined: SQLite joins 64 tables at most, and each is asked for by few findings.

/// The URL that a finding sets beside its own.
fn other_url() -> String {
    let first = place::OTHER_URL;
    format!(
        "(SELECT o.text FROM url o WHERE f.ref BETWEEN -{first} - 4294967295 AND -{first} AND o.id = -f.ref - {first})"
    )
}

/// A value of the sitemap `s` that a finding names.
fn of_sitemap(sql: &str) -> String {
    let (first, bits) = (place::SITEMAP, place::SITEMAP_BITS);
    format!("(SELECT {sql} FROM sitemap s WHERE f.ref <= -{first} AND s.id = (-f.ref - {first}) >> {bits})")
}

/// A value of the entry `e` of a sitemap that a finding names.
fn of_entry(sql: &str) -> String {
    let (first, bits, problem) = (place::SITEMAP, place::SITEMAP_BITS, place::PROBLEM);
    format!(
        "(SELECT {sql} FROM sitemap_entry e WHERE f.ref <= -{first} AND (-f.ref) & {problem} = 0 AND e.sitemap = (-f.ref - {first}) >> {bits} AND e.n = (-f.ref) & {})",
        problem - 1
    )
}

/// A value of the problem `b` of a sitemap that a finding names.
fn of_problem(sql: &str) -> String {
    let (first, bits, problem) = (place::SITEMAP, place::SITEMAP_BITS, place::PROBLEM);
    format!(
        "(SELECT {sql} FROM sitemap_problem b WHERE f.ref <= -{first} AND (-f.ref) & {problem} <> 0 AND b.sitemap = (-f.ref - {first}) >> {bits} AND b.n = (-f.ref) & {})",
        problem - 1
    )
}

/// A value of the trap `t` that kept the URL back.
fn of_trap(sql: &str) -> String {
    format!(
        "(SELECT {sql} FROM trap t WHERE t.crawl = f.crawl AND t.pattern = (SELECT h.origin FROM host h WHERE h.id = u.host) || substr(vr.value, 7))"
    )
}

/// What a probe of the finding's URL came to.
fn probe(sql: &str) -> String {
    format!(
        "(SELECT {sql} FROM probe q WHERE q.crawl = f.crawl AND q.kind = 'twin' AND q.subject = u.text LIMIT 1)"
    )
}

/// What the finding's crawl was answered for the address that it had made up.
fn made_up(sql: &str) -> String {
    format!("(SELECT {sql} FROM probe q WHERE q.crawl = f.crawl AND q.kind = 'random-path' LIMIT 1)")
}

const LINK_JOINS: &str = "
 LEFT JOIN link l ON l.id = nullif(max(f.ref, 0), 0)
 LEFT JOIN flaw w ON f.ref < 0 AND w.document = p.document AND w.n = -f.ref - 1
 LEFT JOIN string we ON we.id = w.element
 LEFT JOIN link_shape s ON s.id = l.shape
 LEFT JOIN url lt ON lt.id = l.target
 LEFT JOIN string lh ON lh.id = l.href >> 2
 LEFT JOIN string ln ON ln.id = l.anchor
 LEFT JOIN visit lv ON lv.key = (f.crawl << 32) | l.target
 LEFT JOIN answer la ON la.key = (f.crawl << 32) | l.target
 LEFT JOIN string lr ON lr.id = lv.reason
 LEFT JOIN chain lc ON lc.key = (f.crawl << 32) | l.target
 LEFT JOIN url lfu ON lfu.id = lc.final
 LEFT JOIN answer lfa ON lfa.key = (f.crawl << 32) | lc.final
 LEFT JOIN image_size li ON li.link = l.id
 LEFT JOIN robots rb ON rb.crawl = f.crawl AND rb.host = u.host";

/// Whether an answer counts as broken for whoever is sent there: neither a success, nor a redirect, nor one of the answers that
/// say nothing about the page.
fn broken(visit: &str, answer: &str) -> String {
    let unverifiable = UNVERIFIABLE_STATUSES.iter().map(u16::to_string).collect::<Vec<_>>().join(", ");
    format!(
        "coalesce({visit}.state = 2 OR ({visit}.state = 1 AND {answer}.status >= 400 AND {answer}.status NOT IN ({unverifiable}) \
         AND NOT ({answer}.status = 503 AND {answer}.flags & {} <> 0)), 0)",
        answer_flags::RETRY_AFTER
    )
}

/// The statuses that neither confirm nor refute a link, for rules: `{unverifiable}`.
pub(crate) fn put_in_statuses(sql: &str) -> String {
    if !sql.contains("{unverifiable}") {
        return sql.to_owned();
    }
    sql.replace(
        "{unverifiable}",
        &UNVERIFIABLE_STATUSES.iter().map(u16::to_string).collect::<Vec<_>>().join(", "),
    )
}

fn named(columns: &[(&str, String)]) -> String {
    columns.iter().map(|(name, sql)| format!("{sql} AS {name}")).collect::<Vec<_>>().join(", ")
}

/// The rows of a crawl for rules that need nothing else: a parenthesised SELECT.
pub(crate) fn own_rows() -> String {
    format!(
        "(SELECT {} FROM visit v JOIN url u ON u.id = v.key & 4294967295{OWN_JOINS})",
        named(&own_columns(Reader::Rule))
    )
}

/// The rows of a crawl with what is known of other URLs: a parenthesised SELECT.
pub(crate) fn crawl_rows() -> String {
    format!(
        "(SELECT {}, {} FROM visit v JOIN url u ON u.id = v.key & 4294967295{OWN_JOINS}{CRAWL_JOINS})",
        named(&own_columns(Reader::Rule)),
        named(&crawl_columns())
    )
}

/// Findings with everything that evidence may show: a parenthesised SELECT.
pub(crate) fn finding_rows() -> String {
    findings_from("finding f JOIN audit n ON n.id = f.audit")
}

/// As `finding_rows`, of the crawl ?1 and the URL ?2 only. Each audit is one look-up in the findings' key, whose first members
/// are crawl and audit; the order of the join is not left to the planner, which knows nothing of their numbers.
pub(crate) fn finding_rows_of_url() -> String {
    findings_from("audit n CROSS JOIN finding f ON f.crawl = ?1 AND f.audit = n.id AND f.url = ?2")
}

fn findings_from(tables: &str) -> String {
    format!(
        "(SELECT f.crawl AS crawl, n.id AS audit_id, n.name AS audit, n.family AS family, n.severity AS severity, n.priority AS priority, f.ref AS link, \
         e.thresholds AS thresholds, \
         (SELECT x.evidence FROM custom_evidence x WHERE x.crawl = f.crawl AND x.audit = f.audit AND x.url = f.url AND x.ref = f.ref) AS own_evidence, {} AS life, {} AS ignored, o.severity AS said_severity, o.priority AS said_priority, {}, {}, {} FROM {tables} JOIN url u ON u.id = f.url \
         LEFT JOIN evaluation e ON e.crawl = f.crawl AND e.audit = f.audit LEFT JOIN audit_override o ON o.audit = n.name LEFT JOIN visit v ON v.key = (f.crawl << 32) | f.url{OWN_JOINS}{CRAWL_JOINS}{LINK_JOINS})",
        crate::history::life_sql("f"),
        crate::ignored::ignored_sql("f", "n.name"),
        named(&own_columns(Reader::Anybody)),
        named(&crawl_columns()),
        named(&link_columns())
    )
}
