//! robots.txt as audits see it: how it answered, and two questions about its lines.
//!
//! Deciding about URLs is not done here: only whether a whole-site block or a Sitemap line stands in the file.

use crate::findings::place;

/// robots.txt of one internal host.
#[derive(Debug, Clone, Default)]
pub struct RobotsFile {
    /// `ok`, `missing`, `unreachable`, `throttled`.
    pub state: String,
    pub status: Option<i64>,
    pub hops: i64,
    /// Seconds, of the group that was followed.
    pub crawl_delay: Option<f64>,
    pub too_large: bool,
    pub is_html: bool,
    pub body: Vec<u8>,
    /// What is wrong with its lines, one each: `no-colon (line 3): Disallow /x`.
    pub problems: String,
    /// Ids of the sitemaps that it names and that did not answer with 200.
    pub bad_sitemaps: Vec<i64>,
}

/// Codes of mistakes in how a line is written, as opposed to what it says.
const SYNTAX: &[&str] = &[
    "no-colon",
    "unknown-key",
    "rule-before-group",
    "bad-utf8",
    "tolerated-typo",
    "utf-16",
    "nul-byte",
    "line-too-long",
    "pattern-without-slash",
    "empty-user-agent",
];

/// Agents that collect texts for language models or answer with them, as their operators name them.
const AI_AGENTS: &[&str] = &[
    "gptbot",
    "oai-searchbot",
    "chatgpt-user",
    "claudebot",
    "claude-searchbot",
    "claude-user",
    "anthropic-ai",
    "google-extended",
    "applebot-extended",
    "ccbot",
    "perplexitybot",
    "perplexity-user",
    "meta-externalagent",
    "meta-externalfetcher",
    "bytespider",
    "amazonbot",
    "cohere-ai",
    "cohere-training-data-crawler",
    "diffbot",
    "mistralai-user",
    "duckassistbot",
    "youbot",
];

impl RobotsFile {
    /// A file that was read.
    pub(crate) fn was_read(&self) -> bool {
        self.state == "ok"
    }

    /// Key and value of each line, comments and surrounding white space removed. Keys are lower case.
    fn lines(&self) -> impl Iterator<Item = (String, String)> + '_ {
        let body = self.body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&self.body);
        body.split(|byte| matches!(byte, b'\n' | b'\r')).filter_map(|line| {
            let text = String::from_utf8_lossy(line);
            let text = text.split('#').next().unwrap_or_default();
            let (key, value) = text.split_once(':')?;
            Some((key.trim().to_ascii_lowercase(), value.trim().to_owned()))
        })
    }

    fn has_problem(&self, codes: &[&str]) -> bool {
        self.problems.lines().any(|line| line.split(' ').next().is_some_and(|code| codes.contains(&code)))
    }

    pub(crate) fn has_syntax_errors(&self) -> bool {
        self.has_problem(SYNTAX)
    }

    /// Where findings about Sitemap lines point: the file itself for lines that are no whole address, and each sitemap that is none.
    pub(crate) fn bad_sitemap_places(&self) -> Vec<i64> {
        let relative = self.has_problem(&["relative-sitemap"]).then_some(0);
        relative.into_iter().chain(self.bad_sitemaps.iter().map(|id| place::entry(*id, 0))).collect()
    }

    /// The whole addresses of its Sitemap lines.
    pub(crate) fn sitemaps(&self) -> Vec<String> {
        self.lines()
            .filter(|(key, value)| matches!(&**key, "sitemap" | "site-map") && value.contains("://"))
            .filter_map(|(_, value)| Some(model::Address::parse(&value).ok()?.as_str().to_owned()))
            .collect()
    }

    /// Whether a group of its own keeps one of the listed AI agents from the whole site.
    pub(crate) fn shuts_out_ai(&self) -> bool {
        AI_AGENTS.iter().any(|agent| self.shuts_out(agent))
    }

    pub(crate) fn names_a_sitemap(&self) -> bool {
        self.lines().any(|(key, value)| matches!(&*key, "sitemap" | "site-map") && !value.is_empty())
    }

    pub(crate) fn holds_index_rules(&self) -> bool {
        self.lines().any(|(key, _)| matches!(&*key, "noindex" | "nofollow"))
    }

    /// Whether the groups for `*` or those for Googlebot disallow everything (RFC 9309: groups for one agent are merged,
    /// and Allow wins a tie).
    pub(crate) fn blocks_the_site(&self) -> bool {
        self.shuts_out("*") || self.shuts_out("googlebot")
    }

    fn shuts_out(&self, agent: &str) -> bool {
        let (mut in_group, mut in_rules) = (false, false);
        let (mut disallowed, mut allowed) = (false, false);
        for (key, value) in self.lines() {
            match &*key {
                "user-agent" | "useragent" | "user agent" => {
                    // A run of user-agent lines shares one group; the first after a rule opens the next.
                    if in_rules {
                        (in_group, in_rules) = (false, false);
                    }
                    in_group |= value.to_ascii_lowercase() == agent;
                }
                "disallow" | "allow" => {
                    in_rules = true;
                    if in_group && matches!(&*value, "/" | "/*" | "*") {
                        if key == "allow" { allowed = true } else { disallowed = true }
                    }
                }
                _ => {}
            }
        }
        disallowed && !allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_site_blocks_are_told_from_partial_ones() {
        let check = |body: &str, blocks: bool| {
            let file =
                RobotsFile { state: "ok".into(), body: body.as_bytes().to_vec(), ..RobotsFile::default() };
            assert_eq!(file.blocks_the_site(), blocks, "{body:?}");
        };
        check("User-agent: *\nDisallow: /\n", true);
        check("\u{feff}user-agent: *\r\nDISALLOW : / # all\r\n", true);
        check("User-agent: Googlebot\nUser-agent: x\nDisallow: /*\n", true);
        check("User-agent: *\nDisallow:\n\nUser-agent: *\nDisallow: /", true);
        check("User-agent: *\nDisallow: /\nAllow: /\n", false);
        check("User-agent: *\nDisallow: /private\n", false);
        check("User-agent: badbot\nDisallow: /\nUser-agent: *\nDisallow: /x\n", false);
        check("Disallow: /\n", false);
        check("", false);
    }

    #[test]
    fn sitemap_lines_belong_to_no_group_and_any_case() {
        let check = |body: &str, named: bool| {
            let file = RobotsFile { body: body.as_bytes().to_vec(), ..RobotsFile::default() };
            assert_eq!(file.names_a_sitemap(), named, "{body:?}");
        };
        check("SITEMAP: https://a.example/s.xml", true);
        check("User-agent: *\rDisallow:\rsitemap : https://a.example/s.xml\r", true);
        check("# Sitemap: https://a.example/s.xml", false);
        check("Sitemap:", false);
    }
}
