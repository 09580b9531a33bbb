//! `gossamer extract`: what is looked for in pages.

use crate::args::{ExtractAction, ExtractArguments, TextFormat};
use crate::exit::{Exit, Outcome, remark};
use crate::summary::signed;
use crate::terminal::{format, print};
use engine::output::{Cell, Column, ColumnKind, Sheet, counted};
use engine::{Access, Cancel, CrawlChoice, Engine, EngineError, FieldCard, FieldText};

pub(crate) fn extract(arguments: ExtractArguments) -> Outcome {
    let (engine, file) = (Engine::system(), arguments.project);
    let Some(action) = arguments.action else {
        let crawl = arguments.crawl.crawl.unwrap_or_default();
        let done = engine.compute_fields(&file, crawl, &Cancel::default(), &mut |_, _| {})?;
        if done.without_html > 0 {
            remark(&format!("{}: their HTML is not stored", counted(done.without_html, "page")));
        }
        if done.given_up > 0 {
            remark(&format!(
                "{}: an expression would have taken too long there",
                counted(done.given_up, "page")
            ));
        }
        print(|out| Ok(writeln!(out, "Computed for {}.", counted(done.pages - done.without_html, "page"))?))?;
        return Ok(Exit::Done);
    };
    let cards = engine.open(&file, Access::Read)?.fields(CrawlChoice::Latest)?;
    match action {
        ExtractAction::List { format: wanted } => list(&cards, wanted.format)?,
        ExtractAction::Add { name, rule } => {
            let mut fields = texts(&cards);
            match fields.iter_mut().find(|field| field.name == name) {
                Some(known) => known.rule = rule,
                None => fields.push(FieldText { name: name.clone(), rule }),
            }
            engine.set_fields(&file, &fields)?;
            print(|out| {
                Ok(writeln!(out, "Added {name}. Pages that are stored already: gossamer extract FILE")?)
            })?;
        }
        ExtractAction::Remove { name } => {
            let mut fields = texts(&cards);
            fields.retain(|field| field.name != name);
            if fields.len() == cards.len() {
                return Err(EngineError::Usage(format!(
                    "{} looks for nothing called {name}",
                    file.display()
                )));
            }
            engine.set_fields(&file, &fields)?;
            print(|out| Ok(writeln!(out, "Removed {name}.")?))?;
        }
    }
    Ok(Exit::Done)
}

fn texts(cards: &[FieldCard]) -> Vec<FieldText> {
    cards.iter().map(|card| FieldText { name: card.name.clone(), rule: card.rule.clone() }).collect()
}

fn list(cards: &[FieldCard], wanted: TextFormat) -> Result<(), EngineError> {
    let columns = [
        Column::new("name", ColumnKind::Text),
        Column::new("kind", ColumnKind::Text),
        Column::new("pages", ColumnKind::Number),
        Column::new("rule", ColumnKind::Text),
    ];
    print(|out| {
        let mut sheet = Sheet::new(format(wanted), &columns, out)?;
        for card in cards {
            let pages = Cell::Int(signed(card.pages));
            sheet.row(&[Cell::Text(&card.name), Cell::Text(&card.kind), pages, Cell::Text(&card.rule)])?;
        }
        sheet.finish()?;
        Ok(())
    })
}
