//! Running a script, in a thread with the stack that its terms take.

use super::Result;
use super::answers::{Answers, Budget, Listener, SatStatus};
use super::script::Script;
use super::stream;
use crate::text::sexp::{Dialect, Sexp, read};
use crate::text::{Diagnostic, Span};
use std::io::{self, BufRead};

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

/// What a script says of its questions by `(set-info :status …)`, one after the other.
#[must_use]
pub fn expected(source: &str) -> Vec<Option<SatStatus>> {
    let (mut all, mut says) = (Vec::new(), None);
    for form in read(source, Dialect::SmtLib).forms.iter().flatten() {
        let atoms: Vec<&str> = form.list().unwrap_or_default().iter().filter_map(Sexp::atom).collect();
        match atoms[..] {
            ["set-info", ":status", word] => says = SatStatus::from_word(word),
            ["check-sat" | "check-sat-assuming", ..] => all.push(says),
            ["exit"] => break,
            _ => {}
        }
    }
    all
}

/// Runs a script.
///
/// # Errors
/// If something of it is no SMT-LIB, or is not supported, with its place.
pub fn run(source: &str, budget: impl Into<Budget>) -> Result<Answers> {
    run_told(source, budget, &mut |_| {})
}

/// The same, with somebody who is told of it.
///
/// # Errors
/// See [`run`].
pub fn run_told(source: &str, budget: impl Into<Budget>, listener: &mut Listener<'_>) -> Result<Answers> {
    let budget = budget.into();
    let work = || Script::default().run(source, budget, listener);
    with_stack(stack(source), work).unwrap_or_else(|| {
        let whole = Span { start: 0, end: 0 };
        Err(Diagnostic::unsupported(whole, "the system gives no memory for the stack that terms are read with"))
    })
}

/// Answers commands one by one, as they come: each answer is told before more is read. A command that is wrong is answered by an
/// error, and the others keep their answers.
///
/// # Errors
/// The commands cannot be read.
pub fn run_stream(
    input: impl BufRead + Send,
    budget: impl Into<Budget>,
    listener: &mut Listener<'_>,
) -> io::Result<Answers> {
    let budget = budget.into();
    with_stack(MOST_STACK, || stream::run(input, budget, listener))
        .unwrap_or_else(|| Err(io::Error::other("the system gives no memory for the stack that terms are read with")))
}

/// Does some work in a thread with so much stack; none where the system does not give it.
fn with_stack<T: Send>(stack: usize, work: impl FnOnce() -> T + Send) -> Option<T> {
    let token = crate::halt::current();
    std::thread::scope(|scope| {
        let work = || crate::halt::under(token, work);
        let thread = std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, work).ok()?;
        Some(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}
