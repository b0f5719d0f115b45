//! The part of the stack in memory that a function takes for itself at its beginning.

use crate::code::ins::{Binary, CodeConst, Ins};
use crate::code::module::ModuleFunction;

/// What a function takes of the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    /// The local that holds its address from its only assignment on.
    pub(super) local: u32,
    /// Its size. Unit: bytes.
    pub(super) bytes: u64,
    /// The instruction that assigns it.
    pub(super) set_at: usize,
}

/// What is known of a value.
#[derive(Clone, Copy)]
enum Known {
    Constant(u64),
    /// So many bytes below the pointer to the stack.
    Below(u64),
    Nothing,
}

/// The frame of a function, as compilers make one: before anything is decided a number is taken from the first global, the pointer
/// to the stack.
pub(super) fn frame(function: &ModuleFunction) -> Option<Frame> {
    let mut locals = vec![Known::Nothing; function.locals.len()];
    let mut stack = Vec::new();
    for (pc, ins) in function.code.iter().enumerate() {
        match ins {
            Ins::Const(CodeConst::I32(x)) => stack.push(Known::Constant(u64::from(*x as u32))),
            Ins::Const(CodeConst::I64(x)) => stack.push(Known::Constant(*x as u64)),
            Ins::GlobalGet(0) => stack.push(Known::Below(0)),
            Ins::LocalGet(i) => stack.push(locals[*i as usize]),
            Ins::LocalSet(i) | Ins::LocalTee(i) => {
                let value = stack.pop()?;
                match value {
                    Known::Below(bytes) if bytes > 0 => {
                        let sets = |ins: &&Ins| matches!(ins, Ins::LocalSet(k) | Ins::LocalTee(k) if k == i);
                        let is_only = function.code.iter().filter(sets).count() == 1;
                        return is_only.then_some(Frame { local: *i, bytes, set_at: pc });
                    }
                    _ => locals[*i as usize] = value,
                }
                if matches!(ins, Ins::LocalTee(_)) {
                    stack.push(value);
                }
            }
            Ins::Binary(Binary::I32Sub | Binary::I64Sub) => {
                let (taken, from) = (stack.pop()?, stack.pop()?);
                stack.push(match (from, taken) {
                    (Known::Below(k), Known::Constant(n)) if n < 1 << 31 => Known::Below(k + n),
                    _ => Known::Nothing,
                });
            }
            _ => return None,
        }
    }
    None
}
