//! Fixed-point formats, integers and floats of any width: what is claimed of random specifications over tiny ones, judged at
//! every input.

use crate::support;
use crate::support::confirm::confirm;
use crate::support::judge::{Judge, Outcome, Tri, neighbour};
use crate::support::rng::Rng;
use magneto::floats::Format;
use magneto::mutate::{Change, OperatorSet};
use magneto::spec::{Overrides, Spec, parse_file, resolve};
use magneto::suite::{Generated, Interrupt, Options, Status, generate};
use magneto::text::Diagnostic;

const FORMATS: [&str; 6] = ["(fixed -2 4)", "(fixed 0 3)", "(fixed -1 3)", "(fixed 1 4)", "(float 2 5)", "(float 3 5)"];

/// A random formula over x and y.
fn formula(random: &mut Rng, depth: u32) -> String {
    let mut of = |n| formula(random, n);
    if depth == 0 {
        let leaves = ["x", "y", "x", "y", "0.5", "2", "1", "-0.75", "3"];
        return leaves[random.below(leaves.len())].to_owned();
    }
    let (a, b) = (of(depth - 1), of(depth - 1));
    match random.below(9) {
        0 | 1 => format!("(+ {a} {b})"),
        2 => format!("(- {a} {b})"),
        3 | 4 => format!("(* {a} {b})"),
        5 => format!("(fmax {a} {b})"),
        6 => format!("(if (< {a} {b}) {a} x)"),
        7 => format!("(floor {a})"),
        _ => format!("(/ {a} (+ 1 (* {b} {b})))"),
    }
}

fn specification(random: &mut Rng) -> String {
    let format = |random: &mut Rng| FORMATS[random.below(FORMATS.len())];
    let (x, y, result) = (format(random), format(random), format(random));
    let saturates = random.below(2) == 1 && result.starts_with("(fixed");
    let overflow = if saturates { ":magneto-overflow saturate" } else { "" };
    let accuracy = [":magneto-ulps 1/2", "", ":magneto-ulps 2", ":magneto-rel-error 0.1"][random.below(4)];
    let pre = ["TRUE", "(<= -1.25 x 1)", "(< x y)", "(and (<= 0 x) (!= y 0))"][random.below(4)];
    let body = formula(random, 2);
    format!(
        "(FPCore ((! :precision {x} x) (! :precision {y} y)) :precision {result} {overflow} {accuracy} :pre {pre} {body})"
    )
}

fn read(text: &str) -> Result<Spec, Vec<Diagnostic>> {
    resolve(&parse_file(text.as_bytes()), 0, "f", &Overrides::default())
}

/// Every value of a format, by the judge.
fn values(format: Format) -> Vec<f64> {
    let from_zero = |up| std::iter::successors(Some(0.0), move |x| neighbour(*x, up, format));
    from_zero(true).chain(from_zero(false).skip(1)).collect()
}

/// The proofs that an input of the domain shows to be wrong, and how many were looked at.
fn broken_proofs(spec: &Spec, run: &Generated) -> (usize, Vec<String>) {
    let judge = Judge { spec, most: 1024 };
    let columns: Vec<Vec<f64>> = spec.inputs.iter().map(|i| values(i.format)).collect();
    let points = columns[0].iter().flat_map(|x| columns[1].iter().map(move |y| [*x, *y]));
    let points: Vec<[f64; 2]> = points.filter(|p| judge.precondition(p) == Tri::Yes).collect();
    // Where no result is near enough, nothing tells two functions apart.
    let results = values(spec.result_format);
    let has_result =
        |p: &[f64; 2]| judge.defined(p) != Tri::Yes || results.iter().any(|y| judge.valid(*y, p) != Tri::No);
    let tested: Vec<[f64; 2]> = points.iter().copied().filter(has_result).collect();
    let (mut proofs, mut broken) = (0, Vec::new());
    for judged in &run.mutants {
        let is_equal = match judged.status {
            Status::Equivalent(_) => true,
            Status::Indistinguishable(_) => false,
            _ => continue,
        };
        let Change::Body(body) = &judged.mutant.change else { continue };
        proofs += 1;
        let is_wrong = |p: &&[f64; 2]| match judge.compare(body, *p) {
            Outcome::Apart | Outcome::OnlySpec => true,
            Outcome::OnlyMutant => is_equal,
            Outcome::Meet => is_equal && judge.differ(body, *p),
            Outcome::Neither | Outcome::Open => false,
        };
        if let Some(p) = if is_equal { &points } else { &tested }.iter().find(is_wrong) {
            broken.push(format!(
                "{} -> {} is {} and wrong at {p:?}",
                judged.mutant.before,
                judged.mutant.after,
                judged.status.name()
            ));
        }
    }
    (proofs, broken)
}

#[test]
fn claims_over_tiny_fixed_point_formats_hold_at_every_input() {
    let mut random = Rng(17);
    let count = if support::long() { 2000 } else { 6 };
    let (mut kills, mut proofs, mut tests) = (0, 0, 0);
    for _ in 0..count {
        let text = specification(&mut random);
        let Ok(spec) = read(&text) else { continue };
        let mut options = Options { operators: OperatorSet::Full, jobs: 1, ..Options::default() };
        options.limits.boxes = 200;
        // Where nothing is inside the domain there is nothing to test.
        let Ok(run) = generate(&spec, &options, &Interrupt::default()) else { continue };
        let report = confirm(&spec, &run);
        assert!(report.wrong.is_empty(), "{text}: {:#?}", report.wrong);
        let (found, broken) = broken_proofs(&spec, &run);
        assert!(broken.is_empty(), "{text}: {broken:#?}");
        (kills, proofs, tests) = (kills + report.kills, proofs + found, tests + report.tests);
    }
    println!("{tests} tests, {kills} kills, {proofs} proofs");
    assert!(kills > 100 * count && proofs > 5 * count, "{kills} kills, {proofs} proofs");
}

#[test]
fn formats_are_read_where_fpcore_has_them() {
    let q15 = Format::fixed(-15, 16).unwrap();
    for (text, inputs, result) in [
        ("(FPCore (x y) :precision (fixed -15 16) (+ x y))", [q15, q15], q15),
        ("(FPCore ((! :precision integer x) y) (+ x y))", [Format::INTEGER, Format::BINARY64], Format::BINARY64),
        ("(FPCore (x y) :magneto-inputs (fixed -15 16) (+ x y))", [q15, q15], Format::BINARY64),
        ("(FPCore (x y) :magneto-inputs ((x (fixed -15 16))) (+ x y))", [q15, Format::BINARY64], Format::BINARY64),
    ] {
        let spec = read(text).unwrap();
        assert_eq!((spec.inputs[0].format, spec.inputs[1].format, spec.result_format), (inputs[0], inputs[1], result));
        let again = read(&spec.to_core().to_string()).unwrap();
        assert_eq!(
            (again.inputs, again.result_format, again.accuracy),
            (spec.inputs, spec.result_format, spec.accuracy)
        );
    }
    for (text, message) in [
        ("(FPCore (x) :precision (fixed 0 99) x)", "unknown format"),
        ("(FPCore ((! :precision (fixed 0) x)) x)", "unknown format"),
        ("(FPCore (x) :precision (fixed -15 16) :magneto-overflow wrap x)", "wrap-around is not supported"),
        ("(FPCore (x) :precision (fixed -15 16) :magneto-overflow clip x)", "`clip` is no way to overflow"),
        ("(FPCore (x) :magneto-overflow saturate x)", "only fixed-point results saturate"),
        ("(FPCore (x) :magneto-inputs (fixed a b) x)", "unknown format"),
    ] {
        let found = read(text).unwrap_err();
        assert!(found.iter().any(|d| d.message.contains(message) && d.hint.is_some()), "{text}: {found:?}");
    }
}

#[test]
fn saturation_is_a_part_of_the_formula() {
    let text = "(FPCore (x y) :precision (fixed -15 16) :magneto-overflow saturate (+ x y))";
    let spec = read(text).unwrap();
    assert_eq!(spec.core.body.to_string(), "(fmin (fmax (+ x y) -1) 0.999969482421875)");
    assert_eq!(spec.accuracy.abs, Some(magneto::num::Rational::from((1, 32768))));
    let run = generate(&spec, &Options { jobs: 1, ..Options::default() }, &Interrupt::default()).unwrap();
    let has = |x: f64, y: f64| run.tests.iter().any(|t| t.input == [x, y]);
    assert!(has(-1.0, -1.0) && has(32767.0 / 32768.0, 32767.0 / 32768.0));
    assert!(
        run.tests.iter().all(|t| t.input.iter().all(|x| !(*x == 0.0 && x.is_sign_negative()))),
        "there is one zero"
    );
}

#[test]
fn the_least_integer_of_32_bits_is_a_number_like_others() {
    // Mutants have -2147483648 as a power and in logarithms.
    let text = "(FPCore (x) :precision (fixed -31 32) :magneto-ulps 4 (fmin (- 1 (/ 1 2147483648)) (* 0.75 x)))";
    let spec = read(text).unwrap();
    let options = Options { operators: OperatorSet::Full, jobs: 1, ..Options::default() };
    let run = generate(&spec, &options, &Interrupt::default()).unwrap();
    assert!(confirm(&spec, &run).wrong.is_empty());
    assert!(run.mutants.iter().any(|m| m.mutant.after.contains("-2147483648")));
}
