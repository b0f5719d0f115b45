//! Shifts by known distances, and masks of neighbouring bits, as parts of their operands beside zeros or copies of the sign:
//! where a part is, of that ranges are followed both ways, and of bit by bit functions only points.

use super::apply::mask;
use super::op::{BitsOp, Sort, TermOp};
use super::term::{Graph, Term};

impl Graph {
    /// A function of bits with a simpler form.
    pub(super) fn sliced(&mut self, op: BitsOp, sort: Sort, operands: &[Term]) -> Option<Term> {
        let Sort::Bits(width) = sort else { return None };
        let known = |graph: &Graph, k: usize| graph.constant_value(operands[k]).map(|c| c as u64);
        match op {
            BitsOp::Extract(top) => self.simpler_part(operands[0], top + 1 - width, width),
            BitsOp::Concat => self.rejoined(operands[0], operands[1]),
            BitsOp::Shl | BitsOp::Shr | BitsOp::Sar => {
                let x = operands[0];
                match (op, known(self, 1)?) {
                    (_, 0) => Some(x),
                    (BitsOp::Sar, by) => {
                        let by = by.min(u64::from(width - 1)) as u32;
                        let part = self.part(x, by, width - by);
                        Some(self.apply(TermOp::Bits(BitsOp::SignExtend), sort, &[part]))
                    }
                    (_, by) if by >= u64::from(width) => Some(self.constant(sort, 0)),
                    (BitsOp::Shl, by) => {
                        let part = self.part(x, 0, width - by as u32);
                        Some(self.between_zeros(width, part, by as u32))
                    }
                    (_, by) => {
                        let part = self.part(x, by as u32, width - by as u32);
                        Some(self.between_zeros(width, part, 0))
                    }
                }
            }
            BitsOp::And => {
                let (x, bits) = match (known(self, 0), known(self, 1)) {
                    (_, Some(bits)) => (operands[0], bits),
                    (Some(bits), _) => (operands[1], bits),
                    _ => return None,
                };
                if bits == 0 {
                    return Some(self.constant(sort, 0));
                }
                let (low, count) = (bits.trailing_zeros(), bits.count_ones());
                if bits >> low != mask(count) {
                    return None;
                }
                let part = self.part(x, low, count);
                Some(self.between_zeros(width, part, low))
            }
            _ => None,
        }
    }

    /// So many bits of a term from a place on.
    fn part(&mut self, x: Term, from: u32, width: u32) -> Term {
        if from == 0 && self.sort(x) == Sort::Bits(width) {
            return x;
        }
        self.apply(TermOp::Bits(BitsOp::Extract(from + width - 1)), Sort::Bits(width), &[x])
    }

    /// A part of a part, or of one of two that are beside each other.
    fn simpler_part(&mut self, x: Term, from: u32, width: u32) -> Option<Term> {
        let below = self.below(x);
        match self.op(x) {
            _ if from == 0 && self.sort(x) == Sort::Bits(width) => Some(x),
            TermOp::Bits(BitsOp::Extract(top)) => {
                let Sort::Bits(length) = self.sort(x) else { return None };
                Some(self.part(below[0], from + top + 1 - length, width))
            }
            TermOp::Bits(BitsOp::Concat) => {
                let (high, low) = (below[0], below[1]);
                let Sort::Bits(length) = self.sort(low) else { return None };
                if from >= length {
                    return Some(self.part(high, from - length, width));
                }
                if from + width <= length {
                    return Some(self.part(low, from, width));
                }
                let (high, low) = (self.part(high, 0, from + width - length), self.part(low, from, length - from));
                Some(self.apply(TermOp::Bits(BitsOp::Concat), Sort::Bits(width), &[high, low]))
            }
            _ => None,
        }
    }

    /// Two parts of one term that are beside each other there, as one.
    fn rejoined(&mut self, high: Term, low: Term) -> Option<Term> {
        let (TermOp::Bits(BitsOp::Extract(top)), TermOp::Bits(BitsOp::Extract(next))) = (self.op(high), self.op(low))
        else {
            return None;
        };
        let (Sort::Bits(upper), Sort::Bits(lower)) = (self.sort(high), self.sort(low)) else { return None };
        let x = self.below(high)[0];
        let adjoin = self.below(low)[0] == x && top + 1 == next + 1 + upper;
        adjoin.then(|| self.part(x, next + 1 - lower, upper + lower))
    }

    /// A part with so many zeros below, and as many above as the width takes.
    fn between_zeros(&mut self, width: u32, part: Term, below: u32) -> Term {
        let Sort::Bits(length) = self.sort(part) else { return part };
        let mut joined = part;
        if below > 0 {
            let zeros = self.constant(Sort::Bits(below), 0);
            joined = self.apply(TermOp::Bits(BitsOp::Concat), Sort::Bits(length + below), &[joined, zeros]);
        }
        if length + below < width {
            let zeros = self.constant(Sort::Bits(width - length - below), 0);
            joined = self.apply(TermOp::Bits(BitsOp::Concat), Sort::Bits(width), &[zeros, joined]);
        }
        joined
    }
}

#[cfg(test)]
mod tests {
    use super::super::apply;
    use super::super::value;
    use super::*;

    const WIDTH: u32 = 5;

    /// What comes of two steps, one after the other, is what each of them says of bits.
    #[test]
    fn shifts_masks_and_parts_are_what_they_say() {
        let whole = Sort::Bits(WIDTH);
        let mut steps: Vec<(BitsOp, Option<i64>, Sort)> = Vec::new();
        for k in 0..1 << WIDTH {
            steps.push((BitsOp::And, Some(k), whole));
            if k <= i64::from(WIDTH) + 1 {
                steps.extend([BitsOp::Shl, BitsOp::Shr, BitsOp::Sar].map(|op| (op, Some(k), whole)));
            }
        }
        for (top, width) in (0..WIDTH).flat_map(|top| (1..=top + 1).map(move |width| (top, width))) {
            steps.push((BitsOp::Extract(top), None, Sort::Bits(width)));
        }
        let mut changed = 0;
        for first in &steps {
            for second in &steps {
                let mut graph = Graph::default();
                let x = graph.variable(whole);
                let (mut term, mut values) = (x, (0..1 << WIDTH).collect::<Vec<i64>>());
                for (op, operand, sort) in [first, second] {
                    let from = graph.sort(term);
                    let Sort::Bits(now) = from else { panic!("no bits") };
                    let fits = match op {
                        BitsOp::Extract(top) => *top < now,
                        _ => now == WIDTH,
                    };
                    if !fits {
                        break;
                    }
                    let constant = operand.map(|k| graph.constant(from, k));
                    let operands: Vec<Term> = [Some(term), constant].into_iter().flatten().collect();
                    let is_plain = |graph: &Graph, t: Term| graph.op(t) == TermOp::Bits(*op);
                    term = graph.apply(TermOp::Bits(*op), *sort, &operands);
                    changed += usize::from(!is_plain(&graph, term));
                    for v in &mut values {
                        let operands: Vec<i64> = [Some(*v), *operand].into_iter().flatten().collect();
                        *v = apply::of(TermOp::Bits(*op), *sort, &[from, from], &operands).unwrap();
                    }
                }
                let mut all = Vec::new();
                for x in 0..1 << WIDTH {
                    value::all(&graph, &[x], value::Open::default(), &mut all);
                    assert_eq!(all[term.index()], values[x as usize], "{first:?} then {second:?} of {x:#b}");
                }
            }
        }
        assert!(changed > 1000, "{changed}");
    }

    #[test]
    fn parts_beside_each_other_are_one() {
        let mut graph = Graph::default();
        let x = graph.variable(Sort::Bits(WIDTH));
        for (top, cut) in (1..WIDTH).flat_map(|top| (1..=top).map(move |cut| (top, cut))) {
            for least in 0..cut {
                let high = graph.part(x, cut, top + 1 - cut);
                let low = graph.part(x, least, cut - least);
                let sort = Sort::Bits(top + 1 - least);
                let joined = graph.apply(TermOp::Bits(BitsOp::Concat), sort, &[high, low]);
                assert_eq!(joined, graph.part(x, least, top + 1 - least), "{top} {cut} {least}");
            }
        }
    }

    /// All parts of so many bits, by the place where they begin and their own number of bits.
    fn parts(width: u32) -> impl Iterator<Item = (u32, u32)> {
        (0..width).flat_map(move |from| (1..=width - from).map(move |own| (from, own)))
    }

    #[test]
    fn a_part_of_a_part_is_a_part_of_the_whole() {
        let mut graph = Graph::default();
        let x = graph.variable(Sort::Bits(WIDTH));
        for (from, width) in parts(WIDTH) {
            let part = graph.part(x, from, width);
            for (more, own) in parts(width) {
                assert_eq!(graph.part(part, more, own), graph.part(x, from + more, own), "{from} {width} {more} {own}");
            }
        }
    }

    #[test]
    fn a_part_of_two_that_are_joined_is_of_one_of_them_or_of_both() {
        let mut graph = Graph::default();
        let [high, low] = [(); 2].map(|()| graph.variable(Sort::Bits(WIDTH)));
        let joined = graph.apply(TermOp::Bits(BitsOp::Concat), Sort::Bits(2 * WIDTH), &[high, low]);
        for (from, width) in parts(2 * WIDTH) {
            let part = graph.part(joined, from, width);
            let expected = if from >= WIDTH {
                graph.part(high, from - WIDTH, width)
            } else if from + width <= WIDTH {
                graph.part(low, from, width)
            } else {
                let (upper, lower) = (graph.part(high, 0, from + width - WIDTH), graph.part(low, from, WIDTH - from));
                graph.apply(TermOp::Bits(BitsOp::Concat), Sort::Bits(width), &[upper, lower])
            };
            assert_eq!(part, expected, "{from} {width}");
        }
    }
}
