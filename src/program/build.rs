//! From an expression to a program.

use super::infix::format_of;
use super::{Id, Literal, Node, Program, Step};
use crate::floats::Format;
use crate::ops::{Constant, MAX_ARITY, Op};
use crate::spec::core::{Compare, Expr, ExprKind};
use crate::spec::unroll::{MAX_ITERATIONS, has_loops, unroll, unroll_in};
use crate::tape::eval::Relation;
use std::collections::HashMap;

impl Program {
    /// The program that evaluates `body` over the inputs `names` as it is written: each operation in `format`, but
    /// inside `(! :precision … e)` in the format named there; `(cast e)` rounds to the format around it. An operand that
    /// is no float of an operation's format is rounded to it first, as C does for an assignment. The result is a float
    /// of `returned`.
    ///
    /// # Panics
    /// If it has loops and [`Program::written`] has no program of it.
    #[must_use]
    pub fn new(names: &[String], body: &Expr, format: Format, returned: Format) -> Self {
        Program::written(names, body, format, returned).expect("a program whose loops go round so often on all inputs")
    }

    /// The same with its loops written out, going round as often as they do over floats: none where that depends on the inputs,
    /// on a library function, or is more than [`MAX_ITERATIONS`] times, or where a loop never ends.
    #[must_use]
    pub fn written(names: &[String], body: &Expr, format: Format, returned: Format) -> Option<Self> {
        if format.is_fixed() || returned.is_fixed() {
            return None;
        }
        if !has_loops(body) {
            return Some(Program::of_formula(names, body, format, returned));
        }
        let unrolled = unroll_in(names, body, Some(format), MAX_ITERATIONS).ok().filter(|u| u.endless.is_none())?;
        let exact = unroll(names, body, MAX_ITERATIONS).is_ok_and(|real| real.decisions == unrolled.decisions);
        let program = Program::of_formula(names, &unrolled.body, format, returned);
        Some(Program { exact: exact && program.exact, ..program })
    }

    fn of_formula(names: &[String], body: &Expr, format: Format, returned: Format) -> Self {
        let mut builder = Builder::default();
        let inputs = names.iter().enumerate();
        let mut scope: Vec<(String, Id)> =
            inputs.map(|(i, name)| (name.clone(), builder.add(Step::Input(i as u32), format))).collect();
        let result = builder.expr(body, format, &mut scope);
        let result = builder.floats_of(result, returned);
        let exact = !builder.converts;
        Program { exact, ..builder.finish(result) }
    }

    /// The program of these nodes, of which operands stand before what uses them. The last one is returned.
    ///
    /// # Panics
    /// If there is no node.
    #[must_use]
    pub fn of_nodes(nodes: Vec<Node>) -> Self {
        let values = nodes.iter().map(rounded).collect();
        let result = Id::at(nodes.len().checked_sub(1).expect("a node"));
        Program { nodes, values, result, exact: true }
    }
}

/// A program under construction.
#[derive(Default)]
struct Builder {
    nodes: Vec<Node>,
    known: HashMap<Node, Id>,
    /// Whether it converts what the formula rounds, which is another function over the reals.
    converts: bool,
}

impl Builder {
    fn add(&mut self, step: Step, format: Format) -> Id {
        let node = Node { step, format };
        *self.known.entry(node).or_insert_with_key(|node| {
            self.nodes.push(node.clone());
            Id(self.nodes.len() as u32 - 1)
        })
    }

    /// Only the nodes that the result needs.
    fn finish(self, result: Id) -> Program {
        let mut live = vec![false; self.nodes.len()];
        live[result.index()] = true;
        for (i, node) in self.nodes.iter().enumerate().rev() {
            if live[i] {
                node.step.for_each_operand(|o| live[o.index()] = true);
            }
        }
        let mut place = Vec::with_capacity(live.len());
        let mut nodes = Vec::new();
        for (node, live) in self.nodes.into_iter().zip(live) {
            place.push(Id(nodes.len() as u32));
            if live {
                nodes.push(Node { step: node.step.map_operands(|o| place[o.index()]), format: node.format });
            }
        }
        Program { result: place[result.index()], ..Program::of_nodes(nodes) }
    }

    /// The node itself if its values are floats of a format, else rounded to it.
    fn floats_of(&mut self, id: Id, format: Format) -> Id {
        if format.includes(self.nodes[id.index()].format) { id } else { self.add(Step::Convert(id), format) }
    }

    fn op(&mut self, op: Op, args: &[Id], format: Format) -> Id {
        let args: Vec<Id> = args.iter().map(|a| self.floats_of(*a, format)).collect();
        let mut all = [args[0]; MAX_ARITY];
        all[..args.len()].copy_from_slice(&args);
        self.add(Step::Op(op, all), format)
    }

    fn expr(&mut self, e: &Expr, format: Format, scope: &mut Vec<(String, Id)>) -> Id {
        match &e.kind {
            ExprKind::Number(n) => self.add(Step::Literal(Literal::Number(n.value.clone())), format),
            ExprKind::Constant(Constant::True) => self.add(Step::Truth(true), format),
            ExprKind::Constant(Constant::False) => self.add(Step::Truth(false), format),
            ExprKind::Constant(c) => self.add(Step::Literal(Literal::Named(*c)), format),
            ExprKind::Var(name) => match scope.iter().rfind(|(n, _)| n == name) {
                Some((_, id)) => *id,
                None => self.nan(format),
            },
            ExprKind::Cast(inner) => {
                let inner = self.expr(inner, format, scope);
                if self.nodes[inner.index()].format == format { inner } else { self.add(Step::Convert(inner), format) }
            }
            ExprKind::Annotated(properties, inner) => {
                self.expr(inner, format_of(properties).map_or(format, Format::from), scope)
            }
            ExprKind::Op(op, args) => {
                let args = self.all(args, format, scope);
                if let (Some(own), [of]) = (op.rounds_to(), args.as_slice()) {
                    self.converts = true;
                    return self.floats_of(*of, own);
                }
                let n = op.arity().min(args.len());
                if n < op.arity() {
                    return self.nan(format);
                }
                let first = self.op(*op, &args[..n], format);
                // `(+ a b c)` associates to the left.
                args[n..].iter().fold(first, |value, more| self.op(*op, &[value, *more], format))
            }
            ExprKind::Compare(relation, args) => {
                let args = self.all(args, format, scope);
                self.chain(*relation, &args, format)
            }
            ExprKind::And(args) => self.logic(args, true, Step::And, format, scope),
            ExprKind::Or(args) => self.logic(args, false, Step::Or, format, scope),
            ExprKind::Not(a) => {
                let a = self.expr(a, format, scope);
                self.add(Step::Not(a), format)
            }
            ExprKind::Classify(class, a) => {
                let a = self.expr(a, format, scope);
                self.add(Step::Classify(*class, a), format)
            }
            ExprKind::If(parts) => {
                let [c, t, e] = parts.each_ref().map(|p| self.expr(p, format, scope));
                let (t, e) = (self.floats_of(t, format), self.floats_of(e, format));
                self.add(Step::If(c, t, e), format)
            }
            ExprKind::Let { sequential, bindings, body } => {
                let outer = scope.len();
                let mut held = Vec::new();
                for (name, value) in bindings {
                    let entry = (name.clone(), self.expr(value, format, scope));
                    if *sequential { scope.push(entry) } else { held.push(entry) }
                }
                scope.append(&mut held);
                let value = self.expr(body, format, scope);
                scope.truncate(outer);
                value
            }
            // The reader has inlined what can be called.
            ExprKind::Call(..) => self.nan(format),
            ExprKind::Loop(_) | ExprKind::Array(_) | ExprKind::Ref(_) | ExprKind::Dim(_) | ExprKind::Size(_) => {
                unreachable!("the loops of a program are written out")
            }
        }
    }

    fn nan(&mut self, format: Format) -> Id {
        self.add(Step::Literal(Literal::Named(Constant::Nan)), format)
    }

    fn all(&mut self, args: &[Expr], format: Format, scope: &mut Vec<(String, Id)>) -> Vec<Id> {
        args.iter().map(|a| self.expr(a, format, scope)).collect()
    }

    fn logic(
        &mut self,
        args: &[Expr],
        of_none: bool,
        step: fn(Id, Id) -> Step,
        format: Format,
        scope: &mut Vec<(String, Id)>,
    ) -> Id {
        let args = self.all(args, format, scope);
        match args.split_first() {
            None => self.add(Step::Truth(of_none), format),
            Some((first, rest)) => rest.iter().fold(*first, |all, a| self.add(step(all, *a), format)),
        }
    }

    /// A comparison chain: "distinct" is about all pairs, the others about neighbours.
    fn chain(&mut self, relation: Compare, args: &[Id], format: Format) -> Id {
        let mut all = None;
        for i in 0..args.len() {
            let end = if relation == Compare::Ne { args.len() } else { (i + 2).min(args.len()) };
            for j in i + 1..end {
                let (a, b) = (args[i], args[j]);
                let holds = match relation {
                    Compare::Lt => self.add(Step::Compare(Relation::Less, a, b), format),
                    Compare::Gt => self.add(Step::Compare(Relation::Less, b, a), format),
                    Compare::Le => self.add(Step::Compare(Relation::LessEq, a, b), format),
                    Compare::Ge => self.add(Step::Compare(Relation::LessEq, b, a), format),
                    Compare::Eq => self.add(Step::Compare(Relation::Equal, a, b), format),
                    Compare::Ne => {
                        let same = self.add(Step::Compare(Relation::Equal, a, b), format);
                        self.add(Step::Not(same), format)
                    }
                };
                all = Some(all.map_or(holds, |all| self.add(Step::And(all, holds), format)));
            }
        }
        all.unwrap_or_else(|| self.add(Step::Truth(true), format))
    }
}

/// The precisions at which a named constant is enclosed until its rounding is settled.
const PRECISIONS: [u32; 2] = [128, 2048];

/// The value of a literal in its format; 0 of any other node.
fn rounded(node: &Node) -> f64 {
    let Step::Literal(literal) = &node.step else { return 0.0 };
    match literal {
        Literal::Number(x) => node.format.round_rational(x),
        Literal::Named(Constant::Infinity) => f64::INFINITY,
        Literal::Named(c) => {
            let settled = PRECISIONS.into_iter().find_map(|precision| {
                let v = c.enclose(precision)?;
                let (lo, hi) = (node.format.round_float(&v.lo), node.format.round_float(&v.hi));
                (lo == hi).then_some(lo)
            });
            settled.unwrap_or(f64::NAN)
        }
    }
}

impl Step {
    pub(super) fn map_operands(self, f: impl Fn(Id) -> Id) -> Step {
        match self {
            Step::Input(_) | Step::Literal(_) | Step::Truth(_) => self,
            Step::Op(op, args) => Step::Op(op, args.map(f)),
            Step::Convert(a) => Step::Convert(f(a)),
            Step::Classify(class, a) => Step::Classify(class, f(a)),
            Step::Not(a) => Step::Not(f(a)),
            Step::Compare(relation, a, b) => Step::Compare(relation, f(a), f(b)),
            Step::And(a, b) => Step::And(f(a), f(b)),
            Step::Or(a, b) => Step::Or(f(a), f(b)),
            Step::If(a, b, c) => Step::If(f(a), f(b), f(c)),
        }
    }
}
