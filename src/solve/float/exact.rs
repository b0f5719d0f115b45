//! Exact values of all terms as bits: of sorts of any width. What has 64 bits at most is left to [`apply`]; the rest is computed with
//! integers and rational numbers without bounds, which shares nothing with the arithmetic of the narrow formats.

use super::apply;
use super::op::{BitsOp, Sort, TermOp};
use super::project::RoundedFunction;
use super::relate::TermRelation;
use super::term::{Graph, Term};
use super::value::Open;
use crate::floats::set::Class;
use crate::floats::{Format, Rounding};
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

/// The bits of all terms for those of the unknowns; `open` for each format that minima and maxima have.
#[must_use]
pub fn all_bits(graph: &Graph, inputs: &[Integer], open: Open) -> Vec<Integer> {
    let mut values: Vec<Integer> = Vec::with_capacity(graph.len());
    for i in 0..graph.len() {
        let node = graph.node(i);
        let below = graph.operands(node);
        let value = match node.op {
            TermOp::Var(number) => inputs.get(number as usize).cloned().unwrap_or_default(),
            TermOp::Const(_) | TermOp::Wide(_) => graph.constant_bits(Term(i as u32)).unwrap_or_default(),
            TermOp::Library(place) => {
                let operands: Vec<i64> =
                    below.iter().map(|k| narrow(graph.sort(Term(*k)), &values[*k as usize])).collect();
                bits_of(node.sort, graph.library(place).value(&operands))
            }
            TermOp::Ite => values[below[if values[below[0] as usize] == 1 { 1 } else { 2 }] as usize].clone(),
            op => {
                let operands: Vec<Integer> = below.iter().map(|k| values[*k as usize].clone()).collect();
                let sort = |k: usize| graph.sort(Term(below[k]));
                one(op, node.sort, &sort, &operands).unwrap_or_else(|| chosen(op, node.sort, &operands, open))
            }
        };
        values.push(value);
    }
    values
}

/// The zero that a minimum or maximum of zeros with different signs is by choice.
fn chosen(op: TermOp, sort: Sort, x: &[Integer], open: Open) -> Integer {
    let Sort::Float(format) = sort else { return Integer::new() };
    let first = if op == TermOp::Max { 2 } else { 0 };
    let negative = open.zeros >> (first + u8::from(x[0] == 0)) & 1 == 1;
    Integer::from(negative) << (format.width() - 1)
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
        _ => WideFloat { nan: true, infinite: false, negative: false, size: Rational::new() },
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
        (TermOp::Rem, Sort::Float(format)) => Some(remainder(format, &float(0), &float(1))),
        (TermOp::Rounded(function), Sort::Float(format)) => {
            let operands: Vec<WideFloat> = (1..x.len()).map(float).collect();
            Some(rounded_function(function, format, mode(0), &operands))
        }
        _ => None,
    }
}

/// A float as a rational number, or as none.
#[derive(Clone, Debug)]
struct WideFloat {
    nan: bool,
    infinite: bool,
    negative: bool,
    size: Rational,
}

fn power(exponent: i64) -> Rational {
    let size = Integer::from(1) << exponent.unsigned_abs() as u32;
    if exponent >= 0 { Rational::from(size) } else { Rational::from((Integer::from(1), size)) }
}

/// The bits of infinity.
#[must_use]
pub fn infinity(format: Format) -> Integer {
    Integer::from((1u32 << format.exponent_bits()) - 1) << (format.precision() - 1)
}

impl WideFloat {
    fn of(format: Format, bits: &Integer) -> Self {
        let p = format.precision();
        let magnitude = bits.clone().keep_bits(format.width() - 1);
        let negative = bits.get_bit(format.width() - 1);
        let infinity = infinity(format);
        let (nan, infinite) = (magnitude > infinity, magnitude == infinity);
        let field = Integer::from(&magnitude >> (p - 1)).to_i64().unwrap_or_default();
        let hidden = Integer::from(field > 0) << (p - 1);
        let mantissa = magnitude.keep_bits(p - 1) + hidden;
        let exponent = i64::from(format.emin()) + (field - 1).max(0) - i64::from(p - 1);
        let size = if nan || infinite { Rational::new() } else { Rational::from(mantissa) * power(exponent) };
        WideFloat { nan, infinite, negative: negative && !nan, size }
    }

    fn finite(value: &Rational, zero_is_negative: bool) -> Self {
        let negative = if *value == 0 { zero_is_negative } else { *value < 0 };
        WideFloat { nan: false, infinite: false, negative, size: value.clone().abs() }
    }

    fn is_zero(&self) -> bool {
        !self.nan && !self.infinite && self.size == 0
    }

    fn value(&self) -> Rational {
        if self.negative { -self.size.clone() } else { self.size.clone() }
    }

    /// Its bits, if it is a value of the format.
    fn bits(&self, format: Format) -> Integer {
        let sign = Integer::from(self.negative) << (format.width() - 1);
        if self.nan {
            return infinity(format) | Integer::from(1) << (format.precision() - 2);
        }
        if self.infinite {
            return infinity(format) | sign;
        }
        rounded(format, Rounding::Zero, self.negative, &self.value())
    }

    fn relates(&self, relation: TermRelation, other: &WideFloat) -> bool {
        if self.nan || other.nan {
            return false;
        }
        let key = |x: &WideFloat| match (x.infinite, x.negative) {
            (true, true) => (-1, Rational::new()),
            (true, false) => (1, Rational::new()),
            _ => (0, x.value()),
        };
        let (a, b) = (key(self), key(other));
        match relation {
            TermRelation::Less => a < b,
            TermRelation::LessEqual => a <= b,
            TermRelation::Equal => a == b,
        }
    }

    fn is_of(&self, format: Format, class: Class) -> bool {
        if self.nan || self.infinite || self.size == 0 {
            return match class {
                Class::Infinite => self.infinite,
                Class::Zero => self.is_zero(),
                _ => false,
            };
        }
        let normal = self.size >= power(format.emin().into());
        match class {
            Class::Normal => normal,
            Class::Subnormal => !normal,
            _ => false,
        }
    }

    /// The nearest integer as bits; 0 where it has more of them.
    fn to_integer(&self, mode: Rounding, width: u32, signed: bool) -> Integer {
        if self.nan || self.infinite {
            return Integer::new();
        }
        let n = to_integer(mode, self.negative, &self.size);
        let n = if self.negative { -n } else { n };
        let whole = Integer::from(1) << width;
        let half = Integer::from(&whole >> 1);
        let (below, beyond) = if signed { (half.clone(), half) } else { (Integer::new(), whole) };
        if n < -below || n >= beyond {
            return Integer::new();
        }
        n.keep_bits(width)
    }
}

/// A magnitude as an integer.
fn to_integer(mode: Rounding, negative: bool, size: &Rational) -> Integer {
    let floor = size.numer().clone() / size.denom();
    let rest = size.clone() - &floor;
    let half = Rational::from((1, 2));
    let up = match mode {
        Rounding::NearestEven => rest > half || (rest == half && floor.is_odd()),
        Rounding::NearestAway => rest >= half,
        Rounding::Up => rest > 0 && !negative,
        Rounding::Down => rest > 0 && negative,
        Rounding::Zero => false,
    };
    floor + u32::from(up)
}

/// The bits of the float for a number; `negative`: the sign of a zero.
#[must_use]
pub fn rounded(format: Format, mode: Rounding, negative: bool, value: &Rational) -> Integer {
    let negative = if *value == 0 { negative } else { *value < 0 };
    let sign = Integer::from(negative) << (format.width() - 1);
    if *value == 0 {
        return sign;
    }
    let size = value.clone().abs();
    let mut exponent = i64::from(size.numer().significant_bits()) - i64::from(size.denom().significant_bits());
    if size < power(exponent) {
        exponent -= 1;
    }
    let binade = exponent.max(format.emin().into());
    let infinity = infinity(format);
    let magnitude = if exponent > i64::from(format.emax()) {
        infinity.clone()
    } else {
        let quantum = power(binade - i64::from(format.precision() - 1));
        let steps = Integer::from(binade - i64::from(format.emin())) << (format.precision() - 1);
        steps + to_integer(mode, negative, &(size / quantum))
    };
    let stays = match mode {
        Rounding::NearestEven | Rounding::NearestAway => false,
        Rounding::Up => negative,
        Rounding::Down => !negative,
        Rounding::Zero => true,
    };
    let magnitude = if magnitude >= infinity && stays { infinity - 1u32 } else { magnitude };
    magnitude | sign
}

fn not_a_number() -> WideFloat {
    WideFloat { nan: true, infinite: false, negative: false, size: Rational::new() }
}

fn rounded_function(function: RoundedFunction, format: Format, mode: Rounding, x: &[WideFloat]) -> Integer {
    let infinite = |negative| WideFloat { nan: false, infinite: true, negative, size: Rational::new() };
    if x.iter().any(|x| x.nan) {
        return not_a_number().bits(format);
    }
    let down = mode == Rounding::Down;
    let sum = |a: &WideFloat, b: &WideFloat| match (a.infinite, b.infinite) {
        (true, true) if a.negative != b.negative => not_a_number(),
        (true, _) => a.clone(),
        (_, true) => b.clone(),
        _ => {
            let zero = if a.negative == b.negative { a.negative } else { down };
            WideFloat::finite(&(a.value() + b.value()), zero)
        }
    };
    let product = |a: &WideFloat, b: &WideFloat| {
        let negative = a.negative != b.negative;
        match (a.infinite || b.infinite, a.is_zero() || b.is_zero()) {
            (true, true) => not_a_number(),
            (true, false) => infinite(negative),
            _ => WideFloat::finite(&(a.value() * b.value()), negative),
        }
    };
    let result = match function {
        RoundedFunction::Add => sum(&x[0], &x[1]),
        RoundedFunction::Mul => product(&x[0], &x[1]),
        RoundedFunction::Square => product(&x[0], &x[0]),
        RoundedFunction::Fma => {
            let product = product(&x[0], &x[1]);
            if product.nan { product } else { sum(&product, &x[2]) }
        }
        RoundedFunction::Div => {
            let negative = x[0].negative != x[1].negative;
            match (x[0].infinite, x[1].infinite, x[0].is_zero(), x[1].is_zero()) {
                (true, true, ..) | (.., true, true) => not_a_number(),
                (true, ..) | (.., true) => infinite(negative),
                (_, true, ..) => WideFloat::finite(&Rational::new(), negative),
                _ => WideFloat::finite(&(x[0].value() / x[1].value()), negative),
            }
        }
        RoundedFunction::Sqrt if x[0].is_zero() => x[0].clone(),
        RoundedFunction::Sqrt if x[0].negative => not_a_number(),
        RoundedFunction::Sqrt if x[0].infinite => x[0].clone(),
        RoundedFunction::Sqrt => return root(format, mode, &x[0].size),
        RoundedFunction::Integral if x[0].infinite => x[0].clone(),
        RoundedFunction::Integral => {
            let size = Rational::from(to_integer(mode, x[0].negative, &x[0].size));
            WideFloat { size, ..x[0].clone() }
        }
        RoundedFunction::Cast(_) => x[0].clone(),
    };
    if result.nan || result.infinite {
        return result.bits(format);
    }
    rounded(format, mode, result.negative, &result.value())
}

/// The square root of a positive number, rounded: an enclosure of twice the precision and a little more where it is not exact.
fn root(format: Format, mode: Rounding, size: &Rational) -> Integer {
    let digits = 4 * format.precision() + 8;
    let exponent = i64::from(size.numer().significant_bits()) - i64::from(size.denom().significant_bits());
    let scale = (i64::from(digits) - exponent) & !1;
    let scaled = size.clone() * power(scale);
    let floor = scaled.numer().clone() / scaled.denom();
    let root = floor.clone().sqrt();
    let exact = *scaled.denom() == 1 && Integer::from(&root * &root) == floor;
    let twice = (root << 1u32) + u32::from(!exact);
    rounded(format, mode, false, &(Rational::from(twice) * power(-scale / 2 - 1)))
}

fn remainder(format: Format, x: &WideFloat, y: &WideFloat) -> Integer {
    if x.nan || y.nan || x.infinite || y.is_zero() {
        return not_a_number().bits(format);
    }
    if y.infinite || x.is_zero() {
        return x.bits(format);
    }
    let quotient = Rational::from(&x.size / &y.size);
    let n = to_integer(Rounding::NearestEven, false, &quotient);
    let rest = x.size.clone() - Rational::from(n) * &y.size;
    let rest = if x.negative { -rest } else { rest };
    rounded(format, Rounding::NearestEven, x.negative, &rest)
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
    use super::*;

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
