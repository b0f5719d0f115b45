//! Conditions: the mistakes that are made in an `if`.
//!
//! Of changes that are the same the shortest is made: a condition that is negated stands for branches that are
//! swapped, a condition that is TRUE or FALSE for an `if` that is gone. Numbers inside a condition are sites like any
//! other.

use super::sites::{self, Site};
use super::{Collector, MutationOperator};
use crate::spec::core::{Compare, Expr, ExprKind};

/// Comparisons that are mistaken for one another.
const CONFUSED: [&[Compare]; 2] = [&[Compare::Lt, Compare::Le, Compare::Gt, Compare::Ge], &[Compare::Eq, Compare::Ne]];

/// The mutants of all conditions among the sites of a body.
pub(super) fn generate(sites: &[Site<'_>], out: &mut Collector<'_>) {
    let mut above: Option<&Expr> = None;
    for (k, site) in sites.iter().enumerate() {
        let span = site.expr.span;
        // In pre-order the operand of a `not`, and the condition of an `if`, comes right after it.
        let negated = above.is_some_and(|e| matches!(e.kind, ExprKind::Not(_)));
        above = Some(site.expr);
        if !out.takes_place(site) {
            continue;
        }
        match &site.expr.kind {
            ExprKind::If(_) => {
                let Some(condition) = sites.get(k + 1) else { continue };
                for value in [true, false] {
                    out.substitute(condition, MutationOperator::Delete, sites::truth(value, condition.expr.span));
                }
            }
            ExprKind::Compare(comparison, operands) => {
                compare(site, (*comparison, operands), negated, out);
            }
            ExprKind::And(terms) | ExprKind::Or(terms) if terms.len() > 1 => {
                let is_and = matches!(site.expr.kind, ExprKind::And(_));
                let other = joined(!is_and, terms.clone(), site);
                out.substitute(site, MutationOperator::Binary, other);
                for left_out in 0..terms.len() {
                    let rest = joined(is_and, without(terms, left_out), site);
                    out.substitute(site, MutationOperator::Delete, rest);
                }
            }
            ExprKind::Not(term) => out.substitute(site, MutationOperator::Delete, Expr::clone(term)),
            _ => {}
        }
        // The contrary of a comparison is another comparison, and that of a `not` has none.
        let has_contrary = match &site.expr.kind {
            ExprKind::Compare(_, operands) => operands.len() > 2,
            ExprKind::And(terms) | ExprKind::Or(terms) => terms.len() > 1,
            ExprKind::Var(_) => site.truth,
            ExprKind::Classify(..) => true,
            _ => false,
        };
        if has_contrary && !negated {
            let contrary = sites::expression(ExprKind::Not(Box::new(site.expr.clone())), span);
            out.substitute(site, MutationOperator::Add, contrary);
        }
    }
}

/// Another comparison, of all operands and of two neighbours; and a chain with a link left out, such as a range of which
/// only one end is checked. The contrary of a negated comparison is that without its `not`.
fn compare(site: &Site<'_>, (comparison, operands): (Compare, &[Expr]), negated: bool, out: &mut Collector<'_>) {
    let made =
        |c: Compare, operands: &[Expr]| sites::expression(ExprKind::Compare(c, operands.to_vec()), site.expr.span);
    if operands.len() < 2 {
        return;
    }
    let others = CONFUSED.iter().filter(|g| g.contains(&comparison)).flat_map(|g| g.iter()).copied();
    let others: Vec<Compare> = others.filter(|c| *c != comparison).collect();
    for other in &others {
        if !(negated && operands.len() == 2 && *other == contrary(comparison)) {
            out.substitute(site, MutationOperator::Binary, made(*other, operands));
        }
    }
    // `!=` is about all pairs and has no links.
    if operands.len() == 2 || comparison == Compare::Ne {
        return;
    }
    let links: Vec<Expr> = operands.windows(2).map(|pair| made(comparison, pair)).collect();
    for (k, pair) in operands.windows(2).enumerate() {
        for other in &others {
            let mut links = links.clone();
            links[k] = made(*other, pair);
            out.substitute(site, MutationOperator::Binary, joined(true, links, site));
        }
        out.substitute(site, MutationOperator::Delete, joined(true, without(&links, k), site));
    }
}

/// The comparison of two numbers that holds where this one does not.
fn contrary(c: Compare) -> Compare {
    match c {
        Compare::Lt => Compare::Ge,
        Compare::Ge => Compare::Lt,
        Compare::Gt => Compare::Le,
        Compare::Le => Compare::Gt,
        Compare::Eq => Compare::Ne,
        Compare::Ne => Compare::Eq,
    }
}

fn without(terms: &[Expr], left_out: usize) -> Vec<Expr> {
    terms.iter().enumerate().filter(|(k, _)| *k != left_out).map(|(_, e)| e.clone()).collect()
}

/// `and` or `or` of at least one term, in the place of a site.
fn joined(is_and: bool, mut terms: Vec<Expr>, site: &Site<'_>) -> Expr {
    match terms.len() {
        1 => terms.remove(0),
        _ => sites::expression(if is_and { ExprKind::And(terms) } else { ExprKind::Or(terms) }, site.expr.span),
    }
}

#[cfg(test)]
mod tests {
    use crate::mutate::{Change, Mutant, OperatorSet, mutants};
    use crate::spec::{Overrides, Spec, parse_file, resolve};

    fn spec(text: &str) -> Spec {
        resolve(&parse_file(text.as_bytes()), 0, "text.fpcore", &Overrides::default()).unwrap()
    }

    fn of(body: &str) -> Vec<Mutant> {
        let text = format!("(FPCore (x y) :pre (and (<= 0 x 2) (<= 0 y 2)) {body})");
        let spec = spec(&text);
        let made = mutants(&spec, &OperatorSet::Full);
        for m in &made {
            let text = m.apply(&spec).to_core().to_string();
            let file = parse_file(text.as_bytes());
            assert!(file.all_diagnostics().is_empty(), "{} -> {}: {text}", m.before, m.after);
        }
        made
    }

    /// What becomes of conditions, as `operator after` by the text before.
    fn changes(body: &str, before: &str) -> Vec<String> {
        let of_it = |m: &&Mutant| m.before == before;
        of(body).iter().filter(of_it).map(|m| format!("{} {}", m.operator, m.after)).collect()
    }

    #[test]
    fn a_comparison_is_confused_negated_and_left_out() {
        let body = "(if (< x 1) x y)";
        let expected = ["delete TRUE", "delete FALSE", "binary (<= x 1)", "binary (> x 1)", "binary (>= x 1)"];
        assert_eq!(changes(body, "(< x 1)"), expected);
        assert_eq!(changes("(if (== x 1) x y)", "(== x 1)"), ["delete TRUE", "delete FALSE", "binary (!= x 1)"]);
    }

    #[test]
    fn a_chain_is_changed_link_by_link_too() {
        let body = "(if (<= 0 x 1) x y)";
        let expected = [
            "add (not (<= 0 x 1))",
            "binary (< 0 x 1)",
            "binary (> 0 x 1)",
            "binary (>= 0 x 1)",
            "binary (and (< 0 x) (<= x 1))",
            "binary (and (<= 0 x) (< x 1))",
            "binary (and (<= 0 x) (> x 1))",
            "binary (and (<= 0 x) (>= x 1))",
            "binary (and (> 0 x) (<= x 1))",
            "binary (and (>= 0 x) (<= x 1))",
            "delete (<= 0 x)",
            "delete (<= x 1)",
            "delete FALSE",
            "delete TRUE",
        ];
        let mut found = changes(body, "(<= 0 x 1)");
        found.sort();
        assert_eq!(found, expected);
        // Distinctness is about pairs that are no neighbours as well.
        let expected = ["delete TRUE", "delete FALSE", "binary (== x y 1)", "add (not (!= x y 1))"];
        assert_eq!(changes("(if (!= x y 1) x y)", "(!= x y 1)"), expected);
    }

    #[test]
    fn terms_are_joined_otherwise_left_out_and_negated() {
        let body = "(if (and (< x 1) (or (< y 1) (not (< x y)))) x y)";
        let whole = "(and (< x 1) (or (< y 1) (not (< x y))))";
        let expected = [
            "delete TRUE",
            "delete FALSE",
            "binary (or (< x 1) (or (< y 1) (not (< x y))))",
            "delete (or (< y 1) (not (< x y)))",
            "delete (< x 1)",
            "add (not (and (< x 1) (or (< y 1) (not (< x y)))))",
        ];
        assert_eq!(changes(body, whole), expected);
        assert_eq!(changes(body, "(not (< x y))"), ["delete (< x y)"]);
        // The contrary of what is negated is made by leaving the `not` out.
        assert_eq!(changes(body, "(< x y)"), ["binary (<= x y)", "binary (> x y)"]);
    }

    #[test]
    fn numbers_in_conditions_are_sites() {
        let bodies: Vec<String> = of("(if (< (* x x) 1) x y)")
            .into_iter()
            .filter_map(|m| if let Change::Body(body) = m.change { Some(body.to_string()) } else { None })
            .collect();
        for condition in ["(* x x) 2", "(* y x) 1", "(+ x x) 1", "(- (* x x)) 1", "x 1", "(exp (* x x)) 1"] {
            let body = format!("(if (< {condition}) x y)");
            assert!(bodies.contains(&body), "{body}");
        }
    }

    #[test]
    fn named_conditions_stay_conditions() {
        // `of` reads every mutant again, so that p in the place of a number is found.
        let body = "(let ([p (< x 1)] [q (== y 1)]) (if p x (if (not q) y (+ x y))))";
        assert_eq!(changes(body, "p"), ["variable q", "delete TRUE", "delete FALSE", "add (not p)"]);
        assert_eq!(changes(body, "q"), ["variable p"]);
    }
}
