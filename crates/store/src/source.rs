//! Where the rows of tables come from: the documented views with the keys of their rows.
//!
//! The SQL is made from the views' own, so that a table and the view of its name cannot tell different things. Two
//! changes are made to it: the keys that a view hides are put before its columns, and look-ups that always find their row
//! become outer joins, which SQLite leaves out where none of their columns is asked for. An ordering by one number then
//! reads one table.
//!
//! The columns put before a view's own are `row_a`, `row_b` and `row_c`, which together are the key of a row, `row_url`, the
//! number of the URL that it is about, and `row_target`, the number of a link's target.

use crate::views;

/// The rows of a table. `?1` is the crawl in all of its SQL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    Urls,
    Pages,
    Links,
    Images,
    /// Links grouped by what they lead to, where that is a problem. Has to be gathered first: [`Source::gathering`].
    ProblemTargets,
    Redirects,
    Hosts,
    SitemapEntries,
    /// Findings, as the SELECT that a higher crate knows. It has the columns `crawl`, `url_id`, `link` and `audit_id` to choose
    /// from, and begins with the word SELECT.
    Findings(String),
}

/// Name of the temporary table that holds the gathered rows of [`Source::ProblemTargets`].
pub(crate) const GATHERED: &str = "gathered";

impl Source {
    /// A SELECT of all rows of all crawls.
    pub fn rows(&self) -> String {
        match self {
            Self::Urls => keyed("v_urls", "v.key AS row_a, 0 AS row_b, 0 AS row_c, v.key & 4294967295 AS row_url"),
            Self::Pages => ["visit v", "answer a", "document d"]
                .iter()
                .fold(keyed("v_pages", "p.key AS row_a, 0 AS row_b, 0 AS row_c, p.key & 4294967295 AS row_url"), |sql, table| loose(&sql, table)),
            Self::Links => loose(&keyed("v_links", LINK_KEYS), "link_shape s"),
            Self::Images => keyed("v_images", LINK_KEYS),
            Self::Redirects => {
                keyed("v_redirects", "x.key AS row_a, w.key + 1 AS row_b, 0 AS row_c, x.key & 4294967295 AS row_url")
            }
            Self::Hosts => {
                keyed("v_hosts", "t.host AS row_a, 0 AS row_b, 0 AS row_c, 0 AS row_url")
            }
            Self::SitemapEntries => keyed(
                "v_sitemap_entries",
                "coalesce(v.key, 0) AS row_a, e.n AS row_b, s.id AS row_c, e.url AS row_url",
            ),
            Self::ProblemTargets => format!(
                "SELECT g.a AS row_a, g.b AS row_b, 0 AS row_c, nullif(g.a & 4294967295, 0) AS row_url, g.crawl AS crawl, coalesce(u.text, g.text) AS target,
                 g.verdict AS verdict, ta.status AS status, r.value AS reason, tv.internal AS internal, g.kinds AS kinds, g.occurrences AS occurrences,
                 g.pages AS pages, fu.text AS final_url, fa.status AS final_status
                 FROM temp.{GATHERED} g LEFT JOIN visit tv ON tv.key = g.a LEFT JOIN url u ON u.id = g.a & 4294967295 LEFT JOIN answer ta ON ta.key = g.a
                 LEFT JOIN string r ON r.id = tv.reason LEFT JOIN chain x ON x.key = g.a LEFT JOIN url fu ON fu.id = x.final
                 LEFT JOIN answer fa ON fa.key = (g.a >> 32 << 32) | x.final"
            ),
            Self::Findings(select) => select.replacen(
                "SELECT ",
                "SELECT (crawl << 32) | url_id AS row_a, link AS row_b, audit_id AS row_c, url_id AS row_url, ",
                1,
            ),
        }
    }

    /// The same rows, but only those that stand in the temporary table `picked(a, b)`, which is gone through first. Only
    /// occurrences of links can be picked.
    pub fn picked_rows(&self) -> Option<String> {
        if !self.has_targets() {
            return None;
        }
        Some(
            self.rows()
                .replacen("FROM crawl c CROSS JOIN answer a ON ", "FROM temp.picked k9 CROSS JOIN crawl c CROSS JOIN answer a ON a.key = k9.a AND ", 1)
                .replacen("CROSS JOIN link l ON ", "CROSS JOIN link l ON l.id = k9.b AND ", 1),
        )
    }

    /// Whether a row is an occurrence of a link, with a page and a target.
    pub const fn has_targets(&self) -> bool {
        matches!(self, Self::Links | Self::Images)
    }

    /// Whether a row is about a URL.
    pub const fn has_urls(&self) -> bool {
        !matches!(self, Self::Hosts)
    }

    /// The condition that finds one row again: `?2`, `?3` and `?4` are its `row_a`, `row_b` and `row_c`.
    pub const fn lookup(&self) -> &'static str {
        match self {
            Self::Urls | Self::Pages | Self::Hosts => "row_a = ?2",
            Self::Links | Self::Images | Self::ProblemTargets | Self::Redirects => "row_a = ?2 AND row_b = ?3",
            Self::SitemapEntries => "row_c = ?4 AND row_b = ?3",
            Self::Findings(_) => "row_url = ?2 & 4294967295 AND row_b = ?3 AND row_c = ?4",
        }
    }

    /// The order in which the rows stand in the file, which costs nothing, and in which equal rows of another order stand.
    pub const fn natural_order(&self) -> &'static str {
        match self {
            Self::Urls | Self::Pages | Self::Hosts => "row_a",
            Self::Links | Self::Images | Self::ProblemTargets | Self::Redirects => "row_a, row_b",
            Self::SitemapEntries => "row_c, row_b",
            Self::Findings(_) => "row_c, row_url, row_b",
        }
    }

    /// A shorter way to the keys of all rows in their natural order, where there is one: `a`, `b`, `c`, and how many rows follow
    /// one another from there, each with the next `b`.
    pub(crate) const fn all_keys(&self) -> Option<&'static str> {
        match self {
            Self::Links => Some(
                "SELECT a.key, a.list << 20, 0, t.links FROM answer a CROSS JOIN link_list t ON t.id = a.list
                 WHERE a.key BETWEEN ?1 << 32 AND (?1 << 32) | 4294967295 AND a.list IS NOT NULL AND t.links > 0 ORDER BY a.key",
            ),
            _ => None,
        }
    }

    /// Statements that gather rows which are made of many others, into `name`; each takes the crawl as `?1`.
    /// `indexed`: the way back from a target to its links is indexed.
    pub(crate) fn gathering(&self, name: &str, indexed: bool) -> Vec<String> {
        if *self != Self::ProblemTargets {
            return Vec::new();
        }
        let verdict = views::target_verdict_sql();
        let kind = model::LinkKind::sql_case("s.kind");
        let crawl = "BETWEEN ?1 << 32 AND (?1 << 32) | 4294967295";
        // From the few targets that are problems to their links, or, while nothing leads back, through all links.
        let occurrences = if indexed {
            format!("temp.suspect t CROSS JOIN link l ON l.target = t.url CROSS JOIN answer a ON a.list = l.id >> 20 AND a.key {crawl}")
        } else {
            format!(
                "answer a CROSS JOIN link l ON l.id BETWEEN a.list << 20 AND (a.list << 20) | 1048575 CROSS JOIN temp.suspect t ON t.url = l.target \
                 AND a.key {crawl} AND a.list IS NOT NULL"
            )
        };
        let malformed = if indexed {
            format!("link l CROSS JOIN answer a ON a.list = l.id >> 20 AND a.key {crawl}")
        } else {
            format!("answer a CROSS JOIN link l ON l.id BETWEEN a.list << 20 AND (a.list << 20) | 1048575 AND a.key {crawl} AND a.list IS NOT NULL")
        };
        vec![
            format!("DROP TABLE IF EXISTS temp.{name}"),
            format!(
                "CREATE TEMP TABLE {name}(crawl INTEGER, a INTEGER, b INTEGER, verdict TEXT, text TEXT, kinds TEXT, occurrences INTEGER, pages INTEGER,
                 PRIMARY KEY(a, b)) WITHOUT ROWID"
            ),
            "DROP TABLE IF EXISTS temp.suspect".to_owned(),
            "CREATE TEMP TABLE suspect(url INTEGER PRIMARY KEY, verdict TEXT)".to_owned(),
            format!(
                "INSERT INTO temp.suspect SELECT tv.key & 4294967295, {verdict} FROM visit tv LEFT JOIN answer ta ON ta.key = tv.key
                 WHERE tv.key {crawl} AND (tv.state IN (2, 3) OR tv.state = 1 AND ta.status >= 300) AND {verdict} IN ('broken', 'unverified', 'blocked')"
            ),
            format!(
                "INSERT INTO temp.{name} SELECT ?1, (?1 << 32) | t.url, 0, t.verdict, NULL, replace(group_concat(DISTINCT {kind}), ',', ', '), count(*), count(DISTINCT a.key)
                 FROM {occurrences} CROSS JOIN link_shape s ON s.id = l.shape GROUP BY t.url"
            ),
            format!(
                "INSERT INTO temp.{name} SELECT ?1, 0, min(l.id), 'invalid', h.value, replace(group_concat(DISTINCT {kind}), ',', ', '), count(*), count(DISTINCT a.key)
                 FROM {malformed} CROSS JOIN link_shape s ON s.id = l.shape LEFT JOIN string h ON h.id = l.href >> 2 WHERE l.target IS NULL GROUP BY h.value"
            ),
            "DROP TABLE temp.suspect".to_owned(),
        ]
    }
}

const LINK_KEYS: &str = "a.key AS row_a, l.id AS row_b, 0 AS row_c, a.key & 4294967295 AS row_url, l.target AS row_target";

/// A view's SELECT with the keys before its columns.
fn keyed(view: &str, keys: &str) -> String {
    let statement = views::all().into_iter().find(|(name, _)| *name == view).map_or_else(String::new, |(_, sql)| sql);
    let select = statement.split_once(" AS SELECT ").map_or("", |(_, select)| select);
    ["url u", "host h"].iter().fold(format!("SELECT {keys}, {select}"), |sql, table| loose(&sql, table))
}

/// An inner join that always finds its row, as an outer one.
fn loose(sql: &str, table: &str) -> String {
    sql.replacen(&format!("CROSS JOIN {table} ON "), &format!("LEFT JOIN {table} ON "), 1)
}
