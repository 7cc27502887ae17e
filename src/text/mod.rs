//! Reading text as the guard does: where a value is found, and where it only seems to be.

pub mod address;
mod boundary;
pub mod characters;
mod matcher;
mod nearest;
pub mod normalize;
pub mod number;
mod pattern;
pub mod search;

pub use address::{Address, PathRule, same_url};
pub use matcher::{Locale, Matcher, UnknownName};
pub use nearest::nearest;
pub use search::{Needle, Search, occurrences};
