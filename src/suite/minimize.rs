//! As few tests as kill the same mutants: greedy cover, then whatever the others make superfluous is dropped.

use super::{Generated, Judged, Origin, Row, Status, Test};

/// How many tests `--minimize` would keep.
#[must_use]
pub fn minimized(generated: &Generated) -> usize {
    let (mut tests, mut matrix) = (generated.tests.clone(), generated.matrix.clone());
    minimize(&mut tests, &mut matrix, &generated.mutants);
    tests.len()
}

/// A number of tests that no choice of these tests with the same kills goes below: so many killed mutants of which no
/// test kills two. Found greedily, those with the fewest tests first.
#[must_use]
pub fn fewest(generated: &Generated) -> usize {
    let killers = |i: usize| (0..generated.tests.len()).filter(move |t| generated.matrix[*t][i].is_kill()).collect();
    let mut open: Vec<Vec<usize>> = needed(&generated.mutants).into_iter().map(killers).collect();
    open.sort_by_key(Vec::len);
    let mut used = vec![false; generated.tests.len()];
    let mut apart = 0;
    for tests in open.iter().filter(|tests| !tests.is_empty()) {
        if !tests.iter().any(|t| used[*t]) {
            tests.iter().for_each(|t| used[*t] = true);
            apart += 1;
        }
    }
    apart
}

/// The mutants that tests have to kill.
pub(super) fn needed(judged: &[Judged]) -> Vec<usize> {
    (0..judged.len()).filter(|i| matches!(judged[*i].status, Status::Killed | Status::Probable)).collect()
}

/// Keep a small set of tests with the same kills (and probable kills). The order of the tests is kept, and so are ids.
pub(super) fn minimize(tests: &mut Vec<Test>, matrix: &mut Vec<Row>, judged: &[Judged]) {
    // What a reviewer expects or a person brings stays beside what would be kept without it.
    let expected = |t: &usize| matches!(tests[*t].origin, Origin::Boundary | Origin::Given);
    let found: Vec<usize> = (0..tests.len()).filter(|t| tests[*t].target.is_some()).collect();
    let needed = needed(judged);
    let chosen = cover(matrix, &found, &needed);
    let keep: Vec<bool> = (0..tests.len()).map(|t| expected(&t) || chosen.contains(&t)).collect();
    let mut flags = keep.iter();
    tests.retain(|_| *flags.next().unwrap_or(&true));
    let mut flags = keep.iter();
    matrix.retain(|_| *flags.next().unwrap_or(&true));
}

/// Few of the `rows` that together kill (or probably kill) all of `needed` that any of them does: each time the one that kills most
/// of what is left, the earliest of equals; then whatever the later ones make superfluous is dropped.
pub(super) fn cover(matrix: &[Row], rows: &[usize], needed: &[usize]) -> Vec<usize> {
    let kills = |t: usize, i: usize| matrix[t][i].is_kill();
    let mut open = needed.to_vec();
    let mut chosen: Vec<usize> = Vec::new();
    while !open.is_empty() {
        let gain = |t: &usize| open.iter().filter(|i| kills(*t, **i)).count();
        let best = rows.iter().copied().max_by_key(|t| (gain(t), matrix.len() - t));
        let Some(best) = best.filter(|t| gain(t) > 0) else { break };
        open.retain(|i| !kills(best, *i));
        chosen.push(best);
    }
    // The first chosen may be superfluous by the last ones.
    for k in (0..chosen.len()).rev() {
        let others = |i: &usize| chosen.iter().enumerate().any(|(j, t)| j != k && kills(*t, *i));
        if needed.iter().filter(|i| kills(chosen[k], **i)).all(others) {
            chosen.remove(k);
        }
    }
    chosen
}
