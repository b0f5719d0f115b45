//! Structures, arrays, complex numbers and objects of C++ as parameters and results, and what of a program is not there.

use crate::support::compilers::has_clang;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) fn own(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/code").join(file)
}

pub(crate) fn run(file: &Path, more: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_magneto")).arg("cover").arg(file).args(more).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

pub(crate) fn covered(file: &Path, function: &str) -> Value {
    let (code, out, err) = run(file, &["--fn", function, "--json", "--evaluations", "20000"]);
    assert_eq!(code, Some(0), "{function}: {err}");
    serde_json::from_str(&out).unwrap()
}

/// The branches of a status.
pub(crate) fn count(cover: &Value, status: &str) -> usize {
    cover["branches"].as_array().unwrap().iter().filter(|b| b["status"] == status).count()
}

pub(crate) fn inputs(cover: &Value) -> Vec<&str> {
    cover["inputs"].as_array().unwrap().iter().map(|n| n.as_str().unwrap()).collect()
}

/// All branches are taken, and a native program does the same.
pub(crate) fn assert_taken(file: &Path, function: &str, branches: usize) -> Value {
    let cover = covered(file, function);
    assert_eq!((count(&cover, "taken"), count(&cover, "open")), (branches, 0), "{function}: {cover}");
    let native = &cover["native"];
    assert!(native["same"].as_u64().is_some_and(|n| n > 0), "{function}: {native}");
    assert_eq!(native["different"].as_array().map(Vec::len), Some(0), "{function}: {native}");
    cover
}

#[test]
fn structures_and_arrays_are_inputs_and_results() {
    if !has_clang() {
        return;
    }
    let file = own("objects.c");
    let cover = assert_taken(&file, "by_value", 6);
    assert_eq!(inputs(&cover), ["p.x", "p.y", "p.kind", "n"]);
    let cover = assert_taken(&file, "by_pointer", 12);
    for name in ["s.centre.kind", "s.corner.y", "s.turn[1][2]", "s.form", "s", "s.corner"] {
        assert!(inputs(&cover).contains(&name), "{name}: {:?}", inputs(&cover));
    }
    assert_taken(&file, "returned", 4);
    assert_taken(&file, "added", 4);
    let cover = assert_taken(&file, "matrix", 8);
    assert_eq!(inputs(&cover).len(), 12, "{:?}", inputs(&cover));
    assert!(inputs(&cover).contains(&"r[2][2]") && inputs(&cover).contains(&"v[2]"));
}

#[test]
fn bit_fields_are_inputs() {
    if !has_clang() {
        return;
    }
    assert_taken(&own("objects.c"), "of_bits_alone", 6);
    for (function, branches) in [("by_bits", 12), ("bits_by_value", 6)] {
        let cover = assert_taken(&own("objects.c"), function, branches);
        assert_eq!(inputs(&cover)[..5], ["f.mode", "f.offset", "f.is_on", "f.wide", "f.level"], "{function}");
    }
}

#[test]
fn nothing_is_read_through_a_pointer_to_nothing_however_large_the_structure_is() {
    if !has_clang() {
        return;
    }
    let cover = covered(&own("objects.c"), "far_from_nothing");
    let runs = cover["runs"].as_array().unwrap();
    let to_nothing = runs.iter().find(|run| run["input"][1] == "0").unwrap_or_else(|| panic!("{cover}"));
    assert_eq!(to_nothing["result"], "trap: access outside of memory", "{cover}");
    assert_eq!(cover["native"]["different"].as_array().map(Vec::len), Some(0), "{cover}");
}

#[test]
fn complex_numbers_have_two_parts() {
    if !has_clang() {
        return;
    }
    let cover = assert_taken(&own("objects.c"), "turned", 6);
    assert_eq!(inputs(&cover), ["z.re", "z.im", "w.re", "w.im"]);
}

#[test]
fn long_doubles_are_computed_with_all_their_bits() {
    if !has_clang() || !cfg!(target_arch = "x86_64") {
        return;
    }
    let cover = covered(&own("objects.c"), "precise");
    assert_eq!(inputs(&cover), ["x.significand", "x.exponent"]);
    assert!(count(&cover, "taken") >= 8, "{cover}");
    assert_eq!(count(&cover, "infeasible"), 0, "{cover}");
    assert_eq!(cover["native"]["different"].as_array().map(Vec::len), Some(0), "{cover}");
}

#[test]
fn pointers_may_lead_to_the_same_memory() {
    if !has_clang() {
        return;
    }
    let cover = covered(&own("objects.c"), "aliased");
    // Only for memory of its own behind each is it infeasible.
    assert_eq!((count(&cover, "taken"), count(&cover, "infeasible")), (1, 0), "{cover}");
    assert!(cover.to_string().contains("point to memory of their own each") || count(&cover, "open") == 1, "{cover}");
    let cover = covered(&own("objects.c"), "own");
    assert_eq!(count(&cover, "taken"), 1, "{cover}");
}

#[test]
fn what_is_not_there_ends_runs_and_proves_nothing() {
    if !has_clang() {
        return;
    }
    for function in ["calls_unknown", "reads_unknown"] {
        let cover = covered(&own("objects.c"), function);
        assert_eq!((count(&cover, "taken"), count(&cover, "infeasible"), count(&cover, "given")), (2, 0, 0), "{cover}");
        assert_eq!(count(&cover, "open"), 2, "{cover}");
    }
}

#[test]
fn classes_references_and_overloads_of_cpp() {
    if !has_clang() {
        return;
    }
    let file = own("objects.cc");
    let cover = assert_taken(&file, "plane::vector::dot", 2);
    assert_eq!(inputs(&cover), ["this.x", "this.y", "other.x", "other.y"]);
    assert_taken(&file, "plane::vector::vector(double, double)", 2);
    // Counts of gcov do not tell overloads apart; results do.
    for (function, inputs) in [("plane::size(int)", "n"), ("plane::size(double)", "x")] {
        let (_, out, err) = run(&file, &["--fn", function, "--json", "--evaluations", "20000"]);
        let cover: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {err}"));
        assert_eq!(cover["inputs"][0], inputs, "{cover}");
        assert_eq!(count(&cover, "taken"), 2, "{cover}");
        assert_eq!(cover["native"]["different"].as_array().map(Vec::len), Some(0), "{cover}");
    }
    let cover = assert_taken(&file, "plane::bounded", 4);
    assert_eq!(inputs(&cover), ["x", "n"]);
}

#[test]
fn exceptions_end_runs_and_what_catches_them_is_not_proved() {
    if !has_clang() {
        return;
    }
    let cover = covered(&own("objects.cc"), "caught");
    // The native program takes it; the interpreter does not follow what is thrown.
    assert_eq!((count(&cover, "infeasible"), count(&cover, "given")), (0, 0), "{cover}");
    let cover = covered(&own("objects.cc"), "checked");
    assert_eq!((count(&cover, "taken"), count(&cover, "open")), (4, 0), "{cover}");
}

#[test]
fn files_beside_one_define_what_it_calls() {
    if !has_clang() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("f.c", "int half(int);\nint f(int x)\n{\n    if (half(x) == 21)\n        return 1;\n    return 0;\n}\n");
    write("half.c", "int half(int x)\n{\n    return x / 2;\n}\n");
    write("other.c", "int other(int x)\n{\n    return half(x);\n}\n");
    let (code, out, err) = run(&folder.path().join("f.c"), &["--fn", "f"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("1.0000 (2 of 2)"), "{out}");
    assert!(err.contains("half.c") && !err.contains("other.c"), "{err}");
    // What is proved with them says so.
    write(
        "f.c",
        "int half(int);\nint f(int x)\n{\n    if (half(x) > 1100000000)\n        return 1;\n    return 0;\n}\n",
    );
    let cover = covered(&folder.path().join("f.c"), "f");
    assert_eq!((count(&cover, "taken"), count(&cover, "infeasible"), count(&cover, "given")), (1, 0, 1), "{cover}");
    assert!(cover.to_string().contains("`half` are those of the other files that were found"), "{cover}");
}

#[test]
fn names_that_a_library_gives_its_functions_by_macros_are_followed() {
    if !has_clang() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("names.h", "# define half  lib_half /* ours */\n#define third lib_half + 1\n");
    write(
        "f.c",
        "#include \"names.h\"\nint half(int);\nint f(int x)\n{\n    if (half(x) == 21)\n        return 1;\n    return 0;\n}\n",
    );
    write("half.c", "#include \"names.h\"\nint half(int x)\n{\n    return x / 2;\n}\n");
    write("third.c", "int third(int x)\n{\n    return x / 3;\n}\n");
    let (code, out, err) = run(&folder.path().join("f.c"), &["--fn", "f"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("1.0000 (2 of 2)") && err.contains("half.c") && !err.contains("third.c"), "{out}{err}");
}

#[test]
fn other_folders_of_a_project_define_what_it_calls() {
    if !has_clang() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    };
    let f = "extern const int limits[2];\nint half(int);\nint f(int x)\n{\n    if (half(x) == limits[1])\n        return 1;\n    return 0;\n}\n";
    write("special/f.c", f);
    write("base/half.c", "int half(int x)\n{\n    return x / 2;\n}\n");
    write("data/limits.c", "const int limits[2] = {\n    7, 21\n};\n");
    write("tests/half.c", "int half(int x)\n{\n    return 0;\n}\n");
    // Nothing says that these folders belong together.
    let source = folder.path().join("special/f.c");
    let (_, out, err) = run(&source, &["--fn", "f", "--evaluations", "2000", "--no-native"]);
    assert!(err.contains("`half` is not there") && out.contains("0 of 2"), "{out}{err}");
    assert!(out.contains("ended early  ") && out.contains("calls `half`, which is not there (2"), "{out}");
    write("configure", "#!/bin/sh\n");
    let (code, out, err) = run(&source, &["--fn", "f"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("1.0000 (2 of 2)"), "{out}");
    assert!(err.contains("base/half.c") && err.contains("data/limits.c") && !err.contains("tests/half.c"), "{err}");
    // Of several definitions none is taken.
    write("other/two.c", "int half(int x)\n{\n    return x - 2;\n}\n");
    std::fs::rename(folder.path().join("base/half.c"), folder.path().join("base/one.c")).unwrap();
    let (_, _, err) = run(&source, &["--fn", "f", "--evaluations", "2000", "--no-native"]);
    assert!(err.contains("`half` is not there"), "{err}");
}

#[test]
fn an_untyped_pointer_leads_to_what_is_read_there() {
    if !has_clang() {
        return;
    }
    let (_folder, file) = written(
        "struct all { double e; void *state; };\nstruct state { double k, c; int n; };\ndouble f(double x, struct all *p)\n{\n    \
         struct state *s = p->state;\n    if (s->k < x && s->n == 77)\n        return p->e;\n    if (s->c == 3.5)\n        return 2;\n    \
         return 0;\n}\ndouble g(double x, void *p)\n{\n    double *a = p;\n    if (a[0] < x && a[2] == 0.125)\n        return 1;\n    return 0;\n}\n\
         double h(void *p)\n{\n    if (*(float *)((char *)p + 4) > 1.5f && *(int *)((char *)p + 12) == 1234567)\n        return 1;\n    \
         return 0;\n}\n",
        "c",
    );
    let cover = assert_taken(&file, "f", 6);
    assert_eq!(inputs(&cover), ["x", "p.e", "p.state.k", "p.state.c", "p.state.n"]);
    let cover = assert_taken(&file, "g", 4);
    assert_eq!(inputs(&cover), ["x", "p[0]", "p[1]", "p[2]"]);
    let cover = assert_taken(&file, "h", 4);
    assert_eq!(inputs(&cover), ["p.at_4", "p.at_12"]);
}

#[test]
fn strings_and_memory_of_cpp_are_looked_into() {
    if !has_clang() {
        return;
    }
    let (_folder, file) = written(
        "#include <string>\n#include <memory>\n#include <stdexcept>\nint f(int n, char c)\n{\n    std::string s(\"ab\");\n    s += c;\n    \
         if (n > 0 && n < 99)\n        s.append(n, 'x');\n    if (s.substr(1, 2) == \"bq\")\n        return 1;\n    if (s.length() == 57)\n        \
         return 2;\n    return 0;\n}\ndouble g(double x)\n{\n    std::unique_ptr<double[]> a(new double[3]);\n    a[1] = 2 * x;\n    \
         if (a[1] == 5)\n        throw std::range_error(\"x\");\n    return 0;\n}\n",
        "cc",
    );
    assert_taken(&file, "f", 8);
    let (code, out, err) = run(&file, &["--fn", "g"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("1.0000 (2 of 2)") && out.contains("trap: throws an exception  at x = 0x1.4p+1"), "{out}");
    assert!(err.contains("it throws exceptions") && !err.contains("__cxa"), "{err}");
}

#[test]
fn memory_that_a_run_lacks_is_no_finding() {
    if !has_clang() {
        return;
    }
    let (_folder, file) = written(
        "#include <stdlib.h>\nint f(unsigned long n)\n{\n    char *p = malloc(n);\n    if (!p)\n        return 1;\n    *p = 1;\n    \
         return n > 100000000 ? 2 : 3;\n}\n",
        "c",
    );
    let (code, out, err) = run(&file, &["--fn", "f", "--json", "--evaluations", "500"]);
    assert_eq!(code, Some(0), "{err}");
    let cover: Value = serde_json::from_str(&out).unwrap();
    // No machine has 2^47 bytes for a process; whether it has 100 MB nobody knows.
    assert_eq!((count(&cover, "taken"), count(&cover, "open"), count(&cover, "infeasible")), (3, 1, 0), "{cover}");
    assert_eq!(cover["native"]["different"].as_array().map(Vec::len), Some(0), "{cover}");
    assert!(cover["ended"]["needs more memory than a run has"].as_u64().is_some_and(|n| n > 0), "{cover}");
}

#[test]
fn memory_that_was_given_back_is_not_there() {
    if !has_clang() {
        return;
    }
    let (_folder, file) = written(
        "#include <stdlib.h>\nint f(int n)\n{\n    int *p = malloc(8);\n    p[0] = n;\n    p[1] = 7;\n    p = realloc(p, 4000);\n    \
         if (p[1] != 7)\n        return 1;\n    if (n > 5)\n        free(p);\n    if (n == 9)\n        return p[0];\n    if (n == 3)\n        \
         free(p + 1);\n    return 0;\n}\nint g(int *p)\n{\n    if (*p == 1)\n        free(p);\n    return 3;\n}\n",
        "c",
    );
    let cover = covered(&file, "f");
    assert_eq!((count(&cover, "taken"), count(&cover, "open")), (7, 1), "{cover}");
    let ends: Vec<&str> = cover["runs"].as_array().unwrap().iter().filter_map(|r| r["result"].as_str()).collect();
    // What is read after it was given back, and what is given back and was never allocated.
    assert_eq!(ends.iter().filter(|end| **end == "trap: access outside of memory").count(), 2, "{cover}");
    assert_eq!(cover["native"]["different"].as_array().map(Vec::len), Some(0), "{cover}");
    // What the caller has is given back as well: nothing is said of what it finds there.
    let cover = covered(&file, "g");
    assert_eq!((count(&cover, "taken"), &cover["native"]["left_out"]), (2, &Value::from(1)), "{cover}");
    assert_eq!(cover["native"]["different"].as_array().map(Vec::len), Some(0), "{cover}");
}

#[test]
fn the_member_of_a_union_that_is_named_counts() {
    if !has_clang() {
        return;
    }
    let text = "struct var { int kind; union { int i; double d; struct { float re, im; } c; }; };\n\
                int f(struct var v[2], int k)\n{\n    if (v[1].kind == 2 && v[1].d > 1e10)\n        return 1;\n    \
                return k > 7 && v[0].c.im > 2 * v[0].c.re;\n}\n\
                union number { long n; double d; };\nint g(union number x) { return x.d > 2.5 && x.n < 0x4006000000000000; }\n";
    let (_folder, file) = written(text, "c");
    for (function, member, inputs) in [
        ("f", "v.d", ["v.kind", "v.d", "v[1].kind", "v[1].d", "k"].as_slice()),
        ("f", "v.c", &["v.kind", "v.c.re", "v.c.im", "v[1].kind", "v[1].c.re", "v[1].c.im", "k"]),
        ("g", "x.d", &["x.d"]),
    ] {
        let (code, out, err) = run(&file, &["--fn", function, "--input", member, "--json", "--evaluations", "20000"]);
        assert_eq!(code, Some(0), "{err}");
        let cover: Value = serde_json::from_str(&out).unwrap();
        let names: Vec<&str> = cover["inputs"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert!(inputs.iter().all(|name| names.contains(name)), "{function} {member}: {names:?}");
        assert_eq!(count(&cover, "open"), 0, "{cover}");
        assert_eq!(cover["native"]["different"].as_array().map(Vec::len), Some(0), "{cover}");
    }
    let (code, _, err) = run(&file, &["--fn", "f", "--input", "v.q"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("no union has a member `v.q`") && err.contains("v.c, v.d, v.i"), "{err}");
}

#[test]
fn a_proof_about_code_of_any_rounding_mode_names_the_mode() {
    if !has_clang() {
        return;
    }
    let cover = covered(&own("rounds.c"), "above");
    assert_eq!((count(&cover, "infeasible"), count(&cover, "open")), (0, 0), "{cover}");
    let branches = cover["branches"].as_array().unwrap();
    let given: Vec<&Value> = branches.iter().filter(|b| b["status"] == "given").map(|b| &b["given"][0]).collect();
    assert_eq!(given, ["the rounding mode is to nearest"], "{cover}");
}

#[test]
fn a_proof_says_nothing_of_bits_that_another_member_may_have_and_names_the_locale() {
    if !has_clang() {
        return;
    }
    assert_taken(&own("objects.c"), "unlike", 2);
    let cover = covered(&own("objects.c"), "foreign");
    assert_eq!(count(&cover, "infeasible"), 0, "{cover}");
    let branches = cover["branches"].as_array().unwrap();
    let given = |b: &&Value| b["status"] == "given" && b["given"][0] == "the locale is that of the program's start";
    assert_eq!(branches.iter().filter(given).count(), count(&cover, "given"), "{cover}");
}

#[test]
fn a_proof_knows_no_address_and_nothing_that_lies_before_an_object() {
    if !has_clang() {
        return;
    }
    let proved = |function: &str| {
        let (code, out, err) = run(&own("objects.c"), &["--fn", function, "--json", "--evaluations", "2000"]);
        assert!(matches!(code, Some(0 | 1)), "{function}: {err}");
        let cover: Value = serde_json::from_str(&out).unwrap();
        count(&cover, "infeasible") + count(&cover, "given")
    };
    assert_eq!(proved("before"), 0);
    assert_eq!(proved("aligned"), 0);
    assert_eq!(proved("apart"), 1);
}

/// A file of this text; it is there as long as its folder.
pub(crate) fn written(text: &str, end: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(format!("f.{end}"));
    std::fs::write(&file, text).unwrap();
    (folder, file)
}

/// The assumptions of each branch of `f` that is proved; those of one that is infeasible in any case are none.
fn proofs(text: &str, end: &str) -> Vec<Vec<String>> {
    let (_folder, file) = written(text, end);
    let (code, out, err) = run(&file, &["--fn", "f", "--json", "--evaluations", "2000"]);
    // 1 is a difference from the native program.
    assert!(matches!(code, Some(0 | 1)), "{text}: {err}");
    let cover: Value = serde_json::from_str(&out).unwrap();
    let branches = cover["branches"].as_array().unwrap().iter();
    let proved = branches.filter(|b| b["status"] == "given" || b["status"] == "infeasible");
    proved.map(|b| serde_json::from_value(b["given"].clone()).unwrap()).collect()
}

const NOTHING: [Vec<String>; 0] = [];

#[test]
fn narrow_enumerations_are_handed_over_with_the_sign_of_their_type() {
    if !has_clang() {
        return;
    }
    let text = "enum class E : unsigned char { A, B };\nint f(E e)\n{\n    if ((int)e == 200)\n        return 1;\n    return 0;\n}\n";
    assert_eq!(proofs(text, "cc"), NOTHING);
    let text = "enum __attribute__((packed)) e { A, B, C = 200 };\nint f(enum e e)\n{\n    if (e == C)\n        return 1;\n    return 0;\n}\n";
    assert_eq!(proofs(text, "c"), NOTHING);
}

#[test]
fn weak_constants_are_no_constants() {
    if !has_clang() {
        return;
    }
    let text = "__attribute__((weak)) const int limit = 3;\nint f(void)\n{\n    if (limit == 4)\n        return 1;\n    return 0;\n}\n";
    assert_eq!(proofs(text, "c"), [["no other definition replaces the weak `limit`"]]);
}

#[test]
fn variables_that_are_computed_before_the_start_are_not_known() {
    if !has_clang() {
        return;
    }
    let text =
        "static int made = [] { return 7; }();\nint f()\n{\n    if (made == 7)\n        return 1;\n    return 0;\n}\n";
    assert_eq!(proofs(text, "cc"), NOTHING);
    // In runs they have these values, memory that they allocate is there, and streams are not in the way.
    let text = "#include <iostream>\n#include <string>\nstatic int made = [] { return 7; }();\nstatic std::string *word = new std::string(\"word\");\n\
                int f(int n)\n{\n    if (made == 7 && n > 5)\n        return word->length() == 4 ? 1 : 2;\n    return 0;\n}\n";
    let (_folder, file) = written(text, "cc");
    let cover = covered(&file, "f");
    let results: Vec<&str> = cover["runs"].as_array().unwrap().iter().filter_map(|r| r["result"].as_str()).collect();
    assert!(results.contains(&"1") && !results.contains(&"2"), "{cover}");
    assert_eq!((&cover["native"]["same"], count(&cover, "taken")), (&Value::from(results.len()), 4), "{cover}");
}

#[test]
fn truth_values_in_memory_are_an_assumption() {
    if !has_clang() {
        return;
    }
    let text = "int f(_Bool *b)\n{\n    unsigned char *c = (unsigned char *)b;\n    if (*c > 1)\n        return 1;\n    return 0;\n}\n";
    let proved = proofs(text, "c");
    assert!(proved.iter().all(|given| given.iter().any(|g| g == "truth values in memory are 0 or 1")), "{proved:?}");
    assert_eq!(proved.len(), 1);
}

#[test]
fn an_address_that_is_read_as_an_integer_is_not_known() {
    if !has_clang() {
        return;
    }
    let test = "    if (n > 0x100000000)\n        return 1;\n    return 0;\n}\n";
    for read in [
        "union { int *p; unsigned long n; } x;\n    x.p = &l;\n    unsigned long n = x.n;\n",
        "union { unsigned long n; int *p; } x;\n    x.p = &l;\n    unsigned long n = x.n;\n",
        "int *p = &l;\n    unsigned long n;\n    memcpy(&n, &p, sizeof n);\n",
        "int *p = &l;\n    unsigned long n = *(unsigned long *)&p;\n",
    ] {
        let text = format!("#include <string.h>\nint f(void)\n{{\n    int l;\n    {read}{test}");
        assert_eq!(proofs(&text, "c"), NOTHING, "{read}");
    }
}

#[test]
fn a_float_of_an_old_style_definition_is_refused() {
    if !has_clang() {
        return;
    }
    let (_folder, file) =
        written("int f(x) float x;\n{\n    if (x == 2.5f)\n        return 1;\n    return 0;\n}\n", "c");
    let (code, _, err) = run(&file, &["--fn", "f"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("other types than its source says"), "{err}");
}

#[test]
fn a_name_of_several_functions_is_an_error_that_lists_them() {
    if !has_clang() {
        return;
    }
    let (code, _, err) = run(&own("objects.cc"), &["--fn", "plane::size"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("'plane::size(double)', 'plane::size(int)'"), "{err}");
}

#[test]
fn an_array_at_the_end_of_a_structure_goes_on_behind_it() {
    if !has_clang() {
        return;
    }
    let file = own("flexible.c");
    assert_taken(&file, "is_found", 4);
    assert_taken(&file, "largest", 12);
}

#[test]
fn macros_of_the_source_do_not_change_what_is_around_it() {
    if !has_clang() {
        return;
    }
    let text = "#define T 1.5\n#define N 3\nstruct s { double *p; };\nint f(struct s *s)\n{\n    if (s->p[0] > T)\n        return N;\n    return 0;\n}\n";
    let (_folder, file) = written(text, "cc");
    assert_taken(&file, "f", 2);
}

#[test]
fn a_pointer_to_void_leads_to_no_list_of_arguments() {
    if !has_clang() {
        return;
    }
    let text = "#include <stdarg.h>\nint v(int n, va_list l) { return va_arg(l, int) + n; }\nint f(void *p, int n)\n{\n    \
                int *q = p;\n    if (n == 77)\n        return v(n, p);\n    \
                if (q[0] > 3 && q[1] > 4 && q[6] == 0)\n        return 1;\n    return 0;\n}\n";
    let (_folder, file) = written(text, "c");
    let cover = covered(&file, "f");
    assert_eq!((count(&cover, "taken"), count(&cover, "open")), (8, 0), "{cover}");
}
