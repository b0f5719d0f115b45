//! `magneto gen --reuse`: after a change the tests of the run before stay tests where they still kill something.

use magneto::record::Part;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Output};

const SPEC: &str = "(FPCore (x y) :name \"flow\" :pre (and (<= 1 x 10) (<= 0.5 y 4)) :magneto-rel-error 1e-9
    (if (< x (* 3 y)) (- (* 0.61 (sqrt (+ x y))) (/ x 7)) (* 1.25 (/ y x))))";

fn magneto(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_magneto")).args(arguments).current_dir(folder).output().unwrap()
}

fn generate(folder: &Path, spec: &str, flags: &[&str]) -> String {
    std::fs::write(folder.join("flow.fpcore"), spec).unwrap();
    let run = magneto(folder, &[&["gen", "flow.fpcore", "--no-cache"], flags].concat());
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!(run.status.code(), Some(0), "{said}");
    said
}

/// The inputs of all tests, and those of an origin.
fn inputs(folder: &Path, origin: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let part = Part::read(folder).unwrap();
    let text = |t: &magneto::record::tests::TestRow| format!("{:?}", t.inputs.0);
    let of = part.tests.tests.iter().filter(|t| t.origin == origin).map(text).collect();
    (part.tests.tests.iter().map(text).collect(), of)
}

/// What became of each mutant, by id.
fn statuses(folder: &Path) -> BTreeMap<String, String> {
    let part = Part::read(folder).unwrap();
    part.mutants.mutants.iter().map(|m| (m.id.clone(), format!("{:?}", m.status))).collect()
}

#[test]
fn what_still_kills_stays() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    generate(at, SPEC, &["-o", "before"]);
    let changed = SPEC.replace("0.61", "0.64");
    generate(at, &changed, &["-o", "fresh"]);
    generate(at, &changed, &["--reuse", "before", "-o", "after"]);
    let (before, _) = inputs(&at.join("before"), "");
    let (_, kept) = inputs(&at.join("after"), "earlier");
    // All but those of mutants that are no more.
    assert!(kept.is_subset(&before) && 4 * kept.len() > 3 * before.len(), "{} of {}", kept.len(), before.len());
    // No mutant is judged otherwise than by a run of its own.
    assert_eq!(statuses(&at.join("after")), statuses(&at.join("fresh")));
    // Every oracle is that of the changed formula.
    let checked = magneto(at, &["eval", "flow.fpcore", "after"]);
    assert_eq!(checked.status.code(), Some(0), "{}", String::from_utf8_lossy(&checked.stderr));
    // The run before may be the one that is replaced; where nothing has changed, all that it needs is there.
    generate(at, &changed, &["--reuse", "after", "-o", "again"]);
    generate(at, &changed, &["--reuse", "again", "-o", "again"]);
    assert_eq!(inputs(&at.join("again"), "").0, inputs(&at.join("after"), "").0);
}

#[test]
fn what_kills_outside_of_the_domain_stays() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // A reviewer's tests beside the ranges are others than a run without --boundary makes.
    generate(at, SPEC, &["--boundary", "-o", "before"]);
    generate(at, SPEC, &["--reuse", "before", "-o", "after"]);
    let part = Part::read(&at.join("before")).unwrap();
    let killing = part.tests.tests.iter().filter(|t| t.lo.is_none() && t.kills > 0);
    let outside: BTreeSet<String> = killing.map(|t| format!("{:?}", t.inputs.0)).collect();
    assert!(outside.len() >= 4, "{outside:?}");
    let (after, _) = inputs(&at.join("after"), "");
    assert_eq!(outside.difference(&after).collect::<Vec<_>>(), Vec::<&String>::new());
    assert_eq!(statuses(&at.join("after")), statuses(&at.join("before")));
}

#[test]
fn what_does_not_fit_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    generate(at, SPEC, &["-o", "before"]);
    let other = SPEC.replace("(x y)", "(x z)").replace('y', "z");
    let said = generate(at, &other, &["--reuse", "before", "-o", "other"]);
    assert!(said.contains("are of other inputs"), "{said}");
    let named = SPEC.replace("\"flow\"", "\"stream\"");
    let said = generate(at, &named, &["--reuse", "before", "-o", "named"]);
    assert!(said.contains("has no tests of stream"), "{said}");
    let nothing = magneto(at, &["gen", "flow.fpcore", "--reuse", "nowhere", "-o", "out"]);
    assert_eq!(nothing.status.code(), Some(2), "{}", String::from_utf8_lossy(&nothing.stderr));
}
