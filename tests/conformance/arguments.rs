//! Coercion and validation of arguments.

use dryguard::catalog::schema::ToolSchema;
use dryguard::json::{self, Value};

/// A schema and arguments → valid and the coerced arguments; or the arguments at fault, and whether format characters are
/// among the reasons.
pub(crate) fn arguments(case: &Value<'_>) -> Result<(), String> {
    let field = |key: &str| case.get(key).ok_or_else(|| format!("no `{key}`"));
    let schema = ToolSchema::compile(field("schema")?).map_err(|error| error.to_string())?;
    let checked = schema.check(field("arguments")?);
    let expect = field("expect")?;
    if expect.get("valid").and_then(Value::as_bool) == Some(true) {
        if !checked.is_valid() {
            return Err(format!("should be valid: {:?} {:?}", checked.faults, checked.invisible));
        }
        let found = Value::Object(checked.arguments);
        return match expect.get("arguments") {
            Some(expected) if *expected == found => Ok(()),
            _ => Err(format!("coerced to {}", json::display(&found))),
        };
    }
    if checked.is_valid() {
        return Err("should be invalid".to_owned());
    }
    let mut at_fault: Vec<&str> = checked.faults.iter().map(|fault| fault.argument.as_str()).collect();
    at_fault.sort_unstable();
    at_fault.dedup();
    let expected: Vec<&str> = expect
        .get("arguments_at_fault")
        .and_then(Value::as_array)
        .unwrap_or_default()
        .iter()
        .filter_map(Value::as_str)
        .map(|name| if name == "the arguments are not a JSON object" { "" } else { name })
        .collect();
    if at_fault != expected {
        return Err(format!("at fault: {:?}", checked.faults));
    }
    let invisible = expect.get("invisible").and_then(Value::as_bool);
    if invisible == Some(checked.invisible.is_empty()) {
        return Err(format!("invisible: {:?}", checked.invisible));
    }
    Ok(())
}
