//! Where to cut a box in two.

use crate::floats::middle_float;
use crate::num::Interval;
use crate::spec::InputBox;

/// How the input to cut is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bisection {
    /// The one whose width times derivative of the gap is largest (Kearfott's maximal smear); the largest relative
    /// width where there are no derivatives. The default.
    #[default]
    Smear,
    /// The one with the largest width relative to its magnitude.
    Largest,
    /// One after the other.
    RoundRobin,
}

/// The width of an interval relative to its magnitude: at most 2, and 0 for a point.
#[must_use]
pub fn relative_width(x: Interval) -> f64 {
    if x.is_point() { 0.0 } else { (x.wid() / x.mag()).min(2.0) }
}

/// The largest relative width of a box.
#[must_use]
pub fn box_width(domain: &[Interval]) -> f64 {
    domain.iter().map(|x| relative_width(*x)).fold(0.0, f64::max)
}

/// The input to cut at `depth`; `None` if every interval is a point.
#[must_use]
pub fn choose(how: Bisection, domain: &[Interval], slopes: &[Interval], depth: u32) -> Option<usize> {
    let cuttable = |i: &usize| !domain[*i].is_point();
    let open = || (0..domain.len()).filter(cuttable);
    let largest = |key: &dyn Fn(usize) -> f64| {
        open().fold(None, |best: Option<(usize, f64)>, i| match (best, key(i)) {
            (Some((_, b)), k) if k <= b || k.is_nan() => best,
            (_, k) => Some((i, k)),
        })
    };
    let widest = || largest(&|i| relative_width(domain[i])).map(|(i, _)| i);
    match how {
        Bisection::Largest => widest(),
        Bisection::RoundRobin => {
            let n = domain.len();
            (0..n).map(|k| (depth as usize + k) % n).find(cuttable)
        }
        Bisection::Smear if slopes.len() == domain.len() && slopes.iter().all(|s| s.is_bounded()) => {
            // Every fourth cut by width keeps the search from going blind in one direction.
            if depth % 4 == 3 {
                return widest();
            }
            largest(&|i| slopes[i].mag() * domain[i].wid()).map(|(i, _)| i)
        }
        Bisection::Smear => widest(),
    }
}

/// Cut input `i` in two halves that share no representable value and together hold all of them. The cut is in the
/// middle, or, every other time in a range that spans several binades, at the middle float.
#[must_use]
pub fn halves(start: &InputBox, domain: &[Interval], i: usize, depth: u32) -> Option<[Vec<Interval>; 2]> {
    let (x, format) = (domain[i], start.formats[i]);
    let (lo, hi) = (x.inf(), x.sup());
    let cut = middle(x, depth);
    let below = format.floor(cut)?.clamp(lo, hi);
    let below = if below >= hi { format.next_down(hi)? } else { below };
    let above = format.next_up(below)?;
    if below < lo || above > hi {
        return None;
    }
    Some(parted(domain, i, [Interval::new(lo, below), Interval::new(above, hi)]))
}

/// Cut the input with the largest relative width; `None` if the box is one input.
#[must_use]
pub fn largest_halves(start: &InputBox, domain: &[Interval], depth: u32) -> Option<[Vec<Interval>; 2]> {
    choose(Bisection::Largest, domain, &[], depth).and_then(|i| halves(start, domain, i, depth))
}

/// Cut dimension `i`, which holds all real numbers of its interval, in two halves that share the cut; `None` where there
/// is no number of binary64 to cut at.
#[must_use]
pub fn real_halves(domain: &[Interval], i: usize, depth: u32) -> Option<[Vec<Interval>; 2]> {
    let (lo, hi) = (domain[i].inf(), domain[i].sup());
    let cut = if domain[i].is_bounded() { middle(domain[i], depth) } else { domain[i].mid() };
    (lo < cut && cut < hi).then(|| parted(domain, i, [Interval::new(lo, cut), Interval::new(cut, hi)]))
}

/// Where to cut an interval.
#[must_use]
pub fn middle(x: Interval, depth: u32) -> f64 {
    let (lo, hi) = (x.inf(), x.sup());
    let spans = lo <= 0.0 && hi >= 0.0 || x.mag() > 16.0 * x.mig();
    if spans && depth % 2 == 1 { middle_float(lo, hi) } else { lo / 2.0 + hi / 2.0 }
}

/// The box with each of these in one dimension.
fn parted(domain: &[Interval], i: usize, parts: [Interval; 2]) -> [Vec<Interval>; 2] {
    parts.map(|part| {
        let mut half = domain.to_vec();
        half[i] = part;
        half
    })
}

/// Shrink a contracted box to the representable values in its first `inputs` dimensions; `None` if there is none. Others
/// hold real numbers.
#[must_use]
pub fn snap(start: &InputBox, domain: &mut [Interval], inputs: usize) -> Option<()> {
    for (x, format) in domain.iter_mut().zip(&start.formats).take(inputs) {
        let (lo, hi) = (format.ceil(x.inf())?, format.floor(x.sup())?);
        if lo > hi {
            return None;
        }
        *x = Interval::new(lo, hi);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_share_the_cut_and_a_number_is_not_cut() {
        let of = |lo: f64, hi: f64, depth: u32| real_halves(&[Interval::point(7.0), Interval::new(lo, hi)], 1, depth);
        for (lo, hi, depth) in [(1.0, 2.0, 0), (-3.0, 1e300, 1), (0.0, f64::INFINITY, 0), (-2.0, 5e-324, 1)] {
            let [below, above] = of(lo, hi, depth).expect("two halves");
            assert_eq!([below[0], above[0]], [Interval::point(7.0); 2]);
            assert_eq!((below[1].inf(), above[1].sup()), (lo, hi));
            assert!(lo < below[1].sup() && below[1].sup() == above[1].inf() && above[1].inf() < hi);
        }
        assert!(of(1.0, 1.0, 0).is_none() && of(1.0, 1.0_f64.next_up(), 1).is_none());
    }
}
