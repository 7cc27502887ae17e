//! What the application knows beyond the conversation: gates, and later what the backend is known to refuse.

pub mod gates;
