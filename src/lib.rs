//! Dry-runs a guard over recorded tool calls of LLM agents.
//!
//! An agent with tools proposes calls; a guard answers allow, deny or escalate by a catalog of rules. This crate replays
//! recorded conversations through such a guard, offline: what would a catalog have stopped, and what would it have broken?
//! Nothing here executes a call or opens a connection.
//!
//! The parts, from the bottom up: [`json`] reads what was recorded with its spelling; [`text`] finds values in text;
//! [`words`] hears a yes and a request; [`transcript`] reads conversations of any shape; [`injection`] recognises text that addresses its reader; [`catalog`]
//! holds the declared rules; [`knowledge`] dry-runs gates; [`guard`] decides; [`replay`] runs it over files in parallel;
//! [`evaluate`] counts; [`report`] renders; [`cli`] is the command.
//!
//! ```
//! use dryguard::catalog::load::{self, Format};
//! use dryguard::guard::{Guard, MadeCalls, Outcome};
//! use dryguard::json;
//! use dryguard::transcript::{ToolCall, message};
//!
//! let catalog = r#"
//!     [facts]
//!     user_orders = "list"
//!
//!     [tools.cancel_order]
//!     schema = { type = "object", properties = { order_id = { type = "string" } }, required = ["order_id"] }
//!     ground = { order_id = "id" }
//!     ground_from = ["user"]
//!     confirm = { match = { order_id = "id" } }
//!
//!     [[policies]]
//!     name = "owns_the_order"
//!     require = "order_id in user_orders"
//!     reason = "Customers can cancel only their own orders."
//! "#;
//! let guard = Guard::new(load::from_text(catalog, "catalog.toml", Format::Toml, None)?.catalog);
//!
//! let conversation = json::parse(r##"[
//!     ["user", "Please cancel order W1001."],
//!     ["assistant", "Shall I cancel order #W1001?"],
//!     ["user", "Yes, go ahead."]
//! ]"##)?;
//! let call = ToolCall::parse(&json::parse(r##"{"name": "cancel_order", "arguments": {"order_id": "#W1001"}}"##)?)?;
//! let facts = json::parse(r##"{"user_orders": ["#W1002"]}"##)?;
//!
//! let decision = guard.decide(message::messages(conversation), call, facts.as_object().cloned().unwrap_or_default(), &MadeCalls::Unknown);
//! assert_eq!(decision.outcome, Outcome::Deny);
//! let failed: Vec<&str> = decision.failed().map(|check| check.check.as_ref()).collect();
//! assert_eq!(failed, ["owns_the_order"]);
//! assert_eq!(decision.evidence[0].quote, "W1001");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod catalog;
pub mod cli;
pub mod draft;
pub mod evaluate;
pub mod guard;
pub mod injection;
pub mod json;
pub mod knowledge;
pub mod replay;
pub mod report;
pub mod text;
pub mod transcript;
pub mod words;
