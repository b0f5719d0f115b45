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
