//! JSON as it was recorded.
//!
//! A guard compares values, so it must see what was written: numbers keep their spelling and are compared exactly
//! (`1500` is `1500.0`, and an integer of forty digits is not rounded), duplicate keys are noticed, text is borrowed from
//! the input. `serde_json` does none of the three; everything that reads recordings goes through this module.

mod canonical;
mod decimal;
mod value;

pub use canonical::{canonical, display, display_sorted};
pub use decimal::Decimal;
pub use value::{MAX_DEPTH, Number, Object, ParseError, Value, parse, parse_bytes, parse_prefix};
