//! What inputs of a run may ask for beside numbers: objects that functions of the code make, and pointers that lead to the objects of others.

use crate::floats::BitsKind;

/// A function that returns a pointer to a structure and takes numbers alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Maker {
    /// By index.
    pub(super) function: u32,
    /// Its name among symbols.
    pub(super) symbol: String,
    /// The name of the structure.
    pub(super) record: String,
    /// What it takes.
    pub(super) parameters: Vec<(String, BitsKind)>,
}

/// An object that a function may make in the place of one whose members are inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MadeObject {
    /// The parameter that leads to it, by its place in the code.
    pub(super) place: usize,
    pub(super) maker: Maker,
    /// The input, by index, that is 1 where it is made.
    pub(super) choice: usize,
}

impl MadeObject {
    /// The inputs, by index, that the maker is called with, each with its kind.
    pub(super) fn arguments(&self) -> impl Iterator<Item = (BitsKind, usize)> + '_ {
        self.maker.parameters.iter().enumerate().map(|(k, (_, kind))| (*kind, self.choice + 1 + k))
    }

    /// Whether inputs ask for it.
    pub(super) fn is_asked(&self, inputs: &[u64]) -> bool {
        inputs.get(self.choice).is_some_and(|x| x & 1 == 1)
    }
}

/// Where a pointer stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PointerPlace {
    /// It is a parameter, by its place in the code.
    Parameter(usize),
    /// It is a member of an object, by its index; with where it is there. Unit: bytes.
    Member { object: usize, at: u32 },
}

/// A pointer that may lead to what another one leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PointerAlias {
    pub(super) pointer: PointerPlace,
    /// The object that it leads to then, by index, and where in it. Unit: bytes.
    pub(super) object: usize,
    pub(super) at: u32,
    /// The input, by index, that is 1 where it does.
    pub(super) choice: usize,
}

impl PointerAlias {
    /// Whether inputs ask for it.
    pub(super) fn is_asked(&self, inputs: &[u64]) -> bool {
        inputs.get(self.choice) == Some(&1)
    }
}
