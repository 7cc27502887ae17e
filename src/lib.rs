//! Dry-runs a guard over recorded tool calls.
//!
//! (The front page is written when the parts are in place.)

pub mod catalog;
pub mod cli;
pub mod guard;
pub mod injection;
pub mod json;
pub mod knowledge;
pub mod text;
pub mod transcript;
