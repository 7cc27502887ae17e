//! What an expression over a call reads: its arguments, the facts of its moment, the conversation before it.

use crate::catalog::expression::{Binding, Environment, Unevaluated, Val, Variable};
use crate::json::{Object, Value};

use super::case::Case;
use super::facts::Facts;

/// The texts of a conversation's prefix, borrowed from one text of the whole.
#[derive(Clone, Copy, Default)]
pub(crate) struct Shared<'t> {
    /// The messages before the call as `[role] text` lines.
    pub(crate) conversation: &'t str,
    /// The user's texts before the call.
    pub(crate) user_request: &'t str,
}

/// The names an expression over a call may read, with their values.
pub(crate) struct CallEnvironment<'e, 't> {
    case: &'e Case<'t>,
    facts: &'e Facts<'t>,
    shared: Shared<'t>,
    /// The arguments as `args`: without those that were left out and have no default.
    args: Value<'t>,
    /// The item that a `names` expression is about.
    item: Option<&'e Value<'t>>,
}

impl<'e, 't> CallEnvironment<'e, 't> {
    pub(crate) fn new(case: &'e Case<'t>, facts: &'e Facts<'t>, shared: Shared<'t>) -> Self {
        let reads_args = case.tool.is_some_and(|tool| {
            let policies = tool.policies.iter().map(|policy| policy.require.as_ref());
            let computed = tool.computed.iter().map(|(_, expression)| expression.as_ref());
            policies.chain(computed).any(|expression| expression.reads().contains(&Variable::Args))
        });
        let args = if reads_args { Value::Object(present(case)) } else { Value::Null };
        CallEnvironment { case, facts, shared, args, item: None }
    }

    /// The same environment while a `names` expression looks at one value of its argument.
    pub(crate) fn with_item(&self, item: &'e Value<'t>) -> CallEnvironment<'e, 't> {
        CallEnvironment {
            case: self.case,
            facts: self.facts,
            shared: self.shared,
            args: self.args.clone(),
            item: Some(item),
        }
    }

    pub(crate) fn case(&self) -> &'e Case<'t> {
        self.case
    }
}

/// The arguments that were proposed or have a default.
fn present<'t>(case: &Case<'t>) -> Object<'t> {
    let proposed = case.proposal.call.arguments.as_object();
    let kept =
        case.object().iter().filter(|(key, value)| !value.is_null() || proposed.is_some_and(|p| p.get(key).is_some()));
    Object::from_members(kept.map(|(key, value)| (key.to_owned().into(), value.clone())).collect())
}

impl<'v, 't: 'v> Environment<'v> for &'v CallEnvironment<'v, 't> {
    fn get(&self, variable: &Variable) -> Binding<'v> {
        let this: &'v CallEnvironment<'v, 't> = self;
        match variable {
            Variable::Argument(name) => match this.item {
                Some(item) if name.as_ref() == VALUE => Binding::Given(Val::json(item)),
                _ => Binding::Given(this.case.object().get(name).map_or_else(Val::null, Val::json)),
            },
            Variable::Args => Binding::Given(Val::json(&this.args)),
            Variable::Tool => Binding::Given(Val::text(&this.case.proposal.call.name)),
            Variable::Conversation => Binding::Given(Val::text(this.shared.conversation)),
            Variable::UserRequest => Binding::Given(Val::text(this.shared.user_request)),
            Variable::Fact(index) => this.facts.get(*index),
            Variable::Computed(index) => {
                let computed = this.case.tool.and_then(|tool| tool.computed.iter().find(|(i, _)| i == index));
                match computed.map(|(_, expression)| expression.evaluate(self)) {
                    Some(Ok(value)) => Binding::Given(value),
                    Some(Err(unevaluated)) => Binding::Unevaluated(unevaluated),
                    None => Binding::Unevaluated(Unevaluated {
                        missing_facts: Vec::new(),
                        reason: "a computed value that this tool does not have".to_owned(),
                    }),
                }
            }
            Variable::Result | Variable::ResultText => Binding::NotGiven,
        }
    }
}

/// What a `names` expression calls the value that it names.
pub(crate) const VALUE: &str = "value";
