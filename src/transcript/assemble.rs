//! From a record's parts to a transcript: proposals in order, their answers, labels and what was odd.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::json::{Object, Value, canonical};

use super::call::ToolCallRead;
use super::content::{Answer, CallMet, Event, Walk};
use super::labels::add_entries;
use super::matching::Matching;
use super::{Oddities, Place, Proposal, ToolCall, Transcript};

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
}

/// Why a record is no transcript.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// A field has the wrong type.
    #[error("`{field}` must be {expected}, not a {found}")]
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
    let mut oddities = Oddities::default();
    let mut proposals = match_answers(walk.events, &mut oddities);
    oddities.calls_without_result = proposals.iter().filter(|proposal| !proposal.made).count();
    if let Some(gold) = &record.gold {
        mark_gold(&mut proposals, gold);
    }
    let hypothetical = add_entries(record.calls, &mut proposals, recorded_messages)?;
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
    let key = |call: &ToolCall<'_>| (call.name.clone().into_owned(), canonical(&call.arguments));
    let mut partners: HashMap<(String, String), usize> = HashMap::new();
    for call in gold {
        *partners.entry(key(call)).or_default() += 1;
    }
    for made in [true, false] {
        for proposal in proposals.iter_mut().filter(|proposal| proposal.made == made) {
            let left = partners.get_mut(&key(&proposal.call)).filter(|left| **left > 0);
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
