//! What `lint` found, for people.

use super::words;
use crate::lint::{Defined, Lint, Plain, PlainMeets};
use crate::num::AtLeast;
use crate::spec::Spec;

/// What is known of a specification, in two lines at most.
#[must_use]
pub fn line(spec: &Spec, found: &Lint) -> String {
    let points = points(spec, found);
    let (first, rest) = points.split_at(points.len().min(2));
    let rest: String = rest.iter().map(|point| format!("  {point}\n")).collect();
    format!("{}: {}\n{rest}", spec.name, first.join("; "))
}

/// The same point by point: where it is defined, whether the accuracy can be met, and what the plain evaluation is worth if
/// that is known.
#[must_use]
pub fn points(spec: &Spec, found: &Lint) -> Vec<String> {
    let defined = match &found.defined {
        Defined::Everywhere(boxes) => format!("defined on all of its domain (a cover of {boxes} boxes)"),
        Defined::NotAt(x) => format!("not defined at {}", words::input(spec, x)),
        Defined::NotSettled => "definedness not settled".to_owned(),
    };
    let (all, met) = found.attainable;
    let attainable = format!("accuracy attainable at {met} of {all} probe points");
    let plain = found.plain.as_ref().map(|p| plain_text(spec, p));
    [defined, attainable].into_iter().chain(plain).collect()
}

/// What is said where absolute errors have a bound and relative ones have none: f goes near 0, and nothing absolute is allowed.
const NEAR_ZERO: &str = " (f goes near 0, where a relative accuracy alone asks for nearly exact arithmetic: `--abs-error` beside it says what may be off there)";
/// How far the accuracy is missed then.
const FAR: f64 = 1e3;

/// What is known of the plain evaluation.
fn plain_text(spec: &Spec, p: &Plain) -> String {
    let kind = if p.relative { "relative" } else { "absolute" };
    let given = words::given(p.library);
    let bound = if p.bound.0.is_finite() {
        format!("errs by at most {:.2} {kind} (proved{given})", p.bound)
    } else {
        "no bound of its error was proved".to_owned()
    };
    let found = match &p.found {
        Some(f) if f.error.is_finite() && f.error > 0.0 => {
            format!(", {:.2} {kind} found at {}", AtLeast(f.error), words::input(spec, &f.at))
        }
        Some(f) if f.error > 0.0 => format!(", without a finite result at {}", words::input(spec, &f.at)),
        _ => String::new(),
    };
    let accuracy = match &p.accuracy {
        PlainMeets::Proved(worst) => {
            let possible = words::where_possible(worst.0);
            format!("it meets the accuracy (proved, at most {worst:.2} of the tolerance{possible}{given})")
        }
        PlainMeets::Missed(f) if f.error.is_finite() => {
            let (at, factor) = (words::input(spec, &f.at), AtLeast(f.error));
            let is_relative = !p.relative && p.bound.0.is_finite() && spec.accuracy.abs.is_none();
            let more = if is_relative && f.error >= FAR { NEAR_ZERO } else { "" };
            format!("it misses the accuracy at {at} by a factor of {factor:.2}{more}")
        }
        PlainMeets::Missed(f) => format!("it misses the accuracy at {}", words::input(spec, &f.at)),
        PlainMeets::Open => "whether it meets the accuracy is open".to_owned(),
    };
    format!("plain {} evaluation: {bound}{found}; {accuracy}", p.format.name())
}
