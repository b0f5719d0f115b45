//! The parts of a run put together: what one run over all specifications would have written.

use super::manifest::hash;
use super::read::{self, Error};
use super::shard::{Member, Portion, Shard};
use super::store::{RESUME, SHARD};
use super::{Knob, Part};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// A run that was made in parts.
#[derive(Debug)]
pub struct Merged {
    /// The specifications in order, each with its folder.
    pub parts: Vec<(String, Part)>,
    /// The options of all parts.
    pub options: Vec<Knob>,
}

/// Why folders are not the parts of one run.
#[derive(Debug)]
pub enum Refused {
    /// Something cannot be read.
    Unread(Error),
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

impl From<Error> for Refused {
    fn from(e: Error) -> Self {
        Refused::Unread(e)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Unread(e) => e.fmt(f),
            Refused::NoShard(folder) => write!(f, "{} is no shard: there is no {SHARD} in it", folder.display()),
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
                write!(f, "{} does not hold the specifications of shard {portion}", folder.display())
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
            Refused::NoShard(_) => "`magneto gen --shard K/N` makes one",
            Refused::Differ { .. } => "give all shards the same specifications, options and program",
            Refused::Missing(_) => "name the folders of all shards",
            Refused::Doubled(..) => "name one folder for each shard",
            Refused::Unfinished(..) => "repeat its command with --resume, or with more --max-memory",
        }
    }
}

/// Reads the parts of a run, in any order.
///
/// # Errors
/// Why they are not all the parts of one run.
pub fn merge(folders: &[PathBuf]) -> Result<Merged, Refused> {
    let mut shards: BTreeMap<usize, (&Path, Shard)> = BTreeMap::new();
    let mut first: Option<(&Path, Shard)> = None;
    for folder in folders {
        let path = folder.join(SHARD);
        if !path.is_file() {
            return Err(Refused::NoShard(folder.clone()));
        }
        let shard: Shard = read::document(&path)?;
        let (one, about) = first.get_or_insert_with(|| (folder, shard.clone()));
        if let Some(what) = difference(about, &shard) {
            return Err(Refused::Differ { one: one.to_path_buf(), other: folder.clone(), what });
        }
        if let Some((other, _)) = shards.get(&shard.shard) {
            return Err(Refused::Doubled(portion(&shard), [other.to_path_buf(), folder.clone()]));
        }
        shards.insert(shard.shard, (folder, shard));
    }
    let Some((_, about)) = first else { return Err(Refused::Missing(Vec::new())) };
    let missing: Vec<Portion> =
        (1..=about.of).filter(|k| !shards.contains_key(k)).map(|number| Portion { number, of: about.of }).collect();
    if !missing.is_empty() {
        return Err(Refused::Missing(missing));
    }
    let mut parts: BTreeMap<usize, (String, Part)> = BTreeMap::new();
    for (folder, shard) in shards.values() {
        parts.extend(parts_of(folder, shard)?);
    }
    Ok(Merged { parts: parts.into_values().collect(), options: about.options })
}

fn portion(shard: &Shard) -> Portion {
    Portion { number: shard.shard, of: shard.of }
}

/// Why two parts are not of one run: a part of a sentence about the second.
fn difference(one: &Shard, other: &Shard) -> Option<String> {
    let version = |s: &Shard| match &s.commit {
        Some(commit) => format!("magneto {} ({commit})", s.magneto),
        None => format!("magneto {}", s.magneto),
    };
    let was = |what: &str, there: &str, here: &str| Some(format!("{what} {there}, the first {here}"));
    if version(one) != version(other) {
        return was("is by", &version(other), &version(one));
    }
    if one.mpfr != other.mpfr {
        return was("was made with MPFR", &other.mpfr, &one.mpfr);
    }
    if one.platform != other.platform {
        return was("was made on", &other.platform, &one.platform);
    }
    if one.of != other.of {
        return was("is one of", &other.of.to_string(), &format!("one of {}", one.of));
    }
    option(&one.options, &other.options)
        .or_else(|| specification(&one.specifications, &other.specifications))
        .or_else(|| (one.decisions != other.decisions).then(|| "had other decisions in magneto.accept.toml".to_owned()))
}

/// The first option that differs. Where a value came from is a part of it, since manifests tell.
fn option(one: &[Knob], other: &[Knob]) -> Option<String> {
    let shown = |k: &Knob| match &k.value {
        Some(value) => format!("`{value}` ({})", k.origin),
        None => format!("none ({})", k.origin),
    };
    let different = one.iter().zip(other).find(|(a, b)| a != b);
    different
        .map(|(a, b)| match a.name == b.name {
            true => format!("has --{} {}, the first {}", a.name, shown(b), shown(a)),
            false => format!("has the option --{} where the first has --{}", b.name, a.name),
        })
        .or_else(|| (one.len() != other.len()).then(|| "has other options".to_owned()))
}

/// The first specification that differs.
fn specification(one: &[Member], other: &[Member]) -> Option<String> {
    let different = one.iter().zip(other).find(|(a, b)| a != b);
    different
        .map(|(a, b)| {
            let place = |m: &Member| format!("`{}` ({}:{}:{})", m.name, m.file, m.line, m.column);
            if (Member { shard: a.shard, ..b.clone() }) == *a {
                format!("has {} in shard {}, the first in shard {}", place(b), b.shard, a.shard)
            } else if place(a) == place(b) && a.folder == b.folder {
                format!("was made from another text of {}", place(b))
            } else {
                format!("is of a run over {} where the first has {}", place(b), place(a))
            }
        })
        .or_else(|| {
            let (a, b) = (one.len(), other.len());
            (a != b).then(|| format!("is of a run over {b} specifications, the first over {a}"))
        })
}

/// The specifications of one part, by their places in the whole run.
fn parts_of(folder: &Path, shard: &Shard) -> Result<Vec<(usize, (String, Part))>, Refused> {
    let own: Vec<(usize, &Member)> =
        shard.specifications.iter().enumerate().filter(|(_, m)| m.shard == shard.shard).collect();
    let other = || Refused::Other(portion(shard), folder.to_owned());
    let summary = folder.join("summary.json");
    let text = std::fs::read(&summary).map_err(|e| Error::File(summary, e))?;
    if hash(&text) != shard.summary {
        return Err(other());
    }
    if folder.join(RESUME).exists() {
        return Err(Refused::Unfinished(portion(shard), folder.to_owned()));
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
            return Err(Refused::Unfinished(portion(shard), folder.to_owned()));
        }
        Ok((place, (member.folder.clone(), part)))
    };
    own.into_iter().map(one).collect()
}
