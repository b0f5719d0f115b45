fn main() {
    for (p, r) in magneto::bench::solver::families(3).unwrap() {
        println!(
            "{:14} {:2} {:32} {:12} {:?} {:10.1}us {:?}",
            p.family,
            p.inputs,
            p.parameter,
            r.verdict().0,
            r.verdict().1,
            r.time.as_secs_f64() * 1e6,
            r.stats
        );
    }
}
