//! Sitemaps in the course of a crawl: which are asked for, and what becomes of their entries.

use crate::course::Course;
use crate::frontier::NO_DEPTH;
use crate::messages::ToNetwork;
use crate::sitemaps::{SitemapJob, SitemapRecord};
use model::FoundBy;
use store::{StoreError, Value};

impl Course<'_, '_> {
    pub(crate) fn robots_sitemaps(&mut self, lines: Vec<String>) {
        if !self.crawl.plan.sitemaps.from_robots || self.crawl.plan.mode == model::plan::Mode::List {
            return;
        }
        for url in lines {
            self.ask_sitemap(SitemapJob { url, parent: None, level: 0 });
        }
    }

    pub(crate) fn ask_sitemap(&mut self, job: SitemapJob) {
        self.sitemaps.add(job);
        self.ask_next_sitemap();
    }

    fn ask_next_sitemap(&mut self) {
        while let Some(job) = self.sitemaps.next() {
            self.network.send(ToNetwork::Sitemap(job));
        }
    }

    pub(crate) fn apply_sitemap(&mut self, record: SitemapRecord) -> Result<(), StoreError> {
        self.sitemaps.arrived();
        self.ask_next_sitemap();
        let index = record.report.kind == parse::SitemapKind::Index;
        let kind = match record.report.kind {
            parse::SitemapKind::UrlSet => "urlset",
            parse::SitemapKind::Index => "index",
            parse::SitemapKind::Text => "text",
            parse::SitemapKind::Rss => "rss",
            parse::SitemapKind::Atom => "atom",
            parse::SitemapKind::Unknown => "unknown",
        };
        let problems: Vec<String> = record
            .report
            .problems
            .iter()
            .map(|p| {
                if p.line > 0 {
                    format!("{} (line {}, column {}): {}", p.code, p.line, p.column, p.detail)
                } else {
                    format!("{}: {}", p.code, p.detail)
                }
            })
            .collect();
        let mut id = 0;
        let text_or_null = |text: Option<String>| text.map_or(Value::Null, Value::Text);
        self.writer.rows(
            "INSERT INTO sitemap(crawl, url, parent, status, kind, entries, bytes, problems, error) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) RETURNING id",
            &[
                self.crawl.id.into(),
                record.job.url.as_str().into(),
                record.job.parent.map_or(Value::Null, Value::Int),
                record.status.map_or(Value::Null, |status| Value::Int(i64::from(status))),
                kind.into(),
                (record.entries.len() as i64).into(),
                (record.bytes as i64).into(),
                text_or_null((!problems.is_empty()).then(|| problems.join("\n"))),
                text_or_null(record.error),
            ],
            &mut |row| {
                id = row.int(0);
                Ok(())
            },
        )?;
        for (n, entry) in record.entries.iter().enumerate() {
            let mut url = Value::Null;
            if let Some(text) = &entry.url {
                if index {
                    self.ask_sitemap(SitemapJob {
                        url: text.clone(),
                        parent: Some(id),
                        level: record.job.level + 1,
                    });
                } else {
                    let (met, _) = self.admit_listed(text, FoundBy::Sitemap, NO_DEPTH)?;
                    url = Value::Int(i64::from(met));
                }
            }
            self.writer.run(
                "INSERT INTO sitemap_entry(sitemap, n, url, raw, lastmod) VALUES(?1, ?2, ?3, ?4, ?5)",
                &[
                    id.into(),
                    (n as i64).into(),
                    url,
                    entry.raw.as_str().into(),
                    entry.lastmod.as_deref().map_or(Value::Null, Value::from),
                ],
            )?;
            for alternate in &entry.alternates {
                self.writer.run(
                    "INSERT OR IGNORE INTO sitemap_hreflang(sitemap, n, code, href) VALUES(?1, ?2, ?3, ?4)",
                    &[id.into(), (n as i64).into(), (&*alternate.hreflang).into(), (&*alternate.href).into()],
                )?;
            }
        }
        Ok(())
    }
}
