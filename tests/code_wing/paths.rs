//! Paths through a loop of binary32 arithmetic as SMT-LIB scripts: the bisection of FPSE's Figure 2, whose answers are known.

use magneto::smt::{SatStatus, run};
use std::fmt::Write as _;
use std::path::Path;

/// The script of a path: `xM = 1; while xR - xL > 0.0001 { xM = (xR + xL) / 2; if f(xL) f(xM) > -1 then xL = xM else xR = xM }`,
/// f(x) = x x - 2, with a T or F for each decision, each after a true loop condition, and the loop condition after them.
fn script(decisions: &str, then: &str, finite: bool) -> String {
    let mut s = String::from(
        "(declare-const l0 Float32)(declare-const r0 Float32)\n\
         (define-fun real ((x Float32)) Bool (not (or (fp.isNaN x) (fp.isInfinite x))))\n\
         (define-fun two () Float32 ((_ to_fp 8 24) RNE 2.0))\n\
         (define-fun f ((x Float32)) Float32 (fp.sub RNE (fp.mul RNE x x) two))\n\
         (define-fun wide ((l Float32) (r Float32)) Bool (fp.gt (fp.sub RNE r l) ((_ to_fp 8 24) RNE 0.0001)))\n\
         (assert (not (or (fp.isNaN l0) (fp.isNaN r0))))\n",
    );
    if finite {
        s.push_str("(assert (and (real l0) (real r0)))\n");
    }
    let (mut l, mut r) = ("l0".to_owned(), "r0".to_owned());
    for (i, decision) in decisions.chars().enumerate() {
        let m = format!("m{i}");
        let _ = writeln!(s, "(assert (wide {l} {r}))(define-fun {m} () Float32 (fp.div RNE (fp.add RNE {r} {l}) two))");
        let holds = format!("(fp.gt (fp.mul RNE (f {l}) (f {m})) (fp.neg ((_ to_fp 8 24) RNE 1.0)))");
        if decision == 'T' {
            let _ = writeln!(s, "(assert {holds})");
            l = m;
        } else {
            let _ = writeln!(s, "(assert (not {holds}))");
            r = m;
        }
    }
    match then {
        "exit" => {
            let _ = writeln!(s, "(assert (not (wide {l} {r})))");
        }
        "enter" => {
            let _ = writeln!(s, "(assert (wide {l} {r}))");
        }
        _ => {}
    }
    s + "(check-sat)"
}

fn status(decisions: &str, then: &str, finite: bool) -> SatStatus {
    run(&script(decisions, then, finite), 20_000).expect("a script").checks[0].status
}

#[test]
fn short_paths_through_a_loop() {
    // The first decision alone may come out both ways, and so may the loop condition after it.
    for (decisions, then) in [("T", "nothing"), ("F", "nothing"), ("T", "exit"), ("TTTT", "nothing")] {
        assert_eq!(status(decisions, then, true), SatStatus::Sat, "{decisions} {then}");
    }
}

/// All paths of the table beside the project, where it is there.
#[test]
fn paths_with_known_answers() {
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/paths/dichotomic.csv");
    let Ok(text) = std::fs::read_to_string(&table) else {
        println!("skipped: there is no {}", table.display());
        return;
    };
    let mut count = 0;
    for row in text.lines().skip(1) {
        let columns: Vec<&str> = row.split(',').collect();
        let [case, decisions, then, inputs, known, ..] = columns[..] else { panic!("{row}") };
        let found = status(decisions, then, inputs == "finite");
        assert_ne!(found, SatStatus::Unknown, "{case} is not decided");
        assert!(known == "unknown" || known == found.word(), "{case}: {} and not {known}", found.word());
        count += 1;
    }
    assert!(count > 100, "{count} paths");
}
