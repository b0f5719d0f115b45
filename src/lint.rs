//! Findings about a specification before any run: is f defined on all of D, can the accuracy be met, is an input
//! unbounded, is a property misspelt?

mod plain;

pub use plain::{Met, Plain};

use crate::csp::InputBox;
use crate::csp::domain::no_value;
use crate::num::Interval;
use crate::ops::float::LibmUlps;
use crate::oracle::{Ladder, Oracle, Seen, all_hold, oracle};
use crate::report::point::Prepared;
use crate::report::words;
use crate::solver::Bisection;
use crate::solver::bisect::{choose, halves};
use crate::solver::probes::probes;
use crate::spec::core::Span;
use crate::spec::{Diagnostic, Spec, misspelt};
use crate::tape::eval::{Boxes, Enclosure};
use crate::tape::evaluate;
use std::collections::VecDeque;

/// Boxes that are looked at for definedness, of up to a thousand inputs; of more inputs fewer, which take no more memory.
const BUDGET: usize = 4000;
/// So many ranges are in all of these boxes together.
const RANGES: usize = 1 << 22;
/// Points at which boxes are given up on are examined exactly; so many of them.
const EXAMINED: usize = 500;

/// Whether f has a value on all of the domain.
#[derive(Clone, Debug, PartialEq)]
pub enum Defined {
    /// Proved by a cover of so many boxes.
    Everywhere(usize),
    /// At this input of the domain there is none.
    NotAt(Vec<f64>),
    /// Neither was found.
    NotSettled,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Lint {
    /// Whether f has a value on all of the domain.
    pub defined: Defined,
    /// Probe points in the domain at which f has a value, and those of them at which the accuracy can be met.
    pub attainable: (usize, usize),
    /// What is known of the plain binary64 evaluation; none where the body tests the class of a number, or an input has no
    /// value.
    pub plain: Option<Plain>,
    /// What is worth a warning, by place.
    pub findings: Vec<Diagnostic>,
}

/// Examine a specification; `cap` is the last precision in bits.
#[must_use]
pub fn lint(spec: &Spec, cap: u32) -> Lint {
    let mut findings = Vec::new();
    let name = |input: usize| spec.core.args.get(input).map_or(spec.core.span, |a| a.span);
    let head = Span { start: spec.core.span.start, end: (spec.core.span.start + 7).min(spec.core.span.end) };
    for (i, input) in spec.inputs.iter().enumerate() {
        if input.range.lo.is_none() || input.range.hi.is_none() {
            let format = input.format.name();
            let message = format!("`{}` has no bound on {}", input.name, sides(input));
            let hint = format!("it ranges over the finite {format} numbers; bound it in :pre or by --domain");
            findings.push(Diagnostic::semantic(name(i), message).hint(hint));
        }
    }
    findings.extend(misspelt(&spec.core));
    if spec.accuracy_defaulted {
        let message = format!("no accuracy is stated: {} holds", spec.accuracy);
        findings.push(Diagnostic::semantic(head, message).hint("add :magneto-rel-error, -abs-error or -ulps"));
    }
    if let Some(first) = spec.constraints.first() {
        let message = format!("the domain is no box: {} conditions beyond ranges", spec.constraints.len());
        let hint = "the solver bounds boxes only, so that proofs may take longer";
        findings.push(Diagnostic::semantic(first.span, message).hint(hint));
    }
    let domain = match InputBox::new(spec) {
        Ok(domain) => domain,
        Err(input) => {
            findings.push(Diagnostic::semantic(head, no_value(spec, &input)));
            return Lint { defined: Defined::NotSettled, attainable: (0, 0), plain: None, findings };
        }
    };
    let prepared = Prepared::new(spec);
    let points = probes(&domain);
    let defined = defined(&prepared, &domain, &points, cap);
    match &defined {
        Defined::Everywhere(_) => {}
        Defined::NotAt(x) => {
            let message = format!("f has no value at {}, which is in the domain", words::input(spec, x));
            let hint = "there a program owes what :magneto-out-of-range says; narrow :pre if that is not meant";
            findings.push(Diagnostic::semantic(spec.core.body.span, message).hint(hint));
        }
        Defined::NotSettled => {
            let message = "whether f has a value on all of the domain is not settled";
            findings.push(Diagnostic::semantic(spec.core.body.span, message).hint("narrower inputs may settle it"));
        }
    }
    let attainable = attainable(spec, &prepared, &points, cap, head, &mut findings);
    findings.sort_by_key(|d| (d.span.start, d.span.end));
    let plain = plain::plain(spec, &domain, LibmUlps::default());
    Lint { defined, attainable, plain, findings }
}

fn sides(input: &crate::spec::Input) -> &'static str {
    match (&input.range.lo, &input.range.hi) {
        (None, None) => "either side",
        (None, _) => "the lower side",
        _ => "the upper side",
    }
}

/// Whether all conditions surely hold at an input and f surely has no value there.
fn lacks_value(prepared: &Prepared<'_>, x: &[f64], cap: u32) -> bool {
    let (tape, _, conditions) = prepared.parts();
    let mut ladder = Ladder::new(tape, x, cap);
    let undefined = |ladder: &mut Ladder<'_>| {
        let levels = ladder.levels();
        let mut seen = (1..levels).chain([0]).map(|level| ladder.see(prepared.function(), level));
        seen.find(|s| !matches!(s, Seen::Unsettled)).is_some_and(|s| matches!(s, Seen::Undefined))
    };
    undefined(&mut ladder) && all_hold(&mut ladder, conditions).is_true()
}

/// Branch and prune on the definedness of f.
fn defined(prepared: &Prepared<'_>, domain: &InputBox, points: &[Vec<f64>], cap: u32) -> Defined {
    let (tape, f, conditions) = prepared.parts();
    let mut values: Vec<Enclosure> = Vec::new();
    let mut look = |ranges: &[Interval]| {
        evaluate(tape, &mut Boxes { inputs: ranges }, &mut values);
        let fails = |c: &crate::tape::NodeId| {
            let c = &values[c.index()];
            c.def.is_false() || c.as_truth().is_false()
        };
        if conditions.iter().any(fails) { crate::num::Ternary::True } else { values[f.index()].def }
    };
    if look(&domain.ranges).is_true() {
        return Defined::Everywhere(1);
    }
    if let Some(x) = points.iter().find(|x| lacks_value(prepared, x, cap)) {
        return Defined::NotAt(x.clone());
    }
    let mut open = VecDeque::from([(domain.ranges.clone(), 0)]);
    let budget = BUDGET.min(RANGES / domain.ranges.len().max(1));
    let (mut boxes, mut examined, mut settled) = (0, 0, true);
    while let Some((ranges, depth)) = open.pop_front() {
        boxes += 1;
        if boxes > budget {
            return Defined::NotSettled;
        }
        let def = look(&ranges);
        if def.is_true() {
            continue;
        }
        let middle: Vec<f64> = ranges.iter().map(|x| x.mid()).collect();
        let middle = domain.clamp(&middle);
        if examined < EXAMINED && (def.is_false() || depth > 6) {
            examined += 1;
            if lacks_value(prepared, &middle, cap) {
                return Defined::NotAt(middle);
            }
        }
        match choose(Bisection::Largest, &ranges, &[], depth).and_then(|i| halves(domain, &ranges, i, depth)) {
            Some(two) => open.extend(two.into_iter().map(|h| (h, depth + 1))),
            None => settled &= has_value(prepared, &middle, cap),
        }
    }
    if settled { Defined::Everywhere(boxes) } else { Defined::NotSettled }
}

/// Whether f surely has a value at an input, or the input surely is not in the domain.
fn has_value(prepared: &Prepared<'_>, x: &[f64], cap: u32) -> bool {
    let (tape, _, conditions) = prepared.parts();
    let mut ladder = Ladder::new(tape, x, cap);
    let levels = ladder.levels();
    (0..levels).any(|level| matches!(ladder.see(prepared.function(), level), Seen::Value(_) | Seen::Vast { .. }))
        || all_hold(&mut ladder, conditions).is_false()
}

/// The oracle at every probe: how many have a value, and at how many of them the accuracy can be met.
fn attainable(
    spec: &Spec,
    prepared: &Prepared<'_>,
    points: &[Vec<f64>],
    cap: u32,
    head: Span,
    findings: &mut Vec<Diagnostic>,
) -> (usize, usize) {
    let (tape, _, conditions) = prepared.parts();
    let (mut all, mut met) = (0, 0);
    let (mut missed, mut capped) = (None, None);
    for x in points {
        let mut ladder = Ladder::new(tape, x, cap);
        if !all_hold(&mut ladder, conditions).is_true() {
            continue;
        }
        match oracle(&mut ladder, prepared.function(), spec.result_format) {
            Oracle::Decided { .. } => (all, met) = (all + 1, met + 1),
            Oracle::Unsatisfiable => {
                all += 1;
                missed = missed.or(Some(x));
            }
            Oracle::Capped { .. } => {
                (all, met) = (all + 1, met + 1);
                capped = capped.or(Some(x));
            }
            Oracle::Unsettled => capped = capped.or(Some(x)),
            Oracle::Undefined => {}
        }
    }
    if let Some(x) = missed {
        let format = spec.result_format.name();
        let at = words::input(spec, x);
        let message = format!(
            "the accuracy cannot be met at {} of {all} probe points: no {format} number is near enough to f at {at}",
            all - met
        );
        findings.push(
            Diagnostic::semantic(head, message)
                .hint("such inputs are no tests; ask for less, or add an absolute bound"),
        );
    }
    if let Some(x) = capped {
        let message = format!("the oracle is not settled within {cap} bits at {}", words::input(spec, x));
        findings.push(Diagnostic::semantic(head, message).hint("raise --precision-cap"));
    }
    if all == 0 {
        findings.push(Diagnostic::semantic(head, "f has no value at any probe point of the domain"));
    }
    (all, met)
}
