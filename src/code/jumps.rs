//! `setjmp` and `longjmp` in runs: where a run may go back to.
//!
//! What goes back is the flow of control, with what functions have in registers; memory stays as it is, and variables of the source
//! stand there, as in a program that is compiled without optimisation.

/// The most places that a run may go back to.
pub(super) const MOST_MARKS: usize = 10_000;

/// What a call of the host does to the flow of control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// `setjmp`: the run may come back here, by this number.
    Mark(u64),
    /// `longjmp`: it goes back to a mark, where `setjmp` returns this.
    Back(u64, u32),
}

/// Where a run may go back to.
pub(super) struct JumpMark<V> {
    pub number: u64,
    /// How many calls are open, the one that called `setjmp` among them.
    pub depth: usize,
    /// Where this call goes on.
    pub pc: usize,
    /// Where its locals begin, and what is on the stack from there on.
    pub base: usize,
    pub stack: Vec<V>,
    pub globals: Vec<V>,
}
