//! The draft as a catalog: what was guessed is marked, what was measured stands beside each rule.

use std::fmt::Write;

use crate::evaluate::Rate;
use crate::evaluate::notices::counted;

use super::measure::{Cost, Costs, ToolCosts};
use super::rule::{Head, OPEN, Rule, key, options, quoted};
use super::{Chosen, Declared, Setting, Survey};

/// Everything that a draft says.
#[derive(Debug)]
pub struct Draft<'d> {
    /// What stands before its tools.
    pub head: &'d Head,
    /// Its tools, each with the rules that were tried and those that were chosen.
    pub tools: &'d [(Declared, Vec<Rule>, Chosen)],
    /// The record.
    pub survey: &'d Survey,
    /// What each rule alone stops.
    pub costs: &'d Costs,
    /// What the whole stops.
    pub whole: &'d Costs,
    /// How it was made.
    pub setting: &'d Setting,
}

/// A draft's text.
pub fn write(draft: &Draft<'_>) -> String {
    let mut text = String::new();
    head(draft, &mut text);
    for (tool, rules, chosen) in draft.tools {
        section(draft, tool, rules, chosen, &mut text);
    }
    text
}

/// What a cost is, in words: `stops 3 of 131 calls (2.3%; 95%: 0.5 to 6.5%), 1 of them honest`.
pub fn cost(cost: &Cost, honest: usize) -> String {
    let rate = cost.rate();
    let mut text = match rate.events {
        0 => format!("stops none of {} ({})", counted(rate.of, "call", "calls"), interval(&rate)),
        events => format!("stops {events} of {} ({})", counted(rate.of, "call", "calls"), interval(&rate)),
    };
    if rate.events > 0 && honest > 0 {
        let _ = write!(text, ", {} of them honest", cost.honest);
    }
    if rate.events > 0 && cost.refused > 0 {
        let _ = write!(text, ", {} refused by the environment", cost.refused);
    }
    text
}

fn interval(rate: &Rate) -> String {
    match rate.events {
        0 => format!("at most {:.1}%", rate.high * 100.0),
        _ => format!("{:.1}%; 95%: {:.1} to {:.1}%", rate.share() * 100.0, rate.low * 100.0, rate.high * 100.0),
    }
}

fn head(draft: &Draft<'_>, text: &mut String) {
    let Draft { survey, whole, .. } = draft;
    let _ = writeln!(
        text,
        "# A draft, from {} with {}. Read it before you use it: what is marked as a guess was guessed,\n\
         # and a rule that stopped nothing so far is not a rule that is right.\n#\n\
         # As a whole it {}.\n\
         # A rule is written if the rules of its tool together stop at most {}% of the tool's recorded calls.\n\
         # Percentages behind `95%` are where the true share lies, by 95% confidence, for other conversations like these.",
        counted(survey.conversations, "conversation", "conversations"),
        counted(whole.calls, "recorded call", "recorded calls"),
        cost(&whole.base, whole.honest),
        draft.setting.max_cost * 100.0,
    );
    if whole.honest == 0 {
        text.push_str("# No call is labelled honest, so whether a stopped one should have gone ahead isn't known.\n");
    }
    text.push('\n');
    text.push_str(&draft.head.written());
    match (survey.refused(), &draft.head.refused) {
        (Some((_, count)), Some(refused)) => {
            let results = counted(survey.results, "result", "results");
            let _ = write!(text, "\n[outcome]\n# guess: {count} of {results} begin so\nrefused = {}\n", quoted(refused));
        }
        _ => text.push_str(
            "\n# No result looks like a refusal. If the environment refuses calls, say how its results show that:\n\
            # outcome.refused = \"result_text.startsWith('Error')\"\n",
        ),
    }
}

fn section(draft: &Draft<'_>, tool: &Declared, rules: &[Rule], chosen: &Chosen, text: &mut String) {
    let _ = writeln!(text, "\n[tools.{}]", key(&tool.name));
    let nothing = ToolCosts::default();
    let costs = draft.costs.tools.get(&tool.name).unwrap_or(&nothing);
    match draft.whole.tools.get(&tool.name) {
        Some(whole) if whole.calls > 0 => {
            let _ = writeln!(text, "# all of this section {}", cost(&whole.base, whole.honest));
        }
        _ => text.push_str("# never called in the record, so nothing is known of it\n"),
    }
    let _ = writeln!(text, "changes = {}  # {}", tool.changes, tool.because);
    if tool.open {
        let why = match tool.schema {
            true => format!("its own schema {}", cost(&costs.base, costs.honest)),
            false => "nobody gives its schema".to_owned(),
        };
        let _ = writeln!(text, "# any arguments are taken: {why}\n{OPEN}");
    }
    provenance(draft, tool, text);
    let of = |numbers: &[usize]| {
        numbers.iter().filter_map(|number| Some((rules.get(*number)?, costs.rules.get(*number)?))).collect::<Vec<_>>()
    };
    let kept = of(&chosen.kept);
    for (rule, stops) in &kept {
        let _ = writeln!(text, "# {}: {}", said(rule), cost(stops, costs.honest));
    }
    for line in options(&kept.iter().map(|(rule, _)| *rule).collect::<Vec<_>>()) {
        let _ = writeln!(text, "{line}");
    }
    for (rule, stops) in of(&chosen.left) {
        let _ = writeln!(text, "# left out: {}  # {}", rule.written(), cost(stops, costs.honest));
    }
}

/// Where each argument's values stood before the call.
fn provenance(draft: &Draft<'_>, tool: &Declared, text: &mut String) {
    let Some(row) = draft.survey.provenance.tools.get(&tool.name) else { return };
    for (argument, values) in &row.arguments {
        let parts = [
            (values.user, "in the user's words"),
            (values.tool, "only in tool outputs"),
            (values.other, "only in the assistant's or the system's words"),
            (values.nowhere, "nowhere"),
        ];
        let said: Vec<String> = parts.iter().filter(|(n, _)| *n > 0).map(|(n, place)| format!("{n} {place}")).collect();
        let chosen = match (tool.has(argument), tool.choices.contains(argument)) {
            (false, _) => "; not in its schema, so no rule can name it",
            (true, true) => "; one of a fixed list, so not grounded",
            (true, false) => "",
        };
        let values = counted(values.values, "value", "values");
        let _ = writeln!(text, "# {}: of {values} {}{chosen}", key(argument), said.join(", "));
    }
}

/// A kept rule in words.
fn said(rule: &Rule) -> String {
    match rule {
        Rule::Ground { argument, user: true, .. } => format!("{} in the user's words", key(argument)),
        Rule::Ground { argument, user: false, .. } => format!("{} in the conversation, not from the model", key(argument)),
        Rule::Once => "once: not the same call twice".to_owned(),
        Rule::Confirm { argument: None, .. } => "the user said yes to a message that names all arguments".to_owned(),
        Rule::Confirm { argument: Some(argument), .. } => {
            format!("the user said yes to a message that names {}", key(argument))
        }
    }
}
