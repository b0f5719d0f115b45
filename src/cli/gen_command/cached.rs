//! `magneto gen --cache`: what earlier runs found for the same specifications, options and program.

use super::shards::Plan;
use crate::cli::exit::Failure;
use crate::cli::output::Output;
use crate::cli::workers::parallel;
use magneto::options::{Origin, Settings};
use magneto::record::cache::{Cache, Found, Kept, Question};
use magneto::record::{Part, Suite, store};
use magneto::suite::Generated;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// What a run has of one specification.
pub(in crate::cli) struct Made {
    pub(in crate::cli) kept: Kept,
    /// Whether it is of an earlier run.
    pub(in crate::cli) earlier: bool,
    /// Whether it was stopped early, by a person or for its memory.
    pub(in crate::cli) interrupted: bool,
    /// Whether it was for its memory.
    pub(in crate::cli) out_of_memory: bool,
}

/// The cache of a run, if it has one.
pub(super) struct Cached {
    cache: Option<Cache>,
    /// Why something could not be kept.
    wrong: Mutex<Option<String>>,
}

impl Cached {
    /// Before anything is computed.
    pub(super) fn open(settings: &Settings, output: &Output) -> Result<Self, Failure> {
        let none = Cached { cache: None, wrong: Mutex::new(None) };
        if settings.no_cache {
            return Ok(none);
        }
        let is_asked_for = settings.origin("cache") != Origin::Default;
        let Some(dir) = settings.cache.clone().or_else(|| beside(&settings.output)) else { return Ok(none) };
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
            Ok(cache) => Ok(Cached { cache: Some(cache), ..none }),
            Err(e) if is_asked_for => Err(Failure::usage_hint(e, "name another folder, or a new one, with --cache")),
            Err(e) => {
                output.note(format!("no results are kept for later runs: {e}"));
                Ok(none)
            }
        }
    }

    /// What there is of each specification.
    pub(super) fn look_up(&self, plan: &Plan, settings: &Settings, output: &Output) -> Vec<Option<Made>> {
        let Some(cache) = &self.cache else { return plan.loaded.iter().map(|_| None).collect() };
        let found = parallel(plan.loaded.len(), settings.suite.jobs, |k| {
            let l = &plan.loaded[k];
            let decisions = plan.accepted[k].fingerprint();
            cache.get(&Question { spec: &l.spec, source: &l.source, settings, decisions: &decisions })
        });
        let one = |found| match found {
            Found::Kept(kept) => Some(Made { kept: *kept, earlier: true, interrupted: false, out_of_memory: false }),
            Found::Nothing => None,
            Found::Damaged(path) => {
                output.note(format!("{} is damaged: what it was about is computed anew", path.display()));
                None
            }
        };
        let made: Vec<Option<Made>> = found.into_iter().map(one).collect();
        let (some, all) = (made.iter().flatten().count(), made.len());
        if some > 0 {
            let which = if all == 1 { "unchanged".to_owned() } else { format!("{some} of {all} unchanged") };
            let dir = cache.dir().display();
            output.note(format!("{which} since an earlier run, whose results are in {dir} (--no-cache computes anew)"));
        }
        made
    }

    /// Makes what is written of a run, and keeps it. One that was resumed is not kept: it rests on answers that were not
    /// found by this very program.
    pub(super) fn finish(&self, plan: &Plan, k: usize, settings: &Settings, resumed: bool, mut run: Generated) -> Made {
        let (l, accepted) = (&plan.loaded[k], &plan.accepted[k]);
        let needless = accepted.give(&mut run);
        let suite = Suite { spec: &l.spec, source: &l.source, settings, generated: &run };
        let kept = Kept { part: Part::new(&suite), phases: run.phases, sample: run.sample, needless };
        if let Some(cache) = self.cache.as_ref().filter(|_| !resumed) {
            let decisions = accepted.fingerprint();
            let question = Question { spec: &l.spec, source: &l.source, settings, decisions: &decisions };
            if let (Err(e), Ok(mut wrong)) = (cache.put(&question, &suite, &kept), self.wrong.lock()) {
                wrong.get_or_insert(e.to_string());
            }
        }
        Made { kept, earlier: false, interrupted: run.interrupted, out_of_memory: run.out_of_memory }
    }

    /// At the end: leaves the cache tidy, and tells what went wrong with it.
    pub(super) fn close(&self, output: &Output) {
        let Some(cache) = &self.cache else { return };
        cache.clean();
        if let Some(why) = self.wrong.lock().ok().and_then(|mut w| w.take()) {
            output.note(format!("results could not be kept for later runs in {}: {why}", cache.dir().display()));
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

/// Whether a folder is another one, or in it.
fn inside(dir: &Path, other: &Path) -> bool {
    let absolute = |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_default();
    absolute(dir).starts_with(absolute(other))
}
