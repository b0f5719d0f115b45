//! Where the tests lie in the space of inputs.

use super::data::Run;
use crate::floats::rank;
use crate::report::number::rough;
use crate::suite::Origin;
use maud::{Markup, PreEscaped, html};
use std::fmt::Write as _;

/// The most pairs of inputs that are drawn.
const PANELS: usize = 6;
/// The side of the field of a panel.
const SIDE: f64 = 240.0;
/// Room left of and below the field.
const MARGIN: (f64, f64) = (78.0, 46.0);

/// The origins in the order of their marks.
fn origins() -> [&'static str; Origin::ALL.len()] {
    Origin::ALL.map(Origin::name)
}

/// The scale of an input.
struct Scale {
    name: String,
    /// The domain.
    range: (f64, f64),
    /// All that is drawn.
    shown: (f64, f64),
    /// Whether it is drawn over the ordinals of the floats: about logarithmic, on both sides of 0.
    ordinal: bool,
}

impl Scale {
    fn of(run: &Run, i: usize) -> Self {
        let input = &run.spec.inputs[i];
        let bound = |b: &Option<crate::spec::RangeEnd>| b.as_ref().map(|b| b.value.to_f64());
        let most = input.format.max();
        let range = (bound(&input.range.lo).unwrap_or(-most), bound(&input.range.hi).unwrap_or(most));
        let values = run.tests.iter().map(|t| t.x[i]).filter(|x| x.is_finite());
        let shown = values.fold(range, |(a, b), x| (a.min(x), b.max(x)));
        let wide = shown.1.abs().max(shown.0.abs()) / smallest(shown) > 1e4;
        Scale { name: input.name.clone(), range, shown, ordinal: wide }
    }

    /// From 0 to 1.
    fn place(&self, x: f64) -> f64 {
        let at = |x: f64| if self.ordinal { rank(x) as f64 } else { x / 2.0 };
        let (a, b) = (at(self.shown.0), at(self.shown.1));
        if b > a { ((at(x) - a) / (b - a)).clamp(0.0, 1.0) } else { 0.5 }
    }
}

/// The end of an axis.
fn end(x: f64) -> String {
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

/// The tests over the domain, in pairs of inputs.
pub(super) fn inputs(run: &Run) -> Markup {
    let scales: Vec<Scale> = (0..run.spec.inputs.len()).map(|i| Scale::of(run, i)).collect();
    let pairs: Vec<(usize, Option<usize>)> = match scales.len() {
        0 => return html! { p { "The specification has no inputs." } },
        1 => vec![(0, None)],
        n => (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, Some(b)))).collect(),
    };
    let used: Vec<&str> = origins().into_iter().filter(|o| run.tests.iter().any(|t| t.origin == *o)).collect();
    html! {
        p.legend {
            @for origin in &used {
                @let count = run.tests.iter().filter(|t| t.origin == *origin).count();
                span {
                    svg.key width="16" height="16" viewBox="-8 -8 16 16" aria-hidden="true" { (PreEscaped(mark(origin, 0.0, 0.0))) }
                    (origin) " (" (count) ")"
                }
            }
            span { svg.key width="16" height="16" viewBox="-8 -8 16 16" aria-hidden="true" { rect.domain x="-6" y="-6" width="12" height="12" {} } "the domain" }
        }
        div.panels {
            @for (a, b) in pairs.iter().take(PANELS) { (panel(run, &scales[*a], *a, b.map(|b| (&scales[b], b)))) }
        }
        @if pairs.len() > PANELS {
            p.note { (PANELS) " of " (pairs.len()) " pairs of inputs are shown; the values of all are with the tests." }
        }
    }
}

fn panel(run: &Run, h: &Scale, i: usize, v: Option<(&Scale, usize)>) -> Markup {
    let tall = if v.is_some() { SIDE } else { 40.0 };
    let (width, height) = (MARGIN.0 + SIDE + 20.0, tall + MARGIN.1 + 10.0);
    let x = |u: f64| MARGIN.0 + u * SIDE;
    let y = |u: f64| 10.0 + (1.0 - u) * tall;
    let mut out = String::new();
    let side = |s: &Scale| (s.place(s.range.0), s.place(s.range.1));
    let (l, r) = side(h);
    let (b, t) = v.map_or((0.0, 1.0), |(s, _)| side(s));
    let _ = write!(
        out,
        "<rect class=\"domain\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
        x(l),
        y(t),
        x(r) - x(l),
        y(b) - y(t)
    );
    let _ = write!(out, "<rect class=\"frame\" x=\"{}\" y=\"10\" width=\"{SIDE}\" height=\"{tall}\"/>", MARGIN.0);
    for test in &run.tests {
        let at = v.map_or(0.5, |(s, j)| s.place(test.x[j]));
        let title = html! { title { (test.id) ": " (test.origin) } };
        let dot = mark(&test.origin, x(h.place(test.x[i])), y(at));
        out += &html! { a href={ "#" (test.id) } { (title) (PreEscaped(dot)) } }.into_string();
    }
    let log = |s: &Scale| if s.ordinal { ", by floats" } else { "" };
    let base = 10.0 + tall;
    let labels = html! {
        text x=(x(0.0)) y=(base + 15.0) { (end(h.shown.0)) }
        text.end x=(x(1.0)) y=(base + 15.0) { (end(h.shown.1)) }
        text.mid.code x=(x(0.5)) y=(base + 32.0) { (h.name) (log(h)) }
        @if let Some((s, _)) = v {
            text.end x=(MARGIN.0 - 6.0) y=(base) { (end(s.shown.0)) }
            text.end x=(MARGIN.0 - 6.0) y="20" { (end(s.shown.1)) }
            text.end.code x=(MARGIN.0 - 6.0) y=(10.0 + tall / 2.0) { (s.name) }
            @if s.ordinal { text.end.faint x=(MARGIN.0 - 6.0) y=(26.0 + tall / 2.0) { "by floats" } }
        }
    };
    let said = format!("Tests by {}{}", h.name, v.map_or(String::new(), |(s, _)| format!(" and {}", s.name)));
    html! {
        svg viewBox=(format!("0 0 {width} {height}")) width=(width) height=(height) role="img" aria-label=(said) {
            (PreEscaped(out)) (labels)
        }
    }
}

/// The mark of an origin: shape and colour both tell.
fn mark(origin: &str, x: f64, y: f64) -> String {
    let shape = match origin {
        "probe" => return format!("<circle class=\"o-probe\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>"),
        "solver" => "m0 -5l5 9h-10z",
        "bounds" => "m-4 -4h8v8h-8z",
        "accuracy" => "m0 -6l6 6l-6 6l-6 -6z",
        "spread" => "m0 -5v10m-5 -5h10",
        "special" => "m-4 -3h8l-4 8z",
        "given" => "m-4 -4h8v8h-8zm2 2v4h4v-4z",
        "earlier" => "m-5 -2h10v4h-10z",
        _ => "m-4 -4l8 8m0 -8l-8 8",
    };
    let class = if origins().contains(&origin) { origin } else { "boundary" };
    format!("<path class=\"o-{class}\" d=\"M{x:.1} {y:.1}{shape}\"/>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_origin_has_a_mark_and_a_style() {
        let style = include_str!("style.css");
        for origin in origins() {
            assert!(style.contains(&format!(".o-{origin} {{")), "{origin}");
        }
        let shape = |origin: &&str| mark(origin, 0.0, 0.0).split('"').nth(3).map(str::to_owned);
        assert_eq!(origins().iter().map(shape).collect::<HashSet<_>>().len(), origins().len());
        // Beside "boundary", which is what an unknown origin is drawn as.
        assert_eq!(shape(&"boundary"), shape(&"unknown"));
    }
}
