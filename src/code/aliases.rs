//! Pointers that lead to the object of another one: `fixture->body == this`, a ring, a list whose head is known from elsewhere.
//!
//! As with objects that are [made](super::makers), runs alone know of them: proofs name it where they take for granted that each pointer
//! leads to memory of its own.

use super::arrange::{Arrangement, RecordPlace};
use super::input::CodeInput;
use super::made::{PointerAlias, PointerPlace};
use super::objects::Passed;
use super::program::CodeProgram;
use super::wishes::accesses;
use crate::floats::BitsKind;

/// The most objects that one pointer is given in turn, and the most such inputs.
const MOST_EACH: usize = 3;
const MOST: usize = 24;
/// An input of which one value asks for the other object: seldom is everything the same.
const KIND: BitsKind = BitsKind::Int { bytes: 1, signed: false };

impl Arrangement {
    /// The same where pointers to structures may lead to those of other pointers: an input `p.next == q` is 1 where they do. They are
    /// members that `is_read` names by object and place, and parameters that lead to further pointers; the object of a method stays.
    pub(super) fn with_aliases(mut self, is_method: bool, is_read: impl Fn(usize, u32) -> bool) -> Arrangement {
        let call = &self.call;
        // What is handed over by value is a copy.
        let is_shared = |object: usize| call.objects[object].is_stored && !call.objects[object].is_own;
        let parameters =
            call.passed.iter().enumerate().skip(is_method.into()).filter_map(|(place, passed)| match passed {
                // Structures of numbers alone are seldom meant to be the same: results would overwrite each other.
                Passed::Address { object, .. } if !call.objects[*object].links.is_empty() => {
                    Some((PointerPlace::Parameter(place), *object))
                }
                _ => None,
            });
        let members = call.objects.iter().enumerate().flat_map(|(object, o)| {
            let links = o.links.iter().filter(move |_| is_shared(object));
            links.map(move |link| (PointerPlace::Member { object, at: link.at }, link.object))
        });
        let is_meant = |pointer: &PointerPlace| match *pointer {
            PointerPlace::Parameter(_) => true,
            PointerPlace::Member { object, at } => is_read(object, at),
        };
        let mut found: Vec<(String, PointerAlias)> = Vec::new();
        for (pointer, own) in parameters.chain(members).filter(|(pointer, _)| is_meant(pointer)) {
            let Some(target) = self.records.iter().find(|r| r.object == own && r.at == 0) else { continue };
            let fits =
                |r: &&RecordPlace| r.record == target.record && (r.object, r.at) != (own, 0) && is_shared(r.object);
            for other in self.records.iter().filter(fits).take(MOST_EACH) {
                let mark = if other.at == 0 { "" } else { "&" };
                let choice = self.inputs.len() + found.len();
                let alias = PointerAlias { pointer, object: other.object, at: other.at, choice };
                found.push((format!("{} == {mark}{}", target.name, other.name), alias));
            }
        }
        for (name, alias) in found.into_iter().take(MOST) {
            self.inputs.push(CodeInput { name, kind: KIND });
            self.call.aliases.push(alias);
        }
        self
    }
}

impl CodeProgram {
    /// From now on pointers to structures may lead to those of other pointers, as far as runs look at them.
    pub(super) fn alias_pointers(&mut self) {
        let all = self.arrangement().clone().with_aliases(self.is_method(), |_, _| true);
        let read = accesses(&all, (&self.module, self.entry));
        let is_read = |object: usize, at: u32| read[object].iter().any(|access| access.at == at);
        let aliased = self.arrangement().clone().with_aliases(self.is_method(), is_read);
        self.arrange_as(aliased);
    }
}
