//! What failures look like: changes of the specification that the observed results agree with.
//!
//! A result agrees with another specification where that one would call it valid. A cause that is ranked first need
//! not be the real one; it is what one would look for first.

mod mistakes;
mod slight;
mod whole;

pub use slight::SlightlyOff;

use super::answer::Answer;
use super::rounded;
use crate::floats::Format;
use crate::mutate::{Change, Mutant, MutationOperator};
use crate::num::Interval;
use crate::oracle::formula::Formula;
use crate::oracle::quick::QuickTolerance;
use crate::oracle::{Function, Ladder, Oracle, Verdict, all_hold, oracle};
use crate::program::Program;
use crate::spec::inputs::representable;
use crate::spec::{InputBox, OutOfRange, Spec};
use crate::tape::eval::{Boxes, Enclosure};
use crate::tape::lower::lower;
use crate::tape::{Builder, NodeId, Tape, evaluate};
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;

/// One test with what came back.
#[derive(Clone, Copy, Debug)]
pub struct Observation<'a> {
    /// The input.
    pub input: &'a [f64],
    /// The answer: a value or a refusal.
    pub answer: &'a Answer,
    /// Whether the verdict is KO.
    pub failed: bool,
}

/// What the implementation may compute instead.
#[derive(Clone, Debug, PartialEq)]
pub enum Hypothesis {
    /// A mutant, by its place in the list, with the others of the list that are the same function.
    Mutant {
        /// The first of them.
        first: usize,
        /// The others.
        alike: Vec<usize>,
    },
    /// The specification with two inputs in each other's place.
    Swapped(usize, usize),
    /// A mutant that is a program over floats, by its place in the list: results that it may return, bit for bit.
    Program(usize),
    /// The formula as written, each operation rounded in a format, bit for bit.
    Evaluated(Format),
    /// The specification with one constant slightly off.
    Constant(SlightlyOff),
    /// A mistake in the formula that no mutant makes: its place in a list, and what it is, after "your results match".
    Mistake(usize, String),
    /// A function of `float` in place of one of `double`, in the same list.
    FloatFunction(usize, String),
    /// The specification's function, times a constant.
    Factor(f64),
    /// The specification's function and a constant.
    Offset(f64),
    /// The specification's function, limited to numbers up to one, or from one on.
    Limited {
        /// The limit.
        limit: f64,
        /// Whether larger numbers become the limit, not smaller ones.
        is_most: bool,
    },
}

/// A hypothesis with what agrees with it.
#[derive(Clone, Debug, PartialEq)]
pub struct LikelyCause {
    /// What the implementation may compute.
    pub hypothesis: Hypothesis,
    /// How many failures agree.
    pub failures: usize,
    /// How many results agree, failures or not.
    pub results: usize,
}

/// All hypotheses that at least one failure agrees with, best first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Causes {
    /// The hypotheses.
    pub list: Vec<LikelyCause>,
    /// How many failures there were to agree with.
    pub failures: usize,
    /// How many results there were to agree with.
    pub results: usize,
    /// Whether the budget of evaluations was used up before all of the first [`MOST`] failures and others were compared.
    pub is_cut: bool,
}

impl Causes {
    /// Whether a cause explains every failure and contradicts no result: a change that explains a part is not what the
    /// implementation computes, nor all of what is wrong with it. Results of functions of `float` are those nearest to the exact
    /// ones for the most part: nine tenths are enough.
    #[must_use]
    pub fn explains_all(&self, cause: &LikelyCause) -> bool {
        let is_near = matches!(cause.hypothesis, Hypothesis::FloatFunction(..));
        let least = |all: usize| if is_near { all - all / 10 } else { all };
        cause.failures >= least(self.failures) && cause.results >= least(self.results)
    }
}

/// The most failures, and the most other results, that are compared.
pub const MOST: usize = 1000;

/// What the comparisons of the failures, and those of the other results, may cost: some seconds, of which a single input
/// takes a small part. Unit: nodes of formulas, each at 120 bits.
const BUDGET: u64 = 1 << 22;

/// Compare what was observed with the mutants of the specification and with a few mistakes that no mutant makes: at
/// most the first [`MOST`] failures and as many others, and no more than a budget of evaluations has room for. `cap` is the
/// last precision of the ladder in bits.
#[must_use]
pub fn causes(spec: &Spec, mutants: &[Mutant], observed: &[Observation<'_>], cap: u32) -> Causes {
    causes_within(BUDGET, spec, mutants, observed, cap)
}

fn causes_within(budget: u64, spec: &Spec, mutants: &[Mutant], observed: &[Observation<'_>], cap: u32) -> Causes {
    let Ok(domain) = InputBox::new(spec) else { return Causes::default() };
    let of = |failed: bool| observed.iter().filter(move |o| o.failed == failed).take(MOST);
    let failed: Vec<&Observation<'_>> = of(true).collect();
    let others: Vec<&Observation<'_>> = of(false).collect();
    if failed.is_empty() {
        return Causes { results: others.len(), ..Causes::default() };
    }
    let mut bench = Bench::new(spec, domain, mutants, cap);
    let new = |hypothesis| LikelyCause { hypothesis, failures: 0, results: 0 };
    let mut list: Vec<LikelyCause> = bench.hypotheses().into_iter().map(new).collect();
    let compared = bench.count(&mut list, &failed, true, budget);
    list.retain(|c| c.failures > 0);
    let (all, failed) = (failed.len() + others.len(), &failed[..compared]);
    if !list.iter().any(|c| c.failures == failed.len() && is_plain(&c.hypothesis, mutants)) {
        bench.slight = slight::fit(spec, failed, cap);
        let constants = bench.slight.iter().map(|f| new(Hypothesis::Constant(f.constant.clone())));
        let mut constants: Vec<LikelyCause> = constants.collect();
        bench.count(&mut constants, failed, true, u64::MAX);
        list.extend(constants.into_iter().filter(|c| c.failures == failed.len()));
    }
    // A change that explains all of it is not also a factor. Results at a limit may also be those of a change that makes a
    // constant of all, which other results tell.
    let is_explained = list.iter().any(|c| c.failures == failed.len());
    let common = || if is_explained { None } else { bench.factor(failed).or_else(|| bench.offset(failed)) };
    if let Some(common) = bench.limit(failed, &others).or_else(common) {
        let mut common = [new(common)];
        bench.count(&mut common, failed, true, u64::MAX);
        list.extend(common);
    }
    let results = compared + bench.count(&mut list, &others, false, budget);
    let is_number = |o: &Observation<'_>| !matches!(o.answer, Answer::Value(y) if !y.is_finite());
    if !observed.iter().any(is_number) {
        // Every formula without a value agrees with that; only what a program gives bit for bit says something.
        list.retain(|c| matches!(c.hypothesis, Hypothesis::Evaluated(_) | Hypothesis::Program(_)));
    }
    // Of two that explain as much the simpler formula comes first; then the order above.
    list.sort_by_cached_key(|c| (std::cmp::Reverse((c.failures, c.results)), bench.size(&c.hypothesis)));
    Causes { list, failures: compared, results, is_cut: results < all }
}

/// Whether nobody would look for a mistyped constant who knows of a cause that explains all failures: a constant that is quite
/// another one, or the very operations of a program.
fn is_plain(hypothesis: &Hypothesis, mutants: &[Mutant]) -> bool {
    match hypothesis {
        Hypothesis::Mutant { first, .. } => mutants[*first].operator == MutationOperator::Constant,
        Hypothesis::Evaluated(_) | Hypothesis::Program(_) => true,
        Hypothesis::Swapped(..)
        | Hypothesis::Constant(_)
        | Hypothesis::Mistake(..)
        | Hypothesis::FloatFunction(..)
        | Hypothesis::Factor(_)
        | Hypothesis::Offset(_)
        | Hypothesis::Limited { .. } => false,
    }
}

/// An observation with what all hypotheses are asked there.
struct At<'a> {
    observed: &'a Observation<'a>,
    /// The values of the tape of the bench.
    values: &'a [Enclosure],
    /// Whether a condition of the domain surely does not hold.
    is_excluded: bool,
}

/// Specification and mutants on one tape.
struct Bench<'a> {
    spec: &'a Spec,
    domain: InputBox,
    tape: Tape,
    root: NodeId,
    /// The conditions of the domain, on a tape of their own.
    conditions: (Tape, Vec<NodeId>),
    /// What was evaluated so far, in the unit of [`BUDGET`].
    spent: Cell<u64>,
    /// The formula operator by operator as it is written.
    literal: Formula<'a>,
    /// Other functions: the node, the first mutant, the others; in the order of the first mutants.
    bodies: Vec<(NodeId, usize, Vec<usize>)>,
    /// Other ranges: the mutant, the input, its values; in the order of the mutants.
    ranges: Vec<(usize, usize, Option<Interval>)>,
    /// Programs over floats: the mutant and its program, in the order of the mutants.
    programs: Vec<(usize, Arc<Program>)>,
    /// Mistakes that no mutant makes: the hypothesis, and the node.
    mistakes: Vec<(Hypothesis, NodeId)>,
    /// Constants that are slightly off.
    slight: Vec<slight::Fitted>,
    tolerance: QuickTolerance,
    cap: u32,
}

impl<'a> Bench<'a> {
    fn new(spec: &'a Spec, domain: InputBox, mutants: &[Mutant], cap: u32) -> Self {
        let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
        let mut builder = Builder::new(names.len());
        let root = lower(&mut builder, &names, &spec.core.body);
        let conditions: Vec<NodeId> = spec.constraints.iter().map(|c| lower(&mut builder, &names, c)).collect();
        let mut bodies: Vec<(NodeId, usize, Vec<usize>)> = Vec::new();
        let mut ranges = Vec::new();
        let mut programs = Vec::new();
        let mut known: HashMap<NodeId, usize> = HashMap::new();
        for (m, mutant) in mutants.iter().enumerate() {
            match &mutant.change {
                Change::Body(body) => {
                    let node = lower(&mut builder, &names, body);
                    if node == root {
                        continue;
                    }
                    match known.get(&node) {
                        Some(&k) => bodies[k].2.push(m),
                        None => {
                            known.insert(node, bodies.len());
                            bodies.push((node, m, Vec::new()));
                        }
                    }
                }
                Change::Range { input, range } => {
                    let range = representable(range, spec.inputs[*input].format);
                    if range != Some(domain.ranges[*input]) {
                        ranges.push((m, *input, range));
                    }
                }
                // What a larger bound would accept is a fact of its own.
                Change::Accuracy(_) => {}
                // The formula as it is written is a hypothesis of its own.
                Change::Evaluation(e) if e.is_plain || e.format == Format::BINARY32 => {}
                Change::Evaluation(e) => programs.push((m, e.program.clone())),
            }
        }
        let mistakes = mistakes::mistakes(&spec.core.body, &names).into_iter();
        let hypothesis = |k, m: &mistakes::Mistake| match m.is_of_float {
            true => Hypothesis::FloatFunction(k, m.text.clone()),
            false => Hypothesis::Mistake(k, m.text.clone()),
        };
        let mistakes = mistakes.enumerate();
        let mistakes = mistakes.map(|(k, m)| (hypothesis(k, &m), lower(&mut builder, &names, &m.body))).collect();
        let literal = Formula::on(spec, Builder::literal(names.len()));
        let tolerance = QuickTolerance::new(&spec.accuracy);
        let tape = builder.finish();
        Bench {
            spec,
            domain,
            root,
            conditions: tape.extract(&conditions),
            tape,
            spent: Cell::new(0),
            literal,
            bodies,
            ranges,
            programs,
            mistakes,
            slight: Vec::new(),
            tolerance,
            cap,
        }
    }

    /// All that is worth comparing with, but factors, in the order in which equal ones are shown.
    fn hypotheses(&self) -> Vec<Hypothesis> {
        let formats = [Format::BINARY32, Format::BINARY64].into_iter().map(Hypothesis::Evaluated);
        let bodies = self.bodies.iter();
        let bodies = bodies.map(|(_, first, alike)| Hypothesis::Mutant { first: *first, alike: alike.clone() });
        let ranges = self.ranges.iter().map(|r| Hypothesis::Mutant { first: r.0, alike: Vec::new() });
        let inputs = self.spec.inputs.len();
        let swapped = (0..inputs).flat_map(|a| (a + 1..inputs).map(move |b| Hypothesis::Swapped(a, b)));
        let programs = self.programs.iter().map(|p| Hypothesis::Program(p.0));
        let mistakes = self.mistakes.iter().map(|m| m.0.clone());
        formats.chain(programs).chain(bodies).chain(ranges).chain(swapped).chain(mistakes).collect()
    }

    /// Adds what agrees to the counts, observation by observation until the budget is used up. Returns how many of these were
    /// compared, of some one at least.
    fn count(&self, causes: &mut [LikelyCause], observed: &[&Observation<'_>], failures: bool, budget: u64) -> usize {
        let mut values = Vec::new();
        self.spent.set(0);
        for (compared, o) in observed.iter().enumerate() {
            if self.spent.get() > budget {
                return compared;
            }
            let inputs: Vec<Interval> = o.input.iter().map(|x| Interval::point(*x)).collect();
            evaluate(&self.tape, &mut Boxes { inputs: &inputs }, &mut values);
            let at = At { observed: o, values: &values, is_excluded: self.is_excluded(o.input) };
            for cause in &mut *causes {
                if self.agrees(&at, &cause.hypothesis) {
                    cause.results += 1;
                    cause.failures += usize::from(failures);
                }
            }
        }
        observed.len()
    }

    /// Note what a ladder has evaluated.
    fn spend(&self, ladder: &Ladder<'_>) {
        self.spent.set(self.spent.get() + ladder.cost());
    }

    /// Whether an observation is what the hypothesis would give.
    fn agrees(&self, at: &At<'_>, hypothesis: &Hypothesis) -> bool {
        let o = at.observed;
        match hypothesis {
            Hypothesis::Mutant { first, .. } => match self.bodies.binary_search_by_key(first, |b| b.1) {
                Ok(k) => self.agrees_with_body(at, self.bodies[k].0),
                Err(_) => match self.ranges.binary_search_by_key(first, |r| r.0) {
                    Ok(k) => self.agrees_with_range(at, self.ranges[k].1, self.ranges[k].2),
                    Err(_) => false,
                },
            },
            Hypothesis::Swapped(a, b) => self.agrees_when_swapped(o, *a, *b),
            Hypothesis::Evaluated(format) => self.is_evaluated(o, *format),
            Hypothesis::Program(mutant) => self.is_returned(o, *mutant),
            Hypothesis::Constant(constant) => self.agrees_with_constant(at, constant),
            Hypothesis::Mistake(k, _) | Hypothesis::FloatFunction(k, _) => {
                self.agrees_with_body(at, self.mistakes[*k].1)
            }
            Hypothesis::Factor(factor) => self.agrees_with_factor(o, *factor),
            Hypothesis::Offset(offset) => self.agrees_with_offset(o, *offset),
            Hypothesis::Limited { limit, is_most } => self.agrees_with_limit(o, *limit, *is_most),
        }
    }

    /// How many nodes the formula of a hypothesis has; none for the specification as it is written.
    fn size(&self, hypothesis: &Hypothesis) -> usize {
        let count = |root: NodeId| self.tape.cone(&[root]).iter().filter(|x| **x).count();
        match hypothesis {
            // A digit mistyped is likelier than any other formula.
            Hypothesis::Evaluated(_) | Hypothesis::Constant(_) => 0,
            Hypothesis::Program(mutant) => self.program(*mutant).map_or(0, |p| p.nodes().len()),
            Hypothesis::Mutant { first, .. } => {
                let body = self.bodies.binary_search_by_key(first, |b| b.1);
                count(body.map_or(self.root, |k| self.bodies[k].0))
            }
            Hypothesis::Mistake(k, _) | Hypothesis::FloatFunction(k, _) => count(self.mistakes[*k].1),
            Hypothesis::Swapped(..) | Hypothesis::Factor(_) | Hypothesis::Offset(_) | Hypothesis::Limited { .. } => {
                count(self.root)
            }
        }
    }

    /// Whether the answer is one that an implementation of another function may give.
    fn agrees_with_body(&self, at: &At<'_>, root: NodeId) -> bool {
        self.agrees_within(at, root, &self.domain.ranges)
    }

    /// The same for another range of an input.
    fn agrees_with_range(&self, at: &At<'_>, input: usize, range: Option<Interval>) -> bool {
        let Some(range) = range else { return self.is_response(at.observed.answer) };
        let mut ranges = self.domain.ranges.clone();
        ranges[input] = range;
        self.agrees_within(at, self.root, &ranges)
    }

    fn agrees_within(&self, at: &At<'_>, root: NodeId, ranges: &[Interval]) -> bool {
        let o = at.observed;
        match at.is_excluded || !ranges.iter().zip(o.input).all(|(r, x)| r.contains(*x)) {
            true => self.is_response(o.answer),
            false => self.is_result(o, root, at.values),
        }
    }

    /// Whether the function at `root` accepts the answer.
    fn is_result(&self, o: &Observation<'_>, root: NodeId, values: &[Enclosure]) -> bool {
        if let Answer::Value(y) = o.answer
            && surely_beyond(*y, &values[root.index()], &self.tolerance)
        {
            return false;
        }
        let (tape, roots) = self.tape.extract(&[root]);
        self.accepts(&tape, roots[0], o.input, o.answer)
    }

    fn accepts(&self, tape: &Tape, root: NodeId, input: &[f64], answer: &Answer) -> bool {
        let mut ladder = Ladder::new(tape, input, self.cap);
        let function = Function { tape, root, accuracy: &self.spec.accuracy };
        let owed = oracle(&mut ladder, function, self.spec.result_format);
        self.spend(&ladder);
        match (owed, answer) {
            // Without a check an undefined operation gives NaN or an infinity.
            (Oracle::Undefined, Answer::Value(y)) => !y.is_finite(),
            (Oracle::Undefined, Answer::Reject(_)) => true,
            (o, Answer::Value(y)) => o.verdict(*y) == Verdict::Ok,
            _ => false,
        }
    }

    fn agrees_when_swapped(&self, o: &Observation<'_>, a: usize, b: usize) -> bool {
        let mut input = o.input.to_vec();
        input.swap(a, b);
        let (tape, roots) = self.tape.extract(&[self.root]);
        self.accepts(&tape, roots[0], &input, o.answer)
    }

    fn is_evaluated(&self, o: &Observation<'_>, format: Format) -> bool {
        let Answer::Value(y) = o.answer else { return false };
        let value = rounded::value(&self.literal.tape, self.literal.root, o.input, format);
        value.is_some_and(|v| v == *y || v.is_nan() && y.is_nan())
    }

    fn program(&self, mutant: usize) -> Option<&Program> {
        let place = self.programs.binary_search_by_key(&mutant, |p| p.0).ok()?;
        Some(&self.programs[place].1)
    }

    /// Whether an answer is one that a program over floats may give.
    fn is_returned(&self, o: &Observation<'_>, mutant: usize) -> bool {
        let (Answer::Value(y), Some(program)) = (o.answer, self.program(mutant)) else { return false };
        self.spent.set(self.spent.get() + program.nodes().len() as u64);
        program.results(o.input, self.spec.libm_ulps).contains(*y)
    }

    /// Whether a condition of the domain surely does not hold at an input.
    fn is_excluded(&self, input: &[f64]) -> bool {
        let (tape, conditions) = &self.conditions;
        let mut ladder = Ladder::new(tape, input, self.cap);
        let all = all_hold(&mut ladder, conditions);
        self.spend(&ladder);
        all.is_false()
    }

    /// Whether an answer is the response that is owed outside the domain.
    fn is_response(&self, answer: &Answer) -> bool {
        match (self.spec.out_of_range, answer) {
            (OutOfRange::Reject, Answer::Reject(_)) | (OutOfRange::Any, _) => true,
            (OutOfRange::Reject | OutOfRange::Nan, Answer::Value(y)) => y.is_nan(),
            (OutOfRange::Saturate, Answer::Value(y)) => y.is_finite(),
            _ => false,
        }
    }
}

/// Whether a result is surely invalid for a function with values in the enclosure.
fn surely_beyond(y: f64, g: &Enclosure, tolerance: &QuickTolerance) -> bool {
    if !g.def.is_true() || !y.is_finite() {
        return false;
    }
    let (_, most) = tolerance.bounds(g.x);
    most.is_finite() && (Interval::point(y) - g.x).abs().inf() > most
}

#[cfg(test)]
mod tests;
