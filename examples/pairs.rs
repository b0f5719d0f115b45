use magneto::csp::{Encoding, InputBox, Pair};
use magneto::num::float::Format;
use magneto::solver::{Answer, Limits, Verifier, decide, probes::probes, verify::Rules};
use magneto::spec::{Overrides, parse_file, resolve};
use magneto::tape::{Builder, lower::lower};
use std::time::Instant;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let enc = if std::env::args().nth(2).as_deref() == Some("paper") { Encoding::Paper } else { Encoding::Separation };
    let bytes = std::fs::read(&path).unwrap();
    let file = parse_file(&bytes);
    for i in (0..file.cores.len()).step_by(2) {
        let s = resolve(&file, i, &path, &Overrides::default()).unwrap();
        let m = resolve(&file, i + 1, &path, &Overrides::default()).unwrap();
        let names: Vec<String> = s.inputs.iter().map(|i| i.name.clone()).collect();
        let mut best = f64::INFINITY;
        let mut last = None;
        let mut tb = f64::INFINITY;
        for _ in 0..50 {
            let t0 = Instant::now();
            let mut b = Builder::new(names.len());
            let f = lower(&mut b, &names, &s.core.body);
            let g = lower(&mut b, &names, &m.core.body);
            let domain = InputBox::new(&s).unwrap();
            let tape = b.finish();
            let pair = Pair::extract(&tape, f, g, &[], &s.accuracy, &m.accuracy);
            tb = tb.min(t0.elapsed().as_secs_f64());
            let t = Instant::now();
            let mut v = Verifier::new(&pair, Rules { cap: 3840, format: Format::Binary64, response_told: true });
            let ps = if enc == Encoding::Paper { vec![] } else { probes(&domain) };
            let r = decide(
                &pair,
                &domain,
                &ps,
                enc,
                Limits { boxes: std::env::var("BUDGET").map_or(100_000, |b| b.parse().unwrap()), ..Limits::default() },
                None,
                &mut v,
            );
            let dt = t.elapsed().as_secs_f64();
            best = best.min(dt);
            last = Some(r);
            if dt > 0.2 {
                break;
            }
        }
        let (a, st) = last.unwrap();
        let a = match a {
            Answer::Inner { point, .. } => format!("KILL {point:?}"),
            o => format!("{o:?}"),
        };
        println!("{:36} {:9.1} us (build {:6.1})  {} {:?}", s.name, best * 1e6, tb * 1e6, a, st);
    }
}
