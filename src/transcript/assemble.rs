//! From a record's parts to a transcript: proposals in order, their answers, labels and what was odd.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::json::{Object, Value, canonical};

use super::call::ToolCallRead;
use super::content::{Answer, CallMet, Event, Walk};
use super::labels::{Entries, add_entries};
use super::matching::Matching;
use super::{Oddities, Place, Proposal, ToolCall, Transcript, UnknownKey};

/// The parts of a record, whatever format it was in.
#[derive(Debug, Clone, Default)]
pub struct Record<'a> {
    /// What the record calls itself.
    pub id: Option<String>,
    /// The conversation: a text, or a list of messages of any shape.
    pub messages: Value<'a>,
    /// Entries about calls (`ref`) and hypothetical calls (`at`); null when there are none.
    pub calls: Value<'a>,
    /// Tool definitions.
    pub tools: Option<Value<'a>>,
    /// Facts of the whole conversation.
    pub facts: Object<'a>,
    /// Whether the conversation ended well.
    pub success: Option<bool>,
    /// Calls of the reference solution.
    pub gold: Option<Vec<ToolCall<'a>>>,
    /// Whatever else the record's writer wanted kept.
    pub meta: Option<Value<'a>>,
    /// Keys of it that are a known one misspelt.
    pub unknown_keys: Vec<UnknownKey>,
    /// It is (or holds) a request to a model.
    pub is_log: bool,
    /// Nothing but the conversation is said in it, so that another record may repeat all of it and go on.
    pub may_repeat: bool,
}

/// Why a record is no transcript.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// A field has the wrong type.
    #[error("`{field}` must be {expected}, but is: {found}")]
    Field {
        /// The field.
        field: &'static str,
        /// What it must be.
        expected: &'static str,
        /// The JSON type that it has.
        found: &'static str,
    },
    /// An entry of `calls` can't be used.
    #[error("entry {number} of `calls`: {reason}")]
    Entry {
        /// Its number, from 0.
        number: usize,
        /// What is wrong with it.
        reason: String,
    },
}

/// Makes a transcript of a record. `name` is the identity of a record that has none.
///
/// # Errors
/// `messages` is neither a text nor a list, or an entry of `calls` can't be used.
pub fn assemble<'a>(record: Record<'a>, place: Place, name: impl FnOnce() -> String) -> Result<Transcript<'a>, RecordError> {
    if !matches!(record.messages, Value::String(_) | Value::Array(_)) {
        let found = record.messages.kind();
        return Err(RecordError::Field { field: "messages", expected: "a text or a list of messages", found });
    }
    let mut walk = Walk::reading_calls();
    let recorded_messages = walk.conversation(record.messages);
    let mut oddities = Oddities { unknown_roles: walk.roleless, ..Oddities::default() };
    let mut proposals = match_answers(walk.events, &mut oddities);
    oddities.calls_without_result = proposals.iter().filter(|proposal| !proposal.made).count();
    if let Some(gold) = &record.gold {
        mark_gold(&mut proposals, gold);
    }
    let Entries { hypothetical, unknown_keys } = add_entries(record.calls, &mut proposals, recorded_messages)?;
    Ok(Transcript {
        id: record.id.unwrap_or_else(name),
        place,
        messages: walk.messages,
        recorded_messages,
        proposals: in_order(proposals, hypothetical),
        tools: record.tools,
        facts: record.facts,
        success: record.success,
        gold: record.gold,
        meta: record.meta,
        oddities,
        is_log: record.is_log,
        may_repeat: record.may_repeat,
        unknown_keys: record.unknown_keys.into_iter().chain(unknown_keys).collect(),
    })
}

fn match_answers<'a>(events: Vec<Event<'a>>, oddities: &mut Oddities) -> Vec<Proposal<'a>> {
    let mut proposals: Vec<Proposal<'a>> = Vec::new();
    let mut matching = Matching::default();
    // The proposal of each call in the matching's numbering; a foreign call has none.
    let mut proposal_of: Vec<Option<usize>> = Vec::new();
    let mut last_parallel = None;
    for event in events {
        match event {
            Event::Call(CallMet { recorded, index, read: ToolCallRead { call, oddities: odd }, link }) => {
                oddities.missing_ids += usize::from(link.is_none());
                oddities.arguments_not_json += usize::from(odd.not_json);
                oddities.arguments_trailing += usize::from(odd.trailing);
                oddities.duplicate_keys += usize::from(odd.duplicate_keys);
                if proposals.last().is_some_and(|before| before.at == recorded) && last_parallel != Some(recorded) {
                    last_parallel = Some(recorded);
                    oddities.parallel_calls += 1;
                }
                oddities.recurring_ids += usize::from(matching.call(link));
                proposal_of.push(Some(proposals.len()));
                proposals.push(Proposal::new(recorded, Some(index), call));
            }
            Event::Foreign(link) => {
                matching.call(link);
                proposal_of.push(None);
            }
            Event::Unreadable => oddities.unreadable_calls += 1,
            Event::User => matching.user(),
            Event::Answer(answer) => match matching.answer(id_of(&answer, &matching).as_deref()) {
                Some(number) => {
                    if let Some(proposal) = proposal_of.get(number).copied().flatten().and_then(|i| proposals.get_mut(i)) {
                        proposal.made = true;
                        proposal.labels.accepted = answer.accepted;
                        if let Some((message, span)) = answer.text {
                            proposal.result = Some(message);
                            proposal.result_span = Some(span);
                        }
                    }
                }
                None => oddities.results_without_call += 1,
            },
        }
    }
    proposals
}

/// The id that an answer gives; its own only where a call has it (some runners give an answer its call's id).
fn id_of<'a>(answer: &Answer<'a>, matching: &Matching<'a>) -> Option<Cow<'a, str>> {
    answer.link.clone().or_else(|| answer.own_id.clone().filter(|id| matching.knows(id)))
}

/// Finds each call's partner in the reference solution: names equal, canonical arguments equal, each partner used once.
/// Calls that were made choose first, so a call that a runner dropped doesn't take the partner of its repetition.
fn mark_gold(proposals: &mut [Proposal<'_>], gold: &[ToolCall<'_>]) {
    // How many partners each call has left, by its tool and its arguments.
    let mut partners: HashMap<&str, HashMap<String, usize>> = HashMap::new();
    for call in gold {
        *partners.entry(&call.name).or_default().entry(canonical(&call.arguments)).or_default() += 1;
    }
    for made in [true, false] {
        for proposal in proposals.iter_mut().filter(|proposal| proposal.made == made) {
            let of_tool = partners.get_mut(proposal.call.name.as_ref());
            let left = of_tool.and_then(|partners| partners.get_mut(&canonical(&proposal.call.arguments)));
            let left = left.filter(|left| **left > 0);
            proposal.labels.gold = Some(left.is_some());
            if let Some(left) = left {
                *left -= 1;
            }
        }
    }
}

/// All proposals in the order of their contexts, numbered; hypothetical ones first where contexts are the same.
fn in_order<'a>(recorded: Vec<Proposal<'a>>, mut hypothetical: Vec<Proposal<'a>>) -> Vec<Proposal<'a>> {
    hypothetical.extend(recorded);
    // Stable: recorded ones are sorted already, and stand behind the hypothetical ones.
    hypothetical.sort_by_key(|proposal| proposal.at);
    for (ordinal, proposal) in hypothetical.iter_mut().enumerate() {
        proposal.ordinal = ordinal;
    }
    hypothetical
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;
    use crate::transcript::Role;

    fn place() -> Place {
        Place { file: "f.jsonl".into(), record: 3, line: 4 }
    }

    /// Assembles a record in our own format.
    fn read(text: &str) -> Result<Transcript<'_>, RecordError> {
        let record = parse(text).unwrap();
        let part = |key: &str| record.get(key).cloned().unwrap_or_default();
        let record = Record { messages: part("messages"), calls: part("calls"), ..Record::default() };
        assemble(record, place(), || "f:3".to_owned())
    }

    fn messages(messages: &str) -> Transcript<'_> {
        let record = Record { messages: parse(messages).unwrap(), ..Record::default() };
        assemble(record, place(), || "f:3".to_owned()).unwrap()
    }

    /// Each proposal as `at.index name made result`.
    fn proposals(transcript: &Transcript<'_>) -> Vec<String> {
        let line = |p: &Proposal<'_>| {
            let result = transcript.result_text(p).unwrap_or("-");
            format!("{}.{} {} {} {result}", p.at, p.index.map_or("?".to_owned(), |i| i.to_string()), p.call.name, p.made)
        };
        transcript.proposals.iter().map(line).collect()
    }

    #[test]
    fn calls_of_every_shape_are_proposals_with_their_answers() {
        let transcript = messages(
            r#"[{"role": "user", "content": "go"},
                {"role": "assistant", "content": "ok", "tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
                {"role": "tool", "tool_call_id": "1", "content": "one"},
                {"role": "assistant", "content": [{"type": "text", "text": "t"}, {"type": "tool_use", "id": "2", "name": "g", "input": {}}]},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "2", "content": "two"}]},
                {"type": "function_call", "id": "fc_9", "call_id": "3", "name": "h", "arguments": "{}"},
                {"type": "function_call_output", "id": "out_9", "call_id": "3", "output": "three"},
                {"role": "assistant", "function_call": {"name": "k", "arguments": "{}"}},
                {"role": "function", "name": "k", "content": "four"},
                {"role": "user", "tool_calls": [{"id": "5", "name": "mine"}], "content": "mine"}]"#,
        );
        assert_eq!(proposals(&transcript), ["1.0 f true one", "3.0 g true two", "5.0 h true three", "7.0 k true four"]);
        assert_eq!(transcript.recorded_messages, 10);
        assert_eq!(transcript.oddities, Oddities { missing_ids: 1, ..Oddities::default() });
        assert_eq!(transcript.context_len(1), 1);
        assert_eq!((transcript.id.as_str(), transcript.place.to_string().as_str()), ("f:3", "f.jsonl:4"));
    }

    #[test]
    fn a_parallel_call_that_the_runner_dropped_was_not_made() {
        let transcript = messages(
            r#"[{"role": "assistant", "tool_calls": [{"id": "1", "name": "f"}, {"id": "2", "name": "g"}]},
                {"role": "tool", "tool_call_id": "1", "content": "one"},
                {"role": "assistant", "tool_calls": [{"id": "1", "name": "h"}]},
                {"role": "tool", "tool_call_id": "1", "content": null}]"#,
        );
        assert_eq!(proposals(&transcript), ["0.0 f true one", "0.1 g false -", "2.0 h true "]);
        let expected = Oddities { parallel_calls: 1, recurring_ids: 1, calls_without_result: 1, ..Oddities::default() };
        assert_eq!(transcript.oddities, expected);
    }

    #[test]
    fn several_answers_in_one_message_are_told_apart() {
        let transcript = messages(
            r#"[{"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "f"}, {"type": "tool_use", "id": "2", "name": "g"}]},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "2", "content": "zwei", "is_error": true},
                                             {"type": "tool_result", "tool_use_id": "1", "content": "eins"}, "thanks"]}]"#,
        );
        assert_eq!(proposals(&transcript), ["0.0 f true eins", "0.1 g true zwei"]);
        let texts: Vec<(Role, &str)> = transcript.messages.iter().map(|m| (m.role, m.text.as_ref())).collect();
        assert_eq!(texts[1..], [(Role::Tool, "zwei\neins"), (Role::User, "thanks")]);
        let accepted: Vec<Option<bool>> = transcript.proposals.iter().map(|p| p.labels.accepted).collect();
        assert_eq!(accepted, [None, Some(false)]);
    }

    #[test]
    fn a_block_that_repeats_an_entry_of_tool_calls_is_the_same_call() {
        let transcript = messages(
            r#"[{"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "f"}],
                 "tool_calls": [{"id": "1", "name": "f", "args": {}}], "function_call": {"name": "f"}}]"#,
        );
        assert_eq!(proposals(&transcript), ["0.0 f false -"]);
    }

    #[test]
    fn what_is_odd_is_counted() {
        let transcript = messages(
            r#"[{"role": "tool", "tool_call_id": "0", "content": "early"},
                {"role": "assistant", "tool_calls": [5, {"id": "1", "name": ""}, {"id": "2", "name": "f", "arguments": "{\"a\": 1} x"},
                    {"id": "3", "name": "g", "arguments": "oops"}, {"id": "4", "name": "h", "arguments": {"a": 1, "a": 2}}]}]"#,
        );
        let expected = Oddities {
            results_without_call: 1,
            unreadable_calls: 2,
            arguments_trailing: 1,
            arguments_not_json: 1,
            duplicate_keys: 1,
            parallel_calls: 1,
            calls_without_result: 3,
            ..Oddities::default()
        };
        assert_eq!(transcript.oddities, expected);
        assert_eq!(proposals(&transcript), ["1.2 f false -", "1.3 g false -", "1.4 h false -"]);
    }

    #[test]
    fn entries_of_calls_label_recorded_calls_and_add_hypothetical_ones() {
        let transcript = read(
            r#"{"messages": [["user", "x"], {"role": "assistant", "tool_calls": [{"id": "1", "name": "f"}]}],
                "calls": [{"at": 2, "call": {"name": "late"}, "authorized": false, "attack": {"family": "x", "goal": "pay"}},
                          {"ref": [1, 0], "authorized": true, "expect": "allow", "score": 0.5, "facts": {"a": 1}, "effect": {"b": 2}},
                          {"at": 1, "call": {"name": "first"}, "made": false}, {"at": 1, "call": {"name": "second"}}]}"#,
        )
        .unwrap();
        let names: Vec<(usize, &str)> = transcript.proposals.iter().map(|p| (p.ordinal, p.call.name.as_ref())).collect();
        assert_eq!(names, [(0, "first"), (1, "second"), (2, "f"), (3, "late")]);
        let [_, _, f, late] = transcript.proposals.as_slice() else { panic!("four proposals") };
        assert_eq!(
            (f.labels.authorized, f.labels.expect.as_deref(), f.labels.score),
            (Some(true), Some("allow"), Some(0.5))
        );
        assert!(f.facts.get("a").is_some() && f.labels.effect.is_some());
        assert_eq!(late.labels.attack.as_ref().and_then(|attack| attack.goal.as_deref()), Some("pay"));
    }

    #[test]
    fn entries_that_fit_nothing_reject_the_record() {
        for (entry, reason) in [
            (r#"{"ref": [0, 0]}"#, "message 0 makes no such call"),
            (r#"{"ref": [1]}"#, "`ref` must be [message, index]"),
            (r#"{"at": 3, "call": {"name": "f"}}"#, "only 2 messages were recorded"),
            (r#"{"at": 1}"#, "`at` needs a `call`"),
            (r#"{"at": 1, "call": {}}"#, "names no tool"),
            (r#"{"at": 1, "call": {"name": "f"}, "made": true}"#, "hypothetical"),
            (r#"{"accepted": true}"#, "say which call it is"),
            (r#"{"ref": [1, 0], "accepted": "yes"}"#, "`accepted` must be true or false"),
            (r#"{"ref": [1, 0], "expect": "block"}"#, "`expect` is `block`, but the guard answers allow, deny or escalate"),
            ("5", "must be an object"),
        ] {
            let text = format!(
                r#"{{"messages": [["user", "x"], {{"role": "assistant", "tool_calls": [{{"name": "f"}}]}}], "calls": [{entry}]}}"#
            );
            let error = read(&text).map(|t| t.id).unwrap_err().to_string();
            assert!(error.starts_with("entry 0 of `calls`: ") && error.contains(reason), "{entry}: {error}");
        }
        assert!(read(r#"{"messages": 5}"#).is_err());
    }

    #[test]
    fn two_entries_about_one_call_reject_the_record() {
        let text = r#"{"messages": [{"role": "assistant", "tool_calls": [{"name": "f"}]}],
                       "calls": [{"ref": [0, 0], "authorized": true}, {"ref": [0, 0], "authorized": false}]}"#;
        let error = read(text).map(|t| t.id).unwrap_err().to_string();
        assert_eq!(error, "entry 1 of `calls`: its `ref` is that of entry 0: say all about a call in one entry");
    }

    #[test]
    fn a_message_of_an_unknown_role_is_passed_over_and_counted_once() {
        let transcript =
            messages(r#"[{"role": "operator", "content": ["a", "b"]}, {"role": "user", "content": "c"}, {"role": "x"}]"#);
        let texts: Vec<&str> = transcript.messages.iter().map(|m| m.text.as_ref()).collect();
        assert_eq!((texts.as_slice(), transcript.oddities.unknown_roles), (&["c"][..], 1));
    }

    #[test]
    fn each_call_of_the_reference_is_a_partner_once_and_made_calls_choose_first() {
        let text = r#"[{"role": "assistant", "tool_calls": [{"id": "0", "name": "g"}, {"id": "1", "name": "f", "arguments": {"n": 1}}]},
                       {"role": "tool", "tool_call_id": "0", "content": "done"},
                       {"role": "assistant", "tool_calls": [{"id": "2", "name": "f", "arguments": {"n": 1.0}}]},
                       {"role": "tool", "tool_call_id": "2", "content": "done"}]"#;
        let gold = ToolCall::parse(&parse(r#"{"name": "f", "arguments": {"n": 1}}"#).unwrap()).unwrap();
        let record = Record { messages: parse(text).unwrap(), gold: Some(vec![gold]), ..Record::default() };
        let transcript = assemble(record, place(), String::new).unwrap();
        let gold: Vec<Option<bool>> = transcript.proposals.iter().map(|p| p.labels.gold).collect();
        assert_eq!(gold, [Some(false), Some(false), Some(true)]);
    }

    #[test]
    fn a_conversation_of_a_hundred_thousand_messages_takes_linear_time() {
        let round = r#"{"role": "assistant", "tool_calls": [{"id": "x", "name": "f"}, {"id": "x", "name": "f"}]}, {"role": "tool", "tool_call_id": "x", "content": "r"}"#;
        let text = format!("[{}]", vec![round; 50_000].join(","));
        let transcript = messages(&text);
        assert_eq!((transcript.recorded_messages, transcript.proposals.len()), (100_000, 100_000));
        assert_eq!(transcript.oddities.calls_without_result, 50_000);
    }
}
