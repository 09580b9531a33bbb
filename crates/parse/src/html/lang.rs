//! Language tags (BCP 47, RFC 5646): form, and those parts of the registry in which people err.

use model::language::{LANGUAGES, REGIONS, is_listed};

/// Languages that ISO 639-1 gave up and that the registry still knows.
const OLD_LANGUAGES: &str = "in iw ji jw mo sh";

/// What the registry keeps beside ISO 3166-1: regions that are no more, and exceptions.
const OLD_REGIONS: &str = "ac an bu cp cq cs dd dg ea eu ez fx ic nt su ta tp un xk yd yu zr zz";

/// Tags from before there were rules that no rule allows.
const OLD_TAGS: &[&str] = &["en-gb-oed", "sgn-be-fr", "sgn-be-nl", "sgn-ch-de"];

/// Whether a value is a well-formed tag whose two-letter language and region are registered. Of longer languages, scripts and
/// variants the form is checked only: whoever writes one has looked it up.
pub(crate) fn is_language(tag: &str) -> bool {
    if OLD_TAGS.iter().any(|old| old.eq_ignore_ascii_case(tag)) {
        return true;
    }
    let mut parts = tag.split('-').peekable();
    let first = parts.next().unwrap_or_default();
    let is_letters = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_word = |part: &str| {
        part.len() <= 8 && !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    if first.eq_ignore_ascii_case("x") || first.eq_ignore_ascii_case("i") {
        // Private use, and what was registered before there were rules.
        return parts.peek().is_some() && parts.all(is_word);
    }
    match first.len() {
        2 if is_listed(LANGUAGES, first) || is_listed(OLD_LANGUAGES, first) => {}
        3 if is_letters(first) => {}
        _ => return false,
    }
    let mut extended = 0;
    while let Some(part) = parts.next_if(|part| part.len() == 3 && is_letters(part)) {
        extended += 1;
        if extended > 3 || !is_word(part) {
            return false;
        }
    }
    parts.next_if(|part| part.len() == 4 && is_letters(part));
    if let Some(region) = parts.next_if(|part| part.len() == 2)
        && !is_listed(REGIONS, region)
        && !is_listed(OLD_REGIONS, region)
    {
        return false;
    }
    parts.next_if(|part| part.len() == 3 && part.bytes().all(|byte| byte.is_ascii_digit()));
    let is_variant = |part: &str| {
        is_word(part) && (part.len() >= 5 || (part.len() == 4 && part.as_bytes()[0].is_ascii_digit()))
    };
    while parts.next_if(|part| is_variant(part)).is_some() {}
    // Extensions and private use: a single character, and what belongs to it.
    while let Some(single) = parts.next() {
        let is_private = single.eq_ignore_ascii_case("x");
        if single.len() != 1 || !is_word(single) || parts.peek().is_none() {
            return false;
        }
        let mut any = false;
        while parts.next_if(|part| is_word(part) && (part.len() > 1 || is_private)).is_some() {
            any = true;
        }
        if !any {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_told_from_what_is_none() {
        let check = |tag: &str, expect: bool| assert_eq!(is_language(tag), expect, "{tag}");
        for tag in [
            "en",
            "EN-us",
            "de-CH-1996",
            "zh-Hant-TW",
            "zh-cmn-Hans-CN",
            "es-419",
            "sr-Latn",
            "gsw",
            "yue-HK",
            "sl-rozaj-biske",
            "en-GB-oed",
            "i-klingon",
            "x-pirate",
            "de-DE-u-co-phonebk",
            "en-x-a",
            "iw",
            "ca-valencia",
            "hy-arevela",
        ] {
            check(tag, true);
        }
        for tag in [
            "english",
            "en_US",
            "jp",
            "en-UK",
            "xx",
            "de-",
            "-de",
            "de--AT",
            "en-US-",
            "e",
            "de-DE-u",
            "en us",
            "zh-Hant-XX1",
            "x",
            "deutsch-DE",
        ] {
            check(tag, false);
        }
    }
}
