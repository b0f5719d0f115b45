//! Implementations that do everything wrong: none takes the program down, and each message says which test it was.
//!
//! Every implementation echoes its input, which is right here, but misbehaves at one test; each behaviour is tried at
//! the first, a middle and the last test.

use magneto::floats::Format;
use magneto::harness::{Answer, PipeProgram, PipeRun, RunLimits, run};
use magneto::spec::ResultPlace;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// What comes back for the test at which an implementation misbehaves.
#[derive(Clone, Copy, Debug)]
enum Expected {
    /// A number that is read.
    Value(f64),
    Reject(&'static str),
    /// A crash whose description holds this.
    Crash(&'static str),
    Hang,
    /// No verdict, and why.
    Garbage(&'static str),
    /// The same, also for all tests that the process answered before.
    Void,
    /// The process has to be started anew and then answers; a fresh one that does it at once has crashed.
    Again,
    /// The answer is right, and the next test finds the process dead.
    DeadNext(&'static str),
    /// One of several, as the system happens to schedule: all that counts is that the run ends.
    Anything,
}
use Expected::*;

/// What is done at the test in question, in the shell, `$x` being the input line.
const BEHAVIOURS: &[(&str, &str, Expected)] = &[
    ("segmentation fault", "kill -SEGV $$", Crash("SIGSEGV")),
    ("floating-point trap", "kill -FPE $$", Crash("SIGFPE")),
    ("illegal instruction", "kill -ILL $$", Crash("SIGILL")),
    ("abort", "kill -ABRT $$", Crash("SIGABRT")),
    ("killed", "kill -KILL $$", Crash("SIGKILL")),
    ("bus error", "kill -BUS $$", Crash("SIGBUS")),
    ("terminated", "kill -TERM $$", Crash("SIGTERM")),
    ("exits with 3", "exit 3", Crash("status 3")),
    ("exits with 139, as a shell after a crash", "exit 139", Crash("SIGSEGV")),
    ("exits with 0", "exit 0", Again),
    ("sleeps", "sleep 60", Hang),
    ("stops itself", "kill -STOP $$", Hang),
    ("ignores what can be ignored", "trap '' TERM INT HUP PIPE; sleep 60", Hang),
    ("spins", "while :; do :; done", Hang),
    ("waits for the next line first", "read -r y; echo $x; echo $y", Hang),
    ("is replaced by something that waits", "exec cat", Hang),
    ("no line end", "printf %s $x; sleep 60", Hang),
    ("no line end, then gone", "printf %s $x; exit 0", Crash("without a line end")),
    ("no line end, then a crash", "printf 0x1.8; kill -SEGV $$", Crash("after `0x1.8` without a line end")),
    ("a child keeps the pipe", "sleep 60 & exit 5", Crash("status 5")),
    ("a child of another session keeps the pipe", "setsid sleep 4 & exit 5", Crash("status 5")),
    ("closes its output", "exec >&-; sleep 60", Crash("closed its standard output")),
    ("closes its output and input", "exec >&- <&-; sleep 60", Crash("closed its standard output")),
    ("a word", "echo hello", Garbage("`hello` is not a number")),
    ("a decimal comma", "echo 1,5", Garbage("a decimal comma?")),
    ("an empty line", "echo", Garbage("an empty line is no answer")),
    ("blanks", "echo '   '", Garbage("an empty line is no answer")),
    ("two numbers", "echo 1 2", Garbage("several words")),
    ("binary", "printf '\\377\\376\\000\\n'", Garbage("no text")),
    ("a zero byte", "printf '1\\0002\\n'", Garbage("not a number")),
    ("half a hexadecimal number", "echo 0x", Garbage("`0x` is not a number")),
    ("half an exponent", "echo 1e", Garbage("`1e` is not a number")),
    ("two signs", "echo --1", Garbage("`--1` is not a number")),
    ("two points", "echo 1.0.0", Garbage("not a number")),
    ("a fraction", "echo 1/2", Garbage("not a number")),
    ("thousands", "echo 1_000", Garbage("not a number")),
    ("a Fortran exponent", "echo 1d0", Garbage("not a number")),
    ("full-width digits", "printf '\\357\\274\\221\\n'", Garbage("not a number")),
    ("an infinity sign", "printf '\\342\\210\\236\\n'", Garbage("not a number")),
    ("null", "echo null", Garbage("not a number")),
    ("None", "echo None", Garbage("not a number")),
    ("MSVC's NaN", "echo '1.#QNAN'", Garbage("not a number")),
    ("JSON", "echo '{\"y\": 1}'", Garbage("several words")),
    ("terminal control", "printf '\\033[2J\\n'", Garbage("`\u{fffd}[2J`")),
    ("a huge line", "head -c 100000 /dev/zero | tr '\\0' 1; echo", Garbage("more than 4096 bytes")),
    ("an endless line", "yes | tr -d '\\n'", Garbage("more than 4096 bytes")),
    ("an endless line of nothing", "cat /dev/zero", Garbage("more than 4096 bytes")),
    ("two lines", "printf '1\\n1\\n'", Void),
    ("a line too many, later", "echo $x; sleep 0.1; echo 7", Anything),
    ("a child writes later", "echo $x; (sleep 0.1; echo 7) &", Anything),
    ("endless lines", "yes 1", Void),
    ("an answer, then gone", "echo $x; exit 0", Anything),
    ("an answer, then a crash", "echo $x; exit 7", DeadNext("status 7")),
    ("NaN", "echo nan", Value(f64::NAN)),
    ("NaN with a sign and a payload", "echo '-NaN(0x1)'", Value(f64::NAN)),
    ("infinity", "echo inf", Value(f64::INFINITY)),
    ("minus infinity", "echo -Infinity", Value(f64::NEG_INFINITY)),
    ("too large", "echo 1e400", Value(f64::INFINITY)),
    ("far too large", "echo -1e99999999999999999999", Value(f64::NEG_INFINITY)),
    ("too small", "echo 1e-400", Value(0.0)),
    ("minus zero", "echo -0.0", Value(0.0)),
    ("subnormal", "echo 4.9406564584124654e-324", Value(5e-324)),
    ("subnormal in hexadecimal", "echo 0x0.8p-1073", Value(5e-324)),
    ("upper case", "echo 0X1.8P+1", Value(3.0)),
    ("CR LF", "printf '%s\\r\\n' 1.5", Value(1.5)),
    ("blanks around", "echo '  1.5  '", Value(1.5)),
    ("many digits", "printf '0.%03000d1\\n' 0", Value(0.0)),
    ("a refusal", "echo 'error: too large'", Reject("too large")),
    ("a refusal without a reason", "echo error:", Reject("")),
    ("a long refusal", "echo error: $(head -c 3000 /dev/zero | tr '\\0' x)", Reject("xxx…")),
    ("a refusal with terminal control", "printf 'error: \\033[31mred\\n'", Reject("\u{fffd}[31mred")),
    ("much on standard error", "head -c 3000000 /dev/zero >&2; echo 1.5", Value(1.5)),
    ("closes standard error", "exec 2>&-; echo 1.5", Value(1.5)),
];

/// Implementations that are wrong from the start, with what the first test gets.
const FROM_THE_START: &[(&str, &str, Expected)] = &[
    ("is not there", "/no/such/program", Anything),
    ("never reads", "sleep 60", Hang),
    ("reads all first", "sort", Hang),
    ("is gone at once", "true", Crash("status 0")),
    ("fails at once", "false", Crash("status 1")),
    ("a banner", "echo hello; cat", Garbage("`hello` is not a number")),
    (
        "a banner together with the first answer",
        "read -r x; printf 'hello\\n1\\n'; cat",
        Garbage("`hello` is not a number"),
    ),
    ("a banner that is a number", "echo 1.0; cat", Void),
    ("writes without reading", "yes 1", Void),
    ("a byte order mark", "printf '\\357\\273\\277'; cat", Value(1.0)),
    ("closes its input", "exec <&-; sleep 60", Hang),
    ("a fork in the background", "cat <&0 & exit 0", Crash("status 0")),
    ("does not end", "while read -r x; do echo $x; done; sleep 60", Value(1.0)),
    ("ends with an error", "cat; exit 9", Value(1.0)),
    ("crashes at the end", "cat; kill -SEGV $$", Value(1.0)),
    ("writes at the end", "cat; echo 7", Void),
    ("half a line at the end", "cat; printf 7", Void),
];

const TESTS: usize = 5;

fn put(script: &str) -> PipeRun {
    let program = PipeProgram {
        command: ["sh", "-c", script].map(Into::into).to_vec(),
        name: "the program".to_owned(),
        says_ready: false,
        result: ResultPlace::default(),
    };
    let tests: Vec<(String, Vec<f64>)> = (1..=TESTS).map(|k| (format!("t{k}"), vec![k as f64])).collect();
    let limit = Duration::from_millis(1500);
    let limits = RunLimits { answer: limit, start: limit, restarts: 8 };
    run(&program, &tests, Format::BINARY64, &limits, None)
}

/// Whether an answer is what was expected.
fn fits(expected: Expected, answer: &Answer) -> bool {
    match (expected, answer) {
        (Value(x), Answer::Value(y)) => x == *y || x.is_nan() && y.is_nan(),
        (Reject(text), Answer::Reject(why)) => why.ends_with(text),
        (Crash(text), Answer::Crash(why)) => why.contains(text),
        (Hang, Answer::Hang { .. }) | (Anything, _) | (Void, Answer::Garbage(_)) => true,
        (Garbage(text), Answer::Garbage(why)) => why.contains(text),
        _ => false,
    }
}

/// What is wrong with the run of a behaviour at test `at`, from 1.
fn wrong_at(expected: Expected, at: usize, run: &PipeRun) -> Option<String> {
    let answer = |k: usize| &run.answers[k - 1].answer;
    let right = |k: usize| *answer(k) == Answer::Value(k as f64);
    let this = match expected {
        // A new process is at its first test.
        Again if at == 1 => fits(Crash("status 0"), answer(1)),
        Again => right(at),
        DeadNext(how) => right(at) && (at == TESTS || fits(Crash(how), answer(at + 1))),
        other => fits(other, answer(at)),
    };
    // What came before is untouched, unless it cannot be told which line answers what.
    let before = (1..at).all(|k| match expected {
        Void => matches!(answer(k), Answer::Garbage(_)),
        Anything => true,
        _ => right(k),
    });
    (!this || !before).then(|| format!("{:?}", run.answers.iter().map(|g| &g.answer).collect::<Vec<_>>()))
}

/// Maps over the items on several threads: nearly all of the time is spent waiting.
fn parallel<T: Sync>(items: &[T], work: impl Fn(&T) -> Option<String> + Sync) -> Vec<String> {
    let (next, problems) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Some(problem) = work(item) {
                        problems.lock().unwrap().push(problem);
                    }
                }
            });
        }
    });
    problems.into_inner().unwrap()
}

#[test]
fn at_every_place() {
    let mut cases = Vec::new();
    for (name, behaviour, expected) in BEHAVIOURS {
        for at in [1, 3, TESTS] {
            // Counted in what is answered, so that a new process starts anew: only the input tells the test.
            let script = format!(
                "while read -r x; do case $x in {}) {behaviour};; *) echo $x;; esac; done",
                ["", "0x1p+0", "", "0x1.8p+1", "", "0x1.4p+2"][at],
            );
            cases.push((name, script, at, *expected));
        }
    }
    assert!(cases.len() > 200);
    let problems = parallel(&cases, |(name, script, at, expected)| {
        let run = put(script);
        let wrong = match expected {
            // The input is the same for a new process, which goes away again.
            Again => !fits(Crash("status 0"), &run.answers[at - 1].answer),
            _ => return wrong_at(*expected, *at, &run).map(|why| format!("{name} at {at}: {why}")),
        };
        wrong.then(|| format!("{name} at {at}: {:?}", run.answers))
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn counted_by_the_process() {
    // A process that goes away after some answers is started again, and its answers count.
    for at in [2, 3, TESTS] {
        let script = format!("n=0; while read -r x; do n=$((n+1)); [ $n = {at} ] && exit 0; echo $x; done");
        let run = put(&script);
        assert!(wrong_at(Again, at, &run).is_none(), "{run:?}");
        assert!(run.answers.iter().enumerate().all(|(k, g)| g.answer == Answer::Value(k as f64 + 1.0)), "{run:?}");
    }
}

#[test]
fn from_the_start() {
    let problems = parallel(FROM_THE_START, |(name, script, expected)| {
        let run = put(script);
        let answered = run.broken.is_some() || fits(*expected, &run.answers[0].answer);
        (!answered).then(|| format!("{name}: {run:?}"))
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn what_is_said_names_the_test_and_the_reason() {
    let run = put("/no/such/program");
    let broken = run.broken.unwrap();
    assert_eq!(broken.test.as_deref(), Some("t1"));
    assert!(
        broken.why.contains("cannot be started") && broken.errors.join("").contains("no/such/program"),
        "{broken:?}"
    );

    let run = put("while read -r x; do echo no memory left >&2; exit 4; done");
    assert_eq!(run.errors, ["no memory left"]);

    let run = put("while read -r x; do case $x in 0x1.8p+1) printf '1\\n2\\n';; *) echo $x;; esac; done");
    let Answer::Garbage(why) = &run.answers[2].answer else { panic!("{run:?}") };
    assert!(why.contains("from t1 to t3") && why.contains("`2` is too much"), "{why}");

    let run = put("cat; exit 9");
    assert_eq!(run.notes, ["after the last test the process ended with status 9"]);
}

#[test]
fn a_program_that_is_no_program() {
    let program = PipeProgram {
        command: vec!["/".into()],
        name: "the program".to_owned(),
        says_ready: false,
        result: ResultPlace::default(),
    };
    let run = run(&program, &[("t1".to_owned(), vec![1.0])], Format::BINARY64, &RunLimits::default(), None);
    assert!(run.broken.unwrap().why.contains("cannot be started"));
}
