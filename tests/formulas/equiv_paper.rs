//! How many mutants of the published benchmarks are proved equal, and an attack on every proof.
//! Run with `--nocapture` to see the counts.

use crate::equiv_common::{Finding, attack_at, file, paper69, points, specs};
use magneto::equiv::{ProofKind, Prover};
use magneto::mutate::{Change, OperatorSet, mutants};
use magneto::spec::InputBox;
use magneto::tape::{Builder, NodeId, lower::lower};
use std::time::{Duration, Instant};

#[derive(Default)]
struct Count {
    bodies: usize,
    same: usize,
    form: usize,
    domain: usize,
    points: usize,
    time: Duration,
}

fn count(source: &[u8], set: &OperatorSet, attacked: usize) -> Count {
    // List what is not proved though no point refutes it.
    let missed = std::env::var_os("EQUIV_MISSED").is_some();
    let mut all = Count::default();
    for spec in specs(source) {
        let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
        let Ok(domain) = InputBox::new(&spec) else { continue };
        let mut b = Builder::new(names.len());
        let f = lower(&mut b, &names, &spec.core.body);
        let conditions: Vec<NodeId> = spec.constraints.iter().map(|c| lower(&mut b, &names, c)).collect();
        let made = mutants(&spec, set);
        let bodies: Vec<(usize, NodeId)> = made
            .iter()
            .enumerate()
            .filter_map(|(i, m)| match &m.change {
                Change::Body(body) => Some((i, lower(&mut b, &names, body))),
                _ => None,
            })
            .collect();
        let tape = b.finish();
        let start = Instant::now();
        let mut prover = Prover::new(&tape, &domain, &conditions).with_names(&names);
        let proofs: Vec<_> = bodies.iter().map(|(i, g)| (*i, *g, prover.prove_equal(f, *g))).collect();
        let time = start.elapsed();
        let mut one = Count { bodies: bodies.len(), time, ..Count::default() };
        let points = points(&domain);
        for (i, g, proof) in proofs {
            let Some(proof) = proof else {
                if missed {
                    let says = |x: &Vec<f64>| attack_at(&tape, f, g, &conditions, x);
                    if !points.iter().any(|x| matches!(says(x), Finding::Refuted(_))) {
                        let m = &made[i];
                        println!("  missed: {}: {} {} -> {}", spec.name, m.operator, m.before, m.after);
                    }
                }
                continue;
            };
            match proof.kind {
                ProofKind::SameExpression => {
                    one.same += 1;
                    continue;
                }
                ProofKind::SameNormalForm => one.form += 1,
                ProofKind::OnDomain | ProofKind::ByCases | ProofKind::ByRewriting => one.domain += 1,
            }
            // Half of the points from the front (sequences), half from the back (grid and ends).
            for x in points.iter().take(attacked / 2).chain(points.iter().rev().take(attacked / 2)) {
                let m = &made[i];
                if let Finding::Refuted(why) = attack_at(&tape, f, g, &conditions, x) {
                    panic!("{}: {} -> {}: {why}\n{proof}", spec.name, m.before, m.after);
                }
                one.points += 1;
            }
        }
        println!(
            "{:28} {:5} bodies: {:3} same expression, {:3} same form, {:3} on domain; {:8.3} ms",
            spec.name,
            one.bodies,
            one.same,
            one.form,
            one.domain,
            time.as_secs_f64() * 1e3
        );
        all.bodies += one.bodies;
        all.same += one.same;
        all.form += one.form;
        all.domain += one.domain;
        all.points += one.points;
        all.time += one.time;
    }
    println!(
        "in all {} bodies: {} same expression, {} same form, {} on domain; {:?}; {} attacks",
        all.bodies, all.same, all.form, all.domain, all.time, all.points
    );
    all
}

#[test]
fn paper_mutants() {
    let all = count(&paper69(), &OperatorSet::Paper, 40);
    assert!(all.same + all.form + all.domain >= 600, "fewer proofs than there were");
}

#[test]
fn full_mutants() {
    // All of them take half a minute in an optimised build.
    let files: &[&str] = if std::env::var_os("MAGNETO_LONG").is_some() {
        &["daisy", "herbie", "hamming-ch3", "rosa", "fptaylor-tests", "graphics", "rump"]
    } else {
        &["fptaylor-tests", "rump"]
    };
    for name in files {
        let all = count(&file(&format!("fpbench/{name}.fpcore")), &OperatorSet::Full, 20);
        assert!(20 * (all.same + all.form + all.domain) > all.bodies, "{name}: few proofs");
    }
}
