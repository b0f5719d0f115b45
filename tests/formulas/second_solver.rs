//! The slow second solver: grid, special points and random floats under an independent judge. No kill that it cannot
//! confirm, no proof that it can refute.

use crate::support;
use crate::support::confirm::{attack, confirm};
use crate::support::judge::{Judge, Tri};
use crate::support::points::Points;
use crate::support::rng::Rng;
use magneto::csp::Encoding;
use magneto::mutate::{MutationOperator, OperatorSet};
use magneto::solve::bisect::Bisection;
use magneto::spec::{Overrides, Spec, parse_file, resolve};
use magneto::suite::{Interrupt, NoRun, Options, Status, generate};

fn complain(wrong: &[String]) {
    if let Some(path) = std::env::var_os("MAGNETO_WRONG") {
        use std::io::Write as _;
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
        wrong.iter().for_each(|w| writeln!(file, "{w}").unwrap());
    }
    let shown: Vec<&String> = wrong.iter().take(20).collect();
    assert!(shown.is_empty(), "{} wrong:\n{shown:#?}", wrong.len());
}

#[test]
fn proofs_on_the_69() {
    // Every third of them; with `MAGNETO_LONG` set, all.
    let (every, boxes, points, least) = if support::long() { (1, 4000, 10_000, 300) } else { (3, 300, 200, 100) };
    let specs: Vec<Spec> = support::paper69().into_iter().step_by(every).collect();
    let found = support::on_two_threads(&specs, |k, spec| {
        let mut options = Options { operators: OperatorSet::Paper, jobs: 1, ..Options::default() };
        options.limits.boxes = boxes;
        let g = generate(spec, &options, &Interrupt::default()).unwrap();
        attack(spec, &g, points, k as u64)
    });
    let proofs: usize = found.iter().map(|f| f.0).sum();
    println!("{proofs} proofs attacked with {points} points each");
    assert!(proofs > least, "{proofs}");
    complain(&found.into_iter().flat_map(|f| f.1).collect::<Vec<_>>());
}

/// Makes small problems.
struct Maker {
    random: Rng,
    names: Vec<&'static str>,
}

const CONSTANTS: [&str; 18] = [
    "0", "1", "2", "3", "-1", "0.5", "0.1", "10", "1e-3", "1e3", "PI", "1/3", "1e-10", "0.3125", "1e-300", "1e300",
    "E", "4",
];
const UNARY: [&str; 26] = [
    "sqrt", "log", "exp", "sin", "cos", "fabs", "-", "sqrt", "log", "exp", "fabs", "tan", "asin", "acos", "atan",
    "cbrt", "log1p", "expm1", "tanh", "sinh", "cosh", "acosh", "atanh", "floor", "log2", "erf",
];
const BINARY: [&str; 16] =
    ["+", "-", "*", "/", "+", "-", "*", "/", "+", "*", "fmin", "fmax", "pow", "hypot", "atan2", "fdim"];

impl Maker {
    fn expr(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.below(6) == 0 {
            return if self.random.below(5) < 3 {
                (*self.random.pick(&self.names)).to_owned()
            } else {
                (*self.random.pick(&CONSTANTS)).to_owned()
            };
        }
        match self.random.below(20) {
            0..=6 => format!("({} {})", self.random.pick(&UNARY), self.expr(depth - 1)),
            7..=15 => format!("({} {} {})", self.random.pick(&BINARY), self.expr(depth - 1), self.expr(depth - 1)),
            16 | 17 => {
                let n = ["2", "3", "-1", "0.5", "-2", "1/3", "0", "1"][self.random.below(8)];
                format!("(pow {} {n})", self.expr(depth - 1))
            }
            18 => {
                let relation = ["<", "<=", ">", "==", "!="][self.random.below(5)];
                let (a, b) = (self.expr(depth - 1), self.expr(0));
                format!("(if ({relation} {a} {b}) {} {})", self.expr(depth - 1), self.expr(depth - 1))
            }
            _ => {
                let value = self.expr(depth - 1);
                let other = self.expr(depth - 1);
                format!("(let ([q {value}]) (+ (* q {other}) q))")
            }
        }
    }

    fn range(&mut self, name: &str) -> String {
        let ranges = [
            "(<= -1 V 1)",
            "(<= 0 V 1)",
            "(<= 1 V 2)",
            "(<= -10 V 10)",
            "(<= 1e-3 V 1e3)",
            "(<= -1e300 V 1e300)",
            "(<= 0 V 1e-320)",
            "(<= -1e-310 V 1e-310)",
            "(<= 1 V 1.000000000000002)",
            "(<= -0.5 V 100)",
            "(<= 0.1 V 0.3)",
            "(< 0 V 1)",
            "(< -1 V 1)",
            "(< 0 V)",
            "(<= V 0)",
            "(<= 3 V 3.5)",
            "(<= 700 V 720)",
            "(<= -2 V -1)",
            "(<= 0 V 6.3)",
            "(<= 1e10 V 1e20)",
            "(<= 0.3125 V 0.3125)",
            "(<= 0 V 1e-5)",
            "(and (<= 0 V) (< V 2))",
        ];
        self.random.pick(&ranges).replace('V', name)
    }

    fn text(&mut self) -> String {
        self.names = vec!["x", "y", "z"];
        let inputs = 1 + self.random.below(3).min(self.random.below(3));
        self.names.truncate(inputs);
        let mut pre: Vec<String> = self.names.clone().iter().map(|n| self.range(n)).collect();
        if self.random.below(6) == 0 {
            let c = if inputs > 1 {
                ["(< x y)", "(<= (* x x) y)", "(!= x y)"]
            } else {
                ["(!= x 0)", "(< (* x x) 2)", "(or (< x 0) (> x 1/2))"]
            };
            pre.push(c[self.random.below(3)].to_owned());
        }
        let accuracy = [
            ":magneto-rel-error 1e-10",
            ":magneto-rel-error 1e-10",
            ":magneto-rel-error 1e-2",
            ":magneto-rel-error 1e-15",
            ":magneto-rel-error 0.3",
            ":magneto-abs-error 1e-10",
            ":magneto-abs-error 0.1",
            ":magneto-abs-error 1/2",
            ":magneto-rel-error 1e-6 :magneto-abs-error 1e-6",
            ":magneto-ulps (1 binary64)",
            ":magneto-ulps (1/2 binary64)",
            ":magneto-ulps (4 binary32)",
            ":magneto-ulps (2 binary64) :magneto-abs-error 1e-12",
            ":magneto-ulps (1000000 binary64) :magneto-rel-error 1e-12",
            ":magneto-abs-error 1e-320",
            ":magneto-rel-error 2",
            ":magneto-rel-error 1",
            ":magneto-ulps (16777216 binary32)",
        ];
        let accuracy = *self.random.pick(&accuracy);
        let format = if self.random.below(5) == 0 { "binary32" } else { "binary64" };
        let response = ["reject", "reject", "reject", "reject", "nan", "any", "saturate"][self.random.below(7)];
        let depth = 1 + self.random.below(4);
        let body = self.expr(depth);
        format!(
            "(FPCore ({}) :name \"p\" :precision {format} :pre (and {}) :magneto-out-of-range {response} {accuracy} {body})",
            self.names.join(" "),
            pre.join(" ")
        )
    }
}

/// What one problem gave: tests, kills, proofs, undecided mutants, and what is wrong.
#[derive(Default)]
struct Tally {
    tests: usize,
    kills: usize,
    proofs: usize,
    undecided: usize,
    refused: usize,
    /// Kills and the like that the judge cannot settle.
    open: usize,
    wrong: Vec<String>,
}

fn options(random: &mut Rng) -> Options {
    let operator = *random.pick(&MutationOperator::ALL);
    let mut o =
        Options { operators: OperatorSet::Only(vec![operator]), jobs: 1, precision_cap: 960, ..Options::default() };
    if random.below(4) == 0 {
        o.operators =
            OperatorSet::Only(vec![MutationOperator::Constant, MutationOperator::Binary, MutationOperator::Variable]);
    }
    o.limits.boxes = [20, 60, 150][random.below(3)];
    o.limits.hc4 = random.below(5) != 0;
    o.limits.mean_value = random.below(5) != 0;
    o.limits.bisection = [Bisection::Smear, Bisection::Largest, Bisection::RoundRobin][random.below(3)];
    if random.below(5) == 0 {
        o.encoding = Encoding::Paper;
    }
    o.minimize = random.below(10) == 0;
    o
}

fn examine(spec: &Spec, text: &str, options: &Options, points: usize, seed: u64) -> Tally {
    let mut tally = Tally::default();
    match generate(spec, options, &Interrupt::default()) {
        Ok(g) => {
            let report = confirm(spec, &g);
            (tally.tests, tally.kills) = (report.tests, report.kills);
            tally.open = report.open.len();
            tally.wrong = report.wrong;
            let (proofs, broken) = attack(spec, &g, points, seed);
            tally.proofs = proofs;
            tally.wrong.extend(broken);
            tally.undecided = g.mutants.iter().filter(|m| matches!(m.status, Status::Undecided(_))).count();
        }
        Err(why) => {
            tally.refused = 1;
            if why == NoRun::NowhereDefined {
                let judge = Judge { spec, most: 1024 };
                let made = Points::new(spec, &[&spec.core.body]).map(|p| p.make(points, &mut Rng(seed)));
                let defined = |x: &&Vec<f64>| judge.defined(x) == Tri::Yes && judge.precondition(x) == Tri::Yes;
                if let Some(x) = made.iter().flatten().find(defined) {
                    tally.wrong.push(format!("{why}, but it has one at {x:?}"));
                }
            }
        }
    }
    let how =
        format!("{} {:?} {:?} minimize {}", options.operators, options.encoding, options.limits, options.minimize);
    tally.wrong.iter_mut().for_each(|w| *w = format!("{w}\n    {text}\n    {how}"));
    tally
}

#[test]
fn small_random_problems() {
    let count: usize = match std::env::var("MAGNETO_PROBLEMS") {
        Ok(n) => n.parse().expect("MAGNETO_PROBLEMS is a number"),
        Err(_) if support::long() => 100_000,
        Err(_) => 120,
    };
    let first: u64 = std::env::var("MAGNETO_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(0);
    let seeds: Vec<u64> = (first..first + count as u64).collect();
    let points = if support::long() { 60 } else { 24 };
    let tallies = support::on_two_threads(&seeds, |_, &seed| {
        let mut maker = Maker { random: Rng(seed.wrapping_mul(0x5851_f42d_4c95_7f2d)), names: Vec::new() };
        let text = maker.text();
        let options = options(&mut maker.random);
        let file = parse_file(text.as_bytes());
        let Ok(spec) = resolve(&file, 0, "problem", &Overrides::default()) else {
            return Tally { refused: 1, ..Tally::default() };
        };
        let spec = Spec { name: format!("seed {seed}"), ..spec };
        examine(&spec, &text, &options, points, seed)
    });
    let mut all = Tally::default();
    for t in tallies {
        all.tests += t.tests;
        all.kills += t.kills;
        all.proofs += t.proofs;
        all.undecided += t.undecided;
        all.refused += t.refused;
        all.open += t.open;
        all.wrong.extend(t.wrong);
    }
    println!(
        "{count} problems ({} refused): {} tests, {} kills confirmed, {} proofs attacked with {points} points each, {} undecided, {} open to the judge",
        all.refused, all.tests, all.kills, all.proofs, all.undecided, all.open
    );
    complain(&all.wrong);
    assert!(all.kills > 5 * count && all.proofs > count && all.refused < count / 2);
    assert!(all.open * 50 < all.kills, "{} of {} are open to the judge", all.open, all.kills);
}
