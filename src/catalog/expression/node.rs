//! A compiled expression: names are resolved to slots, constants are values, patterns are compiled.

use super::functions::Function;
use super::value::Val;

/// One node of a compiled expression.
#[derive(Debug)]
pub(super) enum Node {
    /// A literal or a constant of the catalog.
    Constant(Val<'static>),
    /// A variable, by its position in the expression's reads; `or_null`: read as null when nobody gave it.
    Variable { index: usize, or_null: bool },
    /// A name that a macro bound, by its distance from the outermost.
    Local(usize),
    /// `of.key`, `of[key]` with a constant text.
    Field(Box<Field>),
    /// `of[key]`.
    Index(Box<Index>),
    /// `has(path)`.
    Has(Box<Node>),
    /// `!x`.
    Not(Box<Node>),
    /// `-x`.
    Negate(Box<Node>),
    /// Operators on two values that are both evaluated.
    Binary(Operator, Box<[Node; 2]>),
    /// `a && b`.
    And(Box<[Node; 2]>),
    /// `a || b`.
    Or(Box<[Node; 2]>),
    /// `a ? b : c`.
    If(Box<[Node; 3]>),
    /// `[a, b]`.
    List(Vec<Node>),
    /// `{'a': b}`.
    Map(Vec<[Node; 2]>),
    /// `x.matches('pattern')`.
    Matches(Box<(Node, regex::Regex)>),
    /// A function of the table.
    Call(&'static Function, Vec<Node>),
    /// A macro over a list or the keys of a map.
    Each(Box<Each>),
}

/// The field of a map; `or_null`: a key that isn't there reads as null (an argument that a call leaves out).
#[derive(Debug)]
pub(super) struct Field {
    pub(super) of: Node,
    pub(super) key: Box<str>,
    pub(super) or_null: bool,
}

/// An item of a list by its position, or of a map by its key.
#[derive(Debug)]
pub(super) struct Index {
    pub(super) of: Node,
    pub(super) key: Node,
    pub(super) or_null: bool,
}

/// A macro: `over.kind(local, body)`, `map` with `keep` as the condition in the middle.
#[derive(Debug)]
pub(super) struct Each {
    pub(super) kind: EachKind,
    pub(super) over: Node,
    /// How many names are bound outside; the macro's own name is the next.
    pub(super) depth: usize,
    pub(super) keep: Option<Node>,
    pub(super) body: Node,
}

/// What a macro makes of the values of its body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EachKind {
    All,
    Exists,
    ExistsOne,
    Filter,
    Map,
}

/// The operators that evaluate both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
}

impl Operator {
    /// Every operator with the parser's name for it and its own.
    pub(super) const ALL: [(Operator, &'static str, &'static str); 12] = [
        (Operator::Add, "_+_", "+"),
        (Operator::Subtract, "_-_", "-"),
        (Operator::Multiply, "_*_", "*"),
        (Operator::Divide, "_/_", "/"),
        (Operator::Remainder, "_%_", "%"),
        (Operator::Equal, "_==_", "=="),
        (Operator::NotEqual, "_!=_", "!="),
        (Operator::Less, "_<_", "<"),
        (Operator::LessOrEqual, "_<=_", "<="),
        (Operator::Greater, "_>_", ">"),
        (Operator::GreaterOrEqual, "_>=_", ">="),
        (Operator::In, "@in", "in"),
    ];

    /// How it is written.
    pub(super) fn symbol(self) -> &'static str {
        Operator::ALL.iter().find(|(operator, _, _)| *operator == self).map_or("", |(_, _, symbol)| symbol)
    }

    /// Whether its result is true or false.
    pub(super) fn is_test(self) -> bool {
        !matches!(self, Operator::Add | Operator::Subtract | Operator::Multiply | Operator::Divide | Operator::Remainder)
    }
}

/// What is known of an expression while one variable isn't given: what `has()` alone decides, and whether the variable
/// is read outside of the places that this decides away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Without {
    known: Option<bool>,
    reads: bool,
}

impl Node {
    /// Whether the expression reads the variable anywhere but in the argument of a `has()`, or where a `has()` on the
    /// same variable keeps it from being needed:
    ///
    /// - with the variable not given, `has(v)` and `has(v.x)` are false; this goes through `!`, `&&`, `||` and the `?:` that it decides;
    /// - a side of `&&` (`||`) needs nothing when the other side, left or right of it, is false (true) that way;
    /// - the branch of `?:` that isn't taken needs nothing.
    pub(super) fn needs(&self, variable: usize) -> bool {
        self.without(variable).reads
    }

    fn without(&self, variable: usize) -> Without {
        match self {
            Node::Variable { index, .. } => Without { known: None, reads: *index == variable },
            Node::Has(path) => {
                let known = (path.root() == Some(variable)).then_some(false);
                Without { known, reads: if known.is_some() { path.keys_need(variable) } else { path.needs(variable) } }
            }
            Node::Not(inner) => {
                let inner = inner.without(variable);
                Without { known: inner.known.map(|known| !known), reads: inner.reads }
            }
            Node::And(sides) => decided(sides, false, variable),
            Node::Or(sides) => decided(sides, true, variable),
            Node::If(parts) => {
                let [condition, yes, no] = parts.each_ref().map(|part| part.without(variable));
                match condition.known {
                    Some(true) => Without { known: yes.known, reads: condition.reads || yes.reads },
                    Some(false) => Without { known: no.known, reads: condition.reads || no.reads },
                    // Even where both branches agree: the condition may be in error, and then the whole is.
                    None => Without { known: None, reads: condition.reads || yes.reads || no.reads },
                }
            }
            _ => Without { known: None, reads: self.children().into_iter().any(|child| child.needs(variable)) },
        }
    }

    /// The variable that a path begins with: `a` of `a.b['c']`.
    fn root(&self) -> Option<usize> {
        match self {
            Node::Variable { index, .. } => Some(*index),
            Node::Field(field) => field.of.root(),
            Node::Index(index) => index.of.root(),
            _ => None,
        }
    }

    fn keys_need(&self, variable: usize) -> bool {
        match self {
            Node::Field(field) => field.of.keys_need(variable),
            Node::Index(index) => index.key.needs(variable) || index.of.keys_need(variable),
            _ => false,
        }
    }

    fn children(&self) -> Vec<&Node> {
        match self {
            Node::Constant(_) | Node::Variable { .. } | Node::Local(_) => Vec::new(),
            Node::Has(inner) | Node::Not(inner) | Node::Negate(inner) => vec![inner],
            Node::Field(field) => vec![&field.of],
            Node::Index(index) => vec![&index.of, &index.key],
            Node::Binary(_, sides) | Node::And(sides) | Node::Or(sides) => sides.iter().collect(),
            Node::If(parts) => parts.iter().collect(),
            Node::List(items) | Node::Call(_, items) => items.iter().collect(),
            Node::Map(entries) => entries.iter().flatten().collect(),
            Node::Matches(parts) => vec![&parts.0],
            Node::Each(each) => [&each.over].into_iter().chain(&each.keep).chain([&each.body]).collect(),
        }
    }
}

/// `&&` (`decisive` = false) and `||` (`decisive` = true).
fn decided(sides: &[Node; 2], decisive: bool, variable: usize) -> Without {
    let [left, right] = sides.each_ref().map(|side| side.without(variable));
    if left.known == Some(decisive) {
        return Without { known: left.known, reads: left.reads };
    }
    if right.known == Some(decisive) {
        return Without { known: right.known, reads: right.reads };
    }
    let known = if left.known == Some(!decisive) && right.known == Some(!decisive) { left.known } else { None };
    Without { known, reads: left.reads || right.reads }
}
