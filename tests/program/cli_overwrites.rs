//! Commands that write beside other files overwrite none that is not their own.

use crate::cli_support::{Folder, SMALL};
use crate::support::compilers::has_clang;

const CODE: &str = "double f(double x) {\n    if (x > 1.5)\n        return 2;\n    return x;\n}\ndouble g(double x) {\n    return x;\n}\n";

/// A second run of a command replaces the first; a file that stands where it writes is an error, and stays.
fn refuses(folder: &Folder, command: &[&str], file: &str) {
    let code = folder.run(&[command, &["-o", "own"]].concat()).code;
    assert!(code == Some(0) || code == Some(3), "{command:?}: {code:?}");
    assert_eq!(folder.run(&[command, &["-o", "own"]].concat()).code, code);
    folder.write("mine/note.txt", "beside").write(&format!("mine/{file}"), "mine");
    let said = folder.run(&[command, &["-o", "mine"]].concat()).expect(2);
    said.says(&[&format!("{file} is of something else"), "hint: choose another folder"]);
    assert_eq!(folder.files("mine").len(), 2);
    assert_eq!(folder.read(&format!("mine/{file}")), "mine");
    std::fs::remove_dir_all(folder.path("mine")).unwrap();
}

#[test]
fn what_is_of_something_else_stays() {
    let folder = Folder::new();
    folder.write("s.fpcore", SMALL).write("f.c", CODE);
    folder.write("s.smt2", "(declare-const x (_ FloatingPoint 8 24))\n(assert (fp.lt x x))\n(check-sat)\n");
    folder.run(&["gen", "s.fpcore", "-q", "--operators", "constant", "-o", "run"]).expect(0);
    refuses(&folder, &["solve", "s.smt2"], "solve.json");
    refuses(&folder, &["eval", "s.fpcore", "run"], "eval.csv");
    if has_clang() {
        let few = ["--evaluations", "500"];
        refuses(&folder, &[&["cover", "f.c", "--fn", "f"], &few[..]].concat(), "tests.csv");
        refuses(&folder, &[&["cover", "f.c", "--fn", "f", "--fn", "g"], &few[..]].concat(), "g");
        // The folder of a run of another command has files of the same names.
        let before = folder.files("run");
        folder.run(&[&["cover", "f.c", "--fn", "f", "-o", "run"], &few[..]].concat()).expect(2);
        assert!(folder.files("run") == before);
    }
}

/// A folder is known by the schema of a document, not by what else stands in it.
#[test]
fn a_document_of_a_person_is_none_of_ours() {
    let folder = Folder::new();
    folder.write("s.fpcore", SMALL).write("s.smt2", "(check-sat)");
    folder.run(&["gen", "s.fpcore", "-q", "--operators", "constant", "-o", "run"]).expect(0);
    let theirs = [
        ("solve.json", "{\"checks\": [\"mine\"]}", &["solve", "s.smt2"][..]),
        ("solve.json", "{\"about\": \"magneto/solve/1\"}", &["solve", "s.smt2"]),
        ("eval.json", "{\"about\": \"magneto/eval/1\"}", &["eval", "s.fpcore", "run"]),
    ];
    for (file, text, command) in theirs {
        folder.write(&format!("mine/{file}"), text);
        leaves_all(&folder, &[command, &["-o", "mine"]].concat(), &[&format!("{file} is of something else")]);
        std::fs::remove_dir_all(folder.path("mine")).unwrap();
    }
    folder.write("mine/manifest.json", "{\"about\": \"magneto/bench-rounding/1\"}");
    let bench = ["bench", "rounding", "--filter", "doppler1", "--boxes", "10", "--evaluations", "10", "-o", "mine"];
    leaves_all(&folder, &bench, &["mine holds files that this command did not write"]);
}

/// A search for the largest errors comes to its end where none is larger: no finite result where one is owed.
#[test]
fn an_infinite_result_ends_the_search() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.write("f.c", "double f(double x) {\n    if (x * x < 0)\n        return 7;\n    return 1 / x;\n}\n");
    folder.write("f.fpcore", "(FPCore (x) :precision binary64 :pre (<= 0 x 5) :magneto-abs-error 1e-9 (+ x 1))");
    let run = folder.run(&["cover", "f.c", "--fn", "f", "--spec", "f.fpcore", "--judged", "2000"]).expect(1);
    assert!(run.out.contains("KO"), "{}", run.out);
}

/// A command that is to end with an error, and to leave every file below the folder as it is.
#[track_caller]
fn leaves_all(folder: &Folder, arguments: &[&str], says: &[&str]) {
    let before = folder.files(".");
    folder.run(arguments).expect(2).says(says);
    assert!(folder.files(".") == before, "{arguments:?}");
}

/// Nothing is written through a symbolic link, be it a file, a folder in the results, or what a person names.
#[cfg(unix)]
#[test]
fn no_link_is_written_through() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    let two = format!("{SMALL}\n{}", SMALL.replacen("(FPCore (", "(FPCore other (", 1));
    folder.write("s.fpcore", SMALL).write("two.fpcore", &two).write("victim", "mine").write("elsewhere/notes", "mine");
    let few = ["-q", "--operators", "constant"];
    folder.run(&[&["gen", "s.fpcore", "-o", "run"], &few[..]].concat()).expect(0);
    folder.run(&[&["gen", "two.fpcore", "-o", "runs"], &few[..]].concat()).expect(0);
    for (format, name) in [("html", "report.html"), ("csv", "summary.csv"), ("sarif", "report.sarif")] {
        symlink("../victim", folder.path(&format!("run/{name}"))).unwrap();
        let says = [&*format!("run/{name} is a symbolic link"), "hint: remove the link"];
        leaves_all(&folder, &["report", "run", "--format", format], &says);
        std::fs::remove_file(folder.path(&format!("run/{name}"))).unwrap();
    }
    symlink("victim", folder.path("link")).unwrap();
    leaves_all(&folder, &["report", "run", "-o", "link"], &["link is a symbolic link"]);
    leaves_all(&folder, &["eval", "s.fpcore", "run", "--junit", "link"], &["link is a symbolic link"]);
    // A folder of the run is a link to one of the same files.
    let inner = folder.json("runs/summary.json")["specifications"][1]["folder"].as_str().unwrap().to_owned();
    let (there, moved) = (folder.path("runs").join(&inner), folder.path("elsewhere/moved"));
    std::fs::rename(&there, &moved).unwrap();
    symlink(&moved, &there).unwrap();
    leaves_all(&folder, &["report", "runs"], &[&format!("runs/{inner} is a symbolic link")]);
    let again = [&["gen", "two.fpcore", "--force", "-o", "runs"], &few[..]].concat();
    leaves_all(&folder, &again, &[&format!("runs/{inner}"), "hint: choose another folder"]);
    // A file of the results.
    std::fs::rename(folder.path("run/tests.csv"), folder.path("elsewhere/tests.csv")).unwrap();
    symlink("../elsewhere/tests.csv", folder.path("run/tests.csv")).unwrap();
    leaves_all(&folder, &[&["gen", "s.fpcore", "-o", "run"], &few[..]].concat(), &["tests.csv"]);
    leaves_all(&folder, &[&["gen", "s.fpcore", "--force", "-o", "run"], &few[..]].concat(), &["tests.csv"]);
    folder.write("mine/eval.json", "{\"schema\": \"magneto/eval/1\"}");
    symlink("../victim", folder.path("mine/eval.csv")).unwrap();
    leaves_all(
        &folder,
        &["eval", "s.fpcore", "runs/../elsewhere/tests.csv", "-o", "mine"],
        &["mine/eval.csv is a symbolic link"],
    );
    assert_eq!(folder.read("victim"), "mine");
}

/// What a person names as the place of a result is written where nothing is, and where an earlier result of the same kind
/// is; an input, a file of the run and a file of somebody else stay.
#[test]
fn a_named_file_takes_the_place_of_its_own_kind_only() {
    let folder = Folder::new();
    folder.write("s.fpcore", SMALL).write("notes.txt", "mine").write("empty", "");
    folder
        .write("page.html", "<!DOCTYPE html><title>mine</title>")
        .write("ci.xml", "<?xml version=\"1.0\"?><testsuites name=\"mine\"/>");
    folder.run(&["gen", "s.fpcore", "-q", "--operators", "constant", "-o", "run"]).expect(0);
    let foreign = |file: &str| format!("{file} is there, and is not ");
    for (format, file) in [
        ("html", "run/tests.csv"),
        ("html", "page.html"),
        ("html", "notes.txt"),
        ("junit", "ci.xml"),
        ("csv", "run/mutants.csv"),
        ("trace", "run/tests.csv"),
        ("sarif", "run/manifest.json"),
        ("stryker", "run/summary.json"),
    ] {
        let says = [&*foreign(file), "hint: name another file"];
        leaves_all(&folder, &["report", "run", "--format", format, "-o", file], &says);
    }
    leaves_all(&folder, &["report", "run", "-o", "run"], &["run: is a directory"]);
    for command in [
        &["eval", "s.fpcore", "run"][..],
        &["check", "s.fpcore", "run", "--exec", "cat"],
        &["worst", "s.fpcore", "--exec", "cat"],
    ] {
        for file in ["s.fpcore", "run/tests.csv", "ci.xml"] {
            leaves_all(&folder, &[command, &["--junit", file]].concat(), &[&foreign(file)]);
        }
    }
    // Each form over its own kind, and over an empty file; not over another kind.
    for format in ["html", "stryker", "sarif", "junit", "csv", "trace"] {
        let report = |file: &str| folder.run(&["report", "run", "--format", format, "-o", file]);
        report(&format!("made.{format}")).expect(0);
        report(&format!("made.{format}")).expect(0);
        report("empty").expect(0);
        folder.write("empty", "");
        for other in ["html", "stryker", "sarif", "csv", "trace"].iter().filter(|other| **other != format) {
            folder.run(&["report", "run", "--format", other, "-o", &format!("made.{format}")]).expect(2);
        }
    }
    let eval = ["eval", "s.fpcore", "run", "--junit", "eval.xml"];
    folder.run(&eval).expect(0);
    folder.run(&eval).expect(0);
}

/// A folder of results takes none of the files that its command reads.
#[test]
fn inputs_are_not_replaced() {
    let folder = Folder::new();
    folder.write("s.fpcore", SMALL);
    folder.run(&["gen", "s.fpcore", "-q", "--operators", "constant", "-o", "run"]).expect(0);
    // Results from elsewhere, in the place where `check` writes.
    folder.run(&["check", "s.fpcore", "run", "--exec", "cat", "-o", "run"]);
    assert!(folder.path("run/check.csv").exists());
    let check = ["check", "s.fpcore", "run", "--results", "run/check.csv", "-o", "run"];
    leaves_all(&folder, &check, &["run/check.csv is read by this command"]);
    folder.run(&["eval", "s.fpcore", "run", "--suggest", "-o", "own"]).expect(0);
    let eval = ["eval", "s.fpcore", "own/suggested.csv", "--suggest", "-o", "own"];
    leaves_all(&folder, &eval, &["own/suggested.csv is read by this command"]);
    for with in ["run", "run/tests.csv"] {
        leaves_all(&folder, &["gen", "s.fpcore", "--with", with, "-o", "run"], &["is inside of run"]);
    }
    // A specification of the name of a file of the run.
    let named = SMALL.replacen("\"small\"", "\"tests\"", 1);
    folder.write("t.fpcore", named);
    folder.run(&["gen", "t.fpcore", "-q", "--operators", "constant", "-o", "tests"]).expect(0);
    for more in [&[][..], &["--force"]] {
        let export = [&["export", "tests", "--to", "csv", "-o", "tests"], more].concat();
        leaves_all(&folder, &export, &["tests/tests.csv is of the run in that folder"]);
    }
    if has_clang() {
        folder.write("f.c", CODE);
        let cover = |lcov: &str| folder.run(&["cover", "f.c", "--fn", "f", "--evaluations", "500", "--lcov", lcov]);
        let before = folder.files(".");
        cover("f.c").expect(2).says(&["f.c is there, and is not an lcov file that magneto wrote"]);
        assert!(folder.files(".") == before);
        cover("made.info").expect(0);
        cover("made.info").expect(0);
    }
}

/// What is no file goes on being written to: a descriptor of the shell and the null device.
#[cfg(unix)]
#[test]
fn streams_are_written_to() {
    let folder = Folder::new();
    folder.write("s.fpcore", SMALL);
    folder.run(&["gen", "s.fpcore", "-q", "--operators", "constant", "-o", "run"]).expect(0);
    let expected = folder.run(&["report", "run", "-o", "-"]).expect(0).out;
    let piped = folder.run(&["report", "run", "-q", "-o", "/dev/stdout"]).expect(0).out;
    assert!(piped == expected);
    folder.run(&["report", "run", "-q", "-o", "/dev/null"]).expect(0);
    folder.run(&["eval", "s.fpcore", "run", "-q", "--junit", "/dev/null"]).expect(0);
    let script = format!("'{}' report run -q -o /dev/stdout >> kept", env!("CARGO_BIN_EXE_magneto"));
    folder.write("kept", "before\n");
    let ran = std::process::Command::new("sh").args(["-c", &script]).current_dir(folder.root()).status().unwrap();
    assert!(ran.success() && folder.read("kept") == format!("before\n{expected}"));
}
