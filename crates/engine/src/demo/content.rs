//! The texts of the demo site: read from the files in `site/`, rendered as pages of the tea shop or of its partner.
//!
//! A file holds entries. An entry begins with `=== /path`; then come lines `key: value`, of which some may repeat; then
//! `---` and the content. Content is the main part of a page, or with `raw: yes` the whole body. `{{site}}` and
//! `{{partner}}` stand for the two origins, `{{//partner}}` for the latter without its scheme.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

/// The tea shop.
pub(super) static SHOP: LazyLock<Site> = LazyLock::new(|| {
    Site::read(&[
        include_str!("site/company.txt"),
        include_str!("site/shop.txt"),
        include_str!("site/journal.txt"),
        include_str!("site/help.txt"),
        include_str!("site/german.txt"),
        include_str!("site/faults.txt"),
        include_str!("site/old.txt"),
        include_str!("site/files.txt"),
    ])
});

/// The other site that the shop links to.
pub(super) static PARTNER: LazyLock<Site> = LazyLock::new(|| Site::read(&[include_str!("site/partner.txt")]));

/// Path → entry, and what could not be read (a test holds it empty).
#[derive(Debug, Default)]
pub(super) struct Site {
    entries: HashMap<&'static str, Entry>,
    mistakes: Vec<String>,
}

/// What is answered for one path.
#[derive(Debug)]
pub(super) struct Entry {
    path: &'static str,
    pub(super) status: u16,
    pub(super) headers: Vec<(&'static str, &'static str)>,
    /// Before the first byte.
    pub(super) delay: Duration,
    /// `None` leaves the header out.
    pub(super) media_type: Option<&'static str>,
    /// The connection ends without an answer.
    pub(super) drops: bool,
    /// Answers HEAD with this status instead.
    pub(super) head_status: Option<u16>,
    /// Answers every other GET with this status, the first one too.
    pub(super) turns: Option<u16>,
    /// Bytes of nothing at the end of the content.
    filler: usize,
    /// Links at the end of the content: within the shop, and to the partner.
    tins: usize,
    links: usize,
    raw: bool,
    titles: Vec<&'static str>,
    descriptions: Vec<&'static str>,
    /// `self`, `none` or what stands in the href; none given means `self`.
    canonicals: Vec<&'static str>,
    robots: Option<&'static str>,
    lang: Option<&'static str>,
    /// Language code and path.
    alternates: Vec<(&'static str, &'static str)>,
    head: &'static str,
    viewport: bool,
    /// Name and alt text.
    picture: Option<(&'static str, &'static str)>,
    content: &'static str,
}

/// The origins that are written into pages: `http://127.0.0.1:40000`.
#[derive(Debug, Clone)]
pub(super) struct Origins {
    pub(super) site: String,
    pub(super) partner: String,
    /// How often each path that answers by turns was asked for.
    pub(super) asked: Arc<Mutex<HashMap<&'static str, u32>>>,
}

impl Site {
    fn read(files: &[&'static str]) -> Self {
        let mut site = Self::default();
        for file in files {
            let mut rest = file.strip_prefix("=== ").unwrap_or(file);
            while !rest.is_empty() {
                let (text, after) = rest.split_once("\n=== ").unwrap_or((rest, ""));
                site.read_entry(text);
                rest = after;
            }
        }
        site
    }

    fn read_entry(&mut self, text: &'static str) {
        let (head, content) = text.split_once("\n---\n").unwrap_or((text, ""));
        let mut lines = head.lines();
        let mut entry = Entry { path: lines.next().unwrap_or_default().trim(), content, ..Entry::default() };
        for line in lines.filter(|line| !line.trim().is_empty()) {
            let read = line.split_once(": ").is_some_and(|(key, value)| entry.set(key, value));
            if !read {
                self.mistakes.push(format!("{}: {line}", entry.path));
            }
        }
        if entry.content.is_empty() {
            entry.raw = true;
        }
        if (300..400).contains(&entry.status) {
            entry.media_type = None;
        }
        if self.entries.insert(entry.path, entry).is_some() {
            self.mistakes.push(format!("{head}: twice"));
        }
    }

    /// The entry for a path without its query.
    pub(super) fn entry(&self, path: &str) -> Option<&Entry> {
        self.entries.get(path)
    }

    #[cfg(test)]
    pub(super) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values()
    }

    #[cfg(test)]
    pub(super) fn mistakes(&self) -> &[String] {
        &self.mistakes
    }
}

impl Default for Entry {
    fn default() -> Self {
        Self {
            path: "",
            status: 200,
            headers: Vec::new(),
            delay: Duration::ZERO,
            media_type: Some("text/html; charset=utf-8"),
            drops: false,
            head_status: None,
            turns: None,
            filler: 0,
            tins: 0,
            links: 0,
            raw: false,
            titles: Vec::new(),
            descriptions: Vec::new(),
            canonicals: Vec::new(),
            robots: None,
            lang: Some("en"),
            alternates: Vec::new(),
            head: "",
            viewport: true,
            picture: None,
            content: "",
        }
    }
}

impl Entry {
    /// Reads one line of an entry; false when it cannot be read.
    fn set(&mut self, key: &str, value: &'static str) -> bool {
        let number = || value.parse::<u16>().ok();
        let pair = |at: &str| value.split_once(at).map(|(first, second)| (first.trim(), second.trim()));
        match key {
            "title" => self.titles.push(value),
            "description" => self.descriptions.push(value),
            "canonical" => self.canonicals.push(value),
            "robots" => self.robots = Some(value),
            "lang" => self.lang = (value != "none").then_some(value),
            "head" => self.head = value,
            "type" => self.media_type = (value != "none").then_some(value),
            "viewport" => self.viewport = value != "none",
            "raw" => self.raw = value == "yes",
            "drop" => self.drops = value == "yes",
            "status" => return number().map(|status| self.status = status).is_some(),
            "head-status" => return number().map(|status| self.head_status = Some(status)).is_some(),
            "turns" => return number().map(|status| self.turns = Some(status)).is_some(),
            "filler" => return value.parse().map(|bytes| self.filler = bytes).is_ok(),
            "tins" => return value.parse().map(|count| self.tins = count).is_ok(),
            "links" => return value.parse().map(|count| self.links = count).is_ok(),
            "delay" => {
                return number().map(|millis| self.delay = Duration::from_millis(millis.into())).is_some();
            }
            "header" => return pair(": ").map(|header| self.headers.push(header)).is_some(),
            "alternate" => return pair(" ").map(|alternate| self.alternates.push(alternate)).is_some(),
            "picture" => return pair(" | ").map(|picture| self.picture = Some(picture)).is_some(),
            _ => return false,
        }
        true
    }

    /// The path it answers.
    pub(super) const fn path(&self) -> &'static str {
        self.path
    }

    /// Whether it is a page of the site: HTML with status 200.
    #[cfg(test)]
    pub(super) fn is_page(&self) -> bool {
        self.status == 200 && !self.raw
    }

    /// The body as sent.
    pub(super) fn body(&self, origins: &Origins, layout: Layout) -> String {
        if self.raw {
            let mut body = origins.fill(self.content);
            body.push_str(&"x".repeat(self.filler));
            return body;
        }
        let mut page = String::with_capacity(4096);
        self.write_head(&mut page);
        layout.write_header(&mut page, self.is_german());
        if let Some((name, alt)) = self.picture {
            // Writing to a String cannot fail, here and below.
            let _ = writeln!(
                page,
                "<figure><img src=\"/pictures/{name}.svg\" alt=\"{}\" width=\"640\" height=\"360\"></figure>",
                escaped(alt)
            );
        }
        page.push_str(self.content.trim_end());
        self.write_rows(&mut page);
        layout.write_footer(&mut page, self.is_german());
        let mut page = origins.fill(&page);
        // Put in at the end, so that megabytes of nothing are not searched for origins.
        if self.filler > 0
            && let Some(end) = page.rfind("</main>")
        {
            page.insert_str(end, &format!("<!--{}-->\n", " ".repeat(self.filler)));
        }
        page
    }

    /// What would be tedious to write out.
    fn write_rows(&self, page: &mut String) {
        if self.tins > 0 {
            page.push_str("\n<ul>");
            for n in 1..=self.tins {
                let _ = write!(page, "<li><a href=\"/old/shelf\">Tin {n}</a></li>");
            }
            page.push_str("</ul>");
        }
        if self.links > 0 {
            page.push_str("\n<p>");
            for n in 1..=self.links {
                let _ = write!(page, "<a href=\"{{{{partner}}}}/library#{n}\">{n}</a> ");
            }
            page.push_str("</p>");
        }
    }

    fn is_german(&self) -> bool {
        self.path.starts_with("/de/")
    }

    fn write_head(&self, page: &mut String) {
        page.push_str("<!doctype html>\n<html");
        if let Some(lang) = self.lang {
            let _ = write!(page, " lang=\"{lang}\"");
        }
        page.push_str(">\n<head>\n<meta charset=\"utf-8\">\n");
        if self.viewport {
            page.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        }
        for title in &self.titles {
            let _ = writeln!(page, "<title>{}</title>", escaped(title));
        }
        for description in &self.descriptions {
            let _ = writeln!(page, "<meta name=\"description\" content=\"{}\">", escaped(description));
        }
        if let Some(robots) = self.robots {
            let _ = writeln!(page, "<meta name=\"robots\" content=\"{robots}\">");
        }
        let canonicals: &[&str] = if self.canonicals.is_empty() { &["self"] } else { &self.canonicals };
        for canonical in canonicals.iter().filter(|canonical| **canonical != "none") {
            let own = format!("{{{{site}}}}{}", self.path);
            let href = if *canonical == "self" { own.as_str() } else { canonical };
            let _ = writeln!(page, "<link rel=\"canonical\" href=\"{href}\">");
        }
        for (code, path) in &self.alternates {
            let _ =
                writeln!(page, "<link rel=\"alternate\" hreflang=\"{code}\" href=\"{{{{site}}}}{path}\">");
        }
        page.push_str("<link rel=\"stylesheet\" href=\"/style.css\">\n<link rel=\"icon\" href=\"/pictures/leaf.svg\">\n");
        page.push_str(self.head);
        page.push_str("\n</head>\n");
    }
}

impl Origins {
    /// Whether it is the turn of the other answer of a path.
    pub(super) fn takes_turn(&self, path: &'static str) -> bool {
        let mut asked = self.asked.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let count = asked.entry(path).or_default();
        *count += 1;
        !count.is_multiple_of(2)
    }

    pub(super) fn fill(&self, text: &str) -> String {
        let without_scheme = self.partner.trim_start_matches("http:");
        text.replace("{{site}}", &self.site)
            .replace("{{partner}}", &self.partner)
            .replace("{{//partner}}", without_scheme)
    }
}

/// Whose frame stands around the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    Shop,
    Partner,
}

impl Layout {
    fn write_header(self, page: &mut String, german: bool) {
        page.push_str(match (self, german) {
            (Self::Shop, false) => {
                "<body>\n<header><a class=\"brand\" href=\"/\"><img src=\"/pictures/logo.svg\" alt=\"Leaf\" width=\"36\" height=\"36\"> \
                 Kettle &amp; Quay</a>\n<nav><a href=\"/shop/\">Shop</a> <a href=\"/journal/\">Journal</a> <a href=\"/help/\">Help</a> \
                 <a href=\"/about\">About us</a> <a href=\"/contact\">Contact</a> <a href=\"/de/\" lang=\"de\">Deutsch</a></nav></header>\n<main>\n"
            }
            (Self::Shop, true) => {
                "<body>\n<header><a class=\"brand\" href=\"/de/\"><img src=\"/pictures/logo.svg\" alt=\"Blatt\" width=\"36\" height=\"36\"> \
                 Kettle &amp; Quay</a>\n<nav><a href=\"/de/laden/\">Laden</a> <a href=\"/de/tagebuch/\">Tagebuch</a> \
                 <a href=\"/de/versand\">Versand</a> <a href=\"/de/%C3%BCber-uns\">Über uns</a> <a href=\"/de/kontakt\">Kontakt</a> \
                 <a href=\"/\" lang=\"en\">English</a></nav></header>\n<main>\n"
            }
            (Self::Partner, _) => "<body>\n<header><nav><a href=\"/\">Start</a> <a href=\"/library\">Library</a></nav></header>\n<main>\n",
        });
    }

    fn write_footer(self, page: &mut String, german: bool) {
        page.push_str("\n</main>\n");
        page.push_str(match (self, german) {
            (Self::Shop, false) => {
                "<footer><p><a href=\"/visit\">Visit us</a> <a href=\"/jobs\">Jobs</a> <a href=\"/newsletter\">Our letter</a> \
                 <a href=\"/sustainability-report\">Sustainability report</a> <a href=\"/privacy\">Privacy</a> \
                 <a href=\"/imprint\">Imprint</a></p>\n<p>Kettle &amp; Quay, Nordkai 14, Flensburg. A made-up shop with planted defects.</p></footer>\n"
            }
            (Self::Shop, true) => {
                "<footer><p><a href=\"/newsletter\">Unser Brief</a> <a href=\"/privacy\">Datenschutz</a> \
                 <a href=\"/imprint\">Impressum</a></p>\n<p>Kettle &amp; Quay, Nordkai 14, Flensburg. Ein erfundener Laden mit eingebauten Fehlern.</p></footer>\n"
            }
            (Self::Partner, _) => "<footer><p>Svendborg Tea Society, a made-up club.</p></footer>\n",
        });
        if self == Self::Shop {
            page.push_str("<script src=\"/menu.js\"></script>\n");
        }
        page.push_str("</body>\n</html>\n");
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// The page for addresses that do not exist.
pub(super) fn not_found(origins: &Origins, layout: Layout) -> String {
    let entry = Entry {
        titles: vec!["There is nothing at this address"],
        canonicals: vec!["none"],
        content: "<h1>Nothing here</h1>\n<p>Perhaps it was drunk. <a href=\"/\">Back to the start</a>.</p>",
        ..Entry::default()
    };
    entry.body(origins, layout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_texts_is_read() {
        assert_eq!(SHOP.mistakes(), [""; 0]);
        assert_eq!(PARTNER.mistakes(), [""; 0]);
        let pages = SHOP.entries().filter(|entry| entry.is_page()).count();
        assert!((100..=140).contains(&pages), "about 120 pages are promised: {pages}");
    }

    #[test]
    fn pages_are_whole() {
        let origins =
            Origins { site: "http://a".to_owned(), partner: "http://b".to_owned(), asked: Arc::default() };
        let page =
            |path: &str| SHOP.entry(path).map(|entry| entry.body(&origins, Layout::Shop)).unwrap_or_default();
        let check = |path: &str, parts: &[&str]| {
            for part in parts {
                assert!(page(path).contains(part), "{path} lacks {part}\n{}", page(path));
            }
        };
        check(
            "/",
            &[
                "<html lang=\"en\">",
                "<title>Kettle &amp; Quay, ",
                "<link rel=\"canonical\" href=\"http://a/\">",
                "href=\"http://b/\"",
            ],
        );
        check("/de/", &["<html lang=\"de\">", "hreflang=\"en\" href=\"http://a/\"", "Laden</a>"]);
        check("/de/versand", &["<html>"]);
        check(
            "/shop/black/ceylon-uva",
            &["href=\"http://a/shop/black/ceylon-uva\"", "href=\"http://a/shop/black/ceylon-tea\""],
        );
        check("/robots.txt", &["# Kettle", "Sitemap: http://a/sitemap.xml\n"]);
        assert_eq!(page("/newsletter/thanks"), "");
        for entry in SHOP.entries().filter(|entry| entry.is_page()) {
            let body = page(entry.path());
            assert!(!body.contains("{{") && body.ends_with("</html>\n"), "{}", entry.path());
        }
    }
}
