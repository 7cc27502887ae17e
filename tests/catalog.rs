//! Catalogs: what loads, and what is said of what doesn't.
#![cfg(test)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use dryguard::catalog::expression::Variable;
use dryguard::catalog::load::{self, CatalogErrors, Format, Loaded};
use dryguard::catalog::model::{Catalog, FactOn, Injections, Schema, Step, Undeclared};
use dryguard::cli::catalog::{CheckArgs, ShowArgs, Style, check, show};
use dryguard::guard::Outcome;
use dryguard::json;
use dryguard::text::Matcher;
use dryguard::transcript::Role;
use proptest::prelude::*;

fn toml(text: &str) -> Result<Loaded, CatalogErrors> {
    load::from_text(text, "catalog.toml", Format::Toml, None)
}

fn catalog(text: &str) -> Catalog {
    toml(text).unwrap_or_else(|errors| panic!("{errors}")).catalog
}

/// What is said of a catalog that doesn't load, as people see it.
fn errors(text: &str) -> String {
    match toml(text) {
        Ok(loaded) => panic!("it loads as {}", loaded.catalog.name),
        Err(errors) => errors.to_string(),
    }
}

/// The warnings about a catalog that loads.
fn warnings(text: &str) -> String {
    let warnings = toml(text).unwrap_or_else(|errors| panic!("{errors}")).warnings;
    warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n\n")
}

const PAY: &str = r#"
[tools.pay]
schema = { type = "object", properties = { iban = { type = "string" }, amount = { type = "number" }, legs = { type = "array", items = { type = "object", properties = { number = { type = "string" } } } } }, required = ["iban"] }
"#;

fn pay(more: &str) -> String {
    format!("{PAY}{more}")
}

// What is wrong, and where ----------------------------------------------------------------------------------------------

#[test]
fn unknown_keys_are_named_with_the_nearest_known_one() {
    insta::assert_snapshot!(errors(
        r#"
groud = 1
[defaults]
schema = "recorded"
[facts.a]
typ = "bool"
[tools.pay]
gruond_from = ["user"]
confirm = { onfail = "deny" }
once = { ignored = [] }
request = { intent = [] }
[[policies]]
nam = "x"
require = "true"
[[gates]]
block = ["pay"]
[outcome]
refuse = "true"
[detector]
pattern = []
"#
    ));
}

#[test]
fn wrong_types_name_the_shapes_that_are_allowed() {
    insta::assert_snapshot!(errors(
        r#"
dryguard = "1"
name = 5
combine = "strict"
schemas = "tools.json"
undeclared = true
[constants]
day = 2026-01-01
most = inf
[facts]
a = 5
b = "numbr"
[facts.c]
type = "list"
from = 5
default = {}
[tools.pay]
changes = "yes"
ground = "iban"
ground_from = "user"
ground_last = 0
injections = "on"
scan_user = 1
tool_values = "allow"
locale = "us"
once = "yes"
confirm = 1
request = true
authorize = "no"
description = ""
schema = []
[tools.send]
ground = { to = 5 }
ground_last = 1.5
ground_from = ["usr"]
confirm = { arguments = "to", match = "id", last = -1, on_fail = "dny" }
"#
    ));
}

#[test]
fn lists_of_tables_say_how_they_are_written() {
    insta::assert_snapshot!(errors(
        "tools = 5\npolicies = 5\ncomputed = {}\ngates = ['x']\noutcome = 'x'\ndetector = { patterns = 5 }\n"
    ));
}

#[test]
fn what_a_later_version_brings_is_not_supported_yet() {
    insta::assert_snapshot!(errors(
        "dryguard = 2\n[action_model]\nfile = 'x.json'\n[authorizer]\nkind = 'lexical'\n[[conditions]]\nname = 'status'\n"
    ));
}

#[test]
fn names_that_collide_are_errors() {
    let text = r#"
[constants]
limit = 5
args = 1
"x-y" = 1
[facts]
limit = "number"
amount = "number"
[[computed]]
name = "limit"
value = "1"
[[computed]]
name = "iban"
value = "1"
[[policies]]
name = "arguments_valid"
require = "true"
[[policies]]
name = "user_asked_to_pay"
require = "true"
[[policies]]
name = "twice"
require = "true"
[[policies]]
name = "twice"
require = "true"
"#;
    insta::assert_snapshot!(errors(&pay(text)));
}

#[test]
fn arguments_that_a_tool_lacks_are_errors() {
    let options = r#"
ground = { ibn = "id", "legs[].nmber" = "id", "legs[" = "id", amount = { match = "tokn", names = "[note]" }, "iban.x" = "id" }
once = { ignore = ["note"], match = { amuont = "id" } }
confirm = { arguments = ["iban", "legs.number"], names = { iban = "titles[iban]", nothing = "[]" } }
"#;
    insta::assert_snapshot!(errors(&pay(options)));
}

#[test]
fn wrong_expressions_are_underlined_within_their_literal() {
    let text = r#"
[facts]
role = "string"
[facts.spent]
type = "number"
from = { tools = ["pay"], value = "resul.amount" }
[facts.owner]
type = "string"
from = { tools = ["pay"], key = "result.id", value = '''
result.owner +
''' }
[outcome]
refused = "reslt_text.startsWith('Error')"
[[policies]]
name = "misspelt"
require = "amuont <= 500"
[[policies]]
name = "escaped"
require = "rule == \"staff\""
[[policies]]
name = "unknown_function"
require = "role.beginsWith('s')"
[[policies]]
name = "unclosed"
require = "(amount < 5"
[[policies]]
name = "several_lines"
require = """
role == 'staff' ||
  amont < 5
"""
[[policies]]
name = "blank"
require = " "
[[policies]]
require = "true"
[[policies]]
name = "nothing_required"
[[gates]]
name = "of_the_call"
blocks = ["pay"]
require = "args.amount < 5"
[[gates]]
name = "unknown"
blocks = ["pya", "pay_*"]
require = "authenticated"
override = { by = "ann" }
"#;
    insta::assert_snapshot!(errors(&pay(text)));
}

#[test]
fn a_named_tool_must_have_what_its_policy_reads() {
    let text = r#"
[tools.send]
schema = { type = "object", properties = { to = { type = "string" } } }
[[policies]]
name = "named"
tools = ["send"]
require = "amount < 5"
[[policies]]
name = "no_such_tool"
tools = ["sned"]
require = "true"
[[policies]]
name = "of_different_tools"
require = "to == iban"
[[policies]]
name = "empty"
tools = []
require = "true"
[[computed]]
name = "later"
value = "after + 1"
[[computed]]
name = "after"
value = "amount"
[[computed]]
name = "itself"
value = "itself + 1"
"#;
    insta::assert_snapshot!(errors(&pay(text)));
}

#[test]
fn patterns_of_ones_own_are_checked_one_by_one() {
    let text = r#"
request = { phrases = ["send (it", "fine"] }
[detector]
off = ["no_such_pattern"]
[[detector.patterns]]
name = "own"
regex = "[a-"
[[detector.patterns]]
regex = "x"
"#;
    let said = errors(&pay(text));
    assert_eq!(said.matches("error:").count(), 4, "{said}");
    assert!(said.contains(r#""send (it""#) && said.contains(r#""no_such_pattern""#) && said.contains(r#""[a-""#), "{said}");
}

#[test]
fn text_that_is_no_toml_or_json_says_where() {
    insta::assert_snapshot!("no_toml", errors("a = \n[tools\nb = 1\nb = 2\n"));
    let json = |text: &str| load::from_text(text, "catalog.json", Format::Json, None).unwrap_err().to_string();
    insta::assert_snapshot!("no_json", json("{\"name\": \"x\",\n \"tools\": }"));
    insta::assert_snapshot!("json_trailing", json("{} x"));
    insta::assert_snapshot!("json_list", json("[]"));
    insta::assert_snapshot!("json_twice", json("{\"name\": \"x\",\n \"name\": \"y\"}"));
    assert!(json("").contains("no JSON"));
}

#[test]
fn machines_get_file_line_column_key_message_and_help() {
    let errors = toml("[tools.\"é\"] # é\ngruond = 1\n").unwrap_err();
    let json = serde_json::to_value(errors.diagnostics()).unwrap();
    assert_eq!(
        json,
        serde_json::json!([{
            "severity": "error", "file": "catalog.toml", "line": 2, "column": 1, "key": "tools.\"é\".gruond",
            "message": "a tool has no key `gruond`", "help": "the nearest known key is `ground`",
        }])
    );
}

#[test]
fn json_and_toml_are_told_of_alike() {
    let json = r#"{"tools": {"pay": {"confirm": {"on_fail": "dny"}}}}"#;
    let said = load::from_text(json, "catalog.json", Format::Json, None).unwrap_err().to_string();
    insta::assert_snapshot!(said);
}

#[test]
fn hostile_text_is_an_error_and_no_crash() {
    let deep = 50_000;
    for text in [
        format!("a = {}{}", "[".repeat(deep), "]".repeat(deep)),
        format!("a{} = 1", ".a".repeat(deep)),
        format!("[tools{}]\nx = 1", ".a".repeat(deep)),
        format!("tools = {}1{}", "{ a.a.a.a.a.a = ".repeat(60), " }".repeat(60)),
    ] {
        assert!(toml(&text).is_err());
        let json = load::from_text(&text, "x.json", Format::Json, None);
        assert!(json.is_err());
    }
    let json = format!("{}{}", r#"{"tools":"#.repeat(deep), "}".repeat(deep));
    assert!(load::from_text(&json, "x.json", Format::Json, None).unwrap_err().to_string().contains("128"));
    assert!(toml("\u{0}\u{1b}[31m = 1").is_err());
}

#[test]
fn of_very_many_mistakes_the_first_are_told() {
    let text: String = (0..500).map(|n| format!("x{n} = 1\n")).collect();
    let errors = toml(&text).unwrap_err();
    assert_eq!(errors.diagnostics().len(), 101);
    assert!(errors.to_string().ends_with("error: and 400 more"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any arrangement of a catalog's words is a catalog or an error with its place, in both formats.
    #[test]
    fn no_arrangement_of_words_is_a_crash(words in prop::collection::vec(0..WORDS.len(), 0..60)) {
        let text: String = words.iter().map(|word| WORDS[*word]).collect();
        for format in [Format::Toml, Format::Json] {
            match load::from_text(&text, "catalog", format, None) {
                Ok(loaded) => prop_assert!(loaded.catalog.fingerprint.len() == 64),
                Err(errors) => prop_assert!(!errors.to_string().is_empty()),
            }
        }
    }
}

const WORDS: &[&str] = &[
    "[tools.pay]\n",
    "[facts]\n",
    "[[policies]]\n",
    "[[gates]]\n",
    "[[computed]]\n",
    "[defaults]\n",
    "[detector]\n",
    "[outcome]\n",
    "name = 'é'\n",
    "require = 'amount < 5'\n",
    "tools = ['*']\n",
    "value = \"a\\nb\"\n",
    "ground = ['a.b', 'é[]']\n",
    "once = true\n",
    "confirm = {}\n",
    "schema = { type = 'object', properties = { amount = {} } }\n",
    "blocks = ['pay']\n",
    "a = 'bool'\n",
    "refused = 'result'\n",
    "request = { phrases = ['('] }\n",
    "schema = 5\n",
    "require = \"\"\"\n é +\n\"\"\"\n",
    "x = \n",
    "{",
    "}",
    "\"tools\"",
    ":",
    ",",
    "[",
    "]",
    "\"é\"",
];

// What is doubtful ------------------------------------------------------------------------------------------------------

#[test]
fn doubts_are_warnings() {
    let text = r#"
request = { phrases = ["x*"] }
[tools.open]
[tools.identify]
schema = { type = "object", properties = {} }
[facts.authenticated]
type = "bool"
from = { tools = ["identify"], value = "true" }
[facts.starved]
type = "number"
from = { tools = ["lookup_*"], value = "1" }
[[gates]]
name = "identity_first"
blocks = ["identify", "pay"]
require = "authenticated"
[[gates]]
name = "always_closed"
blocks = ["refund_*"]
require = "false"
[[policies]]
name = "by_pattern"
tools = ["*"]
require = "amount < 5"
[[policies]]
name = "of_known_arguments"
require = "amount < 5"
[[policies]]
name = "of_other_types"
require = "iban > 3 && authenticated == 'yes'"
[[gates]]
name = "a_list_is_no_test"
blocks = ["pay"]
require = "orders"
[facts.orders]
type = "list"
[facts.staff]
type = "bool"
from = [{ tools = ["identify"], value = "size(result)" }]
"#;
    insta::assert_snapshot!(warnings(&pay(text)));
}

#[test]
fn a_clean_catalog_has_no_warnings() {
    assert_eq!(warnings(&pay("ground = ['iban']\n[[policies]]\nname = 'small'\nrequire = 'amount < 5'")), "");
    let facts = "[facts.a]\ntype = 'bool'\nfrom = { tools = ['pay'], value = 'true' }\n[outcome]\nrefused = 'false'\n";
    assert_eq!(warnings(&pay(facts)), "");
    assert_eq!(warnings("schemas = ['recorded']\nundeclared = 'schema-only'"), "");
}

#[test]
fn a_catalog_without_tools_is_doubtful() {
    assert!(warnings("").starts_with("warning: the catalog declares no tool, so every call is denied"));
}

// What loads ------------------------------------------------------------------------------------------------------------

#[test]
fn every_tool_option_is_read() {
    let catalog = catalog(&pay(r#"
changes = true
description = "Pays."
ground = { iban = "whole", "legs[].number" = { match = "id", names = "[iban]" } }
ground_from = ["user", "assistant"]
ground_last = 2
injections = "any"
scan_user = true
tool_values = "escalate"
locale = "de"
once = { ignore = ["amount"], match = { iban = "id" } }
confirm = { arguments = ["iban"], match = { iban = "id" }, last = 1, on_fail = "escalate" }
request = { intents = ["send", "pay"], phrases = ["wire .* to"], on_fail = "deny" }
authorize = false
"#));
    let tool = &catalog.tools["pay"];
    assert_eq!((tool.changes, tool.ground_last, tool.injections), (Some(true), Some(2), Injections::Any));
    assert_eq!(tool.ground_from.iter().collect::<Vec<_>>(), [Role::User, Role::Assistant]);
    let [iban, legs] = tool.ground.as_slice() else { panic!("{:?}", tool.ground) };
    assert_eq!((iban.matcher, iban.names.is_none()), (Matcher::Whole, true));
    assert_eq!((legs.matcher, legs.names.is_some()), (Matcher::Id, true));
    assert_eq!(legs.path.steps, [Step::Key("legs".into()), Step::Items, Step::Key("number".into())]);
    let once = tool.once.as_ref().unwrap();
    assert_eq!((once.ignore.as_slice(), once.matchers["iban"]), (&["amount".to_owned()][..], Matcher::Id));
    let confirm = tool.confirm.as_ref().unwrap();
    assert_eq!((confirm.last, confirm.on_fail, confirm.arguments.as_ref().unwrap().len()), (Some(1), Outcome::Escalate, 1));
    let request = tool.request.as_ref().unwrap();
    assert_eq!((request.name.as_ref(), request.on_fail), ("user_asked_to_send_or_pay", Outcome::Deny));
    assert!(request.phrases.is_some());
    assert_eq!(tool.authorize, Some(false));
}

#[test]
fn defaults_hold_where_a_tool_says_nothing_and_for_arguments_it_has() {
    let catalog = catalog(&pay(r#"
once = false
[tools.note]
schema = { type = "object", properties = { text = { type = "string" } } }
confirm = { on_fail = "escalate" }
[defaults]
once = true
injections = "off"
ground = { iban = "id" }
confirm = true
"#));
    let (pay, note) = (&catalog.tools["pay"], &catalog.tools["note"]);
    assert!(pay.once.is_none() && note.once.is_some());
    assert_eq!((pay.injections, note.injections), (Injections::Off, Injections::Off));
    assert_eq!((pay.ground.len(), note.ground.len()), (1, 0));
    assert_eq!(pay.confirm.as_ref().unwrap().on_fail, Outcome::Deny);
    assert_eq!(note.confirm.as_ref().unwrap().on_fail, Outcome::Escalate);
}

#[test]
fn a_policy_without_tools_is_for_every_tool_that_has_what_it_reads() {
    let catalog = catalog(&pay(r#"
[tools.note]
schema = { type = "object", properties = { text = { type = "string" } } }
[tools.open]
[facts]
role = "string"
[constants]
limit = 5
[[computed]]
name = "euros"
value = "amount * 0.92"
[[computed]]
name = "many"
value = "euros > limit"
[[policies]]
name = "of_the_fact"
require = "role == 'staff'"
[[policies]]
name = "of_the_argument"
require = "amount < limit"
[[policies]]
name = "of_the_computed"
require = "!many"
on_fail = "escalate"
reason = "Too much."
[[policies]]
name = "by_name"
tools = ["open", "pay"]
require = "amount < 9"
"#));
    let names = |tool: &str| catalog.tools[tool].policies.iter().map(|policy| policy.name.to_string()).collect::<Vec<_>>();
    assert_eq!(names("pay"), ["of_the_fact", "of_the_argument", "of_the_computed", "by_name"]);
    assert_eq!(names("note"), ["of_the_fact"]);
    assert_eq!(names("open"), ["of_the_fact", "by_name"]);
    let pay = &catalog.tools["pay"];
    assert_eq!(pay.computed.iter().map(|(index, _)| *index).collect::<Vec<_>>(), [0, 1]);
    assert!(catalog.tools["note"].computed.is_empty());
    assert_eq!(pay.policies[2].require.reads(), [Variable::Computed(1)]);
    assert_eq!((pay.policies[2].on_fail, pay.policies[2].reason.as_ref()), (Outcome::Escalate, "Too much."));
    assert_eq!(pay.policies[1].reason.as_ref(), "`amount < limit` must hold");
    assert_eq!(catalog.tools["open"].policies[1].require.reads(), [Variable::Argument("amount".into())]);
}

#[test]
fn facts_are_written_long_or_short_and_come_from_one_place_or_several() {
    let catalog = catalog(&pay(r#"
[facts]
spent = "number"
[facts.status]
type = "map"
default = {}
from = [
  { tools = ["pay"], key = "result.id", value = "result.status" },
  { tools = ["p*"], on = "refused", value = "args" },
]
"#));
    let [spent, status] = catalog.facts.as_slice() else { panic!("{:?}", catalog.facts) };
    assert_eq!((spent.kind.as_str(), spent.from.len(), spent.default.is_none()), ("number", 0, true));
    assert_eq!((status.kind.as_str(), status.from.len(), status.default.is_some()), ("map", 2, true));
    assert_eq!((status.from[0].on, status.from[1].on), (FactOn::Accepted, FactOn::Refused));
    assert!(status.from[0].key.is_some() && status.from[1].key.is_none());
}

#[test]
fn gates_block_by_name_and_pattern_and_may_be_overridden() {
    let catalog = catalog(&pay(r#"
[tools.pay_back]
[tools.note]
[facts]
known = "bool"
[[gates]]
name = "first"
blocks = ["pay*"]
require = "known"
reason = "Identify first."
[[gates]]
name = "second"
blocks = ["note"]
require = "known"
override = { by = "Ann", reason = "a drill" }
"#));
    let gates = |tool: &str| catalog.tools[tool].gates.clone();
    assert_eq!((gates("pay"), gates("pay_back"), gates("note")), (vec![0], vec![0], vec![1]));
    assert_eq!(catalog.gates[1].override_.as_ref().map(|o| (o.by.as_str(), o.reason.as_str())), Some(("Ann", "a drill")));
}

// Several files -----------------------------------------------------------------------------------------------------------

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// What is said of a catalog in a folder, the folder's name taken out.
fn said(folder: &tempfile::TempDir, name: &str) -> String {
    let errors = load::load(&folder.path().join(name)).expect_err("it loads");
    errors.to_string().replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn a_catalog_lies_over_the_one_it_extends() {
    let base = r#"
name = "base"
combine = "first"
[constants]
limit = 5
[facts]
role = "string"
known = "bool"
[tools.pay]
schema = { type = "object", properties = { amount = { type = "number" } } }
once = true
confirm = true
[[policies]]
name = "small"
require = "amount < limit"
[[policies]]
name = "staff"
require = "role == 'staff'"
[[gates]]
name = "first"
blocks = ["pay"]
require = "known"
"#;
    let own = r#"
extends = "shared/base.json.toml"
name = "own"
[facts]
known = "any"
[tools.pay]
confirm = false
[tools.note]
[[policies]]
name = "small"
require = "amount < 2 * limit"
[[policies]]
name = "also"
require = "known != null"
"#;
    let folder = folder(&[("shared/base.json.toml", base), ("own.toml", own)]);
    let catalog = load::load(&folder.path().join("own.toml")).unwrap_or_else(|errors| panic!("{errors}")).catalog;
    assert_eq!(catalog.name, "own");
    let pay = &catalog.tools["pay"];
    assert!(pay.once.is_some() && pay.confirm.is_none() && matches!(pay.schema, Schema::Ready(_)));
    let policies: Vec<_> = pay.policies.iter().map(|policy| (policy.name.as_ref(), policy.require.source())).collect();
    assert_eq!(policies, [("small", "amount < 2 * limit"), ("staff", "role == 'staff'"), ("also", "known != null")]);
    assert_eq!(catalog.facts.iter().map(|fact| fact.kind.as_str()).collect::<Vec<_>>(), ["string", "any"]);
    assert_eq!((catalog.tools.len(), catalog.gates.len()), (2, 1));

    // The same rules in one file, in another order and format, have the same fingerprint; other rules another one.
    let one = r#"{"combine": "first", "name": "own", "constants": {"limit": 5.0}, "facts": {"known": "any", "role": "string"},
        "gates": [{"require": "known", "blocks": ["pay"], "name": "first"}],
        "policies": [{"name": "small", "require": "amount < 2 * limit"}, {"name": "staff", "require": "role == 'staff'"},
            {"name": "also", "require": "known != null"}],
        "tools": {"note": {}, "pay": {"once": true, "confirm": false,
            "schema": {"type": "object", "properties": {"amount": {"type": "number"}}}}}, "dryguard": 1}"#;
    let fingerprint = |text: &str| load::from_text(text, "one.json", Format::Json, None).unwrap().catalog.fingerprint;
    assert_eq!(fingerprint(one), catalog.fingerprint);
    assert_ne!(fingerprint(&one.replace("\"first\", \"name\"", "\"strictest\", \"name\"")), catalog.fingerprint);
    assert_eq!(catalog.fingerprint.len(), 64);
}

#[test]
fn what_a_catalog_extends_is_found_and_no_circle() {
    let circle = folder(&[("a.toml", "extends = 'b.toml'"), ("b.toml", "name = 'b'\nextends = 'a.toml'")]);
    insta::assert_snapshot!("circle", said(&circle, "a.toml"));
    let missing = folder(&[("a.toml", "extends = 'nowhere.toml'\nschemas = ['none.json']")]);
    insta::assert_snapshot!("missing_files", said(&missing, "a.toml"));
    let wrong = folder(&[
        ("a.toml", "extends = 'b.toml'\n[[policies]]\nname = 'x'\nrequire = 'role'"),
        ("b.toml", "[facts]\nrole = 'strin'"),
    ]);
    insta::assert_snapshot!("wrong_base", said(&wrong, "a.toml"));
    assert!(errors("extends = 'b.toml'").contains("relative"));
    insta::assert_snapshot!("no_file", said(&missing, "b.toml"));
}

const TOOLS: &str = r#"[
    {"type": "function", "function": {"name": "pay", "description": "Pays.", "parameters": {"type": "object", "properties": {"amount": {"type": "number"}}, "required": ["amount"]}}},
    {"name": "look", "description": "Looks.", "input_schema": {"type": "object", "properties": {"id": {"type": "string"}}}},
    {"name": "list", "inputSchema": {"type": "object", "properties": {}}, "annotations": {"readOnlyHint": true}}
]"#;

#[test]
fn schemas_come_from_definition_files() {
    let own = "schemas = ['tools.json']\nundeclared = 'schema-only'\n[tools.pay]\n[tools.list]\n[tools.other]\n[[policies]]\nname = 'small'\nrequire = 'amount < 5'\n[[policies]]\nname = 'o'\ntools = ['other']\nrequire = 'amount < 5'";
    let folder = folder(&[("own.toml", own), ("tools.json", TOOLS)]);
    let loaded = load::load(&folder.path().join("own.toml")).unwrap_or_else(|errors| panic!("{errors}"));
    let catalog = loaded.catalog;
    assert_eq!(catalog.undeclared, Undeclared::SchemaOnly);
    let (pay, list) = (&catalog.tools["pay"], &catalog.tools["list"]);
    assert_eq!((pay.description.as_deref(), pay.changes, list.changes), (Some("Pays."), None, Some(false)));
    assert_eq!((pay.policies.len(), list.policies.len()), (1, 0));
    assert!(matches!(catalog.tools["other"].schema, Schema::None));
    assert_eq!(catalog.definitions.keys().collect::<Vec<_>>(), ["look"]);

    let recorded = toml("schemas = 'recorded'\n[tools.pay]\nground = ['anything']\n").unwrap().catalog;
    assert!(recorded.recorded_schemas && matches!(recorded.tools["pay"].schema, Schema::Recorded));
    assert_eq!(recorded.tools["pay"].ground.len(), 1);
}

#[test]
fn a_schema_that_cannot_be_used_is_an_error_inline_and_a_warning_from_a_file() {
    let said = errors("[tools.pay]\nschema = { type = 'objekt' }\n");
    assert!(said.contains("the schema of `pay` can't be used"), "{said}");
    let tools = r#"[{"name": "pay", "parameters": {"type": "objekt"}}]"#;
    let folder = folder(&[("own.toml", "schemas = ['tools.json']\n[tools.pay]\n"), ("tools.json", tools)]);
    let loaded = load::load(&folder.path().join("own.toml")).unwrap_or_else(|errors| panic!("{errors}"));
    assert!(matches!(loaded.catalog.tools["pay"].schema, Schema::Unreadable(_)));
    assert!(loaded.warnings[0].message.contains("every call escalates"), "{}", loaded.warnings[0]);
}

#[test]
fn names_expressions_read_the_value_that_is_to_be_named() {
    let options = "ground = { iban = { names = '[value]' } }\nconfirm = { names = { iban = '[value, iban]' } }\n";
    let catalog = catalog(&pay(options));
    assert!(catalog.tools["pay"].ground[0].names.is_some());
    assert!(errors(&pay("[[policies]]\nname = 'x'\nrequire = 'value == iban'")).contains("unknown name `value`"));
    assert!(errors("[facts]\nvalue = 'any'").contains("`value` can't be the name of a fact"));
}

#[test]
fn definition_files_that_cannot_be_read_say_where() {
    let broken = folder(&[("own.toml", "schemas = ['tools.json']"), ("tools.json", "[{\"name\": }]")]);
    insta::assert_snapshot!("definitions_no_json", said(&broken, "own.toml"));
}

// The commands --------------------------------------------------------------------------------------------------------------

const SUPPORT: &str = r#"
dryguard = 1
name = "support"
schemas = ["tools.json"]
[facts]
known = "bool"
[tools.pay]
changes = true
ground = { amount = "token" }
ground_from = ["user"]
tool_values = "escalate"
once = true
confirm = true
request = { intents = ["pay"] }
[tools.look]
injections = "any"
[[policies]]
name = "asked_first"
tools = ["pay"]
require = "!user_request.contains('never')"
on_fail = "escalate"
[[policies]]
name = "small"
require = "amount < 500"
reason = "At most 500."
[[gates]]
name = "identity_first"
blocks = ["pay"]
require = "known"
reason = "Identify the customer first."
"#;

fn checked(folder: &tempfile::TempDir, name: &str, json: bool) -> (bool, String) {
    let mut out = Vec::new();
    let valid = check(
        &CheckArgs { catalog: folder.path().join(name), deny_warnings: false },
        Style { json, colour: false },
        &mut out,
    )
    .unwrap();
    (valid.usable, String::from_utf8(out).unwrap().replace(&format!("{}/", folder.path().display()), ""))
}

fn shown(folder: &tempfile::TempDir, tools: &[&str], definitions: bool, with_reasons: bool) -> String {
    let tools = tools.iter().map(|tool| (*tool).to_owned()).collect();
    let args = ShowArgs { catalog: folder.path().join("own.toml"), tools, definitions, with_reasons };
    let mut out = Vec::new();
    match show(&args, Style::default(), &mut out) {
        Ok(()) => String::from_utf8(out).unwrap(),
        Err(error) => format!("error: {error}"),
    }
}

#[test]
fn check_sums_up_or_says_what_is_wrong() {
    let folder = folder(&[("own.toml", SUPPORT), ("tools.json", TOOLS), ("wrong.toml", "nmae = 'x'")]);
    let (valid, text) = checked(&folder, "own.toml", false);
    assert!(valid);
    insta::with_settings!({filters => vec![("fingerprint [0-9a-f]{64}", "fingerprint [hash]")]}, {
        insta::assert_snapshot!("check", text);
    });
    let (valid, text) = checked(&folder, "wrong.toml", false);
    assert!(!valid);
    insta::assert_snapshot!("check_wrong", text);
    let (_, text) = checked(&folder, "wrong.toml", true);
    insta::assert_snapshot!("check_wrong_json", text);
}

#[test]
fn show_tells_each_tools_checks_in_order() {
    let folder = folder(&[("own.toml", SUPPORT), ("tools.json", TOOLS)]);
    insta::assert_snapshot!("show", shown(&folder, &[], false, false));
    insta::assert_snapshot!("show_definitions", shown(&folder, &["pay"], true, false));
    let with_reasons = shown(&folder, &[], true, true);
    insta::assert_snapshot!("show_definitions_with_reasons", with_reasons);
    assert!(json::parse(with_reasons.trim_end()).is_ok());
    assert_eq!(shown(&folder, &["pya"], false, false), "error: the catalog has no tool `pya`; its tools are look, pay");
}

#[test]
fn the_shipped_catalogs_load() {
    for name in ["retail", "airline", "tau-retail"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(name).join("catalog.toml");
        let loaded = load::load(&path).unwrap_or_else(|errors| panic!("{errors}"));
        let warnings: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
        assert!(warnings.is_empty(), "{}", warnings.join("\n"));
    }
}

/// Every catalog of the worked decisions.
#[test]
fn the_catalogs_of_the_worked_cases_load() {
    let folder = std::env::var("DRYGUARD_CONFORMANCE")
        .unwrap_or_else(|_| format!("{}/../shared/conformance", env!("CARGO_MANIFEST_DIR")));
    let Ok(text) = fs::read_to_string(Path::new(&folder).join("decisions.jsonl")) else {
        println!("catalogs of decisions: skipped, there is no {folder}");
        return;
    };
    let mut different = Vec::new();
    let mut cases = 0;
    let mut seen = BTreeSet::new();
    for line in text.lines() {
        cases += 1;
        let case = json::parse(line).unwrap();
        let catalog = json::canonical(case.get("catalog").unwrap());
        // Many cases share a catalog.
        if !seen.insert(catalog.clone()) {
            continue;
        }
        if let Err(errors) = load::from_text(&catalog, "case.json", Format::Json, None) {
            different.push(errors.to_string());
        }
    }
    println!("catalogs of decisions: {}/{cases}", cases - different.len());
    assert!(different.is_empty(), "{}", different.iter().take(3).cloned().collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_section_for_a_tool_that_no_definition_has_is_a_warning_with_the_nearest_name() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tools.json"), r#"[{"name": "refund", "input_schema": {"type": "object"}}]"#).unwrap();
    let catalog = "schemas = ['tools.json']\n[tools.refnd]\nonce = true\n";
    let loaded = load::from_text(catalog, "catalog.toml", Format::Toml, Some(folder.path())).unwrap();
    let warnings: Vec<String> = loaded.warnings.iter().map(|warning| warning.render(false)).collect();
    assert!(
        warnings.iter().any(|w| w.contains("`schemas` defines no tool `refnd`") && w.contains("did you mean `refund`?")),
        "{warnings:?}"
    );
}

/// The warnings of a catalog beside a file of three definitions.
fn doubts(catalog: &str) -> Vec<String> {
    let definitions = r#"[{"name": "cancel_order", "parameters": {"type": "object", "properties": {"id": {"type": "string"}}}},
        {"name": "cancel_booking", "parameters": {"type": "object"}}, {"name": "look", "parameters": {"type": "object"}}]"#;
    let folder = folder(&[("tools.json", definitions), ("own.toml", &format!("schemas = ['tools.json']\n{catalog}"))]);
    match load::load(&folder.path().join("own.toml")) {
        Ok(loaded) => loaded.warnings.iter().map(ToString::to_string).collect(),
        Err(errors) => vec![errors.to_string()],
    }
}

#[test]
fn a_rule_that_names_a_tool_without_a_section_says_what_to_add() {
    let policy = "policies = [{ name = 'p', tools = ['cancel_booking'], require = 'f' }]";
    let wrong = doubts(&format!("facts.f = 'bool'\n{policy}\n[tools.look]\n")).join("\n");
    assert!(wrong.contains("`cancel_booking` has a schema but no section"), "{wrong}");
    assert!(wrong.contains("add `[tools.cancel_booking]`"), "{wrong}");
}

#[test]
fn a_pattern_that_also_matches_tools_without_a_section_is_a_warning_where_these_are_called() {
    let gate = "facts.f = 'bool'\ngates = [{ name = 'g', blocks = ['cancel_*'], require = 'f' }]\n[tools.cancel_order]\n";
    let found = doubts(&format!("undeclared = 'schema-only'\n{gate}")).join("\n");
    assert!(found.contains("this rule is not for `cancel_booking`, which `cancel_*` matches"), "{found}");
    // Where they are denied anyway, nothing escapes the rule.
    assert_eq!(doubts(gate), Vec::<String>::new());
}

#[test]
fn a_pattern_with_a_backspace_was_meant_to_have_a_word_boundary() {
    let section = "[tools.look]\nchanges = false\nrequest = { phrases = [\"\\bshow\\b\"] }\n";
    let found = doubts(section).join("\n");
    assert!(found.contains("holds a control character") && found.contains("single quotes"), "{found}");
}

#[test]
fn a_schema_that_takes_anything_and_names_nothing_lets_rules_name_arguments() {
    catalog("[tools.log]\nschema = { type = \"object\", additionalProperties = true }\nground = { text = \"nocase\" }\n");
    let closed = errors(
        "[tools.log]\nschema = { type = \"object\", additionalProperties = true, properties = { note = { type = \"string\" } } }\nground = { text = \"nocase\" }\n",
    );
    assert!(closed.contains("`log` has no argument `text`"), "{closed}");
}
