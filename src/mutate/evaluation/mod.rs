//! Mutation operator `evaluation`: the body, or an algebraically equal form of it, as a program over floats that
//! somebody would write.

mod contract;
mod fixed;
mod forms;
mod order;
mod polynomial;

use super::sites::{self, Site};
use super::{Body, Change, Collector, MutationOperator};
use crate::floats::Format;
use crate::num::Rational;
use crate::ops::{Constant, Op};
use crate::program::{Program, infix};
use crate::spec::Spec;
use crate::spec::core::{Datum, DatumKind, Expr, ExprKind, Property, Value};
use crate::text::Span;
use std::collections::HashSet;
use std::sync::Arc;

/// A mutant that is a program: an expression evaluated in a format.
#[derive(Clone, Debug)]
pub struct EvaluationMutant {
    /// The expression that is evaluated, with `(! :precision … e)` where another format is used.
    pub body: Body,
    /// The format of everything else.
    pub format: Format,
    /// What is executed.
    pub program: Arc<Program>,
    /// Whether it is the body as it is written, in the format of the result: what a plain implementation does.
    pub is_plain: bool,
}

impl EvaluationMutant {
    /// The whole expression with its format, over the reals the body.
    #[must_use]
    pub fn expression(&self) -> Expr {
        in_format(self.format, Expr::clone(&self.body), self.body.span)
    }
}

/// The most operations of all programs together: of a huge formula only some programs are made.
const WORK: usize = 200_000;
/// The most sites at which a lower format is tried; of more, evenly chosen ones.
const LOWERED: usize = 200;

/// All mutants of this kind, each program once.
pub(super) fn generate(spec: &Spec, out: &mut Collector<'_>) {
    if !out.takes(MutationOperator::Evaluation) {
        return;
    }
    if spec.result_format.is_fixed() {
        // How a program computes in fixed point only a specification says that is one.
        if spec.formula.is_some() {
            fixed::generate(spec, &sites::all(spec), out);
        }
        return;
    }
    let names = spec.inputs.iter().map(|i| i.name.clone()).collect();
    let sites = sites::all(spec);
    let mut programs = Programs { names, spec, seen: HashSet::new(), left: WORK / sites.len(), out };
    whole(&sites, &mut programs);
    forms::generate(&sites, &mut programs);
    polynomial::generate(&sites, &mut programs);
    order::generate(&sites, &mut programs);
    contract::generate(&sites, &mut programs);
    lowered(&sites, &mut programs);
}

/// Collects programs, the same one once.
struct Programs<'a, 'b, 's> {
    spec: &'s Spec,
    names: Vec<String>,
    seen: HashSet<u128>,
    /// How many more are made.
    left: usize,
    out: &'a mut Collector<'b>,
}

impl Programs<'_, '_, '_> {
    /// Add a program that has another expression at a site, in the result's format.
    fn form(&mut self, site: &Site<'_>, with: Expr) {
        self.add(site, vec![site.place], with, self.spec.result_format, false);
    }

    fn add(&mut self, site: &Site<'_>, places: Vec<usize>, with: Expr, format: Format, is_plain: bool) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        let text = format!("{} in {}", infix(&with), format.name());
        let body = Body::edited(&self.out.original, places, with);
        if !self.out.is_formula(&body) {
            return;
        }
        let Some(program) = Program::written(&self.names, &body, format, self.spec.result_format) else {
            self.out.left_out += 1;
            return;
        };
        if !self.seen.insert(program.fingerprint()) {
            return;
        }
        let before = self.out.original.text(site.place).to_owned();
        let change = Change::Evaluation(EvaluationMutant { body, format, program: Arc::new(program), is_plain });
        self.out.keep(MutationOperator::Evaluation, site.key, site.expr.span, before, text, change);
    }
}

/// The whole body as it is written, in the result's format and every one whose values the result's has.
fn whole(sites: &[Site<'_>], out: &mut Programs<'_, '_, '_>) {
    let result = out.spec.result_format;
    let narrower = Format::ALL.into_iter().filter(|f| *f != result && result.includes(*f));
    let formats: Vec<Format> = std::iter::once(result).chain(narrower.rev()).collect();
    for format in formats {
        out.add(&sites[0], vec![0], sites[0].expr.clone(), format, format == result);
    }
}

/// The format into which a value of another slips.
fn lower(format: Format) -> Option<Format> {
    Format::ALL.into_iter().rev().find(|f| *f != format && format.includes(*f))
}

/// One intermediate, literal or input in a lower format.
fn lowered(all: &[Site<'_>], out: &mut Programs<'_, '_, '_>) {
    let Some(lower) = lower(out.spec.result_format) else { return };
    let is_rounded = |e: &Expr| match &e.kind {
        ExprKind::Op(op, _) => !matches!(op, Op::Neg | Op::Fabs),
        ExprKind::Number(n) => !lower.has(&n.value),
        ExprKind::Constant(c) => !matches!(c, Constant::Infinity | Constant::Nan | Constant::True | Constant::False),
        _ => false,
    };
    let sites: Vec<&Site<'_>> = all.iter().filter(|s| !s.truth && is_rounded(s.expr)).collect();
    let step = sites.len().div_ceil(LOWERED).max(1);
    for site in sites.iter().step_by(step) {
        let narrow = as_lower(site.expr, lower, out.spec.result_format);
        out.form(site, narrow);
    }
    for input in &out.spec.inputs.clone() {
        if lower.includes(input.format) {
            continue;
        }
        let is_it = |s: &&Site<'_>| matches!(&s.expr.kind, ExprKind::Var(n) if *n == input.name) && !s.hides(n_of(s));
        let uses: Vec<&Site<'_>> = all.iter().filter(is_it).collect();
        if let Some(first) = uses.first() {
            let with = as_lower(first.expr, lower, out.spec.result_format);
            let places = uses.iter().map(|s| s.place).collect();
            out.add(first, places, with, out.spec.result_format, false);
        }
    }
}

/// The name of a variable's site.
fn n_of<'a>(site: &'a Site<'_>) -> &'a str {
    if let ExprKind::Var(name) = &site.expr.kind { name } else { "" }
}

/// A literal as one of the lower format; anything else as a value stored in a variable of it.
fn as_lower(e: &Expr, lower: Format, around: Format) -> Expr {
    if matches!(e.kind, ExprKind::Number(_) | ExprKind::Constant(_)) {
        return in_format(lower, e.clone(), e.span);
    }
    let whole = match e.kind {
        ExprKind::Var(_) => e.clone(),
        _ => in_format(around, e.clone(), e.span),
    };
    in_format(lower, sites::expression(ExprKind::Cast(Box::new(whole)), e.span), e.span)
}

/// `(! :precision format e)`.
fn in_format(format: Format, e: Expr, span: Span) -> Expr {
    in_context(vec![property("precision", DatumKind::Symbol(format.name().to_owned()))], e, span)
}

/// An expression in a rounding context of these properties.
fn in_context(properties: Vec<Property>, e: Expr, span: Span) -> Expr {
    sites::expression(ExprKind::Annotated(properties, Box::new(e)), span)
}

fn property(key: &str, kind: DatumKind) -> Property {
    let value = Value::Data(Datum { kind, span: Span::default() });
    Property { key: key.to_owned(), key_span: Span::default(), value }
}

/// The operands of an operator, if an expression is one of it.
fn operands(e: &Expr, of: Op) -> Option<&[Expr]> {
    match &e.kind {
        ExprKind::Op(op, args) if *op == of => Some(args),
        _ => None,
    }
}

/// The two operands of an operator, if it has just two.
fn pair(e: &Expr, of: Op) -> Option<(&Expr, &Expr)> {
    match operands(e, of) {
        Some([a, b]) => Some((a, b)),
        _ => None,
    }
}

/// Whether two expressions are written alike.
fn alike(a: &Expr, b: &Expr) -> bool {
    a.to_string() == b.to_string()
}

/// The value of a literal.
fn number(e: &Expr) -> Option<&Rational> {
    if let ExprKind::Number(n) = &e.kind { Some(&n.value) } else { None }
}
