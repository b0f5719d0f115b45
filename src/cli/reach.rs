//! `magneto reach`

use super::code::{self, CodeArgs};
use super::exit::{Exit, Failure};
use super::interrupt::{self, STOP};
use super::native::{self, NativeArgs, NativePrograms};
use super::output::Output;
use super::{destination, flags};
use clap::{ArgMatches, Args, Command, value_parser};
use magneto::code::goal::holds;
use magneto::code::probe::ProbeQuestion;
use magneto::code::program::{BranchGoal, CodeProgram};
use magneto::decide::AGAIN;
use magneto::halt;
use magneto::reach::aim::{Aim, goals};
use magneto::reach::attack::{attack, attack_paths, claims};
use magneto::reach::coverage::{self, Coverage};
use magneto::reach::infeasible::BUDGET;
use magneto::reach::paths::{Explorer, PathLimits, PathOutcome, PathTable};
use magneto::reach::replay::{Replayed, replay};
use magneto::record::json;
use magneto::record::proved::MODULE_FILE;
use magneto::record::reach::{ListedGoal, ListedPaths, Listing};
use magneto::record::results::REACH;
use magneto::record::store::{self, Files, FolderClaim, Mark};
use magneto::tool::shell_word;
use std::path::PathBuf;

/// An input that reaches a goal in code or follows a path, or a proof that there is none
#[derive(Args)]
#[group(skip)]
struct Options {
    #[command(flatten)]
    code: CodeArgs,
    /// The function
    #[arg(long = "fn", value_name = "NAME")]
    function: String,
    #[command(flatten)]
    wanted: Wanted,
    /// Runs of the code, at most; with --paths a tenth of them for each question
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    evaluations: u64,
    /// Where the pseudo-random sequence of the search begins
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Boxes that are looked at for each question, at most
    #[arg(long, value_name = "BOXES", default_value_t = 20_000)]
    budget: u64,
    /// With --path and --paths: look at every proof again, by plain evaluation of boxes or by a SAT solver that did not find it
    #[arg(
        long,
        conflicts_with_all = ["branch", "line", "goal", "boundary", "overflow", "nan", "inf", "div0", "assert"]
    )]
    check: bool,
    /// With --paths: paths that are told, at most
    #[arg(long, value_name = "PATHS", default_value_t = 1000)]
    most: usize,
    #[command(flatten)]
    native: NativeArgs,
    /// Write the document of --json there, as reach.json, of which `magneto report` makes a page
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// What is to be reached: one of these.
#[derive(Args)]
#[group(id = "what", required = true, multiple = false)]
struct Wanted {
    /// One path: T or F for each test that depends on inputs, in order, such as TFTT
    #[arg(long, value_name = "LETTERS")]
    path: Option<String>,
    /// All paths, told apart by their first N tests that depend on inputs
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=10_000))]
    paths: Option<u32>,
    /// A test of this line comes out as T or F; a switch goes to the arm of this number, from 0
    #[arg(long, value_name = "LINE:WAY")]
    branch: Option<String>,
    /// A line to which a branch leads
    #[arg(long, value_name = "LINE")]
    line: Option<u32>,
    /// A condition in C on the function's parameters and its `result`, such as 'x*x + y*y == 1 && result > 0'
    #[arg(long, value_name = "CONDITION")]
    goal: Option<String>,
    /// The sides of a comparison on this line are equal
    #[arg(long, value_name = "LINE")]
    boundary: Option<u32>,
    /// An operation, on this line if one is named, overflows
    #[arg(long, value_name = "LINE", require_equals = true)]
    overflow: Option<Option<u32>>,
    /// An operation gives NaN, from operands that are none
    #[arg(long, value_name = "LINE", require_equals = true)]
    nan: Option<Option<u32>>,
    /// An operation on finite numbers gives an infinity
    #[arg(long, value_name = "LINE", require_equals = true)]
    inf: Option<Option<u32>>,
    /// A divisor is 0
    #[arg(long, value_name = "LINE", require_equals = true)]
    div0: Option<Option<u32>>,
    /// An assertion fails, or the code aborts
    #[arg(long, value_name = "LINE", require_equals = true)]
    assert: Option<Option<u32>>,
}

pub(crate) fn command() -> Command {
    Options::augment_args(Command::new("reach")).after_help(
        "Exit codes: 0 there is an input, or a proof that there is none; 1 the native program comes to something else; 2 usage, code \
         or a condition cannot be taken; 3 open, or the list of paths is incomplete; 70 a proof does not hold, a bug; 130 interrupted",
    )
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let options: Options = flags::options(matches)?;
    let Options { code, function, wanted, .. } = &options;
    let own = FolderClaim::Own(&[REACH, MODULE_FILE], Mark { file: REACH, schema: "magneto/" });
    destination::folder(matches, options.output.as_deref(), &own)?;
    let condition = wanted.goal.as_deref();
    let (program, _text) = interrupt::stoppable(|| match condition {
        Some(condition) => {
            code::with_condition(code, function, condition, output).map(|(program, text)| (program, Some(text)))
        }
        None => {
            let asked = wanted.asked().map(|(question, _)| question);
            code::program(code, function, asked, output).map(|program| (program, None))
        }
    })?;
    let goals = match (condition, wanted.aim()?) {
        (Some(condition), _) => Some(conditions(&program, condition)?),
        (None, Some(aim)) => {
            Some(goals(&program, &program.reached(), &aim).map_err(|e| Failure::usage(e.to_string()))?)
        }
        (None, None) => None,
    };
    let work = || {
        let native = NativePrograms::of(&options.native, code).build(&program, output)?;
        let (mut listing, inputs, attacked, claimed) = match &goals {
            Some(goals) => {
                let mut coverage = reached(&options, &program, goals);
                let attacked = match &native {
                    Some(native) => native::answer(&options.native, attack(&program, native, &mut coverage), output)?,
                    None => None,
                };
                let inputs = coverage.found.iter().map(|f| f.input.clone()).collect();
                (Listing::of_goals(&program, &coverage, goals), inputs, attacked, claims(&coverage))
            }
            None => {
                let table = table(&options, &program)?;
                let attacked = match &native {
                    Some(native) => {
                        native::answer(&options.native, attack_paths(&program, native, &table.rows), output)?
                    }
                    None => None,
                };
                let inputs = table.rows.iter().filter_map(|row| match &row.outcome {
                    PathOutcome::Feasible(input, _) => Some(input.clone()),
                    PathOutcome::Infeasible | PathOutcome::Open(_) => None,
                });
                (Listing::new(&program, &table), inputs.collect::<Vec<_>>(), attacked, Vec::new())
            }
        };
        let is_something = !inputs.is_empty() || attacked.is_some();
        if let Some(native) = native.filter(|_| is_something && !halt::requested()) {
            let replayed = replay(&program, &native, inputs, attacked, &claimed);
            listing.native = native::answer(&options.native, replayed, output)?;
            listing.withdraw_proofs();
        }
        Ok::<_, Failure>(listing)
    };
    let (listing, stopped) = halt::watched(Some(&STOP), None, work);
    let code = code.code.iter().map(|file| file.display().to_string()).collect();
    let listing = Listing { code, question: wanted.words(), ..listing? };
    let document = match goals {
        Some(_) => json::document(&ListedGoal { listing: listing.clone() }),
        None => json::document(&ListedPaths { listing: listing.clone() }),
    };
    write_listing(&options, &listing, (document, &program.module.bytes), output)?;
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

/// Writes and shows what was found, unless that is a proof which does not hold.
fn write_listing(
    options: &Options,
    listing: &Listing,
    (document, module): (Vec<u8>, &[u8]),
    output: &Output,
) -> Result<(), Failure> {
    if let Some(refuted) = listing.paths.iter().find(|p| p.is_refuted()) {
        let said = format!(
            "error: a bug in magneto: path {} was proved infeasible and is not; please report it\n",
            refuted.path
        );
        return Err(Failure { exit: Exit::Bug, messages: vec![said] });
    }
    if let Some(dir) = &options.output {
        let mut files = Files::from([(REACH.to_owned(), document.clone())]);
        files.extend(listing.module.iter().map(|m| (m.file.clone(), module.to_vec())));
        store::write(dir, &files, &[])?;
    }
    match output.json {
        true => output.print(document),
        false => output.print(listing.text()),
    }
}

impl Wanted {
    /// What is asked, as it stands on a command line.
    fn words(&self) -> String {
        let text = |name: &str, value: &Option<String>| value.as_ref().map(|v| format!("--{name} {}", shell_word(v)));
        let count = |name: &str, value: Option<u32>| value.map(|n| format!("--{name} {n}"));
        let place = |name: &str, value: Option<Option<u32>>| match value? {
            Some(line) => Some(format!("--{name}={line}")),
            None => Some(format!("--{name}")),
        };
        let all = [
            text("path", &self.path),
            count("paths", self.paths),
            text("branch", &self.branch),
            count("line", self.line),
            text("goal", &self.goal),
            count("boundary", self.boundary),
            place("overflow", self.overflow),
            place("nan", self.nan),
            place("inf", self.inf),
            place("div0", self.div0),
            place("assert", self.assert),
        ];
        all.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    /// What is asked of operations, and on which line, if one is named.
    fn asked(&self) -> Option<(ProbeQuestion, Option<u32>)> {
        let questions = [
            (ProbeQuestion::Boundary, self.boundary.map(Some)),
            (ProbeQuestion::Overflow, self.overflow),
            (ProbeQuestion::Nan, self.nan),
            (ProbeQuestion::Infinity, self.inf),
            (ProbeQuestion::DivisionByZero, self.div0),
            (ProbeQuestion::Assertion, self.assert),
        ];
        questions.into_iter().find_map(|(question, line)| Some((question, line?)))
    }

    /// The goal that flags name.
    fn aim(&self) -> Result<Option<Aim>, Failure> {
        if let Some((_, line)) = self.asked() {
            return Ok(Some(Aim::Asked(line)));
        }
        if let Some(line) = self.line {
            return Ok(Some(Aim::Line(line)));
        }
        let Some(text) = &self.branch else { return Ok(None) };
        let parts = text.split_once(':').and_then(|(line, way)| {
            let letter = way.chars().next().filter(|_| way.len() == 1).and_then(self::way);
            Some(Aim::Branch(line.parse().ok()?, letter.or_else(|| way.parse().ok())?))
        });
        match parts {
            Some(aim) => Ok(Some(aim)),
            None => Err(Failure::usage_hint(format!("--branch {text}: expected a line and a way"), "such as 12:T")),
        }
    }
}

/// The branches that lead to where the condition holds.
fn conditions(program: &CodeProgram, condition: &str) -> Result<Vec<BranchGoal>, Failure> {
    let goals = holds(program);
    if goals.is_empty() {
        return Err(Failure::usage(format!("--goal '{condition}': whether it holds depends on no input")));
    }
    Ok(goals)
}

/// Search for goals.
fn reached<'p>(options: &Options, program: &'p CodeProgram, goals: &[BranchGoal]) -> Coverage<'p> {
    let limits = coverage::CoverageLimits { evaluations: options.evaluations, seed: options.seed };
    let mut coverage = Coverage::new(program, &program.reached(), limits);
    if !options.native.compiles() {
        coverage.interpret();
    }
    coverage.only(goals);
    coverage.reach(BUDGET);
    coverage
}

fn table(options: &Options, program: &CodeProgram) -> Result<PathTable, Failure> {
    // A list has many questions, and one path is one.
    let share = if options.wanted.path.is_some() { 1 } else { 10 };
    let mut limits = PathLimits {
        boxes: options.budget,
        paths: options.most,
        runs: options.evaluations / share,
        seed: options.seed,
        confirmation: options.check.then_some(AGAIN * options.budget),
        ..PathLimits::default()
    };
    if let Some(letters) = &options.wanted.path {
        let ways: Option<Vec<u32>> = letters.chars().map(way).collect();
        let Some(ways) = ways else {
            return Err(Failure::usage_hint(format!("--path {letters}: expected letters T and F"), "such as TFTT"));
        };
        let row = Explorer::new(program, limits).decide(&ways);
        let complete = !matches!(row.outcome, PathOutcome::Open(_));
        return Ok(PathTable { rows: vec![row], complete, whole: false });
    }
    if let Some(most) = options.wanted.paths {
        limits.decisions = most as usize;
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
