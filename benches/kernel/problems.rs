//! The twelve named problems of the cost model, from FPBench's formulas in `fpbench/`, and boxes to evaluate them on.

use crate::constraint::constraint;
use crate::rng::Rng;
use magneto::csp::{Csp, Encoding, Pair};
use magneto::mutate::{Change, OperatorSet, mutants};
use magneto::num::{Interval, Rational};
use magneto::ops::Op;
use magneto::solve::Constraints;
use magneto::spec::{InputBox, Overrides, Spec, parse_file, resolve};
use magneto::tape::Builder;
use magneto::tape::lower::lower;
use std::path::Path;

/// File and name of each problem.
const NAMED: [(&str, &str); 12] = [
    ("paper/rosa.fpcore", "doppler1"),
    ("paper/rosa.fpcore", "jetEngine"),
    ("paper/rosa.fpcore", "turbine1"),
    ("paper/rosa.fpcore", "rigidBody1"),
    ("paper/rosa.fpcore", "sine"),
    ("paper/rosa.fpcore", "sqroot"),
    ("paper/fptaylor-extra.fpcore", "i6"),
    ("paper/fptaylor-extra.fpcore", "nonlin1"),
    ("paper/rosa.fpcore", "carbonGas"),
    ("paper/rosa.fpcore", "predatorPrey"),
    ("fptaylor-real2float.fpcore", "kepler0"),
    ("paper/fptaylor-real2float.fpcore", "azimuth"),
];

/// One problem: a specification against its first mutant that changes the function.
pub(crate) struct Problem {
    /// Its name.
    pub(crate) name: String,
    /// The constraints as the solver gets them.
    pub(crate) constraints: Constraints,
    /// Sub-boxes of its domain.
    pub(crate) boxes: Vec<Vec<Interval>>,
}

impl Problem {
    /// How many operators are on its tape.
    pub(crate) fn operations(&self) -> usize {
        self.constraints.tape.nodes().iter().filter(|n| matches!(n, magneto::tape::TapeNode::Op(..))).count()
    }
}

fn read(file: &str, name: &str) -> Spec {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fpbench").join(file);
    let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let file = parse_file(&bytes);
    (0..file.cores.len())
        .filter_map(|i| resolve(&file, i, &path.to_string_lossy(), &Overrides::default()).ok())
        .find(|spec| spec.name == name)
        .unwrap_or_else(|| panic!("{}: no formula named {name}", path.display()))
}

fn problem(file: &str, name: &str) -> Problem {
    let spec = read(file, name);
    let domain = InputBox::new(&spec).expect("a domain with inputs in it");
    let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
    let mut b = Builder::new(names.len());
    let f = lower(&mut b, &names, &spec.core.body);
    let g = mutants(&spec, &OperatorSet::Paper)
        .iter()
        .find_map(|m| match &m.change {
            Change::Body(body) => Some(lower(&mut b, &names, body)).filter(|g| *g != f),
            _ => None,
        })
        .expect("a mutant with another function");
    let pair = Pair::extract(&b.finish(), f, g, &[], &spec.accuracy, &spec.accuracy);
    let constraints = Csp::build(&pair, &domain, Encoding::Separation).remove(0).constraints;
    let boxes = sub_boxes(&domain.ranges, 256);
    Problem { name: name.to_owned(), constraints, boxes }
}

/// All twelve.
pub(crate) fn all() -> Vec<Problem> {
    NAMED.iter().map(|(file, name)| problem(file, name)).collect()
}

/// Sub-boxes, each side between a half and a 64th of the whole.
pub(crate) fn sub_boxes(whole: &[Interval], count: usize) -> Vec<Vec<Interval>> {
    let mut rng = Rng(1);
    let side = |rng: &mut Rng, x: &Interval| {
        let width = (x.sup() - x.inf()) * 0.5 * (1.0 / 32.0f64).powf(rng.unit());
        let lo = x.inf() + rng.unit() * (x.sup() - x.inf() - width);
        Interval::new(lo, (lo + width).min(x.sup()))
    };
    (0..count).map(|_| whole.iter().map(|x| side(&mut rng, x)).collect()).collect()
}

/// doppler1's seven operations: -(331.4 + 0.6 T) v / (331.4 + 0.6 T + u)^2 >= 0 over (u, v, T).
///
/// If `solvable`, the boxes have zero in `v`, so that every one of them holds solutions and is walked forward and
/// backward; else two thirds of them are empty, which one box at a time is seen early.
pub(crate) fn doppler(solvable: bool) -> Problem {
    let mut b = Builder::new(3);
    let [u, v, t] = [0, 1, 2].map(|i| b.var(i));
    let (c, k) = (b.rational(Rational::from((1657, 5))), b.rational(Rational::from((3, 5))));
    let kt = b.op(Op::Mul, &[k, t]);
    let speed = b.op(Op::Add, &[c, kt]);
    let minus = b.op(Op::Neg, &[speed]);
    let top = b.op(Op::Mul, &[minus, v]);
    let sum = b.op(Op::Add, &[speed, u]);
    let square = b.op(Op::Mul, &[sum, sum]);
    let root = b.op(Op::Div, &[top, square]);
    let ranges = vec![Interval::new(-100.0, 100.0), Interval::new(-5000.0, 15000.0), Interval::new(-30.0, 50.0)];
    let mut boxes = sub_boxes(&ranges, 1024);
    for b in boxes.iter_mut().filter(|_| solvable) {
        b[1] = Interval::new(b[1].inf().min(-1.0), b[1].sup().max(1.0));
    }
    Problem {
        name: (if solvable { "doppler1's 7 operations" } else { "the same, two thirds of the boxes empty" }).into(),
        constraints: constraint(b, root),
        boxes,
    }
}

/// Thirty operations + - * / sqrt and squares over three inputs, every one of them needed.
pub(crate) fn thirty() -> Problem {
    let mut b = Builder::new(3);
    let [x, y, z] = [0, 1, 2].map(|i| b.var(i));
    let mut acc = x;
    let coefficient = |b: &mut Builder, k: i32| b.rational(Rational::from((2 * k + 9, 7)));
    for k in 0..5 {
        // Six operations a round.
        let (c, v) = (coefficient(&mut b, k), [x, y, z][k as usize % 3]);
        let s = b.op(Op::Mul, &[v, v]);
        let s = b.op(Op::Add, &[s, c]);
        let s = if k % 2 == 0 { b.op(Op::Sqrt, &[s]) } else { b.op(Op::Mul, &[s, z]) };
        acc = b.op(Op::Mul, &[acc, s]);
        acc = b.op(Op::Sub, &[v, acc]);
        let s = b.op(Op::Add, &[s, y]);
        acc = b.op(Op::Div, &[acc, s]);
    }
    let ranges = vec![Interval::new(-2.0, 3.0), Interval::new(0.5, 4.0), Interval::new(-1.0, 5.0)];
    let boxes = sub_boxes(&ranges, 256);
    Problem { name: "30 operations".into(), constraints: constraint(b, acc), boxes }
}
