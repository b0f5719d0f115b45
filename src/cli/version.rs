//! `magneto --version --verbose`: what this program was built from, with what, and where it runs.

use super::exit::{Exit, Failure};
use super::output::Output;
use magneto::num::mpfr;
use magneto::record::manifest::{COMMIT, VERSION};
use serde::Serialize;
use std::ffi::OsString;

/// Whether somebody asks for all of it: `--version` and `--verbose` with nothing but common options beside them.
pub(super) fn is_asked(arguments: impl Iterator<Item = OsString>) -> bool {
    let words: Vec<OsString> = arguments.skip(1).collect();
    let has = |names: &[&str]| words.iter().any(|w| names.iter().any(|n| w == n));
    let known = |w: &OsString| ["--version", "-V", "--verbose", "--json"].iter().any(|n| w == n);
    has(&["--version", "-V"]) && has(&["--verbose"]) && words.iter().all(known)
}

/// Everything that may matter where two machines do not agree.
#[derive(Serialize)]
struct BuildFacts {
    schema: &'static str,
    magneto: &'static str,
    commit: Option<&'static str>,
    features: Vec<&'static str>,
    profile: &'static str,
    target: &'static str,
    target_features: Vec<&'static str>,
    rustc: &'static str,
    mpfr: String,
    gmp: String,
    machine: String,
}

impl BuildFacts {
    fn new() -> Self {
        let features =
            [("cli", cfg!(feature = "cli")), ("html", cfg!(feature = "html")), ("plots", cfg!(feature = "plots"))];
        BuildFacts {
            schema: "magneto/version/1",
            magneto: VERSION,
            commit: COMMIT,
            features: features.into_iter().filter(|f| f.1).map(|f| f.0).collect(),
            profile: env!("MAGNETO_PROFILE"),
            target: env!("MAGNETO_TARGET"),
            target_features: env!("MAGNETO_TARGET_FEATURES").split(',').filter(|f| !f.is_empty()).collect(),
            rustc: env!("MAGNETO_RUSTC"),
            mpfr: mpfr::version(),
            gmp: mpfr::gmp_version(),
            machine: machine(),
        }
    }

    fn text(&self) -> String {
        let commit = self.commit.unwrap_or("not known: built for development, or outside of a clone");
        format!(
            "magneto {}\ncommit    {commit}\nfeatures  {}\nprofile   {}\ntarget    {} ({})\nrustc     {}\nMPFR      {}\n\
             GMP       {}\nmachine   {}\n",
            self.magneto,
            self.features.join(", "),
            self.profile,
            self.target,
            self.target_features.join(", "),
            self.rustc,
            self.mpfr,
            self.gmp,
            self.machine
        )
    }
}

/// This machine, in words: the system, and the processor where that is told.
pub(super) fn machine() -> String {
    let about = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = about.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = model.map_or(String::new(), |(_, name)| format!(", {}", name.trim()));
    format!("{} {}{model}", std::env::consts::OS, std::env::consts::ARCH)
}

/// Prints it.
pub(super) fn run(output: &Output) -> Result<Exit, Failure> {
    let facts = BuildFacts::new();
    if output.json {
        output.print_json(&facts)?
    } else {
        output.say(facts.text())?
    }
    Ok(Exit::Passed)
}

#[cfg(test)]
mod tests {
    use super::is_asked;

    #[test]
    fn only_the_two_options_together_ask() {
        let asked = |words: &str| is_asked(std::iter::once("magneto").chain(words.split(' ')).map(Into::into));
        assert!(asked("--version --verbose") && asked("--verbose -V") && asked("--json --version --verbose"));
        assert!(!asked("--version") && !asked("--verbose") && !asked("check a --verbose --version"));
    }
}
