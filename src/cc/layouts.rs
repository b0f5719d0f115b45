//! The layouts of a module's functions, each read from its debugging information when it is asked for.

use super::debug::{CodeStart, Debug, Sections, section};
use super::dwarf::{Entry, Part, unit_at};
use super::shape::{DEEPEST, FunctionShape, POINTERS, Reader, ShapeParameter, TypeShape};
use crate::halt;
use gimli::{UnitOffset, constants as dw};
use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

impl Debug {
    /// The function whose code begins last before an address, with layouts; none where that is not known.
    #[must_use]
    pub fn shape(&self, sections: &Sections, address: u32) -> Option<FunctionShape> {
        let start = self.start(address)?;
        unit_at(section(sections), start.unit, |part| {
            function(&self.reader(part, start.unit), UnitOffset(start.entry))
        })?
    }

    /// The structures that variables and parameters of functions point to, those of the first function first, each once. `addresses`
    /// are where the code of these functions begins.
    #[must_use]
    pub fn pointed_records(&self, sections: &Sections, addresses: &[u32]) -> Vec<TypeShape> {
        let mut all: Vec<TypeShape> = Vec::new();
        for start in addresses.iter().filter_map(|at| self.start(*at)) {
            if halt::requested() {
                break;
            }
            for shape in &*self.pointed_of(sections, start) {
                if !all.contains(shape) {
                    all.push(shape.clone());
                }
            }
        }
        all
    }

    /// The structures that variables and parameters of one function point to.
    fn pointed_of(&self, sections: &Sections, start: &CodeStart) -> Arc<Vec<TypeShape>> {
        let known = || self.layouts.pointed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known().get(&start.address) {
            return known.clone();
        }
        let mut found = Vec::new();
        unit_at(section(sections), start.unit, |part| {
            add_pointed(&self.reader(part, start.unit), UnitOffset(start.entry), &mut found);
        });
        let found = Arc::new(found);
        known().insert(start.address, found.clone());
        found
    }

    fn reader<'p, 'd, 'a>(&self, part: &'p Part<'d, 'a>, unit: usize) -> Reader<'p, 'd, 'a> {
        let mut known = self.layouts.scopes.lock().unwrap_or_else(PoisonError::into_inner);
        let scopes = known.entry(unit).or_insert_with(|| Arc::new(scopes(part))).clone();
        Reader { part, scopes }
    }
}

/// The structures that variables and parameters of a function point to; what functions inside of it have is not looked at.
fn add_pointed(reader: &Reader<'_, '_, '_>, offset: UnitOffset, found: &mut Vec<TypeShape>) {
    let Ok(mut entries) = reader.part.unit.entries_at_offset(offset) else { return };
    let mut depth: Option<isize> = None;
    while let Ok(Some(entry)) = entries.next_dfs() {
        match depth {
            None => depth = Some(entry.depth()),
            Some(own) if entry.depth() <= own || entry.tag() == dw::DW_TAG_subprogram => return,
            Some(_) => {}
        }
        if matches!(entry.tag(), dw::DW_TAG_variable | dw::DW_TAG_formal_parameter)
            && let TypeShape::Pointer(pointer) = reader.of(entry, DEEPEST, POINTERS)
            && matches!(&*pointer.to, TypeShape::Record(record) if record.bytes > 0)
            && !found.contains(&pointer.to)
        {
            found.push(*pointer.to);
        }
    }
}

fn function(reader: &Reader<'_, '_, '_>, offset: UnitOffset) -> Option<FunctionShape> {
    let part = reader.part;
    let entry = part.unit.entry(offset).ok()?;
    let declared =
        part.referred(&entry, dw::DW_AT_specification).or_else(|| part.referred(&entry, dw::DW_AT_abstract_origin));
    let home = match &declared {
        Some(declared) => part.referred(declared, dw::DW_AT_specification).unwrap_or_else(|| declared.clone()),
        None => entry.clone(),
    };
    let scope = reader.scopes.get(&home.offset().0).cloned().unwrap_or_default();
    let mut parameters = Vec::new();
    let mut tree = part.unit.entries_tree(Some(offset)).ok()?;
    let mut children = tree.root().ok()?.children();
    while let Ok(Some(child)) = children.next() {
        let child = child.entry();
        if child.tag() == dw::DW_TAG_formal_parameter {
            let is_object = part.name(child) == "this";
            let name = part.name(child);
            parameters.push(ShapeParameter {
                name: if name.is_empty() { format!("x{}", parameters.len() + 1) } else { name },
                shape: reader.of(child, DEEPEST, POINTERS),
                is_object,
            });
        }
    }
    let name = part.name(&entry);
    let class = scope.rsplit("::").next().unwrap_or_default().split('<').next().unwrap_or_default();
    let is_constructor = !scope.is_empty() && name == class;
    let line = |e: &Entry<'_>| e.attr_value(dw::DW_AT_decl_line).and_then(|v| v.udata_value());
    Some(FunctionShape {
        is_constructor,
        name: if scope.is_empty() { name } else { format!("{scope}::{name}") },
        symbol: part.symbol(&entry)?,
        parameters,
        result: reader.of(&entry, DEEPEST, POINTERS),
        line: line(&entry).or_else(|| line(&home)).unwrap_or(0) as u32,
    })
}

/// For each entry inside of namespaces and classes the names of these.
fn scopes(part: &Part<'_, '_>) -> HashMap<usize, String> {
    let (mut entries, mut open, mut all) = (part.unit.entries(), Vec::<(isize, String)>::new(), HashMap::new());
    while let Ok(Some(entry)) = entries.next_dfs() {
        let depth = entry.depth();
        while open.last().is_some_and(|(level, _)| *level >= depth) {
            open.pop();
        }
        let around = open.last().map(|(_, name)| name.clone()).unwrap_or_default();
        if !around.is_empty() {
            all.insert(entry.offset().0, around.clone());
        }
        let is_scope = [dw::DW_TAG_namespace, dw::DW_TAG_class_type, dw::DW_TAG_structure_type, dw::DW_TAG_union_type];
        if is_scope.contains(&entry.tag()) {
            let own = part.name(entry);
            // What a namespace without a name holds is named as if it were outside.
            let name = match (around.is_empty(), own.is_empty()) {
                (_, true) => around,
                (true, _) => own,
                _ => format!("{around}::{own}"),
            };
            open.push((depth, name));
        }
    }
    all
}
