//! The precision ladder: a function at one exact input, seen at one precision after the other.

use super::refine::{Height, Known, enclosed, refine};
use super::twins::Twins;
use super::unit_roundoff;
use super::valid::{Ends, ValidSet};
use crate::halt;
use crate::num::float::power_of_two;
use crate::num::mpfr::{Float, Round};
use crate::num::{Interval, MpInterval, Rational, Ternary};
use crate::ops::{Exact, Op};
use crate::spec::Accuracy;
use crate::tape::eval::{Boxes, Domain, Enclosure, Multi, Rationals, decided, mp_truth, step};
use crate::tape::{NodeId, Settled, Tape, TapeNode, evaluate_needed, is_lost};
use rustc_hash::FxHashMap;
use std::collections::HashSet;

/// The first precision of the ladder, in bits; every step doubles it.
pub const FIRST_PRECISION: u32 = 120;
/// The default last precision of the ladder, in bits.
pub const DEFAULT_CAP: u32 = 3840;

/// One function on a tape, with the accuracy asked of it.
#[derive(Clone, Copy, Debug)]
pub struct Function<'a> {
    /// The tape.
    pub tape: &'a Tape,
    /// The node.
    pub root: NodeId,
    /// The tolerance around its value.
    pub accuracy: &'a Accuracy,
}

/// What one precision says of a function at one input.
// One at a time lives, on the stack: a box would only cost an allocation.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug)]
pub enum LadderSeen {
    /// It has a value.
    Value(ValidSet),
    /// It has one of a magnitude beyond every format's, positive or negative.
    Vast {
        /// Its sign.
        positive: bool,
    },
    /// It surely has none.
    Undefined,
    /// Not settled: a divisor's enclosure still holds 0, say, or the enclosure is unbounded.
    Unsettled,
}

impl LadderSeen {
    /// Whether the function surely has a value, surely has none, or neither is settled.
    #[must_use]
    pub fn has_value(&self) -> Ternary {
        match self {
            LadderSeen::Value(_) | LadderSeen::Vast { .. } => Ternary::True,
            LadderSeen::Undefined => Ternary::False,
            LadderSeen::Unsettled => Ternary::Unknown,
        }
    }

    /// What an exact value says.
    pub(super) fn exact(value: &Exact, accuracy: &Accuracy) -> Self {
        match value {
            Exact::Value(v) => LadderSeen::Value(ValidSet::new(Ends::exact(v.clone()), accuracy)),
            Exact::Undefined => LadderSeen::Undefined,
            Exact::OfPi(_) | Exact::Unknown => LadderSeen::Unsettled,
        }
    }

    /// What an enclosure says.
    pub(super) fn of(v: &MpInterval, accuracy: &Accuracy) -> Self {
        match v.def {
            Ternary::False => LadderSeen::Undefined,
            Ternary::Unknown => LadderSeen::Unsettled,
            Ternary::True if is_vast(&v.lo) && v.lo > 0 => LadderSeen::Vast { positive: true },
            Ternary::True if is_vast(&v.hi) && v.hi < 0 => LadderSeen::Vast { positive: false },
            Ternary::True => match (exact_rational(&v.lo, Round::Down), exact_rational(&v.hi, Round::Up)) {
                (Some(lo), Some(hi)) => {
                    let beyond_formats =
                        (v.lo > 0 && is_tiny(&v.hi) || v.hi < 0 && is_tiny(&v.lo)) && stays_tiny(accuracy);
                    LadderSeen::Value(ValidSet { beyond_formats, ..ValidSet::new(Ends { lo, hi }, accuracy) })
                }
                _ => LadderSeen::Unsettled,
            },
        }
    }
}

/// Evaluates functions of one tape at one exact input, precision by precision.
pub struct Ladder<'a> {
    tape: &'a Tape,
    point: Vec<f64>,
    cap: u32,
    exact: Option<Vec<Exact>>,
    /// By precision, those before exact arithmetic.
    steps: Vec<Vec<MpInterval>>,
    /// The best that is known after it.
    fine: Vec<MpInterval>,
    /// Functions and the steps at which `fine` was refined for them.
    refined: HashSet<(NodeId, usize)>,
    /// Of a large tape with choices, which nodes its functions need at the input.
    needed: Option<Vec<bool>>,
    /// Functions of which no precision shows a value, see [`is_lost`].
    lost: HashSet<NodeId>,
}

/// From so many nodes on it is worth it to find out which are needed.
const LARGE: usize = 256;

/// Which nodes those need that no other uses, where a branch that is not taken has others.
fn needed_at(tape: &Tape, point: &[f64]) -> Option<Vec<bool>> {
    if tape.len() < LARGE || !tape.nodes().iter().any(|n| matches!(n, TapeNode::If(..))) {
        return None;
    }
    let mut is_used = vec![false; tape.len()];
    tape.nodes().iter().for_each(|n| n.for_each_operand(|o| is_used[o.index()] = true));
    let inputs: Vec<Interval> = point.iter().map(|x| Interval::point(*x)).collect();
    let mut values: FxHashMap<NodeId, Enclosure> = FxHashMap::default();
    for (root, _) in (0..).map(NodeId).zip(&is_used).filter(|(_, is_used)| !**is_used) {
        evaluate_needed(tape, &mut Boxes { inputs: &inputs }, root, &mut values);
    }
    Some((0..tape.len() as u32).map(|k| values.contains_key(&NodeId(k))).collect())
}

impl<'a> Ladder<'a> {
    /// Evaluate `tape` at `point`, up to `cap` bits.
    #[must_use]
    pub fn new(tape: &'a Tape, point: &[f64], cap: u32) -> Self {
        Ladder {
            tape,
            point: point.to_vec(),
            cap,
            exact: None,
            steps: Vec::new(),
            fine: Vec::new(),
            refined: HashSet::new(),
            needed: needed_at(tape, point),
            lost: HashSet::new(),
        }
    }

    /// Evaluates all nodes from now on if this one is none of those that are.
    fn require(&mut self, node: NodeId) {
        if self.needed.as_ref().is_some_and(|needed| !needed[node.index()]) {
            self.needed = None;
            (self.exact, self.steps, self.fine) = (None, Vec::new(), Vec::new());
            self.refined.clear();
        }
    }

    /// The precisions of the ladder. Step 0 is exact arithmetic, the others are multiple-precision.
    pub fn levels(&self) -> usize {
        levels(self.cap)
    }

    /// The precision of a step in bits.
    #[must_use]
    pub fn precision(level: usize) -> u32 {
        FIRST_PRECISION << level.saturating_sub(1)
    }

    /// What was evaluated so far, had every step computed all nodes. Unit: nodes at the first precision; exact arithmetic
    /// counts as that.
    #[must_use]
    pub fn cost(&self) -> u64 {
        let highest = self.refined.iter().map(|r| r.1).max().unwrap_or(self.steps.len());
        let precisions = (1u64 << highest) - 1 + u64::from(self.exact.is_some());
        self.tape.len() as u64 * precisions
    }

    /// What `settle` makes of the first step at which it makes something of it: the steps in the order in which they are
    /// worth trying, cheap precisions, exact arithmetic, high precisions. None where the cap is reached before.
    pub fn first<T>(&mut self, settle: impl FnMut(&mut Self, usize) -> Option<T>) -> Option<T> {
        let mut settle = settle;
        first(self.levels(), |level| settle(self, level))
    }

    /// Whether a function has a value, as far as the cap shows it.
    pub fn has_value(&mut self, function: Function<'_>) -> Ternary {
        let known = |t: Ternary| (t != Ternary::Unknown).then_some(t);
        self.first(|ladder, level| known(ladder.see(function, level).has_value())).unwrap_or(Ternary::Unknown)
    }

    /// Go up to another precision from now on; what was computed stays.
    pub fn raise(&mut self, cap: u32) {
        self.cap = cap;
    }

    /// The value of a node at a step, its truth value if it is a condition.
    pub fn truth(&mut self, node: NodeId, level: usize) -> Ternary {
        self.require(node);
        if level == 0 {
            return match self.exact().map(|values| &values[node.index()]) {
                Some(Exact::Value(v)) => Ternary::from(*v != 0),
                Some(Exact::Undefined) => Ternary::False,
                Some(Exact::OfPi(_) | Exact::Unknown) | None => Ternary::Unknown,
            };
        }
        let Some(v) = self.value(node, level) else { return Ternary::Unknown };
        match v.def {
            Ternary::True => mp_truth(v),
            // A condition without a value does not hold.
            Ternary::False => Ternary::False,
            Ternary::Unknown => mp_truth(v) & Ternary::Unknown,
        }
    }

    /// The enclosure of a node at a step of multiple precision, where it surely has a value.
    pub fn enclosure(&mut self, node: NodeId, level: usize) -> Option<&MpInterval> {
        self.value(node, level).filter(|v| v.def.is_true())
    }

    /// What a step says of a function.
    pub fn see(&mut self, function: Function<'_>, level: usize) -> LadderSeen {
        let (root, accuracy) = (function.root, function.accuracy);
        if self.lost.contains(&root) {
            return LadderSeen::Unsettled;
        }
        self.require(root);
        let seen = if level == 0 {
            self.exact().map(|values| LadderSeen::exact(&values[root.index()], accuracy))
        } else {
            self.value(root, level).map(|v| LadderSeen::of(v, accuracy))
        };
        let seen = seen.unwrap_or(LadderSeen::Unsettled);
        if let (LadderSeen::Unsettled, Some(values)) = (&seen, level.checked_sub(1).and_then(|k| self.steps.get(k)))
            && is_lost(self.tape, root, &Step { values, level })
        {
            self.lost.insert(root);
        }
        seen
    }

    /// Whether what was seen of a function shows that no precision shows a value of it.
    pub(super) fn is_lost(&self, function: Function<'_>) -> bool {
        self.lost.contains(&function.root)
    }

    /// The exact values, unless the work is to end early.
    fn exact(&mut self) -> Option<&[Exact]> {
        if self.exact.is_none() {
            let cheap = CHEAP.min(self.levels() - 1);
            self.step(cheap)?;
            let enclosures = &self.steps[cheap - 1];
            let inputs: Vec<Rational> = self.point.iter().map(|x| crate::num::float::rational(*x)).collect();
            let mut twins = Twins::default();
            let note = |id, node, value| twins.note((id, node), value, |o: NodeId| enclosures.get(o.index()));
            self.exact = walk(self.tape, self.needed.as_deref(), &mut Rationals { inputs: &inputs }, note);
        }
        self.exact.as_deref()
    }

    /// What a step of multiple precision says of a node, unless the work is to end early.
    fn value(&mut self, node: NodeId, level: usize) -> Option<&MpInterval> {
        self.require(node);
        if !knows_exact(level) {
            return self.step(level).map(|values| &values[node.index()]);
        }
        if self.fine.is_empty() {
            self.exact()?;
            let mut fine = self.step(CHEAP)?.to_vec();
            for (value, exact) in fine.iter_mut().zip(self.exact.iter().flatten()) {
                if let Some(known) = enclosed(exact, Self::precision(level)) {
                    *value = known;
                }
            }
            self.fine = fine;
        }
        let precision = Self::precision(level);
        if self.refined.insert((node, level)) {
            let inputs = self.inputs();
            let mut known = All { exact: self.exact.as_deref()?, enclosures: &mut self.fine };
            let height = Height { precision, is_last: level + 1 == levels(self.cap) };
            refine(self.tape, &inputs, node, height, &mut known)?;
        }
        Some(&self.fine[node.index()])
    }

    fn inputs(&self) -> Vec<MpInterval> {
        self.point.iter().map(|x| MpInterval::from_f64(*x, FIRST_PRECISION)).collect()
    }

    /// The enclosures of a step before exact arithmetic, unless the work is to end early.
    fn step(&mut self, level: usize) -> Option<&[MpInterval]> {
        while self.steps.len() < level {
            let precision = Self::precision(self.steps.len() + 1);
            let inputs = self.inputs();
            let domain = &mut Multi { inputs: &inputs, precision };
            let values = walk(self.tape, self.needed.as_deref(), domain, |_, _, value| value)?;
            self.steps.push(values);
        }
        Some(&self.steps[level - 1])
    }
}

/// What is known of all nodes of a tape.
struct All<'l> {
    exact: &'l [Exact],
    enclosures: &'l mut [MpInterval],
}

impl Known for All<'_> {
    fn enclosure(&self, node: NodeId) -> &MpInterval {
        &self.enclosures[node.index()]
    }
    fn exact(&self, node: NodeId) -> &Exact {
        &self.exact[node.index()]
    }
    fn improve(&mut self, node: NodeId, enclosure: MpInterval) {
        self.enclosures[node.index()] = enclosure;
    }
}

/// The values of all nodes, or of those that are needed, each after `note`, unless the work is to end early: one node may take
/// milliseconds.
fn walk<D: Domain>(
    tape: &Tape,
    needed: Option<&[bool]>,
    domain: &mut D,
    mut note: impl FnMut(NodeId, TapeNode, D::Value) -> D::Value,
) -> Option<Vec<D::Value>> {
    let mut values = Vec::with_capacity(tape.len());
    for (id, &node) in (0..).map(NodeId).zip(tape.nodes()) {
        if halt::requested() {
            return None;
        }
        if needed.is_some_and(|needed| !needed[id.index()]) {
            values.push(domain.unknown());
            continue;
        }
        let value = step(tape, node, domain, |o| &values[o.index()]);
        values.push(note(id, node, value));
    }
    Some(values)
}

/// What the enclosures of a step settle.
struct Step<'v> {
    values: &'v [MpInterval],
    level: usize,
}

impl Settled for Step<'_> {
    fn has_value(&self, node: NodeId) -> bool {
        self.values[node.index()].def.is_true()
    }
    fn truth(&self, condition: NodeId) -> Ternary {
        decided(&self.values[condition.index()])
    }
    fn is_total(&self, _: NodeId, op: Op) -> bool {
        matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Fmin | Op::Fmax)
    }
    fn follows_loops(&self) -> bool {
        self.level >= CHEAP
    }
}

/// Whether the enclosures of a step are those of the exact values where these are known. The steps after exact
/// arithmetic are: sin(PI x) at a whole x is 0 in them, and a root or a quotient of it is settled.
pub(super) fn knows_exact(level: usize) -> bool {
    level > CHEAP
}

/// How many precisions are tried before exact arithmetic.
pub(super) const CHEAP: usize = 2;

/// The number of steps of a ladder up to `cap` bits.
pub(super) fn levels(cap: u32) -> usize {
    1 + (0..).take_while(|k| FIRST_PRECISION << k <= cap.max(FIRST_PRECISION)).count()
}

/// What `settle` makes of the first step that settles it: two precisions, exact arithmetic, the other precisions. None
/// where no step does, or the work is to end early.
pub(super) fn first<T>(levels: usize, settle: impl FnMut(usize) -> Option<T>) -> Option<T> {
    (1..levels.min(CHEAP + 1)).chain([0]).chain(CHEAP + 1..levels).take_while(|_| !halt::requested()).find_map(settle)
}

/// Whether all `conditions` hold at the input of the ladder.
#[must_use]
pub fn all_hold(ladder: &mut Ladder<'_>, conditions: &[NodeId]) -> Ternary {
    let known = |t: Ternary| (t != Ternary::Unknown).then_some(t);
    conditions.iter().fold(Ternary::True, |all, c| {
        let one = ladder.first(|ladder, level| known(ladder.truth(*c, level)));
        all & one.unwrap_or(Ternary::Unknown)
    })
}

/// Numbers beyond 2^±this have no rational form worth its memory, and no format comes near them.
const MAX_EXPONENT: i32 = 1 << 16;

/// Whether a number that is not NaN is infinite or at least 2^[`MAX_EXPONENT`] in magnitude.
fn is_vast(x: &Float) -> bool {
    x.is_infinite() || x.get_exp().is_some_and(|e| e > MAX_EXPONENT)
}

/// Whether a number is not 0 and less than 2^-[`MAX_EXPONENT`] in magnitude.
fn is_tiny(x: &Float) -> bool {
    x.get_exp().is_some_and(|e| e < -MAX_EXPONENT)
}

/// The exact value of an MPFR number of a sensible magnitude; a tiny one is moved in the direction, to 0 or to
/// 2^-[`MAX_EXPONENT`]. None for a vast one.
fn exact_rational(x: &Float, round: Round) -> Option<Rational> {
    if is_vast(x) {
        return None;
    }
    if is_tiny(x) {
        let away = x.is_sign_positive() == (round == Round::Up);
        let tiny = power_of_two(-MAX_EXPONENT);
        return Some(match (away, x.is_sign_positive()) {
            (false, _) => Rational::new(),
            (true, true) => tiny,
            (true, false) => -tiny,
        });
    }
    x.to_rational()
}

/// Whether the valid set of a vast value surely holds vast values of its sign only: the tolerance is at most half of
/// the value.
pub(super) fn stays_vast(accuracy: &Accuracy) -> bool {
    let half = Rational::from((1, 2));
    accuracy.rel.as_ref().is_none_or(|r| *r <= half)
        && accuracy.abs.as_ref().is_none_or(|a| *a <= power_of_two(MAX_EXPONENT / 2))
        && accuracy.ulps.as_ref().is_none_or(|(n, f)| (n * unit_roundoff(*f)) * 2 <= half)
}

/// Whether the valid set of a tiny value holds tiny values of its sign only: the tolerance is relative alone, and at most
/// half of the value.
fn stays_tiny(accuracy: &Accuracy) -> bool {
    accuracy.abs.as_ref().is_none_or(|a| *a == 0)
        && accuracy.ulps.as_ref().is_none_or(|(n, _)| *n == 0)
        && accuracy.rel.as_ref().is_none_or(|r| *r <= Rational::from((1, 2)))
}

/// Whether a number is far below vast ones.
pub(super) fn is_modest(x: &Rational) -> bool {
    x.clone().abs() < power_of_two(MAX_EXPONENT / 2)
}

#[cfg(test)]
mod tests;
