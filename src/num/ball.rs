//! Ball arithmetic at a point: one number in multiple precision, and how far off it may be. An operation is one of MPFR, where
//! intervals of multiple precision take up to eight.
//!
//! Bounds of what a sum, a product and a quotient of balls add to the radius: van der Hoeven, Ball Arithmetic, 2009.

use super::Ternary;
use super::mpfr::{AssignRound, Float, Round};
use std::cmp::Ordering;

/// The bits of centres. Sums and differences of a loop lose one or two of them in each round.
const PRECISION: u32 = 256;
/// The most by which a centre is off by rounding to nearest, as a part of its magnitude: 2^-255, twice the bound.
const ERROR: f64 = f64::from_bits((1023 - 255) << 52);
/// What makes a bound of a few roundings to nearest: each is at most 2^-53 of it.
const ABOVE: f64 = 1.0 + f64::from_bits((1023 - 48) << 52);
/// The smallest radius that is not 0, 2^-900: far above all that underflows.
const LEAST_RADIUS: f64 = f64::from_bits((1023 - 900) << 52);

/// All numbers whose distance from a centre is at most a radius.
#[derive(Clone, Debug, PartialEq)]
pub struct Ball {
    centre: Float,
    /// At least 0; infinite where nothing is known.
    radius: f64,
}

impl Ball {
    /// All numbers.
    #[must_use]
    pub fn entire() -> Self {
        Ball { centre: Float::with_val(PRECISION, 0), radius: f64::INFINITY }
    }

    /// A small number, exactly.
    #[must_use]
    pub fn integer(n: u8) -> Self {
        Ball { centre: Float::with_val(PRECISION, n), radius: 0.0 }
    }

    /// All numbers from 0 to 1.
    #[must_use]
    pub fn unit() -> Self {
        Ball { centre: Float::with_val(PRECISION, 0.5), radius: 0.5 }
    }

    /// A ball around what an operation is at its operands' centres, with what else is in doubt.
    fn around<T>(operation: T, doubt: f64) -> Option<Self>
    where
        Float: AssignRound<T, Round = Round, Ordering = Ordering>,
    {
        if !doubt.is_finite() {
            return None;
        }
        let (centre, rounded) = Float::with_val_round(PRECISION, operation, Round::Nearest);
        let is_exact = rounded == Ordering::Equal && doubt == 0.0;
        let radius = if is_exact { 0.0 } else { ((doubt + at_most(&centre) * ERROR) * ABOVE).max(LEAST_RADIUS) };
        (centre.is_finite() && radius.is_finite()).then_some(Ball { centre, radius })
    }

    /// The smallest ball that is at hand around an enclosure without NaN.
    #[must_use]
    pub fn enclosing(lo: &Float, hi: &Float) -> Self {
        if !(lo.is_finite() && hi.is_finite()) {
            return Self::entire();
        }
        let centre = if lo == hi { Float::with_val(PRECISION, lo) } else { Float::with_val(PRECISION, lo + hi) / 2u32 };
        let above = Float::with_val_round(53, hi - &centre, Round::Up).0.to_f64_round(Round::Up);
        let below = Float::with_val_round(53, &centre - lo, Round::Up).0.to_f64_round(Round::Up);
        let radius = above.max(below);
        Ball { centre, radius: if radius > 0.0 { radius.max(LEAST_RADIUS) } else { 0.0 } }
    }

    /// Ends of the ball in multiple precision, rounded outward.
    #[must_use]
    pub fn ends(&self) -> (Float, Float) {
        let lo = Float::with_val_round(PRECISION, &self.centre - self.radius, Round::Down).0;
        (lo, Float::with_val_round(PRECISION, &self.centre + self.radius, Round::Up).0)
    }

    /// How all its numbers compare with 0; none where that is open.
    #[must_use]
    pub fn sign(&self) -> Option<Ordering> {
        let is_settled = self.radius == 0.0 || self.radius < at_least(&self.centre);
        is_settled.then(|| self.centre.cmp0()).flatten()
    }

    /// `-a`
    #[must_use]
    pub fn neg(&self) -> Self {
        Ball { centre: -self.centre.clone(), radius: self.radius }
    }

    /// `a + b`; none where nothing is known of it, here and below.
    #[must_use]
    pub fn add(&self, other: &Self) -> Option<Self> {
        Self::around(&self.centre + &other.centre, self.radius + other.radius)
    }

    /// `a - b`
    #[must_use]
    pub fn sub(&self, other: &Self) -> Option<Self> {
        Self::around(&self.centre - &other.centre, self.radius + other.radius)
    }

    /// `a b`
    #[must_use]
    pub fn mul(&self, other: &Self) -> Option<Self> {
        let (a, b) = (self.radius, other.radius);
        let is_certain = a == 0.0 && b == 0.0;
        let doubt = || at_most(&self.centre) * b + at_most(&other.centre) * a + a * b;
        // What is in doubt may be too small for binary64.
        Self::around(&self.centre * &other.centre, if is_certain { 0.0 } else { doubt() + f64::MIN_POSITIVE })
    }

    /// `a / b`
    #[must_use]
    pub fn div(&self, other: &Self) -> Option<Self> {
        let least = at_least(&other.centre) / ABOVE - other.radius;
        let is_apart_from_0 = least > 0.0;
        if !is_apart_from_0 {
            return None;
        }
        let (a, b) = (self.radius, other.radius);
        let is_certain = a == 0.0 && (b == 0.0 || self.centre == 0);
        let doubt = || (a + at_most(&self.centre) / at_least(&other.centre) * ABOVE * b) / least;
        Self::around(&self.centre / &other.centre, if is_certain { 0.0 } else { doubt() + f64::MIN_POSITIVE })
    }

    /// The square root, of what is surely not negative.
    #[must_use]
    pub fn sqrt(&self) -> Option<Self> {
        match self.sign()? {
            Ordering::Less => None,
            Ordering::Equal => Some(self.clone()),
            Ordering::Greater => {
                Self::around(self.centre.sqrt_ref(), self.radius / at_least(&self.centre).sqrt() * ABOVE)
            }
        }
    }

    /// The magnitude.
    #[must_use]
    pub fn abs(&self) -> Option<Self> {
        Some(if self.sign()? == Ordering::Less { self.neg() } else { self.clone() })
    }

    /// The larger, where it is settled which is.
    #[must_use]
    pub fn max(&self, other: &Self) -> Option<Self> {
        Some(if self.order(other)? == Ordering::Less { other.clone() } else { self.clone() })
    }

    /// The smaller, where it is settled which is.
    #[must_use]
    pub fn min(&self, other: &Self) -> Option<Self> {
        Some(if self.order(other)? == Ordering::Greater { other.clone() } else { self.clone() })
    }

    /// How all its numbers compare with all of another; none where that is open.
    #[must_use]
    pub fn order(&self, other: &Self) -> Option<Ordering> {
        self.sub(other)?.sign()
    }

    /// The ball as a truth value: 1 holds, and 0 does not.
    #[must_use]
    pub fn as_truth(&self) -> Ternary {
        let is = |n: u8| self.radius == 0.0 && self.centre == n;
        Ternary::decide(is(1), is(0))
    }
}

/// At least the magnitude.
fn at_most(x: &Float) -> f64 {
    x.to_f64_round(Round::AwayZero).abs()
}

/// At most the magnitude.
fn at_least(x: &Float) -> f64 {
    x.to_f64_round(Round::Zero).abs()
}

#[cfg(test)]
mod tests {
    use super::super::float::rational;
    use super::super::mpfr::{Integer, Rational};
    use super::super::random::Random;
    use super::*;

    /// A ball of a few or of all bits, around 0 too, small or large, known exactly, well or badly.
    fn ball(random: &mut Random) -> Ball {
        let bits: Integer = (0..4).map(|k| Integer::from(random.bits()) << (64 * k)).sum();
        let few = Integer::from(random.below(16)) - 8;
        let significand = [few, bits.clone(), -bits][random.below(2) as usize].clone();
        let power = if random.below(2) == 0 { random.below(1200) as i32 - 600 } else { -(random.below(260) as i32) };
        let centre = Float::with_val(PRECISION, significand) << power;
        let radius = match random.below(2) {
            0 => 0.0,
            1 => at_most(&centre) * 2f64.powi(-(random.below(250) as i32)),
            _ => 2f64.powi(random.below(100) as i32 - 90),
        };
        Ball { centre, radius: if radius == 0.0 { 0.0 } else { radius.max(LEAST_RADIUS) } }
    }

    fn exact(ball: &Ball) -> [Rational; 3] {
        let (centre, radius) = (ball.centre.to_rational().unwrap(), rational(ball.radius));
        [Rational::from(&centre - &radius), centre.clone(), centre + radius]
    }

    fn holds(ball: &Ball, x: &Rational) -> bool {
        let [lo, _, hi] = exact(ball);
        lo <= *x && *x <= hi
    }

    #[test]
    fn results_hold_those_of_all_numbers_of_their_operands() {
        let mut random = Random::seeded(1);
        let mut known = [0u32; 4];
        for round in 0..40_000 {
            let (a, b) = (ball(&mut random), ball(&mut random));
            // Operands that nearly cancel.
            let b = if round % 3 == 0 { Ball { radius: b.radius, ..a.neg() } } else { b };
            let results = [a.add(&b), a.sub(&b), a.mul(&b), a.div(&b)];
            known.iter_mut().zip(&results).for_each(|(n, result)| *n += u32::from(result.is_some()));
            for x in exact(&a) {
                for y in exact(&b) {
                    let values = [
                        Some(Rational::from(&x + &y)),
                        Some(Rational::from(&x - &y)),
                        Some(Rational::from(&x * &y)),
                        (y != 0).then(|| Rational::from(&x / &y)),
                    ];
                    for (result, value) in results.iter().zip(values) {
                        if let Some(result) = result {
                            let value = value.expect("the divisor of a quotient that is known is not 0");
                            assert!(holds(result, &value), "{a:?} {b:?}: {result:?}");
                        }
                    }
                }
            }
        }
        assert!(known.iter().all(|n| *n > 20_000), "{known:?}");
    }

    #[test]
    fn roots_magnitudes_and_choices_hold_those_of_all_numbers() {
        let mut random = Random::seeded(2);
        let mut known = [0u32; 4];
        for _ in 0..40_000 {
            let (a, b) = (ball(&mut random), ball(&mut random));
            if let Some(root) = a.sqrt() {
                known[0] += 1;
                // The root of x is between the ends if x is between their squares.
                let [lo, _, hi] = exact(&root);
                let square = |x: Rational| if x < 0 { Rational::new() } else { Rational::from(&x * &x) };
                let [least, _, most] = exact(&a);
                assert!(least >= 0 && square(lo) <= least && most <= square(hi), "{a:?}: {root:?}");
            }
            let results = [a.abs(), a.max(&b), a.min(&b)];
            known[1..].iter_mut().zip(&results).for_each(|(n, result)| *n += u32::from(result.is_some()));
            for x in exact(&a) {
                for y in exact(&b) {
                    let values = [x.clone().abs(), x.clone().max(y.clone()), x.clone().min(y)];
                    for (result, value) in results.iter().zip(values) {
                        assert!(result.as_ref().is_none_or(|r| holds(r, &value)), "{a:?} {b:?}: {result:?}");
                    }
                }
            }
        }
        assert!(known.iter().all(|n| *n > 5_000), "{known:?}");
    }

    #[test]
    fn what_is_exact_stays_exact() {
        let [three, four] = [3, 4].map(Ball::integer);
        let of = |x: f64| Some(Ball { centre: Float::with_val(PRECISION, x), radius: 0.0 });
        assert_eq!([three.add(&four), three.sub(&four), three.mul(&four)], [of(7.0), of(-1.0), of(12.0)]);
        assert_eq!([three.div(&four), four.sqrt(), Ball::integer(0).sqrt()], [of(0.75), of(2.0), of(0.0)]);
        assert_eq!(three.order(&three), Some(Ordering::Equal));
        let third = Ball::integer(1).div(&three).unwrap();
        assert!(third.radius > 0.0 && third.radius < 1e-76, "{third:?}");
        // A centre of 0 with all that is in doubt.
        assert_eq!(third.order(&third), None);
        assert_eq!([three.as_truth(), Ball::unit().as_truth(), third.as_truth()], [Ternary::Unknown; 3]);
        assert_eq!([1, 0].map(|n| Ball::integer(n).as_truth()), [Ternary::True, Ternary::False]);
    }

    #[test]
    fn what_binary64_has_no_radius_for_is_given_up_or_wide() {
        let of = |power: i32| Ball { centre: Float::with_val(PRECISION, 3) << power, radius: 0.0 };
        let third = Ball::integer(1).div(&Ball::integer(3)).unwrap();
        assert_eq!(third.mul(&of(2000)), None);
        let small = third.mul(&of(-2000)).unwrap();
        assert_eq!((small.radius, small.sign()), (LEAST_RADIUS, None));
        // Each factor is beyond binary64, or its radius is.
        assert_eq!([of(2000).mul(&small), small.mul(&of(2000)), small.div(&of(-2000))], [const { None }; 3]);
        // Without a rounding all magnitudes are at hand.
        assert_eq!(of(2000).mul(&of(-2000)).unwrap(), Ball::integer(9));
        let entire = Ball::entire();
        assert_eq!([entire.add(&third), entire.mul(&third), entire.sqrt(), third.div(&entire)], [const { None }; 4]);
        let wide = Ball { radius: 3.0, ..Ball::integer(3) };
        assert_eq!([wide.sqrt(), third.div(&wide), wide.neg().sqrt(), wide.abs()], [const { None }; 4]);
    }

    #[test]
    fn enclosures_in_multiple_precision_and_balls_hold_each_other() {
        let mut random = Random::seeded(3);
        for _ in 0..20_000 {
            let ball = ball(&mut random);
            let (lo, hi) = ball.ends();
            let [least, _, most] = exact(&ball);
            assert!(lo.to_rational().unwrap() <= least && most <= hi.to_rational().unwrap(), "{ball:?}");
            for (lo, hi) in [(lo.clone(), hi.clone()), (lo >> 700, hi >> 700)] {
                let again = Ball::enclosing(&lo, &hi);
                assert!([lo, hi].iter().all(|end| holds(&again, &end.to_rational().unwrap())), "{again:?}");
            }
        }
        let float = |x: f64| Float::with_val(120, x);
        assert_eq!(Ball::enclosing(&float(1.0), &float(1.0)), Ball::integer(1));
        assert_eq!(Ball::enclosing(&float(0.0), &float(1.0)), Ball::unit());
        assert_eq!(Ball::enclosing(&float(1.5), &float(f64::INFINITY)), Ball::entire());
    }
}
