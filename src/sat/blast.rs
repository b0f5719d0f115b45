//! Terms of a graph in gates.

mod ordered;
#[cfg(test)]
mod tests;

use super::circuit::{Circuit, SatLiteral};
use super::float::{Mode, Unpacked};
use super::words::{Word, constant, sign_extended};
use crate::floats::{Format, Rounding};
use crate::num::Integer;
use crate::solve::float::project::RoundedFunction;
use crate::solve::float::relate::TermRelation;
use crate::solve::float::{BitsOp, ELEMENT_BITS, Graph, Sort, Term, TermOp};

/// A term in gates.
#[derive(Clone, Debug)]
enum Value {
    /// Of truth values, directions (their place in [`Rounding::ALL`]) and bits.
    Word(Word),
    /// A float, in one form or both.
    Float { packed: Option<Word>, parts: Option<Unpacked> },
}

/// The gates of some terms of a graph.
pub(super) struct Blaster<'g> {
    graph: &'g Graph,
    pub(super) circuit: Circuit,
    values: Vec<Option<Value>>,
    /// Operations without gates: their values are open.
    pub(super) loose: Vec<Term>,
    /// Whether sums, products, quotients and roots are made without gates.
    pub(super) is_rounding_open: bool,
    /// For each format with minima and maxima, what they are of zeros with other signs: bits 0 to 3 of `Open::zeros`.
    pub(super) zeros: Vec<(Format, [SatLiteral; 4])>,
}

/// The most gates that a remainder is made of, in bits of its steps.
const MOST_REMAINDER: usize = 400_000;

/// Whether a function has few gates.
fn is_cheap(function: RoundedFunction) -> bool {
    matches!(function, RoundedFunction::Integral | RoundedFunction::Cast(_))
}

/// The width of a sort in bits.
pub(super) fn width(sort: Sort) -> usize {
    match sort {
        Sort::Bool => 1,
        Sort::Mode => 3,
        Sort::Float(format) => format.width() as usize,
        Sort::Bits(width) => width as usize,
        Sort::Element(_) => ELEMENT_BITS as usize,
    }
}

impl<'g> Blaster<'g> {
    pub(super) fn new(graph: &'g Graph, circuit: Circuit) -> Self {
        let values = vec![None; graph.len()];
        Blaster { graph, circuit, values, loose: Vec::new(), is_rounding_open: false, zeros: Vec::new() }
    }

    /// Make the gates of all that some terms are made of; nothing where they are too many, or the work is to end.
    pub(super) fn make(&mut self, roots: &[Term]) -> Option<()> {
        let used = self.graph.used_by(roots);
        for term in self.graph.terms().filter(|t| used[t.index()]) {
            if self.values[term.index()].is_none() {
                let value = self.one(term);
                self.values[term.index()] = Some(value);
            }
            if self.circuit.is_too_large() || crate::halt::requested() {
                return None;
            }
        }
        Some(())
    }

    /// The gate of a term that is true or false.
    pub(super) fn truth(&mut self, term: Term) -> SatLiteral {
        self.word(term)[0]
    }

    /// The bits of a term, of floats those of their encoding.
    pub(super) fn word(&mut self, term: Term) -> Word {
        let value = self.values[term.index()].clone();
        match value {
            Some(Value::Word(word) | Value::Float { packed: Some(word), .. }) => word,
            Some(Value::Float { packed: None, parts: Some(parts) }) => {
                let word = self.circuit.pack(self.format(term), &parts);
                self.values[term.index()] = Some(Value::Float { packed: Some(word.clone()), parts: Some(parts) });
                word
            }
            _ => Vec::new(),
        }
    }

    /// Whether the encoding of a float is at hand.
    fn is_packed(&self, term: Term) -> bool {
        matches!(self.values[term.index()], Some(Value::Float { packed: Some(_), .. }))
    }

    fn is_unpacked(&self, term: Term) -> bool {
        matches!(self.values[term.index()], Some(Value::Float { parts: Some(_), .. }))
    }

    fn parts(&mut self, term: Term) -> Unpacked {
        if let Some(Value::Float { parts: Some(parts), .. }) = &self.values[term.index()] {
            return parts.clone();
        }
        let word = self.word(term);
        let parts = self.circuit.unpack(self.format(term), &word);
        self.values[term.index()] = Some(Value::Float { packed: Some(word), parts: Some(parts.clone()) });
        parts
    }

    fn format(&self, term: Term) -> Format {
        match self.graph.sort(term) {
            Sort::Float(format) => format,
            _ => Format::BINARY64,
        }
    }

    fn mode(&mut self, term: Term) -> Mode {
        let word = self.word(term);
        Mode::of(&mut self.circuit, &word)
    }

    fn one(&mut self, term: Term) -> Value {
        let sort = self.graph.sort(term);
        let below = self.graph.below(term);
        match (self.graph.op(term), sort) {
            (TermOp::Var(_), _) => self.open(sort),
            (TermOp::Const(_) | TermOp::Wide(_), _) => {
                let bits = self.graph.constant_bits(term).unwrap_or_default();
                held(sort, (0..width(sort)).map(|k| SatLiteral::of(bits.get_bit(k as u32))).collect())
            }
            (TermOp::Ite, Sort::Float(_)) => self.choice(&below),
            (TermOp::Ite, _) => {
                let (condition, a, b) = (self.truth(below[0]), self.word(below[1]), self.word(below[2]));
                Value::Word(self.circuit.choice_word(condition, &a, &b))
            }
            (TermOp::Bits(op), _) => Value::Word(self.bits(op, sort, &below)),
            (op, Sort::Float(format)) => match self.float(op, format, &below) {
                Some(value) => value,
                None => self.loose(term, &below),
            },
            (TermOp::ToInteger { signed }, Sort::Bits(width)) => {
                let (mode, x) = (self.mode(below[0]), self.parts(below[1]));
                let (word, fits) = self.circuit.integer_of_float(&mode, signed, width as usize, &x);
                Value::Word(self.circuit.masked(&word, fits))
            }
            (TermOp::Library(_), _) => self.loose(term, &below),
            (op, _) => Value::Word(vec![self.truth_of(op, &below)]),
        }
    }

    /// An operation without gates.
    fn loose(&mut self, term: Term, below: &[Term]) -> Value {
        self.loose.push(term);
        // Their bits are asked for once there is a solution, and gates that are made then are not in it.
        below.iter().for_each(|t| _ = self.word(*t));
        self.open(self.graph.sort(term))
    }

    /// Any value of a sort.
    fn open(&mut self, sort: Sort) -> Value {
        let word = self.circuit.open_word(width(sort));
        match sort {
            Sort::Mode => {
                let most = constant(Rounding::ALL.len() as i64, 3);
                let fits = self.circuit.is_less(&word, &most);
                self.circuit.require(&[fits]);
            }
            Sort::Float(format) => {
                // There is one NaN.
                let nan = self.circuit.is_nan(format, &word);
                let top = format.precision() as usize - 2;
                for (k, bit) in word.iter().enumerate() {
                    match k {
                        _ if k == top => self.circuit.require(&[!nan, *bit]),
                        _ if k > top && k + 1 < word.len() => {}
                        _ => self.circuit.require(&[!nan, !*bit]),
                    }
                }
            }
            Sort::Bool | Sort::Bits(_) | Sort::Element(_) => {}
        }
        held(sort, word)
    }

    /// One float or another, in a form that both have.
    fn choice(&mut self, below: &[Term]) -> Value {
        let condition = self.truth(below[0]);
        let (a, b) = (below[1], below[2]);
        let packed = self.is_packed(a) && self.is_packed(b);
        let unpacked = self.is_unpacked(a) && self.is_unpacked(b);
        if packed || !(self.is_unpacked(a) || self.is_unpacked(b)) {
            let (a, b) = (self.word(a), self.word(b));
            return Value::Float { packed: Some(self.circuit.choice_word(condition, &a, &b)), parts: None };
        }
        debug_assert!(unpacked || self.is_unpacked(a) || self.is_unpacked(b));
        let (a, b) = (self.parts(a), self.parts(b));
        Value::Float { packed: None, parts: Some(self.circuit.choice_unpacked(condition, &a, &b)) }
    }

    /// A function with a float as its result; `None`: without gates.
    fn float(&mut self, op: TermOp, format: Format, below: &[Term]) -> Option<Value> {
        let parts = match op {
            TermOp::Rounded(function) if self.is_rounding_open && !is_cheap(function) => return None,
            TermOp::Rounded(function) => self.rounded(function, format, below),
            TermOp::Rem => {
                if Circuit::remainder_steps(format) * format.precision() as usize > MOST_REMAINDER {
                    return None;
                }
                let (x, y) = (self.parts(below[0]), self.parts(below[1]));
                self.circuit.float_remainder(format, &x, &y)
            }
            TermOp::Min | TermOp::Max => return Some(self.lesser(op == TermOp::Max, format, below)),
            TermOp::Neg | TermOp::Abs => return Some(self.signed(op, below[0])),
            TermOp::FromBits => {
                let word = self.word(below[0]);
                let packed = Some(self.circuit.canonical(format, &word));
                return Some(Value::Float { packed, parts: None });
            }
            TermOp::FromInteger { signed } => {
                let (mode, word) = (self.mode(below[0]), self.word(below[1]));
                self.circuit.float_of_integer(format, &mode, signed, &word)
            }
            _ => return None,
        };
        Some(Value::Float { packed: None, parts: Some(parts) })
    }

    fn rounded(&mut self, function: RoundedFunction, format: Format, below: &[Term]) -> Unpacked {
        let mode = self.mode(below[0]);
        let from = self.format(below[1]);
        let x: Vec<Unpacked> = below[1..].iter().map(|t| self.parts(*t)).collect();
        let c = &mut self.circuit;
        match function {
            RoundedFunction::Add => c.float_sum(format, &mode, &x[0], &x[1]),
            RoundedFunction::Mul => c.float_product(format, &mode, &x[0], &x[1]),
            RoundedFunction::Square => c.float_product(format, &mode, &x[0], &x[0]),
            RoundedFunction::Div => c.float_quotient(format, &mode, &x[0], &x[1]),
            RoundedFunction::Fma => c.float_fma(format, &mode, [&x[0], &x[1], &x[2]]),
            RoundedFunction::Sqrt => c.float_root(format, &mode, &x[0]),
            RoundedFunction::Integral => c.float_integral(format, &mode, &x[0]),
            RoundedFunction::Cast(to) => c.float_cast(from, to, &mode, &x[0]),
        }
    }

    fn signed(&mut self, op: TermOp, x: Term) -> Value {
        let turned = |negative: SatLiteral| if op == TermOp::Abs { SatLiteral::FALSE } else { !negative };
        let Some(Value::Float { mut packed, mut parts }) = self.values[x.index()].clone() else {
            return Value::Word(Vec::new());
        };
        let format = self.format(x);
        if let Some(word) = &mut packed {
            let nan = self.circuit.is_nan(format, word);
            let last = word.len() - 1;
            word[last] = self.circuit.and(turned(word[last]), !nan);
        }
        if let Some(parts) = &mut parts {
            parts.negative = turned(parts.negative);
        }
        Value::Float { packed, parts }
    }

    fn truth_of(&mut self, op: TermOp, below: &[Term]) -> SatLiteral {
        match op {
            TermOp::Not => !self.truth(below[0]),
            TermOp::And => {
                let all: Vec<SatLiteral> = below.iter().map(|t| self.truth(*t)).collect();
                self.circuit.all(&all)
            }
            TermOp::Same => {
                let (x, y) = (below[0], below[1]);
                let is_float = matches!(self.graph.sort(x), Sort::Float(_));
                if is_float && !(self.is_packed(x) && self.is_packed(y)) {
                    let (x, y) = (self.parts(x), self.parts(y));
                    let c = &mut self.circuit;
                    let keys = [c.order_key(&x), c.order_key(&y)];
                    let (alike, signs) = (c.same_words(&keys[0], &keys[1]), c.same(x.negative, y.negative));
                    let numbers = c.all(&[alike, signs, !x.nan, !y.nan]);
                    let nans = c.and(x.nan, y.nan);
                    return c.or(numbers, nans);
                }
                let (x, y) = (self.word(x), self.word(y));
                self.circuit.same_words(&x, &y)
            }
            TermOp::Relation(TermRelation::Less) => self.ordered(below, false)[0],
            TermOp::Relation(TermRelation::LessEqual) => self.ordered(below, true)[0],
            TermOp::Relation(TermRelation::Equal) => {
                let (first, second) = (self.ordered(below, true)[0], self.ordered(&[below[1], below[0]], true)[0]);
                self.circuit.and(first, second)
            }
            _ => self.class_of(op, below[0]),
        }
    }

    fn bits(&mut self, op: BitsOp, sort: Sort, below: &[Term]) -> Word {
        let a = self.word(below[0]);
        let b = below.get(1).map_or_else(Vec::new, |t| self.word(*t));
        let c = &mut self.circuit;
        let width = width(sort);
        match op {
            BitsOp::Concat => b.into_iter().chain(a).collect(),
            BitsOp::Extract(top) => a[top as usize + 1 - width..=top as usize].to_vec(),
            BitsOp::SignExtend => sign_extended(&a, width),
            BitsOp::Not => a.iter().map(|l| !*l).collect(),
            BitsOp::And => c.map_words(&a, &b, Circuit::and),
            BitsOp::Or => c.map_words(&a, &b, Circuit::or),
            BitsOp::Xor => c.map_words(&a, &b, Circuit::xor),
            BitsOp::Add => c.plus(&a, &b),
            BitsOp::Mul => c.product(&a, &b, width),
            BitsOp::Neg => c.negated(&a),
            BitsOp::Div | BitsOp::Rem => {
                let by_zero = c.is_zero(&b);
                let (quotient, rest) = c.quotient(&a, &b);
                match op {
                    BitsOp::Div => quotient.iter().map(|l| c.or(*l, by_zero)).collect(),
                    _ => c.choice_word(by_zero, &a, &rest),
                }
            }
            BitsOp::Shl => c.shifted_up(&a, &b),
            BitsOp::Shr => c.shifted_down(&a, &b, SatLiteral::FALSE).0,
            BitsOp::Sar => c.shifted_down(&a, &b, a[width - 1]).0,
            BitsOp::Less => vec![c.is_less(&a, &b)],
            BitsOp::LessEqual => vec![c.is_at_least(&b, &a)],
        }
    }

    /// What the bits of a term are in the solution that was found last.
    pub(super) fn found(&mut self, term: Term) -> Option<Integer> {
        self.values[term.index()].as_ref()?;
        let word = self.word(term);
        let mut value = Integer::new();
        for (k, bit) in word.iter().enumerate() {
            value.set_bit(k as u32, self.circuit.value(*bit));
        }
        Some(value)
    }
}

/// A word as a value of a sort.
fn held(sort: Sort, word: Word) -> Value {
    match sort {
        Sort::Float(_) => Value::Float { packed: Some(word), parts: None },
        _ => Value::Word(word),
    }
}
