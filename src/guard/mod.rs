//! The decision: a call in its context, check by check.
//!
//! A transcript goes through in two walks. The first resolves each proposal against the catalog and the facts of its moment
//! ([`case`], [`facts`], [`rules`]) and collects what must be found in text; then the text is searched once ([`reading`]);
//! the second walk asks the [`checks`].

pub mod checks;
pub mod decision;

mod case;
mod confirmation;
mod environment;
mod facts;
mod once;
mod provenance;
mod reading;
mod rules;

use std::collections::{BTreeMap, HashSet};

use crate::catalog::Catalog;
use crate::catalog::expression::Variable;
use crate::catalog::model::Tool;
use crate::catalog::schema::{self, ToolSchema};
use crate::json::Object;
use crate::text::search::Search;
use crate::transcript::{Message, Place, Proposal, Role, ToolCall, Transcript};

use case::{Case, Needles, Recorded, RecordedTool};
use checks::{CHECKS, Proposed, Repeated};
use confirmation::Confirmation;
use environment::Shared;
use facts::Facts;
use once::Made;
use provenance::Origin;
use reading::{Reading, Wanted};

pub use decision::{CheckResult, Decision, Evidence, Outcome, Status};

/// A guard: a catalog ready to decide. It can be shared between threads.
#[derive(Debug)]
pub struct Guard {
    catalog: Catalog,
}

/// The guard's answers to a transcript's proposals.
#[derive(Debug)]
pub struct Verdicts {
    /// One a proposal, in their order.
    pub judged: Vec<Judged>,
    /// How often the expressions that take a fact from results were in error, by the fact's number in the catalog.
    pub fact_errors: BTreeMap<usize, usize>,
}

/// A decision with what the guard read of the proposal itself.
#[derive(Debug)]
pub struct Judged {
    /// The decision.
    pub decision: Decision,
    /// Whether the environment took the call: the record's label, else what `[outcome]` reads in its result.
    pub accepted: Option<bool>,
    /// Whether the tool changes state; nothing when nobody says.
    pub changes: Option<bool>,
}

/// Which calls were made before the one in question, for `once`.
#[derive(Debug)]
pub enum MadeCalls<'a> {
    /// Those that the transcript's messages show.
    Recorded,
    /// These.
    Given(Vec<ToolCall<'a>>),
    /// Nobody says: `not_made_before` can't be evaluated.
    Unknown,
}

impl Guard {
    /// A guard that decides by a catalog.
    pub fn new(catalog: Catalog) -> Guard {
        Guard { catalog }
    }

    /// The catalog.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Decides on every proposal of a transcript, each in the context of the messages before it.
    pub fn decide_all(&self, transcript: &Transcript<'_>) -> Verdicts {
        self.decide_with(transcript, &MadeCalls::Recorded)
    }

    /// Decides on one call in a conversation.
    pub fn decide<'a>(
        &self,
        conversation: Vec<Message<'a>>,
        call: ToolCall<'a>,
        facts: Object<'a>,
        made: &MadeCalls<'_>,
    ) -> Decision {
        let recorded_messages = conversation.last().map_or(0, |message| message.recorded + 1);
        let proposal = Proposal::new(recorded_messages, None, call);
        let transcript = Transcript {
            unknown_keys: Vec::new(),
            id: String::new(),
            place: Place { file: "".into(), record: 0, line: 1 },
            messages: conversation,
            recorded_messages,
            proposals: vec![proposal],
            tools: None,
            facts,
            success: None,
            meta: None,
            gold: None,
            is_log: false,
            may_repeat: false,
            oddities: Default::default(),
        };
        let judged = self.decide_with(&transcript, made).judged.into_iter().next();
        judged.map_or_else(|| Decision::new(Vec::new(), Vec::new(), self.catalog.combine), |judged| judged.decision)
    }

    fn decide_with<'t>(&'t self, transcript: &'t Transcript<'t>, made: &MadeCalls<'_>) -> Verdicts {
        let catalog = &self.catalog;
        let recorded = recorded(catalog, transcript);
        let accepted = facts::accepted(catalog, transcript);
        let mut order: Vec<usize> = (0..transcript.proposals.len()).collect();
        order.sort_by_key(|index| transcript.proposals.get(*index).map(|proposal| proposal.at));
        let proposals = || order.iter().filter_map(|index| transcript.proposals.get(*index));
        let texts = Texts::new(catalog, transcript);

        let mut facts = Facts::new(catalog, transcript, accepted.clone());
        let mut needles = Needles::default();
        let mut cases: Vec<Case<'_>> = Vec::with_capacity(order.len());
        for proposal in proposals() {
            let cut = transcript.context_len(proposal.at);
            facts.advance(cut, proposal);
            cases.push(Case::new(catalog, &recorded, proposal, cut, &facts, texts.before(cut), &mut needles));
        }

        let wanted = Wanted::by(&cases);
        let list = needles.into_list();
        let count = list.len();
        let reading = Reading::new(&transcript.messages, &wanted, &Search::new(list), count, catalog.detector.get());

        let repeated = repeated(&cases, &accepted, made);
        let mut judged: Vec<(usize, Judged)> = Vec::with_capacity(order.len());
        for ((case, index), repeated) in cases.iter().zip(&order).zip(repeated) {
            let decision = decide(catalog, case, &reading, repeated);
            let changes = case.tool.and_then(|tool| tool.changes);
            let changes = changes.or_else(|| recorded.schemas.get(case.proposal.call.name.as_ref()).and_then(|r| r.changes));
            judged.push((*index, Judged { decision, accepted: accepted.get(*index).copied().flatten(), changes }));
        }
        judged.sort_by_key(|(index, _)| *index);
        Verdicts { judged: judged.into_iter().map(|(_, judged)| judged).collect(), fact_errors: facts.into_errors() }
    }
}

/// Asks every check about one proposal.
fn decide(catalog: &Catalog, case: &Case<'_>, reading: &Reading<'_>, repeated: Option<Repeated>) -> Decision {
    let Some(tool) = case.tool else {
        let unknown = checks::unknown_tool(&case.proposal.call.name);
        return Decision::new(vec![unknown], Vec::new(), catalog.combine);
    };
    let origins = provenance::origins(case, tool, reading);
    let confirmation = match &tool.confirm {
        Some(confirm) if case.readable() => Some(confirmation::confirmation(case, confirm, reading)),
        _ => None,
    };
    let proposed =
        Proposed { catalog, case, tool, reading, origins: &origins, confirmation: confirmation.as_ref(), repeated };
    let mut results = Vec::with_capacity(CHECKS.len() + tool.policies.len());
    for check in CHECKS {
        (check.run)(&proposed, &mut results);
    }
    Decision::new(results, evidence(case, reading, &origins, confirmation.as_ref()), catalog.combine)
}

/// The quotes that a decision rests on, also of a stopped call: by argument, items of a list in order, then the accepted
/// proposal and its acceptance.
fn evidence(
    case: &Case<'_>,
    reading: &Reading<'_>,
    origins: &[Origin],
    confirmation: Option<&Confirmation>,
) -> Vec<Evidence> {
    let quoted = |argument: &str, message: usize, range: Option<(usize, usize)>| {
        let said = reading.messages.get(message)?;
        let (start, end) = range.unwrap_or((0, said.text.len()));
        let quote = said.text.get(start..end)?.to_owned();
        Some(Evidence { argument: argument.to_owned(), message, range: start..end, quote, role: said.role })
    };
    let mut evidence: Vec<Evidence> = Vec::new();
    for (sought, origin) in case.grounded.iter().zip(origins) {
        if let Origin::Allowed(quote) | Origin::Injected(quote) = origin {
            evidence.extend(quoted(&sought.argument, quote.message, Some(quote.range)));
        }
    }
    evidence.sort_by(|a, b| a.argument.cmp(&b.argument));
    if let Some(Confirmation::Given(accepted)) = confirmation {
        evidence.extend(quoted("(proposal)", accepted.proposal, None));
        evidence.extend(quoted("(accepted)", accepted.acceptance, None));
    }
    evidence
}

/// For each proposal, whether the same call was made before it; nothing for tools that may repeat one.
fn repeated(cases: &[Case<'_>], accepted: &[Option<bool>], made: &MadeCalls<'_>) -> Vec<Option<Repeated>> {
    let mut calls = Made::default();
    let answer = |case: &Case<'_>| {
        let once = case.tool?.once.as_ref()?;
        let name = case.proposal.call.name.as_ref();
        let key = once::key(name, once, case.object());
        let repeated = match made {
            MadeCalls::Unknown => return Some(Repeated::Unknown),
            MadeCalls::Given(given) => {
                let mut same_tool = given.iter().filter(|call| call.name == name);
                same_tool.any(|call| once::key(name, once, &coerced(case, call)) == key).then_some(None)
            }
            MadeCalls::Recorded => calls.find(&key, case.proposal.at),
        };
        if case.proposal.made && case.readable() {
            let failed = accepted.get(case.proposal.ordinal).copied().flatten() == Some(false);
            calls.note(key, case.proposal.at, case.proposal.ordinal, failed);
        }
        Some(repeated.map_or(Repeated::No, Repeated::Yes))
    };
    cases.iter().map(answer).collect()
}

/// The arguments of a call as the case's schema reads them.
fn coerced<'a>(case: &Case<'_>, call: &ToolCall<'a>) -> Object<'a> {
    match case.schema {
        Some(schema) => schema.check(&call.arguments).arguments,
        None => call.arguments.as_object().cloned().unwrap_or_default(),
    }
}

/// The definitions that a transcript carries, of the tools that its proposals call.
fn recorded(catalog: &Catalog, transcript: &Transcript<'_>) -> Recorded {
    let mut recorded = Recorded::default();
    let Some(tools) = transcript.tools.as_ref().filter(|_| catalog.recorded_schemas) else { return recorded };
    let Ok(definitions) = schema::definitions(tools) else { return recorded };
    let called: HashSet<&str> = transcript.proposals.iter().map(|proposal| proposal.call.name.as_ref()).collect();
    for definition in definitions {
        if called.contains(definition.name.as_str()) {
            let schema = ToolSchema::compile(&definition.schema).map_err(|error| error.to_string());
            recorded
                .schemas
                .insert(definition.name, RecordedTool { schema, changes: definition.read_only.map(|reads| !reads) });
        }
    }
    recorded
}

/// The conversation as one text, made only where an expression reads it; a context is a prefix of it.
#[derive(Default)]
struct Texts {
    conversation: String,
    user_request: String,
    /// The lengths of both before each message.
    before: Vec<(usize, usize)>,
}

impl Texts {
    fn new(catalog: &Catalog, transcript: &Transcript<'_>) -> Texts {
        let called = |tool: &&Tool| transcript.proposals.iter().any(|proposal| proposal.call.name == tool.name);
        let reads = |tool: &Tool| {
            let computed = tool.computed.iter().map(|(_, expression)| expression);
            let mut all = tool.policies.iter().map(|policy| &policy.require).chain(computed);
            all.any(|e| e.reads().iter().any(|v| matches!(v, Variable::Conversation | Variable::UserRequest)))
        };
        let mut texts = Texts::default();
        if !catalog.tools.values().filter(called).any(reads) {
            return texts;
        }
        for message in &transcript.messages {
            texts.before.push((texts.conversation.len(), texts.user_request.len()));
            texts.conversation.extend(["[", message.role.as_str(), "] ", &message.text, "\n"]);
            if message.role == Role::User {
                texts.user_request.extend([&message.text, "\n"]);
            }
        }
        texts.before.push((texts.conversation.len(), texts.user_request.len()));
        texts
    }

    /// The texts before a message, without the newline that ends them.
    fn before(&self, cut: usize) -> Shared<'_> {
        let (conversation, user_request) = self.before.get(cut).copied().unwrap_or_default();
        Shared {
            conversation: self.conversation.get(..conversation.saturating_sub(1)).unwrap_or_default(),
            user_request: self.user_request.get(..user_request.saturating_sub(1)).unwrap_or_default(),
        }
    }
}

/// Guards are shared between the threads of a run.
const _: fn() = || {
    fn shared<T: Send + Sync>() {}
    shared::<Guard>();
};
