//! Operands: numbers, variables, brackets, fractions, roots, powers and functions.

use super::super::Notation;
use super::super::build::{Build, Part, Read};
use super::super::functions;
use super::super::operators::Infix;
use super::Latex;
use super::lex::{Piece, PieceKind};
use crate::ops::{Constant, Op};
use crate::spec::core::{Expr, ExprKind};
use crate::text::{Diagnostic, Span, quote};

/// Commands that are letters.
pub(super) const GREEK: &str = "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi omicron rho \
    varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega hbar \
    ell";
/// Commands of functions that have names of their own.
const FUNCTIONS: &str = "sin cos tan sec csc cot arcsin arccos arctan sinh cosh tanh coth exp ln log lg min max";
/// Marks over a letter, which are part of its name.
pub(super) const ACCENTS: &str = "dot ddot hat bar tilde overline widehat widetilde";
const FRACTIONS: [&str; 4] = ["frac", "dfrac", "tfrac", "cfrac"];

/// Whether a formula names a variable.
fn mentions(e: &Expr, name: &str) -> bool {
    matches!(&e.kind, ExprKind::Var(v) if v == name) || e.children().into_iter().any(|c| mentions(c, name))
}

/// The commands that are known, for suggestions.
pub(super) fn commands() -> impl Iterator<Item = &'static str> {
    let lists = [
        GREEK,
        FUNCTIONS,
        ACCENTS,
        "sqrt pi cdot times div lfloor lceil lvert begin left right mathrm text operatorname",
    ];
    lists.into_iter().flat_map(|list| list.split(' ').filter(|word| !word.is_empty())).chain(FRACTIONS)
}

/// Whether a list of words has one.
pub(super) fn has(list: &str, word: &str) -> bool {
    list.split(' ').any(|w| w == word)
}

impl Latex<'_> {
    /// Whether a piece begins a factor.
    pub(super) fn starts_factor(&self, piece: &Piece) -> bool {
        match &piece.kind {
            PieceKind::Number(..) | PieceKind::Letter(_) | PieceKind::Upright(_) => true,
            PieceKind::Sign('|') => self.bars == 0,
            PieceKind::Sign(sign) => matches!(sign, '(' | '[' | '{'),
            PieceKind::Command(name) => {
                let own = ["pi", "sqrt", "lfloor", "lceil", "lvert", "{", "begin"];
                has(GREEK, name)
                    || has(FUNCTIONS, name)
                    || has(ACCENTS, name)
                    || FRACTIONS.contains(&name.as_str())
                    || own.contains(&name.as_str())
            }
            PieceKind::End => false,
        }
    }

    /// Whether a variable comes next.
    pub(super) fn starts_variable(&self) -> bool {
        match &self.peek().kind {
            PieceKind::Letter(_) | PieceKind::Upright(_) => true,
            PieceKind::Command(name) => has(GREEK, name) || has(ACCENTS, name),
            _ => false,
        }
    }

    /// An operand with its power.
    pub(super) fn factor(&mut self) -> Read {
        let part = self.any_factor()?;
        self.after_variable = matches!(part.expr.kind, ExprKind::Var(_));
        Ok(part)
    }

    fn any_factor(&mut self) -> Read {
        let start = self.peek().span;
        if let Some(function) = self.function()? {
            return self.apply(&function, start);
        }
        let is_e = self.peek().kind == PieceKind::Letter('e') && self.second().kind == PieceKind::Sign('^');
        if is_e && !self.build.is_declared("e") {
            return self.euler();
        }
        let base = self.operand()?;
        let base = self.degrees(base, start)?;
        if !self.takes('^') {
            return Ok(base);
        }
        let exponent = self.exponent()?;
        if self.is_sign('^') || self.is_sign('_') {
            return Err(self
                .unexpected("one exponent is behind another one")
                .hint("write `{x^a}^b`, and `x_1^2` for an index"));
        }
        let span = self.since(start);
        if matches!(base.expr.kind, ExprKind::Constant(Constant::E)) {
            return Ok(Build::real(Expr { kind: ExprKind::Op(Op::Exp, vec![Build::as_number(exponent)?]), span }));
        }
        let part = self.build.binary(Infix::Power, base, exponent)?;
        Ok(Part { expr: Expr { span, ..part.expr }, ..part })
    }

    /// `e^{…}`, which is the exponential function unless its exponent is a whole number.
    fn euler(&mut self) -> Read {
        let start = self.next().span;
        self.at += 1;
        let exponent = self.exponent()?;
        let span = self.since(start);
        if matches!(&exponent.expr.kind, ExprKind::Number(n) if n.value.is_integer()) {
            let message = "`e` has two readings: Euler's number, or an input";
            let hint =
                "write `\\mathrm{e}` for the number, or the range of the input before the formula: `e: [0, 1] -> …`";
            return Err(Diagnostic::semantic(span, message).hint(hint));
        }
        if let Some(unit) = ["i", "j"].into_iter().find(|i| mentions(&exponent.expr, i) && !self.build.is_declared(i)) {
            let message = format!("`{unit}` in a power of e has two readings: the imaginary unit, or an input");
            let hint = format!("write the range of an input before the formula: `{unit}: [0, 1] -> …`");
            return Err(Diagnostic::semantic(span, message).hint(hint));
        }
        if self.build.inputs.iter().any(|i| i == "e") {
            return Err(Self::two_letters_e(start));
        }
        self.euler = true;
        self.build.assume(start, "`e` is Euler's number");
        Ok(Build::real(Expr { kind: ExprKind::Op(Op::Exp, vec![Build::as_number(exponent)?]), span }))
    }

    fn two_letters_e(span: Span) -> Diagnostic {
        Diagnostic::semantic(span, "`e` is Euler's number at one place and an input at another")
            .hint("write `\\mathrm{e}` for the number, or name the input otherwise")
    }

    /// What stands behind `^`: a group, or one digit or letter.
    pub(super) fn exponent(&mut self) -> Read {
        let piece = self.peek().clone();
        let hint = match &piece.kind {
            PieceKind::Sign('{') => return self.group(),
            PieceKind::Number(text, _) if text.chars().count() > 1 => {
                "only the first digit is raised: write braces, as in `x^{10}`"
            }
            PieceKind::Number(..) | PieceKind::Letter(_) => return self.operand(),
            PieceKind::Command(name) if has(GREEK, name) || name == "pi" => return self.operand(),
            PieceKind::Command(name) if FRACTIONS.contains(&name.as_str()) => return self.operand(),
            PieceKind::Sign('-' | '+') => "write braces: `x^{-1}`",
            PieceKind::Command(name) if name == "circ" => "a number or a variable stands before `^\\circ`",
            PieceKind::Sign('*' | '\'') => "name a variable otherwise, as in `x_1`",
            _ => "write braces: `x^{…}`",
        };
        Err(self.unexpected("an exponent is missing").hint(hint))
    }

    /// `{…}` with a whole formula inside.
    fn group(&mut self) -> Read {
        self.unseen_group().map(|part| Part { grouped: true, ..part })
    }

    /// The same, as grouped as it is to be seen: braces are not.
    pub(super) fn unseen_group(&mut self) -> Read {
        let start = self.peek().span;
        self.expect('{')?;
        let part = self.outside_bars(Self::sum)?;
        self.expect('}')?;
        let span = self.since(start);
        Ok(Part { expr: Expr { span, ..part.expr }, ..part })
    }

    /// What stands inside of brackets: bars of an absolute value around them do not end there.
    pub(super) fn outside_bars<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        let bars = std::mem::take(&mut self.bars);
        let inside = read(self);
        self.bars = bars;
        inside
    }

    fn operand(&mut self) -> Read {
        let piece = self.peek().clone();
        let command = self.command().map(str::to_owned);
        match (&piece.kind, command.as_deref()) {
            (PieceKind::Number(text, value), _) => {
                self.at += 1;
                Ok(self.build.number(text, value.clone(), false, false, piece.span))
            }
            (_, Some("pi")) => {
                self.at += 1;
                Ok(Build::real(Expr { kind: ExprKind::Constant(Constant::Pi), span: piece.span }))
            }
            (_, Some("begin")) => self.cases(),
            (_, Some("sqrt")) => self.root(),
            (_, Some(name)) if FRACTIONS.contains(&name) => self.fraction(),
            (_, Some("lfloor")) => self.between(None, Some("rfloor"), Some(Op::Floor)),
            (_, Some("lceil")) => self.between(None, Some("rceil"), Some(Op::Ceil)),
            (_, Some("lvert")) => self.between(None, Some("rvert"), Some(Op::Fabs)),
            (_, Some("{")) => self.between(None, Some("}"), None),
            (PieceKind::Sign('('), _) => self.between(Some(')'), None, None),
            (PieceKind::Sign('['), _) => self.between(Some(']'), None, None),
            (PieceKind::Sign('|'), _) => self.bar(),
            (PieceKind::Sign('{'), _) => self.brace(),
            _ if self.starts_variable() => {
                let name = self.variable()?;
                let span = self.since(piece.span);
                match name {
                    Some(name) if name == "e" && self.euler => Err(Self::two_letters_e(span)),
                    Some(name) => Ok(self.build.input(&name, span)),
                    None => Ok(Build::real(Expr { kind: ExprKind::Constant(Constant::E), span })),
                }
            }
            _ => Err(self.unexpected("a number, a letter or a bracket is missing")),
        }
    }

    /// What stands between two brackets, and a function of it.
    fn between(&mut self, sign: Option<char>, command: Option<&str>, of: Option<Op>) -> Read {
        let start = self.next().span;
        let part = self.outside_bars(Self::sum)?;
        if let Some(sign) = sign {
            self.expect(sign)?;
        } else if !command.is_some_and(|c| self.takes_command(&[c])) {
            return Err(self.unexpected(&format!("`\\{}` is missing", command.unwrap_or_default())));
        }
        Self::of(part, of, self.since(start))
    }

    fn of(part: Part, op: Option<Op>, span: Span) -> Read {
        match op {
            Some(op) => Ok(Build::real(Expr { kind: ExprKind::Op(op, vec![Build::as_number(part)?]), span })),
            None => Ok(Part { grouped: true, expr: Expr { span, ..part.expr }, ..part }),
        }
    }

    /// `|x|`.
    fn bar(&mut self) -> Read {
        let start = self.next().span;
        self.bars += 1;
        let part = self.sum()?;
        self.bars -= 1;
        self.expect('|').map_err(|d| d.hint("write `\\lvert x \\rvert`, where bars stand inside of others"))?;
        Self::of(part, Some(Op::Fabs), self.since(start))
    }

    /// Braces, which are not seen: one operand or a variable that is written as two letters.
    fn brace(&mut self) -> Read {
        let start = self.peek().span;
        let inside = |k: usize| self.pieces.get(self.at + k).map(|p| &p.kind);
        let is_delta = inside(1) == Some(&PieceKind::Command("Delta".to_owned()));
        if is_delta && self.is_letter(2) && inside(3) == Some(&PieceKind::Sign('}')) {
            let letter = self.spelled(self.pieces[self.at + 2].span).trim_start_matches('\\');
            let name = format!("Delta_{letter}");
            self.at += 4;
            let span = self.since(start);
            return Ok(self.build.input(&name, span));
        }
        let opens = |p: &Piece| match &p.kind {
            PieceKind::Sign(sign) => matches!(sign, '(' | '[' | '{' | '|'),
            PieceKind::Command(name) => matches!(name.as_str(), "lfloor" | "lceil" | "lvert" | "{"),
            _ => false,
        };
        let is_first = self.at > 0 && opens(&self.pieces[self.at - 1]);
        let part = self.unseen_group()?;
        let closes = match &self.peek().kind {
            PieceKind::Sign(sign) => matches!(sign, ')' | ']' | '}' | '|'),
            PieceKind::Command(name) => matches!(name.as_str(), "rfloor" | "rceil" | "rvert" | "}"),
            _ => false,
        };
        let is_sum = matches!(part.expr.kind, ExprKind::Op(Op::Add | Op::Sub | Op::Neg, _));
        if is_sum && !part.grouped && !(is_first && closes) {
            let message = "braces are not seen, so that a sum in them has two readings";
            return Err(Diagnostic::semantic(part.span(), message).hint("write round brackets"));
        }
        Ok(Part { grouped: true, ..part })
    }

    /// A group, or one digit or letter, as `\frac12` has them.
    pub(super) fn argument(&mut self) -> Read {
        let piece = self.peek().clone();
        match &piece.kind {
            PieceKind::Sign('{') => self.group(),
            PieceKind::Number(text, _) if text.len() == 1 => self.operand(),
            PieceKind::Letter(_) => {
                self.at += 1;
                Ok(self.build.input(self.spelled(piece.span), piece.span))
            }
            PieceKind::Command(_) => self.operand(),
            _ => Err(self.unexpected("a group in braces is missing").hint("write `\\frac{a}{b}` or `\\sqrt{a}`")),
        }
    }

    /// Whether a fraction comes next that has numbers alone.
    pub(super) fn is_fraction_of_numbers(&self) -> bool {
        let rest = self.pieces[self.at + 1..].iter();
        let inside = rest.take_while(|p| matches!(p.kind, PieceKind::Number(..) | PieceKind::Sign('{' | '}')));
        let numbers =
            inside.filter_map(|p| if let PieceKind::Number(text, _) = &p.kind { Some(text.len()) } else { None });
        let lengths: Vec<usize> = numbers.collect();
        lengths.len() >= 2 || lengths == [2]
    }

    fn fraction(&mut self) -> Read {
        let start = self.next().span;
        if self.is_derivative() {
            let message = "this may be a derivative, which is not taken";
            return Err(Diagnostic::semantic(start, message).hint("write the formula that it gives"));
        }
        // `\frac12` is a half.
        let piece = self.peek().clone();
        if let PieceKind::Number(text, _) = &piece.kind
            && text.len() == 2
            && !text.contains('.')
        {
            self.at += 1;
            let digit = |latex: &mut Self, k: usize| {
                let span = Span { start: piece.span.start + k, end: piece.span.start + k + 1 };
                latex.build.number(
                    &text[k..=k],
                    text[k..=k].parse::<u32>().unwrap_or_default().into(),
                    false,
                    false,
                    span,
                )
            };
            let (top, bottom) = (digit(self, 0), digit(self, 1));
            return self.quotient(top, bottom, start);
        }
        let top = self.argument()?;
        let bottom = self.argument()?;
        self.quotient(top, bottom, start)
    }

    /// Whether both parts of the fraction that comes next begin with a d, the lower one before another letter.
    fn is_derivative(&self) -> bool {
        let rest = &self.pieces[self.at..];
        let is_d = |k: usize| match rest.get(k).map(|p| &p.kind) {
            Some(PieceKind::Letter('d')) => true,
            Some(PieceKind::Upright(name)) => name == "d",
            Some(PieceKind::Command(name)) => name == "partial",
            _ => false,
        };
        let end = rest.iter().position(|p| p.kind == PieceKind::Sign('}')).unwrap_or(rest.len());
        let is_letter = |p: &Piece| match &p.kind {
            PieceKind::Letter(_) => true,
            PieceKind::Command(name) => has(GREEK, name),
            _ => false,
        };
        is_d(1) && is_d(end + 2) && rest.get(end + 3).is_some_and(is_letter)
    }

    fn quotient(&mut self, top: Part, bottom: Part, start: Span) -> Read {
        let span = self.since(start);
        let part = self.build.binary(Infix::Div, top, bottom)?;
        Ok(Part { expr: Expr { span, ..part.expr }, grouped: true, ..part })
    }

    /// `\sqrt{x}` and `\sqrt[n]{x}`.
    fn root(&mut self) -> Read {
        let start = self.next().span;
        let degree = if self.takes('[') {
            let degree = Build::as_number(self.outside_bars(Self::sum)?)?;
            self.expect(']')?;
            Some(degree)
        } else {
            None
        };
        let of = Build::as_number(self.argument()?)?;
        let span = self.since(start);
        let is = |n: u32| matches!(&degree, Some(Expr { kind: ExprKind::Number(number), .. }) if number.value == n);
        let kind = match degree.clone() {
            None => ExprKind::Op(Op::Sqrt, vec![of]),
            Some(_) if is(2) => ExprKind::Op(Op::Sqrt, vec![of]),
            Some(_) if is(3) => ExprKind::Op(Op::Cbrt, vec![of]),
            Some(degree) => {
                let is_even = matches!(&degree.kind, ExprKind::Number(n) if (n.value.clone() / 2_u32).is_integer());
                if !is_even {
                    self.build.assume(span, "a root of any degree but 3 is that of a number that is not negative");
                }
                let exponent = Expr { kind: ExprKind::Op(Op::Div, vec![Expr::number(1.into()), degree]), span };
                ExprKind::Op(Op::Pow, vec![of, exponent])
            }
        };
        Ok(Build::real(Expr { kind, span }))
    }

    /// Whether the name of a function comes next.
    pub(super) fn is_function(&self) -> bool {
        match &self.peek().kind {
            PieceKind::Command(name) => has(FUNCTIONS, name),
            PieceKind::Upright(name) => {
                name.chars().count() > 1 && functions::function("", name, Notation::Latex).is_some()
            }
            _ => false,
        }
    }

    /// Takes the name of a function, if one comes next.
    fn function(&mut self) -> Result<Option<String>, Diagnostic> {
        let opens = |piece: &Piece| {
            matches!(piece.kind, PieceKind::Sign('(' | '[')) || piece.kind == PieceKind::Command("{".to_owned())
        };
        let is_called = opens(self.second());
        let piece = self.peek().clone();
        let name = match &piece.kind {
            PieceKind::Command(name) if has(FUNCTIONS, name) => name.clone(),
            PieceKind::Command(name) if name == "Gamma" && is_called && !self.build.is_declared("Gamma") => {
                self.build.assume(piece.span, "`\\Gamma(…)` is the gamma function");
                "tgamma".to_owned()
            }
            PieceKind::Upright(name) if name.chars().count() > 1 => {
                let hyperbolic = name.strip_prefix("ar").filter(|rest| rest.ends_with('h'));
                let own = hyperbolic.map_or_else(|| name.clone(), |rest| format!("a{rest}"));
                let is_known =
                    functions::function("", &own, Notation::Latex).is_some() && !self.build.is_declared(name);
                // What is written as a name of an operator is a function.
                let is_operator = self.spelled(piece.span).starts_with("\\operatorname");
                let is_called = is_called || is_operator && self.starts_factor(self.second());
                if !is_known && is_called && !self.build.is_declared(name) {
                    let message = format!("unknown function {}", quote(name));
                    return Err(Diagnostic::semantic(piece.span, message).hint("a product is written `\\cdot`"));
                }
                if !is_known {
                    return Ok(None);
                }
                own
            }
            _ => return Ok(None),
        };
        self.at += 1;
        Ok(Some(name))
    }
}
