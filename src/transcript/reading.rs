//! Finding records in files.
