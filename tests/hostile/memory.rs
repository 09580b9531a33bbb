//! Fifty hostile answers at once: the program's memory stays small, and each of them ends as it should.

use crate::packed::{self, CODINGS};
use crate::wild::{Step, Wild};
use gossamer_tests::Gossamer;
use gossamer_tests::results::rows;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The most memory that the crawling program may take, in bytes.
const MOST_MEMORY: u64 = 200_000_000;

/// The most where, on top of that, one page after the other makes of its ten megabytes as large a tree, or as many links, as
/// is read: what one of them takes, and what allocators keep of it in each thread. Without bounds it would be gigabytes.
const MOST_WITH_PAGES: u64 = 600_000_000;

/// Requests that are to be in the server's hands at once.
const TOGETHER: usize = 50;

const OK: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n";

/// Text as pages have it: many words, some tags, and not so much alike that the ratio of its coding gives it away.
fn prose(bytes: usize) -> Vec<u8> {
    let mut text = b"<!doctype html><title>Prose</title>".to_vec();
    let mut seed = 1_u32;
    while text.len() < bytes {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        text.extend_from_slice(match seed >> 28 {
            0 => b"</p>\n<p>",
            1 => b"<b>bold</b> ",
            2..6 => b"word ",
            _ => b"",
        });
        text.extend_from_slice(format!("{:x} ", seed >> 8).as_bytes());
    }
    text
}

/// One kind of hostile answer.
struct Kind {
    name: String,
    steps: Vec<Step>,
    /// What becomes of the URL: state and reason.
    ends: (&'static str, &'static str),
}

fn kind(name: impl Into<String>, ends: (&'static str, &'static str), steps: Vec<Step>) -> Kind {
    Kind { name: name.into(), steps, ends }
}

fn kinds() -> Vec<Kind> {
    let fetched = ("fetched", "∅");
    let failed = |reason| ("failed", reason);
    let start = |more: &str| Step::send(format!("{OK}{more}\r\n"));
    let page = prose(12_000_000);
    let mut kinds = Vec::new();
    for coding in CODINGS {
        let header = start(&format!("Content-Encoding: {}\r\n", packed::name(coding)));
        // A hundred megabytes of nothing, in a hundred kilobytes or less.
        let bomb = packed::pack(coding, &vec![b' '; 1 << 20], 100);
        kinds.push(kind(
            format!("bomb-{coding}"),
            fetched,
            vec![header.clone(), Step::Gather, Step::send(&bomb), Step::Hang],
        ));
        // As large as pages may be and larger, without being alike.
        let full = packed::pack(coding, &page, 1);
        kinds.push(kind(
            format!("full-{coding}"),
            fetched,
            vec![header, Step::Gather, Step::send(&full), Step::Hang],
        ));
        // The same bomb inside another coding.
        let twice = packed::pack("gzip", &bomb, 1);
        let header = start(&format!("Content-Encoding: {}, gzip\r\n", packed::name(coding)));
        kinds.push(kind(
            format!("twice-{coding}"),
            fetched,
            vec![header, Step::Gather, Step::send(&twice), Step::Hang],
        ));
    }
    // A gzip header whose name never ends decodes to nothing at all.
    let nameless = [0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3];
    let header = start("Content-Encoding: gzip\r\n");
    kinds.push(kind(
        "gzip-name",
        fetched,
        vec![header, Step::Gather, Step::send(nameless), Step::forever(vec![b'n'; 1 << 16])],
    ));
    let endless = Step::forever(&page[..1 << 16]);
    kinds.push(kind("endless", fetched, vec![start(""), Step::Gather, endless]));
    let chunk = [b"10000\r\n".as_slice(), &page[..1 << 16], b"\r\n"].concat();
    let chunked = || start("Transfer-Encoding: chunked\r\n");
    kinds.push(kind("endless-chunks", fetched, vec![chunked(), Step::Gather, Step::forever(chunk)]));
    let crumbs = format!("80\r\n{}\r\n", "<p>crumb".repeat(16)).repeat(1_000);
    kinds.push(kind("endless-crumbs", fetched, vec![chunked(), Step::Gather, Step::forever(crumbs)]));
    let extension = vec![Step::send("4;"), Step::forever(vec![b'e'; 1 << 16])];
    kinds.push(kind("chunk-extension", fetched, [vec![chunked(), Step::Gather], extension].concat()));
    let trailers = vec![Step::send("4\r\n<p>x\r\n0\r\n"), Step::forever("X-Trailer: y\r\n".repeat(1_000))];
    kinds.push(kind("trailers", fetched, [vec![chunked(), Step::Gather], trailers].concat()));
    kinds.push(kind(
        "untyped",
        fetched,
        vec![Step::send("HTTP/1.1 200 OK\r\n\r\n"), Step::Gather, Step::forever(vec![0; 1 << 16])],
    ));
    let head_start = || Step::send("HTTP/1.1 200 OK\r\n");
    let protocol = failed("protocol");
    kinds.push(kind(
        "header-line",
        protocol,
        vec![head_start(), Step::Gather, Step::send("X: "), Step::forever(vec![b'y'; 1 << 16])],
    ));
    kinds.push(kind(
        "header-fields",
        protocol,
        vec![head_start(), Step::Gather, Step::forever("X-Field: y\r\n".repeat(1_000))],
    ));
    kinds.push(kind("no-http", protocol, vec![Step::Gather, Step::forever(vec![b'z'; 1 << 16])]));
    let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n".repeat(1_000);
    kinds.push(kind("hints", failed("timeout"), vec![Step::Gather, Step::send(hints), Step::Hang]));
    let slow = Duration::from_millis(50);
    let drip = |name: &str, first: Step, bytes: &[u8]| {
        kind(name, failed("timeout"), vec![first, Step::Gather, Step::Drip(bytes.into(), slow)])
    };
    kinds.push(drip("drip-header", head_start(), b"X-Slow: y\r\n"));
    kinds.push(drip("drip-body", start("Content-Length: 100000\r\n"), b"<p>x"));
    kinds.push(drip("drip-chunks", chunked(), b"1\r\nx\r\n"));
    kinds.push(kind("silence", failed("timeout"), vec![Step::Gather, Step::Hang]));
    kinds.push(kind("reset", failed("reset"), vec![Step::Gather, Step::Reset]));
    kinds.push(kind("close", failed("reset"), vec![Step::Gather, Step::Close]));
    let half = Step::send(&page[..300_000]);
    let long = start("Content-Length: 10000000000\r\n");
    kinds.push(kind("reset-body", fetched, vec![long.clone(), Step::Gather, half.clone(), Step::Reset]));
    kinds.push(kind("cut-body", fetched, vec![long, Step::Gather, half.clone(), Step::Close]));
    let short = vec![start("Content-Length: 100\r\n"), Step::Gather, half.clone(), Step::Close];
    kinds.push(kind("longer-body", fetched, short));
    for (name, chunk) in [
        ("chunk-garbage", "10\r\n<p>sixteen bytes\r\nzz\r\nrest"),
        ("chunk-huge", "FFFFFFFFFFFFFFFF\r\n<p>x"),
        ("chunk-overflow", "FFFFFFFFFFFFFFFFFF\r\n<p>x"),
        ("chunk-cut", "100\r\n<p>x"),
    ] {
        kinds.push(kind(name, fetched, vec![chunked(), Step::Gather, Step::send(chunk), Step::Close]));
    }
    kinds
}

/// Audits these addresses at once, all of them on one host, and gives state and reason of each by its path.
fn audit(server: &Wild, paths: &[String], project: &Path) -> (u64, BTreeMap<String, (String, String)>) {
    let list = project.with_extension("txt");
    let urls: Vec<String> = paths.iter().map(|path| server.url(path)).collect();
    std::fs::write(&list, urls.join("\n")).expect("a list");
    let run = Gossamer::new(["audit".into(), "--list".into(), list.into_os_string(), "--project".into()])
        .with(&[project.to_str().expect("a path in UTF-8"), "--progress", "none"])
        .set("pace.concurrency", "60")
        .set("fetch.timeout", "30s")
        .set("fetch.retries", "0")
        .set("extras.confirm", "false")
        .set("extras.probes", "false")
        .limit(Duration::from_secs(240));
    let finished = run.run().expect_code(0);
    let ends = rows(project, "v_urls", &["url", "state", "reason"])
        .into_iter()
        .map(|row| (row[0].trim_start_matches(&server.url("")).to_owned(), (row[1].clone(), row[2].clone())))
        .collect();
    (finished.peak_memory, ends)
}

#[test]
fn fifty_hostile_answers_at_once_take_little_memory_and_end_as_they_should() {
    let kinds = kinds();
    // HEAD requests, which documents are asked with, answered with bodies that nobody wants.
    let garbage: Vec<Step> = vec![
        Step::Gather,
        Step::send("HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n"),
        Step::forever(vec![b'g'; 1 << 16]),
    ];
    let scripts: BTreeMap<String, Vec<Step>> =
        kinds.iter().map(|kind| (format!("/{}", kind.name), kind.steps.clone())).collect();
    let documents: Vec<String> =
        (0..60_usize.saturating_sub(kinds.len())).map(|n| format!("/doc{n}.pdf")).collect();
    let paths: Vec<String> = scripts.keys().cloned().chain(documents.iter().cloned()).collect();
    let server = Wild::serve(TOGETHER, move |_, path| match scripts.get(path) {
        _ if path == "/robots.txt" => vec![Step::send("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")],
        Some(steps) => steps.clone(),
        None => garbage.clone(),
    });
    let folder = tempfile::tempdir().expect("a folder");
    let (memory, ends) = audit(&server, &paths, &folder.path().join("hostile.gossamer"));
    eprintln!("{} bytes at most, {} requests at once", memory, server.most_at_once());
    assert!(server.most_at_once() >= TOGETHER, "{} requests at once", server.most_at_once());
    assert!(memory < MOST_MEMORY, "{memory} bytes");
    for kind in &kinds {
        let end = ends.get(&format!("/{}", kind.name)).unwrap_or_else(|| panic!("{} has no row", kind.name));
        assert_eq!((end.0.as_str(), end.1.as_str()), kind.ends, "{}", kind.name);
    }
    for path in &documents {
        assert_eq!(ends.get(path).map(|end| end.0.as_str()), Some("fetched"), "{path}");
    }
    assert!(server.asked().contains(&"HEAD /doc0.pdf".to_owned()));
}

#[test]
fn pages_of_the_greatest_size_and_the_worst_shape_stay_bounded() {
    // Each makes of its bytes as many elements, links, attributes or lines as it can.
    let shapes: Vec<Arc<[u8]>> = [
        "<p>",
        "<br>",
        "<a href=1>",
        "<img src=1>",
        "<tr><td>",
        "<p>&amp;",
        "<h1>x</h1>",
        "<link rel=x href=1>",
        "<b>",
        "<div>",
        "<p a=1 b=2 id=3>",
        "\n<i>",
        "<meta name=description content=x>",
        "<!---->",
    ]
    .iter()
    .map(|piece| Arc::from(piece.repeat(60_000 / piece.len()).into_bytes()))
    .collect();
    let names: Vec<String> = (0..28).map(|n| format!("/{n}")).collect();
    let server =
        Wild::serve(names.len(), move |_, path| match path.trim_start_matches('/').parse::<usize>() {
            Err(_) => vec![Step::send("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")],
            Ok(n) => vec![
                Step::send(format!("{OK}\r\n<!doctype html><title>{n}</title><table>")),
                Step::Gather,
                Step::Forever(Arc::clone(&shapes[n % shapes.len()])),
            ],
        });
    let folder = tempfile::tempdir().expect("a folder");
    let (memory, ends) = audit(&server, &names, &folder.path().join("large.gossamer"));
    eprintln!("{} bytes at most, {} requests at once", memory, server.most_at_once());
    assert_eq!(server.most_at_once(), names.len());
    assert!(names.iter().all(|name| ends.get(name).is_some_and(|end| end.0 == "fetched")), "{ends:?}");
    assert!(memory < MOST_WITH_PAGES, "{memory} bytes");
}
