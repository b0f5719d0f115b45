//! The page of a run that a person reads.

use super::files::{by_operator, platform};
use super::fpbench::{Plan, Row, Run};
use super::published::{ADEQUACY, COUNTS, MUTANTS, SECONDS, SOLVER_SECONDS};
use crate::num::mpfr;
use crate::report::manifest::{COMMIT, VERSION};
use std::fmt::Write as _;

/// How many of the slowest formulas are named.
const SLOWEST: usize = 5;

/// `README.md`.
#[must_use]
pub fn readme(plan: &Plan, run: &Run) -> String {
    let mut out = String::new();
    let what = if plan.all { "FPBench's formulas without loops" } else { "the paper's formulas" };
    let _ = writeln!(out, "# Magneto on {what}, `{}` operators\n", plan.settings.suite.operators);
    if run.interrupted {
        let _ = writeln!(out, "**The run was interrupted.** What follows is about the formulas that it completed.\n");
    }
    setup(&mut out, plan, run);
    result(&mut out, run);
    operators(&mut out, plan, run);
    time(&mut out, run);
    undecided(&mut out, run);
    random(&mut out, run);
    if plan.is_counted() {
        comparison(&mut out, plan, run);
    }
    repeat(&mut out, plan);
    out
}

fn setup(out: &mut String, plan: &Plan, run: &Run) {
    let commit = COMMIT.map_or(String::new(), |c| format!(" ({c})"));
    let filter = plan.filter.as_ref().map_or(String::new(), |f| format!(", those with `{f}` in name or suite only"));
    let folder = if plan.all { "fpbench/*.fpcore" } else { "fpbench/paper/" };
    let accuracy =
        if plan.all { "1e-10 relative, which is the default: FPBench states none" } else { "1e-10 relative" };
    let _ = writeln!(
        out,
        "| | |\n|---|---|\n| Magneto | {VERSION}{commit}, MPFR {}, {} |\n| formulas | {} of `{folder}`{filter} |\n\
         | accuracy | {accuracy} |\n| operators | `{}` |\n| budget | {} boxes for a mutant, no limit on the time |\n\
         | threads | {}; the results do not depend on it |\n",
        mpfr::version(),
        platform(),
        run.rows.len(),
        plan.settings.suite.operators,
        plan.settings.suite.limits.boxes,
        plan.settings.suite.jobs
    );
}

fn result(out: &mut String, run: &Run) {
    let total = run.total();
    let found = run.found().count();
    let mean = |value: fn(&super::fpbench::Found) -> usize| run.mean(|f| value(f) as f64);
    let _ = writeln!(out, "## Result\n\n| | |\n|---|---|");
    let mut line = |name: &str, value: String| {
        let _ = writeln!(out, "| {name} | {value} |");
    };
    line("mutants", total.all.to_string());
    line("killed", total.killed.to_string());
    line("probably killed (accuracy mutants only)", total.probable.to_string());
    line("equivalent, proved", total.equivalent.to_string());
    line("indistinguishable at this accuracy, proved", total.indistinguishable.to_string());
    line("undecided", total.undecided.to_string());
    line("mean rigorous score over the formulas", format!("{:.4}", run.mean(|f| f.counts.rigorous_score())));
    line("mean paper score over the formulas", format!("{:.4}", run.mean(|f| f.counts.paper_score())));
    line("rigorous score of all mutants together", format!("{:.4}", total.rigorous_score()));
    line("paper score of all mutants together", format!("{:.4}", total.paper_score()));
    line("resolved (not undecided)", format!("{:.4}", total.resolved()));
    let tests: usize = run.found().map(|(_, f)| f.tests).sum();
    line("tests", format!("{tests}, {:.1} for a formula in the mean", mean(|f| f.tests)));
    line("tests that `--minimize` would keep", format!("{:.1} for a formula in the mean", mean(|f| f.minimized)));
    line("time", format!("{:.1} s, all formulas", run.time().as_secs_f64()));
    out.push_str(
        "\nRigorous score: killed / (all - equivalent - indistinguishable), without the accuracy mutants. Paper score: \
         (killed + probable) / all. Undecided never counts as killed.\n\n",
    );
    if found < run.rows.len() {
        let _ = writeln!(out, "Without a result, and in none of the figures:\n");
        for (row, why) in run.failed() {
            let _ = writeln!(out, "- {} ({}): {why}", row.name, row.suite);
        }
        out.push('\n');
    }
}

fn operators(out: &mut String, plan: &Plan, run: &Run) {
    out.push_str("## By mutation operator\n\n");
    let compared = plan.is_counted();
    let paper = if compared { (" the paper's count |", "---:|") } else { ("", "") };
    let _ = writeln!(
        out,
        "| objective | operator | all |{} killed | probable | equivalent | indistinguishable | undecided | paper score \
         |\n|---|---|---:|{}---:|---:|---:|---:|---:|---:|",
        paper.0, paper.1
    );
    for g in by_operator(plan, run) {
        let c = g.counts;
        let published = match g.published {
            Some(n) if compared => format!(" {n} |"),
            _ => String::new(),
        };
        let score = if c.all == 0 { String::new() } else { format!("{:.4}", c.paper_score()) };
        let _ = writeln!(
            out,
            "| {} | {} | {} |{published} {} | {} | {} | {} | {} | {score} |",
            g.objective, g.operator, c.all, c.killed, c.probable, c.equivalent, c.indistinguishable, c.undecided
        );
    }
    out.push('\n');
}

fn time(out: &mut String, run: &Run) {
    let mut rows: Vec<&Row> = run.rows.iter().collect();
    rows.sort_by_key(|r| std::cmp::Reverse(r.time));
    let mean = run.time().as_secs_f64() / run.rows.len().max(1) as f64;
    let _ = writeln!(out, "## Time\n\n{mean:.3} s for a formula in the mean. The slowest:\n");
    out.push_str("| formula | suite | mutants | boxes | seconds |\n|---|---|---:|---:|---:|\n");
    for row in rows.iter().take(SLOWEST) {
        let (mutants, boxes) = row.found.as_ref().map_or((0, 0), |f| (f.counts.all, f.boxes));
        let _ = writeln!(out, "| {} | {} | {mutants} | {boxes} | {:.3} |", row.name, row.suite, row.time.as_secs_f64());
    }
    out.push_str("\nFrom the specification to tests, kill matrix and proofs; the random baseline is not in it.\n\n");
}

fn undecided(out: &mut String, run: &Run) {
    out.push_str("## Undecided mutants\n\n");
    if run.total().undecided == 0 {
        out.push_str("None.\n\n");
        return;
    }
    out.push_str("| formula | id | operator | before | after | why |\n|---|---|---|---|---|---|\n");
    for (row, found) in run.found() {
        for u in &found.undecided {
            let (operator, code) = (u.operator, |text: &str| format!("`{}`", text.replace('|', r"\|")));
            let (before, after) = (code(&u.before), code(&u.after));
            let _ = writeln!(out, "| {} | {} | {operator} | {before} | {after} | {} |", row.name, u.id, u.reason);
        }
    }
    out.push('\n');
}

fn random(out: &mut String, run: &Run) {
    let sum = |value: fn(&super::fpbench::Found) -> usize| run.found().map(|(_, f)| value(f)).sum::<usize>();
    let _ = writeln!(
        out,
        "## Random points\n\nMutants with another function that are killed. Each baseline has as many points as Magneto \
         has probe points and tests: {} in all. That it is points and not seconds keeps the comparison repeatable.\n\n\
         | | killed |\n|---|---:|\n| Magneto | {} |\n| random, uniform over the numbers of D | {} |\n\
         | random, uniform over the floats of D | {} |\n",
        sum(|f| f.random.points),
        sum(|f| f.body_killed),
        sum(|f| f.random.numbers),
        sum(|f| f.random.floats)
    );
    let better = run.found().filter(|(_, f)| f.random.numbers.max(f.random.floats) > f.body_killed);
    let better: Vec<&str> = better.map(|(r, _)| r.name.as_str()).collect();
    if better.is_empty() {
        out.push_str("On no formula does either baseline kill more than Magneto.\n\n");
    } else {
        let _ = writeln!(out, "A baseline kills more on: {}.\n", better.join(", "));
    }
}

fn comparison(out: &mut String, plan: &Plan, run: &Run) {
    out.push_str(
        "## Comparison with the paper\n\nJeangoudoux, Darulova, Lauter: *Interval Constraint-Based Mutation Testing of \
         Numerical Specifications*, ISSTA 2021.\n\n",
    );
    if plan.is_the_papers() && !run.interrupted {
        let mean = run.time().as_secs_f64() / run.rows.len().max(1) as f64;
        let _ = writeln!(
            out,
            "| | paper | here |\n|---|---:|---:|\n| formulas | {} | {} |\n| mutants | {MUTANTS} | {} |\n\
             | mean adequacy (killed and probable of all) | {ADEQUACY:.2} | {:.4} |\n\
             | mean seconds for a formula | {SECONDS:.0} | {mean:.3} |\n\
             | limit for one solver problem | {SOLVER_SECONDS:.0} s | {} boxes |\n",
            COUNTS.len(),
            run.rows.len(),
            run.total().all,
            run.mean(|f| f.counts.paper_score()),
            plan.settings.suite.limits.boxes
        );
    }
    let miscounted = run.miscounted(plan).unwrap_or_default();
    if miscounted.is_empty() {
        out.push_str("The number of mutants is the paper's, for every formula and every type.\n\n");
    } else {
        let _ = writeln!(out, "**The number of mutants is not the paper's for: {}.**\n", miscounted.join(", "));
    }
    out.push_str(
        "Mutant counts compare exactly. Scores and times compare only loosely: the paper's artifact as published used \
         two of the paper's four constraint problems, a time-out of 3 s and a looser rule for what is a kill; here a \
         kill separates the whole valid sets, and limits count boxes. The paper ran on another machine. Where its \
         figures by operator could not be checked against a source they are left out.\n\n",
    );
}

fn repeat(out: &mut String, plan: &Plan) {
    let _ = writeln!(
        out,
        "## Repeat\n\n```sh\n{}\n```\n\nThe formulas are in the program. Version, options and platform being the same, \
         every file but this one and `timing.csv` comes out byte for byte the same.\n\n\
         | file | contents |\n|---|---|\n| `per_benchmark.csv` | a row for each formula: counts, scores, tests, boxes, \
         random points |\n| `table2.csv` | mutants, adequacy and tests for each formula, as the paper's Table 2 |\n\
         | `table3.csv` | mutants by operator and objective, as the paper's Table 3 |\n| `timing.csv` | seconds for each \
         formula |\n| `manifest.json` | version, options, platform |",
        plan.command()
    );
}
