//! Functions of C, C++ and Python files as formulas: variables become `let*`, branches `if`.
//!
//! What is no formula of numbers, such as a loop, a pointer or an integer division, is refused with its place.

mod bindings;
mod c;
mod language;
mod python;
mod statement;
mod sympy;
mod tree;
mod walk;

use super::build::{Build, Kind, Part};
use super::declared::core;
use super::ranges::precision;
use super::{Assumption, Notation, Reading};
use crate::spec::core::{Core, Expr};
use crate::spec::{parse_file, same_core};
use crate::text::{Diagnostic, Span};
pub use language::SourceLanguage;
use statement::Definition;
use walk::{Grammar, Walk};

/// The names of the functions of a file, in their order by name; none of a text that cannot be parsed. Those of namespaces of
/// C++ are like `air::flow`.
#[must_use]
pub fn functions_of(text: &str, language: SourceLanguage) -> Vec<String> {
    let Ok(tree) = tree::tree(text, language) else { return Vec::new() };
    match language {
        SourceLanguage::C | SourceLanguage::Cpp => {
            c::CFile::new(text, language, tree.root_node(), &std::collections::BTreeMap::new()).names()
        }
        SourceLanguage::Python => python::PythonFile::new(text, tree.root_node()).names(),
    }
}

/// Reads what a function of a file computes, over the real numbers. Its parameters are the inputs. Of a Python file the name may
/// also be that of an expression of SymPy, whose symbols are the inputs. In C++ a function of a namespace is named with or without it.
///
/// # Errors
/// The first thing of the function that is no formula, with its place in the file; or that there is no such function, with
/// those that there are.
pub fn read_function(text: &str, language: SourceLanguage, name: &str) -> Result<Reading, Diagnostic> {
    let tree = tree::tree(text, language)?;
    match language {
        SourceLanguage::C | SourceLanguage::Cpp => {
            let macros = c::macros(text, language, tree.root_node());
            let file = c::CFile::new(text, language, tree.root_node(), &macros);
            let own = name.rsplit("::").next().unwrap_or(name);
            formula(&file, Build::new(Notation::C, &[]), own, &file.function(&file.full_name(name)?)?)
        }
        SourceLanguage::Python => {
            let file = python::PythonFile::new(text, tree.root_node());
            if let Some(value) = file.expression(name) {
                let mut found = sympy::Expression::default();
                let body = found.read(&file, text, value, 0)?;
                let span = body.span;
                return written(core(found.symbols, Some(name), body, span), name, found.assumptions);
            }
            let mut build = Build::new(Notation::Python, &[]);
            let definition = file.function(name, &mut build)?;
            formula(&file, build, name, &definition)
        }
    }
}

/// The formula that a function is.
fn formula<'t>(
    grammar: &dyn Grammar<'t>,
    build: Build,
    name: &str,
    definition: &Definition<'t>,
) -> Result<Reading, Diagnostic> {
    let mut walk = Walk::new(grammar, build);
    if definition.is_single {
        let says = "the function takes or returns float: `--precision binary32` has inputs and result in that format";
        walk.build.assume(Span::default(), says);
    }
    let whole = vec![Kind::Whole(None); definition.parameters.len()];
    let value = walk.function(definition, &whole)?;
    let names: Vec<&String> = definition.parameters.iter().map(|p| &p.name).collect();
    let inputs: Vec<String> = names.iter().map(|n| bindings::own_name(n)).collect();
    let Walk { mut build, guards, .. } = walk;
    build.inputs.clone_from(&inputs);
    for (name, input) in names.iter().zip(&inputs).filter(|(name, input)| **name != *input) {
        build.assume(
            Span::default(),
            format!("the parameter `{name}` is called `{input}`, since FPCore has a constant `{name}`"),
        );
    }
    let body: Expr = build.result(Part { grouped: false, ..Build::real(value) })?;
    let span = body.span;
    let mut core = core(inputs, Some(name), body, span);
    for (arg, parameter) in core.args.iter_mut().zip(&definition.parameters) {
        let Some(format) = parameter.integers else { continue };
        arg.props = precision(format);
        let says =
            format!("the integers that `{}` takes are inputs, and every integer fits the type that holds it", arg.name);
        build.assume(Span::default(), says);
    }
    let mut reading = written(core, name, build.assumptions)?;
    reading.restrict(guards);
    Ok(reading)
}

/// What was read, if it can be written as an FPCore.
fn written(core: Core, name: &str, assumptions: Vec<Assumption>) -> Result<Reading, Diagnostic> {
    let span = core.body.span;
    let reading = Reading { core, name: Some(name.to_owned()), ranged: Vec::new(), assumptions };
    // What is printed is read again as the same formula, or it is not printed.
    let again = parse_file(reading.core.to_string().as_bytes()).cores.into_iter().next();
    match again {
        Some(Ok(again)) if same_core(&again, &reading.core) => Ok(reading),
        Some(Err(found)) => {
            let why = found.into_iter().next().map(|d| d.message).unwrap_or_default();
            Err(Diagnostic::unsupported(span, format!("a name of this function has another meaning in FPCore: {why}"))
                .hint("rename the variable"))
        }
        _ => Err(Diagnostic::unsupported(span, "a name of this function has another meaning in FPCore")
            .hint("rename the variables that are called as constants or functions are")),
    }
}
