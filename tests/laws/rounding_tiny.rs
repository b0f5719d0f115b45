//! Bounds on rounding errors against every input of formats of 2 to 5 bits, for random programs in exact arithmetic.

use crate::support::rng::Rng;
use magneto::floats::Format;
use magneto::num::float::{rational, rational_to_f64};
use magneto::num::mpfr::{Float, Round};
use magneto::num::{Interval, Rational};
use magneto::ops::{Exact as Value, Op};
use magneto::program::{Id, Literal, Node, Program, Step};
use magneto::rounding::{BoundQuestion, Effort, Goal, RealFunction, bound};
use magneto::spec::{Accuracy, InputBox};
use magneto::tape::eval::Relation;
use magneto::tape::{Builder, NodeId};

fn ieee(precision: u32, emin: i32) -> Format {
    Format::small(precision, emin, 1 - emin)
}

/// Every finite value of a format.
fn values(format: Format) -> Vec<f64> {
    let least = format.least();
    let mut all = vec![0.0];
    let mut x = least;
    while x <= format.max() {
        all.push(x);
        all.push(-x);
        x = format.successor(x);
    }
    all.sort_by(f64::total_cmp);
    all
}

/// Operators that have rational values, and some that have not, for which the last bits do not matter.
const OPS: [Op; 24] = [
    Op::Add,
    Op::Add,
    Op::Sub,
    Op::Sub,
    Op::Mul,
    Op::Mul,
    Op::Div,
    Op::Fma,
    Op::Sqrt,
    Op::Neg,
    Op::Fabs,
    Op::Fmin,
    Op::Fmax,
    Op::Fdim,
    Op::Floor,
    Op::Nearbyint,
    Op::Fmod,
    Op::Remainder,
    Op::Exp,
    Op::Sin,
    Op::Log1p,
    Op::Atan,
    Op::Cos,
    Op::Tanh,
];

/// The exact value, with far more bits than matter where it is not rational.
fn exact(op: Op, x: &[&Rational]) -> Option<Rational> {
    match op.exact(x) {
        Value::Value(v) => return Some(v),
        Value::Undefined => return None,
        Value::OfPi(_) | Value::Unknown => {}
    }
    let x = Float::with_val(300, x[0]);
    let y = match op {
        Op::Sqrt => x.sqrt(),
        Op::Exp => x.exp(),
        Op::Sin => x.sin(),
        Op::Cos => x.cos(),
        Op::Log1p => x.ln_1p(),
        Op::Atan => x.atan(),
        Op::Tanh => x.tanh(),
        _ => return None,
    };
    y.to_rational()
}

fn is_library(op: Op) -> bool {
    matches!(op, Op::Exp | Op::Sin | Op::Cos | Op::Log1p | Op::Atan | Op::Tanh)
}

/// A random program, and the same function on a tape.
struct Case {
    program: Program,
    tape: magneto::tape::Tape,
    root: NodeId,
    /// The step that is at least so much at every input of the domain, and the condition that says so on the tape.
    stated: Option<(usize, Least, NodeId)>,
    /// Whether it chooses between two forms of one function.
    has_forms: bool,
    domain: InputBox,
    inputs: Vec<Vec<f64>>,
}

/// The value of another step, or a number.
enum Least {
    Step(usize),
    Number(Rational),
}

fn case(rng: &mut Rng) -> Case {
    let format = ieee(2 + rng.below(4) as u32, -(2 + rng.below(4) as i32));
    // Inputs may come in a format with more bits, so that they are rounded.
    let own = if rng.below(4) == 0 { ieee(format.precision() + 1, format.emin() - 1) } else { format };
    let all: Vec<f64> = values(own).into_iter().filter(|x| x.abs() <= 16.0).collect();
    let n = 1 + rng.below(2);
    let inputs: Vec<Vec<f64>> = (0..n)
        .map(|_| {
            let count = 1 + rng.below(if n == 1 { 40 } else { 10 });
            let start = rng.below(all.len() - count.min(all.len() - 1));
            all[start..(start + count).min(all.len())].to_vec()
        })
        .collect();
    let mut builder = Builder::new(n);
    let mut steps: Vec<Node> = Vec::new();
    let mut nodes: Vec<NodeId> = Vec::new();
    for i in 0..n {
        steps.push(Node { step: Step::Input(i as u32), format });
        nodes.push(builder.var(i));
    }
    let narrow = ieee((format.precision() - 1).max(2), format.emin());
    let literals =
        [Rational::from((1, 3)), Rational::from(2), Rational::from((1, 2)), Rational::from((7, 5)), Rational::from(1)];
    let mut has_forms = false;
    for _ in 0..1 + rng.below(6) {
        // A comparison is no number.
        let numbers: Vec<usize> = (0..steps.len()).filter(|i| !matches!(steps[*i].step, Step::Compare(..))).collect();
        let mut pick = || *rng.pick(&numbers);
        let (a, b, c) = (pick(), pick(), pick());
        let kind = (rng.unit() * 20.0) as u32;
        let (step, node) = if kind == 0 {
            let r = rng.pick(&literals).clone();
            let node = builder.rational(r.clone());
            (Node { step: Step::Literal(Literal::Number(r)), format }, node)
        } else if kind == 1 {
            (Node { step: Step::Convert(Id::at(a)), format: narrow }, nodes[a])
        } else if kind == 2 {
            let relation = *rng.pick(&[Relation::Less, Relation::LessEq]);
            let condition = match relation {
                Relation::Less => builder.less(nodes[a], nodes[b]),
                _ => builder.less_eq(nodes[a], nodes[b]),
            };
            let node = builder.choose(condition, nodes[b], nodes[c]);
            steps.push(Node { step: Step::Compare(relation, Id::at(a), Id::at(b)), format });
            nodes.push(condition);
            let at = Id::at(steps.len() - 1);
            (Node { step: Step::If(at, Id::at(b), Id::at(c)), format }, node)
        } else if kind == 3 {
            // c (a + b) or c a + c b, which are one function.
            let mut apply = |op: Op, x: usize, y: usize| {
                steps.push(Node { step: Step::Op(op, [x, y, x].map(Id::at)), format });
                nodes.push(builder.op(op, &[nodes[x], nodes[y]]));
                steps.len() - 1
            };
            let sum = apply(Op::Add, a, b);
            let (whole, first, second) = (apply(Op::Mul, c, sum), apply(Op::Mul, c, a), apply(Op::Mul, c, b));
            let parts = apply(Op::Add, first, second);
            let condition = builder.less(nodes[sum], nodes[c]);
            steps.push(Node { step: Step::Compare(Relation::Less, Id::at(sum), Id::at(c)), format });
            nodes.push(condition);
            has_forms = true;
            let node = builder.choose(condition, nodes[whole], nodes[parts]);
            let [at, whole, parts] = [steps.len() - 1, whole, parts].map(Id::at);
            (Node { step: Step::If(at, whole, parts), format }, node)
        } else {
            let op = *rng.pick(&OPS);
            let places = [a, b, c];
            let args: Vec<NodeId> = places[..op.arity()].iter().map(|p| nodes[*p]).collect();
            (Node { step: Step::Op(op, places.map(Id::at)), format }, builder.op(op, &args))
        };
        steps.push(step);
        nodes.push(node);
    }
    let root = *nodes.last().unwrap();
    let is_sum = |i: &usize| matches!(steps[*i].step, Step::Op(Op::Add | Op::Sub | Op::Neg | Op::Mul | Op::Fma, _));
    let sums: Vec<usize> = (0..steps.len()).filter(is_sum).collect();
    let stated = (!sums.is_empty() && rng.below(2) == 0).then(|| {
        let step = *rng.pick(&sums);
        if rng.below(2) == 0 {
            let other = *rng.pick(&sums);
            return (step, Least::Step(other), builder.less_eq(nodes[other], nodes[step]));
        }
        let least = rng.pick(&literals).clone() - 1u32;
        let bound = builder.rational(least.clone());
        (step, Least::Number(least), builder.less_eq(bound, nodes[step]))
    });
    let ranges = inputs.iter().map(|x| Interval::new(x[0], x[x.len() - 1])).collect();
    Case {
        program: Program::of_nodes(steps),
        tape: builder.finish(),
        root,
        stated,
        has_forms,
        domain: InputBox { ranges, formats: vec![own; n] },
        inputs,
    }
}

/// The exact and a computed value at an input; `None` where the function has none, `Some((_, None))` where the program
/// has none.
fn run(p: &Case, x: &[f64], ulps: f64, rng: &mut Rng) -> Option<(Rational, Option<Rational>)> {
    let mut real: Vec<Option<Rational>> = Vec::new();
    let mut computed: Vec<Option<Rational>> = Vec::new();
    for Node { step, format } in p.program.nodes() {
        let format = *format;
        let operands = step.operands().map(Id::index);
        let round = |v: Rational| {
            let y = format.round_rational(&v);
            y.is_finite().then(|| rational(y))
        };
        let near = |op: Op, v: Rational, rng: &mut Rng| {
            // Annex F has cos 0 = 1.
            if ulps <= 0.5 || v == 0 || (op == Op::Cos && v == 1) {
                return round(v);
            }
            // Any float within so many units in the last place.
            let unit = shape_ulp(format, &v) * Rational::from_f64(ulps).unwrap();
            let down = format.round_down(rational_to_f64(&Rational::from(&v - &unit), Round::Up).next_up());
            let mut all = Vec::new();
            let mut y = down;
            while y.is_finite() && rational(y) <= Rational::from(&v + &unit) && y <= format.max() {
                // The function's range is not left.
                let inside = match op {
                    Op::Sin | Op::Cos | Op::Tanh => y.abs() <= 1.0,
                    Op::Exp => y >= 0.0,
                    _ => true,
                };
                if inside && (rational(y) - &v).abs() <= unit {
                    all.push(y);
                }
                y = format.successor(y);
            }
            let y = all.get(rng.below(all.len().max(1))).map(|y| rational(*y));
            y.or_else(|| round(v))
        };
        let pair = match step {
            Step::Input(i) => (Some(rational(x[*i as usize])), round(rational(x[*i as usize]))),
            Step::Literal(Literal::Number(r)) => (Some(r.clone()), round(r.clone())),
            Step::Convert(a) => (real[a.index()].clone(), computed[a.index()].clone().and_then(round)),
            Step::Compare(relation, a, b) => {
                let holds = |v: &[Option<Rational>]| {
                    let (a, b) = (v[a.index()].as_ref()?, v[b.index()].as_ref()?);
                    Some(Rational::from(u8::from(relation.holds(a.cmp(b)))))
                };
                (holds(&real), holds(&computed))
            }
            Step::If(..) => {
                let pick = |v: &[Option<Rational>]| {
                    let [c, t, e] = operands;
                    v[if *v[c].as_ref()? == 1 { t } else { e }].clone()
                };
                (pick(&real), pick(&computed))
            }
            Step::Op(op, _) => {
                let value = |v: &[Option<Rational>]| {
                    let args: Option<Vec<&Rational>> = operands[..op.arity()].iter().map(|o| v[*o].as_ref()).collect();
                    exact(*op, &args?)
                };
                let y = value(&computed);
                (value(&real), y.and_then(|y| if is_library(*op) { near(*op, y, rng) } else { round(y) }))
            }
            _ => unreachable!(),
        };
        real.push(pair.0);
        computed.push(pair.1);
    }
    if let Some((step, least, _)) = &p.stated {
        let least = match least {
            Least::Step(other) => real[*other].as_ref()?,
            Least::Number(least) => least,
        };
        if real[*step].as_ref()? < least {
            return None;
        }
    }
    Some((real.pop()??, computed.pop()?))
}

fn shape_ulp(format: Format, x: &Rational) -> Rational {
    use magneto::num::float::{floor_log2, power_of_two};
    power_of_two(format.ulp_exponent(floor_log2(x)))
}

#[test]
fn no_input_errs_by_more_than_the_bound() {
    let rounds = if std::env::var_os("MAGNETO_LONG").is_some() { 40_000 } else { 1_000 };
    let mut rng = Rng(20_261_122);
    let (mut proved, mut relative, mut free, mut tight, mut stated, mut forms, mut checked) = (0, 0, 0, 0, 0, 0, 0u64);
    for round in 0..rounds {
        let p = case(&mut rng);
        let ulps = *rng.pick(&[0.5, 1.0, 2.5]);
        let conditions: Vec<NodeId> = p.stated.iter().map(|(.., condition)| *condition).collect();
        let question = BoundQuestion {
            program: &p.program,
            exact: RealFunction { tape: &p.tape, root: p.root, conditions: &conditions },
            domain: &p.domain,
            ulps,
        };
        let boxes = *rng.pick(&[1, 12, 120]);
        let effort = Effort { boxes, start: &[], enough: 0.0, slack: 0.0 };
        let accuracy = Accuracy {
            rel: (round % 2 == 0).then(|| Rational::from((1, 4))),
            abs: (round % 3 == 0).then(|| Rational::from((1, 8))),
            // Those of the results, and those of another format.
            ulps: [Format::BINARY16, p.program.format()].get(round % 5).map(|format| (Rational::from((3, 2)), *format)),
        };
        let by = [Goal::Absolute, Goal::Relative, Goal::Tolerance(&accuracy)].map(|g| bound(question, g, effort).value);
        let beside = BoundQuestion { exact: RealFunction { conditions: &[], ..question.exact }, ..question };
        stated += u32::from(by[1] < bound(beside, Goal::Relative, effort).value);
        proved += u32::from(by[0].is_finite());
        relative += u32::from(by[1].is_finite());
        forms += u32::from(p.has_forms && by[1].is_finite());
        if by.iter().all(|b| b.is_infinite()) {
            continue;
        }
        let mut worst = Rational::new();
        let tiny = Rational::from((1, 1u64 << 60)) / (1u64 << 60);
        let second = p.inputs.get(1).cloned().unwrap_or_else(|| vec![0.0]);
        for &x in &p.inputs[0] {
            for &y in &second {
                let at = [x, y];
                let Some((real, computed)) = run(&p, &at[..p.inputs.len()], ulps, &mut rng) else { continue };
                checked += 1;
                let say = || {
                    format!("{:?}\n{:?}\nat {at:?} {real} {computed:?} ulps {ulps} boxes {boxes}", p.program, p.domain)
                };
                let Some(computed) = &computed else { panic!("no value: {}", say()) };
                let error = Rational::from(computed - &real).abs();
                let size = real.clone().abs();
                let most = |b: f64, unit: &Rational| b.is_infinite() || error <= rational(b) * unit + &tiny;
                assert!(most(by[0], &Rational::from(1)), "absolute {}: {}", by[0], say());
                assert!(most(by[1], &size), "relative {}: {}", by[1], say());
                let t = tolerance(&accuracy, &real);
                assert!(t == 0 && by[2] == 0.0 || most(by[2], &t), "tolerance {}: {}", by[2], say());
                worst = worst.max(error);
            }
        }
        // A condition leaves out inputs that no box does.
        free += u32::from(by[0].is_finite() && p.stated.is_none());
        tight += u32::from(by[0].is_finite() && p.stated.is_none() && worst * 2u32 >= rational(by[0]));
    }
    println!(
        "{proved} absolute and {relative} relative bounds, {tight} of {free} within twice the worst error, {stated} by a condition, \
         {forms} with two forms of one function, {checked} inputs"
    );
    assert!(
        stated > 10 && forms > 10 && proved > rounds as u32 / 3 && relative > rounds as u32 / 5 && tight > free / 4
    );
}

fn tolerance(accuracy: &Accuracy, f: &Rational) -> Rational {
    let size = f.clone().abs();
    let mut t = Rational::new();
    if let Some(r) = &accuracy.rel {
        t = t.max(Rational::from(r * &size));
    }
    if let Some(a) = &accuracy.abs {
        t = t.max(a.clone());
    }
    if let Some((n, format)) = &accuracy.ulps {
        t = t.max(Rational::from(n * &format.ulp(f)));
    }
    t
}
