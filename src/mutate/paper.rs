//! The paper's mutation operators, enumerated so that their counts equal the published ones
//! (Jeangoudoux, Darulova, Lauter, ISSTA 2021, Tables 1 and 3).

use super::sites::{self, Site};
use super::{Change, Collector, MutationOperator, scaled};
use crate::num::Rational;
use crate::ops::Op;
use crate::spec::core::{ExprKind, SizeName};
use crate::spec::{Accuracy, Input, Range, RangeEnd, Spec};
use std::collections::{HashMap, HashSet};

/// The binary operators that replace one another.
pub(super) const BINARY: [Op; 6] = [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Fmin, Op::Fmax];

/// All of the paper's mutants of `spec`, by operator.
pub(super) fn generate(spec: &Spec, out: &mut Collector<'_>) {
    accuracy(spec, out);
    bounds(spec, out);
    let sites = sites::all(spec);
    constants(spec, &sites, out);
    for site in &sites {
        variable(spec, site, &sites, out);
    }
    let chosen: Vec<&Site<'_>> = sites.iter().filter(|s| out.takes_place(s)).collect();
    for site in &chosen {
        unary(site, out);
    }
    for site in &chosen {
        binary(site, out);
    }
    for site in &chosen {
        if matches!(site.expr.kind, ExprKind::Var(_)) && !site.truth && !site.is_array() {
            add(site, out);
        }
    }
    delete(spec, &sites, out);
}

fn accuracy(spec: &Spec, out: &mut Collector<'_>) {
    let span = spec
        .core
        .props
        .iter()
        .find(|p| matches!(p.key.as_str(), "magneto-rel-error" | "magneto-abs-error" | "magneto-ulps"))
        .map_or(spec.core.span, |p| p.key_span);
    for i in 1..=8 {
        let larger = Accuracy {
            rel: spec.accuracy.rel.as_ref().map(|r| scaled(r, i)),
            abs: spec.accuracy.abs.as_ref().map(|a| scaled(a, i)),
            ulps: spec.accuracy.ulps.as_ref().map(|(n, f)| (scaled(n, i), *f)),
        };
        if larger.rel.as_ref().is_none_or(|r| *r < 1) {
            let (before, after) = (spec.accuracy.to_string(), larger.to_string());
            out.push(MutationOperator::Accuracy, "accuracy", span, before, after, Change::Accuracy(larger));
        }
    }
}

fn bounds(spec: &Spec, out: &mut Collector<'_>) {
    let factor = |x: &Rational, n: i32| x * Rational::from((n, 10));
    for (input, i) in spec.inputs.iter().zip(0..) {
        let mut push = |side: &str, range: Range| {
            let site = format!("{} {side}", input.name);
            let (before, after) = (input.range.to_string(), range.to_string());
            out.push(
                MutationOperator::Bounds,
                &site,
                spec.core.argument(i).map_or(spec.core.span, |a| a.span),
                before,
                after,
                Change::Range { input: i, range },
            );
        };
        if let Some(RangeEnd { value, strict }) = &input.range.lo {
            let value = factor(value, 11).min(factor(value, 9));
            push("lower", Range { lo: Some(RangeEnd { value, strict: *strict }), ..input.range.clone() });
        }
        if let Some(RangeEnd { value, strict }) = &input.range.hi {
            let value = factor(value, 11).max(factor(value, 9));
            push("upper", Range { hi: Some(RangeEnd { value, strict: *strict }), ..input.range.clone() });
        }
    }
}

/// A number as a program declares it once, under a name of its own.
#[derive(PartialEq, Eq, Hash)]
struct DeclaredConstant<'s> {
    value: Rational,
    /// Whether it is the scale of a decimal.
    is_scale: bool,
    /// The name of a size that it stands for.
    size: Option<&'s str>,
}

/// A literal as the paper's program declared it: equal values are one constant, a size of arrays is another one. A power of ten under
/// a quotient of two literals is the scale of a decimal that is written as a fraction, and not the same constant as that number
/// used elsewhere (so carbonGas has 1000 twice).
fn declared<'s>(site: &Site<'_>, sites: &[Site<'_>], sizes: &'s [SizeName]) -> Option<DeclaredConstant<'s>> {
    let ExprKind::Number(n) = &site.expr.kind else { return None };
    let is_scale = site.parent.is_some_and(|(parent, operand)| {
        operand == 1
            && is_power_of_ten(&n.value)
            && matches!(&sites[parent].expr.kind, ExprKind::Op(Op::Div, args)
                if matches!(args.as_slice(), [a, _] if matches!(a.kind, ExprKind::Number(_))))
    });
    let size = sizes.iter().find(|size| size.uses.contains(&site.expr.span)).map(|size| size.name.as_str());
    Some(DeclaredConstant { value: n.value.clone(), is_scale, size })
}

fn is_power_of_ten(x: &Rational) -> bool {
    let mut x = x.clone();
    while x > 1 {
        x /= 10;
    }
    x == 1
}

fn constants(spec: &Spec, sites: &[Site<'_>], out: &mut Collector<'_>) {
    let declared: Vec<_> =
        sites.iter().map(|s| declared(s, sites, &spec.core.sizes).filter(|_| !s.is_made_up())).collect();
    let mut uses: HashMap<&DeclaredConstant<'_>, Vec<usize>> = HashMap::new();
    for (literal, site) in declared.iter().zip(sites) {
        literal.iter().for_each(|l| uses.entry(l).or_default().push(site.place));
    }
    let mut known = HashSet::new();
    for (i, literal) in declared.iter().enumerate() {
        let Some(constant) = literal else { continue };
        let value = &constant.value;
        if !known.insert(literal) || !out.takes_place(&sites[i]) {
            continue;
        }
        let relative = spec.accuracy.rel.clone().unwrap_or_else(|| Rational::from((1, 10_000_000_000u64)));
        let step = if value.is_integer() { Rational::from(1) } else { value * relative * 10 };
        for new in [Rational::from(value - &step), Rational::from(value + &step)] {
            let with = sites::literal(new, sites[i].expr.span);
            out.replace(MutationOperator::Constant, &sites[i], uses[constant].clone(), with);
        }
    }
}

/// The inputs that are no elements of arrays.
fn numbers(spec: &Spec) -> impl Iterator<Item = &Input> {
    spec.inputs.iter().filter(|i| !i.name.contains('['))
}

fn variable(spec: &Spec, site: &Site<'_>, sites: &[Site<'_>], out: &mut Collector<'_>) {
    let ExprKind::Var(name) = &site.expr.kind else { return };
    if site.truth || site.is_array() {
        return;
    }
    // Swapping a variable for its sibling in x + y or x * y gives x + x: the paper skips it.
    let sibling = site.parent.and_then(|(parent, operand)| match &sites[parent].expr.kind {
        ExprKind::Op(Op::Add | Op::Mul, args) if args.len() == 2 => match &args.get(1 - operand)?.kind {
            ExprKind::Var(other) => Some(other),
            _ => None,
        },
        _ => None,
    });
    for input in numbers(spec) {
        if input.name != *name && Some(&input.name) != sibling && !site.hides(&input.name) && out.takes_next_variable()
        {
            out.substitute(site, MutationOperator::Variable, sites::var(&input.name, site.expr.span));
        }
    }
}

fn unary(site: &Site<'_>, out: &mut Collector<'_>) {
    let ExprKind::Op(op, args) = &site.expr.kind else { return };
    if !Op::ELEMENTARY.contains(op) {
        return;
    }
    for other in Op::ELEMENTARY.into_iter().filter(|o| o != op) {
        out.substitute(site, MutationOperator::Unary, sites::op(other, args.clone(), site.expr.span));
    }
}

fn binary(site: &Site<'_>, out: &mut Collector<'_>) {
    let ExprKind::Op(op, args) = &site.expr.kind else { return };
    if args.len() != 2 || !(BINARY.contains(op) || *op == Op::Pow) {
        return;
    }
    for other in BINARY.into_iter().filter(|o| o != op) {
        out.substitute(site, MutationOperator::Binary, sites::op(other, args.clone(), site.expr.span));
    }
}

/// `v o v` for every binary operator and `u(v)` for every unary one.
pub(super) fn add(site: &Site<'_>, out: &mut Collector<'_>) {
    let (e, span) = (site.expr, site.expr.span);
    for o in BINARY {
        out.substitute(site, MutationOperator::Add, sites::op(o, vec![e.clone(), e.clone()], span));
    }
    for u in Op::ELEMENTARY {
        out.substitute(site, MutationOperator::Add, sites::op(u, vec![e.clone()], span));
    }
}

/// The outermost expressions with an operand that is an operator over leaves give way to each input in turn.
fn delete(spec: &Spec, sites: &[Site<'_>], out: &mut Collector<'_>) {
    // Those that are taken, and what is inside of them.
    let mut taken = vec![false; sites.len()];
    for site in sites {
        let inside = site.parent.is_some_and(|(parent, _)| taken[parent]);
        taken[site.place] = inside;
        let is_op = matches!(site.expr.kind, ExprKind::Op(..));
        if inside || !is_op || !site.expr.children().into_iter().any(sites::is_leaf_op) {
            continue;
        }
        taken[site.place] = true;
        if !out.takes_place(site) {
            continue;
        }
        for input in numbers(spec).filter(|i| !site.hides(&i.name)) {
            out.substitute(site, MutationOperator::Delete, sites::var(&input.name, site.expr.span));
        }
    }
}
