//! Mutants that are programs over floats: verdicts of tests on them.

use crate::ops::float::LibmUlps;
use crate::oracle::{Oracle, Verdict};
use crate::program::{Program, Results};
use crate::suite::MatrixCell;

/// The verdict of an oracle on a program at an input. `error` says how far a result is from f in units of the tolerance, if
/// it is known.
pub(in crate::suite) fn cell(
    program: &Program,
    oracle: &Oracle,
    input: &[f64],
    ulps: LibmUlps,
    error: impl FnOnce(f64) -> Option<f64>,
) -> MatrixCell {
    let results = program.results(input, ulps);
    match results.verdict(oracle) {
        Verdict::Ko => MatrixCell::Ko { margin: margin(&results, oracle, error) },
        Verdict::Ok => MatrixCell::Ok,
        Verdict::Uncertain => MatrixCell::Uncertain,
    }
}

/// How far outside the valid set the nearest float that may be returned is, in units of the tolerance; infinite where none
/// is finite.
fn margin(results: &Results, oracle: &Oracle, error: impl FnOnce(f64) -> Option<f64>) -> f64 {
    let (lo, hi) = match *oracle {
        Oracle::Decided { lo, hi, .. } => (lo, hi),
        Oracle::Capped { outer, .. } => outer,
        Oracle::Unsatisfiable | Oracle::Undefined | Oracle::Unsettled => return f64::INFINITY,
    };
    let Some(y) = nearest(results, 0.5 * lo + 0.5 * hi) else { return f64::INFINITY };
    if let Some(error) = error(y) {
        return (error - 1.0).max(0.0);
    }
    // The valid floats take the place of the valid set, which is up to an ulp wider on both sides.
    let distance = (lo - y).max(y - hi).max(0.0);
    let width = hi - lo;
    if width.is_infinite() {
        return distance / (0.5 * hi - 0.5 * lo);
    }
    if width > 0.0 {
        // Half of a subnormal width may be none.
        return 2.0 * (distance / width);
    }
    // There is no width to compare with. An ulp, the least that the tolerance can be said to be below, takes its place.
    let format = results.format;
    let ulp = (format.successor(hi) - hi).min(hi - format.predecessor(hi));
    distance / ulp
}

/// The float that may be returned and is nearest to a number, if a finite one may be.
pub(in crate::suite) fn nearest(results: &Results, target: f64) -> Option<f64> {
    let finite = results.sets.iter().filter(|s| !s.has_no_finite());
    let of_set = finite.map(|s| results.format.round(target.clamp(s.lo, s.hi)).clamp(s.lo, s.hi));
    of_set.min_by(|a, b| (a - target).abs().total_cmp(&(b - target).abs()))
}
