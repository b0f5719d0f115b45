//! A function of a module as something to run on inputs: which bits are inputs, and where each branch stands in the
//! source.

mod entry;

pub use entry::EntryError;

use super::ir::REFUSED;
use super::machine::Trap;
use super::module::{Module, ModuleFunction};
use super::run::{Runner, Watch};
use crate::cc::debug::{Debug, Place};
use crate::cc::{SourceFunction, SourceType};
use crate::floats::BitsKind;
use entry::{find, is_pointer, kind_of, plain, said};
use std::collections::HashMap;

/// One input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeInput {
    /// The parameter's name; with an index where it is one of several behind a pointer.
    pub name: String,
    /// What its bits mean.
    pub kind: BitsKind,
}

/// How a parameter gets its value.
#[derive(Clone, Debug)]
enum Parameter {
    /// An input.
    Scalar(BitsKind),
    /// The address of so many inputs, or of cleared memory (none of them inputs).
    Pointer { kind: BitsKind, inputs: u32 },
}

/// The elements of cleared memory behind a pointer that brings no input: room for results.
const ROOM: u32 = 64;

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
    pub module: Module,
    /// The function, by index.
    pub entry: u32,
    /// Its inputs.
    pub inputs: Vec<CodeInput>,
    /// As the source has it, where that is known.
    pub source: Option<SourceFunction>,
    parameters: Vec<Parameter>,
    debug: Debug,
}

impl CodeProgram {
    /// The function `name` of a module. `elements` says how many inputs are behind a pointer: `("y", 2)`.
    ///
    /// # Errors
    /// What cannot be run, see [`EntryError`].
    pub fn new(module: Module, name: &str, elements: &[(String, u32)]) -> Result<CodeProgram, EntryError> {
        Self::declared(module, name, elements, None)
    }

    /// The same with a declaration of the function in place of what the module says of its source.
    ///
    /// # Errors
    /// As for [`CodeProgram::new`].
    pub fn declared(
        module: Module,
        name: &str,
        elements: &[(String, u32)],
        declaration: Option<SourceFunction>,
    ) -> Result<CodeProgram, EntryError> {
        let debug = Debug::of(&module.debug);
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
        let source = match declaration {
            Some(declared) if declared.fits(&f.ty, module.address()) => Some(declared),
            Some(_) => return Err(EntryError::Signature(f.ty.to_string())),
            None => f.offsets.first().and_then(|at| debug.function(*at)).cloned(),
        };
        if let Some(source) = &source {
            source.refused(f.ty.params.len())?;
        }
        let mut inputs = Vec::new();
        let mut parameters = Vec::new();
        for (i, ty) in f.ty.params.iter().enumerate() {
            let (name, source_type) = match &source {
                Some(s) => s.parameters[i].clone(),
                None => (format!("x{}", i + 1), plain(*ty)),
            };
            let asked = elements.iter().find(|(n, _)| *n == name).map(|(_, n)| *n);
            parameters.push(match &source_type {
                SourceType::Pointer(to, is_const) => {
                    let kind = kind_of(to).ok_or_else(|| {
                        EntryError::Parameter(name.clone(), "type pointer to what is no number".to_owned())
                    })?;
                    let count = asked.unwrap_or(u32::from(*is_const));
                    for k in 0..count {
                        inputs.push(CodeInput { name: format!("{name}[{k}]"), kind });
                    }
                    Parameter::Pointer { kind, inputs: count }
                }
                other => {
                    let kind = kind_of(other)
                        .ok_or_else(|| EntryError::Parameter(name.clone(), format!("type {}", said(other))))?;
                    inputs.push(CodeInput { name, kind });
                    Parameter::Scalar(kind)
                }
            });
        }
        if let Some((name, _)) = elements.iter().find(|(n, _)| !is_pointer(source.as_ref(), n)) {
            return Err(EntryError::NoPointer(name.clone()));
        }
        Ok(CodeProgram { module, entry, inputs, source, parameters, debug })
    }

    /// The type of the result; none for `void`.
    #[must_use]
    pub fn result(&self) -> Option<BitsKind> {
        let ty = *self.module.functions[self.entry as usize].ty.results.first()?;
        self.source.as_ref().and_then(|s| kind_of(&s.result)).or_else(|| kind_of(&plain(ty)))
    }

    /// The name of the function in the source, or in the module where there is none.
    #[must_use]
    pub fn name(&self) -> &str {
        self.source.as_ref().map_or(&self.module.functions[self.entry as usize].name, |s| &s.name)
    }

    /// Where the function's code begins.
    #[must_use]
    pub fn begins(&self) -> Option<&Place> {
        self.debug.place(*self.module.functions[self.entry as usize].offsets.first()?)
    }

    /// The bits of all elements behind pointers, in order, as the last run left them.
    #[must_use]
    pub fn behind(&self, runner: &Runner<'_>) -> Vec<u64> {
        let mut at = runner.memory.heap_start();
        let mut all = Vec::new();
        for (kind, pointer) in self.parameters() {
            let Some((_, room)) = pointer else { continue };
            let size = u32::from(kind.bytes());
            all.extend((0..room).filter_map(|i| runner.memory.read(u64::from(at), i * size, kind.bytes()).ok()));
            at = (at + room * size).next_multiple_of(16);
        }
        all
    }

    /// The kinds of these.
    pub fn kinds_behind(&self) -> impl Iterator<Item = BitsKind> + '_ {
        self.parameters().flat_map(|(kind, pointer)| std::iter::repeat_n(kind, pointer.map_or(0, |p| p.1 as usize)))
    }

    /// The functions that the entry reaches by calls, itself first.
    #[must_use]
    pub fn reached(&self) -> Vec<u32> {
        let mut all = vec![self.entry];
        let mut next = 0;
        while next < all.len() {
            for ins in &self.module.functions[all[next] as usize].code {
                match ins {
                    super::ins::Ins::Call(f) if !all.contains(f) => all.push(*f),
                    super::ins::Ins::CallIndirect(_) => {
                        let imports = self.module.imports.len() as u32;
                        for f in self.module.table.iter().flatten().filter_map(|f| f.checked_sub(imports)) {
                            if !all.contains(&f) {
                                all.push(f);
                            }
                        }
                    }
                    _ => {}
                }
            }
            next += 1;
        }
        all
    }

    /// Whether all that reached functions call is there, and can be had as it is natively.
    ///
    /// # Errors
    /// [`EntryError::Refused`] and [`EntryError::Missing`].
    pub fn is_whole(&self) -> Result<(), EntryError> {
        let missing = self.missing();
        let reasons: Vec<String> = missing.iter().filter_map(|n| Some(n.strip_prefix(REFUSED)?.to_owned())).collect();
        if !reasons.is_empty() {
            return Err(EntryError::Refused(reasons));
        }
        if missing.is_empty() { Ok(()) } else { Err(EntryError::Missing(missing)) }
    }

    /// The imports that reached functions call and the host lacks.
    fn missing(&self) -> Vec<String> {
        let reached = self.reached();
        let memory = super::run::Memory::new(&self.module);
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

    /// The parameters in order: the kind of each, and for a pointer how many inputs are behind it and how many elements
    /// there is room for.
    pub(super) fn parameters(&self) -> impl Iterator<Item = (BitsKind, Option<(u32, u32)>)> + '_ {
        self.parameters.iter().map(|p| match p {
            Parameter::Scalar(kind) => (*kind, None),
            Parameter::Pointer { kind, inputs } => (*kind, Some((*inputs, (*inputs).max(ROOM)))),
        })
    }

    /// The names of pointers among the parameters.
    pub(super) fn pointer_names(&self) -> impl Iterator<Item = &str> {
        let names = self.source.iter().flat_map(|s| s.parameters.iter().map(|(name, _)| name.as_str()));
        names.zip(&self.parameters).filter(|(_, p)| matches!(p, Parameter::Pointer { .. })).map(|(name, _)| name)
    }

    /// Memory as a call finds it but for the inputs, with the room behind pointers; and where that begins.
    pub(super) fn memory(&self) -> (Vec<u8>, u32) {
        let mut memory = super::run::Memory::new(&self.module);
        for (kind, behind) in self.parameters() {
            if let Some((_, room)) = behind {
                memory.allocate(u64::from(kind.bytes()) * u64::from(room));
            }
        }
        memory.at_start()
    }

    /// Run on inputs, each as its bits, on memory as it is at the start.
    ///
    /// # Errors
    /// Why it did not return.
    pub fn run<W: Watch>(&self, runner: &mut Runner<'_>, inputs: &[u64], watch: &mut W) -> Result<Option<u64>, Trap> {
        runner.memory.reset();
        let mut arguments = Vec::with_capacity(self.parameters.len());
        let mut next = inputs.iter();
        let mut take = || next.next().copied().unwrap_or(0);
        for parameter in &self.parameters {
            match parameter {
                Parameter::Scalar(kind) => arguments.push(widened(take(), *kind)),
                Parameter::Pointer { kind, inputs } => {
                    let size = kind.bytes();
                    let at = runner.memory.allocate(u64::from(size) * u64::from((*inputs).max(ROOM)));
                    for i in 0..*inputs {
                        runner.memory.write(u64::from(at), i * u32::from(size), size, widened(take(), *kind))?;
                    }
                    arguments.push(u64::from(at));
                }
            }
        }
        runner.call(self.entry, &arguments, watch)
    }
}

/// The bits of a value as an argument: short integers are extended.
fn widened(bits: u64, kind: BitsKind) -> u64 {
    match kind {
        BitsKind::Int { bytes: 1, signed: true } => u64::from(i32::from(bits as i8) as u32),
        BitsKind::Int { bytes: 2, signed: true } => u64::from(i32::from(bits as i16) as u32),
        BitsKind::Bool => bits & 1,
        _ => bits,
    }
}
