//! Sections of a `magneto.toml`: options for some specifications only.

use crate::cli_support::{Folder, SMALL};

/// What a run recorded of an option.
fn option(folder: &Folder, file: &str, name: &str) -> (String, String) {
    let manifest = folder.json(file);
    let all = manifest["options"].as_array().unwrap();
    let one = all.iter().find(|o| o["name"] == name).unwrap();
    (one["value"].as_str().unwrap_or_default().to_owned(), one["origin"].as_str().unwrap().to_owned())
}

const TOML: &str = "operators = \"constant\"\nbudget = 40\nrel-error = \"1e-6\"\n\n\
    [spec.\"filters/*.fpcore\"]\noperators = [\"unary\"]\nulps = 8\n\n\
    [spec.\"**/two.fpcore:second\"]\nbudget = 7\n";

fn folder() -> Folder {
    let folder = Folder::new();
    let core = |name: &str| format!("(FPCore (x) :name \"{name}\" :pre (<= 1 x 2) (- (* 0.1 x) 1))\n");
    folder.write("plain.fpcore", core("plain")).write("filters/one.fpcore", core("one"));
    folder.write("filters/two.fpcore", core("first") + &core("second")).write("magneto.toml", TOML);
    folder
}

#[test]
fn a_section_is_about_the_specifications_that_it_names() {
    let folder = folder();
    let run = folder.run(&["gen", "plain.fpcore", "filters"]).expect(0);
    assert!(!run.err.contains("no file fits"), "{}", run.err);
    let of = |name: &str, knob: &str| option(&folder, &format!("magneto.out/{name}/manifest.json"), knob).0;
    for (name, operators, budget, relative, ulps) in [
        ("plain", "constant", "40", "1e-6", ""),
        ("one", "unary", "40", "", "8"),
        ("first", "unary", "40", "", "8"),
        ("second", "unary", "7", "", "8"),
    ] {
        let found = ["operators", "budget", "rel-error", "ulps"].map(|knob| of(name, knob));
        assert_eq!(found, [operators, budget, relative, ulps], "{name}");
    }
    assert_eq!(option(&folder, "magneto.out/one/manifest.json", "operators").1, "magneto.toml");
    // One summary stands above all.
    let specifications = folder.json("magneto.out/summary.json")["specifications"].as_array().unwrap().len();
    assert_eq!(specifications, 4);
    // Each is what a run over it alone gives, from another folder too, and other commands go by the same options.
    folder.run(&["gen", "filters/one.fpcore", "-o", "alone"]).expect(0);
    for file in ["manifest.json", "tests.csv", "mutants.csv"] {
        assert_eq!(folder.read(&format!("alone/{file}")), folder.read(&format!("magneto.out/one/{file}")), "{file}");
    }
    let mutants = folder.run(&["mutants", "filters/one.fpcore", "--json"]).expect(0).json();
    let made = folder.json("alone/mutants.json")["mutants"].as_array().unwrap().len();
    assert_eq!(mutants["mutants"].as_array().unwrap().len(), made);
    // The command line wins, over an accuracy as a whole.
    folder.run(&["gen", "filters", "-o", "flags", "--operators", "variable", "--abs-error", "0.1"]).expect(0);
    let of = |knob: &str| option(&folder, "flags/second/manifest.json", knob);
    assert_eq!(of("operators"), ("variable".to_owned(), "flag".to_owned()));
    assert_eq!([of("ulps").0, of("rel-error").0, of("budget").0], ["", "", "7"]);
    // Parts of a run know the sections of all.
    folder.run(&["gen", "plain.fpcore", "filters", "-o", "s1", "--shard", "1/2", "-q"]).expect(0);
    folder.write("magneto.toml", TOML.replace("ulps = 8", "ulps = 9"));
    folder.run(&["gen", "plain.fpcore", "filters", "-o", "s2", "--shard", "2/2", "-q"]).expect(0);
    let differ = folder.run(&["merge", "s1", "s2", "-o", "merged"]).expect(2);
    differ.says(&["the second has --spec `filters/*.fpcore: operators=unary, ulps=9`"]);
    folder.write("magneto.toml", TOML);
    folder.run(&["gen", "plain.fpcore", "filters", "-o", "s2", "--shard", "2/2", "-q"]).expect(0);
    folder.run(&["merge", "s1", "s2", "-o", "merged"]).expect(0);
    assert!(folder.files("merged") == folder.files("magneto.out"));
}

#[test]
fn wrong_sections_are_told_with_their_place() {
    let folder = folder();
    for (section, texts) in [
        (
            "[spec.\"plain.fpcore\"]\nbudgett = 3\n",
            ["magneto.toml:2:1: unknown key `budgett`", "hint: did you mean `budget`?"],
        ),
        ("[spec.\"plain.fpcore\"]\nbudget = \"x\"\n", ["magneto.toml:2:10: `budget`: expected a whole number", ""]),
        (
            "[spec.\"plain.fpcore\"]\njobs = 2\n",
            ["magneto.toml:2:1: `jobs` is for the whole run", "hint: put it above"],
        ),
        ("spec = 3\n", ["magneto.toml:1:1: `spec`: expected sections", "hint: write `[spec."]),
        ("[spec]\nbudget = 3\n", ["magneto.toml:2:1: `spec.budget`: expected options", "hint: write `[spec."]),
        ("[spec.\"a[.fpcore\"]\n", ["magneto.toml:1:7: `a[.fpcore` is no pattern", "hint: "]),
    ] {
        folder.write("magneto.toml", section);
        folder.run(&["gen", "plain.fpcore"]).expect(2).says(&texts);
    }
    assert!(!folder.path("magneto.out").exists());
    // A pattern that fits no file is a warning, and one that fits others none.
    folder.write("magneto.toml", "[spec.\"filtres/*.fpcore\"]\nbudget = 9\n[spec.\"filters/*\"]\nbudget = 9\n");
    let run = folder.run(&["gen", "plain.fpcore", "--operators", "constant"]).expect(0);
    let warnings: Vec<&str> = run.err.lines().filter(|l| l.contains("no file fits")).collect();
    assert_eq!(warnings.len(), 1, "{}", run.err);
    assert!(warnings[0].ends_with("magneto.toml:1:7: no file fits the section `filtres/*.fpcore`"), "{}", run.err);
    // So is a name that none of the files has, and not one that one of several has.
    let sections = ["filters/two.fpcore:scond", "filters/two.fpcore:second", "filters/*.fpcore:one"];
    folder.write("magneto.toml", sections.map(|s| format!("[spec.\"{s}\"]\nbudget = 9\n")).concat());
    let run = folder.run(&["gen", "plain.fpcore", "--operators", "constant"]).expect(0);
    let warnings: Vec<&str> = run.err.lines().filter(|l| l.starts_with("warning: ") && l.contains("section")).collect();
    assert_eq!(warnings.len(), 1, "{}", run.err);
    let said = "magneto.toml:1:7: no FPCore of its files has the name of the section `filters/two.fpcore:scond`";
    assert!(warnings[0].ends_with(said), "{}", run.err);
}

/// Each specification may have a gate of its own, also where a run is put together from parts.
#[test]
fn gates_of_sections() {
    let folder = folder();
    let run = |section: &str, code: i32| {
        let above = "operators = \"paper\"\nmin-score = 1\n\n[spec.\"filters/two.fpcore:second\"]\n";
        folder.write("magneto.toml", above.to_owned() + section);
        let made = |out: &str, more: &[&str]| {
            folder.run(&[&["gen", "plain.fpcore", "filters", "-q", "-o", out], more].concat())
        };
        let whole = made("out", &[]).expect(code);
        made("s1", &["--shard", "1/2"]);
        made("s2", &["--shard", "2/2"]);
        let merged = folder.run(&["merge", "s1", "s2", "-o", "merged"]).expect(code);
        (whole.err, merged.err)
    };
    // The paper counts equivalent mutants against the tests.
    let missed = "error: the paper score is below --min-score for second\n";
    let (whole, merged) = run("score = \"paper\"\n", 1);
    assert!(whole.ends_with(missed) && merged.ends_with(missed), "{whole}\n{merged}");
    run("score = \"paper\"\nmin-score = 0.1\n", 0);
    run("budget = 50\n", 0);
}

/// `--fail-on` takes several gates.
#[test]
fn several_gates() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL);
    let small = ["gen", "f.fpcore", "--operators", "constant", "-q", "--against", "out", "-o"];
    folder.run(&["gen", "f.fpcore", "--operators", "constant", "-q", "-o", "out"]).expect(0);
    let run = |dir: &str, more: &[&str], code: i32| folder.run(&[&small[..], &[dir], more].concat()).expect(code);
    run("both", &["--fail-on", "undecided,lower-score"], 0);
    run("twice", &["--fail-on", "lower-score", "--fail-on", "undecided"], 0);
    for dir in ["both", "twice"] {
        assert_eq!(option(&folder, &format!("{dir}/manifest.json"), "fail-on").0, "undecided,lower-score");
    }
    run("wrong", &["--fail-on", "undecided,killed"], 2).says(&["unknown value `killed`"]);
    folder.write("magneto.toml", "fail-on = [\"undecided\", \"lower-score\"]\n");
    run("file", &[], 0);
    assert_eq!(option(&folder, "file/manifest.json", "fail-on").0, "undecided,lower-score");
    // Either of them counts: here nothing is decided, and no score fell.
    folder.write("magneto.toml", "").write(
        "hard.fpcore",
        "(FPCore (x y) :name \"hard\" :pre (and (<= 1 x 2) (<= 1 y 2)) :magneto-rel-error 1e-3
           (/ (- (sqrt (+ x 1)) (sin (* x y))) (+ 1 (exp (- x y)))))",
    );
    let little = ["gen", "hard.fpcore", "--operators", "evaluation,unary", "--budget", "1", "--no-proofs", "-q"];
    folder.run(&[&little[..], &["-o", "before"]].concat()).expect(0);
    let gates = ["-o", "after", "--against", "before", "--fail-on", "lower-score,undecided"];
    folder.run(&[&little[..], &gates].concat()).expect(3);
}
