//! `matrix.csv`: the kill matrix, a row a test, a column a mutant.

use super::Suite;
use super::table::Table;
use crate::harness;
use crate::suite::Cell;
use crate::unfit::Unfit;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The verdict on a mutant or on an implementation at one test: the one list of such words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Verdict {
    /// Surely wrong: a mutant is killed.
    Ko,
    /// The paper's probable kill of an accuracy mutant.
    Probable,
    /// Right; of a mutant, every valid result of it is.
    Ok,
    /// Neither is sure.
    Uncertain,
    /// Of an implementation: the harness broke at the test.
    None,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Verdict; 5] = [Verdict::Ko, Verdict::Probable, Verdict::Ok, Verdict::Uncertain, Verdict::None];

    /// As it stands in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Ko => "KO",
            Verdict::Probable => "PROBABLE",
            Verdict::Ok => "OK",
            Verdict::Uncertain => "UNCERTAIN",
            Verdict::None => "NONE",
        }
    }

    /// Whether it takes a mutant out.
    #[must_use]
    pub fn is_kill(self) -> bool {
        matches!(self, Verdict::Ko | Verdict::Probable)
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl From<Cell> for Verdict {
    fn from(cell: Cell) -> Self {
        match cell {
            Cell::Ko { .. } => Verdict::Ko,
            Cell::Ok => Verdict::Ok,
            Cell::Uncertain => Verdict::Uncertain,
            Cell::Probable => Verdict::Probable,
        }
    }
}

impl From<Option<harness::Verdict>> for Verdict {
    fn from(verdict: Option<harness::Verdict>) -> Self {
        match verdict {
            Some(harness::Verdict::Ok) => Verdict::Ok,
            Some(harness::Verdict::Ko) => Verdict::Ko,
            Some(harness::Verdict::Uncertain) => Verdict::Uncertain,
            None => Verdict::None,
        }
    }
}

/// `matrix.csv`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// The ids of the tests: the rows.
    pub tests: Vec<String>,
    /// The ids of the mutants: the columns.
    pub mutants: Vec<String>,
    /// For each test the verdict on each mutant.
    pub cells: Vec<Vec<Verdict>>,
}

impl Matrix {
    /// Of what a run found.
    #[must_use]
    pub fn new(suite: &Suite<'_>) -> Self {
        let g = suite.generated;
        Matrix {
            tests: g.tests.iter().map(|t| t.id.clone()).collect(),
            mutants: g.mutants.iter().map(|j| j.mutant.id.clone()).collect(),
            cells: g.matrix.iter().map(|row| row.iter().map(|c| Verdict::from(*c)).collect()).collect(),
        }
    }

    /// The file.
    #[must_use]
    pub fn text(&self) -> Vec<u8> {
        let mut table = Table::new(std::iter::once("test_id").chain(self.mutants.iter().map(String::as_str)));
        for (test, row) in self.tests.iter().zip(&self.cells) {
            table.row(std::iter::once(test.as_str()).chain(row.iter().map(|v| v.name())));
        }
        table.finish()
    }

    /// Reads the file.
    ///
    /// # Errors
    /// A part of a sentence: what is wrong with it.
    pub fn read(bytes: &[u8]) -> Result<Self, Unfit> {
        let mut reader = csv::Reader::from_reader(bytes);
        let header = reader.headers().map_err(|e| e.to_string())?;
        let mutants = header.iter().skip(1).map(str::to_owned).collect();
        let mut matrix = Matrix { tests: Vec::new(), mutants, cells: Vec::new() };
        let verdict = |word: &str| {
            let known = Verdict::ALL.into_iter().find(|v| v.name() == word);
            known.ok_or_else(|| format!("`{word}` is no verdict"))
        };
        for row in reader.records() {
            let row = row.map_err(|e| e.to_string())?;
            matrix.tests.push(row.get(0).unwrap_or_default().to_owned());
            matrix.cells.push(row.iter().skip(1).map(verdict).collect::<Result<_, _>>()?);
        }
        Ok(matrix)
    }
}
