//! The functions of a module in machine code, as far as searches have had them compiled: functions of a library call the same ones.

use super::{Context, FLAGS, text};
use crate::cc::compiler::{self, named};
use crate::code::module::Module;
use crate::halt::{self, HaltReason, Token};
use crate::tool::Scratch;
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

pub(super) type Run = unsafe extern "C" fn(*mut Context, *const u64) -> u64;

/// What there is of a function.
#[derive(Clone, Copy)]
enum FunctionCode {
    /// A search is having it compiled.
    InWork,
    /// There is no machine code for it.
    Refused,
    Ready(ReadyFunction),
}

#[derive(Clone, Copy)]
struct ReadyFunction {
    /// Where it is.
    address: *const c_void,
    /// What calls it with arguments as bits.
    run: Run,
}

#[derive(Default)]
struct Compiled {
    functions: BTreeMap<u32, FunctionCode>,
    /// Where they are.
    libraries: Vec<Library>,
}

// SAFETY: the addresses are of code, which any thread may run, and which stays as long as the libraries that are kept beside them.
unsafe impl Send for Compiled {}

/// A module, and what there is of its functions.
struct Code {
    module: Arc<Module>,
    compiled: Mutex<Compiled>,
}

/// The functions of a module in machine code. Searches of its functions on several threads share it.
pub struct MachineCode {
    code: Arc<Code>,
    /// Ends what is compiled: with the work of the thread that made this, and when this is dropped.
    token: Token,
    /// The threads that have something compiled.
    threads: Mutex<Vec<JoinHandle<()>>>,
}

/// What calls the first of some functions.
#[derive(Clone, Copy)]
pub struct ReadyCode(pub(super) Run);

/// What there is of the functions that a program reaches.
pub enum Availability {
    /// All of them.
    Ready(ReadyCode),
    /// These have to be compiled.
    Lacks(Vec<u32>),
    /// Another thread has some of them compiled.
    InWork,
    /// Some cannot be had.
    Refused,
}

impl MachineCode {
    /// Of this module; nothing is compiled yet.
    #[must_use]
    pub fn of(module: &Arc<Module>) -> Arc<MachineCode> {
        let code = Arc::new(Code { module: Arc::clone(module), compiled: Mutex::default() });
        Arc::new(MachineCode { code, token: Token::of_part(), threads: Mutex::default() })
    }

    /// Whether it is of this module.
    #[must_use]
    pub fn is_of(&self, module: &Arc<Module>) -> bool {
        Arc::ptr_eq(&self.code.module, module)
    }

    /// What there is of these functions.
    #[must_use]
    pub fn availability(&self, functions: &[u32]) -> Availability {
        // A compiler moves operations over the calls that ask for what they raise, or that say how they round.
        match self.code.module.uses_float_modes() {
            true => Availability::Refused,
            false => available(&self.code.lock(), functions),
        }
    }

    /// Compiles what there is not of these functions; whether all are there then.
    pub fn compile(&self, functions: &[u32]) -> bool {
        if let Some(lacking) = self.code.take(functions) {
            self.code.compile(&lacking);
        }
        matches!(self.availability(functions), Availability::Ready(_))
    }

    /// The same while the thread goes on: it looks later what there is.
    pub fn compile_beside(&self, functions: &[u32]) {
        let Some(lacking) = self.code.take(functions) else { return };
        let (code, token, own) = (Arc::clone(&self.code), self.token.clone(), lacking.clone());
        match thread::Builder::new().spawn(move || halt::under(Some(token), || code.compile(&own))) {
            Ok(thread) => self.threads.lock().unwrap_or_else(PoisonError::into_inner).push(thread),
            // The machine gives no thread: runs are interpreted.
            Err(_) => self.code.lock().functions.extend(lacking.iter().map(|f| (*f, FunctionCode::Refused))),
        }
    }
}

impl Drop for MachineCode {
    fn drop(&mut self) {
        self.token.request(HaltReason::Interrupted);
        for thread in self.threads.get_mut().unwrap_or_else(PoisonError::into_inner).drain(..) {
            // One that panicked has said so.
            let _ = thread.join();
        }
    }
}

impl Code {
    fn lock(&self) -> MutexGuard<'_, Compiled> {
        self.compiled.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Those of some functions that have to be compiled, which are the caller's work from now on; none where there are none, or where
    /// others are refused or in work.
    fn take(&self, functions: &[u32]) -> Option<Vec<u32>> {
        let mut compiled = self.lock();
        let Availability::Lacks(lacking) = available(&compiled, functions) else { return None };
        compiled.functions.extend(lacking.iter().map(|f| (*f, FunctionCode::InWork)));
        Some(lacking)
    }

    /// Compiles functions that are in work.
    fn compile(&self, functions: &[u32]) {
        let made = self.library(functions);
        let mut compiled = self.lock();
        functions.iter().for_each(|f| _ = compiled.functions.remove(f));
        let linked = made.map(|library| (linked(&library, functions, &compiled), library));
        match linked {
            Ok((Some(ready), library)) => {
                compiled.functions.extend(ready.into_iter().map(|(f, ready)| (f, FunctionCode::Ready(ready))));
                compiled.libraries.push(library);
            }
            Ok((None, _)) => compiled.functions.extend(functions.iter().map(|f| (*f, FunctionCode::Refused))),
            Err(refused) => compiled.functions.extend(refused.iter().map(|f| (*f, FunctionCode::Refused))),
        }
    }

    /// A library of functions, loaded.
    ///
    /// # Errors
    /// The functions of which there is no machine code; none where the compiler was interrupted.
    fn library(&self, functions: &[u32]) -> Result<Library, Vec<u32>> {
        let text = text::text(&self.module, functions)?;
        Self::loaded(&text).ok_or_else(|| if halt::requested() { Vec::new() } else { functions.to_vec() })
    }

    /// What the compiler makes of a file, loaded; none where it makes nothing of it.
    fn loaded(text: &str) -> Option<Library> {
        let folder = Scratch::make().ok()?;
        let (source, library) = (folder.path().join("run.c"), folder.path().join("run.so"));
        std::fs::write(&source, text).ok()?;
        let mut command = Command::new(named("CC", "cc"));
        command.args(FLAGS).arg(&source).arg("-o").arg(&library).arg("-lm");
        // What it leaves where it is killed goes with the folder.
        command.env("TMPDIR", folder.path());
        compiler::run(&command, "").ok()?;
        // SAFETY: the file was made from our own text; nothing of it runs when it is loaded.
        unsafe { Library::open(Some(&library), RTLD_NOW | RTLD_LOCAL) }.ok()
    }
}

fn available(compiled: &Compiled, functions: &[u32]) -> Availability {
    let mut lacking = Vec::new();
    let mut is_in_work = false;
    let mut first = None;
    for f in functions {
        match compiled.functions.get(f) {
            Some(FunctionCode::Refused) => return Availability::Refused,
            Some(FunctionCode::InWork) => is_in_work = true,
            Some(FunctionCode::Ready(ready)) => first = first.or(Some(ready.run)),
            None => lacking.push(*f),
        }
    }
    match (is_in_work, lacking.is_empty(), first) {
        (true, ..) => Availability::InWork,
        (_, true, Some(run)) => Availability::Ready(ReadyCode(run)),
        _ => Availability::Lacks(lacking),
    }
}

/// Tells a library where the functions are that it calls and has not; gives where its own are.
fn linked(library: &Library, own: &[u32], others: &Compiled) -> Option<Vec<(u32, ReadyFunction)>> {
    // SAFETY: the text defines them with these types: two addresses for each of its functions, and a function that takes the
    // address of another one by number.
    unsafe {
        let link = library.get::<unsafe extern "C" fn(u32, *const c_void)>(b"magneto_link").ok()?;
        for (f, code) in &others.functions {
            if let FunctionCode::Ready(ready) = code {
                link(*f, ready.address);
            }
        }
        let addresses = *library.get::<*const *const c_void>(b"magneto_functions").ok()?;
        let runs = *library.get::<*const Run>(b"magneto_runs").ok()?;
        let ready = |n: usize| ReadyFunction { address: *addresses.add(n), run: *runs.add(n) };
        Some(own.iter().enumerate().map(|(n, f)| (*f, ready(n))).collect())
    }
}
