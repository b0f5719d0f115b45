//! `magneto eval`: what a suite kills, what it misses, and what it expects wrongly.

use crate::cli_support;
use crate::cli_support::{Folder, SMALL};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

fn specs() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("specs")
}

/// The small specification with what it owes outside of its domain.
fn stated() -> String {
    SMALL.replace(":magneto-rel-error", ":magneto-out-of-range reject\n  :magneto-rel-error")
}

/// The rows of a table by column.
fn table(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(|r| r.unwrap()).collect()
}

#[test]
fn what_gen_wrote_misses_nothing() {
    let folder = Folder::new();
    folder.write("s.fpcore", SMALL);
    folder.run(&["gen", "s.fpcore", "-q"]).expect(0);
    let summary = folder.json("magneto.out/summary.json");
    for tests in ["magneto.out", "magneto.out/tests.csv", "magneto.out/tests.json"] {
        let json = folder.run(&["eval", "s.fpcore", tests, "--json"]).expect(0).json();
        assert_eq!(json["missed"], 0, "{tests}");
        assert_eq!(json["scores"], summary["scores"], "{tests}");
        let all = &json["minimal"];
        assert_eq!((&all["part"], &all["whole"]), (&summary["minimal"], &summary["minimal"]), "{tests}");
        assert_eq!(json["tests"]["wrong_expectations"], 0, "{tests}");
        assert_eq!(json["tests"]["all"], summary["tests"], "{tests}");
        assert_eq!(json["tests"]["with_expectations"], summary["tests"], "{tests}");
    }
}

#[test]
fn an_evaluation_has_a_page() {
    let folder = Folder::new();
    folder.write("s.fpcore", SMALL);
    folder.run(&["gen", "s.fpcore", "-q"]).expect(0);
    let tests = folder.read("magneto.out/tests.csv");
    let first: Vec<&str> = tests.lines().take(2).collect();
    folder.write("t.csv", first.join("\n"));
    folder.run(&["eval", "s.fpcore", "t.csv", "--suggest", "-o", "e", "-q"]).expect(0);
    let json = folder.json("e/eval.json");
    let missed: Vec<&Value> =
        json["mutants"].as_array().unwrap().iter().filter(|m| m["standing"] == "missed").collect();
    assert!(!missed.is_empty());
    folder.run(&["report", "e"]).expect(0);
    let page = folder.read("e/report.html");
    for m in &missed {
        assert!(page.contains(&format!("<code>{}</code>", m["id"].as_str().unwrap())));
    }
    let counts = format!("{} mutants are missed that a test can kill", missed.len());
    assert!(page.contains(&counts) || missed.len() == 1, "{counts}");
    assert!(!page.contains("<script"));
    // The other forms are of a run.
    folder.run(&["report", "e", "--format", "junit"]).expect(2).says(&["no output folder of a run"]);
    folder.write("e/eval.json", "{}");
    folder.run(&["report", "e"]).expect(2).says(&["eval.json"]);
}

#[test]
fn all_kills_are_those_of_the_matrix() {
    for name in ["airflow", "sinc", "ray-sphere"] {
        let folder = Folder::new();
        let spec = specs().join(format!("{name}.fpcore"));
        let spec = spec.to_str().unwrap();
        folder.run(&["gen", spec, "-q", "--boundary"]).expect(0);
        folder.run(&["eval", spec, "magneto.out", "--matrix", "-o", "e", "-q"]).expect(0);
        let open: BTreeSet<String> = folder.json("e/eval.json")["mutants"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|m| m["proof"].is_null())
            .map(|m| m["id"].as_str().unwrap().to_owned())
            .collect();
        let matrix = cli_support::matrix(&folder.path("magneto.out"));
        let found = table(&folder.read("e/eval-matrix.csv"));
        assert_eq!(matrix.len(), found.len());
        for (row, found) in matrix.iter().zip(&found) {
            assert_eq!(row["test_id"], found["test_id"]);
            for (cell, column) in [("KO", "kills"), ("PROBABLE", "probable")] {
                let wanted: BTreeSet<&str> =
                    row.iter().filter(|(m, c)| *c == cell && open.contains(*m)).map(|(m, _)| m.as_str()).collect();
                let found: BTreeSet<&str> = found[column].split_whitespace().collect();
                assert_eq!(wanted, found, "{name} {}", row["test_id"]);
            }
        }
    }
}

#[test]
fn the_minimal_score_is_not_inflated_by_easy_mutants() {
    // One input kills almost all that a wrong formula can be, and no bound.
    let folder = Folder::new();
    folder.write("s.fpcore", SMALL).write("t.csv", "x,y\n2.3,1.7\n");
    let ended = folder.run(&["eval", "s.fpcore", "t.csv", "-o", "e"]).expect(0);
    let json = folder.json("e/eval.json");
    let share = |v: &Value| v["score"].as_str().unwrap().parse::<f64>().unwrap();
    let (rigorous, minimal) = (share(&json["scores"]["rigorous"]), share(&json["minimal"]));
    assert!(rigorous > 0.5 && minimal < 0.2, "{rigorous} {minimal}");
    assert!(ended.out.contains("\n  minimal score       0.") && ended.out.contains("\n    functional alone  "));
    let objectives = json["minimal"]["objectives"].as_object().unwrap();
    assert_eq!(objectives.keys().collect::<Vec<_>>(), ["functional", "precision", "robustness"]);
    // The minimal ones of all, counted in the table of mutants: killable, and subsumed by none.
    let rows = table(&folder.read("e/eval.csv"));
    let minimal = |standing: &str| {
        let some = rows.iter().filter(|r| r["subsumed_by"].is_empty() && r["operator"] != "accuracy");
        some.filter(|r| r["standing"] == standing).count() as u64
    };
    let count = |key: &str| json["minimal"][key].as_u64().unwrap();
    assert_eq!((minimal("killed"), minimal("missed")), (count("part"), count("whole") - count("part")));
}

#[test]
fn suggested_tests_close_the_gap() {
    let folder = Folder::new();
    folder.write("s.fpcore", SMALL).write("t.csv", "x,y\n2,1\n");
    let json = folder.run(&["eval", "s.fpcore", "t.csv", "--suggest", "-o", "e", "--json"]).expect(0).json();
    let missed = json["missed"].as_u64().unwrap();
    assert!(missed > 0);
    let of = |s: &Value| s["kills"].as_array().unwrap().len() as u64;
    assert_eq!(json["suggested"].as_array().unwrap().iter().map(of).sum::<u64>(), missed);
    let mut text = String::from("x,y,lo,hi,expected\n2,1,,,\n");
    for row in table(&folder.read("e/suggested.csv")) {
        text += &["x", "y", "lo", "hi", "expected"].map(|c| row[c].as_str()).join(",");
        text.push('\n');
    }
    folder.write("more.csv", text);
    let json = folder.run(&["eval", "s.fpcore", "more.csv", "--json"]).expect(0).json();
    assert_eq!(json["missed"], 0);
    let standing = table(&folder.read("e/eval.csv")).iter().filter(|r| r["standing"] == "missed").count();
    assert_eq!(standing as u64, missed);
}

#[test]
fn completed_tests_miss_nothing_and_redundant_ones_can_go() {
    let folder = Folder::new();
    // The second test is the first once more; the third lets everything pass.
    folder
        .write("s.fpcore", SMALL)
        .write("t.csv", "name,x,y,expected,abs_tol\na,2,1,1.2,1e-9\nb,2,1,,\nc,2,1,1.2,100\n");
    let arguments = ["eval", "s.fpcore", "t.csv", "--complete", "all.csv", "--json"];
    // Its tolerance takes wrong results for right.
    let json = folder.run(&arguments).expect(1).json();
    let redundant: Vec<&str> =
        json["completion"]["redundant"].as_array().unwrap().iter().map(|t| t["test"].as_str().unwrap()).collect();
    assert_eq!(redundant, ["b", "c"]);
    assert!(json["missed"].as_u64().unwrap() > 0 && json["completion"]["missed_at"]["x"].is_object());
    let after = folder.run(&["eval", "s.fpcore", "all.csv", "--json"]).expect(1).json();
    let tests = &after["tests"];
    assert_eq!((&after["missed"], &tests["wrong_expectations"]), (&0.into(), &tests["loose_tolerances"]));
    assert_eq!((&tests["loose_tolerances"], &after["wrong"][0]["test"]), (&1.into(), &"c".into()));
    let rows = table(&folder.read("all.csv"));
    assert_eq!(rows[0]["test_id"], "a");
    assert!(rows[3]["reason"].starts_with("kills ") && rows[3]["origin"] == "added", "{rows:?}");
    // Alone, the test with the wide tolerance kills by its input and lets mutants pass.
    folder.write("wide.csv", "x,y,expected,abs_tol\n2,1,1.2,100\n");
    let wide = folder.run(&["eval", "s.fpcore", "wide.csv", "--complete", "w.csv", "--json"]).expect(1).json();
    assert!(!wide["completion"]["let_pass"].as_array().unwrap().is_empty());
    assert!(json["completion"]["let_pass"].as_array().unwrap().is_empty());
    folder.run(&["eval", "s.fpcore", "t.csv", "--complete", "t.csv"]).expect(2);
}

#[test]
fn tolerances_are_judged_in_either_spelling() {
    let folder = Folder::new();
    folder
        .write("s.fpcore", SMALL)
        .write("interval.csv", "x,y,lo,hi\n2,1,0.7,1.7\n")
        .write("tolerance.csv", "x,y,expected,abs_tol\n2,1,1.2,0.5\n");
    let text = |file: &str| folder.run(&["eval", "s.fpcore", file]).expect(1).out;
    let [interval, tolerance] = ["interval.csv", "tolerance.csv"].map(|file| {
        let ended = folder.run(&["eval", "s.fpcore", file, "--json"]);
        let json = ended.json();
        ended.expect(1).says(&["1 test in", "takes wrong results for right"]);
        assert!(text(file).contains("  with own tolerances "), "{file}");
        assert!(text(file).contains("(1.7)], up to 0.417 relative off; right results: ["), "{}", text(file));
        json
    });
    assert_eq!(interval["tolerances"], tolerance["tolerances"]);
    assert_eq!(interval["tolerances"]["loose"], 1);
    let let_pass: Vec<&str> =
        interval["tolerances"]["let_pass"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
    assert!(!let_pass.is_empty());
    // The score by inputs is another one, and what is let pass is what lies between.
    let (rigorous, own) = (&interval["scores"]["rigorous"]["part"], &interval["tolerances"]["rigorous"]["part"]);
    assert_eq!(rigorous.as_u64().unwrap() - own.as_u64().unwrap(), let_pass.len() as u64);
    // What passes is no mutant that a test without the tolerance would be needed for: each is killed by the input.
    for m in interval["mutants"].as_array().unwrap() {
        assert!(!let_pass.contains(&m["id"].as_str().unwrap()) || m["standing"] == "killed", "{m}");
    }
    // A second test that is strict catches what the first lets pass.
    folder.write("both.csv", "x,y,expected,abs_tol\n2,1,1.2,0.5\n2,1,1.2,1e-9\n");
    let both = folder.run(&["eval", "s.fpcore", "both.csv", "--json"]).expect(1).json();
    assert_eq!(both["tolerances"]["let_pass"].as_array().unwrap().len(), 0);
    // A tight tolerance fails nothing.
    folder.write("tight.csv", "x,y,expected,abs_tol\n2,1,1.2,1e-10\n");
    assert_eq!(folder.run(&["eval", "s.fpcore", "tight.csv", "--json"]).expect(0).json()["tolerances"]["loose"], 0);
}

#[test]
fn a_wrong_expectation_says_how_far_it_is_off() {
    let folder = Folder::new();
    // f(2, 1) = 1.2.
    folder.write("s.fpcore", SMALL).write("t.csv", "x,y,expected,abs_tol\n2,1,1.201,\n2,1,-1.2,\n2,1,1.2,0.5\n");
    let json = folder.run(&["eval", "s.fpcore", "t.csv", "--json"]).expect(1).json();
    let off: Vec<&Value> = json["wrong"].as_array().unwrap().iter().map(|w| &w["off"]).collect();
    assert_eq!(off, ["off by 8.33e-4 relative", "off by 2.000 relative", "up to 0.417 relative off"]);
    let ended = folder.run(&["eval", "s.fpcore", "t.csv"]).expect(1);
    assert!(ended.out.contains("off by 8.33e-4 relative; right results: ["), "{}", ended.out);
}

#[test]
fn the_score_stands_last_and_parts_everyday_additions_from_extreme_ones() {
    let folder = Folder::new();
    let spec = "(FPCore (t) :name \"t\" :pre (<= -50 t 70) :magneto-rel-error 1e-9 (+ 3 (* t t)))";
    folder.write("s.fpcore", spec).write("t.csv", "t\n1\n");
    let ended = folder.run(&["eval", "s.fpcore", "t.csv", "--complete", "all.csv", "-o", "e"]).expect(0);
    let json = folder.json("e/eval.json");
    let suggested = json["suggested"].as_array().unwrap();
    let size = |s: &Value| {
        let text = s["inputs"]["t"].as_str().unwrap();
        magneto::testfile::input_number(text, magneto::floats::Format::BINARY64).unwrap().0.abs()
    };
    let (everyday, extreme): (Vec<&Value>, Vec<&Value>) = suggested.iter().partition(|s| s["everyday"] == true);
    assert!(!everyday.is_empty() && !extreme.is_empty(), "{suggested:?}");
    assert!(everyday.iter().all(|s| size(s) == 0.0 || size(s) >= 1e-6));
    assert!(extreme.iter().all(|s| size(s) > 0.0 && size(s) < 1e-6));
    let part = |v: &Value| v["part"].as_u64().unwrap();
    let (before, after) = (part(&json["scores"]["rigorous"]), &json["after"]);
    assert!(before < part(&after["everyday"]) && part(&after["everyday"]) < part(&after["all"]), "{after}");
    assert_eq!(part(&after["all"]), after["all"]["whole"].as_u64().unwrap());
    let last: Vec<&str> = ended.out.lines().rev().take(3).collect();
    assert!(
        last[0].starts_with("    with all ") && last[2].starts_with("    of the tests as they are"),
        "{}",
        ended.out
    );
    if suggested.len() > 10 {
        assert!(ended.out.contains(" more in all.csv"), "{}", ended.out);
    }
    // The everyday ones alone, judged as tests of their own, have the score that is told.
    let rows = table(&folder.read("all.csv"));
    let some = rows.iter().filter(|r| r["origin"] != "added-extreme").map(|r| format!("{}\n", r["t"]));
    folder.write("some.csv", format!("t\n{}", some.collect::<String>()));
    let json = folder.run(&["eval", "s.fpcore", "some.csv", "--json"]).expect(0).json();
    assert_eq!(json["scores"]["rigorous"]["part"], after["everyday"]["part"]);
}

#[test]
fn wrong_expectations_fail_the_run_and_show_the_right_interval() {
    let folder = Folder::new();
    // f(2, 1) = 1.2, within 1e-9.
    folder.write("s.fpcore", stated());
    let wrong = |rows: &str| {
        folder.write("t.csv", format!("x,y,lo,hi,expected\n{rows}"));
        let ended = folder.run(&["eval", "s.fpcore", "t.csv", "--json"]);
        let json = ended.json();
        let n = json["tests"]["wrong_expectations"].as_u64().unwrap();
        ended.expect(i32::from(n > 0));
        (n, json["wrong"].as_array().unwrap().clone())
    };
    for right in [
        "2,1,,,1.2\n",
        "2,1,,,1.2000000011\n",
        "2,1,1.1999999989,1.2000000011,\n",
        "2,1,1.19999999999,1.20000000001,1.2\n",
        "2,1,0,,\n",
        "2,1,,2,\n",
        "9,1,,,reject\n",
        // NaN is how a plain function refuses.
        "9,1,,,nan\n",
    ] {
        assert_eq!(wrong(right).0, 0, "{right}");
    }
    for bad in [
        "2,1,,,1.21\n",
        "2,1,,,1.2000000013\n",
        "2,1,,,inf\n",
        "2,1,,,nan\n",
        "2,1,,,reject\n",
        "2,1,1.1,1.3,\n",
        "2,1,1.3,,\n",
        "2,1,,1.1,\n",
        "9,1,,,1.9\n",
        "9,1,,,saturate\n",
        "9,1,1,2,\n",
    ] {
        assert_eq!(wrong(bad).0, 1, "{bad}");
    }
    let (n, list) = wrong("2,1,,,1.2\n2,1,,,1.3\n9,1,,,1.9\n");
    assert_eq!(n, 2);
    assert_eq!((list[0]["line"].as_u64(), list[1]["line"].as_u64()), (Some(3), Some(4)));
    let right = list[0]["right"].as_str().unwrap();
    assert!(right.contains("(1.1999999988)") && right.contains("(1.2000000011999998)"), "{right}");
    assert!(list[1]["right"].as_str().unwrap().contains("reject"));
    let ended = folder.run(&["eval", "s.fpcore", "t.csv"]).expect(1);
    assert!(ended.out.contains("t.csv:3: #2: expects") && ended.out.contains("right results: ["), "{}", ended.out);
    ended.says(&["2 expectations in t.csv are wrong"]);
}

/// `eval` and `check` take an unwritten response alike: it is told, and fails nothing.
#[test]
fn an_unwritten_response_fails_nothing() {
    let folder = Folder::new();
    folder.write("s.fpcore", SMALL).write("w.fpcore", stated()).write("t.csv", "x,y,expected\n2,1,1.2\n9,1,1.9\n");
    folder.write("f.py", "def small(x, y):\n    return 0.1 * x + y ** 0.5\n");
    let json = folder.run(&["eval", "s.fpcore", "t.csv", "--json"]).expect(0).json();
    assert_eq!((&json["tests"]["wrong_expectations"], &json["tests"]["waived_expectations"]), (&0.into(), &1.into()));
    assert!(
        folder.run(&["eval", "s.fpcore", "t.csv"]).expect(0).out.contains("expectations outside that fail nothing 1")
    );
    folder.run(&["eval", "w.fpcore", "t.csv"]).expect(1).says(&["1 expectation in t.csv is wrong"]);
    let checked = folder.run(&["check", "s.fpcore", "t.csv", "--python", "f.py:small"]).expect(0);
    checked.says(&["#2 (line 3): the file expects a result", "writes no :magneto-out-of-range"]);
    folder.run(&["check", "w.fpcore", "t.csv", "--python", "f.py:small"]).expect(2);
}

#[test]
fn junit_has_a_failure_for_each_gap() {
    let folder = Folder::new();
    folder.write("s.fpcore", SMALL).write("t.csv", "x,y,expected\n2,1,1.2\n2,1,1.3\n");
    let arguments = ["eval", "s.fpcore", "t.csv", "--junit", "e.xml", "--json"];
    let missed = folder.run(&arguments).expect(1).json()["missed"].as_u64().unwrap();
    let xml = folder.read("e.xml");
    assert_eq!(xml.matches("<failure ").count() as u64, missed + 1, "{xml}");
    assert!(
        xml.contains("name=\"small [REQ-1] constant\"") && xml.contains("#2 (line 3)") && xml.contains("would"),
        "{xml}"
    );
}

#[test]
fn gates() {
    let folder = Folder::new();
    folder.write("s.fpcore", SMALL).write("t.csv", "x,y\n2,1\n");
    folder.run(&["eval", "s.fpcore", "t.csv", "--min-score", "1"]).expect(1).says(&["below --min-score"]);
    folder.run(&["eval", "s.fpcore", "t.csv", "--min-score", "0.1"]).expect(0);
    folder.run(&["eval", "s.fpcore", "t.csv", "--min-score", "0.99", "--score", "paper"]).expect(1);
    // Without a search some mutants stay undecided.
    let floor = "(FPCore (x) :name \"f\" :pre (<= 0 x 1000) :magneto-rel-error 1e-6 (fmod x 3.7))";
    folder.write("f.fpcore", floor).write("f.csv", "x\n1\n");
    let arguments = ["eval", "f.fpcore", "f.csv", "--budget", "1", "--fail-on", "undecided", "--json"];
    let ended = folder.run(&arguments);
    let undecided = ended.json()["scores"]["undecided"].as_u64().unwrap();
    ended.expect(if undecided > 0 { 3 } else { 0 });
    folder.run(&[&arguments[..6], &["nothing"]].concat()).expect(0);
}

#[test]
fn long_suites_do_not_depend_on_batches_and_threads() {
    let folder = Folder::new();
    let row = |k: u64| {
        let mixed = k.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 11;
        let (x, y) = (1.0 + (mixed % 4001) as f64 / 1000.0, 0.5 + (mixed / 4001 % 1500) as f64 / 1000.0);
        format!("{x},{y},{}\n", 0.1 * x + y.sqrt())
    };
    // The first tests are in a corner, where little is killed.
    let dull = "1,1,1.1\n".repeat(9000);
    let text: String = (0..9000).map(row).collect();
    folder.write("s.fpcore", stated()).write("t.csv", format!("x,y,expected\n{dull}{text}"));
    let one = folder.run(&["eval", "s.fpcore", "t.csv", "--json", "--jobs", "1"]);
    let three = folder.run(&["eval", "s.fpcore", "t.csv", "--json", "--jobs", "3"]);
    assert_eq!(one.out, three.out);
    let json = one.json();
    assert_eq!(json["tests"]["all"], 18000);
    // x reaches beyond 4: outside, where the file wrongly expects results.
    let (inside, outside) = (json["tests"]["inside"].as_u64().unwrap(), json["tests"]["outside"].as_u64().unwrap());
    assert!(outside > 1000 && inside + outside == 18000);
    assert_eq!(json["tests"]["wrong_expectations"], outside);
    assert!(json["wrong"].as_array().unwrap().len() <= 50);
    // The same kills as of the lines that killed first, alone.
    let killers: BTreeSet<u64> =
        json["mutants"].as_array().unwrap().iter().filter_map(|m| m["test_line"].as_u64()).collect();
    assert_eq!(json["tests"]["first_to_kill"], killers.len());
    let all: Vec<String> = folder.read("t.csv").lines().map(str::to_owned).collect();
    let some: String = killers.iter().map(|l| format!("{}\n", all[*l as usize - 1])).collect();
    folder.write("few.csv", format!("x,y,expected\n{some}"));
    let few = folder.run(&["eval", "s.fpcore", "few.csv", "--json"]).json();
    assert_eq!(few["scores"], json["scores"]);
}

#[test]
fn mistakes_in_files() {
    let folder = Folder::new();
    folder.write("s.fpcore", SMALL).write("t.csv", "x,y\n1,2\noops,2\n1,\"1,500\"\n").write("u.csv", "x\n1\n");
    folder.run(&["eval", "s.fpcore", "t.csv"]).expect(2).says(&[
        "t.csv:3:1: `x`",
        "t.csv:4:4: `1,500`",
        "hint: write a dec",
    ]);
    let json = folder.run(&["eval", "s.fpcore", "u.csv", "--json"]).expect(2).json();
    assert!(json["errors"][0].as_str().unwrap().contains("u.csv:1:1: there is no column `y`"));
    folder.run(&["eval", "s.fpcore", "none.csv"]).expect(2).says(&["cannot read none.csv"]);
    folder.run(&["eval", "s.fpcore", "."]).expect(2);
    folder.run(&["eval", "s.fpcore"]).expect(2);
    folder.run(&["eval", "s.fpcore", "u.csv", "--matrix"]).expect(2).says(&["--output"]);
}

#[test]
fn boundary_tests_are_those_a_reviewer_expects() {
    let folder = Folder::new();
    let spec = "(FPCore (x y) :name \"kink\" :pre (and (<= -3 x 5) (<= 1/2 y 2)) :magneto-rel-error 1e-10
        :magneto-abs-error 1e-12 (+ (fmax (fabs (- x 0.3)) (* y x)) (if (< x 1.7) (floor (/ x 2)) y)))";
    folder.write("k.fpcore", spec);
    folder.run(&["gen", "k.fpcore", "--boundary", "-q"]).expect(0);
    let all = table(&folder.read("magneto.out/tests.csv"));
    let boundary: Vec<_> = all.iter().filter(|t| t["origin"] == "boundary").collect();
    let has = |x: &str, y: &str, reason: &str, outside: bool| {
        let found = boundary.iter().any(|t| {
            t["x"] == x && t["y"] == y && t["reason"].contains(reason) && (t["expected"] == "reject") == outside
        });
        assert!(found, "{x} {y} {reason}");
    };
    has("-0x1.8p+1", "0x1.4p+0", "x at the low end", false);
    has("-0x1.8000000000001p+1", "0x1.4p+0", "below its range", true);
    has("0x1.3ffffffffffffp+2", "0x1.4p+0", "below the high end", false);
    has("0x1.4000000000001p+2", "0x1.4p+0", "above its range", true);
    has("0x1p+0", "0x1.fffffffffffffp-2", "y one number below its range", true);
    has("-0x0p+0", "0x1.4p+0", "x is -0", false);
    has("0x0.0000000000001p-1022", "0x1.4p+0", "smallest subnormal", false);
    // The numbers on the two sides of 1.7 and of 0.3, which are no binary64 numbers themselves.
    has("0x1.b333333333333p+0", "0x1.4p+0", "just before a condition", false);
    has("0x1.b333333333334p+0", "0x1.4p+0", "where a condition", false);
    has("0x1.3333333333333p-2", "0x1.4p+0", "just before the argument of fabs", false);
    has("0x1.fffffffffffffp+0", "0x1.4p+0", "just before floor", false);
    has("0x1p+1", "0x1.4p+0", "where floor", false);
    // They are tests like any other: they have a row in the matrix, and --minimize keeps them.
    assert_eq!(cli_support::matrix(&folder.path("magneto.out")).len(), all.len());
    folder.run(&["gen", "k.fpcore", "--boundary", "--minimize", "-q", "-o", "m"]).expect(0);
    let kept = table(&folder.read("m/tests.csv"));
    assert_eq!(kept.iter().filter(|t| t["origin"] == "boundary").count(), boundary.len());
    assert!(kept.len() <= all.len());
    assert_eq!(folder.json("m/summary.json")["scores"], folder.json("magneto.out/summary.json")["scores"]);
    // Every test says why it is there.
    assert!(all.iter().all(|t| !t["reason"].is_empty()));
    folder.run(&["gen", "k.fpcore", "-q", "-o", "n"]).expect(0);
    assert!(table(&folder.read("n/tests.csv")).iter().all(|t| t["origin"] != "boundary"));
}

#[test]
fn boundary_values_are_values_of_the_format() {
    let folder = Folder::new();
    let spec = "(FPCore (x) :name \"single\" :precision binary32 :pre (<= -2 x 1e30) :magneto-rel-error 1e-5 (fabs x))";
    folder.write("s.fpcore", spec);
    folder.run(&["gen", "s.fpcore", "--boundary", "-q"]).expect(0);
    let xs: Vec<f64> =
        table(&folder.read("magneto.out/tests.csv")).iter().map(|t| t["x_dec"].parse().unwrap()).collect();
    assert!(xs.len() > 10 && xs.iter().all(|x| f64::from(*x as f32) == *x), "{xs:?}");
    assert!(xs.contains(&f64::from(f32::from_bits(1))) && xs.contains(&f64::from(f32::MIN_POSITIVE)));
}
