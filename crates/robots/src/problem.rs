//! What is wrong with a robots.txt: a code, where, and the line itself as evidence.

model::coded! {
    /// The kinds of defects a file can have. The word is the stable code that audits and exports show.
    pub enum ProblemCode {
        /// A line that is neither blank nor a comment and has no `key: value` in it; it is skipped.
        NoColon = 1 => "no-colon",
        /// A key that no crawler known to us reads; the line is skipped.
        UnknownKey = 2 => "unknown-key",
        /// A rule or crawl delay that no `User-agent` line precedes; it is skipped.
        RuleBeforeGroup = 3 => "rule-before-group",
        /// Bytes that are not UTF-8.
        BadUtf8 = 4 => "bad-utf8",
        /// A misspelt key or a missing colon that Google forgives; the line is used.
        ToleratedTypo = 5 => "tolerated-typo",
        /// More than [`crate::MAX_BYTES`] bytes; the rest is not read.
        TooLarge = 6 => "too-large",
        /// The file begins with `<`: a web page.
        IsHtml = 7 => "is-html",
        /// A `Sitemap` line that is not an absolute http(s) URL.
        RelativeSitemap = 8 => "relative-sitemap",
        /// A `Crawl-delay` that is not a number of seconds; it is skipped.
        BadCrawlDelay = 9 => "bad-crawl-delay",
        /// `noindex` or `nofollow` as a robots.txt line, which search engines do not support.
        NoindexLine = 10 => "noindex-line",
        /// UTF-16 instead of UTF-8: crawlers find no valid line in it.
        Utf16 = 11 => "utf-16",
        /// A NUL byte; the rest of its line is not read.
        NulByte = 12 => "nul-byte",
        /// A line so long that Google's parser cuts it; the rest of it is not read.
        LineTooLong = 13 => "line-too-long",
        /// A pattern that begins with neither `/` nor `*` and so matches no URL.
        PatternWithoutSlash = 14 => "pattern-without-slash",
        /// A `User-agent` line that names no crawler.
        EmptyUserAgent = 15 => "empty-user-agent",
    }
}

impl ProblemCode {
    /// Whether this is a mistake in how a line is written, as opposed to what it says or the file as a whole.
    pub const fn is_syntax(self) -> bool {
        matches!(
            self,
            Self::NoColon
                | Self::UnknownKey
                | Self::RuleBeforeGroup
                | Self::BadUtf8
                | Self::ToleratedTypo
                | Self::Utf16
                | Self::NulByte
                | Self::LineTooLong
                | Self::PatternWithoutSlash
                | Self::EmptyUserAgent
        )
    }
}

/// One defect of one line; a defect of the whole file is reported on the line where it shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsProblem {
    pub code: ProblemCode,
    /// Counted from 1.
    pub line: u32,
    /// The line as written, bytes that are not UTF-8 replaced, cut after [`RobotsProblem::MAX_CHARS`] characters.
    pub text: String,
}

impl RobotsProblem {
    /// Characters of a line kept as evidence.
    pub const MAX_CHARS: usize = 500;

    pub(crate) fn new(code: ProblemCode, line: u32, text: &str) -> Self {
        let end = text.char_indices().nth(Self::MAX_CHARS).map_or(text.len(), |(at, _)| at);
        Self { code, line, text: text[..end].to_owned() }
    }
}
