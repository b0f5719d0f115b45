//! Commands that come one by one, from a program that waits for each answer.

use super::Result;
use super::answers::{Answers, Budget, Listener, ScriptEvent};
use super::equations::equations;
use super::script::Script;
use super::terms::Symbol;
use crate::text::sexp::{Dialect, Sexp, read};
use crate::text::{Diagnostic, Span, line_column};
use bumpalo::Bump;
use std::collections::HashMap;
use std::io::{self, BufRead, ErrorKind};

/// All commands up to `(exit)` or the end of the text.
pub(super) fn run(input: impl BufRead, budget: Budget, listener: &mut Listener<'_>) -> io::Result<Answers> {
    let texts = Bump::new();
    let mut commands = Commands { input, end: End::default() };
    let mut script = Script::default();
    script.is_stream = true;
    let mut places = Places::default();
    while let Some(bytes) = commands.next()? {
        let start = places.end;
        let goes_on = match std::str::from_utf8(&bytes) {
            Ok(text) => {
                let text: &str = texts.alloc_str(text);
                places.add(text);
                text_of_a_command(&mut script, text, start, &places, (budget, listener))
            }
            Err(_) => {
                places.add(texts.alloc_str(&String::from_utf8_lossy(&bytes)));
                let wrong = Diagnostic::syntax(Span { start, end: start }, "this is no text in UTF-8");
                script.refuse(&places.told(&wrong));
                true
            }
        };
        if !script.answers.output.is_empty() {
            listener(ScriptEvent::Answered(&std::mem::take(&mut script.answers.output)));
        }
        if !goes_on {
            break;
        }
    }
    Ok(script.answers)
}

/// Answers what stands in a piece of text, a command as a rule. Whether others may follow.
fn text_of_a_command<'a>(
    script: &mut Script<'a>,
    text: &'a str,
    start: usize,
    places: &Places<'_>,
    (budget, listener): (Budget, &mut Listener<'_>),
) -> bool {
    let forms = match read(text, Dialect::SmtLib).all() {
        Ok(forms) => forms,
        Err(mut wrong) => {
            wrong.span = wrong.span.after(start);
            script.refuse(&places.told(&wrong));
            return true;
        }
    };
    for mut form in forms {
        form.move_by(start);
        match script.step_whole(&form, budget, listener) {
            Ok(true) => {}
            Ok(false) => return false,
            Err(wrong) => script.refuse(&places.told(&wrong)),
        }
    }
    true
}

impl<'a> Script<'a> {
    /// One command, which changes nothing where it is wrong. Whether others may follow.
    fn step_whole(&mut self, form: &Sexp<'a>, budget: Budget, listener: &mut Listener<'_>) -> Result<bool> {
        let (level, numbers) = (self.level(), self.define_numbers(form));
        let goes_on = self.step(form, budget, listener);
        if goes_on.is_err() {
            self.back_to(level);
            self.scope.symbols.extend(numbers);
        }
        goes_on
    }

    /// Takes what an assertion, which is never taken back, says that unknown numbers are. These as they were before.
    fn define_numbers(&mut self, form: &Sexp<'a>) -> Vec<(&'a str, Symbol<'a>)> {
        let mut found = HashMap::new();
        if let Some([assert, formula]) = form.list()
            && assert.atom() == Some("assert")
            && self.levels.is_empty()
        {
            let symbols = &self.scope.symbols;
            let is_open = |name: &str| matches!(symbols.get(name), Some(Symbol::Number { definition: None, .. }));
            equations(formula, &is_open, &mut found);
        }
        let mut before = Vec::new();
        for (name, term) in found {
            if let Some(Symbol::Number { definition, is_integer }) = self.scope.symbols.get_mut(name) {
                before.push((name, Symbol::Number { definition: None, is_integer: *is_integer }));
                *definition = Some(term);
            }
        }
        before
    }

    /// Answers that a command is wrong.
    fn refuse(&mut self, told: &str) {
        self.answers.errors += 1;
        self.say(&format!("(error \"{}\")", told.replace('"', "\"\"")));
    }
}

/// Where the pieces of text stood.
#[derive(Default)]
struct Places<'a> {
    pieces: Vec<Piece<'a>>,
    end: usize,
    /// Line and column of the end, from 0.
    last: (usize, usize),
}

struct Piece<'a> {
    start: usize,
    first: (usize, usize),
    text: &'a str,
}

impl<'a> Places<'a> {
    fn add(&mut self, text: &'a str) {
        self.pieces.push(Piece { start: self.end, first: self.last, text });
        self.last = self.of(self.end + text.len());
        self.end += text.len();
    }

    /// Line and column from 0.
    fn of(&self, offset: usize) -> (usize, usize) {
        let after = self.pieces.partition_point(|piece| piece.start <= offset);
        let Some(piece) = after.checked_sub(1).and_then(|k| self.pieces.get(k)) else { return (0, 0) };
        let (line, column) = line_column(piece.text.as_bytes(), offset - piece.start);
        let before = if line == 1 { piece.first.1 } else { 0 };
        (piece.first.0 + line - 1, before + column - 1)
    }

    /// A mistake in one line.
    fn told(&self, wrong: &Diagnostic) -> String {
        let (line, column) = self.of(wrong.span.start);
        let hint = wrong.hint.as_ref().map_or(String::new(), |hint| format!("; {hint}"));
        format!("{}:{}: {}{hint}", line + 1, column + 1, wrong.message)
    }
}

/// The texts of commands, each as soon as it is whole.
struct Commands<R> {
    input: R,
    end: End,
}

impl<R: BufRead> Commands<R> {
    /// The next command with what stands before it, or a line that is none.
    fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut text = Vec::new();
        loop {
            let bytes = match self.input.fill_buf() {
                Ok(bytes) => bytes,
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(e) => return Err(e),
            };
            if bytes.is_empty() {
                return Ok(Some(text).filter(|text| !text.is_empty()));
            }
            let end = bytes.iter().position(|byte| self.end.is_after(*byte)).map(|k| k + 1);
            let taken = end.unwrap_or(bytes.len());
            text.extend_from_slice(&bytes[..taken]);
            self.input.consume(taken);
            if end.is_some() {
                return Ok(Some(text));
            }
        }
    }
}

/// Looks for the end of a command, byte by byte.
#[derive(Default)]
struct End {
    depth: usize,
    /// What ends the comment, string or symbol in bars that is open.
    until: Option<u8>,
    /// Whether there is more than spaces and comments.
    has_begun: bool,
}

impl End {
    /// Whether a command ends with this byte, or with it a line that is none.
    fn is_after(&mut self, byte: u8) -> bool {
        if let Some(end) = self.until {
            if byte != end {
                return false;
            }
            self.until = None;
            if end != b'\n' {
                return false;
            }
        }
        match byte {
            b';' => self.until = Some(b'\n'),
            b'"' | b'|' => self.until = Some(byte),
            b'(' => self.depth += 1,
            b')' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.has_begun |= !byte.is_ascii_whitespace() && byte != b';';
        let is_whole = self.depth == 0 && self.has_begun && matches!(byte, b')' | b'\n');
        if is_whole {
            *self = End::default();
        }
        is_whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    /// The pieces that are seen of a text, however it comes in.
    fn pieces(text: &str) -> Vec<String> {
        let at_once = |capacity| {
            let mut commands =
                Commands { input: BufReader::with_capacity(capacity, text.as_bytes()), end: End::default() };
            let all = std::iter::from_fn(|| commands.next().unwrap());
            all.map(|bytes| String::from_utf8(bytes).unwrap()).collect::<Vec<_>>()
        };
        let all = at_once(1);
        assert_eq!(all, at_once(1000));
        assert_eq!(all.concat(), text);
        all
    }

    #[test]
    fn a_command_ends_with_its_last_bracket() {
        assert_eq!(pieces("(a)(b (c)\n)"), ["(a)", "(b (c)\n)"]);
        assert_eq!(pieces("; (\n (a ; )\n |)| \")\"\"(\")\n"), ["; (\n (a ; )\n |)| \")\"\"(\")", "\n"]);
        assert_eq!(pieces("word\n(a)"), ["word\n", "(a)"]);
        assert_eq!(pieces(")(a)(b"), [")", "(a)", "(b"]);
        assert_eq!(pieces("\n;\n x ; (\n"), ["\n;\n x ; (\n"]);
        assert!(pieces("").is_empty());
    }

    /// Answers, and how often something was said.
    fn answers(text: &str) -> String {
        let mut said = String::new();
        let mut listener = |event: ScriptEvent<'_>| {
            if let ScriptEvent::Answered(answer) = event {
                said.push_str(answer);
            }
        };
        let answers = run(text.as_bytes(), Budget::from(1000), &mut listener).unwrap();
        assert_eq!(answers.errors, said.matches("(error \"").count());
        said
    }

    #[test]
    fn an_error_has_its_place_and_changes_nothing() {
        let declared = "(declare-const x Float32)\n(define-fun f ((y Float32)) Bool\n (fp.lt y unknown))\n";
        // What is wrong stands in an earlier command.
        let text = format!(
            "{declared}(assert (! (f x) :named named))(assert (fp.lt x x))(check-sat)(assert named)\n(check-sat)"
        );
        let said = "(error \"3:11: `unknown` is not declared\")\nunsat\n\
                    (error \"4:71: `named` is not declared\")\nunsat\n";
        assert_eq!(answers(&text), said);
        let text =
            "(assert (! true :named a))\n(assert (and (! true :named b) c))(assert b)\n(pop)(push)(pop 2)(pop)\n(é\n))";
        let places: Vec<String> = answers(text).lines().map(|l| l.split(": ").next().unwrap().to_owned()).collect();
        assert_eq!(
            places,
            ["(error \"2:32", "(error \"2:43", "(error \"3:1", "(error \"3:12", "unsupported", "(error \"5:2"]
        );
        assert_eq!(
            answers("(check-sat)\n(get-value (x))\n(get-info :error-behavior)\n(exit)(check-sat)").lines().count(),
            3
        );
    }

    #[test]
    fn numbers_are_what_equations_say() {
        let asked = |text: &str| {
            let all = answers(&format!("(declare-const r Real)(declare-const x Float32)\n{text}(check-sat)"));
            all.lines().last().unwrap_or_default().to_owned()
        };
        let range = "(assert (and (fp.lt ((_ to_fp 8 24) RNE 1.0) x) (fp.lt x ((_ to_fp 8 24) RNE 2.0))))";
        let small = "(assert (< r 1.0))";
        let is = "(assert (= r (fp.to_real x)))";
        assert_eq!(asked(&format!("{range}{is}{small}")), "unsat");
        // An assertion that is wrong, or that is taken back, says nothing.
        let wrong = "(assert (and (= r (fp.to_real x)) wrong))";
        assert_ne!(asked(&format!("{range}{wrong}{small}")), "unsat");
        assert_ne!(asked(&format!("{range}(push){is}(pop){small}")), "unsat");
        assert_eq!(asked(&format!("{range}{wrong}{is}{small}")), "unsat");
    }

    #[test]
    fn success_is_printed_where_it_is_asked_for() {
        let text = "(set-option :print-success true)(declare-const b Bool)(assert (b))(check-sat)(exit)";
        let said = answers(text);
        let said: Vec<&str> = said.lines().collect();
        assert_eq!(said.len(), 5, "{said:?}");
        assert_eq!((said[0], said[1], said[3], said[4]), ("success", "success", "sat", "success"));
    }
}
