//! A run's folder: every file of it is one type here, written and read back by that type, with a version.
//!
//! A run over one specification is a [`Part`]; one over several is an [`Overview`] with a folder for each part. Tables
//! (CSV) are views of the documents (JSON): they hold nothing that the documents do not. Reports are functions of what
//! is read here.
//!
//! | file | type |
//! |---|---|
//! | `manifest.json` | [`Manifest`] |
//! | `summary.json` | [`Summary`]; above several specifications [`Overview`] |
//! | `tests.json`, `tests.csv` | [`tests::Tests`] |
//! | `mutants.json`, `mutants.csv` | [`mutants::Mutants`] |
//! | `matrix.csv` | [`Matrix`] |
//! | `source.fpcore` | the specification's file, byte by byte |
//! | `check.json` | [`check::Check`] |
//! | `checks.json` | [`checks::Checks`] |
//! | `eval.json` | [`evaluation::Evaluation`] |
//! | `shard.json` | [`shard::Shard`] |
//! | `share.json` | [`share::Share`] |
//! | `worst.json` | [`worst::Worst`] |
//! | `worsts.json` | [`worsts::Worsts`] |
//! | `worst-resume.json` | [`worst::Enumeration`] |
//! | `verify.json` | [`verification::Verification`], which the checker writes |
//! | `resume.json` | [`resume::Resume`] |
//! | `solve.json` | [`solve::ScriptAnswers`]; of several scripts [`solve::ScriptsAnswers`] |
//! | `reach.json` | [`reach::ListedPaths`], [`reach::ListedGoal`] |
//! | `cover.json` | [`cover::CoveredFunction`]; above several functions [`cover::CoveredFunctions`] |
//! | `covers.json` | [`covers::Covers`] |

pub mod cache;
pub mod check;
pub mod checks;
pub mod continued;
pub mod cover;
pub mod covers;
pub mod evaluation;
pub mod fields;
pub mod json;
pub mod lint;
pub mod manifest;
pub mod matrix;
pub mod merge;
pub mod mutants;
pub mod number;
mod part;
pub mod proved;
mod provenance;
pub mod reach;
pub mod read;
pub mod results;
pub mod resume;
pub mod schema;
pub mod shard;
pub mod share;
pub mod solve;
pub mod splice;
pub mod store;
mod suite;
pub mod summary;
pub mod table;
pub mod tests;
pub mod verification;
pub mod words;
pub mod worst;
pub mod worsts;
mod written;

pub use fields::Fields;
pub use json::{Document, Versioned};
pub use manifest::{Manifest, RecordedOption};
pub use matrix::{Matrix, VerdictWord};
pub use part::Part;
pub use provenance::Provenance;
pub use read::ReadError;
pub use suite::{Kill, Suite};
pub use summary::{Overview, Summary};
pub use written::{Filed, Held, RunFiles, Told, Written, WrittenRun, run};
