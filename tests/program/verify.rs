//! `magneto verify`: a checker that shares nothing with this program proves the claims of runs, and refutes false ones.

use crate::ball_judge::python;
use crate::cli_support::Folder;
use crate::support;
use std::path::PathBuf;
use std::process::{Command, Output};

const MAGNETO: &str = env!("CARGO_BIN_EXE_magneto");

fn package() -> PathBuf {
    support::here("verify")
}

/// A run of `gen` over a specification of `specs/`, verified.
fn verified(folder: &Folder, spec: &str, options: &[&str]) -> Output {
    let spec = support::here(&format!("specs/{spec}.fpcore"));
    let made = Command::new(MAGNETO)
        .current_dir(folder.root())
        .args([
            "gen",
            "--quiet",
            "--no-cache",
            "-o",
            "out",
            "--operators",
            "accuracy,bounds,constant,variable,evaluation",
        ])
        .arg(spec)
        .status();
    assert!(made.is_ok_and(|s| s.success()));
    verify(folder, options)
}

fn verify(folder: &Folder, options: &[&str]) -> Output {
    let run = Command::new(MAGNETO)
        .current_dir(folder.root())
        .env("PYTHONPATH", package())
        .args(["verify", "out"])
        .args(options)
        .output();
    run.expect("the program starts")
}

#[test]
fn an_honest_run_verifies_and_a_false_file_is_refuted() {
    if python().is_none() {
        return;
    }
    let folder = Folder::new();
    let found = verified(&folder, "nernst", &[]);
    let text = String::from_utf8_lossy(&found.stdout);
    assert_eq!(found.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&found.stderr));
    assert!(text.contains("indistinguishable") && text.ends_with(" verified, 0 not verified, 0 REFUTED\n"), "{text}");
    let found = verify(&folder, &["--format", "junit"]);
    assert!(String::from_utf8_lossy(&found.stdout).starts_with("<?xml"));
    let path = folder.path("out/summary.json");
    let changed = std::fs::read_to_string(&path).unwrap().replacen("\"killed\": ", "\"killed\": 9", 1);
    std::fs::write(&path, changed).unwrap();
    let found = verify(&folder, &["--json"]);
    let json: serde_json::Value = serde_json::from_slice(&found.stdout).unwrap();
    assert_eq!(found.status.code(), Some(1), "{json}");
    assert!(json["REFUTED"].as_u64().unwrap() > 0);
}

#[test]
fn what_is_missing_is_told_with_a_remedy() {
    if python().is_none() {
        return;
    }
    let folder = Folder::new();
    let found = verify(&folder, &[]);
    let said = String::from_utf8_lossy(&found.stderr);
    assert_eq!(found.status.code(), Some(2), "{said}");
    assert!(said.contains("no folder of `magneto gen`"), "{said}");
    let without = Command::new(MAGNETO)
        .current_dir(folder.root())
        .env("PYTHON", "no-such-python")
        .args(["verify", "out"])
        .output();
    let without = without.unwrap();
    assert_eq!(without.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&without.stderr).contains("no-such-python"));
}

/// What the checker computes on boxes holds at inputs of them.
#[test]
fn the_checker_bounds_what_it_says_it_bounds() {
    let Some(python) = python() else { return };
    let specs = if std::env::var_os("MAGNETO_LONG").is_some() { "5000" } else { "40" };
    let found =
        Command::new(python).arg(package().join("tests/soundness.py")).args(["--specs", specs]).output().unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&found.stdout), String::from_utf8_lossy(&found.stderr));
    assert!(found.status.success(), "{text}");
}

/// A lie of each kind in a run of one specification; with `MAGNETO_LONG` of many.
#[test]
fn planted_lies_are_refuted() {
    let Some(python) = python() else { return };
    let long = std::env::var_os("MAGNETO_LONG").is_some();
    let specs: &[&str] = if long {
        &["arrhenius", "airflow", "nernst", "sensor", "log1p", "rc-filter", "srgb", "ray-sphere"]
    } else {
        &["arrhenius"]
    };
    let mut command = Command::new(python);
    command.arg(package().join("tests/planted_lies.py")).args(["--magneto", MAGNETO]);
    if !long {
        command.args(["--operators", "accuracy,bounds,constant,variable,unary,evaluation,region"]);
    }
    let found = command.args(specs.iter().map(|s| support::here(&format!("specs/{s}.fpcore")))).output().unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&found.stdout), String::from_utf8_lossy(&found.stderr));
    println!("{text}");
    assert!(found.status.success(), "{text}");
}
