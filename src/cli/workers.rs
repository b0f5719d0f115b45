//! Specifications worked on side by side. An interruption does not wait for work that does not see it in time.

use super::exit::Failure;
use super::interrupt::STOP;
use super::output::Output;
use super::specs::Loaded;
use magneto::halt;
use magneto::options::Settings;
use magneto::suite::{self, Generated, Interrupt, Solved};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Specifications may be nested deeply, and what walks over them is recursive.
const STACK: usize = 64 << 20;
/// How long after an interruption work may still end by itself and leave all that it has found. Then it is left alone,
/// and of what it does only the searches that are done are kept: a person waits for a second, no longer.
const GRACE: Duration = Duration::from_millis(600);
/// How often it is looked whether there was an interruption.
const LOOK: Duration = Duration::from_millis(20);

/// Answers of an earlier run, by place of the specification and mutant.
pub(super) type Known = HashMap<usize, HashMap<String, Solved>>;

/// What there is for each specification at the end.
pub(super) struct Finished {
    /// Its run; none if it was not begun before an interruption, or did not end soon after it.
    pub(super) results: Vec<Option<Generated>>,
    /// The searches that are done, of those without a run too.
    pub(super) solved: Vec<Vec<(String, Solved)>>,
    /// Whether half as much memory again as may be was in use, and what was not done by then is left out.
    pub(super) out_of_memory: bool,
}

/// What a worker tells of the specification at a place.
enum News {
    /// So many mutants are judged, of so many.
    Progress(usize, usize),
    /// A search is done.
    Solved(String, Solved),
    /// It is done, unless it was not even begun.
    Done(Result<Option<Box<Generated>>, String>),
}

/// Runs all specifications, several at a time.
pub(super) fn generate(
    loaded: &Arc<[Loaded]>,
    settings: &Settings,
    known: Known,
    output: &Output,
) -> Result<Finished, Failure> {
    let jobs = settings.suite.jobs;
    let options = suite::Options { jobs: (jobs / loaded.len().max(1)).max(1), ..settings.suite.clone() };
    let earlier = known.clone();
    let work = Arc::new(Work { loaded: loaded.clone(), options, known: Mutex::new(known), next: AtomicUsize::new(0) });
    let (sender, news) = channel();
    let mut threads = Vec::new();
    for _ in 0..jobs.clamp(1, loaded.len().max(1)) {
        let (work, sender) = (work.clone(), sender.clone());
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || work.run(&sender));
        threads.push(thread.map_err(|e| Failure::usage(format!("cannot start a thread: {e}")))?);
    }
    drop(sender);
    let mut results: Vec<Option<Generated>> = loaded.iter().map(|_| None).collect();
    let mut solved: Vec<Vec<(String, Solved)>> = loaded.iter().map(|_| Vec::new()).collect();
    let (mut messages, mut done) = (Vec::new(), 0);
    let (mut stopped, mut looked, mut out_of_memory): (Option<Instant>, _, _) = (None, Instant::now(), false);
    loop {
        match news.recv_timeout(LOOK) {
            Ok((index, News::Progress(judged, all))) => {
                let before = match loaded.len() {
                    1 => String::new(),
                    n => format!("{done}/{n} specifications, "),
                };
                output.progress(&format!("{before}{}: {judged}/{all} mutants", loaded[index].spec.name));
            }
            Ok((index, News::Solved(mutant, answer))) => solved[index].push((mutant, answer)),
            Ok((index, News::Done(result))) => {
                done += 1;
                match result {
                    Ok(result) => results[index] = result.map(|r| *r),
                    Err(e) => messages.push((index, e)),
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                // All have ended: one that panicked does so here as well.
                if let Some(why) = threads.into_iter().find_map(|t| t.join().err()) {
                    std::panic::resume_unwind(why);
                }
                break;
            }
        }
        if STOP.load(Ordering::Relaxed) && stopped.get_or_insert_with(Instant::now).elapsed() > GRACE {
            break;
        }
        let is_over = || halt::memory().is_some_and(|used| used / 3 * 2 > settings.suite.max_memory);
        if looked.elapsed() > LOOK {
            looked = Instant::now();
            out_of_memory = is_over();
        }
        if out_of_memory {
            break;
        }
    }
    output.progress("");
    for (index, (solved, result)) in solved.iter_mut().zip(&results).enumerate() {
        // In the order of the run, not of the threads.
        result.iter().for_each(|r| solved.clone_from(&r.solved));
        if result.as_ref().is_none_or(|r| r.interrupted) {
            keep(solved, earlier.get(&index));
        }
    }
    messages.sort_by_key(|(index, _)| *index);
    match messages.is_empty() {
        true => Ok(Finished { results, solved, out_of_memory }),
        false => Err(Failure::rendered(messages.into_iter().map(|(_, m)| m).collect())),
    }
}

/// Keep what an earlier run had found and this one did not come to.
fn keep(solved: &mut Vec<(String, Solved)>, earlier: Option<&HashMap<String, Solved>>) {
    let found: HashSet<&String> = solved.iter().map(|(id, _)| id).collect();
    let left = earlier.into_iter().flatten().filter(|(id, _)| !found.contains(id));
    let mut left: Vec<(String, Solved)> = left.map(|(id, answer)| (id.clone(), answer.clone())).collect();
    left.sort_by(|a, b| a.0.cmp(&b.0));
    solved.extend(left);
}

/// The work of all threads.
struct Work {
    loaded: Arc<[Loaded]>,
    options: suite::Options,
    known: Mutex<Known>,
    next: AtomicUsize,
}

impl Work {
    /// Take one specification after another.
    fn run(&self, news: &Sender<(usize, News)>) {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(one) = self.loaded.get(index) else { return };
            // Nobody listens any more where the run was left alone.
            let tell = |what: News| news.send((index, what)).unwrap_or_default();
            if index > 0 && STOP.load(Ordering::Relaxed) {
                tell(News::Done(Ok(None)));
                continue;
            }
            let known = self.known.lock().ok().and_then(|mut k| k.remove(&index)).unwrap_or_default();
            let progress = |judged: usize, all: usize| tell(News::Progress(judged, all));
            let solved = |mutant: &str, answer: &Solved| tell(News::Solved(mutant.to_owned(), answer.clone()));
            let interrupt = Interrupt { stop: Some(&STOP), known, progress: Some(&progress), solved: Some(&solved) };
            let result =
                suite::generate(&one.spec, &self.options, &interrupt).map_err(|e| one.message("error", &e.to_string()));
            tell(News::Done(result.map(|r| Some(Box::new(r)))));
        }
    }
}

/// Maps over the specifications on several threads; the results are in their order.
pub(super) fn parallel<T: Send>(loaded: &[Loaded], jobs: usize, work: impl Fn(usize, &Loaded) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<T>>> = loaded.iter().map(|_| Mutex::new(None)).collect();
    let worker = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(one) = loaded.get(index) else { return };
            let result = work(index, one);
            if let Ok(mut slot) = results[index].lock() {
                *slot = Some(result);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, loaded.len().max(1)) {
            if std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker).is_err() {
                worker();
            }
        }
    });
    results.into_iter().filter_map(|r| r.into_inner().ok().flatten()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use magneto::solve::{Answer, Stats};

    #[test]
    fn what_an_earlier_run_found_stays() {
        let found = |turn| Solved { answer: Answer::Equal, stats: Stats::default(), turn };
        let earlier =
            HashMap::from([("c".to_owned(), found(0)), ("a".to_owned(), found(0)), ("b".to_owned(), found(0))]);
        let mut solved = vec![("b".to_owned(), found(1))];
        keep(&mut solved, Some(&earlier));
        let kept: Vec<(&str, u32)> = solved.iter().map(|(id, s)| (id.as_str(), s.turn)).collect();
        // The answer of this run counts where there are two.
        assert_eq!(kept, [("b", 1), ("a", 0), ("c", 0)]);
        keep(&mut solved, None);
        assert_eq!(solved.len(), 3);
    }
}
