//! What must not change a verdict: names, the order of arguments, a unit, another way to write the formula, a part of the domain
//! alone, a larger tolerance. Two runs that are related so must not contradict each other.

use crate::support;
use crate::support::rng::Rng;
use magneto::mutate::{Change, OperatorSet};
use magneto::oracle::formula::Formula;
use magneto::oracle::{DEFAULT_CAP, Ladder, Oracle, oracle};
use magneto::suite::{Generated, Interrupt, Options, Status, generate};
use std::collections::{BTreeMap, HashMap};

/// A random formula over x and y.
fn formula(random: &mut Rng, depth: u32) -> String {
    if depth == 0 {
        return (*random.pick(&["x", "y", "x", "y", "0.5", "3", "1", "0.1"])).to_owned();
    }
    let (a, b) = (formula(random, depth - 1), formula(random, depth - 1));
    match random.below(10) {
        0 | 1 => format!("(+ {a} {b})"),
        2 | 3 => format!("(- {a} {b})"),
        4 | 5 => format!("(* {a} {b})"),
        6 => format!("(/ {a} (+ 1 (* {b} {b})))"),
        7 => format!("(sqrt (fabs {a}))"),
        8 => format!("(sin {a})"),
        _ => format!("(if (< {a} {b}) {a} (* 2 x))"),
    }
}

/// A specification with everything in it that the relations change.
struct Written {
    names: [&'static str; 2],
    arguments: String,
    /// The range of the first input.
    range: (f64, f64),
    error: &'static str,
    body: String,
}

impl Written {
    fn new(body: &str) -> Self {
        let names = ["x", "y"];
        Written { names, arguments: "x y".to_owned(), range: (0.5, 2.0), error: "1e-9", body: body.to_owned() }
    }

    fn text(&self) -> String {
        let Written { names: [x, y], arguments, range: (lo, hi), error, body } = self;
        format!(
            "(FPCore f ({arguments}) :name \"f\" :pre (and (<= {lo} {x} {hi}) (<= -1 {y} 1)) :magneto-abs-error {error} {body})"
        )
    }

    fn run(&self) -> Run {
        let spec = support::spec(&self.text());
        let operators: OperatorSet = "constant,unary,binary,variable,delete".parse().unwrap();
        let mut options = Options { operators, jobs: 1, ..Options::default() };
        options.limits.boxes = 300;
        let made = generate(&spec, &options, &Interrupt::default()).unwrap();
        Run { made }
    }
}

struct Run {
    made: Generated,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    Killed,
    Proved,
    None,
}

/// The change of a mutant of the body: the operator, what was there, and what is there.
type Key = [String; 3];

impl Run {
    /// What is claimed of each mutant of the body, its texts with names mapped. Changes that stand at several places are left out.
    fn claims(&self, names: &HashMap<&str, &str>) -> BTreeMap<Key, Claim> {
        let (mut claims, mut several) = (BTreeMap::new(), Vec::new());
        for judged in self.made.mutants.iter().filter(|m| matches!(m.mutant.change, Change::Body(_))) {
            let m = &judged.mutant;
            let key = [m.operator.to_string(), renamed(&m.before, names), renamed(&m.after, names)];
            let claim = match judged.status {
                Status::Killed => Claim::Killed,
                Status::Equivalent(_) | Status::Indistinguishable(_) => Claim::Proved,
                _ => Claim::None,
            };
            if claims.insert(key.clone(), claim).is_some() {
                several.push(key);
            }
        }
        claims.retain(|key, _| !several.contains(key));
        claims
    }
}

/// A text with other names.
fn renamed(text: &str, names: &HashMap<&str, &str>) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, more) = rest.split_at(end);
        out.push_str(names.get(word).copied().unwrap_or(word));
        let next = more.chars().next().map_or(0, char::len_utf8);
        out.push_str(&more[..next]);
        rest = &more[next..];
    }
    out
}

/// How many mutants both runs have, and those of which one run claims what the other excludes.
fn contradictions(
    a: &BTreeMap<Key, Claim>,
    b: &BTreeMap<Key, Claim>,
    excluded: &[(Claim, Claim)],
) -> (usize, Vec<String>) {
    let both: Vec<(&Key, Claim, Claim)> = a.iter().filter_map(|(key, x)| Some((key, *x, *b.get(key)?))).collect();
    let wrong = both.iter().filter(|(_, x, y)| excluded.contains(&(*x, *y)));
    (both.len(), wrong.map(|(key, x, y)| format!("{key:?}: {x:?} and {y:?}")).collect())
}

const EITHER: [(Claim, Claim); 2] = [(Claim::Killed, Claim::Proved), (Claim::Proved, Claim::Killed)];

#[test]
fn related_runs_do_not_contradict_each_other() {
    let mut random = Rng(5);
    let count = if support::long() { 5000 } else { 60 };
    let none = HashMap::new();
    let mut compared = [0; 5];
    for round in 0..count {
        let body = formula(&mut random, 2 + round as u32 % 2);
        let own = Written::new(&body);
        let run = own.run();
        let claims = run.claims(&none);
        let mut expect = |relation: usize, other: &BTreeMap<Key, Claim>, excluded: &[(Claim, Claim)], share: usize| {
            let (both, wrong) = contradictions(&claims, other, excluded);
            assert!(wrong.is_empty(), "relation {relation} of {body}: {wrong:#?}");
            // Most changes are there in both.
            assert!(both * 10 >= claims.len() * share, "relation {relation} of {body}: {both} of {}", claims.len());
            compared[relation] += both;
        };

        let to = HashMap::from([("x", "omega"), ("y", "b2")]);
        let names = ["omega", "b2"];
        let other = Written { names, arguments: "omega b2".to_owned(), body: renamed(&body, &to), ..Written::new("") };
        let back = HashMap::from([("omega", "x"), ("b2", "y")]);
        expect(0, &other.run().claims(&back), &EITHER, 10);

        let other = Written { arguments: "y x".to_owned(), ..Written::new(&body) };
        expect(1, &other.run().claims(&none), &EITHER, 10);

        // Another unit of x, by a power of two: the same numbers in another binade.
        let scaled = format!("(let ([x (* 0.0009765625 u)]) {body})");
        let names = ["u", "y"];
        let other =
            Written { names, arguments: "u y".to_owned(), range: (512.0, 2048.0), body: scaled, ..Written::new("") };
        expect(2, &other.run().claims(&none), &EITHER, 7);

        // What is told apart on a part is told apart on the whole; what is apart on the whole is so on a part.
        let low = Written { range: (0.5, 1.25), ..Written::new(&body) }.run().claims(&none);
        let high = Written { range: (1.25, 2.0), ..Written::new(&body) }.run().claims(&none);
        expect(3, &low, &[(Claim::Proved, Claim::Killed)], 10);
        expect(3, &high, &[(Claim::Proved, Claim::Killed)], 10);
        for (key, claim) in &claims {
            let parts = [low.get(key), high.get(key)];
            let is_lost = *claim == Claim::Killed && parts.iter().all(|p| *p == Some(&Claim::Proved));
            assert!(!is_lost, "{body}: {key:?} is killed, and proved on both parts");
        }

        // A larger tolerance kills no more.
        let loose = Written { error: "1e-3", ..Written::new(&body) }.run().claims(&none);
        expect(4, &loose, &[(Claim::Proved, Claim::Killed)], 10);
    }
    println!("{compared:?} mutants compared");
    assert!(compared.iter().all(|n| *n > 20 * count), "{compared:?}");
}

/// Other ways to write the same formula.
fn rewritten(body: &str) -> Vec<String> {
    vec![
        format!("(let ([p x] [q y]) {})", renamed(body, &HashMap::from([("x", "p"), ("y", "q")]))),
        format!("(+ 0 {body})"),
        format!("(- (- {body}))"),
        format!("(- {body} (- x x))"),
        format!("(if (< 3 x) (sqrt x) {body})"),
        format!("(+ (* 1/3 {body}) (* 2/3 {body}))"),
        format!("(while (< i 1) ([r 0 {body}] [i 0 (+ i 1)]) r)"),
        format!("(ref (array {body} x) 0)"),
    ]
}

/// Points of the domain: corners, places where parts of formulas meet, and others.
fn points(random: &mut Rng) -> Vec<[f64; 2]> {
    let mut all = vec![[0.5, -1.0], [2.0, 1.0], [0.5, 0.5], [1.0, 1.0], [1.0, 0.0], [2.0, -1.0], [0.75, 1e-300]];
    all.extend((0..8).map(|_| [0.5 + 1.5 * random.unit(), 2.0 * random.unit() - 1.0]));
    all
}

/// The smallest and the largest valid result, or what else is owed.
fn ends(oracle: &Oracle) -> Result<[f64; 2], &Oracle> {
    if let Oracle::Decided { lo, hi, .. } = oracle { Ok([*lo, *hi]) } else { Err(oracle) }
}

#[test]
fn a_formula_that_is_written_otherwise_has_the_same_oracles() {
    let mut random = Rng(9);
    let count = if support::long() { 5000 } else { 60 };
    let mut compared = 0;
    for round in 0..count {
        let body = formula(&mut random, 2 + round as u32 % 2);
        let points = points(&mut random);
        let oracles = |body: &str| -> Vec<Oracle> {
            let spec = support::spec(&Written::new(body).text());
            let formula = Formula::new(&spec);
            let at = |x: &[f64; 2]| {
                let mut ladder = Ladder::new(&formula.tape, x, DEFAULT_CAP);
                oracle(&mut ladder, formula.function(), spec.result_format)
            };
            points.iter().map(at).collect()
        };
        let own = oracles(&body);
        for other in rewritten(&body) {
            let found = oracles(&other);
            for ((x, own), found) in points.iter().zip(&own).zip(&found) {
                // Of two numbers that are as near to f either may be expected.
                assert_eq!(ends(own), ends(found), "{body} as {other} at {x:?}");
            }
            compared += points.len();
        }
    }
    println!("{compared} oracles compared");
}
