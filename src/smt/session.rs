//! Running a script, in a thread with the stack that its terms take.

use super::Result;
use super::answers::{Answers, Budget};
use super::script::Script;
use crate::text::Diagnostic;

/// The stack of a thread that reads a script, without its terms. Unit: bytes.
const STACK: usize = 16 << 20;
/// What reading takes for each bracket of the script. Arguments are read before a definition's body, in which they stand by
/// name: however deep the terms are that come of it, no more brackets are open at a time than the script has. Unit: bytes.
const STACK_OF_A_BRACKET: usize = 16 << 10;
/// The most stack of all. Unit: bytes.
const MOST_STACK: usize = 1 << 30;

/// The stack that a script takes at most. Unit: bytes.
fn stack(source: &str) -> usize {
    let brackets = source.bytes().filter(|b| *b == b'(').count();
    brackets.saturating_mul(STACK_OF_A_BRACKET).saturating_add(STACK).min(MOST_STACK)
}

/// Runs a script.
///
/// # Errors
/// If something of it is no SMT-LIB, or is not supported, with its place.
pub fn run(source: &str, budget: impl Into<Budget>) -> Result<Answers> {
    let budget = budget.into();
    let token = crate::halt::current();
    std::thread::scope(|scope| {
        let work = || crate::halt::under(token, || Script::default().run(source, budget));
        let thread = std::thread::Builder::new().stack_size(stack(source)).spawn_scoped(scope, work);
        match thread.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => {
                let whole = crate::text::Span { start: 0, end: 0 };
                Err(Diagnostic::unsupported(whole, "the system gives no memory for the stack that terms are read with"))
            }
        }
    })
}
