//! Branches by line: how often the interpreter took them beside the counts of `gcov`, and proofs that these contradict.

use crate::cc::compiler::real;
use crate::code::counted::LineCount;
use crate::code::dead::dead_lines;
use crate::code::ins::BranchTest;
use crate::code::program::{BranchGoal, CodeProgram};
use crate::code::run::Watch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// How often branches are taken by line: the interpreter's counts beside `gcov`'s.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LineCounts {
    /// Places at which both know as many branches, and take them as often.
    pub same: usize,
    /// Places at which the native program takes what is not taken here, or a single test does not come out as often one way:
    /// `FILE:LINE` and the counts of both, ascending.
    pub different: Vec<(String, Vec<u64>, Vec<u64>)>,
    /// Places at which `gcov` knows other branches: they cannot be compared.
    #[serde(default)]
    pub apart: Vec<String>,
}

/// Counts the branches that runs take.
#[derive(Default)]
pub(super) struct Counts(HashMap<BranchGoal, u64>);

impl Counts {
    pub(super) fn of(&self, goal: BranchGoal) -> u64 {
        self.0.get(&goal).copied().unwrap_or(0)
    }
}

impl Watch for Counts {
    fn branch(&mut self, site: u32, way: u32, _: BranchTest, _: u64, _: u64) {
        *self.0.entry(BranchGoal { site, way }).or_default() += 1;
    }

    fn arm(&mut self, site: u32, arm: u32, _: u32, _: u32) {
        *self.0.entry(BranchGoal { site, way: arm }).or_default() += 1;
    }

    fn asked(&mut self, site: u32, yes: bool, _: BranchTest, _: u64, _: u64) {
        *self.0.entry(BranchGoal { site, way: yes.into() }).or_default() += 1;
    }
}

/// What `gcov` counts, by file and line.
pub(super) type Counted = BTreeMap<(PathBuf, u32), LineCount>;

/// The branches of lines that are beside each other: which line of a condition a test belongs to is told by each compiler in
/// a way of its own.
pub(super) struct Place {
    /// `FILE:LINE` of the first.
    name: String,
    goals: Vec<BranchGoal>,
    file: PathBuf,
    lines: RangeInclusive<u32>,
}

/// How far apart lines are that are beside each other.
const GAP: u32 = 2;

/// The places that have branches, of all functions that the entry reaches; questions are none.
pub(super) fn places(program: &CodeProgram, counted: &Counted) -> Vec<Place> {
    let mut all: BTreeMap<PathBuf, (String, BTreeMap<u32, Vec<BranchGoal>>)> = BTreeMap::new();
    for (site, _) in program.sites(&program.reached()) {
        let (about, Some(place)) = (&program.module.sites[site as usize], program.place(site)) else { continue };
        // In headers of the system what runs before the calls is counted as well: objects of C++'s own library.
        let file = real(Path::new(&place.file));
        let is_own = !["/usr/include", "/usr/lib"].iter().any(|folder| file.starts_with(folder));
        if about.probe.is_none() && is_own {
            let (_, lines) = all.entry(file).or_insert_with(|| (place.file.clone(), BTreeMap::new()));
            lines.entry(place.line).or_default().extend((0..about.ways).map(|way| BranchGoal { site, way }));
        }
    }
    for ((file, line), count) in counted {
        if let Some((_, lines)) = all.get_mut(file).filter(|_| !count.branches.is_empty()) {
            lines.entry(*line).or_default();
        }
    }
    let mut places: Vec<Place> = Vec::new();
    for (file, (name, lines)) in all {
        let first = places.len();
        for (line, goals) in lines {
            match places[first..].last_mut().filter(|p| line - p.lines.end() <= GAP) {
                Some(place) => {
                    place.lines = *place.lines.start()..=line;
                    place.goals.extend(goals);
                }
                None => {
                    places.push(Place { name: format!("{name}:{line}"), goals, file: file.clone(), lines: line..=line })
                }
            }
        }
    }
    places.retain(|p| !p.goals.is_empty());
    places
}

/// What `gcov` counted of the branches of lines.
fn branches(counted: &Counted, file: &Path, lines: &RangeInclusive<u32>) -> Vec<u64> {
    let all = counted.range((file.to_owned(), *lines.start())..=(file.to_owned(), *lines.end()));
    all.flat_map(|(_, count)| count.branches.iter().copied()).collect()
}

fn never(counts: &[u64]) -> usize {
    counts.iter().filter(|n| **n == 0).count()
}

/// The places with the interpreter's counts and those of `gcov`.
pub(super) fn beside(places: &[Place], ours: &Counts, theirs: &Counted) -> LineCounts {
    let mut beside = LineCounts::default();
    for place in places {
        let mut counts: Vec<u64> = place.goals.iter().map(|g| ours.of(*g)).collect();
        let mut others = branches(theirs, &place.file, &place.lines);
        counts.sort_unstable();
        others.sort_unstable();
        // The end of a loop's condition of several tests is one branch here, and several there.
        let is_less = |a: &[u64], b: &[u64]| a.len() == b.len() && (a.len() == 2 || never(a) > never(b));
        if counts == others {
            beside.same += 1;
        } else if is_less(&counts, &others) {
            beside.different.push((place.name.clone(), counts, others));
        } else {
            beside.apart.push(place.name.clone());
        }
    }
    beside
}

/// What counts of lines can contradict.
pub(super) struct Claim {
    /// The branches of which it is.
    pub(super) goals: Vec<BranchGoal>,
    file: PathBuf,
    lines: RangeInclusive<u32>,
    /// How many branches there are; none where no run comes there.
    all: Option<usize>,
}

/// What follows for lines from branches that are claimed infeasible.
pub(super) fn claims(program: &CodeProgram, places: &[Place], claimed: &[BranchGoal]) -> Vec<Claim> {
    let mut claims = Vec::new();
    for place in places {
        let goals: Vec<BranchGoal> = place.goals.iter().filter(|g| claimed.contains(g)).copied().collect();
        if !goals.is_empty() {
            let (file, lines) = (place.file.clone(), place.lines.clone());
            claims.push(Claim { goals, file, lines, all: Some(place.goals.len()) });
        }
    }
    for (file, line) in dead_lines(program, claimed).into_iter().filter(|(file, line)| is_of_statements(file, *line)) {
        let leads = |g: &&BranchGoal| program.leads_to(**g) == Some(line);
        let goals: Vec<BranchGoal> = claimed.iter().filter(leads).copied().collect();
        if !goals.is_empty() {
            claims.push(Claim { goals, file: real(Path::new(&file)), lines: line..=line, all: None });
        }
    }
    claims
}

/// Whether a line has whole statements alone, as far as its text says. Which line a value of `a ? b : c` belongs to is told by
/// each compiler in its own way, so that runs of `c` may be counted as runs of the line of `b`.
fn is_of_statements(file: &str, line: u32) -> bool {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let parts = ["?", ":", "&&", "||"];
    let is_whole = |text: &str| !parts.iter().any(|part| text.replace("::", "").contains(part));
    (line as usize).checked_sub(1).and_then(|n| text.lines().nth(n)).is_some_and(is_whole)
}

impl Claim {
    /// Whether counts are as it says; none where they say nothing of it.
    pub(super) fn holds(&self, counted: &Counted) -> Option<bool> {
        let Some(all) = self.all else {
            return counted.get(&(self.file.clone(), *self.lines.start())).map(|count| count.runs == 0);
        };
        let branches = branches(counted, &self.file, &self.lines);
        (all == branches.len()).then(|| never(&branches) >= self.goals.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What counts say of so many infeasible branches of all; none: no run comes to the line.
    fn holds(all: Option<usize>, infeasible: usize, runs: u64, branches: &[u64]) -> Option<bool> {
        let (file, lines) = (PathBuf::from("f.c"), 3..=3);
        let count = LineCount { runs, branches: branches.to_vec() };
        let claim = Claim { goals: vec![BranchGoal { site: 0, way: 0 }; infeasible], file: file.clone(), lines, all };
        claim.holds(&Counted::from([((file, 3), count)]))
    }

    #[test]
    fn a_branch_that_is_counted_contradicts_its_proof() {
        assert_eq!(holds(Some(2), 1, 7, &[0, 7]), Some(true));
        assert_eq!(holds(Some(2), 1, 10, &[3, 7]), Some(false));
        assert_eq!(holds(Some(4), 2, 2, &[0, 1, 1, 1]), Some(false));
        assert_eq!(holds(Some(2), 2, 0, &[0, 0]), Some(true));
        // Other branches are not those that are known here.
        assert_eq!(holds(Some(2), 1, 2, &[1, 1, 1, 1]), None);
    }

    #[test]
    fn a_line_that_is_run_contradicts_that_no_run_comes_to_it() {
        assert_eq!(holds(None, 1, 0, &[]), Some(true));
        assert_eq!(holds(None, 1, 2, &[]), Some(false));
    }
}
