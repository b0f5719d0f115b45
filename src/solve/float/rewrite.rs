//! Terms that are others, whatever their operands are: an operation that does nothing, twice the same sign, operands the other way
//! round.

use super::op::{BitsOp, Sort, TermOp};
use super::project::RoundedFunction;
use super::relate::TermRelation;
use super::term::{Graph, Term};
use crate::floats::set::Class;
use crate::floats::{Format, Rounding};
use crate::num::Integer;

/// What a constant float is, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plain {
    Zero { negative: bool },
    One { negative: bool },
}

impl Graph {
    /// The term that an operation on some terms is, if that is another one.
    pub(super) fn rewritten(&mut self, op: TermOp, sort: Sort, x: &[Term]) -> Option<Term> {
        match (op, sort) {
            (TermOp::Neg, _) => (self.op(x[0]) == TermOp::Neg).then(|| self.below(x[0])[0]),
            (TermOp::Abs, _) => match self.op(x[0]) {
                TermOp::Abs => Some(x[0]),
                TermOp::Neg => {
                    let inner = self.below(x[0])[0];
                    Some(self.apply(op, sort, &[inner]))
                }
                _ => None,
            },
            (TermOp::IsNan | TermOp::Is(_), _) if matches!(self.op(x[0]), TermOp::Neg | TermOp::Abs) => {
                let inner = self.below(x[0])[0];
                Some(self.apply(op, sort, &[inner]))
            }
            (TermOp::IsNegative, _) if self.op(x[0]) == TermOp::Abs => Some(self.truth(false)),
            (TermOp::Relation(relation), _) => self.relation(relation, x),
            (TermOp::Ite, _) => self.choice(sort, x),
            (TermOp::Same, _) => self.turned(op, sort, [1, 0], x),
            (TermOp::Rounded(function), Sort::Float(format)) => self.rounded(function, format, x),
            (TermOp::Bits(op), Sort::Bits(width)) => self.of_bits(op, width, x),
            _ => None,
        }
    }

    /// The same operation with its operands in another order, if that is there.
    fn turned<const N: usize>(&mut self, op: TermOp, sort: Sort, order: [usize; N], x: &[Term]) -> Option<Term> {
        self.existing(op, sort, &order.map(|k| x[k]))
    }

    fn relation(&mut self, relation: TermRelation, x: &[Term]) -> Option<Term> {
        if self.op(x[0]) == TermOp::Neg && self.op(x[1]) == TermOp::Neg {
            let inner = [self.below(x[1])[0], self.below(x[0])[0]];
            return Some(self.apply(TermOp::Relation(relation), Sort::Bool, &inner));
        }
        match relation {
            TermRelation::Equal => self.turned(TermOp::Relation(relation), Sort::Bool, [1, 0], x),
            _ => None,
        }
    }

    /// A choice under a condition that is turned, or that is known where it is asked again.
    fn choice(&mut self, sort: Sort, x: &[Term]) -> Option<Term> {
        let (mut condition, mut a, mut b) = (x[0], x[1], x[2]);
        if self.op(condition) == TermOp::Not {
            (condition, a, b) = (self.below(condition)[0], b, a);
        }
        if self.op(a) == TermOp::Ite && self.below(a)[0] == condition {
            a = self.below(a)[1];
        }
        if self.op(b) == TermOp::Ite && self.below(b)[0] == condition {
            b = self.below(b)[2];
        }
        ([condition, a, b] != *x).then(|| self.apply(TermOp::Ite, sort, &[condition, a, b]))
    }

    fn plain(&self, format: Format, term: Term) -> Option<Plain> {
        let bits = self.constant_bits(term)?;
        let negative = bits.get_bit(format.width() - 1);
        let magnitude = bits.keep_bits(format.width() - 1);
        let one = Integer::from(-format.emin() + 1) << (format.precision() - 1);
        // Of formats with two bits of the exponent too: the field of 1 is emax.
        match magnitude {
            m if m == 0 => Some(Plain::Zero { negative }),
            m if m == one => Some(Plain::One { negative }),
            _ => None,
        }
    }

    fn rounded(&mut self, function: RoundedFunction, format: Format, x: &[Term]) -> Option<Term> {
        let sort = Sort::Float(format);
        let op = TermOp::Rounded(function);
        let is_negated = |graph: &Graph, t: Term| graph.op(t) == TermOp::Neg;
        match function {
            RoundedFunction::Add => self.sum(format, x),
            RoundedFunction::Mul => {
                for (one, other) in [(x[1], x[2]), (x[2], x[1])] {
                    if let Some(Plain::One { negative }) = self.plain(format, one) {
                        return Some(if negative { self.apply(TermOp::Neg, sort, &[other]) } else { other });
                    }
                }
                if is_negated(self, x[1]) && is_negated(self, x[2]) {
                    let inner = [x[0], self.below(x[1])[0], self.below(x[2])[0]];
                    return Some(self.apply(op, sort, &inner));
                }
                self.turned(op, sort, [0, 2, 1], x)
            }
            RoundedFunction::Square => is_negated(self, x[1]).then(|| {
                let inner = [x[0], self.below(x[1])[0]];
                self.apply(op, sort, &inner)
            }),
            RoundedFunction::Div => match self.plain(format, x[2]) {
                Some(Plain::One { negative: false }) => Some(x[1]),
                Some(Plain::One { negative: true }) => Some(self.apply(TermOp::Neg, sort, &[x[1]])),
                _ => None,
            },
            RoundedFunction::Fma => self.turned(op, sort, [0, 2, 1, 3], x),
            RoundedFunction::Cast(to) => {
                let TermOp::Rounded(RoundedFunction::Cast(middle)) = self.op(x[1]) else { return None };
                let inner = self.below(x[1])[1];
                let Sort::Float(from) = self.sort(inner) else { return None };
                // The first cast changed nothing.
                if !middle.includes(from) {
                    return None;
                }
                Some(if to == from { inner } else { self.apply(op, sort, &[x[0], inner]) })
            }
            RoundedFunction::Sqrt | RoundedFunction::Integral => None,
        }
    }

    /// A sum with zero, or with what it takes away.
    fn sum(&mut self, format: Format, x: &[Term]) -> Option<Term> {
        let sort = Sort::Float(format);
        let mode = self.constant_value(x[0]).map(|place| Rounding::ALL[place as usize]);
        for (one, other) in [(x[1], x[2]), (x[2], x[1])] {
            if let (Some(Plain::Zero { negative }), Some(mode)) = (self.plain(format, one), mode)
                && negative == (mode != Rounding::Down)
            {
                return Some(other);
            }
            if self.op(one) == TermOp::Neg && self.below(one)[0] == other {
                let special =
                    [TermOp::IsNan, TermOp::Is(Class::Infinite)].map(|op| self.apply(op, Sort::Bool, &[other]));
                let special = self.any(&special);
                let not_a_number = super::exact::infinity(format) | Integer::from(1) << (format.precision() - 2);
                let not_a_number = self.constant_of_bits(sort, &not_a_number);
                let down = self.mode(Rounding::Down);
                let is_down = self.apply(TermOp::Same, Sort::Bool, &[x[0], down]);
                let zero = self.constant(sort, 0);
                let minus = self.apply(TermOp::Neg, sort, &[zero]);
                let zero = self.apply(TermOp::Ite, sort, &[is_down, minus, zero]);
                return Some(self.apply(TermOp::Ite, sort, &[special, not_a_number, zero]));
            }
        }
        self.turned(TermOp::Rounded(RoundedFunction::Add), sort, [0, 2, 1], x)
    }

    fn of_bits(&mut self, op: BitsOp, width: u32, x: &[Term]) -> Option<Term> {
        let sort = Sort::Bits(width);
        let known = |graph: &Graph, k: usize| x.get(k).and_then(|t| graph.constant_bits(*t));
        let ones = (Integer::from(1) << width) - 1u32;
        match op {
            BitsOp::Not | BitsOp::Neg => (self.op(x[0]) == TermOp::Bits(op)).then(|| self.below(x[0])[0]),
            BitsOp::And | BitsOp::Or if x[0] == x[1] => Some(x[0]),
            BitsOp::Xor if x[0] == x[1] => Some(self.constant(sort, 0)),
            BitsOp::And | BitsOp::Or | BitsOp::Xor | BitsOp::Add | BitsOp::Mul => {
                for (k, other) in [(0, x[1]), (1, x[0])] {
                    let Some(bits) = known(self, k) else { continue };
                    let neutral = match op {
                        BitsOp::And => bits == ones,
                        BitsOp::Mul => bits == 1,
                        _ => bits == 0,
                    };
                    let absorbs = match op {
                        BitsOp::And | BitsOp::Mul => bits == 0,
                        BitsOp::Or => bits == ones,
                        _ => false,
                    };
                    if neutral || absorbs {
                        return Some(if neutral { other } else { x[k] });
                    }
                }
                self.turned(TermOp::Bits(op), sort, [1, 0], x)
            }
            BitsOp::Div if known(self, 1)? == 1 => Some(x[0]),
            BitsOp::Shl | BitsOp::Shr | BitsOp::Sar if known(self, 1)? == 0 => Some(x[0]),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{apply, value};
    use super::*;

    /// Every operation on every pair of simple terms is what it is of their values, for all values of two unknowns.
    #[test]
    fn rewritten_terms_have_the_values_of_what_was_written() {
        let formats = [(2, 2), (2, 3), (3, 3)].map(|(e, p)| Format::new(e, p).unwrap());
        let mut changed = 0;
        for format in formats {
            let float = Sort::Float(format);
            let mut graph = Graph::default();
            let unknowns = [graph.variable(float), graph.variable(float)];
            let condition = graph.variable(Sort::Bool);
            let mut terms: Vec<Term> = unknowns.to_vec();
            let one = super::super::exact::rounded(format, Rounding::Zero, false, &crate::num::Rational::from(1));
            let one = graph.constant_of_bits(float, &one);
            let minus_one = graph.apply(TermOp::Neg, float, &[one]);
            let zeros = [0, -1].map(|zero| graph.constant(float, zero));
            terms.extend([one, minus_one, zeros[0], zeros[1]]);
            for x in unknowns {
                terms.extend([TermOp::Neg, TermOp::Abs].map(|op| graph.apply(op, float, &[x])));
            }
            let even = graph.mode(Rounding::NearestEven);
            let wide = Format::new(4, 5).unwrap();
            let middle =
                graph.apply(TermOp::Rounded(RoundedFunction::Cast(wide)), Sort::Float(wide), &[even, unknowns[0]]);
            terms.push(graph.apply(TermOp::Rounded(RoundedFunction::Cast(format)), float, &[even, middle]));
            terms.push(graph.apply(TermOp::Ite, float, &[condition, unknowns[0], one]));
            let denied = graph.not(condition);
            let modes = Rounding::ALL.map(|m| graph.mode(m));
            // Each with what it was asked for.
            let mut asked: Vec<(TermOp, Sort, Vec<Term>, Term)> = Vec::new();
            let ask = |graph: &mut Graph, op: TermOp, sort: Sort, x: Vec<Term>, asked: &mut Vec<_>| {
                let term = graph.apply(op, sort, &x);
                asked.push((op, sort, x, term));
            };
            for a in &terms {
                for op in [TermOp::Neg, TermOp::Abs] {
                    ask(&mut graph, op, float, vec![*a], &mut asked);
                }
                for op in Class::ALL.map(TermOp::Is).into_iter().chain([TermOp::IsNan, TermOp::IsNegative]) {
                    ask(&mut graph, op, Sort::Bool, vec![*a], &mut asked);
                }
                for b in &terms {
                    use TermRelation::{Equal, Less, LessEqual};
                    for op in [Less, LessEqual, Equal].map(TermOp::Relation).into_iter().chain([TermOp::Same]) {
                        ask(&mut graph, op, Sort::Bool, vec![*a, *b], &mut asked);
                    }
                    for c in [condition, denied] {
                        ask(&mut graph, TermOp::Ite, float, vec![c, *a, *b], &mut asked);
                    }
                    for mode in modes {
                        for function in [RoundedFunction::Add, RoundedFunction::Mul, RoundedFunction::Div] {
                            ask(&mut graph, TermOp::Rounded(function), float, vec![mode, *a, *b], &mut asked);
                        }
                        let fma = TermOp::Rounded(RoundedFunction::Fma);
                        ask(&mut graph, fma, float, vec![mode, *a, *b, unknowns[1]], &mut asked);
                    }
                }
            }
            changed +=
                asked.iter().filter(|(op, _, x, term)| graph.op(*term) != *op || graph.below(*term) != *x).count();
            let n = 1u64 << format.width();
            let mut values = Vec::new();
            for k in 0..n * n * 2 {
                let inputs = [format.from_bits(k % n), format.from_bits(k / n % n), (k / n / n) as i64];
                value::all(&graph, &inputs, value::Open::default(), &mut values);
                for (op, sort, x, term) in &asked {
                    let operands: Vec<i64> = x.iter().map(|t| values[t.index()]).collect();
                    let sorts: Vec<Sort> = x.iter().map(|t| graph.sort(*t)).collect();
                    let expected = apply::of(*op, *sort, &sorts, &operands);
                    assert_eq!(Some(values[term.index()]), expected, "{op:?} of {operands:?} in {format:?}");
                }
            }
        }
        assert!(changed > 1000, "{changed}");
    }

    #[test]
    fn rewritten_bits_have_the_values_of_what_was_written() {
        const WIDTH: u32 = 3;
        let bits = Sort::Bits(WIDTH);
        let mut graph = Graph::default();
        let x = graph.variable(bits);
        let mut terms = vec![x];
        terms.extend((0..1 << WIDTH).map(|k| graph.constant(bits, k)));
        terms.extend([BitsOp::Not, BitsOp::Neg].map(|op| graph.apply(TermOp::Bits(op), bits, &[x])));
        use BitsOp::{Add, And, Div, Mul, Or, Rem, Sar, Shl, Shr, Xor};
        let mut asked = Vec::new();
        for a in &terms {
            for op in [BitsOp::Not, BitsOp::Neg] {
                asked.push((op, vec![*a], graph.apply(TermOp::Bits(op), bits, &[*a])));
            }
            for b in &terms {
                for op in [And, Or, Xor, Add, Mul, Div, Rem, Shl, Shr, Sar] {
                    asked.push((op, vec![*a, *b], graph.apply(TermOp::Bits(op), bits, &[*a, *b])));
                }
            }
        }
        let mut values = Vec::new();
        for input in 0..1 << WIDTH {
            value::all(&graph, &[input], value::Open::default(), &mut values);
            for (op, x, term) in &asked {
                let operands: Vec<i64> = x.iter().map(|t| values[t.index()]).collect();
                let expected = apply::of(TermOp::Bits(*op), bits, &[bits, bits], &operands);
                assert_eq!(Some(values[term.index()]), expected, "{op:?} of {operands:?}");
            }
        }
    }

    /// Numbers of more than 64 bits are known in another way.
    #[test]
    fn a_shift_by_a_number_is_what_it_shifts_only_where_that_is_0() {
        for (width, op) in [8, 100].into_iter().flat_map(|w| [BitsOp::Shl, BitsOp::Shr, BitsOp::Sar].map(|op| (w, op)))
        {
            let (sort, mut graph) = (Sort::Bits(width), Graph::default());
            let x = graph.variable(sort);
            for by in [0, 1, 7] {
                let distance = graph.constant(sort, by);
                let shifted = graph.apply(TermOp::Bits(op), sort, &[x, distance]);
                assert_eq!(shifted == x, by == 0, "{op:?} {width} {by}");
            }
        }
    }
}
