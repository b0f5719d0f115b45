//! Threads that share out work, as many as there may be. What comes of it does not depend on their number.

mod portion;

pub use portion::{Portion, deal};

use crate::halt;
use std::sync::atomic::{AtomicIsize, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::Builder;

/// Expressions may be nested deeply, and what walks over them is recursive. Unit: bytes.
const STACK: usize = 64 << 20;

/// How many threads may work, this one among them. All clones share them: what one piece of work does not need, another has.
#[derive(Clone, Debug)]
pub struct Threads {
    most: usize,
    /// Those that may be begun beside those that work; fewer than none where one that waited works again before the other
    /// that worked for it has ended.
    idle: Arc<AtomicIsize>,
}

/// The right to work in a thread, given back at the end.
#[derive(Debug)]
pub struct Seat(Arc<AtomicIsize>);

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// A thread that does nothing but wait, so that another may work for it until the end.
#[derive(Debug)]
pub struct Waiting(Arc<AtomicIsize>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Default for Threads {
    /// As many as the machine runs at once.
    fn default() -> Self {
        Threads::new(std::thread::available_parallelism().map_or(1, usize::from))
    }
}

impl Threads {
    /// So many threads, at least this one.
    #[must_use]
    pub fn new(most: usize) -> Self {
        let most = most.max(1);
        Threads { most, idle: Arc::new(AtomicIsize::new(isize::try_from(most - 1).unwrap_or(isize::MAX))) }
    }

    /// How many there may be, whether they work or not.
    #[must_use]
    pub fn most(&self) -> usize {
        self.most
    }

    /// Work for one more thread, if one is idle.
    #[must_use]
    pub fn seat(&self) -> Option<Seat> {
        let one_less = |n: isize| (n > 0).then(|| n - 1);
        let taken = self.idle.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less);
        taken.is_ok().then(|| Seat(self.idle.clone()))
    }

    /// Let another thread work for this one, as long as it waits.
    #[must_use]
    pub fn wait(&self) -> Waiting {
        self.idle.fetch_add(1, Ordering::Relaxed);
        Waiting(self.idle.clone())
    }

    /// The results of `work` on each of the items, in their order: by this thread and those that are idle, of which each
    /// takes the next item when it is done with one. Each thread has at least `worth` items on average, since it costs
    /// some 20 us to have another.
    pub fn side_by_side<T: Sync, R: Send>(&self, worth: usize, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
        let wanted = (items.len() / worth.max(1)).saturating_sub(1);
        let seats: Vec<Seat> = (0..wanted).map_while(|_| self.seat()).collect();
        if seats.is_empty() {
            return items.iter().map(work).collect();
        }
        let next = AtomicUsize::new(0);
        let token = halt::current();
        let share = || {
            let mut done = Vec::new();
            loop {
                let k = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(k) else { return done };
                done.push((k, work(item)));
            }
        };
        let mut results = std::thread::scope(|scope| {
            // A thread that cannot be had leaves its work to the others.
            let thread = |seat: Seat| {
                let (token, share) = (token.clone(), &share);
                let work = move || {
                    let done = halt::under(token, share);
                    drop(seat);
                    done
                };
                Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok()
            };
            let others: Vec<_> = seats.into_iter().filter_map(thread).collect();
            let mut results = share();
            // Who waits for the last of the others lets them have this one.
            let _waiting = self.wait();
            for other in others {
                match other.join() {
                    Ok(done) => results.extend(done),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            results
        });
        results.sort_unstable_by_key(|(k, _)| *k);
        results.into_iter().map(|(_, result)| result).collect()
    }
}

/// Do some work where expressions may be nested deeply: on a thread with a large stack, for which this one waits. Where no
/// such thread can be had it is done here.
pub fn deep<T: Send>(work: impl Fn() -> T + Sync) -> T {
    let token = halt::current();
    std::thread::scope(|scope| {
        match Builder::new().stack_size(STACK).spawn_scoped(scope, || halt::under(token, &work)) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => work(),
        }
    })
}

/// Room for intermediate values, kept for those who need it next: as much as there were threads at a time.
pub(crate) struct Room<T>(Mutex<Vec<T>>);

impl<T> Default for Room<T> {
    fn default() -> Self {
        Room(Mutex::default())
    }
}

impl<T: Default> Room<T> {
    /// Do some work in it. What was there before is still there.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let free = self.0.lock().ok().and_then(|mut all| all.pop());
        let mut values = free.unwrap_or_default();
        let result = work(&mut values);
        if let Ok(mut all) = self.0.lock() {
            all.push(values);
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_and_no_more_threads_work_than_may() {
        for most in [1, 2, 5] {
            let threads = Threads::new(most);
            let (now, peak) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let leaf = |k: &usize| {
                peak.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                std::thread::yield_now();
                let square = k * k;
                now.fetch_sub(1, Ordering::SeqCst);
                square
            };
            // Work within work asks for threads too.
            let row = |k: &usize| threads.side_by_side(1, &(0..*k).collect::<Vec<_>>(), leaf).iter().sum::<usize>();
            let sums = threads.side_by_side(1, &(0..60).collect::<Vec<_>>(), row);
            assert_eq!(sums, (0..60).map(|k: usize| (0..k).map(|i| i * i).sum()).collect::<Vec<usize>>());
            assert!((1..=most).contains(&peak.load(Ordering::SeqCst)), "{most}");
            assert_eq!(threads.idle.load(Ordering::SeqCst).unsigned_abs(), most - 1);
        }
    }

    #[test]
    fn who_waits_lets_another_work() {
        let threads = Threads::new(2);
        let waiting = threads.wait();
        let seats = [threads.seat(), threads.seat(), threads.seat()];
        assert_eq!(seats.each_ref().map(Option::is_some), [true, true, false]);
        let [first, ..] = seats;
        drop(first);
        assert!(threads.seat().is_some());
        drop(waiting);
        assert_eq!(threads.most(), 2);
    }
}
