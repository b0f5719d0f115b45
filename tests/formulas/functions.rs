//! Functions of C, C++ and Python files as formulas: judged by the compilers and by Python, and what is refused.

use crate::infix_judged::{POINTS, compare, numbers, values_of};
use crate::support::compilers::has;
use magneto::infix::{SourceLanguage, functions_of, read_function};
use magneto::text::line_column;
use std::process::Command;

const C: SourceLanguage = SourceLanguage::C;
const P: SourceLanguage = SourceLanguage::Cpp;
const Y: SourceLanguage = SourceLanguage::Python;
const C_FILE: &str = include_str!("functions/judged.c");
const CPP_FILE: &str = include_str!("functions/judged.cpp");
const PYTHON_FILE: &str = include_str!("functions/judged.py");

/// The FPCore that a function is, on one line.
fn core(language: SourceLanguage, text: &str, name: &str) -> String {
    let read = read_function(text, language, name);
    read.unwrap_or_else(|d| panic!("{}", d.render(name, text.as_bytes()))).core.one_line()
}

#[test]
fn functions_are_what_a_person_would_write() {
    let cases = [
        (
            C,
            "flow",
            "(FPCore (dp p T) :name \"flow\" (let* ([beta 0.6] [rho (/ (fabs p) (* 287.05 (fabs T)))]) \
             (* 0.98 0.00196 (sqrt (/ (* 2 rho (fabs dp)) (- 1 (pow beta 4)))))))",
        ),
        (C, "srgb", "(FPCore (x) :name \"srgb\" (if (<= x 0.04045) (/ x 12.92) (pow (/ (+ x 0.055) 1.055) 2.4)))"),
        (C, "clampit", "(FPCore (x lo hi) :name \"clampit\" (let ([y x]) (if (< y lo) lo (if (> y hi) hi y))))"),
        (
            C,
            "guarded",
            "(FPCore (x) :name \"guarded\" :pre (and (> x 0) (<= x 100)) \
             (+ (log x) (let ([x (+ x 9.81)]) (* x x))))",
        ),
        (C, "shadow", "(FPCore (E_ x) :name \"shadow\" (let ([PI_ 3]) (+ (* E_ PI_) (* x PI))))"),
        (
            P,
            "flow",
            "(FPCore (dp p T) :name \"flow\" (let* ([beta 0.6] [rho (/ (fabs p) (* 287.05 (fabs T)))] \
             [root (sqrt (/ (* 2 rho (fabs dp)) (- 1 (pow beta 4))))]) (* 0.98 0.00196 root)))",
        ),
        (P, "air::inner::scaled", "(FPCore (x) :name \"scaled\" (+ (* 2 x) 287.05 9.81))"),
        (P, "latest", "(FPCore (x) :name \"latest\" (- (+ (* 2 x) 287.05 9.81) 287.05))"),
        (P, "energy", "(FPCore (m v) :name \"energy\" (+ (* (let ([x v]) (* x x)) m 0.5) (let ([x 3]) (* x x))))"),
        (
            P,
            "powers",
            "(FPCore (x) :name \"powers\" (+ (let ([n 2]) (if (> n 2) (/ (* x x x) n) (pow x n))) \
             (let ([n (+ 1 2)]) (if (> n 2) (/ (* x x x) n) (pow x n)))))",
        ),
        (P, "guarded", "(FPCore (x) :name \"guarded\" :pre (and (> x 0) (< x 100)) (log x))"),
        (Y, "relu", "(FPCore (x) :name \"relu\" (if (> x 0) x (if (> x -1) (* x 0.5) -0.5)))"),
        (
            Y,
            "guarded",
            "(FPCore (x) :name \"guarded\" :pre (and (> x 0) (< x 100)) (+ (log x) (* (exp (- x)) PI (exp x))))",
        ),
        (
            Y,
            "ordered",
            "(FPCore (a b) :name \"ordered\" (let ([a (if (> a b) b a)] [b (if (> a b) a b)]) (- b (/ a b))))",
        ),
        (
            C,
            "series",
            "(FPCore (x (! :precision (fixed 0 32) n) (! :precision (fixed 0 16) k)) :name \"series\" \
             (if (> n 2) (/ (* n (- k 1) x) 2.0) (pow x n)))",
        ),
        (
            P,
            "power",
            "(FPCore (x (! :precision (fixed 0 32) n)) :name \"power\" (if (> n 2) (/ (* x x x) n) (pow x n)))",
        ),
        (
            Y,
            "compound",
            "(FPCore (x (! :precision integer n)) :name \"compound\" (- (pow (+ 1 (/ x 12)) (* 2 n)) (floor (/ n 2))))",
        ),
        (Y, "half", "(FPCore (x) :name \"half\" (* (/ 1 2) x))"),
    ];
    for (language, name, expected) in cases {
        let file = match language {
            C => C_FILE,
            P => CPP_FILE,
            Y => PYTHON_FILE,
        };
        assert_eq!(core(language, file, name), expected);
    }
}

#[test]
fn expressions_of_sympy_have_names_in_a_file() {
    let file = "import sympy as sp\nfrom sympy import symbols, sqrt, Symbol\nm, v = symbols('m v')\nc = Symbol('c')\n\
                beta = v/c\ngamma_ = 1/sqrt(1 - beta**2)\nenergy = (gamma_ - 1)*m*c**2\nwrong = k*m\nloop = loop + 1\n";
    let expected = "(FPCore (v c m) :name \"energy\" (let ([gamma_ (let ([beta (/ v c)]) (/ 1 (sqrt (- 1 (pow beta 2)))))]) \
                    (* (- gamma_ 1) m (pow c 2))))";
    assert_eq!(core(Y, file, "energy"), expected);
    for (name, place, says) in [("wrong", (8, 9), "`k` is no symbol"), ("loop", (9, 8), "made of itself")] {
        let d = read_function(file, Y, name).expect_err(name);
        assert_eq!(line_column(file.as_bytes(), d.span.start), place, "{}", d.render("file", file.as_bytes()));
        assert!(d.message.contains(says), "{}", d.message);
    }
}

/// The formulas of all functions of a file, with their values, and how many inputs each has.
fn formulas(language: SourceLanguage, text: &str) -> (Vec<(String, [f64; 4])>, Vec<usize>) {
    let names = functions_of(text, language);
    let one = |name: &String| {
        let reading = read_function(text, language, name);
        let core = reading.unwrap_or_else(|d| panic!("{}", d.render(name, text.as_bytes()))).core;
        ((name.clone(), values_of(&core)), core.args.len())
    };
    names.iter().map(one).unzip()
}

/// Compares the formulas of all functions of a file with what a compiler makes of them, and returns how many they are.
fn judged_by(compiler: &[&str], language: SourceLanguage, file: &str) -> usize {
    let (texts, inputs) = formulas(language, file);
    // An exception is no value.
    let value = match language {
        P => "template <class F> double value(F f) { try { return f(); } catch (...) { return NAN; } }\n",
        _ => "",
    };
    let mut program = format!("{file}\n#include <stdio.h>\n{value}int main(void) {{\n");
    for ((name, _), count) in texts.iter().zip(inputs) {
        for (point, end) in POINTS.iter().zip([" ", " ", " ", "\\n"]) {
            let arguments: Vec<String> = point[..count].iter().map(|x| format!("{x:?}")).collect();
            let call = format!("(double){name}({})", arguments.join(", "));
            let call = if language == P { format!("value([] {{ return {call}; }})") } else { call };
            program += &format!("printf(\"%.17g{end}\", {call});\n");
        }
    }
    program += "return 0; }\n";
    let folder = tempfile::tempdir().unwrap();
    let ending = if language == C { "c" } else { "cpp" };
    let (source, binary) = (folder.path().join("judge").with_extension(ending), folder.path().join("judge"));
    std::fs::write(&source, program).unwrap();
    let (cc, flags) = compiler.split_first().unwrap();
    let mut cc = Command::new(cc);
    let named = cc.args(flags).args(["-O0", "-w", "-ffp-contract=off", "-o"]).args([&binary, &source]);
    let out = named.arg("-lm").output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let out = Command::new(&binary).output().unwrap();
    compare(&texts, &numbers(&String::from_utf8(out.stdout).unwrap().replace("-nan", "nan")));
    texts.len()
}

#[test]
fn functions_in_c_have_the_values_that_c_gives_them() {
    if has(&["cc"]) {
        assert!(judged_by(&["cc"], C, C_FILE) >= 30);
    }
}

#[test]
fn functions_in_cpp_have_the_values_that_cpp_gives_them() {
    if has(&["c++"]) {
        assert!(judged_by(&["c++", "-std=c++20"], P, CPP_FILE) >= 20);
    }
}

#[test]
fn functions_in_python_have_the_values_that_python_gives_them() {
    let has_numpy = || Command::new("python3").args(["-c", "import numpy"]).output().is_ok_and(|o| o.status.success());
    if !has(&["python3"]) || !has_numpy() {
        return;
    }
    let (texts, inputs) = formulas(Y, PYTHON_FILE);
    assert!(texts.len() >= 30, "{} functions", texts.len());
    let calls: Vec<(&str, usize)> = texts.iter().zip(inputs).map(|((name, _), count)| (name.as_str(), count)).collect();
    let program = format!(
        "{PYTHON_FILE}\n\
         def called(f, point):\n\
         \x20   kinds = (getattr(f, '__wrapped__', f).__annotations__.get(name, float) for name in inspect.signature(f).parameters)\n\
         \x20   return f(*(int(x) if kind is int else x for kind, x in zip(kinds, point)))\n\
         for name, count in {calls:?}:\n\
         \x20   row = []\n\
         \x20   for point in {POINTS:?}:\n\
         \x20       try:\n\
         \x20           row.append(float(called(globals()[name], point[:count])))\n\
         \x20       except (ArithmeticError, ValueError, TypeError, AssertionError):\n\
         \x20           row.append(math.nan)\n\
         \x20   print(*map(repr, row))\n"
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("judge.py");
    std::fs::write(&file, program).unwrap();
    let out = Command::new("python3").args(["-W", "ignore"]).arg(&file).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    compare(&texts, &numbers(&String::from_utf8(out.stdout).unwrap()));
}

/// A language, a file with a function `f`, the line and column, and a part of message and hint.
const WRONG: &[(SourceLanguage, &str, (usize, usize), &str)] = &[
    (Y, "def twice(g):\n    return lambda x: 2*g(x)\n@twice\ndef f(x): return x", (3, 1), "decorator `@twice`"),
    (Y, "def cache(g):\n    return lambda x: 2*g(x)\n@cache\ndef f(x): return x", (3, 1), "decorator `@cache`"),
    (Y, "def f(x): return x\nf = twice(f)", (1, 1), "another value"),
    (Y, "from mine import *\ndef f(x): return sin(x)", (1, 1), "import each name"),
    (C, "double g(double x) { return x; }", (1, 1), "it has g"),
    (C, "double ff(double x) { return x; }", (1, 1), "did you mean `ff`?"),
    (
        C,
        "double f(double x) {\n  double s = 0;\n  for (int i = 0; i < 3; i++) s += x;\n  return s;\n}",
        (3, 3),
        "loops are not read",
    ),
    (C, "double f(double x) { while (x > 1) x /= 2; return x; }", (1, 22), "loops are not read"),
    (C, "double f(double x) { return 1/2*x; }", (1, 29), "1.0/2"),
    (C, "double f(double x) { int n = 3; return n/2*x; }", (1, 40), "loses its fraction"),
    (C, "double f(double x) { int n = x; return n; }", (1, 30), "fraction is cut off"),
    (C, "double f(double x) { return (int)x; }", (1, 29), "trunc(x)"),
    (C, "double f(double x) { return x > -(x) && 1 > 0 ? x : 1; }", (1, 34), "leave the brackets out"),
    (C, "double f(double *x) { return *x; }", (1, 10), "pointers"),
    (C, "double f(double x[3]) { return x[0]; }", (1, 10), "pointers"),
    (C, "double f(unsigned n) { return n; }", (1, 10), "declare it double"),
    (C, "double f(double x, int n) { return x*(n/2); }", (1, 39), "loses its fraction"),
    (C, "double f(double x, int n) { n = x; return n; }", (1, 33), "fraction is cut off"),
    (C, "double f(double x) { short n = 70000; return x*n; }", (1, 22), "short"),
    (C, "double f(double x) { int n = 3000000000; return x*n; }", (1, 30), "more than an int"),
    (P, "double f(double x, int n) { return std::clamp(n, 1, 9) / 2 * x; }", (1, 36), "loses its fraction"),
    (P, "double f(double x, int n) { return std::max(n, 3) / 2 * x; }", (1, 36), "loses its fraction"),
    (C, "const int N = 3000000000;\ndouble f(double x) { return x*N; }", (1, 15), "more than an int"),
    (C, "const short N = 70000;\ndouble f(double x) { return x*N; }", (2, 31), "`N`"),
    (C, "double g(double x, short n) { return x*n; }\ndouble f(double x) { return g(x, 70000); }", (2, 34), "may hold"),
    (
        C,
        "double g(double x, int n) { return x*n; }\ndouble f(double x) { return g(x, 3000000000); }",
        (2, 34),
        "may hold",
    ),
    (
        C,
        "double g(double x, int n) { return x*n; }\ndouble f(double x) { return g(x, x); }",
        (2, 34),
        "fraction is cut off",
    ),
    (
        C,
        "double g(double x, int n) { return x*(n/2); }\ndouble f(double x) { return g(x, 3); }",
        (1, 39),
        "loses its fraction",
    ),
    (P, "double f(double &x) { x = 2; return x; }", (1, 17), "may change"),
    (P, "double f(double x) { return x +; }", (1, 32), "not read as C++"),
    (
        P,
        "double f(float x);\ndouble f(double x) { return x; }\ndouble f(float x) { return 2*x; }",
        (1, 1),
        "defines it twice",
    ),
    (
        P,
        "namespace a { double f(double x) { return x; } }\nnamespace b { double f(double x) { return 2*x; } }",
        (1, 1),
        "name one: a::f, b::f",
    ),
    (
        P,
        "const double R = 1;\nnamespace a { double R = 2; double f(double x) { return R*x; } }",
        (2, 57),
        "no variable or constant",
    ),
    (
        P,
        "const double R = 1;\nnamespace a { extern const double R; double f(double x) { return R*x; } }",
        (2, 66),
        "no variable or constant",
    ),
    (P, "namespace a { double exp(double); double f(double x) { return exp(x); } }", (1, 63), "no function `a::exp`"),
    (
        P,
        "namespace a { const double R = 1; }\nconst double R = 2;\ndouble f(double x) { using a::R; return R*x; }",
        (3, 41),
        "write the namespace, as in `a::R`",
    ),
    (
        P,
        "namespace a { const double R = 1; }\nusing namespace a;\ndouble f(double x) { return R*x; }",
        (3, 29),
        "write the namespace, as in `a::R`",
    ),
    (
        P,
        "namespace a { const double R = 1; }\n#define K (2*R)\ndouble f(double x) { return K*x; }",
        (2, 14),
        "where a macro stands",
    ),
    (P, "double f(double x) { auto n = 3; n = x; return n; }", (1, 38), "fraction is cut off"),
    (P, "double f(double x) { auto n = 3; return n/2*x; }", (1, 41), "loses its fraction"),
    (P, "auto g(int n) { return n; }\ndouble f(double x) { return g(3)*x; }", (2, 29), "result of `g` is an integer"),
    (P, "template <class T> T g(T x) { return x/2; }\ndouble f(double x) { return g(3)*x; }", (2, 31), "with a point"),
    (P, "template <int N> double f(double x) { return N*x; }", (1, 11), "is no type"),
    (
        P,
        "template <class T> T g(T x) { return x/2; }\ntemplate <> double g<double>(double x) { return x; }\ndouble f(double x) { return g(x); }",
        (3, 29),
        "defines it twice",
    ),
    (
        P,
        "struct S { double k; double f(double x) { return k*x; } };\ndouble S::f(double x) { return x; }",
        (2, 8),
        "outside of its namespace or class",
    ),
    (P, "template <class F> double f(F exp, double x) { return exp(x); }", (1, 55), "is a variable"),
    (P, "double f(double x) { return static_cast<int>(x); }", (1, 29), "trunc(x)"),
    (P, "double f(double x) { return std::max<int>(1, x); }", (1, 38), "made for this type"),
    (P, "double f(double x) { return std::max(x*x); }", (1, 29), "2 or more"),
    (P, "double f(double x) { auto g = [](double y) { return y; }; return g(x); }", (1, 31), "lambda"),
    (P, "double f(double x) { if (double y = x; y > 0) return 1; return 2; }", (1, 25), "condition clause"),
    (P, "double f(double x) { for (auto y : {1, 2}) x += y; return x; }", (1, 22), "not read"),
    (P, "double f(double x) { return abs(x); }", (1, 29), "std::abs(x)"),
    (P, "double f(double x) { return foo::bar(x); }", (1, 29), "unknown function"),
    (
        P,
        "using real = double;\nnamespace a { using real = int; }\nreal f(real x) { return x; }",
        (3, 1),
        "declare it double",
    ),
    (Y, "def f(x: float, n: np.uint64 = 3):\n    return x**n\n", (1, 20), "wraps around"),
    (C, "int f(double x) { return x; }", (1, 1), "declare it double"),
    (C, "double f(double x) { return foo(x); }", (1, 29), "unknown function"),
    (C, "double f(double x) { return f(x - 1); }", (1, 29), "calls itself"),
    (C, "double f(double x) { double y; return y; }", (1, 39), "no value here"),
    (C, "double f(double x) { double y; if (x > 0) y = 1; return y; }", (1, 57), "no value here"),
    (C, "double f(double x) { if (x > 0) return 1; }", (1, 22), "without a result"),
    (C, "static double s; double f(double x) { s += x; return s; }", (1, 39), "no variable"),
    (C, "double f(double x) { static double s = 0; return s; }", (1, 22), "from call to call"),
    (C, "#define K 1 + 2\ndouble f(double x) { return K*x; }", (1, 11), "brackets"),
    (C, "double f(double x) { double y = x*2; if (y > 1) return NAN; return y; }", (1, 38), "at the beginning"),
    (C, "double f(double x) { return x ^ 2; }", (1, 31), "pow"),
    (C, "double f(double x) { return abs(x); }", (1, 29), "fabs"),
    (C, "double f(double x) { switch (1) { default: return x; } }", (1, 22), "`switch`"),
    (C, "double f(double x) { double x = 1; return x; }", (1, 29), "declared twice"),
    (C, "double f(double x) { if (x) return 1; return 0; }", (1, 26), "condition is needed"),
    (C, "double f(double x) { return y; }", (1, 29), "no variable or constant"),
    (C, "double f(double x) { return x +; }", (1, 32), "not read as C"),
    (
        C,
        "#ifdef A\n#define K 1.0\n#else\n#define K 2.0\n#endif\ndouble f(double x) { return K*x; }",
        (6, 29),
        "defines it twice",
    ),
    (C, "#define sqrt(x) my(x)\ndouble f(double x) { return sqrt(x); }", (2, 29), "macro with arguments"),
    (C, "#define x 3\ndouble f(double x) { return x; }", (2, 17), "called as a macro is"),
    (C, "#define K 2\n#undef K\ndouble f(double x) { return K*x; }", (3, 29), "defines it twice"),
    (Y, "K = 1\nif K > 0:\n    K = 2\ndef f(x):\n    return K*x\n", (5, 12), "depends on what ran before"),
    (Y, "K = 1\ndef g():\n    global K\n    K = 2\ndef f(x):\n    return K*x\n", (6, 12), "depends on what ran before"),
    (C, "double f(double x) { unsigned n = 2; return x*(n - 3); }", (1, 22), "no type of numbers"),
    (C, "double f(double x) { bool b = 3; return b ? x : 1; }", (1, 31), "whether a condition holds"),
    (C, "double f(double x) { return (unsigned)x; }", (1, 29), "leave it out"),
    (Y, "def f(x, exp):\n    return exp(x)\n", (2, 12), "no function that is known"),
    (Y, "exp = 3\ndef f(x):\n    return exp(x)\n", (3, 12), "no function that is known"),
    (Y, "def g(x):\n    return x\n", (1, 1), "it has g"),
    (Y, "def f(x):\n    for i in range(3):\n        x += 1\n    return x\n", (2, 5), "loops are not read"),
    (Y, "def f(x):\n    return x^2\n", (2, 13), "x**y"),
    (Y, "def f(*x):\n    return x\n", (1, 7), "no plain number"),
    (Y, "def f(x):\n    return foo(x)\n", (2, 12), "unknown function"),
    (Y, "import os\ndef f(x):\n    return os.times(x)\n", (3, 12), "not known"),
    (Y, "def f(x):\n    return [x]\n", (2, 12), "a list is not read"),
    (Y, "def f(x):\n    if x > 0:\n        y = 1\n    return y\n", (4, 12), "no value here"),
    (Y, "def f(x):\n    print(x)\n    return x\n", (2, 5), "not used"),
    (Y, "K = 1\nK = 2\ndef f(x):\n    return K*x\n", (4, 12), "several values"),
    (Y, "def f(x):\n    return x if x else 1\n", (2, 17), "condition is needed"),
    (Y, "def f(x):\n    return x.real\n", (2, 12), "no number that is known"),
    (Y, "def f(x):\n    return max(x, key=1)\n", (2, 19), "by its place"),
    (Y, "def f(x):\n    y = x\n    if y > 0:\n        raise ValueError\n    return y\n", (3, 5), "at the beginning"),
];

#[test]
fn what_is_no_formula_is_refused_at_its_place() {
    let mut wrong = Vec::new();
    for (language, text, place, says) in WRONG {
        match read_function(text, *language, "f") {
            Ok(reading) => wrong.push(format!("{text} is read as {}", reading.core.body)),
            Err(d) => {
                let shown = d.render("file", text.as_bytes());
                if line_column(text.as_bytes(), d.span.start) != *place || !shown.contains(says) {
                    wrong.push(format!("{text}: {place:?}, {says}:\n{shown}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
