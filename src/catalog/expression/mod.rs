//! Expressions: CEL syntax over JSON values with exact numbers and three outcomes.
//!
//! An expression is compiled once against the names it may read ([`Scope`]) and evaluated for every call against their
//! values ([`Environment`]). It is true, false or *unevaluated*, and then says why:
//!
//! - **Numbers** are one kind, exact decimals: `0.1 + 0.2 == 0.3`, `1 == 1.0`, integers of any size compare exactly.
//!   Arithmetic that can't be exact within 38 digits fails instead of rounding. `5 / 2` is `2.5` (JSON doesn't tell
//!   integers from other numbers), `1 / 3` fails, `%` wants whole numbers; `int(x)` drops the fraction.
//! - **A fact that nobody gave** makes every expression that reads it unevaluated, even where `||` or `&&` wouldn't need
//!   it; unless the read is guarded: it is the argument of `has()`, or a `has()` on that same fact decides that it isn't
//!   needed (`has(role) && role == 'staff'`, `!has(role) || …`, `has(role) ? … : …`; of `&&` and `||` either side may
//!   guard the other).
//! - **Arguments that a call leaves out** read as null, and `has(x)`, `has(args.x)` are false for them (and for an
//!   explicit null). `has(fact)` says whether the fact was given (also as null), `has(fact.a.b)` whether the whole path is
//!   there, `has(computed)` whether it has the facts that it is computed from.
//! - **Errors** (wrong types, missing keys, no such item, too many steps) make the expression unevaluated. As in CEL,
//!   `&&` and `||` absorb an error of one side when the other side decides; running out of steps is never absorbed.
//! - Values of different types are unequal; ordering them is an error. `x in map` asks for a key.
//!
//! The parser is the crate `cel`, which only `syntax` and `compile` know of.

mod compile;
mod each;
mod error;
mod evaluate;
mod functions;
mod meter;
mod node;
mod number;
mod syntax;
mod types;
mod value;

#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use error::{ExpressionError, Unevaluated};
pub use functions::{FUNCTIONS, Function, Shape};
pub use number::Exact;
pub use syntax::free_names;
pub use types::Type;
pub use value::{Items, Val};

use crate::json;

/// How many steps an evaluation may take: a node, an item of a list that a macro goes over, or 256 bytes of text.
pub const MAX_STEPS: u32 = 100_000;

/// The names an expression may read, and what they are. A name that is in several places is taken from the first.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// The arguments of the call, as its tool's schema declares them.
    pub arguments: Vec<String>,
    /// Whether any unknown name is taken for an argument, because the schema isn't known when the catalog is loaded.
    pub open_arguments: bool,
    /// What the application knows at the call.
    pub facts: Vec<String>,
    /// Values computed by other expressions.
    pub computed: Vec<String>,
    /// Names with a value of their own, folded into the expression.
    pub constants: Vec<(String, json::Value<'static>)>,
    /// Which of the built-in names there are.
    pub builtins: Builtins,
}

/// The built-in names, by where an expression stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Builtins {
    /// About a proposed call: `args`, `tool`, `conversation`, `user_request`.
    #[default]
    Call,
    /// About a recorded result: `result`, `result_text`, `args`, `tool`.
    Result,
}

/// What an expression reads.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Variable {
    /// An argument of the call, by its name.
    Argument(Arc<str>),
    /// A fact, by its index in [`Scope::facts`].
    Fact(usize),
    /// A computed value, by its index in [`Scope::computed`].
    Computed(usize),
    /// All arguments of the call, a map.
    Args,
    /// The name of the called tool.
    Tool,
    /// The whole conversation as text.
    Conversation,
    /// The user's own messages as text.
    UserRequest,
    /// A recorded result: its JSON where it is JSON, else its text.
    Result,
    /// A recorded result as text.
    ResultText,
}

/// What an environment has for a variable.
#[derive(Debug, Clone)]
pub enum Binding<'v> {
    /// Its value. An argument that the call leaves out is given as null.
    Given(Val<'v>),
    /// Nothing: a fact that nobody gave.
    NotGiven,
    /// Nothing, for this reason: a computed value that has none.
    Unevaluated(Unevaluated),
}

/// The values of the variables for one evaluation. A variable may be asked for more than once.
pub trait Environment<'v> {
    /// What is known of a variable.
    fn get(&self, variable: &Variable) -> Binding<'v>;
}

/// What an expression says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Truth {
    /// It is true.
    Holds,
    /// It is false.
    Fails,
    /// It is neither, for this reason.
    Unevaluated(Unevaluated),
}

/// A compiled expression; cheap to clone.
#[derive(Debug, Clone)]
pub struct Expression(Arc<compile::Compiled>);

impl Expression {
    /// Compiles a source. Unknown names and functions, wrong numbers of arguments and bad patterns are errors with their
    /// place.
    ///
    /// ```
    /// use dryguard::catalog::expression::{Expression, Scope};
    ///
    /// let scope = Scope { arguments: vec!["amount".into()], ..Scope::default() };
    /// assert!(Expression::compile("amount <= 2000", &scope).is_ok());
    /// let error = Expression::compile("amuont <= 2000", &scope).unwrap_err();
    /// assert_eq!((error.span, error.help.as_deref()), (0..6, Some("did you mean `amount`?")));
    /// ```
    pub fn compile(source: &str, scope: &Scope) -> Result<Expression, ExpressionError> {
        compile::compile(source, scope).map(|compiled| Expression(Arc::new(compiled)))
    }

    /// The text it was compiled from.
    pub fn source(&self) -> &str {
        &self.0.source
    }

    /// Each variable that it reads, once, in the order of first use.
    pub fn reads(&self) -> &[Variable] {
        &self.0.reads
    }

    /// Its value, or why it has none.
    pub fn evaluate<'v>(&self, environment: &dyn Environment<'v>) -> Result<Val<'v>, Unevaluated> {
        evaluate::value(&self.0, environment)
    }

    /// Whether it is true; a value that is no boolean leaves it unevaluated.
    pub fn holds<'v>(&self, environment: &dyn Environment<'v>) -> Truth {
        match evaluate::truth(&self.0, environment) {
            Ok(true) => Truth::Holds,
            Ok(false) => Truth::Fails,
            Err(unevaluated) => Truth::Unevaluated(unevaluated),
        }
    }

    /// The variables that it reads with their values as text, in the order of first use, long values cut: what a message
    /// shows as `amount = 900, spent_today = 1500`.
    pub fn witnesses<'v>(&self, environment: &dyn Environment<'v>) -> Vec<(String, String)> {
        evaluate::witnesses(&self.0, environment)
    }
}

const _: fn() = || {
    fn shared_between_workers<T: Send + Sync>() {}
    shared_between_workers::<Expression>();
};
