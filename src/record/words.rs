//! Proofs, reasons and the like in words, one line each.

use super::number::{decimal, rough};
pub use crate::csp::look::shown as input;
use crate::program::LibmUlps;
use crate::solve::StopReason;
use crate::spec::Spec;
use crate::suite::recheck::Rechecked;
use crate::suite::{EquivalenceProof, Judged, NearestMiss, Reason, Status};

/// A proof that a mutant cannot be killed.
#[must_use]
pub fn proof(proof: &EquivalenceProof) -> String {
    match proof {
        EquivalenceProof::SameExpression => {
            "same normal form: the mutant is the specification written otherwise".into()
        }
        EquivalenceProof::SamePart => {
            "what is changed is the same function on the domain before and after, by its normal form: so is the whole"
                .into()
        }
        EquivalenceProof::NormalForm(proof) | EquivalenceProof::Rewriting(proof) => proof.to_string(),
        EquivalenceProof::SameAs { id, proof } => format!("the same function as {id}: {}", self::proof(proof)),
        EquivalenceProof::SameOnDomain => {
            "same normal form once the choices are made that the domain decides: the same function on the domain".into()
        }
        EquivalenceProof::SameInputs => {
            "same inputs: the two ranges hold the same values of the input format, or f has no value where they differ"
                .into()
        }
        EquivalenceProof::ResponseNotTold => {
            "outside the domain any result is allowed, so that another domain does not show".into()
        }
        EquivalenceProof::Cover { boxes, worst } => format!(
            "cover of the domain by {boxes} boxes; on each the valid sets meet: |f - g| is at most {} times the sum of \
             the tolerances",
            worst
        ),
        EquivalenceProof::Near { boxes } => format!(
            "the valid sets meet wherever f has a value: the normal form of the sum of the tolerances less |f - g| is not \
             negative there ({boxes} boxes)"
        ),
        EquivalenceProof::NoTest(how) => {
            let one_by_one = (how.inputs > 0).then(|| {
                let inputs =
                    if how.inputs == 1 { "the one input".into() } else { format!("each of {} inputs", how.inputs) };
                format!("at {inputs} no result of the format is as near to f as is asked for")
            });
            let beyond = (how.boxes > 0).then(|| {
                format!(
                    "|f| is beyond all numbers of the result format, or not 0 and below all others ({} boxes)",
                    how.boxes
                )
            });
            let how: Vec<String> = one_by_one.into_iter().chain(beyond).collect();
            format!("no test where the two differ: {}", how.join("; "))
        }
        EquivalenceProof::Bounded { bound, strict, boxes } => format!(
            "|f| is {} {} on the domain, so that the larger bound never reaches 1000 r beyond the specification's: \
             the normal forms of that number minus and plus f show it ({boxes} boxes)",
            if *strict { "less than" } else { "at most" },
            bound
        ),
        EquivalenceProof::MeetsAccuracy { boxes, worst, library } => format!(
            "meets the accuracy: whatever the program returns on the domain is off by at most {} times the tolerance{} \
             (bound of its rounding errors, {boxes} boxes{})",
            worst,
            where_possible(worst.0),
            given(*library)
        ),
        EquivalenceProof::EmptyRegion { boxes } => format!(
            "the region is empty: in none of {boxes} boxes that cover the domain is there an input of it at which f has \
             a value"
        ),
        EquivalenceProof::NeverReaches { boxes } => format!(
            "cover of the domain by {boxes} boxes; on none does the larger bound reach 1000 r beyond the specification's"
        ),
    }
}

/// Where the bound of an error holds that is not below the tolerance: a proof that a result is as near as any number of the
/// format shows no more than that.
#[must_use]
pub fn where_possible(worst: f64) -> &'static str {
    if worst < 1.0 { "" } else { " wherever a number of the format is that near" }
}

/// What a claim about a program takes for granted of the functions of the library that it calls, as the end of a sentence.
#[must_use]
pub fn given(library: Option<LibmUlps>) -> String {
    let ulps = |u: LibmUlps| format!("{} {}", decimal(u.get()), if u.get() > 1.0 { "ulps" } else { "ulp" });
    library.map_or(String::new(), |u| format!(", given library functions within {}", ulps(u)))
}

/// Why a mutant is undecided.
#[must_use]
pub fn reason(reason: &Reason) -> &'static str {
    match reason {
        Reason::Stopped(StopReason::Budget) => "the budget of boxes was used up",
        Reason::Stopped(StopReason::DeltaMin) => "boxes were left that are narrower than delta-min",
        Reason::Stopped(StopReason::Unsettled) => "inputs were left at which the precision cap settles nothing",
        Reason::Stopped(StopReason::Interrupted) => "the run was interrupted during the search for this mutant",
        Reason::Interrupted => "the run was interrupted before this mutant's turn",
        Reason::NotSearched => "the formula is large, and the searches that it has room for went to other mutants",
        Reason::NoDefinedPoint => "no input was found at which the changed range shows and f surely has a value",
    }
}

/// What a second check of a proof found, line by line.
#[must_use]
pub fn check(spec: &Spec, found: &Rechecked) -> Vec<String> {
    if let Some((x, why)) = &found.refuted {
        return vec![
            format!("THE PROOF IS WRONG: {why} at {}", input(spec, x)),
            "This is a bug in Magneto: please report it with the specification.".into(),
        ];
    }
    let skipped = match found.skipped {
        0 => String::new(),
        n => format!(" ({n} more were outside the domain or settled nothing)"),
    };
    let mut lines = vec![format!("held at {} exact points in multiple precision{skipped}", found.points)];
    let all = if found.statements == 1 { "what is printed of it" } else { "all that is printed of it" };
    if found.statements > 0 {
        lines.push(format!("so did {all}: {}", counted(found.statements, "statement")));
    }
    if found.unread > 0 {
        lines.push(format!("not read again: {}, cut for their length", counted(found.unread, "statement")));
    }
    lines.extend(found.cover.map(|c| match c.complete {
        true => {
            let bound = if c.with_bound { ", with the bound that is printed" } else { "" };
            format!("confirmed by a second cover{bound}: {} boxes by bisection alone, without contraction", c.boxes)
        }
        false => format!("not confirmed by a second cover: {} boxes of bisection alone do not do", c.boxes),
    }));
    lines
}

/// `1 statement`, `2 statements`.
fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// Where a mutant came nearest to being killed.
#[must_use]
pub fn near_miss(spec: &Spec, miss: &NearestMiss) -> String {
    let at = input(spec, &miss.input);
    let size = rough(miss.ratio);
    // Beyond 1 it would be a kill if it could be a test.
    let doubt = if miss.ratio > 1.0 { "at an input that can be no test or is not settled, " } else { "" };
    format!("nearest miss: {doubt}|f - g| is {size} times the sum of the tolerances at {at}")
}

/// The proof of a mutant's status, empty if there is none.
#[must_use]
pub fn proof_of(judged: &Judged) -> String {
    match &judged.status {
        Status::Equivalent(p) | Status::Indistinguishable(p) => proof(p),
        Status::Killed | Status::Probable | Status::Undecided(_) | Status::Accepted(_) => String::new(),
    }
}

/// Why a mutant has no better status, with the nearest miss; empty if there is nothing to say.
#[must_use]
pub fn reason_of(spec: &Spec, judged: &Judged) -> String {
    let why = match &judged.status {
        Status::Undecided(r) => Some(reason(r).to_owned()),
        Status::Accepted(a) => Some(format!("accepted by {}: {}; {}", a.by, a.reason, reason(&a.open))),
        _ => None,
    };
    let miss = judged.near_miss.as_ref().filter(|_| judged.status != Status::Killed).map(|m| near_miss(spec, m));
    why.into_iter().chain(miss).collect::<Vec<_>>().join("; ")
}

/// Where a format has no value at all nearby, which does not happen.
pub(crate) const NO_VALUE: &str = "there is none near it";
