use super::*;
use crate::spec::{Overrides, parse_file, resolve};

fn program(body: &str) -> Program {
    let text = format!("(FPCore (x y) :magneto-rel-error 1e-10 {body})");
    let spec = resolve(&parse_file(text.as_bytes()), 0, "text", &Overrides::default()).expect("a specification");
    let names = ["x".to_owned(), "y".to_owned()];
    Program::new(&names, &spec.core.body, Format::BINARY64, Format::BINARY64)
}

#[test]
fn conditions_at_a_point_are_joined_as_they_are_written() {
    let [both, either] = ["and", "or"].map(|word| program(&format!("(if ({word} (< x 1) (< y 1)) 1 2)")));
    let mut scratch = Vec::new();
    for (x, y) in [0.0, 2.0].into_iter().flat_map(|x| [0.0, 2.0].map(|y| (x, y))) {
        let mut at = |program: &Program| program.point(&[x, y], &mut scratch) == 1.0;
        assert_eq!((at(&both), at(&either)), (x < 1.0 && y < 1.0, x < 1.0 || y < 1.0), "{x} {y}");
    }
}

/// A tenth is rounded, so that ten of them are less than 1.
#[test]
fn a_loop_that_goes_round_more_often_over_floats_is_another_formula() {
    let turns = |step: &str| program(&format!("(while (< i 1) ((i 0 (+ i {step})) (t x (+ t y))) t)"));
    assert!(turns("0.125").is_formula() && !turns("0.1").is_formula());
}

/// All sets of a few numbers next to one another, infinities and NaN.
fn sets() -> Vec<FloatSet> {
    let numbers = [-2.0, -0.0, 1.0, 2.0];
    let ends =
        (0..4).flat_map(|a| (a..4).map(move |b| (numbers[a], numbers[b]))).chain([(f64::INFINITY, f64::NEG_INFINITY)]);
    let flags = (0..8u8).map(|k| [k & 1 != 0, k & 2 != 0, k & 4 != 0]);
    ends.flat_map(|(lo, hi)| {
        flags.clone().map(move |[nan, minus_infinity, plus_infinity]| FloatSet {
            lo,
            hi,
            nan,
            minus_infinity,
            plus_infinity,
        })
    })
    .filter(|s| s.nan || s.minus_infinity || s.plus_infinity || !s.has_no_finite())
    .collect()
}

fn members(set: &FloatSet) -> Vec<f64> {
    let special = [(set.nan, f64::NAN), (set.minus_infinity, f64::NEG_INFINITY), (set.plus_infinity, f64::INFINITY)];
    let special = special.into_iter().filter(|(there, _)| *there).map(|(_, x)| x);
    let between = [-2.0, -1.5, -1.0, -0.0, 0.0, 0.5, 1.0, 1.5, 2.0];
    special.chain(between.into_iter().filter(|x| set.lo <= *x && *x <= set.hi)).collect()
}

#[test]
fn comparisons_of_sets_hold_for_all_of_their_members_or_for_none() {
    let mut known = 0;
    for a in sets() {
        for b in sets() {
            let pairs: Vec<(f64, f64)> =
                members(&a).into_iter().flat_map(|x| members(&b).into_iter().map(move |y| (x, y))).collect();
            for relation in [Relation::Less, Relation::LessEq, Relation::Equal] {
                let holds = |(x, y): &(f64, f64)| match relation {
                    Relation::Less => x < y,
                    Relation::LessEq => x <= y,
                    Relation::Equal => x == y,
                };
                let is_all = pairs.iter().all(holds);
                let is_none = !pairs.iter().any(holds);
                let found = compared(relation, a, b);
                assert!(!found.is_true() || is_all, "{a:?} {relation:?} {b:?}");
                assert!(!found.is_false() || is_none, "{a:?} {relation:?} {b:?}");
                known += usize::from(found != Ternary::Unknown);
                // Nothing is left open of numbers that are next to one another.
                let is_plain = |s: &FloatSet| !s.minus_infinity && !s.plus_infinity && !s.nan;
                if is_plain(&a) && is_plain(&b) {
                    assert_eq!(found == Ternary::Unknown, !is_all && !is_none, "{a:?} {relation:?} {b:?}");
                }
            }
        }
    }
    assert!(known > 2500, "{known}");
}

/// Of the numbers that are looked at some are at each end of what is valid and beside it.
#[test]
fn verdicts_are_those_of_all_members_of_all_sets() {
    let decided = |lo: f64, hi: f64| Oracle::Decided { lo, hi, expected: lo };
    let oracles = [
        decided(-2.0, -1.5),
        decided(-1.0, 1.0),
        decided(0.5, 0.5),
        decided(3.0, 4.0),
        Oracle::Capped { outer: (-1.0, 1.0), inner: (0.0, 0.0) },
        Oracle::Undefined,
        Oracle::Unsettled,
    ];
    let all = sets();
    for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
        let results = Results { sets: vec![*a, *b], format: Format::BINARY64 };
        for oracle in &oracles {
            let mut verdicts = members(a).into_iter().chain(members(b)).map(|y| oracle.verdict(y));
            let first = verdicts.next().expect("a member");
            let expected = if verdicts.all(|v| v == first) { first } else { Verdict::Uncertain };
            assert_eq!(results.verdict(oracle), expected, "{oracle:?} {a:?} {b:?}");
        }
    }
}

#[test]
fn a_set_in_another_format_has_what_its_members_are_rounded_to() {
    let wide = [-70_000.0, -65_519.0, -1e-9, 0.1, 65_519.0, 70_000.0];
    let wide = (0..6).flat_map(|a| (a..6).map(move |b| FloatSet::between(wide[a], wide[b])));
    for format in [Format::BINARY16, Format::BINARY32, Format::BINARY64] {
        for set in sets().into_iter().chain(wide.clone()) {
            let found = converted(set, format);
            let ends = if set.has_no_finite() { Vec::new() } else { vec![set.lo, set.hi] };
            let inside = members(&set).into_iter().filter(|x| set.contains(*x));
            let rounded: Vec<f64> = inside.chain(ends).map(|x| format.round(x)).collect();
            assert!(rounded.iter().all(|x| found.contains(*x)), "{set:?} {}: {found:?}", format.name());
            // And no more: each end and each flag is that of a member.
            let is_there = |x: f64| rounded.iter().any(|r| r.to_bits() == x.to_bits() || (r.is_nan() && x.is_nan()));
            let special = [(found.nan, f64::NAN), (found.minus_infinity, f64::NEG_INFINITY)];
            let special = special.into_iter().chain([(found.plus_infinity, f64::INFINITY)]);
            assert!(special.filter(|s| s.0).all(|s| is_there(s.1)), "{set:?} {}: {found:?}", format.name());
            let finite = rounded.iter().any(|x| x.is_finite());
            assert!(found.has_no_finite() || !finite || found.hi <= format.max(), "{found:?}");
        }
    }
}
