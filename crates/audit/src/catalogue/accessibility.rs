//! Family HTML, mobile, performance, accessibility: what shuts people out who hear a page, or use it by keyboard.
//!
//! Read from the source, as far as it tells: what a script adds is not seen, and where it may matter (custom elements, parts
//! that are closed) nothing is said.

use super::{FLAW, PLAIN};
use crate::audit::{Audit, Family, Needs, Priority, Rule, Scope, Severity};
use crate::cases::{Case, html, page};
use model::FlawKind;

const NAMES: &str = "https://www.w3.org/TR/accname-1.2/";
const LANDMARKS: &str = "https://www.w3.org/WAI/ARIA/apg/practices/landmark-regions/";

const BASE: Audit = Audit {
    family: Family::Html,
    severity: Severity::Warning,
    priority: Priority::Medium,
    scope: Scope::Content,
    evidence: FLAW,
    ..PLAIN
};

const HIGH: Audit = Audit { priority: Priority::High, ..BASE };
const LOW: Audit = Audit { priority: Priority::Low, ..BASE };

pub(super) const AUDITS: &[Audit] = &[
    Audit {
        id: "link-name-missing",
        title: "Link without a name",
        rule: Rule::Flaw(FlawKind::LinkNameMissing),
        why: "Screen readers say “link” and nothing else, or spell the address. Search engines learn nothing of the target.",
        fix: "Write a text into the link, an alt text at its image, a title in its drawing, or an aria-label.",
        references: &[NAMES, "https://dequeuniversity.com/rules/axe/4.10/link-name"],
        case: Case::new(
            &[page(
                "/",
                "<a href=\"/\"></a> <a href=\"/\"><i class=\"icon\"></i></a> <a href=\"/\"><svg><path d=\"M0 0\"/></svg></a> <a href=\"/\"><img src=\"/a.png\" alt=\"\"></a> <a href=\"/\"><span aria-hidden=\"true\">x</span></a>",
            )],
            &[("/", 5)],
            &[page(
                "/",
                "<a href=\"/\"><i class=\"icon\" aria-label=\"Home\"></i></a> <a href=\"/\" aria-label=\"Home\"></a> <a href=\"/\" title=\"Home\"></a> <a href=\"/\"><img src=\"/a.png\" alt=\"Home\"></a>\
                 <a href=\"/\"><svg><title>Home</title></svg></a> <a href=\"/\" aria-labelledby=\"name\"></a> <b id=\"name\">Home</b> <a href=\"/\"><my-icon></my-icon></a>\
                 <a href=\"/\" aria-hidden=\"true\"></a> <a id=\"place\"></a> <template><a href=\"/\"></a></template>",
            )],
        ),
        ..HIGH
    },
    Audit {
        id: "button-name-missing",
        title: "Button without a name",
        rule: Rule::Flaw(FlawKind::ButtonNameMissing),
        why: "Screen readers say “button” and nothing else: nobody knows what it does.",
        fix: "Write a text into the button, or give it an aria-label; give input buttons a value.",
        references: &[NAMES, "https://dequeuniversity.com/rules/axe/4.10/button-name"],
        case: Case::new(
            &[page(
                "/",
                "<button></button><button><svg></svg></button><input type=\"button\"><input type=\"submit\" value=\"\"><span role=\"button\" tabindex=\"0\"></span>",
            )],
            &[("/", 5)],
            &[page(
                "/",
                "<button>Go</button><button aria-label=\"Go\"></button><button><img src=\"/a.png\" alt=\"Go\"></button><input type=\"submit\"><input type=\"reset\"><input type=\"button\" value=\"Go\">\
                 <button hidden></button><button><my-icon></my-icon></button><label>Go <button></button></label>",
            )],
        ),
        ..HIGH
    },
    Audit {
        id: "field-label-missing",
        title: "Form field without a label",
        rule: Rule::Flaw(FlawKind::FieldLabelMissing),
        why: "Whoever does not see the form is not told what to enter, and a click on the text beside the field does nothing.",
        fix: "Put a label around the field, or one whose for names the field's id; where there is no room, an aria-label.",
        references: &[
            "https://www.w3.org/WAI/tutorials/forms/labels/",
            "https://dequeuniversity.com/rules/axe/4.10/label",
        ],
        case: Case::new(
            &[page(
                "/",
                "<form><input name=\"q\"> Search<select><option>a</option></select><textarea></textarea><label for=\"other\">x</label><input id=\"own\"><label for=\"empty\"></label><input id=\"empty\"></form>",
            )],
            &[("/", 5)],
            &[page(
                "/",
                "<form><label>a <input></label><input id=\"b\"><label for=\"b\">b</label><input aria-label=\"c\"><input title=\"d\"><input placeholder=\"e\"><input aria-labelledby=\"f\"><b id=\"f\">f</b>\
                 <input type=\"hidden\"><input type=\"submit\"><input type=\"image\" src=\"/a.png\" alt=\"go\"><input type=\"button\" value=\"x\"><p hidden><input></p><label>g <select></select></label></form>",
            )],
        ),
        ..HIGH
    },
    Audit {
        id: "frame-title-missing",
        title: "Frame without a title",
        rule: Rule::Flaw(FlawKind::FrameTitleMissing),
        why: "Screen readers tell of a frame by its title. Without one people have to go in to find out what it is.",
        fix: "Give the frame a title that says what it shows; hide frames that show nothing with aria-hidden or display: none.",
        references: &[
            "https://www.w3.org/WAI/WCAG22/Techniques/html/H64",
            "https://dequeuniversity.com/rules/axe/4.10/frame-title",
        ],
        case: Case::new(
            &[page("/", "<iframe src=\"/\"></iframe><iframe src=\"/\" title=\" \"></iframe>")],
            &[("/", 2)],
            &[page(
                "/",
                "<iframe src=\"/\" title=\"Start\"></iframe><iframe src=\"/\" aria-label=\"Start\"></iframe><iframe src=\"/\" style=\"display: none\"></iframe><iframe src=\"/\" tabindex=\"-1\"></iframe>\
                 <noscript><iframe src=\"/\"></iframe></noscript><iframe src=\"/\" role=\"presentation\"></iframe>",
            )],
        ),
        ..BASE
    },
    Audit {
        id: "tabindex-positive",
        title: "Tabindex above zero",
        rule: Rule::Flaw(FlawKind::TabindexPositive),
        why: "The element comes before all others when people go through the page by keyboard, wherever it stands. The order jumps.",
        fix: "Use tabindex=\"0\", or none, and put elements into the order in which they are to be reached.",
        references: &[
            "https://dequeuniversity.com/rules/axe/4.10/tabindex",
            "https://html.spec.whatwg.org/multipage/interaction.html#the-tabindex-attribute",
        ],
        case: Case::new(
            &[page("/", "<button tabindex=\"1\">a</button> <a href=\"/\" tabindex=\"20\">b</a>")],
            &[("/", 2)],
            &[page(
                "/",
                "<button tabindex=\"0\">a</button> <a href=\"/\" tabindex=\"-1\">b</a> <p tabindex=\"x\">c</p> <p tabindex=\"3\" hidden>d</p>",
            )],
        ),
        ..BASE
    },
    Audit {
        id: "aria-invalid",
        title: "ARIA that does not exist",
        rule: Rule::Flaw(FlawKind::AriaInvalid),
        why: "Assistive technologies pass over attributes, values and roles that they do not know, so what was meant is not told.",
        fix: "Correct the name or the value; WAI-ARIA lists both.",
        references: &[
            "https://www.w3.org/TR/wai-aria-1.2/",
            "https://dequeuniversity.com/rules/axe/4.10/aria-valid-attr-value",
        ],
        case: Case::new(
            &[page(
                "/",
                "<p aria-lable=\"x\">a</p><p role=\"botton\">b</p><p aria-expanded=\"yes\">c</p><p aria-level=\"two\" role=\"heading\">d</p>",
            )],
            &[("/", 4)],
            &[page(
                "/",
                "<p aria-expanded=\"\">a</p><p role=\"doc-note note\">b</p><p role=\"\">c</p><p aria-current=\"here\">d</p><p aria-checked=\"MIXED\" role=\"checkbox\">e</p><p aria-rowcount=\"-1\">f</p><p aria-description=\"x\">g</p><p role=\"graphics-symbol img\">h</p>",
            )],
        ),
        ..BASE
    },
    Audit {
        id: "aria-reference-broken",
        title: "ARIA names an id that does not exist",
        rule: Rule::Flaw(FlawKind::AriaReferenceBroken),
        why: "The name, the description or the part that the attribute promises is missing for those who depend on it.",
        fix: "Correct the id, or add the element. What a script adds only when something opens is no fault as long as aria-expanded says false.",
        references: &[
            "https://www.w3.org/TR/wai-aria-1.2/#valuetype_idref",
            "https://dequeuniversity.com/rules/axe/4.10/aria-valid-attr-value",
        ],
        case: Case::new(
            &[page(
                "/",
                "<p aria-describedby=\"gone\">a</p><p aria-labelledby=\"here gone\">b</p><b id=\"here\">c</b><button aria-controls=\"gone\">d</button>",
            )],
            &[("/", 3)],
            &[page(
                "/",
                "<p aria-describedby=\"later\">a</p><b id=\"later\">b</b><button aria-controls=\"menu\" aria-expanded=\"false\">c</button><button aria-controls=\"menu\" aria-haspopup=\"menu\">d</button><input aria-label=\"e\" aria-errormessage=\"gone\"><p aria-owns=\"\">f</p>",
            )],
        ),
        ..BASE
    },
    Audit {
        id: "aria-hidden-body",
        title: "Whole page hidden from assistive technologies",
        rule: Rule::Flaw(FlawKind::AriaHiddenBody),
        why: "aria-hidden on body takes the page away from everybody who uses a screen reader.",
        fix: "Remove the attribute. To keep people in a dialog, hide what stands beside it, or use the dialog element.",
        references: &["https://dequeuniversity.com/rules/axe/4.10/aria-hidden-body"],
        case: Case::new(
            &[html(
                "/",
                "<!doctype html><html lang=\"en\"><head><title>x</title></head><body aria-hidden=\"true\"><p>Text</p></body></html>",
            )],
            &[("/", 1)],
            &[html(
                "/",
                "<!doctype html><html lang=\"en\"><head><title>x</title></head><body aria-hidden=\"false\"><p aria-hidden=\"true\">Text</p></body></html>",
            )],
        ),
        ..HIGH
    },
    Audit {
        id: "main-landmark-missing",
        title: "No main landmark",
        rule: Rule::Row(Needs::Itself, "main_missing"),
        evidence: &[("title", "title"), ("h1", "h1")],
        why: "People who use a screen reader cannot jump to the content, and hear the menu again on every page.",
        fix: "Put the content of the page, without header, menu and footer, into a main element.",
        references: &[LANDMARKS, "https://dequeuniversity.com/rules/axe/4.10/landmark-one-main"],
        case: Case::new(
            &[html(
                "/",
                "<!doctype html><html lang=\"en\"><head><title>x</title></head><body><div id=\"main\"><p>Text</p></div></body></html>",
            )],
            &[("/", 1)],
            &[
                page("/", "<a href=\"/role\">x</a> <a href=\"/frames\">y</a>"),
                html(
                    "/role",
                    "<!doctype html><html lang=\"en\"><head><title>x</title></head><body><div role=\"main\"><p>Text</p></div></body></html>",
                ),
                html(
                    "/frames",
                    "<!doctype html><html lang=\"en\"><head><title>x</title></head><frameset><frame title=\"x\" src=\"/role\"></frameset></html>",
                ),
            ],
        ),
        ..LOW
    },
    Audit {
        id: "table-headers-missing",
        title: "Table of data without headers",
        rule: Rule::Flaw(FlawKind::TableHeadersMissing),
        why: "Screen readers say the header of each cell. Without one a cell is a number without meaning.",
        fix: "Make the cells that name rows or columns th elements. Give a table that only arranges things role=\"presentation\".",
        references: &[
            "https://www.w3.org/WAI/tutorials/tables/",
            "https://dequeuniversity.com/rules/axe/4.10/td-has-header",
        ],
        case: Case::new(
            &[page(
                "/",
                "<table><caption>Prices</caption><tr><td>a</td><td>1</td></tr><tr><td>b</td><td>2</td></tr></table>\
                 <table><tr><td>1</td><td>2</td><td>3</td><td>4</td><td>5</td></tr><tr><td>1</td><td>2</td><td>3</td><td>4</td><td>5</td></tr><tr><td>1</td><td>2</td><td>3</td><td>4</td><td>5</td></tr></table>",
            )],
            &[("/", 2)],
            &[page(
                "/",
                "<table><caption>Prices</caption><tr><th>a</th><td>1</td></tr><tr><td>b</td><td>2</td></tr></table>\
                 <table><caption>Prices</caption><tr><td scope=\"row\">a</td><td>1</td></tr><tr><td>b</td><td>2</td></tr></table>\
                 <table role=\"presentation\"><caption>x</caption><tr><td>a</td><td>1</td></tr><tr><td>b</td><td>2</td></tr></table>\
                 <table><tr><td>a</td><td>1</td></tr><tr><td>b</td><td>2</td></tr></table>\
                 <table><caption>x</caption><tr><td><table><tr><td>1</td></tr></table></td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>",
            )],
        ),
        ..LOW
    },
    Audit {
        id: "list-structure",
        title: "List with the wrong elements",
        rule: Rule::Flaw(FlawKind::ListStructure),
        why: "Screen readers say how many items a list has and where one is. With other elements between, or items without a list, they cannot.",
        fix: "Put nothing but li directly into ul, ol and menu, nothing but dt, dd and div into dl, and each of these into its list.",
        references: &[
            "https://html.spec.whatwg.org/multipage/grouping-content.html#the-ul-element",
            "https://dequeuniversity.com/rules/axe/4.10/list",
        ],
        case: Case::new(
            &[page(
                "/",
                "<ul><div>a</div><li>b</li></ul><div><li>c</li></div><dl><p>d</p><dt>e</dt><dd>f</dd></dl>",
            )],
            &[("/", 3)],
            &[page(
                "/",
                "<ul><li>a</li><script>1</script><template>x</template></ul><dl><div><dt>b</dt><dd>c</dd></div></dl><ul role=\"menu\"><div role=\"menuitem\">d</div></ul>\
                 <div role=\"list\"><div role=\"listitem\">e</div></div><ul><my-item>f</my-item></ul><ol><li><ul><li>g</li></ul></li></ol>",
            )],
        ),
        ..LOW
    },
    Audit {
        id: "accesskey-duplicate",
        title: "Access key used twice",
        rule: Rule::Flaw(FlawKind::AccesskeyDuplicate),
        why: "Browsers go to one of the elements only, or to the next one at each press; nobody knows which.",
        fix: "Give each element a key of its own, or none: many keys are taken by browsers and screen readers already.",
        references: &[
            "https://dequeuniversity.com/rules/axe/4.10/accesskeys",
            "https://html.spec.whatwg.org/multipage/interaction.html#the-accesskey-attribute",
        ],
        case: Case::new(
            &[page(
                "/",
                "<a href=\"/\" accesskey=\"s\">a</a> <button accesskey=\"S\">b</button> <button accesskey=\"s\">c</button>",
            )],
            &[("/", 2)],
            &[page(
                "/",
                "<a href=\"/\" accesskey=\"s\">a</a> <button accesskey=\"t\">b</button> <button accesskey=\"\">c</button> <button accesskey=\"\">d</button>",
            )],
        ),
        ..LOW
    },
    Audit {
        id: "video-captions-missing",
        title: "Video without captions",
        rule: Rule::Flaw(FlawKind::VideoCaptionsMissing),
        why: "Whoever does not hear, or has the sound off, learns nothing of what is said.",
        fix: "Add a track element with kind=\"captions\". Mark films without sound as muted.",
        references: &[
            "https://www.w3.org/WAI/WCAG22/Understanding/captions-prerecorded.html",
            "https://dequeuniversity.com/rules/axe/4.10/video-caption",
        ],
        case: Case::new(
            &[page(
                "/",
                "<video src=\"/v.mp4\" controls></video><video controls><source src=\"/w.mp4\"><track kind=\"metadata\" src=\"/m.vtt\"></video>",
            )],
            &[("/", 2)],
            &[page(
                "/",
                "<video src=\"/v.mp4\" controls><track kind=\"captions\" src=\"/c.vtt\"></video><video src=\"/v.mp4\" controls><track src=\"/s.vtt\"></video><video src=\"/v.mp4\" autoplay muted loop></video>\
                 <video></video><video src=\"/live.m3u8\" controls></video><audio src=\"/a.mp3\" controls></audio>",
            )],
        ),
        ..BASE
    },
    Audit {
        id: "autoplay-sound",
        title: "Sound that starts by itself",
        rule: Rule::Flaw(FlawKind::AutoplaySound),
        why: "The sound drowns what a screen reader says, and nobody finds where to stop it. Browsers keep most of it from starting at all.",
        fix: "Let people start it, or add muted or controls.",
        references: &[
            "https://www.w3.org/WAI/WCAG22/Understanding/audio-control.html",
            "https://dequeuniversity.com/rules/axe/4.10/no-autoplay-audio",
        ],
        case: Case::new(
            &[page(
                "/",
                "<audio src=\"/a.mp3\" autoplay></audio><video autoplay><source src=\"/v.mp4\"><track kind=\"captions\" src=\"/c.vtt\"></video>",
            )],
            &[("/", 2)],
            &[page(
                "/",
                "<audio src=\"/a.mp3\" autoplay controls></audio><video src=\"/v.mp4\" autoplay muted></video><audio src=\"/a.mp3\"></audio><audio autoplay></audio><audio src=\"/a.mp3\" autoplay hidden></audio>",
            )],
        ),
        ..BASE
    },
    Audit {
        id: "area-alt-missing",
        title: "Area of an image map without a name",
        rule: Rule::Flaw(FlawKind::AreaAltMissing),
        why: "The area is a link that nobody can see who does not see the image: only its alt says where it leads.",
        fix: "Give each area with an href an alt text. It may be empty where another area of the same address has one.",
        references: &[
            "https://html.spec.whatwg.org/multipage/image-maps.html#the-area-element",
            "https://dequeuniversity.com/rules/axe/4.10/area-alt",
        ],
        case: Case::new(
            &[page("/", "<map name=\"m\"><area href=\"/\"><area href=\"/?x\" alt=\"\"></map>")],
            &[("/", 2)],
            &[page(
                "/",
                "<map name=\"m\"><area href=\"/\" alt=\"Start\"><area href=\"/\" alt=\"\"><area shape=\"default\"><area href=\"/?x\" aria-label=\"Else\"><area href=\"/?y\" title=\"More\"></map>",
            )],
        ),
        ..BASE
    },
];
