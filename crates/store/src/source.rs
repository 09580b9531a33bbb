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

/// What of a link's target a condition is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetTrait {
    /// What the crawl knows of it.
    Visit,
    /// Its text.
    Name,
}

/// The keys of all rows of a crawl (`?1`).
pub(crate) struct AllKeys {
    /// `a`, `b`, `c`, and, where there are runs, how many rows follow one another from there.
    pub(crate) sql: &'static str,
    pub(crate) count: &'static str,
    pub(crate) steps: Steps,
}

/// How the rows of a run follow one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Steps {
    /// There are no runs: each row stands for itself.
    One,
    /// Each has the next `a`.
    A,
    /// Each has the next `b`.
    B,
}

/// Name of the temporary table that holds the gathered rows of [`Source::ProblemTargets`].
pub(crate) const GATHERED: &str = "gathered";

/// SQL over the columns of a table of URLs: 1 where a sitemap of the crawl lists the URL, else 0. No index leads from a URL to
/// the entries that name it, so they are gathered once where this is asked, rather than gone through for every row.
pub const IN_SITEMAP: &str = "(row_url IN (SELECT url FROM temp.listed))";

/// SELECT of the URLs that the sitemaps of a crawl list, once for each entry; `?1` is the crawl. What an index names are
/// sitemaps.
pub const LISTED_SQL: &str = "SELECT e.url FROM sitemap s CROSS JOIN sitemap_entry e ON e.sitemap = s.id
     WHERE s.crawl = ?1 AND s.kind IS NOT 'index' AND e.url IS NOT NULL";

impl Source {
    /// A SELECT of all rows of all crawls.
    pub(crate) fn rows(&self) -> String {
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
                 g.pages AS pages, fu.text AS final_url, fa.status AS final_status, x.loop AS loop
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
    pub(crate) fn picked_rows(&self) -> Option<String> {
        if !self.has_targets() {
            return None;
        }
        Some(
            self.rows()
                .replacen(
                    "FROM crawl c CROSS JOIN answer a ON ",
                    "FROM temp.picked k9 CROSS JOIN crawl c CROSS JOIN answer a ON a.key = k9.a AND ",
                    1,
                )
                .replacen("CROSS JOIN link l ON ", "CROSS JOIN link l ON l.id = k9.b AND ", 1),
        )
    }

    /// Whether a row is an occurrence of a link, with a page and a target.
    pub(crate) const fn has_targets(&self) -> bool {
        matches!(self, Self::Links | Self::Images)
    }

    /// The condition that finds one row again: `?2`, `?3` and `?4` are its `row_a`, `row_b` and `row_c`.
    pub(crate) const fn lookup(&self) -> &'static str {
        match self {
            Self::Urls | Self::Pages | Self::Hosts => "row_a = ?2",
            Self::Links | Self::Images | Self::ProblemTargets | Self::Redirects => {
                "row_a = ?2 AND row_b = ?3"
            }
            Self::SitemapEntries => "row_c = ?4 AND row_b = ?3",
            Self::Findings(_) => "row_url = ?2 & 4294967295 AND row_b = ?3 AND row_c = ?4",
        }
    }

    /// The order in which the rows stand in the file, which costs nothing, and in which equal rows of another order stand.
    pub(crate) const fn natural_order(&self) -> &'static str {
        match self {
            Self::Urls | Self::Pages | Self::Hosts => "row_a",
            Self::Links | Self::Images | Self::ProblemTargets | Self::Redirects => "row_a, row_b",
            Self::SitemapEntries => "row_c, row_b",
            Self::Findings(_) => "row_c, row_url, row_b",
        }
    }

    /// A shorter way to the keys of all rows in their natural order, where there is one.
    pub(crate) const fn all_keys(&self) -> Option<AllKeys> {
        match self {
            Self::Urls => Some(AllKeys {
                sql: "SELECT key, 0, 0, 1 FROM visit WHERE key BETWEEN ?1 << 32 AND (?1 << 32) | 4294967295 ORDER BY key",
                count: "SELECT count(*) FROM visit WHERE key BETWEEN ?1 << 32 AND (?1 << 32) | 4294967295",
                steps: Steps::A,
            }),
            Self::Pages => Some(AllKeys {
                sql: "SELECT key, 0, 0, 1 FROM page WHERE key BETWEEN ?1 << 32 AND (?1 << 32) | 4294967295 ORDER BY key",
                count: "SELECT count(*) FROM page WHERE key BETWEEN ?1 << 32 AND (?1 << 32) | 4294967295",
                steps: Steps::A,
            }),
            Self::Links => Some(AllKeys {
                sql: "SELECT a.key, a.list << 20, 0, t.links FROM answer a CROSS JOIN link_list t ON t.id = a.list
                      WHERE a.key BETWEEN ?1 << 32 AND (?1 << 32) | 4294967295 AND a.list IS NOT NULL AND t.links > 0 ORDER BY a.key",
                count: "SELECT coalesce(sum(t.links), 0) FROM answer a CROSS JOIN link_list t ON t.id = a.list
                        WHERE a.key BETWEEN ?1 << 32 AND (?1 << 32) | 4294967295",
                steps: Steps::B,
            }),
            Self::Findings(_) => Some(AllKeys {
                sql: "SELECT (crawl << 32) | url, ref, audit FROM finding WHERE crawl = ?1 ORDER BY audit, url, ref",
                count: "SELECT count(*) FROM finding WHERE crawl = ?1",
                steps: Steps::One,
            }),
            _ => None,
        }
    }

    /// A SELECT of the numbers of URLs, as `url`, with what a table of links says of its targets: what a visit tells of them, or
    /// what they are named. A condition on these columns that NULL does not fulfil then picks the targets of all links that
    /// fulfil it, without a look at the links. `?1` is the crawl.
    pub(crate) fn targets(&self, trait_of: TargetTrait) -> Option<String> {
        let columns = match (self, trait_of) {
            (Self::Links, TargetTrait::Visit) => format!(
                "{} AS target_state, ta.status AS target_status, {} AS verdict, tv.internal AS target_internal, r.value AS target_reason",
                model::UrlState::sql_case("tv.state"),
                views::target_verdict_sql()
            ),
            (Self::Images, TargetTrait::Visit) => "ta.status AS status, ta.bytes AS bytes".to_owned(),
            (Self::Links, TargetTrait::Name) => {
                return Some("SELECT id AS url, text AS target FROM url".to_owned());
            }
            (Self::Images, TargetTrait::Name) => {
                return Some("SELECT id AS url, text AS image FROM url".to_owned());
            }
            _ => return None,
        };
        Some(format!(
            "SELECT tv.key & 4294967295 AS url, {columns} FROM visit tv LEFT JOIN answer ta ON ta.key = tv.key
             LEFT JOIN string r ON r.id = tv.reason WHERE tv.key BETWEEN ?1 << 32 AND (?1 << 32) | 4294967295"
        ))
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
            format!(
                "temp.suspect t CROSS JOIN link l ON l.target = t.url CROSS JOIN answer a ON a.list = l.id >> 20 AND a.key {crawl}"
            )
        } else {
            format!(
                "answer a CROSS JOIN link l ON l.id BETWEEN a.list << 20 AND (a.list << 20) | 1048575 CROSS JOIN temp.suspect t ON t.url = l.target \
                 AND a.key {crawl} AND a.list IS NOT NULL"
            )
        };
        let malformed = if indexed {
            format!("link l CROSS JOIN answer a ON a.list = l.id >> 20 AND a.key {crawl}")
        } else {
            format!(
                "answer a CROSS JOIN link l ON l.id BETWEEN a.list << 20 AND (a.list << 20) | 1048575 AND a.key {crawl} AND a.list IS NOT NULL"
            )
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

const LINK_KEYS: &str =
    "a.key AS row_a, l.id AS row_b, 0 AS row_c, a.key & 4294967295 AS row_url, l.target AS row_target";

/// A view's SELECT with the keys before its columns.
fn keyed(view: &str, keys: &str) -> String {
    let statement =
        views::all().into_iter().find(|(name, _)| *name == view).map_or_else(String::new, |(_, sql)| sql);
    let select = statement.split_once(" AS SELECT ").map_or("", |(_, select)| select);
    ["url u", "host h"].iter().fold(format!("SELECT {keys}, {select}"), |sql, table| loose(&sql, table))
}

/// An inner join that always finds its row, as an outer one.
fn loose(sql: &str, table: &str) -> String {
    sql.replacen(&format!("CROSS JOIN {table} ON "), &format!("LEFT JOIN {table} ON "), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEWS: [Source; 7] = [
        Source::Urls,
        Source::Pages,
        Source::Links,
        Source::Images,
        Source::Redirects,
        Source::Hosts,
        Source::SitemapEntries,
    ];

    /// The SQL is made from that of the views: where their text changes, the changes made to it here must still apply.
    #[test]
    fn keys_stand_before_the_columns_of_every_view() {
        for source in VIEWS {
            let sql = source.rows();
            for key in ["row_a", "row_b", "row_c", "row_url"] {
                assert_eq!(sql.matches(&format!(" AS {key},")).count(), 1, "{source:?} {key}");
            }
            assert!(sql.len() > 200 && !sql.contains("CREATE VIEW"), "{sql}");
            assert!(!sql.contains("CROSS JOIN url u ON") && !sql.contains("CROSS JOIN host h ON"), "{sql}");
            assert_eq!(sql.contains(" AS row_target,"), source.has_targets(), "{source:?}");
        }
        for table in ["visit v", "answer a", "document d"] {
            assert!(Source::Pages.rows().contains(&format!("LEFT JOIN {table} ON")), "{table}");
        }
    }

    #[test]
    fn picked_links_are_gone_through_first() {
        for source in VIEWS {
            let Some(sql) = source.picked_rows() else {
                assert!(!source.has_targets());
                continue;
            };
            for part in ["FROM temp.picked k9 CROSS JOIN crawl c", "a.key = k9.a AND", "l.id = k9.b AND"] {
                assert_eq!(sql.matches(part).count(), 1, "{source:?} {part}");
            }
        }
    }
}
