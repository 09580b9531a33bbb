//! Who we say we are.

use crate::coded;
use crate::plan::Agent;

/// The product token that site owners address in robots.txt.
pub const DEFAULT_TOKEN: &str = "GossamerBot";

/// The page for site owners who find us in their logs, once it is published; fixed when the program is built.
const BOT_PAGE: Option<&str> = option_env!("GOSSAMER_BOT_PAGE");

coded! {
    /// A user agent with the robots token that belongs to it.
    pub enum Preset {
        Gossamer = 0 => "gossamer",
        Googlebot = 1 => "googlebot",
        GooglebotSmartphone = 2 => "googlebot-smartphone",
        Bingbot = 3 => "bingbot",
        Browser = 4 => "browser",
    }
}

impl Preset {
    pub(super) const WORDS: &'static [&'static str] =
        &["gossamer", "googlebot", "googlebot-smartphone", "bingbot", "browser"];

    /// The User-Agent header. Sources: developers.google.com/search/docs/crawling-indexing/google-common-crawlers,
    /// www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0; both vary the Chrome version.
    pub(super) fn header(self, contact: &str) -> String {
        match self {
            Self::Gossamer => default_agent(contact),
            Self::Googlebot => "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/140.0.0.0 Safari/537.36".to_owned(),
            Self::GooglebotSmartphone => "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)".to_owned(),
            Self::Bingbot => "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/140.0.0.0 Safari/537.36".to_owned(),
            Self::Browser => "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36".to_owned(),
        }
    }

    /// The first word of these headers is `Mozilla`, which no robots.txt means; a browser has no token, so it keeps ours.
    const fn token(self) -> &'static str {
        match self {
            Self::Gossamer | Self::Browser => DEFAULT_TOKEN,
            Self::Googlebot | Self::GooglebotSmartphone => "Googlebot",
            Self::Bingbot => "bingbot",
        }
    }
}

/// The default User-Agent header, with the user's contact where there is one.
pub fn default_agent(contact: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    match (contact, BOT_PAGE) {
        ("", None) => format!("{DEFAULT_TOKEN}/{version} (run by a person on their own computer)"),
        ("", Some(page)) => format!("{DEFAULT_TOKEN}/{version} (+{page})"),
        (contact, _) => format!("{DEFAULT_TOKEN}/{version} (+{contact})"),
    }
}

/// The agent that these settings mean. Empty texts stand for “not said”.
pub(super) fn agent(
    preset: Preset,
    user_agent: &str,
    contact: &str,
    token: &str,
    audited_bot: &str,
) -> Agent {
    let (header, own_token) = if user_agent.is_empty() {
        (preset.header(contact), preset.token().to_owned())
    } else {
        (user_agent.to_owned(), first_word(user_agent).to_owned())
    };
    Agent {
        header,
        token: if token.is_empty() { own_token } else { token.to_owned() },
        audited_bot: audited_bot.to_owned(),
    }
}

/// A changed user agent is matched against robots.txt by the part before the first `/` or space.
fn first_word(user_agent: &str) -> &str {
    user_agent.split(['/', ' ']).next().filter(|word| !word.is_empty()).unwrap_or(DEFAULT_TOKEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_and_token_belong_together() {
        let check = |preset, user_agent, contact, token, starts: &str, expect_token: &str| {
            let agent = agent(preset, user_agent, contact, token, "Googlebot");
            assert!(agent.header.starts_with(starts), "{}", agent.header);
            assert_eq!(agent.token, expect_token);
        };
        let version = env!("CARGO_PKG_VERSION");
        check(Preset::Gossamer, "", "", "", &format!("GossamerBot/{version} ("), "GossamerBot");
        check(
            Preset::Gossamer,
            "",
            "https://agency.example/",
            "",
            &format!("GossamerBot/{version} (+https://agency.example/)"),
            "GossamerBot",
        );
        check(Preset::Googlebot, "", "a@b.example", "", "Mozilla/5.0", "Googlebot");
        check(Preset::Bingbot, "", "", "", "Mozilla/5.0", "bingbot");
        check(Preset::Browser, "", "", "", "Mozilla/5.0 (Windows", "GossamerBot");
        check(Preset::Googlebot, "MyBot/2.0 (x)", "", "", "MyBot/2.0 (x)", "MyBot");
        check(Preset::Gossamer, "/odd", "", "", "/odd", "GossamerBot");
        check(Preset::Gossamer, "Some Bot", "", "Other", "Some Bot", "Other");
    }

    #[test]
    fn the_words_of_the_setting_are_the_presets() {
        let words: Vec<&str> = Preset::ALL.iter().map(|preset| preset.word()).collect();
        assert_eq!(words, Preset::WORDS);
    }
}
