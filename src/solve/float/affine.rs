//! Affine forms: what a term is as a linear function of the unknowns, with a bound on the rest.
//!
//! A form `c + sum l_i e_i + r`, the `e_i` from -1 to 1, `|r| <= error`, holds for every solution in a part: values that come
//! from the same unknowns keep what they have in common, which sets of values lose (Comba and Stolfi, *Affine arithmetic*,
//! 1993, with one term for all that is not linear). Each rounding of the code goes into the error, and so do those of this
//! file's own arithmetic. A comparison of two forms bounds each unknown by the others.

use super::domain::TermDomain;
use super::op::{Sort, TermOp};
use super::project::RoundedFunction;
use super::propagate::Empty;
use super::relate::TermRelation;
use super::term::{Graph, Node, Term};
use crate::floats::set::FloatSpan;
use crate::floats::{Format, Rounding};
use std::cmp::Ordering;

/// A linear function of the unknowns, and how far off it may be.
#[derive(Clone, Debug)]
struct Form {
    center: f64,
    linear: Vec<f64>,
    error: f64,
}

/// The relative error of a sum of a few products in binary64, far above what it can be.
const OWN: f64 = 1.0 / (1u64 << 48) as f64;
/// What is added for results below the normal numbers.
const TINY: f64 = 1e-300;
/// The largest numbers that forms are made of.
const MOST: f64 = 1e150;

impl Form {
    /// By how much it can differ from its center.
    fn radius(&self) -> f64 {
        (self.linear.iter().map(|l| l.abs()).sum::<f64>() + self.error) * (1.0 + OWN) + TINY
    }

    fn magnitude(&self) -> f64 {
        self.center.abs() + self.radius()
    }

    /// A number with an error that covers what this file's arithmetic does to numbers as large as `size`.
    fn new(center: f64, linear: Vec<f64>, error: f64, size: f64) -> Option<Form> {
        let form = Form { center, linear, error: error * (1.0 + OWN) + size * OWN + TINY };
        (form.magnitude() < MOST).then_some(form)
    }

    fn between(lo: f64, hi: f64, n: usize) -> Option<Form> {
        let center = lo / 2.0 + hi / 2.0;
        let error = (hi - center).max(center - lo);
        Form::new(center, vec![0.0; n], error, center.abs())
    }

    fn negated(&self) -> Form {
        Form { center: -self.center, linear: self.linear.iter().map(|l| -l).collect(), error: self.error }
    }

    fn plus(&self, other: &Form) -> Option<Form> {
        let linear = self.linear.iter().zip(&other.linear).map(|(a, b)| a + b).collect();
        let size = self.magnitude() + other.magnitude();
        Form::new(self.center + other.center, linear, self.error + other.error, size)
    }

    fn times(&self, other: &Form) -> Option<Form> {
        let (a, b) = (self.center, other.center);
        let linear = self.linear.iter().zip(&other.linear).map(|(l, m)| a * m + b * l).collect();
        let error = a.abs() * other.error + b.abs() * self.error + self.radius() * other.radius();
        Form::new(a * b, linear, error, self.magnitude() * other.magnitude())
    }

    fn squared(&self) -> Option<Form> {
        let (c, r) = (self.center, self.radius());
        // The square of what is beside the center lies between 0 and r r.
        let linear = self.linear.iter().map(|l| 2.0 * c * l).collect();
        Form::new(c * c + r * r / 2.0, linear, 2.0 * c.abs() * self.error + r * r / 2.0, self.magnitude().powi(2))
    }

    /// `slope x + offset`, off by no more than `error`.
    fn mapped(&self, slope: f64, offset: f64, error: f64) -> Option<Form> {
        let linear = self.linear.iter().map(|l| slope * l).collect();
        let size = slope.abs() * self.magnitude() + offset.abs();
        Form::new(slope * self.center + offset, linear, slope.abs() * self.error + error, size)
    }

    /// A function between two lines of one slope, over which it rises, or falls, from one end to the other.
    fn between_lines(&self, slope: f64, first: f64, last: f64) -> Option<Form> {
        let (lo, hi) = (first.min(last), first.max(last));
        self.mapped(slope, lo / 2.0 + hi / 2.0, (hi - lo) / 2.0 + (first.abs() + last.abs()) * OWN)
    }

    /// `1 / x` for x from lo to hi, of one sign.
    fn inverse(&self, lo: f64, hi: f64) -> Option<Form> {
        let far = if lo > 0.0 { hi } else { lo };
        let slope = -1.0 / (far * far);
        self.between_lines(slope, 1.0 / lo - slope * lo, 1.0 / hi - slope * hi)
    }

    /// The square root for x from lo to hi.
    fn root(&self, lo: f64, hi: f64) -> Option<Form> {
        let slope = 0.5 / hi.sqrt();
        self.between_lines(slope, lo.sqrt() - slope * lo, hi.sqrt() - slope * hi)
    }

    /// After rounding to a format; none where a finite result may be far off. A value beyond the largest number becomes
    /// infinite to nearest, and has no form then; the other directions may make it the largest number.
    fn rounded(self, format: Format, mode: Option<Rounding>) -> Option<Form> {
        let nearest = matches!(mode, Some(Rounding::NearestEven | Rounding::NearestAway));
        if !nearest && self.magnitude() > format.number(format.infinity() - 1) {
            return None;
        }
        let unit = 2f64.powi(i32::from(!nearest) - format.precision() as i32);
        let least = 2f64.powi(format.emin() - format.precision() as i32 + 1);
        let more = self.magnitude() * unit + least;
        Form::new(self.center, self.linear, self.error + more, 0.0)
    }
}

/// An end of what an unknown may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Toward {
    /// The lower one.
    Lower,
    /// The upper one.
    Upper,
    /// It makes no difference.
    Neither,
}

/// Makes forms of the terms of a graph.
#[derive(Debug)]
pub(super) struct Affine<'g> {
    graph: &'g Graph,
    /// The unknowns that are floats.
    floats: Vec<Term>,
    forms: Vec<Option<Form>>,
    /// Of the comparison that is furthest from what it is to be: by how much, in radii of the form, and its linear part.
    furthest: Option<(f64, Vec<f64>)>,
    /// Whether all floats are of a format whose values are binary64 numbers.
    is_able: bool,
}

/// More unknowns than this are too many for forms.
const MOST_UNKNOWNS: usize = 64;
/// The least part of a domain that is worth to be taken away.
const WORTH: f64 = 0.05;

impl<'g> Affine<'g> {
    /// For a graph.
    pub(super) fn new(graph: &'g Graph) -> Self {
        let format = |t: &Term| if let Sort::Float(f) = graph.sort(*t) { Some(f) } else { None };
        let able = |f: Format| f == Format::BINARY32 || f == Format::BINARY64;
        let floats: Vec<Term> = graph.variables().iter().filter(|t| format(t).is_some()).copied().collect();
        let is_able =
            !floats.is_empty() && floats.len() <= MOST_UNKNOWNS && graph.terms().filter_map(|t| format(&t)).all(able);
        Affine { graph, floats, forms: Vec::new(), furthest: None, is_able }
    }

    /// Narrow what terms may be; those of which something is known anew.
    pub(super) fn narrow(&mut self, domains: &mut [TermDomain]) -> Result<Vec<Term>, Empty> {
        let mut changed = Vec::new();
        if !self.is_able || self.floats.iter().all(|t| range(self.graph, domains, *t).is_none()) {
            return Ok(changed);
        }
        self.forms.clear();
        self.furthest = None;
        for term in self.graph.terms() {
            let form = self.form(domains, term);
            if let Some(form) = &form {
                let (lo, hi) = (form.center - form.radius(), form.center + form.radius());
                narrow(self.graph, domains, term, lo, hi, &mut changed)?;
            }
            self.forms.push(form);
        }
        for term in self.graph.terms() {
            if let TermOp::Relation(relation) = self.graph.op(term)
                && let Some(outcome) = domains[term.index()].single()
            {
                self.compared(domains, term, (relation, outcome == 1), &mut changed)?;
            }
        }
        Ok(changed)
    }

    fn form(&self, domains: &[TermDomain], term: Term) -> Option<Form> {
        let node = self.graph.node(term.index());
        let Sort::Float(format) = node.sort else { return None };
        let n = self.floats.len();
        // A value that is not finite has no form.
        let (lo, hi) = range(self.graph, domains, term)?;
        if let TermOp::Var(_) = node.op {
            let at = self.floats.iter().position(|t| *t == term)?;
            let mut form = Form::between(lo, hi, n)?;
            form.linear[at] = std::mem::replace(&mut form.error, 0.0);
            return Some(form);
        }
        let plain = Form::between(lo, hi, n);
        let made = self.form_of_result(domains, node, format);
        match (made, plain) {
            // What is left of the linear part then says less than the set of values.
            (Some(made), Some(plain)) if made.error > plain.radius() => Some(plain),
            (made, plain) => made.or(plain),
        }
    }

    /// The form of what a function makes of its operands' forms.
    fn form_of_result(&self, domains: &[TermDomain], node: Node, format: Format) -> Option<Form> {
        let below: Vec<Term> = self.graph.operands(node).iter().map(|i| Term(*i)).collect();
        let form = |k: usize| self.forms[below[k].index()].as_ref();
        let ends = |k: usize| range(self.graph, domains, below[k]);
        let function = match node.op {
            TermOp::Neg => return Some(form(0)?.negated()),
            TermOp::Abs => {
                let (lo, hi) = ends(0)?;
                return if lo >= 0.0 {
                    form(0).cloned()
                } else if hi <= 0.0 {
                    Some(form(0)?.negated())
                } else {
                    None
                };
            }
            TermOp::Ite => {
                return match domains[below[0].index()].single()? {
                    1 => form(1).cloned(),
                    _ => form(2).cloned(),
                };
            }
            TermOp::Rounded(function) => function,
            _ => return None,
        };
        let mode = domains[below[0].index()].single().map(|m| Rounding::ALL[m as usize]);
        let exact = match function {
            RoundedFunction::Add => form(1)?.plus(form(2)?)?,
            RoundedFunction::Mul => form(1)?.times(form(2)?)?,
            RoundedFunction::Fma => form(1)?.times(form(2)?)?.plus(form(3)?)?,
            RoundedFunction::Square => form(1)?.squared()?,
            RoundedFunction::Div => {
                let (lo, hi) = ends(2)?;
                if lo <= 0.0 && hi >= 0.0 {
                    return None;
                }
                form(1)?.times(&form(2)?.inverse(lo, hi)?)?
            }
            RoundedFunction::Sqrt => {
                let (lo, hi) = ends(1)?;
                if lo <= 0.0 {
                    return None;
                }
                form(1)?.root(lo, hi)?
            }
            RoundedFunction::Cast(_) => form(1)?.clone(),
            RoundedFunction::Integral => return None,
        };
        exact.rounded(format, mode)
    }

    /// Towards which end of each unknown that is a float the comparison comes that was furthest from what it is to be.
    pub(super) fn corner(&self) -> impl Iterator<Item = (Term, Toward)> {
        let linear = self.furthest.iter().flat_map(|(_, linear)| linear);
        let toward = |l: &f64| match l.total_cmp(&0.0) {
            _ if *l == 0.0 => Toward::Neither,
            Ordering::Greater => Toward::Lower,
            _ => Toward::Upper,
        };
        self.floats.iter().zip(linear).map(move |(t, l)| (*t, toward(l)))
    }

    /// What follows from a comparison that is known.
    fn compared(
        &mut self,
        domains: &mut [TermDomain],
        term: Term,
        (relation, outcome): (TermRelation, bool),
        changed: &mut Vec<Term>,
    ) -> Result<(), Empty> {
        let below = self.graph.below(term);
        let (Some(a), Some(b)) = (&self.forms[below[0].index()], &self.forms[below[1].index()]) else {
            return Ok(());
        };
        // Both are numbers where they have forms.
        let difference = a.plus(&b.negated());
        let Some(difference) = difference else { return Ok(()) };
        match (relation, outcome) {
            (TermRelation::Equal, true) => {
                self.not_above(domains, &difference, changed)?;
                self.not_above(domains, &difference.negated(), changed)
            }
            (TermRelation::Equal, false) => Ok(()),
            (_, true) => self.not_above(domains, &difference, changed),
            (_, false) => self.not_above(domains, &difference.negated(), changed),
        }
    }

    /// A form that is 0 or less in every solution.
    fn not_above(&mut self, domains: &mut [TermDomain], form: &Form, changed: &mut Vec<Term>) -> Result<(), Empty> {
        if form.center - form.radius() > 0.0 {
            return Err(Empty);
        }
        let far = form.center / form.radius();
        if self.furthest.as_ref().is_none_or(|(most, _)| far > *most) {
            self.furthest = Some((far, form.linear.clone()));
        }
        for (i, term) in self.floats.iter().enumerate() {
            let l = form.linear[i];
            let Some((lo, hi)) = range(self.graph, domains, *term) else { continue };
            if l == 0.0 || hi <= lo {
                continue;
            }
            // l e <= -center + (all the rest).
            let rest = (form.radius() - l.abs()).max(0.0) + form.magnitude() * 8.0 * OWN;
            let bound = (rest - form.center) / l.abs();
            let bound = bound + bound.abs() * OWN + OWN;
            if bound >= 1.0 {
                continue;
            }
            // The unknown is center + radius e, as its form has it.
            let Some(own) = &self.forms[term.index()] else { continue };
            let reach = own.linear[i] * bound;
            let slack = own.magnitude() * OWN + own.error + TINY;
            if l > 0.0 {
                narrow(self.graph, domains, *term, f64::NEG_INFINITY, own.center + reach + slack, changed)?;
            } else {
                narrow(self.graph, domains, *term, own.center - reach - slack, f64::INFINITY, changed)?;
            }
        }
        Ok(())
    }
}

/// The ends of what a float may be, if it is finite.
fn range(graph: &Graph, domains: &[TermDomain], term: Term) -> Option<(f64, f64)> {
    let Sort::Float(format) = graph.sort(term) else { return None };
    let s = domains[term.index()].set();
    let finite = !s.nan && s.has_numbers() && s.lo > format.minus_infinity() && s.hi < format.infinity();
    finite.then(|| (format.number(s.lo), format.number(s.hi)))
}

/// Keep the values of a term between two numbers, where that takes away a part worth it.
fn narrow(
    graph: &Graph,
    domains: &mut [TermDomain],
    term: Term,
    lo: f64,
    hi: f64,
    changed: &mut Vec<Term>,
) -> Result<(), Empty> {
    let Some((a, b)) = range(graph, domains, term) else { return Ok(()) };
    if hi < a || lo > b {
        return Err(Empty);
    }
    let Sort::Float(format) = graph.sort(term) else { return Ok(()) };
    let worth = (b - a) * WORTH;
    let mut s = domains[term.index()].set();
    if lo > a + worth {
        // Both zeros stay where one is an end.
        s.lo = s.lo.max(format.ordinal_toward(Rounding::Down, if lo == 0.0 { -0.0 } else { lo }));
    }
    if hi < b - worth {
        s.hi = s.hi.min(format.ordinal_toward(Rounding::Up, if hi == 0.0 { 0.0 } else { hi }));
    }
    if s != domains[term.index()].set() {
        if !s.has_numbers() {
            return Err(Empty);
        }
        domains[term.index()] = TermDomain::Set(FloatSpan { ..s });
        changed.push(term);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
