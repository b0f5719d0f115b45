//! Laws of rounded operations, as formulas that are true whatever the values are.
//!
//! Rounding keeps order (IEEE 754, 4.3): where exact results are in order, rounded ones are not in the opposite order, in any direction;
//! and a result that a number of the format bounds is bounded by it. With laws like these a solver can prove order without any gates of
//! the operations. They are instances for the terms that a question has. Those of order say nothing of NaN: each ends in what is not
//! below what.

use super::Asked;
use crate::floats::set::Class;
use crate::floats::{Rounding, soft};
use crate::sat::circuit::Circuit;
use crate::sat::{SatSearch, SatVerdict};
use crate::solve::float::project::RoundedFunction;
use crate::solve::float::relate::TermRelation;
use crate::solve::float::{Graph, Sort, Term, TermOp};

/// The most laws of a question that are about pairs of operations.
const MOST: usize = 4000;
/// The most operations of a question that laws are made for.
const MOST_OPERATIONS: usize = 1000;

/// What follows from laws alone does so with few conflicts.
const LAW_CONFLICTS: u64 = 5_000;

/// A rounded operation in a graph.
struct Operation {
    result: Term,
    function: RoundedFunction,
    mode: Term,
    operands: Vec<Term>,
}

/// Makes laws, and keeps them.
struct Laws<'g> {
    graph: &'g mut Graph,
    found: Vec<Term>,
}

/// Whether laws of rounding suffice for a proof, without the operations themselves.
pub(super) fn follows_from_laws(graph: &Graph, asked: Asked<'_>) -> bool {
    let mut graph = graph.clone();
    let laws = rounding_laws(&mut graph, asked.roots);
    if laws.is_empty() {
        return false;
    }
    let roots = [asked.roots, &laws].concat();
    let circuit = Circuit::to_confirm(asked.effort.gates);
    let mut search = SatSearch::new(&graph, &roots, asked.lemmas, circuit).without_rounding();
    search.run(LAW_CONFLICTS) == Some(SatVerdict::Unsat)
}

/// The laws of what some formulas are made of, for a graph that becomes larger by them.
fn rounding_laws(graph: &mut Graph, roots: &[Term]) -> Vec<Term> {
    let used = graph.used_by(roots);
    let operation = |result: Term| {
        let TermOp::Rounded(function) = graph.op(result) else { return None };
        let mut operands = graph.below(result);
        Some(Operation { result, function, mode: operands.remove(0), operands })
    };
    let operations: Vec<Operation> = graph.terms().filter(|t| used[t.index()]).filter_map(operation).collect();
    let mut laws = Laws { graph, found: Vec::new() };
    if operations.len() > MOST_OPERATIONS {
        return laws.found;
    }
    for operation in &operations {
        laws.add_bounds(operation);
    }
    for (k, one) in operations.iter().enumerate() {
        for other in &operations[..k] {
            if laws.found.len() < MOST && one.function == other.function && one.mode == other.mode {
                laws.add_order(one, other);
                laws.add_order(other, one);
            }
        }
    }
    laws.found
}

impl Laws<'_> {
    fn relate(&mut self, relation: TermRelation, a: Term, b: Term) -> Term {
        self.graph.apply(TermOp::Relation(relation), Sort::Bool, &[a, b])
    }

    fn at_most(&mut self, a: Term, b: Term) -> Term {
        self.relate(TermRelation::LessEqual, a, b)
    }

    /// Where each condition holds, the first term is not below the second.
    fn add(&mut self, conditions: &[Term], [not_below, other]: [Term; 2]) {
        let below = self.relate(TermRelation::Less, not_below, other);
        let broken = self.graph.all(&[conditions, &[below]].concat());
        self.found.push(self.graph.not(broken));
    }

    fn magnitude(&mut self, x: Term) -> Term {
        self.graph.apply(TermOp::Abs, self.graph.sort(x), &[x])
    }

    fn integer(&mut self, like: Term, value: u128) -> Term {
        let sort = self.graph.sort(like);
        let Sort::Float(format) = sort else { return like };
        self.graph.constant(sort, soft::from_integer(format, Rounding::NearestEven, false, value))
    }

    /// What bounds the result of one operation: its operands, zero.
    fn add_bounds(&mut self, operation: &Operation) {
        let Operation { result, function, ref operands, .. } = *operation;
        let sort = self.graph.sort(result);
        if sort.is_wide() || operands.iter().any(|x| self.graph.sort(*x) != sort) {
            return;
        }
        self.add_numbers(operation);
        let (zero, one) = (self.integer(result, 0), self.integer(result, 1));
        let x = operands[0];
        match function {
            RoundedFunction::Sqrt => self.add(&[], [result, zero]),
            RoundedFunction::Square => {
                self.add(&[], [result, zero]);
                let size = self.magnitude(x);
                let (small, large) = (self.at_most(size, one), self.at_most(one, size));
                self.add(&[small], [size, result]);
                self.add(&[large], [result, size]);
            }
            RoundedFunction::Add => {
                let y = operands[1];
                for (x, y) in [(x, y), (y, x)] {
                    let (above, below) = (self.at_most(zero, y), self.at_most(y, zero));
                    self.add(&[above], [result, x]);
                    self.add(&[below], [x, result]);
                    // A difference has the sign of the order of what it is of.
                    if self.graph.op(y) == TermOp::Neg {
                        let y = self.graph.below(y)[0];
                        let (below, above) = (self.at_most(x, y), self.at_most(y, x));
                        self.add(&[below], [zero, result]);
                        self.add(&[above], [result, zero]);
                    }
                }
            }
            RoundedFunction::Mul | RoundedFunction::Div => {
                let y = operands[1];
                let is_product = function == RoundedFunction::Mul;
                // A zero has a sign, which says what a quotient by it is.
                let of_second = if is_product { TermRelation::LessEqual } else { TermRelation::Less };
                self.add_signs(result, [(x, TermRelation::LessEqual), (y, of_second)]);
                let pairs = if is_product { vec![(x, y), (y, x)] } else { vec![(x, y)] };
                let size = self.magnitude(result);
                for (x, y) in pairs {
                    let (x, y) = (self.magnitude(x), self.magnitude(y));
                    let (small, large) = (self.at_most(y, one), self.at_most(one, y));
                    let (shrinks, grows) = if is_product { (small, large) } else { (large, small) };
                    self.add(&[shrinks], [x, size]);
                    self.add(&[grows], [size, x]);
                }
            }
            RoundedFunction::Fma | RoundedFunction::Integral | RoundedFunction::Cast(_) => {}
        }
    }

    /// Where the result is NaN, an operand is NaN, or the function has no value at them.
    fn add_numbers(&mut self, operation: &Operation) {
        let Operation { result, function, ref operands, .. } = *operation;
        let is = |laws: &mut Self, op: TermOp, t: Term| laws.graph.apply(op, Sort::Bool, &[t]);
        let (infinite, zero) = (TermOp::Is(Class::Infinite), TermOp::Is(Class::Zero));
        let mut reasons: Vec<Term> = operands.iter().map(|x| is(self, TermOp::IsNan, *x)).collect();
        let mut both = |laws: &mut Self, ops: [TermOp; 2], [x, y]: [Term; 2]| {
            let both = [is(laws, ops[0], x), is(laws, ops[1], y)];
            reasons.push(laws.graph.all(&both));
        };
        match function {
            RoundedFunction::Add => both(self, [infinite, infinite], [operands[0], operands[1]]),
            RoundedFunction::Mul => {
                both(self, [infinite, zero], [operands[0], operands[1]]);
                both(self, [zero, infinite], [operands[0], operands[1]]);
            }
            RoundedFunction::Div => {
                both(self, [infinite, infinite], [operands[0], operands[1]]);
                both(self, [zero, zero], [operands[0], operands[1]]);
            }
            RoundedFunction::Fma => reasons.extend(operands.iter().map(|x| is(self, infinite, *x)).collect::<Vec<_>>()),
            RoundedFunction::Sqrt => {
                let zero = self.integer(result, 0);
                reasons.push(self.relate(TermRelation::Less, operands[0], zero));
            }
            RoundedFunction::Square | RoundedFunction::Integral | RoundedFunction::Cast(_) => {}
        }
        let nan = is(self, TermOp::IsNan, result);
        reasons.push(self.graph.not(nan));
        self.found.push(self.graph.any(&reasons));
    }

    /// The sign of a product or quotient, where its operands are in a relation with zero.
    fn add_signs(&mut self, result: Term, operands: [(Term, TermRelation); 2]) {
        let zero = self.integer(result, 0);
        let [x, y] = operands.map(|(t, relation)| [self.relate(relation, zero, t), self.relate(relation, t, zero)]);
        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            self.add(&[x[i], y[j]], if i == j { [result, zero] } else { [zero, result] });
        }
    }

    /// Where operands are in order, `greater` is not below `lesser`.
    fn add_order(&mut self, lesser: &Operation, greater: &Operation) {
        let (p, q) = (&lesser.operands, &greater.operands);
        let alike = p.iter().zip(q).all(|(x, y)| self.graph.sort(*x) == self.graph.sort(*y));
        if !alike || p.iter().chain([&lesser.result]).any(|x| self.graph.sort(*x).is_wide()) {
            return;
        }
        let ends = [greater.result, lesser.result];
        let zero = self.integer(p[0], 0);
        // An operand that both have is in order with itself, and where it is NaN there is nothing to say.
        let ordered =
            |laws: &mut Self, x: Term, y: Term| if x == y { laws.graph.truth(true) } else { laws.at_most(x, y) };
        match lesser.function {
            RoundedFunction::Sqrt | RoundedFunction::Integral | RoundedFunction::Cast(_) => {
                let ordered = ordered(self, p[0], q[0]);
                self.add(&[ordered], ends);
            }
            RoundedFunction::Square => {
                let sizes = [p[0], q[0]].map(|x| self.magnitude(x));
                let ordered = ordered(self, sizes[0], sizes[1]);
                self.add(&[ordered], ends);
            }
            RoundedFunction::Add => {
                for (i, j) in [(0, 1), (1, 0)] {
                    let conditions = [ordered(self, p[0], q[i]), ordered(self, p[1], q[j])];
                    self.add(&conditions, ends);
                }
            }
            RoundedFunction::Mul => {
                for (i, j) in [(0, 1), (1, 0)] {
                    let signs = [self.at_most(zero, p[0]), self.at_most(zero, p[1])];
                    let conditions = [ordered(self, p[0], q[i]), ordered(self, p[1], q[j]), signs[0], signs[1]];
                    self.add(&conditions, ends);
                }
            }
            RoundedFunction::Div => {
                let positive = self.relate(TermRelation::Less, zero, q[1]);
                let sign = self.at_most(zero, p[0]);
                let conditions = [ordered(self, p[0], q[0]), ordered(self, q[1], p[1]), sign, positive];
                self.add(&conditions, ends);
            }
            RoundedFunction::Fma => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::DecisionEffort;
    use super::*;
    use crate::floats::Format;
    use crate::floats::ordinal::NAN;
    use crate::num::random::Random;
    use crate::solve::float::value::{self, Open};

    /// Unknowns, 1, and random terms of them in one direction.
    fn grow(graph: &mut Graph, format: Format, mode: Rounding, rng: &mut Random) -> Vec<Term> {
        let sort = Sort::Float(format);
        let mut terms: Vec<Term> = (0..3).map(|_| graph.variable(sort)).collect();
        terms.push(graph.constant(sort, soft::from_integer(format, Rounding::NearestEven, false, 1)));
        let mode = graph.mode(mode);
        for _ in 0..7 {
            let mut pick = || terms[rng.below(terms.len() as u64 - 1) as usize];
            let (x, y) = (pick(), pick());
            let (function, operands) = match rng.below(9) {
                0 | 1 => (RoundedFunction::Add, vec![mode, x, y]),
                2 => (RoundedFunction::Add, vec![mode, x, graph.apply(TermOp::Neg, sort, &[y])]),
                3 => (RoundedFunction::Mul, vec![mode, x, y]),
                4 => (RoundedFunction::Div, vec![mode, x, y]),
                5 => (RoundedFunction::Sqrt, vec![mode, x]),
                6 => (RoundedFunction::Integral, vec![mode, x]),
                7 => (RoundedFunction::Fma, vec![mode, x, y, terms[0]]),
                8 => {
                    let other = Format::new(3, 4).expect("a format");
                    let cast = TermOp::Rounded(RoundedFunction::Cast(other));
                    (RoundedFunction::Cast(format), vec![mode, graph.apply(cast, Sort::Float(other), &[mode, x])])
                }
                _ => (RoundedFunction::Mul, vec![mode, x, x]),
            };
            terms.push(graph.apply(TermOp::Rounded(function), sort, &operands));
        }
        terms
    }

    /// All values of the three unknowns.
    fn points(format: Format) -> Vec<[i64; 3]> {
        let all: Vec<i64> = (format.minus_infinity()..=format.infinity()).chain([NAN]).collect();
        let pairs = all.iter().flat_map(|a| all.iter().map(move |b| [*a, *b]));
        pairs.flat_map(|[a, b]| all.iter().map(move |c| [a, b, *c])).collect()
    }

    /// Laws of random terms of tiny formats.
    #[test]
    fn laws_are_true_of_all_values() {
        let mut rng = Random::seeded(11);
        let mut count = 0;
        for round in 0..40 {
            let format = Format::new(2 + round % 2, 2).expect("a format");
            let mut graph = Graph::default();
            let terms = grow(&mut graph, format, Rounding::ALL[round as usize % 5], &mut rng);
            let laws = rounding_laws(&mut graph, &terms);
            count += laws.len();
            let mut values = Vec::new();
            for point in points(format) {
                value::all(&graph, &point, Open::default(), &mut values);
                let wrong = laws.iter().position(|t| values[t.index()] != 1);
                assert_eq!(wrong, None, "round {round}, {point:?}");
            }
        }
        assert!(count > 1000, "{count}");
    }

    /// Random comparisons: where some values make all of them true, laws prove nothing; where none do, they often prove that.
    #[test]
    fn what_some_values_make_true_does_not_follow_to_be_false() {
        let mut rng = Random::seeded(12);
        let format = Format::new(2, 2).expect("a format");
        let (mut satisfiable, mut proved) = (0, 0);
        for round in 0..300 {
            let mut graph = Graph::default();
            let terms = grow(&mut graph, format, Rounding::ALL[round % 5], &mut rng);
            let mut compare = || {
                let [a, b] = [(); 2].map(|()| terms[rng.below(terms.len() as u64 - 1) as usize]);
                let relation = [TermRelation::Less, TermRelation::LessEqual][rng.below(1) as usize];
                let holds = graph.apply(TermOp::Relation(relation), Sort::Bool, &[a, b]);
                if rng.below(2) == 0 { graph.not(holds) } else { holds }
            };
            let roots: Vec<Term> = (0..4).map(|_| compare()).collect();
            let mut values = Vec::new();
            let is_satisfiable = points(format).iter().any(|point| {
                value::all(&graph, point, Open::default(), &mut values);
                roots.iter().all(|t| values[t.index()] == 1)
            });
            let asked = Asked { roots: &roots, lemmas: &[], effort: DecisionEffort::of_boxes(100) };
            let follows = follows_from_laws(&graph, asked);
            assert!(!(is_satisfiable && follows), "round {round}");
            satisfiable += i32::from(is_satisfiable);
            proved += i32::from(follows);
        }
        assert!(satisfiable > 100 && proved > 20, "{satisfiable} satisfiable, {proved} proved");
    }
}
