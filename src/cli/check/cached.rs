//! What `check` found of implementations before, by all that a verdict depends on. Where that is not known for sure, an
//! implementation is run anew each time, and the summary says why.

use super::pairs::Pair;
use super::ready::Ready;
use crate::cli::exit::Failure;
use crate::cli::gen_command::kept;
use crate::cli::output::Output;
use magneto::harness::{Answer, Checked, Foundation, RunRecord};
use magneto::options::Settings;
use magneto::record::cache::{Cache, CacheKey, CheckKey, KeptCheck};
use magneto::record::manifest::hash;
use magneto::record::store::Lock;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

/// The cache of a run, and what is to be told of it at the end.
pub(super) struct KeptChecks {
    cache: Option<Cache>,
    tally: Mutex<Tally>,
    /// Held while entries are read.
    _used: Option<Lock>,
}

/// What became of the implementations.
#[derive(Default)]
struct Tally {
    /// How many verdicts are of an earlier run.
    earlier: usize,
    /// The implementations that are run anew each time, by the reason.
    unknown: BTreeMap<String, Vec<String>>,
    /// Why something could not be kept.
    wrong: Option<String>,
}

impl KeptChecks {
    /// Before anything is run.
    pub(super) fn open(settings: &Settings, output: &Output) -> Result<Self, Failure> {
        let cache = if settings.no_cache { None } else { kept(settings, "verdicts are kept", output)? };
        let used = cache.as_ref().and_then(Cache::used);
        Ok(KeptChecks { cache, tally: Mutex::default(), _used: used })
    }

    fn note(&self, what: impl FnOnce(&mut Tally)) {
        if let Ok(mut tally) = self.tally.lock() {
            what(&mut tally);
        }
    }

    /// What the verdicts on an implementation depend on, as a key; none where that is not known or nothing is kept.
    pub(super) fn key(&self, pair: &Pair<'_>, ready: &Ready) -> Option<String> {
        let cache = self.cache.as_ref()?;
        match question(cache, pair, ready) {
            Ok(key) => Some(key),
            Err(why) => {
                let name = format!("{}, {}", pair.loaded.spec.name, pair.label);
                self.note(|tally| tally.unknown.entry(why).or_default().push(name));
                None
            }
        }
    }

    /// What an earlier run found.
    pub(super) fn get(&self, key: Option<&String>) -> Option<KeptCheck> {
        let found = self.cache.as_ref()?.check(key?)?;
        self.note(|tally| tally.earlier += 1);
        Some(found)
    }

    /// Keeps what was found, if it would be found again: the run came to its end, no answer depends on how busy the machine is,
    /// and nothing was changed meanwhile.
    pub(super) fn keep(&self, (key, checked): (&str, &Checked), pair: &Pair<'_>, ready: &Ready, found: &KeptCheck) {
        let Some(cache) = &self.cache else { return };
        let is_answer = |answer: &Answer| matches!(answer, Answer::Value(_) | Answer::Reject(_));
        let is_whole = !checked.run.interrupted && !checked.is_broken();
        if !is_whole || !checked.run.answers.iter().all(|given| is_answer(&given.answer)) {
            return;
        }
        if question(cache, pair, ready).ok().as_deref() == Some(key)
            && let Err(e) = cache.put_check(key, found)
        {
            self.note(|tally| tally.wrong = Some(e.to_string()));
        }
    }

    /// At the end: tells what was not run, and what never is taken from an earlier run. `all` is the number of
    /// implementations.
    pub(super) fn close(self, all: usize, output: &Output) {
        let Some(cache) = &self.cache else { return };
        let dir = cache.dir().display();
        let Ok(tally) = self.tally.into_inner() else { return };
        if tally.earlier > 0 {
            let which = format!("{} of {all} unchanged", tally.earlier);
            output
                .note(format!("{which} since an earlier run, whose verdicts are in {dir} (--no-cache runs all anew)"));
        }
        for (why, names) in &tally.unknown {
            output.note(format!("run anew each time: {} ({why})", names.join("; ")));
        }
        if let Some(why) = tally.wrong {
            output.note(format!("verdicts could not be kept for later runs in {dir}: {why}"));
        }
        drop(self._used);
        cache.clean();
    }
}

/// The key of all that verdicts depend on, or what is not known.
fn question(cache: &Cache, pair: &Pair<'_>, ready: &Ready) -> Result<String, String> {
    let unread = |path: &Path| format!("{} cannot be read", path.display());
    let contents = |path: &Path| std::fs::read(path).map(|bytes| hash(&bytes)).map_err(|_| unread(path));
    let foundation = match &ready.implementation {
        Ok((target, prepared)) => match Foundation::of(target, prepared) {
            Foundation::Known(text) => text,
            Foundation::Unknown(why) => return Err(why),
        },
        Err(results) => contents(Path::new(results))?,
    };
    let tests = match &ready.tests {
        Some(path) => Some((path.display().to_string(), contents(path)?)),
        None => None,
    };
    let mut record = match &ready.implementation {
        Ok((_, prepared)) => prepared.record.clone(),
        Err(results) => RunRecord(vec![("results".to_owned(), results.clone())]),
    };
    record.0.push(("name".to_owned(), pair.label.clone()));
    ready.environment.add_to(&mut record, ready.implementation.is_ok());
    let (loaded, decisions) = (pair.loaded, "");
    let about = CacheKey { spec: &loaded.spec, source: &loaded.source, settings: &loaded.settings, decisions };
    Ok(cache.check_key(&CheckKey { about, tests, record: &record, foundation: &foundation }))
}
