//! Raw hrefs, stored as what they add to their target.
//!
//! Most hrefs are their target's text, its path, or its path from the page's folder, with or without a fragment. Such a
//! one is a form and, where it has one, its fragment: a site of a million pages would otherwise repeat each address
//! once more as a text. What is odd in any way (white space, nothing before the fragment, `www.` without a scheme) is
//! stored to the letter, so that audits of hrefs find it by its text.

use model::address::origin_of;

/// How `link.href` is to be read: NULL is the target's text, else the two low bits are the form and the rest is the id of a
/// text that follows it (0 for none).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Href<'a> {
    /// The target's text to the letter.
    Target,
    /// This text, whatever the target is.
    Whole(&'a str),
    /// A form of the target, followed by this fragment with its `#`, or nothing.
    Form(Form, &'a str),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Form {
    /// The target without its origin.
    Path = 1,
    /// The target without the folder of the page, which is the page's URL up to its last slash.
    Relative = 2,
    /// The whole target.
    Absolute = 3,
}

pub(crate) const FORM_BITS: u32 = 2;

impl<'a> Href<'a> {
    /// The shortest way to keep a raw href of a page (`source`) whose target this is.
    pub fn of(raw: &'a str, target: &str, source: &str) -> Self {
        // Of URLs that differ only in the case of their escapes the first spelling is stored, so escapes are kept as written.
        if raw.contains('%') {
            return Self::Whole(raw);
        }
        if raw == target {
            return Self::Target;
        }
        let (head, fragment) = raw.split_at(raw.find('#').unwrap_or(raw.len()));
        if head.is_empty() || raw.bytes().any(|byte| byte <= b' ') {
            return Self::Whole(raw);
        }
        if head == target {
            return Self::Form(Form::Absolute, fragment);
        }
        if head == &target[origin_of(target).len()..] {
            return Self::Form(Form::Path, fragment);
        }
        let folder = source.rfind('/').map_or("", |at| &source[..=at]);
        let looks_like_host = head.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www."));
        if target.strip_prefix(folder) == Some(head) && !looks_like_host {
            return Self::Form(Form::Relative, fragment);
        }
        Self::Whole(raw)
    }

    /// A number that tells forms apart, for hashing a list: the same list on another page may need other forms.
    pub const fn code(self) -> u8 {
        match self {
            Self::Target => 4,
            Self::Whole(_) => 0,
            Self::Form(form, _) => form as u8,
        }
    }
}

/// SQL that gives the raw href back. Arguments are aliases: of the link, of its target's `url` row, of the page's `url` row, and of
/// the `string` row with id `link.href >> 2`; all but the page's may be missing.
pub fn raw_href_sql(link: &str, target: &str, source: &str, text: &str) -> String {
    format!(
        "CASE WHEN {link}.href IS NULL THEN {target}.text ELSE CASE {link}.href & 3 WHEN 0 THEN '' \
         WHEN 1 THEN substr({target}.text, length((SELECT origin FROM host WHERE id = {target}.host)) + 1) \
         WHEN 2 THEN substr({target}.text, length(rtrim({source}.text, replace({source}.text, '/', ''))) + 1) \
         ELSE {target}.text END || coalesce({text}.value, '') END"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hrefs_are_forms_of_their_targets_where_they_can_be() {
        let check = |raw: &str, target: &str, expect: Href| {
            assert_eq!(Href::of(raw, target, "http://h.test:8080/a/b/page.html?x=1"), expect, "{raw}");
        };
        let at = "http://h.test:8080/a/b/c.html";
        check(at, at, Href::Target);
        check("/a/b/c.html", at, Href::Form(Form::Path, ""));
        check("/a/b/c.html#top", at, Href::Form(Form::Path, "#top"));
        check("c.html", at, Href::Form(Form::Relative, ""));
        check("c.html#a#b", at, Href::Form(Form::Relative, "#a#b"));
        check("http://h.test:8080/a/b/c.html#x", at, Href::Form(Form::Absolute, "#x"));
        check("//h.test:8080/a/b/c.html", at, Href::Whole("//h.test:8080/a/b/c.html"));
        check("../b/c.html", at, Href::Whole("../b/c.html"));
        check(" c.html", at, Href::Whole(" c.html"));
        check("c.html#a b", at, Href::Whole("c.html#a b"));
        check("", "http://h.test:8080/a/b/", Href::Whole(""));
        check("#x", "http://h.test:8080/a/b/page.html?x=1", Href::Whole("#x"));
        check("www.other.test", "http://h.test:8080/a/b/www.other.test", Href::Whole("www.other.test"));
        check("/%c3%a9", "http://h.test:8080/%C3%A9", Href::Whole("/%c3%a9"));
        check("/é", "http://h.test:8080/%C3%A9", Href::Whole("/é"));
    }
}
