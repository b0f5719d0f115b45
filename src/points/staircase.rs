//! Inputs at which code that goes in steps is easily a step off: the numbers next to the places where an input times a
//! literal is whole, or half a number where it is rounded. Code writes a step as a product, `x * 10`, or as a quotient,
//! `x / 0.1`, and adds an offset after or before that. Each way is rounded to the other side at some of the places and not at
//! others; where the place is a number of the format itself, the rule for ties decides.
//!
//! Of the places of one kind, by what the ways to write the step make of them, two are enough: the kinds are few, and the
//! places are many.

use super::evenly;
use crate::num::Rational;
use crate::num::float::rational;
use crate::ops::Op;
use crate::spec::InputBox;
use crate::tape::node::ConstValue;
use crate::tape::{NodeId, Tape, TapeNode};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// How many places of one step are looked at: half of them next to 0, where people's numbers are, half of them anywhere.
const PLACES: u32 = 2048;
/// How many places of one kind are worth a look.
const OF_A_KIND: usize = 2;
/// The golden section.
const GOLDEN: f64 = 0.618_033_988_749_894_9;
/// Beyond this not every whole number is one of binary64.
const LARGEST: f64 = 9_007_199_254_740_992.0;

/// An input times a factor that is not 0, plus an offset.
#[derive(Clone)]
struct Line {
    input: usize,
    factor: Rational,
    offset: Rational,
}

/// What a node is as a function of the inputs, where that is so simple.
#[derive(Clone)]
enum Known {
    Number(Rational),
    Line(Line),
}

/// A place at which a step goes over.
pub(super) struct Place {
    pub(super) input: usize,
    pub(super) x: f64,
    /// How many of the same kind come before it.
    pub(super) turn: usize,
}

/// Where the steps of a formula go over, as far as they depend on one input and are even.
pub(super) fn places(tape: &Tape, live: &[bool], domain: &InputBox) -> Vec<Place> {
    let steps: Vec<TapeNode> =
        tape.nodes().iter().zip(live).filter(|(n, l)| **l && is_step(n)).map(|(n, _)| *n).collect();
    if steps.is_empty() {
        return Vec::new();
    }
    let known = known(tape, live);
    let mut found: Vec<Place> = Vec::new();
    for step in steps {
        let Some((line, is_rounded)) = counted(&step, &known) else { continue };
        for place in of_step(&line, is_rounded, domain) {
            if !found.iter().any(|p| p.input == place.input && p.x == place.x) {
                found.push(place);
            }
        }
    }
    found
}

fn is_step(node: &TapeNode) -> bool {
    use Op::{Ceil, Floor, Fmod, Nearbyint, Remainder, Round, Trunc};
    matches!(node, TapeNode::Op(Floor | Ceil | Trunc | Round | Nearbyint | Fmod | Remainder, _))
}

/// What a step makes whole, and whether it goes over at halves.
fn counted(step: &TapeNode, known: &[Option<Known>]) -> Option<(Line, bool)> {
    let TapeNode::Op(op, [a, b, ..]) = step else { return None };
    let line = |k: Option<Known>| if let Some(Known::Line(line)) = k { Some(line) } else { None };
    let own = known[a.index()].clone();
    match op {
        Op::Fmod | Op::Remainder => {
            let quotient = combined(Op::Div, own.as_ref(), known[b.index()].as_ref());
            Some((line(quotient)?, *op == Op::Remainder))
        }
        _ => Some((line(own)?, matches!(op, Op::Round | Op::Nearbyint))),
    }
}

/// Of each node what it is, if that is a number or a line.
fn known(tape: &Tape, live: &[bool]) -> Vec<Option<Known>> {
    let mut all: Vec<Option<Known>> = Vec::with_capacity(tape.len());
    for (node, is_live) in tape.nodes().iter().zip(live) {
        let of = |n: &NodeId| all[n.index()].as_ref();
        let one = match node {
            _ if !is_live => None,
            TapeNode::Var(i) => {
                Some(Known::Line(Line { input: *i as usize, factor: 1.into(), offset: Rational::new() }))
            }
            TapeNode::Const(k) => match &tape.constant(*k).value {
                ConstValue::Rational(r) => Some(Known::Number(r.clone())),
                _ => None,
            },
            TapeNode::Op(Op::Neg, [a, ..]) => combined(Op::Sub, Some(&Known::Number(Rational::new())), of(a)),
            TapeNode::Op(op @ (Op::Add | Op::Sub | Op::Mul | Op::Div), [a, b, ..]) => combined(*op, of(a), of(b)),
            _ => None,
        };
        all.push(one);
    }
    all
}

/// A sum, a difference, a product or a quotient of two.
fn combined(op: Op, a: Option<&Known>, b: Option<&Known>) -> Option<Known> {
    use Known::{Line as Moves, Number};
    let moved = |line: &Line, times: &Rational, more: Rational| {
        let factor = Rational::from(&line.factor * times);
        let offset = Rational::from(&line.offset * times) + more;
        (factor != 0).then_some(Moves(Line { input: line.input, factor, offset }))
    };
    let one = Rational::from(1);
    match (op, a?, b?) {
        (Op::Add, Number(a), Number(b)) => Some(Number(Rational::from(a + b))),
        (Op::Sub, Number(a), Number(b)) => Some(Number(Rational::from(a - b))),
        (Op::Mul, Number(a), Number(b)) => Some(Number(Rational::from(a * b))),
        (Op::Div, Number(a), Number(b)) if *b != 0 => Some(Number(Rational::from(a / b))),
        (Op::Add, Moves(line), Number(c)) | (Op::Add, Number(c), Moves(line)) => moved(line, &one, c.clone()),
        (Op::Sub, Moves(line), Number(c)) => moved(line, &one, Rational::from(-c)),
        (Op::Sub, Number(c), Moves(line)) => moved(line, &Rational::from(-1), c.clone()),
        (Op::Mul, Moves(line), Number(c)) | (Op::Mul, Number(c), Moves(line)) => moved(line, c, Rational::new()),
        (Op::Div, Moves(line), Number(c)) if *c != 0 => moved(line, &Rational::from(&one / c), Rational::new()),
        _ => None,
    }
}

/// On which side of the place a number is, and on which each way to write the step has it; at the place itself also whether
/// the next whole number below it is even.
type Pattern = ([Ordering; 5], bool);

/// The numbers next to places of one step that are worth a look: two of each kind.
fn of_step(line: &Line, is_rounded: bool, domain: &InputBox) -> Vec<Place> {
    let (range, format) = (domain.ranges[line.input], domain.formats[line.input]);
    let half = if is_rounded { Rational::from((1, 2)) } else { Rational::new() };
    let count = |x: f64| (line.factor.to_f64() * x + line.offset.to_f64()).clamp(-LARGEST, LARGEST);
    let (a, b) = (count(range.inf()), count(range.sup()));
    let (first, last) = (a.min(b).floor(), a.max(b).ceil());
    let mut kinds: BTreeMap<Pattern, Vec<f64>> = BTreeMap::new();
    for whole in numbers(first, last) {
        let target = rational(whole) + &half;
        let place = Rational::from(&target - &line.offset) / &line.factor;
        let ends = [format.floor_rational(&place), format.ceil_rational(&place)];
        let is_tie = ends[0] == ends[1];
        for x in ends.into_iter().flatten().take(if is_tie { 1 } else { 2 }).filter(|x| range.contains(*x)) {
            let sides = sides(line, x + 0.0, &target, domain);
            if is_tie || sides.iter().any(|s| *s != sides[0]) {
                let is_even = is_tie && whole % 2.0 == 0.0;
                kinds.entry((sides, is_even)).or_default().push(x + 0.0);
            }
        }
    }
    let of_kind = |xs: &Vec<f64>| evenly(xs, OF_A_KIND).into_iter().enumerate();
    kinds.values().flat_map(of_kind).map(|(turn, x)| Place { input: line.input, x, turn }).collect()
}

/// Whole numbers between two: all of them, or some.
fn numbers(first: f64, last: f64) -> Vec<f64> {
    let some = |first: f64, last: f64| -> Vec<f64> {
        let (count, most) = (last - first + 1.0, f64::from(PLACES / 2));
        if count <= most {
            return (0..PLACES).map(|k| first + f64::from(k)).take_while(|w| *w <= last).collect();
        }
        // Steps of the golden section keep clear of every period.
        let share = |k: u32| (f64::from(k) * GOLDEN).fract();
        (0..PLACES / 2).map(|k| first + (share(k) * count).floor()).collect()
    };
    let near = f64::from(PLACES / 4);
    let mut all = some(first.max(-near), last.min(near));
    all.extend(some(first, last));
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

/// On which side of a place a number is, exactly, and where the offset is added to a product or a quotient, or an equal
/// shift to the input before.
fn sides(line: &Line, x: f64, target: &Rational, domain: &InputBox) -> [Ordering; 5] {
    let format = domain.formats[line.input];
    let near = |r: &Rational| format.round_rational(r);
    let reciprocal = Rational::from(1) / &line.factor;
    let shift = near(&Rational::from(&line.offset * &reciprocal));
    let (factor, reciprocal, offset, at) = (near(&line.factor), near(&reciprocal), near(&line.offset), near(target));
    let exact = (rational(x) * &line.factor + &line.offset).cmp(target);
    let side = |counted: f64| format.nearest(counted).partial_cmp(&at).unwrap_or(exact);
    let moved = format.nearest(x + shift);
    let after = [x * factor, x / reciprocal].map(|y| side(format.nearest(y) + offset));
    [exact, after[0], after[1], side(moved * factor), side(moved / reciprocal)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Overrides, parse_file, resolve};
    use crate::tape::Builder;
    use crate::tape::lower::lower;

    fn found(pre: &str, body: &str) -> Vec<f64> {
        let text = format!("(FPCore (x) :precision binary64 :pre {pre} {body})");
        let spec = resolve(&parse_file(text.as_bytes()), 0, "text.fpcore", &Overrides::default()).unwrap();
        let mut builder = Builder::new(1);
        let root = lower(&mut builder, &["x".to_owned()], &spec.core.body);
        let tape = builder.finish();
        let domain = InputBox::new(&spec).unwrap();
        let places = places(&tape, &tape.cone(&[root]), &domain);
        assert!(places.iter().all(|p| domain.contains(&[p.x])));
        places.into_iter().map(|p| p.x).collect()
    }

    /// Whole tenths of a number, exactly.
    fn tenths(x: f64) -> f64 {
        let n = (x * 10.0).floor();
        if x.mul_add(10.0, -n) < 0.0 { n - 1.0 } else { n }
    }

    #[test]
    fn either_way_to_write_a_step_is_wrong_at_some_of_them() {
        let xs = found("(<= 0 x 10)", "(floor (* x 10))");
        assert!(xs.len() <= 16, "{xs:?}");
        let product = |x: &&f64| (**x * 10.0).floor() != tenths(**x);
        let quotient = |x: &&f64| (**x / 0.1).floor() != tenths(**x);
        assert!(xs.iter().any(|x| product(&x) && !quotient(&x)), "{xs:?}");
        assert!(xs.iter().any(|x| quotient(&x)), "{xs:?}");
        let xs = found("(<= -3 x 50)", "(* 0.35 (ceil (/ x 0.05)))");
        assert!(xs.iter().any(|x| (x * 20.0).ceil() != (x / 0.05).ceil()), "{xs:?}");
        assert!(!found("(<= 1 x 40)", "(fmod x 0.1)").is_empty());
    }

    #[test]
    fn ties_are_odd_and_even() {
        let xs = found("(<= 0 x 10000)", "(/ (floor (+ (* x 100) 0.5)) 100)");
        let ties: Vec<f64> = xs.into_iter().filter(|x| (x * 8.0).fract() == 0.0 && (x * 4.0).fract() != 0.0).collect();
        let is_even = |x: &f64| (x * 100.0).floor() % 2.0 == 0.0;
        assert!(ties.iter().any(is_even) && !ties.iter().all(is_even), "{ties:?}");
        assert!(found("(<= 0 x 9)", "(round x)").contains(&0.5));
    }

    #[test]
    fn steps_that_are_not_even_have_no_places() {
        assert!(found("(<= 1 x 9)", "(floor (* x x))").is_empty());
        assert!(found("(<= 1 x 9)", "(sqrt (* x 10))").is_empty());
        // Beyond the whole numbers of binary64 too.
        found("(<= -1e300 x 1e300)", "(remainder x 0.1)");
        found("(<= 2 x 2)", "(floor (* x 10))");
    }
}
