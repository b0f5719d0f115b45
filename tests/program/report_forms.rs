//! A run as Stryker, SARIF, JUnit, CSV and trace: that the documents have the fields that the formats require, and that
//! nothing looks better in them than it is.

use crate::cli_support;
use crate::cli_support::{Folder, SMALL};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// What a field must be.
enum Is {
    Text,
    /// From this on.
    Whole(u64),
    OneOf(&'static [&'static str]),
    /// Each item.
    List(Box<Is>),
    /// Each value, whatever its key.
    Map(Box<Is>),
    /// Fields that must be there, fields that may.
    Object(Vec<(&'static str, Is)>, Vec<(&'static str, Is)>),
}
use Is::{List, Map, Object, OneOf, Text, Whole};

/// Panics with the path where a document is not what it must be.
fn must(value: &Value, is: &Is, path: &str) {
    match is {
        Text => assert!(value.is_string(), "{path}: {value}"),
        Whole(least) => assert!(value.as_u64().is_some_and(|n| n >= *least), "{path}: {value}"),
        OneOf(all) => assert!(value.as_str().is_some_and(|v| all.contains(&v)), "{path}: {value}"),
        List(item) => {
            let items = value.as_array().unwrap_or_else(|| panic!("{path}: {value}"));
            items.iter().enumerate().for_each(|(k, v)| must(v, item, &format!("{path}[{k}]")));
        }
        Map(item) => {
            let items = value.as_object().unwrap_or_else(|| panic!("{path}: {value}"));
            items.iter().for_each(|(k, v)| must(v, item, &format!("{path}.{k}")));
        }
        Object(needed, free) => {
            let items = value.as_object().unwrap_or_else(|| panic!("{path}: {value}"));
            needed.iter().for_each(|(k, _)| assert!(items.contains_key(*k), "{path} lacks {k}"));
            for (key, v) in items {
                let is = needed.iter().chain(free).find(|(k, _)| k == key);
                must(v, &is.unwrap_or_else(|| panic!("{path}: unknown {key}")).1, &format!("{path}.{key}"));
            }
        }
    }
}

fn list(is: Is) -> Is {
    List(Box::new(is))
}

fn map(is: Is) -> Is {
    Map(Box::new(is))
}

/// What of Stryker's schema (2.x) is written.
fn stryker() -> Is {
    let position = || Object(vec![("line", Whole(1)), ("column", Whole(1))], vec![]);
    let location = Object(vec![("start", position()), ("end", position())], vec![]);
    let status = &["Killed", "Survived", "NoCoverage", "CompileError", "RuntimeError", "Timeout", "Ignored", "Pending"];
    let mutant = Object(
        vec![("id", Text), ("mutatorName", Text), ("location", location), ("status", OneOf(status))],
        vec![
            ("description", Text),
            ("replacement", Text),
            ("statusReason", Text),
            ("killedBy", list(Text)),
            ("coveredBy", list(Text)),
        ],
    );
    let file = Object(vec![("language", Text), ("source", Text), ("mutants", list(mutant))], vec![]);
    let test = Object(vec![("id", Text), ("name", Text)], vec![]);
    Object(
        vec![
            ("schemaVersion", OneOf(&["2.0"])),
            ("thresholds", Object(vec![("high", Whole(0)), ("low", Whole(0))], vec![])),
            ("files", map(file)),
        ],
        vec![
            ("testFiles", map(Object(vec![("tests", list(test))], vec![]))),
            ("framework", Object(vec![("name", Text)], vec![("version", Text)])),
        ],
    )
}

/// What of SARIF 2.1.0 is written.
fn sarif() -> Is {
    let message = || Object(vec![("text", Text)], vec![]);
    let artifact = || Object(vec![("uri", Text)], vec![]);
    let level = || OneOf(&["none", "note", "warning", "error"]);
    let rule = Object(
        vec![("id", Text)],
        vec![
            ("name", Text),
            ("shortDescription", message()),
            ("fullDescription", message()),
            ("help", message()),
            ("defaultConfiguration", Object(vec![("level", level())], vec![])),
            ("properties", Object(vec![], vec![("tags", list(Text))])),
        ],
    );
    let one = || Whole(1);
    let region = vec![("startLine", one()), ("startColumn", one()), ("endLine", one()), ("endColumn", one())];
    let physical = Object(vec![("artifactLocation", artifact()), ("region", Object(region, vec![]))], vec![]);
    let logical = Object(vec![], vec![("name", Text), ("kind", Text)]);
    let place = Object(vec![], vec![("physicalLocation", physical), ("logicalLocations", list(logical))]);
    let suppression = Object(
        vec![("kind", OneOf(&["inSource", "external"]))],
        vec![("status", OneOf(&["accepted", "underReview", "rejected"])), ("justification", Text)],
    );
    let result = Object(
        vec![("message", message())],
        vec![
            ("ruleId", Text),
            ("ruleIndex", Whole(0)),
            ("level", level()),
            ("locations", list(place)),
            ("fingerprints", map(Text)),
            ("properties", Object(vec![], vec![("requirement", Text)])),
            ("suppressions", list(suppression)),
        ],
    );
    let driver = Object(vec![("name", Text)], vec![("version", Text), ("rules", list(rule))]);
    let file = Object(vec![], vec![("location", artifact()), ("hashes", map(Text))]);
    let run = Object(
        vec![("tool", Object(vec![("driver", driver)], vec![]))],
        vec![
            ("columnKind", OneOf(&["utf16CodeUnits", "unicodeCodePoints"])),
            ("artifacts", list(file)),
            ("results", list(result)),
        ],
    );
    Object(vec![("version", OneOf(&["2.1.0"])), ("runs", list(run))], vec![("$schema", Text)])
}

/// A run with mutants of every kind: killed, probable, proved, undecided and accepted. The id of the accepted one.
fn ran(folder: &Folder) -> String {
    let specs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("specs");
    folder.write("rc.fpcore", std::fs::read(specs.join("rc-filter.fpcore")).unwrap()).write("small.fpcore", SMALL);
    let line = ["gen", "rc.fpcore", "small.fpcore", "--budget", "1"];
    folder.run(&line).expect(0);
    let rows = mutants(folder, "rc-filter");
    let id = rows.iter().find(|m| m["status"] == "undecided").unwrap()["id"].as_str().unwrap().to_owned();
    folder.run(&["accept", "rc.fpcore", &id, "--budget", "1", "--by", "P", "--reason", "because"]).expect(0);
    folder.run(&line).expect(0);
    id
}

fn mutants(folder: &Folder, name: &str) -> Vec<Value> {
    folder.json(&format!("magneto.out/{name}/mutants.json"))["mutants"].as_array().unwrap().clone()
}

fn report(folder: &Folder, format: &str, more: &[&str]) -> String {
    folder.run(&[&["report", "magneto.out", "--format", format, "-o", "-"], more].concat()).expect(0).out
}

fn table(text: &str) -> Vec<BTreeMap<String, String>> {
    csv::Reader::from_reader(text.as_bytes()).deserialize().map(Result::unwrap).collect()
}

#[test]
fn stryker_never_scores_more_than_the_rigorous_score() {
    let folder = Folder::new();
    let accepted = ran(&folder);
    let ended = folder.run(&["report", "magneto.out", "--format", "stryker"]).expect(0);
    assert!(ended.out.contains("stryker.json"));
    let mut document = folder.json("magneto.out/stryker.json");
    // Free-form by the schema.
    assert!(document.as_object_mut().unwrap().remove("config").unwrap().is_object());
    must(&document, &stryker(), "$");

    let tests: Vec<&str> = document["testFiles"]
        .as_object()
        .unwrap()
        .values()
        .flat_map(|f| f["tests"].as_array().unwrap())
        .map(|t| t["id"].as_str().unwrap())
        .collect();
    assert_eq!(tests.iter().collect::<HashSet<_>>().len(), tests.len());
    for (name, file) in [("rc-filter", "rc.fpcore"), ("small", "small.fpcore")] {
        let there = &document["files"][file];
        assert_eq!(there["source"], folder.read(file));
        let rows = there["mutants"].as_array().unwrap();
        let ours = mutants(&folder, name);
        assert_eq!(rows.len(), ours.len());
        let (mut killed, mut survived) = (0, 0);
        for (row, own) in rows.iter().zip(&ours) {
            let status = row["status"].as_str().unwrap();
            let own_status = own["status"].as_str().unwrap();
            assert_eq!(status == "Killed", own_status == "killed", "{row}");
            assert_eq!(status == "Survived", own_status == "undecided", "{row}");
            assert_eq!(row["id"], format!("{name}/{}", own["id"].as_str().unwrap()));
            assert_eq!(row["replacement"], own["after"]);
            assert_eq!(row["location"]["start"]["line"], own["line"]);
            killed += usize::from(status == "Killed");
            survived += usize::from(status == "Survived");
            if status == "Killed" {
                let by: Vec<&str> = row["killedBy"].as_array().unwrap().iter().map(|t| t.as_str().unwrap()).collect();
                assert!(!by.is_empty() && by.iter().all(|t| tests.contains(t)), "{row}");
            } else {
                assert!(row.get("killedBy").is_none() && row["statusReason"].is_string(), "{row}");
            }
            if own["id"] == accepted.as_str() {
                assert_eq!((status, &row["statusReason"]), ("Ignored", &Value::from("accepted by P: because")));
            }
            if own_status == "equivalent" {
                assert!(row["statusReason"].as_str().unwrap().contains(own["proof"].as_str().unwrap()));
            }
        }
        let scores = &folder.json(&format!("magneto.out/{name}/summary.json"))["scores"]["rigorous"];
        let [part, whole] = ["part", "whole"].map(|k| scores[k].as_u64().unwrap() as usize);
        assert!(killed == part && killed + survived >= whole, "{killed} {survived} {scores}");
    }
    assert!(
        document["files"]["small.fpcore"]["mutants"]
            .as_array()
            .unwrap()
            .iter()
            .any(|m| { m["statusReason"].as_str().is_some_and(|r| r.starts_with("probable: ")) })
    );
}

#[test]
fn a_mutants_place_is_the_text_that_it_changes() {
    let folder = Folder::new();
    folder.write("f.fpcore", "; Größe\n(FPCore (x)\n :name \"ä\" :pre (<= 1 x 2) (+ x\n  (sqrt x)))\n");
    folder.run(&["gen", "f.fpcore"]).expect(0);
    let document: Value = serde_json::from_str(&report(&folder, "stryker", &[])).unwrap();
    let lines: Vec<Vec<char>> = folder.read("f.fpcore").lines().map(|l| l.chars().collect()).collect();
    let rows = folder.json("magneto.out/mutants.json")["mutants"].as_array().unwrap().clone();
    let mut compared = 0;
    for (m, own) in document["files"]["f.fpcore"]["mutants"].as_array().unwrap().iter().zip(&rows) {
        let at = |end: &str, what: &str| m["location"][end][what].as_u64().unwrap() as usize - 1;
        if at("start", "line") == at("end", "line") && own["operator"] == "unary" {
            let text: String = lines[at("start", "line")][at("start", "column")..at("end", "column")].iter().collect();
            assert_eq!(text, own["before"].as_str().unwrap());
            compared += 1;
        }
    }
    assert!(compared > 0);
}

#[test]
fn sarif_has_what_lives() {
    let folder = Folder::new();
    let accepted = ran(&folder);
    let mut document: Value =
        serde_json::from_str(&report(&folder, "sarif", &["--source-folder", "my specs/"])).unwrap();
    let run = &mut document["runs"][0];
    let calls = run.as_object_mut().unwrap().remove("invocations").unwrap();
    assert_eq!(calls[0]["executionSuccessful"], true);
    must(&document, &sarif(), "$");
    let run = &document["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    let own: Vec<Value> = [mutants(&folder, "rc-filter"), mutants(&folder, "small")].concat();
    let lives = |m: &&Value| ["undecided", "probable", "accepted"].contains(&m["status"].as_str().unwrap());
    assert_eq!(results.len(), own.iter().filter(lives).count());
    let mut ids = HashSet::new();
    for (result, own) in results.iter().zip(own.iter().filter(lives)) {
        let id = result["fingerprints"]["magneto/mutant/v1"].as_str().unwrap();
        assert_eq!(id, own["id"]);
        assert!(ids.insert(id));
        assert_eq!(result["level"], if own["status"] == "probable" { "note" } else { "warning" });
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!((&rule["id"], &result["ruleId"]), (&own["operator"], &own["operator"]));
        assert_eq!(result.get("suppressions").is_some(), id == accepted);
        let uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
        assert!(uri == "my%20specs/rc.fpcore" || uri == "my%20specs/small.fpcore", "{uri}");
    }
    assert!(ids.contains(accepted.as_str()));
}

#[test]
fn junit_fails_where_the_run_failed() {
    let folder = Folder::new();
    let accepted = ran(&folder);
    let text = report(&folder, "junit", &[]);
    assert!(text.contains(r#"failures="0""#) && !text.contains("<failure") && !text.contains("<error"), "{text}");
    assert!(text.contains("rigorous score") && text.contains(&accepted) && text.contains("accepted by P: because"));
    let undecided = mutants(&folder, "rc-filter").iter().filter(|m| m["status"] == "undecided").count();
    assert!(undecided > 0);
    assert_eq!(text.matches("<skipped").count(), undecided + 1);

    let gates = ["--min-score", "1", "--fail-on", "undecided"];
    folder.run(&[&["gen", "rc.fpcore", "small.fpcore", "--budget", "1"], &gates[..]].concat()).expect(1);
    let text = report(&folder, "junit", &[]);
    assert_eq!(text.matches("<failure").count(), undecided + 1, "{text}");
    assert!(text.contains("is below 1"), "{text}");
}

#[test]
fn csv_adds_up() {
    let folder = Folder::new();
    ran(&folder);
    let rows = table(&report(&folder, "csv", &[]));
    let number = |row: &BTreeMap<String, String>| row["mutants"].parse::<u64>().unwrap();
    for name in ["rc-filter", "small"] {
        let scores = folder.json(&format!("magneto.out/{name}/summary.json"))["scores"].clone();
        for status in ["killed", "probable", "equivalent", "indistinguishable", "undecided", "accepted"] {
            let of = rows.iter().filter(|r| r["specification"] == name && r["status"] == status);
            assert_eq!(of.map(number).sum::<u64>(), scores[status].as_u64().unwrap(), "{name} {status}");
        }
    }
}

#[test]
fn traces_list_gaps_and_an_implementations_verdicts() {
    let folder = Folder::new();
    let f = "(FPCore (x) :name \"f\" :pre (<= 1 x 2) :magneto-req \"R\" :magneto-rel-error 1e-9 (* x 0.1))\n";
    let g = "(FPCore (x) :name \"g\" :pre (<= 0 x 1) :magneto-req \"Q\" :magneto-rel-error 1e-9 (sqrt x))\n";
    let h = "(FPCore (x) :name \"h\" :pre (<= 1 x 2) :magneto-req \"R\" :magneto-rel-error 1e-9 (+ x 1))\n";
    folder.write("all.fpcore", format!("{f}{g}{h}"));
    folder.run(&["gen", "all.fpcore", "--boundary"]).expect(0);
    let before = table(&report(&folder, "trace", &[]));
    assert!(before.iter().all(|r| r["implementation"].is_empty()));
    // Both specifications of a requirement stand together, each with all its mutants.
    let order: Vec<&str> = before.iter().map(|r| r["specification"].as_str()).collect();
    let mut distinct = order.clone();
    distinct.dedup();
    assert_eq!(distinct, ["f", "h", "g"]);
    for (name, requirement) in [("f", "R"), ("h", "R"), ("g", "Q")] {
        let own = mutants(&folder, name);
        let tests = folder.json(&format!("magneto.out/{name}/tests.json"))["tests"].as_array().unwrap().clone();
        let of: Vec<_> = before.iter().filter(|r| r["specification"] == name).collect();
        assert!(of.iter().all(|r| r["requirement"] == requirement));
        let matrix = cli_support::matrix(&folder.path(&format!("magneto.out/{name}")));
        for m in &own {
            let rows: Vec<_> = of.iter().filter(|r| m["id"] == r["mutant"].as_str()).collect();
            let id = m["id"].as_str().unwrap();
            let by = matrix.iter().filter(|t| ["KO", "PROBABLE"].contains(&t[id].as_str())).count();
            assert_eq!(rows.len(), by.max(1));
            assert!(by > 0 || (rows[0]["verdict"] == m["status"].as_str().unwrap() && !rows[0]["reason"].is_empty()));
        }
        let idle = tests.iter().filter(|t| t["kills"] == 0 && t["probable"] == 0);
        let rows = of.iter().filter(|r| r["verdict"] == "kills nothing");
        assert!(idle.map(|t| t["id"].as_str().unwrap()).eq(rows.map(|r| r["test"].as_str())));
    }
    assert!(before.iter().any(|r| r["verdict"] == "kills nothing"));

    let tests = table(&folder.read("magneto.out/f/tests.csv"));
    let answers: String = tests.iter().map(|t| format!("{},0x0p+0\n", t["test_id"])).collect();
    folder.write("answers.csv", format!("test_id,result\n{answers}"));
    let line = ["check", "all.fpcore:f", "magneto.out/f/tests.csv", "--results", "answers.csv", "-o", "magneto.out/f"];
    folder.run(&line).expect(1);
    let after = table(&report(&folder, "trace", &[]));
    for row in after.iter().filter(|r| !r["test"].is_empty()) {
        assert_eq!(row["implementation"], if row["specification"] == "f" { "KO" } else { "" }, "{row:?}");
    }
}

#[test]
fn a_requirement_without_a_test_is_a_gap() {
    let folder = Folder::new();
    // No mutant of the one operator can be killed: there is no variable but one.
    let spec = "(FPCore (x) :name \"f\" :pre (<= 1 x 2) :magneto-req \"R\" :magneto-rel-error 1e-9 (sqrt x))\n";
    folder.write("f.fpcore", spec);
    folder.run(&["gen", "f.fpcore", "--operators", "variable"]).expect(0);
    let rows = table(&report(&folder, "trace", &[]));
    assert!(rows.iter().any(|r| r["verdict"] == "no test" && r["requirement"] == "R"), "{rows:?}");
}

#[test]
fn folders_that_are_no_runs() {
    let folder = Folder::new();
    folder.write("a/x", "");
    folder.run(&["report", "a", "--format", "csv"]).expect(2).says(&["no output folder of a run"]);
    folder.write("f.fpcore", SMALL);
    folder.run(&["gen", "f.fpcore"]).expect(0);
    folder.write("magneto.out/source.fpcore", "other");
    folder
        .run(&["report", "magneto.out", "--format", "sarif"])
        .expect(2)
        .says(&["magneto.out/source.fpcore is not of the run that magneto.out/manifest.json describes"]);
}

/// Specifications of one name, and files of one name in several folders: one valid file has all of them, and tells them apart.
#[test]
fn many_specifications_are_told_apart() {
    let folder = Folder::new();
    let hard = "(FPCore (x y) :name \"hard\" :pre (and (<= 1 x 2) (<= 1 y 2)) :magneto-rel-error 1e-3
       (/ (- (sqrt (+ x 1)) (sin (* x y))) (+ 1 (exp (- x y)))))";
    for (file, text) in [("a", hard.to_owned()), ("b", hard.to_owned()), ("c", hard.replace("1e-3", "1e-4"))] {
        folder.write(&format!("lib/{file}/f.fpcore"), text);
    }
    folder.write("lib/small.fpcore", SMALL);
    folder.run(&["gen", "lib", "--operators", "evaluation,unary", "--budget", "1", "--no-proofs"]).expect(0);
    let undecided = |name: &str| mutants(&folder, name).iter().filter(|m| m["status"] == "undecided").count();
    let each = ["hard", "hard-2", "hard-3", "small"].map(undecided);
    assert!(each[..3].iter().all(|n| *n > 0), "{each:?}");
    let junit = report(&folder, "junit", &[]);
    for name in ["hard (hard)", "hard (hard-2)", "hard (hard-3)", "small [REQ-1]"] {
        assert_eq!(junit.matches(&format!("<testsuite name=\"{name}\"")).count(), 1, "{name}: {junit}");
    }
    assert_eq!(junit.matches("<testsuites ").count(), 1);
    assert_eq!(junit.matches("<skipped").count(), each.iter().sum::<usize>());
    let places = |more: &[&str]| -> BTreeMap<String, usize> {
        let document: Value = serde_json::from_str(&report(&folder, "sarif", more)).unwrap();
        let run = &document["runs"][0];
        let results = run["results"].as_array().unwrap();
        let marks: HashSet<&str> =
            results.iter().map(|r| r["fingerprints"]["magneto/mutant/v1"].as_str().unwrap()).collect();
        assert_eq!(marks.len(), results.len());
        let mut counts = BTreeMap::new();
        for result in results {
            let at = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
            *counts.entry(at.as_str().unwrap().to_owned()).or_default() += 1;
        }
        let files: Vec<&str> =
            run["artifacts"].as_array().unwrap().iter().map(|a| a["location"]["uri"].as_str().unwrap()).collect();
        assert!(counts.keys().all(|file| files.contains(&file.as_str())), "{files:?}");
        counts
    };
    // Where the sources are known each result is at its own file.
    let found = places(&["--source-folder", "lib"]);
    let own = |name: &str| found.get(name).copied().unwrap_or_default();
    assert_eq!(["a", "b", "c"].map(|f| own(&format!("lib/{f}/f.fpcore"))), each[..3], "{found:?}");
    // Where they are not, other texts are other files.
    assert_eq!(places(&[])["hard-3/f.fpcore"], each[2]);
    assert_eq!(places(&["--source-folder", "gone"])["gone/hard-3/f.fpcore"], each[2]);
}

/// A folder of `cover` has its page anew from its documents alone.
#[test]
fn a_folder_of_cover_is_reported() {
    let folder = Folder::new();
    let module = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/code/modules/angle.wasm");
    folder.write("angle.wasm", std::fs::read(module).unwrap());
    let cover = ["cover", "angle.wasm", "--evaluations", "300"];
    folder.run(&[&cover[..], &["--fn", "step", "-o", "one", "-q"]].concat()).expect(0);
    folder.run(&[&cover[..], &["--fn", "step", "--fn", "wrapped", "-o", "two", "-q"]].concat()).expect(0);
    for (dir, pages) in
        [("one", &["one/report.html"][..]), ("two", &["two/step/report.html", "two/wrapped/report.html"])]
    {
        let written: Vec<String> = pages.iter().map(|page| folder.read(page)).collect();
        pages.iter().for_each(|page| std::fs::remove_file(folder.path(page)).unwrap());
        folder.run(&["report", dir, "-q"]).expect(0);
        // Several pages have an index, and lead back to it.
        let back = if dir == "two" { r#"<p class="back"><a href="../index.html">All results</a></p>"# } else { "" };
        let again = pages.iter().map(|page| folder.read(page));
        assert!(again.clone().all(|page| page.contains(back)), "{dir}");
        assert!(again.map(|page| page.replace(back, "")).eq(written), "{dir}");
    }
}
