//! Functions of texts that rules use and SQL does not have. Evidence cannot use them: other programs read it.

use crate::{canonical_forms, cookie_flags, headers, language_codes, not_found_phrases, series};
use store::{StoreError, Writer};

/// Name, number of arguments, function.
const FUNCTIONS: &[(&str, usize, fn(&[Option<&str>]) -> Option<String>)] = &[
    // The site that a URL belongs to: what somebody registered of its host's name.
    ("site_of", 1, |given| Some(model::address::site_of(given[0]?).to_owned())),
    // The values of a header by its name, of lines `name: value`: the first, or all of them with a text between.
    ("header_first", 2, |given| headers::first_of(given[0]?, given[1]?)),
    ("header_all", 3, |given| headers::all_of(given[0]?, given[1]?, given[2]?)),
    // '1' where a URL is this computer's own.
    ("is_loopback", 1, |given| model::address::is_loopback(given[0]?).then(|| "1".to_owned())),
    // '1' where a text says that nothing was found.
    ("says_not_found", 1, |given| not_found_phrases::says_not_found(given[0]?).then(|| "1".to_owned())),
    // The number of a page in its series by its URL, and the URL of the first.
    ("page_number", 1, |given| Some(series::place(given[0]?)?.1.to_string())),
    ("series_of", 1, |given| Some(series::place(given[0]?)?.0)),
    // '1' where search engines understand a language code, and where it names the language of a `lang`.
    ("valid_hreflang", 1, |given| language_codes::is_valid(given[0]?).then(|| "1".to_owned())),
    ("same_language", 2, |given| language_codes::same_language(given[0]?, given[1]?).then(|| "1".to_owned())),
    // How a URL is written: `www` or `bare`, `slash` or `none`; '1' with tracking parameters.
    ("www_form", 1, |given| Some(canonical_forms::www(given[0]?)?.to_owned())),
    ("slash_form", 1, |given| Some(canonical_forms::slash(given[0]?)?.to_owned())),
    ("has_tracking", 1, |given| canonical_forms::has_tracking(given[0]?).then(|| "1".to_owned())),
    // '1' where values of X-Robots-Tag, a line each, keep every search engine or Google from showing a file.
    ("tag_says_noindex", 1, |given| robots_tag_says_noindex(given[0]?).then(|| "1".to_owned())),
    // The last policy of a Referrer-Policy header that is one: browsers pass over what they do not know.
    ("referrer_of", 1, |given| {
        let known = |word: &&str| REFERRERS.contains(word);
        let policies = given[0]?.to_ascii_lowercase();
        policies.split(',').map(str::trim).rfind(known).map(ToOwned::to_owned)
    }),
    // The cookies of the lines that lack a flag, and which; NULL where none does. The other argument is the URL.
    ("weak_cookies", 2, |given| cookie_flags::lacking(given[0]?, given[1]?.starts_with("https:"))),
];

/// Policies of the standard (W3C Referrer Policy §3).
const REFERRERS: &[&str] = &[
    "no-referrer",
    "no-referrer-when-downgrade",
    "same-origin",
    "origin",
    "strict-origin",
    "origin-when-cross-origin",
    "strict-origin-when-cross-origin",
    "unsafe-url",
];

/// Makes them known to the statements of a writer.
pub(crate) fn register(writer: &mut Writer) -> Result<(), StoreError> {
    for (name, arguments, function) in FUNCTIONS {
        writer.add_text_function(name, *arguments, *function)?;
    }
    Ok(())
}

/// A bot's name holds for the directives that follow it, up to the next name.
fn robots_tag_says_noindex(lines: &str) -> bool {
    lines.lines().any(|line| {
        let mut counts = true;
        line.to_ascii_lowercase().split(',').any(|part| {
            let directive = match part.split_once(':') {
                Some((name, rest))
                    if !matches!(
                        name.trim(),
                        "unavailable_after" | "max-snippet" | "max-image-preview" | "max-video-preview"
                    ) =>
                {
                    counts = matches!(name.trim(), "googlebot" | "googlebot-image" | "robots" | "*");
                    rest
                }
                _ => part,
            };
            counts && matches!(directive.trim(), "noindex" | "none")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noindex_is_for_whom_it_names() {
        let check = |lines: &str, expect: bool| assert_eq!(robots_tag_says_noindex(lines), expect, "{lines}");
        check("noarchive, NoIndex", true);
        check("otherbot: noindex", false);
        check("otherbot: nofollow, noindex", false);
        check("otherbot: noindex, googlebot: none", true);
        check("otherbot: noindex\nnoindex", true);
        check("max-image-preview: none", false);
        check("max-snippet: 3, noindex", true);
    }
}
