//! Memory in runs on sets: what was written is known as sets, what was not as the bytes at the start.

#[cfg(test)]
mod tests;

use super::ins::{Binary, Load, Store, Type, Unary};
use super::machine::Trap;
use super::sets::{self, Floats, Ints, ValueSet, from_words, words};
use std::collections::BTreeMap;
use std::ops::Range;

/// Memory with what a run on sets has written to it.
pub(super) struct Written<'r> {
    initial: &'r [u8],
    /// Where the rest is as at the start; elsewhere nothing is known of it.
    known: &'r [Range<u32>],
    /// Length and value by address; none reaches into the next.
    values: BTreeMap<u32, (u8, ValueSet)>,
}

impl<'r> Written<'r> {
    /// Memory as it is at the start, as far as that is known.
    pub(super) fn new(initial: &'r [u8], known: &'r [Range<u32>]) -> Self {
        Written { initial, known, values: BTreeMap::new() }
    }

    /// Nothing is known any more but how much memory there is.
    pub(super) fn forget(&mut self) {
        self.known = &[];
        self.values.clear();
    }

    /// Nothing is known any more of what was written from this address on.
    pub(super) fn forget_from(&mut self, address: u32) {
        self.values.split_off(&address);
    }

    /// How many bytes there are.
    pub(super) fn length(&self) -> u64 {
        self.initial.len() as u64
    }

    /// What was written in any of these bytes, cut where it reaches beyond: nothing of it is left there.
    fn clear(&mut self, at: u32, length: u8) {
        let from = at.saturating_sub(7);
        let touched: Vec<u32> = self
            .values
            .range(from..at + u32::from(length))
            .filter(|(a, (n, _))| **a + u32::from(*n) > at)
            .map(|(a, _)| *a)
            .collect();
        for a in touched {
            let Some((n, value)) = self.values.remove(&a) else { continue };
            let end = at + u32::from(length);
            let words = halves(a, n, value);
            for (b, part) in &words {
                if b + 4 <= at || *b >= end {
                    self.values.insert(*b, (4, *part));
                }
            }
            // Bytes beside the write of which nothing is known any more.
            for byte in (a..a + u32::from(n)).filter(|c| *c < at || *c >= end) {
                let kept = words.iter().any(|(b, _)| (*b..b + 4).contains(&byte) && (b + 4 <= at || *b >= end));
                if !kept {
                    self.values.insert(byte, (1, ValueSet::Int(Ints::between(32, 0, 255))));
                }
            }
        }
    }

    /// Whether any of these bytes may be another one than at the start.
    fn is_touched(&self, at: u32, length: u8) -> bool {
        let end = at + u32::from(length);
        !self.known.iter().any(|known| known.start <= at && end <= known.end)
            || self.values.range(at.saturating_sub(7)..end).any(|(a, (n, _))| *a + u32::from(*n) > at)
    }

    /// The value that was written with all of these bytes: where it begins and how long it is.
    fn around(&self, at: u32, length: u8) -> Option<(u32, u8, ValueSet)> {
        let (a, (n, value)) = self.values.range(..=at).next_back()?;
        (*a + u32::from(*n) >= at + u32::from(length)).then_some((*a, *n, *value))
    }

    /// The value of a word, as 32 bits.
    fn word(&self, at: u32) -> Ints {
        if let Some((a, n, value)) = self.around(at, 4) {
            let half = halves(a, n, value).into_iter().find(|(b, _)| *b == at);
            return match half {
                Some((_, ValueSet::Int(part))) => part,
                _ => part(value, 8 * (at - a), 32),
            };
        }
        if self.is_touched(at, 4) { Ints::all(32) } else { Ints::one(32, self.bytes(at, 4)) }
    }

    fn bytes(&self, at: u32, length: u8) -> u64 {
        let mut word = [0; 8];
        word[..length as usize].copy_from_slice(&self.initial[at as usize..at as usize + length as usize]);
        u64::from_le_bytes(word)
    }

    /// What stands at an address.
    pub(super) fn load(&self, load: Load, at: u32) -> Result<ValueSet, Trap> {
        let bits = 8 * u32::from(load.bytes);
        match load.ty {
            Type::F64 | Type::F32 => {
                let double = load.ty == Type::F64;
                if let Some((a, n, value @ ValueSet::Float(s))) = self.around(at, load.bytes)
                    && (a, n, s.double) == (at, load.bytes, double)
                {
                    return Ok(value);
                }
                if double {
                    return Ok(ValueSet::Float(from_words(self.word(at + 4), self.word(at))));
                }
                sets::unary(Unary::F32ReinterpretI32, ValueSet::Int(self.word(at))).ok_or(Trap::Undecided)
            }
            Type::I32 | Type::I64 => {
                let found = if load.bytes == 4 {
                    self.word(at)
                } else if let Some((a, 8, ValueSet::Outside)) = self.around(at, load.bytes)
                    && (a, load.bytes) == (at, 8)
                {
                    return Ok(ValueSet::Outside);
                } else if let Some((a, _, value)) = self.around(at, load.bytes) {
                    part(value, 8 * (at - a), bits)
                } else if self.is_touched(at, load.bytes) {
                    return Ok(anything(load.ty));
                } else {
                    Ints::one(if load.bytes == 8 { 64 } else { 32 }, self.bytes(at, load.bytes))
                };
                extended(found, bits, load).ok_or(Trap::Undecided)
            }
        }
    }

    /// Write a value.
    pub(super) fn store(&mut self, store: Store, at: u32, value: ValueSet) -> Result<(), Trap> {
        self.clear(at, store.bytes);
        let shortened = store.ty == Type::I64 && store.bytes == 4;
        let value = if shortened { sets::unary(Unary::I32WrapI64, value).ok_or(Trap::Undecided)? } else { value };
        self.values.insert(at, (store.bytes, value));
        Ok(())
    }

    /// Copy bytes, which may overlap.
    pub(super) fn copy(&mut self, to: u32, from: u32, length: u8) {
        let end = from + u32::from(length);
        let mut copied: Vec<(u32, u8, ValueSet)> = Vec::new();
        let mut at = from;
        while at < end {
            let whole = self.values.get(&at).filter(|(n, _)| at + u32::from(*n) <= end);
            let (n, value) = match whole {
                Some(written) => *written,
                None if at + 8 <= end && !self.is_touched(at, 8) => {
                    (8, ValueSet::Int(Ints::one(64, self.bytes(at, 8))))
                }
                None if !self.is_touched(at, 1) => (1, ValueSet::Int(Ints::one(32, self.bytes(at, 1)))),
                None => (1, ValueSet::Int(Ints::between(32, 0, 255))),
            };
            copied.push((to + (at - from), n, value));
            at += u32::from(n);
        }
        self.clear(to, length);
        self.values.extend(copied.into_iter().map(|(at, n, value)| (at, (n, value))));
    }
}

/// So many bits of a value from a place on, without a sign where they are fewer than 32.
fn part(value: ValueSet, from: u32, bits: u32) -> Ints {
    let whole = match value {
        ValueSet::Float(Floats { double: true, .. }) => sets::unary(Unary::I64ReinterpretF64, value),
        ValueSet::Float(_) => sets::unary(Unary::I32ReinterpretF32, value),
        ValueSet::Int(_) => Some(value),
        ValueSet::Outside => Some(anything(Type::I64)),
    };
    let Some(ValueSet::Int(whole)) = whole else { return Ints::all(if bits == 64 { 64 } else { 32 }) };
    let (w, long) = (whole.width, whole.width == 64);
    let one = |bits| ValueSet::Int(Ints::one(w, bits));
    let pick = |a, b| if long { b } else { a };
    let mut part = Some(ValueSet::Int(whole));
    if from > 0 {
        part = part.and_then(|p| sets::binary(pick(Binary::I32ShrU, Binary::I64ShrU), p, one(from.into())));
    }
    if bits < 32 {
        part = part.and_then(|p| sets::binary(pick(Binary::I32And, Binary::I64And), p, one((1 << bits) - 1)));
    }
    if long && bits <= 32 {
        part = part.and_then(|p| sets::unary(Unary::I32WrapI64, p));
    }
    if let Some(ValueSet::Int(part)) = part { part } else { Ints::all(if bits == 64 { 64 } else { 32 }) }
}

/// Bits that were read as a value of the type that is loaded.
fn extended(found: Ints, bits: u32, load: Load) -> Option<ValueSet> {
    let mut value = ValueSet::Int(found);
    if load.signed && bits < 32 {
        let by = ValueSet::Int(Ints::one(32, u64::from(32 - bits)));
        value = sets::binary(Binary::I32ShrS, sets::binary(Binary::I32Shl, value, by)?, by)?;
    }
    match (load.ty, found.width) {
        (Type::I64, 32) => sets::unary(if load.signed { Unary::I64ExtendI32S } else { Unary::I64ExtendI32U }, value),
        _ => Some(value),
    }
}

/// A value of 8 or 4 bytes as words, with their addresses; shorter ones are not cut.
fn halves(at: u32, length: u8, value: ValueSet) -> Vec<(u32, ValueSet)> {
    match (length, value) {
        (8, ValueSet::Float(s)) => {
            let (upper, lower) = words(s);
            vec![(at, ValueSet::Int(lower)), (at + 4, ValueSet::Int(upper))]
        }
        (8, ValueSet::Int(s)) => {
            let upper = sets::binary(Binary::I64ShrS, value, ValueSet::Int(Ints::one(64, 32)));
            let upper = upper.and_then(|u| sets::unary(Unary::I32WrapI64, u)).unwrap_or(ValueSet::Int(Ints::all(32)));
            let lower = sets::unary(Unary::I32WrapI64, ValueSet::Int(s)).unwrap_or(ValueSet::Int(Ints::all(32)));
            vec![(at, lower), (at + 4, upper)]
        }
        (4, ValueSet::Float(s)) => vec![(at, ValueSet::Int(words(s).0))],
        (4, value) => vec![(at, value)],
        _ => Vec::new(),
    }
}

/// All values of a type.
pub(super) fn anything(ty: Type) -> ValueSet {
    match ty {
        Type::I32 => ValueSet::Int(Ints::all(32)),
        Type::I64 => ValueSet::Int(Ints::all(64)),
        Type::F32 => ValueSet::Float(Floats::all(false)),
        Type::F64 => ValueSet::Float(Floats::all(true)),
    }
}
