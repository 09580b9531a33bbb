//! robots.txt: reading a file, choosing a crawler's group, deciding about a URL, and saying which line decided.
//!
//! Owns the reading of lines, grouping (RFC 9309 §2.2.1), the matcher, crawl delays and
//! `Sitemap` lines. Follows RFC 9309, and Google's parser where the RFC is silent, since that is what the
//! owners of sites test their files with.
//!
//! Absences: no I/O and no HTTP statuses (what a 404 or a 503 means is policy; [`RobotsTxt::allow_all`] is the
//! file of "no rules"). Nothing here fails: what cannot be read is skipped and listed in
//! [`RobotsTxt::problems`].
//!
//! What is the library's: `robotstxt` (0.3, a port of Google's parser) reads the lines through its callback.
//! It tells key, value and comment apart, forgives a missing colon, and knows the keys User-agent, Allow,
//! Disallow and Sitemap with their tolerated typos.
//!
//! What is ours, in `line`: the text it is fed, since it takes only `str`, escapes values and drops
//! characters after a stray `%`, does not skip a byte order mark, and panics on a line of more than 16 KiB
//! that is not ASCII. It gets pure ASCII with one `\n` a line, each line cut at Google's limit or a NUL; what
//! it finds is then taken from the bytes of the file. Also the keys it does not know (Crawl-delay, noindex,
//! extensions), and what a line is that it passes over.
//!
//! And ours, behind it: grouping (the library's ends a group at `Crawl-delay`) and the matcher (the library's
//! parses the file again for each question, keeps a list of positions per `*` instead of one, and blocks
//! /robots.txt itself).

#![forbid(unsafe_code)]

mod file;
mod group;
mod line;
mod path;
mod pattern;
mod problem;

pub use file::{AgentLine, Lines, MAX_BYTES, RobotsTxt, SitemapLine, TextLine, product_token};
pub use group::{Decision, Directive, Followed, Group, RuleLine};
pub use line::Reading;
pub use path::path_of;
pub use problem::{ProblemCode, RobotsProblem};
