//! Boxes in multiple precision: where binary64 intervals are coarser than the accuracy that is asked for.

use super::build::Csp;
use crate::num::{Interval, MpInterval, Ternary};
use crate::solve::reals::enclose;
use crate::tape::eval::mp_truth;

/// Whether on all of a box a condition fails, neither function has a value, or both have and the valid sets meet.
#[must_use]
pub fn meets(csp: &Csp, domain: &[Interval], bits: u32) -> bool {
    let v = enclose(csp.tape(), domain, bits);
    let fails = |c: &MpInterval| c.def == Ternary::False || mp_truth(c) == Ternary::False;
    if csp.conditions().any(|c| fails(&v[c.index()])) {
        return true;
    }
    let (f, g) = (&v[csp.f.index()], &v[csp.g.index()]);
    match (f.def, g.def) {
        (Ternary::False, Ternary::False) => true,
        (Ternary::True, Ternary::True) => {
            let not_positive = |x: &MpInterval| x.def == Ternary::True && x.hi <= 0;
            not_positive(&v[csp.gap.index()]) || csp.relative.is_some_and(|r| not_positive(&v[r.gap.index()]))
        }
        _ => false,
    }
}
