//! Help: `-h` has one sentence for each option, `--help` all of them and an example.

use clap::{Arg, Command};

/// Command lines of each command for `--help`, one a line. A test runs them in this order, in one folder.
const EXAMPLES: &[(&str, &str)] = &[
    ("new", "magneto new speed.fpcore --from 'sqrt(2*g*h)' --range 'g=[9,10] m/s^2' --range 'h=[1,9] m'"),
    ("gen", "magneto gen hypot.fpcore -o run"),
    ("eval", "magneto eval hypot.fpcore inputs.csv"),
    ("mutants", "magneto mutants hypot.fpcore --diff"),
    ("oracle", "magneto oracle hypot.fpcore --at x=3,y=4"),
    ("explain", "magneto explain hypot.fpcore 136b"),
    ("accept", "magneto accept hypot.fpcore --list"),
    ("verify", "magneto verify run"),
    ("export", "magneto export run --to gtest -o tests"),
    ("report", "magneto report run"),
    (
        "merge",
        "magneto gen hypot.fpcore --shard 1/2 -o part1\nmagneto gen hypot.fpcore --shard 2/2 -o part2\nmagneto merge part1 part2 -o whole",
    ),
    ("diff", "magneto diff hypot.fpcore stricter.fpcore"),
    ("lint", "magneto lint hypot.fpcore"),
    ("check", "magneto check hypot.fpcore run --c-source hypot.c --fn my_hypot"),
    ("operators", "magneto operators pow"),
    ("schema", "magneto schema tests"),
    ("worst", "magneto worst hypot.fpcore --c-source hypot.c --fn my_hypot"),
    ("cover", "magneto cover hypot.c --fn my_hypot -o branches"),
    ("reach", "magneto reach hypot.c --fn my_hypot --goal 'result == 5'"),
    ("solve", "magneto solve root.smt2 --check"),
    ("bench", "magneto bench solver --repeat 1"),
    ("self-test", "magneto self-test"),
    ("lsp", "magneto lsp"),
    ("completions", "magneto completions bash"),
    ("man", "magneto man"),
];

/// A command with both helps.
pub(super) fn with_help(command: Command) -> Command {
    let about = command.get_after_help().map(|text| format!("{text}\n\n")).unwrap_or_default();
    let example = EXAMPLES.iter().find(|(name, _)| *name == command.get_name()).map_or("", |(_, lines)| lines);
    let lines: String = example.lines().map(|line| format!("  {line}\n")).collect();
    shortened(command.after_long_help(format!("{about}Example:\n{lines}")).after_help(None::<&str>))
}

/// The options of a command and its parts, with the first sentence alone in `-h`.
fn shortened(command: Command) -> Command {
    command.mut_args(first_sentence).mut_subcommands(shortened)
}

fn first_sentence(arg: Arg) -> Arg {
    let mut whole = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let has_default = arg.get_action().takes_values() && !arg.get_default_values().is_empty();
    if !(arg.is_required_set() || arg.is_positional() || has_default || whole.contains("efault: "))
        && arg.get_action().takes_values()
    {
        whole.push_str(". Default: none");
    }
    match whole.split_once(". ") {
        Some((first, _)) => arg.help(first.to_owned()).long_help(whole),
        None => arg,
    }
}
