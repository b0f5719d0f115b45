//! Charts as SVG, written by hand: they need no script, take little room, and follow the colours of the page. Vega-Lite
//! would draw nothing without JavaScript, and is larger than the rest of the report.

use super::bands::{Band, MutantBand, Ranges};
use super::data::Run;
use super::runs::runs;
use super::source::change;
use crate::mutate::MutationOperator;
use crate::record::VerdictWord;
use crate::report::number::rough;
use maud::{Markup, PreEscaped, html};
use std::fmt::Write as _;

/// The width of the kill matrix in units of the page.
const WIDTH: f64 = 900.0;
/// The width of a chart of ranges, which a phone shows without scrolling.
const NARROW: f64 = 480.0;
/// The height of its rows: a line of text, and below it the bar.
const RANGE: f64 = 31.0;
/// What is left free on both sides of its axis.
const SIDE: f64 = 14.0;

/// Coordinates need no more than a tenth of a pixel.
pub(super) fn px(x: f64) -> String {
    let text = format!("{x:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// A number of tolerances on an axis that is linear about 0 and logarithmic far from it.
fn symlog(u: f64) -> f64 {
    u.signum() * (1.0 + u.abs()).log10()
}

/// A mutant's name in a chart: of a long change only what differs, and where it is.
fn label(run: &Run, m: usize) -> String {
    let mutant = &run.mutants[m];
    let short =
        |t: &str| if t.chars().count() > 18 { t.chars().take(17).chain(['…']).collect() } else { t.to_owned() };
    let long = mutant.before.chars().count().max(mutant.after.chars().count()) > 18;
    let (before, after) =
        if long { change(&mutant.before, &mutant.after) } else { (mutant.before.clone(), mutant.after.clone()) };
    let place = if mutant.operator == MutationOperator::Accuracy {
        String::new()
    } else {
        format!(" at {}:{}", mutant.line, mutant.column)
    };
    format!("{} → {}{place}", short(&before), short(&after))
}

/// The ranges of one test.
pub(super) fn ranges(run: &Run, test: usize, r: &Ranges) -> Markup {
    let finite = |u: &f64| u.is_finite();
    let ends = r.mutants.iter().flat_map(|m| &m.bands).flat_map(|b| [b.lo, b.hi]).chain(r.observed).filter(finite);
    // Up to three tolerances at least, and not so far that the specification's own range is a line.
    let reach = ends.fold(3.0_f64, |a, u| a.max(u.abs())).min(1e30) * 1.5;
    let (x0, x1) = (SIDE, NARROW - SIDE);
    let half = (x1 - x0) / 2.0;
    let x = |u: f64| (x0 + half + symlog(u) / symlog(reach) * half).clamp(x0, x1);
    let rows = 1 + r.mutants.len() + usize::from(r.observed.is_some());
    let bottom = rows as f64 * RANGE + 4.0;
    let top = |row: usize| row as f64 * RANGE;
    let mut out = String::new();
    let rect = |out: &mut String, class: &str, b: Band, row: usize| {
        let (l, w) = (x(b.lo), (x(b.hi) - x(b.lo)).max(2.0));
        let y = top(row) + 16.0;
        let _ =
            write!(out, "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"11\"/>", px(l), px(y), px(w));
    };
    let text = |class: &str, at: f64, y: f64, text: &str| {
        html! { text class=(class) x=(px(at)) y=(px(y)) { (text) } }.into_string()
    };
    // The line of text of a row: what it is about, and what holds.
    let heading = |row: usize, what: &str, said: &str| what.to_owned() + &text("end", x1, top(row) + 12.0, said);
    // The specification: KO, gap, OK, gap, KO.
    rect(&mut out, "ko", Band { lo: -reach, hi: reach }, 0);
    rect(&mut out, "gap", r.outer, 0);
    rect(&mut out, "ok", r.inner, 0);
    for u in [r.outer.lo, r.outer.hi] {
        let at = px(x(u));
        let _ = write!(out, "<path class=\"edge\" d=\"M{at} 15V{}\"/>", px(bottom));
    }
    out += &heading(0, &text("", x0, 12.0, "the specification: OK inside, KO outside"), "±1 tolerance");
    for (k, MutantBand { mutant: m, bands, off }) in r.mutants.iter().enumerate() {
        let row = k + 1;
        let verdict = run.matrix.rows[test][*m];
        let class = match verdict {
            VerdictWord::Ko => "band killed",
            VerdictWord::Probable => "band probable",
            VerdictWord::Ok | VerdictWord::Uncertain | VerdictWord::None => "band alive",
        };
        bands.iter().for_each(|band| rect(&mut out, class, *band, row));
        let said = match verdict {
            VerdictWord::Ko if off.is_infinite() => "KO, no finite result".to_owned(),
            VerdictWord::Ko => format!("KO, {} off", rough(*off)),
            VerdictWord::Probable => "probably seen".to_owned(),
            VerdictWord::Uncertain => "not told apart".to_owned(),
            VerdictWord::Ok | VerdictWord::None => "within, OK".to_owned(),
        };
        let link = format!("#m-{}", run.mutants[*m].id);
        let name = html! { a href=(link) { (PreEscaped(text("code", x0, top(row) + 12.0, &label(run, *m)))) } };
        out += &heading(row, &name.into_string(), &said);
    }
    if let Some(u) = r.observed {
        let row = rows - 1;
        let d = format!("M{} {}l6 6l-6 6l-6 -6z", px(x(u)), px(top(row) + 15.0));
        let _ = write!(out, "<path class=\"seen\" d=\"{d}\"/>");
        let what = text("", x0, top(row) + 12.0, "returned by the implementation");
        out += &heading(row, &what, &format!("at {}", rough(u)));
    }
    let _ = write!(out, "<path class=\"axis\" d=\"M{} {b}H{}\"/>", px(x0), px(x1), b = px(bottom));
    for u in ticks(reach) {
        let at = x(u);
        let _ = write!(out, "<path class=\"axis\" d=\"M{} {}v4\"/>", px(at), px(bottom));
        out += &text("mid", at, bottom + 16.0, &tick(u));
    }
    out += &text("mid faint", (x0 + x1) / 2.0, bottom + 31.0, "distance of a result from f(x), in tolerances");
    let said = format!("Ranges of {}: what passes, and what the nearest mutants return", run.tests[test].id);
    svg("chart ranges", &said, (NARROW, bottom + 36.0), out)
}

/// Some powers of ten on both sides of 0, not more than fit.
fn ticks(reach: f64) -> Vec<f64> {
    let most = reach.log10().floor().max(0.0) as i32;
    let step = ((most + 2) / 3).max(1);
    let powers: Vec<f64> = (0..=most).step_by(step as usize).map(|k| 10f64.powi(k)).collect();
    // 1 is close to 0 where the axis is long.
    let powers: Vec<f64> = powers.into_iter().filter(|p| symlog(*p) / symlog(reach) > 0.2).collect();
    powers.iter().rev().map(|p| -p).chain([0.0]).chain(powers.iter().copied()).collect()
}

fn tick(u: f64) -> String {
    if u.abs() < 1e4 { format!("{u}") } else { format!("{u:e}") }.replace('-', "−")
}

pub(super) fn svg(class: &str, said: &str, (width, height): (f64, f64), inside: String) -> Markup {
    let wide = width > NARROW;
    html! {
        // What may be wider than a page is scrolled by keyboard as well.
        div class=(class) tabindex=[wide.then_some("0")] role=[wide.then_some("region")] aria-label=[wide.then_some(said)] {
            svg viewBox={ "0 0 " (px(width)) " " (px(height)) } width=(px(width)) height=(px(height)) role="img" aria-label=(said) {
                (PreEscaped(inside))
            }
        }
    }
}

/// The kill matrix: a row a test, a column a mutant, by operator; in each operator the mutants in the order of the first
/// test that kills them, those that no test kills last.
pub(super) fn matrix(run: &Run, operators: &[(&str, Vec<usize>)]) -> Markup {
    let (x0, row, gap) = (60.0, 11.0, 10.0);
    let all: usize = operators.iter().map(|(_, m)| m.len()).sum();
    if all == 0 || run.tests.is_empty() {
        return html! { p { "There is nothing to show: no mutant or no test." } };
    }
    // Even an operator with few mutants has room for its name.
    let free = WIDTH - x0 - 76.0 * operators.len() as f64;
    let top = 34.0;
    let bottom = top + row * run.tests.len() as f64;
    let mut out = String::new();
    let mut x = x0;
    for (name, mutants) in operators {
        let width = (76.0 - gap) + free.max(0.0) * mutants.len() as f64 / all as f64;
        let mut order = mutants.clone();
        order.sort_by_key(|m| (run.mutants[*m].killers.first().copied().unwrap_or(usize::MAX), *m));
        let each = width / order.len() as f64;
        let alive = order.iter().filter(|m| run.mutants[**m].killers.is_empty()).count();
        let _ = write!(
            out,
            "<rect class=\"ground\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            px(x),
            px(top),
            px(width),
            px(bottom - top)
        );
        if alive > 0 {
            let w = each * alive as f64;
            let _ = write!(
                out,
                "<rect class=\"none\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                px(x + width - w),
                px(top),
                px(w),
                px(bottom - top)
            );
        }
        for (t, cells) in run.matrix.rows.iter().enumerate() {
            for (cell, class) in [(VerdictWord::Ko, "killed"), (VerdictWord::Probable, "probable")] {
                let mut d = String::new();
                for (start, len) in runs(order.iter().map(|m| cells[*m] == cell)) {
                    let from = x + each * start as f64;
                    let y = top + row * (t as f64 + 0.5);
                    let _ = write!(d, "M{} {}h{}", px(from), px(y), px((each * len as f64).max(0.3)));
                }
                if !d.is_empty() {
                    let _ = write!(out, "<path class=\"cells {class}\" d=\"{d}\"/>");
                }
            }
        }
        let head = html! {
            a href={ "#o-" (name) } { text x=(px(x)) y="14" { (name) } }
            text.faint x=(px(x)) y="28" { (mutants.len()) }
        };
        out += &head.into_string();
        x += width + gap;
    }
    for (t, test) in run.tests.iter().enumerate() {
        let y = top + row * (t as f64 + 0.5) + 4.0;
        let name = html! { a href={ "#" (test.id) } { text.end.small x=(px(x0 - 6.0)) y=(px(y)) { (test.id) } } };
        out += &name.into_string();
    }
    svg("chart", "Kill matrix: which test kills which mutants, by operator", (WIDTH, bottom + 6.0), out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_is_symmetric_and_has_room_for_its_labels() {
        assert_eq!(symlog(-9.0), -1.0);
        for reach in [4.5, 150.0, 1e6, 1.5e30] {
            let ticks = ticks(reach);
            assert!(ticks.len() >= 3 && ticks.len() <= 9, "{reach}: {ticks:?}");
            assert!(ticks.iter().zip(ticks.iter().rev()).all(|(a, b)| *a == -b), "{ticks:?}");
            let at: Vec<f64> = ticks.iter().map(|u| symlog(*u) / symlog(reach)).collect();
            assert!(at.windows(2).all(|w| w[1] - w[0] > 0.19), "{reach}: {at:?}");
        }
    }
}
