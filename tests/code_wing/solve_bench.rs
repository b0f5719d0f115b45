//! `magneto bench solve`: Magneto beside other solvers, which are shell scripts here.

use crate::cli_support::{Folder, assert_rows_fit};

/// A folder with two families, and `said.sh`, a solver that says its first argument of each script.
fn scripts() -> Folder {
    let folder = Folder::new();
    let script = |status: &str, formula: &str| {
        format!("(set-info :status {status})(declare-const x Float32)(assert {formula})(check-sat)")
    };
    folder
        .write("all/one/sat.smt2", script("sat", "(fp.isZero x)"))
        .write("all/one/unsat.smt2", script("unsat", "(fp.lt x x)"))
        .write("all/two/deep/unknown.smt2", script("unknown", "(fp.isNaN x)"))
        .write("all/two/deep/note.txt", "no script")
        .write("all/two/twice.smt2", "(check-sat)(set-info :status unsat)(assert false)(check-sat)")
        .write("all/refused.smt2", "(declare-const s String)(check-sat)")
        .write("said.sh", "[ \"$1\" = --version ] || printf \"$1\"\n");
    folder
}

fn count(document: &serde_json::Value, family: Option<&str>, solver: &str, what: &str) -> u64 {
    let is_it = |t: &&serde_json::Value| t["family"].as_str() == family && t["solver"] == solver;
    document["totals"].as_array().unwrap().iter().find(is_it).unwrap()[what].as_u64().unwrap()
}

#[test]
fn bench_solve_needs_no_other_solver() {
    let folder = scripts();
    let document = folder.run(&["bench", "solve", "all", "--alone", "--json"]).expect(0).json();
    assert_eq!(document["schema"], "magneto/bench-solve/1");
    assert_eq!(document["solvers"].as_array().unwrap().len(), 1);
    assert_eq!(document["solvers"][0]["command"], serde_json::json!(["magneto", "solve"]));
    let of = |family, what| count(&document, family, "magneto", what);
    assert_eq!((of(None, "files"), of(None, "decided"), of(None, "refused"), of(None, "wrong")), (5, 4, 1, 0));
    assert_eq!((of(Some("one"), "files"), of(Some("two"), "decided"), of(Some("two/deep"), "decided")), (2, 1, 1));
    let refused = document["scripts"].as_array().unwrap().iter().find(|s| s["file"] == "refused.smt2").unwrap();
    assert!(refused["runs"][0]["said"].as_str().unwrap().contains("refused.smt2:1:18"), "{refused}");
    let text = folder.run(&["bench", "solve", "all", "--alone", "--jobs", "2"]).expect(0).out;
    assert_eq!(text.lines().count(), 6, "{text}");
    // A folder without any, or that is not there.
    folder.run(&["bench", "solve", ".", "--alone"]).expect(0);
    folder.write("none/x.txt", "").run(&["bench", "solve", "none"]).expect(2).says(&["no .smt2 files"]);
    folder.run(&["bench", "solve", "absent"]).expect(2).says(&["absent"]);
}

#[test]
fn solvers_that_contradict_each_other_are_told() {
    let folder = scripts();
    let run = |said: &str, more: &[&str]| {
        let solver = format!("other=sh said.sh '{said}'");
        folder.run(&[&["bench", "solve", "all", "--alone", "--solver", &solver], more].concat())
    };
    // It agrees as far as it is known, and says of nothing that it is wrong.
    let document = run("unknown\\nunknown\\n", &["--json"]).expect(0).json();
    assert_eq!(count(&document, None, "other", "unknown"), 5);
    let ended = run("sat\\nunsat\\n", &["-o", "out"]).expect(1).prints(&[
        "other is wrong about one/unsat.smt2\n",
        "solvers contradict each other about one/unsat.smt2, (check-sat) 1: magneto unsat, other sat\n",
    ]);
    assert_eq!(ended.out.matches("contradict").count(), 1, "{}", ended.out);
    let manifest = folder.json("out/manifest.json");
    assert_eq!(manifest["contradictions"][0]["file"], "one/unsat.smt2");
    for file in ["README.md", "families.csv", "scripts.csv"] {
        assert_rows_fit(file, &folder.read(&format!("out/{file}")));
    }
    // Its own results may be replaced, nobody else's.
    run("unknown\\nunknown\\n", &["-o", "out", "--quiet"]).expect(0);
    run("sat", &["-o", "all"]).expect(2);
    // What stands behind an error is an answer to another question.
    let document = run("(error \"no\")\\nsat\\nsat\\n", &["--json"]).expect(0).json();
    assert_eq!(count(&document, None, "other", "refused"), 5);
    folder.run(&["bench", "solve", "all", "--solver", "other"]).expect(2).says(&["NAME=COMMAND"]);
    folder.run(&["bench", "solve", "all", "--solver", "other=/no/such/program"]).expect(2).says(&["no such program"]);
}

#[test]
fn a_solver_that_takes_too_long_is_killed() {
    let folder = scripts();
    folder.write("late.sh", "[ \"$1\" = --version ] || { echo sat; echo unsat; sleep 1000; }\n");
    let arguments =
        ["bench", "solve", "all/one", "--alone", "--solver", "other=sh late.sh", "--timeout", "1", "--json"];
    let document = folder.run(&arguments).expect(0).json();
    assert_eq!((count(&document, Some("."), "other", "late"), count(&document, Some("."), "other", "decided")), (2, 0));
}

#[test]
fn parts_of_a_bench_of_solvers_are_put_together() {
    let folder = scripts();
    let answers = |document: &serde_json::Value| {
        let scripts = document["scripts"].as_array().unwrap();
        scripts.iter().map(|s| (s["file"].to_string(), s["runs"][0]["answers"].to_string())).collect::<Vec<_>>()
    };
    let common = ["bench", "solve", "all", "--alone"];
    let whole = folder.run(&[&common[..], &["--json"]].concat()).expect(0).json();
    for part in ["1", "2"] {
        let shard = format!("{part}/2");
        folder.run(&[&common[..], &["--shard", &shard, "-o", part]].concat()).expect(0);
    }
    folder.run(&["merge", "1", "2", "-o", "merged"]).expect(0);
    assert_eq!(answers(&folder.json("merged/manifest.json")), answers(&whole));
}
