//! What a proof takes for granted of what surrounds a function: nothing, or as little as it needs.

use super::assumed::CompiledAssumption;
use super::libc;
use super::objects::MemoryObject;
use super::program::CodeProgram;
use super::symbolic::ULPS;
use crate::cc::names::cpp;
use crate::floats::BitsKind;
use std::collections::BTreeSet;

/// What a proof takes for granted; each more than the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Given {
    /// Nothing: it holds of every call.
    Nothing,
    /// Each pointer leads to memory of its own, which is there. Of what stands there only inputs are known.
    Pointers,
    /// Besides, variables outside of functions have their values at the start of the program.
    Start,
    /// Besides, functions of the mathematical library err by at most 16 ulps.
    Library,
}

/// Names in quotes, not too many of them.
fn listed(names: &[&str]) -> Vec<String> {
    let mut all: Vec<String> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    if names.len() > NAMED {
        all.push("…".to_owned());
    }
    all
}

/// How many variables are named.
const NAMED: usize = 8;

impl CodeProgram {
    /// What proofs about this function may take for granted, least first: more than nothing only where it makes a difference.
    #[must_use]
    pub fn givens(&self) -> Vec<Given> {
        let pointers = self.call_objects().objects.iter().any(|o| !o.is_own);
        let more = [(Given::Pointers, pointers), (Given::Start, self.module.is_changeable())];
        std::iter::once(Given::Nothing).chain(more.into_iter().filter(|m| m.1).map(|m| m.0)).collect()
    }

    /// What a claim about all inputs holds under, in sentences: none where it holds of every call.
    #[must_use]
    pub fn assumptions(&self, given: Given) -> Vec<String> {
        let mut all = self.replaceable();
        if given >= Given::Pointers {
            let choices = &self.arrangement().choices;
            let may_be_null = |name: &str| choices.iter().any(|(one, _)| one == name);
            let objects = self.call_objects().objects.iter().filter(|o| !o.is_own);
            let (maybe, sure): (Vec<&str>, Vec<&str>) = objects.map(|o| o.name.as_str()).partition(|n| may_be_null(n));
            for (names, or) in [(sure, ""), (maybe, "nowhere or ")] {
                match &listed(&names)[..] {
                    [] => {}
                    [one] => all.push(format!("{one} points {or}to memory of its own, aligned to 16 bytes")),
                    several => all.push(format!(
                        "{} point {or}to memory of their own each, aligned to 16 bytes",
                        several.join(", ")
                    )),
                }
            }
        }
        let is_truth = |o: &&MemoryObject| o.fields.iter().any(|f| f.kind == BitsKind::Bool && f.input.is_some());
        if self.call_objects().objects.iter().filter(|o| o.is_own || given >= Given::Pointers).any(|o| is_truth(&o)) {
            all.push("truth values in memory are 0 or 1".to_owned());
        }
        if given >= Given::Start && self.module.is_changeable() {
            let mut names = self.module.variables.clone();
            names.extend(self.module.errno.map(|_| "errno".to_owned()));
            let more = if names.len() > NAMED { ", …" } else { "" };
            let said = names[..names.len().min(NAMED)].join(", ");
            let named = if names.is_empty() { String::new() } else { format!(" ({said}{more})") };
            all.push(format!("variables outside of functions{named} have the values of the program's start"));
        }
        if self.module.sets_globals {
            all.push("the module's globals have the values of the program's start".to_owned());
        }
        if given == Given::Library {
            all.push(format!(
                "functions of the mathematical library are those of this machine and err by at most {ULPS} ulps"
            ));
        }
        all
    }

    /// What a proof by paths takes for granted, which are those of a call with memory as it is at the start.
    #[must_use]
    pub fn given_of_paths(&self, library: bool) -> Given {
        if library { Given::Library } else { self.givens().last().copied().unwrap_or(Given::Nothing) }
    }

    /// Functions that are reached and stand in files that nobody named.
    fn others(&self) -> Option<String> {
        let named: Vec<String> =
            self.reached().iter().filter_map(|f| self.in_sibling(*f)).map(|name| format!("`{name}`")).collect();
        let more = if named.len() > NAMED { ", …" } else { "" };
        let said = named[..named.len().min(NAMED)].join(", ");
        // Of variables it is not known who uses them.
        let said = if named.is_empty() { "definitions".to_owned() } else { format!("{said}{more}") };
        let matters = !named.is_empty() || self.module.adds_variables;
        (!self.module.siblings.is_empty() && matters)
            .then(|| format!("{said} are those of the other files that were found"))
    }

    /// Whether claims name how the code is compiled, which the user's compiler may do otherwise.
    #[must_use]
    pub fn rests_on_compilation(&self) -> bool {
        let compiled: BTreeSet<&str> = self.module.assumed.iter().map(|a| a.said.as_str()).collect();
        self.replaceable().iter().any(|said| compiled.contains(said.as_str()))
    }

    /// Definitions that are used and that others may replace.
    fn replaceable(&self) -> Vec<String> {
        let reached: BTreeSet<&str> =
            self.reached().iter().map(|f| self.module.functions[*f as usize].name.as_str()).collect();
        let is_known = |name: &str| self.module.functions.iter().any(|f| f.name == name);
        // The module has names of C++ as people write them. Where one that is reached belongs to no symbol, it may be any.
        let shown = |symbol: &str| cpp(symbol).map(|(name, parameters)| name + &parameters);
        let all: BTreeSet<String> = self.module.passing.keys().filter_map(|defined| shown(&defined.symbol)).collect();
        let has_unmatched = reached.iter().any(|name| name.contains('(') && !all.contains(*name));
        let is_reached = |symbol: &str| match shown(symbol) {
            _ if is_known(symbol) => reached.contains(symbol),
            Some(name) if is_known(&name) => reached.contains(&*name),
            // What cannot be read as people write it may be any, and so may what LLVM writes with escapes.
            None => symbol.starts_with("_Z") || symbol.contains('\\'),
            Some(_) => has_unmatched,
        };
        let used = self.module.weak.iter().filter(|(function, _)| is_reached(function));
        let names: BTreeSet<String> = used.map(|(_, symbol)| shown(symbol).unwrap_or_else(|| symbol.clone())).collect();
        let weak = names.into_iter().map(|name| format!("no other definition replaces the weak `{name}`"));
        let entry = &self.module.functions[self.entry as usize].name;
        let matters = |a: &&CompiledAssumption| {
            (a.function.is_empty() || is_reached(&a.function) && !(a.is_of_calls && a.function == *entry))
                && a.question.is_none_or(|question| self.module.asked == Some(question))
        };
        let compiled: BTreeSet<&str> = self.module.assumed.iter().filter(matters).map(|a| a.said.as_str()).collect();
        let locale = reached.iter().any(|name| libc::depends_on_locale(name));
        let locale = locale.then(|| "the locale is that of the program's start".to_owned());
        let streams = reached.iter().any(|name| libc::writes_to_streams(name));
        let streams = streams.then(|| "writing to streams succeeds and leaves errno alone".to_owned());
        let more = locale.into_iter().chain(streams).chain(self.others());
        weak.chain(compiled.into_iter().map(str::to_owned)).chain(more).collect()
    }
}
