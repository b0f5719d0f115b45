//! The figures of a run, as SVG and PNG with the data beside them. They follow Figures 4 and 5 of the paper in spirit:
//! what is compared is the paper's, the form is this project's own.

use super::NotMade;
use super::draw::{Axis, Bar, Panel, Series, bars, panels};
use super::fpbench::FpbenchPlan;
use super::published::ADEQUACY;
use super::rows::{FormulaRow, FoundForFormula, Run};
use crate::mutate::MutationOperator;
use crate::record::store::Files;
use crate::record::table::Table;
use crate::report::number::decimal;
use crate::suite::Counts;
use crate::suite::random::RandomTested;

/// The statuses in the order of the bars.
const STATUSES: [&str; 5] = ["killed", "probable", "equivalent", "indistinguishable", "undecided"];

/// Both figures. The first depends on the clock, the second does not.
///
/// # Errors
/// What the libraries that draw say.
pub fn figures(plan: &FpbenchPlan, run: &Run) -> Result<Files, NotMade> {
    let mut files = Files::new();
    let rows = by_adequacy(run);
    picture(&mut files, "figure4", figure4(plan, &rows)?, figure4_data(&rows));
    picture(&mut files, "figure5", figure5(run)?, figure5_data(run));
    Ok(files)
}

/// Add a figure as SVG and data.
pub fn picture(files: &mut Files, name: &str, svg: String, data: Vec<u8>) {
    files.insert(format!("{name}.svg"), svg.into_bytes());
    files.insert(format!("{name}.csv"), data);
}

fn by_adequacy(run: &Run) -> Vec<(&FormulaRow, &FoundForFormula)> {
    let mut rows: Vec<_> = run.found().collect();
    rows.sort_by(|a, b| a.1.counts.paper_score().total_cmp(&b.1.counts.paper_score()));
    rows
}

/// The share of all mutants that random testing kills, surely or probably.
fn adequacy(found: &FoundForFormula, tested: &RandomTested) -> f64 {
    (tested.killed + tested.probable) as f64 / found.counts.all.max(1) as f64
}

/// What is compared with Magneto: the paper's baseline if there is one, and the fairer one.
fn baselines(found: &FoundForFormula) -> [(&'static str, &RandomTested); 2] {
    let bb = found.random.timed.as_ref();
    [
        bb.map_or(("random, uniform, same work", &found.random.numbers), |t| ("BB: random, uniform, same time", t)),
        ("random over floats, same work", &found.random.floats),
    ]
}

fn figure4(plan: &FpbenchPlan, rows: &[(&FormulaRow, &FoundForFormula)]) -> Result<String, NotMade> {
    let mut series: Vec<Series> = Vec::new();
    for (style, k) in [(1, 0), (2, 1)] {
        let Some((_, first)) = rows.first() else { break };
        let points = (1..).zip(rows).map(|(n, (_, f))| (f64::from(n), adequacy(f, baselines(f)[k].1))).collect();
        series.push(Series { name: baselines(first)[k].0.to_owned(), style, joined: false, points });
    }
    let own = |f: &FoundForFormula| f.counts.paper_score();
    let points = (1..).zip(rows).map(|(n, (_, f))| (f64::from(n), own(f))).collect();
    series.push(Series { name: "Magneto".to_owned(), style: 0, joined: true, points });
    let last = rows.len() as f64 + 1.0;
    if plan.is_the_papers() {
        let points = vec![(0.0, ADEQUACY), (last, ADEQUACY)];
        series.push(Series { name: "the paper's mean".to_owned(), style: 5, joined: true, points });
    }
    let lowest = series.iter().flat_map(|s| &s.points).map(|p| p.1).fold(1.0, f64::min);
    let scores = Panel {
        title: "Adequacy: killed and probably killed of all mutants".to_owned(),
        x: Axis::linear("formulas by Magneto's adequacy", 0.0, last),
        y: Axis::linear("adequacy", (lowest * 10.0).floor() / 10.0, 1.02),
        series,
    };
    let points: Vec<(f64, f64)> =
        rows.iter().map(|(r, f)| (f.counts.all as f64, r.time.as_secs_f64().max(1e-6))).collect();
    let times = Panel {
        title: "Time: from the specification to tests, kill matrix and proofs".to_owned(),
        x: Axis::log("mutants of the formula", points.iter().map(|p| p.0)),
        y: Axis::log("seconds", points.iter().map(|p| p.1)),
        series: vec![Series { name: "Magneto".to_owned(), style: 0, joined: false, points }],
    };
    panels(&[scores, times])
}

fn figure4_data(rows: &[(&FormulaRow, &FoundForFormula)]) -> Vec<u8> {
    let mut table = Table::new([
        "rank",
        "name",
        "suite",
        "mutants",
        "adequacy",
        "adequacy_bb",
        "adequacy_numbers",
        "adequacy_floats",
        "seconds",
    ]);
    for (n, (row, f)) in (1..).zip(rows) {
        let r = &f.random;
        table.row([
            format!("{n}"),
            row.name.clone(),
            row.suite.clone(),
            f.counts.all.to_string(),
            decimal(f.counts.paper_score()),
            r.timed.as_ref().map_or(String::new(), |t| decimal(adequacy(f, t))),
            decimal(adequacy(f, &r.numbers)),
            decimal(adequacy(f, &r.floats)),
            format!("{:.4}", row.time.as_secs_f64()),
        ]);
    }
    table.finish()
}

/// Mutants by type and status, all of them last.
fn by_type(run: &Run) -> Vec<(&'static str, Counts)> {
    let one = |o: MutationOperator| (o.name(), run.of_operator(o));
    let mut rows: Vec<_> = MutationOperator::ALL.into_iter().map(one).filter(|(_, c)| c.all > 0).collect();
    rows.push(("all", run.total()));
    rows
}

fn statuses(c: &Counts) -> [usize; 5] {
    [c.killed, c.probable, c.equivalent, c.indistinguishable, c.undecided]
}

fn figure5(run: &Run) -> Result<String, NotMade> {
    let bar = |(name, c): (&str, Counts)| Bar {
        label: name.to_owned(),
        note: format!("{} mutants", c.all),
        shares: statuses(&c).map(|n| n as f64 / c.all.max(1) as f64).to_vec(),
    };
    let rows: Vec<Bar> = by_type(run).into_iter().map(bar).collect();
    bars("Mutants by type and status", &STATUSES, &rows)
}

fn figure5_data(run: &Run) -> Vec<u8> {
    let mut table = Table::new(["type", "mutants"].into_iter().chain(STATUSES));
    for (name, c) in by_type(run) {
        let counts = [c.all].into_iter().chain(statuses(&c)).map(|n| n.to_string());
        table.row([name.to_owned()].into_iter().chain(counts));
    }
    table.finish()
}
