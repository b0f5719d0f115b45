//! The symbols of object files.

use std::collections::BTreeSet;
use wasmparser::{KnownCustom, Linking, Parser, Payload, SymbolFlags, SymbolInfo};

/// Symbols of object files that are linked together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Symbols {
    /// Functions and variables that they define.
    defined: BTreeSet<String>,
    /// Functions among them that are for other files and that none may replace.
    strong: BTreeSet<String>,
    /// Variables that they define and that are no constants.
    pub(super) changeable: Vec<String>,
    /// Whether two files define a function that no other definition may replace.
    doubles: bool,
    /// Functions that they use, and do not define themselves.
    functions: BTreeSet<String>,
    /// Variables that they use, and do not define themselves.
    variables: BTreeSet<String>,
}

/// Variables that the linker makes.
const LINKED: [&str; 10] = [
    "__dso_handle",
    "__data_end",
    "__stack_pointer",
    "__global_base",
    "__heap_base",
    "__heap_end",
    "__memory_base",
    "__table_base",
    "__tls_base",
    "__wasm_call_ctors",
];

impl Symbols {
    /// With those of an object file; what cannot be read of it is left out, and the linker will say so.
    pub(super) fn add(&mut self, object: &[u8]) {
        let (mut segments, mut symbols): (Vec<&str>, Vec<SymbolInfo<'_>>) = (Vec::new(), Vec::new());
        let mut imports: Vec<&str> = Vec::new();
        for payload in Parser::new(0).parse_all(object).map_while(Result::ok) {
            if let Payload::ImportSection(section) = payload {
                let functions = section.into_imports().map_while(Result::ok);
                imports.extend(functions.filter(|i| matches!(i.ty, wasmparser::TypeRef::Func(_))).map(|i| i.name));
                continue;
            }
            let Payload::CustomSection(section) = payload else { continue };
            let KnownCustom::Linking(linking) = section.as_known() else { continue };
            for part in linking.subsections().map_while(Result::ok) {
                match part {
                    Linking::SegmentInfo(map) => segments.extend(map.into_iter().map_while(Result::ok).map(|s| s.name)),
                    Linking::SymbolTable(map) => symbols.extend(map.into_iter().map_while(Result::ok)),
                    _ => {}
                }
            }
        }
        for symbol in symbols {
            match symbol {
                SymbolInfo::Func { flags, index, name } => {
                    let name = name.or_else(|| imports.get(index as usize).copied()).unwrap_or_default().to_owned();
                    if flags.contains(SymbolFlags::UNDEFINED) {
                        self.functions.insert(name);
                        continue;
                    }
                    let is_shared =
                        !flags.contains(SymbolFlags::BINDING_LOCAL) && !flags.contains(SymbolFlags::BINDING_WEAK);
                    let is_new = self.defined.insert(name.clone());
                    self.doubles |= is_shared && !self.strong.insert(name) && !is_new;
                }
                SymbolInfo::Data { name, symbol: None, .. } => _ = self.variables.insert(name.to_owned()),
                SymbolInfo::Data { name, symbol: Some(place), .. } => {
                    self.defined.insert(name.to_owned());
                    let segment = segments.get(place.index as usize).copied().unwrap_or_default();
                    // Texts and other constants are in `.rodata`.
                    if [".data", ".bss", ".tdata", ".tbss"].iter().any(|s| segment.starts_with(s)) {
                        self.changeable.push(name.to_owned());
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether something is defined twice.
    pub(super) fn has_doubles(&self) -> bool {
        self.doubles
    }

    /// Whether a file defines a function in a way that no other definition replaces.
    pub(super) fn is_strong(&self, name: &str) -> bool {
        self.strong.contains(name)
    }

    /// What no file defines.
    pub(super) fn lacking(&self) -> impl Iterator<Item = &str> {
        let all = self.functions.union(&self.variables);
        all.filter(|name| !self.defined.contains(*name)).map(String::as_str)
    }

    /// The variables among them, in alphabetical order, without the linker's own.
    pub(super) fn variables_lacking(&self) -> impl Iterator<Item = &str> {
        let own = |name: &&String| !self.defined.contains(*name) && !LINKED.contains(&name.as_str());
        self.variables.iter().filter(own).map(String::as_str)
    }
}
