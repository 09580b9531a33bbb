//! Family Images.

use super::{FLAW, LINK, PLAIN};
use crate::audit::{Audit, Family, LinkRule, Needs, Priority, Rule, Scope, Severity, Threshold, Unit};
use crate::cases::{Body, Case, answer, headed_page, page};
use crate::hrefs_text as text;
use crate::rows::characters;
use model::FlawKind;

const IMAGE: &[(&str, &str)] = &[
    ("image", "link_target"),
    ("alt", "link_anchor"),
    ("element", "link_element"),
    ("line", "link_line"),
    ("position", "link_position"),
];

const FILE: &[(&str, &str)] = &[("bytes", "bytes"), ("content_type", "content_type")];

const GOOGLE: &str = "https://developers.google.com/search/docs/appearance/google-images";
const ALT: &str = "https://www.w3.org/WAI/tutorials/images/";

const BASE: Audit = Audit {
    family: Family::Images,
    severity: Severity::Opportunity,
    priority: Priority::Low,
    scope: Scope::Link,
    evidence: IMAGE,
    references: &[GOOGLE, ALT],
    ..PLAIN
};

/// The img elements themselves, each once: images of style sheets, of SVG and of source elements have no alt, and the paths of
/// further candidates name `srcset`.
const IMG: &str = "kind = 'image' AND (element = 'img' OR element LIKE '%>img')";

/// Not an image within the address itself (`data:`), which most often holds the place of one that a script loads.
const FILE_TO_LOAD: &str = "url IS NOT NULL";

const HEAVY: Threshold = Threshold {
    name: "image_bytes_most",
    label: "Heaviest image",
    help: "Images with more bytes are reported.",
    unit: Unit::Bytes,
    min: 1,
    max: 1_000_000_000,
    default: 102_400,
};

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "image-broken",
        title: "Broken image",
        severity: Severity::Issue,
        priority: Priority::High,
        rule: Rule::Link(
            LinkRule::shaped("kind = 'image'")
                .to("(internal AND (broken OR (redirect_id IS NOT NULL AND NOT loop AND final_broken)))
                 OR (NOT internal AND (status IN (404, 410) OR (failed AND reason = 'dns')))"),
        ),
        evidence: LINK,
        why: "Visitors see an empty frame, or the alt text, where the image should be.",
        fix: "Correct the address, put the file back, or remove the image.",
        references: &[GOOGLE],
        case: Case::new(
            &[page(
                "/",
                "<img src=\"/gone.png\" alt=\"a\" width=\"1\" height=\"1\"> <img src=\"{other}/gone.png\" alt=\"b\" width=\"1\" height=\"1\">",
            )],
            &[("/", 2)],
            &[
                page(
                    "/",
                    "<img src=\"/a.png\" alt=\"a\" width=\"1\" height=\"1\"> <img src=\"{other}/no.png\" alt=\"b\" width=\"1\" height=\"1\"> <a href=\"/gone.png\">c</a>",
                ),
                answer("/a.png", 200).headed(&[("Content-Type", "image/png")]).holding(Body::Filler(10)),
                answer("other:/no.png", 403),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "image-alt-missing",
        title: "Image without alt attribute",
        severity: Severity::Issue,
        rule: Rule::AnyLink(&[
            LinkRule::shaped(IMG).to(FILE_TO_LOAD).with_text(|text, _| text.is_none()),
            LinkRule::shaped("kind = 'area'").with_text(|text, _| text.is_none()),
            LinkRule::shaped("kind = 'image' AND (element = 'input' OR element LIKE '%>input')")
                .to(FILE_TO_LOAD)
                .with_text(|text, _| text.is_none()),
        ]),
        why: "People who do not see the image learn nothing of it, and screen readers may read the file name aloud.",
        fix: "Describe what the image shows or does; give purely decorative images an empty alt.",
        references: &[ALT, GOOGLE],
        case: Case::new(
            &[page(
                "/",
                "<img src=\"/a.png\" srcset=\"/c.png 2x, /d.png 3x\" width=\"1\" height=\"1\"> <img srcset=\"/c.png 2x, /d.png 3x\" width=\"1\" height=\"1\"> <form action=\"/\"><input type=\"image\" src=\"/b.png\"></form>",
            )],
            &[("/", 3)],
            &[headed_page(
                "/",
                "<style>body { background: url(/c.png) }</style>",
                "<img src=\"/a.png\" alt=\"\" width=\"1\" height=\"1\"> <picture><source srcset=\"/b.png\"><img src=\"/a.png\" alt=\"A\" width=\"1\" height=\"1\"></picture> <img src=\"data:image/gif;base64,R0lGODlhAQABAAAAACw=\">",
            )],
        ),
        ..BASE
    },
    Audit {
        id: "image-alt-long",
        title: "Alt text too long",
        rule: Rule::Link(LinkRule::shaped(IMG).with_text(|text, limits| {
            text.is_some_and(|text| characters(text) as f64 > limits.get("alt_max"))
        })),
        thresholds: &[Threshold {
            name: "alt_max",
            label: "Longest alt text",
            help: "Alt texts with more characters are reported.",
            unit: Unit::Characters,
            min: 1,
            max: 100_000,
            default: 100,
        }],
        why: "Screen readers read an alt text in one go, without a way to pause or go back.",
        fix: "Say in a few words what matters, and put longer descriptions into the text.",
        references: &[ALT],
        case: Case::new(
            &[page(
                "/",
                "<img src=\"/a.png\" width=\"1\" height=\"1\" alt=\"A long story about a picture that shows a house and a garden and a dog that sleeps in the shade of a tree\">",
            )],
            &[("/", 1)],
            &[page("/", "<img src=\"/a.png\" width=\"1\" height=\"1\" alt=\"A dog in the shade\">")],
        ),
        ..BASE
    },
    Audit {
        id: "image-alt-filename",
        title: "Alt text is a file name",
        rule: Rule::Link(LinkRule::shaped(IMG).with_text(|text, _| text.is_some_and(text::is_file_name))),
        why: "A file name describes nothing; most often the editor put it in by itself.",
        fix: "Describe what the image shows or does.",
        references: &[ALT],
        case: Case::new(
            &[page("/", "<img src=\"/a.png\" alt=\"IMG_1234.JPG\" width=\"1\" height=\"1\">")],
            &[("/", 1)],
            &[page(
                "/",
                "<img src=\"/a.png\" alt=\"The file logo.png in a folder\" width=\"1\" height=\"1\"> <img src=\"/a.png\" alt=\"Logo\" width=\"1\" height=\"1\">",
            )],
        ),
        ..BASE
    },
    Audit {
        id: "image-heavy",
        title: "Heavy image",
        priority: Priority::Medium,
        scope: Scope::Internal,
        rule: Rule::Row(
            Needs::Itself,
            "status BETWEEN 200 AND 299 AND media_type LIKE 'image/%' AND bytes > {image_bytes_most}",
        ),
        thresholds: &[HEAVY],
        evidence: FILE,
        why: "Images are most of what a page weighs; on a slow connection this one takes seconds.",
        fix: "Scale the image to the size at which it is shown, compress it, or use AVIF or WebP.",
        references: &["https://web.dev/articles/fast#optimize_your_images"],
        case: Case::new(
            &[
                page("/", "<img src=\"/a.webp\" alt=\"a\" width=\"1\" height=\"1\">"),
                answer("/a.webp", 200)
                    .headed(&[("Content-Type", "image/webp")])
                    .holding(Body::Filler(102_401)),
            ],
            &[("/a.webp", 1)],
            &[
                page(
                    "/",
                    "<img src=\"/a.webp\" alt=\"a\" width=\"1\" height=\"1\"> <a href=\"/b.pdf\">b</a>",
                ),
                answer("/a.webp", 200)
                    .headed(&[("Content-Type", "image/webp")])
                    .holding(Body::Filler(102_400)),
                answer("/b.pdf", 200)
                    .headed(&[("Content-Type", "application/pdf")])
                    .holding(Body::Filler(200_000)),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "image-legacy-format",
        title: "Heavy image in an old format",
        scope: Scope::Internal,
        rule: Rule::Row(
            Needs::Itself,
            "status BETWEEN 200 AND 299 AND media_type IN ('image/jpeg', 'image/jpg', 'image/png', 'image/gif') AND bytes > {image_bytes_most}",
        ),
        thresholds: &[HEAVY],
        evidence: FILE,
        why: "AVIF and WebP show the same picture in a third to two thirds of the bytes, and every browser in use reads WebP.",
        fix: "Serve AVIF or WebP, by a picture element or by the Accept header.",
        references: &["https://web.dev/articles/serve-images-webp"],
        case: Case::new(
            &[
                page("/", "<img src=\"/a.png\" alt=\"a\" width=\"1\" height=\"1\">"),
                answer("/a.png", 200).headed(&[("Content-Type", "image/png")]).holding(Body::Filler(150_000)),
            ],
            &[("/a.png", 1)],
            &[
                page(
                    "/",
                    "<img src=\"/a.webp\" alt=\"a\" width=\"1\" height=\"1\"> <img src=\"/b.png\" alt=\"b\" width=\"1\" height=\"1\">",
                ),
                answer("/a.webp", 200)
                    .headed(&[("Content-Type", "image/webp")])
                    .holding(Body::Filler(150_000)),
                answer("/b.png", 200).headed(&[("Content-Type", "image/png")]).holding(Body::Filler(1_000)),
            ],
        ),
        ..BASE
    },
    Audit {
        id: "image-size-missing",
        title: "Image without width and height",
        rule: Rule::Link(LinkRule::shaped(IMG).to(FILE_TO_LOAD).of_unsized_image()),
        why: "The browser does not know how much room to keep, so the text jumps when the image arrives.",
        fix: "Write width and height attributes with the image's own proportions; style sheets may still scale it.",
        references: &["https://web.dev/articles/optimize-cls#images_without_dimensions"],
        case: Case::new(
            &[page(
                "/",
                "<img src=\"/a.png\" alt=\"a\"> <img src=\"/a.png\" alt=\"b\" width=\"10\" srcset=\"/b.png 2x, /c.png 3x\"> <img src=\"/a.png\" alt=\"c\" width=\"1\" height=\"1\">",
            )],
            &[("/", 2)],
            &[page(
                "/",
                "<img src=\"/a.png\" alt=\"c\" width=\"1\" height=\"1\"> <img src=\"data:image/gif;base64,R0lGODlhAQABAAAAACw=\" alt=\"d\">",
            )],
        ),
        ..BASE
    },
    Audit {
        id: "image-alt-empty-in-link",
        title: "Image without text is all that a link has",
        severity: Severity::Warning,
        scope: Scope::Content,
        rule: Rule::Flaw(FlawKind::ImageAltEmptyInLink),
        evidence: FLAW,
        why: "An empty alt says that the image tells nothing, but here it is the whole link: nobody who does not see it learns where it leads.",
        fix: "Say in the alt text where the link leads, or write a text beside the image.",
        references: &["https://www.w3.org/WAI/tutorials/images/functional/", GOOGLE],
        case: Case::new(
            &[page("/", "<a href=\"/\"><img src=\"/a.png\" alt=\"\" width=\"1\" height=\"1\"></a>")],
            &[("/", 1)],
            &[page(
                "/",
                "<a href=\"/\"><img src=\"/a.png\" alt=\"\" width=\"1\" height=\"1\"> Start</a> <a href=\"/\" aria-label=\"Start\"><img src=\"/a.png\" alt=\"\"></a> <a href=\"/\"><img src=\"/a.png\" alt=\"\"><img src=\"/a.png\" alt=\"Start\"></a>\
                 <a href=\"/\" title=\"Start\"><img src=\"/a.png\" alt=\"\"></a> <img src=\"/a.png\" alt=\"\"> <a href=\"/\"><img src=\"/a.png\"></a>",
            )],
        ),
        ..BASE
    },
    Audit {
        id: "srcset-invalid",
        title: "Srcset that cannot be read",
        severity: Severity::Warning,
        scope: Scope::Content,
        rule: Rule::Flaw(FlawKind::SrcsetInvalid),
        evidence: FLAW,
        why: "Browsers leave out the candidates that they cannot read, or the whole attribute, and load an image of the wrong size.",
        fix: "Write each candidate as an address and one descriptor (300w or 2x), separated by commas; encode blanks and commas at the ends of addresses.",
        references: &["https://html.spec.whatwg.org/multipage/images.html#parsing-a-srcset-attribute"],
        case: Case::new(
            &[page(
                "/",
                "<img src=\"/a.png\" srcset=\"/a.png 300px, /b.png 600px\" alt=\"a\"> <picture><source srcset=\"/a.webp 1x 2x\"><img src=\"/a.png\" alt=\"b\"></picture>",
            )],
            &[("/", 2)],
            &[page(
                "/",
                "<img src=\"/a.png\" srcset=\"/a.png 300w, /b.png 600w\" sizes=\"100vw\" alt=\"a\"> <img src=\"/a.png\" srcset=\"/a.png, /b.png 1.5x\" alt=\"b\"> <img src=\"/a.png\" srcset=\"/a,b.png 2x\" alt=\"c\"> <img src=\"/a.png\" srcset=\"\" alt=\"d\">",
            )],
        ),
        ..BASE
    },
    Audit {
        id: "picture-without-img",
        title: "Picture element without img",
        severity: Severity::Issue,
        scope: Scope::Content,
        rule: Rule::Flaw(FlawKind::PictureWithoutImg),
        evidence: FLAW,
        why: "Without an img inside, a picture element shows nothing: its sources only tell the img what to load.",
        fix: "Add an img with src and alt as the last child of the picture element.",
        references: &["https://html.spec.whatwg.org/multipage/embedded-content.html#the-picture-element", GOOGLE],
        case: Case::new(
            &[page("/", "<picture><source srcset=\"/a.webp\"></picture><img src=\"/a.png\" alt=\"a\">")],
            &[("/", 1)],
            &[page(
                "/",
                "<picture><source srcset=\"/a.webp\"><img src=\"/a.png\" alt=\"a\"></picture><template><picture></picture></template><!-- <picture></picture> -->",
            )],
        ),
        ..BASE
    },
    Audit {
        id: "first-image-lazy",
        title: "First image is loaded late",
        severity: Severity::Warning,
        scope: Scope::Content,
        rule: Rule::Flaw(FlawKind::FirstImageLazy),
        evidence: FLAW,
        why: "With loading=lazy the browser waits until it knows the layout before it asks for the image. The one at the top, often the largest thing on the screen, comes later than it could.",
        fix: "Leave loading out for images at the top, and keep it for those further down.",
        references: &["https://web.dev/articles/lcp-lazy-loading", "https://web.dev/articles/browser-level-image-lazy-loading"],
        case: Case::new(
            &[page("/", "<img src=\"/a.png\" alt=\"a\" loading=\"LAZY\"><img src=\"/b.png\" alt=\"b\" loading=\"lazy\">")],
            &[("/", 1)],
            &[page(
                "/",
                "<noscript><img src=\"/n.png\" alt=\"n\" loading=\"lazy\"></noscript><img src=\"/dot.gif\" width=\"1\" height=\"1\" alt=\"\" loading=\"lazy\"><nav><img src=\"/m.png\" alt=\"m\" loading=\"lazy\"></nav>\
                 <img src=\"/a.png\" alt=\"a\"><img src=\"/b.png\" alt=\"b\" loading=\"lazy\"><footer><img src=\"/c.png\" alt=\"c\" loading=\"lazy\"></footer>",
            )],
        ),
        ..BASE
    },
    Audit {
        id: "image-type-wrong",
        title: "Image that is no image",
        severity: Severity::Warning,
        rule: Rule::Link(LinkRule::shaped("kind = 'image'").to(
            "internal AND fetched AND status BETWEEN 200 AND 299 AND media_type <> '' AND media_type NOT LIKE 'image/%'",
        )),
        evidence: &[
            ("image", "link_target"),
            ("type", "link_content_type"),
            ("alt", "link_anchor"),
            ("element", "link_element"),
            ("line", "link_line"),
        ],
        why: "The server answers with another type: a page that says that the file is gone, or a file whose type it does not know. Browsers show nothing, or have to guess.",
        fix: "Correct the address, answer 404 for what is not there, and give the file its type (image/webp, image/svg+xml).",
        references: &["https://www.rfc-editor.org/rfc/rfc9110#name-content-type", GOOGLE],
        case: Case::new(
            &[
                page("/", "<img src=\"/gone.png\" alt=\"a\"> <img src=\"/b.webp\" alt=\"b\">"),
                page("/gone.png", ""),
                answer("/b.webp", 200).headed(&[("Content-Type", "application/octet-stream")]).holding(Body::Filler(10)),
            ],
            &[("/", 2)],
            &[
                page(
                    "/",
                    "<img src=\"/a.png\" alt=\"a\"> <img src=\"/b.svg\" alt=\"b\"> <img src=\"/gone.png\" alt=\"c\"> <img src=\"{other}/d.png\" alt=\"d\"> <a href=\"/e.txt\">e</a> <img src=\"/f.png\" alt=\"f\">",
                ),
                answer("/a.png", 200).headed(&[("Content-Type", "IMAGE/JPEG; x=y")]).holding(Body::Filler(10)),
                answer("/b.svg", 200).headed(&[("Content-Type", "image/svg+xml")]).holding(Body::Filler(10)),
                answer("/gone.png", 404).headed(&[("Content-Type", "text/html")]),
                answer("other:/d.png", 200).headed(&[("Content-Type", "text/html")]),
                answer("/e.txt", 200).headed(&[("Content-Type", "text/plain")]).holding(Body::Filler(10)),
                answer("/f.png", 200).holding(Body::Filler(10)),
            ],
        ),
        ..BASE
    },
];
