use magneto::{
    mutate::OperatorSet,
    spec::{Overrides, parse_file, resolve},
    suite::{Interrupt, Options, Status, generate},
};
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let path = &args[1];
    let filter = args.get(2).cloned().unwrap_or_default();
    let verbose = args.get(3).is_some();
    let set: OperatorSet = std::env::var("OPS").unwrap_or("paper".into()).parse().unwrap();
    let bytes = std::fs::read(path).unwrap();
    let file = parse_file(&bytes);
    let mut sum = (0.0, 0usize, 0usize, 0.0, 0usize, 0.0);
    for i in 0..file.cores.len() {
        let spec = match resolve(&file, i, path, &Overrides::default()) {
            Ok(s) => s,
            Err(e) => {
                eprintln!("{i}: {}", e[0].message);
                continue;
            }
        };
        if !spec.name.contains(&filter) {
            continue;
        }
        let t = Instant::now();
        let mut o = Options {
            operators: set.clone(),
            jobs: std::env::var("JOBS").ok().and_then(|j| j.parse().ok()).unwrap_or(2),
            ..Options::default()
        };
        if let Ok(b) = std::env::var("BUDGET") {
            o.limits.boxes = b.parse().unwrap();
        }
        let g = match generate(&spec, &o, &Interrupt::default()) {
            Ok(g) => g,
            Err(e) => {
                println!("{}: {e}", spec.name);
                continue;
            }
        };
        let dt = t.elapsed().as_secs_f64();
        let c = g.counts;
        let boxes: u64 = g.mutants.iter().map(|m| m.stats.boxes).sum();
        println!(
            "{:28} all {:5} killed {:5} prob {:2} equiv {:3} indist {:3} undec {:3} tests {:3} rig {:.3} paper {:.3} {:7.3}s boxes {}",
            spec.name,
            c.all,
            c.killed,
            c.probable,
            c.equivalent,
            c.indistinguishable,
            c.undecided,
            g.tests.len(),
            c.rigorous_score(),
            c.paper_score(),
            dt,
            boxes
        );
        if verbose {
            for m in &g.mutants {
                if !matches!(m.status, Status::Killed | Status::Probable) {
                    println!(
                        "    {} {:9} {} -> {}  {:?} {:?}",
                        m.mutant.id,
                        m.mutant.operator.name(),
                        m.mutant.before,
                        m.mutant.after,
                        m.status,
                        m.stats
                    );
                }
            }
        }
        sum.0 += c.rigorous_score();
        sum.1 += 1;
        sum.2 += c.undecided;
        sum.3 += dt;
        sum.4 += c.all;
        sum.5 += c.paper_score();
    }
    println!(
        "specs {} mutants {} mean rigorous {:.4} paper {:.4} undecided {} time {:.2}s",
        sum.1,
        sum.4,
        sum.0 / sum.1 as f64,
        sum.5 / sum.1 as f64,
        sum.2,
        sum.3
    );
}
