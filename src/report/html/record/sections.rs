//! The sections that say what was required, how it was tested, and what came of it.

use super::super::data::resolved;
use super::super::independent;
use super::super::mathml;
use super::super::tables::percent;
use super::{MANY, SignedRecord, Verdict, identifier};
use crate::record::check::{Check, TestResult};
use crate::record::manifest::{Specification, VERSION, hash};
use crate::record::summary::PlainVerdict;
use crate::report::forms::Stored;
use crate::requirements::Gap;
use crate::spec::parse_file;
use crate::spec::remarks::remarks;
use crate::text::line_column;
use maud::{Markup, PreEscaped, html};

/// From so many characters of FPCore on a formula is set smaller, as it would be cut on paper. Unit: bytes.
const LONG: usize = 260;

fn about(one: &Stored) -> &Specification {
    &one.part.manifest.specification
}

/// The comments of a specification.
fn comments(one: &Stored) -> Vec<String> {
    let (source, about) = (one.source.as_bytes(), about(one));
    let place = (about.line, about.column);
    let parsed = parse_file(source);
    let core = parsed.cores.iter().flatten().find(|core| line_column(source, core.span.start) == place);
    core.map_or(Vec::new(), |core| remarks(source, core.span))
}

/// What is owed outside of the domain, and whether the specification says so.
fn outside(one: &Stored) -> String {
    let a = about(one);
    match resolved(&a.core, &a.file).is_none_or(|spec| spec.out_of_range_stated) {
        true => a.out_of_range.clone(),
        false => format!("not specified ({} is tested for information, and fails nothing)", a.out_of_range),
    }
}

/// How an implementation was named, and what it did.
fn implementation(check: &Check) -> String {
    let get = |name: &str| check.implementation.0.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str());
    let place = get("source").or(get("library")).or(get("command")).or(get("results"));
    let what = match (get("function"), place) {
        (Some(function), Some(place)) => format!("{function} of {place}"),
        (one, other) => one.or(other).unwrap_or_default().to_owned(),
    };
    get("name").map_or(what.clone(), |name| format!("{name}: {what}"))
}

/// The largest error that a check measured, in tolerances, with the test.
fn worst(check: &Check) -> Option<(f64, &str)> {
    let measured =
        check.tests.iter().filter_map(|t| Some((t.error_in_bounds.as_deref()?.parse().ok()?, t.id.as_str())));
    measured.max_by(|a: &(f64, &str), b| a.0.total_cmp(&b.0))
}

fn rough(x: f64) -> String {
    if x == 0.0 || (1e-3..1e4).contains(&x) { format!("{x:.3}") } else { format!("{x:.2e}") }
}

impl SignedRecord<'_> {
    pub(super) fn required(&self) -> Markup {
        html! {
            section {
                h2 { "What was required" }
                @if self.run.len() <= MANY { @for one in self.run {
                    @if self.run.len() > 1 { h3 { (identifier(one.name())) } }
                    (self.required_of(one))
                } } @else {
                    table {
                        thead { tr { @for name in ["requirement", "text", "specification", "accuracy", "outside the domain"] { th scope="col" { (name) } } } }
                        tbody { @for one in self.run { @for (k, id) in self.rows(one).into_iter().enumerate() { tr {
                            td { (id) } td { (self.text(&id, one)) }
                            td { (identifier(one.name())) } td.whole { @if k == 0 { (about(one).accuracy) } } td { @if k == 0 { (outside(one)) } }
                        } } } }
                    }
                }
                @let gaps = self.gaps();
                @if !gaps.is_empty() {
                    h3 { "Gaps" }
                    ul { @for gap in gap_sentences(&gaps) { li { (gap) } } }
                }
            }
        }
    }

    /// The ids under which a specification stands in a table; one empty one if it names none.
    fn rows(&self, one: &Stored) -> Vec<String> {
        match one.requirements() {
            all if all.is_empty() => vec![String::new()],
            all => all.into_iter().map(str::to_owned).collect(),
        }
    }

    /// What a requirement asks for: its text, or what the specification says of itself.
    fn text(&self, id: &str, one: &Stored) -> String {
        let known = self.requirements.and_then(|r| r.find(id)).map(|r| r.text.clone());
        known.or_else(|| about(one).description.clone()).unwrap_or_default()
    }

    fn required_of(&self, one: &Stored) -> Markup {
        let a = about(one);
        let spec = resolved(&a.core, &a.file);
        let inputs: Vec<String> = a.inputs.iter().map(|i| i.name.clone()).collect();
        html! {
            @for id in one.requirements() {
                @match self.requirements.and_then(|r| r.find(id)) {
                    Some(r) => table.fields { tbody {
                        @for (name, text) in [("requirement", &r.id), ("text", &r.text), ("source", &r.source), ("level", &r.level), ("rationale", &r.rationale), ("verified by", &r.method)] {
                            @if !text.is_empty() { tr { th scope="row" { (name) } td { (text) } } }
                        }
                    } },
                    None => p { "Requirement " strong { (id) } ", whose text no file of requirements has." },
                }
            }
            @if let Some(description) = &a.description { p { (description) } }
            @let said = comments(one);
            @if !said.is_empty() { p.small { "The specification says: " @for (k, line) in said.iter().enumerate() { @if k > 0 { br; } (line) } } }
            @if let Some(spec) = &spec { div.formula.long[a.core.len() > LONG] { (PreEscaped(mathml::definition(&a.name, &inputs, spec.stated_body()))) } }
            table {
                thead { tr { @for name in ["input", "unit", "range", "format"] { th scope="col" { (name) } } } }
                tbody {
                    @for i in &a.inputs { tr { td { code { (i.name) } } td { (i.unit.as_deref().unwrap_or("")) } td { (i.range) } td { (i.format) } } }
                    tr { td { "result" } td { (a.result_unit.as_deref().unwrap_or("")) } td {} td { (a.result_format) } }
                }
            }
            p { "Accuracy: " strong { (a.accuracy) } @if a.accuracy_is_default { " (nobody stated it: this is the default)" }
                ". Outside the domain: " (outside(one)) "." }
        }
    }

    pub(super) fn method(&self) -> Markup {
        let first = self.run.first().map(|one| &one.part.manifest);
        html! {
            section {
                h2 { "How it was tested" }
                p { "Tests are derived from the specification alone, by four methods: equivalence classes of the domain (" code { "region" } "), boundary values ("
                    code { "bounds" } "), wrong versions of the formula (mutants: constants, operators, variables, conditions), and accuracy of computation ("
                    code { "evaluation" } "). A test's expected result is an interval of floating-point numbers computed with rigorous bounds, not a \
                    recorded value. Inputs outside the domain test robustness." }
                p { "A mutant is " em { "killed" } " if at some test no result is right for both it and the specification, which is proved at that input; "
                    em { "equivalent" } " if it is proved to be the same function; " em { "indistinguishable" } " if it is proved that no input tells it apart at \
                    the accuracy that is required. The score is the share of killed mutants among those that are neither. Whatever is not shown is "
                    em { "undecided" } " and lowers the score." }
                p { "What this does not show: the score measures tests, not the implementation; a check says nothing of inputs that were not \
                    run; compiler, library and hardware are those of the environment on the cover. Magneto is not a qualified tool: kills and proofs can \
                    be checked again by " code { "magneto verify" } ", a program that shares no code with it." }
                @if let Some(m) = first {
                    p.small { "Magneto " (VERSION) @if let Some(commit) = &m.made.commit { " (" (commit) ")" } ", MPFR " (m.made.mpfr) ", " (m.made.platform) "." }
                }
            }
        }
    }

    pub(super) fn results(&self) -> Markup {
        html! {
            section {
                h2 { "Results" }
                table {
                    thead { tr { @for name in ["specification", "tests", "mutants killed", "undecided", "implementation", "OK", "KO", "outside KO", "worst error", "verdict"] { th scope="col" { (name) } } } }
                    tbody { @for one in self.run { (self.result(one)) } }
                }
                p.small { "Mutants killed: of those that can be killed. Worst error: the largest that the tests measured, in tolerances; above 1 a \
                           result is wrong. PASSED: the implementation was run, no result is wrong, and nothing is undecided; OPEN: it was not run, or something \
                           is undecided." @if self.has_information() { " For information: the specification does not say what is owed outside of the domain." } }
                (self.further_results())
                @for one in self.run.iter().filter(|one| self.verdict(one) == Verdict::Failed) { (failure(one)) }
                @if let [one] = self.run { @if let Some(plain) = &one.part.summary.plain_evaluation {
                    p { "The formula as it is written, in " (plain.format) ": " (match plain.verdict {
                        PlainVerdict::Meets => "meets the accuracy everywhere on the domain (proved)",
                        PlainVerdict::Misses => "misses the accuracy",
                        PlainVerdict::Open => "whether it meets the accuracy is open",
                    }) @if let Some(ulps) = &plain.library_ulps { ", given library functions within " (ulps) " ulp" } "." }
                } }
            }
        }
    }

    fn result(&self, one: &Stored) -> Markup {
        let s = &one.part.summary.scores;
        html! { tr {
            td { (identifier(one.name())) } td { (one.tests().len()) }
            td.whole { (percent(s.rigorous.part, s.rigorous.whole)) " (" (s.rigorous.part) " of " (s.rigorous.whole) ")" } td { (s.undecided) }
            @match one.checks.first() {
                Some(c) => (implemented(c)),
                None => { td { "not run" } td {} td {} td {} td {} },
            }
            td { strong { (self.verdict(one).name()) } }
        } @for c in one.checks.iter().skip(1) { tr {
            td {} td {} td {} td {} (implemented(c)) td {}
        } } }
    }

    fn has_information(&self) -> bool {
        self.run.iter().flat_map(|one| &one.checks).any(|c| !c.robustness_counts && c.robustness.ko > 0)
    }

    /// What other commands found.
    fn further_results(&self) -> Markup {
        html! { @if !self.further.is_empty() {
            h3 { "Further results" }
            table {
                thead { tr { @for name in ["specification or code", "implementation", "what was looked at", "found", "standing", "checked by"] { th scope="col" { (name) } } } }
                tbody { @for f in self.further { tr {
                    td { (identifier(&f.claim.specification)) } td { (f.claim.implementation) } td { (f.claim.kind.head()) } td { (f.claim.said) }
                    td { strong { (f.claim.standing.word()) } } td { (independent::of_document(self.checked, &f.sha256)) }
                } } }
            }
            p.small { "Whoever finds a wrong result of an implementation, its specification FAILED; what is open here is open there. Tests of \
                       others that expect something wrong leave it open." }
        } }
    }

    pub(super) fn traceability(&self) -> Markup {
        let mut rows: Vec<(String, &Stored)> =
            self.run.iter().flat_map(|one| self.rows(one).into_iter().map(move |id| (id, one))).collect();
        rows.sort_by(|a, b| a.0.cmp(&b.0));
        let only = |id: &str| self.run.iter().any(|one| one.requirements().contains(&id));
        html! {
            section {
                h2 { "Traceability" }
                table {
                    thead { tr { @for name in ["requirement", "specification", "file", "tests", "outside", "verdict"] { th scope="col" { (name) } } } }
                    tbody {
                        @for (id, one) in rows { tr {
                            td { (if id.is_empty() { "none" } else { id.as_str() }) } td { (identifier(one.name())) } td { (about(one).file) }
                            td { (one.tests().len()) } td { (one.tests().iter().filter(|t| t.lo.is_none()).count()) } td { (self.verdict(one).name()) }
                        } }
                        @if let Some(all) = self.requirements { @for r in all.list.iter().filter(|r| !only(&r.id)) { tr {
                            td { (r.id) } td { "none" } td {} td { "0" } td { "0" } td { (Verdict::Open.name()) }
                        } } }
                    }
                }
                p.small { "Every pair of mutant and test stands in traceability.csv of " code { "magneto report --format trace" } "." }
            }
        }
    }

    pub(super) fn hashes(&self) -> Markup {
        html! {
            section {
                h2 { "Evidence" }
                table.hashes {
                    thead { tr { th scope="col" { "specification" } th scope="col" { "what" } th scope="col" { "SHA-256" } } }
                    tbody { @for one in self.run {
                        @let rows = evidence(one, self.run.len());
                        @for (k, (what, sha)) in rows.into_iter().enumerate() { tr {
                            td { @if k == 0 { (identifier(one.name())) } } td { (what) } td { code { (sha) } }
                        } }
                    }
                    @for f in self.further.iter().filter(|f| !f.sha256.is_empty()) { tr {
                        td { (identifier(&f.claim.specification)) } td { (f.file) } td { code { (f.sha256) } }
                    } } }
                }
            }
        }
    }
}

/// The hashes of a specification's evidence, which is one of so many: of one alone all files; of some the manifest, which has those of
/// all files, the checks and what they ran; of many the manifest alone.
fn evidence(one: &Stored, all: usize) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    if all == 1 {
        rows.push((about(one).file.clone(), about(one).sha256.clone()));
    }
    rows.push(("manifest.json".to_owned(), hash(&crate::record::json::document(&one.part.manifest))));
    if all > MANY {
        return rows;
    }
    if all == 1 {
        rows.extend(one.part.manifest.files.0.iter().map(|(name, sha)| (name.clone(), sha.clone())));
    }
    for check in &one.checks {
        let label = if one.checks.len() > 1 { format!("-{}", check.label()) } else { String::new() };
        rows.push((format!("check{label}.json (content)"), check.content_sha256.clone()));
        let code = check.implementation.0.iter().filter(|(name, _)| name.ends_with("sha256"));
        let of = if one.checks.len() > 1 { format!("{}: ", check.label()) } else { "implementation: ".to_owned() };
        rows.extend(code.map(|(name, sha)| (format!("{of}{}", name.trim_end_matches("_sha256")), sha.clone())));
    }
    rows
}

/// Gaps as sentences: one for many of a kind.
fn gap_sentences(gaps: &[Gap]) -> Vec<String> {
    const SINGLE: usize = 3;
    let (mut requirements, mut specifications, mut others) = (Vec::new(), Vec::new(), Vec::new());
    let mut without_text = Vec::new();
    for gap in gaps {
        match gap {
            Gap::NoSpecification { requirement } => requirements.push((requirement.as_str(), gap.to_string())),
            Gap::NoRequirement { specification } => specifications.push((specification.as_str(), gap.to_string())),
            Gap::NoText { requirement } => without_text.push((requirement.as_str(), gap.to_string())),
            Gap::Unknown { .. } => others.push(gap.to_string()),
        }
    }
    let several = |what: &str, all: Vec<(&str, String)>| match all.len() {
        0..=SINGLE => all.into_iter().map(|one| one.1).collect(),
        count => vec![format!("{count} {what}: {}", all.iter().map(|one| one.0).collect::<Vec<_>>().join(", "))],
    };
    let requirements = several("requirements have no specification", requirements);
    let specifications = several("specifications name no requirement", specifications);
    let without_text = several("requirements are named, and no file of requirements has their text", without_text);
    [requirements, without_text, others, specifications].concat()
}

/// The cells of an implementation.
fn implemented(c: &Check) -> Markup {
    html! {
        td { (implementation(c)) } td { (c.counts.ok) } td { (c.counts.ko) }
        td { (c.robustness.ko) @if !c.robustness_counts && c.robustness.ko > 0 { " (for information)" } }
        td { @if let Some((error, test)) = worst(c) { (rough(error)) " at " (test) } }
    }
}

/// The discrepancies of an implementation that failed: the first wrong results, and likely causes.
fn failure(one: &Stored) -> Markup {
    const SHOWN: usize = 3;
    let ko = |c: &Check| -> Vec<TestResult> {
        c.tests.iter().filter(|t| t.verdict.name() == "KO" && (!t.robustness || c.robustness_counts)).cloned().collect()
    };
    let failed = one.checks.iter().map(|c| (c, ko(c))).filter(|(_, ko)| !ko.is_empty());
    html! { @for (check, ko) in failed {
        h3 { "Discrepancies of " (identifier(one.name())) @if one.checks.len() > 1 { ", " (check.label()) } }
        ul {
            @for t in ko.iter().take(SHOWN) { li {
                "Test " (t.id) ", " (t.inputs_dec.0.iter().map(|(n, x)| format!("{n} = {x}")).collect::<Vec<_>>().join(", ")) ": "
                @if let Some(y) = &t.result_dec { "returned " (y) ", " } (t.reason)
                @if let Some(e) = &t.error_in_bounds { "; off by " (e.parse().map_or(e.clone(), rough)) " tolerances" } "."
            } }
            @if ko.len() > SHOWN { li { (ko.len() - SHOWN) " more in check.json." } }
            @for cause in check.causes.iter().take(2) { li { "Likely cause: the results match " (cause.matches) "." } }
        }
        p { "Problem report, disposition, name, date: " span.rule {} }
    } }
}
