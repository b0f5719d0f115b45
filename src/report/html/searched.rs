//! The page of a search for the worst input of an implementation.

use super::page::bare;
use super::tables::plural;
use crate::record::worst::{Worst, WorstPart};
use crate::record::{
    Fields, VerdictWord,
    number::{decimal, from_hex, rough},
};
use maud::{Markup, html};
use std::fmt::Write as _;

/// The whole file; the picture is an SVG document.
pub(super) fn page(w: &Worst, picture: Option<&[u8]>) -> Markup {
    let title = format!("{}: worst inputs found by Magneto", w.specification);
    bare(
        &title,
        html! {
            header {
                h1 { (w.specification) @if let Some(r) = &w.requirement { " " span.req { (r) } } }
                p { "Search by Magneto for the input at which an implementation errs most" }
            }
            main {
                section aria-labelledby="h-summary" { h2 #h-summary { "Summary" } (summary(w)) }
                @if let Some(svg) = picture {
                    section aria-labelledby="h-picture" { h2 #h-picture { "Errors over the domain" }
                        img src=(as_address(svg)) alt="The largest errors found, by place"; }
                }
                @if !w.findings.is_empty() {
                    section aria-labelledby="h-findings" { h2 #h-findings { "No finite result" } (findings(w)) }
                }
                @if !w.regions.is_empty() {
                    section aria-labelledby="h-regions" { h2 #h-regions { "Where results are wrong" } (regions(w)) }
                }
                @if !w.parts.is_empty() {
                    section aria-labelledby="h-parts" { h2 #h-parts { "The worst of each part of the domain" } (parts(w)) }
                }
            }
        },
    )
}

fn summary(w: &Worst) -> Markup {
    let has = |verdict| w.parts.iter().any(|p| p.verdict == verdict);
    let counted = |of: fn(&crate::record::worst::Exhaustive) -> u64| w.exhaustive.as_ref().map_or(0, of);
    let wrong = has(VerdictWord::Ko) || !w.findings.is_empty() || counted(|e| e.ko) > 0;
    let open = has(VerdictWord::Uncertain) || counted(|e| e.uncertain) > 0;
    let complete = w.exhaustive.as_ref().is_some_and(|e| e.complete);
    let said = match (wrong, open, complete) {
        (true, ..) => "Something is wrong.",
        (false, true, _) => "Something is not settled at the precision cap.",
        (false, false, true) => "Right at every input of the domain, for this build.",
        (false, false, false) => "Nothing outside the bound was found. This is a search, not a proof.",
    };
    html! {
        p.verdict.{ (if wrong || open { "open" } else { "good" }) } { (said)
            @if w.interrupted { " It was interrupted before its end." } }
        p { "Accuracy: " strong { (w.accuracy) } "." }
        @if let Some(worst) = w.parts.first() {
            p { "The largest error found is " strong { (number(&worst.tolerances)) " times the bound" } ", "
                (number(&worst.ulps)) " ulps, at " (both(worst)) "." }
        }
        div.scroll tabindex="0" role="region" aria-label="What was run" { table { tbody {
            tr { th scope="row" { "evaluations" } td { (w.evaluations) } }
            @if let Some(e) = &w.exhaustive {
                @for (name, n) in [("inputs", e.inputs), ("looked at", e.seen), ("in the domain", e.owed), ("right", e.ok), ("wrong", e.ko), ("not settled", e.uncertain)] {
                    tr { th scope="row" { (name) } td { (n) } }
                }
                tr { th scope="row" { "no error above, in ulps" } td { (e.at_most_ulps) } }
            }
            @for (name, value) in &w.implementation.0 { tr { th scope="row" { (name) } td { code { (value) } } } }
        } } }
    }
}

fn findings(w: &Worst) -> Markup {
    html! { div.scroll tabindex="0" role="region" aria-label="No finite result" { table {
        thead { tr { @for name in ["test", "what", "first at", "how often", "owed"] { th scope="col" { (name) } } } }
        tbody { @for f in &w.findings { tr {
            td { (f.id) } td { (f.what) } td { (inputs(&f.input)) } td { (f.times) } td { (owed(f.owed.as_ref())) }
        } } }
    } } }
}

fn regions(w: &Worst) -> Markup {
    html! { div.scroll tabindex="0" role="region" aria-label="Where results are wrong" { table {
        thead { tr { @for name in ["along", "from", "to", "beside", "wrong there"] { th scope="col" { (name) } } } }
        tbody { @for r in &w.regions { tr {
            td { (r.along) } td { (exact(&r.from)) } td { (exact(&r.to)) } td { (inputs(&r.at)) }
            td { (r.wrong) " of " (plural(usize::try_from(r.tried).unwrap_or(usize::MAX), "input", "inputs")) }
        } } }
    } } }
}

fn parts(w: &Worst) -> Markup {
    html! { div.scroll tabindex="0" role="region" aria-label="The worst of each part" { table {
        thead { tr { @for name in ["test", "input", "returned", "owed", "times the bound", "ulps", "verdict", "part"] { th scope="col" { (name) } } } }
        tbody { @for p in &w.parts { tr {
            td { (p.id) } td { (both(p)) } td { (exact(&p.result)) } td { (owed(p.owed.as_ref())) }
            td { (number(&p.tolerances)) } td { (number(&p.ulps)) } td { (p.verdict.name()) } td { (ends(p)) }
        } } }
    } } }
}

/// A number of which the first digits matter.
fn number(text: &str) -> String {
    text.parse().map_or_else(|_| text.to_owned(), rough)
}

fn inputs(of: &Fields<String>) -> Markup {
    html! { @for (name, x) in &of.0 { (name) " = " (exact(x)) " " } }
}

/// An exact number in decimal, and then as it is where that is another text.
fn exact(x: &str) -> Markup {
    let dec = from_hex(x).map_or_else(|| x.to_owned(), decimal);
    html! { code { (dec) } @if dec != x { " " span.hex.faint { (x) } } }
}

/// The input of a part, in decimal and then exactly where that is another text.
fn both(part: &WorstPart) -> Markup {
    html! { @for ((name, exact), (_, decimal)) in part.input.0.iter().zip(&part.input_dec.0) {
        code { (name) " = " (decimal) } @if exact != decimal { " " span.hex.faint { (exact) } } " "
    } }
}

fn owed(ends: Option<&[String; 2]>) -> Markup {
    html! { @if let Some([lo, hi]) = ends { (exact(lo)) " to " (exact(hi)) } @else { "not settled" } }
}

fn ends(part: &WorstPart) -> Markup {
    html! { @for ((name, from), (_, to)) in part.from.0.iter().zip(&part.to.0) {
        (name) " from " (exact(from)) " to " (exact(to)) " "
    } }
}

/// A picture as an address, in which no script runs.
fn as_address(svg: &[u8]) -> String {
    let mut address = "data:image/svg+xml,".to_owned();
    for byte in svg {
        if byte.is_ascii_alphanumeric() || b"-_.~ =:/;,()".contains(byte) {
            address.push(char::from(*byte));
        } else {
            let _ = write!(address, "%{byte:02X}");
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_decimal_first() {
        let text = |x: &str| exact(x).into_string();
        assert_eq!(text("0x1.8p+1"), "<code>3</code> <span class=\"hex faint\">0x1.8p+1</span>");
        // What is no number stays as it is.
        assert_eq!(text("unreadable"), "<code>unreadable</code>");
    }
}
