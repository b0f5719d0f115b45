//! What is wrong with the input: exit code 2, a message with a place, and nothing written.

use crate::cli_support::{Ended, Folder, SMALL};

/// Runs `gen` on one file; it must fail, say all of `texts`, and write nothing.
#[track_caller]
fn refuses(text: impl AsRef<[u8]>, texts: &[&str]) {
    let folder = Folder::new();
    folder.write("f.fpcore", text);
    let ended = folder.run(&["gen", "f.fpcore", "-o", "out"]).expect(2).says(texts);
    assert_eq!(ended.out, "");
    assert!(!folder.path("out").exists());
    let json = folder.run(&["gen", "f.fpcore", "-o", "out", "--json"]).expect(2).json();
    assert_eq!(json["schema"], "magneto/error/1");
    assert!(json["errors"].as_array().is_some_and(|e| !e.is_empty()));
    for command in ["mutants", "lint"] {
        if command == "mutants" || !texts[0].contains("no value") {
            let code = folder.run(&[command, "f.fpcore"]).code;
            assert!(matches!(code, Some(0 | 2)), "{command}: {code:?}");
        }
    }
}

#[test]
fn files_that_are_no_specification() {
    refuses("", &["f.fpcore: there is no FPCore"]);
    refuses("; a comment", &["there is no FPCore"]);
    refuses(b"\x00\xff\xfe\x01binary", &["not a text file", "f.fpcore:1:2"]);
    refuses("(".repeat(1 << 20), &["nested", "f.fpcore:1:"]);
    refuses("(FPCore (x) (sqrt x)", &["never closed", "^"]);
    refuses("int main() { return 0; }", &["expected `(FPCore"]);
}

#[test]
fn mistakes_with_place_and_hint() {
    refuses("(FPCore (x) :pre (<= 0 x 1)\n  (sine x))", &["f.fpcore:2:4", "(sine x)", "^^^^", "did you mean `sin`?"]);
    refuses(
        "(FPCore (x) :pre (<= 0 x 1)\n  :magneto-rel-eror 1e-3 x)",
        &["f.fpcore:2:3", "hint: did you mean `:magneto-rel-error`?"],
    );
    refuses("(FPCore (x) :pre (<= 2 x 1) x)", &["the domain is empty", "f.fpcore:1:18"]);
    refuses("(FPCore (x) :pre (<= 0 x 1) :magneto-rel-error 0 x)", &["must be positive, not 0"]);
    refuses(
        "(FPCore (x)\n  :precison binary32 :pre (<= 0 x 1) x)",
        &["error: f.fpcore:2:3: unknown property `:precison`", "hint: did you mean `:precision`?"],
    );
    refuses(
        "(FPCore (x) :precision binary46\n  :pre (<= 0 x 1) x)",
        &["error: f.fpcore:1:24: `:precision`: unknown precision `binary46`", "hint: did you mean `binary64`?"],
    );
    refuses("(FPCore (x) y)", &["`y`", "f.fpcore:1:13"]);
    refuses("(FPCore (x) :pre (<= 1 x 2) (sqrt (- 0 x)))", &["f.fpcore:1:1", "no value anywhere in its domain"]);
    refuses(
        "(FPCore (x) :pre (< 1 x 0x1.0000000000001p+0) x)",
        &["of `x` holds no binary64 number", "the nearest are 0x1p+0 (1) and 0x1.0000000000001p+0"],
    );
}

#[test]
fn a_name_in_the_wrong_place_is_told_where_to_go() {
    let hint = |name: &str| format!("`(FPCore (x) :name \"{name}\" … body)`");
    refuses(
        "(FPCore log1p (x) :pre (<= 0 x 1) (log (+ 1 x)))",
        &["f.fpcore:1:9: `log1p` is an operator", &hint("log1p")],
    );
    refuses("(FPCore \"my log\" (x) (log (+ 1 x)))", &["f.fpcore:1:9: the argument list is missing", "`:name`"]);
}

#[test]
fn where_an_unsupported_formula_is_refused_the_way_out_is_named() {
    let folder = Folder::new();
    let text = format!("(FPCore (x) :name \"loop\" :pre (<= 0 x 1) (ref (array (< x 1) (< 1 x)) 0))\n{SMALL}");
    folder.write("f.fpcore", &text);
    for command in [&["gen", "-o", "out"][..], &["lint"], &["mutants"]] {
        let refused = folder.run(&[&command[..1], &["f.fpcore"], &command[1..]].concat()).expect(2);
        refused.says(&[
            "f.fpcore:1:47: arrays of conditions are not supported",
            "hint: --skip-unsupported of gen and lint",
        ]);
    }
    folder.run(&["gen", "f.fpcore", "-o", "out", "--skip-unsupported"]).expect(0).says(&["f.fpcore:1: skipped `loop`"]);
    // As magneto.toml it holds of commands without the flag as well.
    folder.write("magneto.toml", "skip-unsupported = true\n");
    folder.run(&["mutants", "f.fpcore"]).expect(0).says(&["skipped `loop`"]);
}

#[test]
fn misspelt_properties_are_warned_of() {
    let folder = Folder::new();
    folder.write("f.fpcore", "(FPCore (x)\n  :nmae \"n\" :pre (<= 1 x 2) :magneto-rel-error 1e-3 x)");
    let ended = folder.run(&["lint", "f.fpcore"]).expect(0);
    let expected = "warning: f.fpcore:2:3: the unknown property `:nmae` is ignored\n";
    assert!(ended.out.contains(expected) && ended.out.contains("hint: did you mean `:name`?\n"), "{}", ended.out);
    folder.run(&["lint", "f.fpcore", "--deny", "warnings"]).expect(1);
    folder.run(&["gen", "f.fpcore", "-o", "out"]).expect(0).says(&["warning: f.fpcore:2:3", "did you mean `:name`?"]);
}

#[test]
fn all_mistakes_of_all_files_at_once() {
    let folder = Folder::new();
    folder.write("a.fpcore", "(FPCore (x) (sine x))\n(FPCore (x) (cosine x))").write("b.fpcore", "(FPCore (x) z)");
    folder.write("good.fpcore", SMALL);
    std::fs::create_dir(folder.path("none")).unwrap();
    folder
        .run(&["gen", "a.fpcore", "good.fpcore", "b.fpcore", "missing.fpcore", "none", "z*", "-o", "out"])
        .expect(2)
        .says(&[
            "a.fpcore:1:14",
            "a.fpcore:2:14",
            "b.fpcore:1:13",
            "cannot read missing.fpcore",
            "there is no .fpcore file in none",
            "there is no .fpcore file that fits z*",
        ]);
    assert!(!folder.path("out").exists());
}

#[test]
fn a_missing_file_has_a_hint() {
    let folder = Folder::new();
    folder.write("specs/airflow.fpcore", SMALL).write("specs/sinc.fpcore", SMALL).write("t.csv", "x,y\n2,1\n");
    let none = |argument: &str, hint: &str| {
        let said = format!("error: cannot read {argument}: there is no such file\nhint: {hint}\n");
        folder.run(&["gen", argument]).expect(2).says(&[&said]);
    };
    none("specs/airfolw.fpcore", "did you mean `specs/airflow.fpcore`?");
    none("specs/airflow", "did you mean `specs/airflow.fpcore`?");
    none("specs/heart-rate.fpcore", "in `specs` there are `airflow.fpcore`, `sinc.fpcore`");
    none("spec/airflow.fpcore", "there is no folder `spec`");
    none("airflow.fpcore", "there is no .fpcore file in the current folder");
    let file = "specs/sinc.fpcore";
    let said = ["cannot read tt.csv: there is no such file", "hint: did you mean `t.csv`?"];
    folder.run(&["eval", file, "tt.csv"]).expect(2).says(&said);
    folder.run(&["check", file, "tt.csv", "--exec", "cat"]).expect(2).says(&said);
    folder.run(&["check", file, "t.csv", "--results", "tt.csv"]).expect(2).says(&said);
    let library = folder.run(&["check", file, "t.csv", "--c-source", "f.c", "--fn", "f"]).expect(2);
    library
        .says(&["--c-source: there is no file f.c", "hint: there is no .c or .cpp or .cc file in the current folder"]);
}

#[test]
fn a_damaged_file_of_a_run_is_named_with_the_place() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL);
    folder.run(&["gen", "f.fpcore", "--operators", "constant", "-o", "out", "-q"]).expect(0);
    let id = folder.run(&["mutants", "f.fpcore", "--operators", "constant"]).expect(0).out[..12].to_owned();
    let commands: [&[&str]; 5] = [
        &["explain", "f.fpcore", &id, "--operators", "constant", "--from", "out"],
        &["eval", "f.fpcore", "out"],
        &["report", "out"],
        &["report", "out", "--format", "csv"],
        &["export", "out", "--to", "c"],
    ];
    // What each of them reads.
    for (name, readers) in [
        ("summary.json", &[0, 1, 2, 3, 4][..]),
        ("manifest.json", &[0, 1, 2, 3, 4]),
        ("mutants.json", &[0, 2, 3]),
        ("tests.json", &[0, 2, 3, 4]),
    ] {
        let whole = folder.read(&format!("out/{name}"));
        // In the middle of the third line.
        let end = whole.match_indices('\n').nth(1).unwrap().0 + 8;
        folder.write(&format!("out/{name}"), &whole[..end]);
        for k in readers {
            let ended = folder.run(commands[*k]).expect(2);
            let said = format!("{name}:3:7: the file is damaged: EOF while parsing");
            ended.says(&[&said, "run `magneto gen` again\n"]);
        }
        folder.write(&format!("out/{name}"), whole);
    }
    folder.write("out/check.json", "{");
    folder.run(commands[3]).expect(2).says(&["out/check.json:1:1: the file is damaged", "run `magneto check` again"]);
}

#[test]
fn picking_a_core() {
    let folder = Folder::new();
    folder.write(
        "two.fpcore",
        "(FPCore one (x) :pre (<= 1 x 2) (sqrt x))\n(FPCore (x) :name \"two\" :pre (<= 1 x 2) (exp x))",
    );
    folder.write("same.fpcore", "(FPCore a (x) :name \"n\" x)\n(FPCore b (x) :name \"n\" x)");
    for pick in ["two.fpcore:one", "two.fpcore:two"] {
        folder.run(&["mutants", pick]).expect(0);
    }
    folder.run(&["mutants", "two.fpcore"]).expect(2).says(&["holds 2 FPCores", "`one`, `two`"]);
    folder.run(&["mutants", "two.fpcore:on"]).expect(2).says(&["no FPCore is called `on`", "did you mean `one`?"]);
    folder.run(&["mutants", "two.fpcore:xyz"]).expect(2).says(&["there are `one`, `two`"]);
    folder.run(&["mutants", "same.fpcore:n"]).expect(2).says(&["2 FPCores are called `n`", "`a`, `b`"]);
    folder.run(&["mutants", "same.fpcore:b"]).expect(0);
    folder.run(&["mutants", "none.fpcore:b"]).expect(2).says(&["cannot read none.fpcore"]);
}

#[test]
fn a_core_with_an_error_does_not_spoil_the_others() {
    let folder = Folder::new();
    folder.write("f.fpcore", "(FPCore a (x) (sine x))\n(FPCore b (x) :pre (<= 1 x 2) (exp x))");
    folder.run(&["mutants", "f.fpcore:b"]).expect(0);
    folder.run(&["mutants", "f.fpcore:a"]).expect(2).says(&["sine"]);
}

#[test]
fn unsupported_features() {
    let folder = Folder::new();
    let looping = "(FPCore (n) :name \"loopy\" (for ([i n]) ([s 0 (+ s i)]) s))";
    folder.write("f.fpcore", format!("{SMALL}{looping}"));
    let flags = ["--operators", "constant", "-o", "out"];
    folder
        .run(&[&["gen", "f.fpcore"][..], &flags].concat())
        .expect(2)
        .says(&["this must be a natural number that depends on no input"]);
    assert!(!folder.path("out").exists());
    folder
        .run(&[&["gen", "f.fpcore:loopy", "--skip-unsupported"][..], &flags].concat())
        .expect(2)
        .says(&["this must be a natural number"]);
    assert!(!folder.path("out").exists());
    folder
        .run(&[&["gen", "f.fpcore", "--skip-unsupported"][..], &flags].concat())
        .expect(0)
        .says(&["note: f.fpcore:7: skipped `loopy`"]);
    assert!(folder.path("out/tests.csv").exists());
    // Whoever calls what is left out is left out too.
    folder.write("g.fpcore", "(FPCore f (x) (for ([i x]) ([s 0 (+ s i)]) s))\n(FPCore g (x) (f x))");
    folder.run(&["gen", "g.fpcore", "--skip-unsupported"]).expect(2).says(&[
        "skipped `f`",
        "skipped `g`",
        "no specification is left",
    ]);
}

#[test]
fn flags() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL);
    for (flags, text) in [
        (&["--operators", "foo"][..], "unknown operator `foo`"),
        (&["--rel-error", "0"], "must be positive"),
        (&["--abs-error", "-1"], "must be positive"),
        (&["--ulps", "2 binary65"], "did you mean `binary64`?"),
        (&["--domain", "x"], "is not a domain"),
        (&["--domain", "z=[0,1]"], "there is no input `z`"),
        (&["--domain", "x=[5,6]"], "the domain is empty"),
        (&["--budget", "0"], "at least 1"),
        (&["--jobs", "none"], "whole number"),
        (&["--delta-min", "3"], "from 0 to 2"),
        (&["--encoding", "papers"], "did you mean `paper`?"),
        (&["--min-score", "1.5"], "from 0 to 1"),
        (&["--fail-on", "killed"], "there are nothing, undecided"),
        (&["--unknown"], "unexpected argument"),
    ] {
        folder.run(&[&["gen", "f.fpcore", "-o", "out"], flags].concat()).expect(2).says(&[text]);
        assert!(!folder.path("out").exists());
    }
    folder.run(&["gen"]).expect(2).says(&["SPEC"]);
    folder.run(&["genn"]).expect(2).says(&["gen"]);
}

#[test]
fn settings_files() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL).write("magneto.toml", "budget = 10\nbudgte = 5\n");
    folder.run(&["gen", "f.fpcore"]).expect(2).says(&[
        "magneto.toml:2:1: unknown key `budgte`",
        "hint: did you mean `budget`?",
        "budgte = 5",
    ]);
    folder.write("magneto.toml", "jobs = \"many\"\nminimize = 1\n[table]\n");
    folder.run(&["gen", "f.fpcore"]).expect(2).says(&["magneto.toml:1:8", "magneto.toml:2:12", "`table`"]);
    folder.write("magneto.toml", "budget = \n");
    folder.run(&["mutants", "f.fpcore"]).expect(2).says(&["magneto.toml:1:"]);
    assert!(!folder.path("magneto.out").exists());

    folder.write("magneto.toml", "operators = [\"constant\", \"bounds\"]\nbudget = 123\noutput = \"from-toml\"\n");
    folder.write("sub/g.fpcore", SMALL);
    let mut command = folder.command(&["gen", "g.fpcore", "--budget", "77"]);
    assert_eq!(command.current_dir(folder.path("sub")).output().unwrap().status.code(), Some(0));
    let manifest = folder.json("from-toml/manifest.json");
    let option = |name: &str| {
        let all = manifest["options"].as_array().unwrap();
        all.iter().find(|o| o["name"] == name).map(|o| (o["value"].clone(), o["origin"].clone())).unwrap()
    };
    assert_eq!(option("operators"), ("constant,bounds".into(), "magneto.toml".into()));
    assert_eq!(option("budget"), ("77".into(), "flag".into()));
    assert_eq!(option("encoding"), ("separation".into(), "default".into()));
}

#[test]
fn folders_of_others_are_left_alone() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL).write("out/notes.txt", "mine").write("other/tests.csv", "mine");
    let gen_into = |dir, more: &[&'static str]| {
        folder.run(&[&["gen", "f.fpcore", "--operators", "constant", "-o", dir], more].concat())
    };
    gen_into("out", &[]).expect(2).says(&["`notes.txt`, which magneto did not write"]);
    gen_into("other", &[]).expect(2).says(&["`tests.csv`"]);
    gen_into("f.fpcore", &[]).expect(2).says(&["cannot write into f.fpcore"]);
    gen_into("f.fpcore/sub", &[]).expect(2).says(&["cannot write into", "--output"]);
    // Beside it, but not over it.
    gen_into("other", &["--force"]).expect(2).says(&["other/tests.csv", "would be overwritten"]);
    assert_eq!((folder.read("out/notes.txt"), folder.read("other/tests.csv")), ("mine".into(), "mine".into()));
    assert_eq!(folder.files("out").len(), 1);
    gen_into("out", &["--force"]).expect(0);
    assert_eq!(folder.read("out/notes.txt"), "mine");
    assert!(folder.path("out/tests.csv").exists());
    // The files of an earlier run may be overwritten, also by those of a run with other folders.
    gen_into("again", &[]).expect(0);
    let first = folder.files("again");
    gen_into("again", &[]).expect(0);
    assert_eq!(folder.files("again"), first);
    folder.write("g.fpcore", SMALL).write("h.fpcore", SMALL.replace("small", "large"));
    folder.run(&["gen", "f.fpcore", "g.fpcore", "--operators", "constant", "-o", "again"]).expect(0);
    let names: Vec<String> = folder.files("again").into_iter().map(|f| f.0).collect();
    assert!(names.iter().all(|n| n.starts_with("small") || n == "summary.json"), "{names:?}");
    gen_into("again", &[]).expect(0);
    assert_eq!(folder.files("again"), first);
    // Those of another specification only where that is meant.
    let other = ["gen", "h.fpcore", "--operators", "constant", "-o", "again"];
    folder.run(&other).expect(2).says(&["earlier results in again, of small, would be lost", "--force"]);
    assert_eq!(folder.files("again"), first);
    folder.run(&[&other[..], &["--force"]].concat()).expect(0).says(&["of small, are replaced"]);
}

#[test]
fn what_stands_in_the_wrong_place_is_named() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL).write("in.csv", "x,y\n1,2\n");
    for command in [&["eval"][..], &["check", "--exec", "cat"]] {
        for spec in ["f.fpcore", "f.fpcore:small"] {
            let ended = folder.run(&[command, &["in.csv", spec]].concat()).expect(2);
            ended.says(&["is a specification, and stands in the place of the tests", "write magneto", " in.csv\n"]);
        }
    }
    let mut command = folder.command(&["check", "f.fpcore", "in.csv", "--python", "f:f"]);
    let ended = Ended::new(&command.env("PYTHON", "/no/such/python").output().unwrap()).expect(4);
    ended.says(&["the Python interpreter `/no/such/python` of $PYTHON cannot be started"]);
}

/// A range without a number of its format says between which numbers it lies, wherever it is found out.
#[test]
fn a_range_that_holds_no_number() {
    let folder = Folder::new();
    folder.write("f.fpcore", "(FPCore (x) :name \"thin\" :pre (<= 0.1 x 0.1) (* x x))").write("in.csv", "x\n0.1\n");
    let said = [
        "the range [0.1, 0.1] of `x` holds no binary64 number",
        "the nearest are 0x1.9999999999999p-4 (0.09999999999999999) \
                 and 0x1.999999999999ap-4 (0.1)",
    ];
    for command in [&["gen"][..], &["lint"], &["check", "--exec", "cat"]] {
        let ended = folder.run(&[command, &["f.fpcore"]].concat());
        let text = format!("{}{}", ended.out, ended.err);
        assert!(said.iter().all(|s| text.contains(s)), "{command:?}: {text}");
    }
}

#[test]
fn json_has_the_measured_phases() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL);
    let document = folder.run(&["gen", "f.fpcore", "--json"]).expect(0).json();
    let phases = document["specifications"][0]["phases"].as_array().unwrap();
    let names: Vec<&str> = phases.iter().map(|p| p["phase"].as_str().unwrap()).collect();
    assert_eq!(names, ["mutants", "probes", "proofs", "solver", "ranges and accuracy", "oracle"]);
    assert!(phases.iter().all(|p| p["seconds"].as_str().unwrap().parse::<f64>().is_ok()), "{phases:?}");
    // The stages of the run add up to its time, which is printed with two digits.
    let seconds = |text: &serde_json::Value| text.as_str().unwrap().parse::<f64>().unwrap();
    let stages = document["stages"].as_array().unwrap();
    let all: f64 = stages.iter().map(|s| seconds(&s["seconds"])).sum();
    assert!((all - seconds(&document["seconds"])).abs() < 0.01, "{document}");
    let names: Vec<&str> = stages.iter().map(|s| s["phase"].as_str().unwrap()).collect();
    assert_eq!(names, ["specifications", "mutants and tests", "files"]);
    // No file holds a time.
    assert!(!folder.read("magneto.out/summary.json").contains("phases"));
}

/// Sizes that nobody means end with a message, not with the machine's memory.
#[test]
fn limits() {
    let folder = Folder::new();
    folder.write("deep.fpcore", "(".repeat(15_000_000));
    let magneto = env!("CARGO_BIN_EXE_magneto");
    // 600 MB of address space: the text, its copy, and what any program has.
    let script = format!("ulimit -v 600000; exec '{magneto}' lint deep.fpcore");
    let output = std::process::Command::new("sh").args(["-c", &script]).current_dir(folder.root()).output().unwrap();
    Ended::new(&output).expect(2).says(&["nested more than 400 deep"]);
    folder.write("f.fpcore", SMALL).write("in.csv", "x,y\n1,2\n");
    let endless = ["check", "f.fpcore", "in.csv", "--results", "/dev/zero"];
    folder.run(&endless).expect(2).says(&["/dev/zero has more than 64 MiB"]);
}

#[test]
fn misspelt_commands_get_a_suggestion() {
    let folder = Folder::new();
    for (word, meant) in
        [("gne", "gen"), ("chekc", "check"), ("test", "check"), ("oracel", "oracle"), ("create", "new")]
    {
        folder.run(&[word, "f.fpcore"]).expect(2).says(&[&format!("'{word}'"), &format!("'{meant}'")]);
    }
    let ended = folder.run(&["qqqqqq"]).expect(2);
    assert!(!ended.err.contains("similar"), "{}", ended.err);
}

/// A formula in the place of a file: its tests, its oracle, and mistakes with their places.
#[test]
fn formulas_stand_in_the_place_of_files() {
    let folder = Folder::new();
    let formula = "x: [0, 1] -> exp(x) - 1";
    folder.run(&["gen", "--formula", formula, "--rel-error", "1e-12", "-o", "out"]).expect(0);
    assert!(std::fs::read_to_string(folder.path("out/tests.csv")).unwrap().lines().count() > 20);
    let oracle = folder.run(&["oracle", formula, "--rel-error", "1e-12", "--at", "x=0"]).expect(0);
    assert!(oracle.out.contains("f(x)        0"), "{}", oracle.out);
    let refused = ["gen", "--formula", "x: [0, 1] -> exq(x) - 1", "-o", "none"];
    folder.run(&refused).expect(2).says(&["<formula>:1:14", "unknown function `exq`", "did you mean `exp`?"]);
    let in_c = ["gen", "--language", "c", "--formula", "x: [0, 1] -> x^2", "-o", "none"];
    folder.run(&in_c).expect(2).says(&["<formula>:1:15", "pow"]);
    // As SPEC too: half of x is 0 in C.
    let as_spec = ["lint", "x: [1, 2] -> 1/2*x", "--language", "c"];
    folder.run(&as_spec).expect(2).says(&["<formula>:1:14", "1.0/2"]);
    folder.run(&["gen", "--language", "fortran", "--formula", formula, "-o", "none"]).expect(2).says(&["python"]);
    assert!(!folder.path("none").exists());
}
