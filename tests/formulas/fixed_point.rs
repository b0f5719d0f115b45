//! Fixed-point formats, integers and floats of any width: what is claimed of random specifications over tiny ones, judged at
//! every input.

use crate::support;
use crate::support::confirm::confirm;
use crate::support::judge::{Judge, Outcome, Tri, neighbour};
use crate::support::rng::Rng;
use magneto::floats::Format;
use magneto::mutate::{Change, OperatorSet};
use magneto::spec::core::{Core, Expr};
use magneto::spec::{OutOfRange, Overrides, Spec, parse_file, resolve, wrapped};
use magneto::suite::{Generated, Interrupt, MatrixCell, Options, Status, generate};
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
    let overflow = ["", ":magneto-overflow saturate", ":magneto-overflow wrap"][random.below(3)];
    let overflow = if result.starts_with("(fixed") { overflow } else { "" };
    let accuracy = [":magneto-ulps 1/2", "", ":magneto-ulps 2", ":magneto-rel-error 0.1"];
    let accuracy = accuracy[random.below(if overflow.ends_with("wrap") { 2 } else { 4 })];
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
    let has_result = |p: &[f64; 2]| {
        let is_valid = judge.tolerated(p);
        judge.defined(p) != Tri::Yes || results.iter().any(|y| is_valid(*y) != Tri::No)
    };
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

/// The results of a format that are right for a function that wraps around there: at most [`TURNS`] whole turns from `around` away one is
/// within the tolerance.
fn right_results(plain: &Spec, body: Expr, p: &[f64], results: &[f64], around: i32) -> Vec<f64> {
    let spec = Spec { core: Core { body, ..plain.core.clone() }, ..plain.clone() };
    let judge = Judge { spec: &spec, most: 1024 };
    let turn = -2.0 * plain.result_format.min();
    let is_valid = judge.tolerated(p);
    let is_right = |y: &&f64| (around - TURNS..=around + TURNS).any(|k| is_valid(**y + f64::from(k) * turn) != Tri::No);
    results.iter().filter(is_right).copied().collect()
}

/// The turns that are tried on either side of a number of them.
const TURNS: i32 = 100;
/// The most that a power of the largest inputs is away: 16^4 in lengths of 4.
const FARTHEST: i32 = 16_384;

/// The kills of functions that wrap around at which some result is right for both, and how many were looked at. `plain` is the
/// specification without its overflow.
fn broken_kills(plain: &Spec, run: &Generated) -> (usize, Vec<String>) {
    let results = values(plain.result_format);
    let (mut kills, mut broken) = (0, Vec::new());
    for (test, row) in run.tests.iter().zip(&run.matrix) {
        let of_spec = |around| right_results(plain, plain.core.body.clone(), &test.input, &results, around);
        let steps = (0..=FARTHEST).step_by(TURNS as usize).flat_map(|k| [k, -k]);
        let found = steps.map(|around| (around, of_spec(around))).find(|(_, own)| !own.is_empty());
        let (around, own) = found.unwrap_or_else(|| panic!("{}: none is right at {:?}", plain.core, test.input));
        for (m, cell) in row.known() {
            let (Change::Body(changed), MatrixCell::Ko { .. }) = (&run.mutants[m].mutant.change, cell) else {
                continue;
            };
            kills += 1;
            let body: &Expr = changed;
            let f = wrapped(body).map_or(body, |[f, _]| f);
            let beside = (around != 0).then_some(around);
            let places = std::iter::once(0).chain(beside);
            let both: Vec<f64> = places.flat_map(|k| right_results(plain, f.clone(), &test.input, &own, k)).collect();
            if !both.is_empty() {
                broken.push(format!("{body} at {:?}: {both:?} are right for both", test.input));
            }
        }
    }
    (kills, broken)
}

#[test]
fn kills_of_results_that_wrap_around_hold_with_all_turns() {
    let mut random = Rng(18);
    let count = if support::long() { 600 } else { 8 };
    let (mut kills, mut read_ones) = (0, 0);
    while read_ones < count {
        let text = specification(&mut random);
        let (true, Ok(spec)) = (text.contains("overflow wrap"), read(&text)) else { continue };
        let plain = read(&text.replace(":magneto-overflow wrap", "")).unwrap();
        let mut options = Options { operators: OperatorSet::Full, jobs: 1, ..Options::default() };
        options.limits.boxes = 200;
        let Ok(run) = generate(&spec, &options, &Interrupt::default()) else { continue };
        let (looked, broken) = broken_kills(&plain, &run);
        assert!(broken.is_empty(), "{text}: {broken:#?}");
        (kills, read_ones) = (kills + looked, read_ones + 1);
    }
    println!("{kills} kills");
    assert!(kills > 100 * count, "{kills} kills");
}

#[test]
fn a_result_wraps_around_at_the_ends_of_its_format() {
    let text = "(FPCore (p step) :precision (fixed 0 16) :pre (<= 0 step 9) :magneto-overflow wrap (+ p (* 3 step)))";
    let spec = read(text).unwrap();
    assert_eq!(spec.core.body.to_string(), "(remainder (+ p (* 3 step)) 65536)");
    assert_eq!(spec.constraints[0].to_string(), "(<= (fabs (remainder (+ p (* 3 step)) 65536)) 32765)");
    assert_eq!(spec.out_of_range, OutOfRange::Any);
    let run = generate(&spec, &Options { jobs: 1, ..Options::default() }, &Interrupt::default()).unwrap();
    let turned = |t: &magneto::suite::Test| t.input[0] + 3.0 * t.input[1] > 32767.0;
    assert!(run.tests.iter().any(turned));
    let of = |text: &str| run.mutants.iter().find(|m| m.mutant.after == text);
    assert!(of("(fmin (fmax (+ p (* 3 step)) -32768) 32767)").is_some_and(|m| m.status == Status::Killed));
    // How a machine's numbers wrap around is no mistake of a person's.
    assert!(
        of("(+ p (* 3 step))").is_none()
            && run
                .mutants
                .iter()
                .all(|m| !m.mutant.before.contains("65536") || m.mutant.after.starts_with("(fmin (fmax"))
    );
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
        ("(FPCore (x) :precision integer :magneto-overflow wrap x)", "`integer` is no type of a machine"),
        ("(FPCore (x) :precision (fixed 0 3) :magneto-overflow wrap x)", "more than 1/16 of the format's length"),
        ("(FPCore (x) :precision (fixed 0 8) :magneto-overflow wrap :magneto-rel-error 0.1 x)", "no relative error"),
        (
            "(FPCore (x) :precision (fixed 0 8) :magneto-overflow wrap :magneto-out-of-range nan x)",
            "where nothing is owed",
        ),
        ("(FPCore (x) :precision (fixed -15 16) :magneto-overflow clip x)", "`clip` is no way to overflow"),
        ("(FPCore (x) :magneto-overflow saturate x)", "only fixed-point results overflow"),
        ("(FPCore (x) :magneto-overflow wrap x)", "only fixed-point results overflow"),
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
