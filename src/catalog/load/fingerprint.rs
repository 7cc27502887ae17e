//! What two catalogs have in common when they are the same rules, however their files are laid out.

use sha2::{Digest as _, Sha256};

use crate::json::{self, Object, Value};

use super::schemas::Definitions;
use super::tree::Node;

/// SHA-256, in hex, over the canonical JSON of the merged catalog with the definitions that it reads in place of their files.
pub(super) fn of(root: &Node, definitions: &Definitions) -> String {
    let mut members = match root.to_json() {
        Value::Object(object) => object.into_members(),
        _ => Vec::new(),
    };
    members.retain(|(key, _)| key != "schemas");
    let definitions_json = definitions.by_name.values().map(|definition| {
        let description = definition.description.clone().map_or(Value::Null, |text| Value::String(text.into()));
        let read_only = definition.read_only.map_or(Value::Null, Value::Bool);
        let parts = [("description", description), ("schema", definition.schema.clone()), ("read_only", read_only)];
        let parts = parts.map(|(key, value)| (key.into(), value)).into();
        (definition.name.clone().into(), Value::Object(Object::from_members(parts)))
    });
    members.push(("schemas".into(), Value::Object(Object::from_members(definitions_json.collect()))));
    members.push(("schemas_recorded".into(), Value::Bool(definitions.recorded)));
    let text = json::canonical(&Value::Object(Object::from_members(members)));
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(text.as_bytes()) {
        use std::fmt::Write as _;
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}
