//! The tests that a reviewer expects, whatever they kill: ends of the ranges and their neighbours, values that the
//! formats make special, and zeros, extremes and kinks of f.
//!
//! One input moves, the others stay at a nominal point of the domain. Zeros and kinks are where a switch of f goes over
//! ([`crate::points::switches`]). That only says where to look: every test gets its oracle like any other.

use crate::floats::{Format, from_rank, middle_float, rank};
use crate::num::float::{hex, rational};
use crate::oracle::{Ladder, all_hold};
use crate::points::Bracket;
use crate::points::switches::{Line, steps, switches};
use crate::points::values::of_format;
use crate::suite::run::Interrupt;
use crate::suite::state::engine::{Engine, Examined, Look};
use crate::suite::state::outside::outside_row;
use crate::suite::{Expectation, MatrixCell};
use crate::tape::NodeId;
use std::collections::HashMap;

/// Add the tests. `nominal` is a point of the domain.
pub(in crate::suite) fn add(engine: &mut Engine<'_>, nominal: &[f64], interrupt: &Interrupt<'_>) {
    let mut wanted = Wanted { nominal: nominal.to_vec(), list: Vec::new() };
    wanted.push(None, "the nominal point: the middle of every range, or the nearest to it with a value".into());
    for input in (0..nominal.len()).take_while(|_| !interrupt.stopped()) {
        ends(engine, input, &mut wanted);
        special_values(engine, input, &mut wanted);
        line(engine, input, &mut wanted);
    }
    corners(engine, &mut wanted);
    // One test for each point, with all that was said of it.
    let mut place: HashMap<Vec<u64>, usize> = HashMap::new();
    let mut list: Vec<(Vec<f64>, String)> = Vec::new();
    for (point, reason) in wanted.list {
        let k = *place.entry(point.iter().map(|x| x.to_bits()).collect()).or_insert(list.len());
        match list.get_mut(k) {
            Some((_, reasons)) => *reasons = format!("{reasons}; {reason}"),
            None => list.push((point, reason)),
        }
    }
    for some in list.chunks(engine.rows_at_once()).take_while(|_| !interrupt.stopped()) {
        let points: Vec<&[f64]> = some.iter().map(|(point, _)| point.as_slice()).collect();
        let judged = judged(engine, &points);
        for ((_, reason), judged) in some.iter().zip(judged) {
            if let Some((examined, row)) = judged {
                engine.add_boundary(examined, row, reason.clone());
            }
        }
    }
}

/// Inputs with the reason for each, in order.
struct Wanted {
    nominal: Vec<f64>,
    list: Vec<(Vec<f64>, String)>,
}

impl Wanted {
    /// The nominal point, one input of it at another value.
    fn push(&mut self, at: Option<(usize, f64)>, reason: String) {
        let mut point = self.nominal.clone();
        if let Some((input, x)) = at {
            point[input] = x;
        }
        self.list.push((point, reason));
    }
}

fn name<'e>(engine: &'e Engine<'_>, input: usize) -> &'e str {
    &engine.spec().inputs[input].name
}

/// The ends of a range, the numbers beside them inside, and those beside them outside.
fn ends(engine: &Engine<'_>, input: usize, wanted: &mut Wanted) {
    let (range, format) = (engine.domain().ranges[input], engine.domain().formats[input]);
    let x = name(engine, input);
    // An end that is 0 comes as -0.
    let (lo, hi) = (range.inf() + 0.0, range.sup() + 0.0);
    let mut at = |value: Option<f64>, what: &str| {
        if let Some(value) = value {
            wanted.push(Some((input, value)), format!("{x} {what}"));
        }
    };
    at(Some(lo), "at the low end of its range");
    at(format.next_up(lo).filter(|v| *v <= hi), "one number above the low end of its range");
    at(format.next_down(hi).filter(|v| *v >= lo), "one number below the high end of its range");
    at(Some(hi), "at the high end of its range");
    at(format.next_down(lo), "one number below its range");
    at(format.next_up(hi), "one number above its range");
}

/// What is special in the format, as far as the range allows it.
fn special_values(engine: &Engine<'_>, input: usize, wanted: &mut Wanted) {
    let (range, format) = (engine.domain().ranges[input], engine.domain().formats[input]);
    let x = name(engine, input);
    let told = engine.tells_zeros_apart();
    for special in of_format(format) {
        let is_one_of_two_zeros = special.value == 0.0 && special.value.is_sign_negative() && told;
        if range.contains(special.value) && !is_one_of_two_zeros {
            wanted.push(Some((input, special.value)), format!("{x} is {}", special.what));
        }
    }
}

/// All inputs at their low ends, and at their high ends.
fn corners(engine: &Engine<'_>, wanted: &mut Wanted) {
    if engine.domain().ranges.len() > 1 {
        let corner = |end: fn(&crate::num::Interval) -> f64| engine.domain().ranges.iter().map(end).collect();
        wanted.list.push((corner(|r| r.inf() + 0.0), "every input at the low end of its range".into()));
        wanted.list.push((corner(|r| r.sup() + 0.0), "every input at the high end of its range".into()));
    }
}

/// Zeros, kinks and extremes of f where one input moves.
fn line(engine: &Engine<'_>, input: usize, wanted: &mut Wanted) {
    let tape = &engine.own().tape;
    let (range, format) = (engine.domain().ranges[input], engine.domain().formats[input]);
    let mut at = Line::new(tape, &wanted.nominal, input);
    let xs = steps(range.inf(), range.sup(), format);
    let switches = switches(tape, engine.own().f, &tape.cone(&[engine.own().f]));
    let x = name(engine, input).to_owned();
    for (switch, places) in switches.iter().zip(at.changes(&switches, &xs, format)) {
        for Bracket { before: a, after: b } in places {
            wanted.push(Some((input, a)), format!("{x} just before {} (at {})", switch.what, hex(b)));
            wanted.push(Some((input, b)), format!("{x} where {}", switch.what));
        }
    }
    let values: Vec<f64> = xs.iter().map(|x| at.value(engine.own().f, *x)).collect();
    for (what, sign) in [("largest", 1.0), ("smallest", -1.0)] {
        let better = |a: &usize, b: &usize| (sign * values[*a]).total_cmp(&(sign * values[*b])).then(b.cmp(a));
        let best = (0..xs.len()).filter(|k| values[*k].is_finite()).max_by(better);
        // At an end there is a test already.
        if let Some(k) = best.filter(|k| 0 < *k && k + 1 < xs.len()) {
            let peak = climb(&mut at, engine.own().f, format, xs[k - 1], xs[k + 1], sign);
            wanted.push(Some((input, peak)), format!("{x} where f is {what} along it"));
        }
    }
}

/// Where f is largest (or smallest) between two values, by thirds of the ordinals, if it has one hill there.
fn climb(at: &mut Line<'_>, f: NodeId, format: Format, lo: f64, hi: f64, sign: f64) -> f64 {
    let (mut a, mut b) = (i128::from(rank(lo)), i128::from(rank(hi)));
    let place = |n: i128| format.nearest(from_rank(i64::try_from(n).unwrap_or(0))) + 0.0;
    let mut height = |n: i128| {
        let y = sign * at.value(f, place(n));
        if y.is_nan() { f64::NEG_INFINITY } else { y }
    };
    while b - a > 2 {
        let third = (b - a) / 3;
        if height(a + third) < height(b - third) { a += third } else { b -= third }
    }
    let best = (a..=b).max_by(|m, n| height(*m).total_cmp(&height(*n)).then(n.cmp(m)));
    place(best.unwrap_or(a)).clamp(lo, hi)
}

/// Points with what is owed there and the verdicts; `None` where one can be no test.
fn judged(engine: &Engine<'_>, points: &[&[f64]]) -> Vec<Option<(Examined, Vec<MatrixCell>)>> {
    let told = engine.judge().tells();
    let inside: Vec<&[f64]> = points.iter().copied().filter(|p| engine.domain().contains(p)).collect();
    let mut rows = engine.examined_rows(&inside, Look::Whole).into_iter();
    let is_refused = |point: &[f64]| {
        let excluded = || {
            let mut ladder = Ladder::new(&engine.own().tape, point, engine.cap());
            all_hold(&mut ladder, &engine.own().conditions).is_false()
        };
        told && (!engine.domain().contains(point) || excluded())
    };
    let refused = |point: &[f64]| {
        let expectation = Expectation::OutOfRange(engine.spec().out_of_range);
        (Examined { input: point.to_vec(), expectation }, outside_row(engine, point))
    };
    let one = |point: &&[f64]| {
        let row = if engine.domain().contains(point) { rows.next().flatten() } else { None };
        row.or_else(|| is_refused(point).then(|| refused(point)))
    };
    points.iter().map(one).collect()
}

/// The point of the domain that is nominal: of the middle and of points in order the first that has a value.
pub(in crate::suite) fn nominal(engine: &Engine<'_>, points: &[Vec<f64>]) -> Option<Vec<f64>> {
    let middle: Vec<f64> = engine.domain().ranges.iter().map(|r| plain_middle(r.inf(), r.sup())).collect();
    let usable = |p: &&Vec<f64>| engine.examine(p).is_some_and(|e| matches!(e.expectation, Expectation::Result(_)));
    [engine.domain().clamp(&middle)].iter().chain(points).find(usable).cloned()
}

/// The middle of a range; of one that spans many magnitudes 1, or the float in the middle.
fn plain_middle(lo: f64, hi: f64) -> f64 {
    let wide = rational(hi) - rational(lo) > rational(1e9);
    match () {
        () if !wide => lo / 2.0 + hi / 2.0,
        () if lo <= 1.0 && 1.0 <= hi => 1.0,
        () => middle_float(lo, hi),
    }
}
