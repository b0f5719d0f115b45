//! Equations and inequalities between floats, solved as such between numbers first: Levenberg and Marquardt's method on the residuals,
//! then short decimals near by, then one unknown after the other by bisection over ordinals, which alone reaches a zero
//! of rounded arithmetic.

use super::DecisionWork;
use crate::floats::Format;
use crate::floats::ordinal::negated;
use crate::num::float::power;
use crate::num::random::Random;
use crate::solve::float::project::RoundedFunction;
use crate::solve::float::relate::TermRelation;
use crate::solve::float::value::{self, Open};
use crate::solve::float::{Eliminated, Graph, Sort, Term, TermOp};

/// What is to become 0: the difference of two terms, or by how much the first is larger.
#[derive(Clone, Copy)]
struct Residual {
    left: Term,
    right: Option<Term>,
    is_equation: bool,
}

/// By how much inequalities are to be met, relative to their right sides.
const MARGIN: f64 = 1e-9;
/// Steps of one descent.
const STEPS: usize = 40;
/// Decimals to which solutions are rounded.
const DECIMALS: i32 = 6;

/// A solver for the equations of a question.
struct System<'q> {
    question: &'q Eliminated,
    residuals: Vec<Residual>,
    /// The unknowns that are floats, by number.
    floats: Vec<usize>,
    values: Vec<i64>,
    left: u64,
    /// The most points for one polishing: another start may be nearer to an exact zero.
    polishing: u64,
}

/// Values of the unknowns that make all formulas true, looked for at so many points; none where no formula compares floats.
pub(super) fn solve(question: &Eliminated, (points, seed): (u64, u64), work: &mut DecisionWork) -> Option<Vec<i64>> {
    let graph = &question.graph;
    let mut residuals = Vec::new();
    question.roots.iter().for_each(|r| of_root(graph, *r, &mut residuals));
    let is_float = |v: &usize| matches!(graph.sort(graph.variables()[*v]), Sort::Float(_));
    let floats: Vec<usize> = (0..graph.variables().len()).filter(is_float).collect();
    if floats.is_empty() || residuals.is_empty() {
        return None;
    }
    // Inequalities are met soon or not at all: no float is sought for.
    let points = if residuals.iter().any(|r| r.is_equation) { points } else { points / 4 };
    let mut system = System { question, residuals, floats, values: Vec::new(), left: points, polishing: points / 8 };
    let mut rng = Random::seeded(seed);
    let mut found = None;
    while found.is_none() && system.left > 0 && !crate::halt::requested() {
        let start = system.start(&mut rng);
        found = system.descend(start).and_then(|x| system.finish(x, &mut rng)).flatten();
    }
    work.evaluations += points - system.left;
    found
}

/// The equations and inequalities of a formula; sums of what is never negative are 0 where each part is.
fn of_root(graph: &Graph, root: Term, all: &mut Vec<Residual>) {
    match graph.op(root) {
        TermOp::Relation(relation) => {
            let below = graph.below(root);
            let is_equation = relation == TermRelation::Equal;
            let zero = |t: Term| graph.constant_value(t).is_some_and(|v| v == 0 || v == -1);
            match (is_equation, zero(below[0]), zero(below[1])) {
                (true, _, true) => parts(graph, below[0], all),
                (true, true, _) => parts(graph, below[1], all),
                _ => all.push(Residual { left: below[0], right: Some(below[1]), is_equation }),
            }
        }
        TermOp::Not => {
            let inner = graph.below(root)[0];
            if let TermOp::Relation(TermRelation::Less | TermRelation::LessEqual) = graph.op(inner) {
                let below = graph.below(inner);
                all.push(Residual { left: below[1], right: Some(below[0]), is_equation: false });
            }
        }
        _ => {}
    }
}

/// The terms that are 0 where a term is, as far as its form tells.
fn parts(graph: &Graph, term: Term, all: &mut Vec<Residual>) {
    let below = graph.below(term);
    match graph.op(term) {
        TermOp::Rounded(RoundedFunction::Add) if below[1..].iter().all(|t| is_never_negative(graph, *t)) => {
            below[1..].iter().for_each(|t| parts(graph, *t, all));
        }
        TermOp::Rounded(RoundedFunction::Square | RoundedFunction::Sqrt) => parts(graph, below[1], all),
        TermOp::Abs | TermOp::Neg => parts(graph, below[0], all),
        TermOp::Rounded(RoundedFunction::Mul) if graph.constant_value(below[1]).is_some_and(|c| c != 0 && c != -1) => {
            parts(graph, below[2], all);
        }
        _ => all.push(Residual { left: term, right: None, is_equation: true }),
    }
}

fn is_never_negative(graph: &Graph, term: Term) -> bool {
    let below = graph.below(term);
    match graph.op(term) {
        TermOp::Rounded(RoundedFunction::Square | RoundedFunction::Sqrt) | TermOp::Abs => true,
        TermOp::Rounded(RoundedFunction::Add | RoundedFunction::Mul) => {
            below[1..].iter().all(|t| is_never_negative(graph, *t))
        }
        TermOp::Const(value) => value >= 0,
        _ => false,
    }
}

impl System<'_> {
    fn graph(&self) -> &Graph {
        &self.question.graph
    }

    fn format(&self, at: usize) -> Format {
        match self.graph().sort(self.graph().variables()[self.floats[at]]) {
            Sort::Float(format) => format,
            _ => Format::BINARY64,
        }
    }

    /// Numbers of the size that people write.
    fn start(&self, rng: &mut Random) -> Vec<i64> {
        let graph = self.graph();
        let size = [1.0, 10.0, 10.0, 1000.0][rng.index(4)];
        let one = |v: &Term| match graph.sort(*v) {
            Sort::Float(format) => {
                let x = ((rng.bits() >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0) * size;
                format.ordinal(x)
            }
            _ => 0,
        };
        graph.variables().iter().map(one).collect()
    }

    /// The residuals at a point, and whether all formulas hold; none where the points are used up.
    fn at(&mut self, point: &[i64]) -> Option<(Vec<f64>, bool)> {
        self.left = self.left.checked_sub(1)?;
        let question = self.question;
        value::all(&question.graph, point, Open::default(), &mut self.values);
        let holds = question.roots.iter().all(|r| self.values[r.index()] == 1);
        let format = |t: Term| match question.graph.sort(t) {
            Sort::Float(format) => format,
            _ => Format::BINARY64,
        };
        let of = |t: Term| format(t).number(self.values[t.index()]);
        let one = |r: &Residual| {
            let right = r.right.map_or(0.0, of);
            let gap = of(r.left) - right;
            // A little inside: what is met within rounding only is not met.
            if r.is_equation { gap } else { (gap + MARGIN * (1.0 + right.abs())).max(0.0) }
        };
        Some((self.residuals.iter().map(one).collect(), holds))
    }

    fn moved(&self, point: &[i64], by: &[f64]) -> Vec<i64> {
        let mut next = point.to_vec();
        for (k, delta) in by.iter().enumerate() {
            let (at, format) = (self.floats[k], self.format(k));
            next[at] = format.ordinal(format.number(point[at]) + delta);
        }
        next
    }

    /// Levenberg and Marquardt's method from a point, derivatives by differences; where it ends.
    fn descend(&mut self, start: Vec<i64>) -> Option<Vec<i64>> {
        let n = self.floats.len();
        let mut point = start;
        let (mut residuals, mut holds) = self.at(&point)?;
        let mut damping = 1e-3;
        for _ in 0..STEPS {
            let size = norm(&residuals);
            if holds || size == 0.0 || !size.is_finite() {
                break;
            }
            let mut jacobian = Vec::with_capacity(n);
            for k in 0..n {
                let x = self.format(k).number(point[self.floats[k]]);
                let fine = power(1 - self.format(k).precision().div_ceil(2) as i32);
                let mut by = vec![0.0; n];
                by[k] = x.abs().max(1e-6) * fine;
                let next = self.moved(&point, &by);
                let step = self.format(k).number(next[self.floats[k]]) - x;
                let (there, _) = self.at(&next)?;
                jacobian.push(there.iter().zip(&residuals).map(|(a, b)| (a - b) / step).collect::<Vec<f64>>());
            }
            let mut better = false;
            for _ in 0..8 {
                let Some(delta) = step(&jacobian, &residuals, damping) else { break };
                let next = self.moved(&point, &delta);
                let (there, all) = self.at(&next)?;
                if all || norm(&there) < size {
                    better = norm(&there) < size * (1.0 - 1e-9) || all;
                    (point, residuals, holds) = (next, there, all);
                    damping = (damping * 0.1).max(1e-15);
                    break;
                }
                damping *= 10.0;
            }
            if !better {
                break;
            }
        }
        Some(point)
    }

    /// From a point near a solution to one, if one is found: `Some(None)` if not, none where the points are used up.
    fn finish(&mut self, point: Vec<i64>, rng: &mut Random) -> Option<Option<Vec<i64>>> {
        let (residuals, holds) = self.at(&point)?;
        if holds {
            return Some(Some(point));
        }
        if !residuals.iter().all(|r| r.abs() < 1e-3) {
            return Some(None);
        }
        for decimals in 0..=DECIMALS {
            let power = 10f64.powi(decimals);
            let mut short = point.clone();
            for k in 0..self.floats.len() {
                let (at, format) = (self.floats[k], self.format(k));
                short[at] = format.ordinal((format.number(point[at]) * power).round() / power);
            }
            if self.at(&short)?.1 {
                return Some(Some(short));
            }
        }
        self.polish(point, rng)
    }

    /// One unknown after the other is moved to where a residual turns its sign, and the others are changed a little.
    fn polish(&mut self, mut point: Vec<i64>, rng: &mut Random) -> Option<Option<Vec<i64>>> {
        let n = self.floats.len();
        let least = self.left.saturating_sub(self.polishing);
        if !self.residuals.iter().any(|r| r.is_equation) {
            return Some(None);
        }
        for round in 0.. {
            if self.left <= least {
                break;
            }
            for equation in 0..self.residuals.len() {
                if !self.residuals[equation].is_equation {
                    continue;
                }
                let k = (round + equation) % n;
                let Some(at) = self.crossing(&point, k, equation)? else { continue };
                for near in [0, -1, 1, -2, 2] {
                    let mut next = point.clone();
                    next[self.floats[k]] = self.inside(k, at + near);
                    if self.at(&next)?.1 {
                        return Some(Some(next));
                    }
                }
                point[self.floats[k]] = at;
            }
            let k = rng.index(n);
            let by = 1i64 << rng.index(24);
            let moved = point[self.floats[k]].saturating_add(if rng.index(2) == 0 { by } else { -by });
            point[self.floats[k]] = self.inside(k, moved);
        }
        Some(None)
    }

    /// The finite value of one unknown that is nearest to an ordinal.
    fn inside(&self, k: usize, x: i64) -> i64 {
        let most = self.format(k).infinity() - 1;
        x.clamp(negated(most), most)
    }

    /// The value of one unknown at which a residual turns its sign, near a point.
    fn crossing(&mut self, point: &[i64], k: usize, equation: usize) -> Option<Option<i64>> {
        let at = self.floats[k];
        let here = self.at(point)?.0[equation];
        if here == 0.0 || here.is_nan() {
            return Some(None);
        }
        let mut there = point.to_vec();
        let mut reach = 1i64;
        let other = loop {
            let mut found = None;
            for sign in [-1, 1] {
                there[at] = self.inside(k, point[at].saturating_add(sign * reach));
                let value = self.at(&there)?.0[equation];
                if value == 0.0 || value.signum() == -here.signum() {
                    found = Some(there[at]);
                    break;
                }
            }
            if let Some(found) = found {
                break found;
            }
            if reach > 1 << 44 {
                return Some(None);
            }
            reach *= 16;
        };
        let (mut same, mut turned) = (point[at], other);
        while same.abs_diff(turned) > 1 {
            there[at] = same.midpoint(turned);
            let value = self.at(&there)?.0[equation];
            if value == 0.0 {
                return Some(Some(there[at]));
            }
            if value.signum() == here.signum() { same = there[at] } else { turned = there[at] }
        }
        Some(Some(turned))
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|r| r * r).sum::<f64>().sqrt()
}

/// The step: (J'J + damping diag(J'J)) step = -J'r.
fn step(jacobian: &[Vec<f64>], residuals: &[f64], damping: f64) -> Option<Vec<f64>> {
    let n = jacobian.len();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let mut rows: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            let mut row: Vec<f64> = (0..n).map(|j| dot(&jacobian[i], &jacobian[j])).collect();
            row[i] += damping * row[i].max(1e-300);
            row.push(-dot(&jacobian[i], residuals));
            row
        })
        .collect();
    for i in 0..n {
        let pivot = (i..n).max_by(|a, b| rows[*a][i].abs().total_cmp(&rows[*b][i].abs()))?;
        rows.swap(i, pivot);
        if rows[i][i] == 0.0 || !rows[i][i].is_finite() {
            return None;
        }
        for j in 0..n {
            if j != i {
                let factor = rows[j][i] / rows[i][i];
                let above = rows[i].clone();
                rows[j].iter_mut().zip(above).skip(i).for_each(|(x, y)| *x -= factor * y);
            }
        }
    }
    Some((0..n).map(|i| rows[i][n] / rows[i][i]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floats::Rounding;

    /// x + y = 7 and x y = 12, with the greater one in either place.
    #[test]
    fn a_system_of_equations_is_solved() {
        const POINTS: u64 = 20_000;
        for turned in [false, true] {
            let (sort, mut graph) = (Sort::Float(Format::BINARY64), Graph::default());
            let [x, y] = [(); 2].map(|()| graph.variable(sort));
            let mode = graph.mode(Rounding::NearestEven);
            let mut roots = Vec::new();
            for (function, value) in [(RoundedFunction::Add, 7.0), (RoundedFunction::Mul, 12.0)] {
                let made = graph.apply(TermOp::Rounded(function), sort, &[mode, x, y]);
                let value = graph.constant(sort, Format::BINARY64.ordinal(value));
                roots.push(graph.apply(TermOp::Relation(TermRelation::Equal), Sort::Bool, &[made, value]));
            }
            let pair = if turned { [y, x] } else { [x, y] };
            roots.push(graph.apply(TermOp::Relation(TermRelation::Less), Sort::Bool, &pair));
            let question = Eliminated { unknowns: vec![Some(x), Some(y)], graph, roots };
            let mut work = DecisionWork::default();
            let found = solve(&question, (POINTS, 1), &mut work).expect("a solution");
            let mut values = Vec::new();
            value::all(&question.graph, &found, Open::default(), &mut values);
            assert!(question.roots.iter().all(|r| values[r.index()] == 1), "{found:?}");
            assert!((1..=POINTS).contains(&work.evaluations), "{work:?}");
        }
    }

    /// Of linear residuals the step without damping leads to their zero; damping makes it shorter, and where nothing changes a
    /// residual there is none.
    #[test]
    fn steps_lead_to_the_zero_of_linear_residuals() {
        // 2 x - 6 and x + 4 y - 11 at 0, which are 0 at (3, 2): the columns are those of x and y.
        let (jacobian, residuals) = ([vec![2.0, 1.0], vec![0.0, 4.0]], [-6.0, -11.0]);
        let found = step(&jacobian, &residuals, 0.0).expect("a step");
        assert!(found.iter().zip([3.0, 2.0]).all(|(x, y)| (x - y).abs() < 1e-12), "{found:?}");
        let damped = step(&jacobian, &residuals, 10.0).expect("a step");
        assert!(damped.iter().zip(&found).all(|(x, y)| 0.0 < *x && x < y), "{damped:?}");
        assert_eq!(step(&[vec![0.0]], &[f64::INFINITY], 0.0), None);
    }
}
