//! The memory of concrete runs, and the host's functions that work on it.

mod calls;

use super::host::flags::FloatFlags;
use super::hosted::Host;
use super::ins::{CodeConst, Load, Type};
use super::machine::Trap;
use super::module::Module;
use super::objects::{MemoryAccess, after};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::ops::Range;

/// Between the module's own memory and the first object: what lies before an object is not the module's. Unit: bytes.
const BELOW: u32 = 1 << 20;

/// So many bytes a process cannot address. Unit: bytes.
const NEVER: u64 = 1 << 47;

/// Memory is put back in pieces of this many bytes.
pub(super) const CHUNK: usize = 256;

/// From run to run so much room is kept beyond what memory has at the start. Unit: bytes.
const KEPT: usize = 1 << 22;

/// The memory of a program and the host's functions.
pub struct Memory<'m> {
    pub(super) module: &'m Module,
    initial: Vec<u8>,
    /// What there is, and room for more, which is cleared.
    bytes: Vec<u8>,
    /// How much there is. Unit: bytes.
    length: usize,
    /// The pieces that were written to, each once.
    dirty: Vec<u32>,
    is_dirty: Vec<bool>,
    /// Where the next allocation begins.
    heap: u32,
    heap_start: u32,
    /// The module's own memory ends here.
    own: u32,
    pub(super) hosts: Vec<Host>,
    /// What lies above [`Memory::heap_start`], in order: where each piece begins and ends.
    pieces: Vec<(u32, u32)>,
    /// Those among them that are there when a run begins.
    first_pieces: Vec<(u32, u32)>,
    /// Whether the program has not begun yet.
    pub(super) is_preparing: bool,
    /// Whether the run has taken an address for a number.
    pub(super) has_looked_at_address: bool,
    /// The flags of arithmetic, where the code asks for them.
    pub(super) flags: Option<FloatFlags>,
    /// The addresses of stubs.
    pub(super) stubs: Vec<u64>,
    /// Where it stands which call that allocates fails, if one may.
    pub(super) failure: Option<u64>,
    /// How many such calls were made.
    allocations: u64,
    /// How many places a run may go back to.
    pub(super) marks: u64,
    /// What was read there before it was written.
    seen: Option<SeenReads>,
    /// The last address at which there was nothing.
    outside: Cell<Option<u64>>,
}

/// Which bytes from the heap's start on were read before they were written, over all runs.
#[derive(Clone, Debug, Default)]
struct SeenReads {
    read: Vec<bool>,
    /// Those that were written in this run.
    written: Vec<bool>,
    /// How they were read.
    accesses: BTreeSet<MemoryAccess>,
}

/// Where the bytes of a memory are.
#[derive(Debug)]
pub(super) struct OpenMemory {
    pub(super) bytes: *mut u8,
    /// Unit: bytes.
    pub(super) size: u64,
    /// For each piece of [`CHUNK`] bytes whether it was written to. What writes to others says so by [`Memory::touch`].
    pub(super) is_dirty: *const bool,
    /// Addresses at which there is memory, whatever is allocated.
    pub(super) plain: Range<u64>,
}

impl<'m> Memory<'m> {
    /// The memory of a module as it is at the start.
    #[must_use]
    pub fn new(module: &'m Module) -> Self {
        let mut initial = vec![0; module.memory_bytes()];
        for segment in &module.segments {
            let (from, upto) = (segment.at as usize, segment.at as usize + segment.bytes.len());
            if upto <= initial.len() {
                initial[from..upto].copy_from_slice(&segment.bytes);
            }
        }
        let heap_start = module.segments.iter().map(|s| s.at + s.bytes.len() as u32).max().unwrap_or(0);
        // Above the stack and the data: the linker's `__heap_base` is the last global that may be an address.
        let is_address = |g: &&CodeConst| g.ty() == module.address() && g.bits() <= initial.len() as u64;
        let base = module.globals.iter().filter(is_address).map(|g| g.bits() as u32).max().unwrap_or(0).max(heap_start);
        let chunks = initial.len().div_ceil(CHUNK);
        let own = base.next_multiple_of(16);
        let heap_start = if module.casts { own.saturating_add(BELOW) } else { own };
        Memory {
            module,
            bytes: initial.clone(),
            length: initial.len(),
            initial,
            dirty: Vec::new(),
            is_dirty: vec![false; chunks],
            own,
            heap: heap_start,
            heap_start,
            hosts: module.imports.iter().map(|i| Host::of(&i.name, &i.ty)).collect(),
            pieces: Vec::new(),
            first_pieces: Vec::new(),
            is_preparing: false,
            has_looked_at_address: false,
            flags: module.uses_float_modes().then(FloatFlags::default),
            stubs: Vec::new(),
            failure: None,
            allocations: 0,
            marks: 0,
            seen: None,
            outside: Cell::new(None),
        }
    }

    /// The address outside of memory at which the last run ended, if it ended so.
    pub(super) fn take_outside(&self) -> Option<u64> {
        self.outside.take()
    }

    /// From now on it is seen which of so many bytes from the heap's start on are read before they are written.
    pub(super) fn watch_reads(&mut self, bytes: u32) {
        self.seen = Some(SeenReads { read: vec![false; bytes as usize], ..SeenReads::default() });
    }

    /// The type of addresses.
    pub(super) fn addresses(&self) -> Type {
        self.module.address()
    }

    /// What was read so far.
    pub(super) fn reads(&self) -> &[bool] {
        self.seen.as_ref().map_or(&[], |seen| &seen.read)
    }

    /// How numbers were read so far, by place from the heap's start on.
    pub(super) fn accesses(&self) -> impl Iterator<Item = MemoryAccess> + '_ {
        self.seen.iter().flat_map(|seen| seen.accesses.iter().copied())
    }

    /// A call begins: what was written up to here is what it is given.
    pub(super) fn begin_call(&mut self) {
        if let Some(seen) = &mut self.seen {
            seen.written = vec![false; seen.read.len()];
        }
    }

    fn see_read(&mut self, address: u64, length: u64) {
        let Some(seen) = &mut self.seen else { return };
        let from = address.saturating_sub(self.heap_start.into());
        for at in from..from + length {
            if let Some(false) = seen.written.get(at as usize).filter(|_| address >= u64::from(self.heap_start)) {
                seen.read[at as usize] = true;
            }
        }
    }

    pub(super) fn see_load(&mut self, load: Load, address: u64) {
        let (start, Some(seen)) = (self.heap_start, &mut self.seen) else { return };
        if let Some(at) = u32::try_from(address).ok().and_then(|at| at.checked_sub(start))
            && seen.written.get(at as usize) == Some(&false)
        {
            let is_float = matches!(load.ty, Type::F32 | Type::F64);
            seen.accesses.insert(MemoryAccess { at, bytes: load.bytes, is_float });
        }
        self.see_read(address, load.bytes.into());
    }

    /// Whether the last run has taken an address for a number: it is another one in each program.
    #[must_use]
    pub fn has_looked_at_address(&self) -> bool {
        self.has_looked_at_address
    }

    /// The imports that the host does not have.
    #[must_use]
    pub fn missing(&self) -> Vec<&'m str> {
        let missing = |(_, h): &(usize, &Host)| matches!(h, Host::Missing);
        self.hosts.iter().enumerate().filter(missing).map(|(i, _)| self.module.imports[i].name.as_str()).collect()
    }

    /// The bytes as they are, and where the heap begins.
    pub(super) fn at_start(mut self) -> (Vec<u8>, u32) {
        self.bytes.truncate(self.length);
        (self.bytes, self.heap_start)
    }

    /// Where the first allocation begins.
    pub(super) fn heap_start(&self) -> u32 {
        self.heap_start
    }

    /// As at the start.
    pub fn reset(&mut self) {
        for chunk in self.dirty.drain(..) {
            let from = chunk as usize * CHUNK;
            let (upto, first) = ((from + CHUNK).min(self.bytes.len()), self.initial.len());
            let known = upto.min(first).max(from);
            if from < known {
                self.bytes[from..known].copy_from_slice(&self.initial[from..known]);
            }
            self.bytes[known..upto].fill(0);
            self.is_dirty[chunk as usize] = false;
        }
        self.stubs.clear();
        (self.failure, self.allocations, self.marks) = (None, 0, 0);
        self.has_looked_at_address = false;
        self.flags = self.flags.map(|_| FloatFlags::default());
        self.length = self.initial.len();
        self.bytes.truncate(self.length + KEPT);
        self.is_dirty.truncate(self.bytes.len().div_ceil(CHUNK));
        self.heap = self.heap_start;
        self.pieces.clone_from(&self.first_pieces);
    }

    /// Some work on memory before the program begins, whose effects stay. What is not there and returns nothing does nothing
    /// meanwhile: it prepares streams.
    pub(super) fn prepare<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.is_preparing = true;
        let done = work(self);
        self.is_preparing = false;
        self.initial.clear();
        self.initial.extend_from_slice(&self.bytes[..self.length]);
        self.dirty.clear();
        self.is_dirty.fill(false);
        self.heap_start = self.heap;
        self.first_pieces.clone_from(&self.pieces);
        done
    }

    /// The bytes for code that reads and writes them itself; good until memory grows, or is put back.
    pub(super) fn open(&mut self) -> OpenMemory {
        let plain = if self.module.casts { self.own.into() } else { u64::MAX };
        let absent = self.module.absent.iter().map(|(at, _)| u64::from(at.start)).min().unwrap_or(u64::MAX);
        OpenMemory {
            size: self.length as u64,
            bytes: self.bytes.as_mut_ptr(),
            is_dirty: self.is_dirty.as_ptr(),
            plain: self.module.floor_of_runs()..plain.min(absent).min(self.length as u64),
        }
    }

    /// The piece of what was allocated in which an address lies.
    pub(super) fn piece_around(&self, address: u64) -> Option<(u32, u32)> {
        let next = self.pieces.partition_point(|(begin, _)| u64::from(*begin) <= address);
        self.pieces[..next].last().copied()
    }

    pub(super) fn place(&self, address: u64, offset: u32, length: usize) -> Result<usize, Trap> {
        let from = address.checked_add(offset.into()).ok_or(Trap::OutOfBounds)?;
        let end = from.checked_add(length as u64).ok_or(Trap::OutOfBounds)?;
        let is_inside = end <= self.length as u64 && (from >= self.module.floor_of_runs() || length == 0);
        // Beside what was allocated a native program has something else. Modules of others allocate themselves.
        let is_allocated = from < u64::from(self.own) || !self.module.casts || length == 0 || {
            self.piece_around(from).is_some_and(|(_, upto)| end <= u64::from(upto))
        };
        let is_there = is_inside && is_allocated && !self.module.is_absent(from, end);
        if is_there {
            return Ok(from as usize);
        }
        self.outside.set(Some(from));
        Err(Trap::OutOfBounds)
    }

    pub(super) fn touch(&mut self, from: usize, length: usize) {
        if let Some(seen) = &mut self.seen {
            for at in (from..from + length).filter_map(|at| at.checked_sub(self.heap_start as usize)) {
                if let Some(written) = seen.written.get_mut(at) {
                    *written = true;
                }
            }
        }
        for chunk in from / CHUNK..(from + length).div_ceil(CHUNK) {
            if !self.is_dirty[chunk] {
                self.is_dirty[chunk] = true;
                self.dirty.push(chunk as u32);
            }
        }
    }

    /// The little-endian integer of 1 to 8 bytes.
    ///
    /// # Errors
    /// Outside of memory.
    pub fn read(&self, address: u64, offset: u32, length: u8) -> Result<u64, Trap> {
        let from = self.place(address, offset, length as usize)?;
        let mut word = [0; 8];
        word[..length as usize].copy_from_slice(&self.bytes[from..from + length as usize]);
        Ok(u64::from_le_bytes(word))
    }

    /// Write 1 to 8 bytes.
    ///
    /// # Errors
    /// Outside of memory.
    pub fn write(&mut self, address: u64, offset: u32, length: u8, value: u64) -> Result<(), Trap> {
        let from = self.place(address, offset, length as usize)?;
        self.touch(from, length as usize);
        self.bytes[from..from + length as usize].copy_from_slice(&value.to_le_bytes()[..length as usize]);
        Ok(())
    }

    /// Room for `length` bytes, cleared, aligned to 16; 0 where there is none.
    pub fn allocate(&mut self, length: u64) -> u32 {
        let at = self.heap;
        let Ok(length) = u32::try_from(length) else { return 0 };
        let Some(end) = at.checked_add(length).and_then(|e| e.checked_next_multiple_of(16)) else { return 0 };
        if end as usize > self.length {
            let pages = (end as usize - self.length).div_ceil(65_536);
            if self.grow(pages as u64).is_none() {
                return 0;
            }
        }
        self.heap = end;
        self.pieces.push((at, at + length));
        at
    }

    /// The next piece begins at a multiple of a number.
    pub(super) fn align_heap(&mut self, to: u64) -> Result<(), Trap> {
        let multiple = u32::try_from(to).ok().and_then(|to| self.heap.checked_next_multiple_of(to));
        self.heap = multiple.ok_or(Trap::Memory)?;
        Ok(())
    }

    /// What [`Memory::allocate`] gives, as a native program has it, which has more room: no machine has [`NEVER`] bytes, and of others nothing is known.
    pub(super) fn allocate_or_fail(&mut self, length: u64) -> Result<u64, Trap> {
        match self.allocate(length) {
            0 if length < NEVER => Err(Trap::Memory),
            0 => self.set_no_memory().map(|()| 0),
            at => Ok(at.into()),
        }
    }

    /// The piece that was allocated at an address, by its index.
    fn piece(&self, address: u64) -> Result<usize, Trap> {
        self.pieces.iter().position(|(begin, _)| u64::from(*begin) == address).ok_or(Trap::OutOfBounds)
    }

    /// Gives back what was allocated: it is not there from now on. Modules of others do that themselves.
    pub(super) fn free(&mut self, address: u64) -> Result<(), Trap> {
        if address != 0 && self.module.casts {
            let piece = self.piece(address)?;
            self.pieces.remove(piece);
        }
        Ok(())
    }

    /// Moves what was allocated to another place of so many bytes; to none as in glibc where these are none.
    pub(super) fn reallocate(&mut self, address: u64, length: u64) -> Result<u64, Trap> {
        if address != 0 && length == 0 {
            return self.free(address).map(|()| 0);
        }
        let to = self.allocate_or_fail(length)?;
        if address != 0 && to != 0 {
            let (begin, end) = self.pieces[self.piece(address)?];
            self.copy(to, address, u64::from(end - begin).min(length))?;
            self.free(address)?;
        }
        Ok(to)
    }

    /// Room for an object of the caller's, with nothing behind it.
    pub(super) fn allocate_object(&mut self, bytes: u32) -> u32 {
        let at = self.allocate(after(0, bytes).into());
        if let Some(last) = self.pieces.last_mut() {
            last.1 = at + bytes;
        }
        at
    }

    /// How many pages there are, after so many more are asked for; all bits set where they cannot be had.
    pub(super) fn pages(&mut self, more: Option<u64>) -> u64 {
        match more {
            None => (self.length / 65_536) as u64,
            Some(more) => match (self.grow(more), self.module.wide) {
                (Some(pages), _) => u64::from(pages),
                (None, true) => u64::MAX,
                (None, false) => u64::from(u32::MAX),
            },
        }
    }

    fn grow(&mut self, pages: u64) -> Option<u32> {
        let now = (self.length / 65_536) as u32;
        let then = now.checked_add(u32::try_from(pages).ok()?)?;
        if then > self.module.pages_limit {
            return None;
        }
        self.length = then as usize * 65_536;
        if self.length > self.bytes.len() {
            self.bytes.resize(self.length, 0);
            self.is_dirty.resize(self.length.div_ceil(CHUNK), false);
        }
        Some(now)
    }

    pub(super) fn copy(&mut self, to: u64, from: u64, length: u64) -> Result<(), Trap> {
        let length = usize::try_from(length).map_err(|_| Trap::OutOfBounds)?;
        let (to, from) = (self.place(to, 0, length)?, self.place(from, 0, length)?);
        self.see_read(from as u64, length as u64);
        self.touch(to, length);
        self.bytes.copy_within(from..from + length, to);
        Ok(())
    }

    pub(super) fn fill(&mut self, to: u64, byte: u64, length: u64) -> Result<(), Trap> {
        let length = usize::try_from(length).map_err(|_| Trap::OutOfBounds)?;
        let to = self.place(to, 0, length)?;
        self.touch(to, length);
        self.bytes[to..to + length].fill(byte as u8);
        Ok(())
    }
}
