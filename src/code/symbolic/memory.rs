//! Memory in symbolic runs: what was written is known as terms, data as the bytes at the start, and the rest not at all.

use super::terms::{Terms, sort_of};
use crate::code::ins::{Load, Store, Type};
use crate::code::module::Module;
use crate::solve::float::{BitsOp, Sort, Term};
use std::collections::BTreeMap;
use std::ops::Range;

/// Memory with what a run has written to it.
pub(super) struct Cells {
    initial: Vec<u8>,
    /// Length and value by address; none reaches into the next. What was read before it was written is one, too.
    cells: BTreeMap<u64, (u8, Term)>,
    /// The addresses of what is as at the start.
    known: Vec<Range<u32>>,
}

impl Cells {
    /// Memory as it is at the start.
    pub(super) fn new(initial: Vec<u8>, module: &Module) -> Self {
        Cells { initial, cells: BTreeMap::new(), known: module.known_at_start() }
    }

    /// How many bytes there are.
    pub(super) fn length(&self) -> u64 {
        self.initial.len() as u64
    }

    /// Whether a byte is as at the start: variables and constants are, the stack and what is behind pointers is not.
    fn is_known(&self, at: u64) -> bool {
        self.known.iter().any(|known| (u64::from(known.start)..u64::from(known.end)).contains(&at))
    }

    /// The cell that holds a byte: where it begins, how long it is, and its value.
    fn holding(&self, at: u64) -> Option<(u64, u8, Term)> {
        let (a, (n, value)) = self.cells.range(at.saturating_sub(7)..=at).next_back()?;
        (a + u64::from(*n) > at).then_some((*a, *n, *value))
    }

    fn byte(&mut self, terms: &mut Terms, at: u64) -> Term {
        self.begin(terms, at, 1, Sort::Bits(8));
        match self.holding(at) {
            Some((a, _, value)) => {
                let bits = terms.bits_of(value);
                terms.extract(bits, 8 * (at - a) as u32, 8)
            }
            None => terms.int(8, self.initial[at as usize].into()),
        }
    }

    /// Bytes of which nothing is known, and nothing was said so far, are a value of this sort from now on.
    fn begin(&mut self, terms: &mut Terms, at: u64, length: u8, sort: Sort) {
        let is_blank = |at| !self.is_known(at) && self.holding(at).is_none();
        if (at..at + u64::from(length)).all(is_blank) {
            let value = terms.anything(sort);
            self.cells.insert(at, (length, value));
        }
    }

    /// So many bytes as one integer.
    fn word(&mut self, terms: &mut Terms, at: u64, length: u8) -> Term {
        let end = at + u64::from(length);
        if let Some((a, n, value)) = self.holding(at)
            && a + u64::from(n) >= end
        {
            let bits = terms.bits_of(value);
            return terms.extract(bits, 8 * (at - a) as u32, 8 * u32::from(length));
        }
        let mut whole = self.byte(terms, at);
        for i in 1..u32::from(length) {
            let byte = self.byte(terms, at + u64::from(i));
            whole = terms.bits(BitsOp::Concat, 8 * (i + 1), &[byte, whole]);
        }
        whole
    }

    /// What stands at an address.
    pub(super) fn load(&mut self, terms: &mut Terms, load: Load, at: u64) -> Term {
        let sort = sort_of(load.ty);
        let stored = if let Sort::Bits(_) = sort { Sort::Bits(8 * u32::from(load.bytes)) } else { sort };
        self.begin(terms, at, load.bytes, stored);
        if let Some((n, value)) = self.cells.get(&at)
            && *n == load.bytes
            && terms.sort(*value) == sort
        {
            return *value;
        }
        let bits = self.word(terms, at, load.bytes);
        match sort {
            Sort::Bits(width) => terms.extend(bits, width, load.signed),
            _ => terms.with_bits(sort, bits),
        }
    }

    /// Write a value.
    pub(super) fn store(&mut self, terms: &mut Terms, store: Store, at: u64, value: Term) {
        self.clear(terms, at, store.bytes);
        let whole = 8 * u32::from(store.bytes) == terms.width(value) || matches!(store.ty, Type::F32 | Type::F64);
        let value = if whole { value } else { terms.extract(value, 0, 8 * u32::from(store.bytes)) };
        self.cells.insert(at, (store.bytes, value));
    }

    /// Take away what was written in any of these bytes; cells that reach beyond are kept there byte by byte.
    fn clear(&mut self, terms: &mut Terms, at: u64, length: u8) {
        let end = at + u64::from(length);
        let touched: Vec<u64> = self
            .cells
            .range(at.saturating_sub(7)..end)
            .filter(|(a, (n, _))| **a + u64::from(*n) > at)
            .map(|(a, _)| *a)
            .collect();
        for a in touched {
            let n = self.cells[&a].0;
            let beside = (a..a + u64::from(n)).filter(|c| *c < at || *c >= end);
            let bytes: Vec<(u64, Term)> = beside.map(|c| (c, self.byte(terms, c))).collect();
            self.cells.remove(&a);
            self.cells.extend(bytes.into_iter().map(|(c, byte)| (c, (1, byte))));
        }
    }

    /// Copy bytes, which may overlap.
    pub(super) fn copy(&mut self, terms: &mut Terms, to: u64, from: u64, length: u64) {
        let end = from + length;
        let mut copied: Vec<(u64, u8, Term)> = Vec::new();
        let mut at = from;
        while at < end {
            let cell = self.cells.get(&at).filter(|(n, _)| at + u64::from(*n) <= end).copied();
            let (n, value) = cell.unwrap_or_else(|| (1, self.byte(terms, at)));
            copied.push((to + (at - from), n, value));
            at += u64::from(n);
        }
        self.put(terms, copied);
    }

    /// Write a byte to each of these addresses.
    pub(super) fn fill(&mut self, terms: &mut Terms, to: u64, byte: Term, length: u64) {
        let byte = terms.extract(byte, 0, 8);
        self.put(terms, (to..to + length).map(|at| (at, 1, byte)).collect());
    }

    fn put(&mut self, terms: &mut Terms, cells: Vec<(u64, u8, Term)>) {
        for (at, n, value) in cells {
            self.clear(terms, at, n);
            self.cells.insert(at, (n, value));
        }
    }
}
