//! A transcript: one recorded conversation with its proposals, in the form that the guard reads.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::json::{Object, Value};
use crate::text::nearest;

use super::{Message, ToolCall};

/// One recorded conversation with its proposals, facts and labels.
#[derive(Debug, Clone)]
pub struct Transcript<'a> {
    /// What the record calls itself, else the file's name without its endings, a colon and the record's number.
    pub id: String,
    /// Where it was read from.
    pub place: Place,
    /// The messages in the guard's reading of them; a recorded message may be none, one or several of these.
    pub messages: Vec<Message<'a>>,
    /// How many messages were recorded.
    pub recorded_messages: usize,
    /// The proposals in the order of their contexts: that of the messages that make them, then that within a message;
    /// hypothetical ones come before recorded ones of the same context.
    pub proposals: Vec<Proposal<'a>>,
    /// The tool definitions that the record carries (its `tools`), as recorded.
    pub tools: Option<Value<'a>>,
    /// Facts that hold for the whole conversation.
    pub facts: Object<'a>,
    /// Whether the conversation ended well, where somebody says so.
    pub success: Option<bool>,
    /// Calls of the reference solution, where there is one.
    pub gold: Option<Vec<ToolCall<'a>>>,
    /// The record's `meta`, as recorded.
    pub meta: Option<Value<'a>>,
    /// It is (or holds) a request to a model: what was recorded is no conversation but one step of it.
    pub is_log: bool,
    /// Nothing but the conversation is said in the record, so that another one may repeat all of it and go on.
    pub may_repeat: bool,
    /// What was odd about the record, counted.
    pub oddities: Oddities,
    /// Keys of the record that mean nothing here.
    pub unknown_keys: Vec<UnknownKey>,
}

/// A key that means nothing in its place: what it says is read by nobody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownKey {
    /// Where: `sucess`, `calls[].authorised`; a long one cut.
    pub path: String,
    /// The known key that it's nearest to.
    pub meant: Option<String>,
}

/// How much of a key is kept, in characters.
const LONGEST_KEY: usize = 60;

impl UnknownKey {
    /// A key that is nearly one of the known ones; nothing if it's like none.
    pub(crate) fn misspelt<'k>(key: &str, within: &str, known: impl Iterator<Item = &'k str>) -> Option<UnknownKey> {
        let meant = Some(nearest(key, known)?.to_owned());
        Some(UnknownKey { path: within.chars().chain(key.chars().take(LONGEST_KEY)).collect(), meant })
    }

    /// The keys of an object that are none of the known ones; `within` goes before their names.
    pub(crate) fn of<'o>(
        object: &'o Object<'_>,
        within: &'o str,
        known: &'static [&'static str],
    ) -> impl Iterator<Item = UnknownKey> + 'o {
        object.iter().map(|(key, _)| key).filter(|key| !known.contains(key)).map(move |key| UnknownKey {
            path: within.chars().chain(key.chars().take(LONGEST_KEY)).collect(),
            meant: nearest(key, known.iter().copied()).map(str::to_owned),
        })
    }
}

/// One call that the agent proposed (or that `calls` says it might have), with what is known about it.
#[derive(Debug, Clone)]
pub struct Proposal<'a> {
    /// Its number in the transcript, from 0: with the transcript's id, its identity.
    pub ordinal: usize,
    /// Its context is the recorded messages before this index.
    pub at: usize,
    /// Which call of the recorded message `at` it is; nothing for a hypothetical one.
    pub index: Option<usize>,
    /// The call.
    pub call: ToolCall<'a>,
    /// Whether the call ran.
    pub made: bool,
    /// The message (an index into `messages`) that answers it; a call can be made and its answer be empty.
    pub result: Option<usize>,
    /// The bytes of that message's text that are the answer: one message can hold the answers to several calls.
    pub result_span: Option<Range<usize>>,
    /// Facts of this call alone; they go before the transcript's.
    pub facts: Object<'a>,
    /// What is known about it.
    pub labels: Labels<'a>,
}

impl<'a> Proposal<'a> {
    /// A proposal of which nothing but the call is known: not made, no labels.
    pub fn new(at: usize, index: Option<usize>, call: ToolCall<'a>) -> Self {
        Proposal {
            ordinal: 0,
            at,
            index,
            call,
            made: false,
            result: None,
            result_span: None,
            facts: Object::default(),
            labels: Labels::default(),
        }
    }
}

/// What somebody says about a proposal; never guessed.
#[derive(Debug, Clone, Default)]
pub struct Labels<'a> {
    /// A person, or a benchmark's ground truth, says whether the call should go ahead.
    pub authorized: Option<bool>,
    /// Whether the call has a partner in the reference solution (nothing when there's no reference).
    pub gold: Option<bool>,
    /// Whether the environment took it, where the record itself says so (`[outcome]` may say it later).
    pub accepted: Option<bool>,
    /// The instruction, planted by someone else, that asked for it.
    pub attack: Option<Attack>,
    /// The outcome that a scenario or a person expects.
    pub expect: Option<String>,
    /// An authorizer's recorded score.
    pub score: Option<f64>,
    /// What the call changed.
    pub effect: Option<Value<'a>>,
}

/// A planted instruction.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Attack {
    /// Its family (how it is worded or carried).
    pub family: Option<String>,
    /// What it wants.
    pub goal: Option<String>,
}

/// Where a record was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file as it was named (`-` for standard input).
    pub file: Arc<str>,
    /// The record's number in its file, from 0.
    pub record: usize,
    /// The line it starts at, from 1.
    pub line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// What was odd about a record, counted: each has a defined reading and its line in the denominator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Oddities {
    /// Calls without an id: answered in order, by the results that follow before the next call or the user's next words.
    pub missing_ids: usize,
    /// Calls whose id an earlier call of the conversation has: results belong to the latest unanswered call of the id.
    pub recurring_ids: usize,
    /// Calls whose arguments are text that isn't JSON: kept as text, the schema refuses them.
    pub arguments_not_json: usize,
    /// Calls whose arguments are text with something after the first JSON value: kept as text, the schema refuses them.
    pub arguments_trailing: usize,
    /// Calls whose arguments repeat a key: the last value counts.
    pub duplicate_keys: usize,
    /// Messages with more than one call: each is a proposal, and made only if a result answers it.
    pub parallel_calls: usize,
    /// Tool results that answer no recorded call: they are text like any other.
    pub results_without_call: usize,
    /// Calls that no result answers: not made.
    pub calls_without_result: usize,
    /// Things in the place of a call that have no usable name: no proposals.
    pub unreadable_calls: usize,
    /// Messages whose role nobody knows: their text is passed over, so no value is found in it.
    pub unknown_roles: usize,
}

impl Oddities {
    /// Adds another record's counts.
    pub fn add(&mut self, other: &Oddities) {
        self.missing_ids += other.missing_ids;
        self.recurring_ids += other.recurring_ids;
        self.arguments_not_json += other.arguments_not_json;
        self.arguments_trailing += other.arguments_trailing;
        self.duplicate_keys += other.duplicate_keys;
        self.parallel_calls += other.parallel_calls;
        self.results_without_call += other.results_without_call;
        self.calls_without_result += other.calls_without_result;
        self.unreadable_calls += other.unreadable_calls;
        self.unknown_roles += other.unknown_roles;
    }
}

impl Transcript<'_> {
    /// How many of `messages` are in the context of a proposal made at recorded message `at`.
    pub fn context_len(&self, at: usize) -> usize {
        self.messages.partition_point(|message| message.recorded < at)
    }

    /// The text of the message that answers a proposal; empty when it was made and answered with nothing.
    pub fn result_text(&self, proposal: &Proposal<'_>) -> Option<&str> {
        match proposal.result {
            Some(index) => self.messages.get(index).map(|message| {
                let span = proposal.result_span.clone().unwrap_or(0..message.text.len());
                message.text.get(span).unwrap_or(message.text.as_ref())
            }),
            None => proposal.made.then_some(""),
        }
    }
}
