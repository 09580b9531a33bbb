//! Which part of a URL robots.txt rules speak of: the path with its query.

use std::borrow::Cow;

/// The path and query of a URL, without fragment; always begins with `/`.
///
/// Reads what Google's parser reads: an absolute URL, one without scheme (`example.com/a`, `//example.com/a`), or
/// a path. A path that itself begins with `//` cannot be told from a host: hand in its absolute URL, or use
/// [`crate::Group::decide_path`].
pub fn path_of(url: &str) -> Cow<'_, str> {
    // A leading `//` introduces a host and is not the path's beginning.
    let after_slashes = if url.starts_with("//") { 2 } else { 0 };
    let path_start = |from: usize| url[from..].find(['/', '?', ';']).map(|at| from + at);
    // A `://` behind the first `/`, `?` or `;` belongs to the path or the query.
    let authority = match url[after_slashes..].find("://").map(|at| after_slashes + at) {
        Some(scheme_end) if path_start(after_slashes).is_none_or(|path| path > scheme_end) => scheme_end + 3,
        _ => after_slashes,
    };
    let Some(start) = path_start(authority) else { return Cow::Borrowed("/") };
    let end = url[after_slashes..].find('#').map_or(url.len(), |at| after_slashes + at);
    if end < start {
        return Cow::Borrowed("/");
    }
    match &url[start..end] {
        path if path.starts_with('/') => Cow::Borrowed(path),
        query => Cow::Owned(format!("/{query}")),
    }
}

#[cfg(test)]
mod tests {
    use super::path_of;

    #[test]
    fn the_path_with_its_query_is_matched() {
        let check = |url: &str, expect: &str| assert_eq!(path_of(url), expect, "{url}");
        check("https://example.com/a/b?c=d#e", "/a/b?c=d");
        check("https://example.com", "/");
        check("https://example.com?a", "/?a");
        check("https://example.com#/a", "/");
        check("https://user:pw@example.com:8080/a", "/a");
        check("https://example.com//a", "//a");
        check("http://[::1]/a", "/a");
        check("/a?u=http://b/c", "/a?u=http://b/c");
        check("/a", "/a");
        check("", "/");
        check("é/ü#", "/ü");
    }
}
