//! Expressions over the tree of a document: CSS selectors and XPath 1.0, read into values that are evaluated elsewhere.
//!
//! Both are written by the person who audits, not by a site; what is wrong with one is told with the place.

mod css;
mod xpath;

pub use css::{AttributeTest, Combinator, Complex, Compound, Nth, Selector, Simple};
pub use xpath::{Axis, Expr, Function, NodeTest, Operator, Step, ValueKind};

use thiserror::Error;

/// Characters of an expression.
const LONGEST: usize = 2_000;
/// Expressions within expressions.
const DEEPEST: usize = 24;

/// What is wrong with an expression, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("at character {at}: {why}")]
pub struct QueryError {
    /// Of the expression, from 1.
    pub at: usize,
    pub why: String,
}

/// The characters of an expression and how far they are read.
struct Text {
    chars: Vec<char>,
    at: usize,
    depth: usize,
}

impl Text {
    fn new(text: &str) -> Result<Self, QueryError> {
        let chars: Vec<char> = text.chars().collect();
        if chars.len() > LONGEST {
            return Err(QueryError {
                at: LONGEST,
                why: format!("an expression has {LONGEST} characters at most"),
            });
        }
        Ok(Self { chars, at: 0, depth: 0 })
    }

    fn fail<T>(&self, why: impl Into<String>) -> Result<T, QueryError> {
        Err(QueryError { at: self.at + 1, why: why.into() })
    }

    /// Goes one expression deeper.
    fn enter(&mut self) -> Result<(), QueryError> {
        self.depth += 1;
        if self.depth > DEEPEST { self.fail("too many expressions stand within one another") } else { Ok(()) }
    }

    const fn leave(&mut self) {
        self.depth -= 1;
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn peek_at(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn is_over(&self) -> bool {
        self.at >= self.chars.len()
    }

    /// Whether there were blanks.
    fn blanks(&mut self) -> bool {
        let before = self.at;
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
        self.at > before
    }

    /// Takes a text that stands here.
    fn take(&mut self, text: &str) -> bool {
        let found = text.chars().enumerate().all(|(n, c)| self.peek_at(n) == Some(c));
        if found {
            self.at += text.chars().count();
        }
        found
    }

    fn expect(&mut self, text: &str) -> Result<(), QueryError> {
        if self.take(text) {
            Ok(())
        } else {
            self.fail(format!("“{text}” is expected, {} stands here", self.here()))
        }
    }

    /// What stands here, for messages.
    fn here(&self) -> String {
        self.peek().map_or_else(|| "the end".to_owned(), |c| format!("“{c}”"))
    }

    fn word(&mut self, is_part: impl Fn(char) -> bool) -> String {
        let start = self.at;
        while self.peek().is_some_and(&is_part) {
            self.at += 1;
        }
        self.chars[start..self.at].iter().collect()
    }

    /// A text between quotes.
    fn quoted(&mut self) -> Result<String, QueryError> {
        let Some(quote @ ('"' | '\'')) = self.peek() else {
            return self.fail(format!("a text in quotes is expected, {} stands here", self.here()));
        };
        let begin = self.at;
        self.at += 1;
        let text = self.word(|c| c != quote);
        if self.is_over() {
            self.at = begin;
            return self.fail("this quote is not closed");
        }
        self.at += 1;
        Ok(text)
    }
}
