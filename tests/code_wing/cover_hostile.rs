//! Code that does what code under test may do, and files that are no code: clear messages, no crash, no hang, nothing left
//! behind.

use crate::support::compilers::has_clang;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

fn command(file: &Path, function: &str, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_magneto"));
    command.arg("cover").arg(file).args(["--fn", function]).args(more);
    command
}

fn cover(file: &Path, function: &str, more: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = command(file, function, more).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&stdout).into_owned(), String::from_utf8_lossy(&stderr).into_owned());
    assert!(!err.contains("panicked"), "{err}");
    (status.code(), out, err)
}

fn own(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/code").join(file)
}

/// A file with this text, in a folder of its own.
fn written(name: &str, text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    std::fs::write(&file, text).unwrap();
    (folder, file)
}

#[test]
fn what_a_run_ends_with_is_told() {
    if !has_clang() {
        return;
    }
    for (function, message) in [
        ("forever", "does not end within the allowed number of instructions"),
        ("deep", "calls nested too deeply"),
        ("divided", "integer division by 0"),
        ("outside", "access outside of memory"),
    ] {
        let (code, out, err) = cover(&own("bad.c"), function, &["--evaluations", "2000"]);
        assert_eq!(code, Some(0), "{function}: {err}");
        // What is outside of an array may be inside of memory: the branch is taken in any case.
        assert!(out.contains(message) || function == "outside", "{function}: {out}");
        assert!(out.contains("coverage          1.0000"), "{function}: {out}");
    }
    let (code, out, _) = cover(&own("bad.c"), "none", &[]);
    assert_eq!(code, Some(0));
    // One input takes it through.
    assert!(out.contains("1.0000 (1 of 1)") && out.contains("the whole domain"), "{out}");
}

#[test]
fn what_cannot_be_compiled_is_told() {
    if !has_clang() {
        return;
    }
    let forks = "#include <unistd.h>\nint f(int x) { if (x > 3 && fork()) return 2; return 1; }\n\
        int g(int x) { return x > 3 ? 1 : 2; }\n";
    let (_folder, file) = written("forks.c", forks);
    let (code, _, err) = cover(&file, "f", &[]);
    assert_eq!(code, Some(0));
    assert!(err.contains("`fork` is not there"), "{err}");
    // What does not reach them can be looked into.
    let (code, out, err) = cover(&file, "g", &[]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("coverage          1.0000 (2 of 2)"), "{out}");
    let (_folder, file) = written("no.wasm", "this is no module\n");
    let (code, _, err) = cover(&file, "f", &[]);
    assert_eq!(code, Some(2));
    assert!(err.contains("not a module"), "{err}");
    let (_folder, file) =
        written("vector.c", "typedef float v __attribute__((vector_size(32))); double f(v p) { return p[0]; }\n");
    let (code, _, err) = cover(&file, "f", &[]);
    assert_eq!(code, Some(2));
    assert!(err.contains("parameter `p`"), "{err}");
}

#[test]
fn a_missing_compiler_is_named() {
    let (folder, file) = written("f.c", "int f(int x) { return x > 1 ? 2 : 3; }\n");
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let output = command(&file, "f", &[]).env("PATH", &empty).env_remove("CLANG").output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("`clang`") && err.contains("apt-get install clang lld"), "{err}");
}

#[test]
fn a_file_of_many_lines() {
    if !has_clang() {
        return;
    }
    let mut text = String::from("int big(int x, double y)\n{\n    int r = y > 0.5;\n");
    let count = if std::env::var_os("MAGNETO_LONG").is_some() { 5000 } else { 400 };
    for i in 0..count {
        let _ = write!(text, "    if (x == {})\n        r += {i};\n", 7 * i + 3);
    }
    text += "    return r;\n}\n";
    let (_folder, file) = written("big.c", &text);
    let (code, out, err) = cover(&file, "big", &["--evaluations", "40000"]);
    assert_eq!(code, Some(0), "{err}");
    let branches = out.lines().find_map(|l| l.trim().strip_prefix("branches")).unwrap();
    assert!(branches.trim().parse::<u32>().unwrap() > 9 * count / 5, "{branches}");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_and_leaves_nothing_behind() {
    if !has_clang() {
        return;
    }
    // A branch that no input takes, which is not proved: the search would go on for long.
    let text = "unsigned long long g(unsigned long long x) { return (x * x * 7 ^ x >> 3) % 1000003; }\n\
        int f(unsigned long long x) { return g(x) + g(x >> 1) * 5 == 123456789012ull ? 1 : 2; }\n";
    let (folder, file) = written("f.c", text);
    let scratch = folder.path().join("scratch");
    std::fs::create_dir(&scratch).unwrap();
    let mut run = command(&file, "f", &["--evaluations", "4000000000"]);
    let mut child = run.env("TMPDIR", &scratch).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // It searches as soon as the compiler has gone, and what it needed with it.
    let is_empty = || std::fs::read_dir(&scratch).unwrap().next().is_none();
    let mut seen = false;
    while !(seen && is_empty()) {
        seen |= !is_empty();
        assert!(child.try_wait().unwrap().is_none(), "it ended early");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    let term = Command::new("kill").arg("-TERM").arg(child.id().to_string()).status().unwrap();
    assert!(term.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("interrupted"), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("open            1"), "{output:?}");
    // What a compiler leaves that was at work is removed behind the program.
    for _ in 0..1000 {
        if is_empty() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("something is left");
}

#[test]
fn structures_and_complex_numbers_are_looked_into() {
    if !has_clang() {
        return;
    }
    let text = "typedef struct { double x, y; } V;\n\
                double dot(V a, V b) { if (a.x > 3) return 1; return a.x * b.x + a.y * b.y; }\n\
                V mk(double x) { V v; v.x = x > 1 ? 2 : 3; v.y = -x; return v; }\n\
                double _Complex turned(double x) { double _Complex z = x; if (x > 1) return -z; return z; }\n\
                double part(double _Complex z) { double re = __real__ z; if (re > 3) return re; return 0; }\n\
                double plain(double x) { V v = mk(x); if (v.x > 2) return 1; return 0; }\n";
    let (_folder, file) = written("s.c", text);
    for function in ["dot", "mk", "turned", "part"] {
        let (code, out, err) = cover(&file, function, &[]);
        assert!(code == Some(0) && out.contains("2 of 2"), "{function}: {out}{err}");
    }
    let (code, out, err) = cover(&file, "plain", &[]);
    assert!(code == Some(0) && out.contains("2 of 2"), "{out}{err}");
}

#[test]
fn a_function_without_branches_is_judged_on_its_whole_domain() {
    if !has_clang() {
        return;
    }
    let text = "#include <math.h>\n\
                double naive(double x) { return log(1 + exp(x)); }\n\
                double good(double x) { return fmax(x, 0) + log1p(exp(-fabs(x))); }\n";
    let (folder, file) = written("b.c", text);
    let spec = "(FPCore (x) :name \"softplus\" :precision binary64 :pre (<= -30 x 700) :magneto-rel-error 1e-12 \
                (log (+ 1 (exp x))))\n";
    let spec_file = folder.path().join("b.fpcore");
    std::fs::write(&spec_file, spec).unwrap();
    let spec_file = spec_file.to_str().unwrap();
    let junit = folder.path().join("junit.xml");
    let junit_file = junit.to_str().unwrap();
    let (code, out, err) = cover(&file, "naive", &["--spec", spec_file, "--judged", "2000", "--junit", junit_file]);
    assert!(code == Some(1) && out.contains("KO  x = ") && out.contains("the whole domain"), "{code:?} {out}{err}");
    let cases = std::fs::read_to_string(&junit).unwrap();
    assert!(cases.contains("<testcase name=\"results\"") && cases.contains("results are wrong"), "{cases}");
    let (code, out, err) = cover(&file, "good", &["--spec", spec_file, "--judged", "2000"]);
    assert!(code == Some(0) && out.contains("0 KO") && !out.contains("inputs            0"), "{code:?} {out}{err}");
    // Its inputs, with what is owed there, are tests for others.
    let kept = folder.path().join("kept");
    let (code, _, err) =
        cover(&file, "naive", &["--spec", spec_file, "--judged", "2000", "-o", kept.to_str().unwrap()]);
    assert_eq!(code, Some(1), "{err}");
    let export = |dir: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_magneto"));
        command.arg("export").arg(dir).args(["--to", "c", "-o"]).arg(folder.path().join("code"));
        command.output().unwrap()
    };
    let done = export(&kept);
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    let header = std::fs::read_to_string(folder.path().join("code/naive_tests.h")).unwrap();
    assert!(header.contains("the largest error found"), "{header}");
    // Without a specification nothing is owed.
    let bare = folder.path().join("bare");
    cover(&file, "naive", &["-o", bare.to_str().unwrap()]);
    let refused = export(&bare);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(2) && said.contains("no oracle") && said.contains("--spec"), "{said}");
}

#[test]
fn tests_keep_inputs_that_are_no_finite_numbers() {
    if !has_clang() {
        return;
    }
    let text = "double f(double x) { if (x != x) return 1; if (x > 1.7976931348623157e308) return 2; if (x < -1.7976931348623157e308) return 3; \
                return x; }\n";
    let (folder, file) = written("n.c", text);
    let spec = folder.path().join("n.fpcore");
    std::fs::write(&spec, "(FPCore (x) :name \"same\" :precision binary64 :pre (<= -1 x 1) x)\n").unwrap();
    let kept = folder.path().join("kept");
    let (code, out, err) = cover(&file, "f", &["-o", kept.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{out}{err}");
    let tests = std::fs::read_to_string(kept.join("tests.csv")).unwrap();
    let rows: Vec<&str> = tests.lines().skip(1).filter_map(|l| l.split(',').nth(1)).collect();
    for wanted in ["nan", "inf", "-inf"] {
        assert!(rows.contains(&wanted), "{tests}");
    }
    // `eval` leaves them out and says so.
    let eval = Command::new(env!("CARGO_BIN_EXE_magneto"))
        .arg("eval")
        .args([&spec, &kept.join("tests.csv")])
        .args(["-o".as_ref(), folder.path().join("eval").as_os_str()])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&eval.stderr).into_owned();
    assert_eq!(eval.status.code(), Some(0), "{said}");
    assert!(said.contains("left out 3 tests with NaN or infinite inputs"), "{said}");
}

/// One file of a library that needs a configuration does not keep the others from being looked into.
#[test]
fn a_file_that_clang_refuses_is_left_out_of_all() {
    if !has_clang() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("version.c", "const char *version(void) { return PACKAGE_VERSION; }\n"),
        ("sign.c", "int sign(double x) {\n    return x < 0 ? -1 : 1;\n}\n"),
        ("half.c", "int sign(double);\ndouble half(double x) {\n    return sign(x) < 0 ? 0 : x / 2;\n}\n"),
    ];
    files.iter().for_each(|(name, text)| std::fs::write(folder.path().join(name), text).unwrap());
    let run = |names: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_magneto"));
        let output = command.arg("cover").args(names).arg("--all").current_dir(folder.path()).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, out, err) = run(&["version.c", "sign.c", "half.c"]);
    assert_eq!(code, Some(0), "{err}");
    for part in ["sign", "half", "version.c", "PACKAGE_VERSION"] {
        assert!(out.contains(part), "{part}: {out}");
    }
    // Nothing is left.
    let (code, _, err) = run(&["version.c"]);
    assert!(code == Some(2) && err.contains("PACKAGE_VERSION"), "{err}");
}

/// One function that cannot be followed does not keep others of its file from being looked into.
#[test]
fn a_computed_label_refuses_its_function_alone() {
    if !has_clang() {
        return;
    }
    let text = "int jumps(int x) {\n    static const void *const to[] = {&&one, &&two};\n    static const int far[] = {&&two - &&one};\n    \
                goto *to[x & 1];\none:\n    return far[0];\ntwo:\n    return 2;\n}\nint f(int x) {\n    return x > 3 ? 1 : 2;\n}\n";
    let (_folder, file) = written("f.c", text);
    let (code, out, err) = cover(&file, "f", &[]);
    assert!(code == Some(0) && out.contains("1.0000 (2 of 2)"), "{out}{err}");
    let (code, _, err) = cover(&file, "jumps", &[]);
    assert!(code == Some(2) && err.contains("jumps to a computed label"), "{err}");
}

/// The linker takes a strong definition for a weak one, in whatever order the files are named.
#[test]
fn a_strong_definition_is_the_one_that_is_looked_into() {
    if !has_clang() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("weak.c", "__attribute__((weak)) int which(int x) {\n    return x > 3 ? 1 : 5;\n}\n");
    write("strong.c", "int which(int x) {\n    if (x > 7)\n        return 4;\n    return 3;\n}\n");
    for files in [["weak.c", "strong.c"], ["strong.c", "weak.c"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_magneto"));
        let output = command
            .arg("cover")
            .args(files)
            .args(["--fn", "which", "--json"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && said.contains("strong.c") && !said.contains("weak.c\","), "{said}");
    }
}
