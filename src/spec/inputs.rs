//! The domain D of a specification as a box of representable inputs.

use super::range::Range;
use super::resolve::{Input, Spec};
use crate::floats::Format;
use crate::num::Interval;
use crate::num::float::{decimal, hex, rational};

/// One closed interval with ends in the input format for each input: the representable inputs of a range, no more and
/// no less.
#[derive(Clone, Debug, PartialEq)]
pub struct InputBox {
    /// The intervals, in the order of the inputs.
    pub ranges: Vec<Interval>,
    /// The formats, in the order of the inputs.
    pub formats: Vec<Format>,
}

impl InputBox {
    /// The box of a specification's ranges.
    ///
    /// # Errors
    /// An input whose range holds no value of its format.
    pub fn new(spec: &Spec) -> Result<Self, EmptyRange> {
        let formats = spec.inputs.iter().map(|i| i.format).collect();
        let ranges = spec
            .inputs
            .iter()
            .map(|i| representable(&i.range, i.format).ok_or_else(|| EmptyRange::of(i)))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(InputBox { ranges, formats })
    }

    /// Whether a point, given by values of the formats, is in the box.
    #[must_use]
    pub fn contains(&self, x: &[f64]) -> bool {
        self.ranges.iter().zip(x).all(|(r, x)| r.contains(*x))
    }

    /// The values of the formats in the box that are nearest to `x`.
    #[must_use]
    pub fn clamp(&self, x: &[f64]) -> Vec<f64> {
        let one = |((r, f), x): ((&Interval, &Format), &f64)| f.nearest(*x).clamp(r.inf(), r.sup()) + 0.0;
        self.ranges.iter().zip(&self.formats).zip(x).map(one).collect()
    }
}

/// That the range of an input holds no value of its format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmptyRange {
    /// The input's name.
    pub input: String,
    range: String,
    format: String,
    /// The numbers of the format around the range.
    around: Vec<String>,
}

impl EmptyRange {
    fn of(i: &Input) -> Self {
        let show = |x: f64| format!("{} ({})", hex(x), decimal(x));
        let below = i.range.lo.as_ref().and_then(|b| i.format.floor_rational(&b.value)).map(show);
        let above = i.range.hi.as_ref().and_then(|b| i.format.ceil_rational(&b.value)).map(show);
        let around = below.into_iter().chain(above).collect();
        EmptyRange { input: i.name.clone(), range: i.range.to_string(), format: i.format.name(), around }
    }
}

impl std::fmt::Display for EmptyRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let EmptyRange { input, range, format, around } = self;
        write!(f, "the range {range} of `{input}` holds no {format} number, so that there is no input to test")?;
        match around.as_slice() {
            [] => Ok(()),
            [one] => write!(f, "; the nearest is {one}"),
            _ => write!(f, "; the nearest are {}", around.join(" and ")),
        }
    }
}

impl std::error::Error for EmptyRange {}

impl From<EmptyRange> for String {
    fn from(e: EmptyRange) -> Self {
        e.to_string()
    }
}

/// The smallest interval with all values of the format in the range; none if there is none.
#[must_use]
pub fn representable(range: &Range, format: Format) -> Option<Interval> {
    let lo = match &range.lo {
        None => format.min(),
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
