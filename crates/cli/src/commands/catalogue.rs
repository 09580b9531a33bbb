//! What the program knows about itself: audits, settings, documentation.

use crate::args::{DocsArguments, DocsTopic, ExplainArguments, SettingsArguments};
use crate::exit::{Exit, Outcome};
use crate::terminal::{format, print, print_text, stdout_width, wrapped};
use engine::AuditCard;
use engine::output::{Cell, Column, ColumnKind, Format, Sheet, TableStyle};
use std::fmt::Write as _;
use std::io::{self, Write};

pub(crate) fn explain(arguments: &ExplainArguments) -> Outcome {
    match &arguments.audit {
        Some(id) => print_text(&explanation(&engine::explain(id)?))?,
        None => print(|out| Ok(audit_table(&engine::audits(), out)?))?,
    }
    Ok(Exit::Done)
}

pub(crate) fn settings(arguments: &SettingsArguments) -> Outcome {
    if arguments.template {
        print_text(&engine::settings_template())?;
    } else {
        print(|out| Ok(settings_table(format(arguments.format.format), out)?))?;
    }
    Ok(Exit::Done)
}

pub(crate) fn docs(arguments: &DocsArguments) -> Outcome {
    print_text(&match arguments.topic {
        DocsTopic::Audits => engine::audits_markdown(),
        DocsTopic::Cli => crate::docs::command_line(),
        DocsTopic::Policies => engine::policies_markdown(),
    })?;
    Ok(Exit::Done)
}

fn explanation(card: &AuditCard) -> String {
    let mut out = format!("{}: {}\n", card.id, card.title);
    let _ = writeln!(
        out,
        "{}, {} priority; family {}; judged: {}\n",
        card.severity, card.priority, card.family, card.judged
    );
    let _ = writeln!(out, "Why it matters\n{}", wrapped(&card.why, "  "));
    let _ = writeln!(out, "How to fix it\n{}", wrapped(&card.fix, "  "));
    if !card.thresholds.is_empty() {
        out.push_str("Settings\n");
        for threshold in &card.thresholds {
            let _ = writeln!(out, "  {} (default {})", threshold.setting, threshold.default);
            out.push_str(&wrapped(
                &format!("{}. {}", threshold.label.trim_end_matches('.'), threshold.help),
                "    ",
            ));
        }
        out.push('\n');
    }
    if !card.references.is_empty() {
        out.push_str("References\n");
        for reference in &card.references {
            let _ = writeln!(out, "  {reference}");
        }
    }
    out
}

fn audit_table(cards: &[AuditCard], out: &mut dyn Write) -> io::Result<()> {
    let columns =
        ["family", "severity", "priority", "audit", "title"].map(|name| Column::new(name, ColumnKind::Text));
    let mut sheet = Sheet::new(Format::Table(TableStyle { width: stdout_width() }), &columns, out)?;
    for card in cards {
        sheet.row(
            &[&card.family, &card.severity, &card.priority, &card.id, &card.title]
                .map(|text| Cell::Text(text)),
        )?;
    }
    sheet.finish().map(drop)
}

/// A terminal gets what helps to find a setting; the other formats get everything.
fn settings_table(format: Format, out: &mut dyn Write) -> io::Result<()> {
    let all = ["id", "label", "default", "kind", "range", "unit", "choices", "help"];
    let names: &[&str] = match format {
        Format::Table(_) => &["id", "default", "range", "unit", "label"],
        _ => &all,
    };
    let columns: Vec<Column> = names
        .iter()
        .map(|name| Column::new(*name, if *name == "choices" { ColumnKind::Json } else { ColumnKind::Text }))
        .collect();
    let mut sheet = Sheet::new(format, &columns, out)?;
    for card in engine::settings() {
        let choices = serde_json::Value::from(card.choices.clone()).to_string();
        let cell = |name: &str| match name {
            "id" => card.id.as_str(),
            "label" => &card.label,
            "default" => &card.default,
            "kind" => &card.kind,
            "range" => &card.range,
            "unit" => &card.unit,
            "choices" => &choices,
            _ => &card.help,
        };
        let row: Vec<Cell<'_>> = names.iter().map(|name| Cell::Text(cell(name))).collect();
        sheet.row(&row)?;
    }
    sheet.finish().map(drop)
}
