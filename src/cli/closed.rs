//! Whether standard output was closed when the program started (`magneto … >&-`). The standard library opens the null device in
//! the place of what is closed, before `main`, so that results would go nowhere without anybody being told.

#![allow(unsafe_code)]

use rustix::io::fcntl_getfd;
use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

/// Run by the loader, before the standard library has done anything.
extern "C" fn look() {
    CLOSED.store(fcntl_getfd(rustix::stdio::stdout()).is_err(), Ordering::Relaxed);
}

// SAFETY: the loader calls what is in this section, once, on the one thread; `look` needs nothing that is not there yet.
#[used]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static LOOK: extern "C" fn() = look;

/// Whether results have no place to go.
pub(super) fn standard_output_is_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}
