//! A first catalog from recorded calls: each rule that the record supports, with what it would have cost.
//!
//! Several readings of the record. The [survey] says which tools are called with what, and where values come from. The
//! [trial](measure) decides every call once for each rule that might be written. The [choice](choose) keeps what costs
//! little, and a last trial measures the whole; [`write`] puts it down as a catalog with its figures.

pub mod choose;
pub mod declare;
pub mod measure;
pub mod rule;
pub mod survey;
pub mod verbs;
pub mod write;

pub use choose::{Chosen, Setting, candidates, choose};
pub use declare::{Declared, declare};
pub use measure::{Cost, Costs, Trial};
pub use rule::{Rule, catalog_text};
pub use survey::Survey;
