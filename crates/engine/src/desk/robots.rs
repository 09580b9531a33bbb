//! robots.txt, sitemaps and the network of the open project's crawls.

use super::Desk;
use super::refusal::ApiError;
use crate::network::Network;
use crate::robots_view::{RobotsFile, RobotsHosts, RobotsSandbox, RobotsVerdict};
use crate::sitemap_view::SitemapTree;

impl Desk {
    pub fn robots_hosts(&self, crawl: i64) -> Result<RobotsHosts, ApiError> {
        Ok(self.insight()?.robots_hosts(crawl)?)
    }

    pub fn robots_file(&self, crawl: i64, origin: &str) -> Result<RobotsFile, ApiError> {
        Ok(self.insight()?.robots_file(crawl, origin)?)
    }

    /// What the file as fetched, or `text` in its place, says of these URLs.
    pub fn robots_test(
        &self,
        crawl: i64,
        origin: &str,
        text: Option<&str>,
        agent: &str,
        urls: &[String],
    ) -> Result<Vec<RobotsVerdict>, ApiError> {
        Ok(self.insight()?.robots_test(crawl, origin, text, agent, urls)?)
    }

    /// What `text` would do to the crawl's URLs of an origin. `ticket` names the call for `cancel_sandbox`; it then ends with
    /// code `cancelled`.
    pub fn robots_sandbox(
        &self,
        crawl: i64,
        origin: &str,
        text: &str,
        agent: &str,
        ticket: u64,
    ) -> Result<RobotsSandbox, ApiError> {
        let cancel = self.sandboxes.begin(ticket);
        let done = self
            .insight()
            .and_then(|insight| Ok(insight.robots_sandbox(crawl, origin, text, agent, &cancel)?));
        self.sandboxes.end(ticket);
        done
    }

    pub fn cancel_sandbox(&self, ticket: u64) {
        self.sandboxes.cancel(ticket);
    }

    pub fn sitemap_tree(&self, crawl: i64) -> Result<SitemapTree, ApiError> {
        Ok(self.insight()?.sitemap_tree(crawl)?)
    }

    /// The hosts that a crawl contacted; of one that runs here, with how they are being asked at this moment.
    pub fn network(&self, crawl: i64) -> Result<Network, ApiError> {
        let mut network = self.insight()?.network(crawl)?;
        let path = self.opened()?.path.clone();
        if let Some(hosts) = self.at_work_on(&path, crawl).and_then(|job| job.hosts()) {
            network.alive(&hosts);
        }
        Ok(network)
    }
}
