//! Inputs of any size have an end: what is too large is refused before it is in memory, much work is bounded, and where the
//! system has no more memory the program says so and ends with an exit code of its own.
#![cfg(target_os = "linux")]

use crate::cli_support::{Ended, Folder};
use std::process::Command;

/// The largest file of a specification that is read, about. Unit: bytes.
const LARGE: usize = 15 << 20;

/// Runs the program with so many MiB of address space.
fn within(folder: &Folder, mebibytes: u64, arguments: &str) -> Ended {
    let program = env!("CARGO_BIN_EXE_magneto");
    let script = format!("ulimit -v {}; exec {program} {arguments}", mebibytes << 10);
    Ended::new(&Command::new("sh").args(["-c", &script]).current_dir(folder.root()).output().unwrap())
}

const SMALL: &str = "(FPCore (x) :name \"s\" :pre (<= 1 x 2) :magneto-rel-error 1e-9 (+ x 0.5))";

#[test]
fn thousands_of_inputs_are_looked_at_in_bounded_memory() {
    let folder = Folder::new();
    let each = |text: &dyn Fn(usize) -> String| (0..4_000).map(text).collect::<Vec<_>>().join(" ");
    let names = each(&|k| format!("x{k}"));
    let pre = each(&|k| format!("(<= 1 x{k} 2)"));
    let text =
        format!("(FPCore ({names}) :name \"many\" :pre (and {pre}) :magneto-rel-error 1e-9 (/ x7 (- x3999 x2000)))");
    folder.write("f.fpcore", text);
    let ended = within(&folder, 512, "lint f.fpcore").expect(0);
    // It is looked at where x3999 and x2000 differ, and where they are equal.
    let last = ended.out.lines().find(|line| line.starts_with("many: ")).unwrap().to_owned();
    assert!(last.starts_with("many: not defined at x0 = "), "{}", last.chars().take(200).collect::<String>());
    assert!(!ended.out.contains("no value at any probe point"));
}

/// A script of a few lines takes the address space of a few lines, and definitions that use each other go as deep as they may.
#[test]
fn scripts_take_stack_by_their_brackets() {
    let folder = Folder::new();
    folder.write("small.smt2", "(declare-fun x () Float32)(assert (fp.lt x ((_ to_fp 8 24) RNE 1.5)))(check-sat)");
    assert_eq!(within(&folder, 640, "solve small.smt2").expect(0).out, "sat\n");
    let one = |k: usize| format!("(define-fun f{} ((b Bool)) Bool (not (f{k} (not b))))", k + 1);
    let chain: String = (0..190).map(one).collect();
    let text = format!(
        "(define-fun f0 ((b Bool)) Bool b)(declare-fun b () Bool){chain}(assert (f190 b))(assert (not b))(check-sat)"
    );
    folder.write("deep.smt2", text);
    assert_eq!(folder.run(&["solve", "deep.smt2"]).expect(0).out, "unsat\n");
    // Each definition doubles the depth of the term: 8,192 calls of few brackets.
    let one = |k: usize| format!("(define-fun f{} ((b Bool)) Bool (f{k} (f{k} b)))", k + 1);
    let doubled: String = (0..13).map(one).collect();
    let text = format!(
        "(define-fun f0 ((b Bool)) Bool (not (and b c)))(declare-fun b () Bool){doubled}(assert (f13 b))(check-sat)"
    );
    folder.write("doubled.smt2", format!("(declare-fun c () Bool){text}"));
    assert_eq!(folder.run(&["solve", "doubled.smt2"]).expect(0).out, "sat\n");
}

#[test]
fn constants_near_the_zeros_of_functions_are_cheap() {
    let folder = Folder::new();
    let of = |body: &str| format!("(FPCore (x) :name \"s\" :pre (<= 1 x 2) :magneto-rel-error 1e-9 {body})");
    // 1 - 10^-86858, and its kin beside 2: no precision settles them, and each was seconds at every point.
    for body in ["(lgamma (tanh 100000))", "(lgamma (+ 1 (tanh 100000)))", "(+ x (lgamma (tanh (* x 100000))))"] {
        folder.write("f.fpcore", of(body));
        folder.run(&["lint", "f.fpcore"]).expect(0);
    }
}

#[test]
fn what_has_no_end_is_refused() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL).write("in.csv", "x\n1\n").write("deep.fpcore", "(".repeat(LARGE));
    std::os::unix::fs::symlink("/dev/zero", folder.path("endless.json")).unwrap();
    for (arguments, said) in [
        ("lint /dev/zero", "has more than 16 MiB"),
        ("lint deep.fpcore", "nested more than"),
        ("check f.fpcore in.csv --results /dev/zero", "has more than 64 MiB"),
        ("check f.fpcore /dev/zero --exec cat", "a row of more than 1 MiB"),
        ("eval f.fpcore endless.json", "has more than 256 MiB"),
    ] {
        within(&folder, 1024, arguments).expect(2).says(&[said]);
    }
}

#[test]
fn out_of_memory_has_an_exit_code() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL);
    folder.run(&["gen", "f.fpcore", "--operators", "constant", "-o", "out"]).expect(0);
    let before = folder.files("out");
    folder.write("wide.fpcore", format!("(FPCore (x) (+{}))", " x".repeat(LARGE / 2)));
    let ended = within(&folder, 400, "gen wide.fpcore --no-cache -o out").expect(71).says(&["error: out of memory"]);
    assert_eq!((ended.err.lines().count(), ended.out.as_str()), (1, ""), "{}", ended.err);
    assert!(folder.files("out") == before);
}

/// However little memory there is, running out of it is no bug and no abort. Below a limit the program cannot be loaded: by
/// the loader (127), or by the kernel, which ends it before it begins.
#[test]
fn no_limit_on_memory_looks_like_a_bug() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL).write("in.csv", "x\n1\n1.5\n");
    folder.run(&["gen", "f.fpcore", "--operators", "constant", "-o", "out"]).expect(0);
    let mut seen = std::collections::BTreeMap::new();
    let program = env!("CARGO_BIN_EXE_magneto");
    let within = |mebibytes: u32, arguments: &str| {
        let script = format!("ulimit -v {}; exec {program} {arguments}", mebibytes << 10);
        Command::new("sh").args(["-c", &script]).current_dir(folder.root()).output().unwrap()
    };
    for mebibytes in (20..200).step_by(20) {
        if within(mebibytes, "--version").status.code().is_none() {
            assert!(mebibytes < 50, "{mebibytes} MiB do not suffice to begin");
            continue;
        }
        for arguments in [
            "gen f.fpcore -q --no-cache -o new",
            "report out --format html -o page.html",
            "worst f.fpcore --lib libm.so.6 --symbol exp --evaluations 100",
            "check f.fpcore in.csv --exec cat",
        ] {
            let output = within(mebibytes, arguments);
            let said = String::from_utf8_lossy(&output.stderr);
            let code = output.status.code();
            // The C library ends a program that has no memory for what it keeps for a thread: no one can hinder it.
            if code.is_none()
                && mebibytes < 50
                && said.starts_with("Fatal glibc error")
                && said.contains("out of memory")
            {
                continue;
            }
            assert!(matches!(code, Some(0..=4 | 71 | 127)), "{mebibytes} MiB, {arguments}: {code:?} {said}");
            assert!(code != Some(71) || said.contains("error: out of memory"), "{said}");
            *seen.entry(code).or_insert(0) += 1;
        }
    }
    assert!(seen.contains_key(&Some(0)) && seen.contains_key(&Some(71)), "{seen:?}");
}
