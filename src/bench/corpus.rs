//! The formulas of `fpbench/`, in the program itself, so that a run needs no files.

use crate::spec::{File, Overrides, Spec, parse_file, resolve};
use std::borrow::Cow;
use std::path::Path;
use std::time::{Duration, Instant};

/// One file of formulas.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The name of the suite: that of the file without its ending.
    pub suite: &'static str,
    /// The text.
    pub text: &'static str,
}

macro_rules! sources {
    ($folder:literal, $($suite:literal),+ $(,)?) => {
        &[$(Source {
            suite: $suite,
            text: include_str!(concat!("../../fpbench/", $folder, $suite, ".fpcore")),
        }),+]
    };
}

/// The 69 formulas of the paper, in the order of `fpbench/paper/ORDER`.
pub const PAPER: &[Source] = sources!(
    "paper/",
    "daisy",
    "fptaylor-extra",
    "fptaylor-real2float",
    "fptaylor-tests",
    "hamming-ch3",
    "herbie",
    "shoelace",
    "rosa",
    "rump",
);

/// Every loop-free formula of FPBench.
pub const ALL: &[Source] = sources!(
    "",
    "daisy",
    "fptaylor-extra",
    "fptaylor-real2float",
    "fptaylor-tests",
    "graphics",
    "hamming-ch3",
    "herbie",
    "rosa",
    "rump",
);

/// A formula to run.
#[derive(Clone, Debug)]
pub struct Benchmark {
    /// Its suite.
    pub suite: Cow<'static, str>,
    /// Its name.
    pub name: String,
    /// The text of its file.
    pub text: Cow<'static, str>,
    /// The specification, or why there is none.
    pub spec: Result<Spec, String>,
    /// The time to read it: its share of the file's, and what it takes to resolve it.
    pub parse: Duration,
}

/// The formulas in order; with a filter those whose name or suite contains it, whatever the case.
#[must_use]
pub fn benchmarks(sources: &[Source], filter: Option<&str>) -> Vec<Benchmark> {
    let mut all = Vec::new();
    for source in sources {
        let start = Instant::now();
        let file = parse_file(source.text.as_bytes());
        let share = start.elapsed().div_f64(file.cores.len().max(1) as f64);
        for index in 0..file.cores.len() {
            let one = benchmark(source, &file, index, share);
            all.extend(one.fits(filter).then_some(one));
        }
    }
    all
}

impl Benchmark {
    /// Of a person's specification, whose file has this text and was read in the time `parse`.
    #[must_use]
    pub fn of(spec: Spec, text: &[u8], parse: Duration) -> Self {
        let suite = Path::new(&spec.source_file).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = String::from_utf8_lossy(text).into_owned().into();
        Benchmark { suite: suite.into(), name: spec.name.clone(), text, spec: Ok(spec), parse }
    }

    /// Whether name or suite contains the text of a filter, whatever the case; without one it does.
    #[must_use]
    pub fn fits(&self, filter: Option<&str>) -> bool {
        let wanted = filter.map(str::to_lowercase);
        let contains = |text: &str| wanted.as_ref().is_none_or(|w| text.to_lowercase().contains(w));
        contains(&self.name) || contains(&self.suite)
    }
}

fn benchmark(source: &Source, file: &File, index: usize, share: Duration) -> Benchmark {
    let start = Instant::now();
    let path = format!("{}.fpcore", source.suite);
    let spec = resolve(file, index, &path, &Overrides::default());
    let spec = spec.map_err(|d| d.first().map_or_else(String::new, |d| d.message.clone()));
    let label = || file.labels.get(index).and_then(|l| l.last().cloned()).unwrap_or_default();
    let name = spec.as_ref().map_or_else(|_| label(), |s| s.name.clone());
    Benchmark { suite: source.suite.into(), name, text: source.text.into(), spec, parse: share + start.elapsed() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::published::COUNTS;

    #[test]
    fn the_order_is_that_of_the_folder() {
        let order: Vec<&str> = include_str!("../../fpbench/paper/ORDER").split_whitespace().collect();
        let here: Vec<String> = PAPER.iter().map(|s| format!("{}.fpcore", s.suite)).collect();
        assert_eq!(here, order);
        let names: Vec<String> = benchmarks(PAPER, None).into_iter().map(|b| b.name).collect();
        assert_eq!(names, COUNTS.map(|c| c.0));
    }

    #[test]
    fn every_formula_is_readable() {
        let all = benchmarks(ALL, None);
        assert_eq!(all.len(), 115);
        for b in all {
            assert!(b.spec.is_ok(), "{} {}: {:?}", b.suite, b.name, b.spec.err());
        }
        let names: Vec<String> = benchmarks(PAPER, Some("HYPOT")).into_iter().map(|b| b.name).collect();
        assert_eq!(names, ["hypot"]);
    }
}
