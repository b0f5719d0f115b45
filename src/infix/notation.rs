//! The notations in which formulas are written.

/// A way to write formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Notation {
    /// What C, Python, MATLAB and Julia agree on, with `^` and `**` for powers.
    Plain,
    /// C and C++.
    C,
    /// Python, with names of `math`, NumPy and SciPy.
    Python,
    /// MATLAB and Octave.
    Matlab,
    /// Julia.
    Julia,
    /// SymPy: its expressions, and what `srepr` prints.
    Sympy,
    /// LaTeX, as textbooks write formulas.
    Latex,
}

impl Notation {
    /// Every notation.
    pub const ALL: [Notation; 7] = [
        Notation::Plain,
        Notation::C,
        Notation::Python,
        Notation::Matlab,
        Notation::Julia,
        Notation::Sympy,
        Notation::Latex,
    ];

    /// Its name for flags.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Notation::Plain => "plain",
            Notation::C => "c",
            Notation::Python => "python",
            Notation::Matlab => "matlab",
            Notation::Julia => "julia",
            Notation::Sympy => "sympy",
            Notation::Latex => "latex",
        }
    }

    /// Its name in a sentence.
    pub(super) fn title(self) -> &'static str {
        match self {
            Notation::Plain => "plain notation",
            Notation::C => "C",
            Notation::Python => "Python",
            Notation::Matlab => "MATLAB",
            Notation::Julia => "Julia",
            Notation::Sympy => "SymPy",
            Notation::Latex => "LaTeX",
        }
    }

    /// The notation of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Notation> {
        Notation::ALL.into_iter().find(|n| n.name() == name)
    }
}
