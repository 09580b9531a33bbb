//! Fields over pages, ordinary and hostile ones.

use super::*;

fn values(html: &str, rule: &str) -> Vec<FieldValue> {
    let field = Field::new("f", rule).unwrap_or_else(|why| panic!("{rule}: {why}"));
    let document = Document {
        body: html.as_bytes(),
        url: "https://a.test/",
        headers: &[],
        content_type: Some("text/html; charset=utf-8"),
    };
    let mut found = custom(&document, &[field]);
    let found = found.remove(0);
    assert!(!found.given_up, "{rule}");
    found.values
}

/// Values between bars.
fn joined(values: &[FieldValue]) -> String {
    let text = |value: &FieldValue| match value {
        FieldValue::Text(text) => text.clone(),
        FieldValue::Number(number) => number.to_string(),
        FieldValue::Flag(flag) => flag.to_string(),
    };
    values.iter().map(text).collect::<Vec<_>>().join("|")
}

const PAGE: &str =
    "<!doctype html><html lang=de><head><title>Tea &amp; Leaf</title><script>var sku = 'S-1';</script>
  <script type=application/json>{\"sku\":\"S-2\"}</script></head>
  <body><nav><a href=/>Home</a> <a href=/tea class='on x' data-sku=A1>Tea</a></nav>
  <h1>Green  <b>tea</b></h1><div id=p class=price data-cents=450>4,50&nbsp;&euro;</div>
  <ul><li>one<li class=b>two<li>three</ul><p hidden></p><template><li>never</li></template>
  <svg viewBox='0 0 1 1'><a xlink:href='#x'/></svg><p>Sold<br>out</p></body></html>";

#[test]
fn selectors_select() {
    let check = |rule: &str, expect: &str| assert_eq!(joined(&values(PAGE, rule)), expect, "{rule}");
    check("css: .price", "4,50 €");
    check("css attr data-cents: #p", "450");
    check("css all: li", "one|two|three");
    check("css all: nav > a.on, h1", "Tea|Green tea");
    check("css count: body *", "16");
    check("css all: li:nth-child(odd)", "one|three");
    check("css: li:last-of-type", "three");
    check("css all: li + li", "two|three");
    check("css all: li.b ~ li", "three");
    check("css: ul li:not(:first-child):not(.b)", "three");
    check("css attr lang: :root", "de");
    check("css count: p:empty", "1");
    check("css attr xlink:href: [xlink:href]", "#x");
    check("css attr viewbox: svg", "0 0 1 1");
    check("css: [data-sku^=a i]", "Tea");
    check("css count: [data-sku^=a]", "0");
    check("css: script[type]", "{\"sku\":\"S-2\"}");
    check("css html: h1", "Green  <b>tea</b>");
    check("css: .absent", "");
}

#[test]
fn xpath_finds() {
    let check = |rule: &str, expect: &str| assert_eq!(joined(&values(PAGE, rule)), expect, "{rule}");
    check("xpath: //h1", "Green tea");
    check("xpath all: //nav/a/@href", "/|/tea");
    check("xpath: //a[@data-sku='A1']/@class", "on x");
    check("xpath all: //li[position() > 1]", "two|three");
    check("xpath: (//li)[last()]", "three");
    check("xpath: //li[2]/preceding-sibling::li[1]", "one");
    check("xpath: count(//li)", "3");
    check("xpath: count(//a) * 2 - 1", "5");
    check("xpath: //title and not(//h2)", "true");
    check("xpath: normalize-space(//h1)", "Green tea");
    check("xpath: substring-before(//title, ' &')", "Tea");
    check("xpath: translate(//div[@class='price']/@data-cents, '50', '6')", "46");
    check("xpath all: //nav/a | //h1/b", "Home|Tea|tea");
    check("xpath: number(//div/@data-cents) div 100", "4.5");
    check("xpath: //b/ancestor::body/nav/a[2]/text()", "Tea");
    check("xpath: //a[starts-with(@href, '/t')]/../a[1]", "Home");
    check("xpath html: //h1", "Green  <b>tea</b>");
    check("xpath: number('x')", "");
    check("xpath: name(//*[@id='p'])", "div");
    check("xpath: sum(//x)", "0");
}

#[test]
fn searches_look_at_source_or_text() {
    let check =
        |rule: &str, expect: bool| assert_eq!(values(PAGE, rule), [FieldValue::Flag(expect)], "{rule}");
    check("contains source: S-1", true);
    check("contains visible: S-1", false);
    check("contains: green tea", true);
    check("contains case: green tea", false);
    check("contains: soldout", false);
    check("contains: sold out", true);
    check("lacks: never", true);
    check("lacks regex source: data-(cents|pence)", false);
    assert_eq!(joined(&values(PAGE, "regex all: [Ss]ku.{1,4}(S-\\d)")), "S-1|S-2");
    assert_eq!(joined(&values(PAGE, "regex: h\\d")), "h1");
}

#[test]
fn what_a_page_makes_long_is_bounded() {
    let long = format!("<p>{}</p>{}", "x".repeat(50_000), "<i class=a>y</i>".repeat(500));
    let texts = values(&long, "css all: p, i.a");
    assert_eq!(texts.len(), MOST_VALUES);
    assert!(matches!(&texts[0], FieldValue::Text(text) if text.len() == LONGEST_VALUE));
    assert!(
        matches!(&values(&long, "css html: body")[0], FieldValue::Text(text) if text.len() == LONGEST_VALUE)
    );
    assert_eq!(joined(&values(&long, "css count: i.a")), "500");
    let attributes: String = (0..200_000).map(|n| format!(" a{n}=1")).collect();
    assert_eq!(joined(&values(&format!("<p{attributes}>z"), "css: p[a0]")), "z");
}

#[test]
fn no_page_keeps_an_expression_busy() {
    let nested = "<div class=a>".repeat(60_000);
    assert_eq!(joined(&values(&nested, "css count: .a .a .a .a .a .a .a")), "504");
    let wide = "<b>x</b>".repeat(50_000);
    let field =
        Field::new("f", "xpath count: //b[count(preceding-sibling::b) = count(following-sibling::b)]")
            .unwrap();
    let document =
        Document { body: wide.as_bytes(), url: "https://a.test/", headers: &[], content_type: None };
    let found = custom(&document, &[field]);
    assert_eq!(found, [FieldValues { values: Vec::new(), given_up: true }]);
}
