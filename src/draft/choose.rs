//! Which rules are tried, and which of them are worth their cost.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::text::Matcher;

use super::measure::ToolCosts;
use super::rule::Rule;
use super::{Declared, Survey};

/// How a draft is made.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The largest share of a tool's recorded calls that its rules may stop, from 0 to 1.
    pub max_cost: f64,
    /// The folder to which files named by the draft are relative.
    pub base: Option<PathBuf>,
}

/// The rules of one tool that are written, and those that are not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chosen {
    /// Written.
    pub kept: Vec<usize>,
    /// Left out.
    pub left: Vec<usize>,
}

/// The rules to try on a tool: each argument grounded anywhere and in the user's words, the same call once, the user's yes.
pub fn candidates(tool: &Declared, survey: &Survey) -> Vec<Rule> {
    let mut rules = Vec::new();
    let rows = survey.provenance.tools.get(&tool.name).map(|row| row.arguments.keys()).into_iter().flatten();
    let named = |argument: &&String| {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '[' | ']');
        argument.chars().all(plain) && tool.has(argument) && !tool.choices.contains(argument)
    };
    let arguments: Vec<&String> = rows.filter(named).collect();
    for argument in &arguments {
        for matcher in matchers(argument) {
            for user in [false, true] {
                rules.push(Rule::Ground { argument: (*argument).clone(), matcher, user });
            }
        }
    }
    if tool.changes {
        rules.push(Rule::Once);
        rules.push(Rule::Confirm { argument: None, matcher: Matcher::NoCase });
        for argument in arguments.iter().filter(|argument| !argument.contains(['.', '['])) {
            rules.push(Rule::Confirm { argument: Some((*argument).clone()), matcher: Matcher::Id });
        }
    }
    rules
}

/// Ways for an argument's value to stand in a text, the strictest first.
fn matchers(argument: &str) -> Vec<Matcher> {
    let lower = argument.to_ascii_lowercase();
    if ["url", "uri", "link", "href"].iter().any(|word| lower.contains(word)) {
        return vec![Matcher::NoCase, Matcher::Url];
    }
    vec![Matcher::NoCase, Matcher::Id]
}

/// Chooses a tool's rules so that together they stop no more of its recorded calls than is allowed.
///
/// The cheapest first. Of ways to ground an argument the strictest one that isn't dearer; the user's words, where all
/// that is grounded stands in them. Confirmation by all arguments, else by the one that costs least.
pub fn choose(rules: &[Rule], costs: &ToolCosts, setting: &Setting) -> Chosen {
    let budget = (setting.max_cost * costs.calls as f64 + 1e-9).floor() as usize;
    let spent = costs.base.stopped;
    let stopped = |number: &usize| costs.rules.get(*number).map_or(usize::MAX, |cost| cost.stopped);
    let together = |kept: &[usize]| {
        let any = |set: &&Vec<usize>| set.iter().any(|number| kept.contains(number));
        costs.together.iter().filter(|(set, _)| any(set)).map(|(_, count)| count).sum::<usize>()
    };
    let fits = |kept: &[usize]| spent.saturating_add(together(kept)) <= budget;

    let anywhere = grounds(rules, false, &stopped);
    let in_user = grounds(rules, true, &stopped);
    let kept = cheapest_first(anywhere.values().copied().collect(), &stopped, &fits);
    let users: Vec<usize> = kept
        .iter()
        .filter_map(|number| match rules.get(*number) {
            Some(Rule::Ground { argument, .. }) => in_user.get(argument.as_str()).copied(),
            _ => None,
        })
        .collect();
    let by_user = users.len() == kept.len() && fits(&users);
    let mut kept = if by_user { users } else { kept };
    let confirms = rules.iter().enumerate().filter(|(_, rule)| matches!(rule, Rule::Confirm { .. }));
    let by_all = |number: &usize| !matches!(rules.get(*number), Some(Rule::Confirm { argument: None, .. }));
    let mut confirms: Vec<usize> = confirms.map(|(number, _)| number).collect();
    // Naming everything is asked for only where it costs no more than is allowed; then it is the stricter rule.
    confirms.sort_by_key(|number| (by_all(number), stopped(number), *number));
    let with = |kept: &[usize], number: usize| [kept, &[number]].concat();
    let once = rules.iter().position(|rule| *rule == Rule::Once);
    if let Some(number) = once.filter(|number| fits(&with(&kept, *number))) {
        kept.push(number);
    }
    if let Some(number) = confirms.iter().copied().find(|number| fits(&with(&kept, *number))) {
        kept.push(number);
    }
    Chosen { left: left_out(rules, &kept, &anywhere, &stopped), kept }
}

/// For each argument the way to ground it that stops least; of equal ones the first, which is the strictest.
fn grounds<'r>(rules: &'r [Rule], of_user: bool, stopped: &impl Fn(&usize) -> usize) -> BTreeMap<&'r str, usize> {
    let mut best: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, rule) in rules.iter().enumerate() {
        let Rule::Ground { argument, user, .. } = rule else { continue };
        if *user == of_user {
            let mine = best.entry(argument).or_insert(number);
            if stopped(&number) < stopped(mine) {
                *mine = number;
            }
        }
    }
    best
}

fn cheapest_first(
    mut numbers: Vec<usize>,
    stopped: &impl Fn(&usize) -> usize,
    fits: &impl Fn(&[usize]) -> bool,
) -> Vec<usize> {
    numbers.sort_by_key(|number| (stopped(number), *number));
    let mut kept: Vec<usize> = Vec::new();
    for number in numbers {
        kept.push(number);
        if !fits(&kept) {
            kept.pop();
        }
    }
    kept.sort_unstable();
    kept
}

/// What to list as left out: of each kind and argument the cheapest way.
fn left_out(
    rules: &[Rule],
    kept: &[usize],
    anywhere: &BTreeMap<&str, usize>,
    stopped: &impl Fn(&usize) -> usize,
) -> Vec<usize> {
    let is_kept = |wanted: &dyn Fn(&Rule) -> bool| kept.iter().filter_map(|number| rules.get(*number)).any(wanted);
    let mut left: Vec<usize> = Vec::new();
    for (argument, number) in anywhere {
        if !is_kept(&|rule| matches!(rule, Rule::Ground { argument: kept, .. } if kept == argument)) {
            left.push(*number);
        }
    }
    let once = rules.iter().position(|rule| *rule == Rule::Once);
    left.extend(once.filter(|number| !kept.contains(number)));
    if !is_kept(&|rule| matches!(rule, Rule::Confirm { .. })) {
        let confirms = (0..rules.len()).filter(|number| matches!(rules.get(*number), Some(Rule::Confirm { .. })));
        left.extend(confirms.min_by_key(|number| (stopped(number), *number)));
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::Cost;

    fn ground(argument: &str, matcher: Matcher, user: bool) -> Rule {
        Rule::Ground { argument: argument.to_owned(), matcher, user }
    }

    /// The rules that are kept: each is given with the calls, by number, that it stops; of a hundred.
    fn kept(rules: &[(Rule, &[usize])], max_cost: f64) -> Vec<Rule> {
        let mut costs = ToolCosts { calls: 100, ..ToolCosts::default() };
        for (_, stops) in rules {
            let mut cost = Cost::default();
            cost.stopped = stops.len();
            costs.rules.push(cost);
        }
        for call in 0..100 {
            let stopping = rules.iter().enumerate().filter(|(_, (_, stops))| stops.contains(&call));
            let by: Vec<usize> = stopping.map(|(number, _)| number).collect();
            if !by.is_empty() {
                *costs.together.entry(by).or_default() += 1;
            }
        }
        let rules: Vec<Rule> = rules.iter().map(|(rule, _)| rule.clone()).collect();
        let chosen = choose(&rules, &costs, &Setting { max_cost, base: None });
        chosen.kept.iter().filter_map(|number| rules.get(*number).cloned()).collect()
    }

    #[test]
    fn of_ways_that_cost_the_same_the_strictest_is_taken_and_of_others_the_cheapest() {
        let (strict, lax) = (ground("id", Matcher::NoCase, false), ground("id", Matcher::Id, false));
        assert_eq!(kept(&[(strict.clone(), &[7]), (lax.clone(), &[7])], 0.02), vec![strict.clone()]);
        assert_eq!(kept(&[(strict, &[7, 8]), (lax.clone(), &[7])], 0.02), [lax]);
    }

    #[test]
    fn rules_that_are_cheap_alone_may_be_too_dear_together() {
        let (a, b) = (ground("a", Matcher::NoCase, false), ground("b", Matcher::NoCase, false));
        assert_eq!(kept(&[(a.clone(), &[1, 2]), (b.clone(), &[3])], 0.02), vec![b.clone()]);
        // The same calls count once.
        assert_eq!(kept(&[(a.clone(), &[1, 2]), (b.clone(), &[1])], 0.02), [a, b]);
    }

    #[test]
    fn the_users_words_are_asked_for_where_all_that_is_grounded_stands_in_them() {
        let [a, b] = ["a", "b"].map(|argument| ground(argument, Matcher::NoCase, false));
        let [user_a, user_b] = ["a", "b"].map(|argument| ground(argument, Matcher::NoCase, true));
        let tried = |dear: &'static [usize]| -> Vec<Rule> {
            kept(&[(a.clone(), &[]), (user_a.clone(), &[]), (b.clone(), &[]), (user_b.clone(), dear)], 0.02)
        };
        assert_eq!(tried(&[1, 2]), [user_a.clone(), user_b.clone()]);
        assert_eq!(tried(&[1, 2, 3]), [a.clone(), b.clone()]);
    }

    #[test]
    fn confirmation_names_all_arguments_where_that_is_not_too_dear() {
        let all = Rule::Confirm { argument: None, matcher: Matcher::NoCase };
        let one = Rule::Confirm { argument: Some("id".to_owned()), matcher: Matcher::Id };
        assert_eq!(kept(&[(all.clone(), &[1, 2]), (one.clone(), &[])], 0.02), vec![all.clone()]);
        assert_eq!(kept(&[(all.clone(), &[1, 2, 3]), (one.clone(), &[])], 0.02), [one]);
        assert_eq!(kept(&[(all, &[1])], 0.0), []);
    }
}
