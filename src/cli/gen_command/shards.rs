//! `magneto gen --shard`: which specifications are this part's, and what `merge` needs to know of the others.

use super::Options;
use crate::cli::accepted::{self, Accepted};
use crate::cli::exit::Failure;
use crate::cli::output::Output;
use crate::cli::specs::{self, Loaded};
use magneto::options::Settings;
use magneto::record::json;
use magneto::record::manifest::file_name;
use magneto::record::shard::{Member, Shard};
use magneto::record::store::{self, Content as _};
use magneto::record::{Held, RunFiles};
use magneto::threads::Threads;
use magneto::threads::{Portion, deal};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a run is over.
pub(super) struct Plan {
    pub(super) loaded: Arc<[Loaded]>,
    /// The decisions about each.
    pub(super) accepted: Vec<Accepted>,
    /// The folder of each.
    pub(super) folders: Vec<String>,
    /// The run that this is a part of.
    pub(super) whole: Option<Whole>,
    /// Threads for all of it.
    pub(super) threads: Threads,
}

/// The run that a part is of.
pub(super) struct Whole {
    portion: Portion,
    decisions: String,
    members: Vec<Member>,
}

/// Finds out which specifications are to be worked on.
pub(super) fn plan(options: &Options, settings: &Settings, output: &Output) -> Result<Plan, Failure> {
    let threads = Threads::new(settings.suite.jobs);
    let loaded = specs::load_named(&options.many.spec, settings, output)?;
    if loaded.is_empty() {
        return Err(Failure::usage("no specification is left"));
    }
    let accepted = accepted::read(&loaded)?;
    let names = loaded.iter().map(|l| l.spec.name.as_str());
    let folders = if loaded.len() == 1 { vec![String::new()] } else { store::folders(names) };
    let Some(portion) = options.shard else {
        return Ok(Plan { loaded: loaded.into(), accepted, folders, whole: None, threads });
    };
    let weights = match &options.times[..] {
        [] => vec![1.0; loaded.len()],
        files => weights(files, &loaded)?,
    };
    let dealt = deal(&weights, portion.of);
    let member = |((l, folder), shard): ((&Loaded, &String), &usize)| Member::new((&l.spec, &l.source), folder, *shard);
    let members = loaded.iter().zip(&folders).zip(&dealt).map(member).collect();
    let whole = Whole { portion, decisions: accepted::fingerprint(&accepted), members };
    let all = dealt.len();
    let own = loaded.into_iter().zip(accepted).zip(folders).zip(dealt).filter(|(_, shard)| *shard == portion.number);
    let (mut loaded, mut accepted, mut folders) = (Vec::new(), Vec::new(), Vec::new());
    for (((one, its), folder), _) in own {
        loaded.push(one);
        accepted.push(its);
        folders.push(folder);
    }
    output.note(format!("shard {portion}: {} of {all} specifications", loaded.len()));
    Ok(Plan { loaded: loaded.into(), accepted, folders, whole: Some(whole), threads })
}

impl Whole {
    /// Adds what `merge` has to know to the files of the part.
    pub(super) fn note(&self, settings: &Settings, files: &mut RunFiles) {
        let summary = files.get("summary.json").and_then(|held| held.bytes().ok()).unwrap_or_default();
        let shard = Shard::new(self.portion, settings, &self.decisions, self.members.clone(), &summary);
        let shard = Held::Bytes(json::document(&shard));
        files.insert(store::SHARD.to_owned(), shard);
    }
}

/// What is read of the document of `gen --json`.
#[derive(Deserialize)]
struct Times {
    schema: String,
    specifications: Vec<Timed>,
}

#[derive(Deserialize)]
struct Timed {
    summary: About,
    phases: Vec<Phase>,
}

#[derive(Deserialize)]
struct About {
    specification: String,
    file: String,
}

#[derive(Deserialize)]
struct Phase {
    seconds: String,
}

/// What a specification is known by from run to run.
type FileAndName = (String, String);

/// How long each specification took; one that is in no file counts as much as the others on average.
fn weights(files: &[PathBuf], loaded: &[Loaded]) -> Result<Vec<f64>, Failure> {
    let mut known: HashMap<FileAndName, f64> = HashMap::new();
    for path in files {
        known.extend(times(path)?);
    }
    let mean = if known.is_empty() { 1.0 } else { known.values().sum::<f64>() / known.len() as f64 };
    let time = |l: &Loaded| known.get(&(file_name(&l.spec), l.spec.name.clone())).copied().unwrap_or(mean);
    Ok(loaded.iter().map(time).collect())
}

/// The seconds of each specification of a run, by file and name.
fn times(path: &Path) -> Result<Vec<(FileAndName, f64)>, Failure> {
    let shown = path.display();
    let bytes = std::fs::read(path).map_err(|e| Failure::unread(path, &e, &["json"]))?;
    let refused = |why: String| {
        Failure::usage_hint(
            format!("{shown} is not what `magneto gen --json` prints: {why}"),
            "write it by `magneto gen … --json > FILE`",
        )
    };
    let run: Times = serde_json::from_slice(&bytes).map_err(|e| refused(e.to_string()))?;
    if run.schema != super::SCHEMA {
        return Err(refused(format!("it has the schema `{}`", run.schema)));
    }
    let one = |t: Timed| {
        let seconds = t.phases.iter().map(|p| p.seconds.parse::<f64>().ok().filter(|s| *s >= 0.0 && s.is_finite()));
        let all = seconds.sum::<Option<f64>>().ok_or_else(|| refused("a time is no number".to_owned()))?;
        Ok(((t.summary.file, t.summary.specification), all))
    };
    run.specifications.into_iter().map(one).collect()
}
