//! Symbolic runs: values are terms over the inputs, and a path is the decisions that inputs have to make to go there.
//!
//! A run follows one path: that of recorded decisions, or of decisions that somebody asks for. What depends on no input is
//! computed on the way (King, *Symbolic execution and program testing*, 1976; with recorded runs as in Godefroid, Klarlund
//! and Sen, *DART*, 2005).

mod library;
mod memory;
mod ops;
mod terms;

use super::host::{math, sets_errno};
use super::ins::{Binary, BranchTest, CodeConst, Compare, Load, Store, Type, Unary};
use super::ir::CLEANS;
use super::machine::{Machine, Selection, Trap, ValueDomain};
use super::objects::{ObjectBuilder, after, held_as, whole};
use super::probe::Probe;
use super::program::{BranchGoal, CodeProgram};
use crate::floats::BitsKind;
use crate::solve::float::{BitsOp, Graph, Term, TermOp};
pub(super) use library::ULPS;
use memory::Cells;
use terms::{Terms, sort_of, sort_of_kind, width_of};

/// Which way a run goes where inputs decide.
#[derive(Clone, Copy, Debug)]
pub enum Guide<'g> {
    /// The ways of all decisions of a run, those that depend on no input among them.
    Recorded(&'g [u32]),
    /// The ways of the decisions that depend on inputs, from the first on. The run ends where they do.
    Asked(&'g [u32]),
}

/// A decision that depends on inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputDecision {
    /// Where, and which way.
    pub goal: BranchGoal,
    /// For each way what is true where inputs go there.
    pub conditions: Vec<Term>,
    /// Its place in [`Path::trail`].
    pub place: usize,
}

impl InputDecision {
    /// What is true where inputs go the way that the path goes.
    #[must_use]
    pub fn condition(&self) -> Term {
        self.conditions[self.goal.way as usize]
    }
}

/// A path, and what inputs have to fulfil to go there.
#[derive(Debug)]
pub struct Path {
    /// The terms.
    pub graph: Graph,
    /// The unknown for each input: a float, or as many bits as the input has.
    pub inputs: Vec<Term>,
    /// What holds of other unknowns. These stand for what has no term; of some nothing is said at all, so that a solution need
    /// not go this way, but what has no solution is no path.
    pub conditions: Vec<Term>,
    /// The decisions, in order.
    pub decisions: Vec<InputDecision>,
    /// The same with those that depend on no input.
    pub trail: Vec<BranchGoal>,
    /// How it ends: the result, or why the run went no further. [`Trap::Settled`] where nothing more was asked,
    /// [`Trap::Undecided`] where terms do not say what happens.
    pub end: Result<Option<Term>, Trap>,
}

impl Path {
    /// What inputs have to fulfil to make the first decisions, so many of them.
    #[must_use]
    pub fn upto(&self, count: usize) -> Vec<Term> {
        self.conditions.iter().copied().chain(self.decisions[..count].iter().map(InputDecision::condition)).collect()
    }

    /// The decisions up to one that is turned to another way.
    #[must_use]
    pub fn turned(&self, at: usize, way: u32) -> Vec<BranchGoal> {
        let mut decisions: Vec<BranchGoal> = self.decisions[..=at].iter().map(|d| d.goal).collect();
        decisions[at].way = way;
        decisions
    }

    /// The bits of inputs that a solution gives.
    #[must_use]
    pub fn bits(&self, values: &[i64]) -> Vec<u64> {
        let variables = self.graph.variables();
        let value = |input: &Term| {
            let at = variables.iter().position(|v| v == input).unwrap_or_default();
            match self.graph.sort(*input) {
                crate::solve::float::Sort::Float(format) => format.to_bits(values[at]),
                _ => values[at] as u64,
            }
        };
        self.inputs.iter().map(value).collect()
    }
}

/// The most terms of a run.
const MOST_TERMS: usize = 100_000;
/// The most bytes of a copy.
const MOST_COPIED: u64 = 4096;

/// The domain of symbolic runs.
struct Symbolic<'r> {
    program: &'r CodeProgram,
    terms: Terms,
    memory: Cells,
    heap: u64,
    guide: Guide<'r>,
    next: usize,
    decisions: Vec<InputDecision>,
    trail: Vec<BranchGoal>,
    /// The most decisions.
    most: usize,
}

/// Follow a path of a program: no more than `most` decisions, and `fuel` instructions.
#[must_use]
pub fn follow(program: &CodeProgram, guide: Guide<'_>, most: usize, fuel: u64) -> Path {
    let (initial, heap) = program.memory();
    let (memory, terms) = (Cells::new(initial, &program.module), Terms::default());
    let mut domain = Symbolic {
        program,
        terms,
        memory,
        heap: heap.into(),
        guide,
        next: 0,
        decisions: Vec::new(),
        trail: Vec::new(),
        most,
    };
    let inputs: Vec<Term> = program.inputs.iter().map(|i| domain.terms.graph.variable(sort_of_kind(i.kind))).collect();
    let end = domain
        .arguments(&inputs)
        .and_then(|arguments| Machine::new(&program.module).call(&mut domain, program.entry, &arguments, fuel));
    let Symbolic { terms, decisions, trail, .. } = domain;
    Path { graph: terms.graph, inputs, conditions: terms.conditions, decisions, trail, end }
}

impl Symbolic<'_> {
    /// What the function is called with; inputs in objects are written.
    fn arguments(&mut self, inputs: &[Term]) -> Result<Vec<Term>, Trap> {
        let call = self.program.call_objects();
        call.build(&mut TermObjects { symbolic: self, inputs })
    }

    /// A value as an argument: short integers are extended.
    fn widened(&mut self, x: Term, kind: BitsKind) -> Term {
        match kind {
            BitsKind::Int { bytes: 1 | 2, signed } => self.terms.extend(x, 32, signed),
            BitsKind::Bool => self.terms.extend(x, 32, false),
            _ => x,
        }
    }

    fn address(&mut self, base: &Term, offset: u32, length: u64) -> Result<u64, Trap> {
        let base = self.terms.known(*base).ok_or(Trap::Undecided)?;
        let at = base.checked_add(offset.into()).filter(|at| *at >= self.program.module.floor());
        // Memory may have grown since the start: beyond it nothing is known.
        let is_inside = |at: &u64| at.checked_add(length).is_some_and(|end| end <= self.memory.length());
        at.filter(is_inside).ok_or(Trap::Undecided)
    }

    /// The way that a decision goes, of as many as there are conditions, one of which holds.
    fn decide(&mut self, site: u32, conditions: &[Term]) -> Result<u32, Trap> {
        if self.terms.graph.len() > MOST_TERMS {
            return Err(Trap::Undecided);
        }
        let holds = |c: &Term| self.terms.graph.constant_value(*c) == Some(1);
        let settled = conditions.iter().position(holds);
        let way = match (self.guide, settled) {
            (Guide::Asked(_), Some(way)) => {
                self.trail.push(BranchGoal { site, way: way as u32 });
                return Ok(way as u32);
            }
            (Guide::Asked(ways), None) => *ways.get(self.next).ok_or(Trap::Settled)?,
            // A run that ended by a trap goes no further.
            (Guide::Recorded(ways), _) => *ways.get(self.next).ok_or(Trap::Undecided)?,
        };
        self.next += 1;
        if settled.is_some() {
            // A run that was recorded goes nowhere else.
            self.trail.push(BranchGoal { site, way });
            return if settled == Some(way as usize) { Ok(way) } else { Err(Trap::Undecided) };
        }
        if self.decisions.len() == self.most {
            return Err(Trap::Settled);
        }
        if way as usize >= conditions.len() {
            return Err(Trap::Undecided);
        }
        let (goal, place) = (BranchGoal { site, way }, self.trail.len());
        self.decisions.push(InputDecision { goal, conditions: conditions.to_vec(), place });
        self.trail.push(goal);
        Ok(way)
    }
}

/// Objects in memory of terms.
struct TermObjects<'b, 's> {
    symbolic: &'b mut Symbolic<'s>,
    inputs: &'b [Term],
}

impl TermObjects<'_, '_> {
    fn addresses(&self) -> u32 {
        width_of(sort_of(self.symbolic.program.module.address()))
    }
}

impl ObjectBuilder for TermObjects<'_, '_> {
    type Value = Term;
    type Error = Trap;

    fn room(&mut self, bytes: u32) -> Term {
        let (at, width) = (self.symbolic.heap, self.addresses());
        self.symbolic.heap = after(at as u32, bytes).into();
        self.symbolic.terms.int(width, at)
    }

    fn outside(&mut self) -> Option<Term> {
        None
    }

    fn unknown(&mut self, ty: Type) -> Term {
        self.symbolic.terms.anything(sort_of(ty))
    }

    fn stub(&mut self, _: Term, _: Option<usize>) -> Term {
        self.unknown(self.symbolic.program.module.address())
    }

    fn number(&mut self, kind: BitsKind, input: usize) -> Term {
        self.symbolic.widened(self.inputs[input], kind)
    }

    fn chosen(&mut self, address: Term, choice: usize) -> Term {
        let (leads, width) = (self.number(BitsKind::Bool, choice), self.addresses());
        let terms = &mut self.symbolic.terms;
        let (leads, nowhere) = (terms.non_zero(leads), terms.int(width, 0));
        terms.choice(leads, address, nowhere)
    }

    fn part(&mut self, ty: Type, fields: &[(u32, BitsKind, usize)]) -> Result<Term, Trap> {
        // Values of several numbers are not followed.
        whole(ty, fields).map(|(kind, input)| self.number(kind, input)).ok_or(Trap::Undecided)
    }

    fn put(&mut self, address: &Term, at: u32, kind: BitsKind, input: usize) -> Result<(), Trap> {
        let value = self.inputs[input];
        let value = if kind == BitsKind::Bool { self.symbolic.terms.extend(value, 8, false) } else { value };
        self.symbolic.store(Store { ty: held_as(kind), bytes: kind.bytes() }, address, at, value)
    }

    fn link(&mut self, address: &Term, at: u32, to: Term) -> Result<(), Trap> {
        let ty = self.symbolic.program.module.address();
        self.symbolic.store(Store { ty, bytes: ty.bytes() }, address, at, to)
    }
}

impl ValueDomain for Symbolic<'_> {
    type Value = Term;

    fn constant(&mut self, c: CodeConst) -> Term {
        self.terms.constant(c)
    }

    fn unary(&mut self, op: Unary, a: Term) -> Result<Term, Trap> {
        ops::unary(&mut self.terms, op, a)
    }

    fn cast(&mut self, op: Unary, a: Term) -> Result<Term, Trap> {
        Ok(ops::cast(&mut self.terms, op, a))
    }

    fn binary(&mut self, op: Binary, a: Term, b: Term) -> Result<Term, Trap> {
        ops::binary(&mut self.terms, op, a, b)
    }

    fn compare(&mut self, op: Compare, a: &Term, b: &Term) -> Term {
        let truth = ops::compare(&mut self.terms, op, *a, *b);
        self.terms.number(truth)
    }

    fn select(&mut self, by: Selection<'_, Term>, first: Term, second: Term) -> Result<Term, Trap> {
        let outcome = self.branch(by.site, by.test, by.a, by.b)?;
        Ok(if outcome == by.when { first } else { second })
    }

    fn load(&mut self, load: Load, address: &Term, offset: u32) -> Result<Term, Trap> {
        let at = self.address(address, offset, load.bytes.into())?;
        Ok(self.memory.load(&mut self.terms, load, at))
    }

    fn store(&mut self, store: Store, address: &Term, offset: u32, value: Term) -> Result<(), Trap> {
        let at = self.address(address, offset, store.bytes.into())?;
        self.memory.store(&mut self.terms, store, at, value);
        Ok(())
    }

    fn pages(&mut self, more: Option<Term>) -> Term {
        match more {
            None => {
                let width = width_of(sort_of(self.program.module.address()));
                self.terms.int(width, self.memory.length() / 65_536)
            }
            // Memory does not grow here.
            Some(_) => self.terms.anything(sort_of(self.program.module.address())),
        }
    }

    fn copy(&mut self, to: &Term, from: &Term, length: &Term) -> Result<(), Trap> {
        let length = self.terms.known(*length).filter(|n| *n <= MOST_COPIED).ok_or(Trap::Undecided)?;
        let (to, from) = (self.address(to, 0, length)?, self.address(from, 0, length)?);
        self.memory.copy(&mut self.terms, to, from, length);
        Ok(())
    }

    fn fill(&mut self, to: &Term, byte: &Term, length: &Term) -> Result<(), Trap> {
        let length = self.terms.known(*length).filter(|n| *n <= MOST_COPIED).ok_or(Trap::Undecided)?;
        let to = self.address(to, 0, length)?;
        self.memory.fill(&mut self.terms, to, *byte, length);
        Ok(())
    }

    fn branch(&mut self, site: u32, test: BranchTest, a: &Term, b: Option<&Term>) -> Result<bool, Trap> {
        let t = &mut self.terms;
        let holds = match (test, b) {
            (BranchTest::Compare(op), Some(b)) => ops::compare(t, op, *a, *b),
            (BranchTest::Either, Some(b)) => {
                let either = [t.non_zero(*a), t.non_zero(*b)];
                t.graph.any(&either)
            }
            _ => t.non_zero(*a),
        };
        let fails = t.graph.not(holds);
        Ok(self.decide(site, &[fails, holds])? == 1)
    }

    fn probe(&mut self, _: u32, _: Probe, _: &[Term]) -> Result<(), Trap> {
        Ok(())
    }

    fn arm(&mut self, site: u32, index: &Term, arms: u32) -> Result<u32, Trap> {
        let t = &mut self.terms;
        let mut conditions = Vec::new();
        for arm in 0..arms {
            let number = t.int(32, arm.into());
            conditions.push(if arm + 1 == arms {
                t.truth(TermOp::Bits(BitsOp::LessEqual), &[number, *index])
            } else {
                t.truth(TermOp::Same, &[*index, number])
            });
        }
        self.decide(site, &conditions)
    }

    fn known(&mut self, value: &Term) -> Result<u32, Trap> {
        self.terms.known(*value).map(|n| n as u32).ok_or(Trap::Undecided)
    }

    fn host(&mut self, import: u32, arguments: &[Term]) -> Result<Option<Term>, Trap> {
        let import = &self.program.module.imports[import as usize];
        if let (Some(at), true) = (self.program.module.errno, sets_errno(&import.name)) {
            let (address, error) = (self.terms.int(64, at.into()), self.terms.anything(sort_of(Type::I32)));
            self.store(Store { ty: Type::I32, bytes: 4 }, &address, 0, error)?;
        }
        if let Some(result) = library::call(&mut self.terms, import, arguments) {
            return Ok(Some(result));
        }
        // Of what a function stores nothing is said.
        if let Some(function) = math(&import.name).filter(|f| f.is_of(&import.ty)) {
            for (at, ty) in function.stores() {
                let value = self.terms.anything(sort_of(ty));
                self.store(Store { ty, bytes: ty.bytes() }, &arguments[at], 0, value)?;
            }
            return Ok(import.ty.results.first().map(|ty| self.terms.anything(sort_of(*ty))));
        }
        match (import.name.as_str(), arguments) {
            ("memcpy" | "memmove", [to, from, length]) => self.copy(to, from, length).map(|()| Some(*to)),
            ("memset", [to, byte, length]) => self.fill(to, byte, length).map(|()| Some(*to)),
            ("abort" | "exit" | "_exit", _) => Err(Trap::Abort),
            ("__assert_fail" | "__assert" | "__assert_rtn", _) => Err(Trap::Assertion),
            // What unwinds ends the run.
            (CLEANS, []) => Ok(None),
            _ => Err(Trap::Undecided),
        }
    }
}
