//! A request to end early, seen by whatever may take long without being handed down to it.
//!
//! It belongs to a thread and is handed on to those that help it. A computation that sees it gives up and says that it
//! knows nothing: never that something holds.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

/// Why a run is to end early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HaltReason {
    /// A person interrupted it.
    Interrupted,
    /// The program uses more memory than it may.
    Memory,
    /// Its time is over: what comes of it depends on the machine.
    Time,
}

/// What a request is made by.
#[derive(Clone, Debug, Default)]
pub struct Token {
    code: Arc<AtomicU8>,
    /// A request to the work around is one to this work.
    around: Option<Arc<Token>>,
}

impl Token {
    /// For a part of what this thread does, which can be asked to end early by itself.
    #[must_use]
    pub fn of_part() -> Self {
        Token { around: current().map(Arc::new), ..Token::default() }
    }

    /// Ask to end early. The first reason stays.
    pub fn request(&self, reason: HaltReason) {
        let code = match reason {
            HaltReason::Interrupted => 1,
            HaltReason::Memory => 2,
            HaltReason::Time => 3,
        };
        let _ = self.code.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Why, if it is asked for.
    #[must_use]
    pub fn reason(&self) -> Option<HaltReason> {
        match self.code.load(Ordering::Relaxed) {
            0 => self.around.as_ref().and_then(|t| t.reason()),
            1 => Some(HaltReason::Interrupted),
            2 => Some(HaltReason::Memory),
            _ => Some(HaltReason::Time),
        }
    }
}

thread_local! {
    static CURRENT: RefCell<Option<Token>> = const { RefCell::new(None) };
}

/// Whether what this thread does is to end early.
#[must_use]
pub fn requested() -> bool {
    CURRENT.with_borrow(|token| token.as_ref().is_some_and(|t| t.reason().is_some()))
}

/// Held by all work that is not to be left in the middle.
static UNBROKEN: RwLock<()> = RwLock::new(());

/// Do some work that is not to be left in the middle, such as putting files into a folder.
pub fn unbroken<T>(work: impl FnOnce() -> T) -> T {
    let _held = UNBROKEN.read();
    work()
}

/// Do something, such as to end the program, while nothing [`unbroken`] goes on; none where something does.
pub fn between_unbroken<T>(work: impl FnOnce() -> T) -> Option<T> {
    let _free = UNBROKEN.try_write().ok()?;
    Some(work())
}

/// The token of this thread, to be handed on to threads that help it.
#[must_use]
pub fn current() -> Option<Token> {
    CURRENT.with_borrow(Clone::clone)
}

/// Do some work that ends early where the token asks for it.
pub fn under<T>(token: Option<Token>, work: impl FnOnce() -> T) -> T {
    /// Puts back the token of the work around, however this work ends.
    struct Before(Option<Token>);
    impl Drop for Before {
        fn drop(&mut self) {
            CURRENT.with_borrow_mut(|token| *token = self.0.take());
        }
    }
    let _before = Before(CURRENT.replace(token));
    work()
}

/// How often a flag and the memory in use are looked at.
const LOOK: Duration = Duration::from_millis(25);

/// Do some work that ends early where `stop` is set or the program uses more than so many bytes of memory. Memory is
/// measured on Linux only. Also returns why it was asked to end early, if it was.
pub fn watched<T>(
    stop: Option<&AtomicBool>,
    max_memory: Option<u64>,
    work: impl FnOnce() -> T,
) -> (T, Option<HaltReason>) {
    watched_until(stop, max_memory, None, work)
}

/// The same for work that also ends early when so much time has gone.
pub fn limited<T>(stop: Option<&AtomicBool>, limit: Duration, work: impl FnOnce() -> T) -> T {
    watched_until(stop, None, Instant::now().checked_add(limit), work).0
}

/// Do a part of some work, which alone ends early when so much time has gone or the program uses more than so many bytes of
/// memory. Also returns why it was asked to end early, if it was.
pub fn bounded<T>(
    max_memory: Option<u64>,
    limit: Option<Duration>,
    work: impl FnOnce() -> T,
) -> (T, Option<HaltReason>) {
    if max_memory.is_none() && limit.is_none() {
        let result = work();
        return (result, current().and_then(|token| token.reason()));
    }
    watched_until(None, max_memory, limit.and_then(|limit| Instant::now().checked_add(limit)), work)
}

fn watched_until<T>(
    stop: Option<&AtomicBool>,
    max_memory: Option<u64>,
    until: Option<Instant>,
    work: impl FnOnce() -> T,
) -> (T, Option<HaltReason>) {
    let token = Token::of_part();
    let done = AtomicBool::new(false);
    let look = || {
        if stop.is_some_and(|s| s.load(Ordering::Relaxed)) {
            token.request(HaltReason::Interrupted);
        }
        if until.is_some_and(|until| Instant::now() >= until) {
            token.request(HaltReason::Time);
        }
        if max_memory.is_some_and(|most| memory().is_some_and(|used| used > most)) {
            token.request(HaltReason::Memory);
        }
    };
    let watch = || {
        while !done.load(Ordering::Relaxed) && token.reason().is_none() {
            look();
            std::thread::park_timeout(LOOK);
        }
    };
    look();
    let result = std::thread::scope(|scope| {
        // Without the thread the flag is still seen by whoever looks at it itself.
        let watcher = std::thread::Builder::new().spawn_scoped(scope, watch).ok();
        /// Ends the watch, however the work ends.
        struct End<'a, F: Fn()>(&'a F);
        impl<F: Fn()> Drop for End<'_, F> {
            fn drop(&mut self) {
                (self.0)();
            }
        }
        let end = || {
            done.store(true, Ordering::Relaxed);
            watcher.iter().for_each(|w| w.thread().unpark());
        };
        let _end = End(&end);
        under(Some(token.clone()), work)
    });
    (result, token.reason())
}

/// The memory that this program has in use, in bytes, where that is known.
#[must_use]
pub fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let resident = status.lines().find_map(|l| l.strip_prefix("VmRSS:"))?.trim().strip_suffix("kB")?;
    resident.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_seen_by_those_that_help_and_by_nobody_else() {
        assert!(!requested());
        let token = Token::default();
        under(Some(token.clone()), || {
            assert!(!requested());
            token.request(HaltReason::Memory);
            token.request(HaltReason::Interrupted);
            let handed_on = current();
            std::thread::scope(|scope| {
                scope.spawn(|| assert!(!requested()));
                scope.spawn(|| under(handed_on, || assert!(requested())));
            });
            under(None, || assert!(!requested()));
            assert!(requested());
        });
        assert!(!requested());
        assert_eq!(token.reason(), Some(HaltReason::Memory));
    }

    #[test]
    fn a_part_sees_the_request_to_the_whole_and_not_the_other_way_round() {
        let whole = Token::default();
        under(Some(whole.clone()), || {
            let (one, other) = (Token::of_part(), Token::of_part());
            one.request(HaltReason::Interrupted);
            assert_eq!((one.reason(), other.reason(), whole.reason()), (Some(HaltReason::Interrupted), None, None));
            whole.request(HaltReason::Memory);
            assert_eq!(other.reason(), Some(HaltReason::Memory));
        });
    }

    #[test]
    fn a_flag_ends_work_that_knows_nothing_of_it() {
        let stop = AtomicBool::new(false);
        let work = || {
            stop.store(true, Ordering::Relaxed);
            while !requested() {
                std::thread::yield_now();
            }
        };
        assert_eq!(watched(Some(&stop), None, work).1, Some(HaltReason::Interrupted));
        assert_eq!(watched(None, None, requested), (false, None));
        assert_eq!(watched(None, Some(u64::MAX), requested), (false, None));
    }

    #[test]
    fn a_part_ends_with_its_time_and_what_is_around_goes_on() {
        let until_asked = || {
            while !requested() {
                std::thread::yield_now();
            }
        };
        let part = || {
            let ended = bounded(None, Some(Duration::ZERO), until_asked).1;
            (ended, requested())
        };
        assert_eq!(watched(None, None, part), ((Some(HaltReason::Time), false), None));
        assert_eq!(bounded(None, None, requested), (false, None));
        // What the whole is asked for is asked of the part, too.
        let stop = AtomicBool::new(true);
        let whole = || bounded(Some(u64::MAX), Some(Duration::MAX), until_asked).1;
        assert_eq!(watched(Some(&stop), None, whole).0, Some(HaltReason::Interrupted));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_in_use_is_watched() {
        let until_asked = || {
            while !requested() {
                std::thread::yield_now();
            }
        };
        assert_eq!(watched(None, Some(1), until_asked).1, Some(HaltReason::Memory));
    }

    #[test]
    fn nothing_comes_between_work_that_is_not_to_be_left() {
        unbroken(|| assert_eq!(between_unbroken(|| ()), None));
    }
}
