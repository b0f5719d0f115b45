//! Functions of Rust as a test has them: of so many numbers as an argument each, or of a slice, with a result or a refusal.

use crate::harness::Answer;
use std::fmt;

/// A result of a tested function: a number, or a refusal of the input, which is `None` or `Err`.
pub trait TestedResult {
    /// What the function answered by it.
    fn answer(self) -> Answer;
}

impl TestedResult for f64 {
    fn answer(self) -> Answer {
        Answer::Value(self)
    }
}

impl TestedResult for f32 {
    fn answer(self) -> Answer {
        Answer::Value(self.into())
    }
}

impl<T: TestedResult> TestedResult for Option<T> {
    fn answer(self) -> Answer {
        self.map_or_else(|| Answer::Reject("None".to_owned()), TestedResult::answer)
    }
}

impl<T: TestedResult, E: fmt::Display> TestedResult for Result<T, E> {
    fn answer(self) -> Answer {
        self.map_or_else(|e| Answer::Reject(e.to_string()), TestedResult::answer)
    }
}

/// A function that a specification may be about: `Fn(f64, …) -> R` of up to eight numbers, the same of `f32`, or a function of
/// one slice with all inputs. `Arguments` only tells these apart; the compiler finds it.
pub trait TestedFunction<Arguments>: Sync {
    /// How many numbers it takes; none for any number.
    const TAKES: Option<usize>;
    /// Whether it takes `f32`.
    const IS_NARROW: bool;
    /// Calls it. `x` has as many numbers as it takes, and where it takes `f32` all of them are such.
    fn call(&self, x: &[f64]) -> Answer;
}

/// The arguments of a function that takes a slice.
#[derive(Clone, Copy, Debug)]
pub struct SliceOf<T>(std::marker::PhantomData<T>);

impl<F, R> TestedFunction<SliceOf<f64>> for F
where
    F: Fn(&[f64]) -> R + Sync,
    R: TestedResult,
{
    const TAKES: Option<usize> = None;
    const IS_NARROW: bool = false;
    fn call(&self, x: &[f64]) -> Answer {
        self(x).answer()
    }
}

impl<F, R> TestedFunction<SliceOf<f32>> for F
where
    F: Fn(&[f32]) -> R + Sync,
    R: TestedResult,
{
    const TAKES: Option<usize> = None;
    const IS_NARROW: bool = true;
    fn call(&self, x: &[f64]) -> Answer {
        let x: Vec<f32> = x.iter().map(|x| *x as f32).collect();
        self(&x).answer()
    }
}

/// Functions of so many numbers of a type.
macro_rules! functions {
    ($is_narrow:literal: $($takes:literal ($($t:ident $place:literal),*);)*) => {
        $(impl<F, R> TestedFunction<($($t,)*)> for F
        where
            F: Fn($($t),*) -> R + Sync,
            R: TestedResult,
        {
            const TAKES: Option<usize> = Some($takes);
            const IS_NARROW: bool = $is_narrow;
            fn call(&self, x: &[f64]) -> Answer {
                self($(x[$place] as $t),*).answer()
            }
        })*
    };
}

functions! {
    false:
    1 (f64 0);
    2 (f64 0, f64 1);
    3 (f64 0, f64 1, f64 2);
    4 (f64 0, f64 1, f64 2, f64 3);
    5 (f64 0, f64 1, f64 2, f64 3, f64 4);
    6 (f64 0, f64 1, f64 2, f64 3, f64 4, f64 5);
    7 (f64 0, f64 1, f64 2, f64 3, f64 4, f64 5, f64 6);
    8 (f64 0, f64 1, f64 2, f64 3, f64 4, f64 5, f64 6, f64 7);
}
functions! {
    true:
    1 (f32 0);
    2 (f32 0, f32 1);
    3 (f32 0, f32 1, f32 2);
    4 (f32 0, f32 1, f32 2, f32 3);
    5 (f32 0, f32 1, f32 2, f32 3, f32 4);
    6 (f32 0, f32 1, f32 2, f32 3, f32 4, f32 5);
    7 (f32 0, f32 1, f32 2, f32 3, f32 4, f32 5, f32 6);
    8 (f32 0, f32 1, f32 2, f32 3, f32 4, f32 5, f32 6, f32 7);
}
