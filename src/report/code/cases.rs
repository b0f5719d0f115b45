//! The tests of a run's folder, as needed to write code.

use super::names::{comment, identifier, identifiers};
use crate::floats::Format;
use crate::record::cover::CoveredFunction;
use crate::record::manifest::ManifestInput;
use crate::record::manifest::VERSION;
use crate::record::number::{from_hex, rough};
use crate::record::read::covered;
use crate::record::tests::TestRow;
use crate::record::worst::Worst;
use crate::record::{self, Fields, Part, ReadError, VerdictWord};
use crate::spec::{ResultPlace, parse_file};
use std::path::Path;

/// How many mutants a comment names.
const NAMED: usize = 8;

/// What a test asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Duty {
    /// A result from `lo` to `hi`.
    Within {
        /// The smallest.
        lo: f64,
        /// The largest.
        hi: f64,
    },
    /// The response owed outside the domain: `reject`, `nan` or `saturate`.
    Response(String),
}

/// One test.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeCase {
    /// Its id.
    pub id: String,
    /// A value for each input.
    pub input: Vec<f64>,
    /// What it asks for.
    pub duty: Duty,
    /// Why it is there and what it kills, on one line.
    pub why: String,
}

/// An argument of the function under test: a number, or an array of the inputs that are its elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeArgument {
    /// Its name, an identifier.
    pub name: String,
    /// The format of its numbers.
    pub format: Format,
    /// Of an array its sizes, the outermost first; none of a number.
    pub sizes: Vec<usize>,
    /// The place of its first input.
    pub first: usize,
}

impl CodeArgument {
    /// Those that inputs of these names belong to: `A[0][0]`, `A[0][1]` are elements of an argument `A`.
    fn of_inputs(inputs: &[ManifestInput]) -> Option<Vec<Self>> {
        let mut all: Vec<CodeArgument> = Vec::new();
        let mut spelled: Vec<&str> = Vec::new();
        for (first, input) in inputs.iter().enumerate() {
            let (name, places) = input.name.split_once('[').unwrap_or((&input.name, ""));
            if places.is_empty() || spelled.last() != Some(&name) {
                let format = Format::from_name(&input.format)?;
                all.push(CodeArgument { name: String::new(), format, sizes: Vec::new(), first });
                spelled.push(name);
            }
            if !places.is_empty() {
                // The last element has the largest places.
                let places = places.trim_end_matches(']').split("][");
                all.last_mut()?.sizes =
                    places.map(|k| k.parse::<usize>().ok().map(|k| k + 1)).collect::<Option<_>>()?;
            }
        }
        all.iter_mut().zip(identifiers(spelled)).for_each(|(argument, name)| argument.name = name);
        let ends = all.iter().map(|argument| argument.first).skip(1).chain([inputs.len()]);
        all.iter().zip(ends).all(|(argument, end)| argument.first + argument.count() == end).then_some(all)
    }

    /// How many numbers it has.
    fn count(&self) -> usize {
        self.sizes.iter().product()
    }

    /// The argument as an expression of the texts of all inputs; `array` makes one of the texts of its elements.
    pub(super) fn expression(&self, inputs: &[String], array: &dyn Fn(&[String]) -> String) -> String {
        fn nested(elements: &[String], sizes: &[usize], array: &dyn Fn(&[String]) -> String) -> String {
            let Some((count, inner)) = sizes.split_first() else { return elements.concat() };
            let parts = elements.chunks(elements.len() / count);
            array(&parts.map(|part| nested(part, inner, array)).collect::<Vec<_>>())
        }
        nested(&inputs[self.first..self.first + self.count()], &self.sizes, array)
    }
}

/// The tests of one specification.
#[derive(Clone, Debug)]
pub struct CodeCases {
    /// The name of the specification as an identifier.
    pub ident: String,
    /// What the function under test is called by default, as an identifier.
    pub function: String,
    /// Of a function that returns an array, the element that the tests are about.
    pub place: Option<ResultPlace>,
    /// The inputs as identifiers, with their formats.
    pub inputs: Vec<(String, Format)>,
    /// The arguments that the inputs are, or are elements of.
    pub arguments: Vec<CodeArgument>,
    /// The sizes of arrays that have a name, as identifiers with their values.
    pub sizes: Vec<(String, usize)>,
    /// The format of the result.
    pub result: Format,
    /// The requirement.
    pub requirement: Option<String>,
    /// What a file's first comment says, line by line.
    pub about: Vec<String>,
    /// Whether what found the tests was interrupted, so that others may be missing.
    pub interrupted: bool,
    /// Tests at inputs of the domain.
    pub inside: Vec<CodeCase>,
    /// Tests at other inputs.
    pub outside: Vec<CodeCase>,
    pub(super) csv: String,
    pub(super) json: String,
    /// The run, if they are those of one.
    pub(super) run: Option<Part>,
}

/// Reads the tests of all specifications of a run, or the inputs that `worst` or `cover` left in a folder of its own.
///
/// # Errors
/// A sentence that says what is missing or does not fit.
pub fn read(dir: &Path) -> Result<Vec<CodeCases>, ReadError> {
    if let Some(found) = record::read::worst(dir)? {
        return Ok(vec![searched(dir, &found)?]);
    }
    let mut all: Vec<CodeCases> = match covered(dir)? {
        Some(functions) => {
            functions.iter().map(|(folder, found)| inputs_of(&dir.join(folder), found)).collect::<Result<_, _>>()?
        }
        None => {
            let folders = record::read::folders(dir)?;
            folders.iter().map(|folder| one(&dir.join(folder))).collect::<Result<_, _>>()?
        }
    };
    let names = identifiers(all.iter().map(|c| c.ident.as_str()).collect::<Vec<_>>());
    all.iter_mut().zip(names).for_each(|(cases, name)| cases.ident = name);
    Ok(all)
}

fn one(folder: &Path) -> Result<CodeCases, ReadError> {
    let part = Part::read(folder)?;
    let Part { manifest, tests, mutants, matrix, .. } = &part;
    let broken = |file: &str, what: &str| ReadError::Misfit(format!("{} lacks {what}", folder.join(file).display()));
    let about = &manifest.specification;
    let Takes { inputs, arguments, result } =
        takes(&about.inputs, &about.result_format).ok_or_else(|| broken("manifest.json", "a format"))?;
    let spelled: Vec<&str> = about.inputs.iter().map(|i| i.name.as_str()).collect();
    let (mut inside, mut outside) = (Vec::new(), Vec::new());
    for (place, test) in tests.tests.iter().enumerate() {
        let kills = |wanted: VerdictWord| -> Vec<&str> {
            let some = matrix.kills(place).filter(|(_, verdict)| *verdict == wanted);
            some.map(|(m, _)| mutants.mutants[m].id.as_str()).collect()
        };
        let needs = || broken("tests.json", &format!("what test `{}` needs", test.id));
        let case = case(test, &spelled, [kills(VerdictWord::Ko), kills(VerdictWord::Probable)]).ok_or_else(needs)?;
        match &case.duty {
            Duty::Within { .. } => inside.push(case),
            // Nothing is owed, so that there is nothing to test.
            Duty::Response(r) if r == "any" => {}
            Duty::Response(_) => outside.push(case),
        }
    }
    let (name, accuracy) = (&about.name, &about.accuracy);
    let traced = about.requirement.as_ref().map_or(String::new(), |r| format!(" [{r}]"));
    let about_lines = [
        format!("Tests of {name}{traced}, {} {VERSION} from {}. Do not edit.", super::MARK, about.file),
        format!("Accuracy: {accuracy}. A right result y satisfies lo <= y && y <= hi; NaN and infinities do not."),
        "The ids in `kills` are those of mutants.csv; `magneto report --format trace` has all of them.".to_owned(),
    ];
    let core = parse_file(about.core.as_bytes()).cores.into_iter().next().and_then(Result::ok);
    let place = core.as_ref().and_then(ResultPlace::of_array);
    let own = core.and_then(|core| core.ident).filter(|_| place.is_some());
    Ok(CodeCases {
        ident: identifier(name),
        function: own.map_or_else(|| function_of(name, place, &about.sizes), |own| identifier(&own)),
        place,
        inputs,
        arguments,
        sizes: sizes_of(&about.sizes),
        result,
        requirement: about.requirement.clone(),
        about: with_end(&about_lines, manifest.interrupted),
        interrupted: manifest.interrupted,
        inside,
        outside,
        csv: raw(folder, "tests.csv")?,
        json: raw(folder, "tests.json")?,
        run: Some(part),
    })
}

/// The tests that a search for the worst input left.
fn searched(folder: &Path, found: &Worst) -> Result<CodeCases, ReadError> {
    let path = folder.join("worst.json");
    let misfit = |what: &str| ReadError::Misfit(format!("{} lacks {what}", path.display()));
    let Takes { inputs, arguments, result } =
        takes(&found.inputs, &found.result_format).ok_or_else(|| misfit("a format"))?;
    let spelled: Vec<&str> = found.inputs.iter().map(|i| i.name.as_str()).collect();
    // Where it is not settled what is owed nothing can be asserted.
    let findings = found.findings.iter().map(|f| (&f.id, &f.input, &f.owed, f.what.clone()));
    let parts = found.parts.iter().map(|p| {
        let ulps = p.ulps.parse().map_or_else(|_| p.ulps.clone(), rough);
        (&p.id, &p.input, &p.owed, format!("the worst found in a part of the domain, {ulps} ulps"))
    });
    let mut inside = Vec::new();
    for (id, input, owed, why) in findings.chain(parts) {
        let Some([lo, hi]) = owed else { continue };
        let needed = || misfit(&format!("what test `{id}` needs"));
        let (lo, hi) = from_hex(lo).zip(from_hex(hi)).ok_or_else(needed)?;
        let input = values(input, &spelled).ok_or_else(needed)?;
        inside.push(CodeCase { id: identifier(id), input, duty: Duty::Within { lo, hi }, why: comment(&why) });
    }
    let (name, accuracy, file) = (&found.specification, &found.accuracy, &found.file);
    let traced = found.requirement.as_ref().map_or(String::new(), |r| format!(" [{r}]"));
    let about = [
        format!("Worst inputs found for {name}{traced}, {} {VERSION} from {file}. Do not edit.", super::MARK),
        format!("Accuracy: {accuracy}. A right result y satisfies lo <= y && y <= hi; NaN and infinities do not."),
    ];
    let place = found.result_place.map(|[index, count]| ResultPlace { index, count });
    Ok(CodeCases {
        ident: identifier(name),
        function: function_of(name, place, &found.sizes),
        place,
        inputs,
        arguments,
        sizes: sizes_of(&found.sizes),
        result,
        requirement: found.requirement.clone(),
        about: with_end(&about, found.interrupted),
        interrupted: found.interrupted,
        inside,
        outside: Vec::new(),
        csv: raw(folder, "worst.csv")?,
        json: raw(folder, "worst.json")?,
        run: None,
    })
}

/// The inputs that `cover` found for a function, where its specification owes a result.
fn inputs_of(folder: &Path, found: &CoveredFunction) -> Result<CodeCases, ReadError> {
    let path = folder.join("cover.json");
    let misfit = |what: &str| ReadError::Misfit(format!("{} lacks {what}", path.display()));
    let Some(judging) = &found.judging else {
        let why = "what results are owed: the code's own are no oracle; run `magneto cover --spec SPEC -o DIR`";
        return Err(misfit(why));
    };
    let Takes { inputs, arguments, result } =
        takes(&judging.inputs, &judging.result_format).ok_or_else(|| misfit("a format"))?;
    let mut inside = Vec::new();
    for (i, row) in found.runs.iter().enumerate() {
        let Some([lo, hi]) = &row.owed else { continue };
        let id = format!("c{:03}", i + 1);
        let needed = || misfit(&format!("what test `{id}` needs"));
        let (lo, hi) = from_hex(lo).zip(from_hex(hi)).ok_or_else(needed)?;
        let input: Option<Vec<f64>> = row.input.iter().map(|x| from_hex(x).or_else(|| x.parse().ok())).collect();
        let input = input.filter(|x| x.len() == inputs.len()).ok_or_else(needed)?;
        let why = match (row.branches.len(), row.worst_of.len()) {
            (0, worst) => format!("the largest error found, on {worst} branches"),
            (first, 0) => format!("the first that takes {first} branches"),
            (first, worst) => format!("the first that takes {first} branches; the largest error found, on {worst}"),
        };
        inside.push(CodeCase { id, input, duty: Duty::Within { lo, hi }, why });
    }
    let (name, accuracy, file) = (&judging.specification, &judging.accuracy, &judging.file);
    let traced = judging.requirement.as_ref().map_or(String::new(), |r| format!(" [{r}]"));
    let about = [
        format!(
            "Inputs that cover {}, for {name}{traced}, {} {VERSION} from {file}. Do not edit.",
            found.function,
            super::MARK
        ),
        format!("Accuracy: {accuracy}. A right result y satisfies lo <= y && y <= hi; NaN and infinities do not."),
    ];
    Ok(CodeCases {
        ident: identifier(&found.function),
        function: identifier(&found.function),
        place: None,
        inputs,
        arguments,
        sizes: sizes_of(&judging.sizes),
        result,
        requirement: judging.requirement.clone(),
        about: with_end(&about, false),
        interrupted: false,
        inside,
        outside: Vec::new(),
        csv: raw(folder, "tests.csv")?,
        json: raw(folder, "cover.json")?,
        run: None,
    })
}

/// The function that a specification of that name is about: of `filter.state` or `filter[1]`, one of several results, `filter`; of
/// `dot.n=3`, where n is a size, `dot`.
fn function_of<'a>(name: &'a str, place: Option<ResultPlace>, sizes: &Fields<usize>) -> String {
    let end = if place.is_some() { name.rfind('.').or_else(|| name.find('[')) } else { None };
    let name: &'a str = end.map_or(name, |end| &name[..end]);
    let without =
        |name: &'a str, (size, n): &(String, usize)| name.strip_suffix(&format!(".{size}={n}")).unwrap_or(name);
    identifier(sizes.0.iter().rev().fold(name, without))
}

/// The lines of a file's first comment, and one more where what found the tests was interrupted.
fn with_end(about: &[String], interrupted: bool) -> Vec<String> {
    let end = interrupted.then(|| "INTERRUPTED: it did not come to its end, and tests may be missing.".to_owned());
    about.iter().map(|line| comment(line)).chain(end).collect()
}

/// A file as it is.
fn raw(folder: &Path, name: &str) -> Result<String, ReadError> {
    let path = folder.join(name);
    std::fs::read_to_string(&path).map_err(|e| ReadError::File(path, e))
}

/// What the function under test takes, and the format of what it returns.
struct Takes {
    inputs: Vec<(String, Format)>,
    arguments: Vec<CodeArgument>,
    result: Format,
}

fn takes(inputs: &[ManifestInput], result: &str) -> Option<Takes> {
    let formats = inputs.iter().map(|i| Format::from_name(&i.format)).collect::<Option<Vec<Format>>>()?;
    let named = identifiers(inputs.iter().map(|i| i.name.as_str()));
    Some(Takes {
        inputs: named.into_iter().zip(formats).collect(),
        arguments: CodeArgument::of_inputs(inputs)?,
        result: Format::from_name(result)?,
    })
}

/// Sizes by identifiers.
fn sizes_of(sizes: &Fields<usize>) -> Vec<(String, usize)> {
    let names = identifiers(sizes.0.iter().map(|(name, _)| name.as_str()));
    names.into_iter().zip(sizes.0.iter().map(|(_, size)| *size)).collect()
}

/// The values of inputs by name.
fn values(of: &Fields<String>, inputs: &[&str]) -> Option<Vec<f64>> {
    inputs.iter().map(|name| from_hex(of.get(name)?)).collect()
}

fn case(test: &TestRow, inputs: &[&str], [kills, probable]: [Vec<&str>; 2]) -> Option<CodeCase> {
    let number = |text: &Option<String>| text.as_deref().and_then(from_hex);
    let input = values(&test.inputs, inputs)?;
    let duty = match (number(&test.lo), number(&test.hi)) {
        (Some(lo), Some(hi)) => Duty::Within { lo, hi },
        _ => Duty::Response(test.expected.clone()?),
    };
    let mut why = format!("{}: {}", test.origin, test.reason);
    if test.inner_lo.is_some() {
        why.push_str("; at the precision cap, so that not every result within the bounds is surely right");
    }
    for (mut ids, word) in [(kills, "kills"), (probable, "probably kills")] {
        // The reason may name the one for which the test was made.
        ids.retain(|id| !test.reason.contains(id));
        if !ids.is_empty() {
            let more = if ids.len() > NAMED { format!(" and {} more", ids.len() - NAMED) } else { String::new() };
            why = format!("{why}; {word} {}{more}", ids[..ids.len().min(NAMED)].join(" "));
        }
    }
    Some(CodeCase { id: identifier(&test.id), input, duty, why: comment(&why) })
}
