//! Reads every `.html` file under a folder and prints what a page costs.
//!
//! `cargo run --release -p gossamer-parse --example parse_corpus -- FOLDER [ROUNDS] [MAX_FILES]`

use gossamer_parse::{Document, html};
use std::path::Path;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let Some(folder) = arguments.get(1) else {
        eprintln!("usage: parse_corpus FOLDER [ROUNDS] [MAX_FILES]");
        return;
    };
    let number =
        |at: usize, default: usize| arguments.get(at).and_then(|n| n.parse().ok()).unwrap_or(default);
    let mut pages = Vec::new();
    collect(Path::new(folder), number(3, usize::MAX), &mut pages);
    let bytes: usize = pages.iter().map(Vec::len).sum();
    let mut best = f64::MAX;
    let mut links = 0;
    for _ in 0..number(2, 3) {
        let start = cpu_seconds();
        links = 0;
        for body in &pages {
            let url = "http://127.0.0.1:9002/ref/models/index.html";
            let document =
                Document { body, url, headers: &[], content_type: Some("text/html; charset=utf-8") };
            links += html(&document).links.len();
        }
        best = best.min(cpu_seconds() - start);
    }
    println!(
        "{} pages, {} bytes, {links} links: {:.1} µs a page, {:.1} MB/s",
        pages.len(),
        bytes,
        best * 1e6 / pages.len().max(1) as f64,
        bytes as f64 / best / 1e6
    );
}

fn collect(folder: &Path, max: usize, pages: &mut Vec<Vec<u8>>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if pages.len() >= max {
            return;
        }
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            collect(&path, max, pages);
        } else if path.extension().is_some_and(|extension| extension == "html")
            && let Ok(body) = std::fs::read(&path)
        {
            pages.push(body);
        }
    }
}

/// User and system time of this process so far (Linux; zero elsewhere).
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    stat.split(' ').next().and_then(|nanos| nanos.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}
