//! Modules that other compilers made, of Rust, AssemblyScript and Zig, without debugging information: `tests/code/modules` has
//! them beside their sources, each with the command that made it.

use magneto::cc::SourceType;
use magneto::cc::declaration::{self, SignatureError};
use magneto::code::module::Module;
use magneto::code::probe::ProbeQuestion;
use magneto::code::program::CodeProgram;
use magneto::code::run::{Blind, Runner};
use magneto::floats::BitsKind;
use magneto::num::random::Random;
use magneto::reach::coverage::{Coverage, CoverageLimits};
use magneto::reach::infeasible::BUDGET;
use magneto::record::cover::{BranchStatus, CoveredFunction};
use magneto::search::values::any;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/code/modules").join(name)
}

fn program(name: &str, declaration: &str, asked: Option<ProbeQuestion>) -> CodeProgram {
    let module = Module::decode_asking(&std::fs::read(file(name)).unwrap(), false, asked).unwrap();
    let declared = declaration::parse(declaration, 4).unwrap();
    let function = declared.name.clone();
    CodeProgram::declared(module, &function, &[], Some(declared)).unwrap()
}

/// The functions, and what each of them gives for inputs: none where it traps.
type Meaning = fn(&[u64]) -> Option<u64>;

fn wrapped(x: &[u64]) -> Option<u64> {
    let degrees = f64::from_bits(x[0]);
    if degrees.is_nan() || degrees.abs() >= 1e15 {
        return Some(0);
    }
    Some((degrees - 360.0 * ((degrees + 180.0) / 360.0).floor()).to_bits())
}

fn step(x: &[u64]) -> Option<u64> {
    let steps = [0.0, 0.5, 2.0, 4.5, 8.0];
    let (at, gain) = ((x[0] as i32).max(0) as usize, f32::from_bits(x[1] as u32));
    if gain == 1.5 {
        return steps.get(at).map(|x| f64::to_bits(*x));
    }
    Some(match at {
        0 => f64::to_bits(-1.0),
        1 | 2 => (steps[at] * f64::from(gain)).to_bits(),
        _ => f64::to_bits(100.0),
    })
}

fn valve(x: &[u64]) -> Option<u64> {
    let (pressure, open) = (f64::from_bits(x[0]), x[1] != 0);
    Some(u64::from(if open { pressure > 4.25 } else { pressure >= 5.75 }))
}

fn share(x: &[u64]) -> Option<u64> {
    let (total, parts) = (x[0] as i32, x[1] as u32);
    let share = total.checked_div(parts.wrapping_sub(7) as i32).filter(|_| parts != 12345);
    share.map(|y| u64::from(y as u32))
}

fn place(x: &[u64]) -> Option<u64> {
    let x = f32::from_bits(x[0] as u32);
    let table = [0.25, 1.0, 3.5, 9.0, 27.5];
    let at = table.iter().position(|t| x <= *t);
    let place = at.map_or(100, |i| if table[i] == x { i as i32 } else { -(i as i32) - 1 });
    Some(u64::from(place as u32))
}

fn level(x: &[u64]) -> Option<u64> {
    let (volume, radius) = (f64::from_bits(x[0]), f64::from_bits(x[1]));
    if !(volume >= 0.0 && radius > 0.0) {
        return Some(f64::to_bits(-1.0));
    }
    let (mut lo, mut hi) = (0.0, 2.0 * radius);
    for _ in 0..60 {
        let h = lo + (hi - lo) / 2.0;
        if h == lo || h == hi {
            break;
        }
        if h * h * (3.0 * radius - h) < volume { lo = h } else { hi = h }
    }
    Some(f64::to_bits(lo))
}

const SET: [(&str, &str, Meaning); 6] = [
    ("angle.wasm", "double wrapped(double degrees)", wrapped),
    ("angle.wasm", "double step(int level, float gain)", step),
    ("valve.wasm", "int valve(double pressure, bool open)", valve),
    ("valve.wasm", "int share(int total, unsigned parts)", share),
    ("tank.wasm", "double level(double volume, double radius)", level),
    ("tank.wasm", "int place(float x)", place),
];

#[test]
fn results_are_those_of_the_source() {
    for (name, declaration, meaning) in SET {
        let p = program(name, declaration, None);
        let mut coverage = Coverage::new(&p, &[p.entry], CoverageLimits { evaluations: 3000, seed: 1 });
        coverage.search(3000);
        let mut inputs: Vec<Vec<u64>> = coverage.found.iter().map(|f| f.input.clone()).collect();
        let mut rng = Random::seeded(4);
        inputs.extend((0..3000).map(|_| p.inputs.iter().map(|i| any(i.kind, &mut rng)).collect::<Vec<_>>()));
        let mut runner = Runner::new(&p.module);
        let is_nan =
            |y: Option<u64>| p.result() == Some(BitsKind::F64) && y.is_some_and(|y| f64::from_bits(y).is_nan());
        for input in &inputs {
            let ours = p.run(&mut runner, input, &mut Blind).ok().flatten();
            let theirs = meaning(input);
            assert!(
                ours == theirs || (is_nan(ours) && is_nan(theirs)),
                "{declaration}, {input:x?}: {ours:?}, {theirs:?}"
            );
        }
    }
}

#[test]
fn every_branch_is_taken_or_proved_infeasible() {
    for (name, declaration, _) in SET {
        let p = program(name, declaration, None);
        let mut coverage = Coverage::new(&p, &[p.entry], CoverageLimits { evaluations: 20_000, seed: 0 });
        coverage.search_and_prove(BUDGET);
        let document = CoveredFunction::new(&p, &coverage, &[p.entry]);
        assert!(document.branches.len() >= 2 && document.open == 0, "{}", document.text());
    }
}

/// A panic is reached through a call that does not return, an assertion through a function of the host.
#[test]
fn what_fails_is_found() {
    for (name, declaration) in [SET[1], SET[3]].map(|(name, declaration, _)| (name, declaration)) {
        let p = program(name, declaration, Some(ProbeQuestion::Assertion));
        let mut coverage = Coverage::new(&p, &[p.entry], CoverageLimits { evaluations: 20_000, seed: 0 });
        coverage.search_and_prove(BUDGET);
        let document = CoveredFunction::new(&p, &coverage, &[p.entry]);
        assert!(document.branches.iter().any(|b| b.status == BranchStatus::Taken), "{}", document.text());
        assert!(document.text().contains(" fails"), "{}", document.text());
    }
}

fn cover(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_magneto")).arg("cover").args(arguments).current_dir(file("")).output().unwrap()
}

#[test]
fn a_declaration_says_what_parameters_mean() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let declaration = "int valve(double pressure, bool open)";
    let run = cover(&["valve.wasm", "--fn", "valve", "--signature", declaration, "-o", out.to_str().unwrap()]);
    assert_eq!(run.status.code(), Some(0), "{run:?}");
    let tests = std::fs::read_to_string(out.join("tests.csv")).unwrap();
    assert!(tests.starts_with("test_id,pressure,open\n"), "{tests}");
    assert!(std::fs::read_to_string(out.join("cover.csv")).unwrap().contains("valve,0,0,1,0x"));
    let refused = |declaration: &str, why: &str| {
        let run = cover(&["valve.wasm", "--fn", "valve", "--signature", declaration]);
        let said = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(2), "{said}");
        assert!(said.contains(why), "{said}");
    };
    refused("int valve(double pressure)", "(f64, i32) -> (i32)");
    refused("int valve(double pressure", "expected a declaration");
    refused("int valve(double pressure, struct state s)", "is no type of a number");
    refused("int valves(double, int)", "--fn names `valve`");
}

/// In a file of C, `long`, sizes and pointers are as long as on this machine.
#[test]
fn a_declaration_of_c_has_the_machine_s_long() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("f.c");
    let code = "#include <stddef.h>\nint f(long n, const double *x, size_t k) { return n > 1L << 40 && x[0] > k; }\n";
    std::fs::write(&source, code).unwrap();
    let source = source.to_str().unwrap();
    let run = cover(&[source, "--fn", "f", "--signature", "int f(long n, const double *x, size_t k)"]);
    assert_eq!(run.status.code(), Some(0), "{run:?}");
    let run = cover(&[source, "--fn", "f", "--signature", "int f(int n, const double *x, size_t k)"]);
    assert_eq!(run.status.code(), Some(2), "{run:?}");
}

fn int(bytes: u8, signed: bool) -> SourceType {
    SourceType::Int { bytes, signed }
}

#[test]
fn declarations_are_read() {
    let f = declaration::parse(
        "double f(double x, unsigned n, const float *y, unsigned char, long long int z, int w[3]);",
        4,
    )
    .unwrap();
    let pointer = |ty, is_const| SourceType::Pointer(Box::new(ty), is_const);
    assert_eq!((f.name.as_str(), &f.result), ("f", &SourceType::Float(8)));
    let expected = [
        ("x", SourceType::Float(8)),
        ("n", int(4, false)),
        ("y", pointer(SourceType::Float(4), true)),
        ("x4", int(1, false)),
        ("z", int(8, true)),
        ("w", pointer(int(4, true), false)),
    ];
    assert_eq!(f.parameters, expected.map(|(n, t)| (n.to_owned(), t)));
    let g = declaration::parse("void(f32, u16 step)", 4).unwrap();
    assert_eq!((g.name.as_str(), g.result), ("", SourceType::Void));
    assert_eq!(g.parameters, [("x1".to_owned(), SourceType::Float(4)), ("step".to_owned(), int(2, false))]);
    assert_eq!(declaration::parse("int (void)", 4).unwrap().parameters, []);
    assert_eq!(declaration::parse("long f(size_t n)", 4).unwrap().result, int(4, true));
    assert_eq!(declaration::parse("long f(size_t n)", 8).unwrap().result, int(8, true));
    let h = declaration::parse("uint64_t *next(size_t)", 4);
    assert_eq!(h.unwrap().result, pointer(int(8, false), false));
}

#[test]
fn mistakes_in_declarations_are_told() {
    assert_eq!(declaration::parse("double f", 4), Err(SignatureError::Shape));
    assert_eq!(declaration::parse("double f(double (*g)(int))", 4), Err(SignatureError::Shape));
    assert_eq!(declaration::parse("double f(,)", 4), Err(SignatureError::Shape));
    assert_eq!(declaration::parse("double f(struct s)", 4), Err(SignatureError::Type("struct".to_owned())));
    assert_eq!(declaration::parse("double f(char **x)", 4), Err(SignatureError::Type("char **".to_owned())));
    assert_eq!(
        declaration::parse("double f(unsigned double x)", 4),
        Err(SignatureError::Type("unsigned double".to_owned()))
    );
    assert_eq!(declaration::parse("double f(void, int)", 4), Err(SignatureError::Type("void".to_owned())));
}
