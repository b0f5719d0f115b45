//! Mutation testing of numerical specifications: tests with rigorous oracles, proofs, and scores.
//!
//! Data flows one way, and each module uses only those before it:
//!
//! ```text
//! spec text -> spec::Spec -> tape (specification and mutants: roots of one hash-consed tape) -> csp -> solve -> points
//!           -> oracle (verdicts) -> suite (kill matrix, statuses) -> record (files) -> report
//! ```
//!
//! [`spec`] reads FPCore, [`mutate`] makes mutants, [`mod@tape`] evaluates them (binary64, intervals, multiple precision),
//! [`solve`] looks for points that solve a problem, [`csp`] says what it is for specification and mutant to differ, [`equiv`] proves that they
//! are one function, [`mod@oracle`] says what a result may be, [`suite`] puts it all together, [`harness`] runs
//! implementations against it, and [`worst`] searches on them for the largest error.
//!
//! A second wing looks into code and formulas over floats, on the same [`solve`]:
//!
//! ```text
//! C -> WebAssembly -> code (interpreter over values and sets) -> reach (branches, goals, paths) -> search, decide
//! SMT-LIB text -> smt -> decide -> search
//! ```
//!
//! [`code`] runs a module and says what its values can be, [`mod@search`] climbs to a goal or for the most, [`decide`] settles
//! formulas over floats, [`reach`] finds inputs for goals of code or proves that there are none, [`smt`] reads scripts.
//!
//! ```
//! use magneto::spec::{Overrides, parse_file, resolve};
//! use magneto::suite::{Interrupt, Options, generate};
//!
//! let text = "(FPCore (x) :name \"cube\" :pre (<= 1 x 2) :magneto-rel-error 1e-10 (* x (* x x)))";
//! let spec = resolve(&parse_file(text.as_bytes()), 0, "cube.fpcore", &Overrides::default()).expect("a specification");
//! let run = generate(&spec, &Options::default(), &Interrupt::default()).expect("a run");
//! assert_eq!(run.counts.undecided, 0);
//! assert_eq!(run.counts.rigorous_score(), 1.0);
//! for test in &run.tests {
//!     println!("{}: x = {:e}, {:?}", test.id, test.input[0], test.expectation);
//! }
//! ```

pub mod accept;
#[cfg(feature = "plots")]
pub mod bench;
pub mod cc;
pub mod code;
pub mod cover;
pub mod csp;
pub mod decide;
pub mod equiv;
pub mod floats;
pub mod halt;
pub mod harness;
pub mod infix;
pub mod lint;
pub mod mutate;
pub mod num;
pub mod ops;
pub mod options;
pub mod oracle;
pub mod points;
pub mod program;
pub mod reach;
pub mod record;
pub mod report;
pub mod requirements;
pub mod rounding;
pub mod sat;
pub mod search;
pub mod smt;
pub mod solve;
pub mod spec;
pub mod suite;
pub mod tape;
pub mod testfile;
pub mod testing;
pub mod text;
pub mod threads;
pub mod tool;
pub mod unfit;
pub mod worst;
