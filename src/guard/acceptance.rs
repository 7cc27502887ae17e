//! Whether a message of the user accepts what the assistant proposed.
