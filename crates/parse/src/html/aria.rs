//! The attributes and roles of WAI-ARIA 1.2, with those that 1.3, Graphics-ARIA and DPUB-ARIA add, and what they may say.

/// What is to be thought of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Fine,
    /// There is no such attribute, or it cannot have this value.
    Wrong,
    /// It names ids, which have to exist.
    Refers,
}

/// What an attribute may say. An empty value says nothing, whatever the attribute.
enum Kind {
    Text,
    Words(&'static [&'static str]),
    /// Several of the words at once.
    WordList(&'static [&'static str]),
    Whole,
    Number,
    Ids,
}

const TRUTH: Kind = Kind::Words(&["true", "false"]);
const TRUTH_OR_NONE: Kind = Kind::Words(&["true", "false", "undefined"]);
const THREE: Kind = Kind::Words(&["true", "false", "mixed", "undefined"]);

/// By the name behind `aria-`.
fn kind(name: &str) -> Option<Kind> {
    Some(match name {
        "hidden" | "expanded" | "grabbed" | "selected" => TRUTH_OR_NONE,
        "atomic" | "busy" | "disabled" | "modal" | "multiline" | "multiselectable" | "readonly"
        | "required" => TRUTH,
        "checked" | "pressed" => THREE,
        "autocomplete" => Kind::Words(&["inline", "list", "both", "none"]),
        "haspopup" => Kind::Words(&["true", "false", "menu", "listbox", "tree", "grid", "dialog"]),
        "invalid" => Kind::Words(&["true", "false", "grammar", "spelling"]),
        "live" => Kind::Words(&["assertive", "off", "polite"]),
        "orientation" => Kind::Words(&["horizontal", "vertical", "undefined"]),
        "sort" => Kind::Words(&["ascending", "descending", "none", "other"]),
        "dropeffect" => Kind::WordList(&["copy", "execute", "link", "move", "none", "popup"]),
        "relevant" => Kind::WordList(&["additions", "all", "removals", "text"]),
        "colcount" | "colindex" | "colspan" | "level" | "posinset" | "rowcount" | "rowindex" | "rowspan"
        | "setsize" => Kind::Whole,
        "valuemax" | "valuemin" | "valuenow" => Kind::Number,
        "activedescendant" | "controls" | "describedby" | "details" | "errormessage" | "flowto"
        | "labelledby" | "owns" => Kind::Ids,
        // Any value of `current` that is no word of the list means true (ARIA 1.2).
        "current"
        | "braillelabel"
        | "brailleroledescription"
        | "colindextext"
        | "description"
        | "keyshortcuts"
        | "label"
        | "placeholder"
        | "roledescription"
        | "rowindextext"
        | "valuetext" => Kind::Text,
        _ => return None,
    })
}

/// Judges `aria-<name>=<value>`.
pub(crate) fn judge(name: &str, value: &str) -> Verdict {
    let Some(kind) = kind(name) else { return Verdict::Wrong };
    let value = value.trim();
    if value.is_empty() {
        return Verdict::Fine;
    }
    let is_word = |words: &[&str], value: &str| words.iter().any(|word| word.eq_ignore_ascii_case(value));
    let is_fine = match kind {
        Kind::Text => true,
        Kind::Ids => return Verdict::Refers,
        Kind::Words(words) => is_word(words, value),
        Kind::WordList(words) => value.split_ascii_whitespace().all(|value| is_word(words, value)),
        Kind::Whole => {
            value.strip_prefix(['-', '+']).unwrap_or(value).bytes().all(|byte| byte.is_ascii_digit())
        }
        Kind::Number => value.parse::<f64>().is_ok_and(f64::is_finite),
    };
    if is_fine { Verdict::Fine } else { Verdict::Wrong }
}

/// Whether a role attribute names a role that an author may use; one known role among several is enough, since browsers take the
/// first that they know. An empty one names none, and is none.
pub(crate) fn is_role(value: &str) -> bool {
    let mut tokens = value.split_ascii_whitespace().peekable();
    tokens.peek().is_none()
        || tokens.any(|token| {
            let token = token.to_ascii_lowercase();
            ROLES.contains(&token.as_str())
                || token.starts_with("doc-") && DOCUMENT_ROLES.contains(&&token[4..])
        })
}

#[rustfmt::skip]
const ROLES: &[&str] = &[
    "alert", "alertdialog", "application", "article", "associationlist", "associationlistitemkey", "associationlistitemvalue",
    "banner", "blockquote", "button", "caption", "cell", "checkbox", "code", "columnheader", "combobox", "comment",
    "complementary", "contentinfo", "definition", "deletion", "dialog", "directory", "document", "emphasis", "feed", "figure",
    "form", "generic", "graphics-document", "graphics-object", "graphics-symbol", "grid", "gridcell", "group", "heading",
    "image", "img", "insertion", "link", "list", "listbox", "listitem", "log", "main", "mark", "marquee", "math", "menu",
    "menubar", "menuitem", "menuitemcheckbox", "menuitemradio", "meter", "navigation", "none", "note", "option", "paragraph",
    "presentation", "progressbar", "radio", "radiogroup", "region", "row", "rowgroup", "rowheader", "scrollbar", "search",
    "searchbox", "sectionfooter", "sectionheader", "separator", "slider", "spinbutton", "status", "strong", "subscript",
    "suggestion", "superscript", "switch", "tab", "table", "tablist", "tabpanel", "term", "text", "textbox", "time", "timer",
    "toolbar", "tooltip", "tree", "treegrid", "treeitem",
];

/// Behind `doc-`.
#[rustfmt::skip]
const DOCUMENT_ROLES: &[&str] = &[
    "abstract", "acknowledgments", "afterword", "appendix", "backlink", "biblioentry", "bibliography", "biblioref", "chapter",
    "colophon", "conclusion", "cover", "credit", "credits", "dedication", "endnote", "endnotes", "epigraph", "epilogue",
    "errata", "example", "footnote", "foreword", "glossary", "glossref", "index", "introduction", "noteref", "notice",
    "pagebreak", "pagefooter", "pageheader", "pagelist", "part", "preface", "prologue", "pullquote", "qna", "subtitle", "tip",
    "toc",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_judged_by_name_and_value() {
        let check = |name: &str, value: &str, expect: Verdict| {
            assert_eq!(judge(name, value), expect, "{name}={value}")
        };
        check("expanded", "true", Verdict::Fine);
        check("expanded", " TRUE ", Verdict::Fine);
        check("expanded", "", Verdict::Fine);
        check("expanded", "undefined", Verdict::Fine);
        check("expanded", "yes", Verdict::Wrong);
        check("checked", "mixed", Verdict::Fine);
        check("selected", "mixed", Verdict::Wrong);
        check("level", "2", Verdict::Fine);
        check("rowcount", "-1", Verdict::Fine);
        check("level", "two", Verdict::Wrong);
        check("valuenow", "0.5", Verdict::Fine);
        check("valuenow", "half", Verdict::Wrong);
        check("relevant", "additions text", Verdict::Fine);
        check("relevant", "additions everything", Verdict::Wrong);
        check("current", "whatever", Verdict::Fine);
        check("labelledby", "a b", Verdict::Refers);
        check("lable", "x", Verdict::Wrong);
        check("description", "x", Verdict::Fine);
    }

    #[test]
    fn roles_are_known_ones() {
        let check = |role: &str, expect: bool| assert_eq!(is_role(role), expect, "{role}");
        check("button", true);
        check(" Button ", true);
        check("", true);
        check("doc-toc", true);
        check("doc-tocs", false);
        check("graphics-document document", true);
        check("nonsense button", true);
        check("botton", false);
        // Abstract roles are for the ontology only.
        check("widget", false);
    }
}
