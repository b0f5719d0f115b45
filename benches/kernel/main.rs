//! Costs of the kernel: forward evaluation, HC4 and gradients on twelve problems, functions against `inari`'s.
//!
//! `cargo bench --bench kernel` prints criterion's figures and then a table of ratios, each measured by turns in one
//! run, since on shared machines only ratios within one run count. `cargo bench --bench kernel -- ratios` prints the
//! table alone.

#![allow(missing_docs)]

#[path = "../../tests/support/constraint.rs"]
mod constraint;
mod problems;
mod ratios;
mod reference;
#[allow(dead_code)]
#[path = "../../tests/support/rng.rs"]
mod rng;

use criterion::{BenchmarkId, Criterion, Throughput};
use magneto::num::Interval;
use magneto::solve::contract::Contractor;
use magneto::solve::hc4::Hc4;
use magneto::tape::eval::Boxes;
use magneto::tape::evaluate;
use magneto::tape::grad::gradient;
use std::hint::black_box;
use std::time::Duration;

/// ns per box and boxes/s of each pass on each problem.
fn cost_model(c: &mut Criterion) {
    let problems = problems::all();
    let mut group = c.benchmark_group("forward");
    for p in &problems {
        group.throughput(Throughput::Elements(p.boxes.len() as u64));
        group.bench_function(BenchmarkId::from_parameter(&p.name), |b| {
            let mut values = Vec::new();
            b.iter(|| {
                for domain in &p.boxes {
                    evaluate(&p.constraints.tape, &mut Boxes { inputs: black_box(domain) }, &mut values);
                    black_box(&values);
                }
            });
        });
    }
    group.finish();
    let mut group = c.benchmark_group("hc4");
    for p in &problems {
        group.throughput(Throughput::Elements(p.boxes.len() as u64));
        group.bench_function(BenchmarkId::from_parameter(&p.name), |b| {
            let (mut hc4, mut scratch) = (Hc4::default(), vec![Interval::EMPTY; p.boxes[0].len()]);
            b.iter(|| {
                for domain in &p.boxes {
                    scratch.copy_from_slice(domain);
                    black_box(hc4.contract(&p.constraints, black_box(&mut scratch)));
                }
            });
        });
    }
    group.finish();
    let mut group = c.benchmark_group("gradient");
    for p in &problems {
        group.throughput(Throughput::Elements(p.boxes.len() as u64));
        group.bench_function(BenchmarkId::from_parameter(&p.name), |b| {
            let evaluated: Vec<_> = p
                .boxes
                .iter()
                .map(|domain| {
                    let mut values = Vec::new();
                    evaluate(&p.constraints.tape, &mut Boxes { inputs: domain }, &mut values);
                    values
                })
                .collect();
            let (mut adjoint, mut out) = (Vec::new(), vec![Interval::EMPTY; p.boxes[0].len()]);
            b.iter(|| {
                for values in &evaluated {
                    black_box(gradient(
                        &p.constraints.tape,
                        values,
                        p.constraints.list[0].node,
                        &mut adjoint,
                        &mut out,
                    ));
                }
            });
        });
    }
    group.finish();
}

fn main() {
    if !std::env::args().any(|a| a == "ratios") {
        let mut criterion = Criterion::default()
            .warm_up_time(Duration::from_millis(100))
            .measurement_time(Duration::from_millis(500))
            .sample_size(20)
            .configure_from_args();
        cost_model(&mut criterion);
        criterion.final_summary();
    }
    // Under `cargo test --benches` and when asked for single benches there is no table.
    if std::env::args().all(|a| a != "--test") {
        ratios::print();
    }
}
