//! Terms of theories with functions that nothing says the values of: arrays, declared functions, integers for floats that are out of
//! range; and quantifiers.

use super::Result;
use super::arrays::Array;
use super::call::{Call, Meaning};
use super::sorts::{self, MOST_WIDTH, Of};
use super::terms::Scope;
use super::theory::format_of;
use crate::floats::Rounding;
use crate::num::{Integer, Rational};
use crate::solve::float::project::RoundedFunction;
use crate::solve::float::relate::TermRelation;
use crate::solve::float::{Sort, Term, TermOp, exact};
use crate::text::sexp::Sexp;
use crate::text::{Diagnostic, Span, quote};

/// The most values of the variables of a quantifier that are put in one by one.
const MOST_INSTANCES: u64 = 256;

/// An operand that is an array.
fn array(call: &Call<'_>, i: usize) -> Result<Array> {
    match &call.operands[i] {
        Meaning::Array(array) => Ok(*array),
        _ => Err(call.wrong(format!("operand {} of {} should be an array", i + 1, quote(call.name)))),
    }
}

impl<'a> Scope<'a> {
    /// A function of arrays; `None`: it is none.
    pub(super) fn of_arrays(&mut self, call: &Call<'_>) -> Result<Option<Meaning>> {
        let (graph, functions, arrays) = (&mut self.graph, &mut self.functions, &mut self.arrays);
        let is_array = |i: usize| matches!(call.operands.get(i), Some(Meaning::Array(_)));
        match call.name {
            "select" => {
                call.count(2, 2)?;
                let a = array(call, 0)?;
                let index = call.of(graph, 1, arrays.sort(a).index)?;
                Ok(Some(Meaning::Term(arrays.select(graph, functions, a, index))))
            }
            "store" => {
                call.count(3, 3)?;
                let a = array(call, 0)?;
                let sort = arrays.sort(a);
                let (index, value) = (call.of(graph, 1, sort.index)?, call.of(graph, 2, sort.element)?);
                Ok(Some(Meaning::Array(arrays.store(a, index, value))))
            }
            "=" | "distinct" if is_array(0) => {
                call.count(2, 1000)?;
                let all = (0..call.operands.len()).map(|i| array(call, i)).collect::<Result<Vec<Array>>>()?;
                if let Some(other) = all.iter().find(|a| arrays.sort(**a) != arrays.sort(all[0])) {
                    let [one, other] = [all[0], *other].map(|a| Of::Array(arrays.sort(a)).named());
                    return Err(call.wrong(format!("arrays of the sorts {one} and {other} are not compared")));
                }
                let mut pairs = Vec::new();
                for (i, a) in all.iter().enumerate() {
                    for (j, b) in all.iter().enumerate().skip(i + 1) {
                        if call.name == "=" && j != i + 1 {
                            continue;
                        }
                        let same = arrays.same(graph, functions, *a, *b);
                        pairs.push(if call.name == "=" { same } else { graph.not(same) });
                    }
                }
                Ok(Some(Meaning::Term(graph.all(&pairs))))
            }
            "ite" if is_array(1) => {
                call.count(3, 3)?;
                let (condition, a, b) = (call.of(graph, 0, Sort::Bool)?, array(call, 1)?, array(call, 2)?);
                if arrays.sort(a) != arrays.sort(b) {
                    return Err(call.wrong("the arrays of `ite` are of one sort"));
                }
                Ok(Some(Meaning::Array(arrays.choice(graph, condition, [a, b]))))
            }
            _ => Ok(None),
        }
    }

    /// `((as const (Array I E)) value)`
    pub(super) fn constant_array(&mut self, head: &Sexp<'a>, call: &Call<'_>) -> Result<Meaning> {
        let parts = head.list().unwrap_or_default();
        let [_, name, sort] = parts else { return Err(Diagnostic::syntax(head.span, "a function is expected")) };
        let Of::Array(sort) = sorts::sort(&self.sorts, sort)? else {
            return Err(Diagnostic::semantic(sort.span, "a sort of arrays is expected"));
        };
        if name.atom() != Some("const") {
            return Err(Diagnostic::unsupported(name.span, "only `const` is so qualified here"));
        }
        call.count(1, 1)?;
        let value = call.of(&self.graph, 0, sort.element)?;
        Ok(Meaning::Array(self.arrays.constant(sort, value)))
    }

    /// `fp.to_ubv` or `fp.to_sbv`: what is out of range is a function of direction and float of which nothing is known.
    pub(super) fn integer_of_float(&mut self, call: &Call<'_>, indices: &[Sexp<'a>]) -> Result<Meaning> {
        call.count(2, 2)?;
        let format = format_of(&self.graph, call, 1)?;
        let width = indices.first().map_or_else(|| Err(call.wrong("an index is missing")), sorts::index)?;
        if !(1..=MOST_WIDTH).contains(&width) {
            return Err(sorts::too_wide(call.span));
        }
        let signed = call.name == "fp.to_sbv";
        let operands = [call.of(&self.graph, 0, Sort::Mode)?, call.term(1)?];
        let (sort, float) = (Sort::Bits(width), Sort::Float(format));
        let graph = &mut self.graph;
        let value = graph.apply(TermOp::ToInteger { signed }, sort, &operands);
        let whole = graph.apply(TermOp::Rounded(RoundedFunction::Integral), float, &operands);
        let power = |n: u32| Integer::from(1) << n;
        let (least, most) =
            if signed { (-power(width - 1), power(width - 1) - 1u32) } else { (Integer::new(), power(width) - 1u32) };
        let [least, most] = [least, most].map(|n| {
            let bits = exact::rounded(format, Rounding::Zero, false, &Rational::from(n));
            graph.constant_of_bits(float, &bits)
        });
        let parts = [[least, whole], [whole, most]]
            .map(|pair| graph.apply(TermOp::Relation(TermRelation::LessEqual), Sort::Bool, &pair));
        let fits = graph.all(&parts);
        if graph.constant_value(fits) == Some(1) {
            return Ok(Meaning::Term(value));
        }
        let function = self.functions.open(format!("{} {width} {format:?}", call.name));
        let open = self.functions.apply(graph, function, &operands, sort);
        Ok(Meaning::Term(graph.apply(TermOp::Ite, sort, &[fits, value, open])))
    }

    /// Bits of a float, which of NaN are those of some NaN: not of the standard, but of its solvers.
    pub(super) fn bits_of_float(&mut self, call: &Call<'_>) -> Result<Meaning> {
        call.count(1, 1)?;
        let format = format_of(&self.graph, call, 0)?;
        let x = call.term(0)?;
        let function = self.functions.open(format!("bits {format:?}"));
        let bits = self.functions.apply(&mut self.graph, function, &[x], Sort::Bits(format.width()));
        let back = self.graph.apply(TermOp::FromBits, Sort::Float(format), &[bits]);
        let same = self.graph.apply(TermOp::Same, Sort::Bool, &[back, x]);
        if !self.axioms.contains(&(bits, same)) {
            self.axioms.push((bits, same));
        }
        Ok(Meaning::Term(bits))
    }

    /// A number that is known, as a float of a wide format.
    pub(super) fn wide_number(&mut self, call: &Call<'_>, mode: Term, sort: Sort, x: &Rational) -> Result<Meaning> {
        let Sort::Float(format) = sort else { return Err(call.wrong("a format is expected")) };
        let mut value = None;
        for (place, to) in Rounding::ALL.into_iter().enumerate() {
            let here = self.graph.constant_of_bits(sort, &exact::rounded(format, to, false, x));
            let there = self.graph.constant(Sort::Mode, place as i64);
            let is = self.graph.apply(TermOp::Same, Sort::Bool, &[mode, there]);
            value = Some(value.map_or(here, |before| self.graph.apply(TermOp::Ite, sort, &[is, here, before])));
        }
        value.map(Meaning::Term).ok_or_else(|| call.wrong("a direction is expected"))
    }

    /// A formula under a quantifier. Where its variables have few values it is one formula for each; else it is open whether it
    /// holds, and nothing that depends on it is told.
    pub(super) fn quantified(&mut self, span: Span, items: &[Sexp<'a>]) -> Result<Meaning> {
        let wrong = || Diagnostic::syntax(span, "a quantifier takes `((name Sort) …)` and a formula");
        let [head, variables, body] = items else { return Err(wrong()) };
        let mut bound: Vec<(&'a str, Of)> = Vec::new();
        for variable in variables.list().ok_or_else(wrong)? {
            let Some([name, sort]) = variable.list() else { return Err(wrong()) };
            bound.push((name.atom().ok_or_else(wrong)?, sorts::sort(&self.sorts, sort)?));
        }
        let count = |of: &(&str, Of)| match of.1 {
            Of::Sort(Sort::Bool) => 2,
            Of::Sort(Sort::Mode) => 5,
            Of::Sort(Sort::Bits(width)) if width < 9 => 1u64 << width,
            Of::Sort(Sort::Float(format)) if format.width() < 9 => 1u64 << format.width(),
            _ => u64::MAX,
        };
        let total = bound.iter().map(count).fold(1u64, u64::saturating_mul);
        if total > MOST_INSTANCES {
            let open = self.graph.variable(Sort::Bool);
            self.abstracted.push(open);
            return Ok(Meaning::Term(open));
        }
        let mut instances = Vec::new();
        for n in 0..total {
            let mut rest = n;
            let mut values = Vec::new();
            for of in &bound {
                let (digit, Of::Sort(sort)) = (rest % count(of), of.1) else { return Err(wrong()) };
                rest /= count(of);
                values.push((of.0, Meaning::Term(self.graph.constant_of_bits(sort, &Integer::from(digit)))));
            }
            instances.push(self.within(values, |scope| scope.truth(body))?);
        }
        let all = head.atom() == Some("forall");
        Ok(Meaning::Term(if all { self.graph.all(&instances) } else { self.graph.any(&instances) }))
    }

    /// A declared function with its operands.
    pub(super) fn unknown_function(
        &mut self,
        call: &Call<'_>,
        (function, sorts, result): (super::functions::Function, &[Sort], Sort),
    ) -> Result<Meaning> {
        call.count(sorts.len(), sorts.len())?;
        let operands: Vec<Term> =
            sorts.iter().enumerate().map(|(i, sort)| call.of(&self.graph, i, *sort)).collect::<Result<_>>()?;
        Ok(Meaning::Term(self.functions.apply(&mut self.graph, function, &operands, result)))
    }

    /// What is true of all that some formulas are made of, and perhaps needed: axioms of arrays and functions. `None` where that is
    /// too much.
    pub(super) fn lemmas(&mut self, roots: &[Term]) -> Option<Vec<Term>> {
        let mut lemmas: Vec<Term> = Vec::new();
        let mut all = roots.to_vec();
        let mut of_arrays = 0;
        loop {
            let used = self.graph.used_by(&all);
            let mut changed = self.functions.extend(&used, &mut all);
            for (term, axiom) in &self.axioms {
                if super::functions::is_used(&used, *term) && !lemmas.contains(axiom) {
                    lemmas.push(*axiom);
                    changed = true;
                }
            }
            if !changed {
                let found = self.arrays.lemmas(&mut self.graph, &mut self.functions, &used)?;
                changed = found.len() > of_arrays;
                of_arrays = found.len();
                all.truncate(roots.len());
                all.extend(&found);
                all.extend(&lemmas);
                if !changed {
                    let mut deep = all.clone();
                    while self.functions.extend(&self.graph.used_by(&deep), &mut deep) {}
                    let used = self.graph.used_by(&deep);
                    let congruences = self.functions.lemmas(&mut self.graph, &used)?;
                    lemmas.extend(found);
                    lemmas.extend(congruences);
                    return Some(lemmas);
                }
            } else {
                all.extend(&lemmas);
            }
        }
    }
}
