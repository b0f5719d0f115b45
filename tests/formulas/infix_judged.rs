//! Formulas as people write them, judged by the languages themselves: Python and a C compiler evaluate random texts, and
//! the formula that was read has the same values.

use crate::support::compilers::has;
use magneto::infix::{Notation, read};
use magneto::num::random::Random;
use magneto::spec::core::{Arg, Core};
use magneto::tape::eval::Points;
use magneto::tape::lower::lower;
use magneto::tape::{Builder, evaluate};
use magneto::text::Span;
use std::process::Command;

const NAMES: [&str; 3] = ["x", "y", "z"];
/// Values of the inputs: few numbers of the formulas are near a step at them.
pub(crate) const POINTS: [[f64; 3]; 4] = [[1.25, -2.6, 3.3], [-0.7, 0.45, 1.9], [2.3, 5.1, -0.35], [0.15, 1.7, 2.75]];
/// How far two ways of rounding may be apart.
const NEAR: f64 = 1e-9;

/// How a language writes what formulas are made of.
struct Grammar {
    notation: Notation,
    binary: &'static [&'static str],
    functions: &'static [&'static str],
    of_two: &'static [&'static str],
    literals: &'static [&'static str],
}

const PYTHON: Grammar = Grammar {
    notation: Notation::Python,
    binary: &["+", "-", "*", "/", "**", "%", "//", "+", "-", "*", "/"],
    functions: &["abs", "math.sin", "math.cos", "math.floor", "math.atan"],
    of_two: &["max", "min", "math.fmod", "math.hypot", "pow"],
    literals: &["2", "3", "0.5", "1.5", "7", "0.375", "2.5e-1"],
};

const C: Grammar = Grammar {
    notation: Notation::C,
    binary: &["+", "-", "*", "/"],
    functions: &["fabs", "sin", "cos", "floor", "atan"],
    of_two: &["fmax", "fmin", "fmod", "hypot", "pow"],
    literals: &["2", "3", "0.5", "1.5", "7.0", "0.375", "2.5e-1"],
};

impl Grammar {
    fn pick(rng: &mut Random, of: &[&'static str]) -> &'static str {
        of[rng.index(of.len())]
    }

    fn condition(&self, rng: &mut Random, depth: u32) -> String {
        let compare = Self::pick(rng, &["<", "<=", ">", ">="]);
        let one = format!("{} {compare} {}", self.sum(rng, depth), self.sum(rng, depth));
        let (and, or, not) = if self.notation == Notation::Python { ("and", "or", "not ") } else { ("&&", "||", "!") };
        match rng.index(6) {
            0 => format!("{one} {and} {}", self.condition(rng, 0)),
            1 => format!("{one} {or} {}", self.condition(rng, 0)),
            2 => format!("{not}({one})"),
            3 if self.notation == Notation::Python => format!("{one} {compare} {}", self.sum(rng, 0)),
            _ => one,
        }
    }

    fn term(&self, rng: &mut Random, depth: u32) -> String {
        match rng.index(if depth == 0 { 4 } else { 9 }) {
            0 => Self::pick(rng, self.literals).to_owned(),
            1..=3 => Self::pick(rng, &NAMES).to_owned(),
            4 => format!("({})", self.whole(rng, depth - 1)),
            5 => format!("{}({})", Self::pick(rng, self.functions), self.sum(rng, depth - 1)),
            6 => {
                let function = Self::pick(rng, self.of_two);
                format!("{function}({}, {})", self.sum(rng, depth - 1), self.sum(rng, depth - 1))
            }
            _ => format!("-{}", self.term(rng, depth - 1)).replace("--", "- -"),
        }
    }

    fn sum(&self, rng: &mut Random, depth: u32) -> String {
        let mut text = self.term(rng, depth);
        for _ in 0..rng.index(4) {
            let space = ["", " "][rng.index(2)];
            let operand = self.term(rng, depth.saturating_sub(1));
            let gap = if operand.starts_with('-') { " " } else { space };
            text = format!("{text}{space}{}{gap}{operand}", Self::pick(rng, self.binary));
        }
        text
    }

    fn whole(&self, rng: &mut Random, depth: u32) -> String {
        if depth == 0 || rng.index(3) > 0 {
            return self.sum(rng, depth);
        }
        let (one, other, c) = (self.sum(rng, depth - 1), self.whole(rng, depth - 1), self.condition(rng, depth - 1));
        match self.notation {
            Notation::Python => format!("{one} if {c} else {other}"),
            _ => format!("{c} ? {one} : {other}"),
        }
    }

    /// Random texts that can be read, with the values of what was read.
    fn texts(&self, count: usize) -> Vec<(String, [f64; 4])> {
        let mut rng = Random::seeded(20);
        let mut texts = Vec::new();
        for _ in 0..10 * count {
            let text = self.whole(&mut rng, 3);
            if let Some(values) = values(&text, self.notation) {
                texts.push((text, values));
                if texts.len() == count {
                    return texts;
                }
            }
        }
        panic!("{} texts of {} tried could be read", texts.len(), 10 * count);
    }
}

/// The values of a formula at the points, NaN where it has none and where a change of the inputs by one part in 10^12
/// changes it much, more for one input than for another, as it does at a step; none if the formula is refused.
fn values(text: &str, notation: Notation) -> Option<[f64; 4]> {
    let mut core = read(text, notation).ok()?.core;
    if core.args.iter().any(|arg| !NAMES.contains(&arg.name.as_str())) {
        return None;
    }
    core.args = NAMES
        .iter()
        .map(|name| Arg {
            name: (*name).to_owned(),
            props: Vec::new(),
            sizes: Vec::new(),
            size_names: Vec::new(),
            span: Span::default(),
        })
        .collect();
    Some(values_of(&core))
}

/// The same of a formula of three inputs at most.
pub(crate) fn values_of(core: &Core) -> [f64; 4] {
    let names: Vec<String> = core.args.iter().map(|arg| arg.name.clone()).collect();
    let mut builder = Builder::new(names.len());
    let root = lower(&mut builder, &names, &core.body);
    let tape = builder.finish();
    let beside = |by: f64| {
        // Of an input with a format of its own the integers are meant, to which C cuts the numbers.
        let moved = |(i, arg): (usize, &Arg)| match arg.props.is_empty() {
            true => POINTS.map(|p| p[i] * (1.0 + by * (i as f64 + 1.0))),
            false => POINTS.map(|p| p[i].trunc()),
        };
        let inputs: Vec<[f64; 4]> = core.args.iter().enumerate().map(moved).collect();
        let mut values = Vec::new();
        evaluate(&tape, &mut Points { inputs: &inputs }, &mut values);
        values[root.index()]
    };
    let (at, below, above) = (beside(0.0), beside(-1e-12), beside(1e-12));
    std::array::from_fn(|k| if is_near(at[k], below[k]) && is_near(at[k], above[k]) { at[k] } else { f64::NAN })
}

/// Whether two values are one, rounded in two ways.
fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() < NEAR * (1.0 + b.abs())
}

/// Compare values where there are any in the language and over the reals: a negative number has no power 0.5 there, and a
/// condition on it no truth value.
pub(crate) fn compare(texts: &[(String, [f64; 4])], judged: &[[f64; 4]]) {
    assert_eq!(texts.len(), judged.len());
    let mut wrong = Vec::new();
    let mut compared = 0;
    for ((text, ours), theirs) in texts.iter().zip(judged) {
        for ((a, b), point) in ours.iter().zip(theirs).zip(POINTS) {
            if a.is_finite() && b.is_finite() {
                compared += 1;
                if !is_near(*a, *b) {
                    wrong.push(format!("{text} at {point:?}: {a} and not {b}"));
                }
            }
        }
    }
    assert!(compared > 2 * texts.len(), "{compared} values compared");
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
}

/// The numbers that a program prints, four for each text.
pub(crate) fn numbers(out: &str) -> Vec<[f64; 4]> {
    let line = |l: &str| -> Vec<f64> { l.split_whitespace().map(|w| w.parse().unwrap()).collect() };
    out.lines().map(|l| line(l).try_into().unwrap()).collect()
}

#[test]
fn formulas_in_python_have_the_values_that_python_gives_them() {
    if !has(&["python3"]) {
        return;
    }
    let texts = PYTHON.texts(2_000);
    let folder = tempfile::tempdir().unwrap();
    let points = format!("{POINTS:?}");
    let listed: Vec<&String> = texts.iter().map(|(text, _)| text).collect();
    let program = format!(
        "import math\n\
         for text in {listed:?}:\n\
         \x20   row = []\n\
         \x20   for x, y, z in {points}:\n\
         \x20       try:\n\
         \x20           row.append(float(eval(text)))\n\
         \x20       except (ArithmeticError, ValueError, TypeError):\n\
         \x20           row.append(math.nan)\n\
         \x20   print(*map(repr, row))\n"
    );
    let file = folder.path().join("texts.py");
    std::fs::write(&file, program).unwrap();
    let out = Command::new("python3").args(["-W", "ignore"]).arg(&file).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    compare(&texts, &numbers(&String::from_utf8(out.stdout).unwrap()));
}

#[test]
fn formulas_in_c_have_the_values_that_c_gives_them() {
    if !has(&["cc"]) {
        return;
    }
    let texts = C.texts(1_000);
    let folder = tempfile::tempdir().unwrap();
    let mut program = "#include <math.h>\n#include <stdio.h>\n".to_owned();
    for (k, (text, _)) in texts.iter().enumerate() {
        program += &format!("static double f{k}(double x, double y, double z) {{ return {text}; }}\n");
    }
    program += "int main(void) {\n";
    for k in 0..texts.len() {
        for ([x, y, z], end) in POINTS.iter().zip([" ", " ", " ", "\\n"]) {
            program += &format!("printf(\"%.17g{end}\", f{k}({x:?}, {y:?}, {z:?}));\n");
        }
    }
    program += "return 0; }\n";
    let (file, binary) = (folder.path().join("texts.c"), folder.path().join("texts"));
    std::fs::write(&file, program).unwrap();
    let out =
        Command::new("cc").args(["-O0", "-w", "-ffp-contract=off", "-o"]).args([&binary, &file]).arg("-lm").output();
    let out = out.unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let out = Command::new(&binary).output().unwrap();
    compare(&texts, &numbers(&String::from_utf8(out.stdout).unwrap().replace("-nan", "nan")));
}

/// Makes random expressions by SymPy and prints each as `srepr`, as text and in LaTeX, with its values.
const SYMPY: &str = r#"
import math, random, sys
from sympy import *
names = symbols('x y z')
points = eval(sys.argv[1])
rng = random.Random(7)

def leaf():
    return rng.choice(names + (Integer(2), Rational(1, 3), Float('0.375'), pi, Integer(-3), E))

def make(depth):
    if depth == 0:
        return leaf()
    a, b = make(depth - 1), make(rng.randrange(depth))
    return rng.choice([
        lambda: a + b, lambda: a - b, lambda: a * b, lambda: a / b, lambda: a ** rng.choice([2, 3, -1, -2, Rational(1, 2)]),
        lambda: sqrt(a), lambda: exp(-a), lambda: log(a), lambda: sin(a), lambda: cos(a), lambda: Abs(a), lambda: Max(a, b),
        lambda: Piecewise((a, names[0] > b), (b, True)), lambda: atan(a), lambda: floor(a), lambda: Mod(a, 3), lambda: -a,
    ])()

def value(e, point):
    v = complex(e.subs(dict(zip(names, point))).evalf(20))
    return repr(v.real) if abs(v.imag) == 0 and math.isfinite(v.real) else 'nan'

count = 0
while count < 250:
    try:
        e = make(3)
        row = [value(e, point) for point in points]
        text = srepr(e)
    except (TypeError, ValueError, ArithmeticError, RecursionError):
        continue
    if e.has(I, zoo, nan, oo) or 'arg(' in text or 're(' in text or len(e.free_symbols) == 0:
        continue
    count += 1
    print(text, str(e), latex(e, ln_notation=True), ' '.join(row), sep='\t')
"#;

#[test]
fn what_sympy_prints_has_the_values_that_sympy_gives_it() {
    let has_sympy = || Command::new("python3").args(["-c", "import sympy"]).output().is_ok_and(|o| o.status.success());
    if !has(&["python3"]) || !has_sympy() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("expressions.py");
    std::fs::write(&file, SYMPY).unwrap();
    let points = format!("{POINTS:?}");
    let out = Command::new("python3").args(["-W", "ignore"]).arg(&file).arg(points).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let out = String::from_utf8(out.stdout).unwrap();
    let rows: Vec<Vec<&str>> = out.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows.len(), 250);
    for form in [0, 1] {
        let read = |row: &Vec<&str>| {
            let values = values(row[form], Notation::Sympy);
            let text = row[form].to_owned();
            let values = values.unwrap_or_else(|| panic!("{text}: {}", refusal(&text, Notation::Sympy)));
            (text, values)
        };
        let texts: Vec<(String, [f64; 4])> = rows.iter().map(read).collect();
        let judged: String = rows.iter().map(|row| format!("{}\n", row[3])).collect();
        compare(&texts, &numbers(&judged));
    }
    // In LaTeX some have two readings.
    let read = |row: &Vec<&str>| Some((row[2].to_owned(), values(row[2], Notation::Latex)?, format!("{}\n", row[3])));
    let (mut texts, mut judged) = (Vec::new(), String::new());
    for (text, values, row) in rows.iter().filter_map(read) {
        texts.push((text, values));
        judged += &row;
    }
    assert!(texts.len() > 140, "{} texts in LaTeX", texts.len());
    compare(&texts, &numbers(&judged));
}

/// Why a formula is refused.
fn refusal(text: &str, notation: Notation) -> String {
    read(text, notation).map_or_else(|d| d.render("formula", text.as_bytes()), |reading| reading.core.to_string())
}
