//! Functions of a module as C: each instruction by the operator of its name in `include/compiled.c`.

use super::calls::{c_type, dispatcher, parameters, result};
use super::function::FunctionText;
use crate::code::ins::{FuncType, Ins};
use crate::code::memory::CHUNK;
use crate::code::module::Module;
use std::collections::BTreeSet;
use std::fmt::Write as _;

const OPERATORS: &str = include_str!("../include/compiled.c");

/// A file of C with these functions. Of each one, in their order, `magneto_functions` has the address and `magneto_runs` what
/// calls it with arguments as bits; `magneto_link` is told the address of any other function that they call.
///
/// # Errors
/// Functions for which there is no C.
pub(super) fn text(module: &Module, functions: &[u32]) -> Result<String, Vec<u32>> {
    let (mut heads, mut bodies, mut runs) = (String::new(), String::new(), String::new());
    let mut indirect = BTreeSet::new();
    let mut others: BTreeSet<u32> = BTreeSet::new();
    for f in functions {
        let function = &module.functions[*f as usize];
        let returned = result(&function.ty).ok_or_else(|| vec![*f])?;
        let _ = writeln!(heads, "ALONE {returned} f{f}({});", parameters(&function.ty, ""));
        bodies += &FunctionText::new(module, *f).written(&mut indirect).ok_or_else(|| vec![*f])?;
        runs += &run(*f, &function.ty);
        others.extend(function.code.iter().filter_map(|ins| if let Ins::Call(f) = ins { Some(*f) } else { None }));
    }
    let imports = module.imports.len() as u32;
    if !indirect.is_empty() {
        others.extend(module.table.iter().flatten().filter_map(|f| f.checked_sub(imports)));
    }
    functions.iter().for_each(|f| _ = others.remove(f));
    let mut links = String::new();
    for f in others {
        let ty = &module.functions[f as usize].ty;
        let (returned, parameters) = (result(ty).ok_or_else(|| vec![f])?, parameters(ty, ""));
        let _ = writeln!(heads, "static {returned} (*f{f})({parameters});");
        let _ = writeln!(links, "  case {f}: f{f} = ({returned} (*)({parameters}))at; break;");
    }
    for ty in indirect {
        heads += &dispatcher(module, ty).ok_or_else(|| functions.to_vec())?;
    }
    let all = |before: &str| functions.iter().map(|f| format!("{before}{f}, ")).collect::<String>();
    Ok(format!(
        "#define MAGNETO_CHUNK {CHUNK}\n#define MAGNETO_WIDE {}\n{OPERATORS}\n{heads}\n{bodies}\n{runs}\n\
         void magneto_link(uint32_t function, const void *at) {{\n  switch (function) {{\n{links}  default: break;\n  }}\n}}\n\
         const void *const magneto_functions[] = {{{}}};\n\
         uint64_t (*const magneto_runs[])(struct context *, const uint64_t *) = {{{}}};\n",
        u8::from(module.wide),
        all("(const void *)f"),
        all("run"),
    ))
}

/// What calls a function with arguments as bits.
fn run(f: u32, ty: &FuncType) -> String {
    let arguments: String =
        ty.params.iter().enumerate().map(|(i, ty)| format!(", {}_of(a[{i}])", c_type(*ty))).collect();
    let call = format!("f{f}(c{arguments})");
    let call = match ty.results.first() {
        Some(ty) => format!("return {}_bits({call});", c_type(*ty)),
        None => format!("{call};\n  return 0;"),
    };
    format!(
        "static uint64_t run{f}(struct context *c, const uint64_t *a) {{\n  jmp_buf back;\n  c->back = &back;\n  \
         if (setjmp(back)) return 0;\n  (void)a;\n  {call}\n}}\n"
    )
}
