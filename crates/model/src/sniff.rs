//! Whether bytes without a declared type are HTML: asked while a body is read and again when it is parsed.

/// The patterns of MIME Sniffing §7.1, upper case; each but the last needs a space or `>` after it.
const TAGS: &[&[u8]] = &[
    b"<!DOCTYPE HTML",
    b"<HTML",
    b"<HEAD",
    b"<SCRIPT",
    b"<IFRAME",
    b"<H1",
    b"<DIV",
    b"<FONT",
    b"<TABLE",
    b"<A",
    b"<STYLE",
    b"<TITLE",
    b"<B",
    b"<BODY",
    b"<BR",
    b"<P",
];

/// Whether the bytes begin like an HTML document (MIME Sniffing, "identify an unknown MIME type"). A byte order
/// mark is passed over.
pub fn looks_like_html(body: &[u8]) -> bool {
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    let start =
        body.iter().position(|b| !matches!(b, b'\t' | b'\n' | 0x0C | b'\r' | b' ')).unwrap_or(body.len());
    let body = &body[start..];
    body.starts_with(b"<!--")
        || TAGS.iter().any(|tag| {
            body.len() > tag.len()
                && body[..tag.len()].eq_ignore_ascii_case(tag)
                && matches!(body[tag.len()], b' ' | b'>')
        })
}

/// A type that a body shows by its first bytes, of those for which that is sure.
pub const TYPES: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n\x1A\n", "image/png"),
    (b"\xFF\xD8\xFF", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1F\x8B\x08", "application/gzip"),
];

/// The type that a body has in spite of the one that was declared (lower case, without parameters), if that is beyond doubt:
/// binary data called a text, or a web page called something that is none. Kinds of images are not told apart.
pub fn contradicts(declared: &str, body: &[u8]) -> Option<&'static str> {
    let is_text = declared.starts_with("text/") || declared == "application/xhtml+xml";
    if is_text && let Some((_, shown)) = TYPES.iter().find(|(magic, _)| body.starts_with(magic)) {
        return Some(shown);
    }
    let main = declared.split('/').next().unwrap_or_default();
    let is_no_page = matches!(main, "image" | "font" | "audio" | "video") && declared != "image/svg+xml"
        || matches!(declared, "text/css" | "text/javascript" | "application/javascript" | "application/json");
    (is_no_page && looks_like_html(body)).then_some("text/html")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_contradicted_by_what_is_sure() {
        let check = |declared: &str, body: &[u8], expect: Option<&str>| {
            assert_eq!(contradicts(declared, body), expect, "{declared}");
        };
        check("text/html", b"%PDF-1.7", Some("application/pdf"));
        check("text/plain", b"GIF89a..", Some("image/gif"));
        check("image/png", b"<!doctype html><title>", Some("text/html"));
        check("application/json", b"<html>", Some("text/html"));
        check("text/html", b"<html>", None);
        check("text/plain", b"<html>", None);
        check("image/svg+xml", b"<!-- made by hand --><svg>", None);
        check("image/png", b"GIF89a..", None);
        check("application/octet-stream", b"%PDF-1.7", None);
        check("text/html", b"", None);
    }

    #[test]
    fn html_is_told_from_the_rest() {
        let check = |body: &[u8], expect: bool| {
            assert_eq!(looks_like_html(body), expect, "{}", String::from_utf8_lossy(body));
        };
        check(b"<!doctype html><title>x", true);
        check(b"\n\t <HtMl lang=en>", true);
        check(b"\xEF\xBB\xBF<!doctype html>", true);
        check(b"<!-- x", true);
        check(b"<p>x", true);
        check(b"<pre>x", false);
        check(b"<?xml version='1.0'?>", false);
        check(b"hello <html>", false);
        check(b"<html", false);
        check(b"", false);
    }
}
