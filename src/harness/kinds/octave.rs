//! A function of Octave.

use super::{
    Foundation, FunctionOption, ImplementationKind, NotReady, Preparation, StartedBy, UnderTest, require_file,
};
use crate::floats::Format;
use crate::harness::answer;
use crate::harness::prepare::fault;
use crate::tool;
use crate::unfit::Unfit;
use std::ffi::OsString;
use std::fmt;
use std::process::Command;

/// The side of Octave of the protocol.
const DRIVER: &str = include_str!("../driver.m");
/// Keeps what a function prints out of its answers, and hands on what is asked of it beyond lines.
const SHELL: &str = r#"MAGNETO_BATCHES="$3" exec "$0" --norc --quiet --no-history --eval "$1" 3>&1 1>&2"#;

#[derive(Debug)]
pub(super) struct Octave;

impl ImplementationKind for Octave {
    fn key(&self) -> &'static str {
        "octave"
    }

    fn help(&self) -> &'static str {
        "A file of Octave: that of a function, or a script that defines it"
    }

    fn notes(&self) -> &'static str {
        "--octave calls a function of Octave with $OCTAVE (octave-cli), one input after the other: an error refuses the input, \
         unless Octave names it `Octave:…`, as what is undefined or does not fit; then it is a crash."
    }

    fn function_option(&self) -> Option<FunctionOption> {
        Some(FunctionOption { name: "fn", is_required: false })
    }

    fn settle_name(&self, option: &str, target: &mut UnderTest) -> Result<(), Unfit> {
        require_file(option, target.path(), &["m"])?;
        if target.function.is_empty() {
            target.function =
                target.path().file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
        }
        Ok(())
    }

    fn prepare(&self, target: &UnderTest, preparation: &mut Preparation<'_>) -> Result<StartedBy, NotReady> {
        let Preparation { spec, record, .. } = preparation;
        let named = std::env::var("OCTAVE").ok().filter(|p| !p.trim().is_empty());
        let octave = named.unwrap_or_else(|| "octave-cli".to_owned());
        target.record_source(record);
        record.add("function", &target.function);
        record.add("octave", &octave);
        let version = tool::answer(Command::new(&octave).arg("--version"), "");
        let version = version
            .map_err(|e| fault(format!("cannot call Octave as `{octave}`: {e}; install it, or name it by $OCTAVE")))?;
        record.add("octave_version", answer::clip(version.output.lines().next().unwrap_or_default(), 200));
        let path = std::fs::canonicalize(target.path()).unwrap_or_else(|_| target.path().to_owned());
        // By its bytes: a text in quotes would have to be without some.
        let bytes = |text: &dyn fmt::Display| {
            let all: Vec<String> = text.to_string().bytes().map(|b| b.to_string()).collect();
            format!("char([{}])", all.join(" "))
        };
        let place = spec.result;
        let sizes: Vec<String> = spec.core.args.iter().map(|argument| format!("{:?}", argument.sizes)).collect();
        let mut inputs = spec.inputs.iter();
        // The elements of an array have one format.
        let classes = spec.core.args.iter().map(|argument| {
            let last = inputs.by_ref().take(argument.sizes.iter().product()).last();
            if last.is_some_and(|input| input.format == Format::BINARY32) { "'single'" } else { "'double'" }
        });
        let classes: Vec<&str> = classes.collect();
        let call = format!(
            "magneto_main({}, {}, {{{}}}, {{{}}}, {}, {});",
            bytes(&path.display()),
            bytes(&target.function),
            sizes.join(", "),
            classes.join(", "),
            place.index + 1,
            place.count
        );
        let code = format!("{DRIVER}\n{call}\n");
        Ok(["sh", "-c", SHELL, &octave, &code].map(OsString::from).to_vec().into())
    }

    fn foundation(&self, _command: &[OsString]) -> Foundation {
        Foundation::Unknown("what a function of Octave reads is not known".to_owned())
    }
}
