//! Second-order mutants: two first-order changes at different sites at once. Most are easier to kill than their parts;
//! those that are harder are what is worth keeping (Jia and Harman, "Higher Order Mutation Testing", 2009).

use super::{Change, Key, Mutant, MutationOperator};
use crate::num::random::Random;
use crate::spec::Spec;
use crate::spec::core::Expr;
use crate::spec::unroll::{has_loops, unroll};
use std::collections::HashSet;

/// The most second-order mutants of a specification.
pub const MOST: usize = 2_000;
/// The most nodes of all of their bodies together: of a large formula there are fewer.
const NODES: usize = 2_000_000;
/// How many pairs are drawn for each mutant that is wanted.
const DRAWS: usize = 8;

/// Pairs of the first-order changes of the body that are at different sites, neither inside the other: all of them, or
/// at most [`MOST`] drawn by a sequence that is the same in every run.
#[must_use]
pub fn second_order(spec: &Spec, firsts: &[Mutant]) -> Vec<Mutant> {
    let edits: Vec<&Mutant> = firsts.iter().filter(|m| matches!(&m.change, Change::Body(b) if b.is_edit())).collect();
    let size = nodes(&spec.core.body).max(1);
    let most = MOST.min(NODES / size);
    let all = edits.len() * edits.len().saturating_sub(1) / 2;
    let mut seen = HashSet::new();
    let mut random = Random(0);
    let mut found = Vec::new();
    let mut take = |i: usize, j: usize| {
        let (i, j) = (i.min(j), i.max(j));
        if i != j && seen.insert((i, j)) {
            found.extend(both(spec, edits[i], edits[j]));
        }
        found.len() >= most
    };
    if all <= most {
        let pairs = (0..edits.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
        pairs.for_each(|(i, j)| {
            take(i, j);
        });
    } else {
        let last = edits.len() as u64 - 1;
        let mut draws = 0..most * DRAWS;
        while draws.next().is_some() && !take(random.below(last) as usize, random.below(last) as usize) {}
    }
    super::disambiguate(found)
}

fn nodes(e: &Expr) -> usize {
    1 + e.children().into_iter().map(nodes).sum::<usize>()
}

/// Two changes at once, if they do not touch one another.
fn both(spec: &Spec, a: &Mutant, b: &Mutant) -> Option<Mutant> {
    let (Change::Body(x), Change::Body(y)) = (&a.change, &b.change) else { return None };
    let body = x.and(y)?;
    if has_loops(&spec.core.body) {
        let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
        unroll(&names, &body, spec.max_iterations).ok()?;
    }
    Some(Mutant {
        id: Key::of(&spec.name).and(&a.id).end().and(MutationOperator::Second.name()).end().and(&b.id).end().text(),
        operator: MutationOperator::Second,
        span: a.span,
        before: format!("{}; {}", a.before, b.before),
        after: format!("{}; {}", a.after, b.after),
        change: Change::Body(body),
        parts: Some([a.id.clone(), b.id.clone()]),
    })
}
