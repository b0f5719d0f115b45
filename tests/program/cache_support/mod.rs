//! Runs with the cache of `gen`, compared with runs without it.

#![allow(dead_code, reason = "no test file uses all of it")]

use crate::cli_support::{Ended, Folder};
use serde_json::Value;
use std::path::PathBuf;

/// Runs `gen` with a cache into `out`.
pub(crate) fn cached(folder: &Folder, arguments: &[&str]) -> Ended {
    let all = [&["gen", "-o", "out", "--force"], arguments].concat();
    Ended::new(&folder.caching(&all).output().unwrap())
}

/// The specifications of a run, and of each whether an earlier run found it.
pub(crate) fn from_cache(run: &Ended) -> Vec<(String, bool)> {
    let document = run.json();
    let one = |s: &Value| (s["summary"]["specification"].as_str().unwrap().to_owned(), s["cached"].as_bool().unwrap());
    document["specifications"].as_array().unwrap().iter().map(one).collect()
}

/// The files of a cache, without what marks it as one.
pub(crate) fn entries(folder: &Folder, name: &str) -> Vec<PathBuf> {
    let listed = std::fs::read_dir(folder.path(name)).into_iter().flatten();
    let mut all: Vec<PathBuf> = listed.map(|e| e.unwrap().path()).collect();
    all.retain(|p| p.extension().is_some_and(|e| e == "result"));
    all.sort();
    all
}

/// What a run prints as JSON, without what differs from run to run.
fn said(run: &Ended) -> Value {
    let mut document = run.json();
    for key in ["seconds", "stages", "output"] {
        document.as_object_mut().unwrap().remove(key);
    }
    for one in document["specifications"].as_array_mut().into_iter().flatten() {
        one.as_object_mut().unwrap().retain(|key, _| key == "summary" || key == "folder");
    }
    document
}

/// That a run with the cache gives what one without gives, into whatever `out` holds; the former.
#[track_caller]
pub(crate) fn same_as_fresh(folder: &Folder, arguments: &[&str], what: &str) -> Ended {
    let _ = std::fs::remove_dir_all(folder.path("fresh"));
    let with = cached(folder, &[&["--json"], arguments].concat());
    let without = folder.run(&[&["gen", "-o", "fresh", "--json"], arguments].concat());
    assert_eq!(with.code, without.code, "{what}: {}\n{}", with.err, without.err);
    if with.code == Some(2) {
        assert_eq!(with.err, without.err, "{what}");
        return with;
    }
    assert_eq!(said(&with), said(&without), "{what}");
    let (got, wanted) = (folder.files("out"), folder.files("fresh"));
    let names = |files: &[(String, Vec<u8>)]| files.iter().map(|f| f.0.clone()).collect::<Vec<_>>();
    assert_eq!(names(&got), names(&wanted), "{what}");
    for (got, wanted) in got.iter().zip(&wanted) {
        assert!(got == wanted, "{what}: {} is another one", got.0);
    }
    with
}

/// Few mutants.
pub(crate) const FEW: [&str; 4] = ["--operators", "constant,bounds", "--budget", "20"];

/// A file of specifications that call each other.
pub(crate) const CALLS: &str = "; First.
(FPCore scale (x) :pre (<= 0 x 9) :magneto-abs-error 1e-6 (* 0.25 x))
(FPCore shift (x w) :pre (and (<= 0 x 9) (<= 1 w 2)) :magneto-abs-error 1e-6 (+ (scale x) w))
(FPCore (x y)
  :name \"calls\" ; Of the name.
  :pre (and (<= 1 x 4) (<= 0.5 y 2))
  :magneto-req \"REQ-1\"
  :description \"d\"
  :magneto-rel-error 1e-9
  :magneto-out-of-range reject
  :spec (+ x y)
  (- (shift x y) (/ 3 y)))
(FPCore other (x) :pre (<= 1 x 2) :magneto-abs-error 1e-6 (sqrt (* 1.5 x)))
";

/// One of another shape, without a name, and two of the same name.
pub(crate) const SHAPES: &str = "(FPCore (x) :pre (<= 1 x 2) :magneto-abs-error 1e-3 (if (< x 1.5) (* x x) (/ 2 x)))
(FPCore (x) :name \"twice\" :pre (<= 2 x 3) (- x 1))
(FPCore (x) :name \"twice\" :pre (<= 2 x 3) (- x 1))
";
