//! What a printed proof says, number by number and condition by condition, looked at in multiple precision at points.

use super::points;
use crate::equiv::read::{PrintedCondition, Says, Statement, statements};
use crate::mutate::{Change, Mutant};
use crate::num::{MpInterval, Rational};
use crate::oracle::{Ends, tolerance};
use crate::points::switches::{Switch, comparison, sign_of, switches};
use crate::spec::{Accuracy, InputBox, Spec};
use crate::tape::eval::{Multi, Points, mp_truth};
use crate::tape::lower::lower;
use crate::tape::{Builder, NodeId, Tape, evaluate};

/// The precision in which statements are looked at. Unit: bits.
const BITS: u32 = 480;
/// From how many points to climb.
const CLIMBS: usize = 4;

/// A printed proof with both functions, as they are written.
pub(super) struct Printed {
    tape: Tape,
    f: NodeId,
    g: NodeId,
    conditions: Vec<NodeId>,
    statements: Vec<Statement>,
    accuracy: Accuracy,
}

impl Printed {
    /// Read the proof that was printed for a mutant.
    pub(super) fn new(spec: &Spec, mutant: &Mutant, proof: &str) -> Self {
        let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
        let mut b = Builder::literal(names.len());
        let f = lower(&mut b, &names, &spec.core.body);
        let g = if let Change::Body(body) = &mutant.change { lower(&mut b, &names, body) } else { f };
        let conditions = spec.constraints.iter().map(|c| lower(&mut b, &names, c)).collect();
        let statements = statements(proof, &names, &mut b);
        Printed { tape: b.finish(), f, g, conditions, statements, accuracy: spec.accuracy.clone() }
    }

    /// How many statements were read, and how many could not be.
    pub(super) fn counts(&self) -> (usize, usize) {
        let read = self.statements.iter().filter(|s| s.says.is_some()).count();
        (read, self.statements.len() - read)
    }

    /// The largest |f - g| in units of the tolerances that the proof allows, if it gives one.
    pub(super) fn ratio(&self) -> Option<&Rational> {
        self.statements.iter().find_map(|s| if let Some(Says::Ratio(r)) = &s.says { Some(r) } else { None })
    }

    /// Points of the domain that are chosen for this proof.
    pub(super) fn points(&self, domain: &InputBox, count: usize) -> Vec<Vec<f64>> {
        let mut found = points::hurtful(domain, &self.tape, &self.switches(), count);
        if count > 0 && self.statements.iter().any(|s| matches!(s.says, Some(Says::Ratio(_)))) {
            found.extend(self.climbed(domain, &found, |p, x| p.ratio_at(x)));
        }
        let of_size = |s: &Statement| matches!(s.says, Some(Says::AtMost(_) | Says::Below(_)));
        if count > 0 && self.statements.iter().any(of_size) {
            found.extend(self.climbed(domain, &found, |p, x| p.approximate(x).0.abs()));
        }
        found
    }

    /// Where what is claimed may change: switches of both functions, comparisons, and signs that are spoken of.
    fn switches(&self) -> Vec<Switch> {
        fn signs(formula: &PrintedCondition, found: &mut Vec<NodeId>) {
            match formula {
                PrintedCondition::Sign(node, _) => found.push(*node),
                PrintedCondition::All(parts) | PrintedCondition::Any(parts) => {
                    parts.iter().for_each(|p| signs(p, found))
                }
                PrintedCondition::Not(part) => signs(part, found),
                PrintedCondition::If(parts) => parts.iter().for_each(|p| signs(p, found)),
                PrintedCondition::HasValue(_) | PrintedCondition::Condition(_) | PrintedCondition::Bool(_) => {}
            }
        }
        let mut nodes = Vec::new();
        for s in &self.statements {
            s.cases.iter().for_each(|c| signs(c, &mut nodes));
            match &s.says {
                Some(Says::Holds(fact)) => signs(fact, &mut nodes),
                Some(Says::ValueWhere(needs)) => needs.iter().for_each(|n| signs(n, &mut nodes)),
                _ => {}
            }
        }
        nodes.sort_unstable();
        nodes.dedup();
        let live = self.tape.cone(&[self.f, self.g]);
        let mut all = switches(&self.tape, self.f, &live);
        all.extend(points::comparisons(&self.tape).into_iter().map(comparison));
        all.extend(nodes.into_iter().map(sign_of));
        all
    }

    fn climbed(&self, domain: &InputBox, from: &[Vec<f64>], size: impl Fn(&Self, &[f64]) -> f64) -> Vec<Vec<f64>> {
        let mut sized: Vec<(f64, &Vec<f64>)> = from.iter().map(|x| (size(self, x), x)).collect();
        sized.retain(|s| s.0.is_finite());
        sized.sort_by(|a, b| b.0.total_cmp(&a.0));
        let best = sized.into_iter().take(CLIMBS).map(|s| s.1.clone());
        best.map(|x| points::climbed(domain, x, |x| Some(size(self, x)).filter(|s| s.is_finite()).unwrap_or(0.0)))
            .collect()
    }

    /// f and g in binary64 arithmetic.
    fn approximate(&self, x: &[f64]) -> (f64, f64) {
        let inputs: Vec<[f64; 1]> = x.iter().map(|v| [*v]).collect();
        let mut values = Vec::new();
        evaluate(&self.tape, &mut Points { inputs: &inputs }, &mut values);
        (values[self.f.index()][0], values[self.g.index()][0])
    }

    fn ratio_at(&self, x: &[f64]) -> f64 {
        let (f, g) = self.approximate(x);
        let guess = crate::csp::tolerance::Guess::new(&self.accuracy);
        (f - g).abs() / (guess.at(f) + guess.at(g))
    }

    /// The statement that is false at a point of the domain, and why.
    pub(super) fn refuted_at(&self, x: &[f64]) -> Option<String> {
        let inputs: Vec<MpInterval> = x.iter().map(|x| MpInterval::from_f64(*x, BITS)).collect();
        let mut v = Vec::new();
        evaluate(&self.tape, &mut Multi { inputs: &inputs, precision: BITS }, &mut v);
        let holds = |c: &NodeId| v[c.index()].def.is_true() && mp_truth(&v[c.index()]).is_true();
        if !self.conditions.iter().all(holds) {
            return None;
        }
        let is_case = |s: &&Statement| s.cases.iter().all(|c| c.holds(&v).is_true());
        self.statements.iter().filter(is_case).find_map(|s| {
            let why = self.why_wrong(s.says.as_ref()?, &v)?;
            Some(format!("{why}, where it says `{}`", s.text))
        })
    }

    fn why_wrong(&self, says: &Says, v: &[MpInterval]) -> Option<&'static str> {
        let (f, g) = (&v[self.f.index()], &v[self.g.index()]);
        match says {
            Says::Value(n) => {
                let form = &v[n.index()];
                let is_other = |h: &&MpInterval| {
                    h.def.is_true() && (form.def.is_false() || form.def.is_true() && disjoint(h, form))
                };
                [f, g].iter().any(is_other).then_some("the form has another value")
            }
            Says::Holds(fact) => fact.is_contradicted(v).then_some("the fact does not hold"),
            Says::ValueWhere(needs) => {
                let all = needs.iter().fold(crate::num::Ternary::True, |all, n| all & n.holds(v));
                let wrong = |h: &&MpInterval| all.is_true() && h.def.is_false() || all.is_false() && h.def.is_true();
                [f, g].iter().any(wrong).then_some("these are not the conditions for a value")
            }
            Says::Same(a, b) => {
                let (a, b) = (&v[a.index()], &v[b.index()]);
                let one = a.def.is_true() && b.def.is_false() || b.def.is_true() && a.def.is_false();
                let differ = a.def.is_true() && b.def.is_true() && disjoint(a, b);
                (one || differ).then_some("the step changes the value")
            }
            Says::Ratio(most) => {
                let (f, g) = (ends(f)?, ends(g)?);
                let apart = Rational::from(&f.lo - &g.hi).max(Rational::from(&g.lo - &f.hi));
                let room = tolerance(&f, &self.accuracy).hi + tolerance(&g, &self.accuracy).hi;
                (apart > Rational::from(most * &room)).then_some("|f - g| is larger")
            }
            Says::AtMost(bound) => (least_size(f)? > *bound).then_some("|f| is larger"),
            Says::Below(bound) => (least_size(f)? >= *bound).then_some("|f| is as large"),
        }
    }
}

fn disjoint(a: &MpInterval, b: &MpInterval) -> bool {
    a.hi < b.lo || b.hi < a.lo
}

/// A value with exact ends; none if there is none, or an end is infinite.
fn ends(v: &MpInterval) -> Option<Ends> {
    let (lo, hi) = (v.lo.to_rational()?, v.hi.to_rational()?);
    v.def.is_true().then_some(Ends { lo, hi })
}

/// A lower bound of |v|.
fn least_size(v: &MpInterval) -> Option<Rational> {
    let v = ends(v)?;
    Some(v.lo.max(-v.hi).max(Rational::new()))
}
