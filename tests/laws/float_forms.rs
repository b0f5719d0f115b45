//! Narrowing of formulas over floats loses no solution: random formulas that are true at a point are never proved infeasible,
//! however narrow the conditions around it are.

use magneto::floats::{Format, Rounding};
use magneto::num::random::Random;
use magneto::solve::float::project::RoundedFunction;
use magneto::solve::float::relate::TermRelation;
use magneto::solve::float::value::{self, Open};
use magneto::solve::float::{Cuts, Graph, Satisfy, Sort, Term, TermOp};
use magneto::solve::{Limits, Problem as _, SearchEnd, Tally, Turn, search_parts};

/// A number of moderate size more often than not.
fn number(format: Format, rng: &mut Random) -> i64 {
    let x = ((rng.bits() >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0) * [1.0, 3.0, 100.0, 1e-8, 1e20][rng.index(5)];
    match format {
        Format::BINARY32 => format.from_bits(u64::from((x as f32).to_bits())),
        _ => format.from_bits(x.to_bits()),
    }
}

/// A random term of the terms that there are.
fn grown(graph: &mut Graph, terms: &[Term], format: Format, rng: &mut Random) -> Term {
    let mode = graph.mode(Rounding::ALL[if rng.index(3) == 0 { rng.index(5) } else { 0 }]);
    let sort = Sort::Float(format);
    // Near the end: long chains.
    let mut pick = || terms[terms.len() - 1 - rng.index(terms.len().min(5))];
    let (a, b, c) = (pick(), pick(), pick());
    let minus = graph.apply(TermOp::Neg, sort, &[b]);
    match rng.index(10) {
        0 | 1 => graph.apply(TermOp::Rounded(RoundedFunction::Add), sort, &[mode, a, b]),
        2 | 3 => graph.apply(TermOp::Rounded(RoundedFunction::Add), sort, &[mode, a, minus]),
        4 | 5 => graph.apply(TermOp::Rounded(RoundedFunction::Mul), sort, &[mode, a, b]),
        6 => graph.apply(TermOp::Rounded(RoundedFunction::Div), sort, &[mode, a, b]),
        7 => {
            let magnitude = graph.apply(TermOp::Abs, sort, &[a]);
            graph.apply(TermOp::Rounded(RoundedFunction::Sqrt), sort, &[mode, magnitude])
        }
        8 => graph.apply(TermOp::Rounded(RoundedFunction::Fma), sort, &[mode, a, b, c]),
        _ => {
            let truth = graph.apply(TermOp::Relation(TermRelation::Less), Sort::Bool, &[a, b]);
            graph.apply(TermOp::Ite, sort, &[truth, c, minus])
        }
    }
}

#[test]
fn no_solution_is_lost() {
    let count = if std::env::var_os("MAGNETO_LONG").is_some() { 300_000 } else { 6_000 };
    let mut narrowed = 0;
    for seed in 0..count {
        let mut rng = Random::seeded(seed);
        let format = if seed % 2 == 0 { Format::BINARY64 } else { Format::BINARY32 };
        let sort = Sort::Float(format);
        let mut graph = Graph::default();
        let unknowns: Vec<Term> = (0..1 + rng.index(3)).map(|_| graph.variable(sort)).collect();
        let point: Vec<i64> = unknowns.iter().map(|_| number(format, &mut rng)).collect();
        let mut terms = unknowns.clone();
        for _ in 0..3 + rng.index(9) {
            if rng.index(4) == 0 {
                let value = number(format, &mut rng);
                terms.push(graph.constant(sort, value));
            }
            let term = grown(&mut graph, &terms, format, &mut rng);
            terms.push(term);
        }
        let mut values = Vec::new();
        value::all(&graph, &point, Open::default(), &mut values);
        // Conditions that hold at the point: bounds on unknowns and on other terms, some of them an ulp away, and orders.
        let mut roots = Vec::new();
        let infinity = format.infinity();
        for term in terms.clone() {
            let at = values[term.index()];
            if at == i64::MIN || rng.index(2) == 0 && !unknowns.contains(&term) {
                continue;
            }
            for up in [false, true] {
                let by = (rng.bits() >> (64 - rng.index(55)).min(63)) as i64;
                let bound = at.saturating_add(if up { by } else { -by }).clamp(-1 - infinity, infinity);
                let bound = graph.constant(sort, bound);
                let pair = if up { [term, bound] } else { [bound, term] };
                roots.push(graph.apply(TermOp::Relation(TermRelation::LessEqual), Sort::Bool, &pair));
            }
        }
        for _ in 0..3 {
            let pair = [terms[rng.index(terms.len())], terms[rng.index(terms.len())]];
            let relation = [TermRelation::Less, TermRelation::LessEqual, TermRelation::Equal][rng.index(3)];
            let truth = graph.apply(TermOp::Relation(relation), Sort::Bool, &pair);
            let (a, b) = (values[pair[0].index()], values[pair[1].index()]);
            roots.push(if relation.holds(a, b) { truth } else { graph.not(truth) });
        }
        let graph = graph;
        let [latest, unknowns] = [Cuts::Latest, Cuts::Unknowns].map(|cuts| Satisfy::new(&graph, &roots, cuts));
        for (way, mut problem) in
            [latest, unknowns, Satisfy::plain(&graph, &roots, Cuts::Latest)].into_iter().enumerate()
        {
            assert!(problem.holds(&point).0, "seed {seed}");
            let mut tally = Tally::default();
            let limits = Limits { boxes: 40, delta: 0.0, ..Limits::default() };
            let whole = vec![problem.whole()];
            let end = search_parts(&mut problem, whole, limits, None, &mut tally);
            let infeasible =
                matches!(end, Turn::Done) && matches!(tally.answer::<(), ()>(), SearchEnd::Infeasible { .. });
            assert!(!infeasible, "seed {seed}, way {way}: {point:?} is lost");
            narrowed += u32::from(way < 2 && matches!(end, Turn::Found(_)));
        }
    }
    assert!(u64::from(narrowed) > count, "{narrowed} of {}", 2 * count);
}

/// A value beyond the largest number is rounded to that number in some directions, far from what it was: of x + y - y, which
/// sets of values do not know to be near x, the square is beyond it.
#[test]
fn a_result_at_the_largest_number_is_not_lost() {
    let format = Format::BINARY32;
    let sort = Sort::Float(format);
    for (direction, is_there) in Rounding::ALL.into_iter().zip([false, false, false, true, true]) {
        let mut graph = Graph::default();
        let (x, y) = (graph.variable(sort), graph.variable(sort));
        let mode = graph.mode(direction);
        let minus = graph.apply(TermOp::Neg, sort, &[y]);
        let sum = graph.apply(TermOp::Rounded(RoundedFunction::Add), sort, &[mode, x, y]);
        let near = graph.apply(TermOp::Rounded(RoundedFunction::Add), sort, &[mode, sum, minus]);
        let square = graph.apply(TermOp::Rounded(RoundedFunction::Square), sort, &[mode, near]);
        let ends = [6e19f32, 6.1e19, -1e21, 1e21, f32::MAX].map(|x| format.from_bits(u64::from(x.to_bits())));
        let [x_least, x_most, y_least, y_most, most] = ends.map(|end| graph.constant(sort, end));
        let pairs = [[x_least, x], [x, x_most], [y_least, y], [y, y_most], [square, most]];
        let roots = pairs.map(|pair| graph.apply(TermOp::Relation(TermRelation::LessEqual), Sort::Bool, &pair));
        let mut problem = Satisfy::new(&graph, &roots, Cuts::Latest);
        let inputs = [ends[0], format.from_bits(0)];
        assert_eq!(problem.holds(&inputs).0, is_there, "{direction:?}");
        let whole = problem.whole();
        let left = problem.look(whole, 0, &mut Tally::default());
        assert!(left.is_some() || !is_there, "{direction:?}");
    }
}
