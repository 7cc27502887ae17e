//! STUB.
use crate::json::Value;

/// stub
#[derive(Debug, Clone)]
pub struct Definition {
    /// stub
    pub name: String,
    /// stub
    pub description: Option<String>,
    /// stub
    pub schema: Value<'static>,
    /// stub
    pub read_only: Option<bool>,
}

/// stub
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct DefinitionError(String);

/// stub
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SchemaError(String);

/// stub
pub fn definitions(value: &Value<'_>) -> Result<Vec<Definition>, DefinitionError> {
    let items = value.as_array().ok_or_else(|| DefinitionError("no list of definitions".into()))?;
    let mut out = Vec::new();
    for item in items {
        let f = item.get("function").unwrap_or(item);
        let name = f.get("name").and_then(Value::as_str).ok_or_else(|| DefinitionError("no name".into()))?;
        let schema = f.get("parameters").or(f.get("input_schema")).or(f.get("inputSchema"));
        out.push(Definition {
            name: name.to_owned(),
            description: f.get("description").and_then(Value::as_str).map(str::to_owned),
            schema: schema.cloned().unwrap_or_default().into_owned(),
            read_only: f.get("annotations").and_then(|a| a.get("readOnlyHint")).and_then(Value::as_bool),
        });
    }
    Ok(out)
}

/// stub
#[derive(Debug)]
pub struct Argument {
    /// stub
    pub name: String,
    /// stub
    pub required: bool,
}

/// stub
#[derive(Debug)]
pub struct ToolSchema {
    arguments: Vec<Argument>,
    open: bool,
}

impl ToolSchema {
    /// stub
    pub fn compile(schema: &Value<'_>) -> Result<ToolSchema, SchemaError> {
        let object = schema.as_object().ok_or_else(|| SchemaError("a schema is an object".into()))?;
        let mut arguments = Vec::new();
        if let Some(p) = object.get("properties") {
            let p = p.as_object().ok_or_else(|| SchemaError("`properties` is no object".into()))?;
            for (name, _) in p.iter() {
                arguments.push(Argument { name: name.to_owned(), required: false });
            }
        }
        Ok(ToolSchema { arguments, open: object.get("additionalProperties").and_then(Value::as_bool) == Some(true) })
    }
    /// stub
    pub fn arguments(&self) -> &[Argument] {
        &self.arguments
    }
    /// stub
    pub fn argument(&self, name: &str) -> Option<&Argument> {
        self.arguments.iter().find(|a| a.name == name)
    }
    /// stub
    pub fn accepts_unknown(&self) -> bool {
        self.open
    }
}
