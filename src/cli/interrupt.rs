//! SIGINT: the first saves what is done, the second ends the program.

use super::exit::Exit;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set by SIGINT.
pub(crate) static STOP: AtomicBool = AtomicBool::new(false);

/// Handle it from now on. Without a handler SIGINT ends the program, as it ends any other.
pub(crate) fn listen() {
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(Exit::Interrupted as i32);
        }
    });
}
