//! Which FPCore a person means by `file.fpcore:name`.

use super::beside;
use super::parse::File;
use crate::text::{nearest, quote};
use crate::unfit::Unfit;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The largest file of specifications that is read. Unit: bytes.
const MAX_BYTES: u64 = 16 << 20;

/// A path and the name after it, if there is one. A file whose own name has a colon is taken as it is, and `-` is standard
/// input.
#[must_use]
pub fn split(argument: &str) -> (&str, Option<&str>) {
    if argument == "-" || Path::new(argument).exists() {
        return (argument, None);
    }
    let mut cuts = argument.match_indices(':').map(|(at, _)| (&argument[..at], &argument[at + 1..]));
    let existing = cuts.clone().find(|(path, _)| *path == "-" || Path::new(path).is_file());
    // Nothing exists: `file.fpcore:name` still means that file.
    match existing.or_else(|| cuts.find(|(path, _)| path.ends_with(".fpcore"))) {
        Some((path, name)) => (path, Some(name)),
        None => (argument, None),
    }
}

/// The bytes of a file of specifications, at most 16 MiB.
///
/// # Errors
/// It cannot be read, is a folder, or is too large.
pub fn read_source(path: &str) -> Result<Vec<u8>, Unfit> {
    let hinted = |message: String, hint: String| Unfit { message, hint: Some(hint) };
    let ending = Path::new(path).extension().and_then(|e| e.to_str()).unwrap_or_default();
    if ["c", "h", "cc", "cpp", "cxx", "hpp", "py"].contains(&ending) {
        let hint = format!("`magneto new spec.fpcore --from {path}:NAME` makes one of a function");
        return Err(hinted(format!("{path} is a program, and no specification"), hint));
    }
    if Path::new(path).is_dir() {
        return Err(hinted(format!("{path} is a folder"), "name the .fpcore files in it".to_owned()));
    }
    read_at_most(path, std::fs::File::open(path)).map_err(|e| match e {
        Ok(unfit) => unfit,
        Err(e) if e.kind() == ErrorKind::NotFound && is_like_formula(path) => {
            let hint = format!("a formula has its inputs before it, as in `x: [0, 1] -> {path}`");
            hinted(format!("{path} is no file, and no formula with inputs"), hint)
        }
        Err(e) if e.kind() == ErrorKind::NotFound => {
            hinted(format!("cannot read {path}: there is no such file"), beside(Path::new(path), &["fpcore"]))
        }
        Err(e) => format!("cannot read {path}: {e}").into(),
    })
}

/// Whether a text that is no path is like a formula: as `sqrt(x)`, and not as `c++/air.fpcore`.
fn is_like_formula(text: &str) -> bool {
    !text.ends_with(".fpcore") && text.contains(['(', '*', '+', '^', '='])
}

/// The same of standard input.
///
/// # Errors
/// It cannot be read, or is too large.
pub fn read_stdin() -> Result<Vec<u8>, Unfit> {
    let read = read_at_most("-", Ok(io::stdin().lock()));
    read.map_err(|e| e.unwrap_or_else(|e| format!("cannot read -: {e}").into()))
}

fn read_at_most(path: &str, from: io::Result<impl Read>) -> Result<Vec<u8>, Result<Unfit, io::Error>> {
    let mut bytes = Vec::new();
    from.and_then(|from| from.take(MAX_BYTES + 1).read_to_end(&mut bytes)).map_err(Err)?;
    match bytes.len() as u64 > MAX_BYTES {
        true => Err(Ok(format!("{path} has more than {} MiB", MAX_BYTES >> 20).into())),
        false => Ok(bytes),
    }
}

/// The place of the FPCore that `name` means in a file, by :name or identifier. `shown` is the file in messages.
///
/// # Errors
/// None is called so, or more than one.
pub fn pick(file: &File, name: &str, shown: &str) -> Result<usize, Unfit> {
    let matching = |k: &usize| file.labels[*k].iter().any(|l| l == name);
    let found: Vec<usize> = (0..file.labels.len()).filter(matching).collect();
    if let [one] = found[..] {
        return Ok(one);
    }
    let names: Vec<String> = file.labels.iter().flatten().cloned().collect();
    let hint = if found.len() > 1 {
        let ids: Vec<String> = found.iter().flat_map(|k| file.labels[*k].clone()).filter(|l| l != name).collect();
        if ids.is_empty() {
            "rename one of them, or move it to a file of its own".to_owned()
        } else {
            format!("they are also called {}", list(&ids))
        }
    } else if let Some(near) = nearest(name, names.iter().map(String::as_str)) {
        format!("did you mean `{near}`?")
    } else if names.is_empty() {
        "none of its FPCores has a name".to_owned()
    } else {
        format!("there are {}", list(&names))
    };
    let problem = if found.is_empty() {
        format!("no FPCore is called {}", quote(name))
    } else {
        format!("{} FPCores are called {}", found.len(), quote(name))
    };
    Err(Unfit { message: format!("{shown}: {problem}"), hint: Some(hint) })
}

/// The same, and of a core with several results or sizes the places of all of them, in order.
///
/// # Errors
/// As of [`pick`].
pub fn pick_results(file: &File, name: &str, shown: &str) -> Result<Vec<usize>, Unfit> {
    let found: Vec<usize> = (0..file.labels.len()).filter(|k| file.labels[*k].iter().any(|l| l == name)).collect();
    let core = |k: usize| file.cores[k].as_ref().ok();
    let first = found.first().and_then(|k| core(*k));
    match first {
        Some(first) if found.iter().all(|k| core(*k).is_some_and(|core| core.span == first.span)) => Ok(found),
        _ => pick(file, name, shown).map(|one| vec![one]),
    }
}

/// Names for a message, not too many.
#[must_use]
pub fn list(names: &[String]) -> String {
    const MOST: usize = 12;
    let shown: Vec<String> = names.iter().take(MOST).map(|n| quote(n)).collect();
    let more = if names.len() > MOST { format!(" and {} more", names.len() - MOST) } else { String::new() };
    format!("{}{more}", shown.join(", "))
}
