//! Whether the native compiler makes of sources what is looked into: the same lines of them, and types of the same layout.
//!
//! The front ends of two compilers for one machine agree on sizes, and mostly on macros. Where they do not, the code that is
//! looked into is not the one that runs, and nothing is said of it.

use super::assumed::{CompiledAssumption, OPTIMIZED, UNFUSED};
use super::compile::{CompileError, is_module};
use super::module::Module;
use crate::cc::Flags;
use crate::cc::compiler::{self, Refusal, first_lines, named};
use crate::cc::debug::{Layout, layouts};
use crate::threads::Threads;
use crate::tool::ToolError;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compares what the native compiler makes of sources with a module that was made of them, and says what has to be taken for granted
/// of it; says nothing where there is no native compiler, or the module is all that there is.
///
/// # Errors
/// [`CompileError::Unlike`] with what differs, [`CompileError::Refused`] where the native compiler refuses a source.
pub fn compare(sources: &[PathBuf], flags: &Flags, module: &[u8]) -> Result<Vec<CompiledAssumption>, CompileError> {
    if is_module(sources) {
        return Ok(Vec::new());
    }
    let module = Module::decode_c(module).map_err(|e| CompileError::Refused(e.to_string()))?;
    let one = |source: &PathBuf| compare_one(source, flags, &module);
    let compared = Threads::default().side_by_side(1, sources, one).into_iter().collect::<Result<Vec<_>, _>>()?;
    let said: BTreeSet<&str> = compared.into_iter().flatten().collect();
    Ok(said.into_iter().map(|said| CompiledAssumption::of("", said)).collect())
}

/// What has to be taken for granted of one of them.
fn compare_one(source: &Path, flags: &Flags, module: &Module) -> Result<Vec<&'static str>, CompileError> {
    let is_c = compiler::is_c(source);
    let native = if is_c { named("CC", "cc") } else { named("CXX", "c++") };
    let Some(theirs) = preprocessed(&native, source, flags, is_c)? else { return Ok(Vec::new()) };
    let Some(ours) = preprocessed(&named("CLANG", "clang"), source, flags, is_c)? else { return Ok(Vec::new()) };
    compare_lines(&own_lines(&ours), &own_lines(&theirs), &native.to_string_lossy())?;
    let asserted = if is_c { assertions(&layouts(&module.debug, source)) } else { String::new() };
    check_types(&native, source, flags, &asserted)?;
    Ok(asked_of_gcc(&theirs))
}

/// What has to be taken for granted of code that asks gcc for something which clang passes over.
fn asked_of_gcc(text: &str) -> Vec<&'static str> {
    let own = without_the_compilers_own(text);
    let mut all = Vec::new();
    if own.lines().any(|line| line.trim_start().starts_with("#pragma GCC target")) {
        all.push(UNFUSED);
    }
    // Levels below -Ofast keep to the standard.
    let is_level = |word: &&str| ["O", "O0", "O1", "O2", "O3", "Os", "Og"].contains(&word.trim_start_matches('-'));
    // As a pragma or as an attribute: `optimize("O3", "fast-math")`, `__optimize__("Ofast")`.
    let asked = own.match_indices("optimize").filter_map(|(at, word)| {
        let rest = own[at + word.len()..].trim_start_matches('_').trim_start();
        let rest = rest.strip_prefix('(').unwrap_or(rest).trim_start();
        rest.starts_with('"').then(|| rest.split([')', '\n']).next().unwrap_or_default())
    });
    let mut words = asked.flat_map(|asked| asked.split(['"', ',', ' ']).filter(|word| !word.is_empty()));
    if !words.all(|word| is_level(&word)) {
        all.push(OPTIMIZED);
    }
    all
}

/// A compiler for a source, with the options of both.
fn compiler(name: &OsStr, source: &Path, flags: &Flags, is_c: bool) -> Command {
    let mut command = Command::new(name);
    command.arg("-w").args(is_c.then_some("-std=gnu11"));
    command.args(flags.arguments()).arg(source);
    command
}

/// What a compiler prints, with something to read; none where it is not there.
fn run(command: Command, input: &str) -> Result<Option<String>, CompileError> {
    let name = command.get_program().to_string_lossy().into_owned();
    match compiler::run(&command, input) {
        Ok(answer) => Ok(Some(answer.output)),
        Err(Refusal::Tool(ToolError::Missing)) => Ok(None),
        Err(Refusal::Tool(e)) => Err(CompileError::Tool(name, e)),
        Err(Refusal::Refused(said)) => Err(CompileError::Refused(format!(
            "{name}, the native compiler, refuses the code:\n{}\n  hint: name the compiler that the code is built with in $CC and $CXX",
            first_lines(&said, 20)
        ))),
    }
}

/// For each file of the user's own the lines of which something is left, each with the first line of its statement.
type Lines = BTreeMap<String, BTreeSet<u32>>;

/// What a compiler's preprocessor makes of a source.
fn preprocessed(name: &OsStr, source: &Path, flags: &Flags, is_c: bool) -> Result<Option<String>, CompileError> {
    let mut command = compiler(name, source, flags, is_c);
    command.args(["-E", "-U__OPTIMIZE__"]);
    run(command, "")
}

/// The lines of a preprocessor's output that come from the user's own files.
fn own_lines(text: &str) -> Lines {
    let mut all = Lines::new();
    let (mut file, mut at, mut is_own) = (String::new(), 0, true);
    for line in text.lines() {
        if let Some(marker) = line.strip_prefix("# ") {
            let (number, rest) = marker.split_once(' ').unwrap_or((marker, ""));
            let (name, flags) = rest.trim_start_matches('"').rsplit_once('"').unwrap_or((rest, ""));
            file = shown(Path::new(name));
            at = number.parse().unwrap_or(0);
            is_own = !flags.split(' ').any(|f| f == "3") && !name.starts_with('<');
            continue;
        }
        if is_own && !line.trim().is_empty() && !line.starts_with('#') {
            all.entry(file.clone()).or_default().insert(at);
        }
        at += 1;
    }
    all
}

/// A preprocessor's output without the headers of gcc itself, which ask for processors around what they offer of them.
fn without_the_compilers_own(text: &str) -> String {
    let mut is_its_own = false;
    let mut own = String::new();
    for line in text.lines() {
        match line.strip_prefix("# ") {
            Some(marker) => is_its_own = marker.contains("/lib/gcc/"),
            None if !is_its_own => own.extend([line, "\n"]),
            None => {}
        }
    }
    own
}

/// The one name that two compilers' names of a file can be brought to: from this folder on, where it is in it.
fn shown(file: &Path) -> String {
    let whole = std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let here = std::env::current_dir().and_then(std::fs::canonicalize).unwrap_or_default();
    whole.strip_prefix(here).unwrap_or(&whole).display().to_string()
}

/// For each line the first one of the statement or macro call that it is part of: compilers put what a macro makes of several
/// lines on different ones.
fn statements(text: &str) -> Vec<u32> {
    let (mut first, mut depth, mut goes_on) = (1, 0i32, false);
    let mut all = vec![0];
    for (i, line) in text.lines().enumerate() {
        if depth <= 0 && !goes_on {
            first = i as u32 + 1;
        }
        // A directive belongs to no statement.
        if line.trim_start().starts_with('#') && depth <= 0 {
            all.push(i as u32 + 1);
            (depth, goes_on) = (0, false);
            continue;
        }
        depth += line.chars().map(|c| i32::from(c == '(') - i32::from(c == ')')).sum::<i32>();
        goes_on = line.ends_with('\\') || (!line.trim().is_empty() && !line.trim_end().ends_with([';', '{', '}', '/']));
        all.push(first);
    }
    all
}

/// That both compilers leave the same statements.
fn compare_lines(ours: &Lines, theirs: &Lines, native: &str) -> Result<(), CompileError> {
    let empty = BTreeSet::new();
    for file in ours.keys().chain(theirs.keys()).collect::<BTreeSet<_>>() {
        let first = statements(&String::from_utf8_lossy(&std::fs::read(file).unwrap_or_default()));
        let begin = |line: &u32| first.get(*line as usize).copied().unwrap_or(*line);
        let [own, other] = [ours, theirs]
            .map(|lines| -> BTreeSet<u32> { lines.get(file).unwrap_or(&empty).iter().map(begin).collect() });
        if let Some(line) = own.symmetric_difference(&other).next() {
            let (does, not) = if own.contains(line) { ("clang", native) } else { (native, "clang") };
            return Err(CompileError::Unlike(format!(
                "{file}:{line}: {does} compiles this and {not} does not, so that what is looked into is not what runs\n  hint: define the \
                 macros that decide it with -D, or name clang in $CC where the code is built with it"
            )));
        }
    }
    Ok(())
}

/// What has to hold of types in a native program, as C.
fn assertions(layouts: &[Layout]) -> String {
    let mut text = String::new();
    for Layout { name, size, members } in layouts {
        let _ = writeln!(text, "_Static_assert(sizeof({name}) == {size}, \"the size of {name}\");");
        for (member, at) in members {
            let _ = writeln!(
                text,
                "_Static_assert(__builtin_offsetof({name}, {member}) == {at}, \"the place of {member} in {name}\");"
            );
        }
    }
    text
}

/// That types of a source have the layout natively that they have in the module.
fn check_types(native: &OsStr, source: &Path, flags: &Flags, asserted: &str) -> Result<(), CompileError> {
    if asserted.is_empty() {
        return Ok(());
    }
    let mut command = compiler(native, Path::new("-"), flags, true);
    command.args(["-fsyntax-only", "-xc", "-include"]).arg(std::path::absolute(source).unwrap_or(source.to_owned()));
    match run(command, asserted) {
        Err(CompileError::Refused(said)) => {
            // What else it refuses is not about types; names of members that are macros, say.
            let failed =
                ["static assertion failed", "static_assert failed"].iter().find_map(|word| said.split_once(word));
            let Some((_, rest)) = failed else { return Ok(()) };
            let what = rest.split('"').nth(1);
            Err(CompileError::Unlike(format!(
                "{}: {} is not what it is in the native program, so that what is looked into is not what runs\n  hint: give the options \
                 that the code is built with in --cflags",
                source.display(),
                what.unwrap_or("the layout of a type")
            )))
        }
        other => other.map(drop),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_code_asks_of_gcc_is_seen() {
        let seen = |line: &str| asked_of_gcc(&format!("# 1 \"f.c\"\n{line}\nint f;\n"));
        assert_eq!(seen("#pragma GCC target(\"fma\")"), [UNFUSED]);
        for harmful in
            ["#pragma GCC optimize (\"O3\", \"fast-math\")", "__attribute__((__optimize__(\"Ofast\"))) double g(void);"]
        {
            assert_eq!(seen(harmful), [OPTIMIZED], "{harmful}");
        }
        for harmless in
            ["#pragma GCC optimize(\"-O3\")", "__attribute__((optimize(3))) int g(void);", "int optimize(int);"]
        {
            assert_eq!(seen(harmless), [""; 0], "{harmless}");
        }
        let header = "# 1 \"/usr/lib/gcc/x86_64-linux-gnu/12/include/immintrin.h\" 1 3 4\n#pragma GCC target(\"fma\")\n# 2 \"f.c\" 2\n";
        assert_eq!(asked_of_gcc(header), [""; 0]);
        // What is a header of the system's to the compiler may be anybody's.
        let header = "# 1 \"inc/sys.h\" 1 3 4\n#pragma GCC target(\"fma\")\n# 2 \"f.c\" 2\n";
        assert_eq!(asked_of_gcc(header), [UNFUSED]);
    }

    #[test]
    fn lines_of_other_files_are_not_compared() {
        let text = "# 1 \"f.c\"\n# 1 \"<built-in>\" 1\nx\n# 1 \"f.c\" 2\n# 1 \"/usr/include/math.h\" 1 3 4\nint y;\n# 2 \"f.c\" 2\n\nint f;\n";
        assert_eq!(own_lines(text), Lines::from([("f.c".to_owned(), BTreeSet::from([3]))]));
    }

    #[test]
    fn statements_over_several_lines_are_one() {
        assert_eq!(statements("int a;\nint b =\n    f(1,\n      2);\n#define X 1\nint c;\n"), [0, 1, 2, 2, 2, 5, 6]);
    }

    #[test]
    fn layouts_are_asserted() {
        let layout = Layout { name: "struct p".to_owned(), size: 16, members: vec![("y".to_owned(), 8)] };
        assert_eq!(
            assertions(&[layout]),
            "_Static_assert(sizeof(struct p) == 16, \"the size of struct p\");\n_Static_assert(__builtin_offsetof(struct p, y) == 8, \
             \"the place of y in struct p\");\n"
        );
    }
}
