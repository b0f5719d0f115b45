//! The program as a user runs it: commands, files, exit codes.

#[path = "../cli_support/mod.rs"]
mod cli_support;
#[path = "../support/mod.rs"]
mod support;

mod ball_judge;
mod book;
mod book_support;
mod budgets;
mod cache;
mod cache_edits;
mod cache_support;
mod check_cache;
mod check_calls;
mod check_cli;
mod check_hosts;
mod check_real;
mod check_signals;
mod cli_accept;
mod cli_bench;
mod cli_commands;
mod cli_errors;
mod cli_eval;
mod cli_folder;
mod cli_gen;
mod cli_new;
mod cli_overwrites;
mod cli_resume;
mod diff;
mod export;
mod export_hostile;
mod faults_found;
mod fuzz_specs;
mod gen_reuse;
mod gen_with;
mod large;
mod limits;
mod lsp;
mod many;
mod pages;
mod payloads;
mod printed_bounds;
mod project;
mod recipes;
mod record;
mod report_browser;
mod report_forms;
mod second_order;
mod sections;
mod self_test;
mod several_results;
mod shards;
mod shares;
mod signed_record;
mod verify;
mod worst_cli;
