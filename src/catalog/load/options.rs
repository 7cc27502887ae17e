//! The tool options that name arguments: `ground`, `once`, `confirm`; and `request`.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::catalog::expression::{Expression, Scope};
use crate::catalog::model::{ArgumentPath, Confirm, Ground, Once, Request, Step};
use crate::catalog::outcome::Outcome;
use crate::catalog::path;
use crate::json::Value;
use crate::text::Matcher;
use crate::text::nearest;
use crate::words::intents::{Intent, IntentSet, Phrases};

use super::check::{Problems, listed};
use super::diagnostic::Diagnostic;
use super::names::{VALUE, compile};
use super::tree::{Kind, Member, Node};

pub(super) const ON_FAIL: [(&str, Outcome); 2] = [("deny", Outcome::Deny), ("escalate", Outcome::Escalate)];

/// One tool's options, its own before the catalog's defaults.
pub(super) struct Options<'n, 'p> {
    pub(super) tool: &'n str,
    pub(super) section: &'n Node,
    pub(super) defaults: Option<&'n Node>,
    pub(super) scope: &'n Scope,
    pub(super) parameters: Option<Arc<Value<'static>>>,
    pub(super) problems: &'p mut Problems,
}

impl<'n> Options<'n, '_> {
    /// An option, and whether the tool's own section gives it: what defaults say of arguments that a tool lacks is no mistake.
    fn option(&self, key: &str) -> Option<(&'n Node, bool)> {
        let own = self.section.get(key).map(|node| (node, true));
        own.or_else(|| Some((self.defaults?.get(key)?, false)))
    }

    /// `ground`: a list of arguments, or a table from arguments to matchers.
    pub(super) fn ground(&mut self) -> Vec<Ground> {
        let Some((node, own)) = self.option("ground") else { return Vec::new() };
        let mut ground = Vec::new();
        match &node.value {
            Kind::List(items) => {
                for item in items {
                    let path = self.problems.text(item).and_then(|text| self.path(text, own, || item.error("")));
                    ground.extend(path.map(|path| Ground { path, matcher: Matcher::default(), names: None }));
                }
            }
            Kind::Table(members) => {
                for member in members {
                    let path = self.path(&member.key, own, || member.error(""));
                    // What an argument is grounded by may read arguments too, so it isn't compiled for tools without it.
                    let (Some(path), Some((matcher, names))) = (path, self.grounded_by(&member.node)) else { continue };
                    ground.push(Ground { path, matcher, names });
                }
            }
            _ => self.problems.expected(node, "a list of arguments, or a table from arguments to matchers"),
        }
        ground
    }

    fn grounded_by(&mut self, node: &Node) -> Option<(Matcher, Option<Arc<Expression>>)> {
        match &node.value {
            Kind::Text(_) => Some((self.matcher(node)?, None)),
            Kind::Table(_) => {
                self.problems.table(node, "how an argument is found", &["match", "names"])?;
                let matcher = node.get("match").map_or(Some(Matcher::default()), |node| self.matcher(node))?;
                let names = match node.get("names") {
                    Some(names) => Some(self.names(names)?),
                    None => None,
                };
                Some((matcher, names))
            }
            _ => {
                self.problems.expected(node, "a matcher's name, or a table with `match` and `names`");
                None
            }
        }
    }

    /// An expression for the texts that count as naming a value; it reads the value as `value`.
    fn names(&mut self, node: &Node) -> Option<Arc<Expression>> {
        let mut scope = self.scope.clone();
        if !scope.arguments.iter().any(|argument| argument == VALUE) {
            scope.arguments.push(VALUE.to_owned());
        }
        compile(node, &scope, self.problems)
    }

    fn matcher(&mut self, node: &Node) -> Option<Matcher> {
        let matchers: Vec<(&str, Matcher)> = Matcher::ALL.iter().map(|matcher| (matcher.as_str(), *matcher)).collect();
        self.problems.one_of(node, "a matcher", &matchers)
    }

    /// A table from arguments to matchers.
    fn matchers(&mut self, node: Option<&Node>, own: bool) -> BTreeMap<String, Matcher> {
        let mut found = BTreeMap::new();
        for member in self.arguments_table(node, "a table from arguments to matchers") {
            let path = self.path(&member.key, own, || member.error(""));
            if let (Some(_), Some(matcher)) = (path, self.matcher(&member.node)) {
                found.insert(member.key.clone(), matcher);
            }
        }
        found
    }

    fn arguments_table<'m>(&mut self, node: Option<&'m Node>, expected: &str) -> &'m [Member] {
        if let Some(node) = node.filter(|node| !matches!(node.value, Kind::Table(_))) {
            self.problems.expected(node, expected);
        }
        node.map(Node::members).unwrap_or_default()
    }

    /// `once`: true, or which arguments don't count and how others are compared.
    pub(super) fn once(&mut self) -> Option<Once> {
        let (node, own) = self.option("once")?;
        match &node.value {
            Kind::Bool(on) => on.then(Once::default),
            Kind::Table(_) => {
                self.problems.table(node, "`once`", &["ignore", "match"])?;
                let mut once = Once { matchers: self.matchers(node.get("match"), own), ..Once::default() };
                if let Some(ignore) = node.get("ignore") {
                    for (item, name) in self.problems.texts(ignore, "a list of arguments") {
                        if self.known(name, own, || item.error("")) {
                            once.ignore.push(name.to_owned());
                        }
                    }
                }
                Some(once)
            }
            _ => {
                self.problems.expected(node, "true or false, or a table with `ignore` and `match`");
                None
            }
        }
    }

    /// `confirm`: true, or what the accepted proposal must name and how.
    pub(super) fn confirm(&mut self) -> Option<Confirm> {
        let (node, own) = self.option("confirm")?;
        let mut confirm = Confirm {
            arguments: None,
            matchers: BTreeMap::new(),
            names: BTreeMap::new(),
            last: None,
            on_fail: Outcome::Deny,
        };
        match &node.value {
            Kind::Bool(on) => on.then_some(confirm),
            Kind::Table(_) => {
                self.problems.table(node, "`confirm`", &["arguments", "match", "names", "last", "on_fail"])?;
                if let Some(list) = node.get("arguments") {
                    let items = self.problems.texts(list, "a list of arguments");
                    let paths =
                        items.into_iter().filter_map(|(item, text)| self.path(text, own, || item.error(""))).collect();
                    confirm.arguments = Some(paths);
                }
                confirm.matchers = self.matchers(node.get("match"), own);
                for member in self.arguments_table(node.get("names"), "a table from arguments to expressions") {
                    let path = self.path(&member.key, own, || member.error(""));
                    let names = path.and_then(|_| self.names(&member.node));
                    confirm.names.extend(names.map(|names| (member.key.clone(), names)));
                }
                confirm.last = node.get("last").and_then(|last| self.problems.count(last));
                confirm.on_fail = self.on_fail(node).unwrap_or(Outcome::Deny);
                Some(confirm)
            }
            _ => {
                self.problems
                    .expected(node, "true or false, or a table with `arguments`, `match`, `names`, `last` and `on_fail`");
                None
            }
        }
    }

    fn on_fail(&mut self, node: &Node) -> Option<Outcome> {
        self.problems.one_of(node.get("on_fail")?, "an outcome of a failed check", &ON_FAIL)
    }

    /// `request`: the kinds of action, or the phrases, one of which the user must have asked for.
    pub(super) fn request(&mut self) -> Option<Request> {
        let (node, _) = self.option("request")?;
        match &node.value {
            Kind::Bool(false) => return None,
            Kind::Table(_) => {}
            _ => {
                self.problems.expected(node, "a table with `intents`, `phrases` and `on_fail` (or false)");
                return None;
            }
        }
        self.problems.table(node, "`request`", &["intents", "phrases", "on_fail"])?;
        let known: Vec<(&str, Intent)> = Intent::ALL.iter().map(|intent| (intent.as_str(), *intent)).collect();
        let mut intents = Vec::new();
        if let Some(list) = node.get("intents") {
            for (item, _) in self.problems.texts(list, "a list of kinds of action") {
                let intent = self.problems.one_of(item, "a kind of action", &known);
                intents.extend(intent.filter(|intent| !intents.contains(intent)));
            }
        }
        let phrases = node.get("phrases").and_then(|list| self.phrases(list));
        if intents.is_empty() && phrases.is_none() {
            let error = node.error("`request` names neither `intents` nor `phrases`, so that nobody could ask for it");
            self.problems.push(error.label("what must the user have asked for?"));
            return None;
        }
        // A request of phrases alone is named by its tool.
        let asked: Vec<&str> = intents.iter().map(|intent| intent.as_str()).collect();
        let asked = if asked.is_empty() { self.tool.to_owned() } else { asked.join("_or_") };
        Some(Request {
            name: format!("user_asked_to_{asked}").into(),
            intents: intents.into_iter().fold(IntentSet::default(), IntentSet::with),
            phrases,
            on_fail: self.on_fail(node).unwrap_or(Outcome::Escalate),
        })
    }

    fn phrases(&mut self, list: &Node) -> Option<Arc<Phrases>> {
        let mut texts = Vec::new();
        for (item, text) in self.problems.texts(list, "a list of regular expressions") {
            // Each one alone first, so that the wrong one is underlined.
            match Phrases::new(&[text.to_owned()]) {
                Ok(_) => texts.push(text.to_owned()),
                Err(error) => self.problems.push(item.error(error.to_string())),
            }
        }
        if texts.is_empty() {
            return None;
        }
        match Phrases::new(&texts) {
            Ok(phrases) => Some(Arc::new(phrases)),
            Err(error) => {
                self.problems.push(list.error(error.to_string()));
                None
            }
        }
    }

    /// Whether the tool has an argument; an error where its own section says so and its schema doesn't.
    fn known(&mut self, name: &str, own: bool, at: impl FnOnce() -> Diagnostic) -> bool {
        if self.scope.open_arguments || self.scope.arguments.iter().any(|argument| argument == name) {
            return true;
        }
        if own {
            let arguments = || self.scope.arguments.iter().map(String::as_str);
            let help = match nearest(name, arguments()) {
                Some(near) => format!("the nearest argument is `{near}`"),
                None if self.scope.arguments.is_empty() => "its schema declares no arguments".to_owned(),
                None => format!("its arguments are {}", listed(arguments())),
            };
            let mut error = at();
            error.message = format!("`{}` has no argument `{name}`", self.tool);
            self.problems.push(error.label("not in its schema").help(help));
        }
        false
    }

    /// The argument (or the values within one) that a text names.
    fn path(&mut self, text: &str, own: bool, at: impl Fn() -> Diagnostic) -> Option<ArgumentPath> {
        // An argument's name may itself look like a path.
        let whole = self.scope.arguments.iter().any(|argument| argument == text);
        let steps = if whole { Some(vec![Step::Key(text.to_owned())]) } else { path::steps(text) };
        let Some(steps) = steps else {
            let mut error = at();
            error.message = format!("`{text}` names no argument");
            self.problems.push(error.help("write an argument's name, or a path into it: `flights[].flight_number`"));
            return None;
        };
        let Some((Step::Key(argument), inner)) = steps.split_first() else { return None };
        if !self.known(argument, own, &at) {
            return None;
        }
        let schema = self.parameters.as_deref().and_then(|schema| schema.get("properties")).and_then(|p| p.get(argument));
        if let Some(wrong) = schema.and_then(|schema| path::leads_nowhere(schema, inner)) {
            if own {
                let mut error = at();
                error.message = format!("`{text}` leads nowhere in the arguments of `{}`", self.tool);
                self.problems.push(error.label(wrong));
            }
            return None;
        }
        Some(ArgumentPath { text: text.into(), steps })
    }
}
