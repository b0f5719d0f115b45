//! What functions take, as gcc says it (`-aux-info`).

use super::{Parameter, Target, kind};
use std::path::Path;
use std::process::Command;

/// The functions that a source defines and others may call, with their parameters where these are numbers or pointers to
/// numbers; of each pointer `behind` elements are inputs.
pub(crate) fn targets(base: &Path, source: &Path, flags: &[String], behind: &dyn Fn(&str) -> usize) -> Vec<Target> {
    let folder = tempfile::tempdir().unwrap();
    let (list, object) = (folder.path().join("list"), folder.path().join("o"));
    let mut cc = Command::new("cc");
    cc.current_dir(base)
        .args(flags)
        .args(["-w", "-c", "-O0", "-aux-info"])
        .arg(&list)
        .arg(source)
        .arg("-o")
        .arg(object);
    if !cc.output().is_ok_and(|o| o.status.success()) {
        return Vec::new();
    }
    let text = std::fs::read_to_string(list).unwrap_or_default();
    text.lines().filter_map(|line| target(line, behind)).collect()
}

/// Of a line such as `/* e_asin.c:72:NF */ extern double asin (double x);`, which the old style follows in a comment.
fn target(line: &str, behind: &dyn Fn(&str) -> usize) -> Option<Target> {
    let (place, rest) = line.strip_prefix("/* ")?.split_once(" */ ")?;
    // F: a definition, O: an old-style one.
    if !place.ends_with('F') || rest.starts_with("static") {
        return None;
    }
    let declaration = rest.split_once(';')?.0;
    let (before, parameters) = declaration.strip_suffix(')')?.split_once('(')?;
    let name = before.trim_end().rsplit([' ', '*']).next()?.to_owned();
    let mut all = Vec::new();
    for parameter in parameters.split(',').map(str::trim).filter(|p| *p != "void") {
        let parameter = parameter.strip_prefix("const ").unwrap_or(parameter);
        let (ty, name) = parameter.split_at(parameter.rfind([' ', '*'])? + 1);
        let number = ty.trim_end_matches([' ', '*']).to_owned();
        kind(&number)?;
        all.push(match ty.matches('*').count() {
            0 => Parameter::Number(number),
            1 => Parameter::Pointer(number, behind(name)),
            _ => return None,
        });
    }
    Some(Target { name, parameters: all })
}
