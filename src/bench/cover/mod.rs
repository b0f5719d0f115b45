//! How many branches of real code `cover` takes and proves infeasible, beside other ways to look for inputs under the same
//! number of runs.

pub mod files;
mod powell;
mod rivals;

use super::NotMade;
use rivals::Rival;

use crate::cc::Flags;
use crate::cc::debug::Debug;
use crate::code::compile::{CompileError, compile_alone};
use crate::code::module::{Malformed, Module};
use crate::code::program::{CodeProgram, EntryError};
use crate::halt;
use crate::reach::coverage::{Coverage, CoverageLimits, Reached};
use crate::reach::infeasible::BUDGET;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};

/// The file of a folder that names its functions.
pub const LIST: &str = "functions.csv";

/// A function to measure on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasuredFunction {
    /// Its name, perhaps without what stands before its last `_`.
    pub function: String,
    /// Its file.
    pub file: String,
    /// Inputs behind pointers, as after `--input`.
    pub elements: Vec<(String, u32)>,
}

/// Why nothing can be measured.
#[derive(Debug)]
pub enum CoverFailure {
    /// The list cannot be read; with where and why.
    List(String),
    /// The code cannot be compiled.
    Code(CompileError),
    /// The module cannot be run.
    Module(Malformed),
    /// The plot cannot be drawn; with what the library says.
    Drawing(NotMade),
    /// A function cannot be run; with its name.
    Function(String, EntryError),
}

impl fmt::Display for CoverFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CoverFailure::List(why) => f.write_str(why),
            CoverFailure::Drawing(why) => why.fmt(f),
            CoverFailure::Code(e) => e.fmt(f),
            CoverFailure::Module(e) => e.fmt(f),
            CoverFailure::Function(name, e) => write!(f, "{name}: {e}"),
        }
    }
}

impl std::error::Error for CoverFailure {}

/// The functions that a folder's list names: columns `function` and `file`, and perhaps `input` (`y[2] z[3]`).
///
/// # Errors
/// What is wrong with the list.
pub fn entries(folder: &Path) -> Result<Vec<MeasuredFunction>, CoverFailure> {
    let path = folder.join(LIST);
    let failed = |e: &dyn fmt::Display| CoverFailure::List(format!("{}: {e}", path.display()));
    let mut reader = csv::Reader::from_path(&path).map_err(|e| failed(&e))?;
    let header = reader.headers().map_err(|e| failed(&e))?.clone();
    let column = |name: &str| header.iter().position(|h| h == name);
    let (Some(function), Some(file)) = (column("function"), column("file")) else {
        return Err(failed(&"expected columns `function` and `file`"));
    };
    let input = column("input");
    let mut all = Vec::new();
    for (i, row) in reader.records().enumerate() {
        let row = row.map_err(|e| failed(&e))?;
        let text = input.and_then(|c| row.get(c)).unwrap_or("");
        let elements = text.split_whitespace().map(elements).collect::<Option<Vec<_>>>();
        let elements = elements.ok_or_else(|| failed(&format!("line {}: expected inputs such as y[2]", i + 2)))?;
        all.push(MeasuredFunction { function: row[function].to_owned(), file: row[file].to_owned(), elements });
    }
    Ok(all)
}

/// `y[2]` as a name and a number.
fn elements(text: &str) -> Option<(String, u32)> {
    let (name, count) = text.strip_suffix(']')?.split_once('[')?;
    Some((name.to_owned(), count.parse().ok()?))
}

/// What is measured.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Plan {
    /// Runs of the code for each function and way.
    pub evaluations: u64,
    /// Start offsets: 0 up to this number.
    pub seeds: u64,
    /// Whether the other ways are left out.
    pub alone: bool,
}

/// One way on one function with one seed.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Way {
    /// `cover`, or which other way.
    pub way: Cow<'static, str>,
    /// The start offset.
    pub seed: u64,
    /// Branches taken.
    pub taken: usize,
    /// The runs at which branches were taken first, in order.
    #[serde(skip)]
    pub growth: Vec<u64>,
}

/// One function.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CoverRow {
    /// Its name.
    pub function: String,
    /// Its file.
    pub file: String,
    /// Its branches.
    pub branches: usize,
    /// Those proved infeasible with each seed.
    pub infeasible: Vec<usize>,
    /// Until the last branch that was taken, with each seed, proofs in between included. Unit: seconds.
    pub seconds: Vec<f64>,
    /// Branches that are neither taken nor proved infeasible: their lines, with the seed.
    pub open: Vec<(u64, u32)>,
    /// What each way took, with each seed.
    pub ways: Vec<Way>,
}

/// The ways, the one that is measured first.
pub const WAYS: [&str; 4] = ["cover", "basin hopping (Powell)", "AVM on values", "random"];

/// Measure functions of a folder's list: those at some places. `progress` is told each one's name.
///
/// # Errors
/// See [`CoverFailure`].
pub fn measure(
    folder: &Path,
    flags: &Flags,
    plan: &Plan,
    places: &[usize],
    progress: &dyn Fn(&str),
) -> Result<Vec<CoverRow>, CoverFailure> {
    let mut rows = Vec::new();
    for (_, (entry, program)) in programs(folder, flags)?.into_iter().enumerate().filter(|(k, _)| places.contains(k)) {
        if halt::requested() {
            break;
        }
        progress(&entry.function);
        rows.push(row(&entry, &program, plan));
    }
    Ok(rows)
}

/// The functions that a folder's list names, ready to run. All files of the folder are one program.
///
/// # Errors
/// See [`CoverFailure`].
pub fn programs(folder: &Path, flags: &Flags) -> Result<Vec<(MeasuredFunction, CodeProgram)>, CoverFailure> {
    let entries = entries(folder)?;
    let mut sources: Vec<PathBuf> = sources(folder)?;
    sources.sort();
    let module =
        compile_alone(&sources, flags).map_err(CoverFailure::Code)?.module(None).map_err(CoverFailure::Module)?;
    let debug = Debug::of(&module.debug);
    let program = |entry: MeasuredFunction| {
        let name = name(&module, &debug, &entry);
        match CodeProgram::new(module.clone(), &name, &entry.elements) {
            Ok(program) => Ok((entry, program)),
            Err(e) => Err(CoverFailure::Function(entry.function, e)),
        }
    };
    entries.into_iter().map(program).collect()
}

fn row(entry: &MeasuredFunction, program: &CodeProgram, plan: &Plan) -> CoverRow {
    let mut row = CoverRow {
        function: entry.function.clone(),
        file: entry.file.clone(),
        branches: 0,
        infeasible: Vec::new(),
        seconds: Vec::new(),
        open: Vec::new(),
        ways: Vec::new(),
    };
    let functions = [program.entry];
    for seed in 0..plan.seeds {
        let mut coverage = Coverage::new(program, &functions, CoverageLimits { evaluations: plan.evaluations, seed });
        coverage.search_and_prove(BUDGET);
        row.branches = coverage.goals.len();
        row.infeasible.push(coverage.reached.iter().filter(|r| matches!(r, Reached::Infeasible { .. })).count());
        row.seconds.push(coverage.found.last().map_or(0.0, |f| f.after.as_secs_f64()));
        for (goal, reached) in coverage.goals.iter().zip(&coverage.reached) {
            if matches!(reached, Reached::Open(_)) {
                row.open.push((seed, program.place(goal.site).map_or(0, |p| p.line)));
            }
        }
        let growth: Vec<u64> = coverage.found.iter().flat_map(|f| vec![f.evaluation; f.first.len()]).collect();
        row.ways.push(Way { way: WAYS[0].into(), seed, taken: growth.len(), growth });
        let rivals = [Rival::Hopping, Rival::Values, Rival::Random];
        for (way, rival) in WAYS[1..].iter().zip(rivals).filter(|_| !plan.alone) {
            let growth = rivals::run(rival, program, &functions, plan.evaluations, seed);
            row.ways.push(Way { way: (*way).into(), seed, taken: growth.len(), growth });
        }
    }
    row
}

/// The C and C++ files of a folder.
pub fn sources(folder: &Path) -> Result<Vec<PathBuf>, CoverFailure> {
    let failed = |e: std::io::Error| CoverFailure::List(format!("{}: {e}", folder.display()));
    let mut all = Vec::new();
    for file in std::fs::read_dir(folder).map_err(failed)? {
        let path = file.map_err(failed)?.path();
        if path.extension().is_some_and(|e| ["c", "cc", "cpp"].iter().any(|x| e == *x)) {
            all.push(path);
        }
    }
    Ok(all)
}

/// The name of an entry's function: as it is, or the one of its file that ends with it after a `_`, which is how libraries
/// name what is behind a function; a prefix of the name may be missing there.
fn name(module: &Module, debug: &Debug, entry: &MeasuredFunction) -> String {
    let in_file = |f: &&crate::code::module::ModuleFunction| {
        let place = f.offsets.first().and_then(|at| debug.place(*at));
        place.is_some_and(|p| p.file == entry.file || p.file.ends_with(&format!("/{}", entry.file)))
    };
    let own: Vec<&str> = module.functions.iter().filter(in_file).map(|f| f.name.as_str()).collect();
    let short = entry.function.split_once('_').map_or(entry.function.as_str(), |(_, rest)| rest);
    let ends = |name: &str| own.iter().find(|f| f.ends_with(&format!("_{name}"))).copied();
    let found = own.iter().find(|f| **f == entry.function).copied();
    found.or_else(|| ends(&entry.function)).or_else(|| ends(short)).unwrap_or(&entry.function).to_owned()
}

/// What one way took of all functions, with one seed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CoverTotal {
    /// Which way.
    pub way: &'static str,
    /// The start offset.
    pub seed: u64,
    /// Branches taken.
    pub taken: usize,
    /// Branches proved infeasible; 0 for ways that prove nothing.
    pub infeasible: usize,
    /// All branches.
    pub branches: usize,
    /// The mean over functions of the time until the last new branch; 0 for the other ways. Unit: seconds.
    pub seconds: f64,
}

/// The totals, by way and seed.
#[must_use]
pub fn totals(rows: &[CoverRow], plan: &Plan) -> Vec<CoverTotal> {
    let mut all = Vec::new();
    for way in WAYS.iter().take(if plan.alone { 1 } else { WAYS.len() }) {
        for seed in 0..plan.seeds {
            let own = *way == WAYS[0];
            let of = |r: &CoverRow| {
                r.ways.iter().filter(|w| w.way == *way && w.seed == seed).map(|w| w.taken).sum::<usize>()
            };
            all.push(CoverTotal {
                way,
                seed,
                taken: rows.iter().map(of).sum(),
                infeasible: if own { rows.iter().map(|r| r.infeasible[seed as usize]).sum() } else { 0 },
                branches: rows.iter().map(|r| r.branches).sum(),
                seconds: if own {
                    rows.iter().map(|r| r.seconds[seed as usize]).sum::<f64>() / rows.len().max(1) as f64
                } else {
                    0.0
                },
            });
        }
    }
    all
}
