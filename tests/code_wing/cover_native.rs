//! The interpreter beside native code: the same functions, compiled by the host's C compiler without optimisation, give
//! the same bits (all NaNs are one) and take the same branches.

use crate::support::compilers::{has, has_clang};
use magneto::cc::Flags;
use magneto::code::native::{Native, NativeCall};
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
    let native = Native::build(&programs, &sources, flags, false).unwrap();
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
