//! `magneto new`.

use crate::cli_support::{Ended, Folder};
use crate::support::compilers::has;

/// All that `venturi` needs.
const VENTURI: &[&str] = &[
    "--from",
    "v = sqrt(2*dp/rho)/(1 - b**4)",
    "--range",
    "dp=[0, 20000] Pa",
    "--range",
    "rho=[1, 1.4] kg/m^3",
    "--range",
    "b=[0.1, 0.8)",
    "--unit",
    "result=m/s",
];

fn new(folder: &Folder, file: &str, more: &[&str]) -> Ended {
    folder.run(&[&["new", file], more].concat())
}

#[test]
fn a_formula_becomes_a_specification_that_every_command_takes() {
    let folder = Folder::new();
    let said = new(&folder, "venturi.fpcore", VENTURI)
        .expect(0)
        .says(&["note: no accuracy is given, so relative 1e-10 is taken"]);
    assert!(said.out.contains("written to venturi.fpcore; next: magneto gen venturi.fpcore\n"), "{}", said.out);
    let text = folder.read("venturi.fpcore");
    for line in [
        "; v\n;\n;   v = sqrt(2*dp/rho)/(1 - b**4)\n;\n",
        ";   rho     [1, 1.4]               kg/m^3\n",
        ";   result  within relative 1e-10  m/s\n",
        "; - no accuracy is given, so relative 1e-10 is taken",
        "; - defined on all of its domain",
        "; - plain binary64 evaluation: ",
        "; - `dp` ends at 0, so that numbers as small as 5e-324 are inputs",
        "\n(FPCore (dp rho b)\n :name \"v\"\n :precision binary64\n",
        " :pre (and (<= 0 dp 20000) (<= 1 rho 1.4) (<= 0.1 b) (< b 0.8))\n",
        " :magneto-units ((dp \"Pa\") (rho \"kg/m^3\") (result \"m/s\"))\n :magneto-rel-error 1e-10\n",
        " (/ (sqrt (/ (* 2 dp) rho)) (- 1 (pow b 4))))\n",
    ] {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let lint = folder.run(&["lint", "venturi.fpcore"]).expect(0);
    assert!(!lint.out.contains("warning"), "{}", lint.out);
    folder.run(&["gen", "venturi.fpcore", "--operators", "constant", "-o", "run"]).expect(0);
    folder.run(&["oracle", "venturi.fpcore:v", "--at", "dp=100,rho=1.25,b=0.5"]).expect(0);
    // Nothing else decides what is written.
    new(&folder, "again.fpcore", VENTURI).expect(0);
    assert_eq!(folder.read("again.fpcore"), text);
}

#[test]
fn what_lint_knows_is_told_and_stands_in_the_file() {
    let folder = Folder::new();
    let made = ["--from", "x: [-1,1] -> 1/x", "--ulps", "2", "--precision", "binary32"];
    new(&folder, "pole.fpcore", &made).expect(0).says(&["warning: f has no value at x = ", "which is in the domain"]);
    let text = folder.read("pole.fpcore");
    for line in ["; pole\n", "; - not defined at x = ", " :precision binary32\n", " :magneto-ulps (2 binary32)\n"] {
        assert!(text.contains(line), "{text}");
    }
    let json = new(&folder, "line.fpcore", &["--from", "a*x + b", "--range", "a=[1,2]", "--range", "x=(-inf, inf)"]);
    json.expect(2).says(&["no range is given for b", "--range 'b=[LO,HI]'"]);
    let whole = ["--from", "a: [1,2], x: [0,1], b: [1,2] -> a*x + b", "--name", "a \"line\"", "--json"];
    let json = new(&folder, "line.fpcore", &whole).expect(0).json();
    assert_eq!((&json["schema"], &json["name"]), (&"magneto/new/1".into(), &"a \"line\"".into()));
    assert_eq!(json["next"], "magneto gen line.fpcore");
    assert_eq!(json["inputs"], serde_json::json!(["a", "x", "b"]));
    let counted =
        ["--from", "(1 + r)**n", "--range", "r=[0.01,0.1]", "--range", "n=integer [1,5] months", "--ulps", "4"];
    new(&folder, "counted.fpcore", &counted).expect(0);
    let text = folder.read("counted.fpcore");
    assert!(text.contains("(! :precision integer n)") && text.contains("((n \"months\"))"), "{text}");
    let chill = ["--from", "t: [-30,10], v: [5,80] -> 13.12 + 0.6215*t - 11.37*v**0.16 + 0.3965*t*v**0.16"];
    let told = new(&folder, "chill.fpcore", &chill).expect(0);
    assert!(told.out.contains("(f goes near 0, where a relative accuracy alone asks for"), "{}", told.out);
    let absolute = [&chill[..], &["--rel-error", "1e-10", "--abs-error", "1e-10"]].concat();
    let told = new(&folder, "absolute.fpcore", &absolute).expect(0);
    assert!(!told.err.contains("near 0") && !told.out.contains("near 0"));
    // A formula of several lines stays a comment.
    new(&folder, "lines.fpcore", &["--from", "x: [1,2] ->\n  x +\r  1"]).expect(0);
    folder.run(&["lint", "lines.fpcore"]).expect(0);
}

#[test]
fn nothing_is_lost_and_what_is_missing_is_named() {
    let folder = Folder::new();
    folder.write("notes.fpcore", "no specification").write("old.fpcore", "; mine\n(FPCore (x) x)\n");
    let one = ["--from", "x: [1,2] -> x"];
    new(&folder, "old.fpcore", &one).expect(2).says(&["old.fpcore exists already", "--force"]);
    assert_eq!(folder.read("old.fpcore"), "; mine\n(FPCore (x) x)\n");
    let force = ["--from", "x: [1,2] -> x", "--force"];
    new(&folder, "notes.fpcore", &force).expect(2).says(&["notes.fpcore"]);
    assert_eq!(folder.read("notes.fpcore"), "no specification");
    new(&folder, "old.fpcore", &force).expect(0);
    assert!(folder.read("old.fpcore").contains("; old\n"));
    for (file, more, says) in [
        ("a.c", &one[..], &["a.c is no name of a specification", "call it a.fpcore"][..]),
        ("a.fpcore", &[], &["there is no formula", "--from"]),
        ("a.fpcore", &["--from", "x + y"], &["no range is given for x, y", "--range 'x=[LO,HI]' --range 'y=[LO,HI]'"]),
        ("a.fpcore", &["--from", "2x"], &["<--from>:1:1", "`2*x`"]),
        ("a.fpcore", &["--from", "n/2", "--range", "n=[9,-1]"], &["<--range>:1:1", "the smaller end comes first"]),
        ("a.fpcore", &["--from", "n/2", "--range", "n=[1,9] integer"], &["<--range>:1:9", "`n=integer [0, 10]`"]),
        ("a.fpcore", &["--from", "x", "--range", "x=[1,2"], &["<--range>:1:7", "never closed"]),
        ("a.fpcore", &["--from", "x", "--range", "[1,2]"], &["<--range>:1:1", "the name of an input is missing"]),
        ("a.fpcore", &["--from", "x", "--range", "x"], &["<--range>:1:2", "`=` and a range are missing"]),
        ("a.fpcore", &["--from", "rho", "--range", "rh=[1,2]"], &["`rh` is no input", "did you mean `rho`?"]),
        ("a.fpcore", &["--from", "x: [1,2] -> x", "--range", "x=[1,2]"], &["`x` has two ranges"]),
        ("a.fpcore", &["--from", "x: [1,2] -> x", "--unit", "y=m"], &["--unit: `y` is no input", "there are x"]),
        ("a.fpcore", &["--from", "x: [1,2] -> x", "--unit", "x"], &["--unit x", "'p=Pa'"]),
        ("a.fpcore", &["--from", "x", "--range", "x=[1,2] m", "--unit", "x=m"], &["`x` has two units"]),
        (
            "a.fpcore",
            &["--from", "x", "--range", "x=[1, 2-1)"],
            &["a.fpcore (not written):4:21", "the domain is empty"],
        ),
        ("a.fpcore", &["--from", "x", "--range", "x=[1,2]", "--rel-error", "-1"], &["--rel-error", "positive"]),
    ] {
        new(&folder, file, more).expect(2).says(says);
        assert!(!folder.path(file).exists(), "{file} {more:?}");
    }
    folder.run(&["init"]).expect(2).says(&["'new'"]);
}

#[test]
fn findings_about_a_formula_are_at_their_place_in_what_was_written() {
    let folder = Folder::new();
    // Its FPCore has the formula on its sixth line.
    let lint = |more: &[&str]| folder.run(&[&["lint", "--rel-error", "1e-9"], more].concat());
    let said = lint(&["--formula", "x: [0,1], y: [1,2] -> y + 1/x"]).expect(0).out;
    assert!(said.contains("warning: <formula>:1:23: f has no value at x = 0x0p+0 (0)"), "{said}");
    assert!(said.contains("\n    x: [0,1], y: [1,2] -> y + 1/x\n                          ^^^^^^^\n"), "{said}");
    let json = lint(&["--json", "--language", "latex", "--formula", "x: [0,1] ->\n  \\frac{1}{x}"]).expect(0).json();
    let warnings = json["specifications"][0]["warnings"].as_array().unwrap();
    let undefined = warnings.iter().find(|w| w["message"].as_str().unwrap().starts_with("f has no value")).unwrap();
    assert_eq!((&undefined["line"], &undefined["column"]), (&2.into(), &3.into()), "{undefined}");
    // What is wrong with it as a specification is there as well.
    let said = lint(&["--formula", "y: [1,2], x: [1,1) -> x + y"]).expect(2).err;
    assert!(said.contains("<formula>:1:11: the domain is empty"), "{said}");
}

#[test]
fn a_function_of_a_file_becomes_a_specification() {
    let folder = Folder::new();
    folder
        .write("air.c", "#define K 2.0\ndouble flow(double x) {\n  if (x < 0) return NAN;\n  return K*sqrt(x);\n}\n")
        .write(
            "air.cpp",
            "namespace air {\nconstexpr auto K = 2.0;\ndouble flow(double x, int n) { return K*x*n; }\n\
                           double both(double x) { return flow(x, 3); }\n}\n",
        )
        .write("air.py", "import math\ndef flow(x):\n    while x > 1:\n        x /= 2\n    return x\n")
        .write("model.py", "from sympy import *\nm, v = symbols('m v')\nenergy = m*v**2/2\n");
    for name in ["air.cpp:both", "air.cpp:air::both"] {
        new(&folder, "cpp.fpcore", &["--from", name, "--range", "x=[-1,4]", "--force"]).expect(0);
        assert!(folder.read("cpp.fpcore").contains("(let ([n 3]) (* 2.0 x n))"), "{name}");
    }
    let counted = ["--from", "air.cpp:flow", "--range", "x=[0,1]", "--range", "n=[1,9]"];
    new(&folder, "counted.fpcore", &counted).expect(0).says(&["the integers that `n` takes are inputs"]);
    assert!(folder.read("counted.fpcore").contains("(x (! :precision (fixed 0 32) n))"));
    new(&folder, "n.fpcore", &["--from", "air.cpp"]).expect(2).says(&["air.cpp:air::both, air.cpp:air::flow"]);
    new(&folder, "c.fpcore", &["--from", "air.c:flow", "--range", "x=[-1,4]", "--rel-error", "1e-12"]).expect(0);
    let text = folder.read("c.fpcore");
    for line in ["; flow\n;\n;   air.c:flow\n", " :pre (and (>= x 0) (<= -1 x 4))\n", " (* 2.0 (sqrt x)))\n"] {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
    let made = ["--from", "model.py:energy", "--range", "m=[1,2] kg", "--range", "v=[1,9] m/s"];
    new(&folder, "energy.fpcore", &made).expect(0);
    assert!(folder.read("energy.fpcore").contains(" (/ (* m (pow v 2)) 2))\n"));
    for (from, says) in [
        ("air.c", &["which function of air.c is meant?", "air.c:flow"][..]),
        ("air.c:flo", &["the file has no function `flo`", "did you mean `flow`?"]),
        ("air.py:flow", &["air.py:3:5: loops are not read"]),
        ("aire.c:flow", &["cannot read aire.c", "air.c"]),
        ("air.c:flow", &["no range is given for x"]),
    ] {
        new(&folder, "n.fpcore", &["--from", from]).expect(2).says(says);
    }
}

/// On a terminal it asks, and asks again after a mistake.
#[test]
fn what_is_missing_is_asked_for_on_a_terminal() {
    if !has(&["python3"]) {
        return;
    }
    let folder = Folder::new();
    let program = "\
import os, pty, sys
answers = [a.encode() + b'\\n' for a in sys.argv[2:]]
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], [sys.argv[1], 'new', 'speed.fpcore'])
seen = b''
while True:
    try:
        more = os.read(fd, 4096)
    except OSError:
        break
    if not more:
        break
    seen += more
    last = seen.rsplit(b'\\n')[-1]
    if last.startswith((b'formula', b'range of', b'largest', b'unit of')) and last.endswith(b': '):
        os.write(fd, answers.pop(0) if answers else b'\\x04')
        seen = seen[:-1]
sys.stdout.buffer.write(seen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
";
    folder.write("terminal.py", program);
    let run = |answers: &[&str]| {
        let mut python = std::process::Command::new("python3");
        python.arg(folder.path("terminal.py")).arg(env!("CARGO_BIN_EXE_magneto")).args(answers);
        Ended::new(&python.current_dir(folder.root()).output().unwrap())
    };
    let answers = ["sqrt(2g*h)", "sqrt(2*g*h)", "9.7", "[9.7, 9.9] m/s^2", "[1, 100]", "much", "1e-12", "m/s"];
    let said = run(&answers).expect(0).out;
    for text in ["multiplication is written `*`", "a range is missing", "range of h and its unit", "unit of the result"]
    {
        assert!(said.contains(text), "no `{text}` in\n{said}");
    }
    let text = folder.read("speed.fpcore");
    for line in [" :magneto-units ((g \"m/s^2\") (result \"m/s\"))\n", " :magneto-rel-error 1e-12\n", "(<= 1 h 100)"] {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
    assert!(!text.contains("taken for granted"), "{text}");
    // Ctrl-D ends it.
    let said = run(&[]).expect(2).out;
    assert!(said.contains("speed.fpcore exists already"), "{said}");
    std::fs::remove_file(folder.path("speed.fpcore")).unwrap();
    let said = run(&["x"]).expect(2).out;
    assert!(said.contains("the answers end here") && !folder.path("speed.fpcore").exists(), "{said}");
}
