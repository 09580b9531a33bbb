//! What the defects of a robots.txt mean, in sentences.

use robots::ProblemCode;

/// What is wrong, and what a crawler makes of it.
pub(crate) const fn message(code: ProblemCode) -> &'static str {
    match code {
        ProblemCode::NoColon => "There is no “key: value” in this line; it is skipped.",
        ProblemCode::UnknownKey => "No crawler is known to read this key; the line is skipped.",
        ProblemCode::RuleBeforeGroup => "No User-agent line stands before this line; it is skipped.",
        ProblemCode::BadUtf8 => "This line holds bytes that are not UTF-8.",
        ProblemCode::ToleratedTypo => {
            "This line is misspelt; Google and this crawler read it all the same, others may not."
        }
        ProblemCode::TooLarge => {
            "The file is larger than 500 KiB; what follows is not read by this crawler or by Google."
        }
        ProblemCode::IsHtml => "This is a web page, not a robots.txt.",
        ProblemCode::RelativeSitemap => {
            "A Sitemap line has to hold an absolute address; this one is skipped."
        }
        ProblemCode::BadCrawlDelay => "This Crawl-delay is not a number of seconds; it is skipped.",
        ProblemCode::NoindexLine => "Search engines do not read noindex or nofollow in robots.txt.",
        ProblemCode::Utf16 => "The file is UTF-16; crawlers expect UTF-8 and find no valid line in it.",
        ProblemCode::NulByte => "There is a NUL byte in this line; what follows it is not read.",
        ProblemCode::LineTooLong => "This line is longer than Google reads; the rest of it is skipped.",
        ProblemCode::PatternWithoutSlash => "A pattern that begins with neither / nor * matches no address.",
        ProblemCode::EmptyUserAgent => "This User-agent line names no crawler.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_defect_is_a_sentence_of_its_own() {
        let mut told: Vec<&str> = ProblemCode::ALL.iter().map(|code| message(*code)).collect();
        assert!(told.iter().all(|text| text.ends_with('.')));
        let all = told.len();
        told.sort_unstable();
        told.dedup();
        assert_eq!(told.len(), all);
    }
}
