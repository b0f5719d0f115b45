//! Stubs: functions that stand for those of the caller to which a function under test is given pointers, or for the virtual
//! functions of an object. What a stub returns at each call is an input, and so is what it writes to the doubles that it is given.
//!
//! A stub is an object in memory. Its head has four words of 32 bits: how many results it has given, how many doubles it has
//! written, which of its parameters (a bit each) lead to doubles, with [`RETURNS`] where it returns something, and of how many
//! inputs results and doubles are taken, each from the first one on after the last. Behind the head are the results, and behind
//! them the doubles, eight bytes each. The address of a stub as a function is that of its object with [`STUB`].

use super::input::kind_of;
use super::ins::FuncType;
use crate::cc::SourceType;
use crate::cc::shape::TypeShape;
use crate::cc::shape::function_types::FunctionTypeShape;
use crate::floats::BitsKind;

/// The bit that tells a stub from a function of the module. No table has so many functions, and no object lies so high.
pub(super) const STUB: u64 = 1 << 31;
/// The bit of the parameters' word that says that something is returned.
pub(super) const RETURNS: u32 = 1 << 31;
/// The size of the head. Unit: bytes.
pub(super) const HEAD: u32 = 16;
/// The most parameters.
pub(super) const MOST: usize = 16;

/// A stub.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stub {
    /// Its type.
    pub(super) ty: FunctionTypeShape,
    /// How many results are inputs, and how many of the doubles that it writes.
    pub(super) slots: u32,
}

impl Stub {
    /// A stub of a type; none where it takes or returns what is neither a number nor a pointer.
    pub(super) fn of(ty: &FunctionTypeShape, slots: u32) -> Option<Stub> {
        let is_plain = |shape: &TypeShape| match shape {
            TypeShape::Number(ty, _) => kind_of(ty).is_some(),
            TypeShape::Pointer(_) => true,
            _ => false,
        };
        let is_result = is_plain(&ty.result) || matches!(*ty.result, TypeShape::Void);
        let is_followed = is_result && !ty.is_variadic && ty.parameters.len() <= MOST;
        (is_followed && ty.parameters.iter().all(is_plain)).then(|| Stub { ty: ty.clone(), slots })
    }

    /// What its result is; none for nothing, and for pointers, which lead nowhere.
    pub(super) fn result(&self) -> Option<BitsKind> {
        match &*self.ty.result {
            TypeShape::Number(ty, _) => kind_of(ty),
            _ => None,
        }
    }

    /// Whether it writes doubles through this parameter.
    pub(super) fn is_written(parameter: &TypeShape) -> bool {
        matches!(parameter, TypeShape::Pointer(to) if !to.is_const && matches!(*to.to, TypeShape::Number(SourceType::Float(8), _)))
    }

    /// Whether it writes anything.
    pub(super) fn writes(&self) -> bool {
        self.ty.parameters.iter().any(Stub::is_written)
    }

    /// The last two words of its head.
    pub(super) fn head(&self) -> [u32; 2] {
        let written = self.ty.parameters.iter().enumerate().filter(|(_, p)| Stub::is_written(p));
        let returns = if self.result().is_some() { RETURNS } else { 0 };
        [written.fold(returns, |all, (k, _)| all | 1 << k), self.slots]
    }

    /// Where the doubles begin in its object.
    pub(super) fn doubles(&self) -> u32 {
        HEAD + 8 * self.slots
    }

    /// The size of its object.
    pub(super) fn bytes(&self) -> u32 {
        HEAD + 16 * self.slots
    }
}

/// The bits of a result as a value of the type with which a stub is called; none where that returns nothing.
pub(super) fn returned(bits: u64, ty: &FuncType) -> Option<u64> {
    ty.results.first().map(|ty| if ty.bytes() == 4 { bits & 0xffff_ffff } else { bits })
}
