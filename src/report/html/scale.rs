//! Scales of charts: where a number stands on an axis, by its value or by its place in the sequence of floats.

use crate::floats::{from_rank, rank};
use crate::report::number::rough;
use maud::{Markup, html};

/// The scale of an axis.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    pub(super) name: String,
    /// The range that is marked, such as the domain.
    pub(super) range: (f64, f64),
    /// All that is drawn.
    pub(super) shown: (f64, f64),
    /// Whether it is drawn over the ordinals of the floats: about logarithmic, on both sides of 0.
    pub(super) ordinal: bool,
}

impl Scale {
    /// Of an axis with a range on which numbers are shown, by floats where their magnitudes differ much.
    pub(super) fn new(name: &str, range: (f64, f64), values: impl Iterator<Item = f64>) -> Self {
        let shown = values.filter(|x| x.is_finite()).fold(range, |(a, b), x| (a.min(x), b.max(x)));
        let wide = shown.1.abs().max(shown.0.abs()) / smallest(shown) > 1e4;
        Scale { name: name.to_owned(), range, shown, ordinal: wide }
    }

    /// Of all numbers that are shown, if there is one.
    pub(super) fn of(name: &str, values: impl Iterator<Item = f64> + Clone) -> Option<Self> {
        let finite = values.filter(|x| x.is_finite());
        let first = finite.clone().next()?;
        Some(Scale::new(name, (first, first), finite))
    }

    /// From 0 to 1.
    pub(super) fn place(&self, x: f64) -> f64 {
        let at = |x: f64| if self.ordinal { rank(x) as f64 } else { x / 2.0 };
        let (a, b) = (at(self.shown.0), at(self.shown.1));
        if b > a { ((at(x) - a) / (b - a)).clamp(0.0, 1.0) } else { 0.5 }
    }

    /// The number at a place.
    pub(super) fn value(&self, place: f64) -> f64 {
        let (lo, hi) = self.shown;
        // Exactly: the number of floats in between is rounded below.
        if place >= 1.0 {
            return hi;
        }
        let x = if self.ordinal {
            // Their difference may be above what 64 bits hold.
            let (a, b) = (i128::from(rank(lo)), i128::from(rank(hi)));
            let at = (a + ((b - a) as f64 * place) as i128).clamp(a, b);
            from_rank(at as i64)
        } else {
            // Not by their difference, which may overflow.
            lo * (1.0 - place) + hi * place
        };
        x.clamp(lo, hi)
    }

    /// What the axis says of itself.
    pub(super) fn title(&self) -> String {
        format!("{}{}", self.name, if self.ordinal { ", by floats" } else { "" })
    }

    /// The labels below a field: the ends and the name.
    pub(super) fn below(&self, left: f64, right: f64, base: f64) -> Markup {
        html! {
            text x=(left) y=(base + 15.0) { (end(self.shown.0)) }
            text.end x=(right) y=(base + 15.0) { (end(self.shown.1)) }
            text.mid.code x=(0.5 * (left + right)) y=(base + 32.0) { (self.title()) }
        }
    }

    /// The labels beside a field.
    pub(super) fn beside(&self, right: f64, top: f64, base: f64) -> Markup {
        let middle = 0.5 * (top + base);
        html! {
            text.end x=(right) y=(base) { (end(self.shown.0)) }
            text.end x=(right) y=(top + 10.0) { (end(self.shown.1)) }
            text.end.code x=(right) y=(middle) { (self.name) }
            @if self.ordinal { text.end.faint x=(right) y=(middle + 16.0) { "by floats" } }
        }
    }
}

/// The end of an axis.
pub(super) fn end(x: f64) -> String {
    let text = rough(x);
    if text.contains('.') && !text.contains('e') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// The size below which a linear axis shows nothing: the end nearer to 0, where 0 is not in between.
fn smallest((lo, hi): (f64, f64)) -> f64 {
    if lo > 0.0 || hi < 0.0 {
        lo.abs().min(hi.abs())
    } else if hi - lo > 1e9 {
        1.0
    } else {
        (hi - lo).max(1e-300)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_values_are_inverse() {
        for (range, ordinal) in
            [((-1.0, 3.0), false), ((1e-9, 1e9), true), ((-1e300, 1e300), true), ((-f64::MAX, f64::MAX), true)]
        {
            let scale = Scale::new("x", range, std::iter::empty());
            assert_eq!(scale.ordinal, ordinal, "{range:?}");
            for place in [0.0, 0.25, 0.5, 1.0] {
                let again = scale.place(scale.value(place));
                assert!((again - place).abs() < 1e-9, "{range:?}: {place}, {again}");
            }
            assert_eq!((scale.value(0.0), scale.value(1.0)), range);
        }
    }
}
