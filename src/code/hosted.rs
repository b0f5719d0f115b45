//! Which functions of the host a module calls.

use super::host::wide::{WideMath, wide_math};
use super::host::{Math, math, sets_errno};
use super::ins::{FuncType, Ins, Type};
use super::ir::{CATCHES, CLEANS, LOOKS_AT_ADDRESS};
use super::module::Module;

/// A function of the host that a module calls.
#[derive(Clone, Copy, Debug)]
pub(super) enum Host {
    Math(Math),
    /// One of `long double`.
    Wide(WideMath),
    /// `memcpy`, `memmove`.
    Copy,
    /// `memset`.
    Fill,
    /// `malloc`.
    Allocate,
    /// The same by a function of the library, which does not fail.
    AllocateInside,
    /// The same at a multiple of a number.
    AllocateAligned,
    /// `calloc`.
    AllocateClear,
    /// `realloc`.
    Reallocate,
    /// The same by a function of the library.
    ReallocateInside,
    /// `free`.
    Free,
    /// `printf` and what else has no effect on what is computed.
    Nothing,
    /// `setjmp`.
    MarksJump,
    /// `longjmp`.
    JumpsBack,
    /// What takes an address for a number.
    LooksAtAddress,
    /// `feclearexcept`.
    ClearFlags,
    /// `feraiseexcept`.
    RaiseFlags,
    /// `fetestexcept`.
    TestFlags,
    /// `fesetround`.
    SetRounding,
    /// `fegetround`.
    GetRounding,
    Abort,
    Assertion,
    Missing,
}

impl Host {
    pub(super) fn of(name: &str, ty: &FuncType) -> Host {
        if let Some(f) = math(name) {
            // A declaration with other types calls something else than the library's function.
            return if f.is_of(ty) { Host::Math(f) } else { Host::Missing };
        }
        if let Some(f) = wide_math(name) {
            return if f.is_of(ty) { Host::Wide(f) } else { Host::Missing };
        }
        match Host::named(name) {
            Some((host, count)) if host.fits(count, ty) => host,
            _ => Host::Missing,
        }
    }

    /// Whether it is `setjmp` or `longjmp`.
    pub(super) fn jumps(self) -> bool {
        matches!(self, Host::MarksJump | Host::JumpsBack)
    }

    /// Whether a declaration is that of the function, as far as that counts.
    fn fits(self, count: Option<usize>, ty: &FuncType) -> bool {
        let is_integer = |t: &Type| matches!(t, Type::I32 | Type::I64);
        let results = match self {
            Host::Copy
            | Host::Fill
            | Host::Allocate
            | Host::AllocateInside
            | Host::AllocateAligned
            | Host::AllocateClear
            | Host::Reallocate
            | Host::ReallocateInside => ty.results.len() == 1 && ty.results.iter().all(is_integer),
            Host::ClearFlags
            | Host::RaiseFlags
            | Host::TestFlags
            | Host::SetRounding
            | Host::GetRounding
            | Host::MarksJump => ty.results == [Type::I32],
            Host::Nothing | Host::LooksAtAddress => ty.results.len() <= 1,
            Host::Free | Host::JumpsBack => ty.results.is_empty(),
            Host::Math(_) | Host::Wide(_) | Host::Abort | Host::Assertion | Host::Missing => true,
        };
        results && count.is_none_or(|n| ty.params.len() == n && ty.params.iter().all(is_integer))
    }

    /// What runs do on their own memory, or without an effect on it; with the number of parameters, all integers, where that counts.
    fn named(name: &str) -> Option<(Host, Option<usize>)> {
        Some(match name {
            "memcpy" | "memmove" => (Host::Copy, Some(3)),
            "memset" => (Host::Fill, Some(3)),
            "malloc" => (Host::Allocate, Some(1)),
            "magneto_allocate" => (Host::AllocateInside, Some(1)),
            "magneto_allocate_aligned" => (Host::AllocateAligned, Some(2)),
            "magneto_reallocate" => (Host::ReallocateInside, Some(2)),
            "calloc" => (Host::AllocateClear, Some(2)),
            // The environment is empty.
            "getenv" | "secure_getenv" => (Host::Nothing, Some(1)),
            // It stands still.
            "magneto_clock" => (Host::Nothing, Some(0)),
            // It adds nothing to what runs have; proofs know nothing of it.
            "magneto_unsaid" => (Host::Nothing, Some(0)),
            "realloc" => (Host::Reallocate, Some(2)),
            "free" => (Host::Free, Some(1)),
            "puts" | "printf" | "fprintf" | "putchar" | "fputs" | "perror" | "fflush" => (Host::Nothing, None),
            "feclearexcept" => (Host::ClearFlags, Some(1)),
            "feraiseexcept" => (Host::RaiseFlags, Some(1)),
            "fetestexcept" => (Host::TestFlags, Some(1)),
            // musl calls the second one, which is in assembly there.
            "fesetround" | "__fesetround" => (Host::SetRounding, Some(1)),
            "fegetround" => (Host::GetRounding, Some(0)),
            "setjmp" | "_setjmp" => (Host::MarksJump, Some(1)),
            "sigsetjmp" | "__sigsetjmp" => (Host::MarksJump, Some(2)),
            "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" => (Host::JumpsBack, Some(2)),
            // What is thrown ends a run.
            CATCHES | CLEANS => (Host::Nothing, None),
            LOOKS_AT_ADDRESS => (Host::LooksAtAddress, None),
            "abort" | "exit" | "_exit" | "_Exit" => (Host::Abort, None),
            "__assert_fail" | "__assert" | "__assert_rtn" => (Host::Assertion, None),
            _ => return None,
        })
    }
}

/// The functions that end a process at once.
pub(super) const ENDING: [&str; 2] = ["_exit", "_Exit"];

/// The functions that allocate.
pub(super) const ALLOCATING: [&str; 3] = ["malloc", "calloc", "realloc"];

impl Module {
    /// Whether a call of a function may come to one that allocates, without calls by pointers.
    pub(super) fn allocates(&self, entry: u32) -> bool {
        let mut all = vec![entry];
        let mut next = 0;
        while next < all.len() {
            for ins in &self.functions[all[next] as usize].code {
                match ins {
                    Ins::Call(f) if !all.contains(f) => all.push(*f),
                    Ins::CallHost(i) if ALLOCATING.contains(&self.imports[*i as usize].name.as_str()) => return true,
                    _ => {}
                }
            }
            next += 1;
        }
        false
    }
}

/// Whether the host has a function of this name.
pub(super) fn is_known(name: &str) -> bool {
    math(name).is_some() || wide_math(name).is_some() || Host::named(name).is_some()
}

/// Whether a function of the host's library computes a number and touches no memory.
pub(super) fn is_pure(name: &str) -> bool {
    math(name).is_some_and(|function| function.stores().next().is_none())
}

/// Whether a call of a function of the host's library may set `errno`.
pub(super) fn may_set_errno(name: &str) -> bool {
    math(name).is_some() && sets_errno(name)
}

/// Whether a declaration is not that of the host's function of this name: what is called is another one.
pub(super) fn is_another(name: &str, ty: &FuncType) -> bool {
    Host::named(name).is_some_and(|(host, count)| !host.fits(count, ty))
}
