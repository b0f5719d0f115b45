//! Runs on sets: one run stands for all inputs of a box. Where a test is not decided the run follows one way and notes
//! that there is another; [`Paths`] takes each in turn.

use super::ins::{Binary, Compare, Const, Load, Store, Test, Type, Unary};
use super::machine::{Domain, Machine, Selection, Trap};
use super::module::Module;
use super::program::{Goal, Kind, Program};
use super::sets::{self, Floats, Ints, Set, from_words, words};
use std::collections::BTreeMap;

/// What stands in memory where something was written: its length and value, by address.
type Written = BTreeMap<u32, (u8, Set)>;

/// The domain of runs on sets.
struct Boxes<'r> {
    module: &'r Module,
    initial: &'r [u8],
    memory: Written,
    heap: u32,
    /// The ways taken at tests that are not decided, first to last; the number of ways each had.
    choices: &'r mut Vec<(u32, u32)>,
    next: usize,
    /// What was taken.
    reached: &'r mut Vec<Goal>,
}

/// The most bytes that a copy may have: what is told apart is a number or two.
const MOST_COPIED: u64 = 64;
/// The most tests of one run that are not decided.
const MOST_CHOICES: usize = 40;

impl Boxes<'_> {
    fn address(&mut self, base: &Set, offset: u32, length: u8) -> Result<u32, Trap> {
        let base = base.single().ok_or(Trap::Undecided)? as u32;
        let at = u64::from(base) + u64::from(offset);
        // Memory may have grown since the start: beyond it nothing is known, not even that there is none.
        if at + u64::from(length) > self.initial.len() as u64 { Err(Trap::Undecided) } else { Ok(at as u32) }
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

    /// What was written in any of these bytes, cut where it reaches beyond: nothing of it is left there.
    fn clear(&mut self, at: u32, length: u8) {
        let from = at.saturating_sub(7);
        let touched: Vec<u32> = self
            .memory
            .range(from..at + u32::from(length))
            .filter(|(a, (n, _))| **a + u32::from(*n) > at)
            .map(|(a, _)| *a)
            .collect();
        for a in touched {
            let Some((n, value)) = self.memory.remove(&a) else { continue };
            let end = at + u32::from(length);
            let words = halves(a, n, value);
            for (b, part) in &words {
                if b + 4 <= at || *b >= end {
                    self.memory.insert(*b, (4, *part));
                }
            }
            // Bytes beside the write of which nothing is known any more.
            for byte in (a..a + u32::from(n)).filter(|c| *c < at || *c >= end) {
                let kept = words.iter().any(|(b, _)| (*b..b + 4).contains(&byte) && (b + 4 <= at || *b >= end));
                if !kept {
                    self.memory.insert(byte, (1, Set::Int(Ints::between(32, 0, 255))));
                }
            }
        }
    }

    /// The value of a word, as 32 bits.
    fn word(&self, at: u32) -> Set {
        if let Some((4, Set::Int(s))) = self.memory.get(&at) {
            return Set::Int(*s);
        }
        if let Some((4, Set::Float(s))) = self.memory.get(&at) {
            return Set::Int(words(*s).0);
        }
        for start in [at, at.wrapping_sub(4)] {
            if let Some((8, value)) = self.memory.get(&start) {
                let halves = halves(start, 8, *value);
                if let Some((_, part)) = halves.into_iter().find(|(b, _)| *b == at) {
                    return part;
                }
            }
        }
        let from = at.saturating_sub(7);
        let touched = self.memory.range(from..at + 4).any(|(a, (n, _))| *a + u32::from(*n) > at);
        if touched { Set::Int(Ints::all(32)) } else { Set::Int(Ints::one(32, self.bytes(at, 4))) }
    }

    /// The value of a byte.
    fn byte(&self, at: u32) -> Set {
        let from = at.saturating_sub(7);
        let written = self.memory.range(from..=at).any(|(a, (n, _))| *a + u32::from(*n) > at);
        if written { Set::Int(Ints::between(32, 0, 255)) } else { Set::Int(Ints::one(32, self.bytes(at, 1))) }
    }

    fn bytes(&self, at: u32, length: u8) -> u64 {
        let mut word = [0; 8];
        word[..length as usize].copy_from_slice(&self.initial[at as usize..at as usize + length as usize]);
        u64::from_le_bytes(word)
    }
}

/// A value of 8 or 4 bytes as words, with their addresses; shorter ones are not cut.
fn halves(at: u32, length: u8, value: Set) -> Vec<(u32, Set)> {
    match (length, value) {
        (8, Set::Float(s)) => {
            let (upper, lower) = words(s);
            vec![(at, Set::Int(lower)), (at + 4, Set::Int(upper))]
        }
        (8, Set::Int(s)) => {
            let upper = sets::binary(Binary::I64ShrS, value, Set::Int(Ints::one(64, 32)));
            let upper = upper.and_then(|u| sets::unary(Unary::I32WrapI64, u)).unwrap_or(Set::Int(Ints::all(32)));
            let lower = sets::unary(Unary::I32WrapI64, Set::Int(s)).unwrap_or(Set::Int(Ints::all(32)));
            vec![(at, lower), (at + 4, upper)]
        }
        (4, Set::Float(s)) => vec![(at, Set::Int(words(s).0))],
        (4, value) => vec![(at, value)],
        _ => Vec::new(),
    }
}

/// All values of a type.
fn anything(ty: Type) -> Set {
    match ty {
        Type::I32 => Set::Int(Ints::all(32)),
        Type::I64 => Set::Int(Ints::all(64)),
        Type::F32 => Set::Float(Floats::all(false)),
        Type::F64 => Set::Float(Floats::all(true)),
    }
}

impl Domain for Boxes<'_> {
    type Value = Set;

    fn constant(&mut self, c: Const) -> Set {
        match c {
            Const::I32(x) => Set::Int(Ints::one(32, x as u64)),
            Const::I64(x) => Set::Int(Ints::one(64, x as u64)),
            Const::F32(x) => Set::Float(Floats::one(false, x.into())),
            Const::F64(x) => Set::Float(Floats::one(true, x)),
        }
    }

    fn unary(&mut self, op: Unary, a: Set) -> Result<Set, Trap> {
        sets::unary(op, a).ok_or(Trap::Undecided)
    }

    fn binary(&mut self, op: Binary, a: Set, b: Set) -> Result<Set, Trap> {
        sets::binary(op, a, b).ok_or(Trap::Undecided)
    }

    fn compare(&mut self, op: Compare, a: &Set, b: &Set) -> Set {
        match sets::compare(op, *a, *b) {
            Some(outcome) => Set::Int(Ints::one(32, outcome.into())),
            None => Set::Int(Ints::between(32, 0, 1)),
        }
    }

    fn select(&mut self, by: Selection<'_, Set>, first: Set, second: Set) -> Result<Set, Trap> {
        let outcome = self.branch(by.site, by.test, by.a, by.b)?;
        Ok(if outcome == by.when { first } else { second })
    }

    fn load(&mut self, load: Load, address: &Set, offset: u32) -> Result<Set, Trap> {
        let at = self.address(address, offset, load.bytes)?;
        if let Some((n, value)) = self.memory.get(&at)
            && *n == load.bytes
            && matches!(
                (load.ty, value),
                (Type::F64 | Type::F32, Set::Float(_))
                    | (Type::I32, Set::Int(_))
                    | (Type::I64, Set::Int(Ints { width: 64, .. }))
            )
            && (load.bytes == 8 || load.bytes == 4 && load.ty != Type::I64)
        {
            return Ok(*value);
        }
        if let Some((8, Set::Float(s))) = self.memory.get(&at)
            && load.ty == Type::I64
            && load.bytes == 8
        {
            return sets::unary(Unary::I64ReinterpretF64, Set::Float(*s)).ok_or(Trap::Undecided);
        }
        match (load.ty, load.bytes) {
            (Type::I32, 4) => Ok(self.word(at)),
            (Type::F32, 4) => sets::unary(Unary::F32ReinterpretI32, self.word(at)).ok_or(Trap::Undecided),
            (Type::F64, 8) => {
                let (Set::Int(lower), Set::Int(upper)) = (self.word(at), self.word(at + 4)) else {
                    return Ok(anything(Type::F64));
                };
                Ok(Set::Float(from_words(upper, lower)))
            }
            _ => {
                let from = at.saturating_sub(7);
                let end = at + u32::from(load.bytes);
                if self.memory.range(from..end).any(|(a, (n, _))| *a + u32::from(*n) > at) {
                    return Ok(anything(load.ty));
                }
                let width = if load.ty == Type::I64 { 64 } else { 32 };
                let unused = 64 - 8 * u32::from(load.bytes);
                let bits = self.bytes(at, load.bytes);
                let bits = if load.signed { ((bits << unused) as i64 >> unused) as u64 } else { bits };
                Ok(Set::Int(Ints::one(width, bits)))
            }
        }
    }

    fn store(&mut self, store: Store, address: &Set, offset: u32, value: Set) -> Result<(), Trap> {
        let at = self.address(address, offset, store.bytes)?;
        self.clear(at, store.bytes);
        let whole = match store.ty {
            Type::I32 | Type::F32 => 4,
            Type::I64 | Type::F64 => 8,
        };
        let value = if store.bytes == whole {
            value
        } else if store.bytes == 4 {
            sets::unary(Unary::I32WrapI64, value).ok_or(Trap::Undecided)?
        } else {
            Set::Int(Ints::all(32))
        };
        self.memory.insert(at, (store.bytes, value));
        Ok(())
    }

    fn pages(&mut self, more: Option<Set>) -> Set {
        match more {
            None => Set::Int(Ints::one(32, u64::from(self.module.pages))),
            // Memory does not grow here.
            Some(_) => Set::Int(Ints::all(32)),
        }
    }

    fn copy(&mut self, to: &Set, from: &Set, length: &Set) -> Result<(), Trap> {
        let length = length.single().filter(|n| *n <= MOST_COPIED).ok_or(Trap::Undecided)? as u8;
        let (to, from) = (self.address(to, 0, length)?, self.address(from, 0, length)?);
        let end = from + u32::from(length);
        let mut copied: Vec<(u32, u8, Set)> = Vec::new();
        let mut byte = from;
        while byte < end {
            let whole = self.memory.get(&byte).filter(|(n, _)| byte + u32::from(*n) <= end);
            let (n, value) = match whole {
                Some(written) => *written,
                None => (1, self.byte(byte)),
            };
            copied.push((to + (byte - from), n, value));
            byte += u32::from(n);
        }
        self.clear(to, length);
        self.memory.extend(copied.into_iter().map(|(at, n, value)| (at, (n, value))));
        Ok(())
    }

    fn fill(&mut self, _: &Set, _: &Set, _: &Set) -> Result<(), Trap> {
        Err(Trap::Undecided)
    }

    fn branch(&mut self, site: u32, test: Test, a: &Set, b: Option<&Set>) -> Result<bool, Trap> {
        let decided = match (test, b) {
            (Test::Compare(op), Some(b)) => sets::compare(op, *a, *b),
            _ => sets::compare(Compare::I32Ne, *a, Set::Int(Ints::one(32, 0))),
        };
        let way = match decided {
            Some(outcome) => u32::from(outcome),
            None => self.choose(2)?,
        };
        self.reached.push(Goal { site, way });
        Ok(way == 1)
    }

    fn arm(&mut self, site: u32, index: &Set, arms: u32) -> Result<u32, Trap> {
        let Set::Int(index) = index else { return Err(Trap::Undecided) };
        let (lo, hi) = index.unsigned();
        let (lo, hi) = (lo.min(u64::from(arms - 1)) as u32, hi.min(u64::from(arms - 1)) as u32);
        let way = if lo == hi { lo } else { lo + self.choose(hi - lo + 1)? };
        self.reached.push(Goal { site, way });
        Ok(way)
    }

    fn known(&mut self, value: &Set) -> Result<u32, Trap> {
        value.single().map(|n| n as u32).ok_or(Trap::Undecided)
    }

    fn host(&mut self, import: u32, arguments: &[Set]) -> Result<Option<Set>, Trap> {
        let import = &self.module.imports[import as usize];
        let exact = match import.name.as_str() {
            "fabs" => Some(Unary::F64Abs),
            "sqrt" => Some(Unary::F64Sqrt),
            "floor" => Some(Unary::F64Floor),
            "ceil" => Some(Unary::F64Ceil),
            "trunc" => Some(Unary::F64Trunc),
            "rint" | "nearbyint" => Some(Unary::F64Nearest),
            "fabsf" => Some(Unary::F32Abs),
            "sqrtf" => Some(Unary::F32Sqrt),
            "floorf" => Some(Unary::F32Floor),
            "ceilf" => Some(Unary::F32Ceil),
            "truncf" => Some(Unary::F32Trunc),
            _ => None,
        };
        if let (Some(op), [x]) = (exact, arguments) {
            return sets::unary(op, *x).map(Some).ok_or(Trap::Undecided);
        }
        // A function of numbers alone changes no memory; of what it returns nothing is said.
        if super::host::math(&import.name).is_some() {
            return Ok(import.ty.results.first().map(|ty| anything(*ty)));
        }
        match (import.name.as_str(), arguments) {
            ("memcpy" | "memmove", [to, from, length]) => self.copy(to, from, length).map(|()| Some(*to)),
            ("abort" | "exit" | "_exit" | "__assert_fail", _) => Err(Trap::Abort),
            _ => Err(Trap::Undecided),
        }
    }
}

/// A set of inputs: for each one a set of values.
pub type InputBox = Vec<Set>;

/// What runs on a box reach.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// Every branch that a member may take, and perhaps others; with repetitions.
    pub goals: Vec<Goal>,
    /// Whether all paths were followed to their end: only then is `goals` complete.
    pub complete: bool,
    /// Runs.
    pub paths: u32,
    /// Instructions of all of them.
    pub steps: u64,
}

/// Follows all paths on boxes.
pub struct Paths<'p> {
    program: &'p Program,
    machine: Machine<'p, Set>,
    initial: Vec<u8>,
    heap: u32,
    /// The most paths of one box. Default: 64.
    pub most: u32,
    /// The most instructions of one path. Default: 20,000.
    pub fuel: u64,
}

impl<'p> Paths<'p> {
    /// For a program.
    #[must_use]
    pub fn new(program: &'p Program) -> Self {
        let memory = super::run::Memory::new(&program.module);
        let (initial, heap) = memory.at_start();
        Paths { program, machine: Machine::new(&program.module), initial, heap, most: 64, fuel: 20_000 }
    }

    /// The branches that inputs of a box may take. Stops early once `enough` says so of a branch.
    pub fn reach(&mut self, inputs: &InputBox, mut enough: impl FnMut(&Goal) -> bool) -> Reach {
        let mut reach = Reach { complete: true, ..Reach::default() };
        let mut choices: Vec<(u32, u32)> = Vec::new();
        loop {
            reach.paths += 1;
            let from = reach.goals.len();
            let mut domain = Boxes {
                module: &self.program.module,
                initial: &self.initial,
                memory: Written::new(),
                heap: self.heap,
                choices: &mut choices,
                next: 0,
                reached: &mut reach.goals,
            };
            let outcome = match arguments(self.program, inputs, &mut domain) {
                Ok(arguments) => self.machine.call(&mut domain, self.program.entry, &arguments, self.fuel).map(drop),
                Err(e) => Err(e),
            };
            reach.steps += self.machine.steps + 1;
            if matches!(outcome, Err(Trap::Undecided | Trap::Fuel | Trap::StackOverflow | Trap::Import(_))) {
                reach.complete = false;
                return reach;
            }
            if reach.goals[from..].iter().any(&mut enough) {
                return reach;
            }
            // The next path: the last choice that has another way left.
            while let Some((way, ways)) = choices.last().copied() {
                if way + 1 < ways {
                    break;
                }
                choices.pop();
            }
            match choices.last_mut() {
                Some(last) => last.0 += 1,
                None => return reach,
            }
            if reach.paths >= self.most {
                reach.complete = false;
                return reach;
            }
        }
    }
}

/// The arguments for a box; what is behind pointers is written.
fn arguments(program: &Program, inputs: &InputBox, domain: &mut Boxes<'_>) -> Result<Vec<Set>, Trap> {
    let mut next = inputs.iter().copied();
    let mut take = |kind: Kind| next.next().unwrap_or(of_kind(kind));
    let mut all = Vec::new();
    for (kind, behind) in program.parameters() {
        match behind {
            None => all.push(take(kind)),
            Some((count, room)) => {
                let size = u32::from(kind.bytes());
                let at = domain.heap;
                domain.heap = (at + size * room).next_multiple_of(16);
                let address = Set::Int(Ints::one(32, at.into()));
                for i in 0..count {
                    let ty = match kind {
                        Kind::F32 => Type::F32,
                        Kind::F64 => Type::F64,
                        Kind::Int { bytes: 8, .. } => Type::I64,
                        Kind::Int { .. } => Type::I32,
                    };
                    let store = Store { ty, bytes: kind.bytes() };
                    domain.store(store, &address, i * size, take(kind))?;
                }
                all.push(address);
            }
        }
    }
    Ok(all)
}

/// All values of a kind.
#[must_use]
pub fn of_kind(kind: Kind) -> Set {
    match kind {
        Kind::F32 => Set::Float(Floats::all(false)),
        Kind::F64 => Set::Float(Floats::all(true)),
        Kind::Int { bytes: 8, .. } => Set::Int(Ints::all(64)),
        Kind::Int { bytes: 4, .. } => Set::Int(Ints::all(32)),
        Kind::Int { bytes, signed: true } => {
            let half = 1i64 << (8 * bytes - 1);
            Set::Int(Ints::between(32, -half, half - 1))
        }
        Kind::Int { bytes, signed: false } => Set::Int(Ints::between(32, 0, (1i64 << (8 * bytes)) - 1)),
    }
}
