//! Ctrl-C: the first one asks the run to end well, the second one ends it.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set by the first Ctrl-C (or `SIGINT`).
static STOP: AtomicBool = AtomicBool::new(false);

/// Listens for Ctrl-C, and gives the flag that it sets. Where listening is impossible Ctrl-C kills, as usual.
pub fn listen() -> &'static AtomicBool {
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(super::exit::Exit::Interrupted.code()));
        }
        let _ = writeln!(std::io::stderr(), "\ninterrupted: finishing what is in work (again to end at once)");
    });
    &STOP
}
