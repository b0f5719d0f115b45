//! The page of a run that a person reads.

use super::compared::{comparison, kills_fewer};
use super::fpbench::{Corpus, FpbenchPlan};
use super::groups::by_operator;
use super::platform;
use super::rows::{FormulaRow, FoundForFormula, Run};
use crate::mutate::{MutationOperator, OperatorSet};
use crate::num::{AtLeast, mpfr};
use crate::record::manifest::{COMMIT, VERSION};
use std::fmt::Write as _;

/// How many of the slowest formulas are named.
const SLOWEST: usize = 5;

/// `README.md`.
#[must_use]
pub fn readme(plan: &FpbenchPlan, run: &Run) -> String {
    let mut out = String::new();
    let what = match &plan.corpus {
        Corpus::Paper => "the paper's formulas".to_owned(),
        Corpus::Fpbench => "FPBench's formulas without loops".to_owned(),
        Corpus::Files { names, .. } => names.join(", "),
    };
    let _ = writeln!(out, "# Magneto on {what}, `{}` operators\n", plan.settings.suite.operators);
    if run.interrupted {
        let _ = writeln!(out, "**The run was interrupted.** What follows is about the formulas that it completed.\n");
    }
    setup(&mut out, plan, run);
    result(&mut out, run);
    if plan.is_the_papers() && !run.interrupted {
        asked(&mut out, run);
    }
    operators(&mut out, plan, run);
    random(&mut out, run);
    tests(&mut out, plan, run);
    time(&mut out, run);
    undecided(&mut out, run);
    if plan.is_counted() {
        comparison(&mut out, plan, run);
    }
    repeat(&mut out, plan);
    out
}

fn setup(out: &mut String, plan: &FpbenchPlan, run: &Run) {
    let commit = COMMIT.map_or(String::new(), |c| format!(" ({c})"));
    let filter = plan.filter.as_ref().map_or(String::new(), |f| format!(", those with `{f}` in name or suite only"));
    let (folder, accuracy) = match &plan.corpus {
        Corpus::Paper => ("fpbench/paper/".to_owned(), "1e-10 relative"),
        Corpus::Fpbench => ("fpbench/*.fpcore".to_owned(), "1e-10 relative, which is the default: FPBench states none"),
        Corpus::Files { names, .. } => {
            (names.join("`, `"), "that of each formula; 1e-10 relative where it states none")
        }
    };
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
    let mean = |value: fn(&FoundForFormula) -> usize| run.mean(|f| value(f) as f64);
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

fn operators(out: &mut String, plan: &FpbenchPlan, run: &Run) {
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
        let published = g.published.map_or(String::new(), |n| n.to_string());
        let published = if compared { format!(" {published} |") } else { String::new() };
        let score = if c.all == 0 { String::new() } else { format!("{:.4}", c.paper_score()) };
        let _ = writeln!(
            out,
            "| {} | {} | {} |{published} {} | {} | {} | {} | {} | {score} |",
            g.objective, g.operator, c.all, c.killed, c.probable, c.equivalent, c.indistinguishable, c.undecided
        );
    }
    out.push_str(
        "\n![Mutants by type and status](figure5.svg)\n\nIn the spirit of the paper's Figure 5; `figure5.csv` has the \
         data.\n\n",
    );
}

fn time(out: &mut String, run: &Run) {
    let mut rows: Vec<&FormulaRow> = run.rows.iter().collect();
    rows.sort_by_key(|r| std::cmp::Reverse(r.time));
    let mean = run.time().as_secs_f64() / run.rows.len().max(1) as f64;
    let _ = writeln!(out, "## Time\n\n{mean:.3} s for a formula in the mean. The slowest:\n");
    out.push_str("| formula | suite | mutants | boxes | seconds |\n|---|---|---:|---:|---:|\n");
    for row in rows.iter().take(SLOWEST) {
        let (mutants, boxes) = row.found.as_ref().map_or((0, 0), |f| (f.counts.all, f.boxes));
        let _ = writeln!(out, "| {} | {} | {mutants} | {boxes} | {:.3} |", row.name, row.suite, row.time.as_secs_f64());
    }
    out.push_str(
        "\nFrom the specification to tests, kill matrix and proofs; random testing is not in it. By phase:\n\n\
         | phase | seconds | share |\n|---|---:|---:|\n",
    );
    let phases = run.phases();
    let all: f64 = phases.iter().map(|p| p.1.as_secs_f64()).sum::<f64>().max(f64::MIN_POSITIVE);
    for (name, time) in phases {
        let seconds = time.as_secs_f64();
        let _ = writeln!(out, "| {name} | {seconds:.3} | {:.1} % |", seconds / all * 100.0);
    }
    out.push_str(
        "\nMutants: made and put onto one tape. Solver: searches, with the verification of what they find. Oracle: the \
         oracles of all inputs that were tried, and their rows of the kill matrix.\n\n",
    );
}

/// What this project asks of itself on the paper's formulas.
fn asked(out: &mut String, run: &Run) {
    let worst = run.rows.iter().map(|r| r.time.as_secs_f64()).fold(0.0, f64::max);
    let (rigorous, resolved) = (run.mean(|f| f.counts.rigorous_score()), run.total().resolved());
    let (seconds, tests) = (run.time().as_secs_f64(), run.mean(|f| f.minimized as f64));
    let beaten = run.beaten().len();
    out.push_str("## What is asked\n\n| | asked | here | |\n|---|---:|---:|---|\n");
    let mut line = |what: &str, asked: &str, here: String, holds: bool| {
        let _ = writeln!(out, "| {what} | {asked} | {here} | {} |", if holds { "holds" } else { "**does not hold**" });
    };
    line("mean rigorous score", "at least 0.99", format!("{rigorous:.4}"), rigorous >= 0.99);
    line("resolved", "at least 0.999", format!("{resolved:.4}"), resolved >= 0.999);
    line("time for all formulas", "at most 5 s", format!("{seconds:.2} s"), seconds <= 5.0);
    line("time for one formula", "at most 0.5 s", format!("{worst:.3} s"), worst <= 0.5);
    line("formulas on which a random baseline kills more", "0", beaten.to_string(), beaten == 0);
    line("mean tests after `--minimize`", "at most 3.0", format!("{tests:.2}"), tests <= 3.0);
    let fewer = kills_fewer(run);
    let here = if fewer.is_empty() { "every type".to_owned() } else { format!("not of {}", fewer.join(", ")) };
    line("killed or probably killed of each type", "at least the paper's", here, fewer.is_empty());
    out.push_str("\nWhy three tests cannot do is said under \"Tests\".\n\n");
}

/// How few tests there could be.
fn tests(out: &mut String, plan: &FpbenchPlan, run: &Run) {
    let mean = |value: fn(&FoundForFormula) -> usize| run.mean(|f| value(f) as f64);
    let least = run.found().filter(|(_, f)| f.minimized == f.fewest).count();
    let ranges = |f: &FoundForFormula| {
        f.operators.iter().filter(|o| o.operator == MutationOperator::Bounds).map(|o| o.counts.killed).sum::<usize>()
    };
    let _ = writeln!(
        out,
        "## Tests\n\n| mean over the formulas | |\n|---|---:|\n| tests | {:.2} |\n| after `--minimize` | {:.2} |\n\
         | no choice of these tests with the same kills goes below | {:.3} |\n\
         | killed mutants with another range of an input | {:.2} |\n\n\
         The lower bound is computed from the kill matrix: so many killed mutants, found greedily, of which no test \
         kills two. On {least} of {} formulas `--minimize` reaches it, so that no smaller choice exists there.",
        mean(|f| f.tests),
        mean(|f| f.minimized),
        AtLeast(mean(|f| f.fewest)),
        run.mean(|f| ranges(f) as f64),
        run.found().count()
    );
    if plan.settings.suite.operators != OperatorSet::Paper {
        out.push('\n');
        return;
    }
    out.push_str(
        "\nThe mutants of ranges are why. With the paper's operators they widen one end of one range. A test kills such a \
         mutant only where that input is beyond that end and every other input is in its own range, since the mutant \
         accepts no other input that the specification rejects. No input does that for two ends at once, so that each \
         of these mutants needs a test of its own, whatever the tests are, and what has another function needs one \
         more inside the domain.\n\n",
    );
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
            let [name, before, after, why] = [&row.name, &u.before, &u.after, &u.reason].map(|t| t.replace('|', r"\|"));
            let _ = writeln!(out, "| {name} | {} | {} | `{before}` | `{after}` | {why} |", u.id, u.operator);
        }
    }
    out.push('\n');
}

fn random(out: &mut String, run: &Run) {
    out.push_str(
        "## Random testing\n\nA random point is kept as a test if it kills a mutant that lives. Oracle and verdicts are \
         Magneto's; the mutants that it proved not to be killable are left out. Random testing has one thread.\n\n\
         | | points | tests | killed | probable | mean adequacy |\n|---|---:|---:|---:|---:|---:|\n",
    );
    let total = run.total();
    let tests: usize = run.found().map(|(_, f)| f.tests).sum();
    let own = run.mean(|f| f.counts.paper_score());
    let _ = writeln!(out, "| Magneto | | {tests} | {} | {} | {own:.4} |", total.killed, total.probable);
    let names = run.found().next().map(|(_, f)| f.random.all()).unwrap_or_default();
    for (k, (name, what, _)) in names.into_iter().enumerate() {
        let of = |f: &FoundForFormula| f.random.all().get(k).map(|b| b.2).unwrap_or_default();
        let all: Vec<_> = run.found().map(|(_, f)| of(f)).collect();
        let mean = run.mean(|f| (of(f).killed + of(f).probable) as f64 / f.counts.all.max(1) as f64);
        let (points, tests) = (all.iter().map(|t| t.points).sum::<u64>(), all.iter().map(|t| t.tests).sum::<usize>());
        let (killed, probable) =
            (all.iter().map(|t| t.killed).sum::<usize>(), all.iter().map(|t| t.probable).sum::<usize>());
        let _ = writeln!(out, "| {name}: {what} | {points} | {tests} | {killed} | {probable} | {mean:.4} |");
    }
    let beaten = run.beaten();
    if beaten.is_empty() {
        out.push_str("\nOn no formula does a baseline kill more than Magneto.\n");
    } else {
        let names: Vec<String> = beaten.iter().map(|(formula, name)| format!("{formula} ({name})")).collect();
        let _ = writeln!(out, "\nA baseline kills more on: {}.", names.join(", "));
    }
    out.push_str(
        "\nBB is the paper's baseline. The paper's artifact draws from lo to hi + 1, which leaves D; here points are in D. \
         How many points BB tries in its time differs from run to run; the others can be repeated exactly.\n\n\
         ![Adequacy of each formula, and time by mutants](figure4.svg)\n\n\
         In the spirit of the paper's Figure 4; `figure4.csv` has the data.\n\n",
    );
}

fn repeat(out: &mut String, plan: &FpbenchPlan) {
    let _ = writeln!(
        out,
        "## Repeat\n\n```sh\n{}\n```\n\n{} Version, options and platform being the same, \
         every file comes out byte for byte the same, but for this one, `timing.csv` and figure 4, which hold times.\n\n\
         | file | contents |\n|---|---|\n| `per_benchmark.csv` | a row for each formula: counts, scores, tests, boxes, \
         random testing with as much work |\n| `table2.csv` | mutants, adequacy and tests for each formula, as the paper's Table 2 |\n\
         | `table3.csv` | mutants by operator and objective, as the paper's Table 3 |\n| `timing.csv` | for each formula the \
         seconds by phase, and BB |\n| `figure4`, `figure5` | `.svg`, and the data as `.csv` |\n| `manifest.json` | version, options, platform |",
        plan.command(),
        match plan.corpus {
            Corpus::Files { .. } => "The hash of the formulas' files is in `manifest.json`.",
            Corpus::Paper | Corpus::Fpbench => "The formulas are in the program.",
        }
    );
}
