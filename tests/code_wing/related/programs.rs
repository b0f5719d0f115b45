//! C functions of doubles and of integers, each condition on a line of its own.

use super::{Comparison, PLAIN, STYLES, Style, Term};
use crate::support::compilers::has_clang;
use crate::support::cover::run;
use crate::support::long;
use crate::support::rng::Rng;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A function: where a condition holds it returns the place of that, else it goes on.
struct Function {
    name: String,
    ty: &'static str,
    conditions: Vec<Comparison>,
}

/// Writes a term of a function, and variables before it where the style asks for them.
fn term(of: &Term, style: Style, ty: &str, variables: &mut Vec<String>) -> String {
    let (operation, operands) = match of {
        Term::Unknown(k) => return style.names[*k].to_owned(),
        Term::Number(text) if ty == "double" => return (*text).to_owned(),
        Term::Number("0.5") => return "7".to_owned(),
        Term::Number(text) => return text.trim_end_matches(".0").to_owned(),
        Term::Two(operation, operands) => (operation, operands),
    };
    let [mut a, mut b] = [&operands[0], &operands[1]].map(|t| term(t, style, ty, variables));
    if style.is_turned && "+*".contains(*operation) {
        (a, b) = (b, a);
    }
    let text = match operation {
        '-' if style.adds_negated => format!("({a} + -{b})"),
        _ => format!("({a} {operation} {b})"),
    };
    if !style.names_terms {
        return text;
    }
    variables.push(format!("{ty} t{} = {text};", variables.len()));
    format!("t{}", variables.len() - 1)
}

impl Function {
    fn random(place: usize, rng: &mut Rng) -> Function {
        // What has no sign has no overflow that is undefined.
        let (ty, operations) = *rng.pick(&[("double", &['+', '-', '*', '/'][..]), ("unsigned", &['+', '-', '*'][..])]);
        let count = 2 + rng.below(3);
        let mut conditions: Vec<Comparison> = (0..count).map(|_| Comparison::random(rng, operations)).collect();
        // One that was asked before holds no more.
        let mut again = rng.pick(&conditions).clone();
        again.is_strict = true;
        conditions.push(again);
        Function { name: format!("f{place}"), ty, conditions }
    }

    /// Two lines for each condition, in every style.
    fn text(&self, style: Style) -> String {
        let Function { name, ty, conditions } = self;
        let inputs = style.names.map(|n| format!("{ty} {n}")).join(", ");
        let mut text = format!("int {name}({inputs}) {{\n");
        let mut variables = Vec::new();
        for (place, Comparison { is_strict, terms }) in conditions.iter().enumerate() {
            let before = variables.len();
            let [a, b] = [&terms[0], &terms[1]].map(|t| term(t, style, ty, &mut variables));
            let [less, greater] = if *is_strict { ["<", ">"] } else { ["<=", ">="] };
            let condition = if style.is_turned { format!("{b} {greater} {a}") } else { format!("{a} {less} {b}") };
            let _ = writeln!(text, "  {} if ({condition})", variables[before..].join(" "));
            let _ = writeln!(text, "    return {};", place + 1);
        }
        text + "  return 0;\n}\n"
    }
}

/// What is claimed of the branches, by function, line and the line they lead to.
fn claims(functions: &[Function], style: Style) -> BTreeMap<(String, u64, u64), String> {
    let folder = tempfile::tempdir().unwrap();
    let text: String = functions.iter().map(|f| f.text(style)).collect();
    std::fs::write(folder.path().join("all.c"), &text).unwrap();
    let mut arguments = vec!["cover", "all.c", "--json", "--no-native", "--evaluations", "400"];
    arguments.extend(functions.iter().flat_map(|f| ["--fn", &f.name]));
    let answer = run(folder.path(), &arguments);
    assert_eq!(answer.code, Some(0), "{}\n{text}", answer.err);
    answer.branches().into_iter().map(|b| ((b.function, b.line, b.to), b.status)).collect()
}

#[test]
fn related_programs_have_the_same_branches() {
    if !has_clang() {
        return;
    }
    let count = if long() { 60 } else { 5 };
    let mut rng = Rng(29);
    let functions: Vec<Function> = (0..count).map(|place| Function::random(place, &mut rng)).collect();
    let plain = claims(&functions, PLAIN);
    let number = |status: &str| plain.values().filter(|s| *s == status).count();
    assert!(number("taken") > 2 * count, "{plain:?}");
    assert!(number("infeasible") > 0, "{plain:?}");
    for (what, style) in STYLES {
        let other = claims(&functions, style);
        assert_eq!(plain.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>(), "{what}");
        for (branch, status) in &plain {
            let pair = [status.as_str(), other[branch].as_str()];
            let contradict = pair.contains(&"taken") && pair.contains(&"infeasible");
            assert!(!contradict, "{what}, {branch:?}: {pair:?}");
        }
    }
}
