//! How many planted faults do the tests of a specification find?
//!
//! A folder holds specifications and C files, each a function `f` with one fault. Comments at its top say `// class:`,
//! `// fault:` what is wrong, and `// spec:` the specification's file, relative to the C file; `// right:` in place of
//! the first two marks an implementation in which nothing is wrong, and which no test may fail, and `// known:` one of
//! which only the largest error that somebody found is known, in ulps, and then from where: [`super::searched`] compares
//! with that, and here it is left out. The tests are made from the specification alone. Beside them stand as many random
//! tests, uniform over the numbers and over the floats of the domain, for a number of seeds. Of a specification with several
//! results each result has its own tests, and a program is put to all of them.

use crate::harness::judge::verdict;
use crate::harness::{self, Case, RunLimits, UnderTest, Verdict};
use crate::spec::{Overrides, Spec, parse_file, resolve};
use crate::suite::random::{RandomSpread, random_inputs};
use crate::suite::{Expectation, Interrupt, Options, generate};
use crate::testfile::TestRecord;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// The name of the function in every file.
pub(super) const FUNCTION: &str = "f";

/// A C file.
#[derive(Clone, Debug)]
pub struct FaultProgram {
    /// Where it is.
    pub path: PathBuf,
    /// Its fault; none for a right implementation.
    pub fault: Option<Fault>,
    /// The largest error that is known of one that is neither faulty nor right. Unit: ulps.
    pub known: Option<f64>,
}

impl FaultProgram {
    /// The name of its file, without the folder.
    #[must_use]
    pub fn file_name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// What is wrong with a program.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Fault {
    /// The class of the fault.
    pub class: String,
    /// What is wrong, for a person.
    pub fault: String,
}

/// A specification with the programs that claim to meet it.
#[derive(Clone, Debug)]
pub struct FaultGroup {
    /// The specification, once for each of its results; at least one.
    pub specs: Vec<Spec>,
    /// The programs, by name.
    pub programs: Vec<FaultProgram>,
}

impl FaultGroup {
    /// The name of the specification; where it has several results, that of its file.
    #[must_use]
    pub fn name(&self) -> &str {
        match self.specs.as_slice() {
            [spec] => &spec.name,
            [first, ..] => Path::new(&first.source_file).file_stem().and_then(|s| s.to_str()).unwrap_or(&first.name),
            [] => "",
        }
    }
}

/// What to measure with.
#[derive(Clone, Debug, Default)]
pub struct FaultsPlan {
    /// How tests are made.
    pub options: Options,
    /// For how many seeds random tests are drawn.
    pub seeds: u64,
    /// Bounds of a program's run.
    pub limits: RunLimits,
}

/// Why there is no result.
#[derive(Clone, Debug)]
pub enum Failure {
    /// A specification has no test.
    Specification(String),
    /// A program cannot be compiled or run.
    Program(String),
}

/// What became of one program.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FaultRow {
    /// The file.
    pub file: String,
    /// Its fault; none for a right implementation.
    #[serde(flatten)]
    pub fault: Option<Fault>,
    /// The name of the specification.
    pub specification: String,
    /// How many tests inside the domain there are.
    pub tests: usize,
    /// How many of them fail.
    pub failed: usize,
    /// The share of seeds for which a random test fails: uniform over numbers, and over floats.
    pub random: [f64; 2],
}

impl FaultRow {
    /// Whether a test fails.
    #[must_use]
    pub fn is_found(&self) -> bool {
        self.failed > 0
    }
}

/// The specifications and programs of a folder; right implementations may be in folders inside it.
///
/// # Errors
/// What is wrong, a sentence for each file.
pub fn read(folder: &Path) -> Result<Vec<FaultGroup>, Vec<String>> {
    let files = c_files(folder).map_err(|why| vec![why])?;
    let (mut groups, mut problems) = (BTreeMap::<PathBuf, Option<FaultGroup>>::new(), Vec::new());
    for path in files {
        let (program, spec) = match header(&path) {
            Ok(read) => read,
            Err(why) => {
                problems.push(why);
                continue;
            }
        };
        // What is wrong with a specification is said once.
        let group = groups.entry(spec).or_insert_with_key(|spec| match specification(spec) {
            Ok(specs) => Some(FaultGroup { specs, programs: Vec::new() }),
            Err(why) => {
                problems.push(why);
                None
            }
        });
        group.iter_mut().for_each(|g| g.programs.push(program.clone()));
    }
    if groups.is_empty() && problems.is_empty() {
        problems.push(format!("{}: there is no C file", folder.display()));
    }
    if problems.is_empty() { Ok(groups.into_values().flatten().collect()) } else { Err(problems) }
}

/// The C files of a folder and of those directly inside it, sorted.
fn c_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let list = |folder: &Path| -> Result<Vec<PathBuf>, String> {
        let cannot = |e| format!("cannot read {}: {e}", folder.display());
        let entries = std::fs::read_dir(folder).map_err(cannot)?;
        let paths: Result<Vec<PathBuf>, _> = entries.map(|e| e.map(|e| e.path())).collect();
        paths.map_err(cannot)
    };
    let mut all = list(folder)?;
    for inner in all.clone().iter().filter(|p| p.is_dir()) {
        all.extend(list(inner)?);
    }
    all.retain(|p| p.extension().is_some_and(|e| e == "c") && p.is_file());
    all.sort();
    Ok(all)
}

/// What the comments at the top of a C file say: the program, and the file of its specification.
fn header(path: &Path) -> Result<(FaultProgram, PathBuf), String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read {shown}: {e}"))?;
    let comments = text.lines().map_while(|line| line.strip_prefix("//")).filter_map(|line| line.split_once(':'));
    let said: BTreeMap<&str, &str> = comments.map(|(key, value)| (key.trim(), value.trim())).collect();
    let need = |key: &str| {
        let value = said.get(key).filter(|v| !v.is_empty());
        value.map(|v| (*v).to_owned()).ok_or_else(|| {
            format!("{shown}:1: a comment `// {key}: …` is missing; the file begins with `// class:`, `// fault:` and `// spec:`, or with `// right:` or `// known:` and `// spec:`")
        })
    };
    let known = said.get("known").map(|text| ulps(text).ok_or_else(|| {
        format!("{shown}:1: `// known: {text}` does not begin with an error in ulps, as in `// known: 0.52 ulps (who found it)`")
    }));
    let fault = match said.contains_key("right") || known.is_some() {
        true => None,
        false => Some(Fault { class: need("class")?, fault: need("fault")? }),
    };
    let spec = path.parent().unwrap_or(Path::new("")).join(need("spec")?);
    let spec = spec.canonicalize().map_err(|e| format!("{shown}: cannot read {}: {e}", spec.display()))?;
    Ok((FaultProgram { path: path.to_owned(), fault, known: known.transpose()? }, spec))
}

/// The positive number at the beginning of a text.
fn ulps(text: &str) -> Option<f64> {
    let number = text.split_whitespace().next()?.parse::<f64>();
    number.ok().filter(|n| n.is_finite() && *n > 0.0)
}

/// The one FPCore of a file, for each of its results.
fn specification(path: &Path) -> Result<Vec<Spec>, String> {
    let shown = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|e| format!("cannot read {shown}: {e}"))?;
    let file = parse_file(&bytes);
    let rendered = |list: Vec<crate::text::Diagnostic>| {
        let texts: Vec<String> = list.iter().map(|d| d.render(&shown, &bytes)).collect();
        texts.concat().trim_end().to_owned()
    };
    let wrong = file.all_diagnostics();
    if !wrong.is_empty() {
        return Err(rendered(wrong));
    }
    let all = (0..file.cores.len()).map(|k| resolve(&file, k, &shown, &Overrides::default()).map_err(rendered));
    let specs: Vec<Spec> = all.collect::<Result<_, _>>()?;
    match specs.windows(2).all(|pair| pair[0].core.span == pair[1].core.span) && !specs.is_empty() {
        true => Ok(specs),
        false => Err(format!("{shown} does not hold one FPCore alone")),
    }
}

/// The programs of groups, one after the other, with the group of each.
pub fn programs(groups: &[FaultGroup]) -> impl Iterator<Item = (&FaultGroup, &FaultProgram)> {
    groups.iter().flat_map(|g| g.programs.iter().map(move |p| (g, p)))
}

/// Groups with some of their programs: those at these places among all of them. A group that has none left is left out.
#[must_use]
pub fn only(groups: &[FaultGroup], places: &[usize]) -> Vec<FaultGroup> {
    let mut place = 0..;
    let one = |group: &FaultGroup| {
        let mut keep = |_: &FaultProgram| place.next().is_some_and(|p| places.contains(&p));
        let programs: Vec<FaultProgram> = group.programs.iter().filter(|p| keep(p)).cloned().collect();
        (!programs.is_empty()).then(|| FaultGroup { specs: group.specs.clone(), programs })
    };
    groups.iter().filter_map(one).collect()
}

/// Make the tests of each group and put them to its programs. `this` is the program that knows
/// [`harness::CALL`]. Ends early, with what is done, where `stop` is set.
///
/// # Errors
/// Whose fault it is that there is no result, and why.
pub fn measure(
    groups: &[FaultGroup],
    plan: &FaultsPlan,
    this: &Path,
    stop: Option<&AtomicBool>,
    progress: &dyn Fn(&str),
) -> Result<Vec<FaultRow>, Failure> {
    let mut rows = Vec::new();
    for group in groups {
        if stop.is_some_and(|s| s.load(Ordering::Relaxed)) {
            break;
        }
        progress(group.name());
        let mut drawn = Vec::new();
        for spec in &group.specs {
            let no_test = |why| Failure::Specification(format!("{}: {why}", spec.name));
            drawn.push(Drawn::new(spec, plan, stop).map_err(no_test)?);
        }
        let runs = Runs { plan, this, stop };
        for program in group.programs.iter().filter(|p| p.known.is_none()) {
            let failed: Vec<Failed> = drawn.iter().map(|d| d.put_to(program, &runs)).collect::<Result<_, _>>()?;
            rows.push(FaultRow {
                file: program.file_name(),
                fault: program.fault.clone(),
                specification: group.name().to_owned(),
                tests: drawn.iter().map(|d| d.made.len()).sum(),
                failed: failed.iter().map(|f| f.made).sum(),
                random: [0, 1].map(|spread| share_found(&failed, spread)),
            });
        }
    }
    Ok(rows)
}

/// The tests for one specification.
struct Drawn<'a> {
    spec: &'a Spec,
    /// Those that are made.
    made: Vec<Case>,
    /// For each spread and seed as many random ones.
    random: [Vec<Vec<Case>>; 2],
}

impl<'a> Drawn<'a> {
    fn new(spec: &'a Spec, plan: &FaultsPlan, stop: Option<&AtomicBool>) -> Result<Self, String> {
        let cap = plan.options.precision_cap;
        let interrupt = Interrupt { stop, ..Interrupt::default() };
        let tests = generate(spec, &plan.options, &interrupt)?.tests;
        // A plain function owes nothing outside the domain.
        let inside = tests.iter().filter(|t| matches!(t.expectation, Expectation::Result(_)));
        let made: Vec<Case> = inside.map(Case::from).collect();
        let draw = |spread: RandomSpread, seed: u64| -> Result<Vec<Case>, String> {
            let inputs = random_inputs(spec, made.len(), spread, seed, cap)?;
            let record = |(k, input): (usize, Vec<f64>)| TestRecord {
                id: format!("r{k}"),
                line: k + 1,
                input,
                lo: None,
                hi: None,
                passes: None,
                expected: None,
            };
            let records: Vec<TestRecord> = inputs.into_iter().enumerate().map(record).collect();
            // What states no result contradicts none.
            Ok(harness::cases(spec, &records, cap).map(|c| c.cases).unwrap_or_default())
        };
        let all = |spread| (0..plan.seeds).map(|seed| draw(spread, seed)).collect::<Result<Vec<_>, _>>();
        let random = [all(RandomSpread::Numbers)?, all(RandomSpread::Floats)?];
        Ok(Drawn { spec, made, random })
    }

    fn put_to(&self, program: &FaultProgram, runs: &Runs<'_>) -> Result<Failed, Failure> {
        let broken = |b: &harness::HarnessFault| {
            let text = format!("{}: {}\n{}", program.path.display(), b.why, b.errors.join("\n"));
            Failure::Program(text.trim_end().to_owned())
        };
        let target = UnderTest::of_c_source(&program.path, FUNCTION);
        let prepared = target.prepare(self.spec, runs.this).map_err(|not| broken(&not.into()))?;
        let parts: Vec<&[Case]> =
            std::iter::once(&self.made).chain(self.random.iter().flatten()).map(Vec::as_slice).collect();
        let tests: Vec<(String, Vec<f64>)> = parts.concat().into_iter().map(|c| (c.id, c.input)).collect();
        let run = harness::run(&prepared.program, &tests, self.spec.result_format, &runs.plan.limits, runs.stop);
        if let Some(b) = &run.broken {
            return Err(broken(b));
        }
        let mut answers = run.answers.iter();
        let mut failed = parts.iter().map(|cases| {
            let is_ko = |c: &&Case| {
                let answer = answers.next();
                answer.is_some_and(|given| verdict(&c.expectation, &given.answer).0 == Some(Verdict::Ko))
            };
            cases.iter().filter(is_ko).count()
        });
        let made = failed.next().unwrap_or_default();
        let mut numbers: Vec<bool> = failed.map(|n| n > 0).collect();
        let floats = numbers.split_off(self.random[0].len());
        Ok(Failed { made, random: [numbers, floats] })
    }
}

/// How programs are run.
struct Runs<'a> {
    plan: &'a FaultsPlan,
    this: &'a Path,
    stop: Option<&'a AtomicBool>,
}

/// What fails of the tests of one result.
struct Failed {
    /// How many of those that are made.
    made: usize,
    /// For each spread and seed, whether one of the random ones does.
    random: [Vec<bool>; 2],
}

/// The share of the seeds for which a random test of a result fails.
fn share_found(results: &[Failed], spread: usize) -> f64 {
    let seeds = results.iter().map(|r| r.random[spread].len()).max().unwrap_or_default();
    let found = (0..seeds).filter(|seed| results.iter().any(|r| r.random[spread].get(*seed) == Some(&true)));
    found.count() as f64 / seeds.max(1) as f64
}

/// The faults of one class.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct FaultClass {
    /// Its name.
    pub class: String,
    /// Those that a test finds.
    pub found: usize,
    /// All of them.
    pub faults: usize,
    /// How many random tests find in the mean over the seeds: uniform over numbers, and over floats.
    pub random: [f64; 2],
}

/// The faults by class, most first; the last is all of them together.
#[must_use]
pub fn by_class(rows: &[FaultRow]) -> Vec<FaultClass> {
    let mut classes: BTreeMap<&str, FaultClass> = BTreeMap::new();
    let mut all = FaultClass { class: "all".to_owned(), ..FaultClass::default() };
    for row in rows {
        let Some(fault) = &row.fault else { continue };
        let own = classes
            .entry(&fault.class)
            .or_insert_with(|| FaultClass { class: fault.class.clone(), ..FaultClass::default() });
        for class in [own, &mut all] {
            class.faults += 1;
            class.found += usize::from(row.is_found());
            class.random[0] += row.random[0];
            class.random[1] += row.random[1];
        }
    }
    let mut list: Vec<FaultClass> = classes.into_values().collect();
    list.sort_by_key(|c| std::cmp::Reverse(c.faults));
    list.push(all);
    list
}
