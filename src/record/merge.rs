//! The parts of a run put together: what one run over all specifications would have written.

mod shares;

pub use shares::{are_shares, merge_shares};

use super::continued::Continued;
use super::manifest::hash;
use super::number::from_hex;
use super::read::{self, ReadError};
use super::shard::{Member, Shard};
use super::store::{ENUMERATION, RESUME, SHARD, SHARE};
use super::worst::Enumeration;
use super::{Part, RecordedOption};
use crate::threads::Portion;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// A run that was made in parts.
#[derive(Debug)]
pub struct Merged {
    /// The specifications in order, each with its folder.
    pub parts: Vec<(String, Part)>,
    /// The options of all parts.
    pub options: Vec<RecordedOption>,
}

/// Why folders are not the parts of one run.
#[derive(Debug)]
pub enum Refused {
    /// Something cannot be read.
    Unread(ReadError),
    /// A folder is no part of a run.
    NoShard(PathBuf),
    /// Two folders are of different runs.
    Differ {
        /// The first folder.
        one: PathBuf,
        /// The other one.
        other: PathBuf,
        /// What differs, as a part of a sentence about the other one.
        what: String,
    },
    /// Parts that are in no folder.
    Missing(Vec<Portion>),
    /// A part that is in two folders.
    Doubled(Portion, [PathBuf; 2]),
    /// A part that was interrupted, or ran out of memory.
    Unfinished(Portion, PathBuf),
    /// A folder does not hold what its part should have.
    Other(Portion, PathBuf),
}

impl From<ReadError> for Refused {
    fn from(e: ReadError) -> Self {
        Refused::Unread(e)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Unread(e) => e.fmt(f),
            Refused::NoShard(folder) => {
                write!(f, "{} is no shard: there is no {SHARD}, {SHARE} or {ENUMERATION} in it", folder.display())
            }
            Refused::Differ { one, other, what } => {
                write!(f, "{} and {} are not of one run: the second {what}", one.display(), other.display())
            }
            Refused::Missing(portions) => {
                let names: Vec<String> = portions.iter().map(Portion::to_string).collect();
                let are = if names.len() == 1 { "shard is" } else { "shards are" };
                write!(f, "{are} missing: {}", names.join(", "))
            }
            Refused::Doubled(portion, [one, other]) => {
                write!(f, "shard {portion} is there twice: {} and {}", one.display(), other.display())
            }
            Refused::Unfinished(portion, folder) => {
                write!(f, "shard {portion} in {} did not come to its end", folder.display())
            }
            Refused::Other(portion, folder) => {
                write!(f, "{} does not hold what belongs to shard {portion}", folder.display())
            }
        }
    }
}

impl std::error::Error for Refused {}

impl Refused {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Refused::Unread(_) | Refused::Other(..) => "make that shard again",
            Refused::NoShard(_) => {
                "`gen`, `worst --exhaustive`, `cover`, `solve` and `bench` make one with --shard K/N"
            }
            Refused::Differ { .. } => "give all shards the same specifications or files, options and program",
            Refused::Missing(_) => "name the folders of all shards",
            Refused::Doubled(..) => "name one folder for each shard",
            Refused::Unfinished(..) => "repeat its command with --resume where it has that, or with more --max-memory",
        }
    }
}

/// A document that says which shard it is.
trait Piece: Continued + Clone {
    /// The name of its file.
    const FILE: &'static str;

    fn portion(&self) -> Portion;
}

/// The shards of a whole by number, each with its folder, in any order given.
///
/// # Errors
/// Why they are not all the shards of one whole.
fn all<P: Piece>(folders: &[PathBuf]) -> Result<BTreeMap<usize, (&Path, P)>, Refused> {
    let mut shards: BTreeMap<usize, (&Path, P)> = BTreeMap::new();
    let mut first: Option<(&Path, P)> = None;
    for folder in folders {
        let path = folder.join(P::FILE);
        if !path.is_file() {
            return Err(Refused::NoShard(folder.clone()));
        }
        let shard: P = read::document(&path)?;
        let (one, about) = first.get_or_insert_with(|| (folder, shard.clone()));
        if let Some(what) = about.difference(&shard, "the first") {
            return Err(Refused::Differ { one: one.to_path_buf(), other: folder.clone(), what });
        }
        let portion = shard.portion();
        if !portion.is_sound() {
            return Err(Refused::Other(portion, folder.clone()));
        }
        if let Some((other, _)) = shards.get(&portion.number) {
            return Err(Refused::Doubled(portion, [other.to_path_buf(), folder.clone()]));
        }
        shards.insert(portion.number, (folder, shard));
    }
    let of = first.map_or(0, |(_, about)| about.portion().of);
    let missing: Vec<Portion> =
        (1..=of).filter(|k| !shards.contains_key(k)).map(|number| Portion { number, of }).collect();
    if missing.is_empty() { Ok(shards) } else { Err(Refused::Missing(missing)) }
}

/// Whether folders hold shards of an enumeration of all inputs, rather than of a run.
#[must_use]
pub fn are_enumerations(folders: &[PathBuf]) -> bool {
    folders.first().is_some_and(|f| f.join(ENUMERATION).is_file() && !f.join(SHARD).exists())
}

/// Reads the shards of a run, in any order.
///
/// # Errors
/// Why they are not all the shards of one run.
pub fn merge(folders: &[PathBuf]) -> Result<Merged, Refused> {
    let shards = all::<Shard>(folders)?;
    let Some((first, about)) = shards.values().next() else { return Err(Refused::Missing(Vec::new())) };
    let mut parts: BTreeMap<usize, (String, Part)> = BTreeMap::new();
    for (folder, shard) in shards.values() {
        parts.extend(parts_of(folder, shard)?);
    }
    // Every specification is in some shard, unless the files were changed.
    if parts.len() != about.specifications.len() {
        return Err(Refused::Other(about.portion(), first.to_path_buf()));
    }
    Ok(Merged { parts: parts.into_values().collect(), options: about.options.clone() })
}

/// Reads the shards of an enumeration, in any order: the state of one that has come to its end.
///
/// # Errors
/// Why they are not all the shards of one enumeration.
pub fn merge_enumerations(folders: &[PathBuf]) -> Result<Enumeration, Refused> {
    let shards = all::<Enumeration>(folders)?;
    if let Some((folder, shard)) = shards.values().find(|(_, s)| s.seen != s.inputs) {
        return Err(Refused::Unfinished(shard.portion(), folder.to_path_buf()));
    }
    let mut shards = shards.into_values();
    let Some((first, mut whole)) = shards.next() else { return Err(Refused::Missing(Vec::new())) };
    for (folder, shard) in shards {
        let largest = [&whole, &shard].map(|s| from_hex(&s.at_most_ulps));
        let [Some(one), Some(other)] = largest else {
            return Err(Refused::Other(shard.portion(), folder.to_path_buf()));
        };
        if other > one {
            whole.at_most_ulps = shard.at_most_ulps;
        }
        whole.inputs = whole.inputs.saturating_add(shard.inputs);
        whole.seen = whole.seen.saturating_add(shard.seen);
        whole.owed = whole.owed.saturating_add(shard.owed);
        whole.ok = whole.ok.saturating_add(shard.ok);
        whole.ko = whole.ko.saturating_add(shard.ko);
        whole.uncertain = whole.uncertain.saturating_add(shard.uncertain);
        whole.points.extend(shard.points);
        whole.picture.extend(shard.picture);
    }
    // In the order in which one enumeration comes by: of errors that are equal the first counts.
    whole.points.sort_by(|a, b| in_order(&a.input, &b.input));
    whole.picture.sort_by(|a, b| in_order(&a.input, &b.input));
    whole.portion = Portion::WHOLE;
    // Every shard has its share, unless a file was changed.
    if whole.inputs == whole.all { Ok(whole) } else { Err(Refused::Other(whole.portion(), first.to_path_buf())) }
}

fn in_order(a: &[String], b: &[String]) -> Ordering {
    let value = |text: &String| from_hex(text).unwrap_or(f64::NAN);
    let pairs = a.iter().zip(b).map(|(a, b)| value(a).total_cmp(&value(b)));
    pairs.fold(Ordering::Equal, Ordering::then)
}

impl Piece for Enumeration {
    const FILE: &'static str = ENUMERATION;

    fn portion(&self) -> Portion {
        self.portion
    }
}

impl Continued for Enumeration {
    fn difference(&self, other: &Self, own: &str) -> Option<String> {
        let was = |what: &str, there: &str, here: &str| Some(format!("{what} {there}, {own} {here}"));
        let about = || {
            if self.name != other.name {
                return was("is about", &other.name, &self.name);
            }
            let (ours, theirs) = (&self.implementation.0, &other.implementation.0);
            if let Some((a, b)) = ours.iter().zip(theirs).find(|(a, b)| a != b) {
                return was("ran another implementation:", &format!("{} {}", b.0, b.1), &format!("{} {}", a.0, a.1));
            }
            let of = |e: &Self| (e.specification.clone(), e.implementation.0.len(), e.all);
            (of(self) != of(other))
                .then(|| format!("has another text, accuracy, range or --precision-cap of `{}`", self.name))
        };
        self.made.difference(&other.made, own).or_else(|| number(self, other, own)).or_else(about)
    }
}

impl Piece for Shard {
    const FILE: &'static str = SHARD;

    fn portion(&self) -> Portion {
        self.portion
    }
}

impl Continued for Shard {
    fn difference(&self, other: &Self, own: &str) -> Option<String> {
        self.made
            .difference(&other.made, own)
            .or_else(|| number(self, other, own))
            .or_else(|| option(&self.options, &other.options, own))
            .or_else(|| specification(&self.specifications, &other.specifications, own))
            .or_else(|| {
                let differ = self.decisions != other.decisions;
                differ.then(|| "had other decisions in magneto.accept.toml".to_owned())
            })
    }
}

/// That two parts are not of as many.
fn number<P: Piece>(one: &P, other: &P, own: &str) -> Option<String> {
    let [first, second] = [one, other].map(|piece| piece.portion().of);
    (first != second).then(|| format!("is one of {second}, {own} one of {first}"))
}

/// The first option that differs. Where a value came from is a part of it, since manifests tell.
fn option(one: &[RecordedOption], other: &[RecordedOption], own: &str) -> Option<String> {
    let shown = |k: &RecordedOption| match &k.value {
        Some(value) => format!("`{value}` ({})", k.origin),
        None => format!("none ({})", k.origin),
    };
    let different = one.iter().zip(other).find(|(a, b)| a != b);
    different
        .map(|(a, b)| match a.name == b.name {
            true => format!("has --{} {}, {own} {}", a.name, shown(b), shown(a)),
            false => format!("has the option --{} where {own} has --{}", b.name, a.name),
        })
        .or_else(|| (one.len() != other.len()).then(|| "has other options".to_owned()))
}

/// The first specification that differs.
fn specification(one: &[Member], other: &[Member], own: &str) -> Option<String> {
    let different = one.iter().zip(other).find(|(a, b)| a != b);
    different
        .map(|(a, b)| {
            let place = |m: &Member| format!("`{}` ({}:{}:{})", m.name, m.file, m.line, m.column);
            if (Member { shard: a.shard, ..b.clone() }) == *a {
                format!("has {} in shard {}, {own} in shard {}", place(b), b.shard, a.shard)
            } else if place(a) == place(b) && a.folder == b.folder {
                format!("was made from another text of {}", place(b))
            } else {
                format!("is of a run over {} where {own} has {}", place(b), place(a))
            }
        })
        .or_else(|| {
            let (a, b) = (one.len(), other.len());
            (a != b).then(|| format!("is of a run over {b} specifications, {own} over {a}"))
        })
}

/// The place of a specification in the whole run, its folder, and what was found.
type Placed = (usize, (String, Part));

/// The specifications of one part, by their places in the whole run.
fn parts_of(folder: &Path, shard: &Shard) -> Result<Vec<Placed>, Refused> {
    let own: Vec<(usize, &Member)> =
        shard.specifications.iter().enumerate().filter(|(_, m)| m.shard == shard.portion.number).collect();
    let other = || Refused::Other(shard.portion(), folder.to_owned());
    let summary = folder.join("summary.json");
    let text = std::fs::read(&summary).map_err(|e| ReadError::File(summary, e))?;
    if hash(&text) != shard.summary {
        return Err(other());
    }
    if folder.join(RESUME).exists() {
        return Err(Refused::Unfinished(shard.portion(), folder.to_owned()));
    }
    if own.is_empty() {
        return Ok(Vec::new());
    }
    if !read::folders(folder)?.iter().eq(own.iter().map(|(_, m)| &m.folder)) {
        return Err(other());
    }
    let one = |(place, member): (usize, &Member)| {
        let part = Part::read(&folder.join(&member.folder))?;
        let s = &part.manifest.specification;
        if (&s.name, &s.sha256, s.line, s.column) != (&member.name, &member.sha256, member.line, member.column) {
            return Err(other());
        }
        if part.manifest.interrupted {
            return Err(Refused::Unfinished(shard.portion(), folder.to_owned()));
        }
        Ok((place, (member.folder.clone(), part)))
    };
    own.into_iter().map(one).collect()
}
