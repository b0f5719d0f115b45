//! Addresses as numbers. Where something lies is the linker's and the machine's choice, so no proof may know it.

use std::collections::{BTreeMap, BTreeSet};

/// The import that a function calls before it takes an address for a number.
pub(crate) const LOOKS_AT_ADDRESS: &str = "magneto looks at an address";

/// A cast of a pointer: the new name, and both types.
struct Cast<'t> {
    name: &'t str,
    from: &'t str,
    to: &'t str,
}

impl<'t> Cast<'t> {
    fn of(line: &'t str) -> Option<Cast<'t>> {
        let (name, rest) = line.split_once(" = bitcast ")?;
        let (head, tail) = rest.split_once(" to ")?;
        let (from, _) = head.rsplit_once(' ')?;
        Some(Cast { name: name.trim(), from, to: tail.split(", !").next().unwrap_or(tail) })
    }

    /// The union that it looks into.
    fn union(&self) -> Option<&'t str> {
        let name = self.from.strip_suffix('*')?;
        ((name.starts_with("%union.") || name.starts_with("%\"union.")) && !name.ends_with('*')).then_some(name)
    }

    fn is_to_pointers(&self) -> bool {
        self.to.ends_with("**")
    }

    /// Whether it leads to integers, or arrays of them.
    fn is_to_integers(&self) -> bool {
        let element = self.to.rsplit(" x ").next().unwrap_or_default().trim_end_matches(']');
        is_integer(element.strip_suffix('*').unwrap_or(element).trim_end_matches(']'))
    }
}

fn is_integer(ty: &str) -> bool {
    ty.strip_prefix('i').is_some_and(|width| !width.is_empty() && width.bytes().all(|b| b.is_ascii_digit()))
}

/// The unions whose memory a text uses for pointers and for integers.
pub(super) fn punned(text: &str) -> BTreeSet<&str> {
    let casts: Vec<Cast<'_>> = text.lines().filter_map(Cast::of).filter(|cast| cast.union().is_some()).collect();
    let holds: BTreeMap<&str, &str> = text.lines().filter_map(|line| line.split_once(" = type ")).collect();
    let is_punned = |union: &&str| {
        let held = holds.get(union).map_or("", |body| body.trim_matches(['{', '}', ' ']));
        let has = |is: fn(&Cast<'_>) -> bool| casts.iter().any(|c| c.union() == Some(*union) && is(c));
        let pointers = held.contains('*') || has(|c| c.is_to_pointers());
        pointers && (held.split(", ").any(is_integer) || has(|c| c.is_to_integers() && c.to != "i8*"))
    };
    casts.iter().filter_map(Cast::union).filter(is_punned).collect()
}

/// How an instruction may be used that makes an address a number.
enum Harmless {
    /// In a difference of two of them.
    Difference,
    /// Where something begins and ends to be there.
    Lifetime,
}

/// The instructions of a function that take an address for a number, by line: all but those of which only differences are used.
/// `punned` are the unions that hold pointers and integers.
pub(super) fn looks(body: &[&str], punned: &BTreeSet<&str>) -> Vec<usize> {
    let mut all = Vec::new();
    let mut names: BTreeMap<&str, (usize, Harmless)> = BTreeMap::new();
    for (at, line) in body.iter().enumerate() {
        if let Some((name, _)) = line.split_once(" = ptrtoint ") {
            names.insert(name.trim(), (at, Harmless::Difference));
        } else if line.contains("ptrtoint (") {
            all.push(at);
        } else if let Some(cast) = Cast::of(line) {
            let is_pun = cast.union().is_some_and(|union| punned.contains(union));
            if is_pun && cast.to != "i8*" && (cast.is_to_pointers() || cast.is_to_integers()) {
                all.push(at);
            } else if cast.from.ends_with("**") && cast.is_to_integers() || is_pun {
                names.insert(cast.name, (at, Harmless::Lifetime));
            }
        }
    }
    for line in body.iter().filter(|_| !names.is_empty()) {
        let rest = line.split_once(" = ").map_or(*line, |(_, rest)| rest);
        let values = rest.split(|c: char| !(c.is_ascii_alphanumeric() || "%._$-".contains(c)));
        let used: Vec<&(usize, Harmless)> = values.filter_map(|value| names.get(value)).collect();
        let is_harmless = |kind: &Harmless| match kind {
            Harmless::Difference => rest.starts_with("sub ") && used.len() == 2,
            Harmless::Lifetime => rest.contains("@llvm.lifetime."),
        };
        all.extend(used.iter().filter(|(_, kind)| !is_harmless(kind)).map(|(at, _)| at));
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// The call that stands before such an instruction.
pub(super) fn note(line: &str) -> String {
    let place = line.find(", !dbg ").map(|at| line[at..].split(", !").nth(1).unwrap_or_default());
    format!("  call void @\"{LOOKS_AT_ADDRESS}\"(){}\n", place.map_or(String::new(), |dbg| format!(", !{dbg}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looks_alone(body: &[&str]) -> Vec<usize> {
        looks(body, &BTreeSet::new())
    }

    #[test]
    fn differences_of_addresses_are_no_addresses() {
        let body = [
            "  %3 = ptrtoint double* %0 to i64, !dbg !7",
            "  %4 = ptrtoint double* %1 to i64, !dbg !7",
            "  %5 = sub i64 %3, %4, !dbg !7",
            "  %6 = sdiv exact i64 %5, 8, !dbg !7",
        ];
        assert_eq!(looks_alone(&body), [] as [usize; 0]);
        let body = [
            "  %3 = ptrtoint double* %0 to i64",
            "  %4 = and i64 %3, 15",
            "  store i64 ptrtoint (i8* @x to i64), i64* %2",
        ];
        assert_eq!(looks_alone(&body), [0, 2]);
        assert_eq!(
            note("  %3 = ptrtoint double* %0 to i64, !dbg !7"),
            "  call void @\"magneto looks at an address\"(), !dbg !7\n"
        );
    }

    #[test]
    fn pointers_that_are_read_as_integers_are_addresses() {
        let lifetime = "  call void @llvm.lifetime.start.p0i8(i64 8, i8* %5)";
        let cast = "  %5 = bitcast double** %2 to i8*, !dbg !7";
        assert_eq!(looks_alone(&[cast, lifetime]), [] as [usize; 0]);
        assert_eq!(looks_alone(&[cast, lifetime, "  %6 = call i8* @memcpy(i8* %4, i8* %5, i64 8)"]), [0]);
        assert_eq!(looks_alone(&["  %5 = bitcast double** %2 to i64*", "  %6 = load i64, i64* %5"]), [0]);
        assert_eq!(looks_alone(&["  %5 = bitcast double* %2 to i64*", "  %6 = load i64, i64* %5"]), [] as [usize; 0]);
    }

    #[test]
    fn unions_of_pointers_and_integers_are_told_from_others() {
        let text = "%union.a = type { double* }\n%union.b = type { double }\n%union.c = type { i64 }\n%union.d = type { i8* }\n\
                    \x20 %1 = bitcast %union.a* %0 to i64*\n  %2 = bitcast %union.b* %0 to i64*\n\
                    \x20 %3 = bitcast %union.c* %0 to double**\n  %4 = bitcast %union.d* %0 to i8*\n\
                    \x20 %5 = bitcast %union.d* %0 to double*\n";
        let punned = punned(text);
        assert_eq!(punned, BTreeSet::from(["%union.a", "%union.c"]));
        let body: Vec<&str> = text.lines().skip(4).collect();
        assert_eq!(looks(&body, &punned), [0, 2]);
    }
}
