//! Inputs once more, in the interpreter and in the native program: results, what is behind pointers, and how often each
//! branch is taken.

use super::attack::{Attack, AttackError, Contradiction, named, shown};
use super::lines::{Claim, Counts, LineCounts, beside, claims, places};
use super::value::text;
use crate::code::ins::{Binary, Ins};
use crate::code::machine::Trap;
use crate::code::native::{Native, NativeCall, NativeError, NativeOutcome};
use crate::code::probe::Probe;
use crate::code::program::{BranchGoal, CodeProgram};
use crate::code::run::{Blind, Runner, Watch};
use crate::floats::BitsKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// A call that comes to something else in the native program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Difference {
    /// The inputs, floats in hexadecimal.
    pub input: Vec<String>,
    /// What the interpreter gives.
    pub interpreter: String,
    /// What the native program gives.
    pub native: String,
    /// The signal that ends the native program, if one does.
    #[serde(skip)]
    signal: Option<u64>,
}

/// What a replay came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Replayed {
    /// The native compiler, as it was called.
    pub compiler: String,
    /// Calls that come to the same: results bit for bit, where all NaNs are one, or the same end of the program.
    pub same: u64,
    /// The other calls.
    pub different: Vec<Difference>,
    /// The inputs of calls that are left out because the native result depends on values that the code never writes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unwritten: Vec<Vec<String>>,
    /// Calls that leave memory, do not end, depend on what an address is as a number, or else do what a native program may do anything
    /// for.
    pub left_out: u64,
    /// Branches by line.
    pub lines: LineCounts,
    /// Calls that were made up, to take what is called infeasible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attack: Option<Attack>,
}

impl Replayed {
    /// Whether the native program does something else.
    #[must_use]
    pub fn differs(&self) -> bool {
        !self.different.is_empty() || !self.lines.different.is_empty()
    }

    /// Adds calls that divide by 0: the processor refuses them, or the compiler has made something else of the division.
    fn refuse(&mut self, native: &Native, calls: &[NativeCall]) -> Result<(), NativeError> {
        let refused = native.calls(calls)?.iter().filter(|o| **o == NativeOutcome::Signal(SIGFPE)).count();
        self.same += refused as u64;
        self.left_out += (calls.len() - refused) as u64;
        Ok(())
    }

    /// For a person, in a line and perhaps more.
    #[must_use]
    pub fn text(&self) -> String {
        let all = self.same + self.different.len() as u64;
        let lines = self.lines.same + self.lines.different.len();
        let mut out = format!("{}: {} of {all} results the same bit for bit", self.compiler, self.same);
        if lines > 0 {
            out += &format!(", branch counts of gcov the same at {} of {lines} places", self.lines.same);
        }
        if !self.lines.apart.is_empty() {
            let have = if self.lines.apart.len() == 1 { "has" } else { "have" };
            out += &format!(" ({} {have} other branches there)", self.lines.apart.len());
        }
        if self.left_out > 0 {
            let calls = if self.left_out == 1 { "call" } else { "calls" };
            out += &format!("; {} {calls} left out, for which a native program may do anything", self.left_out);
        }
        if let Some(input) = self.unwritten.first() {
            let (count, such) = (self.unwritten.len(), input.join(" "));
            out += &format!(
                "; {count} left out whose result depends on values that the code never writes, such as {such}"
            );
        }
        for attack in self.attack.iter().filter(|a| a.calls > 0) {
            out += &format!("; {}", attack.text());
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

/// What a call comes to in the interpreter, as far as a native program must come to the same.
enum Ours {
    /// The result and what is behind pointers.
    Returned(Option<u64>, Vec<u64>),
    /// `abort`, `exit`, a failing assertion.
    Ended(Trap),
}

impl Ours {
    /// Runs a call; why it ends, where a native program may do anything.
    fn of(program: &CodeProgram, runner: &mut Runner<'_>, input: &[u64], watch: &mut impl Watch) -> Result<Ours, Trap> {
        match program.run(runner, input, watch) {
            Ok(result) => {
                let behind = program.behind(runner).ok_or(Trap::OutOfBounds)?;
                Ok(Ours::Returned(program.result().and(result), behind))
            }
            Err(trap @ (Trap::Abort | Trap::Assertion)) => Ok(Ours::Ended(trap)),
            Err(trap) => Err(trap),
        }
    }

    fn said(&self, program: &CodeProgram) -> String {
        match self {
            Ours::Returned(result, behind) => said(program, *result, behind),
            Ours::Ended(trap) => trap.to_string(),
        }
    }

    /// Whether a native call came to the same.
    fn is_same(&self, program: &CodeProgram, theirs: &NativeOutcome) -> bool {
        match self {
            Ours::Returned(result, behind) => is_same(program, (*result, behind), theirs),
            Ours::Ended(_) => matches!(theirs, NativeOutcome::Exited | NativeOutcome::Signal(SIGABRT)),
        }
    }
}

/// Other processors go on after a division by 0.
const IS_X86: bool = cfg!(any(target_arch = "x86", target_arch = "x86_64"));
const SIGABRT: u64 = 6;
const SIGFPE: u64 = 8;

/// Whether a native call came to the same; NaNs of any bits are one.
fn is_same(program: &CodeProgram, ours: (Option<u64>, &[u64]), theirs: &NativeOutcome) -> bool {
    let NativeOutcome::Returned(result, behind) = theirs else { return false };
    let equal = |kind: BitsKind, a: u64, b: u64| {
        let nan = |x: u64| match kind {
            BitsKind::F64 => f64::from_bits(x).is_nan(),
            BitsKind::F32 => f32::from_bits(x as u32).is_nan(),
            BitsKind::Bool | BitsKind::Int { .. } => false,
        };
        kind.masked(a) == kind.masked(b) || (nan(a) && nan(b))
    };
    let kinds = program.kinds_behind();
    // Of a `long double` that is a NaN the sign is nobody's.
    let nan = |x: &[u64], at: usize| x[at + 1] & 0x7fff == 0x7fff && x[at] << 1 != 0;
    let both = |at: &usize| ours.1.len() == behind.len() && nan(ours.1, *at) && nan(behind, *at);
    let none: Vec<usize> = program.wide_behind().into_iter().filter(both).flat_map(|at| [at, at + 1]).collect();
    let mut pairs = ours.1.iter().zip(behind).zip(kinds).enumerate();
    let all_equal =
        ours.1.len() == behind.len() && pairs.all(|(i, ((a, b), kind))| none.contains(&i) || equal(kind, *a, *b));
    all_equal
        && match (ours.0, *result, program.result()) {
            (Some(a), Some(b), Some(kind)) => equal(kind, a, b),
            (None, None, _) => true,
            _ => false,
        }
}

fn said(program: &CodeProgram, result: Option<u64>, behind: &[u64]) -> String {
    let one = |kind: BitsKind, bits: u64| text(kind, kind.masked(bits)).0;
    let mut all: Vec<String> = program.result().zip(result).map(|(k, x)| one(k, x)).into_iter().collect();
    let changed = program.kinds_behind().zip(behind).filter(|(_, x)| **x != 0);
    all.extend(changed.map(|(kind, x)| one(kind, *x)));
    all.join(" ")
}

/// Compare calls of functions with those of a native program made of them.
///
/// # Errors
/// What the native program does not do.
pub fn compare(
    programs: &[&CodeProgram],
    native: &Native,
    calls: Vec<NativeCall>,
    watch: impl Watch,
) -> Result<Replayed, NativeError> {
    let Compared { mut replayed, refused, .. } = compared(programs, native, calls, watch)?;
    replayed.refuse(native, &refused)?;
    Ok(replayed)
}

/// What a comparison came to.
struct Compared {
    replayed: Replayed,
    /// The calls that were compared.
    calls: Vec<NativeCall>,
    /// Those that are left because the processor may refuse a division: what they do otherwise must not be counted.
    refused: Vec<NativeCall>,
    /// The places of the calls that differ.
    differing: Vec<usize>,
    /// What the calls came to natively.
    outcomes: Vec<NativeOutcome>,
    /// The calls that are left out because their results depend on values that the code never writes. Claims are held against them
    /// all the same.
    unwritten: Vec<(NativeCall, Difference)>,
}

/// The same, in full.
fn compared(
    programs: &[&CodeProgram],
    native: &Native,
    calls: Vec<NativeCall>,
    mut watch: impl Watch,
) -> Result<Compared, NativeError> {
    let mut runners: Vec<Runner<'_>> = programs.iter().map(|p| Runner::new(&p.module)).collect();
    let (mut ours, mut asked, mut refused, all) = (Vec::new(), Vec::new(), Vec::new(), calls.len());
    for call in calls {
        let (program, runner) = (programs[call.function], &mut runners[call.function]);
        match Ours::of(program, runner, &call.input, &mut Blind) {
            Err(Trap::DivisionByZero | Trap::Overflow) if IS_X86 => refused.push(call),
            Err(_) => {}
            Ok(_) if runner.memory.has_looked_at_address() => {}
            Ok(own) => {
                let _ = program.run(runner, &call.input, &mut watch);
                ours.push(own);
                asked.push(call);
            }
        }
    }
    let mut replayed = Replayed {
        compiler: native.compiler.clone(),
        same: 0,
        different: Vec::new(),
        unwritten: Vec::new(),
        left_out: (all - asked.len() - refused.len()) as u64,
        lines: LineCounts::default(),
        attack: None,
    };
    let outcomes = native.calls(&asked)?;
    let mut differing = Vec::new();
    for (k, ((call, own), theirs)) in asked.iter().zip(ours).zip(&outcomes).enumerate() {
        let program = programs[call.function];
        if own.is_same(program, theirs) {
            replayed.same += 1;
            continue;
        }
        differing.push(k);
        replayed.different.push(Difference {
            input: shown(program, &call.input),
            interpreter: own.said(program),
            signal: if let NativeOutcome::Signal(n) = theirs { Some(*n) } else { None },
            native: match theirs {
                NativeOutcome::Returned(result, behind) => said(program, *result, behind),
                NativeOutcome::Exited => "exit".to_owned(),
                NativeOutcome::Signal(n) => format!("signal {n}"),
            },
        });
    }
    Ok(Compared { replayed, calls: asked, refused, differing, outcomes, unwritten: Vec::new() })
}

/// Compares calls of one function, and counts branches. Calls are left out whose result depends on values that the code never writes: in the
/// interpreter these are other ones.
fn compared_and_counted(
    program: &CodeProgram,
    native: &Native,
    calls: Vec<NativeCall>,
    counts: &mut Counts,
) -> Result<Compared, NativeError> {
    native.forget()?;
    let first = compared(&[program], native, calls.clone(), &mut *counts)?;
    let differing: Vec<NativeCall> = first.differing.iter().map(|k| first.calls[*k].clone()).collect();
    let outcomes: Vec<NativeOutcome> = first.differing.iter().map(|k| first.outcomes[*k].clone()).collect();
    let unwritten = native.unwritten(&[program], &differing, &outcomes)?;
    if !unwritten.contains(&true) {
        return Ok(first);
    }
    let both = differing.into_iter().zip(first.replayed.different).zip(unwritten);
    let left: Vec<(NativeCall, Difference)> = both.filter(|(_, unwritten)| *unwritten).map(|(both, _)| both).collect();
    *counts = Counts::default();
    native.forget()?;
    let others = calls.into_iter().filter(|call| left.iter().all(|(other, _)| other != call)).collect();
    let mut compared = compared(&[program], native, others, counts)?;
    compared.replayed.unwritten = left.iter().map(|(_, difference)| difference.input.clone()).collect();
    compared.unwritten = left;
    Ok(compared)
}

/// Replay inputs of one function in a native program of its sources, those that an attack kept as well; compare results and
/// branches, and look whether one that is `claimed` infeasible is taken.
///
/// # Errors
/// A branch that is claimed to be infeasible and is taken; what the native program does not do.
pub fn replay(
    program: &CodeProgram,
    native: &Native,
    inputs: Vec<Vec<u64>>,
    attack: Option<Attack>,
    claimed: &[BranchGoal],
) -> Result<Replayed, AttackError> {
    let of = |(input, filling)| NativeCall { function: 0, input, filling };
    let kept = attack.iter().flat_map(|a| &a.calls_kept).map(|k| of((k.input.clone(), k.filling)));
    let (filled, cleared): (Vec<_>, Vec<_>) = kept.partition(|call| call.filling != 0);
    let mut plain: Vec<NativeCall> = inputs.into_iter().map(|input| of((input, 0))).collect();
    plain.extend(cleared);
    let mut seen = HashSet::new();
    plain.retain(|call| seen.insert(call.clone()));
    let mut counts = Counts::default();
    let compared = compared_and_counted(program, native, plain, &mut counts)?;
    let Compared { mut replayed, mut calls, refused, unwritten, .. } = compared;
    let ended = |d: &&Difference| d.signal.is_some_and(|signal| is_excluded(program, claimed, signal));
    if let Some(d) = replayed.different.iter().chain(unwritten.iter().map(|(_, d)| d)).find(ended) {
        let branches = claimed.iter().map(|g| named(program, *g)).collect();
        return Err(Contradiction {
            branches,
            input: Some(d.input.clone()),
            is_interpreted: false,
            is_beyond_proofs: false,
        }
        .into());
    }
    let mut counted = native.counts()?;
    let places = places(program, &counted);
    replayed.lines = beside(&places, &counts, &counted);
    let more: Vec<NativeCall> = filled.into_iter().chain(unwritten.into_iter().map(|(call, _)| call)).collect();
    if !more.is_empty() {
        native.calls(&more)?;
        counted = native.counts()?;
        calls.extend(more);
    }
    let mut told = HashSet::new();
    for claim in claims(program, &places, claimed) {
        match claim.holds(&counted) {
            Some(false) => return Err(contradiction(program, native, &calls, &claim)?.into()),
            Some(true) => told.extend(claim.goals),
            None => {}
        }
    }
    replayed.refuse(native, &refused)?;
    replayed.attack = attack.map(|a| Attack { compared: told.len(), ..a });
    Ok(replayed)
}

/// Whether it is claimed that nothing ends the program with this signal: that no assertion fails, or no divisor is 0.
fn is_excluded(program: &CodeProgram, claimed: &[BranchGoal], signal: u64) -> bool {
    let asks = |probe: Probe| match signal {
        SIGABRT => probe == Probe::Reached,
        SIGFPE => IS_X86 && matches!(probe, Probe::ZeroDivisor(_)),
        _ => false,
    };
    let reached = program.reached();
    // The remainder of the least integer and -1 is 0, and refused.
    let refuses = |ins: &Ins| matches!(ins, Ins::Binary(Binary::I32RemS | Binary::I64RemS));
    let is_other =
        signal == SIGFPE && reached.iter().any(|f| program.module.functions[*f as usize].code.iter().any(refuses));
    let sites = program.sites(&reached).into_iter().map(|(site, _)| site);
    let asked: Vec<u32> = sites.filter(|s| program.module.sites[*s as usize].probe.is_some_and(asks)).collect();
    !is_other && !asked.is_empty() && asked.iter().all(|site| claimed.contains(&BranchGoal { site: *site, way: 1 }))
}

impl From<Contradiction> for AttackError {
    fn from(c: Contradiction) -> Self {
        AttackError::Contradicted(c)
    }
}

/// The call after which counts contradict a claim. Those that take what can be taken come first, so that it is the one that
/// takes something else.
fn contradiction(
    program: &CodeProgram,
    native: &Native,
    calls: &[NativeCall],
    claim: &Claim,
) -> Result<Contradiction, NativeError> {
    // The counts after so few calls do not, after so many they do.
    let (mut few, mut many) = (0, calls.len());
    while many - few > 1 {
        let middle = few + (many - few) / 2;
        native.forget()?;
        native.calls(&calls[..middle])?;
        if claim.holds(&native.counts()?) == Some(false) {
            many = middle;
        } else {
            few = middle;
        }
    }
    let branches = claim.goals.iter().map(|g| named(program, *g)).collect();
    let input = calls.get(few).map(|call| {
        let mut input = shown(program, &call.input);
        input.extend((call.filling != 0).then(|| "(and values behind pointers)".to_owned()));
        input
    });
    let is_beyond_proofs = calls.get(few).is_some_and(|call| program.is_beyond_proofs(&call.input));
    Ok(Contradiction { branches, input, is_interpreted: false, is_beyond_proofs })
}
