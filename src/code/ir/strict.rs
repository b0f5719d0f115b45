//! Arithmetic of code that may look at flags and modes (`#pragma STDC FENV_ACCESS ON`), as ordinary arithmetic: the mode is
//! that of the program's start, and what asks for flags is not there.

/// What rounds otherwise than the mode of the program's start does.
const OTHER_MODES: [&str; 4] =
    ["!\"round.upward\"", "!\"round.downward\"", "!\"round.towardzero\"", "!\"round.tonearestaway\""];

/// Whether an operation rounds in a direction that the source names.
pub(super) fn has_other_mode(line: &str) -> bool {
    OTHER_MODES.iter().any(|mode| line.contains(mode))
}

/// Whether code rounds in the direction that is set when it runs.
pub(super) fn has_dynamic_mode(text: &str) -> bool {
    text.contains("metadata !\"round.dynamic\"")
}

/// An instruction in place of a call of its strict form; none where a line has none. With the declaration that it needs.
pub(super) fn plain(line: &str) -> Option<(String, Option<String>)> {
    // Which mode is set is asked of a function of the library that is known here.
    for asked in ["@llvm.flt.rounds()", "@llvm.get.rounding()"] {
        if let Some((call, rest)) = line.split_once(asked).filter(|_| line.contains(" call i32 ")) {
            let called = "@magneto_flt_rounds()";
            return Some((format!("{call}{called}{rest}"), Some(format!("declare i32 {called}"))));
        }
    }
    let (before, rest) = line.split_once("@llvm.experimental.constrained.")?;
    let (name, rest) = rest.split_once('(')?;
    let end = rest.find(')')?;
    let (inside, tail) = (&rest[..end], &rest[end + 1..]);
    let tail = tail.find(", !").map_or("", |at| &tail[at..]);
    let (operands, notes): (Vec<&str>, Vec<&str>) = inside.split(", ").partition(|o| !o.starts_with("metadata "));
    let (target, result) = before.split_once("call ")?;
    let result = result.trim().rsplit(' ').next()?;
    let target = target.trim_end().trim_end_matches("tail").trim_end();
    let op = name.split('.').next()?;
    let second = |text: &str| text.rsplit(' ').next().unwrap_or_default().to_owned();
    let text = match (op, &operands[..]) {
        ("fadd" | "fsub" | "fmul" | "fdiv" | "frem", [a, b]) => format!("{target} {op} {a}, {}{tail}", second(b)),
        ("fcmp" | "fcmps", [a, b]) => {
            let relation = notes.first()?.split('"').nth(1)?;
            format!("{target} fcmp {relation} {a}, {}{tail}", second(b))
        }
        ("fptrunc" | "fpext" | "sitofp" | "uitofp" | "fptosi" | "fptoui", [a]) => {
            format!("{target} {op} {a} to {result}{tail}")
        }
        ("sqrt" | "floor" | "ceil" | "trunc" | "rint" | "nearbyint", [a]) => {
            let width = if result == "float" { "f32" } else { "f64" };
            let called = format!("{result} @llvm.{op}.{width}");
            return Some((format!("{target} call {called}({a}){tail}"), Some(format!("declare {called}({result})"))));
        }
        _ => return None,
    };
    Some((text, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_operations_become_ordinary_ones() {
        let notes = "metadata !\"round.dynamic\", metadata !\"fpexcept.strict\") #2, !dbg !5";
        let line = |text: &str| plain(&format!("  {text}, {notes}")).map(|(line, _)| line);
        assert_eq!(
            line("%5 = call double @llvm.experimental.constrained.fadd.f64(double %3, double %4").as_deref(),
            Some("  %5 = fadd double %3, %4, !dbg !5")
        );
        assert_eq!(
            line("%5 = call i32 @llvm.experimental.constrained.fptosi.i32.f64(double %3").as_deref(),
            Some("  %5 = fptosi double %3 to i32, !dbg !5")
        );
        assert_eq!(
            line("%5 = call i1 @llvm.experimental.constrained.fcmp.f64(double %3, double 0.0, metadata !\"oeq\"")
                .as_deref(),
            Some("  %5 = fcmp oeq double %3, 0.0, !dbg !5")
        );
        let (text, declared) =
            plain(&format!("  %5 = call double @llvm.experimental.constrained.sqrt.f64(double %3, {notes}")).unwrap();
        assert_eq!(text, "  %5 = call double @llvm.sqrt.f64(double %3), !dbg !5");
        assert_eq!(declared.as_deref(), Some("declare double @llvm.sqrt.f64(double)"));
        assert_eq!(plain("  %5 = fadd double %3, %4"), None);
        assert!(has_dynamic_mode(notes) && !has_other_mode(notes));
        assert!(has_other_mode(&notes.replace("dynamic", "upward")));
    }
}
