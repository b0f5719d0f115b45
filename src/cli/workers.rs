//! Specifications worked on side by side. An interruption does not wait for work that does not see it in time.

use super::exit::Failure;
use super::interrupt::STOP;
use super::output::Output;
use super::progress::Progress;
use super::specs::Loaded;
use magneto::halt;
use magneto::options::Settings;
use magneto::suite::{self, Generated, Interrupt, Solved};
use magneto::threads::{Seat, Threads};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Specifications may be nested deeply, and what walks over them is recursive.
const STACK: usize = 64 << 20;
/// How long after an interruption work may still end by itself and leave all that it has found. Then it is left alone,
/// and of what it does only the searches that are done are kept: a person waits for a second, no longer.
const GRACE: Duration = Duration::from_millis(600);
/// For how long half as much memory again as may be may be in use: runs have been asked to end by then, and leave all that
/// they have found. With [`FAR`] times as much they have no more time than after an interruption.
const OVER: Duration = Duration::from_secs(5);
const FAR: u64 = 3;
/// How often it is looked whether there was an interruption.
const LOOK: Duration = Duration::from_millis(20);

/// Answers of an earlier run, by place of the specification and mutant.
pub(super) type Known = HashMap<usize, HashMap<String, Solved>>;

/// Answers of searches, by mutant.
pub(super) type Searches = Vec<(String, Solved)>;

/// What is made of a specification's run, by its place, as soon as it is done and in the same thread.
pub(super) type Finish<T> = dyn Fn(usize, Generated) -> T + Send + Sync;

/// What there is for each specification at the end.
pub(super) struct Finished<T> {
    /// What was made of its run; none if it was not asked for, not begun before an interruption, or did not end soon after it.
    pub(super) results: Vec<Option<T>>,
    /// The searches that are done, of those without a run too.
    pub(super) solved: Vec<Searches>,
    /// Whether half as much memory again as may be was in use, and what was not done by then is left out.
    pub(super) out_of_memory: bool,
}

/// How long runs have used more memory than they may.
#[derive(Default)]
struct Excess {
    over: Option<Instant>,
    far: Option<Instant>,
}

impl Excess {
    /// Whether runs that use so much memory now, of so much that they may, are left alone.
    fn is_enough(&mut self, used: u64, most: u64, now: Instant) -> bool {
        let since = |before: Option<Instant>, is_so: bool| is_so.then(|| before.unwrap_or(now));
        self.over = since(self.over, used / 3 * 2 > most);
        self.far = since(self.far, used / FAR > most);
        let lasts = |since: Option<Instant>, time: Duration| since.is_some_and(|s| now.duration_since(s) > time);
        lasts(self.over, OVER) || lasts(self.far, GRACE)
    }
}

/// What a worker tells of the specification at a place.
enum News<T> {
    /// So many mutants are judged, of so many.
    Progress(usize, usize),
    /// A search is done.
    Solved(String, Solved),
    /// It is done, unless it was not even begun.
    Done(Result<Option<Box<Done<T>>>, String>),
}

/// The end of a run.
struct Done<T> {
    solved: Searches,
    interrupted: bool,
    result: T,
}

/// Runs the specifications at some places, several at a time.
pub(super) fn generate<T: Send + 'static>(
    loaded: &Arc<[Loaded]>,
    todo: Vec<usize>,
    (settings, threads): (&Settings, &Threads),
    known: Known,
    finish: Box<Finish<T>>,
    output: &Output,
) -> Result<Finished<T>, Failure> {
    let one = |l: &Loaded| l.settings_of(settings).suite;
    let options = loaded.iter().map(one).collect();
    let earlier = known.clone();
    let (known, next) = (Mutex::new(known), AtomicUsize::new(0));
    let mut done = loaded.len() - todo.len();
    let (started, mut progress) = (Instant::now(), Progress::new(costs(loaded, &todo)));
    let (loaded_too, running) = (loaded.clone(), AtomicUsize::new(0));
    let threads_too = threads.clone();
    let work = Arc::new(Work { loaded: loaded_too, todo, options, threads: threads_too, known, next, running, finish });
    // What this thread does while it waits takes next to no time.
    let _waiting = threads.wait();
    let (workers, news) = start(&work)?;
    let mut results: Vec<Option<T>> = loaded.iter().map(|_| None).collect();
    let mut solved: Vec<Searches> = loaded.iter().map(|_| Vec::new()).collect();
    let (mut messages, mut ended) = (Vec::new(), HashMap::new());
    let (mut stopped, mut excess): (Option<Instant>, Excess) = (None, Excess::default());
    let (mut looked, mut out_of_memory) = (Instant::now(), false);
    loop {
        match news.recv_timeout(LOOK) {
            Ok((index, News::Progress(judged, all))) => {
                progress.is_at(index, judged as f64 / all.max(1) as f64);
                let now = format!("{}: {judged}/{all} mutants", loaded[index].spec.name);
                output.progress(&progress.line((done, loaded.len()), &now, started.elapsed()));
            }
            Ok((index, News::Solved(mutant, answer))) => solved[index].push((mutant, answer)),
            Ok((index, News::Done(result))) => {
                done += 1;
                progress.is_at(index, 1.0);
                match result {
                    Ok(Some(done)) => {
                        results[index] = Some(done.result);
                        ended.insert(index, (done.solved, done.interrupted));
                    }
                    Ok(None) => {}
                    Err(e) => messages.push((index, e)),
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                // All have ended: one that panicked does so here as well.
                if let Some(why) = workers.into_iter().find_map(|t| t.join().err()) {
                    std::panic::resume_unwind(why);
                }
                break;
            }
        }
        if STOP.load(Ordering::Relaxed) && stopped.get_or_insert_with(Instant::now).elapsed() > GRACE {
            break;
        }
        if looked.elapsed() > LOOK {
            looked = Instant::now();
            // What is made of runs that have ended is of their size, and there is nothing that could be left out.
            let used = halt::memory().filter(|_| work.running.load(Ordering::Relaxed) > 0).unwrap_or(0);
            out_of_memory = excess.is_enough(used, settings.suite.max_memory, looked);
        }
        if out_of_memory {
            break;
        }
    }
    output.progress("");
    put_in_order(&mut solved, ended, &earlier);
    messages.sort_by_key(|(index, _)| *index);
    match messages.is_empty() {
        true => Ok(Finished { results, solved, out_of_memory }),
        false => Err(Failure::rendered(messages.into_iter().map(|(_, m)| m).collect())),
    }
}

/// The searches that are done in the order of each run that has ended, not of its threads, and those that an earlier run had
/// done and this one did not come to.
fn put_in_order(solved: &mut [Searches], mut ended: HashMap<usize, (Searches, bool)>, earlier: &Known) {
    for (index, solved) in solved.iter_mut().enumerate() {
        let end = ended.remove(&index);
        let is_whole = end.as_ref().is_some_and(|(_, interrupted)| !interrupted);
        if let Some((all, _)) = end {
            *solved = all;
        }
        if !is_whole {
            keep(solved, earlier.get(&index));
        }
    }
}

/// What the specifications at some places cost about, the others being done: mutants are about as many as operations, and
/// what each costs grows with them too. Any unit.
fn costs(loaded: &[Loaded], todo: &[usize]) -> Vec<f64> {
    let mut costs = vec![0.0; loaded.len()];
    for &place in todo {
        costs[place] = (loaded[place].spec.core.body.size() as f64).powi(2);
    }
    costs
}

/// The threads, one a specification at most, and what they tell.
fn start<T: Send + 'static>(work: &Arc<Work<T>>) -> Result<Started<T>, Failure> {
    let (sender, news) = channel();
    let one = |seat: Option<Seat>| {
        let (work, sender) = (work.clone(), sender.clone());
        let run = move || {
            work.run(&sender);
            // Those that still work may have it.
            drop(seat);
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(run);
        thread.map_err(|e| Failure::usage(format!("cannot start a thread: {e}")))
    };
    // One there is in any case.
    let others = (1..work.todo.len()).map_while(|_| work.threads.seat().map(Some));
    let seats = std::iter::once(work.threads.seat()).chain(others);
    Ok((seats.map(one).collect::<Result<_, _>>()?, news))
}

/// Threads, and the end at which what they tell comes out.
type Started<T> = (Vec<JoinHandle<()>>, Receiver<(usize, News<T>)>);

/// Keep what an earlier run had found and this one did not come to.
fn keep(solved: &mut Searches, earlier: Option<&HashMap<String, Solved>>) {
    let found: HashSet<&String> = solved.iter().map(|(id, _)| id).collect();
    let left = earlier.into_iter().flatten().filter(|(id, _)| !found.contains(id));
    let mut left: Searches = left.map(|(id, answer)| (id.clone(), answer.clone())).collect();
    left.sort_by(|a, b| a.0.cmp(&b.0));
    solved.extend(left);
}

/// The work of all threads.
struct Work<T> {
    loaded: Arc<[Loaded]>,
    todo: Vec<usize>,
    /// Of each specification.
    options: Vec<suite::Options>,
    threads: Threads,
    known: Mutex<Known>,
    next: AtomicUsize,
    /// How many runs have not ended.
    running: AtomicUsize,
    finish: Box<Finish<T>>,
}

impl<T: Send> Work<T> {
    /// Take one specification after another.
    fn run(&self, news: &Sender<(usize, News<T>)>) {
        loop {
            let turn = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&index) = self.todo.get(turn) else { return };
            let one = &self.loaded[index];
            // Nobody listens any more where the run was left alone.
            let tell = |what: News<T>| news.send((index, what)).unwrap_or_default();
            if turn > 0 && STOP.load(Ordering::Relaxed) {
                tell(News::Done(Ok(None)));
                continue;
            }
            let known = self.known.lock().ok().and_then(|mut k| k.remove(&index)).unwrap_or_default();
            let progress = |judged: usize, all: usize| tell(News::Progress(judged, all));
            let solved = |mutant: &str, answer: &Solved| tell(News::Solved(mutant.to_owned(), answer.clone()));
            let interrupt = Interrupt {
                stop: Some(&STOP),
                threads: Some(self.threads.clone()),
                known,
                progress: Some(&progress),
                solved: Some(&solved),
            };
            self.running.fetch_add(1, Ordering::Relaxed);
            let result = suite::generate(&one.spec, &self.options[index], &interrupt);
            self.running.fetch_sub(1, Ordering::Relaxed);
            let result = result.map_err(|e| one.message("error", &e.to_string()));
            let done = |mut run: Generated| {
                let (solved, interrupted) = (std::mem::take(&mut run.solved), run.interrupted);
                Box::new(Done { solved, interrupted, result: (self.finish)(index, run) })
            };
            tell(News::Done(result.map(|run| Some(done(run)))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use magneto::solve::{SearchEnd, Stats};

    #[test]
    fn a_run_with_far_too_much_memory_has_time_to_leave_what_it_found() {
        let start = Instant::now();
        let at = |millis: u64| start + Duration::from_millis(millis);
        let mut excess = Excess::default();
        assert!(!excess.is_enough(4000, 1000, at(0)), "it was not asked to end before");
        assert!(!excess.is_enough(4000, 1000, at(500)));
        assert!(excess.is_enough(4000, 1000, at(700)));
        // Less in between begins anew, and with a little too much there is more time.
        let mut excess = Excess::default();
        for (millis, used, is_enough) in [
            (0, 4000, false),
            (500, 900, false),
            (700, 4000, false),
            (1400, 1600, false),
            (5600, 1600, false),
            (5800, 1600, true),
        ] {
            assert_eq!(excess.is_enough(used, 1000, at(millis)), is_enough, "{millis}");
        }
    }

    #[test]
    fn what_an_earlier_run_found_stays() {
        let found = |turn| Solved { answer: SearchEnd::Equal, stats: Stats::default(), turn };
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
