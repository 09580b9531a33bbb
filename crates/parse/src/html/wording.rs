//! Wordings that nobody wants to publish: filler text, characters read in the wrong encoding, placeholders, an old copyright.
//!
//! The visible text of the page is searched once for each wording, at the speed of memory. Only where it is found, which is
//! hardly ever, are the text nodes gone through, to say where, and to leave out programs and examples of them.

use super::arena::{Element, Kind, NONE, Node, NodeId};
use super::tags::{self, BLOCK, NO_TEXT};
use super::text::collapse;
use super::walk::Walk;
use html5ever::local_name;
use memchr::memmem::Finder;
use model::FlawKind;
use std::sync::LazyLock;

/// Text nodes looked at for one wording, however many have it in a place where it does not count.
const MAX_LOOKED_AT: usize = 2_000;
/// Bytes at the end of the visible text where a copyright notice is looked for.
const NOTICE: usize = 600;
/// Nodes of one block looked at for other text; a block of more says something besides one word.
const MAX_IN_BLOCK: usize = 500;
/// Characters on either side of what is shown.
const AROUND: usize = 40;

/// A wording: how it is found quickly, and where it really begins in a text node.
struct Wording {
    kind: FlawKind,
    finder: Finder<'static>,
    ascii: bool,
    /// It begins with an ampersand, which most texts lack.
    escape: bool,
    /// A word of the language as well: it counts only where its block says nothing else.
    alone: bool,
    place: fn(&str) -> Option<usize>,
}

static WORDINGS: LazyLock<Vec<Wording>> = LazyLock::new(|| {
    let wording = |kind, needle: &'static str, place| Wording {
        kind,
        finder: Finder::new(needle),
        ascii: needle.is_ascii(),
        escape: needle.starts_with('&'),
        alone: needle == "undefined",
        place,
    };
    vec![
        wording(FlawKind::LoremIpsum, "orem ipsum", lorem_ipsum),
        wording(FlawKind::LoremIpsum, "OREM IPSUM", lorem_ipsum),
        wording(FlawKind::TemplatePlaceholder, "{{", braces),
        wording(FlawKind::TemplatePlaceholder, "[object Object]", |text| text.find("[object Object]")),
        wording(FlawKind::TemplatePlaceholder, "undefined", |text| (text.trim() == "undefined").then_some(0)),
        wording(FlawKind::Mojibake, "&nbsp;", |text| text.find("&nbsp;")),
        wording(FlawKind::Mojibake, "&amp;", |text| text.find("&amp;")),
        wording(FlawKind::Mojibake, "&quot;", |text| text.find("&quot;")),
        wording(FlawKind::Mojibake, "&#", escaped_number),
        wording(FlawKind::Mojibake, "Ã", misread),
        wording(FlawKind::Mojibake, "Â", misread),
        wording(FlawKind::Mojibake, "â€", misread),
        wording(FlawKind::Mojibake, "ðŸ", misread),
        wording(FlawKind::ReplacementCharacters, "\u{FFFD}", lost),
    ]
});

/// What a copyright notice begins with, and in how many bytes its year follows. The word alone is no notice: there a year has
/// to follow at once.
static MARKS: LazyLock<[(Finder<'static>, usize); 3]> = LazyLock::new(|| {
    [("©", 50), ("(c)", 50), ("copyright", 8)].map(|(mark, reach)| (Finder::new(mark), reach))
});

/// The words where they are the text itself. In quotation marks, or in the middle of a sentence about them, they are only named.
fn lorem_ipsum(text: &str) -> Option<usize> {
    const WORDS: &str = "lorem ipsum";
    let lower = text.to_ascii_lowercase();
    lower.match_indices(WORDS).map(|(at, _)| at).find(|at| {
        let before = text[..*at].trim_end().chars().next_back();
        let after = &lower[at + WORDS.len()..];
        let begins = before.is_none_or(|c| matches!(c, '.' | '!' | '?' | ':' | '|' | '–' | '—'));
        let goes_on = after.trim_start().starts_with("dolor");
        let is_quoted = before
            .is_some_and(|c| matches!(c, '"' | '\'' | '“' | '”' | '„' | '‘' | '’' | '«' | '»' | '‹' | '›'));
        !is_quoted && (begins || goes_on)
    })
}

/// `{{ name }}`: something that a template engine would have filled in, on one line.
fn braces(text: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text[from..].find("{{") {
        let start = from + at;
        let inside = text[start + 2..].trim_start_matches('{');
        if let Some(end) = inside.find("}}")
            && end <= 200
            && !inside[..end].contains('{')
            && inside[..end].trim().starts_with(|c: char| {
                c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '#' | '/' | '>' | '&' | '!' | '^')
            })
        {
            return Some(start);
        }
        from = start + 2;
    }
    None
}

/// `&#39;` or `&#x27;`, written out.
fn escaped_number(text: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text[from..].find("&#") {
        let start = from + at;
        let rest = &text[start + 2..];
        let end = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let digits = &rest[..end];
        let is_number = match digits.strip_prefix(['x', 'X']) {
            Some(hex) => !hex.is_empty() && hex.bytes().all(|byte| byte.is_ascii_hexdigit()),
            None => !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()),
        };
        if is_number && rest[end..].starts_with(';') {
            return Some(start);
        }
        from = start + 2;
    }
    None
}

/// Pairs of characters that UTF-8 becomes when it is read as Windows-1252, and that no language writes.
fn misread(text: &str) -> Option<usize> {
    let mut characters = text.char_indices().peekable();
    while let Some((at, first)) = characters.next() {
        let (_, second) = characters.peek()?;
        let is_pair = match first {
            // Capitals of their own right, which quotes, a space or a letter may follow.
            'Ã' => {
                matches!(second, '¡'..='ª' | '¬'..='º' | '¼'..='¿' | 'Ÿ' | '„' | 'Š' | 'œ' | 'ž' | '‡' | '‰')
            }
            'Â' => matches!(second, '\u{A0}' | '£' | '§' | '©' | '®' | '°' | '·' | '½' | '¿' | '¡'),
            'â' => *second == '€',
            'ð' => *second == 'Ÿ',
            _ => false,
        };
        if is_pair {
            return Some(at);
        }
    }
    None
}

/// A replacement character that stands for something that was lost; in brackets or quotes it is spoken of.
fn lost(text: &str) -> Option<usize> {
    text.match_indices('\u{FFFD}').map(|(at, _)| at).find(|at| {
        let before = text[..*at].chars().next_back();
        let after = text[at + '\u{FFFD}'.len_utf8()..].chars().next();
        let is_spoken_of = before
            .is_some_and(|c| matches!(c, '(' | '[' | '"' | '\'' | '“' | '„' | '‘' | '«'))
            && after.is_some_and(|c| matches!(c, ')' | ']' | '"' | '\'' | '”' | '“' | '’' | '»'));
        !is_spoken_of
    })
}

impl Walk<'_> {
    /// Notes the wordings of a page that was walked to its end.
    pub(crate) fn check_wordings(&mut self) {
        let tree = self.tree;
        let text = self.flow.text();
        let is_ascii = text.is_ascii();
        let mut met = 0_u32;
        let has_ampersand = memchr::memchr(b'&', text.as_bytes()).is_some();
        for (index, wording) in WORDINGS.iter().enumerate() {
            let is_likely = if wording.ascii { has_ampersand || !wording.escape } else { !is_ascii };
            if is_likely && wording.finder.find(text.as_bytes()).is_some() {
                met |= 1 << index;
            }
        }
        // Most pages have no notice, or none with a year; only the others are worth a look at their elements.
        let may_have_notice = copyright_year(text).is_some();
        if may_have_notice {
            let (prose, nodes) = self.prose_at_end();
            self.facts.copyright_year = copyright_year(&prose);
            self.facts.copyright_line =
                self.facts.copyright_year.map_or(0, |year| self.place_of(year, &nodes));
        }
        if let Some(title) = self.facts.titles.first().map(|title| (title.text.clone(), title.line)) {
            self.check_title(&title.0, title.1);
        }
        if met == 0 {
            return;
        }
        let mut looked_at = 0;
        for node in &tree.nodes {
            if node.kind != Kind::Text {
                continue;
            }
            let text = tree.text_of(node);
            let mut noted: Option<FlawKind> = None;
            for (index, wording) in WORDINGS.iter().enumerate() {
                // One flaw of a kind says enough of one text.
                if met & (1 << index) == 0
                    || noted == Some(wording.kind)
                    || wording.finder.find(text.as_bytes()).is_none()
                {
                    continue;
                }
                let Some(at) = (wording.place)(text) else { continue };
                looked_at += 1;
                if looked_at > MAX_LOOKED_AT {
                    return;
                }
                if self.is_prose(node.parent) && !(wording.alone && self.is_term(node.parent)) {
                    let detail = excerpt(text, at);
                    self.flaw_at(node.parent, wording.kind, &detail);
                    noted = Some(wording.kind);
                }
            }
        }
    }

    fn check_title(&mut self, title: &str, line: u32) {
        for wording in WORDINGS.iter() {
            if wording.finder.find(title.as_bytes()).is_some()
                && let Some(at) = (wording.place)(title)
            {
                self.flaw_of_title(wording.kind, line, &excerpt(title, at));
                return;
            }
        }
    }

    /// Whether the word in this element is spoken of: the block around it says more, or it is a term of a table or list.
    fn is_term(&self, mut id: NodeId) -> bool {
        let mut is_inside = false;
        loop {
            let Some(element) = self.tree.element(id) else { return false };
            let flags = if element.is_html() { tags::flags(element.name()) } else { 0 };
            if flags & BLOCK != 0 {
                if !self.says_one_thing(id) {
                    // A block that holds nothing else stands for itself in what is around it.
                    return !is_inside;
                }
                is_inside = true;
            }
            match *element.name() {
                local_name!("th") | local_name!("dt") => return true,
                // The first cell of a row says what the row is about.
                local_name!("td") => return self.beside(id, |node| node.prev) == NONE,
                // In a list of terms the others are other ones; where a template failed, they are not.
                local_name!("li") => return self.has_other_item(id),
                local_name!("body") => return false,
                _ => id = self.tree.nodes[id as usize].parent,
            }
        }
    }

    /// Whether an element has just one text that shows something.
    fn says_one_thing(&self, block: NodeId) -> bool {
        let (mut at, mut texts) = (self.tree.nodes[block as usize].first, 0);
        for _ in 0..MAX_IN_BLOCK {
            if at == NONE {
                return texts <= 1;
            }
            let node = &self.tree.nodes[at as usize];
            let mut goes_in = node.first != NONE;
            match node.kind {
                Kind::Text if !self.tree.text_of(node).trim().is_empty() => texts += 1,
                Kind::Element => {
                    goes_in &= self
                        .tree
                        .element(at)
                        .is_some_and(|element| tags::flags(element.name()) & NO_TEXT == 0);
                }
                _ => {}
            }
            if texts > 1 {
                return false;
            }
            if goes_in {
                at = node.first;
                continue;
            }
            // The next one in tree order that is still inside the block.
            while at != block && self.tree.nodes[at as usize].next == NONE {
                at = self.tree.nodes[at as usize].parent;
            }
            at = if at == block { NONE } else { self.tree.nodes[at as usize].next };
        }
        false
    }

    /// The element before or after this one under the same parent; `NONE` where there is none.
    fn beside(&self, id: NodeId, step: fn(&Node) -> NodeId) -> NodeId {
        let mut at = step(&self.tree.nodes[id as usize]);
        while at != NONE && self.tree.element(at).is_none() {
            at = step(&self.tree.nodes[at as usize]);
        }
        at
    }

    /// Whether the list of an item has a neighbour of the item that says something else.
    fn has_other_item(&self, id: NodeId) -> bool {
        [self.beside(id, |node| node.prev), self.beside(id, |node| node.next)]
            .into_iter()
            .any(|item| item != NONE && self.tree.child_text(item).trim() != "undefined")
    }

    /// The last text of the page without programs and examples. Where a year is left open for a script to complete
    /// (`2019–<script>`, `2019–<span></span>`), it says “present”.
    ///
    /// Its text nodes come with it, the last one first.
    fn prose_at_end(&self) -> (String, Vec<NodeId>) {
        let (mut parts, mut nodes, mut bytes) = (Vec::new(), Vec::new(), 0);
        for (id, node) in self.tree.nodes.iter().enumerate().rev().filter(|(_, node)| node.kind == Kind::Text)
        {
            let text = collapse(self.tree.text_of(node));
            if text.is_empty() || !self.is_prose(node.parent) {
                continue;
            }
            bytes += text.len() + 1;
            if is_open(&text) && self.shows_nothing(node.next, node.parent) {
                parts.push("present".to_owned());
            }
            parts.push(text);
            nodes.push(id as NodeId);
            if bytes >= NOTICE {
                break;
            }
        }
        parts.reverse();
        (parts.join(" "), nodes)
    }

    /// The element that holds the year of the notice: the last whose text names it.
    fn place_of(&self, year: u16, nodes: &[NodeId]) -> u32 {
        let (long, short) = (year.to_string(), format!("{:02}", year % 100));
        let named = |digits: &str| {
            nodes.iter().find(|id| self.tree.text_of(&self.tree.nodes[**id as usize]).contains(digits))
        };
        // The second year of "2019–24" is written short.
        named(&long).or_else(|| named(&short)).map_or(0, |id| self.line(self.tree.nodes[*id as usize].parent))
    }

    /// Whether what follows a text is an element without text, or the end of the text's block.
    fn shows_nothing(&self, next: NodeId, parent: NodeId) -> bool {
        let Some(element) = self.tree.element(next) else {
            let block = |element: &Element| tags::flags(element.name()) & BLOCK != 0;
            return next == NONE && self.tree.element(parent).is_some_and(block);
        };
        tags::flags(element.name()) & NO_TEXT != 0
            || (self.tree.nodes[next as usize].first == NONE && *element.name() != local_name!("br"))
    }

    /// Whether text in this element is read as text: it is shown, and it is no program, no example and no input.
    fn is_prose(&self, mut id: NodeId) -> bool {
        let mut in_body = false;
        while let Some(node) = self.tree.nodes.get(id as usize) {
            match node.kind {
                Kind::Document => return in_body,
                Kind::Fragment | Kind::Text => return false,
                Kind::Element => {}
            }
            let Some(element) = self.tree.element(id) else { return false };
            if element.is_html()
                && matches!(
                    *element.name(),
                    local_name!("script")
                        | local_name!("style")
                        | local_name!("template")
                        | local_name!("noscript")
                        | local_name!("noembed")
                        | local_name!("noframes")
                        | local_name!("iframe")
                        | local_name!("code")
                        | local_name!("pre")
                        | local_name!("kbd")
                        | local_name!("samp")
                        | local_name!("tt")
                        | local_name!("var")
                        | local_name!("xmp")
                        | local_name!("plaintext")
                        | local_name!("textarea")
                        | local_name!("title")
                )
            {
                return false;
            }
            in_body |= *element.name() == local_name!("body");
            id = node.parent;
        }
        false
    }
}

/// The text around a place, white space collapsed.
fn excerpt(text: &str, at: usize) -> String {
    let start = text[..at].char_indices().rev().nth(AROUND - 1).map_or(0, |(start, _)| start);
    let end = text[at..].char_indices().nth(AROUND).map_or(text.len(), |(end, _)| at + end);
    collapse(&text[start..end])
}

/// The latest year that a copyright notice at the end of a text names; `None` also where a notice runs to the present.
fn copyright_year(text: &str) -> Option<u16> {
    let tail = &text[text.ceil_char_boundary(text.len().saturating_sub(NOTICE))..];
    let lower = tail.to_ascii_lowercase();
    let mut latest = None;
    for (mark, reach) in MARKS.iter() {
        for at in mark.find_iter(lower.as_bytes()) {
            let (after, reach) = (&lower[at + mark.needle().len()..], *reach);
            let line = &after[..after.floor_char_boundary(60)];
            if ["present", "today", "heute", "aujourd"].iter().any(|word| line.contains(word)) {
                return None;
            }
            let before = lower[..at].trim_end();
            let (earlier, before) =
                before.split_at(before.ceil_char_boundary(before.len().saturating_sub(4)));
            // "2024 ©" as well as "© 2019–2024 by …".
            let after = &after[..after.floor_char_boundary(reach)];
            let found = years(after).filter(|(start, _)| !is_beginning(&after[..*start]));
            let found = found.map(|(_, year)| year).max();
            let found = found.or_else(|| {
                years(before).map(|(_, year)| year).max().filter(|_| reach > 8 && !is_beginning(earlier))
            });
            latest = latest.max(found);
        }
    }
    latest
}

/// Whether the year that follows this, in lower case, is when something began, which goes on.
fn is_beginning(before: &str) -> bool {
    let word = before.trim_end().rsplit(|c: char| !c.is_alphabetic() && c != '.').next().unwrap_or_default();
    matches!(
        word,
        "since"
            | "from"
            | "est."
            | "established"
            | "founded"
            | "seit"
            | "ab"
            | "gegründet"
            | "depuis"
            | "desde"
            | "dal"
    )
}

/// Whether a text ends with a range of years that has no end: "2019–".
fn is_open(text: &str) -> bool {
    let start = text.trim_end_matches(['-', '–', '—']);
    start.len() < text.len() && start.trim_end().ends_with(|c: char| c.is_ascii_digit())
}

/// Years from 1950 to 2099 in a text and where they start; the second of "2019–24" is one as well.
fn years(text: &str) -> impl Iterator<Item = (usize, u16)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut before: Option<(u16, usize)> = None;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            if !bytes[at].is_ascii_digit() {
                at += 1;
                continue;
            }
            let start = at;
            while at < bytes.len() && bytes[at].is_ascii_digit() {
                at += 1;
            }
            let number: u16 = text[start..at].parse().unwrap_or_default();
            let year = match (at - start, before) {
                (4, _) if (1_950..=2_099).contains(&number) => Some(number),
                (2, Some((year, end))) if is_dash(&text[end..start]) && number > year % 100 => {
                    Some(year / 100 * 100 + number)
                }
                _ => None,
            };
            if let Some(year) = year {
                before = Some((year, at));
                return Some((start, year));
            }
        }
        None
    })
}

fn is_dash(text: &str) -> bool {
    matches!(text.trim(), "-" | "–" | "—" | "/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document;

    fn found(body: &str) -> Vec<(&'static str, String, u32)> {
        let facts = crate::html(&Document {
            body: body.as_bytes(),
            url: "http://h.test/",
            headers: &[],
            content_type: Some("text/html; charset=utf-8"),
        });
        let kinds = [
            FlawKind::LoremIpsum,
            FlawKind::Mojibake,
            FlawKind::ReplacementCharacters,
            FlawKind::TemplatePlaceholder,
        ];
        let flaws = facts.flaws.iter().filter(|flaw| kinds.contains(&flaw.kind));
        flaws.map(|flaw| (flaw.kind.word(), flaw.detail.to_string(), flaw.line)).collect()
    }

    #[test]
    fn filler_text_is_found_where_it_stands() {
        let lorem = found("<h1>x</h1>\n<p>Lorem ipsum dolor</p>\n<p>LOREM IPSUM</p><pre>lorem ipsum</pre>");
        assert_eq!(
            lorem,
            [
                ("lorem-ipsum", "Lorem ipsum dolor".to_owned(), 2),
                ("lorem-ipsum", "LOREM IPSUM".to_owned(), 3)
            ]
        );
        let named = "<p>Displays random “lorem ipsum” text.</p><p>The common \"lorem ipsum dolor\" paragraph.</p><p>Replace the lorem ipsum of the template.</p>";
        assert_eq!(found(named), []);
        assert_eq!(
            found("<p>See below. Lorem ipsum, and so on.</p><p>Then lorem ipsum dolor sit</p>").len(),
            2
        );
        assert_eq!(found("<p>Lorem is a cat; ipsum is Latin.</p><template>lorem ipsum</template>"), []);
    }

    #[test]
    fn placeholders_are_told_from_programs() {
        let check = |body: &str, expect: usize| assert_eq!(found(body).len(), expect, "{body}");
        check("<p>Hello {{ user.name }}!</p>", 1);
        check("<p>{{{raw}}}</p>", 1);
        check("<title>{{ title }}</title><p>x</p>", 1);
        check("<p>Price: [object Object]</p>", 1);
        check("<p>undefined</p><div> <b>undefined</b> </div><h2><a href=/x>undefined</a></h2>", 3);
        check("<table><tr><td>Price<td>undefined</table>", 1);
        check("<ul><li>undefined<li>undefined</ul><ol><li>undefined</ol>", 3);
        check("<p>Division by zero is <em>undefined</em>.</p>", 0);
        check("<div><span>Price:</span> <span>undefined</span></div>", 0);
        check("<table><tr><th>undefined<td>x<tr><td><b>undefined</b><td>x</table>", 0);
        check("<dl><dt>undefined<dd>x</dl><ul><li>null<li>undefined<li>NaN</ul>", 0);
        check("<td>undefined</td>", 1);
        check("<table><tr><td>x<p>undefined</p></table>", 1);
        check("<p>Undefined behaviour is not undefined.</p>", 0);
        check("<code>{{ x }}</code><pre>a {{b}} c</pre><script>var a = '{{ x }}';</script>", 0);
        check("<textarea>{{ x }}</textarea><kbd>undefined</kbd>", 0);
        check("<p>A smile :{{ and a set {{1}, {2}}</p>", 0);
        check("<p title='{{ x }}'>x</p>", 0);
    }

    #[test]
    fn misread_characters_are_told_from_real_ones() {
        let check = |body: &str, expect: usize| assert_eq!(found(body).len(), expect, "{body}");
        check("<p>CafÃ© â€œzuâ€ fÃ¼r</p>", 1);
        check("<p>Price:Â\u{A0}5Â°</p>", 1);
        check("<p>ðŸ˜€</p>", 1);
        check("<p>A&amp;nbsp;B</p><p>Q&amp;amp;A</p><p>it&amp;#039;s</p>", 3);
        check("<p>NÃO, SÃO “AMANHÔ, «AMANHû À la Â l'ÂGE</p>", 0);
        check("<p>A &amp; B &lt; C &amp;#hash; &amp;co</p><code>&amp;nbsp;</code>", 0);
        check("<p>Na\u{FFFD}ve</p><code>\u{FFFD}</code>", 1);
        check("<p>The sign (\u{FFFD}), also “\u{FFFD}”, stands for a lost letter.</p>", 0);
        check("<p>The sign (\u{FFFD}) of Na\u{FFFD}ve</p>", 1);
    }

    #[test]
    fn copyright_notices_are_read() {
        let check = |text: &str, expect: Option<u16>| assert_eq!(copyright_year(text), expect, "{text}");
        check("Text. © 2019 Example Ltd", Some(2019));
        check("Copyright (c) 2015-2024 Example", Some(2024));
        check("© 2019–24 Example", Some(2024));
        check("2023 © Example", Some(2023));
        check("© 1999–present Example", None);
        check("© Example", None);
        check("Founded in 1987. Copyright law is hard.", None);
        check("© Example, Street 2100, 10115 Berlin", None);
        check("Copyright Act of 1976", None);
        check("© Example 2021. Copyright 2022 A.", Some(2022));
        check("Photo © 2012 A. Nother. © 2025 Example", Some(2025));
        check(&format!("© 2012 A. Nother {}", "word ".repeat(200)), None);
        check("© Example since 2010", None);
        check("© seit 1999 Example", None);
        check("Since 2010 © Example", None);
        check("© 2018 Example, a family firm since 1950", Some(2018));
    }

    #[test]
    fn copyright_notices_are_told_from_examples_and_open_ranges() {
        let check = |body: &str, expect: Option<u16>| {
            let facts = crate::html(&Document {
                body: body.as_bytes(),
                url: "http://h.test/",
                headers: &[],
                content_type: Some("text/html; charset=utf-8"),
            });
            assert_eq!(facts.copyright_year, expect, "{body}");
        };
        check("<footer>© <b>2019</b> Example</footer>", Some(2019));
        check("<footer>© 2019 – Example</footer>", Some(2019));
        check("<footer>© 2019 – <a href=/>Example</a></footer>", Some(2019));
        check("<footer>© 2019–<span>2022</span> Example</footer>", Some(2022));
        check("<pre>© 2012 A. Nother</pre><p><code>(c) 2013</code> <samp>© 2014</samp></p>", None);
        check("<pre>© 2023 A. Nother</pre><p>© 2019 Example</p>", Some(2019));
        check(
            "<footer>© 2019–<script>document.write(new Date().getFullYear())</script> Example</footer>",
            None,
        );
        check("<footer>© 2019 - <span id=year></span> Example</footer>", None);
        check("<footer><p>© 2019–</p><p>Example</p></footer>", None);
    }
}
