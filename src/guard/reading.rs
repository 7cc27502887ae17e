//! What a transcript's text says, found out in one pass: where each sought value stands, which tool outputs carry
//! instructions, what the user accepted and asked for.
//!
//! A proposal's context is then a cut by position: nothing here is computed again for a proposal, so the cost grows with
//! the text and with the number of proposals, never with their product.

use std::ops::Range;

use crate::catalog::model::{Injections, Request, Roles, ToolValues};
use crate::injection::Detector;
use crate::json::Value;
use crate::text::search::Search;
use crate::transcript::{Message, Role};
use crate::words::acceptance;
use crate::words::intents::{self, IntentSet};

use super::case::Case;
use super::rules;

/// How near an override or role tag in the user's own message makes a value suspect, in characters.
const NEAR: usize = 200;

/// How much of two neighbouring tool outputs is read together for an instruction that spans them, in characters.
const SEAM: usize = 400;

/// What a transcript's rules want to know of its text.
#[derive(Default)]
pub(crate) struct Wanted<'t> {
    /// How many messages are before the last proposal: what comes after them bears on none.
    messages: usize,
    /// Whose messages values are looked for in.
    sought_in: Roles,
    pub(crate) taint: bool,
    pub(crate) scan_user: bool,
    /// How many messages are before the last proposal that must be confirmed: acceptances in them are looked for.
    pub(crate) acceptances: usize,
    pub(crate) intents: bool,
    /// Every request rule with phrases of its own, each once.
    pub(crate) phrases: Vec<&'t Request>,
}

impl<'t> Wanted<'t> {
    /// What the rules of these proposals' tools want to know.
    pub(crate) fn by(cases: &[Case<'t>]) -> Wanted<'t> {
        let mut wanted = Wanted::default();
        for case in cases {
            let Some(tool) = case.tool else { continue };
            wanted.messages = wanted.messages.max(case.cut);
            // Even where a tool doesn't mind, a quote from elsewhere is the better evidence.
            let grounded = !tool.ground.is_empty();
            wanted.taint |= grounded || tool.injections == Injections::Any;
            wanted.scan_user |= grounded && tool.scan_user;
            if tool.confirm.is_some() {
                wanted.acceptances = wanted.acceptances.max(case.cut);
            }
            if !case.grounded.is_empty() {
                wanted.sought_in = wanted.sought_in.union(tool.ground_from);
                if tool.tool_values == ToolValues::Escalate {
                    wanted.sought_in = wanted.sought_in.union(Roles::of(&[Role::Tool]));
                }
            }
            if !case.confirmed.is_empty() {
                wanted.sought_in = wanted.sought_in.union(Roles::of(&[Role::User, Role::Assistant]));
            }
            if let Some(request) = &tool.request {
                wanted.intents |= !request.intents.is_empty();
                if request.phrases.is_some() && !wanted.phrases.iter().any(|other| std::ptr::eq(*other, request)) {
                    wanted.phrases.push(request);
                }
            }
        }
        wanted
    }
}

/// What was found.
pub(crate) struct Reading<'t> {
    pub(crate) messages: &'t [Message<'t>],
    postings: Vec<Postings>,
    /// The user's messages.
    users: Vec<usize>,
    /// The first tool output that carries an instruction, and where.
    pub(crate) tainted: Option<Quote>,
    /// The assistant's messages that the user accepted, each with its acceptance, in order.
    pub(crate) accepted: Vec<Accepted>,
    /// What the user asked for up to and including a message.
    asked: Vec<(usize, IntentSet)>,
    /// The first message in which a request's phrases are found, by request.
    phrases: Vec<(&'t Request, Option<usize>)>,
}

/// A place in a message.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Quote {
    pub(crate) message: usize,
    pub(crate) range: (usize, usize),
}

/// A proposal in the assistant's words and the user's acceptance of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Accepted {
    pub(crate) proposal: usize,
    pub(crate) acceptance: usize,
}

/// Where one needle stands, by whose words these are; each list in order.
#[derive(Debug, Default, Clone)]
struct Postings {
    user: Vec<Quote>,
    /// The user's own message, but near an override or role tag in it.
    user_suspect: Vec<Quote>,
    assistant: Vec<Quote>,
    tool: Vec<Quote>,
    system: Vec<Quote>,
}

impl<'t> Reading<'t> {
    /// Reads every message once.
    pub(crate) fn new(
        messages: &'t [Message<'t>],
        wanted: &Wanted<'t>,
        search: &Search,
        needles: usize,
        detector: &Detector,
    ) -> Self {
        let mut reading = Reading {
            messages,
            postings: vec![Postings::default(); needles],
            users: Vec::new(),
            tainted: None,
            accepted: Vec::new(),
            asked: Vec::new(),
            phrases: wanted.phrases.iter().map(|request| (*request, None)).collect(),
        };
        let mut open_proposal: Option<usize> = None;
        for (index, message) in messages.iter().enumerate().take(wanted.messages) {
            match message.role {
                Role::User => {
                    reading.users.push(index);
                    reading.hear(index, &message.text, wanted);
                    if let Some(proposal) = open_proposal.take()
                        && index < wanted.acceptances
                        && acceptance::accepts(&message.text)
                    {
                        reading.accepted.push(Accepted { proposal, acceptance: index });
                    }
                }
                Role::Assistant => open_proposal = Some(index),
                Role::Tool if wanted.taint && reading.tainted.is_none() => {
                    reading.tainted = taint(messages, index, detector)
                }
                Role::Tool | Role::System => {}
            }
            if needles > 0 && wanted.sought_in.contains(message.role) {
                reading.post(index, message, search, wanted, detector);
            }
        }
        reading
    }

    fn hear(&mut self, index: usize, text: &str, wanted: &Wanted<'t>) {
        if wanted.intents {
            let before = self.asked.last().map_or_else(IntentSet::default, |(_, asked)| *asked);
            self.asked.push((index, before.union(intents::asked(text))));
        }
        for (request, first) in self.phrases.iter_mut().filter(|(_, first)| first.is_none()) {
            if request.phrases.as_ref().is_some_and(|phrases| phrases.matches(text)) {
                *first = Some(index);
            }
        }
    }

    fn post(&mut self, index: usize, message: &Message<'_>, search: &Search, wanted: &Wanted<'t>, detector: &Detector) {
        let found = search.find(&message.text);
        if found.is_empty() {
            return;
        }
        let suspect = match message.role {
            Role::User if wanted.scan_user => detector.override_or_role_tag(&message.text),
            _ => Vec::new(),
        };
        for (needle, range) in found {
            let Some(postings) = self.postings.get_mut(needle) else { continue };
            let list = match message.role {
                Role::User if any_near(&message.text, &suspect, &range) => &mut postings.user_suspect,
                Role::User => &mut postings.user,
                Role::Assistant => &mut postings.assistant,
                Role::Tool => &mut postings.tool,
                Role::System => &mut postings.system,
            };
            list.push(Quote { message: index, range: (range.start, range.end) });
        }
    }

    /// The text at a place, cut for a reason.
    pub(crate) fn excerpt(&self, quote: &Quote) -> String {
        let text = self.messages.get(quote.message).map_or("", |message| message.text.as_ref());
        rules::show(&Value::String(text.get(quote.range.0..quote.range.1).unwrap_or_default().into()))
    }

    /// A whole message, cut for a reason.
    pub(crate) fn excerpt_of(&self, message: usize) -> String {
        let text = self.messages.get(message).map_or("", |message| message.text.as_ref());
        rules::show(&Value::String(text.into()))
    }

    /// The first place of a needle in a role's messages from `from` on and before `to`.
    pub(crate) fn first(&self, needle: usize, role: Role, suspect: bool, from: usize, to: usize) -> Option<&Quote> {
        let postings = self.postings.get(needle)?;
        let list = match (role, suspect) {
            (Role::User, false) => &postings.user,
            (Role::User, true) => &postings.user_suspect,
            (_, true) => return None,
            (Role::Assistant, false) => &postings.assistant,
            (Role::Tool, false) => &postings.tool,
            (Role::System, false) => &postings.system,
        };
        let start = list.partition_point(|quote| quote.message < from);
        list.get(start).filter(|quote| quote.message < to)
    }

    /// The places of a needle in the assistant's messages before `to`.
    pub(crate) fn in_assistant(&self, needle: usize, to: usize) -> &[Quote] {
        let list = self.postings.get(needle).map_or(&[][..], |postings| &postings.assistant);
        list.get(..list.partition_point(|quote| quote.message < to)).unwrap_or_default()
    }

    /// The places of a needle in the user's messages before `to`.
    pub(crate) fn in_user(&self, needle: usize, to: usize) -> impl Iterator<Item = &Quote> {
        let lists = self.postings.get(needle).map(|postings| [&postings.user, &postings.user_suspect]);
        lists.into_iter().flatten().flat_map(move |list| list.iter().take_while(move |quote| quote.message < to))
    }

    /// Whether a needle stands in a message.
    pub(crate) fn stands_in(&self, needle: usize, message: usize) -> bool {
        let Some(role) = self.messages.get(message).map(|message| message.role) else { return false };
        [false, true].into_iter().any(|suspect| self.first(needle, role, suspect, message, message + 1).is_some())
    }

    /// The first of the user's last `last` messages before `to`.
    pub(crate) fn last_user_messages(&self, last: usize, to: usize) -> usize {
        let before = self.users.partition_point(|user| *user < to);
        match before.checked_sub(last) {
            Some(first) => self.users.get(first).copied().filter(|_| last > 0).unwrap_or(to),
            None => 0,
        }
    }

    /// Whether the user asked for what a request names before `to`.
    pub(crate) fn asked_for(&self, request: &Request, to: usize) -> bool {
        let before = self.asked.partition_point(|(message, _)| *message < to);
        let asked = before
            .checked_sub(1)
            .and_then(|last| self.asked.get(last))
            .is_some_and(|(_, asked)| request.intents.iter().any(|intent| asked.contains(intent)));
        asked || self.phrases.iter().any(|(other, first)| std::ptr::eq(*other, request) && first.is_some_and(|m| m < to))
    }

    /// The proposals accepted before `to`, from the user's message `from` on; in order.
    pub(crate) fn accepted_between(&self, from: usize, to: usize) -> &[Accepted] {
        let start = self.accepted.partition_point(|accepted| accepted.acceptance < from);
        let end = self.accepted.partition_point(|accepted| accepted.acceptance < to);
        self.accepted.get(start..end).unwrap_or_default()
    }
}

/// The instruction that a tool output carries, by itself or together with the end of the tool output before it.
fn taint(messages: &[Message<'_>], index: usize, detector: &Detector) -> Option<Quote> {
    let text = messages.get(index)?.text.as_ref();
    if let Some(passage) = detector.passages(text).first() {
        return Some(Quote { message: index, range: (passage.range.start, passage.range.end) });
    }
    let before = messages.get(index.checked_sub(1)?).filter(|message| message.role == Role::Tool)?;
    let end = last_chars(&before.text, SEAM);
    let start = first_chars(text, SEAM);
    let seam = format!("{end}\n{start}");
    let crosses = |range: &Range<usize>| range.start < end.len() && range.end > end.len() + 1;
    let passage = detector.passages(&seam).into_iter().find(|passage| crosses(&passage.range))?;
    Some(Quote { message: index, range: (0, passage.range.end - end.len() - 1) })
}

fn first_chars(text: &str, count: usize) -> &str {
    text.char_indices().nth(count).and_then(|(at, _)| text.get(..at)).unwrap_or(text)
}

fn last_chars(text: &str, count: usize) -> &str {
    text.char_indices().rev().nth(count.saturating_sub(1)).and_then(|(at, _)| text.get(at..)).unwrap_or(text)
}

/// Whether any passage (they are in order and apart) is near a value: only the neighbours can be.
fn any_near(text: &str, passages: &[Range<usize>], value: &Range<usize>) -> bool {
    let after = passages.partition_point(|passage| passage.end <= value.start);
    let neighbours = [after.checked_sub(1), Some(after)];
    neighbours.into_iter().flatten().filter_map(|i| passages.get(i)).any(|passage| near(text, passage, value))
}

/// Whether fewer than [`NEAR`] characters stand between a passage and a value.
fn near(text: &str, passage: &Range<usize>, value: &Range<usize>) -> bool {
    let between = match (passage.end <= value.start, value.end <= passage.start) {
        (true, _) => text.get(passage.end..value.start),
        (_, true) => text.get(value.end..passage.start),
        _ => Some(""),
    };
    between.is_some_and(|between| between.len() <= NEAR || between.chars().nth(NEAR).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_near_a_passage_within_200_characters_on_either_side() {
        let text = format!("{}{}{}", "AAAA", "ä".repeat(200), "VV");
        let value = text.len() - 2..text.len();
        assert!(near(&text, &(0..4), &value));
        assert!(near(&text, &value, &(0..4)));
        assert!(!near(&text, &(0..2), &value));
    }

    #[test]
    fn the_seam_takes_whole_characters() {
        assert_eq!(last_chars("äöü", 2), "öü");
        assert_eq!(first_chars("äöü", 2), "äö");
        assert_eq!(last_chars("ä", 5), "ä");
    }
}
