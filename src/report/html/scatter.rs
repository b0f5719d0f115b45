//! Where the tests lie in the space of inputs.

use super::data::Run;
use super::scale::Scale;
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

/// The scale of an input, on which the domain is marked.
pub(super) fn scale(run: &Run, i: usize) -> Scale {
    let input = &run.spec.inputs[i];
    let bound = |b: &Option<crate::spec::RangeEnd>| b.as_ref().map(|b| b.value.to_f64());
    let most = input.format.max();
    let range = (bound(&input.range.lo).unwrap_or(-most), bound(&input.range.hi).unwrap_or(most));
    Scale::new(&input.name, range, run.tests.iter().map(|t| t.x[i]))
}

/// The tests over the domain, in pairs of inputs.
pub(super) fn inputs(run: &Run) -> Markup {
    let scales: Vec<Scale> = (0..run.spec.inputs.len()).map(|i| scale(run, i)).collect();
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
            @for (a, b) in pairs.iter().take(PANELS) { (panel(run, (&scales[*a], *a), b.map(|b| (&scales[b], b)), None)) }
        }
        @if pairs.len() > PANELS {
            p.note { (PANELS) " of " (pairs.len()) " pairs of inputs are shown; the values of all are with the tests." }
        }
    }
}

/// The tests over one input or two, each with its index; where only some are `meant`, the others are faint.
pub(super) fn panel(run: &Run, (h, i): (&Scale, usize), v: Option<(&Scale, usize)>, meant: Option<&[bool]>) -> Markup {
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
    for (t, test) in run.tests.iter().enumerate() {
        let off = meant.is_some_and(|meant| !meant[t]);
        let at = v.map_or(0.5, |(s, j)| s.place(test.x[j]));
        let title = html! { title { (test.id) ": " (test.origin) } };
        let dot = mark(&test.origin, x(h.place(test.x[i])), y(at));
        out += &html! { a class=[off.then_some("off")] href={ "#" (test.id) } { (title) (PreEscaped(dot)) } }
            .into_string();
    }
    let base = 10.0 + tall;
    let labels = html! {
        (h.below(x(0.0), x(1.0), base))
        @if let Some((s, _)) = v { (s.beside(MARGIN.0 - 6.0, 10.0, base)) }
    };
    let said = format!("Tests by {}{}", h.name, v.map_or(String::new(), |(s, _)| format!(" and {}", s.name)));
    html! {
        svg viewBox=(format!("0 0 {width} {height}")) width=(width) height=(height) role="img" aria-label=(said) {
            (PreEscaped(out)) (labels)
        }
    }
}

/// The mark of an origin: shape and colour both tell.
pub(super) fn mark(origin: &str, x: f64, y: f64) -> String {
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
