//! What is found wrong with entities, and what is not.

use crate::{Document, html};
use model::FlawKind::{
    self, StructuredDeprecated as Deprecated, StructuredRecommendedMissing as Recommended,
    StructuredRequiredMissing as Required, StructuredUnknownTerm as Unknown,
};

/// The details of the flaws of a kind on a page with this script.
fn found(json: &str, kind: FlawKind) -> Vec<String> {
    let body = format!("<script type=\"application/ld+json\">{json}</script>");
    let facts = html(&Document {
        body: body.as_bytes(),
        url: "https://h.test/",
        headers: &[],
        content_type: Some("text/html; charset=utf-8"),
    });
    assert!(!facts.flaws.iter().any(|flaw| flaw.kind == FlawKind::JsonldParseError), "{json}");
    facts.flaws.iter().filter(|flaw| flaw.kind == kind).map(|flaw| flaw.detail.to_string()).collect()
}

/// `{"@context": …, "@type": kind, members}`
fn entity(kind: &str, members: &str) -> String {
    let comma = if members.is_empty() { "" } else { "," };
    format!(r#"{{"@context":"https://schema.org","@type":"{kind}"{comma}{members}}}"#)
}

fn check(kind: &str, members: &str, flaw: FlawKind, expect: &[&str]) {
    assert_eq!(found(&entity(kind, members), flaw), expect, "{kind} {members}");
}

const RATED: &str = r#""aggregateRating":{"@type":"AggregateRating","ratingValue":4,"reviewCount":3}"#;

#[test]
fn what_a_rich_result_requires() {
    check("Article", "", Required, &[]);
    check("Thing", "", Required, &[]);
    check("Product", "", Required, &["Product: name", "Product: offers, review or aggregateRating"]);
    check("Product", &format!(r#""name":"Tea",{RATED}"#), Required, &[]);
    check(
        "Product",
        r#""name":"","review":[]"#,
        Required,
        &["Product: name", "Product: offers, review or aggregateRating"],
    );
    let offer = r#""offers":{"@type":"Offer","price":0,"priceCurrency":"EUR"}"#;
    check("Product", &format!(r#""name":"Tea",{offer}"#), Required, &["Product: image"]);
    check("Product", &format!(r#""name":"Tea","image":"/a.png",{offer}"#), Required, &[]);
    check(
        "Product",
        r#""name":"Tea","image":"/a.png","offers":{"@type":"Offer","priceSpecification":{"@type":"UnitPriceSpecification","price":1}}"#,
        Required,
        &["Product > Offer: priceCurrency or priceSpecification.priceCurrency"],
    );
    check(
        "Product",
        r#""name":"Tea","offers":{"@type":"AggregateOffer","lowPrice":1,"priceCurrency":"EUR"}"#,
        Required,
        &[],
    );
    check(
        "Product",
        r#""name":"Tea","review":{"@type":"Review","author":"A","reviewRating":{"@type":"Rating"}}"#,
        Required,
        &["Product > Review > Rating: ratingValue"],
    );
    // Of types below those that are named, and of no type that has a rule of its own.
    check("Restaurant", r#""name":"R""#, Required, &["Restaurant: address"]);
    check(
        "MusicEvent",
        r#""name":"R","startDate":"2026-01-01","location":{"@type":"VirtualLocation","url":"/"}"#,
        Required,
        &[],
    );
    check(
        "MusicEvent",
        r#""name":"R","startDate":"2026-01-01","location":{"@type":"Place","name":"Hall"}"#,
        Required,
        &["MusicEvent > Place: address"],
    );
    check("CourseInstance", "", Required, &[]);
    check("ImageObject", r#""url":"/a.png""#, Required, &[]);
    check("ImageObject", r#""url":"/a.png","license":"/l""#, Required, &["ImageObject: contentUrl"]);
    check(
        "FAQPage",
        r#""mainEntity":[{"@type":"Question","name":"Q","acceptedAnswer":{"@type":"Answer","text":"A"}},{"@type":"Question","name":"Q","acceptedAnswer":{"@type":"Answer"}}]"#,
        Required,
        &["FAQPage > Question > Answer: text"],
    );
    // The last crumb is the page itself.
    check(
        "BreadcrumbList",
        r#""itemListElement":[{"@type":"ListItem","position":1,"name":"A","item":"/"},{"@type":"ListItem","position":2,"item":{"@id":"/b","name":"B"}},{"@type":"ListItem","position":3,"name":"C"}]"#,
        Required,
        &[],
    );
    check(
        "BreadcrumbList",
        r#""itemListElement":[{"@type":"ListItem","position":1,"name":"A"},{"@type":"ListItem","name":"C"}]"#,
        Required,
        &["BreadcrumbList > ListItem: item", "BreadcrumbList > ListItem: position"],
    );
}

#[test]
fn only_what_stands_for_itself_is_required_of() {
    // A product that a review is about, an organisation that a page names, parts of a graph.
    check(
        "Review",
        r#""author":"A","reviewRating":{"@type":"Rating","ratingValue":5},"itemReviewed":{"@type":"Product","name":"P"}"#,
        Required,
        &[],
    );
    let graph = |members: &str| format!(r#"{{"@context":"https://schema.org","@graph":[{members}]}}"#);
    let yoast = graph(
        r##"{"@type":"WebPage","@id":"https://h.test/","isPartOf":{"@id":"https://h.test/#site"},"primaryImageOfPage":{"@id":"https://h.test/#image"},"breadcrumb":{"@id":"https://h.test/#crumbs"}},
        {"@type":"ImageObject","@id":"https://h.test/#image","url":"https://h.test/a.png","contentUrl":"https://h.test/a.png"},
        {"@type":"BreadcrumbList","@id":"https://h.test/#crumbs","itemListElement":[{"@type":"ListItem","position":1,"name":"Home"}]},
        {"@type":"WebSite","@id":"https://h.test/#site","url":"https://h.test/","name":"H","publisher":{"@id":"https://h.test/#me"}},
        {"@type":["Person","Organization"],"@id":"https://h.test/#me","name":"Me","image":{"@type":"ImageObject","@id":"https://h.test/#me","url":"x"}}"##,
    );
    for kind in [Required, Unknown, Deprecated] {
        assert_eq!(found(&yoast, kind), [""; 0], "{kind}");
    }
    // What a page is about stands for itself, wherever it is written.
    let about = r#""mainEntity":{"@type":"Product","name":"P"}"#;
    check("ItemPage", about, Required, &["ItemPage > Product: offers, review or aggregateRating"]);
    let named =
        graph(r##"{"@type":"WebPage","mainEntity":{"@id":"#p"}},{"@type":"Product","@id":"#p","name":"P"}"##);
    assert_eq!(found(&named, Required), ["Product: offers, review or aggregateRating"]);
    // A value that only names an entity has what that entity has; one of another page has what nobody can tell.
    let apart = graph(
        r##"{"@type":"Product","name":"P","image":"x","offers":{"@type":"Offer","@id":"#o"}},{"@type":"Offer","@id":"#o","price":1,"priceCurrency":"EUR"}"##,
    );
    assert_eq!(found(&apart, Required), [""; 0]);
    check("Product", r#""name":"P","offers":{"@id":"https://h.test/other#offer"}"#, Required, &[]);
    // The address of a page is not the entity of the same name.
    let page = graph(
        r##"{"@type":"Product","@id":"https://h.test/p","url":{"@id":"https://h.test/p"},"review":{"@type":"Review","author":"A","reviewRating":"5","url":{"@id":"https://h.test/p"}}}"##,
    );
    assert_eq!(found(&page, Required), ["Product: name"]);
}

#[test]
fn what_a_rich_result_recommends_is_one_finding_an_entity() {
    check(
        "NewsArticle",
        r#""headline":"H","image":"/a.png""#,
        Recommended,
        &["NewsArticle: author, dateModified, datePublished"],
    );
    check("Organization", r#""name":"O","url":"/","logo":"/l.png""#, Recommended, &[]);
    check(
        "Article",
        r#""headline":"H","image":"i","datePublished":"d","dateModified":"d","author":{"@type":"Person","name":"A"}"#,
        Recommended,
        &["Article > Person: url or sameAs"],
    );
    check("WebPage", "", Recommended, &[]);
}

#[test]
fn terms_that_schema_org_does_not_know() {
    check("Produkt", r#""name":"x","preis":1"#, Unknown, &["Produkt: type Produkt", "Produkt: preis"]);
    check("Product", r#""headline":"x""#, Unknown, &["Product: headline, no property of this type"]);
    check(
        "Restaurant",
        r#""name":"x","servesCuisine":"y","geo":{"@type":"GeoCoordinates","latitude":1}"#,
        Unknown,
        &[],
    );
    check("Product", r#""name":"a","Name":"b","Name":"c""#, Unknown, &["Product: Name"]);
    check("Thing", r#""og:title":"x","https://v.test/y":1"#, Unknown, &[]);
    check(
        "WebSite",
        r#""potentialAction":{"@type":"SearchAction","target":"x","query-input":"required name=q"}"#,
        Unknown,
        &[],
    );
    // Nobody knows what an entity without a type has; a role has what it stands between.
    check(
        "Movie",
        r#""name":"x","actor":{"headline":"x"},"director":{"@type":"Role","director":{"@type":"Person","name":"y"}}"#,
        Unknown,
        &[],
    );
    assert_eq!(
        found(r#"{"@type":"Product","name":"x"}"#, Unknown),
        [":Product: no @context says whose words these are"]
    );
    assert_eq!(
        found(
            r#"{"@context":"https://schema.org","@type":["Product","Book"],"isbn":"1","gtin":"2","wheelbase":3}"#,
            Unknown
        ),
        ["Product Book: wheelbase, no property of this type"]
    );
    assert_eq!(found(r#"{"@context":"https://v.test/","@type":"Own","own":1}"#, Unknown), [""; 0]);
}

#[test]
fn what_gave_way_to_something_else() {
    check(
        "Recipe",
        r#""ingredients":"x","reviews":[]"#,
        Deprecated,
        &["Recipe: ingredients, now recipeIngredient"],
    );
    check("UserComments", "", Deprecated, &["UserComments: UserComments, now InteractionCounter"]);
    check("HowTo", "", Deprecated, &["HowTo: rich result “How-to”, not shown since 2023-09-13"]);
    check("Course", r#""name":"x","description":"y""#, Deprecated, &[]);
    check("WebSite", r#""name":"x""#, Deprecated, &[]);
    let search = r#""potentialAction":{"@type":"SearchAction","query-input":"required name=q"}"#;
    check(
        "WebSite",
        search,
        Deprecated,
        &["WebSite: rich result “Sitelinks search box”, not shown since 2024-11-21"],
    );
    assert_eq!(
        found(
            r#"{"@context":"http://data-vocabulary.org/","@type":"http://data-vocabulary.org/Product"}"#,
            Deprecated
        ),
        [
            "http://data-vocabulary.org/Product: http://data-vocabulary.org/Product: data-vocabulary.org, not read since 2021-01-29"
        ]
    );
}

#[test]
fn nodes_of_a_graph_stand_for_themselves_whoever_names_them() {
    let graph = |members: &str| format!(r#"{{"@context":"https://schema.org","@graph":[{members}]}}"#);
    let crumbs = graph(
        r##"{"@type":"WebPage","breadcrumb":{"@id":"#b"}},{"@type":"BreadcrumbList","@id":"#b"},{"@type":"HowTo","@id":"#h","isPartOf":{"@id":"#b"}},{"@type":"Thing","subjectOf":{"@id":"#h"}}"##,
    );
    assert_eq!(found(&crumbs, Required), ["BreadcrumbList: itemListElement"]);
    assert_eq!(found(&crumbs, Deprecated).len(), 1);
    // A review that a product names need not say what it is about.
    let review = graph(
        r##"{"@type":"Product","name":"P","review":{"@id":"#r"}},{"@type":"Review","@id":"#r","author":"A","reviewRating":5}"##,
    );
    assert_eq!(found(&review, Required), [""; 0]);
}

#[test]
fn nodes_of_one_id_are_one() {
    let product = r##"{"@context":"https://schema.org","@type":"Product","@id":"#p","name":"P"}"##;
    let rated = format!(r##"{{"@context":"https://schema.org","@id":"#p",{RATED}}}"##);
    assert_eq!(found(product, Required).len(), 1);
    assert_eq!(found(&format!("[{product},{rated}]"), Required), [""; 0]);
    let scripts = format!("{product}</script><script type=\"application/ld+json\">{rated}");
    assert_eq!(found(&scripts, Required), [""; 0]);
}

#[test]
fn the_names_of_schema_org_may_be_written_with_prefix_or_whole() {
    let prefixed =
        r#"{"@context":"https://schema.org","@type":"schema:Product","schema:name":"P","schema:preis":1}"#;
    assert_eq!(found(prefixed, Required), ["Product: offers, review or aggregateRating"]);
    assert_eq!(found(prefixed, Unknown), ["Product: preis"]);
    let whole = r#"{"@type":"https://schema.org/Product","https://schema.org/name":"P"}"#;
    assert_eq!(found(whole, Unknown), [""; 0]);
    assert_eq!(found(whole, Required), ["Product: offers, review or aggregateRating"]);
    let half = r#"{"@type":"https://schema.org/Product","name":"P"}"#;
    assert_eq!(found(half, Unknown).len(), 1);
}
