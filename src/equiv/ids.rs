//! Names of what normal forms are made of: places in tables.

/// A normal form by its place in the [`super::table::Table`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct FormId(pub(super) u32);

impl FormId {
    /// The number 0.
    pub(super) const ZERO: FormId = FormId(0);
    /// The number 1.
    pub(super) const ONE: FormId = FormId(1);
}

/// An atom by its place in the [`super::table::Table`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct AtomId(pub(super) u32);

/// A polynomial of at least two terms by its place in the [`super::table::Table`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct PolyId(pub(super) u32);

/// A condition in normal form, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct CondId(pub(super) u32);
