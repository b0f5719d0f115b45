//! Objects as the code itself makes them: `workspace *workspace_alloc(int n)` makes what a function is given that takes a
//! `workspace *`. Members that have to agree with each other do so in them, as they seldom do in members that are inputs one by one.
//!
//! Runs alone make objects. Proofs look at memory whose members are inputs, and say what they take for granted of it; a run on an
//! object that was made may therefore take a branch of which such a proof is known, and the proof is taken back.

use super::input::{CodeInput, kind_of};
use super::made::{MadeObject, Maker};
use super::module::Module;
use super::objects::{Passed, held_as};
use super::passing::DefinedSymbol;
use super::program::CodeProgram;
use crate::cc::compiler::is_c;
use crate::cc::shape::{FunctionShape, ShapeParameter, TypeShape};
use crate::floats::BitsKind;
use std::path::{Path, PathBuf};

/// The most functions that make an object for one pointer, and the most numbers that one of them takes.
const MOST: usize = 2;
const MOST_NUMBERS: usize = 6;

/// The structure that a pointer leads to.
fn pointed(shape: &TypeShape) -> Option<&str> {
    let TypeShape::Pointer(pointer) = shape else { return None };
    match &*pointer.to {
        TypeShape::Record(record) if !pointer.is_reference && !record.name.is_empty() => Some(&record.name),
        _ => None,
    }
}

impl Module {
    /// The functions of C that make objects, as far as all files see them.
    pub(super) fn makers(&self) -> &[Maker] {
        self.makers_read.get_or_init(|| {
            let debug = self.sources_debug();
            let one = |(i, f): (usize, &super::module::ModuleFunction)| {
                let start = *f.offsets.first()?;
                let is_number = |ty: &crate::cc::SourceType| kind_of(ty).is_some();
                let source = debug.function(start)?;
                let takes_numbers = source.parameters.iter().all(|(_, ty)| is_number(ty));
                if !is_c(Path::new(debug.source(start)?)) || !takes_numbers || source.parameters.len() > MOST_NUMBERS {
                    return None;
                }
                let shape = debug.shape(&self.debug, start)?;
                let maker = Maker {
                    function: i as u32,
                    record: pointed(&shape.result)?.to_owned(),
                    parameters: numbers(&shape)?,
                    symbol: shape.symbol,
                };
                let seen = DefinedSymbol { symbol: maker.symbol.clone(), source: PathBuf::new() };
                let held = maker.parameters.iter().map(|(_, kind)| held_as(*kind));
                (self.passing.contains_key(&seen) && held.eq(f.ty.params.iter().copied())).then_some(maker)
            };
            self.functions.iter().enumerate().filter_map(one).collect()
        })
    }
}

/// The numbers that a function takes, if it takes nothing else.
fn numbers(shape: &FunctionShape) -> Option<Vec<(String, BitsKind)>> {
    let one = |p: &ShapeParameter| match &p.shape {
        TypeShape::Number(ty, _) => Some((p.name.clone(), kind_of(ty)?)),
        _ => None,
    };
    shape.parameters.iter().map(one).collect()
}

impl CodeProgram {
    /// From now on runs may be given objects that functions of the code make: of each pointer to a structure an input says whether it
    /// leads to such a one (`p.alloc()`), and others are what the function is called with (`p.alloc().n`).
    pub(super) fn make_objects(&mut self) {
        let module = self.module.clone();
        let places: Vec<usize> = (0..self.call_objects().passed.len()).collect();
        for place in places {
            let Passed::Address { object, .. } = self.call_objects().passed[place] else { continue };
            let name = self.call_objects().objects[object].name.clone();
            let parameter = self.shape.parameters.iter().find(|p| p.name == name);
            let Some(record) = parameter.and_then(|p| pointed(&p.shape)).map(str::to_owned) else { continue };
            let fitting = |maker: &&Maker| maker.record == record && maker.function != self.entry;
            let makers: Vec<Maker> = module.makers().iter().filter(fitting).take(MOST).cloned().collect();
            for maker in makers {
                let choice = self.inputs.len();
                let called = format!("{name}.{}()", maker.symbol);
                let numbers = maker.parameters.iter().map(|(n, kind)| (format!("{called}.{n}"), *kind));
                let all = std::iter::once((called.clone(), BitsKind::Bool)).chain(numbers);
                self.add_inputs(all.map(|(name, kind)| CodeInput { name, kind }).collect());
                self.add_made(MadeObject { place, maker, choice });
            }
        }
    }

    /// Whether inputs may ask for an object that a function makes.
    #[must_use]
    pub fn may_make_objects(&self) -> bool {
        !self.call_objects().made.is_empty()
    }

    /// Inputs that ask for all such objects.
    pub(crate) fn made(&self, mut inputs: Vec<u64>) -> Vec<u64> {
        self.call_objects().made.iter().for_each(|made| inputs[made.choice] = 1);
        inputs
    }

    /// Whether inputs may ask for memory that proofs leave out: an object that a function makes, or one that several pointers lead to.
    #[must_use]
    pub fn may_be_beyond_proofs(&self) -> bool {
        self.may_make_objects() || !self.call_objects().aliases.is_empty()
    }

    /// Whether inputs ask for such memory.
    #[must_use]
    pub fn is_beyond_proofs(&self, inputs: &[u64]) -> bool {
        let call = self.call_objects();
        call.made.iter().any(|made| made.is_asked(inputs)) || call.aliases.iter().any(|alias| alias.is_asked(inputs))
    }

    /// Inputs that ask for none.
    pub(crate) fn within_proofs(&self, mut inputs: Vec<u64>) -> Vec<u64> {
        let call = self.call_objects();
        let choices = call.made.iter().map(|made| made.choice).chain(call.aliases.iter().map(|alias| alias.choice));
        choices.for_each(|choice| inputs[choice] = 0);
        inputs
    }
}
