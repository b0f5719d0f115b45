//! Soft arithmetic in the formats that programs use, in all directions, against exact rational numbers: the
//! result is the right neighbour of the exact value. In round to nearest even also against the machine.

use magneto::floats::ordinal::{NAN, is_negative, magnitude};
use magneto::floats::rational::from_rational;
use magneto::floats::soft;
use magneto::floats::{Format, Rounding};
use magneto::num::Rational;
use std::cmp::Ordering;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number other than zero: of any size, near a power of two, near another one, subnormal or near the end of the range.
    fn number(&mut self, format: Format, near: i64) -> i64 {
        let (infinity, least) = (format.infinity() as u64, format.least_normal() as u64);
        let small = self.bits() % 5;
        let magnitude = match self.bits() % 7 {
            0 => (self.bits() % infinity / least * least).wrapping_add(small),
            1 => magnitude(near) as u64 ^ small,
            2 => self.bits() % least,
            3 => infinity - 1 - small,
            4 => (magnitude(near) as u64)
                .wrapping_add(least.wrapping_mul(self.bits() % (2 * u64::from(format.precision())))),
            // With a short fraction.
            5 => (self.bits() % infinity) & !(least / 8 - 1),
            _ => self.bits() % infinity,
        };
        let magnitude = magnitude.clamp(1, infinity - 1) as i64;
        if self.bits().is_multiple_of(2) { magnitude } else { -1 - magnitude }
    }
}

/// The magnitude of a finite number, exactly; of an infinity the power of two that would come after the largest value.
fn exact(format: Format, n: i64) -> Rational {
    let per_binade = 1 << (format.precision() - 1);
    let (binade, fraction) = (magnitude(n) / per_binade, magnitude(n) % per_binade);
    let mantissa = if binade == 0 { fraction } else { fraction + per_binade };
    let place = (binade.max(1) - 1) as i32 + format.emin() - (format.precision() as i32 - 1);
    let value = Rational::from(mantissa);
    if place < 0 { value >> place.unsigned_abs() } else { value << place.unsigned_abs() }
}

fn signed(format: Format, n: i64) -> Rational {
    if is_negative(n) { -exact(format, n) } else { exact(format, n) }
}

/// The value nearest to a number that is not zero, by bisection; `compare` says how its magnitude compares with others.
fn nearest(format: Format, mode: Rounding, negative: bool, compare: &dyn Fn(&Rational) -> Ordering) -> i64 {
    let infinity = format.infinity();
    let (mut below, mut above) = (0, infinity);
    while above - below > 1 {
        let middle = below + (above - below) / 2;
        if compare(&exact(format, middle)) == Ordering::Less { above = middle } else { below = middle }
    }
    let middle = (exact(format, below) + exact(format, below + 1)) / Rational::from(2);
    let up = compare(&exact(format, below)) != Ordering::Equal
        && match mode {
            Rounding::NearestEven => match compare(&middle) {
                Ordering::Equal => below % 2 == 1,
                side => side == Ordering::Greater,
            },
            Rounding::NearestAway => compare(&middle) != Ordering::Less,
            Rounding::Up => !negative,
            Rounding::Down => negative,
            Rounding::Zero => false,
        };
    let m = below + i64::from(up);
    if negative { -1 - m } else { m }
}

fn of_rational(format: Format, mode: Rounding, x: &Rational) -> i64 {
    let size = x.clone().abs();
    nearest(format, mode, *x < 0, &|r| size.cmp(r))
}

const FORMATS: [Format; 3] = [Format::BINARY64, Format::BINARY32, Format::BINARY16];

#[test]
fn arithmetic_is_rounded_once() {
    let mut random = Random(1);
    let mut others = FORMATS.to_vec();
    others.extend([Format::new(8, 8), Format::new(15, 49), Format::new(2, 60)].into_iter().flatten());
    for format in others {
        let mut last = format.least_normal();
        for _ in 0..150 {
            let x = random.number(format, last);
            let y = random.number(format, x);
            let c = if random.bits().is_multiple_of(2) {
                random.number(format, soft::mul(format, Rounding::Zero, x, y).clamp(1, format.infinity() - 1))
            } else {
                random.number(format, y)
            };
            last = c;
            let [a, b, d] = [x, y, c].map(|n| signed(format, n));
            let root = exact(format, x);
            for mode in Rounding::ALL {
                let check = |what: &str, found: i64, x: &Rational| {
                    // The sign of a zero has rules of its own, which tiny formats test.
                    if *x != 0 {
                        assert_eq!(found, of_rational(format, mode, x), "{what} {format:?} {mode:?} {x}");
                    }
                };
                check("+", soft::add(format, mode, x, y), &Rational::from(&a + &b));
                check("*", soft::mul(format, mode, x, y), &Rational::from(&a * &b));
                check("/", soft::div(format, mode, x, y), &Rational::from(&a / &b));
                check("fma", soft::fma(format, mode, x, y, c), &(Rational::from(&a * &b) + &d));
                check("a rational", from_rational(format, mode, &Rational::from(&a / &b)), &Rational::from(&a / &b));
                let squared = |r: &Rational| root.cmp(&Rational::from(r * r));
                let found = soft::sqrt(format, mode, magnitude(x));
                assert_eq!(found, nearest(format, mode, false, &squared), "sqrt {format:?} {mode:?} {root}");
                for to in FORMATS {
                    assert_eq!(soft::cast(format, to, mode, x), of_rational(to, mode, &a), "to {to:?} {mode:?} {a}");
                }
                let n = soft::to_integral(format, mode, x);
                let whole = integral(mode, &a);
                assert!(n == x || whole == signed(format, n), "{format:?} {mode:?}: the integer for {a} is no {whole}");
                assert!(n != x || whole == a || exact(format, x) >= 1u64 << 62);
            }
        }
    }
}

/// The integer in a direction.
fn integral(mode: Rounding, x: &Rational) -> Rational {
    let floor = x.clone().floor();
    let ceil = x.clone().ceil();
    let (down, up) = (Rational::from(x - &floor), Rational::from(&ceil - x));
    let even = |n: &Rational| (n.clone() / Rational::from(2)).is_integer();
    let pick = match mode {
        Rounding::Up => false,
        Rounding::Down => true,
        Rounding::Zero => *x > 0,
        _ if down != up => down < up,
        Rounding::NearestEven => even(&floor),
        Rounding::NearestAway => *x < 0,
    };
    if pick { floor } else { ceil }
}

#[test]
fn remainders_are_exact() {
    let mut random = Random(2);
    for format in FORMATS {
        let mut last = format.least_normal();
        for _ in 0..300 {
            let (x, y) = (random.number(format, last), random.number(format, last));
            last = x;
            let (a, b) = (signed(format, x), signed(format, y));
            let quotient = integral(Rounding::NearestEven, &Rational::from(&a / &b));
            let rest = a - quotient * b;
            let found = soft::rem(format, x, y);
            assert!(found != NAN && signed(format, found) == rest, "{format:?}: the remainder of {x} by {y}");
            assert!(rest != 0 || is_negative(found) == is_negative(x));
        }
    }
}

#[test]
fn the_machine_agrees() {
    let mut random = Random(3);
    let mode = Rounding::NearestEven;
    let double = |n: i64| f64::from_bits(Format::BINARY64.to_bits(n));
    let back = |x: f64| Format::BINARY64.from_bits(x.to_bits());
    let mut last = 1;
    for _ in 0..20_000 {
        let (x, y) = (random.number(Format::BINARY64, last), random.number(Format::BINARY64, last));
        let c = random.number(Format::BINARY64, x);
        last = y;
        let found = soft::fma(Format::BINARY64, mode, x, y, c);
        assert_eq!(found, back(double(x).mul_add(double(y), double(c))), "fma of {x}, {y}, {c}");
        let single = soft::cast(Format::BINARY64, Format::BINARY32, mode, x);
        assert_eq!(single, Format::BINARY32.from_bits((double(x) as f32).to_bits().into()));
        let n = random.bits() >> (random.bits() % 64);
        assert_eq!(soft::from_integer(Format::BINARY64, mode, false, n.into()), back(n as f64));
        let away = soft::to_integral(Format::BINARY64, Rounding::NearestAway, x);
        assert_eq!(away, back(double(x).round()));
    }
}

/// Arithmetic on ordinals and arithmetic by the machine share nothing in formats narrower than binary32.
#[test]
fn soft_and_fast_arithmetic_agree() {
    let tiny = [Format::small(2, -2, 2), Format::small(3, -3, 3), Format::small(4, -2, 4)];
    let mode = Rounding::NearestEven;
    for format in tiny.into_iter().chain(Format::ALL) {
        let number = |n: i64| format.number(n);
        let agree = |soft: i64, fast: f64, of: &str, x: &[i64]| {
            assert_eq!(soft, format.ordinal(fast), "{of} of {:?} in {format:?}", x.iter().map(|n| number(*n)));
        };
        let check = |x: i64, y: i64, c: i64| {
            let (a, b) = (number(x), number(y));
            agree(soft::add(format, mode, x, y), format.add(a, b), "sum", &[x, y]);
            agree(soft::mul(format, mode, x, y), format.mul(a, b), "product", &[x, y]);
            agree(soft::div(format, mode, x, y), format.div(a, b), "quotient", &[x, y]);
            agree(soft::sqrt(format, mode, x), format.sqrt(a), "root", &[x]);
            agree(soft::fma(format, mode, x, y, c), format.fma(a, b, number(c)), "fma", &[x, y, c]);
        };
        if tiny.contains(&format) {
            let all = || (format.minus_infinity()..=format.infinity()).chain([NAN]);
            all().for_each(|x| all().for_each(|y| all().for_each(|c| check(x, y, c))));
            continue;
        }
        let mut random = Random(11);
        let mut last = 1;
        for _ in 0..20_000 {
            let (x, y) = (random.number(format, last), random.number(format, last));
            last = y;
            check(x, y, random.number(format, x));
        }
    }
}
