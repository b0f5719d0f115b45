//! A check that is cancelled, or ends, leaves nothing of the implementation running.
#![cfg(target_os = "linux")]

mod cli_support;

use cli_support::{Ended, Folder};
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
