//! A check that is cancelled, or ends, leaves nothing of the implementation running.
#![cfg(target_os = "linux")]

use crate::cli_support::{Ended, Folder};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Waits for something; a test that waits in vain is ended by whoever runs it.
fn wait_for<T>(mut what: impl FnMut() -> Option<T>) -> T {
    loop {
        if let Some(found) = what() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The number of a process, once it has written it into a file.
fn number(folder: &Folder, name: &str) -> String {
    let read = || std::fs::read_to_string(folder.path(name)).ok();
    wait_for(|| read().filter(|t| t.ends_with('\n')).map(|t| t.trim().to_owned()))
}

/// Whether a process runs: one that has ended and was not looked after does not.
fn runs(pid: &str) -> bool {
    let stat = std::fs::read_to_string(Path::new("/proc").join(pid).join("stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| !rest.trim().is_empty() && !rest.trim().starts_with('Z'))
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("f.fpcore", "(FPCore (x) :name \"same\" :pre (<= 0 x 4) :magneto-ulps (1 binary64) x)");
    folder.write("in.csv", "x\n1\n2\n3\n");
    folder
}

#[test]
fn every_signal_that_cancels_saves_what_is_done_and_ends_the_implementation() {
    for signal in ["INT", "TERM", "HUP"] {
        let folder = folder();
        // One answer, then busy for ever, deaf to what can be ignored; with a child in a session of its own.
        let busy = "trap '' INT TERM HUP; read -r x; echo $x; setsid sh -c 'echo $$ > child; while :; do :; done' & \
                    echo $$ > pid; while :; do :; done";
        let mut command = folder.command(&["check", "f.fpcore", "in.csv", "--exec", busy, "--json", "-o", "out"]);
        let magneto = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let pids = [number(&folder, "pid"), number(&folder, "child")];
        let sent = Command::new("kill").args([&format!("-{signal}"), &magneto.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let ended = Ended::new(&magneto.wait_with_output().unwrap()).expect(130);
        let document = ended.json();
        assert_eq!(
            (&document["interrupted"], &document["tests"][0]["verdict"]),
            (&true.into(), &"OK".into()),
            "{signal}"
        );
        // Verdicts are all there; to measure errors would let who waits wait.
        assert!(document["tests"][0]["error_in_ulps"].is_null(), "{document}");
        assert!(folder.path("out/check.json").exists(), "{signal}");
        for pid in &pids {
            wait_for(|| (!runs(pid)).then_some(()));
        }
    }
}

#[test]
fn what_leaves_the_group_is_ended_too() {
    let folder = folder();
    // It has to be there before the end of the check for the test to mean something.
    let script = "setsid sh -c 'echo $$ > child; exec sleep 1000' >/dev/null 2>&1 & \
                  while ! [ -s child ]; do sleep 0.01; done; cat";
    folder.run(&["check", "f.fpcore", "in.csv", "--exec", script]).expect(0);
    let child = number(&folder, "child");
    wait_for(|| (!runs(&child)).then_some(()));
}

#[test]
fn what_leaves_the_group_of_a_library_is_ended_too() {
    let folder = folder();
    // The child closes what it has of its parent, as a daemon does.
    let source = r#"
#include <stdio.h>
#include <unistd.h>
double same(double x) {
    static int called;
    if (!called++ && fork() == 0) {
        setsid();
        for (int k = 0; k < 64; k++) close(k);
        FILE *f = fopen("child", "w");
        fprintf(f, "%d\n", (int)getpid());
        fclose(f);
        for (;;) pause();
    }
    for (;;) {
        FILE *f = fopen("child", "r");
        int there = f && fgetc(f) != EOF;
        if (f) fclose(f);
        if (there) return x;
    }
}
"#;
    folder.write("same.c", source);
    let mut cc = Command::new("cc");
    let built = cc.args(["-shared", "-fPIC", "-o", "same.so", "same.c"]).current_dir(folder.root()).status().unwrap();
    assert!(built.success());
    let arguments = ["worst", "f.fpcore", "--lib", "./same.so", "--symbol", "same", "--evaluations", "100"];
    folder.run(&arguments).expect(0);
    let child = number(&folder, "child");
    wait_for(|| (!runs(&child)).then_some(()));
}

/// A function that is wrong at first, then starts a process that leaves its group, and does not come back.
const BUSY: &str = r#"
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static void say(const char *name) {
    FILE *f = fopen(name, "w");
    fprintf(f, "%d\n", (int)getpid());
    fclose(f);
}
float same(float x) {
    static int called;
    if (++called < 40000) return x + 1;
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    if (fork() == 0) {
        setsid();
        say("child");
        for (;;) pause();
    }
    say("pid");
    for (;;) ;
}
"#;

#[test]
fn a_search_and_an_enumeration_that_are_cancelled_leave_nothing() {
    for (signal, how) in [("INT", "--evaluations=100000"), ("TERM", "--exhaustive")] {
        let folder = Folder::new();
        folder.write("f.fpcore", "(FPCore (x) :pre (<= 1 x 4) :precision binary32 :magneto-ulps (1 binary32) x)");
        folder.write("same.c", BUSY);
        let line =
            ["worst", "f.fpcore", "--c-source", "same.c", "--fn", "same", how, "-o", "out", "--json", "--jobs=1"];
        let mut command = folder.command(&line);
        let magneto = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let pids = [number(&folder, "pid"), number(&folder, "child")];
        let sent = Command::new("kill").args([&format!("-{signal}"), &magneto.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let ended = Ended::new(&magneto.wait_with_output().unwrap()).expect(130).says(&["interrupted"]);
        let document: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
        assert_eq!(document["exit"], 130, "{signal}");
        let files: Vec<String> = folder.files("out").into_iter().map(|f| f.0).collect();
        assert!(files.iter().any(|f| f.ends_with("worst.json")), "{files:?}");
        if how == "--exhaustive" {
            assert!(files.iter().any(|f| f.ends_with("worst-resume.json")), "{files:?}");
        } else {
            assert!(!document["parts"].as_array().unwrap().is_empty(), "what was found before is told");
        }
        for pid in &pids {
            wait_for(|| (!runs(pid)).then_some(()));
        }
    }
}

/// A compiler that says its number and never ends, with a child that does not either.
const COMPILER: &str = "#!/bin/sh\ncase \"$*\" in *--version*) echo a compiler; exit;; esac\n\
                        trap '' INT TERM\nsleep 100000 &\necho $! > child\necho $$ > pid\nwait\nwait\n";

/// What compiles, with the variables by which it is told to use [`COMPILER`].
fn compiling(folder: &Folder, command: &str) -> Command {
    let line: &[&str] = match command {
        "cover" => &["cover", "same.c", "--fn", "same"],
        "reach" => &["reach", "same.c", "--fn", "same", "--paths", "2"],
        _ => &[command, "f.fpcore", "--c-source", "same.c", "--fn", "same"],
    };
    folder.write("same.c", "double same(double x) { return x > 1 ? x : 1 * x; }\n");
    folder.write("text", COMPILER);
    // Another process writes it: one that this one starts meanwhile would have it open, and then it cannot be run.
    let files = [folder.path("text"), folder.path("compiler")];
    assert!(Command::new("install").args(["-m", "755"]).args(files).status().unwrap().success());
    std::fs::create_dir(folder.path("tmp")).unwrap();
    let mut magneto = folder.command(line);
    for variable in ["CC", "CLANG"] {
        magneto.env(variable, folder.path("compiler"));
    }
    magneto.env("TMPDIR", folder.path("tmp")).stdout(Stdio::piped()).stderr(Stdio::piped());
    magneto
}

#[test]
fn who_is_interrupted_or_killed_while_a_compiler_runs_leaves_nothing() {
    for command in ["cover", "reach", "check", "worst"] {
        for (signal, code) in [("INT", Some(130)), ("TERM", Some(130)), ("KILL", None)] {
            let folder = folder();
            let magneto = compiling(&folder, command).spawn().unwrap();
            let pids = [number(&folder, "pid"), number(&folder, "child")];
            let left = || std::fs::read_dir(folder.path("tmp")).unwrap().count();
            assert_eq!(left(), 1, "{command} has a temporary folder");
            let sent = Command::new("kill").args([&format!("-{signal}"), &magneto.id().to_string()]).status().unwrap();
            assert!(sent.success());
            let ended = magneto.wait_with_output().unwrap();
            assert_eq!(ended.status.code(), code, "{command}, {signal}: {ended:?}");
            if code.is_some() {
                assert!(!pids.iter().any(|pid| runs(pid)) && left() == 0, "{command}, {signal}");
            }
            for pid in &pids {
                wait_for(|| (!runs(pid)).then_some(()));
            }
            wait_for(|| (left() == 0).then_some(()));
        }
    }
}

#[test]
fn an_implementation_ends_with_what_is_killed() {
    let folder = folder();
    let deaf =
        "read -r x; echo $x; setsid sh -c 'echo $$ > child; exec sleep 100000' & echo $$ > pid; while :; do :; done";
    let source = BUSY.replace("float", "double").replace("++called < 40000", "++called < 2");
    folder.write("same.c", source);
    let compiled = ["--c-source", "same.c", "--fn", "same"];
    for line in [
        [&["worst", "f.fpcore"][..], &["--exec", deaf]].concat(),
        [&["check", "f.fpcore", "in.csv"][..], &["--exec", deaf]].concat(),
        [&["worst", "f.fpcore"][..], &compiled].concat(),
        [&["check", "f.fpcore", "in.csv"][..], &compiled].concat(),
    ] {
        let mut command = folder.command(&line);
        let mut magneto = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let pids = ["pid", "child"].map(|name| number(&folder, name));
        assert!(pids.iter().all(|pid| runs(pid)), "{line:?}");
        magneto.kill().unwrap();
        magneto.wait().unwrap();
        for pid in &pids {
            wait_for(|| (!runs(pid)).then_some(()));
        }
        ["pid", "child"].iter().for_each(|name| std::fs::remove_file(folder.path(name)).unwrap());
    }
}

/// Whether a process handles SIGINT by now.
fn listens(pid: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0");
    u64::from_str_radix(caught.trim(), 16).is_ok_and(|set| set & 0b10 != 0)
}

#[test]
fn every_command_that_is_interrupted_says_so_by_its_exit_code() {
    let lines: [&[&str]; 6] = [
        &["lint", "-"],
        &["mutants", "-"],
        &["explain", "-", "M1"],
        &["oracle", "-", "--at", "x=1"],
        &["gen", "-", "-o", "out"],
        &["bench", "rounding"],
    ];
    for line in lines {
        let folder = folder();
        let mut command = folder.command(line);
        // Nothing comes from the pipe, and it does not end either.
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut magneto = command.spawn().unwrap();
        let _input = magneto.stdin.take();
        wait_for(|| listens(magneto.id()).then_some(()));
        assert!(Command::new("kill").args(["-INT", &magneto.id().to_string()]).status().unwrap().success());
        Ended::new(&magneto.wait_with_output().unwrap()).expect(130).says(&["interrupted"]);
        assert!(!folder.path("out").exists());
    }
}

/// What `gen` says of specifications before it makes mutants takes long where there are many: nothing is lost then.
#[test]
fn who_is_interrupted_before_the_first_mutant_does_not_wait_for_what_is_said_of_all() {
    let folder = Folder::new();
    // The accuracy is one of another tool's, for which each has a warning.
    let tower = format!("{}x{}", "(lgamma ".repeat(10), ")".repeat(10));
    let one = |k: u32| format!("(FPCore (x) :name \"f{k}\" :pre (<= 4 x 6) :ulps 1 (+ {k} {tower}))\n");
    folder.write("f.fpcore", (0..400).map(one).collect::<String>());
    let mut command = folder.command(&["gen", "f.fpcore", "-o", "out", "--jobs=1"]);
    let magneto = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(|| listens(magneto.id()).then_some(()));
    assert!(Command::new("kill").args(["-INT", &magneto.id().to_string()]).status().unwrap().success());
    let ended = Ended::new(&magneto.wait_with_output().unwrap()).expect(130).says(&["interrupted; no results"]);
    assert!(!ended.err.contains("warning: "), "{}", ended.err);
    assert!(!folder.path("out").exists());
}
