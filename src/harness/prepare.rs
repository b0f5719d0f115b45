//! Implementations made ready to be run: compiled, found by name, with the command that starts them.

use super::adapter::{CallingWay, ClaimedCall, CompiledCall};
use super::signature::Signature;
use super::{CALL, COMPILED, COMPILED_STATUS, HarnessFault, PipeProgram, RunRecord, answer, hash_of};
use crate::cc::library::{CompiledLanguage, CompiledLibrary, LibraryError, Recipe};
use crate::cc::names::{NamedSymbol, symbol_of};
use crate::cc::{Prototype, SourceFunction, SourceType, StructMember};
use crate::floats::Format;
use crate::spec::Spec;
use crate::text::{nearest, quote};
use crate::tool::Scratch;
use crate::unfit::Unfit;
use std::ffi::OsString;
use std::path::Path;

/// Why an implementation is not ready to be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotReady {
    /// The function that is named is not there, or several are.
    Misnamed(Unfit),
    /// The harness broke.
    Broken(HarnessFault),
}

impl From<HarnessFault> for NotReady {
    fn from(fault: HarnessFault) -> Self {
        NotReady::Broken(fault)
    }
}

impl From<NotReady> for HarnessFault {
    fn from(not: NotReady) -> Self {
        match not {
            NotReady::Misnamed(unfit) => fault(unfit.to_string()),
            NotReady::Broken(fault) => fault,
        }
    }
}

pub(super) fn fault(why: String) -> HarnessFault {
    HarnessFault { test: None, why, errors: Vec::new() }
}

/// An implementation that is ready to be started.
pub struct PreparedTarget {
    /// The program.
    pub program: PipeProgram,
    /// How it is made and run.
    pub record: RunRecord,
    /// What is worth knowing before it runs.
    pub notes: Vec<String>,
    /// Where compiled libraries are, as long as they are needed.
    _folders: Vec<Scratch>,
}

/// What an implementation is made ready for, and what comes of it beside its command.
pub struct Preparation<'a> {
    /// The specification.
    pub spec: &'a Spec,
    /// The program that knows [`CALL`].
    pub this: &'a Path,
    /// How the implementation is made and run.
    pub record: RunRecord,
    /// What is worth knowing before it runs.
    pub notes: Vec<String>,
    /// Where compiled libraries are, as long as they are needed.
    pub folders: Vec<Scratch>,
}

impl<'a> Preparation<'a> {
    pub(super) fn new(spec: &'a Spec, this: &'a Path) -> Self {
        Preparation { spec, this, record: RunRecord::default(), notes: Vec::new(), folders: Vec::new() }
    }

    pub(super) fn finish(self, program: PipeProgram) -> PreparedTarget {
        PreparedTarget { program, record: self.record, notes: self.notes, _folders: self.folders }
    }
}

/// A source file that is compiled.
pub(super) struct CompiledSource<'a> {
    source: &'a Path,
    library: CompiledLibrary,
    /// The library by which the debug information says how arguments are passed, where that is another one.
    interface: Option<CompiledLibrary>,
}

impl<'a> CompiledSource<'a> {
    /// Compiles a file, and records how.
    pub(super) fn new(
        source: &'a Path,
        language: CompiledLanguage,
        record: &mut RunRecord,
    ) -> Result<Self, HarnessFault> {
        let recipe = Recipe::of_environment(language);
        let line = recipe.line(source);
        record.add("compile", &line);
        record.add("cc_version", answer::clip(&recipe.version(), 200));
        let failed = |e: LibraryError| match e {
            LibraryError::Folder(e) => fault(format!("cannot make a temporary folder: {e}")),
            LibraryError::Tool(e) => {
                fault(format!("cannot compile with `{}`: {e}{}", recipe.compiler(), language.hint()))
            }
            LibraryError::Refused(said) => {
                let errors = said.lines().take(20).map(|l| answer::clip(l, 200)).collect();
                HarnessFault { errors, ..fault(format!("{} does not compile: {line}", source.display())) }
            }
        };
        let library = recipe.compile(source).map_err(failed)?;
        let interface = recipe.plain().map(|plain| plain.compile(source)).transpose().map_err(failed)?;
        record.add("library_sha256", hash_of(&library.path).unwrap_or_default());
        Ok(CompiledSource { source, library, interface })
    }

    pub(super) fn call<'c>(
        &'c self,
        name: &'c str,
        claimed: Option<&'c ClaimedCall>,
        spec: &'c Spec,
    ) -> LibraryCall<'c> {
        let library = &self.library.path;
        let interface = self.interface.as_ref().map_or(library, |plain| &plain.path);
        LibraryCall { interface, library, name, claimed, shown: self.source, spec }
    }

    pub(super) fn folder(self) -> Scratch {
        self.library.folder
    }
}

/// A function of a library that is to be called.
pub(super) struct LibraryCall<'a> {
    pub(super) library: &'a Path,
    /// The library whose debug information says how it is called.
    pub(super) interface: &'a Path,
    /// As the user names it.
    pub(super) name: &'a str,
    /// What the user says of it.
    pub(super) claimed: Option<&'a ClaimedCall>,
    /// The file that the user named.
    pub(super) shown: &'a Path,
    pub(super) spec: &'a Spec,
}

impl LibraryCall<'_> {
    /// The command that calls it.
    pub(super) fn command(&self, preparation: &mut Preparation<'_>) -> Result<Vec<OsString>, NotReady> {
        let Preparation { this, record, notes, folders, .. } = preparation;
        let symbol = self.symbol()?;
        let prototype = Prototype::read(self.interface, &symbol);
        let (inputs, shown) = (self.spec.inputs.len(), self.shown.display());
        let source = match (&prototype, self.claimed) {
            (Some(_), _) => "debug information",
            (None, Some(_)) => "--signature",
            (None, None) => "assumed",
        };
        if symbol != self.name {
            record.add("symbol", &symbol);
        }
        record.add("signature_from", source);
        let way = match self.choose(prototype.as_ref())? {
            Chosen::Form(signature) => {
                let declaration = signature.declaration(self.name, inputs);
                if source == "assumed" {
                    notes.push(format!(
                        "{shown} does not say what `{}` takes and returns: `{declaration}` is assumed. Say it by --signature, \
                         or build with debug information (-g)",
                        self.name
                    ));
                }
                record.add("function", declaration);
                record.add("signature", signature.to_string());
                CallingWay::Form(signature)
            }
            Chosen::Compiled { call, declaration } => {
                let compiled = call.compile().map_err(|e| fault(not_compiled(&e)))?;
                record.add("function", declaration);
                record.add("signature", if call.has_status { COMPILED_STATUS } else { COMPILED });
                folders.push(compiled.folder);
                CallingWay::Adapter(compiled.path, self.spec.result)
            }
        };
        Ok(vec![(*this).into(), CALL.into(), self.library.into(), symbol.into(), way.to_string().into()])
    }

    /// The symbol of the function that is named.
    fn symbol(&self) -> Result<String, NotReady> {
        let (shown, name) = (self.shown.display(), quote(self.name));
        let unfit = |message: String, hint: Option<String>| Err(NotReady::Misnamed(Unfit { message, hint }));
        match symbol_of(self.library, self.name) {
            NamedSymbol::One(symbol) => Ok(symbol),
            // The loader may find what cannot be read here.
            NamedSymbol::Unknown => Ok(self.name.to_owned()),
            NamedSymbol::Several(all) => {
                let hint = format!("write one of {} with the types of its parameters", listed(&all));
                unfit(format!("{shown} has {} functions {name}", all.len()), Some(hint))
            }
            NamedSymbol::Missing(all) => {
                let plain = |full: &str| full.split('(').next().unwrap_or_default().to_owned();
                let names: Vec<String> = all.iter().map(|full| plain(full)).collect();
                let last = |full: &str| full.rsplit("::").next().unwrap_or_default().to_owned();
                let wanted = plain(self.name);
                let near = nearest(&wanted, names.iter().map(String::as_str)).map(str::to_owned);
                let near = near.or_else(|| {
                    let ends: Vec<String> = names.iter().map(|name| last(name)).collect();
                    let end = nearest(&last(&wanted), ends.iter().map(String::as_str))?;
                    ends.iter().position(|other| other == end).map(|k| names[k].clone())
                });
                let hint = match near {
                    Some(near) => Some(format!("did you mean `{near}`?")),
                    None if all.is_empty() => None,
                    None => Some(format!("it has {}", listed(&all))),
                };
                unfit(format!("{shown} has no function {name}{}", self.of_templates()), hint)
            }
        }
    }

    /// What is worth knowing where a function of C++ is missing.
    fn of_templates(&self) -> &'static str {
        let text = if CompiledLanguage::of(self.shown) == CompiledLanguage::Cpp {
            std::fs::read_to_string(self.shown).unwrap_or_default()
        } else {
            String::new()
        };
        match text.contains("template") || text.contains("inline") {
            true => {
                " that is compiled (of a template the file has to ask for an instance: `template double f<double>(double);`)"
            }
            false => "",
        }
    }

    /// The signature that the library's debug information and the user's claim leave.
    fn choose(&self, prototype: Option<&Prototype>) -> Result<Chosen, HarnessFault> {
        let (spec, inputs) = (self.spec, self.spec.inputs.len());
        let claimed = match self.claimed {
            Some(ClaimedCall::Declaration(function)) => {
                return match prototype.and_then(|p| Some((p, p.source.as_ref()?))) {
                    Some((p, source)) if !has_types_of(function, source) => {
                        let found = format!("{} has `{}`", self.shown.display(), p.declaration(self.name));
                        Err(fault(format!("{found}, which is not the declaration of --signature")))
                    }
                    _ => self.compiled(function, &[], || declared(function, self.name)),
                };
            }
            Some(ClaimedCall::Form(s)) => Some(s.for_result(spec.result).map_err(|e| fault(e.to_string()))?),
            None => None,
        };
        let shape = |s: Signature| format!("`{}`", s.declaration(self.name, inputs));
        let signature = match (prototype, claimed) {
            (None, None) if spec.result_format.is_fixed() || spec.inputs.iter().any(|i| i.format.is_fixed()) => {
                return Err(fault(format!(
                    "{} does not say what `{}` takes and returns: say it by --signature, such as `--signature 'int16_t \
                     f(int16_t x)'`, or build with debug information (-g)",
                    self.shown.display(),
                    self.name
                )));
            }
            (None, claimed) => claimed.unwrap_or_else(|| Signature::of(spec)),
            (Some(p), Some(claimed)) if claimed.is_of(p, inputs) => claimed,
            (Some(p), claimed) => {
                let found = format!("{} has `{}`", self.shown.display(), p.declaration(self.name));
                match (claimed, Signature::of_prototype(p, inputs, spec.result)) {
                    (None, Some(signature)) => match &p.source {
                        Some(source) if has_names_in_another_order(source, spec) => {
                            return self.compiled(source, &p.structures, || p.declaration(self.name));
                        }
                        _ => signature,
                    },
                    (Some(claimed), fitting) => {
                        let hint = fitting.map_or(String::new(), |s| format!("; --signature {s} is what it has"));
                        let shape = shape(claimed);
                        return Err(fault(format!("{found}, which is not the {shape} of --signature {claimed}{hint}")));
                    }
                    (None, None) if p.is_open() => {
                        return Err(fault(format!(
                            "{found}, and how it is passed what has a `?` is not known: --signature says it, f64-ref if these \
                             are references, f64 if they are values"
                        )));
                    }
                    (None, None) => {
                        let compiled = p
                            .source
                            .as_ref()
                            .map(|source| self.compiled(source, &p.structures, || p.declaration(self.name)));
                        let why = match compiled {
                            Some(Ok(chosen)) => return Ok(chosen),
                            Some(Err(fault)) => format!(" ({})", fault.why),
                            None => String::new(),
                        };
                        let some = if inputs == 1 { "input" } else { "inputs" };
                        let has_integers = spec.inputs.iter().map(|i| i.format).chain([spec.result_format]);
                        let expected = match has_integers.into_iter().any(Format::is_fixed) {
                            true => "a parameter of the name of each argument is expected".to_owned(),
                            false => {
                                format!("{} or another form of --signature is expected", shape(Signature::of(spec)))
                            }
                        };
                        let results = match spec.result.count {
                            1 => String::new(),
                            count => format!(" for {count} results"),
                        };
                        return Err(fault(format!(
                            "{found}, which cannot be called with the {inputs} {some} of the specification{results}{why}: {expected}"
                        )));
                    }
                }
            }
        };
        signature.fits(spec).map_err(|e| fault(e.to_string()))?;
        Ok(Chosen::Form(signature))
    }

    /// The call of a function as it is declared, by an adapter that is compiled.
    fn compiled(
        &self,
        function: &SourceFunction,
        structures: &[Option<Vec<StructMember>>],
        declaration: impl Fn() -> String,
    ) -> Result<Chosen, HarnessFault> {
        match CompiledCall::new(function, structures, self.spec) {
            Ok(call) => Ok(Chosen::Compiled { call, declaration: declaration() }),
            Err(unfit) => Err(fault(unfit.to_string())),
        }
    }
}

/// How a function is to be called.
enum Chosen {
    Form(Signature),
    Compiled { call: CompiledCall, declaration: String },
}

/// Whether two functions take and return the same types; of which values behind a pointer are `const` does not matter.
fn has_types_of(a: &SourceFunction, b: &SourceFunction) -> bool {
    let same = |a: &SourceType, b: &SourceType| match (a, b) {
        (SourceType::Pointer(a, _), SourceType::Pointer(b, _)) => a.element() == b.element(),
        _ => a == b,
    };
    let parameters = a.parameters.iter().zip(&b.parameters).all(|((_, a), (_, b))| same(a, b));
    parameters && a.parameters.len() == b.parameters.len() && same(&a.result, &b.result)
}

/// Whether parameters have the names of all arguments of a specification, or pointers those of results, and stand in another order
/// than these.
fn has_names_in_another_order(function: &SourceFunction, spec: &Spec) -> bool {
    let place = |name: &String| function.parameters.iter().position(|(own, _)| own == name);
    let arguments: Option<Vec<usize>> = spec.core.args.iter().map(|arg| place(&arg.name)).collect();
    let results: Vec<usize> = spec.core.results.iter().filter_map(place).collect();
    arguments.is_some_and(|places| !places.is_sorted()) || !results.is_sorted()
}

/// A declaration that a person wrote, for the record.
fn declared(function: &SourceFunction, name: &str) -> String {
    let parameters: Vec<String> = function.parameters.iter().map(|(name, ty)| format!("{ty} {name}")).collect();
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    format!("{} {name}({parameters})", function.result)
}

/// Why an adapter is not compiled.
fn not_compiled(e: &LibraryError) -> String {
    let recipe = Recipe::of_environment(CompiledLanguage::C);
    let why = match e {
        LibraryError::Folder(e) => format!("there is no temporary folder: {e}"),
        LibraryError::Tool(e) => format!("`{}`: {e}{}", recipe.compiler(), CompiledLanguage::C.hint()),
        LibraryError::Refused(said) => answer::clip(said.lines().next().unwrap_or_default(), 200).to_string(),
    };
    format!("what calls a function with parameters of these types cannot be compiled: {why}")
}

/// How many functions of a library a message names.
const NAMED: usize = 8;

fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().take(NAMED).map(|n| format!("`{n}`")).collect();
    let more = names.len().saturating_sub(NAMED);
    if more > 0 { format!("{} and {more} more", quoted.join(", ")) } else { quoted.join(", ") }
}
