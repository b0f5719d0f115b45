//! Tests that fill the domain, and regions in which there can be no test.

use crate::csp::Pair;
use crate::csp::verify::GLANCE;
use crate::floats::middle_float;
use crate::halt;
use crate::mutate::MutationOperator;
use crate::num::Interval;
use crate::oracle::{Ladder, all_hold};
use crate::points::special::{SpecialKind, SpecialPoint, special_points};
use crate::points::spread::spread;
use crate::points::{evenly, gaps, values};
use crate::solve::contract::{Contractor as _, Outcome};
use crate::solve::hc4::Hc4;
use crate::solve::{Conjunction, Limits, PointCheck, SearchEnd, search};
use crate::spec::InputBox;
use crate::suite::inputs::ending::ends_in;
use crate::suite::run::Interrupt;
use crate::suite::state::beyond::{Unreachable, never_near};
use crate::suite::state::engine::{Engine, Look};
use crate::suite::{EquivalenceProof, Expectation, MatrixCell, Origin, Status, Test};
use crate::tape::TapeNode;
use std::collections::{BTreeMap, HashSet};

/// How many points are tried that fill the domain; those are tests that kill most of what is left.
const POOL: usize = 128;
/// So many of the special points, those at which all inputs are special, are tests anyway.
const JOINT: usize = values::JOINT.len();
/// So many of those at which one input is 0 or -0, and at steps.
const AXES: usize = 8;
const STEPS: usize = 16;
/// So many of those at which a choice goes over, evenly from the first to the last: which side the place itself is on no
/// other test tells.
const CHOICES: usize = 18;
/// And so many of those at which inputs are related, and at zeros.
const RELATIONS: usize = 10;
const ZEROS: usize = 18;
/// How many points that a glance does not settle are examined up to the cap of the precision.
const SECOND_LOOKS: usize = 64;
/// The boxes looked at for an input of a region. One without any is mostly so by a comparison of two inputs.
const BOXES: u64 = 1_000;
/// After so many regions of a specification in vain the others have a tenth of that, and of the looks.
const VAIN: usize = 5;
/// At how many of its inputs it is looked whether there can be a test: where the whole range of a format is the domain, f is
/// mostly beyond all numbers, and each look costs much.
const LOOKS: usize = 40;
/// The most regions that may share tests with others.
const JOINED: usize = 500;
/// So many tests are moved into a region, evenly chosen.
const MOVED: usize = 40;

/// A point at which there may be a test.
pub(in crate::suite) struct Candidate {
    pub(in crate::suite) input: Vec<f64>,
    origin: Origin,
    reason: String,
    /// Whether it is a test even if it kills nothing that the others leave.
    is_wanted: bool,
}

/// Whether mutants ask for tests all over the domain.
pub(in crate::suite) fn are_asked_for(engine: &Engine<'_>) -> bool {
    engine.judged().iter().any(|j| j.mutant.operator == MutationOperator::Region)
}

/// The special points, those that fill what the wanted ones of them leave, and points that are worth a try.
pub(in crate::suite) fn candidates(engine: &Engine<'_>) -> Vec<Candidate> {
    let filling = |is_wanted: bool| {
        move |input| {
            let reason = "one of the points that fill the domain evenly".to_owned();
            Candidate { input, origin: Origin::Spread, reason, is_wanted }
        }
    };
    let special = special(engine);
    let known: Vec<Vec<f64>> = special.iter().filter(|c| c.is_wanted).map(|c| c.input.clone()).collect();
    let between = gaps::fill(engine.domain(), &known).into_iter().map(filling(true));
    let pool = spread(engine.domain(), POOL, POOL).into_iter().map(filling(false));
    special.into_iter().chain(between).chain(pool).collect()
}

/// The special points, some of them wanted.
fn special(engine: &Engine<'_>) -> Vec<Candidate> {
    let names: Vec<String> = engine.spec().inputs.iter().map(|i| i.name.clone()).collect();
    let own = engine.own();
    let points = special_points(&own.tape, own.f, engine.domain(), &names, !engine.tells_zeros_apart());
    let mut is_wanted = vec![false; points.len()];
    for kind in [
        SpecialKind::Joint,
        SpecialKind::Axis,
        SpecialKind::Step,
        SpecialKind::Choice,
        SpecialKind::Relation,
        SpecialKind::Zero,
    ] {
        let mut left = match kind {
            SpecialKind::Joint => JOINT,
            SpecialKind::Axis => AXES,
            SpecialKind::Step => STEPS,
            SpecialKind::Choice => CHOICES,
            SpecialKind::Relation => RELATIONS,
            SpecialKind::Zero => ZEROS,
        };
        // Turn by turn, and evenly in the turn of which there is no room for all.
        let mut turns: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let of_kind = points.iter().enumerate().filter(|(_, p)| p.kind == kind);
        of_kind.for_each(|(k, p)| turns.entry(p.turn).or_default().push(k));
        for of_turn in turns.values() {
            let some = evenly(of_turn, left);
            left -= some.len();
            some.into_iter().for_each(|k| is_wanted[k] = true);
        }
    }
    let candidate = |(point, is_wanted): (SpecialPoint, bool)| Candidate {
        input: point.input,
        origin: Origin::Special,
        reason: point.reason,
        is_wanted,
    };
    points.into_iter().zip(is_wanted).map(candidate).collect()
}

/// The special points alone.
pub(in crate::suite) fn special_inputs(engine: &Engine<'_>) -> Vec<Vec<f64>> {
    special(engine).into_iter().map(|c| c.input).collect()
}

/// The special points as tests that a reviewer expects, whatever they kill.
pub(in crate::suite) fn expected(engine: &mut Engine<'_>) {
    let mut known: HashSet<Vec<u64>> = engine.tests().iter().map(|t| bits(&t.input)).collect();
    let mut wanted = special(engine);
    wanted.retain(|c| c.is_wanted && known.insert(bits(&c.input)));
    engine.each_row(
        &wanted,
        |c| &c.input,
        |engine, candidate, examined, row| {
            engine.add_boundary(examined, row, candidate.reason.clone());
        },
    );
}

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

/// Make tests of the points that fill the domain, and of special ones, where they are none yet.
pub(in crate::suite) fn fill(engine: &mut Engine<'_>, candidates: &[Candidate]) {
    let mut known: HashSet<Vec<u64>> = engine.tests().iter().map(|t| bits(&t.input)).collect();
    let wanted: Vec<&Candidate> = candidates.iter().filter(|c| c.is_wanted && known.insert(bits(&c.input))).collect();
    if engine.tape().has_counted_loops() {
        return fill_one_by_one(engine, &wanted);
    }
    let mut second_looks = SECOND_LOOKS;
    for some in wanted.chunks(engine.rows_at_once()).take_while(|_| !halt::requested()) {
        let inputs: Vec<&[f64]> = some.iter().map(|c| c.input.as_slice()).collect();
        let mut rows = engine.examined_rows(&inputs, Look::Glance);
        let unsettled: Vec<usize> = (0..rows.len()).filter(|k| rows[*k].is_none()).take(second_looks).collect();
        second_looks -= unsettled.len();
        let again: Vec<&[f64]> = unsettled.iter().map(|k| inputs[*k]).collect();
        for (k, row) in unsettled.into_iter().zip(engine.examined_rows(&again, Look::Whole)) {
            rows[k] = row;
        }
        for (candidate, row) in some.iter().zip(rows) {
            let Some((examined, row)) = row else { continue };
            let sure = row.iter().position(|cell| matches!(cell, MatrixCell::Ko { .. }));
            if let Some(target) = sure.or_else(|| row.iter().position(MatrixCell::is_kill)) {
                engine.add_for(examined, row, candidate.origin, target, &candidate.reason);
            }
        }
    }
}

/// The same where a verdict may take seconds: each test spares the later ones the mutants that it kills.
fn fill_one_by_one(engine: &mut Engine<'_>, wanted: &[&Candidate]) {
    for candidate in wanted {
        let Some(examined) = engine.glance(&candidate.input) else { continue };
        let row = engine.open_row(&examined);
        if halt::requested() {
            return;
        }
        if let Some(target) = row.cells.iter().position(|cell| matches!(cell, MatrixCell::Ko { .. })) {
            engine.add_for(examined, row, candidate.origin, target, &candidate.reason);
        }
    }
}

/// The point in the middle of a part of the domain.
fn middle_of(part: &InputBox) -> Vec<f64> {
    let middles = part.ranges.iter().zip(&part.formats);
    middles.map(|(range, format)| format.nearest(middle_float(range.inf(), range.sup()))).collect()
}

/// Inputs of tests moved into a part of the domain: what made f a representable number there often does so here.
fn moved_into(part: &InputBox, tests: &[Test], turn: usize) -> Vec<Vec<f64>> {
    let asked: Vec<&Test> = tests.iter().filter(|t| matches!(t.expectation, Expectation::Result(_))).collect();
    let middle = middle_of(part);
    let into = |(i, x): (usize, &f64)| if part.ranges[i].contains(*x) { *x } else { middle[i] };
    let apart = asked.len().div_ceil(MOVED).max(1);
    let mut some: Vec<&Test> = asked.into_iter().step_by(apart).collect();
    // For each part from another one on: the other inputs are not always the same.
    let first = turn % some.len().max(1);
    some.rotate_left(first);
    some.iter().map(|t| t.input.iter().enumerate().map(into).collect()).collect()
}

/// So many of these points are looked at up to the cap of the precision where nothing else is found, from the largest
/// number on.
const CLOSER: usize = 4;
const LARGEST: usize = 5;

/// Points of a part of the domain at which inputs are equal: to some number, or to the middle of a range that the part cuts.
fn equal_in(part: &InputBox, domain: &InputBox) -> Vec<Vec<f64>> {
    if part.ranges.len() < 2 {
        return Vec::new();
    }
    let middle = middle_of(part);
    let cut = part.ranges.iter().enumerate().filter(|(i, range)| **range != domain.ranges[*i]);
    let cut = cut.flat_map(|(i, range)| [middle[i], range.inf(), range.sup()]);
    let at = |v: f64| {
        let ranges = part.ranges.iter().enumerate();
        ranges.map(|(i, r)| if r.contains(v) { part.formats[i].nearest(v) } else { middle[i] }).collect()
    };
    values::EQUAL.into_iter().chain(cut).map(at).collect()
}

/// An open mutant of a region, and the box that holds its region.
struct OpenRegion {
    mutant: usize,
    part: InputBox,
}

/// One test for regions of several inputs at once, where f has a result there: each region takes those of the others along
/// that meet it, from the first to the last or from the last to the first.
pub(in crate::suite) fn share_tests(engine: &mut Engine<'_>, interrupt: &Interrupt<'_>) {
    if engine.domain().ranges.len() < 2 {
        return;
    }
    let of_region = |m: &usize| engine.judged()[*m].mutant.operator == MutationOperator::Region;
    let open: Vec<usize> = engine.open_bodies().into_iter().filter(of_region).take(JOINED).collect();
    let regions: Vec<OpenRegion> = open.into_iter().filter_map(|m| open_region(engine, m)).collect();
    for (turn, region) in regions.iter().enumerate() {
        if interrupt.stopped() {
            return;
        }
        let others: Vec<&InputBox> =
            regions[turn + 1..].iter().filter(|r| engine.is_open(r.mutant)).map(|r| &r.part).collect();
        if !engine.is_open(region.mutant) || others.is_empty() {
            continue;
        }
        let orders = [others.clone(), others.into_iter().rev().collect()];
        let joined = orders.into_iter().map(|others| others.into_iter().fold(region.part.clone(), meet));
        let mut points = joined.flat_map(|part| moved_into(&part, engine.tests(), turn).into_iter().take(1));
        let is_result =
            |x: &Vec<f64>| engine.glance(x).is_some_and(|e| matches!(e.expectation, Expectation::Result(_)));
        if let Some(point) = points.find(is_result) {
            engine.try_input(&point, Origin::Solver, region.mutant);
        }
    }
}

/// A box with what another one has of it, or the same where that is nothing.
fn meet(all: InputBox, other: &InputBox) -> InputBox {
    let ranges: Vec<Interval> = all.ranges.iter().zip(&other.ranges).map(|(a, b)| *a & *b).collect();
    if ranges.iter().any(|r| r.is_empty()) { all } else { InputBox { ranges, ..all } }
}

/// The box of a region, if it may hold an input.
fn open_region(engine: &Engine<'_>, mutant: usize) -> Option<OpenRegion> {
    let pair = region_of(engine, mutant)?;
    let mut part = engine.domain().clone();
    let outcome = Hc4::default().contract(&pair.where_defined(), &mut part.ranges);
    (outcome != Outcome::Empty).then_some(OpenRegion { mutant, part })
}

/// f with itself where the domain's conditions and that of a region hold.
fn region_of(engine: &Engine<'_>, mutant: usize) -> Option<Pair> {
    let TapeNode::If(region, ..) = engine.tape().node(engine.root_of(mutant)?) else { return None };
    let conditions: Vec<_> = engine.conditions().iter().copied().chain([region]).collect();
    let accuracy = &engine.spec().accuracy;
    Some(Pair::extract(engine.tape(), engine.root(), engine.root(), &conditions, accuracy, accuracy))
}

/// Find a test for each region that has none yet, or prove that it holds no input at which f has a value.
pub(in crate::suite) fn settle(engine: &mut Engine<'_>, interrupt: &Interrupt<'_>) {
    let mut vain = 0;
    // Of a value that is not known it is not known either whether it is beyond all numbers.
    let is_known = !engine.own().tape.unknowns()[engine.own().f.index()];
    let sizes = Unreachable::new(engine.spec(), &engine.spec().accuracy).filter(|_| is_known);
    for mutant in engine.open_bodies() {
        if engine.judged()[mutant].mutant.operator != MutationOperator::Region || !engine.is_open(mutant) {
            continue;
        }
        if interrupt.stopped() {
            return;
        }
        let Some(pair) = region_of(engine, mutant) else { continue };
        let constraints = pair.where_defined();
        let mut part = engine.domain().clone();
        let outcome = Hc4::default().contract(&constraints, &mut part.ranges);
        let (boxes, most) = if vain < VAIN { (BOXES, LOOKS) } else { (BOXES / 10, LOOKS / 10) };
        let looks = std::cell::Cell::new(most);
        let look = |x: &[f64]| {
            let is_inside = || all_hold(&mut Ladder::new(&pair.tape, x, engine.cap().min(GLANCE)), &pair.conditions);
            if looks.get() == 0 || !is_inside().is_true() {
                return PointCheck::Unsettled;
            }
            looks.set(looks.get() - 1);
            if engine.glance(x).is_some() { PointCheck::Solution } else { PointCheck::Unsettled }
        };
        let (equal, moved) = match outcome {
            Outcome::Empty => (Vec::new(), Vec::new()),
            _ => (equal_in(&part, engine.domain()), moved_into(&part, engine.tests(), mutant)),
        };
        let is_result =
            |x: &Vec<f64>| engine.glance(x).is_some_and(|e| matches!(e.expectation, Expectation::Result(_)));
        let found = equal.iter().find(|x| is_result(x)).cloned();
        let found = found.or_else(|| moved.iter().find(|x| matches!(look(x), PointCheck::Solution)).cloned());
        let found = found.or_else(|| ends_in(engine, &part, &moved).into_iter().find(is_result));
        if let Some(point) = found {
            engine.try_input(&point, Origin::Solver, mutant);
            continue;
        }
        let is_asked = outcome != Outcome::Empty;
        if let Some(none) = sizes.as_ref().filter(|_| is_asked).and_then(|sizes| never_near(&pair, &part, sizes)) {
            engine.settle(mutant, none.status());
            continue;
        }
        // 1 - e^-700 takes a thousand bits to tell from 1.
        let is_result =
            |x: &&Vec<f64>| engine.examine(x).is_some_and(|e| matches!(e.expectation, Expectation::Result(_)));
        let middle = is_asked.then(|| middle_of(&part));
        let mut closer = equal.iter().skip(LARGEST).take(CLOSER).chain(&middle);
        if let Some(point) = closer.find(is_result) {
            engine.try_input(point, Origin::Solver, mutant);
            continue;
        }
        looks.set(most);
        let limits = Limits { boxes, ..Limits::default() };
        let mut examine = |x: &[f64], _| look(x);
        let mut problem = Conjunction::new(&constraints, engine.domain(), limits, &mut examine);
        let (answer, stats) = search(&mut problem, limits, interrupt.stop);
        match answer {
            SearchEnd::Inner { point, .. } => {
                engine.try_input(&point, Origin::Solver, mutant);
            }
            SearchEnd::Infeasible { .. } => {
                engine.settle(mutant, Status::Equivalent(EquivalenceProof::EmptyRegion { boxes: stats.boxes }));
            }
            SearchEnd::Equal | SearchEnd::Unknown(_) => vain += 1,
        }
    }
}
