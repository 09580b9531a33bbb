//! Sitemaps and what is read from them.
//!
//! | what a server may serve | test |
//! |-|-|
//! | gzip | `gzip_by_its_bytes` |
//! | leading white space, BOM, CDATA, namespaces | `other_formats`, `encodings`, `addresses_as_they_are_written`, `namespaces_right_wrong_and_absent` |
//! | DOCTYPE and entities | `entities_are_never_fetched_and_never_multiply` |
//! | plain text, RSS, Atom | `other_formats` |
//! | over 50,000 entries, over 50 MB, without end | `nothing_grows_without_bound` |
//! | broken off in the middle | `damage_is_told_and_passed_over` |

use super::{SitemapEntry, SitemapKind, SitemapReport, sitemap};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{Read, Write};

const CAP: u64 = 1 << 24;

fn read(body: &[u8]) -> (SitemapReport, Vec<SitemapEntry>) {
    let mut entries = Vec::new();
    let report = sitemap(&mut &*body, CAP, &mut |entry| entries.push(entry));
    assert_eq!(report.entries, entries.len() as u64);
    (report, entries)
}

/// Addresses and problem codes.
fn check(body: &str, kind: SitemapKind, locs: &[&str], problems: &[&str]) {
    let (report, entries) = read(body.as_bytes());
    assert_eq!(entries.iter().map(|e| &*e.loc).collect::<Vec<_>>(), locs, "{body}");
    assert_eq!(report.problems.iter().map(|p| p.code).collect::<Vec<_>>(), problems, "{body}");
    assert_eq!(report.kind, kind, "{body}");
}

fn urlset(inner: &str) -> String {
    format!(
        "<?xml version='1.0'?>\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\n{inner}\n</urlset>"
    )
}

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn addresses_as_they_are_written() {
    let check = |loc: &str, expect: &str| {
        check(&urlset(&format!("<url><loc>{loc}</loc></url>")), SitemapKind::UrlSet, &[expect], &[]);
    };
    check("\n      http://h/p\n   ", "http://h/p");
    check("<![CDATA[http://h/p?a=1&b=2]]>", "http://h/p?a=1&b=2");
    check("http://h/p?a=1&#38;b=2&amp;c=3", "http://h/p?a=1&b=2&c=3");
    check("http://h/p-<!-- note -->c", "http://h/p-c");
    check("http://h/p-part<![CDATA[-cdata]]>.html", "http://h/p-part-cdata.html");
    check("\u{a0}http://h/ü \u{a0}", "http://h/ü");
    check("http://h/p space", "http://h/p space");
    check("<url><![CDATA[http://h/x]]></url>", "http://h/x");
    check("mailto:x@h", "mailto:x@h");
}

#[test]
fn entries_have_their_extensions() {
    let body = urlset(
        "<url><loc>http://h/a</loc><lastmod>2024-01-02</lastmod><changefreq>daily</changefreq><priority>0.5</priority>\
         <xhtml:link rel='alternate' hreflang='de' href='http://h/de?a&amp;b'/><xhtml:link rel='alternate' href='http://no'/>\
         <image:image><image:loc>http://h/i.png</image:loc></image:image><image:image/><video:video><video:loc>x</video:loc></video:video></url>",
    );
    let (_, entries) = read(body.as_bytes());
    let entry = &entries[0];
    assert_eq!((&*entry.loc, entry.line, entry.images, entry.videos), ("http://h/a", 3, 2, 1));
    assert_eq!(entry.lastmod.as_deref(), Some("2024-01-02"));
    assert_eq!((entry.changefreq.as_deref(), entry.priority.as_deref()), (Some("daily"), Some("0.5")));
    let alternates: Vec<_> = entry.alternates.iter().map(|a| (&*a.hreflang, &*a.href)).collect();
    assert_eq!(alternates, [("de", "http://h/de?a&b")]);
}

#[test]
fn namespaces_right_wrong_and_absent() {
    let inner = "<url><loc>http://h/a</loc></url>";
    check(&format!("<urlset>{inner}</urlset>"), SitemapKind::UrlSet, &["http://h/a"], &["namespace-missing"]);
    check(
        &format!("<urlset xmlns='http://x'>{inner}</urlset>"),
        SitemapKind::UrlSet,
        &["http://h/a"],
        &["namespace-wrong"],
    );
    check(
        "<sm:urlset xmlns:sm='http://www.sitemaps.org/schemas/sitemap/0.9'><sm:url><sm:loc>http://h/a</sm:loc></sm:url></sm:urlset>",
        SitemapKind::UrlSet,
        &["http://h/a"],
        &[],
    );
}

#[test]
fn other_formats() {
    check(
        "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><sitemap><loc>http://h/s.xml</loc></sitemap></sitemapindex>",
        SitemapKind::Index,
        &["http://h/s.xml"],
        &[],
    );
    check(
        "\u{feff}http://h/a\r\n\n  HTTPS://h/b  \nwww.h/c\n",
        SitemapKind::Text,
        &["http://h/a", "HTTPS://h/b", "www.h/c"],
        &["line-no-address"],
    );
    check("http://h/a b\nhttp://h/a\nwords\n", SitemapKind::Text, &["http://h/a"], &["line-no-address"]);
    check(
        "<!-- x --><rss version='2.0' xmlns:atom='a'><channel><link>http://h/</link><atom:link href='http://h/self'/><item><atom:link href='x'/><link>http://h/1</link></item>\
         <item><guid>http://h/2</guid></item></channel></rss>",
        SitemapKind::Rss,
        &["http://h/1", "http://h/2"],
        &[],
    );
    check(
        "<feed xmlns='http://www.w3.org/2005/Atom'><link href='http://h/'/><entry><link rel='edit' href='http://no'/><link href='http://h/1'/></entry></feed>",
        SitemapKind::Atom,
        &["http://h/1"],
        &[],
    );
    check(
        "<!doctype html><title>404</title><a href='http://h/no'>x</a>",
        SitemapKind::Unknown,
        &[],
        &["html"],
    );
    check("<?xml version='1.0'?>\n<html><a/></html>", SitemapKind::Unknown, &[], &["html"]);
    check("<?xml version='1.0'?><other/>", SitemapKind::Unknown, &[], &["unknown-format"]);
    check("{\"json\": 1}", SitemapKind::Unknown, &[], &["unknown-format"]);
    check("", SitemapKind::Unknown, &[], &[]);
    check(
        &format!(" \n{}", urlset("<url><loc>http://h/a</loc></url>")),
        SitemapKind::UrlSet,
        &["http://h/a"],
        &["leading-white-space"],
    );
}

#[test]
fn damage_is_told_and_passed_over() {
    let whole = "<url><loc>http://h/1</loc></url>\n";
    let head = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\n";
    check(
        &format!("{head}{whole}<url><loc>http://h/cut"),
        SitemapKind::UrlSet,
        &["http://h/1"],
        &["xml-error"],
    );
    check(
        &format!("{head}{whole}<url><loc>http://h/2</loc><las"),
        SitemapKind::UrlSet,
        &["http://h/1", "http://h/2"],
        &["xml-error"],
    );
    let (report, _) = read(format!("{head}{whole}<url><loc>http://h/cut").as_bytes());
    assert_eq!((report.problems[0].line, report.problems[0].column), (3, 23));
    check(
        &urlset("<url><loc></loc></url><url><loc>http://h/1</loc></url>"),
        SitemapKind::UrlSet,
        &["http://h/1"],
        &["loc-missing"],
    );
    check(
        &urlset("<url><loc>http://h/p?a=1&b=2</loc></url><url><loc>http://h/2</loc></url>"),
        SitemapKind::UrlSet,
        &["http://h/p?a=1&b=2", "http://h/2"],
        &["ampersand-bare"],
    );
    check(
        &urlset("<url><loc>http://h/1<url><loc>http://h/2</loc></url>"),
        SitemapKind::UrlSet,
        &["http://h/1http://h/2"],
        &["xml-error"],
    );
    check(
        &urlset("<url><loc>http://h/1</loc><url><loc>http://h/2</loc></url>"),
        SitemapKind::UrlSet,
        &["http://h/1", "http://h/2"],
        &["xml-error"],
    );
    check(
        &format!("{head}{whole}<url><loc>http://h/2</lo"),
        SitemapKind::UrlSet,
        &["http://h/1", "http://h/2"],
        &["xml-error"],
    );
    check(
        &format!("{head}{whole}<url><loc>http://h/2<!-- "),
        SitemapKind::UrlSet,
        &["http://h/1"],
        &["xml-error"],
    );
    check(&urlset("<url>http://h/bare</url>"), SitemapKind::UrlSet, &["http://h/bare"], &["loc-missing"]);
}

#[test]
fn faults_are_told_with_their_places() {
    let check = |body: &[u8], expect: &[(&str, u32, u32)]| {
        let (report, entries) = read(body);
        let told: Vec<_> = report.problems.iter().map(|p| (p.code, p.line, p.column)).collect();
        assert_eq!(told, expect, "{}: {report:?}", String::from_utf8_lossy(body));
        assert_eq!(entries.first().map(|entry| &*entry.loc), Some("http://h/1"), "{report:?}");
    };
    let one = "<url><loc>http://h/1</loc></url>";
    let bare = "<url><loc>http://h/1</loc></url>\n<url><loc>http://h/é?a=1&b=2</loc></url>";
    check(urlset(bare).as_bytes(), &[("ampersand-bare", 4, 25)]);
    let href = "<url><loc>http://h/1</loc>\n<xhtml:link rel='alternate' hreflang='de' href='http://h/?a&b=c;'/></url>";
    check(urlset(href).as_bytes(), &[("ampersand-bare", 4, 1)]);
    let whole = "<url><loc>http://h/1</loc><xhtml:link rel='alternate' hreflang='de' href='http://h/?a&amp;b&#38;c'/></url>";
    check(urlset(whole).as_bytes(), &[]);
    check(format!("{}\n  done in 0.1 s\n", urlset(one)).as_bytes(), &[("text-outside-root", 5, 3)]);
    check(format!("{}\n<!-- done -->\n<?done?>\n", urlset(one)).as_bytes(), &[]);
    check(urlset(one).replacen("?>", "?>\nWarning", 1).as_bytes(), &[("text-outside-root", 2, 1)]);
    let two = "<url><loc>http://h/1</loc>\n <loc>http://h/2</loc></url>";
    check(urlset(two).as_bytes(), &[("loc-multiple", 4, 2)]);
    let picture = "<url><loc>http://h/1</loc><image:loc>http://h/i.png</image:loc><image:image><image:loc>x</image:loc></image:image></url>";
    check(urlset(picture).as_bytes(), &[]);
    let declared = |label: &str| urlset(one).replacen("?>", &format!(" encoding='{label}'?>"), 1);
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let contradicted = [("encoding-contradicted", 1, 31)];
    check(declared("utf-8").as_bytes(), &[]);
    check(declared("iso-8859-1").as_bytes(), &[]);
    check(declared("utf-16").as_bytes(), &contradicted);
    check(format!("\u{feff}{}", declared("UTF-8")).as_bytes(), &[]);
    check(format!("\u{feff}{}", declared("iso-8859-1")).as_bytes(), &contradicted);
    check(&wide(&format!("\u{feff}{}", declared("utf-16"))), &[]);
    check(&wide(&declared("UTF-16")), &[]);
    check(&wide(&declared("UTF-8")), &contradicted);
}

#[test]
fn entities_are_never_fetched_and_never_multiply() {
    let doctype = |entities: &str, loc: &str| {
        format!(
            "<!DOCTYPE urlset [{entities}]>\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>{loc}</loc></url></urlset>"
        )
    };
    check(
        &doctype("<!ENTITY x SYSTEM 'file:///etc/passwd'>", "&x;"),
        SitemapKind::UrlSet,
        &[],
        &["entity-unresolved"],
    );
    check(&doctype("<!ENTITY h 'http://h/'>", "&h;a"), SitemapKind::UrlSet, &["http://h/a"], &[]);
    check(
        &doctype("<!ENTITY a 'aa'><!ENTITY b '&a;&a;'>", "http://h/&b;"),
        SitemapKind::UrlSet,
        &[],
        &["entity-unresolved"],
    );
    check(
        &urlset("<url><loc>http://h/caf&eacute;</loc></url>"),
        SitemapKind::UrlSet,
        &["http://h/café"],
        &["entity-undeclared"],
    );
}

#[test]
fn gzip_by_its_bytes() {
    let body = urlset("<url><loc>http://h/a</loc></url>").into_bytes();
    let check = |bytes: &[u8], layers: u8, problems: &[&str]| {
        let (report, entries) = read(bytes);
        assert_eq!(entries.iter().map(|e| &*e.loc).collect::<Vec<_>>(), ["http://h/a"]);
        assert_eq!((report.gzip_layers, report.decoded_bytes), (layers, body.len() as u64));
        assert_eq!(report.problems.iter().map(|p| p.code).collect::<Vec<_>>(), problems);
    };
    let once = gzip(&body);
    check(&body, 0, &[]);
    check(&once, 1, &[]);
    check(&gzip(&once), 2, &[]);
    let mut junk = once.clone();
    junk.extend_from_slice(b"<!-- generated in 0.1 seconds -->");
    check(&junk, 1, &["gzip-error"]);
    let mut members = gzip(&body[..40]);
    members.extend(gzip(&body[40..]));
    check(&members, 1, &[]);
    let (report, entries) = read(&gzip(b"http://h/1\nhttp://h/2"));
    assert_eq!((report.kind, entries.len()), (SitemapKind::Text, 2));
}

#[test]
fn encodings() {
    let check = |body: &[u8], expect: &str| {
        let (report, entries) = read(body);
        assert_eq!(entries.first().map(|e| &*e.loc), Some(expect), "{report:?}");
    };
    let text = urlset("<url><loc>http://h/é</loc></url>");
    check(format!("\u{feff}{text}").as_bytes(), "http://h/é");
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    check(&wide, "http://h/é");
    let latin = urlset("<url><loc>http://h/\u{e9}</loc></url>").replacen("?>", " encoding='iso-8859-1'?>", 1);
    let latin: Vec<u8> = latin.chars().map(|c| c as u8).collect();
    check(&latin, "http://h/é");
}

/// A sitemap without end, made as it is read.
struct Endless {
    head: &'static [u8],
    piece: &'static [u8],
    at: usize,
}

impl Read for Endless {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        for slot in out.iter_mut() {
            *slot = match self.head.get(self.at) {
                Some(byte) => *byte,
                None => self.piece[(self.at - self.head.len()) % self.piece.len()],
            };
            self.at += 1;
        }
        Ok(out.len())
    }
}

/// A comment of 16 KiB.
const FILLING: [u8; 16_384] = {
    let mut filling = [b' '; 16_384];
    let (start, end) = (b"<!--", b"-->");
    let mut at = 0;
    while at < 4 {
        filling[at] = start[at];
        at += 1;
    }
    while at < 7 {
        filling[16_384 - 7 + at] = end[at - 4];
        at += 1;
    }
    filling
};

#[test]
fn nothing_grows_without_bound() {
    let check = |head: &'static [u8], piece: &'static [u8], cap: u64, entries: u64, codes: &[&str]| {
        let report = sitemap(&mut Endless { head, piece, at: 0 }, cap, &mut |_| {});
        assert_eq!(report.entries, entries);
        assert_eq!(report.problems.iter().map(|p| p.code).collect::<Vec<_>>(), codes);
        assert!(report.decoded_bytes <= cap);
    };
    let head = b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>";
    let cut = ["xml-error", "truncated"];
    check(head, b"<url><loc>http://h/a</loc></url>", 1_600_060, 50_000, &cut);
    let long = [&cut[..], &["too-many-entries"]].concat();
    check(head, b"<url><loc>http://h/a</loc></url>", 1_600_092, 50_001, &long);
    check(head, &FILLING, 52_428_800, 0, &["xml-error", "truncated"]);
    check(head, &FILLING, 52_428_801, 0, &["xml-error", "truncated", "too-large"]);
    check(head, b"x", 1 << 40, 0, &["token-too-long"]);
    check(head, b"<a>", 1 << 40, 0, &["xml-error"]);
    check(b"<urlset xmlns='", b"x", 1 << 40, 0, &["token-too-long"]);
    check(b"", b"http://h/a\n", 1_100, 100, &["truncated"]);
    check(b"", b" ", 100_000, 0, &["truncated"]);
    let bomb = gzip(&vec![b' '; 50_000_000]);
    let report = sitemap(&mut &*bomb, 1_000_000, &mut |_| {});
    assert!(report.truncated && report.decoded_bytes == 1_000_000);
}
