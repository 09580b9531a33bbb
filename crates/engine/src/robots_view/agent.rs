//! The agent that a person tests for: a product token, and the group that its crawler follows.

use crate::error::EngineError;
use robots::{Followed, Group, RobotsTxt, product_token};

/// The crawlers of Google that follow the group of another token where the file has none for their own
/// (developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers).
const SECOND: &[(&str, &str)] =
    &[("googlebot-image", "googlebot"), ("googlebot-news", "googlebot"), ("googlebot-video", "googlebot")];

/// The product token of an agent as typed: a token, or one with its version such as `Googlebot/2.1`.
///
/// The header of a browser-like crawler begins with a word that is no crawler's, so that it is refused.
pub(crate) fn token(typed: &str) -> Result<&str, EngineError> {
    let token = product_token(typed);
    if token.is_empty() {
        return Err(EngineError::Usage(
            "The agent is empty: a token such as Googlebot is needed.".to_owned(),
        ));
    }
    if token.eq_ignore_ascii_case("mozilla") && typed.trim_ascii().len() > token.len() {
        let found = named(typed).map_or_else(String::new, |name| format!("; {name} may be meant"));
        return Err(EngineError::Usage(format!(
            "The agent has to be a product token, not a whole user agent{found}."
        )));
    }
    Ok(token)
}

/// The crawler that a User-Agent header names: the first product that no browser sends.
fn named(header: &str) -> Option<&str> {
    const OF_BROWSERS: &[&str] = &[
        "mozilla",
        "applewebkit",
        "chrome",
        "chromium",
        "safari",
        "gecko",
        "firefox",
        "version",
        "mobile",
        "edg",
        "opr",
    ];
    header.split(|c: char| c.is_whitespace() || matches!(c, ';' | '(' | ')' | ',')).find_map(|word| {
        let name = word.split_once('/')?.0;
        let is_token =
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'-' | b'_'));
        let is_browser = OF_BROWSERS.iter().any(|browser| browser.eq_ignore_ascii_case(name));
        (is_token && !is_browser).then_some(name)
    })
}

/// The group that a crawler with this token follows: its own; without one, the one that its maker documents; then that of
/// everybody. `own`: the token of this program, which follows the standard alone.
pub(crate) fn followed(file: &RobotsTxt, token: &str, own: &str) -> Group {
    let group = file.group(token);
    if group.followed() == Followed::Own || token.eq_ignore_ascii_case(own) {
        return group;
    }
    let second = SECOND.iter().find(|(name, _)| name.eq_ignore_ascii_case(token));
    second
        .map(|(_, other)| file.group(other))
        .filter(|other| other.followed() == Followed::Own)
        .unwrap_or(group)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_told_from_a_user_agent() {
        let check = |typed: &str, expect: Result<&str, &str>| {
            let told = token(typed).map_err(|error| error.to_string());
            assert_eq!(told.as_deref().map_err(String::as_str), expect, "{typed}");
        };
        check("Googlebot", Ok("Googlebot"));
        check(" Googlebot/2.1 (+http://www.google.com/bot.html)", Ok("Googlebot"));
        check("Mozilla", Ok("Mozilla"));
        let refused = "The agent has to be a product token, not a whole user agent";
        check("Mozilla/5.0 (compatible; Googlebot/2.1)", Err(&format!("{refused}; Googlebot may be meant.")));
        check(
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/1 Safari/537.36",
            Err(&format!("{refused}; bingbot may be meant.")),
        );
        check("Mozilla/5.0 (X11; Linux) Gecko/20100101 Firefox/130.0", Err(&format!("{refused}.")));
        check(" ", Err("The agent is empty: a token such as Googlebot is needed."));
    }

    #[test]
    fn the_crawlers_of_google_follow_its_group() {
        let check = |text: &str, token: &str, own: &str, expect: &str| {
            let group = followed(&RobotsTxt::parse(text.as_bytes()), token, own);
            assert_eq!(group.name(), expect, "{token} in {text:?}");
        };
        let both = "User-agent: *\nDisallow: /\n\nUser-agent: googlebot\nDisallow: /x\n";
        for token in ["Googlebot-Image", "googlebot-news", "Googlebot-Video", "Googlebot"] {
            check(both, token, "GossamerBot", "googlebot");
        }
        check(both, "Googlebot-Other", "GossamerBot", "*");
        check(both, "Googlebot-Image", "googlebot-image", "*");
        check("User-agent: *\nDisallow: /\n", "Googlebot-Image", "GossamerBot", "*");
        let three = format!("{both}\nUser-agent: Googlebot-Image\nAllow: /\n");
        check(&three, "Googlebot-Image", "GossamerBot", "Googlebot-Image");
    }
}
