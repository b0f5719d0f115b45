//! The terms that a symbolic run makes, and what it takes to go from floats to their bits and back.

use crate::code::ins::{CodeConst, Type};
use crate::floats::BitsKind;
use crate::floats::{Format, Rounding};
use crate::solve::float::project::RoundedFunction;
use crate::solve::float::relate::TermRelation;
use crate::solve::float::{BitsOp, Graph, Sort, Term, TermOp};
use std::collections::HashMap;

/// Terms, with what is known of those that stand for something that has no term.
#[derive(Debug, Default)]
pub(super) struct Terms {
    pub(super) graph: Graph,
    /// What holds of unknowns that are no inputs.
    pub(super) conditions: Vec<Term>,
    /// The bits of floats whose bits were asked for.
    bits: HashMap<Term, Term>,
}

/// The sort of a type's values.
pub(super) fn sort_of(ty: Type) -> Sort {
    match ty {
        Type::I32 => Sort::Bits(32),
        Type::I64 => Sort::Bits(64),
        Type::F32 => Sort::Float(Format::BINARY32),
        Type::F64 => Sort::Float(Format::BINARY64),
    }
}

/// How many bits a value of a sort has.
pub(super) fn width_of(sort: Sort) -> u32 {
    match sort {
        Sort::Bits(width) => width,
        Sort::Float(format) => format.width(),
        _ => 1,
    }
}

/// The sort of an input.
pub(super) fn sort_of_kind(kind: BitsKind) -> Sort {
    match kind {
        BitsKind::F32 => Sort::Float(Format::BINARY32),
        BitsKind::F64 => Sort::Float(Format::BINARY64),
        BitsKind::Bool => Sort::Bits(1),
        BitsKind::Int { bytes, .. } => Sort::Bits(8 * u32::from(bytes)),
    }
}

impl Terms {
    pub(super) fn sort(&self, x: Term) -> Sort {
        self.graph.sort(x)
    }

    pub(super) fn width(&self, x: Term) -> u32 {
        width_of(self.sort(x))
    }

    pub(super) fn format(&self, x: Term) -> Format {
        match self.sort(x) {
            Sort::Float(format) => format,
            _ => Format::BINARY64,
        }
    }

    pub(super) fn constant(&mut self, c: CodeConst) -> Term {
        let value = match c {
            CodeConst::I32(_) | CodeConst::I64(_) => c.bits() as i64,
            CodeConst::F32(bits) => Format::BINARY32.from_bits(bits.into()),
            CodeConst::F64(bits) => Format::BINARY64.from_bits(bits),
        };
        self.graph.constant(sort_of(c.ty()), value)
    }

    pub(super) fn int(&mut self, width: u32, value: u64) -> Term {
        self.graph.constant(Sort::Bits(width), value as i64)
    }

    /// A value that nothing is known of.
    pub(super) fn anything(&mut self, sort: Sort) -> Term {
        self.graph.variable(sort)
    }

    /// The bits of a constant; none of NaN, which has many.
    pub(super) fn known(&self, x: Term) -> Option<u64> {
        let value = self.graph.constant_value(x)?;
        match self.sort(x) {
            Sort::Float(_) if value == crate::floats::ordinal::NAN => None,
            Sort::Float(format) => Some(format.to_bits(value)),
            _ => Some(value as u64),
        }
    }

    pub(super) fn bits(&mut self, op: BitsOp, width: u32, operands: &[Term]) -> Term {
        self.graph.apply(TermOp::Bits(op), Sort::Bits(width), operands)
    }

    pub(super) fn rounded(&mut self, function: RoundedFunction, mode: Rounding, operands: &[Term]) -> Term {
        let sort = match function {
            RoundedFunction::Cast(format) => Sort::Float(format),
            _ => self.sort(operands[0]),
        };
        let mode = self.graph.mode(mode);
        self.graph.apply(TermOp::Rounded(function), sort, &[&[mode], operands].concat())
    }

    pub(super) fn nearest(&mut self, function: RoundedFunction, operands: &[Term]) -> Term {
        self.rounded(function, Rounding::NearestEven, operands)
    }

    /// A function of floats with the format of its first operand that does not round.
    pub(super) fn exact(&mut self, op: TermOp, operands: &[Term]) -> Term {
        let sort = self.sort(operands[0]);
        self.graph.apply(op, sort, operands)
    }

    pub(super) fn truth(&mut self, op: TermOp, operands: &[Term]) -> Term {
        self.graph.apply(op, Sort::Bool, operands)
    }

    pub(super) fn related(&mut self, relation: TermRelation, a: Term, b: Term) -> Term {
        self.truth(TermOp::Relation(relation), &[a, b])
    }

    pub(super) fn choice(&mut self, condition: Term, first: Term, second: Term) -> Term {
        let sort = self.sort(first);
        self.graph.apply(TermOp::Ite, sort, &[condition, first, second])
    }

    /// 1 where it holds, else 0, as 32 bits.
    pub(super) fn number(&mut self, truth: Term) -> Term {
        let (one, zero) = (self.int(32, 1), self.int(32, 0));
        self.choice(truth, one, zero)
    }

    /// Whether an integer is not 0.
    pub(super) fn non_zero(&mut self, x: Term) -> Term {
        if self.graph.op(x) == TermOp::Ite {
            let [condition, first, second] = self.graph.below(x)[..] else { return x };
            match (self.graph.constant_value(first), self.graph.constant_value(second)) {
                (Some(0), Some(0)) => return self.graph.truth(false),
                (Some(_), Some(0)) => return condition,
                (Some(0), Some(_)) => return self.graph.not(condition),
                _ => {}
            }
        }
        let zero = self.int(self.width(x), 0);
        let is_zero = self.truth(TermOp::Same, &[x, zero]);
        self.graph.not(is_zero)
    }

    /// The bits of a value. Of a number there is one way to write it, of NaN any.
    pub(super) fn bits_of(&mut self, x: Term) -> Term {
        let Sort::Float(format) = self.sort(x) else { return x };
        if self.graph.op(x) == TermOp::FromBits {
            return self.graph.below(x)[0];
        }
        if let Some(bits) = self.known(x) {
            return self.int(format.width(), bits);
        }
        if let Some(bits) = self.bits.get(&x) {
            return *bits;
        }
        let bits = self.anything(Sort::Bits(format.width()));
        let float = self.truth_of_bits(bits, x);
        self.conditions.push(float);
        self.bits.insert(x, bits);
        bits
    }

    fn truth_of_bits(&mut self, bits: Term, x: Term) -> Term {
        let float = self.exact_of(TermOp::FromBits, self.sort(x), bits);
        self.truth(TermOp::Same, &[x, float])
    }

    fn exact_of(&mut self, op: TermOp, sort: Sort, x: Term) -> Term {
        self.graph.apply(op, sort, &[x])
    }

    /// The value of a sort with these bits, as many as it has.
    pub(super) fn with_bits(&mut self, sort: Sort, bits: Term) -> Term {
        match sort {
            Sort::Float(_) => self.exact_of(TermOp::FromBits, sort, bits),
            _ => bits,
        }
    }

    /// So many bits from a place on.
    pub(super) fn extract(&mut self, x: Term, from: u32, width: u32) -> Term {
        if from == 0 && width == self.width(x) {
            return x;
        }
        self.bits(BitsOp::Extract(from + width - 1), width, &[x])
    }

    /// With zeros, or copies of the sign, above.
    pub(super) fn extend(&mut self, x: Term, width: u32, signed: bool) -> Term {
        let now = self.width(x);
        match (now == width, signed) {
            (true, _) => x,
            (_, true) => self.bits(BitsOp::SignExtend, width, &[x]),
            _ => {
                let zeros = self.int(width - now, 0);
                self.bits(BitsOp::Concat, width, &[zeros, x])
            }
        }
    }

    /// In the order of unsigned integers where two's complement is to be compared.
    pub(super) fn shifted(&mut self, x: Term) -> Term {
        let width = self.width(x);
        let top = self.int(width, 1 << (width - 1));
        self.bits(BitsOp::Xor, width, &[x, top])
    }
}
