//! What programs over floats get from every operator, judged in small formats by trying every float: results of IEEE 754
//! by the definition of rounding over exact values, those of library functions by the distance from MPFR's.

use crate::support::rng::Rng;
use magneto::floats::{FloatSet, Format};
use magneto::num::float::{power_of_two, rational};
use magneto::num::mpfr::Float;
use magneto::num::{MpInterval, Rational};
use magneto::ops::float::{Computed, LibmUlps};
use magneto::ops::{Exact, Op};

/// Every finite float of a small format, one zero, ascending.
fn finite(f: Format) -> Vec<f64> {
    let mut all = vec![0.0];
    let (p, least) = (f.precision() as i32, f.emin() - f.precision() as i32 + 1);
    for e in least..=f.emax() - p + 1 {
        let first = if e == least { 1 } else { 1 << (p - 1) };
        all.extend((first..1 << p).map(|m| f64::from(m) * 2f64.powi(e)));
    }
    let negative: Vec<f64> = all[1..].iter().map(|x| -x).collect();
    all.extend(negative);
    all.sort_by(f64::total_cmp);
    all
}

/// Every float: NaN, infinities, both zeros.
fn every(f: Format) -> Vec<f64> {
    let mut all = finite(f);
    all.extend([-0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY]);
    all
}

fn formats() -> [Format; 3] {
    [Format::small(2, -2, 2), Format::small(3, -3, 3), Format::small(4, -2, 4)]
}

/// The nearest float by trying all of them: on a tie the one whose last bit is 0.
fn nearest(v: &Rational, f: Format, all: &[f64]) -> f64 {
    let ulp = power_of_two(f.emax() - f.precision() as i32 + 1);
    let beyond = rational(f.max()) + &ulp / Rational::from(2);
    if v.clone().abs() >= beyond {
        return if *v > 0 { f64::INFINITY } else { f64::NEG_INFINITY };
    }
    let distance = |x: f64| (rational(x) - v).abs();
    let best = all.iter().copied().min_by(|a, b| distance(*a).partial_cmp(&distance(*b)).unwrap()).unwrap();
    let tied: Vec<usize> = (0..all.len()).filter(|i| distance(all[*i]) == distance(best)).collect();
    // Floats ascend, and their last bits alternate from zero on.
    let zero = all.iter().position(|x| *x == 0.0).unwrap();
    all[*tied.iter().find(|i| i.abs_diff(zero) % 2 == 0).unwrap_or(&tied[0])]
}

fn for_arguments(op: Op, floats: &[f64], mut law: impl FnMut(&[f64])) {
    match op.arity() {
        1 => floats.iter().for_each(|x| law(&[*x])),
        2 => floats.iter().for_each(|x| floats.iter().for_each(|y| law(&[*x, *y]))),
        _ => {
            let mut rng = Rng(7);
            for _ in 0..4000 {
                let mut pick = || floats[rng.below(floats.len())];
                let x = [pick(), pick(), pick()];
                law(&x);
            }
        }
    }
}

fn same(x: f64, y: f64) -> bool {
    x == y || (x.is_nan() && y.is_nan())
}

#[test]
fn exact_and_rounded_operations_are_what_the_definition_says() {
    let mut judged = 0;
    for f in formats() {
        let (floats, every) = (finite(f), every(f));
        for &op in Op::ALL.iter().filter(|op| op.range(f).is_none()) {
            for_arguments(op, &every, |x| {
                let set =
                    op.results(&x.iter().map(|x| FloatSet::point(*x)).collect::<Vec<_>>(), f, LibmUlps::default());
                if x.iter().all(|x| x.is_finite()) {
                    let args: Vec<Rational> = x.iter().map(|x| rational(*x)).collect();
                    if let Exact::Value(v) = op.exact(&args.iter().collect::<Vec<_>>()) {
                        let has_integers = f.emax() + 1 >= f.precision() as i32;
                        assert!(!(op.keeps_format() && has_integers) || f.has(&v), "{f:?} {op:?} {x:?}: {v}");
                        // Over the reals a zero has no sign.
                        let v = if op == Op::Copysign { rational(x[0].copysign(x[1])) } else { v };
                        let right = nearest(&v, f, &floats);
                        assert!(
                            set.members(f, 2).unwrap().iter().all(|y| *y == right),
                            "{f:?} {op:?} {x:?}: {set:?} not {right}"
                        );
                        judged += 1;
                    }
                }
                // Binary64 arithmetic knows the special values.
                let plain = match (op, x) {
                    (Op::Add, [x, y]) => x + y,
                    (Op::Sub, [x, y]) => x - y,
                    (Op::Mul, [x, y]) => x * y,
                    (Op::Div, [x, y]) => x / y,
                    (Op::Fma, [x, y, z]) => x.mul_add(*y, *z),
                    (Op::Sqrt, [x]) => x.sqrt(),
                    (Op::Fmod, [x, y]) => x % y,
                    (Op::Neg, [x]) => -x,
                    (Op::Floor, [x]) => x.floor(),
                    (Op::Nearbyint, [x]) => x.round_ties_even(),
                    _ => return,
                };
                let y = set.single().unwrap();
                if !plain.is_finite() || plain == 0.0 {
                    assert!(
                        same(y, plain) && (plain != 0.0 || y.to_bits() == plain.to_bits()),
                        "{op:?} {x:?}: {y} not {plain}"
                    );
                }
            });
        }
    }
    assert!(judged > 10_000);
}

/// The floats within so many ulps of a number known to 400 bits, by trying all of them.
fn by_distance(v: &MpInterval, f: Format, floats: &[f64], ulps: f64, (least, most): (f64, f64)) -> Vec<f64> {
    let value = v.lo.to_rational().unwrap();
    let ulp = if value == 0 {
        power_of_two(f.emin() - f.precision() as i32 + 1)
    } else {
        power_of_two(magneto::num::float::floor_log2(&value).max(f.emin()) - f.precision() as i32 + 1)
    };
    if ulps == 0.5 {
        return vec![nearest(&value, f, floats)];
    }
    let reach = ulp * rational(ulps);
    // An infinity stands for the float after the largest one.
    let after = power_of_two(f.emax() + 1);
    let place = |x: f64| if x.is_finite() { rational(x) } else { &after * Rational::from(x.signum() as i32) };
    let near = |x: &f64| (place(*x) - &value).abs() <= reach && least <= *x && *x <= most;
    let ends = [f64::NEG_INFINITY, f64::INFINITY];
    let mut all: Vec<f64> = floats.iter().chain(&ends).copied().filter(near).collect();
    // Far beyond there is nothing but infinity.
    if value.clone().abs() > after {
        all = floats.iter().copied().filter(near).collect();
        all.push(if value > 0 { f64::INFINITY } else { f64::NEG_INFINITY });
    }
    all.sort_by(f64::total_cmp);
    all
}

#[test]
fn library_functions_give_all_floats_within_the_ulps_and_no_other() {
    let mut judged = 0;
    for f in formats() {
        let floats = finite(f);
        for &op in Op::ALL {
            let Some(range) = op.range(f) else { continue };
            for_arguments(op, &floats, |x| {
                let Computed::Near(..) = op.float_result(x, f) else { return };
                let args: Vec<MpInterval> = x.iter().map(|x| MpInterval::from_f64(*x, 53)).collect();
                let mut v = op.enclose(&args.iter().collect::<Vec<_>>(), 400);
                if v.lo.get_exp() != v.hi.get_exp() {
                    // erf(-30) is above -1 by less than 2^-1000.
                    v = op.enclose(&args.iter().collect::<Vec<_>>(), 4000);
                }
                // In two bits 2.5 ulps are more than the number itself.
                for ulps in [0.5, 1.0, 2.5].into_iter().take(f.precision() as usize) {
                    let sets: Vec<FloatSet> = x.iter().map(|x| FloatSet::point(*x)).collect();
                    let set = op.results(&sets, f, LibmUlps::new(ulps).unwrap());
                    if v.def.is_false() {
                        assert_eq!(set, FloatSet::NAN, "{op:?} {x:?}");
                        continue;
                    }
                    let mut members: Vec<f64> = set.members(f, 1000).unwrap();
                    members.dedup_by(|a, b| a == b);
                    members.sort_by(f64::total_cmp);
                    let right = by_distance(&v, f, &floats, ulps, range);
                    assert_eq!(members.len(), right.len(), "{f:?} {op:?} {x:?} {ulps}: {members:?} not {right:?}");
                    assert!(
                        members.iter().zip(&right).all(|(a, b)| a == b),
                        "{f:?} {op:?} {x:?} {ulps}: {members:?} not {right:?}"
                    );
                    judged += 1;
                }
            });
        }
    }
    assert!(judged > 5_000, "{judged}");
}

#[test]
fn results_on_intervals_hold_those_at_their_floats() {
    let mut rng = Rng(11);
    for f in formats() {
        let mut floats = finite(f);
        let zero = floats.iter().position(|x| *x == 0.0).unwrap();
        floats.insert(zero, -0.0);
        for &op in Op::ALL {
            for _ in 0..150 {
                let mut set = || {
                    let (i, j) = (rng.below(floats.len()), rng.below(4));
                    let set = FloatSet::between(floats[i], floats[(i + j).min(floats.len() - 1)]);
                    match rng.below(8) {
                        0 => FloatSet { nan: true, ..set },
                        1 => FloatSet { plus_infinity: true, ..set },
                        2 => FloatSet { minus_infinity: true, ..set },
                        _ => set,
                    }
                };
                let sets: Vec<FloatSet> = (0..op.arity()).map(|_| set()).collect();
                let image = op.results(&sets, f, LibmUlps::default());
                let members: Vec<Vec<f64>> = sets.iter().map(|s| s.members(f, 100).unwrap()).collect();
                for _ in 0..40 {
                    let x: Vec<f64> = members.iter().map(|m| m[rng.below(m.len())]).collect();
                    let at =
                        op.results(&x.iter().map(|x| FloatSet::point(*x)).collect::<Vec<_>>(), f, LibmUlps::default());
                    for y in at.members(f, 1000).unwrap() {
                        assert!(image.contains(y), "{f:?} {op:?} on {sets:?} is {image:?}, but at {x:?} {y}");
                    }
                }
            }
        }
    }
}

#[test]
fn rounding_is_to_nearest_in_every_direction_and_kind_of_number() {
    let mut rng = Rng(3);
    for f in formats() {
        let floats = finite(f);
        for _ in 0..3000 {
            let v = Rational::from((rng.below(4001) as i64 - 2000, 1 + rng.below(300)));
            let right = nearest(&v, f, &floats);
            assert_eq!(f.round_rational(&v), right, "{f:?} {v}");
            assert_eq!(
                f.round_float(&Float::with_val(200, &v)),
                f.round_rational(&Float::with_val(200, &v).to_rational().unwrap())
            );
        }
        for pair in floats.windows(2) {
            assert_eq!(f.successor(pair[0]), pair[1]);
            assert_eq!(f.predecessor(pair[1]), pair[0]);
            let between = 0.25 * pair[0] + 0.75 * pair[1];
            assert_eq!((f.round_down(between), f.round_up(between), f.round(between)), (pair[0], pair[1], pair[1]));
        }
        assert_eq!((f.successor(f.max()), f.predecessor(f64::INFINITY)), (f64::INFINITY, f.max()));
    }
}

#[test]
fn special_values_are_those_of_annex_f() {
    let (inf, pi) = (f64::INFINITY, std::f64::consts::PI);
    let f = magneto::floats::Format::BINARY64;
    let at = |op: Op, x: &[f64]| {
        op.results(&x.iter().map(|x| FloatSet::point(*x)).collect::<Vec<_>>(), f, LibmUlps::CORRECTLY_ROUNDED)
    };
    let expected: &[(Op, &[f64], f64)] = &[
        (Op::Pow, &[0.0, -3.0], inf),
        (Op::Pow, &[-0.0, -3.0], -inf),
        (Op::Pow, &[-0.0, -2.0], inf),
        (Op::Pow, &[-0.0, 3.0], -0.0),
        (Op::Pow, &[f64::NAN, 0.0], 1.0),
        (Op::Pow, &[1.0, f64::NAN], 1.0),
        (Op::Pow, &[-1.0, inf], 1.0),
        (Op::Pow, &[0.5, -inf], inf),
        (Op::Pow, &[-inf, -3.0], -0.0),
        (Op::Pow, &[-inf, 2.0], inf),
        (Op::Pow, &[-2.0, 0.5], f64::NAN),
        (Op::Pow, &[-2.0, 3.0], -8.0),
        (Op::Pow, &[1e300, 1e300], inf),
        (Op::Pow, &[-1e300, 3.0], -inf),
        (Op::Hypot, &[f64::NAN, -inf], inf),
        (Op::Hypot, &[-3.0, -0.0], 3.0),
        (Op::Atan2, &[0.0, -0.0], pi),
        (Op::Atan2, &[-0.0, -1.0], -pi),
        (Op::Atan2, &[-0.0, 1.0], -0.0),
        (Op::Atan2, &[inf, -inf], 3.0 * pi / 4.0),
        (Op::Atan2, &[-2.0, 0.0], -pi / 2.0),
        (Op::Atan, &[-inf], -pi / 2.0),
        (Op::Log, &[-0.0], -inf),
        (Op::Log, &[-1.0], f64::NAN),
        (Op::Log1p, &[-1.0], -inf),
        (Op::Expm1, &[-0.0], -0.0),
        (Op::Exp, &[710.0], inf),
        (Op::Exp, &[-750.0], 0.0),
        (Op::Tgamma, &[-0.0], -inf),
        (Op::Tgamma, &[-3.0], f64::NAN),
        (Op::Lgamma, &[-3.0], inf),
        (Op::Lgamma, &[2.0], 0.0),
        (Op::Atanh, &[-1.0], -inf),
        (Op::Sin, &[inf], f64::NAN),
        (Op::Sinh, &[-0.0], -0.0),
        (Op::Fmod, &[-4.0, 2.0], -0.0),
        (Op::Fmod, &[1.0, inf], 1.0),
        (Op::Remainder, &[-3.0, inf], -3.0),
        (Op::Fmax, &[f64::NAN, 2.0], 2.0),
        (Op::Fmin, &[2.0, f64::NAN], 2.0),
        (Op::Erfc, &[-inf], 2.0),
    ];
    for (op, x, y) in expected {
        let got = at(*op, x).single().unwrap();
        assert!(same(got, *y) && (*y != 0.0 || got.to_bits() == y.to_bits()), "{op:?} {x:?}: {got}, not {y}");
    }
}
