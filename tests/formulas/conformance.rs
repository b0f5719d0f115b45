//! FPBench's conformance cores: each evaluates to its `:spec`.

use crate::support;
use magneto::num::{MpInterval, Ternary};
use magneto::spec::core::{Core, Expr, Value};
use magneto::spec::parse_file;
use magneto::spec::unroll::{MAX_ITERATIONS, unroll};
use magneto::tape::eval::{Multi, Rationals};
use magneto::tape::{Builder, evaluate, lower::lower};
use magneto::text::{Diagnostic, DiagnosticKind};

const BITS: u32 = 200;

fn value(body: &Expr) -> MpInterval {
    let mut b = Builder::new(0);
    let root = lower(&mut b, &[], body);
    let (tape, at) = b.finish().extract(&[root]);
    let mut values = Vec::new();
    evaluate(&tape, &mut Multi { inputs: &[], precision: BITS }, &mut values);
    let mut exact = Vec::new();
    evaluate(&tape, &mut Rationals { inputs: &[] }, &mut exact);
    let multi = values.swap_remove(at[0].index());
    // Exact arithmetic, where it knows the value, agrees.
    if let magneto::ops::Exact::Value(q) = &exact[at[0].index()] {
        assert!(multi.lo <= *q && multi.hi >= *q, "{body}");
    }
    multi
}

fn cores(path: &std::path::Path) -> Vec<Core> {
    let file = parse_file(&std::fs::read(path).unwrap());
    assert_eq!(file.diagnostics, [], "{}", path.display());
    let refused = |d: &[Diagnostic]| d.iter().all(|d| d.kind == DiagnosticKind::Unsupported);
    let loops = file.cores.iter().filter_map(|c| c.as_ref().err());
    loops.for_each(|d| assert!(refused(d), "{}: {d:?}", path.display()));
    file.cores.into_iter().flatten().collect()
}

/// Whether the loops of a core, and of its `:spec`, can be written out; others are refused of a specification.
fn is_written_out(core: &Core) -> bool {
    let is = |e: &Expr| unroll(&[], e, MAX_ITERATIONS).is_ok();
    let spec = core.property("spec").map(|p| &p.value);
    is(&core.body) && spec.is_none_or(|v| if let Value::Expr(e) = v { is(e) } else { true })
}

/// Whether a core evaluates to what its `:spec` says.
fn conforms(core: &Core) -> bool {
    let Some(Value::Expr(spec)) = core.property("spec").map(|p| &p.value) else { panic!("no :spec in\n{core}") };
    let (found, expected) = (value(&core.body), value(spec));
    if expected.def == Ternary::False {
        return found.def == Ternary::False;
    }
    let close = |a: &MpInterval| (a.hi.to_f64() - a.lo.to_f64()).abs() <= 1e-30;
    found.def == Ternary::True
        && expected.def == Ternary::True
        && close(&found)
        && found.lo <= expected.hi
        && expected.lo <= found.hi
}

/// FPBench's own cores, where they are there. Some look as if they were meant to say something else; they conform as they
/// are.
fn sanity() {
    let Some(folder) = support::shared("fpcore-conformance/sanity") else { return };
    let (mut all, mut stuck, mut wrong) = (0, 0, Vec::new());
    for path in support::files(&folder) {
        for core in cores(&path) {
            if !is_written_out(&core) {
                stuck += 1;
                continue;
            }
            all += 1;
            if !conforms(&core) {
                wrong.push(core.to_string());
            }
        }
    }
    println!("{all} cores, and {stuck} whose loops cannot be written out");
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(all >= 230 && stuck < 10, "{all}, {stuck}");
}

fn sequential_bindings() {
    let Some(path) = support::shared("fpcore-conformance/letstar.fpcore") else { return };
    for core in cores(&path).into_iter().filter(is_written_out) {
        if core.property("spec").is_some() {
            assert!(conforms(&core), "{core}");
        } else {
            println!("{core} is {:?}", value(&core.body));
        }
    }
}

/// All kinds of cores in short, and then the many of FPBench.
#[test]
fn cores_evaluate_to_their_spec() {
    let expect = [
        ("(if (< 0 1 2) 1 0)", "1"),
        ("(if (< 0 2 1) 1 0)", "0"),
        ("(if (!= 1 2 1) 1 0)", "0"),
        ("(if (!= NAN NAN) 1 0)", "1"),
        ("(if (== NAN NAN) 1 0)", "0"),
        ("(if (isinf INFINITY) 1 0)", "1"),
        ("(if (isnan NAN) 1 0)", "1"),
        ("(if (and) 1 0)", "1"),
        ("(if (or) 1 0)", "0"),
        ("(let ([a 1] [b 2]) (let ([a b] [b a]) (- a b)))", "1"),
        ("(let* ([a 1] [b 2]) (let* ([a b] [b a]) (- a b)))", "0"),
        ("(fmin 1 NAN)", "1"),
        ("(- (+ 1/10 2/10) 0.3)", "0"),
        ("(sqrt 4)", "2"),
        ("(remainder 5 3)", "-1"),
        ("(fmod -5 3)", "-2"),
        ("(round -2.5)", "-3"),
        ("(nearbyint 2.5)", "2"),
    ];
    for (body, spec) in expect {
        let file = parse_file(format!("(FPCore () :spec {spec} {body})").as_bytes());
        assert_eq!(file.all_diagnostics(), [], "{body}");
        assert!(conforms(file.cores[0].as_ref().unwrap()), "{body}");
    }
    let file = parse_file(b"(FPCore () :spec 2 (sqrt 5))");
    assert!(!conforms(file.cores[0].as_ref().unwrap()));
    sanity();
    sequential_bindings();
}
