//! The cache of `check` over a project: no verdict is of code, or of anything that bears on it, which has changed since.

use crate::cli_support::{Ended, Folder};
use std::process::Command;

const SPEC: &str = "(FPCore (x) :name \"plus\" :pre (<= 1 x 10) :magneto-rel-error 1e-9 (+ x 1))";
/// Tests, so that none need to be made.
const TESTS: &str = "x\n1\n2.5\n10\n";

/// A project with one implementation.
fn project(implementation: &str) -> Folder {
    let folder = Folder::new();
    folder.write("plus.fpcore", SPEC).write("t.csv", TESTS);
    let entry = format!("[[implementation]]\nspec = \"plus.fpcore\"\ntests = \"t.csv\"\n{implementation}\n");
    folder.write("magneto.toml", entry);
    folder
}

fn in_c() -> Folder {
    project("c-source = \"plus.c\"\nfn = \"plus\"")
}

fn in_python() -> Folder {
    project("python = \"plus.py:plus\"")
}

/// A run with variables of the environment, with the exit code that it is to have.
#[track_caller]
fn check(folder: &Folder, environment: &[(&str, &str)], exit: i32) -> Ended {
    let mut command = folder.command(&["check"]);
    // What the tests themselves run with is not to decide.
    for name in ["CFLAGS", "LDLIBS", "CC", "PYTHONPATH", "LD_LIBRARY_PATH"] {
        command.env_remove(name);
    }
    command.envs(environment.iter().copied());
    Ended::new(&command.output().unwrap()).expect(exit)
}

const TAKEN: &str = "1 of 1 unchanged since an earlier run";

fn is_taken(ended: &Ended) -> bool {
    ended.err.contains(TAKEN)
}

/// Runs twice what is right: the second time nothing is run.
#[track_caller]
fn keeps(folder: &Folder, environment: &[(&str, &str)]) {
    assert!(!is_taken(&check(folder, environment, 0)));
    let again = check(folder, environment, 0);
    assert!(is_taken(&again), "{}", again.err);
}

/// Runs twice what is right, and nothing is kept, for a reason.
#[track_caller]
fn runs_anew(folder: &Folder, reason: &str) {
    for _ in 0..2 {
        let ended = check(folder, &[], 0);
        assert!(!is_taken(&ended) && ended.err.contains("run anew each time: plus, "), "{}", ended.err);
        assert!(ended.err.contains(reason), "no `{reason}` in {}", ended.err);
    }
}

/// Compiles a shared library.
#[track_caller]
fn library(folder: &Folder, source: &str, library: &str, more: &[&str]) {
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-g", "-o", library, source]).args(more).current_dir(folder.root());
    let ended = cc.output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
}

#[test]
fn a_change_of_a_source_or_a_header_is_seen() {
    let folder = in_c();
    folder.write("plus.c", "#include \"one.h\"\ndouble plus(double x) { return x + ONE; }\n");
    folder.write("one.h", "#define ONE 1\n");
    keeps(&folder, &[]);
    folder.write("one.h", "#define ONE 3\n");
    assert!(!is_taken(&check(&folder, &[], 1)));
    folder.write("one.h", "#define ONE 1\n");
    assert!(is_taken(&check(&folder, &[], 0)));
    // A header that was not there, in a folder that is looked into before.
    folder.write("plus.c", "#include <two.h>\ndouble plus(double x) { return x + ONE; }\n");
    folder.write("b/two.h", "#define ONE 1\n").write("a/other.h", "");
    let flags = [("CFLAGS", "-Ia -Ib")];
    keeps(&folder, &flags);
    folder.write("a/two.h", "#define ONE 4\n");
    assert!(!is_taken(&check(&folder, &flags, 1)));
    // The source with the time that it had.
    folder.write("plus.c", "double plus(double x) { return x + 1; }\n");
    keeps(&folder, &[]);
    let time = std::fs::metadata(folder.path("plus.c")).unwrap().modified().unwrap();
    folder.write("plus.c", "double plus(double x) { return x + 2; }\n");
    std::fs::File::open(folder.path("plus.c")).unwrap().set_modified(time).unwrap();
    assert!(!is_taken(&check(&folder, &[], 1)));
}

#[test]
fn what_compiles_and_links_is_seen() {
    let folder = in_c();
    folder.write("plus.c", "#ifndef ONE\n#define ONE 1\n#endif\ndouble plus(double x) { return x + ONE; }\n");
    keeps(&folder, &[]);
    assert!(!is_taken(&check(&folder, &[("CFLAGS", "-DONE=5")], 1)));
    // The same code by other options is another record.
    assert!(!is_taken(&check(&folder, &[("CFLAGS", "-DONE=1")], 0)));
    // A compiler of the same name and version.
    let compiler = |more: &str| folder.write("mycc", format!("#!/bin/sh\nexec cc {more} \"$@\"\n"));
    compiler("");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(folder.path("mycc"), mode).unwrap();
    let own = folder.path("mycc");
    let own = [("CC", own.to_str().unwrap())];
    keeps(&folder, &own);
    compiler("-DONE=2");
    assert!(!is_taken(&check(&folder, &own, 1)));
    // A variable that only the compiler knows.
    folder.write("plus.c", "#include <one.h>\ndouble plus(double x) { return x + ONE; }\n");
    folder.write("a/one.h", "#define ONE 1\n").write("b/one.h", "#define ONE 7\n");
    keeps(&folder, &[("CPATH", "a")]);
    assert!(!is_taken(&check(&folder, &[("CPATH", "b")], 1)));
}

#[test]
fn libraries_behind_a_library_are_seen() {
    let folder = in_c();
    folder.write("plus.c", "double one(void);\ndouble plus(double x) { return x + one(); }\n");
    for (place, value) in [("a", 1), ("b", 2)] {
        folder.write(&format!("{place}/one.c"), format!("double one(void) {{ return {value}; }}\n"));
        library(&folder, &format!("{place}/one.c"), &format!("{place}/libone.so"), &[]);
    }
    let with = |place: &str| folder.path(place).to_str().unwrap().to_owned();
    let (a, b) = (with("a"), with("b"));
    let links = format!("-L{a} -lone");
    keeps(&folder, &[("LDLIBS", &links), ("LD_LIBRARY_PATH", &a)]);
    assert!(!is_taken(&check(&folder, &[("LDLIBS", &links), ("LD_LIBRARY_PATH", &b)], 1)));
    // It is built anew in its place.
    folder.write("a/one.c", "double one(void) { return 3; }\n");
    library(&folder, "a/one.c", "a/libone.so", &[]);
    assert!(!is_taken(&check(&folder, &[("LDLIBS", &links), ("LD_LIBRARY_PATH", &a)], 1)));
    // What is loaded before all others.
    folder.write("plus.c", "#include <math.h>\ndouble plus(double x) { return exp(log(x)) + 1; }\n");
    folder.write("exp.c", "double exp(double x) { return 0; }\n");
    library(&folder, "exp.c", "libexp.so", &["-fno-builtin"]);
    keeps(&folder, &[]);
    let preload = folder.path("libexp.so");
    assert!(!is_taken(&check(&folder, &[("LD_PRELOAD", preload.to_str().unwrap())], 1)));
}

#[test]
fn specification_tests_and_program_are_seen() {
    let folder = in_c();
    folder.write("plus.c", "double plus(double x) { return x > 9 ? 0 : x + 1; }\n").write("t.csv", "x\n1\n2\n");
    keeps(&folder, &[]);
    folder.write("t.csv", TESTS);
    assert!(!is_taken(&check(&folder, &[], 1)));
    folder.write("t.csv", "x\n1\n2\n");
    assert!(is_taken(&check(&folder, &[], 0)));
    // The C library is told to take other functions: as another program does, it may find something else.
    let tuned = [("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX2_Usable")];
    assert!(!is_taken(&check(&folder, &tuned, 0)));
    let narrow = Ended::new(&folder.command(&["check", "--timeout", "9"]).output().unwrap()).expect(0);
    assert!(!is_taken(&narrow), "{}", narrow.err);
    let named = Ended::new(&folder.command(&["check", "--tester", "B"]).output().unwrap()).expect(0);
    assert!(!is_taken(&named), "{}", named.err);
    folder.write("plus.fpcore", SPEC.replace("(+ x 1)", "(+ x 2)"));
    assert!(!is_taken(&check(&folder, &[], 1)));
    // Nothing is kept, and nothing taken.
    let without = Ended::new(&folder.command(&["check", "--no-cache"]).output().unwrap()).expect(1);
    assert!(!without.err.contains("unchanged"), "{}", without.err);
}

#[test]
fn what_python_loads_is_seen() {
    let folder = in_python();
    folder.write("plus.py", "import math\nfrom one import ONE\ndef plus(x):\n    return math.fsum([x, ONE])\n");
    folder.write("one.py", "ONE = 1\n");
    keeps(&folder, &[]);
    folder.write("one.py", "ONE = 21\n");
    assert!(!is_taken(&check(&folder, &[], 1)));
    // Another folder with a module of that name.
    std::fs::remove_file(folder.path("one.py")).unwrap();
    folder.write("a/two.py", "TWO = 1\n").write("b/two.py", "TWO = 2\n");
    folder.write("plus.py", "import two\ndef plus(x):\n    return x + two.TWO\n");
    keeps(&folder, &[("PYTHONPATH", "a")]);
    assert!(!is_taken(&check(&folder, &[("PYTHONPATH", "b")], 1)));
    assert!(is_taken(&check(&folder, &[("PYTHONPATH", "a")], 0)));
    // A module that hides another one.
    folder.write("plus.py", "import cmath\ndef plus(x):\n    return x + cmath.cos(0).real\n");
    keeps(&folder, &[]);
    folder.write("cmath.py", "def cos(x):\n    return 2 + 0j\n");
    assert!(!is_taken(&check(&folder, &[], 1)));
    std::fs::remove_file(folder.path("cmath.py")).unwrap();
    assert!(!is_taken(&check(&folder, &[("PYTHONOPTIMIZE", "1")], 0)), "an interpreter with another option");
}

#[test]
fn what_may_read_something_is_run_each_time() {
    let folder = in_c();
    folder.write(
        "plus.c",
        "#include <stdlib.h>\ndouble plus(double x) { return x + atof(getenv(\"ONE\") ? getenv(\"ONE\") : \"1\"); }\n",
    );
    runs_anew(&folder, "uses `getenv`, which may read more than its arguments");
    assert!(!is_taken(&check(&folder, &[("ONE", "2")], 1)));
    folder.write(
        "plus.c",
        "static double one = 1;\n__attribute__((constructor)) static void set(int n, char **a, char **e) { one = n > 0; }\n\
         double plus(double x) { return x + one; }\n",
    );
    runs_anew(&folder, "runs when it is loaded");
    let folder = project("exec = \"while read x; do echo 5; done\"");
    folder.write("plus.fpcore", SPEC.replace("1e-9", "1e-3"));
    let ended = check(&folder, &[], 1);
    assert!(ended.err.contains("exec (what a command reads is not known)"), "{}", ended.err);
    let folder = in_python();
    for (source, reason) in [
        (
            "import os\ndef plus(x):\n    return x + float(os.environ.get('ONE', '1'))\n",
            "plus.py: it imports os in line 1",
        ),
        ("def plus(x):\n    import time\n    return x + 1\n", "plus.py: it imports time in line 2"),
        ("def plus(x):\n    return x + float(open('one').read())\n", "plus.py: it uses open in line 2"),
        ("import inner\ndef plus(x):\n    return x + inner.one()\n", "inner.py: it uses open in line 2"),
        ("def plus(x):\n    return x + eval('1')\n", "plus.py: it uses eval in line 2"),
        ("def plus(x):\n    return x + 1 + 0 * (hash('x') % 2)\n", "plus.py: it uses hash in line 2"),
        ("import math\ndef plus(x):\n    return x + getattr(math, 'cos')(0)\n", "plus.py: it uses getattr in line 3"),
        ("def plus(x):\n    from later import ONE\n    return x + ONE\n", "plus.py: it imports later in line 2"),
    ] {
        folder.write("one", "1").write("plus.py", source);
        folder.write("inner.py", "def one():\n    return float(open('one').read())\n").write("later.py", "ONE = 1\n");
        runs_anew(&folder, reason);
    }
}

/// A time limit is of how busy the machine is, and a crash may be of how much memory there is.
#[test]
fn hangs_and_crashes_are_not_kept() {
    let folder = in_python();
    folder.write("plus.py", "def plus(x):\n    if x == 2.5:\n        raise RuntimeError('no')\n    return x + 1\n");
    for _ in 0..2 {
        assert!(!is_taken(&check(&folder, &[], 1)));
    }
}

#[test]
fn files_and_shards_are_the_same() {
    let folder = in_c();
    folder.write("plus.c", "double plus(double x) { return x > 9 ? 0 : x + 1; }\n");
    folder.write("plus.py", "def plus(x):\n    return x + 1\n");
    let toml = folder.read("magneto.toml");
    folder.write(
        "magneto.toml",
        format!("{toml}\n[[implementation]]\nspec = \"plus.fpcore\"\npython = \"plus.py:plus\"\n"),
    );
    let run = |out: &str, more: &[&str], exit: i32| folder.run(&[&["check", "-o", out], more].concat()).expect(exit);
    let first = run("a", &["--no-cache"], 1);
    assert!(!run("b", &[], 1).err.contains("unchanged"));
    let third = run("c", &["--jobs", "1"], 1);
    assert!(third.err.contains("2 of 2 unchanged"), "{}", third.err);
    assert_eq!((folder.files("a"), &first.out), (folder.files("b"), &third.out));
    assert_eq!(folder.files("a"), folder.files("c"));
    for part in ["1/2", "2/2"] {
        let ended = run(&part.replace('/', "-"), &["--shard", part], 0);
        assert!(ended.err.contains("1 of 1 unchanged"), "{}", ended.err);
    }
    folder.run(&["merge", "1-2", "2-2", "-o", "m"]).expect(1);
    assert_eq!(folder.files("a"), folder.files("m"));
    // An entry that was changed is none.
    let entries: Vec<_> = std::fs::read_dir(folder.path(".magneto-cache")).unwrap().flatten().collect();
    let entries = entries.iter().map(std::fs::DirEntry::path).filter(|p| p.extension().is_some_and(|e| e == "check"));
    let is_wrong = |entry: &std::path::PathBuf| std::fs::read_to_string(entry).unwrap().contains("\"exit\":1");
    let [entry] = &entries.filter(is_wrong).collect::<Vec<_>>()[..] else { panic!() };
    let text = std::fs::read_to_string(entry).unwrap();
    std::fs::write(entry, text.replacen("\"KO\"", "\"OK\"", 1).replacen("\"exit\":1", "\"exit\":0", 1)).unwrap();
    let after = run("d", &[], 1);
    assert!(after.err.contains("1 of 2 unchanged"), "{}", after.err);
    assert_eq!(folder.files("a"), folder.files("d"));
}
