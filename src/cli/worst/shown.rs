//! How far a search for the worst input is.

use crate::cli::output::Output;
use crate::cli::progress::{bar, left};
use magneto::report::off::ErrorUnit;
use magneto::spec::Spec;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How far a search is, for a person who waits.
pub(super) struct ShownSearch<'a> {
    name: &'a str,
    evaluations: u64,
    unit: ErrorUnit,
    start: Instant,
    /// When it was shown the last time.
    shown: Mutex<Option<Instant>>,
    output: &'a Output,
}

impl<'a> ShownSearch<'a> {
    pub(super) fn new(spec: &'a Spec, evaluations: u64, output: &'a Output) -> Self {
        let (start, shown) = (Instant::now(), Mutex::new(None));
        ShownSearch { name: &spec.name, evaluations, unit: ErrorUnit::of(&spec.accuracy), start, shown, output }
    }

    /// Shows it, some times a second; `largest` is in units of the bound.
    pub(super) fn tell(&self, spent: u64, largest: f64) {
        const EVERY: Duration = Duration::from_millis(250);
        let Ok(mut shown) = self.shown.lock() else { return };
        if self.start.elapsed() < EVERY || shown.is_some_and(|at| at.elapsed() < EVERY) {
            return;
        }
        *shown = Some(Instant::now());
        let share = spent as f64 / self.evaluations.max(1) as f64;
        let (bar, left) = (bar(share), left(share, self.start.elapsed()));
        let (name, worst) = (self.name, self.unit.tell(largest));
        self.output.progress(&format!("{bar} {name}: {spent}/{} evaluations, worst {worst}{left}", self.evaluations));
    }
}
