//! What is declared: a catalog of tools, policies and gates, loaded with the place of every mistake.

pub mod describe;
pub mod expression;
pub mod glob;
pub mod load;
pub mod model;
pub mod outcome;
pub mod path;
pub mod schema;

pub use model::Catalog;
