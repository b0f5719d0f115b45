//! Exported tests are compiled and run, against a right implementation and a wrong one. Where a framework is not
//! installed the test says so and is skipped; `.ci/setup ci` installs them.

use crate::cli_support::{Folder, SMALL, missing};
use std::path::Path;
use std::process::{Command, Output};

const RIGHT: &str = "#include <math.h>\ndouble small(double x, double y) { return 0.1 * x + sqrt(y); }\n";
/// Off by more than the accuracy at some inputs only.
const WRONG: &str =
    "#include <math.h>\ndouble small(double x, double y) { return (x > 3.5 ? 0.1001 : 0.1) * x + sqrt(y); }\n";
/// Refuses what is outside its ranges.
const STRICT: &str = "#include <math.h>\ndouble small(double x, double y) {\n  \
    if (!(1 <= x && x <= 4 && 0.5 <= y && y <= 2)) return NAN;\n  return 0.1 * x + sqrt(y);\n}\n";

/// A folder with the tests of the small specification, exported.
fn exported(target: &str) -> Folder {
    let folder = Folder::new();
    folder.write("s.fpcore", SMALL);
    folder.run(&["gen", "s.fpcore", "-q", "--boundary"]).expect(0);
    folder.run(&["export", "magneto.out", "--to", target, "-o", "."]).expect(0).says(&["outside the domain"]);
    folder.write("right.c", RIGHT).write("wrong.c", WRONG).write("strict.c", STRICT);
    folder
}

pub(crate) fn run(folder: &Folder, program: &str, arguments: &[&str]) -> Option<Output> {
    Command::new(program).args(arguments).current_dir(folder.root()).output().ok()
}

#[track_caller]
pub(crate) fn succeeds(folder: &Folder, program: &str, arguments: &[&str]) {
    let output = run(folder, program, arguments).unwrap_or_else(|| panic!("no {program}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{program} {arguments:?}\n{}{}", text(&output.stdout), text(&output.stderr));
}

/// Whether a program of one include compiles.
fn includes(folder: &Folder, compiler: &str, extension: &str, include: &str) -> bool {
    folder.write(&format!("probe.{extension}"), format!("{include}\nint main(void) {{ return 0; }}\n"));
    let source = format!("probe.{extension}");
    run(folder, compiler, &["-c", &source, "-o", "probe.o"]).is_some_and(|o| o.status.success())
}

/// The same, and if not says what is skipped.
fn compiles(folder: &Folder, compiler: &str, extension: &str, include: &str) -> bool {
    let done = includes(folder, compiler, extension, include);
    if !done {
        missing(&format!("{compiler} does not compile {include}"));
    }
    done
}

pub(crate) const STRICT_C: [&str; 5] = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"];

/// Compile the tests, link them with each implementation, and see who passes.
fn judge(folder: &Folder, compiler: &str, flags: &[&str], source: &str, libraries: &[&str]) {
    for implementation in ["right", "wrong", "strict"] {
        succeeds(folder, "cc", &["-c", &format!("{implementation}.c"), "-o", &format!("{implementation}.o")]);
    }
    for (definition, object) in [("-DNOTHING", "usual.o"), ("-DMAGNETO_OUT_OF_RANGE", "all.o")] {
        succeeds(folder, compiler, &[flags, &[definition, "-I.", "-c", source, "-o", object]].concat());
    }
    for (object, implementation, passes) in [
        ("usual.o", "right.o", true),
        ("usual.o", "wrong.o", false),
        // The right one takes any input, which is a mistake only where refusals are asked for.
        ("all.o", "right.o", false),
        ("all.o", "strict.o", true),
    ] {
        succeeds(folder, compiler, &[&[object, implementation, "-o", "program"], libraries, &["-lm"]].concat());
        let output = Command::new(folder.path("program")).current_dir(folder.root()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.success(), passes, "{object} {implementation}\n{text}");
        if !passes {
            let said = format!("{text}{}", String::from_utf8_lossy(&output.stderr));
            assert!(said.contains("kills "), "a failure says what it is about:\n{said}");
        }
    }
}

#[test]
fn plain_c() {
    let folder = exported("c");
    judge(&folder, "cc", &STRICT_C, "test_small.c", &[]);
    let header = folder.read("small_tests.h");
    assert!(header.contains("REQ-1") && header.contains("0x1p+2, ") && header.contains("kills "), "{header}");
}

#[test]
fn the_c_tests_are_also_cpp() {
    let folder = exported("c");
    if compiles(&folder, "c++", "cpp", "#include <cstdio>") {
        let flags = ["-x", "c++", "-std=c++17", "-Wall", "-Wextra", "-Werror"];
        judge(&folder, "c++", &flags, "test_small.c", &[]);
    }
}

#[test]
fn unity() {
    let folder = exported("unity");
    // Unity comes as sources; this has its macros with the same meaning.
    folder.write(
        "unity.h",
        "#include <setjmp.h>\n#include <stdio.h>\nstatic jmp_buf out; static int bad, ignored;\n\
         static void end(const char *what, const char *said) { printf(\"%s: %s\\n\", what, said); longjmp(out, 1); }\n\
         #define UNITY_BEGIN() (bad = ignored = 0)\n#define UNITY_END() bad\n\
         #define RUN_TEST(f) do { if (!setjmp(out)) { setUp(); f(); } tearDown(); } while (0)\n\
         #define TEST_ASSERT_TRUE_MESSAGE(c, m) do { if (!(c)) { bad++; end(\"FAIL\", m); } } while (0)\n\
         #define TEST_IGNORE_MESSAGE(m) do { ignored++; end(\"IGNORE\", m); } while (0)\n",
    );
    judge(&folder, "cc", &STRICT_C, "test_small.c", &[]);
}

#[test]
fn check() {
    let folder = exported("check");
    if compiles(&folder, "cc", "c", "#include <check.h>") {
        let libraries: &[&[&str]] =
            &[&["-lcheck"], &["-lcheck", "-lsubunit", "-lrt", "-lpthread"], &["-lcheck", "-lrt", "-lpthread"]];
        // The static library wants others on some systems.
        let links = |l: &&&[&str]| {
            let arguments = [&["probe.o", "-o", "probe"], **l, &["-lm"]].concat();
            run(&folder, "cc", &arguments).is_some_and(|o| o.status.success())
        };
        folder.write("probe.c", "#include <check.h>\nint main(void) { srunner_run_all(srunner_create(suite_create(\"\")), CK_NORMAL); return 0; }\n");
        succeeds(&folder, "cc", &["-c", "probe.c", "-o", "probe.o"]);
        let library = libraries.iter().find(links).unwrap();
        judge(&folder, "cc", &["-std=gnu99", "-Wall"], "test_small.c", library);
    }
}

#[test]
fn cmocka() {
    let folder = exported("cmocka");
    let headers =
        "#include <setjmp.h>\n#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <cmocka.h>";
    if compiles(&folder, "cc", "c", headers) {
        judge(&folder, "cc", &["-std=c99", "-Wall", "-Wextra", "-Werror"], "test_small.c", &["-lcmocka"]);
    }
}

#[test]
fn googletest() {
    let folder = exported("gtest");
    if compiles(&folder, "c++", "cpp", "#include <gtest/gtest.h>") {
        judge(&folder, "c++", &["-std=c++17", "-Wall"], "test_small.cpp", &["-lgtest", "-lgtest_main", "-pthread"]);
    }
}

#[test]
fn catch2() {
    let folder = exported("catch2");
    if includes(&folder, "c++", "cpp", "#include <catch2/catch_test_macros.hpp>") {
        judge(&folder, "c++", &["-std=c++17", "-Wall"], "test_small.cpp", &["-lCatch2Main", "-lCatch2"]);
    } else if compiles(&folder, "c++", "cpp", "#include <catch2/catch.hpp>") {
        // Version 2 is one header, which takes long with its main program: that is compiled once, by itself.
        folder.write("main.cpp", "#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n");
        succeeds(&folder, "c++", &["-std=c++17", "-c", "main.cpp", "-o", "main.o"]);
        let flags = ["-std=c++17", "-Wall", "-DMAGNETO_CATCH_MAIN"];
        judge(&folder, "c++", &flags, "test_small.cpp", &["main.o"]);
    }
}

#[test]
fn rust() {
    let folder = exported("rust");
    let main = |body: &str| format!("pub fn small(x: f64, y: f64) -> f64 {{ {body} }}\n#[cfg(test)] mod test_small;\n");
    let strict = "if !(1.0..=4.0).contains(&x) || !(0.5..=2.0).contains(&y) { panic!() } 0.1 * x + y.sqrt()";
    for (body, usual, all) in [
        ("0.1 * x + y.sqrt()", true, false),
        (strict, true, true),
        ("(if x > 3.5 { 0.1001 } else { 0.1 }) * x + y.sqrt()", false, false),
    ] {
        folder.write("lib.rs", main(body));
        succeeds(&folder, "rustc", &["--edition=2021", "--test", "lib.rs", "-o", "program", "-Dwarnings"]);
        let passes = |arguments: &[&str]| {
            let output = Command::new(folder.path("program")).args(arguments).output().unwrap();
            (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
        };
        let (passed, text) = passes(&[]);
        assert_eq!(passed, usual, "{body}\n{text}");
        assert!(text.contains(" ignored") && (usual || text.contains("kills ")), "{text}");
        assert_eq!(passes(&["--include-ignored"]).0, all, "{body}");
    }
}

#[test]
fn pytest() {
    let folder = exported("pytest");
    let pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "test_small.py"];
    if !run(&folder, "python3", &["-m", "pytest", "--version"]).is_some_and(|o| o.status.success()) {
        missing("python3 has no pytest");
        return;
    }
    let strict = "    if not (1 <= x <= 4 and 0.5 <= y <= 2): raise ValueError\n";
    for (body, usual, all) in [
        ("    return 0.1 * x + y ** 0.5\n".to_owned(), true, false),
        (format!("{strict}    return 0.1 * x + y ** 0.5\n"), true, true),
        ("    return (0.1001 if x > 3.5 else 0.1) * x + y ** 0.5\n".to_owned(), false, false),
    ] {
        folder.write("small.py", format!("def small(x, y):\n{body}"));
        for (wanted, passes) in [(false, usual), (true, all)] {
            let mut command = Command::new("python3");
            // No compiled module of the last body.
            command.args(pytest).current_dir(folder.root()).env("PYTHONDONTWRITEBYTECODE", "1");
            if wanted {
                command.env("MAGNETO_OUT_OF_RANGE", "1");
            }
            let output = command.output().unwrap();
            let text = String::from_utf8_lossy(&output.stdout);
            assert_eq!(output.status.success(), passes, "{body}{text}");
            assert!(wanted || text.contains(" skipped"), "{text}");
            assert!(passes || text.contains("REQ-1-t0"), "{text}");
        }
    }
}

/// MATLAB is compared as text; Octave has no function-based tests.
#[test]
fn matlab() {
    let text = exported("matlab").read("test_small.m");
    for piece in [
        "function tests = test_small\n% Tests of small [REQ-1], generated by Magneto",
        "tests = functiontests(localfunctions);\nend\n",
        "\nfunction test_t002(testCase)\n% ",
        "(testCase)\n% boundary: ",
        "magneto_y = small(...\n  hex2num('3ff0000000000000') ... % x = 0x1p+0 (1)\n  , hex2num('3ff4000000000000') ... % y = 0x1.4p+0 (1.25)\n);\n",
        "verifyTrue(testCase, magneto_lo <= magneto_y && magneto_y <= magneto_hi, '",
        "assumeTrue(testCase, ~isempty(getenv('MAGNETO_OUT_OF_RANGE')));\ntry\n",
    ] {
        assert!(text.contains(piece), "no {piece} in\n{}", &text[..3000]);
    }
}

#[test]
fn ada() {
    let folder = exported("ada");
    let text = folder.read("test_small.adb");
    for piece in [
        "--  Tests of small [REQ-1], generated by Magneto",
        "with small;\n",
        // 1 and 1.25.
        "small\n        (16#1.0#E0,\n         16#14.0#E-1),\n",
        "   --  x = 0x1p+0 (1), y = 0x1.4p+0 (1.25)\n",
        "if Ada.Environment_Variables.Exists (\"MAGNETO_OUT_OF_RANGE\") then\n",
        "end Test_small;\n",
    ] {
        assert!(text.contains(piece), "no {piece} in\n{}", &text[..3000]);
    }
    // The text above is looked at in any case.
    if run(&folder, "gnatmake", &["--version"]).is_none_or(|o| !o.status.success()) {
        return missing("there is no gnatmake");
    }
    folder.write("small.ads", "function small (X, Y : Long_Float) return Long_Float;\n");
    for (factor, passes) in [("0.1", true), ("0.1001", false)] {
        folder.write(
            "small.adb",
            format!(
                "with Ada.Numerics.Long_Elementary_Functions; use Ada.Numerics.Long_Elementary_Functions;\n\
                 function small (X, Y : Long_Float) return Long_Float is\nbegin\n   return {factor} * X + Sqrt (Y);\n\
                 end small;\n"
            ),
        );
        succeeds(&folder, "gnatmake", &["-q", "-f", "test_small.adb"]);
        assert_eq!(Command::new(folder.path("test_small")).output().unwrap().status.success(), passes);
    }
}

#[test]
fn vectors_are_the_files_of_the_run() {
    let folder = exported("csv");
    assert_eq!(folder.read("small.csv"), folder.read("magneto.out/tests.csv"));
    folder.run(&["export", "magneto.out", "--to", "json", "-o", "."]).expect(0);
    assert_eq!(folder.read("small.json"), folder.read("magneto.out/tests.json"));
}

#[test]
fn names_that_languages_do_not_take() {
    let folder = Folder::new();
    let spec =
        "(FPCore (class lo x* X*) :name \"9 */ weird \\\"name\\\"\" :precision binary32 :magneto-out-of-range nan
        :pre (and (<= -1 class 1) (<= 0 lo 1) (<= 1 x* 2) (<= 1 X* 2)) :magneto-req \"R \\\"1\\\" */ ??/\"
        :magneto-abs-error 1e-3 (+ class (+ lo (* x* X*))))";
    folder.write("s.fpcore", spec).run(&["gen", "s.fpcore", "-q", "--boundary"]).expect(0);
    folder.run(&["export", "magneto.out", "--to", "c", "-o", ".", "--function", "sum_of"]).expect(0);
    let names = std::fs::read_dir(folder.root()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let source = names.into_iter().find(|n| n.starts_with("test_") && n.ends_with(".c")).unwrap();
    folder.write("f.c", "float sum_of(float a, float b, float c, float d) { return a + (b + c * d); }\n");
    succeeds(&folder, "cc", &[&STRICT_C[..], &[&source, "f.c", "-lm", "-o", "program"]].concat());
    succeeds(&folder, folder.path("program").to_str().unwrap(), &[]);
    for target in ["rust", "pytest", "matlab", "ada", "gtest"] {
        folder.run(&["export", "magneto.out", "--to", target, "-o", target]).expect(0);
    }
    folder.run(&["export", "magneto.out", "--to", "c", "--function", "a b"]).expect(2).says(&["my_function"]);
    folder.run(&["export", "magneto.out", "--to", "pytest", "--function", "m:f"]).expect(0);
}

#[test]
fn what_cannot_be_exported() {
    let folder = exported("c");
    assert!(Path::new(&folder.path("small_tests.h")).exists());
    folder.run(&["export", ".", "--to", "c"]).expect(2).says(&["no output folder of a run", "magneto gen"]);
    folder.run(&["export", "magneto.out", "--to", "cobol"]).expect(2);
    folder.run(&["export", "magneto.out"]).expect(2);
    folder.write("small_tests.h", "mine\n");
    folder.run(&["export", "magneto.out", "--to", "c", "-o", "."]).expect(2).says(&["magneto did not write it"]);
    folder.run(&["export", "magneto.out", "--to", "c", "-o", ".", "--force"]).expect(0);
    // Several specifications have a file each.
    folder
        .write("two.fpcore", SMALL.replace("\"small\"", "\"other\""))
        .run(&["gen", "s.fpcore", "two.fpcore", "-q", "-o", "m"])
        .expect(0);
    let json = folder.run(&["export", "m", "--to", "pytest", "-o", "p", "--json"]).expect(0).json();
    assert_eq!(json["files"].as_array().unwrap().len(), 2);
    folder.run(&["export", "m", "--to", "c", "-o", "q", "--function", "f"]).expect(2).says(&["one by one"]);
}

/// Exported files in a run's folder keep no run from it, and no run touches them.
#[test]
fn a_run_goes_into_its_folder_again_beside_exported_files() {
    let folder = Folder::new();
    folder.write("s.fpcore", SMALL).write("l.fpcore", SMALL.replace("small", "large"));
    let run = |specs: &[&str]| folder.run(&[&["gen"][..], specs, &["--operators", "constant", "-q"]].concat());
    run(&["s.fpcore"]).expect(0);
    let targets = ["c", "unity", "gtest", "rust", "pytest", "matlab", "ada", "csv", "json"];
    for target in targets {
        folder.run(&["export", "magneto.out", "--to", target, "-o", "magneto.out", "-q"]).expect(0);
    }
    let before = folder.files("magneto.out");
    assert!(before.len() >= 8 + targets.len(), "{:?}", before.iter().map(|f| &f.0).collect::<Vec<_>>());
    run(&["s.fpcore"]).expect(0);
    assert!(folder.files("magneto.out") == before);
    let ended = folder.run(&["gen", "s.fpcore", "--operators", "constant,bounds"]).expect(0);
    ended.says(&["note: magneto.out/small.csv and ", " more, exported from an earlier run, stay as they are"]);
    let after = folder.files("magneto.out");
    let exported = |name: &str| name.contains("small");
    assert!(before.iter().filter(|f| exported(&f.0)).all(|f| after.contains(f)));
    // Also in the folders of a run over several specifications, and beside the results of `check`.
    folder.run(&["gen", "s.fpcore", "l.fpcore", "--operators", "constant", "-o", "both", "-q"]).expect(0);
    folder.run(&["export", "both/small", "--to", "c", "-o", "both/small", "-q"]).expect(0);
    folder.run(&["gen", "s.fpcore", "l.fpcore", "--operators", "constant", "-o", "both", "-q"]).expect(0);
    assert!(folder.path("both/small/test_small.c").exists());
    // What only has such a name is somebody's: neither a run nor an export writes over it.
    folder.write("magneto.out/small.csv", "test_id,x,y\n1,2,1\n").write("mine/small.csv", "test_id,x,y\n1,2,1\n");
    run(&["s.fpcore"]).expect(2).says(&["holds `small.csv`, which magneto did not write"]);
    let into = |dir: &str| folder.run(&["export", "both/small", "--to", "csv", "-o", dir]).expect(2);
    into("mine").says(&["mine/small.csv is there, and magneto did not write it"]);
    folder.write("magneto.out/small.csv", "").write("magneto.out/test_small.c", "/* mine */\n");
    run(&["s.fpcore"]).expect(2).says(&["which magneto did not write"]);
}

/// Specifications whose operations Coq's Interval knows.
const PROVABLE: [(&str, &str); 3] = [
    (
        "root",
        "(FPCore (x y) :name \"root\" :pre (and (<= 1 x 4) (<= 1/2 y 2)) :magneto-rel-error 1e-9 \
         (/ (sqrt (+ (* x x) y)) (+ 3 (pow y -2))))",
    ),
    (
        "growth",
        "(FPCore (t) :name \"growth\" :pre (<= 1/8 t 2) :magneto-abs-error 1e-9 \
         (let* ([r 0.3] [g (exp (* r t))]) (- (log (+ 1 g)) (/ g 7))))",
    ),
    // `y` is twice the input, and not of what is bound beside it.
    (
        "wave",
        "(FPCore (x) :name \"wave\" :pre (<= 0 x 3) :magneto-rel-error 1e-10 \
         (let ([x (+ x 1)] [y (* x 2)]) (+ 2 (* y (sin (/ x PI))) (atan x))))",
    ),
];

/// Whether Coq accepts a file of that name.
fn proves(folder: &Folder, name: &str, text: &str) -> bool {
    folder.write(&format!("{name}.v"), text);
    run(folder, "coqc", &["-q", &format!("{name}.v")]).is_some_and(|o| o.status.success())
}

/// The text between two others.
fn between<'t>(text: &'t str, before: &str, after: &str) -> &'t str {
    let rest = text.split_once(before).unwrap_or_else(|| panic!("no {before} in\n{text}")).1;
    rest.split_once(after).unwrap_or_else(|| panic!("no {after} in\n{rest}")).0
}

/// What a program is written as is another function over the reals, about which nothing is to be proved.
#[test]
fn no_theorem_is_about_a_program() {
    for (name, text) in PROVABLE {
        let folder = Folder::new();
        folder.write("p.fpcore", text.replacen(":pre", ":magneto-meaning program :pre", 1));
        folder.run(&["gen", "p.fpcore", "-q", "--operators", "constant"]).expect(0);
        let said = folder.run(&["export", "magneto.out", "--to", "coq", "-o", "."]).expect(0);
        said.says(&["not expressed, for a program over floats"]);
        assert!(!folder.read(&format!("{name}.v")).contains("Theorem"), "{name}");
    }
}

#[test]
fn tests_and_kills_are_theorems_that_coq_proves_and_false_ones_are_not() {
    let require = "From Coq Require Import Reals Lra.\nFrom Interval Require Import Tactic.\n";
    let has_coq = proves(&Folder::new(), "probe", require);
    for (name, text) in PROVABLE {
        let folder = Folder::new();
        folder.write("s.fpcore", text);
        folder.run(&["gen", "s.fpcore", "-q", "--operators", "constant,bounds"]).expect(0);
        let said = folder.run(&["export", "magneto.out", "--to", "coq", "-o", "."]).expect(0).err;
        let proofs = folder.read(&format!("{name}.v"));
        let json = |file: &str| serde_json::from_str::<serde_json::Value>(&folder.read(file)).unwrap();
        let (mutants, tests) = (json("magneto.out/mutants.json"), json("magneto.out/tests.json"));
        let mut claims: Vec<(String, String, bool)> = Vec::new();
        for m in mutants["mutants"].as_array().unwrap() {
            let id = m["id"].as_str().unwrap();
            // A power whose exponent is no whole number is not expressed.
            let is_whole = m["after"] != "-0.2";
            let is_shown = m["operator"] == "constant" && m["status"] == "killed" && is_whole;
            let theorem = format!("\nTheorem kill_{} :", id.replace('-', "_"));
            claims.push((id.to_owned(), theorem, is_shown));
        }
        for t in tests["tests"].as_array().unwrap() {
            let id = t["id"].as_str().unwrap();
            claims.push((id.to_owned(), format!("\nTheorem oracle_{id} :"), !t["lo"].is_null()));
        }
        let head = proofs.split_once("From Coq").unwrap().0;
        for (id, theorem, is_shown) in &claims {
            assert_eq!(proofs.contains(theorem), *is_shown, "{name} {id}\n{proofs}");
            // What is left out is told.
            assert_eq!(head.contains(id.as_str()), !is_shown, "{name} {id}\n{head}");
            assert_eq!(said.contains(id.as_str()), !is_shown, "{name} {id}\n{said}");
        }
        assert!(claims.iter().filter(|c| c.2).count() > 10, "{name}");
        if !has_coq {
            println!("skipped: there is no coqc with Interval");
            continue;
        }
        assert!(proves(&folder, name, &proofs), "{name}");
        // One float further out or in than the least valid one; a mutant that is the specification.
        let start = proofs.split_once("\nTheorem ").unwrap().0;
        let oracle = format!("\nTheorem oracle_{}", between(&proofs, "\nTheorem oracle_", "Qed."));
        let (least, below) = (between(&oracle, "(valid ", " (f "), between(&oracle, "(~ valid ", " (f "));
        let kill = format!("\nDefinition m_{}", between(&proofs, "\nDefinition m_", "Qed."));
        let mutant = format!("m_{}", between(&kill, "Definition m_", " "));
        let wrong = [
            oracle.replacen(&format!("(valid {least} "), &format!("(valid {below} "), 1),
            oracle.replacen(&format!("(~ valid {below} "), &format!("(~ valid {least} "), 1),
            kill.replacen(&format!("valid y ({mutant} "), "valid y (f ", 1),
        ];
        for (right, wrong) in [&oracle, &oracle, &kill].into_iter().zip(wrong) {
            assert!(*right != wrong && proves(&folder, "right", &format!("{start}{right}Qed.\n")), "{start}{right}");
            assert!(!proves(&folder, "wrong", &format!("{start}{wrong}Qed.\n")), "{wrong}");
        }
    }
}

/// Specifications of which programs meet the accuracy by a wide margin.
const ACCURATE: [(&str, &str); 3] = [
    (
        "power",
        "(FPCore (u r) :name \"power\" :pre (and (<= 1 u 100) (<= 1 r 1000)) :magneto-rel-error 1e-12 (/ (* u u) r))",
    ),
    (
        "flow",
        "(FPCore (p d) :name \"flow\" :pre (and (<= 100 p 20000) (<= 1/2 d 2)) :magneto-rel-error 1e-12
         (* 0.98 (sqrt (/ (* 2 p) d))))",
    ),
    (
        "shift",
        "(FPCore (u v T) :name \"shift\" :pre (and (<= -100 u 100) (<= 20 v 20000) (<= -30 T 50)) :magneto-abs-error 1e-9
         (let ([c (+ 331.4 (* 0.6 T))]) (/ (* (- c) v) (* (+ c u) (+ c u)))))",
    ),
];

#[test]
fn programs_that_meet_the_accuracy_are_scripts_that_gappa_proves_and_false_ones_are_not() {
    let proves = |folder: &Folder, text: &str| {
        folder.write("script.g", text);
        run(folder, "gappa", &["script.g"]).map(|o| o.status.success())
    };
    let has_gappa = proves(&Folder::new(), "{ 1 in [0, 2] }\n") == Some(true);
    for (name, text) in ACCURATE {
        let folder = Folder::new();
        folder.write("s.fpcore", text);
        folder.run(&["gen", "s.fpcore", "-q", "--operators", "evaluation,constant"]).expect(0);
        let said = folder.run(&["export", "magneto.out", "--to", "gappa", "-o", "scripts"]).expect(0).err;
        let json: serde_json::Value = serde_json::from_str(&folder.read("magneto.out/mutants.json")).unwrap();
        let mut shown = 0;
        for m in json["mutants"].as_array().unwrap() {
            let id = m["id"].as_str().unwrap();
            let file = format!("scripts/{name}_{}.g", id.replace('-', "_"));
            // Gappa knows no power.
            let is_known = !m["after"].as_str().unwrap().contains("pow(");
            let is_shown = m["operator"] == "evaluation" && m["status"] == "indistinguishable" && is_known;
            assert_eq!(folder.path(&file).exists(), is_shown, "{name} {id}");
            assert_eq!(said.contains(id), !is_shown, "{name} {id}\n{said}");
            if !is_shown {
                continue;
            }
            shown += 1;
            let script = folder.read(&file);
            if has_gappa {
                assert_eq!(proves(&folder, &script), Some(true), "{script}");
                // A bound that no program of binary64 meets, and another operation.
                let (before, last) = script.rsplit_once('\n').unwrap().0.rsplit_once('\n').unwrap();
                let bound = last.rsplit(['[', ' ', ',']).find(|w| w.starts_with("0x")).unwrap().trim_end_matches(']');
                let tighter = format!("{before}\n{}", last.replace(bound, "0x1p-90"));
                assert_eq!(proves(&folder, &tighter), Some(false), "{tighter}");
                let product = script.lines().find(|l| l.starts_with('p') && l.contains(" * ")).expect("a product");
                let other = script.replacen(product, &product.replacen(" * ", " + ", 1), 1);
                assert_eq!(proves(&folder, &other), Some(false), "{other}");
            }
        }
        assert!(shown > 2, "{name}: {shown}");
    }
    // Nothing to express is an error, and no folder.
    let folder = Folder::new();
    folder.write("s.fpcore", ACCURATE[0].1);
    folder.run(&["gen", "s.fpcore", "-q", "--operators", "constant"]).expect(0);
    folder
        .run(&["export", "magneto.out", "--to", "gappa", "-o", "scripts"])
        .expect(2)
        .says(&["no program over floats"]);
    assert!(!folder.path("scripts").exists());
    if !has_gappa {
        println!("skipped: there is no gappa");
    }
}
