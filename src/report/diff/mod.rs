//! What changed between two versions of specifications, or between two runs.

mod formula;
mod markdown;
mod text;
mod weaker;

pub use weaker::weaker;

use crate::csp::look::{Look, Prepared};
use crate::mutate::{OperatorSet, mutants};
use crate::num::float::hex;
use crate::options::Score;
use crate::oracle::{DEFAULT_CAP, Oracle};
use crate::record::mutants::MutantRow;
use crate::record::number::{both, from_hex};
use crate::record::summary::Scores;
use crate::record::tests::TestRow;
use crate::record::{Part, ReadError};
use crate::spec::{Overrides, Spec, parse_file, resolve};
use crate::suite::{Counts, ScoreShare, Standing};
use serde::Serialize;
use std::collections::{HashMap, HashSet, VecDeque};

/// One specification on one side.
#[derive(Clone, Debug)]
pub struct Version {
    /// What it asks for.
    pub spec: Spec,
    /// Its mutants, of a run with their statuses.
    pub mutants: Vec<MutantRow>,
    /// Of a run, its tests.
    pub tests: Option<Vec<TestRow>>,
    /// Of a run, the counts from which scores follow.
    pub counts: Option<Counts>,
}

impl Version {
    /// Of a specification alone, of which nothing has been run.
    #[must_use]
    pub fn of_specification(spec: Spec, source: &[u8], operators: &OperatorSet) -> Self {
        let mutants = mutants(&spec, operators).iter().map(|m| MutantRow::unjudged(&spec, source, m)).collect();
        Version { spec, mutants, tests: None, counts: None }
    }

    /// Of what a run wrote down.
    ///
    /// # Errors
    /// The specification that it wrote down cannot be read.
    pub fn of_run(part: Part) -> Result<Self, ReadError> {
        let about = &part.manifest.specification;
        let file = parse_file(about.core.as_bytes());
        let spec = resolve(&file, 0, &about.file, &Overrides::default());
        let mut spec =
            spec.map_err(|_| ReadError::Misfit(format!("the formula of `{}` cannot be read again", about.name)))?;
        spec.name.clone_from(&about.name);
        let counts = Some(part.mutants.counts());
        Ok(Version { spec, mutants: part.mutants.mutants, tests: Some(part.tests.tests), counts })
    }
}

/// What changed between two sides.
#[derive(Clone, Debug, Serialize)]
pub struct Diff {
    /// The specifications that are on both sides, those in which nothing changed too.
    pub specifications: Vec<Changed>,
    /// The names of those on the new side alone.
    pub added: Vec<String>,
    /// The names of those on the old side alone.
    pub gone: Vec<String>,
    /// How many tests those had.
    pub gone_tests: usize,
}

/// One specification on both sides.
#[derive(Clone, Debug, Serialize)]
pub struct Changed {
    /// Its name on the new side.
    pub specification: String,
    /// What the specification asks for: formula, domain, accuracy and the like.
    pub edits: Vec<Edit>,
    /// Its mutants.
    pub mutants: Sets<OfMutant>,
    /// Mutants that became something else.
    pub statuses: Vec<Became>,
    /// Decisions of a person about mutants that are gone, or that need none any more.
    pub decisions: Vec<LostDecision>,
    /// Its tests, where both sides are runs.
    pub tests: Option<Sets<OfTest>>,
    /// Old tests of which something else is owed now.
    pub oracles: Vec<Owes>,
    /// Counts and scores, where both sides are runs: before and now.
    pub scores: Option<[Scores; 2]>,
    #[serde(skip)]
    counts: Option<[Counts; 2]>,
}

/// A part of a specification before and now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Edit {
    /// Which part.
    pub what: String,
    /// What was there, if something was.
    pub before: Option<String>,
    /// What is there now, if something is.
    pub after: Option<String>,
}

/// What is on both sides, and on one alone.
#[derive(Clone, Debug, Serialize)]
pub struct Sets<T> {
    /// How many are on both.
    pub kept: usize,
    /// Those on the new side alone.
    pub added: Vec<T>,
    /// Those on the old side alone.
    pub gone: Vec<T>,
}

/// A mutant in a few words.
#[derive(Clone, Debug, Serialize)]
pub struct OfMutant {
    /// Its id.
    pub id: String,
    /// The mutation operator.
    pub operator: &'static str,
    /// What was there.
    pub before: String,
    /// What is there instead.
    pub after: String,
    /// What became of it, of a run.
    pub status: Option<Standing>,
}

/// A mutant that became something else.
#[derive(Clone, Debug, Serialize)]
pub struct Became {
    /// The mutant on the new side.
    pub mutant: OfMutant,
    /// What it was.
    pub was: Standing,
}

/// A decision that no longer holds.
#[derive(Clone, Debug, Serialize)]
pub struct LostDecision {
    /// The mutant on the old side.
    pub mutant: OfMutant,
    /// Who decided.
    pub by: String,
    /// Why.
    pub reason: String,
    /// What the mutant is now; none if it is gone.
    pub now: Option<Standing>,
}

/// A test in a few words.
#[derive(Clone, Debug, Serialize)]
pub struct OfTest {
    /// Its id on its side.
    pub id: String,
    /// Its inputs, exact.
    pub inputs: crate::record::Fields<String>,
    /// How many mutants it kills.
    pub kills: usize,
}

/// A test of which something else is owed now.
#[derive(Clone, Debug, Serialize)]
pub struct Owes {
    /// The test on the old side.
    pub test: OfTest,
    /// What was owed.
    pub before: OwedChange,
    /// What is owed now.
    pub after: OwedChange,
}

/// What is owed at an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OwedChange {
    /// A result between these, exact.
    Between([String; 2]),
    /// A response, outside the domain.
    Response(String),
    /// Nothing that a test could ask for, and why.
    Nothing(String),
    /// The input is no more one of the specification.
    NoSuchInput,
}

impl OwedChange {
    fn of_test(test: &TestRow) -> Self {
        match (&test.lo, &test.hi) {
            (Some(lo), Some(hi)) => OwedChange::Between([lo.clone(), hi.clone()]),
            _ => OwedChange::Response(test.expected.clone().unwrap_or_default()),
        }
    }

    fn of_look(look: &Look) -> Self {
        match &look.oracle {
            _ if look.outside.is_some() => OwedChange::Response(look.response.name().to_owned()),
            Oracle::Undefined => OwedChange::Nothing("f has no value there".to_owned()),
            Oracle::Decided { lo, hi, .. } | Oracle::Capped { outer: (lo, hi), .. } => {
                OwedChange::Between([hex(*lo), hex(*hi)])
            }
            Oracle::Unsatisfiable => OwedChange::Nothing("no result can meet the accuracy".to_owned()),
            Oracle::Unsettled => OwedChange::Nothing("whether f has a value is open".to_owned()),
        }
    }

    fn words(&self) -> String {
        let number = |text: &String| from_hex(text).map_or_else(|| text.clone(), both);
        match self {
            OwedChange::Between([lo, hi]) => format!("from {} to {}", number(lo), number(hi)),
            OwedChange::Response(response) => format!("`{response}`, outside of the domain"),
            OwedChange::Nothing(why) => format!("nothing: {why}"),
            OwedChange::NoSuchInput => "nothing: the inputs are others".to_owned(),
        }
    }
}

/// Compares two sides. Specifications are matched by name, and two that are alone on their sides in any case.
#[must_use]
pub fn compare(old: &[Version], new: &[Version]) -> Diff {
    let alone = old.len() == 1 && new.len() == 1;
    let mut left: VecDeque<&Version> = old.iter().collect();
    let (mut specifications, mut added) = (Vec::new(), Vec::new());
    for after in new {
        match left.iter().position(|b| alone || b.spec.name == after.spec.name).and_then(|k| left.remove(k)) {
            Some(before) => specifications.push(changed(before, after)),
            None => added.push(after.spec.name.clone()),
        }
    }
    let gone_tests = left.iter().filter_map(|v| v.tests.as_ref()).map(Vec::len).sum();
    Diff { specifications, added, gone: left.iter().map(|v| v.spec.name.clone()).collect(), gone_tests }
}

impl Diff {
    /// Whether nothing changed at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.gone.is_empty() && self.specifications.iter().all(Changed::is_empty)
    }

    /// How many old tests are no tests any more.
    #[must_use]
    pub fn lost_tests(&self) -> usize {
        let lost = |c: &Changed| c.tests.as_ref().map_or(0, |t| t.gone.len());
        self.gone_tests + self.specifications.iter().map(lost).sum::<usize>()
    }

    /// The names of the specifications whose score fell.
    #[must_use]
    pub fn lower_scores(&self, score: Score) -> Vec<&str> {
        let fell = |c: &&Changed| c.shares(score).is_some_and(|[before, after]| after.exact() < before.exact());
        self.specifications.iter().filter(fell).map(|c| c.specification.as_str()).collect()
    }
}

impl Changed {
    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        fn same<T>(sets: &Sets<T>) -> bool {
            sets.added.is_empty() && sets.gone.is_empty()
        }
        let tests = self.tests.as_ref().is_none_or(same) && self.oracles.is_empty();
        self.edits.is_empty() && same(&self.mutants) && tests && self.statuses.is_empty() && self.decisions.is_empty()
    }

    /// A score before and now, where both sides are runs.
    #[must_use]
    pub fn shares(&self, score: Score) -> Option<[ScoreShare; 2]> {
        self.counts.as_ref().map(|counts| counts.each_ref().map(|c| score.of(c)))
    }
}

fn changed(old: &Version, new: &Version) -> Changed {
    let pairs = pairs(&old.mutants, &new.mutants);
    let (kept, found): (HashSet<&str>, HashSet<&str>) =
        pairs.iter().map(|(before, after)| (before.id.as_str(), after.id.as_str())).unzip();
    let gone = |m: &&MutantRow| !kept.contains(m.id.as_str());
    let added = |m: &&MutantRow| !found.contains(m.id.as_str());
    let became = |(before, after): &(&MutantRow, &MutantRow)| {
        let (was, now) = (before.status?, after.status?);
        (was != now).then(|| Became { mutant: OfMutant::new(after), was })
    };
    let counts = old.counts.zip(new.counts).map(|(a, b)| [a, b]);
    Changed {
        specification: new.spec.name.clone(),
        edits: formula::edits(&old.spec, &new.spec),
        mutants: Sets {
            kept: pairs.len(),
            added: new.mutants.iter().filter(added).map(OfMutant::new).collect(),
            gone: old.mutants.iter().filter(gone).map(OfMutant::new).collect(),
        },
        statuses: pairs.iter().filter_map(became).collect(),
        decisions: decisions(&old.mutants, &pairs),
        tests: old.tests.as_ref().zip(new.tests.as_ref()).map(|(old, new)| tests(old, new)),
        oracles: oracles(old.tests.as_deref().unwrap_or_default(), new),
        scores: counts.as_ref().map(|c| c.each_ref().map(Scores::new)),
        counts,
    }
}

impl OfMutant {
    fn new(m: &MutantRow) -> Self {
        let (before, after) = (m.before.clone(), m.after.clone());
        OfMutant { id: m.id.clone(), operator: m.operator.name(), before, after, status: m.status }
    }
}

/// The mutants that are on both sides: by id, and of the others those that make the same change somewhere else.
fn pairs<'a>(old: &'a [MutantRow], new: &'a [MutantRow]) -> Vec<(&'a MutantRow, &'a MutantRow)> {
    let ids: HashMap<&str, &MutantRow> = old.iter().map(|m| (m.id.as_str(), m)).collect();
    let same: HashSet<&str> = new.iter().map(|m| m.id.as_str()).filter(|id| ids.contains_key(id)).collect();
    let change = |m: &'a MutantRow| (m.operator, m.before.as_str(), m.after.as_str());
    let mut moved: HashMap<_, VecDeque<&MutantRow>> = HashMap::new();
    for m in old.iter().filter(|m| !same.contains(m.id.as_str())) {
        moved.entry(change(m)).or_default().push_back(m);
    }
    let before = |m: &'a MutantRow| match same.contains(m.id.as_str()) {
        true => ids.get(m.id.as_str()).copied(),
        false => moved.get_mut(&change(m)).and_then(VecDeque::pop_front),
    };
    let mut before = before;
    new.iter().filter_map(|m| Some((before(m)?, m))).collect()
}

fn decisions(old: &[MutantRow], pairs: &[(&MutantRow, &MutantRow)]) -> Vec<LostDecision> {
    let lapsed = |m: &MutantRow| {
        let accepted = m.accepted.as_ref()?;
        let now = pairs.iter().find(|(before, _)| std::ptr::eq(*before, m)).map(|(_, after)| after);
        let holds = now.is_some_and(|after| after.status.is_none_or(|s| s == Standing::Accepted));
        let (by, reason) = (accepted.by.clone(), accepted.reason.clone());
        (!holds).then(|| LostDecision { mutant: OfMutant::new(m), by, reason, now: now.and_then(|m| m.status) })
    };
    old.iter().filter_map(lapsed).collect()
}

impl OfTest {
    fn new(test: &TestRow) -> Self {
        OfTest { id: test.id.clone(), inputs: test.inputs.clone(), kills: test.kills }
    }
}

/// What makes two tests one: their inputs, in any order.
fn key(test: &TestRow) -> Vec<&(String, String)> {
    let mut key: Vec<&(String, String)> = test.inputs.0.iter().collect();
    key.sort_unstable();
    key
}

fn tests(old: &[TestRow], new: &[TestRow]) -> Sets<OfTest> {
    let (before, after): (HashSet<_>, HashSet<_>) = (old.iter().map(key).collect(), new.iter().map(key).collect());
    let without = |tests: &[TestRow], others: &HashSet<Vec<&(String, String)>>| -> Vec<OfTest> {
        tests.iter().filter(|t| !others.contains(&key(t))).map(OfTest::new).collect()
    };
    let (added, gone) = (without(new, &before), without(old, &after));
    Sets { kept: old.len() - gone.len(), added, gone }
}

/// The old tests of which something else is owed by the new specification, also those that are not among its tests.
fn oracles(old: &[TestRow], new: &Version) -> Vec<Owes> {
    let stored: HashMap<_, &TestRow> = new.tests.iter().flatten().map(|t| (key(t), t)).collect();
    let prepared = Prepared::new(&new.spec);
    let owed = |test: &TestRow| {
        if let Some(same) = stored.get(&key(test)) {
            return OwedChange::of_test(same);
        }
        let inputs = new.spec.inputs.iter().map(|i| test.inputs.get(&i.name).and_then(|x| from_hex(x)));
        match inputs.collect::<Option<Vec<f64>>>().filter(|x| x.len() == test.inputs.0.len()) {
            Some(input) => OwedChange::of_look(&prepared.look(&input, DEFAULT_CAP)),
            None => OwedChange::NoSuchInput,
        }
    };
    let changed =
        old.iter().map(|test| Owes { test: OfTest::new(test), before: OwedChange::of_test(test), after: owed(test) });
    changed.filter(|o| o.before != o.after).collect()
}
