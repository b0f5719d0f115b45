//! Inputs once more, in the interpreter and in the native program: results, what is behind pointers, and how often each
//! branch is taken.

use super::value::text;
use crate::code::compile::Flags;
use crate::code::ins::Test;
use crate::code::native::{Native, NativeError, Outcome, real};
use crate::code::program::{Goal, Kind, Program};
use crate::code::run::{Runner, Watch};
use crate::search::ordinal::masked;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// A call that comes to something else in the native program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// The inputs, floats in hexadecimal.
    pub input: Vec<String>,
    /// What the interpreter gives.
    pub interpreter: String,
    /// What the native program gives.
    pub native: String,
}

/// How often branches are taken by line: the interpreter's counts beside `gcov`'s.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lines {
    /// Lines on which both know as many branches, and take them as often.
    pub same: usize,
    /// The other lines, with `FILE:LINE` and the counts of both, ascending.
    pub different: Vec<(String, Vec<u64>, Vec<u64>)>,
}

/// What a replay came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replayed {
    /// The native compiler, as it was called.
    pub compiler: String,
    /// Calls whose results are the same, bit for bit; all NaNs are one.
    pub same: u64,
    /// The other calls.
    pub different: Vec<Difference>,
    /// Calls that do not return in the interpreter: a native program may do anything there.
    pub left_out: u64,
    /// Branches by line.
    pub lines: Lines,
}

impl Replayed {
    /// For a person, in a line and perhaps more.
    #[must_use]
    pub fn text(&self) -> String {
        let all = self.same + self.different.len() as u64;
        let lines = self.lines.same + self.lines.different.len();
        let mut out = format!("{}: {} of {all} results the same bit for bit", self.compiler, self.same);
        if lines > 0 {
            out += &format!(", branch counts of gcov the same on {} of {lines} lines", self.lines.same);
        }
        if self.left_out > 0 {
            out += &format!("; {} calls that do not return left out", self.left_out);
        }
        for d in &self.different {
            out += &format!("\n    {}: {} here, {} in the native program", d.input.join(" "), d.interpreter, d.native);
        }
        for (line, ours, theirs) in &self.lines.different {
            out += &format!("\n    {line}: taken {ours:?} times here, {theirs:?} times by gcov");
        }
        out
    }
}

/// Counts the branches that runs take.
#[derive(Default)]
struct Counts(HashMap<Goal, u64>);

impl Watch for Counts {
    fn branch(&mut self, site: u32, way: u32, _: Test, _: u64, _: u64) {
        *self.0.entry(Goal { site, way }).or_default() += 1;
    }

    fn arm(&mut self, site: u32, arm: u32, _: u32, _: u32) {
        *self.0.entry(Goal { site, way: arm }).or_default() += 1;
    }
}

/// What a run of the interpreter gave, to compare with a native one; none where it did not return.
fn interpreted(
    program: &Program,
    runner: &mut Runner<'_>,
    input: &[u64],
    watch: &mut impl Watch,
) -> Option<(Option<u64>, Vec<u64>)> {
    let result = program.run(runner, input, watch).ok()?;
    Some((program.result().and(result), program.behind(runner)))
}

/// Whether a native call came to the same; NaNs of any bits are one.
fn is_same(program: &Program, ours: &(Option<u64>, Vec<u64>), theirs: &Outcome) -> bool {
    let Outcome::Returned(result, behind) = theirs else { return false };
    let equal = |kind: Kind, a: u64, b: u64| {
        let nan = |x: u64| match kind {
            Kind::F64 => f64::from_bits(x).is_nan(),
            Kind::F32 => f32::from_bits(x as u32).is_nan(),
            Kind::Bool | Kind::Int { .. } => false,
        };
        masked(kind, a) == masked(kind, b) || (nan(a) && nan(b))
    };
    let kinds = program.kinds_behind();
    let all_equal =
        ours.1.len() == behind.len() && ours.1.iter().zip(behind).zip(kinds).all(|((a, b), kind)| equal(kind, *a, *b));
    all_equal
        && match (ours.0, *result, program.result()) {
            (Some(a), Some(b), Some(kind)) => equal(kind, a, b),
            (None, None, _) => true,
            _ => false,
        }
}

fn said(program: &Program, result: Option<u64>, behind: &[u64]) -> String {
    let one = |kind: Kind, bits: u64| text(kind, masked(kind, bits)).0;
    let mut all: Vec<String> = program.result().zip(result).map(|(k, x)| one(k, x)).into_iter().collect();
    let changed = program.kinds_behind().zip(behind).filter(|(_, x)| **x != 0);
    all.extend(changed.map(|(kind, x)| one(kind, *x)));
    all.join(" ")
}

/// Compare calls of functions with those of a native program made of them, each given by the function's number and its
/// inputs.
///
/// # Errors
/// What the native program does not do.
pub fn compare(
    programs: &[&Program],
    native: &Native,
    calls: &[(usize, Vec<u64>)],
    mut watch: impl Watch,
) -> Result<Replayed, NativeError> {
    let mut runners: Vec<Runner<'_>> = programs.iter().map(|p| Runner::new(&p.module)).collect();
    let mut returned = Vec::new();
    for (function, input) in calls {
        // Counts are those of calls that return: what a trap leaves behind is counted by nobody.
        let program = programs[*function];
        if interpreted(program, &mut runners[*function], input, &mut crate::code::run::Blind).is_some() {
            returned.extend(
                interpreted(program, &mut runners[*function], input, &mut watch).map(|ours| (*function, input, ours)),
            );
        }
    }
    let asked: Vec<(usize, &[u64])> = returned.iter().map(|(f, input, _)| (*f, &input[..])).collect();
    let mut replayed = Replayed {
        compiler: native.compiler.clone(),
        same: 0,
        different: Vec::new(),
        left_out: (calls.len() - returned.len()) as u64,
        lines: Lines::default(),
    };
    for ((function, input, ours), theirs) in returned.iter().zip(native.calls(&asked)?) {
        let program = programs[*function];
        if is_same(program, ours, &theirs) {
            replayed.same += 1;
            continue;
        }
        let kinds = program.inputs.iter().map(|i| i.kind);
        replayed.different.push(Difference {
            input: std::iter::once(program.name().to_owned())
                .chain(kinds.zip(*input).map(|(k, x)| text(k, *x).0))
                .collect(),
            interpreter: said(program, ours.0, &ours.1),
            native: match theirs {
                Outcome::Returned(result, behind) => said(program, result, &behind),
                Outcome::Exited => "exit".to_owned(),
                Outcome::Signal(n) => format!("signal {n}"),
            },
        });
    }
    Ok(replayed)
}

/// Replay inputs of one function in a native program of its sources, and compare results and branches.
///
/// # Errors
/// What the native program does not do.
pub fn replay(
    program: &Program,
    (sources, flags): (&[PathBuf], &Flags),
    inputs: Vec<Vec<u64>>,
    goals: &[Goal],
) -> Result<Replayed, NativeError> {
    let native = Native::build(&[program], sources, flags, true)?;
    let mut counts = Counts::default();
    let calls: Vec<(usize, Vec<u64>)> = inputs.into_iter().map(|input| (0, input)).collect();
    let mut replayed = compare(&[program], &native, &calls, &mut counts)?;
    let theirs = native.counts()?;
    let mut ours: BTreeMap<(&str, u32), Vec<u64>> = BTreeMap::new();
    for goal in goals {
        let Some(place) = program.place(goal.site) else { continue };
        let count = counts.0.get(goal).copied().unwrap_or(0);
        ours.entry((&place.file, place.line)).or_default().push(count);
    }
    for ((file, line), mut counts) in ours {
        let mut others = theirs.get(&(real(Path::new(file)), line)).cloned().unwrap_or_default();
        counts.sort_unstable();
        others.sort_unstable();
        if counts == others {
            replayed.lines.same += 1;
        } else {
            replayed.lines.different.push((format!("{file}:{line}"), counts, others));
        }
    }
    Ok(replayed)
}
