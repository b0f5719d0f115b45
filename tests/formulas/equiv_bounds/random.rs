//! Random functions on random domains, with bounds and tolerances that a point refutes.

use super::number;
use crate::support::rng::Rng;
use magneto::csp::tolerance::LowerTolerance;
use magneto::equiv::Prover;
use magneto::floats::Format;
use magneto::num::float::{power_of_two, rational};
use magneto::num::mpfr::{Float, Round};
use magneto::num::{Interval, MpInterval, Rational};
use magneto::ops::Op;
use magneto::points::probes::{many, probes};
use magneto::spec::InputBox;
use magneto::tape::eval::{Multi, Points, mp_truth};
use magneto::tape::{Builder, NodeId, Tape, evaluate};

/// A random expression; the constant at place `changed` is multiplied by `by`.
struct Maker<'r> {
    r: &'r mut Rng,
    inputs: usize,
    constants: usize,
    changed: usize,
    by: Rational,
}

impl Maker<'_> {
    fn constant(&mut self, b: &mut Builder) -> NodeId {
        let (n, d) =
            *self.r.pick(&[(1, 1), (2, 1), (3, 1), (1, 2), (1, 3), (1, 10), (7, 5), (10, 1), (-1, 1), (-3, 2)]);
        let mut value = Rational::from((n, d));
        if self.r.below(12) == 0 {
            value *= number(self.r.pick::<&str>(&["1e300", "1e-300", "1e30", "1e-30", "1e-8"]));
        }
        if self.constants == self.changed {
            value *= &self.by;
        }
        self.constants += 1;
        b.rational(value)
    }

    fn leaf(&mut self, b: &mut Builder) -> NodeId {
        if self.r.below(4) == 0 { self.constant(b) } else { b.var(self.r.below(self.inputs)) }
    }

    /// a x + b, a x y, x^2 + c and their like.
    fn polynomial(&mut self, b: &mut Builder) -> NodeId {
        let (p, q) = (self.leaf(b), self.leaf(b));
        let c = self.constant(b);
        let product = b.op(Op::Mul, &[p, c]);
        match self.r.below(5) {
            0 => p,
            1 => b.op(Op::Mul, &[product, q]),
            2 => b.op(Op::Add, &[product, q]),
            3 => b.op(Op::Sub, &[product, q]),
            // c (p - q)^2
            _ => {
                let difference = b.op(Op::Sub, &[p, q]);
                let square = b.op(Op::Mul, &[difference, difference]);
                b.op(Op::Mul, &[c, square])
            }
        }
    }

    fn expression(&mut self, b: &mut Builder, depth: u32) -> NodeId {
        if depth == 0 {
            return self.polynomial(b);
        }
        match self.r.below(23) {
            0..=4 => {
                let (x, y) = (self.expression(b, depth - 1), self.expression(b, depth - 1));
                b.op(*self.r.pick(&[Op::Add, Op::Sub, Op::Mul, Op::Div]), &[x, y])
            }
            // Differences that vanish: 1 - cos u, u - sin u, e^u - 1, A(u) - A(v).
            5 => {
                let u = self.polynomial(b);
                let (one, cos) = (b.rational(Rational::from(1)), b.op(Op::Cos, &[u]));
                b.op(Op::Sub, &[one, cos])
            }
            6 => {
                let u = self.polynomial(b);
                let sin = b.op(Op::Sin, &[u]);
                let multiple = if self.r.below(2) == 0 {
                    u
                } else {
                    let c = self.constant(b);
                    b.op(Op::Mul, &[u, c])
                };
                b.op(Op::Sub, &[multiple, sin])
            }
            7 => {
                let u = self.polynomial(b);
                let (one, exp) = (b.rational(Rational::from(1)), b.op(Op::Exp, &[u]));
                b.op(Op::Sub, &[exp, one])
            }
            8 | 9 => {
                let (u, v, k) = (self.polynomial(b), self.polynomial(b), self.polynomial(b));
                let op = *self.r.pick(&[Op::Log, Op::Atan, Op::Cbrt, Op::Sqrt, Op::Asinh]);
                let (p, q) = (b.op(op, &[u]), b.op(op, &[v]));
                let difference = b.op(Op::Sub, &[p, q]);
                b.op(Op::Mul, &[k, difference])
            }
            // Sums of exponentials.
            10..=12 => {
                let mut sum = b.rational(Rational::new());
                for _ in 0..2 + self.r.below(3) {
                    let (c, u) = (self.constant(b), self.polynomial(b));
                    let exp = b.op(Op::Exp, &[u]);
                    let term = b.op(Op::Mul, &[c, exp]);
                    sum = b.op(Op::Add, &[sum, term]);
                }
                sum
            }
            13 => {
                let (x, y) = (self.expression(b, depth - 1), self.polynomial(b));
                b.op(*self.r.pick(&[Op::Fmax, Op::Fmin, Op::Hypot, Op::Copysign, Op::Fdim, Op::Atan2]), &[x, y])
            }
            14 => {
                let (x, y) = (self.expression(b, depth - 1), self.constant(b));
                b.op(Op::Pow, &[x, y])
            }
            15 => {
                let u = self.expression(b, depth - 1);
                let all = [Op::Tanh, Op::Cosh, Op::Sinh, Op::Asin, Op::Acosh, Op::Cbrt, Op::Log1p, Op::Expm1, Op::Erf];
                b.op(*self.r.pick(&all), &[u])
            }
            // Products of sines and cosines, and what squares decide.
            16 | 17 => {
                let mut sum = self.constant(b);
                for _ in 0..1 + self.r.below(3) {
                    let mut term = self.constant(b);
                    for _ in 0..1 + self.r.below(3) {
                        let u = self.polynomial(b);
                        let wave = b.op(*self.r.pick(&[Op::Sin, Op::Cos]), &[u]);
                        term = b.op(Op::Mul, &[term, wave]);
                    }
                    sum = b.op(*self.r.pick(&[Op::Add, Op::Sub]), &[sum, term]);
                }
                sum
            }
            18 => {
                let (c, k, u) = (self.constant(b), self.constant(b), self.expression(b, depth - 1));
                let root = b.op(Op::Sqrt, &[u]);
                let root = b.op(Op::Mul, &[k, root]);
                b.op(*self.r.pick(&[Op::Add, Op::Sub]), &[c, root])
            }
            _ => {
                let u = self.expression(b, depth - 1);
                let all = [Op::Exp, Op::Log, Op::Sin, Op::Cos, Op::Sqrt, Op::Fabs, Op::Tan, Op::Atan, Op::Floor];
                b.op(*self.r.pick(&all), &[u])
            }
        }
    }
}

fn random_range(r: &mut Rng) -> Interval {
    let whole = Format::BINARY64.max();
    let all = [
        (-1.0, 1.0),
        (0.0, 1.0),
        (1.0, 2.0),
        (1e-3, 1e3),
        (-700.0, 700.0),
        (-whole, whole),
        (0.0, whole),
        (5e-324, 1e-300),
        (0.0, 1e-320),
        (-1e-13, 1.0),
        (1e150, 1e300),
        (0.3, 0.3),
        (0.0, 0.0),
        (-5e-324, 5e-324),
        (-9.0, -1e-9),
        (2.0, 7.0),
    ];
    let (lo, hi) = if r.below(3) == 0 {
        let (a, b) = (r.unit() * 10.0 - 5.0, r.unit() * 10.0 - 5.0);
        (a.min(b), a.max(b))
    } else {
        *r.pick(&all)
    };
    Interval::new(lo, hi)
}

const BITS: u32 = 500;

/// f and g as they are written, for values that are sure.
struct Literal {
    tape: Tape,
    f: NodeId,
    g: NodeId,
    condition: Option<NodeId>,
}

impl Literal {
    /// The values at a point of the domain.
    fn at(&self, x: &[f64]) -> Option<(MpInterval, MpInterval)> {
        let inputs: Vec<MpInterval> = x.iter().map(|x| MpInterval::from_f64(*x, BITS)).collect();
        let mut v = Vec::new();
        evaluate(&self.tape, &mut Multi { inputs: &inputs, precision: BITS }, &mut v);
        let holds = |c: NodeId| v[c.index()].def.is_true() && mp_truth(&v[c.index()]).is_true();
        self.condition.is_none_or(holds).then(|| (v[self.f.index()].clone(), v[self.g.index()].clone()))
    }

    /// f and g in binary64 arithmetic.
    fn approximate(&self, x: &[f64]) -> (f64, f64) {
        let inputs: Vec<[f64; 1]> = x.iter().map(|v| [*v]).collect();
        let mut v = Vec::new();
        evaluate(&self.tape, &mut Points { inputs: &inputs }, &mut v);
        (v[self.f.index()][0], v[self.g.index()][0])
    }
}

/// The smallest and the largest magnitude in an enclosure; none beyond what a rational can hold.
fn magnitudes(x: &MpInterval) -> Option<(Rational, Rational)> {
    let fits = |f: &Float| f.is_finite() && f.get_exp().is_none_or(|e| e.abs() < 20_000);
    if !x.def.is_true() || !fits(&x.lo) || !fits(&x.hi) {
        return None;
    }
    let (lo, hi) = (x.lo.to_rational()?, x.hi.to_rational()?);
    let largest = lo.clone().abs().max(hi.clone().abs());
    let least = if lo > 0 {
        lo
    } else if hi < 0 {
        -hi
    } else {
        Rational::new()
    };
    Some((least, largest))
}

fn distance(x: &MpInterval, y: &MpInterval) -> MpInterval {
    let sub = |a: &Float, b: &Float, r: Round| Float::with_val_round(BITS, a - b, r).0;
    MpInterval { def: x.def & y.def, ..MpInterval::new(sub(&x.lo, &y.hi, Round::Down), sub(&x.hi, &y.lo, Round::Up)) }
}

/// The points with the largest sizes, and what a direct search finds from there.
fn best(domain: &InputBox, points: &[Vec<f64>], size: impl Fn(&[f64]) -> f64) -> Vec<Vec<f64>> {
    let mut sized: Vec<(f64, &Vec<f64>)> = points.iter().map(|x| (size(x), x)).filter(|s| s.0.is_finite()).collect();
    sized.sort_by(|a, b| b.0.total_cmp(&a.0));
    sized.truncate(3);
    let mut found: Vec<Vec<f64>> = sized.iter().map(|s| s.1.clone()).collect();
    for (mut largest, from) in sized {
        let mut at = from.clone();
        for halving in 1..50 {
            for (i, sign) in (0..at.len()).flat_map(|i| [(i, 1.0), (i, -1.0)]) {
                let mut x = at.clone();
                x[i] += sign * x[i].abs().max(1e-9) * 0.5f64.powi(halving);
                let x = domain.clamp(&x);
                let here = size(&x);
                if here.is_finite() && here > largest {
                    (at, largest) = (x, here);
                }
            }
        }
        found.push(at);
    }
    found
}

#[derive(Default, Debug)]
struct Count {
    problems: usize,
    bounds: usize,
    bounds_proved: usize,
    beyond: usize,
    beyond_proved: usize,
    near: usize,
    near_proved: usize,
    one_value: usize,
}

/// The values of binary32 in a box; the box itself if it has none somewhere.
fn narrowed(domain: &InputBox) -> InputBox {
    let format = Format::BINARY32;
    let part =
        |r: &Interval| Some(Interval::new(format.ceil(r.inf())?, format.floor(r.sup())?)).filter(|r| !r.is_empty());
    match domain.ranges.iter().map(part).collect() {
        Some(ranges) => InputBox { ranges, formats: vec![format; domain.formats.len()] },
        None => domain.clone(),
    }
}

/// One problem: random f and g on a random domain, and questions of which a point shows that the answer is no.
fn fight(seed: u64, count: &mut Count) {
    let mut r = Rng(seed);
    let inputs = 1 + r.below(2);
    let domain = InputBox {
        ranges: (0..inputs).map(|_| random_range(&mut r)).collect(),
        formats: vec![Format::BINARY64; inputs],
    };
    let domain = if r.below(4) == 0 { narrowed(&domain) } else { domain };
    let depth = r.below(3) as u32;
    let shape = r.bits();
    let changed = r.below(6);
    let by = number(r.pick::<&str>(&["1.000000001", "1.001", "2", "-1", "1.0000000000000000000001"]));
    let kind = r.below(6);
    let conditioned = inputs == 2 && r.below(3) == 0;
    let build = |mut b: Builder| {
        let mut same = Rng(shape);
        let mut maker = Maker { r: &mut same, inputs, constants: 0, changed: usize::MAX, by: by.clone() };
        let f = maker.expression(&mut b, depth);
        // What the other one is made of besides.
        let q = maker.polynomial(&mut b);
        let mut again = Rng(shape);
        let mut maker = Maker { r: &mut again, inputs, constants: 0, changed, by: by.clone() };
        let g = maker.expression(&mut b, depth);
        let g = match kind {
            0 => {
                let c = b.rational(by.clone());
                b.op(Op::Mul, &[f, c])
            }
            1 => {
                let ratio = b.op(Op::Div, &[q, q]);
                b.op(Op::Mul, &[g, ratio])
            }
            2 => {
                let root = b.op(Op::Sqrt, &[q]);
                let none = b.op(Op::Sub, &[root, root]);
                b.op(Op::Add, &[g, none])
            }
            _ => g,
        };
        // Between the same limits.
        let (f, g) = if kind == 3 {
            let op = if shape.is_multiple_of(2) { Op::Fmax } else { Op::Fmin };
            (b.op(op, &[f, q]), b.op(op, &[q, g]))
        } else {
            (f, g)
        };
        let condition = conditioned.then(|| {
            let (x, y) = (b.var(0), b.var(1));
            let one = b.rational(Rational::from(1));
            let all = |b: &mut Builder, kind: usize| match kind {
                0 => b.less(x, y),
                1 => {
                    let sum = b.op(Op::Add, &[x, y]);
                    b.less_eq(sum, one)
                }
                2 => {
                    let (x, y) = (b.op(Op::Mul, &[x, x]), b.op(Op::Mul, &[y, y]));
                    let sum = b.op(Op::Add, &[x, y]);
                    b.less(sum, one)
                }
                3 => {
                    let log = b.op(Op::Log, &[x]);
                    b.less_eq(log, y)
                }
                // What f itself is made of.
                _ => {
                    let by_y = b.op(Op::Mul, &[q, y]);
                    b.less_eq(one, by_y)
                }
            };
            all(&mut b, (shape % 5) as usize)
        });
        (b.finish(), f, g, condition)
    };
    let (tape, f, g, condition) = build(Builder::literal(inputs));
    let literal = Literal { tape, f, g, condition };
    let (tape, f, g, condition) = build(Builder::new(inputs));
    let conditions: Vec<NodeId> = condition.into_iter().collect();
    let mut points = probes(&domain);
    points.truncate(150);
    points.extend(many(&domain, 60));
    let wrong = |what: &str, k: &dyn std::fmt::Debug, x: &[f64]| -> ! {
        panic!("seed {seed}: {what} {k:?}; but at {x:?}\non {:?}\n{:#?}", domain.ranges, literal.tape)
    };
    let mut prover = Prover::new(&tape, &domain, &conditions);
    count.problems += 1;
    let shrinks = [number("1e-9"), number("1e-3"), power_of_two(-70)];
    // |f| at most, and beyond.
    let large = best(&domain, &points, |x| literal.approximate(x).0.abs());
    let certain = |x: &Vec<f64>| Some((magnitudes(&literal.at(x)?.0)?, x.clone()));
    if let Some(((least, _), x)) = large.iter().filter_map(certain).max_by(|a, b| a.0.0.cmp(&b.0.0)) {
        if least > 0 {
            for s in &shrinks {
                let k = &least * (Rational::from(1) - s);
                count.bounds += 1;
                if prover.prove_at_most(f, &k).is_some() {
                    wrong("|f| is proved to be at most", &k.to_f64(), &x);
                }
            }
        }
        let k = least * number("1.01") + power_of_two(-1060);
        count.bounds_proved += usize::from(prover.prove_at_most(f, &k).is_some());
    }
    let small = best(&domain, &points, |x| -literal.approximate(x).0.abs());
    if let Some(((_, most), x)) = small.iter().filter_map(certain).min_by(|a, b| a.0.1.cmp(&b.0.1)) {
        for s in &shrinks {
            let k = (&most * (Rational::from(1) + s)) + power_of_two(-1080);
            count.beyond += 1;
            if prover.prove_beyond(f, &k).is_some() {
                wrong("|f| is proved to be at least", &k.to_f64(), &x);
            }
        }
        let k = most * number("0.99") - power_of_two(-1060);
        count.beyond_proved += usize::from(k > 0 && prover.prove_beyond(f, &k).is_some());
    }
    // f near g.
    let a = number(Rng(shape).pick::<&str>(&["1", "1e-3", "1e10"]));
    let one = Rational::from(1);
    for (relative, absolute) in [(one.clone(), Rational::new()), (Rational::new(), one.clone()), (one.clone(), a)] {
        let (r64, a64) = (relative.to_f64(), absolute.to_f64());
        let size = |x: &[f64]| {
            let (f, g) = literal.approximate(x);
            (f - g).abs() / ((r64 * f.abs()).max(a64) + (r64 * g.abs()).max(a64))
        };
        let ratio = |x: &Vec<f64>| {
            let (f, g) = literal.at(x)?;
            let largest = |m: Rational| (&relative * m).max(absolute.clone());
            let both = largest(magnitudes(&f)?.1) + largest(magnitudes(&g)?.1);
            let (least, _) = magnitudes(&distance(&f, &g))?;
            (both > 0).then(|| (least / both, x.clone()))
        };
        let far = best(&domain, &points, size);
        let Some((ratio, x)) = far.iter().filter_map(ratio).max_by(|a, b| a.0.cmp(&b.0)) else { continue };
        let scaled = |by: &Rational| LowerTolerance {
            relative: Rational::from(&relative * by),
            absolute: Rational::from(&absolute * by),
        };
        if ratio > 0 {
            for s in &shrinks {
                let t = scaled(&(&ratio * (Rational::from(1) - s)));
                count.near += 1;
                if prover.prove_near(f, g, &t).is_some() {
                    wrong("f and g are proved to be near", &(t.relative.to_f64(), t.absolute.to_f64()), &x);
                }
            }
        }
        let t = scaled(&(ratio * number("1.01") + power_of_two(-1060)));
        count.near_proved += usize::from(prover.prove_near(f, g, &t).is_some());
    }
    // Only one has a value.
    let only_one = points.iter().find(|x| {
        literal.at(x).is_some_and(|(f, g)| f.def.is_true() && g.def.is_false() || f.def.is_false() && g.def.is_true())
    });
    if let Some(x) = only_one {
        count.one_value += 1;
        let wide = LowerTolerance { relative: Rational::from(5), absolute: rational(1e300) };
        if prover.prove_near(f, g, &wide).is_some() || prover.prove_equal(f, g).is_some() {
            wrong("f and g are proved to have values at the same points", &"", x);
        }
    }
}

#[test]
fn random_inequalities() {
    let from = |name: &str, usual: u64| std::env::var(name).map_or(usual, |n| n.parse().expect("a number"));
    let (first, problems) = (from("MAGNETO_SEED", 1), from("MAGNETO_PROBLEMS", 150));
    let mut count = Count::default();
    for seed in first..first + problems {
        fight(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15), &mut count);
    }
    println!("{count:?}");
    assert!(count.bounds_proved * 20 > count.problems, "too few proofs of bounds: {count:?}");
    assert!(count.near_proved * 20 > count.problems, "too few proofs of nearness: {count:?}");
}
