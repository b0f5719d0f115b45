//! C and C++ to a WebAssembly module, through clang and wasm-ld. Optimisations are off, so that the branches are the
//! source's; debugging information says which is where.

use super::unlike::{At, Text, Variables};
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a file is compiled with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Folders for `#include`, as after `-I`.
    pub include: Vec<PathBuf>,
    /// Macros, as after `-D`.
    pub define: Vec<String>,
}

/// Why there is no module.
#[derive(Debug)]
pub enum CompileError {
    /// A program that is needed is not there; with its name.
    Missing(&'static str),
    /// The compiler or the linker refused; with what it said.
    Refused(String),
    /// Variables that are defined in none of the files.
    Undefined(Vec<String>),
    /// `errno` is read there.
    Errno(At),
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
            CompileError::Refused(said) => f.write_str(said.trim_end()),
            CompileError::Undefined(names) => write!(
                f,
                "the code uses variables that are not there: {}\n  hint: name the files that define them, too",
                names.join(", ")
            ),
            CompileError::Errno(At { file, line }) => write!(
                f,
                "{file}:{line}: `errno` is read here, and mathematical functions do not set it in code that is looked into\n  \
                 hint: look into a function that goes by their results, in a file of its own"
            ),
            CompileError::Io(path, e) => write!(f, "{}: {e}", path.display()),
        }
    }
}

impl std::error::Error for CompileError {}

/// The C library's headers for a program without an operating system.
const HEADERS: [(&str, &str); 12] = [
    ("math.h", include_str!("include/math.h")),
    ("stdlib.h", include_str!("include/stdlib.h")),
    ("string.h", include_str!("include/string.h")),
    ("stdio.h", include_str!("include/stdio.h")),
    ("assert.h", include_str!("include/assert.h")),
    ("errno.h", include_str!("include/errno.h")),
    ("fenv.h", include_str!("include/fenv.h")),
    ("setjmp.h", include_str!("include/setjmp.h")),
    ("cmath", include_str!("include/cmath")),
    ("cstdlib", include_str!("include/cstdlib")),
    ("cstring", include_str!("include/cstring")),
    ("cstdint", include_str!("include/cstdint")),
];

/// Branches as in the source: no pass of the optimiser runs, and none of the flags lets the compiler rearrange.
const FIXED: [&str; 12] = [
    "--target=wasm32",
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    "-mnontrapping-fptoint",
    "-fno-builtin",
    "-fno-strict-aliasing",
    "-ffp-contract=off",
    "-femit-all-decls",
    "-fdebug-default-version=4",
    "-g",
    "-c",
];

const STACK: &str = "stack-size=262144";

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
    /// Variables outside of functions that are no constants: each run begins with their values at the start.
    pub variables: Vec<String>,
    /// Where a type stands first that has 32 bits in the module and mostly 64 elsewhere, and the type.
    pub long: Option<(At, &'static str)>,
}

/// Compile and link sources to one module; the bytes of it. A `.wasm` file alone is taken as it is.
///
/// # Errors
/// A missing program, and what the compiler or linker says; what would be another thing in the module.
pub fn compile(sources: &[PathBuf], flags: &Flags) -> Result<Vec<u8>, CompileError> {
    compile_with(sources, flags, None).map(|c| c.bytes)
}

/// The same with what is worth to be told of the code.
///
/// # Errors
/// As for [`compile`].
pub fn compile_told(sources: &[PathBuf], flags: &Flags) -> Result<Compiled, CompileError> {
    compile_with(sources, flags, None)
}

/// The same with a text in the place of one of the sources, which the text may include.
///
/// # Errors
/// As for [`compile`].
pub fn compile_with(
    sources: &[PathBuf],
    flags: &Flags,
    instead: Option<(usize, &str)>,
) -> Result<Compiled, CompileError> {
    let read = |path: &Path| std::fs::read(path).map_err(|e| CompileError::Io(path.to_owned(), e));
    if is_module(sources) {
        return Ok(Compiled { bytes: read(&sources[0])?, ..Compiled::default() });
    }
    for source in sources {
        std::fs::metadata(source).map_err(|e| CompileError::Io(source.clone(), e))?;
    }
    let folder = tempfile::Builder::new().prefix("magneto-").tempdir();
    let folder = folder.map_err(|e| CompileError::Io(std::env::temp_dir(), e))?;
    let headers = folder.path().join("include");
    let write = |path: &Path, text: &str| std::fs::write(path, text).map_err(|e| CompileError::Io(path.to_owned(), e));
    std::fs::create_dir(&headers).map_err(|e| CompileError::Io(headers.clone(), e))?;
    for (name, text) in HEADERS {
        write(&headers.join(name), text)?;
    }
    let mut objects: Vec<OsString> = Vec::new();
    let (mut compiled, mut all) = (Compiled::default(), Variables::default());
    for (i, source) in sources.iter().enumerate() {
        let text = instead.filter(|(at, _)| *at == i).map(|(_, text)| text);
        let put = text.map(|_| folder.path().join("goal").with_extension(source.extension().unwrap_or_default()));
        let source = put.as_ref().unwrap_or(source);
        if let Some(text) = text {
            write(source, text)?;
        }
        let object = folder.path().join(format!("{i}.o"));
        run(clang(source, flags, &headers, &object), "clang")?;
        let mut preprocessor = clang(source, flags, &headers, Path::new("-"));
        preprocessor.arg("-E");
        let text = Text::of(&String::from_utf8_lossy(&run(preprocessor, "clang")?));
        if let Some(at) = text.reads_errno {
            return Err(CompileError::Errno(at));
        }
        compiled.long = compiled.long.or(text.long);
        let own = Variables::of(&read(&object)?);
        all.defined.extend(own.defined);
        all.undefined.extend(own.undefined);
        compiled.variables.extend(own.changeable);
        objects.push(object.into());
    }
    all.undefined.retain(|name| !all.defined.contains(name) && !name.starts_with("__"));
    all.undefined.sort_unstable();
    all.undefined.dedup();
    if !all.undefined.is_empty() {
        return Err(CompileError::Undefined(all.undefined));
    }
    let module = folder.path().join("module.wasm");
    let mut linker = Command::new(program("WASM_LD", "wasm-ld"));
    linker.args(["--no-entry", "--export-all", "--allow-undefined", "--no-gc-sections", "--stack-first", "-z", STACK]);
    linker.args(&objects).arg("-o").arg(&module);
    run(linker, "wasm-ld")?;
    Ok(Compiled { bytes: read(&module)?, ..compiled })
}

/// The compiler for one source.
fn clang(source: &Path, flags: &Flags, headers: &Path, output: &Path) -> Command {
    let mut clang = Command::new(program("CLANG", "clang"));
    clang.args(FIXED).arg("-isystem").arg(headers);
    if source.extension().is_some_and(|e| e == "c") {
        // Old sources define functions without a prototype, and say so at length.
        clang.args(["-std=gnu11", "-Wno-deprecated-non-prototype", "-Wno-unknown-warning-option"]);
    } else {
        clang.args(["-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics"]);
    }
    for folder in &flags.include {
        clang.arg("-I").arg(folder);
    }
    clang.args(flags.define.iter().map(|d| format!("-D{d}")));
    clang.arg("-w").arg(source).arg("-o").arg(output);
    clang
}

pub(super) fn program(variable: &str, default: &str) -> OsString {
    std::env::var_os(variable).filter(|v| !v.is_empty()).unwrap_or_else(|| default.into())
}

/// What it prints.
fn run(mut command: Command, name: &'static str) -> Result<Vec<u8>, CompileError> {
    let output = match command.stdin(Stdio::null()).output() {
        Ok(output) => output,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Err(CompileError::Missing(name)),
        Err(e) => return Err(CompileError::Io(command.get_program().into(), e)),
    };
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let shown: Vec<&str> = said.lines().take(40).collect();
    Err(CompileError::Refused(format!("{name} refuses the code:\n{}", shown.join("\n"))))
}
