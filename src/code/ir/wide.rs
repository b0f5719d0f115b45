//! `long double` of 80 bits: values are carried in a type of the same place in memory, and each operation is a call of
//! [`TEXT`], which computes it bit by bit.

use std::fmt::Write as _;

/// The operations, in C.
pub(crate) const TEXT: &str = include_str!("../include/wide.c");

/// The type as LLVM calls it on this machine, and the one that carries it.
const OWN: &str = "x86_fp80";
const CARRIER: &str = "fp128";

/// Functions of the library that the text has as well, unless the code has them itself.
const LIBRARY: [&str; 16] = [
    "fabsl",
    "sqrtl",
    "copysignl",
    "floorl",
    "ceill",
    "truncl",
    "rintl",
    "nearbyintl",
    "roundl",
    "fmaxl",
    "fminl",
    "ldexpl",
    "scalbnl",
    "scalblnl",
    "frexpl",
    "modfl",
];

/// Whether the text has a function.
pub(crate) fn has(name: &str) -> bool {
    name.starts_with("magneto_wide_") || LIBRARY.contains(&name)
}

/// Declarations of the operations.
pub(super) const DECLARED: [&str; 15] = [
    "declare fp128 @magneto_wide_neg(fp128)",
    "declare fp128 @magneto_wide_abs(fp128)",
    "declare fp128 @magneto_wide_add(fp128, fp128)",
    "declare fp128 @magneto_wide_sub(fp128, fp128)",
    "declare fp128 @magneto_wide_mul(fp128, fp128)",
    "declare fp128 @magneto_wide_div(fp128, fp128)",
    "declare fp128 @magneto_wide_sqrt(fp128)",
    "declare i64 @magneto_wide_cmp(fp128, fp128, i64)",
    "declare fp128 @magneto_wide_of(double)",
    "declare double @magneto_wide_double(fp128)",
    "declare float @magneto_wide_float(fp128)",
    "declare fp128 @magneto_wide_unsigned(i64)",
    "declare fp128 @magneto_wide_signed(i64)",
    "declare i64 @magneto_wide_integer(fp128, i64)",
    "declare i64 @magneto_wide_natural(fp128)",
];

/// A line that is no operation on such floats, with the other type; none where it would mean something else.
pub(super) fn carried(line: &str) -> Option<String> {
    if !line.contains(OWN) && !line.contains("0xK") {
        return Some(line.to_owned());
    }
    let mut out = String::with_capacity(line.len() + 16);
    let mut rest = line;
    while let Some(at) = rest.find("0xK") {
        let digits = rest.get(at + 3..at + 23)?;
        let _ = write!(out, "{}0xL{}000000000000{}", &rest[..at], &digits[4..], &digits[..4]);
        rest = &rest[at + 23..];
    }
    out += rest;
    Some(out.replace(OWN, CARRIER))
}

/// An operation on such floats as calls; none where a line has none that is known. `Err` where there is one that is not.
pub(super) fn operation(line: &str) -> Option<Result<String, ()>> {
    if !line.contains(OWN) {
        return None;
    }
    let (target, instruction) = line.split_once(" = ")?;
    let name = target.trim().trim_start_matches('%');
    let end = instruction.find(", !").unwrap_or(instruction.len());
    let (text, tail) = instruction.split_at(end);
    let words: Vec<&str> = text.split_whitespace().collect();
    let op = *words.first()?;
    let operands = |ty: &str| text.split_once(&format!("{ty} ")).map(|(_, rest)| rest);
    let made = match op {
        "fadd" | "fsub" | "fmul" | "fdiv" => {
            let (a, b) = operands(OWN)?.split_once(", ")?;
            Some(format!("{target} = call {OWN} @magneto_wide_{}({OWN} {a}, {OWN} {b}){tail}", &op[1..]))
        }
        "fneg" => Some(format!("{target} = call {OWN} @magneto_wide_neg({OWN} {}){tail}", operands(OWN)?)),
        "fcmp" => compared(target, name, (&words, operands(OWN)?), tail),
        "fpext" | "fptrunc" | "sitofp" | "uitofp" | "fptosi" | "fptoui" => converted(target, name, &words, tail),
        "bitcast" if words.get(1) == Some(&OWN) => {
            let to = *words.last()?;
            (to == "i80").then(|| {
                format!(
                    "  %magneto.bits.{name} = bitcast {OWN} {} to i128{tail}\n{target} = trunc i128 %magneto.bits.{name} to i80{tail}",
                    words[2]
                )
            })
        }
        "frem" => None,
        _ if text.contains("@llvm.") => intrinsic(target, text, tail),
        _ => return None,
    };
    Some(made.and_then(|made| carried(&made)).ok_or(()))
}

/// A comparison: of the difference with 0, and with a number of its own where the two cannot be compared.
fn compared(target: &str, name: &str, (words, operands): (&[&str], &str), tail: &str) -> Option<String> {
    let (a, b) = operands.split_once(", ")?;
    let far = 1i64 << 62;
    let (relation, unordered) =
        match *words.iter().find(|w| w.len() >= 3 && !w.starts_with("fcmp") && PREDICATES.contains(w))? {
            "oeq" => ("eq", far),
            "ueq" | "uno" => ("eq", 0),
            "one" | "ord" => ("ne", 0),
            "une" => ("ne", far),
            "olt" => ("slt", far),
            "ult" => ("slt", -far),
            "ole" => ("sle", far),
            "ule" => ("sle", -far),
            "ogt" => ("sgt", -far),
            "ugt" => ("sgt", far),
            "oge" => ("sge", -far),
            "uge" => ("sge", far),
            _ => return None,
        };
    // Whether both are numbers: each is compared with itself, and a number is at no distance from itself.
    let is_about_nan = words.iter().any(|w| ["uno", "ord"].contains(w));
    if is_about_nan {
        let one = |x: &str, part: &str| {
            format!("  %magneto.{part}.{name} = call i64 @magneto_wide_cmp({OWN} {x}, {OWN} {x}, i64 1){tail}\n")
        };
        let relation = if relation == "eq" { "ne" } else { "eq" };
        return Some(format!(
            "{}{}  %magneto.nan.{name} = or i64 %magneto.left.{name}, %magneto.right.{name}{tail}\n{target} = icmp {relation} i64 \
             %magneto.nan.{name}, 0{tail}",
            one(a, "left"),
            one(b, "right")
        ));
    }
    Some(format!(
        "  %magneto.far.{name} = call i64 @magneto_wide_cmp({OWN} {a}, {OWN} {b}, i64 {unordered}){tail}\n{target} = icmp {relation} \
         i64 %magneto.far.{name}, 0{tail}"
    ))
}

const PREDICATES: [&str; 14] =
    ["oeq", "ueq", "one", "une", "olt", "ult", "ole", "ule", "ogt", "ugt", "oge", "uge", "ord", "uno"];

fn converted(target: &str, name: &str, words: &[&str], tail: &str) -> Option<String> {
    let [op, from, operand, "to", to] = words else { return None };
    let wider =
        |kind: &str, from: &str, to: &str| format!("  %magneto.from.{name} = {kind} {from} {operand} to {to}{tail}\n");
    let value = format!("%magneto.from.{name}");
    Some(match (*op, *from, *to) {
        ("fpext", "double", _) => format!("{target} = call {OWN} @magneto_wide_of(double {operand}){tail}"),
        ("fpext", "float", _) => {
            let first = wider("fpext", "float", "double");
            format!("{first}{target} = call {OWN} @magneto_wide_of(double {value}){tail}")
        }
        ("fptrunc", _, "double" | "float") => format!("{target} = call {to} @magneto_wide_{to}({OWN} {operand}){tail}"),
        ("sitofp" | "uitofp", from, _) => {
            let (kind, extended) = if *op == "sitofp" { ("signed", "sext") } else { ("unsigned", "zext") };
            let (first, value) = match from {
                "i64" => (String::new(), (*operand).to_owned()),
                "i1" | "i8" | "i16" | "i32" => (wider(extended, from, "i64"), value),
                _ => return None,
            };
            format!("{first}{target} = call {OWN} @magneto_wide_{kind}(i64 {value}){tail}")
        }
        ("fptosi", _, "i64") => format!("{target} = call i64 @magneto_wide_integer({OWN} {operand}, i64 64){tail}"),
        ("fptoui", _, "i64") => format!("{target} = call i64 @magneto_wide_natural({OWN} {operand}){tail}"),
        ("fptosi" | "fptoui", _, to @ ("i8" | "i16" | "i32")) => {
            // Short ones are made of 16 bits, and those without a sign of the next longer ones.
            let bits = match (*op, to) {
                ("fptosi", "i8" | "i16") => 16,
                ("fptosi", _) | ("fptoui", "i8" | "i16") => 32,
                _ => 64,
            };
            format!(
                "  %magneto.whole.{name} = call i64 @magneto_wide_integer({OWN} {operand}, i64 {bits}){tail}\n{target} = trunc i64 \
                 %magneto.whole.{name} to {to}{tail}"
            )
        }
        _ => return None,
    })
}

fn intrinsic(target: &str, text: &str, tail: &str) -> Option<String> {
    let rest = text.split_once("@llvm.")?.1;
    let inside = rest.split_once('(')?.1.rsplit_once(')')?.0;
    match rest.split('.').next()? {
        "fabs" => Some(format!("{target} = call {OWN} @magneto_wide_abs({inside}){tail}")),
        "sqrt" => Some(format!("{target} = call {OWN} @magneto_wide_sqrt({inside}){tail}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_keep_their_bytes() {
        assert_eq!(
            carried("@x = constant x86_fp80 0xK3FFF8000000000000001, align 16").as_deref(),
            Some("@x = constant fp128 0xL80000000000000010000000000003FFF, align 16")
        );
        assert_eq!(carried("  %1 = fadd double %2, %3").as_deref(), Some("  %1 = fadd double %2, %3"));
    }

    #[test]
    fn operations_are_calls() {
        let made = |line: &str| operation(line).unwrap().unwrap();
        assert_eq!(
            made("  %3 = fmul x86_fp80 %1, 0xK40008000000000000000, !dbg !5"),
            "  %3 = call fp128 @magneto_wide_mul(fp128 %1, fp128 0xL80000000000000000000000000004000), !dbg !5"
        );
        assert_eq!(
            made("  %3 = fcmp ult x86_fp80 %1, %2"),
            "  %magneto.far.3 = call i64 @magneto_wide_cmp(fp128 %1, fp128 %2, i64 -4611686018427387904)\n  %3 = icmp slt i64 \
             %magneto.far.3, 0"
        );
        assert_eq!(made("  %3 = fptrunc x86_fp80 %1 to float"), "  %3 = call float @magneto_wide_float(fp128 %1)");
        assert_eq!(operation("  %3 = frem x86_fp80 %1, %2"), Some(Err(())));
        assert_eq!(operation("  %3 = load x86_fp80, x86_fp80* %1"), None);
    }
}
