//! A specification's formula and conditions, ready to be evaluated at single inputs.

use super::Function;
use crate::spec::Spec;
use crate::tape::lower::lower;
use crate::tape::{Builder, NodeId, Tape};

/// f and the conditions of the domain beyond its ranges, on one tape.
pub struct Formula<'a> {
    /// The specification.
    pub spec: &'a Spec,
    /// The tape.
    pub tape: Tape,
    /// f on it.
    pub root: NodeId,
    /// The conditions on it.
    pub conditions: Vec<NodeId>,
}

impl<'a> Formula<'a> {
    /// Make ready.
    #[must_use]
    pub fn new(spec: &'a Spec) -> Self {
        Formula::on(spec, Builder::new(spec.inputs.len()))
    }

    /// The same on an empty tape that is built in another way.
    #[must_use]
    pub fn on(spec: &'a Spec, mut builder: Builder) -> Self {
        let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
        let root = lower(&mut builder, &names, &spec.core.body);
        let conditions = spec.constraints.iter().map(|c| lower(&mut builder, &names, c)).collect();
        Formula { spec, tape: builder.finish(), root, conditions }
    }

    /// f with its accuracy.
    #[must_use]
    pub fn function(&self) -> Function<'_> {
        Function { tape: &self.tape, root: self.root, accuracy: &self.spec.accuracy }
    }
}
