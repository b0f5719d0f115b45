//! Which functions and variables of LLVM's texts name which others, and what may make the objects that a function is given.

use super::{names, symbol};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Which symbols functions and variables name.
#[derive(Clone, Debug, Default)]
pub(in crate::code) struct CallGraph {
    names: BTreeMap<String, BTreeSet<String>>,
    /// Functions of C that take no pointer and return one: they may make what another one is given.
    makers: BTreeSet<String>,
    /// Functions that take pointers.
    takers: BTreeSet<String>,
}

impl CallGraph {
    /// With those of a text.
    pub(in crate::code) fn add(&mut self, text: &str) {
        let mut function: Option<&str> = None;
        for line in text.lines() {
            let owner = match function {
                Some(function) => function,
                None if line.starts_with("define ") || line.starts_with('@') => symbol(line).unwrap_or_default(),
                None => continue,
            };
            if line.starts_with("define ") {
                let all = if takes_pointer(line) { &mut self.takers } else { &mut self.makers };
                if takes_pointer(line) || makes_pointer(line) {
                    all.insert(owner.to_owned());
                }
            }
            self.names.entry(owner.to_owned()).or_default().extend(names(line).map(str::to_owned));
            function = match line {
                "}" => None,
                _ if line.starts_with("define ") => Some(owner),
                _ => function,
            };
        }
    }

    /// The symbols of these functions, and of those that may make what they are given; all that there are where none of them is known
    /// by its symbol.
    pub(in crate::code) fn symbols(&self, functions: &[String]) -> Vec<String> {
        // The names of C++ are parts of its symbols.
        let is_it = |symbol: &str, function: &str| {
            let name = function.split(['(', '<']).next().unwrap_or(function).rsplit("::").next().unwrap_or(function);
            symbol == function || (symbol.starts_with("_Z") && symbol.contains(name.trim_start_matches('~')))
        };
        let wanted = self.names.keys().filter(|symbol| functions.iter().any(|f| is_it(symbol, f)));
        let mut found: Vec<String> = wanted.cloned().collect();
        if found.iter().any(|symbol| self.takers.contains(symbol)) {
            found.extend(self.makers.iter().cloned());
        }
        if found.is_empty() { self.names.keys().cloned().collect() } else { found }
    }

    /// What these reach, with the least number of steps to it.
    pub(in crate::code) fn distances(&self, symbols: &[String]) -> BTreeMap<String, usize> {
        let mut all: BTreeMap<String, usize> = symbols.iter().map(|symbol| (symbol.clone(), 0)).collect();
        let mut open: VecDeque<&String> = symbols.iter().collect();
        while let Some(symbol) = open.pop_front() {
            let steps = all[symbol] + 1;
            for next in self.names.get(symbol).into_iter().flatten() {
                if !all.contains_key(next) {
                    all.insert(next.clone(), steps);
                    open.push_back(next);
                }
            }
        }
        all
    }
}

/// Whether the first line of a definition is of a function that takes a pointer.
fn takes_pointer(line: &str) -> bool {
    let taken = line.split_once('@').and_then(|(_, tail)| tail.split_once('(')).map_or("", |(_, taken)| taken);
    taken.contains('*') || taken.split([' ', ',', ')']).any(|word| word == "ptr")
}

/// Whether it is of a function of C that returns one.
fn makes_pointer(line: &str) -> bool {
    let Some((head, tail)) = line.split_once('@') else { return false };
    let returned = head.trim_end();
    !tail.starts_with("_Z") && (returned.ends_with('*') || returned.ends_with(" ptr"))
}
