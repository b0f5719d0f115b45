//! Functions and their calls, as C.

use crate::code::host::{Math, math, operator, sets_errno};
use crate::code::ins::{FuncType, Type};
use crate::code::module::{Import, Module};
use crate::code::stubs::STUB;
use std::ffi::c_void;
use std::fmt::Write as _;

pub(super) fn c_type(ty: Type) -> &'static str {
    match ty {
        Type::I32 => "I32",
        Type::I64 => "I64",
        Type::F32 => "F32",
        Type::F64 => "F64",
    }
}

/// The type of a function's result; none where there are several.
pub(super) fn result(ty: &FuncType) -> Option<&'static str> {
    match ty.results[..] {
        [] => Some("void"),
        [ty] => Some(c_type(ty)),
        _ => None,
    }
}

pub(super) fn parameters(ty: &FuncType, more: &str) -> String {
    let own: String = ty.params.iter().enumerate().map(|(i, ty)| format!(", {} v{i}", c_type(*ty))).collect();
    format!("struct context *c{more}{own}")
}

/// A function that calls what the table holds at an index, where it has the type.
pub(super) fn dispatcher(module: &Module, ty: u32) -> Option<String> {
    let called = &module.types[ty as usize];
    let names: Vec<String> = (0..called.params.len()).map(|i| format!("v{i}")).collect();
    let arguments: String = names.iter().map(|name| format!(", {name}")).collect();
    let mut out =
        format!("ALONE {} t{ty}({}) {{\n  switch (at) {{\n", result(called)?, parameters(called, ", uint32_t at"));
    let back = if called.results.is_empty() { "" } else { "return " };
    for (at, function) in module.table.iter().enumerate() {
        let Some(function) = *function else { continue };
        match function.checked_sub(module.imports.len() as u32) {
            Some(own) if module.functions[own as usize].ty == *called => {
                let _ = writeln!(
                    out,
                    "  case {at}: {back}f{own}(c{arguments}); {}",
                    if back.is_empty() { "return;" } else { "" }
                );
            }
            None if module.imports[function as usize].ty == *called => {
                let _ = writeln!(out, "  case {at}: {{");
                out += &host(&function.to_string(), called, &names);
                let _ = writeln!(out, "    if (c->trap) end(c, c->trap, c->fuel);");
                match called.results.first() {
                    Some(ty) => out += &format!("    return {}_of(r);\n  }}\n", c_type(*ty)),
                    None => out += "    return;\n  }\n",
                }
            }
            _ => {}
        }
    }
    let stub = host("at", called, &names);
    let returned =
        called.results.first().map_or_else(|| "return;".to_owned(), |ty| format!("return {}_of(r);", c_type(*ty)));
    let _ = writeln!(
        out,
        "  default:\n    if (at < {STUB}u) end(c, INDIRECT_CALL, c->fuel);\n{stub}    if (c->trap) end(c, c->trap, c->fuel);\n    {returned}\n  }}\n}}"
    );
    Some(out)
}

/// A call of the host's function with variables as arguments; `r` is its result.
pub(super) fn host(import: &str, ty: &FuncType, names: &[String]) -> String {
    let bits: Vec<String> =
        names.iter().zip(&ty.params).map(|(name, ty)| format!("{}_bits({name})", c_type(*ty))).collect();
    format!(
        "    uint64_t a[] = {{0{}}}, r = c->host(c, {import}, a + 1, {});\n    (void)r;\n",
        bits.iter().map(|b| format!(", {b}")).collect::<String>(),
        bits.len()
    )
}

/// Where a function of the mathematical library is that only returns something.
pub(super) fn address(import: &Import) -> *const c_void {
    let function = math(&import.name).filter(|f| f.is_of(&import.ty) && f.stores().next().is_none());
    function.map_or(std::ptr::null(), Math::address)
}

/// A call of a function of the mathematical library, or what it does as an operator; none where it does more than return.
pub(super) fn direct(module: &Module, import: u32, names: &[String]) -> Option<String> {
    let Import { name, ty } = &module.imports[import as usize];
    if address(&module.imports[import as usize]).is_null() || (module.errno.is_some() && sets_errno(name)) {
        return None;
    }
    let arguments = names.join(", ");
    if let Some(op) = operator(name) {
        return Some(format!("{op:?}({arguments})"));
    }
    let types: Vec<&str> = ty.params.iter().map(|ty| c_type(*ty)).collect();
    Some(format!("(({} (*)({}))c->functions[{import}])({arguments})", result(ty)?, types.join(", ")))
}
