//! `gossamer segment`: the named parts of a site.

use crate::args::{SegmentAction, SegmentArguments};
use crate::exit::{Exit, Outcome};
use crate::summary::signed;
use crate::terminal::{format, print};
use engine::output::{Cell, Column, ColumnKind, Sheet, counted, visible};
use engine::{Access, Cancel, CrawlChoice, Engine, EngineError, SegmentCard, SegmentText};
use std::path::Path;

pub(crate) fn segment(arguments: SegmentArguments) -> Outcome {
    let (engine, file) = (Engine::system(), arguments.project);
    let cards = engine.open(&file, Access::Read)?.segments(CrawlChoice::Latest)?;
    match arguments.action {
        SegmentAction::List { format: wanted } => list(&cards, wanted.format)?,
        SegmentAction::Add { name, patterns } => {
            let mut segments = texts(&cards);
            match segments.iter_mut().find(|segment| segment.name == name) {
                Some(known) => known.patterns = patterns,
                None => segments.push(SegmentText { name: name.clone(), patterns }),
            }
            change(&engine, &file, &segments, &name)?;
        }
        SegmentAction::Remove { name } => {
            let mut segments = texts(&cards);
            segments.retain(|segment| segment.name != name);
            if segments.len() == cards.len() {
                return Err(EngineError::Usage(format!("{} has no segment {name}", file.display())));
            }
            change(&engine, &file, &segments, &name)?;
        }
    }
    Ok(Exit::Done)
}

fn texts(cards: &[SegmentCard]) -> Vec<SegmentText> {
    let text = |card: &SegmentCard| SegmentText { name: card.name.clone(), patterns: card.patterns.clone() };
    cards.iter().map(text).collect()
}

/// Stores the segments and tells what the one with this name has now.
fn change(engine: &Engine, file: &Path, segments: &[SegmentText], name: &str) -> Result<(), EngineError> {
    engine.set_segments(file, segments, &Cancel::default(), &mut |_, _| {})?;
    let cards = engine.open(file, Access::Read)?.segments(CrawlChoice::Latest)?;
    let name_shown = visible(name).into_owned();
    print(|out| {
        match cards.iter().find(|card| card.name == name) {
            Some(card) => writeln!(out, "{name_shown}: {} in the latest crawl", counted(card.urls, "URL"))?,
            None => writeln!(out, "Removed the segment {name_shown}.")?,
        }
        Ok(())
    })
}

fn list(cards: &[SegmentCard], wanted: crate::args::TextFormat) -> Result<(), EngineError> {
    let columns = [
        Column::new("segment", ColumnKind::Text),
        Column::new("urls", ColumnKind::Number),
        Column::new("patterns", ColumnKind::Text),
    ];
    print(|out| {
        let mut sheet = Sheet::new(format(wanted), &columns, out)?;
        for card in cards {
            let patterns = card.patterns.join(" ");
            sheet.row(&[Cell::Text(&card.name), Cell::Int(signed(card.urls)), Cell::Text(&patterns)])?;
        }
        sheet.finish()?;
        Ok(())
    })
}
