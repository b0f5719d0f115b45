//! How often a loop goes round that counts: its condition compares a variable with a known number, and each round adds another
//! known number to it.

use super::known::{Known, operation};
use super::scope::{Meaning, Scope};
use crate::num::{Integer, Rational};
use crate::ops::Op;
use crate::spec::core::{Compare, Expr, ExprKind, Loop};
use crate::spec::results::mentioned;
use std::collections::BTreeSet;

/// How many rounds of a loop come yet, where its condition holds now; the most there are where it never ends. None if it does not
/// count.
pub(super) fn rounds(l: &Loop, condition: &Expr, scope: &Scope) -> Option<u64> {
    let ExprKind::Compare(relation, sides) = &condition.kind else { return None };
    let [left, right] = sides.as_slice() else { return None };
    let (below, above) = match relation {
        Compare::Lt | Compare::Le => (left, right),
        Compare::Gt | Compare::Ge => (right, left),
        Compare::Eq | Compare::Ne => return None,
    };
    let includes_end = matches!(relation, Compare::Le | Compare::Ge);
    // Counted is what is between both sides, which each round makes smaller.
    let distance = known(above, scope)? - known(below, scope)?;
    let (above, below) = (step(above, l, scope)?, step(below, l, scope)?);
    let smaller = below - above;
    if smaller <= 0 {
        return Some(u64::MAX);
    }
    let whole: Rational = distance / smaller;
    let (floor, is_whole) = (Integer::from(whole.floor_ref()), whole.is_integer());
    let rounds = if is_whole && !includes_end { floor } else { floor + 1 };
    Some(rounds.to_u64().unwrap_or(u64::MAX))
}

/// What each round adds to a side of a condition: a variable that counts, or what no round changes.
fn step(side: &Expr, l: &Loop, scope: &Scope) -> Option<Rational> {
    let variable = |name: &str| l.state.iter().find(|v| v.name == name);
    let is_constant = |e: &Expr| {
        let mut names = BTreeSet::new();
        mentioned(e, &mut names);
        !names.iter().any(|name| variable(name).is_some())
    };
    if is_constant(side) {
        return Some(Rational::new());
    }
    let ExprKind::Var(name) = &side.kind else { return None };
    let ExprKind::Op(op, args) = &variable(name)?.update.kind else { return None };
    let is_it = |e: &Expr| matches!(&e.kind, ExprKind::Var(n) if n == name);
    let [a, b] = args.as_slice() else { return None };
    match op {
        Op::Add if is_it(a) && is_constant(b) => known(b, scope),
        Op::Add if is_it(b) && is_constant(a) => known(a, scope),
        Op::Sub if is_it(a) && is_constant(b) => known(b, scope).map(|x| -x),
        _ => None,
    }
}

/// The number that an expression of operators is, if it is known.
fn known(e: &Expr, scope: &Scope) -> Option<Rational> {
    match &e.kind {
        ExprKind::Number(n) => Some(n.value.clone()),
        ExprKind::Var(name) => match scope.get(name)? {
            Meaning::Scalar(_, known) => known.as_ref()?.number().cloned(),
            Meaning::Array(_) => None,
        },
        ExprKind::Op(op, args) => {
            let args: Vec<Option<Known>> = args.iter().map(|a| known(a, scope).map(Known::Number)).collect();
            operation(*op, &args, None)?.number().cloned()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::parse_file;

    /// All comparisons of a counter with a bound, on either side, with steps up and down, against going round.
    #[test]
    fn a_loop_that_counts_goes_round_as_often_as_is_said() {
        let numbers: Vec<Rational> = (-8..=8).map(|n| Rational::from((n, 2))).collect();
        let mut counted = 0;
        for (step, bound) in numbers.iter().flat_map(|step| numbers.iter().map(move |bound| (step, bound))) {
            for (relation, update) in
                ["<", "<=", ">", ">="].into_iter().flat_map(|r| [(r, "(+ i c)"), (r, "(+ c i)"), (r, "(- i c)")])
            {
                let text = format!("(FPCore (b c) (while ({relation} i b) ([i 0 {update}]) i))");
                let file = parse_file(text.as_bytes());
                let ExprKind::Loop(l) = &file.cores[0].as_ref().unwrap().body.kind else { panic!("{text}") };
                let crate::spec::core::LoopHead::While(condition) = &l.head else { panic!("{text}") };
                let mut scope = Scope::default();
                let start = Rational::from((1, 2));
                for (name, value) in [("i", &start), ("b", bound), ("c", step)] {
                    scope.bind(name, Meaning::Scalar(Expr::var(name), Some(Known::Number(value.clone()))));
                }
                let (mut now, mut around) = (start, 0);
                let goes_on = |now: &Rational| match relation {
                    "<" => now < bound,
                    "<=" => now <= bound,
                    ">" => now > bound,
                    _ => now >= bound,
                };
                while goes_on(&now) && around < 100 {
                    now = if update.starts_with("(-") { now - step } else { now + step };
                    around += 1;
                }
                if around > 0 {
                    let expected = if around == 100 { u64::MAX } else { around };
                    assert_eq!(rounds(l, condition, &scope), Some(expected), "{text}, b = {bound}, c = {step}");
                    counted += 1;
                }
            }
        }
        assert!(counted > 1000, "{counted}");
    }
}
