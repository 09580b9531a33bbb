//! What tables there are, and what is known of their columns: the one list that headings, filters, sorting, help and exports
//! derive from.

use super::dto::{ColumnCard, ColumnKind, Sort, TableCard};
use super::problem_reason::problem_reason;
use super::{columns, fields};
use crate::error::EngineError;
use model::state::{FoundBy, Indexability, UrlState, Verdict};
use model::{LinkKind, Position};
use store::{Source, TargetTrait};

/// A table: where its rows come from and how they are told.
pub(super) struct Table {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    /// The documented view that has these rows, or the beginning of them.
    pub(super) view: &'static str,
    /// Columns that the view does not have, and a query over the documented views, in parentheses, that has them too.
    pub(super) beyond: Option<(&'static [&'static str], &'static str)>,
    pub(super) columns: &'static [Column],
    /// The column that it is sorted by unless another is asked for, the greatest first; `None` for the order of the file.
    pub(super) greatest_first: Option<&'static str>,
    /// Where `search` looks.
    pub(super) search: &'static [&'static str],
    pub(super) rows: Rows,
}

/// Which rows of the project file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rows {
    Urls,
    Pages,
    Links,
    ProblemTargets,
    Findings,
    Redirects,
    Images,
    Hosts,
    SitemapEntries,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    pub(super) id: &'static str,
    pub(super) label: &'static str,
    pub(super) kind: ColumnKind,
    pub(super) width: u32,
    pub(super) shown: bool,
    pub(super) quick: bool,
    pub(super) help: &'static str,
    pub(super) choices: Choices,
    /// SQL over the columns of the source, where it is more than the column of this name.
    pub(super) sql: Option<&'static str>,
}

/// Closed vocabularies. Where `ranked`, their order is the order of sorting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choices {
    Open,
    State,
    Method,
    FoundBy,
    Indexability,
    Verdict,
    Problem,
    LinkKind,
    Position,
    Audit,
    Family,
    Severity,
    Priority,
    Life,
    RobotsState,
    /// The segments of the project, which its catalogue names; a cell has the names of all that a URL is in.
    Segment,
}

impl Choices {
    pub(super) fn words(self) -> Vec<&'static str> {
        match self {
            Self::Open | Self::Segment => Vec::new(),
            Self::State => UrlState::ALL.iter().map(|state| state.word()).collect(),
            Self::Method => vec!["GET", "HEAD"],
            Self::FoundBy => FoundBy::ALL.iter().map(|found| found.word()).collect(),
            Self::Indexability => Indexability::ALL.iter().map(|reason| reason.word()).collect(),
            Self::Verdict => Verdict::ALL.iter().map(|verdict| verdict.word()).collect(),
            Self::Problem => [Verdict::Broken, Verdict::Unverified, Verdict::Blocked, Verdict::Invalid]
                .iter()
                .map(|verdict| verdict.word())
                .collect(),
            Self::LinkKind => LinkKind::ALL.iter().map(|kind| kind.word()).collect(),
            Self::Position => Position::ALL.iter().map(|position| position.word()).collect(),
            Self::Audit => audit::catalogue().iter().map(|audit| audit.id).collect(),
            Self::Family => {
                let mut families: Vec<&str> =
                    audit::catalogue().iter().map(|audit| audit.family.word()).collect();
                families.dedup();
                families
            }
            Self::Severity => vec!["issue", "warning", "opportunity", "note"],
            Self::Priority => vec!["high", "medium", "low"],
            Self::Life => vec![model::Life::Open.word(), model::Life::Regressed.word()],
            Self::RobotsState => vec!["ok", "missing", "unreachable", "throttled"],
        }
    }

    /// Whether the words go from most to least, so that sorting by letters would mean nothing.
    pub(super) const fn ranked(self) -> bool {
        matches!(self, Self::Severity | Self::Priority)
    }
}

impl Column {
    /// What gives the cell, as SQL over the columns of the source.
    pub(super) fn expression(&self) -> String {
        self.sql.map_or_else(|| format!("\"{}\"", self.id), str::to_owned)
    }

    pub(super) fn card(&self) -> ColumnCard {
        ColumnCard {
            id: self.id.to_owned(),
            label: self.label.to_owned(),
            kind: self.kind,
            width: self.width,
            shown: self.shown,
            quick: self.quick,
            help: self.help.to_owned(),
            choices: self.choices.words().into_iter().map(str::to_owned).collect(),
        }
    }
}

impl Table {
    pub(super) fn column(&self, id: &str) -> Result<&'static Column, EngineError> {
        if self.has_fields()
            && let Some(column) = fields::column(id)
        {
            return Ok(column);
        }
        self.columns.iter().find(|column| column.id == id).ok_or_else(|| {
            let all: Vec<&str> = self.columns.iter().map(|column| column.id).collect();
            EngineError::Usage(format!(
                "the table {} has no column “{id}”; it has {}",
                self.id,
                all.join(", ")
            ))
        })
    }

    /// Whether what a person looks for in pages can be columns of it.
    pub(super) const fn has_fields(&self) -> bool {
        matches!(self.rows, Rows::Urls | Rows::Pages)
    }

    /// The order that is meant where none is asked for.
    pub(super) fn default_sort(&self) -> Option<Sort> {
        self.greatest_first.map(|column| Sort { column: column.to_owned(), descending: true })
    }

    pub(super) fn source(&self) -> Source {
        match self.rows {
            Rows::Urls => Source::Urls,
            Rows::Pages => Source::Pages,
            Rows::Links => Source::Links,
            Rows::ProblemTargets => Source::ProblemTargets,
            Rows::Redirects => Source::Redirects,
            Rows::Images => Source::Images,
            Rows::Hosts => Source::Hosts,
            Rows::SitemapEntries => Source::SitemapEntries,
            Rows::Findings => Source::Findings(findings()),
        }
    }

    /// Of occurrences of links: the columns of the view that have the page and the target.
    pub(super) const fn ends(&self) -> Option<(&'static str, &'static str)> {
        match self.rows {
            Rows::Links => Some(("source", "target")),
            Rows::Images => Some(("source", "image")),
            _ => None,
        }
    }

    /// Columns that say something of a link's target, not of the link: what the crawl knows of it, and what it is named.
    pub(super) const fn target_columns(&self) -> [(TargetTrait, &'static [&'static str]); 2] {
        let (visit, name): (&[&str], &[&str]) = match self.rows {
            Rows::Links => (
                &["verdict", "target_status", "target_state", "target_internal", "target_reason"],
                &["target"],
            ),
            Rows::Images => (&["status", "bytes"], &["image"]),
            _ => (&[], &[]),
        };
        [(TargetTrait::Visit, visit), (TargetTrait::Name, name)]
    }

    /// The column of the view that has the URL which a row is about.
    pub(super) const fn url_column(&self) -> Option<&'static str> {
        match self.rows {
            Rows::Hosts => None,
            Rows::ProblemTargets => Some("target"),
            Rows::Links | Rows::Images => Some("source"),
            _ => Some("url"),
        }
    }

    fn card(&self) -> TableCard {
        TableCard {
            id: self.id.to_owned(),
            title: self.title.to_owned(),
            columns: self.columns.iter().map(Column::card).collect(),
            sort: self.default_sort(),
        }
    }
}

/// The view of findings with what tables show beside them.
fn findings() -> String {
    let view = audit::issues_view_sql();
    let select = view.split_once(" AS SELECT ").map_or("", |(_, select)| select);
    format!("SELECT status AS status, title AS title, {select}")
}

/// Every table, for the window. `segments` are the names of those that the project has, `fields` what it looks for in pages,
/// `audits` the ids of its own audits.
pub(super) fn cards(segments: &[String], fields: &[store::FieldRow], audits: &[String]) -> Vec<TableCard> {
    let with_segments = |table: &Table| {
        let mut card = table.card();
        for (column, card) in table.columns.iter().zip(&mut card.columns) {
            if column.choices == Choices::Segment {
                card.choices = segments.to_vec();
            }
            if column.choices == Choices::Audit {
                card.choices.extend_from_slice(audits);
            }
            if column.choices == Choices::Family && !audits.is_empty() {
                card.choices.push(store::CUSTOM_FAMILY.to_owned());
            }
        }
        if table.has_fields() {
            card.columns.extend(fields.iter().filter_map(fields::card));
        }
        card
    };
    TABLES.iter().map(with_segments).collect()
}

pub(super) fn find(id: &str) -> Result<&'static Table, EngineError> {
    TABLES.iter().find(|table| table.id == id).ok_or_else(|| {
        let all: Vec<&str> = TABLES.iter().map(|table| table.id).collect();
        EngineError::Usage(format!("there is no table “{id}”; there are {}", all.join(", ")))
    })
}

pub(super) static TABLES: &[Table] = &[
    Table {
        id: "urls",
        title: "URLs",
        view: "v_urls",
        beyond: Some((
            &["in_sitemap"],
            "(SELECT u.*, l.url IS NOT NULL AS in_sitemap FROM v_urls u LEFT JOIN (SELECT DISTINCT crawl, url FROM v_sitemap_entries \
             WHERE in_index IS NOT 1) l ON l.crawl = u.crawl AND l.url = u.url)",
        )),
        columns: columns::URLS,
        greatest_first: None,
        search: &["url", "title"],
        rows: Rows::Urls,
    },
    Table {
        id: "pages",
        title: "Pages",
        view: "v_pages",
        beyond: None,
        columns: columns::PAGES,
        greatest_first: None,
        search: &["url", "title", "h1"],
        rows: Rows::Pages,
    },
    Table {
        id: "links",
        title: "Links",
        view: "v_links",
        beyond: None,
        columns: columns::LINKS,
        greatest_first: None,
        search: &["source", "target", "anchor"],
        rows: Rows::Links,
    },
    Table {
        id: "problem_targets",
        title: "Problem targets",
        view: "(SELECT crawl, CASE WHEN verdict = 'invalid' THEN raw_href ELSE target END AS target, verdict, target_status AS status, target_reason AS reason, \
               target_internal AS internal, group_concat(DISTINCT kind) AS kinds, count(*) AS occurrences, count(DISTINCT source) AS pages FROM v_links \
               WHERE verdict IN ('broken', 'unverified', 'blocked', 'invalid') GROUP BY crawl, verdict, CASE WHEN verdict = 'invalid' THEN raw_href ELSE target END)",
        beyond: Some((
            &["reason", "kinds", "final_url", "final_status"],
            concat!(
                "(SELECT l.crawl, CASE WHEN verdict = 'invalid' THEN raw_href ELSE target END AS target, verdict, target_status AS status, ",
                problem_reason!("target_reason", "target_status"),
                " AS reason, target_internal AS internal, replace(group_concat(DISTINCT kind), ',', ', ') AS kinds, count(*) AS occurrences, \
                 count(DISTINCT source) AS pages, r.final_url, r.final_status FROM v_links l \
                 LEFT JOIN v_redirects r ON r.crawl = l.crawl AND r.url = l.target AND r.hop = 1 \
                 WHERE verdict IN ('broken', 'unverified', 'blocked', 'invalid') \
                 GROUP BY l.crawl, verdict, CASE WHEN verdict = 'invalid' THEN raw_href ELSE target END)"
            ),
        )),
        columns: columns::PROBLEM_TARGETS,
        greatest_first: Some("occurrences"),
        search: &["target"],
        rows: Rows::ProblemTargets,
    },
    Table {
        id: "findings",
        title: "Findings",
        view: "v_issues",
        beyond: Some((
            &["evidence", "status", "title"],
            "(SELECT i.crawl, i.audit, i.family, i.severity, i.priority, i.url, \
             (SELECT group_concat(replace(e.key, '_', ' ') || ': ' || replace(replace(e.value, char(13), ' '), char(10), ' '), ' · ') \
             FROM json_each(i.evidence) e WHERE e.value IS NOT NULL) AS evidence, i.life, i.ignored, i.segments, u.status, p.title FROM v_issues i \
             LEFT JOIN v_urls u ON u.crawl = i.crawl AND u.url = i.url LEFT JOIN v_pages p ON p.crawl = i.crawl AND p.url = i.url)",
        )),
        columns: columns::FINDINGS,
        greatest_first: None,
        search: &["url", "title", "evidence"],
        rows: Rows::Findings,
    },
    Table {
        id: "redirects",
        title: "Redirects",
        view: "v_redirects",
        beyond: None,
        columns: columns::REDIRECTS,
        greatest_first: None,
        search: &["url", "hop_url", "final_url"],
        rows: Rows::Redirects,
    },
    Table {
        id: "images",
        title: "Images",
        view: "v_images",
        beyond: None,
        columns: columns::IMAGES,
        greatest_first: None,
        search: &["image", "source", "alt"],
        rows: Rows::Images,
    },
    Table {
        id: "hosts",
        title: "Hosts",
        view: "v_hosts",
        beyond: None,
        columns: columns::HOSTS,
        greatest_first: Some("requests"),
        search: &["host", "origin"],
        rows: Rows::Hosts,
    },
    Table {
        id: "sitemap_entries",
        title: "Sitemap entries",
        view: "v_sitemap_entries",
        beyond: None,
        columns: columns::SITEMAP_ENTRIES,
        greatest_first: None,
        search: &["url", "sitemap"],
        rows: Rows::SitemapEntries,
    },
];
