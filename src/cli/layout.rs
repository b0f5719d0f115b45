//! How a test file is laid out, as options.

use super::exit::Failure;
use clap::Args;
use magneto::testfile::{DecimalMark, Delimiter, Layout, Scale, pairs};

/// What a person says of a test file.
#[derive(Args)]
pub(crate) struct LayoutOptions {
    /// Which column holds a field, by its name or its place from 1: q=Pressure,expected=Result. Fields are the inputs, test_id,
    /// expected, lo, hi, abs_tol and rel_tol. Default: the column of its name
    #[arg(long, value_name = "FIELD=COLUMN,…")]
    map: Vec<String>,
    /// What makes a field's number from the column's, exactly: p=1000, T=1+273.15. Default: the column's number
    #[arg(long, value_name = "FIELD=FACTOR[+OFFSET],…", allow_hyphen_values = true)]
    scale: Vec<String>,
    /// The sheet of a workbook. Default: the only one with a column for each input
    #[arg(long, value_name = "NAME")]
    sheet: Option<String>,
    /// What separates cells: comma, semicolon, tab, bar, space. Default: what gives a column to each input
    #[arg(long, value_name = "NAME", value_parser = delimiter)]
    delimiter: Option<Delimiter>,
    /// The decimal mark: point, comma. Default: what the file has, if no number can be read in two ways
    #[arg(long, value_name = "MARK", value_parser = mark)]
    decimal: Option<DecimalMark>,
    /// In test code, the function that assertions call. Default: the specification's name
    #[arg(long = "fn", value_name = "NAME")]
    function: Option<String>,
    /// Refuse a file of which anything has to be understood without being said
    #[arg(long)]
    strict: bool,
}

fn delimiter(text: &str) -> Result<Delimiter, String> {
    Delimiter::read(text).ok_or_else(|| "comma, semicolon, tab, bar or space is meant".to_owned())
}

fn mark(text: &str) -> Result<DecimalMark, String> {
    match text {
        "." | "point" => Ok(DecimalMark::Point),
        "," | "comma" => Ok(DecimalMark::Comma),
        _ => Err("point or comma is meant".to_owned()),
    }
}

impl LayoutOptions {
    /// As the reader of test files takes it.
    pub(crate) fn layout(&self) -> Result<Layout, Failure> {
        let all = |list: &[String], flag: &str| -> Result<Vec<(String, String)>, Failure> {
            let read = list.iter().map(|t| pairs(t).map_err(|e| Failure::usage(format!("{flag}: {e}"))));
            Ok(read.collect::<Result<Vec<_>, _>>()?.concat())
        };
        let scale = |(name, text): (String, String)| match Scale::read(&text) {
            Ok(scale) => Ok((name, scale)),
            Err(e) => Err(Failure::usage(format!("--scale {name}: {e}"))),
        };
        Ok(Layout {
            map: all(&self.map, "--map")?,
            scale: all(&self.scale, "--scale")?.into_iter().map(scale).collect::<Result<_, _>>()?,
            sheet: self.sheet.clone(),
            delimiter: self.delimiter,
            decimal: self.decimal,
            function: self.function.clone(),
            strict: self.strict,
        })
    }
}
