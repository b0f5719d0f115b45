//! `magneto gen --against`: an earlier run, whose scores this one is to reach.

use super::Options;
use crate::cli::exit::Failure;
use crate::cli::output::Output;
use magneto::options::{Score, Settings};
use magneto::record::{Part, Told, read};
use magneto::suite::{Counts, ScoreShare};
use std::path::PathBuf;

/// The scores of an earlier run.
pub(super) struct Before {
    dir: PathBuf,
    counts: Vec<(String, Counts)>,
}

/// Reads the earlier run, before anything is computed and before it is replaced.
pub(super) fn read(options: &Options, settings: &Settings) -> Result<Option<Before>, Failure> {
    let Some(dir) = &options.against else {
        // Shards are compared once they are put together.
        return match settings.fail_on.lower_score {
            true if options.shard.is_none() => Err(Failure::usage_hint(
                "--fail-on lower-score: lower than in which run?",
                "add --against DIR, an output folder of an earlier `magneto gen`",
            )),
            _ => Ok(None),
        };
    };
    let one = |folder: String| {
        let part = Part::read(&dir.join(folder))?;
        Ok((part.manifest.specification.name.clone(), part.mutants.counts()))
    };
    let counts = read::folders(dir)?.into_iter().map(one).collect::<Result<_, magneto::record::ReadError>>()?;
    Ok(Some(Before { dir: dir.clone(), counts }))
}

impl Before {
    /// The specifications whose score fell, each with both scores; the others are noted where theirs changed.
    pub(super) fn lower(&self, parts: &[(String, Told)], score: Score, output: &Output) -> Vec<String> {
        let (mut lower, dir) = (Vec::new(), self.dir.display());
        let mut left: Vec<&(String, Counts)> = self.counts.iter().collect();
        for (_, told) in parts {
            let name = &told.summary.specification;
            let Some(before) = left.iter().position(|(n, _)| n == name).map(|k| left.remove(k)) else {
                output.note(format!("{dir} says nothing of {name}, whose score is compared with none"));
                continue;
            };
            let [before, now] = [before.1, told.counts].map(|c| score.of(&c));
            let shown = |s: ScoreShare| format!("{} ({} of {})", s.text(), s.part, s.whole);
            let words = format!("{name}: {} before, {} now", shown(before), shown(now));
            if now.exact() < before.exact() {
                lower.push(words);
            } else if now != before {
                output.note(format!("the {} score of {words}", score.name()));
            }
        }
        left.iter().for_each(|(name, _)| output.note(format!("{dir} has {name} too, which is not among these")));
        lower
    }
}
