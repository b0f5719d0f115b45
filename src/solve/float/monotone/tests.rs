//! What is said of the order of terms, at all values of tiny formats.

use super::super::orders::consequences;
use super::super::value::{self, Open};
use super::*;
use crate::num::random::Random;

const FORMATS: [(u32, u32); 2] = [(2, 2), (3, 2)];

/// Terms over unknowns and constants, with a direction each.
fn grow(graph: &mut Graph, format: Format, rng: &mut Random) -> Vec<Term> {
    let sort = Sort::Float(format);
    let mut terms: Vec<Term> = (0..3).map(|_| graph.variable(sort)).collect();
    let one = one(format);
    let two = soft::from_integer(format, Rounding::NearestEven, false, 2);
    let half = soft::div(format, Rounding::NearestEven, one, two);
    let constants = [ZERO, MINUS_ZERO, one, two, half, crate::floats::ordinal::negated(one), format.infinity()];
    terms.extend(constants.map(|value| graph.constant(sort, value)));
    for _ in 0..6 {
        let mode = graph.mode(Rounding::ALL[rng.below(4) as usize]);
        let mut pick = || terms[rng.below(terms.len() as u64 - 1) as usize];
        let (x, y, z) = (pick(), pick(), pick());
        let rounded = |function, operands: &[Term]| (TermOp::Rounded(function), [&[mode], operands].concat());
        let (op, operands) = match rng.below(10) {
            0 | 1 => rounded(RoundedFunction::Add, &[x, y]),
            2 | 3 => {
                let minus = graph.apply(TermOp::Neg, sort, &[y]);
                rounded(RoundedFunction::Add, &[x, minus])
            }
            4 => rounded(RoundedFunction::Mul, &[x, y]),
            5 => rounded(RoundedFunction::Div, &[x, y]),
            6 => rounded(RoundedFunction::Fma, &[x, y, z]),
            7 => rounded(RoundedFunction::Sqrt, &[x]),
            8 => rounded(RoundedFunction::Integral, &[x]),
            9 => (TermOp::Neg, vec![x]),
            _ => (TermOp::Abs, vec![x]),
        };
        terms.push(graph.apply(op, sort, &operands));
    }
    terms
}

/// Whatever comparisons of random terms are told: what follows from them is true of all values of which they are.
#[test]
fn what_follows_from_random_comparisons_is_true() {
    let mut rng = Random::seeded(7);
    let (mut follow, mut hold) = (0, 0);
    for round in 0..600 {
        let (exponent, precision) = FORMATS[round % 2];
        let format = Format::new(exponent, precision).expect("a format");
        let all: Vec<i64> = (format.minus_infinity()..=format.infinity()).chain([NAN]).collect();
        let mut graph = Graph::default();
        let terms = grow(&mut graph, format, &mut rng);
        let mut compare = || {
            let [a, b] = [(); 2].map(|()| terms[rng.below(terms.len() as u64 - 1) as usize]);
            let relation = [TermRelation::Less, TermRelation::LessEqual][rng.below(1) as usize];
            graph.apply(TermOp::Relation(relation), Sort::Bool, &[a, b])
        };
        let told: Vec<Term> = (0..3).map(|_| compare()).collect();
        (0..30).for_each(|_| _ = compare());
        if told.iter().any(|t| graph.constant_value(*t).is_some()) {
            continue;
        }
        let found = consequences(&mut graph, &told);
        follow += found.len();
        let mut values = Vec::new();
        for point in all.iter().flat_map(|a| all.iter().flat_map(|b| all.iter().map(|c| [*a, *b, *c]))) {
            value::all(&graph, &point, Open::default(), &mut values);
            if told.iter().all(|t| values[t.index()] == 1) {
                hold += 1;
                let wrong = found.iter().find(|t| values[t.index()] != 1);
                assert!(wrong.is_none(), "round {round}, {point:?}: {:?}", wrong.map(|t| graph.op(*t)));
            }
        }
    }
    assert!(follow > 300 && hold > 10_000, "{follow} {hold}");
}

/// Means in all directions of rounding, at all values.
#[test]
fn means_are_between_unless_something_is_infinite() {
    let format = Format::new(3, 3).expect("a format");
    let sort = Sort::Float(format);
    let all: Vec<i64> = (format.minus_infinity()..=format.infinity()).chain([NAN]).collect();
    let [two, three] = [2, 3].map(|n| soft::from_integer(format, Rounding::NearestEven, false, n));
    let every = (0..125).map(|k| [k % 5, k / 5 % 5, k / 25].map(|m| Rounding::ALL[m]));
    // By another number than 2 it is no mean.
    for (modes, by) in every.flat_map(|modes| [two, three, one(format)].map(|by| (modes, by))) {
        let mut graph = Graph::default();
        let [x, y] = [(); 2].map(|()| graph.variable(sort));
        let modes = modes.map(|m| graph.mode(m));
        let divisor = graph.constant(sort, by);
        let minus = graph.apply(TermOp::Neg, sort, &[x]);
        let mut rounded = |function, operands: &[Term]| graph.apply(TermOp::Rounded(function), sort, operands);
        let sum = rounded(RoundedFunction::Add, &[modes[0], x, y]);
        let means = [rounded(RoundedFunction::Div, &[modes[1], sum, divisor]), {
            let difference = rounded(RoundedFunction::Add, &[modes[0], y, minus]);
            let half = rounded(RoundedFunction::Div, &[modes[1], difference, divisor]);
            rounded(RoundedFunction::Add, &[modes[2], x, half])
        }];
        let told = graph.apply(TermOp::Relation(TermRelation::LessEqual), Sort::Bool, &[x, y]);
        for mean in means {
            graph.apply(TermOp::Relation(TermRelation::Less), Sort::Bool, &[mean, x]);
            graph.apply(TermOp::Relation(TermRelation::Less), Sort::Bool, &[y, mean]);
        }
        let found = consequences(&mut graph, &[told]);
        let is_nearest = graph.constant_value(modes[0]).is_some_and(|m| m < 2);
        assert_eq!(found.len() >= 4, is_nearest && by == two, "{}", found.len());
        let mut values = Vec::new();
        for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b))) {
            value::all(&graph, &[a, b], Open::default(), &mut values);
            let holds = values[told.index()] != 1 || found.iter().all(|t| values[t.index()] == 1);
            assert!(holds, "{a} {b}");
        }
    }
}

/// Whatever is told of the signs and the order of operands: what is said of sums, products and quotients is true of all numbers.
#[test]
fn what_signs_and_orders_say_of_results_is_true() {
    let format = Format::new(2, 2).expect("a format");
    let sort = Sort::Float(format);
    let all: Vec<i64> = (format.minus_infinity()..=format.infinity()).collect();
    let holds = |facts: &[Fact], point: &[i64; 4]| {
        facts.iter().all(|(a, b, is_strict)| {
            let relation = if *is_strict { TermRelation::Less } else { TermRelation::LessEqual };
            let value = |k: &usize| if *k == 4 { ZERO } else { point[*k] };
            relation.holds(value(a), value(b))
        })
    };
    let mut claims = 0;
    for (function, of) in [
        (RoundedFunction::Add, soft::add as fn(Format, Rounding, i64, i64) -> i64),
        (RoundedFunction::Mul, soft::mul),
        (RoundedFunction::Div, soft::div),
    ] {
        let mut graph = Graph::default();
        let [x, y, z, w] = [(); 4].map(|()| graph.variable(sort));
        let zero = graph.constant(sort, ZERO);
        let mode = graph.mode(Rounding::NearestEven);
        let [a, b] = [[mode, x, y], [mode, z, w]].map(|o| graph.apply(TermOp::Rounded(function), sort, &o));
        let terms = [x, y, z, w, zero];
        for mask in 0..1 << FACTS.len() {
            let facts: Vec<Fact> = (0..FACTS.len()).filter(|k| mask >> k & 1 == 1).map(|k| FACTS[k]).collect();
            let edges: Vec<OrderEdge> = facts
                .iter()
                .map(|(a, b, is_strict)| OrderEdge { lesser: terms[*a], greater: terms[*b], is_strict: *is_strict })
                .collect();
            let claimed = [(a, b), (b, a)].map(|(a, b)| TermOrder::new(&graph, &edges).is_at_most(a, b));
            if claimed == [false; 2] {
                continue;
            }
            claims += 1;
            for point in
                (0..all.len().pow(4)).map(|k| std::array::from_fn(|i| all[k / all.len().pow(i as u32) % all.len()]))
            {
                if !holds(&facts, &point) {
                    continue;
                }
                let [x, y, z, w] = point;
                let (p, q) = (of(format, Rounding::NearestEven, x, y), of(format, Rounding::NearestEven, z, w));
                if p == NAN || q == NAN {
                    continue;
                }
                for (is_claimed, (p, q)) in claimed.into_iter().zip([(p, q), (q, p)]) {
                    let is_so = TermRelation::LessEqual.holds(p, q);
                    assert!(!is_claimed || is_so, "{function:?} {facts:?} {point:?}: {p} {q}");
                }
            }
        }
    }
    assert!(claims > 30, "{claims}");
}

/// One operand is at most another one, or below it; the fifth is 0.
type Fact = (usize, usize, bool);

const FACTS: [Fact; 8] = [
    (4, 0, false),
    (4, 1, true),
    (4, 2, false),
    (4, 3, true),
    (0, 2, false),
    (1, 3, false),
    (3, 1, false),
    (2, 4, false),
];

/// What is divided by more than it is at most 1, and a product with it at most the other factor.
#[test]
fn quotients_are_compared_with_1() {
    let sort = Sort::Float(Format::new(3, 3).expect("a format"));
    let mut graph = Graph::default();
    let [x, y, z] = [(); 3].map(|()| graph.variable(sort));
    let zero = graph.constant(sort, ZERO);
    let mode = graph.mode(Rounding::NearestEven);
    let quotient = graph.apply(TermOp::Rounded(RoundedFunction::Div), sort, &[mode, x, y]);
    let product = graph.apply(TermOp::Rounded(RoundedFunction::Mul), sort, &[mode, z, quotient]);
    let edge = |lesser, greater, is_strict| OrderEdge { lesser, greater, is_strict };
    let (signs, ordered) = ([edge(zero, x, false), edge(zero, y, true), edge(zero, z, false)], edge(x, y, false));
    let is_at_most = |told: &[OrderEdge]| TermOrder::new(&graph, told).is_at_most(product, z);
    assert!(is_at_most(&[signs[0], signs[1], signs[2], ordered]));
    for k in 0..3 {
        // Nothing is said without a sign, or without the order; a dividend below 0 makes no larger quotient.
        let fewer: Vec<OrderEdge> = (0..3).filter(|i| *i != k).map(|i| signs[i]).chain([ordered]).collect();
        assert_eq!(is_at_most(&fewer), k == 0, "{k}");
    }
    assert!(!is_at_most(&signs));
}

/// x and half of the difference of y and another number are no mean.
#[test]
fn what_only_looks_like_a_mean_says_nothing_false() {
    let format = Format::new(2, 2).expect("a format");
    let sort = Sort::Float(format);
    let all: Vec<i64> = (format.minus_infinity()..=format.infinity()).chain([NAN]).collect();
    let two = soft::from_integer(format, Rounding::NearestEven, false, 2);
    let mut graph = Graph::default();
    let [x, y, z] = [(); 3].map(|()| graph.variable(sort));
    let (mode, two) = (graph.mode(Rounding::NearestEven), graph.constant(sort, two));
    let minus = graph.apply(TermOp::Neg, sort, &[z]);
    let difference = graph.apply(TermOp::Rounded(RoundedFunction::Add), sort, &[mode, y, minus]);
    let half = graph.apply(TermOp::Rounded(RoundedFunction::Div), sort, &[mode, difference, two]);
    let mean = graph.apply(TermOp::Rounded(RoundedFunction::Add), sort, &[mode, x, half]);
    let told = graph.apply(TermOp::Relation(TermRelation::LessEqual), Sort::Bool, &[x, y]);
    graph.apply(TermOp::Relation(TermRelation::Less), Sort::Bool, &[mean, x]);
    graph.apply(TermOp::Relation(TermRelation::Less), Sort::Bool, &[y, mean]);
    let found = consequences(&mut graph, &[told]);
    let mut values = Vec::new();
    for point in all.iter().flat_map(|a| all.iter().flat_map(|b| all.iter().map(|c| [*a, *b, *c]))) {
        value::all(&graph, &point, Open::default(), &mut values);
        let holds = values[told.index()] != 1 || found.iter().all(|t| values[t.index()] == 1);
        assert!(holds, "{point:?}");
    }
}
