//! A chain of steps checked without the means that found it.
//!
//! Each step must change one part of the expression and nothing else. The two parts must be the two sides of the law
//! that is named, with the same expressions for its variables; what the law asks for must hold on the domain by the
//! enclosures of these expressions alone; and at points of the domain both parts must have the same value in multiple
//! precision.

use super::Problem;
use super::expr::{Expr, Head};
use super::graph::{NORMAL_FORM, Rewritten};
use super::laws::{LAWS, Law};
use crate::num::{MpInterval, Ternary};
use crate::points::probes::probes;
use crate::tape::eval::{Enclosure, Multi};
use crate::tape::{Builder, evaluate};

/// The precision at points. Unit: bits.
const BITS: u32 = 500;
/// How many points.
const POINTS: usize = 48;

/// The steps for a reader, if all of them hold and lead from `f` to `g`.
pub(super) fn checked(f: &Expr, g: &Expr, steps: &[Rewritten], problem: &Problem<'_>) -> Option<Vec<String>> {
    let mut at = f.clone();
    let mut lines = Vec::with_capacity(steps.len());
    for step in steps {
        let part = step.path.iter().try_fold(&mut at, |e, i| e.args.get_mut(*i))?;
        if *part != step.before {
            return None;
        }
        *part = step.after.clone();
        let why = if step.law == NORMAL_FORM { by_form(step, problem)? } else { by_law(step, problem)? };
        if !agree(&step.before, &step.after, problem) {
            return None;
        }
        let [before, after] = [&step.before, &step.after].map(|e| e.text(problem.names));
        lines.push(format!("{before} = {after}: {why}"));
    }
    (at == *g).then_some(lines)
}

/// Why the two parts of a step have one normal form.
fn by_form(step: &Rewritten, problem: &Problem<'_>) -> Option<String> {
    let mut builder = problem.builder();
    let (a, b) = (step.before.build(&mut builder), step.after.build(&mut builder));
    let tape = builder.finish();
    let proof = problem.prover(&tape).prove_equal(a, b)?;
    let facts: Vec<&str> = proof.facts.iter().chain(&proof.discharged).map(String::as_str).collect();
    Some(if facts.is_empty() { NORMAL_FORM.into() } else { format!("{NORMAL_FORM}, as {}", facts.join(", ")) })
}

/// Why a step is what its law says.
fn by_law(step: &Rewritten, problem: &Problem<'_>) -> Option<String> {
    let law = LAWS.iter().find(|l| l.name == step.law)?;
    let (from, to) = if step.backward { (&law.right, &law.left) } else { (&law.left, &law.right) };
    let mut bound = vec![None; law.names.len()];
    if !(from.matches(&step.before, &mut bound) && to.matches(&step.after, &mut bound)) {
        return None;
    }
    if !allowed(law, &bound, problem) {
        return None;
    }
    let when = law.when.as_ref().map(|w| w.expr.with(&bound).text(problem.names));
    let needed =
        law.needed.iter().filter_map(|i| bound[*i]).filter(|e| !matches!(e.head, Head::Var(_) | Head::Number(_)));
    let needed = needed.map(|e| format!("{} has a value", e.text(problem.names)));
    let facts: Vec<String> = when.into_iter().chain(needed).collect();
    Some(if facts.is_empty() { law.name.clone() } else { format!("{}, as {}", law.name, facts.join(", ")) })
}

/// Whether what the law asks for holds, by the enclosures of the expressions as they are written.
fn allowed(law: &Law, bound: &[Option<&Expr>], problem: &Problem<'_>) -> bool {
    if law.when.is_none() && law.needed.is_empty() {
        return true;
    }
    let cells = problem.cells();
    let values: Vec<Option<Vec<Enclosure>>> = bound.iter().map(|e| e.map(|e| cells.evaluate(e))).collect();
    let values: Vec<Option<&[Enclosure]>> = values.iter().map(Option::as_deref).collect();
    cells.allow(law, &values)
}

/// Whether two expressions are nowhere seen to differ.
pub(super) fn agree(f: &Expr, g: &Expr, problem: &Problem<'_>) -> bool {
    let mut builder = Builder::literal(problem.domain.ranges.len());
    let (a, b) = (f.build(&mut builder), g.build(&mut builder));
    let tape = builder.finish();
    let inside = |x: &[MpInterval]| {
        let mut values = Vec::new();
        evaluate(problem.tape, &mut Multi { inputs: x, precision: BITS }, &mut values);
        problem.conditions.iter().all(|c| values[c.index()].lo == 1)
    };
    probes(problem.domain).iter().take(POINTS).all(|x| {
        let x: Vec<MpInterval> = x.iter().map(|x| MpInterval::from_f64(*x, BITS)).collect();
        if !inside(&x) {
            return true;
        }
        let mut values = Vec::new();
        evaluate(&tape, &mut Multi { inputs: &x, precision: BITS }, &mut values);
        let (a, b) = (&values[a.index()], &values[b.index()]);
        match (a.def, b.def) {
            (Ternary::True, Ternary::True) => !(a.precedes(b) || b.precedes(a)),
            (Ternary::True, Ternary::False) | (Ternary::False, Ternary::True) => false,
            _ => true,
        }
    })
}
