//! What a test asks of a result, and what the mutants nearest to it would return, in units of the tolerance.

use super::data::{Mutant, Run, Test, number, resolved};
use crate::csp::look::Prepared;
use crate::mutate::MutationOperator;
use crate::num::Rational;
use crate::num::float::rational;
use crate::oracle::formula::Formula;
use crate::oracle::{DEFAULT_CAP, Ladder, LadderSeen, ValidSet};
use crate::program::{LibmUlps, Program, Results};
use crate::record::VerdictWord;
use crate::spec::Spec;
use crate::suite::Standing;
use crate::tape::eval::{Points, evaluate};

/// How many mutants that a test kills are drawn with it, the nearest first.
const KILLED: usize = 6;
/// And how many that it does not kill.
const ALIVE: usize = 2;
/// The most text of mutants that is read for the charts, in bytes.
const TEXT: usize = 8 << 20;

/// A range of results around f(x), in units of the tolerance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Band {
    pub(super) lo: f64,
    pub(super) hi: f64,
}

/// What a mutant returns at a test.
pub(super) struct MutantBand {
    /// The mutant by index.
    pub(super) mutant: usize,
    /// It, in stretches that do not hold f(x) unless one of its results is there.
    pub(super) bands: Vec<Band>,
    /// How far the nearest of it is from f(x), in tolerances: 0 on both sides, infinite where no number is finite.
    pub(super) off: f64,
}

/// One test in numbers.
pub(super) struct Ranges {
    /// What surely passes; narrower than -1 to 1 by less than a number of the format, or at the precision cap.
    pub(super) inner: Band,
    /// Outside of which everything surely fails.
    pub(super) outer: Band,
    /// The nearest mutants, each with what it regards as right or returns.
    pub(super) mutants: Vec<MutantBand>,
    /// What a checked implementation returned.
    pub(super) observed: Option<f64>,
}

/// The mutants ready to be evaluated.
pub(super) struct Bench<'r> {
    run: &'r Run,
    spec: Prepared<'r>,
    mutants: Vec<Option<Wrong<'r>>>,
    /// The errors of library functions that programs are taken to have.
    ulps: LibmUlps,
}

/// What a mutant returns.
enum Wrong<'r> {
    /// The value of another formula, as accurate as the specification asks for.
    Formula(Formula<'r>),
    /// What this program over floats returns.
    Program(Program),
}

/// Of how many mutants one is read for the charts: 1, unless there are so many that reading all takes gigabytes.
pub(super) fn stride(run: &Run) -> usize {
    let core = run.manifest.specification.core.len();
    run.mutants.iter().map(|m| m.fpcore.as_ref().map_or(core, String::len)).sum::<usize>().div_ceil(TEXT).max(1)
}

/// The mutants as specifications; none for one that always agrees with the specification or that only has another domain.
pub(super) fn specs(run: &Run) -> Vec<Option<Spec>> {
    let stride = stride(run);
    let worth = |m: &Mutant| m.status != Standing::Equivalent && m.operator != MutationOperator::Bounds;
    let one = |(k, m): (usize, &Mutant)| {
        let chosen = k % stride == 0 && worth(m);
        let about = &run.manifest.specification;
        if chosen { resolved(&m.whole(&about.core)?, &about.file) } else { None }
    };
    run.mutants.iter().enumerate().map(one).collect()
}

impl<'r> Bench<'r> {
    pub(super) fn new(run: &'r Run, specs: &'r [Option<Spec>]) -> Self {
        let names: Vec<String> = run.spec.inputs.iter().map(|i| i.name.clone()).collect();
        let format = run.spec.result_format;
        let wrong = |(m, spec): (&Mutant, &'r Option<Spec>)| {
            let spec = spec.as_ref()?;
            Some(match m.operator {
                // Over the reals it is the specification; of a program it is one itself.
                MutationOperator::Evaluation if run.spec.formula.is_none() => {
                    Wrong::Program(Program::written(&names, &spec.core.body, format, format)?)
                }
                _ => Wrong::Formula(Formula::new(spec)),
            })
        };
        let mutants = run.mutants.iter().zip(specs).map(wrong).collect();
        let said = run.manifest.options.iter().find(|o| o.name == "libm-ulps").and_then(|o| o.value.as_ref());
        let ulps = said.and_then(|u| LibmUlps::new(u.parse().ok()?)).unwrap_or(run.spec.libm_ulps);
        Bench { run, spec: Prepared::new(&run.spec), mutants, ulps }
    }

    /// The specification, ready to be looked at.
    pub(super) fn spec(&self) -> &Prepared<'r> {
        &self.spec
    }

    /// The ranges of a test; none where f has no value or the tolerance is 0.
    pub(super) fn ranges(&self, index: usize) -> Option<Ranges> {
        let test = &self.run.tests[index];
        let (lo, hi) = (number(test.lo.as_ref())?, number(test.hi.as_ref())?);
        let set = self.spec.look(&test.x, DEFAULT_CAP).set?;
        let (middle, unit) = (set.middle(), set.tolerance.hi.clone());
        if unit == 0 {
            return None;
        }
        let share = |y: &Rational| Rational::from(y - &middle) / &unit;
        let place = |y: f64| y.is_finite().then(|| share(&rational(y)).to_f64());
        let band = |lo: f64, hi: f64| Some(Band { lo: place(lo)?, hi: place(hi)? });
        let inner = number(test.inner_lo.as_ref()).zip(number(test.inner_hi.as_ref()));
        let inner = inner.unwrap_or((lo, hi));
        let observed = self.run.observed(test).and_then(|o| place(number(o.result.as_ref())?));
        let of = |m: usize| {
            let bands = match self.mutants[m].as_ref()? {
                Wrong::Formula(formula) => {
                    let valid = valid(formula, &test.x)?;
                    vec![Band { lo: share(&valid.lower.lo).to_f64(), hi: share(&valid.upper.hi).to_f64() }]
                }
                Wrong::Program(program) => {
                    returned(&program.results(&test.x, self.ulps), |y| share(&rational(y)).to_f64())
                }
            };
            let off = bands.iter().map(|b| b.lo.max(-b.hi).max(0.0)).reduce(f64::min)?;
            Some(MutantBand { mutant: m, bands: by_side(bands), off })
        };
        let mutants = self.nearest(index, test).into_iter().filter_map(of).collect();
        Some(Ranges { inner: band(inner.0, inner.1)?, outer: band(lo, hi)?, mutants, observed })
    }

    /// The mutants whose values are nearest to f(x), by binary64: this only chooses what is drawn.
    fn nearest(&self, index: usize, test: &Test) -> Vec<usize> {
        let inputs: Vec<[f64; 1]> = test.x.iter().map(|x| [*x]).collect();
        let (tape, root, _) = self.spec.parts();
        let mut values = Vec::new();
        evaluate(tape, &mut Points { inputs: &inputs }, &mut values);
        let center = values[root.index()][0];
        let mut distances: Vec<(f64, usize)> = Vec::new();
        let mut floats = Vec::new();
        for (m, wrong) in self.mutants.iter().enumerate() {
            let (y, is_drawn) = match wrong {
                None => continue,
                Some(Wrong::Formula(formula)) => {
                    values.clear();
                    evaluate(&formula.tape, &mut Points { inputs: &inputs }, &mut values);
                    (values[formula.root.index()][0], false)
                }
                Some(Wrong::Program(program)) => (program.point(&test.x, &mut floats), true),
            };
            let distance = (y - center).abs();
            // A program that returns no number is as far off as can be, and is said to be.
            if distance.is_finite() || is_drawn {
                distances.push((if distance.is_nan() { f64::INFINITY } else { distance }, m));
            }
        }
        distances.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let some = |killed: bool, most: usize| {
            let cells = &self.run.matrix.rows[index];
            distances.iter().map(|d| d.1).filter(move |m| (cells[*m] == VerdictWord::Ko) == killed).take(most)
        };
        some(false, ALIVE).chain(some(true, KILLED)).collect()
    }
}

/// Bands below f(x), around it and above it, each side's as one.
fn by_side(bands: Vec<Band>) -> Vec<Band> {
    let side = |b: &Band| (b.lo > 0.0) as i8 - (b.hi < 0.0) as i8;
    let of = |wanted: i8| {
        let own = bands.iter().filter(|b| side(b) == wanted).copied();
        own.reduce(|a, b| Band { lo: a.lo.min(b.lo), hi: a.hi.max(b.hi) })
    };
    [-1, 0, 1].into_iter().filter_map(of).collect()
}

/// What a formula regards as right, from the first step of the ladder that says it.
fn valid(formula: &Formula<'_>, x: &[f64]) -> Option<ValidSet> {
    let mut ladder = Ladder::new(&formula.tape, x, DEFAULT_CAP);
    // The first level in multiple precision is enough to draw it, and the exact one is for what is rational.
    (0..ladder.levels().min(3)).find_map(|level| match ladder.see(formula.function(), level) {
        LadderSeen::Value(set) => Some(set),
        _ => None,
    })
}

/// What a program may return, each float by its `place`; infinite where none is finite.
fn returned(results: &Results, place: impl Fn(f64) -> f64) -> Vec<Band> {
    let finite = results.sets.iter().filter(|s| !s.has_no_finite());
    let bands: Vec<Band> = finite.map(|s| Band { lo: place(s.lo), hi: place(s.hi) }).collect();
    if !bands.is_empty() {
        return bands;
    }
    let is_below = results.sets.iter().all(|s| s.minus_infinity && !s.plus_infinity && !s.nan);
    let end = if is_below { f64::NEG_INFINITY } else { f64::INFINITY };
    vec![Band { lo: end, hi: end }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floats::{FloatSet, Format};

    #[test]
    fn what_a_program_returns_in_tolerances() {
        let set = |lo: f64, hi: f64| FloatSet { lo, hi, minus_infinity: false, plus_infinity: false, nan: false };
        let none = set(1.0, 0.0);
        let band = |sets: Vec<FloatSet>| returned(&Results { sets, format: Format::BINARY64 }, |y| 2.0 * y);
        let one = |lo: f64, hi: f64| Band { lo, hi };
        assert_eq!(band(vec![set(1.0, 2.0), set(-3.0, -3.0)]), [one(2.0, 4.0), one(-6.0, -6.0)]);
        let by_side = by_side(vec![one(2.0, 4.0), one(-6.0, -6.0), one(7.0, 8.0), one(-1.0, 0.0)]);
        assert_eq!(by_side, [one(-6.0, -6.0), one(-1.0, 0.0), one(2.0, 8.0)]);
        assert_eq!(band(vec![FloatSet { nan: true, ..none }]), [one(f64::INFINITY, f64::INFINITY)]);
        assert_eq!(band(vec![FloatSet { minus_infinity: true, ..none }]), [one(f64::NEG_INFINITY, f64::NEG_INFINITY)]);
    }
}
