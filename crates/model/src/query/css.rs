//! CSS selectors: type, class, id and attribute selectors, the four combinators, `:not`, `:is`, `:where`, the structural
//! pseudo-classes, `:empty` and `:root`. What depends on a browser's state (`:hover`) selects nothing in a document and is refused.

use super::{QueryError, Text};

/// Selectors between commas: an element that fits one of them is selected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector(pub Vec<Complex>);

/// Compounds from left to right, each with what ties it to the one before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complex {
    pub first: Compound,
    pub rest: Vec<(Combinator, Compound)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combinator {
    Descendant,
    Child,
    Next,
    Later,
}

/// What all hold of one element. Empty for `*`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Compound(pub Vec<Simple>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Simple {
    /// Lower case.
    Tag(String),
    Id(String),
    Class(String),
    Attribute {
        /// Lower case.
        name: String,
        test: AttributeTest,
        ignore_case: bool,
    },
    Not(Selector),
    Is(Selector),
    Nth(Nth),
    Empty,
    Root,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttributeTest {
    Present,
    Equals(String),
    /// One of the words between blanks.
    Word(String),
    /// The text, or the text and a hyphen.
    Dash(String),
    Begins(String),
    Ends(String),
    Contains(String),
}

/// The element is number `step · n + start` among its siblings, n from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nth {
    pub step: i32,
    pub start: i32,
    pub from_end: bool,
    pub of_type: bool,
}

impl Selector {
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        let mut text = Text::new(text)?;
        let selector = list(&mut text)?;
        if text.is_over() { Ok(selector) } else { text.fail(format!("{} is not expected here", text.here())) }
    }
}

fn list(text: &mut Text) -> Result<Selector, QueryError> {
    text.enter()?;
    let mut all = vec![complex(text)?];
    while text.take(",") {
        all.push(complex(text)?);
    }
    text.leave();
    Ok(Selector(all))
}

fn complex(text: &mut Text) -> Result<Complex, QueryError> {
    text.blanks();
    let first = compound(text)?;
    let mut rest = Vec::new();
    loop {
        let apart = text.blanks();
        let combinator = match text.peek() {
            None | Some(',' | ')') => return Ok(Complex { first, rest }),
            Some('>') => Combinator::Child,
            Some('+') => Combinator::Next,
            Some('~') => Combinator::Later,
            Some(_) if apart => Combinator::Descendant,
            Some(_) => return text.fail(format!("{} is not expected here", text.here())),
        };
        if combinator != Combinator::Descendant {
            text.at += 1;
            text.blanks();
        }
        rest.push((combinator, compound(text)?));
    }
}

fn compound(text: &mut Text) -> Result<Compound, QueryError> {
    let mut parts = Vec::new();
    let begin = text.at;
    if !text.take("*")
        && let Some(c) = text.peek()
        && (starts_name(c) || c == '\\')
    {
        parts.push(Simple::Tag(name(text)?.to_ascii_lowercase()));
    }
    loop {
        match text.peek() {
            Some('#') => {
                text.at += 1;
                parts.push(Simple::Id(name(text)?));
            }
            Some('.') => {
                text.at += 1;
                parts.push(Simple::Class(name(text)?));
            }
            Some('[') => parts.push(attribute(text)?),
            Some(':') => parts.push(pseudo(text)?),
            _ if text.at > begin => return Ok(Compound(parts)),
            _ => return text.fail(format!("a selector is expected, {} stands here", text.here())),
        }
    }
}

fn starts_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_') || !c.is_ascii()
}

/// A name; a backslash takes the next character as it is.
fn name(text: &mut Text) -> Result<String, QueryError> {
    let mut out = String::new();
    loop {
        match text.peek() {
            Some('\\') => {
                text.at += 1;
                let Some(c) = text.peek() else { return text.fail("nothing follows the backslash") };
                text.at += 1;
                out.push(c);
            }
            Some(c) if starts_name(c) => {
                text.at += 1;
                out.push(c);
            }
            _ if out.is_empty() => {
                return text.fail(format!("a name is expected, {} stands here", text.here()));
            }
            _ => return Ok(out),
        }
    }
}

fn attribute(text: &mut Text) -> Result<Simple, QueryError> {
    text.expect("[")?;
    text.blanks();
    let mut attribute = name(text)?.to_ascii_lowercase();
    if text.peek() == Some(':') && text.peek_at(1).is_some_and(starts_name) {
        text.at += 1;
        attribute = format!("{attribute}:{}", name(text)?.to_ascii_lowercase());
    }
    text.blanks();
    if text.take("]") {
        return Ok(Simple::Attribute { name: attribute, test: AttributeTest::Present, ignore_case: false });
    }
    let make: fn(String) -> AttributeTest = match text.peek() {
        Some('=') => AttributeTest::Equals,
        Some('~') => AttributeTest::Word,
        Some('|') => AttributeTest::Dash,
        Some('^') => AttributeTest::Begins,
        Some('$') => AttributeTest::Ends,
        Some('*') => AttributeTest::Contains,
        _ => {
            return text.fail(format!(
                "“]” or a comparison such as = or ^= is expected, {} stands here",
                text.here()
            ));
        }
    };
    if text.peek() != Some('=') {
        text.at += 1;
    }
    text.expect("=")?;
    text.blanks();
    let value = match text.peek() {
        Some('"' | '\'') => text.quoted()?,
        _ => name(text)?,
    };
    text.blanks();
    let ignore_case = text.take("i") || text.take("I");
    if !ignore_case && !text.take("s") {
        text.take("S");
    }
    text.blanks();
    text.expect("]")?;
    Ok(Simple::Attribute { name: attribute, test: make(value), ignore_case })
}

fn pseudo(text: &mut Text) -> Result<Simple, QueryError> {
    let begin = text.at;
    text.expect(":")?;
    if text.peek() == Some(':') {
        text.at = begin;
        return text.fail("pseudo-elements are no part of a document");
    }
    let word = name(text)?.to_ascii_lowercase();
    let nth = |step, start, from_end, of_type| Simple::Nth(Nth { step, start, from_end, of_type });
    let plain = match word.as_str() {
        "first-child" => Some(vec![nth(0, 1, false, false)]),
        "last-child" => Some(vec![nth(0, 1, true, false)]),
        "first-of-type" => Some(vec![nth(0, 1, false, true)]),
        "last-of-type" => Some(vec![nth(0, 1, true, true)]),
        "only-child" => Some(vec![nth(0, 1, false, false), nth(0, 1, true, false)]),
        "only-of-type" => Some(vec![nth(0, 1, false, true), nth(0, 1, true, true)]),
        "empty" => Some(vec![Simple::Empty]),
        "root" => Some(vec![Simple::Root]),
        _ => None,
    };
    if let Some(parts) = plain {
        let whole = Complex { first: Compound(parts.clone()), rest: Vec::new() };
        return Ok(match <[Simple; 1]>::try_from(parts) {
            Ok([only]) => only,
            Err(_) => Simple::Is(Selector(vec![whole])),
        });
    }
    let known =
        ["not", "is", "where", "matches", "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type"];
    if !known.contains(&word.as_str()) {
        text.at = begin;
        return text.fail(format!("the pseudo-class :{word} is not known"));
    }
    text.expect("(")?;
    let simple = match word.as_str() {
        "not" => Simple::Not(list(text)?),
        "is" | "where" | "matches" => Simple::Is(list(text)?),
        _ => {
            let (step, start) = steps(text)?;
            nth(step, start, word.contains("last"), word.ends_with("of-type"))
        }
    };
    text.blanks();
    text.expect(")")?;
    Ok(simple)
}

/// `odd`, `even`, `3`, `2n+1`, `-n + 3`.
fn steps(text: &mut Text) -> Result<(i32, i32), QueryError> {
    text.blanks();
    let begin = text.at;
    let written = text.word(|c| c != ')');
    let word: String =
        written.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
    let read = match word.as_str() {
        "odd" => Some((2, 1)),
        "even" => Some((2, 0)),
        _ => match word.split_once('n') {
            None => word.parse().ok().map(|start| (0, start)),
            Some((step, start)) => {
                let step = match step {
                    "" | "+" => Some(1),
                    "-" => Some(-1),
                    number => number.parse().ok(),
                };
                let start = if start.is_empty() { Some(0) } else { start.parse().ok() };
                step.zip(start)
            }
        },
    };
    match read {
        Some(read) => Ok(read),
        None => {
            text.at = begin;
            text.fail(format!("“{}” is no position such as 2n+1, odd or 3", written.trim()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_selector_is_told_with_its_place() {
        let check = |text: &str, at: usize, why: &str| {
            let error = Selector::parse(text).unwrap_err();
            assert!(error.at == at && error.why.contains(why), "{text}: {error}");
        };
        check("", 1, "a selector is expected");
        check("a >", 4, "a selector is expected, the end");
        check("a[href", 7, "“]” or a comparison");
        check("a[href=\"x]", 8, "not closed");
        check("p:hover", 2, ":hover is not known");
        check("p::before", 2, "pseudo-elements");
        check("li:nth-child(x)", 14, "no position");
        check("a, , b", 4, "a selector is expected, “,”");
        check("a}", 2, "“}” is not expected");
        check(&":not(".repeat(40), 121, "within one another");
    }

    #[test]
    fn selectors_are_read() {
        for text in [
            "*",
            "div.price > span:first-child",
            "#a\\:b ~ .c-d",
            "[data-sku], a[href^=\"/x\" i]",
            "tr:nth-child(2n + 1):not(.head, [hidden])",
            "svg [xlink:href]",
            "p:only-child:empty",
        ] {
            Selector::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        }
        let one = Selector::parse("LI:nth-last-of-type(-n+3)").unwrap();
        let nth = Nth { step: -1, start: 3, from_end: true, of_type: true };
        assert_eq!(one.0[0].first, Compound(vec![Simple::Tag("li".into()), Simple::Nth(nth)]));
    }
}
