//! The flags of floating-point arithmetic, as operations and functions of the host raise them while they are computed here, and the
//! rounding mode that they are computed in.

use std::hint::black_box;

unsafe extern "C" {
    // They look at this thread's flags alone, and take any number.
    safe fn feclearexcept(flags: i32) -> i32;
    safe fn fetestexcept(flags: i32) -> i32;
    safe fn fesetround(mode: i32) -> i32;
}

/// All flags of the host.
const ALL: i32 = 0xffff;

/// The mode that programs start in: to the nearest, on all machines that Magneto runs on.
const NEAREST: i32 = 0;

/// The flags of a run, and its rounding mode.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::code) struct FloatFlags {
    mode: i32,
    raised: u32,
    /// Those that the compilers of the same source raise at different times.
    unknown: u32,
}

impl FloatFlags {
    /// Computes something of two values, and keeps the flags that this raises.
    pub(in crate::code) fn keep<T>(&mut self, (a, b): (u64, u64), compute: impl FnOnce(u64, u64) -> T) -> T {
        if self.mode != NEAREST {
            fesetround(self.mode);
        }
        feclearexcept(ALL);
        // Operations on floats may be moved over calls, but not over these.
        let (a, b) = black_box((a, b));
        let result = black_box(compute(a, b));
        self.raised |= fetestexcept(ALL) as u32;
        if self.mode != NEAREST {
            fesetround(NEAREST);
        }
        result
    }

    /// A comparison of numbers of which one is a NaN: of the operators of C some raise a flag, and not all compilers have that.
    pub(in crate::code) fn compare_nan(&mut self) {
        /// The one that says that an operation has no value, where it is the lowest one: on x86-64 and aarch64.
        const INVALID: u32 = 1;
        self.unknown |= INVALID;
    }

    /// Something is computed whose flags are not had.
    pub(in crate::code) fn forget(&mut self) {
        self.unknown = ALL as u32;
    }

    /// `feclearexcept`.
    pub(in crate::code) fn clear(&mut self, flags: u32) {
        (self.raised, self.unknown) = (self.raised & !flags, self.unknown & !flags);
    }

    /// `feraiseexcept`.
    pub(in crate::code) fn raise(&mut self, flags: u32) {
        (self.raised, self.unknown) = (self.raised | flags, self.unknown & !flags);
    }

    /// `fesetround`: 0, or another number where there is no such mode.
    pub(in crate::code) fn set_mode(&mut self, mode: i32) -> i32 {
        let refused = fesetround(mode);
        fesetround(NEAREST);
        if refused == 0 {
            self.mode = mode;
        }
        refused
    }

    /// `fegetround`.
    pub(in crate::code) fn mode(&self) -> i32 {
        self.mode
    }

    /// Whether operations round otherwise than at a program's start.
    pub(in crate::code) fn is_directed(&self) -> bool {
        self.mode != NEAREST
    }

    /// `fetestexcept`; none where one of them is not known.
    pub(in crate::code) fn test(&self, flags: u32) -> Option<u32> {
        (self.unknown & flags == 0).then_some(self.raised & flags)
    }
}
