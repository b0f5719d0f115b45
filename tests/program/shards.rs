//! A run in parts: put together they are byte by byte what one run gives, and what does not fit is refused.

use crate::cli_support::{Folder, SMALL};
use serde_json::Value;
use std::path::Path;

/// Several specifications, two of one name, one with many mutants and one of which little can be decided.
fn specifications(folder: &Folder) -> Vec<String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("fpbench/rosa.fpcore");
    folder.write("f.fpcore", SMALL).write("lib/g.fpcore", SMALL.replace("0.1", "0.3"));
    folder.write(
        "lib/two.fpcore",
        "(FPCore (x) :name \"log 1 + x\" :pre (<= -0.5 x 0.5) :magneto-rel-error 1e-12 (log (+ 1 x)))\n\
         (FPCore (x) :pre (<= 1 x 2) :magneto-abs-error 1e-3 (if (< x 1.5) (* x x) (/ 2 x)))\n",
    );
    folder.write("rosa.fpcore", std::fs::read(source).unwrap());
    ["f.fpcore", "lib", "rosa.fpcore"].map(str::to_owned).to_vec()
}

const FEW: [&str; 4] = ["--operators", "bounds,unary", "--budget", "20"];

fn arguments<'a>(command: &[&'a str], specs: &'a [String], more: &[&'a str]) -> Vec<&'a str> {
    let specs: Vec<&str> = specs.iter().map(String::as_str).collect();
    [command, &specs, more].concat()
}

/// Runs all parts of a run into `s1`, `s2`, …; their folders, last first.
fn shards(folder: &Folder, specs: &[String], n: usize, more: &[&str]) -> Vec<String> {
    let one = |k: usize| {
        let (dir, portion) = (format!("s{k}"), format!("{k}/{n}"));
        let own = ["-o", &dir, "--shard", &portion, "-q", "--force"];
        let ended = folder.run(&arguments(&["gen"], specs, &[more, &own].concat()));
        assert!(matches!(ended.code, Some(0 | 1 | 3)), "{}", ended.err);
        dir
    };
    (1..=n).rev().map(one).collect()
}

/// That merged parts are what one run gives, for some numbers of parts.
fn same(folder: &Folder, specs: &[String], numbers: &[usize], more: &[&str]) {
    let whole = folder.run(&arguments(&["gen"], specs, &[more, &["-o", "whole"]].concat()));
    let files = folder.files("whole");
    assert!(files.len() >= 8, "{}", whole.err);
    for n in numbers {
        let dirs = shards(folder, specs, *n, more);
        let merged = folder.run(&arguments(&["merge"], &dirs, &["-o", "merged", "--force"]));
        assert_eq!(merged.code, whole.code, "{}", merged.err);
        assert_eq!(merged.out.replace("merged/", "whole/"), whole.out, "{n}");
        let names = |files: &[(String, Vec<u8>)]| files.iter().map(|f| f.0.clone()).collect::<Vec<_>>();
        let got = folder.files("merged");
        assert_eq!(names(&got), names(&files), "{n}");
        for (got, file) in got.iter().zip(&files) {
            assert!(got == file, "{n}: {}", file.0);
        }
        // Each specification is in one part, and no part has much more than another.
        let count = |dir: &String| {
            let all = folder.json(&format!("{dir}/shard.json"));
            let own = |m: &&Value| m["shard"] == all["shard"];
            all["specifications"].as_array().unwrap().iter().filter(own).count()
        };
        let counts: Vec<usize> = dirs.iter().map(count).collect();
        assert!(counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 1, "{counts:?}");
    }
}

#[test]
fn merged_is_what_one_run_gives() {
    let folder = Folder::new();
    let specs = specifications(&folder);
    same(&folder, &specs, &[1, 2, 3, 7], &FEW);
}

#[test]
fn one_specification_alone_and_gates() {
    let folder = Folder::new();
    specifications(&folder);
    folder.write("magneto.toml", "minimize = true\nfail-on = \"undecided\"\n");
    same(&folder, &["f.fpcore".to_owned()], &[1, 3], &FEW);
    // A score that is missed fails the whole, and what nobody decided makes it inconclusive.
    folder.write(
        "lib/hard.fpcore",
        "(FPCore (x y) :name \"hard\" :pre (and (<= 1 x 2) (<= 1 y 2)) :magneto-rel-error 1e-3
           (/ (- (sqrt (+ x 1)) (sin (* x y))) (+ 1 (exp (- x y)))))",
    );
    let little = ["--operators", "evaluation,unary", "--budget", "1", "--no-proofs"];
    same(&folder, &["lib".to_owned()], &[2], &little);
    let merge = |out: &str| folder.run(&["merge", "s1", "s2", "-o", out, "-q"]).code;
    assert_eq!(merge("undecided"), Some(3));
    same(&folder, &["lib".to_owned()], &[2], &[&little[..], &["--min-score", "1"]].concat());
    assert_eq!(merge("below"), Some(1));
}

/// All formulas of FPBench.
#[test]
fn all_of_fpbench() {
    if std::env::var_os("MAGNETO_LONG").is_none() {
        return;
    }
    let folder = Folder::new();
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("fpbench/*.fpcore").display().to_string();
    same(&folder, &[all], &[1, 2, 3, 7], &[]);
}

/// What does not fit is refused by name, and nothing is written.
#[test]
fn what_does_not_fit_is_refused() {
    let folder = Folder::new();
    let specs = vec!["f.fpcore".to_owned(), "lib".to_owned()];
    specifications(&folder);
    let few = ["--operators", "constant"];
    let dirs = shards(&folder, &specs, 3, &few);
    folder.run(&arguments(&["merge"], &dirs, &["-o", "out"])).expect(0);
    let before = folder.files("out");
    let refused = |dirs: &[&str], texts: &[&str]| {
        for out in ["out", "new"] {
            let ended = folder.run(&[&["merge"], dirs, &["-o", out]].concat()).expect(2);
            assert!(ended.err.contains("hint: "), "{}", ended.err);
            ended.says(texts);
        }
        assert!(folder.files("out") == before && !folder.path("new").exists());
    };
    refused(&["s1"], &["shards are missing: 2/3, 3/3"]);
    refused(&["s3", "s1"], &["shard is missing: 2/3"]);
    refused(&["s1", "s2", "s3", "s2"], &["shard 2/3 is there twice: s2 and s2"]);
    folder.run(&["gen", "f.fpcore", "-o", "plain", "-q", few[0], few[1]]).expect(0);
    refused(&["s1", "s2", "plain"], &["plain is no shard: there is no shard.json"]);
    refused(&["s1", "nowhere"], &["nowhere is no shard"]);
    // Where the result goes there must be no shard.
    let inside = folder.run(&["merge", "s1", "s2", "s3", "-o", "s2"]).expect(2);
    inside.says(&["s2 is inside of s2, and would be replaced"]);
    folder.run(&["merge", "s1", "s2", "s3", "-o", "."]).expect(2).says(&["s1 is inside of ."]);

    let other = |specs: &[String], portion: &str, more: &[&str]| {
        let run = [more, &["-o", "other", "--force", "-q", "--shard", portion]].concat();
        folder.run(&arguments(&["gen"], specs, &run)).expect(0);
    };
    let differ = |what: &str| refused(&["s1", "other", "s3"], &["s1 and other are not of one run: the second ", what]);
    other(&specs, "2/3", &["--operators", "bounds"]);
    differ("has --operators `bounds` (flag), the first `constant` (flag)");
    other(&specs, "2/3", &["--operators", "constant", "--budget", "4000"]);
    differ("has --budget `4000` (flag), the first `4000` (default)");
    other(&specs, "2/3", &["--operators", "constant", "--min-score", "0.5"]);
    differ("has --min-score `0.5` (flag), the first none (default)");
    other(&specs, "2/4", &few);
    differ("is one of 4, the first one of 3");
    let [f, lib] = ["f.fpcore", "lib"].map(str::to_owned);
    other(&[lib.clone(), f.clone()], "2/3", &few);
    differ("is of a run over `small` (g.fpcore:1:1) where the first has `small` (f.fpcore:1:1)");
    other(std::slice::from_ref(&f), "2/3", &few);
    differ("is of a run over `small` (f.fpcore:1:1) where");
    let text = folder.read("lib/two.fpcore");
    folder.write("lib/two.fpcore", text.replace("1e-3", "1e-4"));
    other(&specs, "2/3", &few);
    differ("was made from another text of `log 1 + x` (two.fpcore:1:1)");
    folder.write("lib/two.fpcore", text);
    folder.write("times.json", TIMES);
    other(&specs, "2/3", &["--operators", "constant", "--times", "times.json"]);
    differ("the first in shard ");
    other(&specs, "2/3", &few);
    folder.run(&["merge", "s1", "other", "s3", "-o", "out"]).expect(0);
    assert!(folder.files("out") == before);
}

/// Parts that were changed by hand, cut short, or made by another version.
#[test]
fn damaged_parts_are_refused() {
    let folder = Folder::new();
    let specs = vec!["f.fpcore".to_owned(), "lib".to_owned()];
    specifications(&folder);
    shards(&folder, &specs, 2, &["--operators", "constant"]);
    let refused = |texts: &[&str]| {
        folder.run(&["merge", "s1", "s2", "-o", "out"]).expect(2).says(texts);
        assert!(!folder.path("out").exists());
    };
    let changed = |file: &str, change: &dyn Fn(&str) -> String, texts: &[&str]| {
        let text = folder.read(file);
        let new = change(&text);
        assert_ne!(new, text);
        folder.write(file, new);
        refused(texts);
        folder.write(file, text);
    };
    let set = |key: &'static str, value: Value| {
        move |text: &str| {
            let mut document: Value = serde_json::from_str(text).unwrap();
            document[key] = value.clone();
            serde_json::to_string(&document).unwrap()
        }
    };
    let shard = "s2/shard.json";
    changed(shard, &set("magneto", "0.0.1".into()), &["the second is by magneto 0.0.1", ", the first magneto "]);
    changed(shard, &set("commit", "abc".into()), &["the second is by magneto", "(abc)"]);
    changed(shard, &set("mpfr", "3.0".into()), &["the second was made with MPFR 3.0"]);
    changed(shard, &set("platform", "sparc-sunos".into()), &["the second was made on sparc-sunos"]);
    changed(shard, &set("decisions", "".into()), &["had other decisions in magneto.accept.toml"]);
    for odd in ["0", "3", "99999999999999999999", "1.5"] {
        changed(shard, &|t| t.replace("  \"shard\": 2,\n  \"of\"", &format!("  \"shard\": {odd},\n  \"of\"")), &["s2"]);
    }
    for shard in ["s1/shard.json", "s2/shard.json"] {
        let text = folder.read(shard);
        let number = if shard.starts_with("s1") { 1 } else { 2 };
        folder.write(&format!("{number}/shard.json"), &text);
        folder.write(shard, text.replace("\"of\": 2", "\"of\": 18446744073709551615"));
    }
    refused(&["s1 does not hold what belongs to shard 1/18446744073709551615"]);
    // A specification that is in no shard is not left out unseen.
    for number in [1, 2] {
        let text = folder.read(&format!("{number}/shard.json"));
        let (before, after) = text.rsplit_once("\"shard\": 2").unwrap();
        folder.write(&format!("s{number}/shard.json"), format!("{before}\"shard\": 3{after}"));
    }
    refused(&["does not hold what belongs to shard"]);
    for number in [1, 2] {
        folder.write(&format!("s{number}/shard.json"), folder.read(&format!("{number}/shard.json")));
    }
    changed(shard, &set("shard", 1.into()), &["shard 1/2 is there twice: s1 and s2"]);
    changed(shard, &set("summary", "".into()), &["s2 does not hold what belongs to shard 2/2"]);
    changed(shard, &|t| t[..t.len() / 2].to_owned(), &["s2/shard.json", "the file is damaged"]);
    changed(shard, &|t| t.replace("magneto/shard/1", "magneto/shard/9"), &["does not have the schema"]);
    changed("s2/summary.json", &|t| t.replace("\"tests\"", "\"texts\""), &["does not hold what belongs to shard 2/2"]);
    changed("s2/small-2/tests.csv", &|t| t.replace("t001", "t999"), &["s2/small-2/tests.csv is not of the run"]);
    std::fs::rename(folder.path("s2/small-2"), folder.path("gone")).unwrap();
    refused(&["s2/small-2/manifest.json"]);
    std::fs::rename(folder.path("gone"), folder.path("s2/small-2")).unwrap();
    folder.write("s2/resume.json", "{}");
    refused(&["shard 2/2 in s2 did not come to its end", "hint: repeat its command with --resume"]);
    std::fs::remove_file(folder.path("s2/resume.json")).unwrap();
    folder.run(&["merge", "s1", "s2", "-o", "out"]).expect(0);
    // A run over everything takes the part's place, and is no part.
    folder.run(&["gen", "lib/g.fpcore", "f.fpcore", "--force", "-q", "-o", "s2", "--operators", "constant"]).expect(0);
    assert!(!folder.path("s2/shard.json").exists());
}

/// `lib/two.fpcore` took longer than all others together.
const TIMES: &str = r#"{"schema": "magneto/gen/1", "specifications": [
    {"summary": {"specification": "small", "file": "f.fpcore"}, "phases": [{"seconds": "0.5"}, {"seconds": "0.5"}]},
    {"summary": {"specification": "small", "file": "g.fpcore"}, "phases": [{"seconds": "2"}]},
    {"summary": {"specification": "log 1 + x", "file": "two.fpcore"}, "phases": [{"seconds": "9"}]}]}"#;

#[test]
fn parts_are_dealt_by_the_time_that_they_took() {
    let folder = Folder::new();
    let specs = vec!["f.fpcore".to_owned(), "lib".to_owned()];
    specifications(&folder);
    let dealt = |times: &str| -> Vec<u64> {
        folder.write("times.json", times);
        let more = ["--operators", "constant", "-o", "out", "--shard", "1/2", "--times", "times.json", "--force", "-q"];
        folder.run(&arguments(&["gen"], &specs, &more)).expect(0);
        let shard = folder.json("out/shard.json");
        shard["specifications"].as_array().unwrap().iter().map(|m| m["shard"].as_u64().unwrap()).collect()
    };
    // The fourth is in no file and counts 4, as the others do on average.
    assert_eq!(dealt(TIMES), [2, 2, 1, 2]);
    // What `gen --json` prints is such a file.
    let run = folder.run(&arguments(&["gen", "--json"], &specs, &["--operators", "constant", "-o", "whole"]));
    let parts = dealt(&run.expect(0).out);
    assert!(parts.contains(&1) && parts.contains(&2), "{parts:?}");
    for wrong in ["", "{}", "[1]", &TIMES.replace("gen/1", "gen/9"), &TIMES.replace("\"9\"", "\"-9\"")] {
        folder.write("times.json", wrong);
        let more = ["--shard", "1/2", "--times", "times.json"];
        let refused = folder.run(&arguments(&["gen"], &specs, &more)).expect(2);
        refused.says(&["times.json is not what `magneto gen --json` prints"]);
    }
    for portion in ["0/2", "3/2", "1", "x/y"] {
        folder.run(&arguments(&["gen"], &specs, &["--shard", portion])).expect(2).says(&["expected K/N"]);
    }
}
