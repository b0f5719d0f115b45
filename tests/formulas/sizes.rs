//! Arrays whose sizes are names: each size is a specification of its own. Preconditions with loops say what holds of all elements.

use crate::support;
use magneto::mutate::{OperatorSet, mutants};
use magneto::spec::{Overrides, Spec, parse_file, pick, resolve};
use magneto::suite::{Interrupt, Options, generate};
use support::confirm::confirm;
use support::judge::Judge;

const DOT: &str = "(FPCore dot ((a n) (b n))
  :pre (for ([i n]) ([all TRUE (and all (<= -1 (ref a i) 1) (<= 0 (ref b i) 2))]) all)
  :magneto-sizes ((n 3))
  :magneto-abs-error 1e-12
  (for ([i n]) ([s 0 (+ s (* (ref a i) (ref b i)))]) s))";

fn specs(text: &str) -> Vec<Spec> {
    let file = parse_file(text.as_bytes());
    (0..file.cores.len()).map(|k| resolve(&file, k, "f", &Overrides::default()).unwrap()).collect()
}

fn mistakes(text: &str) -> Vec<String> {
    let file = parse_file(text.as_bytes());
    let of_cores = (0..file.cores.len()).filter_map(|k| resolve(&file, k, "f", &Overrides::default()).err()).flatten();
    file.diagnostics.iter().cloned().chain(of_cores).map(|d| d.message).collect()
}

#[test]
fn each_size_is_a_specification() {
    let all = specs(DOT);
    assert_eq!(all.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["dot.n=1", "dot.n=2", "dot.n=3"]);
    let plain = ["(* (ref a 0) (ref b 0))", "(+ (* (ref a 0) (ref b 0)) (* (ref a 1) (ref b 1)))"];
    for (spec, plain) in all.iter().zip(plain) {
        let n = spec.inputs.len() / 2;
        let text = format!("(FPCore ((a {n}) (b {n})) :magneto-abs-error 1e-12 {plain})");
        let (judge, other) = (Judge { spec, most: 256 }, support::spec(&text));
        let x = &[0.5, -0.75, 1.25, 2.0][..2 * n];
        assert!(!judge.differ(&other.core.body, x), "{}", spec.name);
        assert!(judge.differ(&support::spec(&format!("(FPCore ((a {n}) (b {n})) (ref a 0))")).core.body, x));
    }
}

#[test]
fn a_precondition_with_a_loop_gives_ranges_and_is_printed_as_such() {
    for spec in specs(DOT) {
        let ranges: Vec<String> = spec.inputs.iter().map(|i| i.range.to_string()).collect();
        let n = ranges.len() / 2;
        assert!(ranges[..n].iter().all(|r| r == "[-1, 1]") && ranges[n..].iter().all(|r| r == "[0, 2]"), "{ranges:?}");
        assert!(spec.constraints.is_empty());
        let again = support::spec(&spec.to_core().to_string());
        assert_eq!((again.name.as_str(), &again.inputs), (spec.name.as_str(), &spec.inputs));
    }
    // What is no range is a condition over the elements; names that are made are none of the inputs.
    let unit = "(FPCore ((v 3) s_1) :pre (and (<= 1 s_1 2) (<= (for ([i 3]) ([s 0 (+ s (* (ref v i) (ref v i)))]) s) 1)) (ref v 0))";
    let spec = support::spec(unit);
    let again = support::spec(&spec.to_core().to_string());
    assert_eq!((again.inputs.clone(), again.constraints.len()), (spec.inputs.clone(), 1));
    let judge = Judge { spec: &again, most: 256 };
    let inside = |x: [f64; 4]| judge.precondition(&x) == support::judge::Tri::Yes;
    assert!(inside([0.5, 0.5, 0.5, 1.0]) && !inside([0.75, 0.75, 0.0, 1.0]) && !inside([0.5, 0.5, 0.5, 0.0]));
    // A loop that skips, one that ends early, and sizes that the text asks for.
    let rows = "(FPCore ((M r c)) :magneto-sizes ((r 2 2) (c 2 2))
        :pre (for ([i (size M 0)] [j (dim M)]) ([b TRUE (and b (if (== i j) (< 0 (ref M i j) 1) (<= -2 (ref M i j) 2)))]) b)
        (ref M 1 1))";
    let ranges: Vec<String> = specs(rows)[0].inputs.iter().map(|i| i.range.to_string()).collect();
    assert_eq!(ranges, ["(0, 1)", "[-2, 2]", "[-2, 2]", "(0, 1)"]);
}

#[test]
fn sizes_are_mutated_where_their_names_stand_and_runs_are_confirmed() {
    for spec in specs(DOT) {
        let made = mutants(&spec, &OperatorSet::Full);
        let n = spec.inputs.len() / 2;
        let fewer = made.iter().find(|m| m.before == n.to_string() && m.after == (n - 1).to_string());
        assert!(fewer.is_some(), "{}: no mutant has a round too few", spec.name);
        let run = generate(&spec, &Options { jobs: 1, ..Options::default() }, &Interrupt::default()).unwrap();
        let wrong = confirm(&spec, &run).wrong;
        assert!(wrong.is_empty(), "{}: {wrong:?}", spec.name);
    }
}

/// Who mistakes a literal everywhere does not mistake the sizes of its value, nor one size for another.
#[test]
fn a_size_is_no_constant_of_its_value() {
    let text = "(FPCore f ((A r c)) :magneto-sizes ((r 3 3) (c 3 3)) (+ (* 3 r) (* (ref A 0 0) (+ r (* c 3)))))";
    let spec = &specs(text)[0];
    let made = mutants(spec, &OperatorSet::Paper);
    let less = made.iter().filter(|m| m.before == "3" && m.after == "2");
    let bodies: Vec<String> = less.map(|m| m.apply(spec).core.body.to_string()).collect();
    let expected = [
        "(+ (* 2 3) (* (ref A 0 0) (+ 3 (* 3 2))))",
        "(+ (* 3 2) (* (ref A 0 0) (+ 2 (* 3 3))))",
        "(+ (* 3 3) (* (ref A 0 0) (+ 3 (* 2 3))))",
    ];
    assert_eq!(bodies, expected);
}

#[test]
fn several_sizes_and_results_are_all_combined() {
    let text = "(FPCore product ((M r c) (v c)) :magneto-sizes ((r 2 3) (c 2))
        (tensor ([i r]) (for ([j c]) ([s 0 (+ s (* (ref M i j) (ref v j)))]) s)))";
    let names: Vec<String> = specs(text).iter().map(|s| format!("{} {}", s.name, s.inputs.len())).collect();
    assert_eq!(names.len(), 2 * 2 + 3 * 2);
    assert_eq!((names[0].as_str(), names[9].as_str()), ("product.r=2.c=1[0] 3", "product.r=3.c=2[2] 8"));
    let file = parse_file(text.as_bytes());
    assert_eq!(pick::pick_results(&file, "product", "f").unwrap(), (0..10).collect::<Vec<_>>());
    assert_eq!(pick::pick_results(&file, "product.r=2.c=2[1]", "f").unwrap().len(), 1);
    let unnamed = "(FPCore ((! :precision binary32 v k)) (ref v 0))";
    assert_eq!(specs(unnamed).iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["k=1", "k=2", "k=3", "k=4"]);
}

#[test]
fn what_is_said_of_sizes_has_to_fit_them() {
    let wrong = [
        ("(FPCore ((a n)) :magneto-sizes ((m 3)) (ref a 0))", "no array has the size `m`"),
        ("(FPCore ((a n)) :magneto-sizes ((n 3 2)) (ref a 0))", "says of no name which sizes it takes"),
        ("(FPCore ((a n)) :magneto-sizes ((n 0)) (ref a 0))", "says of no name which sizes it takes"),
        ("(FPCore ((a n)) :magneto-sizes n (ref a 0))", "`n` says of no name which sizes it takes"),
        ("(FPCore ((a 2)) :magneto-sizes ((n 2)) (ref a 0))", "no argument is an array whose size is a name"),
        ("(FPCore ((a n m)) :magneto-sizes ((n 9) (m 9)) (ref a 0 0))", "these sizes are 81 cases"),
        ("(FPCore (n (a n)) (ref a 0))", "an argument and a size are both named `n`"),
        ("(FPCore ((a n)) (ref a 1))", "this is no element of the array"),
        ("(FPCore ((a n)) (+ m (ref a 0)))", "unbound variable `m`"),
        ("(FPCore ((a 2) x) :pre (for ([i x]) ([b TRUE b]) b) (ref a 0))", "this must be a natural number"),
        (
            "(FPCore (x) :pre (while (< i x) ([i 0 (+ i 1)]) (< 0 x)) x)",
            "how often this loop goes round depends on inputs",
        ),
        ("(FPCore (x) :pre (while TRUE ([i x (+ i 1)]) (< 0 x)) x)", "this loop never ends"),
    ];
    for (text, message) in wrong {
        let found = mistakes(text);
        assert!(found.iter().any(|m| m.contains(message)), "{text}: {found:?}");
        assert!(found.len() == 1 || message == "this is no element of the array", "{text}: {found:?}");
    }
}

const INNER: &str = "(FPCore inner ((a n) (b n)) (for ([i n]) ([s 0 (+ s (* (ref a i) (ref b i)))]) s))\n";

#[test]
fn a_call_with_arrays_is_what_the_called_core_computes_for_their_sizes() {
    let turn = "(FPCore turn ((A r c) (x c)) (tensor ([i r]) (inner (tensor ([j c]) (ref A i j)) x)))\n";
    for (call, plain) in [
        ("(inner (array x y 2) (array y 3 x))", "(+ (* x y) (+ (* y 3) (* 2 x)))"),
        // Two calls with other sizes; what is passed is named as the parameters are, the other way round.
        ("(let ([a (array x y)] [b (array y y)]) (- (inner b a) (inner (array x) (array y))))", "(* y y)"),
        ("(ref (turn (array (array x 1) (array 2 y)) (array y x)) 1)", "(+ (* 2 y) (* y x))"),
        ("(inner (turn (array (array x 1) (array 2 y)) (array y x)) (array 1 0))", "(+ (* x y) x)"),
        ("(for ([k 2]) ([v (array x y) (turn (array (array 0 1) (array 1 1)) v)]) (ref v 1))", "(+ x (+ y y))"),
        (
            "(if (< (inner (array x) (array x)) 1/4) (inner (array 1 1) (array x x)) y)",
            "(if (< (* x x) 1/4) (+ x x) y)",
        ),
    ] {
        let all = specs(&format!("{INNER}{turn}(FPCore (x y) :magneto-abs-error 1e-12 {call})"));
        let judge = Judge { spec: all.last().unwrap(), most: 256 };
        let other = support::spec(&format!("(FPCore (x y) :magneto-abs-error 1e-12 {plain})"));
        for x in [[0.5, -0.75], [1.25, 2.0], [-0.25, 0.75]] {
            assert!(!judge.differ(&other.core.body, &x), "{call} at {x:?}");
        }
        assert!(judge.differ(&support::spec("(FPCore (x y) (+ 1/8 (* 3 x)))").core.body, &[0.5, -0.75]), "{call}");
    }
}

#[test]
fn a_call_with_arrays_of_other_sizes_is_a_mistake() {
    let three = "(FPCore three ((a 3)) (ref a 2))\n";
    for (call, said) in [
        ("(inner (array x x) (array x x x))", "`inner` takes an array of 2 as `b`, and this one has 3"),
        ("(three (array x x))", "`three` takes an array of 3 as `a`, and this one has 2"),
        ("(three x)", "expected an array, but `x` is a number"),
        ("(three (array (array x) (array x) (array x)))", "is an array of 2 dimensions"),
        ("(inner (array x))", "`inner` takes 2 operands, not 1"),
        ("(sqrt (array x))", "expected a number"),
        (
            "(three (while (< k 3) ([k 0 (+ k 1)]) (tensor ([i k]) x)))",
            "the size of this array, with which a core may be called, does not stand in the text",
        ),
        // A variable has another value in each round.
        (
            "(for ([i 2]) ([k 3 (+ k 1)] [s 0 (+ s (three (tensor ([j k]) x)))]) s)",
            "the size of this array, with which a core may be called, does not stand in the text",
        ),
    ] {
        let found = mistakes(&format!("{INNER}{three}(FPCore (x) {call})"));
        assert!(found.len() == 1 && found[0].contains(said), "{call}: {found:?}");
    }
    // A size stands for that of an array, which has to have its name there.
    let hidden = "(FPCore f ((a n)) (let ([a 1] [k 3]) (+ a (* k n)))) (FPCore (x) (f (array x x)))";
    assert!(mistakes(hidden)[0].starts_with("no array of the size `n` can be named here"), "{:?}", mistakes(hidden));
}

#[test]
fn a_size_of_a_called_core_is_no_constant_of_its_value() {
    let all =
        specs(&format!("{INNER}(FPCore (x y) :pre (and (<= 1 x 2) (<= 1 y 2)) (* 2 (inner (array x y) (array y 3))))"));
    let spec = all.last().unwrap();
    let changed = mutants(spec, &OperatorSet::Full).into_iter().filter(|m| m.operator.name() == "constant");
    let made: Vec<String> = changed.map(|m| m.apply(spec).core.body.to_string()).collect();
    let has = |text: &str| made.iter().any(|body| body.contains(text));
    assert!(has("(* 1 (let ([a (array x y)]") && has("(- (size a 0) 1)"), "{made:#?}");
    assert!(!has("(size a 1)") && !has("(size b"), "{made:#?}");
}
