//! `:magneto-meaning program`: a specification that is a program over floats. Its values are compared with those that a machine
//! computes, and with a judge that evaluates the formula operation by operation; its kills and proofs are attacked.

use crate::support;
use crate::support::confirm::{attack, confirm};
use crate::support::judge::{Judge, Tri};
use crate::support::points::Points;
use crate::support::rng::Rng;
use magneto::mutate::{Change, MutationOperator};
use magneto::oracle::formula::Formula;
use magneto::oracle::{DEFAULT_CAP, Ladder, Oracle, oracle};
use magneto::spec::{Overrides, Spec, parse_file, resolve};
use magneto::suite::{Interrupt, Options, Status, generate};

pub(crate) fn spec(text: &str) -> Spec {
    resolve(&parse_file(text.as_bytes()), 0, "text.fpcore", &Overrides::default())
        .unwrap_or_else(|wrong| panic!("{text}: {wrong:?}"))
}

/// The result of a specification that is a program, where it has one.
pub(crate) fn result(spec: &Spec, x: &[f64]) -> Option<f64> {
    let formula = Formula::new(spec);
    let mut ladder = Ladder::new(&formula.tape, x, DEFAULT_CAP);
    match oracle(&mut ladder, formula.function(), spec.result_format) {
        Oracle::Decided { lo, hi, expected } => {
            assert!(lo == hi && lo == expected, "{} at {x:?}: [{lo:e}, {hi:e}]", spec.name);
            Some(lo)
        }
        Oracle::Undefined => None,
        other => panic!("{} at {x:?}: {other:?}", spec.name),
    }
}

/// Random formulas.
struct Maker {
    rng: Rng,
    /// The variables in scope.
    names: Vec<String>,
}

const FORMATS: [&str; 4] = ["binary64", "binary32", "binary16", "bfloat16"];

impl Maker {
    fn number(&mut self) -> String {
        match self.rng.below(3) {
            0 => (*self.rng.pick(&["0.1", "1/3", "PI", "1e-3", "7.25"])).to_owned(),
            1 => (*self.rng.pick(&["1", "2", "0.5", "0", "-1"])).to_owned(),
            _ => format!("{}", (self.rng.below(2000) as f64 - 1000.0) / 64.0),
        }
    }

    fn leaf(&mut self) -> String {
        if self.rng.below(3) == 0 { self.number() } else { self.rng.pick(&self.names.clone()).clone() }
    }

    fn formula(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.leaf();
        }
        let d = depth - 1;
        match self.rng.below(16) {
            0..=2 => format!("(+ {} {})", self.formula(d), self.formula(d)),
            3 | 4 => format!("(- {} {})", self.formula(d), self.formula(d)),
            5..=7 => format!("(* {} {})", self.formula(d), self.formula(d)),
            8 => format!("(/ {} {})", self.formula(d), self.formula(d)),
            9 => format!("(+ {} {} {})", self.formula(d), self.formula(d), self.leaf()),
            10 => format!("(sqrt (fabs {}))", self.formula(d)),
            11 => format!("(fma {} {} {})", self.leaf(), self.formula(d), self.leaf()),
            12 => {
                let relation = *self.rng.pick(&["<", "<=", ">", "=="]);
                let [a, b, c, e] = [d.min(1), 0, d, d].map(|d| self.formula(d));
                format!("(if ({relation} {a} {b}) {c} {e})")
            }
            13 => {
                // What is of a wide or a narrow format, by a condition, and is used in a narrow one.
                let parts = [0, 0, d].map(|d| self.formula(d));
                let [a, b, c] = parts;
                let value = match self.rng.below(2) {
                    0 => self.formula(d),
                    _ => format!(
                        "(if (< {a} {b}) (! :precision {} (* 1 {c})) {})",
                        self.rng.pick(&FORMATS),
                        self.formula(d)
                    ),
                };
                let name = format!("v{}", self.names.len());
                self.names.push(name.clone());
                let body = match self.rng.below(2) {
                    0 => self.formula(d),
                    _ => format!("(! :precision {} (* {name} {}))", self.rng.pick(&FORMATS), self.formula(d)),
                };
                self.names.pop();
                format!("(let ([{name} {value}]) {body})")
            }
            14 => {
                let format = *self.rng.pick(&FORMATS);
                let cast = if self.rng.below(2) == 0 { "cast " } else { "fabs " };
                format!("(! :precision {format} ({cast}{}))", self.formula(d))
            }
            _ => {
                let operator = *self.rng.pick(&["fmin", "fmax", "-", "fdim"]);
                format!("({operator} {} {})", self.formula(d), self.formula(d))
            }
        }
    }

    fn specification(&mut self, depth: u32) -> String {
        let format = *self.rng.pick(&FORMATS);
        self.names = vec!["x".to_owned(), "y".to_owned()];
        let body = self.formula(depth);
        format!(
            "(FPCore (x y) :name \"random\" :precision {format} :pre (and (<= -8 x 8) (<= -1 y 3)) \
             :magneto-meaning program {body})"
        )
    }
}

#[test]
fn values_are_those_of_the_program() {
    let mut maker = Maker { rng: Rng(71), names: Vec::new() };
    let (mut values, mut without) = (0, 0);
    for _ in 0..if support::long() { 20_000 } else { 400 } {
        let text = maker.specification(3);
        let spec = spec(&text);
        let judge = Judge { spec: &spec, most: 4096 };
        for x in Points::new(&spec, &[]).expect("a domain").make(12, &mut maker.rng) {
            match result(&spec, &x) {
                Some(y) => {
                    values += 1;
                    let judged = judge.program(&x).expect(&text);
                    assert!(judged.iter().all(|own| *own == y), "{text} at {x:?}: {y:e}, not {judged:?}");
                }
                // An operation overflows, or has no value.
                None => {
                    without += 1;
                    assert_eq!(judge.defined(&x), Tri::No, "{text} at {x:?}");
                }
            }
        }
    }
    assert!(values > 4_000 && without > 50, "{values} values, {without} without");
}

/// The machine's own arithmetic.
#[test]
fn values_are_those_of_the_machine() {
    let single = spec(
        "(FPCore (x y) :name \"single\" :precision binary32 :pre (and (<= -8 x 8) (<= -1 y 3)) :magneto-meaning program \
         (/ (- (* x x) (* 0.1 y)) (+ (sqrt (fma x x 1)) (* y y) 1/3)))",
    );
    let mixed = spec(
        "(FPCore (x y) :name \"mixed\" :pre (and (<= -8 x 8) (<= -1 y 3)) :magneto-meaning program \
         (let ([a (! :precision binary32 (- (* x y) PI))]) (+ (* a x) (/ 1 (+ 10 y)))))",
    );
    let mut rng = Rng(5);
    for _ in 0..2000 {
        let at = |r: &mut Rng| [r.unit() * 16.0 - 8.0, r.unit() * 4.0 - 1.0];
        let [x, y] = at(&mut rng);
        let a = f64::from((x as f32) * (y as f32) - std::f32::consts::PI);
        assert_eq!(result(&mixed, &[x, y]), Some(a * x + 1.0 / (10.0 + y)), "{x} {y}");
        let [x, y] = at(&mut rng).map(|x| x as f32);
        let expected = (x * x - 0.1 * y) / ((x.mul_add(x, 1.0)).sqrt() + y * y + 1.0 / 3.0);
        assert_eq!(result(&single, &[x, y].map(f64::from)), Some(f64::from(expected)), "{x} {y}");
    }
}

fn judged(spec: &Spec) -> (usize, usize) {
    let options = Options { jobs: 2, ..Options::default() };
    let run = generate(spec, &options, &Interrupt::default()).expect("a run");
    let report = confirm(spec, &run);
    assert!(report.wrong.is_empty(), "{:#?}", report.wrong);
    let (proofs, broken) = attack(spec, &run, if support::long() { 400 } else { 40 }, 3);
    assert!(broken.is_empty(), "{broken:#?}");
    (report.kills, proofs)
}

#[test]
fn claims_about_random_programs_hold() {
    let mut maker = Maker { rng: Rng(171), names: Vec::new() };
    let (mut kills, mut proofs) = (0, 0);
    for _ in 0..if support::long() { 500 } else { 12 } {
        let text = maker.specification(2);
        let (k, p) = judged(&spec(&text));
        kills += k;
        proofs += p;
    }
    assert!(kills > 5_000 && proofs > 200, "{kills} kills, {proofs} proofs");
}

/// Sums of elements, elements of a wider format, and loops that end sooner or later.
#[test]
fn claims_about_programs_with_loops_hold() {
    let all = [
        "(FPCore ((A 3) (B 3)) :name \"dot\" :precision binary32 :pre (and (<= -1 (ref A 0) (ref A 1) (ref A 2) 1) \
         (<= -1 (ref B 0) 1) (<= -1 (ref B 1) 1) (<= -1 (ref B 2) 1)) :magneto-meaning program \
         (for ([i 3]) ([s 0 (+ s (* (ref A i) (ref B i)))]) s))",
        "(FPCore ((! :precision binary64 A 2)) :name \"wide\" :precision binary16 :pre (<= -9 (ref A 0) (ref A 1) 9) \
         :magneto-meaning program (for* ([i 2]) ([s 0.1 (+ (* s 0.7) (ref A i) i)]) s))",
        // Long runs alone.
        "(FPCore ((! :precision binary64 A 2)) :name \"two\" :precision binary16 :pre (<= -9 (ref A 0) (ref A 1) 9) \
         :magneto-meaning program (for* ([i 2]) ([s 0.1 (+ (* s 0.7) (ref A i))] [t 0 (+ t (* i s))]) (- t (* 2 s))))",
        "(FPCore (x) :name \"newton\" :pre (<= 1 x 4) :magneto-meaning program \
         (while* (and (< n 2) (> (* r r) x)) ([n 0 (+ n 1)] [r x (* 0.5 (+ r (/ x r)))]) r))",
    ];
    for text in &all[..if support::long() { all.len() } else { 2 }] {
        let (kills, _) = judged(&spec(text));
        assert!(kills > 500, "{text}: {kills}");
    }
}

/// What reassociation, contraction or another format changes is told from the program, and the program itself is no mutant.
#[test]
fn other_orders_of_evaluation_are_killed() {
    let spec = spec(
        "(FPCore (x y z) :name \"sum\" :pre (and (<= -10 x 10) (<= -10 y 10) (<= -10 z 10)) :magneto-meaning program \
         (+ (* x y) (* y z) 0.1))",
    );
    let options = Options { jobs: 2, ..Options::default() };
    let run = generate(&spec, &options, &Interrupt::default()).expect("a run");
    let orders: Vec<_> = run.mutants.iter().filter(|m| m.mutant.operator == MutationOperator::Evaluation).collect();
    assert!(orders.len() > 8, "{}", orders.len());
    for m in &orders {
        assert_eq!(m.status, Status::Killed, "{}", m.mutant.after);
    }
    let text = spec.core.body.to_string();
    assert!(run.mutants.iter().all(|m| m.mutant.apply(&spec).core.body.to_string() != text
        || !matches!(m.mutant.change, Change::Body(_))));
}

/// What a program cannot be is refused where it stands, with a remedy.
#[test]
fn what_is_no_program_is_refused() {
    for (rest, message, hint) in [
        (
            ":magneto-meaning program (exp x)",
            "the last digit of `exp` differs from library to library",
            ":magneto-ulps 4",
        ),
        (":magneto-meaning program (copysign x 1)", "`copysign` depends on the sign of a zero", "(if (< x 0)"),
        (":magneto-meaning program (if (signbit x) 1 x)", "`signbit` tells floats apart", "(< x 0)"),
        (":magneto-meaning programm x", "`programm` is no meaning of a formula", "did you mean `program`?"),
        (":round toZero :magneto-meaning program (* x 3)", "no other rounding in binary64", ":round nearestEven"),
        (":magneto-meaning program (! :round toPositive (* x 3))", "no other rounding in binary64", "nearestEven"),
        (":precision (float 5 13) :magneto-meaning program (* x 3)", "nothing is computed in (float 5 13)", "binary32"),
        (":precision binary80 :magneto-meaning program (* x 3)", "nothing is computed in `binary80`", "binary64"),
        (":magneto-meaning program (! :precision real (* x 3))", "nothing is computed in `real`", "binary64"),
        (
            ":magneto-meaning program (half x)",
            "a core that is called computes in binary16",
            "the `:precision` of the program",
        ),
    ] {
        let text = format!("(FPCore half (x) :precision binary16 (/ x 2))\n(FPCore (x) :pre (<= 1 x 4) {rest})");
        let wrong = resolve(&parse_file(text.as_bytes()), 1, "text.fpcore", &Overrides::default()).expect_err(rest);
        let found =
            wrong.iter().any(|w| w.message.contains(message) && w.hint.as_ref().is_some_and(|h| h.contains(hint)));
        assert!(found, "{rest}: {wrong:?}");
    }
}

/// A mutant whose condition has no value has none, also where the truth of the condition is known as far as there is one.
#[test]
fn a_condition_without_a_value_is_no_right_result() {
    let spec =
        spec("(FPCore (x) :name \"condition\" :pre (<= -5 x 0) :magneto-ulps 1 (if (== 7 (binary64 1e10)) (* x 2) 1))");
    let options = Options { jobs: 2, ..Options::default() };
    let run = generate(&spec, &options, &Interrupt::default()).expect("a run");
    let overflows = run.mutants.iter().filter(|m| m.mutant.after == "(exp 1e10)");
    assert_eq!(overflows.map(|m| &m.status).collect::<Vec<_>>(), [&Status::Killed]);
}

/// A change that rounds the size of an array leaves no loop that can be written out.
#[test]
fn sizes_that_are_rounded_are_no_mutants() {
    let text = "(FPCore inner ((a n) (b n)) (for ([i n]) ([s 0 (+ s (* (ref a i) (ref b i)))]) s))\n\
                (FPCore scaled ((v n) x) (tensor ([i n]) (* x (+ (ref v i) n))))\n\
                (FPCore (x) :name \"called\" :pre (<= 1000 x 1001) :magneto-meaning program \
                (inner (scaled (array x) (floor 1e-20)) (array 1.1)))";
    let spec = resolve(&parse_file(text.as_bytes()), 2, "text.fpcore", &Overrides::default()).expect("a core");
    let (kills, proofs) = judged(&spec);
    assert!(kills + proofs > 50, "{kills} kills, {proofs} proofs");
}

/// Ten times 0.1 is less than 1 in binary64: the loop of a program goes round once more than that over the reals.
#[test]
fn loops_go_round_as_often_as_the_program() {
    let spec = spec(
        "(FPCore (x) :name \"steps\" :pre (<= 1 x 2) :magneto-meaning program \
         (while (< t 1) ([t 0 (+ t 0.1)] [n 0 (+ n 1)]) (+ x n)))",
    );
    assert_eq!(result(&spec, &[1.0]), Some(12.0));
    let names = ["x".to_owned()];
    let unrolled = magneto::spec::unroll::unroll(&names, &spec.core.body, 100).expect("a loop that ends");
    assert!(!unrolled.may_end && unrolled.open.is_none(), "its rounds depend on no input");
}
