//! The syntax tree of an FPCore.

use super::number::rational_text;
use crate::num::Rational;
use crate::ops::{Constant, Op};
use crate::text::Span;

/// One FPCore as written.
#[derive(Clone, Debug)]
pub struct Core {
    /// The identifier by which later cores call this one.
    pub ident: Option<String>,
    /// The arguments in order.
    pub args: Vec<Arg>,
    /// All properties in order, known or not.
    pub props: Vec<Property>,
    /// The body.
    pub body: Expr,
    /// Of a core that stands for one of several results: the place of the result in the array that the body is, an index for
    /// each dimension. Empty where the body is a number.
    pub element: Vec<usize>,
    /// Of such a core the names of all results, where `:magneto-results` gives them.
    pub results: Vec<String>,
    /// Of a core that stands for one of several sizes: their names.
    pub sizes: Vec<SizeName>,
    /// The whole `(FPCore …)`.
    pub span: Span,
}

impl Core {
    /// The property of that key (without its colon), if there is one.
    #[must_use]
    pub fn property(&self, key: &str) -> Option<&Property> {
        self.props.iter().find(|p| p.key == key)
    }

    /// What the property of that key says, unless that is an expression.
    #[must_use]
    pub fn data(&self, key: &str) -> Option<&Datum> {
        match &self.property(key)?.value {
            Value::Data(datum) => Some(datum),
            Value::Expr(_) => None,
        }
    }

    /// What `:name` says, if that is a text.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match &self.property("name")?.value {
            Value::Data(Datum { kind: DatumKind::String(name) | DatumKind::Symbol(name), .. }) => Some(name),
            _ => None,
        }
    }

    /// The argument whose input is the one with this index, counted over all elements of arrays.
    #[must_use]
    pub fn argument(&self, input: usize) -> Option<&Arg> {
        let mut left = input;
        self.args.iter().find(|arg| {
            let own = arg.sizes.iter().product();
            let is_it = left < own;
            left = left.saturating_sub(own);
            is_it
        })
    }
}

/// The name of a size of arrays that are arguments, in a core for which it is a number.
#[derive(Clone, Debug)]
pub struct SizeName {
    /// The name.
    pub name: String,
    /// The number.
    pub value: usize,
    /// Where the name stands for the number in expressions.
    pub uses: Vec<Span>,
}

/// An argument of an FPCore.
#[derive(Clone, Debug)]
pub struct Arg {
    /// Its name.
    pub name: String,
    /// Properties from `(! :precision … x)`.
    pub props: Vec<Property>,
    /// Of an array its sizes, the outermost first, each at least 1; none of a number.
    pub sizes: Vec<usize>,
    /// The names of those sizes that have one.
    pub size_names: Vec<Option<String>>,
    /// Where it is declared.
    pub span: Span,
}

impl Arg {
    /// The names of its inputs: its own, or one for each element of an array, the last index changing fastest: `A[0][1]`.
    #[must_use]
    pub fn inputs(&self) -> Vec<String> {
        self.sizes.iter().fold(vec![self.name.clone()], |names, size| {
            names.iter().flat_map(|name| (0..*size).map(move |k| format!("{name}[{k}]"))).collect()
        })
    }
}

/// `:key value`.
#[derive(Clone, Debug)]
pub struct Property {
    /// The key without its colon.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub value: Value,
}

/// The value of a property.
#[derive(Clone, Debug)]
pub enum Value {
    /// Of `:pre`, `:spec` and `:alt`: an expression.
    Expr(Expr),
    /// Of every other property.
    Data(Datum),
}

/// Uninterpreted data.
#[derive(Clone, Debug)]
pub struct Datum {
    /// What it is.
    pub kind: DatumKind,
    /// Where it stands.
    pub span: Span,
}

/// See [`Datum`].
#[derive(Clone, Debug)]
pub enum DatumKind {
    /// A symbol, keywords such as `:x` inside data included.
    Symbol(String),
    /// A number.
    Number(Number),
    /// A string, escapes resolved.
    String(String),
    /// A list.
    List(Vec<Datum>),
}

/// An exact number as spelled.
#[derive(Clone, Debug)]
pub struct Number {
    /// The exact value.
    pub value: Rational,
    /// The spelling, kept for printing.
    pub text: String,
}

impl Number {
    /// The number with its canonical spelling.
    #[must_use]
    pub fn new(value: Rational) -> Self {
        let text = rational_text(&value);
        Number { value, text }
    }
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

impl Expr {
    /// An expression that was not read from a text.
    #[must_use]
    pub fn new(kind: ExprKind) -> Self {
        Expr { kind, span: Span::default() }
    }

    /// A literal in its canonical spelling.
    #[must_use]
    pub fn number(value: Rational) -> Self {
        Expr::new(ExprKind::Number(Number::new(value)))
    }

    /// A variable.
    #[must_use]
    pub fn var(name: impl Into<String>) -> Self {
        Expr::new(ExprKind::Var(name.into()))
    }

    /// How many expressions it is made of, itself among them.
    #[must_use]
    pub fn size(&self) -> usize {
        let (mut size, mut open) = (0, vec![self]);
        while let Some(e) = open.pop() {
            size += 1;
            open.extend(e.children());
        }
        size
    }

    /// The expressions directly inside this one, in the order of the text; those in properties are not among them.
    #[must_use]
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Number(_) | ExprKind::Constant(_) | ExprKind::Var(_) => Vec::new(),
            ExprKind::Op(_, es)
            | ExprKind::Compare(_, es)
            | ExprKind::And(es)
            | ExprKind::Or(es)
            | ExprKind::Call(_, es)
            | ExprKind::Array(es)
            | ExprKind::Ref(es) => es.iter().collect(),
            ExprKind::Not(e)
            | ExprKind::Classify(_, e)
            | ExprKind::Cast(e)
            | ExprKind::Annotated(_, e)
            | ExprKind::Dim(e) => vec![&**e],
            ExprKind::If(parts) => parts.iter().collect(),
            ExprKind::Size(parts) => parts.iter().collect(),
            ExprKind::Loop(l) => l.parts().into_iter().map(|part| part.expr).collect(),
            ExprKind::Let { bindings, body, .. } => {
                bindings.iter().map(|(_, value)| value).chain(std::iter::once(&**body)).collect()
            }
        }
    }

    /// The same, to be changed.
    #[must_use]
    pub fn children_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            ExprKind::Number(_) | ExprKind::Constant(_) | ExprKind::Var(_) => Vec::new(),
            ExprKind::Op(_, es)
            | ExprKind::Compare(_, es)
            | ExprKind::And(es)
            | ExprKind::Or(es)
            | ExprKind::Call(_, es)
            | ExprKind::Array(es)
            | ExprKind::Ref(es) => es.iter_mut().collect(),
            ExprKind::Not(e)
            | ExprKind::Classify(_, e)
            | ExprKind::Cast(e)
            | ExprKind::Annotated(_, e)
            | ExprKind::Dim(e) => vec![&mut **e],
            ExprKind::If(parts) => parts.iter_mut().collect(),
            ExprKind::Size(parts) => parts.iter_mut().collect(),
            ExprKind::Loop(l) => l.parts_mut(),
            ExprKind::Let { bindings, body, .. } => {
                bindings.iter_mut().map(|(_, value)| value).chain(std::iter::once(&mut **body)).collect()
            }
        }
    }
}

/// See [`Expr`].
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A literal, exact.
    Number(Number),
    /// A named constant that is not shadowed by a variable.
    Constant(Constant),
    /// A variable: an argument or one bound by `let`.
    Var(String),
    /// An operator applied to as many operands as its arity; `+ - * /` on more operands associate to the left and are
    /// kept flat here (`Op::Add` with three operands).
    Op(Op, Vec<Expr>),
    /// A comparison chain of at least one operand.
    Compare(Compare, Vec<Expr>),
    /// `and` of any number of operands.
    And(Vec<Expr>),
    /// `or` of any number of operands.
    Or(Vec<Expr>),
    /// `not`.
    Not(Box<Expr>),
    /// `isfinite`, `isinf`, `isnan`, `isnormal`, `signbit`.
    Classify(Classify, Box<Expr>),
    /// `(if condition then else)`.
    If(Box<[Expr; 3]>),
    /// `let` (simultaneous) or `let*` (sequential).
    Let {
        /// Whether it is `let*`.
        sequential: bool,
        /// Names with their values, in order.
        bindings: Vec<(String, Expr)>,
        /// The body.
        body: Box<Expr>,
    },
    /// `(cast e)`: the identity over the reals.
    Cast(Box<Expr>),
    /// `(! props… e)`: the identity over the reals.
    Annotated(Vec<Property>, Box<Expr>),
    /// A call of an earlier core of the same file by its identifier.
    Call(String, Vec<Expr>),
    /// `while`, `while*`, `for`, `for*`, `tensor` or `tensor*`.
    Loop(Box<Loop>),
    /// `(array …)` of at least one element.
    Array(Vec<Expr>),
    /// `(ref array index …)`: the array, and an index for each of its dimensions.
    Ref(Vec<Expr>),
    /// `(dim array)`: how many dimensions it has.
    Dim(Box<Expr>),
    /// `(size array dimension)`: how many elements it has along a dimension, counted from 0.
    Size(Box<[Expr; 2]>),
}

/// A loop, or an array whose elements are given by their indices.
#[derive(Clone, Debug)]
pub struct Loop {
    /// What says how often it goes round.
    pub head: LoopHead,
    /// Whether it has a star: variables get their new values one after the other, not all at once.
    pub sequential: bool,
    /// Its variables in order; none of `tensor` without a star.
    pub state: Vec<LoopVariable>,
    /// What its value is when it has ended; of `tensor` what each element is.
    pub body: Expr,
}

/// What says how often a loop goes round.
#[derive(Clone, Debug)]
pub enum LoopHead {
    /// As long as this holds.
    While(Expr),
    /// Once for each value of the indices, from 0 to below these numbers; the last one changes fastest.
    For(Vec<(String, Expr)>),
    /// The indices of an array and its sizes.
    Tensor(Vec<(String, Expr)>),
}

/// A variable of a loop.
#[derive(Clone, Debug)]
pub struct LoopVariable {
    /// Its name.
    pub name: String,
    /// What it begins as.
    pub init: Expr,
    /// What it becomes in each round.
    pub update: Expr,
}

/// A part of a loop with the names of the loop that it sees.
#[derive(Clone, Copy, Debug)]
pub struct LoopPart<'l> {
    /// The part.
    pub expr: &'l Expr,
    /// Whether it sees the indices.
    pub indices: bool,
    /// So many of the variables, from the first one on.
    pub variables: usize,
    /// Whether the names of the loop that it does not see are no names of something else either: indices after the last round, and
    /// variables before the first round of `for*`.
    pub hides: bool,
}

impl Loop {
    /// Its name in FPCore.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match (&self.head, self.sequential) {
            (LoopHead::While(_), false) => "while",
            (LoopHead::While(_), true) => "while*",
            (LoopHead::For(_), false) => "for",
            (LoopHead::For(_), true) => "for*",
            (LoopHead::Tensor(_), false) => "tensor",
            (LoopHead::Tensor(_), true) => "tensor*",
        }
    }

    /// The names of its indices, with how many values each takes.
    #[must_use]
    pub fn indices(&self) -> &[(String, Expr)] {
        match &self.head {
            LoopHead::While(_) => &[],
            LoopHead::For(indices) | LoopHead::Tensor(indices) => indices,
        }
    }

    /// Its parts in the order of the text.
    #[must_use]
    pub fn parts(&self) -> Vec<LoopPart<'_>> {
        let all = self.state.len();
        let part = |expr, indices, variables| LoopPart { expr, indices, variables, hides: false };
        let is_while = matches!(self.head, LoopHead::While(_));
        let mut parts: Vec<LoopPart<'_>> = self.indices().iter().map(|(_, bound)| part(bound, false, 0)).collect();
        if let LoopHead::While(condition) = &self.head {
            parts.push(part(condition, false, all));
        }
        for (k, v) in self.state.iter().enumerate() {
            let seen = if self.sequential && is_while { k } else { 0 };
            parts.push(LoopPart { hides: self.sequential && !is_while, ..part(&v.init, false, seen) });
            parts.push(part(&v.update, true, all));
        }
        let is_tensor = matches!(self.head, LoopHead::Tensor(_));
        parts.push(LoopPart { hides: !is_tensor, ..part(&self.body, is_tensor, all) });
        parts
    }

    /// Its parts in the order of the text, to be changed.
    pub fn parts_mut(&mut self) -> Vec<&mut Expr> {
        let mut parts: Vec<&mut Expr> = match &mut self.head {
            LoopHead::While(condition) => vec![condition],
            LoopHead::For(indices) | LoopHead::Tensor(indices) => indices.iter_mut().map(|(_, bound)| bound).collect(),
        };
        parts.extend(self.state.iter_mut().flat_map(|v| [&mut v.init, &mut v.update]));
        parts.push(&mut self.body);
        parts
    }
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Compare {
    /// `<`
    Lt,
    /// `>`
    Gt,
    /// `<=`
    Le,
    /// `>=`
    Ge,
    /// `==`: all equal.
    Eq,
    /// `!=`: all distinct.
    Ne,
}

impl Compare {
    /// Every comparison.
    pub const ALL: [Compare; 6] = [Compare::Lt, Compare::Gt, Compare::Le, Compare::Ge, Compare::Eq, Compare::Ne];

    /// Its name in FPCore.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Compare::Lt => "<",
            Compare::Gt => ">",
            Compare::Le => "<=",
            Compare::Ge => ">=",
            Compare::Eq => "==",
            Compare::Ne => "!=",
        }
    }
}

/// A test of a number's class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Classify {
    IsFinite,
    IsInf,
    IsNan,
    IsNormal,
    SignBit,
}

impl Classify {
    /// Every test.
    pub const ALL: [Classify; 5] =
        [Classify::IsFinite, Classify::IsInf, Classify::IsNan, Classify::IsNormal, Classify::SignBit];

    /// Its name in FPCore.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Classify::IsFinite => "isfinite",
            Classify::IsInf => "isinf",
            Classify::IsNan => "isnan",
            Classify::IsNormal => "isnormal",
            Classify::SignBit => "signbit",
        }
    }
}
