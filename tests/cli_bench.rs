//! `magneto bench`: the solver pairs, and the paper's evaluation on a part of its formulas.

mod cli_support;

use cli_support::Folder;
use magneto::bench::published::{COUNTS, TYPES};

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

const FILES: [&str; 6] = ["README.md", "manifest.json", "per_benchmark.csv", "table2.csv", "table3.csv", "timing.csv"];

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
    assert!(number("body_killed") >= number("body_killed_random_numbers"));
    assert!(number("body_killed") >= number("body_killed_random_floats"));
    assert!(number("tests_minimized") <= number("tests"));

    let table3 = table(&folder.read("tmp/table3.csv"));
    for (operator, count) in TYPES.iter().zip(published) {
        let row = table3.iter().find(|r| r["operator"] == operator.name()).unwrap();
        assert_eq!((row["all"].clone(), row["all_paper"].clone()), (count.to_string(), count.to_string()));
    }
    let row = &table(&folder.read("tmp/table2.csv"))[0];
    assert_eq!(row["mutants"], row["mutants_paper"]);
    assert_eq!(table(&folder.read("tmp/timing.csv")).len(), 1);
    let readme = folder.read("tmp/README.md");
    for text in ["## Undecided mutants", "compare only loosely", "magneto bench fpbench --operators paper --filter"] {
        assert!(readme.contains(text), "no `{text}` in\n{readme}");
    }
    assert!(!folder.read("tmp/manifest.json").contains(folder.root().to_str().unwrap()));
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
        files.retain(|f| f.0 != "timing.csv" && f.0 != "README.md");
        files
    };
    assert_eq!(files("a").len(), 4);
    assert_eq!(files("a"), files("b"));
    // Into the folder of an earlier run, too.
    run("a", "2");
    assert_eq!(files("a"), files("b"));
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
