//! `setjmp` and `longjmp` in runs: where a run may go back to.
//!
//! What goes back is the flow of control, with what functions have in registers; memory stays as it is, and variables of the source
//! stand there, as in a program that is compiled without optimisation.

use super::{Frame, Machine, Trap, ValueDomain};
use crate::code::ins::CodeConst;

/// The most places that a run may go back to.
const MOST_MARKS: usize = 10_000;

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
    number: u64,
    /// How many calls are open, the one that called `setjmp` among them.
    pub(super) depth: usize,
    /// Where this call goes on.
    pc: usize,
    /// Where its locals begin, and what is on the stack from there on.
    base: usize,
    stack: Vec<V>,
    globals: Vec<V>,
}

impl<V: Clone> Machine<'_, V> {
    /// Notes where the run may go back to, or goes back; the operands of the call are taken.
    pub(super) fn jumps<D: ValueDomain<Value = V>>(&mut self, d: &mut D, jump: Jump) -> Result<(), Trap> {
        let returned = match jump {
            Jump::Mark(_) if self.marks.len() >= MOST_MARKS => return Err(Trap::Memory),
            Jump::Mark(number) => {
                let Some(Frame { pc, base, .. }) = self.frames.last() else { return Err(Trap::Unreachable) };
                let (pc, base, depth) = (*pc, *base, self.frames.len());
                let (stack, globals) = (self.stack[base..].to_vec(), self.globals.clone());
                self.marks.push(JumpMark { number, depth, pc, base, stack, globals });
                0
            }
            Jump::Back(number, value) => {
                let mark = self.marks.iter().find(|mark| mark.number == number);
                let mark = mark.ok_or_else(|| Trap::Import("longjmp".to_owned()))?;
                (mark.depth..self.frames.len()).for_each(|_| d.returns());
                self.frames.truncate(mark.depth);
                self.stack.truncate(mark.base);
                self.stack.extend_from_slice(&mark.stack);
                self.globals.clone_from(&mark.globals);
                if let Some(frame) = self.frames.last_mut() {
                    frame.pc = mark.pc;
                }
                value
            }
        };
        self.marks.retain(|mark| mark.depth <= self.frames.len());
        self.stack.push(d.constant(CodeConst::I32(returned as i32)));
        Ok(())
    }
}
