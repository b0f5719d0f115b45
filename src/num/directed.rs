//! Binary64 operations rounded upward, computed in round-to-nearest without branches, so that loops over them
//! vectorise.
//!
//! Each function computes the nearest result `s` and the sign of its rounding error, which an error-free
//! transformation gives exactly, and takes one step up if the true result is above `s`. Rounding downward is rounding
//! the negated operation upward. The rounding mode is never touched: Rust assumes round-to-nearest.
//!
//! **Contract.** The result is an upper bound of the true result, never NaN and never -0.0, and it is the least such
//! bound among the binary64 numbers or the next one (that only where a factor, dividend or radicand is tiny). Operands
//! are not NaN. An operand that is an infinite end of a non-empty interval stands for a limit.
//!
//! **The step.** Binary64 numbers of one sign are ordered as their bits are, so that one step up is one more for the
//! bits of a positive number, up to infinity, and one less for those of a negative one, down to -0.0. It is not taken
//! from -0.0 or infinity.

/// 2^-960: products and dividends at least as large have residuals that are multiples of 2^-1074, so that a residual
/// does not vanish by underflow.
const TINY: f64 = f64::from_bits((1023 - 960) << 52);

/// `s`, or the next number above it if `step`, for `s` neither NaN nor, if stepped from, infinite or -0.0.
#[inline(always)]
fn next(s: f64, step: bool) -> f64 {
    let bits = s.to_bits() as i64;
    let up = (bits >> 63) | 1;
    // A result of -0.0 becomes 0.0.
    f64::from_bits(bits.wrapping_add(if step { up } else { 0 }) as u64) + 0.0
}

/// The same for any `s` but NaN and -0.0: infinity stays, and a negative overflow comes to the lowest number.
#[inline(always)]
fn stepped(s: f64, step: bool) -> f64 {
    let finite = s.abs() <= f64::MAX;
    // In this form one instruction.
    let s = if s > -f64::MAX { s } else { -f64::MAX };
    next(s, step & finite)
}

/// Whether `s` is zero by underflow of a negative result (or of a zero factor): then zero is its bound.
#[inline(always)]
fn is_minus_zero(s: f64) -> bool {
    s.to_bits() == 1 << 63
}

/// `a + b` rounded up, for upper bounds `a`, `b` > -inf.
///
/// TwoSum (Knuth, Møller) gives the error of a sum exactly, also where it is subnormal, unless an operation of it
/// overflows. Then the sum `s` or the error computed is infinite or NaN: all of these take the step, which leaves
/// `s` = inf as it is. A sum of -inf can come from overflow only: then -MAX is above the sum.
#[inline(always)]
#[must_use]
pub fn add_up(a: f64, b: f64) -> f64 {
    let s = a + b;
    let b1 = s - a;
    let a1 = s - b1;
    let error = (a - a1) + (b - b1);
    stepped(s, !(-f64::MAX..=0.0).contains(&error))
}

/// `a * b` rounded up; zero if one of them is zero, even if the other is infinite.
///
/// `fma(a, b, -p)` is the residual rounded to nearest, which keeps its sign unless it vanishes. The residual is a
/// multiple of `ulp(a) ulp(b) > |a b| 2^-106`: if `|p| >= 2^-960` it is zero or at least 2^-1074 and does not vanish.
/// Below, the step is taken if no factor is zero and the product is not -0.0. If a factor is infinite the residual is NaN: no step. If `p`
/// overflowed to +inf the residual is -inf, no step; if to -inf, -MAX is above the product.
#[inline(always)]
#[must_use]
pub fn mul_up(a: f64, b: f64) -> f64 {
    let p = a * b;
    // 0 * inf is the only NaN.
    let p = if p.is_nan() { 0.0 } else { p };
    let error = a.mul_add(b, -p);
    let tiny = (p.abs() < TINY) & (a != 0.0) & (b != 0.0) & !is_minus_zero(p);
    stepped(p, (error > 0.0) | tiny)
}

/// `a / b` rounded up, for `b` not zero and not both infinite.
///
/// The residual `a - q b` has the sign of `(a/b - q) b`; `fma(-q, b, a)` is it rounded to nearest. With `|a| >= 2^-960`
/// it is a multiple of `ulp(q) ulp(b) >= 2^-1074`, as above (if `q` is subnormal, `b > 2^60`), and does not vanish; below,
/// the step is taken unless `a` is zero or `q` is -0.0. An infinite operand gives a residual of NaN: no step. Overflow as for products:
/// `q` = inf has a residual of the sign of `-b`, no step; `q` = -inf becomes -MAX.
#[inline(always)]
#[must_use]
pub fn div_up(a: f64, b: f64) -> f64 {
    let q = a / b;
    let residual = (-q).mul_add(b, a);
    let above = ((residual > 0.0) & (b > 0.0)) | ((residual < 0.0) & (b < 0.0));
    let tiny = (a.abs() < TINY) & (a != 0.0) & !is_minus_zero(q);
    stepped(q, above | tiny)
}

/// The square root of `a >= 0` rounded up.
///
/// The residual `a - s^2` does not vanish by underflow for `a >= 2^-960`, as for products; below, the step is taken
/// unless `a` is zero. For `a` = inf it is NaN: no step.
#[inline(always)]
#[must_use]
pub fn sqrt_up(a: f64) -> f64 {
    let s = a.sqrt();
    let residual = (-s).mul_add(s, a);
    stepped(s, (residual > 0.0) | ((a < TINY) & (a != 0.0)))
}

/// Minus the square root of `a >= 0` rounded up: minus the root rounded down, never above zero.
#[inline(always)]
#[must_use]
pub fn minus_sqrt_up(a: f64) -> f64 {
    let s = a.sqrt();
    let residual = (-s).mul_add(s, a);
    stepped(-s, (residual < 0.0) | ((a < TINY) & (a != 0.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_results_stay_and_others_step() {
        assert_eq!(add_up(1.0, 2.0), 3.0);
        assert_eq!(add_up(1.0, 1e-30), 1.0f64.next_up());
        assert_eq!(add_up(1.0, -1e-30), 1.0);
        assert_eq!(mul_up(0.1, 10.0), 1.0f64.next_up());
        assert_eq!(mul_up(-0.1, 10.0), -1.0);
        assert_eq!(div_up(1.0, 3.0), (1.0f64 / 3.0).next_up());
        assert_eq!(div_up(-1.0, 3.0), -1.0 / 3.0);
        assert_eq!(sqrt_up(4.0), 2.0);
        assert_eq!(sqrt_up(2.0), 2.0f64.sqrt()); // above the root already
        assert_eq!(minus_sqrt_up(2.0), -2.0f64.sqrt().next_down());
    }

    #[test]
    fn overflow_underflow_and_limits() {
        let (max, inf) = (f64::MAX, f64::INFINITY);
        assert_eq!(add_up(max, max), inf);
        assert_eq!(add_up(-max, -max), -max);
        assert_eq!(add_up(inf, -max), inf);
        assert_eq!(mul_up(0.0, inf), 0.0);
        assert_eq!(mul_up(2.0, max), inf);
        assert_eq!(mul_up(-2.0, max), -max);
        assert_eq!(mul_up(5e-324, 0.5), 5e-324);
        assert_eq!(mul_up(-5e-324, 0.5), 0.0);
        assert_eq!(div_up(1.0, inf), 0.0);
        assert_eq!(div_up(max, 0.5), inf);
        assert_eq!(div_up(-max, 0.5), -max);
        assert_eq!(div_up(5e-324, 4.0), 5e-324);
        assert_eq!(sqrt_up(inf), inf);
        assert!(add_up(0.0, -0.0).is_sign_positive());
        assert!(mul_up(-0.0, 3.0).is_sign_positive());
    }

    /// Down to where residuals could vanish.
    #[test]
    fn roots_of_powers_of_4_are_exact() {
        let mut root = 1.0f64;
        while root * root >= TINY {
            let (up, down) = (sqrt_up(root * root), -minus_sqrt_up(root * root));
            assert_eq!([up, down], [root; 2]);
            root /= 2.0;
        }
        assert!(sqrt_up(root * root) > root);
    }
}
