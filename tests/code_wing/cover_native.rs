//! The interpreter beside native code: the same functions, compiled by the host's C compiler without optimisation, give
//! the same bits (all NaNs are one) and take the same branches.

use crate::cover_objects::{assert_taken, count, covered, own};
use crate::support::compilers::{has, has_clang};
use magneto::cc::Flags;
use magneto::code::compile::compile;
use magneto::code::module::Module;
use magneto::code::native::{Native, NativeCall, NativeSources, NativeUse};
use magneto::code::program::CodeProgram;
use magneto::code::run::Blind;
use magneto::floats::BitsKind;
use magneto::num::random::Random;
use magneto::reach::coverage::{Coverage, CoverageLimits};
use magneto::reach::pool::pool;
use magneto::reach::replay::{Replayed, compare};
use magneto::search::values::{any, changed};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// Whether what is compared and with what it is compared can be compiled.
fn has_compilers() -> bool {
    has_clang() && has(&["cc", "gcov"])
}

/// Inputs that take the branches, changes of them, and any others.
fn inputs(program: &CodeProgram, count: usize) -> Vec<Vec<u64>> {
    let mut coverage = Coverage::new(program, &[program.entry], CoverageLimits { evaluations: 3000, seed: 5 });
    coverage.search(3000);
    let kinds: Vec<BitsKind> = program.inputs.iter().map(|i| i.kind).collect();
    let pool = pool(program, &kinds);
    let mut rng = Random::seeded(11);
    let mut all: Vec<Vec<u64>> = coverage.found.iter().map(|f| f.input.clone()).collect();
    let found = all.len();
    while all.len() < count && !kinds.is_empty() {
        let one = match rng.index(2) {
            0 if found > 0 => changed(&all[rng.index(found)], &kinds, &pool, &mut rng),
            _ => kinds.iter().map(|k| any(*k, &mut rng)).collect(),
        };
        all.push(one);
    }
    all
}

/// All functions of a folder with so many calls each; `listed` leaves out files that the list does not name.
fn compared(folder: &Path, flags: &Flags, each: usize, listed: bool) -> Replayed {
    let entries = magneto::bench::cover::programs(folder, flags).unwrap();
    let programs: Vec<&CodeProgram> = entries.iter().map(|(_, p)| p).collect();
    let mut sources = magneto::bench::cover::sources(folder).unwrap();
    let names = |s: &PathBuf| entries.iter().any(|(e, _)| s.ends_with(&e.file));
    sources.retain(|s| !listed || names(s));
    let native = Native::build(&programs, &Arc::new(NativeSources::new(&sources, flags)), NativeUse::Results).unwrap();
    let of = |function, p| inputs(p, each).into_iter().map(move |input| NativeCall { function, input, filling: 0 });
    let calls = programs.iter().enumerate().flat_map(|(i, p)| of(i, *p)).collect();
    compare(&programs, &native, calls, Blind).unwrap()
}

/// Calls of each function: a million in all where there is time.
fn each() -> usize {
    if std::env::var_os("MAGNETO_LONG").is_some() { 16_000 } else { 60 }
}

#[test]
fn own_functions_give_the_same_bits() {
    if !has_compilers() {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/code");
    let replayed = compared(&folder, &Flags::default(), each(), true);
    eprintln!("{}", replayed.text());
    assert_eq!(replayed.different, []);
    assert!(replayed.same as usize >= 24 * each(), "{}", replayed.text());
}

#[test]
fn the_functions_of_fdlibm_give_the_same_bits() {
    let shared = std::env::var_os("MAGNETO_SHARED_DATA").map_or("../shared/data".into(), PathBuf::from);
    let folder = shared.join("fdlibm");
    if !has_compilers() || !folder.exists() {
        eprintln!("skipped: no {}", folder.display());
        return;
    }
    let flags = Flags { define: vec!["__LITTLE_ENDIAN".to_owned()], ..Flags::default() };
    let replayed = compared(&folder, &flags, each(), false);
    eprintln!("{}", replayed.text());
    assert_eq!(replayed.different, []);
    assert!(replayed.same as usize >= 39 * each(), "{}", replayed.text());
}

#[test]
fn branches_are_counted_as_gcov_counts_them() {
    if !has_compilers() {
        return;
    }
    for (file, function) in
        [("ladder.c", "ladder"), ("cases.c", "length"), ("hypot.c", "my_hypot"), ("table.c", "look_up")]
    {
        let run = Command::new(env!("CARGO_BIN_EXE_magneto"))
            .args(["cover", file, "--fn", function, "--native", "--json"])
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/code"))
            .output()
            .unwrap();
        assert_eq!(run.status.code(), Some(0), "{function}: {}", String::from_utf8_lossy(&run.stderr));
        let document: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
        let native = &document["native"];
        let runs = document["runs"].as_array().unwrap().len() as u64;
        assert!(native["same"].as_u64().unwrap() >= runs && native["different"] == serde_json::json!([]), "{native}");
        assert_eq!(native["lines"]["different"], serde_json::json!([]), "{function}");
        assert!(native["lines"]["same"].as_u64().unwrap() >= 1, "{function}: {native}");
    }
}

#[test]
fn what_differs_is_told() {
    if !has_compilers() {
        return;
    }
    // The native compiler alone has another name for `main`.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wide.c");
    std::fs::write(
        &file,
        "#ifdef main\n#define BY 8\n#else\n#define BY 4\n#endif\nint wide(int x) { return x > 5 ? BY * x : x; }\n",
    )
    .unwrap();
    let cover = |more: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_magneto"))
            .args(["cover", file.to_str().unwrap(), "--fn", "wide", "--native"])
            .args(more)
            .output()
            .unwrap()
    };
    let run = cover(&[]);
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    assert_eq!(run.status.code(), Some(1), "{said}");
    assert!(said.contains("in the native program"), "{said}");
    // What the native compiler refuses.
    std::fs::write(
        &file,
        "#ifdef main\nint wide(int x) { return y; }\n#else\nint wide(int x) { return x > 5; }\n#endif\n",
    )
    .unwrap();
    let refused = cover(&[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("native compiler refuses"), "{refused:?}");
}

/// Two functions that hand on what they did not write unless the last bit says so, and one that writes it.
const UNWRITTEN: &str = "#include <stdlib.h>
static void work(double x, int wanted, double *s, double *t) { if (wanted & 1) *s = x * 2; if (wanted & 2) *t = x + 1; }
double local(double x, int wanted) { double s, t; work(x, wanted, &s, &t); return s; }
double allocated(double x, int wanted) {
  double *p = malloc(16), y;
  if (!p) return 0;
  p[0] = x;
  if (wanted & 1) p[1] = 1;
  y = p[0] + p[1];
  free(p);
  return y;
}
double written(double x, int wanted) { double s = 0, t; work(x, wanted, &s, &t); return s; }
";

#[test]
fn results_that_depend_on_what_the_code_never_wrote_are_known() {
    if !has_compilers() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("f.c");
    std::fs::write(&file, UNWRITTEN).unwrap();
    for (function, expected) in
        [("local", [true, true, false]), ("allocated", [true, true, false]), ("written", [false; 3])]
    {
        let bytes = compile(std::slice::from_ref(&file), &Flags::default()).unwrap();
        let program = CodeProgram::new(Module::decode_asking(&bytes, true, None).unwrap(), function, &[]).unwrap();
        let native = Native::build(
            &[&program],
            &Arc::new(NativeSources::new(std::slice::from_ref(&file), &Flags::default())),
            NativeUse::Results,
        )
        .unwrap();
        let of = |wanted: u64| NativeCall { function: 0, input: vec![2.5_f64.to_bits(), wanted], filling: 0 };
        let calls = [0, 2, 1].map(of);
        let outcomes = native.calls(&calls).unwrap();
        assert_eq!(native.unwritten(&[&program], &calls, &outcomes).unwrap(), expected, "{function}");
    }
}

#[test]
fn a_call_whose_result_was_never_written_is_left_out_and_named() {
    if !has_compilers() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // What the first function leaves the second one finds; in the interpreter it leaves something else.
    std::fs::write(
        folder.path().join("f.c"),
        "#ifdef __wasm__\n#define LEFT 0\n#else\n#define LEFT 5\n#endif\n\
         static int leave(int a) { volatile int t[8]; for (int i = 0; i < 8; i++) t[i] = a; return t[2]; }\n\
         static double find(double x) { int t[8]; for (int i = 0; i < 8; i++) x += t[i]; return x; }\n\
         double both(double x) { return leave(LEFT) > 9 ? 0 : find(x); }\n",
    )
    .unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_magneto"))
        .args(["cover", "f.c", "--fn", "both", "--native", "--json"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let document: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    let native = &document["native"];
    assert_eq!((run.status.code(), &native["different"]), (Some(0), &serde_json::json!([])), "{native}");
    assert!(!native["unwritten"].as_array().unwrap().is_empty(), "{native}");
    // Of all functions, too, it is said what differs and what is left out.
    let mut all = Command::new(env!("CARGO_BIN_EXE_magneto"));
    let said = all.args(["cover", "f.c", "--all", "--native"]).current_dir(folder.path()).output().unwrap();
    assert!(String::from_utf8_lossy(&said.stdout).contains("both: cc -O0: "), "{said:?}");
}

/// What code comes to with the library's functions as they are compiled with it, at `times` as many inputs as elsewhere.
fn check_library(file: &str, functions: &[&str], times: usize) {
    if !has_compilers() {
        return;
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/code/text").join(file);
    let bytes = compile(std::slice::from_ref(&file), &Flags::default()).unwrap();
    let module = Arc::new(Module::decode_asking(&bytes, true, None).unwrap());
    let named = |name: &&str| {
        let elements = if *name == "parsed" { vec![("s".to_owned(), 9)] } else { Vec::new() };
        CodeProgram::new(module.clone(), name, &elements).unwrap()
    };
    let programs: Vec<CodeProgram> = functions.iter().map(named).collect();
    let programs: Vec<&CodeProgram> = programs.iter().collect();
    let sources = Arc::new(NativeSources::new(std::slice::from_ref(&file), &Flags::default()));
    let native = Native::build(&programs, &sources, NativeUse::Results).unwrap();
    let of = |(function, p): (usize, &&CodeProgram)| {
        let inputs = inputs(p, times * each());
        inputs.into_iter().map(move |input| NativeCall { function, input, filling: 0 })
    };
    let calls: Vec<NativeCall> = programs.iter().enumerate().flat_map(of).collect();
    let count = calls.len();
    let replayed = compare(&programs, &native, calls, Blind).unwrap();
    assert!(replayed.different.is_empty(), "{:?}", replayed.different);
    assert!(replayed.same as usize + 5 >= count && count >= 200, "{} of {count}", replayed.same);
}

#[test]
fn numbers_and_texts_are_those_of_the_native_library() {
    check_library("text.c", &["printed", "read_back", "integers", "parsed", "listed"], 1);
}

#[test]
fn complex_numbers_are_those_of_the_native_library() {
    let functions = ["real_part", "imaginary_part", "single_real", "single_imaginary", "power", "single_power"];
    check_library("complex.c", &functions, 10);
    check_library("complex.c", &["quotient", "single_quotient", "product", "single_product"], 10);
}

/// The text of the library's functions itself, compiled for this machine.
#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn conversions_between_numbers_and_texts_are_those_of_glibc() {
    if !has_compilers() {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str| std::fs::read_to_string(root.join("src/code/include").join(name)).unwrap();
    let own = folder.path().join("own.c");
    std::fs::write(&own, of("strtol.c") + &of("strtod.c") + &of("printf.c")).unwrap();
    let functions = "strtol strtoll strtoul strtoull strtoimax strtoumax atoi atol atoll strtod strtof atof snprintf sprintf printf fprintf \
                     vsnprintf vsprintf vprintf vfprintf nan nanf";
    let renamed = functions.split(' ').map(|name| format!("-D{name}=own_{name}"));
    let run = |command: &mut Command| {
        let output = command.current_dir(folder.path()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        said
    };
    run(Command::new("clang").args(["-O1", "-w", "-fno-builtin", "-c", "own.c"]).args(renamed));
    run(Command::new("cc")
        .args(["-O1", "-w", "-fno-builtin"])
        .arg(root.join("tests/code/text/judge.c"))
        .args(["own.o", "-o", "judge"]));
    let count = if std::env::var_os("MAGNETO_LONG").is_some() { "3000000" } else { "50000" };
    let said = run(Command::new("./judge").arg(count));
    assert!(said.contains(&format!("0 wrong of {count}")), "{said}");
}

#[test]
fn bits_that_assembly_looks_for_are_found() {
    if !has_compilers() {
        return;
    }
    assert_taken(&own("assembly.c"), "bits_that_are_set", 8);
    // Of 0 nothing is known.
    let cover = covered(&own("assembly.c"), "bits_of_any");
    assert_eq!((count(&cover, "taken"), count(&cover, "open")), (1, 1), "{cover}");
}

#[test]
fn flags_of_arithmetic_are_those_of_the_native_program() {
    if !has_compilers() {
        return;
    }
    let file = own("flags.c");
    for (function, branches) in [("raised", 12), ("of_library", 6), ("converted", 6)] {
        assert_taken(&file, function, branches);
    }
    // Compilers differ in what `>` raises for a NaN.
    let cover = covered(&file, "compared");
    assert_eq!((count(&cover, "taken"), count(&cover, "open")), (1, 1), "{cover}");
}
