//! The entries of a record's `calls`: labels and facts for recorded calls, and calls that were never proposed.

use std::collections::HashMap;

use crate::json::{Object, Value};

use super::assemble::RecordError;
use super::content::take;
use super::{Attack, Labels, Proposal, ToolCall, UnknownKey};

/// The keys of an entry. A `note` is for people.
const KEYS: [&str; 14] = [
    "ref",
    "at",
    "call",
    "made",
    "facts",
    "authorized",
    "gold",
    "accepted",
    "attack",
    "expect",
    "score",
    "effect",
    "note",
    "meta",
];

/// What a guard answers, as a record expects it.
const OUTCOMES: [&str; 3] = ["allow", "deny", "escalate"];

/// What the entries of `calls` hold beside what they say about recorded calls.
#[derive(Debug, Default)]
pub(crate) struct Entries<'a> {
    /// The hypothetical calls, in the order they were written.
    pub(crate) hypothetical: Vec<Proposal<'a>>,
    /// Keys that mean nothing.
    pub(crate) unknown_keys: Vec<UnknownKey>,
}

/// Adds to `proposals` (sorted by message and index) what the entries of `calls` say about them.
pub(crate) fn add_entries<'a>(
    entries: Value<'a>,
    proposals: &mut [Proposal<'a>],
    recorded_messages: usize,
) -> Result<Entries<'a>, RecordError> {
    let entries = match entries {
        Value::Null => return Ok(Entries::default()),
        Value::Array(entries) => entries,
        other => return Err(RecordError::Field { field: "calls", expected: "a list", found: other.kind() }),
    };
    let mut read = Entries::default();
    // The entry that speaks of a call, by the call's place.
    let mut labelled = HashMap::new();
    for (number, entry) in entries.into_iter().enumerate() {
        let fail = |reason: String| RecordError::Entry { number, reason };
        let Value::Object(mut entry) = entry else { return Err(fail("it must be an object".to_owned())) };
        read.unknown_keys.extend(UnknownKey::of(&entry, "calls[].", &KEYS));
        let said = Said::read(&mut entry).map_err(fail)?;
        match (entry.get("ref").filter(|v| !v.is_null()), entry.get("at").filter(|v| !v.is_null())) {
            (Some(reference), None) => {
                let proposal = find(reference, proposals).map_err(fail)?;
                let place = (proposal.at, proposal.index);
                let before = labelled.entry(place).or_insert(number);
                if *before != number {
                    let first = *before;
                    return Err(fail(format!("its `ref` is that of entry {first}: say all about a call in one entry")));
                }
                said.add_to(proposal);
            }
            (None, Some(at)) => {
                let at = at.as_usize().ok_or_else(|| fail("`at` must be a number of messages".to_owned()))?;
                if at > recorded_messages {
                    return Err(fail(format!("`at` is {at}, but only {recorded_messages} messages were recorded")));
                }
                if entry.get("made").and_then(Value::as_bool) == Some(true) {
                    return Err(fail("a call with `at` is hypothetical, so `made` can't be true".to_owned()));
                }
                let call = entry.get("call").ok_or_else(|| fail("`at` needs a `call`".to_owned()))?;
                let call = ToolCall::parse(call).map_err(|error| fail(format!("`call`: {error}")))?;
                let mut proposal = Proposal::new(at, None, call);
                said.add_to(&mut proposal);
                read.hypothetical.push(proposal);
            }
            (Some(_), Some(_)) => return Err(fail("`ref` and `at` exclude each other".to_owned())),
            (None, None) => {
                return Err(fail("say which call it is: `ref` = [message, index], or `at` and `call`".to_owned()));
            }
        }
    }
    Ok(read)
}

fn find<'p, 'a>(reference: &Value<'_>, proposals: &'p mut [Proposal<'a>]) -> Result<&'p mut Proposal<'a>, String> {
    let wanted = match reference.as_array() {
        Some([message, index]) => message.as_usize().zip(index.as_usize()),
        _ => None,
    };
    let (message, index) = wanted.ok_or("`ref` must be [message, index]")?;
    let place = proposals.binary_search_by(|p| p.at.cmp(&message).then(p.index.cmp(&Some(index))));
    place
        .ok()
        .and_then(|place| proposals.get_mut(place))
        .ok_or_else(|| format!("`ref` is [{message}, {index}], but message {message} makes no such call"))
}

/// What an entry says about its call.
struct Said<'a> {
    facts: Object<'a>,
    labels: Labels<'a>,
}

impl<'a> Said<'a> {
    fn read(entry: &mut Object<'a>) -> Result<Said<'a>, String> {
        let facts = match take(entry, "facts") {
            Value::Null => Object::default(),
            Value::Object(facts) => facts,
            other => return Err(format!("`facts` must be an object, not a {}", other.kind())),
        };
        let truth = |key: &str| match entry.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(truth)) => Ok(Some(*truth)),
            Some(other) => Err(format!("`{key}` must be true or false, not a {}", other.kind())),
        };
        let labels = Labels {
            authorized: truth("authorized")?,
            gold: truth("gold")?,
            accepted: truth("accepted")?,
            attack: attack(entry.get("attack"))?,
            expect: expect(entry)?,
            score: match entry.get("score") {
                None | Some(Value::Null) => None,
                Some(Value::Number(score)) => match score.as_str().parse::<f64>() {
                    Ok(score) if score.is_finite() => Some(score),
                    _ => return Err("`score` is out of range".to_owned()),
                },
                Some(other) => return Err(format!("`score` must be a number, not a {}", other.kind())),
            },
            effect: entry.get("effect").is_some().then(|| take(entry, "effect")).filter(|effect| !effect.is_null()),
        };
        Ok(Said { facts, labels })
    }

    /// What is said goes before what was known; what isn't said stays.
    fn add_to(self, proposal: &mut Proposal<'a>) {
        let Said { facts, labels: said } = self;
        if !facts.is_empty() {
            let mut members = std::mem::take(&mut proposal.facts).into_members();
            members.extend(facts.into_members());
            proposal.facts = Object::from_members(members);
        }
        let labels = &mut proposal.labels;
        labels.authorized = said.authorized.or(labels.authorized);
        labels.gold = said.gold.or(labels.gold);
        labels.accepted = said.accepted.or(labels.accepted);
        labels.attack = said.attack.or(labels.attack.take());
        labels.expect = said.expect.or(labels.expect.take());
        labels.score = said.score.or(labels.score);
        labels.effect = said.effect.or(labels.effect.take());
    }
}

fn attack(recorded: Option<&Value<'_>>) -> Result<Option<Attack>, String> {
    match recorded {
        None | Some(Value::Null | Value::Bool(false)) => Ok(None),
        Some(Value::Bool(true)) => Ok(Some(Attack::default())),
        Some(Value::String(family)) => Ok(Some(Attack { family: Some(family.clone().into_owned()), goal: None })),
        Some(Value::Object(attack)) => Ok(Some(Attack { family: text(attack, "family")?, goal: text(attack, "goal")? })),
        Some(other) => Err(format!("`attack` must be an object with `family` and `goal`, not a {}", other.kind())),
    }
}

fn expect(entry: &Object<'_>) -> Result<Option<String>, String> {
    match text(entry, "expect")? {
        Some(other) if !OUTCOMES.contains(&other.as_str()) => {
            Err(format!("`expect` is `{}`, but the guard answers allow, deny or escalate", shown(&other)))
        }
        outcome => Ok(outcome),
    }
}

/// The beginning of a recorded text, for a message.
fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

fn text(object: &Object<'_>, key: &str) -> Result<Option<String>, String> {
    match object.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone().into_owned())),
        Some(other) => Err(format!("`{key}` must be a text, not a {}", other.kind())),
    }
}
