//! Calls of functions of the host and of stubs, which work on memory.

use super::Memory;
use crate::code::host::wide::{WideBits, WideResult};
use crate::code::host::with_errno;
use crate::code::hosted::Host;
use crate::code::ins::{Load, Type};
use crate::code::machine::{Jump, Trap};
use crate::code::stubs::{HEAD, MOST, RETURNS};

impl Memory<'_> {
    pub(in crate::code) fn host(&mut self, import: u32, a: &[u64]) -> Result<Option<u64>, Trap> {
        let ty = &self.module.imports[import as usize].ty;
        let host = self.hosts[import as usize];
        let may_fail = matches!(host, Host::Allocate | Host::AllocateClear | Host::Reallocate);
        let fails = may_fail && self.next_allocation_fails()?;
        Ok(match host {
            Host::Math(f) => {
                let mut flags = self.flags;
                let mut call = || with_errno(|| f.call(a, |at, ty, bits| self.write(at, 0, ty.bytes(), bits)));
                let (result, errno) = match &mut flags {
                    Some(flags) => flags.keep((0, 0), |_, _| call()),
                    None => call(),
                };
                self.flags = flags;
                if let Some(at) = self.module.errno.filter(|_| errno != 0) {
                    self.write(at.into(), 0, 4, errno as u64)?;
                }
                result?
            }
            // They are called to the nearest alone.
            Host::Wide(_) if self.flags.is_some_and(|flags| flags.is_directed()) => {
                return Err(Trap::Import("fesetround".to_owned()));
            }
            Host::Wide(f) => {
                let (result, errno) = with_errno(|| f.call(a));
                if let Some(flags) = &mut self.flags {
                    flags.forget();
                }
                if let Some(at) = self.module.errno.filter(|_| errno != 0) {
                    self.write(at.into(), 0, 4, errno as u64)?;
                }
                self.keep_wide(result)?
            }
            Host::Copy => {
                self.copy(a[0], a[1], a[2])?;
                Some(a[0])
            }
            Host::Fill => {
                self.fill(a[0], a[1], a[2])?;
                Some(a[0])
            }
            Host::Allocate | Host::AllocateClear | Host::Reallocate if fails => {
                self.set_no_memory()?;
                Some(0)
            }
            Host::Allocate | Host::AllocateInside => Some(self.allocate_or_fail(a[0])?),
            Host::AllocateAligned => {
                self.align_heap(a[0])?;
                Some(self.allocate_or_fail(a[1])?)
            }
            Host::AllocateClear => Some(self.allocate_or_fail(a[0].saturating_mul(a[1]))?),
            Host::Reallocate | Host::ReallocateInside => Some(self.reallocate(a[0], a[1])?),
            Host::Free => {
                self.free(a[0])?;
                None
            }
            Host::LooksAtAddress => {
                self.has_looked_at_address = true;
                None
            }
            Host::ClearFlags | Host::RaiseFlags => {
                let flags = self.flags.as_mut();
                match (host, flags) {
                    (Host::ClearFlags, Some(flags)) => flags.clear(a[0] as u32),
                    (_, Some(flags)) => flags.raise(a[0] as u32),
                    // Nobody can ask for them.
                    (_, None) => {}
                }
                Some(0)
            }
            Host::TestFlags => {
                let tested = self.flags.unwrap_or_default().test(a[0] as u32);
                Some(tested.ok_or_else(|| Trap::Import("fetestexcept".to_owned()))?.into())
            }
            Host::SetRounding => {
                let is_nearest_alone = self.module.rounds_to_nearest_alone();
                let mut flags = self.flags.unwrap_or_default();
                let refused = flags.set_mode(a[0] as i32);
                // What is computed before the run lasts.
                if flags.is_directed() && (is_nearest_alone || self.is_preparing) {
                    return Err(Trap::Import("fesetround".to_owned()));
                }
                self.flags = Some(flags);
                Some(refused as u32 as u64)
            }
            Host::GetRounding => Some(self.flags.unwrap_or_default().mode() as u32 as u64),
            Host::Nothing => ty.results.first().map(|_| 0),
            // Whoever runs the code asks `jump` first.
            Host::MarksJump | Host::JumpsBack => return Err(Trap::Import("longjmp".to_owned())),
            Host::Abort => return Err(Trap::Abort),
            Host::Assertion => return Err(Trap::Assertion),
            Host::Missing if self.is_preparing && ty.results.is_empty() => None,
            Host::Missing => return Err(Trap::Import(self.module.imports[import as usize].name.clone())),
        })
    }

    /// What a call of the host does to the flow of control, if anything. The number of a mark stands in the buffer, so that copies of
    /// the buffer lead back as well.
    pub(in crate::code) fn jump(&mut self, import: u32, a: &[u64]) -> Result<Option<Jump>, Trap> {
        Ok(match self.hosts[import as usize] {
            Host::MarksJump => {
                self.marks += 1;
                self.write(a[0], 0, 8, self.marks)?;
                Some(Jump::Mark(self.marks))
            }
            Host::JumpsBack => Some(Jump::Back(self.read(a[0], 0, 8)?, (a[1] as u32).max(1))),
            _ => None,
        })
    }

    /// Stores what a function of `long double` gives, or returns it.
    fn keep_wide(&mut self, result: WideResult) -> Result<Option<u64>, Trap> {
        let mut keep = |(at, [significand, rest]): (u64, WideBits)| {
            self.write(at, 0, 8, significand)?;
            self.write(at, 8, 8, rest)
        };
        match result {
            WideResult::Integer(n) => return Ok(Some(n)),
            WideResult::Wide(at, value) => keep((at, value))?,
            WideResult::Both(values) => values.into_iter().try_for_each(keep)?,
            WideResult::WithSign(value, (at, sign)) => {
                keep(value)?;
                self.write(at, 0, 4, sign.into())?;
            }
        }
        Ok(None)
    }

    /// `errno` says that there is no memory.
    pub(super) fn set_no_memory(&mut self) -> Result<(), Trap> {
        const NO_MEMORY: u64 = 12;
        self.module.errno.map_or(Ok(()), |at| self.write(at.into(), 0, 4, NO_MEMORY))
    }

    /// Whether the next call that allocates is the one that is said to fail.
    fn next_allocation_fails(&mut self) -> Result<bool, Trap> {
        let Some(failure) = self.failure else { return Ok(false) };
        self.allocations += 1;
        self.see_load(Load { ty: Type::I32, bytes: 1, signed: false }, failure);
        Ok(self.read(failure, 0, 1)? == self.allocations)
    }

    /// What a call of a stub at an address comes to; the bits of nothing are 0.
    pub(in crate::code) fn answer(&mut self, stub: u64, arguments: &[u64]) -> Result<u64, Trap> {
        let (written, slots) = (self.read(stub, 8, 4)? as u32, self.read(stub, 12, 4)? as u32);
        if slots == 0 || !self.stubs.contains(&stub) {
            return Err(Trap::IndirectCall);
        }
        let doubles = u64::from(HEAD + 8 * slots);
        for (_, to) in arguments.iter().enumerate().filter(|(k, to)| **to != 0 && *k < MOST && written >> k & 1 == 1) {
            let next = self.next_answer((stub, 4), doubles, slots)?;
            self.write(*to, 0, 8, next)?;
        }
        if written & RETURNS == 0 { Ok(0) } else { self.next_answer((stub, 0), HEAD.into(), slots) }
    }

    /// The next of the inputs of a stub that begin at a place in its object; how many were taken is counted at another one.
    fn next_answer(&mut self, (stub, count): (u64, u32), inputs: u64, slots: u32) -> Result<u64, Trap> {
        let taken = self.read(stub, count, 4)? as u32;
        self.write(stub, count, 4, u64::from(taken.wrapping_add(1)))?;
        let at = stub + inputs + u64::from(8 * (taken % slots));
        let next = self.read(at, 0, 8)?;
        self.see_load(Load { ty: Type::I64, bytes: 8, signed: false }, at);
        Ok(next)
    }
}
