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
        self.numbered_lines().map(|(_, key, value)| (key, value))
    }

    /// As `lines`, with the one-based number of the line.
    fn numbered_lines(&self) -> impl Iterator<Item = (i64, String, String)> + '_ {
        let body = self.body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&self.body);
        let (mut number, mut after_return) = (0, false);
        body.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')).filter_map(move |line| {
            // The line feed of a pair ends no line of its own.
            let ends_a_pair = after_return && line == b"\n";
            after_return = line.ends_with(b"\r");
            if ends_a_pair {
                return None;
            }
            number += 1;
            let text = String::from_utf8_lossy(line);
            let text = text.split('#').next().unwrap_or_default();
            let (key, value) = text.split_once(':')?;
            Some((number, key.trim().to_ascii_lowercase(), value.trim().to_owned()))
        })
    }

    /// Where the first line with one of these mistakes stands; the file as a whole where a mistake has no line.
    fn problem_place(&self, codes: &[&str]) -> Option<i64> {
        let found = self
            .problems
            .lines()
            .find(|line| line.split(' ').next().is_some_and(|code| codes.contains(&code)))?;
        let number = found.split_once("(line ").and_then(|(_, rest)| rest.split_once(')')?.0.parse().ok());
        Some(number.map_or(0, place::robots_line))
    }

    /// The first line that is written in a way that crawlers pass over.
    pub(crate) fn syntax_error(&self) -> Option<i64> {
        self.problem_place(SYNTAX)
    }

    /// Where findings about Sitemap lines point: the file itself for lines that are no whole address, and each sitemap that is none.
    pub(crate) fn bad_sitemap_places(&self) -> Vec<i64> {
        let relative = self.problem_place(&["relative-sitemap"]);
        relative.into_iter().chain(self.bad_sitemaps.iter().map(|id| place::entry(*id, 0))).collect()
    }

    /// The whole addresses of its Sitemap lines.
    pub(crate) fn sitemaps(&self) -> Vec<String> {
        self.lines()
            .filter(|(key, value)| matches!(&**key, "sitemap" | "site-map") && value.contains("://"))
            .filter_map(|(_, value)| Some(model::Address::parse(&value).ok()?.as_str().to_owned()))
            .collect()
    }

    /// The line that keeps one of the listed AI agents, in a group of its own, from the whole site.
    pub(crate) fn shuts_out_ai(&self) -> Option<i64> {
        AI_AGENTS.iter().find_map(|agent| self.shuts_out(agent)).map(place::robots_line)
    }

    pub(crate) fn names_a_sitemap(&self) -> bool {
        self.lines().any(|(key, value)| matches!(&*key, "sitemap" | "site-map") && !value.is_empty())
    }

    /// The first line that says noindex or nofollow.
    pub(crate) fn index_rule(&self) -> Option<i64> {
        let mut found = self.numbered_lines().filter(|(_, key, _)| matches!(&**key, "noindex" | "nofollow"));
        found.next().map(|(number, _, _)| place::robots_line(number))
    }

    /// The line with which the groups for `*` or those for Googlebot disallow everything (RFC 9309: groups for one agent are
    /// merged, and Allow wins a tie).
    pub(crate) fn blocks_the_site(&self) -> Option<i64> {
        self.shuts_out("*").or_else(|| self.shuts_out("googlebot")).map(place::robots_line)
    }

    /// The number of the line that does it.
    fn shuts_out(&self, agent: &str) -> Option<i64> {
        let (mut in_group, mut in_rules) = (false, false);
        let (mut disallowed, mut allowed) = (None, false);
        for (number, key, value) in self.numbered_lines() {
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
                        if key == "allow" {
                            allowed = true;
                        } else {
                            disallowed = disallowed.or(Some(number));
                        }
                    }
                }
                _ => {}
            }
        }
        disallowed.filter(|_| !allowed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_site_blocks_are_told_from_partial_ones() {
        let check = |body: &str, line: Option<i64>| {
            let file =
                RobotsFile { state: "ok".into(), body: body.as_bytes().to_vec(), ..RobotsFile::default() };
            assert_eq!(file.blocks_the_site(), line.map(place::robots_line), "{body:?}");
        };
        check("User-agent: *\nDisallow: /\n", Some(2));
        check("\u{feff}user-agent: *\r\nDISALLOW : / # all\r\n", Some(2));
        check("# one\r\rUser-agent: *\r\n\r\nDisallow: /", Some(5));
        check("User-agent: Googlebot\nUser-agent: x\nDisallow: /*\n", Some(3));
        check("User-agent: *\nDisallow:\n\nUser-agent: *\nDisallow: /", Some(5));
        check("User-agent: *\nDisallow: /\nAllow: /\n", None);
        check("User-agent: *\nDisallow: /private\n", None);
        check("User-agent: badbot\nDisallow: /\nUser-agent: *\nDisallow: /x\n", None);
        check("Disallow: /\n", None);
        check("", None);
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
