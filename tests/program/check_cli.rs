//! The command line of `magneto check`: where tests come from, results from elsewhere, reports, exit codes.

use crate::cli_support;
use crate::cli_support::{Folder, SMALL};

/// f(x) = x: what `cat` computes.
const SAME: &str = "(FPCore (x)\n  :name \"same\"\n  :pre (<= 0 x 4)\n  :magneto-ulps (1 binary64)\n  x)\n";

fn same(inputs: &str) -> Folder {
    let folder = Folder::new();
    folder.write("f.fpcore", SAME).write("in.csv", inputs);
    folder
}

#[test]
fn exit_codes() {
    let folder = same("x\n1\n2\n3\n");
    let check = |more: &[&str]| folder.run(&[&["check", "f.fpcore", "in.csv"], more].concat());
    check(&["--exec", "cat"]).expect(0);
    let ko = check(&["--exec", "while read x; do echo 1; done"]).expect(1).out;
    assert!(ko.contains("3: 1 OK, 2 KO") && ko.contains("all results are the same: 1"), "{ko}");
    let cannot_start = check(&["--exec", "no-such-program-anywhere"]).expect(4).out;
    assert!(cannot_start.contains("the harness broke at test #1: the program cannot be started"), "{cannot_start}");
    assert!(cannot_start.contains("no-such-program-anywhere"), "{cannot_start}");
    let noise = check(&["--exec", "echo hello; cat"]).expect(4).out;
    assert!(noise.contains("no verdict") && noise.contains("`hello` is not a number"), "{noise}");
    check(&["--lib", "./absent.so", "--symbol", "f"]).expect(2).says(&["there is no file ./absent.so"]);
    check(&["--lib", "libabsent-anywhere.so", "--symbol", "f"]).expect(4).says(&["cannot be loaded"]);
    check(&["--exec", "cat", "--results", "r"]).expect(2).says(&["cannot be used with"]);
    check(&[]).expect(2).says(&["--exec"]);
    check(&["--lib", "x.so"]).expect(2).says(&["--symbol"]);
    check(&["--python", "nofunction"]).expect(2).says(&["MODULE:FUNCTION"]);
    check(&["--exec", "cat", "--timeout", "0"]).expect(2).says(&["from 0.001 to 86400"]);
    folder.write("f.c", "double f(double x) { return x }\n");
    check(&["--c-source", "f.c", "--fn", "f"]).expect(4).says(&["f.c does not compile", "expected"]);
    folder.write("f.c", "double f(double x) { return x; }\n");
    check(&["--c-source", "f.c", "--fn", "f"]).expect(0);
    let unknown = check(&["--c-source", "f.c", "--fn", "gain"]).expect(2);
    unknown.says(&["error: f.c has no function `gain`", "hint: it has `f"]);
    folder.write("f.c", "double f(double x) { return x; }\ndouble gain(double x) { return 2 * x; }\n");
    check(&["--c-source", "f.c", "--fn", "gian"]).expect(2).says(&["no function `gian`", "did you mean `gain`?"]);
    check(&["--c-source", "/dev/null", "--fn", "f"]).expect(2).says(&["--c-source: /dev/null is no regular file"]);
    check(&["--c-source", ".", "--fn", "f"]).expect(2).says(&["--c-source: . is a folder"]);
    check(&["--exec", "cat", "--fn", "f"]).expect(2).says(&["--fn is for --c-source"]);
    check(&["--c-source", "f.c", "--fn", "f", "--signature", "double"]).expect(2).says(&["unknown signature"]);
    check(&["--c-source", "f.c", "--fn", "f", "--signature", "f32"])
        .expect(2)
        .says(&["takes float", "the input x is a binary64 number"]);
}

#[test]
fn restarts_are_bounded() {
    let inputs: String = (0..8).map(|k| format!("{}\n", f64::from(k) / 2.0)).collect();
    let folder = same(&format!("x\n{inputs}"));
    let ended = folder.run(&["check", "f.fpcore", "in.csv", "--exec", "exit 3", "--restarts", "4", "--json"]).expect(4);
    let document = ended.json();
    let reason = document["broken"]["reason"].as_str().unwrap();
    assert!(
        reason.contains("started 5 times") && reason.contains("the last time, the process ended with status 3"),
        "{reason}"
    );
    assert_eq!((&document["counts"]["ko"], &document["counts"]["none"]), (&5.into(), &3.into()), "{document:#}");
}

#[test]
fn uncertain_alone_is_inconclusive() {
    // Whether f(x) is 0 cannot be settled, and the bound is relative.
    let folder = Folder::new();
    let body = "(- (sin (asin x)) x)";
    folder.write("f.fpcore", format!("(FPCore (x) :name \"z\" :pre (<= 0.1 x 0.9) :magneto-rel-error 1e-3 {body})"));
    folder.write("in.csv", "x\n0.3\n");
    let ended = folder.run(&["check", "f.fpcore", "in.csv", "--exec", "while read x; do echo 0; done"]);
    let text = ended.expect(3).out;
    assert!(text.contains("1: 0 OK, 1 UNCERTAIN") && text.contains("not settled at the precision cap"), "{text}");
}

#[test]
fn tests_of_a_run() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL);
    folder.run(&["gen", "f.fpcore"]).expect(0);
    folder.write("f.py", "def f(x, y):\n    if not (1 <= x <= 4 and 0.5 <= y <= 2):\n        raise ValueError('range')\n    return 0.1 * x + y ** 0.5\n");
    let python = ["--python", "f:f"];
    let mut outputs = Vec::new();
    for tests in [&["magneto.out"][..], &["magneto.out/tests.csv"], &["magneto.out/tests.json"], &[]] {
        let ended = folder.run(&[&["check", "f.fpcore"], tests, &python, &["--json"]].concat()).expect(0);
        outputs.push(ended.out);
    }
    assert!(outputs.iter().all(|o| *o == outputs[0]), "the same tests, wherever they come from");
    // Another accuracy gives other oracles, and that is said.
    let other = folder.run(&[&["check", "f.fpcore", "magneto.out", "--rel-error", "1e-3"], &python[..]].concat());
    other.expect(2).says(&["tests.csv:2: the test t001: the file has lo = ", "hint: ", "accuracy"]);
    folder.write("f.fpcore", SMALL.replace("0.1", "0.2"));
    let other = folder.run(&[&["check", "f.fpcore", "magneto.out"], &python[..]].concat());
    other.expect(2).says(&["another version of the specification"]);
}

#[test]
fn what_a_file_expects_must_agree() {
    for (inputs, said) in [
        ("x,lo,hi\n1,0,2\n", "in.csv:2: the test #1: the file has lo = 0x0p+0 (0), and the specification"),
        ("x,expected\n1,2\n", "the file expects 0x1p+1 (2), which the specification does not accept"),
        ("x,expected\n1,reject\n", "the file expects `reject`, and the specification asks for a result"),
        ("test_id,x\na,1\na,2\n", "in.csv:3: the test a is in line 2 already"),
    ] {
        same(inputs).run(&["check", "f.fpcore", "in.csv", "--exec", "cat"]).expect(2).says(&[said]);
    }
    // Outside the domain it is the written response that must agree; where none is written, what differs is told.
    for (inputs, said) in [
        ("x,expected\n5,1\n", "the file expects a result, and for the specification the input is outside"),
        ("x,expected\n5,saturate\n", "the file expects `saturate`, and the specification `reject`"),
    ] {
        let folder = same(inputs);
        let check = || folder.run(&["check", "f.fpcore", "in.csv", "--exec", "cat"]);
        check().expect(0).says(&["note: #1 (line 2): ", said, "writes no :magneto-out-of-range"]);
        folder.write("f.fpcore", SAME.replacen(":pre", ":magneto-out-of-range reject :pre", 1));
        check().expect(2).says(&["error: in.csv:2: ", said]);
    }
    same("x,expected\n1,1\n5,reject\n").run(&["check", "f.fpcore", "in.csv", "--exec", "cat"]).expect(0);
}

#[test]
fn robustness_alone() {
    let folder = same("x\n1\n5\n-1\n");
    // What the specification does not write fails nothing.
    let arguments = ["check", "f.fpcore", "in.csv", "--exec", "cat", "--junit", "j.xml"];
    let text = folder.run(&arguments).expect(0).out;
    assert!(text.contains("robustness tests    2: 0 OK, 2 KO (not counted)\n"), "{text}");
    assert!(
        text.contains("note: at 2 of 2 inputs outside the domain the answer is another one than an error")
            && !text.contains("likely causes"),
        "{text}"
    );
    assert!(!text.contains("#2"), "{text}");
    let junit = folder.read("j.xml");
    assert!(junit.contains("failures=\"0\"") && junit.contains("skipped=\"2\""), "{junit}");
    let all = folder.run(&[&arguments[..], &["--verbose"]].concat()).expect(0).out;
    assert!(all.contains("KO, robustness\n  #2: x = 0x1.4p+2 (5)"), "{all}");
    let document = folder.run(&[&arguments[..], &["--json"]].concat()).expect(0).json();
    assert_eq!((&document["robustness_counts"], &document["robustness"]["ko"]), (&false.into(), &2.into()));
    let tap = folder.run(&[&arguments[..], &["--tap"]].concat()).expect(0).out;
    assert!(tap.contains("not ok 2 - same robustness: \\#2 # TODO not counted\n"), "{tap}");
    // A crash there is no more than that, and a failure in the domain is still one.
    let crash = "while read x; do case $x in -*) kill -SEGV $$;; *) echo $x;; esac; done";
    folder.run(&["check", "f.fpcore", "in.csv", "--exec", crash]).expect(0);
    folder.run(&["check", "f.fpcore", "in.csv", "--exec", "while read x; do echo 2; done"]).expect(1);
    folder.write("f.fpcore", SAME.replace(":magneto-ulps", ":magneto-out-of-range reject :magneto-ulps"));
    let text = folder.run(&["check", "f.fpcore", "in.csv", "--exec", "cat"]).expect(1).out;
    assert!(
        text.contains("tests               1: 1 OK\n") && text.contains("robustness tests    2: 0 OK, 2 KO\n"),
        "{text}"
    );
    assert!(text.contains("only the robustness tests fail") && text.contains(":magneto-out-of-range any"), "{text}");
    // They are listed like others, with what came back.
    let listed =
        "KO, robustness\n  #2: x = 0x1.4p+2 (5)\n      returned 0x1.4p+2 (5), an error is owed here, not a result\n";
    assert!(text.contains(listed), "{text}");
    // Where the program does refuse something, its failures are shown one by one.
    let refuses = "while read x; do case $x in -*) echo 'error: negative';; *) echo $x;; esac; done";
    let text = folder.run(&["check", "f.fpcore", "in.csv", "--exec", refuses]).expect(1).out;
    assert!(!text.contains("plain library") && text.contains("KO, robustness\n  #2: x = 0x1.4p+2 (5)"), "{text}");
}

/// `reject` means one thing: a status, `errno`, an exception, `error:`, or NaN where there is no other way.
#[test]
fn ways_to_refuse() {
    let folder = same("x,expected\n1,\n5,nan\n-1,reject\n");
    folder.write("f.fpcore", SAME.replace(":magneto-ulps", ":magneto-out-of-range reject :magneto-ulps"));
    folder.write(
        "f.c",
        "#include <errno.h>\n#include <math.h>\n\
         double nan_(double x) { return x < 0 || x > 4 ? NAN : x; }\n\
         double errno_(double x) { if (x < 0 || x > 4) errno = x < 0 ? EDOM : ERANGE; return x; }\n\
         double other(double x) { if (x < 0 || x > 4) errno = EINTR; return x; }\n\
         double always(double x) { errno = ERANGE; return x; }\n\
         int status(double x, double *y) { *y = x < 0 || x > 4 ? NAN : x; return x > 4; }\n",
    );
    let check = |function: &str, signature: &[&str]| {
        let arguments = ["check", "f.fpcore", "in.csv", "--c-source", "f.c", "--fn", function, "--json"];
        folder.run(&[&arguments[..], signature].concat())
    };
    let counts = |document: &serde_json::Value| {
        let of = |part: &str, key: &str| document[part][key].as_u64().unwrap();
        (of("counts", "ok"), of("robustness", "ok"), of("robustness", "ko"))
    };
    assert_eq!(counts(&check("nan_", &[]).expect(0).json()), (1, 2, 0));
    let errno = check("errno_", &[]).expect(0);
    assert_eq!(counts(&errno.json()), (1, 2, 0));
    assert!(errno.out.contains("errno EDOM") && errno.out.contains("errno ERANGE"), "{}", errno.out);
    assert_eq!(counts(&check("other", &[]).expect(1).json()), (1, 0, 2));
    // In the domain `errno` says nothing of the result.
    assert_eq!(counts(&check("always", &[]).expect(0).json()), (1, 2, 0));
    // With a status NaN alone is no refusal.
    let status = check("status", &["--signature", "f64-status"]).expect(1);
    assert_eq!(counts(&status.json()), (1, 1, 1));
    assert!(status.out.contains("a status other than 0 is owed here"), "{}", status.out);
    // A suite that expects NaN there expects nothing wrong.
    folder.run(&["eval", "f.fpcore", "in.csv", "-q"]).expect(0);
}

#[test]
fn results_from_elsewhere() {
    let folder = same("test_id,x\na,1\nb,2\nc,3\n");
    let check = |results: &str| {
        folder.write("r.csv", results);
        folder.run(&["check", "f.fpcore", "in.csv", "--results", "r.csv", "--json"])
    };
    let document = check("result,test_id,board\n3,c,7\n1,a,7\n2,b,7\n").expect(0).json();
    assert_eq!(document["implementation"]["kind"], "results");
    assert_eq!(document["implementation"]["results_sha256"].as_str().unwrap().len(), 64);
    check("1\n2\n3\n").expect(0);
    let document = check("1\nerror: watchdog\n3.5\n").expect(1).json();
    assert_eq!((&document["tests"][1]["answer"], &document["tests"][2]["verdict"]), (&"reject".into(), &"KO".into()));
    check("1\n2\n").expect(2).says(&["r.csv:3:1: there are 2 lines and 3 tests"]);
    check("test_id,result\na,1\nb,zwei\nc,3\n").expect(2).says(&["r.csv:3:2: `zwei` is not a number"]);
}

#[test]
fn reports() {
    let folder = same("x\n1\n2\n5\n");
    let one = "while read x; do echo 1; done";
    folder.write("f.fpcore", SAME.replace(":magneto-ulps", ":magneto-out-of-range reject :magneto-ulps"));
    let arguments = ["check", "f.fpcore", "in.csv", "--exec", one, "-o", "out", "--junit", "j.xml", "--tap"];
    let tap = folder.run(&arguments).expect(1).out;
    assert!(tap.starts_with("TAP version 14\n1..3\nok 1 - same: \\#1\nnot ok 2 - same: \\#2\n"), "{tap}");
    assert!(tap.contains("not ok 3 - same robustness: \\#3\n"), "{tap}");
    let junit = folder.read("j.xml");
    for part in ["<testsuites name=\"magneto check\" tests=\"3\" failures=\"2\"", "name=\"same robustness\"", "off by"]
    {
        assert!(junit.contains(part), "no {part} in\n{junit}");
    }
    let (table, document) = (folder.read("out/check.csv"), folder.json("out/check.json"));
    let header = "test_id,x,x_dec,robustness,verdict,answer,result,result_dec,lo,hi,expected,error_in_bounds,\
                  error_in_ulps,reason\n";
    assert!(table.starts_with(header), "{table}");
    assert!(table.contains("#2,0x1p+1,2,no,KO,result,0x1p+0,1,"), "{table}");
    assert_eq!((&document["schema"], &document["exit"]), (&"magneto/check/2".into(), &1.into()));
    assert_eq!(document["implementation"]["command"], one);
    // Again, into the same folder: the same files.
    folder.run(&arguments).expect(1);
    assert_eq!(folder.read("out/check.csv"), table);
    let json = folder.run(&["check", "f.fpcore", "in.csv", "--exec", one, "--json"]).expect(1).json();
    assert_eq!(json, document);
    folder.write("other/mine.txt", "x");
    folder.run(&["check", "f.fpcore", "in.csv", "--exec", "cat", "-o", "other"]).expect(2).says(&["mine.txt"]);
}

#[test]
fn printed_digits() {
    let folder = same("x\n0.123456789012345\n1.23456789012345\n3.00000000000001\n");
    let text = folder.run(&["check", "f.fpcore", "in.csv", "--exec", "printf '0.123457\\n1.23457\\n3\\n'; cat >&2"]);
    // All at once is against the protocol.
    assert!(text.expect(4).out.contains("more than one line was written for it; `1.23457` is too much"));
    let six =
        "n=0; while read x; do n=$((n+1)); case $n in 1) echo 0.123457;; 2) echo 1.23457;; 3) echo 3;; esac; done";
    let text = folder.run(&["check", "f.fpcore", "in.csv", "--exec", six]).expect(1).out;
    assert!(text.contains("no result has more than 6 digits: print with `%a` or `%.17g`"), "{text}");
}

/// The worst failures come first by the bound, and no number at all before any.
#[test]
fn the_worst_failures_come_first() {
    let folder = same("x\n1\n2\n3\n0.5\n4\n");
    let script = "while read x; do case $x in 0x1p+0) echo 1.001;; 0x1p+1) echo 7;; 0x1.8p+1) echo nan;; 0x1p-1) \
                  echo 0.5001;; *) echo 4;; esac; done";
    let shown = |more: &[&str]| {
        let text = folder.run(&[&["check", "f.fpcore", "in.csv", "--exec", script], more].concat()).expect(1).out;
        let ids = text.lines().filter_map(|l| l.strip_prefix("  #")?.split_once(':').map(|(id, _)| id.to_owned()));
        (ids.collect::<Vec<_>>(), text)
    };
    let (ids, text) = shown(&[]);
    assert_eq!(ids, ["3", "2", "1"], "{text}");
    assert!(text.contains("KO, the worst first\n") && text.contains("… and 1 more (--verbose)\n"), "{text}");
    assert!(
        text.contains("inputs tried        5; nothing is said of others: `magneto worst` searches them\n"),
        "{text}"
    );
    let (ids, text) = shown(&["--verbose"]);
    assert_eq!(ids, ["3", "2", "1", "4"], "{text}");
}

/// Of an overflow no change of the formula is blamed, and what explains only a part of the results is no likely cause.
#[test]
fn an_overflow_is_called_one() {
    let folder = Folder::new();
    let spec = |body: &str| {
        format!(
            "(FPCore (x y) :name \"distance\" :pre (and (<= 1e-200 x 1e200) (<= 1e-200 y 1e200)) \
             :magneto-ulps (4 binary64) {body})"
        )
    };
    folder.write("in.csv", "x,y\n1,2\n3e180,1e190\n1e200,3\n0.5,7\n1e155,2e155\n2,1e-9\n1e100,3\n");
    folder.write(
        "f.c",
        "#include <math.h>\ndouble f(double x, double y) { return sqrt(x * x + y * y); }\n\
         double g(double x, double y) { return x > 2.5 ? 4 * x : hypot(x, y); }\n",
    );
    let check = |function: &str, more: &[&str]| {
        folder.run(&[&["check", "f.fpcore", "in.csv", "--c-source", "f.c", "--fn", function], more].concat()).expect(1)
    };
    folder.write("f.fpcore", spec("(hypot x y)"));
    let text = check("f", &[]).out;
    let causes = text.split_once("likely causes\n").unwrap().1;
    assert_eq!(causes.lines().count(), 2, "{text}");
    assert!(causes.contains("`sqrt(x * x + y * y) in binary64` for `(hypot x y)`"), "{text}");
    assert!(causes.contains("all 3 failing results are NaN, infinite or 0") && causes.contains("overflow"), "{text}");
    // Where the formula itself overflows it is that.
    folder.write("f.fpcore", spec("(sqrt (+ (* x x) (* y y)))"));
    let text = check("f", &[]).out;
    assert!(
        text.contains("rounded to binary64, bit for bit: the formula overflows, not the program (3 of 3"),
        "{text}"
    );
    // Two mistakes, or one that no mutant makes: what explains a part is named on request only.
    folder.write("f.fpcore", spec("(hypot x y)"));
    let document = check("g", &["--json"]).json();
    assert_eq!(document["causes"], serde_json::json!([]), "{document:#}");
    for cause in document["partial_causes"].as_array().unwrap() {
        let all = cause["failures"] == cause["of_failures"] && cause["results"] == cause["of_results"];
        assert!(!all, "{cause:#}");
    }
    let text = check("g", &[]).out;
    assert!(!text.contains("your results match"), "{text}");
}

#[test]
fn interrupted() {
    let folder = same("x\n1\n2\n3\n");
    let script = "read x; echo $x; kill -INT $PPID; sleep 60";
    let ended = folder.run(&["check", "f.fpcore", "in.csv", "--exec", script, "--json"]).expect(130);
    let document = ended.json();
    assert_eq!((&document["interrupted"], &document["tests"][0]["verdict"]), (&true.into(), &"OK".into()));
    assert_eq!(document["tests"][2]["answer"], "missing", "{document:#}");
}

#[test]
fn a_cause_shows_its_place() {
    let folder = Folder::new();
    folder.write("f.fpcore", "(FPCore (x)\n  :name \"é\"\n  :pre (<= 1 x 4)\n  (+ 1 (* 3 x)))\n");
    folder.write("in.csv", "x\n1\n2\n3.5\n").write("f.py", "def f(x):\n    return 1 + 4 * x\n");
    let text = folder.run(&["check", "f.fpcore", "in.csv", "--python", "f:f"]).expect(1).out;
    let shown = "`4` in place of `3` at 4:11 (3 of 3 failures, 3 of 3 results)\n      4 |   (+ 1 (* 3 x)))\n        |           ^\n";
    assert!(text.contains(shown), "{text}");
}

#[test]
fn mistakes_that_no_mutant_makes() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL).write("in.csv", "x,y\n1.25,0.75\n3,2\n2.5,1.75\n3.75,1.25\n");
    folder.write(
        "f.py",
        "def scaled(x, y):\n    return 1000 * (0.1 * x + y ** 0.5)\n\n\ndef swapped(a, b):\n    return 0.1 * b + a ** 0.5\n",
    );
    folder.write(
        "f.c",
        "#include <math.h>\ndouble f(double x, double y) { return 0.1f * (float)x + sqrtf((float)y); }\n",
    );
    let python = |function: &str| {
        let ended = folder.run(&["check", "f.fpcore", "in.csv", "--python", &format!("f:{function}"), "--json"]);
        ended.expect(1).json()["causes"][0].clone()
    };
    let mut command = folder.command(&["check", "f.fpcore", "in.csv", "--c-source", "f.c", "--fn", "f", "--json"]);
    let document = cli_support::Ended::new(&command.env("CFLAGS", "-O1 -ffp-contract=off").output().unwrap()).json();
    let compile = document["implementation"]["compile"].as_str().unwrap();
    assert!(compile.contains(" -O1 -ffp-contract=off -shared"), "{compile}");
    for (cause, text) in [
        (python("scaled"), "1000 times what the specification gives"),
        (python("swapped"), "the inputs `x` and `y` swapped"),
        (document["causes"][0].clone(), "each operation rounded to binary32, bit for bit"),
    ] {
        assert!(cause["matches"].as_str().unwrap().contains(text), "{cause:#}");
        assert_eq!((&cause["failures"], &cause["results"]), (&4.into(), &4.into()), "{cause:#}");
    }
}

#[test]
fn help_names_the_protocol_and_hides_the_helper() {
    let folder = Folder::new();
    let help = folder.run(&["check", "--help"]).expect(0).out;
    for text in ["one line a test", "--c-source", "$CC", "--signature", "Exit codes"] {
        assert!(help.contains(text), "no {text} in\n{help}");
    }
    for arguments in [&["--help"][..], &["man"], &["completions", "bash"]] {
        let text = folder.run(arguments).expect(0).out;
        assert!(text.contains("check") && !text.contains("call-library") && !text.contains("call\\-library"), "{text}");
    }
}

#[test]
fn many_results_that_are_right_have_no_causes() {
    let rows: String = (0..2500).map(|k| format!("{}\n", f64::from(k) / 1024.0)).collect();
    let folder = same(&format!("x\n{rows}"));
    let text = folder.run(&["check", "f.fpcore", "in.csv", "--exec", "cat"]).expect(0).out;
    assert!(text.contains("2500: 2500 OK") && !text.contains("likely causes"), "{text}");
}

/// Several threads judge, and what is written does not depend on them.
#[test]
fn a_check_is_the_same_with_any_number_of_threads() {
    let folder = Folder::new();
    folder.write("f.fpcore", "(FPCore (x) :name \"root\" :pre (<= 1 x 4000) :magneto-ulps (1 binary64) (sqrt x))");
    folder.write("in.csv", format!("x\n{}", (0..900).map(|k| format!("{k}\n")).collect::<String>()));
    folder.write("f.c", "#include <math.h>\ndouble f(double x) { return x > 500 ? sqrt(x + 1e-9) : sqrt(x); }\n");
    let written = |jobs: &str| {
        let line =
            ["check", "f.fpcore", "in.csv", "--c-source", "f.c", "--fn", "f", "--jobs", jobs, "-o", jobs, "--json"];
        let printed = folder.run(&line).expect(1).out;
        let files = folder.files(jobs);
        assert_eq!(files.len(), 2);
        assert!(files.iter().any(|(_, bytes)| bytes == printed.as_bytes()), "what is printed is check.json");
        files.into_iter().map(|(_, bytes)| bytes).collect::<Vec<_>>()
    };
    let one = written("1");
    assert!(one == written("2") && one == written("5"));
}

/// An error is told in the accuracy's unit, in as many digits as it takes to see that it is beyond the bound.
#[test]
fn errors_are_in_one_unit_that_the_accuracy_chooses() {
    let folder = same("x\n1\n2\n3\n");
    let off = |accuracy: &str, answer: &str| {
        folder.write("f.fpcore", SAME.replace(":magneto-ulps (1 binary64)", accuracy));
        let script = format!("while read x; do case $x in 0x1p+0) echo {answer};; *) echo $x;; esac; done");
        folder.run(&["check", "f.fpcore", "in.csv", "--exec", &script]).expect(1).out
    };
    let relative = off(":magneto-rel-error 1e-9", "1.5");
    assert!(relative.contains("not within the bound: off by 0.500 relative\n"), "{relative}");
    let absolute = off(":magneto-abs-error 0.25", "1.250001");
    assert!(absolute.contains("off by 0.250001 absolute\n"), "{absolute}");
    let ulps = off(":magneto-ulps (2 binary64)", "0x1.0000000000003p+0");
    assert!(ulps.contains("off by 3.000 ulps\n"), "{ulps}");
    let larger = off(":magneto-rel-error 1e-3 :magneto-abs-error 0.1", "1.3");
    assert!(larger.contains("off by 3.000 x the bound\n"), "{larger}");
}

/// Many orders of magnitude are no missed accuracy, however small the relative error is.
#[test]
fn nothing_is_near_by_a_factor_of_billions() {
    let folder = same("x\n1\n2\n3\n");
    let said = |answer: &str| {
        let script = format!("while read x; do echo {answer}; done");
        folder.run(&["check", "f.fpcore", "one.csv", "--exec", &script]).expect(1).out
    };
    folder.write("one.csv", "x\n1\n");
    // Off by 4.5e8 ulps, then by 4500.
    assert!(!said("1.0000001").contains("near"));
    assert!(said("1.000000000001").contains("[accuracy] all failing results are near: a bound 10000 times larger"));
}

/// A digit mistyped is found before another formula that gives nearly the same, with what was typed.
#[test]
fn a_constant_that_is_slightly_off_comes_first() {
    let folder = Folder::new();
    let spec = "(FPCore (x) :name \"lapse\" :pre (<= 1 x 9) :magneto-rel-error 1e-8 (+ (* 0.0065 x) (log x)))";
    folder.write("f.fpcore", spec).write("in.csv", "x\n1\n2\n3.5\n5\n8\n9\n");
    let source = "#include <math.h>\ndouble f(double x) { return 0.0065000915 * x + log(x); }\n\
                  double g(double x) { return 0.0065 * x + 1.00001 * log(x); }\n";
    folder.write("f.c", source);
    let check = |function: &str| {
        let arguments = ["check", "f.fpcore", "in.csv", "--c-source", "f.c", "--fn", function, "--verbose"];
        folder.run(&arguments).expect(1).out
    };
    let causes = check("f").split_once("likely causes\n").unwrap().1.to_owned();
    let first = "  [constant] your results match the specification with `0.0065000915` in place of `0.0065` at 1:73: a constant \
                 that is a relative 1.41e-5 too large (6 of 6 failures, 6 of 6 results)\n";
    assert!(causes.starts_with(first), "{causes}");
    assert!(causes.contains("`(tan 0.0065)`"), "{causes}");
    // No constant of the formula gives that.
    assert!(!check("g").contains("a constant that is"));
}

/// A terminal, whose colours are asked for here, has verdicts in colours.
#[test]
fn verdicts_have_colours_where_they_are_wanted() {
    let folder = same("x\n1\n2\n");
    let script = "while read x; do case $x in 0x1p+0) echo 3;; *) echo $x;; esac; done";
    let check =
        |color: &str| folder.run(&["check", "f.fpcore", "in.csv", "--exec", script, "--color", color]).expect(1).out;
    let (with, without) = (check("always"), check("never"));
    assert!(with.contains("2: 1 \x1b[32mOK\x1b[0m, 1 \x1b[31mKO\x1b[0m\n"), "{with}");
    assert!(
        !without.contains('\x1b')
            && with.replace("\x1b[32m", "").replace("\x1b[31m", "").replace("\x1b[0m", "") == without
    );
}
