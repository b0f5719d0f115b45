//! The same code as a native program: compiled by the host's C compiler without optimisation, to compare with what the
//! interpreter says.

use super::attack::{Attacked, CallPlan};
use super::callers::{CALLER, called_before, caller, table};
use super::counted::{self, LineCount};
use super::hosted::{ALLOCATING, ENDING};
use super::kind::BOOL;
use super::libc::CLOCKS;
use super::program::CodeProgram;
use crate::cc::Flags;
use crate::cc::compiler::{self, Refusal, first_lines, is_c, named, real};
use crate::threads::Threads;
use crate::tool::{self, Scratch, ToolError};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Why there is no native program, or no answer from it.
#[derive(Debug)]
pub enum NativeError {
    /// A function of a module without debugging information: which file has it is not known.
    NoSource(String),
    /// A compiler or another program is not there; with its name.
    Missing(OsString),
    /// The compiler refused; with what it said.
    Refused(String),
    /// The program ended early; with how.
    Ended(String),
    /// A program gives no answer; with its name.
    Tool(String, ToolError),
    /// A file could not be read or written.
    Io(PathBuf, std::io::Error),
    /// `gcov` gives no counts; with what it said.
    NoCounts(String),
}

impl fmt::Display for NativeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NativeError::NoSource(name) => write!(
                f,
                "which file has `{name}` is not known, so that it cannot be compiled\n  hint: name C files, not a module"
            ),
            NativeError::Missing(name) => {
                write!(f, "`{}` is not there\n  hint: apt-get install gcc", name.to_string_lossy())
            }
            NativeError::Refused(said) => {
                write!(f, "the native compiler refuses the code, or a call of the function:\n{said}")
            }
            NativeError::Ended(how) => write!(f, "the native program ended early: {how}"),
            NativeError::Tool(name, e) => write!(f, "`{name}` is stopped: {e}"),
            NativeError::Io(path, e) => write!(f, "{}: {e}", path.display()),
            NativeError::NoCounts(said) => write!(f, "gcov gives no counts: {said}"),
        }
    }
}

impl std::error::Error for NativeError {}

/// What a native call came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NativeOutcome {
    /// It returned: the bits of the result, and those of all elements behind pointers afterwards.
    Returned(Option<u64>, Vec<u64>),
    /// It called `exit`, or ended otherwise.
    Exited,
    /// A signal ended it.
    Signal(u64),
}

/// A call of one of the functions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NativeCall {
    /// The function, by place among those of the program.
    pub function: usize,
    /// The bits of its inputs.
    pub input: Vec<u64>,
    /// Where the pseudo-random values begin that are behind pointers and no inputs; 0: zeros are there.
    pub filling: u64,
}

/// The program that makes the calls.
const DRIVER: &str = include_str!("include/driver.c");
/// What it does when it makes calls up.
const ATTACK: &str = include_str!("include/attack.c");
/// For the counts, and for what an attack sees of comparisons.
const COUNTED: [&str; 2] = ["--coverage", "-fsanitize-coverage=trace-pc,trace-cmp"];
/// As the source has it: the arithmetic of each operation on its own.
const FIXED: [&str; 5] = ["-O0", "-ffp-contract=off", "-fno-strict-aliasing", "-Dmain=magneto_replaced_main", "-w"];
/// Calls that are made by one process of the driver.
const AT_ONCE: usize = 10_000;

/// Files of counts that are read by one process of `gcov`.
const COUNTED_AT_ONCE: usize = 64;

/// How long one process of the driver may take.
const DRIVEN: Duration = Duration::from_secs(1200);

/// What a native program is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NativeUse {
    /// Its results are compared.
    Results,
    /// The same, and `gcov` counts each line's branches.
    Counts,
    /// To see what depends on values that the code never writes: other ones are in variables, on the stack and in allocated memory.
    UnwrittenValues,
}

/// Variables without a value get one, by compilers that know how (gcc 12, clang 8).
const FILLED: &str = "-ftrivial-auto-var-init=pattern";

/// The sources of native programs. What is the same in all of them is compiled once.
pub struct NativeSources {
    sources: Vec<PathBuf>,
    flags: Flags,
    /// Functions that have inline definitions alone, each with the source.
    inline: Vec<(PathBuf, String)>,
    /// Objects of sources in which no function under test is called.
    objects: Mutex<BTreeMap<(PathBuf, NativeUse), Arc<OnceObject>>>,
    /// Where they are, once there are any.
    folder: Mutex<Option<Scratch>>,
}

/// An object, once it is made.
type OnceObject = Mutex<Option<PathBuf>>;

impl NativeSources {
    /// Sources, and what they are compiled with.
    #[must_use]
    pub fn new(sources: &[PathBuf], flags: &Flags) -> NativeSources {
        NativeSources {
            sources: sources.to_vec(),
            flags: flags.clone(),
            inline: Vec::new(),
            objects: Mutex::default(),
            folder: Mutex::default(),
        }
    }

    /// With functions that have inline definitions alone, each with the source: these are what is called.
    #[must_use]
    pub fn with_inline(self, inline: &[(PathBuf, String)]) -> NativeSources {
        NativeSources { inline: inline.to_vec(), ..self }
    }

    /// The object of a source that stands at a place among all and is followed by callers, or by none. It has the place's name, in
    /// the program's folder if there are callers.
    fn object(
        &self,
        (place, source): (usize, &PathBuf),
        callers: &str,
        usage: NativeUse,
        own: &Path,
    ) -> Result<PathBuf, NativeError> {
        let name = format!("{place}.o");
        if !callers.is_empty() {
            return self.compile(source, callers, usage, &own.join(name));
        }
        let key = (source.clone(), usage);
        let slot = self.objects.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default().clone();
        let mut made = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if made.is_none() {
            let folder = self.folder()?.join(format!("{usage:?}"));
            std::fs::create_dir_all(&folder).map_err(|e| NativeError::Io(folder.clone(), e))?;
            *made = Some(self.compile(source, callers, usage, &folder.join(name))?);
        }
        let object = made.clone().unwrap_or_default();
        if usage == NativeUse::Counts {
            // `gcov` looks for its notes beside the counts, which are the program's own.
            let (notes, place) = (object.with_extension("gcno"), own.join(format!("{place}.gcno")));
            // Not all file systems have links.
            let linked = std::fs::hard_link(&notes, &place).or_else(|_| std::fs::copy(&notes, &place).map(drop));
            linked.map_err(|e| NativeError::Io(place, e))?;
        }
        Ok(object)
    }

    fn compile(&self, source: &Path, callers: &str, usage: NativeUse, object: &Path) -> Result<PathBuf, NativeError> {
        let is_c = is_c(source);
        let caller = object.with_extension(if is_c { "c" } else { "cc" });
        // By this declaration an inline definition is one for all files (C11, 6.7.4).
        let inline = self.inline.iter().filter(|(file, _)| real(file) == real(source));
        let declared: String =
            inline.map(|(_, name)| format!("extern __typeof__({name}) {name} __attribute__((weak));\n")).collect();
        write(&caller, &format!("{BOOL}{CALLER}{declared}{callers}"))?;
        let compiled = |more: &[&str]| {
            let mut command = Command::new(self.compiler());
            command.args(FIXED).arg(if is_c { "-std=gnu11" } else { "-fno-access-control" });
            command.args(self.flags.arguments()).args(COUNTED.iter().filter(|_| usage == NativeUse::Counts)).args(more);
            command.arg("-include").arg(source).arg("-c").arg(&caller).arg("-o").arg(object);
            // What it leaves where it is killed goes with the folder.
            command.envs(object.parent().map(|folder| ("TMPDIR", folder)));
            run(&command)
        };
        let answer = match usage {
            NativeUse::UnwrittenValues => compiled(&[FILLED]).or_else(|_| compiled(&[])),
            NativeUse::Results | NativeUse::Counts => compiled(&[]),
        };
        answer.map(|_| object.to_owned())
    }

    /// The folder of the objects.
    fn folder(&self) -> Result<PathBuf, NativeError> {
        let mut folder = self.folder.lock().unwrap_or_else(PoisonError::into_inner);
        let made = match folder.take() {
            Some(made) => made,
            None => Scratch::make().map_err(|(path, e)| NativeError::Io(path, e))?,
        };
        Ok(folder.insert(made).path().to_owned())
    }

    /// The compiler of all sources.
    fn compiler(&self) -> OsString {
        if self.sources.iter().any(|s| !is_c(s)) { named("CXX", "c++") } else { named("CC", "cc") }
    }
}

/// Functions as a native program.
pub struct Native {
    folder: Scratch,
    usage: NativeUse,
    sources: Arc<NativeSources>,
    /// How many inputs and elements behind pointers a call has room for.
    words: (usize, usize),
    /// For each function how many elements are behind its pointers, and whether it returns something.
    shapes: Vec<(usize, bool)>,
    /// Where `gcov` finds what is counted, a file for each source.
    counted: Vec<PathBuf>,
    /// The compiler, as it was called.
    pub compiler: String,
}

impl Native {
    /// Functions of the same sources.
    ///
    /// # Errors
    /// See [`NativeError`].
    pub fn build(
        programs: &[&CodeProgram],
        sources: &Arc<NativeSources>,
        usage: NativeUse,
    ) -> Result<Native, NativeError> {
        let counts = usage == NativeUse::Counts;
        let folder = Scratch::make().map_err(|(path, e)| NativeError::Io(path, e))?;
        let shapes: Vec<(usize, bool)> = programs.iter().map(|p| (behind(p), p.result().is_some())).collect();
        let words =
            (programs.iter().map(|p| p.inputs.len()).max().unwrap_or(0), shapes.iter().map(|s| s.0).max().unwrap_or(0));
        let mut callers: BTreeMap<PathBuf, String> = sources.sources.iter().map(|s| (real(s), String::new())).collect();
        for (i, program) in programs.iter().enumerate() {
            let nowhere = || NativeError::NoSource(program.name().to_owned());
            let file = program.source_file().map(real).filter(|file| callers.contains_key(file));
            let one = sources.sources.first().filter(|_| !program.module.debug.is_empty()).map(|s| real(s));
            let file = file.or(one).ok_or_else(nowhere)?;
            callers.get_mut(&file).ok_or_else(nowhere)?.push_str(&caller(i, program, is_c(&file)));
        }
        let before = programs.first().and_then(|p| p.module.called_before());
        if let Some((file, name)) = &before {
            let nowhere = || NativeError::NoSource(name.clone());
            callers.get_mut(&real(file)).ok_or_else(nowhere)?.push_str(&called_before(name));
        }
        let compiler = sources.compiler();
        let mut native = Native {
            words,
            shapes,
            counted: Vec::new(),
            compiler: format!("{} -O0", compiler.to_string_lossy()),
            folder,
            usage,
            sources: sources.clone(),
        };
        let root = native.folder.path().to_owned();
        let at = |name: &str| root.join(name);
        let mut objects = vec![at("driver.o")];
        write(&at("driver.c"), &(DRIVER.to_owned() + &table(programs.len(), words, before.is_some())))?;
        write(&at("attack.c"), ATTACK)?;
        let mut driver = Command::new(named("CC", "cc"));
        driver
            .args(["-O1", "-w", "-c"])
            .args(counts.then_some("-DMAGNETO_COUNTED"))
            .arg(at("driver.c"))
            .arg("-o")
            .arg(at("driver.o"))
            .env("TMPDIR", &root);
        run(&driver)?;
        let numbered: Vec<(usize, (&PathBuf, &String))> = callers.iter().enumerate().collect();
        let compile =
            |(i, (source, callers)): &(usize, (&PathBuf, &String))| sources.object((*i, source), callers, usage, &root);
        for object in Threads::default().side_by_side(1, &numbered, compile) {
            objects.push(object?);
        }
        if counts {
            native.counted = (0..numbered.len()).map(|i| at(&format!("{i}.gcda"))).collect();
        }
        native.link(&compiler, &objects, counts)?;
        Ok(native)
    }

    /// Which of these calls come to something else where the code finds other values in what it never wrote. `programs` are those
    /// that it was built of, and `outcomes` what it came to.
    ///
    /// # Errors
    /// See [`NativeError`].
    pub fn unwritten(
        &self,
        programs: &[&CodeProgram],
        calls: &[NativeCall],
        outcomes: &[NativeOutcome],
    ) -> Result<Vec<bool>, NativeError> {
        if calls.is_empty() {
            return Ok(Vec::new());
        }
        let filled = Native::build(programs, &self.sources, NativeUse::UnwrittenValues)?;
        Ok(filled.calls(calls)?.iter().zip(outcomes).map(|(filled, plain)| filled != plain).collect())
    }

    /// Links the program. What is not there is not called in what is compared.
    fn link(&self, compiler: &OsString, objects: &[PathBuf], counts: bool) -> Result<(), NativeError> {
        let at = |name: &str| self.folder.path().join(name);
        let linked = |more: &[&str], stubs: Option<PathBuf>| {
            let mut linker = Command::new(compiler);
            linker.args(more).args(objects).args(stubs).args(counts.then_some("--coverage"));
            let wrapped = CLOCKS.iter().chain(&ALLOCATING).chain(&ENDING);
            linker.args(wrapped.map(|name| format!("-Wl,--wrap={name}"))).env("TMPDIR", self.folder.path());
            run(linker.arg("-lm").arg("-o").arg(at("native")))
        };
        const OPEN: [&str; 2] = ["-no-pie", "-Wl,--unresolved-symbols=ignore-all"];
        let Err(first) = linked(&[], None) else { return Ok(()) };
        let Err(NativeError::Refused(_)) = linked(&OPEN, None) else { return Ok(()) };
        let names = hidden_symbols(objects);
        if names.is_empty() {
            return Err(first);
        }
        let stub = |name: &String| format!("__attribute__((weak)) void {name}(void) {{ __builtin_trap(); }}\n");
        write(&at("stubs.c"), &names.iter().map(stub).collect::<String>())?;
        let mut c = Command::new(named("CC", "cc"));
        run(c.args(["-w", "-fno-builtin", "-c"]).arg(at("stubs.c")).arg("-o").arg(at("stubs.o")))?;
        linked(&OPEN, Some(at("stubs.o"))).map(drop)
    }

    /// Make calls, each in a process of its own.
    ///
    /// # Errors
    /// See [`NativeError`].
    pub fn calls(&self, calls: &[NativeCall]) -> Result<Vec<NativeOutcome>, NativeError> {
        let mut outcomes = Vec::with_capacity(calls.len());
        for some in calls.chunks(AT_ONCE) {
            self.some(some, &mut outcomes)?;
        }
        Ok(outcomes)
    }

    /// Make up calls of the first function, many in one process. `gcov` does not count them.
    ///
    /// # Errors
    /// See [`NativeError`].
    pub fn attack(&self, plan: &CallPlan) -> Result<Attacked, NativeError> {
        let words = self.driver(plan.words(), &["attack"])?;
        Attacked::read(&words, self.words.0).ok_or_else(|| NativeError::Ended("an attack without an answer".to_owned()))
    }

    /// Runs the driver; what it answers.
    fn driver(&self, words: impl Iterator<Item = u64>, more: &[&str]) -> Result<Vec<u64>, NativeError> {
        let (asked, answered) = (self.folder.path().join("calls"), self.folder.path().join("results"));
        let bytes: Vec<u8> = words.flat_map(u64::to_ne_bytes).collect();
        std::fs::write(&asked, bytes).map_err(|e| NativeError::Io(asked.clone(), e))?;
        let mut command = Command::new(self.folder.path().join("native"));
        command.arg(&asked).arg(&answered).args(more);
        if self.usage == NativeUse::Counts {
            // All counts go to this folder, whichever the object's own is: no path has so many folders.
            command.env("GCOV_PREFIX", self.folder.path()).env("GCOV_PREFIX_STRIP", "999");
        }
        if self.usage == NativeUse::UnwrittenValues {
            // The second one is glibc's: allocated memory begins with the byte's complement. All get the byte that gcc gives to variables,
            // with which floats are too large to be lost in a sum.
            let tunables = "glibc.malloc.perturb=1:glibc.malloc.tcache_count=0";
            command.env("MAGNETO_FILL_STACK", "").env("GLIBC_TUNABLES", tunables);
        }
        let status = tool::status(&command, DRIVEN).map_err(|e| tool_error(&command, e))?;
        if !status.success() {
            return Err(NativeError::Ended(status.to_string()));
        }
        let bytes = std::fs::read(&answered).map_err(|e| NativeError::Io(answered.clone(), e))?;
        Ok(bytes.chunks_exact(8).filter_map(|w| Some(u64::from_ne_bytes(w.try_into().ok()?))).collect())
    }

    fn some(&self, calls: &[NativeCall], outcomes: &mut Vec<NativeOutcome>) -> Result<(), NativeError> {
        let row = |call: &NativeCall| {
            let inputs = call.input.iter().copied().chain(std::iter::repeat(0)).take(self.words.0);
            [call.function as u64, call.filling].into_iter().chain(inputs).collect::<Vec<_>>()
        };
        let words = self.driver(calls.iter().flat_map(row), &[])?;
        let length = 2 + self.words.1;
        if words.len() != calls.len() * length {
            return Err(NativeError::Ended("not all calls are answered".to_owned()));
        }
        for (row, call) in words.chunks_exact(length).zip(calls) {
            let (behind, returns) = self.shapes[call.function];
            outcomes.push(match row[0] {
                0 => NativeOutcome::Returned(returns.then_some(row[1]), row[2..2 + behind].to_vec()),
                1 => NativeOutcome::Exited,
                signal => NativeOutcome::Signal(signal - 1),
            });
        }
        Ok(())
    }

    /// Forget what `gcov` has counted so far.
    ///
    /// # Errors
    /// See [`NativeError`].
    pub fn forget(&self) -> Result<(), NativeError> {
        for counts in &self.counted {
            match std::fs::remove_file(counts) {
                Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(NativeError::Io(counts.clone(), e)),
                _ => {}
            }
        }
        Ok(())
    }

    /// For each file (see [`real`]) and line how often it was run, and each of its branches taken, in all calls that returned, or called what ends a program.
    ///
    /// # Errors
    /// See [`NativeError`].
    pub fn counts(&self) -> Result<BTreeMap<(PathBuf, u32), LineCount>, NativeError> {
        let mut all: BTreeMap<(PathBuf, u32), LineCount> = BTreeMap::new();
        for some in self.counted.chunks(COUNTED_AT_ONCE) {
            let mut gcov = Command::new(named("GCOV", "gcov"));
            gcov.args(["--branch-probabilities", "--json-format", "--stdout"]).args(some);
            let text = run(&gcov)?;
            for (file, line, count) in counted::read(&text).map_err(NativeError::NoCounts)? {
                let own = all.entry((real(Path::new(&file)), line)).or_default();
                own.runs += count.runs;
                own.branches.extend(count.branches);
            }
        }
        Ok(all)
    }
}

/// The symbols that objects use and none of them defines, and that are hidden from other files: they have to be there.
fn hidden_symbols(objects: &[PathBuf]) -> BTreeSet<String> {
    let table = run(Command::new("readelf").arg("-sW").args(objects)).unwrap_or_default();
    // Number, value, size, type, binding, visibility, section, name.
    let symbols = table.lines().filter_map(|line| {
        let mut words = line.split_whitespace().skip(5);
        Some((words.next()?, words.next()?, words.next()?))
    });
    let (lacking, defined): (Vec<_>, Vec<_>) = symbols.partition(|(_, section, _)| *section == "UND");
    let mut hidden: BTreeSet<&str> =
        lacking.into_iter().filter(|(visibility, ..)| *visibility != "DEFAULT").map(|(.., name)| name).collect();
    defined.iter().for_each(|(.., name)| {
        hidden.remove(name);
    });
    hidden.into_iter().map(str::to_owned).collect()
}

fn write(path: &Path, text: &str) -> Result<(), NativeError> {
    std::fs::write(path, text).map_err(|e| NativeError::Io(path.to_owned(), e))
}

/// Runs a program; what it wrote.
fn run(command: &Command) -> Result<String, NativeError> {
    compiler::run(command, "").map(|answer| answer.output).map_err(|e| match e {
        Refusal::Tool(e) => tool_error(command, e),
        Refusal::Refused(said) => NativeError::Refused(first_lines(&said, 20)),
    })
}

fn tool_error(command: &Command, e: ToolError) -> NativeError {
    match e {
        ToolError::Missing => NativeError::Missing(command.get_program().to_owned()),
        e => NativeError::Tool(command.get_program().to_string_lossy().into_owned(), e),
    }
}

/// How many elements are behind a function's pointers.
fn behind(program: &CodeProgram) -> usize {
    program.kinds_behind().count()
}
