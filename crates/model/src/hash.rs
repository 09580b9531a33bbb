//! The two hashes of a project: 64 bits to intern URLs, 128 bits to address contents.
//!
//! Both are seeded with a number drawn when the project file was made, so that a hostile site cannot
//! prepare two URLs or two pages that collide.

use crate::address::key;
use twox_hash::{XxHash3_64, XxHash3_128};

/// The seed of one project file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashSeed(pub u64);

impl HashSeed {
    /// Hash of a URL's identity: the text without fragment, its escapes upper-cased.
    pub fn url(self, text: &str) -> u64 {
        XxHash3_64::oneshot_with_seed(self.0, key(text).as_bytes())
    }

    /// Hash that addresses a content: equal bytes, equal hash.
    pub fn content(self, bytes: &[u8]) -> u128 {
        XxHash3_128::oneshot_with_seed(self.0, bytes)
    }
}

/// A hash of bytes that is the same in every project file: what `content_hash` shows, for comparing pages.
pub fn fingerprint(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}
