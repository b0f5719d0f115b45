//! `mutants.json` and `mutants.csv`: what became of each mutant, so that anybody can check it without Magneto.

use super::number::decimal;
use super::splice::{self, Splice};
use super::table::Table;
use super::tests::named;
use super::{Document, Fields, Kill, Suite, json, words};
use crate::mutate::MutationOperator;
use crate::num::float::hex;
use crate::spec::Spec;
use crate::suite::{Counts, Judged, Standing, Status};
use crate::text::Lines;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// `mutants.json`, and what `magneto mutants --json` prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mutants {
    /// The name of the specification.
    pub specification: String,
    /// The requirement that it answers to.
    pub requirement: Option<String>,
    /// The mutants in the order of their enumeration.
    pub mutants: Vec<MutantRow>,
}

impl Document for Mutants {
    const SCHEMA: &'static str = "magneto/mutants/2";
}

/// One mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MutantRow {
    /// Its id, which depends on the change alone.
    pub id: String,
    /// The mutation operator.
    pub operator: MutationOperator,
    /// The test objective that the operator serves.
    pub objective: String,
    /// The line of the change in the specification's file, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The line in which what is changed ends.
    pub end_line: usize,
    /// The column after its end.
    pub end_column: usize,
    /// What was there.
    pub before: String,
    /// What is there now.
    pub after: String,
    /// The whole mutant as one FPCore, exact; none in a large run, where it is made of `changes`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fpcore: Option<String>,
    /// In a large run, what to replace in the `core` of `manifest.json` for the whole mutant: parts of it in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Splice>,
    /// What became of it; none where mutants are only listed. Never `missed`, which is said of tests of somebody else.
    pub status: Option<Standing>,
    /// The first test that kills it; of one that is only probably killed, that probably does. `matrix.csv` has all.
    pub killed_by: Option<String>,
    /// The largest distance of a killing test's valid sets, in units of the specification's bound.
    pub margin: Option<String>,
    /// The proof that no test can kill it.
    pub proof: Option<String>,
    /// Why there is neither a test nor a proof.
    pub reason: Option<String>,
    /// Who accepted it and why, if somebody did.
    pub accepted: Option<Accepted>,
    /// Where it came nearest to being killed.
    pub near_miss: Option<NearMiss>,
    /// The id of an earlier mutant that is the same function.
    pub same_as: Option<String>,
    /// Of a killed mutant that is not minimal, the minimal one that stands for it.
    pub subsumed_by: Option<String>,
    /// What the search for it cost; none where mutants are only listed.
    pub search: Option<Search>,
}

/// A person's decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Accepted {
    /// Who decided.
    pub by: String,
    /// Why.
    pub reason: String,
}

/// The input at which a mutant came nearest to being killed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NearMiss {
    /// The inputs by name.
    pub inputs: Fields<String>,
    /// |f - g| in units of the sum of the tolerances; above 1 at an input that can be no test or is not settled.
    pub ratio: String,
}

/// What a search cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Search {
    /// Boxes looked at.
    pub boxes: u64,
    /// Boxes ruled out.
    pub pruned: u64,
    /// Points examined exactly.
    pub points: u64,
    /// Rounds of smaller and smaller boxes.
    pub rounds: u32,
}

impl MutantRow {
    /// A mutant of which nothing but the change is known.
    #[must_use]
    pub fn unjudged(spec: &Spec, source: &[u8], mutant: &crate::mutate::Mutant) -> Self {
        MutantRow::of(&Lines::new(source), mutant, Some(mutant.one_line(spec)), Vec::new())
    }

    fn of(lines: &Lines<'_>, mutant: &crate::mutate::Mutant, fpcore: Option<String>, changes: Vec<Splice>) -> Self {
        let (line, column) = lines.place(mutant.span.start);
        let (end_line, end_column) = lines.place(mutant.span.end);
        MutantRow {
            id: mutant.id.clone(),
            operator: mutant.operator,
            objective: mutant.operator.objective().to_owned(),
            line,
            column,
            end_line,
            end_column,
            before: mutant.before.clone(),
            after: mutant.after.clone(),
            fpcore,
            changes,
            status: None,
            killed_by: None,
            margin: None,
            proof: None,
            reason: None,
            accepted: None,
            near_miss: None,
            same_as: None,
            subsumed_by: None,
            search: None,
        }
    }

    /// A mutant with what became of it.
    fn judged(suite: &Suite<'_>, judged: &Judged, kills: &[Kill], at: &Places<'_>) -> Self {
        let filled = |text: String| Some(text).filter(|t| !t.is_empty());
        let miss = |miss: &crate::suite::NearestMiss| NearMiss {
            inputs: named(suite.spec, &miss.input, hex),
            ratio: decimal(miss.ratio),
        };
        let accepted = match &judged.status {
            Status::Accepted(a) => Some(Accepted { by: a.by.clone(), reason: a.reason.clone() }),
            _ => None,
        };
        let s = judged.stats;
        MutantRow {
            status: Some(judged.status.standing()),
            killed_by: kills.first().map(|k| suite.generated.tests[k.test].id.clone()),
            margin: kills.iter().filter_map(|k| k.margin).reduce(f64::max).map(decimal),
            proof: filled(words::proof_of(judged)),
            reason: filled(words::reason_of(suite.spec, judged)),
            accepted,
            near_miss: judged.near_miss.as_ref().filter(|_| judged.status != Status::Killed).map(miss),
            same_as: judged.same_as.clone(),
            subsumed_by: judged.subsumed_by.clone(),
            search: Some(Search { boxes: s.boxes, pruned: s.pruned, points: s.points, rounds: s.rounds }),
            ..at.unjudged(suite, &judged.mutant)
        }
    }

    /// The status as it stands in files; empty where mutants are only listed.
    #[must_use]
    pub fn status_word(&self) -> &'static str {
        self.status.map_or("", Standing::name)
    }

    /// The proof, or why there is none; may be empty.
    #[must_use]
    pub fn why(&self) -> &str {
        self.proof.as_deref().or(self.reason.as_deref()).unwrap_or_default()
    }

    /// Whether it is one of the killed mutants that stand for all others on the tests of the run. Of a large run that is not
    /// known.
    #[must_use]
    pub fn is_minimal(&self) -> bool {
        self.status == Some(Standing::Killed) && self.subsumed_by.is_none() && self.fpcore.is_some()
    }

    /// The whole mutant as one FPCore; `core` is that of the manifest. None if the two do not fit.
    #[must_use]
    pub fn whole<'a>(&'a self, core: &str) -> Option<Cow<'a, str>> {
        match &self.fpcore {
            Some(whole) => Some(Cow::Borrowed(whole)),
            None => splice::applied(core, &self.changes).map(Cow::Owned),
        }
    }
}

/// Where mutants are in the texts.
struct Places<'a> {
    lines: Lines<'a>,
    /// Of a large run the specification's text.
    core: Option<String>,
}

impl<'a> Places<'a> {
    fn new(suite: &Suite<'a>) -> Self {
        let core = suite.generated.is_large.then(|| suite.spec.to_stated_core().one_line());
        Places { lines: Lines::new(suite.source), core }
    }

    /// A mutant of which nothing but the change is known, as the run writes it.
    fn unjudged(&self, suite: &Suite<'_>, mutant: &crate::mutate::Mutant) -> MutantRow {
        match &self.core {
            None => MutantRow::of(&self.lines, mutant, Some(mutant.one_line(suite.spec)), Vec::new()),
            Some(core) => MutantRow::of(&self.lines, mutant, None, splice::of(mutant, suite.spec, core)),
        }
    }
}

impl Mutants {
    /// Of what a run found.
    #[must_use]
    pub fn new(suite: &Suite<'_>) -> Self {
        let at = Places::new(suite);
        let all = suite.generated.mutants.iter().zip(suite.kills());
        let rows = all.map(|(judged, kills)| MutantRow::judged(suite, judged, &kills, &at)).collect();
        Mutants::listed(suite.spec, rows)
    }

    /// A list of mutants.
    #[must_use]
    pub fn listed(spec: &Spec, mutants: Vec<MutantRow>) -> Self {
        Mutants { specification: spec.name.clone(), requirement: spec.requirement.clone(), mutants }
    }

    /// Whether mutants are written by what they change.
    #[must_use]
    pub fn is_large(&self) -> bool {
        self.mutants.iter().any(|m| m.fpcore.is_none())
    }

    /// `mutants.json`: a mutant a line.
    #[must_use]
    pub fn text(&self) -> Vec<u8> {
        let (specification, requirement) = (self.specification.clone(), self.requirement.clone());
        let head = Mutants { specification, requirement, mutants: Vec::new() };
        let mut text = serde_json::to_vec(&json::Versioned(&head)).unwrap_or_default();
        // In place of `]}`.
        text.truncate(text.len().saturating_sub(2));
        for (k, m) in self.mutants.iter().enumerate() {
            text.extend_from_slice(if k > 0 { b",\n" } else { b"\n" });
            let _ = serde_json::to_writer(&mut text, m);
        }
        text.extend_from_slice(b"\n]}\n");
        json::seen(text)
    }

    /// The counts, from which the scores follow.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for m in &self.mutants {
            if let Some(status) = m.status {
                counts.add(m.operator, status);
            }
        }
        counts
    }

    /// `mutants.csv`: without the whole mutants, which stand in the document.
    #[must_use]
    pub fn table(&self) -> Vec<u8> {
        let mut table = Table::new([
            "id",
            "operator",
            "objective",
            "line",
            "column",
            "before",
            "after",
            "status",
            "killed_by",
            "margin",
            "proof",
            "reason",
            "same_as",
            "subsumed_by",
        ]);
        for m in &self.mutants {
            let text = |cell: &Option<String>| cell.clone().unwrap_or_default();
            table.row([
                m.id.clone(),
                m.operator.name().to_owned(),
                m.objective.clone(),
                m.line.to_string(),
                m.column.to_string(),
                m.before.clone(),
                m.after.clone(),
                m.status_word().to_owned(),
                text(&m.killed_by),
                text(&m.margin),
                text(&m.proof),
                text(&m.reason),
                text(&m.same_as),
                text(&m.subsumed_by),
            ]);
        }
        table.finish()
    }
}
