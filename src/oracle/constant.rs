//! Constants that pass for f: an accuracy that accepts one everywhere asks for nothing of a program.

use super::Oracle;
use crate::floats::Format;
use crate::num::float::rational;
use crate::num::mpfr::Round;
use crate::num::outward::significant;

/// Digits that tell all binary64 numbers apart.
const ALL_DIGITS: u32 = 17;

/// A number of the format that each of these oracles surely accepts: 0 if they do, else one with few digits. `None` if there
/// is none, or no oracle.
#[must_use]
pub fn accepted_by_all<'o>(oracles: impl IntoIterator<Item = &'o Oracle>, format: Format) -> Option<f64> {
    let mut common: Option<(f64, f64)> = None;
    for oracle in oracles {
        let (lo, hi) = match *oracle {
            Oracle::Decided { lo, hi, .. } => (lo, hi),
            Oracle::Capped { inner, .. } => inner,
            Oracle::Unsatisfiable | Oracle::Undefined | Oracle::Unsettled => return None,
        };
        common = Some(common.map_or((lo, hi), |(a, b)| (lo.max(a), hi.min(b))));
    }
    let (lo, hi) = common.filter(|(lo, hi)| lo <= hi)?;
    let middle = (rational(lo) + rational(hi)) / 2;
    let short = (1..=ALL_DIGITS).filter_map(|n| significant(&middle, n, Round::Nearest).parse::<f64>().ok());
    let is_accepted = |c: &f64| lo <= *c && *c <= hi;
    Some(std::iter::once(0.0).chain(short.map(|c| format.nearest(c))).find(is_accepted).unwrap_or(lo))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_is_in_all_intervals() {
        let decided = |lo, hi| Oracle::Decided { lo, hi, expected: lo };
        let of = |oracles: &[Oracle]| accepted_by_all(oracles, Format::BINARY64);
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[decided(-1.0, 2.0), decided(0.0, 3.0)]), Some(0.0));
        assert_eq!(of(&[decided(0.3, 2.0), decided(-4.0, 0.71)]), Some(0.5));
        assert_eq!(of(&[decided(0.1, 0.2), decided(0.2, 0.3)]), Some(0.2));
        assert_eq!(of(&[decided(0.1, 0.2), decided(0.3, 0.4)]), None);
        let capped = |inner| Oracle::Capped { outer: (-9.0, 9.0), inner };
        assert_eq!(of(&[decided(1.0, 5.0), capped((4.0, 8.0))]), Some(5.0));
        assert_eq!(of(&[capped((1.0, -1.0))]), None);
        assert_eq!(of(&[decided(1.0, 5.0), Oracle::Unsatisfiable]), None);
    }
}
