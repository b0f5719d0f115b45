//! LLVM's textual code: what the user's own compiler target makes of a source, handed on to WebAssembly.
//!
//! The front end of the compiler runs for the user's machine, so that headers, macros, sizes, alignment and the signs of
//! characters are the machine's own. Its output is written down as text, and only the description of the target is replaced.
//! What WebAssembly has no faithful counterpart for is taken out of its function and named: a function that needs it calls an
//! import whose name says why ([`Text::retargeted`]), and whoever looks into such a function is refused with that reason.

mod addresses;
mod assembly;
mod assumptions;
mod call_graph;
mod dead;
mod labels;
mod order;
mod places;
mod strict;
mod unwind;
mod uses;
mod variadic;
pub(crate) mod wide;

pub(crate) use addresses::LOOKS_AT_ADDRESS;
pub(super) use call_graph::CallGraph;
use dead::without_dead;
use places::Places;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use unwind::without_unwinding;
pub(crate) use unwind::{CATCHES, CLEANS};

use crate::cc::compiler::real;

use super::passing::{DefinedSymbol, PassedAs, parameters};

/// How the names of imports begin that stand for what is not there; the reason follows.
pub(crate) const REFUSED: &str = "magneto: ";

/// What describes the target of generated code: the lines of a text for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target(String);

impl Target {
    /// As a text for the target describes it; none where it does not.
    pub(super) fn of(text: &str) -> Option<Target> {
        let lines: Vec<&str> = text.lines().filter(|line| is_target(line)).collect();
        (!lines.is_empty()).then(|| Target(lines.join("\n")))
    }
}

fn is_target(line: &str) -> bool {
    line.starts_with("target datalayout") || line.starts_with("target triple")
}

/// The compiler's output for one source.
pub(super) struct Text<'t> {
    text: &'t str,
    /// See [`CALLED_INLINE`].
    inline: Vec<&'t str>,
    places: Places<'t>,
    /// Words that stand for floats of which WebAssembly has none.
    wide: Vec<&'t str>,
    /// The unions that hold pointers and integers.
    punned: BTreeSet<&'t str>,
    /// Whether there are types with numbers for names, as values have.
    has_numbered_types: bool,
}

/// A variable without the section for constants that its source may put it into: what stands there is taken for what no code changes.
fn unplaced(line: &str) -> String {
    let place = line.find(", section \".rodata").filter(|_| line.contains(" global "));
    let end = |from: usize| line[from..].match_indices('"').nth(1).map(|(at, _)| from + at + 1);
    match place.and_then(|from| Some((from, end(from)?))) {
        Some((from, end)) => format!("{}{}", &line[..from], &line[end..]),
        None => line.to_owned(),
    }
}

/// The linkage of a definition that the compiler has for its own use alone: another file has it for all.
const INLINE: &str = " available_externally ";

/// What stands before the names of functions of C whose inline definitions are called where no file has others.
const CALLED_INLINE: &str = "; magneto inline:";

/// A text in which some functions that have inline definitions are defined for all files after all, and others may be called.
pub(super) fn with_linkage(text: &str, external: &BTreeSet<String>, inline: &BTreeSet<String>) -> String {
    let names: Vec<&str> = inline.difference(external).map(String::as_str).collect();
    let mut out = if names.is_empty() { String::new() } else { format!("{CALLED_INLINE} {}\n", names.join(" ")) };
    for line in text.lines() {
        let is_external =
            line.starts_with("define") && line.contains(INLINE) && symbol(line).is_some_and(|n| external.contains(n));
        out += &if is_external { line.replacen(INLINE, " dso_local ", 1) } else { line.to_owned() };
        out.push('\n');
    }
    out
}

/// The functions of C that have inline definitions in a text and are called, or named in its source itself.
pub(super) fn inline_used<'t>(text: &'t str, source: &str) -> Vec<&'t str> {
    let heads = text.lines().filter(|l| l.starts_with("define") && l.contains(INLINE)).filter_map(symbol);
    let is_used = |name: &&str| source.contains(name) || text.matches(&format!("@{name}(")).nth(1).is_some();
    heads.filter(is_used).collect()
}

/// The functions that a text defines for all files.
pub(super) fn defined_for_all(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|l| l.starts_with("define") && !l.contains(INLINE)).filter_map(symbol)
}

/// What comes of a text.
struct Rewritten<'o> {
    out: &'o mut String,
    /// The imports that say why something is not there.
    reasons: &'o mut BTreeSet<String>,
    /// Declarations that are needed besides.
    declared: &'o mut BTreeSet<String>,
}

/// Formats of floats that are not computed with, as words of the text.
const WIDE: [&str; 2] = ["ppc_fp128", "fp128"];

impl<'t> Text<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut wide = WIDE.to_vec();
        // Structures that hold such a float, or a structure that does.
        let types: Vec<(&str, &str)> = text.lines().filter_map(|line| line.split_once(" = type ")).collect();
        loop {
            let is_new = |(name, holds): &&(&'t str, &str)| !wide.contains(name) && mentions(holds, &wide);
            let more: Vec<&str> = types.iter().filter(is_new).map(|(name, _)| *name).collect();
            if more.is_empty() {
                break;
            }
            wide.extend(more);
        }
        let is_numbered = |(name, _): &(&str, &str)| name[1..].starts_with(|c: char| c.is_ascii_digit());
        let has_numbered_types = types.iter().any(is_numbered);
        let inline = text.strip_prefix(CALLED_INLINE).and_then(|rest| rest.lines().next());
        let inline = inline.map_or(Vec::new(), |names| names.split(' ').filter(|n| !n.is_empty()).collect());
        Text { text, inline, places: Places::of(text), wide, punned: addresses::punned(text), has_numbered_types }
    }

    /// A text of ours, which may use such floats as what they are made of.
    pub(super) fn own(text: &'t str) -> Self {
        Text { wide: Vec::new(), ..Text::new(text) }
    }

    /// The functions of C whose inline definitions are called where no file has others.
    pub(super) fn inline(&self) -> impl Iterator<Item = &'t str> + '_ {
        self.inline.iter().copied()
    }

    /// The head of a definition. One that the compiler has for its own use alone is kept in C++, where all are the same: a library has
    /// compiled the template, as libstdc++ has `std::string`. In C any other one is called in its place.
    fn kept(&self, head: &str) -> String {
        let Some(name) = symbol(head) else { return head.to_owned() };
        let linkage = if name.starts_with("_Z") {
            " linkonce_odr "
        } else if self.inline.contains(&name) {
            " weak "
        } else {
            INLINE
        };
        head.replacen(INLINE, linkage, 1)
    }

    /// The functions that are declared weak and not defined.
    pub(super) fn weak_undefined(&self) -> impl Iterator<Item = &'t str> + '_ {
        self.text.lines().filter(|l| l.contains(" extern_weak ")).filter_map(symbol)
    }

    /// The functions that use a symbol whose definition another one may replace, with that symbol.
    pub(super) fn weak_uses(&self) -> Vec<(String, String)> {
        let is_weak = |l: &&str| {
            l.starts_with("define weak ")
                || (l.starts_with('@') && [" = weak ", " = weak_odr "].iter().any(|w| l.contains(w)))
        };
        let weak: BTreeSet<&str> = self.text.lines().filter(is_weak).filter_map(symbol).collect();
        let mut function = "";
        let mut uses = Vec::new();
        for line in self.text.lines().filter(|_| !weak.is_empty()) {
            if line.starts_with("define ") {
                function = symbol(line).unwrap_or_default();
            } else if line == "}" {
                function = "";
            } else if let Some(name) = names(line).find(|name| !function.is_empty() && weak.contains(name)) {
                uses.push((function.to_owned(), name.to_owned()));
            }
        }
        uses
    }

    /// The symbols that are defined.
    pub(super) fn defined(&self) -> impl Iterator<Item = &'t str> + '_ {
        let defines = |l: &&str| l.starts_with("define ") || (l.starts_with('@') && !l.contains(" external "));
        self.text.lines().filter(defines).filter(|l| !l.contains(" extern_weak ")).filter_map(symbol)
    }

    /// Whether variables are defined that other files may use.
    pub(super) fn defines_variables(&self) -> bool {
        const OWN: [&str; 4] = ["private", "internal", "external", "extern_weak"];
        let linkage =
            |line: &'t str| line.split_once(" = ").map_or("", |(_, rest)| rest.split(' ').next().unwrap_or_default());
        self.text.lines().any(|line| line.starts_with('@') && !OWN.contains(&linkage(line)))
    }

    /// The same code for another target. `absent` are weak symbols that nothing defines.
    pub(super) fn retargeted(&self, target: &Target, absent: &BTreeSet<String>) -> String {
        let lines: Vec<&str> = self.text.lines().collect();
        let unchanging = uses::unchanging(&lines);
        let computed = labels::computed(&lines);
        let mut out = String::with_capacity(self.text.len() + 1024);
        let mut reasons: BTreeSet<String> = BTreeSet::new();
        let mut declared: BTreeSet<String> = BTreeSet::new();
        let mut is_told = false;
        let mut at = 0;
        while at < lines.len() {
            let line = lines[at];
            at += 1;
            if is_target(line) {
                if !std::mem::replace(&mut is_told, true) {
                    out += &target.0;
                    out.push('\n');
                }
            } else if line.starts_with("define ") && line.ends_with('{') {
                let length = lines[at..].iter().position(|l| *l == "}").unwrap_or(lines.len() - at);
                let body = &lines[at..at + length];
                at += length + 1;
                self.defined_function(
                    line,
                    body,
                    (absent, &unchanging),
                    &mut Rewritten { out: &mut out, reasons: &mut reasons, declared: &mut declared },
                );
            } else if let Some(name) = symbol(line).filter(|_| line.starts_with('@')) {
                let line = labels::without_labels(line, &computed);
                let line = unplaced(&self.kept(&wide::carried(&line).unwrap_or(line)));
                out += &if unchanging.contains(name) { line.replacen(" global ", " constant ", 1) } else { line };
                out.push('\n');
            } else if !line.starts_with("module asm ") {
                // The linker's own flags for code that may be loaded anywhere ask for tables that are not there.
                let flags = ["!\"PIC Level\", i32 ", "!\"PIE Level\", i32 "];
                match flags.iter().find_map(|flag| Some(&line[..line.find(flag)? + flag.len()])) {
                    Some(head) => {
                        let _ = writeln!(out, "{head}0}}");
                    }
                    None => {
                        out += &wide::carried(&features(line)).unwrap_or_else(|| line.to_owned());
                        out.push('\n');
                    }
                }
            }
        }
        for reason in reasons {
            let _ = writeln!(out, "declare void @\"{reason}\"()");
        }
        let is_there = |line: &String| {
            let name = line.split_once('@').and_then(|(_, rest)| rest.split('(').next()).unwrap_or_default();
            lines.iter().any(|l| l.starts_with("declare ") && l.contains(&format!("@{name}(")))
        };
        for line in declared.iter().filter(|line| !is_there(line)) {
            let _ = writeln!(out, "{line}");
        }
        out
    }

    /// A function that is defined: as it is, or with a reason in the place of its code.
    fn defined_function(
        &self,
        line: &str,
        body: &[&str],
        (absent, unchanging): (&BTreeSet<String>, &BTreeSet<&str>),
        to: &mut Rewritten<'_>,
    ) {
        // Types with numbers cannot be told from values.
        let returning = if self.has_numbered_types { None } else { without_unwinding(line, body) };
        let returning = returning.as_ref().map(|(head, kept)| {
            let note = if kept.iter().any(|l| l.contains(CATCHES)) { CATCHES } else { CLEANS };
            to.declared.insert(format!("declare void @\"{note}\"()"));
            (head.as_str(), kept.iter().map(String::as_str).collect::<Vec<_>>())
        });
        let (line, body) = returning.as_ref().map_or((line, body), |(head, kept)| (*head, &kept[..]));
        let refused = self.refused(line, body, absent, unchanging);
        // What constant conditions lead around is no reason.
        let live = refused.as_ref().filter(|_| !self.has_numbered_types).and_then(|_| without_dead(line, body));
        if let Some((head, kept)) = live {
            let kept: Vec<&str> = kept.iter().map(String::as_str).collect();
            if self.refused(&head, &kept, absent, unchanging).is_none() {
                self.function(&head, &kept, to);
                return;
            }
        }
        match refused {
            None => self.function(line, body, to),
            // A signature that cannot be had: those who call it are refused as well.
            Some(_) if mentions(line, &self.wide) => {
                let name = symbol(line).unwrap_or_default();
                let _ = writeln!(to.out, "declare void @{name}()");
            }
            Some(reason) => {
                let reason = quoted(&reason);
                let line = self.kept(&wide::carried(line).unwrap_or_else(|| line.to_owned()));
                let place = body.iter().find_map(|l| l.split(", !").find(|part| part.starts_with("dbg !")));
                let place = place.filter(|p| !p.contains(['{', '}'])).map_or(String::new(), |dbg| format!(", !{dbg}"));
                let _ = writeln!(to.out, "{line}\n  call void @\"{reason}\"(){place}\n  unreachable\n}}");
                to.reasons.insert(reason);
            }
        }
    }

    /// How each function takes its parameters.
    pub(super) fn passing(&self) -> BTreeMap<DefinedSymbol, Vec<PassedAs>> {
        let source = self.text.lines().find_map(|l| l.strip_prefix("source_filename = \"")?.strip_suffix('"'));
        let defined = |head: &str| {
            let source = source.filter(|_| head.starts_with("define internal ")).map(|path| real(Path::new(path)));
            let source = source.unwrap_or_default();
            Some((DefinedSymbol { symbol: symbol(head)?.to_owned(), source }, parameters(head)?))
        };
        self.text.lines().filter(|l| l.starts_with("define ")).filter_map(defined).collect()
    }

    /// Why a function cannot be had, with the place; none where it can.
    fn refused(
        &self,
        head: &str,
        body: &[&str],
        absent: &BTreeSet<String>,
        unchanging: &BTreeSet<&str>,
    ) -> Option<String> {
        if mentions(head, &self.wide) {
            return Some(self.reason_at(head, head, LONG_DOUBLE));
        }
        body.iter().enumerate().find_map(|(at, line)| {
            let ordinary = strict::plain(line);
            let operation = wide::operation(ordinary.as_ref().map_or(*line, |(line, _)| line));
            let reason = match () {
                () if mentions(line, &self.wide) => LONG_DOUBLE.to_owned(),
                () if matches!(operation, Some(Err(()))) => LONG_DOUBLE.to_owned(),
                () if strict::has_other_mode(line) => "rounds in a direction of its own".to_owned(),
                () if matches!(variadic::call(line, at), Some(Err(()))) => REST.to_owned(),
                () if variadic::reads_aligned(body, line) => ALIGNED_REST.to_owned(),
                () if is_of_member_pointer(body, line) => "calls by a pointer to a member function".to_owned(),
                () if line.contains(" asm ") && !is_barrier(line) && assembly::known(line, at).is_none() => {
                    "has inline assembly".to_owned()
                }
                () => match called(line).and_then(intrinsic) {
                    Some(reason) => reason.to_owned(),
                    None if line.contains("indirectbr ") => "jumps to a computed label".to_owned(),
                    None if reads_volatile(line) => {
                        let what = uses::read_by_others(body, at, unchanging)?;
                        format!("reads {what}, which others may write")
                    }
                    None => {
                        let name = names(line).find(|name| absent.contains(*name))?;
                        format!("uses the weak `{name}`, which no file defines")
                    }
                },
            };
            Some(self.reason_at(head, line, &reason))
        })
    }

    /// A reason with its place and the function.
    fn reason_at(&self, head: &str, line: &str, reason: &str) -> String {
        let function = symbol(head).unwrap_or_default();
        let place = self.places.of_line(line).or_else(|| self.places.of_line(head)).unwrap_or_default();
        format!("{REFUSED}{place}`{function}` {reason}")
    }

    /// A function as it is, with casts to short integers as the machine does them, and switches that stay one table.
    fn function(&self, head: &str, body: &[&str], to: &mut Rewritten<'_>) {
        let carried = |line: &str| wide::carried(line).unwrap_or_else(|| line.to_owned());
        to.out.push_str(&self.kept(&carried(&features(head))));
        to.out.push('\n');
        let looks = addresses::looks(body, &self.punned);
        let of_registers = variadic::asked_of_registers(body);
        for (at, line) in body.iter().enumerate() {
            if looks.binary_search(&at).is_ok() {
                to.out.push_str(&addresses::note(line));
                to.declared.insert(format!("declare void @\"{LOOKS_AT_ADDRESS}\"()"));
            }
            let ordinary = strict::plain(line);
            if let Some((_, Some(declared))) = &ordinary {
                to.declared.insert(declared.clone());
            }
            let line = ordinary.as_ref().map_or(*line, |(line, _)| line);
            if let Some((text, declared)) = variadic::list(line).or_else(|| assembly::known(line, at)) {
                to.declared.insert(declared);
                to.out.push_str(&text);
            } else if let Some(text) = variadic::to_memory(line).filter(|_| of_registers.binary_search(&at).is_ok()) {
                to.out.push_str(&text);
            } else if let Some(Ok(text)) = variadic::call(line, at) {
                to.out.push_str(&carried(&text));
            } else if let Some(Ok(text)) = wide::operation(line) {
                to.declared.extend(wide::DECLARED.map(str::to_owned));
                to.out.push_str(&text);
            } else {
                to.out.push_str(&cast(line).or_else(|| kept_switch(line)).unwrap_or_else(|| carried(line)));
            }
            to.out.push('\n');
        }
        to.out.push_str("}\n");
    }
}

const REST: &str = "hands over more than numbers and pointers in a variable number of arguments";
const ALIGNED_REST: &str = "reads an argument of a variable number that is aligned to 16 bytes";
const LONG_DOUBLE: &str = "computes with a float of more than 64 bits that is not followed";

/// Instructions of one machine, and what has no meaning here; with what is said of them.
fn intrinsic(name: &str) -> Option<&'static str> {
    let rest = name.strip_prefix("llvm.")?;
    let begins = |heads: &[&str]| heads.iter().any(|head| rest.starts_with(head));
    if begins(&["x86.", "aarch64.", "arm.", "ppc.", "riscv."]) {
        Some("uses instructions of one machine")
    } else if cfg!(not(target_arch = "x86_64")) && begins(&["va_start", "va_copy"]) {
        Some("takes a variable number of arguments")
    } else if begins(&["set.rounding"]) {
        Some("sets the rounding mode")
    } else if begins(&["returnaddress", "frameaddress", "read_register", "eh.", "readcyclecounter", "thread.pointer"]) {
        Some("looks at the machine's own state")
    } else {
        None
    }
}

/// Whether a line asks whether a pointer to a member function is one to a virtual one: addresses of functions are even on x86-64 alone.
fn is_of_member_pointer(body: &[&str], line: &str) -> bool {
    let Some((_, asked)) = line.split_once(" = and i64 %") else { return false };
    let Some((value, _)) =
        asked.split(", !").next().and_then(|text| text.split_once(", ")).filter(|(_, bits)| *bits == "1")
    else {
        return false;
    };
    let made = format!("  %{value} = extractvalue {{ i64, i64 }} ");
    body.iter().any(|line| line.starts_with(&made))
}

/// Whether a line reads what may be another value at each look.
fn reads_volatile(line: &str) -> bool {
    [" load volatile ", " load atomic ", " cmpxchg ", " atomicrmw "].iter().any(|w| line.contains(w))
}

/// Whether assembly is empty and changes nothing that a value depends on.
fn is_barrier(line: &str) -> bool {
    let Some((_, rest)) = line.split_once(" asm ") else { return false };
    let mut texts = rest.split('"');
    let (template, constraints) = (texts.nth(1), texts.nth(1));
    let clobbers = |c: &str| c.is_empty() || c.split(',').all(|one| one.starts_with("~{"));
    template == Some("") && constraints.is_some_and(clobbers)
}

/// A conversion of a float to an integer. Of what it is made nothing may be known: a number beyond the integers that comes
/// from a longer integer would be cut off there, where a machine has a value of its own. To 8 or 16 bits x86-64 converts to
/// 32 bits with a sign and drops the upper ones; other machines saturate to 32 bits with the type's own sign first.
fn cast(line: &str) -> Option<String> {
    let (target, rest) = line.split_once(" = fpto")?;
    let (sign, rest) = (rest.chars().next()?, rest.strip_prefix("ui ").or_else(|| rest.strip_prefix("si "))?);
    let (from, rest) = rest.split_once(" to ")?;
    let (ty, operand) = from.split_once(' ').filter(|(ty, _)| ["float", "double"].contains(ty))?;
    let widths = ["i8", "i16", "i32", "i64"];
    let width = widths.into_iter().find(|w| rest.strip_prefix(w).is_some_and(|r| !r.starts_with(word)))?;
    let (tail, name) = (&rest[width.len()..], target.trim().trim_start_matches('%'));
    let frozen = format!("  %magneto.from.{name} = freeze {ty} {operand}{tail}\n");
    let from = format!("{ty} %magneto.from.{name}");
    if !["i8", "i16"].contains(&width) {
        return Some(format!("{frozen}{target} = fpto{sign}i {from} to {width}{tail}"));
    }
    let sign = if cfg!(target_arch = "x86_64") { 's' } else { sign };
    Some(format!(
        "{frozen}  %magneto.cast.{name} = fpto{sign}i {from} to i32{tail}\n{target} = trunc i32 %magneto.cast.{name} to {width}{tail}"
    ))
}

/// A switch over 32 bits whose operand is looked at by nobody else: as part of a wider computation its range would be a test
/// of its own, which the source does not have.
fn kept_switch(line: &str) -> Option<String> {
    let rest = line.strip_prefix("  switch i32 %")?;
    let (name, rest) = rest.split_once(',')?;
    Some(format!("  %magneto.{name} = freeze i32 %{name}\n  switch i32 %magneto.{name},{rest}"))
}

/// The attributes of a function say for which machine it is.
fn features(line: &str) -> String {
    if !line.starts_with("attributes ") {
        return line.to_owned();
    }
    let mut out = line.to_owned();
    for (key, value) in [
        ("\"target-cpu\"=\"", "generic"),
        ("\"tune-cpu\"=\"", "generic"),
        ("\"target-features\"=\"", "+nontrapping-fptoint"),
    ] {
        if let Some(from) = out.find(key).map(|at| at + key.len())
            && let Some(length) = out[from..].find('"')
        {
            out.replace_range(from..from + length, value);
        }
    }
    // A function without this list would have the target's own.
    if !out.contains("\"target-features\"") {
        out = out.replacen(" }", " \"target-features\"=\"+nontrapping-fptoint\" }", 1);
    }
    out
}

/// As part of a name in quotes.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\5C").replace('"', "\\22")
}

/// Whether a character may be part of a name.
fn word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '-')
}

/// Whether any of these words stands in a text.
fn mentions(text: &str, words: &[&str]) -> bool {
    words.iter().any(|w| {
        text.match_indices(w).any(|(at, _)| {
            let (before, after) = (text[..at].chars().next_back(), text[at + w.len()..].chars().next());
            !before.is_some_and(word) && !after.is_some_and(word)
        })
    })
}

/// The names of symbols in a line, without quotes.
fn names(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices('@').filter_map(|(at, _)| {
        let rest = &line[at + 1..];
        match rest.strip_prefix('"') {
            Some(inside) => inside.split('"').next(),
            None => Some(&rest[..rest.find(|c| !word(c)).unwrap_or(rest.len())]),
        }
    })
}

/// The first symbol of a line: what it defines or declares.
fn symbol(line: &str) -> Option<&str> {
    names(line).find(|name| !name.is_empty())
}

/// The function that a line calls.
fn called(line: &str) -> Option<&str> {
    line.contains("call ").then(|| symbol(line)).flatten()
}

#[cfg(test)]
mod tests;
