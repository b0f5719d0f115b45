//! The functions that a library exports, by the names that their sources have: those of C++ with namespaces, arguments of
//! templates and types of parameters, those of Fortran with their modules.

use super::prototype::fortran_names;
use cpp_demangle::{DemangleOptions, Symbol};
use object::{Object as _, ObjectSymbol as _};
use std::path::Path;

/// An exported function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFunction {
    /// Its name in the table of symbols.
    pub symbol: String,
    /// Its name in the source: `filters::lerp<double>`.
    pub name: String,
    /// The types of its parameters in brackets, where the symbol has them.
    pub parameters: String,
    /// Whether letters of its name are alike, large or small.
    is_of_fortran: bool,
}

/// What a name leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedSymbol {
    /// The symbol of one function.
    One(String),
    /// Several functions have the name; each as it can be told from the others.
    Several(Vec<String>),
    /// No function has it; the names that there are.
    Missing(Vec<String>),
    /// What the library has cannot be read.
    Unknown,
}

impl NamedFunction {
    fn new(symbol: String) -> Self {
        let (name, parameters, is_of_fortran) = match (cpp(&symbol), module_procedure(&symbol)) {
            (Some((name, parameters)), _) => (name, parameters, false),
            (None, Some(name)) => (name, String::new(), true),
            (None, None) => (symbol.clone(), String::new(), false),
        };
        NamedFunction { symbol, name, parameters, is_of_fortran }
    }

    /// As it can be told from others of its name.
    #[must_use]
    pub fn shown(&self) -> String {
        format!("{}{}", self.name, self.parameters)
    }

    /// How well a name fits it: the less the better; none where it does not.
    fn rank(&self, wanted: &str) -> Option<usize> {
        let plain = |text: &str| -> String {
            let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
            if self.is_of_fortran { text.to_lowercase() } else { text }
        };
        let (wanted, name) = (plain(wanted), plain(&self.name));
        let mut whole = [name.clone(), generic(&name).to_owned()];
        if wanted.contains('(') {
            whole.iter_mut().for_each(|name| name.push_str(&plain(&self.parameters)));
        }
        let within = format!("::{wanted}");
        let fits = [&|name: &String| *name == wanted, &|name: &String| name.ends_with(&within)]
            as [&dyn Fn(&String) -> bool; 2];
        let found = fits.iter().flat_map(|fits| whole.iter().map(fits)).position(|fits| fits);
        // A plain procedure of Fortran has an underscore behind its name.
        found.or_else(|| (self.symbol.strip_suffix('_') == Some(&wanted.to_lowercase())).then_some(4))
    }
}

/// The functions that a library exports, in the order of their names; none where it cannot be read.
#[must_use]
pub fn named_functions(library: &Path) -> Option<Vec<NamedFunction>> {
    let bytes = std::fs::read(library).ok()?;
    let file = object::File::parse(&*bytes).ok()?;
    // Mach-O writes an underscore before each name of C.
    let prefix = if matches!(file, object::File::MachO32(_) | object::File::MachO64(_)) { "_" } else { "" };
    let functions = file.dynamic_symbols().filter(|s| s.is_definition() && s.kind() == object::SymbolKind::Text);
    let symbols = functions.filter_map(|s| s.name().ok()?.strip_prefix(prefix).map(str::to_owned));
    let mut all: Vec<NamedFunction> = symbols.map(NamedFunction::new).collect();
    for (symbol, name) in fortran_names(library) {
        if let Some(one) = all.iter_mut().find(|one| one.symbol == symbol && one.name == symbol) {
            (one.name, one.is_of_fortran) = (name, true);
        }
    }
    all.sort_unstable_by(|a, b| (&a.name, &a.parameters, &a.symbol).cmp(&(&b.name, &b.parameters, &b.symbol)));
    all.dedup();
    Some(all)
}

/// The symbol of the function that a person names: a symbol as it stands, a name with its namespaces and arguments of templates,
/// the same with the types of the parameters in brackets, or without what stands before `::` or in `<…>`. A name that fits
/// better than others is that.
#[must_use]
pub fn symbol_of(library: &Path, wanted: &str) -> NamedSymbol {
    let Some(all) = named_functions(library) else { return NamedSymbol::Unknown };
    if all.iter().any(|one| one.symbol == wanted) {
        return NamedSymbol::One(wanted.to_owned());
    }
    let ranked: Vec<(usize, &NamedFunction)> = all.iter().filter_map(|one| Some((one.rank(wanted)?, one))).collect();
    let best = ranked.iter().map(|(rank, _)| *rank).min();
    let found: Vec<&NamedFunction> =
        ranked.iter().filter(|(rank, _)| Some(*rank) == best).map(|(_, one)| *one).collect();
    match found[..] {
        [] => {
            // Names that begin with an underscore are the linker's, or not for users.
            let named = all.iter().filter(|one| !one.name.starts_with('_'));
            NamedSymbol::Missing(named.map(NamedFunction::shown).collect())
        }
        [one] => NamedSymbol::One(one.symbol.clone()),
        _ => NamedSymbol::Several(found.iter().map(|one| one.shown()).collect()),
    }
}

/// Name and parameters of a function of C++, by its symbol.
pub(crate) fn cpp(symbol: &str) -> Option<(String, String)> {
    if !symbol.starts_with("_Z") {
        return None;
    }
    let symbol = Symbol::new(symbol).ok()?;
    let options = DemangleOptions::new().no_return_type();
    let name = symbol.demangle_with_options(&options.no_params()).ok()?;
    let whole = symbol.demangle_with_options(&options).ok()?;
    let parameters = whole.strip_prefix(&name)?.to_owned();
    Some((name, parameters))
}

/// A procedure of a module, by its symbol in the way of gfortran.
fn module_procedure(symbol: &str) -> Option<String> {
    let (module, name) = symbol.strip_prefix("__")?.split_once("_MOD_")?;
    Some(format!("{module}::{name}"))
}

/// A name without the arguments of its template.
pub(crate) fn generic(name: &str) -> &str {
    let mut open = 0;
    for (at, c) in name.char_indices().rev() {
        match c {
            '>' => open += 1,
            '<' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return if at + c.len_utf8() == name.len() { name } else { &name[..at] };
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranks(symbol: &str, wanted: &[&str]) -> Vec<Option<usize>> {
        let one = NamedFunction::new(symbol.to_owned());
        wanted.iter().map(|wanted| one.rank(wanted)).collect()
    }

    #[test]
    fn names_of_cpp_are_read_with_or_without_what_stands_around_them() {
        let one = NamedFunction::new("_ZN7filters4lerpIdEET_S1_S1_S1_".to_owned());
        assert_eq!(one.shown(), "filters::lerp<double>(double, double, double)");
        assert_eq!(
            ranks(
                "_ZN7filters4lerpIdEET_S1_S1_S1_",
                &[
                    "filters::lerp<double>",
                    "filters::lerp< double >(double,double,double)",
                    "filters::lerp",
                    "lerp<double>",
                    "lerp",
                    "erp",
                    "lerp<float>",
                    "filters",
                    "filters::lerp(double)",
                ]
            ),
            [Some(0), Some(0), Some(1), Some(2), Some(3), None, None, None, None]
        );
        assert_eq!(NamedFunction::new("_Z3sumd".to_owned()).shown(), "sum(double)");
        assert_eq!(NamedFunction::new("_Zno".to_owned()).shown(), "_Zno");
        assert_eq!(generic("a<b>::f<c<d>>"), "a<b>::f");
        assert_eq!(generic("a<b>::f"), "a<b>::f");
    }

    #[test]
    fn names_of_fortran_have_modules_and_no_case() {
        assert_eq!(
            ranks("__filters_MOD_lowpass", &["filters::lowpass", "LowPass", "FILTERS::lowpass", "pass"]),
            [Some(0), Some(2), Some(0), None]
        );
        assert_eq!(ranks("flow_", &["flow", "FLOW", "flow_", "low"]), [Some(4), Some(4), Some(0), None]);
    }
}
