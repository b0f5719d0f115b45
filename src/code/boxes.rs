//! Runs on sets: one run stands for all inputs of a box. Where a test is not decided the run follows one way and notes
//! that there is another; [`Paths`] takes each in turn.

use super::answers::{asked_of, is_possible};
use super::bits;
use super::flow::Leads;
use super::given::Given;
use super::host::operator;
use super::ins::{Binary, BranchTest, CodeConst, Compare, Load, Store, Type, Unary};
use super::ir::CLEANS;
use super::machine::{Machine, Selection, Trap, ValueDomain};
use super::module::Module;
use super::nearby::Statements;
use super::objects::{ObjectBuilder, after, held_as, whole};
use super::probe::Probe;
use super::program::{BranchGoal, CodeProgram};
use super::sets::{self, Floats, Ints, ValueSet};
use super::written::{Written, anything};
use crate::floats::BitsKind;
use std::ops::Range;

/// The domain of runs on sets.
struct Boxes<'r> {
    module: &'r Module,
    memory: Written<'r>,
    heap: u32,
    /// The ways taken at tests that are not decided, first to last; the number of ways each had.
    choices: &'r mut Vec<(u32, u32)>,
    next: usize,
    leads: &'r Leads,
    /// For each call that is open: whether the branch may be reached after it, or after one around it.
    around: Vec<bool>,
    /// Whether the branch that is looked for was taken.
    hit: bool,
    /// Whether memory may have grown.
    may_grow: bool,
}

/// The most bytes that a copy may have: what is told apart is a number or two.
const MOST_COPIED: u64 = 64;
/// The most tests of one run that are not decided.
const MOST_CHOICES: usize = 40;

impl Boxes<'_> {
    fn address(&mut self, base: &ValueSet, offset: u32, length: u8) -> Result<u32, Trap> {
        let base = base.single().ok_or(Trap::Undecided)?;
        let at = base.checked_add(offset.into()).filter(|at| *at >= self.module.floor());
        // Memory may have grown since the start: beyond it nothing is known, not even that there is none.
        let is_inside = |at: &u64| at.checked_add(length.into()).is_some_and(|end| end <= self.memory.length());
        at.filter(is_inside).map(|at| at as u32).ok_or(Trap::Undecided)
    }

    /// A decision between two ways or more, of which only those count that still lead to the branch that is looked for.
    fn decide(&mut self, site: u32, ways: std::ops::RangeInclusive<u32>) -> Result<u32, Trap> {
        let around = self.around.last() == Some(&true);
        let leading: Vec<u32> = ways.filter(|way| around || self.leads.on(BranchGoal { site, way: *way })).collect();
        let way = match leading[..] {
            [] => return Err(Trap::Settled),
            [only] => only,
            _ => leading[self.choose(leading.len() as u32)? as usize],
        };
        if self.leads.is_goal(BranchGoal { site, way }) {
            self.hit = true;
            return Err(Trap::Settled);
        }
        Ok(way)
    }

    fn choose(&mut self, ways: u32) -> Result<u32, Trap> {
        if self.next == self.choices.len() {
            if self.choices.len() == MOST_CHOICES {
                return Err(Trap::Undecided);
            }
            self.choices.push((0, ways));
        }
        self.next += 1;
        Ok(self.choices[self.next - 1].0)
    }
}

/// Whether a 32-bit integer is not 0, if that is the same for all members.
fn non_zero(a: &ValueSet) -> Option<bool> {
    sets::compare(Compare::I32Ne, *a, ValueSet::Int(Ints::one(32, 0)))
}

impl ValueDomain for Boxes<'_> {
    type Value = ValueSet;

    fn constant(&mut self, c: CodeConst) -> ValueSet {
        match c {
            CodeConst::I32(x) => ValueSet::Int(Ints::one(32, x as u64)),
            CodeConst::I64(x) => ValueSet::Int(Ints::one(64, x as u64)),
            CodeConst::F32(x) => ValueSet::Float(Floats::one(false, x.into())),
            CodeConst::F64(x) => ValueSet::Float(Floats::one(true, x)),
        }
    }

    fn unary(&mut self, op: Unary, a: ValueSet) -> Result<ValueSet, Trap> {
        sets::unary(op, a).ok_or(Trap::Undecided)
    }

    fn cast(&mut self, op: Unary, a: ValueSet) -> Result<ValueSet, Trap> {
        Ok(sets::cast(op, a))
    }

    fn binary(&mut self, op: Binary, a: ValueSet, b: ValueSet) -> Result<ValueSet, Trap> {
        if let Some(results) = sets::binary(op, a, b) {
            return Ok(results);
        }
        if let (Some(p), Some(q)) = (a.single(), b.single()) {
            // The run ends here.
            bits::binary(op, p, q)?;
        }
        // What traps ends there; of what goes on nothing is said.
        let long = !matches!(a, ValueSet::Int(Ints { width: 32, .. }));
        Ok(ValueSet::Int(Ints::all(if long { 64 } else { 32 })))
    }

    fn compare(&mut self, op: Compare, a: &ValueSet, b: &ValueSet) -> ValueSet {
        match sets::compare(op, *a, *b) {
            Some(outcome) => ValueSet::Int(Ints::one(32, outcome.into())),
            None => ValueSet::Int(Ints::between(32, 0, 1)),
        }
    }

    fn select(&mut self, by: Selection<'_, ValueSet>, first: ValueSet, second: ValueSet) -> Result<ValueSet, Trap> {
        let outcome = self.branch(by.site, by.test, by.a, by.b)?;
        Ok(if outcome == by.when { first } else { second })
    }

    fn load(&mut self, load: Load, address: &ValueSet, offset: u32) -> Result<ValueSet, Trap> {
        if *address == ValueSet::Outside {
            return Ok(anything(load.ty));
        }
        let at = self.address(address, offset, load.bytes)?;
        if self.module.is_absent(at.into(), u64::from(at) + u64::from(load.bytes)) {
            return Ok(anything(load.ty));
        }
        self.memory.load(load, at)
    }

    fn store(&mut self, store: Store, address: &ValueSet, offset: u32, value: ValueSet) -> Result<(), Trap> {
        if *address == ValueSet::Outside {
            self.memory.forget_from(self.module.data.start);
            return Ok(());
        }
        let at = self.address(address, offset, store.bytes)?;
        self.memory.store(store, at, value)
    }

    fn pages(&mut self, more: Option<ValueSet>) -> ValueSet {
        match more {
            // What an allocation has added is not followed.
            None if !self.may_grow => one(self.module.address(), self.memory.length() / 65_536),
            _ => {
                self.may_grow = true;
                anything(self.module.address())
            }
        }
    }

    fn copy(&mut self, to: &ValueSet, from: &ValueSet, length: &ValueSet) -> Result<(), Trap> {
        let length = length.single().filter(|n| *n <= MOST_COPIED).ok_or(Trap::Undecided)? as u8;
        if *to == ValueSet::Outside {
            self.memory.forget_from(self.module.data.start);
            return Ok(());
        }
        let to = self.address(to, 0, length)?;
        if *from == ValueSet::Outside {
            return (0..u32::from(length)).try_for_each(|i| {
                self.memory.store(Store { ty: Type::I32, bytes: 1 }, to + i, ValueSet::Int(Ints::between(32, 0, 255)))
            });
        }
        let from = self.address(from, 0, length)?;
        self.memory.copy(to, from, length);
        Ok(())
    }

    fn fill(&mut self, _: &ValueSet, _: &ValueSet, _: &ValueSet) -> Result<(), Trap> {
        Err(Trap::Undecided)
    }

    fn branch(&mut self, site: u32, test: BranchTest, a: &ValueSet, b: Option<&ValueSet>) -> Result<bool, Trap> {
        let decided = match (test, b) {
            (BranchTest::Compare(op), Some(b)) => sets::compare(op, *a, *b),
            (BranchTest::Either, Some(b)) => match (non_zero(a), non_zero(b)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            _ => non_zero(a),
        };
        let ways = decided.map_or(0..=1, |outcome| u32::from(outcome)..=u32::from(outcome));
        Ok(self.decide(site, ways)? == 1)
    }

    fn probe(&mut self, site: u32, probe: Probe, operands: &[ValueSet]) -> Result<(), Trap> {
        // Other questions decide nothing.
        if !self.leads.is_goal(BranchGoal { site, way: 1 }) {
            return Ok(());
        }
        let result = match probe.call() {
            Some(call) => self.host(call.import, &asked_of(probe, operands))?,
            None => None,
        };
        if is_possible(probe, operands, result) {
            self.hit = true;
            return Err(Trap::Settled);
        }
        Ok(())
    }

    fn arm(&mut self, site: u32, index: &ValueSet, arms: u32) -> Result<u32, Trap> {
        let ValueSet::Int(index) = index else { return Err(Trap::Undecided) };
        let (lo, hi) = index.unsigned();
        let (lo, hi) = (lo.min(u64::from(arms - 1)) as u32, hi.min(u64::from(arms - 1)) as u32);
        self.decide(site, lo..=hi)
    }

    fn known(&mut self, value: &ValueSet) -> Result<u32, Trap> {
        value.single().map(|n| n as u32).ok_or(Trap::Undecided)
    }

    fn calls(&mut self, function: usize, next: usize) {
        let leads = self.around.last() == Some(&true) || self.leads.from(function, next);
        self.around.push(leads);
    }

    fn returns(&mut self) {
        self.around.pop();
    }

    fn host(&mut self, import: u32, arguments: &[ValueSet]) -> Result<Option<ValueSet>, Trap> {
        let import = &self.module.imports[import as usize];
        let math = super::host::math(&import.name).filter(|f| f.is_of(&import.ty));
        if let Some(errno) = self.module.errno.filter(|_| math.is_some() && super::host::sets_errno(&import.name)) {
            self.memory.store(Store { ty: Type::I32, bytes: 4 }, errno, anything(Type::I32))?;
        }
        if let (Some(op), [x], Some(_)) = (operator(&import.name), arguments, math) {
            return sets::unary(op, *x).map(Some).ok_or(Trap::Undecided);
        }
        // Of what it returns and stores nothing is said; it changes no other memory.
        if let Some(math) = math {
            for (at, ty) in math.stores() {
                let store = Store { ty, bytes: ty.bytes() };
                self.store(store, &arguments[at], 0, anything(ty))?;
            }
            return Ok(import.ty.results.first().map(|ty| anything(*ty)));
        }
        match (import.name.as_str(), arguments) {
            ("memcpy" | "memmove", [to, from, length]) => self.copy(to, from, length).map(|()| Some(*to)),
            ("abort" | "exit" | "_exit" | "_Exit" | "__assert_fail", _) => Err(Trap::Abort),
            // What unwinds ends the run.
            (CLEANS, []) => Ok(None),
            _ => Err(Trap::Undecided),
        }
    }
}

/// A set of inputs: for each one a set of values.
pub type InputSets = Vec<ValueSet>;

/// What runs on a box come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Whether an input of the box may take the branch. Surely none does where this is false.
    pub possible: bool,
    /// Instructions of all runs.
    pub steps: u64,
}

/// What paths begin with.
struct Start<'p> {
    program: &'p CodeProgram,
    initial: Vec<u8>,
    /// The addresses at which memory is known.
    known: Vec<Range<u32>>,
    given: Given,
    heap: u32,
    leads: Leads,
}

/// Follows the paths on boxes that lead to a branch.
pub struct Paths<'p> {
    machine: Machine<'p, ValueSet>,
    start: Start<'p>,
    /// The most paths of one box. Default: 64.
    pub most: u32,
    /// The most instructions of one path. Default: 20,000.
    pub fuel: u64,
}

impl<'p> Paths<'p> {
    /// For a branch of a program, by proofs that take something for granted.
    #[must_use]
    pub fn new(program: &'p CodeProgram, goal: BranchGoal, given: Given) -> Self {
        let (initial, heap) = program.memory();
        let (machine, leads) = (Machine::new(&program.module), Leads::to(&program.module, goal));
        let mut known = program.module.constants();
        if given >= Given::Start {
            known = program.module.known_at_start();
        }
        Paths { machine, start: Start { program, initial, known, given, heap, leads }, most: 64, fuel: 20_000 }
    }

    /// Whether inputs of a box may take the branch.
    pub fn reach(&mut self, inputs: &InputSets) -> Reach {
        self.follow(&Begin::Call(inputs))
    }

    fn follow(&mut self, begin: &Begin<'_>) -> Reach {
        let mut steps = 0;
        let mut choices: Vec<(u32, u32)> = Vec::new();
        for _ in 0..self.most {
            let mut domain = self.start.domain(&mut choices);
            let outcome = begin.run(&self.start, &mut self.machine, &mut domain, self.fuel);
            steps += self.machine.steps + 1;
            if domain.hit || outcome.is_err_and(|trap| trap.goes_on()) {
                return Reach { possible: true, steps };
            }
            // The next path: the last choice that has another way left.
            while choices.last().is_some_and(|(way, ways)| way + 1 >= *ways) {
                choices.pop();
            }
            match choices.last_mut() {
                Some(last) => last.0 += 1,
                None => return Reach { possible: false, steps },
            }
        }
        Reach { possible: true, steps }
    }
}

impl Statements for Paths<'_> {
    type Value = ValueSet;

    fn anything(ty: Type) -> ValueSet {
        anything(ty)
    }

    fn may_reach_from(&mut self, pc: usize, locals: &[ValueSet]) -> (bool, u64) {
        let reach = self.follow(&Begin::Statement(pc, locals));
        (reach.possible, reach.steps)
    }

    fn locals_after(&mut self, instructions: u64) -> Vec<ValueSet> {
        let inputs: InputSets = self.start.program.inputs.iter().map(|i| of_kind(i.kind)).collect();
        let mut choices = Vec::new();
        let begin = Begin::Call(&inputs);
        let mut domain = self.start.domain(&mut choices);
        match begin.run(&self.start, &mut self.machine, &mut domain, instructions) {
            Err(Trap::Fuel) => self.machine.locals().to_vec(),
            _ => Vec::new(),
        }
    }
}

/// Where a path begins.
enum Begin<'b> {
    /// At a call with inputs of a box.
    Call(&'b InputSets),
    /// At a statement of the function, with these locals and nothing known of memory.
    Statement(usize, &'b [ValueSet]),
}

impl Begin<'_> {
    fn run(
        &self,
        start: &Start<'_>,
        machine: &mut Machine<'_, ValueSet>,
        domain: &mut Boxes<'_>,
        fuel: u64,
    ) -> Result<(), Trap> {
        let program = start.program;
        match self {
            Begin::Call(inputs) => {
                let arguments = arguments(start, inputs, domain)?;
                machine.call(domain, program.entry, &arguments, fuel).map(drop)
            }
            Begin::Statement(pc, locals) => {
                domain.memory.forget();
                let globals: Vec<ValueSet> = program.module.globals.iter().map(|c| anything(c.ty())).collect();
                machine.run_from(domain, (program.entry, *pc), locals, &globals, fuel)
            }
        }
    }
}

impl Start<'_> {
    fn domain<'r>(&'r self, choices: &'r mut Vec<(u32, u32)>) -> Boxes<'r> {
        let memory = Written::new(&self.initial, &self.known);
        let (module, leads, heap) = (&self.program.module, &self.leads, self.heap);
        Boxes { module, memory, heap, choices, next: 0, leads, around: Vec::new(), hit: false, may_grow: false }
    }
}

/// The arguments for a box; inputs that are behind pointers are written, where it is known where these lead.
fn arguments(start: &Start<'_>, inputs: &InputSets, domain: &mut Boxes<'_>) -> Result<Vec<ValueSet>, Trap> {
    let addresses = start.program.module.address();
    start.program.call_objects().build(&mut SetObjects { domain, inputs, given: start.given, addresses })
}

/// Objects in memory of sets.
struct SetObjects<'b, 'r> {
    domain: &'b mut Boxes<'r>,
    inputs: &'b InputSets,
    given: Given,
    addresses: Type,
}

impl ObjectBuilder for SetObjects<'_, '_> {
    type Value = ValueSet;
    type Error = Trap;

    fn room(&mut self, bytes: u32) -> ValueSet {
        let at = self.domain.heap;
        self.domain.heap = after(at, bytes);
        one(self.addresses, at.into())
    }

    fn outside(&mut self) -> Option<ValueSet> {
        let outside = if self.addresses == Type::I64 { ValueSet::Outside } else { anything(self.addresses) };
        (self.given == Given::Nothing).then_some(outside)
    }

    fn unknown(&mut self, ty: Type) -> ValueSet {
        anything(ty)
    }

    fn stub(&mut self, _: ValueSet, _: Option<usize>) -> ValueSet {
        anything(self.addresses)
    }

    fn number(&mut self, kind: BitsKind, input: usize) -> ValueSet {
        self.inputs.get(input).copied().unwrap_or(of_kind(kind))
    }

    fn chosen(&mut self, address: ValueSet, choice: usize) -> ValueSet {
        match self.number(BitsKind::Bool, choice).single() {
            Some(1) => address,
            Some(0) => one(self.addresses, 0),
            _ => anything(self.addresses),
        }
    }

    fn part(&mut self, ty: Type, fields: &[(u32, BitsKind, usize)]) -> Result<ValueSet, Trap> {
        Ok(whole(ty, fields).map_or(anything(ty), |(kind, input)| self.number(kind, input)))
    }

    fn put(&mut self, address: &ValueSet, at: u32, kind: BitsKind, input: usize) -> Result<(), Trap> {
        let value = self.number(kind, input);
        self.domain.store(Store { ty: held_as(kind), bytes: kind.bytes() }, address, at, value)
    }

    fn link(&mut self, address: &ValueSet, at: u32, to: ValueSet) -> Result<(), Trap> {
        self.domain.store(Store { ty: self.addresses, bytes: self.addresses.bytes() }, address, at, to)
    }
}

/// One integer or address.
fn one(ty: Type, bits: u64) -> ValueSet {
    ValueSet::Int(Ints::one(if ty == Type::I64 { 64 } else { 32 }, bits))
}

/// All values of a kind.
#[must_use]
pub fn of_kind(kind: BitsKind) -> ValueSet {
    match kind {
        BitsKind::F32 => ValueSet::Float(Floats::all(false)),
        BitsKind::F64 => ValueSet::Float(Floats::all(true)),
        BitsKind::Int { bytes: 8, .. } => ValueSet::Int(Ints::all(64)),
        BitsKind::Int { bytes: 4, .. } => ValueSet::Int(Ints::all(32)),
        BitsKind::Bool => ValueSet::Int(Ints::between(32, 0, 1)),
        BitsKind::Int { bytes, signed: true } => {
            let half = 1i64 << (8 * bytes - 1);
            ValueSet::Int(Ints::between(32, -half, half - 1))
        }
        BitsKind::Int { bytes, signed: false } => ValueSet::Int(Ints::between(32, 0, (1i64 << (8 * bytes)) - 1)),
    }
}
