//! The page's sections that set a run beside the paper's figures.

use super::fpbench::FpbenchPlan;
use super::published::{COUNTS, KILLS, LEFT_OUT, MUTANTS, SOLVER_SECONDS, SPREADS, Spread, TYPES, What};
use super::rows::{FormulaRow, FoundForFormula, Run};
use crate::suite::Counts;
use std::fmt::Write as _;

/// How a run compares with the paper; `plan` has the paper's formulas, or all of FPBench's with its operators.
pub(super) fn comparison(out: &mut String, plan: &FpbenchPlan, run: &Run) {
    out.push_str(
        "## Comparison with the paper\n\nJeangoudoux, Darulova, Lauter: *Interval Constraint-Based Mutation Testing of \
         Numerical Specifications*, ISSTA 2021.\n\n",
    );
    if plan.is_the_papers() && !run.interrupted {
        let _ = writeln!(
            out,
            "| | paper | here |\n|---|---:|---:|\n| formulas | {} | {} |\n| mutants | {MUTANTS} | {} |\n\
             | limit for one solver problem | {SOLVER_SECONDS:.0} s | {} boxes |\n",
            COUNTS.len(),
            run.rows.len(),
            run.total().all,
            plan.settings.suite.limits.boxes
        );
        spreads(out, run);
        kills(out, run);
    }
    let miscounted = plan.miscounted(run).unwrap_or_default();
    if miscounted.is_empty() {
        out.push_str("The number of mutants is that of the paper's data, for every formula and every type.\n\n");
    } else {
        let _ = writeln!(out, "**The number of mutants is not the paper's for: {}.**\n", miscounted.join(", "));
    }
    out.push_str(
        "Mutant counts compare exactly. Scores and times compare only loosely: the paper's artifact as published used \
         two of the paper's four constraint problems, a time-out of 3 s and a looser rule for what is a kill; here a \
         kill separates the whole valid sets, and limits count boxes. The paper ran on another machine.\n\n",
    );
}

/// The paper's Table 2 beside the run's.
fn spreads(out: &mut String, run: &Run) {
    out.push_str(
        "Over the formulas (the paper's Table 2; what it does not state is left out):\n\n\
         | | | min | median | mean | max |\n|---|---|---:|---:|---:|---:|\n",
    );
    for (what, published) in SPREADS {
        let values: Option<Vec<f64>> = run.found().map(|(row, found)| value(what, row, found)).collect();
        let name = what.name();
        let digits = what.digits();
        let cell = |x: Option<f64>| x.map_or(String::new(), |x| format!("{x:.digits$}"));
        let mut line = |whose: &str, s: &Spread| {
            let [min, median, mean, max] = [s.min, s.median, s.mean, s.max].map(cell);
            let _ = writeln!(out, "| {name} | {whose} | {min} | {median} | {mean} | {max} |");
        };
        line("paper", &published);
        if let Some(own) = values.and_then(|v| Spread::of(&v)) {
            line("here", &own);
        }
    }
    out.push('\n');
}

/// A formula's figure; none where the run has none.
fn value(what: What, row: &FormulaRow, found: &FoundForFormula) -> Option<f64> {
    Some(match what {
        What::Adequacy => found.counts.paper_score(),
        What::RandomAdequacy => {
            let timed = found.random.timed?;
            (timed.killed + timed.probable) as f64 / found.counts.all.max(1) as f64
        }
        What::Tests => found.tests as f64,
        What::RandomTests => found.random.timed?.tests as f64,
        What::Seconds => row.time.as_secs_f64(),
        What::Operations => found.operations as f64,
    })
}

/// What the run kills of each type, in the order of the paper's, on the formulas that its Table 3 counts.
fn killed(run: &Run) -> [Counts; 8] {
    let counted = || run.found().filter(|(row, _)| row.name != LEFT_OUT);
    TYPES.map(|t| counted().flat_map(|(_, f)| &f.operators).filter(|o| o.operator == t).map(|o| &o.counts).sum())
}

/// The types of which the run kills fewer than the paper, probable kills with them.
pub(super) fn kills_fewer(run: &Run) -> Vec<&'static str> {
    let own = killed(run);
    let fewer = |k: &usize| own[*k].killed + own[*k].probable < KILLS[*k].magneto;
    (0..TYPES.len()).filter(fewer).map(|k| TYPES[k].name()).collect()
}

/// The paper's Table 3 beside the run's.
fn kills(out: &mut String, run: &Run) {
    let _ = writeln!(
        out,
        "By type (the paper's Table 3). It counts one formula fewer than the paper's data, by numbers that are those of \
         `{LEFT_OUT}`, which is left out here as well; killed are the probable ones too, and `not killable` is what is \
         proved to be equivalent or indistinguishable:\n\n\
         | operator | mutants, paper | random testing, paper | killed, paper | mutants, here | killed, here | not \
         killable |\n|---|---:|---:|---:|---:|---:|---:|"
    );
    for ((t, paper), own) in TYPES.iter().zip(KILLS).zip(killed(run)) {
        let _ = writeln!(
            out,
            "| {t} | {} | {} | {} | {} | {} | {} |",
            paper.mutants,
            paper.random,
            paper.magneto,
            own.all,
            own.killed + own.probable,
            own.equivalent + own.indistinguishable
        );
    }
    out.push('\n');
}
