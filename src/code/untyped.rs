//! What pointers lead to of which the source does not say it, as a `void *` to the state of a library's object: the numbers that
//! runs read there, and the structure of the source that has these. It chooses inputs; proofs do not depend on it.

use super::arrange::{Arrangement, InputWishes, LIST, UNKNOWN};
use super::module::Module;
use super::objects::MemoryAccess;
use super::wishes::accesses;
use crate::cc::SourceType;
use crate::cc::shape::{RecordShape, TypeShape};
use std::collections::{BTreeMap, BTreeSet};

/// How often it is looked: what one look finds leads the runs of the next one on.
const LOOKS: usize = 4;

/// What was found out so far.
#[derive(Default)]
pub(super) struct UntypedTargets {
    looks: usize,
    /// The structures that the source has pointers to, in the functions that can be reached.
    records: Option<Vec<TypeShape>>,
    /// What was read behind each pointer, by its name.
    read: BTreeMap<String, BTreeSet<MemoryAccess>>,
}

impl UntypedTargets {
    /// Looks what runs of a function read behind such pointers, and adds to the wishes what that is; `reached` are the functions that
    /// it calls, itself first. Returns whether something is new.
    pub(super) fn look(
        &mut self,
        all: &Arrangement,
        (module, entry): (&Module, u32),
        reached: impl Fn() -> Vec<u32>,
        wishes: &mut InputWishes,
    ) -> bool {
        if all.untyped.is_empty() || self.looks == LOOKS {
            return false;
        }
        self.looks += 1;
        let seen = accesses(all, (module, entry));
        let records = self.records.get_or_insert_with(|| {
            let functions = reached().into_iter().map(|f| &module.functions[f as usize]);
            let addresses: Vec<u32> = functions.filter_map(|f| f.offsets.first().copied()).collect();
            let mut records = module.sources_debug().pointed_records(&module.debug, &addresses);
            // A list of arguments is nobody's to make.
            records.retain(|shape| !matches!(shape, TypeShape::Record(record) if record.name.ends_with(LIST)));
            records
        });
        let mut is_new = false;
        for (name, object) in &all.untyped {
            let read = self.read.entry(name.clone()).or_default();
            read.extend(&seen[*object]);
            let Some(shape) = target(read, records) else { continue };
            // Of structures those that are read are there: mostly one.
            if let TypeShape::Record(record) = &shape {
                let last = read.last().map_or(0, |a| a.at / record.bytes as u32);
                wishes.elements.entry(name.clone()).or_insert(last + 1);
            }
            is_new |= wishes.types.insert(name.clone(), shape.clone()) != Some(shape);
        }
        is_new
    }
}

/// What a pointer leads to: a structure of the source, else numbers of one type, else what is read where; none where that is bytes:
/// they are read one by one, or the same ones in several ways, or none is.
fn target(read: &BTreeSet<MemoryAccess>, records: &[TypeShape]) -> Option<TypeShape> {
    let first = read.first()?;
    if read.iter().all(|a| a.bytes == 1) {
        return None;
    }
    let is_one =
        |a: &MemoryAccess| (a.bytes, a.is_float, a.at % u32::from(a.bytes)) == (first.bytes, first.is_float, 0);
    let is_array = read.len() > 1 && read.iter().all(is_one);
    let fits = |record: &&TypeShape| {
        let (numbers, bytes) = (numbers_of(record), record.bytes() as u32);
        read.iter().all(|a| numbers.contains(&MemoryAccess { at: a.at % bytes, ..*a }))
    };
    if let Some(record) = records.iter().find(fits) {
        return Some(record.clone());
    }
    if is_array {
        return Some(number(*first));
    }
    let end = |a: &MemoryAccess| a.at + u32::from(a.bytes);
    let is_apart = read.iter().zip(read.iter().skip(1)).all(|(a, b)| end(a) <= b.at);
    if !is_apart {
        return None;
    }
    let inside = read.iter().filter(|a| end(a) <= UNKNOWN);
    let members = inside.map(|a| (format!("at_{}", a.at), a.at.into(), number(*a))).collect();
    Some(TypeShape::Record(RecordShape { name: String::new(), members, bytes: UNKNOWN.into(), is_union: false }))
}

fn number(access: MemoryAccess) -> TypeShape {
    let bytes = access.bytes;
    let ty = if access.is_float { SourceType::Float(bytes) } else { SourceType::Int { bytes, signed: true } };
    TypeShape::Number(ty, String::new())
}

/// The numbers and pointers of a type, as they are read.
fn numbers_of(shape: &TypeShape) -> BTreeSet<MemoryAccess> {
    let mut all = BTreeSet::new();
    add_numbers(shape, 0, &mut all);
    all
}

fn add_numbers(shape: &TypeShape, at: u64, all: &mut BTreeSet<MemoryAccess>) {
    let mut add = |bytes: u64, is_float| {
        all.insert(MemoryAccess { at: at as u32, bytes: bytes as u8, is_float });
    };
    match shape {
        TypeShape::Number(ty, _) => add(shape.bytes(), matches!(ty, SourceType::Float(_))),
        TypeShape::Pointer(_) => add(8, false),
        TypeShape::Array(of, count) => {
            (0..(*count).min(u64::from(UNKNOWN))).for_each(|k| add_numbers(of, at + k * of.bytes(), all));
        }
        TypeShape::Record(record) => {
            record.members.iter().for_each(|(_, offset, of)| add_numbers(of, at + offset, all))
        }
        TypeShape::Function(_) | TypeShape::Bits(_) | TypeShape::Unknown(..) | TypeShape::Void => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_says_what_a_pointer_leads_to() {
        let read = |all: &[(u32, u8, bool)]| -> BTreeSet<MemoryAccess> {
            all.iter()
                .map(|(at, bytes, is_float)| MemoryAccess { at: *at, bytes: *bytes, is_float: *is_float })
                .collect()
        };
        let double = TypeShape::Number(SourceType::Float(8), String::new());
        let int = TypeShape::Number(SourceType::Int { bytes: 4, signed: true }, String::new());
        let members = vec![("n".to_owned(), 0, int), ("x".to_owned(), 8, double.clone())];
        let record =
            TypeShape::Record(RecordShape { name: "struct s".to_owned(), members, bytes: 16, is_union: false });
        let records = [record.clone()];
        assert_eq!(target(&read(&[]), &records), None);
        assert_eq!(target(&read(&[(0, 1, false), (5, 1, false)]), &records), None);
        assert_eq!(target(&read(&[(8, 8, true)]), &records), Some(record.clone()));
        // The second element of an array of structures.
        assert_eq!(target(&read(&[(16, 4, false), (24, 8, true)]), &records), Some(record));
        assert_eq!(target(&read(&[(0, 8, true), (16, 8, true)]), &records), Some(double.clone()));
        assert_eq!(target(&read(&[(0, 8, true), (4, 4, false)]), &records), None);
        let Some(TypeShape::Record(other)) = target(&read(&[(0, 8, true), (12, 4, false)]), &records) else {
            panic!("no structure has this")
        };
        let places: Vec<_> = other.members.iter().map(|(name, at, _)| (name.as_str(), *at)).collect();
        assert_eq!(places, [("at_0", 0), ("at_12", 12)]);
    }
}
