//! Test suites: tests with their oracles, mutants with their status, the kill matrix between them.

mod adequacy;
mod batches;
mod counts;
pub mod generate;
mod inputs;
mod large;
mod phases;
pub mod recheck;
mod run;
mod settle;
mod state;
mod status;
pub mod steps;
mod test;

pub use adequacy::claims::{Claim, Doubt};
pub use adequacy::complete::{KeptTests, Whereabouts, is_everyday};
pub use adequacy::evaluate::Evaluator;
pub use adequacy::minimize::{fewest, minimized};
pub use adequacy::plain::{PlainAccuracy, plain};
pub use adequacy::standings::{Adequacy, Killer, Standing, SuiteEvaluation};
pub use adequacy::{evaluate, second, subsumption};
pub use counts::{Counts, ScoreShare};
pub use generate::{generate, generate_for};
pub use inputs::random;
pub use phases::Phases;
pub use run::{DEFAULT_MEMORY, Generated, Interrupt, NoRun, Options, Solved, TellSolved};
pub use state::row::{Row, Unknown};
pub use status::{Acceptance, EquivalenceProof, Judged, NearestMiss, NoTest, Reason, Status};
pub use test::{Expectation, MatrixCell, Origin, Test};
