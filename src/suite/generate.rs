//! The main job: from a specification to tests, a kill matrix, and a status for every mutant.

use super::phases::Watch;
use super::run::{Generated, Interrupt, NoRun, Options};
use super::{Judged, batches, large};
use crate::halt;
use crate::mutate::{Mutant, Room, is_large, mutants_within};
use crate::spec::Spec;
use std::time::Duration;

/// Make the mutants of `spec`, find tests that kill them, prove those that cannot be killed.
///
/// # Errors
/// Why there can be no test: an input range without a representable value, or f defined nowhere.
pub fn generate(spec: &Spec, options: &Options, interrupt: &Interrupt<'_>) -> Result<Generated, NoRun> {
    let mut watch = Watch::start();
    let room = Room { bytes: options.max_memory / SHARE_OF_MUTANTS, whole: options.whole };
    let made = mutants_within(spec, &options.operators, room);
    let time = watch.lap(Duration::ZERO);
    let mut generated = generate_for(spec, made.mutants, options, interrupt)?;
    generated.phases.mutants += time;
    (generated.sample, generated.left_out) = (made.sample, made.left_out);
    Ok(generated)
}

/// One part of so many of the memory is for the mutants with their texts.
const SHARE_OF_MUTANTS: u64 = 2;

/// The same for some mutants of `spec` only; none at all still checks that there is an input to test.
///
/// # Errors
/// See [`generate`].
pub fn generate_for(
    spec: &Spec,
    made: Vec<Mutant>,
    options: &Options,
    interrupt: &Interrupt<'_>,
) -> Result<Generated, NoRun> {
    let made: Vec<Judged> = made.into_iter().map(Judged::new).collect();
    let work = || match !options.whole && is_large(spec, made.len()) {
        true => large::judge(spec, made, options, interrupt),
        false => batches::judge(spec, made, Vec::new(), options, interrupt),
    };
    let (result, reason) = halt::watched(interrupt.stop, Some(options.max_memory), work);
    let mut generated = result?;
    generated.out_of_memory = reason == Some(halt::HaltReason::Memory);
    Ok(generated)
}
