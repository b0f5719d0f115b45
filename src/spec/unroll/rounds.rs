//! Loops: each round gives their variables new values.

use super::counter;
use super::known::Known;
use super::scope::{Meaning, either, number, same_meanings, shape};
use super::stuck::{MAX_PARTS, Stuck, StuckAt, stuck};
use super::{Bindings, COUNTED_ROUNDS, OPEN_ROUNDS, Rest, Unroller, has_loops, unknown_function, unknown_name};
use crate::num::Rational;
use crate::ops::{Constant, Op};
use crate::spec::core::{Expr, ExprKind, Loop, LoopHead, Number};
use crate::spec::results::{drop_unused_variables, mentioned};
use crate::text::Span;
use std::collections::BTreeSet;

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
        // Without the variables on which nothing depends a mutant of those is the specification, and a loop whose others come back
        // to what they were never ends.
        let mut l = l.clone();
        drop_unused_variables(&mut l);
        let l = &l;
        let sizes = match &l.head {
            LoopHead::While(_) => Vec::new(),
            LoopHead::For(indices) | LoopHead::Tensor(indices) => {
                indices.iter().map(|(_, bound)| self.natural(bound)).collect::<Result<Vec<_>, _>>()?
            }
        };
        let mut held = Vec::new();
        let in_order = l.sequential && matches!(l.head, LoopHead::While(_));
        for v in &l.state {
            let meaning = self.open_as(&v.name, &v.init, out)?;
            if in_order { self.scope.bind(&v.name, meaning) } else { held.push((&v.name, meaning)) }
        }
        held.into_iter().for_each(|(name, meaning)| self.scope.bind(name, meaning));
        let result = match &l.head {
            LoopHead::For(indices) => {
                self.counted(l, indices, &sizes, span, out).and_then(|()| self.open(&l.body, out))
            }
            LoopHead::While(condition) => self.guarded(l, condition, span, out),
            LoopHead::Tensor(indices) => self.tensor(l, indices, &sizes, span, out),
        };
        self.scope.unbind(l.state.iter().map(|v| v.name.as_str()));
        result
    }

    /// The value of a `while`. Where its condition is not known, the loop may go on and may end: an `if` for each such round.
    fn guarded(&mut self, l: &Loop, condition: &Expr, span: Span, out: &mut Bindings) -> Result<Meaning, StuckAt> {
        // What is known decides the condition, and what is known next: if it comes back, it does so for ever.
        let (mut before, mut since, mut period) = (self.known_state(l), 0u64, 1u64);
        let mut counted = 0;
        let mut ends: Vec<(Expr, Meaning)> = Vec::new();
        let mut followed = 0;
        let deciding = deciding(l, condition);
        let last = loop {
            let (goes_on, known) = self.scalar(condition)?;
            match known.and_then(|k| k.truth()) {
                Some(false) => {
                    self.decisions.push(0);
                    break self.open(&l.body, out)?;
                }
                Some(true) => {
                    self.decisions.push(1);
                    counted += 1;
                    if counted == OPEN_ROUNDS && ends.is_empty() && self.outgrows(l, condition, span)? {
                        self.open = self.open.or(Some(span));
                        break self.unknown(l, condition, true, out)?;
                    }
                }
                None if self.format.is_some() => return stuck(condition.span, Stuck::Open),
                None => {
                    self.may_end = true;
                    let never = self.never(condition)?;
                    let Meaning::Scalar(goes_on, _) = self.named("goes on", Meaning::Scalar(goes_on, None), out) else {
                        return stuck(condition.span, Stuck::Open);
                    };
                    let value = self.open_as("ended", &l.body, out)?;
                    let nothing = value.map(&mut |_| undefined(span));
                    ends.push((goes_on, value));
                    if never {
                        break nothing;
                    }
                }
            }
            if !ends.is_empty() {
                followed += 1;
                self.open_left = self.open_left.saturating_sub(1);
                if followed > OPEN_ROUNDS || self.open_left == 0 {
                    self.open = self.open.or(Some(span));
                    break self.unknown(l, condition, false, out)?;
                }
            }
            let state = self.state(&deciding);
            self.step(span)?;
            self.advance(l, out)?;
            if !ends.is_empty() {
                // Nothing that decides has changed: it has ended, or it goes on for ever.
                if same_meanings(&state, &self.state(&deciding)) {
                    break ends[0].1.map(&mut |_| undefined(span));
                }
                continue;
            }
            let now = self.known_state(l);
            if now == before {
                self.endless = self.endless.or(Some(span));
                break self.open(&l.body, out)?.map(&mut |_| undefined(span));
            }
            since += 1;
            if since == period {
                (before, since, period) = (now, 0, period * 2);
            }
        };
        ends.into_iter().rev().try_fold(last, |rest, (goes_on, value)| {
            let rest = self.named("goes on to", rest, out);
            either(&goes_on, rest, value, span).map_or_else(|| stuck(span, Stuck::Ragged), Ok)
        })
    }

    /// Whether a condition cannot hold: one of the terms of an `and` is known to fail.
    fn never(&mut self, condition: &Expr) -> Result<bool, StuckAt> {
        let ExprKind::And(terms) = &condition.kind else { return Ok(false) };
        let known = self.scalars(terms)?.1;
        Ok(known.into_iter().flatten().any(|k| k.truth() == Some(false)))
    }

    /// What the value of a loop is if it goes on from here, of which nothing is known: a function of its state, and of what its text
    /// mentions.
    fn unknown(
        &mut self,
        l: &Loop,
        condition: &Expr,
        is_counted: bool,
        out: &mut Bindings,
    ) -> Result<Meaning, StuckAt> {
        let texts: Vec<&Expr> = l.state.iter().map(|v| &v.update).chain([condition, &l.body]).collect();
        let mut names: BTreeSet<String> = l.state.iter().map(|v| v.name.clone()).collect();
        texts.iter().for_each(|e| mentioned(e, &mut names));
        let names_in_scope: Vec<String> = names.into_iter().filter(|name| self.scope.get(name).is_some()).collect();
        let meanings: Vec<&Meaning> = names_in_scope.iter().filter_map(|name| self.scope.get(name)).collect();
        let args: Vec<Expr> = meanings.iter().flat_map(|meaning| meaning.scalars()).cloned().collect();
        let state: Vec<&str> = l.state.iter().map(|v| v.name.as_str()).collect();
        // Which argument is the element of which array is told by their sizes.
        let sizes: Vec<Vec<usize>> = meanings.iter().map(|meaning| shape(meaning)).collect();
        let counted = if is_counted { "counted" } else { "open" };
        let head = format!("{counted} {} {} {sizes:?}", l.name(), state.join(" "));
        let text = texts.iter().fold(head, |text, e| format!("{text} {e}"));
        if sizes.iter().all(Vec::is_empty) && !texts.iter().any(|e| has_loops(e) || has_special_value(e)) {
            let rest = Rest {
                names: names_in_scope,
                condition: condition.clone(),
                state: l.state.clone(),
                sequential: l.sequential,
                body: l.body.clone(),
                is_counted,
            };
            self.rests.extend(unknown_function(&unknown_name(&format!("1 {text}"))).map(|function| (function, rest)));
        }
        let mut element = 0;
        Ok(self.open(&l.body, out)?.map(&mut |e| {
            element += 1;
            let function = unknown_name(&format!("{element} {text}"));
            Expr { kind: ExprKind::Call(function, args.clone()), span: e.span }
        }))
    }

    /// Whether a loop goes round so often that the formula would have too many parts, and its rounds can be followed one by one instead.
    fn outgrows(&self, l: &Loop, condition: &Expr, span: Span) -> Result<bool, StuckAt> {
        let texts = || l.state.iter().map(|v| &v.update).chain([condition, &l.body]);
        let are_numbers = l.state.iter().all(|v| matches!(self.scope.get(&v.name), Some(Meaning::Scalar(..))));
        if self.format.is_some() || !are_numbers || texts().any(|e| has_loops(e) || has_special_value(e)) {
            return Ok(false);
        }
        match counter::rounds(l, condition, &self.scope) {
            Some(rounds) if rounds > self.left => stuck(span, Stuck::Iterations(self.most)),
            Some(rounds) => {
                Ok(rounds <= COUNTED_ROUNDS && rounds > (MAX_PARTS / texts().map(parts).sum::<usize>()) as u64)
            }
            None => Ok(false),
        }
    }

    fn state(&self, names: &[&str]) -> Vec<Meaning> {
        names.iter().filter_map(|name| self.scope.get(name)).cloned().collect()
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

    /// An array, the last index changing fastest; its variables get their new values before each element.
    fn tensor(
        &mut self,
        l: &Loop,
        indices: &[(String, Expr)],
        sizes: &[usize],
        span: Span,
        out: &mut Bindings,
    ) -> Result<Meaning, StuckAt> {
        let (Some(((name, _), indices)), Some((size, sizes))) = (indices.split_first(), sizes.split_first()) else {
            self.step(span)?;
            self.advance(l, out)?;
            return self.open_as("element", &l.body, out);
        };
        let mut elements = Vec::new();
        for k in 0..*size {
            self.scope.bind(name, number(k, span));
            let element = self.tensor(l, indices, sizes, span, out);
            self.scope.unbind(std::iter::once(name.as_str()));
            elements.push(element?);
        }
        if elements.is_empty() { stuck(span, Stuck::Ragged) } else { Ok(Meaning::Array(elements)) }
    }
}

/// The variables of a `while` on which it depends whether it goes on, now or later.
fn deciding<'l>(l: &'l Loop, condition: &Expr) -> Vec<&'l str> {
    let mut names = BTreeSet::new();
    mentioned(condition, &mut names);
    let mut before = 0;
    while before < names.len() {
        before = names.len();
        for v in &l.state {
            if names.contains(&v.name) {
                mentioned(&v.update, &mut names);
            }
        }
    }
    l.state.iter().map(|v| v.name.as_str()).filter(|name| names.contains(*name)).collect()
}

/// How many parts an expression has.
fn parts(e: &Expr) -> usize {
    1 + e.children().into_iter().map(parts).sum::<usize>()
}

/// Whether an expression has a value that is no real number.
fn has_special_value(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Constant(Constant::Infinity | Constant::Nan))
        || e.children().into_iter().any(has_special_value)
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
