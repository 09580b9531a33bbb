//! Documents and what is read from them, seen from outside.

use super::html;
use crate::{Document, fragment_hash};
use model::facts::CharsetSource;
use model::{LinkKind, LinkTarget, PageFacts, Position};

const URL: &str = "http://h.test/dir/page.html?q=1";

fn read(body: &str) -> PageFacts {
    read_with(body.as_bytes(), &[], Some("text/html; charset=utf-8"))
}

fn read_with(body: &[u8], headers: &[(&str, &str)], content_type: Option<&str>) -> PageFacts {
    let headers: Vec<(Box<str>, Box<str>)> =
        headers.iter().map(|(name, value)| (Box::from(*name), Box::from(*value))).collect();
    html(&Document { body, url: URL, headers: &headers, content_type })
}

/// Kind and target of each link; `!` where there is none.
fn links(facts: &PageFacts) -> Vec<(&'static str, &str)> {
    facts
        .links
        .iter()
        .map(|link| {
            let target = match &link.target {
                LinkTarget::Http(url) => url.strip_prefix("http://h.test").unwrap_or(url),
                LinkTarget::OtherScheme(url) => url,
                LinkTarget::Invalid => "!",
            };
            (link.kind.word(), target)
        })
        .collect()
}

#[test]
fn every_kind_of_link() {
    let check = |body: &str, expect: &[(&str, &str)]| {
        assert_eq!(links(&read(body)), expect, "{body}");
    };
    check("<a href=x>1</a><a name=y>2</a>", &[("anchor", "/dir/x")]);
    check(
        "<a href=''>1</a><a href='#f'>2</a><a href='?p'>3</a>",
        &[("anchor", "/dir/page.html?q=1"), ("anchor", "/dir/page.html?q=1"), ("anchor", "/dir/page.html?p")],
    );
    check(
        "<a href='mailto:a@b'>1</a><a href='javascript:x()'>2</a><a href='http://[::1/'>3</a><a href='http://[::1/'>3</a>",
        &[("anchor", "mailto:a@b"), ("anchor", "javascript:x()"), ("anchor", "!"), ("anchor", "!")],
    );
    check(
        "<a href='/a?x=1&amp;y=2'>1</a><a href='/a?x=1&copy=2'>2</a>",
        &[("anchor", "/a?x=1&y=2"), ("anchor", "/a?x=1&copy=2")],
    );
    check("<map><area href=/m alt=M><area></map>", &[("area", "/m")]);
    check("<iframe src=/i></iframe>", &[("iframe", "/i")]);
    check("<frameset><frame src=/f></frameset>", &[("iframe", "/f")]);
    check(
        "<img src=/a.png srcset='/b.png 2x, /c.png 3x'>",
        &[("image", "/a.png"), ("image", "/b.png"), ("image", "/c.png")],
    );
    check(
        "<picture><source srcset='/a.webp, /b.webp 2x'><img src=/a.jpg></picture>",
        &[("image", "/a.webp"), ("image", "/b.webp"), ("image", "/a.jpg")],
    );
    check("<input type=IMAGE src=/go.png><input type=text src=/no.png>", &[("image", "/go.png")]);
    check(
        "<video src=/v.mp4 poster=/p.jpg><source src=/w.mp4><track src=/t.vtt></video><audio src=/a.ogg></audio>",
        &[
            ("media", "/v.mp4"),
            ("image", "/p.jpg"),
            ("media", "/w.mp4"),
            ("media", "/t.vtt"),
            ("media", "/a.ogg"),
        ],
    );
    check("<embed src=/e><object data=/o></object>", &[("object", "/e"), ("object", "/o")]);
    check("<script src=/s.js></script><script>var a = '<a href=/no>';</script>", &[("script", "/s.js")]);
    check(
        "<form action=/f><button formaction=/g>x</button><input formaction=/h></form><form></form>",
        &[("form", "/f"), ("form", "/g"), ("form", "/h")],
    );
    check(
        "<body background=/bg.png><table background=/t.png><td background=/d.png>",
        &[("image", "/bg.png"), ("image", "/t.png"), ("image", "/d.png")],
    );
    check(
        "<p style='background: url(/a.png)'><style>@import \"/i.css\"; @font-face{src:url(/f.woff)}</style>",
        &[("image", "/a.png"), ("style", "/i.css"), ("font", "/f.woff")],
    );
    check(
        "<svg><a xlink:href=/x><use href='#local'/><use xlink:href='/s.svg#i'/><image href=/y.png /></a></svg>",
        &[("anchor", "/x"), ("image", "/s.svg"), ("image", "/y.png")],
    );
    check("<!-- <a href=/no> --><template><a href=/no></template><!--[if IE]><img src=/no><![endif]-->", &[]);
    check(
        "<div><template shadowrootmode=open><a href=/shadow>x</a></template><a href=/light>y</a></div>",
        &[("anchor", "/shadow"), ("anchor", "/light")],
    );
    check(
        "<iframe srcdoc='<a href=x>1</a><iframe srcdoc=\"<img src=y>\"></iframe>'></iframe>",
        &[("anchor", "/dir/x"), ("image", "/dir/y")],
    );
    check("<meta http-equiv=refresh content='0;url=/r'>", &[("meta-refresh", "/r")]);
    check("<a href='data:text/html,x'>1</a>", &[("anchor", "data:text/html,x")]);
    let facts = read(&format!("<img src='data:image/png;base64,{}'>", "A".repeat(100_000)));
    assert_eq!(facts.links[0].raw_href.len(), 1_024);
}

/// Rules about an element's own alt or size must meet it once.
#[test]
fn paths_name_the_attribute_that_is_not_the_elements_own() {
    let check = |body: &str, expect: &[&str]| {
        let facts = read(body);
        let seen: Vec<_> = facts.links.iter().map(|link| &*facts.element_paths[link.path as usize]).collect();
        assert_eq!(seen, expect, "{body}");
    };
    check(
        "<p><img src=a srcset='b 2x, c 3x' style='background: url(d)'><img srcset=e src=f>",
        &[
            "body>p>img",
            "body>p>img[srcset]",
            "body>p>img[srcset]",
            "body>p>img[style]",
            "body>p>img",
            "body>p>img[srcset]",
        ],
    );
    check("<p><img srcset='b 2x, c 3x'><img alt>", &["body>p>img", "body>p>img[srcset]"]);
    check(
        "<picture><source srcset=a><img src=b></picture>",
        &["body>picture>source[srcset]", "body>picture>img"],
    );
    check(
        "<video src=a poster=b><source src=c></video>",
        &["body>video", "body>video[poster]", "body>video>source"],
    );
    check(
        "<link rel=preload as=image href=a imagesrcset='b 2x'><style>p { background: url(c) }</style>",
        &["head>link[imagesrcset]", "head>link", "head>style"],
    );
    check(
        "<meta property=og:image content=/a><body background=b><div style='background: url(c)'><a href=d>",
        &["head>meta[content]", "body[background]", "body>div[style]", "body>div>a"],
    );
    check(
        "<form action=a><button formaction=b>x</button></form><object data=c></object><input type=image src=d>",
        &["body>form[action]", "body>form>button[formaction]", "body>object[data]", "body>input"],
    );
    check("<svg><a xlink:href=a><image href=b /></a></svg>", &["body>svg>a", "body>svg>a>image"]);
    check(
        "<iframe srcdoc='<img src=a srcset=b>'></iframe>",
        &["body>iframe>html>body>img", "body>iframe>html>body>img[srcset]"],
    );
}

#[test]
fn link_elements_by_rel() {
    let check = |rel: &str, expect: &[&str]| {
        let facts = read(&format!("<link href=/x {rel}>"));
        assert_eq!(facts.links.iter().map(|link| link.kind.word()).collect::<Vec<_>>(), expect, "{rel}");
    };
    check("rel=stylesheet", &["style"]);
    check("rel='Alternate StyleSheet'", &["style"]);
    check("rel='shortcut icon'", &["icon"]);
    check("rel=apple-touch-icon", &["icon"]);
    check("rel=manifest", &["manifest"]);
    check("rel=preload as=font", &["preload"]);
    check("rel=preload as=image imagesrcset='/a 1x, /b 2x'", &["preload", "preload", "preload"]);
    check("rel=modulepreload", &["preload"]);
    check("rel='dns-prefetch preconnect'", &["preconnect"]);
    check("rel=canonical", &["canonical"]);
    check("rel=alternate hreflang=de", &["hreflang"]);
    check("rel=alternate hreflang=''", &["hreflang"]);
    check("rel=alternate hreflang=' ' media=''", &["hreflang"]);
    check("rel=alternate hreflang='' media=handheld", &["other"]);
    check("rel=alternate hreflang='' type=application/pdf", &["other"]);
    check("rel=alternate hreflang=de type=text/html", &["hreflang"]);
    for feed in ["rss+xml", "atom+xml; charset=utf-8", "feed+json"] {
        check(&format!("rel=alternate type='application/{feed}'"), &["feed"]);
        check(&format!("rel=alternate hreflang=de type='Application/{feed}'"), &["feed"]);
        check(&format!("rel=alternate hreflang='' type='application/{feed}'"), &["feed"]);
    }
    check("rel=alternate type=application/json", &["other"]);
    check("rel=alternate hreflang=de type=application/json", &["other"]);
    check("rel=alternate media=handheld", &["other"]);
    check("rel=next", &["next"]);
    check("rel=prev", &["prev"]);
    check("rel=amphtml", &["amp"]);
    check("rel=image_src", &["social"]);
    check("rel=pingback", &["other"]);
    check("", &["other"]);
}

#[test]
fn social_and_structured_addresses() {
    let facts = read(
        r#"<meta property=og:image content=/og.png><meta name="twitter:image" content="/tw.png"><meta property="og:title" content=" A  B ">
        <script type="application/ld+json">{"@id":"/no","url":"http://h.test/u","logo":{"url":"/logo.png"}}</script>"#,
    );
    assert_eq!(
        links(&facts),
        [("social", "/og.png"), ("social", "/tw.png"), ("data", "/u"), ("data", "/logo.png")]
    );
    let social: Vec<_> = facts.social.iter().map(|(name, content)| (&**name, &**content)).collect();
    assert_eq!(social, [("og:image", "/og.png"), ("twitter:image", "/tw.png"), ("og:title", "A B")]);
    let facts = read("\n<script type=application/ld+json>\n{\"url\":\n,}</script>");
    assert_eq!((facts.problems[0].code, facts.problems[0].line), ("jsonld-parse-error", 4));
}

#[test]
fn anchors_have_text_rel_and_place() {
    let facts = read(
        "<!doctype html>\n<header><a href=1>one</a></header><nav><ul><li>\n<a\nhref=2 rel=' NoFollow  UGC ' target=_blank>see the <b>offer</b> </a></ul></nav>\
         <main><a href=3><img src=i alt='Banner'></a><a href=4 aria-label='label'></a><a href=5></a></main>\
         <div role=contentinfo><aside><a href=6>a<img src=j alt=mid>b</a></aside></div><footer><noscript><a href=7>seven</a></noscript></footer>",
    );
    let anchors: Vec<_> = facts.links.iter().filter(|link| link.kind == LinkKind::Anchor).collect();
    let seen: Vec<_> = anchors
        .iter()
        .map(|link| {
            (link.text.as_deref().unwrap_or("!"), &*link.rel, &*link.window, link.position, link.line)
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("one", "", "", Position::Header, 2),
            ("see the offer", "nofollow ugc", "_blank", Position::Nav, 3),
            ("Banner", "", "", Position::Main, 4),
            ("label", "", "", Position::Main, 4),
            ("", "", "", Position::Main, 4),
            ("a mid b", "", "", Position::Aside, 4),
            ("seven", "", "", Position::Footer, 4),
        ]
    );
    assert!(anchors[6].in_noscript && !anchors[5].in_noscript);
    assert_eq!(&*facts.element_paths[anchors[1].path as usize], "body>nav>ul>li>a");
    assert_eq!(&*facts.element_paths[anchors[5].path as usize], "body>div>aside>a");
}

#[test]
fn the_title_of_a_drawing_names_a_link_without_other_name() {
    let check = |link: &str, expect: &str| {
        let facts = read(&format!("<svg><title>before</title></svg>{link}<svg><title>after</title></svg>"));
        let anchor = facts.links.iter().find(|link| link.kind == LinkKind::Anchor).unwrap();
        assert_eq!(anchor.text.as_deref(), Some(expect), "{link}");
    };
    check("<a href=1><svg><title> The\n cart </title><path d='M0 0'/></svg></a>", "The cart");
    check("<a href=1><svg><g><title></title></g><title>Second</title></svg></a>", "Second");
    check("<svg><a href=1><title>Drawn</title></a></svg>", "Drawn");
    check("<a href=1><svg><title>Cart</title></svg>Basket</a>", "Basket");
    check("<a href=1><svg><title>Cart</title></svg><img src=a alt=Bag></a>", "Bag");
    check("<a href=1 aria-label=Label><svg><title>Cart</title></svg></a>", "Label");
    check("<a href=1><svg><desc>Cart</desc></svg></a>", "");
}

#[test]
fn images_have_alternatives_and_sizes() {
    let facts = read(
        "<img src=a alt='  x  y '><img src=b alt><img src=c width=10 height=20px><img src=d width=50% height=1>",
    );
    let seen: Vec<_> = facts.links.iter().map(|link| (link.text.as_deref(), link.size)).collect();
    assert_eq!(seen, [(Some("x y"), None), (Some(""), None), (None, Some((10, 20))), (None, None)]);
}

#[test]
fn bases_decide_for_all_links() {
    let check = |head: &str, expect: &str, base: Option<&str>, problems: &[&str]| {
        let facts = read(&format!("<head>{head}</head><a href=x>1</a>"));
        assert_eq!(links(&facts), [("anchor", expect)], "{head}");
        assert_eq!(facts.base.as_deref(), base, "{head}");
        assert_eq!(facts.problems.iter().map(|p| p.code).collect::<Vec<_>>(), problems, "{head}");
    };
    check("<base href=/en/>", "/en/x", Some("http://h.test/en/"), &[]);
    check(
        "<base target=_blank><base href=/1/><base href=/2/>",
        "/1/x",
        Some("http://h.test/1/"),
        &["base-multiple"],
    );
    check("<base href='http://[broken'>", "/dir/x", None, &["base-unusable"]);
    check("<base href='data:text/plain,x'>", "/dir/x", None, &["base-unusable"]);
    check("<template><base href=/no/></template>", "/dir/x", None, &[]);
    let facts = read("<a href=y>1</a><a href='?x'>2</a><a href='#x'>3</a><p><base href=/moved/>");
    assert_eq!(links(&facts), [("anchor", "/moved/y"), ("anchor", "/moved/?x"), ("anchor", "/moved/")]);
}

#[test]
fn titles_and_descriptions() {
    let facts = read(
        "<title> A\n &amp; B </title><meta name=Description content=' d  e '><meta name=description content=f>\
         <body><svg><title>no</title></svg><title>second</title>",
    );
    let titles: Vec<_> = facts.titles.iter().map(|t| (&*t.text, t.outside_head)).collect();
    assert_eq!(titles, [("A & B", false), ("second", true)]);
    assert_eq!(facts.descriptions.iter().map(|d| &*d.text).collect::<Vec<_>>(), ["d e", "f"]);
    assert_eq!(
        (facts.title_px, facts.description_px),
        (crate::title_px("A & B"), crate::description_px("d e"))
    );
    assert!(read("<p>x").titles.is_empty());
}

#[test]
fn headings_in_order() {
    let facts = read(
        "<h1>A <a href=x>b</a></h1>\n<h3><img src=i alt='Logo'></h3><h2></h2><h6>z<img src=j alt=no></h6>",
    );
    let seen: Vec<_> = facts.headings.iter().map(|h| (h.level, &*h.text, h.line, h.image_only)).collect();
    assert_eq!(seen, [(1, "A b", 1, false), (3, "Logo", 2, true), (2, "", 2, false), (6, "z", 2, false)]);
}

#[test]
fn robots_of_every_source() {
    let facts = read_with(
        b"<!-- <meta name=robots content=noindex> --><META NAME=ROBOTS CONTENT='NoIndex,  FOLLOW'><meta name=googlebot content=none>\
          <meta property=robots content=noindex><meta name=author content=noindex><body><p>x<meta name=robots content=noindex>",
        &[("x-robots-tag", "otherbot: noindex, nofollow"), ("x-robots-tag", "noarchive")],
        Some("text/html"),
    );
    let seen: Vec<_> =
        facts.robots.iter().map(|r| (&*r.bot, &*r.content, r.from_header, r.outside_head)).collect();
    assert_eq!(
        seen,
        [
            ("otherbot", "noindex, nofollow", true, false),
            ("robots", "noarchive", true, false),
            ("robots", "noindex, follow", false, false),
            ("googlebot", "none", false, false),
            ("robots", "noindex", false, true),
        ]
    );
}

#[test]
fn canonicals_of_every_source() {
    let facts = read_with(
        b"<base href=/b/><link rel=canonical href=c#f><link rel=canonical href='' media=print><body><p><link rel=Canonical href='http://[x'>",
        &[("link", "</h>; rel=canonical, <n>; rel=next, </z>; rel=canonical; anchor=\"/other\"")],
        Some("text/html"),
    );
    let seen: Vec<_> = facts
        .canonicals
        .iter()
        .map(|c| (&*c.raw, c.url.as_deref(), c.outside_head, c.from_header, c.odd_attributes))
        .collect();
    assert_eq!(
        seen,
        [
            ("/h", Some("http://h.test/h"), false, true, false),
            ("c#f", Some("http://h.test/b/c#f"), false, false, false),
            ("", None, false, false, true),
            ("http://[x", None, true, false, false),
        ]
    );
    assert_eq!(links(&facts)[..2], [("canonical", "/h"), ("next", "/dir/n")]);
    assert_eq!(facts.links[0].position, Position::Http);
    assert_eq!(&*facts.element_paths[facts.links[0].path as usize], "http>link");
}

#[test]
fn refreshes() {
    let check = |body: &str, expect: Option<(u32, Option<&str>)>, in_noscript: bool| {
        let facts = read(body);
        assert_eq!(facts.refresh.as_ref().map(|r| (r.delay, r.url.as_deref())), expect, "{body}");
        assert_eq!(facts.refresh_in_noscript, in_noscript, "{body}");
    };
    check("<meta content='0;url=/t1' http-equiv=refresh>", Some((0, Some("http://h.test/t1"))), false);
    check(
        "<base href=/sub/><meta http-equiv=Refresh content='5; url=t2'>",
        Some((5, Some("http://h.test/sub/t2"))),
        false,
    );
    check("<noscript><meta http-equiv=refresh content='1; URL=/js'></noscript>", None, true);
    check("<!-- <meta http-equiv=refresh content='0;url=/no'> -->", None, false);
    check(
        "<meta http-equiv=refresh content='1x'><meta http-equiv=refresh content=300>",
        Some((300, None)),
        false,
    );
    check(
        "<title>J</title><meta http-equiv=\"refresh\" content=\"0;url=/t9\"</head>",
        Some((0, Some("http://h.test/t9"))),
        false,
    );
}

#[test]
fn heads_closed_early() {
    let check = |body: &str, expect: Option<&str>| {
        assert_eq!(read(body).head_closed_by.as_deref(), expect, "{body}");
    };
    check("<head><title>x</title><div></div><link rel=canonical href=x></head><body>", Some("div"));
    check("<head><noscript><img src=x></noscript></head>", Some("img"));
    check("<head>stray<title>x</title></head>", Some("#text"));
    check("<head><title>x</title></head><body><p>x", None);
    check("<title>x</title><p>x", None);
    check("<head><title>x</title><body>x", None);
    check(
        "<head><script></script><style></style><template></template><base><noscript><link></noscript></head>",
        None,
    );
    let facts = read("<head><img><link rel=canonical href=c></head>");
    assert!(facts.canonicals[0].outside_head);
}

#[test]
fn the_document_as_a_whole() {
    let facts =
        read("<!doctype html><html lang=' en-GB '><meta name=viewport content='width=device-width'><p>x");
    assert_eq!(
        (facts.lang.as_deref(), facts.viewport.as_deref()),
        (Some("en-GB"), Some("width=device-width"))
    );
    assert!(facts.standards_mode && !facts.body_empty);
    assert_eq!((facts.dom_nodes, facts.dom_depth), (5, 3));
    let facts = read("<p>x");
    assert!(!facts.standards_mode);
    assert!(read("").body_empty);
    assert!(read("<body> \n </body>").body_empty);
    assert!(!read("<body><br></body>").body_empty);
    let facts = read_with("caf\u{e9}".as_bytes(), &[], None);
    assert_eq!((&*facts.charset, facts.charset_source), ("UTF-8", CharsetSource::Detected));
}

#[test]
fn text_and_words() {
    let facts = read(
        "<title>no</title><header>Site name</header><main><h1>Two words</h1><p>three<b>four</b> five</p><ul><li>six<li>seven</ul></main>\
         <script>no</script><style>no</style><noscript>no</noscript><footer>Foot</footer>",
    );
    assert_eq!(facts.word_count, "Two words threefour five six seven".split(' ').count() as u32);
    assert_eq!(facts.text_bytes as usize, "Site name Two words threefour five six seven Foot".len());
    let same =
        read("<div>Site   name</div>Two words three<i>four</i> five six\nseven<p>Foot<script>x</script>");
    assert_eq!(same.text_hash, facts.text_hash);
    assert_ne!(read("<p>else").text_hash, facts.text_hash);
    assert_eq!(read("<p> <img src=x alt=y>").text_hash, 0);
}

#[test]
fn fragments_are_ids_and_anchor_names() {
    let facts = read(
        "<h2 id='tangent%3A'>1</h2><h2 id=café>2</h2><a name=legacy.top></a><h2 name=no>4</h2><b id=bold>5</b><svg><g id=g /></svg>",
    );
    let mut expect: Vec<_> = ["tangent%3A", "café", "legacy.top", "bold", "g"].map(fragment_hash).to_vec();
    expect.sort_unstable();
    assert_eq!(facts.anchors, expect);
}

#[test]
fn the_encoding_reaches_queries() {
    let facts = read_with(
        b"<title>Caf\xE9</title><a href='/caf\xE9?q=\xE9'>",
        &[],
        Some("text/html; charset=ISO-8859-1"),
    );
    assert_eq!(&*facts.titles[0].text, "Café");
    assert_eq!(links(&facts), [("anchor", "/caf%C3%A9?q=%E9")]);
    assert_eq!(&*facts.charset, "windows-1252");
}

#[test]
fn problems_of_the_bytes() {
    let check = |body: &[u8], content_type: &str, expect: &[(&str, u32)]| {
        let facts = read_with(body, &[], Some(content_type));
        let seen: Vec<_> = facts.problems.iter().map(|p| (p.code, p.line)).collect();
        assert_eq!(seen, expect, "{}", String::from_utf8_lossy(body));
    };
    check(b"a\r\nb\0c", "text/html", &[("nul-bytes", 2)]);
    check(b"\n<img srcset='a 1q'>", "text/html", &[("srcset-invalid", 2)]);
    check(b"<meta charset=utf-8>", "text/html; charset=koi8-r", &[("charset-conflict", 0)]);
    check(b"\xFF", "text/html; charset=utf-8", &[("charset-malformed", 0)]);
    check(b"<html>\n<p>a<br></p></html>", "application/xhtml+xml; charset=utf-8", &[("xml-error", 2)]);
}

/// Inputs made to cost more than their length.
#[test]
fn hostile_documents_are_bounded() {
    let deep = "<div>".repeat(100_000);
    let facts = read(&format!("{deep}<a href=/end>x</a>"));
    assert!(facts.dom_depth <= 520, "{}", facts.dom_depth);
    assert_eq!(facts.problems[0].code, "nesting-too-deep");
    assert_eq!(links(&facts), [("anchor", "/end")]);

    let closed = format!("{deep}{}<p>after <a href=/b>y</a>", "</div>".repeat(100_000));
    let facts = read(&closed);
    assert_eq!(&*facts.element_paths[facts.links[0].path as usize], "body>p>a");

    let attributes: String = (0..1_000_000).map(|n| format!(" a{n}=1")).collect();
    assert_eq!(links(&read(&format!("<a{attributes} href=/x>y</a>"))), [("anchor", "/x")]);

    read(&"\0".repeat(1_000_000));
    read(&"<b id=x>".repeat(100_000));
    read(&"<p><b><i><u><font color=a>".repeat(20_000));
    read(&"<a href=x><table><td>".repeat(20_000));
    read(&"</x><div>".repeat(50_000));
    read(&"<svg><g>".repeat(50_000));
    read(&"<iframe srcdoc=\"<iframe srcdoc='".repeat(10_000));
    read(&"<table><tr><b>".repeat(50_000));
    read(&"<select><option>".repeat(50_000));
    read(&"&".repeat(1_000_000));
    read(&"<".repeat(1_000_000));
    read(&"<!--".repeat(200_000));
    read(&"<script><!--<script>".repeat(50_000));
    let long = format!("<base href='/{}/'>{}", "d".repeat(9_000), "<a href=x>".repeat(30_000));
    let facts = read(&long);
    assert!(facts.links_dropped > 10_000, "{}", facts.links_dropped);
}

#[test]
fn what_is_nothing_but_tags_is_cut_and_told() {
    let facts = read(&format!("{}<a href=/last>last</a>", "<p>".repeat(2_000_000)));
    assert_eq!(links(&facts), []);
    let codes: Vec<&str> = facts.problems.iter().map(|problem| problem.code).collect();
    assert_eq!(codes, ["elements-too-many"]);
}
