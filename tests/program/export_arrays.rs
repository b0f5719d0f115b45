//! Exported tests of functions that take arrays are compiled and run, against a right implementation and one that takes other elements.

use crate::cli_support::{Folder, missing};
use crate::export::{STRICT_C, run, succeeds};
use std::path::Path;
use std::process::Command;

/// Both results of a matrix of two rows times a vector, and a dot product of any size.
const SPECS: &str = "(FPCore turn ((A 2 3) (x 3) s)
  :pre (and (<= 1 s 2) (for ([j 3]) ([all TRUE (and all (<= 1 (ref x j) 2))]) all)
    (for ([i 2] [j 3]) ([all TRUE (and all (<= 1 (ref A i j) 2))]) all))
  :magneto-results (u v) :magneto-rel-error 1e-12
  (tensor ([i 2]) (* s (for ([j 3]) ([t 0 (+ t (* (ref A i j) (ref x j)))]) t))))
(FPCore inner ((a n) (b n))
  :magneto-sizes ((n 2 3)) :magneto-rel-error 1e-12
  :pre (for ([i n]) ([all TRUE (and all (<= 1 (ref a i) 2) (<= 1 (ref b i) 2))]) all)
  (for ([i n]) ([t 0 (+ t (* (ref a i) (ref b i)))]) t))";

/// The names of the four specifications as identifiers.
const NAMES: [&str; 4] = ["turn_u", "turn_v", "inner_n_2", "inner_n_3"];

/// A matrix of any size, of one or two rows, with a result for each row.
const ROWS: &str = "(FPCore twice ((A r c) s)
  :magneto-sizes ((r 1 2) (c 2 3)) :magneto-rel-error 1e-12
  :pre (and (<= 1 s 2) (for ([i r] [j c]) ([all TRUE (and all (<= 1 (ref A i j) 2))]) all))
  (tensor ([i r]) (* s (for ([j c]) ([t 0 (+ t (* (+ j 1) (ref A i j)))]) t))))";

/// The names of its specifications as identifiers.
const ROW_NAMES: [&str; 6] =
    ["twice_r_1_c_2_0", "twice_r_1_c_3_0", "twice_r_2_c_2_0", "twice_r_2_c_2_1", "twice_r_2_c_3_0", "twice_r_2_c_3_1"];

/// A folder with their tests for a target.
fn exported(target: &str) -> Folder {
    exported_of(SPECS, target)
}

/// A folder with the tests of specifications for a target.
fn exported_of(specs: &str, target: &str) -> Folder {
    let folder = Folder::new();
    folder.write("s.fpcore", specs).run(&["gen", "s.fpcore", "-q", "--operators", "paper"]).expect(0);
    folder.run(&["export", "magneto.out", "--to", target, "-o", "."]).expect(0);
    folder
}

/// Which of the specifications' tests pass of programs that are made so.
fn passed(program: impl FnMut(&str) -> Command) -> [bool; 4] {
    passed_of(NAMES, program)
}

/// Which of these tests pass of programs that are made so.
fn passed_of<const N: usize>(names: [&str; N], mut program: impl FnMut(&str) -> Command) -> [bool; N] {
    names.map(|name| program(name).output().unwrap().status.success())
}

#[test]
fn functions_of_c_get_pointers_and_sizes() {
    let folder = exported("c");
    let header = folder.read("turn_v_tests.h");
    assert!(header.contains("void turn(double A[2][3], const double x[3], double, double *);"), "{header}");
    let c = |row: &str, step: &str| {
        format!(
            "void turn(double A[2][3], const double x[3], double s, double *y) {{\n  \
               for (int i = 0; i < 2; i++) {{\n    y[i] = 0;\n    \
                 for (int j = 0; j < 3; j++) y[i] += s * A[{row}][j] * x[j];\n  }}\n}}\n\
             double inner(const double *a, const double *b, int n) {{\n  double t = 0;\n  \
               for (int i = 0; i < n; i += {step}) t += a[i] * b[i];\n  return t;\n}}\n"
        )
    };
    for (row, step, expected) in
        [("i", "1", [true; 4]), ("0", "1", [true, false, true, true]), ("i", "2", [true, true, false, false])]
    {
        folder.write("f.c", c(row, step));
        assert_eq!(
            passed(|name| {
                succeeds(&folder, "cc", &[&STRICT_C[..], &[&format!("test_{name}.c"), "f.c", "-o", name]].concat());
                Command::new(folder.path(name))
            }),
            expected,
            "{row} {step}"
        );
    }
    // All sizes in one file, by one name.
    folder.run(&["gen", "s.fpcore:inner", "-o", "sizes", "-q", "--operators", "paper"]).expect(0);
    folder.run(&["export", "sizes", "--to", "c", "-o", "named", "--function", "scalar_product"]).expect(0);
    folder.write("all.c", "#include \"named/inner_n_2_tests.h\"\n#include \"named/inner_n_3_tests.h\"\n");
    succeeds(&folder, "cc", &[&STRICT_C[..], &["-Wno-unused", "-c", "all.c"]].concat());
    // A message has room for all inputs of a test.
    folder.write(
        "many.fpcore",
        "(FPCore many ((v 40)) :pre (for ([i 40]) ([all TRUE (and all (<= 1 (ref v i) 2))]) all) (ref v 39))",
    );
    folder.run(&["gen", "many.fpcore", "-o", "many", "-q", "--operators", "constant"]).expect(0);
    folder.run(&["export", "many", "--to", "c", "-o", "."]).expect(0);
    succeeds(&folder, "cc", &[&STRICT_C[..], &["-O2", "-c", "test_many.c"]].concat());
    // A function with other parameters is called by a macro.
    folder.write(
        "other.h",
        "static double other(int n, const double *v) { return n == 2 ? v[0] * v[2] + v[1] * v[3] : 0; }\n",
    );
    folder.write(
        "call.c",
        "#include \"other.h\"\nstatic double joined(const double *a, const double *b) {\n  \
           const double v[4] = {a[0], a[1], b[0], b[1]};\n  return other(2, v);\n}\n\
         #define MAGNETO_INNER_N_2_FUNCTION(a, b, n) joined(a, b)\n#include \"test_inner_n_2.c\"\n",
    );
    succeeds(&folder, "cc", &[&STRICT_C[..], &["call.c", "-o", "call"]].concat());
    succeeds(&folder, folder.path("call").to_str().unwrap(), &[]);
    if run(&folder, "c++", &["--version"]).is_some() {
        let flags = ["-x", "c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-c"];
        succeeds(&folder, "c++", &[&flags[..], &["test_turn_u.c"]].concat());
    }
}

#[test]
fn functions_of_c_get_matrices_of_any_size_and_return_arrays_of_one_result() {
    let folder = exported_of(ROWS, "c");
    for (step, row, expected) in
        [("1", "i", [true; 6]), ("1", "0", [true, true, true, false, true, false]), ("2", "i", [false; 6])]
    {
        folder.write(
            "f.c",
            format!(
                "void twice(const double *A, double s, int r, int c, double *y) {{\n  \
                   for (int i = 0; i < r; i++) {{\n    y[i] = 0;\n    \
                     for (int j = 0; j < c; j += {step}) y[i] += s * (j + 1) * A[{row} * c + j];\n  }}\n}}\n"
            ),
        );
        let program = |name: &str| {
            succeeds(&folder, "cc", &[&STRICT_C[..], &[&format!("test_{name}.c"), "f.c", "-o", name]].concat());
            Command::new(folder.path(name))
        };
        assert_eq!(passed_of(ROW_NAMES, program), expected, "{step} {row}");
    }
    // All sizes in one file.
    folder.write("all.c", ROW_NAMES.map(|name| format!("#include \"{name}_tests.h\"\n")).concat());
    succeeds(&folder, "cc", &[&STRICT_C[..], &["-Wno-unused", "-c", "all.c"]].concat());
}

#[test]
fn functions_of_rust_get_references_to_arrays_and_slices() {
    let folder = exported("rust");
    for (element, expected) in [("i", [true; 4]), ("0", [true, true, false, false])] {
        folder.write(
            "lib.rs",
            format!(
                "pub fn turn(a: &[[f64; 3]; 2], x: &[f64; 3], s: f64) -> [f64; 2] {{\n    \
                   a.map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>() * s)\n}}\n\
                 pub fn inner(a: &[f64], b: &[f64]) -> f64 {{ (0..a.len()).map(|i| a[{element}] * b[i]).sum() }}\n\
                 {}",
                NAMES.map(|name| format!("#[cfg(test)] mod test_{name};\n")).concat()
            ),
        );
        succeeds(&folder, "rustc", &["--edition=2021", "--test", "lib.rs", "-o", "program", "-Dwarnings"]);
        let program = |name: &str| {
            let mut command = Command::new(folder.path("program"));
            command.arg(format!("test_{name}::"));
            command
        };
        assert_eq!(passed(program), expected, "{element}");
    }
}

#[test]
fn functions_of_python_get_lists() {
    let folder = exported("pytest");
    if !run(&folder, "python3", &["-m", "pytest", "--version"]).is_some_and(|o| o.status.success()) {
        return missing("python3 has no pytest");
    }
    folder.write(
        "turn.py",
        "def turn(A, x, s):\n    return [s * sum(a * b for a, b in zip(row, x)) for row in (A[0], A[0])]\n",
    );
    folder.write("inner.py", "def inner(a, b):\n    return sum(x * y for x, y in zip(a, b))\n");
    let program = |name: &str| {
        let mut command = Command::new("python3");
        command.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", &format!("test_{name}.py")]);
        command.current_dir(folder.root());
        command
    };
    assert_eq!(passed(program), [true, false, true, true]);
}

/// Octave has no function-based tests: it runs what they are made of.
#[test]
fn functions_of_matlab_get_matrices() {
    let folder = exported("matlab");
    if run(&folder, "octave-cli", &["--version"]).is_none() {
        return missing("there is no octave-cli");
    }
    folder.write("turn.m", "function y = turn(A, x, s)\n  y = s * A * x';\nend\n");
    folder.write("inner.m", "function y = inner(a, b)\n  y = a * b';\nend\n");
    folder.write("functiontests.m", "function f = functiontests(f)\nend\n");
    folder.write("localfunctions.m", "function f = localfunctions()\n  f = {};\nend\n");
    folder.write("verifyTrue.m", "function verifyTrue(t, holds, why)\n  if ~holds\n    error(why);\n  end\nend\n");
    folder.write("assumeTrue.m", "function assumeTrue(t, holds)\n  error('filtered');\nend\n");
    let call =
        |test: &str| format!("try\n{test}(0);\ncatch e\nif ~strcmp(e.message, 'filtered') rethrow(e); end\nend\n");
    for name in NAMES {
        let text = folder.read(&format!("test_{name}.m"));
        let tests = text.lines().filter_map(|line| line.strip_prefix("function ")?.strip_suffix("(testCase)"));
        let calls: String = tests.map(call).collect();
        let script = format!("1;\n{text}\n{calls}");
        assert!(calls.lines().count() > 5, "{text}");
        folder.write("script.m", script);
        succeeds(&folder, "octave-cli", &["--norc", "--quiet", "script.m"]);
    }
    // What is checked gets the same.
    folder.run(&["check", "s.fpcore:turn", "magneto.out", "--octave", "turn.m"]).expect(0);
    folder.run(&["check", "s.fpcore:inner", "magneto.out", "--octave", "inner.m"]).expect(0);
}

#[test]
fn functions_of_ada_get_aggregates() {
    let folder = Folder::new();
    folder.write("s.fpcore", SPECS);
    folder.run(&["gen", "s.fpcore:inner.n=2", "-q", "--operators", "paper"]).expect(0);
    folder.run(&["export", "magneto.out", "--to", "ada", "-o", ".", "--function", "Inner.Product"]).expect(0);
    assert!(Path::new(&folder.path("test_inner_n_2.adb")).exists());
    if run(&folder, "gnatmake", &["--version"]).is_none_or(|o| !o.status.success()) {
        return missing("there is no gnatmake");
    }
    folder.write(
        "inner.ads",
        "package Inner is\n   type Vector is array (Natural range <>) of Long_Float;\n   \
           function Product (A, B : Vector; N : Integer) return Long_Float;\nend Inner;\n",
    );
    for (last, passes) in [("A'Last", true), ("A'First", false)] {
        folder.write(
            "inner.adb",
            format!(
                "package body Inner is\n   function Product (A, B : Vector; N : Integer) return Long_Float is\n      \
                   T : Long_Float := 0.0;\n   begin\n      \
                     for I in A'First .. {last} loop\n         T := T + A (I) * B (I);\n      end loop;\n      \
                     return T;\n   end Product;\nend Inner;\n"
            ),
        );
        succeeds(&folder, "gnatmake", &["-q", "-f", "test_inner_n_2.adb"]);
        assert_eq!(Command::new(folder.path("test_inner_n_2")).output().unwrap().status.success(), passes);
    }
}

#[test]
fn functions_of_ada_return_arrays_of_any_type() {
    let folder = exported_of(ROWS, "ada");
    if run(&folder, "gnatmake", &["--version"]).is_none_or(|o| !o.status.success()) {
        return missing("there is no gnatmake");
    }
    folder.run(&["export", "magneto.out", "--to", "ada", "-o", ".", "--force", "--function", "Rows.Twice"]).expect(0);
    for (result, row, count, expected) in [
        ("array (Integer range <>)", "I", "R", [true; 6]),
        ("array (Positive range <>)", "A'First", "R", [true, true, true, false, true, false]),
        // Another number of results is none that is owed.
        ("array (Integer range <>)", "I", "2", [false, false, true, true, true, true]),
    ] {
        folder.write(
            "rows.ads",
            format!(
                "package Rows is\n   type Matrix is array (Positive range <>, Positive range <>) of Long_Float;\n   \
                   type Real is new Long_Float;\n   type Vector is {result} of Real;\n   \
                   function Twice (A : Matrix; S : Long_Float; R, C : Integer) return Vector;\nend Rows;\n"
            ),
        );
        folder.write(
            "rows.adb",
            format!(
                "package body Rows is\n   function Twice (A : Matrix; S : Long_Float; R, C : Integer) return Vector is\n      \
                   Y : Vector (1 .. {count}) := (others => 0.0);\n   begin\n      \
                     for I in 1 .. R loop\n         for J in 1 .. C loop\n            \
                       Y (I) := Y (I) + Real (S * Long_Float (J) * A ({row}, J));\n         \
                     end loop;\n      end loop;\n      return Y;\n   end Twice;\nend Rows;\n"
            ),
        );
        let program = |name: &str| {
            succeeds(&folder, "gnatmake", &["-q", "-f", &format!("test_{name}.adb")]);
            Command::new(folder.path(&format!("test_{name}")))
        };
        assert_eq!(passed_of(ROW_NAMES, program), expected, "{result} {row} {count}");
    }
}

#[test]
fn functions_of_ada_get_integers_and_fixed_point_numbers_of_their_own_types() {
    let folder = Folder::new();
    folder.write(
        "s.fpcore",
        "(FPCore (n k) :name \"steps\" :precision (fixed 0 32) :magneto-ulps 1/4\n  \
           :pre (and (<= 0 n 1000) (<= -5 k 5)) (+ (* 3 n) k))\n\
         (FPCore (x y) :name \"gain\" :precision (fixed -15 16) :magneto-overflow saturate :magneto-ulps 1/2 (* x y))\n",
    );
    folder.run(&["gen", "s.fpcore", "-q", "--operators", "paper"]).expect(0);
    for (spec, function) in [("steps", "Control.Steps"), ("gain", "Control.Gain")] {
        let run = format!("magneto.out/{spec}");
        folder.run(&["export", &run, "--to", "ada", "-o", ".", "--function", function]).expect(0);
    }
    if run(&folder, "gnatmake", &["--version"]).is_none_or(|o| !o.status.success()) {
        return missing("there is no gnatmake");
    }
    folder.write(
        "control.ads",
        "package Control is\n   type Count is range -2**31 .. 2**31 - 1;\n   \
           type Q15 is delta 2.0**(-15) range -1.0 .. 1.0 - 2.0**(-15);\n   for Q15'Small use 2.0**(-15);\n   \
           function Steps (N, K : Count) return Count;\n   function Gain (X, Y : Q15) return Q15;\nend Control;\n",
    );
    for (sign, last, passes) in [("+", "Q15'Last", true), ("-", "Q15'First", false)] {
        folder.write(
            "control.adb",
            format!(
                "package body Control is\n   function Steps (N, K : Count) return Count is (3 * N {sign} K);\n   \
                   function Gain (X, Y : Q15) return Q15 is\n      \
                     P : constant Long_Float := Long_Float (X) * Long_Float (Y);\n   begin\n      \
                     return (if P > Long_Float (Q15'Last) then {last} else Q15 (P));\n   end Gain;\nend Control;\n"
            ),
        );
        for test in ["test_steps", "test_gain"] {
            succeeds(&folder, "gnatmake", &["-q", "-f", &format!("{test}.adb")]);
            let ended = Command::new(folder.path(test)).output().unwrap();
            assert_eq!(ended.status.success(), passes, "{test}: {}", String::from_utf8_lossy(&ended.stdout));
        }
    }
}
