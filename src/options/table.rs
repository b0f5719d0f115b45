//! The table of knobs.

use super::gates::SCORES;
use super::{
    BISECTIONS, ENCODINGS, Effect, FailOn, Knob, OptionShape, Scope, name_of, one_of, only, optional, parse_domain,
    parse_error_bound, parse_format, parse_libm_ulps, parse_rational, parse_ulps, rational_text, seconds, switch,
    whole, width,
};
use crate::floats::Format;
use crate::mutate::OperatorSet;
use crate::num::float::decimal;
use std::path::PathBuf;

/// Every knob, in the order in which help shows them.
pub const KNOBS: &[Knob] = &[
    Knob {
        name: "output",
        value: "DIR",
        doc: "Where to write the files; one folder per specification if there are several. Default: magneto.out",
        shape: OptionShape::Value,
        effect: Effect::Run,
        scope: Scope::Gen,
        set: |s, v| {
            s.output = PathBuf::from(only(v)?);
            if s.output.as_os_str().is_empty() { Err("expected a folder".into()) } else { Ok(()) }
        },
        show: |s| s.output.display().to_string(),
    },
    Knob {
        name: "cache",
        value: "DIR",
        doc: "Keep the result of each specification, or of each implementation that magneto.toml names, in DIR, and take from \
              there what an earlier run found for the same specification, options, program and implementation. Entries are removed when no run has used them for 30 days, or the \
              oldest where they take more than 2 GiB. Default: .magneto-cache beside the output folder",
        shape: OptionShape::Value,
        effect: Effect::Run,
        scope: Scope::Keeping,
        set: |s, v| {
            let dir = PathBuf::from(only(v)?);
            if dir.as_os_str().is_empty() {
                return Err("expected a folder".into());
            }
            s.cache = Some(dir);
            Ok(())
        },
        show: |s| s.cache.as_ref().map_or(String::new(), |dir| dir.display().to_string()),
    },
    Knob {
        name: "no-cache",
        value: "",
        doc: "Compute all results anew, and keep none. Default: keep them",
        shape: OptionShape::Switch,
        effect: Effect::Run,
        scope: Scope::Keeping,
        set: |s, v| switch(v).map(|x| s.no_cache = x),
        show: |s| s.no_cache.to_string(),
    },
    Knob {
        name: "operators",
        value: "SET",
        doc: "Mutation operators: `full`, `paper` (the 2021 paper's, with its counts), or a list such as \
              `constant,binary` of accuracy, bounds, add, delete, constant, variable, unary, binary, region, evaluation. Default: full",
        shape: OptionShape::Value,
        effect: Effect::Result,
        scope: Scope::Mutating,
        set: |s, v| {
            let first = only(v)?.parse()?;
            let is_second = matches!(s.suite.operators, OperatorSet::Twice(_));
            s.suite.operators = if is_second { OperatorSet::Twice(Box::new(first)) } else { first };
            Ok(())
        },
        show: |s| s.suite.operators.first_order().to_string(),
    },
    Knob {
        name: "max-iterations",
        value: "N",
        doc: "How often the loops of a formula, or of a mutant, may go round, all together; elements of tensors count as well. \
              Default: 10000",
        shape: OptionShape::Value,
        effect: Effect::Result,
        scope: Scope::Every,
        set: |s, v| whole(v, 1, 4_000_000).map(|n| s.overrides.max_iterations = Some(n)),
        show: |s| s.overrides.max_iterations.map_or(String::new(), |n| n.to_string()),
    },
    Knob {
        name: "order",
        value: "N",
        doc: "1 for mutants with one change; 2 also for mutants with two changes at different sites, at most 2000 of them, \
              and for how many of these are harder to kill than both of their parts. Default: 1",
        shape: OptionShape::Value,
        effect: Effect::Result,
        scope: Scope::Mutating,
        set: |s, v| {
            let first = s.suite.operators.first_order().clone();
            let order: u8 = whole(v, 1, 2)?;
            s.suite.operators = if order == 2 { OperatorSet::Twice(Box::new(first)) } else { first };
            Ok(())
        },
        show: |s| if matches!(s.suite.operators, OperatorSet::Twice(_)) { "2" } else { "1" }.to_owned(),
    },
    Knob {
        name: "rel-error",
        value: "R",
        doc: "Accuracy |y - f| <= R |f|. The accuracy flags replace what the specification says; several together \
              mean the largest tolerance. Default: the specification's, else 1e-10, or 4 ulps of a result format narrower than binary64",
        shape: OptionShape::Value,
        effect: Effect::Result,
        scope: Scope::Every,
        set: |s, v| parse_error_bound(only(v)?).map(|x| s.overrides.rel = Some(x)),
        show: |s| optional(s.overrides.rel.as_ref()),
    },
    Knob {
        name: "abs-error",
        value: "A",
        doc: "Accuracy |y - f| <= A. Default: the specification's",
        shape: OptionShape::Value,
        effect: Effect::Result,
        scope: Scope::Every,
        set: |s, v| parse_error_bound(only(v)?).map(|x| s.overrides.abs = Some(x)),
        show: |s| optional(s.overrides.abs.as_ref()),
    },
    Knob {
        name: "ulps",
        value: "N",
        doc: "Accuracy |y - f| <= N ulps of f in the result format, or in another one: `'4 binary32'`. Default: the \
              specification's",
        shape: OptionShape::Value,
        effect: Effect::Result,
        scope: Scope::Every,
        set: |s, v| parse_ulps(only(v)?).map(|x| s.overrides.ulps = Some(x)),
        show: |s| {
            s.overrides.ulps.as_ref().map_or(String::new(), |(n, format)| {
                let format = format.map_or(String::new(), |f| format!(" {}", f.name()));
                format!("{}{format}", rational_text(n))
            })
        },
    },
    Knob {
        name: "libm-ulps",
        value: "U",
        doc: "The largest error of the functions of the library that programs call: mutants of `evaluation` return some \
              float so near to the exact value. 0.5 means correctly rounded. Unit: ulps. Default: 1",
        shape: OptionShape::Value,
        effect: Effect::Result,
        scope: Scope::Every,
        set: |s, v| parse_libm_ulps(only(v)?).map(|x| s.overrides.libm_ulps = Some(x)),
        show: |s| s.overrides.libm_ulps.map_or(String::new(), |u| decimal(u.get())),
    },
    Knob {
        name: "convert",
        value: "FORMAT",
        doc: "The format of inputs and results in place of the specification's `:precision`: `binary32` for functions of float. \
              An input with a format of its own keeps it. Default: what :precision says",
        shape: OptionShape::Value,
        effect: Effect::Result,
        scope: Scope::Every,
        set: |s, v| parse_format(only(v)?).map(|x| s.overrides.precision = Some(x)),
        show: |s| s.overrides.precision.map_or(String::new(), Format::name),
    },
    Knob {
        name: "domain",
        value: "X=[LO,HI]",
        doc: "Narrow an input to a range; `(` or `)` leaves an end out. Repeatable. Default: what :pre says",
        shape: OptionShape::List,
        effect: Effect::Result,
        scope: Scope::Every,
        set: |s, v| v.iter().map(|t| parse_domain(t)).collect::<Result<_, _>>().map(|x| s.overrides.domain = x),
        show: |s| s.overrides.domain.iter().map(|(n, r)| format!("{n}={r}")).collect::<Vec<_>>().join(" "),
    },
    Knob {
        name: "budget",
        value: "BOXES",
        doc: "The most boxes to look at in the last search for one mutant; shorter ones come before it. Unit: boxes. Default: 4000",
        shape: OptionShape::Value,
        effect: Effect::Result,
        scope: Scope::Searching,
        set: |s, v| whole(v, 1, u64::MAX).map(|x| s.suite.limits.boxes = x),
        show: |s| s.suite.limits.boxes.to_string(),
    },
    Knob {
        name: "delta",
        value: "W",
        doc: "The relative width below which a box is set aside at first; it shrinks by factors of 10. Default: 0.01",
        shape: OptionShape::Value,
        effect: Effect::Result,
        scope: Scope::Solver,
        set: |s, v| width(v).map(|x| s.suite.limits.delta = x),
        show: |s| decimal(s.suite.limits.delta),
    },
    Knob {
        name: "delta-min",
        value: "W",
        doc: "The smallest such width; 0 goes down to single floats. Default: 0",
        shape: OptionShape::Value,
        effect: Effect::Result,
        scope: Scope::Solver,
        set: |s, v| width(v).map(|x| s.suite.limits.delta_min = x),
        show: |s| decimal(s.suite.limits.delta_min),
    },
    Knob {
        name: "encoding",
        value: "HOW",
        doc: "How `must differ` is written: `separation` (the valid sets are disjoint) or `paper` (its four \
              constraints). Default: separation",
        shape: OptionShape::Value,
        effect: Effect::Result,
        scope: Scope::Solver,
        set: |s, v| one_of(v, ENCODINGS).map(|x| s.suite.encoding = x),
        show: |s| name_of(&s.suite.encoding, ENCODINGS),
    },
    Knob {
        name: "bisection",
        value: "HOW",
        doc: "How to choose the input to cut: `smear`, `largest` or `round-robin`. Default: smear",
        shape: OptionShape::Value,
        effect: Effect::Result,
        scope: Scope::Solver,
        set: |s, v| one_of(v, BISECTIONS).map(|x| s.suite.limits.bisection = x),
        show: |s| name_of(&s.suite.limits.bisection, BISECTIONS),
    },
    Knob {
        name: "no-hc4",
        value: "",
        doc: "Do not contract boxes by HC4. Default: contract",
        shape: OptionShape::Switch,
        effect: Effect::Result,
        scope: Scope::Solver,
        set: |s, v| switch(v).map(|x| s.suite.limits.hc4 = !x),
        show: |s| (!s.suite.limits.hc4).to_string(),
    },
    Knob {
        name: "no-mean-value",
        value: "",
        doc: "Do not bound differences by derivatives. Default: bound",
        shape: OptionShape::Switch,
        effect: Effect::Result,
        scope: Scope::Solver,
        set: |s, v| switch(v).map(|x| s.suite.limits.mean_value = !x),
        show: |s| (!s.suite.limits.mean_value).to_string(),
    },
    Knob {
        name: "no-shave",
        value: "",
        doc: "Do not shave boxes that HC4 does not contract. Default: shave",
        shape: OptionShape::Switch,
        effect: Effect::Result,
        scope: Scope::Solver,
        set: |s, v| switch(v).map(|x| s.suite.limits.shave = !x),
        show: |s| (!s.suite.limits.shave).to_string(),
    },
    Knob {
        name: "no-multi",
        value: "",
        doc: "Do not look at narrow boxes in multiple precision. Default: do",
        shape: OptionShape::Switch,
        effect: Effect::Result,
        scope: Scope::Solver,
        set: |s, v| switch(v).map(|x| s.suite.limits.multi = !x),
        show: |s| (!s.suite.limits.multi).to_string(),
    },
    Knob {
        name: "no-proofs",
        value: "",
        doc: "No proofs by normal forms or laws beside the searches for mutants of the formula. Default: with them",
        shape: OptionShape::Switch,
        effect: Effect::Result,
        scope: Scope::Solver,
        set: |s, v| switch(v).map(|x| s.suite.proofs = !x),
        show: |s| (!s.suite.proofs).to_string(),
    },
    Knob {
        name: "precision-cap",
        value: "BITS",
        doc: "The last precision of the oracle's ladder. Unit: bits. Default: 3840",
        shape: OptionShape::Value,
        effect: Effect::Result,
        scope: Scope::Evaluating,
        set: |s, v| whole(v, 120, 1 << 20).map(|x| s.suite.precision_cap = x),
        show: |s| s.suite.precision_cap.to_string(),
    },
    Knob {
        name: "minimize",
        value: "",
        doc: "Keep only as many tests as kill the same mutants. Default: keep all",
        shape: OptionShape::Switch,
        effect: Effect::Result,
        scope: Scope::Gen,
        set: |s, v| switch(v).map(|x| s.suite.minimize = x),
        show: |s| s.suite.minimize.to_string(),
    },
    Knob {
        name: "boundary",
        value: "",
        doc: "Also make the tests that a reviewer expects: ends of ranges and their neighbours, special values, zeros, \
              extremes and kinks of f. Default: only tests that kill",
        shape: OptionShape::Switch,
        effect: Effect::Result,
        scope: Scope::Gen,
        set: |s, v| switch(v).map(|x| s.suite.boundary = x),
        show: |s| s.suite.boundary.to_string(),
    },
    Knob {
        name: "max-memory",
        value: "MIB",
        doc: "The memory that a run may use. Of a specification with more mutants than that has room for, some are made, \
              evenly spread, and the run says which. Unit: MiB. Default: 1024",
        shape: OptionShape::Value,
        effect: Effect::Result,
        scope: Scope::Searching,
        set: |s, v| whole(v, 64, 1 << 20).map(|x: u64| s.suite.max_memory = x << 20),
        show: |s| (s.suite.max_memory >> 20).to_string(),
    },
    Knob {
        name: "jobs",
        value: "N",
        doc: "Threads. The files do not depend on it. Default: as many as the machine runs at once",
        shape: OptionShape::Value,
        effect: Effect::Run,
        scope: Scope::Threads,
        set: |s, v| whole(v, 1, 1024).map(|x| s.suite.jobs = x),
        show: |s| s.suite.jobs.to_string(),
    },
    Knob {
        name: "min-score",
        value: "S",
        doc: "Exit with 1 if a specification's score is below S, from 0 to 1. Default: no such gate",
        shape: OptionShape::Value,
        effect: Effect::Gate,
        scope: Scope::Scoring,
        set: |s, v| {
            let score = parse_rational(only(v)?)?;
            if !(0..=1).contains(&score) {
                return Err(format!("expected a number from 0 to 1, not {}", rational_text(&score)).into());
            }
            s.min_score = Some(score);
            Ok(())
        },
        show: |s| optional(s.min_score.as_ref()),
    },
    Knob {
        name: "score",
        value: "WHICH",
        doc: "The score that --min-score is about: `rigorous` or `paper`. Default: rigorous",
        shape: OptionShape::Value,
        effect: Effect::Gate,
        scope: Scope::Scoring,
        set: |s, v| one_of(v, SCORES).map(|x| s.score = x),
        show: |s| s.score.name().to_owned(),
    },
    Knob {
        name: "fail-on",
        value: "WHAT",
        doc: "Exit with 3 if a mutant is `undecided`, with 1 if beside the run of `gen --against` the score of a \
              specification fell (`lower-score`), its accuracy is looser or its domain narrower (`weaker-spec`), or fewer \
              mutants are killed (`fewer-kills`), or for `nothing`; several after commas. Repeatable. Default: nothing",
        shape: OptionShape::List,
        effect: Effect::Gate,
        scope: Scope::Scoring,
        set: |s, v| FailOn::read(v).map(|x| s.fail_on = x),
        show: |s| s.fail_on.text(),
    },
    Knob {
        name: "timeout",
        value: "SECONDS",
        doc: "The most that one test may take; then it is KO and the implementation is started again. Default: 10",
        shape: OptionShape::Value,
        effect: Effect::Run,
        scope: Scope::Check,
        set: |s, v| seconds(v).map(|x| s.limits.answer = x),
        show: |s| decimal(s.limits.answer.as_secs_f64()),
    },
    Knob {
        name: "start-timeout",
        value: "SECONDS",
        doc: "The most that starting the implementation may take; the first answer of an --exec program may take as \
              long. Default: 10",
        shape: OptionShape::Value,
        effect: Effect::Run,
        scope: Scope::Check,
        set: |s, v| seconds(v).map(|x| s.limits.start = x),
        show: |s| decimal(s.limits.start.as_secs_f64()),
    },
    Knob {
        name: "restarts",
        value: "N",
        doc: "How many times the implementation may be started again, after crashes and the like, before the run ends \
              with 4. Default: 20",
        shape: OptionShape::Value,
        effect: Effect::Run,
        scope: Scope::Check,
        set: |s, v| whole(v, 0, 1 << 20).map(|x| s.limits.restarts = x),
        show: |s| s.limits.restarts.to_string(),
    },
    Knob {
        name: "skip-unsupported",
        value: "",
        doc: "Leave out FPCores with loops, tensors and other unsupported features, with a note. Default: an error",
        shape: OptionShape::Switch,
        effect: Effect::Run,
        scope: Scope::Several,
        set: |s, v| switch(v).map(|x| s.skip_unsupported = x),
        show: |s| s.skip_unsupported.to_string(),
    },
];

/// The knob of a name. For constants alone: of a name that there is not, the program does not compile.
const fn named(name: &str) -> &'static Knob {
    let mut k = 0;
    while k < KNOBS.len() {
        if is_same(KNOBS[k].name.as_bytes(), name.as_bytes()) {
            return &KNOBS[k];
        }
        k += 1;
    }
    panic!("there is no such knob")
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut k = 0;
    while k < a.len() && k < b.len() && a[k] == b[k] {
        k += 1;
    }
    k == a.len() && k == b.len()
}

/// `--output` of `gen`.
pub const OUTPUT: &Knob = named("output");
/// `--cache`
pub const CACHE: &Knob = named("cache");
/// `--operators`
pub const OPERATORS: &Knob = named("operators");
/// `--order`
pub const ORDER: &Knob = named("order");
/// `--rel-error`
pub const REL_ERROR: &Knob = named("rel-error");
/// `--abs-error`
pub const ABS_ERROR: &Knob = named("abs-error");
/// `--ulps`
pub const ULPS: &Knob = named("ulps");
/// `--budget` of a search for a mutant.
pub const BUDGET: &Knob = named("budget");
/// `--minimize`
pub const MINIMIZE: &Knob = named("minimize");
/// `--boundary`
pub const BOUNDARY: &Knob = named("boundary");
/// `--jobs`
pub const JOBS: &Knob = named("jobs");
