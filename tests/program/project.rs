//! A project of ten requirements with implementations in C and Python, three of them wrong: from requirements to the record that
//! people sign.

use crate::cli_support::Folder;
use std::path::Path;

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        match path.is_dir() {
            true => copy(&path, &target),
            false => drop(std::fs::copy(&path, &target).unwrap()),
        }
    }
}

fn devices() -> Folder {
    let folder = Folder::new();
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/projects/devices"), &folder.path(""));
    folder
}

/// Specification, implementation and exit code of each line of an overview.
fn outcomes(document: &serde_json::Value) -> Vec<(String, String, u64)> {
    let text = |v: &serde_json::Value| v.as_str().unwrap().to_owned();
    let one =
        |v: &serde_json::Value| (text(&v["specification"]), text(&v["implementation"]), v["exit"].as_u64().unwrap());
    document["implementations"].as_array().unwrap().iter().map(one).collect()
}

#[test]
fn from_requirements_to_the_record() {
    let folder = devices();
    folder.run(&["gen", "specs", "-q"]).expect(0);
    let said = folder.run(&["check", "-o", "out", "--junit", "j.xml"]).expect(1).out;
    let document = folder.json("out/checks.json");
    let all = outcomes(&document);
    assert_eq!(all.len(), 13, "{all:?}");
    let failed: Vec<(&str, &str)> = all.iter().filter(|o| o.2 != 0).map(|o| (&*o.0, &*o.1)).collect();
    let wrong = [("cell_temperature", "model"), ("clearance", "target"), ("mach", "target")];
    let mut sorted = failed.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, wrong, "{said}");
    assert!(said.contains("10 of 13 implementations passed\n"), "{said}");
    // Two implementations of one specification have a file each, and the only one of another has the usual name.
    assert!(folder.path("out/charge/check-target.json").exists() && folder.path("out/altitude/check.json").exists());
    let implementation = &folder.json("out/charge/check-model.json")["implementation"];
    assert_eq!((&implementation["name"], &implementation["kind"]), (&"model".into(), &"python".into()));
    assert!(implementation["machine"].is_string() && implementation["source_sha256"].is_string());
    // What is recorded does not depend on where the project lies.
    let source = &folder.json("out/charge/check-target.json")["implementation"]["source"];
    assert_eq!((source, &implementation["function"]), (&"src/bat.c".into(), &"python/bat.py:charge".into()));
    let xml = folder.read("j.xml");
    assert!(xml.contains("name=\"mach [ADC-002] target\"") && xml.contains("name=\"charge [BAT-001] model\""), "{xml}");
    // What one specification is asked for alone is the same.
    let alone = folder.run(&["check", "specs/nav.fpcore", "--json"]).expect(0).json();
    assert_eq!(outcomes(&alone), [("wind_correction".to_owned(), "target".to_owned(), 0)]);
    folder.run(&["report", "out", "--format", "record"]).expect(0);
    let page = folder.read("out/record.html");
    for part in [
        "Result: <strong>FAILED</strong>",
        "VR-17",
        "Devices 7",
        "A. Tester",
        "The Mach number follows from the ratio",
        "model: ",
        "Discrepancies of <code class=\"id\">cell_<wbr>temperature</code>, model",
    ] {
        assert!(page.contains(part), "no `{part}` in\n{page}");
    }
    assert!(!page.contains("<h3>Gaps"), "{page}");
    folder.run(&["report", "out", "--format", "trace"]).expect(0);
    let trace = folder.read("out/traceability.csv");
    assert!(trace.contains("model KO; target OK") && trace.contains("ADC-001,altitude,"), "{}", &trace[..2000]);
    // The page of a specification shows both.
    folder.run(&["report", "out"]).expect(0);
    assert!(folder.read("out/cell_temperature/report.html").contains("Also checked"));
}

#[test]
fn parts_of_a_run_give_what_one_run_gives() {
    let folder = devices();
    folder.run(&["check", "-q", "-o", "whole"]).expect(1);
    for part in ["1/2", "2/2"] {
        folder.run(&["check", "-q", "-o", &part.replace('/', "-"), "--shard", part]).expect(0);
    }
    folder.run(&["merge", "1-2", "2-2", "-o", "merged"]).expect(1);
    for file in ["checks.json", "charge/check-model.json", "mach/check.json", "mach/check.csv"] {
        assert_eq!(folder.read(&format!("whole/{file}")), folder.read(&format!("merged/{file}")), "{file}");
    }
}

#[test]
fn mistakes_are_told() {
    let folder = devices();
    let toml = folder.read("magneto.toml");
    // What cannot be run is no reason not to run the others.
    folder.write("src/nav.c", "double wind_correction(double w) { return }\n");
    let said = folder.run(&["check", "specs/nav.fpcore", "specs/med.fpcore"]).expect(4).out;
    assert!(
        said.contains("not run") && said.contains("error: expected expression") || said.contains("error:"),
        "{said}"
    );
    assert!(said.contains("infusion_rate") && said.contains("2 of 4 implementations passed"), "{said}");
    folder.write("other.fpcore", "(FPCore (x) :name \"other\" :pre (<= 1 x 2) x)");
    folder
        .run(&["check", "other.fpcore"])
        .expect(2)
        .says(&["there is no implementation of other", "[[implementation]]"]);
    folder.run(&["check", "--tap"]).expect(2).says(&["--tap is for one implementation"]);
    folder.write("magneto.toml", toml.replace("name = \"model\"", "name = \"target\""));
    folder.run(&["check"]).expect(2).says(&["two implementations of charge are called `target`", "give each a `name`"]);
    // One that is left out is one that nobody runs.
    let misspelt = format!("{toml}\n[[implementation]]\nspec = \"specs/nva.fpcore\"\nexec = \"cat\"\n");
    folder.write("magneto.toml", misspelt);
    for command in ["check", "worst"] {
        let said = "no file fits the implementation of `specs/nva.fpcore`";
        folder.run(&[command, "specs/nav.fpcore"]).expect(2).says(&["error: ", said, "hint: correct `spec`"]);
    }
    folder.write("magneto.toml", toml.replace("c-source", "c-sauce"));
    folder.run(&["check"]).expect(2).says(&["magneto.toml:6:1", "did you mean `c-source`?"]);
    folder.write("magneto.toml", "jobs = 1\n");
    folder
        .run(&["check", "specs/nav.fpcore"])
        .expect(2)
        .says(&["nothing says what the implementation is", "[[implementation]]"]);
    // In another folder paths are still those of the magneto.toml.
    folder.write("magneto.toml", toml);
    let mut inside = folder.command(&["check", "bat.fpcore", "--json"]);
    let out = inside.current_dir(folder.path("specs")).output().unwrap();
    assert_eq!(out.status.code(), Some(1), "{}", String::from_utf8_lossy(&out.stderr));
}

/// A part of the project whose searches are short: two specifications, one with a wrong implementation in C, one with two right
/// ones.
const FEW: [&str; 2] = ["specs/adc.fpcore:mach", "specs/bat.fpcore:charge"];

#[test]
fn the_worst_input_of_each_implementation() {
    let folder = devices();
    let search = |more: &[&str]| {
        let all: Vec<&str> =
            ["worst", "--evaluations", "3000"].into_iter().chain(FEW).chain(more.iter().copied()).collect();
        folder.run(&all)
    };
    let said = search(&["-o", "out", "--junit", "w.xml"]).expect(1).out;
    assert!(said.contains("of 3 implementations 2 gave nothing outside the bound\n"), "{said}");
    let document = folder.json("out/worsts.json");
    let name = |n: &str, i: &str, exit: u64| (n.to_owned(), i.to_owned(), exit);
    let expected = [name("mach", "target", 1), name("charge", "target", 0), name("charge", "model", 0)];
    assert_eq!(outcomes(&document), expected);
    let worst: f64 = document["implementations"][0]["tolerances"].as_str().unwrap().parse().unwrap();
    assert!(worst > 1.0, "{worst}");
    assert_eq!(folder.json("out/mach/worst.json")["implementation"]["name"], "target");
    assert!(folder.path("out/charge/worst-model.csv").exists() && folder.path("out/charge/worst-target.json").exists());
    let xml = folder.read("w.xml");
    assert!(xml.contains("name=\"mach [ADC-002] target\""), "{xml}");
    // Into the same folder again: it holds results of ours.
    search(&["-q", "-o", "out"]).expect(1);
    // In parts the files are the same.
    for part in ["1/2", "2/2"] {
        search(&["-q", "-o", &part.replace('/', "-"), "--shard", part]).expect(0);
    }
    folder.run(&["merge", "1-2", "2-2", "-o", "merged"]).expect(1);
    for file in ["worsts.json", "mach/worst.json", "charge/worst-model.json", "charge/worst-target.csv"] {
        assert_eq!(folder.read(&format!("out/{file}")), folder.read(&format!("merged/{file}")), "{file}");
    }
}

#[test]
fn what_cannot_be_searched_is_told() {
    let folder = devices();
    folder
        .run(&["worst", "--against", "modle", FEW[1]])
        .expect(2)
        .says(&["no implementation is called `modle`", "model, target"]);
    folder
        .run(&["worst", "--exhaustive", "--resume", "-o", "o"])
        .expect(2)
        .says(&["--resume is for one implementation", "--c-source"]);
    // Each has too many inputs, and none is lost for that.
    let run = folder.run(&["worst", "--exhaustive", FEW[1], "--json"]).expect(2).json();
    assert_eq!(outcomes(&run).len(), 2);
    let why = run["implementations"][0]["broken"].as_str().unwrap();
    assert!(why.contains("more than 2^32 inputs"), "{why}");
    folder
        .run(&["worst", FEW[0], "--shard", "1/2", "-o", "o", "--c-source", "src/adc.c", "--fn", "mach"])
        .expect(2)
        .says(&["one search is not divided"]);
    folder.write("src/adc.c", "double mach(double a) { return }\n");
    let run = folder.run(&["worst", "--evaluations", "1000", FEW[0], FEW[1], "--json"]).expect(4);
    let exits: Vec<u64> = outcomes(&run.json()).into_iter().map(|o| o.2).collect();
    assert_eq!(exits, [4, 0, 0]);
}

/// Two implementations side by side, tests to begin with, and every input of small domains.
#[test]
fn implementations_are_compared_and_enumerated() {
    let folder = devices();
    let run = folder.run(&["worst", "--evaluations", "3000", FEW[1], "--against", "model", "-o", "out"]).expect(0);
    assert!(run.out.contains("charge, target and model at the worst inputs of either, in ulps\n"), "{}", run.out);
    let of_target = folder.json("out/worst-target.json");
    assert_eq!(of_target["against"]["implementation"]["name"], "model");
    assert!(!of_target["against"]["inputs"].as_array().unwrap().is_empty());
    assert!(folder.json("out/worst-model.json")["against"].is_null());
    // An input that no search of ten evaluations finds.
    let spec = "(FPCore (x) :name \"step\" :precision binary32 :pre (<= 1 x 1.001) :magneto-ulps 1 (+ x 1))";
    folder.write("step.fpcore", spec).write("t.csv", "x\n1.00048828125\n");
    folder.write("step.c", "float step(float x) { return x == 1.00048828125f ? 0 : x + 1; }\n");
    folder.write("step.py", "def step(x):\n    return x + 1\n");
    folder.write(
        "magneto.toml",
        "[[implementation]]\nspec = \"step.fpcore\"\nc-source = \"step.c\"\nfn = \"step\"\n\
         [[implementation]]\nspec = \"step.fpcore\"\npython = \"step.py:step\"\n",
    );
    folder.run(&["worst", "--evaluations", "10"]).expect(0);
    let begun = folder.run(&["worst", "--evaluations", "10", "--tests", "t.csv", "--json"]).expect(1).json();
    assert_eq!(outcomes(&begun).iter().map(|o| o.2).collect::<Vec<_>>(), [1, 0]);
    folder.run(&["worst", "--exhaustive", "-o", "all"]).expect(1);
    let of = |kind: &str| folder.json(&format!("all/worst-{kind}.json"))["exhaustive"].clone();
    let (c, python) = (of("c-source"), of("python"));
    assert_eq!((&c["inputs"], &c["ko"], &python["ko"]), (&python["inputs"], &1.into(), &0.into()), "{c} {python}");
}

/// Functions that take all inputs behind a pointer, and that give the result by one.
#[test]
fn the_branches_of_functions_with_pointers() {
    let folder = Folder::new();
    folder.write("sum.fpcore", "(FPCore (a b) :name \"sum\" :pre (and (<= 0 a 1) (<= 0 b 1)) (+ a b))");
    folder.write(
        "sum.c",
        "double all(const double *x) { return x[0] > x[1] ? x[0] + x[1] : x[1] + x[0]; }\n\
         double wrong(const double *x) { return x[0] > x[1] ? x[0] + x[1] : 0; }\n\
         int status(double a, double b, double *sum) { if (a < 0) return 1; *sum = a + b; return 0; }\n",
    );
    let entry = |name: &str, more: &str| {
        format!(
            "[[implementation]]\nspec = \"sum.fpcore\"\nname = \"{name}\"\nc-source = \"sum.c\"\nfn = \"{name}\"\n{more}"
        )
    };
    let toml = entry("all", "")
        + &entry("wrong", "signature = \"f64-array\"\n")
        + &entry("status", "signature = \"f64-status\"\n");
    folder.write("magneto.toml", toml);
    let run = folder.run(&["cover", "--no-native", "--evaluations", "3000", "--judged", "300", "-o", "out"]).expect(1);
    run.says(&["sum, status: the result is behind a pointer"]);
    assert_eq!(outcomes(&folder.json("out/covers.json")).iter().map(|o| o.2).collect::<Vec<_>>(), [0, 1, 0]);
    let counts = |name: &str| folder.json(&format!("out/sum-{name}/cover.json"))["branches"].as_array().unwrap().len();
    assert_eq!([counts("all"), counts("wrong"), counts("status")], [2, 2, 2]);
    // Both are what `check` runs.
    let checks = folder.run(&["check", "--json"]).expect(1).json();
    assert_eq!(outcomes(&checks).iter().map(|o| o.2).collect::<Vec<_>>(), [0, 1, 0]);
}

#[test]
fn the_branches_of_each_implementation() {
    let folder = devices();
    let branches = "{ if (v < 3) return 1 / (1 + exp((3.6 - v) / 0.08)); return 1";
    folder.write("src/bat.c", folder.read("src/bat.c").replacen("{ return 1", branches, 1));
    let cover = |more: &[&str]| {
        let some = ["cover", "--evaluations", "2000", "--judged", "500", "--no-native"];
        let all: Vec<&str> = some.into_iter().chain(FEW).chain(more.iter().copied()).collect();
        folder.run(&all)
    };
    // The model is in Python, which is left out, and that is told.
    let run = cover(&["-o", "out", "--lcov", "c.lcov"]).expect(1);
    let run = run.says(&["`cover` takes no implementations of this kind: charge, model"]);
    assert!(run.out.contains("1 of 2 implementations passed\n"), "{}", run.out);
    let document = folder.json("out/covers.json");
    let expected = [("mach".to_owned(), "target".to_owned(), 1), ("charge".to_owned(), "target".to_owned(), 0)];
    assert_eq!(outcomes(&document), expected);
    assert!(document["implementations"][0]["counts"]["wrong"].as_u64().unwrap() > 0);
    for file in ["mach/cover.json", "mach/report.html", "charge/tests.csv"] {
        assert!(folder.path(&format!("out/{file}")).exists(), "{file}");
    }
    let lcov = folder.read("c.lcov");
    assert!(lcov.contains("SF:src/bat.c") && lcov.contains("BRF:2\nBRH:2"), "{lcov}");
    for part in ["1/2", "2/2"] {
        cover(&["-q", "-o", &part.replace('/', "-"), "--shard", part]).expect(0);
    }
    folder.run(&["merge", "1-2", "2-2", "-o", "merged"]).expect(1);
    for file in ["covers.json", "mach/cover.json", "charge/cover.csv"] {
        assert_eq!(folder.read(&format!("out/{file}")), folder.read(&format!("merged/{file}")), "{file}");
    }
    folder.run(&["cover", "src/adc.c"]).expect(2).says(&["no function of src/adc.c is named", "--fn NAME says which"]);
}

/// What `check` found stays beside a specification whose tests are the same, and it is told where it goes.
#[test]
fn results_stay_with_the_tests_that_they_are_about() {
    let folder = Folder::new();
    let spec = |name: &str, factor: &str| {
        format!("(FPCore (x) :name \"{name}\" :pre (<= 1 x 2) :magneto-rel-error 1e-9 (* {factor} x))")
    };
    folder.write("a.fpcore", spec("a", "2")).write("b.fpcore", spec("b", "3"));
    folder.write("magneto.toml", "[[implementation]]\nspec = \"*.fpcore\"\nexec = \"cat\"\n");
    let make = || folder.run(&["gen", "a.fpcore", "b.fpcore", "--operators", "constant"]).expect(0);
    make();
    folder.run(&["check", "-o", "magneto.out", "-q"]).expect(1);
    let before = folder.read("magneto.out/a/check.json");
    folder.run(&["report", "magneto.out", "--format", "record"]).expect(0);
    folder.run(&["check", "-o", "magneto.out"]).expect(1).says(&["record.html shows earlier results from now on"]);
    std::fs::remove_file(folder.path("magneto.out/record.html")).unwrap();
    folder.write("b.fpcore", spec("b", "5"));
    make().says(&["removed, since they are about earlier tests: ", "magneto.out/b/check.json"]);
    assert_eq!(folder.read("magneto.out/a/check.json"), before);
    assert!(!folder.path("magneto.out/b/check.json").exists());
    // Nothing changed: all stays.
    folder.run(&["check", "-o", "magneto.out", "-q"]).expect(1);
    assert!(!make().err.contains("removed, since"));
    assert!(folder.path("magneto.out/b/check.json").exists());
}
