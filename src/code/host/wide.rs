//! The host's functions of `long double` on x86-64, where it has 64 bits of precision. A value is two words: the significand, and
//! sign and exponent (System V ABI, AMD64: such arguments are on the stack, in 16 bytes each, and such a result is on the stack of
//! the floating-point unit).

use super::found;
use crate::code::ins::{FuncType, Type};

/// A value, as it stands in memory.
pub(in crate::code) type WideBits = [u64; 2];

/// A function of values of `long double`.
#[derive(Clone, Copy, Debug)]
pub(in crate::code) struct WideMath {
    function: usize,
    /// How many values it takes: at most 3.
    count: usize,
    result: WideKind,
}

/// What such a function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WideKind {
    Wide,
    Long,
    Int,
}

/// What a call returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::code) enum WideResult {
    /// A value, which is stored where the first argument says.
    Wide(WideBits),
    /// The bits of an integer.
    Integer(u64),
}

/// The function of this name; none where the host's library lacks it, or where its `long double` is another one.
pub(in crate::code) fn wide_math(name: &str) -> Option<WideMath> {
    let (count, result) = match name {
        "sinl" | "cosl" | "tanl" | "asinl" | "acosl" | "atanl" | "sinhl" | "coshl" | "tanhl" | "asinhl" | "acoshl"
        | "atanhl" | "expl" | "exp2l" | "exp10l" | "expm1l" | "logl" | "log2l" | "log10l" | "log1pl" | "cbrtl"
        | "erfl" | "erfcl" | "tgammal" | "lgammal" | "logbl" => (1, WideKind::Wide),
        "powl" | "atan2l" | "hypotl" | "fmodl" | "remainderl" | "fdiml" | "nextafterl" => (2, WideKind::Wide),
        "fmal" => (3, WideKind::Wide),
        "lrintl" | "llrintl" | "lroundl" | "llroundl" => (1, WideKind::Long),
        "ilogbl" => (1, WideKind::Int),
        _ => return None,
    };
    // SAFETY: a function's address has the size of a number of this type; `call` knows its type.
    let function = unsafe { found::<usize>(name) }.filter(|_| cfg!(target_arch = "x86_64"))?;
    Some(WideMath { function, count, result })
}

impl WideMath {
    /// Whether it has this type in the module: two words for each argument, after the address of a result of `long double`.
    pub(in crate::code) fn is_of(self, ty: &FuncType) -> bool {
        let (head, results) = match self.result {
            WideKind::Wide => (1, None),
            WideKind::Long => (0, Some(Type::I64)),
            WideKind::Int => (0, Some(Type::I32)),
        };
        ty.params.len() == head + 2 * self.count
            && ty.params[..head].iter().all(|ty| matches!(ty, Type::I32 | Type::I64))
            && ty.params[head..].iter().all(|ty| *ty == Type::I64)
            && ty.results.iter().copied().eq(results)
    }

    /// Its value of arguments as a module hands them over.
    pub(in crate::code) fn call(self, arguments: &[u64]) -> WideResult {
        let arguments = if self.result == WideKind::Wide { &arguments[1..] } else { arguments };
        let mut words = [0; 6];
        words.iter_mut().zip(arguments).for_each(|(word, argument)| *word = *argument);
        match self.result {
            WideKind::Wide => WideResult::Wide(self.wide(&words)),
            WideKind::Long => WideResult::Integer(self.integer(&words)),
            WideKind::Int => WideResult::Integer(self.integer(&words) & 0xffff_ffff),
        }
    }

    #[cfg(target_arch = "x86_64")]
    fn wide(self, words: &[u64; 6]) -> WideBits {
        let mut result = [0; 2];
        // SAFETY: the function takes no more than the three values that are put on the stack, which is aligned here for calls, and
        // leaves one value on that of the floating-point unit; the registers that hold the addresses are kept by calls.
        unsafe {
            std::arch::asm!(
                "sub rsp, 48",
                "movups xmm0, [r14]",
                "movups xmm1, [r14 + 16]",
                "movups xmm2, [r14 + 32]",
                "movups [rsp], xmm0",
                "movups [rsp + 16], xmm1",
                "movups [rsp + 32], xmm2",
                "call r13",
                "fstp tbyte ptr [r12]",
                "add rsp, 48",
                in("r12") result.as_mut_ptr(),
                in("r13") self.function,
                in("r14") words.as_ptr(),
                clobber_abi("C"),
            );
        }
        result
    }

    #[cfg(target_arch = "x86_64")]
    fn integer(self, words: &[u64; 6]) -> u64 {
        let result;
        // SAFETY: as above, with an integer as the result.
        unsafe {
            std::arch::asm!(
                "sub rsp, 48",
                "movups xmm0, [r14]",
                "movups xmm1, [r14 + 16]",
                "movups xmm2, [r14 + 32]",
                "movups [rsp], xmm0",
                "movups [rsp + 16], xmm1",
                "movups [rsp + 32], xmm2",
                "call r13",
                "add rsp, 48",
                in("r13") self.function,
                in("r14") words.as_ptr(),
                lateout("rax") result,
                clobber_abi("C"),
            );
        }
        result
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn wide(self, _: &[u64; 6]) -> WideBits {
        unreachable!("there is no such function on this machine")
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn integer(self, _: &[u64; 6]) -> u64 {
        unreachable!("there is no such function on this machine")
    }
}
