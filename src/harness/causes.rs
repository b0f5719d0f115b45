//! What failures look like: changes of the specification that the observed results agree with.
//!
//! A result agrees with another specification where that one would call it valid. A cause that is ranked first need
//! not be the real one; it is what one would look for first.

use super::answer::Answer;
use super::rounded;
use crate::csp::InputBox;
use crate::csp::domain::representable;
use crate::mutate::{Change, Mutant};
use crate::num::float::{Format, rational};
use crate::num::{Interval, Rational, Ternary};
use crate::oracle::formula::Formula;
use crate::oracle::quick::QuickTolerance;
use crate::oracle::{Function, Ladder, Oracle, Seen, Verdict, all_hold, oracle};
use crate::program::Program;
use crate::spec::{OutOfRange, Spec};
use crate::tape::eval::{Boxes, Enclosure};
use crate::tape::lower::lower;
use crate::tape::{Builder, NodeId, Tape, evaluate};
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
    /// The specification's function, times a constant.
    Factor(f64),
}

/// A hypothesis with what agrees with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Cause {
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
    pub list: Vec<Cause>,
    /// How many failures there were to agree with.
    pub failures: usize,
    /// How many results there were to agree with.
    pub results: usize,
}

impl Causes {
    /// Whether a cause explains every failure and contradicts no result: a change that explains a part is not what the
    /// implementation computes, nor all of what is wrong with it.
    #[must_use]
    pub fn explains_all(&self, cause: &Cause) -> bool {
        cause.failures == self.failures && cause.results == self.results
    }
}

/// The most failures, and the most other results, that are compared.
pub const MOST: usize = 1000;

/// Compare what was observed with the mutants of the specification and with a few mistakes that no mutant makes: at
/// most the first [`MOST`] failures and as many others. `cap` is the last precision of the ladder in bits.
#[must_use]
pub fn causes(spec: &Spec, mutants: &[Mutant], observed: &[Observation<'_>], cap: u32) -> Causes {
    let Ok(domain) = InputBox::new(spec) else { return Causes::default() };
    let of = |failed: bool| observed.iter().filter(move |o| o.failed == failed).take(MOST);
    let failed: Vec<&Observation<'_>> = of(true).collect();
    let others: Vec<&Observation<'_>> = of(false).collect();
    let mut causes = Causes { list: Vec::new(), failures: failed.len(), results: failed.len() + others.len() };
    if failed.is_empty() {
        return causes;
    }
    let bench = Bench::new(spec, domain, mutants, cap);
    let new = |hypothesis| Cause { hypothesis, failures: 0, results: 0 };
    let mut list: Vec<Cause> = bench.hypotheses().into_iter().map(new).collect();
    bench.count(&mut list, &failed, true);
    list.retain(|c| c.failures > 0);
    // A change that explains all of it is not also a factor.
    if !list.iter().any(|c| c.failures == failed.len())
        && let Some(factor) = bench.factor(&failed)
    {
        let mut factor = [new(Hypothesis::Factor(factor))];
        bench.count(&mut factor, &failed, true);
        list.extend(factor);
    }
    bench.count(&mut list, &others, false);
    // Of two that explain as much the simpler formula comes first; then the order above.
    list.sort_by_cached_key(|c| (std::cmp::Reverse((c.failures, c.results)), bench.size(&c.hypothesis)));
    causes.list = list;
    causes
}

/// Specification and mutants on one tape.
struct Bench<'a> {
    spec: &'a Spec,
    domain: InputBox,
    tape: Tape,
    root: NodeId,
    conditions: Vec<NodeId>,
    /// The formula operator by operator as it is written.
    literal: Formula<'a>,
    /// Other functions: the node, the first mutant, the others; in the order of the first mutants.
    bodies: Vec<(NodeId, usize, Vec<usize>)>,
    /// Other ranges: the mutant, the input, its values; in the order of the mutants.
    ranges: Vec<(usize, usize, Option<Interval>)>,
    /// Programs over floats: the mutant and its program, in the order of the mutants.
    programs: Vec<(usize, Arc<Program>)>,
    tolerance: QuickTolerance,
    cap: u32,
}

impl<'a> Bench<'a> {
    fn new(spec: &'a Spec, domain: InputBox, mutants: &[Mutant], cap: u32) -> Self {
        let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
        let mut builder = Builder::new(names.len());
        let root = lower(&mut builder, &names, &spec.core.body);
        let conditions = spec.constraints.iter().map(|c| lower(&mut builder, &names, c)).collect();
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
                Change::Evaluation(e) if e.is_plain || e.format == Format::Binary32 => {}
                Change::Evaluation(e) => programs.push((m, e.program.clone())),
            }
        }
        let literal = Formula::on(spec, Builder::literal(names.len()));
        let tolerance = QuickTolerance::new(&spec.accuracy);
        Bench {
            spec,
            domain,
            tape: builder.finish(),
            root,
            conditions,
            literal,
            bodies,
            ranges,
            programs,
            tolerance,
            cap,
        }
    }

    /// All that is worth comparing with, but factors, in the order in which equal ones are shown.
    fn hypotheses(&self) -> Vec<Hypothesis> {
        let formats = [Format::Binary32, Format::Binary64].into_iter().map(Hypothesis::Evaluated);
        let bodies = self.bodies.iter();
        let bodies = bodies.map(|(_, first, alike)| Hypothesis::Mutant { first: *first, alike: alike.clone() });
        let ranges = self.ranges.iter().map(|r| Hypothesis::Mutant { first: r.0, alike: Vec::new() });
        let inputs = self.spec.inputs.len();
        let swapped = (0..inputs).flat_map(|a| (a + 1..inputs).map(move |b| Hypothesis::Swapped(a, b)));
        let programs = self.programs.iter().map(|p| Hypothesis::Program(p.0));
        formats.chain(programs).chain(bodies).chain(ranges).chain(swapped).collect()
    }

    /// Adds what agrees to the counts.
    fn count(&self, causes: &mut [Cause], observed: &[&Observation<'_>], failures: bool) {
        let mut values = Vec::new();
        for o in observed {
            let inputs: Vec<Interval> = o.input.iter().map(|x| Interval::point(*x)).collect();
            evaluate(&self.tape, &mut Boxes { inputs: &inputs }, &mut values);
            for cause in &mut *causes {
                if self.agrees(o, &cause.hypothesis, &values) {
                    cause.results += 1;
                    cause.failures += usize::from(failures);
                }
            }
        }
    }

    /// Whether an observation is what the hypothesis would give. `values` are those of the tape at its input.
    fn agrees(&self, o: &Observation<'_>, hypothesis: &Hypothesis, values: &[Enclosure]) -> bool {
        match hypothesis {
            Hypothesis::Mutant { first, .. } => match self.bodies.binary_search_by_key(first, |b| b.1) {
                Ok(k) => self.agrees_with_body(o, self.bodies[k].0, values),
                Err(_) => match self.ranges.binary_search_by_key(first, |r| r.0) {
                    Ok(k) => self.agrees_with_range(o, self.ranges[k].1, self.ranges[k].2, values),
                    Err(_) => false,
                },
            },
            Hypothesis::Swapped(a, b) => self.agrees_when_swapped(o, *a, *b),
            Hypothesis::Evaluated(format) => self.is_evaluated(o, *format),
            Hypothesis::Program(mutant) => self.is_returned(o, *mutant),
            Hypothesis::Factor(factor) => self.agrees_with_factor(o, *factor),
        }
    }

    /// How many nodes the formula of a hypothesis has; none for the specification as it is written.
    fn size(&self, hypothesis: &Hypothesis) -> usize {
        let count = |root: NodeId| self.tape.cone(&[root]).iter().filter(|x| **x).count();
        match hypothesis {
            Hypothesis::Evaluated(_) => 0,
            Hypothesis::Program(mutant) => self.program(*mutant).map_or(0, |p| p.nodes().len()),
            Hypothesis::Mutant { first, .. } => {
                let body = self.bodies.binary_search_by_key(first, |b| b.1);
                count(body.map_or(self.root, |k| self.bodies[k].0))
            }
            Hypothesis::Swapped(..) | Hypothesis::Factor(_) => count(self.root),
        }
    }

    /// Whether the answer is one that an implementation of another function may give.
    fn agrees_with_body(&self, o: &Observation<'_>, root: NodeId, values: &[Enclosure]) -> bool {
        if self.is_outside(o.input, &self.domain.ranges) {
            return self.is_response(o.answer);
        }
        self.is_result(o, root, values)
    }

    /// The same for another range of an input.
    fn agrees_with_range(
        &self,
        o: &Observation<'_>,
        input: usize,
        range: Option<Interval>,
        values: &[Enclosure],
    ) -> bool {
        let Some(range) = range else { return self.is_response(o.answer) };
        let mut ranges = self.domain.ranges.clone();
        ranges[input] = range;
        if self.is_outside(o.input, &ranges) {
            return self.is_response(o.answer);
        }
        self.is_result(o, self.root, values)
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
        match (oracle(&mut ladder, function, self.spec.result_format), answer) {
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
        program.results(o.input, self.spec.libm_ulps).contains(*y)
    }

    /// Whether an input is surely outside a box or a condition.
    fn is_outside(&self, input: &[f64], ranges: &[Interval]) -> bool {
        if !ranges.iter().zip(input).all(|(r, x)| r.contains(*x)) {
            return true;
        }
        !self.conditions.is_empty()
            && all_hold(&mut Ladder::new(&self.tape, input, self.cap), &self.conditions) == Ternary::False
    }

    /// Whether an answer is the response that is owed outside the domain.
    fn is_response(&self, answer: &Answer) -> bool {
        match (self.spec.out_of_range, answer) {
            (OutOfRange::Reject, Answer::Reject(_)) | (OutOfRange::Any, _) => true,
            (OutOfRange::Nan, Answer::Value(y)) => y.is_nan(),
            (OutOfRange::Saturate, Answer::Value(y)) => y.is_finite(),
            _ => false,
        }
    }

    /// The valid set of the specification at an input, as exact bounds.
    fn valid(&self, input: &[f64]) -> Option<(Rational, Rational)> {
        let (tape, roots) = self.tape.extract(&[self.root]);
        let mut ladder = Ladder::new(&tape, input, self.cap);
        match ladder.see(Function { tape: &tape, root: roots[0], accuracy: &self.spec.accuracy }, 1) {
            Seen::Value(set) => Some((set.lower.lo, set.upper.hi)),
            _ => None,
        }
    }

    /// The one factor by which all failing results may be off: a plain one, if there is one that fits.
    fn factor(&self, failed: &[&Observation<'_>]) -> Option<f64> {
        let mut range: Option<(Rational, Rational)> = None;
        let mut count = 0;
        for o in failed {
            let Answer::Value(y) = o.answer else { return None };
            if !y.is_finite() {
                return None;
            }
            let (lo, hi) = self.valid(o.input)?;
            if *y == 0.0 || lo <= 0 && hi >= 0 {
                continue;
            }
            let (a, b) = (rational(*y) / lo, rational(*y) / hi);
            let (a, b) = if a < b { (a, b) } else { (b, a) };
            let (lo, hi) = match range {
                None => (a, b),
                Some((lo, hi)) => (lo.max(a), hi.min(b)),
            };
            if lo > hi {
                return None;
            }
            range = Some((lo, hi));
            count += 1;
        }
        let (lo, hi) = range.filter(|_| count >= 2)?;
        let within = |x: &f64| rational(*x) >= lo && rational(*x) <= hi;
        let plain = PLAIN.iter().flat_map(|x| [*x, 1.0 / x, -x, -1.0 / x]).chain(NAMED);
        let middle = ((lo.clone() + &hi) / 2u32).to_f64();
        // A wide range means a wide tolerance, and says nothing.
        let narrow = (hi.clone() - &lo).abs() * 1000u32 < lo.clone().abs();
        plain.into_iter().find(within).or_else(|| narrow.then_some(middle))
    }

    fn agrees_with_factor(&self, o: &Observation<'_>, factor: f64) -> bool {
        let Answer::Value(y) = o.answer else { return false };
        let Some((lo, hi)) = self.valid(o.input).filter(|_| y.is_finite()) else { return false };
        let (a, b) = (rational(factor) * lo, rational(factor) * hi);
        let y = rational(*y);
        (a <= y && y <= b) || (b <= y && y <= a)
    }
}

/// Factors that people forget or apply twice.
const PLAIN: [f64; 14] = [1.0, 2.0, 3.0, 4.0, 5.0, 8.0, 10.0, 12.0, 60.0, 100.0, 1000.0, 3600.0, 1e6, 1e9];
/// Degrees in a radian, and the other way round.
const NAMED: [f64; 4] =
    [180.0 / std::f64::consts::PI, std::f64::consts::PI / 180.0, std::f64::consts::PI, std::f64::consts::TAU];

/// Whether a result is surely invalid for a function with values in the enclosure.
fn surely_beyond(y: f64, g: &Enclosure, tolerance: &QuickTolerance) -> bool {
    if !g.def.is_true() || !y.is_finite() {
        return false;
    }
    let (_, most) = tolerance.bounds(g.x);
    most.is_finite() && (Interval::point(y) - g.x).abs().inf() > most
}
