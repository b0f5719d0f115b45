//! What a search sees of a run: which goals it takes, how near it comes to the others, and how far it goes along the way
//! to one of them.

use super::distance::{distance, to_arm};
use crate::code::ins::BranchTest;
use crate::code::program::BranchGoal;
use crate::code::run::{Watch, WatchedSites};
use crate::search::goal::{Distance, FAR};

/// The longest way to a goal that is followed, in decisions.
const LONGEST: usize = 4096;

/// The goals seen in one run.
pub(super) struct Record {
    /// The first goal of each site, or none where the site does not count.
    first: Vec<Option<u32>>,
    open: Vec<bool>,
    /// For each goal its site.
    site: Vec<u32>,
    /// For each site how many of its goals are open.
    left: Vec<u32>,
    /// For each site whether anything that happens there counts.
    live: Vec<u8>,
    /// For each goal how near this run came, [`FAR`] where its test was not reached.
    pub(super) distance: Vec<u64>,
    /// The goals whose test this run reached, each once.
    pub(super) near: Vec<u32>,
    /// The goals that this run is the first to take.
    pub(super) taken: Vec<u32>,
    focus: Option<Focus>,
}

/// One goal that is searched for.
struct Focus {
    goal: BranchGoal,
    /// The decisions that lead to its test.
    way: Vec<BranchGoal>,
    /// Decisions of this run that were as on the way.
    followed: usize,
    /// Whether the run has left the way.
    left: bool,
    best: Distance,
    /// While the way is being recorded: all decisions so far.
    recorded: Option<Vec<BranchGoal>>,
}

impl Record {
    /// For goals: the first one of each site that counts, and how many there are.
    pub(super) fn new(first: Vec<Option<u32>>, count: usize) -> Self {
        let mut site = vec![0; count];
        let mut left = vec![0; first.len()];
        // The goals of a site come one after the other.
        let begins: Vec<(usize, u32)> = first.iter().enumerate().filter_map(|(s, goal)| Some((s, (*goal)?))).collect();
        for (k, (s, goal)) in begins.iter().enumerate() {
            let upto = begins.get(k + 1).map_or(count as u32, |(_, next)| *next);
            left[*s] = upto - goal;
            site[*goal as usize..upto as usize].fill(*s as u32);
        }
        Record {
            first,
            open: vec![true; count],
            site,
            live: left.iter().map(|goals| u8::from(*goals > 0)).collect(),
            left,
            distance: vec![FAR; count],
            near: Vec::new(),
            taken: Vec::new(),
            focus: None,
        }
    }

    /// The first goal of each site that counts.
    pub(super) fn first(&self) -> &[Option<u32>] {
        &self.first
    }

    /// From now on measure distances to a goal. The next run is one that reaches its test: its decisions are the way.
    pub(super) fn aim(&mut self, goal: BranchGoal) {
        let focus =
            Focus { goal, way: Vec::new(), followed: 0, left: false, best: Distance::FAR, recorded: Some(Vec::new()) };
        let before = self.focus.replace(focus).map(|focus| focus.goal.site);
        before.into_iter().chain([goal.site]).for_each(|site| self.look_at(site));
    }

    /// What counts at a site has changed.
    fn look_at(&mut self, site: u32) {
        let is_aim = self.focus.as_ref().is_some_and(|focus| focus.goal.site == site);
        self.live[site as usize] = u8::from(is_aim || self.left[site as usize] > 0);
    }

    /// A run begins.
    pub(super) fn begin(&mut self) {
        self.taken.clear();
        if let Some(focus) = &mut self.focus {
            (focus.followed, focus.left, focus.best) = (0, false, Distance::FAR);
            if let Some(recorded) = &mut focus.recorded {
                recorded.clear();
            }
        }
    }

    /// What the last run is the first to take is open again.
    pub(super) fn reopen(&mut self) {
        for goal in std::mem::take(&mut self.taken) {
            let site = self.site[goal as usize];
            self.open[goal as usize] = true;
            self.left[site as usize] += 1;
            self.look_at(site);
        }
    }

    /// How far the run was from the goal that is aimed at.
    pub(super) fn reached(&mut self) -> Distance {
        let Some(focus) = &mut self.focus else { return Distance::FAR };
        focus.recorded = None;
        focus.best
    }

    /// A goal needs no search any more.
    pub(super) fn close(&mut self, goal: usize) {
        if std::mem::replace(&mut self.open[goal], false) {
            let site = self.site[goal];
            self.left[site as usize] -= 1;
            self.look_at(site);
        }
    }

    fn seen(&mut self, goal: u32, taken: bool, distance: impl FnOnce() -> u64) {
        let goal = goal as usize;
        if !self.open[goal] {
            return;
        }
        if taken {
            self.close(goal);
            self.taken.push(goal as u32);
        } else {
            if self.distance[goal] == FAR {
                self.near.push(goal as u32);
            }
            // What is reached is nearer than what is not.
            self.distance[goal] = self.distance[goal].min(distance()).min(FAR - 1);
        }
    }
}

impl Focus {
    /// Whether the next decision counts, whatever it is.
    fn follows(&self) -> bool {
        self.recorded.as_ref().map_or(!self.left && self.followed < self.way.len(), |made| made.len() < LONGEST)
    }

    /// A decision was made, or a question answered; `to` says how far it was from another way.
    fn seen(&mut self, made: BranchGoal, to: impl Fn(u32) -> u64) {
        if made.site == self.goal.site {
            let here = Distance::at_test(if made.way == self.goal.way { 0 } else { to(self.goal.way) });
            if here < self.best {
                self.best = here;
                if let Some(recorded) = &self.recorded {
                    self.way.clone_from(recorded);
                }
            }
        }
    }

    /// A decision was made; `to` says how far it was from another way.
    fn decided(&mut self, made: BranchGoal, to: impl Fn(u32) -> u64) {
        self.seen(made, &to);
        if let Some(recorded) = &mut self.recorded {
            if recorded.len() < LONGEST {
                recorded.push(made);
            }
        } else if !self.left
            && let Some(next) = self.way.get(self.followed)
        {
            if *next == made {
                self.followed += 1;
                return;
            }
            self.left = true;
            let level = (self.way.len() - self.followed) as u32;
            let ulps = if next.site == made.site { to(next.way) } else { FAR };
            self.best = self.best.min(Distance { level, ulps });
        }
    }
}

impl Watch for Record {
    fn branch(&mut self, site: u32, way: u32, test: BranchTest, a: u64, b: u64) {
        if let Some(focus) = &mut self.focus {
            focus.decided(BranchGoal { site, way }, |other| distance(test, a, b, other == 1));
        }
        let Some(first) = self.first[site as usize] else { return };
        self.seen(first + way, true, || 0);
        self.seen(first + 1 - way, false, || distance(test, a, b, way == 0));
    }

    fn asked(&mut self, site: u32, yes: bool, test: BranchTest, a: u64, b: u64) {
        let to_yes = || if yes { 0 } else { distance(test, a, b, true) };
        // It decides nothing on the way to anything else.
        if let Some(focus) = &mut self.focus {
            focus.seen(BranchGoal { site, way: u32::from(yes) }, |_| to_yes());
        }
        let Some(first) = self.first[site as usize] else { return };
        self.seen(first + 1, yes, to_yes);
        self.seen(first, !yes, || FAR);
    }

    fn arm(&mut self, site: u32, arm: u32, arms: u32, index: u32) {
        if let Some(focus) = &mut self.focus {
            focus.decided(BranchGoal { site, way: arm }, |other| to_arm(index, other, arms));
        }
        let Some(first) = self.first[site as usize] else { return };
        for other in 0..arms {
            self.seen(first + other, other == arm, || to_arm(index, other, arms));
        }
    }

    fn sites(&self) -> WatchedSites<'_> {
        match &self.focus {
            Some(focus) if focus.follows() => WatchedSites::All,
            _ => WatchedSites::These(&self.live),
        }
    }
}

/// The goals that a run takes.
pub(crate) struct Takes {
    /// The first goal of each site, or none where the site does not count.
    first: Vec<Option<u32>>,
    /// For each goal the last run that took it.
    by: Vec<u64>,
    run: u64,
    taken: Vec<u32>,
}

impl Takes {
    /// For goals: the first one of each site that counts, and how many there are.
    pub(crate) fn new(first: Vec<Option<u32>>, count: usize) -> Self {
        Takes { first, by: vec![0; count], run: 0, taken: Vec::new() }
    }

    /// A run begins.
    pub(crate) fn begin(&mut self) {
        self.run += 1;
        self.taken.clear();
        // Without branches there is one goal, the way through, and every run takes it.
        if self.by.is_empty() {
            self.taken.push(0);
        }
    }

    /// What the last run took.
    pub(crate) fn taken(&self) -> &[u32] {
        &self.taken
    }

    fn seen(&mut self, site: u32, way: u32) {
        let Some(first) = self.first[site as usize] else { return };
        let goal = first + way;
        if std::mem::replace(&mut self.by[goal as usize], self.run) != self.run {
            self.taken.push(goal);
        }
    }
}

impl Watch for Takes {
    fn branch(&mut self, site: u32, way: u32, _: BranchTest, _: u64, _: u64) {
        self.seen(site, way);
    }

    fn arm(&mut self, site: u32, arm: u32, _: u32, _: u32) {
        self.seen(site, arm);
    }
}
