//! Bytes to facts: what a page, a sitemap or an attribute says, read by the rules of the standards.
//!
//! Owns the reading of HTML (into [`model::PageFacts`]) with its structured data, of sitemaps, of srcset, CSS addresses, meta refresh,
//! `Link` headers and encodings, and the width of a text in search results.
//!
//! Absences: no I/O besides the reader that a caller passes in, no clock, no error type — whatever the bytes are, facts come
//! out, and what is wrong with them is a [`model::facts::Problem`]. Nothing is judged but by what standards say of markup and the list
//! beside `structured` of entities.

mod charset;
mod css;
mod entity;
mod html;
mod reading;
mod refresh;
mod shingles;
mod sitemap;
mod srcset;
mod structured;
mod width;
mod words;

pub use charset::{Charset, charset};
pub use css::{CssUrl, CssUse, css_urls};
pub use html::{FieldValue, FieldValues, Places, Tag, custom, html, places, shingles};
pub use refresh::{MetaRefresh, meta_refresh};
pub use sitemap::{SitemapAlternate, SitemapEntry, SitemapKind, SitemapProblem, SitemapReport, sitemap};
pub use srcset::{Srcset, SrcsetCandidate, srcset};
pub use width::{description_px, title_px};

/// One document as it was answered.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    /// The decoded body: content codings undone, character encoding not.
    pub body: &'a [u8],
    /// The absolute URL that answered, after redirects.
    pub url: &'a str,
    /// Names in lower case, values as received.
    pub headers: &'a [(Box<str>, Box<str>)],
    /// The Content-Type header, parameters included.
    pub content_type: Option<&'a str>,
}

/// The hash under which a fragment or an element's id is kept in [`PageFacts::anchors`].
pub fn fragment_hash(fragment: &str) -> u64 {
    twox_hash::XxHash3_64::oneshot(fragment.as_bytes())
}
