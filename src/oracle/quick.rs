//! Verdicts by binary64 intervals: rigorous where they decide, and much cheaper than multiple precision.

use crate::floats::Format;
use crate::num::float::{power, rational_to_f64};
use crate::num::mpfr::Round;
use crate::num::{Interval, Ternary};
use crate::spec::Accuracy;
use crate::tape::eval::Enclosure;

/// A tolerance with binary64 bounds of its parts.
#[derive(Clone, Debug)]
pub struct QuickTolerance {
    rel: (f64, f64),
    abs: (f64, f64),
    /// n from below and above, precision, emin.
    ulps: Option<(f64, f64, i32, i32)>,
}

impl QuickTolerance {
    /// The tolerance of an accuracy.
    #[must_use]
    pub fn new(accuracy: &Accuracy) -> Self {
        let ends = |x: &crate::num::Rational| (rational_to_f64(x, Round::Down), rational_to_f64(x, Round::Up));
        QuickTolerance {
            rel: accuracy.rel.as_ref().map_or((0.0, 0.0), ends),
            abs: accuracy.abs.as_ref().map_or((0.0, 0.0), ends),
            ulps: accuracy.ulps.as_ref().map(|(n, f)| {
                let (lo, hi) = ends(n);
                (lo, hi, f.precision() as i32, f.emin())
            }),
        }
    }

    /// Bounds of the tolerance at values in `f`.
    #[must_use]
    pub fn bounds(&self, f: Interval) -> (f64, f64) {
        let (mig, mag) = (f.mig(), f.mag());
        let mut lo = (self.rel.0 * mig).next_down().max(self.abs.0).max(0.0);
        let mut hi = (self.rel.1 * mag).next_up().max(self.abs.1);
        if let Some((n_lo, n_hi, precision, emin)) = self.ulps {
            lo = lo.max((n_lo * ulp(mig, precision, emin)).next_down());
            hi = hi.max((n_hi * ulp(mag, precision, emin)).next_up());
        }
        (lo, hi)
    }

    /// By how much values in `f` and `g`, each with this tolerance, are surely too far apart to have a valid result in common,
    /// in units of the bound (rounded down, roughly); `by` encloses their difference.
    #[must_use]
    pub fn apart(&self, f: Interval, g: Interval, by: Interval) -> Option<f64> {
        if f.is_empty() || g.is_empty() || by.is_empty() {
            return None;
        }
        let (f_hi, least) = (self.bounds(f).1, by.abs().inf());
        let g_hi = self.bounds(g).1;
        margin(by.abs(), f_hi, g_hi).or_else(|| {
            // The distance grows faster than the tolerance: if it is enough where they are nearest, it is everywhere.
            let (slope, steady) = self.slope();
            let nearest = (slope * (f.mag() + least).next_up()).next_up().max(steady);
            if slope < 0.5 { margin(Interval::point(least), f_hi, (nearest + steady).next_up()) } else { None }
        })
    }

    /// Whether every valid result of a value in `g` surely is valid for a value in `f`, both with this tolerance, or surely
    /// one is not: settled where both are the same number, or a set begins or ends beyond the other.
    #[must_use]
    pub fn inside(&self, g: Interval, f: Interval) -> Ternary {
        let valid = |x: Interval| {
            let (lo, hi) = self.bounds(x);
            let tolerance = Interval::new(lo, hi);
            (x - tolerance, x + tolerance)
        };
        let ((f_lower, f_upper), (g_lower, g_upper)) = (valid(f), valid(g));
        let is_beyond = g_lower.sup() < f_lower.inf() || g_upper.inf() > f_upper.sup();
        Ternary::decide(f.is_point() && f == g, is_beyond)
    }

    /// Whether no set is surely inside of one around a value that is known by an enclosure of several numbers: the tolerance
    /// grows at most as fast as the value, so a smaller set is as far on one side as it is smaller.
    #[must_use]
    pub fn grows_slowly(&self) -> bool {
        self.ulps.is_none() && self.rel.1 <= 1.0
    }

    /// Numbers a and b such that the tolerance at y is at most a |y| + b.
    fn slope(&self) -> (f64, f64) {
        let (mut slope, mut steady) = (self.rel.1, self.abs.1);
        if let Some((_, n, precision, emin)) = self.ulps {
            slope = slope.max((n * power(1 - precision)).next_up());
            steady = steady.max((n * power((emin - precision + 1).max(-1074))).next_up());
        }
        (slope, steady)
    }
}

/// The margin between two values at a distance, if that is more than their tolerances.
fn margin(distance: Interval, f_hi: f64, g_hi: f64) -> Option<f64> {
    let point = Interval::point;
    // An unbounded tolerance is no interval: it would be empty, and every distance larger.
    let room = (f_hi + g_hi).next_up();
    (room.is_finite() && distance.inf().is_finite() && distance.inf() > room)
        .then(|| ((point(distance.inf()) - point(room)) / point(f_hi)).inf().max(0.0))
}

/// ulp of a format at a magnitude, infinite for an infinite one.
fn ulp(magnitude: f64, precision: i32, emin: i32) -> f64 {
    if magnitude.is_infinite() {
        return f64::INFINITY;
    }
    let bits = (magnitude.to_bits() >> 52) as i32;
    let e = if bits == 0 { -1022 } else { bits - 1023 };
    power(e.max(emin) - precision + 1)
}

/// What binary64 intervals say of whether the valid sets are disjoint, with the margin in units of the bound (rounded
/// down, roughly).
#[must_use]
pub fn disjoint(f: &Enclosure, g: &Enclosure, tf: &QuickTolerance, tg: &QuickTolerance) -> (Ternary, f64) {
    if !(f.def.is_true() && g.def.is_true()) {
        return (Ternary::Unknown, 0.0);
    }
    let ((f_lo, f_hi), (g_lo, g_hi)) = (tf.bounds(f.x), tg.bounds(g.x));
    let distance = (f.x - g.x).abs();
    if let Some(margin) = margin(distance, f_hi, g_hi) {
        return (Ternary::True, margin);
    }
    if distance.sup() <= (f_lo + g_lo).next_down() {
        return (Ternary::False, 0.0);
    }
    (Ternary::Unknown, 0.0)
}

/// Whether a value of `format` surely lies within the tolerance of every value in `f`: they are normal numbers of the
/// format's range or any of a fixed-point format's, and the tolerance is at least half an ulp, which is how far the nearest value
/// is at most.
#[must_use]
pub fn attainable(f: Interval, tolerance: &QuickTolerance, format: Format) -> bool {
    let (mig, mag) = (f.mig(), f.mag());
    let (precision, emin) = (format.precision() as i32, format.emin());
    if format.is_fixed() {
        return mag <= format.max() && tolerance.bounds(f).0 >= format.least() / 2.0;
    }
    mag <= format.max() / 2.0 && mig >= power(emin) && tolerance.bounds(f).0 >= ulp(mag, precision, emin) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::Rational;
    use crate::num::float::rational;
    use crate::num::random::Random;
    use crate::oracle::{Ends, ValidSet};

    #[test]
    fn what_is_inside_by_intervals_is_so_by_exact_numbers() {
        let (rel, abs) = (Rational::from((1, 1000)), Rational::from((1, 100)));
        let mut settled = [0; 2];
        let twice = (Some(Rational::from(2)), None, None);
        for (rel, abs, ulps) in [(Some(rel), None, None), (None, Some(abs), None), (None, None, Some(2)), twice] {
            let ulps = ulps.map(|n| (Rational::from(n), Format::BINARY32));
            let accuracy = Accuracy { rel, abs, ulps };
            let quick = QuickTolerance::new(&accuracy);
            assert_eq!(quick.grows_slowly(), accuracy.ulps.is_none() && accuracy.rel.as_ref().is_none_or(|r| *r <= 1));
            let mut rng = Random::seeded(7);
            for _ in 0..20_000 {
                let number =
                    |rng: &mut Random| (rng.index(41) as f64 - 20.0) / 8.0 * (1.0 + rng.index(3) as f64 * 1e-9);
                let one = number(&mut rng);
                let mut ends = [one, if rng.index(2) == 0 { one } else { number(&mut rng) }];
                ends.sort_by(f64::total_cmp);
                // Often close to f, so that sets meet.
                let near = |x: f64, rng: &mut Random| x + [0.0, 0.0, 1e-12, -1e-12, 1e-3][rng.index(5)];
                let mut other = if rng.index(2) == 0 { [number(&mut rng); 2] } else { ends.map(|x| near(x, &mut rng)) };
                other.sort_by(f64::total_cmp);
                let set = |[lo, hi]: [f64; 2]| ValidSet::new(Ends { lo: rational(lo), hi: rational(hi) }, &accuracy);
                let interval = |[lo, hi]: [f64; 2]| Interval::new(lo, hi);
                let exact = set(other).inside(&set(ends));
                match quick.inside(interval(other), interval(ends)) {
                    Ternary::Unknown => assert!(
                        !(quick.grows_slowly() && ends[0] < ends[1] && exact.is_true()),
                        "{other:?} in {ends:?}"
                    ),
                    known => {
                        assert_eq!(known, exact, "{other:?} in {ends:?}");
                        settled[usize::from(known.is_true())] += 1;
                    }
                }
            }
        }
        assert!(settled.iter().all(|n| *n > 1000), "{settled:?}");
    }

    #[test]
    fn sets_of_values_that_may_be_one_number_are_not_beyond_each_other() {
        let accuracy = Accuracy { rel: None, abs: Some(Rational::from((1, 4))), ulps: None };
        let quick = QuickTolerance::new(&accuracy);
        let (low, high) = (Interval::new(1.0, 2.0), Interval::new(2.0, 3.0));
        for (g, f) in [(low, high), (high, low)] {
            assert_eq!(quick.inside(g, f), Ternary::Unknown, "{g:?} in {f:?}");
        }
        assert_eq!(quick.inside(low, high + Interval::point(0.5)), Ternary::False);
    }

    /// The line is above the tolerance everywhere, and not far above it where the tolerance is smallest.
    #[test]
    fn a_line_is_above_the_tolerance_of_every_number() {
        for (n, format) in [(1, Format::BINARY64), (3, Format::BINARY32), (2, Format::BINARY16)] {
            let quick =
                QuickTolerance::new(&Accuracy { rel: None, abs: None, ulps: Some((Rational::from(n), format)) });
            let (slope, steady) = quick.slope();
            for e in -1074..1023 {
                for y in [power(e), 1.5 * power(e), power(e + 1).next_down()] {
                    let (lo, hi) = quick.bounds(Interval::point(y));
                    let exact = format.ulp(&rational(y)) * n;
                    assert!(exact >= lo && exact <= hi && hi <= lo.max(5e-324) * 1.1 + 1e-323, "{lo} {hi} at {y}");
                    assert!(hi <= slope * y + steady, "{n} ulps of {format:?} at {y}");
                }
            }
            let least = quick.bounds(Interval::point(0.0)).1;
            assert!(steady <= 2.0 * least && slope <= 4.0 * f64::from(n) * power(-(format.precision() as i32)));
        }
    }

    #[test]
    fn a_tolerance_of_half_an_ulp_is_attainable_at_normal_numbers() {
        let relative =
            |n: i32| QuickTolerance::new(&Accuracy { rel: Some(Rational::from(1) >> n as u32), abs: None, ulps: None });
        let at = |x: f64, n: i32| attainable(Interval::point(x), &relative(n), Format::BINARY32);
        // Half an ulp is at most a share of 2^-24 of a number, and less of no number than 2^-25.
        assert!(at(1.0, 23) && at(-1.9, 23) && at(power(-126), 23) && at(power(126), 23));
        assert!(!at(1.0, 25) && !at(1.9, 26));
        // Below the normal numbers, beyond the largest, and across 0.
        assert!(!at(power(-127), 23) && !at(power(128), 23));
        assert!(!attainable(Interval::new(-1.0, 1.0), &relative(1), Format::BINARY32));
        let fixed = Format::fixed(-3, 8).expect("a format");
        let absolute = |abs: f64| QuickTolerance::new(&Accuracy { rel: None, abs: Some(rational(abs)), ulps: None });
        let at = |x: f64, abs| attainable(Interval::point(x), &absolute(abs), fixed);
        assert!(at(0.03, 0.0625) && !at(0.03, 0.0624) && !at(16.0, 1.0));
    }

    /// Values are apart where their distance is more than both tolerances together; the margin is in units of the first one.
    #[test]
    fn margins_are_of_distances_beyond_both_tolerances() {
        let between = |lo, hi| Interval::new(lo, hi);
        let apart = margin(between(3.0, 4.0), 0.5, 1.0).expect("a margin");
        assert!((2.99..=3.0).contains(&apart), "{apart}");
        for (distance, f, g) in [
            (between(1.0, 4.0), 0.5, 1.0),
            // As far as the tolerances reach, and no farther.
            (between(1.5, 1.5), 0.5, 1.0),
            (between(3.0, 3.0), 0.5, f64::INFINITY),
            (between(f64::NEG_INFINITY, f64::INFINITY), 0.5, 1.0),
        ] {
            assert_eq!(margin(distance, f, g), None, "{distance:?} {f} {g}");
        }
        assert!(margin(between(1.5_f64.next_up().next_up(), 2.0), 0.5, 1.0).is_some());
    }
}
