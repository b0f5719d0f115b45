//! The operators of FPCore over the reals: one operator, one impl.
//!
//! Everything about an operator stands in its impl of [`Operator`], with its arity as a type. The `operators!` list
//! below gives the enum [`Op`] with parsing, printing and dispatch. Adding an operator is one impl and one entry in
//! the list; a missing facet does not compile. The laws that tie the facets together are tested over [`Op::ALL`] in
//! `tests/laws`.

pub use self::constant::Constant;
pub(crate) use self::domain::too_long;
use self::float::Computed;
pub use self::shape::{Parity, Shape};
use crate::floats::Format;
use crate::num::{Interval, MpInterval, Rational, Ternary};

pub mod arith;
pub mod bessel;
mod condition;
mod constant;
mod domain;
pub mod explog;
pub mod float;
mod mp;
mod narrow;
pub mod nearest;
pub mod piecewise;
pub mod power;
pub mod remainder;
pub mod rounding;
pub mod shape;
pub mod special;
pub mod trig;
mod unary;

/// The value of an operator at exact rational arguments.
#[derive(Clone, Debug, PartialEq)]
pub enum Exact {
    /// The exact result.
    Value(Rational),
    /// This rational number, which is not 0, times pi. No operator gives one of rational arguments: the evaluation of a
    /// formula knows it.
    OfPi(Rational),
    /// The operator has no value there.
    Undefined,
    /// Not known to be rational, or too large to be worth computing.
    Unknown,
}

/// One operator over the reals, with all that the program needs to know of it.
///
/// The *domain* of the operator is the set of arguments at which the real function has a value.
pub trait Operator<const N: usize> {
    /// Its name in FPCore.
    const FPCORE: &'static str;

    /// What is known of the function as a whole. Default: nothing.
    const SHAPE: Shape = Shape::NONE;

    /// An approximation in binary64: NaN outside the domain. Fast and not rigorous; it guides the search only.
    fn point(x: [f64; N]) -> f64;

    /// An enclosure of the image of the box `x` (the part of it inside the domain; empty if there is none), and
    /// whether the box lies inside the domain. The arguments are not empty.
    fn forward(x: [Interval; N]) -> (Interval, Ternary);

    /// HC4's projection: contract `x` to arguments that can give a value in `y`. No point of the box `x` that is in
    /// the domain and whose value is in `y` is lost. Empty intervals mean that there is no such point.
    fn backward(y: Interval, x: [Interval; N]) -> [Interval; N];

    /// Enclosures of the partial derivatives on the box `x`, which lies inside the domain. At a kink the hull of the
    /// one-sided derivatives (Clarke's generalised derivative), so that the mean value theorem holds; where the
    /// function may jump, [`Interval::ENTIRE`].
    fn partials(x: [Interval; N]) -> [Interval; N];

    /// Enclosures of the condition numbers on the box `x`, which lies inside the domain: of `x_i (d f / d x_i) / f`, by
    /// which factor a relative change of an argument changes the value, at every point at which f is not 0. Default:
    /// from the derivatives, wide where an argument occurs in several of the three factors.
    fn conditions(x: [Interval; N]) -> [Interval; N] {
        condition::from_derivatives::<N>(x, Self::forward(x).0, Self::partials(x))
    }

    /// A multiple-precision enclosure of the image with ends of `precision` bits, with definedness. The arguments
    /// have a value (`def` is not `False`); an argument's `Unknown` is carried into the result by the caller.
    fn enclose(x: [&MpInterval; N], precision: u32) -> MpInterval;

    /// What a program gets from it at floats of a format, NaN, infinities and signed zeros among them: by IEEE 754 where
    /// it is exact or correctly rounded, else by Annex F of C.
    fn float(x: [f64; N], format: Format) -> Computed;

    /// Whether its value at numbers of a floating-point format is one of that format, so that nothing is rounded, if the format has
    /// the integers up to its largest number. Default: no.
    const KEEPS_FORMAT: bool = false;

    /// The format to whose nearest number it rounds. Default: none.
    const ROUNDS_TO: Option<Format> = None;

    /// Whether C's function (Annex F) tells -0 from 0 where the real function has a value at 0. Default: no.
    const TELLS_ZEROS_APART: bool = false;
    /// The value at rational arguments where it is known to be rational. Default: unknown.
    fn exact(_x: [&Rational; N]) -> Exact {
        Exact::Unknown
    }
}

/// The largest number of operands.
pub const MAX_ARITY: usize = 3;

macro_rules! operators {
    ($($variant:ident($imp:path) / $arity:literal),* $(,)?) => {
        /// An FPCore operator over the reals.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Op {
            $(#[doc = concat!("See [`", stringify!($imp), "`].")] $variant,)*
        }

        impl Op {
            /// Every operator.
            pub const ALL: &'static [Op] = &[$(Op::$variant),*];

            /// Its name in FPCore. Negation and subtraction share `-`, told apart by the number of operands.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Op::$variant => <$imp as Operator<$arity>>::FPCORE),* }
            }

            /// See [`Operator::SHAPE`].
            #[must_use]
            #[inline]
            pub fn shape(self) -> Shape {
                match self { $(Op::$variant => <$imp as Operator<$arity>>::SHAPE),* }
            }

            /// The number of operands, 1 to [`MAX_ARITY`].
            #[must_use]
            #[inline]
            pub fn arity(self) -> usize {
                match self { $(Op::$variant => $arity),* }
            }

            /// See [`Operator::point`]. Panics if `x` has not as many elements as the arity.
            #[must_use]
            #[inline]
            pub fn point(self, x: &[f64]) -> f64 {
                match self { $(Op::$variant => <$imp as Operator<$arity>>::point(take(x))),* }
            }

            /// See [`Operator::forward`]: an empty argument gives an empty image, defined nowhere.
            #[must_use]
            #[inline]
            pub fn forward(self, x: &[Interval]) -> (Interval, Ternary) {
                if x.iter().any(|i| i.is_empty()) {
                    return (Interval::EMPTY, Ternary::False);
                }
                match self { $(Op::$variant => <$imp as Operator<$arity>>::forward(take(x))),* }
            }

            /// See [`Operator::backward`]: contracts `x` in place. Returns false if nothing is left.
            #[inline]
            pub fn backward(self, y: Interval, x: &mut [Interval]) -> bool {
                if y.is_empty() || x.iter().any(|i| i.is_empty()) {
                    x.fill(Interval::EMPTY);
                    return false;
                }
                match self {
                    $(Op::$variant => x.copy_from_slice(&<$imp as Operator<$arity>>::backward(y, take(x)))),*
                }
                !x.iter().any(|i| i.is_empty())
            }

            /// See [`Operator::partials`]: writes the derivative by `x[i]` to `out[i]`.
            #[inline]
            pub fn partials(self, x: &[Interval], out: &mut [Interval]) {
                match self {
                    $(Op::$variant => out.copy_from_slice(&<$imp as Operator<$arity>>::partials(take(x)))),*
                }
            }

            /// See [`Operator::conditions`]: writes the condition number for `x[i]` to `out[i]`.
            #[inline]
            pub fn conditions(self, x: &[Interval], out: &mut [Interval]) {
                match self {
                    $(Op::$variant => out.copy_from_slice(&<$imp as Operator<$arity>>::conditions(take(x)))),*
                }
            }

            /// See [`Operator::enclose`], with the definedness of the arguments taken in.
            #[must_use]
            pub fn enclose(self, x: &[&MpInterval], precision: u32) -> MpInterval {
                let def = x.iter().fold(Ternary::True, |d, a| d & a.def);
                if def.is_false() {
                    return MpInterval::undefined(precision);
                }
                let y = match self { $(Op::$variant => <$imp as Operator<$arity>>::enclose(take(x), precision)),* };
                let def = y.def & def;
                y.with_def(def)
            }

            /// See [`Operator::float`].
            #[must_use]
            pub fn float_result(self, x: &[f64], format: Format) -> Computed {
                match self { $(Op::$variant => <$imp as Operator<$arity>>::float(take(x), format)),* }
            }

            /// See [`Operator::TELLS_ZEROS_APART`].
            #[must_use]
            pub fn tells_zeros_apart(self) -> bool {
                match self { $(Op::$variant => <$imp as Operator<$arity>>::TELLS_ZEROS_APART),* }
            }

            /// See [`Operator::KEEPS_FORMAT`].
            #[must_use]
            pub fn keeps_format(self) -> bool {
                match self { $(Op::$variant => <$imp as Operator<$arity>>::KEEPS_FORMAT),* }
            }

            /// See [`Operator::ROUNDS_TO`].
            #[must_use]
            pub fn rounds_to(self) -> Option<Format> {
                match self { $(Op::$variant => <$imp as Operator<$arity>>::ROUNDS_TO),* }
            }

            /// See [`Operator::exact`].
            #[must_use]
            pub fn exact(self, x: &[&Rational]) -> Exact {
                match self { $(Op::$variant => <$imp as Operator<$arity>>::exact(take(x))),* }
            }
        }
    };
}

/// The arguments as an array; the tape guarantees the arity.
#[inline]
fn take<T: Copy, const N: usize>(x: &[T]) -> [T; N] {
    x.try_into().expect("as many operands as the operator's arity")
}

operators! {
    Add(arith::Add) / 2, Sub(arith::Sub) / 2, Neg(arith::Neg) / 1, Mul(arith::Mul) / 2, Div(arith::Div) / 2,
    Fma(arith::Fma) / 3, Sqrt(power::Sqrt) / 1, Cbrt(power::Cbrt) / 1, Hypot(power::Hypot) / 2,
    Exp(explog::Exp) / 1, Exp2(explog::Exp2) / 1, Expm1(explog::Expm1) / 1,
    Log(explog::Log) / 1, Log2(explog::Log2) / 1, Log10(explog::Log10) / 1, Log1p(explog::Log1p) / 1,
    Pow(power::Pow) / 2,
    Sin(trig::Sin) / 1, Cos(trig::Cos) / 1, Tan(trig::Tan) / 1,
    Asin(trig::Asin) / 1, Acos(trig::Acos) / 1, Atan(trig::Atan) / 1, Atan2(trig::Atan2) / 2,
    Sinh(explog::Sinh) / 1, Cosh(explog::Cosh) / 1, Tanh(explog::Tanh) / 1,
    Asinh(explog::Asinh) / 1, Acosh(explog::Acosh) / 1, Atanh(explog::Atanh) / 1,
    Erf(special::Erf) / 1, Erfc(special::Erfc) / 1, Tgamma(special::Tgamma) / 1, Lgamma(special::Lgamma) / 1,
    J0(bessel::J0) / 1, J1(bessel::J1) / 1, Y0(bessel::Y0) / 1, Y1(bessel::Y1) / 1,
    Fabs(piecewise::Fabs) / 1, Fmin(piecewise::Fmin) / 2, Fmax(piecewise::Fmax) / 2, Fdim(piecewise::Fdim) / 2,
    Copysign(piecewise::Copysign) / 2, Floor(rounding::Floor) / 1, Ceil(rounding::Ceil) / 1,
    Round(rounding::Round) / 1, Nearbyint(rounding::Nearbyint) / 1, Trunc(rounding::Trunc) / 1,
    Fmod(remainder::Fmod) / 2, Remainder(remainder::Remainder) / 2,
    Binary64(nearest::Binary64) / 1, Binary32(nearest::Binary32) / 1,
    Binary16(nearest::Binary16) / 1, Bfloat16(nearest::Bfloat16) / 1,
}

impl Op {
    /// The elementary functions of one argument, in the order of the mutants that replace one of them by another
    /// (Jeangoudoux, Darulova, Lauter, ISSTA 2021, Table 1).
    pub const ELEMENTARY: [Op; 15] = [
        Op::Sqrt,
        Op::Log,
        Op::Exp,
        Op::Cos,
        Op::Sin,
        Op::Tan,
        Op::Acos,
        Op::Asin,
        Op::Atan,
        Op::Cosh,
        Op::Sinh,
        Op::Tanh,
        Op::Acosh,
        Op::Asinh,
        Op::Atanh,
    ];

    /// The operator of that FPCore name with `arity` operands, if there is one.
    #[must_use]
    pub fn from_fpcore(name: &str, arity: usize) -> Option<Op> {
        Op::ALL.iter().copied().find(|op| op.name() == name && op.arity() == arity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::float::{rational, rational_to_f64};
    use crate::num::mpfr::Round;

    const NUMBERS: [f64; 9] = [-3.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0];

    /// All operands of an operator, with what it is there.
    fn points(op: Op) -> impl Iterator<Item = (Vec<f64>, Exact)> {
        let n = op.arity() as u32;
        (0..NUMBERS.len().pow(n)).map(move |place| {
            let at: Vec<f64> = (0..n).map(|k| NUMBERS[place / NUMBERS.len().pow(k) % NUMBERS.len()]).collect();
            let exact: Vec<Rational> = at.iter().map(|x| rational(*x)).collect();
            let value = op.exact(&exact.iter().collect::<Vec<_>>());
            (at, value)
        })
    }

    fn around(value: &Rational) -> Interval {
        Interval::new(rational_to_f64(value, Round::Down), rational_to_f64(value, Round::Up))
    }

    /// Ranges that hold a number, which may be one of their ends.
    fn ranges(x: f64) -> [Interval; 6] {
        let inf = f64::INFINITY;
        [(x, x), (x - 1.0, x), (x, x + 1.0), (-inf, x), (x, inf), (-inf, inf)].map(|(lo, hi)| Interval::new(lo, hi))
    }

    #[test]
    fn points_are_the_exact_values_but_for_rounding() {
        for &op in Op::ALL {
            for (at, exact) in points(op) {
                let point = op.point(&at);
                match exact {
                    Exact::Value(r) => {
                        assert!((point - r.to_f64()).abs() <= 1e-12 * (1.0 + r.to_f64().abs()), "{op:?} {at:?}")
                    }
                    Exact::Undefined => assert!(point.is_nan(), "{op:?} {at:?}: {point}"),
                    _ => {}
                }
            }
        }
    }

    #[test]
    fn what_has_a_value_is_kept_in_all_boxes_around_it() {
        for &op in Op::ALL {
            let n = op.arity();
            for (at, exact) in points(op) {
                let Exact::Value(value) = exact else { continue };
                let value = around(&value);
                for place in 0..6usize.pow(n as u32) {
                    let of = |k: usize| ranges(at[k])[place / 6usize.pow(k as u32) % 6];
                    for z in
                        [value, Interval::new(value.inf(), f64::INFINITY), Interval::new(-f64::INFINITY, value.sup())]
                    {
                        let mut x: Vec<Interval> = (0..n).map(of).collect();
                        let is_kept = op.backward(z, &mut x) && x.iter().zip(&at).all(|(x, at)| x.contains(*at));
                        assert!(is_kept, "{op:?} {at:?} in {:?} for {z:?}: {x:?}", (0..n).map(of).collect::<Vec<_>>());
                    }
                }
            }
        }
    }

    #[test]
    fn nothing_is_left_where_there_is_no_value() {
        for op in [Op::Fmod, Op::Remainder, Op::Div] {
            for (x, z) in NUMBERS.into_iter().flat_map(ranges).flat_map(|x| ranges(0.0).map(|z| (x, z))) {
                assert!(!op.backward(z, &mut [x, Interval::point(0.0)]), "{op:?} {x:?} {z:?}");
            }
        }
    }
}
