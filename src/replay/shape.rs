//! A conversation by its size and oddities: what is known of it without deciding anything.

use crate::transcript::{Oddities, Place, Role, Transcript, UnknownKey};

/// What the denominator counts of a conversation, and its identity.
#[derive(Debug, Clone)]
pub struct Shape {
    /// The transcript's id.
    pub id: String,
    /// Where it was read from.
    pub place: Place,
    /// Whether it was recorded as a request to a model.
    pub is_log: bool,
    /// How many messages were recorded.
    pub messages: usize,
    /// Whether any of them is a tool's output; without, provenance has nothing to go by.
    pub has_tool_messages: bool,
    /// How many proposals it has.
    pub proposals: usize,
    /// How many of them somebody added to the record.
    pub hypothetical: usize,
    /// How many of them ran.
    pub made: usize,
    /// What was odd about the record.
    pub oddities: Oddities,
    /// Keys of it that mean nothing here.
    pub unknown_keys: Vec<UnknownKey>,
}

impl Shape {
    /// Of a transcript.
    pub fn of(transcript: &Transcript<'_>) -> Shape {
        let proposals = &transcript.proposals;
        Shape {
            id: transcript.id.clone(),
            place: transcript.place.clone(),
            is_log: transcript.is_log,
            messages: transcript.recorded_messages,
            has_tool_messages: transcript.messages.iter().any(|message| message.role == Role::Tool),
            proposals: proposals.len(),
            hypothetical: proposals.iter().filter(|proposal| proposal.index.is_none()).count(),
            made: proposals.iter().filter(|proposal| proposal.made).count(),
            oddities: transcript.oddities,
            unknown_keys: transcript.unknown_keys.clone(),
        }
    }
}
