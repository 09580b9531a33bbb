//! XPath 1.0: paths along the usual axes, predicates, operators and the core functions that are of use in a document without
//! namespaces. Names are compared in lower case, as HTML's are.

use super::{QueryError, Text};

#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    /// Steps from the document (`absolute`) or from the context.
    Path {
        absolute: bool,
        steps: Vec<Step>,
    },
    /// What an expression gives, filtered, and steps from there.
    From {
        base: Box<Expr>,
        predicates: Vec<Expr>,
        steps: Vec<Step>,
    },
    Text(String),
    Number(f64),
    Binary(Operator, Box<Expr>, Box<Expr>),
    Minus(Box<Expr>),
    Call(Function, Vec<Expr>),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    pub axis: Axis,
    pub test: NodeTest,
    pub predicates: Vec<Expr>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    Child,
    Descendant,
    DescendantOrSelf,
    Parent,
    Ancestor,
    AncestorOrSelf,
    FollowingSibling,
    PrecedingSibling,
    Self_,
    Attribute,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NodeTest {
    /// Elements (or attributes) of this name.
    Name(String),
    /// All elements (or attributes).
    Any,
    Text,
    Node,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Plus,
    Minus,
    Times,
    Divided,
    Modulo,
    Union,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    Position,
    Last,
    Count,
    Name,
    String,
    Concat,
    StartsWith,
    Contains,
    SubstringBefore,
    SubstringAfter,
    Substring,
    StringLength,
    NormalizeSpace,
    Translate,
    Boolean,
    Not,
    True,
    False,
    Number,
    Sum,
    Floor,
    Ceiling,
    Round,
}

/// Name, function, arguments from and to.
const FUNCTIONS: &[(&str, Function, usize, usize)] = &[
    ("position", Function::Position, 0, 0),
    ("last", Function::Last, 0, 0),
    ("count", Function::Count, 1, 1),
    ("name", Function::Name, 0, 1),
    ("local-name", Function::Name, 0, 1),
    ("string", Function::String, 0, 1),
    ("concat", Function::Concat, 2, 20),
    ("starts-with", Function::StartsWith, 2, 2),
    ("contains", Function::Contains, 2, 2),
    ("substring-before", Function::SubstringBefore, 2, 2),
    ("substring-after", Function::SubstringAfter, 2, 2),
    ("substring", Function::Substring, 2, 3),
    ("string-length", Function::StringLength, 0, 1),
    ("normalize-space", Function::NormalizeSpace, 0, 1),
    ("translate", Function::Translate, 3, 3),
    ("boolean", Function::Boolean, 1, 1),
    ("not", Function::Not, 1, 1),
    ("true", Function::True, 0, 0),
    ("false", Function::False, 0, 0),
    ("number", Function::Number, 0, 1),
    ("sum", Function::Sum, 1, 1),
    ("floor", Function::Floor, 1, 1),
    ("ceiling", Function::Ceiling, 1, 1),
    ("round", Function::Round, 1, 1),
];

/// What an expression gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    Nodes,
    Text,
    Number,
    Truth,
}

impl Expr {
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        let mut text = Text::new(text)?;
        let expr = or(&mut text)?;
        text.blanks();
        if text.is_over() { Ok(expr) } else { text.fail(format!("{} is not expected here", text.here())) }
    }

    pub const fn kind(&self) -> ValueKind {
        match self {
            Self::Path { .. } | Self::From { .. } | Self::Binary(Operator::Union, ..) => ValueKind::Nodes,
            Self::Text(_) => ValueKind::Text,
            Self::Number(_)
            | Self::Minus(_)
            | Self::Binary(
                Operator::Plus | Operator::Minus | Operator::Times | Operator::Divided | Operator::Modulo,
                ..,
            ) => ValueKind::Number,
            Self::Binary(..) => ValueKind::Truth,
            Self::Call(function, _) => match function {
                Function::Position
                | Function::Last
                | Function::Count
                | Function::StringLength
                | Function::Number
                | Function::Sum
                | Function::Floor
                | Function::Ceiling
                | Function::Round => ValueKind::Number,
                Function::StartsWith
                | Function::Contains
                | Function::Boolean
                | Function::Not
                | Function::True
                | Function::False => ValueKind::Truth,
                _ => ValueKind::Text,
            },
        }
    }
}

type Parsed = Result<Expr, QueryError>;

/// Operators of one precedence: how they are written, and whether they are words.
fn level(text: &mut Text, operators: &[(&str, Operator)], next: fn(&mut Text) -> Parsed) -> Parsed {
    let mut left = next(text)?;
    loop {
        text.blanks();
        let found = operators.iter().find(|(sign, _)| {
            let is_word = sign.chars().all(char::is_alphabetic);
            let here = sign.chars().enumerate().all(|(n, c)| text.peek_at(n) == Some(c));
            here && !(is_word && text.peek_at(sign.len()).is_some_and(is_name_part))
        });
        let Some((sign, operator)) = found else { return Ok(left) };
        text.at += sign.len();
        left = Expr::Binary(*operator, Box::new(left), Box::new(next(text)?));
    }
}

fn or(text: &mut Text) -> Parsed {
    text.enter()?;
    let expr = level(text, &[("or", Operator::Or)], and)?;
    text.leave();
    Ok(expr)
}

fn and(text: &mut Text) -> Parsed {
    level(text, &[("and", Operator::And)], equality)
}

fn equality(text: &mut Text) -> Parsed {
    level(text, &[("=", Operator::Equal), ("!=", Operator::Unequal)], relation)
}

fn relation(text: &mut Text) -> Parsed {
    let operators = [
        ("<=", Operator::LessOrEqual),
        (">=", Operator::GreaterOrEqual),
        ("<", Operator::Less),
        (">", Operator::Greater),
    ];
    level(text, &operators, sum)
}

fn sum(text: &mut Text) -> Parsed {
    level(text, &[("+", Operator::Plus), ("-", Operator::Minus)], product)
}

fn product(text: &mut Text) -> Parsed {
    level(text, &[("*", Operator::Times), ("div", Operator::Divided), ("mod", Operator::Modulo)], minus)
}

fn minus(text: &mut Text) -> Parsed {
    text.blanks();
    if text.take("-") {
        text.enter()?;
        let inner = minus(text)?;
        text.leave();
        return Ok(Expr::Minus(Box::new(inner)));
    }
    let begin = text.at;
    let expr = level(text, &[("|", Operator::Union)], path)?;
    if let Expr::Binary(Operator::Union, left, right) = &expr
        && (left.kind() != ValueKind::Nodes || right.kind() != ValueKind::Nodes)
    {
        text.at = begin;
        return text.fail("only nodes can be put together with |");
    }
    Ok(expr)
}

fn path(text: &mut Text) -> Parsed {
    text.blanks();
    match text.peek() {
        Some('/') => {
            text.at += 1;
            let mut steps = Vec::new();
            if text.take("/") {
                steps.push(descend());
                relative(text, &mut steps)?;
            } else if text.peek().is_some_and(starts_step) {
                relative(text, &mut steps)?;
            }
            Ok(Expr::Path { absolute: true, steps })
        }
        Some('(' | '"' | '\'' | '0'..='9') => from_primary(text),
        Some('.') if text.peek_at(1).is_some_and(|c| c.is_ascii_digit()) => from_primary(text),
        Some(c) if starts_step(c) => {
            if is_call(text) {
                return from_primary(text);
            }
            let mut steps = Vec::new();
            relative(text, &mut steps)?;
            Ok(Expr::Path { absolute: false, steps })
        }
        Some('$') => text.fail("there are no variables"),
        _ => text.fail(format!("an expression is expected, {} stands here", text.here())),
    }
}

fn starts_step(c: char) -> bool {
    is_name_start(c) || matches!(c, '*' | '@' | '.')
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// Whether a name with a parenthesis stands here that is no test of nodes.
fn is_call(text: &mut Text) -> bool {
    let begin = text.at;
    let word = text.word(is_name_part);
    text.blanks();
    let call = text.peek() == Some('(')
        && !matches!(word.as_str(), "text" | "node" | "comment" | "processing-instruction");
    text.at = begin;
    call && !word.is_empty()
}

const fn descend() -> Step {
    Step { axis: Axis::DescendantOrSelf, test: NodeTest::Node, predicates: Vec::new() }
}

fn relative(text: &mut Text, steps: &mut Vec<Step>) -> Result<(), QueryError> {
    loop {
        steps.push(step(text)?);
        text.blanks();
        if text.take("//") {
            steps.push(descend());
        } else if !text.take("/") {
            return Ok(());
        }
    }
}

fn step(text: &mut Text) -> Result<Step, QueryError> {
    text.blanks();
    if text.take("..") {
        return Ok(Step { axis: Axis::Parent, test: NodeTest::Node, predicates: predicates(text)? });
    }
    if text.peek() == Some('.') {
        text.at += 1;
        return Ok(Step { axis: Axis::Self_, test: NodeTest::Node, predicates: predicates(text)? });
    }
    let mut axis = Axis::Child;
    if text.take("@") {
        axis = Axis::Attribute;
    } else {
        let begin = text.at;
        let word = text.word(is_name_part);
        text.blanks();
        if text.take("::") {
            axis = axis_of(&word).map_or_else(
                || {
                    text.at = begin;
                    text.fail(format!("the axis {word} is not known"))
                },
                Ok,
            )?;
            text.blanks();
        } else {
            text.at = begin;
        }
    }
    let test = node_test(text)?;
    Ok(Step { axis, test, predicates: predicates(text)? })
}

fn axis_of(word: &str) -> Option<Axis> {
    Some(match word {
        "child" => Axis::Child,
        "descendant" => Axis::Descendant,
        "descendant-or-self" => Axis::DescendantOrSelf,
        "parent" => Axis::Parent,
        "ancestor" => Axis::Ancestor,
        "ancestor-or-self" => Axis::AncestorOrSelf,
        "following-sibling" => Axis::FollowingSibling,
        "preceding-sibling" => Axis::PrecedingSibling,
        "self" => Axis::Self_,
        "attribute" => Axis::Attribute,
        _ => return None,
    })
}

fn node_test(text: &mut Text) -> Result<NodeTest, QueryError> {
    if text.take("*") {
        return Ok(NodeTest::Any);
    }
    let begin = text.at;
    let mut word = text.word(is_name_part);
    if word.is_empty() || !word.starts_with(is_name_start) {
        text.at = begin;
        return text.fail(format!("a name is expected, {} stands here", text.here()));
    }
    // A prefix is part of the name, as in xlink:href.
    if text.peek() == Some(':') && text.peek_at(1).is_some_and(is_name_start) {
        text.at += 1;
        word = format!("{word}:{}", text.word(is_name_part));
    }
    text.blanks();
    if text.peek() != Some('(') {
        return Ok(NodeTest::Name(word.to_lowercase()));
    }
    let test = match word.as_str() {
        "text" => NodeTest::Text,
        "node" => NodeTest::Node,
        _ => {
            text.at = begin;
            return text.fail(format!("{word}() stands here; text() or node() can"));
        }
    };
    text.expect("(")?;
    text.blanks();
    text.expect(")")?;
    Ok(test)
}

fn predicates(text: &mut Text) -> Result<Vec<Expr>, QueryError> {
    let mut all = Vec::new();
    loop {
        text.blanks();
        if !text.take("[") {
            return Ok(all);
        }
        all.push(or(text)?);
        text.blanks();
        text.expect("]")?;
    }
}

fn from_primary(text: &mut Text) -> Parsed {
    let begin = text.at;
    let base = primary(text)?;
    let predicates = predicates(text)?;
    let mut steps = Vec::new();
    if text.take("//") {
        steps.push(descend());
        relative(text, &mut steps)?;
    } else if text.take("/") {
        relative(text, &mut steps)?;
    }
    if predicates.is_empty() && steps.is_empty() {
        return Ok(base);
    }
    if base.kind() != ValueKind::Nodes {
        text.at = begin;
        return text.fail("this gives no nodes that could be gone on from");
    }
    Ok(Expr::From { base: Box::new(base), predicates, steps })
}

fn primary(text: &mut Text) -> Parsed {
    match text.peek() {
        Some('(') => {
            text.at += 1;
            let inner = or(text)?;
            text.blanks();
            text.expect(")")?;
            Ok(inner)
        }
        Some('"' | '\'') => text.quoted().map(Expr::Text),
        Some(c) if c.is_ascii_digit() || c == '.' => {
            let begin = text.at;
            let word = text.word(|c| c.is_ascii_digit() || c == '.');
            match word.parse() {
                Ok(number) => Ok(Expr::Number(number)),
                Err(_) => {
                    text.at = begin;
                    text.fail(format!("“{word}” is no number"))
                }
            }
        }
        _ => call(text),
    }
}

fn call(text: &mut Text) -> Parsed {
    let begin = text.at;
    let word = text.word(is_name_part);
    text.blanks();
    text.expect("(")?;
    let Some((_, function, least, most)) = FUNCTIONS.iter().find(|(name, ..)| *name == word) else {
        text.at = begin;
        return text.fail(format!("the function {word}() is not known"));
    };
    let mut arguments = Vec::new();
    text.blanks();
    if text.peek() != Some(')') {
        loop {
            arguments.push(or(text)?);
            text.blanks();
            if !text.take(",") {
                break;
            }
        }
    }
    text.expect(")")?;
    if arguments.len() < *least || arguments.len() > *most {
        text.at = begin;
        return text.fail(format!("{word}() does not take {} arguments", arguments.len()));
    }
    if matches!(function, Function::Count | Function::Sum)
        && arguments.iter().any(|a| a.kind() != ValueKind::Nodes)
    {
        text.at = begin;
        return text.fail(format!("{word}() takes nodes"));
    }
    Ok(Expr::Call(*function, arguments))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_xpath_is_told_with_its_place() {
        let check = |text: &str, at: usize, why: &str| {
            let error = Expr::parse(text).unwrap_err();
            assert!(error.at == at && error.why.contains(why), "{text}: {error}");
        };
        check("", 1, "an expression is expected");
        check("//div[", 7, "an expression is expected, the end");
        check("//div[@class='x]", 14, "not closed");
        check("//div/", 7, "a name is expected");
        check("//a/up::b", 5, "the axis up is not known");
        check("frobnicate(//a)", 1, "frobnicate() is not known");
        check("count('a')", 1, "count() takes nodes");
        check("contains(.)", 1, "does not take 1 arguments");
        check("//a | 'b'", 1, "only nodes");
        check("//a]", 4, "“]” is not expected");
        check("//comment()", 3, "text() or node() can");
        check(&"(".repeat(50), 25, "within one another");
    }

    #[test]
    fn expressions_are_read_with_what_they_give() {
        let check = |text: &str, kind: ValueKind| {
            let expr = Expr::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(expr.kind(), kind, "{text}");
        };
        check("//a/@href", ValueKind::Nodes);
        check("/html/body//p[position() <= 2 and not(@hidden)]/text()", ValueKind::Nodes);
        check("(//h2)[last()]/following-sibling::p[1] | //x", ValueKind::Nodes);
        check("count(//a[starts-with(@href, 'http')]) - 1", ValueKind::Number);
        check("-.5 * 2 div 3 mod 4", ValueKind::Number);
        check("//price > 10 or true()", ValueKind::Truth);
        check("normalize-space(//h1)", ValueKind::Text);
        check("//div-x/or/and", ValueKind::Nodes);
        check("../.././*", ValueKind::Nodes);
    }
}
