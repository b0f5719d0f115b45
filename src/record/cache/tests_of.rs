//! The tests of one specification, as a run of `gen` writes them, for who needs no other file of it.

use super::{Cache, CacheEntry, CacheKey};
use crate::record::store::Content;
use crate::record::tests::Tests;
use crate::record::{Part, Suite, Written, json};
use crate::suite::{Generated, Interrupt, NoRun, generate};
use crate::threads::Threads;

/// The tests of a specification: those that `cache` has, else new ones, which it keeps where the run came to its end. What is
/// wrong with the cache costs the time of a run, no more. An interrupted run has those that were found by then, and says so.
///
/// # Errors
/// Why there can be no test.
pub fn tests_of(q: &CacheKey<'_>, cache: Option<&Cache>, interrupt: &Interrupt<'_>) -> Result<Tests, NoRun> {
    if let Some(found) = cache.and_then(|cache| earlier(cache, q)) {
        return Ok(found);
    }
    let generated = generate(q.spec, &q.settings.suite, interrupt)?;
    let suite = Suite { spec: q.spec, source: q.source, settings: q.settings, generated: &generated };
    let tests = Tests::new(&suite);
    if let Some(cache) = cache.filter(|_| !generated.interrupted && !generated.out_of_memory) {
        // Without an entry the next run takes as long as this one.
        let _ = cache.put(q, &suite, &entry(&suite, &generated, q));
    }
    Ok(tests)
}

/// The tests of an earlier run.
fn earlier(cache: &Cache, q: &CacheKey<'_>) -> Option<Tests> {
    let _used = cache.used();
    let kept = cache.get(q)?;
    let (_, filed) = kept.written.files.iter().find(|(name, _)| name == TESTS)?;
    json::read(&Content::bytes(&filed.held).ok()?).ok()
}

/// The file of a run that has its tests.
const TESTS: &str = "tests.json";

fn entry(suite: &Suite<'_>, generated: &Generated, q: &CacheKey<'_>) -> CacheEntry {
    let threads = Threads::new(q.settings.suite.jobs);
    let findings = crate::lint::serious(q.spec, q.settings.suite.precision_cap, &threads);
    let rendered = |d: &crate::text::Diagnostic| d.render(&q.spec.source_file, q.source);
    CacheEntry {
        written: Written::new(&Part::new(suite), &threads),
        phases: generated.phases,
        sample: generated.sample,
        needless: Vec::new(),
        astray: 0,
        warnings: findings.iter().map(|d| rendered(d).replacen("error:", "warning:", 1)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Settings;
    use crate::spec::{Overrides, parse_file, resolve};
    use crate::suite::Test;

    #[test]
    fn tests_are_kept_and_ask_what_the_run_asked() {
        let text = "(FPCore (x) :pre (<= 0 x 4) :magneto-rel-error 1e-6 :magneto-out-of-range nan (sqrt x))";
        let spec = resolve(&parse_file(text.as_bytes()), 0, "f.fpcore", &Overrides::default()).unwrap();
        let settings = Settings::default();
        let q = CacheKey { spec: &spec, source: text.as_bytes(), settings: &settings, decisions: "" };
        let folder = crate::tool::Scratch::make().unwrap();
        let cache = Cache::open(&folder.path().join("cache")).unwrap();
        let made = tests_of(&q, Some(&cache), &Interrupt::default()).unwrap();
        assert_eq!(earlier(&cache, &q).as_ref(), Some(&made), "it is kept");
        assert_eq!(tests_of(&q, Some(&cache), &Interrupt::default()).unwrap(), made);
        assert_eq!(tests_of(&q, None, &Interrupt::default()).unwrap(), made);
        let run = generate(&spec, &settings.suite, &Interrupt::default()).unwrap();
        let asked = |t: &Test| crate::harness::Case::from(t);
        let read: Vec<_> = made.tests.iter().map(|row| row.case().unwrap()).collect();
        assert_eq!(read, run.tests.iter().map(asked).collect::<Vec<_>>());
        assert!(read.len() > 5);
        // What is damaged is found anew.
        let entries = std::fs::read_dir(cache.dir()).unwrap().flatten().map(|e| e.path().join(TESTS));
        entries.filter(|file| file.is_file()).for_each(|file| std::fs::write(file, "{}").unwrap());
        assert_eq!(tests_of(&q, Some(&cache), &Interrupt::default()).unwrap(), made);
    }
}
