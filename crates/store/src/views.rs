//! The documented views: the project file's public contract (`docs/project-file.md`).
//!
//! Every view goes through `crawl`, so that a filter on `crawl` becomes a key range. Columns are only ever added.
//! A CROSS JOIN is an inner one whose order SQLite keeps: from the rows of a crawl (its answers, sitemaps, chains) to those that
//! they name, never from all links of the project to those of the crawl.

use crate::schema::answer_flags::{DECODE_ERROR, INCOMPLETE, NOT_MODIFIED, SYNTHETIC, TRUNCATED};
use model::state::{FoundBy, Indexability, UNVERIFIABLE_STATUSES, UrlState};
use model::structured::Syntax;
use model::{ChangeKind, FailureKind, FlawKind, Life, LinkKind, Position};

/// Unix milliseconds as ISO 8601 UTC, as an SQL expression.
pub fn iso_sql(column: &str) -> String {
    format!("strftime('%Y-%m-%dT%H:%M:%fZ', {column} / 1000.0, 'unixepoch')")
}

/// Join that ties a table with `key` to its crawl by range.
fn in_crawl(alias: &str) -> String {
    format!("{alias}.key BETWEEN c.id << 32 AND (c.id << 32) | 4294967295")
}

/// The statuses that neither confirm nor refute a link, as an SQL list.
pub fn unverifiable_list() -> String {
    UNVERIFIABLE_STATUSES.iter().map(u16::to_string).collect::<Vec<_>>().join(", ")
}

/// What an answer means for a link, as an SQL expression over a visit `{v}` and an answer `{a}` (aliases).
/// A redirect is `redirect` here; where its chain ends is the caller's to add.
pub fn verdict_sql(visit: &str, answer: &str) -> String {
    let unverifiable = unverifiable_list();
    format!(
        "CASE {visit}.state
         WHEN 1 THEN CASE
           WHEN {answer}.flags & {SYNTHETIC} THEN 'ok'
           WHEN {answer}.status IN (301, 302, 303, 307, 308) THEN 'redirect'
           WHEN {answer}.status IN ({unverifiable}) OR ({answer}.status = 503 AND {answer}.flags & 16) THEN 'unverified'
           WHEN {answer}.status >= 400 THEN 'broken' ELSE 'ok' END
         WHEN 2 THEN 'broken' WHEN 3 THEN 'blocked' ELSE 'not_checked' END"
    )
}

/// What came of a link's target, redirects followed to their end, as an SQL expression over the target's visit `tv` and answer
/// `ta`.
pub(crate) fn target_verdict_sql() -> String {
    let verdict = verdict_sql("tv", "ta");
    let final_verdict = verdict_sql("fv", "fa");
    format!(
        "CASE WHEN tv.state = 1 AND ta.status IN (301, 302, 303, 307, 308) AND ta.flags & {SYNTHETIC} = 0 THEN
           coalesce((SELECT CASE WHEN x.loop THEN 'broken' WHEN {final_verdict} IN ('broken', 'unverified') THEN {final_verdict} ELSE 'redirect' END
             FROM chain x CROSS JOIN visit fv ON fv.key = (x.key >> 32 << 32) | x.final LEFT JOIN answer fa ON fa.key = fv.key WHERE x.key = tv.key), 'redirect')
           WHEN tv.state = 1 AND ta.flags & {SYNTHETIC} THEN
           coalesce((SELECT {final_verdict} FROM link hl CROSS JOIN visit fv ON fv.key = (tv.key >> 32 << 32) | hl.target LEFT JOIN answer fa ON fa.key = fv.key
             WHERE hl.id = ta.list << 20), 'ok')
           ELSE {verdict} END"
    )
}

/// Where an answer `{a}` (alias) redirects, as an SQL expression: an http URL that was turned into its https twin without
/// being asked is no hop, so the redirect leads to the twin.
pub fn redirect_target_sql(answer: &str) -> String {
    format!(
        "coalesce((SELECT hl.target FROM answer h CROSS JOIN link hl ON hl.id = h.list << 20
           WHERE h.key = ({answer}.key >> 32 << 32) | {answer}.redirect AND h.flags & {SYNTHETIC}), {answer}.redirect)"
    )
}

/// The names of the segments that a URL, named by its number, is in, as an SQL expression; NULL for none.
pub fn segments_sql(url: &str) -> String {
    format!(
        "(SELECT q.names FROM segment_url g CROSS JOIN segment_set q ON q.id = g.segments WHERE g.url = {url})"
    )
}

/// Name and `CREATE VIEW` statement of every view of this crate.
pub fn all() -> Vec<(&'static str, String)> {
    let state = UrlState::sql_case("v.state");
    let found = FoundBy::sql_case("v.found");
    let started = iso_sql("c.started");
    let finished = iso_sql("c.finished");
    // A URL that was given up without a request has no moment.
    let asked = iso_sql("NULLIF(a.started, 0)");
    let v_in_crawl = in_crawl("v");
    let a_in_crawl = in_crawl("a");
    let indexability = format!(
        "CASE WHEN v.state = 3 THEN 'blocked-by-robots' WHEN v.state = 2 THEN 'no-response' WHEN v.state <> 1 THEN NULL
         WHEN a.status BETWEEN 300 AND 399 AND a.flags & {SYNTHETIC} = 0 THEN 'redirect' WHEN a.status BETWEEN 400 AND 499 THEN 'client-error' WHEN a.status >= 500 THEN 'server-error'
         WHEN p.key IS NULL THEN 'not-html' ELSE {} END",
        Indexability::sql_case("p.indexability")
    );
    let url_columns = format!(
        "c.id AS crawl, u.text AS url, h.name AS host, v.internal AS internal, {state} AS state, r.value AS reason,
         CASE a.method WHEN 1 THEN 'GET' WHEN 2 THEN 'HEAD' END AS method, a.status AS status, ct.value AS content_type, v.depth AS depth, {found} AS first_seen,
         a.bytes AS bytes, a.transferred AS transferred, a.ttfb_ms AS ttfb_ms, a.total_ms AS total_ms, ru.text AS redirect_target,
         CASE WHEN p.indexability = 1 THEN 1 ELSE 0 END AS indexable, {indexability} AS indexability,
         {asked} AS requested, su.text AS first_source, a.error AS error"
    );
    let url_joins = "LEFT JOIN string ct ON ct.id = a.content_type LEFT JOIN url ru ON ru.id = a.redirect
         LEFT JOIN string r ON r.id = v.reason LEFT JOIN url su ON su.id = v.source";
    let element_position = Position::sql_case("s.position");
    let kind = LinkKind::sql_case("s.kind");
    let raw_href = crate::href::raw_href_sql("l", "tu", "u", "hr");
    let verdict = target_verdict_sql();
    let target_state = UrlState::sql_case("tv.state");
    let failure = FailureKind::sql_case("t.failure");
    let probe_failure = FailureKind::sql_case("q.failure");
    let probed = iso_sql("q.started");
    let moment = iso_sql("w.moment");
    let tried = iso_sql("t.started");
    let robots_moment = iso_sql("r.fetched");
    let expires = iso_sql("t.certificate_expires");
    let valid_from = iso_sql("t.certificate_from");
    let ignored_since = iso_sql("g.made");
    vec![
        (
            "v_crawls",
            format!(
                "CREATE VIEW v_crawls AS SELECT c.id AS crawl, c.job, c.start_url, {started} AS started, {finished} AS finished, c.state, c.encountered, c.fetched,
                 c.failed, c.blocked, c.excluded, c.over_limit, c.not_followed, c.queued, c.reason, c.program, c.profile,
                 (SELECT count(*) FROM confirmation k WHERE {} AND k.done) AS confirmed FROM crawl c",
                in_crawl("k")
            ),
        ),
        (
            "v_urls",
            format!(
                "CREATE VIEW v_urls AS SELECT {url_columns}, d.title, m.inlinks, m.unique_inlinks, {} AS segments, m.link_score
                 FROM crawl c CROSS JOIN visit v ON {v_in_crawl} CROSS JOIN url u ON u.id = v.key & 4294967295
                 CROSS JOIN host h ON h.id = v.host LEFT JOIN answer a ON a.key = v.key LEFT JOIN page p ON p.key = v.key {url_joins}
                 LEFT JOIN document d ON d.id = p.document LEFT JOIN metric m ON m.key = v.key",
                segments_sql("v.key & 4294967295")
            ),
        ),
        (
            "v_responses",
            format!(
                "CREATE VIEW v_responses AS SELECT c.id AS crawl, u.text AS url, CASE a.method WHEN 1 THEN 'GET' WHEN 2 THEN 'HEAD' END AS method, a.status, hv.value AS http_version,
                 rm.value AS remote, {asked} AS requested, a.dns_ms, a.connect_ms, a.ttfb_ms, a.total_ms, a.bytes, a.transferred, a.head_status,
                 a.flags & {TRUNCATED} > 0 AS truncated, a.flags & {INCOMPLETE} > 0 AS incomplete, a.flags & {DECODE_ERROR} > 0 AS undecodable, a.headers, a.error,
                 CASE WHEN a.content_hash IS NOT NULL THEN printf('%016x', a.content_hash) END AS content_hash,
                 a.flags & {NOT_MODIFIED} > 0 AS not_modified
                 FROM crawl c CROSS JOIN answer a ON {a_in_crawl} CROSS JOIN url u ON u.id = a.key & 4294967295
                 LEFT JOIN string hv ON hv.id = a.version LEFT JOIN string rm ON rm.id = a.remote"
            ),
        ),
        (
            "v_pages",
            format!(
                "CREATE VIEW v_pages AS SELECT {url_columns}, d.title, d.title_px, d.description, d.h1, d.canonical, d.robots, d.lang, d.word_count,
                 printf('%016x', d.content_hash) AS content_hash, m.inlinks, m.outlinks, m.link_score,
                 d.title_count, d.description_px, d.description_count, d.h1_count, d.h2, d.h2_count, d.canonical_count, d.charset, d.viewport,
                 d.text_bytes, d.dom_nodes, d.dom_depth, m.unique_inlinks, m.followed_inlinks, m.external_outlinks, d.headings, d.details, {} AS segments,
                 nd.pages AS near_duplicates, nu.text AS near_duplicate_of, nd.similarity, mt.ease AS reading_ease, pw.bytes AS page_bytes, pw.files AS page_files,
                 (SELECT replace(group_concat(DISTINCT n.types), ',', ', ') FROM entity n WHERE n.id BETWEEN p.document << 10 AND (p.document << 10) | 1023 AND n.types <> '') AS structured_types
                 FROM crawl c CROSS JOIN page p ON {} CROSS JOIN visit v ON v.key = p.key CROSS JOIN answer a ON a.key = p.key CROSS JOIN document d ON d.id = p.document
                 CROSS JOIN url u ON u.id = p.key & 4294967295 CROSS JOIN host h ON h.id = v.host LEFT JOIN metric m ON m.key = p.key
                 LEFT JOIN near_duplicate nd ON nd.key = p.key LEFT JOIN url nu ON nu.id = nd.other LEFT JOIN main_text mt ON mt.document = p.document LEFT JOIN page_weight pw ON pw.key = p.key {url_joins}",
                segments_sql("p.key & 4294967295"),
                in_crawl("p")
            ),
        ),
        (
            "v_links",
            format!(
                "CREATE VIEW v_links AS SELECT c.id AS crawl, u.text AS source, tu.text AS target, {kind} AS kind, {raw_href} AS raw_href,
                 an.value AS anchor, s.rel AS rel, {element_position} AS position, s.element AS element, l.line AS line,
                 CASE WHEN k.treatment = 3 AND NOT (c.respect_nofollow AND (s.nofollow OR coalesce(d.nofollow, 0))) THEN 1 ELSE 0 END AS followed,
                 {target_state} AS target_state, ta.status AS target_status,
                 CASE WHEN l.target IS NULL THEN 'invalid' WHEN tv.key IS NULL THEN 'not_checked' ELSE {verdict} END AS verdict,
                 s.window AS window, s.noscript AS in_noscript, tv.internal AS target_internal, tr.value AS target_reason, l.id AS link,
                 {} AS source_segments, {} AS target_segments
                 FROM crawl c CROSS JOIN answer a ON {a_in_crawl} AND a.list IS NOT NULL CROSS JOIN url u ON u.id = a.key & 4294967295
                 CROSS JOIN link l ON l.id BETWEEN a.list << 20 AND (a.list << 20) | 1048575
                 CROSS JOIN link_shape s ON s.id = l.shape
                 LEFT JOIN url tu ON tu.id = l.target LEFT JOIN visit tv ON tv.key = (c.id << 32) | l.target LEFT JOIN answer ta ON ta.key = tv.key
                 LEFT JOIN string tr ON tr.id = tv.reason LEFT JOIN string hr ON hr.id = l.href >> 2 LEFT JOIN string an ON an.id = l.anchor
                 LEFT JOIN link_rule k ON k.crawl = c.id AND k.kind = s.kind AND k.internal = coalesce(tv.internal, 0)
                 LEFT JOIN page p ON p.key = a.key LEFT JOIN document d ON d.id = p.document",
                segments_sql("a.key & 4294967295"),
                segments_sql("l.target")
            ),
        ),
        (
            "v_redirects",
            format!(
                "CREATE VIEW v_redirects AS SELECT c.id AS crawl, u.text AS url, w.key + 1 AS hop, t.text AS hop_url, a.status, f.text AS final_url,
                 fa.status AS final_status, x.hops, x.loop
                 FROM crawl c CROSS JOIN chain x ON {}
                 CROSS JOIN json_each((WITH RECURSIVE walk(hop, url) AS (SELECT 1, x.key & 4294967295
                   UNION ALL SELECT hop + 1, (SELECT {} FROM answer n WHERE n.key = (c.id << 32) | walk.url) FROM walk WHERE hop < x.hops)
                   SELECT json_group_array(url) FROM walk)) w
                 CROSS JOIN answer a ON a.key = (c.id << 32) | w.value CROSS JOIN url u ON u.id = x.key & 4294967295
                 LEFT JOIN url t ON t.id = a.redirect LEFT JOIN url f ON f.id = x.final LEFT JOIN answer fa ON fa.key = (c.id << 32) | x.final",
                in_crawl("x"),
                redirect_target_sql("n")
            ),
        ),
        (
            "v_hosts",
            format!(
                "CREATE VIEW v_hosts AS SELECT t.crawl, h.name AS host, t.requests, t.bytes, t.errors, t.slow_downs, r.state AS robots_status, r.crawl_delay,
                 {expires} AS certificate_expires, h.origin, t.internal, t.total_ms, t.total_ms / max(t.requests, 1) AS mean_ms, t.paused_ms,
                 r.status AS robots_http_status, t.remote, t.version AS http_version, t.certificate_issuer, t.certificate_subject, t.certificate_names,
                 {valid_from} AS certificate_from, t.certificate_fault FROM host_traffic t CROSS JOIN host h ON h.id = t.host LEFT JOIN robots r ON r.crawl = t.crawl AND r.host = t.host"
            ),
        ),
        (
            "v_robots",
            format!(
                "CREATE VIEW v_robots AS SELECT r.crawl, h.origin, h.name AS host, r.state, r.status, r.final_url, r.hops, r.crawl_delay, {robots_moment} AS fetched, CASE WHEN r.state <> 'ok' THEN r.error END AS error,
                 r.flags & 1 AS too_large, r.flags & 2 > 0 AS is_html, CAST(r.body AS TEXT) AS body, length(r.body) AS bytes, r.chain AS redirects,
                 CASE WHEN r.state = 'ok' THEN r.error END AS problems FROM robots r CROSS JOIN host h ON h.id = r.host"
            ),
        ),
        (
            "v_sitemaps",
            "CREATE VIEW v_sitemaps AS SELECT s.crawl, s.url AS sitemap, q.url AS parent, s.status, s.kind, s.entries, s.bytes,
             coalesce(s.problems, (SELECT group_concat(b.code || CASE WHEN b.line > 0 THEN ' (line ' || b.line || ', column ' || b.column || ')' ELSE '' END || ': ' || b.detail, char(10))
               FROM sitemap_problem b WHERE b.sitemap = s.id)) AS problems, s.error, s.gzip, s.truncated
             FROM sitemap s LEFT JOIN sitemap q ON q.id = s.parent"
                .to_owned(),
        ),
        (
            "v_sitemap_problems",
            "CREATE VIEW v_sitemap_problems AS SELECT s.crawl, s.url AS sitemap, b.code, b.line, b.column, b.detail
             FROM sitemap s CROSS JOIN sitemap_problem b ON b.sitemap = s.id"
                .to_owned(),
        ),
        (
            "v_sitemap_entries",
            format!(
                "CREATE VIEW v_sitemap_entries AS SELECT s.crawl, s.url AS sitemap, coalesce(u.text, e.raw) AS url, e.lastmod,
                 CASE WHEN v.key IS NULL THEN 0 ELSE 1 END AS in_crawl, a.status, s.kind = 'index' AS in_index, v.internal, {state} AS state,
                 CASE WHEN p.indexability = 1 THEN 1 ELSE 0 END AS indexable, CASE WHEN v.key IS NOT NULL THEN {indexability} END AS indexability
                 FROM sitemap s CROSS JOIN sitemap_entry e ON e.sitemap = s.id
                 LEFT JOIN url u ON u.id = e.url LEFT JOIN visit v ON v.key = (s.crawl << 32) | e.url LEFT JOIN answer a ON a.key = v.key
                 LEFT JOIN page p ON p.key = v.key"
            ),
        ),
        (
            "v_hreflang",
            format!(
                "CREATE VIEW v_hreflang AS SELECT c.id AS crawl, u.text AS source, an.value AS code, coalesce(tu.text, hr.value) AS target,
                 CASE WHEN s.position = 8 THEN 'header' ELSE 'html' END AS method,
                 CASE WHEN EXISTS (SELECT 1 FROM answer ra CROSS JOIN link rl ON rl.id BETWEEN ra.list << 20 AND (ra.list << 20) | 1048575
                   CROSS JOIN link_shape rs ON rs.id = rl.shape WHERE ra.key = (c.id << 32) | l.target AND rs.kind = 12 AND rl.target = a.key & 4294967295) THEN 1 ELSE 0 END AS returns
                 FROM crawl c CROSS JOIN answer a ON {a_in_crawl} AND a.list IS NOT NULL CROSS JOIN url u ON u.id = a.key & 4294967295
                 CROSS JOIN link l ON l.id BETWEEN a.list << 20 AND (a.list << 20) | 1048575
                 CROSS JOIN link_shape s ON s.id = l.shape AND s.kind = 12
                 LEFT JOIN url tu ON tu.id = l.target LEFT JOIN string an ON an.id = l.anchor LEFT JOIN string hr ON hr.id = l.href >> 2
                 UNION ALL SELECT s.crawl, coalesce(u.text, e.raw), x.code, x.href, 'sitemap', NULL FROM sitemap s CROSS JOIN sitemap_hreflang x ON x.sitemap = s.id
                 CROSS JOIN sitemap_entry e ON e.sitemap = x.sitemap AND e.n = x.n LEFT JOIN url u ON u.id = e.url"
            ),
        ),
        (
            "v_images",
            format!(
                "CREATE VIEW v_images AS SELECT c.id AS crawl, u.text AS source, tu.text AS image, an.value AS alt, i.width, i.height, ta.bytes, ta.status,
                 s.element AS element, l.line AS line
                 FROM crawl c CROSS JOIN answer a ON {a_in_crawl} AND a.list IS NOT NULL CROSS JOIN url u ON u.id = a.key & 4294967295
                 CROSS JOIN link l ON l.id BETWEEN a.list << 20 AND (a.list << 20) | 1048575
                 CROSS JOIN link_shape s ON s.id = l.shape AND s.kind = 4
                 LEFT JOIN url tu ON tu.id = l.target LEFT JOIN string an ON an.id = l.anchor LEFT JOIN image_size i ON i.link = l.id
                 LEFT JOIN answer ta ON ta.key = (c.id << 32) | l.target"
            ),
        ),
        (
            "v_attempts",
            format!(
                "CREATE VIEW v_attempts AS SELECT c.id AS crawl, u.text AS url, t.n AS attempt, CASE t.method WHEN 1 THEN 'GET' ELSE 'HEAD' END AS method,
                 {tried} AS started, t.total_ms, t.status, {failure} AS failure, CASE t.purpose WHEN 1 THEN 'confirm' WHEN 2 THEN 'probe' ELSE 'fetch' END AS purpose
                 FROM crawl c CROSS JOIN attempt t ON t.key BETWEEN c.id << 32 AND (c.id << 32) | 4294967295 CROSS JOIN url u ON u.id = t.key & 4294967295"
            ),
        ),
        (
            "v_problems",
            format!(
                "CREATE VIEW v_problems AS SELECT c.id AS crawl, u.text AS url, b.code, b.line, b.detail
                 FROM crawl c CROSS JOIN problem b ON {} CROSS JOIN url u ON u.id = b.key & 4294967295",
                in_crawl("b")
            ),
        ),
        (
            "v_flaws",
            format!(
                "CREATE VIEW v_flaws AS SELECT c.id AS crawl, u.text AS url, {} AS kind, w.line, e.value AS element, w.detail
                 FROM crawl c CROSS JOIN page p ON {} CROSS JOIN flaw w ON w.document = p.document CROSS JOIN url u ON u.id = p.key & 4294967295
                 LEFT JOIN string e ON e.id = w.element",
                FlawKind::sql_case("w.kind"),
                in_crawl("p")
            ),
        ),
        (
            "v_structured",
            format!(
                "CREATE VIEW v_structured AS SELECT c.id AS crawl, u.text AS url, {} AS syntax, n.types AS type, n.line, e.value AS element, n.problems, n.data
                 FROM crawl c CROSS JOIN page p ON {} CROSS JOIN entity n ON n.id BETWEEN p.document << 10 AND (p.document << 10) | 1023
                 CROSS JOIN url u ON u.id = p.key & 4294967295 LEFT JOIN string e ON e.id = n.element",
                Syntax::sql_case("n.syntax"),
                in_crawl("p")
            ),
        ),
        (
            "v_probes",
            format!(
                "CREATE VIEW v_probes AS SELECT q.crawl, q.kind, q.subject, q.state, CASE q.method WHEN 1 THEN 'GET' WHEN 2 THEN 'HEAD' END AS method, q.status,
                 {probe_failure} AS reason, q.redirect AS redirect_target, q.content_type, q.bytes, d.title, d.word_count, {probed} AS requested, q.total_ms, q.detail
                 FROM probe q LEFT JOIN document d ON d.id = q.document"
            ),
        ),
        (
            "v_agents",
            format!(
                "CREATE VIEW v_agents AS SELECT c.id AS crawl, u.text AS url, a.status, {} AS indexability, k.status AS second_status, {} AS second_indexability,
                 {} AS second_reason, k.redirect AS second_redirect_target, {} AS requested, k.total_ms
                 FROM crawl c CROSS JOIN agent_check k ON {} CROSS JOIN url u ON u.id = k.key & 4294967295 LEFT JOIN answer a ON a.key = k.key
                 LEFT JOIN page p ON p.key = k.key",
                Indexability::sql_case("p.indexability"),
                Indexability::sql_case("k.indexability"),
                FailureKind::sql_case("k.failure"),
                iso_sql("nullif(k.started, 0)"),
                in_crawl("k")
            ),
        ),
        (
            "v_traps",
            "CREATE VIEW v_traps AS SELECT t.crawl, t.pattern, t.kind, t.why, t.kept AS kept_back, t.allowed, t.examples FROM trap t".to_owned(),
        ),
        (
            "v_ignored",
            format!(
                "CREATE VIEW v_ignored AS SELECT g.id AS number, g.audit, g.kind, g.subject, g.target, g.reason, {ignored_since} AS made, g.until,
                 g.until IS NOT NULL AND g.until <= CURRENT_DATE AS expired FROM ignored g"
            ),
        ),
        (
            "v_rechecks",
            "CREATE VIEW v_rechecks AS SELECT r.crawl, k.base, r.audit, u.text AS url, r.element, t.text AS target, r.result, r.why
             FROM recheck k CROSS JOIN recheck_finding r ON r.crawl = k.crawl CROSS JOIN url u ON u.id = r.url LEFT JOIN url t ON t.id = r.target"
                .to_owned(),
        ),
        (
            "v_changes",
            format!(
                "CREATE VIEW v_changes AS SELECT k.later AS crawl, k.earlier, {} AS change, u.text AS url, c.before, c.after, (SELECT h.name FROM host h WHERE h.id = u.host) AS host, v.internal, {} AS segments, k.mapping
                 FROM comparison k CROSS JOIN change c ON c.comparison = k.id CROSS JOIN url u ON u.id = c.url
                 LEFT JOIN visit v ON v.key = (k.later << 32) | c.url",
                ChangeKind::sql_case("c.kind"),
                segments_sql("c.url")
            ),
        ),
        (
            "v_lives",
            format!(
                "CREATE VIEW v_lives AS SELECT y.crawl, n.name AS audit, u.text AS url, CASE WHEN y.judged < y.crawl THEN 'not-rechecked' ELSE {0} END AS life, {0} AS last_known,
                 y.absent, y.judged AS last_looked_for, n.family, n.severity, n.priority, {1} AS segments
                 FROM life y CROSS JOIN audit n ON n.id = y.audit CROSS JOIN url u ON u.id = y.url",
                Life::sql_case("y.state"),
                segments_sql("y.url")
            ),
        ),
        (
            "v_warnings",
            format!("CREATE VIEW v_warnings AS SELECT w.crawl, {moment} AS moment, w.code, w.subject, w.detail FROM warning w"),
        ),
        (
            "v_segments",
            "CREATE VIEW v_segments AS SELECT n AS position, name AS segment, patterns FROM segment".to_owned(),
        ),
        (
            "v_custom",
            format!(
                "CREATE VIEW v_custom AS SELECT c.id AS crawl, u.text AS url, f.name, x.value, x.n, f.kind
                 FROM crawl c CROSS JOIN custom_value x ON {} CROSS JOIN custom_field f ON f.id = x.field CROSS JOIN url u ON u.id = x.key & 4294967295",
                in_crawl("x")
            ),
        ),
    ]
}
