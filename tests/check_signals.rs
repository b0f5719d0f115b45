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
