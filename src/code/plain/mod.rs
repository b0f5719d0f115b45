//! A second way to run code on sets of inputs, to look at proofs again: another arithmetic, by simple exact rules on
//! intervals of bits, and another memory. It finds less than [`super::boxes`], and shares with it only the interpreter's
//! rules for the flow of control.

mod floats;
mod integers;
mod memory;
mod pieces;
mod questions;
#[cfg(test)]
mod tests;

use super::flow::Leads;
use super::given::Given;
use super::host::{math, operator, sets_errno};
use super::ins::{Binary, BranchTest, CodeConst, Compare, Load, Store, Type, Unary};
use super::ir::CLEANS;
use super::machine::{Machine, Selection, Trap, ValueDomain};
use super::module::Module;
use super::nearby::Statements;
use super::objects::{ObjectBuilder, after, whole};
use super::probe::Probe;
use super::program::{BranchGoal, CodeProgram};
use crate::floats::BitsKind;
use integers::Outcomes;
use memory::Memory;
pub use pieces::Pieces;
use questions::may_be;
use std::ops::Range;

fn is_float(ty: Type) -> bool {
    matches!(ty, Type::F32 | Type::F64)
}

fn unary(op: Unary, a: &Pieces) -> Pieces {
    integers::unary(op, a).unwrap_or_else(|| floats::unary(op, a))
}

fn binary(op: Binary, a: &Pieces, b: &Pieces) -> Pieces {
    let leads_on = match op {
        Binary::I64Add => a.outside != b.outside,
        Binary::I64Sub => a.outside && !b.outside,
        _ => false,
    };
    if leads_on {
        return Pieces::outside(a.ty);
    }
    if is_float(a.ty) { floats::binary(op, a, b) } else { integers::binary(op, a, b) }
}

fn compare(op: Compare, a: &Pieces, b: &Pieces) -> Outcomes {
    if is_float(a.ty) { floats::compare(op, a, b) } else { integers::compare(op, a, b) }
}

/// An integer of 64 bits as a value of a type, of which it has the low bits.
fn narrowed(a: Pieces, ty: Type) -> Pieces {
    match ty {
        Type::I64 => a,
        Type::F64 => Pieces { ty, ..a },
        _ => Pieces { ty, ..unary(Unary::I32WrapI64, &a) },
    }
}

/// The domain of these runs.
struct Plain<'r> {
    module: &'r Module,
    memory: Memory<'r>,
    heap: u32,
    /// The ways taken at tests that are not decided, and the number of ways each had.
    choices: &'r mut Vec<(usize, usize)>,
    next: usize,
    leads: &'r Leads,
    around: Vec<bool>,
    hit: bool,
    may_grow: bool,
}

/// The most bytes of a copy, and the most tests of one run that are not decided.
const MOST_COPIED: u64 = 256;
const MOST_CHOICES: usize = 48;

impl Plain<'_> {
    fn address(&self, base: &Pieces, offset: u32, length: u64) -> Result<u32, Trap> {
        let base = base.single().ok_or(Trap::Undecided)?;
        let at = u128::from(base) + u128::from(offset);
        let is_inside =
            at >= u128::from(self.module.floor()) && at + u128::from(length) <= u128::from(self.memory.length());
        if is_inside { Ok(at as u32) } else { Err(Trap::Undecided) }
    }

    fn decide(&mut self, site: u32, ways: impl Iterator<Item = u32>) -> Result<u32, Trap> {
        let around = self.around.last() == Some(&true);
        let ways: Vec<u32> = ways.filter(|way| around || self.leads.on(BranchGoal { site, way: *way })).collect();
        let taken = match ways.len() {
            // Nothing of what follows leads there.
            0 => return Err(Trap::Settled),
            1 => 0,
            n => {
                if self.next == self.choices.len() {
                    if self.choices.len() == MOST_CHOICES {
                        return Err(Trap::Undecided);
                    }
                    self.choices.push((0, n));
                }
                self.next += 1;
                self.choices[self.next - 1].0
            }
        };
        let way = ways[taken];
        if self.leads.is_goal(BranchGoal { site, way }) {
            self.hit = true;
            return Err(Trap::Settled);
        }
        Ok(way)
    }
}

fn is_non_zero(a: &Pieces) -> Outcomes {
    compare(Compare::I32Ne, a, &Pieces::one(a.ty, 0))
}

impl ValueDomain for Plain<'_> {
    type Value = Pieces;

    fn constant(&mut self, c: CodeConst) -> Pieces {
        Pieces::one(c.ty(), c.bits())
    }

    fn unary(&mut self, op: Unary, a: Pieces) -> Result<Pieces, Trap> {
        some(unary(op, &a))
    }

    fn cast(&mut self, op: Unary, a: Pieces) -> Result<Pieces, Trap> {
        some(floats::cast(op, &a))
    }

    fn binary(&mut self, op: Binary, a: Pieces, b: Pieces) -> Result<Pieces, Trap> {
        some(binary(op, &a, &b))
    }

    fn compare(&mut self, op: Compare, a: &Pieces, b: &Pieces) -> Pieces {
        integers::truth(compare(op, a, b))
    }

    fn select(&mut self, by: Selection<'_, Pieces>, first: Pieces, second: Pieces) -> Result<Pieces, Trap> {
        let outcome = self.branch(by.site, by.test, by.a, by.b)?;
        Ok(if outcome == by.when { first } else { second })
    }

    fn load(&mut self, load: Load, address: &Pieces, offset: u32) -> Result<Pieces, Trap> {
        if address.outside {
            return Ok(Pieces::all(load.ty));
        }
        let at = self.address(address, offset, load.bytes.into())?;
        Ok(self.memory.load(load, at))
    }

    fn store(&mut self, store: Store, address: &Pieces, offset: u32, value: Pieces) -> Result<(), Trap> {
        if address.outside {
            self.memory.forget_from(self.module.data.start);
            return Ok(());
        }
        let at = self.address(address, offset, store.bytes.into())?;
        self.memory.store(store, at, value);
        Ok(())
    }

    fn pages(&mut self, more: Option<Pieces>) -> Pieces {
        match more {
            None if !self.may_grow => Pieces::one(self.module.address(), self.module.pages.into()),
            _ => {
                self.may_grow = true;
                Pieces::all(self.module.address())
            }
        }
    }

    fn copy(&mut self, to: &Pieces, from: &Pieces, length: &Pieces) -> Result<(), Trap> {
        let length = length.single().filter(|n| *n <= MOST_COPIED).ok_or(Trap::Undecided)?;
        if to.outside {
            self.memory.forget_from(self.module.data.start);
            return Ok(());
        }
        if from.outside {
            let (to, byte) = (self.address(to, 0, length)?, Store { ty: Type::I64, bytes: 1 });
            (0..length as u32).for_each(|i| self.memory.store(byte, to + i, Pieces::all(Type::I64)));
            return Ok(());
        }
        let (to, from) = (self.address(to, 0, length)?, self.address(from, 0, length)?);
        self.memory.copy(to, from, length as u32);
        Ok(())
    }

    fn fill(&mut self, _: &Pieces, _: &Pieces, _: &Pieces) -> Result<(), Trap> {
        Err(Trap::Undecided)
    }

    fn branch(&mut self, site: u32, test: BranchTest, a: &Pieces, b: Option<&Pieces>) -> Result<bool, Trap> {
        let (yes, no) = match (test, b) {
            (BranchTest::Compare(op), Some(b)) => compare(op, a, b),
            (BranchTest::Either, Some(b)) => {
                let (p, q) = (is_non_zero(a), is_non_zero(b));
                (p.0 || q.0, p.1 && q.1)
            }
            _ => is_non_zero(a),
        };
        let ways = [(no, 0), (yes, 1)].into_iter().filter(|(is, _)| *is).map(|(_, way)| way);
        Ok(self.decide(site, ways)? == 1)
    }

    fn probe(&mut self, site: u32, probe: Probe, operands: &[Pieces]) -> Result<(), Trap> {
        if self.leads.is_goal(BranchGoal { site, way: 1 }) && may_be(probe, operands) {
            self.hit = true;
            return Err(Trap::Settled);
        }
        Ok(())
    }

    fn arm(&mut self, site: u32, index: &Pieces, arms: u32) -> Result<u32, Trap> {
        let is = |arm: &u32| {
            let last = *arm == arms - 1;
            index.parts.iter().any(|(lo, hi)| {
                *lo <= u64::from(*arm) && (last || u64::from(*arm) <= *hi) && (!last || *hi >= u64::from(*arm))
            })
        };
        self.decide(site, (0..arms).filter(is))
    }

    fn known(&mut self, value: &Pieces) -> Result<u32, Trap> {
        value.single().map(|n| n as u32).ok_or(Trap::Undecided)
    }

    fn calls(&mut self, function: usize, next: usize) {
        let leads = self.around.last() == Some(&true) || self.leads.from(function, next);
        self.around.push(leads);
    }

    fn returns(&mut self) {
        self.around.pop();
    }

    fn host(&mut self, import: u32, arguments: &[Pieces]) -> Result<Option<Pieces>, Trap> {
        let import = &self.module.imports[import as usize];
        if let Some(math) = math(&import.name).filter(|f| f.is_of(&import.ty)) {
            if let Some(errno) = self.module.errno.filter(|_| sets_errno(&import.name)) {
                self.memory.store(Store { ty: Type::I32, bytes: 4 }, errno, Pieces::all(Type::I32));
            }
            if let (Some(op), [x]) = (operator(&import.name), arguments) {
                return some(unary(op, x)).map(Some);
            }
            for (at, ty) in math.stores() {
                self.store(Store { ty, bytes: ty.bytes() }, &arguments[at], 0, Pieces::all(ty))?;
            }
            return Ok(import.ty.results.first().map(|ty| Pieces::all(*ty)));
        }
        match (import.name.as_str(), arguments) {
            ("memcpy" | "memmove", [to, from, length]) => self.copy(to, from, length).map(|()| Some(to.clone())),
            ("abort" | "exit" | "_exit" | "__assert_fail", _) => Err(Trap::Abort),
            // What unwinds ends the run.
            (CLEANS, []) => Ok(None),
            _ => Err(Trap::Undecided),
        }
    }
}

/// What has no result ends the run.
fn some(a: Pieces) -> Result<Pieces, Trap> {
    if a.parts.is_empty() { Err(Trap::Settled) } else { Ok(a) }
}

/// What these runs begin with.
struct Start<'p> {
    program: &'p CodeProgram,
    given: Given,
    initial: Vec<u8>,
    /// Where memory is known.
    known: Vec<Range<u32>>,
    heap: u32,
    leads: Leads,
}

/// Follows the paths that lead to a branch, on sets of inputs.
pub struct PlainPaths<'p> {
    machine: Machine<'p, Pieces>,
    start: Start<'p>,
    /// Instructions of all runs so far.
    pub steps: u64,
}

/// The most paths of one set of inputs, and the most instructions of a path.
const MOST: usize = 64;
const FUEL: u64 = 20_000;

impl<'p> PlainPaths<'p> {
    /// For a branch of a program, with what is taken for granted.
    #[must_use]
    pub fn new(program: &'p CodeProgram, goal: BranchGoal, given: Given) -> Self {
        let (initial, heap) = super::memory::Memory::new(&program.module).at_start();
        let module = &program.module;
        let known = if given >= Given::Start { module.known_at_start() } else { module.constants() };
        let start = Start { program, given, initial, known, heap, leads: Leads::to(module, goal) };
        PlainPaths { machine: Machine::new(module), start, steps: 0 }
    }

    /// Whether inputs of these sets may take the branch.
    pub fn may_reach(&mut self, inputs: &[Pieces]) -> bool {
        let PlainPaths { machine, start, steps } = self;
        follow((machine, start, steps), |machine, domain| {
            let arguments = arguments(start, inputs, domain)?;
            machine.call(domain, start.program.entry, &arguments, FUEL).map(drop)
        })
    }
}

/// Whether a run of some paths takes the branch.
fn follow<'p>(
    (machine, start, steps): (&mut Machine<'p, Pieces>, &Start<'p>, &mut u64),
    mut run: impl FnMut(&mut Machine<'p, Pieces>, &mut Plain<'_>) -> Result<(), Trap>,
) -> bool {
    let mut choices = Vec::new();
    for _ in 0..MOST {
        let mut domain = start.domain(&mut choices);
        let outcome = run(machine, &mut domain);
        *steps += machine.steps + 1;
        if domain.hit || outcome.is_err_and(|trap| trap.goes_on()) {
            return true;
        }
        while choices.last().is_some_and(|(way, ways)| way + 1 == *ways) {
            choices.pop();
        }
        match choices.last_mut() {
            Some(last) => last.0 += 1,
            None => return false,
        }
    }
    true
}

impl Statements for PlainPaths<'_> {
    type Value = Pieces;

    fn anything(ty: Type) -> Pieces {
        Pieces::all(ty)
    }

    fn may_reach_from(&mut self, pc: usize, locals: &[Pieces]) -> (bool, u64) {
        let (program, before) = (self.start.program, self.steps);
        let globals: Vec<Pieces> = program.module.globals.iter().map(|c| Pieces::all(c.ty())).collect();
        let PlainPaths { machine, start, steps } = self;
        let possible = follow((machine, start, steps), |machine, domain| {
            domain.memory.forget();
            machine.run_from(domain, (program.entry, pc), locals, &globals, FUEL)
        });
        (possible, self.steps - before)
    }

    fn locals_after(&mut self, instructions: u64) -> Vec<Pieces> {
        let mut choices = Vec::new();
        let program = self.start.program;
        let mut domain = self.start.domain(&mut choices);
        let whole: Vec<Pieces> = program.inputs.iter().map(|i| of_kind(i.kind)).collect();
        let Ok(arguments) = arguments(&self.start, &whole, &mut domain) else { return Vec::new() };
        match self.machine.call(&mut domain, program.entry, &arguments, instructions) {
            Err(Trap::Fuel) => self.machine.locals().to_vec(),
            _ => Vec::new(),
        }
    }
}

impl Start<'_> {
    fn domain<'r>(&'r self, choices: &'r mut Vec<(usize, usize)>) -> Plain<'r> {
        let memory = Memory::new(&self.initial, &self.known);
        let (module, leads, heap) = (&self.program.module, &self.leads, self.heap);
        Plain { module, memory, heap, choices, next: 0, leads, around: Vec::new(), hit: false, may_grow: false }
    }
}

/// The type in which a value of a kind is handed over.
#[must_use]
pub fn type_of(kind: BitsKind) -> Type {
    match kind {
        BitsKind::F32 => Type::F32,
        BitsKind::F64 => Type::F64,
        BitsKind::Int { bytes: 8, .. } => Type::I64,
        BitsKind::Bool | BitsKind::Int { .. } => Type::I32,
    }
}

/// The values of a kind between two, in the order of [`ends_of`].
#[must_use]
pub fn between(kind: BitsKind, lo: i128, hi: i128) -> Pieces {
    Pieces::wrapped(type_of(kind), lo, hi)
}

/// The first and the last value of a kind: integers as they are, floats by their bits.
#[must_use]
pub fn ends_of(kind: BitsKind) -> (i128, i128) {
    match kind {
        BitsKind::Bool => (0, 1),
        BitsKind::Int { bytes, signed: true } => (-(1 << (8 * bytes - 1)), (1 << (8 * bytes - 1)) - 1),
        _ => (0, (1 << (8 * kind.bytes())) - 1),
    }
}

fn of_kind(kind: BitsKind) -> Pieces {
    let (lo, hi) = ends_of(kind);
    between(kind, lo, hi)
}

/// The arguments of a call, and the objects that they lead to.
fn arguments(start: &Start<'_>, inputs: &[Pieces], domain: &mut Plain<'_>) -> Result<Vec<Pieces>, Trap> {
    start.program.call_objects().build(&mut PlainObjects { given: start.given, inputs, domain })
}

/// Objects in this memory.
struct PlainObjects<'b, 'r> {
    given: Given,
    inputs: &'b [Pieces],
    domain: &'b mut Plain<'r>,
}

impl ObjectBuilder for PlainObjects<'_, '_> {
    type Value = Pieces;
    type Error = Trap;

    fn room(&mut self, bytes: u32) -> Pieces {
        let at = self.domain.heap;
        self.domain.heap = after(at, bytes);
        Pieces::one(self.domain.module.address(), at.into())
    }

    fn outside(&mut self) -> Option<Pieces> {
        let addresses = self.domain.module.address();
        let any = if self.domain.module.wide { Pieces::outside(addresses) } else { Pieces::all(addresses) };
        (self.given == Given::Nothing).then_some(any)
    }

    fn unknown(&mut self, ty: Type) -> Pieces {
        Pieces::all(ty)
    }

    fn stub(&mut self, _: Pieces, _: Option<usize>) -> Pieces {
        Pieces::all(self.domain.module.address())
    }

    fn number(&mut self, kind: BitsKind, input: usize) -> Pieces {
        self.inputs.get(input).cloned().unwrap_or_else(|| of_kind(kind))
    }

    fn chosen(&mut self, address: Pieces, choice: usize) -> Pieces {
        let leads = self.number(BitsKind::Bool, choice);
        let is = |bits| leads.parts == [(bits, bits)];
        match (is(1), is(0)) {
            (true, _) => address,
            (_, true) => Pieces::one(address.ty, 0),
            _ => Pieces::all(address.ty),
        }
    }

    fn part(&mut self, ty: Type, fields: &[(u32, BitsKind, usize)]) -> Result<Pieces, Trap> {
        Ok(whole(ty, fields).map_or_else(|| Pieces::all(ty), |(kind, input)| self.number(kind, input)))
    }

    fn put(&mut self, address: &Pieces, at: u32, kind: BitsKind, input: usize) -> Result<(), Trap> {
        let value = self.number(kind, input);
        self.domain.store(Store { ty: type_of(kind), bytes: kind.bytes() }, address, at, value)
    }

    fn link(&mut self, address: &Pieces, at: u32, to: Pieces) -> Result<(), Trap> {
        let ty = address.ty;
        self.domain.store(Store { ty, bytes: ty.bytes() }, address, at, to)
    }
}
