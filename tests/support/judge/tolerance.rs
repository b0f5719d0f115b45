//! Tolerances and distances, as ranges of rational numbers.

use super::format::{two_to, ulp};
use super::value::{Num, Tri::Yes};
use magneto::num::mpfr::{Float, Rational};
use magneto::spec::Accuracy;

/// A closed range of rational numbers.
#[derive(Clone, Debug)]
pub(crate) struct Ends(pub(crate) Rational, pub(crate) Rational);

/// The enclosure as rationals, if there is surely a number of a sensible magnitude.
pub(super) fn ends(x: &Num) -> Option<Ends> {
    if x.defined != Yes {
        return None;
    }
    if let Some(q) = &x.exact {
        return Some(Ends(q.clone(), q.clone()));
    }
    // Below 2^-131072 only that is kept.
    let end = |f: &Float, up: bool| {
        if f.get_exp().is_none_or(|e| e.abs() < FAR) {
            return f.to_rational();
        }
        let tiny = f.get_exp().is_some_and(|e| e < 0);
        let toward_zero = f.is_sign_negative() == up;
        match (tiny, toward_zero, up) {
            (false, ..) => None,
            (true, true, _) => Some(Rational::new()),
            (true, false, true) => Some(two_to(-FAR)),
            (true, false, false) => Some(-two_to(-FAR)),
        }
    };
    Some(Ends(end(&x.lo, false)?, end(&x.hi, true)?))
}

/// Exponents beyond this have no rational form worth its memory.
pub(super) const FAR: i32 = 1 << 17;

/// Whether a number is surely beyond 2^131000 in magnitude, or unbounded.
pub(super) fn is_far(x: &Num) -> bool {
    let beyond = |f: &Float| f.is_infinite() || f.get_exp().is_some_and(|e| e > FAR - 72);
    x.defined == Yes && x.exact.is_none() && ((x.lo > 0 && beyond(&x.lo)) || (x.hi < 0 && beyond(&x.hi)))
}

/// The largest tolerance asked for, enclosed: it does not decrease with the magnitude.
pub(super) fn tolerance(f: &Ends, accuracy: &Accuracy) -> Ends {
    let (a, b) = (f.0.clone().abs(), f.1.clone().abs());
    let near = if f.0 <= 0 && f.1 >= 0 { Rational::new() } else { a.clone().min(b.clone()) };
    let at = |size: &Rational| {
        let mut t = Rational::new();
        if let Some(r) = &accuracy.rel {
            t = t.max(Rational::from(r * size));
        }
        if let Some(a) = &accuracy.abs {
            t = t.max(a.clone());
        }
        if let Some((n, format)) = &accuracy.ulps {
            t = t.max(n * ulp(size, *format));
        }
        t
    };
    Ends(at(&near), at(&a.max(b)))
}

/// The smallest and the largest |x - y|.
pub(super) fn distance(x: &Ends, y: &Ends) -> Ends {
    let (a, b) = (Rational::from(&x.0 - &y.1), Rational::from(&y.0 - &x.1));
    let least = a.clone().max(b.clone()).max(Rational::new());
    Ends(least, (-a).max(-b))
}
