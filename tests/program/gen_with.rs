//! `magneto gen --with`: inputs that a person brings, or that take the branches of code, are tests with oracles.

use crate::support::compilers::has_clang;
use std::path::Path;
use std::process::{Command, Output};

const SPEC: &str = "(FPCore (x) :name \"share\" :pre (<= 0 x 100) :magneto-ulps (4 binary64) (/ 1 (+ x 1)))";

fn magneto(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_magneto")).args(arguments).current_dir(folder).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Input, origin and reason of each test of a run.
fn tests(folder: &Path) -> Vec<(String, String, String)> {
    let mut reader = csv::Reader::from_path(folder.join("tests.csv")).unwrap();
    let header = reader.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|h| h == name).unwrap();
    let columns = [column("x"), column("origin"), column("reason")];
    let row = |r: csv::StringRecord| columns.map(|c| r[c].to_owned());
    reader.records().map(|r| row(r.unwrap()).into()).collect()
}

#[test]
fn what_is_given_becomes_tests() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::write(at.join("share.fpcore"), SPEC).unwrap();
    std::fs::write(at.join("mine.csv"), "test_id,x\nfirst,0.3\nbelow,-4\nsecond,77.25\n").unwrap();
    let run = magneto(at, &["gen", "share.fpcore", "--with", "mine.csv", "--minimize", "-o", "out"]);
    assert_eq!(run.status.code(), Some(0), "{}", said(&run));
    assert!(said(&run).contains("1 of 3 inputs of --with are no tests"), "{}", said(&run));
    let with = tests(&at.join("out"));
    let given: Vec<_> = with.iter().filter(|(_, origin, _)| origin == "given").collect();
    let inputs: Vec<&str> = given.iter().map(|(x, ..)| x.as_str()).collect();
    assert_eq!(inputs, ["0x1.3333333333333p-2", "0x1.35p+6"]);
    assert!(given[0].2.contains("given as first") && given[1].2.contains("given as second"), "{given:?}");
    // They kill mutants like any other test, and `eval` and `report` take them.
    let run: serde_json::Value = serde_json::from_slice(&std::fs::read(at.join("out/tests.json")).unwrap()).unwrap();
    let test = run["tests"].as_array().unwrap().iter().find(|t| t["reason"] == "given as second").unwrap();
    assert!(test["kills"].as_u64().unwrap() > 10, "{test}");
    let evaluated = magneto(at, &["eval", "share.fpcore", "out"]);
    assert_eq!(evaluated.status.code(), Some(0), "{}", said(&evaluated));
    let page = magneto(at, &["report", "out"]);
    assert_eq!(page.status.code(), Some(0), "{}", said(&page));
    // The other tests are those of a run without them.
    let run = magneto(at, &["gen", "share.fpcore", "--minimize", "-o", "plain"]);
    assert_eq!(run.status.code(), Some(0), "{}", said(&run));
    for (x, ..) in tests(&at.join("plain")) {
        assert!(with.iter().any(|(y, ..)| *y == x), "{x}");
    }
}

#[test]
fn mistakes_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::write(at.join("share.fpcore"), SPEC).unwrap();
    std::fs::write(at.join("two.fpcore"), format!("{SPEC}\n(FPCore (y) :name \"other\" :pre (<= 0 y 1) (+ y 1))\n"))
        .unwrap();
    std::fs::write(at.join("mine.csv"), "test_id,x\nfirst,many\n").unwrap();
    let refused = |arguments: &[&str], why: &str| {
        let run = magneto(at, &[&["gen"], arguments].concat());
        assert_eq!(run.status.code(), Some(2), "{}", said(&run));
        assert!(said(&run).contains(why), "{}", said(&run));
    };
    refused(&["share.fpcore", "--with", "mine.csv"], "mine.csv:2:7");
    refused(&["share.fpcore", "--with", "absent.csv"], "absent.csv");
    refused(&["two.fpcore", "--with", "mine.csv"], "--with is for one specification");
    assert!(!at.join("magneto.out").exists());
}

/// The inputs that take the branches of code, whose parameters have other names than the specification's inputs.
#[test]
fn the_inputs_of_a_cover_become_tests() {
    if !has_clang() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::write(at.join("share.fpcore"), SPEC).unwrap();
    std::fs::write(at.join("s.c"), "double s(double d) { if (d == 42.625) return 1 / 43.625; return 1 / (d + 1); }\n")
        .unwrap();
    let run = magneto(at, &["cover", "s.c", "--fn", "s", "--spec", "share.fpcore", "-o", "branches"]);
    assert_eq!(run.status.code(), Some(0), "{}", said(&run));
    let run = magneto(at, &["gen", "share.fpcore", "--with", "branches", "-o", "out"]);
    assert_eq!(run.status.code(), Some(0), "{}", said(&run));
    let special = "0x1.55p+5";
    assert!(tests(&at.join("out")).iter().any(|(x, origin, _)| x == special && origin == "given"));
    let checked = magneto(at, &["check", "share.fpcore", "branches", "--c-source", "s.c", "--fn", "s"]);
    assert_eq!(checked.status.code(), Some(0), "{}", said(&checked));
}
