//! What a test asks of a result, and what the mutants nearest to it would return, in units of the tolerance.

use super::data::{Mutant, Run, Test, number, resolved};
use crate::csp::look::Prepared;
use crate::mutate::MutationOperator;
use crate::num::Rational;
use crate::num::float::rational;
use crate::oracle::formula::Formula;
use crate::oracle::{DEFAULT_CAP, Ladder, LadderSeen, ValidSet};
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

/// One test in numbers.
pub(super) struct Ranges {
    /// What surely passes; narrower than -1 to 1 by less than a number of the format, or at the precision cap.
    pub(super) inner: Band,
    /// Outside of which everything surely fails.
    pub(super) outer: Band,
    /// The nearest mutants by index, each with what it regards as right.
    pub(super) mutants: Vec<(usize, Band)>,
    /// What a checked implementation returned.
    pub(super) observed: Option<f64>,
}

/// The mutants ready to be evaluated.
pub(super) struct Bench<'r> {
    run: &'r Run,
    spec: Prepared<'r>,
    mutants: Vec<Option<Formula<'r>>>,
}

/// Of how many mutants one is read for the charts: 1, unless there are so many that reading all takes gigabytes.
pub(super) fn stride(run: &Run) -> usize {
    let core = run.manifest.specification.core.len();
    run.mutants.iter().map(|m| m.fpcore.as_ref().map_or(core, String::len)).sum::<usize>().div_ceil(TEXT).max(1)
}

/// The mutants as specifications; none for one that always agrees with the specification, that only has another domain,
/// or that computes the same formula otherwise: it regards the same results as right.
pub(super) fn specs(run: &Run) -> Vec<Option<Spec>> {
    let stride = stride(run);
    let drawn = |o: MutationOperator| !matches!(o, MutationOperator::Bounds | MutationOperator::Evaluation);
    let worth = |m: &Mutant| m.status != Standing::Equivalent && drawn(m.operator);
    let one = |(k, m): (usize, &Mutant)| {
        let chosen = k % stride == 0 && worth(m);
        let about = &run.manifest.specification;
        if chosen { resolved(&m.whole(&about.core)?, &about.file) } else { None }
    };
    run.mutants.iter().enumerate().map(one).collect()
}

impl<'r> Bench<'r> {
    pub(super) fn new(run: &'r Run, specs: &'r [Option<Spec>]) -> Self {
        let mutants = specs.iter().map(|s| s.as_ref().map(Formula::new)).collect();
        Bench { run, spec: Prepared::new(&run.spec), mutants }
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
            let valid = self.valid(m, &test.x)?;
            Some((m, Band { lo: share(&valid.lower.lo).to_f64(), hi: share(&valid.upper.hi).to_f64() }))
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
        for (m, formula) in self.mutants.iter().enumerate() {
            let Some(formula) = formula else { continue };
            values.clear();
            evaluate(&formula.tape, &mut Points { inputs: &inputs }, &mut values);
            let distance = (values[formula.root.index()][0] - center).abs();
            if distance.is_finite() {
                distances.push((distance, m));
            }
        }
        distances.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let some = |killed: bool, most: usize| {
            let cells = &self.run.matrix.rows[index];
            distances.iter().map(|d| d.1).filter(move |m| (cells[*m] == VerdictWord::Ko) == killed).take(most)
        };
        some(false, ALIVE).chain(some(true, KILLED)).collect()
    }

    /// What a mutant regards as right, from the first step of the ladder that says it.
    fn valid(&self, m: usize, x: &[f64]) -> Option<ValidSet> {
        let formula = self.mutants[m].as_ref()?;
        let mut ladder = Ladder::new(&formula.tape, x, DEFAULT_CAP);
        // The first level in multiple precision is enough to draw it, and the exact one is for what is rational.
        (0..ladder.levels().min(3)).find_map(|level| match ladder.see(formula.function(), level) {
            LadderSeen::Value(set) => Some(set),
            _ => None,
        })
    }
}
