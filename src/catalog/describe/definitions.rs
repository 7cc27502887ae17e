//! The tool list for a model, with what the guard will ask of a call in the descriptions.

use crate::catalog::model::{Catalog, Tool};
use crate::json::{Object, Value};

use super::{callable, roles_text};

/// Function-calling definitions of the callable tools, as chat requests carry them. With `with_reasons` each description
/// goes on with what a call must fulfil, so that the model proposes fewer calls that will be refused.
pub fn definitions(catalog: &Catalog, with_reasons: bool) -> Value<'static> {
    Value::Array(callable(catalog).map(|tool| definition(tool, catalog, with_reasons)).collect())
}

fn definition(tool: &Tool, catalog: &Catalog, with_reasons: bool) -> Value<'static> {
    let mut description = tool.description.clone().unwrap_or_default();
    if with_reasons {
        let reasons = reasons(tool, catalog);
        if !reasons.is_empty() {
            if !description.is_empty() {
                description.push_str("\n\n");
            }
            description.push_str("A call is refused unless:");
            for reason in reasons {
                description.push_str("\n- ");
                description.push_str(&reason);
            }
        }
    }
    let parameters = match &tool.parameters {
        Some(schema) => schema.as_ref().clone(),
        None => object(vec![("type", text("object"))]),
    };
    let mut function = vec![("name", text(&tool.name))];
    if !description.is_empty() {
        function.push(("description", text(&description)));
    }
    function.push(("parameters", parameters));
    object(vec![("type", text("function")), ("function", object(function))])
}

/// What a call must fulfil, in the guard's order, in sentences for whoever proposes it.
fn reasons(tool: &Tool, catalog: &Catalog) -> Vec<String> {
    let mut reasons = Vec::new();
    if !tool.ground.is_empty() {
        let names: Vec<&str> = tool.ground.iter().map(|ground| ground.path.text.as_ref()).collect();
        reasons.push(format!("{} can be found, as written, in {}", names.join(", "), roles_text(tool)));
    }
    if tool.once.is_some() {
        reasons.push("the same call was not made before".to_owned());
    }
    if let Some(confirm) = &tool.confirm {
        let values = match &confirm.arguments {
            Some(paths) => paths.iter().map(|path| path.text.as_ref()).collect::<Vec<_>>().join(", "),
            None => "its values".to_owned(),
        };
        reasons.push(format!("a message of yours named {values}, and the user's next message said yes to it"));
    }
    if let Some(request) = &tool.request {
        let asked: Vec<&str> = request.intents.iter().map(|intent| intent.as_str()).collect();
        let kinds = if asked.is_empty() { String::new() } else { format!(" ({})", asked.join(" or ")) };
        reasons.push(format!("the user's own messages ask for such an action{kinds}"));
    }
    reasons.extend(tool.policies.iter().map(|policy| policy.reason.to_string()));
    let gates = tool.gates.iter().filter_map(|index| catalog.gates.get(*index));
    reasons.extend(gates.filter(|gate| gate.override_.is_none()).map(|gate| gate.reason.to_string()));
    reasons
}

fn text(text: &str) -> Value<'static> {
    Value::String(text.to_owned().into())
}

fn object(members: Vec<(&'static str, Value<'static>)>) -> Value<'static> {
    Value::Object(Object::from_members(members.into_iter().map(|(key, value)| (key.into(), value)).collect()))
}
