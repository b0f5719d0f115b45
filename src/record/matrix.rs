//! `matrix.csv`: the kill matrix, a row a test. It is the one place that says which test kills which mutant, and most of
//! the cells beside one another are alike: each row has its verdicts by number and letter.

use super::Suite;
use super::table::Table;
use crate::harness;
use crate::suite::{MatrixCell, Row, Unknown};
use crate::unfit::Unfit;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The verdict on a mutant or on an implementation at one test: the one list of such words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum VerdictWord {
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

impl VerdictWord {
    /// Every verdict.
    pub const ALL: [VerdictWord; 5] =
        [VerdictWord::Ko, VerdictWord::Probable, VerdictWord::Ok, VerdictWord::Uncertain, VerdictWord::None];

    /// As it stands in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            VerdictWord::Ko => "KO",
            VerdictWord::Probable => "PROBABLE",
            VerdictWord::Ok => "OK",
            VerdictWord::Uncertain => "UNCERTAIN",
            VerdictWord::None => "NONE",
        }
    }

    /// As it stands in `matrix.csv`.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            VerdictWord::Ko => 'K',
            VerdictWord::Probable => 'P',
            VerdictWord::Ok => 'O',
            VerdictWord::Uncertain => 'U',
            VerdictWord::None => 'N',
        }
    }

    /// Whether it takes a mutant out.
    #[must_use]
    pub fn is_kill(self) -> bool {
        matches!(self, VerdictWord::Ko | VerdictWord::Probable)
    }
}

impl std::fmt::Display for VerdictWord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl Unknown for VerdictWord {
    const UNKNOWN: &'static Self = &VerdictWord::Uncertain;
}

impl From<MatrixCell> for VerdictWord {
    fn from(cell: MatrixCell) -> Self {
        match cell {
            MatrixCell::Ko { .. } => VerdictWord::Ko,
            MatrixCell::Ok => VerdictWord::Ok,
            MatrixCell::Uncertain => VerdictWord::Uncertain,
            MatrixCell::Probable => VerdictWord::Probable,
        }
    }
}

impl From<Option<harness::Verdict>> for VerdictWord {
    fn from(verdict: Option<harness::Verdict>) -> Self {
        match verdict {
            Some(harness::Verdict::Ok) => VerdictWord::Ok,
            Some(harness::Verdict::Ko) => VerdictWord::Ko,
            Some(harness::Verdict::Uncertain) => VerdictWord::Uncertain,
            None => VerdictWord::None,
        }
    }
}

/// The columns of `matrix.csv`.
const COLUMNS: [&str; 2] = ["test_id", "verdicts"];

/// `matrix.csv`: which test kills which mutant. What else says so, says it by this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// The ids of the tests: the rows.
    pub tests: Vec<String>,
    /// For each test the verdict on each mutant, in the order of `mutants.json`.
    pub rows: Vec<Row<VerdictWord>>,
}

impl Matrix {
    /// Of what a run found.
    #[must_use]
    pub fn new(suite: &Suite<'_>) -> Self {
        let g = suite.generated;
        Matrix {
            tests: g.tests.iter().map(|t| t.id.clone()).collect(),
            rows: g.matrix.iter().map(|row| row.map(VerdictWord::from)).collect(),
        }
    }

    /// The mutants that a test kills, surely or probably, in order.
    pub fn kills(&self, test: usize) -> impl Iterator<Item = (usize, VerdictWord)> + '_ {
        self.rows[test].known().filter(|(_, verdict)| verdict.is_kill())
    }

    /// For each of so many mutants the tests that kill it, surely or probably, by place and in order.
    #[must_use]
    pub fn killers(&self, mutants: usize) -> Vec<Vec<usize>> {
        let mut killers = vec![Vec::new(); mutants];
        for test in 0..self.rows.len() {
            self.kills(test).for_each(|(mutant, _)| killers[mutant].push(test));
        }
        killers
    }

    /// The file.
    #[must_use]
    pub fn text(&self) -> Vec<u8> {
        let mut table = Table::new(COLUMNS);
        for (test, row) in self.tests.iter().zip(&self.rows) {
            table.row([test.as_str(), &coded(row)]);
        }
        table.finish()
    }

    /// Reads the file of a run with so many mutants. Of a large run what nobody asked for is not kept.
    ///
    /// # Errors
    /// A part of a sentence: what is wrong with it.
    pub fn read(bytes: &[u8], mutants: usize, is_large: bool) -> Result<Self, Unfit> {
        let mut reader = csv::Reader::from_reader(bytes);
        let header = reader.headers().map_err(|e| e.to_string())?;
        if !header.iter().eq(COLUMNS) {
            return Err(format!("its columns are not {}", COLUMNS.join(", ")).into());
        }
        let mut matrix = Matrix { tests: Vec::new(), rows: Vec::new() };
        for row in reader.records() {
            let row = row.map_err(|e| e.to_string())?;
            let (test, code) = (row.get(0).unwrap_or_default(), row.get(1).unwrap_or_default());
            let cells = decoded(code, mutants).map_err(|why| format!("{test}: {why}"))?;
            let known =
                || (0..).zip(&cells).filter(|(_, v)| **v != VerdictWord::Uncertain).map(|(m, v)| (m, *v)).collect();
            matrix.tests.push(test.to_owned());
            matrix.rows.push(if is_large { Row::Known { mutants, cells: known() } } else { Row::Whole(cells) });
        }
        Ok(matrix)
    }
}

/// The verdicts of a row, each by its letter; of several alike, one after the other, how many before the letter.
fn coded(row: &Row<VerdictWord>) -> String {
    let mut text = String::new();
    let mut push = |count: usize, verdict: VerdictWord| match count {
        0 => {}
        1 => text.push(verdict.letter()),
        _ => text.push_str(&format!("{count}{}", verdict.letter())),
    };
    let (mut alike, mut count, mut next) = (VerdictWord::Uncertain, 0, 0);
    // Between those that are known all are uncertain.
    let end = (row.len(), VerdictWord::Uncertain);
    for (mutant, verdict) in row.known().chain([end]) {
        for (many, verdict) in [(mutant - next, VerdictWord::Uncertain), (usize::from(mutant < row.len()), verdict)] {
            if many > 0 && verdict != alike {
                push(std::mem::take(&mut count), alike);
                alike = verdict;
            }
            count += many;
        }
        next = mutant + 1;
    }
    push(count, alike);
    text
}

/// What [`coded`] made of so many verdicts.
fn decoded(code: &str, mutants: usize) -> Result<Vec<VerdictWord>, String> {
    let mut cells = Vec::with_capacity(mutants);
    for part in code.split_inclusive(|c: char| !c.is_ascii_digit()) {
        let digits = part.trim_end_matches(|c: char| !c.is_ascii_digit());
        let verdict = VerdictWord::ALL.into_iter().find(|v| part[digits.len()..].chars().eq([v.letter()]));
        let verdict = verdict.ok_or_else(|| format!("`{part}` is no verdict"))?;
        let count = if digits.is_empty() { Some(1) } else { digits.parse::<usize>().ok() };
        let count = count.filter(|n| *n <= mutants - cells.len());
        let count = count.ok_or_else(|| format!("it has more than {mutants} verdicts"))?;
        cells.resize(cells.len() + count, verdict);
    }
    match cells.len() == mutants {
        true => Ok(cells),
        false => Err(format!("it has {} verdicts, and there are {mutants} mutants", cells.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_they_are_written() {
        let (ko, ok, open) = (VerdictWord::Ko, VerdictWord::Ok, VerdictWord::Uncertain);
        for (row, text) in [
            (Row::Whole(vec![ko, ko, ok, open, VerdictWord::Probable]), "2KOUP"),
            (Row::Whole(vec![ok; 12]), "12O"),
            (Row::Whole(vec![]), ""),
            (Row::Known { mutants: 9, cells: vec![(2, ko), (3, ko), (5, open), (8, ok)] }, "2U2K4UO"),
            (Row::Known { mutants: 4, cells: vec![(0, ko)] }, "K3U"),
            (Row::Known { mutants: 1000, cells: vec![] }, "1000U"),
        ] {
            assert_eq!(coded(&row), text);
            let cells: Vec<VerdictWord> = (0..row.len()).map(|m| row[m]).collect();
            assert_eq!(decoded(text, row.len()), Ok(cells));
        }
        for (code, mutants) in [("2K", 3), ("4K", 3), ("K2", 3), ("KX", 2), ("99999999999999999999K", 2), ("KéK", 3)] {
            assert!(decoded(code, mutants).is_err(), "{code}");
        }
    }
}
