//! The line of progress on a terminal's standard error. What has nothing to tell for a while still shows that it is at work, and
//! for how long.

use std::io::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Work that is done by then shows nothing.
const PATIENCE: Duration = Duration::from_secs(2);
/// A line that is older is shown again, with the time.
const STALE: Duration = Duration::from_secs(1);
/// How often the lines are looked at.
const EVERY: Duration = Duration::from_millis(200);

/// What is on the terminal, and what is being done.
struct Line {
    /// Whether a line is there that has to be removed before anything else is written.
    is_shown: bool,
    /// What is being done.
    doing: String,
    /// When a command told of it the last time.
    told: Option<Instant>,
    /// Whether somebody may be typing.
    is_held: bool,
}

static LINE: Mutex<Line> = Mutex::new(Line { is_shown: false, doing: String::new(), told: None, is_held: false });

/// The line, which others wait for. A panic elsewhere leaves it usable.
fn line() -> MutexGuard<'static, Line> {
    LINE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Line {
    fn write(&mut self, text: &str) {
        let mut err = std::io::stderr().lock();
        let _ = write!(err, "\r\x1b[2K{text}").and_then(|()| err.flush());
        self.is_shown = !text.is_empty();
    }

    fn clear(&mut self) {
        if self.is_shown {
            self.write("");
        }
    }
}

/// From now on shows what is not done in two seconds. `name` is what is said as long as nothing else is.
pub(super) fn begin(name: &str) {
    let (start, name) = (Instant::now(), name.to_owned());
    line().doing.clone_from(&name);
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(EVERY);
            let mut line = line();
            let stale = line.told.is_none_or(|at| at.elapsed() > STALE);
            if start.elapsed() > PATIENCE && stale && !line.is_held {
                let doing = if line.doing.is_empty() { &name } else { &line.doing };
                let text = format!("{doing} ({} s)", start.elapsed().as_secs());
                line.write(&text);
            }
        }
    });
}

/// Replaces the line; an empty text removes it.
pub(super) fn show(text: &str) {
    let mut line = line();
    text.clone_into(&mut line.doing);
    line.told = (!text.is_empty()).then(Instant::now);
    line.write(text);
}

/// Says what is being done from now on; it is shown if it takes long.
pub(super) fn doing(text: &str) {
    text.clone_into(&mut line().doing);
}

/// Writes something else, with the line out of the way.
pub(super) fn aside<T>(write: impl FnOnce() -> T) -> T {
    let mut line = line();
    line.clear();
    write()
}

/// Waits for what a person types, and shows nothing meanwhile.
pub(super) fn held<T>(wait: impl FnOnce() -> T) -> T {
    let hold = |held: bool| {
        let mut line = line();
        line.is_held = held;
        line.clear();
    };
    hold(true);
    let got = wait();
    hold(false);
    got
}

/// Removes the line for good. Whoever ends the program calls it, maybe with the line in use.
pub(super) fn end() {
    let mut line = match LINE.try_lock() {
        Ok(line) => line,
        Err(std::sync::TryLockError::Poisoned(line)) => line.into_inner(),
        Err(std::sync::TryLockError::WouldBlock) => return,
    };
    line.is_held = true;
    line.clear();
}
