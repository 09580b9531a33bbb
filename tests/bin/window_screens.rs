//! Pictures of every screen of the window, in light and dark, at two sizes, on the demo site's audit.
//!
//! `cargo run -p gossamer-tests --bin window-screens -- FOLDER [SCREEN]…`: the window's program has to be built before.

use engine::demo::Demo;
use gossamer_tests::Gossamer;
use gossamer_tests::window::{Opening, Theme, Window};
use std::path::{Path, PathBuf};

const SIZES: [(u32, u32); 2] = [(1280, 800), (1920, 1080)];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap_or_else(|| "screens".to_owned()));
    let only: Vec<String> = arguments.collect();
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let demo = Demo::start().expect("the demo site");
    let home = tempfile::tempdir().expect("a folder");
    let project = home.path().join("tea-shop.gossamer");
    let _ = Gossamer::audit(&[demo.url()], &project).set("fetch.retries", "0").run().expect_code(0);
    for theme in [Theme::Light, Theme::Dark] {
        for size in SIZES {
            shoot(&folder, &only, &project, theme, size);
        }
    }
}

fn shoot(folder: &Path, only: &[String], project: &Path, theme: Theme, size: (u32, u32)) {
    let wanted = |screen: &str| only.is_empty() || only.iter().any(|name| name == screen);
    let name = |screen: &str| {
        let theme = if theme == Theme::Light { "light" } else { "dark" };
        folder.join(format!("{screen}-{theme}-{}x{}.png", size.0, size.1))
    };
    let opening =
        Opening { theme, size, arguments: vec![project.display().to_string()], ..Opening::default() };
    let Some(window) = Window::open(&opening) else { return };
    let save = |screen: &str| {
        let path = name(screen);
        std::fs::write(&path, window.picture()).expect("the picture can be written");
        println!("{}", path.display());
    };
    window.wait_for("[data-testid=screen-overview]");
    let settled = || {
        // Nearly a second is enough for what a screen asks for; then two frames are drawn.
        window.session().script_async(
            "const done = arguments[0]; setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => done(true))), 900)",
            &[],
        ).expect("the page draws");
    };
    for screen in ["overview", "issues", "urls", "links", "robots", "crawl", "settings"] {
        if !wanted(screen) {
            continue;
        }
        window.click(&format!("[data-testid=rail-{screen}]"));
        window.wait_for(&format!("[data-testid=screen-{screen}] h1"));
        settled();
        save(screen);
    }
    if wanted("sitemaps") {
        window.click("[data-testid=rail-robots]");
        window.click("[data-testid=tab-sitemaps]");
        window.wait_for("[data-testid=sitemap-row]");
        settled();
        save("sitemaps");
        window.click("[data-testid=tab-file]");
    }
    if wanted("network") {
        window.click("[data-testid=rail-crawl]");
        window.click("[data-testid=crawl-network]");
        window.click("[data-testid=network-host]");
        window.wait_for("[data-testid=network-facts]");
        settled();
        save("network");
    }
    if wanted("detail") {
        window.click("[data-testid=rail-urls]");
        window.wait_for("[data-testid=screen-urls] [data-testid=row]");
        settled();
        window.click("[data-testid=screen-urls] [data-testid=row]");
        window.session().keys(&[], "\u{e007}").expect("Enter");
        window.wait_for("[data-testid=detail]");
        settled();
        save("detail");
    }
    if wanted("palette") {
        window.session().keys(&['\u{e009}'], "k").expect("Ctrl-K");
        settled();
        save("palette");
        window.session().keys(&[], "\u{e00c}").expect("Escape");
    }
    drop(window);
    if wanted("start") {
        let Some(window) = Window::open(&Opening { theme, size, ..Opening::default() }) else { return };
        window.wait_for("[data-testid=start-address]");
        std::fs::write(name("start"), window.picture()).expect("the picture can be written");
        println!("{}", name("start").display());
    }
}
