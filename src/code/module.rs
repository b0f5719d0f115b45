//! A WebAssembly module whose code is lowered to [`Ins`].

use super::assumed::CompiledAssumption;
use super::ins::{CodeConst, FuncType, Ins, Type};
use super::made::Maker;
use super::passing::{DefinedSymbol, PassedAs};
use super::probe::{Probe, ProbeQuestion};
use crate::cc::compiler::real;
use crate::cc::debug::{Debug, Sections};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use wasmparser::ValType;

/// The function of a module that does what is to be done before the program begins.
pub(super) const CONSTRUCTORS: &str = "__wasm_call_ctors";

/// Where memory begins in runs of what a compiler makes of C: the stack is above it. Unit: bytes.
pub(super) const FLOOR: u64 = 1 << 20;

/// Why a module cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed(pub String);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl std::error::Error for Malformed {}

impl From<wasmparser::BinaryReaderError> for Malformed {
    fn from(e: wasmparser::BinaryReaderError) -> Self {
        Malformed(format!("not a module that can be run: {} (at byte {:#x})", e.message(), e.offset()))
    }
}

/// A function of the module itself.
#[derive(Clone, Debug, Default)]
pub struct ModuleFunction {
    /// From the name section, else from the exports.
    pub name: String,
    /// The name of its file, where functions of several files have one name.
    pub home: Option<String>,
    /// Its type.
    pub ty: FuncType,
    /// The types of its locals, parameters first.
    pub locals: Vec<Type>,
    /// Its instructions.
    pub code: Vec<Ins>,
    /// For each instruction the offset in the code section, as DWARF counts.
    pub offsets: Vec<u32>,
    /// Instructions before which no operand is on the stack, ascending: beginnings of statements.
    pub statements: Vec<u32>,
}

impl ModuleFunction {
    /// A name that no other function has, as far as files tell them apart: `asinf.c:R`.
    #[must_use]
    pub fn full_name(&self) -> Cow<'_, str> {
        match &self.home {
            Some(home) => format!("{home}:{}", self.name).into(),
            None => (&self.name).into(),
        }
    }
}

/// A function that the module expects of the host.
#[derive(Clone, Debug)]
pub struct Import {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: FuncType,
}

/// A place where the code decides where to go, or where something is asked of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// Index of the function.
    pub function: u32,
    /// Index of its instruction.
    pub pc: u32,
    /// How many ways lead on: 2, or the arms of a table.
    pub ways: u32,
    /// Of two ways the one that a condition other than 0 of WebAssembly's own instruction leads to: what is decided may be its opposite.
    pub when: u32,
    /// What is asked there, where nothing is decided: way 1 is "yes".
    pub probe: Option<Probe>,
}

/// Bytes that stand in memory at the start.
#[derive(Clone, Debug)]
pub struct Segment {
    /// Address.
    pub at: u32,
    /// Contents.
    pub bytes: Vec<u8>,
    /// Whether the code never changes it.
    pub constant: bool,
}

/// A module that can be run.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Functions of the module, numbered without imports.
    pub functions: Vec<ModuleFunction>,
    /// What it expects of the host.
    pub imports: Vec<Import>,
    /// All places that decide, in the order of the code.
    pub sites: Vec<Site>,
    /// The globals' initial values.
    pub globals: Vec<CodeConst>,
    /// Whether code sets a global that is not the stack's pointer: it may have another value when a call begins.
    pub sets_globals: bool,
    /// 64 KiB pages at the start.
    pub pages: u32,
    /// The most pages.
    pub pages_limit: u32,
    /// Whether addresses have 64 bits; else 32.
    pub wide: bool,
    /// Where the code keeps `errno`, if it looks at it.
    pub errno: Option<u32>,
    /// The addresses of variables: of all that code outside of functions defines, constants among it.
    pub data: Range<u32>,
    /// Variables of the source that the code may change, as far as their names are known.
    pub variables: Vec<String>,
    /// The function, by index, that is called before each run.
    pub before: Option<u32>,
    /// Functions with a symbol each that they use and another definition may replace.
    pub weak: Vec<(String, String)>,
    /// Functions of C that have inline definitions alone, each with a source that has one.
    pub inline: Vec<(PathBuf, String)>,
    /// What proofs take for granted of how the code is compiled.
    pub assumed: Vec<CompiledAssumption>,
    /// The files that it is made of.
    pub sources: Vec<PathBuf>,
    /// Those among them that were found beside those that were named, under their one name.
    pub siblings: BTreeSet<PathBuf>,
    /// Whether these define variables that other files may use.
    pub adds_variables: bool,
    /// The addresses of exported variables, by name.
    pub exported: BTreeMap<String, u32>,
    /// The addresses of variables that the sources use and none of them defines, with their names: nothing is known of them.
    pub absent: Vec<(Range<u32>, String)>,
    /// How the functions of the sources take their parameters.
    pub passing: BTreeMap<DefinedSymbol, Vec<PassedAs>>,
    /// What stands in memory.
    pub segments: Vec<Segment>,
    /// Function indices (imports first) by index; `None` where the table is empty.
    pub table: Vec<Option<u32>>,
    /// The types that indirect calls name.
    pub types: Vec<FuncType>,
    /// Whether saturating conversions stand for casts in C, see [`Ins::Cast`].
    pub casts: bool,
    /// The module as it was read, without debugging information.
    pub bytes: Arc<[u8]>,
    /// What is asked of its operations.
    pub asked: Option<ProbeQuestion>,
    /// DWARF sections by name.
    pub debug: Sections,
    /// What they say, once it is read.
    pub sources_read: OnceLock<Arc<Debug>>,
    /// The functions that make objects, once they are looked for.
    pub makers_read: OnceLock<Vec<Maker>>,
}

impl Module {
    /// The function of this name.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<u32> {
        self.functions.iter().position(|f| f.full_name() == name).map(|i| i as u32)
    }

    /// Says the file of each function whose name functions of other files have, too: `static` ones of C. Those of one code are one.
    pub(super) fn tell_functions_apart(&mut self) {
        let mut named: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        self.functions.iter().enumerate().for_each(|(i, f)| named.entry(&f.name).or_default().push(i));
        let without_site = |ins: &Ins| {
            let mut ins = ins.clone();
            if let Ins::Branch { site, .. } | Ins::Select { site, .. } | Ins::Table { site, .. } | Ins::Probe { site } =
                &mut ins
            {
                *site = 0;
            }
            ins
        };
        let is_same = |a: &ModuleFunction, b: &ModuleFunction| {
            a.ty == b.ty
                && a.code.len() == b.code.len()
                && a.code.iter().map(without_site).eq(b.code.iter().map(without_site))
        };
        let all_same = |alike: &[usize]| alike.iter().all(|i| is_same(&self.functions[alike[0]], &self.functions[*i]));
        let groups: Vec<Vec<usize>> = named.into_values().filter(|alike| !all_same(alike)).collect();
        if groups.is_empty() {
            return;
        }
        let debug = self.sources_debug();
        let start = |i: usize| self.functions[i].offsets.first().copied();
        let place = |i: usize| debug.place(start(i)?).map(|place| place.file.clone());
        let source = |i: usize| debug.source(start(i)?).map(str::to_owned);
        let short = |path: String| path.rsplit('/').next().unwrap_or_default().to_owned();
        let ways: [&dyn Fn(usize) -> Option<String>; 4] =
            [&|i| place(i).map(short), &|i| source(i).map(short), &place, &source];
        let mut homes = Vec::new();
        for alike in groups {
            // The shortest name that no two of them have.
            let apart = ways.iter().find_map(|way| {
                let names: Vec<Option<String>> = alike.iter().map(|i| way(*i)).collect();
                (names.iter().flatten().collect::<BTreeSet<_>>().len() == alike.len()).then_some(names)
            });
            let names = apart.unwrap_or_else(|| alike.iter().map(|i| source(*i)).collect());
            homes.extend(alike.into_iter().zip(names));
        }
        for (i, home) in homes {
            self.functions[i].home = home;
        }
    }

    /// What the debugging information says of the sources; it is read once.
    pub(super) fn sources_debug(&self) -> Arc<Debug> {
        self.sources_read.get_or_init(|| Arc::new(Debug::of(&self.debug))).clone()
    }

    /// A function and all that a call of it may come to, each once, the function first.
    #[must_use]
    pub fn reached_from(&self, entry: u32) -> Vec<u32> {
        let mut all = vec![entry];
        let mut known = vec![false; self.functions.len()];
        known[entry as usize] = true;
        let mut has_table = false;
        let mut next = 0;
        while next < all.len() {
            for ins in &self.functions[all[next] as usize].code {
                let table = match ins {
                    Ins::CallIndirect(_) if !std::mem::replace(&mut has_table, true) => &self.table[..],
                    _ => &[],
                };
                let own = if let Ins::Call(f) = ins { Some(*f) } else { None };
                let imports = self.imports.len() as u32;
                for f in own.into_iter().chain(table.iter().flatten().filter_map(|f| f.checked_sub(imports))) {
                    if !std::mem::replace(&mut known[f as usize], true) {
                        all.push(f);
                    }
                }
            }
            next += 1;
        }
        all
    }

    /// The texts of printable characters whose addresses these functions name, without what ends them.
    #[must_use]
    pub fn texts(&self, functions: impl IntoIterator<Item = u32>) -> Vec<&[u8]> {
        /// The longest one, and how many.
        const LONGEST: usize = 32;
        const MOST: usize = 200;
        let named = functions.into_iter().flat_map(|f| &self.functions[f as usize].code).filter_map(|ins| match *ins {
            Ins::Const(CodeConst::I64(at)) => u32::try_from(at).ok(),
            Ins::Const(CodeConst::I32(at)) => u32::try_from(at).ok(),
            _ => None,
        });
        let text = |at: u32| {
            let segment =
                self.segments.iter().find(|s| s.constant && (s.at..s.at + s.bytes.len() as u32).contains(&at))?;
            segment.bytes[(at - segment.at) as usize..].split(|byte| *byte == 0).next()
        };
        let is_text = |text: &&[u8]| (2..=LONGEST).contains(&text.len()) && text.iter().all(|b| (32..127).contains(b));
        let all: BTreeSet<&[u8]> = named.filter_map(text).filter(is_text).collect();
        all.into_iter().take(MOST).collect()
    }

    /// The names of the functions whose code stands in these files, in the order of the code; those that the compiler made are
    /// left out.
    #[must_use]
    pub fn own_functions(&self, files: &[PathBuf]) -> Vec<String> {
        let debug = self.sources_debug();
        let files: BTreeSet<PathBuf> = files.iter().map(|f| real(f)).collect();
        let is_named = |path: &str| files.contains(&real(Path::new(path)));
        // What a generator of code has moved to another file by `#line` belongs to the source.
        let is_source = |path: &str| {
            let end = Path::new(path).extension().and_then(|end| end.to_str()).unwrap_or_default();
            !["h", "hh", "hpp", "hxx", "ipp", "tcc", "inl", ""].contains(&end)
        };
        let is_own = |f: &&ModuleFunction| {
            let Some(start) = f.offsets.first() else { return false };
            let Some(place) = debug.place(*start) else { return false };
            let is_moved = || is_source(&place.file) && debug.source(*start).is_some_and(is_named);
            (is_named(&place.file) || is_moved()) && !f.name.starts_with("__cxx_global")
        };
        let mut names: Vec<String> = self.functions.iter().filter(is_own).map(|f| f.full_name().into_owned()).collect();
        let mut seen = BTreeSet::new();
        names.retain(|name| !name.contains("_GLOBAL__") && seen.insert(name.clone()));
        names
    }

    /// The files, besides those that are compiled, in which functions stand; those of the system are left out.
    #[must_use]
    pub fn headers(&self) -> BTreeSet<PathBuf> {
        let debug = self.sources_debug();
        let place = |f: &ModuleFunction| debug.place(*f.offsets.first()?).map(|place| PathBuf::from(&place.file));
        let sources: BTreeSet<PathBuf> = self.sources.iter().map(|f| real(f)).collect();
        let is_own = |path: &PathBuf| !path.starts_with("/usr") && !sources.contains(&real(path));
        self.functions.iter().filter_map(place).filter(is_own).collect()
    }

    /// Whether any of these bytes is of a variable that no file defines.
    #[must_use]
    pub fn is_absent(&self, from: u64, upto: u64) -> bool {
        self.absent.iter().any(|(at, _)| from < u64::from(at.end) && upto > u64::from(at.start))
    }

    /// Below this address there is nothing: in what a compiler makes of C, a pointer to nothing is 0.
    #[must_use]
    pub fn floor(&self) -> u64 {
        if self.casts { 1024 } else { 0 }
    }

    /// The same for runs: no program of this machine has memory there, and members of what a pointer to nothing leads to are far
    /// from 0 where structures are large.
    pub(super) fn floor_of_runs(&self) -> u64 {
        if self.casts { FLOOR } else { 0 }
    }

    /// Whether code asks for the flags of arithmetic, or sets the mode in which operations round.
    pub(super) fn uses_float_modes(&self) -> bool {
        self.imports.iter().any(|import| matches!(import.name.as_str(), "fetestexcept" | "fesetround" | "__fesetround"))
    }

    /// Whether code computes with functions of ours that round to the nearest alone: `long double`, and numbers from and to text.
    pub(super) fn rounds_to_nearest_alone(&self) -> bool {
        let ours = ["magneto_wide", "magneto_float", "magneto_put_float"];
        self.functions.iter().any(|function| ours.iter().any(|head| function.name.starts_with(head)))
    }

    /// The type of addresses.
    #[must_use]
    pub fn address(&self) -> Type {
        if self.wide { Type::I64 } else { Type::I32 }
    }

    /// Whether there are variables that the code may change.
    #[must_use]
    pub fn is_changeable(&self) -> bool {
        let end = self.segments.iter().map(|s| s.at + s.bytes.len() as u32).max().unwrap_or(self.data.start);
        self.segments.iter().any(|s| !s.constant) || end < self.data.end
    }

    /// The addresses of constants, which have their values in every call.
    #[must_use]
    pub fn constants(&self) -> Vec<Range<u32>> {
        let constant = self.segments.iter().filter(|s| s.constant);
        constant.map(|s| s.at..s.at + s.bytes.len() as u32).collect()
    }

    /// Whether code runs before the program does: constructors of objects, and variables with values that are computed.
    #[must_use]
    pub fn has_initialisers(&self) -> bool {
        let runs = |f: &ModuleFunction| f.code.iter().any(|ins| matches!(ins, Ins::Call(_)));
        self.function(CONSTRUCTORS).is_some_and(|f| runs(&self.functions[f as usize]))
    }

    /// What is called before the function under test: what computes variables as a program begins, and the function that is asked for.
    pub(super) fn preparation(&self) -> impl Iterator<Item = u32> {
        let constructors = self.function(CONSTRUCTORS).filter(|_| self.casts && self.has_initialisers());
        constructors.into_iter().chain(self.before)
    }

    /// The addresses of what has its value of the program's start then: variables that are defined.
    #[must_use]
    pub fn known_at_start(&self) -> Vec<Range<u32>> {
        if self.has_initialisers() || self.before.is_some() {
            return self.constants();
        }
        let (mut at, mut all) = (self.data.start, Vec::new());
        let mut absent: Vec<&Range<u32>> = self.absent.iter().map(|(range, _)| range).collect();
        absent.sort_unstable_by_key(|range| range.start);
        for range in absent {
            all.push(at..range.start);
            at = range.end;
        }
        all.push(at..self.data.end);
        all
    }

    /// The size of memory at the start. Unit: bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.pages as usize * 65_536
    }
}

/// The type of a value; vectors and references are not supported.
pub(super) fn type_of(ty: ValType) -> Result<Type, Malformed> {
    Ok(match ty {
        ValType::I32 => Type::I32,
        ValType::I64 => Type::I64,
        ValType::F32 => Type::F32,
        ValType::F64 => Type::F64,
        other => return Err(Malformed(format!("values of type {other} are not supported"))),
    })
}
