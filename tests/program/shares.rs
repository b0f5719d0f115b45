//! `cover`, `solve` and `bench` in parts: put together they are byte by byte what one run gives, and what does not fit is
//! refused.

use crate::cli_support::{Ended, Folder, SMALL};
use crate::support::compilers::has_clang;
use serde_json::Value;

/// Runs all parts of a command into `s1`, `s2`, …; their folders, last first.
fn shards(folder: &Folder, command: &[&str], n: usize) -> Vec<String> {
    let one = |k: usize| {
        let (dir, portion) = (format!("s{n}-{k}"), format!("{k}/{n}"));
        folder.run(&[command, &["-o", &dir, "--shard", &portion, "-q"]].concat()).expect(0);
        dir
    };
    (1..=n).rev().map(one).collect()
}

fn merge(folder: &Folder, dirs: &[String], more: &[&str]) -> Ended {
    let dirs: Vec<&str> = dirs.iter().map(String::as_str).collect();
    folder.run(&[&["merge"], &dirs[..], more].concat())
}

/// That parts put together are what one run gives: what is told, files and exit code.
fn same(folder: &Folder, command: &[&str], items: usize, numbers: &[usize]) -> Ended {
    let whole = folder.run(&[command, &["-o", "whole"]].concat());
    let json = folder.run(&[command, &["--json"]].concat());
    let files = folder.files("whole");
    for n in numbers {
        let dirs = shards(folder, command, *n);
        let merged = merge(folder, &dirs, &["-o", &format!("merged-{n}"), "--force"]);
        assert_eq!((merged.code, &merged.out, &merged.err), (whole.code, &whole.out, &whole.err), "{n}");
        assert_eq!(merge(folder, &dirs, &["--json", "-o", "json", "--force"]).out, json.out, "{n}");
        assert!(folder.files(&format!("merged-{n}")) == files, "{n}");
        // Every item is in one part, and no part has two more than another.
        let counts: Vec<usize> = dirs.iter().map(|d| found(folder, d).len()).collect();
        assert_eq!(counts.iter().sum::<usize>(), items, "{counts:?}");
        assert!(counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 1, "{counts:?}");
    }
    whole
}

fn found(folder: &Folder, dir: &str) -> Vec<Value> {
    folder.json(&format!("{dir}/share.json"))["found"].as_array().unwrap().clone()
}

fn scripts(folder: &Folder) {
    folder
        .write("root.smt2", include_str!("../smt/root.smt2"))
        .write("middle.smt2", include_str!("../smt/middle.smt2"));
    // Two primes whose product it is are not found so soon.
    folder.write(
        "open.smt2",
        "(declare-const a (_ BitVec 32))(declare-const b (_ BitVec 32))(assert (bvult #x00000001 a))(assert (bvult a b))
        (assert (= (bvmul (concat #x00000000 a) (concat #x00000000 b)) #x84ffefecf751fbb1))(check-sat)",
    );
}

#[test]
fn scripts_are_dealt_out() {
    let folder = Folder::new();
    scripts(&folder);
    let command = ["solve", "root.smt2", "middle.smt2", "open.smt2", "--budget", "100"];
    let whole = same(&folder, &command, 3, &[1, 2, 5]).expect(3);
    assert!(whole.out.starts_with("; root.smt2\nunsat\n; middle.smt2\nsat\n"), "{}", whole.out);
    assert!(whole.out.ends_with("; open.smt2\nunknown\n"), "{}", whole.out);
    assert_eq!(folder.json("whole/solve.json")["files"][1]["checks"][0]["status"], "sat");
    for jobs in ["1", "3"] {
        let run = folder.run(&[&command[..], &["--jobs", jobs, "-o", jobs]].concat()).expect(3);
        assert_eq!(run.out, whole.out, "{jobs} threads");
        assert_eq!(folder.read(&format!("{jobs}/solve.json")), folder.read("whole/solve.json"), "{jobs} threads");
    }
    // One script alone is told as ever, and parts beyond it are empty.
    let alone = same(&folder, &["solve", "root.smt2"], 1, &[2]).expect(0);
    assert_eq!(alone.out, "unsat\n");
    // One that is wrong does not keep others from their answers.
    folder.write("wrong.smt2", "(assert\n  (fp.lt x y))");
    let wrong = same(&folder, &["solve", "wrong.smt2", "root.smt2"], 2, &[3]).expect(2);
    assert_eq!(wrong.out, "; wrong.smt2\n; root.smt2\nunsat\n");
    wrong.says(&["wrong.smt2:2:10"]);
    let gone = folder.run(&["solve", "root.smt2", "gone.smt2", "root.smt2"]).expect(2);
    assert_eq!(gone.out, "; root.smt2\nunsat\n; gone.smt2\n; root.smt2\nunsat\n");
    gone.says(&["cannot read gone.smt2"]);
}

#[test]
fn functions_are_dealt_out() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.write(
        "code.c",
        "double sign(double x) { return x < 0 ? -1 : x > 0 ? 1 : 0; }\n\
        double half(double x) { if (x > 4) return 2; return 0.5 * x; }\n\
        double same(double x) { if (x != x && x > 1) return 9; return x; }\n",
    );
    folder.write("half.fpcore", "(FPCore (x) :name \"half\" :pre (<= 0 x 8) :magneto-rel-error 1e-9 (* 0.5 x))");
    let functions = ["--fn", "sign", "--fn", "half", "--fn", "same"];
    let command = [&["cover", "code.c", "--lcov", "lcov.info", "--evaluations", "2000"], &functions[..]].concat();
    let whole = same(&folder, &command, 3, &[3]).expect(0);
    assert!(whole.out.contains("sign\n") && whole.out.contains("half\n"), "{}", whole.out);
    assert_eq!(folder.read("lcov.info").matches("end_of_record").count(), 3);
    for file in ["sign/report.html", "half/tests.csv", "same/cover.csv", "cover.json"] {
        assert!(folder.path("whole").join(file).is_file(), "{file}");
    }
    // Gates are judged for the whole.
    let judged =
        [&["cover", "code.c", "--spec", "half.fpcore", "--judged", "200", "--evaluations", "2000"], &functions[..]];
    same(&folder, &judged.concat(), 3, &[2]).expect(1);
    let twice = folder.run(&["cover", "code.c", "--fn", "sign", "--fn", "none", "--fn", "sign"]).expect(2);
    twice.says(&["--fn none:", "--fn sign is there twice"]);
}

/// What does not fit is refused by name, and nothing is written.
#[test]
fn what_does_not_fit_is_refused() {
    let folder = Folder::new();
    scripts(&folder);
    let command = ["solve", "root.smt2", "open.smt2", "--budget", "100"];
    let dirs = shards(&folder, &command, 2);
    let refused = |dirs: &[&str], texts: &[&str]| {
        let ended = folder.run(&[&["merge"], dirs, &["-o", "out"]].concat()).expect(2);
        assert!(ended.err.contains("hint: ") && !folder.path("out").exists(), "{}", ended.err);
        ended.says(texts);
    };
    refused(&["s2-1"], &["shard is missing: 2/2"]);
    refused(&["s2-1", "s2-2", "s2-1"], &["shard 1/2 is there twice"]);
    refused(&["s2-1", "nowhere"], &["nowhere is no shard"]);
    let differ = |command: &[&str], portion: &str, what: &str| {
        folder.run(&[command, &["--shard", portion, "-o", "other", "-q"]].concat()).expect(0);
        refused(&["s2-1", "other"], &["s2-1 and other are not of one run: the second ", what]);
    };
    let more = ["solve", "root.smt2", "open.smt2", "--budget=101"];
    differ(&more, "2/2", "has the options --budget=101, the first --budget=100");
    differ(&command, "2/3", "is one of 3, the first one of 2");
    differ(
        &["solve", "root.smt2", "middle.smt2", "--budget=100"],
        "2/2",
        "a run over `middle.smt2` where the first has",
    );
    folder.write("open.smt2", "(check-sat)");
    differ(&command, "2/2", "was made from another text of `open.smt2`");
    scripts(&folder);
    // Changed by hand, or stopped in the middle.
    let text = folder.read("s2-2/share.json");
    folder.write("s2-2/share.json", text.replace("unknown", "unsat"));
    refused(&["s2-1", "s2-2"], &["s2-2 does not hold what belongs to shard 2/2"]);
    let mut stopped: Value = serde_json::from_str(&text).unwrap();
    stopped["found"] = Value::Array(Vec::new());
    stopped["sha256"] = "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945".into();
    folder.write("s2-2/share.json", serde_json::to_string(&stopped).unwrap());
    refused(&["s2-1", "s2-2"], &["shard 2/2 in s2-2 did not come to its end"]);
    folder.write("s2-2/share.json", text);
    merge(&folder, &dirs, &["-o", "out"]).expect(3);
    // A part is not written over something else, and goes somewhere.
    folder.write("taken/notes.txt", "mine");
    folder.run(&["solve", "root.smt2", "--shard", "1/1", "-o", "taken"]).expect(2).says(&["holds `notes.txt`"]);
    folder.run(&["solve", "root.smt2", "--shard", "1/1"]).expect(2).says(&["--output <DIR>"]);
}

/// A document without what is of one run only.
fn timeless(mut document: Value) -> Value {
    fn remove(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.retain(|name, _| !name.ends_with("seconds") && name != "per_second");
                fields.values_mut().for_each(remove);
            }
            Value::Array(items) => items.iter_mut().for_each(remove),
            _ => {}
        }
    }
    remove(&mut document);
    document
}

/// That parts of a benchmark put together are what one run gives, times left out.
fn same_but_for_times(folder: &Folder, command: &[&str], items: usize) -> Value {
    let whole = folder.run(&[command, &["--json"]].concat());
    let dirs = shards(folder, command, 2);
    let merged = merge(folder, &dirs, &["--json", "-o", "merged", "--force"]);
    assert_eq!((merged.code, &merged.err), (whole.code, &whole.err));
    let whole = timeless(whole.json());
    assert_eq!(timeless(merged.json()), whole);
    assert_eq!(dirs.iter().map(|d| found(folder, d).len()).collect::<Vec<_>>(), [items / 2, items - items / 2]);
    let plain = merge(folder, &dirs, &["-o", "merged", "--force"]);
    assert!(!plain.out.is_empty());
    // The next benchmark is another one.
    dirs.iter().map(String::as_str).chain(["merged"]).for_each(|d| std::fs::remove_dir_all(folder.path(d)).unwrap());
    whole
}

#[test]
fn formulas_of_benchmarks_are_dealt_out() {
    let folder = Folder::new();
    let two = "(FPCore a (x) :name \"a\" :pre (<= 1 x 2) (+ x 1))(FPCore b (x) :name \"b\" :pre (<= 1 x 2) (- x 1))";
    folder.write("two.fpcore", two);
    let written = ["bench", "written", "two.fpcore", "--samples", "20", "--budget", "20", "--operators", "unary"];
    let document = same_but_for_times(&folder, &written, 2);
    assert_eq!(document["rows"].as_array().unwrap().len(), 4);
    let rounding = ["bench", "rounding", "--filter", "sqroot", "--boxes", "20", "--evaluations", "50"];
    let document = same_but_for_times(&folder, &rounding, 2);
    assert!(document["rows"].as_array().unwrap().len() >= 2);
}

/// Of the paper's evaluation all files are the same but those with times.
#[test]
fn formulas_of_the_evaluation_are_dealt_out() {
    let folder = Folder::new();
    folder.write("own/small.fpcore", SMALL).write("own/other.fpcore", SMALL.replace("small", "other"));
    for which in [&["--filter", "predatorprey", "--all"][..], &["--specs", "own"]] {
        let command = [&["bench", "fpbench", "--operators", "unary,variable", "--budget", "50"][..], which].concat();
        let command = [&command[..], &["--baseline", "evaluations"]].concat();
        folder.run(&[&command[..], &["-o", "whole", "-q"]].concat()).expect(0);
        let dirs = shards(&folder, &command, 2);
        // The formulas need not be there any more.
        let gone = std::fs::rename(folder.path("own"), folder.path("gone"));
        merge(&folder, &dirs, &["-o", "merged", "-q"]).expect(0);
        gone.and_then(|()| std::fs::rename(folder.path("gone"), folder.path("own"))).unwrap();
        let (whole, merged) = (folder.files("whole"), folder.files("merged"));
        assert!(whole.len() > 5 && whole.len() == merged.len());
        for (one, other) in whole.iter().zip(&merged) {
            let timed = magneto::bench::files::BY_THE_CLOCK.contains(&one.0.as_str());
            assert!(one.0 == other.0 && (timed || one.1 == other.1), "{}", one.0);
        }
        dirs.iter().for_each(|d| std::fs::remove_dir_all(folder.path(d)).unwrap());
    }
}

#[test]
fn programs_and_functions_of_benchmarks_are_dealt_out() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    let faults = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults");
    for file in ["cdiv.fpcore", "cdiv_branch.c", "cdiv_naive.c", "cube.fpcore", "cube_expanded.c"] {
        folder.write(&format!("faults/{file}"), std::fs::read(faults.join(file)).unwrap());
    }
    let seeds = ["bench", "faults", "faults", "--seeds", "2", "--budget", "20", "--operators", "unary"];
    let document = same_but_for_times(&folder, &seeds, 3);
    assert_eq!(document["programs"].as_array().unwrap().len(), 3);
    same_but_for_times(&folder, &["bench", "worst", "faults", "--evaluations", "500", "--least", "0"], 3);
    folder.write(
        "code/code.c",
        "double sign(double x) { return x < 0 ? -1 : x > 0 ? 1 : 0; }\n\
        double half(double x) { if (x > 4) return 2; return 0.5 * x; }\n",
    );
    folder.write("code/functions.csv", "function,file\nsign,code.c\nhalf,code.c\n");
    let cover = ["bench", "cover", "code", "--evaluations", "300", "--seeds", "2"];
    let document = same_but_for_times(&folder, &cover, 2);
    assert_eq!(document["functions"].as_array().unwrap().len(), 2);
    // How a way takes branches after branches is kept as well: the plot shows it.
    folder.run(&[&cover[..], &["-o", "plotted", "-q"]].concat()).expect(0);
    let dirs = shards(&folder, &cover, 2);
    merge(&folder, &dirs, &["-o", "merged-plot", "-q"]).expect(0);
    let picture = |dir: &str| folder.files(dir).into_iter().find(|(name, _)| name.ends_with(".svg"));
    assert!(picture("plotted").is_some() && picture("plotted") == picture("merged-plot"));
}
