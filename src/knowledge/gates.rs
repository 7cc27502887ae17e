//! Written gates: dry run over recorded successes.
