//! What was recorded: conversations, the calls proposed in them, and how files hold them.

pub mod call;
pub mod formats;
pub mod message;
pub mod model;
pub mod reading;

pub use call::ToolCall;
pub use message::{Message, Role};
pub use model::{Attack, Labels, Oddities, Place, Proposal, Transcript};
