//! Mutants of a large run by what they change: parts of the specification's text, and what stands there instead.

use crate::mutate::{Change, Mutant};
use crate::spec::Spec;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A part of the specification's `core` that is replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Splice {
    /// The first byte of the part, from 0.
    pub from: usize,
    /// The byte after it.
    pub to: usize,
    /// What stands there instead.
    pub with: String,
}

/// What a mutant of `spec` changes in `core`, the specification on one line.
#[must_use]
pub fn of(mutant: &Mutant, spec: &Spec, core: &str) -> Vec<Splice> {
    if let Change::Body(body) = &mutant.change
        && let Some(parts) = body.replaced()
    {
        return parts.into_iter().map(|(part, with)| Splice { from: part.start, to: part.end, with }).collect();
    }
    vec![difference(core, &mutant.one_line(spec))]
}

/// What is between the longest common beginning and end of two texts.
fn difference(old: &str, new: &str) -> Splice {
    let same = |(a, b): &(char, char)| a == b;
    let from: usize = old.chars().zip(new.chars()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let (left, right) = (&old[from..], &new[from..]);
    let end: usize = left.chars().rev().zip(right.chars().rev()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    Splice { from, to: old.len() - end, with: right[..right.len() - end].to_owned() }
}

/// The text with its parts replaced; none if they are no parts of it in order.
#[must_use]
pub fn applied(core: &str, changes: &[Splice]) -> Option<String> {
    let (mut text, mut copied) = (String::with_capacity(core.len()), 0);
    for Splice { from, to, with } in changes {
        // A part may end before it begins in a file that was changed.
        text.push_str(core.get(copied..*from)?);
        core.get(*from..*to)?;
        text.push_str(with);
        copied = *to;
    }
    text.push_str(core.get(copied..)?);
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate::{OperatorSet, mutants};
    use crate::spec::{Overrides, parse_file, resolve};

    #[test]
    fn what_is_changed_makes_the_whole_mutant() {
        let sources = [
            "(FPCore f (x y) :name \"é\" :pre (and (<= 1 x 4) (<= 1 y 2)) :magneto-rel-error 1e-6
               (let ([a (* x 3)]) (if (< a 7) (+ (sin x) (* 2 y)) (- a (* 2 (fmax x y))))))",
            "(FPCore (x) :pre (<= -0.9 x 1000) :magneto-ulps (2 binary64) (log (+ 1 x)))",
        ];
        for source in sources {
            let spec = resolve(&parse_file(source.as_bytes()), 0, "f.fpcore", &Overrides::default()).unwrap();
            let core = spec.to_core().one_line();
            for set in [OperatorSet::Full, OperatorSet::Paper, OperatorSet::Twice(Box::new(OperatorSet::Paper))] {
                for m in mutants(&spec, &set) {
                    let changes = of(&m, &spec, &core);
                    assert_eq!(applied(&core, &changes), Some(m.one_line(&spec)), "{} -> {}", m.before, m.after);
                }
            }
        }
    }

    #[test]
    fn what_is_no_part_is_refused() {
        let splice = |from, to| Splice { from, to, with: "1".to_owned() };
        assert_eq!(applied("(+ x y)", &[splice(3, 4), splice(5, 6)]).as_deref(), Some("(+ 1 1)"));
        for wrong in [vec![splice(3, 9)], vec![splice(5, 4)], vec![splice(5, 6), splice(3, 4)]] {
            assert_eq!(applied("(+ x y)", &wrong), None, "{wrong:?}");
        }
        assert_eq!(applied("é", &[splice(1, 2)]), None);
    }
}
