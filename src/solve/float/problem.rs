//! "Do values of the unknowns make these formulas true?" as a problem for the search.

use super::affine::{Affine, Toward};
use super::domain::TermDomain;
use super::image::image;
use super::op::{Sort, TermOp};
use super::propagate::{Empty, Propagator};
use super::term::{Graph, Term};
use super::value::{self, MEANINGS, Met, Open};
use crate::floats::Format;
use crate::floats::ordinal::{MINUS_ZERO, NAN, ZERO};
use crate::floats::set::FloatSpan;
use crate::solve::problem::{Care, PointCheck, Problem, Seen};
use crate::solve::tally::Tally;

/// What is known of all terms, in one part of what is searched.
#[derive(Clone, Debug)]
pub struct TermsPart {
    domains: Vec<TermDomain>,
    /// The term that was cut last.
    cut: Option<Term>,
}

/// What is cut. Neither is better everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cuts {
    /// Unknowns, and floats that are used more than once, in halves of as many floats, and rather those that were made last:
    /// what excludes a path through a long loop is mostly said by its end.
    Latest,
    /// Unknowns alone, mostly in halves of equal width: for what follows from sums and differences.
    Unknowns,
}

/// They are made of one part in 2 to this power at least.
const MOST_LEFT_OUT: u32 = 5;

/// What the share of a float that is left counts for is less by this factor for each float made later that is still open. The
/// longest paths of `tests/paths` take 23 boxes with 1/2, 29 with 1/4, more with 4/5, and 2,800 with 1.
const FADE: f64 = 0.5;

/// How often affine forms are made of one part.
const FORMS: usize = 4;

/// Formulas that are all to be true.
#[derive(Debug)]
pub struct Satisfy<'g> {
    graph: &'g Graph,
    roots: &'g [Term],
    propagator: Propagator<'g>,
    affine: Affine<'g>,
    values: Vec<i64>,
    /// The terms whose numbers are cut: unknowns, and floats that are used more than once. Where these are known, so is all
    /// that is made of them.
    pivots: Vec<Term>,
    /// Affine forms that found nothing one after the other, and parts since they were last made.
    vain: u32,
    since: u32,
    cuts: Cuts,
    /// Whether boxes are evaluated and nothing is narrowed.
    is_plain: bool,
    /// Which point of a part was tried last.
    turn: usize,
    /// Whether all that SMT-LIB leaves open is the zero of minima and maxima of one format.
    zeros_alone: bool,
}

impl<'g> Satisfy<'g> {
    /// Of the formulas of a graph.
    #[must_use]
    pub fn new(graph: &'g Graph, roots: &'g [Term], cuts: Cuts) -> Self {
        let mut uses = vec![0u32; graph.len()];
        let mut formats = Vec::new();
        for i in 0..graph.len() {
            let node = graph.node(i);
            graph.operands(node).iter().for_each(|b| uses[*b as usize] += 1);
            if matches!(node.op, TermOp::Min | TermOp::Max) {
                formats.push(node.sort);
            }
        }
        formats.dedup();
        let is_pivot = |i: &usize| {
            let node = graph.node(*i);
            matches!(node.op, TermOp::Var(_)) || (uses[*i] > 1 && matches!(node.sort, Sort::Float(_)))
        };
        let pivots = (0..graph.len()).rev().filter(is_pivot).map(|i| Term(i as u32)).collect();
        let (propagator, zeros_alone) = (Propagator::new(graph), formats.len() <= 1);
        let affine = Affine::new(graph);
        Satisfy {
            graph,
            roots,
            propagator,
            affine,
            values: Vec::new(),
            pivots,
            vain: 0,
            since: 0,
            cuts,
            is_plain: false,
            turn: 0,
            zeros_alone,
        }
    }

    /// The same question, answered by plain evaluation of boxes: slower, and resting on less.
    #[must_use]
    pub fn plain(graph: &'g Graph, roots: &'g [Term], cuts: Cuts) -> Self {
        Satisfy { is_plain: true, ..Satisfy::new(graph, roots, cuts) }
    }

    /// What each term may be from what its operands may be, and from where it was cut.
    fn evaluate(&self, domains: &mut [TermDomain]) -> Result<(), Empty> {
        for i in 0..self.graph.len() {
            domains[i] = domains[i].meet(image(self.graph, i, domains));
            if domains[i].is_empty() {
                return Err(Empty);
            }
        }
        Ok(())
    }

    /// Whether the formulas hold for values of the unknowns; where that depends on what SMT-LIB leaves open, for some
    /// meaning of it.
    pub fn holds(&mut self, inputs: &[i64]) -> (bool, Open) {
        match self.check(inputs) {
            Ok(open) => (true, open),
            Err(_) => (false, Open::default()),
        }
    }

    /// Propagation and affine forms in turns, as long as these find something.
    fn narrow(&mut self, domains: &mut Vec<TermDomain>, from: Vec<Term>) -> Result<(), Empty> {
        self.propagator.run(domains, &from)?;
        // Where they find nothing again and again they are left out more and more often.
        self.since += 1;
        if self.since < 1 << self.vain.min(MOST_LEFT_OUT) {
            return Ok(());
        }
        self.since = 0;
        for _ in 0..FORMS {
            let changed = self.affine.narrow(domains).inspect_err(|_| self.vain = 0)?;
            if changed.is_empty() {
                self.vain += 1;
                break;
            }
            self.vain = 0;
            self.propagator.run(domains, &changed)?;
        }
        Ok(())
    }

    /// Floats to those ends at which a comparison that is furthest from holding comes nearest to that.
    fn to_corner(&self, part: &TermsPart, point: &mut [i64]) {
        for (term, toward) in self.affine.corner() {
            let (TermOp::Var(place), TermDomain::Set(s)) = (self.graph.op(term), part.domains[term.index()]) else {
                continue;
            };
            match toward {
                Toward::Lower if s.has_numbers() => point[place as usize] = s.lo,
                Toward::Upper if s.has_numbers() => point[place as usize] = s.hi,
                _ => {}
            }
        }
    }

    fn check(&mut self, inputs: &[i64]) -> Result<Open, Met> {
        for zeros in 0..MEANINGS {
            let open = Open { zeros };
            let met = value::all(self.graph, inputs, open, &mut self.values);
            if self.roots.iter().all(|r| self.values[r.index()] == 1) {
                return Ok(open);
            }
            if met != Met::Zeros || zeros + 1 == MEANINGS {
                return Err(met);
            }
        }
        Err(Met::Zeros)
    }

    /// A truth value on which it depends whether a formula holds, and which is not known: the first operand of a conjunction
    /// that is to be false, or the condition of a choice.
    fn open_truth(&self, domains: &[TermDomain]) -> Option<Term> {
        let open = |k: u32| domains[k as usize].single().is_none();
        for i in (0..self.graph.len()).rev() {
            let node = self.graph.node(i);
            let below = self.graph.operands(node);
            let value = domains[i].single();
            let found = match node.op {
                TermOp::And if value == Some(0) && below.iter().all(|b| domains[*b as usize].single() != Some(0)) => {
                    below.iter().find(|b| open(**b))
                }
                TermOp::Same if self.graph.node(below[0] as usize).sort == Sort::Bool && value.is_some() => {
                    below.iter().find(|b| open(**b))
                }
                TermOp::Ite => below[..1].iter().find(|b| open(**b)),
                _ => None,
            };
            if let Some(term) = found {
                return Some(Term(*term));
            }
        }
        None
    }

    /// What to cut: truth values, then directions, then numbers.
    fn choose(&self, domains: &[TermDomain]) -> Option<Term> {
        let open = |t: &Term| domains[t.index()].single().is_none();
        if let Some(truth) = self.open_truth(domains) {
            return Some(truth);
        }
        let variables = self.graph.variables();
        let special = |t: &&Term| {
            let Sort::Float(format) = self.graph.sort(**t) else { return false };
            let set = domains[t.index()].set();
            open(t) && (set.nan || set.lo == format.minus_infinity() || set.hi == format.infinity())
        };
        if let Some(mode) = variables.iter().find(|t| self.graph.sort(**t) == Sort::Mode && open(t)) {
            return Some(*mode);
        }
        if let Some(term) = variables.iter().find(special) {
            return Some(*term);
        }
        let share = |t: &Term| domains[t.index()].span() as f64 / TermDomain::all(self.graph.sort(*t)).span() as f64;
        if let Cuts::Unknowns = self.cuts {
            return variables.iter().filter(|t| open(t)).max_by(|a, b| share(a).total_cmp(&share(b))).copied();
        }
        let latest = self.pivots.iter().filter(|t| open(t)).zip(0i32..);
        let weighed = latest.map(|(t, before)| (t, share(t) * FADE.powi(before)));
        weighed.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(t, _)| *t)
    }
}

/// The two parts of a domain, cut by its values where they are numbers and that is asked for, else by ordinals.
fn halves(sort: Sort, domain: TermDomain, by_value: bool) -> Option<[TermDomain; 2]> {
    let (lo, hi) = match domain {
        TermDomain::Bits(lo, hi) => {
            let middle = lo.midpoint(hi);
            return (lo < hi).then(|| [TermDomain::Bits(lo, middle), TermDomain::Bits(middle + 1, hi)]);
        }
        TermDomain::Set(s) if s.nan && s.has_numbers() => {
            return Some([TermDomain::Set(s.without_nan()), TermDomain::Set(FloatSpan::NAN)]);
        }
        TermDomain::Set(s) => (s.lo, s.hi),
    };
    if lo >= hi {
        return None;
    }
    let last = match sort {
        Sort::Float(format) if hi == format.infinity() => hi - 1,
        Sort::Float(format) if lo == format.minus_infinity() => lo,
        _ if lo < ZERO && hi > MINUS_ZERO => MINUS_ZERO,
        Sort::Float(format) if by_value => middle(format, lo, hi),
        _ => lo.midpoint(hi).min(hi - 1),
    };
    Some([TermDomain::Set(FloatSpan::between(lo, last)), TermDomain::Set(FloatSpan::between(last + 1, hi))])
}

/// The ordinal of the number half-way, so that both parts have some.
fn middle(format: Format, lo: i64, hi: i64) -> i64 {
    use crate::floats::Rounding::NearestEven;
    use crate::floats::soft;
    let two = soft::from_integer(format, NearestEven, false, 2);
    let half = |x: i64| soft::div(format, NearestEven, x, two);
    soft::add(format, NearestEven, half(lo), half(hi)).clamp(lo, hi - 1)
}

impl Problem for Satisfy<'_> {
    type Part = TermsPart;
    type Point = Vec<i64>;
    type Hint = Option<Term>;

    fn whole(&self) -> TermsPart {
        let mut domains = self.propagator.whole();
        for root in self.roots {
            domains[root.index()] = TermDomain::Set(FloatSpan::one(1));
        }
        TermsPart { domains, cut: None }
    }

    fn look(&mut self, mut part: TermsPart, depth: u32, tally: &mut Tally) -> Option<Seen<TermsPart, Option<Term>>> {
        let from = part.cut.map_or(vec![], |t| vec![t]);
        let left = if self.is_plain { self.evaluate(&mut part.domains) } else { self.narrow(&mut part.domains, from) };
        if left.is_err() {
            tally.unbounded();
            return None;
        }
        let hint = self.choose(&part.domains);
        // The deepest first: few parts are kept.
        Some(Seen { part, priority: depth.into(), hint, inner: false })
    }

    fn candidate(&mut self, part: &TermsPart) -> Option<(Vec<i64>, Care)> {
        self.turn += 1;
        let one = |t: &Term| match part.domains[t.index()] {
            TermDomain::Bits(lo, hi) => [lo, hi, lo.midpoint(hi)][self.turn % 3] as i64,
            TermDomain::Set(s) if !s.has_numbers() => NAN,
            TermDomain::Set(s) => [s.lo, s.hi, s.lo.midpoint(s.hi)][self.turn % 3],
        };
        let mut point: Vec<i64> = self.graph.variables().iter().map(one).collect();
        if self.turn.is_multiple_of(2) {
            self.to_corner(part, &mut point);
        }
        Some((point, Care::Glance))
    }

    fn only_point(&self, part: &TermsPart) -> Option<Vec<i64>> {
        self.graph.variables().iter().map(|t| part.domains[t.index()].single()).collect()
    }

    fn examine(&mut self, point: &Vec<i64>, _: Care) -> PointCheck {
        match self.check(point) {
            Ok(_) => PointCheck::Solution,
            Err(Met::Nothing) => PointCheck::No,
            Err(Met::Zeros) if self.zeros_alone => PointCheck::No,
            Err(_) => PointCheck::Unsettled,
        }
    }

    fn width(&self, _: &TermsPart) -> f64 {
        // The order of the search is by depth alone.
        1.0
    }

    fn cut(&self, part: &TermsPart, hint: &Option<Term>, depth: u32) -> Option<[TermsPart; 2]> {
        let term = (*hint)?;
        // Every fourth cut is by ordinals: numbers near 0 are far away otherwise.
        let by_value = self.cuts == Cuts::Unknowns && !depth.is_multiple_of(4);
        let parts = halves(self.graph.sort(term), part.domains[term.index()], by_value)?;
        Some(parts.map(|half| {
            let mut domains = part.domains.clone();
            domains[term.index()] = half;
            TermsPart { domains, cut: Some(term) }
        }))
    }
}
