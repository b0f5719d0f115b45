//! Exported code with every word that is taken somewhere as the name of the specification and of an input, compiled with
//! the real tools. Without one of them its test says so and passes.

use super::names::{identifier, identifiers};
use super::reserved::{ADA, C, CPP, LIBRARY, MACROS, MATLAB, PYTHON, RUST};
use super::{CodeArgument, CodeCase, CodeCases, CodeTarget, Duty, files};
use crate::floats::Format;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Names of what the exported code itself declares.
const LOCALS: &str = "y t said Y Lo Hi Id Why Failed Count Check Check_Outside Right k count failed tests testCase lo hi why \
    result function_under_test H TESTS OUTSIDE request FUNCTION answer check suite runner state magneto magneto_y \
    magneto_check Magneto_Count in_x f E";

fn words(lists: &[&'static str]) -> Vec<&'static str> {
    let all: BTreeSet<&str> = lists.iter().flat_map(|l| l.split_ascii_whitespace()).collect();
    all.into_iter().collect()
}

/// Tests of specifications that are called so, and whose one input is.
fn all(words: &[&str]) -> Vec<CodeCases> {
    let case = |id: &str, duty: Duty| CodeCase { id: id.to_owned(), input: vec![-0.0], duty, why: "probe".to_owned() };
    let one = |(ident, word): (String, &&str)| CodeCases {
        function: ident.clone(),
        place: None,
        ident,
        inputs: vec![(identifier(word), Format::BINARY64)],
        arguments: vec![CodeArgument { name: identifier(word), format: Format::BINARY64, sizes: Vec::new(), first: 0 }],
        sizes: Vec::new(),
        result: Format::BINARY64,
        requirement: Some((*word).to_owned()),
        interrupted: false,
        about: vec!["about".to_owned()],
        inside: vec![case("t001", Duty::Within { lo: -1.0, hi: 1.0 })],
        outside: vec![case("t002", Duty::Response("reject".to_owned()))],
        csv: String::new(),
        json: String::new(),
        run: None,
    };
    identifiers(words.iter().copied()).into_iter().zip(words).map(one).collect()
}

/// Writes the files of a target, and returns the names of those with an ending.
fn written(folder: &Path, cases: &[CodeCases], target: CodeTarget, ending: &str) -> Vec<String> {
    let mut names = Vec::new();
    for one in cases {
        for (name, text) in files(one, target, None).unwrap() {
            std::fs::write(folder.join(&name), text).unwrap();
            names.extend(Some(name).filter(|n| n.ends_with(ending)));
        }
    }
    names
}

/// Whether a program is there; what it says of itself does not matter.
fn has(program: &str, argument: &str) -> bool {
    let there = Command::new(program).arg(argument).output().is_ok_and(|o| o.status.success());
    if !there {
        println!("skipped: there is no {program}");
    }
    there
}

#[track_caller]
fn succeeds(folder: &Path, program: &str, arguments: &[&str]) {
    let output = Command::new(program).args(arguments).current_dir(folder).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let said = if said.trim().is_empty() { String::from_utf8_lossy(&output.stdout) } else { said };
    let first: Vec<&str> = said.lines().take(40).collect();
    assert!(output.status.success(), "{program}\n{}", first.join("\n"));
}

#[test]
fn c_and_cpp() {
    let folder = tempfile::tempdir().unwrap();
    let cases = all(&words(&[C, CPP, RUST, PYTHON, MATLAB, ADA, LIBRARY, MACROS, LOCALS]));
    assert!(cases.len() > 700);
    let headers = written(folder.path(), &cases, CodeTarget::C, ".h");
    let includes: String = headers.iter().map(|h| format!("#include \"{h}\"\n")).collect();
    // What the headers of frameworks include.
    let standard: String = ["math", "signal", "stdlib", "string", "sys/types", "time", "unistd", "setjmp", "stdarg"]
        .iter()
        .map(|h| format!("#include <{h}.h>\n"))
        .collect();
    let flags = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unused", "-DMAGNETO_OUT_OF_RANGE", "-I."];
    for before in ["", &standard] {
        std::fs::write(folder.path().join("all.c"), format!("{before}{includes}")).unwrap();
        // `linux` and `unix` are macros in GNU's dialects.
        for dialect in ["-std=c99", "-std=gnu17"] {
            succeeds(folder.path(), "cc", &[&flags[..], &[dialect, "all.c"]].concat());
        }
        if has("c++", "--version") {
            for dialect in ["-std=gnu++17", "-std=c++20"] {
                succeeds(folder.path(), "c++", &[&flags[..], &["-x", "c++", dialect, "all.c"]].concat());
            }
        }
    }
}

#[test]
fn rust() {
    if !has("rustc", "--version") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let cases = all(&words(&[RUST, C, PYTHON, LOCALS]));
    written(folder.path(), &cases, CodeTarget::Rust, ".rs");
    let one = |c: &CodeCases| format!("pub fn {0}(x: f64) -> f64 {{ x }}\n#[cfg(test)] mod test_{0};\n", c.ident);
    std::fs::write(folder.path().join("lib.rs"), cases.iter().map(one).collect::<String>()).unwrap();
    for edition in ["2021", "2024"] {
        let arguments =
            ["--test", "--emit=metadata", "-Dwarnings", "-Anonstandard_style", "lib.rs", "--edition", edition];
        succeeds(folder.path(), "rustc", &arguments);
    }
}

#[test]
fn pytest() {
    let folder = tempfile::tempdir().unwrap();
    let cases = all(&words(&[PYTHON, C, RUST, LOCALS]));
    let names = written(folder.path(), &cases, CodeTarget::Pytest, ".py");
    if !has("python3", "--version") {
        return;
    }
    for one in &cases {
        let body = format!("def {}(x):\n    return x\n", one.ident);
        std::fs::write(folder.path().join(format!("{}.py", one.ident)), body).unwrap();
    }
    // Without pytest they are compiled only.
    let pytest = Command::new("python3").args(["-m", "pytest", "--version"]).output();
    if pytest.is_ok_and(|o| o.status.success()) {
        let arguments = ["-m", "pytest", "-q", "-p", "no:cacheprovider"];
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        succeeds(folder.path(), "python3", &[&arguments[..], &names].concat());
    } else {
        succeeds(folder.path(), "python3", &["-m", "compileall", "-q", "."]);
    }
}

#[test]
fn ada() {
    if !has("gnatmake", "--version") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let cases = all(&words(&[ADA, LOCALS]));
    let names = written(folder.path(), &cases, CodeTarget::Ada, ".adb");
    let mut arguments = vec!["-q", "-c", "-gnatc", "-gnatW8", "-gnat2012"];
    for one in &cases {
        let specification = format!("function {} (X : Long_Float) return Long_Float;\n", one.ident);
        std::fs::write(folder.path().join(format!("{}.ads", one.ident.to_ascii_lowercase())), specification).unwrap();
    }
    arguments.extend(names.iter().map(String::as_str));
    succeeds(folder.path(), "gnatmake", &arguments);
}

#[test]
fn names_are_short_and_differ() {
    let long = "velocity_".repeat(60);
    let names = identifiers([long.as_str(), &format!("{long}2"), "a b", "a-b", "A_B", "für"]);
    assert!(names.iter().all(|n| n.len() <= 52 && !n.ends_with('_')), "{names:?}");
    let distinct: BTreeSet<String> = names.iter().map(|n| n.to_ascii_lowercase()).collect();
    assert_eq!(distinct.len(), names.len(), "{names:?}");
    // Ordinary names stay.
    for name in ["airflow", "mass_flow", "sigmoid", "strain", "stress", "memristor", "EC50", "BMI", "jetEngine", "x1"] {
        assert_eq!(identifier(name), name);
    }
}
