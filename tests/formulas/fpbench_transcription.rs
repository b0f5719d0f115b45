//! The formulas of fpbench/ value by value at deterministic points: against themselves after printing, and against the
//! copies in the shared data where those are there.

use crate::support;
use crate::support::points::Points;
use crate::support::rng::Rng;
use magneto::num::{MpInterval, Ternary};
use magneto::spec::core::{Datum, DatumKind, Value};
use magneto::spec::unroll::{has_loops, unroll};
use magneto::spec::{Overrides, Spec, parse_file, resolve, same_expr};
use magneto::tape::eval::Multi;
use magneto::tape::{Builder, evaluate, lower::lower};
use std::path::Path;

const BITS: u32 = 200;

/// The loop-free specifications of a file; others are left out.
fn usable(path: &Path) -> Vec<Spec> {
    every(path).into_iter().filter(|s| !has_loops(&s.core.body)).collect()
}

/// The specifications of a file.
fn every(path: &Path) -> Vec<Spec> {
    let file = parse_file(&std::fs::read(path).unwrap());
    (0..file.cores.len()).filter_map(|k| resolve(&file, k, "shared", &Overrides::default()).ok()).collect()
}

fn value(spec: &Spec, input: &[f64]) -> MpInterval {
    let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
    let mut b = Builder::new(names.len());
    let root = lower(&mut b, &names, &spec.core.body);
    let (tape, at) = b.finish().extract(&[root]);
    let inputs: Vec<MpInterval> = input.iter().map(|x| MpInterval::from_f64(*x, BITS)).collect();
    let mut values = Vec::new();
    evaluate(&tape, &mut Multi { inputs: &inputs, precision: BITS }, &mut values);
    values.swap_remove(at[0].index())
}

/// Text of a property's value.
fn text(spec: &Spec, key: &str) -> Option<String> {
    match &spec.core.property(key)?.value {
        Value::Data(Datum { kind: DatumKind::String(s), .. }) => Some(s.clone()),
        Value::Data(d) => Some(d.to_string()),
        Value::Expr(e) => Some(e.to_string()),
    }
}

/// How many points both had a value at.
fn compare(own: &Spec, other: &Spec) -> usize {
    let name = &own.name;
    assert_eq!(own.inputs, other.inputs, "{name}");
    assert_eq!(own.constraints.len(), other.constraints.len(), "{name}");
    assert!(own.constraints.iter().zip(&other.constraints).all(|(a, b)| same_expr(a, b)), "{name}");
    let points = Points::new(own, &[&own.core.body]).unwrap().make(100, &mut Rng(7));
    let mut compared = 0;
    for x in points {
        let (a, b) = (value(own, &x), value(other, &x));
        if a.def != b.def {
            // Written otherwise, a zero may be seen in one form and not in the other; never a value against none.
            assert!(a.def == Ternary::Unknown || b.def == Ternary::Unknown, "{name} at {x:?}: {a:?} {b:?}");
            continue;
        }
        if a.def != Ternary::True {
            continue;
        }
        // Both enclose the same number, and closely.
        assert!(a.lo <= b.hi && b.lo <= a.hi, "{name} at {x:?}: {a:?} {b:?}");
        let width = |v: &MpInterval| (v.hi.to_f64() - v.lo.to_f64()).abs();
        let size = a.lo.to_f64().abs();
        if size.is_finite() && width(&a) <= 1e-12 * size && width(&b) <= 1e-12 * size {
            compared += 1;
        }
    }
    compared
}

/// A formula printed and read again is the same function, and has values.
fn survives_printing(own: &Spec) {
    let printed = own.to_core().to_string();
    let again = resolve(&parse_file(printed.as_bytes()), 0, "printed", &Overrides::default()).unwrap();
    let compared = compare(own, &again);
    assert!(compared >= 10, "{}: {compared} points only", own.name);
}

#[test]
fn the_suites() {
    let own: Vec<Spec> = support::files(&support::here("fpbench")).iter().flat_map(|p| support::specs_of(p)).collect();
    assert_eq!(own.len(), 115);
    own.iter().for_each(survives_printing);
    if let Some(folder) = support::shared("fpbench") {
        the_copies_of_the_suites(&folder);
        every_loop_free_formula_is_there(&folder);
    }
}

fn the_copies_of_the_suites(folder: &Path) {
    let mut formulas = 0;
    for path in support::files(&support::here("fpbench")) {
        let file = path.file_name().unwrap();
        let (own, theirs) = (support::specs_of(&path), usable(&folder.join(file)));
        let names = |specs: &[Spec]| specs.iter().map(|s| s.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&own), names(&theirs), "{}", path.display());
        for (a, b) in own.iter().zip(&theirs) {
            let compared = compare(a, b);
            assert!(compared >= 10, "{}: {compared} points only", a.name);
            for key in ["cite", "precision"] {
                assert_eq!(text(a, key), text(b, key), "{}", a.name);
            }
        }
        formulas += own.len();
    }
    assert_eq!(formulas, 115);
}

fn every_loop_free_formula_is_there(folder: &Path) {
    for path in support::files(folder) {
        let own = support::here("fpbench").join(path.file_name().unwrap());
        let there = usable(&path).len();
        let here = if own.exists() { support::specs_of(&own).len() } else { 0 };
        assert_eq!(here, there, "{}", path.display());
    }
}

#[test]
fn those_with_loops() {
    let files = support::files(&support::here("fpbench/loops"));
    let own: Vec<Spec> = files.iter().flat_map(|p| support::specs_of(p)).collect();
    assert_eq!(own.len(), 6);
    assert!(own.iter().all(|s| has_loops(&s.core.body)));
    let Some(folder) = support::shared("fpbench") else { return };
    let names = |specs: &[Spec]| specs.iter().map(|s| s.name.clone()).collect::<Vec<_>>();
    // Those that go round as their inputs say, and those with several results, are not restated.
    let is_counted = |s: &Spec| {
        let inputs: Vec<String> = s.inputs.iter().map(|i| i.name.clone()).collect();
        has_loops(&s.core.body) && s.result.count == 1 && !unroll(&inputs, &s.core.body, 10_000).unwrap().may_end
    };
    let theirs: Vec<Spec> = support::files(&folder).iter().flat_map(|p| every(p)).filter(is_counted).collect();
    assert_eq!(names(&own), names(&theirs));
    for (a, b) in own.iter().zip(&theirs) {
        // A thousand rounds need more digits than are compared here.
        assert!(compare(a, b) >= 10 || a.name == "Odometry", "{}", a.name);
        assert_eq!(text(a, "cite"), text(b, "cite"), "{}", a.name);
    }
}

#[test]
fn the_69_of_the_paper() {
    let own = support::paper69();
    own.iter().for_each(survives_printing);
    let Some(path) = support::shared("paper69.fpcore") else { return };
    let theirs = support::specs_of(&path);
    assert_eq!((own.len(), theirs.len()), (69, 69));
    for (a, b) in own.iter().zip(&theirs) {
        assert_eq!(a.name, b.name);
        assert_eq!(a.accuracy, b.accuracy, "{}", a.name);
        // The shape counts here: mutants are made of it.
        assert!(same_expr(&a.core.body, &b.core.body), "{}:\n{}\n{}", a.name, a.core.body, b.core.body);
        let compared = compare(a, b);
        assert!(compared >= 10, "{}: {compared} points only", a.name);
    }
}
