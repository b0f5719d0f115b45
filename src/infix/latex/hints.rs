//! What helps where a formula in LaTeX cannot be read.

use super::lex::PieceKind;
use super::operand;
use crate::text::nearest;

/// What to write instead of commands that are no part of a formula.
const COMMANDS: &[(&[&str], &str)] = &[
    (&["pm", "mp"], "it stands for two formulas: write one of them"),
    (&["sum", "int", "prod", "lim", "iint", "oint"], "sums, integrals and limits are no plain formulas"),
    (&["partial", "nabla"], "derivatives are not taken: write the formula that they give"),
    (&["\\", "begin", "end"], "one formula is read, and `\\begin{cases}`"),
    (&["%"], "write `\\frac{x}{100}`"),
    (&["infty"], "no number is infinite"),
    (&["vec", "mathbf", "boldsymbol", "bm", "lVert", "Vert", "|"], "a formula is over numbers, and not over vectors"),
    (&["in", "notin"], "a range stands before the formula: `x: [0, 1] -> …`"),
    (&["approx", "sim", "simeq", "equiv", "propto"], "one formula is read: leave out one of the two sides"),
    (&["mod", "bmod", "pmod"], "write `a - b\\lfloor\\frac{a}{b}\\rfloor`"),
    (&["binom", "dbinom", "tbinom", "choose"], "write `\\frac{\\Gamma(n+1)}{\\Gamma(k+1)\\Gamma(n-k+1)}`"),
    (&["ldots", "cdots", "dots"], "dots stand for terms: write all of them"),
    (&["prime"], "name a variable otherwise, as in `x_1`"),
    (&["sgn", "sign", "sinc", "erf", "erfc"], "a function without a command of its own is `\\operatorname{sgn}`"),
    (&["Re", "Im", "imath", "jmath"], "a formula is over the real numbers"),
];

/// What helps at a piece at which something else was expected.
pub(super) fn hint(piece: &PieceKind) -> Option<String> {
    let fixed = match piece {
        PieceKind::Command(name) => {
            let row = COMMANDS.iter().find(|(names, _)| names.contains(&name.as_str()));
            let meant = || nearest(name, operand::commands()).map(|near| format!("did you mean `\\{near}`?"));
            return row.map(|(_, hint)| (*hint).to_owned()).or_else(meant);
        }
        PieceKind::Sign('=') => "a name and `=` may stand before the formula",
        PieceKind::Sign('!') => "write `\\Gamma(n+1)` for a factorial",
        PieceKind::Sign('&') => "leave out what aligns lines",
        PieceKind::Sign('\'') => "name a variable otherwise, as in `x_1`",
        PieceKind::Number(..) => "numbers beside each other are no product: write `\\cdot`",
        _ => return None,
    };
    Some(fixed.to_owned())
}
