//! A run's folder is one thing: a fault at any operation that changes the disk leaves the older run or the new one, whole,
//! or what every reader refuses; and the next run leaves nothing but its own files.

use magneto::halt;
use magneto::options::Settings;
use magneto::record::store::{self, Content as _, Disk, Existing, Files, Real, StoreError, TEMPORARY};
use magneto::record::{self, Part, Suite, Written};
use magneto::report::{code, forms, html};
use magneto::spec::{Overrides, parse_file, resolve};
use magneto::suite::{Interrupt, generate};
use magneto::threads::Threads;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

/// What happens at one operation.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    KilledBefore,
    KilledAfter,
    NoSpace,
    Broken,
    /// So many operations fail, one after the other: undoing what was done fails as well.
    BrokenFor(usize),
}

const FAULTS: [Fault; 4] = [Fault::KilledBefore, Fault::KilledAfter, Fault::NoSpace, Fault::Broken];

/// A disk with a fault at one operation. After a kill nothing is done any more.
struct Faulty {
    at: Option<(usize, Fault)>,
    count: Cell<usize>,
    dead: Cell<bool>,
    /// How often it was waited for the disk.
    waits: Cell<usize>,
    /// Whether two folders can be exchanged, and files linked.
    able: bool,
}

impl Faulty {
    fn new(at: Option<(usize, Fault)>, able: bool) -> Self {
        Faulty { at, count: Cell::new(0), dead: Cell::new(false), waits: Cell::new(0), able }
    }

    fn operation(&self, partly: impl FnOnce(), work: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        let dead = || io::Error::other("killed");
        if self.dead.get() {
            return Err(dead());
        }
        let k = self.count.replace(self.count.get() + 1);
        let lasts = |fault| if let Fault::BrokenFor(n) = fault { n } else { 1 };
        let fault = self.at.filter(|at| (at.0..at.0.saturating_add(lasts(at.1))).contains(&k)).map(|at| at.1);
        match fault {
            None => return work(),
            Some(Fault::KilledBefore) => partly(),
            Some(Fault::KilledAfter) => drop(work()),
            Some(Fault::NoSpace) => {
                partly();
                return Err(io::Error::from_raw_os_error(rustix::io::Errno::NOSPC.raw_os_error()));
            }
            Some(Fault::Broken | Fault::BrokenFor(_)) => {
                return Err(io::Error::from_raw_os_error(rustix::io::Errno::IO.raw_os_error()));
            }
        }
        self.dead.set(true);
        Err(dead())
    }

    /// A step that an interruption must not follow at once.
    fn unbroken_step(&self, work: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        assert!(halt::between_unbroken(|| ()).is_none(), "an interruption may leave the folder as it is");
        self.step(work)
    }

    fn step(&self, work: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        self.operation(|| (), work)
    }
}

impl Disk for Faulty {
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        self.step(|| Real.create_dir(path))
    }
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.operation(|| drop(Real.write(path, &bytes[..bytes.len() / 2])), || Real.write(path, bytes))
    }
    fn sync(&self, _: &Path) -> io::Result<()> {
        // Whether the operation can fail is what counts here; really waiting for the disk takes minutes.
        self.waits.set(self.waits.get() + 1);
        self.step(|| Ok(()))
    }
    fn sync_tree(&self, folder: &Path) -> io::Result<()> {
        self.sync(folder)
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.unbroken_step(|| Real.rename(from, to))
    }
    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
        if !self.able {
            return Err(io::ErrorKind::Unsupported.into());
        }
        self.unbroken_step(|| Real.exchange(one, other))
    }
    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        if !self.able {
            return Err(io::ErrorKind::Unsupported.into());
        }
        self.unbroken_step(|| Real.link(from, to))
    }
    fn permit(&self, path: &Path, like: &Path) -> io::Result<()> {
        self.unbroken_step(|| Real.permit(path, like))
    }
    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.unbroken_step(|| Real.remove_file(path))
    }
    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        self.step(|| Real.remove_dir(path))
    }
}

/// The files of a run over specifications, each a name and a body, within a budget.
fn run(specs: &[(&str, &str)], budget: u64) -> Files {
    let one = |(name, body): &(&str, &str)| {
        let text = format!("(FPCore (x) :name \"{name}\" :pre (<= 1 x 2) :magneto-rel-error 1e-9 {body})\n");
        let spec = resolve(&parse_file(text.as_bytes()), 0, "f.fpcore", &Overrides::default()).unwrap();
        let mut settings = Settings::default();
        settings.suite.operators = "constant".parse().unwrap();
        settings.suite.limits.boxes = budget;
        let generated = generate(&spec, &settings.suite, &Interrupt::default()).unwrap();
        let suite = Suite { spec: &spec, source: text.as_bytes(), settings: &settings, generated: &generated };
        let folder = if specs.len() == 1 { String::new() } else { (*name).to_owned() };
        (folder, Written::new(&Part::new(&suite), &Threads::new(1)))
    };
    let files = record::run(specs.iter().map(one).collect(), false).files;
    files.into_iter().map(|(name, held)| (name, held.bytes().unwrap().into_owned())).collect()
}

/// All files below a folder, without what is of Magneto's working.
fn below(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            if name.split('/').any(|part| part.starts_with(TEMPORARY)) {
                continue;
            }
            if path.is_dir() { folders.push(path) } else { drop(files.insert(name, std::fs::read(path).unwrap())) }
        }
    }
    files
}

/// Whether there is something temporary in a folder or in its parent.
fn leftovers(dir: &Path) -> Vec<String> {
    let of = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = of(dir).chain(of(dir.parent().unwrap())).map(|e| e.file_name().to_string_lossy().into_owned());
    names.filter(|n| n.starts_with(TEMPORARY)).collect()
}

/// Whether every reader takes a folder; none if they are not of one mind.
fn accepted(dir: &Path) -> Option<bool> {
    let all = [forms::read(dir, "").is_ok(), html::pages(dir).is_ok(), code::read(dir).is_ok()];
    (all == [all[0]; 3]).then_some(all[0])
}

struct Scenario<'a> {
    name: &'a str,
    /// The older run.
    before: Option<&'a Files>,
    /// The new one.
    after: &'a Files,
    /// Files of somebody else.
    others: &'a [(&'a str, &'a str)],
}

impl Scenario<'_> {
    /// A new folder with what is there before.
    fn begin(&self) -> (tempfile::TempDir, std::path::PathBuf) {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path().join("above/out");
        if let Some(before) = self.before {
            store::publish(&Faulty::new(None, true), &dir, before, &[]).unwrap();
        }
        for (name, text) in self.others {
            let path = dir.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        (root, dir)
    }

    /// What `gen` does, with `--force`.
    fn publish(&self, disk: &dyn Disk, dir: &Path) -> Result<(), StoreError> {
        let stale = match store::look(dir).unwrap() {
            Existing::Free => Vec::new(),
            Existing::Own(files) => files,
            Existing::Foreign(_) => store::earlier(dir),
        };
        store::publish(disk, dir, self.after, &stale)
    }

    /// The files that are there if a run is.
    fn whole(&self, run: Option<&Files>) -> BTreeMap<String, Vec<u8>> {
        let others = self.others.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
        run.cloned().unwrap_or_default().into_iter().chain(others).collect()
    }

    /// Breaks every operation, in every way where MAGNETO_LONG is set, else in one of them in turn. How many faults there
    /// were, and how many left a mixture that is refused.
    fn attack(&self, able: bool) -> (usize, usize) {
        let (old, new) = (self.whole(self.before), self.whole(Some(self.after)));
        let counter = Faulty::new(None, able);
        let (_root, dir) = self.begin();
        self.publish(&counter, &dir).unwrap();
        assert!(below(&dir) == new, "{}", self.name);
        assert_eq!(leftovers(&dir), [""; 0], "{}", self.name);
        let (mut faults, mut mixed) = (0, 0);
        let long = std::env::var_os("MAGNETO_LONG").is_some();
        for k in 0..counter.count.get() {
            let turn = (k + self.name.len()) % FAULTS.len();
            for fault in FAULTS.into_iter().enumerate().filter(|(f, _)| long || *f == turn).map(|(_, fault)| fault) {
                let said = format!("{}, able {able}, operation {k}, {fault:?}", self.name);
                let (root, dir) = self.begin();
                let disk = Faulty::new(Some((k, fault)), able);
                let result = self.publish(&disk, &dir);
                let there = below(&dir);
                faults += 1;
                if there != old && there != new {
                    // Only where files are replaced one by one, and then only by a kill.
                    assert!(!able && disk.dead.get(), "{said}: {:?}", there.keys());
                    // One of them may be complete, with files of the other in folders that it does not name.
                    let has = |run: &BTreeMap<_, _>| run.iter().all(|(name, bytes)| there.get(name) == Some(bytes));
                    let taken = accepted(&dir);
                    assert!(
                        taken == Some(false) || taken == Some(true) && (has(&old) || has(&new)),
                        "{said}: {taken:?}"
                    );
                    let kept = |(name, text): &(&str, &str)| there.get(*name).is_some_and(|t| t == text.as_bytes());
                    assert!(self.others.iter().all(kept), "{said}");
                    mixed += 1;
                } else if !disk.dead.get() {
                    assert!(there == if result.is_ok() { new.clone() } else { old.clone() }, "{said}: {result:?}");
                    // A removal that fails after all is done is for the next run.
                    assert!(result.is_ok() || leftovers(&dir).is_empty(), "{said}: {:?}", leftovers(&dir));
                    assert!(result.is_ok() || self.before.is_some() || !dir.parent().unwrap().exists(), "{said}");
                }
                if let Err(e) = result
                    && fault == Fault::NoSpace
                    && !disk.dead.get()
                {
                    let line = e.to_string();
                    assert!(line.contains("No space left on device") && !line.contains('\n'), "{said}: {line}");
                }
                // The next run in that place.
                self.publish(&Faulty::new(None, able), &dir).unwrap_or_else(|e| panic!("{said}: {e}"));
                assert!(below(&dir) == new && leftovers(&dir).is_empty(), "{said}: {:?}", leftovers(&dir));
                drop(root);
            }
        }
        (faults, mixed)
    }
}

#[test]
fn a_fault_at_any_operation_leaves_the_old_run_or_the_new_one() {
    let one = run(&[("f", "(+ x 0.5)")], 100);
    let other = run(&[("f", "(+ x 0.25)")], 50);
    let several = run(&[("f", "(+ x 0.5)"), ("g", "(* x 3)")], 100);
    let more = run(&[("g", "(* x 3)"), ("h", "(- x 0.1)")], 100);
    let notes = [("notes.txt", "mine"), ("sub/inner/plan.md", "mine too"), ("f/mine.txt", "beside f")];
    let scenarios = [
        Scenario { name: "nothing there", before: None, after: &one, others: &[] },
        Scenario { name: "nothing there, several", before: None, after: &several, others: &[] },
        Scenario { name: "another version", before: Some(&one), after: &other, others: &[] },
        Scenario { name: "one to several", before: Some(&one), after: &several, others: &[] },
        Scenario { name: "several to one", before: Some(&several), after: &one, others: &[] },
        Scenario { name: "others", before: Some(&several), after: &more, others: &[] },
        Scenario { name: "with files of somebody", before: Some(&several), after: &more, others: &notes },
    ];
    let mut seen = BTreeSet::new();
    for scenario in &scenarios {
        for able in [true, false] {
            let (faults, mixed) = scenario.attack(able);
            println!(
                "{}, {}: {faults} faults, {mixed} mixtures, all refused",
                scenario.name,
                if able { "exchanged" } else { "one by one" }
            );
            assert!(!able || mixed == 0);
            // A folder, a file each, a wait and a name.
            assert!(faults > 12);
            seen.insert(mixed > 0);
        }
        // What every reader takes.
        let (_root, dir) = scenario.begin();
        scenario.publish(&Real, &dir).unwrap();
        assert_eq!(accepted(&dir), Some(true), "{}", scenario.name);
    }
    // One by one there are mixtures, or the refusals were not tested.
    assert!(seen.contains(&true));
}

#[test]
fn a_run_waits_for_the_disk_as_often_however_many_files_it_has() {
    let bodies: Vec<(String, String)> = (0..6).map(|k| (format!("f{k}"), format!("(+ x {k}.5)"))).collect();
    let bodies: Vec<(&str, &str)> = bodies.iter().map(|(name, body)| (&**name, &**body)).collect();
    let (few, many) = (run(&bodies[..2], 50), run(&bodies, 50));
    for able in [true, false] {
        for before in [None, Some(&few)] {
            let waits = [&few, &many].map(|after| {
                let (_root, dir) = Scenario { name: "", before, after, others: &[] }.begin();
                let disk = Faulty::new(None, able);
                Scenario { name: "", before, after, others: &[] }.publish(&disk, &dir).unwrap();
                disk.waits.get()
            });
            assert!(waits[0] == waits[1] && waits[0] < 4, "{waits:?}");
        }
    }
}

/// Any two runs mixed in any way by hand: each file of one in the folder of the other.
#[test]
fn readers_refuse_files_of_two_runs() {
    let (one, other) = (run(&[("f", "(+ x 0.5)")], 100), run(&[("f", "(+ x 0.25)")], 100));
    let several = run(&[("f", "(+ x 0.5)"), ("g", "(* x 3)")], 100);
    let changed = run(&[("f", "(+ x 0.25)"), ("g", "(* x 3)")], 100);
    for (base, with) in [(&one, &other), (&several, &changed)] {
        for name in base.keys().filter(|name| base[*name] != with[*name]) {
            let root = tempfile::tempdir().unwrap();
            let dir = root.path().join("out");
            store::publish(&Real, &dir, base, &[]).unwrap();
            std::fs::write(dir.join(name), &with[name]).unwrap();
            assert_eq!(accepted(&dir), Some(false), "{name}");
            let said = forms::read(&dir, "").unwrap_err().to_string();
            assert!(said.contains("run `magneto gen` again"), "{name}: {said}");
        }
    }
}

/// What a living process works in is not taken for a leftover, and two that write wait for each other.
#[test]
fn processes_do_not_disturb_each_other() {
    let (one, other) = (run(&[("f", "(+ x 0.5)")], 100), run(&[("f", "(+ x 0.25)")], 100));
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("out");
    store::publish(&Real, &dir, &one, &[]).unwrap();
    let (living, file) = store::Staging::file(&dir).unwrap();
    std::fs::create_dir(root.path().join(format!("{TEMPORARY}1-0"))).unwrap();
    store::publish(&Real, &dir, &other, &[]).unwrap();
    let name = living.path.file_name().unwrap();
    assert_eq!(leftovers(&dir), [name.to_string_lossy()]);
    drop((living, file));
    let stale: Vec<String> = one.keys().cloned().collect();
    std::thread::scope(|scope| {
        for k in 0..8 {
            let (dir, files, stale) = (&dir, if k % 2 == 0 { &one } else { &other }, &stale);
            scope.spawn(move || store::publish(&Real, dir, files, stale).unwrap());
        }
    });
    let there = below(&dir);
    assert!(there == one || there == other);
    assert!(leftovers(&dir).is_empty());
}

/// Processes that begin at once all find no folder, and all make it.
#[test]
fn processes_make_a_folder_at_once() {
    let files = run(&[("f", "(+ x 0.5)")], 100);
    let (root, barrier) = (tempfile::tempdir().unwrap(), std::sync::Barrier::new(4));
    let folder = |n: usize, k: usize| root.path().join(format!("{n}/above/{k}"));
    let write_all = |k: usize| -> Vec<Result<(), StoreError>> {
        let write = |n| {
            barrier.wait();
            store::write(&folder(n, k), &files, &[])
        };
        (0..50).map(write).collect()
    };
    // What fails is told when all have ended: nobody waits for one that panicked.
    let ended: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|k| scope.spawn(move || write_all(k))).collect();
        threads.into_iter().flat_map(|t| t.join().unwrap()).collect()
    });
    ended.into_iter().for_each(|written| written.unwrap());
    for (n, k) in (0..50).flat_map(|n| (0..4).map(move |k| (n, k))) {
        assert_eq!(below(&folder(n, k)), files);
    }
}

/// Where a fault lasts, what was done cannot be undone: then the error says which files are new, which are gone and where
/// the earlier ones lie, and no earlier file is lost. Where it could be undone, it says nothing of the kind.
#[test]
fn what_cannot_be_undone_is_told() {
    let one = run(&[("f", "(+ x 0.5)")], 100);
    let other = run(&[("f", "(+ x 0.25)")], 50);
    let several = run(&[("f", "(+ x 0.5)"), ("g", "(* x 3)")], 100);
    let scenarios = [
        Scenario { name: "nothing there", before: None, after: &one, others: &[] },
        Scenario { name: "another version", before: Some(&one), after: &other, others: &[] },
        Scenario { name: "several to one", before: Some(&several), after: &one, others: &[("notes.txt", "mine")] },
    ];
    let (mut mixed, mut unsure) = (0, 0);
    for (scenario, able) in scenarios.iter().flat_map(|s| [(s, true), (s, false)]) {
        let old = scenario.whole(scenario.before);
        let counter = Faulty::new(None, able);
        scenario.publish(&counter, &scenario.begin().1).unwrap();
        for (k, n) in (0..counter.count.get()).flat_map(|k| [2, 3, 5, usize::MAX].map(|n| (k, n))) {
            let (root, dir) = scenario.begin();
            let Err(e) = scenario.publish(&Faulty::new(Some((k, Fault::BrokenFor(n))), able), &dir) else { continue };
            let (there, line) = (below(&dir), e.to_string());
            let said = format!("{}, able {able}, operations {k} to {k}+{n}: {line}", scenario.name);
            assert!(!line.contains('\n'), "{said}");
            match &e {
                StoreError::Mixed { mixture, .. } => {
                    mixed += 1;
                    assert!(there != old && line.contains("is a mixture now"), "{said}");
                    let named = |files: &[std::path::PathBuf]| -> BTreeSet<String> {
                        files.iter().map(|p| relative(p, &dir)).collect()
                    };
                    let saved = relative(&mixture.saved, &dir);
                    let is_saved = |name: &str| !saved.is_empty() && name.starts_with(&saved);
                    let is_new =
                        |(name, bytes): &(&String, &Vec<u8>)| !is_saved(name) && old.get(*name) != Some(*bytes);
                    // A file of the same contents as before may be named as a new one.
                    let differs: BTreeSet<String> = there.iter().filter(is_new).map(|(n, _)| n.clone()).collect();
                    assert!(differs.is_subset(&named(&mixture.new)), "{said}: {differs:?}");
                    let gone: BTreeSet<String> = old.keys().filter(|n| !there.contains_key(*n)).cloned().collect();
                    assert_eq!(gone, named(&mixture.missing), "{said}");
                    for name in differs.iter().chain(&gone) {
                        assert!(line.contains(name), "{said}: {name}");
                        let Some(earlier) = old.get(name) else { continue };
                        let kept = mixture.earlier.iter().map(|n| std::fs::read(mixture.saved.join(n)));
                        assert!(kept.flatten().any(|bytes| bytes == *earlier), "{said}: {name} is lost");
                        assert!(line.contains(&mixture.saved.display().to_string()), "{said}");
                    }
                }
                StoreError::Unsure { .. } => {
                    unsure += 1;
                    assert!(there == scenario.whole(Some(scenario.after)), "{said}");
                }
                _ => assert!(there == old && e.changed_nothing(), "{said}: {:?}", there.keys()),
            }
            drop(root);
        }
    }
    println!("{mixed} mixtures and {unsure} new folders that may not last, all told");
    assert!(mixed > 20 && unsure > 0);
}

/// A path relative to a folder, which may have been named through a link.
fn relative(path: &Path, dir: &Path) -> String {
    path.strip_prefix(dir.canonicalize().unwrap()).unwrap_or(path).to_string_lossy().into_owned()
}
