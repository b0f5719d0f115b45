//! Mutants that are programs over floats: what they return, which are killed, which are proved to meet the accuracy.

use crate::support;
use crate::support::confirm::{attack, confirm};
use crate::support::rng::Rng;
use magneto::floats::Format;
use magneto::mutate::{Change, MutationOperator, OperatorSet, mutants};
use magneto::num::Rational;
use magneto::num::float::{hex, rational};
use magneto::points::probes::probes;
use magneto::program::{LibmUlps, Program};
use magneto::report::code;
use magneto::spec::Spec;
use magneto::suite::{EquivalenceProof, Generated, Interrupt, Options, PlainAccuracy, Status, generate};
use std::process::Command;

fn run(spec: &Spec) -> Generated {
    let operators = OperatorSet::Only(vec![MutationOperator::Evaluation]);
    generate(spec, &Options { operators, jobs: 1, ..Options::default() }, &Interrupt::default()).unwrap()
}

fn status<'g>(g: &'g Generated, after: &str) -> &'g Status {
    let found = g.mutants.iter().find(|j| j.mutant.after == after);
    let all = || g.mutants.iter().map(|j| j.mutant.after.as_str()).collect::<Vec<_>>();
    &found.unwrap_or_else(|| panic!("no `{after}` among {:#?}", all())).status
}

/// What a run found of the plain evaluation.
fn plain(run: &Generated) -> Option<PlainAccuracy> {
    magneto::suite::plain(run, LibmUlps::default())
}

const SUM: &str = "(FPCore (x1 x2 x3) :name \"sum\" :precision binary32
 :pre (and (<= 1024 x1 2048) (<= 1 x2 2) (<= -2048 x3 -1024)) :magneto-rel-error 1e-7 (+ (+ x1 x2) x3))";

#[test]
fn of_the_papers_two_orders_one_is_killed_and_the_other_proved() {
    let spec = support::spec(SUM);
    let g = run(&spec);
    assert_eq!(*status(&g, "x1 + x2 + x3 in binary32"), Status::Killed);
    let other = status(&g, "x1 + x3 + x2 in binary32");
    assert!(
        matches!(other, Status::Indistinguishable(EquivalenceProof::MeetsAccuracy { worst, .. }) if worst.0 <= 1.0),
        "{other:?}"
    );
    assert!(matches!(plain(&g), Some(PlainAccuracy::Misses { times, .. }) if times > 10.0));
}

#[test]
fn naive_forms_of_the_textbooks_are_killed() {
    let of = |inputs: &str, pre: &str, accuracy: &str, body: &str| {
        support::spec(&format!("(FPCore ({inputs}) :name \"f\" :pre {pre} {accuracy} {body})"))
    };
    let ulps = ":magneto-ulps (2 binary64)";
    let relative = ":magneto-rel-error 1e-10";
    for (spec, form) in [
        (of("x", "(<= -0.9 x 1000)", ulps, "(log1p x)"), "log(1 + x)"),
        (of("x", "(<= -1 x 1)", ulps, "(expm1 x)"), "exp(x) - 1"),
        (of("x", "(<= -20 x 20)", ulps, "(sinh x)"), "(exp(x) - exp(-x)) / 2"),
        (of("x", "(<= -20 x 20)", ulps, "(sinh x)"), "(exp(x) - 1 / exp(x)) / 2"),
        (of("x", "(<= -20 x 20)", relative, "(tanh x)"), "(exp(2 * x) - 1) / (exp(2 * x) + 1)"),
        (of("x", "(<= -1e300 x 1e300)", relative, "(asinh x)"), "log(x + sqrt(x * x + 1))"),
        (of("x", "(<= 1 x 1e300)", relative, "(acosh x)"), "log(x + sqrt(x * x - 1))"),
        (of("x", "(<= -0.9 x 0.9)", relative, "(atanh x)"), "log((1 + x) / (1 - x)) / 2"),
        (of("x y", "(and (<= 0 x 1e300) (<= 0 y 1e300))", relative, "(hypot x y)"), "sqrt(x * x + y * y)"),
        (of("x", "(<= 0 x 20)", relative, "(erfc x)"), "1 - erf(x)"),
        (of("x", "(<= -8 x 8)", relative, "(cbrt x)"), "pow(x, 1 / 3)"),
        (of("a b", "(and (<= 1 a 2) (<= 1 b 2))", relative, "(* (- a b) (+ a b))"), "a * a - b * b"),
        (of("x", "(<= 1e-9 x 1)", relative, "(* 2 (pow (sin (/ x 2)) 2))"), "1 - cos(2 * (x / 2))"),
        (of("x", "(<= 1 x 1e15)", relative, "(- (sqrt (+ x 1)) (sqrt x))"), "sqrt(x + 1) - sqrt(x)"),
    ] {
        let g = run(&spec);
        assert_eq!(*status(&g, &format!("{form} in binary64")), Status::Killed, "{form}");
        let report = confirm(&spec, &g);
        assert!(report.wrong.is_empty() && report.kills > 0, "{form}: {:#?}", report.wrong);
    }
}

/// A result that touches 0 without going through it, or is nearly 0 in a corner only: there is no change of sign between
/// points of a sequence. And a branch that is right at every single input, which no bound on a box shows.
#[test]
fn plain_evaluations_are_decided_where_the_result_is_small_and_at_branches() {
    let touches = "(FPCore (x y) :pre (and (<= -5 x 5) (<= -5 y 5)) :magneto-rel-error 1e-10
        (let ([a (- (+ (* x x) y) 11)] [b (- (+ x (* y y)) 7)]) (+ (* a a) (* b b))))";
    let corner = "(FPCore (a b c d) :pre (and (< -1e-5 a 1.00001) (< 0 b 1) (< 0 c 1) (< 0 d 1))
        :magneto-rel-error 1e-10 (+ (+ (+ a b) c) d))";
    // Wrong only where the last but one rounding is to a subnormal number, and the tolerance is about half the least one.
    let subnormal = "(FPCore (u) :pre (<= 0 u 1) :magneto-rel-error 1e-10 (/ (* (- u) (* u u)) 6))";
    for text in [touches, corner, subnormal] {
        let spec = support::spec(text);
        let g = run(&spec);
        let finite = |times: f64| times > 1.0 && times.is_finite();
        assert!(
            matches!(plain(&g), Some(PlainAccuracy::Misses { times, .. }) if finite(times)),
            "{text}: {:?}",
            plain(&g)
        );
        let report = confirm(&spec, &g);
        assert!(report.wrong.is_empty() && report.kills > 0, "{text}: {:#?}", report.wrong);
    }
    let branch = "(FPCore (x) :pre (< 0 x 10) :magneto-rel-error 1e-10
        (if (> (- (* x x) x) 0) (/ x 10) (+ (* x x) 2)))";
    let spec = support::spec(branch);
    assert!(
        matches!(plain(&run(&spec)), Some(PlainAccuracy::Meets { worst, .. }) if worst.0 <= 1.0),
        "{:?}",
        plain(&run(&spec))
    );
}

/// An intermediate result leaves the range of the format although the result does not, or a rounding error moves a number
/// across a tie or an integer: few inputs of the domain show that.
#[test]
fn programs_are_judged_at_the_edges_of_what_they_compute() {
    for text in [
        "(FPCore (re im) :pre (and (<= 0.001 re 1000) (<= 0.001 im 1000)) :magneto-rel-error 1e-10 (* (exp re) (sin im)))",
        "(FPCore (x y) :magneto-rel-error 1e-10 (* (* x y) y))",
        "(FPCore (x) :pre (<= -10 x 10) :magneto-rel-error 1e-10 (* (round (/ x 0.1)) 0.1))",
        "(FPCore (x) :pre (<= 0 x 100) :magneto-rel-error 1e-10 (/ (floor (* x 10)) 10))",
    ] {
        let spec = support::spec(text);
        let g = run(&spec);
        assert!(matches!(plain(&g), Some(PlainAccuracy::Misses { .. })), "{text}: {:?}", plain(&g));
        let report = confirm(&spec, &g);
        assert!(report.wrong.is_empty() && report.kills > 0, "{text}: {:#?}", report.wrong);
    }
}

/// Near 0 the results are subnormal, and no number at all is near enough: that is no fault of a program.
#[test]
fn no_program_is_blamed_where_no_result_is_valid() {
    let spec = support::spec(
        "(FPCore (x) :precision binary32 :pre (<= -2 x 2) :magneto-rel-error 1e-4
            (- (* 0.954929658551372 x) (* 0.12900613773279798 (* (* x x) x))))",
    );
    let worst = match plain(&run(&spec)) {
        Some(PlainAccuracy::Open { worst }) => worst.map_or(0.0, |(_, times)| times),
        Some(PlainAccuracy::Meets { .. }) => 0.0,
        other => panic!("{other:?}"),
    };
    assert!(worst <= 1.0, "{worst}");
}

#[test]
fn kills_and_proofs_hold_before_an_independent_judge() {
    let mut proofs = 0;
    for file in ["cube", "hypot", "log1p", "kinetic-energy", "srgb", "ray-sphere"] {
        for spec in support::specs_of(&support::here(&format!("specs/{file}.fpcore"))) {
            let g = run(&spec);
            let report = confirm(&spec, &g);
            assert!(report.wrong.is_empty(), "{:#?}", report.wrong);
            let (claims, broken) = attack(&spec, &g, 12, 5);
            assert!(broken.is_empty(), "{broken:#?}");
            proofs += claims;
        }
    }
    assert!(proofs > 5, "{proofs}");
}

/// What the programs return when they are compiled, input by input.
fn executed(spec: &Spec, inputs: &[Vec<f64>], folder: &std::path::Path) -> Vec<Vec<f64>> {
    let made = mutants(spec, &OperatorSet::Only(vec![MutationOperator::Evaluation]));
    let mut text = code::programs(spec, &made);
    text.push_str("#include <stdio.h>\n#include <string.h>\nint main(void) {\n");
    text.push_str("  double y; unsigned long long bits;\n");
    for input in inputs {
        let arguments: Vec<String> = input.iter().map(|x| hex(*x)).collect();
        for m in &made {
            let name = code::program_name(spec, &m.id);
            text.push_str(&format!(
                "  y = {name}({}); memcpy(&bits, &y, 8); printf(\"%llx\\n\", bits);\n",
                arguments.join(", ")
            ));
        }
    }
    text.push_str("  return 0;\n}\n");
    let (source, program) = (folder.join("programs.c"), folder.join("programs"));
    std::fs::write(&source, text).unwrap();
    let flags = ["-std=c11", "-O0", "-ffp-contract=off", "-Wall", "-Werror", "-Wno-unused-function"];
    let compiled = Command::new("cc").args(flags).arg(&source).arg("-o").arg(&program).arg("-lm").output();
    let compiled = compiled.expect("a C compiler, as for the build");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(&program).output().unwrap();
    let values = String::from_utf8(output.stdout).unwrap();
    let values: Vec<f64> = values.lines().map(|l| f64::from_bits(u64::from_str_radix(l, 16).unwrap())).collect();
    values.chunks(made.len()).map(<[f64]>::to_vec).collect()
}

#[test]
fn compiled_programs_return_what_they_may() {
    let folder = tempfile::tempdir().unwrap();
    // glibc's functions are within 3 ulps (Zimmermann et al., "Accuracy of Mathematical Functions", 2024), but for the
    // gamma functions and lgamma, which no specification here calls.
    let ulps = LibmUlps::new(3.0).unwrap();
    let mut compared = 0;
    for file in support::files(&support::here("specs")) {
        for spec in support::specs_of(&file) {
            let domain = magneto::spec::InputBox::new(&spec).unwrap();
            let all = probes(&domain);
            let inputs: Vec<Vec<f64>> = all.iter().step_by(all.len().div_ceil(12)).cloned().collect();
            let made = mutants(&spec, &OperatorSet::Only(vec![MutationOperator::Evaluation]));
            for (input, values) in inputs.iter().zip(executed(&spec, &inputs, folder.path())) {
                for (m, y) in made.iter().zip(values) {
                    let Change::Evaluation(e) = &m.change else { unreachable!() };
                    let results = e.program.results(input, ulps);
                    assert!(
                        results.contains(y),
                        "{}: {} at {input:?} is {y:e}, not in {results:?}",
                        spec.name,
                        m.after
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 2000, "{compared}");
}

/// Every finite float of a small format.
fn floats(f: Format) -> Vec<f64> {
    let mut all = vec![-f.max()];
    while *all.last().unwrap() < f.max() {
        all.push(f.successor(*all.last().unwrap()));
    }
    all
}

/// A sum, product or quotient, rounded by definition: the nearest of all floats, on a tie the one with an even last bit.
fn by_definition(v: &Rational, all: &[f64]) -> Option<f64> {
    let distance = |x: &f64| (rational(*x) - v).abs();
    let best = all.iter().min_by(|a, b| distance(a).partial_cmp(&distance(b)).unwrap())?;
    let zero = all.iter().position(|x| *x == 0.0)?;
    let tied = all.iter().enumerate().filter(|(_, x)| distance(x) == distance(best));
    tied.clone().find(|(i, _)| i.abs_diff(zero) % 2 == 0).or(tied.clone().next()).map(|(_, x)| *x)
}

#[test]
fn programs_in_small_formats_do_what_the_definition_says_at_every_input() {
    let names = ["a".to_owned(), "b".to_owned()];
    let mut rng = Rng(5);
    let mut judged = 0;
    for precision in 3..=5 {
        let f = Format::small(precision, -2, 3);
        let all = floats(f);
        let largest = rational(f.max());
        for body in ["(/ (- (* a a) (* b b)) (+ a 3))", "(+ (* a b) (- a b))", "(* (+ a b) (- a 0.3))", "(fma a b 0.7)"]
        {
            let spec = support::spec(&format!("(FPCore (a b) :name \"f\" {body})"));
            let program = Program::new(&names, &spec.core.body, f, f);
            for _ in 0..400 {
                let (a, b) = (*rng.pick(&all), *rng.pick(&all));
                let result = program.results(&[a, b], LibmUlps::default()).single().expect("one result");
                // Where nothing overflows the result is that of roundings by definition.
                let round = |v: Rational| {
                    let inside = v.clone().abs() <= largest;
                    inside.then(|| by_definition(&v, &all)).flatten().map(rational)
                };
                let (x, y) = (rational(a), rational(b));
                let literal = |text: (i32, i32)| round(Rational::from(text));
                let exact = (|| match body {
                    "(/ (- (* a a) (* b b)) (+ a 3))" => {
                        let top = round(round(Rational::from(&x * &x))? - round(Rational::from(&y * &y))?)?;
                        let under = round(x.clone() + literal((3, 1))?)?;
                        if under == 0 { None } else { round(top / under) }
                    }
                    "(+ (* a b) (- a b))" => round(round(Rational::from(&x * &y))? + round(Rational::from(&x - &y))?),
                    "(* (+ a b) (- a 0.3))" => {
                        round(round(Rational::from(&x + &y))? * round(x.clone() - literal((3, 10))?)?)
                    }
                    _ => round(Rational::from(&x * &y) + literal((7, 10))?),
                })();
                if let Some(exact) = exact {
                    assert_eq!(rational(result), exact, "{body} in {f:?} at {a}, {b}");
                    judged += 1;
                }
            }
        }
    }
    assert!(judged > 2000, "{judged}");
}

#[test]
fn no_test_is_outside_the_domain_because_another_one_is() {
    // The tests of ranges are outside: a program that fails there is not killed.
    let spec = support::spec("(FPCore (x) :name \"f\" :pre (<= 0 x 1/10) :magneto-ulps (1 binary64) (sqrt x))");
    let list = vec![MutationOperator::Bounds, MutationOperator::Evaluation];
    let options = Options { operators: OperatorSet::Only(list), jobs: 1, ..Options::default() };
    let g = generate(&spec, &options, &Interrupt::default()).unwrap();
    let report = confirm(&spec, &g);
    assert!(report.wrong.is_empty(), "{:#?}", report.wrong);
    assert!(g.tests.iter().any(|t| t.input[0] > 0.1), "no test of the range");
}

#[test]
fn programs_are_distinct_and_their_ids_stable() {
    for file in support::files(&support::here("specs")) {
        for spec in support::specs_of(&file) {
            let made = mutants(&spec, &OperatorSet::Only(vec![MutationOperator::Evaluation]));
            let mut seen = std::collections::HashSet::new();
            for m in &made {
                let Change::Evaluation(e) = &m.change else { panic!("{} is none", m.after) };
                assert!(seen.insert(e.program.fingerprint()), "{}: {} twice", spec.name, m.after);
            }
            let again = mutants(&spec, &OperatorSet::Only(vec![MutationOperator::Evaluation]));
            assert!(made.iter().map(|m| &m.id).eq(again.iter().map(|m| &m.id)));
        }
    }
}
