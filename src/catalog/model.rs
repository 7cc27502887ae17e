//! A catalog once it is valid.
/// x
pub struct Catalog;
