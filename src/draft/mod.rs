//! A first catalog from recorded calls: each rule that the record supports, with what it would have cost.
//!
//! Three readings of the record. The [survey] says which tools are called with what, and where values come from. The
//! [trial](measure) decides every call once for each rule that might be written. The [choice](choose) keeps what costs
//! little, and a last trial measures the whole; [`write`] puts it down as a catalog with its figures.

pub mod choose;
pub mod measure;
pub mod rule;
pub mod survey;
pub mod verbs;
pub mod write;

pub use choose::{Chosen, Setting, candidates, choose};
pub use measure::{Cost, Costs, Trial};
pub use rule::{Rule, catalog_text};
pub use survey::Survey;

/// The tools of a draft and what is known of them before a rule is chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// The tool's name.
    pub name: String,
    /// Whether a schema is declared for it.
    pub schema: bool,
    /// Its schema stops too many recorded calls, or it has none: any arguments are taken.
    pub open: bool,
    /// Whether it changes state.
    pub changes: bool,
    /// Why that is thought.
    pub because: String,
    /// Arguments with a fixed list of values: the model chooses, nobody writes them.
    pub choices: Vec<String>,
    /// The arguments that its schema declares; nothing: any. Recorded calls may invent others, and no rule can name those.
    pub arguments: Option<Vec<String>>,
}

impl Declared {
    /// Whether a rule can name this argument, or values within it: `flights[].number`.
    pub fn has(&self, argument: &str) -> bool {
        let outer = argument.split(['.', '[']).next().unwrap_or(argument);
        self.arguments.as_ref().is_none_or(|all| all.iter().any(|known| known == argument || known == outer))
    }
}
