//! Formulas as MathML, which browsers typeset without help.

use crate::ops::{Constant, Op};
use crate::spec::core::{Expr, ExprKind};
use maud::Escaper;
use std::fmt::Write as _;

/// How tightly an expression binds, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Choice,
    Or,
    And,
    Compare,
    /// A sign in front: only the first of a sum goes without brackets.
    Sign,
    Sum,
    Product,
    Atom,
}

/// `name(inputs) = body`, the bindings of a leading `let` as lines of their own.
pub(super) fn definition(name: &str, inputs: &[String], body: &Expr) -> String {
    let mut lines = Vec::new();
    let result = bindings(body, &mut lines);
    let arguments: Vec<String> = inputs.iter().map(|i| variable(i)).collect();
    // The name of a specification is no formula: its digits are no index.
    let head = format!("<mtext>{}</mtext><mo>(</mo>{}<mo>)</mo>", escaped(name), arguments.join("<mo>,</mo>"));
    let rows = std::iter::once((head, result)).chain(lines.into_iter().map(|(name, value)| (variable(name), value)));
    let mut out = String::from("<math display=\"block\"><mtable displaystyle=\"true\" class=\"eq\">");
    for (k, (left, right)) in rows.enumerate() {
        let word = if k == 1 { "<mtext>where\u{a0}</mtext>" } else { "" };
        let mut left = format!("{word}<mrow>{left}</mrow>");
        for (sign, part) in broken(right) {
            let _ =
                write!(out, "<mtr><mtd>{left}</mtd><mtd><mrow><mo form=\"infix\">{sign}</mo>{part}</mrow></mtd></mtr>");
            left.clear();
        }
    }
    out.push_str("</mtable></math>");
    out
}

/// An expression in lines, each with the sign before it: a sum that is too long for one is cut between its terms.
fn broken(e: &Expr) -> Vec<(&'static str, String)> {
    /// The most signs of a line.
    const LINE: usize = 85;
    let mut terms = Vec::new();
    let mut rest = e;
    if signs(&node(e, Level::Choice)) > LINE {
        while let ExprKind::Op(op @ (Op::Add | Op::Sub), es) = &rest.kind {
            let [first, second] = &es[..] else { break };
            let (sign, least) = if *op == Op::Add { ("+", Level::Sum) } else { ("−", Level::Product) };
            terms.push((sign, second, least));
            rest = first;
        }
    }
    let first = if terms.is_empty() { Level::Choice } else { Level::Sign };
    let mut out = vec![("=", node(rest, first))];
    let mut length = signs(&out[0].1);
    for (sign, term, least) in terms.into_iter().rev() {
        let text = node(term, least);
        let more = signs(&text) + 1;
        match out.last_mut() {
            Some((_, line)) if length + more <= LINE => {
                let _ = write!(line, "<mo>{sign}</mo>{text}");
                length += more;
            }
            _ => {
                out.push((sign, text));
                length = more;
            }
        }
    }
    out
}

/// How many signs there are to see: those outside of tags.
fn signs(markup: &str) -> usize {
    let text = markup.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    text.map(|t| t.chars().count()).sum()
}

/// One expression.
pub(super) fn inline(e: &Expr) -> String {
    format!("<math>{}</math>", node(e, Level::Choice))
}

/// The bindings of nested `let`s, in order, and what is left.
fn bindings<'e>(e: &'e Expr, lines: &mut Vec<(&'e str, &'e Expr)>) -> &'e Expr {
    match &e.kind {
        // Two bindings of one name would read as a contradiction.
        ExprKind::Let { bindings: some, body, .. } if some.iter().all(|(n, _)| lines.iter().all(|(o, _)| o != n)) => {
            lines.extend(some.iter().map(|(n, v)| (n.as_str(), v)));
            bindings(body, lines)
        }
        _ => e,
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    let _ = Escaper::new(&mut out).write_str(text);
    out
}

/// A name; digits at its end become an index, and names of Greek letters these letters.
fn variable(name: &str) -> String {
    const GREEK: [(&str, &str); 14] = [
        ("alpha", "α"),
        ("beta", "β"),
        ("gamma", "γ"),
        ("delta", "δ"),
        ("epsilon", "ε"),
        ("eta", "η"),
        ("theta", "θ"),
        ("lambda", "λ"),
        ("mu", "μ"),
        ("rho", "ρ"),
        ("sigma", "σ"),
        ("tau", "τ"),
        ("phi", "φ"),
        ("omega", "ω"),
    ];
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let index = &name[stem.len()..];
    let stem = if stem.is_empty() { name } else { stem };
    let letter = GREEK.iter().find(|(n, _)| *n == stem).map_or(stem, |(_, l)| l);
    if index.is_empty() || stem == name {
        format!("<mi>{}</mi>", escaped(letter))
    } else {
        format!("<msub><mi>{}</mi><mn>{index}</mn></msub>", escaped(letter))
    }
}

fn constant(c: Constant) -> String {
    match c {
        Constant::Pi => "<mi>π</mi>".into(),
        Constant::E => "<mi>e</mi>".into(),
        Constant::Infinity => "<mi>∞</mi>".into(),
        Constant::Pi2 => "<mfrac><mi>π</mi><mn>2</mn></mfrac>".into(),
        Constant::Pi4 => "<mfrac><mi>π</mi><mn>4</mn></mfrac>".into(),
        Constant::Sqrt2 => root("<mn>2</mn>"),
        other => format!("<mi>{}</mi>", other.name()),
    }
}

/// A square root without a bar over its argument, which is an atom or in brackets. How far a bar reaches depends on the
/// font: a radical that is not stretched stands over the numerator of a fraction alone, which is another formula.
fn root(argument: &str) -> String {
    format!("<mrow><mo form=\"prefix\" stretchy=\"false\">√</mo>{argument}</mrow>")
}

/// A spelled number: powers of ten as such, a fraction as a fraction.
fn number(text: &str) -> (String, Level) {
    if let Some((over, under)) = text.split_once('/') {
        return (format!("<mfrac><mn>{}</mn><mn>{}</mn></mfrac>", escaped(over), escaped(under)), Level::Atom);
    }
    let level = if text.starts_with('-') { Level::Sign } else { Level::Atom };
    let decimal = !text.contains('x');
    match text.split_once(['e', 'E']).filter(|_| decimal) {
        Some((digits, power)) => {
            let power = power.trim_start_matches('+').replace('-', "−");
            let digits = escaped(&digits.replace('-', "−"));
            let shown = format!("<mn>{digits}</mn><mo>·</mo><msup><mn>10</mn><mn>{}</mn></msup>", escaped(&power));
            (format!("<mrow>{shown}</mrow>"), Level::Product.min(level))
        }
        None => (format!("<mn>{}</mn>", escaped(&text.replace('-', "−"))), level),
    }
}

/// An expression where at least `least` is wanted: in brackets if it binds less tightly.
fn node(e: &Expr, least: Level) -> String {
    let (text, level) = build(e);
    if level < least { format!("<mrow><mo>(</mo>{text}<mo>)</mo></mrow>") } else { text }
}

fn joined(es: &[Expr], between: &str, least: Level) -> String {
    es.iter().map(|e| node(e, least)).collect::<Vec<_>>().join(between)
}

fn build(e: &Expr) -> (String, Level) {
    match &e.kind {
        ExprKind::Number(n) => number(&n.text),
        ExprKind::Constant(c) => (constant(*c), Level::Atom),
        ExprKind::Var(name) => (variable(name), Level::Atom),
        ExprKind::Op(op, es) => operator(*op, es),
        ExprKind::Compare(c, es) => {
            let sign = match c.name() {
                "<" => "&lt;",
                ">" => "&gt;",
                "<=" => "≤",
                ">=" => "≥",
                "==" => "=",
                _ => "≠",
            };
            (format!("<mrow>{}</mrow>", joined(es, &format!("<mo>{sign}</mo>"), Level::Sign)), Level::Compare)
        }
        ExprKind::And(es) => (format!("<mrow>{}</mrow>", joined(es, "<mo>∧</mo>", Level::Compare)), Level::And),
        ExprKind::Or(es) => (format!("<mrow>{}</mrow>", joined(es, "<mo>∨</mo>", Level::And)), Level::Or),
        ExprKind::Not(e) => (format!("<mrow><mo>¬</mo>{}</mrow>", node(e, Level::Atom)), Level::Compare),
        ExprKind::Classify(class, e) => (apply(class.name(), std::slice::from_ref(&**e)), Level::Atom),
        ExprKind::If(parts) => (cases(parts), Level::Choice),
        ExprKind::Let { bindings, body, .. } => {
            let one = |(n, v): &(String, Expr)| format!("{}<mo>=</mo>{}", variable(n), node(v, Level::Choice));
            let list: Vec<String> = bindings.iter().map(one).collect();
            let list = list.join("<mo>,</mo>");
            (format!("<mrow>{}<mtext>\u{a0}where\u{a0}</mtext>{list}</mrow>", node(body, Level::Choice)), Level::Choice)
        }
        ExprKind::Cast(e) | ExprKind::Annotated(_, e) => build(e),
        ExprKind::Call(name, es) => (apply(name, es), Level::Atom),
        // Mathematics has no signs of its own for these.
        ExprKind::Loop(_) | ExprKind::Array(_) | ExprKind::Ref(_) | ExprKind::Dim(_) | ExprKind::Size(_) => {
            (format!("<mtext>{}</mtext>", escaped(&e.to_string())), Level::Atom)
        }
    }
}

/// A choice as a table, its rows in the order in which they are tried: a choice in place of the second value goes on with
/// rows of its own. Style sheets draw the line at its left: a brace is stretched only where there is a font that can.
fn cases(parts: &[Expr; 3]) -> String {
    let row =
        |value: &Expr, when: &str| format!("<mtr><mtd>{}</mtd><mtd>{when}</mtd></mtr>", node(value, Level::Choice));
    let mut out = String::from("<mtable class=\"cases\">");
    let mut word = "if";
    let mut rest = parts;
    loop {
        let [condition, then, otherwise] = rest;
        out += &row(then, &format!("<mtext>\u{a0}{word}\u{a0}</mtext>{}", node(condition, Level::Choice)));
        let ExprKind::If(more) = &otherwise.kind else {
            out += &row(otherwise, "<mtext>\u{a0}otherwise</mtext>");
            out.push_str("</mtable>");
            return out;
        };
        (word, rest) = ("otherwise if", more);
    }
}

fn apply(name: &str, es: &[Expr]) -> String {
    let list = joined(es, "<mo>,</mo>", Level::Choice);
    format!("<mrow><mi>{}</mi><mo>(</mo>{list}<mo>)</mo></mrow>", escaped(name))
}

/// Whether what stands for it is one sign or number: no fraction, no sign in front, no power of ten beside it.
fn is_bare(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Var(_) => true,
        ExprKind::Number(n) => !n.text.contains(['/', '-', 'e', 'E']) || n.text.starts_with("0x"),
        _ => false,
    }
}

fn operator(op: Op, es: &[Expr]) -> (String, Level) {
    let row = |text: String| format!("<mrow>{text}</mrow>");
    let any = |k: usize| es.get(k).map_or(String::new(), |e| node(e, Level::Choice));
    let at = |k: usize, least: Level| es.get(k).map_or(String::new(), |e| node(e, least));
    let fenced = |l: &str, r: &str| format!("<mrow><mo>{l}</mo>{}<mo>{r}</mo></mrow>", any(0));
    let power = |base: &str| format!("<msup>{base}<mrow>{}</mrow></msup>", any(0));
    match op {
        Op::Add => {
            let rest: Vec<String> = es.iter().skip(1).map(|e| node(e, Level::Sum)).collect();
            (row(format!("{}<mo>+</mo>{}", at(0, Level::Sign), rest.join("<mo>+</mo>"))), Level::Sum)
        }
        Op::Sub => {
            let rest: Vec<String> = es.iter().skip(1).map(|e| node(e, Level::Product)).collect();
            (row(format!("{}<mo>−</mo>{}", at(0, Level::Sign), rest.join("<mo>−</mo>"))), Level::Sum)
        }
        Op::Neg => (row(format!("<mo>−</mo>{}", at(0, Level::Product))), Level::Sign),
        Op::Mul => (row(joined(es, "<mo>·</mo>", Level::Product)), Level::Product),
        Op::Div => {
            // A bar is bracket enough for one divisor.
            let least = if es.len() > 2 { Level::Product } else { Level::Choice };
            let under: Vec<String> = es.iter().skip(1).map(|e| node(e, least)).collect();
            let under = under.join("<mo>·</mo>");
            (format!("<mfrac><mrow>{}</mrow><mrow>{under}</mrow></mfrac>", any(0)), Level::Atom)
        }
        Op::Fma => {
            let product = format!("{}<mo>·</mo>{}", at(0, Level::Product), at(1, Level::Product));
            (row(format!("{product}<mo>+</mo>{}", at(2, Level::Product))), Level::Sum)
        }
        Op::Sqrt if es.first().is_some_and(is_bare) => (root(&any(0)), Level::Atom),
        Op::Sqrt => (root(&row(format!("<mo>(</mo>{}<mo>)</mo>", any(0)))), Level::Atom),
        // A fraction as a base looks like a power of its numerator.
        Op::Pow => {
            let base = if es.first().is_some_and(is_bare) {
                at(0, Level::Atom)
            } else {
                row(format!("<mo>(</mo>{}<mo>)</mo>", any(0)))
            };
            (format!("<msup>{base}<mrow>{}</mrow></msup>", any(1)), Level::Atom)
        }
        Op::Exp => (power("<mi>e</mi>"), Level::Atom),
        Op::Exp2 => (power("<mn>2</mn>"), Level::Atom),
        Op::Fabs => (fenced("|", "|"), Level::Atom),
        Op::Floor => (fenced("⌊", "⌋"), Level::Atom),
        Op::Ceil => (fenced("⌈", "⌉"), Level::Atom),
        Op::Log => (apply("ln", es), Level::Atom),
        Op::Fmin => (apply("min", es), Level::Atom),
        Op::Fmax => (apply("max", es), Level::Atom),
        other => (apply(other.name(), es), Level::Atom),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::parse_file;

    fn shown(body: &str) -> String {
        let file = parse_file(format!("(FPCore (x y) {body})").as_bytes());
        let core = file.cores.into_iter().next().and_then(Result::ok).unwrap();
        let text = inline(&core.body);
        text.trim_start_matches("<math>").trim_end_matches("</math>").replace("<mrow>", "").replace("</mrow>", "")
    }

    #[test]
    fn brackets_stand_where_they_are_needed() {
        let (x, y) = ("<mi>x</mi>", "<mi>y</mi>");
        let cases = [
            ("(- x (- y x))", format!("{x}<mo>−</mo><mo>(</mo>{y}<mo>−</mo>{x}<mo>)</mo>")),
            ("(- (- x y) x)", format!("{x}<mo>−</mo>{y}<mo>−</mo>{x}")),
            ("(* x (+ y x))", format!("{x}<mo>·</mo><mo>(</mo>{y}<mo>+</mo>{x}<mo>)</mo>")),
            ("(* x (- y))", format!("{x}<mo>·</mo><mo>(</mo><mo>−</mo>{y}<mo>)</mo>")),
            ("(- (* x y))", format!("<mo>−</mo>{x}<mo>·</mo>{y}")),
            ("(pow (- x) 2)", format!("<msup><mo>(</mo><mo>−</mo>{x}<mo>)</mo><mn>2</mn></msup>")),
            ("(/ x (+ x y))", format!("<mfrac>{x}{x}<mo>+</mo>{y}</mfrac>")),
            ("(* x -2)", format!("{x}<mo>·</mo><mo>(</mo><mn>−2</mn><mo>)</mo>")),
            ("(+ x (- y))", format!("{x}<mo>+</mo><mo>(</mo><mo>−</mo>{y}<mo>)</mo>")),
            ("(+ (- y) x)", format!("<mo>−</mo>{y}<mo>+</mo>{x}")),
            ("(* x 1e-3)", format!("{x}<mo>·</mo><mn>1</mn><mo>·</mo><msup><mn>10</mn><mn>−3</mn></msup>")),
        ];
        for (body, expected) in cases {
            assert_eq!(shown(body), expected, "{body}");
        }
    }

    /// What a sign stands for is between brackets: no font can make it another formula.
    #[test]
    fn roots_do_not_depend_on_the_font() {
        let (x, y, sign) = ("<mi>x</mi>", "<mi>y</mi>", "<mo form=\"prefix\" stretchy=\"false\">√</mo>");
        for (body, expected) in [
            ("(sqrt x)", format!("{sign}{x}")),
            ("(sqrt 2)", format!("{sign}<mn>2</mn>")),
            ("(sqrt (/ x y))", format!("{sign}<mo>(</mo><mfrac>{x}{y}</mfrac><mo>)</mo>")),
            ("(sqrt 1/2)", format!("{sign}<mo>(</mo><mfrac><mn>1</mn><mn>2</mn></mfrac><mo>)</mo>")),
            ("(* (sqrt (+ x y)) x)", format!("{sign}<mo>(</mo>{x}<mo>+</mo>{y}<mo>)</mo><mo>·</mo>{x}")),
            ("(pow (sqrt x) 3)", format!("<msup><mo>(</mo>{sign}{x}<mo>)</mo><mn>3</mn></msup>")),
            ("(pow 1/2 x)", format!("<msup><mo>(</mo><mfrac><mn>1</mn><mn>2</mn></mfrac><mo>)</mo>{x}</msup>")),
            ("(cbrt (/ x y))", format!("<mi>cbrt</mi><mo>(</mo><mfrac>{x}{y}</mfrac><mo>)</mo>")),
            ("SQRT2", format!("{sign}<mn>2</mn>")),
        ] {
            assert_eq!(shown(body), expected, "{body}");
        }
    }

    #[test]
    fn choices_are_tables_and_go_on_in_their_last_row() {
        let chain = shown("(if (< x 1) x (if (< y 1) y 2))");
        assert_eq!((chain.matches("<mtable").count(), chain.matches("<mtr>").count()), (1, 3), "{chain}");
        let words: Vec<usize> =
            ["\u{a0}if", "otherwise if", "otherwise<"].iter().map(|w| chain.find(w).unwrap()).collect();
        assert!(words.is_sorted(), "{chain}");
        let inner = shown("(if (< x 1) (if (< y 1) y 2) x)");
        assert_eq!((inner.matches("<mtable").count(), inner.matches("<mtr>").count()), (2, 4), "{inner}");
    }

    #[test]
    fn long_sums_become_lines() {
        let term = format!("(* {} x)", vec!["y"; 35].join(" "));
        let lines = |body: &str| {
            let file = parse_file(format!("(FPCore (x y) {body})").as_bytes());
            let core = file.cores.into_iter().next().and_then(Result::ok).unwrap();
            broken(&core.body).into_iter().map(|(sign, _)| sign).collect::<Vec<_>>()
        };
        assert_eq!(lines("(+ (- x y) 1)"), ["="]);
        assert_eq!(lines(&format!("(- (+ (+ x y) {term}) {term})")), ["=", "−"]);
        assert_eq!(lines(&format!("(- (+ {term} {term}) (+ {term} {term}))")), ["=", "+", "−"]);
        assert_eq!(lines(&format!("(* {term} {term})")), ["="]);
    }

    #[test]
    fn bindings_become_lines_and_names_are_escaped() {
        let file = parse_file(b"(FPCore (x1) (let ([rho (* x1 2)]) (sqrt rho)))");
        let core = file.cores.into_iter().next().and_then(Result::ok).unwrap();
        let text = definition("a<b3", &["x1".to_owned()], &core.body);
        assert!(
            text.contains("<mtext>a&lt;b3</mtext>") && text.contains("<msub><mi>x</mi><mn>1</mn></msub>"),
            "{text}"
        );
        assert!(text.contains("where") && text.contains("<mi>ρ</mi>"), "{text}");
    }
}
