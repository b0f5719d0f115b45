//! `magneto solve`

use super::exit::{Exit, Failure};
use super::interrupt::{self, STOP};
use super::output::Output;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use magneto::decide::{AGAIN, Confirmation};
use magneto::halt::{self, Reason};
use magneto::smt::{self, Answers, Budget, Checked, Status};
use std::io::Read as _;

/// The most memory in bytes: a search that needs more is given up, and the answer is unknown.
const MEMORY: u64 = 4 << 30;

pub(crate) fn command() -> Command {
    Command::new("solve")
        .about("Whether formulas over floats hold for some values: SMT-LIB scripts (QF_FP, QF_BVFP)")
        .after_help(
            "Answers `sat` with values that were verified by exact evaluation, `unsat` by proof, or `unknown`. Floats of \
             any format of at most 64 bits, bit vectors of at most 64 bits, numbers as constants; all five rounding modes. \
             What the standard leaves open, such as the minimum of -0 and +0, is sat if some meaning of it makes it so.\n\n\
             Exit codes: 0; 1 if an answer is not what `(set-info :status …)` says; 2 for a wrong script; 3 if an answer is \
             unknown",
        )
        .arg(Arg::new("file").value_name("FILE").required(true).help("A .smt2 file; `-` is standard input"))
        .arg(
            Arg::new("budget")
                .long("budget")
                .value_name("BOXES")
                .default_value("200000")
                .value_parser(value_parser!(u64))
                .help("Parts of the values of the unknowns to look at for each (check-sat), at most"),
        )
        .arg(
            Arg::new("check")
                .long("check")
                .action(ArgAction::SetTrue)
                .help("Look at every unsat again, by plain evaluation of boxes without contraction"),
        )
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let file = matches.get_one::<String>("file").map_or("-", String::as_str);
    let (name, bytes) = read(file)?;
    let source = std::str::from_utf8(&bytes).map_err(|_| Failure::usage(format!("{name} is not a text file")))?;
    let boxes = matches.get_one::<u64>("budget").copied().unwrap_or_default();
    let budget = Budget { boxes, confirmation: matches.get_flag("check").then_some(AGAIN * boxes) };
    interrupt::listen();
    let (answers, stopped) = halt::watched(Some(&STOP), Some(MEMORY), || smt::run(source, budget));
    let answers = answers.map_err(|d| Failure::rendered(vec![d.render(&name, &bytes)]))?;
    if output.json {
        output.print_json(&answers)?;
    } else {
        output.say(&answers.output)?;
    }
    match stopped {
        Some(Reason::Interrupted) => {
            output.note("interrupted: what was answered by then is all that is told");
            return Ok(Exit::Interrupted);
        }
        Some(Reason::Memory) => {
            output.note(format!("stopped since more than {} MiB were in use", MEMORY >> 20));
            return Ok(Exit::Inconclusive);
        }
        None => {}
    }
    exit(&answers, output)
}

fn exit(answers: &Answers, output: &Output) -> Result<Exit, Failure> {
    let contradicted = answers.checks.iter().enumerate().filter(|(_, check)| check.contradicts());
    let messages: Vec<String> = contradicted
        .map(|(i, check)| {
            let expected = check.expected.map_or("", Status::word);
            let is = check.status.word();
            format!("error: (check-sat) {} is {is}, and the script says that it is {expected}\n", i + 1)
        })
        .collect();
    if !messages.is_empty() {
        return Err(Failure { exit: Exit::Gate, messages });
    }
    for (i, check) in answers.checks.iter().enumerate() {
        match &check.confirmation {
            None => {}
            Some(Confirmation::Refuted(_)) => {
                let said = format!("error: a bug in magneto: (check-sat) {} is not unsat; please report it\n", i + 1);
                return Err(Failure { exit: Exit::Bug, messages: vec![said] });
            }
            Some(said) => output.note(format!("(check-sat) {}: unsat {said} boxes", i + 1)),
        }
    }
    let is_open = |c: &Checked| c.status == Status::Unknown || matches!(c.confirmation, Some(Confirmation::Open(_)));
    let open = answers.checks.iter().any(is_open);
    Ok(if open { Exit::Inconclusive } else { Exit::Passed })
}

/// The name of a file in messages, and its bytes.
fn read(file: &str) -> Result<(String, Vec<u8>), Failure> {
    if file == "-" {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        return match read {
            Ok(_) => Ok(("<stdin>".to_owned(), bytes)),
            Err(e) => Err(Failure::usage(format!("cannot read standard input: {e}"))),
        };
    }
    match std::fs::read(file) {
        Ok(bytes) => Ok((file.to_owned(), bytes)),
        Err(e) => Err(Failure::usage(format!("cannot read {file}: {e}"))),
    }
}
