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

#[cfg(test)]
mod tests {
    use super::*;

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
