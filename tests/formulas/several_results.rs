//! Several results: what each element of a core's array is, and what is refused.

use crate::support::confirm::confirm;
use crate::support::judge::Judge;
use magneto::spec::{File, Overrides, ResultPlace, Spec, parse_file, resolve};
use magneto::suite::{Interrupt, Options, generate};

fn specs(text: &str) -> Vec<Spec> {
    let file = parse_file(text.as_bytes());
    let all = file.all_diagnostics();
    assert!(all.is_empty(), "{text}: {all:?}");
    (0..file.cores.len())
        .map(|k| resolve(&file, k, "f.fpcore", &Overrides::default()).unwrap_or_else(|e| panic!("{text}: {e:?}")))
        .collect()
}

fn names(specs: &[Spec]) -> Vec<&str> {
    specs.iter().map(|s| s.name.as_str()).collect()
}

const HEAD: &str = "(FPCore f (x y) :pre (and (<= 1 x 2) (<= 0.25 y 0.75))";

#[test]
fn each_result_is_a_specification_without_what_plays_no_part_in_it() {
    let all = specs(&format!(
        "{HEAD} :magneto-results (sum product) :magneto-rel-error (1e-10 1e-12) :magneto-abs-error 1e-300
         :magneto-units ((x \"m\") (sum \"m\") (product \"m^2\"))
         (let ([a (+ x 1)] [b (* y 2)]) (array (+ a y) (* b x))))"
    ));
    assert_eq!(names(&all), ["f.sum", "f.product"]);
    let bodies: Vec<String> = all.iter().map(|s| s.core.body.to_string()).collect();
    assert_eq!(bodies, ["(let ([a (+ x 1)]) (+ a y))", "(let ([b (* y 2)]) (* b x))"]);
    let accuracies: Vec<String> = all.iter().map(|s| s.accuracy.to_string()).collect();
    assert_eq!(accuracies, ["relative 1e-10, absolute 1e-300", "relative 1e-12, absolute 1e-300"]);
    let units: Vec<Option<&str>> = all.iter().map(|s| s.result_unit.as_deref()).collect();
    assert_eq!(units, [Some("m"), Some("m^2")]);
    assert_eq!(all[1].inputs[0].unit.as_deref(), Some("m"));
    for (index, spec) in all.iter().enumerate() {
        assert_eq!(spec.result, ResultPlace { index, count: 2 });
        let again = &specs(&spec.to_core().to_string())[0];
        assert_eq!((&again.name, again.result), (&spec.name, spec.result));
        assert_eq!(again.core.body.to_string(), spec.core.body.to_string());
    }
}

#[test]
fn elements_are_what_their_formulas_are() {
    for (body, elements) in [
        ("(array (array x y) (array (* x y) 1))", vec!["x", "y", "(* x y)", "1"]),
        ("(tensor* ([i 3]) ([s x (* s y)]) (+ s i))", vec!["(* x y)", "(+ (* x y y) 1)", "(+ (* x y y y) 2)"]),
        ("(tensor ([i 3]) (+ x (* i y)))", vec!["x", "(+ x y)", "(+ x (* 2 y))"]),
        ("(let ([A (array x y)]) (tensor ([i (size A 0)]) (* 2 (ref A i))))", vec!["(* 2 x)", "(* 2 y)"]),
        (
            "(let* ([A (array x y)] [z (+ x y)] [w (* z z)]) (array z (ref A 1) w))",
            vec!["(+ x y)", "y", "(* (+ x y) (+ x y))"],
        ),
        ("(if (< x 1.5) (array x y) (array y x))", vec!["(if (< x 1.5) x y)", "(if (< x 1.5) y x)"]),
        ("(let ([A (if (< x 1.5) (array x y) (array y x))]) (array (ref A 1)))", vec!["(if (< x 1.5) y x)"]),
        ("(let ([A (if (< 1 2) (array x y) (array y x))]) (array (ref A 1)))", vec!["y"]),
        (
            "(while (< i 3) ([i 0 (+ i 1)] [s x (+ s y)] [t y (* t x)]) (array s t))",
            vec!["(+ x (* 3 y))", "(* y (pow x 3))"],
        ),
        (
            "(for ([k 2]) ([A (array x y) (array (ref A 1) (+ (ref A 0) (ref A 1)))]) A)",
            vec!["(+ x y)", "(+ x (* 2 y))"],
        ),
    ] {
        let all = specs(&format!("{HEAD} :magneto-rel-error 1e-9 {body})"));
        assert_eq!(all.len(), elements.len(), "{body}");
        for (spec, element) in all.iter().zip(elements) {
            let plain = &specs(&format!("{HEAD} :magneto-rel-error 1e-9 {element})"))[0];
            for x in [[1.0, 0.25], [1.5, 0.75], [1.75, 0.3]] {
                let judge = Judge { spec, most: 512 };
                assert!(!judge.differ(&plain.core.body, &x), "{body}: {} is no {element}", spec.name);
                let other = &specs(&format!("{HEAD} (+ 1e-6 {element}))"))[0];
                assert!(judge.differ(&other.core.body, &x), "{body}: {element}");
            }
        }
    }
}

#[test]
fn a_core_with_several_results_can_be_called() {
    let text = format!(
        "(FPCore swap (a b) (array b a)) {HEAD} :magneto-rel-error 1e-9
         (let ([A (swap (+ x 1) y)]) (array (ref A 0) (* 2 (ref (swap x y) 1)))))
         {HEAD} (ref (swap x y) 0))"
    );
    let all = specs(&text);
    assert_eq!(names(&all), ["swap[0]", "swap[1]", "f[0]", "f[1]", "f"]);
    for (k, plain) in [(2, "y"), (3, "(* 2 x)"), (4, "y")] {
        let plain = &specs(&format!("{HEAD} {plain})"))[0];
        assert!(!Judge { spec: &all[k], most: 512 }.differ(&plain.core.body, &[1.5, 0.5]), "{}", all[k].name);
    }
}

/// The rotation of a vector: a mutant of what both results need is killed in both, and every kill is confirmed.
#[test]
fn mutants_of_shared_parts_are_mutants_of_each_result() {
    let all = specs(
        "(FPCore turn (x y t) :pre (and (<= 1 x 2) (<= 1 y 2) (<= 0.1 t 1)) :magneto-results (u v) :magneto-rel-error 1e-9
         (let ([c (cos t)] [s (sin t)]) (array (- (* c x) (* s y)) (+ (* s x) (* c y)))))",
    );
    for spec in &all {
        let run = generate(spec, &Options { jobs: 1, ..Options::default() }, &Interrupt::default()).unwrap();
        assert!(confirm(spec, &run).wrong.is_empty());
        assert!(run.mutants.iter().any(|m| m.mutant.before == "(cos t)"), "{}", spec.name);
    }
}

#[test]
fn what_is_said_of_results_has_to_fit_them() {
    let wrong = [
        (":magneto-results (a)", "(array x y)", "1 names are given, and there are 2 results"),
        (":magneto-results (a a)", "(array x y)", "two results have one name"),
        (":magneto-results a", "(array x y)", "`a` is no list"),
        (":magneto-results (1 2)", "(array x y)", "is no list of names"),
        (":magneto-rel-error (1e-3 1e-4 1e-5)", "(array x y)", "is not a number"),
        (":magneto-rel-error (1e-3 0)", "(array x y)", "an error bound must be positive"),
        (":magneto-result (2 2)", "x", "is no place among results"),
        (":magneto-result (0 2)", "(array x y)", "is of a core with one result, and the body is an array"),
        (":magneto-result 1", "x", "is no place among results"),
        ("", "(tensor ([i x]) y)", "how many results there are does not stand in the text"),
        ("", "(tensor ([i 20] [j 20]) y)", "more than 100 results are not supported"),
        ("", "(array (array x) y)", "expected an array"),
        ("", "(let ([A (if (< x y) (array x y) (array x))]) (array (ref A 0)))", "the rows of this array differ"),
        ("", "(array (< x y) (< y x))", "arrays of conditions are not supported"),
    ];
    for (properties, body, message) in wrong {
        let text = format!("(FPCore (x y) {properties} {body})");
        let file: File = parse_file(text.as_bytes());
        let mut found = file.all_diagnostics();
        found.extend(
            (0..file.cores.len()).filter_map(|k| resolve(&file, k, "f", &Overrides::default()).err()).flatten(),
        );
        assert!(found.iter().any(|d| d.message.contains(message)), "{text}: {found:?}");
    }
}
