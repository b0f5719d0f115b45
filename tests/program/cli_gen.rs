//! `magneto gen`: its files, its gates, and that they do not depend on the number of threads.

use crate::cli_support;
use crate::cli_support::{Folder, SMALL};
use magneto::num::float::{hex, rational};
use magneto::spec::{Overrides, parse_file, parse_rational, resolve};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Stdio;

/// Rows of a table by the names of its columns.
fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(Result::unwrap).collect()
}

fn header(text: &str) -> &str {
    text.lines().next().unwrap()
}

#[test]
fn files_and_columns() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL);
    let ended = folder.run(&["gen", "f.fpcore", "-o", "out"]).expect(0);
    for text in ["small [REQ-1]: accuracy relative 1e-9", "mutants", "rigorous score", "paper score", "out/"] {
        assert!(ended.out.contains(text), "{}", ended.out);
    }
    assert_eq!(
        header(&folder.read("out/tests.csv")),
        "test_id,x,x_dec,y,y_dec,lo,lo_dec,hi,hi_dec,expected,expected_dec,kills,origin,inner_lo,inner_hi,reason"
    );
    assert_eq!(
        header(&folder.read("out/mutants.csv")),
        "id,operator,objective,line,column,before,after,status,killed_by,margin,proof,reason,same_as,subsumed_by"
    );
    assert!(!folder.path("out/trace.csv").exists());
    assert!(!folder.path("out/resume.json").exists());

    let (tests, mutants) = (rows(&folder.read("out/tests.csv")), rows(&folder.read("out/mutants.csv")));
    let (tests_json, mutants_json) = (folder.json("out/tests.json"), folder.json("out/mutants.json"));
    assert_eq!(tests_json["tests"].as_array().unwrap().len(), tests.len());
    for (row, json) in mutants.iter().zip(mutants_json["mutants"].as_array().unwrap()) {
        for key in
            ["id", "operator", "objective", "before", "after", "status", "killed_by", "margin", "proof", "reason"]
        {
            assert_eq!(row[key], json[key].as_str().unwrap_or_default(), "{key}");
        }
        match row["status"].as_str() {
            "killed" => assert!(!row["killed_by"].is_empty() && !row["margin"].is_empty()),
            "probable" => assert!(!row["killed_by"].is_empty() && row["margin"].is_empty()),
            "undecided" => assert!(!row["reason"].is_empty()),
            _ => assert!(row["killed_by"].is_empty() && !row["proof"].is_empty()),
        }
        // The mutant is a specification of its own.
        let file = parse_file(json["fpcore"].as_str().unwrap().as_bytes());
        assert!(resolve(&file, 0, "m", &Overrides::default()).is_ok(), "{json}");
    }
    // The matrix has all kills; who refers to it names the first test of a mutant, and counts.
    let matrix = cli_support::matrix(&folder.path("out"));
    assert!(matrix.iter().map(|t| &t["test_id"]).eq(tests.iter().map(|t| &t["test_id"])));
    for m in mutants.iter().filter(|m| m["status"] == "killed") {
        let first = matrix.iter().find(|t| t[&m["id"]] == "KO").unwrap();
        assert_eq!(first["test_id"], m["killed_by"]);
    }
    for (row, (test, json)) in matrix.iter().zip(tests.iter().zip(tests_json["tests"].as_array().unwrap())) {
        let count = |word: &str| row.values().filter(|c| *c == word).count();
        assert_eq!((test["kills"].parse(), json["kills"].as_u64()), (Ok(count("KO")), Some(count("KO") as u64)));
        assert_eq!(json["probable"], count("PROBABLE"));
    }
    // Every mutant is traced with every test that kills it.
    let trace = rows(&folder.run(&["report", "out", "--format", "trace", "-o", "-"]).expect(0).out);
    let kills = matrix.iter().flat_map(|t| t.values()).filter(|c| ["killed", "probable"].contains(&c.as_str()));
    assert_eq!(kills.count(), trace.iter().filter(|t| ["KO", "PROBABLE"].contains(&t["verdict"].as_str())).count());
    assert!(mutants.iter().all(|m| trace.iter().any(|t| t["mutant"] == m["id"] && t["requirement"] == "REQ-1")));

    let summary = folder.json("out/summary.json");
    let count = |key: &str| summary["scores"][key].as_u64().unwrap() as usize;
    assert_eq!(count("mutants"), mutants.len());
    assert_eq!(count("killed"), mutants.iter().filter(|m| m["status"] == "killed").count());
    assert_eq!(folder.json("out/manifest.json")["wall_clock_limit_hit"], false);
}

/// Minimal mutants by their definition, from the files of runs alone.
#[test]
fn minimal_mutants_stand_for_all_killed_ones() {
    let airflow = concat!(env!("CARGO_MANIFEST_DIR"), "/specs/airflow.fpcore");
    for more in [&[][..], &["--minimize"], &["--boundary"]] {
        let folder = Folder::new();
        let ended = folder.run(&[&["gen", airflow, "-o", "out"], more].concat()).expect(0);
        let (matrix, mutants) = (cli_support::matrix(&folder.path("out")), rows(&folder.read("out/mutants.csv")));
        let killers = |id: &str| -> BTreeSet<&str> {
            matrix.iter().filter(|t| t[id] == "KO").map(|t| t["test_id"].as_str()).collect()
        };
        let killed: Vec<(&str, BTreeSet<&str>, &str)> = mutants
            .iter()
            .filter(|m| m["status"] == "killed")
            .map(|m| (m["id"].as_str(), killers(&m["id"]), m["subsumed_by"].as_str()))
            .collect();
        let first = |of: &BTreeSet<&str>| killed.iter().position(|k| k.1 == *of);
        let is_minimal = |k: usize| {
            let (_, tests, _) = &killed[k];
            first(tests) == Some(k) && killed.iter().all(|o| o.1 == *tests || !o.1.is_subset(tests))
        };
        let minimal: Vec<usize> = (0..killed.len()).filter(|k| is_minimal(*k)).collect();
        for (k, (id, tests, by)) in killed.iter().enumerate() {
            let stands = minimal.iter().find(|m| killed[**m].1.is_subset(tests)).unwrap();
            assert_eq!(*by, if *stands == k { "" } else { killed[*stands].0 }, "{id}");
        }
        assert!(mutants.iter().all(|m| m["status"] == "killed" || m["subsumed_by"].is_empty()));
        assert!(minimal.len() > 1 && minimal.len() < killed.len() / 10, "{} of {}", minimal.len(), killed.len());
        assert_eq!(folder.json("out/summary.json")["minimal"], minimal.len());
        let line = format!("minimal             {} mutants stand for all {} killed ones", minimal.len(), killed.len());
        assert!(ended.out.contains(&line), "no `{line}` in {}", ended.out);
        for (id, said) in [
            (killed[minimal[0]].0, "  minimal   yes".to_owned()),
            (killed[killed.len() - 1].0, format!("every test of the run that kills {}", killed[killed.len() - 1].2)),
        ] {
            let text = folder.run(&["explain", airflow, id, "--from", "out"]).expect(0).out;
            assert!(text.contains(&said), "no `{said}` in {text}");
        }
    }
}

#[test]
fn numbers_round_trip() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL);
    folder.run(&["gen", "f.fpcore", "-o", "out", "--operators", "constant,binary"]).expect(0);
    let tests = rows(&folder.read("out/tests.csv"));
    assert!(!tests.is_empty());
    let number = |text: &str, dec: &str| {
        let x: f64 = dec.parse().unwrap();
        assert_eq!(parse_rational(text).unwrap(), rational(x));
        assert_eq!(hex(x), text);
        x
    };
    for t in &tests {
        let [x, y, lo, hi, expected] =
            ["x", "y", "lo", "hi", "expected"].map(|k| number(&t[k], &t[&format!("{k}_dec")]));
        assert!(lo <= expected && expected <= hi);
        // The oracle at the input says the same, and judges its ends.
        let at = format!("x={},y={}", t["x"], t["y"]);
        let ask = |value: f64| folder.run(&["oracle", "f.fpcore", "--at", &at, "--json", "--value", &hex(value)]);
        let json = ask(lo).expect(0).json();
        assert_eq!((json["lo"].as_str().unwrap(), json["hi"].as_str().unwrap()), (&*t["lo"], &*t["hi"]));
        ask(hi).expect(0);
        ask(hi.next_up()).expect(1);
        ask(lo.next_down()).expect(1);
        assert!((1.0..=4.0).contains(&x) && (0.5..=2.0).contains(&y));
    }
}

#[test]
fn threads_do_not_matter() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL);
    folder.write("g.fpcore", format!("{SMALL}(FPCore (a b) :name \"small\" :pre (and (<= 1 a 2) (<= 1 b 2)) (/ a b))"));
    for (name, specs) in [("one", &["f.fpcore"][..]), ("many", &["g.fpcore", "f.fpcore"][..])] {
        let run = |jobs: &str| {
            let out = format!("{name}-{jobs}");
            folder.run(&[&["gen", "--budget", "200", "--jobs", jobs, "-o", &out], specs].concat()).expect(0);
            folder.files(&out)
        };
        let (one, two) = (run("1"), run("2"));
        assert_eq!(one.iter().map(|f| &f.0).collect::<Vec<_>>(), two.iter().map(|f| &f.0).collect::<Vec<_>>());
        assert!(one == two);
        assert!(one == run("1"));
    }
    let run = folder.json("many-1/summary.json");
    let parts = run["specifications"].as_array().unwrap();
    let folders: Vec<&str> = parts.iter().map(|p| p["folder"].as_str().unwrap()).collect();
    assert_eq!(folders, ["small", "small-2", "small-3"]);
    assert!(folder.path("many-1/small-3/tests.csv").exists());
}

#[test]
fn gates() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL);
    let run = |more: &[&str]| {
        folder.run(&[&["gen", "f.fpcore", "-o", "out", "--operators", "constant,accuracy"][..], more].concat())
    };
    run(&["--min-score", "1"]).expect(0);
    run(&["--min-score", "1", "--score", "paper"]).expect(1).says(&["the paper score is below --min-score for small"]);
    run(&["--fail-on", "undecided"]).expect(0);
    // The files are there all the same.
    assert!(folder.path("out/summary.json").exists());
    // exp - exp with two different spellings that no rule knows is undecided within one box.
    folder.write(
        "hard.fpcore",
        "(FPCore (x) :name \"hard\" :pre (<= 0.1 x 3) :magneto-rel-error 1e-9 (+ (* (sin x) (sin x)) (* 1 (* (cos x) (cos x)))))",
    );
    let hard = ["gen", "hard.fpcore", "-o", "hard", "--budget", "1", "--json"];
    let json = folder.run(&hard).expect(0).json();
    let undecided = json["specifications"][0]["summary"]["scores"]["undecided"].as_u64().unwrap();
    let code = if undecided > 0 { 3 } else { 0 };
    folder.run(&[&hard[..], &["--fail-on", "undecided"]].concat()).expect(code);
}

#[test]
fn standard_input_and_defaults() {
    use std::io::Write as _;
    let folder = Folder::new();
    let text = "(FPCore (lo hi) :precision binary32 :pre (and (<= 0 lo 1) (<= 2 hi 3)) (- hi lo))";
    let mut command = folder.command(&["gen", "-", "--operators", "binary,bounds"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let ended = cli_support::Ended::new(&child.wait_with_output().unwrap()).expect(0);
    assert!(ended.out.contains("stdin#1: accuracy 4 ulps of binary32"), "{}", ended.out);
    assert!(ended.out.contains("states no accuracy; this is the default"), "{}", ended.out);
    let tests = folder.read("magneto.out/tests.csv");
    assert!(header(&tests).starts_with("test_id,input.lo,input.lo_dec,input.hi,input.hi_dec,lo,lo_dec,"));
    assert!(rows(&tests).iter().any(|t| t["expected"] == "reject" && t["lo"].is_empty()));
    let manifest = folder.json("magneto.out/manifest.json");
    assert_eq!(manifest["specification"]["accuracy_is_default"], true);
    assert_eq!(manifest["specification"]["inputs"][0]["column"], "input.lo");
}

#[test]
fn minimizing_keeps_the_kills() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL);
    folder.run(&["gen", "f.fpcore", "-o", "all", "--budget", "100"]).expect(0);
    folder.run(&["gen", "f.fpcore", "-o", "few", "--budget", "100", "--minimize"]).expect(0);
    let (all, few) = (folder.json("all/summary.json"), folder.json("few/summary.json"));
    assert_eq!(all["scores"], few["scores"]);
    assert!(few["tests"].as_u64() <= all["tests"].as_u64());
}

#[test]
fn json_and_quiet() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL);
    let base = ["gen", "f.fpcore", "--operators", "constant", "-o", "out"];
    let json = folder.run(&[&base[..], &["--json"]].concat()).expect(0);
    assert_eq!(json.json()["schema"], "magneto/gen/1");
    assert_eq!(json.err, "");
    let quiet = folder.run(&[&base[..], &["-q"]].concat()).expect(0);
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), ("", ""));
    for (name, bytes) in folder.files("out") {
        if name.ends_with(".json") {
            let document: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
            assert!(document["schema"].as_str().unwrap().starts_with("magneto/"), "{name}");
        }
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL);
    let mut command = folder.command(&["mutants", "f.fpcore", "--diff"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let ended = cli_support::Ended::new(&child.wait_with_output().unwrap()).expect(0);
    assert_eq!(ended.err, "");
}
