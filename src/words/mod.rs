//! What a user's words mean: whether they accept what was proposed, and which kind of action they ask for.

pub mod acceptance;
pub mod intents;
