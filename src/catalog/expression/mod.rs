//! Expressions: CEL syntax over JSON values with exact numbers and three outcomes.
