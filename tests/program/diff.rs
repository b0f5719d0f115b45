//! What changed between two versions of specifications, and between two runs.

use crate::cli_support::payloads;
use crate::cli_support::{Ended, Folder, SMALL, assert_rows_fit};
use serde_json::Value;

const FEW: [&str; 4] = ["--operators", "constant,bounds,accuracy,variable", "--budget", "60"];

fn run(folder: &Folder, file: &str, out: &str) {
    folder.run(&[&["gen", file, "-o", out, "--force", "-q"], &FEW[..]].concat()).expect(0);
}

fn diff(folder: &Folder, more: &[&str]) -> Value {
    folder.run(&[&["diff", "old", "new", "--json"], more].concat()).json()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a Vec<Value> {
    value[key].as_array().unwrap_or_else(|| panic!("no list {key} in {value}"))
}

#[test]
fn nothing_changed() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL);
    run(&folder, "f.fpcore", "old");
    run(&folder, "f.fpcore", "new");
    for (old, new) in [("old", "new"), ("f.fpcore", "f.fpcore"), ("old", "f.fpcore"), ("f.fpcore", "new")] {
        let same = folder.run(&["diff", old, new]).expect(0);
        assert_eq!(same.out, "nothing changed\n", "{old} {new}");
        let same = folder.run(&["diff", old, new, "--format", "markdown"]).expect(0);
        assert_eq!(same.out, "No specification changed.\n");
    }
    let gates = ["--fail-on", "lost-tests,lower-score"];
    folder.run(&[&["diff", "old", "new"], &gates[..]].concat()).expect(0);
}

/// Every part of a specification, changed alone, is what the comparison names, and nothing else is.
#[test]
fn each_edit_is_named() {
    let edits = [
        ("0.1", "0.25", "formula", "0.1", "0.25"),
        ("(* 0.1 x)", "(/ 0.1 x)", "formula", "(* 0.1 x)", "(/ 0.1 x)"),
        ("(sqrt y)", "(sqrt x)", "formula", "y", "x"),
        ("(<= 1 x 4)", "(<= 1 x 5)", "input x", "[1, 4] in binary64", "[1, 5] in binary64"),
        ("(<= 1 x 4)", "(<= 1 x 4) (< x y)", "condition", "", "(< x y)"),
        (":magneto-rel-error 1e-9", ":magneto-rel-error 1e-8", "accuracy", "relative 1e-9", "relative 1e-8"),
        ("REQ-1", "REQ-2", "requirement", "REQ-1", "REQ-2"),
        ("\"small\"", "\"large\"", "name", "small", "large"),
        (":magneto-req", ":magneto-out-of-range nan :magneto-req", "out of range", "reject", "nan"),
        (":magneto-req", ":precision binary32 :magneto-req", "result", "binary64", "binary32"),
    ];
    let folder = Folder::new();
    folder.write("old", "").write("a.fpcore", SMALL);
    for (from, to, what, before, after) in edits {
        assert!(SMALL.contains(from));
        folder.write("b.fpcore", SMALL.replace(from, to));
        let changed = folder.run(&["diff", "a.fpcore", "b.fpcore", "--json"]).expect(0).json();
        let [one] = &list(&changed, "specifications")[..] else { panic!("{changed}") };
        let named: Vec<&Value> = list(one, "edits").iter().filter(|e| e["what"] == what).collect();
        let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
        assert!(
            named.iter().any(|e| text(&e["before"]) == before && text(&e["after"]) == after),
            "{what}: {}",
            one["edits"]
        );
        // A precision is one of inputs as well.
        let others = list(one, "edits").iter().filter(|e| e["what"] != what).count();
        assert_eq!(others, if what == "result" { 2 } else { 0 }, "{}", one["edits"]);
        let said = folder.run(&["diff", "a.fpcore", "b.fpcore"]).expect(0).out;
        assert!(said.contains(what) && said.contains(after), "{said}");
    }
}

/// After a change of one constant: the mutants elsewhere are the same ones, the old tests ask for something else.
#[test]
fn runs_before_and_after_an_edit() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL);
    run(&folder, "f.fpcore", "old");
    folder.write("f.fpcore", SMALL.replace("0.1", "0.125").replace("(<= 1 x 4)", "(<= 2 x 4)"));
    run(&folder, "f.fpcore", "new");
    let document = diff(&folder, &[]);
    let one = &list(&document, "specifications")[0];
    assert_eq!(list(one, "edits").len(), 2, "{one}");

    // Mutants: every one of both sides is counted once.
    let ids = |run: &str| -> Vec<String> {
        let all = folder.json(&format!("{run}/mutants.json"));
        list(&all, "mutants").iter().map(|m| m["id"].as_str().unwrap().to_owned()).collect()
    };
    let (old, new) = (ids("old"), ids("new"));
    let count = |sets: &Value, key: &str| list(sets, key).len();
    let kept = one["mutants"]["kept"].as_u64().unwrap() as usize;
    assert_eq!(kept + count(&one["mutants"], "gone"), old.len());
    assert_eq!(kept + count(&one["mutants"], "added"), new.len());
    assert!(kept >= old.iter().filter(|id| new.contains(id)).count() && kept > 0, "{kept}");
    assert!(count(&one["mutants"], "added") > 0);

    // Tests, by their inputs.
    let tests = |run: &str| folder.json(&format!("{run}/tests.json"))["tests"].as_array().unwrap().clone();
    let (old, new) = (tests("old"), tests("new"));
    let gone = old.iter().filter(|t| new.iter().all(|n| n["inputs"] != t["inputs"])).count();
    assert_eq!(count(&one["tests"], "gone"), gone);
    assert_eq!(document["lost_tests"], gone);
    assert!(gone > 0);

    // What is owed at each old test is what `oracle` says of the new specification.
    let oracles = list(one, "oracles");
    assert!(!oracles.is_empty());
    let mut outside = 0;
    for test in &old {
        let changed = oracles.iter().find(|o| o["test"]["id"] == test["id"]);
        let at: Vec<String> =
            test["inputs"].as_object().unwrap().iter().map(|(n, x)| format!("{n}={}", x.as_str().unwrap())).collect();
        let owed = folder.run(&["oracle", "f.fpcore", "--at", &at.join(","), "--json"]).json();
        let now = match (owed["lo"].as_str(), owed["outside"].as_str()) {
            (Some(lo), None) => serde_json::json!({ "between": [lo, owed["hi"].as_str().unwrap()] }),
            _ => serde_json::json!({ "response": owed["owed"] }),
        };
        let was = match test["lo"].as_str() {
            Some(lo) => serde_json::json!({ "between": [lo, test["hi"].as_str().unwrap()] }),
            None => serde_json::json!({ "response": test["expected"] }),
        };
        match changed {
            Some(changed) => {
                assert_eq!(changed["before"], was);
                assert_eq!(changed["after"], now, "{owed}");
                outside += usize::from(was.get("between").is_some() && now.get("response").is_some());
            }
            None => assert_eq!(was, now, "{test}"),
        }
    }
    assert!(outside > 0, "no old test lies outside of the smaller domain");

    // The same for people, with both ranges.
    let said = folder.run(&["diff", "old", "new"]).expect(0).out;
    for text in
        ["0.1 -> 0.125", "input x", "old tests ask for something else now", "now         from ", "rigorous score"]
    {
        assert!(said.contains(text), "no `{text}` in\n{said}");
    }
    let markdown = folder.run(&["diff", "old", "new", "--format", "markdown"]).expect(0).out;
    for text in ["### small\n", "| formula | 0.1 | 0.125 |", "<details><summary>tests gone", "| rigorous score |"] {
        assert!(markdown.contains(text), "no `{text}` in\n{markdown}");
    }
    assert_rows_fit("diff.md", &markdown);
    folder.assert_rows_fit("old");
    let gate = |what: &str, code: i32| -> Ended { folder.run(&["diff", "old", "new", "--fail-on", what]).expect(code) };
    gate("lost-tests", 1).says(&["old tests are no tests any more"]);
    // Of a run and a file what is owed now is told as well.
    let file = folder.run(&["diff", "old", "f.fpcore", "--json"]).expect(0).json();
    assert_eq!(list(&list(&file, "specifications")[0], "oracles"), oracles);
    folder.run(&["diff", "old", "f.fpcore", "--fail-on", "lost-tests"]).expect(2).says(&["f.fpcore is no run"]);
}

/// A formula of which little is decided without proofs and a budget.
const HARD: &str = "(FPCore (x y) :name \"f\" :pre (and (<= 1 x 2) (<= 1 y 2)) :magneto-rel-error 1e-3
    (/ (- (sqrt (+ x 1)) (sin (* x y))) (+ 1 (exp (- x y)))))";
const OPERATORS: &str = "evaluation,unary";

/// Runs with other statuses, and a decision that no longer holds.
#[test]
fn statuses_scores_and_decisions() {
    let folder = Folder::new();
    folder.write("f.fpcore", HARD);
    let make = |out: &str, more: &[&str]| {
        folder.run(&[&["gen", "f.fpcore", "-o", out, "--operators", OPERATORS], more].concat()).expect(0);
    };
    make("good", &[]);
    make("bad", &["--budget", "1", "--no-proofs"]);
    let bad = folder.json("bad/mutants.json");
    let open: Vec<&str> = list(&bad, "mutants")
        .iter()
        .filter(|m| m["status"] == "undecided")
        .map(|m| m["id"].as_str().unwrap())
        .collect();
    let good = folder.json("good/mutants.json");
    let status = |id: &str| list(&good, "mutants").iter().find(|m| m["id"] == id).unwrap()["status"].clone();
    let decided: Vec<&&str> = open.iter().filter(|id| status(id) != "undecided").collect();
    assert!(!decided.is_empty(), "both runs decided the same");
    let document = folder.run(&["diff", "bad", "good", "--json"]).expect(0).json();
    let one = &list(&document, "specifications")[0];
    assert_eq!(list(one, "statuses").len(), decided.len());
    for became in list(one, "statuses") {
        assert_eq!(became["was"], "undecided");
        assert_eq!(became["mutant"]["status"], status(became["mutant"]["id"].as_str().unwrap()));
    }
    // A score that fell, and one that rose.
    let score = |run: &str| {
        folder.json(&format!("{run}/summary.json"))["scores"]["rigorous"]["score"]
            .as_str()
            .unwrap()
            .parse::<f64>()
            .unwrap()
    };
    assert!(score("bad") < score("good"));
    assert_eq!(one["scores"][0]["rigorous"]["score"], folder.json("bad/summary.json")["scores"]["rigorous"]["score"]);
    folder.run(&["diff", "bad", "good", "--fail-on", "lower-score"]).expect(0);
    let fell = folder.run(&["diff", "good", "bad", "--fail-on", "lower-score", "--json"]).expect(1);
    assert_eq!(fell.json()["lower_scores"][0], "f");
    fell.says(&["the rigorous score fell for f"]);

    folder
        .run(&[
            "accept",
            "f.fpcore",
            decided[0],
            "--by",
            "A",
            "--reason",
            "rare",
            "--operators",
            OPERATORS,
            "--budget",
            "1",
            "--no-proofs",
        ])
        .expect(0);
    make("bad", &["--budget", "1", "--no-proofs", "--force"]);
    let document = folder.run(&["diff", "bad", "good", "--json"]).expect(0).json();
    let decisions = list(&list(&document, "specifications")[0], "decisions");
    assert_eq!(decisions.len(), 1);
    assert_eq!(decisions[0]["mutant"]["id"], **decided[0]);
    assert_eq!(decisions[0]["now"], status(decided[0]));
    let said = folder.run(&["diff", "bad", "good"]).expect(0).out;
    assert!(said.contains("by A no longer holds") && said.contains("(was undecided)"), "{said}");
}

#[test]
fn specifications_come_and_go() {
    let folder = Folder::new();
    for (file, name) in [("v1/a", "a"), ("v1/b", "b"), ("v2/b", "b"), ("v2/c", "c")] {
        folder.write(&format!("{file}.fpcore"), SMALL.replace("small", name));
    }
    let said = folder.run(&["diff", "v1", "v2"]).expect(0).out;
    assert_eq!(said, "b: nothing changed\nc: added\na: gone\n");
    run(&folder, "v1", "old");
    run(&folder, "v2", "new");
    let document = diff(&folder, &["--fail-on", "lost-tests"]);
    assert_eq!((&document["added"][0], &document["gone"][0]), (&"c".into(), &"a".into()));
    let tests = folder.json("old/a/tests.json");
    assert_eq!(document["lost_tests"], list(&tests, "tests").len());
    assert_eq!(document["exit"], 1);
    folder.run(&["diff", "old", "nowhere"]).expect(2).says(&["cannot read nowhere"]);
    folder.write("new/b/tests.json", "{}");
    folder.run(&["diff", "old", "new"]).expect(2).says(&["new/b/tests.json is not of the run"]);
}

/// Names from elsewhere are text in Markdown, whatever they hold.
#[test]
fn hostile_names_are_text() {
    let folder = Folder::new();
    for payload in payloads::PAYLOADS {
        let name: String = payload.chars().filter(|c| !matches!(c, '"' | '\\')).collect();
        folder.write("a.fpcore", SMALL.replace("REQ-1", "R"));
        folder.write("b.fpcore", SMALL.replace("REQ-1", &name));
        let ended = folder.run(&["diff", "a.fpcore", "b.fpcore", "--format", "markdown"]);
        if ended.code != Some(0) {
            // A text that no specification may have.
            assert_eq!(ended.code, Some(2), "{}", ended.err);
            continue;
        }
        let rows: Vec<&str> = ended.out.lines().filter(|l| l.starts_with("| requirement |")).collect();
        let [row] = rows[..] else { panic!("{payload:?}: {}", ended.out) };
        assert_eq!(row.matches('|').count(), 4, "{row}");
        assert!(!row.contains(['<', '>', '`', '*', '[', '\\']), "{row}");
    }
}

/// A run is compared with an earlier one as it ends: where a score fell that fails it, if it is to.
#[test]
fn a_run_against_an_earlier_one() {
    let folder = Folder::new();
    folder.write("f.fpcore", HARD).write("g.fpcore", SMALL);
    let make = |out: &str, more: &[&str]| {
        folder.run(&[&["gen", "f.fpcore", "-o", out, "--force", "--operators", OPERATORS], more].concat())
    };
    let little = ["--budget", "1", "--no-proofs"];
    let with = |more: &[&'static str]| [&little[..], more].concat();
    make("good", &["-q"]).expect(0);
    let gate = ["--fail-on", "lower-score", "--against"];
    make("same", &[&gate[..], &["good"]].concat()).expect(0);
    let fell = make("bad", &with(&["--fail-on", "lower-score", "--against", "good"])).expect(1);
    fell.says(&["error: the rigorous score fell for f: 1.0000 (", " before, 0."]);
    assert!(folder.path("bad/summary.json").exists(), "what was found is written all the same");
    // Told, but no gate.
    make("bad", &with(&["--against", "good"])).expect(0).says(&["warning: the rigorous score fell for f"]);
    make("bad", &with(&["--against", "good", "--fail-on", "undecided"])).expect(3);
    let json = make("bad", &with(&["--against", "good", "--json"])).expect(0).json();
    assert!(json["lower_scores"][0].as_str().unwrap().starts_with("f: 1.0000"), "{json}");
    // A score that rose, the folder that is replaced itself, and one that knows nothing of the specification.
    make("bad", &[&gate[..], &["bad"]].concat()).expect(0).says(&["note: the rigorous score of f: 0."]);
    make("bad", &[&gate[..], &["bad"]].concat()).expect(0);
    let few = ["gen", "g.fpcore", "-o", "g", "--operators", "unary", "--against", "good"];
    folder.run(&few).expect(0).says(&["good says nothing of small", "good has f too"]);

    for gate in ["lower-score", "weaker-spec", "fewer-kills"] {
        folder.run(&["gen", "f.fpcore", "--fail-on", gate]).expect(2).says(&["add --against DIR", gate]);
    }
    folder.run(&["gen", "f.fpcore", "--fail-on", "lower-score"]).expect(2).says(&["add --against DIR"]);
    folder.run(&["gen", "f.fpcore", "--against", "nowhere"]).expect(2).says(&["cannot read nowhere/summary.json"]);
    folder.run(&["gen", "f.fpcore", "--against", "good", "--shard", "1/2"]).expect(2);
    // `eval` has no earlier run, and the default of another command does not concern it.
    folder.write("magneto.toml", "fail-on = \"lower-score\"\n").write("t.csv", "x,y\n1,1\n");
    folder.run(&["eval", "f.fpcore", "t.csv", "--operators", "unary"]).expect(0);
}

#[test]
fn a_weaker_specification_fails_where_that_is_asked_for() {
    let folder = Folder::new();
    let spec =
        |accuracy: &str, pre: &str| format!("(FPCore (x) :name \"f\" :pre {pre} {accuracy} (+ (sqrt x) (* 0.3 x)))");
    let pre = "(<= 1 x 4)";
    folder.write("f.fpcore", spec(":magneto-abs-error 1e-6", pre));
    let make = |out: &str, more: &[&str]| folder.run(&[&["gen", "f.fpcore", "-o", out, "--force"], more].concat());
    make("base", &["-q"]).expect(0);
    let all = ["--against", "base", "--fail-on", "lower-score,weaker-spec,fewer-kills"];
    make("same", &all).expect(0);
    // The score stays 1 although hardly anything is asked for any more.
    folder.write("f.fpcore", spec(":magneto-abs-error 0.5", pre));
    make("loose", &["--against", "base", "--fail-on", "lower-score"]).expect(0).says(&[
        "warning: the earlier run asked for more: f: the accuracy is looser: absolute 1e-6 before, absolute 0.5 now",
        "warning: the earlier run killed more mutants: f: ",
    ]);
    make("loose", &["--against", "base", "--fail-on", "weaker-spec"]).expect(1).says(&["error: the earlier run asked"]);
    make("loose", &["--against", "base", "--fail-on", "fewer-kills"])
        .expect(1)
        .says(&["error: the earlier run killed"]);
    let json = make("loose", &["--against", "base", "--json"]).expect(0).json();
    assert!(json["weaker_specifications"][0].as_str().unwrap().starts_with("f: the accuracy is looser"), "{json}");
    assert!(json["fewer_kills"][0].as_str().unwrap().starts_with("f: "), "{json}");
    let gate = ["--against", "base", "--fail-on", "weaker-spec"];
    for (accuracy, pre, said) in [
        (":magneto-abs-error 1e-6", "(<= 1 x 3)", "the range of x is narrower"),
        (":magneto-abs-error 1e-6", "(and (<= 1 x) (< x 4))", "the range of x is narrower"),
        (":magneto-abs-error 1e-6", "(and (<= 1 x 4) (!= (* x x) 4))", "a condition is new"),
        (":magneto-abs-error 1e-6 :magneto-rel-error 1e-6", pre, "the accuracy is looser"),
        (":magneto-ulps 4", pre, "the accuracy is looser"),
    ] {
        folder.write("f.fpcore", spec(accuracy, pre));
        make("now", &gate).expect(1).says(&[said]);
    }
    for (accuracy, pre) in [(":magneto-abs-error 1e-7", "(<= 0.5 x 5)"), (":magneto-abs-error 1e-6", "(<= 1 x)")] {
        folder.write("f.fpcore", spec(accuracy, pre));
        make("now", &gate).expect(0);
    }
}
