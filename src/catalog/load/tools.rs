//! `[tools.*]`: each tool with its schema, and the options that `[defaults]` may give too.

use std::sync::Arc;

use crate::catalog::expression::Scope;
use crate::catalog::model::{Injections, Roles, Schema, Tool, ToolValues};
use crate::catalog::schema::ToolSchema;
use crate::json::Value;
use crate::text::Locale;
use crate::text::nearest;
use crate::transcript::Role;

use super::check::Problems;
use super::names::Names;
use super::options::Options;
use super::schemas::Definitions;
use super::tree::{Kind, Member, Node};

/// The options that `[defaults]` may give.
const OPTIONS: [&str; 12] = [
    "changes",
    "ground",
    "ground_from",
    "ground_last",
    "injections",
    "scan_user",
    "tool_values",
    "locale",
    "once",
    "confirm",
    "request",
    "authorize",
];

const ROLES: [(&str, Role); 4] =
    [("user", Role::User), ("assistant", Role::Assistant), ("tool", Role::Tool), ("system", Role::System)];

const INJECTIONS: [(&str, Injections); 3] =
    [("grounded", Injections::Grounded), ("any", Injections::Any), ("off", Injections::Off)];

const TOOL_VALUES: [(&str, ToolValues); 2] = [("deny", ToolValues::Deny), ("escalate", ToolValues::Escalate)];

/// A tool while the rules over it are still being read.
pub(super) struct Draft {
    /// What is known of it.
    pub(super) tool: Tool,
    /// What an expression over its calls may read.
    pub(super) scope: Scope,
    /// Whether it has each of the catalog's computed values.
    pub(super) computed: Vec<bool>,
}

impl Draft {
    /// The arguments that its schema declares.
    pub(super) fn has_argument(&self, name: &str) -> bool {
        self.scope.arguments.iter().any(|argument| argument == name)
    }
}

/// Reads every section; `root` is the whole catalog.
pub(super) fn read(root: &Node, definitions: &Definitions, names: &Names, problems: &mut Problems) -> Vec<Draft> {
    let defaults = root.get("defaults").filter(|node| problems.table(node, "`defaults`", &OPTIONS).is_some());
    let Some(node) = root.get("tools") else { return Vec::new() };
    let Kind::Table(members) = &node.value else {
        problems.expected(node, "a table of tools");
        return Vec::new();
    };
    members.iter().map(|member| section(member, defaults, definitions, names, problems)).collect()
}

fn section(
    member: &Member,
    defaults: Option<&Node>,
    definitions: &Definitions,
    names: &Names,
    problems: &mut Problems,
) -> Draft {
    let Member { key: name, node, .. } = member;
    if name.trim().is_empty() {
        problems.push(member.error("a tool's name can't be blank"));
    }
    let known: Vec<&str> = OPTIONS.into_iter().chain(["description", "schema"]).collect();
    problems.table(node, "a tool", &known);
    let mut tool = Tool::plain(name);
    set_schema(&mut tool, node, definitions, problems);
    if let Some(text) = node.get("description").and_then(|node| problems.text(node)) {
        tool.description = Some(text.to_owned());
    }
    let arguments: Vec<String> = match &tool.schema {
        Schema::Ready(schema) => schema.arguments().iter().map(|argument| argument.name.clone()).collect(),
        _ => Vec::new(),
    };
    names.check_arguments(name, arguments.iter().map(String::as_str), problems);
    let open = !matches!(&tool.schema, Schema::Ready(schema) if schema.names_arguments());
    let scope = names.call_scope(arguments, open);
    let mut options =
        Options { tool: name, section: node, defaults, scope: &scope, parameters: tool.parameters.clone(), problems };
    read_simple(&mut tool, &mut options);
    tool.ground = options.ground();
    tool.once = options.once();
    tool.confirm = options.confirm();
    tool.request = options.request();
    let computed = vec![false; names.computed.len()];
    Draft { tool, scope, computed }
}

/// The options that are one value.
fn read_simple(tool: &mut Tool, options: &mut Options<'_, '_>) {
    let (section, defaults) = (options.section, options.defaults);
    let option = |key: &str| section.get(key).or_else(|| defaults?.get(key));
    let problems = &mut *options.problems;
    tool.changes = option("changes").and_then(|node| problems.boolean(node)).or(tool.changes);
    tool.scan_user = option("scan_user").and_then(|node| problems.boolean(node)).unwrap_or_default();
    tool.authorize = option("authorize").and_then(|node| problems.boolean(node));
    tool.ground_last = option("ground_last").and_then(|node| problems.count(node));
    tool.injections = option("injections")
        .and_then(|node| problems.one_of(node, "a way to treat injections", &INJECTIONS))
        .unwrap_or_default();
    tool.tool_values = option("tool_values")
        .and_then(|node| problems.one_of(node, "a way to treat values of tools", &TOOL_VALUES))
        .unwrap_or_default();
    let locales: Vec<(&str, Locale)> = Locale::ALL.iter().map(|locale| (locale.as_str(), *locale)).collect();
    tool.locale = option("locale").and_then(|node| problems.one_of(node, "a locale", &locales));
    if let Some(node) = option("ground_from") {
        let roles = problems.texts(node, "a list of roles");
        let roles: Vec<Role> = roles.iter().filter_map(|(node, _)| problems.one_of(node, "a role", &ROLES)).collect();
        if roles.is_empty() && node.items().is_empty() && matches!(node.value, Kind::List(_)) {
            problems.push(node.error("`ground_from` names no role, so that nothing could ever be found").label("empty"));
        }
        tool.ground_from = Roles::of(&roles);
    }
}

/// The schema that is written inline, else that of the definitions, else each record's own.
fn set_schema(tool: &mut Tool, section: &Node, definitions: &Definitions, problems: &mut Problems) {
    if let Some(definition) = definitions.by_name.get(&tool.name) {
        tool.description.clone_from(&definition.description);
        tool.changes = definition.read_only.map(|reads| !reads);
    }
    match section.get("schema") {
        Some(node) => match &node.value {
            Kind::Text(text) if text == "recorded" => tool.schema = Schema::Recorded,
            Kind::Table(_) => match node.no_json() {
                Some(no_json) => problems.push(no_json.error(format!("a schema can't hold {}", no_json.kind()))),
                None => match ToolSchema::compile(&node.to_json()) {
                    Ok(schema) => {
                        for warning in schema.warnings() {
                            problems.push(node.error(format!("the schema of `{}`: {warning}", tool.name)).warning());
                        }
                        ready(tool, schema, node.to_json());
                    }
                    Err(error) => problems.push(node.error(format!("the schema of `{}` can't be used: {error}", tool.name))),
                },
            },
            _ => problems.expected(node, "a JSON Schema as a table, or `\"recorded\"`"),
        },
        None => match definitions.by_name.get(&tool.name) {
            Some(definition) => {
                from_definition(tool, &definition.schema);
                for doubt in doubts(tool) {
                    problems.push(section.error(doubt).warning());
                }
            }
            None if definitions.recorded => tool.schema = Schema::Recorded,
            // Without definitions, schemas aren't meant to be known; with them, a name that isn't there is likely a slip, and
            // the rules of this section would protect nothing.
            None if !definitions.by_name.is_empty() => {
                let error = section.error(format!("`schemas` defines no tool `{}`", tool.name)).warning();
                let near = nearest(&tool.name, definitions.by_name.keys().map(String::as_str));
                let help = near.map_or_else(
                    || "mend its name, or give it a `schema`".to_owned(),
                    |near| format!("did you mean `{near}`? calls of that are not checked by this section"),
                );
                problems.push(error.help(help));
            }
            None => {}
        },
    }
}

/// What is doubtful about the schema of a definitions file.
fn doubts(tool: &Tool) -> Vec<String> {
    match &tool.schema {
        Schema::Ready(schema) => {
            schema.warnings().iter().map(|warning| format!("the schema of `{}`: {warning}", tool.name)).collect()
        }
        Schema::Unreadable(reason) => {
            vec![format!("the schema of `{}` can't be used, so every call escalates: {reason}", tool.name)]
        }
        Schema::Recorded | Schema::None => Vec::new(),
    }
}

/// The schema of a definitions file, which someone else wrote: one that can't be used is for the guard to say at each call.
pub(super) fn from_definition(tool: &mut Tool, schema: &Value<'static>) {
    match ToolSchema::compile(schema) {
        Ok(compiled) => ready(tool, compiled, schema.clone()),
        Err(error) => {
            tool.schema = Schema::Unreadable(error.to_string());
            tool.parameters = Some(Arc::new(schema.clone()));
        }
    }
}

fn ready(tool: &mut Tool, schema: ToolSchema, declared: Value<'static>) {
    tool.schema = Schema::Ready(Arc::new(schema));
    tool.parameters = Some(Arc::new(declared));
}

/// The definitions of tools that no section declares: nothing but their schema is checked.
pub(super) fn undeclared(definitions: &Definitions, declared: &[Draft]) -> Vec<Tool> {
    let others = definitions.by_name.values().filter(|d| declared.iter().all(|draft| draft.tool.name != d.name));
    others
        .map(|definition| {
            let mut tool = Tool::plain(&definition.name);
            tool.description.clone_from(&definition.description);
            tool.changes = definition.read_only.map(|reads| !reads);
            from_definition(&mut tool, &definition.schema);
            tool
        })
        .collect()
}
