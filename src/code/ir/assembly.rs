//! Inline assembly of x86-64 of which is known what it computes: the place of the highest and of the lowest bit that is set.

/// The lines that compute the same without assembly, with a declaration of what they call; none for other lines. `at` is the line's
/// number in its function. Of 0 the instructions leave what was in their register: the function that is called ends there.
pub(super) fn known(line: &str, at: usize) -> Option<(String, String)> {
    let (head, rest) = line.split_once(" asm \"")?;
    let (template, rest) = rest.split_once("\", \"")?;
    let (constraints, rest) = rest.split_once("\"(")?;
    let (argument, rest) = rest.split_once(')')?;
    let (value, ty) = head.split_once(" = call ")?;
    let bits = match ty {
        "i64" => 64,
        "i32" => 32,
        _ => return None,
    };
    let clobbers = constraints.strip_prefix("=r,r,")?;
    if !clobbers.split(',').all(|one| one.starts_with("~{")) || argument.split_once(' ')?.0 != ty {
        return None;
    }
    let words: String = template.chars().filter(|c| !c.is_whitespace()).collect();
    let opposite = format!(";xor$${},$0", bits - 1);
    let (name, is_opposite) = match words.strip_suffix(&opposite).unwrap_or(&words) {
        "bsr$1,$0" => ("bsr", words.ends_with(&opposite)),
        "bsf$1,$0" if !words.ends_with(&opposite) => ("bsf", false),
        _ => return None,
    };
    let place = rest.find(", !dbg ").map_or("", |dbg| &rest[dbg..]);
    let called = format!("@magneto_{name}_{bits}");
    let text = match is_opposite {
        true => format!(
            "  %magneto.bit.{at} = call {ty} {called}({argument}){place}\n{value} = xor {ty} %magneto.bit.{at}, {}{place}",
            bits - 1
        ),
        false => format!("{value} = call {ty} {called}({argument}){place}"),
    };
    Some((text, format!("declare {ty} {called}({ty})")))
}
