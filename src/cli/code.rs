//! Code under test on a command line: its files, the function, and what its parameters mean.

mod commands;

use super::exit::{Exit, Failure};
use super::output::Output;
use clap::{Args, Command};
use magneto::cc::Flags;
use magneto::cc::{SourceFunction, declaration};
use magneto::code::compile::{Compiled, compile_told};
use magneto::code::faithful;
use magneto::code::goal::{GOAL, compile_goal};
use magneto::code::ins::Type;
use magneto::code::module::Module;
use magneto::code::probe::ProbeQuestion;
use magneto::code::program::{AskedInputs, CodeProgram};
use magneto::halt;
use magneto::record::cover::RefusedFunction;
use magneto::threads::Threads;
use magneto::tool::Scratch;
use std::path::PathBuf;
use std::sync::Arc;

/// The code under test, how it is compiled, and what parameters mean.
#[derive(Args, Clone)]
#[group(skip)]
pub(crate) struct CodeArgs {
    /// C or C++ files, or one .wasm module
    #[arg(value_name = "CODE", required = true)]
    pub(crate) code: Vec<PathBuf>,
    /// A pointer parameter whose first N elements are inputs, such as 'y[2]', or the member of a union that counts, such as 'p.u.x'
    #[arg(long, value_name = "NAME[N]")]
    input: Vec<String>,
    /// What parameters and result mean where a module does not say: a declaration in C, such as 'double f(double x,
    /// unsigned n, const float *y)'
    #[arg(long, value_name = "DECLARATION")]
    signature: Option<String>,
    /// A function without parameters that is called before each run, such as one that turns an error handler off
    #[arg(long, value_name = "FUNCTION")]
    before: Option<String>,
    /// A folder for #include
    #[arg(short = 'I', long, value_name = "DIR")]
    include: Vec<PathBuf>,
    /// A macro, NAME or NAME=VALUE
    #[arg(short = 'D', long, value_name = "MACRO")]
    define: Vec<String>,
    /// Further options of the compiler, such as '-std=c99 -fwrapv -include config.h'. Repeatable
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
    cflags: Vec<String>,
    /// A compile_commands.json: the options of the first of the files there are those of all. --cflags comes after them
    #[arg(long, value_name = "FILE")]
    compile_commands: Option<PathBuf>,
    /// Show what the compiler warns of
    #[arg(long)]
    warnings: bool,
}

/// A command that may be called without code.
pub(crate) fn optional(command: Command) -> Command {
    command.mut_arg("code", |arg| arg.required(false))
}

impl CodeArgs {
    /// Takes over what an implementation's entry says of its signature, if that is a declaration. A word such as `f64-array`
    /// says nothing that the source does not.
    pub(crate) fn means(&mut self, signature: &str) {
        if signature.contains('(') {
            self.signature = Some(signature.to_owned());
        }
    }

    /// The files that are compiled: headers are named for the functions that stand in them.
    pub(crate) fn sources(&self) -> Result<Vec<PathBuf>, Failure> {
        const HEADERS: [&str; 4] = ["h", "hh", "hpp", "hxx"];
        let is_source = |path: &&PathBuf| !path.extension().is_some_and(|end| HEADERS.iter().any(|h| end == *h));
        let sources: Vec<PathBuf> = self.code.iter().filter(is_source).cloned().collect();
        match (sources.is_empty(), self.code.first()) {
            (true, Some(header)) => Err(Failure::usage_hint(
                format!("{} is a header", header.display()),
                "name a source that includes it, too",
            )),
            _ => Ok(sources),
        }
    }

    /// Says that the inputs are so many elements behind a pointer parameter.
    pub(crate) fn reads(&mut self, parameter: &str, elements: usize) {
        self.input = vec![format!("{parameter}[{elements}]")];
    }
}

/// What the code is compiled with.
pub(crate) fn compiler_flags(code: &CodeArgs) -> Result<Flags, Failure> {
    let (mut options, mut has_dynamic_mode) = (Vec::new(), false);
    if let (Some(commands), Some(source)) = (&code.compile_commands, code.sources()?.first()) {
        options = commands::options(commands, source).map_err(Failure::usage)?;
        if let Some(option) = options.iter().find(|option| OTHERS.iter().any(|o| option.starts_with(o))) {
            let why =
                format!("--compile-commands: with {option} the code computes something else than what is looked into");
            return Err(Failure::usage_hint(why, "look into the code as it is compiled without this option"));
        }
    }
    for text in &code.cflags {
        let wrong = |why: &str, hint: &str| Failure::usage_hint(format!("--cflags '{text}': {why}"), hint);
        for option in shlex::split(text).ok_or_else(|| wrong("a quote is not closed", "write it as for a shell"))? {
            if OTHERS.iter().any(|o| option.starts_with(o)) {
                let why = format!("with {option} the code computes something else than what is looked into");
                return Err(wrong(&why, "look into the code as it is compiled without this option"));
            }
            // What is looked into is the code before the optimiser, in the mode that rounds to the nearest.
            has_dynamic_mode |= option == "-frounding-math";
            if !option.starts_with("-O") && option != "-frounding-math" {
                options.push(option);
            }
        }
    }
    Ok(Flags { include: code.include.clone(), define: code.define.clone(), options, has_dynamic_mode })
}

/// Options that let a compiler change results, or compile for another machine.
const OTHERS: [&str; 13] = [
    "-fsingle-precision-constant",
    "-ffp-contract=fast",
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
pub(crate) fn program(
    code: &CodeArgs,
    function: &str,
    question: Option<ProbeQuestion>,
    output: &Output,
) -> Result<CodeProgram, Failure> {
    let program = called(code, module(code, &[function.to_owned()], question, output)?.into(), function, false)?;
    tell_lacking(&program, output);
    Ok(program)
}

/// The functions to look at, whether runs may be given [objects](AskedInputs::has_objects), in the order in which they were given, or everything that is wrong with any of them.
pub(crate) fn programs(
    code: &CodeArgs,
    names: &[String],
    (question, has_objects): (Option<ProbeQuestion>, bool),
    output: &Output,
) -> Result<Vec<CodeProgram>, Failure> {
    let module = Arc::new(module(code, names, question, output)?);
    let (mut programs, mut messages) = (Vec::new(), Vec::new());
    for (k, name) in names.iter().enumerate() {
        if names[..k].contains(name) {
            messages.push(format!("error: --fn {name} is there twice\n"));
        }
        match called(code, module.clone(), name, has_objects) {
            Ok(program) => programs.push(program),
            Err(failure) => messages.extend(failure.messages),
        }
    }
    if !messages.is_empty() {
        return Err(Failure::rendered(messages));
    }
    for program in &programs {
        tell_lacking(program, output);
    }
    Ok(programs)
}

/// Says what the function can reach and is not there.
fn tell_lacking(program: &CodeProgram, output: &Output) {
    let all = program.lacking();
    let more = if all.len() > LACKING { format!(", and {} more", all.len() - LACKING) } else { String::new() };
    if !all.is_empty() {
        let said = all[..all.len().min(LACKING)].join(", ");
        output
            .note(format!("{}: {said}{more}; runs end there, and proofs say nothing of what follows", program.name()));
        if all.iter().any(|reason| reason.ends_with("is not there")) {
            output.note("name the files that define it, if there are any");
        }
    }
}

/// How much of what is not there is named.
const LACKING: usize = 8;

/// Every function that the files define themselves, and why others of them cannot be looked at.
pub(crate) fn all_programs(
    code: &CodeArgs,
    question: Option<ProbeQuestion>,
    (threads, has_objects): (&Threads, bool),
    output: &Output,
) -> Result<(Vec<CodeProgram>, Vec<RefusedFunction>), Failure> {
    let compiled = compiled(code, &[], output)?;
    let mut programs = Vec::new();
    let file = |(file, said): &(PathBuf, String)| RefusedFunction {
        function: file.display().to_string(),
        reason: said.lines().find(|line| line.contains("error: ")).unwrap_or(said).to_owned(),
    };
    let mut refused: Vec<RefusedFunction> = compiled.refused.iter().map(file).collect();
    let module = Arc::new(prepared(code, compiled.module(question))?);
    // What pointers lead to is found out by runs: that takes long for large structures.
    let prepare = |name: &String| (!halt::requested()).then(|| called(code, module.clone(), name, has_objects));
    let names = module.own_functions(&code.code);
    if names.is_empty() && refused.is_empty() {
        let headers: Vec<String> = module.headers().iter().map(|path| path.display().to_string()).collect();
        return Err(match headers.is_empty() {
            true => Failure::usage("these files define no function"),
            false => Failure::usage_hint(
                "no function stands in these files",
                format!("functions stand in what they include: name that, too: {}", headers.join(" ")),
            ),
        });
    }
    let prepared = threads.side_by_side(1, &names, prepare);
    for (name, program) in names.into_iter().zip(prepared) {
        match program {
            None => return Err(Failure { exit: Exit::Interrupted, messages: vec!["error: interrupted\n".to_owned()] }),
            Some(Ok(program)) => programs.push(program),
            Some(Err(failure)) => {
                let said = failure.messages.concat();
                let first = said.lines().next().unwrap_or_default().trim_start_matches("error: ");
                let reason = first.trim_start_matches(&format!("--fn {name}: ")).to_owned();
                refused.push(RefusedFunction { function: name, reason });
            }
        }
    }
    Ok((programs, refused))
}

fn module(
    args: &CodeArgs,
    functions: &[String],
    question: Option<ProbeQuestion>,
    output: &Output,
) -> Result<Module, Failure> {
    let functions: Vec<String> = functions.iter().chain(&args.before).cloned().collect();
    let compiled = compiled(args, &functions, output)?;
    prepared(args, compiled.module(question))
}

/// A module in which the function that is to be called before each run is.
fn prepared<E: std::fmt::Display>(code: &CodeArgs, module: Result<Module, E>) -> Result<Module, Failure> {
    let mut module = module.map_err(|e| Failure::usage(e.to_string()))?;
    if let Some(name) = &code.before {
        module.call_before(name).map_err(|e| Failure::usage(format!("--before {name}: {e}")))?;
    }
    Ok(module)
}

/// The code as a module, which the native compiler makes the same of. With no function all files are taken that the compiler takes.
fn compiled(args: &CodeArgs, functions: &[String], output: &Output) -> Result<Compiled, Failure> {
    let failed = |e: &dyn std::fmt::Display| Failure::usage(e.to_string());
    let flags = compiler_flags(args)?;
    let mut compiled = compile_told(&args.sources()?, &flags, functions).map_err(|e| failed(&e))?;
    let asked = faithful::compare(&compiled.sources, &flags, &compiled.bytes).map_err(|e| failed(&e))?;
    compiled.assumed.extend(asked);
    if args.warnings {
        compiled.warnings.lines().for_each(|line| output.note(line));
    }
    let more = compiled.sources[compiled.named..].iter().map(|s| s.display().to_string()).collect::<Vec<_>>();
    if !more.is_empty() {
        output.note(format!("other files define what it calls and are looked into: {}", more.join(", ")));
    }
    Ok(compiled)
}

/// A function of a module, with the inputs that are behind pointers.
fn called(code: &CodeArgs, module: Arc<Module>, name: &str, has_objects: bool) -> Result<CodeProgram, Failure> {
    let declaration = if name == GOAL { None } else { declaration(code, name, module.address())? };
    let mut asked = AskedInputs { has_objects, ..AskedInputs::default() };
    for text in &code.input {
        let is_name = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
        if text.contains('.') && text.split('.').all(is_name) {
            asked.members.push(text.clone());
            continue;
        }
        let parts = text.strip_suffix(']').and_then(|t| t.split_once('['));
        let Some((name, count)) = parts.and_then(|(n, c)| Some((n.to_owned(), c.parse::<u32>().ok()?))) else {
            return Err(Failure::usage_hint(
                format!("--input {text}: expected a name and a number of elements, or a member of a union"),
                "such as 'y[2]' or 'p.value.number'",
            ));
        };
        if count > 1000 {
            return Err(Failure::usage(format!("--input {text}: at most 1000 elements")));
        }
        asked.elements.push((name, count));
    }
    let program = CodeProgram::with_inputs(module, name, &asked, declaration)
        .map_err(|e| Failure::usage(format!("--fn {name}: {e}")))?;
    Ok(program)
}

/// The function that calls another one and asks whether a condition holds, see [`compile_goal`], and where its text is as long as a
/// native program may be made of it.
pub(crate) fn with_condition(
    code: &CodeArgs,
    function: &str,
    condition: &str,
    output: &Output,
) -> Result<(CodeProgram, Scratch), Failure> {
    let program = program(code, function, None, output)?;
    let failed = |e: &dyn std::fmt::Display| Failure::usage(format!("--goal '{condition}': {e}"));
    let goal = compile_goal(&program, &code.sources()?, &compiler_flags(code)?, condition).map_err(|e| failed(&e))?;
    let mut module = prepared(code, goal.compiled.module(None))?;
    // What the comparison with the native compiler came to holds of both.
    let more: Vec<_> = program.module.assumed.iter().filter(|a| !module.assumed.contains(a)).cloned().collect();
    module.assumed.extend(more);
    Ok((called(code, module.into(), GOAL, false)?, goal.folder))
}

/// What a person says of the function.
fn declaration(code: &CodeArgs, function: &str, address: Type) -> Result<Option<SourceFunction>, Failure> {
    let Some(text) = &code.signature else { return Ok(None) };
    let wrong = |e: &dyn std::fmt::Display| Failure::usage(format!("--signature {text}: {e}"));
    let mut declared = declaration::parse(text, if address == Type::I64 { 8 } else { 4 }).map_err(|e| wrong(&e))?;
    if !declared.name.is_empty() && declared.name != function {
        return Err(wrong(&format!("it is of `{}`, and --fn names `{function}`", declared.name)));
    }
    function.clone_into(&mut declared.name);
    Ok(Some(declared))
}
