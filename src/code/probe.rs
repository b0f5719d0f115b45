//! Questions about operations: whether the operands of a comparison are equal or neighbours, whether an operation overflows
//! or makes a NaN. Each is put before its instruction as a site of its own, which decides nothing, so that what looks for
//! branches and proves that there are none does so for these.

use super::host::{Call, Pole, Without};
use super::ins::{Binary, Compare, Ins, Unary};

/// What is asked of the operations of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeQuestion {
    /// Of each comparison of numbers: operands that are equal, and each of them just below the other.
    Boundary,
    /// Of each operation on floats: finite operands with an infinite result, other than by a division by 0.
    Overflow,
    /// Of each operation on floats: a NaN from operands that are none.
    Nan,
    /// Of each operation on floats: finite operands with an infinite result.
    Infinity,
    /// Of each division, of integers too: a divisor of 0.
    DivisionByZero,
    /// Of each assertion and `abort`: that it is reached.
    Assertion,
}

/// A question before an instruction; its operands are on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// Both operands are equal.
    Equal(Compare),
    /// The left operand is the number just below the right one.
    Below(Compare),
    /// The left operand is the number just above the right one.
    Above(Compare),
    /// Finite operands, an infinite result, and no pole of the operation (such as a division by 0).
    Overflow(Operation),
    /// A finite operand beyond the integers of a type.
    Beyond(Unary),
    /// A NaN from numbers.
    Nan(Operation),
    /// Finite operands, an infinite result.
    Infinity(Operation),
    /// A divisor of 0.
    ZeroDivisor(Binary),
    /// It is reached.
    Reached,
}

/// An operation on floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Of one operand.
    One(Unary),
    /// Of two operands.
    Two(Binary),
    /// A call of a mathematical function.
    Call(Call),
}

impl ProbeQuestion {
    /// The probes before an instruction; `call` is what is known of the function of the host that it calls, `ends` whether
    /// it is what a failing assertion comes to.
    pub(super) fn probes(self, ins: &Ins, call: Option<Call>, ends: bool) -> Vec<Probe> {
        let operation = call.map(Operation::Call).or_else(|| Operation::of(ins));
        match (self, ins, operation) {
            (ProbeQuestion::Boundary, Ins::Compare(op), _) => {
                vec![Probe::Equal(*op), Probe::Below(*op), Probe::Above(*op)]
            }
            (ProbeQuestion::Overflow, Ins::Unary(op) | Ins::Cast(op), _) if integers(*op).is_some() => {
                vec![Probe::Beyond(*op)]
            }
            (ProbeQuestion::Overflow, _, Some(op)) if op.overflows() => vec![Probe::Overflow(op)],
            (ProbeQuestion::Infinity, _, Some(op)) if op.overflows() || op.has_pole() => vec![Probe::Infinity(op)],
            (ProbeQuestion::Nan, _, Some(op)) if op.makes_nan() => vec![Probe::Nan(op)],
            (ProbeQuestion::DivisionByZero, Ins::Binary(op), _) if divides(*op) => vec![Probe::ZeroDivisor(*op)],
            (ProbeQuestion::Assertion, _, _) if ends => vec![Probe::Reached],
            _ => Vec::new(),
        }
    }
}

impl Operation {
    /// What can leave the numbers; none for anything else.
    fn of(ins: &Ins) -> Option<Operation> {
        match ins {
            Ins::Binary(op) if is_double(*op).is_some() => Some(Operation::Two(*op)),
            Ins::Unary(op @ (Unary::F32DemoteF64 | Unary::F64Sqrt | Unary::F32Sqrt)) => Some(Operation::One(*op)),
            _ => None,
        }
    }

    fn operands(self) -> usize {
        match self {
            Operation::One(_) => 1,
            Operation::Two(_) => 2,
            Operation::Call(call) => call.arguments.iter().flatten().count(),
        }
    }

    pub(super) fn is_division(self) -> bool {
        matches!(self, Operation::Two(Binary::F64Div | Binary::F32Div))
    }

    fn overflows(self) -> bool {
        match self {
            Operation::One(op) => op == Unary::F32DemoteF64,
            Operation::Two(_) => true,
            Operation::Call(call) => call.overflows,
        }
    }

    fn has_pole(self) -> bool {
        self.is_division() || matches!(self, Operation::Call(Call { pole, .. }) if pole != Pole::No)
    }

    fn makes_nan(self) -> bool {
        match self {
            Operation::One(op) => op != Unary::F32DemoteF64,
            Operation::Two(_) => true,
            Operation::Call(call) => call.without != Without::Nothing,
        }
    }

    /// Whether the pole of the operation lies at these operands.
    pub(super) fn is_at_pole(self, operands: &[f64]) -> bool {
        match self {
            Operation::Call(call) => operands.first().is_some_and(|x| call.pole.is_at(*x)),
            _ => self.is_division() && operands.get(1) == Some(&0.0),
        }
    }

    /// As it is written.
    fn words<'n>(self, name: impl Fn(u32) -> &'n str) -> &'n str {
        match self {
            Operation::One(Unary::F32DemoteF64) => "conversion to binary32",
            Operation::One(_) => "square root",
            Operation::Two(Binary::F64Add | Binary::F32Add) => "+",
            Operation::Two(Binary::F64Sub | Binary::F32Sub) => "-",
            Operation::Two(Binary::F64Mul | Binary::F32Mul) => "*",
            Operation::Two(_) => "/",
            Operation::Call(call) => name(call.import),
        }
    }
}

/// Whether an operation on floats has binary64 operands; none for others. What cannot leave the numbers is left out.
pub(super) fn is_double(op: Binary) -> Option<bool> {
    use Binary::*;
    match op {
        F64Add | F64Sub | F64Mul | F64Div => Some(true),
        F32Add | F32Sub | F32Mul | F32Div => Some(false),
        _ => None,
    }
}

fn divides(op: Binary) -> bool {
    use Binary::*;
    matches!(op, F32Div | F64Div | I32DivS | I32DivU | I32RemS | I32RemU | I64DivS | I64DivU | I64RemS | I64RemU)
}

/// Of a conversion to an integer type: the least number of the type, and the first beyond the largest.
pub(super) fn integers(op: Unary) -> Option<(f64, f64)> {
    use Unary::*;
    let two31 = 2_147_483_648.0;
    let two63 = 9_223_372_036_854_775_808.0;
    Some(match op {
        I32TruncF32S | I32TruncF64S | I32TruncSatF32S | I32TruncSatF64S => (-two31, two31),
        I32TruncF32U | I32TruncF64U | I32TruncSatF32U | I32TruncSatF64U => (0.0, 2.0 * two31),
        I64TruncF32S | I64TruncF64S | I64TruncSatF32S | I64TruncSatF64S => (-two63, two63),
        I64TruncF32U | I64TruncF64U | I64TruncSatF32U | I64TruncSatF64U => (0.0, 2.0 * two63),
        _ => return None,
    })
}

/// Whether a conversion of a float has a binary32 operand.
pub(super) fn is_from_single(op: Unary) -> bool {
    use Unary::*;
    matches!(
        op,
        I32TruncF32S
            | I32TruncSatF32S
            | I32TruncF32U
            | I32TruncSatF32U
            | I64TruncF32S
            | I64TruncSatF32S
            | I64TruncF32U
            | I64TruncSatF32U
    )
}

impl Probe {
    /// How many operands it looks at.
    pub(super) fn operands(self) -> usize {
        match self {
            Probe::Reached => 0,
            Probe::Beyond(_) => 1,
            Probe::Overflow(op) | Probe::Nan(op) | Probe::Infinity(op) => op.operands(),
            _ => 2,
        }
    }

    /// The function of the host that is called where it is asked.
    pub(super) fn call(self) -> Option<Call> {
        match self {
            Probe::Overflow(Operation::Call(c))
            | Probe::Nan(Operation::Call(c))
            | Probe::Infinity(Operation::Call(c)) => Some(c),
            _ => None,
        }
    }

    /// For people; `name` has the names of imports.
    pub(super) fn words<'n>(self, name: impl Fn(u32) -> &'n str) -> String {
        match self {
            Probe::Equal(_) => "both sides equal".to_owned(),
            Probe::Below(_) => "left just below right".to_owned(),
            Probe::Above(_) => "left just above right".to_owned(),
            Probe::Overflow(op) => format!("{} overflows", op.words(name)),
            Probe::Beyond(_) => "conversion to an integer overflows".to_owned(),
            Probe::Nan(op) => format!("{} makes a NaN", op.words(name)),
            Probe::Infinity(op) => format!("{} is infinite", op.words(name)),
            Probe::ZeroDivisor(_) => "divisor is 0".to_owned(),
            Probe::Reached => "fails".to_owned(),
        }
    }
}
