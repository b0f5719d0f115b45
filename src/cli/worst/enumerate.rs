//! `magneto worst --exhaustive`: progress, and where to go on.

use super::{Implementation, judged, stopped};
use crate::cli::exit::Failure;
use crate::cli::output::Output;
use crate::cli::specs::Loaded;
use magneto::num::float::hex;
use magneto::options::Settings;
use magneto::record::continued::continue_from;
use magneto::record::manifest::hash;
use magneto::record::worst::{Enumeration, Largest, Point};
use magneto::record::{Fields, Provenance, json, store};
use magneto::spec::parse_rational;
use magneto::threads::Portion;
use magneto::unfit::io_reason;
use magneto::worst::Searched;
use magneto::worst::exhaustive::{EnumerationTally, TOO_MANY, exhaust, inputs, inputs_of};
use std::path::Path;
use std::time::{Duration, Instant};

/// The name of the file to go on from, and of a shard.
pub(super) const FILE: &str = store::ENUMERATION;
/// How often it is written.
const EVERY: Duration = Duration::from_secs(20);

/// Where the state is kept, whether to go on from there, and which inputs are looked at.
pub(super) struct Ask<'a> {
    pub(super) folder: Option<&'a Path>,
    pub(super) resume: bool,
    pub(super) slice: Portion,
    /// Whether the state is kept at the end too, as that of a shard is.
    pub(super) keep: bool,
}

/// Looks at every input.
pub(super) fn run(
    implementation: &mut Implementation,
    loaded: &Loaded,
    settings: &Settings,
    &Ask { folder, resume, slice, keep }: &Ask<'_>,
    output: &Output,
) -> Result<(Searched, EnumerationTally), Failure> {
    let spec = &loaded.spec;
    let Some(all) = inputs(spec) else {
        return Err(Failure::usage_hint(TOO_MANY, "leave --exhaustive out, or make the ranges smaller with --domain"));
    };
    let (cap, jobs) = (settings.suite.precision_cap, settings.suite.jobs);
    // A library is known by its hash once it was loaded.
    implementation.with(loaded, settings, |caller| caller.load()).map_err(stopped)?;
    let means = format!("{} {:?} {:?} {cap}", hash(&loaded.source), spec.accuracy, spec.inputs);
    let about = Enumeration {
        made: Provenance::here(),
        name: spec.name.clone(),
        specification: hash(means.as_bytes()),
        implementation: Fields(implementation.prepared.record.0.clone()),
        portion: slice,
        all,
        inputs: inputs_of(slice, all),
        seen: 0,
        owed: 0,
        ok: 0,
        ko: 0,
        uncertain: 0,
        at_most_ulps: hex(0.0),
        points: Vec::new(),
        picture: Vec::new(),
    };
    let mut tally = match folder.filter(|_| resume) {
        Some(dir) => read(&dir.join(FILE), &about)?,
        None => {
            folder.map_or(Ok(()), |dir| spare(&dir.join(FILE), &about))?;
            EnumerationTally::default()
        }
    };
    let (start, first) = (Instant::now(), tally.seen);
    let mut shown = Instant::now();
    let mut progress = |t: &EnumerationTally| {
        if shown.elapsed() > Duration::from_millis(500) {
            shown = Instant::now();
            let seconds = start.elapsed().as_secs_f64();
            let left = seconds / (t.seen - first).max(1) as f64 * (t.inputs - t.seen) as f64;
            let percent = t.seen as f64 * 100.0 / t.inputs as f64;
            output.progress(&format!("{percent:.1} % of {} inputs, {left:.0} s left, {} wrong", t.inputs, t.ko));
        }
    };
    let mut result = None;
    while result.is_none() {
        // In slices, so that what is done is on disk.
        let until = Instant::now() + EVERY;
        let mut go_on = |t: &EnumerationTally| {
            progress(t);
            folder.is_none() || Instant::now() < until
        };
        let exhausted = implementation
            .with(loaded, settings, |caller| exhaust(spec, caller, cap, jobs, slice, &mut tally, &mut go_on));
        let searched = judged(exhausted)?;
        let ended = tally.is_complete() || searched.interrupted || searched.broken.is_some();
        if let Some(dir) = folder.filter(|_| !tally.is_complete() || keep) {
            save(dir, &about, &tally)?;
        }
        result = ended.then_some(searched);
    }
    output.progress("");
    Ok((result.unwrap_or_default(), tally))
}

fn save(dir: &Path, about: &Enumeration, tally: &EnumerationTally) -> Result<(), Failure> {
    let numbers = |input: &[f64]| input.iter().map(|x| hex(*x)).collect();
    let point = |(input, times): &(Vec<f64>, u64)| Point { input: numbers(input), times: *times };
    let largest = |(input, error): &(Vec<f64>, f64)| Largest { input: numbers(input), error: hex(*error) };
    let document = Enumeration {
        seen: tally.seen,
        owed: tally.owed,
        ok: tally.ok,
        ko: tally.ko,
        uncertain: tally.uncertain,
        at_most_ulps: hex(tally.at_most_ulps),
        points: tally.points.iter().map(point).collect(),
        picture: tally.picture.iter().map(largest).collect(),
        ..about.clone()
    };
    let files = store::Files::from([(FILE.to_owned(), json::document(&document))]);
    store::write(dir, &files, &[])?;
    Ok(())
}

/// That no enumeration of the same thing is begun anew that could go on.
fn spare(path: &Path, about: &Enumeration) -> Result<(), Failure> {
    match read(path, about) {
        Ok(there) if 0 < there.seen && there.seen < there.inputs => {
            let percent = 100.0 * there.seen as f64 / there.inputs as f64;
            Err(Failure::usage_hint(
                format!(
                    "{} holds an interrupted search of these inputs, of which {percent:.1} % are done",
                    path.display()
                ),
                "add --resume to go on with it, or remove that file to begin anew",
            ))
        }
        _ => Ok(()),
    }
}

/// What an interrupted enumeration of the same thing left.
fn read(path: &Path, about: &Enumeration) -> Result<EnumerationTally, Failure> {
    let shown = path.display();
    let bytes = std::fs::read(path).map_err(|e| {
        let hint = "leave --resume out to begin with the first input";
        Failure::usage_hint(format!("cannot resume from {shown}: {}", io_reason(&e)), hint)
    })?;
    let anew = |why: String| {
        let hint = "leave --resume out to begin with the first input";
        Failure::usage_hint(format!("cannot resume from {shown}: {why}"), hint)
    };
    let old = continue_from(&bytes, about).map_err(|why| anew(why.to_string()))?;
    if old.portion != about.portion {
        return Err(anew(format!("it is of part {}, this run of part {}", old.portion, about.portion)));
    }
    if old.seen > old.inputs || old.inputs != about.inputs {
        return Err(anew("it is damaged".to_owned()));
    }
    let number = |text: &String| match text.as_str() {
        "inf" => Some(f64::INFINITY),
        text => parse_rational(text).ok().map(|x| x.to_f64()),
    };
    let numbers = |input: &[String]| input.iter().map(number).collect::<Option<Vec<f64>>>();
    let points: Option<Vec<_>> = old.points.iter().map(|p| Some((numbers(&p.input)?, p.times))).collect();
    let picture: Option<Vec<_>> = old.picture.iter().map(|p| Some((numbers(&p.input)?, number(&p.error)?))).collect();
    let (Some(points), Some(picture), Some(at_most_ulps)) = (points, picture, number(&old.at_most_ulps)) else {
        return Err(anew("it is damaged".to_owned()));
    };
    Ok(EnumerationTally {
        inputs: old.inputs,
        seen: old.seen,
        owed: old.owed,
        ok: old.ok,
        ko: old.ko,
        uncertain: old.uncertain,
        at_most_ulps,
        points,
        picture,
    })
}
