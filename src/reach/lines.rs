//! Branches by line: how often the interpreter took them beside the counts of `gcov`, and proofs that these contradict.

use crate::code::counted::LineCount;
use crate::code::dead::dead_lines;
use crate::code::ins::Test;
use crate::code::native::real;
use crate::code::program::{Goal, Program};
use crate::code::run::Watch;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// How often branches are taken by line: the interpreter's counts beside `gcov`'s.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lines {
    /// Lines on which both know as many branches, and take them as often.
    pub same: usize,
    /// Lines on which both know as many branches and do not take them as often: `FILE:LINE` and the counts of both, ascending.
    pub different: Vec<(String, Vec<u64>, Vec<u64>)>,
    /// Lines of which `gcov` knows more branches or fewer: they cannot be compared.
    #[serde(default)]
    pub apart: Vec<String>,
}

/// Counts the branches that runs take.
#[derive(Default)]
pub(super) struct Counts(HashMap<Goal, u64>);

impl Counts {
    pub(super) fn of(&self, goal: Goal) -> u64 {
        self.0.get(&goal).copied().unwrap_or(0)
    }
}

impl Watch for Counts {
    fn branch(&mut self, site: u32, way: u32, _: Test, _: u64, _: u64) {
        *self.0.entry(Goal { site, way }).or_default() += 1;
    }

    fn arm(&mut self, site: u32, arm: u32, _: u32, _: u32) {
        *self.0.entry(Goal { site, way: arm }).or_default() += 1;
    }

    fn asked(&mut self, site: u32, yes: bool, _: Test, _: u64, _: u64) {
        *self.0.entry(Goal { site, way: yes.into() }).or_default() += 1;
    }
}

/// What `gcov` counts, by file and line.
pub(super) type Counted = BTreeMap<(PathBuf, u32), LineCount>;

/// The branches of a line.
pub(super) struct Line {
    /// `FILE:LINE`.
    pub(super) name: String,
    pub(super) goals: Vec<Goal>,
    place: (PathBuf, u32),
}

/// The lines of all functions that the entry reaches which have branches; questions are none.
pub(super) fn lines(program: &Program) -> Vec<Line> {
    let mut all: BTreeMap<(&str, u32), Vec<Goal>> = BTreeMap::new();
    for (site, _) in program.sites(&program.reached()) {
        let (about, Some(place)) = (&program.module.sites[site as usize], program.place(site)) else { continue };
        if about.probe.is_none() {
            let ways = (0..about.ways).map(|way| Goal { site, way });
            all.entry((&place.file, place.line)).or_default().extend(ways);
        }
    }
    let line = |((file, line), goals): ((&str, u32), Vec<Goal>)| Line {
        name: format!("{file}:{line}"),
        goals,
        place: (real(Path::new(file)), line),
    };
    all.into_iter().map(line).collect()
}

/// The lines with the interpreter's counts and those of `gcov`.
pub(super) fn beside(lines: &[Line], ours: &Counts, theirs: &Counted) -> Lines {
    let mut beside = Lines::default();
    for line in lines {
        let mut counts: Vec<u64> = line.goals.iter().map(|g| ours.of(*g)).collect();
        let mut others = theirs.get(&line.place).map_or(Vec::new(), |c| c.branches.clone());
        counts.sort_unstable();
        others.sort_unstable();
        if counts == others {
            beside.same += 1;
        } else if counts.len() == others.len() {
            beside.different.push((line.name.clone(), counts, others));
        } else {
            beside.apart.push(line.name.clone());
        }
    }
    beside
}

/// What counts of a line can contradict.
pub(super) struct Claim {
    /// The branches of which it is.
    pub(super) goals: Vec<Goal>,
    place: (PathBuf, u32),
    /// How many branches the line has; none where no run comes to it.
    all: Option<usize>,
}

/// What follows for lines from branches that are claimed infeasible.
pub(super) fn claims(program: &Program, lines: &[Line], claimed: &[Goal]) -> Vec<Claim> {
    let mut claims = Vec::new();
    for line in lines {
        let goals: Vec<Goal> = line.goals.iter().filter(|g| claimed.contains(g)).copied().collect();
        if !goals.is_empty() {
            claims.push(Claim { goals, place: line.place.clone(), all: Some(line.goals.len()) });
        }
    }
    for (file, line) in dead_lines(program, claimed) {
        let leads = |g: &&Goal| program.leads_to(**g) == Some(line);
        let goals: Vec<Goal> = claimed.iter().filter(leads).copied().collect();
        if !goals.is_empty() {
            claims.push(Claim { goals, place: (real(Path::new(&file)), line), all: None });
        }
    }
    claims
}

impl Claim {
    /// Whether counts are as it says; none where they say nothing of it.
    pub(super) fn holds(&self, counted: &Counted) -> Option<bool> {
        let count = counted.get(&self.place)?;
        match self.all {
            None => Some(count.runs == 0),
            Some(all) if all == count.branches.len() => {
                Some(count.branches.iter().filter(|n| **n == 0).count() >= self.goals.len())
            }
            Some(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What counts say of so many infeasible branches of all; none: no run comes to the line.
    fn holds(all: Option<usize>, infeasible: usize, runs: u64, branches: &[u64]) -> Option<bool> {
        let place = (PathBuf::from("f.c"), 3);
        let count = LineCount { runs, branches: branches.to_vec() };
        let claim = Claim { goals: vec![Goal { site: 0, way: 0 }; infeasible], place: place.clone(), all };
        claim.holds(&Counted::from([(place, count)]))
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
