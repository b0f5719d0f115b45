//! SIGINT, SIGTERM and SIGHUP: the first saves what is done, a later one ends the program. `timeout` and CI servers cancel
//! by SIGTERM, a terminal that is closed by SIGHUP.

use super::exit::Exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Set by any of them.
pub(crate) static STOP: AtomicBool = AtomicBool::new(false);

/// For so long after the first signal another one is taken for the same: a terminal signals a whole group of processes,
/// and a wrapper that hands its own signal on makes two of one.
const REPEAT: Duration = Duration::from_secs(1);

/// Handle it from now on. Without a handler a signal ends the program, as it ends any other.
pub(crate) fn listen() {
    let mut first: Option<Instant> = None;
    let _ = ctrlc::set_handler(move || match first {
        None => {
            first = Some(Instant::now());
            STOP.store(true, Ordering::Relaxed);
        }
        Some(at) if at.elapsed() < REPEAT => {}
        Some(_) => std::process::exit(Exit::Interrupted as i32),
    });
}
