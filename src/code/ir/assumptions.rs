//! What proofs take for granted of how a text's code is compiled: the compiler of the user may make something else of it.

use super::{Text, order, strict, symbol};
use crate::code::assumed::{
    CompiledAssumption, DATED, LONG_FIELDS, ORDERED, ROUNDING, UNFUSED, UNKNOWN_CONSTANTS, UNORDERED, of_definition,
};
use crate::code::probe::ProbeQuestion;

impl Text<'_> {
    /// What proofs take for granted of how this code is compiled.
    pub(in crate::code) fn assumed(&self) -> Vec<CompiledAssumption> {
        let mut all = Vec::new();
        let has_fused = cfg!(not(target_arch = "x86_64")) || self.text.contains("+fma");
        if has_fused && self.text.contains("fmul") {
            all.push(CompiledAssumption::of("", UNFUSED));
        }
        if self.text.ends_with(DATED) {
            let said = "the code is compiled at the date and time at which this was said";
            all.push(CompiledAssumption::of("", said));
        }
        let mut function = "";
        for line in self.text.lines() {
            let is_narrow = || [" to i8", " to i16"].iter().any(|to| line.contains(to));
            if line.starts_with("define ") {
                function = symbol(line).unwrap_or_default();
                all.extend(of_definition(function));
            } else if strict::has_dynamic_mode(line) {
                all.push(CompiledAssumption::of(function, ROUNDING));
            } else if line.contains("@llvm.is.constant.") {
                all.push(CompiledAssumption::of(function, UNKNOWN_CONSTANTS));
            } else if orders_addresses(line) {
                all.push(CompiledAssumption::of(function, ORDERED));
            } else if line.contains(" = ptrtoint ") {
                let said = "addresses taken as integers are as far apart, and in the order, as they are here";
                all.push(CompiledAssumption::of(function, said));
            } else if (line.contains(" = fptoui ") || line.contains(" = fptosi ")) && is_narrow() {
                let said = "a conversion to a type narrower than int overflows where one to int does";
                let question = Some(ProbeQuestion::Overflow);
                all.push(CompiledAssumption { question, ..CompiledAssumption::of(function, said) });
            }
        }
        all.extend(
            order::functions_of_open_order(self.text, &self.places)
                .into_iter()
                .map(|f| CompiledAssumption::of(f, UNORDERED)),
        );
        // `gcc` computes with as many bits as they have, and clang with those of their type.
        let is_long_field = |line: &str| {
            let bits =
                line.split_once("size: ").and_then(|(_, rest)| rest.split([',', ')']).next()?.parse::<u32>().ok());
            line.contains("DIFlagBitField") && bits.is_some_and(|bits| bits > 32 && bits < 64)
        };
        if self.text.lines().any(is_long_field) {
            all.push(CompiledAssumption::of("", LONG_FIELDS));
        }
        all.dedup();
        all
    }
}

/// Whether an instruction asks which of two addresses is the lower one.
fn orders_addresses(line: &str) -> bool {
    let Some((_, compared)) = line.split_once(" = icmp ") else { return false };
    let mut words = compared.split(' ');
    let is_order = words.next().is_some_and(|way| ["ult", "ugt", "ule", "uge"].contains(&way));
    is_order && words.next().is_some_and(|ty| ty == "ptr" || ty.ends_with('*'))
}
