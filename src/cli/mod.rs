//! The command.

pub mod catalog;
