//! The record that people sign: what was required, how it was tested, what came of it, and what is open. One document, made for
//! print, of any number of specifications.

mod annexes;
mod open;
mod sections;

pub use annexes::RecordAnnex;

use super::folder::FurtherEvidence;
use super::independent;
use super::overview::{ClaimKind, ClaimStanding};
use super::policy::policy;
use super::shown;
use crate::record::check::Check;
use crate::record::manifest::{VERSION, hash};
use crate::record::store::{FileKind, MARK};
use crate::record::verification::Verification;
use crate::report::forms::Stored;
use crate::requirements::{Gap, Requirements};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use std::collections::BTreeSet;

const STYLE: &str = include_str!("record.css");

/// The name of the form on the command line.
pub const FORM: &str = "record";
/// The name of its file.
pub const FILE: &str = "record.html";
/// By what a record of ours is known.
pub const RECORD: FileKind =
    FileKind { name: "a record", start: "<!DOCTYPE html>", inside: "<meta name=\"magneto-record\" content=\"" };

/// From so many specifications on the tables of a record are set smaller.
const MANY: usize = 20;

/// What people say of a record: fields that are empty are lines to be filled in by hand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoverPage {
    /// The document's id.
    pub id: String,
    /// Its revision.
    pub revision: String,
    /// Its date.
    pub date: String,
    /// The item whose software is tested.
    pub item: String,
    /// Its level, such as an assurance or integrity level.
    pub level: String,
    /// The version of the software under test.
    pub software: String,
    /// On what it ran, and how that differs from where it is used.
    pub target: String,
    /// Who ran the tests.
    pub tester: String,
    /// Who verified the results.
    pub verifier: String,
    /// Who validated, or approved them.
    pub approver: String,
    /// Who gets it.
    pub distribution: String,
}

/// What a record is made of.
#[derive(Clone, Copy)]
pub struct SignedRecord<'a> {
    /// The specifications, in the order in which they stand in it.
    pub run: &'a [Stored],
    /// The requirements, if there is a file of them.
    pub requirements: Option<&'a Requirements>,
    /// Whether the run was stopped early, so that specifications may be missing.
    pub is_interrupted: bool,
    /// What other commands than `gen` and `check` found in the same folders.
    pub further: &'a [FurtherEvidence],
    /// What the independent checker said of each folder that it was asked of.
    pub checked: &'a [Verification],
    /// What people say.
    pub cover: &'a CoverPage,
    /// What stands behind it.
    pub annexes: &'a [RecordAnnex],
}

/// A verdict in a word that is legible in black and white.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Passed,
    Failed,
    Open,
}

impl Verdict {
    fn name(self) -> &'static str {
        match self {
            Verdict::Passed => "PASSED",
            Verdict::Failed => "FAILED",
            Verdict::Open => "OPEN",
        }
    }
}

impl FurtherEvidence {
    /// What it makes of the verdict: tests that somebody brought say nothing of an implementation.
    fn verdict(&self) -> Verdict {
        match (self.claim.standing, self.claim.kind) {
            (ClaimStanding::Wrong, kind) if kind != ClaimKind::Evaluation => Verdict::Failed,
            (ClaimStanding::Settled, _) => Verdict::Passed,
            _ => Verdict::Open,
        }
    }
}

impl SignedRecord<'_> {
    /// The verdict of one specification: failed where a result of an implementation is wrong, whoever found it; open while none
    /// was checked, or something is undecided or not settled.
    fn verdict(&self, one: &Stored) -> Verdict {
        let scores = &one.part.summary.scores;
        let is_whole = !one.part.manifest.interrupted && scores.undecided == 0;
        let failed = |c: &Check| c.counts.ko > 0 || c.robustness_counts && c.robustness.ko > 0;
        let passed = |c: &Check| c.exit == 0 && !c.interrupted;
        let further =
            || self.further.iter().filter(|f| f.claim.specification == one.name()).map(FurtherEvidence::verdict);
        match () {
            () if one.checks.iter().any(failed) || further().any(|v| v == Verdict::Failed) => Verdict::Failed,
            () if further().any(|v| v == Verdict::Open) => Verdict::Open,
            () if !one.checks.is_empty() && one.checks.iter().all(passed) && is_whole => Verdict::Passed,
            () => Verdict::Open,
        }
    }

    /// What was found of functions that answer to none of the specifications.
    fn astray(&self) -> impl Iterator<Item = &FurtherEvidence> {
        self.further.iter().filter(|f| self.run.iter().all(|one| one.name() != f.claim.specification))
    }

    /// The verdict of all.
    fn overall(&self) -> Verdict {
        let specifications = self.run.iter().map(|one| self.verdict(one));
        let all: Vec<Verdict> = specifications.chain(self.astray().map(FurtherEvidence::verdict)).collect();
        match () {
            () if all.contains(&Verdict::Failed) => Verdict::Failed,
            () if all.contains(&Verdict::Open) || self.is_interrupted || !self.gaps().is_empty() => Verdict::Open,
            () if self.checked.iter().any(|c| c.refuted > 0) => Verdict::Open,
            () => Verdict::Passed,
        }
    }

    /// Requirements and specifications without each other.
    fn gaps(&self) -> Vec<Gap> {
        let named: Vec<(String, Vec<String>)> = self
            .run
            .iter()
            .map(|one| (one.name().to_owned(), one.requirements().into_iter().map(str::to_owned).collect()))
            .collect();
        let Some(requirements) = self.requirements else {
            let of = |(specification, ids): (String, Vec<String>)| match ids.is_empty() {
                true => vec![Gap::NoRequirement { specification }],
                false => ids.into_iter().map(|requirement| Gap::NoText { requirement }).collect(),
            };
            let mut gaps: Vec<Gap> = named.into_iter().flat_map(of).collect();
            let mut seen = BTreeSet::new();
            gaps.retain(|gap| seen.insert(gap.to_string()));
            return gaps;
        };
        requirements.gaps(&named)
    }

    /// The hash over all evidence: of the manifests of the runs and of the checks, in order.
    fn evidence(&self) -> String {
        let mut text = String::new();
        for one in self.run {
            text += &format!("{} {}\n", one.sha256(), hash(&crate::record::json::document(&one.part.manifest)));
            one.checks.iter().for_each(|c| text += &c.content_sha256);
        }
        self.further.iter().for_each(|f| text += &f.sha256);
        self.checked.iter().for_each(|c| text += &hash(&crate::record::json::document(c)));
        hash(text.as_bytes())
    }

    /// The document.
    #[must_use]
    pub fn page(&self) -> String {
        let cover = self.cover;
        // Outside ASCII a PDF's title is encoded, by which the file would not be known.
        let id = if cover.id.is_ascii() { cover.id.as_str() } else { "" };
        let title = format!("Verification record {id}");
        let running =
            format!("Verification record {} {}", cover.id, cover.revision).trim().replace(['"', '\\', '\n', '<'], " ");
        let style = STYLE.replace("RUNNING-HEADER", &running);
        shown(html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="generator" content={ "magneto " (VERSION) };
                    meta name="magneto-record" content=(MARK);
                    meta http-equiv="Content-Security-Policy" content=(policy(&[&style], &[]));
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (title) }
                    style { (PreEscaped(&style)) }
                }
                body.many[self.run.len() > MANY] {
                    (self.cover_page())
                    (self.required())
                    (self.method())
                    (self.results())
                    (self.independent_check())
                    (self.open_items())
                    (self.traceability())
                    (self.hashes())
                    (self.annex_sections())
                }
            }
        })
    }

    fn independent_check(&self) -> Markup {
        let here = |sha256: &str| self.further.iter().any(|f| f.sha256 == sha256);
        let checked = independent::parts_about(self.checked, here);
        html! {
            section {
                h2 { "Independent check" }
                @if self.checked.is_empty() {
                    p { "Nothing here was checked by other means than Magneto: " code { "magneto verify DIR --keep" } " does so, and a record that is \
                         made after it says what it found." }
                } @else {
                    (independent::told(&checked))
                }
            }
        }
    }

    /// What the checks recorded under a name, each once.
    fn recorded(&self, key: &str) -> Vec<String> {
        let checks = self.run.iter().flat_map(|one| &one.checks);
        let all: BTreeSet<&String> = checks.filter_map(|c| c.implementation.get(key)).collect();
        all.into_iter().cloned().collect()
    }

    /// What a person says; where nobody says anything, what the checks recorded.
    fn said(&self, said: &str, key: &str) -> String {
        if said.is_empty() { self.recorded(key).join("; ") } else { said.to_owned() }
    }

    /// On what implementations ran, as their checks recorded it, after what a person says of it.
    fn environment(&self) -> String {
        let version = |v: String| format!("Python {v}");
        let of_code = ["machine", "target", "cc_version"].into_iter().flat_map(|key| self.recorded(key));
        let all: Vec<String> = of_code.chain(self.recorded("python_version").into_iter().map(version)).collect();
        match (self.cover.target.is_empty(), all.is_empty()) {
            (_, true) => self.cover.target.clone(),
            (true, false) => format!("recorded: {}", all.join("; ")),
            (false, false) => format!("{}; recorded: {}", self.cover.target, all.join("; ")),
        }
    }

    fn cover_page(&self) -> Markup {
        let c = self.cover;
        let environment = self.environment();
        let (software, tester) = (self.said(&c.software, "software"), self.said(&c.tester, "tester"));
        let about = [
            ("document", &c.id),
            ("revision", &c.revision),
            ("date", &c.date),
            ("item", &c.item),
            ("level", &c.level),
            ("software under test", &software),
            ("environment, and how it differs from the target", &environment),
            ("distribution", &c.distribution),
        ];
        let roles = [
            ("tester", "ran the tests", &tester),
            ("verifier", "verified the results", &c.verifier),
            ("validator", "approves them", &c.approver),
        ];
        let overall = self.overall();
        let count = |v: Verdict| self.run.iter().filter(|one| self.verdict(one) == v).count();
        let (gaps, interrupted) = (self.gaps().len(), self.is_interrupted);
        html! {
            section.cover {
                h1 { "Verification record" }
                p.lead { @if let [one] = self.run { (one.name()) } @else { (self.run.len()) " specifications" } }
                table.fields { tbody { @for (name, value) in about {
                    tr { th scope="row" { (name) } td { @if value.is_empty() { span.blank {} } @else { (value) } } }
                } } }
                p.overall { "Result: " strong { (overall.name()) }
                    " (specifications: " (count(Verdict::Passed)) " passed, " (count(Verdict::Failed)) " failed, " (count(Verdict::Open)) " open"
                    @if gaps > 0 { "; gaps: " (gaps) } ")"
                    @if interrupted { ". The run was interrupted: what it did not reach is missing here" } }
                table.roles {
                    thead { tr { @for name in ["role", "name", "date", "signature"] { th scope="col" { (name) } } } }
                    tbody { @for (role, does, name) in roles { tr {
                        th scope="row" { (role) br; small { (does) } } td { (name) } td {} td {}
                    } } }
                }
                p.small { "The three are different people where independence is asked for. A signature covers this document and the \
                           evidence whose hash is " code { (self.evidence()) } "." }
            }
        }
    }
}

/// A name that is divided only behind its underscores, where a column is narrower than it.
fn identifier(name: &str) -> Markup {
    html! { code.id { @for (k, part) in name.split_inclusive('_').enumerate() { @if k > 0 { wbr; } (part) } } }
}
