//! `matrix.csv`: the kill matrix, a row a test, a column a mutant. Of a large run a row a verdict: what nobody asked for is
//! left out.

use super::Suite;
use super::table::Table;
use crate::harness;
use crate::suite::{Cell, Row, Unknown};
use crate::unfit::Unfit;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

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

impl Unknown for Verdict {
    const UNKNOWN: &'static Self = &Verdict::Uncertain;
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

/// The columns of a row a verdict. No run of two mutants has these: ids of mutants are hexadecimal.
const VERDICTS: [&str; 3] = ["test_id", "mutant_id", "verdict"];

/// `matrix.csv`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// The ids of the tests: the rows.
    pub tests: Vec<String>,
    /// The ids of the mutants: the columns.
    pub mutants: Vec<String>,
    /// For each test the verdict on each mutant.
    pub rows: Vec<Row<Verdict>>,
}

impl Matrix {
    /// Of what a run found.
    #[must_use]
    pub fn new(suite: &Suite<'_>) -> Self {
        let g = suite.generated;
        Matrix {
            tests: g.tests.iter().map(|t| t.id.clone()).collect(),
            mutants: g.mutants.iter().map(|j| j.mutant.id.clone()).collect(),
            rows: g.matrix.iter().map(|row| row.map(Verdict::from)).collect(),
        }
    }

    /// The file. Of a large run the verdicts that are sure or probable, one a row.
    #[must_use]
    pub fn text(&self, is_large: bool) -> Vec<u8> {
        if is_large {
            let mut table = Table::new(VERDICTS);
            for (test, row) in self.tests.iter().zip(&self.rows) {
                for (mutant, verdict) in row.known().filter(|(_, v)| *v != Verdict::Uncertain) {
                    table.row([test, self.mutants[mutant].as_str(), verdict.name()]);
                }
            }
            return table.finish();
        }
        let mut table = Table::new(std::iter::once("test_id").chain(self.mutants.iter().map(String::as_str)));
        for (test, row) in self.tests.iter().zip(&self.rows) {
            table.row(std::iter::once(test.as_str()).chain((0..row.len()).map(|m| row[m].name())));
        }
        table.finish()
    }

    /// Reads the file; of a large run what it is about stands elsewhere.
    ///
    /// # Errors
    /// A part of a sentence: what is wrong with it.
    pub fn read(bytes: &[u8], tests: &[&str], mutants: &[&str]) -> Result<Self, Unfit> {
        let mut reader = csv::Reader::from_reader(bytes);
        let header = reader.headers().map_err(|e| e.to_string())?;
        let verdict = |word: &str| {
            let known = Verdict::ALL.into_iter().find(|v| v.name() == word);
            known.ok_or_else(|| format!("`{word}` is no verdict"))
        };
        if header.iter().eq(VERDICTS) {
            let owned = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>();
            let row_of: HashMap<&str, usize> = tests.iter().copied().zip(0..).collect();
            let column_of: HashMap<&str, u32> = mutants.iter().copied().zip(0..).collect();
            let mut rows: Vec<Vec<(u32, Verdict)>> = vec![Vec::new(); tests.len()];
            for row in reader.records() {
                let row = row.map_err(|e| e.to_string())?;
                let cell = |k: usize| row.get(k).unwrap_or_default();
                let place = row_of.get(cell(0)).zip(column_of.get(cell(1)));
                let (test, mutant) =
                    place.ok_or_else(|| format!("there is no test `{}` or no mutant `{}`", cell(0), cell(1)))?;
                rows[*test].push((*mutant, verdict(cell(2))?));
            }
            rows.iter_mut().for_each(|cells| cells.sort_by_key(|(mutant, _)| *mutant));
            let row = |cells| Row::Known { mutants: mutants.len(), cells };
            return Ok(Matrix {
                tests: owned(tests),
                mutants: owned(mutants),
                rows: rows.into_iter().map(row).collect(),
            });
        }
        let mutants = header.iter().skip(1).map(str::to_owned).collect();
        let mut matrix = Matrix { tests: Vec::new(), mutants, rows: Vec::new() };
        for row in reader.records() {
            let row = row.map_err(|e| e.to_string())?;
            matrix.tests.push(row.get(0).unwrap_or_default().to_owned());
            matrix.rows.push(Row::Whole(row.iter().skip(1).map(verdict).collect::<Result<_, _>>()?));
        }
        Ok(matrix)
    }
}
