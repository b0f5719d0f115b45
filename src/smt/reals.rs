//! Arithmetic and comparisons of real numbers, as far as floats decide them.
//!
//! What a number is compared with is mostly known or another float: that is a comparison of floats. Other polynomials are
//! functions of a library, exact for known floats. `fp.to_real` of an infinity or of NaN is a number that SMT-LIB leaves open:
//! what depends on one is an unknown of its own, so that no answer "unsat" rests on it; "sat" is told where it is with 0.

use super::Result;
use super::call::{Call, Meaning};
use super::constraint::{Asked, Constraint};
use super::poly::{Poly, Real};
use crate::floats::ordinal::ZERO;
use crate::floats::rational::{from_rational, to_rational};
use crate::floats::set::Class;
use crate::floats::{Format, Rounding};
use crate::num::Rational;
use crate::solve::float::project::RoundedFunction;
use crate::solve::float::relate::TermRelation;
use crate::solve::float::{Graph, Sort, Term, TermOp};
use crate::text::{Diagnostic, quote};
use std::collections::HashMap;
use std::sync::Arc;

/// What is known of the floats that real numbers are made of.
#[derive(Debug, Default)]
pub(super) struct Reals {
    /// Unknowns for what infinities and NaN leave open, and what they are with 0 as the value of each.
    open: Vec<[Term; 2]>,
    /// Unknowns of sort Real: each is the value of a binary64 number, which leaves numbers out.
    unknowns: Vec<Term>,
    signs: HashMap<(Poly, TermRelation), Term>,
}

/// So many cases or monomials are too many.
fn too_much(call: &Call<'_>) -> Diagnostic {
    Diagnostic::unsupported(call.span, "this real number has too many cases or monomials")
}

impl Reals {
    /// The real value of a float.
    pub(super) fn of_float(&mut self, graph: &mut Graph, x: Term) -> Real {
        let Sort::Float(format) = graph.sort(x) else { return Poly::default().into() };
        if graph.op(x) == TermOp::Neg {
            let x = graph.below(x)[0];
            return self.of_float(graph, x).times_number(&Rational::from(-1));
        }
        if let Some(value) = graph.constant_value(x).and_then(|v| to_rational(format, v)) {
            return Poly::number(value).into();
        }
        Poly::variable(x).into()
    }

    /// A function of numbers; `None`: it is no such function.
    pub(super) fn apply(&mut self, graph: &mut Graph, call: &Call<'_>, x: &[Real]) -> Result<Option<Meaning>> {
        let relation = |name: &str| match name {
            "=" => Some((TermRelation::Equal, false)),
            "<" => Some((TermRelation::Less, false)),
            "<=" => Some((TermRelation::LessEqual, false)),
            ">" => Some((TermRelation::Less, true)),
            ">=" => Some((TermRelation::LessEqual, true)),
            _ => None,
        };
        if let Some((relation, turned)) = relation(call.name) {
            let mut all = Vec::new();
            for pair in x.windows(2) {
                let pair = if turned { [&pair[1], &pair[0]] } else { [&pair[0], &pair[1]] };
                all.push(self.compared(graph, call, relation, pair)?);
            }
            return Ok(Some(Meaning::Term(graph.all(&all))));
        }
        if call.name == "distinct" {
            let mut all = Vec::new();
            for (i, a) in x.iter().enumerate() {
                for b in &x[i + 1..] {
                    let same = self.compared(graph, call, TermRelation::Equal, [a, b])?;
                    all.push(graph.not(same));
                }
            }
            return Ok(Some(Meaning::Term(graph.all(&all))));
        }
        let fold = |work: fn(&Poly, &Poly) -> Poly| {
            x[1..].iter().try_fold(x[0].clone(), |a, b| a.with(b, work)).ok_or_else(|| too_much(call))
        };
        let value = match call.name {
            "-" if x.len() == 1 => x[0].times_number(&Rational::from(-1)),
            "+" => fold(Poly::plus)?,
            "-" => fold(Poly::minus)?,
            "*" => fold(Poly::times)?,
            "/" => {
                let mut value = x[0].clone();
                for divisor in &x[1..] {
                    match divisor.known() {
                        Some(d) if d == 0 => {
                            return Err(call.wrong("division by zero has no value that SMT-LIB says"));
                        }
                        Some(d) => value = value.times_number(&d.recip()),
                        None => {
                            let wrong = "real numbers that depend on unknowns are no divisors here";
                            return Err(Diagnostic::unsupported(call.span, wrong));
                        }
                    }
                }
                value
            }
            "to_real" => x[0].clone(),
            _ => return Ok(None),
        };
        Ok(Some(Meaning::Real(value)))
    }

    /// One number or another.
    pub(super) fn either(graph: &mut Graph, call: &Call<'_>, condition: Term, [a, b]: [&Real; 2]) -> Result<Real> {
        match graph.constant_value(condition) {
            Some(1) => Ok(a.clone()),
            Some(_) => Ok(b.clone()),
            None => {
                let fails = graph.not(condition);
                Real::either([condition, fails], a, b).ok_or_else(|| too_much(call))
            }
        }
    }

    fn compared(
        &mut self,
        graph: &mut Graph,
        call: &Call<'_>,
        relation: TermRelation,
        [a, b]: [&Real; 2],
    ) -> Result<Term> {
        let difference = a.with(b, Poly::minus).ok_or_else(|| too_much(call))?;
        let mut cases = Vec::new();
        for (conditions, poly) in &difference.cases {
            let mut all = conditions.clone();
            all.push(self.sign(graph, poly, relation));
            cases.push(graph.all(&all));
        }
        Ok(graph.any(&cases))
    }

    /// Whether a polynomial relates so to 0.
    fn sign(&mut self, graph: &mut Graph, poly: &Poly, relation: TermRelation) -> Term {
        if let Some(x) = poly.known() {
            return graph.truth(match relation {
                TermRelation::Less => x < 0,
                TermRelation::LessEqual => x <= 0,
                TermRelation::Equal => x == 0,
            });
        }
        // With 1 before the last monomial: p < 0 is not -p <= 0.
        let leading = poly.monomials().last().map_or_else(|| Rational::from(1), |(_, c)| c.clone());
        let poly = poly.scaled(&leading.clone().recip());
        let turned = leading < 0 && relation != TermRelation::Equal;
        let relation = match (turned, relation) {
            (true, TermRelation::Less) => TermRelation::LessEqual,
            (true, TermRelation::LessEqual) => TermRelation::Less,
            (_, same) => same,
        };
        let key = (poly, relation);
        let term = if let Some(known) = self.signs.get(&key) {
            *known
        } else {
            let holds = of_finite(graph, &key.0, relation);
            let zeros = |graph: &mut Graph, poly: &Poly| general(graph, poly, Asked::Sign(relation));
            let term = self.where_finite(graph, &key.0, holds, &zeros);
            self.signs.insert(key, term);
            term
        };
        if turned { graph.not(term) } else { term }
    }

    /// The float that a number rounds to.
    pub(super) fn rounded(&mut self, graph: &mut Graph, mode: Term, format: Format, x: &Real) -> Term {
        let sort = Sort::Float(format);
        let mut value = None;
        for (conditions, poly) in &x.cases {
            let here = self.rounded_one(graph, mode, format, poly);
            value = Some(match value {
                None => here,
                Some(before) => {
                    let holds = graph.all(conditions);
                    graph.apply(TermOp::Ite, sort, &[holds, here, before])
                }
            });
        }
        value.unwrap_or_else(|| graph.constant(sort, ZERO))
    }

    /// A value where all floats of a polynomial are finite, else what is open; `zeros`: of the polynomial with 0 for others.
    fn where_finite(
        &mut self,
        graph: &mut Graph,
        poly: &Poly,
        value: Term,
        zeros: &dyn Fn(&mut Graph, &Poly) -> Term,
    ) -> Term {
        let variables = poly.variables();
        let finite: Vec<Term> = variables.iter().map(|x| is_finite(graph, *x)).collect();
        let sort = graph.sort(value);
        let open = graph.variable(sort);
        let zeroed = poly.map(|x| {
            let zero = graph.constant(graph.sort(x), ZERO);
            let at = variables.binary_search(&x).unwrap_or_default();
            graph.apply(TermOp::Ite, graph.sort(x), &[finite[at], x, zero])
        });
        let closed = zeros(graph, &zeroed);
        self.open.push([open, closed]);
        let finite = graph.all(&finite);
        graph.apply(TermOp::Ite, sort, &[finite, value, open])
    }

    /// That what formulas leave open is what it is with 0 as the value of infinities and NaN, which is one meaning of them.
    pub(super) fn closed(&self, graph: &mut Graph, used: &[bool]) -> Vec<Term> {
        let open = self.open.iter().filter(|[open, _]| used[open.index()]);
        open.map(|pair| graph.apply(TermOp::Same, Sort::Bool, pair)).collect()
    }

    /// Whether there are numbers that no values of the unknowns stand for.
    pub(super) fn leaves_out(&self, used: &[bool]) -> bool {
        self.unknowns.iter().any(|x| used[x.index()])
    }

    /// The float that a polynomial rounds to.
    fn rounded_one(&mut self, graph: &mut Graph, mode: Term, format: Format, poly: &Poly) -> Term {
        let sort = Sort::Float(format);
        if let Some(number) = poly.known() {
            let one = |graph: &mut Graph, to| graph.constant(sort, from_rational(format, to, &number));
            return each_direction(graph, mode, &one);
        }
        let function = |graph: &mut Graph, poly: &Poly| {
            each_direction(graph, mode, &|graph, to| general(graph, poly, Asked::Rounded(format, to)))
        };
        let value = one_operation(graph, mode, format, poly).unwrap_or_else(|| function(graph, poly));
        self.where_finite(graph, poly, value, &function)
    }

    /// The real value of a float, for a call.
    pub(super) fn of_call(&mut self, graph: &mut Graph, call: &Call<'_>) -> Result<Real> {
        call.count(1, 1)?;
        let x = call.term(0)?;
        match graph.sort(x) {
            Sort::Float(_) => Ok(self.of_float(graph, x)),
            _ => Err(call.wrong(format!("operand 1 of {} should be a float", quote(call.name)))),
        }
    }

    /// A new unknown.
    pub(super) fn unknown(&mut self, graph: &mut Graph) -> Real {
        let x = graph.variable(Sort::Float(Format::BINARY64));
        self.unknowns.push(x);
        self.of_float(graph, x)
    }
}

fn is_finite(graph: &mut Graph, x: Term) -> Term {
    let others = [TermOp::IsNan, TermOp::Is(Class::Infinite)].map(|op| graph.apply(op, Sort::Bool, &[x]));
    let special = graph.any(&others);
    graph.not(special)
}

fn format_of(graph: &Graph, x: Term) -> Format {
    match graph.sort(x) {
        Sort::Float(format) => format,
        _ => Format::BINARY64,
    }
}

/// Whether a polynomial of finite floats, with 1 before its last monomial, relates so to 0.
fn of_finite(graph: &mut Graph, poly: &Poly, relation: TermRelation) -> Term {
    let constant = poly.constant();
    let monomials: Vec<(&[Term], &Rational)> = poly.monomials().filter(|(m, _)| !m.is_empty()).collect();
    match monomials[..] {
        [(&[x], _)] => against_number(graph, x, relation, &-constant),
        [(&[x], a), (&[y], _)] if constant == 0 && Rational::from(a.abs_ref()) == 1 => {
            let y = if *a > 0 { graph.apply(TermOp::Neg, graph.sort(y), &[y]) } else { y };
            // y - x, or y + x as y - (-x)
            let pair = if *a > 0 { [x, y] } else { [y, x] };
            match common(graph, pair) {
                Some(pair) => graph.apply(TermOp::Relation(relation), Sort::Bool, &pair),
                None => general(graph, poly, Asked::Sign(relation)),
            }
        }
        _ => general(graph, poly, Asked::Sign(relation)),
    }
}

/// How a finite float relates to a number: floats are nearest to it from both sides.
fn against_number(graph: &mut Graph, x: Term, relation: TermRelation, number: &Rational) -> Term {
    let format = format_of(graph, x);
    let [below, above] = [Rounding::Down, Rounding::Up].map(|mode| from_rational(format, mode, number));
    let bound = match relation {
        TermRelation::Less => above,
        TermRelation::Equal if below != above => return graph.truth(false),
        _ => below,
    };
    let bound = graph.constant(Sort::Float(format), bound);
    graph.apply(TermOp::Relation(relation), Sort::Bool, &[x, bound])
}

/// Two floats in the format of one of them that has all values of the other's.
fn common(graph: &mut Graph, pair: [Term; 2]) -> Option<[Term; 2]> {
    let formats = pair.map(|x| format_of(graph, x));
    let holds = |a: Format, b: Format| a.exponent_bits() >= b.exponent_bits() && a.precision() >= b.precision();
    let wide = [formats[0], formats[1]].into_iter().find(|f| formats.iter().all(|g| holds(*f, *g)))?;
    Some(pair.map(|x| cast_to(graph, None, wide, x)))
}

/// A float in another format; the same where it has that.
fn cast_to(graph: &mut Graph, mode: Option<Term>, format: Format, x: Term) -> Term {
    if format_of(graph, x) == format {
        return x;
    }
    let mode = mode.unwrap_or_else(|| graph.mode(Rounding::NearestEven));
    graph.apply(TermOp::Rounded(RoundedFunction::Cast(format)), Sort::Float(format), &[mode, x])
}

/// A function of the floats in a polynomial.
fn general(graph: &mut Graph, poly: &Poly, asked: Asked) -> Term {
    let variables = poly.variables();
    let formats = variables.iter().map(|x| format_of(graph, *x)).collect();
    let place = graph.add_library(Arc::new(Constraint::new(poly, &variables, formats, asked)));
    let sort = match asked {
        Asked::Sign(_) => Sort::Bool,
        Asked::Rounded(format, _) => Sort::Float(format),
    };
    graph.apply(TermOp::Library(place), sort, &variables)
}

/// A value for each direction; where the direction is known this is one value.
fn each_direction(graph: &mut Graph, mode: Term, one: &dyn Fn(&mut Graph, Rounding) -> Term) -> Term {
    if let Some(known) = graph.constant_value(mode) {
        return one(graph, Rounding::ALL[known as usize]);
    }
    let mut value = one(graph, Rounding::ALL[0]);
    for direction in &Rounding::ALL[1..] {
        let there = graph.mode(*direction);
        let is = graph.apply(TermOp::Same, Sort::Bool, &[mode, there]);
        let rounded = one(graph, *direction);
        value = graph.apply(TermOp::Ite, graph.sort(rounded), &[is, rounded, value]);
    }
    value
}

/// A polynomial that rounds as one operation does: a cast, a sum or a product, but for the sign of zeros: that of a real zero
/// is +0.
fn one_operation(graph: &mut Graph, mode: Term, format: Format, poly: &Poly) -> Option<Term> {
    let sort = Sort::Float(format);
    let monomials: Vec<(&[Term], bool)> = poly
        .monomials()
        .map(|(m, c)| (Rational::from(c.abs_ref()) == 1).then_some((m, *c < 0)))
        .collect::<Option<_>>()?;
    let signed = |graph: &mut Graph, x: Term, negative: bool| {
        if negative { graph.apply(TermOp::Neg, graph.sort(x), &[x]) } else { x }
    };
    let alike = |graph: &Graph, x: &[Term]| x.iter().all(|x| format_of(graph, *x) == format);
    let (value, zeros) = match monomials[..] {
        [(&[x], negative)] => {
            let x = signed(graph, x, negative);
            (cast_to(graph, Some(mode), format, x), vec![x])
        }
        [(&[x], a), (&[y], b)] if alike(graph, &[x, y]) => {
            let (x, y) = (signed(graph, x, a), signed(graph, y, b));
            let sum = graph.apply(TermOp::Rounded(RoundedFunction::Add), sort, &[mode, x, y]);
            // A sum is never too small for the format of its operands.
            (sum, vec![sum])
        }
        [(&[x, y], negative)] if alike(graph, &[x, y]) => {
            let x_signed = signed(graph, x, negative);
            (graph.apply(TermOp::Rounded(RoundedFunction::Mul), sort, &[mode, x_signed, y]), vec![x, y])
        }
        _ => return None,
    };
    let zeros: Vec<Term> = zeros.into_iter().map(|x| graph.apply(TermOp::Is(Class::Zero), Sort::Bool, &[x])).collect();
    let (is_zero, zero) = (graph.any(&zeros), graph.constant(sort, ZERO));
    Some(graph.apply(TermOp::Ite, sort, &[is_zero, zero, value]))
}
