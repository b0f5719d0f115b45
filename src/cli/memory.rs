//! Out of memory: what the system does not give ends the program with a message and an exit code of its own. By default Rust,
//! GMP and MPFR abort, which looks like a bug.

#![allow(unsafe_code)]

use super::exit::Exit;
use std::alloc::{GlobalAlloc, Layout, System};
use std::fs::File;
use std::io::Write as _;
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd as _;

/// The system's allocator, until it has nothing left.
struct Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

// SAFETY: every call is the system's, with the same arguments; what it returns is handed on unless it is null.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as for this function, here and below.
        or_end(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        or_end(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, p: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        or_end(unsafe { System.realloc(p, layout, size) }, size)
    }

    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        unsafe { System.dealloc(p, layout) };
    }
}

#[inline]
fn or_end(p: *mut u8, bytes: usize) -> *mut u8 {
    if p.is_null() { end(bytes) } else { p }
}

/// Let MPFR's memory be this one's. To be called first of all.
pub(super) fn take_over() {
    // SAFETY: nothing has run yet, and there is one thread.
    unsafe { magneto::num::mpfr::use_own_allocator() };
}

/// Ends the program. Nothing here may take memory, or wait for a lock that this thread has.
#[cold]
fn end(bytes: usize) -> ! {
    unsafe extern "C" {
        /// POSIX: ends the process at once, without what was left to be done at its end.
        fn _exit(code: std::ffi::c_int) -> !;
    }
    let mut text = [0u8; 160];
    let room = text.len();
    let mut rest = &mut text[..];
    let _ = writeln!(rest, "error: out of memory: the system refuses another {bytes} bytes; nothing more is written");
    let written = room - rest.len();
    // Not by std::io::stderr, which this thread may be about to use. SAFETY: it is not closed here.
    let mut stderr = ManuallyDrop::new(unsafe { File::from_raw_fd(2) });
    let _ = stderr.write_all(&text[..written]);
    // SAFETY: it may be called at any time, from any thread.
    unsafe { _exit(Exit::Memory as std::ffi::c_int) }
}
