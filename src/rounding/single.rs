//! Errors at a single input, by all that a program may return there: exact choices, and no bound on what roundings do.

use super::backward::Sums;
use crate::num::mpfr::{Float, Round};
use crate::num::{Interval, MpInterval};
use crate::program::Results;
use crate::tape::eval::Multi;
use crate::tape::{NodeId, Tape, evaluate};

/// The precision of the exact value. Unit: bits.
const BITS: u32 = 256;

/// The largest error of what a program may return at an input, with an enclosure of the exact value at a node. `None` where the exact
/// value is not known, or what is returned may be no finite number.
pub(super) fn of_results(results: &Results, (tape, root): (&Tape, NodeId), at: &[f64]) -> Option<(Sums, Interval)> {
    let inputs: Vec<MpInterval> = at.iter().map(|x| MpInterval::from_f64(*x, BITS)).collect();
    let mut values = Vec::new();
    evaluate(tape, &mut Multi { inputs: &inputs, precision: BITS }, &mut values);
    let f = &values[root.index()];
    if !f.def.is_true() || !f.lo.is_finite() || !f.hi.is_finite() {
        return None;
    }
    let up = |x: &Float, y: f64| Float::with_val_round(BITS, x - y, Round::Up).0;
    let mut absolute = Float::with_val(BITS, 0);
    for set in &results.sets {
        if set.nan || set.minus_infinity || set.plus_infinity || set.has_no_finite() {
            return None;
        }
        // y - f is at most hi - f.lo, and f - y at most f.hi - lo.
        let above = -Float::with_val_round(BITS, &f.lo - set.hi, Round::Down).0;
        for distance in [above, up(&f.hi, set.lo)] {
            if distance > absolute {
                absolute = distance;
            }
        }
    }
    let least = if f.lo > 0 {
        f.lo.clone()
    } else if f.hi < 0 {
        -f.hi.clone()
    } else {
        Float::with_val(BITS, 0)
    };
    let relative = match (absolute.is_zero(), least.is_zero()) {
        (true, _) => 0.0,
        (_, true) => f64::INFINITY,
        _ => Float::with_val_round(BITS, &absolute / &least, Round::Up).0.to_f64_round(Round::Up),
    };
    let sums = Sums { absolute: absolute.to_f64_round(Round::Up), relative, ..Sums::UNKNOWN };
    let enclosure = Interval::new(f.lo.to_f64_round(Round::Down), f.hi.to_f64_round(Round::Up));
    Some((sums, enclosure))
}
