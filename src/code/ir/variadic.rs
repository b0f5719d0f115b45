//! Calls with a variable number of arguments. Those beyond the parameters lie in memory, and each has eight bytes, as x86-64 has
//! those that find no room in registers: a list of arguments that begins where registers end is read as its code reads it.

use crate::code::passing::{enclosed, pieces, type_at_head};
use std::fmt::Write as _;

/// The line that begins or copies a list of arguments as the source's compiler has it, with what it calls declared; none for others.
/// The structure is that of x86-64, which has the offsets in registers first.
pub(super) fn list(line: &str) -> Option<(String, String)> {
    let (begin, copy) = (line.find("@llvm.va_start"), line.find("@llvm.va_copy"));
    let at = begin.or(copy)?;
    let (_, behind) = line[at..].split_once('(')?;
    let (arguments, dbg) = behind.split_once(')')?;
    let name = if begin.is_some() { "magneto_va_start" } else { "magneto_va_copy" };
    let call = format!("  call void @{name}({arguments}){dbg}");
    let pointer = if arguments.starts_with("ptr") { "ptr" } else { "i8*" };
    let declared = if begin.is_some() { pointer.to_owned() } else { format!("{pointer}, {pointer}") };
    let text = if begin.is_some() { format!("{line}\n{call}") } else { call };
    Some((text, format!("declare void @{name}({declared})")))
}

/// A call with a variable number of arguments in which each of these has eight bytes; none for other lines, and `Err` where one of them
/// is neither an integer nor a double nor a pointer. `at` is the line's number in its function.
pub(super) fn call(line: &str, at: usize) -> Option<Result<String, ()>> {
    let from = line.find("call ")? + 5;
    let (fixed, callee) = variadic_type(line, from)?;
    let rest = &line[callee..];
    let open = match rest.strip_prefix("bitcast ") {
        Some(cast) => callee + 8 + enclosed(cast)?.len() + 2,
        None => callee + name_length(rest)?,
    };
    let arguments = enclosed(&line[open..])?;
    let (mut before, mut all) = (String::new(), Vec::new());
    for (k, argument) in pieces(arguments).into_iter().map(str::trim).enumerate() {
        if k < fixed {
            all.push(argument.to_owned());
        } else if let Some(value) = argument.strip_prefix("i32 ") {
            let value =
                ["noundef ", "signext ", "zeroext "].iter().fold(value, |value, word| value.trim_start_matches(word));
            let _ = writeln!(before, "  %magneto.rest.{at}.{k} = zext i32 {value} to i64");
            all.push(format!("i64 %magneto.rest.{at}.{k}"));
        } else if is_eight_bytes(argument) {
            all.push(argument.to_owned());
        } else {
            return Some(Err(()));
        }
    }
    let end = open + arguments.len() + 1;
    Some(Ok(format!("{before}{}({}{}", &line[..open], all.join(", "), &line[end..])))
}

/// How many parameters a variable number of arguments follows in the type of what is called, and where in the line that is named.
fn variadic_type(line: &str, from: usize) -> Option<(usize, usize)> {
    let mut at = from;
    loop {
        at += line[at..].find(['(', '@', '"'])?;
        let inside = line[at..].starts_with('(').then(|| enclosed(&line[at..])).flatten()?;
        let end = at + inside.len() + 2;
        if inside.ends_with("...") && line[end..].starts_with(' ') {
            return Some((pieces(inside).len() - 1, end + 1));
        }
        // What is called by a pointer of a type without such arguments.
        let head = line[..at].rsplit(' ').next()?;
        if head.len() > 1 && head.starts_with('%') {
            return None;
        }
        at = end;
    }
}

/// The length of a name, quoted or not.
fn name_length(text: &str) -> Option<usize> {
    match text.strip_prefix("@\"") {
        Some(quoted) => Some(2 + quoted.find('"')? + 1),
        None => text.find('('),
    }
}

/// Whether an argument is an integer of 64 bits, a double or a pointer to what the caller has.
fn is_eight_bytes(argument: &str) -> bool {
    let is_pointer = matches!(type_at_head(argument), ty if ty == "ptr" || ty.ends_with('*'));
    let is_structure = ["byval", "sret", "inalloca"].iter().any(|word| argument.contains(word));
    argument.starts_with("i64 ") || argument.starts_with("double ") || (is_pointer && !is_structure)
}

/// The branches that ask whether an argument is in a register, ascending: none is.
pub(super) fn asked_of_registers(body: &[&str]) -> Vec<usize> {
    let reads = |line: &&str| {
        let place = line.split(", !dbg").next().unwrap_or_default();
        line.contains(" = getelementptr inbounds %struct.__va_list_tag, ")
            && ["i32 0, i32 0", "i32 0, i32 1"].iter().any(|end| place.ends_with(end))
    };
    let mut all = Vec::new();
    for at in (0..body.len()).filter(|at| reads(&body[*at])) {
        let ahead = body[at..].iter().take(10).position(|line| line.starts_with("  br "));
        if let Some(branch) = ahead.map(|more| at + more).filter(|at| body[*at].starts_with("  br i1 ")) {
            all.push(branch);
        }
    }
    all.dedup();
    all
}

/// Whether a line finds an argument at a multiple of 16 bytes: in registers it is not aligned.
pub(super) fn reads_aligned(body: &[&str], line: &str) -> bool {
    let text = line.split(", !").next().unwrap_or_default();
    let is_aligned = (text.contains(" = and i64 %") && text.ends_with(", -16")) || text.contains("@llvm.ptrmask.");
    is_aligned && body.iter().any(|line| line.contains("%struct.__va_list_tag, "))
}

/// Such a branch, which goes to memory.
pub(super) fn to_memory(line: &str) -> Option<String> {
    let label = line.rsplit(", label ").next()?;
    Some(format!("  br label {label}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_beyond_the_parameters_have_eight_bytes_each() {
        let line = "  %4 = call i32 (i8*, ...) @log(i8* noundef %1, i32 noundef %2, double noundef 1.5, i8* %3, i64 7), !dbg !9";
        let said = call(line, 3).unwrap().unwrap();
        assert_eq!(
            said,
            "  %magneto.rest.3.1 = zext i32 %2 to i64\n  %4 = call i32 (i8*, ...) @log(i8* noundef %1, i64 %magneto.rest.3.1, double noundef \
             1.5, i8* %3, i64 7), !dbg !9"
        );
        let opaque = "  call void (ptr, i32, ...) %8(ptr noundef %1, i32 noundef 2, i32 noundef -3)";
        assert_eq!(
            call(opaque, 0).unwrap().unwrap(),
            "  %magneto.rest.0.2 = zext i32 -3 to i64\n  call void (ptr, i32, ...) %8(ptr noundef %1, i32 noundef 2, i64 %magneto.rest.0.2)"
        );
        let cast = "  %2 = call i32 (i32, ...) @f(i32 noundef 1, i32 noundef ptrtoint (i32* @g to i32), i32 5)";
        assert!(
            call(cast, 1)
                .unwrap()
                .unwrap()
                .starts_with("  %magneto.rest.1.1 = zext i32 ptrtoint (i32* @g to i32) to i64\n")
        );
        // A pointer to such a function is an argument like others.
        for plain in [
            "  call void @use(i32 (i8*, ...)* noundef @printf, i32 7)",
            "  %2 = call i32 %1(i32 (i8*, ...)* @printf)",
            "  %2 = call nonnull align 8 dereferenceable(8) i8* @get(i32 %1)",
            "  %2 = add i32 %1, 7",
        ] {
            assert_eq!(call(plain, 0), None, "{plain}");
        }
        for refused in [
            "  call void (i8*, ...) @log(i8* %1, x86_fp80 %2)",
            "  call void (i8*, ...) @log(i8* %1, %struct.P* noundef byval(%struct.P) align 8 %2)",
            "  call void (i8*, ...) @log(i8* %1, <2 x float> %2)",
        ] {
            assert_eq!(call(refused, 0), Some(Err(())), "{refused}");
        }
        let cast = "  %2 = call i32 (i32, ...) bitcast (i32 (...)* @f to i32 (i32, ...)*)(i32 noundef %1, i32 5)";
        assert!(
            call(cast, 1).unwrap().unwrap().ends_with("@f to i32 (i32, ...)*)(i32 noundef %1, i64 %magneto.rest.1.1)")
        );
    }

    #[test]
    fn lists_begin_where_registers_end() {
        let (text, declared) = list("  call void @llvm.va_start(i8* %7), !dbg !7").unwrap();
        assert_eq!(text, "  call void @llvm.va_start(i8* %7), !dbg !7\n  call void @magneto_va_start(i8* %7), !dbg !7");
        assert_eq!(declared, "declare void @magneto_va_start(i8*)");
        let (text, declared) = list("  call void @llvm.va_copy.p0(ptr %1, ptr %2)").unwrap();
        assert_eq!(
            (text.as_str(), declared.as_str()),
            ("  call void @magneto_va_copy(ptr %1, ptr %2)", "declare void @magneto_va_copy(ptr, ptr)")
        );
        let body = [
            "  %11 = getelementptr inbounds %struct.__va_list_tag, %struct.__va_list_tag* %10, i32 0, i32 0, !dbg !5",
            "  %12 = load i32, i32* %11, align 16, !dbg !5",
            "  %13 = icmp ule i32 %12, 40, !dbg !5",
            "  br i1 %13, label %14, label %20, !dbg !5",
        ];
        assert_eq!(asked_of_registers(&body), [3]);
        assert_eq!(to_memory(body[3]).unwrap(), "  br label %20, !dbg !5");
    }
}
