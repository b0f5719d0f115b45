//! Answers of `magneto::smt` on tiny formats against brute force: random formulas of all operations, with all values of their
//! unknowns tried by another evaluator. No answer is wrong, and a model is a model.

use crate::tiny_floats::{integer, nearest, number, remainder, sum, tiny, values};
use magneto::decide::Confirmation;
use magneto::floats::ordinal;
use magneto::floats::ordinal::{NAN, ZERO};
use magneto::floats::{Format, Rounding};
use magneto::smt::{Budget, SatStatus, run};
use std::fmt::Write as _;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn one<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// A term that is a float; a direction is one of five, or the unknown one.
enum Float {
    Unknown(usize),
    Value(i64),
    /// A function without a direction.
    Plain(&'static str, Vec<Float>),
    /// One with a direction.
    Rounded(&'static str, Option<Rounding>, Vec<Float>),
    /// By way of another format.
    Through(Format, Option<Rounding>, Box<Float>),
    /// From the unknown bits.
    Bits,
    /// From the unknown bits as an integer, signed or not.
    Integer(bool, Option<Rounding>),
    Choice(Box<Truth>, Box<Float>, Box<Float>),
    /// A real number, rounded.
    OfReal(Option<Rounding>, Box<Real>),
}

/// A term that is a real number.
enum Real {
    /// In quarters.
    Number(i32),
    Of(Float),
    Minus(Box<Real>),
    /// `+`, `-` or `*`
    Two(&'static str, Box<Real>, Box<Real>),
    Choice(Box<Truth>, Box<Real>, Box<Real>),
}

enum Truth {
    Compare(&'static str, Float, Float),
    Class(&'static str, Float),
    Connect(&'static str, Vec<Truth>),
    /// The unknown truth value.
    Unknown,
    /// The unknown bits are below a number.
    Below(u64),
    /// A float in range, as an integer, is the unknown bits.
    Integer(bool, Option<Rounding>, Float),
    /// A comparison of real numbers.
    Reals(&'static str, Real, Real),
}

const FORMAT: (u32, u32) = (2, 3);
const WIDTH: u32 = FORMAT.0 + FORMAT.1;

fn of() -> Format {
    tiny(FORMAT.0, FORMAT.1)
}

fn float(random: &mut Random, depth: usize) -> Float {
    let mode = |r: &mut Random| if r.below(4) == 0 { None } else { Some(r.one(&Rounding::ALL)) };
    if depth == 0 || random.below(6) == 0 {
        return match random.below(8) {
            0 => Float::Bits,
            1..=2 => Float::Value(random.one(&values(of()))),
            _ => Float::Unknown(random.below(2)),
        };
    }
    let some = |r: &mut Random, n: usize| (0..n).map(|_| float(r, depth - 1)).collect::<Vec<_>>();
    match random.below(14) {
        13 => Float::OfReal(mode(random), Box::new(real(random, 1))),
        0 => Float::Plain(random.one(&["fp.neg", "fp.abs"]), some(random, 1)),
        1 => Float::Plain(random.one(&["fp.min", "fp.max", "fp.rem"]), some(random, 2)),
        2..=6 => {
            let name = random.one(&["fp.add", "fp.sub", "fp.mul", "fp.div"]);
            Float::Rounded(name, mode(random), some(random, 2))
        }
        7 => Float::Rounded("fp.fma", mode(random), some(random, 3)),
        8..=9 => Float::Rounded(random.one(&["fp.sqrt", "fp.roundToIntegral"]), mode(random), some(random, 1)),
        10 => {
            let other = random.one(&[tiny(2, 2), tiny(3, 3), tiny(3, 2), tiny(2, 5)]);
            Float::Through(other, mode(random), Box::new(float(random, depth - 1)))
        }
        11 => Float::Integer(random.below(2) == 0, mode(random)),
        _ => {
            let condition = Box::new(truth(random, depth - 1));
            Float::Choice(condition, Box::new(float(random, depth - 1)), Box::new(float(random, depth - 1)))
        }
    }
}

/// A real number; of floats that are no more than an operation.
fn real(random: &mut Random, depth: usize) -> Real {
    if depth == 0 || random.below(3) == 0 {
        return match random.below(4) {
            0 => Real::Number(random.below(17) as i32 - 8),
            _ => {
                let depth = random.below(2);
                Real::Of(float(random, depth))
            }
        };
    }
    let [a, b] = [(); 2].map(|()| Box::new(real(random, depth - 1)));
    match random.below(6) {
        0 => Real::Minus(a),
        1 => Real::Choice(Box::new(truth(random, 0)), a, b),
        _ => Real::Two(random.one(&["+", "-", "*"]), a, b),
    }
}

const REAL_COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "=", "distinct"];
const COMPARISONS: [&str; 6] = ["fp.lt", "fp.leq", "fp.gt", "fp.geq", "fp.eq", "="];
const CLASSES: [&str; 7] =
    ["fp.isNaN", "fp.isInfinite", "fp.isZero", "fp.isNormal", "fp.isSubnormal", "fp.isNegative", "fp.isPositive"];

fn truth(random: &mut Random, depth: usize) -> Truth {
    match random.below(14) {
        12..=13 => Truth::Reals(random.one(&REAL_COMPARISONS), real(random, 2), real(random, 2)),
        0..=5 => Truth::Compare(random.one(&COMPARISONS), float(random, depth), float(random, depth)),
        6 => Truth::Class(random.one(&CLASSES), float(random, depth)),
        7 => Truth::Unknown,
        8 => match random.below(2) {
            0 => Truth::Below(random.below(1 << WIDTH) as u64),
            _ => Truth::Integer(random.below(2) == 0, Some(random.one(&Rounding::ALL)), float(random, depth)),
        },
        _ if depth == 0 => Truth::Unknown,
        _ => {
            let name = random.one(&["and", "or", "not", "xor", "=>"]);
            let n = if name == "not" { 1 } else { 2 };
            Truth::Connect(name, (0..n).map(|_| truth(random, depth - 1)).collect())
        }
    }
}

fn mode_text(mode: &Option<Rounding>) -> &'static str {
    mode.map_or("r", |m| m.names()[0])
}

/// A value as SMT-LIB writes it.
fn literal(format: Format, n: i64) -> String {
    let (eb, sb) = (format.exponent_bits() as usize, format.precision() as usize);
    if n == NAN {
        return format!("(_ NaN {eb} {sb})");
    }
    let bits = ordinal::magnitude(n) as u64;
    let (exponent, fraction) = (bits >> (sb - 1), bits & ((1 << (sb - 1)) - 1));
    format!("(fp #b{} #b{exponent:0eb$b} #b{fraction:0sb$b})", u8::from(n < 0), sb = sb - 1)
}

impl Float {
    fn text(&self) -> String {
        let all = |x: &[Float]| x.iter().map(Float::text).collect::<Vec<_>>().join(" ");
        let (eb, sb) = FORMAT;
        match self {
            Float::Unknown(i) => ["x", "y"][*i].to_owned(),
            Float::Value(n) => literal(of(), *n),
            Float::Plain(name, x) => format!("({name} {})", all(x)),
            Float::Rounded(name, mode, x) => format!("({name} {} {})", mode_text(mode), all(x)),
            Float::Through(f, mode, x) => {
                let (there, mode) = (format!("(_ to_fp {} {})", f.exponent_bits(), f.precision()), mode_text(mode));
                format!("((_ to_fp {eb} {sb}) {mode} ({there} {mode} {}))", x.text())
            }
            Float::Bits => format!("((_ to_fp {eb} {sb}) b)"),
            Float::Integer(signed, mode) => {
                let name = if *signed { "to_fp" } else { "to_fp_unsigned" };
                format!("((_ {name} {eb} {sb}) {} b)", mode_text(mode))
            }
            Float::Choice(c, x, y) => format!("(ite {} {} {})", c.text(), x.text(), y.text()),
            Float::OfReal(mode, x) => format!("((_ to_fp {eb} {sb}) {} {})", mode_text(mode), x.text()),
        }
    }

    /// Its value, by the standard; `None` where that depends on which zero a minimum is.
    fn value(&self, at: &Point) -> Option<i64> {
        let format = of();
        let real = |n: i64| number(format, n);
        let values = |x: &[Float]| x.iter().map(|x| x.value(at)).collect::<Option<Vec<i64>>>();
        let mode_of = |mode: &Option<Rounding>| mode.unwrap_or(at.mode);
        Some(match self {
            Float::Unknown(i) => at.x[*i],
            Float::Value(n) => *n,
            Float::Plain(name, x) => {
                let x = values(x)?;
                match *name {
                    "fp.neg" => {
                        if x[0] == NAN {
                            NAN
                        } else {
                            -1 - x[0]
                        }
                    }
                    "fp.abs" => {
                        if x[0] == NAN {
                            NAN
                        } else {
                            x[0].max(-1 - x[0])
                        }
                    }
                    "fp.rem" => remainder(format, real(x[0]), real(x[1])),
                    name => {
                        let (a, b) = (real(x[0]), real(x[1]));
                        match (a.is_nan(), b.is_nan()) {
                            (true, _) => x[1],
                            (_, true) => x[0],
                            _ if a == 0.0 && b == 0.0 && x[0] != x[1] => return None,
                            _ => {
                                if (a < b) == (name == "fp.min") {
                                    x[0]
                                } else {
                                    x[1]
                                }
                            }
                        }
                    }
                }
            }
            Float::Rounded(name, mode, x) => {
                let (x, mode) = (values(x)?, mode_of(mode));
                let a = real(x[0]);
                let b = x.get(1).map_or(0.0, |b| real(*b));
                match *name {
                    "fp.add" => sum(format, mode, a, b),
                    "fp.sub" => sum(format, mode, a, -b),
                    "fp.mul" => nearest(format, mode, a * b),
                    "fp.div" => nearest(format, mode, a / b),
                    "fp.fma" => sum(format, mode, a * b, real(x[2])),
                    "fp.sqrt" => nearest(format, mode, a.sqrt()),
                    _ => nearest(format, mode, integer(mode, a)),
                }
            }
            Float::Through(there, mode, x) => {
                let (n, mode) = (x.value(at)?, mode_of(mode));
                nearest(format, mode, number(*there, nearest(*there, mode, real(n))))
            }
            Float::Bits => {
                let (sign, rest) = (at.bits >> (WIDTH - 1), at.bits as i64 & ((1 << (WIDTH - 1)) - 1));
                if rest > format.infinity() {
                    NAN
                } else if sign == 1 {
                    -1 - rest
                } else {
                    rest
                }
            }
            Float::Integer(signed, mode) => {
                let n =
                    at.bits as f64 - if *signed && at.bits >> (WIDTH - 1) == 1 { f64::from(1 << WIDTH) } else { 0.0 };
                nearest(format, mode_of(mode), n)
            }
            // A real zero has no sign.
            Float::OfReal(mode, x) => nearest(format, mode_of(mode), x.value(at)? + 0.0),
            Float::Choice(c, x, y) => {
                if c.value(at)? {
                    x.value(at)?
                } else {
                    y.value(at)?
                }
            }
        })
    }
}

impl Real {
    fn text(&self) -> String {
        match self {
            Real::Number(n) if *n < 0 => format!("(- (/ {}.0 4.0))", -n),
            Real::Number(n) => format!("(/ {n}.0 4)"),
            Real::Of(x) => format!("(fp.to_real {})", x.text()),
            Real::Minus(x) => format!("(- {})", x.text()),
            Real::Two(name, x, y) => format!("({name} {} {})", x.text(), y.text()),
            Real::Choice(c, x, y) => format!("(ite {} {} {})", c.text(), x.text(), y.text()),
        }
    }

    /// Its value, exact for a few operations of tiny floats; `None` where the standard does not say it.
    fn value(&self, at: &Point) -> Option<f64> {
        Some(match self {
            Real::Number(n) => f64::from(*n) / 4.0,
            Real::Of(x) => return x.value(at).map(|x| number(of(), x)).filter(|x| x.is_finite()),
            Real::Minus(x) => -x.value(at)?,
            Real::Two(name, x, y) => {
                let (x, y) = (x.value(at)?, y.value(at)?);
                match *name {
                    "+" => x + y,
                    "-" => x - y,
                    _ => x * y,
                }
            }
            Real::Choice(c, x, y) => {
                if c.value(at)? {
                    x.value(at)?
                } else {
                    y.value(at)?
                }
            }
        })
    }
}

impl Truth {
    fn text(&self) -> String {
        match self {
            Truth::Compare(name, x, y) => format!("({name} {} {})", x.text(), y.text()),
            Truth::Class(name, x) => format!("({name} {})", x.text()),
            Truth::Connect(name, x) => {
                format!("({name} {})", x.iter().map(Truth::text).collect::<Vec<_>>().join(" "))
            }
            Truth::Reals(name, x, y) => format!("({name} {} {})", x.text(), y.text()),
            Truth::Unknown => "p".to_owned(),
            Truth::Below(n) => format!("(bvult b #b{n:0width$b})", width = WIDTH as usize),
            Truth::Integer(signed, mode, x) => {
                let (lo, hi, name) = if *signed { ("-1.0", "1.0", "sbv") } else { ("0.0", "2.0", "ubv") };
                let (x, (eb, sb)) = (x.text(), FORMAT);
                let real = |n: &str| match n.strip_prefix('-') {
                    Some(n) => format!("((_ to_fp {eb} {sb}) RNE (- {n}))"),
                    None => format!("((_ to_fp {eb} {sb}) RNE {n})"),
                };
                let mode = mode_text(mode);
                format!("(and (fp.leq {} {x} {}) (= ((_ fp.to_{name} {WIDTH}) {mode} {x}) b))", real(lo), real(hi))
            }
        }
    }

    fn value(&self, at: &Point) -> Option<bool> {
        let format = of();
        Some(match self {
            Truth::Compare(name, x, y) => {
                let (x, y) = (x.value(at)?, y.value(at)?);
                let (a, b) = (number(format, x), number(format, y));
                match *name {
                    "fp.lt" => a < b,
                    "fp.leq" => a <= b,
                    "fp.gt" => a > b,
                    "fp.geq" => a >= b,
                    "fp.eq" => a == b,
                    _ => x == y,
                }
            }
            Truth::Class(name, x) => {
                let n = x.value(at)?;
                let a = number(format, n);
                let least = 2f64.powi(format.emin());
                match *name {
                    "fp.isNaN" => a.is_nan(),
                    "fp.isInfinite" => a.is_infinite(),
                    "fp.isZero" => a == 0.0,
                    "fp.isNormal" => a.is_finite() && a.abs() >= least,
                    "fp.isSubnormal" => a != 0.0 && a.abs() < least,
                    "fp.isNegative" => !a.is_nan() && a.is_sign_negative(),
                    _ => !a.is_nan() && a.is_sign_positive(),
                }
            }
            Truth::Connect(name, x) => {
                let x: Vec<bool> = x.iter().map(|x| x.value(at)).collect::<Option<_>>()?;
                match *name {
                    "and" => x[0] && x[1],
                    "or" => x[0] || x[1],
                    "not" => !x[0],
                    "xor" => x[0] != x[1],
                    _ => !x[0] || x[1],
                }
            }
            Truth::Reals(name, x, y) => {
                let (x, y) = (x.value(at)?, y.value(at)?);
                match *name {
                    "<" => x < y,
                    "<=" => x <= y,
                    ">" => x > y,
                    ">=" => x >= y,
                    "=" => x == y,
                    _ => x != y,
                }
            }
            Truth::Unknown => at.truth,
            Truth::Below(n) => at.bits < *n,
            Truth::Integer(signed, mode, x) => {
                let a = number(format, x.value(at)?);
                let (lo, hi) = if *signed { (-1.0, 1.0) } else { (0.0, 2.0) };
                let bits = integer(mode.unwrap_or(at.mode), a) as i64 as u64 & ((1 << WIDTH) - 1);
                lo <= a && a <= hi && bits == at.bits
            }
        })
    }
}

/// Values of the unknowns.
struct Point {
    x: [i64; 2],
    mode: Rounding,
    bits: u64,
    truth: bool,
}

/// Whether some values make all formulas true; `None` where only such might that leave it to a choice of zeros.
fn brute(formulas: &[Truth]) -> Option<bool> {
    let text: String = formulas.iter().map(Truth::text).collect();
    // What is not there takes one value.
    let has = |name: &str| text.split(|c: char| !c.is_ascii_alphanumeric()).any(|w| w == name);
    let all = values(of());
    let numbers = |name: &str| if has(name) { all.clone() } else { vec![ZERO] };
    let modes = if has("r") { &Rounding::ALL[..] } else { &Rounding::ALL[..1] };
    let bits = if has("b") { 1 << WIDTH } else { 1 };
    let mut open = false;
    for x in numbers("x") {
        for y in numbers("y") {
            for mode in modes {
                for bits in 0..bits {
                    for truth in [false, true] {
                        let at = Point { x: [x, y], mode: *mode, bits, truth };
                        let values: Vec<Option<bool>> = formulas.iter().map(|f| f.value(&at)).collect();
                        if values.iter().all(|v| *v == Some(true)) {
                            return Some(true);
                        }
                        open |= values.iter().all(|v| *v != Some(false));
                    }
                }
            }
        }
    }
    if open { None } else { Some(false) }
}

#[test]
fn no_answer_is_wrong() {
    let scripts = std::env::var("MAGNETO_SCRIPTS").map_or(120, |n| n.parse().expect("a number"));
    let (eb, sb) = FORMAT;
    let mut counts = [0; 3];
    let (mut confirmed, mut left) = (0, 0);
    for seed in 0..scripts {
        let mut random = Random(seed);
        let formulas: Vec<Truth> = (0..1 + random.below(3)).map(|_| truth(&mut random, 2)).collect();
        let mut script = format!(
            "(declare-const x (_ FloatingPoint {eb} {sb}))(declare-const y (_ FloatingPoint {eb} {sb}))\n\
             (declare-const r RoundingMode)(declare-const p Bool)(declare-const b (_ BitVec {WIDTH}))\n"
        );
        for formula in &formulas {
            let _ = writeln!(script, "(assert {})", formula.text());
        }
        let budget = Budget { confirmation: Some(2000), ..Budget::from(100_000) };
        let answers = run(&format!("{script}(check-sat)"), budget).unwrap_or_else(|d| panic!("{script}\n{d:?}"));
        let check = &answers.checks[0];
        match (check.status, brute(&formulas)) {
            (SatStatus::Sat, Some(false)) | (SatStatus::Unsat, Some(true)) => {
                panic!("script {seed}: {} is wrong:\n{script}", check.status.word())
            }
            // What is open where it does not matter, as in a branch that is not taken, may stand in the way.
            (SatStatus::Unknown, Some(_)) => left += 1,
            (SatStatus::Sat, _) => counts[0] += 1,
            (SatStatus::Unsat, _) => counts[1] += 1,
            (SatStatus::Unknown, None) => counts[2] += 1,
        }
        assert!(!matches!(check.confirmation, Some(Confirmation::Refuted(_))), "script {seed}:\n{script}");
        confirmed += i32::from(matches!(check.confirmation, Some(Confirmation::Confirmed(_))));
        if check.status == SatStatus::Sat {
            // The model again, by its text: each value put in for its unknown.
            let _ = write!(script, "(assert (and");
            for (name, value) in &check.model {
                let _ = write!(script, " (= {name} {value})");
            }
            let again = run(&format!("{script}))(check-sat)"), 100_000).expect("the same script");
            assert_eq!(again.checks[0].status, SatStatus::Sat, "script {seed}: no model:\n{script}");
            let of = |name: &str| check.model.iter().find(|m| m.0 == name).map(|m| m.1.clone()).expect("a value");
            let float = |name: &str| *values(self::of()).iter().find(|n| text_of(**n) == of(name)).expect("a float");
            let at = Point {
                x: [float("x"), float("y")],
                mode: *Rounding::ALL.iter().find(|m| m.names()[1] == of("r")).expect("a direction"),
                bits: u64::from_str_radix(&of("b")[2..], 2).expect("bits"),
                truth: of("p") == "true",
            };
            let wrong = formulas.iter().any(|f| f.value(&at) == Some(false));
            assert!(!wrong, "script {seed}: the model is none: {:?}\n{script}", check.model);
        }
    }
    println!("{} sat, {} unsat, {} left open", counts[0], counts[1], counts[2]);
    println!("{confirmed} confirmed by evaluation");
    assert!(2 * confirmed > counts[1]);
    assert!(200 * left <= scripts, "{left} of {scripts} scripts are not decided");
    assert!(counts[0] > scripts as i32 / 4 && counts[1] > scripts as i32 / 20);
}

/// A value as a model writes it.
fn text_of(n: i64) -> String {
    let format = of();
    if format.is_infinite(n) {
        return format!("(_ {}oo {} {})", if n < 0 { '-' } else { '+' }, FORMAT.0, FORMAT.1);
    }
    literal(format, n)
}

#[test]
fn zeros_of_minima_are_open() {
    let check = |assertion: &str| {
        let script = format!(
            "(define-fun n () Float32 (_ -zero 8 24))(define-fun z () Float32 (_ +zero 8 24))(assert {assertion})(check-sat)"
        );
        run(&script, 1000).expect("a script").checks[0].status
    };
    assert_eq!(check("(= (fp.min n z) n)"), SatStatus::Sat);
    assert_eq!(check("(= (fp.min n z) z)"), SatStatus::Sat);
    assert_eq!(check("(not (= (fp.min n z) (fp.min n z)))"), SatStatus::Unsat);
    assert_eq!(check("(and (= (fp.min n z) n) (= (fp.min n z) z))"), SatStatus::Unsat);
    assert_eq!(check("(fp.isNaN (fp.max n z))"), SatStatus::Unsat);
}
