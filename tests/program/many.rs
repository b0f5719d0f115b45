//! Many specifications at once: folders and patterns, and the action that runs them on a service.

use crate::cli_support;
use crate::cli_support::{Folder, SMALL};

const FEW: [&str; 2] = ["--operators", "constant"];

/// The names of the specifications of a run, in order.
fn names(folder: &Folder, run: &str) -> Vec<String> {
    let summary = folder.json(&format!("{run}/summary.json"));
    let all = summary["specifications"].as_array().unwrap();
    all.iter().map(|s| s["specification"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn folders_and_patterns_stand_for_their_files() {
    let folder = Folder::new();
    for (file, name) in [("lib/b", "b"), ("lib/a", "a"), ("lib/deep/er/c", "c"), ("lib/.hidden/d", "d"), ("e", "e")] {
        folder.write(&format!("{file}.fpcore"), SMALL.replace("small", name));
    }
    folder.write("lib/notes.txt", "no specification");
    let run = |arguments: &[&str]| {
        folder.run(&[&["gen", "-o", "out", "--force"], &FEW[..], arguments].concat()).expect(0);
        names(&folder, "out")
    };
    assert_eq!(run(&["lib"]), ["a", "b", "c"]);
    assert_eq!(run(&["lib/"]), ["a", "b", "c"]);
    assert_eq!(run(&["lib/*.fpcore"]), ["a", "b"]);
    assert_eq!(run(&["lib/**/*"]), ["a", "b", "c"]);
    assert_eq!(run(&["**/[ce].fpcore"]), ["e", "c"]);
    // In the order of the arguments, and each file once.
    assert_eq!(run(&["lib/b.fpcore", "e.fpcore", "lib", "./lib/*"]), ["b", "e", "a", "c"]);
    // A run's own copies of specifications are none.
    assert_eq!(run(&["."]), ["e", "a", "b", "c"]);
    let text = folder.run(&["lint", "lib"]).expect(0).out;
    assert!(["a", "b", "c"].iter().all(|n| text.contains(&format!("{n}: "))), "{text}");
}

#[test]
fn a_pattern_that_fits_nothing_is_an_error() {
    let folder = Folder::new();
    folder.write("a.fpcore", SMALL).write("empty/notes.txt", "");
    let refused = |argument: &str, why: &str| {
        folder.run(&["gen", "a.fpcore", argument, "-o", "out"]).expect(2).says(&[why]);
        assert!(!folder.path("out").exists());
    };
    refused("empty", "error: there is no .fpcore file in empty\nhint: name a folder that has one\n");
    refused("b*", "error: there is no .fpcore file that fits b*\nhint: `*` stands for part of a name");
    refused("a[.fpcore", "a[.fpcore is no pattern");
    refused("***/x", "***/x is no pattern");
    // Other commands are about one specification.
    folder.run(&["mutants", "empty"]).expect(2).says(&["empty is a folder"]);
}

/// A name with the signs of patterns in it is that file, and a folder's name is no pattern.
#[test]
fn what_exists_is_no_pattern() {
    let folder = Folder::new();
    folder.write("[ab].fpcore", SMALL.replace("small", "brackets")).write("a.fpcore", SMALL);
    folder.write("d[x]/f.fpcore", SMALL.replace("small", "inside")).write("dx/g.fpcore", SMALL);
    folder.run(&[&["gen", "[ab].fpcore", "d[x]", "-o", "out"], &FEW[..]].concat()).expect(0);
    assert_eq!(names(&folder, "out"), ["brackets", "inside"]);
}

/// The commands of a step of `action.yml`.
fn step(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("action.yml");
    let text = std::fs::read_to_string(path).unwrap();
    let (_, step) = text.split_once(&format!("- name: {name}\n")).unwrap();
    let (_, run) = step.split_once("      run: |\n").unwrap();
    run.lines().map_while(|line| line.strip_prefix("        ")).collect::<Vec<_>>().join("\n")
}

/// The action's steps do what they say, as the shell of the service runs them; installing and uploading are not for here.
#[test]
fn the_action_runs_reports_and_fails_where_a_score_fell() {
    let folder = Folder::new();
    let hard = "(FPCore (x y) :name \"f\" :pre (and (<= 1 x 2) (<= 1 y 2)) :magneto-rel-error 1e-3
        (/ (- (sqrt (+ x 1)) (sin (* x y))) (+ 1 (exp (- x y)))))";
    folder.write("lib/a.fpcore", hard).write("lib/deep/b.fpcore", SMALL).write("step.md", "");
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_magneto")).parent().unwrap().display().to_string();
    let path = format!("{program}:{}", std::env::var("PATH").unwrap());
    let run = |name: &str, output: &str, against: &str, options: &str| {
        let mut command = std::process::Command::new("bash");
        command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", &step(name)]).current_dir(folder.root());
        command.env("PATH", &path).env("SPECS", "lib/*.fpcore lib/deep").env("OUTPUT", output).env("AGAINST", against);
        command.env("OPTIONS", options).env("GITHUB_STEP_SUMMARY", folder.path("step.md"));
        command.env("GATES", "lower-score,weaker-spec").env("SOURCES", ".");
        cli_support::Ended::new(&command.output().unwrap())
    };
    let few = "--operators evaluation,unary";
    let little = format!("{few} --budget 1 --no-proofs");
    run("Run", "first", "", few).expect(0);
    run("Report", "first", "", few).expect(0);
    assert_eq!(names(&folder, "first"), ["f", "small"]);
    for file in ["f/report.html", "small/report.html", "junit.xml", "report.sarif"] {
        assert!(folder.path("first").join(file).is_file(), "{file}");
    }
    run("Run", "second", "first", &little).expect(1).says(&["the rigorous score fell for f"]);
    assert_eq!(folder.read("step.md"), "");
    run("Report", "second", "first", &little).expect(0);
    assert!(folder.read("step.md").contains("### f\n"), "{}", folder.read("step.md"));
    // A run that wrote nothing leaves nothing to report.
    run("Run", "third", "nowhere", few).expect(2);
    run("Report", "third", "nowhere", few).expect(0);
}

/// The step that runs implementations says in the job's summary what became of them.
#[test]
fn the_action_checks_implementations() {
    let folder = Folder::new();
    folder.write("f.fpcore", "(FPCore (x) :name \"f\" :pre (<= 1 x 2) :magneto-ulps 1 x)").write("step.md", "");
    folder.write("magneto.toml", "[[implementation]]\nspec = \"f.fpcore\"\nexec = \"cat\"\n");
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_magneto")).parent().unwrap().display().to_string();
    let run = |name: &str| {
        let mut command = std::process::Command::new("bash");
        command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", &step(name)]).current_dir(folder.root());
        command.env("PATH", format!("{program}:{}", std::env::var("PATH").unwrap())).env("OUTPUT", "out");
        command.env("SPECS", "f.fpcore").env("AGAINST", "").env("OPTIONS", "--operators bounds");
        command.env("GITHUB_STEP_SUMMARY", folder.path("step.md")).env("SOURCES", ".").env("GATES", "lower-score");
        cli_support::Ended::new(&command.output().unwrap())
    };
    run("Run").expect(0);
    run("Check").expect(0);
    assert!(folder.read("step.md").contains("1 of 1 implementations passed"), "{}", folder.read("step.md"));
    assert!(folder.read("out-check.xml").contains("name=\"f exec\"") && folder.path("out/check.json").exists());
    let toml = "[[implementation]]\nspec = \"f.fpcore\"\nexec = \"while read x; do echo 3; done\"\n";
    folder.write("magneto.toml", toml);
    run("Check").expect(1);
    run("Report").expect(0);
    // Wrong implementations stand in the reports of the run, and alerts at files of the repository.
    let sarif = folder.json("out/report.sarif");
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let wrong = results.iter().find(|r| r["ruleId"] == "implementation").unwrap();
    assert_eq!(wrong["level"], "error");
    assert!(wrong["message"]["text"].as_str().unwrap().starts_with("implementation exec of f is wrong at "), "{wrong}");
    let rule = &sarif["runs"][0]["tool"]["driver"]["rules"][wrong["ruleIndex"].as_u64().unwrap() as usize];
    assert_eq!(rule["id"], "implementation");
    let uris = results.iter().map(|r| &r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]);
    for uri in uris {
        assert!(folder.path(uri.as_str().unwrap()).is_file(), "{uri}");
    }
    let junit = folder.read("out/junit.xml");
    assert!(junit.contains("name=\"f exec\"") && junit.contains("<failure "), "{junit}");
}

/// Checks follow a gate that has failed, and a program that was built is kept.
#[test]
fn the_action_goes_on_after_a_gate() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("action.yml");
    let text = std::fs::read_to_string(path).unwrap();
    let of = |name: &str| {
        text.split_once(&format!("- name: {name}\n")).unwrap().1.split("- name: ").next().unwrap().to_owned()
    };
    assert!(of("Check").contains("if: always() && inputs.check == 'true'"));
    assert!(of("Keep the program").contains("path: ~/.cargo/bin/magneto"));
    assert!(of("Install").contains("if: steps.program.outputs.cache-hit != 'true'"));
    // The key is that of the sources.
    let folder = Folder::new();
    for name in ["Cargo.toml", "Cargo.lock", "build.rs", "src/a.rs", "python/a.py"] {
        folder.write(name, name);
    }
    let sum = || {
        folder.write("output", "");
        let mut command = std::process::Command::new("bash");
        command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", &step("Version")]);
        command.env("GITHUB_ACTION_PATH", folder.root()).env("GITHUB_OUTPUT", folder.path("output"));
        cli_support::Ended::new(&command.output().unwrap()).expect(0);
        folder.read("output")
    };
    let first = sum();
    assert!(first.starts_with("sum=") && first.trim().len() == 68 && first == sum(), "{first}");
    folder.write("src/a.rs", "other");
    assert_ne!(first, sum());
}

/// What the steps use of the action's inputs is declared, and every input is used.
#[test]
fn the_action_has_the_inputs_that_it_uses() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("action.yml");
    let text = std::fs::read_to_string(path).unwrap();
    let (declared, steps) = text.split_once("runs:\n").unwrap();
    let is_name = |line: &&str| line.starts_with("  ") && !line.starts_with("   ") && line.ends_with(':');
    let declared: std::collections::BTreeSet<&str> =
        declared.lines().filter(is_name).map(|l| l.trim().trim_end_matches(':')).collect();
    let used: std::collections::BTreeSet<&str> = steps
        .split("inputs.")
        .skip(1)
        .map(|rest| &rest[..rest.find(|c: char| !c.is_alphanumeric()).unwrap()])
        .collect();
    assert_eq!(declared, used);
    assert!(declared.len() == 9 && !text.contains('\t'));
}

/// The most memory that the program has in use while it runs over so many specifications, one after the other. Unit: KiB.
#[cfg(target_os = "linux")]
fn most_memory(folder: &Folder, specifications: usize) -> u64 {
    let formula = "(+ (* x (sin y)) (/ (exp y) (+ x (* y (sqrt (+ x 2))))))";
    let one = |k: usize| {
        let pre = "(and (<= 1 x 4) (<= 1 y 2))";
        format!("(FPCore (x y) :name \"s{k}\" :pre {pre} :magneto-rel-error 1e-6 {formula})\n")
    };
    folder.write("all.fpcore", (0..specifications).map(one).collect::<String>());
    let more = ["--operators", "constant,unary,binary,delete", "--jobs", "1", "-q", "--force"];
    let mut run = folder.command(&[&["gen", "all.fpcore", "-o", "out"][..], &more].concat()).spawn().unwrap();
    let mut most = 0;
    while run.try_wait().unwrap().is_none() {
        let status = std::fs::read_to_string(format!("/proc/{}/status", run.id())).unwrap_or_default();
        let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
        most = peak.unwrap_or(most);
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(run.wait().unwrap().success());
    most
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_number_of_specifications() {
    let folder = Folder::new();
    let (few, many) = (most_memory(&folder, 8), most_memory(&folder, 60));
    // All that is found takes twice as much.
    assert!(few > 0 && many < few + (7 << 10), "{few} KiB, {many} KiB");
    assert!(folder.path("out/s59/matrix.csv").is_file());
    // Nothing else is left.
    let mut left: Vec<_> = std::fs::read_dir(folder.root()).unwrap().map(|f| f.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["all.fpcore", "out"]);
}
