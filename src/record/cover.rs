//! `cover.json`: what a search for coverage came to.

use super::manifest::{ManifestInput, file_name, hash, inputs, sizes};
use super::proved::{BranchCode, ProvedModule};
use super::{Document, Fields, Versioned};
use crate::code::machine::Trap;
use crate::code::program::CodeProgram;
use crate::csp::look::Prepared;
use crate::num::float::{decimal, hex};
use crate::reach::coverage::{Coverage, FoundInput, Reached};
use crate::reach::recheck::Recheck;
use crate::reach::replay::Replayed;
use crate::reach::value::text;
use crate::spec::Spec;
use crate::worst::branches::BranchWorst;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What became of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BranchStatus {
    /// Some input takes it.
    Taken,
    /// Proved that none does, whatever the call.
    Infeasible,
    /// Proved that none does, under assumptions.
    Given,
    /// Neither.
    Open,
}

/// A branch.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Branch {
    /// The source file.
    pub file: String,
    /// Where the test stands; 0 where it is not known.
    pub line: u32,
    /// The column of it.
    pub column: u32,
    /// Among the tests of the same place, from 1.
    pub occurrence: u32,
    /// Which way: 0 or 1, or the arm of a switch.
    pub way: u32,
    /// The line at which the program goes on; 0 where it is not known.
    pub to: u32,
    /// Where there is no debugging information, the offset of its instruction in the code section; `file` is the function.
    pub offset: Option<u32>,
    /// Where it is no branch, what is asked of the operation there.
    pub asked: Option<String>,
    /// What became of it.
    pub status: BranchStatus,
    /// The input that takes it, by index.
    pub by: Option<usize>,
    /// Of one that is infeasible under assumptions, these.
    pub given: Vec<String>,
    /// Of an infeasible one: the boxes that together hold all inputs.
    pub boxes: Option<u64>,
    /// Of one whose proof was looked at again, what became of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recheck: Option<Recheck>,
    /// Where one that is taken or infeasible stands in the module, for a program that looks at that again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<BranchCode>,
    /// With a specification, the input with the largest error found among those of the domain that take it, by index.
    pub worst: Option<usize>,
}

/// An input with what the code returned.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CoveredInput {
    /// The inputs, floats in hexadecimal.
    pub input: Vec<String>,
    /// The same in decimal.
    pub input_dec: Vec<String>,
    /// The result, or why there is none.
    pub result: String,
    /// The same in decimal.
    pub result_dec: String,
    /// The branches that it was the first to take, by index.
    pub branches: Vec<usize>,
    /// The branches on which its error is the largest that was found, by index.
    pub worst_of: Vec<usize>,
    /// `OK`, `KO`, `UNCERTAIN`, or `outside` the specification's domain; none without a specification.
    pub verdict: Option<String>,
    /// The error in units of the tolerance, and in ulps of the exact value, where a finite result is owed and came.
    pub error_in_bounds: Option<String>,
    /// The same in ulps.
    pub error_in_ulps: Option<String>,
    /// The smallest and the largest result that are right or, at the last precision, may be; none where no result is owed.
    #[serde(default)]
    pub owed: Option<[String; 2]>,
    /// The input's bits.
    #[serde(skip)]
    pub bits: Vec<u64>,
    /// The input's values as binary64 numbers where they are that, for an oracle.
    #[serde(skip)]
    pub values: Option<Vec<f64>>,
    /// The result as binary64.
    #[serde(skip)]
    pub value: Option<f64>,
}

/// The specification whose oracle judged the inputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Judging {
    /// Its name.
    pub specification: String,
    /// The requirement that it answers to.
    pub requirement: Option<String>,
    /// The name of its file, without folders.
    pub file: String,
    /// SHA-256 of its file; empty in documents that say nothing of it.
    #[serde(default)]
    pub sha256: String,
    /// The accuracy in words.
    pub accuracy: String,
    /// The inputs in order.
    pub inputs: Vec<ManifestInput>,
    /// The sizes of arrays that have a name.
    #[serde(default, skip_serializing_if = "Fields::is_empty")]
    pub sizes: Fields<usize>,
    /// The floating-point format of results.
    pub result_format: String,
}

impl Judging {
    /// By this specification, which was read from a file of this text.
    #[must_use]
    pub fn of(spec: &Spec, source: &[u8]) -> Self {
        Judging {
            specification: spec.name.clone(),
            requirement: spec.requirement.clone(),
            file: file_name(spec),
            sha256: hash(source),
            accuracy: spec.accuracy.to_string(),
            inputs: inputs(spec),
            sizes: sizes(spec),
            result_format: spec.result_format.name().to_owned(),
        }
    }
}

/// `cover.json` of one function, and what `magneto cover --json` prints of it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CoveredFunction {
    /// The function.
    pub function: String,
    /// The function that is called before each run, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// Names of the inputs.
    pub inputs: Vec<String>,
    /// Runs of the code.
    pub evaluations: u64,
    /// How many of these ended otherwise than by returning, by what they ended at.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ended: BTreeMap<String, u64>,
    /// Branches taken.
    pub taken: usize,
    /// Branches proved infeasible, whatever the call.
    pub infeasible: usize,
    /// Branches proved infeasible under assumptions, which count as open.
    pub infeasible_given: usize,
    /// Branches of which nothing is known.
    pub open: usize,
    /// Every branch.
    pub branches: Vec<Branch>,
    /// The inputs that took something new, in the order in which they were found; those of largest errors follow.
    pub runs: Vec<CoveredInput>,
    /// The specification that judged them.
    #[serde(default)]
    pub judging: Option<Judging>,
    /// The module that proofs are about, where a file has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module: Option<ProvedModule>,
    /// What a native program came to, where there is one.
    pub native: Option<Replayed>,
}

impl Document for CoveredFunction {
    const SCHEMA: &'static str = "magneto/cover/1";
    const WRITER: &'static str = "cover";
}

/// `cover.json` of several functions, which has all of those in the folders beside it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CoveredFunctions {
    /// The functions in order.
    pub functions: Vec<Versioned<CoveredFunction>>,
    /// Functions that could not be looked into.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<RefusedFunction>,
}

/// A function that could not be looked into.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RefusedFunction {
    /// Its name.
    pub function: String,
    /// Why.
    pub reason: String,
}

impl Document for CoveredFunctions {
    const SCHEMA: &'static str = "magneto/cover-run/1";
    const WRITER: &'static str = "cover";
}

impl CoveredFunction {
    /// What a search found and proved.
    #[must_use]
    pub fn new(program: &CodeProgram, coverage: &Coverage<'_>, functions: &[u32]) -> Self {
        let occurrences: BTreeMap<u32, u32> = program.sites(functions).into_iter().collect();
        let kept: Vec<usize> = (0..coverage.goals.len()).filter(|g| coverage.is_wanted(*g)).collect();
        let found = coverage.found.iter().enumerate();
        let found: Vec<(usize, &FoundInput)> =
            found.filter(|(_, f)| coverage.is_straight() || f.first.iter().any(|g| coverage.is_wanted(*g))).collect();
        let run_of = |at: usize| found.iter().position(|(n, _)| *n == at);
        let branches = kept.iter().map(|i| {
            let goal = &coverage.goals[*i];
            let place = program.place(goal.site);
            let (status, by, boxes, given) = match &coverage.reached[*i] {
                Reached::By(run) => (BranchStatus::Taken, run_of(*run), None, Vec::new()),
                Reached::Infeasible { boxes, given } => {
                    let given = program.assumptions(*given);
                    let status = if given.is_empty() { BranchStatus::Infeasible } else { BranchStatus::Given };
                    (status, None, Some(*boxes), given)
                }
                Reached::Open(_) => (BranchStatus::Open, None, None, Vec::new()),
            };
            let site = &program.module.sites[goal.site as usize];
            let function = &program.module.functions[site.function as usize];
            Branch {
                // Without debugging information there is the function, and a place in the code.
                file: place.map_or_else(|| function.name.clone(), |p| p.file.clone()),
                line: place.map_or(0, |p| p.line),
                column: place.map_or(0, |p| p.column),
                offset: place.is_none().then(|| function.offsets[site.pc as usize]),
                occurrence: occurrences.get(&goal.site).copied().unwrap_or(1),
                way: goal.way,
                to: program.leads_to(*goal).unwrap_or(0),
                asked: program.asked(goal.site),
                status,
                by,
                given,
                boxes,
                recheck: coverage.rechecked.get(i).cloned(),
                code: matches!(status, BranchStatus::Taken | BranchStatus::Infeasible)
                    .then(|| BranchCode::of(program, *goal))
                    .flatten(),
                worst: None,
            }
        });
        let mut branches: Vec<Branch> = branches.collect();
        numbered(&mut branches);
        if coverage.is_straight() {
            branches.push(through(program, coverage));
        }
        let takes = |f: &FoundInput| -> Vec<usize> {
            if coverage.is_straight() {
                return vec![0];
            }
            f.first.iter().filter_map(|g| kept.binary_search(g).ok()).collect()
        };
        let count = |status| branches.iter().filter(|b| b.status == status).count();
        CoveredFunction {
            function: program.full_name().into_owned(),
            before: program.module.before.map(|f| program.module.functions[f as usize].name.clone()),
            inputs: program.inputs.iter().map(|i| i.name.clone()).collect(),
            evaluations: coverage.evaluations,
            ended: coverage.ended.clone(),
            taken: count(BranchStatus::Taken),
            infeasible: count(BranchStatus::Infeasible),
            infeasible_given: count(BranchStatus::Given),
            open: count(BranchStatus::Open),
            module: branches.iter().any(|b| b.code.is_some()).then(|| ProvedModule::of(program)).flatten(),
            runs: found.iter().map(|(_, f)| run(program, &f.input, &f.outcome, &takes(f))).collect(),
            branches,
            judging: None,
            native: None,
        }
    }

    /// Withdraws what is called infeasible, as where the native program does not do what the module does: which of them the user has is
    /// not known then. Whether something was withdrawn.
    pub fn withdraw_proofs(&mut self) -> bool {
        let mut withdrawn = false;
        for branch in &mut self.branches {
            if matches!(branch.status, BranchStatus::Infeasible | BranchStatus::Given) {
                withdrawn = true;
                branch.status = BranchStatus::Open;
                branch.given.clear();
                (branch.boxes, branch.recheck, branch.code) = (None, None, None);
            }
        }
        self.open = self.branches.iter().filter(|b| b.status == BranchStatus::Open).count();
        (self.infeasible, self.infeasible_given) = (0, 0);
        withdrawn
    }

    /// Adds the inputs with the largest error on each branch.
    pub fn add_worst(&mut self, program: &CodeProgram, worst: &[Option<BranchWorst>]) {
        for (branch, worst) in worst.iter().enumerate() {
            let Some(worst) = worst else { continue };
            let new = run(program, &worst.input, &worst.outcome, &[]);
            let at = self.runs.iter().position(|r| r.bits == new.bits).unwrap_or_else(|| {
                self.runs.push(new);
                self.runs.len() - 1
            });
            self.runs[at].worst_of.push(branch);
            self.branches[branch].worst = Some(at);
        }
    }

    /// Gives each run its verdict by a specification, which was read from a file of this text. Those whose inputs are no numbers of
    /// the specification's formats are outside.
    pub fn judge(&mut self, spec: &Spec, source: &[u8], cap: u32) {
        self.judging = Some(Judging::of(spec, source));
        let prepared = Prepared::new(spec);
        for run in &mut self.runs {
            let held = |v: &&Vec<f64>| spec.inputs.iter().zip(*v).all(|(i, x)| x.is_finite() && i.format.holds(*x));
            let Some(values) = run.values.as_ref().filter(held) else {
                run.verdict = Some("outside".to_owned());
                continue;
            };
            let look = prepared.look(values, cap);
            let judged = look.judge(spec, run.value.unwrap_or(f64::NAN));
            let word = if look.is_outside() { "outside" } else { judged.verdict.name() };
            run.verdict = Some(word.to_owned());
            run.owed = look.allowed().map(|(lo, hi)| [hex(lo), hex(hi)]);
            let error = judged.error.filter(|_| word != "outside");
            run.error_in_bounds = error.map(|e| decimal(e.0));
            run.error_in_ulps = error.map(|e| decimal(e.1));
        }
    }

    /// How many proofs were confirmed; none where they were not looked at again.
    #[must_use]
    pub fn confirmed(&self) -> Option<usize> {
        let mut rechecks = self.branches.iter().filter_map(|b| b.recheck.as_ref()).peekable();
        rechecks.peek()?;
        Some(rechecks.filter(|r| matches!(r, Recheck::Confirmed(_))).count())
    }

    /// The share of the branches that can be taken, as far as is known, that are; 1 where there is none.
    #[must_use]
    pub fn coverage(&self) -> f64 {
        let feasible = self.branches.len() - self.infeasible;
        if feasible == 0 { 1.0 } else { self.taken as f64 / feasible as f64 }
    }
}

/// The one goal of a function without branches: its whole domain, which any input takes that it returns from.
fn through(program: &CodeProgram, coverage: &Coverage<'_>) -> Branch {
    let (function, place) = (&program.module.functions[program.entry as usize], program.begins());
    let is_taken = coverage.found.iter().any(|f| f.outcome.is_ok());
    Branch {
        file: place.map_or_else(|| function.name.clone(), |p| p.file.clone()),
        line: place.map_or(0, |p| p.line),
        column: place.map_or(0, |p| p.column),
        occurrence: 1,
        way: 0,
        to: place.map_or(0, |p| p.line),
        offset: if place.is_none() { function.offsets.first().copied() } else { None },
        asked: Some(THROUGH.to_owned()),
        status: if is_taken { BranchStatus::Taken } else { BranchStatus::Open },
        by: is_taken.then_some(0),
        given: Vec::new(),
        boxes: None,
        recheck: None,
        code: None,
        worst: None,
    }
}

/// What the goal of a function without branches is called.
const THROUGH: &str = "the whole domain";

/// Numbers what is asked more than once at a place, from 1.
fn numbered(branches: &mut [Branch]) {
    let mut seen: BTreeMap<(String, u32, u32, Option<u32>, String), u32> = BTreeMap::new();
    for b in branches {
        let Some(asked) = &b.asked else { continue };
        let count = seen.entry((b.file.clone(), b.line, b.column, b.offset, asked.clone())).or_insert(0);
        *count += 1;
        b.occurrence = *count;
    }
}

fn run(program: &CodeProgram, input: &[u64], outcome: &Result<Option<u64>, Trap>, first: &[usize]) -> CoveredInput {
    let kinds = || program.inputs.iter().map(|i| i.kind);
    let texts: Vec<(String, String)> = kinds().zip(input).map(|(k, x)| text(k, *x)).collect();
    let (result, result_dec) = match (outcome, program.result()) {
        (Ok(Some(bits)), Some(kind)) => text(kind, *bits),
        (Ok(_), _) => ("none".to_owned(), "none".to_owned()),
        (Err(trap), _) => (format!("trap: {trap}"), format!("trap: {trap}")),
    };
    CoveredInput {
        input: texts.iter().map(|t| t.0.clone()).collect(),
        input_dec: texts.into_iter().map(|t| t.1).collect(),
        result,
        result_dec,
        branches: first.to_vec(),
        worst_of: Vec::new(),
        verdict: None,
        error_in_bounds: None,
        error_in_ulps: None,
        owed: None,
        bits: input.to_vec(),
        values: kinds().zip(input).map(|(k, x)| k.number(*x)).collect(),
        value: match (outcome, program.result()) {
            (Ok(Some(bits)), Some(kind)) => kind.number(*bits),
            _ => None,
        },
    }
}
