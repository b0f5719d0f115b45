//! Proofs that a branch cannot be taken which look at the statements before it alone: from a statement that every run to
//! the branch passes, with nothing known of memory. Where such a proof exists it needs no boxes, however the rest of the
//! function computes.

use super::flow::previous;
use super::ins::{Ins, Type};
use super::module::ModuleFunction;
use super::program::{BranchGoal, CodeProgram};

/// How many statements before the branch are tried, the nearest first.
const MOST: usize = 12;
/// Instructions that are looked at to find these, at most.
const LOOKED_AT: usize = 2_000_000;

/// What runs on sets from a statement on.
pub trait Statements {
    /// A set of values.
    type Value: Clone;
    /// All values of a type.
    fn anything(ty: Type) -> Self::Value;
    /// Whether the branch may be taken after a statement of the function that comes before it in every run, whatever there
    /// is in memory, and how many instructions were run to find out. Surely no input takes it where this is false.
    fn may_reach_from(&mut self, pc: usize, locals: &[Self::Value]) -> (bool, u64);
    /// The locals after the first instructions of the function, whatever its arguments are; none where they are not known.
    fn locals_after(&mut self, instructions: u64) -> Vec<Self::Value>;
}

/// Whether the branch surely cannot be taken; the instructions that were run to find out are added to `steps`, those that
/// were looked at to `looked`.
#[must_use]
pub fn is_impossible(
    program: &CodeProgram,
    paths: &mut impl Statements,
    goal: BranchGoal,
    steps: &mut u64,
    looked: &mut u64,
) -> bool {
    let site = &program.module.sites[goal.site as usize];
    // In a call of the function by itself the frame stands elsewhere.
    if site.function != program.entry || is_called(program) {
        return false;
    }
    let function = &program.module.functions[site.function as usize];
    let previous = previous(&function.code);
    let Some(locals) = fixed_locals(function, &previous, paths) else { return false };
    let pc = site.pc as usize;
    let mut looks = 0;
    let begins = |s: &usize| is_beginning(function, &previous, *s);
    let before = function.statements.iter().map(|s| *s as usize).filter(|s| *s > 0 && *s <= pc).rev();
    let near = before.filter(begins).take(LOOKED_AT / function.code.len().max(1)).inspect(|_| looks += 1);
    let passed: Vec<usize> = near.filter(|s| is_passed(&previous, *s, pc)).take(MOST).collect();
    *looked += looks * function.code.len() as u64;
    for statement in passed {
        let (possible, took) = paths.may_reach_from(statement, &locals);
        *steps += took;
        if !possible {
            return true;
        }
    }
    false
}

/// Whether any function that the entry reaches calls it again.
fn is_called(program: &CodeProgram) -> bool {
    let entry = program.entry;
    program.reached().iter().any(|f| {
        let code = &program.module.functions[*f as usize].code;
        code.iter().any(|ins| matches!(ins, Ins::Call(g) if *g == entry) || matches!(ins, Ins::CallIndirect(_)))
    })
}

/// Whether a statement begins a stretch of code: control comes to it from elsewhere, or a decision is before it.
fn is_beginning(function: &ModuleFunction, previous: &[Vec<u32>], statement: usize) -> bool {
    !matches!(previous[statement][..], [only] if only as usize + 1 == statement && !is_control(&function.code[only as usize]))
}

fn is_control(ins: &Ins) -> bool {
    matches!(ins, Ins::Jump(_) | Ins::Branch { .. } | Ins::Table { .. } | Ins::Return | Ins::Unreachable)
}

/// Whether every way from the beginning of the function to `goal` passes an instruction.
fn is_passed(previous: &[Vec<u32>], instruction: usize, goal: usize) -> bool {
    if instruction == goal {
        return true;
    }
    let mut seen = vec![false; previous.len()];
    let mut open = vec![goal];
    while let Some(pc) = open.pop() {
        if pc == 0 {
            return false;
        }
        for before in &previous[pc] {
            let before = *before as usize;
            if before != instruction && !std::mem::replace(&mut seen[before], true) {
                open.push(before);
            }
        }
    }
    true
}

/// The locals as they are at every statement after the first decision: those that are set once, before any, have that
/// value (the address of the frame is one), the others may have any.
fn fixed_locals<S: Statements>(
    function: &ModuleFunction,
    previous: &[Vec<u32>],
    paths: &mut S,
) -> Option<Vec<S::Value>> {
    let straight =
        function.code.iter().position(|ins| is_control(ins) || matches!(ins, Ins::Call(_) | Ins::CallIndirect(_)))?;
    // Nothing may jump back into it.
    if previous.iter().take(straight).enumerate().any(|(pc, before)| before.len() > usize::from(pc > 0)) {
        return None;
    }
    let known = paths.locals_after(straight as u64);
    let sets = |ins: &Ins, local: usize| matches!(ins, Ins::LocalSet(i) | Ins::LocalTee(i) if *i as usize == local);
    let locals = function.locals.iter().enumerate().map(|(i, ty)| {
        let all = function.code.iter().filter(|ins| sets(ins, i)).count();
        let here = function.code[..straight].iter().filter(|ins| sets(ins, i)).count();
        match known.get(i) {
            Some(value) if all == 1 && here == 1 => value.clone(),
            _ => S::anything(*ty),
        }
    });
    Some(locals.collect())
}
