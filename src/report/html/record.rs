//! The record that people sign: what was required, how it was tested, what came of it, and what is open. One document, made for
//! print, of any number of specifications.

mod annexes;
mod open;
mod sections;

pub use annexes::RecordAnnex;

use super::policy::policy;
use super::shown;
use crate::record::check::Check;
use crate::record::manifest::{VERSION, hash};
use crate::record::store::{FileKind, MARK};
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

impl SignedRecord<'_> {
    /// The verdict of one specification: of its implementation's check, and open while it has none or something is undecided.
    fn verdict(one: &Stored) -> Verdict {
        let scores = &one.part.summary.scores;
        let is_whole = !one.part.manifest.interrupted && scores.undecided == 0;
        let failed = |c: &Check| c.counts.ko > 0 || c.robustness_counts && c.robustness.ko > 0;
        let passed = |c: &Check| c.exit == 0 && !c.interrupted;
        match () {
            () if one.checks.iter().any(failed) => Verdict::Failed,
            () if !one.checks.is_empty() && one.checks.iter().all(passed) && is_whole => Verdict::Passed,
            () => Verdict::Open,
        }
    }

    /// The verdict of all.
    fn overall(&self) -> Verdict {
        let all: Vec<Verdict> = self.run.iter().map(SignedRecord::verdict).collect();
        match () {
            () if all.contains(&Verdict::Failed) => Verdict::Failed,
            () if all.contains(&Verdict::Open) || !self.gaps().is_empty() => Verdict::Open,
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
        let none = Requirements::default();
        match self.requirements {
            Some(requirements) => requirements.gaps(&named),
            // Without a file of requirements no name in a specification can be wrong.
            None => {
                let unnamed = named.into_iter().filter(|n| n.1.is_empty()).collect::<Vec<_>>();
                none.gaps(&unnamed)
            }
        }
    }

    /// The hash over all evidence: of the manifests of the runs and of the checks, in order.
    fn evidence(&self) -> String {
        let mut text = String::new();
        for one in self.run {
            text += &format!("{} {}\n", one.sha256(), hash(&crate::record::json::document(&one.part.manifest)));
            one.checks.iter().for_each(|c| text += &c.content_sha256);
        }
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
                    (self.open_items())
                    (self.traceability())
                    (self.hashes())
                    (self.annex_sections())
                }
            }
        })
    }

    /// On what implementations ran, as their checks recorded it, after what a person says of it.
    fn environment(&self) -> String {
        let checks = self.run.iter().flat_map(|one| &one.checks);
        let recorded = |key: &str| checks.clone().filter_map(|c| c.implementation.get(key)).collect::<BTreeSet<_>>();
        let version = |v: &String| format!("Python {v}");
        let machines = recorded("machine").into_iter().chain(recorded("target")).chain(recorded("cc_version")).cloned();
        let all: Vec<String> = machines.chain(recorded("python_version").into_iter().map(version)).collect();
        match (self.cover.target.is_empty(), all.is_empty()) {
            (_, true) => self.cover.target.clone(),
            (true, false) => format!("recorded: {}", all.join("; ")),
            (false, false) => format!("{}; recorded: {}", self.cover.target, all.join("; ")),
        }
    }

    fn cover_page(&self) -> Markup {
        let c = self.cover;
        let environment = self.environment();
        let about = [
            ("document", &c.id),
            ("revision", &c.revision),
            ("date", &c.date),
            ("item", &c.item),
            ("level", &c.level),
            ("software under test", &c.software),
            ("environment, and how it differs from the target", &environment),
            ("distribution", &c.distribution),
        ];
        let roles = [
            ("tester", "ran the tests", &c.tester),
            ("verifier", "verified the results", &c.verifier),
            ("validator", "approves them", &c.approver),
        ];
        let overall = self.overall();
        let count = |v: Verdict| self.run.iter().filter(|one| SignedRecord::verdict(one) == v).count();
        html! {
            section.cover {
                h1 { "Verification record" }
                p.lead { @if let [one] = self.run { (one.name()) } @else { (self.run.len()) " specifications" } }
                table.fields { tbody { @for (name, value) in about {
                    tr { th scope="row" { (name) } td { @if value.is_empty() { span.blank {} } @else { (value) } } }
                } } }
                p.overall { "Result: " strong { (overall.name()) }
                    " (" (count(Verdict::Passed)) " passed, " (count(Verdict::Failed)) " failed, " (count(Verdict::Open)) " open)" }
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
