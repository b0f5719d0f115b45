//! The domain D of a specification as a box of representable inputs.

use crate::num::Interval;
use crate::num::float::{Format, decimal, hex, rational};
use crate::solve::InputBox;
use crate::spec::{Range, Spec};

impl InputBox {
    /// The box of a specification's ranges.
    ///
    /// # Errors
    /// The name of an input whose range holds no value of its format.
    pub fn new(spec: &Spec) -> Result<Self, String> {
        let formats = spec.inputs.iter().map(|i| i.format).collect();
        let ranges = spec
            .inputs
            .iter()
            .map(|i| representable(&i.range, i.format).ok_or_else(|| i.name.clone()))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(InputBox { ranges, formats })
    }
}

/// That the range of an input holds no value of its format, with the numbers around it.
#[must_use]
pub fn no_value(spec: &Spec, input: &str) -> String {
    let Some(i) = spec.inputs.iter().find(|i| i.name == input) else { return String::new() };
    let show = |x: f64| format!("{} ({})", hex(x), decimal(x));
    let below = i.range.lo.as_ref().and_then(|b| i.format.floor_rational(&b.value)).map(show);
    let above = i.range.hi.as_ref().and_then(|b| i.format.ceil_rational(&b.value)).map(show);
    let around = match (below, above) {
        (Some(below), Some(above)) => format!("; the nearest are {below} and {above}"),
        (Some(one), None) | (None, Some(one)) => format!("; the nearest is {one}"),
        (None, None) => String::new(),
    };
    format!(
        "the range {} of `{input}` holds no {} number, so that there is no input to test{around}",
        i.range,
        i.format.name()
    )
}

/// The smallest interval with all values of the format in the range; none if there is none.
#[must_use]
pub fn representable(range: &Range, format: Format) -> Option<Interval> {
    let lo = match &range.lo {
        None => -format.max(),
        Some(b) => {
            let x = format.ceil_rational(&b.value)?;
            if b.strict && rational(x) == b.value { format.next_up(x)? } else { x }
        }
    };
    let hi = match &range.hi {
        None => format.max(),
        Some(b) => {
            let x = format.floor_rational(&b.value)?;
            if b.strict && rational(x) == b.value { format.next_down(x)? } else { x }
        }
    };
    (lo <= hi).then(|| Interval::new(lo, hi))
}
