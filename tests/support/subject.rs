//! What an expectation of a hard case is about, read from the words of the case.

use crate::cases::{Case, CaseServer};

/// What an expectation is about.
#[derive(Debug, PartialEq)]
pub(crate) enum Subject {
    /// URLs.
    Targets(Vec<String>),
    /// Raw hrefs, or their ends when they begin with `#`.
    Hrefs(Vec<String>),
    /// At least so many different targets of these link kinds.
    Count(usize, &'static [&'static str]),
    Unclear,
}

impl Subject {
    pub(crate) fn read(text: &str, server: &CaseServer, case: &Case) -> Self {
        Self::read_with(text, &|origin| server.origin(&case.id, origin))
    }

    fn read_with(text: &str, origin: &dyn Fn(&str) -> Option<String>) -> Self {
        let text = text.split(" (").next().unwrap_or_default().trim();
        if text.starts_with("http") {
            return Self::Hrefs(vec![text.to_owned()]);
        }
        if text.starts_with('#') {
            return Self::Hrefs(text.split([',', '/']).map(|part| part.trim().to_owned()).collect());
        }
        let numbers = [
            "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        ];
        let count = text.split(' ').find_map(|word| numbers.iter().position(|number| *number == word));
        if let Some(count) = count {
            let kinds: &[&str] = if text.contains("image") { &["image"] } else { &["anchor"] };
            return Self::Count(count + 1, kinds);
        }
        let targets: Option<Vec<String>> = text
            .split(", ")
            .map(|part| {
                if let Some((name, path)) = part.strip_prefix("{{").and_then(|rest| rest.split_once("}}")) {
                    return Some(format!("{}{path}", origin(name)?));
                }
                if part.starts_with('/') {
                    return Some(format!("{}{part}", origin("main")?));
                }
                // A bare name, as in "a, b": a path of the other origin.
                let bare = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
                if bare { Some(format!("{}/{part}", origin("other")?)) } else { None }
            })
            .collect();
        targets.map_or(Self::Unclear, Self::Targets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_are_read() {
        let origin = |name: &str| Some(format!("http://{name}"));
        let check =
            |text: &str, expect: Subject| assert_eq!(Subject::read_with(text, &origin), expect, "{text}");
        let targets = |list: &[&str]| Subject::Targets(list.iter().map(|t| (*t).to_owned()).collect());
        let hrefs = |list: &[&str]| Subject::Hrefs(list.iter().map(|t| (*t).to_owned()).collect());
        check("/a.html, /b", targets(&["http://main/a.html", "http://main/b"]));
        check("{{other}}/gone", targets(&["http://other/gone"]));
        check("a, b", targets(&["http://other/a", "http://other/b"]));
        check("http://[::1/ipv6", hrefs(&["http://[::1/ipv6"]));
        check("#top, #TOP, #", hrefs(&["#top", "#TOP", "#"]));
        check("#caf%C3%A9 / #café", hrefs(&["#caf%C3%A9", "#café"]));
        check("#ghost-two (from /z/late.html)", hrefs(&["#ghost-two"]));
        check("the first eight", Subject::Count(8, &["anchor"]));
        check("twelve images", Subject::Count(12, &["image"]));
        check("something else!", Subject::Unclear);
    }
}
