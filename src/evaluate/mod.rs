//! What decisions come to: labels, figures, and where values come from.

pub mod denominator;
#[cfg(test)]
pub(crate) mod example;
pub mod labels;
pub mod notices;
pub mod provenance;
pub mod rate;
pub mod schemas;
pub mod summary;
pub mod tally;

pub use denominator::{Denominator, Located};
pub use labels::Class;
pub use rate::{Clusters, Rate};
pub use summary::Summary;
pub use tally::Tally;
