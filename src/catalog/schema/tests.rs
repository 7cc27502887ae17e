//! What a compiled schema does as a whole: the rules of coercion, defaults and unknown keys, and hostile schemas.

use super::*;
use crate::json::{display, parse};
use proptest::prelude::*;

fn compile(schema: &str) -> ToolSchema {
    ToolSchema::compile(&parse(schema).unwrap()).unwrap_or_else(|error| panic!("{schema}: {error}"))
}

/// The arguments after the check, or what is wrong with them.
fn check(schema: &str, arguments: &str) -> Result<String, String> {
    let arguments = parse(arguments).unwrap();
    let checked = compile(schema).check(&arguments);
    if checked.faults.is_empty() {
        Ok(display(&Value::Object(checked.arguments)))
    } else {
        let told: Vec<String> = checked.faults.iter().map(|fault| format!("{} {}", fault.path, fault.message)).collect();
        Err(told.join("; "))
    }
}

/// A schema with one property `x`.
fn x(schema: &str) -> String {
    format!(r#"{{"type": "object", "properties": {{"x": {schema}}}}}"#)
}

fn ok(text: &str) -> Result<String, String> {
    Ok(text.to_owned())
}

fn wrong(text: &str) -> Result<String, String> {
    Err(text.to_owned())
}

const PERSON: &str =
    r#"{"type": "object", "properties": {"age": {"type": "integer"}, "city": {"type": "string", "default": "Rome"}}}"#;

#[test]
fn what_needs_no_coercion_keeps_its_spelling() {
    let schema = r#"{"properties": {"a": {"type": "number"}, "b": {}, "c": {"type": "integer"}}}"#;
    let given = r#"{"a": 250.00, "b": 1e2, "c": 123456789012345678901234567890}"#;
    assert_eq!(check(schema, given), ok(given));
}

#[test]
fn values_in_lists_objects_and_references_are_coerced() {
    assert_eq!(
        check(&x(r#"{"type": "array", "items": {"type": "integer"}}"#), r#"{"x": ["3", 2.0]}"#),
        ok(r#"{"x": [3, 2]}"#)
    );
    assert_eq!(check(&x(PERSON), r#"{"x": {"age": " 7 "}}"#), ok(r#"{"x": {"age": 7, "city": "Rome"}}"#));
    let reference = r##"{"properties": {"x": {"$ref": "#/$defs/N"}}, "$defs": {"N": {"type": "integer"}}}"##;
    assert_eq!(check(reference, r#"{"x": "3"}"#), ok(r#"{"x": 3}"#));
    let wrapped =
        r##"{"properties": {"x": {"allOf": [{"$ref": "#/$defs/N"}], "default": 1}}, "$defs": {"N": {"type": "integer"}}}"##;
    assert_eq!(check(wrapped, r#"{"x": "3"}"#), ok(r#"{"x": 3}"#));
    assert_eq!(check(wrapped, "{}"), ok(r#"{"x": 1}"#));
    let map = x(r#"{"type": "object", "additionalProperties": {"type": "integer"}}"#);
    assert_eq!(check(&map, r#"{"x": {"a": "3"}}"#), ok(r#"{"x": {"a": 3}}"#));
}

#[test]
fn of_alternatives_the_exact_one_wins() {
    let schema =
        x(&format!(r#"{{"anyOf": [{PERSON}, {{"type": "array", "items": {{"type": "integer"}}}}, {{"type": "null"}}]}}"#));
    assert_eq!(check(&schema, r#"{"x": ["3"]}"#), ok(r#"{"x": [3]}"#));
    assert_eq!(check(&schema, r#"{"x": {"age": "3"}}"#), ok(r#"{"x": {"age": 3, "city": "Rome"}}"#));
    assert_eq!(check(&schema, r#"{"x": null}"#), ok(r#"{"x": null}"#));
    assert_eq!(check(&schema, r#"{"x": {"b": 1}}"#), wrong("x.b is not an argument of this tool"));
    let kinds = r#"{"oneOf": [{"properties": {"kind": {"const": "a"}, "n": {"type": "integer"}}, "required": ["kind"]},
                             {"properties": {"kind": {"const": "b"}, "n": {"type": "string"}}, "required": ["kind"]}]}"#;
    assert_eq!(check(&x(kinds), r#"{"x": {"kind": "a", "n": "3"}}"#), ok(r#"{"x": {"kind": "a", "n": 3}}"#));
    assert_eq!(check(&x(kinds), r#"{"x": {"kind": "b", "n": "3"}}"#), ok(r#"{"x": {"kind": "b", "n": "3"}}"#));
    let text_or_number = x(r#"{"anyOf": [{"type": "integer"}, {"type": "string"}]}"#);
    assert_eq!(check(&text_or_number, r#"{"x": "3"}"#), ok(r#"{"x": "3"}"#));
}

#[test]
fn absent_optional_arguments_get_their_default_unvalidated_and_null_is_validated() {
    assert_eq!(check(&x(r#"{"type": "string"}"#), "{}"), ok(r#"{"x": null}"#));
    assert_eq!(check(&x(r#"{"type": "string"}"#), r#"{"x": null}"#), wrong("x must be a text, not `null`"));
    assert_eq!(check(&x(r#"{"type": "integer", "default": "z"}"#), "{}"), ok(r#"{"x": "z"}"#));
    assert_eq!(check(&x(PERSON), r#"{"x": {}}"#), ok(r#"{"x": {"age": null, "city": "Rome"}}"#));
    assert_eq!(check(&x(PERSON), "{}"), ok(r#"{"x": null}"#));
    let required = r#"{"properties": {"x": {"default": 5}}, "required": ["x"]}"#;
    assert_eq!(check(required, "{}"), wrong("x is required"));
}

#[test]
fn arguments_come_in_declared_order_then_the_others() {
    let schema = r#"{"properties": {"b": {}, "a": {}}, "additionalProperties": true}"#;
    assert_eq!(check(schema, r#"{"z": 1, "a": 2, "y": 3, "b": 4}"#), ok(r#"{"b": 4, "a": 2, "z": 1, "y": 3}"#));
}

#[test]
fn enum_and_const_compare_as_they_are() {
    assert_eq!(
        check(&x(r#"{"type": "integer", "enum": [1, 2]}"#), r#"{"x": "1"}"#),
        wrong("x must be a whole number, not `\"1\"`; x must be one of `1`, `2`, not `\"1\"`")
    );
    assert_eq!(check(&x(r#"{"type": "integer", "enum": [1, 2]}"#), r#"{"x": 1.0}"#), ok(r#"{"x": 1.0}"#));
    assert!(check(&x(r#"{"const": true}"#), r#"{"x": 1}"#).is_err());
    assert!(check(&x(r#"{"const": 9007199254740993}"#), r#"{"x": 9007199254740992}"#).is_err());
}

#[test]
fn floats_beyond_63_bits_are_no_integers_but_long_integers_are() {
    let integer = x(r#"{"type": "integer"}"#);
    assert_eq!(check(&integer, r#"{"x": 1e18}"#), ok(r#"{"x": 1000000000000000000}"#));
    assert_eq!(check(&integer, r#"{"x": 1e19}"#), wrong("x must be a whole number, not `1e19`"));
    assert!(check(&integer, r#"{"x": "100000000000000000000"}"#).is_ok());
    assert!(check(&x(r#"{"type": "integer", "maximum": 10}"#), r#"{"x": 100000000000000000000}"#).is_err());
    assert_eq!(check(&x(r#"{"type": "number"}"#), r#"{"x": 1e400}"#), wrong("x is a number out of range"));
}

#[test]
fn unknown_keys_are_errors_where_properties_are_declared() {
    assert_eq!(check("{}", r#"{"q": 1}"#), wrong("q is not an argument of this tool"));
    assert_eq!(check(&x(PERSON), r#"{"x": {"zip": 1}}"#), wrong("x.zip is not an argument of this tool"));
    assert!(check(&x(r#"{"type": "object"}"#), r#"{"x": {"any": 1}}"#).is_ok());
    assert!(check(&x(r#"{"properties": {"a": {}}, "additionalProperties": true}"#), r#"{"x": {"any": 1}}"#).is_ok());
    assert!(check(r#"{"properties": {}, "patternProperties": {"^x": {"type": "integer"}}}"#, r#"{"xa": 1}"#).is_ok());
    let list = x(&format!(r#"{{"type": "array", "items": {PERSON}}}"#));
    assert_eq!(check(&list, r#"{"x": [{"age": 1}, {"zip": 1}]}"#), wrong("x[1].zip is not an argument of this tool"));
}

#[test]
fn all_parts_of_all_of_know_each_others_keys() {
    for reference in ["", r#""$schema": "http://json-schema.org/draft-07/schema#","#] {
        let schema = format!(
            r##"{{{reference} "definitions": {{"A": {{"type": "object", "properties": {{"a": {{"type": "integer"}}}}, "required": ["a"]}}}},
                "properties": {{"x": {{"allOf": [{{"$ref": "#/definitions/A"}}, {{"properties": {{"b": {{"type": "integer"}}}}}}]}},
                               "y": {{"$ref": "#/definitions/A"}}}}}}"##
        );
        assert_eq!(
            check(&schema, r#"{"x": {"a": "1", "b": "2"}, "y": {"a": "3"}}"#),
            ok(r#"{"x": {"a": 1, "b": 2}, "y": {"a": 3}}"#)
        );
        assert_eq!(check(&schema, r#"{"x": {"a": 1, "c": 2}}"#), wrong("x.c is not an argument of this tool"));
        assert_eq!(check(&schema, r#"{"y": {"a": 1, "c": 2}}"#), wrong("y.c is not an argument of this tool"));
        assert_eq!(check(&schema, r#"{"y": {}}"#), wrong("y.a is required"));
    }
}

#[test]
fn keys_of_alternatives_are_known_but_not_filled_in() {
    let schema = r#"{"properties": {"a": {"type": "integer"}}, "anyOf": [
        {"properties": {"b": {"type": "integer"}}, "required": ["b"]}, {"properties": {"c": {"type": "integer"}}, "required": ["c"]}]}"#;
    assert_eq!(check(schema, r#"{"a": 1, "b": "2"}"#), ok(r#"{"a": 1, "b": 2}"#));
    assert_eq!(check(schema, r#"{"c": "2"}"#), ok(r#"{"a": null, "c": 2}"#));
    assert_eq!(check(schema, r#"{"c": 2, "d": 1}"#), wrong("d is not an argument of this tool"));
}

#[test]
fn conditions_are_not_closed() {
    let schema = r#"{"properties": {"kind": {"type": "string"}, "size": {"type": "integer"}},
                     "if": {"properties": {"kind": {"const": "box"}}}, "then": {"required": ["size"]},
                     "not": {"properties": {"kind": {"const": "bad"}}, "required": ["kind"]}}"#;
    assert_eq!(check(schema, r#"{"kind": "box"}"#), wrong("size is required"));
    assert!(check(schema, r#"{"kind": "box", "size": 3}"#).is_ok());
    assert_eq!(check(schema, r#"{"kind": "bad", "size": 3}"#), wrong(" is what the schema excludes"));
}

#[test]
fn the_rest_of_json_schema_is_checked_after_coercion() {
    for (schema, value, message) in [
        (r#"{"type": "integer", "minimum": 5}"#, "\"3\"", "x must be at least 5, not `3`"),
        (r#"{"type": "string", "pattern": "^[A-Z]+$"}"#, "\"abc\"", "x must match `^[A-Z]+$`, not `\"abc\"`"),
        (r#"{"type": "string", "format": "date"}"#, "\"2024-02-30\"", "x must be a valid date, not `\"2024-02-30\"`"),
        (r#"{"type": "array", "uniqueItems": true}"#, "[1, 1.0]", "x must not hold the same item twice"),
        (r#"{"anyOf": [{"type": "integer"}, {"type": "null"}]}"#, "\"z\"", "x must be a whole number or null, not `\"z\"`"),
        (r#"{"type": ["integer", "null"]}"#, "[]", "x must be a whole number or null, not a list"),
        (r#"{"type": "string", "maxLength": 2}"#, &format!("{:?}", "long".repeat(20)), "x must have at most 2 characters"),
    ] {
        let result = check(&x(schema), &format!(r#"{{"x": {value}}}"#));
        // The crate keeps several types in an order of its own.
        assert_eq!(result.map_err(|text| text.replace("null or a whole number", "a whole number or null")), wrong(message));
    }
}

#[test]
fn arguments_that_are_no_object_are_one_fault() {
    for value in ["null", "[]", "5", "\"{}\""] {
        assert_eq!(check(&x("{}"), value), wrong(" the arguments are not a JSON object"));
    }
}

#[test]
fn format_characters_are_told_apart_from_faults() {
    let arguments = parse("{\"x\": \"a\u{200b}b\"}").unwrap();
    let checked = compile(&x(r#"{"type": "string"}"#)).check(&arguments);
    assert!(checked.faults.is_empty() && !checked.is_valid());
    assert_eq!(checked.invisible, ["x"]);
}

#[test]
fn arguments_are_described_as_declared() {
    let schema = compile(
        r##"{"properties": {"to": {"$ref": "#/$defs/To"}, "n": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": 1.50}},
            "required": ["to"], "$defs": {"To": {"type": "string", "description": "Whom."}}}"##,
    );
    let [to, n] = schema.arguments() else { panic!("two") };
    assert_eq!((to.name.as_str(), to.required, to.description.as_deref()), ("to", true, Some("Whom.")));
    assert_eq!(to.types, [Type::String]);
    assert_eq!((n.required, n.default.as_ref().map(display).as_deref()), (false, Some("1.50")));
    assert_eq!(n.types, [Type::Integer, Type::Null]);
    assert_eq!(schema.argument("n").map(|n| n.name.as_str()), Some("n"));
    assert!(!schema.accepts_unknown());
    assert!(compile(r#"{"additionalProperties": {"type": "string"}}"#).accepts_unknown());
}

#[test]
fn patterns_that_need_backtracking_are_left_out_and_said() {
    for pattern in ["(?=x)x", r"(a)\\1", "(a{1000}){1000}", "("] {
        let schema = compile(&x(&format!(r#"{{"type": "string", "pattern": "{pattern}"}}"#)));
        let [warning] = schema.warnings() else { panic!("{pattern}: {:?}", schema.warnings()) };
        assert!(warning.contains("`/properties/x` isn't checked"), "{warning}");
        assert!(schema.check(&parse(r#"{"x": "y"}"#).unwrap()).is_valid());
    }
}

#[test]
fn unreadable_schemas_are_errors_that_say_where() {
    for (schema, message) in [
        (r#"{"properties": {"a": {"type": "frob"}}}"#, "`/properties/a/type`"),
        (r#"{"properties": {"a": {"$ref": "http://x.example/s"}}}"#, "http://x.example/s"),
        (r#"{"properties": {"a": {"$ref": "file:///etc/passwd"}}}"#, "file:///etc/passwd"),
        (r##"{"properties": {"a": {"$ref": "#/$defs/none"}}}"##, "/$defs/none"),
        (r##"{"properties": {"a": {"$ref": "#/properties/a"}}}"##, "without end"),
        (r#"{"properties": 3}"#, "`/properties`"),
        (r#"{"type": "string"}"#, "of type `string`"),
        ("true", "this is a boolean"),
    ] {
        let error = ToolSchema::compile(&parse(schema).unwrap()).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(message), "{schema}: {error}");
    }
}

#[test]
fn recursive_schemas_work() {
    let schema = r##"{"properties": {"x": {"$ref": "#/$defs/Tree"}},
                      "$defs": {"Tree": {"properties": {"n": {"type": "integer"}, "left": {"$ref": "#/$defs/Tree"}, "right": {"$ref": "#/$defs/Tree"}}}}}"##;
    let given = r#"{"x": {"n": "1", "left": {"n": "2", "right": {}}}}"#;
    let filled = r#"{"x": {"n": 1, "left": {"n": 2, "left": null, "right": {"n": null, "left": null, "right": null}}, "right": null}}"#;
    assert_eq!(check(schema, given), ok(filled));
    assert_eq!(check(schema, r#"{"x": {"left": {"up": 1}}}"#), wrong("x.left.up is not an argument of this tool"));
}

#[test]
fn hostile_schemas_end() {
    // A sub-schema that doubles at each level of the value.
    let doubling = r##"{"properties": {"x": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}}}"##;
    let deep = format!("{}{{}}{}", r#"{"x": "#.repeat(100), "}".repeat(100));
    let _ = check(doubling, &deep);
    let choosing = r##"{"properties": {"x": {"anyOf": [{"$ref": "#"}, {"$ref": "#"}, {"type": "integer"}]}}}"##;
    let _ = check(choosing, &deep);
    let _ = check(choosing, &deep.replace("{}", "{\"y\": 1}"));
    // A long chain of references.
    let links: Vec<String> =
        (0..3000).map(|i| format!(r##""{i}": {{"properties": {{"x": {{"$ref": "#/$defs/{}"}}}}}}"##, i + 1)).collect();
    let chain = format!(r##"{{"$ref": "#/$defs/0", "$defs": {{{}, "3000": {{}}}}}}"##, links.join(", "));
    let _ = ToolSchema::compile(&parse(&chain).unwrap());
    let links: Vec<String> =
        (0..3000).map(|i| format!(r##""{i}": {{"allOf": [{{"$ref": "#/$defs/{}"}}]}}"##, i + 1)).collect();
    let chain = format!(r##"{{"$ref": "#/$defs/0", "$defs": {{{}, "3000": {{}}}}}}"##, links.join(", "));
    let _ = ToolSchema::compile(&parse(&chain).unwrap());
    // As deep as JSON may be.
    let nested = format!("{}{{}}{}", r#"{"items": "#.repeat(126), "}".repeat(126));
    let _ = ToolSchema::compile(&parse(&nested).unwrap());
}

proptest! {
    #[test]
    fn any_schema_and_any_arguments_end_without_a_crash(schema in any_schema(), arguments in any_value()) {
        let schema = Value::from_serde(&serde_json::json!({"properties": {"a": schema, "b": schema}, "$defs": {"d": schema}}));
        let arguments = Value::from_serde(&serde_json::json!({"a": arguments, "c": 1}));
        if let Ok(schema) = ToolSchema::compile(&schema) {
            let checked = schema.check(&arguments);
            // What was coerced once stays as it is.
            let again = Value::Object(checked.arguments);
            let coerced = schema.shapes.coerce(again.clone());
            prop_assert!(schema.shapes.coerce(coerced.clone()) == coerced, "{} {}", display(&again), display(&coerced));
        }
    }
}

fn any_value() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop::sample::select(vec![
        "null",
        "true",
        "1",
        "2.0",
        "1e300",
        "\"1\"",
        "\"yes\"",
        "\"x\"",
        "\"\u{200b}\"",
        "[]",
        "{}",
    ]);
    leaf.prop_map(|text| serde_json::from_str(text).unwrap()).prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(serde_json::Value::from),
            prop::collection::btree_map("[abc]", inner, 0..3).prop_map(|members| serde_json::json!(members)),
        ]
    })
}

fn any_schema() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop::sample::select(vec![
        "{}",
        "true",
        "false",
        "{\"type\": \"integer\"}",
        "{\"type\": [\"boolean\", \"string\"]}",
        "{\"const\": 1}",
        "{\"type\": \"number\"}",
        "{\"$ref\": \"#/$defs/d\"}",
        "{\"$ref\": \"#/properties/b\"}",
        "{\"$ref\": \"#\"}",
        "{\"enum\": [1, \"x\"]}",
        "{\"required\": [\"a\"]}",
        "{\"additionalProperties\": false}",
        "{\"minimum\": 2, \"default\": 1}",
        "{\"type\": \"object\"}",
        "3",
    ]);
    let keywords =
        prop::sample::select(vec!["items", "not", "if", "then", "additionalProperties", "contains", "propertyNames"]);
    let lists = prop::sample::select(vec!["anyOf", "oneOf", "allOf", "prefixItems"]);
    leaf.prop_map(|text| serde_json::from_str(text).unwrap()).prop_recursive(4, 24, 3, move |inner| {
        prop_oneof![
            (keywords.clone(), inner.clone()).prop_map(|(keyword, schema)| serde_json::json!({keyword: schema})),
            (lists.clone(), prop::collection::vec(inner.clone(), 1..3))
                .prop_map(|(keyword, schemas)| serde_json::json!({keyword: schemas})),
            (prop::collection::btree_map("[abc]", inner.clone(), 0..3), lists.clone(), prop::collection::vec(inner, 1..3))
                .prop_map(|(properties, list, schemas)| serde_json::json!({"properties": properties, list: schemas})),
        ]
    })
}
