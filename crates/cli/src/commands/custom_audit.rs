//! `gossamer custom-audit`: audits that a person wrote.

use crate::args::{CustomAuditAction, CustomAuditArguments, TextFormat};
use crate::exit::{Exit, Outcome, remark};
use crate::summary::signed;
use crate::terminal::{format, print};
use engine::output::{Cell, Column, ColumnKind, Sheet};
use engine::{Access, CrawlChoice, CustomAudit, CustomAuditCard, Engine, EngineError};

pub(crate) fn custom_audit(arguments: CustomAuditArguments) -> Outcome {
    let (engine, file) = (Engine::system(), arguments.project);
    match arguments.action {
        CustomAuditAction::Add { name, sql, severity, priority, title, why, fix } => {
            let audit = CustomAudit { id: name, title, severity, priority, sql, why, fix };
            let id = engine.set_custom_audit(&file, &audit)?;
            print(|out| Ok(writeln!(out, "Added the audit {id}.")?))?;
            let has_crawl = !engine.open(&file, Access::Read)?.crawls()?.is_empty();
            if has_crawl {
                let cards = engine.run_custom_audits(&file, CrawlChoice::Latest, Some(&id))?;
                table(&cards, TextFormat::Table)?;
            }
        }
        CustomAuditAction::List { format } => {
            table(&engine.open(&file, Access::Read)?.custom_audits(CrawlChoice::Latest)?, format.format)?;
        }
        CustomAuditAction::Run { crawl } => {
            let crawl = crawl.crawl.unwrap_or_default();
            table(&engine.run_custom_audits(&file, crawl, None)?, TextFormat::Table)?;
        }
        CustomAuditAction::Remove { name } => {
            if !engine.remove_custom_audit(&file, &name)? {
                return Err(EngineError::Usage(format!("{} has no audit {name} of its own", file.display())));
            }
            print(|out| Ok(writeln!(out, "Removed the audit {name}.")?))?;
        }
    }
    Ok(Exit::Done)
}

fn table(cards: &[CustomAuditCard], wanted: TextFormat) -> Result<(), EngineError> {
    let columns = [
        Column::new("audit", ColumnKind::Text),
        Column::new("severity", ColumnKind::Text),
        Column::new("priority", ColumnKind::Text),
        Column::new("findings", ColumnKind::Number),
        Column::new("title", ColumnKind::Text),
    ];
    print(|out| {
        let mut sheet = Sheet::new(format(wanted), &columns, out)?;
        for CustomAuditCard { audit, findings, .. } in cards {
            let findings = findings.map_or(Cell::Null, |findings| Cell::Int(signed(findings)));
            let [id, severity, priority, title] = [&audit.id, &audit.severity, &audit.priority, &audit.title]
                .map(|text| Cell::Text(text.as_str()));
            sheet.row(&[id, severity, priority, findings, title])?;
        }
        sheet.finish()?;
        Ok(())
    })?;
    for card in cards {
        if let Some(fault) = &card.fault {
            remark(&format!("{}: {fault}", card.audit.id));
        }
    }
    Ok(())
}
