//! A function of a module as something to run on inputs: which bits are inputs, and where each branch stands in the
//! source.

pub(super) mod entry;

pub use super::input::{AskedInputs, CodeInput, EntryError};

use super::arrange::{Arrangement, InputWishes, arrange};
use super::called::call_on;
use super::ir::{CATCHES, CLEANS, REFUSED};
use super::machine::{Trap, throws};
use super::made::MadeObject;
use super::module::{Module, ModuleFunction};
use super::objects::{CallObjects, Passed, after};
use super::passing::{DefinedSymbol, PassedAs};
use super::run::{Runner, Watch};
use super::untyped::UntypedTargets;
use super::wishes::{found_out, give_room};
use crate::cc::SourceFunction;
use crate::cc::compiler::real;
use crate::cc::debug::{Debug, Place};
use crate::cc::names::cpp;
use crate::cc::shape::FunctionShape;
use crate::floats::BitsKind;
use entry::find;
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a function takes its parameters: that of its own file, where no other one sees it.
fn passing<'m>(module: &'m Module, debug: &Debug, (entry, shape): (u32, &FunctionShape)) -> Option<&'m [PassedAs]> {
    let of = |source: PathBuf| {
        module.passing.get(&DefinedSymbol { symbol: shape.symbol.clone(), source }).map(Vec::as_slice)
    };
    let source = module.functions[entry as usize].offsets.first().and_then(|at| debug.source(*at));
    source.and_then(|path| of(real(Path::new(path)))).or_else(|| of(PathBuf::new()))
}

/// A branch: a site and one of the ways on from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BranchGoal {
    /// Index of the site.
    pub site: u32,
    /// 0 where the test fails, 1 where it holds; the arm of a table.
    pub way: u32,
}

/// A function to run, with what is known of its source.
#[derive(Debug)]
pub struct CodeProgram {
    /// The code.
    pub module: Arc<Module>,
    /// The function, by index.
    pub entry: u32,
    /// Its inputs.
    pub inputs: Vec<CodeInput>,
    /// As the source has it, where that is known.
    pub source: Option<SourceFunction>,
    arrangement: Arrangement,
    /// The same with layouts.
    pub(super) shape: FunctionShape,
    debug: Arc<Debug>,
}

impl CodeProgram {
    /// The function `name` of a module. `elements` says how many inputs are behind a pointer: `("y", 2)`.
    ///
    /// # Errors
    /// What cannot be run, see [`EntryError`].
    pub fn new(
        module: impl Into<Arc<Module>>,
        name: &str,
        elements: &[(String, u32)],
    ) -> Result<CodeProgram, EntryError> {
        Self::declared(module, name, elements, None)
    }

    /// The same with a declaration of the function in place of what the module says of its source.
    ///
    /// # Errors
    /// As for [`CodeProgram::new`].
    pub fn declared(
        module: impl Into<Arc<Module>>,
        name: &str,
        elements: &[(String, u32)],
        declaration: Option<SourceFunction>,
    ) -> Result<CodeProgram, EntryError> {
        let asked = AskedInputs { elements: elements.to_vec(), ..AskedInputs::default() };
        Self::with_inputs(module, name, &asked, declaration)
    }

    /// The same with all that may be asked of inputs.
    ///
    /// # Errors
    /// As for [`CodeProgram::new`].
    pub fn with_inputs(
        module: impl Into<Arc<Module>>,
        name: &str,
        asked: &AskedInputs,
        declaration: Option<SourceFunction>,
    ) -> Result<CodeProgram, EntryError> {
        let AskedInputs { elements, members, has_objects } = asked;
        let module = module.into();
        let debug = module.sources_debug();
        let entry = find(&module, &debug, name)?;
        // What is refused has no parameters to speak of.
        let calls = module.functions[entry as usize].code.iter().filter_map(|ins| match ins {
            super::ins::Ins::CallHost(i) => module.imports[*i as usize].name.strip_prefix(REFUSED),
            _ => None,
        });
        let reasons: Vec<String> = calls.map(str::to_owned).collect();
        if !reasons.is_empty() {
            return Err(EntryError::Refused(reasons));
        }
        let f = &module.functions[entry as usize];
        let is_declared = declaration.is_some();
        let source = match declaration {
            Some(declared) if declared.fits(&f.ty, module.address()) => Some(declared),
            Some(_) => return Err(EntryError::Signature(f.ty.to_string())),
            None => f.offsets.first().and_then(|at| debug.function(*at)).cloned(),
        };
        let shape = entry::shape(&module, entry, source.as_ref(), is_declared);
        let mut wishes = entry::wishes(&shape, asked, debug.place(f.offsets.first().copied().unwrap_or(0)));
        wishes.allocates = module.allocates(entry);
        let passing = passing(&module, &debug, (entry, &shape));
        let arranged = |wishes: &InputWishes| arrange(&shape, &f.ty, (passing, module.address()), wishes);
        let wide = arranged(&wishes)?;
        if let Some((name, _)) = elements.iter().find(|(n, _)| !wide.call.objects.iter().any(|o| o.name == *n)) {
            return Err(EntryError::NoPointer(name.clone()));
        }
        if let Some(member) = members.iter().find(|member| !wide.of_unions.contains(*member)) {
            return Err(EntryError::NoMember(member.clone(), wide.of_unions.iter().cloned().collect()));
        }
        let mut program =
            CodeProgram { inputs: wide.inputs.clone(), arrangement: wide, module, entry, source, shape, debug };
        let mut untyped = UntypedTargets::default();
        while untyped.look(&program.arrangement, (&program.module, entry), || program.reached(), &mut wishes) {
            program.rearrange(&wishes)?;
        }
        give_room(|wishes| program.arranged(wishes).ok(), (&program.module, entry), &mut wishes);
        program.rearrange(&wishes)?;
        let mut tried = program.arrangement.clone();
        if *has_objects {
            tried = tried.with_aliases(program.is_method(), |_, _| true);
        }
        let found = found_out(&tried, (&program.module, entry), &program.shape, wishes);
        program.rearrange(&found)?;
        if *has_objects {
            program.alias_pointers();
            program.make_objects();
        }
        Ok(program)
    }

    /// Leaves out the input that says which call that allocates fails: none does, as a specification takes for granted.
    pub fn always_allocate(&mut self) {
        if self.arrangement.call.objects.last().is_some_and(|object| object.is_of_failure) {
            self.arrangement.call.objects.pop();
            self.arrangement.inputs.pop();
            self.inputs.pop();
        }
    }

    /// Adds inputs behind the others.
    pub(super) fn add_inputs(&mut self, inputs: Vec<CodeInput>) {
        self.arrangement.inputs.extend(inputs.iter().cloned());
        self.inputs.extend(inputs);
    }

    /// With another call.
    pub(super) fn arrange_as(&mut self, arrangement: Arrangement) {
        self.inputs.clone_from(&arrangement.inputs);
        self.arrangement = arrangement;
    }

    /// Whether its first parameter is the object of a method.
    pub(super) fn is_method(&self) -> bool {
        self.shape.parameters.first().is_some_and(|p| p.is_object)
    }

    /// Adds an object that a function of the code makes.
    pub(super) fn add_made(&mut self, made: MadeObject) {
        self.arrangement.call.made.push(made);
    }

    /// With other wishes.
    fn rearrange(&mut self, wishes: &InputWishes) -> Result<(), EntryError> {
        self.arrange_as(self.arranged(wishes)?);
        Ok(())
    }

    /// The call with other wishes.
    fn arranged(&self, wishes: &InputWishes) -> Result<Arrangement, EntryError> {
        let f = &self.module.functions[self.entry as usize];
        let passing = passing(&self.module, &self.debug, (self.entry, &self.shape));
        arrange(&self.shape, &f.ty, (passing, self.module.address()), wishes)
    }

    /// The type of the result; none for `void`, and for what is no number.
    #[must_use]
    pub fn result(&self) -> Option<BitsKind> {
        self.arrangement.result
    }

    /// The name of the function in the source, or in the module where there is none.
    #[must_use]
    pub fn name(&self) -> &str {
        self.source.as_ref().map_or(&self.module.functions[self.entry as usize].name, |s| &s.name)
    }

    /// The name by which it is asked for, that of its file before it where functions of other files have the same.
    #[must_use]
    pub fn full_name(&self) -> Cow<'_, str> {
        self.module.functions[self.entry as usize].full_name()
    }

    /// The functions that a call may come to, itself first; where the source is known, without those of the C library.
    #[must_use]
    pub fn reached_in_source(&self) -> Vec<u32> {
        let has_place = |f: &u32| {
            let start = self.module.functions[*f as usize].offsets.first();
            start.is_some_and(|at| self.debug.place(*at).is_some())
        };
        let is_known = has_place(&self.entry);
        self.reached().into_iter().filter(|f| !is_known || has_place(f)).collect()
    }

    /// The name of a function that stands in a file that was found beside those under test.
    pub(super) fn in_sibling(&self, function: u32) -> Option<&str> {
        let f = &self.module.functions[function as usize];
        // What Magneto adds has no place in any file.
        if f.name.starts_with("magneto_") {
            return None;
        }
        // Its code may stand in a header that such a file includes.
        let start = *f.offsets.first()?;
        let files = [self.debug.place(start).map(|place| place.file.as_str()), self.debug.source(start)];
        let is_beside = |file: &str| self.module.siblings.contains(&real(Path::new(file)));
        files.into_iter().flatten().any(is_beside).then_some(&f.name)
    }

    /// The source in which the function was compiled: its code may stand in a header that this includes.
    #[must_use]
    pub fn source_file(&self) -> Option<&Path> {
        let start = self.module.functions[self.entry as usize].offsets.first()?;
        self.debug.source(*start).map(Path::new)
    }

    /// Where the function's code begins.
    #[must_use]
    pub fn begins(&self) -> Option<&Place> {
        self.debug.place(*self.module.functions[self.entry as usize].offsets.first()?)
    }

    /// The bits of all numbers in objects that the caller sees, in order, as the last run left them; none where it gave one of these
    /// back.
    #[must_use]
    pub fn behind(&self, runner: &Runner<'_>) -> Option<Vec<u64>> {
        let mut at = runner.memory.heap_start();
        let mut all = Vec::new();
        for object in self.call_objects().stored() {
            for field in object.fields.iter().filter(|_| object.is_left()) {
                all.push(runner.memory.read(u64::from(at), field.at, field.kind.bytes()).ok()?);
            }
            at = after(at, object.bytes);
        }
        Some(all)
    }

    /// The kinds of these.
    pub fn kinds_behind(&self) -> impl Iterator<Item = BitsKind> + '_ {
        self.call_objects().kinds()
    }

    /// The inputs, by index, that are arrays of bytes in memory, for each that has more than one of them.
    #[must_use]
    pub fn byte_arrays(&self) -> Vec<Vec<usize>> {
        self.arrangement.byte_arrays()
    }

    /// Where the two parts of a `long double` stand among these, by the index of the first one.
    #[must_use]
    pub fn wide_behind(&self) -> Vec<usize> {
        let fields: Vec<_> =
            self.call_objects().objects.iter().filter(|o| o.is_left()).flat_map(|o| o.fields.iter()).collect();
        let is_wide = |i: &usize| fields[*i].is_significand && fields.len() > i + 1;
        (0..fields.len()).filter(is_wide).collect()
    }

    /// The functions that the entry reaches by calls, itself first.
    #[must_use]
    pub fn reached(&self) -> Vec<u32> {
        self.module.reached_from(self.entry)
    }

    /// What reached functions use and what is not there, or cannot be had as it is natively; for each one a name or a sentence. Runs
    /// end there, and proofs say nothing of what may come to it.
    #[must_use]
    pub fn lacking(&self) -> Vec<String> {
        let said = |name: String| match name.strip_prefix(REFUSED) {
            Some(reason) => reason.to_owned(),
            None if throws(&name) => "it throws exceptions".to_owned(),
            None => {
                format!("`{}` is not there", cpp(&name).map_or(name.clone(), |(name, parameters)| name + &parameters))
            }
        };
        let variables = self.module.absent.iter().map(|(_, name)| format!("the variable `{name}` is not there"));
        let mut all: Vec<String> = Vec::new();
        for reason in self.missing().into_iter().map(said).chain(variables) {
            if !all.contains(&reason) {
                all.push(reason);
            }
        }
        all
    }

    /// Whether a call that throws may lead to a branch on a way that is not followed.
    #[must_use]
    pub fn is_hidden(&self, goal: BranchGoal) -> bool {
        let own = self.module.sites[goal.site as usize].function == self.entry;
        let calls = |name: &str| {
            let is_it = |ins: &super::ins::Ins| matches!(ins, super::ins::Ins::CallHost(i) if self.module.imports[*i as usize].name == name);
            self.reached().iter().any(|f| self.module.functions[*f as usize].code.iter().any(is_it))
        };
        self.module.imports.iter().any(|i| i.name == CATCHES || i.name == CLEANS)
            && (calls(CATCHES) || (!own && calls(CLEANS)))
    }

    /// The imports that reached functions call and the host lacks.
    fn missing(&self) -> Vec<String> {
        let reached = self.reached();
        let memory = super::memory::Memory::new(&self.module);
        let lacking = memory.missing();
        let mut names: Vec<String> = Vec::new();
        for f in reached {
            for ins in &self.module.functions[f as usize].code {
                if let super::ins::Ins::CallHost(i) = ins {
                    let name = &self.module.imports[*i as usize].name;
                    if lacking.contains(&name.as_str()) && !names.contains(name) {
                        names.push(name.clone());
                    }
                }
            }
        }
        names
    }

    /// What is asked at a site, for people; none where it is a branch.
    #[must_use]
    pub fn asked(&self, site: u32) -> Option<String> {
        let probe = self.module.sites[site as usize].probe?;
        Some(probe.words(|import| self.module.imports[import as usize].name.as_str()))
    }

    /// Where a site stands in the source.
    #[must_use]
    pub fn place(&self, site: u32) -> Option<&Place> {
        let site = &self.module.sites[site as usize];
        self.debug.place(self.module.functions[site.function as usize].offsets[site.pc as usize])
    }

    /// The line of the source at which a goal goes on.
    #[must_use]
    pub fn leads_to(&self, goal: BranchGoal) -> Option<u32> {
        use super::ins::Ins;
        let (f, pc) = self.goes_on(goal);
        // The first instruction that comes from a line says which it is.
        let straight = |ins: &Ins| !matches!(ins, Ins::Branch { .. } | Ins::Table { .. } | Ins::Jump(_) | Ins::Return);
        let next = (pc + 1..).take_while(|k| f.code.get(k - 1).is_some_and(straight) && *k < f.code.len());
        let own = |pc: usize| self.debug.own_place(f.offsets[pc]);
        let place = std::iter::once(pc).chain(next).find_map(own).or_else(|| self.debug.place(f.offsets[pc]));
        place.map(|p| p.line)
    }

    /// The function and the instruction at which a goal goes on; jumps to jumps have the line of what they belong to.
    pub(super) fn goes_on(&self, goal: BranchGoal) -> (&ModuleFunction, usize) {
        use super::ins::Ins;
        let site = &self.module.sites[goal.site as usize];
        let f = &self.module.functions[site.function as usize];
        let mut pc = match &f.code[site.pc as usize] {
            Ins::Branch { when, to, .. } if (goal.way == 1) == *when => to.pc as usize,
            Ins::Table { targets, .. } => targets[goal.way as usize].pc as usize,
            _ => site.pc as usize + 1,
        };
        // A jump to itself is a loop without an end.
        let mut left = f.code.len();
        while let (Ins::Jump(to), 1..) = (&f.code[pc], left) {
            (pc, left) = (to.pc as usize, left - 1);
        }
        (f, pc)
    }

    /// The sites of functions, each with its occurrence among those of the same place, from 1.
    #[must_use]
    pub fn sites(&self, functions: &[u32]) -> Vec<(u32, u32)> {
        let mut seen: HashMap<Option<&Place>, u32> = HashMap::new();
        let mut sites = Vec::new();
        for (i, site) in self.module.sites.iter().enumerate() {
            if functions.contains(&site.function) {
                let count = seen.entry(self.place(i as u32)).or_insert(0);
                *count += 1;
                sites.push((i as u32, *count));
            }
        }
        sites
    }

    /// What a call is given.
    pub(super) fn call_objects(&self) -> &CallObjects {
        &self.arrangement.call
    }

    /// Whether its parameters are its inputs, each a number.
    #[must_use]
    pub fn takes_numbers_alone(&self) -> bool {
        let is_input =
            |(place, passed): (usize, &Passed)| matches!(passed, Passed::Number(_, input) if *input == place);
        self.arrangement.call.passed.iter().enumerate().all(is_input)
    }

    /// The same with what was found out about the inputs.
    pub(super) fn arrangement(&self) -> &Arrangement {
        &self.arrangement
    }

    /// Memory as a call finds it but for the inputs, with room for the objects; and where that begins.
    pub(super) fn memory(&self) -> (Vec<u8>, u32) {
        let mut memory = super::memory::Memory::new(&self.module);
        for object in self.call_objects().stored() {
            memory.allocate_object(object.bytes);
        }
        memory.at_start()
    }

    /// Run on inputs, each as its bits, on memory as it is at the start.
    ///
    /// # Errors
    /// Why it did not return.
    pub fn run<W: Watch>(&self, runner: &mut Runner<'_>, inputs: &[u64], watch: &mut W) -> Result<Option<u64>, Trap> {
        call_on(runner, self.call_objects(), (self.entry, inputs), watch)
    }
}
