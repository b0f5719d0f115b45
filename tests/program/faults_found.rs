//! Planted faults: the bench counts them as `gen` and `check` do, right implementations pass, and the tests find most.

use crate::cli_support::Folder;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn faults() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults")
}

fn is_long() -> bool {
    std::env::var_os("MAGNETO_LONG").is_some()
}

/// Every fourth specification of the faults with its programs; with `MAGNETO_LONG` set, all of them.
fn some_faults() -> Folder {
    let every = if is_long() { 1 } else { 4 };
    let folder = Folder::new();
    let mut specifications: Vec<String> = names(&faults()).filter(|name| name.ends_with(".fpcore")).collect();
    specifications.sort();
    let taken: BTreeSet<String> = specifications.into_iter().step_by(every).collect();
    for (below, to_specification) in [("", ""), ("right/", "../")] {
        for name in names(&faults().join(below)) {
            let text = std::fs::read_to_string(faults().join(below).join(&name)).unwrap();
            let named =
                text.lines().find_map(|l| l.strip_prefix("// spec: ")).and_then(|l| l.strip_prefix(to_specification));
            if taken.contains(named.unwrap_or(&name)) {
                folder.write(&format!("{below}{name}"), text);
            }
        }
    }
    folder
}

/// The names of the files in a folder.
fn names(folder: &Path) -> impl Iterator<Item = String> {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap).filter(|e| e.path().is_file());
    entries.map(|e| e.file_name().into_string().unwrap())
}

/// The programs with a fault, or those without.
fn programs(document: &Value, faulty: bool) -> Vec<&Value> {
    document["programs"].as_array().unwrap().iter().filter(|p| p["class"].is_string() == faulty).collect()
}

#[test]
fn the_tests_find_faults_and_fail_nothing_that_is_right() {
    let document = some_faults().run(&["bench", "faults", ".", "--json", "--seeds", "0"]).expect(0).json();
    // Exit code 0 says that no right implementation fails; every specification has one.
    let names = |faulty| -> BTreeSet<String> {
        programs(&document, faulty).iter().map(|p| p["specification"].to_string()).collect()
    };
    assert_eq!(names(true), names(false));
    let classes = document["classes"].as_array().unwrap();
    let all = classes.iter().find(|c| c["class"] == "all").unwrap();
    let (found, faults) = (all["found"].as_u64().unwrap(), all["faults"].as_u64().unwrap());
    assert_eq!(programs(&document, true).len() as u64, faults);
    let (least_faults, least_classes) = if is_long() { (80, 15) } else { (18, 7) };
    assert!(faults >= least_faults && classes.len() >= least_classes);
    assert!(100 * found >= LEAST * faults, "{found} of {faults} found");
}

/// Of a hundred faults so many are found at least.
const LEAST: u64 = 97;

/// What the bench says of a program is what `gen` and `check` say.
#[test]
fn the_bench_agrees_with_check() {
    let files = ["hypot_naive.c", "tanh_cancel.c", "decibel_floor.c", "deadzone_sign.c", "tax_base.c"];
    let folder = Folder::new();
    let specification = |source: &str| -> String {
        let text = std::fs::read_to_string(faults().join(source)).unwrap();
        text.lines().find_map(|l| l.strip_prefix("// spec: ")).unwrap().to_owned()
    };
    for file in files {
        for name in [file, &specification(file)] {
            std::fs::copy(faults().join(name), folder.path(name)).unwrap();
        }
    }
    let line = ["bench", "faults", ".", "--json", "--seeds", "2", "--operators", "paper"];
    let document = folder.run(&line).expect(0).json();
    let mut said = [0, 0];
    for file in files {
        let row = programs(&document, true).into_iter().find(|p| p["file"] == file).unwrap();
        let check = ["check", &specification(file), "--operators", "paper", "--json", "--c-source", file, "--fn", "f"];
        let ended = folder.run(&check);
        let ended = if row["failed"] == 0 { ended.expect(0) } else { ended.expect(1) };
        let document = ended.json();
        assert_eq!(document["counts"]["ko"], row["failed"], "{file}: {}", document["counts"]);
        said[usize::from(row["failed"] == 0)] += 1;
    }
    assert!(said.iter().all(|n| *n > 0), "found and not found: {said:?}");
}

#[test]
fn what_is_wrong_with_a_folder_is_said() {
    let folder = Folder::new();
    folder.write("empty/x.txt", "");
    folder.write("set/a.c", "// class: c\n// spec: a.fpcore\ndouble f(double x) { return x; }\n");
    folder.write("set/b.c", "// right: it is\n// spec: b.fpcore\ndouble f(double x) { return x; }\n");
    folder.write("set/c.c", "// right: it is\n// spec: c.fpcore\ndouble f(double x) { return x; }\n");
    folder.write("set/c.fpcore", "(FPCore (x) :pre (<= 0 x 1) (foo x))");
    let said = folder.run(&["bench", "faults", "set"]).expect(2).err;
    assert!(said.contains("a.c:1: a comment `// fault: …` is missing"), "{said}");
    assert!(said.contains("b.c: cannot read"), "{said}");
    assert!(said.contains("c.fpcore:1:") && said.contains("foo"), "{said}");
    let said = folder.run(&["bench", "faults", "empty"]).expect(2).err;
    assert!(said.contains("there is no C file"), "{said}");
    folder.write("set/c.fpcore", "(FPCore (x) :pre (<= 0 x 1) (+ x 1))");
    std::fs::remove_file(folder.path("set/a.c")).unwrap();
    std::fs::remove_file(folder.path("set/b.c")).unwrap();
    // A test fails for what is said to be right.
    let said = folder.run(&["bench", "faults", "set"]).expect(1).err;
    assert!(said.contains("c.c is said to be right and fails a test"), "{said}");
    folder.write("set/c.c", "// right: it is\n// spec: c.fpcore\ndouble f(double x) { return x;\n");
    let said = folder.run(&["bench", "faults", "set"]).expect(4).err;
    assert!(said.contains("c.c") && said.contains("does not compile"), "{said}");
}

/// Some faults of different kinds beside right implementations.
#[test]
fn the_search_finds_faults_and_nothing_that_is_right() {
    let folder = Folder::new();
    let some = ["acosh1", "annuity"];
    for entry in std::fs::read_dir(faults()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_file() && some.iter().any(|s| name.starts_with(s)) {
            std::fs::copy(&path, folder.path(&name)).unwrap();
        }
    }
    folder.write(
        "exact.c",
        "// right: by another formula\n// spec: acosh1.fpcore\n#include <math.h>\ndouble f(double x) { return log1p(x + sqrt(x * (x + 2))); }\n",
    );
    let line = ["bench", "worst", ".", "--evaluations", "3000", "--json"];
    let document = folder.run(&line).expect(0).json();
    let faults = document["faults"].as_u64().unwrap();
    let ways = document["ways"].as_array().unwrap();
    assert!(faults >= 2 && ways.len() == 4, "{document}");
    assert_eq!((&ways[0]["way"], &ways[0]["found"]), (&"search".into(), &faults.into()), "{document}");
    assert!(ways.iter().all(|w| w["false_alarms"] == 0), "{document}");
    // What no way can find leaves the share too small: the fault is planted where there is none.
    let right = std::fs::read_to_string(folder.path("exact.c")).unwrap();
    folder.write("hidden.c", right.replace("// right: by another formula", "// class: none\n// fault: none"));
    let ended = folder.run(&["bench", "worst", ".", "--evaluations", "500", "--alone"]).expect(1);
    assert!(ended.out.contains("not found by the search: hidden.c"), "{}", ended.out);
    folder.run(&["bench", "worst", ".", "--evaluations", "500", "--alone", "--least", "0"]).expect(0);
}

/// The first wrong result is one that surely is wrong, and it is found beside zeros of the specification.
#[test]
fn the_first_wrong_result_is_surely_wrong() {
    let folder = Folder::new();
    let spec = |name: &str, range: &str, f: &str| {
        let text = format!("(FPCore (x) :precision binary64 :pre (<= {range}) :magneto-rel-error 1e-3 {f})");
        folder.write(&format!("{name}.fpcore"), &text);
    };
    // At 1/2 this is 0, which multiple precision does not settle.
    spec("turns", "0.25 x 0.75", "(cos (* PI x))");
    spec("cubic", "0 x 9", "(- (* x (* x x)) (+ x 7))");
    folder.write(
        "turns.c",
        "// class: none\n// fault: none\n// spec: turns.fpcore\n#include <math.h>\n\
         double f(double x) { return sin((0.5 - x) * M_PI); }\n",
    );
    folder.write(
        "cubic.c",
        "// class: cancellation\n// fault: differences of rounded numbers\n// spec: cubic.fpcore\n\
         double f(double x) { volatile double y = x * x; y *= x; y -= x; return y - 7; }\n",
    );
    let line = ["bench", "worst", ".", "--evaluations", "200", "--alone", "--least", "0", "--json"];
    let document = folder.run(&line).expect(0).json();
    let programs = document["programs"].as_array().unwrap();
    let found = |file: &str| &programs.iter().find(|p| p["file"] == file).unwrap()["found"][0];
    assert!(found("turns.c")["first"].is_null() && found("turns.c")["wrong"] == false, "{document}");
    assert!(found("cubic.c")["first"].as_u64().is_some_and(|n| n < 200), "{document}");
    assert_eq!(found("cubic.c")["wrong"], true, "{document}");
}

/// Of programs that say the largest known error only that is looked for: they are neither faulty nor right.
#[test]
fn errors_that_are_found_stand_beside_known_ones() {
    let folder = Folder::new();
    let libm = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/libm");
    for name in ["sin.c", "sin.fpcore", "hypot.c", "hypot.fpcore"] {
        std::fs::copy(libm.join(name), folder.path(name)).unwrap();
    }
    let line = ["bench", "worst", ".", "--evaluations", "2000"];
    let document = folder.run(&[&line[..], &["--json"]].concat()).expect(0).json();
    assert!(document["faults"] == 0 && document["ways"][0]["false_alarms"] == 0, "{document}");
    for row in document["programs"].as_array().unwrap() {
        let known = row["known"].as_f64().unwrap();
        for found in row["found"].as_array().unwrap() {
            let ulps = found["largest"]["ulps"].as_f64().unwrap();
            // No correctly rounded function errs by more than half an ulp, and of these none by twice as much as is known.
            assert!(0.4 < ulps && ulps < 2.0 * known, "{row}");
            // Where nothing is wrong, what is kept for the ends of wrong stretches is not spent.
            assert!((1800..=2000).contains(&found["evaluations"].as_u64().unwrap()), "{row}");
        }
    }
    let said = folder.run(&[&line[..], &["--alone"]].concat()).expect(0).out;
    assert!(said.contains("search: at least 95 % of what is known for ") && said.contains("sin.c"), "{said}");
    folder.write("sin.c", "// known: much\n// spec: sin.fpcore\ndouble f(double x) { return x; }\n");
    let said = folder.run(&line).expect(2).err;
    assert!(said.contains("sin.c:1: `// known: much` does not begin with an error in ulps"), "{said}");
}

#[test]
fn a_fault_in_any_of_several_results_is_found() {
    let state = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/state");
    let folder = Folder::new();
    for file in ["biquad_df2.fpcore", "biquad_df2_early.c", "biquad_df2_shift.c", "right/biquad_df2.c"] {
        folder.write(file, std::fs::read(state.join(file)).unwrap());
    }
    let found =
        folder.run(&["bench", "faults", ".", "--json", "--seeds", "2", "--operators", "paper"]).expect(0).json();
    let (faulty, right) = (programs(&found, true), programs(&found, false));
    assert_eq!((faulty.len(), right.len()), (2, 1));
    for row in faulty.iter().chain(&right) {
        assert_eq!(row["specification"], "biquad_df2", "{row}");
        assert_eq!(row["failed"].as_u64().unwrap() > 0, row["class"].is_string(), "{row}");
    }
    let searched = folder.run(&["bench", "worst", ".", "--json", "--evaluations", "300", "--alone"]).expect(0).json();
    assert_eq!(searched["ways"][0]["found"], 2, "{searched}");
    // Two specifications in one file are none.
    folder.write("right/two.fpcore", "(FPCore a (x) :pre (<= 0 x 1) x) (FPCore b (x) :pre (<= 0 x 1) x)");
    folder.write("right/two.c", "// right: it is\n// spec: two.fpcore\ndouble f(double x) { return x; }\n");
    folder.run(&["bench", "faults", "."]).expect(2).says(&["two.fpcore does not hold one FPCore alone"]);
    let groups = magneto::bench::faults::read(&state).unwrap();
    assert_eq!(groups.iter().map(|g| g.programs.len()).sum::<usize>(), 152);
}

/// The functions of GSL are run by hand, where it is installed; that their files are whole is seen without it.
#[test]
fn the_folders_of_libraries_can_be_read() {
    for (folder, programs) in [("tests/libm", 26), ("tests/gsl", 44)] {
        let groups = magneto::bench::faults::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap();
        assert_eq!(groups.iter().map(|g| g.programs.len()).sum::<usize>(), programs, "{folder}");
        let own = |g: &magneto::bench::faults::FaultGroup| g.programs.len() == 1 && g.specs[0].inputs.len() < 3;
        assert!(groups.iter().all(own), "{folder}");
    }
}
