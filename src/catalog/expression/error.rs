//! What can go wrong: mistakes found when an expression is loaded, and failures while it runs.

use std::ops::Range;

/// A mistake in an expression, found when it is loaded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ExpressionError {
    /// What is wrong, in a line.
    pub message: String,
    /// Where: bytes in the expression's source.
    pub span: Range<usize>,
    /// What to write instead, where that can be told.
    pub help: Option<String>,
}

impl ExpressionError {
    pub(super) fn new(message: impl Into<String>, span: Range<usize>) -> Self {
        ExpressionError { message: message.into(), span, help: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Why an expression is neither true nor false.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unevaluated {
    /// The facts that it reads and nobody gave, as indexes into `Scope::facts`.
    pub missing_facts: Vec<usize>,
    /// What happened, in words.
    pub reason: String,
}

/// What stops an evaluation; turned into an [`Unevaluated`] at the end, since most failures are absorbed on the way.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Failure {
    #[error("nobody gave the fact")]
    NotGiven { variable: usize },
    #[error("{}", .unevaluated.reason)]
    NoValue { variable: usize, unevaluated: Box<Unevaluated> },
    #[error("`{operator}` is not defined for {} and {}", .kinds.0, .kinds.1)]
    Operands { operator: &'static str, kinds: Box<(&'static str, &'static str)> },
    #[error("`{function}` is not defined for {kind}")]
    Operand { function: &'static str, kind: &'static str },
    #[error("it gives {kind}, not true or false")]
    NotTruth { kind: &'static str },
    #[error("{kind} has no field `{key}`")]
    NoFields { kind: &'static str, key: Box<str> },
    #[error("there is no key `{key}`")]
    NoKey { key: Box<str> },
    #[error("there is no item {index} in a list of {length}")]
    NoItem { index: Box<str>, length: usize },
    #[error("the position of an item is a whole number, not {shown}")]
    NoPosition { shown: Box<str> },
    #[error("the key of a map is a text, not {kind}")]
    KeyKind { kind: &'static str },
    #[error("the key `{key}` is given twice")]
    KeyTwice { key: Box<str> },
    #[error("`{text}` is no {wanted}")]
    Conversion { text: Box<str>, wanted: &'static str },
    #[error("the number has more digits than can be computed with exactly (38)")]
    Overflow,
    #[error("the quotient can't be written as an exact decimal")]
    Inexact,
    #[error("division by zero")]
    DivisionByZero,
    #[error("`%` needs whole numbers")]
    NotWhole,
    #[error("`{function}` is given a position outside of the text")]
    Position { function: &'static str },
    #[error("`{function}` is given an empty list")]
    Empty { function: &'static str },
    #[error("it takes more than {} steps", super::MAX_STEPS)]
    Budget,
}

impl Failure {
    /// Whether `||` and `&&` must not absorb it: running out of steps ends the whole evaluation.
    pub(super) fn is_final(&self) -> bool {
        matches!(self, Failure::Budget)
    }
}

/// A text in a message, cut at a length for people.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}
