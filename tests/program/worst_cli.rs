//! `magneto worst` finds where implementations err most, and survives what they do.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const MAGNETO: &str = env!("CARGO_BIN_EXE_magneto");

const SPEC: &str = "(FPCore f (x) :precision binary64 :pre (<= -20 x 20) :magneto-ulps (4 binary64) (sinh x))";

/// Runs `worst` on a C function `f` in a folder of its own, and gives the output with the folder.
fn worst(spec: &str, code: &str, more: &[&str]) -> (Output, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("f.fpcore"), spec).unwrap();
    fs::write(folder.path().join("f.c"), code).unwrap();
    let run = magneto(folder.path(), &["worst", "f.fpcore", "--c-source", "f.c", "--fn", "f"], more);
    (run, folder)
}

fn magneto(folder: &Path, first: &[&str], more: &[&str]) -> Output {
    Command::new(MAGNETO).args(first).args(more).current_dir(folder).output().unwrap()
}

fn document(run: &Output) -> serde_json::Value {
    let text = String::from_utf8_lossy(&run.stdout);
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}\n{}", String::from_utf8_lossy(&run.stderr)))
}

/// The largest error that was found, in ulps.
fn ulps(document: &serde_json::Value) -> f64 {
    document["parts"][0]["ulps"].as_str().unwrap().parse().unwrap()
}

#[test]
fn a_function_that_cancels_near_zero_is_found_and_the_tests_show_it() {
    let naive = "#include <math.h>\ndouble f(double x) { return (exp(x) - exp(-x)) / 2; }";
    let (run, folder) = worst(SPEC, naive, &["--evaluations", "20000", "-o", "out", "--json"]);
    let found = document(&run);
    assert_eq!(run.status.code(), Some(1), "{found}");
    // Below half an ulp of 1 all digits are lost: the result is 0 for the smallest inputs.
    assert!(ulps(&found) > 1e15, "{found}");
    let first: f64 = found["parts"][0]["tolerances"].as_str().unwrap().parse().unwrap();
    assert!((first - ulps(&found) / 4.0).abs() <= first * 1e-9, "the bound is 4 ulps");
    assert!(found["evaluations"].as_u64().unwrap() <= 20_000);
    let again = ["check", "f.fpcore", "out/worst.csv", "--c-source", "f.c", "--fn", "f"];
    let check = magneto(folder.path(), &again, &[]);
    assert_eq!(check.status.code(), Some(1), "{}", String::from_utf8_lossy(&check.stderr));
    let right = "#include <math.h>\ndouble f(double x) { return sinh(x); }";
    fs::write(folder.path().join("f.c"), right).unwrap();
    let check = magneto(folder.path(), &again, &[]);
    assert_eq!(check.status.code(), Some(0), "{}", String::from_utf8_lossy(&check.stdout));
}

#[test]
fn a_fault_at_minus_zero_is_found_and_no_right_program_is_wrong_there() {
    let next = "(FPCore f (x) :precision binary64 :pre (<= -1 x 1) :magneto-ulps (1 binary64) (+ x 1))";
    let sides = "#include <math.h>\ndouble f(double x) { return x == 0 && signbit(x) ? 2 : x + 1; }";
    let (run, _folder) = worst(next, sides, &["--evaluations", "2000", "--json"]);
    let found = document(&run);
    assert_eq!(run.status.code(), Some(1), "{found}");
    assert_eq!(found["parts"][0]["input"]["x"], "-0x0p+0", "{found}");
    assert_eq!(found["regions"], serde_json::json!([]), "{found}");
    // A right program may take -0 for the other side of a cut.
    let angle = "(FPCore f (y) :precision binary64 :pre (<= -1 y 1) :magneto-ulps (4 binary64) (atan2 y -1))";
    let right = "#include <math.h>\ndouble f(double y) { return atan2(y, -1); }";
    let (run, _folder) = worst(angle, right, &["--evaluations", "2000"]);
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stdout));
}

#[test]
fn a_fault_in_a_narrow_strip_is_found() {
    // A fortieth of one binade, of two thousand.
    let strip = "#include <math.h>\ndouble f(double x) { double y = sinh(x); return x > 3.25 && x < 3.3 ? y * (1 + 1e-12) : y; }";
    let (run, _folder) = worst(SPEC, strip, &["--json"]);
    let found = document(&run);
    let at = found["parts"][0]["input"]["x"].as_str().unwrap().to_owned();
    assert!(ulps(&found) > 1000.0 && at.starts_with("0x1.a"), "{found}");
}

#[test]
fn the_same_search_gives_the_same_bytes_whatever_the_number_of_threads() {
    let code = "#include <math.h>\ndouble f(double x) { return sinh(x); }";
    let search = |jobs: &str| {
        let (run, folder) = worst(SPEC, code, &["--evaluations", "5000", "-o", "out", "--jobs", jobs]);
        (run.stdout, fs::read(folder.path().join("out/worst.csv")).unwrap())
    };
    let one = search("1");
    assert!(String::from_utf8_lossy(&one.0).contains("this is a search, not a proof"), "{:?}", one.0);
    assert!(one == search("3"));
}

#[test]
fn crashes_hangs_and_nans_are_findings_and_the_search_goes_on() {
    let hostile = "#include <math.h>\n#include <stdlib.h>\n
        double f(double x) {
            if (x == 2) abort();
            if (x == 3) for (;;) ;
            if (x == 4) return NAN;
            return x > 7 && x < 7.5 ? sinh(x) * 1.5 : sinh(x);
        }";
    let (run, _folder) = worst(SPEC, hostile, &["--evaluations", "5000", "--timeout", "1", "--json"]);
    let found = document(&run);
    assert_eq!(run.status.code(), Some(1), "{found}");
    let findings = found["findings"].as_array().unwrap();
    let at = |what: &str| {
        let one = findings.iter().find(|f| f["what"].as_str().unwrap().starts_with(what));
        one.unwrap_or_else(|| panic!("{what}: {found}"))["input"]["x"].as_str().unwrap().to_owned()
    };
    assert_eq!(
        (at("crash").as_str(), at("no answer in time").as_str(), at("NaN").as_str()),
        ("0x1p+1", "0x1.8p+1", "0x1p+2")
    );
    assert!(ulps(&found) > 1e14, "{found}");
}

#[test]
fn a_program_of_lines_and_conditions_of_the_domain_do_too() {
    let spec = "(FPCore f (x y) :precision binary32 :pre (and (<= 0 x 4) (<= 0 y 4) (<= x y)) :magneto-abs-error 1e-3 (- y x))";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("f.fpcore"), spec).unwrap();
    // Wrong where x > y, which is outside the domain, and where both are large.
    let program = "def f(x, y):\n    return 99.0 if x > y else y - x + (1.0 if x > 3 else 0.0)\n";
    fs::write(folder.path().join("g.py"), program).unwrap();
    let run =
        magneto(folder.path(), &["worst", "f.fpcore", "--python", "g.py:f", "--evaluations", "3000"], &["--json"]);
    let found = document(&run);
    let worst: f64 = found["parts"][0]["tolerances"].as_str().unwrap().parse().unwrap();
    assert!((worst - 1000.0).abs() < 1.0, "{found}");
    let inputs = found["parts"].as_array().unwrap().iter().map(|p| &p["input"]);
    let value = |v: &serde_json::Value| number(v.as_str().unwrap());
    assert!(inputs.clone().all(|x| value(&x["x"]) <= value(&x["y"])), "{found}");
}

#[test]
fn a_region_is_told_with_its_ends() {
    // Wrong below 1.2e-8 only, by more than the bound and nowhere else.
    let code = "#include <math.h>\ndouble f(double x) { return fabs(x) < 1.2e-8 ? 1 : sinh(x); }";
    let (run, _folder) = worst(SPEC, code, &["--evaluations", "20000"]);
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(text.contains("|x| <= 1.199e-8: wrong at 64 of 64"), "{text}");
    // What is told is wrong: ends are rounded inward.
    let code = "#include <math.h>\ndouble f(double x) { return x > 0.70978 ? 0 : sinh(x); }";
    let (late, _folder) = worst(SPEC, code, &["--evaluations", "20000"]);
    let late = String::from_utf8_lossy(&late.stdout).into_owned();
    assert!(late.contains("x >= 0.7098: "), "{late}");
    let code = "#include <math.h>\ndouble f(double x) { return fabs(x) < 1.2e-8 ? 1 : sinh(x); }";
    let (run, _folder) = worst(SPEC, code, &["--evaluations", "20000", "--json"]);
    let found = document(&run);
    let regions = found["regions"].as_array().unwrap();
    let ends: Vec<f64> =
        regions.iter().flat_map(|r| [&r["from"], &r["to"]].map(|e| number(e.as_str().unwrap()).abs())).collect();
    // The last wrong float is the one before the threshold.
    assert_eq!(ends.iter().copied().fold(0.0, f64::max), 1.2e-8f64.next_down(), "{found}");
}

fn number(text: &str) -> f64 {
    magneto::spec::parse_rational(text).unwrap().to_f64()
}

#[test]
fn rare_wrong_results_are_no_region() {
    let code = "#include <math.h>\ndouble f(double x) { return x == 2 ? 7 : sinh(x); }";
    let (run, _folder) = worst(SPEC, code, &["--evaluations", "5000", "--json"]);
    let found = document(&run);
    assert_eq!((run.status.code(), found["regions"].as_array().unwrap().len()), (Some(1), 0), "{found}");
}

#[test]
fn the_files_have_the_schema_that_is_published_and_may_be_written_again() {
    let code = "#include <math.h>\ndouble f(double x) { if (x == 3) abort(); return x < 1 ? sinh(x) : 0; }";
    let code = code.replacen('\n', "\n#include <stdlib.h>\n", 1);
    let more = ["--evaluations", "3000", "-o", "out", "--junit", "out.xml", "-q"];
    let (_, folder) = worst(SPEC, &code, &more);
    let text = fs::read(folder.path().join("out/worst.json")).unwrap();
    let read = magneto::record::json::read::<magneto::record::worst::Worst>(&text).unwrap();
    assert_eq!(magneto::record::json::document(&read), text);
    let schema = magneto(folder.path(), &["schema", "worst"], &[]);
    let schema: serde_json::Value = serde_json::from_slice(&schema.stdout).unwrap();
    let found: serde_json::Value = serde_json::from_slice(&text).unwrap();
    for name in schema["required"].as_array().unwrap() {
        assert!(found.get(name.as_str().unwrap()).is_some(), "{name}");
    }
    let xml = fs::read_to_string(folder.path().join("out.xml")).unwrap();
    let failed =
        read.parts.iter().filter(|p| p.verdict == magneto::record::VerdictWord::Ko).count() + read.findings.len();
    assert!(failed > 1 && xml.contains(&format!("failures=\"{failed}\"")), "{xml}");
    // The page draws what the document has.
    assert!(!found["picture"].as_array().unwrap().is_empty() && !folder.path().join("out/worst.svg").exists());
    let again = magneto(folder.path(), &["worst", "f.fpcore", "--c-source", "f.c", "--fn", "f"], &more);
    assert_eq!(again.status.code(), Some(1), "{}", String::from_utf8_lossy(&again.stderr));
    assert_eq!(fs::read(folder.path().join("out/worst.json")).unwrap(), text);
}

#[test]
fn what_a_search_leaves_is_checked_exported_and_reported() {
    let code = "#include <math.h>\n#include <stdlib.h>\n
        double f(double x) { if (x == 3) abort(); return x < 1 ? sinh(x) : sinh(x) * (1 + 1e-12); }";
    let (_, folder) = worst(SPEC, code, &["--evaluations", "3000", "-o", "out", "-q"]);
    let found: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.path().join("out/worst.json")).unwrap()).unwrap();
    let names = |list: &str| -> Vec<String> {
        found[list].as_array().unwrap().iter().map(|t| t["id"].as_str().unwrap().to_owned()).collect()
    };
    let (findings, parts) = (names("findings"), names("parts"));
    assert_eq!((findings.as_slice(), parts[0].as_str()), (&["f001".to_owned()][..], "w001"), "{found}");
    let implementation = ["--c-source", "f.c", "--fn", "f", "--json"];
    let check = document(&magneto(folder.path(), &["check", "f.fpcore", "out"], &implementation));
    let verdicts = |check: &serde_json::Value| -> Vec<(String, String)> {
        let text = |t: &serde_json::Value, name: &str| t[name].as_str().unwrap().to_owned();
        check["tests"].as_array().unwrap().iter().map(|t| (text(t, "id"), text(t, "verdict"))).collect()
    };
    let verdicts = verdicts(&check);
    assert_eq!(verdicts.iter().map(|v| &v.0).collect::<Vec<_>>(), findings.iter().chain(&parts).collect::<Vec<_>>());
    let expected = found["parts"].as_array().unwrap().iter().map(|p| p["verdict"].as_str().unwrap());
    assert!(verdicts.iter().map(|v| v.1.as_str()).eq(["KO"].into_iter().chain(expected)), "{verdicts:?}");
    // As C: the wrong function fails, the right one passes.
    let export = magneto(folder.path(), &["export", "out", "--to", "c", "--function", "f", "-o", "exported"], &[]);
    assert_eq!(export.status.code(), Some(0), "{}", String::from_utf8_lossy(&export.stderr));
    let written: Vec<_> = fs::read_dir(folder.path().join("exported")).unwrap().map(|e| e.unwrap().path()).collect();
    let source = written.iter().find(|p| p.extension().is_some_and(|e| e == "c")).unwrap();
    fs::write(folder.path().join("right.c"), "#include <math.h>\ndouble f(double x) { return sinh(x); }").unwrap();
    fs::write(folder.path().join("wrong.c"), "double f(double x) { return x; }").unwrap();
    for (file, passes) in [("right.c", true), ("wrong.c", false)] {
        let program = folder.path().join("run");
        let mut cc = Command::new("cc");
        cc.arg("-o").arg(&program).arg(source).arg(file).arg("-lm").current_dir(folder.path());
        let built = cc.output().unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        assert_eq!(Command::new(&program).output().unwrap().status.success(), passes, "{file}");
    }
    let report = magneto(folder.path(), &["report", "out"], &[]);
    assert_eq!(report.status.code(), Some(0), "{}", String::from_utf8_lossy(&report.stderr));
    let page = fs::read_to_string(folder.path().join("out/report.html")).unwrap();
    assert!(
        page.contains("Something is wrong.") && page.contains("aria-label=\"Errors in tolerances over x, by floats\""),
        "{page}"
    );
    for id in findings.iter().chain(&parts) {
        assert!(page.contains(&format!("<td>{id}</td>")), "{id}");
    }
    // The page does not stand in the way of another search.
    let line = ["worst", "f.fpcore", "--c-source", "f.c", "--fn", "f", "--evaluations", "300", "-o", "out"];
    assert_eq!(magneto(folder.path(), &line, &[]).status.code(), Some(1));
}

#[test]
fn a_search_begins_with_the_tests_that_it_is_given() {
    // Wrong at one input only, which no search can find.
    let code = "#include <math.h>\ndouble f(double x) { return x == 0x1.23456789abcdep+1 ? 7 : sinh(x); }";
    let (run, folder) = worst(SPEC, code, &["--evaluations", "2000", "--json"]);
    assert_eq!(run.status.code(), Some(0), "{}", document(&run));
    fs::write(folder.path().join("tests.csv"), "x\n1\n99\n0x1.23456789abcdep+1\n").unwrap();
    let line = ["worst", "f.fpcore", "--c-source", "f.c", "--fn", "f", "--evaluations", "2000", "--json"];
    let run = magneto(folder.path(), &line, &["--tests", "tests.csv"]);
    let found = document(&run);
    assert_eq!((run.status.code(), &found["parts"][0]["input"]["x"]), (Some(1), &"0x1.23456789abcdep+1".into()));
    // Of a folder as well, that of another search for instance.
    let more = ["--tests", "tests.csv", "-o", "out"];
    assert_eq!(magneto(folder.path(), &line, &more).status.code(), Some(1));
    assert_eq!(magneto(folder.path(), &line, &["--tests", "out"]).status.code(), Some(1));
    let run = magneto(folder.path(), &line, &["--tests", "none.csv"]);
    assert_eq!(run.status.code(), Some(2), "{}", String::from_utf8_lossy(&run.stderr));
}

/// A function of one binary16 input that is wrong at one input, and one that is right.
const HALF: &str = "(FPCore f (x) :precision binary16 :pre (<= -8 x 8) :magneto-ulps (1 binary16) (exp x))";

#[test]
fn an_enumeration_finds_the_only_wrong_input_and_certifies_the_rest() {
    let wrong = "#include <math.h>\nfloat f(float x) { return x == -3.2441406f ? 9 : (float)(_Float16)exp(x); }";
    let (run, folder) = worst(HALF, wrong, &["--exhaustive", "--json"]);
    let found = document(&run);
    let all = &found["exhaustive"];
    assert_eq!((run.status.code(), &all["ko"]), (Some(1), &1.into()), "{found}");
    assert_eq!(number(found["parts"][0]["input"]["x"].as_str().unwrap()), -3.244140625);
    // Zero counts once; 2 * 18432 values of magnitude at most 8 beside it.
    assert_eq!((&all["inputs"], &all["seen"]), (&36_865.into(), &36_865.into()), "{found}");
    let right = "#include <math.h>\nfloat f(float x) { return (float)(_Float16)exp(x); }";
    fs::write(folder.path().join("f.c"), right).unwrap();
    let run = magneto(folder.path(), &["worst", "f.fpcore", "--c-source", "f.c", "--fn", "f", "--exhaustive"], &[]);
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    assert_eq!(run.status.code(), Some(0), "{text}");
    assert!(text.contains("OK at every input of the domain") && text.contains("right, wrong      36865, 0"), "{text}");
    // Correctly rounded but for the second rounding.
    let bound = text.split("no error above    ").nth(1).unwrap().split(' ').next().unwrap().parse::<f64>().unwrap();
    assert!((0.49..0.502).contains(&bound), "{text}");
}

/// Two inputs of binary16, 263,169 pairs: several blocks, that end in the middle of parts.
const PRODUCT: &str =
    "(FPCore f (x y) :precision binary16 :pre (and (<= 1 x 1.5) (<= 1 y 1.5)) :magneto-ulps (1 binary16) (* x y))";

#[test]
fn an_enumeration_that_was_interrupted_goes_on_and_ends_alike() {
    // It stops where x is 1.25 until it may go on; what was found before is at x = 1.125.
    let code = "#include <stdio.h>\n#include <unistd.h>\n
        float f(float x, float y) {
            if (x == 1.25f && access(\"go\", F_OK) != 0) {
                fclose(fopen(\"reached\", \"w\"));
                while (access(\"go\", F_OK) != 0) usleep(10000);
            }
            return x == 1.125f && y < 1.002f ? 7 : x * y;
        }";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("f.fpcore"), PRODUCT).unwrap();
    fs::write(folder.path().join("f.c"), code).unwrap();
    // One thread, so that all before the stop is looked at before it.
    let line = ["worst", "f.fpcore", "--c-source", "f.c", "--fn", "f", "--exhaustive", "--jobs=1", "--json", "-o"];
    let part = [&line[..], &["part"]].concat();
    assert_eq!(magneto(folder.path(), &part, &["--resume"]).status.code(), Some(2), "there is nothing to go on from");
    for (signal, more) in [(rustix::process::Signal::INT, None), (rustix::process::Signal::TERM, Some("--resume"))] {
        let mut child = Command::new(MAGNETO);
        let mut child = child.args(&part).args(more).current_dir(folder.path()).stdout(Stdio::null()).spawn().unwrap();
        while !folder.path().join("reached").exists() {
            std::thread::sleep(Duration::from_millis(10));
        }
        rustix::process::kill_process(rustix::process::Pid::from_child(&child), signal).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal:?}");
        fs::remove_file(folder.path().join("reached")).unwrap();
    }
    let saved = fs::read(folder.path().join("part/worst-resume.json")).unwrap();
    let saved: serde_json::Value = serde_json::from_slice(&saved).unwrap();
    assert!(saved["seen"].as_u64().unwrap() > 65_000 && saved["ko"] == 3, "{}", saved["seen"]);
    fs::write(folder.path().join("go"), "").unwrap();
    let anew = magneto(folder.path(), &part, &[]);
    assert_eq!(anew.status.code(), Some(2), "an interrupted search is not lost by forgetting --resume");
    let said = String::from_utf8_lossy(&anew.stderr);
    assert!(said.contains("add --resume to go on") && said.contains("% are done"), "{said}");
    let resumed = document(&magneto(folder.path(), &part, &["--resume"]));
    let whole = document(&magneto(folder.path(), &[&line[..], &["whole"]].concat(), &[]));
    assert_eq!(whole["exhaustive"]["ko"], 3, "{whole}");
    for name in ["exhaustive", "parts", "findings", "exit"] {
        assert_eq!(resumed[name], whole[name], "{name}");
    }
    assert_eq!(resumed["picture"], whole["picture"], "the picture shows what was looked at before, too");
    assert!(!folder.path().join("part/worst-resume.json").exists());
}

#[test]
fn an_enumeration_gives_the_same_bytes_whatever_the_number_of_threads() {
    let code = "#include <math.h>\n#include <stdlib.h>\n
        float f(float x, float y) {
            if (x == 1.25f && y == 1.25f) abort();
            return x > 1.4f && y == 1.5f ? NAN : x == 1.375f ? x : x * y;
        }";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("f.fpcore"), PRODUCT).unwrap();
    fs::write(folder.path().join("f.c"), code).unwrap();
    let all = |jobs: &str| {
        let line = ["worst", "f.fpcore", "--c-source", "f.c", "--fn", "f", "--exhaustive", "-o", jobs, "--jobs", jobs];
        let run = magneto(folder.path(), &line, &[]);
        let read = |name: &str| fs::read(folder.path().join(jobs).join(name)).unwrap();
        (run.status.code(), read("worst.json"), read("worst.csv"))
    };
    let one = all("1");
    let found: serde_json::Value = serde_json::from_slice(&one.1).unwrap();
    // 103 values of binary16 lie in (1.4, 1.5], and there is one crash.
    let times: Vec<u64> = found["findings"].as_array().unwrap().iter().map(|f| f["times"].as_u64().unwrap()).collect();
    assert_eq!((one.0, times.iter().sum::<u64>(), times.len()), (Some(1), 104, 2), "{}", found["findings"]);
    assert!(one == all("3"));
}

#[test]
fn each_part_of_an_enumeration_has_its_own_worst_result() {
    let ends = |found: &serde_json::Value| -> Vec<[f64; 4]> {
        let value = |p: &serde_json::Value, end: &str, input: &str| number(p[end][input].as_str().unwrap());
        let parts = found["parts"].as_array().unwrap().iter();
        parts
            .map(|p| [value(p, "from", "x"), value(p, "from", "y"), value(p, "to", "x"), value(p, "to", "y")])
            .collect()
    };
    // Rows of 61 inputs, in two parts each: no block ends with a part.
    let spec = PRODUCT.replace("(<= 1 x 1.5) (<= 1 y 1.5)", "(<= 1 x 16) (<= 1.97 y 2.06)");
    let (run, folder) = worst(&spec, "float f(float x, float y) { return x * y; }", &["--exhaustive", "--json"]);
    let parts = ends(&document(&run));
    assert!(parts.len() > 4, "{parts:?}");
    // Wrong in the first and the last corner of every part, and most in the last one.
    let tests: String = parts
        .iter()
        .enumerate()
        .map(|(k, [a, b, c, d])| {
            format!(
                "if (x == {a:?} && y == {b:?}) return {}; if (x == {c:?} && y == {d:?}) return {};\n",
                50 + k,
                30_000 + k
            )
        })
        .collect();
    let wrong = format!("float f(float x, float y) {{ {tests} return x * y; }}");
    fs::write(folder.path().join("f.c"), wrong).unwrap();
    let line = ["worst", "f.fpcore", "--c-source", "f.c", "--fn", "f", "--exhaustive", "--json"];
    let found = document(&magneto(folder.path(), &line, &[]));
    assert_eq!(ends(&found).len(), parts.len());
    for part in found["parts"].as_array().unwrap() {
        let at = |end: &str| number(part["input"][end].as_str().unwrap());
        let last = |end: &str| number(part["to"][end].as_str().unwrap());
        assert_eq!((at("x"), at("y")), (last("x"), last("y")), "{part}");
    }
}

#[test]
fn an_implementation_that_refuses_is_a_finding() {
    let code = "int f(float x, float *y) { if (x > 3) return 5; *y = (float)(_Float16)__builtin_exp(x); return 0; }";
    let (run, folder) = worst(HALF, code, &["--exhaustive", "--json"]);
    let found = document(&run);
    let one = &found["findings"][0];
    assert_eq!((run.status.code(), &one["what"]), (Some(1), &"refused: returned status 5".into()), "{found}");
    // The floats of binary16 from 3 on to 8, 3 not: 512 to 4, 1024 to 8, and 8.
    assert_eq!((&one["times"], &found["exhaustive"]["ko"]), (&1536.into(), &1536.into()), "{found}");
    assert_eq!(found["exhaustive"]["owed"], 36_865);
    let line = ["worst", "f.fpcore", "--c-source", "f.c", "--fn", "f", "--json", "--evaluations", "3000"];
    let found = document(&magneto(folder.path(), &line, &[]));
    assert_eq!(found["findings"][0]["what"], "refused: returned status 5", "{found}");
    fs::write(folder.path().join("f.c"), "int f(float x, float *y) { return 1; }").unwrap();
    for more in [&["--exhaustive"][..], &["--evaluations", "3000"]] {
        let run = magneto(folder.path(), &["worst", "f.fpcore", "--c-source", "f.c", "--fn", "f", "--json"], more);
        let found = document(&run);
        assert_eq!((run.status.code(), &found["findings"][0]["what"]), (Some(1), &"refused: returned status 1".into()));
        assert!(found["parts"].as_array().unwrap().is_empty(), "{found}");
    }
}

#[test]
fn two_implementations_are_compared() {
    let (run, folder) =
        worst(SPEC, "#include <math.h>\ndouble f(double x) { return sinh(x); }", &["--evaluations", "10"]);
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stdout));
    let old = "#include <math.h>\ndouble f(double x) { return x == 4 ? NAN : (exp(x) - exp(-x)) / 2; }";
    fs::write(folder.path().join("old.c"), old).unwrap();
    let line = ["worst", "f.fpcore", "--c-source", "f.c", "--fn", "f", "--against", "old.c", "--evaluations", "5000"];
    let found = document(&magneto(folder.path(), &line, &["--json"]));
    let rows = found["against"]["inputs"].as_array().unwrap();
    let error = |row: &serde_json::Value, k: usize| row["ulps"][k].as_str().map(|u| u.parse::<f64>().unwrap());
    assert!(rows.iter().any(|r| error(r, 1).is_some_and(|e| e > 1e10) && error(r, 0).unwrap() < 3.0), "{found}");
    let hollow = rows.iter().find(|r| r["results"][1] == "nan").unwrap_or_else(|| panic!("{found}"));
    assert_eq!((&hollow["input"]["x"], &hollow["verdicts"]), (&"0x1p+2".into(), &serde_json::json!(["OK", "KO"])));
    let text = magneto(folder.path(), &line, &[]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("the other at"), "{text}");
    let wrong = magneto(folder.path(), &line[..6], &["--against", "nothing.c"]);
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn a_function_that_crashes_on_half_of_the_domain_is_found_out() {
    let code = "#include <math.h>\n#include <stdlib.h>\ndouble f(double x) { if (x > 0) abort(); return sinh(x); }";
    let (run, _folder) = worst(SPEC, code, &["--evaluations", "5000", "--json"]);
    let found = document(&run);
    assert_eq!(run.status.code(), Some(1), "{found}");
    assert!(found["findings"][0]["what"].as_str().unwrap().starts_with("crash"), "{found}");
}

/// Shards put together, and what matters put again, end with the same bytes; what does not fit is refused by name.
#[test]
fn an_enumeration_in_shards_ends_as_one_does() {
    let code = "#include <math.h>\n#include <stdlib.h>\n
        float f(float x, float y) {
            if (x == 1.25f && y == 1.25f) abort();
            return x > 1.4f && y == 1.5f ? NAN : x == 1.375f ? x : x * y;
        }";
    let folder = tempfile::tempdir().unwrap();
    let here = |name: &str| folder.path().join(name);
    fs::write(here("f.fpcore"), PRODUCT).unwrap();
    fs::write(here("f.c"), code).unwrap();
    let run = |more: &[&str]| {
        let line = ["worst", "f.fpcore", "--c-source", "f.c", "--fn", "f", "--exhaustive"];
        magneto(folder.path(), &line, more)
    };
    let files = |dir: &str| ["worst.json", "worst.csv"].map(|name| fs::read(here(dir).join(name)).unwrap());
    let whole = run(&["-o", "whole"]);
    assert_eq!(whole.status.code(), Some(1));
    let merge = |dirs: &[String], out: &str| {
        let dirs: Vec<&str> = dirs.iter().map(String::as_str).collect();
        magneto(folder.path(), &[&["merge"], &dirs[..], &["-o", out]].concat(), &[])
    };
    for n in [1, 2, 3, 7] {
        let one = |k: usize| {
            let dir = format!("n{n}-{k}");
            let code = run(&["--shard", &format!("{k}/{n}"), "-o", &dir]).status.code();
            assert!(matches!(code, Some(0 | 1)), "{code:?}");
            // A part is no proof, and does not look like one.
            assert!(!here(&dir).join("worst.json").exists());
            dir
        };
        let dirs: Vec<String> = (1..=n).rev().map(one).collect();
        let out = format!("n{n}");
        assert_eq!(merge(&dirs, &out).status.code(), Some(1), "{n}");
        let ended = run(&["--resume", "-o", &out]);
        assert!(ended.status.code() == whole.status.code() && ended.stdout == whole.stdout, "{n}");
        assert!(files(&out) == files("whole"), "{n}");
        assert!(!here(&out).join("worst-resume.json").exists());
    }

    let refused = |dirs: &[&str], text: &str| {
        let dirs: Vec<String> = dirs.iter().map(|d| (*d).to_owned()).collect();
        let ended = merge(&dirs, "refused");
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(ended.status.code() == Some(2) && said.contains(text), "no `{text}` in {said}");
        assert!(!here("refused").exists());
    };
    refused(&["n3-1", "n3-3"], "shard is missing: 2/3");
    refused(&["n3-1", "n3-2", "n3-2"], "shard 2/3 is there twice: n3-2 and n3-2");
    refused(&["n3-1", "n2-1"], "the second is one of 2, the first one of 3");
    refused(&["n3-1", "whole"], "whole is no shard");
    run(&["--shard", "2/3", "-o", "other", "--precision-cap", "1000"]);
    refused(&["n3-1", "other", "n3-3"], "--precision-cap of");
    fs::write(here("f.c"), code.replace("1.375f", "1.3125f")).unwrap();
    run(&["--shard", "2/3", "-o", "other"]);
    refused(&["n3-1", "other", "n3-3"], "ran another implementation:");
    let text = fs::read_to_string(here("n3-2/worst-resume.json")).unwrap();
    let (before, after) = text.split_once("\"seen\": ").unwrap();
    fs::write(here("other/worst-resume.json"), format!("{before}\"seen\": 5{}", &after[after.find(',').unwrap()..]))
        .unwrap();
    refused(&["n3-1", "other", "n3-3"], "shard 2/3 in other did not come to its end");
    // The merged state is of the implementation that the shards ran.
    let dirs: Vec<String> = (1..4).map(|k| format!("n3-{k}")).collect();
    merge(&dirs, "changed");
    assert_eq!(run(&["--resume", "-o", "changed"]).status.code(), Some(2));
}

/// On a terminal a search shows how far it is, and takes the line away in the end; elsewhere it shows nothing.
#[test]
fn a_terminal_is_told_how_far_a_search_is() {
    let folder = crate::cli_support::Folder::new();
    folder.write("f.fpcore", SPEC);
    folder.write("f.c", "#include <math.h>\ndouble f(double x) { return (exp(x) - exp(-x)) / 2; }\n");
    let words = ["worst", "f.fpcore", "--c-source", "f.c", "--fn", "f", "--evaluations", "40000"];
    let quiet = folder.run(&words).expect(1);
    assert!(!quiet.err.contains('\r') && !quiet.err.contains("evaluations, worst"), "{}", quiet.err);
    let program = folder.command(&words);
    let line: Vec<String> =
        std::iter::once(program.get_program()).chain(program.get_args()).map(|w| w.to_string_lossy().into()).collect();
    let mut terminal = std::process::Command::new("script");
    terminal.args(["-qec", &line.join(" "), "/dev/null"]).current_dir(folder.root()).stdin(std::process::Stdio::null());
    let Ok(shown) = terminal.output() else { return crate::cli_support::missing("script of util-linux") };
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    let last = shown.rfind("/40000 evaluations, worst ").expect("progress");
    assert!(shown[last..].contains("\r\u{1b}[2K") && shown.contains("] f: "), "{shown}");
    assert!(shown.contains("\u{1b}[31mKO\u{1b}[0m"), "{shown}");
}

/// An interpreter takes longer to start than to answer: one serves a whole search.
#[test]
fn a_python_interpreter_is_started_once() {
    let folder = crate::cli_support::Folder::new();
    folder.write("f.fpcore", "(FPCore f (x y) :pre (and (<= 1 x 4) (<= 1 y 4)) :magneto-rel-error 1e-9 (* y x))");
    // What one call leaves behind the next one finds, and an exception is no end.
    let program = "calls = 0\ndef f(x, y):\n    global calls\n    calls += 1\n    if x > 3.9:\n        raise KeyError(calls)\n    return x * y\n";
    folder.write("g.py", program).write("python.sh", "#!/bin/sh\necho start >> starts\nexec python3 \"$@\"\n");
    let mode: fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(folder.path("python.sh"), mode).unwrap();
    let mut command = folder.command(&["worst", "f.fpcore", "--python", "g.py:f", "--evaluations", "3000", "--json"]);
    let run = command.env("PYTHON", folder.path("python.sh")).output().unwrap();
    let found = document(&run);
    assert_eq!(found["findings"][0]["what"].as_str().unwrap().split(':').next(), Some("crash"), "{found}");
    // One more asks what the function takes.
    let starts = folder.read("starts").lines().count();
    assert!(starts <= 2, "{starts} starts");
}

/// A search that was interrupted says what it had found.
#[test]
fn an_interrupted_search_that_found_a_wrong_result_says_so() {
    let folder = crate::cli_support::Folder::new();
    folder.write("f.fpcore", "(FPCore f (x) :name \"f\" :pre (<= 1 x 4) :magneto-rel-error 1e-9 x)");
    let program = "import time\ncalls = 0\ndef f(x):\n    global calls\n    calls += 1\n    if calls == 400:\n        \
                   open(\"far\", \"w\").close()\n    time.sleep(0.002)\n    return x + 1\n";
    folder.write("g.py", program);
    folder.write("magneto.toml", "[[implementation]]\nspec = \"f.fpcore\"\npython = \"g.py:f\"\n");
    for arguments in [&["worst", "f.fpcore", "--python", "g.py:f"][..], &["worst"]] {
        let _ = fs::remove_file(folder.path("far"));
        let mut command = folder.command(arguments);
        let search = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
        let begun = std::time::Instant::now();
        while !folder.path("far").exists() {
            assert!(begun.elapsed() < std::time::Duration::from_secs(60));
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let pid = search.id().to_string();
        assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        let ended = search.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&ended.stdout).into_owned();
        assert_eq!(ended.status.code(), Some(130), "{text}");
        assert!(text.contains("KO, interrupted"), "{text}");
    }
}
