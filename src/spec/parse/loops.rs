//! Loops, arrays and what is asked of them.

use super::expr::{Reader, Type};
use crate::spec::core::{Expr, ExprKind, Loop, LoopHead, LoopVariable};
use crate::text::sexp::Sexp;
use crate::text::{Diagnostic, Span, quote};

type Typed = Option<(ExprKind, Type)>;

impl Reader<'_> {
    /// `while`, `while*`, `for`, `for*`, `tensor` or `tensor*`.
    #[inline(never)]
    pub(super) fn looping(&mut self, name: &str, operands: &[Sexp], span: Span) -> Typed {
        let usage = match name {
            "while" | "while*" => format!("write `({name} condition ([x 0 (+ x 1)]) body)`"),
            "tensor" => "write `(tensor ([i 3]) element)`".to_owned(),
            "tensor*" => "write `(tensor* ([i 3]) ([x 0 (+ x i)]) element)`".to_owned(),
            _ => format!("write `({name} ([i 3]) ([x 0 (+ x i)]) body)`"),
        };
        let (first, variables, body) = match (name, operands) {
            ("tensor", [first, body]) => (first, &[][..], body),
            (_, [first, variables, body]) if name != "tensor" && variables.list().is_some() => {
                (first, variables.list().unwrap_or_default(), body)
            }
            _ => {
                self.report(Diagnostic::syntax(span, format!("`{name}` has other parts")).hint(usage));
                return None;
            }
        };
        let (is_while, is_tensor) = (name.starts_with("while"), name.starts_with("tensor"));
        let indices = if is_while { Some(Vec::new()) } else { self.indices(first, &usage) };
        let sequential = name.ends_with('*');
        let outer = self.scope.len();
        let state = self.inits(variables, is_while && sequential, sequential, &usage);
        let condition = is_while.then(|| self.expect(first, Type::Bool));
        let count = indices.iter().flatten().count();
        indices.iter().flatten().for_each(|(index, _)| self.scope.push((index.clone(), Type::Real)));
        let mut updates = Vec::new();
        for (_, _, ty, update) in state.iter().flatten() {
            updates.extend(self.expect(update, *ty));
        }
        if !is_tensor {
            self.scope.truncate(self.scope.len() - count);
            // What an index is when the loop has ended the standard does not say.
            indices.iter().flatten().for_each(|(index, _)| self.scope.push((index.clone(), Type::Gone)));
        }
        let body = self.expr(body);
        self.scope.truncate(outer);
        let ((body, ty), state, indices) = (body?, state?, indices?);
        if updates.len() < state.len() {
            return None;
        }
        let names: Vec<&str> =
            indices.iter().map(|(n, _)| n.as_str()).chain(state.iter().map(|v| v.0.as_str())).collect();
        if let Some(twice) = names.iter().enumerate().find_map(|(k, n)| names[..k].contains(n).then_some(*n)) {
            self.report(Diagnostic::semantic(span, format!("`{name}` binds {} twice", quote(twice))));
            return None;
        }
        let state =
            state.into_iter().zip(updates).map(|((name, init, ..), update)| LoopVariable { name, init, update });
        let state: Vec<LoopVariable> = state.collect();
        let (head, ty) = match (condition, name) {
            (Some(condition), _) => (LoopHead::While(condition?), ty),
            (None, "tensor" | "tensor*") => {
                let rank = if let Type::Array(inner) = ty { inner } else { 0 } + indices.len();
                (LoopHead::Tensor(indices), Type::Array(rank))
            }
            (None, _) => (LoopHead::For(indices), ty),
        };
        Some((ExprKind::Loop(Box::new(Loop { head, sequential, state, body })), ty))
    }

    /// `([i 3] [j n])`.
    fn indices(&mut self, item: &Sexp, usage: &str) -> Option<Vec<(String, Expr)>> {
        let Some(list) = item.list().filter(|l| !l.is_empty()) else {
            self.report(Diagnostic::syntax(item.span, "the indices must be a list").hint(usage));
            return None;
        };
        let mut read = Vec::new();
        for item in list {
            let Some([name, bound]) = item.list() else {
                self.report(
                    Diagnostic::syntax(item.span, "an index is a name and how many values it takes").hint(usage),
                );
                continue;
            };
            let (name, bound) = (self.symbol(name, "an index"), self.expect(bound, Type::Real));
            read.extend(name.zip(bound));
        }
        (read.len() == list.len()).then_some(read)
    }

    /// The variables of a loop with what they begin as, their types and the texts of their updates; they become the scope.
    fn inits<'s, 't>(
        &mut self,
        items: &'s [Sexp<'t>],
        in_order: bool,
        hides: bool,
        usage: &str,
    ) -> Option<Vec<(String, Expr, Type, &'s Sexp<'t>)>> {
        let mut read = Vec::new();
        let mut names: Vec<(String, Type)> = Vec::new();
        let outer = self.scope.len();
        for item in items {
            let Some([name, init, update]) = item.list() else {
                let message = "a variable of a loop is a name, what it begins as, and its update";
                self.report(Diagnostic::syntax(item.span, message).hint(usage));
                continue;
            };
            let (symbol, init) = (self.symbol(name, "a variable"), self.expr(init));
            let Some(symbol) = symbol else { continue };
            let entry = (symbol.clone(), init.as_ref().map_or(Type::Unknown, |&(_, ty)| ty));
            if in_order {
                self.scope.push(entry.clone());
            } else if hides {
                // Whether an earlier variable is meant here, or one outside of its name, the standard leaves open.
                self.scope.push((symbol.clone(), Type::Gone));
            }
            names.push(entry);
            if let Some((init, ty)) = init {
                read.push((symbol, init, ty, update));
            }
        }
        self.scope.truncate(outer);
        self.scope.append(&mut names);
        (read.len() == items.len()).then_some(read)
    }

    /// `array`, `ref`, `dim` or `size`.
    #[inline(never)]
    pub(super) fn of_array(&mut self, name: &str, operands: &[Sexp], span: Span) -> Typed {
        let wanted = match name {
            "array" | "ref" => operands.len() > usize::from(name == "ref"),
            "dim" => operands.len() == 1,
            _ => operands.len() == 2,
        };
        if !wanted {
            let hint = match name {
                "array" => "write `(array x y)`",
                "ref" => "write `(ref A i)`",
                "dim" => "write `(dim A)`",
                _ => "write `(size A 0)`",
            };
            self.report(Diagnostic::syntax(span, format!("`{name}` has other operands")).hint(hint));
            return None;
        }
        if name == "array" {
            let mut read = Vec::new();
            let mut ty = Type::Unknown;
            for item in operands {
                let item = if ty == Type::Unknown { self.expr(item) } else { self.expect(item, ty).map(|e| (e, ty)) };
                ty = item.as_ref().map_or(ty, |(_, ty)| *ty);
                read.extend(item.map(|(e, _)| e));
            }
            let rank = if let Type::Array(inner) = ty { inner + 1 } else { 1 };
            if ty == Type::Bool {
                self.report(Diagnostic::unsupported(span, "arrays of conditions are not supported"));
                return None;
            }
            return (read.len() == operands.len()).then_some((ExprKind::Array(read), Type::Array(rank)));
        }
        let (array, ty) = self.expr(&operands[0])?;
        let indices = operands[1..].iter().map(|i| self.expect(i, Type::Real)).collect::<Vec<_>>();
        let indices = indices.into_iter().collect::<Option<Vec<_>>>()?;
        let rank = match ty {
            Type::Array(rank) => rank,
            Type::Unknown => return None,
            Type::Real | Type::Size(_) | Type::Bool | Type::Gone => {
                let message = format!("`{name}` is asked of what is no array");
                self.report(Diagnostic::semantic(operands[0].span, message));
                return None;
            }
        };
        if name == "ref" && indices.len() != rank {
            let message = format!("this array has {rank} dimensions, and `ref` takes an index for each");
            self.report(Diagnostic::semantic(span, message).hint("rows of arrays are not supported"));
            return None;
        }
        let mut parts = vec![array];
        parts.extend(indices);
        let kind = match name {
            "ref" => ExprKind::Ref(parts),
            "dim" => ExprKind::Dim(Box::new(parts.swap_remove(0))),
            _ => ExprKind::Size(Box::new(<[Expr; 2]>::try_from(parts).ok()?)),
        };
        Some((kind, Type::Real))
    }
}
