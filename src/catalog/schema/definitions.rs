//! Reading function-calling definitions: what a `tools.json`, a record's `tools` or an MCP `tools/list` holds.

use crate::json::{Object, Value};

/// A function-calling definition, whatever shape it was written in.
#[derive(Debug, Clone)]
pub struct Definition {
    /// The tool's name, never blank.
    pub name: String,
    /// What the model is told about it.
    pub description: Option<String>,
    /// The arguments' schema; `{}` when none is given.
    pub schema: Value<'static>,
    /// Whether the tool only reads: MCP's `annotations.readOnlyHint`.
    pub read_only: Option<bool>,
}

/// Why a list of definitions can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DefinitionError {
    /// There is no list where one is expected.
    #[error("tool definitions must be a list, or an object with a list `tools`; this is of type {kind}")]
    NoList {
        /// The JSON type found instead.
        kind: &'static str,
    },
    /// One entry can't be read.
    #[error("tool definition {index} {problem}")]
    Entry {
        /// Its place in the list, from 0.
        index: usize,
        /// What is missing or wrong.
        problem: String,
    },
}

/// Reads a list of definitions: OpenAI's chat (`function` inside) and responses (flat) shapes, Anthropic's (`input_schema`),
/// MCP's (`inputSchema`, also `{"tools": […]}` and a JSON-RPC `result` around it). Shapes may be mixed.
///
/// # Errors
/// There is no list, or an entry can't be read; the message names its index and what is missing.
pub fn definitions(value: &Value<'_>) -> Result<Vec<Definition>, DefinitionError> {
    let list = value.get_some("result").unwrap_or(value);
    let list = list.get_some("tools").unwrap_or(list);
    let entries = list.as_array().ok_or(DefinitionError::NoList { kind: list.kind() })?;
    let entry = |(index, entry)| definition(entry).map_err(|problem| DefinitionError::Entry { index, problem });
    entries.iter().enumerate().map(entry).collect()
}

fn definition(entry: &Value<'_>) -> Result<Definition, String> {
    let outer = entry.as_object().ok_or_else(|| format!("must be an object, not of type {}", entry.kind()))?;
    let object = match some(outer, "function") {
        Some(inner) => inner.as_object().ok_or("must have an object as its `function`")?,
        None => outer,
    };
    let name = some(object, "name").ok_or("has no `name`")?;
    let name = name.as_str().map(str::trim).filter(|name| !name.is_empty()).ok_or("must have a text as its `name`")?;
    let schema = match ["parameters", "input_schema", "inputSchema"].iter().find_map(|key| some(object, key)) {
        Some(Value::Object(schema)) => Value::Object(schema.to_static()),
        Some(other) => return Err(format!("(`{name}`) must have an object as its schema, not of type {}", other.kind())),
        None => Value::Object(Object::default()),
    };
    let hint = some(outer, "annotations").and_then(|annotations| annotations.get("readOnlyHint"));
    Ok(Definition {
        name: name.to_owned(),
        description: some(object, "description").and_then(Value::as_str).map(str::to_owned),
        schema,
        read_only: hint.and_then(Value::as_bool),
    })
}

fn some<'o, 'a>(object: &'o Object<'a>, key: &str) -> Option<&'o Value<'a>> {
    object.get(key).filter(|value| !value.is_null())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{display, parse};

    fn read(text: &str) -> Result<Vec<Definition>, String> {
        definitions(&parse(text).unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_four_shapes_mean_the_same() {
        let all = read(
            r#"[{"type": "function", "function": {"name": "pay", "description": "Pays.", "parameters": {"type": "object"}}},
                {"type": "function", "name": "pay", "description": "Pays.", "parameters": {"type": "object"}},
                {"name": "pay", "description": "Pays.", "input_schema": {"type": "object"}},
                {"name": "pay", "description": "Pays.", "inputSchema": {"type": "object"}}]"#,
        );
        for definition in all.unwrap() {
            assert_eq!(definition.name, "pay");
            assert_eq!(definition.description.as_deref(), Some("Pays."));
            assert_eq!(display(&definition.schema), r#"{"type": "object"}"#);
            assert_eq!(definition.read_only, None);
        }
    }

    #[test]
    fn an_mcp_answer_is_unwrapped_and_its_hint_kept() {
        let text =
            r#"{"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "look", "annotations": {"readOnlyHint": true}}]}}"#;
        let found = read(text).unwrap();
        let [look] = found.as_slice() else { panic!("one") };
        assert_eq!((look.name.as_str(), look.read_only, display(&look.schema).as_str()), ("look", Some(true), "{}"));
        assert_eq!(read(r#"{"tools": []}"#).unwrap().len(), 0);
    }

    #[test]
    fn an_unreadable_entry_is_named_with_what_is_missing() {
        for (text, message) in [
            (r#"[{"name": "a"}, {"description": "x"}]"#, "tool definition 1 has no `name`"),
            (r#"[{"name": " "}]"#, "tool definition 0 must have a text as its `name`"),
            (r#"["pay"]"#, "tool definition 0 must be an object, not of type string"),
            (r#"[{"function": "pay"}]"#, "tool definition 0 must have an object as its `function`"),
            (
                r#"[{"name": "a", "parameters": []}]"#,
                "tool definition 0 (`a`) must have an object as its schema, not of type list",
            ),
            ("3", "tool definitions must be a list, or an object with a list `tools`; this is of type number"),
        ] {
            assert_eq!(read(text).unwrap_err(), message);
        }
    }
}
