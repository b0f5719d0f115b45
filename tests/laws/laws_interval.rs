//! The interval operations against `inari`, whose results are the tightest: ours contain them and are hardly wider.

use crate::support::rng::Rng;
use magneto::num::Interval;

/// Pairs an operation; the environment variable `LAW_BOXES` asks for another number.
const PAIRS: u64 = 200_000;

/// Numbers sampled badly on purpose: zeros, ends of the range, subnormals, small integers, any bits.
fn number(rng: &mut Rng) -> f64 {
    let sign = if rng.bits() & 1 == 0 { 1.0 } else { -1.0 };
    sign * match rng.bits() % 12 {
        0 => 0.0,
        1 => 5e-324,
        2 => f64::MIN_POSITIVE * (rng.bits() % 4) as f64,
        3 => f64::MAX,
        4 => f64::INFINITY,
        5 => (rng.bits() % 20) as f64,
        6 => 2.0f64.powi((rng.bits() % 2100) as i32 - 1074),
        // Around the limits of the proofs: products and squares near 2^-960, 2^-1022 and 2^1024.
        7 => (1.0 + (rng.bits() % 1000) as f64 / 1000.0) * 2.0f64.powi((rng.bits() % 200) as i32 - 580),
        8 => (1.0 + (rng.bits() % 1000) as f64 / 1000.0) * 2.0f64.powi((rng.bits() % 40) as i32 + 490),
        9 => f64::from_bits(rng.bits() >> 1 & 0x000f_ffff_ffff_ffff),
        _ => {
            let x = f64::from_bits(rng.bits());
            if x.is_nan() { 1.0 } else { x.abs() }
        }
    }
}

fn interval(rng: &mut Rng) -> Interval {
    loop {
        let a = number(rng);
        let b = match rng.bits() % 4 {
            0 => a,
            1 => a.next_up(),
            _ => number(rng),
        };
        let i = Interval::new(a.min(b), a.max(b));
        // Empty ones now and then.
        if !i.is_empty() || rng.bits().is_multiple_of(8) {
            return i;
        }
    }
}

fn of(x: Interval) -> inari::Interval {
    inari::Interval::try_from((x.inf(), x.sup())).unwrap_or(inari::Interval::EMPTY)
}

/// At most one number further out.
fn near(outer: f64, inner: f64, out: impl Fn(f64) -> f64) -> bool {
    outer == inner || outer == out(inner)
}

#[track_caller]
fn tight(ours: Interval, best: inari::Interval, operands: &[Interval]) {
    if best.is_empty() {
        assert!(ours.is_empty(), "{ours:?} for the empty set, of {operands:?}");
        return;
    }
    let contains = ours.inf() <= best.inf() && best.sup() <= ours.sup();
    assert!(contains, "{ours:?} does not contain {best}, of {operands:?}");
    let near = near(ours.inf(), best.inf(), f64::next_down) && near(ours.sup(), best.sup(), f64::next_up);
    assert!(near, "{ours:?} is much wider than {best:?}, of {operands:?}");
    // Zeros have one representation each.
    assert!(ours.inf() != 0.0 || ours.inf().is_sign_negative(), "{operands:?}");
    assert!(ours.sup() != 0.0 || ours.sup().is_sign_positive(), "{operands:?}");
}

fn pairs(law: impl Fn(Interval, Interval)) {
    let asked = std::env::var("LAW_BOXES").ok().and_then(|n| n.parse().ok());
    let mut rng = Rng(11);
    for _ in 0..asked.unwrap_or(PAIRS) {
        let (x, y) = (interval(&mut rng), interval(&mut rng));
        law(x, y);
    }
}

#[test]
fn sums_products_and_quotients_are_inaris() {
    pairs(|x, y| {
        let operands = [x, y];
        tight(x + y, of(x) + of(y), &operands);
        tight(x - y, of(x) - of(y), &operands);
        tight(x * y, of(x) * of(y), &operands);
        tight(x / y, of(x) / of(y), &operands);
        let (ours, best) = (x.mul_rev_to_pair(y), of(x).mul_rev_to_pair(of(y)));
        tight(ours[0], best[0], &operands);
        tight(ours[1], best[1], &operands);
    });
}

#[test]
fn functions_of_one_interval_are_inaris() {
    pairs(|x, _| {
        tight(x.sqr(), of(x).sqr(), &[x]);
        tight(x.sqrt(), of(x).sqrt(), &[x]);
        tight(x.recip(), of(x).recip(), &[x]);
        tight(x.abs(), of(x).abs(), &[x]);
        tight(-x, -of(x), &[x]);
        tight(x.floor(), of(x).floor(), &[x]);
        let same = |a: f64, b: f64| assert!(a == b || a.is_nan() && b.is_nan(), "{a} {b} of {x:?}");
        same(x.inf(), of(x).inf());
        same(x.sup(), of(x).sup());
        same(x.mid(), of(x).mid());
        same(x.mag(), of(x).mag());
        same(x.mig(), of(x).mig());
        let (ours, best) = (x.wid(), of(x).wid());
        assert!(near(ours, best, f64::next_up) || best.is_nan() && ours.is_nan(), "{ours} {best} of {x:?}");
        assert_eq!((x.is_empty(), x.is_point()), (of(x).is_empty(), of(x).is_singleton()), "{x:?}");
    });
}

#[test]
fn sets_are_inaris() {
    pairs(|x, y| {
        let operands = [x, y];
        let exact = |ours: Interval, best: inari::Interval| assert_eq!(of(ours), best, "{operands:?}");
        exact(x & y, of(x).intersection(of(y)));
        exact(x | y, of(x).convex_hull(of(y)));
        exact(x.max(y), of(x).max(of(y)));
        exact(x.min(y), of(x).min(of(y)));
        assert_eq!(x.subset(y), of(x).subset(of(y)), "{operands:?}");
        assert_eq!(x.disjoint(y), of(x).disjoint(of(y)), "{operands:?}");
        assert_eq!(x == y, of(x) == of(y), "{operands:?}");
    });
}
