//! The mutants that no test kills: why, what came nearest, what was tried, and the proofs.

use super::data::{Mutant, Run, number};
use super::source::{anchor, changed};
use super::tables::{plural, short};
use crate::options::{KNOBS, OptionShape};
use crate::record::mutants::NearMiss;
use crate::report::number::{decimal, rough};
use crate::suite::Standing;
use maud::{Markup, html};

/// The mutants that have neither a test nor a proof.
pub(super) fn survivors(run: &Run) -> Markup {
    let list: Vec<usize> =
        [Standing::Undecided, Standing::Accepted].into_iter().flat_map(|s| run.with_status(s)).collect();
    html! {
        @if list.is_empty() {
            p { "None. Every mutant has a test that kills it, or a proof that none can." }
        }
        @for m in &list { (survivor(run, &run.mutants[*m])) }
    }
}

/// The mutants that are proved to be too close to the specification for its accuracy.
pub(super) fn indistinguishable(run: &Run) -> Markup {
    let list: Vec<usize> = run.with_status(Standing::Indistinguishable).collect();
    html! {
        @if list.is_empty() { p { "No mutant is proved to be indistinguishable." } }
        @for m in &list { (survivor(run, &run.mutants[*m])) }
    }
}

fn survivor(run: &Run, m: &Mutant) -> Markup {
    let why = match m.status {
        Standing::Undecided => "Neither a test nor a proof was found, so it counts against the score.",
        Standing::Indistinguishable => {
            "It is another function, but at no input of the domain does it leave what this accuracy allows. No test can \
             kill it; a tighter accuracy could. It does not count against the score."
        }
        _ => "A person decided to leave it. It stays listed and does not count against the score.",
    };
    html! {
        article.survivor id={ "v-" (m.id) } {
            h3 { code { (m.id) } " " span.{ "tag s-" (m.status) } { (m.status) } " "
                span.faint { (m.operator) " at line " (m.line) ", column " (m.column) } }
            p { strong { @if m.status == Standing::Indistinguishable { "Why no test kills it: " } @else { "Why it survived: " } } (why) }
            (changed(&run.manifest.specification.core, &m.whole(&run.manifest.specification.core).unwrap_or_default()))
            dl {
                @if let Some(proof) = &m.proof { dt { "proof" } dd { (proof) } }
                @if let Some(a) = &m.accepted { dt { "accepted by" } dd { strong { (a.by) } ": " (a.reason) } }
                @if let Some(reason) = &m.reason { dt { "undecided" } dd { (cause(m, reason)) } }
                @if let Some(miss) = &m.near_miss { dt { "nearest miss" } dd { (nearest(run, miss)) } }
                @if let Some(s) = &m.search {
                    dt { "tried" }
                    dd { @if s.boxes + s.points == 0 { "no search of its own: what is said above settled it" } @else {
                        (s.boxes) " boxes (" (s.pruned) " ruled out), " (s.points) " points examined exactly, "
                        (s.rounds) " rounds" } }
                }
                @if m.status != Standing::Indistinguishable { dt { "what to do" } dd { (remedy(run, m)) } }
                dt { "explained by" } dd { code.command { (explain(run, &m.id)) } }
                dt { "place" } dd { a href={ "#" (anchor(m.line, m.column)) } { "all mutants at this place" } }
            }
        }
    }
}

/// What a reader can do about a mutant that is undecided or accepted.
fn remedy(run: &Run, m: &Mutant) -> Markup {
    if m.accepted.is_some() {
        return html! { "to take the decision back: " code.command { (accept(run, "")) " --remove=" (m.id) } };
    }
    let more = budget(run).map_or_else(|| "N".to_owned(), |b| b.saturating_mul(10).to_string());
    html! {
        "a larger budget may find a test or a proof: "
        code.command { (command(run, "gen", "", &["budget"])) " --budget=" (more) }
        "; if nobody needs to tell it apart, say so: "
        code.command { (accept(run, &format!(" {}", m.id))) " --by=" i { "WHO" } " --reason=" i { "WHY" } }
    }
}

/// The budget of the run, in boxes.
fn budget(run: &Run) -> Option<u64> {
    run.manifest.options.iter().find(|o| o.name == "budget")?.value.as_ref()?.parse().ok()
}

/// Of the reason that the files give the part that stands nowhere else on the page: without name and word of who
/// accepted the mutant, and without the nearest miss.
fn cause<'m>(m: &Mutant, reason: &'m str) -> &'m str {
    let accepted = m.accepted.as_ref().map(|a| format!("accepted by {}: {}; ", a.by, a.reason));
    let reason = accepted.and_then(|a| reason.strip_prefix(&a)).unwrap_or(reason);
    let end = if m.near_miss.is_some() { reason.rfind("; nearest miss: ") } else { None };
    end.map_or(reason, |end| &reason[..end])
}

/// Where a mutant came nearest to being killed.
fn nearest(run: &Run, miss: &NearMiss) -> Markup {
    let ratio: Option<f64> = miss.ratio.parse().ok();
    let shown = ratio.map_or_else(|| miss.ratio.clone(), rough);
    html! {
        "at "
        @for (k, input) in run.spec.inputs.iter().enumerate() {
            @let x = miss.inputs.get(&input.name);
            @if k > 0 { ", " }
            code { (input.name) " = " (number(x).map_or_else(String::new, decimal)) }
            span.faint.hex { " " (x.map_or("", String::as_str)) }
        }
        @if ratio.is_some_and(|r| r > 1.0) {
            ": the results differ by " (shown) " times the sum of the tolerances, but that input can be no test, or it is \
             not settled"
        } @else {
            ": the results differ by " (shown) " times the sum of the tolerances; a kill needs more than 1"
        }
    }
}

/// The equivalent mutants, folded, those of one proof together.
pub(super) fn proofs(run: &Run) -> Markup {
    let mut groups: Vec<(&str, Vec<&Mutant>)> = Vec::new();
    for m in run.with_status(Standing::Equivalent).map(|m| &run.mutants[m]) {
        let proof = m.proof.as_deref().unwrap_or("no proof is recorded");
        match groups.iter_mut().find(|g| g.0 == proof) {
            Some((_, same)) => same.push(m),
            None => groups.push((proof, vec![m])),
        }
    }
    html! {
        @if groups.is_empty() { p { "No mutant is equivalent." } }
        @for (k, (proof, same)) in groups.iter().enumerate() {
            details.proof {
                summary { (plural(same.len(), "mutant", "mutants")) ": " (proof) }
                div.scroll tabindex="0" role="region" aria-label={ "Mutants of proof " (k + 1) } { table.stack {
                    thead { tr { th scope="col" { "id" } th.n scope="col" { "place" } th scope="col" { "before" } th scope="col" { "after" } } }
                    tbody { @for m in same { tr id={ "v-" (m.id) } {
                        td { code { (m.id) } } td.n { (m.line) ":" (m.column) }
                        td { code { (short(&m.before)) } } td { code { (short(&m.after)) } }
                    } } }
                } }
            }
        }
    }
}

/// The command that explains a mutant.
pub(super) fn explain(run: &Run, id: &str) -> String {
    command(run, "explain", &format!(" {id}"), &[])
}

/// The command that repeats the run.
pub(super) fn rerun(run: &Run) -> String {
    command(run, "gen", "", &[])
}

/// A command about a mutant's acceptance, up to its own options.
fn accept(run: &Run, id: &str) -> String {
    command(run, "accept", id, &[])
}

/// A command with the specification, `more`, and the run's options other than those `without`.
fn command(run: &Run, name: &str, more: &str, without: &[&str]) -> String {
    format!("magneto {name} {}{more}{}", file(run), options(run, name, without))
}

/// The file, with the name of the core in it, as one argument of a shell.
fn file(run: &Run) -> String {
    let about = &run.manifest.specification;
    let named = run.spec.core.ident.is_some() || run.spec.core.property("name").is_some();
    quoted(&if named { format!("{}:{}", about.file, about.name) } else { about.file.clone() })
}

/// The options that were not the defaults.
fn options(run: &Run, command: &str, without: &[&str]) -> String {
    let mut out = String::new();
    for option in run.manifest.options.iter().filter(|o| o.origin != "default") {
        let (Some(value), Some(knob)) = (&option.value, KNOBS.iter().find(|k| k.name == option.name)) else { continue };
        if !knob.scope.covers(command) || without.contains(&knob.name) {
            continue;
        }
        let values: Vec<&str> = match knob.shape {
            // Joined by spaces, which stand after commas in a range as well.
            OptionShape::List if knob.name == "domain" => domains(value),
            OptionShape::List | OptionShape::Value | OptionShape::Switch => vec![value.as_str()],
        };
        for value in values {
            out += &format!(" --{}={}", option.name, quoted(value));
        }
    }
    out
}

/// `x=[0, 1] y=(2, 3)` as its parts.
fn domains(text: &str) -> Vec<&str> {
    let ends = text.match_indices([']', ')']).map(|(at, _)| at + 1);
    let mut from = 0;
    let mut parts = Vec::new();
    for end in ends {
        parts.push(text[from..end].trim());
        from = end;
    }
    parts
}

/// As one word of a shell.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-:/=+,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_shell() {
        assert_eq!(quoted("rosa.fpcore:jetEngine"), "rosa.fpcore:jetEngine");
        assert_eq!(quoted("a b's.fpcore"), "'a b'\\''s.fpcore'");
        assert_eq!(quoted(""), "''");
        assert_eq!(domains("x=[0, 1] y=(-1, 2]"), ["x=[0, 1]", "y=(-1, 2]"]);
    }
}
