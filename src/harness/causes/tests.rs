use super::*;
use crate::mutate::{OperatorSet, mutants};
use crate::spec::{Overrides, parse_file, resolve};

/// The inputs of a grid, at which an implementation returns what it would without the condition and with `exp` for `log`.
fn observed(count: u32) -> Vec<(Vec<f64>, Answer)> {
    let at = |k: u32| {
        let x = 1.0 + f64::from(k) / 64.0;
        (vec![x, 2.0], Answer::Value(x.exp() + 2.0))
    };
    (0..count).map(at).collect()
}

#[test]
fn a_budget_bounds_what_is_compared() {
    let source = "(FPCore (x y) :pre (and (<= 1 x 4) (<= 1 y 2) (<= (sin (* x y)) 2) (< y (exp x)))
                    :magneto-rel-error 1e-9 (+ (log x) y))";
    let spec = resolve(&parse_file(source.as_bytes()), 0, "f.fpcore", &Overrides::default()).unwrap();
    let mutants = mutants(&spec, &OperatorSet::Full);
    let answers = observed(100);
    let observed: Vec<Observation<'_>> =
        answers.iter().map(|(input, answer)| Observation { input, answer, failed: true }).collect();
    let all = causes(&spec, &mutants, &observed, 480);
    // A condition is looked at once an input, whatever the number of hypotheses: that is little.
    assert!(!all.is_cut && all.failures == 100 && all.results == 100);
    let best = &all.list[0];
    assert!(all.explains_all(best), "{best:?}");
    let Hypothesis::Mutant { first, .. } = best.hypothesis else { panic!("{best:?}") };
    assert_eq!(mutants[first].after, "(exp x)");

    let some = causes_within(2000, &spec, &mutants, &observed, 480);
    assert!(some.is_cut && some.failures > 1 && some.failures < 100, "{}", some.failures);
    // What is compared is compared whole: the same as if there were no other observations.
    let first = causes(&spec, &mutants, &observed[..some.failures], 480);
    assert_eq!((first.list, first.is_cut), (some.list, false));
    assert_eq!(causes_within(0, &spec, &mutants, &observed, 480).failures, 1);
}

#[test]
fn results_that_are_all_nan_look_like_no_formula() {
    let source = "(FPCore (x) :pre (<= 1 x 100) :magneto-rel-error 1e-9 (sqrt (log x)))";
    let spec = resolve(&parse_file(source.as_bytes()), 0, "f.fpcore", &Overrides::default()).unwrap();
    let mutants = mutants(&spec, &OperatorSet::Full);
    let found = |answer: &dyn Fn(f64) -> f64| {
        let at = |k: u32| (vec![f64::from(k)], Answer::Value(answer(f64::from(k))));
        let answers: Vec<(Vec<f64>, Answer)> = (2..40).map(at).collect();
        let observed: Vec<Observation<'_>> =
            answers.iter().map(|(input, answer)| Observation { input, answer, failed: true }).collect();
        causes(&spec, &mutants, &observed, 480)
    };
    let nothing = found(&|_| f64::NAN);
    assert!(nothing.list.is_empty() && nothing.failures == 38, "{:?}", nothing.list);
    // What a program gives bit for bit is still found: here each operation is rounded to a narrow format.
    let overflow = "(FPCore (x) :pre (<= 1e200 x 1e300) :magneto-rel-error 1e-9 (sqrt (* x x)))";
    let spec = resolve(&parse_file(overflow.as_bytes()), 0, "f.fpcore", &Overrides::default()).unwrap();
    let answers: Vec<Vec<f64>> = (200..300).step_by(9).map(|k| vec![10f64.powi(k)]).collect();
    let infinite = Answer::Value(f64::INFINITY);
    let observed: Vec<Observation<'_>> =
        answers.iter().map(|input| Observation { input, answer: &infinite, failed: true }).collect();
    let bits = causes(&spec, &[], &observed, 480);
    assert!(matches!(bits.list[0].hypothesis, Hypothesis::Evaluated(_)), "{:?}", bits.list);
}

/// What is found of an implementation of 2 sin(t + p) + x, on a grid: the best cause, if it explains all.
fn best(implementation: impl Fn(f64, f64, f64) -> f64) -> Option<Hypothesis> {
    let source = "(FPCore (x t p) :pre (and (<= -4 x 4) (<= 0 t 6) (<= -1 p 1)) :magneto-abs-error 1e-9
                    (+ (* 2 (sin (+ t p))) x))";
    let spec = resolve(&parse_file(source.as_bytes()), 0, "f.fpcore", &Overrides::default()).unwrap();
    let mutants = mutants(&spec, &OperatorSet::Full);
    let points = (0..60).map(f64::from).map(|k| [(k * 0.37) % 8.0 - 4.0, (k * 0.73) % 6.0, (k * 0.11) % 2.0 - 1.0]);
    let observed: Vec<(Vec<f64>, Answer, bool)> = points
        .map(|[x, t, p]| {
            let (y, owed) = (implementation(x, t, p), 2.0 * (t + p).sin() + x);
            (vec![x, t, p], Answer::Value(y), (y - owed).abs() > 1e-9)
        })
        .collect();
    let observed: Vec<Observation<'_>> =
        observed.iter().map(|(input, answer, failed)| Observation { input, answer, failed: *failed }).collect();
    let found = causes(&spec, &mutants, &observed, 480);
    found.list.iter().find(|c| found.explains_all(c)).map(|c| c.hypothesis.clone())
}

#[test]
fn mistakes_in_units_and_of_results_are_found() {
    let degree = std::f64::consts::PI / 180.0;
    let right = |x: f64, t: f64, p: f64| 2.0 * (t + p).sin() + x;
    let mistake = |found: Option<Hypothesis>, what: &str| match found {
        Some(Hypothesis::Mistake(_, text)) => assert!(text.contains(what), "{text}"),
        other => panic!("{what}: {other:?}"),
    };
    mistake(best(|x, t, p| right(x, t * degree, p * degree)), "the angles that `sin`, `cos` and `tan` get in degrees");
    mistake(best(|x, t, p| right(x, t, p * degree)), "the input `p` in degrees");
    mistake(best(|x, t, p| right(x, t / degree, p)), "the input `t` converted to degrees");
    mistake(best(|x, t, p| right(x, t, p).abs()), "without the sign");
    mistake(best(|x, t, p| right(x, t, p).trunc()), "toward 0");
    mistake(best(|x, t, p| right(x, t, p).floor()), "rounded down");
    mistake(best(|x, t, p| right(x, t, p) * 1.8 + 32.0), "result converted from degrees Celsius to Fahrenheit");
    mistake(
        best(|x, t, p| right((x - 32.0) / 1.8, t, p)),
        "the input `x` converted from degrees Fahrenheit to Celsius",
    );
    mistake(best(|x, t, p| right(x, t, p + 273.15)), "converted from degrees Celsius to kelvins");
    mistake(best(|x, t, p| right(x, t, p / 100.0)), "the input `p` divided by 100");
    let of_float = |found: Option<Hypothesis>| match found {
        Some(Hypothesis::FloatFunction(_, text)) => assert!(text.contains("as `sinf`"), "{text}"),
        other => panic!("{other:?}"),
    };
    of_float(best(|x, t, p| 2.0 * f64::from(((t + p) as f32).sin()) + x));
    assert_eq!(best(|x, t, p| right(x, t, p) + 0.75), Some(Hypothesis::Offset(0.75)));
    let limited = |limit, is_most| Some(Hypothesis::Limited { limit, is_most });
    assert_eq!(best(|x, t, p| right(x, t, p).min(1.5)), limited(1.5, true));
    assert_eq!(best(|x, t, p| right(x, t, p).max(0.0)), limited(0.0, false));
    // A limit that other results pass is none.
    assert_eq!(best(|x, t, p| if x > 0.0 { right(x, t, p).min(1.5) } else { right(x, t, p).max(-9.0) + 1e-3 }), None);
}
