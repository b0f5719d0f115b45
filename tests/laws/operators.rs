//! The laws that tie the facets of an operator together, over every operator, on boxes sampled badly on purpose.
//!
//! The judge is MPFR: [`Op::enclose`] at a point, which rests on MPFR's correct rounding. It is held to be tight and to
//! agree with itself at higher precision, and with exact rational arithmetic where that knows the value.

mod sample;

use crate::support::rng::Rng;
use magneto::num::mpfr::{Float, Round};
use magneto::num::{Interval, MpInterval, Rational, Ternary};
use magneto::ops::{Exact, Op};

/// Boxes an operator in each law; the environment variable `LAW_BOXES` asks for another number, and `LAW_SEED` for
/// other boxes.
const BOXES: usize = 250;
/// The precision of the judge.
const JUDGE: u32 = 200;

fn at(op: Op, point: &[f64], precision: u32) -> MpInterval {
    let x: Vec<MpInterval> = point.iter().map(|&x| MpInterval::from_f64(x, 53)).collect();
    op.enclose(&x.iter().collect::<Vec<_>>(), precision)
}

fn over(op: Op, ibox: &[Interval], precision: u32) -> MpInterval {
    let x: Vec<MpInterval> =
        ibox.iter().map(|i| MpInterval::new(Float::with_val(53, i.inf()), Float::with_val(53, i.sup()))).collect();
    op.enclose(&x.iter().collect::<Vec<_>>(), precision)
}

/// Whether no number of `value` is in `image`: `value` holds the truth, so this is a refutation.
fn outside(value: &MpInterval, image: Interval) -> bool {
    image.is_empty() || value.hi < image.inf() || value.lo > image.sup()
}

fn points(boxes: &[f64]) -> Vec<Interval> {
    boxes.iter().map(|&x| Interval::point(x)).collect()
}

/// Runs `law` on boxes for every operator. The seed is per operator, so that a failure stays when operators come.
fn for_boxes(mut law: impl FnMut(Op, &[Interval], &mut Rng)) {
    let asked = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let (boxes, other) = (asked("LAW_BOXES").unwrap_or(BOXES as u64), asked("LAW_SEED").unwrap_or(0));
    for &op in Op::ALL {
        let seed = op.name().bytes().fold(op.arity() as u64, |h, b| h.wrapping_mul(31).wrapping_add(u64::from(b)));
        let mut rng = Rng(seed ^ (other << 32));
        for _ in 0..boxes {
            let b = rng.ibox(op.arity());
            law(op, &b, &mut rng);
        }
    }
}

#[test]
fn judge_is_tight_and_decided_at_points() {
    for_boxes(|op, b, rng| {
        let p = rng.point_in(b);
        for precision in [53, JUDGE] {
            let v = at(op, &p, precision);
            assert_ne!(v.def, Ternary::Unknown, "{op:?} {p:?}");
            if v.def.is_true() {
                let mut next = v.lo.clone();
                next.next_up();
                assert!(v.hi <= next, "{op:?} {p:?} at {precision}: {v:?}");
                assert_eq!(v.lo.prec(), precision, "{op:?}");
                assert_eq!(v.hi.prec(), precision, "{op:?}");
            }
        }
    });
}

#[test]
fn forward_contains_values_and_knows_the_domain() {
    for_boxes(|op, b, rng| {
        let (image, def) = op.forward(b);
        for _ in 0..6 {
            let p = rng.point_in(b);
            let v = at(op, &p, JUDGE);
            let (tight, tight_def) = op.forward(&points(&p));
            assert_eq!(tight_def, v.def, "{op:?} at {p:?}");
            match v.def {
                Ternary::True => {
                    assert!(!outside(&v, image), "{op:?} {b:?} -> {image:?} loses {p:?} -> {v:?}");
                    assert!(!outside(&v, tight), "{op:?} {p:?} -> {tight:?} loses {v:?}");
                    assert!(!def.is_false(), "{op:?} {b:?} has a value at {p:?}");
                }
                Ternary::False => {
                    assert!(!def.is_true(), "{op:?} {b:?} has no value at {p:?}");
                    assert!(tight.is_empty(), "{op:?} {p:?} -> {tight:?} outside the domain");
                }
                Ternary::Unknown => panic!("{op:?} {p:?}: undecided"),
            }
        }
        assert!(def != Ternary::False || image.is_empty(), "{op:?} {b:?} -> {image:?}");
    });
}

#[test]
fn forward_at_points_is_tight() {
    for_boxes(|op, b, rng| {
        let p = rng.point_in(b);
        let v = at(op, &p, JUDGE);
        if !v.def.is_true() {
            return;
        }
        let (image, _) = op.forward(&points(&p));
        // 16 steps for the gammas, one for rounding and one outward for the others.
        let steps = if matches!(op, Op::Tgamma | Op::Lgamma) { 10 } else { 2 };
        let (mut lo, mut hi) = (v.lo.to_f64_round(Round::Down), v.hi.to_f64_round(Round::Up));
        for _ in 0..steps {
            (lo, hi) = (lo.next_down(), hi.next_up());
        }
        assert!(image.inf() >= lo && image.sup() <= hi, "{op:?} {p:?} -> {image:?} for {v:?}");
    });
}

#[test]
fn forward_is_inclusion_isotone() {
    for_boxes(|op, b, rng| {
        let (image, def) = op.forward(b);
        for _ in 0..6 {
            let part = rng.part_of(b);
            let (part_image, part_def) = op.forward(&part);
            assert!(part_image.subset(image), "{op:?} {part:?} -> {part_image:?}, {b:?} -> {image:?}");
            assert!(def == Ternary::Unknown || part_def == def, "{op:?} {part:?} {part_def:?}, {b:?} {def:?}");
        }
    });
}

#[test]
fn approximation_is_close_and_nan_outside_the_domain() {
    for_boxes(|op, b, rng| {
        let p = rng.point_in(b);
        let v = at(op, &p, JUDGE);
        let y = op.point(&p);
        if v.def.is_false() {
            assert!(y.is_nan(), "{op:?} {p:?} has no value, not {y}");
            return;
        }
        let exact = v.lo.to_f64();
        // Rounding of the fused operations aside, values are correctly rounded.
        let close = y == exact || (y - exact).abs() <= 4.0 * f64::EPSILON * exact.abs() + 5e-324;
        assert!(close, "{op:?} {p:?} -> {y}, not {exact}");
    });
}

#[test]
fn backward_loses_no_solution() {
    for_boxes(|op, b, rng| {
        for _ in 0..6 {
            let p = rng.point_in(b);
            let v = at(op, &p, JUDGE);
            if !v.def.is_true() {
                continue;
            }
            let (lo, hi) = (v.lo.to_f64_round(Round::Down), v.hi.to_f64_round(Round::Up));
            let tight = Interval::new(lo, hi);
            let slack = rng.unit() * (1.0 + hi.abs().min(1e300));
            let targets = [
                tight,
                Interval::outward(lo, hi),
                Interval::new(lo - slack, hi),
                Interval::new(lo, hi + slack * 1e-9),
                Interval::new(f64::NEG_INFINITY, hi),
                Interval::new(lo, f64::INFINITY),
                Interval::ENTIRE,
                op.forward(b).0,
            ];
            for y in targets {
                let mut x = b.to_vec();
                let feasible = op.backward(y, &mut x);
                let kept = x.iter().zip(&p).all(|(i, &p)| i.contains(p));
                assert!(feasible && kept, "{op:?} {b:?} = {y:?} contracts to {x:?} and loses {p:?} -> {v:?}");
                assert!(x.iter().zip(b).all(|(new, old)| new.subset(*old)), "{op:?} {b:?} = {y:?} grows to {x:?}");
            }
        }
    });
}

#[test]
fn backward_on_any_target_stays_in_the_box() {
    for_boxes(|op, b, rng| {
        let y = rng.interval();
        let mut x = b.to_vec();
        let feasible = op.backward(y, &mut x);
        assert_eq!(feasible, x.iter().all(|i| !i.is_empty()));
        if feasible {
            assert!(x.iter().zip(b).all(|(new, old)| new.subset(*old)), "{op:?} {b:?} = {y:?} grows to {x:?}");
        }
        for _ in 0..4 {
            let p = rng.point_in(b);
            let v = at(op, &p, JUDGE);
            let solves = v.def.is_true() && v.lo >= y.inf() && v.hi <= y.sup();
            let kept = x.iter().zip(&p).all(|(i, &p)| i.contains(p));
            assert!(!solves || kept, "{op:?} {b:?} = {y:?} contracts to {x:?} and loses {p:?}");
        }
    });
}

#[test]
fn partials_contain_mean_slopes() {
    for_boxes(|op, b, rng| {
        if op.forward(b).1 != Ternary::True {
            return;
        }
        let mut slopes = vec![Interval::EMPTY; b.len()];
        op.partials(b, &mut slopes);
        assert!(slopes.iter().all(|s| !s.is_empty()), "{op:?} {b:?}: {slopes:?}");
        for round in 0..6 {
            let (p, mut q) = (rng.point_in(b), rng.point_in(b));
            if round % 2 == 1 {
                // along one axis
                let axis = rng.below(b.len());
                for i in (0..b.len()).filter(|&i| i != axis) {
                    q[i] = p[i];
                }
            }
            let (fp, fq) = (at(op, &p, 1200), at(op, &q, 1200));
            let difference = MpInterval::new(
                Float::with_val_round(1200, &fp.lo - &fq.hi, Round::Down).0,
                Float::with_val_round(1200, &fp.hi - &fq.lo, Round::Up).0,
            );
            // The mean value theorem: f(p) - f(q) is a slope times p - q.
            let bound = (0..b.len())
                .fold(Interval::point(0.0), |sum, i| sum + slopes[i] * (Interval::point(p[i]) - Interval::point(q[i])));
            assert!(!outside(&difference, bound), "{op:?} on {b:?}: {slopes:?} miss {q:?} to {p:?}");
        }
    });
}

#[test]
fn condition_numbers_are_those_at_every_point() {
    for_boxes(|op, b, rng| {
        if op.forward(b).1 != Ternary::True {
            return;
        }
        let n = b.len();
        let (mut of_box, mut of_point) = (vec![Interval::EMPTY; n], vec![Interval::EMPTY; n]);
        op.conditions(b, &mut of_box);
        assert!(of_box.iter().all(|c| !c.is_empty()), "{op:?} {b:?}: {of_box:?}");
        for _ in 0..4 {
            let p = rng.point_in(b);
            let (y, _) = op.forward(&points(&p));
            if y.contains(0.0) || y.is_empty() {
                continue;
            }
            op.partials(&points(&p), &mut of_point);
            for i in 0..n {
                let there = Interval::point(p[i]) * of_point[i] / y;
                assert!(!there.disjoint(of_box[i]), "{op:?} on {b:?}: {of_box:?} misses {there:?} at {p:?}");
            }
        }
    });
}

/// A point where the operator is smooth.
fn ordinary(op: Op) -> Vec<f64> {
    match op {
        Op::Acosh => vec![1.75],
        Op::Fmod | Op::Remainder => vec![0.625, -0.5],
        Op::Pow => vec![1.75, 2.25],
        Op::Fma => vec![1.75, -0.75, 0.25],
        _ => [0.625, -0.375][..op.arity()].to_vec(),
    }
}

#[test]
fn backward_solves_for_one_unknown() {
    for &op in Op::ALL {
        let p = ordinary(op);
        let (y, _) = op.forward(&points(&p));
        let mut slopes = vec![Interval::EMPTY; p.len()];
        op.partials(&points(&p), &mut slopes);
        for i in (0..p.len()).filter(|&i| !slopes[i].contains(0.0)) {
            let mut x = points(&p);
            x[i] = Interval::new(p[i] - 0.0625, p[i] + 0.03125);
            for _ in 0..6 {
                assert!(op.backward(y, &mut x), "{op:?}");
            }
            assert!(x[i].contains(p[i]) && x[i].wid() < 1e-12, "{op:?} operand {i} of {p:?}: {x:?}");
            // And where the value is out of reach, nothing is left.
            let mut x = points(&p);
            x[i] = Interval::new(p[i] + 0.015625, p[i] + 0.03125);
            let feasible = (0..6).all(|_| op.backward(y, &mut x));
            assert!(!feasible, "{op:?} operand {i} of {p:?} cannot be {x:?}");
        }
    }
}

#[test]
fn partials_are_tight_at_ordinary_points() {
    // The steps of a format are shorter than what is measured over.
    for &op in Op::ALL.iter().filter(|op| op.rounds_to().is_none()) {
        let p = ordinary(op);
        let mut slopes = vec![Interval::EMPTY; p.len()];
        op.partials(&points(&p), &mut slopes);
        for i in 0..p.len() {
            let h = 1e-6;
            let (mut up, mut down) = (p.clone(), p.clone());
            (up[i], down[i]) = (up[i] + h, down[i] - h);
            let slope = (op.point(&up) - op.point(&down)) / (up[i] - down[i]);
            assert!(slopes[i].wid() <= 1e-9 * (1.0 + slope.abs()), "{op:?}: {slopes:?}");
            assert!((slopes[i].mid() - slope).abs() <= 1e-6 * (1.0 + slope.abs()), "{op:?}: {slopes:?} for {slope}");
        }
    }
}

/// The enclosure at more bits lies inside, and its definedness is not less known.
fn assert_nested(op: Op, what: &dyn std::fmt::Debug, coarse: &MpInterval, fine: &MpInterval) {
    let known = coarse.def == Ternary::Unknown || coarse.def == fine.def;
    assert!(known, "{op:?} {what:?}: {coarse:?} then {fine:?}");
    if !fine.def.is_false() {
        assert!(coarse.lo <= fine.lo && fine.hi <= coarse.hi, "{op:?} {what:?}: {coarse:?} then {fine:?}");
    }
}

/// Found by longer runs.
#[test]
fn boxes_that_broke_a_law() {
    // A sum rounded to nearest instead of downward.
    let x = [Interval::new(1.4616321449683618, 2.7228057186636914)];
    assert_nested(Op::Lgamma, &x, &over(Op::Lgamma, &x, 53), &over(Op::Lgamma, &x, 212));
    // A bound by an overflowed factorial.
    let x = [Interval::new(-405.2681325730151, -405.26813257301507)];
    assert!(!Op::Tgamma.forward(&x).0.is_empty());
    // Exact powers at the corners of a box whose exponents vary.
    let (y, part) = (Interval::new(1.0, 3.0), Interval::new(1.0000000000000002, 1.25));
    let x = Interval::new(-5e-324, 5e-324);
    assert!(Op::Pow.forward(&[x, part]).0.subset(Op::Pow.forward(&[x, y]).0));
}

#[test]
fn enclosures_are_nested_over_precisions() {
    for_boxes(|op, b, rng| {
        if rng.below(2) == 0 {
            return;
        }
        let p = rng.point_in(b);
        let small: Vec<Interval> = p.iter().map(|&x| Interval::outward(x, x)).collect();
        for precision in [53, 120, 500] {
            assert_nested(op, &p, &at(op, &p, precision), &at(op, &p, 4 * precision));
            for x in [&small, &b.to_vec()] {
                let coarse = over(op, x, precision);
                assert_nested(op, x, &coarse, &over(op, x, 4 * precision));
                let inner = rng.point_in(x);
                let v = at(op, &inner, 4 * precision);
                let lost = v.hi < coarse.lo || v.lo > coarse.hi;
                assert!(!lost, "{op:?} {x:?} -> {coarse:?} loses {inner:?} -> {v:?}");
                let agree = coarse.def == Ternary::Unknown || coarse.def == v.def;
                assert!(agree, "{op:?} {x:?} {:?}, {inner:?} {:?}", coarse.def, v.def);
            }
        }
    });
}

#[test]
fn exact_values_agree_with_enclosures() {
    let mut known = std::collections::BTreeMap::new();
    let mut check = |op: Op, x: &[Rational]| {
        let exact = op.exact(&x.iter().collect::<Vec<_>>());
        let wide: Vec<MpInterval> = x.iter().map(|x| MpInterval::from_rational(x, 2200)).collect();
        let representable = wide.iter().all(MpInterval::is_point);
        let v = op.enclose(&wide.iter().collect::<Vec<_>>(), JUDGE);
        match exact {
            Exact::Value(y) => {
                *known.entry(op).or_insert(0) += 1;
                assert!(!v.def.is_false(), "{op:?} {x:?} = {y}, but {v:?}");
                let exactly = MpInterval::from_rational(&y, JUDGE);
                assert!(!(exactly.hi < v.lo || exactly.lo > v.hi), "{op:?} {x:?} = {y}, but {v:?}");
                if representable && exactly.is_point() {
                    assert!(v.is_point() && v.lo == exactly.lo, "{op:?} {x:?} = {y} is representable, but {v:?}");
                }
            }
            Exact::Undefined => assert!(!v.def.is_true(), "{op:?} {x:?}: no value, but {v:?}"),
            Exact::OfPi(r) => panic!("{op:?} {x:?} is {r} times pi"),
            Exact::Unknown => assert!(!representable || !v.def.is_false(), "{op:?} {x:?}: unknown, but {v:?}"),
        }
    };
    for_boxes(|op, b, rng| {
        let fraction = |rng: &mut Rng| {
            let numerator = rng.below(40) as i32 - 20;
            Rational::from((numerator * rng.below(3) as i32, 1 + rng.below(12) as i32))
        };
        let x: Vec<Rational> = (0..op.arity()).map(|_| fraction(rng)).collect();
        check(op, &x);
        let p = rng.point_in(b);
        if p.iter().all(|p| *p == 0.0 || (1e-100..1e100).contains(&p.abs())) {
            check(op, &p.iter().map(|&p| Rational::from_f64(p).expect("finite")).collect::<Vec<_>>());
        }
    });
    // No number is known at which these are rational.
    let has_none = |op: &&Op| matches!(op, Op::Y0 | Op::Y1);
    let without: Vec<_> = Op::ALL.iter().filter(|op| !known.contains_key(op) && !has_none(op)).collect();
    assert!(without.is_empty(), "no exact value at all for {without:?}");
}
