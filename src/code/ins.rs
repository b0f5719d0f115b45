//! The instructions that a function is lowered to: WebAssembly's, with jumps resolved and comparisons joined to the
//! branches that they decide.

use std::fmt;

/// A value that is written in the code.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CodeConst {
    /// A 32-bit integer.
    I32(i32),
    /// A 64-bit integer.
    I64(i64),
    /// The bits of a binary32 number.
    F32(u32),
    /// The bits of a binary64 number.
    F64(u64),
}

impl CodeConst {
    /// Its type.
    #[must_use]
    pub fn ty(self) -> Type {
        match self {
            CodeConst::I32(_) => Type::I32,
            CodeConst::I64(_) => Type::I64,
            CodeConst::F32(_) => Type::F32,
            CodeConst::F64(_) => Type::F64,
        }
    }

    /// The bits, as a machine keeps them.
    #[must_use]
    pub fn bits(self) -> u64 {
        match self {
            CodeConst::I32(x) => u64::from(x as u32),
            CodeConst::I64(x) => x as u64,
            CodeConst::F32(x) => u64::from(x),
            CodeConst::F64(x) => x,
        }
    }
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// A 32-bit integer or an address.
    I32,
    /// A 64-bit integer.
    I64,
    /// A binary32 number.
    F32,
    /// A binary64 number.
    F64,
}

impl Type {
    /// How many bytes a value has in memory.
    #[must_use]
    pub fn bytes(self) -> u8 {
        if matches!(self, Type::I32 | Type::F32) { 4 } else { 8 }
    }

    /// As WebAssembly calls it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Type::I32 => "i32",
            Type::I64 => "i64",
            Type::F32 => "f32",
            Type::F64 => "f64",
        }
    }
}

/// Lists of operators, each under WebAssembly's own name, with the translation from the decoder's operators.
macro_rules! operators {
    ($(#[$doc:meta])* $name:ident: $($op:ident)*) => {
        $(#[$doc])*
        #[allow(missing_docs)] // Each is defined by the WebAssembly specification under this name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($op),* }

        impl $name {
            #[cfg(test)]
            pub(super) const ALL: &'static [$name] = &[$($name::$op),*];

            /// The operator of this name, if it is one of these.
            pub(super) fn of(op: &wasmparser::Operator<'_>) -> Option<Self> {
                match op {
                    $(wasmparser::Operator::$op => Some($name::$op),)*
                    _ => None,
                }
            }
        }
    };
}

operators! {
    /// Operators of one operand.
    Unary:
    I32Eqz I32Clz I32Ctz I32Popcnt I32Extend8S I32Extend16S
    I64Eqz I64Clz I64Ctz I64Popcnt I64Extend8S I64Extend16S I64Extend32S
    F32Abs F32Neg F32Ceil F32Floor F32Trunc F32Nearest F32Sqrt
    F64Abs F64Neg F64Ceil F64Floor F64Trunc F64Nearest F64Sqrt
    I32WrapI64 I64ExtendI32S I64ExtendI32U
    I32TruncF32S I32TruncF32U I32TruncF64S I32TruncF64U
    I64TruncF32S I64TruncF32U I64TruncF64S I64TruncF64U
    I32TruncSatF32S I32TruncSatF32U I32TruncSatF64S I32TruncSatF64U
    I64TruncSatF32S I64TruncSatF32U I64TruncSatF64S I64TruncSatF64U
    F32ConvertI32S F32ConvertI32U F32ConvertI64S F32ConvertI64U F32DemoteF64
    F64ConvertI32S F64ConvertI32U F64ConvertI64S F64ConvertI64U F64PromoteF32
    I32ReinterpretF32 I64ReinterpretF64 F32ReinterpretI32 F64ReinterpretI64
}

operators! {
    /// Operators of two operands that compute.
    Binary:
    I32Add I32Sub I32Mul I32DivS I32DivU I32RemS I32RemU I32And I32Or I32Xor I32Shl I32ShrS I32ShrU I32Rotl I32Rotr
    I64Add I64Sub I64Mul I64DivS I64DivU I64RemS I64RemU I64And I64Or I64Xor I64Shl I64ShrS I64ShrU I64Rotl I64Rotr
    F32Add F32Sub F32Mul F32Div F32Min F32Max F32Copysign
    F64Add F64Sub F64Mul F64Div F64Min F64Max F64Copysign
}

operators! {
    /// Comparisons: two operands, 1 or 0.
    Compare:
    I32Eq I32Ne I32LtS I32LtU I32GtS I32GtU I32LeS I32LeU I32GeS I32GeU
    I64Eq I64Ne I64LtS I64LtU I64GtS I64GtU I64LeS I64LeU I64GeS I64GeU
    F32Eq F32Ne F32Lt F32Gt F32Le F32Ge
    F64Eq F64Ne F64Lt F64Gt F64Le F64Ge
}

impl Unary {
    /// Whether it is a conversion to an integer that never traps.
    #[must_use]
    pub fn saturates(self) -> bool {
        use Unary::*;
        matches!(
            self,
            I32TruncSatF32S
                | I32TruncSatF32U
                | I32TruncSatF64S
                | I32TruncSatF64U
                | I64TruncSatF32S
                | I64TruncSatF32U
                | I64TruncSatF64S
                | I64TruncSatF64U
        )
    }
}

/// A read of memory: the type of the value, how many bytes are read, and whether an integer's sign is extended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// What is on the stack afterwards.
    pub ty: Type,
    /// 1, 2, 4 or 8.
    pub bytes: u8,
    /// Only where fewer bytes than the type has are read.
    pub signed: bool,
}

/// A write to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Store {
    /// What is taken from the stack.
    pub ty: Type,
    /// The low bytes that are written: 1, 2, 4 or 8.
    pub bytes: u8,
}

/// Where a jump goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The instruction.
    pub pc: u32,
    /// How many values at the top of the stack come along.
    pub keep: u32,
    /// The height of the stack above the frame's start below these.
    pub height: u32,
}

/// What decides a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchTest {
    /// Whether the 32-bit integer on the stack is not 0.
    NonZero,
    /// A comparison of the two values on the stack.
    Compare(Compare),
    /// Whether one of the two 32-bit integers on the stack is not 0: a test of `a | b`, which code that takes numbers
    /// apart has in place of two comparisons.
    Either,
}

impl BranchTest {
    /// How many operands it takes from the stack.
    #[must_use]
    pub fn operands(self) -> u32 {
        if self == BranchTest::NonZero { 1 } else { 2 }
    }
}

/// The types of a function's parameters and results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FuncType {
    /// In order.
    pub params: Vec<Type>,
    /// At most one where the code comes from C.
    pub results: Vec<Type>,
}

impl fmt::Display for FuncType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |types: &[Type]| types.iter().map(|t| t.name()).collect::<Vec<_>>().join(", ");
        write!(f, "({}) -> ({})", names(&self.params), names(&self.results))
    }
}

/// An instruction.
#[derive(Clone, Debug, PartialEq)]
pub enum Ins {
    /// Push.
    Const(CodeConst),
    /// Push a local.
    LocalGet(u32),
    /// Pop into a local.
    LocalSet(u32),
    /// Copy the top into a local.
    LocalTee(u32),
    /// Push a global.
    GlobalGet(u32),
    /// Pop into a global.
    GlobalSet(u32),
    /// Pop.
    Drop,
    /// Of two values below the test the first where the test comes out as `when`, else the second: `?:` of operands
    /// that cost nothing. It decides like a branch, and counts as one.
    Select {
        /// Index into the module's sites.
        site: u32,
        /// What decides.
        test: BranchTest,
        /// The outcome that takes the first.
        when: bool,
    },
    /// One operand.
    Unary(Unary),
    /// A saturating conversion of a float to an integer that stands for a cast in C: where the number has no integer it
    /// gives what x86-64 gives.
    Cast(Unary),
    /// Two operands.
    Binary(Binary),
    /// Two operands, a truth value.
    Compare(Compare),
    /// Read at the address on the stack plus the offset.
    Load(Load, u32),
    /// Write at the address on the stack plus the offset.
    Store(Store, u32),
    /// Push the number of pages.
    MemorySize,
    /// More pages.
    MemoryGrow,
    /// Copy bytes within memory.
    MemoryCopy,
    /// Fill bytes.
    MemoryFill,
    /// Go elsewhere.
    Jump(Target),
    /// Go elsewhere if the test comes out as `when`.
    Branch {
        /// Index into the module's sites.
        site: u32,
        /// What decides.
        test: BranchTest,
        /// The outcome that jumps.
        when: bool,
        /// Where to.
        to: Target,
    },
    /// Go where the integer on the stack says; the last target is for all others.
    Table {
        /// Index into the module's sites.
        site: u32,
        /// One for each arm.
        targets: Box<[Target]>,
    },
    /// Ask about the operands of the next instruction, which stay; go on there in any case.
    Probe {
        /// Index into the module's sites, which have what is asked.
        site: u32,
    },
    /// Leave the function.
    Return,
    /// Call a function of the module.
    Call(u32),
    /// Call what the table holds at the index on the stack; the type is checked.
    CallIndirect(u32),
    /// Call the host.
    CallHost(u32),
    /// Cannot be passed.
    Unreachable,
}
