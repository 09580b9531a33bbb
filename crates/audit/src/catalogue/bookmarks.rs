//! Family URLs: places within pages that links name.

use super::{HREF, PLAIN};
use crate::audit::{Audit, Family, LinkRule, Priority, Rule, Scope, Severity};
use crate::cases::{Body, Case, answer, page, redirect};

pub(super) const AUDITS: &[Audit] = &[Audit {
    id: "broken-bookmark",
    title: "Link to a place that is not in the page",
    family: Family::Urls,
    severity: Severity::Issue,
    priority: Priority::Low,
    scope: Scope::Link,
    // Of a page that was cut off nobody knows what its rest holds.
    rule: Rule::Link(
        LinkRule::shaped("kind IN ('anchor', 'area')")
            .to("is_page AND ids_known AND NOT truncated AND NOT incomplete AND NOT undecodable")
            .with_broken_fragment(),
    ),
    evidence: HREF,
    why: "The address ends with # and a name that no element of the page has. Readers land at the top and have to look for what was promised. Where a script makes the element, only the browser finds it.",
    fix: "Give the element the id that the link names, or correct the link.",
    references: &[
        "https://html.spec.whatwg.org/multipage/browsing-the-web.html#find-a-potential-indicated-element",
        "https://wicg.github.io/scroll-to-text-fragment/",
    ],
    case: Case::new(
        &[
            page(
                "/",
                "<a href=\"#nowhere\">a</a> <a href=\"/a#b\">b</a> <a href=\"a#A\">c</a> <a href=\"{site}/a#b:~:c\">d</a> <map name=\"m\"><area href=\"#z\" alt=\"e\"></map>
                 <a href=\"#top-of-all\">f</a>",
            ),
            page("/a", "<p id=\"a\">x</p><p name=\"b\">y</p><a href=\"#b\">z</a><a href=\"#a\">z</a>"),
        ],
        &[("/", 6), ("/a", 1)],
        &[
            page(
                "/",
                "<a href=\"#\">a</a> <a href=\"#top\">b</a> <a href=\"#TOP\">c</a> <a href=\"#!/x\">d</a> <a href=\"#/x\">e</a> <a href=\"#:~:text=x\">f</a>
                 <a href=\"#here\">g</a> <a href=\"#here:~:text=x\">h</a> <b id=\"here\">i</b> <a href=\"/a#caf%C3%A9\">j</a> <a href=\"/a#café\">k</a> <a href=\"/a#100%25\">l</a>
                 <a href=\"a#old\">m</a> <a href=\"/a#a%20b\">n</a> <a href=\"/gone#x\">o</a> <a href=\"/r#x\">p</a> <a href=\"{other}/#x\">q</a> <a href=\"/d.txt#page=2\">r</a>
                 <a href=\"/a#%e3%81%82\">s</a> <a href=\"mailto:a@b.example#x\">t</a> <a href=\"/a\">u</a> <a href=\"#nosec:~:text=x\">v</a>",
            ),
            page(
                "/a",
                "<p id=\"café\">x</p><p id=\"100%\">x</p><a name=\"old\"></a><p id=\"a b\">x</p><p id=\"%e3%81%82\">x</p>",
            ),
            redirect("/r", 301, &[("Location", "/a")]),
            answer("/d.txt", 200).headed(&[("Content-Type", "text/plain")]).holding(Body::Text("x")),
            page("other:/", ""),
        ],
    ),
    ..PLAIN
}];
