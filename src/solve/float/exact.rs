//! Exact values of operations as bits: of sorts of any width. What has 64 bits at most is left to [`apply`]; the rest is computed with
//! integers and rational numbers without bounds, which shares nothing with the arithmetic of the narrow formats.

use super::apply;
use super::op::{BitsOp, Sort, TermOp};
use super::relate::TermRelation;
use super::wide::{self, WideFloat};
pub use super::wide::{infinity, rounded};
use crate::floats::Rounding;
use crate::num::{Integer, Rational};

/// The value of a narrow sort for its bits.
#[must_use]
pub fn narrow(sort: Sort, bits: &Integer) -> i64 {
    let bits = bits.to_u64_wrapping();
    match sort {
        Sort::Float(format) => format.from_bits(bits),
        _ => bits as i64,
    }
}

/// The bits of a value of a narrow sort.
#[must_use]
pub fn bits_of(sort: Sort, value: i64) -> Integer {
    match sort {
        Sort::Float(format) => Integer::from(format.to_bits(value)),
        _ => Integer::from(value as u64),
    }
}

/// The bits of one operation, where SMT-LIB says what they are.
#[must_use]
pub fn one(op: TermOp, sort: Sort, of: &dyn Fn(usize) -> Sort, x: &[Integer]) -> Option<Integer> {
    if !sort.is_wide() && !(0..x.len()).any(|k| of(k).is_wide()) {
        let values: Vec<i64> = x.iter().enumerate().map(|(k, x)| narrow(of(k), x)).collect();
        return apply::one(op, sort, of, &values).map(|v| bits_of(sort, v));
    }
    unbounded(op, sort, of, x)
}

/// The same by integers and rational numbers.
fn unbounded(op: TermOp, sort: Sort, of: &dyn Fn(usize) -> Sort, x: &[Integer]) -> Option<Integer> {
    let float = |k: usize| match of(k) {
        Sort::Float(format) => WideFloat::of(format, &x[k]),
        _ => wide::not_a_number(),
    };
    let mode = |k: usize| Rounding::ALL[x[k].to_usize().unwrap_or_default().min(4)];
    let truth = |value: bool| Some(Integer::from(value));
    match (op, sort) {
        (TermOp::Same, _) => truth(x[0] == x[1]),
        (TermOp::Bits(op), _) => Some(bits(op, sort, of, x)),
        (TermOp::Relation(relation), _) => truth(float(0).relates(relation, &float(1))),
        (TermOp::IsNan, _) => truth(float(0).nan),
        (TermOp::IsNegative, _) => truth(float(0).negative && !float(0).nan),
        (TermOp::Is(class), _) => {
            let Sort::Float(format) = of(0) else { return None };
            truth(float(0).is_of(format, class))
        }
        (TermOp::ToInteger { signed }, Sort::Bits(width)) => Some(float(1).to_integer(mode(0), width, signed)),
        (TermOp::Neg, Sort::Float(format)) => Some(WideFloat { negative: !float(0).negative, ..float(0) }.bits(format)),
        (TermOp::Abs, Sort::Float(format)) => Some(WideFloat { negative: false, ..float(0) }.bits(format)),
        (TermOp::FromBits, Sort::Float(format)) => Some(WideFloat::of(format, &x[0]).bits(format)),
        (TermOp::FromInteger { signed }, Sort::Float(format)) => {
            let Sort::Bits(width) = of(1) else { return None };
            let value = if signed { signed_value(&x[1], width) } else { x[1].clone() };
            Some(rounded(format, mode(0), false, &Rational::from(value)))
        }
        (TermOp::Min | TermOp::Max, Sort::Float(format)) => {
            let (a, b) = (float(0), float(1));
            if a.nan || b.nan {
                return Some(if a.nan { b } else { a }.bits(format));
            }
            if a.is_zero() && b.is_zero() && a.negative != b.negative {
                return None;
            }
            let takes_first = a.relates(TermRelation::Less, &b) == (op == TermOp::Min);
            Some(if takes_first { a } else { b }.bits(format))
        }
        (TermOp::Rem, Sort::Float(format)) => Some(wide::remainder(format, &float(0), &float(1))),
        (TermOp::Rounded(function), Sort::Float(format)) => {
            let operands: Vec<WideFloat> = (1..x.len()).map(float).collect();
            Some(wide::rounded_function(function, format, mode(0), &operands))
        }
        _ => None,
    }
}

fn signed_value(x: &Integer, width: u32) -> Integer {
    if x.get_bit(width - 1) { x.clone() - (Integer::from(1) << width) } else { x.clone() }
}

fn bits(op: BitsOp, sort: Sort, of: &dyn Fn(usize) -> Sort, x: &[Integer]) -> Integer {
    let width_of = |sort: Sort| if let Sort::Bits(width) = sort { width } else { 1 };
    let width = width_of(sort);
    let from = width_of(of(0));
    let (a, b) = (&x[0], x.get(1).cloned().unwrap_or_default());
    let shift = |most: u32| b.to_u32().unwrap_or(most).min(most);
    let value = match op {
        BitsOp::Concat => Integer::from(a << width_of(of(1))) | b,
        BitsOp::Extract(top) => Integer::from(a >> (top + 1 - width)),
        BitsOp::SignExtend => signed_value(a, from),
        BitsOp::Not => !a.clone(),
        BitsOp::And => a.clone() & b,
        BitsOp::Or => a.clone() | b,
        BitsOp::Xor => a.clone() ^ b,
        BitsOp::Add => a.clone() + b,
        BitsOp::Mul => a.clone() * b,
        BitsOp::Neg => -a.clone(),
        BitsOp::Div if b == 0 => Integer::from(-1),
        BitsOp::Div => a.clone() / b,
        BitsOp::Rem if b == 0 => a.clone(),
        BitsOp::Rem => a.clone() % b,
        BitsOp::Shl => a.clone() << shift(width),
        BitsOp::Shr => a.clone() >> shift(width),
        BitsOp::Sar => signed_value(a, from) >> shift(width),
        BitsOp::Less => Integer::from(*a < b),
        BitsOp::LessEqual => Integer::from(*a <= b),
    };
    value.keep_bits(width)
}

#[cfg(test)]
mod tests {
    use super::super::project::RoundedFunction;
    use super::*;
    use crate::floats::Format;
    use crate::floats::set::Class;

    /// All values of tiny formats, all directions: what rational numbers say is what the arithmetic of ordinals says.
    #[test]
    fn both_arithmetics_agree_on_tiny_formats() {
        use RoundedFunction::{Add, Cast, Div, Fma, Integral, Mul, Sqrt, Square};
        let format = |e, p| Format::new(e, p).unwrap();
        let (small, other) = (format(2, 3), format(3, 3));
        let float = Sort::Float(small);
        let bits = Sort::Bits(3);
        let mut questions: Vec<(TermOp, Sort, Vec<Sort>)> = Vec::new();
        for function in [Add, Mul, Div, Fma, Square, Sqrt, Integral, Cast(other), Cast(format(2, 2))] {
            let sort = if let Cast(to) = function { Sort::Float(to) } else { float };
            let below = std::iter::once(Sort::Mode).chain(std::iter::repeat_n(float, function.operands())).collect();
            questions.push((TermOp::Rounded(function), sort, below));
        }
        for op in [TermOp::Rem, TermOp::Min, TermOp::Max] {
            questions.push((op, float, vec![float; 2]));
        }
        for relation in [TermRelation::Less, TermRelation::LessEqual, TermRelation::Equal] {
            questions.push((TermOp::Relation(relation), Sort::Bool, vec![float; 2]));
        }
        questions.extend([TermOp::Neg, TermOp::Abs].map(|op| (op, float, vec![float])));
        questions.extend(Class::ALL.map(|class| (TermOp::Is(class), Sort::Bool, vec![float])));
        questions.extend([TermOp::IsNan, TermOp::IsNegative].map(|op| (op, Sort::Bool, vec![float])));
        questions.push((TermOp::FromBits, float, vec![Sort::Bits(5)]));
        for signed in [false, true] {
            questions.push((TermOp::FromInteger { signed }, float, vec![Sort::Mode, bits]));
            questions.push((TermOp::ToInteger { signed }, bits, vec![Sort::Mode, float]));
        }
        use BitsOp::{Concat, Extract, Less, LessEqual, Neg, Not, Or, Rem, Sar, Shl, Shr, SignExtend, Xor};
        for op in [BitsOp::And, Or, Xor, BitsOp::Add, BitsOp::Mul, BitsOp::Div, Rem, Shl, Shr, Sar] {
            questions.push((TermOp::Bits(op), bits, vec![bits; 2]));
        }
        questions.extend([Less, LessEqual].map(|op| (TermOp::Bits(op), Sort::Bool, vec![bits; 2])));
        questions.extend([Neg, Not].map(|op| (TermOp::Bits(op), bits, vec![bits])));
        questions.push((TermOp::Bits(Concat), Sort::Bits(6), vec![bits; 2]));
        questions.push((TermOp::Bits(Extract(1)), Sort::Bits(1), vec![bits]));
        questions.push((TermOp::Bits(SignExtend), Sort::Bits(5), vec![bits]));
        for (op, sort, below) in questions {
            let counts: Vec<u32> = below.iter().map(|s| if *s == Sort::Mode { 5 } else { 1 << width(*s) }).collect();
            for n in 0..counts.iter().product::<u32>() {
                let mut rest = n;
                let x: Vec<Integer> = counts
                    .iter()
                    .map(|count| {
                        let digit = rest % count;
                        rest /= count;
                        Integer::from(digit)
                    })
                    .collect();
                let values: Vec<i64> = x.iter().zip(&below).map(|(x, s)| narrow(*s, x)).collect();
                let expected = apply::of(op, sort, &below, &values).map(|v| bits_of(sort, v));
                assert_eq!(unbounded(op, sort, &|k| below[k], &x), expected, "{op:?} of {x:?}");
            }
        }
    }

    fn width(sort: Sort) -> u32 {
        match sort {
            Sort::Bits(width) => width,
            Sort::Float(format) => format.width(),
            _ => 1,
        }
    }
}
