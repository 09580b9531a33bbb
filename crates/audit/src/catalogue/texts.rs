//! Family Content: texts beside one another, and how they read.

use super::PLAIN;
use crate::audit::{Audit, Family, Needs, Priority, Rule, Scope, Severity, Threshold, Unit};
use crate::cases::{Case, html};

const BASE: Audit = Audit {
    family: Family::Content,
    severity: Severity::Opportunity,
    priority: Priority::Low,
    scope: Scope::Indexable,
    ..PLAIN
};

const READING: &[(&str, &str)] = &[
    ("reading_ease", "reading_ease"),
    ("language", "reading_language"),
    ("words_per_sentence", "round(reading_words * 1.0 / reading_sentences, 1)"),
    ("words_read", "reading_words"),
];

const READING_REFERENCES: &[&str] = &[
    "https://doi.org/10.1037/h0057532",
    "https://www.w3.org/WAI/WCAG22/Understanding/reading-level.html",
    "https://de.wikipedia.org/wiki/Lesbarkeitsindex",
];

const HARD: Threshold = Threshold {
    name: "reading_ease_hard",
    label: "Reading ease of hard texts",
    help: "Pages whose prose has a lower reading ease (Flesch: 0 is very hard, 100 very easy) are reported as hard to read.",
    unit: Unit::Points,
    min: 0,
    max: 120,
    default: 50,
};
const VERY_HARD: Threshold = Threshold {
    name: "reading_ease_very_hard",
    label: "Reading ease of very hard texts",
    help: "Pages whose prose has a lower reading ease (Flesch: 0 is very hard, 100 very easy) are reported as very hard to read.",
    unit: Unit::Points,
    min: 0,
    max: 120,
    default: 30,
};

/// A hundred and twenty-seven words that are easy to read.
macro_rules! easy {
    () => {
        "We grow our tea on a small hill near the sea. The rain comes in spring and the leaves grow fast. We pick them by hand when the sun is low. Then we dry them on flat trays in the shade. It takes two days, and you can smell it from the road. When the leaves are dry we roll them and pack them in tins. You can buy the tins in our shop or have them sent to you. Please keep the tea in a dark and dry place. It will taste good for a year. Use one spoon for each cup and wait for three minutes. The water should be hot but it must not boil. Add some milk if you like it that way."
    };
}

/// As many of medium length in longer sentences: reading ease 39.
macro_rules! hard {
    () => {
        "The growers of the region published a report about the future of tea in the mountain valleys yesterday. Several experts consider the proposed investment reasonable but rather expensive for the smaller family farms. The necessary tools require regular care, and good training remains difficult to find outside the larger towns. Many customers nevertheless expect that the quality of the leaves improves every season. The association therefore suggests a gradual introduction of the new machines over the following seven years. The local council has promised additional support for families that protect the old terraces and the forest. The first results of the project are open to every visitor in the central library of the town."
    };
}

/// Reading ease 11.
macro_rules! very_hard {
    () => {
        "The regional growers published a detailed report about the future of traditional cultivation in the mountain valleys yesterday. Several independent experts consider the proposed investment programme reasonable but expensive for the smaller family companies. The necessary equipment requires regular attention, and professional training remains difficult to organise outside the larger towns. Many customers nevertheless expect that the quality of the product improves every season. The association therefore recommends a gradual introduction of the new machinery over the following seven years. Local authorities have promised additional support for families that protect the original landscape and its ancient terraces. The first results of the project are available to every interested visitor in the central library."
    };
}

macro_rules! menu {
    () => {
        "<nav><a href=\"/a\">a</a> <a href=\"/b\">b</a> <a href=\"/c\">c</a> <a href=\"/d\">d</a> <a href=\"/e\">e</a> <a href=\"/f\">f</a> <a href=\"/g\">g</a> <a href=\"/h\">h</a></nav>"
    };
}

/// Sixty words.
macro_rules! words {
    () => {
        "<p>one two three four five six seven eight nine ten one two three four five six seven eight nine ten one two three four five six seven eight nine ten
         one two three four five six seven eight nine ten one two three four five six seven eight nine ten one two three four five six seven eight nine ten</p>"
    };
}

/// Links to eight pages of a folder, and to its front page.
macro_rules! folder {
    ($name:literal) => {
        concat!(
            "<a href=\"/",
            $name,
            "/\">x</a> <a href=\"/",
            $name,
            "/1\">1</a> <a href=\"/",
            $name,
            "/2\">2</a> <a href=\"/",
            $name,
            "/3\">3</a> <a href=\"/",
            $name,
            "/4\">4</a> <a href=\"/",
            $name,
            "/5\">5</a> <a href=\"/",
            $name,
            "/6\">6</a> <a href=\"/",
            $name,
            "/7\">7</a> <a href=\"/",
            $name,
            "/8\">8</a>"
        )
    };
}

const SIXTY: &str = concat!("<!doctype html><title>x</title>", words!());
const SIXTY_ONE: &str = concat!("<!doctype html><title>x</title>", words!(), "more");
const FORTY: &str = "<!doctype html><title>x</title><p>one two three four five six seven eight nine ten one two three four five six seven eight nine ten one two three four five six seven eight nine ten
     one two three four five six seven eight nine ten</p>";
const FIVE: &str = "<!doctype html><title>x</title><nav>one two three four five six seven eight nine ten</nav><p>one two three four five</p>";

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "content-near-duplicate",
        title: "Almost the same content as another page",
        severity: Severity::Warning,
        priority: Priority::Medium,
        rule: Rule::Row(Needs::Crawl, "near_similarity >= {near_duplicate_share}"),
        thresholds: &[Threshold {
            name: "near_duplicate_share",
            label: "Share that near duplicates have in common",
            help: "Two pages are near duplicates where this percentage of the sequences of five words that either main text has stands in both.",
            unit: Unit::Percent,
            min: 50,
            max: 100,
            default: 90,
        }],
        evidence: &[
            ("similar_to", "near_other"),
            ("similarity", "near_similarity"),
            ("compared", "CASE WHEN near_estimated THEN 'estimated' ELSE 'exactly' END"),
            ("pages_in_cluster", "near_pages"),
            ("first_of_cluster", "near_first"),
            ("title", "title"),
        ],
        why: "Without menus, headers and footers, this page says nearly what another one says. Search engines show one of the two, and visitors who open both learn nothing new.",
        fix: "Join the pages, write what sets them apart, or let the lesser ones name the main one as their canonical.",
        references: &[
            "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",
            "https://doi.org/10.1109/SEQUEN.1997.666900",
        ],
        case: Case::new(
            &[
                html("/", concat!("<!doctype html><title>x</title>", menu!())),
                html(
                    "/a",
                    concat!(
                        "<!doctype html><title>a</title>",
                        menu!(),
                        "<p>",
                        easy!(),
                        " Ask Anna.</p><footer>One</footer>"
                    ),
                ),
                html(
                    "/b",
                    concat!(
                        "<!doctype html><title>b</title>",
                        menu!(),
                        "<div><p>",
                        easy!(),
                        " Ask <b>Boris</b>.</p></div>"
                    ),
                ),
                // The same main text in another frame.
                html(
                    "/c",
                    concat!(
                        "<!doctype html><title>c</title><main><p>",
                        easy!(),
                        " Ask Anna.</p></main><p>Our shops are open.</p>"
                    ),
                ),
                // To the letter as another page.
                html(
                    "/d",
                    concat!("<!doctype html><title>b</title>", menu!(), "<p>", easy!(), " Ask Boris.</p>"),
                ),
            ],
            &[("/a", 1), ("/b", 1), ("/c", 1), ("/d", 1)],
            &[
                html("/", concat!("<!doctype html><title>x</title>", menu!())),
                html("/a", concat!("<!doctype html><title>a</title>", menu!(), "<p>", easy!(), "</p>")),
                // An exact duplicate.
                html("/b", concat!("<!doctype html><title>a</title>", menu!(), "<p>", easy!(), "</p>")),
                html(
                    "/c",
                    concat!(
                        "<!doctype html><title>c</title><link rel=\"canonical\" href=\"{site}/a\"><p>",
                        easy!(),
                        " Ask Anna.</p>"
                    ),
                ),
                html(
                    "/d",
                    concat!(
                        "<!doctype html><title>d</title><meta name=\"robots\" content=\"noindex\"><p>",
                        easy!(),
                        " Ask Boris.</p>"
                    ),
                ),
                // 84 percent: 20 words more.
                html(
                    "/e",
                    concat!(
                        "<!doctype html><title>e</title><p>",
                        easy!(),
                        " Our second garden lies on the other side of the river, where nobody lives but a few goats and an old man.</p>"
                    ),
                ),
                // Too short.
                html(
                    "/f",
                    concat!(
                        "<!doctype html><title>f</title>",
                        menu!(),
                        "<p>One two three four five six seven eight nine ten eleven twelve and F.</p>"
                    ),
                ),
                html(
                    "/g",
                    concat!(
                        "<!doctype html><title>g</title>",
                        menu!(),
                        "<p>One two three four five six seven eight nine ten eleven twelve and G.</p>"
                    ),
                ),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "content-thin-for-section",
        title: "Far less text than its neighbours",
        rule: Rule::Row(
            Needs::Crawl,
            "section_pages >= {section_pages_least} AND section_z <= -{section_z_least} AND word_count * 100 < section_median * {section_words_share}",
        ),
        thresholds: &[
            Threshold {
                name: "section_pages_least",
                label: "Pages of a section",
                help: "Sections with fewer pages are not looked at: what is usual in them is anybody's guess.",
                unit: Unit::Urls,
                min: 3,
                max: 1_000_000,
                default: 8,
            },
            Threshold {
                name: "section_z_least",
                label: "Distance from the usual length",
                help: "Only pages that lie so many robust standard deviations below their section's median are reported.",
                unit: Unit::Points,
                min: 0,
                max: 100,
                default: 3,
            },
            Threshold {
                name: "section_words_share",
                label: "Share of the usual length",
                help: "Only pages with less than this percentage of their section's median words are reported.",
                unit: Unit::Percent,
                min: 1,
                max: 100,
                default: 50,
            },
        ],
        evidence: &[
            ("words", "word_count"),
            ("usual_words", "section_median"),
            ("section", "section"),
            ("pages_in_section", "section_pages"),
            ("robust_z", "section_z"),
        ],
        why: "The pages around it in the same folder say far more. It may have lost its text, never have got it, or be of another kind than its place says.",
        fix: "Compare it with its neighbours: complete it, join it to one of them, or move it where it belongs.",
        references: &[
            "https://www.itl.nist.gov/div898/handbook/eda/section3/eda35h.htm",
            "https://developers.google.com/search/docs/fundamentals/creating-helpful-content",
        ],
        case: Case::new(
            &[
                html("/", concat!("<!doctype html><title>x</title>", folder!("blog"))),
                html("/blog/", "<!doctype html><title>x</title><p>Blog</p>"),
                html("/blog/1", SIXTY),
                html("/blog/2", SIXTY_ONE),
                html("/blog/3", SIXTY),
                html("/blog/4", SIXTY_ONE),
                html("/blog/5", SIXTY),
                html("/blog/6", SIXTY),
                html("/blog/7", FIVE),
                html("/blog/8", FORTY),
            ],
            &[("/blog/7", 1)],
            &[
                html("/", concat!("<!doctype html><title>x</title>", folder!("blog"), folder!("few"))),
                html(
                    "/blog/",
                    "<!doctype html><title>x</title><p>Blog</p><a href=\"/blog/page/2/\">2</a><a href=\"/blog/1?a\">3</a>",
                ),
                html("/blog/page/2/", FIVE),
                html("/blog/1?a", FIVE),
                // Texts of all lengths.
                html("/blog/1", FIVE),
                html("/blog/2", SIXTY_ONE),
                html("/blog/3", FORTY),
                html("/blog/4", FIVE),
                html("/blog/5", SIXTY),
                html("/blog/6", FORTY),
                html("/blog/7", FIVE),
                html("/blog/8", FORTY),
                // Seven pages.
                html("/few/", SIXTY),
                html("/few/1", SIXTY),
                html("/few/2", SIXTY),
                html("/few/3", SIXTY),
                html("/few/4", SIXTY),
                html("/few/5", SIXTY),
                html("/few/6", SIXTY),
                html("/few/7", FIVE),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "readability-hard",
        title: "Text that is hard to read",
        rule: Rule::Row(
            Needs::Itself,
            "reading_ease < {reading_ease_hard} AND reading_ease >= {reading_ease_very_hard}",
        ),
        thresholds: &[HARD, VERY_HARD],
        evidence: READING,
        why: "Long sentences and long words: by Flesch's formula, in the form made for the page's language, most readers need some years of higher education for it. Who reads on a small screen, in a hurry or in a foreign language gives up.",
        fix: "Make two sentences of one, take the shorter word, and say first what matters. Texts for experts may stay as they are.",
        references: READING_REFERENCES,
        case: Case::new(
            &[html("/", concat!("<!doctype html><html lang=\"en\"><title>x</title><p>", hard!(), "</p>"))],
            &[("/", 1)],
            &[
                html(
                    "/",
                    concat!(
                        "<!doctype html><html lang=\"en\"><title>x</title>",
                        menu!(),
                        "<p>",
                        easy!(),
                        "</p>"
                    ),
                ),
                html(
                    "/a",
                    concat!("<!doctype html><html lang=\"en\"><title>x</title><p>", very_hard!(), "</p>"),
                ),
                // What is read as something else than prose.
                html(
                    "/b",
                    concat!("<!doctype html><html lang=\"en\"><title>x</title><ul><li>", hard!(), "</ul>"),
                ),
                html(
                    "/c",
                    concat!(
                        "<!doctype html><html lang=\"en\"><title>x</title><pre>",
                        hard!(),
                        "</pre><footer>",
                        hard!(),
                        "</footer>"
                    ),
                ),
                // A language without formula, by its own word.
                html("/d", concat!("<!doctype html><html lang=\"pl\"><title>x</title><p>", hard!(), "</p>")),
                html(
                    "/e",
                    concat!(
                        "<!doctype html><html lang=\"en\"><title>x</title><meta name=\"robots\" content=\"noindex\"><p>",
                        hard!(),
                        "</p>"
                    ),
                ),
                html(
                    "/f",
                    "<!doctype html><html lang=\"en\"><title>x</title><p>Professional organisations necessitate considerable institutional responsibility.</p>",
                ),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "readability-very-hard",
        title: "Text that is very hard to read",
        rule: Rule::Row(Needs::Itself, "reading_ease < {reading_ease_very_hard}"),
        thresholds: &[VERY_HARD],
        evidence: READING,
        why: "By Flesch's formula, in the form made for the page's language, only readers with a degree follow it without effort: sentences and words are as long as in laws and papers.",
        fix: "Break the sentences up, say in plain words what the page is for, and put what only experts need on a page of its own.",
        references: READING_REFERENCES,
        case: Case::new(
            &[
                html(
                    "/",
                    concat!(
                        "<!doctype html><html lang=\"en\"><title>x</title>",
                        menu!(),
                        "<p>",
                        very_hard!(),
                        "</p>"
                    ),
                ),
                // The words say what language it is.
                html("/a", concat!("<!doctype html><title>x</title><h2>y</h2><p>", very_hard!(), "</p>")),
                html(
                    "/b",
                    concat!("<!doctype html><html lang=\"de\"><title>x</title><p>", very_hard!(), "</p>"),
                ),
            ],
            &[("/", 1), ("/a", 1), ("/b", 1)],
            &[
                html(
                    "/",
                    concat!(
                        "<!doctype html><html lang=\"en\"><title>x</title>",
                        menu!(),
                        "<p>",
                        hard!(),
                        "</p>"
                    ),
                ),
                html(
                    "/a",
                    concat!(
                        "<!doctype html><html lang=\"en\"><title>x</title><p>",
                        easy!(),
                        "</p><ol><li>",
                        very_hard!(),
                        "</ol>"
                    ),
                ),
            ],
        ),
        ..BASE
    },
];
