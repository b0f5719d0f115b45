//! Values of loops that are known: a loop of a million rounds whose arguments depend on no input is followed once.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// How many values are kept of a loop: one each of some precisions.
const KEPT: usize = 6;

/// A value at arguments in the arithmetic of some precision.
struct Known<V> {
    precision: u32,
    args: Vec<V>,
    value: V,
}

/// Values of a loop, whatever arithmetic they are of.
#[derive(Default)]
pub(super) struct Memo(Mutex<VecDeque<Box<dyn Any + Send>>>);

impl Memo {
    /// The value at arguments, if it is known.
    pub(super) fn get<V: Clone + PartialEq + 'static>(&self, precision: u32, args: &[&V]) -> Option<V> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut known = kept.iter().filter_map(|known| known.downcast_ref::<Known<V>>());
        let is_it = |known: &&Known<V>| known.precision == precision && known.args.iter().eq(args.iter().copied());
        known.find(is_it).map(|known| known.value.clone())
    }

    /// Keep a value; the oldest one is forgotten where there are too many.
    pub(super) fn keep<V: Clone + Send + 'static>(&self, precision: u32, args: &[&V], value: &V) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.truncate(KEPT - 1);
        let args = args.iter().copied().cloned().collect();
        kept.push_front(Box::new(Known { precision, args, value: value.clone() }));
    }
}

/// A copy knows nothing.
impl Clone for Memo {
    fn clone(&self) -> Self {
        Memo::default()
    }
}

impl std::fmt::Debug for Memo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Memo")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_known_at_its_arguments_and_precision_until_others_have_come() {
        let memo = Memo::default();
        for x in 0..KEPT as u32 {
            memo.keep(53, &[&x], &(x + 1));
            memo.keep(53, &[&f64::from(x)], &0.5);
            assert_eq!(memo.get(53, &[&x]), Some(x + 1));
            assert_eq!(memo.get(120, &[&x]), None);
            assert_eq!(memo.get(53, &[&x, &x]), None);
            assert_eq!(memo.get(53, &[&f64::from(x)]), Some(0.5));
        }
        assert_eq!(memo.get(53, &[&0u32]), None);
    }
}
