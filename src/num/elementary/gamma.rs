//! The gamma function, its logarithm and its logarithmic derivative.

use super::{INF, Interval, log};

/// Steps outward: see the head of [`super`].
const STEPS: u32 = 8;
/// The minimum of gamma on the positive numbers lies between these.
pub(crate) const ARGMIN: (f64, f64) = (1.461_632_144_968_362, 1.461_632_144_968_363);
/// Below the minimum of gamma on the positive numbers, 0.885603194410888700278...
const GAMMA_MIN: f64 = 0.885_603_194_410_888_6;
/// Below the minimum of log gamma on the positive numbers, -0.121486290535849608095...
const LGAMMA_MIN: f64 = -0.121_486_290_535_849_62;

#[inline]
fn down(mut v: f64) -> f64 {
    for _ in 0..STEPS {
        v = v.next_down();
    }
    v.max(-INF) // NaN, if CORE-MATH ever gave one, is no bound
}

#[inline]
fn up(v: f64) -> f64 {
    -down(-v)
}

/// Whether `x` lies strictly between two neighbouring integers that are not positive, or is a point between them.
#[inline]
fn in_negative_gap(x: Interval) -> bool {
    let (a, b) = (x.inf(), x.sup());
    b < 0.0 && a.is_finite() && a.floor() == b.floor() && a != a.floor()
}

/// Whether `x` is free of the poles 0, -1, -2, ...
#[must_use]
#[inline]
pub(crate) fn free_of_poles(x: Interval) -> bool {
    x.inf() > 0.0 || in_negative_gap(x)
}

/// The gamma function. Domain: all but 0, -1, -2, ... | Range: all but 0
#[must_use]
pub fn tgamma(x: Interval) -> Interval {
    if x.is_empty() {
        return x;
    }
    let (a, b) = (x.inf() + 0.0, x.sup());
    let f = core_math::tgamma;
    if a >= 0.0 {
        return if b == 0.0 { Interval::EMPTY } else { positive_gamma(a, b) };
    }
    if !in_negative_gap(x) {
        return if x.is_point() && a == a.floor() { Interval::EMPTY } else { Interval::ENTIRE };
    }
    // Between two poles the sign is fixed and log |gamma| is convex: the largest magnitude is at an end.
    let (fa, fb) = (f(a).abs(), f(b).abs());
    let magnitude = if a == b {
        Interval::new(down(fa).max(0.0), up(fa))
    } else {
        // |gamma(x)| = pi / (|sin pi x| gamma(1-x)) >= pi / gamma(1-x), and 1-x is above 1, where gamma stays below
        // its larger end (reflection formula, DLMF 5.5.3).
        let largest = tgamma(Interval::point(1.0) - Interval::point(a)) | Interval::point(1.0);
        let lo = (Interval::point(std::f64::consts::PI) / largest).inf();
        Interval::new(if lo > 0.0 { down(down(lo)).max(0.0) } else { 0.0 }, up(fa.max(fb)))
    };
    if a.floor() % 2.0 == 0.0 { magnitude } else { -magnitude }
}

/// Gamma over `[a, b]` with `0 <= a`, `0 < b`: falling up to the minimum, then rising.
///
/// The bounds by factorials make the value exact at small integers and keep the enclosure isotone around them.
fn positive_gamma(a: f64, b: f64) -> Interval {
    // gamma(n) for n = 1 to 8
    const FACTORIALS: [f64; 8] = [1.0, 1.0, 2.0, 6.0, 24.0, 120.0, 720.0, 5040.0];
    let f = core_math::tgamma;
    let left_end = || {
        let above = if a == 0.0 { INF } else { up(f(a)) };
        if a >= 1.0 { above.min(1.0) } else { above }
    };
    let right_end = || {
        let above = up(f(b));
        if b <= 8.0 { above.min(FACTORIALS[b.ceil() as usize - 1]) } else { above }
    };
    let (lo, hi) = if a >= ARGMIN.1 {
        let below = down(f(a));
        (if a >= 2.0 { below.max(FACTORIALS[(a.min(8.0) as usize) - 1]) } else { below }, right_end())
    } else if b <= ARGMIN.0 {
        let below = down(f(b));
        (if b <= 1.0 { below.max(1.0) } else { below }, left_end())
    } else {
        (GAMMA_MIN, left_end().max(right_end()))
    };
    Interval::new(lo.max(GAMMA_MIN), hi)
}

/// log |gamma(x)|. Domain: all but 0, -1, -2, ... | Range: reals
#[must_use]
pub fn lgamma(x: Interval) -> Interval {
    if x.is_empty() {
        return x;
    }
    let (a, b) = (x.inf() + 0.0, x.sup());
    let f = core_math::lgamma;
    let low = |x: f64| if x == 1.0 || x == 2.0 { 0.0 } else { down(f(x)) };
    let high = |x: f64| if x == 1.0 || x == 2.0 { 0.0 } else { up(f(x)) };
    if a >= 0.0 {
        if b == 0.0 {
            return Interval::EMPTY;
        }
        if a >= ARGMIN.1 {
            return Interval::new(low(a).max(LGAMMA_MIN), high(b));
        }
        let hi_left = if a == 0.0 { INF } else { high(a) };
        if b <= ARGMIN.0 {
            return Interval::new(low(b).max(LGAMMA_MIN), hi_left);
        }
        return Interval::new(LGAMMA_MIN, hi_left.max(high(b)));
    }
    if !in_negative_gap(x) {
        return if x.is_point() && a == a.floor() { Interval::EMPTY } else { Interval::ENTIRE };
    }
    if a == b {
        return Interval::new(down(f(a)), up(f(a)));
    }
    // Convex between two poles, and at least log pi - log gamma(1-x), as for gamma.
    let largest = lgamma(Interval::point(1.0) - Interval::point(a)) | Interval::point(0.0);
    let lo = (log(Interval::point(std::f64::consts::PI)) - largest).inf();
    Interval::new(down(down(lo)).min(down(f(a))).min(down(f(b))), up(f(a).max(f(b))))
}

/// The derivative of log gamma on the positive part of `x`: increasing. Domain used: (0, inf) | Range: reals
#[must_use]
pub fn digamma(x: Interval) -> Interval {
    let x = x & Interval::new(0.0, INF);
    if x.is_empty() {
        return x;
    }
    let lo = if x.inf() <= 0.0 { -INF } else { digamma_at(x.inf()).inf() };
    let hi = if x.sup() == INF { INF } else { digamma_at(x.sup()).sup() };
    Interval::new(lo, hi)
}

/// The asymptotic series, whose error has the sign of the first term left out and at most its size (DLMF 5.11(ii)),
/// after psi(x) = psi(x+1) - 1/x has made the argument large.
fn digamma_at(x: f64) -> Interval {
    let p = Interval::point;
    if x <= 0.0 {
        return Interval::ENTIRE;
    }
    let (mut x, mut shift) = (p(x), p(0.0));
    while x.inf() < 16.0 {
        shift = shift + x.recip();
        x = x + p(1.0);
    }
    let r = x.recip();
    let r2 = r.sqr();
    let tail = p(1.0) / p(252.0) - r2 * (Interval::new(0.0, 1.0) / p(240.0));
    let series = r2 * (p(1.0) / p(12.0) - r2 * (p(1.0) / p(120.0) - r2 * tail));
    log(x) - r * p(0.5) - series - shift
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::mpfr::{Float, Round};

    #[test]
    fn constants_bracket_the_minimum() {
        let digamma = |x: f64| Float::with_val_round(53, Float::with_val(53, x).digamma_ref(), Round::Nearest).0;
        assert!(digamma(ARGMIN.0) < 0 && digamma(ARGMIN.1) > 0);
        // Convex: the minimum is within the product of slope and width below the value at an end.
        let at = Float::with_val(200, ARGMIN.0);
        let slack = 1e-25;
        assert!(Float::with_val(200, at.gamma_ref()) - slack > GAMMA_MIN);
        assert!(Float::with_val(200, at.ln_gamma_ref()) - slack > LGAMMA_MIN);
    }

    #[test]
    fn digamma_agrees_with_mpfr() {
        for x in [1e-300, 1e-5, 0.5, 1.0, 1.4616321449683623, 7.25, 15.9, 16.0, 1e10, 1e300] {
            let i = digamma(Interval::point(x));
            let lo = Float::with_val_round(53, Float::with_val(53, x).digamma_ref(), Round::Down).0.to_f64();
            assert!(i.inf() <= lo.next_up() && lo <= i.sup(), "{x}: {i:?} {lo}");
            assert!(i.wid() <= 1e-11 * (1.0 + lo.abs()), "{x}: {i:?}");
        }
    }

    #[test]
    fn gamma_between_poles() {
        let i = tgamma(Interval::new(-1.75, -1.25));
        assert!(i.inf() > 0.0 && i.contains(2.3632718012073544) && i.sup() < 4.0, "{i:?}");
        assert_eq!(tgamma(Interval::new(-1.0, -0.5)), Interval::ENTIRE);
        assert!(tgamma(Interval::point(-3.0)).is_empty());
        assert_eq!(tgamma(Interval::point(5.0)), Interval::point(24.0));
        assert_eq!(lgamma(Interval::point(2.0)), Interval::point(0.0));
    }
}
