//! Costs of the search for the worst input, a point: calls of a library's function in its process, and the judge.
//!
//! `cargo bench --bench worst` prints criterion's figures; `cargo bench --bench worst -- calls` those of the calls.

#![allow(missing_docs)]

use criterion::{BenchmarkId, Criterion, Throughput};
use magneto::harness::batch::Caller;
use magneto::harness::{HarnessFault, RunLimits, UnderTest, kind_of_key};
use magneto::num::random::Random;
use magneto::spec::{Overrides, Spec, parse_file, resolve};
use magneto::worst::Measure;
use magneto::worst::measure::MeasureScratch;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

/// Points of a batch.
const POINTS: usize = 1 << 14;

/// Formulas with a result that somebody could compute, which is then judged.
type Judged = (&'static str, &'static str, fn(&[f64]) -> f64);

/// Formulas of the usual accuracy, then functions to one ulp, where binary64 intervals do not tell errors apart.
const JUDGED: [Judged; 6] = [
    ("sum of products", "(FPCore (x y) :pre (and (<= 1 x 9) (<= 1 y 9)) (+ (* x x) (* x (/ y 3))))", |x| {
        x[0] * x[0] + x[0] * (x[1] / 3.0)
    }),
    ("distance", "(FPCore (x y) :pre (and (<= 1 x 9) (<= 1 y 9)) (sqrt (+ (* x x) (* y y))))", |x| {
        (x[0] * x[0] + x[1] * x[1]).sqrt()
    }),
    ("asinh to 1e-12", "(FPCore (x) :pre (<= 1 x 9) :magneto-rel-error 1e-12 (asinh x))", |x| x[0].asinh()),
    ("decibel", "(FPCore (x) :pre (<= 1 x 9) (* 10 (log10 x)))", |x| 10.0 * x[0].log10()),
    ("sin to 1 ulp", "(FPCore (x) :pre (<= 1 x 9) :magneto-ulps (1 binary64) (sin x))", |x| x[0].sin()),
    ("log to 1 ulp", "(FPCore (x) :pre (<= 1 x 9) :magneto-ulps (1 binary64) (log x))", |x| x[0].ln()),
];

fn read(text: &str) -> Spec {
    let file = parse_file(text.as_bytes());
    resolve(&file, 0, "bench.fpcore", &Overrides::default()).unwrap_or_else(|_| panic!("{text} is no specification"))
}

/// Points from 1 to 9.
fn points(inputs: usize) -> Vec<Vec<f64>> {
    let mut random = Random(1);
    (0..POINTS).map(|_| (0..inputs).map(|_| 1.0 + 8.0 * random.unit()).collect()).collect()
}

fn calls(criterion: &mut Criterion) {
    let spec = read("(FPCore (x) :pre (<= 1 x 9) (sin x))");
    let kind = kind_of_key("lib").unwrap();
    let target = UnderTest { kind, source: "libm.so.6".into(), function: "sin".into(), signature: None };
    let prepared = target.prepare(&spec, Path::new(env!("CARGO_BIN_EXE_magneto")));
    let prepared = prepared.unwrap_or_else(|not| panic!("{}", HarnessFault::from(not).why));
    let limits = RunLimits::default();
    let mut caller = Caller::new(&prepared.program, 1, spec.result_format, &limits, None);
    let points = points(1);
    let inputs: Vec<f64> = points.iter().flatten().copied().collect();
    let mut group = criterion.benchmark_group("calls of sin");
    group.throughput(Throughput::Elements(POINTS as u64));
    group.bench_function("answers", |b| b.iter(|| caller.call(black_box(&points)).map(|a| a.len()).unwrap_or(0)));
    let (mut results, mut others) = (Vec::new(), Vec::new());
    group.bench_function("numbers", |b| {
        b.iter(|| caller.results(black_box(&inputs), &mut results, &mut others).is_ok_and(|all| all));
    });
    group.finish();
}

fn judge(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("judge");
    group.throughput(Throughput::Elements(POINTS as u64));
    for (name, text, one) in JUDGED {
        let spec = read(text);
        let measure = Measure::new(&spec, 3840);
        let asked: Vec<(Vec<f64>, f64)> = points(spec.inputs.len()).into_iter().map(|x| (x.clone(), one(&x))).collect();
        let mut scratch = MeasureScratch::default();
        group.bench_function(BenchmarkId::from_parameter(name), |b| {
            b.iter(|| {
                for (x, y) in &asked {
                    let known = measure.known(black_box(x), &mut scratch);
                    black_box(measure.signed(x, known, *y, -1.0));
                }
            });
        });
    }
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(2))
        .sample_size(10)
        .configure_from_args();
    calls(&mut criterion);
    judge(&mut criterion);
    criterion.final_summary();
}
