//! What a program returns at an input: all floats that it may return, and in binary64 arithmetic one of them.

use super::{Id, LibmUlps, Program, Step};
use crate::floats::{FloatSet, Format};
use crate::num::Ternary;
use crate::ops::float::Computed;
use crate::ops::{MAX_ARITY, Op};
use crate::oracle::{Oracle, Verdict};
use crate::spec::core::Classify;
use crate::tape::eval::Relation;
use std::cell::RefCell;
use std::collections::HashMap;

/// All floats that a program may return at one input: a union of sets of floats of its format.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// The sets, of which none is empty.
    pub sets: Vec<FloatSet>,
    /// The format of the results.
    pub format: Format,
}

/// The most runs of a program, one for each choice among the results of its library functions; above, intervals of
/// results are carried on, which loses how they depend on one another.
const RUNS: usize = 256;
/// The most operations of all these runs.
const WORK: usize = 25_600;
/// The most results of one call that are tried one by one.
const CHOICES: usize = 8;

impl Program {
    /// All that the program may return at an input, whose values are floats of the inputs' formats.
    #[must_use]
    pub fn results(&self, input: &[f64], ulps: LibmUlps) -> Results {
        let mut run = Run::new(self, input, ulps, true);
        let mut sets: Vec<FloatSet> = Vec::new();
        let mut keep = |set: FloatSet| {
            if !sets.contains(&set) {
                sets.push(set);
            }
        };
        for _ in 0..RUNS.min(1 + WORK / self.nodes.len()) {
            keep(run.once());
            if !run.next() {
                return Results { sets, format: self.format() };
            }
        }
        let set = Run::new(self, input, ulps, false).once();
        Results { sets: vec![set], format: self.format() }
    }

    /// One float that the program may return at an input, nearly: library functions in binary64 arithmetic. Fast and not
    /// rigorous, to guide a search.
    pub fn point(&self, input: &[f64], values: &mut Vec<f64>) -> f64 {
        values.clear();
        for (i, node) in self.nodes.iter().enumerate() {
            let of = |id: Id| values[id.index()];
            let truth = |b: bool| f64::from(u8::from(b));
            let value = match &node.step {
                Step::Input(k) => node.format.round(input[*k as usize]),
                Step::Literal(_) => self.values[i],
                Step::Op(op, args) => {
                    let args = args.map(of);
                    let args = &args[..op.arity()];
                    match op.float_result(args, node.format) {
                        Computed::Exactly(y) => y,
                        Computed::Zero => 0.0,
                        Computed::Near(lo, hi) => node.format.round(op.point(args)).max(lo).min(hi),
                        Computed::QuarterPi(k) => node.format.round(f64::from(k) * std::f64::consts::FRAC_PI_4),
                    }
                }
                Step::Convert(a) => node.format.round(of(*a)),
                Step::Compare(relation, a, b) => truth(of(*a).partial_cmp(&of(*b)).is_some_and(|o| relation.holds(o))),
                Step::Classify(class, a) => truth(of_class(*class, of(*a), self.node(*a).format)),
                Step::Truth(b) => truth(*b),
                Step::And(a, b) => truth(of(*a) != 0.0 && of(*b) != 0.0),
                Step::Or(a, b) => truth(of(*a) != 0.0 || of(*b) != 0.0),
                Step::Not(a) => truth(of(*a) == 0.0),
                Step::If(c, t, e) => of(if of(*c) != 0.0 { *t } else { *e }),
            };
            values.push(value);
        }
        values[self.result.index()]
    }
}

impl Results {
    /// The verdict of an oracle on them: KO if it is surely KO on every one, OK if surely OK on every one.
    #[must_use]
    pub fn verdict(&self, oracle: &Oracle) -> Verdict {
        let mut verdicts = self.sets.iter().flat_map(|s| self.of_set(s, oracle));
        let Some(first) = verdicts.next() else { return Verdict::Uncertain };
        if verdicts.all(|v| v == first) { first } else { Verdict::Uncertain }
    }

    /// The verdicts that members of a set get.
    fn of_set(&self, set: &FloatSet, oracle: &Oracle) -> Vec<Verdict> {
        let mut found = Vec::new();
        let special =
            [(set.nan, f64::NAN), (set.minus_infinity, f64::NEG_INFINITY), (set.plus_infinity, f64::INFINITY)];
        found.extend(special.iter().filter(|(there, _)| *there).map(|(_, y)| oracle.verdict(*y)));
        if !set.has_no_finite() {
            let ends = [oracle.verdict(set.lo), oracle.verdict(set.hi)];
            found.extend(ends);
            // Valid results are an interval: where one is among the floats between two that are not, the verdicts differ.
            let valid = match *oracle {
                Oracle::Decided { lo, hi, .. } => Some((lo, hi)),
                Oracle::Capped { outer, .. } => Some(outer),
                Oracle::Unsatisfiable | Oracle::Undefined | Oracle::Unsettled => None,
            };
            if let Some((lo, hi)) = valid
                && ends == [Verdict::Ko, Verdict::Ko]
                && self.format.round_up(lo.max(set.lo)) <= hi.min(set.hi)
            {
                found.push(Verdict::Uncertain);
            }
        }
        found
    }

    /// Whether a float may be returned.
    #[must_use]
    pub fn contains(&self, y: f64) -> bool {
        self.sets.iter().any(|s| s.contains(y))
    }

    /// The only float that may be returned, if there is just one.
    #[must_use]
    pub fn single(&self) -> Option<f64> {
        if let [set] = self.sets.as_slice() { set.single() } else { None }
    }
}

/// A call of a library function at single floats.
#[derive(PartialEq, Eq, Hash)]
struct Call {
    op: Op,
    /// The bits of its arguments.
    at: [u64; MAX_ARITY],
    format: Format,
    /// The bits of the largest error.
    ulps: u64,
}

/// The most calls whose results a thread keeps.
const CALLS: usize = 1 << 12;

thread_local! {
    /// The results of calls. The mutants of a program make nearly the same calls at an input.
    static KNOWN: RefCell<HashMap<Call, FloatSet>> = RefCell::default();
}

/// Whether a float is of a class.
fn of_class(class: Classify, x: f64, format: Format) -> bool {
    match class {
        Classify::IsFinite => x.is_finite(),
        Classify::IsInf => x.is_infinite(),
        Classify::IsNan => x.is_nan(),
        Classify::IsNormal => x.is_finite() && x.abs() >= format.min_positive(),
        Classify::SignBit => x.is_sign_negative(),
    }
}

/// A value of a node in one run.
#[derive(Clone, Copy, Debug)]
enum Value {
    Float(FloatSet),
    Truth(Ternary),
}

/// The runs of a program at one input, one after the other: a walk in depth of the choices among the results of its
/// library functions, which computes again only what comes after the choice that changes.
struct Run<'p> {
    program: &'p Program,
    input: &'p [f64],
    ulps: LibmUlps,
    /// By node, as far as it is computed.
    values: Vec<Option<Value>>,
    /// The nodes that are computed, in that order.
    order: Vec<Id>,
    /// The order of the run before, if it is that of every run: no branch is left out.
    plan: Vec<Id>,
    /// Of each call with several results, in the order in which they are met.
    choices: Vec<Choice>,
    /// Whether one result is taken at a time.
    forks: bool,
}

/// A call with several results, of which one is taken.
struct Choice {
    /// The nodes that were computed before it.
    before: usize,
    members: Vec<f64>,
    taken: usize,
}

impl<'p> Run<'p> {
    fn new(program: &'p Program, input: &'p [f64], ulps: LibmUlps, forks: bool) -> Self {
        let values = vec![None; program.nodes.len()];
        Run { program, input, ulps, values, order: Vec::new(), plan: Vec::new(), choices: Vec::new(), forks }
    }

    /// Take the next choices, if there are any left.
    fn next(&mut self) -> bool {
        while let Some(mut choice) = self.choices.pop() {
            choice.taken += 1;
            if let Some(member) = choice.members.get(choice.taken) {
                let call = self.order[choice.before];
                for id in self.order.drain(choice.before + 1..) {
                    self.values[id.index()] = None;
                }
                self.values[call.index()] = Some(Value::Float(FloatSet::point(*member)));
                self.choices.push(choice);
                return true;
            }
        }
        false
    }

    /// Run with these choices, and the first of each call that is met beyond them.
    fn once(&mut self) -> FloatSet {
        let program = self.program;
        for k in self.order.len()..self.plan.len() {
            self.compute(self.plan[k]);
        }
        // What is to be computed, each after what it needs: of an `if` only the branch taken.
        let mut stack = vec![program.result];
        while let Some(&id) = stack.last() {
            if self.values[id.index()].is_none() {
                if let Some(missing) = missing(program, id, &self.values) {
                    stack.push(missing);
                    continue;
                }
                self.compute(id);
            }
            stack.pop();
        }
        if self.plan.is_empty() && self.order.iter().all(|id| !matches!(program.node(*id).step, Step::If(..))) {
            self.plan.clone_from(&self.order);
        }
        match self.values[program.result.index()] {
            Some(Value::Float(set)) => set,
            _ => FloatSet::all(program.format()),
        }
    }

    fn compute(&mut self, id: Id) {
        self.values[id.index()] = Some(self.value(id));
        self.order.push(id);
    }

    /// The value of a node whose operands are known.
    fn value(&mut self, id: Id) -> Value {
        let (program, values) = (self.program, &self.values);
        let node = program.node(id);
        let float = |id: Id| match values[id.index()] {
            Some(Value::Float(set)) => set,
            _ => FloatSet::all(program.node(id).format),
        };
        let truth = |id: Id| match values[id.index()] {
            Some(Value::Truth(t)) => t,
            _ => Ternary::Unknown,
        };
        match &node.step {
            Step::Input(i) => Value::Float(FloatSet::point(node.format.round(self.input[*i as usize]))),
            Step::Literal(_) => Value::Float(FloatSet::point(program.value(id))),
            Step::Op(op, args) => {
                let args = args.map(float);
                self.call(id, *op, &args[..op.arity()])
            }
            Step::Convert(a) => Value::Float(converted(float(*a), node.format)),
            Step::Compare(relation, a, b) => Value::Truth(compared(*relation, float(*a), float(*b))),
            Step::Classify(class, a) => Value::Truth(classified(*class, float(*a), program.node(*a).format)),
            Step::Truth(b) => Value::Truth((*b).into()),
            Step::And(a, b) => Value::Truth(truth(*a) & truth(*b)),
            Step::Or(a, b) => Value::Truth(truth(*a) | truth(*b)),
            Step::Not(a) => Value::Truth(!truth(*a)),
            Step::If(c, t, e) => match truth(*c) {
                Ternary::True => values[t.index()].unwrap_or(Value::Truth(Ternary::Unknown)),
                Ternary::False => values[e.index()].unwrap_or(Value::Truth(Ternary::Unknown)),
                Ternary::Unknown => match (values[t.index()], values[e.index()]) {
                    (Some(Value::Float(t)), Some(Value::Float(e))) => Value::Float(t.hull(&e)),
                    (Some(Value::Truth(t)), Some(Value::Truth(e))) => Value::Truth(t.join(e)),
                    _ => Value::Truth(Ternary::Unknown),
                },
            },
        }
    }

    /// The value of an operator.
    fn call(&mut self, id: Id, op: Op, args: &[FloatSet]) -> Value {
        let format = self.program.node(id).format;
        let mut points = [0.0; MAX_ARITY];
        for (point, arg) in points.iter_mut().zip(args) {
            let Some(x) = arg.single() else { return self.choose(op.results(args, format, self.ulps), format) };
            *point = x;
        }
        let at = &points[..args.len()];
        if let Some(y) = op.exactly(at, format) {
            return Value::Float(y);
        }
        let call = Call { op, at: points.map(f64::to_bits), format, ulps: self.ulps.get().to_bits() };
        let set = KNOWN.with_borrow_mut(|known| {
            if known.len() >= CALLS {
                known.clear();
            }
            *known.entry(call).or_insert_with(|| op.results(args, format, self.ulps))
        });
        self.choose(set, format)
    }

    /// One of the results of a call, where they are few: of the node that is computed next.
    fn choose(&mut self, set: FloatSet, format: Format) -> Value {
        if !self.forks || set.single().is_some() {
            return Value::Float(set);
        }
        let Some(members) = set.members(format, CHOICES) else { return Value::Float(set) };
        let first = FloatSet::point(members[0]);
        self.choices.push(Choice { before: self.order.len(), members, taken: 0 });
        Value::Float(first)
    }
}

/// A node that must be computed before this one.
fn missing(program: &Program, id: Id, values: &[Option<Value>]) -> Option<Id> {
    let unknown = |id: Id| values[id.index()].is_none().then_some(id);
    if let Step::If(c, t, e) = program.node(id).step {
        return match values[c.index()] {
            None => Some(c),
            Some(Value::Truth(Ternary::True)) => unknown(t),
            Some(Value::Truth(Ternary::False)) => unknown(e),
            Some(_) => unknown(t).or(unknown(e)),
        };
    }
    let mut first = None;
    program.node(id).step.for_each_operand(|o| first = first.or(unknown(o)));
    first
}

/// The floats of a set, rounded to another format.
fn converted(set: FloatSet, format: Format) -> FloatSet {
    let mut result = FloatSet { lo: f64::INFINITY, hi: f64::NEG_INFINITY, ..set };
    if !set.has_no_finite() {
        result = result.hull(&FloatSet::between(format.round(set.lo), format.round(set.hi)).within(format));
    }
    result
}

fn compared(relation: Relation, a: FloatSet, b: FloatSet) -> Ternary {
    let range = |s: &FloatSet| {
        let lo = if s.minus_infinity { f64::NEG_INFINITY } else { s.lo };
        let hi = if s.plus_infinity { f64::INFINITY } else { s.hi };
        // Of a set with nothing but an infinity, that one.
        match (s.has_no_finite(), s.minus_infinity, s.plus_infinity) {
            (true, true, false) => Some((lo, lo)),
            (true, false, true) => Some((hi, hi)),
            (true, false, false) => None,
            _ => Some((lo, hi)),
        }
    };
    // A comparison with NaN is false.
    let (Some((a_lo, a_hi)), Some((b_lo, b_hi))) = (range(&a), range(&b)) else { return Ternary::False };
    let numbers = match relation {
        Relation::Less => Ternary::decide(a_hi < b_lo, a_lo >= b_hi),
        Relation::LessEq => Ternary::decide(a_hi <= b_lo, a_lo > b_hi),
        Relation::Equal => Ternary::decide(a_lo == a_hi && b_lo == b_hi && a_lo == b_lo, a_hi < b_lo || b_hi < a_lo),
    };
    if a.nan || b.nan { numbers.join(Ternary::False) } else { numbers }
}

fn classified(class: Classify, set: FloatSet, format: Format) -> Ternary {
    let special = [(set.nan, f64::NAN), (set.minus_infinity, f64::NEG_INFINITY), (set.plus_infinity, f64::INFINITY)];
    let mut members: Vec<f64> = special.iter().filter(|(there, _)| *there).map(|(_, x)| *x).collect();
    if !set.has_no_finite() {
        members.extend([set.lo, set.hi]);
        // Between two normal numbers of different signs there are zeros.
        members.extend(set.contains(0.0).then_some(0.0));
    }
    // The sign of a NaN is not known.
    if members.is_empty() || (class == Classify::SignBit && set.nan) {
        return Ternary::Unknown;
    }
    let all = members.iter().map(|x| Ternary::from(of_class(class, *x, format)));
    all.reduce(Ternary::join).unwrap_or(Ternary::Unknown)
}

#[cfg(test)]
mod tests;
