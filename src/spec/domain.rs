//! Input domains: `:pre` as a range for every input and the constraints that ranges cannot express.

use super::constant::{Known, Scope, known};
use super::core::{Classify, Compare, Expr, ExprKind};
use super::range::{Range, RangeEnd};
use crate::num::Rational;
use crate::ops::{Constant, Op};
use crate::text::Diagnostic;

/// What a condition says: ranges, and the conditions that they do not express.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) ranges: Vec<Range>,
    pub(super) rest: Vec<Expr>,
    /// Why there is no point at all.
    pub(super) empty: Option<Diagnostic>,
}

/// The domain that a precondition leaves to the inputs.
pub(super) fn domain(pre: &Expr, inputs: &[String]) -> Piece {
    Analysis { inputs, scope: Scope::new() }.condition(pre, true)
}

struct Analysis<'a> {
    inputs: &'a [String],
    scope: Scope,
}

/// An operand of a comparison.
enum Term {
    Input(usize),
    /// The absolute value of an input.
    Abs(usize),
    Known(Known),
    Other,
}

impl Analysis<'_> {
    fn everything(&self) -> Piece {
        Piece { ranges: vec![Range::default(); self.inputs.len()], rest: Vec::new(), empty: None }
    }

    fn never(&self, e: &Expr) -> Piece {
        let empty = Some(Diagnostic::semantic(e.span, "the domain is empty: this condition is never true"));
        Piece { empty, ..self.everything() }
    }

    /// A condition that ranges say nothing about.
    fn opaque(&self, e: &Expr, positive: bool) -> Piece {
        let e = if positive { e.clone() } else { Expr { kind: ExprKind::Not(Box::new(e.clone())), span: e.span } };
        Piece { rest: vec![e], ..self.everything() }
    }

    /// The condition, or its negation if not `positive`.
    fn condition(&mut self, e: &Expr, positive: bool) -> Piece {
        match (&e.kind, positive) {
            (ExprKind::And(parts), true) | (ExprKind::Or(parts), false) => self.all(parts, positive),
            (ExprKind::Or(parts), true) | (ExprKind::And(parts), false) => self.any(e, parts, positive),
            (ExprKind::Not(inner), _) => self.condition(inner, !positive),
            (ExprKind::Cast(inner) | ExprKind::Annotated(_, inner), _) => self.condition(inner, positive),
            (ExprKind::Constant(Constant::True | Constant::False), _) => {
                let holds = matches!(e.kind, ExprKind::Constant(Constant::True)) == positive;
                if holds { self.everything() } else { self.never(e) }
            }
            (ExprKind::Let { sequential, bindings, body }, _) => {
                let outer = self.scope.len();
                let mut names = Scope::new();
                for (name, value) in bindings {
                    let entry = (name.clone(), known(value, &self.scope));
                    if *sequential { self.scope.push(entry) } else { names.push(entry) }
                }
                self.scope.append(&mut names);
                let mut piece = self.condition(body, positive);
                self.scope.truncate(outer);
                let wrap = |rest: Expr| {
                    if !bindings.iter().any(|(name, _)| mentions(&rest, name)) {
                        return rest;
                    }
                    let (bindings, body) = (bindings.clone(), Box::new(rest));
                    Expr { kind: ExprKind::Let { sequential: *sequential, bindings, body }, span: e.span }
                };
                piece.rest = piece.rest.into_iter().map(wrap).collect();
                piece
            }
            // Inputs are finite numbers.
            (ExprKind::Classify(class, inner), _) => match (self.term(inner), class) {
                (Term::Input(_), Classify::IsFinite) if positive => self.everything(),
                (Term::Input(_), Classify::IsInf | Classify::IsNan) if !positive => self.everything(),
                (Term::Input(_), Classify::IsFinite | Classify::IsInf | Classify::IsNan) => self.never(e),
                _ => self.opaque(e, positive),
            },
            (ExprKind::Compare(op, operands), true) => self.comparison(e, *op, operands),
            (ExprKind::Compare(op, operands), false) if operands.len() == 2 => {
                self.comparison(e, negation(*op), operands)
            }
            _ => self.opaque(e, positive),
        }
    }

    fn all(&mut self, parts: &[Expr], positive: bool) -> Piece {
        let mut all = self.everything();
        for part in parts {
            let piece = self.condition(part, positive);
            all.empty = all.empty.or(piece.empty);
            for (k, range) in piece.ranges.iter().enumerate() {
                self.narrow(&mut all, k, range, part);
            }
            all.rest.extend(piece.rest);
        }
        all
    }

    fn any(&mut self, e: &Expr, parts: &[Expr], positive: bool) -> Piece {
        let pieces: Vec<Piece> = parts.iter().map(|p| self.condition(p, positive)).collect();
        // What is never true may still be without a value somewhere, and all of the condition with it.
        let partial = parts.iter().zip(&pieces).any(|(part, p)| p.empty.is_some() && !is_total(part));
        let mut pieces: Vec<Piece> = pieces.into_iter().filter(|p| p.empty.is_none()).collect();
        if pieces.is_empty() {
            return self.never(e);
        }
        if let ([_], false) = (pieces.as_slice(), partial) {
            return pieces.swap_remove(0);
        }
        let mut any = self.opaque(e, positive);
        for (k, range) in any.ranges.iter_mut().enumerate() {
            let ranges = pieces.iter().map(|p| p.ranges[k].clone());
            *range = ranges.reduce(|a, b| a.hull(&b)).unwrap_or_default();
        }
        any
    }

    fn narrow(&self, piece: &mut Piece, input: usize, range: &Range, e: &Expr) {
        let both = piece.ranges[input].intersect(range);
        if both.is_empty() && piece.empty.is_none() {
            let message = both.empty_message(&self.inputs[input]);
            let together = matches!(&e.kind, ExprKind::Compare(_, operands) if operands.len() > 2);
            let hint = both.empty_hint(&self.inputs[input], together);
            piece.empty = Some(Diagnostic::semantic(e.span, message).maybe_hint(hint));
        }
        piece.ranges[input] = both;
    }

    fn term(&self, e: &Expr) -> Term {
        if let Some(value) = known(e, &self.scope) {
            return Term::Known(value);
        }
        match &e.kind {
            ExprKind::Var(name) if !self.scope.iter().any(|(bound, _)| bound == name) => {
                self.inputs.iter().position(|i| i == name).map_or(Term::Other, Term::Input)
            }
            ExprKind::Cast(inner) | ExprKind::Annotated(_, inner) => self.term(inner),
            ExprKind::Op(Op::Fabs, operands) => match operands.first().map(|o| self.term(o)) {
                Some(Term::Input(input) | Term::Abs(input)) => Term::Abs(input),
                _ => Term::Other,
            },
            _ => Term::Other,
        }
    }

    fn comparison(&self, e: &Expr, op: Compare, operands: &[Expr]) -> Piece {
        let whole = Expr { kind: ExprKind::Compare(op, operands.to_vec()), span: e.span };
        let terms: Vec<Term> = operands.iter().map(|o| self.term(o)).collect();
        match op {
            Compare::Lt | Compare::Le => self.chain(&whole, op, operands, &terms, false),
            Compare::Gt | Compare::Ge => self.chain(&whole, op, operands, &terms, true),
            Compare::Eq => self.equal(&whole, &terms),
            Compare::Ne => self.opaque(&whole, true),
        }
    }

    /// `(== x y 3)`.
    fn equal(&self, e: &Expr, terms: &[Term]) -> Piece {
        let mut piece = self.everything();
        let mut exact = true;
        let mut range = Range::default();
        for term in terms {
            let (lo, hi) = match term {
                Term::Known(Known::Exact(c)) => (c.clone(), c.clone()),
                Term::Known(Known::Between(lo, hi)) => {
                    exact = false;
                    (lo.clone(), hi.clone())
                }
                Term::Input(_) => continue,
                _ => {
                    exact = false;
                    continue;
                }
            };
            let end = |value| Some(RangeEnd { value, strict: false });
            range = range.intersect(&Range { lo: end(lo), hi: end(hi) });
        }
        if range.is_empty() {
            return self.never(e);
        }
        exact &= range.lo.is_some();
        for term in terms {
            if let Term::Input(k) = term {
                self.narrow(&mut piece, *k, &range, e);
            }
        }
        if !exact && terms.len() > 1 {
            piece.rest.push(e.clone());
        }
        piece
    }

    /// `(<= a x y b)`, or with the terms in descending order. A chain is the conjunction of its neighbouring pairs;
    /// the pairs that ranges do not express stay, joined to chains again.
    fn chain(&self, e: &Expr, op: Compare, operands: &[Expr], terms: &[Term], descending: bool) -> Piece {
        let strict = matches!(op, Compare::Lt | Compare::Gt);
        let mut piece = self.everything();
        let known_at = |k: usize| if let Term::Known(value) = &terms[k] { Some(value) } else { None };
        for (k, term) in terms.iter().enumerate() {
            let (before, after) = if descending { (k + 1..terms.len(), 0..k) } else { (0..k, k + 1..terms.len()) };
            let (Term::Input(input) | Term::Abs(input)) = term else { continue };
            for (values, is_lower) in [(before, true), (after, false)] {
                for value in values.filter_map(known_at) {
                    let end = match value {
                        Known::Exact(c) => c,
                        Known::Between(lo, hi) => {
                            if is_lower {
                                lo
                            } else {
                                hi
                            }
                        }
                        Known::Infinite(positive) if *positive == is_lower => return self.never(e),
                        Known::Infinite(_) => continue,
                    };
                    let bound = Some(RangeEnd { value: end.clone(), strict });
                    let range = match (term, is_lower) {
                        (Term::Abs(_), true) => continue,
                        (Term::Abs(_), false) => {
                            Range { lo: Some(RangeEnd { value: Rational::from(-end), strict }), hi: bound }
                        }
                        (_, true) => Range { lo: bound, hi: None },
                        (_, false) => Range { lo: None, hi: bound },
                    };
                    self.narrow(&mut piece, *input, &range, e);
                }
            }
        }
        let mut start = 0;
        for k in 0..terms.len() {
            let expressed = k + 1 >= terms.len() || {
                let (a, b) = if descending { (&terms[k + 1], &terms[k]) } else { (&terms[k], &terms[k + 1]) };
                match pair(a, b, strict) {
                    Pair::Never => return self.never(e),
                    Pair::Expressed => true,
                    Pair::Open => false,
                }
            };
            if expressed {
                if k > start {
                    let part = ExprKind::Compare(op, operands[start..=k].to_vec());
                    piece.rest.push(Expr { kind: part, span: e.span });
                }
                start = k + 1;
            }
        }
        piece
    }
}

/// What the ranges say of a pair `a < b` or `a <= b`.
enum Pair {
    /// All of it.
    Expressed,
    /// Not all of it.
    Open,
    /// It does not hold anywhere.
    Never,
}

fn pair(a: &Term, b: &Term, strict: bool) -> Pair {
    let decide = |holds| if holds { Pair::Expressed } else { Pair::Never };
    match (a, b) {
        (Term::Known(Known::Infinite(a)), Term::Known(Known::Infinite(b))) => {
            decide(if strict { !a & b } else { !a | b })
        }
        (Term::Known(Known::Infinite(positive)), Term::Known(_)) => decide(!positive),
        (Term::Known(_), Term::Known(Known::Infinite(positive))) => decide(*positive),
        (Term::Known(a), Term::Known(b)) => {
            let ends = |k: &Known| match k {
                Known::Exact(c) => Some((c.clone(), c.clone())),
                Known::Between(lo, hi) => Some((lo.clone(), hi.clone())),
                Known::Infinite(_) => None,
            };
            let (Some((a_lo, a_hi)), Some((b_lo, b_hi))) = (ends(a), ends(b)) else { return Pair::Open };
            if a_hi < b_lo || !strict && a_hi == b_lo {
                Pair::Expressed
            } else if a_lo > b_hi || strict && a_lo == b_hi {
                Pair::Never
            } else {
                Pair::Open
            }
        }
        (Term::Known(Known::Exact(c)), Term::Abs(_)) => {
            if *c < 0 || !strict && c.is_zero() {
                Pair::Expressed
            } else {
                Pair::Open
            }
        }
        (Term::Known(Known::Exact(_) | Known::Infinite(_)), Term::Input(_) | Term::Abs(_))
        | (Term::Input(_) | Term::Abs(_), Term::Known(Known::Exact(_) | Known::Infinite(_))) => Pair::Expressed,
        _ => Pair::Open,
    }
}

/// The comparison that holds of two real numbers where this one does not.
fn negation(op: Compare) -> Compare {
    match op {
        Compare::Lt => Compare::Ge,
        Compare::Gt => Compare::Le,
        Compare::Le => Compare::Gt,
        Compare::Ge => Compare::Lt,
        Compare::Eq => Compare::Ne,
        Compare::Ne => Compare::Eq,
    }
}

/// Whether the expression surely has a value everywhere.
fn is_total(e: &Expr) -> bool {
    let total = match &e.kind {
        ExprKind::Op(op, _) => matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::Fabs | Op::Fmin | Op::Fmax),
        ExprKind::Call(..) => false,
        _ => true,
    };
    total && e.children().into_iter().all(is_total)
}

/// Whether the name occurs, be it as another variable of that name.
fn mentions(e: &Expr, name: &str) -> bool {
    matches!(&e.kind, ExprKind::Var(v) if v == name) || e.children().into_iter().any(|c| mentions(c, name))
}
