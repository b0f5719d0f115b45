//! Loops and arrays: what they mean, what is refused, and their mutants, judged by a judge that runs them.

use crate::support;
use crate::support::confirm::{attack, confirm};
use crate::support::judge::{Judge, Outcome};
use magneto::equiv::prove_equal;
use magneto::floats::Format;
use magneto::mutate::{Change, Mutant, OperatorSet, mutants};
use magneto::num::Rational;
use magneto::num::float::rational;
use magneto::oracle::Oracle;
use magneto::program::{LibmUlps, Program};
use magneto::spec::core::Expr;
use magneto::spec::unroll::{flat, has_loops, unroll};
use magneto::spec::{InputBox, Overrides, Spec, parse_file, resolve};
use magneto::suite::{Expectation, Interrupt, Options, Status, generate};
use magneto::tape::Builder;
use magneto::tape::lower::lower;

/// Formulas with loops, each with one without, over x and y.
const MEANINGS: [[&str; 2]; 18] = [
    ["(while (< i 3) ([s x (+ s y)] [i 0 (+ i 1)]) s)", "(+ x (* 3 y))"],
    // All at once: each sees what the others were.
    ["(while (< i 3) ([s 0 (+ s i)] [i 1 (+ i 1)]) (+ s x))", "(+ x 3)"],
    ["(while* (< i 3) ([i 1 (+ i 1)] [s 0 (+ s i)]) (+ s x))", "(+ x 5)"],
    ["(while (< i 1) ([a x b] [b y a] [i 0 (+ i 1)]) (- a (* 2 b)))", "(- y (* 2 x))"],
    ["(while* (< i 1) ([a x b] [b y a] [i 0 (+ i 1)]) (- a (* 2 b)))", "(- y (* 2 y))"],
    // In order: a variable begins as what one before it is.
    ["(while* (< i 2) ([x 5 (+ x 1)] [s x (+ s x)] [i 0 (+ i 1)]) (+ s y))", "(+ y 18)"],
    ["(while (< i 2) ([x 5 (+ x 1)] [s x (+ s x)] [i 0 (+ i 1)]) (+ s y))", "(+ y (+ x 11))"],
    ["(while (< i 0) ([s x (/ s 0)] [i 0 (+ i 1)]) s)", "x"],
    ["(for ([i 3]) ([s x (+ s (* i y))]) s)", "(+ x (* 3 y))"],
    ["(for ([i 2] [j 3]) ([s 0 (+ (* 10 s) (+ i j))]) (+ s x))", "(+ x 12123)"],
    ["(for ([i 3]) ([a 1 b] [b x (+ a b)]) b)", "(+ 2 (* 3 x))"],
    ["(for* ([i 3]) ([a 1 b] [b x (+ a b)]) b)", "(* 8 x)"],
    ["(for ([i 0]) ([s y 1]) s)", "y"],
    [
        "(let ([A (tensor ([i 2] [j 2]) (+ (* 10 i) (* j x)))]) (+ (ref A 1 0) (* (ref A 0 1) (size A 1))))",
        "(+ 10 (* x 2))",
    ],
    [
        "(let ([A (array x y (+ x y))]) (for ([i (size A 0)]) ([s 0 (+ s (* (ref A i) (ref A (- 2 i))))]) s))",
        "(+ (* 2 (* x (+ x y))) (* y y))",
    ],
    // Each element sees the variables after their update, in order.
    [
        "(let ([A (tensor* ([i 3]) ([s x (+ s i)] [t y (* t s)]) (+ s t))]) (ref A 2))",
        "(+ x 3 (* y x (+ x 1) (+ x 3)))",
    ],
    ["(let ([A (tensor* ([i 2] [j 2]) ([s x (+ (* 2 s) j)]) (* s y))]) (ref A 1 0))", "(* y (+ 2 (* 8 x)))"],
    // A state that is an array, and a loop in a loop.
    [
        "(for ([k 2]) ([A (array x y) (tensor ([i 2]) (for ([j 2]) ([s 0 (+ s (* (ref A j) (+ i j)))]) s))]) (ref A 1))",
        "(+ y (* 2 (+ x (* 2 y))))",
    ],
];

fn spec(body: &str) -> Spec {
    support::spec(&format!("(FPCore loop (x y) :pre (and (<= 1 x 2) (<= 0.25 y 0.75)) :magneto-rel-error 1e-9 {body})"))
}

fn expression(body: &str) -> Expr {
    spec(body).core.body
}

fn names(spec: &Spec) -> Vec<String> {
    spec.inputs.iter().map(|i| i.name.clone()).collect()
}

#[test]
fn a_loop_is_the_formula_that_it_goes_through() {
    for [looped, plain] in MEANINGS {
        let (spec, plain) = (spec(looped), expression(plain));
        let unrolled = unroll(&names(&spec), &spec.core.body, 1_000).unwrap();
        assert!(!has_loops(&unrolled.body) && unrolled.endless.is_none());
        let judge = Judge { spec: &spec, most: 512 };
        for x in [[1.0, 0.25], [1.5, 0.75], [1.7, 0.3]] {
            for other in [&plain, &unrolled.body] {
                assert_eq!(judge.compare(other, &x), Outcome::Meet, "{looped}");
                assert!(!judge.differ(other, &x), "{looped} is no {other}");
            }
        }
        // Another formula is told apart.
        assert!(judge.differ(&expression("(+ 1e-6 (* x y))"), &[1.5, 0.75]), "{looped}");
        let printed = spec.to_core().to_string();
        let again = resolve(&parse_file(printed.as_bytes()), 0, "printed", &Overrides::default()).unwrap();
        assert_eq!(again.core.body.to_string(), spec.core.body.to_string());
    }
}

#[test]
fn an_array_is_an_input_for_each_element() {
    let text =
        "(FPCore ((A 2) (! :precision binary32 M 2 2)) :pre (and (<= 0 (ref A 0) 1) (<= 1 (ref M 1 0) (ref A 1) 2))
        (+ (ref A 1) (* (ref M 0 1) (ref M 1 0))))";
    let spec = support::spec(text);
    assert_eq!(names(&spec), ["A[0]", "A[1]", "M[0][0]", "M[0][1]", "M[1][0]", "M[1][1]"]);
    let formats: Vec<String> = spec.inputs.iter().map(|i| i.format.name()).collect();
    assert_eq!(formats, ["binary64", "binary64", "binary32", "binary32", "binary32", "binary32"]);
    assert_eq!(spec.inputs[4].range.to_string(), "[1, 2]");
    let again = support::spec(&spec.to_core().to_string());
    assert_eq!((again.inputs, again.constraints.len()), (spec.inputs.clone(), 1));
    let judge = Judge { spec: &spec, most: 512 };
    let x = [0.5, 2.0, 100.0, 3.0, 1.5, 7.0];
    let flat = unroll(&names(&spec), &spec.core.body, 10).unwrap().body;
    assert!(!judge.differ(&flat, &x) && flat.to_string().contains("(ref M 0 1)"));
}

#[test]
fn what_has_no_certain_meaning_is_refused() {
    let wrong = [
        ("(for ([i x]) ([s 0 (+ s 1)]) s)", "this must be a natural number"),
        ("(for ([i 2.5]) ([s 0 (+ s 1)]) s)", "this must be a natural number"),
        ("(while TRUE ([s x (+ s 1)]) s)", "this loop never ends"),
        ("(while (< i 3) ([i 0 (- 1 i)] [s x y]) s)", "this loop never ends"),
        ("(while (< i 3) ([i 0 (- i 1)]) x)", "the loops go round more than 10000 times"),
        ("(ref (array x y) 2)", "this is no element"),
        ("(ref (array x y) x)", "this must be a natural number"),
        ("(ref (array (array x y) (array x)) 0 0)", "the rows of this array differ"),
        ("(ref (tensor* ([i 3]) ([s 0]) x) 0)", "a variable of a loop is a name, what it begins as, and its update"),
        ("(ref (tensor ([i 3]) ([s 0 x]) x) 0)", "`tensor` has other parts"),
        ("(for ([i 3]) ([s 0 (+ s i)]) (+ s i))", "what `i` means here the standard leaves open"),
        ("(for* ([i 3]) ([a x y] [b a (+ a i)]) b)", "what `a` means here the standard leaves open"),
        ("(for ([i 3]) ([i 0 1]) x)", "`for` binds `i` twice"),
        ("(+ (array x y) 1)", "expected a number, but `(array x y)` is an array"),
        ("(ref x 0)", "`ref` is asked of what is no array"),
        ("(ref (array (array x)) 0)", "`ref` takes an index for each"),
        ("(while (< i 3) (i 0 1) x)", "a variable of a loop is a name, what it begins as, and its update"),
        ("(while (< i 3) ([i 0 (+ i 1)]))", "`while` has other parts"),
    ];
    for (body, message) in wrong {
        let text = format!("(FPCore (x y) {body})");
        let file = parse_file(text.as_bytes());
        let found = match resolve(&file, 0, "f", &Overrides::default()) {
            Err(found) => found,
            Ok(_) => panic!("{body} is a specification"),
        };
        assert!(found.iter().any(|d| d.message.contains(message)), "{body}: {found:?}");
    }
    let allowed = Overrides { max_iterations: Some(20_000), ..Overrides::default() };
    let long = "(FPCore (x) (while (< i 15000) ([i 0 (+ i 1)]) x))";
    assert!(resolve(&parse_file(long.as_bytes()), 0, "f", &allowed).is_ok());
    for text in ["(FPCore ((A 0)) 1)", "(FPCore ((A 2)) :pre (for ([i 3]) ([b TRUE (< 0 (ref A i))]) b) 1)"] {
        assert!(resolve(&parse_file(text.as_bytes()), 0, "f", &Overrides::default()).is_err(), "{text}");
    }
}

/// A sum of as many terms as no formula has room for.
#[test]
fn a_loop_of_too_many_rounds_is_followed_at_single_inputs() {
    let text = "(FPCore (x) :pre (<= 1 x 2) :magneto-rel-error 1e-9 (while (< i 20000) ([i 0 (+ i 1)] [s x (+ s (* 1/3 i))] [t 0 (/ s x)]) (+ s (* 2 t))))";
    let file = parse_file(text.as_bytes());
    let found = resolve(&file, 0, "f", &Overrides::default()).expect_err("more rounds than are allowed");
    assert!(found.iter().any(|d| d.message.contains("more than 10000 times")), "{found:?}");
    let spec = resolve(&file, 0, "f", &Overrides { max_iterations: Some(20_000), ..Overrides::default() }).unwrap();
    let options = Options { jobs: 2, ..Options::default() };
    let run = generate(&spec, &options, &Interrupt::default()).unwrap();
    assert!(run.counts.undecided == 0 && run.counts.killed > 30 && !run.tests.is_empty(), "{:?}", run.counts);
    for test in &run.tests {
        let Expectation::Result(oracle) = &test.expectation else { continue };
        let Oracle::Decided { lo, hi, .. } = *oracle else { panic!("{:?}: {oracle:?}", test.input) };
        let x = Rational::from_f64(test.input[0]).unwrap();
        let sum = |n: u32| &x + Rational::from((u64::from(n) * u64::from(n - 1) / 2, 3u32));
        let expected = sum(20_000) + sum(19_999) / &x * 2;
        assert!(rational(lo) <= expected && expected <= rational(hi), "{:?}: {lo} {hi}", test.input);
    }
    // What a mutant returns is another sum.
    let other = run.mutants.iter().find(|m| m.mutant.before == "20000" && m.mutant.after == "20001");
    assert!(other.is_none_or(|m| m.status == Status::Killed), "{other:?}");
}

/// What becomes of a formula, as `operator before -> after`.
fn changes(body: &str) -> Vec<String> {
    let spec = spec(body);
    let made = mutants(&spec, &OperatorSet::Full);
    for m in &made {
        let text = m.apply(&spec).to_core().to_string();
        let file = parse_file(text.as_bytes());
        assert!(file.all_diagnostics().is_empty(), "{} -> {}: {text}", m.before, m.after);
    }
    made.iter().map(|m: &Mutant| format!("{} {} -> {}", m.operator, m.before, m.after)).collect()
}

#[test]
fn loops_are_changed_in_every_round() {
    let found = changes("(while* (< i 3) ([i 0 (+ i 1)] [s x (* s y)]) s)");
    for expected in [
        "binary (< i 3) -> (<= i 3)",
        "constant 3 -> 2",
        "constant 0 -> 1",
        "binary (* s y) -> (+ s y)",
        "variable s -> i",
        "delete (* s y) -> s",
        "binary (while* (< i 3) ([i 0 (+ i 1)] [s x (* s y)]) s) -> (while (< i 3) ([i 0 (+ i 1)] [s x (* s y)]) s)",
        "binary (while* (< i 3) ([i 0 (+ i 1)] [s x (* s y)]) s) -> (while* (< i 3) ([s x (* s y)] [i 0 (+ i 1)]) s)",
    ] {
        assert!(found.contains(&expected.to_owned()), "{expected}: {found:#?}");
    }
    // A counter that is not counted would go round for ever: no value. One that goes the other way does so too, but that is
    // not known.
    assert!(found.contains(&"delete (+ i 1) -> i".to_owned()));
    assert!(!found.contains(&"binary (+ i 1) -> (- i 1)".to_owned()));
    let found = changes("(let ([A (array x y)] [n 2]) (for ([i n]) ([s 0 (+ s (ref A i))]) s))");
    for expected in
        ["constant n -> (- n 1)", "add (ref A i) -> (sqrt (ref A i))", "delete (+ s (ref A i)) -> (ref A i)"]
    {
        assert!(found.contains(&expected.to_owned()), "{expected}: {found:#?}");
    }
    // An element that there is not says nothing of a program.
    assert!(!found.contains(&"constant n -> (+ n 1)".to_owned()));
    let found = changes("(let ([M (tensor ([i 2] [j 2]) (+ i (* j x)))]) (ref M 0 1))");
    assert!(found.contains(&"binary (ref M 0 1) -> (ref M 1 0)".to_owned()), "{found:#?}");
}

/// Formulas with loops that end where the inputs say, over x and y.
const OPEN: [&str; 9] = [
    "(while (> x 1) ([x (* 20 x) (/ x 2)] [n 0 (+ n 1)]) (+ x n))",
    "(while (and (< n 3) (> (fabs (- (* t t) x)) 1e-3)) ([t x (/ (+ t (/ x t)) 2)] [n 0 (+ n 1)]) t)",
    "(while* (> a y) ([a x (* a y)] [n 0 (+ n a)]) (- n a))",
    "(while (< s 10) ([s 1 (* s PI)]) (* s x))",
    // It ends after three rounds at the latest.
    "(while (and (< i 3) (< s 2)) ([i 0 (+ i 1)] [s y (* s x)]) (+ s i))",
    // A state that is an array, and a loop in a loop.
    "(ref (while (< (ref A 0) 4) ([A (array x y) (array (+ (ref A 0) (ref A 1)) (* (ref A 1) x))]) A) 1)",
    "(while (and (< k 2) (< s 2.5)) ([k 0 (+ k 1)] [s x (for ([i 2]) ([t s (+ t (* i y))]) t)]) s)",
    // It ends before the first round, or never.
    "(if (while (< x 1.5) ([k x (* 1 k)]) (< k 3)) (+ x 1) y)",
    "(while (< (sqrt x) 1.25) ([x x x]) (+ x y))",
];

/// The rounds of a loop may depend on inputs: what it is at a point is what a judge finds who runs it.
/// Every second of them; with `MAGNETO_LONG` set, all.
#[test]
fn a_loop_ends_where_the_inputs_say() {
    for body in OPEN.into_iter().step_by(if support::long() { 1 } else { 2 }) {
        let spec = spec(body);
        let unrolled = unroll(&names(&spec), &spec.core.body, 10_000).unwrap();
        assert!(!has_loops(&unrolled.body) && unrolled.endless.is_none());
        let judge = Judge { spec: &spec, most: 512 };
        for x in [[1.0, 0.25], [1.5, 0.75], [1.625, 0.3], [1.8, 0.5], [2.0, 0.7]] {
            assert!(!judge.differ(&unrolled.body, &x), "{body} at {x:?}");
        }
        assert!(judge.differ(&expression("(+ 1e-6 (* x y))"), &[1.8, 0.5]), "{body}");
        let operators = "binary,constant".parse().unwrap();
        let mut options = Options { jobs: 1, operators, ..Options::default() };
        options.limits.boxes = 5;
        let run = generate(&spec, &options, &Interrupt::default()).unwrap();
        let killed = run.mutants.iter().filter(|m| m.status == Status::Killed).count();
        assert!(killed > 0, "{body}: none of {} is killed", run.mutants.len());
        assert!(confirm(&spec, &run).wrong.is_empty(), "{body}");
    }
}

/// What comes after the rounds that are followed is not known: nothing is claimed of it.
#[test]
fn nothing_is_claimed_of_rounds_that_are_not_followed() {
    let spec = support::spec(
        "(FPCore (x) :pre (<= 1 x 1.0078125) :magneto-rel-error 1e-9
          (while (< s 1e60) ([s x (* s x)] [n 0 (+ n 1)]) (+ n (/ s 1e60))))",
    );
    let open =
        |body: &str| unroll(&["x".to_owned()], &support::spec(&format!("(FPCore (x) {body})")).core.body, 10_000);
    assert!(unroll(&["x".to_owned()], &spec.core.body, 10_000).unwrap().open.is_some());
    assert!(open("(while (and (< i 50) (< s 9)) ([i 0 (+ i 1)] [s x (* s x)]) s)").unwrap().open.is_none());
    // No input has a result that is known.
    assert!(generate(&spec, &Options::default(), &Interrupt::default()).is_err());
    // Two loops that differ in what comes later are not one function, and each is the same as itself.
    let mut b = Builder::new(1);
    let mut root = |body: &str| {
        let spec = support::spec(&format!("(FPCore (x) {body})"));
        lower(&mut b, &["x".to_owned()], &flat(&["x".to_owned()], &spec.core.body))
    };
    let body = "(while (< s 1e60) ([s x (* s x)] [n 0 (+ n 1)]) (+ n s))";
    let roots =
        [body, &body.replace("1e60", "1e61"), &body.replace("(+ n s)", "(- n s)"), &format!("(+ {body} 0)"), body]
            .map(&mut root);
    let domain = InputBox::new(&spec).unwrap();
    let tape = b.finish();
    let is_proved = |g: usize| prove_equal(&tape, roots[0], roots[g], &domain, &[]).is_some();
    assert_eq!([1, 2, 3, 4].map(is_proved), [false, false, true, true]);
}

/// A loop that never ends has no value where a comparison or `fmin` asks for it, either: NaN would be one.
/// A number has the same name as another one only by chance.
#[test]
fn rounds_are_the_same_by_whichever_name_they_have_a_number() {
    let mut b = Builder::new(1);
    let mut root = |factor: &str| {
        let text = format!(
            "(FPCore (x) (let ([a 1.5] [b 1.5] [c 2]) (while (< s 1e60) ([s x (* s {factor})] [t b (+ t (* s b))]) t)))"
        );
        lower(&mut b, &["x".to_owned()], &support::spec(&text).core.body)
    };
    let [by_one, by_other, another] = ["a", "b", "c"].map(&mut root);
    assert!(by_one == by_other && by_one != another);
}

/// A power of 1.5 times x comes that near to sqrt(c) at one input of millions.
#[test]
fn inputs_at_which_a_loop_seldom_ends_are_found() {
    let source = "(FPCore (x c) :pre (and (<= 1 x 2) (<= 50 c 1000)) :magneto-rel-error 1e-6
      (while (> (fabs (- (* y y) c)) 1e-5) ([y x (* y 1.5)]) y))";
    let spec = resolve(&parse_file(source.as_bytes()), 0, "text", &Overrides::default()).unwrap();
    let options = Options { operators: "variable,constant,binary".parse().unwrap(), jobs: 1, ..Options::default() };
    let suite = generate(&spec, &options, &Interrupt::default()).expect("a test");
    for test in &suite.tests {
        let (x, c) = (test.input[0], test.input[1]);
        let mut values = std::iter::successors(Some(x), |y| Some(y * 1.5)).take(100);
        assert!(values.any(|y| (y * y - c).abs() < 1.1e-5), "{:?}", test.input);
    }
    // Without inputs there is none to look for: a loop ends after the rounds that are followed, or there is no test.
    let has_test = |limit: &str| {
        let text = format!("(FPCore () (while (> (exp x) {limit}) ([x 0 (- x 1)]) x))");
        let constant = resolve(&parse_file(text.as_bytes()), 0, "text", &Overrides::default()).unwrap();
        generate(&constant, &options, &Interrupt::default()).is_ok()
    };
    assert_eq!(["1e-300", "1e-900"].map(has_test), [true, false]);
    let killed = suite.mutants.iter().filter(|j| j.status == Status::Killed).count();
    assert!(2 * killed > suite.mutants.len(), "{killed} of {}", suite.mutants.len());
}

#[test]
fn a_mutant_whose_loop_never_ends_is_told_apart_wherever_it_stands() {
    let looped = "(while (< i 2) ([i 0 (+ i 1)]) y)";
    for body in [
        format!("(if (< (sqrt x) {looped}) x (+ x 1))"),
        format!("(if (or (< 3 x) (< {looped} (sqrt x))) (* x y) x)"),
        format!("(fmin x {looped})"),
        format!("(+ x (fmax (- x 2) {looped}))"),
    ] {
        let spec = spec(&body);
        let mut options = Options { operators: "binary".parse().unwrap(), jobs: 1, ..Options::default() };
        options.limits.boxes = 30;
        let run = generate(&spec, &options, &Interrupt::default()).unwrap();
        let endless: Vec<_> = run.mutants.iter().filter(|m| m.mutant.after == "(* i 1)").collect();
        assert_eq!(endless.len(), 1, "{body}");
        assert_eq!(endless[0].status, Status::Killed, "{body}");
        assert!(confirm(&spec, &run).wrong.is_empty(), "{body}");
    }
}

/// Numbers that a loop squares again and again are not computed without end.
#[test]
fn numbers_that_outgrow_exact_computation_are_left_to_the_formula() {
    let spec = spec("(while (< i 60) ([i 0 (+ i 1)] [t 0.3 (* t t)]) (+ x t))");
    let run =
        generate(&spec, &Options { operators: "delete".parse().unwrap(), ..Options::default() }, &Interrupt::default());
    assert!(run.unwrap().mutants.iter().any(|m| m.status == Status::Killed));
    // Where the condition needs such a number, the loop is refused.
    let open = "(FPCore (x) (while (> t 1e-1000000) ([t 0.3 (* t t)]) x))";
    assert!(resolve(&parse_file(open.as_bytes()), 0, "f", &Overrides::default()).is_err());
}

#[test]
fn a_program_goes_round_as_often_as_it_does_in_floats() {
    let of = |body: &str, format: Format| {
        let file = parse_file(format!("(FPCore (x y) {body})").as_bytes());
        let names = ["x", "y"].map(String::from);
        let program = Program::written(&names, &file.cores[0].as_ref().unwrap().body, format, format)?;
        let results = program.results(&[1.0, 0.5], LibmUlps::default());
        Some((0..100).filter(|n| results.contains(f64::from(*n))).collect::<Vec<_>>())
    };
    // Ten times one tenth is less than 1 in binary64.
    let tenths = "(while (< t 1) ([t 0 (+ t 0.1)] [n 0 (+ n 1)]) n)";
    assert_eq!(of(tenths, Format::BINARY64), Some(vec![11]));
    assert_eq!(of(tenths, Format::BINARY32), Some(vec![10]));
    assert_eq!(of("(while (< t 1) ([t 0 (+ t 0.125)] [n 0 (+ n 1)]) n)", Format::BINARY32), Some(vec![8]));
    // No bound of an error follows from the formula where the program goes round more often than it.
    let is_formula = |body: &str| {
        let spec = spec(body);
        Program::written(&names(&spec), &spec.core.body, Format::BINARY64, Format::BINARY64).unwrap().is_formula()
    };
    assert!(!is_formula(tenths) && is_formula("(while (< t 1) ([t 0 (+ t 0.125)] [n 0 (+ n x)]) n)"));
    // Whether the sine of a number is this float or the next depends on the library.
    assert_eq!(of("(while (< t 1) ([t 0.25 (+ t (sin 1))] [n 0 (+ n 1)]) n)", Format::BINARY64), None);
    assert!(of("(while (!= t 1) ([t 0 (+ t 0.1)] [n 0 (+ n 1)]) n)", Format::BINARY64).is_none());
}

#[test]
fn claims_about_loops_hold() {
    let bodies = [
        "(while* (< i 3) ([i 0 (+ i 1)] [s x (* s (- 2 (* y s)))]) s)",
        "(let ([c (array 0.25 0.5 0.25)]) (for ([i 3]) ([s 0 (+ s (* (ref c i) (+ x (* i y))))]) s))",
        "(while (< t 1) ([t 0 (+ t 0.2)] [v x (- v (* 0.1 (+ v y)))]) v)",
    ];
    let some = "constant,binary,evaluation".parse().unwrap();
    let operators: OperatorSet = if support::long() { OperatorSet::Full } else { some };
    let (mut kills, mut proofs) = (0, 0);
    for body in &bodies[..if support::long() { 3 } else { 2 }] {
        let spec = spec(body);
        let mut options = Options { operators: operators.clone(), jobs: 1, ..Options::default() };
        options.limits.boxes = if support::long() { 4000 } else { 30 };
        let run = generate(&spec, &options, &Interrupt::default()).unwrap();
        let report = confirm(&spec, &run);
        // The judge of programs over floats has no arrays.
        let wrong: Vec<&String> = report.wrong.iter().filter(|w| !w.ends_with("an array")).collect();
        assert!(wrong.is_empty(), "{body}: {wrong:#?}");
        let (proved, broken) = attack(&spec, &run, 10, 1);
        assert!(broken.is_empty(), "{body}: {broken:#?}");
        kills += report.kills;
        proofs += proved;
        let evaluations = run.mutants.iter().filter(|m| matches!(m.mutant.change, Change::Evaluation(_)));
        assert!(evaluations.count() > 3, "{body}");
    }
    println!("{kills} kills, {proofs} proofs");
    assert!(kills > 60 && proofs > 3, "{kills} kills, {proofs} proofs");
}
