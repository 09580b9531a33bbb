//! An audit's findings as Markdown, to be pasted into a ticket.

use super::cards;
use super::dto::{Fact, IssueCard};
use super::facts::evidence;
use super::groups;
use crate::dto::CrawlCard;
use model::words::{counted, grouped};
use std::fmt::Write as _;
use store::{Reader, StoreError};

/// URLs listed.
const URLS: usize = 20;
/// Findings listed of one URL; a template that repeats its mistake fills a page otherwise.
const OF_ONE_URL: u64 = 3;
/// Groups listed.
const GROUPS: usize = 5;

pub(super) fn ticket(reader: &Reader, crawl: &CrawlCard, audit: &str) -> Result<String, StoreError> {
    let cards = cards::cards(reader, crawl.crawl)?;
    let cards: Vec<&IssueCard> = cards.iter().filter(|card| card.audit == audit).collect();
    let words = audit::find(audit);
    let title = cards.first().map(|card| card.title.as_str()).or_else(|| words.map(|words| words.title));
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(out, "# {}\n", escaped(title.unwrap_or(audit)));
    for card in &cards {
        let _ = writeln!(out, "{}\n", counts(card));
    }
    if cards.is_empty() {
        out.push_str("Nothing was found.\n\n");
    }
    let _ = writeln!(
        out,
        "{}, crawl {} of {} (audit `{audit}`)\n",
        escaped(&crawl.start_url),
        crawl.crawl,
        crawl.started.get(..10).unwrap_or(&crawl.started)
    );
    if let Some(words) = words {
        let _ = writeln!(out, "## Why it matters\n\n{}\n\n## How to fix it\n\n{}\n", words.why, words.fix);
    }
    if let Some(own) = reader.custom_audits()?.into_iter().find(|own| own.id == audit) {
        for (heading, text) in [("Why it matters", own.why), ("How to fix it", own.fix)] {
            if !text.is_empty() {
                let _ = writeln!(out, "## {heading}\n\n{}\n", escaped(&text));
            }
        }
    }
    let groups = groups::groups(reader, crawl.crawl, audit)?;
    if groups.len() > 1 || groups.first().is_some_and(|group| group.findings > 1) {
        out.push_str("## Where\n\n");
        for group in groups.iter().take(GROUPS) {
            let _ = writeln!(out, "- {}: {}", code(&group.label), counted(group.findings, "finding"));
        }
        if groups.len() > GROUPS {
            out.push_str("- and further places\n");
        }
        out.push('\n');
    }
    let all = cards.iter().map(|card| card.urls).sum();
    list_urls(reader, crawl.crawl, audit, all, &mut out)?;
    if let Some(words) = words
        && !words.references.is_empty()
    {
        let links: Vec<String> = words.references.iter().map(|url| format!("<{url}>")).collect();
        let _ = writeln!(out, "\nSee {}", links.join(", "));
    }
    Ok(out)
}

/// **Issue, high priority:** 74 findings on 73 URLs, of 80 pages with links.
fn counts(card: &IssueCard) -> String {
    let mut severity = card.severity.clone();
    if let Some(first) = severity.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let mut out = format!(
        "**{severity}, {} priority:** {} on {}",
        card.priority,
        counted(card.findings, "finding"),
        counted(card.urls, "URL")
    );
    if card.checked > 0 {
        let _ = write!(out, ", of {} {}", grouped(card.checked), card.judged);
    }
    if card.ignored > 0 {
        let _ = write!(
            out,
            "; {} more {} ignored",
            grouped(card.ignored),
            if card.ignored == 1 { "is" } else { "are" }
        );
    }
    if let Some(before) = card.before {
        let _ = write!(out, " ({} in the crawl before)", counted(before, "finding"));
    }
    out + "."
}

fn list_urls(reader: &Reader, crawl: i64, audit: &str, all: u64, out: &mut String) -> Result<(), StoreError> {
    let mut urls = 0;
    let mut last = String::new();
    let mut of_this = 0;
    let mut more = 0;
    reader.rows(
        "SELECT url, evidence FROM v_issues WHERE crawl = ?1 AND audit = ?2 AND NOT ignored",
        &[crawl.into(), audit.into()],
        &mut |row| {
            let url = row.text(0);
            if url != last {
                if urls == URLS {
                    return false;
                }
                say_more(out, &mut more);
                if urls == 0 {
                    out.push_str("## URLs\n\n");
                }
                urls += 1;
                of_this = 0;
                url.clone_into(&mut last);
                let _ = writeln!(out, "- <{}>", url.replace(['<', '>', ' '], ""));
            }
            of_this += 1;
            if of_this > OF_ONE_URL {
                more += 1;
            } else {
                let facts = evidence(row.text(1));
                if !facts.is_empty() {
                    let _ = writeln!(out, "  - {}", sentence(&facts));
                }
            }
            true
        },
    )?;
    say_more(out, &mut more);
    if all > urls as u64 {
        let _ = writeln!(
            out,
            "- and {} more {}",
            grouped(all - urls as u64),
            if all - urls as u64 == 1 { "URL" } else { "URLs" }
        );
    }
    Ok(())
}

fn say_more(out: &mut String, more: &mut u64) {
    if *more > 0 {
        let _ = writeln!(out, "  - and {} more of this URL", grouped(*more));
        *more = 0;
    }
}

/// A text of somebody's page within Markdown: on one line, and without meaning there.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '#' | '|' | '!' | '&' | '~' => {
                out.push('\\');
                out.push(character);
            }
            '\n' | '\r' | '\t' => out.push(' '),
            other => out.push(other),
        }
    }
    out
}

/// Evidence in words: `ttfb_ms` 812 and `raw_href` /a are "ttfb `812 ms`; raw href `/a`".
fn sentence(evidence: &[Fact]) -> String {
    let part = |fact: &Fact| {
        let (name, unit) = [("_ms", " ms"), ("_s", " s")]
            .iter()
            .find_map(|(ending, unit)| Some((fact.name.strip_suffix(ending)?, *unit)))
            .unwrap_or((&fact.name, ""));
        format!("{} {}", name.replace('_', " "), code(&format!("{}{unit}", fact.value)))
    };
    evidence.iter().map(part).collect::<Vec<_>>().join("; ")
}

/// Characters of one value: a list of headers or a robots.txt would fill the ticket.
const LONGEST: usize = 300;

/// A text as inline code; backticks in it would end it.
fn code(text: &str) -> String {
    let mut out = String::from("`");
    for (at, character) in text.chars().enumerate() {
        if at == LONGEST {
            out.push('…');
            break;
        }
        out.push(match character {
            '`' => '\'',
            '\n' | '\r' | '\t' => ' ',
            other => other,
        });
    }
    out.push('`');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::insight::facts::fact;

    #[test]
    fn texts_of_pages_have_no_meaning_in_a_ticket() {
        assert_eq!(escaped("a*b_[c](d)\n<img>#"), "a\\*b\\_\\[c\\](d) \\<img>\\#");
        assert_eq!(code("a`b\nc"), "`a'b c`");
        assert_eq!(code(&"é".repeat(400)).chars().count(), LONGEST + 3);
        assert_eq!(code(""), "``");
    }

    #[test]
    fn evidence_is_told_with_its_units() {
        let told = sentence(&[fact("ttfb_ms", "812"), fact("raw_href", "/a"), fact("crawl_delay_s", "2.5")]);
        assert_eq!(told, "ttfb `812 ms`; raw href `/a`; crawl delay `2.5 s`");
    }
}
