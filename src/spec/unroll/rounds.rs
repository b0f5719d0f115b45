//! Loops: each round gives their variables new values.

use super::known::Known;
use super::scope::{Meaning, number};
use super::stuck::{Stuck, StuckAt, stuck};
use super::{Bindings, Unroller};
use crate::num::Rational;
use crate::ops::Op;
use crate::spec::core::{Expr, ExprKind, Loop, LoopHead, Number};
use crate::text::Span;

impl Unroller {
    /// Another round.
    fn step(&mut self, span: Span) -> Result<(), StuckAt> {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => stuck(span, Stuck::Iterations(self.most)),
        }
    }

    /// What a loop is the value of, over the names that are bound in `out` for it.
    pub(super) fn round(&mut self, l: &Loop, span: Span, out: &mut Bindings) -> Result<Meaning, StuckAt> {
        let sizes = match &l.head {
            LoopHead::While(_) => Vec::new(),
            LoopHead::For(indices) | LoopHead::Tensor(indices) => {
                indices.iter().map(|(_, bound)| self.natural(bound)).collect::<Result<Vec<_>, _>>()?
            }
        };
        if let LoopHead::Tensor(indices) = &l.head {
            return self.tensor(indices, &sizes, &l.body, span, out);
        }
        let mut held = Vec::new();
        let in_order = l.sequential && matches!(l.head, LoopHead::While(_));
        for v in &l.state {
            let meaning = self.open_as(&v.name, &v.init, out)?;
            if in_order { self.scope.bind(&v.name, meaning) } else { held.push((&v.name, meaning)) }
        }
        held.into_iter().for_each(|(name, meaning)| self.scope.bind(name, meaning));
        let is_done = match &l.head {
            LoopHead::For(indices) => self.counted(l, indices, &sizes, span, out).map(|()| true),
            LoopHead::While(condition) => self.guarded(l, condition, span, out),
            LoopHead::Tensor(_) => Ok(true),
        };
        let result = match is_done {
            Ok(true) => self.open(&l.body, out),
            Ok(false) => {
                self.endless = self.endless.or(Some(span));
                Ok(Meaning::Scalar(undefined(span), None))
            }
            Err(e) => Err(e),
        };
        self.scope.unbind(l.state.iter().map(|v| v.name.as_str()));
        result
    }

    /// The rounds of a `while`; whether it ends.
    fn guarded(&mut self, l: &Loop, condition: &Expr, span: Span, out: &mut Bindings) -> Result<bool, StuckAt> {
        // What is known decides the condition, and what is known next: if it comes back, it does so for ever.
        let (mut before, mut since, mut period) = (self.known_state(l), 0u64, 1u64);
        loop {
            let Some(goes_on) = self.scalar(condition)?.1.and_then(|k| k.truth()) else {
                return stuck(condition.span, Stuck::Open);
            };
            self.decisions.push(usize::from(goes_on));
            if !goes_on {
                return Ok(true);
            }
            self.step(span)?;
            self.advance(l, out)?;
            let now = self.known_state(l);
            if now == before {
                return Ok(false);
            }
            since += 1;
            if since == period {
                (before, since, period) = (now, 0, period * 2);
            }
        }
    }

    /// The rounds of a `for`: the last index changes fastest.
    fn counted(
        &mut self,
        l: &Loop,
        indices: &[(String, Expr)],
        sizes: &[usize],
        span: Span,
        out: &mut Bindings,
    ) -> Result<(), StuckAt> {
        let mut places = (!sizes.contains(&0)).then(|| vec![0; sizes.len()]);
        while let Some(at) = places {
            self.step(span)?;
            let names = || indices.iter().map(|(name, _)| name.as_str());
            names().zip(&at).for_each(|(name, k)| self.scope.bind(name, number(*k, span)));
            let result = self.advance(l, out);
            self.scope.unbind(names());
            result?;
            places = next(at, sizes);
        }
        Ok(())
    }

    /// New values for the variables of a loop: all at once, or one after the other.
    fn advance(&mut self, l: &Loop, out: &mut Bindings) -> Result<(), StuckAt> {
        let mut held = Vec::new();
        for v in &l.state {
            let meaning = self.open_as(&v.name, &v.update, out)?;
            if l.sequential { self.scope.update(&v.name, meaning) } else { held.push((&v.name, meaning)) }
        }
        held.into_iter().for_each(|(name, meaning)| self.scope.update(name, meaning));
        Ok(())
    }

    fn known_state(&self, l: &Loop) -> Vec<Option<Known>> {
        let mut found = Vec::new();
        let mut open: Vec<&Meaning> = l.state.iter().filter_map(|v| self.scope.get(&v.name)).collect();
        while let Some(meaning) = open.pop() {
            match meaning {
                Meaning::Scalar(_, known) => found.push(known.clone()),
                Meaning::Array(elements) => {
                    found.push(Some(Known::Number(Rational::from(elements.len()))));
                    open.extend(elements);
                }
            }
        }
        found
    }

    fn tensor(
        &mut self,
        indices: &[(String, Expr)],
        sizes: &[usize],
        body: &Expr,
        span: Span,
        out: &mut Bindings,
    ) -> Result<Meaning, StuckAt> {
        let (Some(((name, _), indices)), Some((size, sizes))) = (indices.split_first(), sizes.split_first()) else {
            self.step(span)?;
            return self.open_as("element", body, out);
        };
        let mut elements = Vec::new();
        for k in 0..*size {
            self.scope.bind(name, number(k, span));
            let element = self.tensor(indices, sizes, body, span, out);
            self.scope.unbind(std::iter::once(name.as_str()));
            elements.push(element?);
        }
        if elements.is_empty() { stuck(span, Stuck::Ragged) } else { Ok(Meaning::Array(elements)) }
    }
}

/// The indices that come after these, if there are any.
fn next(mut places: Vec<usize>, sizes: &[usize]) -> Option<Vec<usize>> {
    for k in (0..places.len()).rev() {
        places[k] += 1;
        if places[k] < sizes[k] {
            return Some(places);
        }
        places[k] = 0;
    }
    None
}

/// What has no value, wherever it is used: a quotient by 0. NaN would be a value to comparisons, and to `fmin` and `fmax`.
fn undefined(span: Span) -> Expr {
    let number = |n: u32| Expr { kind: ExprKind::Number(Number::new(Rational::from(n))), span };
    Expr { kind: ExprKind::Op(Op::Div, vec![number(1), number(0)]), span }
}
