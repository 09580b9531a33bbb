//! Makes up a project and finds the near duplicates in it: time, and the most memory that the process took.
//!
//! `cargo run --release -p gossamer-audit --example near_duplicates -- FILE [PAGES] [KIND]`
//!
//! Kinds: `apart` (no two pages are alike), `pairs` (every second page is like the one before), `alike` (all are like one).

use gossamer_audit::{Limits, Step, evaluate};
use model::hash::HashSeed;
use model::main_text::{MainText, PLACES};
use model::state::{FoundBy, Indexability};
use model::{Purpose, UrlState};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use store::schema::{answer_flags, document_flags};
use store::{AnswerRow, Document, NoFaults, Options, StoreError, VisitRow, Writer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let Some(path) = arguments.get(1) else {
        eprintln!("usage: near_duplicates FILE [PAGES] [apart|pairs|alike]");
        return Ok(());
    };
    let pages: u32 = arguments.get(2).map_or(Ok(200_000), |n| n.parse())?;
    let kind = arguments.get(3).map_or("pairs", String::as_str);
    let options = Options { program: "example".to_owned(), views: Vec::new(), faults: Arc::new(NoFaults) };
    let mut writer = Writer::open(Path::new(path), &options)?;
    fill(&mut writer, pages, kind)?;
    println!("{pages} pages made up; memory so far {} MB", peak());
    let limits = Limits::new(&BTreeMap::new());
    let (mut began, mut took, mut at) = (None, None, String::new());
    evaluate(&mut writer, 1, &limits, &mut |step| {
        let now = Instant::now();
        match step {
            Step::Texts { .. } if began.is_none() => {
                began = Some(now);
                at = format!("{} MB before", peak());
            }
            Step::Rows { .. } if took.is_none() => {
                took = began.map(|began| now.duration_since(began));
                at = format!("{at}, {} MB after", peak());
            }
            _ => {}
        }
        true
    })?;
    let mut found = [0; 2];
    writer.rows("SELECT count(*), count(DISTINCT cluster) FROM near_duplicate", &[], &mut |row| {
        found = [row.int(0), row.int(1)];
        Ok(())
    })?;
    println!(
        "texts compared in {took:?}, {at}; {} pages in {} clusters; {} MB in all",
        found[0],
        found[1],
        peak()
    );
    Ok(())
}

fn fill(writer: &mut Writer, pages: u32, kind: &str) -> Result<(), StoreError> {
    writer.batch(
        "INSERT INTO crawl(id, job, start_url, started, state, profile, program, audited_bot, respect_nofollow)
         VALUES(1, 'audit', 'https://site.example/', 0, 'running', '', 'example', 'Googlebot', 0)",
    )?;
    writer.begin()?;
    let seed = writer.seed();
    for n in 1..=pages {
        let like = match kind {
            "alike" => 1,
            "pairs" => n - n % 2,
            _ => n,
        };
        let text = format!("https://site.example/section-{}/page-{n}", n % 100);
        let url = writer.intern(&text)?;
        let host = writer.host_of(url)?;
        writer.add_visit(
            1,
            &VisitRow {
                url,
                host,
                state: UrlState::Fetched,
                purpose: Purpose::Crawl,
                internal: true,
                depth: Some(1),
                hops: 0,
                found: FoundBy::Link,
                source: None,
                reason: None,
            },
        )?;
        let answer = AnswerRow {
            method: 1,
            status: Some(200),
            flags: answer_flags::BODY_READ,
            ..AnswerRow::default()
        };
        writer.put_answer(1, url, &answer, None, None)?;
        writer.put_page(1, url, &document(n, like, seed), Indexability::Indexable)?;
        if n.is_multiple_of(20_000) {
            writer.commit()?;
            writer.begin()?;
        }
    }
    writer.commit()
}

/// A page whose signature is that of `like`, but for one place.
fn document(n: u32, like: u32, seed: HashSeed) -> Document {
    let bytes = |of: u32, turn: u32| seed.content(format!("{of} {turn}").as_bytes()).to_le_bytes();
    let mut signature = [0; PLACES];
    for (turn, part) in signature.chunks_mut(16).enumerate() {
        part.copy_from_slice(&bytes(like, turn as u32));
    }
    signature[n as usize % PLACES] = bytes(n, 9)[0];
    Document {
        hash: u64::from(n),
        title: Some(format!("Page {n} | Site").into()),
        title_count: 1,
        word_count: 300 + n % 100,
        text_hash: u64::from(n),
        flags: document_flags::CANONICAL_SELF,
        main_text: Some(MainText { hash: u64::from(n), shingles: 300, signature }),
        ..Document::default()
    }
}

/// The most memory that the process ever took, in MB (Linux; 0 elsewhere).
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).unwrap_or(0) / 1_024
}
