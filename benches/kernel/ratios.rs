//! The table of ratios: what is compared is measured by turns in one run, and the median of the turns is shown.

use crate::problems::{self, Problem};
use crate::reference;
use crate::rng::Rng;
use inari::Interval as I;
use magneto::num::{Interval, elementary as el};
use magneto::solve::contract::Contractor;
use magneto::solve::hc4::Hc4;
use magneto::tape::eval::Boxes;
use magneto::tape::evaluate;
use magneto::tape::grad::gradient;
use std::hint::black_box;
use std::time::Instant;

/// How often each candidate has its turn.
const TURNS: usize = 31;

/// The time of one call in ns.
fn time(f: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    f();
    start.elapsed().as_nanos() as f64
}

/// Median times of both in ns, by turns.
fn compare(a: &mut dyn FnMut(), b: &mut dyn FnMut()) -> (f64, f64) {
    a();
    b();
    let (mut x, mut y): (Vec<f64>, Vec<f64>) = (0..TURNS).map(|_| (time(a), time(b))).unzip();
    (median(&mut x), median(&mut y))
}

fn median(x: &mut [f64]) -> f64 {
    x.sort_by(f64::total_cmp);
    x[x.len() / 2]
}

fn alone(f: &mut dyn FnMut()) -> f64 {
    compare(f, &mut || {}).0
}

/// Intervals of width 0.01 to 0.1 in a range.
fn intervals(lo: f64, hi: f64) -> Vec<Interval> {
    let mut rng = Rng(7);
    (0..64)
        .map(|_| {
            let a = lo + rng.unit() * (hi - lo);
            Interval::new(a, a + 0.01 + 0.09 * rng.unit())
        })
        .collect()
}

fn of(x: Interval) -> I {
    I::try_from((x.inf(), x.sup())).expect("an interval")
}

fn function(name: &str, range: (f64, f64), ours: impl Fn(Interval) -> Interval, theirs: impl Fn(I) -> I) {
    let x = intervals(range.0, range.1);
    let y: Vec<I> = x.iter().map(|x| of(*x)).collect();
    let (a, b) = compare(
        &mut || {
            for x in &x {
                black_box(ours(black_box(*x)));
            }
        },
        &mut || {
            for y in &y {
                black_box(theirs(black_box(*y)));
            }
        },
    );
    let n = x.len() as f64;
    println!("{name:>6} {:>10.1} {:>10.1} {:>8.1}", a / n, b / n, b / a);
}

fn functions() {
    println!("\ninterval functions, ns an operation\n       {:>10} {:>10} {:>8}", "magneto", "inari", "ratio");
    let (two, ty) = (Interval::new(1.5, 1.75), of(Interval::new(1.5, 1.75)));
    function("exp", (-5.0, 5.0), el::exp, I::exp);
    function("ln", (0.1, 50.0), el::log, I::ln);
    function("sin", (-10.0, 10.0), el::sin, I::sin);
    function("cos", (-10.0, 10.0), el::cos, I::cos);
    function("tan", (-1.4, 1.4), |x| el::tan(x).0, I::tan);
    function("atan", (-5.0, 5.0), el::atan, I::atan);
    function("tanh", (-3.0, 3.0), el::tanh, I::tanh);
    function("pow", (0.1, 9.0), |x| el::pow(x, two), |x| x.pow(ty));
    function("+", (-5.0, 5.0), |x| x + two, |x| x + ty);
    function("-", (-5.0, 5.0), |x| x - two, |x| x - ty);
    function("*", (-5.0, 5.0), |x| x * two, |x| x * ty);
    function("/", (-5.0, 5.0), |x| two / x, |x| ty / x);
    function("sqr", (-5.0, 5.0), Interval::sqr, I::sqr);
    function("sqrt", (0.0, 50.0), Interval::sqrt, I::sqrt);
    function("x^3", (0.0, 50.0), |x| el::powi(x, 3.0), |x| x.powi(3));
}

/// ns a box, one box at a time.
fn scalar_hc4(p: &Problem) -> f64 {
    let (mut hc4, mut scratch) = (Hc4::default(), vec![Interval::EMPTY; p.boxes[0].len()]);
    let total = alone(&mut || {
        for domain in &p.boxes {
            scratch.copy_from_slice(domain);
            black_box(hc4.contract(&p.constraints, black_box(&mut scratch)));
        }
    });
    total / p.boxes.len() as f64
}

fn passes() {
    println!("\nns a box");
    println!("{:>24} {:>5} {:>8} {:>8} {:>8}", "problem", "ops", "forward", "HC4", "gradient");
    for p in problems::all().iter().chain([&problems::thirty()]) {
        let n = p.boxes.len() as f64;
        let mut values = Vec::new();
        let forward = alone(&mut || {
            for domain in &p.boxes {
                evaluate(&p.constraints.tape, &mut Boxes { inputs: black_box(domain) }, &mut values);
                black_box(&values);
            }
        });
        let (mut adjoint, mut out) = (Vec::new(), vec![Interval::EMPTY; p.boxes[0].len()]);
        let both = alone(&mut || {
            for domain in &p.boxes {
                evaluate(&p.constraints.tape, &mut Boxes { inputs: black_box(domain) }, &mut values);
                black_box(gradient(&p.constraints.tape, &values, p.constraints.list[0].node, &mut adjoint, &mut out));
            }
        });
        let (name, ops) = (&p.name, p.operations());
        let hc4 = scalar_hc4(p);
        let (forward, gradient) = (forward / n, (both - forward) / n);
        println!("{name:>24} {ops:>5} {forward:>8.0} {hc4:>8.0} {gradient:>8.0}");
    }
}

fn seven(solvable: bool) {
    let p = problems::doppler(solvable);
    let tape = reference::doppler();
    let boxes: Vec<Vec<I>> = p.boxes.iter().map(|b| b.iter().map(|x| of(*x)).collect()).collect();
    let mut values = vec![I::ENTIRE; tape.len()];
    let mut scratch = vec![I::ENTIRE; 3];
    let total = alone(&mut || {
        for domain in &boxes {
            scratch.copy_from_slice(domain);
            black_box(reference::hc4(&tape, &mut values, black_box(&mut scratch)));
        }
    });
    let n = p.boxes.len() as f64;
    println!("\nHC4 on {}, ns a box ({} on the tape)", p.name, p.operations());
    println!("inari tape                      {:>8.1}", total / n);
    println!("magneto                         {:>8.1}", scalar_hc4(&p));
}

/// Print all tables.
pub(crate) fn print() {
    functions();
    passes();
    seven(true);
    seven(false);
}
