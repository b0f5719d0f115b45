//! The command line of Magneto.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    if !cpu_suffices() {
        return refuse();
    }
    cli::main()
}

/// Whether the CPU has what the code after this is compiled for. `is_x86_feature_detected` cannot be asked: it takes
/// for granted what the compiler may use.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
fn cpu_suffices() -> bool {
    use std::arch::x86_64::__cpuid_count;
    const FMA: u32 = 1 << 12;
    const SAVED_BY_THE_SYSTEM: u32 = 1 << 27;
    const AVX: u32 = 1 << 28;
    const AVX2: u32 = 1 << 5;
    // Every x86-64 CPU has the instruction. (Newer compilers call it safe.)
    #[allow(unsafe_code, unused_unsafe)]
    let (highest, one, seven) = unsafe { (__cpuid_count(0, 0).eax, __cpuid_count(1, 0).ecx, __cpuid_count(7, 0).ebx) };
    let first = FMA | SAVED_BY_THE_SYSTEM | AVX;
    highest >= 7 && one & first == first && seven & AVX2 != 0
}

/// Other architectures need nothing special.
#[cfg(not(target_arch = "x86_64"))]
fn cpu_suffices() -> bool {
    true
}

#[cold]
#[inline(never)]
fn refuse() -> ExitCode {
    use std::io::Write as _;
    let _ = std::io::stderr().write_all(b"error: this CPU has no AVX2 and FMA, which magneto needs on x86-64\n");
    ExitCode::from(2)
}
