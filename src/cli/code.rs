//! Code under test on a command line: its files, the function, and what its parameters mean.

use super::exit::Failure;
use super::output::Output;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use magneto::code::compile::{Compiled, Flags, compile_told, is_module};
use magneto::code::debug::SourceFunction;
use magneto::code::faithful;
use magneto::code::goal::{GOAL, compile_goal};
use magneto::code::ins::Type;
use magneto::code::module::Module;
use magneto::code::probe::Question;
use magneto::code::program::Program;
use magneto::code::signature;
use std::path::PathBuf;

/// A command with the flags for code, about one function or `several`.
pub(crate) fn with_code(command: Command, several: bool) -> Command {
    let function = Arg::new("fn").long("fn").value_name("NAME").required(true);
    let function = match several {
        false => function.help("The function"),
        true => function.action(ArgAction::Append).help("The function. Repeatable"),
    };
    command
        .arg(path("code", "CODE").required(true).num_args(1..).help("C or C++ files, or one .wasm module"))
        .arg(function)
        .arg(
            Arg::new("input")
                .long("input")
                .value_name("NAME[N]")
                .action(ArgAction::Append)
                .help("A pointer parameter whose first N elements are inputs, such as 'y[2]'"),
        )
        .arg(Arg::new("signature").long("signature").value_name("DECLARATION").help(
            "What parameters and result mean where a module does not say: a declaration in C, such as 'double f(double x, \
             unsigned n, const float *y)'",
        ))
        .arg(path("include", "DIR").short('I').action(ArgAction::Append).help("A folder for #include"))
        .arg(
            Arg::new("define")
                .short('D')
                .value_name("MACRO")
                .action(ArgAction::Append)
                .help("A macro, NAME or NAME=VALUE"),
        )
        .arg(
            Arg::new("cflags")
                .long("cflags")
                .value_name("OPTIONS")
                .allow_hyphen_values(true)
                .action(ArgAction::Append)
                .help("Further options of the compiler, such as '-std=c99 -fwrapv -include config.h'. Repeatable"),
        )
        .arg(Arg::new("warnings").long("warnings").action(ArgAction::SetTrue).help("Show what the compiler warns of"))
}

pub(crate) fn path(id: &'static str, name: &'static str) -> Arg {
    Arg::new(id).value_name(name).value_parser(value_parser!(PathBuf))
}

pub(crate) fn number(id: &'static str, default: &'static str) -> Arg {
    Arg::new(id).long(id).value_name("N").default_value(default).value_parser(value_parser!(u64))
}

pub(crate) fn paths(matches: &ArgMatches, id: &str) -> Vec<PathBuf> {
    matches.get_many::<PathBuf>(id).into_iter().flatten().cloned().collect()
}

pub(crate) fn texts(matches: &ArgMatches, id: &str) -> Vec<String> {
    matches.get_many::<String>(id).into_iter().flatten().cloned().collect()
}

/// What the code is compiled with.
pub(crate) fn compiler_flags(matches: &ArgMatches) -> Result<Flags, Failure> {
    let mut options = Vec::new();
    for text in texts(matches, "cflags") {
        let wrong = |why: &str, hint: &str| Failure::usage_hint(format!("--cflags '{text}': {why}"), hint);
        for option in shlex::split(&text).ok_or_else(|| wrong("a quote is not closed", "write it as for a shell"))? {
            if OTHERS.iter().any(|o| option.starts_with(o)) {
                let why = format!("with {option} the code computes something else than what is looked into");
                return Err(wrong(&why, "look into the code as it is compiled without this option"));
            }
            // What is looked into is the code before the optimiser, in the mode that rounds to the nearest.
            if !option.starts_with("-O") && option != "-frounding-math" {
                options.push(option);
            }
        }
    }
    Ok(Flags { include: paths(matches, "include"), define: texts(matches, "define"), options })
}

/// Options that let a compiler change results, or compile for another machine.
const OTHERS: [&str; 11] = [
    "-Ofast",
    "-ffast-math",
    "-funsafe-math-optimizations",
    "-fassociative-math",
    "-freciprocal-math",
    "-ffinite-math-only",
    "-fno-signed-zeros",
    "-m32",
    "-mx32",
    "-flto",
    "--target",
];

/// The function to look at.
pub(crate) fn program(matches: &ArgMatches, question: Option<Question>, output: &Output) -> Result<Program, Failure> {
    let name = matches.get_one::<String>("fn").map_or("", String::as_str);
    called(matches, module(matches, question, output)?, name)
}

/// The functions to look at, in the order in which they were given, or everything that is wrong with any of them.
pub(crate) fn programs(
    matches: &ArgMatches,
    question: Option<Question>,
    output: &Output,
) -> Result<Vec<Program>, Failure> {
    let names = texts(matches, "fn");
    let module = module(matches, question, output)?;
    let (mut programs, mut messages) = (Vec::new(), Vec::new());
    for (k, name) in names.iter().enumerate() {
        if names[..k].contains(name) {
            messages.push(format!("error: --fn {name} is there twice\n"));
        }
        match called(matches, module.clone(), name) {
            Ok(program) => programs.push(program),
            Err(failure) => messages.extend(failure.messages),
        }
    }
    if !messages.is_empty() {
        return Err(Failure::rendered(messages));
    }
    Ok(programs)
}

fn module(matches: &ArgMatches, question: Option<Question>, output: &Output) -> Result<Module, Failure> {
    let failed = |e: &dyn std::fmt::Display| Failure::usage(e.to_string());
    let code = paths(matches, "code");
    let flags = compiler_flags(matches)?;
    let compiled = compile_told(&code, &flags).map_err(|e| failed(&e))?;
    faithful::compare(&code, &flags, &compiled.bytes).map_err(|e| failed(&e))?;
    if matches.get_flag("warnings") {
        compiled.warnings.lines().for_each(|line| output.note(line));
    }
    let Compiled { bytes, variables, weak, .. } = compiled;
    let module = Module::decode_asking(&bytes, !is_module(&code), question).map_err(|e| failed(&e))?;
    Ok(Module { variables, weak, ..module })
}

/// A function of a module, with the inputs that are behind pointers.
fn called(matches: &ArgMatches, module: Module, name: &str) -> Result<Program, Failure> {
    let declaration = if name == GOAL { None } else { declaration(matches, name, module.address())? };
    let failed = |e: &dyn std::fmt::Display| Failure::usage(e.to_string());
    let mut elements = Vec::new();
    for text in texts(matches, "input") {
        let parts = text.strip_suffix(']').and_then(|t| t.split_once('['));
        let Some((name, count)) = parts.and_then(|(n, c)| Some((n.to_owned(), c.parse::<u32>().ok()?))) else {
            return Err(Failure::usage_hint(
                format!("--input {text}: expected a name and a number of elements"),
                "such as 'y[2]'",
            ));
        };
        if count > 1000 {
            return Err(Failure::usage(format!("--input {text}: at most 1000 elements")));
        }
        elements.push((name, count));
    }
    let program = Program::declared(module, name, &elements, declaration)
        .map_err(|e| Failure::usage(format!("--fn {name}: {e}")))?;
    program.is_whole().map_err(|e| failed(&e))?;
    Ok(program)
}

/// The function that calls another one and asks whether a condition holds, see [`compile_goal`].
pub(crate) fn with_condition(matches: &ArgMatches, condition: &str, output: &Output) -> Result<Program, Failure> {
    let program = program(matches, None, output)?;
    let failed = |e: &dyn std::fmt::Display| Failure::usage(format!("--goal '{condition}': {e}"));
    let bytes = compile_goal(&program, &paths(matches, "code"), &compiler_flags(matches)?, condition);
    let module = Module::decode_asking(&bytes.map_err(|e| failed(&e))?, true, None).map_err(|e| failed(&e))?;
    called(matches, module, GOAL)
}

/// What a person says of the function.
fn declaration(matches: &ArgMatches, function: &str, address: Type) -> Result<Option<SourceFunction>, Failure> {
    let Some(text) = matches.get_one::<String>("signature") else { return Ok(None) };
    let wrong = |e: &dyn std::fmt::Display| Failure::usage(format!("--signature {text}: {e}"));
    let mut declared = signature::parse(text, address).map_err(|e| wrong(&e))?;
    if !declared.name.is_empty() && declared.name != function {
        return Err(wrong(&format!("it is of `{}`, and --fn names `{function}`", declared.name)));
    }
    function.clone_into(&mut declared.name);
    Ok(Some(declared))
}
