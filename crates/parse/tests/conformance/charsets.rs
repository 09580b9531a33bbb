//! Encoding detection of HTML: order of its sources, and the prescan.

use crate::{Verdicts, folder, rows, text};
use gossamer_parse::charset;
use model::facts::CharsetSource;

pub(crate) const SNIFFER: &str = "charset-sniffer";
pub(crate) const HTML5LIB: &str = "charset-html5lib";

/// The encoding that the document declares, or the default: the data know no detector.
fn declared(body: &[u8], content_type: Option<&str>, default: &str) -> String {
    let got = charset(body, content_type);
    match got.source {
        CharsetSource::Bom | CharsetSource::Header | CharsetSource::Meta => got.encoding.name().to_owned(),
        CharsetSource::Detected | CharsetSource::Default => default.to_owned(),
    }
}

#[test]
fn sources_of_the_encoding() {
    let Some(folder) = folder("charset-sniffer") else { return };
    let mut verdicts = Verdicts::of(SNIFFER);
    for row in rows(&folder.join("manifest.jsonl")) {
        let body = std::fs::read(folder.join(text(&row, "file"))).expect("the fixture is readable");
        let header = row["http_charset"].as_str().map(|label| format!("text/html; charset={label}"));
        let default = row["default"].as_str().unwrap_or("windows-1252");
        let name = declared(&body, header.as_deref(), default);
        let expect = row["expected"].as_str().expect("an encoding");
        let fault = (!name.eq_ignore_ascii_case(expect)).then(|| format!("{name} for {expect}"));
        verdicts.row(format_args!("{} {} {default}", text(&row, "file"), row["http_charset"]), fault);
    }
    verdicts.judge(45);
}

#[test]
fn the_prescan_and_late_declarations() {
    let Some(folder) = folder("charset-html5lib") else { return };
    let mut verdicts = Verdicts::of(HTML5LIB);
    for row in rows(&folder.join("prescan.jsonl")) {
        let body = row["html"].as_str().map_or_else(
            || base64(row["html_b64"].as_str().expect("a document")),
            |html| html.as_bytes().to_vec(),
        );
        let name = declared(&body, None, "windows-1252");
        let label = row["expected"].as_str().expect("an encoding");
        let expect = encoding_rs::Encoding::for_label(label.as_bytes()).map_or(label, |found| found.name());
        let fault = (!name.eq_ignore_ascii_case(expect)).then(|| format!("{name} for {expect}"));
        verdicts.row(row["id"].as_str().expect("an id"), fault);
    }
    verdicts.judge(82);
}

fn base64(text: &str) -> Vec<u8> {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut out, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for digit in text.bytes().filter_map(|byte| alphabet.iter().position(|c| *c == byte)) {
        bits = (bits << 6) | digit as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    out
}

#[test]
fn fixtures_of_html_look_like_html() {
    let Some(folder) = folder("charset-sniffer") else { return };
    let body = std::fs::read(folder.join("test/fixtures/bom/UTF-8.html")).expect("the fixture is readable");
    assert!(model::sniff::looks_like_html(&body));
}
