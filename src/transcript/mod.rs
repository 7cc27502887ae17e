//! What was recorded: conversations, the calls proposed in them, and how files hold them.

pub mod assemble;
pub mod call;
mod content;
pub mod formats;
mod labels;
mod matching;
pub mod message;
pub mod model;
pub mod reading;
mod role;

pub use assemble::{Record, RecordError, assemble};
pub use call::{ArgumentOddities, CallError, ToolCall, ToolCallRead};
pub use formats::Format;
pub use message::{Message, Role};
pub use model::{Attack, Labels, Oddities, Place, Proposal, Transcript, UnknownKey};

pub use reading::{Batch, RawRecord, ReadError, ReadOptions, Reader, Reading, Rejected};
