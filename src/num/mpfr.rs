//! Multiple-precision intervals over MPFR: the only file that names `rug`.

use super::{Interval, Ternary};
pub use rug::float::{Constant as MpConstant, Round, Special};
pub use rug::ops::{AssignRound, NegAssign, Pow};
pub use rug::{Assign, Complete, Float, Integer, Rational};
use std::cmp::Ordering;

/// The version of MPFR that this program is built with, such as `4.2.2`.
#[must_use]
pub fn version() -> String {
    use gmp_mpfr_sys::mpfr::{VERSION_MAJOR, VERSION_MINOR, VERSION_PATCHLEVEL};
    format!("{VERSION_MAJOR}.{VERSION_MINOR}.{VERSION_PATCHLEVEL}")
}

/// The version of GMP that this program is built with, such as `6.3.0`.
#[must_use]
pub fn gmp_version() -> String {
    use gmp_mpfr_sys::gmp::{VERSION, VERSION_MINOR, VERSION_PATCHLEVEL};
    format!("{VERSION}.{VERSION_MINOR}.{VERSION_PATCHLEVEL}")
}

/// Lets GMP and MPFR take their memory from the program's allocator, which decides what happens where there is none. By
/// themselves they abort.
///
/// # Safety
/// To be called before the first number is made, by one thread: memory must go back to where it came from.
#[allow(unsafe_code)]
pub unsafe fn use_own_allocator() {
    use std::alloc::{Layout, alloc, dealloc, handle_alloc_error, realloc};
    use std::ffi::c_void;
    fn layout(bytes: usize) -> Layout {
        // As malloc does: 16 bytes are enough for any type.
        Layout::from_size_align(bytes.max(1), 16).unwrap_or_else(|_| handle_alloc_error(Layout::new::<u8>()))
    }
    fn checked(p: *mut u8, layout: Layout) -> *mut c_void {
        if p.is_null() { handle_alloc_error(layout) } else { p.cast() }
    }
    extern "C" fn take(bytes: usize) -> *mut c_void {
        let layout = layout(bytes);
        // SAFETY: its size is not 0.
        checked(unsafe { alloc(layout) }, layout)
    }
    extern "C" fn retake(p: *mut c_void, old: usize, new: usize) -> *mut c_void {
        // SAFETY: GMP gives what `take` or `retake` gave, and the size that it asked for then.
        checked(unsafe { realloc(p.cast(), layout(old), layout(new).size()) }, layout(new))
    }
    extern "C" fn give(p: *mut c_void, bytes: usize) {
        // SAFETY: as for `retake`.
        unsafe { dealloc(p.cast(), layout(bytes)) }
    }
    // SAFETY: the functions do what GMP's manual asks of them; the caller sees to the rest.
    unsafe { gmp_mpfr_sys::gmp::set_memory_functions(Some(take), Some(retake), Some(give)) };
}

/// An interval `[lo, hi]` with MPFR ends, and whether the expression that it encloses is defined.
///
/// Ends may be infinite (unbounded). If `def` is `False` there is no value, and both ends are NaN. If `def` is
/// `Unknown` the interval contains the value wherever there is one.
#[derive(Clone, Debug, PartialEq)]
pub struct MpInterval {
    /// Lower end.
    pub lo: Float,
    /// Upper end.
    pub hi: Float,
    /// Whether there is a value at every point (`True`), at none (`False`), or not settled.
    pub def: Ternary,
}

impl MpInterval {
    /// `[lo, hi]`, defined everywhere.
    #[must_use]
    pub fn new(lo: Float, hi: Float) -> Self {
        debug_assert!(lo <= hi, "[{lo}, {hi}]");
        MpInterval { lo, hi, def: Ternary::True }
    }

    /// The same interval with `def` as what is known of its definedness; no value at all where `def` is `False`.
    #[must_use]
    pub fn with_def(self, def: Ternary) -> Self {
        if def.is_false() { Self::undefined(self.lo.prec()) } else { MpInterval { def, ..self } }
    }

    /// No value.
    #[must_use]
    pub fn undefined(precision: u32) -> Self {
        let nan = Float::with_val(precision, Special::Nan);
        MpInterval { lo: nan.clone(), hi: nan, def: Ternary::False }
    }

    /// All real numbers.
    #[must_use]
    pub fn entire(precision: u32, def: Ternary) -> Self {
        let lo = Float::with_val(precision, Special::NegInfinity);
        let hi = Float::with_val(precision, Special::Infinity);
        MpInterval { lo, hi, def }
    }

    /// The tightest interval of the precision that holds `x`; exact where `x` is representable.
    #[must_use]
    pub fn from_rational(x: &Rational, precision: u32) -> Self {
        Self::round_both(precision, |p, r| Float::with_val_round(p, x, r).0)
    }

    /// The point `x`, exact (the precision is at least 53 bits), which must be finite.
    #[must_use]
    pub fn from_f64(x: f64, precision: u32) -> Self {
        let x = Float::with_val(precision.max(53), x);
        MpInterval { lo: x.clone(), hi: x, def: Ternary::True }
    }

    /// `[f rounded down, f rounded up]` for a computation `f(precision, rounding direction)`.
    #[must_use]
    pub fn round_both(precision: u32, f: impl Fn(u32, Round) -> Float) -> Self {
        Self::new(f(precision, Round::Down), f(precision, Round::Up))
    }

    /// `[f(lo) rounded down, f(hi) rounded up]`: the image under a function that does not decrease.
    #[must_use]
    pub fn increasing(&self, precision: u32, f: impl Fn(&Float, u32, Round) -> Float) -> Self {
        let image = Self::new(f(&self.lo, precision, Round::Down), f(&self.hi, precision, Round::Up));
        image.with_def(self.def)
    }

    /// `[f(hi) rounded down, f(lo) rounded up]`: the image under a function that does not increase.
    #[must_use]
    pub fn decreasing(&self, precision: u32, f: impl Fn(&Float, u32, Round) -> Float) -> Self {
        let image = Self::new(f(&self.hi, precision, Round::Down), f(&self.lo, precision, Round::Up));
        image.with_def(self.def)
    }

    /// Whether exactly one number is inside, so that the value is known exactly.
    #[must_use]
    pub fn is_point(&self) -> bool {
        self.lo.is_finite() && self.lo == self.hi
    }

    /// The convex hull of two enclosures; what is known of definedness is what is known of both.
    #[must_use]
    pub fn hull(&self, other: &Self) -> Self {
        if self.def.is_false() && other.def.is_false() {
            return self.clone();
        }
        if self.def.is_false() {
            return MpInterval { def: Ternary::Unknown, ..other.clone() };
        }
        if other.def.is_false() {
            return MpInterval { def: Ternary::Unknown, ..self.clone() };
        }
        let lo = if self.lo <= other.lo { &self.lo } else { &other.lo };
        let hi = if self.hi >= other.hi { &self.hi } else { &other.hi };
        MpInterval { lo: lo.clone(), hi: hi.clone(), def: self.def.join(other.def) }
    }

    /// The smallest interval with binary64 ends that holds it; all numbers where there is no value.
    #[must_use]
    pub fn outward(&self) -> Interval {
        if self.lo.is_nan() || self.hi.is_nan() {
            return Interval::ENTIRE;
        }
        Interval::new(self.lo.to_f64_round(Round::Down), self.hi.to_f64_round(Round::Up))
    }

    /// `[-hi, -lo]`.
    #[must_use]
    pub fn neg(&self) -> Self {
        MpInterval {
            lo: Float::with_val(self.hi.prec(), -&self.hi),
            hi: Float::with_val(self.lo.prec(), -&self.lo),
            def: self.def,
        }
    }

    /// Whether the two sets surely have no number in common (both must have a value at all).
    #[must_use]
    pub fn precedes(&self, other: &Self) -> bool {
        self.hi.partial_cmp(&other.lo) == Some(Ordering::Less)
    }
}
