//! Intervals of several boxes side by side, and the operations on them as plain loops that the compiler vectorises.
//!
//! Ends are stored and rounded as in [`Interval`]: the lower ones negated, both rounded upward by
//! [`crate::num::directed`], whose contracts hold in every lane with non-empty operands; other lanes are without
//! meaning. A lane is empty if its lower end is above its upper one.

use crate::num::Interval;
use crate::num::directed::{TINY, add_up, div_up, minus_sqrt_up, mul_up, ordinary_div_up, ordinary_mul_up, sqrt_up};
use crate::num::interval::{larger, smaller};

/// How many boxes are computed side by side: eight vectors of AVX2, the fastest of 8, 16 and 32.
pub(super) const LANES: usize = 32;

/// An interval a lane.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Lanes {
    /// Minus the lower ends.
    m: [f64; LANES],
    /// The upper ends.
    h: [f64; LANES],
}

/// A truth value a lane.
#[derive(Clone, Copy)]
pub(super) struct Mask([u64; LANES]);

/// True, as comparisons of vectors give it.
const YES: u64 = u64::MAX;

pub(super) const NOTHING: Mask = Mask([0; LANES]);

impl Mask {
    pub(super) fn all(&self) -> bool {
        self.0.iter().fold(YES, |all, b| all & b) == YES
    }

    #[inline]
    pub(super) fn has(&self, i: usize) -> bool {
        self.0[i] != 0
    }

    /// Take in the lanes from `i` on.
    pub(super) fn or_from(&mut self, i: usize) {
        self.0[i..].fill(YES);
    }

    /// Take in the lanes that are empty.
    #[inline]
    pub(super) fn or_empty(&mut self, x: &Lanes) {
        for i in 0..LANES {
            self.0[i] |= if -x.m[i] > x.h[i] { YES } else { 0 };
        }
    }

    /// Take in the lanes that are negative.
    #[inline]
    pub(super) fn or_negative(&mut self, x: &Lanes) {
        for i in 0..LANES {
            self.0[i] |= if x.h[i] < 0.0 { YES } else { 0 };
        }
    }
}

const INF: f64 = f64::INFINITY;

#[inline(always)]
fn select(c: bool, a: f64, b: f64) -> f64 {
    if c { a } else { b }
}

/// Whether a nearest product or quotient is neither tiny nor infinite nor NaN.
#[inline(always)]
fn ordinary(p: f64) -> bool {
    (p.abs() >= TINY) & (p.abs() <= f64::MAX)
}

/// Products rounded up, faster if they are all ordinary.
#[inline]
fn products(a: &[f64; LANES], b: &[f64; LANES], out: &mut [f64; LANES]) {
    if (0..LANES).fold(true, |all, i| all & ordinary(a[i] * b[i])) {
        for i in 0..LANES {
            out[i] = ordinary_mul_up(a[i], b[i]);
        }
    } else {
        for i in 0..LANES {
            out[i] = mul_up(a[i], b[i]);
        }
    }
}

/// Quotients rounded up by positive numbers, faster if they and the dividends are all ordinary.
#[inline]
fn quotients(a: &[f64; LANES], b: &[f64; LANES], out: &mut [f64; LANES]) {
    let q: [f64; LANES] = std::array::from_fn(|i| a[i] / b[i]);
    if (0..LANES).fold(true, |all, i| all & ordinary(q[i]) & ordinary(a[i])) {
        for i in 0..LANES {
            out[i] = ordinary_div_up(a[i], b[i], q[i]);
        }
    } else {
        for i in 0..LANES {
            out[i] = div_up(a[i], b[i]);
        }
    }
}

impl Lanes {
    pub(super) const ENTIRE: Lanes = Lanes { m: [INF; LANES], h: [INF; LANES] };

    pub(super) fn splat(x: Interval) -> Self {
        let (m, h) = x.ends();
        Lanes { m: [m; LANES], h: [h; LANES] }
    }

    #[inline]
    pub(super) fn get(&self, i: usize) -> Interval {
        Interval::from_ends(self.m[i], self.h[i])
    }

    /// Whether a lane is another interval.
    #[inline]
    pub(super) fn differs(&self, i: usize, x: Interval) -> bool {
        (self.m[i], self.h[i]) != x.ends()
    }

    #[inline]
    pub(super) fn set(&mut self, i: usize, x: Interval) {
        (self.m[i], self.h[i]) = x.ends();
    }

    #[inline]
    pub(super) fn add(&self, y: &Lanes, out: &mut Lanes) {
        for i in 0..LANES {
            out.m[i] = add_up(self.m[i], y.m[i]);
            out.h[i] = add_up(self.h[i], y.h[i]);
        }
    }

    #[inline]
    pub(super) fn sub(&self, y: &Lanes, out: &mut Lanes) {
        for i in 0..LANES {
            out.m[i] = add_up(self.m[i], y.h[i]);
            out.h[i] = add_up(self.h[i], y.m[i]);
        }
    }

    #[inline]
    pub(super) fn neg(&self, out: &mut Lanes) {
        (out.m, out.h) = (self.h, self.m);
    }

    /// As the product of two `Interval`s: one product for each end, and two where both factors hold numbers of both
    /// signs.
    #[inline]
    pub(super) fn mul(&self, y: &Lanes, out: &mut Lanes) {
        let (mut p, mut q, mut r, mut t) = ([0.0; LANES], [0.0; LANES], [0.0; LANES], [0.0; LANES]);
        let mut mixed = false;
        for i in 0..LANES {
            let (a, b, c, d) = (-self.m[i], self.h[i], -y.m[i], y.h[i]);
            mixed |= (a < 0.0) & (b > 0.0) & (c < 0.0) & (d > 0.0);
            let (x_positive, y_positive, y_negative) = (a >= 0.0, c >= 0.0, (c < 0.0) & (d <= 0.0));
            let y_mixed = !y_positive & !y_negative;
            // The factor from the one: its lower end for the lower end of the product by a positive number, and so on.
            p[i] = -select(y_positive | (y_mixed & !x_positive), a, b);
            r[i] = select(y_positive | (y_mixed & x_positive), b, a);
            // The factor from the other: by the sign of the first; where the other is mixed, of the whole of it.
            let (low_sign, high_sign) = (select(y_mixed, a, -p[i]) >= 0.0, select(y_mixed, a, r[i]) >= 0.0);
            q[i] = select(low_sign, c, d);
            t[i] = select(high_sign, d, c);
        }
        if !mixed {
            products(&p, &q, &mut out.m);
            return products(&r, &t, &mut out.h);
        }
        for i in 0..LANES {
            let (a, b, c, d) = (-self.m[i], self.h[i], -y.m[i], y.h[i]);
            let (far_a, near_a) = (select(a >= 0.0, d, c), select(a >= 0.0, c, d));
            let (far_b, near_b) = (select(b >= 0.0, d, c), select(b >= 0.0, c, d));
            out.m[i] = larger(mul_up(-a, near_a), mul_up(-b, near_b));
            out.h[i] = larger(mul_up(a, far_a), mul_up(b, far_b));
        }
    }

    /// Quotients where the divisor does not hold zero; all numbers where it does.
    #[inline]
    pub(super) fn div(&self, y: &Lanes, out: &mut Lanes) {
        let (mut p, mut q, mut r, mut t) = ([0.0; LANES], [0.0; LANES], [0.0; LANES], [0.0; LANES]);
        let mut zero = false;
        for i in 0..LANES {
            // By minus a negative divisor, then as in the division of two `Interval`s.
            let negative = y.h[i] < 0.0;
            let (c, d) = (select(negative, -y.h[i], -y.m[i]), select(negative, y.m[i], y.h[i]));
            p[i] = select(negative, self.h[i], self.m[i]);
            r[i] = select(negative, self.m[i], self.h[i]);
            q[i] = select(p[i] >= 0.0, c, d);
            t[i] = select(r[i] >= 0.0, c, d);
            zero |= c <= 0.0;
        }
        quotients(&p, &q, &mut out.m);
        quotients(&r, &t, &mut out.h);
        if zero {
            for i in 0..LANES {
                let free = (y.m[i] < 0.0) | (y.h[i] < 0.0);
                (out.m[i], out.h[i]) = (select(free, out.m[i], INF), select(free, out.h[i], INF));
            }
        }
    }

    /// Whether some lane holds zero.
    #[inline]
    pub(super) fn hold_zero(&self) -> bool {
        (0..LANES).fold(false, |any, i| any | ((self.m[i] >= 0.0) & (self.h[i] >= 0.0)))
    }

    /// Call `f` for the lanes that hold zero.
    #[inline]
    pub(super) fn with_zero(&self, f: impl FnMut(usize)) {
        let holds: [bool; LANES] = std::array::from_fn(|i| (self.m[i] >= 0.0) & (self.h[i] >= 0.0));
        if holds != [false; LANES] {
            (0..LANES).filter(|i| holds[*i]).for_each(f);
        }
    }

    /// `{t in x : t d = n for some d in self, n in numerator}`, or more: a quotient, all of `x` where both hold zero,
    /// and where the divisor alone does, what is left of `x` outside a hole around zero.
    #[inline]
    pub(super) fn reverse_product(&self, numerator: &Lanes, x: &Lanes, out: &mut Lanes) {
        let holds = |y: &Lanes, i: usize| (y.m[i] >= 0.0) & (y.h[i] >= 0.0);
        if (0..LANES).fold(true, |all, i| all & holds(self, i) & holds(numerator, i)) {
            *out = Lanes::ENTIRE;
            return;
        }
        numerator.div(self, out);
        if !(0..LANES).fold(false, |any, i| any | (holds(self, i) & !holds(numerator, i))) {
            return;
        }
        for i in 0..LANES {
            // A positive numerator of at least `least` over [c, d], c <= 0 <= d; or both negated.
            let negative = numerator.h[i] < 0.0;
            let least = select(negative, -numerator.h[i], -numerator.m[i]);
            let (c, d) = (-select(negative, self.h[i], self.m[i]), select(negative, self.m[i], self.h[i]));
            // Upwards from least / d and downwards from least / c, which are infinite where there is nothing.
            let above = select(d > 0.0, div_up(-least, d), -INF);
            let below = select(c < 0.0, div_up(least, c), -INF);
            let (pm, ph) = (smaller(x.m[i], above), x.h[i]);
            let (nm, nh) = (x.m[i], smaller(x.h[i], below));
            let (no_positive, no_negative) = ((d <= 0.0) | (-pm > ph), (c >= 0.0) | (-nm > nh));
            let hole = holds(self, i) & !holds(numerator, i);
            let m = larger(select(no_positive, -INF, pm), select(no_negative, -INF, nm));
            let h = larger(select(no_positive, -INF, ph), select(no_negative, -INF, nh));
            out.m[i] = select(hole, m, out.m[i]);
            out.h[i] = select(hole, h, out.h[i]);
        }
    }

    #[inline]
    pub(super) fn abs(&self, out: &mut Lanes) {
        for i in 0..LANES {
            let (m, h) = (self.m[i], self.h[i]);
            out.h[i] = larger(m, h);
            // Minus the least magnitude.
            out.m[i] = select(m <= 0.0, m, select(h <= 0.0, h, 0.0));
        }
    }

    #[inline]
    pub(super) fn sqr(&self, out: &mut Lanes) {
        for i in 0..LANES {
            let (m, h) = (self.m[i], self.h[i]);
            let mag = larger(m, h);
            let minus_mig = select(m <= 0.0, m, select(h <= 0.0, h, 0.0));
            out.m[i] = mul_up(minus_mig, -minus_mig);
            out.h[i] = mul_up(mag, mag);
        }
    }

    /// The part that is not negative.
    #[inline]
    pub(super) fn not_negative(&self) -> Lanes {
        let mut out = *self;
        for m in &mut out.m {
            *m = smaller(*m, 0.0);
        }
        out
    }

    /// Roots of the part that is not negative.
    #[inline]
    pub(super) fn sqrt(&self, out: &mut Lanes) {
        for i in 0..LANES {
            out.m[i] = minus_sqrt_up(larger(-self.m[i], 0.0));
            out.h[i] = sqrt_up(larger(self.h[i], 0.0));
        }
    }

    #[inline]
    pub(super) fn min(&self, y: &Lanes, out: &mut Lanes) {
        for i in 0..LANES {
            out.m[i] = larger(self.m[i], y.m[i]);
            out.h[i] = smaller(self.h[i], y.h[i]);
        }
    }

    #[inline]
    pub(super) fn max(&self, y: &Lanes, out: &mut Lanes) {
        for i in 0..LANES {
            out.m[i] = smaller(self.m[i], y.m[i]);
            out.h[i] = larger(self.h[i], y.h[i]);
        }
    }

    /// The hull of the parts in `r` and in `-r`, for `r` not negative.
    #[inline]
    pub(super) fn of_magnitude(&self, r: &Lanes, out: &mut Lanes) {
        for i in 0..LANES {
            let (m, h) = (self.m[i], self.h[i]);
            let (pm, ph) = (smaller(m, r.m[i]), smaller(h, r.h[i]));
            let (nm, nh) = (smaller(m, r.h[i]), smaller(h, r.m[i]));
            let (no_positive, no_negative) = (-pm > ph, -nm > nh);
            out.m[i] = larger(select(no_positive, -INF, pm), select(no_negative, -INF, nm));
            out.h[i] = larger(select(no_positive, -INF, ph), select(no_negative, -INF, nh));
        }
    }

    /// Intersect with `part`. Returns whether a lane became smaller.
    #[inline]
    pub(super) fn keep(&mut self, part: &Lanes) -> bool {
        let mut smaller_now = false;
        for i in 0..LANES {
            smaller_now |= (part.m[i] < self.m[i]) | (part.h[i] < self.h[i]);
            self.m[i] = smaller(self.m[i], part.m[i]);
            self.h[i] = smaller(self.h[i], part.h[i]);
        }
        smaller_now
    }
}
