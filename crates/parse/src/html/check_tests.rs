//! What is found wrong at elements, and what looks wrong and is not.

use super::html;
use crate::Document;
use model::{FlawKind, PageFacts};

/// A document with nothing wrong around a body.
fn page(body: &str) -> PageFacts {
    document(&format!(
        "<!doctype html><html lang=en><head><title>t</title></head><body><main>{body}</main></body></html>"
    ))
}

fn document(text: &str) -> PageFacts {
    read(text, Some("text/html; charset=utf-8"))
}

fn read(text: &str, content_type: Option<&str>) -> PageFacts {
    html(&Document { body: text.as_bytes(), url: "http://h.test/", headers: &[], content_type })
}

fn details(facts: &PageFacts, kind: FlawKind) -> Vec<&str> {
    facts.flaws.iter().filter(|flaw| flaw.kind == kind).map(|flaw| &*flaw.detail).collect()
}

fn kinds(facts: &PageFacts) -> Vec<&'static str> {
    facts.flaws.iter().map(|flaw| flaw.kind.word()).collect()
}

/// Asserts which flaws the body has, by kind.
fn check(body: &str, expect: &[&str]) {
    assert_eq!(kinds(&page(body)), expect, "{body}");
}

#[test]
fn links_have_names() {
    let bad = |body: &str| check(body, &["link-name-missing"]);
    let good = |body: &str| check(body, &[]);
    bad("<a href=/x></a>");
    bad("<a href=/x> &nbsp;<i class=icon></i> </a>");
    bad("<a href=/x><svg><path/></svg></a>");
    bad("<a href=/x><span aria-hidden=true>x</span></a>");
    bad("<a href=/x><span hidden>x</span><span style='display: none'>x</span></a>");
    bad("<a href=/x aria-label=' ' title=''></a>");
    bad("<a href=/x><img src=/a.png></a>");
    bad("<span role=link></span>");
    bad("<a href=/x><script>var a = 1;</script><style>a{}</style></a>");
    good("<a href=/x>x</a><a></a><a name=x></a>");
    good("<a href=/x aria-label=X></a><a href=/x title=X></a>");
    good("<a href=/x><img src=/a.png alt=X></a>");
    good("<a href=/x><svg><title>X</title></svg></a><a href=/x><svg aria-label=X></svg></a>");
    good("<a href=/x><i aria-label=X></i></a><a href=/x><b title=X></b></a>");
    good("<a href=/x><span><em title=X></em></span></a>");
    good("<a href=/x aria-labelledby=y></a><p id=y>Y</p>");
    good("<a href=/x><my-icon></my-icon></a><a href=/x><slot></slot></a>");
    good(
        "<a href=/x aria-hidden=true></a><p hidden><a href=/x></a></p><div style='visibility:hidden'><a href=/x></a></div>",
    );
    good("<div inert><a href=/x></a></div>");
    good("<template><a href=/x></a></template><noscript><a href=/x></a></noscript>");
    good("<iframe title=x srcdoc='<a href=/x></a>'></iframe>");
    good("<a href=/x><noscript><img alt=X src=/a.png></noscript></a>");
    check("<a href=/x aria-labelledby=gone></a>", &["aria-reference-broken", "link-name-missing"]);
    check("<a href=/x><img src=/a.png alt></a>", &["image-alt-empty-in-link", "link-name-missing"]);
    good("<a href=/x><img src=/a.png alt> text</a>");
}

#[test]
fn buttons_have_names() {
    let bad = |body: &str| check(body, &["button-name-missing"]);
    let good = |body: &str| check(body, &[]);
    bad("<button></button>");
    bad("<button><svg></svg></button>");
    bad("<input type=button>");
    bad("<input type=submit value=' '>");
    bad("<div role=button tabindex=0></div>");
    bad("<a href=/x role=button></a>");
    good("<button>x</button><button aria-label=x></button><button title=x></button>");
    good("<button><img src=/a.png alt=x></button>");
    good("<input type=submit><input type=reset><input type=button value=x><input type=button title=x>");
    good("<label>x <button></button></label><label for=b>x</label><button id=b></button>");
    good("<div role=button><my-icon></my-icon></div>");
}

#[test]
fn fields_have_labels() {
    let bad = |body: &str| check(body, &["field-label-missing"]);
    let good = |body: &str| check(body, &[]);
    bad("<input name=q>");
    bad("<select></select>");
    bad("<textarea>text</textarea>");
    bad("<label for=a></label><input id=a>");
    bad("<label><input></label>");
    bad("<label for=A>x</label><input id=a>");
    bad("<input type=checkbox> x");
    good("<label for=a>x</label><input id=a>");
    good("<input id=a><label for=a><img src=/a.png alt=x></label>");
    good("<label>x <input></label><label><select><option>a</option></select> x</label>");
    good("<input aria-label=x><input title=x><input placeholder=x>");
    good("<input aria-labelledby=a><p id=a>x</p>");
    check("<input type=image src=/a.png alt=''>", &["button-name-missing"]);
    check("<input type=image src=/a.png alt='' aria-label=x><input type=image src=/a.png>", &[]);
    good("<input type=hidden><input type=submit><input type=HIDDEN><input type=image src=/a.png alt=x>");
    good("<input hidden><div aria-hidden=true><input></div>");
    good("<label for=a hidden>x</label><input id=a>");
    good("<label for=a><my-text></my-text></label><input id=a>");
    assert_eq!(details(&page("<input name=q id=x>"), FlawKind::FieldLabelMissing), ["q"]);
}

#[test]
fn frames_have_titles() {
    check("<iframe src=/x></iframe>", &["frame-title-missing"]);
    check("<iframe src=/x title=' '></iframe>", &["frame-title-missing"]);
    check("<iframe src=/x title=x></iframe><iframe src=/x aria-label=x></iframe>", &[]);
    check("<iframe src=/x aria-hidden=true></iframe><iframe src=/x tabindex=-1></iframe>", &[]);
    check("<iframe src=/x role=presentation></iframe><noscript><iframe src=/gtm></iframe></noscript>", &[]);
    check("<iframe src=/x style='display:none;visibility:hidden'></iframe>", &[]);
}

#[test]
fn keys_and_order_of_tabs() {
    check("<p tabindex=1>x</p>", &["tabindex-positive"]);
    check("<p tabindex=0>x</p><p tabindex=-1>x</p><p tabindex=a>x</p><p tabindex=2 hidden>x</p>", &[]);
    check("<p accesskey=s>x</p><p accesskey=S>x</p>", &["accesskey-duplicate"]);
    check("<p accesskey=s>x</p><p accesskey=t>x</p><p accesskey>x</p><p accesskey>x</p>", &[]);
}

#[test]
fn aria_is_known_and_leads_somewhere() {
    check("<p aria-lable=x>x</p>", &["aria-invalid"]);
    check("<p role=botton>x</p>", &["aria-invalid"]);
    check("<p aria-expanded=yes>x</p>", &["aria-invalid"]);
    check("<p role='botton group' aria-expanded aria-current=yes>x</p>", &[]);
    check("<p aria-describedby=x>x</p>", &["aria-reference-broken"]);
    check("<p aria-describedby='x y'>x</p><p id=x>x</p>", &["aria-reference-broken"]);
    check("<p aria-describedby='x y'>x</p><p id=x>x</p><b id=y>y</b>", &[]);
    check("<p aria-controls=x>x</p>", &["aria-reference-broken"]);
    check("<p aria-controls=x aria-expanded=false>x</p><p aria-controls=x aria-haspopup=true>x</p>", &[]);
    check("<p aria-controls=x aria-selected=false>x</p><p aria-errormessage=x>x</p><p aria-owns>x</p>", &[]);
    check("<p hidden aria-lable=x>x</p>", &[]);
    let body = |attributes: &str| {
        kinds(&document(&format!("<!doctype html><html lang=en><title>t</title><body {attributes}><main>x")))
            .join(" ")
    };
    assert_eq!(body("aria-hidden=true"), "aria-hidden-body");
    assert_eq!(body("aria-hidden=false"), "");
}

#[test]
fn languages_are_tags() {
    check("<p lang=english>x</p>", &["lang-invalid"]);
    check("<p lang=de-AT>x</p><p lang>x</p><p lang=''>x</p>", &[]);
    let root = |lang: &str| {
        kinds(&document(&format!("<!doctype html><html lang={lang}><title>t</title><body>x"))).join(" ")
    };
    assert_eq!(root("en_US"), "lang-invalid");
    assert_eq!(root("'en-GB '"), "");
}

#[test]
fn tables_of_data_have_headers() {
    let rows = |cells: usize, rows: usize| format!("<tr>{}", "<td>1".repeat(cells)).repeat(rows);
    let table =
        |before: &str, cells: usize, count: usize| format!("<table>{before}{}</table>", rows(cells, count));
    let bad = |body: &str| check(body, &["table-headers-missing"]);
    let good = |body: &str| check(body, &[]);
    bad(&table("<caption>x</caption>", 2, 2));
    bad(&table("<thead><tr><td>a<td>b</thead>", 2, 1));
    bad(&table("", 5, 3));
    bad(&table("", 3, 20));
    bad(&table("", 5, 3).replace("<table", "<table summary=x"));
    good(&table("", 2, 100));
    good(&table("", 4, 4));
    good(&table("<caption>x</caption>", 1, 5));
    good(&table("<tr><th>a", 5, 5));
    good(&table("<tr><td scope=row>a", 5, 5));
    good(&table("<tr><td role=columnheader>a", 5, 5));
    good(&table("", 5, 3).replace("<table", "<table role=presentation"));
    // One that holds another arranges things, and so does the other.
    good(&format!("<table><tr><td>{}</td></tr>{}</table>", table("", 6, 4), rows(6, 4)));
    assert_eq!(details(&page(&table("", 5, 3)), FlawKind::TableHeadersMissing), ["3 rows, 5 columns"]);
}

#[test]
fn lists_hold_items() {
    let bad = |body: &str, detail: &str| {
        assert_eq!(details(&page(body), FlawKind::ListStructure), [detail], "{body}");
    };
    let good = |body: &str| check(body, &[]);
    bad("<ul><div>x</div></ul>", "div in ul");
    bad("<div><li>x</li></div>", "li in div");
    bad("<ol><a href=/x>x</a></ol>", "a in ol");
    bad("<dl><p>x</p></dl>", "p in dl");
    bad("<div><dt>x</dt></div>", "dt in div");
    bad("<ul><b><li>x</li></b></ul>".replace("<b><li>x</li></b>", "<span>x</span>").as_str(), "span in ul");
    good("<ul><li>x</li><script></script><template></template><li>y</li></ul>");
    good("<menu><li>x</li></menu><ol><li>x<ul><li>y</li></ul></li></ol>");
    good("<dl><dt>x</dt><dd>y</dd><div><dt>x</dt><dd>y</dd></div></dl>");
    good("<ul role=menu><div role=menuitem>x</div></ul><div role=list><li>x</li></div>");
    good("<ul role=presentation><li>x</li></ul><ul><div role=listitem>x</div></ul>");
    good("<ul><my-item>x</my-item></ul><my-list><li>x</li></my-list>");
    bad("<ul>x<li>y</li></ul>", "text in ul");
    bad("<dl><dt>x</dt><dd>y</dd> z </dl>", "text in dl");
    good(
        "<ul> <!-- x --> <li>x</li>\n</ul><ul role=menu>x</ul><ol hidden>x</ol><noscript><ul>x</ul></noscript>",
    );
    good("<ul><div hidden>x</div></ul><template><li>x</li></template>");
}

#[test]
fn films_have_captions_and_start_silently() {
    let check = |body: &str, expect: &[&str]| assert_eq!(kinds(&page(body)), expect, "{body}");
    check("<video src=/v.mp4 controls></video>", &["video-captions-missing"]);
    check(
        "<video controls><source src=/v.mp4><track kind=chapters src=/c.vtt></video>",
        &["video-captions-missing"],
    );
    check("<video src=/v.mp4 controls><track kind=captions src=/c.vtt></video>", &[]);
    check("<video src=/v.mp4 controls><track src=/c.vtt></video>", &[]);
    check(
        "<video src=/v.mp4 autoplay muted loop></video><video></video><video src=/v.m3u8?x controls></video>",
        &[],
    );
    check("<audio src=/a.mp3 autoplay></audio>", &["autoplay-sound"]);
    check(
        "<audio src=/a.mp3 autoplay controls></audio><audio src=/a.mp3></audio><audio autoplay></audio>",
        &[],
    );
}

#[test]
fn areas_have_names() {
    check("<map name=m><area href=/x></map>", &["area-alt-missing"]);
    check("<map name=m><area href=/x alt></map>", &["area-alt-missing"]);
    check("<map name=m><area href=/x alt=X><area href=/x alt><area><area href=/y title=Y></map>", &[]);
    check("<map name=m><area href=/x aria-labelledby=n></map><p id=n>x</p>", &[]);
}

#[test]
fn plugins_are_gone() {
    check("<object data=/x.swf></object>", &["plugin-content"]);
    check("<embed src='/x.swf?a=b'>", &["plugin-content"]);
    check("<object type='application/x-silverlight-2'></object>", &["plugin-content"]);
    check("<applet code=X></applet>", &["plugin-content"]);
    check(
        "<object data=/x.pdf type=application/pdf></object><embed src=/x.svg><object data=/swf></object>",
        &[],
    );
}

#[test]
fn viewports_let_people_enlarge() {
    let head = |head: &str| {
        kinds(&document(&format!("<!doctype html><html lang=en><title>t</title>{head}<body>x"))).join(" ")
    };
    let meta = |content: &str| format!("<meta name=viewport content='{content}'>");
    assert_eq!(head(&meta("width=device-width, initial-scale=1")), "");
    assert_eq!(head(&meta("width=1024")), "viewport-fixed");
    assert_eq!(document(&meta(" ")).viewport, None);
    assert_eq!(document(&meta("width=1024")).viewport.as_deref(), Some("width=1024"));
    assert_eq!(head(&meta("width=device-width, user-scalable=no")), "zoom-blocked");
    assert_eq!(head(&meta("width=device-width").repeat(2)), "viewport-multiple");
}

#[test]
fn what_belongs_in_head_stands_there() {
    check("<meta name=robots content=index>", &["meta-in-body"]);
    check("<meta http-equiv=refresh content=9>", &["meta-in-body"]);
    check("<meta itemprop=price name=price content=1><meta property=og:title content=x>", &[]);
    check("<noscript><meta http-equiv=refresh content=9></noscript>", &[]);
    let facts = document("<!doctype html><html lang=en><title>t</title><base href=/a><base href=/b><body>x");
    assert_eq!(details(&facts, FlawKind::BaseBad), ["another base stands before"]);
    let bases = |head: &str| {
        details(
            &document(&format!("<!doctype html><html lang=en><title>t</title>{head}<body>x")),
            FlawKind::BaseBad,
        )
        .len()
    };
    assert_eq!(bases("<base href>"), 1);
    assert_eq!(bases("<base href='data:x'>"), 1);
    assert_eq!(bases("<base target=_top><base href=/a>"), 0);
    let facts = document(
        "<!doctype html><html lang=en><title>t</title><meta name=keywords content=a><meta name=KEYWORDS content=b><body>x",
    );
    assert_eq!(details(&facts, FlawKind::KeywordsMultiple), ["b"]);
}

#[test]
fn tags_of_head_and_body_are_counted_in_the_source() {
    let check = |text: &str, expect: &[&str]| assert_eq!(kinds(&document(text)), expect, "{text}");
    check("<p>x", &["head-missing", "body-missing"]);
    check("<html lang=en><head><title>t</title></head><p>x", &["body-missing"]);
    check("<!doctype html><html lang=en><body><title>t</title>x", &["head-missing"]);
    check(
        "<!doctype html>\n<html lang=en><head><title>t</title>\n<head></head><body>\nx\n<body>",
        &["head-multiple", "body-multiple"],
    );
    // HTML, "optional tags".
    check("<!doctype html><title>t</title><p>x", &[]);
    check("<!doctype html><html lang=en><HEAD><title>t</title></HEAD><BODY>x", &[]);
    check("<!doctype html><head><title>t</title></head><frameset><frame title=x src=/x></frameset>", &[]);
    check(
        "<!doctype html><head><title>t</title></head><body><!-- <body><head> --><script>'<body>'</script><textarea title=x><head></textarea><header>x</header>",
        &[],
    );
    let facts = document("<!doctype html>\n<head><title>t</title></head>\n<body>\nx\n<body>");
    assert_eq!((&*facts.flaws[0].detail, facts.flaws[0].line), ("2 body tags", 5));
}

#[test]
fn encodings_are_declared() {
    let check = |text: &str, content_type: Option<&str>, expect: &[&str]| {
        let facts = read(text, content_type);
        let found: Vec<&str> = kinds(&facts).into_iter().filter(|kind| kind.starts_with("charset")).collect();
        assert_eq!(found, expect, "{text}");
    };
    let padding = " ".repeat(2_000);
    check("<p>x", Some("text/html"), &["charset-missing"]);
    check("<p>é", None, &["charset-missing"]);
    check(&format!("<head>{padding}<meta charset=utf-8>"), None, &["charset-missing"]);
    check("<meta charset=utf-8>", None, &[]);
    check("\u{feff}<p>x", None, &[]);
    check("<p>x", Some("text/html; charset=utf-8"), &[]);
    check("<html xmlns='http://www.w3.org/1999/xhtml'/>", Some("application/xhtml+xml"), &[]);
    check("<meta charset=iso-8859-1>", Some("text/html; charset=utf-8"), &["charset-conflict"]);
    check("<meta charset=UTF8>", Some("text/html; charset=utf-8"), &[]);
}

#[test]
fn pictures_are_whole() {
    check("<picture><source srcset=/a.webp></picture>", &["picture-without-img"]);
    check("<picture><source srcset=/a.webp><img src=/a.png alt=x></picture>", &[]);
    check("<img alt=x src=/a.png srcset='/a.png 1q'>", &["srcset-invalid"]);
    check("<img alt=x src=/a.png loading=lazy>", &["first-image-lazy"]);
    check("<img alt=x src=/a.png><img alt=x src=/b.png loading=lazy>", &[]);
    check(
        "<img alt=x src=/dot.gif width=1 height=1 loading=lazy><nav><img alt=x src=/a.png loading=lazy></nav>",
        &[],
    );
    check("<img alt=x src='data:image/gif;base64,R0lG' loading=lazy>", &[]);
    check(&format!("<p>{}</p><img alt=x src=/a.png loading=lazy>", "word ".repeat(500)), &[]);
    check("<footer><img alt=x src=/a.png loading=lazy></footer>", &[]);
}

#[test]
fn numbers_of_the_whole_document() {
    let facts = document(
        "<!doctype html><html><head><script src=/a.js></script><script src=/b.js defer></script><script src=/c.js type=module></script>\
         <script>1</script><link rel=stylesheet href=/a.css><link rel=stylesheet href=/p.css media=print>\
         <link rel='alternate stylesheet' href=/b.css></head><body><script src=/d.js></script><ul><li>1<li>2<li>3<li>4</ul>",
    );
    assert_eq!((facts.render_blocking, facts.dom_children, facts.main_missing), (2, 4, true));
    let blocking = |head: &str| document(&format!("<!doctype html><head>{head}</head>")).render_blocking;
    assert_eq!(blocking("<link rel=stylesheet href=/a.css type='text/css; charset=utf-8'>"), 1);
    assert_eq!(
        blocking("<link rel=stylesheet href=/a.less type=text/less><link rel=stylesheet href=' '>"),
        0
    );
    assert_eq!(blocking("<script language=javascript src=/a.js></script>"), 1);
    assert_eq!(blocking("<script language=vbscript src=/a.vbs></script>"), 0);
    assert!(!page("x").main_missing);
    assert!(!document("<body><div role=main>x</div>").main_missing);
    assert!(!document("<frameset><frame src=/x></frameset>").main_missing);
    assert!(document("<!doctype html><iframe title=x srcdoc='<main>x</main>'></iframe>").main_missing);
}
