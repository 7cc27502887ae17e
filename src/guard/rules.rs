//! What a tool's rules say at a proposal's moment: the values they want found in text, its policies and its gates.
//!
//! These read facts, which change along the transcript; what reads text comes after, once it was searched.

use std::sync::Arc;

use crate::catalog::expression::{Expression, Truth, Unevaluated, Variable};
use crate::catalog::model::{ArgumentPath, Catalog, Gate, Policy, Step, Tool};
use crate::json::{self, Value};
use crate::text::{Locale, Matcher};

use super::case::{Needles, Sought, needs_nothing};
use super::environment::CallEnvironment;
use super::{CheckResult, Outcome, Status};

/// The values that a call's rules want found.
#[derive(Default)]
pub(crate) struct SoughtValues<'t> {
    pub(crate) grounded: Vec<Sought<'t>>,
    pub(crate) confirmed: Vec<Sought<'t>>,
}

/// Collects the values that grounding and confirmation want found.
pub(crate) fn sought<'t>(tool: &'t Tool, environment: &CallEnvironment<'_, 't>, needles: &mut Needles) -> SoughtValues<'t> {
    let mut found = SoughtValues::default();
    let case = environment.case();
    for ground in &tool.ground {
        let default = case.default_of(ground.path.argument());
        let how = How { matcher: ground.matcher, locale: tool.locale, names: ground.names.as_deref() };
        for value in ground.path.values(case.object()).into_iter().filter(|value| !needs_nothing(value, default)) {
            collect(&ground.path, value, &how, environment, needles, &mut found.grounded);
        }
    }
    if let Some(confirm) = &tool.confirm {
        let all;
        let paths = match &confirm.arguments {
            Some(paths) => paths,
            None => {
                all = case.object().iter().map(|(name, _)| top_level(name)).collect::<Vec<_>>();
                &all
            }
        };
        for path in paths {
            let how = How {
                matcher: confirm.matchers.get(path.text.as_ref()).copied().unwrap_or(Matcher::NoCase),
                locale: None,
                names: confirm.names.get(path.text.as_ref()).map(Arc::as_ref),
            };
            for value in path.values(case.object()).into_iter().filter(|value| is_named(value, confirm.arguments.is_some()))
            {
                collect(path, value, &how, environment, needles, &mut found.confirmed);
            }
        }
    }
    found
}

fn top_level(name: &str) -> ArgumentPath {
    ArgumentPath { text: name.into(), steps: vec![Step::Key(name.to_owned())] }
}

/// Whether a proposal must name a value: a text that isn't blank, a number, or a list of such; of listed arguments also
/// what no text can name (it then never is), unless it is absent or blank.
fn is_named(value: &Value<'_>, listed: bool) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::Number(_) => true,
        Value::Bool(_) | Value::Object(_) => listed,
        Value::Array(items) => {
            !items.is_empty() && (listed || items.iter().all(|item| matches!(item, Value::String(_) | Value::Number(_))))
        }
    }
}

struct How<'r> {
    matcher: Matcher,
    locale: Option<Locale>,
    names: Option<&'r Expression>,
}

fn collect<'t>(
    path: &ArgumentPath,
    value: &Value<'t>,
    how: &How<'_>,
    environment: &CallEnvironment<'_, 't>,
    needles: &mut Needles,
    out: &mut Vec<Sought<'t>>,
) {
    let whole = [value];
    let items = match value {
        Value::Array(_) => single_items(value),
        _ => whole.to_vec(),
    };
    for item in items {
        let mut ids: Vec<usize> = needles.value(item, how.matcher, how.locale).into_iter().collect();
        let mut unnamed = None;
        if let Some(names) = how.names {
            match named(names, item, environment) {
                Ok(texts) => ids.extend(texts.iter().filter_map(|text| needles.value(text, Matcher::NoCase, how.locale))),
                Err(why) => unnamed = Some(why),
            }
        }
        out.push(Sought { argument: path.text.to_string(), value: item.clone(), needles: ids, unnamed });
    }
}

fn single_items<'v, 'a>(value: &'v Value<'a>) -> Vec<&'v Value<'a>> {
    let mut single = Vec::new();
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match value {
            Value::Array(items) => pending.extend(items.iter().rev()),
            other => single.push(other),
        }
    }
    single
}

/// The texts that a `names` expression gives for a value.
fn named<'t>(
    expression: &Expression,
    item: &Value<'t>,
    environment: &CallEnvironment<'_, 't>,
) -> Result<Vec<Value<'static>>, Unevaluated> {
    let item = item.clone();
    let environment = environment.with_item(&item);
    match expression.evaluate(&&environment)?.to_json() {
        Value::Array(texts) => Ok(texts),
        text @ Value::String(_) => Ok(vec![text]),
        Value::Null => Ok(Vec::new()),
        other => Err(Unevaluated {
            missing_facts: Vec::new(),
            reason: format!("`names` gives a list of texts, not a {}", other.kind()),
        }),
    }
}

/// A value as reasons show it: whole when it's short.
pub(crate) fn show(value: &Value<'_>) -> String {
    const LONGEST: usize = 80;
    let text = json::display(value);
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text,
    }
}

/// The results of a tool's policies, the denying ones first, each group in the order of its declaration.
pub(crate) fn policies<'t>(
    tool: &'t Tool,
    catalog: &'t Catalog,
    environment: &CallEnvironment<'_, 't>,
    readable: bool,
) -> Vec<CheckResult> {
    let group = |outcome| tool.policies.iter().filter(move |policy| policy.on_fail == outcome);
    group(Outcome::Deny)
        .chain(group(Outcome::Escalate))
        .map(|policy| {
            let skipped = !readable && reads_arguments(&policy.require, tool);
            if skipped { result(policy, Status::Skipped, String::new()) } else { evaluate(policy, catalog, environment) }
        })
        .collect()
}

fn reads_arguments(expression: &Expression, tool: &Tool) -> bool {
    expression.reads().iter().any(|variable| match variable {
        Variable::Argument(_) | Variable::Args => true,
        Variable::Computed(index) => tool.computed.iter().any(|(i, computed)| i == index && reads_arguments(computed, tool)),
        _ => false,
    })
}

fn evaluate<'t>(policy: &Policy, catalog: &Catalog, environment: &CallEnvironment<'_, 't>) -> CheckResult {
    match policy.require.holds(&environment) {
        Truth::Holds => result(policy, Status::Passed, String::new()),
        Truth::Fails => {
            let values: Vec<String> = policy
                .require
                .witnesses(&environment)
                .into_iter()
                .map(|(name, value)| format!("{name} = {value}"))
                .collect();
            let reason = match values.is_empty() {
                true => policy.reason.to_string(),
                false => format!("{} ({})", policy.reason, values.join(", ")),
            };
            result(policy, Status::Failed, reason)
        }
        Truth::Unevaluated(why) => CheckResult {
            missing_facts: missing(&why, catalog),
            gates: Vec::new(),
            ..result(policy, Status::Unevaluated, unevaluated_reason(&why, catalog))
        },
    }
}

fn result(policy: &Policy, status: Status, reason: String) -> CheckResult {
    CheckResult {
        check: policy.name.clone(),
        status,
        on_fail: policy.on_fail,
        reason,
        missing_facts: Vec::new(),
        gates: Vec::new(),
    }
}

/// The gates that block a tool, as one check; nothing when none does.
pub(crate) fn gates<'t>(tool: &'t Tool, catalog: &'t Catalog, environment: &CallEnvironment<'_, 't>) -> Option<CheckResult> {
    let mut check = CheckResult {
        check: AGENDA.with(Arc::clone),
        status: Status::Passed,
        on_fail: Outcome::Deny,
        reason: String::new(),
        missing_facts: Vec::new(),
        gates: Vec::new(),
    };
    let gates: Vec<&Gate> = tool.gates.iter().filter_map(|index| catalog.gates.get(*index)).collect();
    if gates.is_empty() {
        return None;
    }
    let (mut closed, mut unevaluated, mut overridden) = (Vec::new(), Vec::new(), Vec::new());
    for gate in gates {
        match (gate.require.holds(&environment), &gate.override_) {
            (Truth::Holds, _) => {}
            (Truth::Fails, Some(by)) => {
                overridden.push(format!("gate `{}` is closed, let through by {}: {}", gate.name, by.by, by.reason));
            }
            (Truth::Fails, None) => {
                check.gates.push((gate.name.clone(), Status::Failed));
                closed.push(format!("gate `{}` is closed: {}", gate.name, gate.reason));
            }
            (Truth::Unevaluated(why), None) => {
                check.missing_facts.extend(missing(&why, catalog));
                check.gates.push((gate.name.clone(), Status::Unevaluated));
                unevaluated.push(format!("gate `{}`: {}", gate.name, unevaluated_reason(&why, catalog)));
            }
            (Truth::Unevaluated(why), Some(by)) => overridden.push(format!(
                "gate `{}` could not be evaluated ({}), let through by {}: {}",
                gate.name,
                unevaluated_reason(&why, catalog),
                by.by,
                by.reason
            )),
        }
    }
    (check.status, check.reason) = match (closed.is_empty(), unevaluated.is_empty()) {
        (false, _) => (Status::Failed, closed.join("; ")),
        (true, false) => (Status::Unevaluated, unevaluated.join("; ")),
        (true, true) => (Status::Passed, overridden.join("; ")),
    };
    if check.status == Status::Failed {
        check.missing_facts.clear();
    }
    Some(check)
}

thread_local! {
    static AGENDA: Arc<str> = Arc::from(super::checks::AGENDA_ALLOWS);
}

/// The names of the facts that an expression lacks.
pub(crate) fn missing(why: &Unevaluated, catalog: &Catalog) -> Vec<Arc<str>> {
    why.missing_facts.iter().filter_map(|index| catalog.facts.get(*index)).map(|fact| fact.name.clone()).collect()
}

/// Why an expression could not be evaluated, in words.
pub(crate) fn unevaluated_reason(why: &Unevaluated, catalog: &Catalog) -> String {
    let names: Vec<String> = missing(why, catalog).iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => why.reason.clone(),
        [one] => format!("nobody gave the fact {one}"),
        several => format!("nobody gave the facts {}", several.join(", ")),
    }
}
