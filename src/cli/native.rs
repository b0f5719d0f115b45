//! What native programs say of code, on a command line.

use super::code::{self, CodeArgs};
use super::exit::{Exit, Failure};
use super::output::Output;
use clap::Args;
use magneto::code::compile::is_module;
use magneto::code::compiled::MachineCode;
use magneto::code::module::Module;
use magneto::code::native::{Native, NativeError, NativeSources, NativeUse};
use magneto::code::program::CodeProgram;
use magneto::halt;
use magneto::reach::attack::AttackError;
use std::sync::{Arc, OnceLock};

/// Whether a native program has to be made, or must not.
#[derive(Args, Clone)]
#[group(skip)]
pub(crate) struct NativeArgs {
    /// It is an error if no native program can be made
    #[arg(long, conflicts_with = "no_native")]
    native: bool,
    /// Let the interpreter alone say what the code does. Otherwise C and C++ is compiled with `cc -O0 --coverage` as well
    /// where that is there, every input is replayed and results and gcov's branches are compared (exit code 1 where
    /// something differs), long runs of the search are made in machine code, and calls that are made up try to take what is called infeasible
    #[arg(long)]
    no_native: bool,
}

impl NativeArgs {
    /// Whether the native compiler may be called.
    pub(crate) fn compiles(&self) -> bool {
        !self.no_native
    }
}

/// Where the native programs of a command's functions come from, which share what is compiled.
pub(crate) struct NativePrograms<'a> {
    args: &'a NativeArgs,
    code: &'a CodeArgs,
    sources: OnceLock<Arc<NativeSources>>,
    machine_code: OnceLock<Arc<MachineCode>>,
}

impl<'a> NativePrograms<'a> {
    pub(crate) fn of(args: &'a NativeArgs, code: &'a CodeArgs) -> Self {
        NativePrograms { args, code, sources: OnceLock::new(), machine_code: OnceLock::new() }
    }

    /// The machine code that searches in a module share.
    pub(crate) fn machine_code(&self, module: &Arc<Module>) -> Arc<MachineCode> {
        let code = self.machine_code.get_or_init(|| MachineCode::of(module));
        if code.is_of(module) { Arc::clone(code) } else { MachineCode::of(module) }
    }

    /// The native program of a function; none where there is none and none is asked for.
    pub(crate) fn build(&self, program: &CodeProgram, output: &Output) -> Result<Option<Native>, Failure> {
        let NativePrograms { args, code, sources, .. } = self;
        if args.no_native || is_module(&code.code) && !args.native || halt::requested() {
            return Ok(None);
        }
        let flags = code::compiler_flags(code)?;
        let made = sources.get_or_init(|| {
            let module = &program.module;
            Arc::new(NativeSources::new(&module.sources, &flags).with_inline(&module.inline))
        });
        let native = Native::build(&[program], made, NativeUse::Counts);
        answer(args, native.map_err(AttackError::Native), output)
    }
}

/// Whether a native program contradicts what proofs take for granted, and nobody errs: it is compiled otherwise than proofs say, or works on
/// objects that they leave out, of which memory that nothing has written may be a part.
pub(crate) fn contradicts_assumptions<T>(program: &CodeProgram, answer: &Result<T, AttackError>) -> bool {
    match answer {
        Err(AttackError::Contradicted(c)) => {
            !c.is_interpreted && (c.is_beyond_proofs || program.rests_on_compilation())
        }
        _ => false,
    }
}

/// What a native program came to; none where it does not answer and none is asked for. A contradiction is a bug.
pub(crate) fn answer<T>(
    args: &NativeArgs,
    answer: Result<T, AttackError>,
    output: &Output,
) -> Result<Option<T>, Failure> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(AttackError::Contradicted(c)) => Err(Failure {
            exit: Exit::Bug,
            messages: vec![format!(
                "error: a bug in magneto: {c}; please report it, with the code\nhint: what a native program does where C leaves \
                 it open, and what depends on its sizes (`long`, pointers), is no bug; --no-native does without such a program\n"
            )],
        }),
        Err(AttackError::Native(e)) if args.native => Err(Failure::usage(format!("--native: {e}"))),
        Err(AttackError::Native(e)) => {
            output.note(format!("the interpreter alone says what the code does: {}", first(&e)));
            Ok(None)
        }
    }
}

/// Why there is no native program, without what the compiler said in full.
fn first(e: &NativeError) -> String {
    e.to_string().lines().take(4).collect::<Vec<_>>().join("\n")
}
