//! Deciding formulas by two engines ([`decide_both`]). That of ordinals is here: propagation with bisection, and search, in turns with
//! rising budgets.

mod both;
mod confirm;
mod distance;
mod laws;
mod system;

pub use both::{Asked, Decided, DecisionEffort, Engine, confirm_by_another, decide_both};
pub use confirm::{AGAIN, Confirmation};

use crate::floats::BitsKind;
use crate::floats::Format;
use crate::num::random::Random;
use crate::search::goal::Distance;
use crate::search::goal::{Best, wander};
use crate::search::values::{Pool, any, special};
use crate::solve::float::apply;
use crate::solve::float::domain::TermDomain;
use crate::solve::float::problem::TermsPart;
use crate::solve::float::value::{self, Open};
use crate::solve::float::{Cuts, ELEMENT_BITS, Eliminated, Graph, Satisfy, Sort, Term, eliminate, eliminate_equal};
use crate::solve::{Limits, Problem as _, SearchEnd, Tally, Turn, search_parts};
use confirm::confirm;
use distance::Distances;

/// What a question comes to.
#[derive(Clone, Debug, PartialEq)]
enum QuestionVerdict {
    /// It holds for these values of the unknowns, verified by exact evaluation with this meaning of what is open.
    Sat(Vec<i64>, Open),
    /// It holds for none.
    Unsat,
    /// Neither was found.
    Unknown,
}

/// The work that it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DecisionWork {
    /// Parts of the values of the unknowns that were looked at.
    pub boxes: u64,
    /// Points at which the formulas were evaluated by the search.
    pub evaluations: u64,
    /// Conflicts that the engine of gates might meet.
    pub conflicts: u64,
}

impl DecisionWork {
    /// Both.
    #[must_use]
    pub fn and(self, other: DecisionWork) -> DecisionWork {
        DecisionWork {
            boxes: self.boxes + other.boxes,
            evaluations: self.evaluations + other.evaluations,
            conflicts: self.conflicts + other.conflicts,
        }
    }
}

/// The parts of the first turn. It doubles from turn to turn.
const FIRST: u64 = 32;
/// Points for the equations between floats.
const SYSTEM: u64 = 4000;
/// Points for each part.
const POINTS: u64 = 8;

/// A question in the forms that the engine of ordinals looks at.
struct OrdinalQuestion<'g> {
    graph: &'g Graph,
    roots: &'g [Term],
    /// Without the unknowns that follow from others.
    fewer: Eliminated,
    /// Where an unknown equals something it is that, mostly: an equality is hard to climb to.
    guess: Option<Eliminated>,
}

impl<'g> OrdinalQuestion<'g> {
    fn new(graph: &'g Graph, roots: &'g [Term]) -> Self {
        let fewer = eliminate(graph, roots);
        let guess = eliminate_equal(graph, roots);
        let is_less = guess.graph.variables().len() < fewer.graph.variables().len();
        OrdinalQuestion { graph, roots, fewer, guess: is_less.then_some(guess) }
    }
}

/// The engine of ordinals, which goes on from turn to turn: propagation with bisection, and search.
struct OrdinalSearch<'q> {
    question: &'q OrdinalQuestion<'q>,
    searches: [Search<'q>; 2],
    climber: Climber<'q>,
    guesser: Option<Climber<'q>>,
    /// The most boxes of all turns.
    boxes: u64,
    seed: u64,
    /// The boxes of the next turn.
    next: u64,
    work: DecisionWork,
}

impl<'q> OrdinalSearch<'q> {
    fn new(question: &'q OrdinalQuestion<'q>, boxes: u64, seed: u64) -> Self {
        let fewer = &question.fewer;
        OrdinalSearch {
            question,
            searches: [Cuts::Latest, Cuts::Unknowns]
                .map(|cuts| Search::new(Satisfy::new(&fewer.graph, &fewer.roots, cuts))),
            climber: Climber::new(fewer, seed),
            guesser: question.guess.as_ref().map(|guess| Climber::new(guess, seed)),
            boxes,
            seed,
            next: FIRST,
            work: DecisionWork::default(),
        }
    }

    /// One turn more; nothing where another may decide it.
    fn turn(&mut self) -> Option<QuestionVerdict> {
        let OrdinalQuestion { graph, roots, fewer, guess } = self.question;
        let turn = self.next;
        self.next *= 2;
        for k in 0..self.searches.len() {
            let boxes = turn.min(self.boxes.saturating_sub(self.work.boxes));
            match self.searches[k].turn(boxes, &mut self.work) {
                End::Found(point) => return Some(self.verified(&point)),
                End::Infeasible => return Some(QuestionVerdict::Unsat),
                End::Open => {}
            }
        }
        let is_over = self.work.boxes >= self.boxes || self.searches.iter().all(|s| s.parts.is_none());
        if is_over || crate::halt::requested() {
            return Some(QuestionVerdict::Unknown);
        }
        if turn == FIRST
            && let Some(point) = system::solve(fewer, (SYSTEM, self.seed), &mut self.work)
        {
            return Some(self.verified(&point));
        }
        if let Some(point) = self.climber.climb(POINTS * turn, &mut self.work) {
            return Some(self.verified(&point));
        }
        let point = self.guesser.as_mut().and_then(|g| g.climb(POINTS * turn, &mut self.work))?;
        let guess = guess.as_ref()?;
        let mut problem = Satisfy::new(&guess.graph, &guess.roots, Cuts::Latest);
        original(graph, roots, guess, &mut problem, &point).map(|(values, open)| QuestionVerdict::Sat(values, open))
    }

    /// Nothing is told that does not hold of the question as it was asked.
    fn verified(&mut self, point: &[i64]) -> QuestionVerdict {
        let OrdinalQuestion { graph, roots, fewer, .. } = self.question;
        let found = original(graph, roots, fewer, &mut self.searches[0].problem, point);
        found.map_or(QuestionVerdict::Unknown, |(values, open)| QuestionVerdict::Sat(values, open))
    }
}

/// A search that goes on from turn to turn.
struct Search<'q> {
    problem: Satisfy<'q>,
    /// What is left to look at; none where that is over without an answer.
    parts: Option<Vec<TermsPart>>,
    tally: Tally,
}

/// What a turn comes to.
enum End {
    Found(Vec<i64>),
    Infeasible,
    Open,
}

impl<'q> Search<'q> {
    fn new(problem: Satisfy<'q>) -> Self {
        Search { parts: Some(vec![problem.whole()]), problem, tally: Tally::default() }
    }

    /// Look at so many boxes more.
    fn turn(&mut self, boxes: u64, work: &mut DecisionWork) -> End {
        let Some(parts) = self.parts.take().filter(|_| boxes > 0) else { return End::Open };
        let limits = Limits { boxes, delta: 0.0, ..Limits::default() };
        let before = self.tally.stats().boxes;
        let end = search_parts(&mut self.problem, parts, limits, None, &mut self.tally);
        work.boxes += self.tally.stats().boxes - before;
        match end {
            Turn::Found(SearchEnd::Inner { point, .. }) => End::Found(point),
            Turn::Done if matches!(self.tally.answer::<(), ()>(), SearchEnd::Infeasible { .. }) => End::Infeasible,
            Turn::Left(parts) => {
                self.parts = Some(parts);
                End::Open
            }
            Turn::Found(_) | Turn::Done | Turn::Interrupted => End::Open,
        }
    }
}

/// Values of the unknowns that were asked about, if they make all formulas true.
fn original(
    graph: &Graph,
    roots: &[Term],
    question: &Eliminated,
    problem: &mut Satisfy<'_>,
    point: &[i64],
) -> Option<(Vec<i64>, Open)> {
    let (holds, open) = problem.holds(point);
    let mut values = Vec::new();
    value::all(&question.graph, point, open, &mut values);
    let one = |(i, term): (usize, &Option<Term>)| {
        let sort = graph.sort(graph.variables()[i]);
        term.map_or_else(|| anything(sort), |t| values[t.index()])
    };
    let inputs: Vec<i64> = question.unknowns.iter().enumerate().map(one).collect();
    value::all(graph, &inputs, open, &mut values);
    let is_value = |(v, x): (&Term, &i64)| {
        let sort = graph.sort(*v);
        !TermDomain::all(sort).meet(TermDomain::one(sort, *x)).is_empty()
    };
    let holds = holds && graph.variables().iter().zip(&inputs).all(is_value);
    (holds && roots.iter().all(|r| values[r.index()] == 1)).then_some((inputs, open))
}

/// A value of a sort that does not matter.
fn anything(sort: Sort) -> i64 {
    match TermDomain::all(sort) {
        TermDomain::Bits(..) => 0,
        TermDomain::Set(s) => s.lo.max(0),
    }
}

/// The search over bit patterns, from one turn to the next.
struct Climber<'q> {
    question: &'q Eliminated,
    kinds: Vec<BitsKind>,
    pool: Pool,
    rng: Random,
    distances: Distances,
    values: Vec<i64>,
    starts: u64,
}

impl<'q> Climber<'q> {
    fn new(question: &'q Eliminated, seed: u64) -> Self {
        let graph = &question.graph;
        let kinds: Vec<BitsKind> = graph.variables().iter().map(|v| kind(graph.sort(*v))).collect();
        let pooled = |v: &Term| {
            let sort = graph.sort(*v);
            let constants = graph.terms().filter(|t| graph.sort(*t) == sort).filter_map(|t| graph.constant_value(t));
            special(kind(sort)).into_iter().chain(constants.map(|x| bits(sort, x))).collect()
        };
        let pool = Pool { values: graph.variables().iter().map(pooled).collect(), texts: Vec::new() };
        Climber {
            question,
            kinds,
            pool,
            rng: Random::seeded(seed),
            distances: Distances::new(),
            values: Vec::new(),
            starts: 0,
        }
    }

    /// Climb from a new start until the formulas hold, or so many points were looked at.
    fn climb(&mut self, points: u64, work: &mut DecisionWork) -> Option<Vec<i64>> {
        if self.kinds.is_empty() {
            return None;
        }
        let (kinds, pool, rng) = (&self.kinds, &self.pool, &mut self.rng);
        let start: Vec<u64> = match self.starts {
            0 => kinds.iter().map(|k| special(*k)[0]).collect(),
            _ => kinds.iter().map(|k| any(*k, rng)).collect(),
        };
        self.starts += 1;
        let (question, distances, values) = (self.question, &mut self.distances, &mut self.values);
        let mut left = points;
        let mut evaluate = |input: &[u64]| {
            if left == 0 || crate::halt::requested() {
                return None;
            }
            left -= 1;
            let point = inputs(&question.graph, input);
            value::all(&question.graph, &point, Open::default(), values);
            let far = distances.of(&question.graph, &question.roots, values);
            // To 16 bits after the point.
            Some(Distance { level: 0, ulps: (far * 65536.0).min(1e18) as u64 })
        };
        let distance = evaluate(&start)?;
        let mut best = Best { input: start, distance };
        let end = wander(&mut best, kinds, pool, rng, &mut evaluate);
        work.evaluations += points - left;
        end.map(|()| inputs(&question.graph, &best.input))
    }
}

/// What the search takes an unknown for.
fn kind(sort: Sort) -> BitsKind {
    match sort {
        Sort::Float(Format::BINARY64) => BitsKind::F64,
        Sort::Float(Format::BINARY32) => BitsKind::F32,
        Sort::Bool | Sort::Mode => BitsKind::Int { bytes: 1, signed: false },
        Sort::Float(_) | Sort::Bits(_) | Sort::Element(_) => BitsKind::Int { bytes: 8, signed: false },
    }
}

/// The bits that the search has for a value.
fn bits(sort: Sort, x: i64) -> u64 {
    match sort {
        Sort::Float(format) => format.to_bits(x),
        _ => x as u64,
    }
}

/// Values of the unknowns from bits.
fn inputs(graph: &Graph, bits: &[u64]) -> Vec<i64> {
    let one = |(v, bits): (&Term, &u64)| match graph.sort(*v) {
        Sort::Bool => (bits & 1) as i64,
        Sort::Mode => (bits % 5) as i64,
        Sort::Float(format) => format.from_bits(*bits),
        Sort::Bits(width) => (bits & apply::mask(width)) as i64,
        Sort::Element(_) => (bits & apply::mask(ELEMENT_BITS)) as i64,
    };
    graph.variables().iter().zip(bits).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::float::TermOp;
    use crate::solve::float::relate::TermRelation;

    /// That x is above 1, and that y is: whatever is said to solve the question, both have to hold.
    #[test]
    fn values_are_told_only_where_they_solve_what_was_asked() {
        let (sort, mut graph) = (Sort::Float(Format::BINARY64), Graph::default());
        let [x, y] = [(); 2].map(|()| graph.variable(sort));
        let [low, high] = [0.5, 2.0].map(|x| Format::BINARY64.ordinal(x));
        let one = graph.constant(sort, Format::BINARY64.ordinal(1.0));
        let roots = [x, y].map(|t| graph.apply(TermOp::Relation(TermRelation::Less), Sort::Bool, &[one, t]));
        // Nothing is left of it, as if all values solved it.
        let question = Eliminated { unknowns: vec![Some(x), Some(y)], graph: graph.clone(), roots: Vec::new() };
        for point in [[low, low], [low, high], [high, low], [high, high]] {
            let mut problem = Satisfy::new(&question.graph, &question.roots, Cuts::Latest);
            let told = original(&graph, &roots, &question, &mut problem, &point).map(|(values, _)| values);
            assert_eq!(told, (point == [high; 2]).then(|| point.to_vec()), "{point:?}");
        }
    }
}
