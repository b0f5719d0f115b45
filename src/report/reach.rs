//! What `reach` found, for people.

use crate::code::goal::GOAL;
use crate::record::reach::{ListedPath, Listing, PathStatus};
use std::fmt::Write as _;

/// What a path is called in a list.
fn name(path: &ListedPath) -> String {
    match &path.asked {
        Some(asked) => format!("line {}: {asked}", path.lines.first().unwrap_or(&0)),
        None if path.path.is_empty() => "-".to_owned(),
        None => path.path.clone(),
    }
}

/// The word after a number of boxes.
fn boxes(count: u64) -> &'static str {
    if count == 1 { "box" } else { "boxes" }
}

impl Listing {
    /// For a person.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = format!("{}({})\n", self.function, self.inputs.join(", "));
        // How a condition was compiled tells nobody anything.
        let is_condition = self.function == GOAL;
        let name = |path| if is_condition { "holds".to_owned() } else { name(path) };
        let names: Vec<String> = self.paths.iter().map(name).collect();
        let width = names.iter().map(String::len).max().unwrap_or(0).clamp(4, 60);
        for (p, name) in self.paths.iter().zip(names) {
            let _ = match p.status {
                PathStatus::Feasible => {
                    let result = p.result.as_deref().unwrap_or("none");
                    writeln!(out, "  {name:width$}  {} -> {result}", p.input_dec.join(" "))
                }
                PathStatus::Infeasible => {
                    let again = p.confirmation.as_ref().map_or(String::new(), |c| format!("; {c}"));
                    writeln!(out, "  {name:width$}  infeasible ({} {}{again})", p.boxes, boxes(p.boxes))
                }
                PathStatus::Open => writeln!(out, "  {name:width$}  open: {}", p.reason.as_deref().unwrap_or_default()),
            };
        }
        let end = if self.complete { "" } else { ": the list is incomplete" };
        let _ =
            writeln!(out, "paths: {} feasible, {} infeasible, {} open{end}", self.feasible, self.infeasible, self.open);
        if !self.given.is_empty() {
            let _ = writeln!(out, "proofs: given that {}", self.given.join(", and "));
        }
        let _ = self.native.iter().try_for_each(|native| writeln!(out, "native: {}", native.text()));
        out
    }
}
