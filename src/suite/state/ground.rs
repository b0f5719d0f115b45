//! What does not change in a run: the specification with its mutants on one tape, and what it says of an input.

use crate::csp::Pair;
use crate::csp::judge::StatusJudge;
use crate::csp::tolerance::reach;
use crate::csp::verify::{GLANCE, Rules};
use crate::halt;
use crate::mutate::{Change, Lowering};
use crate::num::{Interval, Rational};
use crate::ops::float::LibmUlps;
use crate::oracle::quick::QuickTolerance;
use crate::oracle::shared::{Common, Shared};
use crate::oracle::{Ladder, Oracle, all_hold, oracle, oracle_at};
use crate::points::spread::spread;
use crate::program::Program;
use crate::spec::inputs::representable;
use crate::spec::{EmptyRange, InputBox, Spec};
use crate::suite::{EquivalenceProof, Expectation, Judged, Status};
use crate::tape::SAMPLES;
use crate::tape::lower::lower;
use crate::tape::{Builder, NodeId, Tape};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What a mutant changes, ready to be evaluated.
pub(in crate::suite) enum Kind {
    /// Another function: its root on the shared tape.
    Body(NodeId),
    /// Another range of an input: its representable values, if there are any.
    Range { input: usize, range: Option<Interval> },
    /// Another accuracy.
    Accuracy,
    /// A program over floats.
    Program(Arc<Program>),
}

impl Kind {
    /// What is known of a mutant before anything is evaluated.
    fn known(&self, root: NodeId, domain: &InputBox, judge: StatusJudge) -> Option<Status> {
        match self {
            Kind::Body(g) if *g == root => Some(Status::Equivalent(EquivalenceProof::SameExpression)),
            Kind::Range { input, range } if *range == Some(domain.ranges[*input]) => {
                Some(Status::Equivalent(EquivalenceProof::SameInputs))
            }
            Kind::Range { .. } if !judge.tells() => Some(Status::Indistinguishable(EquivalenceProof::ResponseNotTold)),
            _ => None,
        }
    }
}

/// An input with what the specification says of it.
pub(in crate::suite) struct Examined {
    pub(in crate::suite) input: Vec<f64>,
    pub(in crate::suite) expectation: Expectation,
}

impl Examined {
    /// Whether a result is owed there.
    pub(in crate::suite) fn asks_result(&self) -> bool {
        matches!(self.expectation, Expectation::Result(_))
    }
}

/// How much work an input is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::suite) enum Look {
    /// See [`Ground::glance`].
    Glance,
    /// See [`Ground::examine`].
    Whole,
}

/// The specification and its mutants, and the oracle of any input.
pub(in crate::suite) struct Ground<'a> {
    spec: &'a Spec,
    domain: InputBox,
    cap: u32,
    /// Specification and mutants as roots of one tape.
    tape: Tape,
    root: NodeId,
    conditions: Vec<NodeId>,
    /// The specification alone, with itself as mutant.
    own: Pair,
    kinds: Vec<Kind>,
    tolerance: QuickTolerance,
    /// How far beyond the specification's set a probable kill reaches.
    reach: Rational,
    /// The specification's nodes, which most of a mutant's are too.
    common: Common,
    /// The time that oracles and their rows have taken. Unit: ns.
    oracle_time: AtomicU64,
}

impl<'a> Ground<'a> {
    /// Lower the specification and its mutants until the tape has more than so many nodes, and say what is known of each at
    /// once: the mutants that are left stay in the iterator, and at least one is taken.
    ///
    /// # Errors
    /// An input whose range holds no value of its format.
    pub(in crate::suite) fn new(
        spec: &'a Spec,
        mutants: &mut impl Iterator<Item = Judged>,
        cap: u32,
        nodes: usize,
    ) -> Result<(Self, Vec<Judged>), EmptyRange> {
        let domain = InputBox::new(spec)?;
        let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
        let mut builder = Builder::new(names.len()).with_samples(spread(&domain, SAMPLES / 2, SAMPLES / 2));
        let root = lower(&mut builder, &names, &spec.core.body);
        let conditions: Vec<NodeId> = spec.constraints.iter().map(|c| lower(&mut builder, &names, c)).collect();
        let mut lowering = Lowering::new(&names);
        let (mut kinds, mut judged) = (Vec::new(), Vec::new());
        for mut one in mutants {
            let kind = match &one.mutant.change {
                Change::Body(body) => Kind::Body(lowering.body(&mut builder, body)),
                Change::Range { input, range } => {
                    Kind::Range { input: *input, range: representable(range, spec.inputs[*input].format) }
                }
                Change::Accuracy(_) => Kind::Accuracy,
                Change::Evaluation(e) => Kind::Program(e.program.clone()),
            };
            let known = kind.known(root, &domain, StatusJudge { response: spec.out_of_range });
            one.status = known.unwrap_or(one.status);
            kinds.push(kind);
            judged.push(one);
            if builder.tape().len() > nodes || halt::requested() {
                break;
            }
        }
        let tape = builder.finish();
        let own = Pair::extract(&tape, root, root, &conditions, &spec.accuracy, &spec.accuracy);
        let ground = Ground {
            spec,
            domain,
            cap,
            root,
            conditions,
            own,
            kinds,
            tolerance: QuickTolerance::new(&spec.accuracy),
            reach: reach(&spec.accuracy),
            common: Common::new(&tape, root),
            tape,
            oracle_time: AtomicU64::new(0),
        };
        Ok((ground, judged))
    }

    pub(in crate::suite) fn spec(&self) -> &'a Spec {
        self.spec
    }

    pub(in crate::suite) fn domain(&self) -> &InputBox {
        &self.domain
    }

    /// The last precision of the ladder. Unit: bits.
    pub(in crate::suite) fn cap(&self) -> u32 {
        self.cap
    }

    /// The tape of specification and mutants.
    pub(in crate::suite) fn tape(&self) -> &Tape {
        &self.tape
    }

    /// The specification's function on it.
    pub(in crate::suite) fn root(&self) -> NodeId {
        self.root
    }

    /// The conditions of the domain beyond its box, on it.
    pub(in crate::suite) fn conditions(&self) -> &[NodeId] {
        &self.conditions
    }

    /// The specification alone, with itself as mutant.
    pub(in crate::suite) fn own(&self) -> &Pair {
        &self.own
    }

    /// What each mutant changes.
    pub(in crate::suite) fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    pub(in crate::suite) fn tolerance(&self) -> &QuickTolerance {
        &self.tolerance
    }

    /// How far beyond the specification's set a probable kill reaches.
    pub(in crate::suite) fn reach(&self) -> &Rational {
        &self.reach
    }

    /// The largest error of a library function.
    pub(in crate::suite) fn ulps(&self) -> LibmUlps {
        self.spec.libm_ulps
    }

    /// The node of a mutant with another function.
    pub(in crate::suite) fn root_of(&self, mutant: usize) -> Option<NodeId> {
        if let Kind::Body(g) = self.kinds[mutant] { Some(g) } else { None }
    }

    /// Specification and mutant on a small tape of their own.
    pub(in crate::suite) fn pair(&self, mutant: usize) -> Option<Pair> {
        let g = self.root_of(mutant)?;
        let accuracy = &self.spec.accuracy;
        Some(Pair::extract(&self.tape, self.root, g, &self.conditions, accuracy, accuracy))
    }

    /// What the specification says of an input in the box of its domain; `None` if it can be no test: a condition does
    /// not surely hold, f has no value or that is not settled, the accuracy cannot be met, or which results meet it is
    /// not settled for each at the precision cap.
    pub(in crate::suite) fn examine(&self, input: &[f64]) -> Option<Examined> {
        self.timed(|| self.look(input, Look::Whole))
    }

    /// The same, but no more than a glance at an input of which it is not soon seen that f has a value there: work that is
    /// bounded, and enough nearly everywhere. `None` too where more bits may decide more.
    pub(in crate::suite) fn glance(&self, input: &[f64]) -> Option<Examined> {
        self.timed(|| self.look(input, Look::Glance))
    }

    /// [`Ground::examine`] or [`Ground::glance`], whose time somebody else notes.
    pub(in crate::suite) fn look(&self, input: &[f64], look: Look) -> Option<Examined> {
        if look == Look::Whole {
            return self.examine_up_to(input, self.cap);
        }
        let examined = self.examine_up_to(input, self.cap.min(GLANCE));
        let is_cut = |e: &Examined| matches!(e.expectation, Expectation::Result(Oracle::Capped { .. }));
        examined.filter(|e| self.cap <= GLANCE || !is_cut(e))
    }

    /// Whether the conditions beyond the box surely hold at an input.
    pub(in crate::suite) fn inside(&self, input: &[f64]) -> bool {
        self.own.conditions.is_empty()
            || all_hold(&mut Ladder::new(&self.own.tape, input, self.cap.min(GLANCE)), &self.own.conditions).is_true()
    }

    fn examine_up_to(&self, input: &[f64], cap: u32) -> Option<Examined> {
        let mut ladder = Ladder::new(&self.own.tape, input, cap);
        if !all_hold(&mut ladder, &self.own.conditions).is_true() {
            return None;
        }
        let (mut owed, level) = oracle_at(&mut ladder, self.own.spec(), self.spec.result_format);
        let at_the_end = level + 1 == ladder.levels() && cap < self.cap;
        if at_the_end && matches!(owed, Oracle::Capped { .. } | Oracle::Decided { .. }) {
            // It has a value, and only its last bits or the nearest result are not settled: what is written has to be.
            ladder.raise(self.cap);
            owed = oracle(&mut ladder, self.own.spec(), self.spec.result_format);
        }
        let decided = matches!(owed, Oracle::Decided { .. });
        decided.then(|| Examined { input: input.to_vec(), expectation: Expectation::Result(owed) })
    }

    /// Whether an input of the domain's box surely can be no test: the conditions do not hold there, f has no value, or
    /// no value of the result format meets the accuracy.
    pub(in crate::suite) fn is_no_test(&self, input: &[f64]) -> bool {
        let mut ladder = Ladder::new(&self.own.tape, input, self.cap);
        all_hold(&mut ladder, &self.own.conditions).is_false()
            || matches!(
                oracle(&mut ladder, self.own.spec(), self.spec.result_format),
                Oracle::Undefined | Oracle::Unsatisfiable
            )
    }

    /// Whether the conditions hold at an input and f has a value: who takes the input gives a result.
    pub(in crate::suite) fn is_taken(&self, input: &[f64]) -> bool {
        let mut ladder = Ladder::new(&self.own.tape, input, self.cap);
        all_hold(&mut ladder, &self.own.conditions).is_true() && ladder.has_value(self.own.spec()).is_true()
    }

    /// The time that oracles and their rows have taken.
    pub(in crate::suite) fn oracle_time(&self) -> Duration {
        Duration::from_nanos(self.oracle_time.load(Ordering::Relaxed))
    }

    /// Do some work on oracles and note its time.
    pub(super) fn timed<T>(&self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        let nanos = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.oracle_time.fetch_add(nanos, Ordering::Relaxed);
        result
    }

    /// The specification at an input, to be compared with mutants.
    pub(in crate::suite) fn shared(&self, input: &[f64]) -> Shared<'_> {
        Shared::new(&self.tape, &self.common, &self.spec.accuracy, input, self.cap)
    }

    /// What decides whether a difference is a kill.
    pub(in crate::suite) fn rules(&self) -> Rules {
        Rules { cap: self.cap, format: self.spec.result_format, response: self.spec.out_of_range }
    }

    /// What a difference is worth.
    pub(in crate::suite) fn judge(&self) -> StatusJudge {
        StatusJudge { response: self.spec.out_of_range }
    }

    /// Whether a program may tell an input -0 from 0, which is one number to the specification: then no test has a -0.
    pub(in crate::suite) fn tells_zeros_apart(&self) -> bool {
        self.spec.tells_zeros_apart()
    }
}
