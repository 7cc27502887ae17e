//! Web addresses, compared as the resource they name.
