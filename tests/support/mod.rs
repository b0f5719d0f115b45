//! An independent judge of verdicts: slow and readable, over the syntax tree, with its own interval arithmetic on MPFR
//! numbers, its own tolerances and its own test of disjointness. It shares no code with the evaluators, the operators,
//! the oracle or the solver; what it has in common with them are MPFR and the reader of specifications. Beside it: what tests of code share.

#![allow(dead_code, reason = "no executable uses all of it")]

pub(crate) mod attack;
pub(crate) mod compilers;
pub(crate) mod confirm;
pub(crate) mod constraint;
pub(crate) mod cover;
pub(crate) mod judge;
pub(crate) mod points;
pub(crate) mod rng;

use magneto::spec::{Overrides, Spec, parse_file, resolve};
use std::path::{Path, PathBuf};

/// A file or folder of this repository.
pub(crate) fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A file or folder of the shared data, where it is there.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("MAGNETO_SHARED_DATA").map_or_else(|| here("../shared/data"), PathBuf::from);
    let path = folder.join(path);
    path.exists().then_some(path)
}

/// Whether the long form of a test is asked for.
pub(crate) fn long() -> bool {
    std::env::var_os("MAGNETO_LONG").is_some()
}

/// Every specification of a file.
pub(crate) fn specs_of(path: &Path) -> Vec<Spec> {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let file = parse_file(&bytes);
    let name = path.display().to_string();
    (0..file.cores.len())
        .map(|k| {
            resolve(&file, k, &name, &Overrides::default()).unwrap_or_else(|e| panic!("{name}, core {}: {e:?}", k + 1))
        })
        .collect()
}

/// The one specification of a text.
pub(crate) fn spec(text: &str) -> Spec {
    let file = parse_file(text.as_bytes());
    assert!(file.all_diagnostics().is_empty(), "{text}\n{:?}", file.all_diagnostics());
    resolve(&file, 0, "text.fpcore", &Overrides::default()).unwrap_or_else(|e| panic!("{text}\n{e:?}"))
}

/// The `.fpcore` files of a folder, in the order of their names.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "fpcore"));
    files.sort();
    files
}

/// The 69 specifications of the paper, in its order.
pub(crate) fn paper69() -> Vec<Spec> {
    let folder = here("fpbench/paper");
    let order = std::fs::read_to_string(folder.join("ORDER")).unwrap();
    order.lines().filter(|l| !l.trim().is_empty()).flat_map(|l| specs_of(&folder.join(l.trim()))).collect()
}

/// Do `work` for every item on two threads; the results are in the order of the items.
pub(crate) fn on_two_threads<T: Sync, R: Send>(items: &[T], work: impl Fn(usize, &T) -> R + Sync) -> Vec<R> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let results: Vec<std::sync::Mutex<Option<R>>> = items.iter().map(|_| std::sync::Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    loop {
                        let k = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                        let Some(item) = items.get(k) else { return };
                        let result = work(k, item);
                        *results[k].lock().unwrap() = Some(result);
                    }
                })
            })
            .collect();
        for t in threads {
            if let Err(panic) = t.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
    results.into_iter().map(|r| r.into_inner().unwrap().unwrap()).collect()
}
