//! Evaluation of a compiled expression: a walk over its nodes with values borrowed wherever they live.

use std::borrow::Cow;
use std::sync::Arc;

use super::compile::Compiled;
use super::error::{Failure, Unevaluated, cut};
use super::meter::Meter;
use super::node::{EachKind, Index, Node, Operator};
use super::value::Val;
use super::{Binding, Environment, Variable};

/// How many of the values that an expression needs are kept at hand; more are asked for again when they are read.
const SLOTS: usize = 4;
/// The longest value that a message shows, in characters.
const WITNESS_LENGTH: usize = 80;

/// A value on the way: borrowed from the expression or the slots, or made.
pub(super) type Found<'m, 'v> = Cow<'m, Val<'v>>;
/// The values of the names that macros bind, outermost first.
pub(super) type Locals<'v> = Vec<Val<'v>>;

/// One evaluation of an expression.
pub(super) struct Run<'m, 'v> {
    compiled: &'m Compiled,
    environment: &'m dyn Environment<'v>,
    slots: [Option<Val<'v>>; SLOTS],
    pub(super) meter: Meter,
}

/// The value of an expression.
pub(super) fn value<'v>(compiled: &Compiled, environment: &dyn Environment<'v>) -> Result<Val<'v>, Unevaluated> {
    let run = Run::prepare(compiled, environment)?;
    let found = run.value(&compiled.root, &mut Locals::new());
    found.map(Cow::into_owned).map_err(|failure| compiled.explain(failure))
}

/// Whether an expression is true.
pub(super) fn truth<'v>(compiled: &Compiled, environment: &dyn Environment<'v>) -> Result<bool, Unevaluated> {
    let run = Run::prepare(compiled, environment)?;
    run.truth(&compiled.root, &mut Locals::new()).map_err(|failure| compiled.explain(failure))
}

/// The variables of an expression with their values, for a message.
pub(super) fn witnesses<'v>(compiled: &Compiled, environment: &dyn Environment<'v>) -> Vec<(String, String)> {
    let shown = |variable| match environment.get(variable) {
        // Cut before it is written out: a conversation may be long.
        Binding::Given(Val::Text(text)) => Val::from(cut(text, WITNESS_LENGTH)).to_string(),
        Binding::Given(value) => cut(&value.to_string(), WITNESS_LENGTH),
        Binding::NotGiven => "not given".to_owned(),
        Binding::Unevaluated(_) => "no value".to_owned(),
    };
    compiled.reads.iter().zip(&compiled.names).map(|(variable, name)| (name.to_string(), shown(variable))).collect()
}

impl Compiled {
    fn name(&self, variable: usize) -> &str {
        self.names.get(variable).map_or("", AsRef::as_ref)
    }

    /// A failure that nothing absorbed, in words.
    fn explain(&self, failure: Failure) -> Unevaluated {
        let missing_facts = match &failure {
            Failure::NotGiven { variable } => match self.reads.get(*variable) {
                Some(Variable::Fact(fact)) => vec![*fact],
                _ => Vec::new(),
            },
            Failure::NoValue { unevaluated, .. } => unevaluated.missing_facts.clone(),
            _ => Vec::new(),
        };
        let reason = match &failure {
            Failure::NotGiven { variable } => format!("nobody gave `{}`", self.name(*variable)),
            Failure::NoValue { variable, unevaluated } => {
                format!("`{}` has no value: {}", self.name(*variable), unevaluated.reason)
            }
            other => other.to_string(),
        };
        Unevaluated { missing_facts, reason }
    }

    /// Everything that a needed variable lacks, in one reason.
    fn lack(&self, lacking: Vec<Failure>) -> Unevaluated {
        let mut all = Unevaluated::default();
        for failure in lacking {
            let one = self.explain(failure);
            if !all.reason.is_empty() {
                all.reason.push_str("; ");
            }
            all.reason.push_str(&one.reason);
            for fact in one.missing_facts {
                if !all.missing_facts.contains(&fact) {
                    all.missing_facts.push(fact);
                }
            }
        }
        all
    }
}

impl<'m, 'v> Run<'m, 'v> {
    /// Asks for the facts and computed values that the expression can't do without: one that lacks a fact leaves the
    /// expression unevaluated, whatever the rest says.
    fn prepare(compiled: &'m Compiled, environment: &'m dyn Environment<'v>) -> Result<Self, Unevaluated> {
        let mut slots = [const { None }; SLOTS];
        let mut lacking = Vec::new();
        for &index in &compiled.needs {
            let Some(variable) = compiled.reads.get(index) else { continue };
            match environment.get(variable) {
                Binding::Given(value) => {
                    if let Some(slot) = slots.get_mut(index) {
                        *slot = Some(value);
                    }
                }
                Binding::NotGiven => lacking.push(Failure::NotGiven { variable: index }),
                // A computed value that has none for another reason is an error where it is read.
                Binding::Unevaluated(unevaluated) if unevaluated.missing_facts.is_empty() => {}
                Binding::Unevaluated(unevaluated) => {
                    lacking.push(Failure::NoValue { variable: index, unevaluated: Box::new(unevaluated) });
                }
            }
        }
        if !lacking.is_empty() {
            return Err(compiled.lack(lacking));
        }
        Ok(Run { compiled, environment, slots, meter: Meter::new() })
    }

    pub(super) fn truth(&self, node: &'m Node, locals: &mut Locals<'v>) -> Result<bool, Failure> {
        self.meter.charge(1)?;
        match node {
            Node::Binary(operator, sides) if operator.is_test() => {
                let [left, right] = sides.as_ref();
                let (left, right) = (self.value(left, locals)?, self.value(right, locals)?);
                self.test(*operator, &left, &right)
            }
            Node::And(sides) => self.decide(sides, false, locals),
            Node::Or(sides) => self.decide(sides, true, locals),
            Node::Not(inner) => Ok(!self.truth(inner, locals)?),
            Node::If(parts) => {
                let [condition, yes, no] = parts.as_ref();
                let taken = if self.truth(condition, locals)? { yes } else { no };
                self.truth(taken, locals)
            }
            Node::Has(path) => self.has(path, locals),
            Node::Matches(parts) => {
                let (text, pattern) = parts.as_ref();
                let value = self.value(text, locals)?;
                let text = value.as_text().ok_or(Failure::Operand { function: "matches", kind: value.kind() })?;
                self.meter.read(text)?;
                Ok(pattern.is_match(text))
            }
            Node::Each(each) if matches!(each.kind, EachKind::All | EachKind::Exists | EachKind::ExistsOne) => {
                self.quantify(each, locals)
            }
            other => {
                if let Node::Variable { index, .. } = other
                    && let Some(Some(Val::Bool(truth))) = self.slots.get(*index)
                {
                    return Ok(*truth);
                }
                let value = self.other(other, locals)?;
                value.as_bool().ok_or(Failure::NotTruth { kind: value.kind() })
            }
        }
    }

    pub(super) fn value(&self, node: &'m Node, locals: &mut Locals<'v>) -> Result<Found<'_, 'v>, Failure> {
        match node {
            Node::Constant(value) => return Ok(Cow::Borrowed(value)),
            Node::Variable { index, or_null } => return self.variable(*index, *or_null),
            _ => {}
        }
        let is_test = match node {
            Node::And(_) | Node::Or(_) | Node::Not(_) | Node::Has(_) | Node::Matches(_) => true,
            Node::Binary(operator, _) => operator.is_test(),
            Node::Each(each) => !matches!(each.kind, EachKind::Filter | EachKind::Map),
            _ => false,
        };
        if is_test {
            return self.truth(node, locals).map(|truth| Cow::Owned(Val::Bool(truth)));
        }
        self.meter.charge(1)?;
        self.other(node, locals)
    }

    /// The nodes that are no tests.
    fn other(&self, node: &'m Node, locals: &mut Locals<'v>) -> Result<Found<'_, 'v>, Failure> {
        let made = match node {
            Node::Constant(value) => return Ok(Cow::Borrowed(value)),
            Node::Variable { index, or_null } => return self.variable(*index, *or_null),
            Node::Local(index) => locals.get(*index).cloned().unwrap_or_default(),
            Node::Field(field) => {
                let of = self.value(&field.of, locals)?;
                self.field(&of, &field.key, field.or_null)?
            }
            Node::Index(index) => {
                let of = self.value(&index.of, locals)?;
                let key = self.value(&index.key, locals)?;
                self.index(index, &of, &key)?
            }
            Node::If(parts) => {
                let [condition, yes, no] = parts.as_ref();
                let taken = if self.truth(condition, locals)? { yes } else { no };
                return self.value(taken, locals);
            }
            Node::Binary(operator, sides) => {
                let [left, right] = sides.as_ref();
                let (left, right) = (self.value(left, locals)?, self.value(right, locals)?);
                self.arithmetic(*operator, &left, &right)?
            }
            Node::Negate(inner) => match self.value(inner, locals)?.as_ref() {
                Val::Number(number) => Val::Number(number.negate()),
                other => return Err(Failure::Operand { function: "-", kind: other.kind() }),
            },
            Node::List(items) => {
                let items = items.iter().map(|item| self.value(item, locals).map(Cow::into_owned));
                Val::List(items.collect::<Result<_, _>>()?)
            }
            Node::Map(entries) => self.map(entries, locals)?,
            Node::Call(function, arguments) => {
                // Most functions have one or two arguments, which then need no list.
                match arguments.as_slice() {
                    [one] => (function.run)(&[self.value(one, locals)?.as_ref()], &self.meter)?,
                    [one, two] => {
                        let (one, two) = (self.value(one, locals)?, self.value(two, locals)?);
                        (function.run)(&[one.as_ref(), two.as_ref()], &self.meter)?
                    }
                    several => {
                        let values = several.iter().map(|argument| self.value(argument, locals));
                        let values = values.collect::<Result<Vec<_>, _>>()?;
                        let values: Vec<&Val<'v>> = values.iter().map(AsRef::as_ref).collect();
                        (function.run)(&values, &self.meter)?
                    }
                }
            }
            Node::Each(each) => self.collect(each, locals)?,
            Node::And(_) | Node::Or(_) | Node::Not(_) | Node::Has(_) | Node::Matches(_) => {
                Val::Bool(self.truth(node, locals)?)
            }
        };
        self.weigh(&made)?;
        Ok(Cow::Owned(made))
    }

    /// A number of a million digits costs more than a step.
    #[inline]
    fn weigh(&self, value: &Val<'v>) -> Result<(), Failure> {
        match value {
            Val::Number(number) => self.meter.bytes(number.weight()),
            _ => Ok(()),
        }
    }

    fn variable(&self, index: usize, or_null: bool) -> Result<Found<'_, 'v>, Failure> {
        if let Some(Some(value)) = self.slots.get(index) {
            return Ok(Cow::Borrowed(value));
        }
        match self.compiled.reads.get(index).map(|variable| self.environment.get(variable)) {
            Some(Binding::Given(value)) => {
                self.weigh(&value)?;
                Ok(Cow::Owned(value))
            }
            Some(Binding::Unevaluated(unevaluated)) => {
                Err(Failure::NoValue { variable: index, unevaluated: Box::new(unevaluated) })
            }
            Some(Binding::NotGiven) if or_null => Ok(Cow::Owned(Val::Null)),
            Some(Binding::NotGiven) | None => Err(Failure::NotGiven { variable: index }),
        }
    }

    /// `&&` (decided by false) and `||` (decided by true): an error of one side counts only if the other doesn't decide.
    fn decide(&self, sides: &'m [Node; 2], decisive: bool, locals: &mut Locals<'v>) -> Result<bool, Failure> {
        let [left, right] = sides;
        match self.truth(left, locals) {
            Ok(truth) if truth == decisive => Ok(decisive),
            Ok(_) => self.truth(right, locals),
            Err(failure) if failure.is_final() => Err(failure),
            Err(failure) => match self.truth(right, locals) {
                Ok(truth) if truth == decisive => Ok(decisive),
                Err(other) if other.is_final() => Err(other),
                _ => Err(failure),
            },
        }
    }

    fn test(&self, operator: Operator, left: &Val<'v>, right: &Val<'v>) -> Result<bool, Failure> {
        match operator {
            Operator::Equal => return left.equals(right, &self.meter),
            Operator::NotEqual => return Ok(!left.equals(right, &self.meter)?),
            Operator::In => {
                if let Some(items) = right.items() {
                    return items.contain(left, &self.meter);
                }
                if right.is_map() {
                    let Some(key) = left.as_text() else { return Ok(false) };
                    return Ok(right.field(key, &self.meter)?.is_some());
                }
            }
            _ => {
                let order = match (left, right) {
                    (Val::Number(a), Val::Number(b)) => {
                        self.meter.bytes(a.weight() + b.weight())?;
                        Some(a.cmp(b))
                    }
                    (Val::Bool(a), Val::Bool(b)) => Some(a.cmp(b)),
                    _ => match (left.as_text(), right.as_text()) {
                        (Some(a), Some(b)) => {
                            self.meter.bytes(a.len().min(b.len()))?;
                            Some(a.cmp(b))
                        }
                        _ => None,
                    },
                };
                if let Some(order) = order {
                    return Ok(match operator {
                        Operator::Less => order.is_lt(),
                        Operator::LessOrEqual => order.is_le(),
                        Operator::Greater => order.is_gt(),
                        _ => order.is_ge(),
                    });
                }
            }
        }
        Err(undefined(operator, left, right))
    }

    fn arithmetic(&self, operator: Operator, left: &Val<'v>, right: &Val<'v>) -> Result<Val<'v>, Failure> {
        if let (Val::Number(a), Val::Number(b)) = (left, right) {
            self.meter.bytes(a.weight() + b.weight())?;
            let result = match operator {
                Operator::Add => a.add(b),
                Operator::Subtract => a.subtract(b),
                Operator::Multiply => a.multiply(b),
                Operator::Divide => a.divide(b),
                _ => a.remainder(b),
            };
            return result.map(Val::Number);
        }
        if operator == Operator::Add {
            if let (Some(a), Some(b)) = (left.as_text(), right.as_text()) {
                self.meter.bytes(a.len() + b.len())?;
                return Ok([a, b].concat().into());
            }
            if let (Some(a), Some(b)) = (left.items(), right.items()) {
                self.meter.charge(a.len() + b.len())?;
                return Ok(Val::List(a.iter().chain(b.iter()).collect()));
            }
        }
        Err(undefined(operator, left, right))
    }

    fn field(&self, of: &Val<'v>, key: &str, or_null: bool) -> Result<Val<'v>, Failure> {
        match of.field(key, &self.meter)? {
            Some(value) => Ok(value),
            None if !of.is_map() => Err(Failure::NoFields { kind: of.kind(), key: cut(key, 40).into() }),
            None if or_null => Ok(Val::Null),
            None => Err(Failure::NoKey { key: cut(key, 40).into() }),
        }
    }

    fn index(&self, index: &Index, of: &Val<'v>, key: &Val<'v>) -> Result<Val<'v>, Failure> {
        if let Some(items) = of.items() {
            let position = match key {
                Val::Number(number) => number.to_i64(),
                _ => None,
            };
            let Some(position) = position else {
                return Err(Failure::NoPosition { shown: shown(key) });
            };
            let item = usize::try_from(position).ok().and_then(|position| items.get(position));
            return item.ok_or_else(|| Failure::NoItem { index: position.to_string().into(), length: items.len() });
        }
        match key.as_text() {
            Some(key) => self.field(of, key, index.or_null),
            None if of.is_map() => Err(Failure::KeyKind { kind: key.kind() }),
            None => Err(Failure::NoFields { kind: of.kind(), key: shown(key) }),
        }
    }

    fn map(&self, entries: &'m [[Node; 2]], locals: &mut Locals<'v>) -> Result<Val<'v>, Failure> {
        let mut members: Vec<(Arc<str>, Val<'v>)> = Vec::with_capacity(entries.len());
        for [key, item] in entries {
            let key = self.value(key, locals)?;
            let key: Arc<str> = match key.as_ref() {
                Val::Text(text) => Arc::from(*text),
                Val::Made(text) => Arc::clone(text),
                other => return Err(Failure::KeyKind { kind: other.kind() }),
            };
            self.meter.scan(members.len())?;
            if members.iter().any(|(known, _)| *known == key) {
                return Err(Failure::KeyTwice { key: cut(&key, 40).into() });
            }
            members.push((key, self.value(item, locals)?.into_owned()));
        }
        Ok(Val::Map(members.into()))
    }

    /// Whether a path leads to something: false as soon as a step of it isn't there.
    fn has(&self, path: &'m Node, locals: &mut Locals<'v>) -> Result<bool, Failure> {
        let null_is_missing = match path {
            Node::Variable { or_null, .. } => *or_null,
            Node::Field(field) => field.or_null,
            Node::Index(index) => index.or_null,
            _ => false,
        };
        Ok(self.found(path, locals)?.is_some_and(|value| !(null_is_missing && matches!(*value, Val::Null))))
    }

    fn found(&self, path: &'m Node, locals: &mut Locals<'v>) -> Result<Option<Found<'_, 'v>>, Failure> {
        self.meter.charge(1)?;
        match path {
            Node::Variable { index, or_null } => match self.variable(*index, *or_null) {
                Ok(value) => Ok(Some(value)),
                Err(Failure::NotGiven { .. }) => Ok(None),
                Err(Failure::NoValue { unevaluated, .. }) if !unevaluated.missing_facts.is_empty() => Ok(None),
                Err(other) => Err(other),
            },
            Node::Field(field) => match self.found(&field.of, locals)? {
                Some(of) => Ok(self.step(&of, &field.key)?.map(Cow::Owned)),
                None => Ok(None),
            },
            Node::Index(index) => {
                let key = self.value(&index.key, locals)?;
                let Some(of) = self.found(&index.of, locals)? else { return Ok(None) };
                let item = match (of.items(), key.as_ref()) {
                    (Some(items), Val::Number(position)) => {
                        let position = position.to_i64().and_then(|position| usize::try_from(position).ok());
                        position.and_then(|position| items.get(position))
                    }
                    (Some(_), other) => return Err(Failure::NoPosition { shown: shown(other) }),
                    (None, key) => self.step(&of, key.as_text().ok_or(Failure::KeyKind { kind: key.kind() })?)?,
                };
                Ok(item.map(Cow::Owned))
            }
            other => self.value(other, locals).map(Some),
        }
    }

    fn step(&self, of: &Val<'v>, key: &str) -> Result<Option<Val<'v>>, Failure> {
        match of {
            Val::Null => Ok(None),
            map if map.is_map() => map.field(key, &self.meter),
            other => Err(Failure::NoFields { kind: other.kind(), key: cut(key, 40).into() }),
        }
    }
}

fn undefined(operator: Operator, left: &Val<'_>, right: &Val<'_>) -> Failure {
    Failure::Operands { operator: operator.symbol(), kinds: Box::new((left.kind(), right.kind())) }
}

/// A key in a message: short whatever it is, since an error inside of a macro may be made for each item.
fn shown(key: &Val<'_>) -> Box<str> {
    match (key, key.as_text()) {
        (_, Some(text)) => format!("\"{}\"", cut(text, 40)).into(),
        (Val::Number(number), _) => cut(&number.to_string(), 40).into(),
        _ => key.kind().into(),
    }
}
