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
    let two = soft::from_integer(format, Rounding::NearestEven, false, 2);
    for modes in (0..125).map(|k| [k % 5, k / 5 % 5, k / 25].map(|m| Rounding::ALL[m])) {
        let mut graph = Graph::default();
        let [x, y] = [(); 2].map(|()| graph.variable(sort));
        let modes = modes.map(|m| graph.mode(m));
        let two = graph.constant(sort, two);
        let minus = graph.apply(TermOp::Neg, sort, &[x]);
        let mut rounded = |function, operands: &[Term]| graph.apply(TermOp::Rounded(function), sort, operands);
        let sum = rounded(RoundedFunction::Add, &[modes[0], x, y]);
        let means = [rounded(RoundedFunction::Div, &[modes[1], sum, two]), {
            let difference = rounded(RoundedFunction::Add, &[modes[0], y, minus]);
            let half = rounded(RoundedFunction::Div, &[modes[1], difference, two]);
            rounded(RoundedFunction::Add, &[modes[2], x, half])
        }];
        let told = graph.apply(TermOp::Relation(TermRelation::LessEqual), Sort::Bool, &[x, y]);
        for mean in means {
            graph.apply(TermOp::Relation(TermRelation::Less), Sort::Bool, &[mean, x]);
            graph.apply(TermOp::Relation(TermRelation::Less), Sort::Bool, &[y, mean]);
        }
        let found = consequences(&mut graph, &[told]);
        let is_nearest = graph.constant_value(modes[0]).is_some_and(|m| m < 2);
        assert_eq!(found.len() >= 4, is_nearest, "{}", found.len());
        let mut values = Vec::new();
        for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b))) {
            value::all(&graph, &[a, b], Open::default(), &mut values);
            let holds = values[told.index()] != 1 || found.iter().all(|t| values[t.index()] == 1);
            assert!(holds, "{a} {b}");
        }
    }
}
