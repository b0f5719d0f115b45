//! Gates against exact arithmetic: all values of tiny sorts, and values of large ones by chance.

use super::*;
use crate::floats::set::Class;
use crate::num::random::Random;
use crate::solve::float::exact;

/// An operation with the sorts of its result and its operands.
type Question = (TermOp, Sort, Vec<Sort>);

fn format(exponent: u32, precision: u32) -> Format {
    Format::wide(exponent, precision).unwrap()
}

/// Every function of a format.
fn of_floats(of: Format, others: &[Format]) -> Vec<Question> {
    use RoundedFunction::{Add, Cast, Div, Fma, Integral, Mul, Sqrt, Square};
    let float = Sort::Float(of);
    let mut all: Vec<Question> = Vec::new();
    let casts = others.iter().map(|f| Cast(*f));
    for function in [Add, Mul, Div, Fma, Square, Sqrt, Integral].into_iter().chain(casts) {
        let sort = if let Cast(to) = function { Sort::Float(to) } else { float };
        let below = std::iter::once(Sort::Mode).chain(std::iter::repeat_n(float, function.operands())).collect();
        all.push((TermOp::Rounded(function), sort, below));
    }
    all.extend([TermOp::Rem, TermOp::Min, TermOp::Max].map(|op| (op, float, vec![float; 2])));
    let relations = [TermRelation::Less, TermRelation::LessEqual, TermRelation::Equal].map(TermOp::Relation);
    all.extend(relations.map(|op| (op, Sort::Bool, vec![float; 2])));
    all.push((TermOp::Same, Sort::Bool, vec![float; 2]));
    all.push((TermOp::Ite, float, vec![Sort::Bool, float, float]));
    all.extend([TermOp::Neg, TermOp::Abs].map(|op| (op, float, vec![float])));
    all.extend(Class::ALL.map(|class| (TermOp::Is(class), Sort::Bool, vec![float])));
    all.extend([TermOp::IsNan, TermOp::IsNegative].map(|op| (op, Sort::Bool, vec![float])));
    all.push((TermOp::FromBits, float, vec![Sort::Bits(of.width())]));
    for (width, signed) in [1, 2, 3, 4, 5].into_iter().flat_map(|w| [(w, false), (w, true)]) {
        all.push((TermOp::FromInteger { signed }, float, vec![Sort::Mode, Sort::Bits(width)]));
        all.push((TermOp::ToInteger { signed }, Sort::Bits(width), vec![Sort::Mode, float]));
    }
    all
}

fn of_bits(width: u32) -> Vec<Question> {
    use BitsOp::{
        Add, And, Concat, Div, Extract, Less, LessEqual, Mul, Neg, Not, Or, Rem, Sar, Shl, Shr, SignExtend, Xor,
    };
    let bits = Sort::Bits(width);
    let mut all: Vec<Question> = Vec::new();
    let two = [And, Or, Xor, Add, Mul, Div, Rem, Shl, Shr, Sar];
    all.extend(two.map(|op| (TermOp::Bits(op), bits, vec![bits; 2])));
    all.extend([Less, LessEqual].map(|op| (TermOp::Bits(op), Sort::Bool, vec![bits; 2])));
    all.extend([Neg, Not].map(|op| (TermOp::Bits(op), bits, vec![bits])));
    all.push((TermOp::Bits(Concat), Sort::Bits(2 * width), vec![bits; 2]));
    all.push((TermOp::Bits(SignExtend), Sort::Bits(width + 2), vec![bits]));
    all.extend((0..width).map(|top| (TermOp::Bits(Extract(top)), Sort::Bits(top.min(1) + 1), vec![bits])));
    all.push((TermOp::Same, Sort::Bool, vec![bits; 2]));
    all.push((TermOp::Ite, bits, vec![Sort::Bool, bits, bits]));
    all
}

/// One operation in gates, whose operands are unknowns or, behind `turned`, floats that come taken apart.
struct Asked {
    graph: Graph,
    operands: Vec<Term>,
    result: Term,
}

impl Asked {
    fn new((op, sort, below): &Question) -> Self {
        let mut graph = Graph::default();
        let operands: Vec<Term> = below.iter().map(|s| graph.variable(*s)).collect();
        let result = graph.apply(*op, *sort, &operands);
        Asked { graph, operands, result }
    }
}

/// The gates' bits of the result, for bits of the operands.
fn computed(blaster: &mut Blaster<'_>, asked: &Asked, x: &[Integer]) -> Integer {
    let mut assumed = Vec::new();
    for (term, bits) in asked.operands.iter().zip(x) {
        let word = blaster.word(*term);
        assumed.extend(word.iter().enumerate().map(|(k, l)| if bits.get_bit(k as u32) { *l } else { !*l }));
    }
    assert_eq!(blaster.circuit.solve(&assumed, None), Some(true));
    blaster.found(asked.result).unwrap()
}

/// Whether bits are those that a value of the sort has: one NaN, five directions.
fn is_value(sort: Sort, bits: &Integer) -> bool {
    match sort {
        Sort::Mode => *bits < 5,
        Sort::Float(_) => {
            let same =
                exact::one(TermOp::FromBits, sort, &|_| Sort::Bits(width(sort) as u32), std::slice::from_ref(bits));
            same.as_ref() == Some(bits)
        }
        _ => true,
    }
}

/// What the result is to be; nothing where it is open.
fn expected((op, sort, below): &Question, x: &[Integer]) -> Option<Integer> {
    match op {
        TermOp::Ite => Some(x[if x[0] == 1 { 1 } else { 2 }].clone()),
        _ => exact::one(*op, *sort, &|k| below[k], x),
    }
}

/// By one solver or the other: which one is as the number says.
fn compare(number: usize, question: &Question, inputs: impl Iterator<Item = Vec<Integer>>) -> u32 {
    let circuit = if number.is_multiple_of(3) { Circuit::to_confirm(1 << 24) } else { Circuit::of_at_most(1 << 24) };
    let asked = Asked::new(question);
    let mut blaster = Blaster::new(&asked.graph, circuit);
    blaster.make(&[asked.result]).unwrap();
    let _ = blaster.word(asked.result);
    let mut compared = 0;
    for x in inputs {
        if x.iter().zip(&question.2).all(|(x, s)| is_value(*s, x))
            && let Some(expected) = expected(question, &x)
        {
            assert_eq!(computed(&mut blaster, &asked, &x), expected, "{question:?} of {x:?}");
            compared += 1;
        }
    }
    compared
}

#[test]
fn gates_are_exact_for_all_values_of_tiny_sorts() {
    let others = [format(2, 2), format(2, 3), format(3, 3), format(2, 5), format(4, 2)];
    let mut questions = [of_bits(3), of_bits(4)].concat();
    for of in [format(2, 2), format(2, 3), format(3, 2), format(3, 3), format(2, 4)] {
        questions.extend(of_floats(of, &others));
    }
    let mut compared = 0;
    for (number, question) in questions.iter().enumerate() {
        let most = |s: &Sort| if *s == Sort::Mode { 5 } else { 1u64 << width(*s) };
        let all: u64 = question.2.iter().map(most).product();
        // Of what has three operands of a larger format some.
        let step = all.div_ceil(25_000) | 1;
        let inputs = (0..all).step_by(step as usize).map(|n| {
            let mut rest = n;
            let digit = |s: &Sort| {
                let digit = rest % most(s);
                rest /= most(s);
                Integer::from(digit)
            };
            question.2.iter().map(digit).collect()
        });
        compared += compare(number, question, inputs);
    }
    assert!(compared > 100_000, "{compared}");
}

/// A value that is likely to be special.
fn any(sort: Sort, random: &mut Random) -> Integer {
    let width = width(sort) as u32;
    if sort == Sort::Mode {
        return Integer::from(random.bits() % 5);
    }
    let mut bits = Integer::new();
    for _ in 0..4 {
        bits = (bits << 64u32) + random.bits();
    }
    let mut bits = bits.keep_bits(width);
    let Sort::Float(format) = sort else { return bits };
    let fraction = format.precision() - 1;
    let middle = (Integer::from(1) << (format.exponent_bits() - 1)) - 1u32;
    match random.bits() % 6 {
        // Near one.
        0..=2 => {
            let near = middle + (random.bits() % 8) as i64 - 4i64;
            let sign = Integer::from(random.bits() % 2) << (width - 1);
            bits = bits.keep_bits(fraction) + (near << fraction) + sign;
        }
        // Few bits of the fraction.
        3 => bits = (bits >> (fraction - 1)) << (fraction - 1),
        // Subnormal.
        4 => bits = bits.keep_bits(fraction),
        _ => {}
    }
    bits
}

#[test]
fn gates_are_exact_for_some_values_of_large_sorts() {
    let mut random = Random::seeded(1);
    let formats = [Format::BINARY16, Format::BINARY32, Format::BINARY64, format(15, 113), format(5, 20), format(8, 70)];
    let mut questions = [of_bits(64), of_bits(80)].concat();
    for of in formats {
        let mut all = of_floats(of, &formats);
        let integers = [32, 64, 100].into_iter().flat_map(|w| [(w, false), (w, true)]);
        for (width, signed) in integers {
            let float = Sort::Float(of);
            all.push((TermOp::FromInteger { signed }, float, vec![Sort::Mode, Sort::Bits(width)]));
            all.push((TermOp::ToInteger { signed }, Sort::Bits(width), vec![Sort::Mode, float]));
        }
        // It takes as many steps as there are exponents.
        all.retain(|(op, ..)| *op != TermOp::Rem || of.exponent_bits() < 8);
        questions.extend(all);
    }
    for (number, question) in questions.iter().enumerate() {
        let inputs: Vec<Vec<Integer>> =
            (0..12).map(|_| question.2.iter().map(|s| any(*s, &mut random)).collect()).collect();
        compare(number, question, inputs.into_iter());
    }
}

/// Operations upon results of operations, which are floats that were not put together again.
#[test]
fn gates_of_gates_are_exact() {
    let of = format(2, 3);
    let float = Sort::Float(of);
    let (inner, n) = (TermOp::Rounded(RoundedFunction::Add), 1u32 << of.width());
    for (op, sort, below) in of_floats(of, &[format(3, 2)]) {
        if below.iter().filter(|s| **s == float).count() > 2 || below.contains(&Sort::Bits(of.width())) {
            continue;
        }
        let mut graph = Graph::default();
        let unknowns = [graph.variable(float), graph.variable(float)];
        let mode = graph.mode(Rounding::NearestEven);
        let sum = graph.apply(inner, float, &[mode, unknowns[0], unknowns[1]]);
        let mut first = true;
        let mut operands = Vec::new();
        for s in &below {
            operands.push(match s {
                Sort::Mode => mode,
                Sort::Float(_) if std::mem::take(&mut first) => sum,
                Sort::Float(_) => unknowns[1],
                Sort::Bool => graph.truth(true),
                other => graph.constant(*other, 1),
            });
        }
        let result = graph.apply(op, sort, &operands);
        let asked = Asked { graph, operands: unknowns.to_vec(), result };
        let mut blaster = Blaster::new(&asked.graph, Circuit::of_at_most(1 << 24));
        blaster.make(&[result]).unwrap();
        let _ = blaster.word(result);
        for (a, b) in (0..n).flat_map(|a| (0..n).map(move |b| (a, b))) {
            let x = [Integer::from(a), Integer::from(b)];
            if !x.iter().all(|x| is_value(float, x)) {
                continue;
            }
            let mut values = Vec::new();
            let inputs = [exact::narrow(float, &x[0]), exact::narrow(float, &x[1])];
            crate::solve::float::value::all(&asked.graph, &inputs, Default::default(), &mut values);
            let operand_values: Vec<i64> = asked.graph.below(result).iter().map(|t| values[t.index()]).collect();
            let below: Vec<Term> = asked.graph.below(result);
            let sort_of = |k: usize| asked.graph.sort(below[k]);
            let operands: Vec<Integer> =
                below.iter().zip(&operand_values).map(|(t, v)| exact::bits_of(asked.graph.sort(*t), *v)).collect();
            let op = asked.graph.op(result);
            if op != TermOp::Ite && exact::one(op, sort, &sort_of, &operands).is_none() {
                continue;
            }
            let expected = exact::bits_of(sort, values[result.index()]);
            assert_eq!(computed(&mut blaster, &asked, &x), expected, "{op:?} of {x:?}");
        }
    }
}
