use super::*;
use crate::floats::Format;
use crate::spec::{Overrides, parse_file, resolve};
use crate::tape::{Builder, lower::lower};

/// Whether a formula has a value at an input, and whether that is known to be 0.
fn at(body: &str, x: f64) -> (Ternary, bool) {
    let text = format!("(FPCore (x) :magneto-rel-error 1e-10 {body})");
    let spec = resolve(&parse_file(text.as_bytes()), 0, "text", &Overrides::default()).unwrap();
    let mut b = Builder::new(1);
    let root = lower(&mut b, &["x".to_owned()], &spec.core.body);
    let tape = b.finish();
    let mut ladder = Ladder::new(&tape, &[x], DEFAULT_CAP);
    let function = Function { tape: &tape, root, accuracy: &spec.accuracy };
    let has_value = ladder.has_value(function);
    let zero = ladder.first(|ladder, level| match ladder.see(function, level) {
        LadderSeen::Value(set) => (set.value.lo == 0 && set.value.hi == 0).then_some(true),
        _ => None,
    });
    (has_value, zero.is_some())
}

#[test]
fn the_last_step_shows_all_of_its_bits() {
    let mut b = Builder::new(1);
    let x = b.var(0);
    let (sine, grown) = (b.op(Op::Sin, &[x]), b.op(Op::Exp, &[x]));
    let root = b.op(Op::Add, &[sine, grown]);
    let tape = b.finish();
    let mut ladder = Ladder::new(&tape, &[3.25], DEFAULT_CAP);
    let last = ladder.levels() - 1;
    for level in 1..last {
        ladder.value(root, level).expect("a value");
    }
    let value = ladder.value(root, last).expect("a value");
    let known = value.hi.get_exp().zip(Float::with_val(64, &value.hi - &value.lo).get_exp()).map(|(x, rest)| x - rest);
    assert!(known.is_some_and(|bits| bits > Ladder::precision(last) as i32 - 16), "{known:?}");
}

#[test]
fn modest_numbers_are_far_below_vast_ones() {
    for e in [0, 1, 100, MAX_EXPONENT / 4, MAX_EXPONENT / 2 - 1] {
        assert!([1, -1].iter().all(|sign| is_modest(&(power_of_two(e) * sign))), "{e}");
    }
    for e in [MAX_EXPONENT / 2, MAX_EXPONENT - 1] {
        assert!([1, -1].iter().all(|sign| !is_modest(&(power_of_two(e) * sign))), "{e}");
    }
    assert!(is_modest(&Rational::new()));
}

#[test]
fn what_rests_on_an_exact_zero_is_settled() {
    use Ternary::{False, True};
    for x in [-3.0, 1.0, 2.0, 1e15] {
        assert_eq!(at("(* (sin (* PI x)) (atan x))", x), (True, true), "{x}");
        assert_eq!(at("(/ (* 3 (sin (* PI x))) (* (* PI PI) (* x x)))", x), (True, true), "{x}");
        assert_eq!(at("(+ (atan x) (sqrt (sin (* PI x))))", x), (True, false), "{x}");
        assert_eq!(at("(/ (atan x) (sin (* PI x)))", x), (False, false), "{x}");
        assert_eq!(at("(/ (sqrt PI) (sqrt (sin (* PI x))))", x), (False, false), "{x}");
        // Beside a zero, and where PI is rounded.
        assert_eq!(at("(/ (atan x) (sin (* PI x)))", x.next_up()), (True, false), "{x}");
        assert_eq!(at("(* (sin (* 3.141592653589793 x)) (atan x))", x), (True, false), "{x}");
    }
}

#[test]
fn a_number_is_beyond_formats_where_it_is_surely_tiny_and_no_zero() {
    let accuracy = Accuracy { rel: Some(Rational::from((1, 1000))), abs: None, ulps: None };
    let tiny = Float::with_val(53, 1) >> (MAX_EXPONENT + 9);
    let is_beyond = |lo: &Float, hi: &Float| match LadderSeen::of(&MpInterval::new(lo.clone(), hi.clone()), &accuracy) {
        LadderSeen::Value(set) => set.beyond_formats,
        _ => panic!("a value"),
    };
    let (zero, minus) = (Float::new(53), Float::with_val(53, -&tiny));
    let half = Float::with_val(53, &tiny / 2u32);
    assert!(is_beyond(&half, &tiny) && is_beyond(&minus, &Float::with_val(53, -&half)));
    for (lo, hi) in [(&zero, &tiny), (&minus, &zero), (&minus, &tiny), (&half, &Float::with_val(53, 1))] {
        assert!(!is_beyond(lo, hi), "{lo} to {hi}");
    }
}

#[test]
fn a_tiny_value_is_not_beyond_formats_where_what_is_valid_of_it_is_not() {
    let tiny = Float::with_val(53, 1) >> (MAX_EXPONENT + 9);
    let small = || Some(Rational::from((1, 1000)));
    for (rel, abs, ulps, expected) in [
        (small(), None, None, true),
        (Some(Rational::from((1, 2))), Some(Rational::new()), Some((Rational::new(), Format::BINARY64)), true),
        (Some(Rational::from((2, 3))), None, None, false),
        (small(), small(), None, false),
        (None, small(), None, false),
        (small(), None, Some((Rational::from(1), Format::BINARY64)), false),
        (Some(Rational::from(1)), None, Some((Rational::from(1), Format::BINARY64)), false),
    ] {
        let accuracy = Accuracy { rel, abs, ulps };
        match LadderSeen::of(&MpInterval::new(tiny.clone(), tiny.clone()), &accuracy) {
            LadderSeen::Value(set) => assert_eq!(set.beyond_formats, expected, "{accuracy:?}"),
            _ => panic!("a value"),
        }
    }
}

#[test]
fn every_step_is_tried_once() {
    for levels in 1..9 {
        let mut tried = Vec::new();
        let settled = first::<()>(levels, |level| {
            tried.push(level);
            None
        });
        assert!(settled.is_none());
        tried.sort_unstable();
        assert_eq!(tried, (0..levels).collect::<Vec<_>>());
    }
}
