//! How far a run is: a bar and the time that is left.

use std::time::Duration;

/// So much of the work, or so much time, says something about the rest.
const ENOUGH: (f64, Duration) = (0.05, Duration::from_secs(2));

/// How far several pieces of work are that go on side by side, each with what it costs about, in any unit.
pub(super) struct Progress {
    costs: Vec<f64>,
    /// How much of each is done: from 0 to 1.
    done: Vec<f64>,
}

impl Progress {
    /// Of work that is not begun.
    pub(super) fn new(costs: Vec<f64>) -> Self {
        Progress { done: vec![0.0; costs.len()], costs }
    }

    /// So much of a piece is done: from 0 to 1.
    pub(super) fn is_at(&mut self, piece: usize, share: f64) {
        self.done[piece] = share.clamp(0.0, 1.0);
    }

    /// How much of all is done, from 0 to 1.
    pub(super) fn share(&self) -> f64 {
        let all: f64 = self.costs.iter().sum();
        let done: f64 = self.costs.iter().zip(&self.done).map(|(cost, share)| cost * share).sum();
        if all > 0.0 { done / all } else { 1.0 }
    }

    /// The line about so many specifications that are done, of so many, and what is worked on now.
    pub(super) fn line(&self, (done, all): (usize, usize), now: &str, elapsed: Duration) -> String {
        let (bar, left) = (bar(self.share()), left(self.share(), elapsed));
        let before = if all > 1 { format!("{done}/{all} specifications, ") } else { String::new() };
        format!("{bar} {before}{now}{left}")
    }
}

/// A bar for a share from 0 to 1.
pub(super) fn bar(share: f64) -> String {
    const WIDTH: usize = 20;
    let full = ((share * WIDTH as f64) as usize).min(WIDTH);
    format!("[{}{}]", "#".repeat(full), "-".repeat(WIDTH - full))
}

/// The time that is left, as a part of a line, if it goes on as it went; nothing as long as that says little.
pub(super) fn left(share: f64, elapsed: Duration) -> String {
    if share <= 0.0 || share < ENOUGH.0 && elapsed < ENOUGH.1 {
        return String::new();
    }
    let seconds = elapsed.as_secs_f64() * (1.0 - share).max(0.0) / share;
    let (number, unit) = match seconds {
        s if s < 100.0 => (s, "s"),
        s if s < 6000.0 => (s / 60.0, "min"),
        s => (s / 3600.0, "h"),
    };
    format!(", about {number:.0} {unit} left")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_count_by_what_they_cost() {
        let mut progress = Progress::new(vec![1.0, 3.0]);
        assert_eq!(progress.share(), 0.0);
        progress.is_at(0, 1.0);
        assert_eq!(progress.share(), 0.25);
        progress.is_at(1, 0.5);
        assert_eq!(progress.share(), 0.625);
        let line = progress.line((1, 2), "f: 4/8 mutants", Duration::from_secs(50));
        assert_eq!(line, "[############--------] 1/2 specifications, f: 4/8 mutants, about 30 s left");
        let alone = progress.line((0, 1), "f: 4/8 mutants", Duration::ZERO);
        assert_eq!(alone, "[############--------] f: 4/8 mutants, about 0 s left");
        progress.is_at(1, 7.0);
        assert_eq!(progress.share(), 1.0);
        assert_eq!(Progress::new(Vec::new()).share(), 1.0);
    }

    #[test]
    fn bars_and_times() {
        assert_eq!(bar(0.0), "[--------------------]");
        assert_eq!(bar(0.5), "[##########----------]");
        assert_eq!(bar(1.0), "[####################]");
        let after = |share, seconds| left(share, Duration::from_secs(seconds));
        assert_eq!(after(0.5, 30), ", about 30 s left");
        assert_eq!(after(0.1, 100), ", about 15 min left");
        assert_eq!(after(0.01, 3600), ", about 99 h left");
        assert_eq!(after(1.0, 9), ", about 0 s left");
        // Of nothing nothing is known, and of the first moments little.
        assert_eq!(after(0.0, 1000), "");
        assert_eq!(after(0.01, 1), "");
    }
}
