//! Number tokens in text, by locale, with their exact values.
