//! The pages of the demo site. Each defect is planted on purpose and named in its page's comment.

use std::net::SocketAddr;
use std::time::Duration;

/// An answer to be sent.
#[derive(Debug, Default)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: Vec<u8>,
    pub(super) delay: Option<Duration>,
}

/// One page: path, what stands in its head, what stands in its main part.
struct Page {
    path: &'static str,
    head: &'static str,
    main: &'static str,
}

/// `{origin}` stands for the site's own origin.
const PAGES: &[Page] = &[
    Page {
        path: "/",
        head: r#"<title>Lantern &amp; Loom: lamps and rugs made by hand</title><meta name="description" content="A small workshop that makes paper lanterns, oak lamps and woven rugs. See what is on the loom this month and how we work."><link rel="canonical" href="{origin}/">"#,
        main: r##"<h1>Lamps and rugs made by hand</h1><p>We are two people, a loom and a workbench. Everything in the shop is made here, in small numbers, from wool, oak and paper.</p><img src="/img/lamp.png" alt="A paper lantern above a table" width="320" height="240"><p>See the <a href="/products/">whole shop</a>, read the <a href="/journal/">journal</a>, or <a href="/contact">write to us</a>. The <a href="/sale">sale</a> is over. <a href="#opening">Opening hours</a>.</p>"##,
    },
    Page {
        path: "/products/",
        head: r#"<title>All lamps and rugs | Lantern &amp; Loom</title><meta name="description" content="Every lamp and rug in the shop with its price, its size and the wood or wool that it is made of, sorted by what is newest."><link rel="canonical" href="{origin}/products/">"#,
        main: r#"<h1>All lamps and rugs</h1><ul><li><a href="/products/oak-lamp">Oak lamp</a></li><li><a href="/products/paper-lantern">Paper lantern</a></li><li><a href="/products/wool-rug">Wool rug</a></li><li><a href="/products/silk-rug">Silk rug</a></li><li><a href="/products/old-lamp">Old lamp</a></li><li><a href="/products/stool">Stool</a></li></ul>"#,
    },
    // Shares title and description with the paper lantern; an image without alt text and without size.
    Page {
        path: "/products/oak-lamp",
        head: r#"<title>Lamp | Lantern &amp; Loom</title><meta name="description" content="A lamp made by hand in our workshop, sent within a week, with a guarantee of five years on wood, paper and wiring."><link rel="canonical" href="{origin}/products/oak-lamp">"#,
        main: r#"<h1>Oak lamp</h1><img src="/img/lamp.png"><p>Turned from one piece of oak. 180 euro. <a href="/products/paper-lantern">Paper lantern</a></p>"#,
    },
    Page {
        path: "/products/paper-lantern",
        head: r#"<title>Lamp | Lantern &amp; Loom</title><meta name="description" content="A lamp made by hand in our workshop, sent within a week, with a guarantee of five years on wood, paper and wiring."><link rel="canonical" href="{origin}/products/paper-lantern">"#,
        main: r#"<h1>Paper lantern</h1><img src="/img/missing.png" alt="A paper lantern" width="320" height="240"><p>Mulberry paper over a frame of ash. 90 euro.</p>"#,
    },
    // No title, no description, two h1.
    Page {
        path: "/products/wool-rug",
        head: r#"<link rel="canonical" href="{origin}/products/wool-rug">"#,
        main: "<h1>Wool rug</h1><h1>Made to order</h1><p>Woven in four weeks. From 400 euro.</p>",
    },
    // Its canonical is a page that is not there; its title is far too long.
    Page {
        path: "/products/silk-rug",
        head: r#"<title>Silk rug, woven by hand on a loom of 1923 in our own workshop, available in eleven colours and in any size up to four metres, delivered free of charge</title><meta name="description" content="Short."><link rel="canonical" href="{origin}/products/silk">"#,
        main: "<h1>Silk rug</h1><p>From 900 euro.</p>",
    },
    Page {
        path: "/journal/",
        head: r#"<title>Journal of the workshop | Lantern &amp; Loom</title><meta name="description" content="Notes from the workshop: which wool we buy, how a frame of ash is bent, and what went wrong with the second loom last winter."><link rel="canonical" href="{origin}/journal/">"#,
        main: r#"<h1>Journal</h1><ul><li><a href="/journal/wool">Where our wool is from</a></li><li><a href="/journal/2019/bending-ash">Bending ash</a></li><li><a href="/journal/drafts/loom">The second loom</a></li><li><a href="/journal/slow">A slow page</a></li><li><a href="http://suppliers.invalid/wool">Our supplier</a></li></ul>"#,
    },
    Page {
        path: "/journal/wool",
        head: r#"<title>Where our wool is from | Lantern &amp; Loom</title><meta name="description" content="Four farms, two breeds of sheep and one spinning mill: the way of our wool from the hill to the loom, with all their addresses."><link rel="canonical" href="{origin}/journal/wool">"#,
        main: r#"<h1>Where our wool is from</h1><p>From four farms within a day's ride. Click <a href="/journal/bending-ash">here</a> to read on.</p>"#,
    },
    Page {
        path: "/journal/bending-ash",
        head: r#"<title>How a frame of ash is bent | Lantern &amp; Loom</title><meta name="description" content="Steam, patience and a form of iron: how a frame for a lantern is bent from a strip of ash in eleven minutes, step by step."><link rel="canonical" href="{origin}/journal/bending-ash">"#,
        main: "<h1>How a frame of ash is bent</h1><p>Eleven minutes in steam, eleven seconds to bend it.</p>",
    },
    // Answers after a second.
    Page {
        path: "/journal/slow",
        head: r#"<title>A page that takes its time | Lantern &amp; Loom</title><meta name="description" content="This page is answered after more than a second, so that the audit of slow answers has something to find on this site."><link rel="canonical" href="{origin}/journal/slow">"#,
        main: "<h1>A page that takes its time</h1><p>Good things do.</p>",
    },
    // Kept out of search engines, though linked from every page.
    Page {
        path: "/contact",
        head: r#"<title>Write to us or visit us | Lantern &amp; Loom</title><meta name="description" content="The address of the workshop, its opening hours, the telephone number and a form for questions about orders and repairs."><meta name="robots" content="noindex"><link rel="canonical" href="{origin}/contact">"#,
        main: r#"<h1>Write to us</h1><form action="/send" method="post"><input name="text"></form><p>Or call <a href="tel:+4930123456">030 123456</a>.</p>"#,
    },
    // Disallowed by robots.txt, though linked from the journal.
    Page { path: "/journal/drafts/loom", head: "<title>Draft</title>", main: "<h1>The second loom</h1>" },
    // Linked from nowhere: only the sitemap knows it.
    Page {
        path: "/products/footstool",
        head: r#"<title>Footstool in oak and wool | Lantern &amp; Loom</title><meta name="description" content="A footstool of oak with a cover of wool in the pattern of your choice. Only the sitemap knows this page, so that it is an orphan."><link rel="canonical" href="{origin}/products/footstool">"#,
        main: "<h1>Footstool</h1><p>120 euro.</p>",
    },
];

/// From, to, status: a chain of two, a loop, a temporary one.
const REDIRECTS: &[(&str, &str, u16)] = &[
    ("/journal/2019/bending-ash", "/journal/2020/bending-ash", 301),
    ("/journal/2020/bending-ash", "/journal/bending-ash", 301),
    ("/sale", "/products/", 302),
    ("/products/stool", "/products/stools", 301),
    ("/products/stools", "/products/stool", 301),
];

/// A grey pixel.
const PNG: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0,
    0, 1, 8, 0, 0, 0, 0, 0x3a, 0x7e, 0x9b, 0x55, 0, 0, 0, 0x0a, b'I', b'D', b'A', b'T', 0x78, 0x9c, 0x63,
    0x68, 0, 0, 0, 0x82, 0, 0x81, 0x77, 0xcd, 0x72, 0xb6, 0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae, 0x42,
    0x60, 0x82,
];

pub(super) fn reply(method: &str, target: &str, own: SocketAddr) -> Reply {
    if !matches!(method, "GET" | "HEAD") {
        return Reply {
            headers: vec![("Allow", "GET, HEAD".to_owned())],
            ..text(405, "text/plain", "Only GET and HEAD.")
        };
    }
    let origin = format!("http://{own}");
    let path = target.split(['?', '#']).next().unwrap_or_default();
    if let Some(page) = PAGES.iter().find(|page| page.path == path) {
        let delay = (path == "/journal/slow").then_some(Duration::from_millis(1_200));
        return Reply { delay, ..html(200, page.head, page.main, &origin) };
    }
    if let Some((_, to, status)) = REDIRECTS.iter().find(|(from, ..)| *from == path) {
        return Reply {
            headers: vec![("Location", (*to).to_owned())],
            ..text(*status, "text/plain", "Moved.")
        };
    }
    match path {
        "/robots.txt" => text(
            200,
            "text/plain; charset=utf-8",
            &format!("User-agent: *\nDisallow: /journal/drafts/\n\nSitemap: {origin}/sitemap.xml\n"),
        ),
        "/sitemap.xml" => sitemap(&origin),
        "/style.css" => {
            text(200, "text/css; charset=utf-8", "body{font:1.1em/1.5 serif;max-width:40em;margin:2em auto}")
        }
        "/img/lamp.png" | "/favicon.ico" => Reply {
            status: 200,
            headers: vec![("Content-Type", "image/png".to_owned())],
            body: PNG.to_vec(),
            delay: None,
        },
        "/products/old-lamp" => {
            html(410, "<title>Gone</title>", "<h1>This lamp is gone for good</h1>", &origin)
        }
        "/account" => Reply {
            headers: vec![("WWW-Authenticate", "Basic realm=\"orders\"".to_owned())],
            ..text(401, "text/plain; charset=utf-8", "Please log in.")
        },
        "/basket" => html(500, "<title>Error</title>", "<h1>The basket fell over</h1>", &origin),
        _ => html(404, "<title>Not found</title>", "<h1>Nothing here</h1>", &origin),
    }
}

fn sitemap(origin: &str) -> Reply {
    let mut xml = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    for page in PAGES.iter().filter(|page| !page.path.contains("drafts")) {
        xml.push_str(&format!("<url><loc>{origin}{}</loc></url>\n", page.path));
    }
    xml.push_str(&format!("<url><loc>{origin}/products/old-lamp</loc></url>\n</urlset>\n"));
    text(200, "application/xml; charset=utf-8", &xml)
}

/// A page in the frame of the site. The footer links to a page that is not there: one broken link, on every page.
fn html(status: u16, head: &str, main: &str, origin: &str) -> Reply {
    let body = format!(
        r#"<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
{head}
<link rel="stylesheet" href="/style.css"><link rel="icon" href="/favicon.ico"></head>
<body><nav><a href="/">Lantern &amp; Loom</a> <a href="/products/">Shop</a> <a href="/journal/">Journal</a> <a href="/contact">Contact</a> <a href="/basket">Basket</a> <a href="/account">Account</a></nav>
<main>{main}</main>
<footer><a href="/imprint">Imprint</a></footer></body></html>
"#,
    );
    text(status, "text/html; charset=utf-8", &body.replace("{origin}", origin))
}

fn text(status: u16, media_type: &str, body: &str) -> Reply {
    Reply {
        status,
        headers: vec![("Content-Type", media_type.to_owned())],
        body: body.as_bytes().to_vec(),
        delay: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_planted_answer_is_there() {
        let own = SocketAddr::from(([127, 0, 0, 1], 8080));
        let check = |path: &str, status: u16| assert_eq!(reply("GET", path, own).status, status, "{path}");
        check("/", 200);
        check("/?utm=1", 200);
        check("/imprint", 404);
        check("/products/old-lamp", 410);
        check("/basket", 500);
        check("/account", 401);
        check("/sale", 302);
        check("/img/missing.png", 404);
        check("../../etc/passwd", 404);
        assert_eq!(reply("POST", "/send", own).status, 405);
    }

    #[test]
    fn the_sitemap_names_the_origin_that_is_served() {
        let own = SocketAddr::from(([127, 0, 0, 1], 8080));
        let body = String::from_utf8(reply("GET", "/sitemap.xml", own).body).unwrap();
        assert!(body.contains("<loc>http://127.0.0.1:8080/products/footstool</loc>"));
        assert!(!String::from_utf8(reply("GET", "/", own).body).unwrap().contains("{origin}"));
    }
}
