//! Code: what `cover`, `reach` and `solve` claim of programs and of floats.

#[path = "../cli_support/mod.rs"]
mod cli_support;
#[path = "../support/mod.rs"]
mod support;

mod code_assumed;
mod code_attack;
mod code_conformance;
mod code_modules;
mod code_random;
mod code_repro;
mod code_sizes;
mod code_unlike;
mod compiled_runs;
mod cover;
mod cover_check;
mod cover_files;
mod cover_goals;
mod cover_hostile;
mod cover_integers;
mod cover_jumps;
mod cover_library;
mod cover_makers;
mod cover_modules;
mod cover_native;
mod cover_objects;
mod cover_stubs;
mod cover_wide;
mod native_attack;
mod paths;
mod reach;
mod reach_cli;
mod related;
mod sets;
mod smt_bits;
mod smt_reals;
mod smt_theories;
mod solve_bench;
mod solve_cli;
mod wide;
