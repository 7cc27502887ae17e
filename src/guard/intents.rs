//! Whether the user asked for an action of a kind.
