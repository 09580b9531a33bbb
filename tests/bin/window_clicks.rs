//! How long the window takes to answer a click while it crawls, in milliseconds: from the click to the end of the frame that
//! follows it, and from that frame to the next, which is how long what a screen asked for keeps the window from answering again.
//!
//! `cargo run -p gossamer-tests --bin window-clicks -- URL [ROUNDS] [--defaults]`: the window's program has to be built before. A round
//! visits every screen, sorts and filters the table, opens a URL and the palette. `--defaults` paints as for a person who
//! changed nothing, which without graphics memory is slow by itself.

use gossamer_tests::window::{Opening, Rendering, Window};
use serde_json::{Value, json};

/// Each click and key notes how long its frame took, and how long the next one. A timer set within a frame is due when the
/// frame is painted; a message would come after whatever else has arrived by then.
const LISTEN: &str = "window.answers = [];
    const note = event => requestAnimationFrame(() => {
      const began = performance.now();
      const row = [event.type, 0, event.key ?? event.target.closest('[data-testid]')?.dataset.testid, 0];
      answers.push(row);
      setTimeout(() => { row[1] = performance.now() - event.timeStamp; });
      requestAnimationFrame(() => setTimeout(() => { row[3] = performance.now() - began; })); });
    addEventListener('click', note, true); addEventListener('keydown', note, true);";

fn main() {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let rendering = match words.iter().position(|word| word == "--defaults") {
        Some(at) => {
            words.remove(at);
            Rendering::Defaults
        }
        None => Rendering::Software,
    };
    let Some(url) = words.first() else {
        eprintln!("which site? see the top of this file");
        return;
    };
    let rounds: usize = words.get(1).and_then(|word| word.parse().ok()).unwrap_or(10);
    let Some(window) = Window::open(&Opening { rendering, ..Opening::default() }) else { return };
    window.fill("[data-testid=start-address]", &format!("{url}\u{e007}"));
    window.wait_for("[data-testid=screen-crawl]");
    window.wait_until("return document.querySelector('[data-testid=crawl-pages]')?.textContent !== '0'", &[]);
    window.script(LISTEN, &[]);
    for round in 0..rounds {
        for screen in ["overview", "issues", "urls", "links", "settings", "crawl"] {
            window.click(&format!("[data-testid=rail-{screen}]"));
            window.wait_for(&format!("[data-testid=screen-{screen}]"));
        }
        window.click("[data-testid=rail-urls]");
        window.wait_for("[data-testid=screen-urls] [data-testid=row]");
        window.click("[data-testid=table-urls] [data-column=title]");
        window.click("[data-testid=table-urls] [data-testid=row]");
        window.session().keys(&[], "\u{e015}\u{e015}\u{e007}").expect("keys");
        window.wait_for("[data-testid=detail-pane]");
        window.session().keys(&['\u{e009}'], "k").expect("Ctrl-K");
        window.session().keys(&[], "\u{e00c}").expect("Escape");
        let job = window.text_of("[data-testid=job]").unwrap_or_default();
        eprintln!("round {}: {}", round + 1, job.replace('\n', " "));
    }
    let answers = window.script("return window.answers", &[]);
    report(&answers);
    let still_running = window.text_of("[data-testid=job]").is_some();
    println!("{}", json!({"crawl ran to the end of the rounds": still_running}));
}

fn report(answers: &Value) {
    for (kind, column, title) in [
        ("click", 1, "clicks, to the frame that answers"),
        ("click", 3, "clicks, from that frame to the next"),
        ("keydown", 1, "keys, to the frame that answers"),
        ("keydown", 3, "keys, from that frame to the next"),
    ] {
        let mut times: Vec<(f64, &Value)> = answers
            .as_array()
            .into_iter()
            .flatten()
            .filter(|one| one[0] == kind)
            .filter_map(|one| Some((one[column].as_f64()?, &one[2])))
            .collect();
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        let at = |share: f64| {
            times.get(((times.len() as f64 - 1.0) * share).round() as usize).map_or(0.0, |(time, _)| *time)
        };
        println!(
            "{} {title}: median {:.0} ms, 95 % within {:.0} ms, slowest {:.0} ms, {} over 100 ms",
            times.len(),
            at(0.5),
            at(0.95),
            at(1.0),
            times.iter().filter(|(time, _)| *time > 100.0).count()
        );
        for (time, what) in times.iter().rev().take(8) {
            println!("   {time:.0} ms: {what}");
        }
    }
}
