//! The decision: a call in its context, check by check.

pub mod acceptance;
pub mod decision;
pub mod intents;

pub use decision::{CheckResult, Decision, Evidence, Outcome, Status};
