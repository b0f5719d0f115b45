//! `:magneto-meaning program` in fixed point: every value at every input of small formats is compared with that of an interpreter of
//! the formula on integers; kills and proofs are attacked.

use crate::program_meaning::{result, spec};
use crate::support;
use crate::support::confirm::{attack, confirm};
use crate::support::rng::Rng;
use magneto::mutate::Change;
use magneto::num::{Integer, Rational};
use magneto::ops::{Constant, Op};
use magneto::spec::core::{Compare, Expr, ExprKind, Property, Value};
use magneto::spec::{Overrides, Spec, parse_file, resolve};
use magneto::suite::{Interrupt, Options, Status, generate};

/// How the interpreter computes: the numbers n 2^scale with -2^(bits - 1) <= n < 2^(bits - 1).
#[derive(Clone)]
struct Machine {
    scale: i32,
    bits: u32,
    round: String,
    overflow: String,
}

/// No value: a division by 0, or a number that nothing is known of.
struct NoValue;

impl Machine {
    fn within(&self, properties: &[Property]) -> Machine {
        let mut machine = self.clone();
        for property in properties {
            let Value::Data(datum) = &property.value else { panic!() };
            let text = datum.to_string();
            match property.key.as_str() {
                "round" => machine.round = text,
                "overflow" => machine.overflow = text,
                "precision" => {
                    let mut words = text.trim_matches(['(', ')']).split(' ').skip(1);
                    machine.scale = words.next().unwrap().parse().unwrap();
                    machine.bits = words.next().unwrap().parse().unwrap();
                }
                _ => {}
            }
        }
        machine
    }

    fn round(&self, x: &Rational) -> Result<Rational, NoValue> {
        let units =
            if self.scale < 0 { x.clone() << self.scale.unsigned_abs() } else { x.clone() >> self.scale as u32 };
        let (n, d) = (units.numer(), units.denom());
        let below = n.clone().div_rem_floor(d.clone()).0;
        let twice: Integer = 2 * (n - Integer::from(&below * d));
        let is_whole = twice == 0;
        let middle = twice.cmp(d);
        let up = match self.round.as_str() {
            _ if is_whole => false,
            "toNegative" => false,
            "toPositive" => true,
            "toZero" => *n < 0,
            _ if middle.is_ne() => middle.is_gt(),
            "nearestEven" => below.is_odd(),
            "nearestAway" => *n > 0,
            other => panic!("{other}"),
        };
        let mut k = below + i32::from(up);
        let half = Integer::from(1) << (self.bits - 1);
        if k < Integer::from(-&half) || k >= half {
            k = match self.overflow.as_str() {
                "clamp" => {
                    if k < 0 {
                        Integer::from(-&half)
                    } else {
                        half - 1
                    }
                }
                "wrap" => {
                    // The low bits in two's complement.
                    let low = k.keep_bits(self.bits);
                    if low >= half { low - (half << 1) } else { low }
                }
                "infinity" => return Err(NoValue),
                other => panic!("{other}"),
            };
        }
        let k = Rational::from(k);
        Ok(if self.scale < 0 { k >> self.scale.unsigned_abs() } else { k << self.scale as u32 })
    }

    /// The value of an expression before it is used: literals, casts and operations are rounded.
    fn value(&self, e: &Expr, names: &[(String, Option<Rational>)]) -> Result<Rational, NoValue> {
        match &e.kind {
            ExprKind::Number(n) => self.round(&n.value),
            ExprKind::Var(name) => names.iter().rfind(|(n, _)| n == name).expect("a name").1.clone().ok_or(NoValue),
            ExprKind::Cast(inner) => self.round(&self.value(inner, names)?),
            ExprKind::Annotated(properties, inner) => self.within(properties).value(inner, names),
            ExprKind::Let { bindings, body, .. } => {
                let mut all = names.to_vec();
                for (name, value) in bindings {
                    // What nothing uses plays no part.
                    all.push((name.clone(), self.value(value, names).ok()));
                }
                self.value(body, &all)
            }
            ExprKind::If(parts) => {
                let [condition, yes, no] = parts.as_ref();
                let ExprKind::Compare(how, sides) = &condition.kind else { panic!("{condition}") };
                let [a, b] = [&sides[0], &sides[1]].map(|side| self.value(side, names));
                let holds = match how {
                    Compare::Lt => a? < b?,
                    Compare::Le => a? <= b?,
                    other => panic!("{other:?}"),
                };
                self.value(if holds { yes } else { no }, names)
            }
            ExprKind::Op(op, operands) => {
                let mut args = Vec::new();
                for operand in operands {
                    args.push(self.round(&self.value(operand, names)?)?);
                }
                let y = match (op, args.as_slice()) {
                    (Op::Add, [a, b, more @ ..]) => {
                        let mut sum = Rational::from(a + b);
                        for c in more {
                            sum = self.round(&sum)? + c;
                        }
                        sum
                    }
                    (Op::Sub, [a, b]) => Rational::from(a - b),
                    (Op::Mul, [a, b]) => Rational::from(a * b),
                    (Op::Div, [_, b]) if *b == 0 => return Err(NoValue),
                    (Op::Div, [a, b]) => Rational::from(a / b),
                    (Op::Fma, [a, b, c]) => Rational::from(a * b) + c,
                    (Op::Neg, [a]) => Rational::from(-a),
                    (Op::Fabs, [a]) => a.clone().abs(),
                    (Op::Fmin, [a, b]) => a.min(b).clone(),
                    (Op::Fmax, [a, b]) => a.max(b).clone(),
                    (Op::Floor, [a]) => a.clone().floor(),
                    (Op::Round, [a]) => a.clone().round(),
                    other => panic!("{other:?}"),
                };
                self.round(&y)
            }
            ExprKind::Constant(Constant::Nan) => Err(NoValue),
            other => panic!("{other:?}"),
        }
    }

    /// What the program that a specification is returns.
    fn run(spec: &Spec, x: &[f64]) -> Option<f64> {
        let start = Machine { scale: 0, bits: 1, round: "nearestEven".into(), overflow: "infinity".into() };
        let machine = start.within(&spec.core.props);
        let value = |(input, x): (&magneto::spec::Input, &f64)| (input.name.clone(), Rational::from_f64(*x));
        let names: Vec<(String, Option<Rational>)> = spec.inputs.iter().zip(x).map(value).collect();
        let result = machine.value(spec.stated_body(), &names).and_then(|y| machine.round(&y)).ok()?;
        Some(result.to_f64())
    }
}

/// Random programs.
struct Maker {
    rng: Rng,
    names: Vec<String>,
}

const DIRECTIONS: [&str; 5] = ["nearestEven", "nearestAway", "toPositive", "toNegative", "toZero"];

impl Maker {
    fn context(&mut self) -> String {
        let (scale, bits) = (self.rng.below(7) as i32 - 5, self.rng.below(5) + 3);
        let format = format!(":precision (fixed {scale} {bits})");
        let round = format!(":round {}", self.rng.pick(&DIRECTIONS));
        let overflow = format!(":overflow {}", self.rng.pick(&["clamp", "wrap", "infinity", "wrap", "clamp"]));
        match self.rng.below(6) {
            0 => round,
            1 => format,
            2 => format!("{format} {overflow}"),
            3 => format!("{format} {round}"),
            _ => format!("{format} {round} {overflow}"),
        }
    }

    fn leaf(&mut self) -> String {
        match self.rng.below(3) {
            // Literals beyond a format are refused where nothing is known of them.
            0 => (*self.rng.pick(&["0", "1/8", "-1/4", "0.1"])).to_owned(),
            _ => self.rng.pick(&self.names.clone()).clone(),
        }
    }

    fn formula(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.leaf();
        }
        let d = depth - 1;
        match self.rng.below(14) {
            0 | 1 => format!("(+ {} {})", self.formula(d), self.formula(d)),
            2 => format!("(+ {} {} {})", self.formula(d), self.leaf(), self.formula(d)),
            3 => format!("(- {} {})", self.formula(d), self.formula(d)),
            4 | 5 => format!("(* {} {})", self.formula(d), self.formula(d)),
            6 => format!("(/ {} {})", self.formula(d), self.formula(d)),
            7 => format!("(fma {} {} {})", self.leaf(), self.formula(d), self.leaf()),
            8 => {
                let operator = *self.rng.pick(&["-", "fabs", "floor", "round"]);
                format!("({operator} {})", self.formula(d))
            }
            9 => {
                let operator = *self.rng.pick(&["fmin", "fmax"]);
                format!("({operator} {} {})", self.formula(d), self.formula(d))
            }
            10 => {
                let relation = *self.rng.pick(&["<", "<="]);
                format!(
                    "(if ({relation} {} {}) {} {})",
                    self.formula(d.min(1)),
                    self.leaf(),
                    self.formula(d),
                    self.formula(d)
                )
            }
            11 => {
                let name = format!("v{}", self.names.len());
                let value = self.formula(d);
                self.names.push(name.clone());
                let body = self.formula(d);
                self.names.pop();
                format!("(let ([{name} {value}]) {body})")
            }
            _ => {
                let cast = if self.rng.below(2) == 0 { format!("(cast {})", self.formula(d)) } else { self.formula(d) };
                format!("(! {} {cast})", self.context())
            }
        }
    }

    /// A program of two inputs of four and five bits.
    fn specification(&mut self, depth: u32) -> Spec {
        loop {
            self.names = vec!["x".to_owned(), "y".to_owned()];
            let (scale, bits) = (self.rng.below(5) as i32 - 4, self.rng.below(4) + 3);
            let text = format!(
                "(FPCore ((! :precision (fixed -2 4) x) (! :precision (fixed -3 5) y)) :name \"random\" \
                 :precision (fixed {scale} {bits}) :round {} :overflow {} :magneto-meaning program {})",
                self.rng.pick(&DIRECTIONS),
                self.rng.pick(&["clamp", "wrap", "infinity"]),
                self.formula(depth)
            );
            match resolve(&parse_file(text.as_bytes()), 0, "text.fpcore", &Overrides::default()) {
                Ok(spec) => return spec,
                Err(wrong) => {
                    assert!(wrong.iter().all(|w| w.message.contains("is beyond")), "{text}: {wrong:?}");
                }
            }
        }
    }
}

/// All numbers of the two inputs.
fn points() -> impl Iterator<Item = [f64; 2]> {
    (-8..8).flat_map(|x| (-16..16).map(move |y| [f64::from(x) / 4.0, f64::from(y) / 8.0]))
}

#[test]
fn values_are_those_of_the_program_at_every_input() {
    let mut maker = Maker { rng: Rng(17), names: Vec::new() };
    let (mut values, mut without) = (0, 0);
    for _ in 0..if support::long() { 5_000 } else { 150 } {
        let spec = maker.specification(3);
        for x in points() {
            let (found, expected) = (result(&spec, &x), Machine::run(&spec, &x));
            assert_eq!(found, expected, "{} at {x:?}", spec.to_stated_core().one_line());
            *if found.is_some() { &mut values } else { &mut without } += 1;
        }
    }
    assert!(values > 40_000 && without > 5_000, "{values} values, {without} without");
}

#[test]
fn claims_about_random_programs_hold() {
    let mut maker = Maker { rng: Rng(23), names: Vec::new() };
    let (mut kills, mut proofs, mut equal) = (0, 0, 0);
    for _ in 0..if support::long() { 300 } else { 7 } {
        let spec = maker.specification(3);
        if points().all(|x| result(&spec, &x).is_none()) {
            continue;
        }
        let run = generate(&spec, &Options { jobs: 2, ..Options::default() }, &Interrupt::default()).expect("a run");
        let report = confirm(&spec, &run);
        assert!(report.wrong.is_empty(), "{:#?}", report.wrong);
        kills += report.kills;
        let (own, broken) = attack(&spec, &run, 40, 3);
        assert!(broken.is_empty(), "{broken:#?}");
        proofs += own;
        // One function is the other one at every input.
        let owed_by: Vec<Option<f64>> = points().map(|x| result(&spec, &x)).collect();
        for m in run.mutants.iter().filter(|m| matches!(m.status, Status::Equivalent(_))) {
            let mutant = m.mutant.apply(&spec);
            if matches!(m.mutant.change, Change::Body(_)) {
                let others = points().map(|x| result(&mutant, &x));
                let apart =
                    points().zip(others.zip(&owed_by)).find(|(_, (own, other))| other.is_some() && own != *other);
                assert!(apart.is_none(), "{}: {} at {apart:?}", spec.to_stated_core().one_line(), m.mutant.after);
                equal += 1;
            }
        }
    }
    assert!(kills > 1_000 && proofs > 200 && equal > 100, "{kills} kills, {proofs} proofs, {equal} equal");
}

/// What fixed-point code gets wrong is told from the program: where it rounds and how, its ends, and the width of its sums.
#[test]
fn other_rounding_contexts_are_killed() {
    let spec = spec(
        "(FPCore (x y) :name \"mean\" :precision (fixed -7 8) :round toNegative :overflow clamp :magneto-meaning program \
         (cast (! :precision (fixed -14 32) (+ (* 0.75 x) (* 0.5 y)))))",
    );
    let run = generate(&spec, &Options { jobs: 2, ..Options::default() }, &Interrupt::default()).expect("a run");
    let status = |start: &str| {
        let found = run.mutants.iter().find(|m| m.mutant.after.starts_with(start));
        &found.unwrap_or_else(|| panic!("{start}")).status
    };
    for start in [
        "(! :round nearestEven (cast",
        "(! :round nearestAway (cast",
        "(! :round toPositive (cast",
        "(! :round toZero (cast",
        "(! :overflow wrap (cast",
        "(! :precision (fixed -6 8) (cast",
        "(! :precision (fixed -7 4) (cast",
    ] {
        assert_eq!(status(start), &Status::Killed, "{start}");
    }
    // The sum is exact in 16 bits, too: that is the same program, and no mutant.
    assert!(run.mutants.iter().all(|m| !m.mutant.after.starts_with("(! :precision (fixed -14 16)")));
}

/// What a context does not say is as outside of it, through one of floats as well.
#[test]
fn rounding_contexts_are_inherited() {
    let spec = spec(
        "(FPCore (x) :name \"nested\" :precision (fixed -3 5) :round nearestEven :overflow clamp :magneto-meaning program \
         (! :precision binary32 (* 0.5 (! :precision (fixed -3 6) (* 3 x)))))",
    );
    let said = magneto::spec::program_in_words(&spec.core);
    assert!(
        said.contains(
            "(fixed -3 5): each operation is rounded to nearest, halves to even, and one that overflows gives"
        ),
        "{said}"
    );
    // Beyond 4 the product is the largest number of six bits, 31/8.
    assert_eq!(result(&spec, &[1.875]), Some(1.875));
    assert_eq!(result(&spec, &[-1.0]), Some(-1.5));
    assert_eq!(result(&spec, &[-2.0]), Some(-2.0));
}

/// Floats round to nearest alone: another direction of the whole would be one of the part in binary32, and is no mutant.
#[test]
fn a_direction_that_floats_inside_have_not_is_no_mutant() {
    let spec = spec(
        "(FPCore (x) :name \"mixed\" :precision (fixed -7 8) :overflow clamp :magneto-meaning program \
         (+ (* x 0.7) (! :precision binary32 (* x 0.1))))",
    );
    let run = generate(&spec, &Options { jobs: 2, ..Options::default() }, &Interrupt::default()).expect("a run");
    let starts = |start: &str| run.mutants.iter().filter(|m| m.mutant.after.starts_with(start)).count();
    assert_eq!((starts("(! :round"), starts("(! :overflow wrap")), (0, 1));
}

/// What a program in fixed point cannot be is refused where it stands, with a remedy.
#[test]
fn what_is_no_program_in_fixed_point_is_refused() {
    for (rest, message, hint) in [
        (":precision (fixed -7 8) (+ x 1)", "`1` is beyond (fixed -7 8)", ":overflow clamp"),
        (":precision (fixed -7 8) :overflow saturate x", "`saturate` is not a way to overflow", "clamp"),
        (":precision (fixed -7 8) :round toNegativ x", "`toNegativ` is not a direction", "did you mean `toNegative`?"),
        (":precision (fixed -7 8) :magneto-overflow saturate x", "a program overflows where", ":overflow clamp"),
        (
            ":precision (fixed -7 8) (! :precision (fixed -7 200) (* x x))",
            "nothing is computed in `(fixed -7 200)`",
            "binary64",
        ),
        (
            ":precision (fixed -7 8) (! :precision binary32 :round toZero (* x x))",
            "no other rounding in binary32",
            "nearestEven",
        ),
        (
            ":precision (fixed -7 8) :round toZero (! :precision binary32 (* x x))",
            "no other rounding in binary32",
            "nearestEven",
        ),
        (
            ":precision (fixed -7 8) :round toZero (half x)",
            "a core that is called computes in (fixed -7 8)",
            "the `:round`",
        ),
    ] {
        let text = format!(
            "(FPCore half (x) :precision (fixed -7 8) (/ x 2))\n(FPCore (x) :pre (<= 0 x 0.5) :magneto-meaning program {rest})"
        );
        let wrong = resolve(&parse_file(text.as_bytes()), 1, "text.fpcore", &Overrides::default()).expect_err(rest);
        let found =
            wrong.iter().any(|w| w.message.contains(message) && w.hint.as_ref().is_some_and(|h| h.contains(hint)));
        assert!(found, "{rest}: {wrong:?}");
    }
}
