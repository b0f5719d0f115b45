//! Commands that write beside other files overwrite none that is not their own.

mod cli_support;
#[path = "support/compilers.rs"]
mod compilers;

use cli_support::{Folder, SMALL};
use compilers::has_clang;

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
