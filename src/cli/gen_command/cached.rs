//! `magneto gen --cache`: what earlier runs found for the same specifications, options and program.

use super::shards::Plan;
use crate::cli::exit::Failure;
use crate::cli::output::Output;
use magneto::options::{CACHE, OptionOrigin, Settings};
use magneto::record::cache::{Cache, CacheAnswer, CacheEntry, CacheKey};
use magneto::record::number::from_hex;
use magneto::record::tests::TestRow;
use magneto::record::{Part, Suite, Written, store};
use magneto::suite::Generated;
use magneto::threads;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// What a run has of one specification.
pub(in crate::cli) struct Made {
    pub(in crate::cli) kept: CacheEntry,
    /// Whether it is of an earlier run.
    pub(in crate::cli) earlier: bool,
    /// Whether it was stopped early, by a person or for its memory.
    pub(in crate::cli) interrupted: bool,
    /// Whether it was for its memory.
    pub(in crate::cli) out_of_memory: bool,
}

/// A run over one specification that is done.
pub(super) enum Ran {
    /// It is in the cache.
    Kept,
    /// It is in no file. What is written of it takes more memory, and is not made before all are done.
    Held(Box<Held>),
}

/// A run that is in no file.
pub(super) struct Held {
    pub(super) run: Generated,
    needless: Vec<(String, String)>,
}

impl Held {
    /// With the options for the specification.
    fn suite<'a>(&'a self, plan: &'a Plan, k: usize, own: &'a Settings) -> Suite<'a> {
        let l = &plan.loaded[k];
        Suite { spec: &l.spec, source: &l.source, settings: own, generated: &self.run }
    }

    fn kept(&self, plan: &Plan, k: usize, own: &Settings, warnings: Vec<String>) -> CacheEntry {
        let part = Part::new(&self.suite(plan, k, own));
        CacheEntry {
            astray: astray(own, &part),
            warnings,
            written: Written::new(&part, &plan.threads),
            phases: self.run.phases,
            sample: self.run.sample,
            needless: self.needless.clone(),
        }
    }

    /// What is written of it.
    pub(super) fn to_result(&self, plan: &Plan, k: usize, settings: &Settings) -> Made {
        let (interrupted, out_of_memory) = (self.run.interrupted, self.run.out_of_memory);
        let own = plan.loaded[k].settings_of(settings);
        Made { kept: self.kept(plan, k, &own, Vec::new()), earlier: false, interrupted, out_of_memory }
    }
}

/// How many inputs that a person brought are no tests.
fn astray(settings: &Settings, part: &Part) -> usize {
    // One zero may stand for both.
    let bits = |x: f64| (x + 0.0).to_bits();
    let input = |t: &TestRow| t.inputs.0.iter().map(|(_, x)| from_hex(x).map(bits)).collect();
    let tests: HashSet<Option<Vec<u64>>> = part.tests.tests.iter().map(input).collect();
    let is_no_test = |input: &[f64]| !tests.contains(&Some(input.iter().copied().map(bits).collect()));
    settings.suite.given.iter().filter(|(input, _)| is_no_test(input)).count()
}

/// Asks something about the specification at a place.
fn ask<T>(plan: &Plan, k: usize, settings: &Settings, what: impl FnOnce(&CacheKey<'_>) -> T) -> T {
    let (l, decisions) = (&plan.loaded[k], plan.accepted[k].fingerprint());
    what(&CacheKey { spec: &l.spec, source: &l.source, settings: &l.settings_of(settings), decisions: &decisions })
}

/// The cache of a run, if it has one; of a run without one over several specifications, one that goes with the run.
pub(super) struct Cached {
    cache: Option<Cache>,
    /// The warnings about each specification.
    warnings: Vec<Vec<String>>,
    /// Why something could not be kept.
    wrong: Mutex<Option<String>>,
    /// Held from when results are taken until they are written.
    used: Mutex<Option<store::Lock>>,
}

impl Cached {
    /// None at all.
    pub(super) fn none() -> Self {
        Cached { cache: None, warnings: Vec::new(), wrong: Mutex::new(None), used: Mutex::new(None) }
    }

    /// Before anything is computed.
    pub(super) fn open(plan: &Plan, settings: &Settings, output: &Output) -> Result<Self, Failure> {
        let none = Cached::none();
        if settings.no_cache {
            // All that is found would take as much memory as it takes on the disk.
            let folder = beside(&settings.output).filter(|_| plan.loaded.len() > 1);
            let folder = folder.and_then(|f| f.ancestors().skip(1).map(or_here).find(|f| f.is_dir()));
            return Ok(Cached { cache: folder.and_then(|f| Cache::passing(&f).ok()), ..none });
        }
        Ok(Cached { cache: kept(settings, "results are kept", output)?, ..none })
    }

    /// What there is of each specification, after the warnings of `lint`, for which one that is unchanged is not looked at
    /// again.
    pub(super) fn look_up(&mut self, plan: &Plan, settings: &Settings, output: &Output) -> Vec<CacheAnswer> {
        let all: Vec<usize> = (0..plan.loaded.len()).collect();
        let one = |k: &usize| {
            let k = *k;
            let found =
                self.cache.as_ref().map_or(CacheAnswer::Nothing, |cache| ask(plan, k, settings, |q| cache.look(q)));
            let warnings = match &found {
                CacheAnswer::Kept { warnings: Some(same) } => same.clone(),
                _ => plan.loaded[k].warnings(&plan.threads),
            };
            (found, warnings)
        };
        let found;
        let all = threads::deep(|| plan.threads.side_by_side(1, &all, one));
        (found, self.warnings) = all.into_iter().unzip();
        self.warnings.concat().iter().for_each(|w| output.message(w));
        found
    }

    /// Tells what was found. Of which specifications there is a result of an earlier run.
    pub(super) fn tell(&self, found: Vec<CacheAnswer>, output: &Output) -> Vec<bool> {
        let is_there = |found| match found {
            CacheAnswer::Kept { .. } => true,
            CacheAnswer::Nothing => false,
            CacheAnswer::Damaged(path) => {
                output.note(format!("{} is damaged: what it was about is computed anew", path.display()));
                false
            }
        };
        let there: Vec<bool> = found.into_iter().map(is_there).collect();
        let (some, all) = (there.iter().filter(|t| **t).count(), there.len());
        if let Some(cache) = self.cache.as_ref().filter(|_| some > 0) {
            let which = if all == 1 { "unchanged".to_owned() } else { format!("{some} of {all} unchanged") };
            let dir = cache.dir().display();
            output.note(format!("{which} since an earlier run, whose results are in {dir} (--no-cache computes anew)"));
        }
        there
    }

    /// The results for the specifications at some places; none for those that are gone meanwhile. They stay until the end.
    pub(super) fn take(&self, plan: &Plan, places: &[usize], settings: &Settings) -> Vec<Option<CacheEntry>> {
        let Some(cache) = &self.cache else { return places.iter().map(|_| None).collect() };
        if let Ok(mut used) = self.used.lock() {
            *used = cache.used();
        }
        threads::deep(|| plan.threads.side_by_side(1, places, |k| ask(plan, *k, settings, |q| cache.get(q))))
    }

    /// Gives mutants of a run that is done the status that a person decided on, and keeps it. One that was resumed is not
    /// kept: it rests on answers that were not found by this very program.
    pub(super) fn keep(&self, plan: &Plan, k: usize, settings: &Settings, resumed: bool, mut run: Generated) -> Ran {
        let needless = plan.accepted[k].give(&mut run);
        let held = Held { run, needless };
        let is_whole = !held.run.interrupted && !held.run.out_of_memory;
        if let Some(cache) = self.cache.as_ref().filter(|c| is_whole && (!resumed || c.is_passing())) {
            let own = plan.loaded[k].settings_of(settings);
            let kept = held.kept(plan, k, &own, self.warnings[k].clone());
            let put = ask(plan, k, settings, |q| cache.put(q, &held.suite(plan, k, &own), &kept));
            match (put, self.wrong.lock()) {
                (Ok(()), _) => return Ran::Kept,
                (Err(e), Ok(mut wrong)) => drop(wrong.get_or_insert(e.to_string())),
                _ => {}
            }
        }
        Ran::Held(Box::new(held))
    }

    /// At the end: leaves the cache tidy, and tells what went wrong with it.
    pub(super) fn close(&self, output: &Output) {
        let Some(cache) = &self.cache else { return };
        drop(self.used.lock().map(|mut used| used.take()));
        cache.clean();
        if let Some(why) = self.wrong.lock().ok().and_then(|mut w| w.take()).filter(|_| !cache.is_passing()) {
            output.note(format!("results could not be kept for later runs in {}: {why}", cache.dir().display()));
        }
    }
}

/// The cache that the options name, if there is to be one; `what` is kept there, in words.
pub(in crate::cli) fn kept(settings: &Settings, what: &str, output: &Output) -> Result<Option<Cache>, Failure> {
    let is_asked_for = settings.origin(CACHE) != OptionOrigin::Default;
    let Some(dir) = settings.cache.clone().or_else(|| beside(&settings.output)) else { return Ok(None) };
    if inside(&dir, &settings.output) {
        let message = format!("the cache {} is in the output folder, which is replaced", dir.display());
        return Err(Failure::usage_hint(message, "choose another folder with --cache"));
    }
    let opened = match dir.exists() && !is_asked_for && !store::is_own(&dir) {
        // In a folder for all, such as /tmp, anybody may have put it there.
        true => Err(format!("{} belongs to somebody else", dir.display()).into()),
        false => Cache::open(&dir),
    };
    match opened {
        Ok(cache) => Ok(Some(cache)),
        Err(e) if is_asked_for => Err(Failure::usage_hint(e, "name another folder, or a new one, with --cache")),
        Err(e) => {
            output.note(format!("no {what} for later runs: {e}"));
            Ok(None)
        }
    }
}

/// The folder of the cache beside an output folder.
fn beside(output: &Path) -> Option<PathBuf> {
    let above = match output.file_name() {
        Some(_) => output.parent()?.to_owned(),
        // `.` and `..`
        None => output.canonicalize().ok()?.parent()?.to_owned(),
    };
    Some(above.join(store::CACHE))
}

/// A folder's path; of none the current one.
fn or_here(path: &Path) -> PathBuf {
    if path.as_os_str().is_empty() { PathBuf::from(".") } else { path.to_owned() }
}

/// Whether a folder is another one, or in it.
fn inside(dir: &Path, other: &Path) -> bool {
    let absolute = |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_default();
    absolute(dir).starts_with(absolute(other))
}
