//! Random pairs of functions that differ in one place.

use super::{Encoding, Kind, claims, seeds, text, wrong};
use crate::support;
use crate::support::points::Points;
use crate::support::rng::Rng;

/// Makes pairs of functions that differ in one place which is used several times, so that what is cancelled between
/// them meets itself.
pub(super) struct Maker {
    pub(super) random: Rng,
}

const LEAVES: [&str; 15] = ["x", "y", "t", "t", "t", "x", "y", "1", "2", "0.5", "0.1", "-1", "0", "3", "PI"];
const NEAR: [&str; 10] = ["sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh", "log1p", "expm1"];
const UNARY: [&str; 24] = [
    "fabs",
    "fabs",
    "fabs",
    "sqrt",
    "exp",
    "log",
    "cos",
    "-",
    "floor",
    "ceil",
    "round",
    "trunc",
    "cbrt",
    "acos",
    "cosh",
    "erf",
    "log2",
    "exp2",
    "acosh",
    "nearbyint",
    "lgamma",
    "tgamma",
    "log10",
    "erfc",
];
const BINARY: [&str; 18] = [
    "+",
    "-",
    "*",
    "/",
    "+",
    "-",
    "*",
    "fmin",
    "fmax",
    "fmin",
    "fmax",
    "pow",
    "hypot",
    "atan2",
    "fdim",
    "copysign",
    "fmod",
    "remainder",
];
const RANGES: [&str; 22] = [
    "(<= -1 V 1)",
    "(<= 0 V 1)",
    "(<= -0.5 V 0.5)",
    "(<= 0 V 0.4)",
    "(<= 1 V 2)",
    "(<= -2 V 0)",
    "(<= 0.1 V 0.3)",
    "(<= -1e-3 V 1e-3)",
    "(< 0 V 1)",
    "(<= 0 V 1e-320)",
    "(<= 1 V 1.000000000000002)",
    "(<= 0.5 V 0.5)",
    "(<= -10 V 10)",
    "(<= 1e-5 V 1e5)",
    "(< V 0)",
    "(<= -3 V 700)",
    "(<= 0 V)",
    "(< -5e-324 V 5e-324)",
    "(<= -1e-310 V 1e-310)",
    "(<= 1.5 V 4.5)",
    "(<= -1e300 V 1e300)",
    "(and (< -1 V) (< V 1))",
];
const CONDITIONS: [&str; 14] = [
    "",
    "",
    "",
    "",
    "",
    "",
    "(< x y)",
    "(< (+ (* x x) (* y y)) 1)",
    "(!= x y)",
    "(not (== x 0))",
    "(or (< x 0) (> y 1/2))",
    "(<= (* x y) 0)",
    "(not (and (< x 1/2) (< y 1/2)))",
    "(> (+ x y) 1e-6)",
];
const ACCURACIES: [&str; 16] = [
    ":magneto-abs-error 0.1",
    ":magneto-abs-error 0.3",
    ":magneto-abs-error 1",
    ":magneto-rel-error 0.1",
    ":magneto-rel-error 0.5",
    ":magneto-rel-error 1e-3",
    ":magneto-abs-error 1e-6",
    ":magneto-rel-error 1e-10",
    ":magneto-rel-error 0.05 :magneto-abs-error 0.01",
    ":magneto-ulps (1 binary64)",
    ":magneto-ulps (3 binary32)",
    ":magneto-ulps (2 binary64) :magneto-rel-error 1e-9 :magneto-abs-error 1e-12",
    ":magneto-rel-error 0.99",
    ":magneto-rel-error 1",
    ":magneto-abs-error 100",
    ":magneto-abs-error 3",
];

/// What is E by some law: everywhere, where something has a value, or nearly.
const LAWS: [&str; 30] = [
    "(acosh (cosh E))",
    "(cosh (acosh E))",
    "(sinh (asinh E))",
    "(sinh (acosh (cosh E)))",
    "(tan (atan E))",
    "(atan (tan E))",
    "(exp (log E))",
    "(log (exp E))",
    "(if (< E S) E E)",
    "(if (< (log S) T) E E)",
    "(if (< S T) (if (< S T) E S) E)",
    "(if (<= E S) E S)",
    "(if (< E S) S E)",
    "(if (not (< S T)) E (if (<= T S) T E))",
    "(if (< S T) (if (< (sqrt S) T) E S) S)",
    "(fmin E (fmax E S))",
    "(fmax E (fmin E S))",
    "(fmin (fmin E S) E)",
    "(fmod (fmod E S) S)",
    "(- E (* S (trunc (/ E S))))",
    "(fabs (copysign E S))",
    "(copysign (copysign E S) E)",
    "(copysign (fabs E) E)",
    "(* S (/ E S))",
    "(sqrt (fmax (* E E) 0))",
    "(exp (fmax (log E) (log E)))",
    "(log (fmax (exp E) (exp S)))",
    "(- PI_2 (atan (/ 1 E)))",
    "(+ (atan2 E S) (atan2 S E))",
    "(asin (sin E))",
];

impl Maker {
    fn pick(&mut self, list: &[&'static str]) -> &'static str {
        self.random.pick::<&'static str>(list)
    }

    /// An expression over x, y and, where `leaves` has it, t.
    fn expr(&mut self, depth: usize, leaves: &[&'static str]) -> String {
        if depth == 0 || self.random.below(7) == 0 {
            return self.pick(leaves).to_owned();
        }
        let d = depth - 1;
        match self.random.below(24) {
            0..=2 => format!("({} {})", self.pick(&NEAR), self.expr(d, leaves)),
            3..=6 => format!("({} {})", self.pick(&UNARY), self.expr(d, leaves)),
            7..=17 => format!("({} {} {})", self.pick(&BINARY), self.expr(d, leaves), self.expr(d, leaves)),
            18 | 19 => {
                let n = self.pick(&["2", "3", "-1", "0.5", "-2", "1/3", "0", "4", "-0.5", "1.5"]);
                format!("(pow {} {n})", self.expr(d, leaves))
            }
            20 | 21 => {
                let relation = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
                let (a, b) = (self.expr(d.min(1), leaves), self.expr(0, leaves));
                format!("(if ({relation} {a} {b}) {} {})", self.expr(d, leaves), self.expr(d, leaves))
            }
            // One argument under two functions, or nearly the identity beside itself.
            22 => {
                let (q, f) = (self.expr(d, leaves), self.pick(&NEAR));
                format!("(- ({f} {q}) {q})")
            }
            _ => {
                let (f, a, b) = (self.pick(&UNARY), self.expr(d, leaves), self.expr(d, leaves));
                format!("(- ({f} {a}) ({f} {b}))")
            }
        }
    }

    /// Something near `e`, in value or in shape.
    fn near(&mut self, e: &str) -> String {
        let some = self.expr(1, &["x", "y", "1", "0.5"]);
        if self.random.below(3) == 0 {
            let (law, t) = (self.pick(&LAWS), self.expr(1, &["x", "y", "1", "0.5"]));
            return law.replace('E', e).replace('S', &some).replace('T', &t);
        }
        match self.random.below(16) {
            0 => format!("(+ {e} 1e-3)"),
            1 => format!("(* {e} 1.01)"),
            2 => format!("(+ {e} (* 1e-2 {some}))"),
            3 => format!("(fmin {e} {some})"),
            4 => format!("(fmax {e} {some})"),
            5 => format!("(fabs {e})"),
            6 => format!("({} {e})", self.pick(&NEAR)),
            7 => format!("(* {e} (/ {some} {some}))"),
            8 => format!("(- (+ {e} {some}) {some})"),
            9 => format!("(sqrt (* {e} {e}))"),
            10 => format!("(/ {e} 1.0000001)"),
            11 => format!("(- {e})"),
            12 => format!("(if (< x y) {e} (+ {e} {some}))"),
            13 => format!("(* {e} {some})"),
            14 => format!(
                "(if ({} {some} {}) {e} {})",
                self.pick(&["==", "<", "<="]),
                self.pick(&["0", "1", "x"]),
                self.expr(1, &["x", "y", "0"])
            ),
            _ => some,
        }
    }

    /// A head, a body and another one.
    pub(super) fn twins(&mut self) -> (String, String, String) {
        let (x, y) = (self.pick(&RANGES).replace('V', "x"), self.pick(&RANGES).replace('V', "y"));
        let (condition, accuracy) = (self.pick(&CONDITIONS), self.pick(&ACCURACIES));
        let format = self.pick(&["binary64", "binary64", "binary64", "binary32"]);
        let response = self.pick(&["reject", "reject", "nan", "any", "saturate"]);
        let head = format!(
            "(x y) :precision {format} :pre (and {x} {y} {condition}) :magneto-out-of-range {response} {accuracy}"
        );
        let depth = 1 + self.random.below(4);
        let body = self.expr(depth, &LEAVES);
        let t = self.expr(2, &["x", "y", "x", "y", "1", "0.5", "2"]);
        let s = self.near(&t);
        if body.contains('t') && self.random.below(4) != 0 {
            (head, format!("(let ([t {t}]) {body})"), format!("(let ([t {s}]) {body})"))
        } else {
            let near = self.near(&body);
            (head, format!("(let ([t {t}]) {body})"), format!("(let ([t {t}]) {near})"))
        }
    }
}

#[test]
fn random_twins() {
    let seeds = seeds(250);
    let judged = support::on_two_threads(&seeds, |_, seed| {
        let mut maker = Maker { random: Rng(seed.wrapping_mul(0x5851_f42d_4c95_7f2d)) };
        let (head, own, mutant) = maker.twins();
        let (spec, body) = (support::spec(&text(&head, &own)), support::spec(&text(&head, &mutant)).core.body);
        let Some(points) = Points::new(&spec, &[&spec.core.body, &body]) else { return (None, Kind::Open) };
        let points = points.make(40, &mut maker.random);
        let encoding = if seed % 8 == 7 { Encoding::Paper } else { Encoding::Separation };
        let boxes = [60, 300, 900][*seed as usize % 3];
        let (problem, kind) =
            wrong(&spec, &body, &claims(&spec, &body, (boxes, 960), encoding, seed % 4 == 0), &points);
        (problem.map(|p| format!("{seed} {encoding:?} {boxes}: {p}\n    {}\n    {mutant}", text(&head, &own))), kind)
    });
    let count = |k: Kind| judged.iter().filter(|x| x.1 == k).count();
    let (killed, proved, open) = (count(Kind::Killed), count(Kind::Proved), count(Kind::Open));
    println!("{} random twins: {killed} killed, {proved} proved, {open} open", seeds.len());
    let problems: Vec<&String> = judged.iter().filter_map(|j| j.0.as_ref()).collect();
    for p in &problems {
        println!("{p}");
    }
    assert!(problems.is_empty(), "{} wrong", problems.len());
    assert!(killed * 10 > seeds.len() && proved * 10 > seeds.len());
}
