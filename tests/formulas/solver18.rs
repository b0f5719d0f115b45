//! The eighteen distinguishing problems: decided as expected, in both encodings, but for those named; never wrongly.

use crate::support;
use crate::support::judge::{Judge, Outcome};
use magneto::csp::{Csp, Encoding, Pair, Question};
use magneto::oracle::{Comparison, DEFAULT_CAP, Ladder, all_hold, compare};
use magneto::solve::{Limits, PointCheck, SearchEnd, search};
use magneto::spec::core::Value;
use magneto::spec::{InputBox, Overrides, Spec, parse_file, resolve};
use magneto::tape::{Builder, lower::lower};

/// The pairs with whether they are killable.
fn pairs() -> Vec<(Spec, Spec, bool)> {
    let specs = support::specs_of(&support::here("src/bench/pairs.fpcore"));
    let pairs: Vec<_> = specs
        .chunks(2)
        .map(|two| {
            assert_eq!(format!("{} / mutant", two[0].name), two[1].name);
            let Some(Value::Data(expect)) = two[1].core.property("test-expect").map(|p| &p.value) else {
                panic!("{} expects nothing", two[1].name)
            };
            let killable = match expect.to_string().as_str() {
                "killable" => true,
                "not-killable" => false,
                other => panic!("{other}"),
            };
            (two[0].clone(), two[1].clone(), killable)
        })
        .collect();
    assert_eq!(pairs.len(), 18);
    assert_eq!(pairs.iter().filter(|p| p.2).count(), 13);
    pairs
}

fn answer(own: &Spec, mutant: &Spec, encoding: Encoding, boxes: u64) -> (SearchEnd, u64) {
    let domain = InputBox::new(own).unwrap();
    let names: Vec<String> = own.inputs.iter().map(|i| i.name.clone()).collect();
    let mut b = Builder::new(names.len());
    let (f, g) = (lower(&mut b, &names, &own.core.body), lower(&mut b, &names, &mutant.core.body));
    let pair = Pair::extract(&b.finish(), f, g, &[], &own.accuracy, &mutant.accuracy).simplified(&domain);
    if pair.f == pair.g {
        return (SearchEnd::Equal, 0);
    }
    let (mut worst, mut total): (f64, u64) = (0.0, 0);
    for csp in Csp::build(&pair, &domain, encoding) {
        let mut check = |x: &[f64], _: magneto::solve::Care| {
            let mut ladder = Ladder::new(&pair.tape, x, DEFAULT_CAP);
            assert!(all_hold(&mut ladder, &pair.conditions).is_true());
            match compare(&mut ladder, pair.spec(), pair.mutant(), false) {
                c if c.is_kill() => PointCheck::Solution,
                Comparison::Unsettled => PointCheck::Unsettled,
                _ => PointCheck::No,
            }
        };
        let limits = Limits { boxes, ..Limits::default() };
        let (answer, stats) = search(&mut Question::new(&csp, limits, &mut check), limits, None);
        total += stats.boxes;
        match answer {
            SearchEnd::Infeasible { worst: w } => worst = worst.max(w),
            other => return (other, total),
        }
    }
    (SearchEnd::Infeasible { worst }, total)
}

/// Pairs that the search alone does not decide yet, with the encoding.
const OPEN: &[(&str, Encoding)] = &[
    // A polynomial in another order: for a normal form to see.
    ("EQ4 sqroot -> Horner", Encoding::Separation),
    // The result y has to be guessed, and its range is that of binary64.
    ("doppler1 +->-", Encoding::Paper),
    ("doppler2 const .6->.60001", Encoding::Paper),
    ("turbine1 +->-", Encoding::Paper),
    ("sine 5040->5041", Encoding::Paper),
    ("sqroot .0390625->.0390624", Encoding::Paper),
    ("i6 sin->cos", Encoding::Paper),
    ("carbonGas .401->.402", Encoding::Paper),
    ("predatorPrey +->-", Encoding::Paper),
    ("kepler0 +->- (6 vars)", Encoding::Paper),
];

fn expect(own: &Spec, mutant: &Spec, killable: bool, encoding: Encoding, boxes: u64) {
    let name = own.name.as_str();
    match (answer(own, mutant, encoding, boxes), killable) {
        ((SearchEnd::Inner { point, .. }, boxes), true) => {
            println!("{name}: killed at {point:?} after {boxes} boxes");
            let outcome = Judge { spec: own, most: 4096 }.compare(&mutant.core.body, &point);
            assert_eq!(outcome, Outcome::Apart, "{name} at {point:?}");
        }
        ((found @ (SearchEnd::Infeasible { .. } | SearchEnd::Equal), boxes), false) => {
            println!("{name}: {found:?} after {boxes} boxes");
        }
        ((SearchEnd::Unknown(reason), boxes), _) if OPEN.contains(&(name, encoding)) => {
            println!("{name}: {reason:?} after {boxes} boxes");
        }
        (other, _) => panic!("{name} with {encoding:?}: {other:?}"),
    }
}

#[test]
fn separation_decides_every_pair() {
    for (own, mutant, killable) in pairs() {
        expect(&own, &mutant, killable, Encoding::Separation, 20_000);
    }
}

#[test]
fn the_encoding_of_the_paper_finds_every_kill() {
    for (own, mutant, killable) in pairs() {
        if killable {
            expect(&own, &mutant, true, Encoding::Paper, 10_000);
        }
    }
}

/// Nothing is found where there is nothing, in the paper's encoding either.
#[test]
fn the_encoding_of_the_paper_finds_no_kill_that_is_none() {
    for (own, mutant, killable) in pairs() {
        if !killable {
            let (found, _) = answer(&own, &mutant, Encoding::Paper, 500);
            assert!(!matches!(found, SearchEnd::Inner { .. }), "{}: {found:?}", own.name);
        }
    }
}

/// A mutant that is near the specification's function wherever it has a value, and has none at some inputs, is killed there.
#[test]
fn a_mutant_without_a_value_somewhere_is_no_function_that_is_near() {
    let of = |body: &str| {
        let text = format!("(FPCore (x) :pre (<= 0 x 1) :magneto-abs-error 1/4 {body})");
        resolve(&parse_file(text.as_bytes()), 0, "text.fpcore", &Overrides::default()).unwrap()
    };
    let own = of("x");
    for (mutant, is_killed) in [
        ("(+ x (* 0.001 (sqrt (- x 0.5))))", true),
        ("(+ x (* 0.001 (log x)))", true),
        ("(+ x (* 0.001 (sqrt (+ x 0.5))))", false),
    ] {
        let (answer, _) = answer(&own, &of(mutant), Encoding::Separation, 2000);
        assert_eq!(matches!(answer, SearchEnd::Infeasible { .. }), !is_killed, "{mutant}: {answer:?}");
    }
}
