//! Memory as what it was at the start, and the writes since, in order.

use super::integers::binary;
use super::pieces::{Pieces, mask};
use super::{narrowed, unary};
use crate::code::ins::{Binary, Load, Store, Type, Unary};
use std::ops::Range;

/// A write: where, how many bytes, and the integer that stands there.
type Write = (u32, u8, Pieces);

pub(super) struct Memory<'r> {
    start: &'r [u8],
    /// Where the start is known.
    known: &'r [Range<u32>],
    writes: Vec<Write>,
}

impl<'r> Memory<'r> {
    pub(super) fn new(start: &'r [u8], known: &'r [Range<u32>]) -> Self {
        Memory { start, known, writes: Vec::new() }
    }

    pub(super) fn forget(&mut self) {
        self.known = &[];
        self.writes.clear();
    }

    /// Somebody may have written anywhere from this address on, but to constants.
    pub(super) fn forget_from(&mut self, address: u32) {
        self.writes.retain(|(at, ..)| *at < address);
    }

    pub(super) fn length(&self) -> u64 {
        self.start.len() as u64
    }

    /// The integer, without a sign, of so many bytes (a power of two) at an address, in 64 bits.
    fn read(&self, at: u32, bytes: u8) -> Pieces {
        let end = at + u32::from(bytes);
        let last = self.writes.iter().rev().find(|(a, n, _)| *a < end && at < a + u32::from(*n));
        match last {
            Some((a, n, value)) if value.outside && (*a, *n) == (at, bytes) => value.clone(),
            // All of it was written at once.
            Some((a, n, value)) if *a <= at && end <= a + u32::from(*n) => {
                let shift = Pieces::one(Type::I64, 8 * u64::from(at - a));
                cut(&binary(Binary::I64ShrU, value, &shift), bytes)
            }
            Some(_) if bytes > 1 => {
                let half = bytes / 2;
                let (low, high) = (self.read(at, half), self.read(at + u32::from(half), half));
                let by = 8 * u32::from(half);
                let join = |(p, q): &(u64, u64), (r, s): &(u64, u64)| (p << by | r, q << by | s);
                let parts = high.parts.iter().flat_map(|h| low.parts.iter().map(move |l| join(h, l)));
                Pieces::new(Type::I64, parts.collect())
            }
            None if self.known.iter().any(|known| known.start <= at && end <= known.end) => {
                let bytes = &self.start[at as usize..end as usize];
                Pieces::one(Type::I64, bytes.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b)))
            }
            _ => Pieces::new(Type::I64, vec![(0, mask(8 * u32::from(bytes)))]),
        }
    }

    pub(super) fn load(&self, load: Load, at: u32) -> Pieces {
        let found = self.read(at, load.bytes);
        let found = match (load.signed, load.bytes) {
            (true, 1) => unary(Unary::I64Extend8S, &found),
            (true, 2) => unary(Unary::I64Extend16S, &found),
            (true, 4) => unary(Unary::I64Extend32S, &found),
            _ => found,
        };
        narrowed(found, load.ty)
    }

    pub(super) fn store(&mut self, store: Store, at: u32, value: Pieces) {
        let value = Pieces { ty: Type::I64, ..value };
        let whole = value.outside && store.bytes == 8;
        self.write(at, store.bytes, if whole { value } else { cut(&value, store.bytes) });
    }

    fn write(&mut self, at: u32, bytes: u8, value: Pieces) {
        let end = at + u32::from(bytes);
        // What is wholly written over is never read again.
        self.writes.retain(|(a, n, _)| *a < at || a + u32::from(*n) > end);
        self.writes.push((at, bytes, value));
    }

    /// Copy bytes, which may overlap: what was written at once is copied at once.
    pub(super) fn copy(&mut self, to: u32, from: u32, length: u32) {
        let mut copied = Vec::new();
        let mut done = 0;
        while done < length {
            let at = from + done;
            let fits = |n: &&u8| done + u32::from(**n) <= length && self.is_one(at, **n);
            let bytes = [8, 4, 2].iter().find(fits).copied().unwrap_or(1);
            copied.push((to + done, bytes, self.read(at, bytes)));
            done += u32::from(bytes);
        }
        copied.into_iter().for_each(|(at, bytes, value)| self.write(at, bytes, value));
    }

    /// Whether these bytes were written last by one write, which wrote no others; or never.
    fn is_one(&self, at: u32, bytes: u8) -> bool {
        let end = at + u32::from(bytes);
        let last = self.writes.iter().rev().find(|(a, n, _)| *a < end && at < a + u32::from(*n));
        last.is_none_or(|(a, n, _)| (*a, *n) == (at, bytes))
    }
}

/// The low bytes.
fn cut(value: &Pieces, bytes: u8) -> Pieces {
    binary(Binary::I64And, value, &Pieces::one(Type::I64, mask(8 * u32::from(bytes))))
}
