//! Formulas: what is claimed of specifications and their mutants, judged independently.

#[path = "../cli_support/mod.rs"]
mod cli_support;
#[path = "../support/mod.rs"]
mod support;

mod adversarial;
mod borders;
mod check_hostile;
mod completion;
mod confirm_kills;
mod conformance;
mod cover_bounds;
mod determinism;
mod endless;
mod equiv_attack;
mod equiv_bounds;
mod equiv_common;
mod equiv_inequalities;
mod equiv_pairs;
mod equiv_paper;
mod equiv_rewrite;
mod equiv_rules;
mod equiv_tiny;
mod evaluation;
mod fixed_point;
mod fixed_programs;
mod fpbench_transcription;
mod functions;
mod hostile;
mod infix;
mod infix_judged;
mod infix_latex;
mod infix_sympy;
mod loops;
mod metamorphic;
mod paper_counts;
mod printed_proofs;
mod program_meaning;
mod proofs_at_points;
mod regions;
mod rounding_bounds;
mod second_solver;
mod several_results;
mod sizes;
mod solver18;
mod spec_errors;
mod spec_files;
mod spec_parse;
mod spec_properties;
mod spec_resolve;
mod store_faults;
mod tables_of_others;
mod test_code;
mod testfile;
