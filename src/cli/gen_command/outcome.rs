//! What is told at the end of a run, and how it ends.

use super::cached::Made;
use super::worse::Worse;
use crate::cli::exit::{Exit, Failure};
use crate::cli::gate::{self, Gate};
use crate::cli::output::Output;
use magneto::mutate::Sample;
use magneto::options::Settings;
use magneto::record::{Overview, Summary, Told, json};
use magneto::report::text;
use magneto::suite::{Counts, Phases};
use serde::Serialize;
use std::time::{Duration, Instant};

/// How a run over all specifications ended.
pub(in crate::cli) struct Ended<'a> {
    /// What `--json` prints.
    pub(in crate::cli) schema: &'static str,
    pub(in crate::cli) overview: &'a Overview,
    /// What each specification cost; none where none was worked on.
    pub(in crate::cli) costs: &'a [Cost],
    /// What each has to reach.
    pub(in crate::cli) gates: &'a [Gate],
    /// In what it falls back beside an earlier run.
    pub(in crate::cli) worse: &'a Worse,
    /// Whether the budget of memory was used up for one of them.
    pub(in crate::cli) out_of_memory: bool,
}

/// What a specification cost.
pub(in crate::cli) struct Cost {
    /// Where the time went, in the run that found its results.
    pub(in crate::cli) phases: Phases,
    /// Whether that was an earlier one.
    pub(in crate::cli) earlier: bool,
}

/// The time of a run by stages, which add up to all of it.
pub(in crate::cli) struct Clock {
    since: Instant,
    stages: Vec<(&'static str, Duration)>,
}

impl Clock {
    /// A run begins now.
    pub(in crate::cli) fn start() -> Self {
        Clock { since: Instant::now(), stages: Vec::new() }
    }

    /// A stage ends now, and the next one begins.
    pub(in crate::cli) fn ends(&mut self, stage: &'static str) {
        let now = Instant::now();
        self.stages.push((stage, now.duration_since(self.since)));
        self.since = now;
    }

    fn total(&self) -> Duration {
        self.stages.iter().map(|(_, time)| *time).sum()
    }
}

/// Tell what the run left out for its memory.
pub(super) fn memory(name: &str, made: &Made, settings: &Settings, output: &Output) {
    let most = settings.suite.max_memory >> 20;
    if let Some(Sample { places, variables, inputs }) = made.kept.sample {
        output.note(format!(
            "{name}: {most} MiB (--max-memory) have no room for all mutants; made are those at 1 of {places} places of the \
             formula, 1 of {variables} changes of a variable, and those of the ranges of 1 of {inputs} inputs"
        ));
    }
    if made.out_of_memory {
        output.note(format!(
            "{name}: stopped since more than {most} MiB (--max-memory) were in use; what is done is kept"
        ));
    }
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    output: String,
    exit: u8,
    interrupted: bool,
    seconds: String,
    /// Where these went.
    stages: Vec<Phase>,
    /// Those that fell below the scores of `--against`.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    lower_scores: &'a [String],
    /// Those that ask for less than in that run.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    weaker_specifications: &'a [String],
    /// Those of which fewer mutants are killed.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    fewer_kills: &'a [String],
    specifications: Vec<Specification<'a>>,
}

#[derive(Serialize)]
struct Specification<'a> {
    folder: &'a String,
    summary: json::Versioned<&'a Summary>,
    /// Whether an earlier run found it, and `gen --cache` kept it.
    cached: bool,
    /// Where the time went, in that run if there was one. In no file of results, since it differs from run to run.
    phases: Vec<Phase>,
}

#[derive(Serialize)]
struct Phase {
    phase: &'static str,
    seconds: String,
}

fn phases(all: &[(&'static str, Duration)]) -> Vec<Phase> {
    all.iter().map(|(phase, time)| Phase { phase, seconds: format!("{:.3}", time.as_secs_f64()) }).collect()
}

/// Prints the results and says how the run ends.
pub(in crate::cli) fn report(
    settings: &Settings,
    parts: &[(String, Told)],
    ended: &Ended<'_>,
    output: &Output,
    clock: &Clock,
) -> Result<Exit, Failure> {
    let overview = ended.overview;
    let counts: Vec<Counts> = parts.iter().map(|(_, p)| p.counts).collect();
    let names = parts.iter().map(|(_, p)| p.summary.specification.as_str());
    let missed = gate::missed(names.zip(ended.gates).zip(&counts).map(|((name, gate), c)| (name, gate, *c)));
    let fell = ended.worse.fails(settings.fail_on);
    let exit = if overview.interrupted && !ended.out_of_memory {
        Exit::Interrupted
    } else if missed.is_some() || fell {
        Exit::Gate
    } else if ended.out_of_memory || settings.fail_on.undecided && overview.scores.undecided > 0 {
        Exit::Inconclusive
    } else {
        Exit::Passed
    };
    let seconds = clock.total().as_secs_f64();
    if output.json {
        let specifications = parts.iter().enumerate().map(|(k, (folder, p))| {
            let cost = ended.costs.get(k);
            let phases = cost.map_or_else(Vec::new, |c| phases(&c.phases.parts()));
            Specification {
                folder,
                summary: json::Versioned(&p.summary),
                cached: cost.is_some_and(|c| c.earlier),
                phases,
            }
        });
        output.print_json(&Document {
            schema: ended.schema,
            output: settings.output.display().to_string(),
            exit: exit as u8,
            interrupted: overview.interrupted,
            seconds: format!("{seconds:.2}"),
            stages: phases(&clock.stages),
            lower_scores: &ended.worse.scores,
            weaker_specifications: &ended.worse.specs,
            fewer_kills: &ended.worse.kills,
            specifications: specifications.collect(),
        })?;
    } else if !output.quiet {
        let place =
            |folder: &str| format!("{}/", settings.output.join(folder).display().to_string().trim_end_matches('/'));
        let blocks: Vec<String> = parts.iter().map(|(folder, p)| text::summary(p, &place(folder))).collect();
        let total = if parts.len() > 1 { text::total(overview, &counts.iter().sum()) } else { String::new() };
        output.say(format!("{}{total}", blocks.concat()))?;
    }
    if !output.json {
        output.note(format!("{seconds:.1} s"));
    }
    if let Some(message) = missed {
        output.message(&message);
    }
    ended.worse.messages(settings).iter().for_each(|message| output.message(message));
    Ok(exit)
}
