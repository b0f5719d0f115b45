//! Words of bits, the lowest first, and their arithmetic in gates.

use super::circuit::{Circuit, SatLiteral};

/// Bits, the lowest first.
pub type Word = Vec<SatLiteral>;

/// The word for an integer in two's complement.
#[must_use]
pub fn constant(value: i64, width: usize) -> Word {
    (0..width).map(|k| SatLiteral::of(value >> k.min(63) & 1 == 1)).collect()
}

/// With copies of the top bit above, to a width.
#[must_use]
pub fn sign_extended(word: &[SatLiteral], width: usize) -> Word {
    let top = word.last().copied().unwrap_or(SatLiteral::FALSE);
    (0..width).map(|k| word.get(k).copied().unwrap_or(top)).collect()
}

/// With zeros above, to a width, or without what is above that.
#[must_use]
pub fn resized(word: &[SatLiteral], width: usize) -> Word {
    (0..width).map(|k| word.get(k).copied().unwrap_or(SatLiteral::FALSE)).collect()
}

/// With so many zeros below.
#[must_use]
pub fn raised(word: &[SatLiteral], by: usize) -> Word {
    std::iter::repeat_n(SatLiteral::FALSE, by).chain(word.iter().copied()).collect()
}

/// Each bit turned.
#[must_use]
pub fn inverted(word: &[SatLiteral]) -> Word {
    word.iter().map(|l| !*l).collect()
}

/// How many bits a number from 0 to `most` takes.
#[must_use]
pub fn bits_for(most: usize) -> usize {
    (usize::BITS - most.leading_zeros()) as usize
}

impl Circuit {
    /// Open bits.
    pub fn open_word(&mut self, width: usize) -> Word {
        (0..width).map(|_| self.fresh()).collect()
    }

    /// Bit by bit.
    pub fn map_words(
        &mut self,
        a: &[SatLiteral],
        b: &[SatLiteral],
        gate: impl Fn(&mut Circuit, SatLiteral, SatLiteral) -> SatLiteral,
    ) -> Word {
        a.iter().zip(b).map(|(a, b)| gate(self, *a, *b)).collect()
    }

    /// Each bit with one that holds for all.
    pub fn masked(&mut self, word: &[SatLiteral], by: SatLiteral) -> Word {
        word.iter().map(|l| self.and(*l, by)).collect()
    }

    /// One word or another.
    pub fn choice_word(&mut self, condition: SatLiteral, a: &[SatLiteral], b: &[SatLiteral]) -> Word {
        self.map_words(a, b, |c, a, b| c.choice(condition, a, b))
    }

    /// The sum and what is carried out of it.
    pub fn sum(&mut self, a: &[SatLiteral], b: &[SatLiteral], carry: SatLiteral) -> (Word, SatLiteral) {
        let mut carry = carry;
        let mut sum = Vec::with_capacity(a.len());
        for (a, b) in a.iter().zip(b) {
            let half = self.xor(*a, *b);
            sum.push(self.xor(half, carry));
            carry = self.majority(*a, *b, carry);
        }
        (sum, carry)
    }

    /// The sum, modulo 2^width.
    pub fn plus(&mut self, a: &[SatLiteral], b: &[SatLiteral]) -> Word {
        self.sum(a, b, SatLiteral::FALSE).0
    }

    /// The difference, and whether it is not negative as one of unsigned numbers.
    pub fn difference(&mut self, a: &[SatLiteral], b: &[SatLiteral]) -> (Word, SatLiteral) {
        self.sum(a, &inverted(b), SatLiteral::TRUE)
    }

    /// The difference, modulo 2^width.
    pub fn minus(&mut self, a: &[SatLiteral], b: &[SatLiteral]) -> Word {
        self.difference(a, b).0
    }

    /// Two's complement.
    pub fn negated(&mut self, a: &[SatLiteral]) -> Word {
        let zero = constant(0, a.len());
        self.minus(&zero, a)
    }

    /// Two's complement where something holds.
    pub fn negated_where(&mut self, condition: SatLiteral, a: &[SatLiteral]) -> Word {
        let turned: Word = a.iter().map(|l| self.xor(*l, condition)).collect();
        let zero = constant(0, a.len());
        self.sum(&turned, &zero, condition).0
    }

    /// One more where something holds, and what is carried out.
    pub fn incremented(&mut self, a: &[SatLiteral], by: SatLiteral) -> (Word, SatLiteral) {
        let zero = constant(0, a.len());
        self.sum(a, &zero, by)
    }

    /// All bits are the same.
    pub fn same_words(&mut self, a: &[SatLiteral], b: &[SatLiteral]) -> SatLiteral {
        let same = self.map_words(a, b, Circuit::same);
        self.all(&same)
    }

    /// No bit is set.
    pub fn is_zero(&mut self, a: &[SatLiteral]) -> SatLiteral {
        !self.any(a)
    }

    /// `a < b` as unsigned numbers.
    pub fn is_less(&mut self, a: &[SatLiteral], b: &[SatLiteral]) -> SatLiteral {
        !self.is_at_least(a, b)
    }

    /// `a >= b` as unsigned numbers: what a difference carries.
    pub fn is_at_least(&mut self, a: &[SatLiteral], b: &[SatLiteral]) -> SatLiteral {
        let mut carry = SatLiteral::TRUE;
        for (a, b) in a.iter().zip(b) {
            carry = self.majority(*a, !*b, carry);
        }
        carry
    }

    /// `a < b` in two's complement.
    pub fn is_less_signed(&mut self, a: &[SatLiteral], b: &[SatLiteral]) -> SatLiteral {
        let turned = |x: &[SatLiteral]| {
            let mut x = x.to_vec();
            if let Some(top) = x.last_mut() {
                *top = !*top;
            }
            x
        };
        self.is_less(&turned(a), &turned(b))
    }

    /// The lowest bits of the product, as many as `width`.
    pub fn product(&mut self, a: &[SatLiteral], b: &[SatLiteral], width: usize) -> Word {
        // One row for each bit of `b` that is not known to be 0: better the one with few.
        let open = |x: &[SatLiteral]| x.iter().filter(|l| **l != SatLiteral::FALSE).count();
        let (a, b) = if open(a) < open(b) { (b, a) } else { (a, b) };
        let mut product = constant(0, width);
        for (k, bit) in b.iter().enumerate().take(width) {
            if *bit == SatLiteral::FALSE {
                continue;
            }
            let length = a.len().min(width - k);
            let row = self.masked(&a[..length], *bit);
            let (sum, carry) = self.sum(&product[k..k + length], &row, SatLiteral::FALSE);
            product.splice(k..k + length, sum);
            if k + length < width {
                // Rows before this one do not reach above it.
                product[k + length] = carry;
            }
        }
        product
    }

    /// Quotient and remainder of unsigned numbers of one width, for a divisor that is not 0.
    pub fn quotient(&mut self, a: &[SatLiteral], b: &[SatLiteral]) -> (Word, Word) {
        let width = a.len();
        let divisor = resized(b, width + 1);
        let mut rest = constant(0, width + 1);
        let mut quotient = constant(0, width);
        for k in (0..width).rev() {
            rest.rotate_right(1);
            rest[0] = a[k];
            let (less, fits) = self.difference(&rest, &divisor);
            quotient[k] = fits;
            rest = self.choice_word(fits, &less, &rest);
        }
        rest.truncate(width);
        (quotient, rest)
    }

    /// Shifted up by a number of bits, with zeros below; all is out where that is the width or more.
    pub fn shifted_up(&mut self, a: &[SatLiteral], by: &[SatLiteral]) -> Word {
        let turned: Word = a.iter().rev().copied().collect();
        let (mut shifted, _) = self.shifted_down(&turned, by, SatLiteral::FALSE);
        shifted.reverse();
        shifted
    }

    /// Shifted down by a number of bits, with `fill` above, and whether one of the bits that are out was set.
    pub fn shifted_down(&mut self, a: &[SatLiteral], by: &[SatLiteral], fill: SatLiteral) -> (Word, SatLiteral) {
        let mut word = a.to_vec();
        let mut out = SatLiteral::FALSE;
        let (low, high) = by.split_at(by.len().min(bits_for(a.len().saturating_sub(1))));
        let beyond = self.any(high);
        let steps = low.iter().enumerate().map(|(k, bit)| (*bit, (1 << k).min(a.len())));
        for (bit, step) in steps.chain([(beyond, a.len())]) {
            if bit == SatLiteral::FALSE {
                continue;
            }
            let lost = self.any(&word[..step]);
            let lost = self.and(bit, lost);
            out = self.or(out, lost);
            let moved: Word = (0..a.len()).map(|i| word.get(i + step).copied().unwrap_or(fill)).collect();
            word = self.choice_word(bit, &moved, &word);
        }
        (word, out)
    }

    /// Shifted up until the top bit is set, and by how many bits; by any number where no bit is set.
    pub fn normalized(&mut self, a: &[SatLiteral]) -> (Word, Word) {
        let width = a.len();
        let mut word = a.to_vec();
        let mut count = constant(0, bits_for(width - 1).max(1));
        for k in (0..bits_for(width - 1)).rev() {
            let step = 1 << k;
            let empty = self.is_zero(&word[width - step..]);
            count[k] = empty;
            let moved = raised(&word[..width - step], step);
            word = self.choice_word(empty, &moved, &word);
        }
        (word, count)
    }
}
