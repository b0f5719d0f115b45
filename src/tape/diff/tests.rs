use super::*;
use crate::num::{Interval, MpInterval};
use crate::tape::eval::{Boxes, Multi, evaluate};

/// x + v and x - v, of which two rounds are 2 x and 2 v: written as trees they double with each round.
#[test]
fn sums_of_many_rounds_are_opened_once_for_each_part() {
    const ROUNDS: u32 = 100;
    let mut b = Builder::new(2);
    let [x, v] = [b.var(0), b.var(1)];
    let (mut a, mut c) = (x, v);
    for _ in 0..ROUNDS {
        (a, c) = (b.op(Op::Add, &[a, c]), b.op(Op::Sub, &[a, c]));
    }
    let doubled = Rational::from(1) << (ROUNDS / 2);
    assert_eq!(terms(&mut b, a), BTreeMap::from([(x, doubled.clone())]));
    assert_eq!(terms(&mut b, c), BTreeMap::from([(v, doubled)]));
    assert!(b.opened_terms < 8 * ROUNDS as usize, "{}", b.opened_terms);
}

/// sin(sin v) - (sin v - v): what one part took, another one does not take again.
#[test]
fn parts_near_the_identity_are_taken_once() {
    let mut b = Builder::new(1);
    b.announce(&[Interval::new(0.1, 0.2)]);
    let v = b.var(0);
    let sine = b.op(Op::Sin, &[v]);
    let (f, g) = (b.op(Op::Sin, &[sine]), b.op(Op::Sub, &[sine, v]));
    let d = difference(&mut b, f, g);
    let mut values = Vec::new();
    evaluate(&b.finish(), &mut Boxes { inputs: &[Interval::point(0.15)] }, &mut values);
    let (found, exact) = (values[d.index()].x, 0.15f64.sin().sin() - 0.15f64.sin() + 0.15);
    assert!(found.inf() <= exact + 1e-15 && found.sup() >= exact - 1e-15 && found.wid() < 1e-3, "{found:?}");
}

#[test]
fn constant_factors_of_terms_are_counted() {
    let mut b = Builder::new(1);
    let (x, four) = (b.var(0), b.rational(4.into()));
    let (quarter, multiple) = (b.op(Op::Div, &[x, four]), b.op(Op::Mul, &[four, x]));
    let of_x = |c: Rational| BTreeMap::from([(x, c)]);
    assert_eq!(terms(&mut b, quarter), of_x(Rational::from((1, 4))));
    assert_eq!(terms(&mut b, multiple), of_x(4.into()));
    let inverse = b.op(Op::Div, &[four, x]);
    assert_eq!(terms(&mut b, inverse), BTreeMap::from([(inverse, 1.into())]));
}

#[test]
fn quotients_with_one_divisor_are_subtracted_above_it() {
    let mut b = Builder::new(3);
    let [x, y, z] = [b.var(0), b.var(1), b.var(2)];
    let (f, g) = (b.op(Op::Div, &[x, z]), b.op(Op::Div, &[y, z]));
    let d = difference(&mut b, f, g);
    let top = b.op(Op::Sub, &[x, y]);
    assert_eq!(d, b.op(Op::Div, &[top, z]));
}

#[test]
fn differences_beyond_the_bound_are_those_that_are_written() {
    let mut b = Builder::new(2);
    let [x, y] = [b.var(0), b.var(1)];
    let (f, g) = (b.op(Op::Mul, &[x, y]), b.op(Op::Mul, &[x, x]));
    let near = difference(&mut b, f, g);
    let mut late = Builder::new(2);
    late.opened_terms = MOST_TERMS + 1;
    let [x, y] = [late.var(0), late.var(1)];
    let (f, g) = (late.op(Op::Mul, &[x, y]), late.op(Op::Mul, &[x, x]));
    let written = difference(&mut late, f, g);
    let value = |b: Builder, node: NodeId| {
        let mut values = Vec::new();
        evaluate(&b.finish(), &mut Boxes { inputs: &[Interval::point(3.0), Interval::point(5.0)] }, &mut values);
        values[node.index()].x
    };
    assert!(matches!(late.tape().node(written), TapeNode::Op(Op::Sub, _)));
    assert_eq!([value(b, near), value(late, written)], [Interval::point(6.0); 2]);
}

/// Two expressions in x, y and z = x + 2^-30.
type Pair = fn(&mut Builder, [NodeId; 3]) -> (NodeId, NodeId);
type Making<'f> = dyn Fn(&mut Builder, [NodeId; 3]) -> (NodeId, NodeId) + 'f;

/// One operator of both.
fn applied(b: &mut Builder, [x, _, z]: [NodeId; 3], op: Op) -> (NodeId, NodeId) {
    (b.op(op, &[x]), b.op(op, &[z]))
}

/// One operator of both and of y, and the other way round.
fn with_y(b: &mut Builder, [x, y, z]: [NodeId; 3], op: Op) -> [(NodeId, NodeId); 2] {
    [(b.op(op, &[x, y]), b.op(op, &[z, y])), (b.op(op, &[y, x]), b.op(op, &[y, z]))]
}

/// Powers of both, with a number as the exponent.
fn powers(b: &mut Builder, [x, _, z]: [NodeId; 3], n: Rational) -> (NodeId, NodeId) {
    let n = b.rational(n);
    (b.op(Op::Pow, &[x, n]), b.op(Op::Pow, &[z, n]))
}

/// p u + p y or p u + y, p being a power of y with such an exponent: it is a factor of all terms, or of one.
fn sums_with_a_factor(b: &mut Builder, [x, y, z]: [NodeId; 3], n: Rational, in_all: bool) -> (NodeId, NodeId) {
    let n = b.rational(n);
    let p = b.op(Op::Pow, &[y, n]);
    let rest = if in_all { b.op(Op::Mul, &[y, p]) } else { y };
    let mut of = |u: NodeId| {
        let root = b.op(Op::Sqrt, &[u]);
        let product = b.op(Op::Mul, &[p, root]);
        b.op(Op::Add, &[product, rest])
    };
    (of(x), of(z))
}

/// Two products of functions, of which none is the same.
fn products(b: &mut Builder, [x, y, z]: [NodeId; 3], op: Op) -> (NodeId, NodeId) {
    let shifted = [b.op(Op::Add, &[x, y]), b.op(Op::Add, &[z, y])];
    let mut of = |u: NodeId, shifted: NodeId| {
        let (root, grown) = (b.op(Op::Sqrt, &[u]), b.op(Op::Exp, &[shifted]));
        b.op(op, &[root, grown])
    };
    (of(x, shifted[0]), of(z, shifted[1]))
}

/// 2 root x + y, and the same with a number of a function near 2 in place of 2. The root has a greater or a smaller place than
/// that number.
fn multiples(b: &mut Builder, [x, y, _]: [NodeId; 3], is_first: bool) -> (NodeId, NodeId) {
    let first = if is_first { Some(b.op(Op::Sqrt, &[x])) } else { None };
    let (two, step) = (b.rational(2.into()), b.rational(Rational::from(1) >> 30u32));
    let step = b.op(Op::Mul, &[step, y]);
    let more = b.op(Op::Add, &[two, step]);
    let number = b.op(Op::Fmax, &[two, more]);
    let root = first.unwrap_or_else(|| b.op(Op::Sqrt, &[x]));
    let mut sum = |number: NodeId| {
        let product = b.op(Op::Mul, &[number, root]);
        b.op(Op::Add, &[product, y])
    };
    (sum(two), sum(number))
}

/// A choice between two functions, whose condition the other one has as well.
fn choices(b: &mut Builder, [x, y, z]: [NodeId; 3]) -> (NodeId, NodeId) {
    let one = b.rational(1.into());
    let condition = b.less(y, one);
    let mut of = |u: NodeId| {
        let (root, log) = (b.op(Op::Sqrt, &[u]), b.op(Op::Log, &[u]));
        b.choose(condition, root, log)
    };
    (of(x), of(z))
}

/// Holds the differences against those of the values in 200 bits at the corners of a box and within, and what is known of them on
/// all of it against a width.
fn check(domain: [Interval; 2], most: f64, name: &str, pair: impl Fn(&mut Builder, [NodeId; 3]) -> (NodeId, NodeId)) {
    const PRECISION: u32 = 200;
    let mut b = Builder::new(2);
    b.announce(&domain);
    let (x, y, step) = (b.var(0), b.var(1), b.rational(Rational::from(1) >> 30u32));
    let z = b.op(Op::Add, &[x, step]);
    let (f, g) = pair(&mut b, [x, y, z]);
    let (d, r) = (difference(&mut b, f, g), relative_difference(&mut b, f, g));
    let tape = b.finish();
    let shares = [0.0, 0.375, 0.5, 1.0];
    for (s, t) in shares.into_iter().flat_map(|s| shares.map(|t| (s, t))) {
        let at = |x: Interval, t: f64| MpInterval::from_f64(x.inf() + (x.sup() - x.inf()) * t, PRECISION);
        let (inputs, mut values) = ([at(domain[0], s), at(domain[1], t)], Vec::new());
        evaluate(&tape, &mut Multi { inputs: &inputs, precision: PRECISION }, &mut values);
        let [f, g, d, r] = [f, g, d, r].map(|node| &values[node.index()]);
        let exact = Op::Sub.enclose(&[f, g], PRECISION);
        let share = Op::Div.enclose(&[&exact, f], PRECISION);
        assert!(d.lo <= exact.hi && d.hi >= exact.lo, "{name}: {d:?} is not {exact:?}");
        assert!(r.lo <= share.hi && r.hi >= share.lo, "{name}: {r:?} is not {share:?}");
    }
    let mut values = Vec::new();
    evaluate(&tape, &mut Boxes { inputs: &domain }, &mut values);
    for node in [d, r] {
        let wide = values[node.index()].x.wid();
        assert!(wide <= most, "{name}: {wide:e}, {:?}", tape.node(node));
    }
}

/// As they are written both are as wide as the functions are.
#[test]
fn differences_of_near_operands_are_right_and_narrow() {
    let near = |name: &str, pair: &Making<'_>| {
        check([Interval::new(1.25, 1.5), Interval::new(0.5, 0.75)], 1e-6, name, pair);
    };
    let unary = [
        Op::Neg,
        Op::Fabs,
        Op::Sqrt,
        Op::Exp,
        Op::Expm1,
        Op::Sin,
        Op::Cos,
        Op::Tan,
        Op::Log,
        Op::Log1p,
        Op::Log2,
        Op::Log10,
    ];
    for op in unary {
        near(&format!("{op:?}"), &|b, inputs| applied(b, inputs, op));
    }
    for op in [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Pow, Op::Fmin, Op::Fmax] {
        for k in 0..2 {
            near(&format!("{op:?} {k}"), &|b, inputs| with_y(b, inputs, op)[k]);
        }
    }
    for n in [(2, 1), (3, 1), (8, 1), (3, 10)] {
        near(&format!("power {n:?}"), &|b, inputs| powers(b, inputs, n.into()));
        for in_all in [true, false] {
            near(&format!("factor {n:?} {in_all}"), &|b, inputs| sums_with_a_factor(b, inputs, n.into(), in_all));
        }
    }
    for op in [Op::Mul, Op::Div] {
        near(&format!("two of {op:?}"), &|b, inputs| products(b, inputs, op));
    }
    near("choices", &choices);
    for is_first in [true, false] {
        near("multiples", &|b, inputs| multiples(b, inputs, is_first));
    }
}

/// The first terms of a Taylor series.
fn series(b: &mut Builder, op: Op, x: NodeId, terms: usize) -> NodeId {
    let factorial = |n: i32| (1..=n).map(Rational::from).product::<Rational>();
    let turned = |k: i32| Rational::from(if k % 2 == 0 { 1 } else { -1 });
    let term = |k: i32| match op {
        Op::Sin => (2 * k + 1, turned(k) / factorial(2 * k + 1)),
        Op::Sinh => (2 * k + 1, factorial(2 * k + 1).recip()),
        Op::Atan => (2 * k + 1, turned(k) / Rational::from(2 * k + 1)),
        _ => (k + 1, turned(k) / Rational::from(k + 1)),
    };
    let mut sum = b.rational(0.into());
    for (n, a) in (0..).map(term).take(terms) {
        let (n, a) = (b.rational(n.into()), b.rational(a));
        let power = b.op(Op::Pow, &[x, n]);
        let product = b.op(Op::Mul, &[a, power]);
        sum = b.op(Op::Add, &[sum, product]);
    }
    sum
}

/// Where one expression has the other one in it, and where it is nearly the other one.
#[test]
fn differences_from_an_operand_are_right_and_narrow() {
    const NEAR: [Op; 5] = [Op::Sin, Op::Sinh, Op::Atan, Op::Expm1, Op::Log1p];
    let small = [Interval::new(0.125, 0.1875), Interval::new(0.9375, 1.0)];
    let pairs: [(&str, Pair); 5] = [
        ("times", |b, [x, y, _]| (x, b.op(Op::Mul, &[x, y]))),
        ("times, turned", |b, [x, y, _]| (x, b.op(Op::Mul, &[y, x]))),
        ("over", |b, [x, y, _]| (x, b.op(Op::Div, &[x, y]))),
        ("least", |b, [x, y, _]| (x, b.op(Op::Fmin, &[x, y]))),
        ("greatest", |b, [_, y, z]| (y, b.op(Op::Fmax, &[z, y]))),
    ];
    let both = |name: &str, pair: &Making<'_>| {
        check(small, 0.125, name, pair);
        check(small, 0.125, &format!("{name}, the other way"), |b, inputs| {
            let (f, g) = pair(b, inputs);
            (g, f)
        });
    };
    for (name, pair) in pairs {
        both(name, &pair);
    }
    // A sum and a multiple of it, of which the sum is the first operand or the second.
    for is_first in [true, false] {
        let pair = move |b: &mut Builder, [x, y, _]: [NodeId; 3]| {
            let square = b.op(Op::Mul, &[x, x]);
            let sum = b.op(Op::Add, &[x, square]);
            let factor = if is_first { b.op(Op::Sqrt, &[y]) } else { y };
            (sum, b.op(Op::Mul, &[sum, factor]))
        };
        // 1 less the factor, whatever the sum is.
        let most = if is_first { 0.04 } else { 0.07 };
        check(small, most, "a multiple of a sum", pair);
        check(small, most, "a sum and a multiple of it", |b, inputs| {
            let (f, g) = pair(b, inputs);
            (g, f)
        });
    }
    for op in NEAR {
        both(&format!("{op:?}"), &|b, [x, ..]| (x, b.op(op, &[x])));
        // e^x - 1 is taken apart before.
        for terms in (2..=4).filter(|_| op != Op::Expm1) {
            let name = format!("{op:?} and {terms} terms");
            check(small, if op == Op::Log1p { 0.11 } else { 1e-3 }, &name, |b, [x, ..]| {
                (b.op(op, &[x]), series(b, op, x, terms))
            });
        }
    }
}

#[test]
fn a_quotient_of_exponentials_is_that_of_the_difference() {
    let mut b = Builder::new(2);
    let [x, y] = [b.var(0), b.var(1)];
    let (f, g) = (b.op(Op::Exp, &[x]), b.op(Op::Exp, &[y]));
    let delta = difference(&mut b, y, x);
    let grown = b.op(Op::Expm1, &[delta]);
    let expected = b.op(Op::Neg, &[grown]);
    assert_eq!(relative_difference(&mut b, f, g), expected);
}
