//! From the syntax tree to a compiled expression: names become slots, and every mistake that can be seen is found.

use std::ops::Range;
use std::sync::Arc;

use cel::common::ast::{CallExpr, EntryExpr, Expr, IdedExpr, LiteralValue};

use crate::text::nearest;

use super::error::ExpressionError;
use super::functions::{FUNCTIONS, Function, Shape};
use super::node::{Each, EachKind, Field, Index, Node, Operator};
use super::number::Exact;
use super::syntax::{MACROS, Places, as_macro, with_tree};
use super::value::Val;
use super::{Builtins, Scope, Variable};

/// How deep an expression may nest once it is compiled; `&&` and `||` chains of any length count by their logarithm.
const MAX_DEPTH: usize = 200;
/// The memory a compiled pattern may take, in bytes.
const PATTERN_SIZE: usize = 1 << 20;

/// What CEL has and recorded JSON doesn't.
const UNSUPPORTED: &[&str] =
    &["bytes", "duration", "dyn", "timestamp", "type", "uint", "getFullYear", "getMonth", "getHours", "format", "optional"];
const TYPE_NAMES: &[&str] = &["bool", "bytes", "double", "int", "list", "map", "null_type", "string", "type", "uint"];

/// A compiled expression.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) source: Box<str>,
    pub(super) root: Node,
    pub(super) reads: Box<[Variable]>,
    /// The names of `reads` as they are written.
    pub(super) names: Box<[Box<str>]>,
    /// The positions in `reads` of facts and computed values that it can't do without (see [`Node::needs`]).
    pub(super) needs: Box<[usize]>,
}

/// Compiles a source against the names it may read.
pub(super) fn compile(source: &str, scope: &Scope) -> Result<Compiled, ExpressionError> {
    with_tree(source, |tree, places| {
        let mut compiler = Compiler { places, scope, reads: Vec::new(), names: Vec::new(), bound: Vec::new() };
        let root = compiler.node(tree, MAX_DEPTH)?;
        let Compiler { reads, names, .. } = compiler;
        let may_lack = |variable: &Variable| matches!(variable, Variable::Fact(_) | Variable::Computed(_));
        let needs = (reads.iter().enumerate())
            .filter(|(index, variable)| may_lack(variable) && root.needs(*index))
            .map(|(index, _)| index)
            .collect();
        Ok(Compiled { source: source.into(), root, reads: reads.into(), names: names.into(), needs })
    })
}

struct Compiler<'c> {
    places: &'c Places<'c>,
    scope: &'c Scope,
    reads: Vec<Variable>,
    names: Vec<Box<str>>,
    /// The names that macros bind around the current place, outermost first.
    bound: Vec<String>,
}

impl Builtins {
    fn names(self) -> &'static [(&'static str, Variable)] {
        match self {
            Builtins::Call => &[
                ("args", Variable::Args),
                ("tool", Variable::Tool),
                ("conversation", Variable::Conversation),
                ("user_request", Variable::UserRequest),
            ],
            Builtins::Result => &[
                ("result", Variable::Result),
                ("result_text", Variable::ResultText),
                ("args", Variable::Args),
                ("tool", Variable::Tool),
            ],
        }
    }
}

impl Compiler<'_> {
    fn node(&mut self, expr: &IdedExpr, depth: usize) -> Result<Node, ExpressionError> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(ExpressionError::new("the expression is nested too deeply", self.places.token(expr.id)));
        };
        match &expr.expr {
            Expr::Literal(literal) => self.literal(literal, expr.id).map(Node::Constant),
            Expr::Ident(name) => self.name(name, self.places.token(expr.id)),
            Expr::Select(select) => {
                let of = self.node(&select.operand, depth)?;
                Ok(self.field(of, &select.field))
            }
            Expr::List(list) => {
                let items = list.elements.iter().map(|item| self.node(item, depth)).collect::<Result<Vec<_>, _>>()?;
                Ok(fold_list(items))
            }
            Expr::Map(map) => {
                let mut entries = Vec::with_capacity(map.entries.len());
                for entry in &map.entries {
                    let EntryExpr::MapEntry(entry) = &entry.expr else { return Err(self.unsupported(expr)) };
                    let key = self.node(&entry.key, depth)?;
                    if let Node::Constant(key) = &key
                        && key.as_text().is_none()
                    {
                        let message = format!("the key of a map is a text, not {}", key.kind());
                        return Err(ExpressionError::new(message, self.places.whole(&entry.key)));
                    }
                    entries.push([key, self.node(&entry.value, depth)?]);
                }
                Ok(Node::Map(entries))
            }
            Expr::Call(call) => self.call(call, expr, depth),
            _ => Err(self.unsupported(expr)),
        }
    }

    fn unsupported(&self, expr: &IdedExpr) -> ExpressionError {
        ExpressionError::new("message literals are not supported", self.places.token(expr.id))
            .help("write a map: `{'key': value}`")
    }

    fn literal(&self, literal: &LiteralValue, id: u64) -> Result<Val<'static>, ExpressionError> {
        let negative = match literal {
            LiteralValue::Null => return Ok(Val::Null),
            LiteralValue::Boolean(truth) => return Ok(Val::Bool(*truth.inner())),
            LiteralValue::String(text) => return Ok(Val::Made(text.inner().into())),
            LiteralValue::Bytes(_) => {
                return Err(ExpressionError::new("bytes are not supported", self.places.token(id)).help("write a text"));
            }
            LiteralValue::Int(number) => *number.inner() < 0,
            LiteralValue::UInt(_) => false,
            LiteralValue::Double(number) => number.inner().is_sign_negative(),
        };
        // The number is read as it is spelled: the parser's own value may be rounded.
        let span = self.places.token(id);
        let spelling = self.places.source.get(span.clone()).unwrap_or_default().trim_end_matches(['u', 'U']);
        let number = match spelling.strip_prefix("0x") {
            Some(digits) => i64::from_str_radix(digits, 16).ok().map(Exact::from),
            None => Exact::from_spelling(spelling),
        };
        let number = number.ok_or_else(|| ExpressionError::new(format!("`{spelling}` can't be read"), span))?;
        Ok(Val::Number(if negative { number.negate() } else { number }))
    }

    fn name(&mut self, name: &str, span: Range<usize>) -> Result<Node, ExpressionError> {
        if let Some(local) = self.bound.iter().rposition(|bound| bound == name) {
            return Ok(Node::Local(local));
        }
        let position = |names: &[String]| names.iter().position(|known| known == name);
        let scope = self.scope;
        let variable = if position(&scope.arguments).is_some() {
            Variable::Argument(name.into())
        } else if let Some(index) = position(&scope.facts) {
            Variable::Fact(index)
        } else if let Some(index) = position(&scope.computed) {
            Variable::Computed(index)
        } else if let Some((_, value)) = scope.constants.iter().find(|(known, _)| known == name) {
            return Ok(Node::Constant(Val::owned(value)));
        } else if let Some((_, variable)) = scope.builtins.names().iter().find(|(known, _)| *known == name) {
            variable.clone()
        } else if scope.open_arguments && !name.starts_with('.') {
            Variable::Argument(name.into())
        } else {
            return Err(self.unknown_name(name, span));
        };
        let index = self.reads.iter().position(|read| *read == variable).unwrap_or_else(|| {
            self.reads.push(variable.clone());
            self.names.push(name.into());
            self.reads.len() - 1
        });
        Ok(Node::Variable { index, or_null: matches!(variable, Variable::Argument(_)) })
    }

    fn unknown_name(&self, name: &str, span: Range<usize>) -> ExpressionError {
        let scope = self.scope;
        let known = (scope.arguments.iter().chain(&scope.facts).chain(&scope.computed).map(String::as_str))
            .chain(scope.constants.iter().map(|(known, _)| known.as_str()))
            .chain(scope.builtins.names().iter().map(|(known, _)| *known))
            .chain(self.bound.iter().map(String::as_str));
        let other = match scope.builtins {
            Builtins::Call => Builtins::Result,
            Builtins::Result => Builtins::Call,
        };
        let error = ExpressionError::new(format!("unknown name `{name}`"), span);
        if other.names().iter().any(|(known, _)| *known == name) {
            return error.help(match scope.builtins {
                Builtins::Call => "recorded results are read only by a fact's `from` and by `[outcome]`",
                Builtins::Result => "the conversation is not read where facts are taken from results",
            });
        }
        match nearest(name, known) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None if TYPE_NAMES.contains(&name) => error.help("types are no values here"),
            None => error,
        }
    }

    fn is_args(&self, node: &Node) -> bool {
        matches!(node, Node::Variable { index, .. } if self.reads.get(*index) == Some(&Variable::Args))
    }

    fn field(&self, of: Node, key: &str) -> Node {
        let or_null = self.is_args(&of);
        Node::Field(Box::new(Field { of, key: key.into(), or_null }))
    }

    fn nodes(&mut self, exprs: &[IdedExpr], depth: usize) -> Result<Vec<Node>, ExpressionError> {
        exprs.iter().map(|expr| self.node(expr, depth)).collect()
    }

    fn call(&mut self, call: &CallExpr, expr: &IdedExpr, depth: usize) -> Result<Node, ExpressionError> {
        if let Some((target, bound, bodies)) = as_macro(call) {
            return self.each(&call.func_name, target, bound, bodies, depth);
        }
        if let (None, "has", [path]) = (&call.target, call.func_name.as_str(), call.args.as_slice()) {
            return self.has(path, depth);
        }
        if call.func_name == "matches" && call.args.len() + usize::from(call.target.is_some()) == 2 {
            return self.matches(call, depth);
        }
        let operator = Operator::ALL.iter().find(|(_, name, _)| *name == call.func_name).map(|(operator, _, _)| *operator);
        let is_operator = operator.is_some() || call.func_name.starts_with(['_', '!', '-']);
        if !is_operator || call.target.is_some() {
            return self.function(call, expr, depth);
        }
        let mut parts = self.nodes(&call.args, depth)?.into_iter();
        let mut next = || parts.next().unwrap_or(Node::Constant(Val::Null));
        Ok(match (operator, call.func_name.as_str()) {
            (Some(operator), _) => Node::Binary(operator, Box::new([next(), next()])),
            (None, "_&&_") => Node::And(Box::new([next(), next()])),
            (None, "_||_") => Node::Or(Box::new([next(), next()])),
            (None, "_?_:_") => Node::If(Box::new([next(), next(), next()])),
            (None, "!_") => Node::Not(Box::new(next())),
            (None, "-_") => Node::Negate(Box::new(next())),
            (None, "_[_]") => match (next(), next()) {
                (of, Node::Constant(key)) if key.as_text().is_some() => self.field(of, key.as_text().unwrap_or_default()),
                (of, key) => {
                    let or_null = self.is_args(&of);
                    Node::Index(Box::new(Index { of, key, or_null }))
                }
            },
            // A function whose name begins with `_`.
            _ => return self.function(call, expr, depth),
        })
    }

    fn each(
        &mut self,
        name: &str,
        target: &IdedExpr,
        bound: &IdedExpr,
        bodies: &[IdedExpr],
        depth: usize,
    ) -> Result<Node, ExpressionError> {
        let Expr::Ident(variable) = &bound.expr else {
            let message = format!("the first argument of `{name}` is the plain name that it binds");
            return Err(ExpressionError::new(message, self.places.whole(bound)));
        };
        let kind = match name {
            "all" => EachKind::All,
            "exists" => EachKind::Exists,
            "filter" => EachKind::Filter,
            "map" => EachKind::Map,
            _ => EachKind::ExistsOne,
        };
        let over = self.node(target, depth)?;
        let outside = self.bound.len();
        self.bound.push(variable.clone());
        let compiled = self.nodes(bodies, depth);
        self.bound.pop();
        let mut bodies = compiled?;
        let body = bodies.pop().unwrap_or(Node::Constant(Val::Null));
        Ok(Node::Each(Box::new(Each { kind, over, depth: outside, keep: bodies.pop(), body })))
    }

    fn has(&mut self, path: &IdedExpr, depth: usize) -> Result<Node, ExpressionError> {
        let span = self.places.whole(path);
        let path = self.node(path, depth)?;
        let may_lack = match &path {
            Node::Variable { index, .. } => {
                matches!(self.reads.get(*index), Some(Variable::Argument(_) | Variable::Fact(_) | Variable::Computed(_)))
            }
            Node::Field(_) | Node::Index(_) => true,
            _ => false,
        };
        if !may_lack {
            return Err(ExpressionError::new("`has()` asks for what may be missing", span)
                .help("an argument, a fact, a computed value, or a field of a value: `has(user.email)`"));
        }
        Ok(Node::Has(Box::new(path)))
    }

    fn matches(&mut self, call: &CallExpr, depth: usize) -> Result<Node, ExpressionError> {
        let mut arguments = call.target.as_deref().into_iter().chain(&call.args);
        let (Some(text), Some(pattern)) = (arguments.next(), arguments.next()) else {
            return Err(ExpressionError::new("`matches` takes a text and a pattern", 0..self.places.source.len()));
        };
        let span = self.places.whole(pattern);
        let text = self.node(text, depth)?;
        let Node::Constant(pattern) = self.node(pattern, depth)? else {
            return Err(ExpressionError::new("the pattern of `matches` must be a literal text or a constant", span));
        };
        let Some(source) = pattern.as_text() else {
            return Err(ExpressionError::new(format!("the pattern of `matches` is a text, not {}", pattern.kind()), span));
        };
        let built = regex::RegexBuilder::new(source).size_limit(PATTERN_SIZE).dfa_size_limit(PATTERN_SIZE).build();
        let pattern = built.map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => ExpressionError::new("the pattern is too large", span.clone()),
            other => {
                let text = other.to_string();
                let reason = text.rsplit("error: ").next().unwrap_or_default().trim();
                let error = ExpressionError::new(format!("the pattern can't be read: {reason}"), span.clone());
                if source.contains("(?=") || source.contains("(?!") || source.contains("(?<") {
                    error.help("patterns have no look-around and no back-references")
                } else {
                    error
                }
            }
        })?;
        Ok(Node::Matches(Box::new((text, pattern))))
    }

    fn function(&mut self, call: &CallExpr, expr: &IdedExpr, depth: usize) -> Result<Node, ExpressionError> {
        let name = call.func_name.as_str();
        let span = self.places.called(expr.id);
        let Ok(found) = FUNCTIONS.binary_search_by(|function| function.name.cmp(name)) else {
            return Err(unknown_function(call, span));
        };
        let Some(function) = FUNCTIONS.get(found) else { return Err(unknown_function(call, span)) };
        match (function.shape, &call.target) {
            (Shape::Global, Some(_)) => {
                return Err(ExpressionError::new(format!("`{name}` is not called on a value"), span)
                    .help(format!("write `{name}(x)`")));
            }
            (Shape::Method, None) => {
                return Err(ExpressionError::new(format!("`{name}` is called on a value"), span)
                    .help(format!("write `x.{name}(…)`")));
            }
            _ => {}
        }
        let arguments = call.target.as_deref().into_iter().chain(&call.args);
        let arguments = arguments.map(|argument| self.node(argument, depth)).collect::<Result<Vec<_>, _>>()?;
        if arguments.len() < function.least || arguments.len() > function.most {
            return Err(wrong_count(function, call, span));
        }
        Ok(Node::Call(function, arguments))
    }
}

fn unknown_function(call: &CallExpr, span: Range<usize>) -> ExpressionError {
    let name = call.func_name.as_str();
    if let Some((_, arities)) = MACROS.iter().find(|(known, _)| *known == name) {
        let form = if arities.len() > 1 { "(x, …) or (x, condition, …)" } else { "(x, …)" };
        return ExpressionError::new(format!("`{name}` takes a name and what is evaluated for each item"), span)
            .help(format!("write `items.{name}{form}`"));
    }
    match name {
        "has" => return ExpressionError::new("`has` takes one argument", span).help("write `has(x)`"),
        "matches" => {
            return ExpressionError::new("`matches` takes a pattern", span).help("write `x.matches('pattern')`");
        }
        _ if UNSUPPORTED.contains(&name) => {
            return ExpressionError::new(format!("`{name}` is not supported"), span)
                .help("values are JSON's: null, booleans, numbers, texts, lists, maps");
        }
        _ => {}
    }
    let error = ExpressionError::new(format!("unknown function `{name}`"), span);
    let known = FUNCTIONS.iter().map(|function| function.name).chain(MACROS.iter().map(|(name, _)| *name));
    match name {
        "len" | "length" | "count" => error.help("write `size(x)`"),
        "lower" | "toLowerCase" => error.help("write `x.lowerAscii()`"),
        "upper" | "toUpperCase" => error.help("write `x.upperAscii()`"),
        _ => match nearest(name, known.chain(["has", "matches"])) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error,
        },
    }
}

fn wrong_count(function: &Function, call: &CallExpr, span: Range<usize>) -> ExpressionError {
    let on = usize::from(call.target.is_some());
    let (least, most) = (function.least - on, function.most.saturating_sub(on));
    let wanted = match (least, most) {
        (least, most) if least == most => least.to_string(),
        (least, most) if most >= usize::MAX - 1 => format!("{least} or more"),
        (least, most) => format!("{least} to {most}"),
    };
    let noun = if wanted == "1" { "argument" } else { "arguments" };
    ExpressionError::new(format!("`{}` takes {wanted} {noun}, not {}", function.name, call.args.len()), span)
        .help(function.doc)
}

/// A list of constants is a constant.
fn fold_list(items: Vec<Node>) -> Node {
    if !items.iter().all(|item| matches!(item, Node::Constant(_))) {
        return Node::List(items);
    }
    let values = items.into_iter().filter_map(|item| match item {
        Node::Constant(value) => Some(value),
        _ => None,
    });
    Node::Constant(Val::List(Arc::from_iter(values)))
}
