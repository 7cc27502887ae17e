//! A tool schema: reading definitions, lax coercion, then full JSON Schema.
