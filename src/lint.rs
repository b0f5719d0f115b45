//! Findings about a specification before any run: is f defined on all of D, can the accuracy be met, is an input
//! unbounded, is a property misspelt?

mod part;
mod plain;
mod vacuous;

pub use part::{FormulaPart, PartValues, example};
pub use plain::{Plain, PlainMeets};

use crate::cover::{At, Covered, Order, PartLook, cover};
use crate::csp::look::{Prepared, shown};
use crate::floats::Format;
use crate::num::Interval;
use crate::oracle::{Ladder, Oracle, all_hold, oracle};
use crate::points::probes::probes;
use crate::solve::bisect::largest_halves;
use crate::spec::core::{Core, Expr, ExprKind, Property};
use crate::spec::unroll::{OPEN_ROUNDS, flat, has_loops, unroll};
use crate::spec::{InputBox, Spec, misspelt};
use crate::tape::eval::{Boxes, Enclosure, Points};
use crate::tape::{FOLLOWED_ROUNDS, NodeId, Tape, evaluate};
use crate::text::{Diagnostic, Span};
use crate::threads::Threads;

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
    Everywhere(u64),
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
    /// What is known of the plain evaluation; none where the body tests the class of a number, or an input has no
    /// value, and where f has no value at any probe point.
    pub plain: Option<Plain>,
    /// What is worth a warning, by place.
    pub findings: Vec<Diagnostic>,
}

/// What a run without a look at this should not go by: scores say nothing of it. Findings of [`lint`] that are cheap: an
/// input that plays no part, an accuracy that is not read or that cannot be met at many inputs, probes at which f has no
/// value or is 0 where no ordinary program returns just that.
#[must_use]
pub fn serious(spec: &Spec, cap: u32, threads: &Threads) -> Vec<Diagnostic> {
    let mut findings = unused(spec);
    findings.extend(misspelt(&spec.core));
    findings.extend(unread_accuracy(&spec.core));
    findings.extend(not_followed(spec));
    let Ok(domain) = InputBox::new(spec) else { return findings };
    let prepared = Prepared::new(spec);
    let points = probes(&domain);
    if let Some(x) = points.iter().take(GLANCES).find(|x| lacks_value(&prepared, x, cap)) {
        findings.push(without_value(spec, x));
    }
    let owed = owed(spec, &prepared, &points, cap, threads);
    findings.extend(vacuous::constant(spec, &prepared, &domain, &owed));
    attainable(spec, &prepared, (&points, &owed), cap, &mut findings);
    findings
}

/// How many probe points are examined for a value, where no more than a glance is wanted.
const GLANCES: usize = 64;

/// Where findings about a whole specification point to.
fn head(spec: &Spec) -> Span {
    Span { start: spec.core.span.start, end: (spec.core.span.start + 7).min(spec.core.span.end) }
}

/// A loop that may go round more often than it is followed.
fn not_followed(spec: &Spec) -> Option<Diagnostic> {
    let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
    has_loops(&spec.core.body).then_some(())?;
    let unrolled = unroll(&names, &spec.core.body, spec.max_iterations).ok()?;
    let span = unrolled.open?;
    if unrolled.rests.values().all(|rest| rest.is_counted) && !unrolled.rests.is_empty() {
        let message =
            "this loop goes round too often to be written out: its rounds are followed at single inputs, which takes \
                       seconds each, and nothing is searched or proved over ranges"
                .to_owned();
        return Some(Diagnostic::semantic(span, message).hint("let it go round less often, or specify one step"));
    }
    let message = format!(
        "{OPEN_ROUNDS} rounds of this loop are searched, and at a single input {FOLLOWED_ROUNDS} more are followed; of inputs at which \
         it goes on nothing is known"
    );
    let hint = "count the rounds as well, if it ends sooner: `(while (and (< n 50) …) ([n 0 (+ n 1)] …) …)`";
    Some(Diagnostic::semantic(span, message).hint(hint))
}

/// Inputs that neither the formula nor a condition of the domain uses. One of several results or sizes need not use all.
fn unused(spec: &Spec) -> Vec<Diagnostic> {
    if spec.result.count > 1 {
        return Vec::new();
    }
    fn uses(e: &Expr, name: &str) -> bool {
        matches!(&e.kind, ExprKind::Var(v) if v == name) || e.children().into_iter().any(|c| uses(c, name))
    }
    let mut findings = Vec::new();
    let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
    let body = flat(&names, &spec.core.body);
    for (k, input) in spec.inputs.iter().enumerate() {
        let used = std::iter::once(&*body).chain(&spec.constraints).any(|e| uses(e, &input.name));
        if !used {
            let message = format!("the input `{}` is not used", input.name);
            let span = spec.core.argument(k).map_or(spec.core.span, |a| a.span);
            findings.push(Diagnostic::semantic(span, message).hint("leave it out, or is another one meant?"));
        }
    }
    findings
}

/// Properties that look like an accuracy and are another tool's, so that they are not read.
fn unread_accuracy(core: &Core) -> Vec<Diagnostic> {
    let own = |key: &str| match key {
        "rel-error" | "abs-error" | "ulps" => Some(format!("magneto-{key}")),
        _ => None,
    };
    let finding = |p: &Property| {
        let meant = own(&p.key)?;
        let message = format!("`:{}` is no property of Magneto's, and is ignored", p.key);
        Some(Diagnostic::semantic(p.key_span, message).hint(format!("did you mean `:{meant}`?")))
    };
    core.props.iter().filter_map(finding).collect()
}

fn without_value(spec: &Spec, x: &[f64]) -> Diagnostic {
    let message = format!("f has no value at {}, which is in the domain", shown(spec, x));
    let hint = "nothing is asked of a program there; exclude it in :pre to ask for what :magneto-out-of-range says";
    Diagnostic::semantic(spec.core.body.span, message).hint(hint)
}

/// Examine a specification; `cap` is the last precision in bits.
#[must_use]
pub fn lint(spec: &Spec, cap: u32, threads: &Threads) -> Lint {
    let mut findings = Vec::new();
    let name = |input: usize| spec.core.argument(input).map_or(spec.core.span, |a| a.span);
    let head = head(spec);
    for (i, input) in spec.inputs.iter().enumerate() {
        // The ends of a fixed-point format are as good as a range.
        let has_ends = input.format.is_fixed() && input.format != Format::INTEGER;
        if !has_ends && (input.range.lo.is_none() || input.range.hi.is_none()) {
            let format = input.format.name();
            let message = format!("`{}` has no bound on {}", input.name, sides(input));
            let hint = format!("it ranges over the finite {format} numbers; bound it in :pre or by --domain");
            findings.push(Diagnostic::semantic(name(i), message).hint(hint));
        }
    }
    findings.extend(unused(spec));
    findings.extend(misspelt(&spec.core));
    findings.extend(unread_accuracy(&spec.core));
    findings.extend(not_followed(spec));
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
        Err(e) => {
            findings.push(Diagnostic::semantic(head, e.to_string()));
            return Lint { defined: Defined::NotSettled, attainable: (0, 0), plain: None, findings };
        }
    };
    let prepared = Prepared::new(spec);
    let points = probes(&domain);
    let defined = defined(&prepared, &domain, &points, cap);
    match &defined {
        Defined::Everywhere(_) => {}
        Defined::NotAt(x) => {
            findings.push(without_value(spec, x));
        }
        Defined::NotSettled => {
            let message = "whether f has a value on all of the domain is not settled";
            findings.push(Diagnostic::semantic(spec.core.body.span, message).hint("narrower inputs may settle it"));
        }
    }
    let owed = owed(spec, &prepared, &points, cap, threads);
    findings.extend(vacuous::constant(spec, &prepared, &domain, &owed));
    let attainable = attainable(spec, &prepared, (&points, &owed), cap, &mut findings);
    findings.sort_by_key(|d| (d.span.start, d.span.end));
    // What holds at no input holds of any program.
    let plain = if attainable.0 > 0 { plain::plain(spec, &domain) } else { None };
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
    ladder.has_value(prepared.function()).is_false() && all_hold(&mut ladder, conditions).is_true()
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
    let budget = BUDGET.min(RANGES / domain.ranges.len().max(1)) as u64;
    let (mut examined, mut settled) = (0, true);
    let covered = cover([domain.ranges.clone()], Order::Oldest, budget, |ranges: &Vec<Interval>, At { depth, .. }| {
        let def = look(ranges);
        if def.is_true() {
            return PartLook::Done;
        }
        let middle: Vec<f64> = ranges.iter().map(|x| x.mid()).collect();
        let middle = domain.clamp(&middle);
        if examined < EXAMINED && (def.is_false() || depth > 6) {
            examined += 1;
            if lacks_value(prepared, &middle, cap) {
                return PartLook::End(middle);
            }
        }
        let two = largest_halves(domain, ranges, depth);
        settled &= two.is_some() || has_value(prepared, &middle, cap);
        two.map_or(PartLook::Done, PartLook::Cut)
    });
    match covered {
        Covered::All(boxes) if settled => Defined::Everywhere(boxes),
        Covered::Ended(x) => Defined::NotAt(x),
        Covered::All(_) | Covered::Budget | Covered::Interrupted => Defined::NotSettled,
    }
}

/// Whether f surely has a value at an input, or the input surely is not in the domain.
fn has_value(prepared: &Prepared<'_>, x: &[f64], cap: u32) -> bool {
    let (tape, _, conditions) = prepared.parts();
    let mut ladder = Ladder::new(tape, x, cap);
    ladder.has_value(prepared.function()).is_true() || all_hold(&mut ladder, conditions).is_false()
}

/// The oracle at every probe; none where it is not surely in the domain.
fn owed(spec: &Spec, prepared: &Prepared<'_>, points: &[Vec<f64>], cap: u32, threads: &Threads) -> Vec<Option<Oracle>> {
    let (tape, _, conditions) = prepared.parts();
    threads.side_by_side(1, points, |x| {
        let mut ladder = Ladder::new(tape, x, cap);
        let is_inside = all_hold(&mut ladder, conditions).is_true();
        is_inside.then(|| oracle(&mut ladder, prepared.function(), spec.result_format))
    })
}

/// How many probes have a value, by their oracles, and at how many of them the accuracy can be met.
fn attainable(
    spec: &Spec,
    prepared: &Prepared<'_>,
    (points, owed): (&[Vec<f64>], &[Option<Oracle>]),
    cap: u32,
    findings: &mut Vec<Diagnostic>,
) -> (usize, usize) {
    let (tape, _, _) = prepared.parts();
    let head = head(spec);
    let (mut all, mut met) = (0, 0);
    let (mut missed, mut capped, mut zero) = (None, None, None);
    for (x, owed) in points.iter().zip(owed) {
        let Some(owed) = owed else { continue };
        match owed {
            Oracle::Decided { lo, hi, .. } => {
                (all, met) = (all + 1, met + 1);
                // A fixed-point result of 0 need not say that f is 0.
                let is_zero = *lo == 0.0 && *hi == 0.0 && !spec.result_format.is_fixed();
                if is_zero && plain(tape, prepared.function().root, x) != 0.0 {
                    zero = zero.or(Some(x));
                }
            }
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
        let at = shown(spec, x);
        let message = format!(
            "the accuracy cannot be met at {} of {all} probe points: no {format} number is near enough to f at {at}",
            all - met
        );
        findings.push(
            Diagnostic::semantic(head, message)
                .hint("such inputs are no tests; ask for less, or add an absolute bound"),
        );
    }
    if let Some(x) = zero {
        let message = format!("f is 0 at {}, and only just 0 is within the accuracy there", shown(spec, x));
        let hint = "the formula as it is written gives something else in binary64; add a floor by :magneto-abs-error";
        findings.push(Diagnostic::semantic(head, message).hint(hint));
    }
    if let Some(x) = capped {
        let message = format!("the oracle is not settled within {cap} bits at {}", shown(spec, x));
        findings.push(Diagnostic::semantic(head, message).hint("raise --precision-cap"));
    }
    if all == 0 {
        findings.push(Diagnostic::semantic(head, "f has no value at any probe point of the domain"));
    }
    (all, met)
}

/// The formula as it is written, in binary64 arithmetic.
fn plain(tape: &Tape, f: NodeId, x: &[f64]) -> f64 {
    let lanes: Vec<[f64; 1]> = x.iter().map(|x| [*x]).collect();
    let mut values = Vec::new();
    evaluate(tape, &mut Points { inputs: &lanes }, &mut values);
    values[f.index()][0]
}
