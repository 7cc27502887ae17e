//! The instruction detector: passages of a text that address its reader instead of stating something.
