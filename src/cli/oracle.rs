//! `magneto oracle`

use super::exit::{Exit, Failure};
use super::output::Output;
use super::specs::OneSpec;
use super::{flags, specs};
use clap::{ArgMatches, Args, Command};
use magneto::floats::Format;
use magneto::num::Rational;
use magneto::num::float::rational;
use magneto::options::Settings;
use magneto::oracle::{Verdict, nearest};
use magneto::report::number::both;
use magneto::report::oracle::{OracleAnswer, neighbours};
use magneto::spec::{Spec, parse_rational};
use magneto::testfile::input_number;
use magneto::text::{nearest as similar, quote};
use magneto::unfit::Unfit;

/// The oracle at one input, and the verdict on one result
#[derive(Args)]
#[group(skip)]
struct Options {
    #[command(flatten)]
    one: OneSpec,
    /// An input: a decimal, rounded to its format with a note, or exactly a hexadecimal number. Repeat it, or separate by
    /// commas
    #[arg(long, value_name = "X=V")]
    at: Vec<String>,
    /// A result to judge: a number (rounded to the result format), `nan`, `inf` or `-inf`
    #[arg(long, value_name = "Y", allow_hyphen_values = true)]
    value: Option<String>,
}

pub(crate) fn command() -> Command {
    let exits = "Exit codes: 0, also without --value; 1 if the verdict is KO, unless the input is outside of the domain and the specification \
         does not say what is owed there; 3 if it is UNCERTAIN; 2 for a wrong input";
    flags::command::<Options>("oracle", exits)
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let settings = flags::settings("oracle", matches)?;
    let options: Options = flags::options(matches)?;
    let loaded = specs::load_single(&options.one.spec, &settings, output)?;
    let settings = Settings::clone(&loaded.settings);
    let spec = &loaded.spec;
    let given: Vec<&str> = options.at.iter().flat_map(|s| s.split(',')).map(str::trim).collect();
    let input = input(spec, &given, output).map_err(Failure::rendered)?;
    let result = match &options.value {
        Some(text) => Some(result(text, spec.result_format, output)?),
        None => None,
    };
    let answer = OracleAnswer::new(spec, input, result, settings.suite.precision_cap);
    if output.json {
        output.print_json(&answer.document())?;
    } else {
        if spec.accuracy_defaulted {
            output.note(format!("the specification states no accuracy; {} holds by default", spec.accuracy));
        }
        output.say_verdicts(answer.text())?;
    }
    Ok(match answer.verdict() {
        None | Some(Verdict::Ok) => Exit::Passed,
        // As by `check`, nothing fails by what the specification does not ask for.
        Some(_) if !answer.is_counted() => Exit::Passed,
        Some(Verdict::Ko) => Exit::Gate,
        Some(Verdict::Uncertain) => Exit::Inconclusive,
    })
}

/// The input, or everything that is wrong with it.
fn input(spec: &Spec, given: &[&str], output: &Output) -> Result<Vec<f64>, Vec<String>> {
    let mut values: Vec<Option<f64>> = vec![None; spec.inputs.len()];
    let mut messages = Vec::new();
    let names: Vec<&str> = spec.inputs.iter().map(|i| i.name.as_str()).collect();
    for text in given {
        let Some((name, value)) = text.rsplit_once('=') else {
            messages.push(format!("error: --at {text}: expected `name=value`\n"));
            continue;
        };
        let Some(i) = names.iter().position(|n| *n == name.trim()) else {
            let hint = match similar(name, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the inputs are {}", names.join(", ")),
            };
            messages.push(format!("error: --at {text}: there is no input {}\nhint: {hint}\n", quote(name)));
            continue;
        };
        match number(value.trim(), spec.inputs[i].format) {
            Ok(_) if values[i].is_some() => messages.push(format!("error: --at {text}: `{name}` is given twice\n")),
            Ok((x, rounded)) => {
                values[i] = Some(x);
                if rounded {
                    let format = spec.inputs[i].format.name();
                    output.note(format!("--at {text}: rounded to the nearest {format} number, {}", both(x)));
                }
            }
            Err(e) => messages.push(format!("error: --at {text}: {e}\n")),
        }
    }
    let wrong = |name: &str| given.iter().any(|t| t.split('=').next().is_some_and(|n| n.trim() == name));
    let missing: Vec<&str> =
        names.iter().zip(&values).filter(|(n, v)| v.is_none() && !wrong(n)).map(|(n, _)| *n).collect();
    if !missing.is_empty() {
        messages.push(format!(
            "error: no value is given for {}\nhint: add --at {}=…\n",
            missing.join(", "),
            missing[0]
        ));
    }
    if messages.is_empty() { Ok(values.into_iter().flatten().collect()) } else { Err(messages) }
}

/// An input, and whether another number was meant; a quotient has to be exact.
fn number(text: &str, format: Format) -> Result<(f64, bool), String> {
    if !text.contains('/') {
        return input_number(text, format).map_err(|Unfit { message, hint }| {
            hint.map_or_else(|| message.clone(), |hint| format!("{message}\nhint: {hint}"))
        });
    }
    let value = parse_rational(text)?;
    let x = nearest(&value, format);
    if rational(x) == value {
        return Ok((x, false));
    }
    Err(format!("{} is no {} number\nhint: {}", quote(text), format.name(), neighbours(&value, format)))
}

/// A result: what a program's output of this text means in the result format.
fn result(text: &str, format: Format, output: &Output) -> Result<f64, Failure> {
    match text.trim().to_ascii_lowercase().as_str() {
        "nan" | "-nan" | "+nan" => return Ok(f64::NAN),
        "inf" | "+inf" | "infinity" => return Ok(f64::INFINITY),
        "-inf" | "-infinity" => return Ok(f64::NEG_INFINITY),
        _ => {}
    }
    let value: Rational = parse_rational(text.trim()).map_err(|e| Failure::usage(format!("--value {text}: {e}")))?;
    if value.clone().abs() > rational(format.max()) {
        let name = format.name();
        output.note(format!("{text} is beyond the {name} numbers and counts as an infinity"));
        return Ok(if value > 0 { f64::INFINITY } else { f64::NEG_INFINITY });
    }
    let y = nearest(&value, format);
    if rational(y) != value {
        output.note(format!("{text} is rounded to {}", both(y)));
    }
    Ok(y)
}
