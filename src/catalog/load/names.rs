//! The names that expressions may read: facts, constants, computed values; and where each was declared.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::catalog::expression::{Builtins, Expression, ExpressionError, Scope};
use crate::json::Value;

use super::check::Problems;
use super::diagnostic::{Diagnostic, Span};
use super::tree::{Kind, Member, Node};

/// Variables that every call has.
pub(super) const CALL_VARIABLES: [&str; 4] = ["args", "tool", "conversation", "user_request"];

/// In a `names` expression: the value to be named.
pub(super) const VALUE: &str = "value";

/// Words that the expression language keeps, and the variables that are always there.
const RESERVED: [&str; 29] = [
    "args",
    "tool",
    "conversation",
    "user_request",
    "result",
    "result_text",
    VALUE,
    "true",
    "false",
    "null",
    "in",
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
    "has",
];

/// Declared names.
#[derive(Default)]
pub(super) struct Names {
    /// Facts in their order.
    pub(super) facts: Vec<String>,
    /// Constants in their order.
    pub(super) constants: Vec<(String, Value<'static>)>,
    /// Computed values in their order.
    pub(super) computed: Vec<String>,
    /// Tools that the schemas define and that have no section: rules don't reach them.
    pub(super) without_section: Vec<String>,
    places: BTreeMap<String, (&'static str, Span, Arc<str>)>,
}

impl Names {
    /// Declares a name; false (and an error) when it can't be read by an expression or is taken.
    pub(super) fn declare(
        &mut self,
        name: &str,
        what: &'static str,
        at: &Span,
        key: &Arc<str>,
        problems: &mut Problems,
    ) -> bool {
        let error = |message: String| Diagnostic::error(message).at(at.clone(), key);
        let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.is_empty() || !name.chars().all(letters) || name.starts_with(|c: char| c.is_ascii_digit()) {
            let message = format!("`{name}` can't be the name of a {what}: expressions read it by that name");
            problems.push(error(message).help("use letters, digits and `_`, and no digit first"));
            return false;
        }
        if RESERVED.contains(&name) {
            problems
                .push(error(format!("`{name}` can't be the name of a {what}: it means something in expressions already")));
            return false;
        }
        if let Some((other, place, _)) = self.places.get(name) {
            let message = format!("the {what} `{name}` has the name of a {other}");
            problems.push(error(message).label("again here").related(place.clone(), format!("the {other}")));
            return false;
        }
        self.places.insert(name.to_owned(), (what, at.clone(), key.clone()));
        true
    }

    /// An argument of a declared tool can't have the name of a fact, a constant or a computed value.
    pub(super) fn check_arguments<'t>(&self, tool: &str, arguments: impl Iterator<Item = &'t str>, problems: &mut Problems) {
        for name in arguments {
            if let Some((what, place, key)) = self.places.get(name) {
                let error = Diagnostic::error(format!("the {what} `{name}` has the name of an argument of `{tool}`"));
                let help = format!("give the {what} another name: an expression could not tell which `{name}` it reads");
                problems.push(error.at(place.clone(), key).help(help));
            }
        }
    }

    /// `[constants]`.
    pub(super) fn read_constants(&mut self, node: Option<&Node>, problems: &mut Problems) {
        let Some(node) = node else { return };
        let Kind::Table(members) = &node.value else {
            problems.expected(node, "a table of names and values");
            return;
        };
        for Member { key, key_span, node } in members {
            if let Some(no_json) = node.no_json() {
                problems.push(no_json.error(format!("a constant can't be {}", no_json.kind())));
            } else if self.declare(key, "constant", key_span, &node.path, problems) {
                self.constants.push((key.clone(), node.to_json()));
            }
        }
    }

    /// What an expression over a call may read.
    pub(super) fn call_scope(&self, arguments: Vec<String>, open_arguments: bool) -> Scope {
        let (facts, computed, constants) = (self.facts.clone(), self.computed.clone(), self.constants.clone());
        Scope { arguments, open_arguments, facts, computed, constants, builtins: Builtins::Call }
    }

    /// What an expression over a recorded result may read.
    pub(super) fn result_scope(&self) -> Scope {
        Scope { constants: self.constants.clone(), builtins: Builtins::Result, ..self.empty() }
    }

    /// What a gate may read.
    pub(super) fn gate_scope(&self) -> Scope {
        Scope { facts: self.facts.clone(), constants: self.constants.clone(), ..self.empty() }
    }

    fn empty(&self) -> Scope {
        Scope {
            arguments: Vec::new(),
            open_arguments: false,
            facts: Vec::new(),
            computed: Vec::new(),
            constants: Vec::new(),
            builtins: Builtins::Call,
        }
    }
}

/// Compiles the expression that a node holds.
pub(super) fn compile(node: &Node, scope: &Scope, problems: &mut Problems) -> Option<Arc<Expression>> {
    let source = problems.text(node)?;
    match Expression::compile(source, scope) {
        Ok(expression) => Some(Arc::new(expression)),
        Err(error) => {
            problems.push(located(node, error));
            None
        }
    }
}

/// An error in the expression that a node holds, at its place in the file.
pub(super) fn located(node: &Node, error: ExpressionError) -> Diagnostic {
    node.error_within(error.span, error.message).maybe_help(error.help)
}
