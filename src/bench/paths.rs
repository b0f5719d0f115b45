//! How fast paths of code are decided: paths with known answers, paths of random inputs with their last decision turned, and
//! conditions from random starts.

use super::cover::{CoverFailure, programs, sources};
use crate::cc::Flags;
use crate::code::compile::compile_alone;
use crate::code::goal::{GOAL, compile_goal, holds};
use crate::code::program::CodeProgram;
use crate::halt;
use crate::num::random::Random;
use crate::reach::coverage::{self, Coverage, Reached};
use crate::reach::infeasible::BUDGET;
use crate::reach::paths::{Explorer, PathLimits, PathOutcome, PathRow};
use crate::record::Document;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

/// The file of paths with known answers: columns `function`, `group`, `path`, `known`.
pub const PATHS: &str = "paths.csv";
/// The file of conditions: columns `function`, `condition`.
pub const GOALS: &str = "goals.csv";

/// What is measured.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct PathsPlan {
    /// Paths of random inputs of each function.
    pub paths: usize,
    /// The most decisions of such a path.
    pub decisions: usize,
    /// Boxes for each question.
    pub boxes: u64,
    /// Starts for each condition.
    pub starts: u64,
    /// Points at which a condition may be evaluated.
    pub evaluations: u64,
}

/// Paths that belong together.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PathGroup {
    /// The function.
    pub function: String,
    /// What its paths are.
    pub group: String,
    /// How many.
    pub count: usize,
    /// Of these, with an input.
    pub feasible: usize,
    /// Proved infeasible.
    pub infeasible: usize,
    /// Neither.
    pub open: usize,
    /// Those that are not what is known of them.
    pub wrong: Vec<String>,
    /// Decided within a second each.
    pub within_a_second: usize,
    /// All together. Unit: seconds.
    pub seconds: f64,
    /// The longest. Unit: seconds.
    pub longest: f64,
}

/// A condition on a function.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PathGoal {
    /// The function.
    pub function: String,
    /// The condition.
    pub condition: String,
    /// Starts from which an input was found within the points allowed.
    pub found: usize,
    /// Of how many.
    pub starts: usize,
    /// The points that each start took; those that found nothing last.
    pub evaluations: Vec<u64>,
}

/// All of a measurement.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PathsDocument {
    /// What was measured.
    pub plan: PathsPlan,
    /// Paths.
    pub groups: Vec<PathGroup>,
    /// Conditions.
    pub goals: Vec<PathGoal>,
}

impl Document for PathsDocument {
    const SCHEMA: &'static str = "magneto/bench-paths/1";
    const WRITER: &'static str = "bench paths";
}

impl PathGroup {
    fn new(function: &str, group: &str) -> Self {
        PathGroup {
            function: function.to_owned(),
            group: group.to_owned(),
            count: 0,
            feasible: 0,
            infeasible: 0,
            open: 0,
            wrong: Vec::new(),
            within_a_second: 0,
            seconds: 0.0,
            longest: 0.0,
        }
    }

    fn add(&mut self, row: &PathRow, path: &str, known: &str) {
        let took = row.took.as_secs_f64();
        let found = match &row.outcome {
            PathOutcome::Feasible(..) => "feasible",
            PathOutcome::Infeasible => "infeasible",
            PathOutcome::Open(_) => "open",
        };
        self.count += 1;
        self.feasible += usize::from(found == "feasible");
        self.infeasible += usize::from(found == "infeasible");
        self.open += usize::from(found == "open");
        self.within_a_second += usize::from(found != "open" && took <= 1.0);
        self.seconds += took;
        self.longest = self.longest.max(took);
        if found != "open" && !known.is_empty() && known != found {
            self.wrong.push(path.to_owned());
        }
    }
}

/// Measure what the lists of a folder name.
///
/// # Errors
/// What is wrong with a list or the code.
pub fn measure(
    folder: &Path,
    flags: &Flags,
    plan: PathsPlan,
    progress: &dyn Fn(&str),
) -> Result<PathsDocument, CoverFailure> {
    let mut document = PathsDocument { plan, groups: Vec::new(), goals: Vec::new() };
    known(folder, flags, &mut document, progress)?;
    if folder.join(super::cover::LIST).is_file() {
        for (entry, program) in programs(folder, flags)? {
            progress(&entry.function);
            document.groups.push(random(&entry.function, &program, plan));
        }
    }
    goals(folder, flags, &mut document, progress)?;
    Ok(document)
}

/// The rows of a list, as many columns as are named; none where there is no such file.
fn rows(path: &Path, columns: &[&str]) -> Result<Vec<Vec<String>>, CoverFailure> {
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let failed = |e: &dyn std::fmt::Display| CoverFailure::List(format!("{}: {e}", path.display()));
    let mut reader = csv::Reader::from_path(path).map_err(|e| failed(&e))?;
    let header = reader.headers().map_err(|e| failed(&e))?.clone();
    let places: Option<Vec<usize>> = columns.iter().map(|c| header.iter().position(|h| h == *c)).collect();
    let places = places.ok_or_else(|| failed(&format!("expected the columns {}", columns.join(", "))))?;
    let mut all = Vec::new();
    for row in reader.records() {
        let row = row.map_err(|e| failed(&e))?;
        all.push(places.iter().map(|c| row.get(*c).unwrap_or_default().to_owned()).collect());
    }
    Ok(all)
}

/// The program of each function that rows name in their first column.
fn by_name(folder: &Path, flags: &Flags, rows: &[Vec<String>]) -> Result<HashMap<String, CodeProgram>, CoverFailure> {
    let mut all = HashMap::new();
    if rows.is_empty() {
        return Ok(all);
    }
    let module = compile_alone(&sources(folder)?, flags)
        .map_err(CoverFailure::Code)?
        .module(None)
        .map_err(CoverFailure::Module)?;
    for row in rows {
        if !all.contains_key(&row[0]) {
            let program = CodeProgram::new(module.clone(), &row[0], &[]);
            all.insert(row[0].clone(), program.map_err(|e| CoverFailure::Function(row[0].clone(), e))?);
        }
    }
    Ok(all)
}

/// Paths with known answers.
fn known(
    folder: &Path,
    flags: &Flags,
    document: &mut PathsDocument,
    progress: &dyn Fn(&str),
) -> Result<(), CoverFailure> {
    let rows = rows(&folder.join(PATHS), &["function", "group", "path", "known"])?;
    let programs = by_name(folder, flags, &rows)?;
    for row in rows {
        let [function, group, path, known] = &row[..] else { continue };
        if halt::requested() {
            break;
        }
        progress(&format!("{function}: {group}"));
        let limits = PathLimits { boxes: document.plan.boxes, ..PathLimits::default() };
        let ways: Vec<u32> = path.chars().map(|c| u32::from(c == 'T')).collect();
        let found = Explorer::new(&programs[function], limits).decide(&ways);
        let groups = &mut document.groups;
        let at = groups.iter().position(|g| g.function == *function && g.group == *group).unwrap_or_else(|| {
            groups.push(PathGroup::new(function, group));
            groups.len() - 1
        });
        groups[at].add(&found, path, known);
    }
    Ok(())
}

/// Numbers of the size that people write, as inputs.
fn input(program: &CodeProgram, rng: &mut Random) -> Vec<u64> {
    let size = [1.0, 2.0, 10.0, 50.0][rng.index(4)];
    let one = |_: &_| ((rng.bits() >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0) * size;
    let numbers: Vec<f64> = program.inputs.iter().map(one).collect();
    program.inputs.iter().zip(numbers).map(|(i, x)| i.kind.nearest(x)).collect()
}

/// Paths of random inputs, and each with its last decision turned.
fn random(function: &str, program: &CodeProgram, plan: PathsPlan) -> PathGroup {
    let mut group = PathGroup::new(function, "random inputs, last decision turned");
    let limits = PathLimits { boxes: plan.boxes, decisions: plan.decisions, ..PathLimits::default() };
    let mut explorer = Explorer::new(program, limits);
    let mut rng = Random::seeded(0);
    let mut seen: Vec<Vec<u32>> = Vec::new();
    // Functions with few paths have no more.
    for _ in 0..100 * plan.paths {
        if seen.len() == plan.paths || halt::requested() {
            break;
        }
        let (path, _) = explorer.path_of(&input(program, &mut rng));
        let ways: Vec<u32> = path.decisions.iter().map(|d| d.goal.way).collect();
        if ways.is_empty() || seen.contains(&ways) {
            continue;
        }
        group.add(&explorer.decide(&ways), "", "feasible");
        let last = ways.len() - 1;
        group.add(&explorer.turned(&path, last, 1 - ways[last].min(1)), "", "");
        seen.push(ways);
    }
    group
}

/// Conditions, each from random starts.
fn goals(
    folder: &Path,
    flags: &Flags,
    document: &mut PathsDocument,
    progress: &dyn Fn(&str),
) -> Result<(), CoverFailure> {
    let rows = rows(&folder.join(GOALS), &["function", "condition"])?;
    let programs = by_name(folder, flags, &rows)?;
    for row in rows {
        let [function, condition] = &row[..] else { continue };
        if halt::requested() {
            break;
        }
        progress(function);
        let made = compile_goal(&programs[function], &sources(folder)?, flags, condition);
        let made = made.map_err(|e| CoverFailure::List(format!("{GOALS}: {function}: {e}")))?;
        let module = made.compiled.module(None).map_err(CoverFailure::Module)?;
        let program = CodeProgram::new(module, GOAL, &[]).map_err(|e| CoverFailure::Function(function.clone(), e))?;
        document.goals.push(goal(function, condition, &program, document.plan));
    }
    Ok(())
}

fn goal(function: &str, condition: &str, program: &CodeProgram, plan: PathsPlan) -> PathGoal {
    let goals = holds(program);
    let mut evaluations = Vec::new();
    let mut found = 0;
    for start in 0..plan.starts {
        let limits = coverage::CoverageLimits { evaluations: plan.evaluations, seed: start };
        let mut search = Coverage::new(program, &program.reached(), limits);
        search.only(&goals);
        search.begin_at(&input(program, &mut Random::seeded(start)));
        search.reach(BUDGET);
        let is_found =
            search.goals.iter().zip(&search.reached).any(|(g, r)| goals.contains(g) && matches!(r, Reached::By(_)));
        let took = search.evaluations + search.solved;
        found += usize::from(is_found && took <= plan.evaluations);
        evaluations.push(if is_found { took } else { u64::MAX });
    }
    evaluations.sort_unstable();
    PathGoal {
        function: function.to_owned(),
        condition: condition.to_owned(),
        found,
        starts: evaluations.len(),
        evaluations,
    }
}

impl PathsDocument {
    /// Whether nothing contradicts what is known.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.groups.iter().all(|g| g.wrong.is_empty())
    }

    /// For a person.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = format!(
            "{:<18} {:<36} {:>5} {:>8} {:>10} {:>4} {:>8} {:>8} {:>8}\n",
            "function", "paths", "count", "feasible", "infeasible", "open", "in 1 s", "seconds", "longest"
        );
        for g in &self.groups {
            let _ = writeln!(
                out,
                "{:<18} {:<36} {:>5} {:>8} {:>10} {:>4} {:>8} {:>8.3} {:>8.3}",
                g.function, g.group, g.count, g.feasible, g.infeasible, g.open, g.within_a_second, g.seconds, g.longest
            );
            for path in &g.wrong {
                let _ = writeln!(out, "  not what is known: {path}");
            }
        }
        for g in &self.goals {
            let middle = g.evaluations.get(g.evaluations.len() / 2).filter(|n| **n < u64::MAX);
            let middle = middle.map_or(String::new(), |n| format!(", median {n} evaluations"));
            let _ = writeln!(
                out,
                "{:<18} {}: found from {} of {} starts within {} evaluations{middle}",
                g.function, g.condition, g.found, g.starts, self.plan.evaluations
            );
        }
        out
    }
}
