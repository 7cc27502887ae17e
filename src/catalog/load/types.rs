//! Warns of expressions that can't work whatever the values: a list where true or false is needed, a text compared with a
//! number.

use crate::catalog::expression::{Expression, Type, Variable};
use crate::catalog::model::{Catalog, FactType, Schema, Tool};
use crate::catalog::schema;

use super::check::Problems;
use super::tree::Node;

/// Checks the gates, the policies, where facts come from, and `[outcome]`; only for a catalog without errors.
pub(super) fn check(catalog: &Catalog, root: &Node, problems: &mut Problems) {
    let items = |key: &str| root.get(key).map(Node::items).unwrap_or_default();
    for (gate, node) in catalog.gates.iter().zip(items("gates")) {
        let type_of = |variable: &Variable| of_fact(catalog, variable);
        say(node.get("require"), gate.require.clashes(&type_of, true), problems);
    }
    for node in items("policies") {
        let name = node.get("name").and_then(Node::text).unwrap_or_default();
        for tool in catalog.tools.values() {
            for policy in tool.policies.iter().filter(|policy| policy.name.as_ref() == name) {
                let type_of = |variable: &Variable| of_call(catalog, tool, variable);
                say(node.get("require"), policy.require.clashes(&type_of, true), problems);
            }
        }
    }
    for fact in &catalog.facts {
        let from = root.get("facts").and_then(|facts| facts.get(&fact.name)).and_then(|fact| fact.get("from"));
        // One source is a table, several are a list.
        let nodes = from.map(|from| if from.items().is_empty() { std::slice::from_ref(from) } else { from.items() });
        for (source, node) in fact.from.iter().zip(nodes.unwrap_or_default()) {
            let test = fact.kind == FactType::Bool && source.key.is_none();
            say(node.get("value"), result(&source.value, test), problems);
        }
    }
    if let (Some(refused), Some(outcome)) = (&catalog.refused, root.get("outcome")) {
        say(outcome.get("refused"), result(refused, true), problems);
    }
}

fn say(at: Option<&Node>, clashes: Vec<String>, problems: &mut Problems) {
    let Some(at) = at else { return };
    for clash in clashes {
        let warning = at.error(format!("this expression can't work: {clash}")).warning();
        problems.push(warning.help("as it stands it stays unevaluated or says the same of every call"));
    }
}

/// What can't work in an expression over a recorded result.
fn result(expression: &Expression, test: bool) -> Vec<String> {
    let type_of = |variable: &Variable| match variable {
        Variable::ResultText | Variable::Tool => Type::Text,
        Variable::Args => Type::Map,
        _ => Type::Any,
    };
    expression.clashes(&type_of, test)
}

fn of_call(catalog: &Catalog, tool: &Tool, variable: &Variable) -> Type {
    match variable {
        Variable::Argument(name) => match &tool.schema {
            Schema::Ready(schema) => of_argument(schema.argument(name)),
            _ => Type::Any,
        },
        Variable::Args => Type::Map,
        Variable::Tool | Variable::Conversation | Variable::UserRequest => Type::Text,
        other => of_fact(catalog, other),
    }
}

/// An argument that a call may leave out reads as null, so nothing is known of it.
fn of_argument(argument: Option<&schema::Argument>) -> Type {
    let types = argument.filter(|argument| argument.required).map(|argument| argument.types.as_slice());
    match types {
        Some([schema::Type::Boolean]) => Type::Bool,
        Some([schema::Type::Integer | schema::Type::Number]) => Type::Number,
        Some([schema::Type::String]) => Type::Text,
        Some([schema::Type::Array]) => Type::List,
        Some([schema::Type::Object]) => Type::Map,
        _ => Type::Any,
    }
}

fn of_fact(catalog: &Catalog, variable: &Variable) -> Type {
    let Variable::Fact(index) = variable else { return Type::Any };
    match catalog.facts.get(*index).map(|fact| fact.kind) {
        Some(FactType::Bool) => Type::Bool,
        Some(FactType::Int | FactType::Number) => Type::Number,
        Some(FactType::String) => Type::Text,
        Some(FactType::List) => Type::List,
        Some(FactType::Map) => Type::Map,
        Some(FactType::Any) | None => Type::Any,
    }
}
