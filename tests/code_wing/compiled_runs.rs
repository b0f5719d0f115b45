//! Runs in machine code are the interpreter's: the same tests with the same operands, the same end, the same memory; and a search
//! finds the same with them.

use crate::support::compilers::{has, has_clang};
use magneto::cc::Flags;
use magneto::code::compile::compile;
use magneto::code::compiled::{Availability, CompiledProgram, MachineCode};
use magneto::code::ins::BranchTest;
use magneto::code::machine::Trap;
use magneto::code::module::Module;
use magneto::code::probe::ProbeQuestion;
use magneto::code::program::CodeProgram;
use magneto::code::run::{Blind, Runner, Watch};
use magneto::num::random::Random;
use magneto::reach::coverage::{Coverage, CoverageLimits, FoundInput, Reached};
use magneto::search::values::any;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What happened: at a site, one way, with operands.
type Event = (u32, u32, u64, u64);

/// Of two NaNs an operation may give one or the other.
fn one_nan(bits: u64) -> u64 {
    let (double, single) = (f64::from_bits(bits), f32::from_bits(bits as u32));
    if double.is_nan() || (bits >> 32 == 0 && single.is_nan()) { f64::NAN.to_bits() } else { bits }
}

/// The first events of a run, and how many there were.
#[derive(Default, PartialEq, Debug)]
struct Events(Vec<Event>, u64);

impl Events {
    fn add(&mut self, (site, way, a, b): Event) {
        self.1 += 1;
        if self.0.len() < 10_000 {
            self.0.push((site, way, one_nan(a), one_nan(b)));
        }
    }
}

impl Watch for Events {
    fn branch(&mut self, site: u32, way: u32, _: BranchTest, a: u64, b: u64) {
        self.add((site, way, a, b));
    }

    fn arm(&mut self, site: u32, arm: u32, arms: u32, index: u32) {
        self.add((site, arm, arms.into(), index.into()));
    }

    fn asked(&mut self, site: u32, yes: bool, _: BranchTest, a: u64, b: u64) {
        self.add((site, yes.into(), a, b));
    }
}

/// Compares both on random inputs; how many of the runs did not return.
fn compare(program: &CodeProgram, inputs: usize) -> usize {
    compare_with(program, CompiledProgram::build(program).expect("machine code"), inputs)
}

/// The same with a program that is compiled already.
fn compare_with(program: &CodeProgram, mut compiled: CompiledProgram<'_>, inputs: usize) -> usize {
    let mut runner = Runner::new(&program.module);
    let mut rng = Random::seeded(3);
    let mut ended = 0;
    for _ in 0..inputs {
        let input: Vec<u64> = program.inputs.iter().map(|i| any(i.kind, &mut rng)).collect();
        let (mut owed, mut found) = (Events::default(), Events::default());
        let result = program.run(&mut runner, &input, &mut owed).map(|bits| bits.map(one_nan));
        let seen =
            |runner: &Runner<'_>| program.behind(runner).map(|all| all.into_iter().map(one_nan).collect::<Vec<_>>());
        let (steps, behind) = (runner.steps(), seen(&runner));
        let Some(compiled_result) = compiled.run(&mut runner.memory, &input, &mut found) else {
            assert_eq!(result, Err(Trap::StackOverflow), "{} {input:x?}", program.name());
            continue;
        };
        let name = program.name();
        assert_eq!(compiled_result.map(|bits| bits.map(one_nan)), result, "{name} {input:x?}");
        assert_eq!(found, owed, "{name} {input:x?}");
        assert_eq!(seen(&runner), behind, "{name} {input:x?}");
        assert_eq!(compiled.steps, steps, "{name} {input:x?}: {result:?}");
        ended += usize::from(result.is_err());
    }
    ended
}

fn tests(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/code").join(file)
}

/// The functions of files, each as a program.
fn programs(files: &[&str], question: Option<ProbeQuestion>) -> Vec<CodeProgram> {
    let mut all = Vec::new();
    for file in files {
        let bytes = compile(&[tests(file)], &Flags::default()).unwrap();
        let module = || Module::decode_asking(&bytes, true, question).unwrap();
        let names = module().own_functions(&[tests(file)]);
        all.extend(names.iter().filter_map(|name| CodeProgram::new(module(), name, &[]).ok()));
    }
    all
}

/// The functions of a file with this text.
fn programs_of(text: &str) -> Vec<CodeProgram> {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("code.c");
    std::fs::write(&source, text).unwrap();
    let bytes = compile(std::slice::from_ref(&source), &Flags::default()).unwrap();
    let module = Arc::new(Module::decode_c(&bytes).unwrap());
    let names = module.own_functions(&[source]);
    names.iter().map(|name| CodeProgram::new(Arc::clone(&module), name, &[]).unwrap()).collect()
}

const FILES: [&str; 10] =
    ["bad.c", "bits.c", "cases.c", "int64.c", "iterate.c", "objects.c", "objects.cc", "stubs.c", "stubs.cc", "table.c"];

/// Millions of instructions a second, of runs on random inputs.
fn speed(program: &CodeProgram, mut run: impl FnMut(&[u64]) -> u64) -> f64 {
    let mut rng = Random::seeded(4);
    let begun = Instant::now();
    let one = |_| run(&program.inputs.iter().map(|i| any(i.kind, &mut rng)).collect::<Vec<_>>());
    let steps: u64 = (0..1000).map(one).sum();
    steps as f64 / begun.elapsed().as_secs_f64() / 1e6
}

/// Runs and searches of all functions of files that no other test here has, with how fast they are. `MAGNETO_SOURCES='a.c b.c'
/// MAGNETO_FLAGS='-I include'` takes these files instead, and searches as long as `cover` does.
#[test]
fn other_sources_too() {
    if !has_clang() || !has(&["cc"]) {
        return;
    }
    let given = std::env::var("MAGNETO_SOURCES");
    let evaluations = if given.is_ok() { 200_000 } else { 5_000 };
    let sources: Vec<PathBuf> = match &given {
        Ok(sources) => sources.split_whitespace().map(PathBuf::from).collect(),
        Err(_) => ["ladder.c", "newton.c", "reduce.c", "rounds.c"].map(tests).to_vec(),
    };
    let options = std::env::var("MAGNETO_FLAGS").unwrap_or_default();
    let flags = Flags { options: options.split_whitespace().map(str::to_owned).collect(), ..Flags::default() };
    let bytes = compile(&sources, &flags).unwrap();
    let module = || Module::decode_c(&bytes).unwrap();
    let mut compared = 0;
    for name in module().own_functions(&sources) {
        let Ok(program) = CodeProgram::new(module(), &name, &[]) else { continue };
        compared += 1;
        compare(&program, 100);
        let (mut runner, mut compiled) = (Runner::new(&program.module), CompiledProgram::build(&program).unwrap());
        let compiled_speed = speed(&program, |input| {
            let _ = compiled.run(&mut runner.memory, input, &mut Blind);
            compiled.steps
        });
        let interpreted_speed = speed(&program, |input| {
            let _ = program.run(&mut runner, input, &mut Blind);
            runner.steps()
        });
        let mut seconds = Vec::new();
        let searches = [true, false].map(|compiles| {
            let begun = Instant::now();
            let found = search(&program, compiles.then_some(false), evaluations);
            seconds.push(begun.elapsed().as_secs_f64());
            found
        });
        assert_eq!(searches[0], searches[1], "{name}");
        let ratio = compiled_speed / interpreted_speed;
        println!("{name},{compiled_speed:.0},{interpreted_speed:.0},{ratio:.1},{:.2},{:.2}", seconds[0], seconds[1]);
    }
    assert!(compared > 0, "no function could be taken");
}

/// What a search finds: inputs, what became of goals, and how runs ended.
type Search = (Vec<FoundInput>, Vec<Reached>, u64, BTreeMap<String, u64>);

/// A search in machine code from the beginning, or where that pays (`Some`), or without.
fn search(program: &CodeProgram, compiles: Option<bool>, evaluations: u64) -> Search {
    let mut coverage = Coverage::new(program, &program.reached(), CoverageLimits { evaluations, seed: 7 });
    match compiles {
        Some(true) => assert!(coverage.compile()),
        Some(false) => {}
        None => coverage.interpret(),
    }
    coverage.search(evaluations);
    // When something was found is another time.
    coverage.found.iter_mut().for_each(|found| found.after = Duration::ZERO);
    (coverage.found, coverage.reached, coverage.evaluations, coverage.ended)
}

#[test]
fn machine_code_runs_as_the_interpreter_does() {
    if !has_clang() || !has(&["cc"]) {
        return;
    }
    let all: Vec<CodeProgram> = programs(&FILES, None).into_iter().step_by(4).collect();
    let ended: usize = all.iter().map(|program| compare(program, 25)).sum();
    assert!(all.len() > 10 && ended > 5, "{} functions, {ended} runs that did not return", all.len());
}

/// What one search had compiled is called by what another one has compiled later, directly and through tables.
#[test]
fn functions_that_were_compiled_for_others_run_as_the_interpreter_does() {
    if !has_clang() || !has(&["cc"]) {
        return;
    }
    let mut linked = 0;
    for file in ["iterate.c", "objects.cc", "stubs.c", "table.c"] {
        let module = Arc::new(Module::decode_c(&compile(&[tests(file)], &Flags::default()).unwrap()).unwrap());
        let code = MachineCode::of(&module);
        let names = module.own_functions(&[tests(file)]);
        let mut all: Vec<CodeProgram> =
            names.iter().filter_map(|name| CodeProgram::new(Arc::clone(&module), name, &[]).ok()).collect();
        // Those come first that call nothing.
        all.sort_by_key(|program| program.reached().len());
        for program in &all {
            let reached = program.reached();
            let Availability::Lacks(lacking) = code.availability(&reached) else { panic!("{file} {}", program.name()) };
            linked += reached.len() - lacking.len();
            assert!(code.compile(&reached), "{file} {}", program.name());
            compare_with(program, CompiledProgram::of(program, Arc::clone(&code)).unwrap(), 25);
        }
    }
    assert!(linked > 0);
}

/// Loops whose lengths are inputs, and branches behind them.
const RECURRENCES: &str = r#"
/* Recurrences whose lengths are inputs: most are too long to wait for. */
int steps(int a, int b, double x) {
    double u = 1, v = x;
    for (int k = 1; k < a; k++) {
        double w = (2 * k + x) * v - k * u;
        u = v; v = w;
        if (v > 1e150 || v < -1e150) { u *= 1e-150; v *= 1e-150; }
    }
    if (a > 40 && u == v) return 1;
    for (int k = b; k > a; k--) {
        u = u / (k + x); v -= u;
        if (v == 0) return 2;
    }
    if (b == 2 * a && a > 100) {
        if (x > 3 && x < 3.5) return 3;
        for (int k = 0; k < b; k += 2) u += k;
        if (u < 0) return 4;
    }
    if (b == 3 * a + 1 && a > 500 && x < -2) return 5;
    return 0;
}
"#;

/// Runs that do not end leave instructions for those that come to a branch behind long loops.
#[test]
fn branches_behind_loops_of_any_length_are_taken() {
    if !has_clang() || !has(&["cc"]) {
        return;
    }
    let program = &programs_of(RECURRENCES)[0];
    let (_, reached, _, ended) = search(program, Some(false), 200_000);
    let taken = reached.iter().filter(|r| matches!(r, Reached::By(_))).count();
    assert!(taken >= 28 && reached.len() == 34, "{taken} of {}; {ended:?}", reached.len());
}

/// Accesses anywhere, across the ends of objects, to what was given back; calls without end, and through tables.
const HOSTILE: &str = r#"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
struct s { char c; short h[3]; double d; };
static int table[7] = {1, 2, 3, 4, 5, 6, 7};
static char text[300];
int wild(long long i, int n) { int *p = table + i; if (n > 0) *p = n; return p[n & 3] + table[3]; }
double object(double *x, int i, int k) { x[k & 1] = i; *(long long *)((char *)x + (i & 31)) ^= k; return x[0] + x[i % 3]; }
int moved(int to, int from, unsigned n) { memset(text, to, (unsigned)from % 320); memmove(text + to % 310, text + from % 310, n % 300); return text[n % 300] > 3; }
int given(unsigned n, int i, int late) {
    char *a = malloc(n % 5000), *b = calloc(n % 70, 3);
    if (i & 1) a = realloc(a, n % 90000);
    if (late & 1) free(b);
    a[i % 5000] = 7;
    if (late & 2) free(a);
    return b[i % 210] + a[i % 5000];
}
int deep(int n) { char own[40]; own[n & 31] = n; return n <= 0 ? own[0] : deep(n - 1) + own[n & 31]; }
int without_end(int n) { while (n != 3) n = n * 5 + 1; return deep(n); }
static int up(int x) { return x + 1; }
static int down(int x) { return x > 100 ? x - 1 : x; }
static double half(double x) { return x / 2; }
int through(int i, int x) {
    int (*all[4])(int) = {up, down, (int (*)(int))half, 0};
    return all[i & 3](x) > 5;
}
int members(struct s *p, int k) { struct s all[3]; memset(all, 0, sizeof all); all[k % 3] = *p; all[1].h[k % 9] = 5; return all[(k + 1) % 3].h[1] + all[2].c; }
int noted(double x, double y) { int n; errno = 0; double z = log(x) + sqrt(y) + frexp(x, &n) + rint(y); return errno + n + (z > 3); }
long long divided(long long a, long long b, int c) { return c & 1 ? a / b : a % b + (int)a / c; }
"#;

#[test]
fn machine_code_keeps_to_the_memory_of_the_run() {
    if !has_clang() || !has(&["cc"]) {
        return;
    }
    let mut ended = 0;
    for program in programs_of(HOSTILE).iter().filter(|program| !["up", "down", "half"].contains(&program.name())) {
        let name = program.name();
        let inputs = if name == "without_end" { 20 } else { 500 };
        ended += compare(program, inputs);
    }
    assert!(ended > 500, "{ended} runs that did not return");
}

/// Modules have addresses of 32 bits, and conversions that trap.
#[test]
fn modules_run_in_machine_code_too() {
    if !has(&["cc"]) {
        return;
    }
    for file in ["angle.wasm", "tank.wasm", "valve.wasm"] {
        let bytes = std::fs::read(tests("modules").join(file)).unwrap();
        let names: Vec<String> = Module::decode(&bytes).unwrap().functions.iter().map(|f| f.name.clone()).collect();
        let all = names.iter().filter_map(|name| CodeProgram::new(Module::decode(&bytes).unwrap(), name, &[]).ok());
        let ended: Vec<usize> = all.map(|program| compare(&program, 100)).collect();
        assert!(ended.len() >= 2, "{file}");
    }
}

#[test]
fn questions_are_asked_of_machine_code_too() {
    if !has_clang() || !has(&["cc"]) {
        return;
    }
    for question in [ProbeQuestion::Boundary, ProbeQuestion::Nan] {
        for program in programs(&["goals.c", "newton.c"], Some(question)) {
            compare(&program, 30);
        }
    }
}

#[test]
fn a_search_in_machine_code_finds_the_same() {
    if !has_clang() || !has(&["cc"]) {
        return;
    }
    for program in programs(&["bits.c", "machines.c", "objects.cc"], None) {
        assert_eq!(search(&program, Some(true), 4000), search(&program, None, 4000), "{}", program.name());
    }
}
