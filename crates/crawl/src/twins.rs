//! The `www.` and apex twins of a start host, which belong to the site as soon as one redirects to the other.

use crate::course::Course;
use crate::robots_cache::sitemap_lines;
use model::address::origin_of;
use store::StoreError;

impl Course<'_, '_> {
    /// A URL of one origin redirects to another: where they are twins and the first belongs to the site, so does the other.
    pub(crate) fn adopt(&mut self, from: &str, to: &str) -> Result<(), StoreError> {
        if !self.frontier.scope.adopt_twin(from, to) {
            return Ok(());
        }
        self.frontier.scope_grew();
        // http and https of the new name are the site's, whichever of them were met.
        let rest = to.split_once("://").map_or(to, |(_, rest)| rest);
        for origin in [format!("https://{rest}"), format!("http://{rest}")] {
            let host = self.writer.host(&origin)?;
            self.frontier.adopt_host(self.writer, host)?;
            self.sitemaps_of(host, &origin)?;
        }
        Ok(())
    }

    /// A twin of the start address was found to redirect to the site.
    pub(crate) fn adopt_from(&mut self, twin: &str, target: &str) -> Result<(), StoreError> {
        self.adopt(origin_of(target), origin_of(twin))
    }

    /// The sitemaps that the robots.txt of a host names, where it was read before the host joined the site.
    fn sitemaps_of(&mut self, host: u32, origin: &str) -> Result<(), StoreError> {
        if !self.crawl.plan.robots.obey {
            return Ok(());
        }
        let mut lines: Vec<String> = Vec::new();
        let sql = "SELECT body FROM robots WHERE crawl = ?1 AND host = ?2 AND state = 'ok'";
        self.writer.rows(sql, &[self.crawl.id.into(), i64::from(host).into()], &mut |row| {
            lines.extend(sitemap_lines(&robots::RobotsTxt::parse(row.blob(0))));
            Ok(())
        })?;
        self.robots_sitemaps(origin, lines)
    }

    /// Takes in again what an earlier run of the crawl took in.
    pub(crate) fn restore_twins(&mut self) -> Result<(), StoreError> {
        let (first, last) = store::key_range(self.crawl.id);
        let mut origins = Vec::new();
        let sql = "SELECT h.origin FROM host h WHERE h.id IN (SELECT DISTINCT host FROM visit WHERE key BETWEEN ?1 AND ?2 AND internal)";
        self.writer.rows(sql, &[first.into(), last.into()], &mut |row| {
            origins.push(row.text(0).to_owned());
            Ok(())
        })?;
        for origin in origins {
            self.frontier.scope.readopt(&origin);
        }
        // A twin none of whose URLs were met is known by its probe alone.
        let mut probed = Vec::new();
        let sql =
            "SELECT subject, redirect FROM probe WHERE crawl = ?1 AND kind = 'twin' AND redirect IS NOT NULL";
        self.writer.rows(sql, &[self.crawl.id.into()], &mut |row| {
            probed.push((row.text(0).to_owned(), row.text(1).to_owned()));
            Ok(())
        })?;
        for (twin, target) in probed {
            self.frontier.scope.adopt_twin(origin_of(&target), origin_of(&twin));
        }
        self.frontier.scope_grew();
        Ok(())
    }
}
