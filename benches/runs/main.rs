//! Costs of whole runs on formulas of FPBench: mutants made and put onto one tape, and a run on one thread and on two.
//!
//! `cargo bench --bench runs` prints criterion's figures; `cargo bench --bench runs -- hartman6` those of one formula.

#![allow(missing_docs)]

use criterion::{BenchmarkId, Criterion, Throughput};
use magneto::mutate::{Change, Lowering, OperatorSet, mutants};
use magneto::spec::{Overrides, Spec, parse_file, resolve};
use magneto::suite::{Interrupt, Options, generate};
use magneto::tape::{Builder, Tape};
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

/// File and name of each formula, from small to large.
const NAMED: [(&str, &str); 6] = [
    ("rosa.fpcore", "turbine1"),
    ("herbie.fpcore", "Probabilities in a clustering algorithm"),
    ("rosa.fpcore", "jetEngine"),
    ("fptaylor-real2float.fpcore", "kepler2"),
    ("fptaylor-real2float.fpcore", "hartman3"),
    ("fptaylor-real2float.fpcore", "hartman6"),
];

fn read((file, name): (&str, &str)) -> Spec {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fpbench").join(file);
    let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let file = parse_file(&bytes);
    (0..file.cores.len())
        .filter_map(|i| resolve(&file, i, &path.to_string_lossy(), &Overrides::default()).ok())
        .find(|spec| spec.name == name)
        .unwrap_or_else(|| panic!("{}: no formula named {name}", path.display()))
}

/// All mutants on one tape.
fn lowered(spec: &Spec) -> Tape {
    let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
    let (mut builder, mut lowering) = (Builder::new(names.len()), Lowering::new(&names));
    for mutant in mutants(spec, &OperatorSet::Full) {
        if let Change::Body(body) = &mutant.change {
            black_box(lowering.body(&mut builder, body));
        }
    }
    builder.finish()
}

fn main() {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_secs(2))
        .sample_size(10)
        .configure_from_args();
    let specs: Vec<Spec> = NAMED.into_iter().map(read).collect();
    let mut group = criterion.benchmark_group("mutants");
    for spec in &specs {
        group.throughput(Throughput::Elements(mutants(spec, &OperatorSet::Full).len() as u64));
        group.bench_function(BenchmarkId::from_parameter(&spec.name), |b| b.iter(|| black_box(lowered(spec))));
    }
    group.finish();
    for jobs in [1, 2] {
        let mut group = criterion.benchmark_group(format!("run on {jobs}"));
        for spec in &specs {
            let options = Options { jobs, ..Options::default() };
            group.bench_function(BenchmarkId::from_parameter(&spec.name), |b| {
                b.iter(|| black_box(generate(spec, &options, &Interrupt::default())));
            });
        }
        group.finish();
    }
    criterion.final_summary();
}
