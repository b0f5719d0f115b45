//! As few tests as kill the same mutants: greedy cover, then whatever the others make superfluous is dropped.

use crate::suite::{Generated, Judged, Origin, Row, Status, Test};

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

/// Whether a reviewer expects a test or a person brings it: it stays beside what would be kept without it.
fn is_extra(test: &Test) -> bool {
    matches!(test.origin, Origin::Boundary | Origin::Given)
}

/// Keep a small set of tests with the same kills (and probable kills). The order of the tests is kept, and so are ids.
pub(in crate::suite) fn minimize(tests: &mut Vec<Test>, matrix: &mut Vec<Row>, judged: &[Judged]) {
    let found: Vec<usize> = (0..tests.len()).filter(|t| tests[*t].target.is_some()).collect();
    let needed = needed(judged);
    let chosen = cover(matrix, &found, &needed);
    let kept = (0..tests.len()).map(|t| is_extra(&tests[t]) || chosen.contains(&t)).collect();
    keep(tests, matrix, kept);
}

/// Where tests fill the domain, drop those that were found for single mutants which the others kill as well. What is left is
/// numbered anew.
pub(in crate::suite) fn prune(tests: &mut Vec<Test>, matrix: &mut Vec<Row>, judged: &[Judged]) {
    let fills = |t: &Test| matches!(t.origin, Origin::Spread | Origin::Special);
    if !tests.iter().any(fills) {
        return;
    }
    let may_go =
        |t: &usize| matches!(tests[*t].origin, Origin::Probe | Origin::Solver | Origin::Bounds | Origin::Accuracy);
    let (found, stay): (Vec<usize>, Vec<usize>) = (0..tests.len()).partition(may_go);
    let mut needed = needed(judged);
    needed.retain(|i| !stay.iter().any(|t| !is_extra(&tests[*t]) && matrix[*t][*i].is_kill()));
    let chosen = cover(matrix, &found, &needed);
    let kept = (0..tests.len()).map(|t| !may_go(&t) || chosen.contains(&t)).collect();
    keep(tests, matrix, kept);
    for (k, test) in tests.iter_mut().enumerate() {
        test.id = format!("t{:03}", k + 1);
    }
}

/// Keep some tests with their rows.
fn keep(tests: &mut Vec<Test>, matrix: &mut Vec<Row>, kept: Vec<bool>) {
    let mut flags = kept.iter();
    tests.retain(|_| *flags.next().unwrap_or(&true));
    let mut flags = kept.iter();
    matrix.retain(|_| *flags.next().unwrap_or(&true));
}

/// Few of the `rows` that together kill (or probably kill) all of `needed` that any of them does: each time the one that kills most
/// of what is left, the earliest of equals; then whatever the later ones make superfluous is dropped.
pub(in crate::suite) fn cover(matrix: &[Row], rows: &[usize], needed: &[usize]) -> Vec<usize> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate::{OperatorSet, mutants};
    use crate::spec::{OutOfRange, Overrides, parse_file, resolve};
    use crate::suite::{Expectation, MatrixCell};

    #[test]
    fn what_was_found_for_single_mutants_goes_where_others_kill_them() {
        let text = "(FPCore (x) :precision binary64 :pre (<= 1 x 2) (+ x 1))";
        let spec = resolve(&parse_file(text.as_bytes()), 0, "text.fpcore", &Overrides::default()).unwrap();
        let judged: Vec<Judged> = mutants(&spec, &OperatorSet::Full).into_iter().take(3).map(Judged::new).collect();
        let killed: Vec<Judged> = judged.into_iter().map(|j| Judged { status: Status::Killed, ..j }).collect();
        let run = |origins: &[(Origin, [bool; 3])]| -> Vec<(String, Origin)> {
            let test = |(k, (origin, _)): (usize, &(Origin, [bool; 3]))| Test {
                id: format!("t{:03}", k + 1),
                input: vec![1.0 + k as f64 / 8.0],
                expectation: Expectation::OutOfRange(OutOfRange::Nan),
                origin: *origin,
                target: None,
                reason: String::new(),
            };
            let mut tests: Vec<Test> = origins.iter().enumerate().map(test).collect();
            let cell = |is_kill: &bool| if *is_kill { MatrixCell::Ko { margin: 2.0 } } else { MatrixCell::Ok };
            let row = |(_, kills): &(Origin, [bool; 3])| Row::from(kills.iter().map(cell).collect::<Vec<_>>());
            let mut matrix: Vec<Row> = origins.iter().map(row).collect();
            prune(&mut tests, &mut matrix, &killed);
            assert_eq!(tests.len(), matrix.len());
            tests.into_iter().map(|t| (t.id, t.origin)).collect()
        };
        let (spread, probe, solver) = (Origin::Spread, Origin::Probe, Origin::Solver);
        let found =
            run(&[(probe, [true, false, false]), (spread, [true, false, false]), (solver, [false, true, true])]);
        assert_eq!(found, [("t001".to_owned(), spread), ("t002".to_owned(), solver)]);
        // Of two that kill the same one stays, and what fills the domain stays whatever it kills.
        let found = run(&[(spread, [false; 3]), (probe, [true, true, false]), (solver, [true, true, true])]);
        assert_eq!(found, [("t001".to_owned(), spread), ("t002".to_owned(), solver)]);
        // What a person brings takes no other test's place.
        let given = Origin::Given;
        let found = run(&[(given, [true; 3]), (spread, [false; 3]), (probe, [true, false, false])]);
        assert_eq!(found.len(), 3);
        // Where nothing fills the domain every test stays.
        assert_eq!(run(&[(probe, [true, true, true]), (solver, [true, true, true])]).len(), 2);
    }
}
