//! What the full set has beyond the paper's: its operators at every site, and what numerical programmers get wrong.

use super::paper::add;
use super::sites::{self, Site};
use super::{Change, Collector, MutationOperator, conditions, loops, scaled};
use crate::floats::Format;
use crate::num::Rational;
use crate::num::float::rational;
use crate::ops::{Constant, Op};
use crate::spec::core::ExprKind;
use crate::spec::{Range, RangeEnd, Spec, saturated, wrapped};

/// Unary functions that are mistaken for one another.
const CONFUSED: &[&[Op]] = &[
    &[Op::Sqrt, Op::Cbrt],
    &[Op::Exp, Op::Exp2, Op::Expm1],
    &[Op::Log, Op::Log2, Op::Log10, Op::Log1p],
    &[Op::Floor, Op::Ceil, Op::Round, Op::Nearbyint, Op::Trunc],
    &[Op::Sin, Op::Cos],
    &[Op::Sinh, Op::Cosh, Op::Tanh],
    &[Op::Erf, Op::Erfc],
    &[Op::Tgamma, Op::Lgamma],
    &[Op::J0, Op::J1, Op::Y0, Op::Y1],
];

/// Binary functions that are mistaken for one another.
const CONFUSED_BINARY: &[&[Op]] = &[&[Op::Fmin, Op::Fmax], &[Op::Fmod, Op::Remainder], &[Op::Sub, Op::Fdim]];

/// All mutants of the full set; those of the paper's that came before are not made twice.
pub(super) fn generate(spec: &Spec, out: &mut Collector<'_>) {
    bounds(spec, out);
    let sites = sites::all(spec);
    saturate(spec, &sites[0], out);
    for site in &sites {
        variable(spec, site, out);
        if is_number_valued(site) && out.takes_place(site) {
            constant(site, out);
            confusions(site, out);
            operands(site, out);
            if !matches!(site.expr.kind, ExprKind::Let { .. }) {
                add(site, out);
                let negated = sites::op(Op::Neg, vec![site.expr.clone()], site.expr.span);
                out.substitute(site, MutationOperator::Add, negated);
            }
            delete(site, out);
        }
    }
    conditions::generate(&sites, out);
    loops::generate(&sites, out);
}

/// Whether a site is a number, and one of its own: not a wrapper or an `if`, whose contents are sites.
fn is_number_valued(site: &Site<'_>) -> bool {
    match &site.expr.kind {
        ExprKind::Number(_) | ExprKind::Var(_) | ExprKind::Op(..) | ExprKind::Let { .. } | ExprKind::Ref(_) => {
            !site.truth && !site.is_array()
        }
        ExprKind::Constant(c) => !site.truth && !matches!(c, Constant::Infinity | Constant::Nan),
        _ => false,
    }
}

fn bounds(spec: &Spec, out: &mut Collector<'_>) {
    for (i, input) in spec.inputs.iter().enumerate() {
        let mut push = |site: &str, range: Range| {
            let site = format!("{} {site}", input.name);
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
        let Range { lo, hi } = &input.range;
        let step = match (lo, hi) {
            (Some(l), Some(h)) => Rational::from(&h.value - &l.value) / 10,
            _ => Rational::new(),
        };
        let with = |b: &RangeEnd, value: Rational| Some(RangeEnd { value, strict: b.strict });
        let neighbours = |b: &RangeEnd| {
            let down = input
                .format
                .floor_rational(&b.value)
                .and_then(|x| if rational(x) < b.value { Some(x) } else { input.format.next_down(x) });
            let up = input
                .format
                .ceil_rational(&b.value)
                .and_then(|x| if rational(x) > b.value { Some(x) } else { input.format.next_up(x) });
            [("down", down), ("up", up)]
        };
        if let Some(b) = lo {
            if step > 0 {
                push("lower narrowed", Range { lo: with(b, Rational::from(&b.value + &step)), hi: hi.clone() });
            }
            for (name, x) in neighbours(b) {
                if let Some(x) = x {
                    push(&format!("lower ulp {name}"), Range { lo: with(b, rational(x)), hi: hi.clone() });
                }
            }
            let other = RangeEnd { strict: !b.strict, ..b.clone() };
            push("lower strictness", Range { lo: Some(other), hi: hi.clone() });
        }
        if let Some(b) = hi {
            if step > 0 {
                push("upper narrowed", Range { lo: lo.clone(), hi: with(b, Rational::from(&b.value - &step)) });
            }
            for (name, x) in neighbours(b) {
                if let Some(x) = x {
                    push(&format!("upper ulp {name}"), Range { lo: lo.clone(), hi: with(b, rational(x)) });
                }
            }
            let other = RangeEnd { strict: !b.strict, ..b.clone() };
            push("upper strictness", Range { lo: lo.clone(), hi: Some(other) });
        }
    }
}

fn constant(site: &Site<'_>, out: &mut Collector<'_>) {
    let span = site.expr.span;
    let mut push = |value: Rational| {
        out.substitute(site, MutationOperator::Constant, sites::literal(value, span));
    };
    match &site.expr.kind {
        ExprKind::Number(n) => {
            let c = &n.value;
            push(Rational::from(-c));
            if *c != 0 {
                push(scaled(c, 1));
                push(scaled(c, -1));
                let single = Format::BINARY32;
                if let (Some(lo), Some(hi)) = (single.floor_rational(c), single.ceil_rational(c)) {
                    let (lo, hi) = (rational(lo), rational(hi));
                    let nearest = if Rational::from(c - &lo) <= Rational::from(&hi - c) { lo } else { hi };
                    push(nearest);
                }
            }
            if c.is_integer() {
                push(Rational::from(c - 1));
                push(Rational::from(c + 1));
            }
            for value in transpositions(&n.text) {
                push(value);
            }
            // Degrees taken for radians and the other way round.
            if [180, 90, 360].iter().any(|d| *c == *d) {
                let half_turns = c / Rational::from(180);
                let pi = sites::expression(ExprKind::Constant(Constant::Pi), span);
                let radians = sites::op(Op::Mul, vec![sites::literal(half_turns, span), pi], span);
                out.substitute(site, MutationOperator::Constant, radians);
            }
        }
        ExprKind::Constant(c) => {
            let near: &[(i64, i64)] = match c {
                Constant::Pi => &[(314, 100), (31416, 10_000), (22, 7), (180, 1)],
                Constant::E => &[(271_828, 100_000), (27, 10)],
                _ => &[],
            };
            for &(n, d) in near {
                push(Rational::from((n, d)));
            }
            if let Some(value) = c.enclose(53) {
                push(rational(Format::BINARY32.nearest(value.lo.to_f64())));
            }
        }
        _ => {}
    }
}

/// The numbers spelled by swapping two neighbouring digits that differ.
fn transpositions(text: &str) -> Vec<Rational> {
    let mantissa = text.find(['e', 'E']).unwrap_or(text.len());
    let plain = !text.starts_with("0x") && text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    if !plain {
        return Vec::new();
    }
    let digits: Vec<usize> = (0..mantissa).filter(|&i| text.as_bytes()[i].is_ascii_digit()).collect();
    digits
        .windows(2)
        .filter(|w| text.as_bytes()[w[0]] != text.as_bytes()[w[1]])
        .filter_map(|w| {
            let mut bytes = text.as_bytes().to_vec();
            bytes.swap(w[0], w[1]);
            crate::spec::parse_rational(std::str::from_utf8(&bytes).ok()?).ok()
        })
        .collect()
}

fn variable(spec: &Spec, site: &Site<'_>, out: &mut Collector<'_>) {
    let ExprKind::Var(name) = &site.expr.kind else { return };
    if site.is_made_up() {
        return;
    }
    for other in site.variables(spec).into_iter().filter(|o| *o != name) {
        if !out.takes_next_variable() {
            continue;
        }
        out.substitute(site, MutationOperator::Variable, sites::var(other, site.expr.span));
    }
}

/// A result that saturates instead of wrapping around.
fn saturate(spec: &Spec, whole: &Site<'_>, out: &mut Collector<'_>) {
    let Some([f, _]) = wrapped(whole.expr) else { return };
    let saturated = saturated(f.clone(), spec.result_format, whole.expr.span);
    out.substitute(whole, MutationOperator::Binary, saturated);
}

fn confusions(site: &Site<'_>, out: &mut Collector<'_>) {
    let ExprKind::Op(op, args) = &site.expr.kind else { return };
    let (groups, operator) =
        if op.arity() == 1 { (CONFUSED, MutationOperator::Unary) } else { (CONFUSED_BINARY, MutationOperator::Binary) };
    if args.len() != op.arity() {
        return;
    }
    for other in groups.iter().filter(|g| g.contains(op)).flat_map(|g| g.iter()).filter(|o| *o != op) {
        out.substitute(site, operator, sites::op(*other, args.clone(), site.expr.span));
    }
}

/// Operands in the wrong order, and a power's exponent off by one.
fn operands(site: &Site<'_>, out: &mut Collector<'_>) {
    let ExprKind::Op(op, args) = &site.expr.kind else { return };
    let span = site.expr.span;
    match (op, args.as_slice()) {
        (Op::Sub | Op::Div | Op::Pow | Op::Atan2 | Op::Fdim | Op::Fmod | Op::Remainder | Op::Copysign, [a, b]) => {
            out.substitute(site, MutationOperator::Binary, sites::op(*op, vec![b.clone(), a.clone()], span));
        }
        (Op::Fma, [a, b, c]) => {
            for order in [[a, c, b], [c, b, a]] {
                let swapped = sites::op(Op::Fma, order.into_iter().cloned().collect(), span);
                out.substitute(site, MutationOperator::Binary, swapped);
            }
            let negated = sites::op(Op::Neg, vec![c.clone()], span);
            let minus = sites::op(Op::Fma, vec![a.clone(), b.clone(), negated], span);
            out.substitute(site, MutationOperator::Binary, minus);
        }
        _ => {}
    }
}

/// Every operator gives way to each of its operands: a negation dropped, a term left out.
fn delete(site: &Site<'_>, out: &mut Collector<'_>) {
    let ExprKind::Op(_, args) = &site.expr.kind else { return };
    for arg in args {
        out.substitute(site, MutationOperator::Delete, arg.clone());
    }
}
