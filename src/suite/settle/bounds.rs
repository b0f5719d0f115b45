//! Mutants with another range of one input: killed at an input that is in one domain and not in the other.

use crate::equiv::Prover;
use crate::floats::Format;
use crate::halt;
use crate::num::Interval;
use crate::points::probes::probes;
use crate::spec::InputBox;
use crate::suite::inputs::somewhere::{Somewhere, somewhere};
use crate::suite::run::Interrupt;
use crate::suite::settle::proofs::boxes;
use crate::suite::state::beyond::beyond;
use crate::suite::state::engine::{Engine, Examined, Kind};
use crate::suite::state::outside::{outside_row, strips, values};
use crate::suite::{EquivalenceProof, Expectation, NoTest, Origin, Reason, Status};
use crate::tape::eval::Points;
use crate::tape::evaluate;
use std::collections::HashSet;

/// How many tests, and how many probe points, are tried for the other inputs.
const OTHERS: usize = 256;
/// From how many inputs on their ends are tried together first.
const MANY: usize = 64;
/// The most inputs of a strip that are examined one by one to show that none of them can be a test.
const ONE_BY_ONE: u64 = 4096;

/// Judge every open mutant of this kind.
pub(in crate::suite) fn judge(engine: &mut Engine<'_>, budget: u64, interrupt: &Interrupt<'_>) {
    let points = probes(engine.domain());
    if engine.domain().ranges.len() > MANY {
        judge_at_ends(engine, interrupt);
    }
    for mutant in 0..engine.kinds().len() {
        if interrupt.stopped() {
            return;
        }
        if !engine.is_open(mutant) {
            continue;
        }
        let Kind::Range { input, range } = engine.kinds()[mutant] else { continue };
        let own = engine.domain().ranges[input];
        // What the mutant accepts and the specification does not: S owes its response there, M a result.
        let added = range.map_or(Vec::new(), |r| strips(engine, input, r, own));
        // What the specification accepts and the mutant does not.
        let removed = strips(engine, input, own, range.unwrap_or(Interval::EMPTY));
        let found = removed.iter().any(|strip| kill_inside(engine, mutant, input, *strip, &points))
            || added.iter().any(|strip| kill_outside(engine, mutant, input, *strip, &points));
        if !found && !engine.is_open(mutant) {
            continue;
        }
        if !found {
            match search_strips(engine, mutant, input, (&removed, &added), budget) {
                _ if interrupt.stopped() => return,
                Searched::Killed => {}
                Searched::Nowhere => engine.set(mutant, Status::Equivalent(EquivalenceProof::SameInputs)),
                Searched::NoTest(no_test) => {
                    engine.set(mutant, Status::Indistinguishable(EquivalenceProof::NoTest(no_test)))
                }
                Searched::NotFound => engine.set(mutant, Status::Undecided(Reason::NoDefinedPoint)),
            }
        }
    }
}

/// Of many inputs an input of its own for each range would make tests of the square of their number: try the points with
/// all of them at one end of their range, each of which is outside of every range that lacks it.
fn judge_at_ends(engine: &mut Engine<'_>, interrupt: &Interrupt<'_>) {
    for end in [Interval::inf, Interval::sup] {
        let point: Vec<f64> = engine.domain().ranges.iter().map(|r| end(*r) + 0.0).collect();
        let lacks = |kind: &Kind| matches!(kind, Kind::Range { input, range } if range.is_none_or(|r| !r.contains(point[*input])));
        if let Some(target) = engine.open(lacks).first()
            && engine.domain().contains(&point)
            && !interrupt.stopped()
        {
            engine.try_input(&point, Origin::Bounds, *target);
        }
    }
}

/// What the solver found in the strips.
enum Searched {
    Killed,
    /// In none of them is there an input at which the conditions hold and f has a value.
    Nowhere,
    /// There are such inputs, but at none of them can a result meet the accuracy.
    NoTest(NoTest),
    NotFound,
}

/// Let the solver look for a point in the strips, the other inputs being anywhere.
fn search_strips(
    engine: &mut Engine<'_>,
    mutant: usize,
    input: usize,
    (removed, added): (&[Interval], &[Interval]),
    budget: u64,
) -> Searched {
    let (mut nowhere, mut no_test) = (true, NoTest::default());
    let within = |engine: &Engine<'_>, strip: Interval| {
        let mut ranges = engine.domain().ranges.clone();
        ranges[input] = strip;
        ranges
    };
    for strip in removed {
        let usable = |x: &[f64]| {
            seems_attainable(engine, x)
                && engine.examine(x).is_some_and(|e| matches!(e.expectation, Expectation::Result(_)))
        };
        match somewhere(engine, within(engine, *strip), usable) {
            Somewhere::At(point) if engine.try_input(&point, Origin::Bounds, mutant) => return Searched::Killed,
            Somewhere::Nowhere => {}
            Somewhere::At(_) | Somewhere::NotFound => {
                let ranges = within(engine, *strip);
                if let Some(inputs) = never_a_test(engine, &ranges) {
                    no_test.inputs += inputs;
                } else if let Some(boxes) = always_beyond(engine, ranges, budget) {
                    no_test.boxes += boxes;
                } else {
                    return Searched::NotFound;
                }
                nowhere = false;
            }
        }
    }
    for strip in added {
        match somewhere(engine, within(engine, *strip), |x| engine.is_taken(x)) {
            Somewhere::At(point) => {
                add_outside(engine, mutant, point);
                return Searched::Killed;
            }
            Somewhere::Nowhere => {}
            Somewhere::NotFound => return Searched::NotFound,
        }
    }
    if nowhere { Searched::Nowhere } else { Searched::NoTest(no_test) }
}

/// The number of inputs of a box, where they are few and surely none of them can be a test.
fn never_a_test(engine: &Engine<'_>, ranges: &[Interval]) -> Option<u64> {
    let formats = &engine.domain().formats;
    let mut inputs = vec![Vec::new()];
    for (range, format) in ranges.iter().zip(formats) {
        let values = std::iter::successors(Some(range.inf()), |x| format.next_up(*x).filter(|x| *x <= range.sup()));
        // One more than allowed shows that there are too many.
        let values: Vec<f64> = values.take(ONE_BY_ONE as usize + 1).collect();
        if inputs.len() as u64 * values.len() as u64 > ONE_BY_ONE {
            return None;
        }
        let with = |p: &Vec<f64>| {
            let more = values.iter().map(|x| p.iter().copied().chain([*x]).collect());
            more.collect::<Vec<Vec<f64>>>()
        };
        inputs = inputs.iter().flat_map(with).collect();
    }
    inputs.iter().all(|x| !halt::requested() && engine.is_no_test(x)).then_some(inputs.len() as u64)
}

/// The boxes that show that everywhere in some ranges |f| is beyond the numbers of the result format, by more than any
/// tolerance.
fn always_beyond(engine: &Engine<'_>, ranges: Vec<Interval>, budget: u64) -> Option<u64> {
    let bound = beyond(engine.spec(), &engine.spec().accuracy)?;
    let domain = InputBox { ranges, ..engine.domain().clone() };
    let mut prover = Prover::new(&engine.own().tape, &domain, &engine.own().conditions).with_boxes(boxes(budget));
    prover.prove_beyond(engine.own().f, &bound).map(u64::from)
}

/// Whether binary64 arithmetic says that a number of the result format is within the tolerance. In a narrow format that
/// may be one input in hundreds, and exact examination is dear.
fn seems_attainable(engine: &Engine<'_>, input: &[f64]) -> bool {
    let format = engine.spec().result_format;
    if format == Format::BINARY64 {
        return true;
    }
    let lanes: Vec<[f64; 1]> = input.iter().map(|x| [*x]).collect();
    let mut values = Vec::new();
    evaluate(&engine.own().tape, &mut Points { inputs: &lanes }, &mut values);
    let f = values[engine.own().f.index()][0];
    // As many ulps again for what binary64 arithmetic loses.
    !f.is_finite()
        || (format.nearest(f) - f).abs() <= engine.own().spec_tolerance().at(f) + 64.0 * f64::EPSILON * f.abs()
}

/// Try points with one input in the strip and the others from tests and probes, until one will do.
fn any_candidate(
    engine: &mut Engine<'_>,
    input: usize,
    strip: Interval,
    points: &[Vec<f64>],
    mut will_do: impl FnMut(&mut Engine<'_>, &[f64]) -> bool,
) -> bool {
    for x in values(engine, input, strip) {
        let (tests, mut inside) = (engine.tests().len(), 0);
        // Points that differ in this input only are one.
        let mut seen = HashSet::new();
        for k in 0..tests + points.len().min(OTHERS) {
            let base = match engine.tests().get(k).filter(|_| k < tests) {
                Some(_) if inside == OTHERS => continue,
                Some(test) if !engine.domain().contains(&test.input) => continue,
                Some(test) => {
                    inside += 1;
                    &test.input
                }
                None => &points[k - tests],
            };
            if halt::requested() {
                return false;
            }
            let mut point = base.clone();
            point[input] = x;
            if seen.insert(point.iter().map(|x| x.to_bits()).collect::<Vec<_>>()) && will_do(engine, &point) {
                return true;
            }
        }
    }
    false
}

fn kill_inside(engine: &mut Engine<'_>, mutant: usize, input: usize, strip: Interval, points: &[Vec<f64>]) -> bool {
    any_candidate(engine, input, strip, points, |engine, p| engine.try_input(p, Origin::Bounds, mutant))
}

fn kill_outside(engine: &mut Engine<'_>, mutant: usize, input: usize, strip: Interval, points: &[Vec<f64>]) -> bool {
    any_candidate(engine, input, strip, points, |engine, p| {
        let is_taken = engine.is_taken(p);
        if is_taken {
            add_outside(engine, mutant, p.to_vec());
        }
        is_taken
    })
}

/// Add a test at which the mutant gives a result and the specification owes its response.
fn add_outside(engine: &mut Engine<'_>, mutant: usize, point: Vec<f64>) {
    let expectation = Expectation::OutOfRange(engine.spec().out_of_range);
    let row = outside_row(engine, &point);
    engine.add(Examined { input: point, expectation }, row, Origin::Bounds, mutant);
}
