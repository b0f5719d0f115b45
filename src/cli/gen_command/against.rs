//! `magneto gen --against`: an earlier run, beside which this one is not to fall back.

use super::Options;
use super::worse::Worse;
use crate::cli::exit::Failure;
use crate::cli::output::Output;
use crate::cli::specs::Loaded;
use magneto::options::Settings;
use magneto::record::{Part, ReadError, Told, read};
use magneto::report::diff::{Version, weaker};
use magneto::spec::Spec;
use magneto::suite::{Counts, ScoreShare};
use std::path::PathBuf;

/// What an earlier run was about, and what it killed.
pub(super) struct Before {
    dir: PathBuf,
    parts: Vec<(Spec, Counts)>,
}

/// Reads the earlier run, before anything is computed and before it is replaced.
pub(super) fn read(options: &Options, settings: &Settings) -> Result<Option<Before>, Failure> {
    let Some(dir) = &options.against else {
        // Shards are compared once they are put together.
        return match settings.fail_on.compares() {
            Some(gate) if options.shard.is_none() => Err(Failure::usage_hint(
                format!("--fail-on {gate}: compared with which run?"),
                "add --against DIR, an output folder of an earlier `magneto gen`",
            )),
            _ => Ok(None),
        };
    };
    let one = |folder: String| {
        let part = Part::read(&dir.join(folder))?;
        let counts = part.mutants.counts();
        Ok((Version::of_run(part)?.spec, counts))
    };
    let parts = read::folders(dir)?.into_iter().map(one).collect::<Result<_, ReadError>>()?;
    Ok(Some(Before { dir: dir.clone(), parts }))
}

impl Before {
    /// In what specifications fall back, by the folders of a run; the others are noted where their scores changed.
    pub(super) fn worse(
        &self,
        parts: &[(String, Told)],
        now: &[(&String, &Loaded)],
        settings: &Settings,
        output: &Output,
    ) -> Worse {
        let (mut worse, dir) = (Worse::default(), self.dir.display());
        let score = settings.score;
        let mut left: Vec<&(Spec, Counts)> = self.parts.iter().collect();
        for (folder, told) in parts {
            let name = &told.summary.specification;
            let Some(before) = left.iter().position(|(s, _)| s.name == *name).map(|k| left.remove(k)) else {
                output.note(format!("{dir} says nothing of {name}, whose score is compared with none"));
                continue;
            };
            if let Some((_, loaded)) = now.iter().find(|(own, _)| *own == folder) {
                let found = weaker(&before.0, &loaded.spec);
                worse.specs.extend((!found.is_empty()).then(|| format!("{name}: {}", found.join(", "))));
            }
            let [killed, kills] = [before.1, told.counts].map(|c| c.killed + c.probable);
            worse.kills.extend((kills < killed).then(|| format!("{name}: {killed} before, {kills} now")));
            let [before, now] = [before.1, told.counts].map(|c| score.of(&c));
            let shown = |s: ScoreShare| format!("{} ({} of {})", s.text(), s.part, s.whole);
            let words = format!("{name}: {} before, {} now", shown(before), shown(now));
            if now.exact() < before.exact() {
                worse.scores.push(words);
            } else if now != before {
                output.note(format!("the {} score of {words}", score.name()));
            }
        }
        left.iter().for_each(|(s, _)| output.note(format!("{dir} has {} too, which is not among these", s.name)));
        worse
    }
}
