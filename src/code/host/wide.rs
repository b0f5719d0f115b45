//! The host's functions of `long double` on x86-64, where it has 64 bits of precision. A value is two words: the significand, and
//! sign and exponent (System V ABI, AMD64: such arguments are on the stack, in 16 bytes each, and such a result is on the stack of
//! the floating-point unit, that of a complex number below its real part).

#[cfg(test)]
mod tests;

use super::{complex, found};
use crate::code::ins::{FuncType, Type};

/// A value, as it stands in memory.
pub(in crate::code) type WideBits = [u64; 2];

/// The most values that a function takes.
const MOST: usize = 4;

/// A function of values of `long double`.
#[derive(Clone, Copy, Debug)]
pub(in crate::code) struct WideMath {
    function: usize,
    /// How many values it takes.
    count: usize,
    kind: WideKind,
}

/// What such a function takes and gives besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WideKind {
    /// It returns a value.
    Wide,
    /// The same of an integer and a value.
    Order,
    /// It returns a value, and stores a sign as an `int`.
    Sign,
    /// It stores two values.
    Both,
    /// It returns a complex number. Code under test has it as a function that stores the two parts.
    Complex,
    Long,
    Int,
}

/// What a call gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::code) enum WideResult {
    /// A value, which is stored at an address.
    Wide(u64, WideBits),
    /// Two of them.
    Both([(u64, WideBits); 2]),
    /// A value, and an `int` for another address.
    WithSign((u64, WideBits), (u64, u32)),
    /// The bits of an integer, which is returned.
    Integer(u64),
}

/// The function of this name; none where the host's library lacks it, or where its `long double` is another one.
pub(in crate::code) fn wide_math(name: &str) -> Option<WideMath> {
    let (count, kind) = match name {
        "sinl" | "cosl" | "tanl" | "asinl" | "acosl" | "atanl" | "sinhl" | "coshl" | "tanhl" | "asinhl" | "acoshl"
        | "atanhl" | "expl" | "exp2l" | "exp10l" | "expm1l" | "logl" | "log2l" | "log10l" | "log1pl" | "cbrtl"
        | "erfl" | "erfcl" | "tgammal" | "lgammal" | "logbl" | "significandl" | "j0l" | "j1l" | "y0l" | "y1l" => {
            (1, WideKind::Wide)
        }
        "powl" | "atan2l" | "hypotl" | "fmodl" | "remainderl" | "fdiml" | "nextafterl" => (2, WideKind::Wide),
        "fmal" => (3, WideKind::Wide),
        "jnl" | "ynl" => (1, WideKind::Order),
        "lgammal_r" => (1, WideKind::Sign),
        "sincosl" => (1, WideKind::Both),
        "lrintl" | "llrintl" | "lroundl" | "llroundl" => (1, WideKind::Long),
        "ilogbl" => (1, WideKind::Int),
        _ => {
            let (function, count) = complex::wide(name).filter(|_| cfg!(target_arch = "x86_64"))?;
            return Some(WideMath { function, count, kind: WideKind::Complex });
        }
    };
    // SAFETY: a function's address has the size of a number of this type; `call` knows its type.
    let function = unsafe { found::<usize>(name) }.filter(|_| cfg!(target_arch = "x86_64"))?;
    Some(WideMath { function, count, kind })
}

impl WideMath {
    /// The types of what it has in the module before the values, the number of addresses behind them, and its result.
    fn shape(self) -> (&'static [Type], usize, Option<Type>) {
        match self.kind {
            WideKind::Wide => (&[Type::I64], 0, None),
            WideKind::Order => (&[Type::I64, Type::I32], 0, None),
            WideKind::Sign => (&[Type::I64], 1, None),
            WideKind::Both | WideKind::Complex => (&[], 2, None),
            WideKind::Long => (&[], 0, Some(Type::I64)),
            WideKind::Int => (&[], 0, Some(Type::I32)),
        }
    }

    /// Whether it has this type in the module: two words for each value, after the address of a result of `long double`.
    pub(in crate::code) fn is_of(self, ty: &FuncType) -> bool {
        let (head, addresses, result) = self.shape();
        let words = vec![Type::I64; 2 * self.count + addresses];
        ty.params.iter().eq(head.iter().chain(&words)) && ty.results.iter().copied().eq(result)
    }

    /// Its value of arguments as a module hands them over.
    pub(in crate::code) fn call(self, a: &[u64]) -> WideResult {
        let head = self.shape().0.len();
        let behind = head + 2 * self.count;
        let mut words = [0; 2 * MOST];
        words.iter_mut().zip(&a[head..behind]).for_each(|(word, argument)| *word = *argument);
        // Where the function itself stores something.
        let mut stored = [[0u64; 2]; 2];
        let at = stored.as_mut_ptr() as u64;
        let of_both = |[x, y]: [WideBits; 2]| WideResult::Both([(a[behind], x), (a[behind + 1], y)]);
        match self.kind {
            WideKind::Wide => WideResult::Wide(a[0], self.invoke(&words, [0; 2], 1).1[0]),
            WideKind::Order => WideResult::Wide(a[0], self.invoke(&words, [a[1], 0], 1).1[0]),
            WideKind::Sign => {
                let (_, [value, _]) = self.invoke(&words, [at, 0], 1);
                WideResult::WithSign((a[0], value), (a[behind], stored[0][0] as u32))
            }
            WideKind::Both => {
                self.invoke(&words, [at, at + 16], 0);
                // Ten bytes of each are a value.
                of_both(stored.map(|[low, high]| [low, high & 0xffff]))
            }
            WideKind::Complex => of_both(self.invoke(&words, [0; 2], 2).1),
            WideKind::Long => WideResult::Integer(self.invoke(&words, [0; 2], 0).0),
            WideKind::Int => WideResult::Integer(self.invoke(&words, [0; 2], 0).0 & 0xffff_ffff),
        }
    }

    /// Calls it with values on the stack and two integers or addresses, and takes so many results from the stack of the
    /// floating-point unit; what it returns as an integer stands before them.
    #[cfg(target_arch = "x86_64")]
    fn invoke(self, words: &[u64; 2 * MOST], integers: [u64; 2], results: u64) -> (u64, [WideBits; 2]) {
        let mut values = [[0u64; 2]; 2];
        let integer;
        // SAFETY: the function takes no more than the four values that are put on the stack, which is aligned here for calls, and
        // the two integers; it leaves as many values on that of the floating-point unit as its kind says. The registers that
        // hold addresses and the number are kept by calls. What it stores goes to addresses of room for two values.
        unsafe {
            std::arch::asm!(
                "sub rsp, 64",
                "movups xmm0, [r14]",
                "movups xmm1, [r14 + 16]",
                "movups xmm2, [r14 + 32]",
                "movups xmm3, [r14 + 48]",
                "movups [rsp], xmm0",
                "movups [rsp + 16], xmm1",
                "movups [rsp + 32], xmm2",
                "movups [rsp + 48], xmm3",
                "call r13",
                "add rsp, 64",
                "cmp r15, 1",
                "jb 2f",
                "fstp tbyte ptr [r12]",
                "je 2f",
                "fstp tbyte ptr [r12 + 16]",
                "2:",
                in("r12") values.as_mut_ptr(),
                in("r13") self.function,
                in("r14") words.as_ptr(),
                in("r15") results,
                in("rdi") integers[0],
                in("rsi") integers[1],
                lateout("rax") integer,
                clobber_abi("C"),
            );
        }
        (integer, values)
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn invoke(self, _: &[u64; 2 * MOST], _: [u64; 2], _: u64) -> (u64, [WideBits; 2]) {
        unreachable!("there is no such function on this machine")
    }
}
