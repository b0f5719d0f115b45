//! `magneto reach` as a user runs it: paths, goals, exit codes, and what is wrong with a command line.

#[path = "support/compilers.rs"]
mod compilers;

mod cli_support;

use cli_support::Folder;
use compilers::has_clang;

const CODE: &str = "float f(float x, float y) {\n    if (x < y)\n        return x * y;\n    while (x > 2 * y)\n        x = x / 2;\n    \
                    if (x < y)\n        return 1;\n    return y;\n}\n\
                    float g(float x, float y) {\n    return x + y;\n}\n";

#[test]
fn paths_goals_and_exit_codes() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.write("f.c", CODE);
    let listed = folder.run(&["reach", "f.c", "--fn", "f", "--paths", "3", "--json"]);
    let listing: serde_json::Value = serde_json::from_str(&listed.out).unwrap();
    assert_eq!(listed.code, Some(0), "{}{}", listed.out, listed.err);
    assert_eq!(listing["schema"], "magneto/paths/1");
    let paths = listing["paths"].as_array().unwrap();
    assert!(paths.iter().any(|p| p["path"] == "T" && p["status"] == "feasible"), "{}", listed.out);
    assert_eq!(listing["open"], 0);
    let one = folder.run(&["reach", "f.c", "--fn", "f", "--path", "FTF"]);
    assert_eq!(one.code, Some(0), "{}", one.err);
    assert!(one.out.contains("paths: 1 feasible"), "{}", one.out);
    // The inputs of all paths go the same way in a native program.
    let native = folder.run(&["reach", "f.c", "--fn", "f", "--paths", "3"]);
    assert_eq!(native.code, Some(0), "{}{}", native.out, native.err);
    assert!(native.out.contains("results the same bit for bit, branch counts of gcov the same"), "{}", native.out);
    let alone = folder.run(&["reach", "f.c", "--fn", "f", "--paths", "3", "--no-native"]);
    assert!(alone.code == Some(0) && !alone.out.contains("native"), "{}{}", alone.out, alone.err);
    // x < y after x >= y; the proof holds without contraction too.
    let proved = folder.run(&["reach", "f.c", "--fn", "f", "--path", "FFT", "--check"]);
    assert_eq!(proved.code, Some(0), "{}{}", proved.out, proved.err);
    assert!(proved.out.contains("confirmed by evaluating"), "{}", proved.out);
    let goal = folder.run(&["reach", "f.c", "--fn", "f", "--goal", "result == 7 && x > 0"]);
    assert_eq!(goal.code, Some(0), "{}", goal.err);
    assert!(goal.out.contains("-> 7"), "{}", goal.out);
    let never = folder.run(&["reach", "f.c", "--fn", "g", "--goal", "x < y && y < x"]);
    assert_eq!(never.code, Some(0), "{}", never.err);
    assert!(never.out.contains("infeasible"), "{}", never.out);
    for goal in [["--branch", "2:T"], ["--line", "5"]] {
        let reached = folder.run(&["reach", "f.c", "--fn", "f", goal[0], goal[1]]);
        assert_eq!(reached.code, Some(0), "{goal:?}: {}{}", reached.out, reached.err);
    }
}

#[test]
fn lines_behind_instructions_from_no_line() {
    if !has_clang() {
        return;
    }
    let code = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/code/hypot.c");
    let zero = Folder::new().run(&["reach", code, "--fn", "my_hypot", "--line", "15"]);
    assert!(zero.code == Some(0) && zero.out.contains("1 feasible"), "{}{}", zero.out, zero.err);
}

/// A goal in the code of `cover`'s goals.
fn asked(function: &str, flags: &[&str]) -> (Option<i32>, String) {
    let code = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/code/goals.c");
    let all = [&["reach", code, "--fn", function, "--evaluations", "20000"], flags].concat();
    let done = Folder::new().run(&all);
    (done.code, done.out + &done.err)
}

#[test]
fn what_operations_come_to() {
    if !has_clang() {
        return;
    }
    for (function, flag, said) in [
        ("step", "--boundary=7", "both sides equal  3.5"),
        ("share", "--div0", "line 32: divisor is 0"),
        ("share", "--assert=28", "12345 -> trap"),
        ("share", "--assert=31", "infeasible"),
        ("safe", "--nan", "infeasible"),
        ("risky", "--overflow=23", "line 23: "),
        ("risky", "--inf=23", "line 23: "),
    ] {
        let (code, out) = asked(function, &[flag]);
        assert!(code == Some(0) && out.contains(said), "{function} {flag}: {code:?} {out}");
    }
    for (function, flag, said) in [
        ("share", "--div0=28", "lines that have it: 32"),
        ("safe", "--div0=14", "lines that have it: 16"),
        ("step", "--assert", "nothing of that kind"),
    ] {
        let (code, out) = asked(function, &[flag]);
        assert!(code == Some(2) && out.contains(said), "{function} {flag}: {code:?} {out}");
    }
}

#[test]
fn what_is_wrong_is_told() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.write("f.c", CODE);
    for (flags, said) in [
        (&["--path", "TFX"][..], "expected letters T and F"),
        (&["--branch", "2"], "expected a line and a way"),
        (&["--branch", "3:T"], "lines with tests: 2, 4, 6"),
        (&["--line", "1"], "no branch leads to line 1"),
        (&["--goal", "resolt == 7"], "resolt"),
        (&["--goal", "1"], "depends on no input"),
        (&["--paths", "3", "--path", "T"], "cannot be used with"),
        (&[], "required"),
    ] {
        let wrong = folder.run(&[&["reach", "f.c", "--fn", "f"], flags].concat());
        assert_eq!(wrong.code, Some(2), "{flags:?}: {}{}", wrong.out, wrong.err);
        assert!(wrong.err.contains(said), "{flags:?}: {}", wrong.err);
    }
}
