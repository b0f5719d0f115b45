//! What an implementation returned around f, in tolerances: what the picture of values cannot show where the band of right
//! results is thinner than a line.

use super::charts::{px, svg};
use super::data::{Run, number};
use super::scale::Scale;
use crate::record::check::TestResult;
use crate::record::number::from_hex;
use crate::report::number::rough;
use maud::{Markup, html};
use std::fmt::Write as _;

/// How far the picture reaches from f, in tolerances; what lies beyond stands at the edge.
const REACH: f64 = 2.0;
/// The field of the picture.
const FIELD: (f64, f64) = (360.0, 90.0);
/// Where it begins.
const AT: (f64, f64) = (92.0, 14.0);

/// A result over input `i`; none where there are no results in the domain.
pub(super) fn around(run: &Run, h: &Scale, i: usize) -> Option<Markup> {
    let check = run.check.as_ref()?;
    let points: Vec<(&TestResult, f64, f64)> =
        check.tests.iter().filter_map(|t| Some((t, input(t, i)?, off(t)?))).collect();
    if points.is_empty() {
        return None;
    }
    let y = |off: f64| AT.1 + FIELD.1 * (0.5 - off.clamp(-REACH, REACH) / (2.0 * REACH));
    let mut out = String::new();
    let (top, bottom) = (y(1.0), y(-1.0));
    let _ = write!(
        out,
        "<rect class=\"right\" x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\"/><rect class=\"frame\" x=\"{0}\" y=\"{4}\" width=\"{2}\" height=\"{5}\"/><path class=\"curve\" d=\"M{0} {6}h{2}\"/>",
        px(AT.0),
        px(top),
        px(FIELD.0),
        px(bottom - top),
        px(AT.1),
        px(FIELD.1),
        px(y(0.0)),
    );
    for (at, label) in [(1.0, "+1"), (0.0, "f"), (-1.0, "−1")] {
        out += &html! { text.end.small x=(px(AT.0 - 7.0)) y=(px(y(at) + 3.0)) { (label) } }.into_string();
    }
    let mut beyond = 0;
    for (test, at, off) in &points {
        let (x, y) = (AT.0 + h.place(*at) * FIELD.0, y(*off));
        beyond += usize::from(off.abs() > REACH);
        // Beyond the edge an arrow points there.
        let shape = match off {
            _ if *off > REACH => format!("<path class=\"e4\" d=\"M{} {}l4 7h-8z\"/>", px(x), px(y)),
            _ if *off < -REACH => format!("<path class=\"e4\" d=\"M{} {}l4 -7h-8z\"/>", px(x), px(y)),
            _ if off.abs() > 1.0 => format!("<path class=\"e2\" d=\"M{} {}l5 5l-5 5l-5 -5z\"/>", px(x), px(y - 5.0)),
            _ => format!("<circle class=\"e0\" cx=\"{}\" cy=\"{}\" r=\"2.5\"/>", px(x), px(y)),
        };
        let said = format!("{}: {} tolerances from f", test.id, rough(*off));
        out += &html! { g { title { (said) } (maud::PreEscaped(shape)) } }.into_string();
    }
    out += &h.below(AT.0, AT.0 + FIELD.0, AT.1 + FIELD.1).into_string();
    let about = format!("Results of {} around f, in tolerances, over {}", check.label(), h.name);
    let size = (AT.0 + FIELD.0 + 20.0, AT.1 + FIELD.1 + 40.0);
    Some(html! {
        (svg("panel", &about, size, out))
        figcaption.note {
            "The same in tolerances: what " (check.label()) " returned at the tests, from f."
            @if beyond > 0 { " Arrows: " (beyond) " of them, farther off than " (REACH) "." }
        }
    })
}

fn input(test: &TestResult, i: usize) -> Option<f64> {
    test.inputs.0.get(i).and_then(|(_, x)| from_hex(x))
}

/// How far a result is from the middle of the right ones, in half their width; none where there is no number or no width.
fn off(test: &TestResult) -> Option<f64> {
    let (lo, hi) = (number(test.lo.as_ref())?, number(test.hi.as_ref())?);
    let result = number(test.result.as_ref())?;
    let half = hi / 2.0 - lo / 2.0;
    let off = (result - (lo + half)) / half;
    (half > 0.0 && off.is_finite()).then_some(off)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Fields, VerdictWord};

    fn test(lo: &str, hi: &str, result: &str) -> TestResult {
        let text = |t: &str| Some(t.to_owned());
        TestResult {
            id: "t001".to_owned(),
            inputs: Fields(vec![("x".to_owned(), "0x1p+0".to_owned())]),
            inputs_dec: Fields(vec![("x".to_owned(), "1".to_owned())]),
            robustness: false,
            verdict: VerdictWord::Ok,
            answer: "result".to_owned(),
            result: text(result),
            result_dec: None,
            lo: text(lo),
            hi: text(hi),
            expected: None,
            error_in_bounds: None,
            error_in_ulps: None,
            reason: String::new(),
        }
    }

    #[test]
    fn results_stand_where_they_are_in_tolerances() {
        // From 1 to 3 the middle is 2, and half the width 1.
        for (result, expected) in [("0x1p+1", 0.0), ("0x1.8p+1", 1.0), ("0x1p+0", -1.0), ("0x1p+3", 6.0)] {
            assert_eq!(off(&test("0x1p+0", "0x1.8p+1", result)), Some(expected), "{result}");
        }
        assert_eq!(off(&test("0x1p+0", "0x1p+0", "0x1p+0")), None, "one number alone is right");
        assert_eq!(off(&test("0x1p+0", "0x1.8p+1", "nan")), None);
        // The difference of the ends is no number.
        let off = off(&test("-0x1.8p+1023", "0x1.8p+1023", "0x1.8p+1023")).unwrap();
        assert!((off - 1.0).abs() < 1e-9, "{off}");
        assert_eq!(input(&test("", "", ""), 0), Some(1.0));
    }
}
