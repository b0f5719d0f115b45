//! Work that is shared out to threads. What comes of it does not depend on their number.

use crate::halt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::Builder;

/// Expressions may be nested deeply, and what walks over them is recursive. Unit: bytes.
const STACK: usize = 64 << 20;

/// The results of `work` on each of the items, in their order: by at most `jobs` threads, this one among them, of which
/// each takes the next item when it is done with one. Each thread has at least `worth` items on average, since it costs
/// some 20 us to have another.
pub(super) fn side_by_side<T: Sync, R: Send>(
    jobs: usize,
    worth: usize,
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let threads = jobs.min(items.len() / worth.max(1));
    if threads < 2 {
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
        let thread = || Builder::new().stack_size(STACK).spawn_scoped(scope, || halt::under(token.clone(), share)).ok();
        let others: Vec<_> = (1..threads).filter_map(|_| thread()).collect();
        let mut results = share();
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
