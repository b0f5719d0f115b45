//! In what a specification asks for less than an earlier version of it.

use crate::spec::{Input, Range, RangeEnd, Spec};
use std::cmp::Ordering;

/// What became weaker, a sentence each: a looser accuracy, a narrower range, a further condition. Empty where nothing did.
#[must_use]
pub fn weaker(before: &Spec, now: &Spec) -> Vec<String> {
    let mut found = Vec::new();
    if now.accuracy.may_exceed(&before.accuracy) {
        found.push(format!("the accuracy is looser: {} before, {} now", before.accuracy, now.accuracy));
    }
    let narrower = |old: &Input| {
        let new = now.inputs.iter().find(|i| i.name == old.name)?;
        let is_narrower = is_narrower(&old.range, &new.range);
        is_narrower.then(|| format!("the range of {} is narrower: {} before, {} now", old.name, old.range, new.range))
    };
    found.extend(before.inputs.iter().filter_map(narrower));
    let old: Vec<String> = before.constraints.iter().map(ToString::to_string).collect();
    let new = now.constraints.iter().map(ToString::to_string).filter(|c| !old.contains(c));
    found.extend(new.map(|c| format!("a condition is new: {c}")));
    found
}

/// Whether a range leaves out something that an earlier one had.
fn is_narrower(before: &Range, now: &Range) -> bool {
    cuts(before.lo.as_ref(), now.lo.as_ref(), Ordering::Greater)
        || cuts(before.hi.as_ref(), now.hi.as_ref(), Ordering::Less)
}

/// Whether an end lies farther inside, which is the direction given.
fn cuts(before: Option<&RangeEnd>, now: Option<&RangeEnd>, inward: Ordering) -> bool {
    let (Some(before), Some(now)) = (before, now) else { return now.is_some() };
    let order = now.value.cmp(&before.value);
    order == inward || order == Ordering::Equal && now.strict && !before.strict
}
