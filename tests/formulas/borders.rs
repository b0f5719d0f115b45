//! Choices whose sides meet where the condition switches, as those of a dead zone do: proofs that `<` may be `<=` there, and
//! bounds of the rounding errors of programs that switch elsewhere, beside all inputs of a grid or of a tiny format.

use crate::equiv_common::Pair;
use crate::support::rng::Rng;
use magneto::equiv::prove_by_cases;
use magneto::floats::Format;
use magneto::ops::float::LibmUlps;
use magneto::oracle::formula::Formula;
use magneto::program::Program;
use magneto::rounding::{RealFunction, meets};
use magneto::spec::{InputBox, Overrides, parse_file, resolve};
use magneto::suite::{Interrupt, Options, Status, generate};

/// A function of the inputs x, y and z. Its constants are multiples of 1/4, so that binary64 computes it exactly, but for
/// quotients.
#[derive(Clone, Debug)]
enum Expr {
    Input(usize),
    Number(f64),
    Op(&'static str, Box<[Expr; 2]>),
    If(&'static str, Box<[Expr; 4]>),
}

/// More than what quotients are rounded by.
const SAME: f64 = 1e-12;
const NAMES: [&str; 3] = ["x", "y", "z"];
const RELATIONS: [&str; 4] = ["<", "<=", ">", ">="];

fn op(name: &'static str, a: Expr, b: Expr) -> Expr {
    Expr::Op(name, Box::new([a, b]))
}

impl Expr {
    fn text(&self) -> String {
        match self {
            Expr::Input(i) => NAMES[*i].to_owned(),
            Expr::Number(c) => format!("{c}"),
            Expr::Op(name, args) => format!("({name} {} {})", args[0].text(), args[1].text()),
            Expr::If(relation, p) => {
                let [a, b, then, otherwise] = p.each_ref().map(Expr::text);
                format!("(if ({relation} {a} {b}) {then} {otherwise})")
            }
        }
    }

    fn at(&self, x: &[f64]) -> f64 {
        match self {
            Expr::Input(i) => x[*i],
            Expr::Number(c) => *c,
            Expr::Op(name, args) => {
                let (a, b) = (args[0].at(x), args[1].at(x));
                match *name {
                    "+" => a + b,
                    "-" => a - b,
                    "*" => a * b,
                    "/" => a / b,
                    "fmax" => a.max(b),
                    "fmin" => a.min(b),
                    _ => (a - b).max(0.0),
                }
            }
            Expr::If(relation, p) => {
                let (a, b) = (p[0].at(x), p[1].at(x));
                let holds = match *relation {
                    "<" => a < b,
                    "<=" => a <= b,
                    ">" => a > b,
                    _ => a >= b,
                };
                p[if holds { 2 } else { 3 }].at(x)
            }
        }
    }

    /// The relations of its choices, in order.
    fn relations(&mut self) -> Vec<&mut &'static str> {
        match self {
            Expr::Input(_) | Expr::Number(_) => Vec::new(),
            Expr::Op(_, args) => args.iter_mut().flat_map(Expr::relations).collect(),
            Expr::If(relation, parts) => {
                std::iter::once(relation).chain(parts.iter_mut().flat_map(Expr::relations)).collect()
            }
        }
    }

    /// The names of its operators, in order.
    fn operators(&mut self) -> Vec<&mut &'static str> {
        match self {
            Expr::Input(_) | Expr::Number(_) => Vec::new(),
            Expr::Op(name, args) => std::iter::once(name).chain(args.iter_mut().flat_map(Expr::operators)).collect(),
            Expr::If(_, parts) => parts.iter_mut().flat_map(Expr::operators).collect(),
        }
    }
}

/// How many random cases are tried: so many, with `MAGNETO_LONG` fifty times as many.
fn count(few: u64) -> u64 {
    if std::env::var_os("MAGNETO_LONG").is_some() { 50 * few } else { few }
}

struct Maker {
    rng: Rng,
    inputs: usize,
}

impl Maker {
    fn number(&mut self) -> Expr {
        Expr::Number(*self.rng.pick(&[-1.0, -0.5, 0.25, 0.5, 1.0, 2.0]))
    }

    fn linear(&mut self, depth: u32) -> Expr {
        match self.rng.below(if depth == 0 { 3 } else { 7 }) {
            0 => self.number(),
            1 | 2 => Expr::Input(self.rng.below(self.inputs)),
            3 => op("*", self.number(), self.linear(depth - 1)),
            k => op(if k == 4 { "-" } else { "+" }, self.linear(depth - 1), self.linear(depth - 1)),
        }
    }

    /// A choice of which one side is the other one and a multiple of the difference that the condition looks at, now and then
    /// with a step.
    fn choice(&mut self, depth: u32) -> Expr {
        let (a, b) = (self.linear(1), self.linear(1));
        let then = if depth > 0 && self.rng.below(3) == 0 { self.choice(depth - 1) } else { self.linear(1) };
        let factor = if self.rng.below(6) == 0 { Expr::Input(0) } else { self.number() };
        let mut further = op("*", factor, op("-", a.clone(), b.clone()));
        if self.rng.below(4) == 0 {
            further = op("/", further, op("+", Expr::Input(0), Expr::Number(2.5)));
        }
        let mut otherwise = op("+", then.clone(), further);
        if self.rng.below(4) == 0 {
            otherwise = op("+", otherwise, Expr::Number(0.25));
        }
        // Sums with a large number are rounded more than the sides are.
        let far = *self.rng.pick(&[0.0, 8.0]);
        let [a, b] = [a, b].map(|side| if far == 0.0 { side } else { op("+", side, Expr::Number(far)) });
        let choice = Expr::If(RELATIONS[self.rng.below(RELATIONS.len())], Box::new([a, b, then, otherwise]));
        match self.rng.below(5) {
            0 => op("fmax", choice, self.linear(0)),
            1 => op("-", self.linear(0), choice),
            _ => choice,
        }
    }
}

/// All points whose coordinates are these numbers.
fn grid(inputs: usize, of: &[f64]) -> Vec<Vec<f64>> {
    let mut points = vec![Vec::new()];
    for _ in 0..inputs {
        points = points.iter().flat_map(|p| of.iter().map(|v| [p.as_slice(), &[*v]].concat())).collect();
    }
    points
}

#[test]
fn sides_that_meet_are_proved_and_no_others() {
    let steps: Vec<f64> = (-8..=8).map(|k| f64::from(k) / 4.0).collect();
    let (mut proved, mut same, mut different) = (0, 0, 0);
    let pairs = count(1500);
    for seed in 0..pairs {
        let inputs = 2 + seed as usize % 2;
        let mut maker = Maker { rng: Rng(seed), inputs };
        let f = maker.choice(1);
        let mut g = f.clone();
        if seed % 4 == 0 {
            let mut operators = g.operators();
            if operators.is_empty() {
                continue;
            }
            let k = maker.rng.below(operators.len());
            *operators[k] = *maker.rng.pick(&["fdim", "fmax", "fmin"]);
        } else {
            let mut relations = g.relations();
            let k = maker.rng.below(relations.len());
            *relations[k] = match *relations[k] {
                "<" => "<=",
                "<=" => "<",
                ">" => ">=",
                _ => ">",
            };
        }
        let names = NAMES[..inputs].join(" ");
        let pre = NAMES[..inputs].iter().map(|n| format!("(<= -2 {n} 2)")).collect::<Vec<_>>().join(" ");
        let pair = Pair::text(&names, &format!("(and {pre})"), &f.text(), &g.text());
        let proof = prove_by_cases(&pair.tape, pair.f, pair.g, &pair.domain, &pair.conditions, &pair.names);
        let other = grid(inputs, &steps).into_iter().find(|x| (f.at(x) - g.at(x)).abs() > SAME);
        match (&proof, other) {
            (Some(proof), Some(x)) => panic!("{} and {} differ at {x:?}: {proof}", f.text(), g.text()),
            (Some(_), None) => proved += 1,
            (None, None) => same += 1,
            (None, Some(_)) => different += 1,
        }
    }
    println!("{proved} proved, {same} not proved and the same on the grid, {different} different");
    assert!(proved > pairs * 2 / 5 && different > pairs / 5 && same < pairs / 5, "{proved} {same} {different}");
}

/// Functions that differ at the border, or of which one has no value where the other one has.
#[test]
fn sides_that_do_not_meet_or_have_no_value_are_not_proved() {
    let pairs = [
        ("(if (< x y) x y)", "(if (and (<= x y) (< (sqrt (- (- x y))) 100)) x y)"),
        ("(if (< x y) x y)", "(if (or (> x y) (< 100 (sqrt (- (- x y))))) y x)"),
        ("(if (< x y) x y)", "(if (<= x y) x (if (< (log x) (log x)) 1 y))"),
        ("(if (< x y) x y)", "(if (<= x y) x (+ y (* 0 (sqrt y))))"),
        ("(if (< x y) 1 2)", "(if (<= x y) 1 2)"),
        ("(if (< x y) x (+ y 1/1000))", "(if (<= x y) x (+ y 1/1000))"),
        ("(fmax x y)", "(if (< x y) y (+ x 1/1000))"),
    ];
    for (f, g) in pairs {
        let pair = Pair::text("x y", "(and (<= -2 x 2) (<= -2 y 2))", f, g);
        let proof = prove_by_cases(&pair.tape, pair.f, pair.g, &pair.domain, &pair.conditions, &pair.names);
        assert!(proof.is_none(), "{f} and {g}: {}", proof.expect("a proof"));
    }
}

/// What programs of controllers are made of, with limits that are inputs.
#[test]
fn every_mutant_of_limits_and_dead_zones_is_decided() {
    let bodies = [
        ("x lo hi", "(<= -10 x 10) (<= -5 lo -1) (<= 1 hi 5)", "(if (> x hi) hi (if (< x lo) lo x))"),
        ("x w", "(<= -10 x 10) (<= 0.1 w 5)", "(if (> x w) (- x w) (if (< x (- w)) (+ x w) 0))"),
        (
            "x last step",
            "(<= -10 x 10) (<= -10 last 10) (<= 0.1 step 1)",
            "(if (> (- x last) step) (+ last step) (if (< (- x last) (- step)) (- last step) x))",
        ),
        (
            "a b c",
            "(<= -10 a 10) (<= -10 b 10) (<= -10 c 10)",
            "(if (< a b) (if (< b c) b (if (< a c) c a)) (if (< a c) a (if (< b c) c b)))",
        ),
    ];
    for (inputs, pre, body) in bodies {
        let text = format!("(FPCore ({inputs}) :pre (and {pre}) :magneto-abs-error 1e-9 {body})");
        let spec = resolve(&parse_file(text.as_bytes()), 0, "text.fpcore", &Overrides::default()).expect("a core");
        let run = generate(&spec, &Options { jobs: 2, ..Options::default() }, &Interrupt::default()).expect("a run");
        let open = run.mutants.iter().filter(|m| matches!(m.status, Status::Undecided(_))).count();
        assert_eq!(open, 0, "{body}");
    }
}

/// The numbers of a format between two numbers.
fn numbers(format: Format, lo: f64, hi: f64) -> Vec<f64> {
    let mut all: Vec<f64> = (-4096..=4096).map(|k| format.round(f64::from(k) / 1024.0)).collect();
    all.retain(|x| (lo..=hi).contains(x));
    all.dedup();
    all
}

#[test]
fn programs_that_switch_elsewhere_err_by_no_more_than_their_bound() {
    let random = |seed| (Maker { rng: Rng(seed), inputs: 2 }.choice(1), "(<= -2 x 2) (<= -2 y 2)");
    let programs = count(300);
    let (proved, tight) = bounded((0..programs).map(random));
    assert!(proved > programs / 2 && tight > programs / 8, "{proved} {tight}");
}

/// What is 0 over the reals need not be in a program, and is a share of nothing that comes after it.
#[test]
fn errors_of_what_cancels_to_0_count() {
    let number = Expr::Number;
    let minus = |c: f64| op("-", number(c), Expr::Input(1));
    let one = op("-", minus(2.0), minus(1.0));
    let zero = op("-", op("*", number(0.25), one), number(0.25));
    let cancelled = op("+", zero, number(0.25));
    for pre in ["(<= 0 x 0) (<= -2 y 2)", "(<= 0 x 0) (<= -0.9375 y -0.8125)"] {
        assert_eq!(bounded([(cancelled.clone(), pre)]).0, 1);
    }
}

/// How many of some functions have a bound of the rounding errors of their programs in a tiny format on ranges of x and y, and
/// of how many the largest error at all inputs is a quarter of the bound; it must not be more.
fn bounded<'p>(functions: impl IntoIterator<Item = (Expr, &'p str)>) -> (u64, u64) {
    let format = Format::from_name("(float 4 8)").expect("a format");
    let inputs = numbers(format, -2.0, 2.0);
    let (mut proved, mut tight, mut open) = (0, 0, 0);
    for (f, pre) in functions {
        let text = format!("(FPCore (x y) :precision (float 4 8) :magneto-abs-error 1 :pre (and {pre}) {})", f.text());
        let spec = resolve(&parse_file(text.as_bytes()), 0, "text.fpcore", &Overrides::default()).expect("a core");
        let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
        let program = Program::new(&names, &spec.core.body, format, format);
        let (domain, formula) = (InputBox::new(&spec).expect("a domain"), Formula::new(&spec));
        let exact = RealFunction { tape: &formula.tape, root: formula.root, conditions: &formula.conditions };
        let Some(bound) = meets(&program, exact, &domain, &spec.accuracy, LibmUlps::default(), 200, &[]) else {
            open += 1;
            continue;
        };
        let mut largest: f64 = 0.0;
        for x in grid(2, &inputs).into_iter().filter(|x| domain.contains(x)) {
            let results = program.results(&x, LibmUlps::default());
            let ends = results.sets.iter().flat_map(|set| [set.lo, set.hi]);
            largest = ends.map(|y| (y - f.at(&x)).abs()).fold(largest, f64::max);
        }
        assert!(largest <= bound.value + SAME, "{}: {largest} is more than {}", f.text(), bound.value);
        proved += 1;
        tight += u64::from(largest > 0.25 * bound.value);
    }
    println!("{proved} proved, of {tight} the largest error is a quarter of the bound, {open} open");
    (proved, tight)
}
