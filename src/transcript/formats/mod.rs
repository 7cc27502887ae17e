//! One file a wire format: what a record of it looks like.
