//! The text that names an argument or values within one: `flights[].flight_number`.

use crate::catalog::model::Step;
use crate::json::Value;

/// `flights[].flight_number`: a name, then `[]` for every item and `.name` for a member. Nothing: that's no path.
pub fn steps(text: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    for part in text.split('.') {
        let name = part.trim_end_matches("[]");
        let items = (part.len() - name.len()) / 2;
        if name.is_empty() || name.contains(['[', ']']) {
            return None;
        }
        steps.push(Step::Key(name.to_owned()));
        steps.extend(std::iter::repeat_n(Step::Items, items));
    }
    Some(steps)
}

/// What keeps steps into a value of this schema from leading to one that it allows; nothing: nothing does. Only what plain `properties` and `items` say.
pub fn leads_nowhere(mut schema: &Value<'_>, steps: &[Step]) -> Option<String> {
    for step in steps {
        let kind = schema.get("type").and_then(Value::as_str);
        let next = match step {
            Step::Key(key) => match (kind, schema.get("properties")) {
                (Some("object") | None, Some(properties)) => match properties.get(key) {
                    Some(next) => Some(next),
                    None if matches!(schema.get("additionalProperties"), None | Some(Value::Bool(false))) => {
                        return Some(format!("there is no `{key}`"));
                    }
                    None => None,
                },
                (Some("object") | None, None) => None,
                (Some(other), _) => return Some(format!("`{key}` can't be in a value of type `{other}`")),
            },
            Step::Items => match kind {
                Some("array") | None => schema.get("items"),
                Some(other) => return Some(format!("a value of type `{other}` has no items")),
            },
        };
        schema = next?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> Step {
        Step::Key(name.to_owned())
    }

    #[test]
    fn a_path_is_a_name_and_steps_into_it() {
        assert_eq!(steps("order_id"), Some(vec![key("order_id")]));
        assert_eq!(steps("flights[].number"), Some(vec![key("flights"), Step::Items, key("number")]));
        assert_eq!(steps("rows[][]"), Some(vec![key("rows"), Step::Items, Step::Items]));
        for wrong in ["", ".", "a.", ".a", "[]", "a[0]", "a[", "a..b"] {
            assert_eq!(steps(wrong), None, "{wrong}");
        }
    }
}
