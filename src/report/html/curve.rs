//! The formula over each input: its values, the band of right results around them, and the tests.

use super::around::around;
use super::charts::{px, svg};
use super::data::{Run, number};
use super::scale::{Scale, end};
use super::scatter::{self, mark};
use crate::csp::look::Prepared;
use crate::oracle::DEFAULT_CAP;
use maud::{Markup, PreEscaped, html};
use std::fmt::Write as _;

/// The most inputs that have a panel.
const PANELS: usize = 6;
/// Points of a curve; of a large formula fewer.
const POINTS: [usize; 2] = [161, 17];
/// The field of a panel.
const FIELD: (f64, f64) = (360.0, 220.0);
/// Where it begins.
const AT: (f64, f64) = (92.0, 10.0);

/// The right results at a point of an input.
struct CurvePoint {
    x: f64,
    /// The smallest and the largest; none outside of the domain and where there is none.
    right: Option<(f64, f64)>,
}

/// A panel for each input.
pub(super) fn curves(run: &Run, spec: &Prepared<'_>) -> Markup {
    let scales: Vec<Scale> = (0..run.spec.inputs.len()).map(|i| scatter::scale(run, i)).collect();
    let base = base(run, &scales);
    let Some(base) = base.filter(|_| !scales.is_empty()) else {
        return html! { p { "There is no test in the domain, and so nothing to draw." } };
    };
    let panels: Vec<Markup> =
        (0..scales.len().min(PANELS)).filter_map(|i| panel(run, spec, &scales, &base, i)).collect();
    html! {
        p { "The line is f, and the band around it holds the right results: what a result may be at this accuracy."
            @if scales.len() > 1 { " Along each input the others are held at those of test " a href={ "#" (run.tests[base].id) } { (run.tests[base].id) }
                "; the marks of other tests, drawn fainter, stand at their own results, off that line." } }
        div.panels { @for panel in panels { (panel) } }
        @if scales.len() > PANELS { p.note { "The first " (PANELS) " of " (scales.len()) " inputs are drawn." } }
    }
}

/// The test of the domain that lies nearest to its middle.
fn base(run: &Run, scales: &[Scale]) -> Option<usize> {
    let far = |t: &usize| {
        let places = run.tests[*t].x.iter().zip(scales).map(|(x, s)| (s.place(*x) - 0.5).powi(2));
        places.sum::<f64>()
    };
    let inside = (0..run.tests.len()).filter(|t| run.tests[*t].lo.is_some());
    inside.min_by(|a, b| far(a).total_cmp(&far(b)))
}

/// The values along one input; none where there is none.
fn panel(run: &Run, spec: &Prepared<'_>, scales: &[Scale], base: &usize, i: usize) -> Option<Markup> {
    let h = &scales[i];
    let count = POINTS[usize::from(run.summary.is_large)];
    let along = |place: f64| {
        let mut x = run.tests[*base].x.clone();
        x[i] = run.spec.inputs[i].format.nearest(h.value(place));
        let right = spec.look(&x, DEFAULT_CAP).allowed();
        CurvePoint { x: x[i], right: right.filter(|(lo, hi)| lo.is_finite() && hi.is_finite()) }
    };
    let points: Vec<CurvePoint> = (0..count).map(|k| along(k as f64 / (count - 1) as f64)).collect();
    let tests: Vec<(usize, f64, f64)> = (0..run.tests.len())
        .filter_map(|t| Some((t, number(run.tests[t].lo.as_ref())?, number(run.tests[t].hi.as_ref())?)))
        .filter(|(_, lo, hi)| lo.is_finite() && hi.is_finite())
        .collect();
    let values = points.iter().filter_map(|p| p.right).chain(tests.iter().map(|t| (t.1, t.2)));
    let ends: Vec<f64> = values.flat_map(|(lo, hi)| [lo, hi]).collect();
    let v = Scale::of("f", ends.iter().copied())?;
    // Values of one sign that differ much are seen by their magnitude alone.
    let is_wide = v.shown.0 > 0.0 && v.shown.1 / v.shown.0 > 100.0 || v.shown.1 < 0.0 && v.shown.0 / v.shown.1 > 100.0;
    let v = Scale { ordinal: v.ordinal || is_wide, ..v };
    let x = |x: f64| AT.0 + h.place(x) * FIELD.0;
    let y = |y: f64| AT.1 + (1.0 - v.place(y)) * FIELD.1;
    let mut out = String::new();
    let (l, r) = (x(h.range.0), x(h.range.1));
    let _ = write!(
        out,
        "<rect class=\"domain\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/><rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
        px(l),
        px(AT.1),
        px(r - l),
        px(FIELD.1),
        px(AT.0),
        px(AT.1),
        px(FIELD.0),
        px(FIELD.1)
    );
    let mut widest: f64 = 0.0;
    for stretch in points.split(|p| p.right.is_none()).filter(|s| !s.is_empty()) {
        let right = |p: &CurvePoint| p.right.unwrap_or_default();
        let at = |to: f64, p: &CurvePoint| format!("{} {}", px(x(p.x)), px(y(to)));
        let upper: Vec<String> = stretch.iter().map(|p| at(right(p).1, p)).collect();
        let lower: Vec<String> = stretch.iter().rev().map(|p| at(right(p).0, p)).collect();
        widest = stretch.iter().map(|p| y(right(p).0) - y(right(p).1)).fold(widest, f64::max);
        let middle: Vec<String> = stretch.iter().map(|p| at(0.5 * right(p).0 + 0.5 * right(p).1, p)).collect();
        let _ = write!(out, "<path class=\"right\" d=\"M{}L{}Z\"/>", upper.join("L"), lower.join("L"));
        let _ = write!(out, "<path class=\"curve\" d=\"M{}\"/>", middle.join("L"));
    }
    for (t, lo, hi) in tests {
        let test = &run.tests[t];
        let on = scales.len() == 1 || test.x.iter().enumerate().all(|(k, at)| k == i || *at == run.tests[*base].x[k]);
        let dot = mark(&test.origin, x(test.x[i]), y(0.5 * lo + 0.5 * hi));
        let one = html! { a class=[(!on).then_some("off")] href={ "#" (test.id) } { title { (test.id) ": " (test.origin) } (PreEscaped(dot)) } };
        out += &one.into_string();
    }
    out += &html! { (h.below(AT.0, AT.0 + FIELD.0, AT.1 + FIELD.1)) (v.beside(AT.0 - 6.0, AT.1, AT.1 + FIELD.1)) }
        .into_string();
    let said = format!("f over {}: from {} to {}", h.name, end(v.shown.0), end(v.shown.1));
    let size = (AT.0 + FIELD.0 + 20.0, AT.1 + FIELD.1 + 40.0);
    Some(html! { figure.curve {
        (svg("panel", &said, size, out))
        @if widest < 1.0 {
            figcaption.note { "Here the band is thinner than the line; the charts of the tests show it in tolerances." }
            @if let Some(beneath) = around(run, h, i) { (beneath) }
        }
    } })
}
