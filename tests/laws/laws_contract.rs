//! Contractors against points known to be solutions: none is lost.

use crate::support::constraint::constraint;
use crate::support::rng::Rng;
use magneto::num::{Interval, Rational};
use magneto::ops::Op;
use magneto::solve::Constraints;
use magneto::solve::contract::{Contractor, Fixpoint, Outcome};
use magneto::solve::hc4::Hc4;
use magneto::solve::shave::Shave;
use magneto::tape::eval::Boxes;
use magneto::tape::{Builder, NodeId, evaluate};

/// Random problems; the environment variable `LAW_BOXES` asks for another number.
const PROBLEMS: u64 = 2_000;
const INPUTS: usize = 3;

/// An end of an interval: small integers and fractions mostly, now and then an extreme.
fn end(rng: &mut Rng) -> f64 {
    let sign = if rng.below(2) == 0 { 1.0 } else { -1.0 };
    sign * match rng.below(16) {
        0 => 0.0,
        1 => f64::MAX,
        2 => f64::INFINITY,
        3 => 5e-324,
        4 => 2.0f64.powi(rng.below(2000) as i32 - 1000),
        5..=8 => rng.below(5) as f64,
        _ => rng.unit() * 10.0,
    }
}

fn interval(rng: &mut Rng) -> Interval {
    loop {
        let (a, b) = (end(rng), end(rng));
        let b = if rng.below(5) == 0 { a } else { b };
        let x = Interval::new(a.min(b), a.max(b));
        if !x.is_empty() {
            return x;
        }
    }
}

fn point_in(rng: &mut Rng, x: Interval) -> f64 {
    let (lo, hi) = (x.inf().max(-f64::MAX), x.sup().min(f64::MAX));
    match rng.below(4) {
        0 => lo,
        1 => hi,
        2 => x.mid(),
        _ => (lo + rng.unit() * (hi - lo)).clamp(lo, hi),
    }
}

/// Operators with a path of their own, and some without.
const OPS: [Op; 14] = [
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::Div,
    Op::Mul,
    Op::Div,
    Op::Neg,
    Op::Sqrt,
    Op::Fabs,
    Op::Fmin,
    Op::Fmax,
    Op::Exp,
    Op::Atan2,
    Op::Fma,
];

/// A comparison, or what is made of two.
fn condition(rng: &mut Rng, b: &mut Builder, pool: &[NodeId]) -> NodeId {
    let pick = |rng: &mut Rng| pool[rng.below(pool.len())];
    let [first, second] = [(); 2].map(|()| {
        let (x, y) = (pick(rng), pick(rng));
        match rng.below(3) {
            0 => b.less(x, y),
            1 => b.less_eq(x, y),
            _ => b.equal(x, y),
        }
    });
    match rng.below(4) {
        0 => first,
        1 => b.not(first),
        2 => b.and(first, second),
        _ => b.or(first, second),
    }
}

fn problem(rng: &mut Rng) -> Constraints {
    let mut b = Builder::new(INPUTS);
    let mut pool: Vec<NodeId> = (0..INPUTS).map(|i| b.var(i)).collect();
    let c = Rational::from((rng.below(19) as i64 - 9, rng.below(4) as i64 + 1));
    pool.push(b.rational(c));
    for _ in 0..rng.below(12) + 1 {
        let pick = |rng: &mut Rng| pool[rng.below(pool.len())];
        let (x, y, z) = (pick(rng), pick(rng), pick(rng));
        let node = match rng.below(6) {
            0 => {
                let n = b.rational(Rational::from(rng.below(3) as i64 + 2));
                b.op(Op::Pow, &[x, n])
            }
            1 => {
                let condition = condition(rng, &mut b, &pool);
                b.choose(condition, x, y)
            }
            _ => {
                let op = OPS[rng.below(OPS.len())];
                b.op(op, &[x, y, z][..op.arity()])
            }
        };
        pool.push(node);
    }
    let root = pool[pool.len() - 1];
    constraint(b, root)
}

#[test]
fn contractors_lose_no_solution() {
    let asked = std::env::var("LAW_BOXES").ok().and_then(|n| n.parse().ok());
    let mut contractors: [(&str, Box<dyn Contractor>); 3] = [
        ("HC4", Box::new(Hc4::default())),
        ("HC4 again and again", Box::new(Fixpoint(Hc4::default()))),
        ("shaving", Box::new(Shave::default())),
    ];
    let (mut points, mut contracted, mut values) = ([0; 3], [0; 3], vec![]);
    for seed in 0..asked.unwrap_or(PROBLEMS) {
        let mut rng = Rng(seed);
        let constraints = problem(&mut rng);
        let root = constraints.list[0].node.index();
        for _ in 0..rng.below(40) + 1 {
            let old: Vec<Interval> = (0..INPUTS).map(|_| interval(&mut rng)).collect();
            let tried: Vec<Vec<f64>> = (0..4).map(|_| old.iter().map(|x| point_in(&mut rng, *x)).collect()).collect();
            for (k, (name, contractor)) in contractors.iter_mut().enumerate() {
                let mut new = old.clone();
                let outcome = contractor.contract(&constraints, &mut new);
                assert!(new.iter().zip(&old).all(|(n, o)| n.subset(*o)), "{name}, {seed}: {old:?} to {new:?}");
                contracted[k] += usize::from(outcome == Outcome::Contracted);
                for point in &tried {
                    let at: Vec<Interval> = point.iter().map(|x| Interval::point(*x)).collect();
                    evaluate(&constraints.tape, &mut Boxes { inputs: &at }, &mut values);
                    if values[root].def.is_true() && values[root].x.inf() >= 0.0 {
                        points[k] += 1;
                        let kept = outcome != Outcome::Empty && new.iter().zip(point).all(|(n, p)| n.contains(*p));
                        let tape = &constraints.tape;
                        assert!(kept, "{name}, {seed}: {old:?} to {new:?}, {outcome:?}, loses {point:?}\n{tape:?}");
                    }
                }
            }
        }
    }
    assert!(points.iter().all(|p| *p > 1000) && contracted.iter().all(|c| *c > 1000), "{points:?}, {contracted:?}");
}
