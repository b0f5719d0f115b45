use super::{Demand, DemandError};
use crate::harness::Verdict;
use std::panic::catch_unwind;

/// What a demand's `assert` says of a function.
fn said(work: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let panic = catch_unwind(work).expect_err("it fails");
    panic.downcast_ref::<String>().expect("a message").clone()
}

#[test]
fn a_failure_names_input_result_what_was_owed_and_the_cause() {
    let demand = Demand::new("x: [0,1] -> exp(x) - 1").rel_error(1e-12).named("growth");
    demand.assert(f64::exp_m1);
    let text = said(|| demand.assert(|x: f64| x.exp() - 1.0));
    assert!(text.starts_with("KO: ") && text.contains(" tests failed; at x = "), "{text}");
    assert!(text.contains(" was returned, and ") && text.contains(" is owed\ngrowth: accuracy relative"), "{text}");
    assert!(text.contains("likely causes\n") && text.contains("each operation rounded to binary64"), "{text}");
    assert!(!text.contains("--verbose") && !text.contains("magneto worst"), "{text}");
    let report = demand.check(|x: f64| x.exp() - 1.0).unwrap();
    assert_eq!((report.verdict, report.document.exit), (Some(Verdict::Ko), 1));
    assert!(report.verbose.len() > report.text.len());
}

#[test]
fn functions_take_numbers_or_a_slice_of_either_format_and_may_refuse() {
    let sum = Demand::new("x: [1,2], y: [1,2] -> x + y").ulps(1);
    sum.assert(|x: f64, y: f64| x + y);
    sum.assert(|x: &[f64]| x.iter().sum::<f64>());
    assert!(!sum.check(|x: f64, _y: f64| x + x).unwrap().is_ok());
    let narrow = "(FPCore (x) :precision binary32 :pre (<= 0 x 4) :magneto-ulps (1 binary32) (sqrt x))";
    Demand::new(narrow).assert(f32::sqrt);
    Demand::new(narrow).assert(|x: &[f32]| x[0].sqrt());
    Demand::new(narrow).assert(f64::sqrt);
    let text = "(FPCore (x) :pre (<= 0 x 4) :magneto-out-of-range reject :magneto-ulps (1 binary64) (sqrt x))";
    let root = Demand::new(text);
    let inside = |x: f64| (0.0..=4.0).contains(&x);
    root.assert(|x: f64| inside(x).then(|| x.sqrt()));
    root.assert(|x: f64| if inside(x) { Ok(x.sqrt()) } else { Err("out of range") });
    assert!(said(|| root.assert(f64::sqrt)).contains("an error is owed here"));
    let refused = said(|| root.assert(|x: f64| if x > 1.0 { Err("too large") } else { Ok(x.sqrt()) }));
    assert!(refused.contains("refused an input of the domain: too large"), "{refused}");
    let crashed = said(|| root.assert(|x: f64| if x == 4.0 { panic!("not 4") } else { x.sqrt() }));
    assert!(crashed.contains("crashed: a panic: not 4"), "{crashed}");
}

#[test]
fn what_cannot_be_checked_is_an_error() {
    let demand = Demand::new("x: [0,1] -> sqrt(x)");
    let error = |e: Result<_, DemandError>| e.map(|_: super::FunctionReport| ()).unwrap_err().to_string();
    assert_eq!(error(demand.check(|x: f64, y: f64| x + y)), "the function takes 2 numbers, and formula has 1 input");
    assert!(error(demand.check(f32::sqrt)).contains("takes f32, and the input x of formula is a binary64 number"));
    let wrong = error(Demand::new("x: [0,1] -> sqrt(x").check(f64::sqrt));
    assert!(wrong.starts_with("<formula>:1:"), "{wrong}");
    assert!(error(Demand::new("no.fpcore").check(f64::sqrt)).contains("there is no such file"));
    assert!(error(demand.clone().ulps("many").check(f64::sqrt)).starts_with("ulps: "));
    assert_eq!(error(demand.clone().option("ulp", 1).check(f64::sqrt)), "there is no option ulp");
}

#[test]
fn a_search_finds_an_input_that_tests_need_not_have() {
    let demand = Demand::new("x: [1,2] -> x").ulps(0.5);
    demand.assert_searched(2000, |x: f64| x);
    let wrong = |x: f64| if x < 1.001 { x * 1.001 } else { x };
    let report = demand.search(2000, wrong).unwrap();
    assert_eq!((report.verdict, report.document.exit), (Verdict::Ko, 1));
    assert!(said(|| demand.assert_searched(2000, wrong)).contains("evaluations         2"));
    let crash = demand.search(100, |x: f64| if x > 1.5 { panic!("large") } else { x }).unwrap();
    assert!(!crash.is_ok());
}

#[test]
fn a_seed_decides_further_inputs() {
    let demand = |count| Demand::new("x: [1,2] -> x").random(count, 7);
    let tests = |count| demand(count).check(|x: f64| x).unwrap().document.tests.len();
    assert_eq!(tests(40), tests(0) + 40);
    let folder = crate::tool::Scratch::make().unwrap();
    let kept = demand(0).cache(folder.path().join("kept"));
    kept.assert(|x: f64| x);
    kept.assert(|x: f64| x);
    assert!(folder.path().join("kept").is_dir());
}
