//! Standard output and standard error. Neither a closed pipe nor a full disk is a panic.

use super::closed::standard_output_is_closed;
use super::exit::{Exit, Failure};
use super::heartbeat;
use clap::{Args, ColorChoice, ValueEnum};
use magneto::text::number_of;
use serde::Serialize;
use std::io::{ErrorKind, IsTerminal as _, Write as _};

/// What every command knows.
#[derive(Args)]
#[group(skip)]
#[command(next_help_heading = "Common options")]
pub(crate) struct Common {
    /// Print one JSON document to standard output
    #[arg(long, global = true)]
    json: bool,
    /// Colours: `auto` is on a terminal unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = Color::Auto)]
    color: Color,
    /// No progress, no notes, no summary
    #[arg(short, long, global = true)]
    quiet: bool,
}

/// Where results, notes and progress go, and how.
pub(crate) struct Output {
    pub(crate) json: bool,
    pub(crate) quiet: bool,
    color: Color,
}

/// When to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    pub(crate) fn for_clap(self) -> ColorChoice {
        match self {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        }
    }

    fn on(self, terminal: bool) -> bool {
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => terminal && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()),
        }
    }
}

/// `--color` before the command line is understood, for what is wrong with it.
pub(crate) fn color_of_arguments() -> Color {
    let arguments: Vec<String> = std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
    let after = |i: usize| arguments.get(i + 1).map(String::as_str);
    let mut given = arguments
        .iter()
        .enumerate()
        .filter_map(|(i, a)| a.strip_prefix("--color=").or_else(|| if a == "--color" { after(i) } else { None }));
    given.next_back().and_then(|name| Color::from_str(name, false).ok()).unwrap_or(Color::Auto)
}

/// What a failure looks like with `--json`.
#[derive(Serialize)]
struct Problem<'a> {
    schema: &'static str,
    exit: u8,
    errors: Vec<&'a str>,
}

impl Output {
    pub(crate) fn new(&Common { json, color, quiet }: &Common) -> Self {
        Output { json, quiet, color }
    }

    /// Without colours, before the command line is understood.
    pub(crate) fn plain(json: bool) -> Self {
        Output { json, quiet: false, color: Color::Never }
    }

    /// Whether results are coloured.
    pub(crate) fn colored(&self) -> bool {
        self.color.on(std::io::stdout().is_terminal())
    }

    /// Whether there is a terminal to show progress on.
    pub(crate) fn shows_progress(&self) -> bool {
        !self.quiet && std::io::stderr().is_terminal()
    }

    /// Prints results. A reader that has gone away is no failure.
    pub(crate) fn print(&self, text: impl AsRef<[u8]>) -> Result<(), Failure> {
        let write = || {
            let mut out = std::io::stdout().lock();
            written(out.write_all(text.as_ref()).and_then(|()| out.flush()))
        };
        if self.shows_progress() { heartbeat::aside(write) } else { write() }
    }

    /// Prints results for a person, who may have names from elsewhere in them: nothing but text reaches the terminal.
    pub(crate) fn say(&self, text: impl AsRef<str>) -> Result<(), Failure> {
        self.print(printable(text.as_ref(), self.colored()))
    }

    /// Prints a JSON document.
    pub(crate) fn print_json(&self, document: &impl Serialize) -> Result<(), Failure> {
        self.print(magneto::record::json::text(document))
    }

    /// Something worth knowing, on standard error.
    pub(crate) fn note(&self, text: impl AsRef<str>) {
        if !self.quiet {
            self.message(&format!("note: {}\n", text.as_ref()));
        }
    }

    /// Why nothing was done, on standard error; with `--json` on standard output too.
    pub(crate) fn failure(&self, failure: &Failure) {
        for message in &failure.messages {
            self.message(message);
        }
        if self.json {
            let errors = failure.messages.iter().map(|m| m.trim_end()).collect();
            let exit = if failure.exit == Exit::Usage { 2 } else { failure.exit as u8 };
            let _ = self.print_json(&Problem { schema: "magneto/error/1", exit, errors });
        }
    }

    /// A complete message on standard error, its first word in colour.
    pub(crate) fn message(&self, text: &str) {
        let text = &printable(text, false);
        let color = match text.split_once(':').map(|(word, _)| word) {
            Some("error") => "\x1b[1;31m",
            Some("warning") => "\x1b[1;33m",
            Some("note") => "\x1b[1;36m",
            _ => "",
        };
        let shown = match text.split_once(':') {
            Some((word, rest)) if !color.is_empty() && self.color.on(std::io::stderr().is_terminal()) => {
                format!("{color}{word}\x1b[0m:{rest}")
            }
            _ => text.to_owned(),
        };
        let write = || drop(std::io::stderr().lock().write_all(shown.as_bytes()));
        if self.shows_progress() { heartbeat::aside(write) } else { write() }
    }

    /// Replaces the line of progress; an empty text removes it.
    pub(crate) fn progress(&self, text: &str) {
        if self.shows_progress() {
            heartbeat::show(&printable(text, false));
        }
    }

    /// Says what is being done from now on. It is shown if it takes more than two seconds.
    pub(crate) fn doing(&self, text: &str) {
        if self.shows_progress() {
            heartbeat::doing(&printable(text, false));
        }
    }

    /// Prints results for a person in which verdicts stand, in colours where colours are wanted.
    pub(crate) fn say_verdicts(&self, text: impl AsRef<str>) -> Result<(), Failure> {
        match self.colored() {
            true => self.print(printable(&verdicts_in_color(&printable(text.as_ref(), false)), true)),
            false => self.say(text),
        }
    }
}

/// The words for verdicts with their colours.
const VERDICTS: [(&str, &str); 3] = [("OK", "\x1b[32m"), ("KO", "\x1b[31m"), ("UNCERTAIN", "\x1b[33m")];

/// A text with its verdicts in colours. That there is none of a kind, as in `0 KO`, is worth no colour.
fn verdicts_in_color(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':');
    while let Some(start) = rest.find(|c: char| c.is_alphanumeric()) {
        let length = rest[start..].find(|c: char| !is_word(c)).unwrap_or(rest.len() - start);
        let (before, word) = (&rest[..start], &rest[start..start + length]);
        let bare = word.trim_end_matches([':', '.']);
        let none = before == " " && (out.ends_with(" 0") || out.ends_with("\n0") || out == "0");
        out.push_str(before);
        match VERDICTS.iter().find(|v| v.0 == bare && !none) {
            Some((name, color)) => out.push_str(&format!("{color}{name}\x1b[0m{}", &word[bare.len()..])),
            None => out.push_str(word),
        }
        rest = &rest[start + length..];
    }
    out.push_str(rest);
    out
}

/// Whether what was written to standard output is there. A reader that has gone away is no failure.
pub(super) fn written(result: std::io::Result<()>) -> Result<(), Failure> {
    match result {
        _ if standard_output_is_closed() => Err(Failure::usage_hint(
            "cannot write to standard output: it is closed",
            "`>/dev/null` throws results away",
        )),
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::usage(format!("cannot write to standard output: {e}")))
        }
        _ => Ok(()),
    }
}

/// A text in which what would move a terminal's cursor, change its title or turn the direction of a line stands by its number. With `colored`
/// what changes colours stays.
fn printable(text: &str, colored: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let color = if colored { color(rest) } else { None };
        let length = color.unwrap_or(c.len_utf8());
        match number_of(c).filter(|_| color.is_none()) {
            Some(number) => out.push_str(&number),
            None => out.push_str(&rest[..length]),
        }
        rest = &rest[length..];
    }
    out
}

/// The length of the sequence for a colour with which a text begins, if it does.
fn color(text: &str) -> Option<usize> {
    let inside = text.strip_prefix("\x1b[")?;
    let end = inside.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    inside[end..].starts_with('m').then_some("\x1b[".len() + end + 1)
}

#[cfg(test)]
mod tests {
    use super::verdicts_in_color;

    #[test]
    fn verdicts_are_coloured_where_there_are_some() {
        let (red, green, yellow, plain) = ("\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[0m");
        let text = "  tests   9: 0 OK, 8 KO, 1 UNCERTAIN\nKO, the worst first\nlib/KO.c OKAY a-KO\nUNCERTAIN: at the cap\nKO\n";
        let expected = format!(
            "  tests   9: 0 OK, 8 {red}KO{plain}, 1 {yellow}UNCERTAIN{plain}\n{red}KO{plain}, the worst first\n\
             lib/KO.c OKAY a-KO\n{yellow}UNCERTAIN{plain}: at the cap\n{red}KO{plain}\n"
        );
        assert_eq!(verdicts_in_color(text), expected);
        assert_eq!(verdicts_in_color("10 OK"), format!("10 {green}OK{plain}"));
        assert_eq!(verdicts_in_color(""), "");
    }
}
