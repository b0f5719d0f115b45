//! `cover --all`: every function of one file or several.

use crate::support::compilers::has_clang;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

fn run(file: &Path, more: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_magneto")).arg("cover").arg(file).args(more).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn written(text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("f.c");
    std::fs::write(&file, text).unwrap();
    (folder, file)
}

#[test]
fn all_functions_of_a_file_have_a_table() {
    if !has_clang() {
        return;
    }
    let text = "#include <stdarg.h>\nstatic int f(int x) { return x > 3; }\nint g(int x) { return x > 7 ? f(x) : 2; }\n\
                int h(int n, ...) { va_list a; va_start(a, n); n = va_arg(a, int); va_end(a); return n; }\n";
    let (folder, file) = written(text);
    let junit = folder.path().join("junit.xml");
    let (code, out, err) = run(&file, &["--all", "--junit", &junit.to_string_lossy()]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("2 of 3 functions looked into"), "{out}");
    let cases = std::fs::read_to_string(&junit).unwrap();
    assert!(cases.contains("<testsuite name=\"g\" tests=\"3\" skipped=\"0\" errors=\"0\" failures=\"0\">"), "{cases}");
    assert!(cases.contains("<testcase name=\"refused\" classname=\"h\">"), "{cases}");
    assert!(out.lines().any(|l| l.starts_with("h") && l.contains("refused") && l.contains("variable number")), "{out}");
    let (_, out, _) = run(&file, &["--all", "--json"]);
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["functions"].as_array().unwrap().len(), 2, "{document}");
    assert_eq!(document["refused"][0]["function"], "h", "{document}");
}

#[test]
fn static_functions_of_several_files_are_told_apart() {
    if !has_clang() {
        return;
    }
    let one = "static int side(double x) { return x > 3; }\nint first(double x) { return side(x); }\n";
    let other = "static int side(int x, int y) { if (x == y + 7) return 1; return 0; }\nint second(int x) { return side(x, 1); }\n";
    let (folder, file) = written(one);
    let beside = folder.path().join("beside.c");
    std::fs::write(&beside, other).unwrap();
    let beside = beside.to_string_lossy();
    let (code, out, err) = run(&file, &[&beside, "--all", "--json"]);
    assert_eq!(code, Some(0), "{err}");
    let document: Value = serde_json::from_str(&out).unwrap();
    let functions = document["functions"].as_array().unwrap();
    let names: Vec<&str> = functions.iter().map(|f| f["function"].as_str().unwrap()).collect();
    assert_eq!(names, ["f.c:side", "first", "beside.c:side", "second"], "{document}");
    let inputs: Vec<usize> = functions.iter().map(|f| f["inputs"].as_array().unwrap().len()).collect();
    assert_eq!(inputs, [1, 1, 2, 1], "{document}");
    for function in functions {
        assert_eq!(
            (&function["open"], function["native"]["different"].as_array().map(Vec::len)),
            (&0.into(), Some(0)),
            "{function}"
        );
    }
    assert!(functions.iter().all(|f| f["native"]["same"].as_u64() > Some(0)), "{document}");
    let (code, _, err) = run(&file, &[&beside, "--fn", "side"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("beside.c:side") && err.contains("f.c:side"), "{err}");
    let (code, out, err) = run(&file, &[&beside, "--fn", "beside.c:side", "--json"]);
    assert_eq!(code, Some(0), "{err}");
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&document["function"], &document["inputs"][1]), (&"beside.c:side".into(), &"y".into()), "{document}");
}

#[test]
fn functions_of_a_header_are_looked_into_where_it_is_named() {
    if !has_clang() {
        return;
    }
    let (folder, file) = written("#include \"own.h\"\n");
    let header = folder.path().join("own.h");
    std::fs::write(&header, "static int own(int x) { return x > 3 ? 1 : 2; }\nint other(int x) { return own(x); }\n")
        .unwrap();
    let header = header.to_string_lossy();
    let (code, _, err) = run(&file, &["--all"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("no function stands in these files") && err.contains("own.h"), "{err}");
    // The native program calls it in the source that includes it.
    let first = folder.path().join("first.c");
    std::fs::write(&first, "int first(int x) { return x; }\n").unwrap();
    let (code, out, err) = run(&first, &[&file.to_string_lossy(), &header, "--all", "--json"]);
    assert_eq!(code, Some(0), "{err}");
    let document: Value = serde_json::from_str(&out).unwrap();
    let functions = document["functions"].as_array().unwrap();
    let names: Vec<&Value> = functions.iter().map(|f| &f["function"]).collect();
    assert_eq!(names, ["first", "own", "other"], "{document}");
    assert!(functions.iter().all(|f| f["native"]["same"].as_u64() > Some(0)), "{document}");
    let reach = Command::new(env!("CARGO_BIN_EXE_magneto"))
        .arg("reach")
        .args([&first, &file])
        .args(["--fn", "own", "--goal", "result == 1"])
        .output();
    let output = reach.unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let (code, _, err) = run(Path::new(&*header), &["--all"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("own.h is a header") && err.contains("hint: name a source that includes it"), "{err}");
}

#[test]
fn functions_that_two_sources_include_with_other_macros_are_two() {
    if !has_clang() {
        return;
    }
    let (folder, file) = written("#define K 3\n#include \"shared.inc\"\nint first(int x) { return shared(x); }\n");
    let include = "static int shared(int x) { if (x > K && x < 5) return 1; return 0; }\n";
    std::fs::write(folder.path().join("shared.inc"), include).unwrap();
    let other = folder.path().join("other.c");
    std::fs::write(&other, "#define K 300\n#include \"shared.inc\"\nint second(int x) { return shared(x); }\n")
        .unwrap();
    let other = other.to_string_lossy();
    let (code, out, err) = run(&file, &[&other, "--all", "--json"]);
    assert_eq!(code, Some(0), "{err}");
    let document: Value = serde_json::from_str(&out).unwrap();
    let functions = document["functions"].as_array().unwrap();
    let infeasible: Vec<(&str, u64)> =
        functions.iter().map(|f| (f["function"].as_str().unwrap(), f["infeasible"].as_u64().unwrap())).collect();
    assert_eq!(infeasible, [("f.c:shared", 0), ("first", 0), ("other.c:shared", 1), ("second", 0)], "{document}");
    let (code, _, err) = run(&file, &[&other, "--fn", "shared"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("f.c:shared") && err.contains("other.c:shared"), "{err}");
    // Of the same macros they are one.
    std::fs::write(&*other, "#define K 3\n#include \"shared.inc\"\nint second(int x) { return shared(x); }\n").unwrap();
    let (code, out, err) = run(&file, &[&other, "--all", "--json"]);
    assert_eq!(code, Some(0), "{err}");
    let document: Value = serde_json::from_str(&out).unwrap();
    let names: Vec<&Value> = document["functions"].as_array().unwrap().iter().map(|f| &f["function"]).collect();
    assert_eq!(names, ["shared", "first", "second"], "{document}");
}

#[test]
fn a_static_function_takes_a_structure_however_its_file_is_named() {
    if !has_clang() {
        return;
    }
    let (folder, _file) = written("struct s { int a, b; };\nstatic int f(struct s s) { return s.a > s.b ? 1 : 2; }\n");
    for name in ["f.c", "./f.c"] {
        let mut cover = Command::new(env!("CARGO_BIN_EXE_magneto"));
        let output = cover.current_dir(folder.path()).args(["cover", name, "--fn", "f"]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(text.contains("coverage          1.0000 (2 of 2)"), "{name}: {text}");
    }
}

#[test]
fn an_inline_definition_is_called_where_no_other_is_found() {
    if !has_clang() {
        return;
    }
    let text = "inline double larger(double a, double b) { return a > b ? a : b; }\n\
                int f(double x)\n{\n    if (larger(x, 3.0) < 3.0)\n        return 1;\n    return 0;\n}\n";
    let (folder, file) = written(text);
    let branches = |more: &[&str]| -> Vec<(String, Value)> {
        let (code, out, err) = run(&file, &[&["--fn", "f", "--json"], more].concat());
        assert!(matches!(code, Some(0 | 1)), "{err}");
        let cover: Value = serde_json::from_str(&out).unwrap();
        let all = cover["branches"].as_array().unwrap().clone();
        all.into_iter().map(|b| (b["status"].as_str().unwrap().to_owned(), b["given"].clone())).collect()
    };
    let alone = branches(&[]);
    assert!(alone.iter().any(|(status, _)| status == "taken"), "{alone:?}");
    let given = serde_json::json!(["calls of `larger` are calls of its inline definition, the same one in all files"]);
    assert!(alone.contains(&("given".to_owned(), given)), "{alone:?}");
    // Another file has the definition that is called.
    let other = folder.path().join("other.c");
    std::fs::write(&other, "double larger(double a, double b) { return a > b ? a : b - 1.0; }\n").unwrap();
    let found = branches(&[]);
    assert!(found.iter().all(|(status, _)| status == "taken"), "{found:?}");
    assert_eq!(found, branches(&[other.to_str().unwrap()]));
}

#[test]
fn an_inline_definition_that_is_declared_extern_is_the_one_of_all_files() {
    if !has_clang() {
        return;
    }
    let one = "inline int h(int x) { return x > 7; }\nint f(int x)\n{\n    if (h(x)) {\n        if (x == 6)\n            return 2;\n        return 1;\n    }\n    return 0;\n}\n";
    let (folder, file) = written(one);
    let other = folder.path().join("other.c");
    std::fs::write(&other, "inline int h(int x) { return x > 5; }\nextern int h(int);\n").unwrap();
    let (_, out, err) = run(&file, &[other.to_str().unwrap(), "--fn", "f", "--json"]);
    let cover: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{err}"));
    assert!(cover["branches"].as_array().unwrap().iter().all(|b| b["status"] == "taken"), "{cover}");
}

#[test]
fn what_sets_the_rounding_mode_anywhere_is_an_assumption_of_proofs() {
    if !has_clang() {
        return;
    }
    let text = "#include <fenv.h>\nvoid set_up(void) { fesetround(FE_UPWARD); }\n\
                int f(double x)\n{\n    if (x == 1 && x + 1e-300 > 1)\n        return 1;\n    return 0;\n}\n";
    let (_folder, file) = written(text);
    let (_, out, err) = run(&file, &["--fn", "f", "--json"]);
    let cover: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{err}"));
    let given = serde_json::json!(["the rounding mode is to nearest"]);
    let branches = cover["branches"].as_array().unwrap();
    assert!(branches.iter().any(|b| b["status"] == "given" && b["given"] == given), "{cover}");
    assert!(branches.iter().all(|b| b["status"] != "infeasible"), "{cover}");
}
