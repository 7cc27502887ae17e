//! Reading a catalog file: its unvalidated shape first, then made valid, every error with its place.
