//! Without a catalog: whether recorded calls fit their schemas, and for each argument where its values come from.
//!
//! This is what one would want to know before writing a catalog: an argument whose values are nearly always in the user's
//! words can be grounded there; one whose values are nowhere is the model's own.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::injection::Detector;
use crate::json::Value;
use crate::text::Matcher;
use crate::text::search::{Needle, Search};
use crate::transcript::{Message, Role, Transcript};

use super::schemas::{Fit, Schemas};
use super::summary::merge_rows;

/// How deep into an argument values are looked for.
const DEPTH: usize = 8;

/// Where argument values come from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Provenance {
    /// By tool name.
    pub tools: BTreeMap<String, ToolProvenance>,
    /// Tool outputs.
    pub tool_outputs: usize,
    /// Tool outputs with a passage that addresses its reader.
    pub tainted_outputs: usize,
    /// Conversations with such an output.
    pub tainted_conversations: usize,
    /// Such passages by the pattern that recognises them.
    pub patterns: BTreeMap<String, usize>,
    /// The first of them, in the order of the input.
    pub passages: Vec<FoundPassage>,
}

/// How many passages of tool outputs are listed; further ones are only counted.
pub const PASSAGES_LISTED: usize = 1000;

/// How many characters of a passage are kept.
const QUOTED: usize = 200;

/// A passage of a tool's output that addresses its reader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FoundPassage {
    /// The file as it was named.
    pub file: String,
    /// The line at which the conversation's record starts, from 1.
    pub line: usize,
    /// The conversation's id.
    pub id: String,
    /// The recorded message's number, from 0.
    pub message: usize,
    /// The pattern that recognises it.
    pub pattern: String,
    /// Its text, a long one cut.
    pub quote: String,
}

/// One tool's calls.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ToolProvenance {
    /// Its calls.
    pub calls: usize,
    /// Its calls that ran.
    pub made: usize,
    /// Calls whose arguments fit the schema.
    pub valid: usize,
    /// Calls whose arguments break it.
    pub invalid: usize,
    /// Calls for which nobody gives a schema.
    pub undefined: usize,
    /// Calls whose schema could not be read.
    pub unreadable: usize,
    /// What was wrong with the first call that breaks the schema, or with the schema itself.
    pub first_fault: Option<String>,
    /// By argument, parts of one as `flights[].number`.
    pub arguments: BTreeMap<String, ArgumentRow>,
}

/// Values of one argument by where they stand in the messages before the call; a value in several places counts at the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct ArgumentRow {
    /// Texts and numbers, those of lists one by one.
    pub values: usize,
    /// In the user's words.
    pub user: usize,
    /// Only in tool outputs.
    pub tool: usize,
    /// Of these: in a conversation with a tainted output before the call.
    pub tool_tainted: usize,
    /// Only in the assistant's words or the system's.
    pub other: usize,
    /// Nowhere.
    pub nowhere: usize,
}

impl Provenance {
    /// What one transcript shows.
    pub fn of(transcript: &Transcript<'_>, schemas: &Schemas) -> Provenance {
        let detector = Detector::standard();
        let mut provenance = Provenance::default();
        let mut tainted_from: Option<usize> = None;
        for (index, message) in transcript.messages.iter().enumerate().filter(|(_, message)| message.role == Role::Tool) {
            provenance.tool_outputs += 1;
            let passages = detector.passages(&message.text);
            provenance.tainted_outputs += usize::from(!passages.is_empty());
            tainted_from = tainted_from.or((!passages.is_empty()).then_some(index));
            for passage in passages {
                if provenance.passages.len() < PASSAGES_LISTED {
                    provenance.passages.push(FoundPassage {
                        file: transcript.place.file.to_string(),
                        line: transcript.place.line,
                        id: transcript.id.clone(),
                        message: message.recorded,
                        pattern: passage.pattern.clone(),
                        quote: message.text.get(passage.range).unwrap_or_default().chars().take(QUOTED).collect(),
                    });
                }
                *provenance.patterns.entry(passage.pattern).or_default() += 1;
            }
        }
        provenance.tainted_conversations = usize::from(tainted_from.is_some());

        let mut sought = Sought::default();
        for proposal in &transcript.proposals {
            let arguments = proposal.call.arguments.as_object();
            for (name, value) in arguments.into_iter().flat_map(|arguments| arguments.iter()) {
                sought.collect(proposal.ordinal, name.to_owned(), value, DEPTH);
            }
        }
        let found = Found::new(&transcript.messages, &Search::new(sought.needles));
        let fits = schemas.fits(transcript);
        for (proposal, fit) in transcript.proposals.iter().zip(fits) {
            let tool = provenance.tools.entry(proposal.call.name.clone().into_owned()).or_default();
            tool.calls += 1;
            tool.made += usize::from(proposal.made);
            tool.count(fit);
        }
        let cuts: HashMap<usize, (usize, &str)> = transcript
            .proposals
            .iter()
            .map(|proposal| (proposal.ordinal, (transcript.context_len(proposal.at), proposal.call.name.as_ref())))
            .collect();
        for value in sought.values {
            let Some((cut, tool)) = cuts.get(&value.proposal) else { continue };
            let Some(tool) = provenance.tools.get_mut(*tool) else { continue };
            let tainted = tainted_from.is_some_and(|first| first < *cut);
            tool.arguments.entry(value.path).or_default().count(found.first_role(value.needle, *cut), tainted);
        }
        provenance
    }

    /// Adds another part's counts.
    pub fn merge(&mut self, later: Provenance) {
        merge_rows(&mut self.tools, later.tools, ToolProvenance::merge);
        self.tool_outputs += later.tool_outputs;
        self.tainted_outputs += later.tainted_outputs;
        self.tainted_conversations += later.tainted_conversations;
        merge_rows(&mut self.patterns, later.patterns, |mine, theirs| *mine += theirs);
        self.passages.extend(later.passages);
        self.passages.truncate(PASSAGES_LISTED);
    }
}

impl ToolProvenance {
    fn count(&mut self, fit: Fit) {
        let (count, fault) = match fit {
            Fit::Valid => (&mut self.valid, None),
            Fit::Invalid(fault) => (&mut self.invalid, Some(fault)),
            Fit::Undefined => (&mut self.undefined, None),
            Fit::Unreadable(why) => (&mut self.unreadable, Some(why)),
        };
        *count += 1;
        self.first_fault = self.first_fault.take().or(fault);
    }

    fn merge(&mut self, later: ToolProvenance) {
        self.calls += later.calls;
        self.made += later.made;
        self.valid += later.valid;
        self.invalid += later.invalid;
        self.undefined += later.undefined;
        self.unreadable += later.unreadable;
        self.first_fault = self.first_fault.take().or(later.first_fault);
        merge_rows(&mut self.arguments, later.arguments, ArgumentRow::merge);
    }
}

impl ArgumentRow {
    fn count(&mut self, role: Option<Role>, tainted: bool) {
        self.values += 1;
        match role {
            Some(Role::User) => self.user += 1,
            Some(Role::Tool) => {
                self.tool += 1;
                self.tool_tainted += usize::from(tainted);
            }
            Some(Role::Assistant | Role::System) => self.other += 1,
            None => self.nowhere += 1,
        }
    }

    fn merge(&mut self, later: ArgumentRow) {
        self.values += later.values;
        self.user += later.user;
        self.tool += later.tool;
        self.tool_tainted += later.tool_tainted;
        self.other += later.other;
        self.nowhere += later.nowhere;
    }
}

/// The values of a transcript's calls; equal ones are sought once.
#[derive(Default)]
struct Sought {
    ids: HashMap<Needle, usize>,
    needles: Vec<Needle>,
    values: Vec<SoughtValue>,
}

struct SoughtValue {
    proposal: usize,
    path: String,
    needle: usize,
}

impl Sought {
    fn collect(&mut self, proposal: usize, path: String, value: &Value<'_>, depth: usize) {
        let needle = match value {
            Value::String(text) if !text.trim().is_empty() => Needle::text(text, Matcher::NoCase, None),
            Value::Number(number) => Needle::number(&number.exact(), Matcher::NoCase, None),
            Value::Array(items) if depth > 0 => {
                let path = if items.iter().any(|item| matches!(item, Value::Object(_))) { path + "[]" } else { path };
                items.iter().for_each(|item| self.collect(proposal, path.clone(), item, depth - 1));
                return;
            }
            Value::Object(object) if depth > 0 => {
                object.iter().for_each(|(key, item)| self.collect(proposal, format!("{path}.{key}"), item, depth - 1));
                return;
            }
            _ => return,
        };
        let needles = &mut self.needles;
        let needle = *self.ids.entry(needle).or_insert_with_key(|needle| {
            needles.push(needle.clone());
            needles.len() - 1
        });
        self.values.push(SoughtValue { proposal, path, needle });
    }
}

/// For each needle the first message of each role that holds it.
struct Found(HashMap<(usize, Role), usize>);

impl Found {
    fn new(messages: &[Message<'_>], search: &Search) -> Found {
        let mut first = HashMap::new();
        for (index, message) in messages.iter().enumerate() {
            for (needle, _) in search.find(&message.text) {
                first.entry((needle, message.role)).or_insert(index);
            }
        }
        Found(first)
    }

    /// Whose words hold the needle before message `cut`: the user's go first.
    fn first_role(&self, needle: usize, cut: usize) -> Option<Role> {
        let holds = |role: &Role| self.0.get(&(needle, *role)).is_some_and(|index| *index < cut);
        [Role::User, Role::Tool, Role::Assistant, Role::System].into_iter().find(holds)
    }
}
