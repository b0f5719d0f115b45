//! The checker's own tests, which are scripts of Python: what it says is compared with exact values, and lies are planted.

use crate::ball_judge::python;
use crate::support;
use std::process::Command;

const MAGNETO: &str = env!("CARGO_BIN_EXE_magneto");

/// Runs a script of the checker's tests, which must end well.
fn script(name: &str, arguments: &[&str]) {
    let Some(python) = python() else { return };
    let found = Command::new(python).arg(support::here("verify/tests").join(name)).args(arguments).output().unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&found.stdout), String::from_utf8_lossy(&found.stderr));
    println!("{text}");
    assert!(found.status.success(), "{text}");
}

fn long() -> bool {
    std::env::var_os("MAGNETO_LONG").is_some()
}

/// One false claim in each document about an implementation or a person's tests.
#[test]
fn lies_about_implementations_are_refuted() {
    script("lies_in_evidence.py", &["--magneto", MAGNETO, "--each", if long() { "20" } else { "2" }]);
}

/// The answers of `solve` to scripts of a few bits are what trying all values says.
#[test]
fn answers_of_solve_are_what_trying_all_values_says() {
    script("random_scripts.py", &["--magneto", MAGNETO, "--scripts", if long() { "500" } else { "8" }]);
}

/// What `cover` says of random C functions, and lies about them.
#[test]
fn claims_about_branches_of_random_code_hold_and_lies_are_not_verified() {
    let functions = if long() { "500" } else { "12" };
    script("random_code.py", &["--magneto", MAGNETO, "--functions", functions, "--seed", "9200"]);
}

/// What an instruction makes of a set has all that it makes of its members.
#[test]
fn rules_of_instructions_on_sets_have_all_results() {
    script("code_rules.py", &["--sets", if long() { "20000" } else { "200" }]);
}

/// What the checker computes on boxes holds at inputs of them.
#[test]
fn the_checker_bounds_what_it_says_it_bounds() {
    script("soundness.py", &["--specs", if long() { "5000" } else { "40" }]);
}

/// What the checker says of loops is what exact rational numbers do.
#[test]
fn the_checker_goes_round_loops_as_exact_numbers_do() {
    script("random_loops.py", &["--loops", if long() { "3000" } else { "40" }]);
}

/// Formulas that are none are refused in words.
#[test]
fn the_checker_refuses_ill_typed_formulas_in_words() {
    script("ill_typed.py", &[]);
}

/// What is proved is the word that is claimed: equivalent, or indistinguishable.
#[test]
fn the_checker_tells_equivalent_from_indistinguishable() {
    script("words.py", &[]);
}

/// Loops are one function where something in them always is one number, and not where it nearly is.
#[test]
fn the_checker_writes_loops_shorter_as_they_are() {
    script("shorter.py", &[]);
}

/// What the checker proves of choices whose sides meet where the condition switches holds at all inputs that are tried.
#[test]
fn what_is_proved_of_choices_whose_sides_meet_holds() {
    script("random_choices.py", &["--pairs", if long() { "5000" } else { "60" }, "--seed", "100"]);
}

/// A lie of each kind in a run of one specification; with `MAGNETO_LONG` of many.
#[test]
fn planted_lies_are_refuted() {
    let few = ["--operators", "accuracy,bounds,constant,variable,unary,evaluation,region"];
    let (options, specs): (&[&str], &[&str]) = match long() {
        true => (&[], &["arrhenius", "airflow", "nernst", "sensor", "log1p", "rc-filter", "srgb", "ray-sphere"]),
        false => (&few, &["arrhenius"]),
    };
    let files: Vec<String> =
        specs.iter().map(|s| support::here(&format!("specs/{s}.fpcore")).display().to_string()).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    script("planted_lies.py", &[&["--magneto", MAGNETO], options, &files].concat());
}
