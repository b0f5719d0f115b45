//! How time, memory and files grow with formulas of up to ten thousand operations.

use super::NotMade;
use super::draw::{Axis, Panel, Series};
use super::fpbench::operations;
use crate::options::Settings;
use crate::record::table::Table;
use crate::record::{Part, Suite};
use crate::spec::Spec;
use crate::suite::{Interrupt, Options, generate};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;
use std::time::Instant;

/// One formula.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Large {
    /// The family.
    pub family: &'static str,
    /// Inputs.
    pub inputs: usize,
    /// Different operations.
    pub operations: usize,
    /// Mutants.
    pub mutants: usize,
    /// Those without an answer.
    pub undecided: usize,
    /// From the specification to the files.
    pub seconds: f64,
    /// The most memory in use, where the system tells. Unit: MiB.
    pub memory: Option<u64>,
    /// The files. Unit: MiB.
    pub files: f64,
}

/// Family and source of each formula, by size.
pub(super) fn sources() -> Vec<(&'static str, String)> {
    let sizes = [100, 300, 1_000, 3_000, 10_000];
    let sums = sizes.map(|n| ("sum", core(4, &format!("(+ {})", terms(n / 2, 4)))));
    let lets = sizes.map(|n| ("lets", core(4, &chain(n / 2))));
    let inputs = [10, 20, 50, 100].map(|n| ("inputs", core(n, &format!("(+ {})", terms(n, n)))));
    sums.into_iter().chain(lets).chain(inputs).collect()
}

/// What each family is.
const FAMILIES: [(&str, &str); 3] = [
    ("sum", "k0 x0 + k1 x1 + … in four inputs, one sum"),
    ("lets", "v0 = x0 + 2 x0, v1 = v0 + 3 x1, … in four inputs, a `let*`"),
    ("inputs", "k0 x0 + k1 x1 + …, each input once"),
];

fn terms(count: usize, inputs: usize) -> String {
    (0..count).map(|k| format!("(* {} x{})", 2 * k + 3, k % inputs)).collect::<Vec<_>>().join(" ")
}

fn chain(count: usize) -> String {
    let value = |k: usize| {
        let before = if k == 0 { "x0".to_owned() } else { format!("v{}", k - 1) };
        format!("[v{k} (+ {before} (* {} x{}))]", k + 2, k % 4)
    };
    let bindings: Vec<String> = (0..count).map(value).collect();
    format!("(let* ({}) v{})", bindings.join(" "), count - 1)
}

/// A formula in so many inputs.
pub(super) fn core(inputs: usize, body: &str) -> String {
    let names: Vec<String> = (0..inputs).map(|k| format!("x{k}")).collect();
    let ranges: Vec<String> = names.iter().map(|x| format!("(<= 1 {x} 2)")).collect();
    format!("(FPCore ({}) :name \"scaling\" :pre (and {}) {body})", names.join(" "), ranges.join(" "))
}

/// Run one formula with the full operators and make its files, in memory.
pub(super) fn measure(
    (family, source): (&'static str, &str),
    spec: &Spec,
    jobs: usize,
    interrupt: &Interrupt<'_>,
) -> Result<Large, NotMade> {
    // Linux only: the most memory so far is forgotten.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let mut settings = Settings::default();
    settings.suite = Options { jobs, ..Options::default() };
    let start = Instant::now();
    let generated = generate(spec, &settings.suite, interrupt)?;
    let suite = Suite { spec, source: source.as_bytes(), settings: &settings, generated: &generated };
    let files = Part::new(&suite).files();
    let seconds = start.elapsed().as_secs_f64();
    let bytes: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    Ok(Large {
        family,
        inputs: spec.inputs.len(),
        operations: operations(spec),
        mutants: generated.counts.all,
        undecided: generated.counts.undecided,
        seconds,
        memory: most_memory(),
        files: bytes as f64 / f64::from(1 << 20),
    })
}

/// The most memory that this program has had in use. Unit: MiB.
fn most_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let most = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?.trim().strip_suffix("kB")?;
    Some(most.trim().parse::<u64>().ok()? >> 10)
}

/// The table of all.
pub(super) fn data(all: &[Large]) -> Vec<u8> {
    let mut table =
        Table::new(["family", "inputs", "operations", "mutants", "undecided", "seconds", "memory_mib", "files_mib"]);
    for l in all {
        let counts = [l.inputs, l.operations, l.mutants, l.undecided].map(|n| n.to_string());
        let memory = l.memory.map_or_else(String::new, |m| m.to_string());
        let rest = [format!("{:.3}", l.seconds), memory, format!("{:.1}", l.files)];
        table.row([l.family.to_owned()].into_iter().chain(counts).chain(rest));
    }
    table.finish()
}

/// Time, memory and files of the sums and of the `let`s.
pub(super) fn pictures(all: &[Large]) -> Vec<Panel> {
    let panel = |(family, title): (&str, &str)| {
        let of = |y: fn(&Large) -> f64| -> Vec<(f64, f64)> {
            all.iter().filter(|l| l.family == family).map(|l| (l.operations as f64, y(l))).collect()
        };
        let of_memory: fn(&Large) -> f64 = |l| l.memory.unwrap_or(0) as f64;
        let (time, memory, files) = (of(|l| l.seconds), of(of_memory), of(|l| l.files));
        let y: Vec<f64> = time.iter().chain(&memory).chain(&files).map(|p| p.1).filter(|y| *y > 0.0).collect();
        let line = |name: &str, style: usize, points: &[(f64, f64)]| Series {
            name: name.to_owned(),
            style,
            joined: true,
            points: points.iter().copied().filter(|p| p.1 > 0.0).collect(),
        };
        let series = [line("seconds", 0, &time), line("MiB of memory", 1, &memory), line("MiB of files", 2, &files)];
        Panel {
            title: title.to_owned(),
            x: Axis::log("operations", time.iter().map(|p| p.0)),
            y: Axis::log("seconds, MiB", y.into_iter()),
            series: series.into(),
        }
    };
    [("sum", "Sums, full operators"), ("lets", "Chains of lets, full operators")].map(panel).into()
}

/// The chapter of the page.
pub(super) fn chapter(all: &[Large]) -> String {
    let mut out =
        "## Large formulas\n\n`full` operators, by default options: 1024 MiB for `--max-memory`, so that of many \
                   mutants a sample is made. From the specification to the bytes of all files.\n\n\
                   ![Time, memory and files by operations](large.svg)\n\n"
            .to_owned();
    for (family, what) in FAMILIES {
        let some: Vec<&Large> = all.iter().filter(|l| l.family == family).collect();
        let _ = writeln!(
            out,
            "{what}.\n\n| inputs | operations | mutants | undecided | seconds | memory MiB | files MiB |\n\
             |---:|---:|---:|---:|---:|---:|---:|"
        );
        for l in &some {
            let memory = l.memory.map_or_else(String::new, |m| m.to_string());
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} | {:.2} | {memory} | {:.1} |",
                l.inputs, l.operations, l.mutants, l.undecided, l.seconds, l.files
            );
        }
        out.push('\n');
        let exponent = |y: fn(&Large) -> f64| {
            let (a, b) = (some.first()?, some.last()?);
            let (more, longer) = (b.operations as f64 / a.operations as f64, y(b) / y(a));
            (more > 1.0 && longer.is_finite()).then(|| longer.ln() / more.ln())
        };
        if let (Some(time), Some(files)) = (exponent(|l| l.seconds), exponent(|l| l.files)) {
            let _ = writeln!(
                out,
                "From the first to the last the time grows with the power {time:.2} of the operations, the files with {files:.2}.\n"
            );
        }
    }
    out
}
