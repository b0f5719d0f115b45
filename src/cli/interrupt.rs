//! SIGINT, SIGTERM and SIGHUP: the first saves what is done, a later one ends the program. `timeout` and CI servers cancel
//! by SIGTERM, a terminal that is closed by SIGHUP.

use super::exit::Exit;
use super::heartbeat;
use magneto::halt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Set by any of them.
pub(crate) static STOP: AtomicBool = AtomicBool::new(false);

/// For so long after the first signal another one is taken for the same: a terminal signals a whole group of processes,
/// and a wrapper that hands its own signal on makes two of one.
const REPEAT: Duration = Duration::from_secs(1);

/// Whether nothing is lost and nothing left behind if the program just ends.
static MAY_LEAVE: AtomicBool = AtomicBool::new(false);
/// How long after the first signal the program just ends where it may: a person waits for a second, no longer.
const GRACE: Duration = Duration::from_millis(800);

/// Do some work that may be left in the middle when a signal came and the work does not see it in time. What it puts into
/// folders is whole: see [`halt::unbroken`].
pub(crate) fn may_leave<T>(work: impl FnOnce() -> T) -> T {
    /// However the work ends.
    struct End(bool);
    impl Drop for End {
        fn drop(&mut self) {
            MAY_LEAVE.store(self.0, Ordering::Relaxed);
        }
    }
    let _end = End(MAY_LEAVE.swap(true, Ordering::Relaxed));
    work()
}

/// Do some work that ends early after a signal, with the programs that it runs.
pub(crate) fn stoppable<T>(work: impl FnOnce() -> T) -> T {
    halt::watched(Some(&STOP), None, work).0
}

/// How a command ends that could not do what it was asked: after a signal nothing else is the reason, unless it is a bug.
pub(crate) fn exit(exit: Exit) -> Exit {
    if STOP.load(Ordering::Relaxed) && exit != Exit::Bug { Exit::Interrupted } else { exit }
}

/// Ends the program some time after the first signal, as soon as it may end.
fn leave_in_time() {
    std::thread::sleep(GRACE);
    loop {
        if MAY_LEAVE.load(Ordering::Relaxed) {
            halt::between_unbroken(|| {
                heartbeat::end();
                eprintln!("\nerror: interrupted; no results are written");
                std::process::exit(Exit::Interrupted as i32);
            });
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Handle it from now on.
pub(crate) fn listen() {
    let mut first: Option<Instant> = None;
    let _ = ctrlc::set_handler(move || match first {
        None => {
            first = Some(Instant::now());
            STOP.store(true, Ordering::Relaxed);
            std::thread::spawn(leave_in_time);
        }
        Some(at) if at.elapsed() < REPEAT => {}
        Some(_) => std::process::exit(Exit::Interrupted as i32),
    });
}
