//! The errors of an implementation in tolerances, over its inputs.

use super::charts::{px, svg};
use super::scale::Scale;
use crate::record::VerdictWord;
use crate::record::check::Check;
use crate::record::number::from_hex;
use crate::record::worst::Worst;
use crate::report::number::rough;
use maud::{Markup, html};
use std::fmt::Write as _;

/// Errors in tolerances at which the colour changes, and what each stretch is called; the last class is of what is no
/// number.
const LEVELS: [(f64, &str); 5] =
    [(0.5, "below 0.5"), (1.0, "0.5 to 1"), (10.0, "1 to 10"), (1e3, "10 to 1000"), (f64::INFINITY, "1000 and more")];
/// What has no error, since no number was returned.
const NO_NUMBER: &str = "no finite number";
/// The most inputs that have a panel.
const PANELS: usize = 6;
/// The most lines over parallel axes, the largest errors.
const LINES: usize = 200;
/// The most columns and rows of a heat map.
const CELLS: usize = 48;
/// The field of a chart.
const FIELD: (f64, f64) = (360.0, 200.0);
/// Where it begins.
const AT: (f64, f64) = (92.0, 10.0);

/// An input with the error there.
#[derive(Clone, Debug)]
pub(super) struct ErrorPoint {
    /// The input.
    pub(super) x: Vec<f64>,
    /// In tolerances; none where no finite number was returned.
    pub(super) error: Option<f64>,
    /// What it is called.
    pub(super) id: String,
}

/// Errors over named inputs.
#[derive(Clone, Debug, Default)]
pub(super) struct Errors {
    /// The names of the inputs.
    pub(super) names: Vec<String>,
    /// Where something was looked at.
    pub(super) points: Vec<ErrorPoint>,
}

impl Errors {
    /// At the tests of the domain that got a verdict.
    pub(super) fn of_check(check: &Check) -> Self {
        let names =
            check.tests.first().map_or(Vec::new(), |t| t.inputs.0.iter().map(|(name, _)| name.clone()).collect());
        let judged = check.tests.iter().filter(|t| {
            !t.robustness && matches!(t.verdict, VerdictWord::Ok | VerdictWord::Ko | VerdictWord::Uncertain)
        });
        let point = |t: &crate::record::check::TestResult| {
            let x = t.inputs.0.iter().map(|(_, x)| from_hex(x)).collect::<Option<Vec<f64>>>()?;
            let error = t.error_in_bounds.as_ref().and_then(|e| e.parse().ok()).filter(|e: &f64| e.is_finite());
            // Something was returned, and its error is not known: that is no claim to draw.
            let is_known = error.is_some() || t.verdict == VerdictWord::Ko;
            is_known.then(|| ErrorPoint { x, error, id: t.id.clone() })
        };
        Errors { names, points: judged.filter_map(point).collect() }
    }

    /// The largest that a search found by place, and in each part of the domain.
    pub(super) fn of_worst(worst: &Worst) -> Self {
        let names: Vec<String> = worst.inputs.iter().map(|i| i.name.clone()).collect();
        let numbers =
            |texts: &mut dyn Iterator<Item = &String>| texts.map(|x| from_hex(x)).collect::<Option<Vec<f64>>>();
        let by_place = worst.picture.iter().filter_map(|cell| {
            Some(ErrorPoint { x: numbers(&mut cell.input.iter())?, error: from_hex(&cell.error), id: String::new() })
        });
        let parts = worst.parts.iter().filter_map(|p| {
            let x = numbers(&mut p.input.0.iter().map(|(_, x)| x))?;
            Some(ErrorPoint { x, error: p.tolerances.parse().ok().filter(|e: &f64| e.is_finite()), id: p.id.clone() })
        });
        let findings = worst.findings.iter().filter_map(|f| {
            Some(ErrorPoint { x: numbers(&mut f.input.0.iter().map(|(_, x)| x))?, error: None, id: f.id.clone() })
        });
        Errors { names, points: by_place.chain(parts).chain(findings).collect() }
    }

    /// The largest last, so that it is drawn over the others.
    fn sorted(&self) -> Vec<&ErrorPoint> {
        let mut all: Vec<&ErrorPoint> = self.points.iter().collect();
        let size = |p: &ErrorPoint| p.error.unwrap_or(f64::INFINITY);
        all.sort_by(|a, b| size(a).total_cmp(&size(b)));
        all
    }

    fn values(&self, i: usize) -> impl Iterator<Item = f64> + Clone {
        self.points.iter().filter_map(move |p| p.x.get(i).copied())
    }

    /// All charts: over each input, of two a map, of more parallel axes. `what` says what is drawn.
    pub(super) fn charts(&self, what: &str) -> Markup {
        let dims = self.names.len();
        if self.points.is_empty() || dims == 0 {
            return html! { p { "There is no error to draw." } };
        }
        let of_input = |i: usize| scales(&self.names[i], self.values(i), dims == 1).into_iter().map(move |s| (i, s));
        let panels: Vec<Markup> =
            (0..dims.min(PANELS)).flat_map(of_input).map(|(i, scale)| self.over(i, &scale)).collect();
        html! {
            p { (what) " The dashed line is the bound: above it a result is wrong." }
            (legend(self))
            @if dims == 2 { (self.map()) }
            @if dims > 2 { (self.parallel()) }
            div.panels { @for panel in panels { (panel) } }
            @if dims > PANELS { p.note { "The first " (PANELS) " of " (dims) " inputs have a panel." } }
        }
    }

    /// The errors over one input: by their logarithm, what is no number at the top.
    fn over(&self, i: usize, h: &Scale) -> Markup {
        let largest = self.points.iter().filter_map(|p| p.error).fold(1.0, f64::max);
        let positive = self.points.iter().filter_map(|p| p.error).filter(|e| *e > 0.0);
        let least = positive.fold(0.1, f64::min).max(LEAST);
        let (low, high) = (least.log10().floor(), largest.log10().ceil().max(1.0));
        // Some seven labels.
        let step = ((high - low) / 7.0).ceil().max(1.0) as usize;
        let x = |x: f64| AT.0 + h.place(x) * FIELD.0;
        let y = |e: f64| AT.1 + ROOM + (FIELD.1 - ROOM) * (1.0 - (e.max(10f64.powf(low)).log10() - low) / (high - low));
        let mut out = frame();
        for k in (low as i32..=high as i32).filter(|k| k.rem_euclid(step as i32) == 0) {
            let (at, label) = (y(10f64.powi(k)), power(k));
            let _ = write!(out, "<path class=\"axis\" d=\"M{} {}h-4\"/>", px(AT.0), px(at));
            out += &html! { text.end.small x=(px(AT.0 - 7.0)) y=(px(at + 3.0)) { (label) } }.into_string();
        }
        let _ = write!(out, "<path class=\"edge\" d=\"M{} {}h{}\"/>", px(AT.0), px(y(1.0)), px(FIELD.0));
        for p in self.sorted() {
            let Some(at) = p.x.get(i) else { continue };
            let (px_, py) = (x(*at), p.error.map_or(AT.1 + 6.0, y));
            out += &dot(p, px_, py);
        }
        out += &h.below(AT.0, AT.0 + FIELD.0, AT.1 + FIELD.1).into_string();
        let beside = html! { text.end.code x=(px(AT.0 - 46.0)) y=(px(AT.1 + FIELD.1 / 2.0)) { "error" } };
        out += &beside.into_string();
        svg("panel", &format!("Errors in tolerances over {}", h.title()), size(), out)
    }

    /// The largest error in each cell of two inputs.
    fn map(&self) -> Markup {
        let (Some(h), Some(v)) = (Scale::of(&self.names[0], self.values(0)), Scale::of(&self.names[1], self.values(1)))
        else {
            return html! {};
        };
        // As many cells as there is something to show in.
        let columns = ((self.points.len() as f64).sqrt().ceil() as usize).clamp(4, CELLS);
        let mut cells: Vec<Option<usize>> = vec![None; columns * columns];
        let cell = |s: &Scale, x: f64| ((s.place(x) * columns as f64) as usize).min(columns - 1);
        for p in &self.points {
            let at = cell(&v, p.x[1]) * columns + cell(&h, p.x[0]);
            cells[at] = cells[at].max(Some(level(p.error)));
        }
        let (w, t) = (FIELD.0 / columns as f64, SQUARE / columns as f64);
        let mut out = String::new();
        for (k, level) in cells.iter().enumerate() {
            let Some(level) = level else { continue };
            let (column, row) = ((k % columns) as f64, (k / columns) as f64);
            let (left, top) = (AT.0 + column * w, AT.1 + SQUARE - (row + 1.0) * t);
            let _ = write!(
                out,
                "<rect class=\"e{level}\" x=\"{left:.2}\" y=\"{top:.2}\" width=\"{w:.2}\" height=\"{t:.2}\"/>"
            );
        }
        let _ = write!(
            out,
            "<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{SQUARE}\"/>",
            px(AT.0),
            px(AT.1),
            px(FIELD.0)
        );
        let base = AT.1 + SQUARE;
        out += &html! { (h.below(AT.0, AT.0 + FIELD.0, base)) (v.beside(AT.0 - 6.0, AT.1, base)) }.into_string();
        let said = format!("The largest error over {} and {}", self.names[0], self.names[1]);
        html! { figure {
            (svg("panel", &said, (AT.0 + FIELD.0 + 20.0, base + 40.0), out))
            figcaption.note { "The largest error in each cell; where there is no cell nothing was looked at." }
        } }
    }

    /// An axis for each input; an input is a line from axis to axis.
    fn parallel(&self) -> Markup {
        let scales: Vec<Scale> =
            self.names.iter().enumerate().filter_map(|(i, name)| Scale::of(name, self.values(i))).collect();
        let sorted = self.sorted();
        let drawn = &sorted[sorted.len().saturating_sub(LINES)..];
        let lines = drawn.iter().map(|p| (format!("e-line e{}", level(p.error)), p.x.as_slice()));
        html! { figure {
            (parallel("Errors over all inputs", &scales, lines))
            figcaption.note { "A line is an input, with its value on each axis; the largest errors are drawn last."
                @if drawn.len() < sorted.len() { " The " (drawn.len()) " largest of " (sorted.len()) " are drawn." } }
        } }
    }
}

/// An axis from bottom to top for each scale, and lines with their classes over all of them.
pub(super) fn parallel<'a>(said: &str, scales: &[Scale], lines: impl Iterator<Item = (String, &'a [f64])>) -> Markup {
    let (top, tall, each) = (24.0, 200.0, 130.0);
    let x = |k: usize| 60.0 + each * k as f64;
    let y = |s: &Scale, v: f64| top + tall * (1.0 - s.place(v));
    let mut out = String::new();
    for (class, values) in lines {
        let points: Vec<String> =
            scales.iter().zip(values).enumerate().map(|(k, (s, v))| format!("{} {}", px(x(k)), px(y(s, *v)))).collect();
        let _ = write!(out, "<path class=\"{class}\" d=\"M{}\"/>", points.join("L"));
    }
    for (k, s) in scales.iter().enumerate() {
        let _ = write!(out, "<path class=\"axis\" d=\"M{} {top}v{tall}\"/>", px(x(k)));
        let labels = html! {
            text.mid.small x=(px(x(k))) y=(top - 8.0) { (super::scale::end(s.shown.1)) }
            text.mid.small x=(px(x(k))) y=(top + tall + 14.0) { (super::scale::end(s.shown.0)) }
            text.mid.code x=(px(x(k))) y=(top + tall + 30.0) { (s.name) }
            @if s.ordinal { text.mid.faint.small x=(px(x(k))) y=(top + tall + 43.0) { "by floats" } }
        };
        out += &labels.into_string();
    }
    let wide = 120.0 + each * scales.len().saturating_sub(1) as f64;
    svg("chart parallel", said, (wide, top + tall + 50.0), out)
}

/// Below this error, in tolerances, all are drawn alike: at the lower edge.
const LEAST: f64 = 1e-12;
/// The room at the top of a chart for what is no number.
const ROOM: f64 = 14.0;
/// The height of a map.
const SQUARE: f64 = 260.0;

fn size() -> (f64, f64) {
    (AT.0 + FIELD.0 + 20.0, AT.1 + FIELD.1 + 40.0)
}

fn frame() -> String {
    format!(
        "<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
        px(AT.0),
        px(AT.1),
        px(FIELD.0),
        px(FIELD.1)
    )
}

/// `0.01`, `1`, `1e6`.
fn power(k: i32) -> String {
    if (-3..=3).contains(&k) { format!("{}", 10f64.powi(k)) } else { format!("1e{k}") }
}

/// The scales of an input: of the only one by value and by floats.
fn scales(name: &str, values: impl Iterator<Item = f64> + Clone, is_only: bool) -> Vec<Scale> {
    let Some(scale) = Scale::of(name, values) else { return Vec::new() };
    match is_only {
        true => [false, true].map(|ordinal| Scale { ordinal, ..scale.clone() }).to_vec(),
        false => vec![scale],
    }
}

/// The class of an error, from 0.
fn level(error: Option<f64>) -> usize {
    error.map_or(LEVELS.len(), |e| LEVELS.iter().take_while(|(upto, _)| e > *upto).count().min(LEVELS.len() - 1))
}

/// A mark: what is wrong has another shape too.
fn dot(p: &ErrorPoint, x: f64, y: f64) -> String {
    let level = level(p.error);
    let shape = match p.error {
        None => format!("<path class=\"e{level} e-none\" d=\"M{} {}l8 8m0 -8l-8 8\"/>", px(x - 4.0), px(y - 4.0)),
        Some(e) if e > 1.0 => format!("<path class=\"e{level}\" d=\"M{} {}l5 5l-5 5l-5 -5z\"/>", px(x), px(y - 5.0)),
        Some(_) => format!("<circle class=\"e{level}\" cx=\"{}\" cy=\"{}\" r=\"2.5\"/>", px(x), px(y)),
    };
    let said = p.error.map_or(NO_NUMBER.to_owned(), |e| format!("{} tolerances", rough(e)));
    html! { g { title { @if !p.id.is_empty() { (p.id) ": " } (said) } (maud::PreEscaped(shape)) } }.into_string()
}

/// The colours that are used.
fn legend(errors: &Errors) -> Markup {
    let used = |k: usize| errors.points.iter().filter(|p| level(p.error) == k).count();
    let names = LEVELS.iter().map(|(_, name)| *name).chain([NO_NUMBER]).enumerate();
    html! { p.legend { @for (k, name) in names { @if used(k) > 0 {
        span { svg.key width="16" height="16" viewBox="-8 -8 16 16" aria-hidden="true" { rect class={ "e" (k) } x="-6" y="-6" width="12" height="12" {} } (name) " (" (used(k)) ")" }
    } } } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_of_errors() {
        let levels = [0.0, 0.5, 0.7, 1.0, 1.1, 10.0, 999.0, 1e3, 1e9].map(|e| level(Some(e)));
        assert_eq!(levels, [0, 0, 1, 1, 2, 2, 3, 3, 4]);
        assert_eq!(level(None), LEVELS.len());
    }

    #[test]
    fn a_chart_has_a_mark_for_each_point_and_the_largest_last() {
        let point = |x: f64, error: Option<f64>| ErrorPoint { x: vec![x], error, id: String::new() };
        let points = vec![point(1.0, Some(50.0)), point(2.0, None), point(3.0, Some(0.1)), point(4.0, Some(2.0))];
        let errors = Errors { names: vec!["x".to_owned()], points };
        let page = errors.charts("Errors.").into_string();
        // Once by value and once by floats.
        assert_eq!(page.matches("<svg viewBox=").count(), 2);
        assert!(page.contains("x, by floats") && page.contains("dashed line is the bound"));
        let first = page.split("<svg viewBox=").nth(1).unwrap();
        let marks: Vec<&str> = first.split("<title>").skip(1).filter_map(|t| t.split("</title>").next()).collect();
        assert_eq!(marks, ["0.100 tolerances", "2.000 tolerances", "50.000 tolerances", "no finite number"]);
    }

    #[test]
    fn a_map_keeps_the_largest_error_of_a_cell() {
        let point = |x: f64, y: f64, e: f64| ErrorPoint { x: vec![x, y], error: Some(e), id: String::new() };
        let points = vec![point(0.0, 0.0, 0.1), point(0.01, 0.0, 5.0), point(1.0, 1.0, 0.1)];
        let errors = Errors { names: vec!["x".to_owned(), "y".to_owned()], points };
        let map = errors.map().into_string();
        assert_eq!((map.matches("\"e0\"").count(), map.matches("\"e2\"").count()), (1, 1), "{map}");
    }
}
