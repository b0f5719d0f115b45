//! One mutant explained: the change, the killing test, the proof, or what was tried.

mod test;

pub use test::ExplainedTest;

use super::code;
use super::number::{decimal, from_hex, rough};
use super::point::{ends, owed, value};
use super::words;
use crate::csp::look::{Look, Prepared};
use crate::mutate::{Change, Mutant};
use crate::num::float::hex;
use crate::record::manifest::hash;
use crate::record::tests::named;
use crate::record::{Fields, Kill, Part, ReadError, Suite, mutants, read};
use crate::spec::Spec;
use crate::suite::recheck::Rechecked;
use crate::suite::steps;
use crate::text::{Diagnostic, line_column};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;

/// What became of a mutant, from a run or from its files.
#[derive(Clone, Debug, Default)]
pub struct MutantOutcome {
    /// The status as it stands in files.
    pub status: String,
    /// The tests that kill it: id and input. Of a search for this mutant alone the ids are no run's.
    pub tests: Vec<(String, Vec<f64>)>,
    /// Whether it was searched for this mutant alone rather than read from a run's files.
    pub alone: bool,
    /// The largest margin, as it stands in files.
    pub margin: Option<String>,
    /// The proof, one line.
    pub proof: Option<String>,
    /// Why there is neither test nor proof, one line.
    pub reason: Option<String>,
    /// The step that decided it, as the table of steps names it; none where the files do not say.
    pub step: Option<&'static str>,
    /// The id of an earlier mutant that is the same function.
    pub same_as: Option<String>,
    /// Of a killed mutant in the files of a run: its place among the others that the run's tests kill.
    pub rank: Option<Rank>,
    /// What the search cost: boxes, points examined exactly.
    pub cost: Option<(u64, u64)>,
}

/// Where a killed mutant stands among those of its run: a statement about the tests of that run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rank {
    /// It is minimal, and stands for so many others.
    Minimal(usize),
    /// The minimal mutant with this id stands for it.
    SubsumedBy(String),
}

impl Rank {
    fn words(&self) -> String {
        match self {
            Rank::Minimal(0) => "yes, and it stands for itself alone".to_owned(),
            Rank::Minimal(n) => {
                format!("yes: every test of the run that kills it also kills {n} others, for which it stands")
            }
            Rank::SubsumedBy(id) => format!("no: every test of the run that kills {id} kills this mutant too"),
        }
    }
}

/// A mutant with its specification and what became of it.
pub struct Explained<'a> {
    /// The specification.
    pub spec: &'a Spec,
    /// The text of its file.
    pub source: &'a [u8],
    /// The mutant.
    pub mutant: &'a Mutant,
    /// What became of it.
    pub outcome: MutantOutcome,
    /// The last precision, in bits.
    pub cap: u32,
    /// What a second check of the proof found, if there was one.
    pub check: Option<Rechecked>,
}

/// The most tests that are shown in full.
const SHOWN: usize = 1;

impl Explained<'_> {
    /// As a person reads it.
    #[must_use]
    pub fn text(&self) -> String {
        let (m, o) = (self.mutant, &self.outcome);
        let requirement = self.spec.requirement.as_ref().map_or(String::new(), |r| format!(" [{r}]"));
        let (line, column) = line_column(self.source, m.span.start);
        let mut out = format!("mutant {} of {}{requirement}\n", m.id, self.spec.name);
        let mut field = |name: &str, value: &str| {
            let _ = writeln!(out, "  {name:<10}{value}");
        };
        field("operator", &format!("{} ({})", m.operator.name(), m.operator.objective()));
        field("at", &format!("{}:{line}:{column}", self.spec.source_file));
        let excerpt = Diagnostic::semantic(m.span, "").render(&self.spec.source_file, self.source);
        excerpt.lines().skip(1).for_each(|l| field("", l));
        field("before", &m.before);
        field("after", &m.after);
        let mut status = o.status.clone();
        if !o.tests.is_empty() {
            let _ = write!(status, " by {}", self.killers());
        }
        field("status", &status);
        if o.alone && !o.tests.is_empty() {
            field("", "--from DIR, a folder of `magneto gen`, names the tests of a run instead");
        }
        if let Some(proof) = &o.proof {
            field("proof", proof);
        }
        if let Some(reason) = &o.reason {
            field("reason", reason);
        }
        if let Some(step) = o.step {
            field("step", step);
        }
        if let Some(id) = &o.same_as {
            field("same as", &format!("{id}: the two mutants are one function"));
        }
        if let Some(rank) = &o.rank {
            field("minimal", &rank.words());
        }
        if let Some((boxes, points)) = o.cost.filter(|c| c.0 > 0) {
            field("search", &format!("{boxes} boxes, {points} points examined exactly"));
        }
        if let Some(check) = &self.check {
            let lines = words::check(self.spec, check);
            lines.iter().enumerate().for_each(|(i, l)| field(if i == 0 { "check" } else { "" }, l));
        }
        if let Some(code) = code::program(self.spec, m) {
            let _ = writeln!(out, "\nthe program\n{code}");
        }
        for (id, x, sides) in self.sides() {
            let _ =
                writeln!(out, "\n{}", if o.alone { "test of this search".to_owned() } else { format!("test {id}") });
            for (input, x) in self.spec.inputs.iter().zip(x) {
                let _ = writeln!(out, "  {:<10}{}", input.name, super::number::both(*x));
            }
            let both = [("specified", "f(x)", &sides[0]), ("mutant", "g(x)", &sides[1])];
            let returned = self.returned(x);
            // A program has no valid set of its own.
            for (name, f, look) in both.into_iter().take(if returned.is_some() { 1 } else { 2 }) {
                if let Some(set) = look.set.as_ref().filter(|_| look.outside.is_none()) {
                    let _ = writeln!(out, "  {f:<10}{}", value(set));
                }
                let _ = writeln!(out, "  {name:<10}{}", owed(look));
            }
            if let Some(returned) = &returned {
                let _ = writeln!(out, "  {:<10}{returned}", "returns");
            } else if let Some(margin) = apart(&sides) {
                let _ = writeln!(out, "  The valid sets are {} x the specification's bound apart.", rough(margin));
            }
        }
        out
    }

    /// The tests that kill it: by their ids where those are a run's.
    fn killers(&self) -> String {
        let tests = &self.outcome.tests;
        match tests.len() {
            1 if self.outcome.alone => "a test of this search".to_owned(),
            n if self.outcome.alone => format!("{n} tests of this search"),
            n => {
                let ids: Vec<&str> = tests.iter().take(8).map(|t| t.0.as_str()).collect();
                format!("{}{}", ids.join(", "), if n > ids.len() { ", …" } else { "" })
            }
        }
    }

    /// As a document.
    #[must_use]
    pub fn document(&self) -> impl Serialize {
        let (m, o) = (self.mutant, &self.outcome);
        let (line, column) = line_column(self.source, m.span.start);
        let test = |(id, x, sides): (&str, &[f64], [Look; 2])| Test {
            id: id.to_owned(),
            inputs: named(self.spec, x, hex),
            inputs_dec: named(self.spec, x, decimal),
            specified: Side::new(&sides[0]),
            mutant: self.returned(x).map_or_else(|| Side::new(&sides[1]), Side::returned),
            apart_in_bounds: apart(&sides).map(decimal),
        };
        Document {
            schema: "magneto/explain/1",
            specification: self.spec.name.clone(),
            id: m.id.clone(),
            operator: m.operator.name(),
            objective: m.operator.objective(),
            line,
            column,
            before: m.before.clone(),
            after: m.after.clone(),
            fpcore: m.one_line(self.spec),
            program: code::program(self.spec, m),
            status: o.status.clone(),
            killed_by: o.tests.iter().map(|t| t.0.clone()).collect(),
            margin: o.margin.clone(),
            proof: o.proof.clone(),
            reason: o.reason.clone(),
            same_as: o.same_as.clone(),
            minimal: o.rank.as_ref().map(|r| matches!(r, Rank::Minimal(_))),
            subsumed_by: match &o.rank {
                Some(Rank::SubsumedBy(id)) => Some(id.clone()),
                Some(Rank::Minimal(_)) | None => None,
            },
            check: self.check.as_ref().map(|c| Check {
                points: c.points,
                skipped: c.skipped,
                refuted_at: c.refuted.as_ref().map(|(x, _)| named(self.spec, x, hex)),
                refuted_why: c.refuted.as_ref().map(|(_, why)| why.clone()),
                statements: c.statements,
                statements_unread: c.unread,
                cover_boxes: c.cover.map(|c| c.boxes),
                cover_complete: c.cover.map(|c| c.complete),
                cover_with_bound: c.cover.map(|c| c.with_bound),
            }),
            tests: self.sides().into_iter().map(test).collect(),
        }
    }

    /// What a mutant that is a program may return at an input.
    fn returned(&self, x: &[f64]) -> Option<String> {
        let Change::Evaluation(e) = &self.mutant.change else { return None };
        let results = e.program.results(x, self.spec.libm_ulps);
        let mut all: Vec<String> = Vec::new();
        for set in &results.sets {
            if !set.has_no_finite() {
                let one = set.lo.to_bits() == set.hi.to_bits();
                all.push(if one { decimal(set.lo) } else { format!("{} to {}", decimal(set.lo), decimal(set.hi)) });
            }
            let special = [(set.minus_infinity, "-inf"), (set.plus_infinity, "inf"), (set.nan, "nan")];
            all.extend(special.iter().filter(|(there, _)| *there).map(|(_, name)| (*name).to_owned()));
        }
        Some(all.join(", or "))
    }

    /// The first tests with what specification and mutant say of them.
    fn sides(&self) -> Vec<(&str, &[f64], [Look; 2])> {
        let mutated = self.mutant.apply(self.spec);
        let both = [Prepared::new(self.spec), Prepared::new(&mutated)];
        let some = self.outcome.tests.iter().take(SHOWN);
        some.map(|(id, x)| (id.as_str(), x.as_slice(), both.each_ref().map(|p| p.look(x, self.cap)))).collect()
    }
}

/// How far the valid sets are apart, in units of the specification's bound; none if they are not.
fn apart(sides: &[Look; 2]) -> Option<f64> {
    if sides.iter().any(|s| s.outside.is_some()) {
        return None;
    }
    let [s, m] = [sides[0].set.as_ref()?, sides[1].set.as_ref()?];
    let gap = if m.lower.lo > s.upper.hi {
        &m.lower.lo - s.upper.hi.clone()
    } else if s.lower.lo > m.upper.hi {
        &s.lower.lo - m.upper.hi.clone()
    } else {
        return None;
    };
    Some(if s.tolerance.hi == 0 { f64::INFINITY } else { (gap / &s.tolerance.hi).to_f64() })
}

/// Several mutants as one document.
#[must_use]
pub fn documents(mutants: &[Explained<'_>]) -> impl Serialize {
    #[derive(Serialize)]
    struct Documents<T> {
        schema: &'static str,
        mutants: Vec<T>,
    }
    Documents { schema: "magneto/explain-several/1", mutants: mutants.iter().map(Explained::document).collect() }
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    specification: String,
    id: String,
    operator: &'static str,
    objective: &'static str,
    line: usize,
    column: usize,
    before: String,
    after: String,
    fpcore: String,
    /// Of a mutant that is a program, as a C function.
    program: Option<String>,
    status: String,
    killed_by: Vec<String>,
    margin: Option<String>,
    proof: Option<String>,
    reason: Option<String>,
    same_as: Option<String>,
    minimal: Option<bool>,
    subsumed_by: Option<String>,
    check: Option<Check>,
    tests: Vec<Test>,
}

/// A second check of a proof.
#[derive(Serialize)]
struct Check {
    points: usize,
    skipped: usize,
    refuted_at: Option<Fields<String>>,
    refuted_why: Option<String>,
    /// What is printed of the proof, and what of it is cut and could not be read.
    statements: usize,
    statements_unread: usize,
    cover_boxes: Option<u64>,
    cover_complete: Option<bool>,
    cover_with_bound: Option<bool>,
}

#[derive(Serialize)]
struct Test {
    id: String,
    inputs: Fields<String>,
    inputs_dec: Fields<String>,
    specified: Side,
    mutant: Side,
    apart_in_bounds: Option<String>,
}

/// What the specification or the mutant says of a test's input.
#[derive(Serialize)]
struct Side {
    in_domain: bool,
    outside: Option<String>,
    value: Option<String>,
    lower: Option<String>,
    upper: Option<String>,
    owed: String,
}

impl Side {
    /// Of a program.
    fn returned(text: String) -> Self {
        Side { in_domain: true, outside: None, value: Some(text), lower: None, upper: None, owed: "a float".to_owned() }
    }

    fn new(look: &Look) -> Self {
        let set = look.set.as_ref().filter(|_| look.outside.is_none());
        Side {
            in_domain: look.outside.is_none() && set.is_some(),
            outside: look.outside.clone(),
            value: set.map(value),
            lower: set.map(|s| ends(s)[0].clone()),
            upper: set.map(|s| ends(s)[1].clone()),
            owed: owed(look),
        }
    }
}

impl MutantOutcome {
    /// Of a run over a few mutants, of which this is the one at a place in its list.
    #[must_use]
    pub fn of(suite: &Suite<'_>, mutant: usize) -> Self {
        let Some(judged) = suite.generated.mutants.get(mutant) else { return MutantOutcome::default() };
        let kills = suite.kills().swap_remove(mutant);
        // No number that a test of a run has.
        let test = |(n, k): (usize, &Kill)| (format!("search-{}", n + 1), suite.generated.tests[k.test].input.clone());
        let filled = |text: String| Some(text).filter(|t| !t.is_empty());
        MutantOutcome {
            status: judged.status.name().to_owned(),
            tests: kills.iter().enumerate().map(test).collect(),
            alone: true,
            margin: kills.iter().filter_map(|k| k.margin).reduce(f64::max).map(decimal),
            proof: filled(words::proof_of(judged)),
            reason: filled(words::reason_of(suite.spec, judged)),
            step: steps::decided_by(judged, &suite.generated.tests, mutant).map(|s| s.name),
            same_as: judged.same_as.clone(),
            // Of a few mutants there is nothing to say.
            rank: None,
            cost: Some((judged.stats.boxes, judged.stats.points)),
        }
    }
    /// What became of a mutant, from the folder of a run.
    ///
    /// # Errors
    /// What is missing or does not fit.
    pub fn of_run(dir: &Path, spec: &Spec, source: &[u8], id: &str) -> Result<Self, ReadError> {
        let (folder, manifest) = read::folder(dir, spec, source)?;
        let misfit = |why: String| ReadError::Misfit(why);
        if manifest.specification.sha256 != hash(source) {
            return Err(misfit(format!("{} is about another version of {}", folder.display(), spec.source_file)));
        }
        let part = Part::read(&folder)?;
        let rows = &part.mutants.mutants;
        let place = rows.iter().position(|m| m.id == id).ok_or_else(|| {
            let path = folder.join("mutants.json");
            misfit(format!("{} has no mutant {id}: it was a run with other options", path.display()))
        })?;
        let mutant = &rows[place];
        let killers = (0..part.tests.tests.len()).filter(|t| part.matrix.rows[*t][place].is_kill());
        let input = |killer: usize| {
            let test = &part.tests.tests[killer];
            let x = spec.inputs.iter().map(|i| from_hex(test.inputs.get(&i.name)?)).collect::<Option<Vec<_>>>()?;
            Some((test.id.clone(), x))
        };
        let found: Option<Vec<_>> = killers.map(input).collect();
        let own = part.tests.tests.iter().find(|t| t.target.as_deref() == Some(id));
        let tests = found.ok_or_else(|| misfit(format!("{} lacks a test that kills {id}", folder.display())))?;
        Ok(MutantOutcome {
            status: mutant.status_word().to_owned(),
            tests,
            alone: false,
            margin: mutant.margin.clone(),
            proof: mutant.proof.clone(),
            reason: mutant.reason.clone(),
            step: own.and_then(|t| steps::finds(&t.origin)).map(|s| s.name),
            same_as: mutant.same_as.clone(),
            rank: rank(mutant, rows),
            cost: mutant.search.map(|s| (s.boxes, s.points)),
        })
    }
}

/// Where a killed mutant stands among those of its run.
fn rank(mutant: &mutants::MutantRow, rows: &[mutants::MutantRow]) -> Option<Rank> {
    match &mutant.subsumed_by {
        Some(id) => Some(Rank::SubsumedBy(id.clone())),
        None if mutant.is_minimal() => {
            Some(Rank::Minimal(rows.iter().filter(|m| m.subsumed_by.as_ref() == Some(&mutant.id)).count()))
        }
        None => None,
    }
}
