//! Claims of equality among many expressions, each attacked at grid, end and special points with 500 bits.

use crate::equiv_common::{Finding, attack_at, has_value};
use magneto::equiv::Prover;
use magneto::floats::Format;
use magneto::num::Interval;
use magneto::ops::{Constant, Op};
use magneto::spec::InputBox;
use magneto::tape::eval::Points;
use magneto::tape::{Builder, NodeId, Tape, evaluate};
use std::collections::HashMap;

/// A generator of numbers that is the same everywhere (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 11) as usize % n
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

fn domain(ranges: &[(f64, f64)]) -> InputBox {
    InputBox {
        ranges: ranges.iter().map(|(a, b)| Interval::new(*a, *b)).collect(),
        formats: vec![Format::BINARY64; ranges.len()],
    }
}

/// Expressions over two inputs, small ones all and larger ones at random.
fn pool(b: &mut Builder, seed: u64, size: usize) -> Vec<NodeId> {
    let mut r = Random(seed);
    let mut leaves: Vec<NodeId> = vec![b.var(0), b.var(1)];
    for (n, d) in [(0, 1), (1, 1), (-1, 1), (2, 1), (1, 2), (3, 1)] {
        leaves.push(b.rational((n, d).into()));
    }
    for c in [Constant::Pi, Constant::E, Constant::Pi2, Constant::Ln2] {
        leaves.push(b.named(c));
    }
    let unary: Vec<Op> = Op::ALL.iter().copied().filter(|o| o.arity() == 1).collect();
    let binary: Vec<Op> = Op::ALL.iter().copied().filter(|o| o.arity() == 2).collect();
    let common = [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Pow];
    let mut all = leaves.clone();
    for op in &unary {
        for x in &leaves {
            let node = b.op(*op, &[*x]);
            all.push(node);
        }
    }
    for op in &binary {
        for x in &leaves[..8] {
            for y in &leaves[..8] {
                let node = b.op(*op, &[*x, *y]);
                all.push(node);
            }
        }
    }
    while all.len() < size {
        let node = match r.below(10) {
            0..=3 => {
                let (op, x) = (*r.pick(&unary), *r.pick(&all));
                b.op(op, &[x])
            }
            4..=7 => {
                let (op, x, y) = (*r.pick(&common), *r.pick(&all), *r.pick(&all));
                b.op(op, &[x, y])
            }
            8 => {
                let (op, x, y) = (*r.pick(&binary), *r.pick(&all), *r.pick(&all));
                b.op(op, &[x, y])
            }
            _ => {
                let (x, y, t, e) = (*r.pick(&leaves), *r.pick(&all), *r.pick(&all), *r.pick(&all));
                let c = if r.below(2) == 0 { b.less(x, y) } else { b.less_eq(y, x) };
                b.choose(c, t, e)
            }
        };
        all.push(node);
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// Expressions that seem to be the same, by a few values in binary64 arithmetic.
fn buckets(tape: &Tape, nodes: &[NodeId], domain: &InputBox) -> Vec<Vec<NodeId>> {
    let share = |k: usize, i: usize| 0.03 + 0.94 * ((k * (i + 2) * 7 + i * 3) % 23) as f64 / 23.0;
    let at = |i: usize| -> [f64; 6] {
        std::array::from_fn(|k| {
            let r = domain.ranges[i];
            r.inf() + (r.sup() - r.inf()) * share(k + 1, i)
        })
    };
    let inputs: Vec<[f64; 6]> = (0..domain.ranges.len()).map(at).collect();
    let mut values = Vec::new();
    evaluate(tape, &mut Points { inputs: &inputs }, &mut values);
    let mut found: HashMap<Vec<String>, Vec<NodeId>> = HashMap::new();
    for n in nodes {
        let v = values[n.index()];
        if v.iter().filter(|x| x.is_finite()).count() >= 2 {
            found.entry(v.iter().map(|x| format!("{:.8e}", x + 0.0)).collect()).or_default().push(*n);
        }
    }
    let mut all: Vec<Vec<NodeId>> = found.into_values().filter(|b| b.len() > 1).collect();
    all.sort();
    all
}

/// Points of a box: a grid with its ends, and special values.
fn grid(domain: &InputBox) -> Vec<Vec<f64>> {
    let along = |r: &Interval| {
        let special = [0.0, 1e-13, -1e-13, 0.5, 1.0, -1.0, 2.0, -0.5, 1.5];
        let even = (0..=6).map(|k| r.inf() + (r.sup() - r.inf()) * f64::from(k) / 6.0);
        let mut all: Vec<f64> = even.chain(special).map(|x| x.clamp(r.inf(), r.sup())).collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        all
    };
    let (xs, ys) = (along(&domain.ranges[0]), along(&domain.ranges[1]));
    xs.iter().flat_map(|x| ys.iter().map(move |y| vec![*x, *y])).collect()
}

fn fight(ranges: &[(f64, f64)], seed: u64, size: usize) {
    // `EQUIV_SIZE=8` for a long fight.
    let size = std::env::var("EQUIV_SIZE").ok().and_then(|s| s.parse().ok()).map_or(size, |k: usize| k * size);
    let domain = domain(ranges);
    let mut b = Builder::new(2);
    let nodes = pool(&mut b, seed, size);
    let tape = b.finish();
    let mut prover = Prover::new(&tape, &domain, &[]);
    let points = grid(&domain);
    let (mut proved, mut open, mut refuted, mut agreed) = (0, 0, 0, 0);
    for bucket in buckets(&tape, &nodes, &domain) {
        for (i, f) in bucket.iter().enumerate() {
            for g in bucket[..i].iter().rev().take(4) {
                let (small, at) = tape.extract(&[*f, *g]);
                let says = || points.iter().map(|x| attack_at(&small, at[0], at[1], &[], x));
                match prover.prove_equal(*f, *g) {
                    Some(proof) => {
                        proved += 1;
                        for finding in says() {
                            match finding {
                                Finding::Refuted(why) => panic!("{why}\n{proof}\n{small:#?}"),
                                Finding::Agrees => agreed += 1,
                                Finding::Unsettled => {}
                            }
                        }
                    }
                    None if says().any(|f| matches!(f, Finding::Refuted(_))) => refuted += 1,
                    None => {
                        open += 1;
                        if std::env::var_os("EQUIV_MISSED").is_some() {
                            println!("  open: {}   {}", text(&tape, *f), text(&tape, *g));
                        }
                    }
                }
            }
        }
    }
    println!("{ranges:?}: {proved} proved ({agreed} attacks), {refuted} refuted, {open} open;");
    assert!(proved > size / 40, "{proved} proofs only");
}

/// An expression for reading.
fn text(tape: &Tape, id: NodeId) -> String {
    use magneto::tape::TapeNode;
    match tape.node(id) {
        TapeNode::Var(i) => ["x", "y"][i as usize].into(),
        TapeNode::Const(c) => format!("{}", tape.constant(c).approx),
        TapeNode::Op(op, args) => {
            let args: Vec<String> = args[..op.arity()].iter().map(|a| text(tape, *a)).collect();
            format!("({} {})", op.name(), args.join(" "))
        }
        TapeNode::Less(a, b) => format!("(< {} {})", text(tape, a), text(tape, b)),
        TapeNode::LessEq(a, b) => format!("(<= {} {})", text(tape, a), text(tape, b)),
        TapeNode::If(c, t, e) => format!("(if {} {} {})", text(tape, c), text(tape, t), text(tape, e)),
        other => format!("{other:?}"),
    }
}

#[test]
fn around_zero() {
    fight(&[(-2.0, 2.0), (-2.0, 2.0)], 1, 1500);
}

#[test]
fn from_zero() {
    fight(&[(0.0, 2.0), (0.0, 1.0)], 2, 1500);
}

#[test]
fn ordered() {
    fight(&[(1.0, 3.0), (-1.0, 1.0)], 3, 1500);
}

#[test]
fn just_below_zero() {
    fight(&[(-1e-13, 1.0), (1e-13, 1.5)], 4, 1500);
}

#[test]
fn negative() {
    fight(&[(-3.0, -0.5), (-1.0, 0.0)], 5, 1500);
}

#[test]
fn one_point() {
    fight(&[(1.0, 1.0), (-2.0, 2.0)], 6, 1200);
}

/// A change that makes an expression another function, however little: never proved equal.
#[test]
fn almost_equal() {
    use magneto::num::Rational;
    let domain = domain(&[(0.5, 2.0), (-1.0, 1.0)]);
    let mut b = Builder::new(2);
    let nodes = pool(&mut b, 7, 900);
    let (x, y) = (b.var(0), b.var(1));
    let constant = |b: &mut Builder, text: &str| b.rational(magneto::spec::parse_rational(text).unwrap());
    let mut pairs = Vec::new();
    for &f in &nodes {
        if matches!(b.tape().node(f), magneto::tape::TapeNode::Undefined) {
            continue;
        }
        let tiny = constant(&mut b, "1e-300");
        let almost_one = constant(&mut b, "1.000000000000000000000000000001");
        // A bump of height 1e-30 on a part of the domain that is 1e-13 wide.
        let (edge, height) = (constant(&mut b, "1.9999999999999"), constant(&mut b, "1e-30"));
        let late = b.less(edge, x);
        let zero = b.rational(Rational::new());
        let bump = b.choose(late, height, zero);
        let ramp = b.op(Op::Fdim, &[x, edge]);
        // Without a value at y = 0 only, and for y < 0 only.
        let one = b.op(Op::Div, &[y, y]);
        let root = b.op(Op::Sqrt, &[y]);
        let nothing = b.op(Op::Mul, &[zero, root]);
        for other in [
            b.op(Op::Add, &[f, tiny]),
            b.op(Op::Add, &[f, bump]),
            b.op(Op::Sub, &[f, ramp]),
            b.op(Op::Mul, &[f, one]),
            b.op(Op::Add, &[f, nothing]),
        ] {
            pairs.push((f, other, true));
        }
        let scaled = b.op(Op::Mul, &[f, almost_one]);
        pairs.push((f, scaled, false));
    }
    let tape = b.finish();
    let mut prover = Prover::new(&tape, &domain, &[]);
    let points = grid(&domain);
    let mut compared = 0;
    for (f, g, always) in pairs {
        let (small, at) = tape.extract(&[f, g]);
        // Not where f has no value at all; there nothing differs. Zero times anything is zero.
        let defined =
            |x: &Vec<f64>| attack_at(&small, at[0], at[0], &[], x) == Finding::Agrees && has_value(&small, at[0], x);
        let settled = points.iter().filter(|x| x[1] != 0.0).filter(|x| defined(x)).count();
        if settled * 4 < points.len() * 3 {
            continue;
        }
        let zero = |x: &Vec<f64>| {
            let mut v = Vec::new();
            let inputs: Vec<[f64; 1]> = x.iter().map(|x| [*x]).collect();
            evaluate(&small, &mut Points { inputs: &inputs }, &mut v);
            v[at[0].index()][0].abs() < 1e-9
        };
        if !always && points.iter().filter(|x| zero(x)).count() * 2 > points.len() {
            continue;
        }
        if special(&small, at[0]) {
            continue;
        }
        compared += 1;
        if let Some(proof) = prover.prove_equal(f, g) {
            panic!("{} and {}: {proof}", text(&tape, f), text(&tape, g));
        }
    }
    println!("{compared} almost equal pairs");
    assert!(compared > 1000);
}

/// Whether the expression itself may have no value where the others are changed: x > 1.99, y <= 0.
fn special(tape: &Tape, f: NodeId) -> bool {
    let at = |x: f64, y: f64| !has_value(tape, f, &[x, y]);
    at(2.0, 0.25) || at(2.0, -0.25) || at(1.0, 0.0) || at(1.0, -0.5)
}
