//! Reading text as the guard does: where a value is found, and where it only seems to be.

pub mod address;
pub mod normalize;
pub mod number;
pub mod search;

pub use search::{Locale, Matcher};
