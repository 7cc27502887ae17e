//! What the record shows before anything is decided: tools, where values come from, how results speak of refusals.

use std::collections::BTreeMap;

use crate::evaluate::provenance::Provenance;
use crate::evaluate::schemas::Schemas;
use crate::json::canonical;
use crate::transcript::Transcript;

/// How results commonly begin that say that a call was refused; none holds a quote `'`.
const REFUSALS: [&str; 6] = ["Error", "error", "ERROR", "{\"error\"", "Failed", "{\"success\": false"];

/// The record in figures.
#[derive(Debug, Clone, Default)]
pub struct Survey {
    /// Conversations.
    pub conversations: usize,
    /// Where argument values stand, by tool.
    pub provenance: Provenance,
    /// Conversations that bring their own tool definitions.
    pub with_tools: usize,
    /// Results of calls.
    pub results: usize,
    /// Of these: those that speak of a refusal, by the way of [`Survey::refused`].
    refusals: [usize; REFUSALS.len()],
    /// Calls made again with the same arguments in a conversation, by tool: with the same result, with another.
    again: BTreeMap<String, (usize, usize)>,
}

impl Survey {
    /// One conversation.
    pub fn of(transcript: &Transcript<'_>, schemas: &Schemas) -> Survey {
        let mut survey = Survey {
            conversations: 1,
            provenance: Provenance::of(transcript, schemas),
            with_tools: usize::from(transcript.tools.is_some()),
            ..Survey::default()
        };
        let mut earlier: BTreeMap<(&str, String), &str> = BTreeMap::new();
        for proposal in &transcript.proposals {
            let Some(text) = transcript.result_text(proposal) else { continue };
            survey.results += 1;
            for (count, beginning) in survey.refusals.iter_mut().zip(REFUSALS) {
                *count += usize::from(text.starts_with(beginning));
            }
            let tool = proposal.call.name.as_ref();
            if let Some(before) = earlier.insert((tool, canonical(&proposal.call.arguments)), text) {
                let (same, other) = survey.again.entry(tool.to_owned()).or_default();
                *(if before == text { same } else { other }) += 1;
            }
        }
        survey
    }

    /// Adds a later part.
    pub fn merge(&mut self, later: Survey) {
        self.conversations += later.conversations;
        self.provenance.merge(later.provenance);
        self.with_tools += later.with_tools;
        self.results += later.results;
        self.refusals.iter_mut().zip(later.refusals).for_each(|(mine, theirs)| *mine += theirs);
        for (tool, (same, other)) in later.again {
            let mine = self.again.entry(tool).or_default();
            *mine = (mine.0 + same, mine.1 + other);
        }
    }

    /// An expression for `[outcome]` that holds where a result says that the call was refused, and for how many it holds:
    /// the way that most of them take.
    pub fn refused(&self) -> Option<(String, usize)> {
        let found = REFUSALS.iter().zip(self.refusals).filter(|(_, count)| *count > 0);
        let most = found.max_by_key(|(_, count)| *count);
        most.map(|(beginning, count)| (format!("result_text.startsWith('{beginning}')"), count))
    }

    /// How often a tool answered the same call the same, and how often otherwise.
    pub fn again(&self, tool: &str) -> (usize, usize) {
        self.again.get(tool).copied().unwrap_or_default()
    }
}
