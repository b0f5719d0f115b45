//! C and C++ to a WebAssembly module, through clang and wasm-ld. The compiler's front end runs for the user's own machine
//! (`ir`). Optimisations are off, so that the branches are the source's; debugging information says which is where.

use super::assumed::{CompiledAssumption, DATED, ROUNDING, of_inline};
use super::ir::{CallGraph, Target, Text, defined_for_all, inline_used, wide, with_linkage};
use super::libc;
use super::module::{FLOOR, Malformed, Module};
use super::passing::{DefinedSymbol, PassedAs};
use super::probe::ProbeQuestion;
use super::siblings::{Sibling, Siblings};
use super::symbols::Symbols;
use crate::cc::Flags;
use crate::cc::compiler::{self, Refusal, first_lines, is_c, named, real};
use crate::cc::names::{cpp, generic};
use crate::threads::Threads;
use crate::tool::{Scratch, ToolError};
use crate::unfit::io_reason;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Why there is no module.
#[derive(Debug)]
pub enum CompileError {
    /// A program that is needed is not there; with its name.
    Missing(&'static str),
    /// The compiler or the linker refused; with what it said.
    Refused(String),
    /// Variables that are defined in none of the files.
    Undefined(Vec<String>),
    /// Files that take a function for one of different types; with what the linker said.
    Mismatch(String),
    /// The native compiler makes something else of the sources; with what, and where.
    Unlike(String),
    /// A compiler or the linker gives no answer; with its name.
    Tool(String, ToolError),
    /// A file could not be read or written.
    Io(PathBuf, std::io::Error),
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::Missing(program) => write!(
                f,
                "`{program}` is needed to look into C code and is not there\n  hint: apt-get install clang lld, dnf install \
                 clang lld, or brew install llvm lld; or name one in ${}",
                if *program == "wasm-ld" { "WASM_LD" } else { "CLANG" }
            ),
            CompileError::Refused(said) | CompileError::Unlike(said) => f.write_str(said.trim_end()),
            CompileError::Undefined(names) => write!(
                f,
                "the code uses variables that are not there: {}\n  hint: name the files that define them, too",
                names.join(", ")
            ),
            CompileError::Mismatch(said) => write!(
                f,
                "a function has other parameters or another result where it is defined than where it is called\n{said}\n  hint: \
                 declare it where it is called as it is defined"
            ),
            CompileError::Tool(name, e) => write!(f, "`{name}` is stopped: {e}"),
            CompileError::Io(path, e) => write!(f, "{}: {}", path.display(), io_reason(e)),
        }
    }
}

impl std::error::Error for CompileError {}

/// Branches as in the source: no pass of the optimiser runs, and none of the flags lets the compiler rearrange.
const FIXED: [&str; 12] = [
    "-S",
    "-emit-llvm",
    "-O1",
    // As in the native program, which is compiled without optimisation.
    "-U__OPTIMIZE__",
    "-Xclang",
    "-disable-llvm-passes",
    "-fno-builtin",
    "-fno-strict-aliasing",
    "-ffp-contract=off",
    "-fno-stack-protector",
    "-fdebug-default-version=4",
    "-g",
];
/// From LLVM's text to an object of WebAssembly.
const CODED: [&str; 6] = ["--target=wasm64", "-O1", "-Xclang", "-disable-llvm-passes", "-Wno-override-module", "-c"];
/// What is no error by default, and leads to a call of something else than the native program calls.
const ERRORS: [&str; 3] =
    ["-Werror=implicit-function-declaration", "-Werror=incompatible-pointer-types", "-Werror=int-conversion"];

/// The size of the stack, which begins where memory does. Unit: bytes.
const STACK: u64 = 262_144;

/// Whether sources are a module that is compiled already.
#[must_use]
pub fn is_module(sources: &[PathBuf]) -> bool {
    matches!(sources, [module] if module.extension().is_some_and(|e| e == "wasm"))
}

/// What comes of sources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compiled {
    /// The module.
    pub bytes: Vec<u8>,
    /// Variables outside of functions that are no constants, and code of these files may write.
    pub variables: Vec<String>,
    /// Functions with a symbol each that they use and another definition may replace.
    pub weak: Vec<(String, String)>,
    /// Functions of C that have inline definitions alone, each with a source that has one.
    pub inline: Vec<(PathBuf, String)>,
    /// What proofs take for granted of how the code is compiled.
    pub assumed: Vec<CompiledAssumption>,
    /// What the compiler warns of.
    pub warnings: String,
    /// How functions take their parameters.
    pub passing: BTreeMap<DefinedSymbol, Vec<PassedAs>>,
    /// Variables that are used and that no file defines.
    pub absent: Vec<String>,
    /// All files that it is made of: those that were named, and others that define what these use.
    pub sources: Vec<PathBuf>,
    /// How many of these were named.
    pub named: usize,
    /// Whether the others define variables that those may use.
    pub adds_variables: bool,
    /// Files that were named and that the compiler refuses, each with what it says: left out where all functions are asked for.
    pub refused: Vec<(PathBuf, String)>,
}

impl Compiled {
    /// The module, with what is known of its sources.
    ///
    /// # Errors
    /// What cannot be run.
    pub fn module(&self, question: Option<ProbeQuestion>) -> Result<Module, Malformed> {
        let mut module = Module::decode_asking(&self.bytes, !is_module(&self.sources), question)?;
        module.variables.clone_from(&self.variables);
        module.weak.clone_from(&self.weak);
        module.inline.clone_from(&self.inline);
        module.assumed.clone_from(&self.assumed);
        module.passing.clone_from(&self.passing);
        module.sources.clone_from(&self.sources);
        module.adds_variables = self.adds_variables;
        module.siblings = self.sources[self.named..].iter().map(|s| compiler::real(s)).collect();
        module.tell_functions_apart();
        let place = |name: &String| module.exported.get(name).map(|at| (*at..*at + ABSENT, name.clone()));
        module.absent = self.absent.iter().filter_map(place).collect();
        Ok(module)
    }
}

/// Room for a variable of which nothing is known. Unit: bytes.
const ABSENT: u32 = 4096;

/// Compile and link sources to one module; the bytes of it. A `.wasm` file alone is taken as it is.
///
/// # Errors
/// A missing program, and what the compiler or linker says; what would be another thing in the module.
pub fn compile(sources: &[PathBuf], flags: &Flags) -> Result<Vec<u8>, CompileError> {
    compile_alone(sources, flags).map(|c| c.bytes)
}

/// The same with what is worth to be told of the code. Files beside these that define what the named functions call are
/// compiled with them. Where no function is named, all of these files are asked for that the compiler takes.
///
/// # Errors
/// As for [`compile`].
pub fn compile_told(sources: &[PathBuf], flags: &Flags, functions: &[String]) -> Result<Compiled, CompileError> {
    let first = told(sources, flags, functions, false)?;
    let defined: BTreeSet<String> = first.passing.keys().map(|defined| last_name(&defined.symbol)).collect();
    let has = |f: &String| {
        let name = f.replace("(anonymous namespace)::", "");
        let name = generic(name.split('(').next().unwrap_or_default());
        defined.contains(name.rsplit(':').next().unwrap_or_default())
    };
    if functions.iter().all(has) { Ok(first) } else { told(sources, flags, functions, true) }
}

/// The name of a function in its class or namespace, by its symbol.
fn last_name(symbol: &str) -> String {
    let Some((name, _)) = cpp(symbol) else { return symbol.to_owned() };
    generic(&name).rsplit("::").next().unwrap_or_default().to_owned()
}

fn told(sources: &[PathBuf], flags: &Flags, functions: &[String], has_unused: bool) -> Result<Compiled, CompileError> {
    let mut siblings = Siblings::of(sources, flags);
    let plan = Plan { sources, flags, has_unused, takes_rest: functions.is_empty() && sources.len() > 1 };
    match made(&plan, Some((&mut siblings, functions))) {
        // Files that do not belong together.
        Err(CompileError::Mismatch(_) | CompileError::Refused(_)) if siblings.are_used() => made(&plan, None),
        made => made,
    }
}

/// The same with what is worth to be told of these files, and no others beside them.
///
/// # Errors
/// As for [`compile`].
pub fn compile_alone(sources: &[PathBuf], flags: &Flags) -> Result<Compiled, CompileError> {
    made(&Plan { sources, flags, has_unused: true, takes_rest: false }, None)
}

/// What a module is made of.
struct Plan<'p> {
    sources: &'p [PathBuf],
    flags: &'p Flags,
    /// Whether what is not used is compiled, too.
    has_unused: bool,
    /// Whether the other files are taken where the compiler refuses some.
    takes_rest: bool,
}

fn made(plan: &Plan<'_>, siblings: Option<(&mut Siblings, &[String])>) -> Result<Compiled, CompileError> {
    let Plan { sources, flags, has_unused, takes_rest } = *plan;
    let read = |path: &Path| std::fs::read(path).map_err(|e| CompileError::Io(path.to_owned(), e));
    if is_module(sources) {
        let (sources, named) = (sources.to_vec(), sources.len());
        return Ok(Compiled { bytes: read(&sources[0])?, sources, named, ..Compiled::default() });
    }
    for source in sources {
        std::fs::metadata(source).map_err(|e| CompileError::Io(source.clone(), e))?;
    }
    let folder = Scratch::make().map_err(|(path, e)| CompileError::Io(path, e))?;
    let mut work = Work {
        folder,
        flags,
        has_unused,
        compiled: Compiled::default(),
        objects: Vec::new(),
        symbols: Symbols::default(),
        inline: Vec::new(),
    };
    let target = target(work.folder.path())?;
    let numbered: Vec<(usize, &PathBuf)> = sources.iter().enumerate().collect();
    let read_one = |(i, source): &(usize, &PathBuf)| work.code_of(source, &format!("{i}.ll"));
    let mut texts = Vec::new();
    for (source, front) in sources.iter().zip(Threads::default().side_by_side(1, &numbered, read_one)) {
        match front {
            Ok((text, warnings)) => {
                work.compiled.warnings += &warnings;
                work.note(source, &text);
                work.compiled.sources.push(source.clone());
                texts.push(text);
            }
            Err(CompileError::Refused(said)) if takes_rest => {
                work.compiled.refused.push((source.clone(), said));
            }
            Err(e) => return Err(e),
        }
    }
    if let (true, Some((_, said))) = (texts.is_empty(), work.compiled.refused.first()) {
        return Err(CompileError::Refused(said.clone()));
    }
    work.compiled.named = texts.len();
    let defined = |texts: &[String]| -> BTreeSet<String> {
        texts.iter().flat_map(|t| Text::new(t).defined().map(str::to_owned).collect::<Vec<_>>()).collect()
    };
    let weak = texts.iter().flat_map(|t| Text::new(t).weak_undefined().map(str::to_owned).collect::<Vec<_>>());
    let absent: BTreeSet<String> = weak.collect::<BTreeSet<_>>().difference(&defined(&texts)).cloned().collect();
    let numbered: Vec<(usize, &String)> = texts.iter().enumerate().collect();
    let code_one = |(i, text): &(usize, &String)| work.object_of(&Text::new(text), &target, &absent, &i.to_string());
    for object in Threads::default().side_by_side(1, &numbered, code_one) {
        work.keep(object?)?;
    }
    if let Some((siblings, functions)) = siblings {
        let mut calls = CallGraph::default();
        texts.iter().for_each(|text| calls.add(text));
        work.add_siblings(&target, (siblings, functions), calls)?;
    }
    let mut inline = std::mem::take(&mut work.inline);
    inline.retain(|(_, name)| !work.symbols.is_strong(name));
    let names: BTreeSet<&String> = inline.iter().map(|(_, name)| name).collect();
    work.compiled.assumed.extend(names.into_iter().map(|name| of_inline(name)));
    work.compiled.inline = inline;
    work.compiled.variables = work.symbols.changeable.clone();
    work.add_library(&target)?;
    let Work { folder, mut compiled, objects, .. } = work;
    let module = folder.path().join("module.wasm");
    let mut linker = Command::new(named("WASM_LD", "wasm-ld"));
    linker.args(["-mwasm64", "--no-entry", "--export-all", "--allow-undefined", "--no-gc-sections", "--stack-first"]);
    linker.args(["-z", &format!("stack-size={}", FLOOR + STACK)]).args(&objects).arg("-o").arg(&module);
    let said = run(&linker, "wasm-ld")?;
    if said.contains("function signature mismatch") {
        return Err(CompileError::Mismatch(mismatch(&said, &compiled.sources)));
    }
    compiled.bytes = read(&module)?;
    Ok(compiled)
}

/// A module that is being made.
struct Work<'w> {
    folder: Scratch,
    flags: &'w Flags,
    /// Whether what is not used is compiled, too.
    has_unused: bool,
    compiled: Compiled,
    objects: Vec<OsString>,
    symbols: Symbols,
    /// Functions of C that have inline definitions, each with the source.
    inline: Vec<(PathBuf, String)>,
}

impl Work<'_> {
    fn read(path: &Path) -> Result<Vec<u8>, CompileError> {
        std::fs::read(path).map_err(|e| CompileError::Io(path.to_owned(), e))
    }

    fn write(path: &Path, text: &str) -> Result<(), CompileError> {
        std::fs::write(path, text).map_err(|e| CompileError::Io(path.to_owned(), e))
    }

    /// What the front end makes of a source, and what it warns of.
    fn code_of(&self, source: &Path, name: &str) -> Result<(String, String), CompileError> {
        let code = self.folder.path().join(name);
        let warnings = run(&clang(source, self.flags, &code, self.has_unused), "clang")?;
        let mut text = String::from_utf8_lossy(&Self::read(&code)?).into_owned();
        if warnings.contains("[-Wdate-time]") {
            text.push_str(DATED);
        }
        if is_c(source) {
            text = self.with_inline(source, name, text)?;
        }
        Ok((text, warnings))
    }

    /// A text of C of which is known what its inline definitions are for.
    fn with_inline(&self, source: &Path, name: &str, text: String) -> Result<String, CompileError> {
        let own = String::from_utf8_lossy(&Self::read(source)?).into_owned();
        let names: Vec<String> = inline_used(&text, &own).into_iter().map(str::to_owned).collect();
        if names.is_empty() {
            return Ok(text);
        }
        let external = self.external(source, name, (&names, ""));
        let declared: String = names.iter().map(|name| format!("extern __typeof__({name}) {name};\n")).collect();
        let inline = self.external(source, name, (&names, &declared));
        Ok(with_linkage(&text, &external, &inline))
    }

    /// Those of some functions that a source defines for all files, where something is declared behind it.
    fn external(&self, source: &Path, name: &str, (names, declared): (&[String], &str)) -> BTreeSet<String> {
        let (all, code) =
            (self.folder.path().join(format!("{name}.all.c")), self.folder.path().join(format!("{name}.all")));
        let text = format!("#include \"{}\"\n{declared}", real(source).display());
        if std::fs::write(&all, text).is_err() || run(&front(&all, self.flags, &code), "clang").is_err() {
            return BTreeSet::new();
        }
        let text = Self::read(&code).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let defined: BTreeSet<&str> = defined_for_all(&text).collect();
        names.iter().filter(|name| defined.contains(name.as_str())).cloned().collect()
    }

    /// Keeps what is told of the code.
    fn note(&mut self, source: &Path, text: &str) {
        let parsed = Text::new(text);
        self.compiled.weak.extend(parsed.weak_uses());
        let has_builtins = !self.flags.options.iter().any(|o| o == "-fno-builtin" || o == "-ffreestanding");
        self.compiled.assumed.extend(parsed.assumed().into_iter().filter(|a| has_builtins || !a.is_of_calls));
        let sets_mode = ["@fesetround(", "@fesetenv(", "@feupdateenv("].iter().any(|call| text.contains(call));
        if self.flags.has_dynamic_mode || sets_mode {
            self.compiled.assumed.push(CompiledAssumption::of("", ROUNDING));
        }
        self.compiled.passing.extend(parsed.passing());
        self.inline.extend(parsed.inline().map(|name| (source.to_owned(), name.to_owned())));
    }

    /// Adds an object of WebAssembly.
    fn keep(&mut self, object: PathBuf) -> Result<(), CompileError> {
        self.symbols.add(&Self::read(&object)?);
        self.objects.push(object.into());
        Ok(())
    }

    /// Makes an object of WebAssembly, of a name without its ending.
    fn object_of(
        &self,
        text: &Text<'_>,
        target: &Target,
        absent: &BTreeSet<String>,
        name: &str,
    ) -> Result<PathBuf, CompileError> {
        let path = |end: &str| self.folder.path().join(format!("{name}{end}"));
        let (code, object) = (path(".wasm.ll"), path(".o"));
        Self::write(&code, &text.retargeted(target, absent))?;
        let mut coded = Command::new(named("CLANG", "clang"));
        coded.args(CODED).arg(&code).arg("-o").arg(&object);
        run(&coded, "clang")?;
        Ok(object)
    }

    /// What no file defines, or none otherwise than inline.
    fn lacking(&self) -> impl Iterator<Item = &str> {
        let inline = self.inline.iter().map(|(_, name)| name.as_str()).filter(|name| !self.symbols.is_strong(name));
        self.symbols.lacking().chain(inline)
    }

    /// Files beside those that were named which define what these use, and what they use themselves.
    fn add_siblings(
        &mut self,
        target: &Target,
        (siblings, functions): (&mut Siblings, &[String]),
        mut calls: CallGraph,
    ) -> Result<(), CompileError> {
        let symbols = calls.symbols(functions);
        loop {
            // What is near counts: only so many files are added.
            let steps = calls.distances(&symbols);
            let is_lacking = |name: &&str| {
                steps.contains_key(*name) && !libc::has(name) && !wide::has(name) && !super::hosted::is_known(name)
            };
            let mut lacking: Vec<&str> = self.lacking().filter(is_lacking).collect();
            lacking.sort_by_key(|name| steps[*name]);
            let found = siblings.defining(lacking.into_iter());
            if found.is_empty() {
                return Ok(());
            }
            let made = self.made_of(&found, target);
            for (sibling, made) in found.into_iter().zip(made) {
                // Another one has defined it.
                if !self.lacking().any(|name| name == sibling.name) {
                    siblings.take_back(sibling);
                } else if let Some((text, object)) = made
                    && self.add_object(&object)?
                {
                    self.note(&sibling.path, &text);
                    calls.add(&text);
                    self.compiled.adds_variables |= Text::new(&text).defines_variables();
                    self.compiled.sources.push(sibling.path);
                }
            }
        }
    }

    /// The code and the objects of files, compiled side by side. What cannot be compiled defines nothing.
    fn made_of(&self, found: &[Sibling], target: &Target) -> Vec<Option<(String, PathBuf)>> {
        let one = |(k, sibling): &(usize, &Sibling)| {
            let (text, _) = self.code_of(&sibling.path, &format!("beside{k}.ll")).ok()?;
            let object = self.object_of(&Text::new(&text), target, &BTreeSet::new(), &format!("beside{k}")).ok()?;
            Some((text, object))
        };
        let numbered: Vec<(usize, &Sibling)> = found.iter().enumerate().collect();
        Threads::default().side_by_side(1, &numbered, one)
    }

    /// Adds an object under a name of its own, unless it defines something twice, and says whether it did.
    fn add_object(&mut self, object: &Path) -> Result<bool, CompileError> {
        let before = self.symbols.clone();
        self.symbols.add(&Self::read(object)?);
        if self.symbols.has_doubles() {
            self.symbols = before;
            return Ok(false);
        }
        let own = self.folder.path().join(format!("{}.o", self.objects.len()));
        std::fs::rename(object, &own).map_err(|e| CompileError::Io(own.clone(), e))?;
        self.objects.push(own.into());
        Ok(true)
    }

    /// The rest of the library that is used, and room for variables that no file defines.
    fn add_library(&mut self, target: &Target) -> Result<(), CompileError> {
        // What headers of libstdc++ declare and its library has compiled; without these headers it stays lacking.
        let is_string = |name: &str| {
            ["_ZNSt7__cxx1112basic_stringIc", "_ZNKSt7__cxx1112basic_stringIc"].iter().any(|s| name.starts_with(s))
        };
        if self.symbols.lacking().any(is_string) {
            let text = "#include <string>\ntemplate class std::basic_string<char>;\n";
            match self.add_text("string.cc", text, target) {
                Err(CompileError::Refused(_)) => {}
                added => added?,
            }
        }
        let lacking: Vec<String> = self.symbols.lacking().map(str::to_owned).collect();
        if let Some(text) = libc::text(lacking.iter().map(String::as_str)) {
            self.add_text("libc.c", &text, target)?;
        }
        // What was added may need it as well.
        if self.symbols.lacking().any(wide::has) {
            self.add_text("wide.c", wide::TEXT, target)?;
        }
        let undefined: Vec<String> = self.symbols.variables_lacking().map(str::to_owned).collect();
        let is_name = |n: &String| n.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$');
        if undefined.iter().any(|n| !is_name(n)) {
            return Err(CompileError::Undefined(undefined));
        }
        if !undefined.is_empty() {
            let one = |name: &String| format!("char {name}[{ABSENT}] __attribute__((aligned(16)));\n");
            self.add_text("absent.c", &undefined.iter().map(one).collect::<String>(), target)?;
        }
        self.compiled.absent = undefined;
        Ok(())
    }

    fn add_text(&mut self, name: &str, text: &str, target: &Target) -> Result<(), CompileError> {
        let (source, code) = (self.folder.path().join(name), self.folder.path().join(format!("{name}.ll")));
        Self::write(&source, text)?;
        let options = ["-g0", "-w", "-fno-common"].map(str::to_owned).to_vec();
        run(&clang(&source, &Flags { options, ..Flags::default() }, &code, true), "clang")?;
        let text = String::from_utf8_lossy(&Self::read(&code)?).into_owned();
        let object = self.object_of(&Text::own(&text), target, &BTreeSet::new(), &self.objects.len().to_string())?;
        self.keep(object)
    }
}

/// What the linker says of functions with several types, with the names of the sources.
fn mismatch(said: &str, sources: &[PathBuf]) -> String {
    let named = |line: &str| {
        let (head, object) = line.rsplit_once(" in ")?;
        let number = Path::new(object).file_stem()?.to_str()?.parse::<usize>().ok()?;
        Some(format!("{} in {}", head.trim_start_matches(">>> defined as "), sources.get(number)?.display()))
    };
    let line = |line: &str| match line.split_once("function signature mismatch: ") {
        Some((_, name)) => Some(format!("  `{name}`:")),
        None => named(line).map(|text| format!("    {text}")),
    };
    said.lines().filter_map(line).collect::<Vec<_>>().join("\n")
}

/// How the compiler describes WebAssembly.
fn target(folder: &Path) -> Result<Target, CompileError> {
    let (empty, code) = (folder.join("empty.c"), folder.join("empty.ll"));
    std::fs::write(&empty, "").map_err(|e| CompileError::Io(empty.clone(), e))?;
    let mut clang = Command::new(named("CLANG", "clang"));
    clang.args(["--target=wasm64", "-S", "-emit-llvm", "-w"]).arg(&empty).arg("-o").arg(&code);
    run(&clang, "clang")?;
    let text = std::fs::read_to_string(&code).map_err(|e| CompileError::Io(code, e))?;
    Target::of(&text).ok_or_else(|| CompileError::Refused("clang does not know the target wasm64".to_owned()))
}

/// The compiler for one source; with what is not used as well, or without where there is much of it.
fn clang(source: &Path, flags: &Flags, output: &Path, has_unused: bool) -> Command {
    let mut clang = front(source, flags, output);
    // Headers of C++ define far more than is used.
    if is_c(source) || has_unused {
        clang.arg("-femit-all-decls");
    }
    clang
}

/// The compiler for what a source uses or defines for others.
fn front(source: &Path, flags: &Flags, output: &Path) -> Command {
    let mut clang = Command::new(named("CLANG", "clang"));
    clang.args(FIXED).args(ERRORS);
    if is_c(source) {
        clang.arg("-std=gnu11");
    } else {
        clang.args(["-fno-threadsafe-statics", "-fstandalone-debug"]);
    }
    // Without warnings nothing would say that code has the time in it.
    clang.args(flags.arguments().filter(|option| option != "-w")).arg("-Wdate-time").arg(source).arg("-o").arg(output);
    clang
}

/// What it warns of.
fn run(command: &Command, name: &'static str) -> Result<String, CompileError> {
    compiler::run(command, "").map(|answer| answer.said).map_err(|e| match e {
        Refusal::Tool(ToolError::Missing) => CompileError::Missing(name),
        Refusal::Tool(e) => CompileError::Tool(name.to_owned(), e),
        Refusal::Refused(said) => {
            CompileError::Refused(format!("{name} refuses the code:\n{}", first_lines(&said, 40)))
        }
    })
}
