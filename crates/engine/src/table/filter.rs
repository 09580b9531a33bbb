//! Filters and sorting as SQL: once for the program, with bound values, and once for people to read and run.
//!
//! Values never become part of the program's SQL, and every name in it comes from the catalogue.

use super::catalogue::{Choices, Column, Table};
use super::dto::{ColumnKind, Condition, Filter, Operator, RowRange, Sort, TableQuery, Value};
use super::shown;
use crate::error::EngineError;
use model::segment::BETWEEN;
use std::collections::BTreeSet;
use store::{Selection, TargetPick, TargetTrait};

/// A query, ready to be built.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) selection: Selection,
    /// Sets of URLs that the condition names, by number.
    pub(super) picks: Vec<Pick>,
    /// The statement for people; `shown::pick_mark` stands for the URLs of a set.
    pub(super) shown: String,
}

/// URLs that a filter names by where they stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Pick {
    Keys(Vec<i64>),
    Rows {
        table: u32,
        ranges: Vec<RowRange>,
    },
    /// Found by a condition while the order is built.
    Found,
}

/// Filters within filters: far more than a person builds, and few enough for SQLite's parser.
const DEEPEST: usize = 40;
/// Conditions of one filter. SQLite reads a thousand terms in a row.
const MOST: usize = 500;
/// Bytes of a value that something is compared with.
const LONGEST: usize = 10_000;

pub(super) fn compile(table: &'static Table, query: &TableQuery) -> Result<Compiled, EngineError> {
    let mut compiler = Compiler {
        table,
        parameters: Vec::new(),
        picks: Vec::new(),
        target_picks: Vec::new(),
        used: BTreeSet::new(),
        conditions: 0,
        crawl: query.crawl,
    };
    let condition = query.filter.as_ref().map(|filter| compiler.whole(filter)).transpose()?;
    let targets = query.filter.as_ref().and_then(|filter| leading(filter, &compiler));
    let targets = targets.or_else(|| compiler.target_picks.first().map(|pick| pick.n));
    let sort = query.sort.clone().or_else(|| table.default_sort());
    let order = sort.as_ref().map(|sort| compiler.order(sort)).transpose()?;
    // What a person looks for in pages is asked of a row by this name.
    let named = if compiler.used.iter().any(|id| super::fields::shown(id).is_some()) { " t" } else { "" };
    let mut shown = format!("SELECT * FROM {}{named} WHERE crawl = {}", compiler.from(), query.crawl);
    if let Some(condition) = &condition {
        shown.push_str(&format!(" AND {}", condition.shown));
    }
    if let Some(order) = &order {
        shown.push_str(&format!(" ORDER BY {}", order.shown));
    }
    let selection = Selection {
        condition: condition.map(|condition| condition.real),
        order: order.map(|order| order.real),
        parameters: compiler.parameters,
        picks: compiler.target_picks,
        targets,
    };
    Ok(Compiled { selection, picks: compiler.picks, shown })
}

/// The parts of a filter that are combined with *and*.
fn conjuncts<'a>(filter: &'a Filter, parts: &mut Vec<&'a Filter>) {
    match filter {
        Filter::All(all) => all.iter().for_each(|part| conjuncts(part, parts)),
        part => parts.push(part),
    }
}

/// Whether a filter asks for nothing but these columns, and cannot hold where all of them are NULL: of links whose target was
/// never met, or is no URL.
fn is_of_targets(filter: &Filter, columns: &[&str]) -> bool {
    match filter {
        Filter::All(parts) | Filter::Any(parts) => {
            !parts.is_empty() && parts.iter().all(|part| is_of_targets(part, columns))
        }
        Filter::Is(condition) if columns.contains(&condition.column.as_str()) => {
            if condition.column == "verdict" {
                // Of such links the verdict is one of these two, not NULL.
                return condition.operator == Operator::Equals
                    && !matches!(&condition.value, Value::Text(word) if word == "invalid" || word == "not_checked")
                    && condition.value != Value::Null;
            }
            match condition.operator {
                Operator::Equals => condition.value != Value::Null,
                Operator::Differs | Operator::Lacks | Operator::Empty => false,
                _ => true,
            }
        }
        _ => false,
    }
}

/// The set of targets that every row has to point at: the first one that is combined with *and* alone.
fn leading(filter: &Filter, compiler: &Compiler) -> Option<i64> {
    let wanted = match filter {
        Filter::LinksTo(keys) => Pick::Keys(keys.clone()),
        Filter::LinksToRows { table, ranges } => Pick::Rows { table: *table, ranges: ranges.clone() },
        // Its depth is bounded: the filter was compiled before.
        Filter::All(parts) => return parts.iter().find_map(|part| leading(part, compiler)),
        _ => return None,
    };
    compiler.picks.iter().position(|pick| *pick == wanted).map(|at| at as i64)
}

/// A part of the statement, both ways.
struct Sql {
    real: String,
    shown: String,
}

impl Sql {
    fn both(text: impl Into<String>) -> Self {
        let real = text.into();
        Self { shown: real.clone(), real }
    }
}

struct Compiler {
    table: &'static Table,
    crawl: i64,
    parameters: Vec<store::Value>,
    picks: Vec<Pick>,
    target_picks: Vec<TargetPick>,
    /// Columns that the condition or the order names.
    used: BTreeSet<&'static str>,
    conditions: usize,
}

impl Compiler {
    /// The whole filter. Parts that say something of targets alone are asked of each target once, however many links lead there.
    fn whole(&mut self, filter: &Filter) -> Result<Sql, EngineError> {
        // Counts conditions and depth before anything goes through the filter without.
        let plain = self.filter(filter, 0)?;
        let mut parts = Vec::new();
        conjuncts(filter, &mut parts);
        let trait_of = |part: &Filter| {
            self.table
                .target_columns()
                .into_iter()
                .find(|(_, columns)| is_of_targets(part, columns))
                .map(|(about, _)| about)
        };
        let traits: Vec<Option<TargetTrait>> = parts.iter().map(|part| trait_of(part)).collect();
        if traits.iter().all(Option::is_none) {
            return Ok(plain);
        }
        self.parameters.clear();
        self.picks.clear();
        self.conditions = 0;
        let mut real = Vec::new();
        for about in [TargetTrait::Visit, TargetTrait::Name] {
            let mut conditions = Vec::new();
            for (part, _) in parts.iter().zip(&traits).filter(|(_, found)| **found == Some(about)) {
                conditions.push(format!("({})", self.filter(part, 0)?.real));
            }
            if conditions.is_empty() {
                continue;
            }
            let n = self.pick(Pick::Found);
            self.target_picks.push(TargetPick { n: n as i64, about, condition: conditions.join(" AND ") });
            // The sign keeps SQLite from asking the index once more for every page.
            real.push(format!("+row_target IN (SELECT url FROM temp.pick WHERE n = {n})"));
        }
        let found = self.picks.len();
        for (part, _) in parts.iter().zip(&traits).filter(|(_, about)| about.is_none()) {
            real.push(self.filter(part, 0)?.real);
        }
        // The sets that are given were counted without those that are found.
        let shown = (0..self.picks.len() - found)
            .rev()
            .fold(plain.shown, |shown, n| shown.replace(&shown::pick_mark(n), &shown::pick_mark(n + found)));
        Ok(Sql { real: real.join(" AND "), shown })
    }

    fn filter(&mut self, filter: &Filter, depth: usize) -> Result<Sql, EngineError> {
        self.conditions += 1;
        if depth > DEEPEST || self.conditions > MOST {
            return Err(EngineError::Usage(format!(
                "a filter may have {MOST} conditions, {DEEPEST} levels deep, at most"
            )));
        }
        match filter {
            Filter::All(parts) => self.combined(parts, " AND ", "1", depth),
            Filter::Any(parts) => self.combined(parts, " OR ", "0", depth),
            Filter::Not(part) => {
                let part = self.filter(part, depth + 1)?;
                // What is unknown does not fulfil a condition, and so fulfils its opposite.
                Ok(Sql {
                    real: format!("({}) IS NOT TRUE", part.real),
                    shown: format!("({}) IS NOT TRUE", part.shown),
                })
            }
            Filter::Is(condition) => self.condition(condition),
            Filter::Search(text) => self.search(text),
            Filter::Finding(audit) => self.finding(audit),
            Filter::LinksTo(keys) => self.linked("links_to", Pick::Keys(keys.clone())),
            Filter::LinksToRows { table, ranges } => {
                self.linked("links_to_rows", Pick::Rows { table: *table, ranges: ranges.clone() })
            }
            Filter::LinksFrom(keys) => self.linking(Pick::Keys(keys.clone())),
        }
    }

    fn combined(
        &mut self,
        parts: &[Filter],
        word: &str,
        none: &str,
        depth: usize,
    ) -> Result<Sql, EngineError> {
        if parts.is_empty() {
            return Ok(Sql::both(none));
        }
        let parts = parts.iter().map(|part| self.filter(part, depth + 1)).collect::<Result<Vec<Sql>, _>>()?;
        let join =
            |of: fn(&Sql) -> &str| format!("({})", parts.iter().map(of).collect::<Vec<_>>().join(word));
        Ok(Sql { real: join(|part| &part.real), shown: join(|part| &part.shown) })
    }

    fn condition(&mut self, condition: &Condition) -> Result<Sql, EngineError> {
        let column = self.column(&condition.column)?;
        let (real, shown) = (column.expression(), shown::name(column.id));
        if column.choices == Choices::Segment
            && let Value::Text(segment) = &condition.value
            && matches!(condition.operator, Operator::Equals | Operator::Differs)
        {
            return Ok(self.segment(column, segment, condition.operator == Operator::Differs));
        }
        let empty = || Sql {
            real: format!("({real} IS NULL OR {real} = '')"),
            shown: format!("({shown} IS NULL OR {shown} = '')"),
        };
        let filled = || Sql { real: format!("{real} <> ''"), shown: format!("{shown} <> ''") };
        let null = condition.value == Value::Null;
        let sign = match condition.operator {
            Operator::Empty => return Ok(empty()),
            Operator::Filled => return Ok(filled()),
            Operator::Equals if null => return Ok(empty()),
            Operator::Differs if null => return Ok(filled()),
            Operator::Equals => "=",
            Operator::Differs => "IS NOT",
            Operator::Above => ">",
            Operator::Below => "<",
            Operator::AtLeast => ">=",
            Operator::AtMost => "<=",
            Operator::Contains | Operator::Starts | Operator::Ends | Operator::Lacks | Operator::Matches => {
                return self.text_condition(column, condition);
            }
        };
        let ordered = !matches!(condition.operator, Operator::Equals | Operator::Differs);
        if ordered && !is_number(column.kind) && column.kind != ColumnKind::Time {
            return Err(refused(column, "has texts, which are neither above nor below one another"));
        }
        let value = comparable(column, &condition.value)?;
        let literal = shown::literal(&value);
        let parameter = self.bind(value);
        Ok(Sql { real: format!("{real} {sign} {parameter}"), shown: format!("{shown} {sign} {literal}") })
    }

    /// Whether a segment is among those of the column. The few sets of segments that have it are found once; of a row its set is
    /// looked up.
    fn segment(&mut self, column: &'static Column, segment: &str, differs: bool) -> Sql {
        let within = format!("{BETWEEN}{segment}{BETWEEN}");
        let parameter = self.bind(store::Value::Text(within.clone()));
        let url = if column.id == "target_segments" { "row_target" } else { "row_url" };
        let real = format!(
            "(SELECT g.segments FROM segment_url g WHERE g.url = {url}) IN \
             (SELECT id FROM segment_set WHERE instr('{BETWEEN}' || names || '{BETWEEN}', {parameter}) > 0)"
        );
        let shown =
            format!("instr('{BETWEEN}' || {} || '{BETWEEN}', {}) > 0", column.id, shown::quoted(&within));
        if differs {
            return Sql { real: format!("({real}) IS NOT TRUE"), shown: format!("({shown}) IS NOT TRUE") };
        }
        Sql { real, shown }
    }

    fn text_condition(&mut self, column: &'static Column, condition: &Condition) -> Result<Sql, EngineError> {
        let (real, shown) = (column.expression(), shown::name(column.id));
        let text = match &condition.value {
            Value::Text(text) => text.clone(),
            Value::Int(number) => number.to_string(),
            Value::Real(number) => number.to_string(),
            Value::Null => String::new(),
        };
        let within = |before, after| shown::like(&shown, before, &text, after);
        let (pattern, shown) = match condition.operator {
            Operator::Matches => {
                check_pattern(&text).map_err(|why| {
                    refused(column, &format!("cannot be matched against that pattern: {why}"))
                })?;
                (text.clone(), format!("{shown} REGEXP {}", shown::quoted(&text)))
            }
            Operator::Starts => (format!("\\A{}", folded_pattern(column, &text)?), within("", "%")),
            Operator::Ends => (format!("{}\\z", folded_pattern(column, &text)?), within("%", "")),
            _ => (folded_pattern(column, &text)?, within("%", "%")),
        };
        let parameter = self.bind(store::Value::Text(pattern));
        let (mut real, mut shown) = (format!("matches({parameter}, {real})"), shown);
        if condition.operator == Operator::Lacks {
            real = format!("({real}) IS NOT TRUE");
            shown = format!("({shown}) IS NOT TRUE");
        }
        Ok(Sql { real, shown })
    }

    fn search(&mut self, text: &str) -> Result<Sql, EngineError> {
        if text.is_empty() {
            return Ok(Sql::both("1"));
        }
        let mut parts = Vec::new();
        let mut parameter = None;
        for id in self.table.search {
            let column = self.column(id)?;
            let pattern = folded_pattern(column, text)?;
            let parameter = parameter.get_or_insert_with(|| self.bind(store::Value::Text(pattern))).clone();
            parts.push(Sql {
                real: format!("matches({parameter}, {})", column.expression()),
                shown: shown::like(&shown::name(column.id), "%", text, "%"),
            });
        }
        let join =
            |of: fn(&Sql) -> &str| format!("({})", parts.iter().map(of).collect::<Vec<_>>().join(" OR "));
        Ok(Sql { real: join(|part| &part.real), shown: join(|part| &part.shown) })
    }

    fn finding(&mut self, audit: &str) -> Result<Sql, EngineError> {
        let judged = audit::find(audit);
        if judged.is_none() && !audit.starts_with(store::CUSTOM) {
            return Err(EngineError::Usage(format!("there is no audit “{audit}”")));
        }
        let Some(url) = self.table.url_column() else {
            return Err(EngineError::Usage(format!("rows of the table {} are about no URL", self.table.id)));
        };
        let parameter = self.bind(store::Value::from(audit));
        let of_audit = format!(
            "f.crawl = ?1 AND f.audit = (SELECT id FROM audit WHERE name = {parameter}) AND {}",
            audit::not_ignored_sql("f")
        );
        let literal = shown::quoted(audit);
        let of_crawl = format!("crawl = {} AND audit = {literal} AND NOT ignored", self.crawl);
        if self.table.id == "findings" {
            return Ok(Sql { real: format!("audit = {parameter}"), shown: format!("audit = {literal}") });
        }
        if self.table.ends().is_some() {
            // A finding about a link names the very link; one about a page, or about a flaw of its markup, holds for all of it.
            return Ok(Sql {
                real: format!(
                    "EXISTS (SELECT 1 FROM finding f WHERE {of_audit} AND f.url = row_url AND (f.ref <= 0 OR f.ref = row_b))"
                ),
                shown: if judged.is_some_and(names_links) {
                    format!(
                        "({url}, line, element) IN (SELECT url, json_extract(evidence, '$.line'), json_extract(evidence, '$.element') \
                         FROM v_issues WHERE {of_crawl})"
                    )
                } else {
                    format!("{url} IN (SELECT url FROM v_issues WHERE {of_crawl})")
                },
            });
        }
        Ok(Sql {
            real: format!("row_url IN (SELECT f.url FROM finding f WHERE {of_audit})"),
            shown: format!("{url} IN (SELECT url FROM v_issues WHERE {of_crawl})"),
        })
    }

    fn linked(&mut self, filter: &str, pick: Pick) -> Result<Sql, EngineError> {
        let (_, target) = self.ends(filter)?;
        let n = self.pick(pick);
        Ok(Sql {
            real: format!("+row_target IN (SELECT url FROM temp.pick WHERE n = {n})"),
            shown: format!("{target} IN ({})", shown::pick_mark(n)),
        })
    }

    fn linking(&mut self, pick: Pick) -> Result<Sql, EngineError> {
        let (source, _) = self.ends("links_from")?;
        let n = self.pick(pick);
        Ok(Sql {
            real: format!("row_a IN (SELECT ?1 << 32 | url FROM temp.pick WHERE n = {n})"),
            shown: format!("{source} IN ({})", shown::pick_mark(n)),
        })
    }

    fn ends(&self, filter: &str) -> Result<(&'static str, &'static str), EngineError> {
        self.table.ends().ok_or_else(|| {
            EngineError::Usage(format!("{filter} is for links; rows of the table {} are none", self.table.id))
        })
    }

    fn pick(&mut self, pick: Pick) -> usize {
        self.picks.push(pick);
        self.picks.len() - 1
    }

    fn order(&mut self, sort: &Sort) -> Result<Sql, EngineError> {
        let column = self.column(&sort.column)?;
        let (real, shown) = (column.expression(), shown::name(column.id));
        let direction = if sort.descending { "DESC NULLS LAST" } else { "ASC NULLS LAST" };
        if column.choices.ranked() {
            let ranks: String = column
                .choices
                .words()
                .iter()
                .enumerate()
                .map(|(rank, word)| format!(" WHEN '{word}' THEN {rank}"))
                .collect();
            return Ok(Sql {
                real: format!("CASE {real}{ranks} END {direction}"),
                shown: format!("CASE {shown}{ranks} END {direction}"),
            });
        }
        Ok(match column.kind {
            ColumnKind::Text => Sql {
                real: format!("folded({real}) {direction}"),
                shown: format!("{shown} COLLATE NOCASE {direction}"),
            },
            _ => Sql { real: format!("{real} {direction}"), shown: format!("{shown} {direction}") },
        })
    }

    fn column(&mut self, id: &str) -> Result<&'static Column, EngineError> {
        let column = self.table.column(id)?;
        self.used.insert(column.id);
        Ok(column)
    }

    /// The documented view, or a query that has more columns than it, where one of these is used.
    fn from(&self) -> &'static str {
        match self.table.beyond {
            Some((columns, query)) if columns.iter().any(|column| self.used.contains(column)) => query,
            _ => self.table.view,
        }
    }

    /// Binds a value and gives its name. `?1` is the crawl.
    fn bind(&mut self, value: store::Value) -> String {
        self.parameters.push(value);
        format!("?{}", self.parameters.len() + 1)
    }
}

/// Whether the evidence of an audit says where in a page the link stands.
fn names_links(audit: &audit::Audit) -> bool {
    let has = |name: &str| audit.evidence.iter().any(|(member, _)| *member == name);
    audit.scope == audit::Scope::Link && has("line") && has("element")
}

const fn is_number(kind: ColumnKind) -> bool {
    matches!(
        kind,
        ColumnKind::Int
            | ColumnKind::Real
            | ColumnKind::Bytes
            | ColumnKind::Ms
            | ColumnKind::Status
            | ColumnKind::Flag
    )
}

/// A value in the type of the column, so that SQLite compares like with like.
fn comparable(column: &Column, value: &Value) -> Result<store::Value, EngineError> {
    let number = is_number(column.kind);
    Ok(match value {
        Value::Null => return Err(refused(column, "needs a value to be compared with")),
        Value::Int(value) if number => store::Value::Int(*value),
        Value::Real(value) if number => store::Value::Real(*value),
        Value::Text(text) if number => {
            let text = text.trim();
            match (text.parse::<i64>(), text.parse::<f64>()) {
                (Ok(whole), _) => store::Value::Int(whole),
                (_, Ok(real)) if real.is_finite() => store::Value::Real(real),
                _ => return Err(refused(column, "has numbers; it cannot be compared with a text")),
            }
        }
        Value::Int(value) => store::Value::Text(value.to_string()),
        Value::Real(value) => store::Value::Text(value.to_string()),
        Value::Text(text) => store::Value::Text(text.clone()),
    })
}

fn folded_pattern(column: &Column, text: &str) -> Result<String, EngineError> {
    if text.len() > LONGEST {
        return Err(refused(column, &format!("can be searched for a text of {LONGEST} bytes at most")));
    }
    let pattern = store::pattern_of_text(text);
    check_pattern(&pattern)
        .map_err(|why| refused(column, &format!("cannot be searched for that text: {why}")))?;
    Ok(pattern)
}

/// Why the text is no pattern, in one line.
fn check_pattern(pattern: &str) -> Result<(), String> {
    store::check_pattern(pattern).map_err(|error| match error {
        store::StoreError::Query(why) => why,
        other => other.to_string(),
    })
}

fn refused(column: &Column, why: &str) -> EngineError {
    EngineError::Usage(format!("the column {} {why}", column.id))
}
