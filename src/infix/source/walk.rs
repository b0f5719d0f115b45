//! Statements as a formula: what is bound becomes `let*`, what is decided becomes `if`.

use super::super::build::{Build, INT, Kind, Part, Read};
use super::super::operators::Infix;
use super::bindings::{Bindings, bind, last, negated, own_name};
use super::statement::{Definition, Holds, Parameter, Statement};
use crate::spec::core::{Expr, ExprKind};
use crate::text::{Diagnostic, Span, quote};
use std::collections::BTreeMap;
use tree_sitter::Node;

/// The largest short integer of C is one less.
const SHORT: u64 = 1 << 15;
/// The most paths on which the rest of a function is written again.
const PATHS: usize = 64;
/// The most calls that are written out.
const CALLS: usize = 200;
/// The most statements one behind the other.
const STATEMENTS: usize = 400;
/// The deepest nesting of calls and of branches.
const DEEPEST: usize = 60;

/// What a language says of its expressions and of its file.
pub(super) trait Grammar<'t> {
    /// An expression as a part of a formula.
    fn value(&self, node: Node<'t>, walk: &mut Walk<'t, '_>) -> Read;
    /// A constant of the file; none if there is none of that name.
    fn constant(&self, name: &str, walk: &mut Walk<'t, '_>) -> Option<Read>;
}

/// A variable.
#[derive(Clone, Debug)]
struct Held {
    kind: Kind,
    /// What its type lets it hold.
    holds: Holds,
    /// Whether it has a value.
    is_set: bool,
}

/// A function that is being read.
pub(super) struct Walk<'t, 'g> {
    grammar: &'g dyn Grammar<'t>,
    pub(super) build: Build,
    held: BTreeMap<String, Held>,
    /// Conditions on the inputs without which the function has no value.
    pub(super) guards: Vec<Expr>,
    /// Whether something is bound where the reader is, so that conditions are no longer on inputs alone.
    bound: usize,
    /// Whether an integer was returned.
    returns_whole: bool,
    paths: usize,
    calls: usize,
    depth: usize,
    /// Statements whose rest is being read.
    statements: usize,
}

impl<'t, 'g> Walk<'t, 'g> {
    pub(super) fn new(grammar: &'g dyn Grammar<'t>, build: Build) -> Self {
        let held = BTreeMap::new();
        Walk {
            grammar,
            build,
            held,
            guards: Vec::new(),
            bound: 0,
            returns_whole: false,
            paths: 1,
            calls: 0,
            depth: 0,
            statements: 0,
        }
    }

    pub(super) fn value(&mut self, node: Node<'t>) -> Read {
        self.depth += 1;
        if self.depth > 4 * DEEPEST {
            return Err(Diagnostic::syntax(span(node), "this is nested too deep"));
        }
        let value = self.grammar.value(node, self);
        self.depth -= 1;
        value
    }

    /// Whether a name is a variable of the function.
    pub(super) fn is_variable(&self, name: &str) -> bool {
        self.held.contains_key(name)
    }

    /// What a name stands for.
    pub(super) fn name(&mut self, name: &str, at: Span) -> Read {
        if let Some(held) = self.held.get(name) {
            if !held.is_set {
                let message = format!("{} has no value here", quote(name));
                return Err(Diagnostic::semantic(at, message).hint("give it one on every path to here"));
            }
            let expr = Expr { kind: ExprKind::Var(own_name(name)), span: at };
            return Ok(Part { expr, kind: held.kind.clone(), grouped: false });
        }
        let grammar = self.grammar;
        self.depth += 4;
        if self.depth > 4 * DEEPEST {
            return Err(Diagnostic::semantic(at, format!("{} is made of itself", quote(name))));
        }
        if let Some(read) = grammar.constant(name, self) {
            self.depth -= 4;
            return read.map_err(|d| placed(d, at));
        }
        self.depth -= 4;
        let before = self.build.inputs.len();
        let part = self.build.name("", name, at)?;
        if self.build.inputs.len() > before {
            self.build.inputs.truncate(before);
            let message = format!("{} is no variable or constant of this file", quote(name));
            return Err(Diagnostic::semantic(at, message)
                .hint("constants are read from `#define`, `const` and assignments of the file"));
        }
        Ok(part)
    }

    /// A constant of the file is read where no variable of a function is known.
    pub(super) fn outside<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let held = std::mem::take(&mut self.held);
        let value = read(self);
        self.held = held;
        value
    }

    /// The value of a function, with what its arguments are if they are integers.
    pub(super) fn function(&mut self, definition: &Definition<'t>, whole: &[Kind]) -> Result<Expr, Diagnostic> {
        for (k, parameter) in definition.parameters.iter().enumerate() {
            let holds = parameter.holds;
            let kind = whole.get(k).filter(|_| holds == Holds::Whole).cloned().unwrap_or(Kind::Real);
            self.held.insert(parameter.name.clone(), Held { kind, holds, is_set: true });
        }
        let all: Vec<&Statement<'t>> = definition.body.iter().collect();
        self.run(&all)
    }

    /// A call of a function of the file.
    pub(super) fn call(&mut self, name: &str, at: Span, definition: &Definition<'t>, arguments: Vec<Part>) -> Read {
        let Definition { parameters, .. } = definition;
        if parameters.len() != arguments.len() {
            let message = format!("{} takes {} arguments, not {}", quote(name), parameters.len(), arguments.len());
            return Err(Diagnostic::semantic(at, message));
        }
        self.depth += 8;
        self.calls += 1;
        if self.calls > CALLS {
            let message = format!("there are more than {CALLS} calls of functions of this file");
            return Err(Diagnostic::semantic(at, message).hint("name a smaller function"));
        }
        if self.depth > 4 * DEEPEST {
            let message = format!("{} calls itself, or calls are nested too deep", quote(name));
            return Err(Diagnostic::semantic(at, message).hint("a formula is no recursion"));
        }
        for (parameter, argument) in parameters.iter().zip(&arguments) {
            passes(parameter, argument, definition.is_generic)?;
        }
        let kinds: Vec<Kind> = arguments.iter().map(|a| a.kind.clone()).collect();
        let arguments = arguments.into_iter().map(Build::as_number).collect::<Result<Vec<_>, _>>()?;
        self.bound += 1;
        let before = std::mem::replace(&mut self.returns_whole, false);
        let value = self.outside(|walk| walk.function(definition, &kinds))?;
        let returns_whole = std::mem::replace(&mut self.returns_whole, before);
        self.bound -= 1;
        self.depth -= 8;
        if definition.is_deduced && returns_whole {
            let message = format!("the result of {} is an integer", quote(name));
            return Err(Diagnostic::semantic(at, message).hint("state its type, as in `double f(…)`"));
        }
        let mut bindings: Bindings = parameters.iter().map(|p| own_name(&p.name)).zip(arguments).collect();
        bindings.retain(|(name, e)| !matches!(&e.kind, ExprKind::Var(v) if v == name));
        Ok(Part { grouped: true, ..Build::real(bind(bindings, false, value, at)) })
    }

    /// The value that statements return.
    fn run(&mut self, statements: &[&Statement<'t>]) -> Result<Expr, Diagnostic> {
        self.statements += 1;
        if self.statements > STATEMENTS {
            let message = format!("there are more than {STATEMENTS} statements one behind the other");
            return Err(Diagnostic::unsupported(Span::default(), message).hint("name a smaller function"));
        }
        let value = self.run_first(statements);
        self.statements -= 1;
        value
    }

    fn run_first(&mut self, statements: &[&Statement<'t>]) -> Result<Expr, Diagnostic> {
        let Some((first, rest)) = statements.split_first() else {
            let message = "the function ends here without a result on some path";
            return Err(Diagnostic::semantic(Span::default(), message).hint("return a value on every path"));
        };
        match first {
            Statement::Return { value } => {
                let part = self.value(*value)?;
                self.returns_whole |= matches!(part.kind, Kind::Whole(_));
                Build::as_number(part)
            }
            Statement::Nothing { at } => {
                let message = "the function has no value on this path";
                Err(Diagnostic::semantic(*at, message).hint(
                    "at the beginning, `if (condition) return NAN;` or a raise leaves inputs out of the domain; write it there",
                ))
            }
            Statement::Require { condition } => {
                let part = self.value(*condition)?;
                self.guard(Build::as_condition(part)?, span(*condition))?;
                self.run(rest)
            }
            Statement::Set { at, .. } => {
                let bindings = self.set(first)?;
                self.bound += 1;
                let body = self.run(rest).map_err(|d| placed(d, *at))?;
                self.bound -= 1;
                Ok(bind(bindings, false, body, *at))
            }
            Statement::If { condition, yes, no, at } => self.branch(*condition, *at, yes, no, rest),
        }
    }

    /// What holds of the inputs wherever the function has a value.
    fn guard(&mut self, condition: Expr, at: Span) -> Result<(), Diagnostic> {
        if self.bound > 0 {
            let message = "whether the function has a value depends on what is computed before this";
            return Err(Diagnostic::semantic(at, message)
                .hint("ask for it at the beginning, before other statements, of parameters alone"));
        }
        self.build.assume(
            at,
            "where the function returns no number or raises an error it has no value, which the domain leaves out",
        );
        self.guards.push(condition);
        Ok(())
    }

    fn branch(
        &mut self,
        condition: Node<'t>,
        at: Span,
        yes: &[Statement<'t>],
        no: &[Statement<'t>],
        rest: &[&Statement<'t>],
    ) -> Result<Expr, Diagnostic> {
        let part = self.value(condition)?;
        let test = Build::as_condition(part)?;
        let is_nothing = |branch: &[Statement<'t>]| matches!(branch, [Statement::Nothing { .. }]);
        if is_nothing(yes) {
            self.guard(negated(test), at)?;
            let all: Vec<&Statement<'t>> = no.iter().chain(rest.iter().copied()).collect();
            return self.run(&all);
        }
        if !yes.iter().chain(no).any(Statement::may_end) {
            let bindings = self.merged(&test, yes, no, at)?;
            if bindings.is_empty() {
                return self.run(rest);
            }
            self.bound += 1;
            let body = self.run(rest).map_err(|d| placed(d, at))?;
            self.bound -= 1;
            return Ok(bind(bindings, false, body, at));
        }
        let ends = |branch: &[Statement<'t>]| branch.iter().any(Statement::ends);
        if !ends(yes) && !ends(no) {
            self.paths *= 2;
        }
        if self.paths > PATHS {
            let message = format!("the function has more than {PATHS} paths that are told apart here");
            return Err(Diagnostic::semantic(at, message).hint("return once, at the end"));
        }
        let before = self.held.clone();
        let bound = self.bound;
        self.bound += 1;
        let value = |walk: &mut Self, branch: &[Statement<'t>]| {
            walk.held.clone_from(&before);
            let all: Vec<&Statement<'t>> = branch.iter().chain(rest.iter().copied()).collect();
            walk.run(&all).map_err(|d| placed(d, at))
        };
        let (a, b) = (value(self, yes)?, value(self, no)?);
        self.bound = bound;
        Ok(Expr { kind: ExprKind::If(Box::new([test, a, b])), span: at })
    }

    /// What branches that only set variables make of these.
    fn merged(
        &mut self,
        test: &Expr,
        yes: &[Statement<'t>],
        no: &[Statement<'t>],
        at: Span,
    ) -> Result<Bindings, Diagnostic> {
        let before = self.held.clone();
        let yes_bindings = self.sets(yes)?;
        let after_yes = std::mem::replace(&mut self.held, before.clone());
        let no_bindings = self.sets(no)?;
        let after_no = std::mem::replace(&mut self.held, before);
        let mut names: Vec<&String> = Vec::new();
        for (name, _) in yes_bindings.iter().chain(&no_bindings).flatten() {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let mut merged = Vec::new();
        let sources: Vec<String> = after_yes.keys().chain(after_no.keys()).cloned().collect();
        for name in names {
            let Some(source) = sources.iter().find(|s| own_name(s) == **name) else { continue };
            let (Some(a), Some(b)) = (after_yes.get(source), after_no.get(source)) else {
                // It has a value on one of the two ways alone.
                self.held.insert(source.clone(), Held { kind: Kind::Real, holds: Holds::Any, is_set: false });
                continue;
            };
            let kind = match (&a.kind, &b.kind) {
                (Kind::Whole(_), Kind::Whole(_)) => Kind::Whole(None),
                (Kind::Condition, Kind::Condition) => Kind::Condition,
                _ => Kind::Real,
            };
            let is_set = a.is_set && b.is_set && (kind == Kind::Condition) == (a.kind == Kind::Condition);
            self.held.insert(source.clone(), Held { kind, holds: a.holds, is_set });
            if is_set {
                let value = |steps: &[Bindings]| last(steps, name, at);
                let (yes, no) = (value(&yes_bindings), value(&no_bindings));
                merged.push((name.clone(), Expr { kind: ExprKind::If(Box::new([test.clone(), yes, no])), span: at }));
            }
        }
        Ok(merged)
    }

    /// The bindings of statements that only set variables, in order: each step binds all of its variables at once.
    fn sets(&mut self, statements: &[Statement<'t>]) -> Result<Vec<Bindings>, Diagnostic> {
        let mut all = Vec::new();
        for statement in statements {
            match statement {
                Statement::If { condition, yes, no, at } => {
                    let part = self.value(*condition)?;
                    let test = Build::as_condition(part)?;
                    all.push(self.merged(&test, yes, no, *at)?);
                }
                _ => all.push(self.set(statement)?),
            }
        }
        Ok(all)
    }

    /// What a statement that sets variables binds: all at once.
    fn set(&mut self, statement: &Statement<'t>) -> Result<Bindings, Diagnostic> {
        let Statement::Set { parts, declares, operator, at } = statement else { return Ok(Vec::new()) };
        let mut values = Vec::new();
        for (name, value) in parts {
            let Some(value) = value else { continue };
            let right = self.value(*value)?;
            let part = match operator {
                Some(means) => {
                    let left = self.name(name, *at)?;
                    self.build.binary(*means, left, Part { grouped: true, ..right })?
                }
                None => right,
            };
            values.push((name, part));
        }
        for (name, _) in parts {
            let known = self.held.get(name).map(|h| h.holds);
            if known.is_some() && declares.is_some_and(|holds| holds != Holds::Any) {
                let message = format!("{} is declared twice", quote(name));
                return Err(Diagnostic::semantic(*at, message).hint("give one of the two another name"));
            }
            let Some(holds) = known.or(*declares) else {
                let message = format!("{} is no variable of this function", quote(name));
                return Err(
                    Diagnostic::semantic(*at, message).hint("what changes outside of the function is no formula")
                );
            };
            if *declares == Some(Holds::Single) {
                let says = format!("`{name}` is a float, whose rounding plays no part over the real numbers");
                self.build.assume(*at, says);
            }
            self.held.entry(name.clone()).or_insert(Held { kind: Kind::Real, holds, is_set: false });
        }
        let mut bindings = Vec::new();
        for (name, part) in values {
            let Some(held) = self.held.get_mut(name) else { continue };
            if held.holds == Holds::Auto {
                held.holds = match part.kind {
                    Kind::Real => Holds::Number,
                    Kind::Whole(_) => Holds::Whole,
                    Kind::Condition => Holds::Truth,
                };
            }
            let kind = match (held.holds, part.kind.clone()) {
                (Holds::Whole, Kind::Real) => {
                    let message = format!("{} is an integer, so that the fraction is cut off", quote(name));
                    return Err(Diagnostic::semantic(part.expr.span, message).hint("write `trunc(x)` and a double"));
                }
                (Holds::Whole, Kind::Whole(Some(value))) if value.clone().abs() >= INT => {
                    let message = format!("this is more than an int of C can be, and {} may be one", quote(name));
                    return Err(Diagnostic::semantic(part.expr.span, message).hint("declare it double"));
                }
                (Holds::Truth, Kind::Real | Kind::Whole(_)) => {
                    let message = format!("{} says whether a condition holds, and this is a number", quote(name));
                    return Err(Diagnostic::semantic(part.expr.span, message).hint("compare it, as in `x != 0`"));
                }
                (Holds::Number | Holds::Single, Kind::Whole(_) | Kind::Real) => Kind::Real,
                (Holds::Number | Holds::Single, Kind::Condition) => {
                    Build::as_number(part.clone())?;
                    Kind::Real
                }
                (_, kind) => kind,
            };
            *held = Held { kind, holds: held.holds, is_set: true };
            bindings.push((own_name(name), part.expr));
        }
        Ok(bindings)
    }
}

/// That an argument may be passed for a parameter and stays the number that it is.
fn passes(parameter: &Parameter, argument: &Part, is_generic: bool) -> Result<(), Diagnostic> {
    let is_whole = matches!(argument.kind, Kind::Whole(_));
    let name = quote(&parameter.name);
    if parameter.holds == Holds::Whole && !is_whole {
        let message = format!("the parameter {name} is an integer, so that the fraction is cut off");
        return Err(Diagnostic::semantic(argument.span(), message).hint("write `trunc(x)` and a double"));
    }
    if let Kind::Whole(Some(value)) = &argument.kind
        && parameter.holds == Holds::Whole
        && value.clone().abs() >= if parameter.integers == Some("(fixed 0 16)") { SHORT } else { INT }
    {
        let message = format!("this is more than the parameter {name} may hold");
        return Err(Diagnostic::semantic(argument.span(), message).hint("declare it double"));
    }
    if is_generic && is_whole {
        let message = format!("the parameter {name} is an integer here, for which the function may be another");
        return Err(Diagnostic::semantic(argument.span(), message).hint("write the number with a point, as in `2.0`"));
    }
    Ok(())
}

/// The place of a node.
pub(super) fn span(node: Node<'_>) -> Span {
    Span { start: node.start_byte(), end: node.end_byte() }
}

/// A message without a place gets one.
pub(super) fn placed(mut d: Diagnostic, at: Span) -> Diagnostic {
    if d.span == Span::default() {
        d.span = at;
    }
    d
}

/// What a compound assignment does.
pub(super) fn compound(operator: &str) -> Option<Infix> {
    Some(match operator {
        "+=" | "++" => Infix::Add,
        "-=" | "--" => Infix::Sub,
        "*=" => Infix::Mul,
        "/=" => Infix::Div,
        "**=" => Infix::Power,
        "//=" => Infix::Floored,
        "%=" => Infix::Modulo,
        _ => return None,
    })
}
