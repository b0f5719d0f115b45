//! `magneto reach`

use super::code::{self, number};
use super::exit::{Exit, Failure};
use super::interrupt::{self, STOP};
use super::native;
use super::output::Output;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command, value_parser};
use magneto::code::goal::holds;
use magneto::code::probe::Question;
use magneto::code::program::{Goal, Program};
use magneto::decide::AGAIN;
use magneto::halt;
use magneto::reach::aim::{Aim, goals};
use magneto::reach::attack::{attack, claims};
use magneto::reach::coverage::{self, Coverage};
use magneto::reach::infeasible::BUDGET;
use magneto::reach::paths::{Explorer, Limits, Outcome, Table};
use magneto::reach::replay::{Replayed, replay};
use magneto::record::json::Versioned;
use magneto::record::reach::{ListedGoal, ListedPaths, Listing};

/// Flags that ask for what operations may come to.
const QUESTIONS: [(&str, Question, &str); 6] = [
    ("boundary", Question::Boundary, "The sides of a comparison on this line are equal"),
    ("overflow", Question::Overflow, "An operation, on this line if one is named, overflows"),
    ("nan", Question::Nan, "An operation gives NaN, from operands that are none"),
    ("inf", Question::Infinity, "An operation on finite numbers gives an infinity"),
    ("div0", Question::DivisionByZero, "A divisor is 0"),
    ("assert", Question::Assertion, "An assertion fails, or the code aborts"),
];

pub(crate) fn command() -> Command {
    native::with_native(code::with_code(Command::new("reach"), false))
        .about("An input that reaches a goal in code or follows a path, or a proof that there is none")
        .arg(
            Arg::new("path")
                .long("path")
                .value_name("LETTERS")
                .help("One path: T or F for each test that depends on inputs, in order, such as TFTT"),
        )
        .arg(
            Arg::new("paths")
                .long("paths")
                .value_name("N")
                .value_parser(value_parser!(u32).range(1..=10_000))
                .help("All paths, told apart by their first N tests that depend on inputs"),
        )
        .arg(
            Arg::new("branch")
                .long("branch")
                .value_name("LINE:WAY")
                .help("A test of this line comes out as T or F; a switch goes to the arm of this number, from 0"),
        )
        .arg(
            Arg::new("line")
                .long("line")
                .value_name("LINE")
                .value_parser(value_parser!(u32))
                .help("A line to which a branch leads"),
        )
        .arg(Arg::new("goal").long("goal").value_name("CONDITION").help(
            "A condition in C on the function's parameters and its `result`, such as 'x*x + y*y == 1 && result > 0'",
        ))
        .args(QUESTIONS.map(|(name, _, help)| {
            let least = usize::from(name == "boundary");
            Arg::new(name)
                .long(name)
                .value_name("LINE")
                .num_args(least..=1)
                .require_equals(least == 0)
                .value_parser(value_parser!(u32))
                .help(help)
        }))
        .group(ArgGroup::new("what").args(["path", "paths", "branch", "line", "goal"]).args(QUESTIONS.map(|q| q.0)).required(true))
        .arg(number("evaluations", "200000").help("Runs of the code, at most; with --paths a tenth of them for each question"))
        .arg(number("seed", "0").help("Where the pseudo-random sequence of the search begins"))
        .arg(number("budget", "20000").value_name("BOXES").help("Boxes that are looked at for each question, at most"))
        .arg(
            Arg::new("check")
                .long("check")
                .action(ArgAction::SetTrue)
                .conflicts_with_all(["branch", "line", "goal"])
                .conflicts_with_all(QUESTIONS.map(|q| q.0))
                .help("With --path and --paths: look at every proof again, by plain evaluation of boxes without contraction"),
        )
        .arg(number("most", "1000").value_name("PATHS").help("With --paths: paths that are told, at most"))
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let condition = matches.get_one::<String>("goal");
    let program = interrupt::stoppable(|| match condition {
        Some(condition) => code::with_condition(matches, condition, output),
        None => code::program(matches, asked(matches).map(|(question, _)| question), output),
    })?;
    let goals = match (condition, aim(matches)?) {
        (Some(condition), _) => Some(conditions(&program, condition)?),
        (None, Some(aim)) => {
            Some(goals(&program, &program.reached(), &aim).map_err(|e| Failure::usage(e.to_string()))?)
        }
        (None, None) => None,
    };
    let work = || {
        // What a condition in C asks is in no native program.
        let native = if condition.is_none() { native::build(matches, &program, output)? } else { None };
        let (mut listing, inputs, attacked, claimed) = match &goals {
            Some(goals) => {
                let mut coverage = reached(matches, &program, goals);
                let attacked = match &native {
                    Some(native) => native::answer(matches, attack(&program, native, &mut coverage), output)?,
                    None => None,
                };
                let inputs = coverage.found.iter().map(|f| f.input.clone()).collect();
                (Listing::of_goals(&program, &coverage, goals), inputs, attacked, claims(&coverage))
            }
            None => {
                let table = table(matches, &program)?;
                let inputs = table.rows.iter().filter_map(|row| match &row.outcome {
                    Outcome::Feasible(input, _) => Some(input.clone()),
                    Outcome::Infeasible | Outcome::Open(_) => None,
                });
                (Listing::new(&program, &table), inputs.collect::<Vec<_>>(), None, Vec::new())
            }
        };
        let is_something = !inputs.is_empty() || attacked.is_some();
        if let Some(native) = native.filter(|_| is_something && !halt::requested()) {
            let replayed = replay(&program, &native, inputs, attacked, &claimed);
            listing.native = native::answer(matches, replayed, output)?;
        }
        Ok::<_, Failure>(listing)
    };
    let (listing, stopped) = halt::watched(Some(&STOP), None, work);
    let listing = listing?;
    if let Some(refuted) = listing.paths.iter().find(|p| p.is_refuted()) {
        let said = format!(
            "error: a bug in magneto: path {} was proved infeasible and is not; please report it\n",
            refuted.path
        );
        return Err(Failure { exit: Exit::Bug, messages: vec![said] });
    }
    match goals {
        _ if !output.json => output.print(listing.text())?,
        Some(_) => output.print_json(&Versioned(ListedGoal { listing: listing.clone() }))?,
        None => output.print_json(&Versioned(ListedPaths { listing: listing.clone() }))?,
    }
    if stopped.is_some() {
        output.note("interrupted: what was found by then is all that is told");
        return Ok(Exit::Interrupted);
    }
    if listing.native.as_ref().is_some_and(Replayed::differs) {
        return Err(Failure {
            exit: Exit::Gate,
            messages: vec!["error: the native program gives something else\n".to_owned()],
        });
    }
    Ok(if listing.is_settled() { Exit::Passed } else { Exit::Inconclusive })
}

/// What is asked of operations, and on which line, if one is named.
fn asked(matches: &ArgMatches) -> Option<(Question, Option<u32>)> {
    let (name, question, _) = QUESTIONS.into_iter().find(|(name, ..)| matches.contains_id(name))?;
    Some((question, matches.get_one::<u32>(name).copied()))
}

/// The goal that flags name.
fn aim(matches: &ArgMatches) -> Result<Option<Aim>, Failure> {
    if let Some((_, line)) = asked(matches) {
        return Ok(Some(Aim::Asked(line)));
    }
    if let Some(line) = matches.get_one::<u32>("line") {
        return Ok(Some(Aim::Line(*line)));
    }
    let Some(text) = matches.get_one::<String>("branch") else { return Ok(None) };
    let parts = text.split_once(':').and_then(|(line, way)| {
        let letter = way.chars().next().filter(|_| way.len() == 1).and_then(self::way);
        Some(Aim::Branch(line.parse().ok()?, letter.or_else(|| way.parse().ok())?))
    });
    match parts {
        Some(aim) => Ok(Some(aim)),
        None => Err(Failure::usage_hint(format!("--branch {text}: expected a line and a way"), "such as 12:T")),
    }
}

/// The branches that lead to where the condition holds.
fn conditions(program: &Program, condition: &str) -> Result<Vec<Goal>, Failure> {
    let goals = holds(program);
    if goals.is_empty() {
        return Err(Failure::usage(format!("--goal '{condition}': whether it holds depends on no input")));
    }
    Ok(goals)
}

/// Search for goals.
fn reached<'p>(matches: &ArgMatches, program: &'p Program, goals: &[Goal]) -> Coverage<'p> {
    let limit = |id: &str| matches.get_one::<u64>(id).copied().unwrap_or(0);
    let limits = coverage::Limits { evaluations: limit("evaluations"), seed: limit("seed") };
    let mut coverage = Coverage::new(program, &program.reached(), limits);
    coverage.only(goals);
    coverage.reach(BUDGET);
    coverage
}

fn table(matches: &ArgMatches, program: &Program) -> Result<Table, Failure> {
    let limit = |id: &str| matches.get_one::<u64>(id).copied().unwrap_or(0);
    // A list has many questions, and one path is one.
    let share = if matches.contains_id("path") { 1 } else { 10 };
    let runs = limit("evaluations") / share;
    let mut limits = Limits {
        boxes: limit("budget"),
        paths: limit("most") as usize,
        runs,
        seed: limit("seed"),
        ..Limits::default()
    };
    limits.confirmation = matches.get_flag("check").then_some(AGAIN * limits.boxes);
    if let Some(letters) = matches.get_one::<String>("path") {
        let ways: Option<Vec<u32>> = letters.chars().map(way).collect();
        let Some(ways) = ways else {
            return Err(Failure::usage_hint(format!("--path {letters}: expected letters T and F"), "such as TFTT"));
        };
        let row = Explorer::new(program, limits).decide(&ways);
        let complete = !matches!(row.outcome, Outcome::Open(_));
        return Ok(Table { rows: vec![row], complete, whole: false });
    }
    if let Some(most) = matches.get_one::<u32>("paths") {
        limits.decisions = *most as usize;
    }
    Ok(Explorer::new(program, limits).explore())
}

fn way(letter: char) -> Option<u32> {
    match letter {
        'T' | 't' | '1' => Some(1),
        'F' | 'f' | '0' => Some(0),
        _ => None,
    }
}
