//! Numbers that are printed as bounds are rounded outward, whatever their digits, compared with the exact number.
//!
//! `MAGNETO_LONG=1` takes 100,000 of each kind.

use crate::support::rng::Rng;
use magneto::num::float::rational;
use magneto::num::{AtLeast, AtMost, Rational};
use magneto::program::LibmUlps;
use magneto::record::Fields;
use magneto::record::summary::{PlainEvaluation, PlainVerdict};
use magneto::report::oracle::OracleAnswer;
use magneto::report::text::plainly;
use magneto::report::words;
use magneto::spec::{Overrides, parse_file, parse_rational, resolve};
use magneto::suite::{EquivalenceProof, Interrupt, Options, PlainAccuracy, generate, plain};
use std::process::Command;

fn rounds() -> usize {
    if std::env::var_os("MAGNETO_LONG").is_some() { 100_000 } else { 400 }
}

/// A number of any magnitude and sign, or one that is short in binary or in decimal.
fn number(rng: &mut Rng) -> f64 {
    let sign = if rng.bits() & 1 == 0 { 1.0 } else { -1.0 };
    let x = match rng.below(6) {
        0 => 2f64.powi(rng.below(2098) as i32 - 1074),
        1 => (rng.below(10_000) as f64) * 10f64.powi(rng.below(40) as i32 - 20),
        2 => f64::from_bits(rng.bits() >> 12),
        3 => 10f64.powi(rng.below(600) as i32 - 300).next_down(),
        _ => f64::from_bits(rng.bits() >> 1),
    };
    if x.is_finite() { sign * x } else { f64::MAX }
}

fn read(text: &str) -> Rational {
    parse_rational(text).unwrap_or_else(|e| panic!("`{text}` is no number: {e}"))
}

#[test]
fn a_bound_is_rounded_outward_and_by_less_than_a_unit() {
    let rng = &mut Rng(1);
    for _ in 0..rounds() {
        let (x, digits) = (number(rng), 1 + rng.below(18));
        let (up, down) = (format!("{:.digits$}", AtMost(x)), format!("{:.digits$}", AtLeast(x)));
        let exact = rational(x);
        assert!(read(&up) >= exact && read(&down) <= exact, "{x:e} in {digits} digits: {down}, {up}");
        // One more unit of the last digit would be too many.
        let far = Rational::from(&read(&up) - &read(&down)) * power_of_ten(digits as i32 - 1);
        assert!(far <= exact.clone().abs().max(read(&up).abs()), "{x:e} in {digits} digits: {down}, {up}");
        assert_eq!(AtMost(-x).to_string(), negated(x), "{x:e}");
    }
}

/// The text of the bound from above of a number's negative, by that from below of the number.
fn negated(x: f64) -> String {
    let text = AtLeast(x).to_string();
    match text.strip_prefix('-') {
        Some(positive) => positive.to_owned(),
        None if text == "0" => text,
        None => format!("-{text}"),
    }
}

fn power_of_ten(n: i32) -> Rational {
    (0..n).fold(Rational::from(1), |p, _| p * 10)
}

#[test]
fn bounds_in_files_are_bounds_and_stay_as_they_are() {
    let rng = &mut Rng(2);
    // Of the first, two shortest decimals are as near.
    let special = [-2f64.powi(-25), 2f64.powi(-25)];
    let numbers: Vec<f64> = special.into_iter().chain((0..rounds()).map(|_| number(rng))).collect();
    for x in numbers {
        let (up, down) = (AtMost(x).decimal(), AtLeast(x).decimal());
        if up != "inf" {
            assert!(read(&up) >= rational(x), "{x:e}: {up}");
            let again: f64 = up.parse().unwrap();
            assert!(again >= x && AtMost(again).decimal() == up, "{x:e}: {up}");
            let json = serde_json::to_string(&AtMost(x)).unwrap();
            assert!(read(&json) >= rational(x), "{x:e}: {json}");
            let again: AtMost = serde_json::from_str(&json).unwrap();
            assert_eq!(serde_json::to_string(&again).unwrap(), json);
        }
        if down != "-inf" {
            assert!(read(&down) <= rational(x), "{x:e}: {down}");
            let json = serde_json::to_string(&AtLeast(x)).unwrap();
            assert!(read(&json) <= rational(x), "{x:e}: {json}");
        }
    }
}

/// The number between two parts of a text.
fn between(text: &str, start: &str, end: &str) -> Rational {
    let rest = &text[text.find(start).unwrap_or_else(|| panic!("`{start}` is not in {text}")) + start.len()..];
    read(&rest[..rest.find(end).unwrap_or_else(|| panic!("`{end}` is not in {text}"))])
}

#[test]
fn every_sentence_with_a_bound_rounds_it_up() {
    let rng = &mut Rng(3);
    for _ in 0..rounds() {
        let x = number(rng).abs();
        let (exact, bound) = (rational(x), AtMost(x));
        let library = LibmUlps::new(1.0);
        let plain = PlainEvaluation {
            format: "binary64".into(),
            verdict: PlainVerdict::Meets,
            error: Some(bound.decimal()),
            inputs: None::<Fields<String>>,
            library_ulps: Some("1".into()),
        };
        for (text, start, end) in [
            (words::proof(&EquivalenceProof::Cover { boxes: 1, worst: bound }), "|f - g| is at most ", " times"),
            (
                words::proof(&EquivalenceProof::Bounded { bound, strict: false, boxes: 1 }),
                "|f| is at most ",
                " on the domain",
            ),
            (
                words::proof(&EquivalenceProof::Bounded { bound, strict: true, boxes: 1 }),
                "|f| is less than ",
                " on the domain",
            ),
            (
                words::proof(&EquivalenceProof::MeetsAccuracy { boxes: 1, worst: bound, library }),
                "off by at most ",
                " times",
            ),
            (plainly(&plain), "its error is at most ", " of the tolerance"),
        ] {
            if x < f64::MAX {
                assert!(between(&text, start, end) >= exact, "{x:e}: {text}");
            }
        }
    }
}

/// At x = 1, y = 2^-53 the sum is off by just half a unit in the last place.
#[test]
fn no_error_is_larger_than_the_bound_that_is_printed() {
    let text = "(FPCore (x y) :name \"sum\" :precision binary64 :pre (and (<= 1 x 2) (<= 0 y 1)) \
                :magneto-rel-error 1e-10 (+ x y))";
    let (y, small) = (Rational::from(1), rational(2f64.powi(-53)));
    let relative = Rational::from(&small / &Rational::from(&y + &small));
    let times = Rational::from(&relative / &parse_rational("1e-10").unwrap());
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("sum.fpcore"), text).unwrap();
    let run = |arguments: &[&str]| {
        let run = Command::new(env!("CARGO_BIN_EXE_magneto")).args(arguments).current_dir(&folder).output().unwrap();
        String::from_utf8(run.stdout).unwrap()
    };
    let gen_says = run(&["gen", "sum.fpcore", "--no-cache"]);
    assert!(between(&gen_says, "its error is at most ", " of the tolerance") >= times, "{gen_says}");
    let lint_says = run(&["lint", "sum.fpcore"]);
    assert!(between(&lint_says, "errs by at most ", " relative") >= relative, "{lint_says}");
    assert!(between(&lint_says, "(proved, at most ", " of the tolerance") >= times, "{lint_says}");
    let json: serde_json::Value = serde_json::from_str(&run(&["lint", "sum.fpcore", "--json"])).unwrap();
    let plain = &json["specifications"][0]["plain"];
    assert!(read(&plain["bound"].to_string()) >= relative, "{json}");
    assert!(read(&plain["tolerances"].to_string()) >= times, "{json}");
    let summary = std::fs::read(folder.path().join("magneto.out/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&summary).unwrap();
    let error = summary["plain_evaluation"]["error"].as_str().unwrap();
    assert!(read(error) >= times, "{error}");
}

/// An input and what the formula as it is written gives there.
type Native = fn(f64) -> f64;

/// The error of the plain evaluation in units of the tolerance is that of the oracle, also among subnormal numbers.
#[test]
fn factors_are_in_units_of_the_tolerance() {
    let spec = |core: &str| resolve(&parse_file(core.as_bytes()), 0, "text.fpcore", &Overrides::default()).unwrap();
    let cases: [(&str, Native); 4] = [
        ("(x) :precision binary32 :pre (<= 1 x 4) :magneto-ulps 1 (- (* x x) (* (- x 0.001) (+ x 0.001)))", |x| {
            let (x, c) = (x as f32, 0.001f32);
            f64::from(x * x - (x - c) * (x + c))
        }),
        ("(x) :pre (<= 1e-310 x 1e-300) :magneto-ulps 1 (* x (- (+ 1 1e-9) 1))", |x| x * ((1.0 + 1e-9) - 1.0)),
        ("(x) :pre (<= 1e-158 x 1e-154) :magneto-rel-error 1e-10 (- (* (+ x 1) x) x)", |x| (x + 1.0) * x - x),
        ("(x) :pre (<= 1e-9 x 1) :magneto-ulps 1 (- (+ x 1) 1)", |x| (x + 1.0) - 1.0),
    ];
    // Where the tolerance is 0 there is no factor.
    let nought = spec("(FPCore (x) :pre (<= 1 x 1) :magneto-rel-error 1e-10 (- (* 3 (* x 0.1)) 0.3))");
    let run = generate(&nought, &Options::default(), &Interrupt::default()).unwrap();
    let found = plain(&run, nought.libm_ulps);
    assert!(matches!(found, Some(PlainAccuracy::Misses { times: f64::INFINITY, .. })), "{found:?}");
    for (text, native) in cases {
        let spec = spec(&format!("(FPCore {text})"));
        let options = Options { operators: "evaluation".parse().unwrap(), ..Options::default() };
        let run = generate(&spec, &options, &Interrupt::default()).unwrap();
        let Some(PlainAccuracy::Misses { input, times, library: None }) = plain(&run, spec.libm_ulps) else {
            panic!("{text}: {:?}", plain(&run, spec.libm_ulps))
        };
        let answer = OracleAnswer::new(&spec, input.clone(), Some(native(input[0])), 3840);
        let (owed, _) = answer.error().unwrap();
        assert!((times - owed).abs() <= 1e-9 * owed, "{text}: {times} at {input:?}, where the oracle says {owed}");
    }
}
