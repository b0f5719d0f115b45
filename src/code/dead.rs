//! Lines of the source to which no run comes if branches are infeasible.

use super::flow::next;
use super::ins::Ins;
use super::program::{BranchGoal, CodeProgram};
use crate::cc::debug::Debug;
use std::collections::{BTreeSet, HashMap};

/// The lines, each with its file, that some run might come to, and none does if none takes one of these branches.
#[must_use]
pub fn dead_lines(program: &CodeProgram, infeasible: &[BranchGoal]) -> BTreeSet<(String, u32)> {
    let debug = program.module.sources_debug();
    let before = lines(program, &debug, &[]);
    let after = lines(program, &debug, infeasible);
    before.difference(&after).cloned().collect()
}

/// The lines to which ways lead from the entry that take none of these branches.
fn lines(program: &CodeProgram, debug: &Debug, infeasible: &[BranchGoal]) -> BTreeSet<(String, u32)> {
    let module = &program.module;
    let imports = module.imports.len() as u32;
    let sites: HashMap<(u32, u32), u32> =
        module.sites.iter().enumerate().map(|(i, s)| ((s.function, s.pc), i as u32)).collect();
    let mut seen: Vec<Vec<bool>> = module.functions.iter().map(|f| vec![false; f.code.len()]).collect();
    let mut open = vec![(program.entry, 0)];
    let mut lines = BTreeSet::new();
    while let Some((f, pc)) = open.pop() {
        let function = &module.functions[f as usize];
        if pc >= function.code.len() || std::mem::replace(&mut seen[f as usize][pc], true) {
            continue;
        }
        if let Some(place) = debug.own_place(function.offsets[pc]) {
            lines.insert((place.file.clone(), place.line));
        }
        match &function.code[pc] {
            Ins::Call(g) => open.push((*g, 0)),
            Ins::CallIndirect(_) => {
                open.extend(module.table.iter().flatten().filter_map(|g| Some((g.checked_sub(imports)?, 0))));
            }
            _ => {}
        }
        let site = sites.get(&(f, pc as u32)).filter(|site| module.sites[**site as usize].probe.is_none());
        for (way, to) in next(&function.code[pc], pc).into_iter().enumerate() {
            if site.is_none_or(|site| !infeasible.contains(&BranchGoal { site: *site, way: way as u32 })) {
                open.push((f, to));
            }
        }
    }
    lines
}
