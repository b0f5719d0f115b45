//! `magneto merge`

use super::exit::{Exit, Failure};
use super::gate::Gate;
use super::gen_command::outcome::{self, Clock, Ended};
use super::gen_command::worse::Worse;
use super::output::Output;
use super::{check, cover, destination, flags, shards, solve, worst};
use clap::{ArgMatches, Args, Command};
use magneto::options::{Effect, KNOBS, OptionOrigin, Settings};
use magneto::record::manifest::RecordedOption;
use magneto::record::merge::{Merged, are_enumerations, are_shares, merge, merge_enumerations, merge_shares};
use magneto::record::store::FolderClaim;
use magneto::record::{self, Part, Written, json, store};
use magneto::threads::Threads;
use std::path::{Path, PathBuf};

/// Put the shards of a run together: the files that one run would have written
#[derive(Args)]
#[group(skip)]
struct Options {
    /// The folders of all shards
    #[arg(value_name = "DIR", required = true)]
    dir: Vec<PathBuf>,
    /// Where to write the run
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Write into OUT even if it holds the results of other specifications, which are replaced, or files that magneto did
    /// not write, which stay
    #[arg(long)]
    force: bool,
}

pub(crate) fn command() -> Command {
    Options::augment_args(Command::new("merge"))
        .after_help(
            "Each DIR is the output folder of `magneto gen --shard K/N`, or of `check`, `worst`, `cover`, `solve` or `bench` with --shard, in any order. \
             The result is byte by byte that of the same command without --shard, times of `bench` excepted. Shards that are missing or there twice, that were interrupted, or were made with \
             another version, other options or other specifications are refused, and nothing is written. The exit code is \
             that of the command, with the gates (such as --min-score, --fail-on) that the shards had.",
        )
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let mut clock = Clock::start();
    let Options { dir: dirs, output: out, force } = flags::options(matches)?;
    dirs.iter().try_for_each(|shard| destination::apart(shard, &out))?;
    if are_enumerations(&dirs) {
        return enumerations(&dirs, &out, force, output);
    }
    if are_shares(&dirs) {
        return shares(&dirs, &out, force, output);
    }
    let Merged { parts, options } = merge(&dirs).map_err(|e| Failure::usage_hint(&e, e.hint()))?;
    let mut settings = Settings::default();
    settings.output = out;
    set_gates(&mut settings, &options)?;
    let own = |part: &Part| {
        let mut own = Settings::default();
        set_gates(&mut own, &part.manifest.options).map(|()| Gate::new(&own))
    };
    let gates: Vec<Gate> = parts.iter().map(|(_, part)| own(part)).collect::<Result<_, _>>()?;
    let folders: Vec<String> = parts.iter().map(|(folder, _)| folder.clone()).collect();
    let names: Vec<&str> = parts.iter().map(|(_, p)| p.summary.specification.as_str()).collect();
    let stale = store::claim(&settings.output, &FolderClaim::Run { folders: &folders, force })?;
    destination::replaced(&settings.output, &names, &stale, force, output)?;
    destination::exported(&settings.output, output);
    let threads = Threads::new(settings.suite.jobs);
    let parts = parts.into_iter().map(|(folder, part)| (folder, Written::new(&part, &threads))).collect();
    let record::WrittenRun { overview, files, told } = record::run(parts, false);
    store::publish(&store::Real, &settings.output, &files, &stale)?;
    let ended = Ended {
        schema: "magneto/merge/1",
        overview: &overview,
        costs: &[],
        gates: &gates,
        worse: &Worse::default(),
        out_of_memory: false,
    };
    clock.ends("files");
    outcome::report(&settings, &told, &ended, output, &clock)
}

/// Takes over what a run had to reach.
fn set_gates(settings: &mut Settings, options: &[RecordedOption]) -> Result<(), Failure> {
    for knob in KNOBS.iter().filter(|k| k.effect == Effect::Gate) {
        let value = options.iter().find(|o| o.name == knob.name).and_then(|o| o.value.clone());
        let set = value.map_or(Ok(()), |value| settings.set(knob, &[value], OptionOrigin::Flag));
        set.map_err(|e| Failure::usage(format!("the shards have --{}: {e}", knob.name)))?;
    }
    Ok(())
}

/// Puts the shards of `worst --exhaustive` together.
fn enumerations(dirs: &[PathBuf], out: &Path, force: bool, output: &Output) -> Result<Exit, Failure> {
    let whole = merge_enumerations(dirs).map_err(|e| Failure::usage_hint(&e, e.hint()))?;
    let stale = store::claim(out, &FolderClaim::Run { folders: &[String::new()], force })?;
    if !stale.is_empty() && !force {
        return Err(Failure::usage_hint(
            format!("{} holds earlier results", out.display()),
            "choose another folder with --output, or --force to replace them",
        ));
    }
    let files = store::Files::from([(store::ENUMERATION.to_owned(), json::document(&whole))]);
    store::publish(&store::Real, out, &files, &stale)?;
    if output.json {
        output.print_json(&json::Versioned(&whole))?;
    } else if !output.quiet {
        let (owed, ok, ko, uncertain) = (whole.owed, whole.ok, whole.ko, whole.uncertain);
        output.say(format!(
            "{}: {} inputs looked at, {owed} in the domain: {ok} OK, {ko} KO, {uncertain} uncertain\n",
            whole.name, whole.seen
        ))?;
    }
    output.note(format!(
        "`magneto worst … --exhaustive --resume -o {}` puts the {} inputs that matter to the implementation again, and \
         writes what one run gives",
        out.display(),
        whole.points.len()
    ));
    Ok(match () {
        () if whole.ko > 0 => Exit::Gate,
        () if whole.uncertain > 0 => Exit::Inconclusive,
        () => Exit::Passed,
    })
}

/// Puts the shards of `cover`, `solve` and `bench` together: what they found ends the command that they are parts of.
fn shares(dirs: &[PathBuf], out: &Path, force: bool, output: &Output) -> Result<Exit, Failure> {
    let (share, found) = merge_shares(dirs).map_err(|e| Failure::usage_hint(&e, e.hint()))?;
    let line = super::command().try_get_matches_from(shards::command_line(&share, out));
    let line = line.map_err(|e| Failure::usage(format!("the shards are of a command that is not known: {e}")))?;
    // A benchmark knows its own folder.
    if share.command.first().is_none_or(|name| name != "bench") {
        store::claim(out, &FolderClaim::Run { folders: &[String::new()], force })?;
    }
    match line.subcommand() {
        Some(("cover", matches)) => cover::end(matches, found, output),
        Some(("check", matches)) => check::end(matches, shards::read(found)?, output),
        Some(("worst", matches)) => worst::end(matches, shards::read(found)?, output),
        Some(("solve", matches)) => solve::end(matches, shards::read(found)?, output),
        #[cfg(feature = "plots")]
        Some(("bench", matches)) => super::bench::end(matches, found, output),
        _ => Err(Failure::usage(format!("`{}` has no shards", share.command.join(" ")))),
    }
}
