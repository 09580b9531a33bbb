//! Structured data as pages write it, in one form.

use crate::{Document, html};
use model::structured::{Entity, PropertyValue, Syntax};
use model::{FlawKind, PageFacts};

const URL: &str = "https://h.test/dir/page";

fn read(body: &str) -> PageFacts {
    html(&Document {
        body: body.as_bytes(),
        url: URL,
        headers: &[],
        content_type: Some("text/html; charset=utf-8"),
    })
}

fn script(json: &str) -> PageFacts {
    read(&format!("<!doctype html><head><script type=\"application/ld+json\">{json}</script></head>"))
}

/// `Type#id{property=text property=<address> property=Type{…}}`
fn shown(entity: &Entity) -> String {
    let id = entity.id.as_ref().map(|id| format!("#{id}")).unwrap_or_default();
    let properties: Vec<String> = entity
        .properties
        .iter()
        .map(|property| match &property.value {
            PropertyValue::Text(text) => format!("{}={text}", property.name),
            PropertyValue::Url(url) => format!("{}=<{url}>", property.name),
            PropertyValue::Entity(value) => format!("{}={}", property.name, shown(value)),
        })
        .collect();
    format!("{}{id}{{{}}}", entity.type_names(), properties.join("; "))
}

fn check(facts: &PageFacts, expect: &[&str]) {
    let found: Vec<String> = facts.structured.entities.iter().map(shown).collect();
    assert_eq!(found, expect);
}

fn flaws(facts: &PageFacts, kind: FlawKind) -> Vec<(u32, &str)> {
    facts.flaws.iter().filter(|flaw| flaw.kind == kind).map(|flaw| (flaw.line, &*flaw.detail)).collect()
}

#[test]
fn json_ld_is_read_in_all_its_forms() {
    let product = ["Product{name=Tea; offers=Offer{price=4.50; available=true}}"];
    let check_all = |json: &str, expect: &[&str]| check(&script(json), expect);
    let body = r#""name":" Green\n","x":null"#;
    check_all(
        r#"{"@context":"https://schema.org","@type":"Product","name":"Tea","offers":{"@type":"Offer","price":4.50,"available":true}}"#,
        &product,
    );
    check_all(
        &format!(r#"{{"@context":"http://schema.org/","@type":["Product","Car"],{body}}}"#),
        &["Product Car{name=Green}"],
    );
    check_all(
        &format!(
            r#"[{{"@context":"https://schema.org","@type":"A",{body}}},{{"@context":"https://schema.org","@type":"B"}}]"#
        ),
        &["A{name=Green}", "B{}"],
    );
    check_all(
        r##"{"@context":"https://schema.org","@graph":[{"@type":"WebPage","@id":"#p","about":{"@id":"#o"}},{"@type":"Organization","@id":"https://h.test/dir/page#o","name":"O"}]}"##,
        &[
            "WebPage#https://h.test/dir/page#p{about=<https://h.test/dir/page#o>}",
            "Organization#https://h.test/dir/page#o{name=O}",
        ],
    );
    check_all(
        r#"{"@context":{"@vocab":"http://schema.org/"},"@type":"Product","name":"x"}"#,
        &["Product{name=x}"],
    );
    check_all(
        r#"{"@context":{"s":"https://schema.org/"},"@type":"s:Product","s:name":"x","t:y":1}"#,
        &["Product{name=x; t:y=1}"],
    );
    check_all(
        r#"{"@context":{"title":"https://schema.org/name","T":{"@id":"https://schema.org/Thing"}},"@type":"T","title":"x"}"#,
        &["Thing{name=x}"],
    );
    check_all(
        r#"{"@context":["https://schema.org",{"@language":"de"}],"id":"https://a/","type":"https://schema.org/Thing","name":{"@value":"x"},"alternateName":["a","b"],"sameAs":{"@list":["c"]}}"#,
        &["Thing#https://a/{name=x; alternateName=a; alternateName=b; sameAs=c}"],
    );
    check_all(
        r#"{"@context":"https://www.w3.org/ns/activitystreams","@type":"Note","content":"x"}"#,
        &[":Note{:content=x}"],
    );
    check_all(
        r#"{"@context":["https://schema.org","https://x.test/context"],"@type":"Product","name":"x","own":"y"}"#,
        &["Product{name=x; :own=y}"],
    );
    check_all("\"text\"", &[]);
}

#[test]
fn scripts_are_known_by_their_type_alone() {
    let facts = read(
        "<script type=\" Application/LD+JSON; charset=utf-8\">{\"@context\":\"https://schema.org\",\"@type\":\"A\"}</script>\n<p>\n<script type=application/ld+json>\n{\"@context\":\"https://schema.org\",\n\"b\":{\"@type\":\"C\"},\"@type\":\"B\"}</script><script type=application/json>{\"@type\":\"D\"}</script>",
    );
    check(&facts, &["A{}", "B{b=C{}}"]);
    let entity = &facts.structured.entities[1];
    let place = entity.path.map(|path| &*facts.element_paths[path as usize]);
    assert_eq!(
        (entity.line, entity.properties[0].line, place, entity.syntax),
        (4, 5, Some("body>p>script"), Syntax::JsonLd)
    );
}

#[test]
fn faults_of_scripts_are_told_where_they_stand() {
    let facts = read(
        "<head>\n<script\ntype=\"application/ld+json\">\n{\"@context\": \"https://schema.org\",\n  \"@type\": \"Ätna\" \"name\": 1}</script>",
    );
    assert_eq!(
        flaws(&facts, FlawKind::JsonldParseError),
        [(5, "column 19: expected `,` or `}`, found `\"`")]
    );
    check(&facts, &["Ätna{}"]);
    assert!(facts.structured.entities[0].is_unread);
    // What nobody reads is not judged.
    assert!(flaws(&facts, FlawKind::StructuredUnknownTerm).is_empty());
    let facts = read("<p>é<script type=application/ld+json>{,}</script>");
    assert_eq!(flaws(&facts, FlawKind::JsonldParseError)[0].1.split(':').next(), Some("column 39"));
    // Nobody reads it: where scripts run, noscript is a text.
    let facts = read("<p>é<noscript><script type=application/ld+json>{,}</script></noscript>");
    assert!(flaws(&facts, FlawKind::JsonldParseError).is_empty());
    assert!(facts.problems.iter().all(|problem| problem.code != "jsonld-parse-error"));
}

/// The examples of the standard, told anew: plain values, values by element, lists of names, items in items, references.
#[test]
fn microdata_is_read_as_the_standard_says() {
    let s = "https://schema.org";
    let check_all = |body: &str, expect: &[&str]| check(&read(body), expect);
    check_all(
        &format!(
            "<div itemscope itemtype='{s}/Person http://schema.org/Patient' itemid='/me'><b itemprop=name>Ann <i>Lee</i></b> <span itemprop='email telephone'>x</span></div>"
        ),
        &["Person Patient#https://h.test/me{name=Ann Lee; email=x; telephone=x}"],
    );
    check_all(
        &format!(
            "<div itemscope itemtype={s}/Thing><meta itemprop=a content='A'><img itemprop=b src=b.png alt=no><a itemprop=c href=/c>no</a><link itemprop=d href='https://d.test/'>\
             <object itemprop=e data=e></object><data itemprop=f value=7>seven</data><meter itemprop=g value=0.5>half</meter><time itemprop=h datetime=2026-01-02>second</time>\
             <time itemprop=i>2026</time><video itemprop=j src=j.mp4></video><span itemprop=k content=K>no</span><p itemprop=l> two\n words </p><a itemprop=m>no address</a></div>"
        ),
        &[
            "Thing{a=A; b=<https://h.test/dir/b.png>; c=<https://h.test/c>; d=<https://d.test/>; e=<https://h.test/dir/e>; f=7; g=0.5; h=2026-01-02; i=2026; j=<https://h.test/dir/j.mp4>; k=K; l=two words; m=}",
        ],
    );
    check_all(
        &format!(
            "<div itemscope itemtype={s}/Product><p itemprop=name>Tea</p><div itemprop=offers itemscope itemtype={s}/Offer><b itemprop=price>4</b><div itemscope itemtype={s}/Thing><i itemprop=name>Other</i></div></div><em itemprop=sku>1</em></div>"
        ),
        &["Product{name=Tea; offers=Offer{price=4}; sku=1}", "Thing{name=Other}"],
    );
    check_all(
        &format!(
            "<p id=b>The <span itemprop=brand>B</span></p><div itemscope itemtype={s}/Product itemref='c  b nowhere'><p itemprop=name>Tea</p></div><div id=c itemprop=sku>1</div>"
        ),
        &["Product{brand=B; name=Tea; sku=1}"],
    );
    // An item that refers to itself, and two that refer to each other.
    check_all(
        &format!("<div id=a itemscope itemtype={s}/Thing itemref=a><p itemprop=name>x</p></div>"),
        &["Thing{name=x}"],
    );
    check_all(
        &format!(
            "<div itemscope itemtype={s}/Thing itemref=x></div><div id=x itemprop=a itemscope itemref=y></div><div id=y itemprop=b itemscope itemref=x></div>"
        ),
        &["Thing{a={:b={}}}"],
    );
    // Without a type, or with a foreign one, names mean nothing to schema.org.
    check_all(
        "<div itemscope><p itemprop=name>x</p></div><div itemscope itemtype=https://v.test/A><p itemprop='b https://schema.org/name'>x</p></div>",
        &["{:name=x}", "https://v.test/A{:b=x; name=x}"],
    );
    check_all("<p itemprop=name>nobody's</p>", &[]);
}

/// The examples of RDFa Lite, told anew.
#[test]
fn rdfa_is_read_by_its_rules() {
    let check_all = |body: &str, expect: &[&str]| check(&read(body), expect);
    check_all(
        "<p vocab=http://schema.org/ typeof=Person>I am <span property=name>Ann</span>, call <span property=telephone>1</span> or see <a property=url href=/ann>me</a>.</p>",
        &["Person{name=Ann; telephone=1; url=<https://h.test/ann>}"],
    );
    check_all(
        "<p vocab=https://schema.org/ resource=#ann typeof=Person><span property=name>Ann</span> <img property=image src=ann.jpg></p><p vocab=https://schema.org/ resource=#ann><meta property=email content=a@b></p>",
        &["Person#https://h.test/dir/page#ann{name=Ann; image=<https://h.test/dir/ann.jpg>; email=a@b}"],
    );
    check_all(
        "<div vocab=https://schema.org/ prefix='ov: http://open.vocab.org/terms/ s: https://schema.org/' typeof='s:Product'><b property='s:name ov:title'>Tea</b><div property=offers typeof=Offer><meta property=price content=4><time property=validThrough datetime=2026-01-02>soon</time></div></div>",
        &[
            "Product{name=Tea; http://open.vocab.org/terms/title=Tea; offers=Offer{price=4; validThrough=2026-01-02}}",
        ],
    );
    check_all(
        "<ol vocab=https://schema.org/ typeof=BreadcrumbList><li property=itemListElement typeof=ListItem><a property=item typeof=WebPage href=/books><span property=name>Books</span></a><meta property=position content=1></li></ol>",
        &[
            "BreadcrumbList{itemListElement=ListItem{item=WebPage#https://h.test/books{name=Books}; position=1}}",
        ],
    );
    // By the rules a link is what the words in it are about, unless it is a property itself or stands beside rel=nofollow.
    check_all(
        "<div vocab=https://schema.org/ typeof=Thing><a href=/x><i property=name>x</i></a><a rel=nofollow property=url href=/y>y</a></div>",
        &["Thing{url=<https://h.test/y>}"],
    );
    check_all(
        "<div vocab=https://schema.org/ about=/a typeof=Thing><div about=/b typeof=Thing><p property=name>b</div><p property=name>a</div>",
        &["Thing#https://h.test/a{name=a}", "Thing#https://h.test/b{name=b}"],
    );
    // No vocabulary, no statement; a shared link's properties are none of an entity's.
    check_all("<div typeof=Thing><p property=name>x</div>", &[]);
    check_all(
        "<html vocab=https://schema.org/ typeof=WebPage><head><meta property=og:title content=x><meta property=name content=n></head>",
        &["WebPage{name=n}"],
    );
    check_all("<meta property=og:title content=x>", &[]);
}

#[test]
fn what_a_page_can_make_the_crawl_keep_is_bounded() {
    let many = format!(
        "[{}]",
        vec![r#"{"@context":"https://schema.org","@type":"Thing","name":"x"}"#; 600].join(",")
    );
    let facts = script(&many);
    assert_eq!((facts.structured.entities.len(), facts.structured.is_cut), (500, true));
    let long = format!(
        r#"{{"@context":"https://schema.org","@type":"Thing","description":"{}"}}"#,
        "word ".repeat(2_000)
    );
    let facts = script(&long);
    let PropertyValue::Text(text) = &facts.structured.entities[0].properties[0].value else {
        panic!("no text")
    };
    assert!(text.len() <= 2_000 && !facts.structured.is_cut);
    let texts = format!(
        r#"{{"@context":"https://schema.org","@type":"Thing","name":[{}]}}"#,
        vec![format!("\"{}\"", "x".repeat(1_000)); 100].join(",")
    );
    let facts = script(&texts);
    assert!(facts.structured.is_cut && facts.structured.entities[0].properties.len() < 66);
    let deep = format!(
        r#"{{"@context":"https://schema.org","@type":"Thing","about":{}1{}"#,
        r#"{"about":"#.repeat(50),
        "}".repeat(51)
    );
    assert!(script(&deep).structured.is_cut);
    let nested = "<div itemscope itemprop=a>".repeat(400);
    assert!(read(&format!("<div itemscope>{nested}")).structured.is_cut);
    let facts = script(r#"{"@context":"https://schema.org","@type":"Thing"}"#);
    assert!(!facts.structured.is_cut);
}

#[test]
fn an_item_of_many_names_is_kept_so_often_and_no_more() {
    let names = "a b c d e f g h";
    let nested = format!("<div itemscope itemprop='{names}'>").repeat(20);
    let facts = read(&format!("<div itemscope>{nested}<p itemprop=x>y</p>"));
    fn count(entity: &Entity) -> usize {
        let inner = entity.properties.iter().map(|property| match &property.value {
            PropertyValue::Entity(value) => count(value),
            _ => 0,
        });
        1 + inner.sum::<usize>()
    }
    let count: usize = facts.structured.entities.iter().map(count).sum();
    assert!(facts.structured.is_cut && count <= 500, "{count}");
    check(
        &read(
            "<div itemscope itemtype=https://schema.org/A><div itemprop='b c' itemscope itemtype=https://schema.org/D><p itemprop=e>f</p></div></div>",
        ),
        &["A{b=D{e=f}; c=D{e=f}}"],
    );
}

#[test]
fn a_subject_of_many_values_is_told_once() {
    let one = "<div typeof=Thing resource=/a><p property=name>a</p></div>";
    let again = "<div typeof=Thing><a property=about typeof=Thing href=/a></a></div>".repeat(3);
    check(
        &read(&format!("<body vocab=https://schema.org/>{one}{again}")),
        &[
            "Thing{about=Thing#https://h.test/a{name=a}}",
            "Thing{about=<https://h.test/a>}",
            "Thing{about=<https://h.test/a>}",
        ],
    );
    let many = "<p typeof=Thing>".repeat(20_000);
    assert!(read(&format!("<body vocab=https://schema.org/>{many}")).structured.is_cut);
}

#[test]
fn items_that_share_all_their_properties_cost_no_more_than_they_should() {
    let refs: Vec<String> = (0..400).map(|n| format!("r{n}")).collect();
    let parts: String =
        refs.iter().map(|id| format!("<p id={id} itemprop=a>{}</p>", "x".repeat(50))).collect();
    let items = format!("<div itemscope itemref='{}'></div>", refs.join(" ")).repeat(400);
    let facts = read(&format!("{parts}{items}"));
    assert!(facts.structured.is_cut);
}

#[test]
fn the_url_of_shares_is_the_canonical() {
    let check = |head: &str, expect: &[&str]| {
        let facts = read(&format!("<!doctype html><title>x</title>{head}"));
        let found: Vec<&str> =
            flaws(&facts, FlawKind::OgUrlNotCanonical).into_iter().map(|flaw| flaw.1).collect();
        assert_eq!(found, expect, "{head}");
    };
    check("<meta property=og:url content=https://h.test/dir/page>", &[]);
    check("<meta property=og:url content=https://H.test:443/dir/page#x>", &[]);
    check("<meta property=og:url content=''>", &[]);
    check("<meta property=og:url content=https://h.test/other>", &["https://h.test/other"]);
    check("<meta property=og:url content=https://h.test/c><link rel=canonical href=/c>", &[]);
    check(
        "<meta property=og:url content=https://h.test/dir/page><link rel=canonical href=/c>",
        &["https://h.test/dir/page"],
    );
    check("<meta property=og:url content=http://h.test/dir/page>", &["http://h.test/dir/page"]);
}
