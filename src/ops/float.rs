//! What a program over floats gets from an operator: IEEE 754 for what is correctly rounded, C's Annex F for the rest.

use super::Op;
use crate::floats::{FloatSet, Format};
use crate::num::MpInterval;
use crate::num::mpfr::{Float, MpConstant, Round};

/// The largest error of a library function. Unit: ulps of the exact value, from 0.5 (correctly rounded) on.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct LibmUlps(f64);

impl LibmUlps {
    /// Correctly rounded: one result.
    pub const CORRECTLY_ROUNDED: LibmUlps = LibmUlps(0.5);

    /// That many ulps; none below 0.5 or above 2^20, which no library needs.
    #[must_use]
    pub fn new(ulps: f64) -> Option<Self> {
        (0.5..=1_048_576.0).contains(&ulps).then_some(LibmUlps(ulps))
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }
}

/// Default: 1.
impl Default for LibmUlps {
    fn default() -> Self {
        LibmUlps(1.0)
    }
}

/// What an operator gives at floats of one format.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Computed {
    /// This float, by IEEE 754 or Annex F: correctly rounded, exact, or a special value.
    Exactly(f64),
    /// A zero, of which sign is not said.
    Zero,
    /// Some float near the value over the reals, and between these two; NaN where there is no such value.
    Near(f64, f64),
    /// Some float near that many times pi / 4.
    QuarterPi(i32),
}

const INF: f64 = f64::INFINITY;
/// No restriction of the results.
pub(super) const ANY: (f64, f64) = (-INF, INF);

/// A library function of one argument by its special values, as pairs of argument and result: NaN at NaN and at an
/// infinity that is not listed, a zero argument with a zero result keeps its sign, and elsewhere the result is near the
/// real value, and in the range `lo` to `hi`.
pub(super) fn library(x: f64, special: &[(f64, f64)], (lo, hi): (f64, f64)) -> Computed {
    match special.iter().find(|(argument, _)| *argument == x) {
        Some((_, result)) if x == 0.0 && *result == 0.0 => Computed::Exactly(x),
        Some((_, result)) => Computed::Exactly(*result),
        None if x.is_finite() => Computed::Near(lo, hi),
        None => Computed::Exactly(f64::NAN),
    }
}

/// Precisions at which the value of a library function is enclosed until its neighbours in the format are known.
const PRECISIONS: [u32; 4] = [100, 400, 1600, 6400];

impl Op {
    /// All results that a program may get from this operator in `format` at arguments from those sets, one for each
    /// operand, whose members are floats of the format: at points exactly those, for intervals a hull of them.
    #[must_use]
    pub fn results(self, args: &[FloatSet], format: Format, ulps: LibmUlps) -> FloatSet {
        let mut all = FloatSet::EMPTY;
        let mut boxed = vec![(0.0, 0.0); args.len()];
        self.by_part(args, 0, &mut boxed, &mut |part| all = all.hull(&self.on_part(part, format, ulps)));
        all
    }

    /// The one result of what is exact or correctly rounded at floats of the format, one for each operand; none for a
    /// library function, but at its special values.
    #[must_use]
    pub fn exactly(self, x: &[f64], format: Format) -> Option<FloatSet> {
        match self.float_result(x, format) {
            Computed::Exactly(y) => Some(FloatSet::point(y).within(format)),
            _ => None,
        }
    }

    /// Call `f` for every choice of one part from each argument's set.
    fn by_part(self, args: &[FloatSet], chosen: usize, boxed: &mut [(f64, f64)], f: &mut impl FnMut(&[(f64, f64)])) {
        let Some(set) = args.get(chosen) else { return f(boxed) };
        for part in parts(set) {
            boxed[chosen] = part;
            self.by_part(args, chosen + 1, boxed, f);
        }
    }

    /// The results on a product of parts.
    fn on_part(self, part: &[(f64, f64)], format: Format, ulps: LibmUlps) -> FloatSet {
        let n = part.len();
        let mut x: Vec<f64> = part.iter().map(|p| p.0).collect();
        if part.iter().all(|(lo, hi)| lo.to_bits() == hi.to_bits() || lo.is_nan()) {
            return self.at(&x, format, ulps);
        }
        let mut all = FloatSet::EMPTY;
        if part.iter().all(|(lo, hi)| lo.is_finite() && hi.is_finite()) {
            if self.range(format).is_some() {
                all = self.near(part, format, ulps);
            } else if matches!(self, Op::Fmod | Op::Remainder) {
                // The quotient of a remainder jumps.
                all = self.near(part, format, LibmUlps::CORRECTLY_ROUNDED);
            }
        } else if self == Op::Pow {
            // Its special values depend on more than signs.
            return FloatSet::all(format);
        }
        // What is exact or rounded is monotone in each operand where the signs are fixed, and where one is infinite the
        // signs of the others decide. Of a library function, a corner may be a pole.
        for corner in 0..1 << n {
            for (k, x) in x.iter_mut().enumerate() {
                *x = if corner >> k & 1 == 0 { part[k].0 } else { part[k].1 };
            }
            all = all.hull(&self.at(&x, format, ulps));
        }
        // Where one corner overflows and another does not, the largest floats are between them.
        if all.plus_infinity && (!all.has_no_finite() || all.minus_infinity) {
            all = all.hull(&FloatSet::point(format.max()));
        }
        if all.minus_infinity && (!all.has_no_finite() || all.plus_infinity) {
            all = all.hull(&FloatSet::point(-format.max()));
        }
        all
    }

    /// The range that no result of a library function leaves; none for what is exact or correctly rounded.
    #[must_use]
    pub fn range(self, format: Format) -> Option<(f64, f64)> {
        // No function has a special value at 1/2.
        match self.float_result(&[0.5; super::MAX_ARITY][..self.arity()], format) {
            Computed::Near(lo, hi) => Some((lo, hi)),
            _ => None,
        }
    }

    /// The results at one choice of floats.
    fn at(self, x: &[f64], format: Format, ulps: LibmUlps) -> FloatSet {
        match self.float_result(x, format) {
            Computed::Exactly(y) => FloatSet::point(y).within(format),
            Computed::Zero => FloatSet::between(-0.0, 0.0),
            Computed::Near(..) => {
                let mut part = [(0.0, 0.0); super::MAX_ARITY];
                part.iter_mut().zip(x).for_each(|(p, x)| *p = (*x, *x));
                self.near(&part[..x.len()], format, ulps)
            }
            Computed::QuarterPi(k) => {
                let value = |precision| {
                    let pi = MpInterval::round_both(precision, |p, r| Float::with_val_round(p, MpConstant::Pi, r).0);
                    let quarter = |x: &Float| Float::with_val(precision + 8, x * k) >> 2u32;
                    let (a, b) = (quarter(&pi.lo), quarter(&pi.hi));
                    if k < 0 { MpInterval::new(b, a) } else { MpInterval::new(a, b) }
                };
                settled(value, true, format, ulps, ANY)
            }
        }
    }

    /// The floats near the values over the reals on a box of finite arguments.
    fn near(self, part: &[(f64, f64)], format: Format, ulps: LibmUlps) -> FloatSet {
        let is_point = part.iter().all(|(lo, hi)| lo == hi);
        let interval = |(lo, hi): &(f64, f64)| MpInterval::new(Float::with_val(53, *lo), Float::with_val(53, *hi));
        let args: Vec<MpInterval> = part.iter().map(interval).collect();
        let args: Vec<&MpInterval> = args.iter().collect();
        let range = self.range(format).unwrap_or(ANY);
        settled(|precision| self.enclose(&args, precision), is_point, format, ulps, range)
    }
}

/// The parts of a set: NaN, infinities, zeros, and what is on either side of zero.
fn parts(set: &FloatSet) -> impl Iterator<Item = (f64, f64)> {
    let (lo, hi) = (set.lo, set.hi);
    let finite = !set.has_no_finite();
    let point = |there: bool, x: f64| there.then_some((x, x));
    [
        point(set.nan, f64::NAN),
        point(set.minus_infinity, -INF),
        (finite && lo < 0.0).then(|| (lo, if hi < 0.0 { hi } else { -f64::from_bits(1) })),
        point(set.contains(-0.0), -0.0),
        point(set.contains(0.0), 0.0),
        (finite && hi > 0.0).then(|| (if lo > 0.0 { lo } else { f64::from_bits(1) }, hi)),
        point(set.plus_infinity, INF),
    ]
    .into_iter()
    .flatten()
}

/// The floats near a value that is enclosed as tightly as it takes (for a point), or once (for a box).
fn settled(
    value: impl Fn(u32) -> MpInterval,
    is_point: bool,
    format: Format,
    ulps: LibmUlps,
    range: (f64, f64),
) -> FloatSet {
    let mut best = FloatSet::all(format);
    for precision in PRECISIONS {
        let v = value(precision);
        if v.def.is_false() {
            return FloatSet::NAN;
        }
        if v.lo.is_nan() || v.hi.is_nan() {
            continue;
        }
        best = FloatSet { nan: !v.def.is_true(), ..around(&v, format, ulps, range) };
        if !is_point {
            break;
        }
        // What is the same from both ends of the enclosure is what the value gives.
        let end = |x: &Float| around(&MpInterval::new(x.clone(), x.clone()), format, ulps, range);
        if v.def.is_true() && end(&v.lo) == end(&v.hi) && end(&v.lo) == best {
            break;
        }
    }
    best
}

/// The floats within so many ulps of any number of an enclosure, and in the range of the function.
fn around(v: &MpInterval, format: Format, ulps: LibmUlps, (least, most): (f64, f64)) -> FloatSet {
    let (lo, hi) = match ulps == LibmUlps::CORRECTLY_ROUNDED {
        true => (format.round_float(&v.lo), format.round_float(&v.hi)),
        false => {
            let minus = |x: &Float| Float::with_val(x.prec(), -x);
            (-reach(&minus(&v.hi), &minus(&v.lo), format, ulps), reach(&v.lo, &v.hi, format, ulps))
        }
    };
    // A zero has the sign of the value, and both where the value has either.
    let lo = if lo == 0.0 { if v.lo > 0 { 0.0 } else { -0.0 } } else { lo };
    let hi = if hi == 0.0 { if v.hi < 0 { -0.0 } else { 0.0 } } else { hi };
    FloatSet::between(lo.max(format.round_up(least)), hi.min(format.round_down(most))).within(format)
}

/// The largest float within so many ulps of a number from `lo` to `hi`; an infinity stands where the next float after
/// the largest would be.
fn reach(lo: &Float, hi: &Float, format: Format, ulps: LibmUlps) -> f64 {
    if hi.is_infinite() {
        return if hi.is_sign_positive() { INF } else { -INF };
    }
    let exponent = |x: &Float| match x.get_exp() {
        Some(e) => e - 1,
        None if x.is_infinite() => i32::MAX / 2,
        None => format.emin(),
    };
    let beside = |x: &Float, e: i32| {
        let ulp = Float::with_val(64, ulps.get()) << format.ulp_exponent(e);
        // Exact, but for what is far below an ulp.
        Float::with_val_round(x.prec() + 128, x + &ulp, Round::Up).0
    };
    let (near, far) = (exponent(hi), exponent(lo));
    let mut top = beside(hi, near);
    // Farther from zero an ulp is larger: from the next power of two on, the reach may be as well, and where an ulp is as large as
    // the number, it may be beyond zero.
    let coarse = ulps.get() >= 2f64.powi(format.precision() as i32 - 3);
    if far > near && (coarse || *hi <= 0) {
        let crossing = -(Float::with_val(64, 1) << (near + 1));
        let other = if coarse { beside(hi, far.min(format.emax() + 1)) } else { beside(&crossing, near + 1) };
        top = if other > top { other } else { top };
    }
    if top >= (Float::with_val(64, 1) << (format.emax() + 1)) {
        return INF;
    }
    // Nearest is no farther than half an ulp, but for the largest float.
    format.round_down(top.to_f64_round(Round::Down)).max(format.round_float(hi))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_results_are_one_float() {
        for format in [Format::BINARY64, Format::BINARY32] {
            assert_eq!(Op::Sqrt.exactly(&[6.25], format), Some(FloatSet::point(2.5)));
            assert_eq!(Op::Add.exactly(&[1.0, 2.0], format), Some(FloatSet::point(3.0)));
            assert_eq!(Op::Sin.exactly(&[1.0], format), None);
        }
    }

    #[test]
    fn a_float_beside_a_multiple_of_a_quarter_of_pi_counts_from_its_distance_on() {
        let format = Format::BINARY64;
        for (k, x) in [(1, [INF, INF]), (2, [INF, 1.0]), (3, [-INF, -INF]), (4, [-0.0, -1.0])] {
            let [y, x] = x;
            let near = y.atan2(x);
            let quarter = Float::with_val(300, MpConstant::Pi) >> 2u32;
            let exact = Float::with_val(300, &quarter * k) * near.signum();
            let ulp = exact.get_exp().map_or(0, |e| format.ulp_exponent(e - 1));
            for beside in [near.next_down().next_down(), near.next_down(), near.next_up(), near.next_up().next_up()] {
                let distance = Float::with_val(300, beside - &exact).abs() >> ulp;
                let distance = distance.to_f64_round(Round::Up);
                let within = |n: f64| Op::Atan2.at(&[y, x], format, LibmUlps::new(n).expect("a number of ulps"));
                let (at_most, below) = (within(distance), within(distance.next_down()));
                assert!(
                    at_most.contains(beside) && !below.contains(beside),
                    "{beside} is {distance} ulps from {exact}"
                );
            }
        }
    }

    /// Every float that is within so many ulps of a number in between is at most what is reached.
    #[test]
    fn nothing_within_the_ulps_is_beyond_what_is_reached() {
        let number = |k: i32| Float::with_val(64, k) / 64;
        let (mut tight, mut loose) = (0, 0);
        // An ulp is as large as the number for some, far below it for others.
        for (precision, n) in [3, 5].into_iter().flat_map(|p| [1.0, 2.0, 4.0, 8.0].map(|n| (p, n))) {
            let format = Format::new(4, precision).expect("a format");
            let ulps = LibmUlps::new(n).expect("a number of ulps");
            for (from, to) in (-300..300).step_by(7).flat_map(|k| [1, 5, 40, 200].map(|width| (k, k + width))) {
                let reached = reach(&number(from), &number(to), format, ulps);
                let mut most = f64::NEG_INFINITY;
                for x in (from..=to).map(number) {
                    let exponent = x.get_exp().map_or(format.emin(), |e| e - 1);
                    let end = x + (Float::with_val(64, n) << format.ulp_exponent(exponent));
                    most = most.max(format.round_down(end.to_f64_round(Round::Down)));
                }
                assert!(most <= reached, "{precision} bits, {from}/64 to {to}/64, {n} ulps: {most}, not {reached}");
                tight += i32::from(most == reached);
                let is_coarse = n >= 2f64.powi(precision as i32 - 3);
                loose += i32::from(most != reached && !is_coarse);
            }
        }
        // Wider where an ulp is as large as the number alone.
        assert!(tight > 1300 && loose == 0, "{tight} {loose}");
    }
}
