//! Which column holds which field of a test.

use super::columns::{AFTER, INTEGER};
use super::layout::{Guesses, Layout};
use super::number::{At, Wrong, literal};
use crate::text::{Span, nearest, quote};
use std::borrow::Cow;

/// What people call the column of a test's name; the first that is there counts.
const NAMES: [&str; 4] = ["id", "name", "test", "test_name"];
/// The same as they stand in other people's tables.
const OTHER_NAMES: [&str; 7] = ["testid", "testname", "testcase", "case", "caseid", "nr", "no"];
/// What people call the column of what they expect, which may be something else as well.
const PERHAPS_EXPECTED: [&str; 6] = ["result", "output", "reference", "y", "out", "value"];

/// The fields of a test by name, and what is said of where they are.
pub(super) struct Fields {
    /// The names of inputs, then those of the other fields.
    pub(super) names: Vec<String>,
    /// How many of them are inputs.
    pub(super) inputs: usize,
    pub(super) layout: Layout,
}

/// What a header says.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    /// The column of each field.
    pub(super) places: Vec<Option<usize>>,
    /// The names of columns that are ignored.
    pub(super) ignored: Vec<String>,
    /// Whether the tests have their names from another column than `test_id`.
    pub(super) otherwise: bool,
    /// How many cells a row has.
    pub(super) width: usize,
    /// What was understood: the column, and what of it.
    pub(super) understood: Vec<(usize, String)>,
    /// The unit that the header gives of a field.
    pub(super) units: Vec<Option<String>>,
    /// Whether the row is no header, but the first test.
    pub(super) is_test: bool,
}

/// The one of some columns that names the tests, where there is no `test_id`.
pub(super) fn other_name(columns: &[String]) -> Option<&'static str> {
    NAMES.into_iter().find(|name| columns.iter().any(|c| c == name))
}

/// A name without what people write differently: case, spaces, hyphens.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !"_-.".contains(*c)).flat_map(char::to_lowercase).collect()
}

/// A header cell without the unit behind it, and the unit: `p [kPa]`, `p (kPa)`, `p in kPa`, `p / kPa`.
fn without_unit(text: &str) -> (&str, Option<&str>) {
    for (open, close) in [('[', ']'), ('(', ')')] {
        if let Some((name, unit)) = text.strip_suffix(close).and_then(|t| t.split_once(open))
            && !name.trim().is_empty()
        {
            return (name.trim(), Some(unit.trim()));
        }
    }
    for between in [" in ", " / "] {
        if let Some((name, unit)) = text.split_once(between) {
            return (name.trim(), Some(unit.trim()));
        }
    }
    (text, None)
}

impl Fields {
    /// The columns that a row names, as its cells' texts; with the cell that is to blame where it does not.
    pub(super) fn find(&self, header: &[Cow<'_, str>]) -> Result<Columns, (Option<usize>, Wrong)> {
        let width = header.iter().rposition(|h| !h.is_empty()).map_or(0, |last| last + 1);
        let header = &header[..width];
        let mut columns = Columns {
            places: vec![None; self.names.len()],
            units: vec![None; self.names.len()],
            width,
            ..Columns::default()
        };
        self.find_said(header, &mut columns)?;
        for (column, text) in header.iter().enumerate() {
            let Some(field) = self.names.iter().position(|n| n == text) else { continue };
            match columns.places[field] {
                Some(_) if self.is_said(field) => {}
                Some(_) => return Err((Some(column), Wrong::new(format!("there are two columns {}", quote(text))))),
                None => columns.places[field] = Some(column),
            }
        }
        self.find_name(header, &mut columns);
        self.find_alike(header, &mut columns);
        let free = |c: &usize| !columns.places.contains(&Some(*c));
        let ignored: Vec<String> = (0..width).filter(free).map(|c| header[c].to_string()).collect();
        let missing: Vec<usize> = (0..self.inputs).filter(|i| columns.places[*i].is_none()).collect();
        if !missing.is_empty() {
            return Err((None, self.missing(&missing, header, &ignored)));
        }
        let names = ignored.into_iter().filter(|n| !n.is_empty() && !self.is_written(n));
        columns.ignored = names.collect();
        Ok(columns)
    }

    fn is_said(&self, field: usize) -> bool {
        self.layout.map.iter().any(|(name, _)| *name == self.names[field])
    }

    /// The columns that the person named.
    fn find_said(&self, header: &[Cow<'_, str>], columns: &mut Columns) -> Result<(), (Option<usize>, Wrong)> {
        for (name, column) in &self.layout.map {
            let Some(field) = self.names.iter().position(|n| n == name) else { continue };
            let at = header.iter().position(|h| h == column).or_else(|| {
                let mut alike = header.iter().enumerate().filter(|(_, h)| plain(h) == plain(column)).map(|(at, _)| at);
                alike.next().filter(|_| alike.next().is_none())
            });
            let place = || column.parse::<usize>().ok().filter(|n| (1..=header.len()).contains(n)).map(|n| n - 1);
            let Some(at) = at.or_else(place) else {
                let wrong = Wrong::new(format!("--map {name}={column}: there is no column {}", quote(column)));
                let near = nearest(column, header.iter().map(AsRef::as_ref));
                let list = || header.iter().map(|h| quote(h)).collect::<Vec<_>>().join(", ");
                let hint =
                    near.map_or_else(|| format!("the columns are {}", list()), |n| format!("is {} meant?", quote(n)));
                return Err((None, wrong.hint(hint)));
            };
            columns.places[field] = Some(at);
        }
        // Where all inputs are said by place, the row may be the first test.
        let is_number = |i: usize| {
            let cell = columns.places[i].map(|c| header[c].replacen(',', ".", 1));
            self.is_said(i) && cell.is_some_and(|c| literal(&c).is_ok())
        };
        columns.is_test = (0..self.inputs).all(is_number);
        Ok(())
    }

    fn find_name(&self, header: &[Cow<'_, str>], columns: &mut Columns) {
        let id = self.inputs;
        if columns.is_test || columns.places[id].is_some() {
            return;
        }
        let free: Vec<String> =
            (0..header.len()).filter(|c| !columns.places.contains(&Some(*c))).map(|c| header[c].to_string()).collect();
        if let Some(name) = other_name(&free) {
            columns.places[id] = header.iter().position(|h| h == name);
            columns.otherwise = true;
        }
    }

    /// Columns whose names differ in case, spaces or a unit alone.
    fn find_alike(&self, header: &[Cow<'_, str>], columns: &mut Columns) {
        if columns.is_test {
            return;
        }
        for field in 0..self.names.len() {
            if columns.places[field].is_some() {
                continue;
            }
            let name = self.names[field].trim_start_matches("input.");
            let of = |text: &str| {
                let (bare, unit) = without_unit(text);
                (bare == name || plain(bare) == plain(name) || plain(text) == plain(name))
                    .then(|| unit.map(str::to_owned))
            };
            let by_name = |text: &str| {
                let is_name = field == self.inputs && OTHER_NAMES.contains(&plain(text).as_str());
                of(text).or(is_name.then_some(None))
            };
            let free = |c: &usize| !columns.places.contains(&Some(*c));
            let mut found = (0..header.len()).filter(free).filter_map(|c| Some((c, by_name(&header[c])?)));
            let (Some((column, unit)), None) = (found.next(), found.next()) else { continue };
            // Of two inputs that differ in case alone, none is meant by a third spelling, unless it has the name itself.
            let rivals = self.names.iter().filter(|n| plain(n) == plain(name)).count();
            if rivals > 1 && without_unit(&header[column]).0 != name {
                continue;
            }
            columns.understood.push((column, format!("read column {} as {name}", quote(&header[column]))));
            columns.units[field] = unit;
            columns.places[field] = Some(column);
            columns.otherwise |= field == self.inputs;
        }
    }

    fn missing(&self, missing: &[usize], header: &[Cow<'_, str>], ignored: &[String]) -> Wrong {
        let (names, inputs) = (&self.names, self.inputs);
        let list = missing.iter().map(|i| quote(&names[*i])).collect::<Vec<_>>().join(", ");
        let wrong = Wrong::new(format!("there is no column {list}"));
        let first = &names[missing[0]];
        let numbers = header.iter().filter(|h| literal(h).is_ok()).count();
        if numbers > 0 {
            let places: Vec<String> =
                names[..inputs].iter().enumerate().map(|(k, n)| format!("{n}={}", k + 1)).collect();
            let line = names[..inputs].join(",");
            return wrong.hint(format!("the first line names the columns: {line}; or say --map {}", places.join(",")));
        }
        match nearest(first, ignored.iter().map(String::as_str)) {
            Some(near) => wrong.hint(format!("is {} meant? Then say --map {first}={near}", quote(near))),
            None => wrong.hint(format!(
                "the inputs are {}; --map {first}=COLUMN says which column has it",
                names[..inputs].join(", ")
            )),
        }
    }

    /// Whether a column is one that Magneto itself writes for people, or for itself.
    pub(super) fn is_written(&self, name: &str) -> bool {
        AFTER.contains(&name)
            || ["id", "inputs_dec", "probable", "target"].contains(&name)
            || ["_dec", INTEGER]
                .iter()
                .any(|end| name.strip_suffix(end).is_some_and(|n| self.names[..self.inputs].iter().any(|i| i == n)))
            || name.strip_suffix(INTEGER).is_some_and(|n| AFTER.contains(&n))
    }

    /// A note on ignored columns of which one may hold what is expected.
    pub(super) fn perhaps_expected(&self, columns: &Columns) -> Option<String> {
        let expected = self.names.iter().position(|n| n == "expected")?;
        if columns.places[expected].is_some() {
            return None;
        }
        let alike = |n: &&String| PERHAPS_EXPECTED.contains(&plain(without_unit(n).0).as_str());
        let name = columns.ignored.iter().find(alike)?;
        Some(format!("--map expected={name} reads {} as what is expected", quote(name)))
    }

    /// Tells what was understood of a header, at its cells' places.
    pub(super) fn tell(
        &self,
        columns: &Columns,
        span: impl Fn(usize) -> Span,
        guesses: &mut Guesses,
    ) -> Result<(), At> {
        for (column, what) in &columns.understood {
            guesses.take(span(*column), what, "name the column by --map")?;
        }
        Ok(())
    }
}
