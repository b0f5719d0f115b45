//! What must not change an answer about code or floats: names, the order of operands and of conditions, a difference for the sum with the
//! negated, a name for a term, a cut of the inputs in two. Two questions that are related so must not be answered in opposite ways.

mod all_inputs;
mod programs;
mod scripts;

use crate::support::rng::Rng;

/// A term over three unknowns.
#[derive(Clone, Debug)]
enum Term {
    Unknown(usize),
    Number(&'static str),
    /// The operation, and its operands.
    Two(char, Box<[Term; 2]>),
}

impl Term {
    fn random(rng: &mut Rng, depth: usize, operations: &[char]) -> Term {
        if depth == 0 || rng.below(5) == 0 {
            return match rng.below(4) {
                0 => Term::Number(["1.0", "2.0", "3.0", "0.5", "10.0"][rng.below(5)]),
                _ => Term::Unknown(rng.below(3)),
            };
        }
        let operands = [(); 2].map(|()| Term::random(rng, depth - 1, operations));
        Term::Two(*rng.pick(operations), Box::new(operands))
    }
}

/// A comparison of two terms: less, or at most.
#[derive(Clone, Debug)]
struct Comparison {
    is_strict: bool,
    terms: [Term; 2],
}

impl Comparison {
    fn random(rng: &mut Rng, operations: &[char]) -> Comparison {
        let is_strict = rng.below(2) == 0;
        let depth = 1 + rng.below(3);
        Comparison { is_strict, terms: [(); 2].map(|()| Term::random(rng, depth, operations)) }
    }
}

/// How something is written.
#[derive(Clone, Copy, Debug)]
struct Style {
    names: [&'static str; 3],
    /// Operands of sums and products in the other order, and comparisons from the other side.
    is_turned: bool,
    /// A difference as the sum with the negated.
    adds_negated: bool,
    /// Each operation has a name of its own.
    names_terms: bool,
}

const PLAIN: Style = Style { names: ["x", "y", "z"], is_turned: false, adds_negated: false, names_terms: false };

const STYLES: [(&str, Style); 4] = [
    ("names", Style { names: ["ulp_7", "a", "k"], ..PLAIN }),
    ("order", Style { is_turned: true, ..PLAIN }),
    ("negated", Style { adds_negated: true, ..PLAIN }),
    ("named terms", Style { names_terms: true, ..PLAIN }),
];
