//! Replaying recorded conversations: in batches, in parallel, in order.

pub mod code_points;
pub mod decided;
pub mod engine;
pub mod facts_given;
pub mod repeats;
pub mod shape;

pub use decided::{Decided, DecidedCall, Deviation};
pub use engine::{Ended, Item, Options, Sink};
pub use repeats::Repeats;
pub use shape::Shape;
