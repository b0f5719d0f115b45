//! `magneto bench`: the solver pairs, and the paper's evaluation on a part of its formulas.

use crate::cli_support;
use crate::cli_support::{Folder, SMALL};
use magneto::bench::files::BY_THE_CLOCK;
use magneto::bench::fpbench::{FpbenchPlan, run};
use magneto::bench::published::{COUNTS, TYPES};
use magneto::bench::resume::FpbenchResume;
use magneto::bench::rows::FormulaRow;
use magneto::record::json;
use std::sync::atomic::{AtomicBool, Ordering};

#[test]
fn every_pair_is_decided_and_right() {
    let folder = Folder::new();
    let document = folder.run(&["bench", "solver", "--repeat", "1", "--json"]).expect(0).json();
    assert_eq!(document["schema"], "magneto/bench-solver/1");
    let pairs = document["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 18);
    for pair in pairs {
        assert_eq!(pair["verdict"], "right", "{pair}");
        assert!(pair["time_us"].as_str().unwrap().parse::<f64>().unwrap() > 0.0, "{pair}");
    }
    assert_eq!(document["summary"][0]["right"], 13);
    assert_eq!(document["summary"][1]["right"], 5);
    assert_eq!(document["families"].as_array().unwrap().len(), 0);
}

#[test]
fn the_table_of_pairs() {
    let out = Folder::new().run(&["bench", "solver", "--repeat", "1"]).expect(0).out;
    assert_eq!(out.lines().next().unwrap().split_whitespace().next(), Some("pair"));
    assert!(out.contains("EQ4 sqroot -> Horner"), "{out}");
    assert!(out.contains("killable: 13 of 13 right, 0 wrong, 0 undecided; median "), "{out}");
}

#[test]
fn bounds_on_rounding_errors_beside_a_table() {
    let folder = Folder::new();
    folder.write(
        "bounds.csv",
        "name,suite,format,abs_bound,rel_bound,cpu_seconds,abs_lower,rel_lower\nhypot,daisy,binary64,1,,2,1e-20,\n",
    );
    let run = ["bench", "rounding", "--filter", "hypot", "--boxes", "50", "--evaluations", "50"];
    let document = folder.run(&[&run[..], &["--bounds", "bounds.csv", "--json"]].concat()).expect(0).json();
    assert_eq!(document["schema"], "magneto/bench-rounding/1");
    let rows = document["rows"].as_array().unwrap();
    assert!(!rows.is_empty() && rows.iter().all(|r| r["status"] == "met"), "{rows:?}");
    let text = folder.run(&run).expect(0).out;
    assert!(text.contains("bounds below an error found: 0"), "{text}");
    folder.write("bounds.csv", "name,suite\n");
    folder.run(&[&run[..], &["--bounds", "bounds.csv"]].concat()).expect(2).says(&["bounds.csv", "column `format`"]);
    folder.run(&["bench", "rounding", "--libm-ulps", "0.1"]).expect(2).says(&["--libm-ulps"]);
}

/// One formula that misses 1e-10 and one that meets it, in both formats; without mutants that are programs nothing is known.
#[test]
fn formulas_as_they_are_written() {
    let folder = Folder::new();
    folder.write(
        "two.fpcore",
        "(FPCore (x) :name \"lost\" :pre (<= 1 x 1e15) (- (sqrt (+ x 1)) (sqrt x)))\n\
         (FPCore (x) :name \"kept\" :pre (<= 1 x 1e15) (/ 1 (+ (sqrt (+ x 1)) (sqrt x))))\n",
    );
    let run = ["bench", "written", "two.fpcore", "--samples", "300", "--operators"];
    let document = folder.run(&[&run[..], &["evaluation", "--json"]].concat()).expect(0).json();
    assert_eq!(document["schema"], "magneto/bench-written/1");
    let rows = document["rows"].as_array().unwrap();
    let of = |name: &str| rows.iter().filter(|r| r["name"] == name).cloned().collect::<Vec<_>>();
    let (lost, kept) = (of("lost"), of("kept"));
    assert_eq!((lost.len(), kept.len()), (2, 2));
    for row in &lost {
        assert_eq!(row["status"], "missed", "{row}");
        assert!(row["failed"].as_u64().unwrap() > 0 && row["worst"][1].as_f64().unwrap() > 1.0, "{row}");
    }
    for row in &kept {
        assert_eq!(row["status"], "met", "{row}");
        assert!(row["failed"] == 0 && row["worst"][1].as_f64().unwrap() < 1.0, "{row}");
    }
    let text = folder.run(&[&run[..], &["bounds"]].concat()).expect(0).out;
    assert!(text.contains("accuracy met: 0, missed: 0, open: 4, of 4"), "{text}");
}

const FILES: [&str; 10] = [
    "README.md",
    "figure4.csv",
    "figure4.svg",
    "figure5.csv",
    "figure5.svg",
    "manifest.json",
    "per_benchmark.csv",
    "table2.csv",
    "table3.csv",
    "timing.csv",
];

/// The rows of a table by their header.
fn table(text: &str) -> Vec<std::collections::HashMap<String, String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(Result::unwrap).collect()
}

#[test]
fn one_formula_of_the_paper() {
    let folder = Folder::new();
    let ended = folder.run(&["bench", "fpbench", "--filter", "hypot", "-o", "tmp"]).expect(0);
    assert!(ended.out.contains("mean rigorous score"), "{}", ended.out);
    assert_eq!(ended.err, "");
    let names: Vec<String> = folder.files("tmp").into_iter().map(|f| f.0).collect();
    assert_eq!(names, FILES);

    let published = COUNTS.iter().find(|c| c.0 == "hypot").unwrap().1;
    let rows = table(&folder.read("tmp/per_benchmark.csv"));
    assert_eq!(rows.len(), 1);
    let row = &rows[0];
    let number = |name: &str| row[name].parse::<usize>().unwrap();
    assert_eq!((row["name"].as_str(), row["suite"].as_str()), ("hypot", "fptaylor-extra"));
    assert_eq!(number("mutants"), published.iter().sum::<usize>());
    let parts = ["killed", "probable", "equivalent", "indistinguishable", "undecided"];
    assert_eq!(parts.map(number).iter().sum::<usize>(), number("mutants"));
    for baseline in ["numbers", "floats"] {
        let of = |what: &str| number(&format!("{baseline}_{what}"));
        assert!(of("killed") + of("probable") <= number("killed") + number("probable"), "{baseline}");
        assert!(of("killed") > 0 && of("tests") > 0 && of("points") >= of("tests"), "{baseline}");
    }
    assert!(number("tests_minimized") <= number("tests"));
    assert!(number("tests_lower_bound") <= number("tests_minimized"));
    // Each of the four widened ends of ranges needs a test of its own, and the rest one more at least.
    assert!(number("tests_lower_bound") >= 5);

    let table3 = table(&folder.read("tmp/table3.csv"));
    for (operator, count) in TYPES.iter().zip(published) {
        let row = table3.iter().find(|r| r["operator"] == operator.name()).unwrap();
        assert_eq!((row["all"].clone(), row["all_paper"].clone()), (count.to_string(), count.to_string()));
    }
    let row = &table(&folder.read("tmp/table2.csv"))[0];
    assert_eq!(row["mutants"], row["mutants_paper"]);
    let timing = &table(&folder.read("tmp/timing.csv"))[0];
    let seconds = |name: &str| timing[name].parse::<f64>().unwrap();
    let phases = ["mutants", "probes", "proofs", "solver", "ranges_and_accuracy", "oracle"];
    let parts: f64 = phases.iter().map(|p| seconds(&format!("{p}_s"))).sum();
    assert!(parts > 0.0 && parts <= seconds("seconds") + 0.0001, "{timing:?}");
    assert!(timing["bb_points"].parse::<u64>().unwrap() > 0);
    figures(&folder);
    folder.assert_rows_fit("tmp");
    let readme = folder.read("tmp/README.md");
    for text in ["## Undecided mutants", "compare only loosely", "magneto bench fpbench --operators paper --filter"] {
        assert!(readme.contains(text), "no `{text}` in\n{readme}");
    }
    assert!(!folder.read("tmp/manifest.json").contains(folder.root().to_str().unwrap()));
}

/// Pictures are pictures, and hold what the data say.
fn figures(folder: &Folder) {
    for name in ["figure4", "figure5"] {
        let svg = folder.read(&format!("tmp/{name}.svg"));
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{name}");
    }
    for text in ["accuracy", "delete", "indistinguishable", "131 mutants"] {
        assert!(folder.read("tmp/figure5.svg").contains(text), "no `{text}`");
    }
    let all = &table(&folder.read("tmp/figure5.csv"))[7];
    assert_eq!((all["type"].as_str(), all["mutants"].as_str()), ("all", "131"));
}

#[test]
fn a_run_can_be_repeated() {
    let folder = Folder::new();
    let run = |to: &str, jobs: &str| {
        let common = ["bench", "fpbench", "--filter", "NMSE example 3.3", "--operators", "full", "--seed", "5"];
        let more = ["--json", "-j", jobs, "-o", to];
        folder.run(&[&common[..], &more[..]].concat()).expect(0).json()
    };
    let (one, two) = (run("a", "1"), run("b", "2"));
    assert_eq!(one["schema"], "magneto/bench-fpbench/1");
    assert_eq!(one["scores"], two["scores"]);
    let files = |name: &str| {
        let mut files = folder.files(name);
        files.retain(|f| !BY_THE_CLOCK.contains(&f.0.as_str()));
        files
    };
    assert_eq!(files("a").len(), 6);
    assert_eq!(files("a"), files("b"));
    // Into the folder of an earlier run, too.
    run("a", "2");
    assert_eq!(files("a"), files("b"));
}

#[test]
fn a_run_that_was_stopped_goes_on() {
    let folder = Folder::new();
    let run = |to: &str, more: &[&str]| {
        let common = ["bench", "fpbench", "--filter", "test0", "--operators", "constant", "--baseline", "evaluations"];
        folder.run(&[&common[..], &["-o", to], more].concat())
    };
    run("whole", &["--resume"]).expect(2).says(&["cannot resume", "resume.json", "without --resume"]);
    run("whole", &[]).expect(0);
    assert!(!folder.root().join("whole/resume.json").exists());
    // What a run keeps when it is stopped after some of its formulas.
    let (plan, rows) = stopped_after(3);
    folder.write("part/resume.json", json::document(&FpbenchResume::new(&plan, &rows)));
    run("part", &["--resume", "--seed", "7"]).expect(2).says(&["cannot resume", "--seed 7"]);
    run("part", &["--resume"]).expect(0);
    let files = |name: &str| {
        let mut files = folder.files(name);
        files.retain(|f| !BY_THE_CLOCK.contains(&f.0.as_str()));
        files
    };
    assert_eq!(files("whole"), files("part"));
    assert!(table(&folder.read("part/per_benchmark.csv")).len() > 3);
}

/// The run above, stopped by SIGINT's flag once some formulas are complete.
fn stopped_after(formulas: usize) -> (FpbenchPlan, Vec<FormulaRow>) {
    let mut plan = FpbenchPlan { filter: Some("test0".to_owned()), timed: false, ..FpbenchPlan::default() };
    plan.settings.suite.operators = "constant".parse().unwrap();
    let stop = AtomicBool::new(false);
    let mut keep = |rows: &[FormulaRow]| stop.store(rows.len() == formulas, Ordering::Relaxed);
    let run = run(&plan, &plan.benchmarks(), Vec::new(), Some(&stop), &|_| {}, &mut keep);
    assert!(run.interrupted);
    assert_eq!(run.rows.len(), formulas);
    (plan, run.rows)
}

#[test]
fn all_of_fpbench_has_formulas_that_the_paper_has_not() {
    let folder = Folder::new();
    folder.run(&["bench", "fpbench", "--filter", "graphics"]).expect(2).says(&["no formula has `graphics`"]);
    let arguments = ["bench", "fpbench", "--filter", "graphics", "--all", "--operators", "constant", "--json"];
    let document = folder.run(&arguments).expect(0).json();
    assert_eq!(document["output"], "results/fpbench-all-constant-part");
    assert_eq!(document["benchmarks"].as_array().unwrap().len(), 1);
    assert!(!folder.read("results/fpbench-all-constant-part/table2.csv").contains("mutants_paper"));
}

/// With all operators, of which the paper has not all, every row of the totals is whole.
#[test]
fn tables_of_all_operators_have_whole_rows() {
    let folder = Folder::new();
    let command =
        ["bench", "fpbench", "--filter", "test05_nonlin1", "--operators", "full", "--baseline", "evaluations"];
    folder.run(&[&command[..], &["-o", "out"]].concat()).expect(0);
    folder.assert_rows_fit("out");
}

#[test]
fn tables_that_stand_here_have_whole_rows() {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut folders, mut tables) = (["results", "recipes", "docs"].map(|f| here.join(f)).to_vec(), 0);
    let pages = ["README.md", "CONTRIBUTING.md", "DESIGN.md", "CHANGELOG.md"].map(|page| here.join(page));
    let mut files = pages.to_vec();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    for file in files.iter().filter(|f| f.extension().is_some_and(|e| e == "csv" || e == "md")) {
        cli_support::assert_rows_fit(&file.to_string_lossy(), &std::fs::read_to_string(file).unwrap());
        tables += 1;
    }
    assert!(tables > 30, "{tables} tables");
}

#[test]
fn what_is_wrong_is_said() {
    let folder = Folder::new();
    folder.write("full/notes.txt", "mine");
    let to = |dir| ["bench", "fpbench", "--filter", "hypot", "-o", dir];
    folder.run(&to("full")).expect(2).says(&["did not write", "--output"]);
    assert_eq!(folder.files("full").len(), 1);
    folder.run(&["bench", "fpbench", "--operators", "papr"]).expect(2).says(&["--operators", "unknown operator"]);
    folder.run(&["bench", "fpbench", "--budget", "0"]).expect(2).says(&["--budget"]);
    folder.run(&["bench", "solver", "--repeat", "0"]).expect(2);
    folder.run(&["bench"]).expect(2);
}

/// The paper's evaluation on formulas that a person brings.
#[test]
fn own_formulas_are_evaluated() {
    let folder = Folder::new();
    folder.write("own/small.fpcore", SMALL);
    folder
        .write("two.fpcore", "(FPCore (x) :pre (<= 1 x 2) :name \"one\" (+ x 1))(FPCore (x) :pre (<= 0 x 2) (* x 3))");
    let command = ["bench", "fpbench", "--budget", "50", "--baseline", "evaluations", "-o", "out", "--specs"];
    let run = |specs: &[&str]| folder.run(&[&command[..], specs].concat());
    let ended = run(&["own", "two.fpcore"]).expect(0);
    assert!(ended.out.starts_with("3 formulas\n"), "{}", ended.out);
    let table = folder.read("out/table2.csv");
    let rows: Vec<&str> = table.lines().map(|row| row.split(',').take(2).last().unwrap()).collect();
    assert_eq!((rows.len(), rows[1], rows[2]), (4, "small", "one"), "{table}");
    assert!(!table.contains("mutants_paper"), "{table}");
    let manifest = folder.json("out/manifest.json");
    assert_eq!(manifest["formulas"], "own two.fpcore");
    assert!(manifest["command"].as_str().unwrap().ends_with(" --budget 50"), "{manifest}");
    folder.assert_rows_fit("out");
    let readme = folder.read("out/README.md");
    assert!(readme.starts_with("# Magneto on own, two.fpcore, `paper` operators\n"), "{readme}");
    // A run of other formulas is another run.
    let before = manifest["formulas_sha256"].clone();
    folder.write("two.fpcore", "(FPCore (x) :pre (<= 1 x 2) :name \"one\" (+ x 2))");
    run(&["own", "two.fpcore"]).expect(0);
    assert_ne!(folder.json("out/manifest.json")["formulas_sha256"], before);
    // What is wrong is told with its place, of all files at once, and nothing is written.
    let files = folder.files("out");
    folder.write("bad.fpcore", "(FPCore (x)\n  (sqroot x))").write("worse.fpcore", "(FPCore (x) (+ x");
    let wrong = run(&["bad.fpcore", "worse.fpcore", "absent.fpcore"]).expect(2);
    wrong.says(&["bad.fpcore:2:4", "hint: ", "worse.fpcore:1:", "cannot read absent.fpcore"]);
    run(&["bad.fpcore", "worse.fpcore"]).expect(2).says(&["bad.fpcore:2:4", "error: no formula is left"]);
    run(&["own", "--filter", "nothing"]).expect(2).says(&["no formula has `nothing`"]);
    run(&["own", "--all"]).expect(2);
    assert!(folder.files("out") == files);
    // What can be read is evaluated all the same, and the rest is named.
    folder.write("own/bad.fpcore", folder.read("bad.fpcore"));
    let some = run(&["own"]).expect(0).says(&["warning: own/bad.fpcore:2:4", "note: own/bad.fpcore:2: skipped core 1"]);
    assert!(some.out.starts_with("1 formula"), "{}", some.out);
}
