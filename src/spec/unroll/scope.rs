//! What names and expressions stand for while loops are written out.

use super::known::Known;
use crate::num::Rational;
use crate::spec::core::{Expr, ExprKind, Number};
use crate::spec::same::same_expr;
use crate::spec::sort::Sort;
use crate::text::Span;
use std::collections::HashMap;

/// What a name or an expression stands for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// A number or a truth value.
    Scalar(Expr, Option<Known>),
    Array(Vec<Meaning>),
}

impl Meaning {
    /// The same with other expressions, of which nothing is known.
    pub(super) fn map(&self, to: &mut impl FnMut(&Expr) -> Expr) -> Meaning {
        match self {
            Meaning::Scalar(e, _) => Meaning::Scalar(to(e), None),
            Meaning::Array(elements) => Meaning::Array(elements.iter().map(|m| m.map(to)).collect()),
        }
    }

    /// Its numbers and truth values, in order.
    pub(super) fn scalars(&self) -> Vec<&Expr> {
        match self {
            Meaning::Scalar(e, _) => vec![e],
            Meaning::Array(elements) => elements.iter().flat_map(Meaning::scalars).collect(),
        }
    }
}

/// Whether both are written alike.
pub(super) fn same_meanings(a: &[Meaning], b: &[Meaning]) -> bool {
    let scalars = |all: &[Meaning]| all.iter().flat_map(Meaning::scalars).cloned().collect::<Vec<_>>();
    let (a, b) = (scalars(a), scalars(b));
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| same_expr(a, b))
}

/// What names mean, innermost last.
#[derive(Clone, Default)]
pub(super) struct Scope(HashMap<String, Vec<Meaning>>);

impl Scope {
    /// An input, or an element of one: of `A[1][0]` the place in the array `A`. Elements come in order.
    pub(super) fn input(&mut self, name: &str) {
        let leaf = Meaning::Scalar(Expr::var(name), None);
        let Some((array, rest)) = name.split_once('[') else {
            self.0.insert(name.to_owned(), vec![leaf]);
            return;
        };
        let stack = self.0.entry(array.to_owned()).or_insert_with(|| vec![Meaning::Array(Vec::new())]);
        let mut at = &mut stack[0];
        let places: Vec<usize> = rest.split('[').filter_map(|p| p.trim_end_matches(']').parse().ok()).collect();
        for (depth, place) in places.iter().enumerate() {
            let Meaning::Array(elements) = at else { return };
            if elements.len() <= *place {
                let is_last = depth + 1 == places.len();
                elements.push(if is_last { leaf.clone() } else { Meaning::Array(Vec::new()) });
            }
            let Some(next) = elements.get_mut(*place) else { return };
            at = next;
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Meaning> {
        self.0.get(name)?.last()
    }

    /// The names of arrays.
    pub(super) fn arrays(&self) -> Vec<(String, Sort)> {
        let is_array = |stack: &Vec<Meaning>| matches!(stack.last(), Some(Meaning::Array(_)));
        self.0.iter().filter(|(_, stack)| is_array(stack)).map(|(name, _)| (name.clone(), Sort::Array)).collect()
    }

    pub(super) fn bind(&mut self, name: &str, meaning: Meaning) {
        self.0.entry(name.to_owned()).or_default().push(meaning);
    }

    pub(super) fn unbind<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        for name in names {
            if let Some(stack) = self.0.get_mut(name) {
                stack.pop();
            }
        }
    }

    /// Let a name that is bound mean something else.
    pub(super) fn update(&mut self, name: &str, meaning: Meaning) {
        self.unbind(std::iter::once(name));
        self.bind(name, meaning);
    }
}

/// What an `if` between two meanings means: of arrays of one size an array; nothing where their sizes differ.
pub(super) fn either(condition: &Expr, yes: Meaning, no: Meaning, span: Span) -> Option<Meaning> {
    match (yes, no) {
        (Meaning::Scalar(yes, _), Meaning::Scalar(no, _)) => {
            let kind = ExprKind::If(Box::new([condition.clone(), yes, no]));
            Some(Meaning::Scalar(Expr { kind, span }, None))
        }
        (Meaning::Array(yes), Meaning::Array(no)) if yes.len() == no.len() => {
            let pairs = yes.into_iter().zip(no);
            pairs.map(|(yes, no)| either(condition, yes, no, span)).collect::<Option<_>>().map(Meaning::Array)
        }
        _ => None,
    }
}

/// The element of an array at these places.
pub(super) fn element<'m>(array: &'m Meaning, places: &[usize]) -> Option<&'m Meaning> {
    places
        .iter()
        .try_fold(array, |at, place| if let Meaning::Array(elements) = at { elements.get(*place) } else { None })
}

/// The sizes of an array, the outermost first; none of a number.
pub(super) fn shape(meaning: &Meaning) -> Vec<usize> {
    let (mut sizes, mut at) = (Vec::new(), meaning);
    while let Meaning::Array(elements) = at {
        sizes.push(elements.len());
        let Some(first) = elements.first() else { break };
        at = first;
    }
    sizes
}

pub(super) fn number(n: usize, span: Span) -> Meaning {
    let value = Rational::from(n);
    Meaning::Scalar(Expr { kind: ExprKind::Number(Number::new(value.clone())), span }, Some(Known::Number(value)))
}
