//! How the time grows with the size of a formula: generated families, and the paper's formulas on several threads.

use super::NotMade;
use super::corpus::{PAPER, benchmarks};
use super::draw::{Axis, Panel, Series, panels};
use super::figures::picture;
use super::fpbench::operations;
use super::large::{self, Large, core};
use crate::mutate::OperatorSet;
use crate::record::store::Files;
use crate::record::table::Table;
use crate::record::{Document, Provenance, json};
use crate::spec::{Overrides, Spec, parse_file, resolve};
use crate::suite::{Interrupt, Options, generate};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A family ends with the first formula that takes longer than this.
pub const LONGEST: Duration = Duration::from_secs(20);

/// One formula of a family.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Size {
    /// The family.
    pub family: &'static str,
    /// Inputs.
    pub inputs: usize,
    /// Different operations.
    pub operations: usize,
    /// Mutants of the paper's operators.
    pub mutants: usize,
    /// Those without an answer.
    pub undecided: usize,
    /// Tests.
    pub tests: usize,
    /// From the specification to tests, kill matrix and proofs.
    pub seconds: f64,
}

/// The time of the paper's formulas, one after the other.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ThreadsTime {
    /// Threads.
    pub threads: usize,
    /// All of them, with all operators.
    pub seconds: f64,
}

/// What was measured.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Scaling {
    #[serde(flatten)]
    made: Provenance,
    /// The families in order.
    pub sizes: Vec<Size>,
    /// Formulas of up to ten thousand operations.
    pub large: Vec<Large>,
    /// On one thread, and on as many as the machine runs at once.
    pub threads: Vec<ThreadsTime>,
    /// Whether the run was stopped before the end.
    pub interrupted: bool,
}

impl Document for Scaling {
    const SCHEMA: &'static str = "magneto/bench-scaling/1";
    const WRITER: &'static str = "bench scaling";
}

/// Name, meaning and the formulas' sources of each family.
fn families() -> [(&'static str, &'static str, Vec<String>); 2] {
    let operations = [1, 2, 4, 8, 16, 32, 64, 128, 256, 500].map(|terms| core(4, &sum(&weighted(terms))));
    let inputs = [1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 18, 20].map(|n| core(n, &sum(&products(n))));
    [
        ("operations", "k0 x0 + k1 x1 + ... in four inputs, a balanced tree", operations.to_vec()),
        ("inputs", "x0 x1 + x1 x2 + ... + xn x0, a balanced tree", inputs.to_vec()),
    ]
}

fn weighted(terms: usize) -> Vec<String> {
    (0..terms).map(|k| format!("(* {} x{})", 2 * k + 3, k % 4)).collect()
}

fn products(inputs: usize) -> Vec<String> {
    (0..inputs).map(|k| format!("(* x{k} x{})", (k + 1) % inputs)).collect()
}

fn sum(terms: &[String]) -> String {
    match terms {
        [] => "0".to_owned(),
        [one] => one.clone(),
        _ => {
            let (left, right) = terms.split_at(terms.len() / 2);
            format!("(+ {} {})", sum(left), sum(right))
        }
    }
}

fn spec(source: &str) -> Result<Spec, NotMade> {
    let file = parse_file(source.as_bytes());
    resolve(&file, 0, "scaling.fpcore", &Overrides::default())
        .map_err(|d| d.first().map_or_else(String::new, |d| d.message.clone()).into())
}

/// Measure. `progress` is told what is at work.
///
/// # Errors
/// Why a formula cannot be run.
pub fn measure(threads: usize, stop: Option<&AtomicBool>, progress: &dyn Fn(&str)) -> Result<Scaling, NotMade> {
    let stopped = || stop.is_some_and(|s| s.load(Ordering::Relaxed));
    let options = |jobs| Options { operators: OperatorSet::Paper, jobs, ..Options::default() };
    let interrupt = || Interrupt { stop, ..Interrupt::default() };
    let mut sizes = Vec::new();
    for (family, _, sources) in families() {
        for source in sources {
            let spec = spec(&source)?;
            let (inputs, operations) = (spec.inputs.len(), operations(&spec));
            progress(&format!("{family}: {operations} operations, {inputs} inputs"));
            let start = Instant::now();
            let generated = generate(&spec, &options(threads), &interrupt())?;
            let time = start.elapsed();
            if stopped() {
                break;
            }
            let counts = generated.counts;
            let (mutants, undecided, tests) = (counts.all, counts.undecided, generated.tests.len());
            sizes.push(Size { family, inputs, operations, mutants, undecided, tests, seconds: time.as_secs_f64() });
            if time > LONGEST {
                break;
            }
        }
    }
    let mut large = Vec::new();
    for (family, source) in large::sources() {
        let spec = spec(&source)?;
        progress(&format!("{family}: {} operations, {} inputs", operations(&spec), spec.inputs.len()));
        let one = large::measure((family, &source), &spec, threads, &interrupt())?;
        if stopped() {
            break;
        }
        large.push(one);
    }
    let mut times = Vec::new();
    let several = if threads > 1 { vec![1, threads] } else { vec![1] };
    for threads in several {
        let specs = benchmarks(PAPER, None).into_iter().filter_map(|b| b.spec.ok());
        let start = Instant::now();
        for spec in specs {
            progress(&format!("{} on {threads} threads", spec.name));
            generate(&spec, &Options { jobs: threads, ..Options::default() }, &interrupt())?;
        }
        if !stopped() {
            times.push(ThreadsTime { threads, seconds: start.elapsed().as_secs_f64() });
        }
    }
    Ok(Scaling { made: Provenance::here(), sizes, large, threads: times, interrupted: stopped() })
}

/// All files of a run: name and contents.
///
/// # Errors
/// What the libraries that draw say.
pub fn files(scaling: &Scaling) -> Result<Files, NotMade> {
    let mut files = Files::new();
    picture(&mut files, "scaling", figure(scaling)?, data(scaling));
    picture(&mut files, "large", panels(&large::pictures(&scaling.large))?, large::data(&scaling.large));
    files.insert("manifest.json".to_owned(), json::document(scaling));
    files.insert("README.md".to_owned(), readme(scaling).into_bytes());
    Ok(files)
}

fn data(scaling: &Scaling) -> Vec<u8> {
    let mut table = Table::new(["family", "inputs", "operations", "mutants", "undecided", "tests", "seconds"]);
    for s in &scaling.sizes {
        let counts = [s.inputs, s.operations, s.mutants, s.undecided, s.tests].map(|n| n.to_string());
        let seconds = format!("{:.4}", s.seconds);
        table.row([s.family.to_owned()].into_iter().chain(counts).chain([seconds]));
    }
    table.finish()
}

fn figure(scaling: &Scaling) -> Result<String, NotMade> {
    let of = |family: &str, x: fn(&Size) -> usize, y: fn(&Size) -> f64| -> Vec<(f64, f64)> {
        scaling.sizes.iter().filter(|s| s.family == family).map(|s| (x(s) as f64, y(s))).collect()
    };
    let seconds = |points: Vec<(f64, f64)>| Series { name: "seconds".to_owned(), style: 0, joined: true, points };
    let per = |points: Vec<(f64, f64)>| Series {
        name: "milliseconds for a mutant".to_owned(),
        style: 1,
        joined: true,
        points,
    };
    let each: fn(&Size) -> f64 = |s| s.seconds * 1e3 / s.mutants.max(1) as f64;
    let operations: fn(&Size) -> usize = |s| s.operations;
    let (total, single) = (of("operations", operations, |s| s.seconds), of("operations", operations, each));
    let y = || total.iter().chain(&single).map(|p| p.1);
    let first = Panel {
        title: "Time by operations, four inputs".to_owned(),
        x: Axis::log("operations", total.iter().map(|p| p.0)),
        y: Axis::log("time", y()),
        series: vec![seconds(total.clone()), per(single.clone())],
    };
    let inputs: fn(&Size) -> usize = |s| s.inputs;
    let (total, single) = (of("inputs", inputs, |s| s.seconds), of("inputs", inputs, each));
    let y = || total.iter().chain(&single).map(|p| p.1);
    let second = Panel {
        title: "Time by inputs".to_owned(),
        x: Axis::linear("inputs", 0.0, 21.0),
        y: Axis::log("time", y()),
        series: vec![seconds(total.clone()), per(single.clone())],
    };
    panels(&[first, second])
}

fn readme(scaling: &Scaling) -> String {
    let mut out = "# How Magneto scales\n\n".to_owned();
    if scaling.interrupted {
        out.push_str("**The run was interrupted.**\n\n");
    }
    let commit = scaling.made.commit.as_ref().map_or(String::new(), |c| format!(" ({c})"));
    let _ = writeln!(
        out,
        "Magneto {}{commit}, MPFR {}, {}. `paper` operators, accuracy 1e-10 relative, inputs from 1 to 2. Times are \
         wall-clock times of one run each, from the specification to tests, kill matrix and proofs.\n\n\
         ![Time by operations and by inputs](scaling.svg)\n",
        scaling.made.magneto, scaling.made.mpfr, scaling.made.platform
    );
    for (family, what, sources) in families() {
        let some: Vec<&Size> = scaling.sizes.iter().filter(|s| s.family == family).collect();
        let _ = writeln!(
            out,
            "## By {family}\n\n{what}.\n\n| inputs | operations | mutants | undecided | tests | seconds |\n\
             |---:|---:|---:|---:|---:|---:|"
        );
        for s in &some {
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} | {} | {:.4} |",
                s.inputs, s.operations, s.mutants, s.undecided, s.tests, s.seconds
            );
        }
        out.push('\n');
        if some.len() < sources.len() && !scaling.interrupted {
            let _ = writeln!(out, "Larger ones were left out: the last took more than {} s.\n", LONGEST.as_secs());
        }
    }
    out.push_str(&large::chapter(&scaling.large));
    out.push_str("## Threads\n\nThe paper's 69 formulas one after the other, with all operators.\n\n");
    out.push_str("| threads | seconds | speed-up |\n|---:|---:|---:|\n");
    let one = scaling.threads.first().map_or(f64::NAN, |t| t.seconds);
    for t in &scaling.threads {
        let _ = writeln!(out, "| {} | {:.1} | {:.2} |", t.threads, t.seconds, one / t.seconds);
    }
    out.push_str(
        "\nThreads share out searches, proofs, programs, probes and the rows of the kill matrix of one formula. `magneto \
         gen` over several specifications runs these side by side, and what one does not need another has.\n\n## Repeat\n\n```sh\nmagneto bench scaling\n```\n",
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_have_the_sizes_they_claim() {
        let size = |source: &String| spec(source).map(|s| (s.inputs.len(), operations(&s)));
        let [(_, _, by_operations), (_, _, by_inputs)] = families();
        assert_eq!(size(&by_operations[1]), Ok((4, 3)));
        assert_eq!(size(&by_operations[9]), Ok((4, 999)));
        assert_eq!(size(&by_inputs[0]), Ok((1, 1)));
        assert_eq!(size(&by_inputs[11]), Ok((20, 39)));
    }
}
