//! The report of broken links as one page that needs nothing else: no scripts, no other files, no network.
//!
//! Rows are written as they come, so the page may grow as large as the project has broken links.

mod escape;
mod words;

use crate::brand::{Brand, Logo};
use crate::broken_links::{Count, Fault, Occurrence, Subject, Totals, UNFINISHED, paragraphs};
use base64::Engine as _;
use escape::{day, push, push_isolated, push_link, push_link_named};
use model::words::{counted, grouped};
use std::io::{self, Write};

/// The page on its way into `W`.
pub(crate) struct Page<W: Write> {
    out: W,
    rows: u64,
    section: Option<Section>,
    /// The target whose occurrences are being listed.
    group: Option<i64>,
    /// Whether targets of few occurrences are listed open.
    opens: bool,
    totals: Totals,
    /// Used again for each row.
    html: String,
}

/// The parts of the page, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Internal,
    External,
    Unverified,
    Invalid,
}

const STYLE: &str = include_str!("style.css");

/// Nothing is loaded and nothing runs, whatever stands in the page.
const POLICY: &str =
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// Up to this many rows the page is short enough to be read from top to bottom, with its targets listed open.
const SHORT: u64 = 500;
/// A target with more occurrences is listed closed all the same.
const FEW: u64 = 25;
/// Targets in the table at the top.
const WORST: usize = 10;

impl<W: Write> Page<W> {
    pub(crate) fn begin(brand: &Brand, subject: &Subject, totals: &Totals, mut out: W) -> io::Result<Self> {
        let mut html = String::new();
        head(&mut html, brand, subject);
        masthead(&mut html, brand, subject);
        figures(&mut html, totals);
        worst(&mut html, totals);
        out.write_all(html.as_bytes())?;
        Ok(Self {
            out,
            rows: 0,
            section: None,
            group: None,
            opens: totals.rows() <= SHORT,
            totals: totals.clone(),
            html,
        })
    }

    pub(crate) fn row(&mut self, of: &Occurrence<'_>) -> io::Result<()> {
        self.rows += 1;
        self.html.clear();
        let section = Section::of(of);
        if self.section != Some(section) {
            self.end_group();
            if self.section.is_some() {
                self.html.push_str("</section>\n");
            }
            self.section = Some(section);
            self.begin_section(section);
        }
        if self.group != Some(of.group) {
            self.end_group();
            self.group = Some(of.group);
            self.begin_group(of);
        }
        occurrence(&mut self.html, of);
        self.out.write_all(self.html.as_bytes())
    }

    pub(crate) fn finish(mut self) -> io::Result<u64> {
        self.html.clear();
        self.end_group();
        if self.section.is_some() {
            self.html.push_str("</section>\n");
        } else {
            self.html.push_str("<p class=\"none\">No broken links were found.</p>\n");
        }
        self.html.push_str(
            "<footer><h2>How to read this report</h2>\
             <p>A link is <b>broken</b> when the server of its target answers that there is no such page (404, 410 and other codes from 400) or that it \
             failed (codes from 500), when it does not answer at all, when its host name or certificate is not in order, or when redirects lead to such a target or run in a circle.</p>\
             <p>A link <b>could not be verified</b> when the server answered, but not about the page: it asks for a login, turns programs away or asks for patience. Such links are not counted as broken.</p>\
             <p>An <b>invalid address</b> is written in a way that no browser can follow.</p>\
             <p>The position says where on the page the link stands; the element and the line lead to the place in its source. First seen is the day of the earliest check that found the link broken.</p></footer>\n\
             </main>\n</body>\n</html>\n",
        );
        self.out.write_all(self.html.as_bytes())?;
        self.out.flush()?;
        Ok(self.rows)
    }

    fn begin_section(&mut self, section: Section) {
        let (title, about, count) = match section {
            Section::Internal => (
                "Broken links within the site",
                "Pages and files of the site itself that are linked but do not work.",
                self.totals.broken_internal,
            ),
            Section::External => (
                "Broken links to other sites",
                "Addresses elsewhere that are linked but do not work.",
                self.totals.broken_external,
            ),
            Section::Unverified => (
                "Links that could not be verified",
                "The server answered, but not about the page. These are not counted as broken; look at them in a browser.",
                self.totals.unverified,
            ),
            Section::Invalid => (
                "Invalid addresses",
                "What is written in the page is not an address that a browser can follow.",
                self.totals.invalid,
            ),
        };
        self.html.push_str(&format!(
            "<section><h2>{title}</h2><p class=\"about\">{about} <b>{}, {}.</b></p>\n",
            counted(count.targets, if section == Section::Invalid { "address" } else { "target" }),
            counted(count.occurrences, "occurrence"),
        ));
    }

    fn begin_group(&mut self, of: &Occurrence<'_>) {
        let open = if self.opens && of.occurrences <= FEW { " open" } else { "" };
        let html = &mut self.html;
        html.push_str(&format!(
            "<details id=\"{}\"{open}><summary><span class=\"s {}\">",
            anchor(of.group),
            tone(of.fault)
        ));
        push(html, of.reason);
        html.push_str("</span><span class=\"t\">");
        match of.target {
            Some(target) => push_isolated(html, target),
            None if of.raw_href.is_empty() => html.push_str("(empty)"),
            None => push_isolated(html, of.raw_href),
        }
        html.push_str("</span><span class=\"c\">");
        html.push_str(&counted(of.occurrences, "occurrence"));
        if of.occurrences > 1 {
            html.push_str(&format!(" on {}", counted(of.pages, "page")));
        }
        html.push_str("</span></summary>\n<p class=\"go\">");
        match of.target {
            Some(target) => {
                html.push_str("<span class=\"open\">");
                push_link_named(html, target, "Open the target");
                html.push_str("</span>");
            }
            None => {
                html.push_str("Written as: <code>");
                push_isolated(html, of.raw_href);
                html.push_str("</code>");
            }
        }
        if let Some(end) = of.final_url {
            html.push_str(" Redirects end at ");
            push_link(html, end);
        }
        html.push_str("</p>\n<table><thead><tr><th>Page</th><th>Link text</th><th>Where on the page</th><th>First seen</th></tr></thead><tbody>\n");
    }

    fn end_group(&mut self) {
        if self.group.take().is_some() {
            self.html.push_str("</tbody></table></details>\n");
        }
    }
}

impl Section {
    const fn of(occurrence: &Occurrence<'_>) -> Self {
        match occurrence.fault {
            Fault::Broken if matches!(occurrence.internal, Some(true)) => Self::Internal,
            Fault::Broken => Self::External,
            Fault::Unverified => Self::Unverified,
            Fault::Invalid => Self::Invalid,
        }
    }
}

fn head(html: &mut String, brand: &Brand, subject: &Subject) {
    html.push_str("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.push_str(&format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n"));
    html.push_str(
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>Broken links: ",
    );
    push(html, &subject.site);
    if !brand.agency.is_empty() {
        html.push_str(" (");
        push(html, &brand.agency);
        html.push(')');
    }
    html.push_str("</title>\n<style>\n");
    html.push_str(STYLE);
    html.push_str("</style>\n</head>\n<body>\n");
}

fn masthead(html: &mut String, brand: &Brand, subject: &Subject) {
    html.push_str("<header>");
    if brand.logo.is_some() || !brand.agency.is_empty() {
        html.push_str("<div class=\"brand\">");
        if let Some(logo) = &brand.logo {
            push_logo(html, logo);
        }
        if !brand.agency.is_empty() {
            html.push_str("<span dir=\"auto\">");
            push(html, &brand.agency);
            html.push_str("</span>");
        }
        html.push_str("</div>\n");
    }
    html.push_str("<h1>Broken links</h1>\n<p class=\"site\">");
    push_link(html, &subject.site);
    html.push_str("</p>\n<p class=\"when\">Checked on ");
    push(html, &day(&subject.date));
    html.push_str(&format!(
        " · {} read · {} met</p>\n",
        counted(subject.pages, "page"),
        counted(subject.urls, "address")
    ));
    if !subject.complete {
        html.push_str(&format!("<p class=\"warn\">{UNFINISHED}</p>\n"));
    }
    html.push_str("</header>\n<main>\n");
    if paragraphs(&brand.intro).next().is_some() {
        html.push_str("<div class=\"intro\">");
        for paragraph in paragraphs(&brand.intro) {
            html.push_str("<p dir=\"auto\">");
            for (nth, line) in paragraph.lines().enumerate() {
                html.push_str(if nth == 0 { "" } else { "<br>" });
                push(html, line.trim());
            }
            html.push_str("</p>");
        }
        html.push_str("</div>\n");
    }
}

fn push_logo(html: &mut String, logo: &Logo) {
    html.push_str(&format!("<img alt=\"\" src=\"data:{};base64,", logo.media_type()));
    base64::engine::general_purpose::STANDARD.encode_string(logo.bytes(), html);
    html.push_str("\">");
}

fn figures(html: &mut String, totals: &Totals) {
    html.push_str("<ul class=\"figures\">");
    let mut figure = |tone: &str, number: u64, what: &str, more: &str| {
        let tone = if number == 0 { "zero" } else { tone };
        html.push_str(&format!(
            "<li class=\"{tone}\"><b>{}</b><span>{what}</span><small>{more}</small></li>",
            grouped(number)
        ));
    };
    let places = |count: Count| counted(count.occurrences, "occurrence");
    let word = |number: u64, word: &str| {
        counted(number, word).split_once(' ').map_or_else(String::new, |(_, word)| word.to_owned())
    };
    let (inside, outside) = (totals.broken_internal, totals.broken_external);
    figure(
        "bad",
        inside.targets,
        &format!("broken {} on this site", word(inside.targets, "target")),
        &places(inside),
    );
    figure(
        "bad",
        outside.targets,
        &format!("broken {} on other sites", word(outside.targets, "target")),
        &places(outside),
    );
    figure(
        "bad",
        totals.invalid.targets,
        &format!("invalid {}", word(totals.invalid.targets, "address")),
        &places(totals.invalid),
    );
    let listed =
        if totals.lists_unverified || totals.unverified == Count::default() { "" } else { ", not listed" };
    figure(
        "unsure",
        totals.unverified.targets,
        "could not be verified",
        &format!("{}{listed}", places(totals.unverified)),
    );
    figure(
        "",
        totals.pages,
        &format!("{} to fix", word(totals.pages, "page")),
        "with at least one of the broken or invalid",
    );
    html.push_str("</ul>\n");
}

fn worst(html: &mut String, totals: &Totals) {
    // With few targets the list below says the same.
    if totals.worst.len() < 4 {
        return;
    }
    html.push_str("<section class=\"worst\"><h2>Fix these first</h2><p class=\"about\">The targets that stand on the site most often. One change to a template may fix many of them.</p>\n\
        <table><thead><tr><th>Target</th><th>Reason</th><th class=\"n\">Pages</th><th class=\"n\">Occurrences</th></tr></thead><tbody>\n");
    for worst in totals.worst.iter().take(WORST) {
        html.push_str(&format!("<tr><td><a href=\"#{}\">", anchor(worst.group)));
        push_isolated(html, &worst.target);
        html.push_str("</a></td><td>");
        push(html, &worst.reason);
        html.push_str(&format!(
            "</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
            grouped(worst.pages),
            grouped(worst.occurrences)
        ));
    }
    html.push_str("</tbody></table></section>\n");
}

fn occurrence(html: &mut String, of: &Occurrence<'_>) {
    html.push_str("<tr><td>");
    if let Some(title) = of.page_title.filter(|title| !title.trim().is_empty()) {
        html.push_str("<b>");
        push_isolated(html, title);
        html.push_str("</b>");
    }
    push_link(html, of.page);
    html.push_str("</td><td>");
    match of.anchor {
        Some(anchor) if !anchor.is_empty() => push_isolated(html, anchor),
        _ => html.push_str(if words::wants_text(of.kind) { "<i>no text</i>" } else { "<i>–</i>" }),
    }
    if of.target.is_some_and(|target| !is_plain_form(of.raw_href, target)) {
        html.push_str("<small>written as <code>");
        push_isolated(html, of.raw_href);
        html.push_str("</code></small>");
    }
    html.push_str("</td><td>");
    html.push_str(&format!("{} in {}", words::kind(of.kind), words::position(of.position)));
    if of.line > 0 {
        html.push_str(&format!(", line <span>{}</span>", of.line));
    }
    html.push_str("<code>");
    push_isolated(html, of.element);
    html.push_str("</code></td><td>");
    push(html, of.first_seen.split('T').next().unwrap_or_default());
    html.push_str("</td></tr>\n");
}

/// Whether an address as written says no more than its target: it is the target, or the target without its origin.
fn is_plain_form(raw_href: &str, target: &str) -> bool {
    let after_scheme = target.find("://").map_or(0, |at| at + 3);
    let path = target[after_scheme..].find('/').map_or("", |at| &target[after_scheme + at..]);
    raw_href == target || raw_href == path
}

/// The name of a target's place in the page.
fn anchor(group: i64) -> String {
    if group < 0 { format!("x{}", group.unsigned_abs()) } else { format!("t{group}") }
}

const fn tone(fault: Fault) -> &'static str {
    match fault {
        Fault::Broken => "bad",
        Fault::Unverified => "unsure",
        Fault::Invalid => "odd",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn occurrence<'a>(target: Option<&'a str>, fault: Fault, group: i64) -> Occurrence<'a> {
        Occurrence {
            page: "http://a.test/",
            page_title: Some("Home & <more>"),
            anchor: Some("\"><img src=x onerror=alert(1)>"),
            element: "body>a",
            position: "nav",
            line: 7,
            kind: "anchor",
            raw_href: target.unwrap_or("http://"),
            target,
            group,
            occurrences: 1,
            pages: 1,
            internal: target.map(|target| target.starts_with("http://a.test/")),
            status: Some(404),
            fault,
            reason: "404 Not Found",
            code: "404",
            final_url: None,
            first_seen: "2026-03-01T08:15:30.250Z",
        }
    }

    fn page(brand: &Brand, totals: &Totals, rows: &[Occurrence<'_>]) -> String {
        let subject = Subject {
            site: "http://a.test/".to_owned(),
            date: "2026-03-02T08:15:30.250Z".to_owned(),
            complete: true,
            pages: 1,
            urls: 2,
        };
        let mut out = Vec::new();
        let mut page = Page::begin(brand, &subject, totals, &mut out).unwrap();
        for row in rows {
            page.row(row).unwrap();
        }
        assert_eq!(page.finish().unwrap(), rows.len() as u64);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn rows_stand_in_their_sections_and_groups() {
        let html = page(
            &Brand::default(),
            &Totals { lists_unverified: true, ..Totals::default() },
            &[
                occurrence(Some("http://a.test/1"), Fault::Broken, 1),
                occurrence(Some("http://a.test/1"), Fault::Broken, 1),
                occurrence(Some("http://b.test/"), Fault::Broken, 2),
                occurrence(Some("http://c.test/"), Fault::Unverified, 3),
                occurrence(None, Fault::Invalid, -4),
            ],
        );
        let at = |text: &str| html.find(text).unwrap_or_else(|| panic!("{text} is missing in {html}"));
        let order = [
            "Broken links within the site",
            "id=\"t1\" open",
            "Broken links to other sites",
            "id=\"t2\" open",
            "could not be verified</h2>",
            "id=\"t3\" open",
            "Invalid addresses</h2>",
            "id=\"x4\" open",
            "</html>",
        ];
        assert!(order.map(at).is_sorted(), "{html}");
        let count = |text: &str| html.matches(text).count();
        assert_eq!(
            (count("<details"), count("</details>"), count("<section"), count("</section>")),
            (4, 4, 4, 4)
        );
        assert_eq!(count("<b><bdi>Home &amp; &lt;more&gt;</bdi></b>"), 5);
        assert!(!html.contains("<img") && !html.contains("<script"), "{html}");
        assert!(html.contains("link in the navigation, line <span>7</span>"), "{html}");
    }

    #[test]
    fn the_brand_is_text_and_picture() {
        let brand = Brand {
            agency: "Adler & <b>Söhne</b>".to_owned(),
            intro: "One.\nTwo.\r\n\r\n<script>\n\n\n".to_owned(),
            logo: Some(Logo::Svg(b"<svg/>".to_vec())),
        };
        let html = page(&brand, &Totals::default(), &[]);
        assert!(html.contains("Adler &amp; &lt;b&gt;Söhne&lt;/b&gt;"), "{html}");
        assert!(
            html.contains("<p dir=\"auto\">One.<br>Two.</p><p dir=\"auto\">&lt;script&gt;</p></div>"),
            "{html}"
        );
        assert!(html.contains("src=\"data:image/svg+xml;base64,PHN2Zy8+\""), "{html}");
        assert!(html.contains("No broken links were found."), "{html}");
        assert!(html.contains("default-src 'none'"), "{html}");
    }

    #[test]
    fn many_rows_are_listed_closed() {
        let totals =
            Totals { broken_internal: Count { occurrences: SHORT + 1, targets: 1 }, ..Totals::default() };
        let html = page(&Brand::default(), &totals, &[occurrence(Some("http://a.test/1"), Fault::Broken, 1)]);
        assert!(html.contains("<details id=\"t1\"><summary>"), "{html}");
    }

    #[test]
    fn plain_forms_are_not_repeated() {
        let check = |raw: &str, expect: bool| {
            assert_eq!(is_plain_form(raw, "https://a.test:8443/x/y?z"), expect, "{raw}");
        };
        check("https://a.test:8443/x/y?z", true);
        check("/x/y?z", true);
        check("/x/y?z#part", false);
        check("y?z", false);
        check("", false);
    }
}
