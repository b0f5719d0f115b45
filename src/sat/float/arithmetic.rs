//! The arithmetic of floats in gates.

use super::super::circuit::{Circuit, SatLiteral};
use super::super::words::{Word, constant, raised, resized, sign_extended};
use super::Unpacked;
use super::round::{Exact, Last, Mode};
use crate::floats::{Format, Rounding};

impl Unpacked {
    /// The finite number, exactly.
    pub(super) fn exact(&self) -> Exact {
        Exact {
            negative: self.negative,
            zero: self.zero,
            exponent: self.exponent.clone(),
            significand: self.significand.clone(),
        }
    }
}

impl Circuit {
    /// The sum of two numbers with significands of one length, with four bits more.
    fn exact_total(&mut self, mode: &Mode, a: &Exact, b: &Exact) -> Exact {
        let n = a.significand.len();
        let width = a.exponent.len().max(b.exponent.len());
        let key = |c: &mut Circuit, x: &Exact| {
            let exponent = sign_extended(&x.exponent, width);
            let mut key: Word = x.significand.iter().chain(&exponent).copied().collect();
            key[n + width - 1] = !key[n + width - 1];
            let mut key = c.masked(&key, !x.zero);
            key.push(!x.zero);
            key
        };
        let (a_key, b_key) = (key(self, a), key(self, b));
        let swap = self.is_less(&a_key, &b_key);
        let [a_exponent, b_exponent] = [a, b].map(|x| sign_extended(&x.exponent, width));
        let large_exponent = self.choice_word(swap, &b_exponent, &a_exponent);
        let small_exponent = self.choice_word(swap, &a_exponent, &b_exponent);
        let large = self.choice_word(swap, &b.significand, &a.significand);
        let small = self.choice_word(swap, &a.significand, &b.significand);
        let negative = self.choice(swap, b.negative, a.negative);
        let (small_zero, large_zero) = (self.choice(swap, a.zero, b.zero), self.choice(swap, b.zero, a.zero));
        let (small, large) = (self.masked(&small, !small_zero), self.masked(&large, !large_zero));
        let gap = self.exact_difference(&large_exponent, &small_exponent);
        let (mut aligned, lost) = self.shifted_down(&raised(&small, 3), &gap[..width], SatLiteral::FALSE);
        aligned[0] = self.or(aligned[0], lost);
        let turned = self.xor(a.negative, b.negative);
        let large = resized(&raised(&large, 3), n + 4);
        let aligned: Word = resized(&aligned, n + 4).iter().map(|l| self.xor(*l, turned)).collect();
        let (sum, _) = self.sum(&large, &aligned, turned);
        let zero = self.is_zero(&sum);
        let (significand, count) = self.normalized(&sum);
        let count: Word = count.into_iter().chain([SatLiteral::FALSE]).collect();
        let top = self.exact_sum(&large_exponent, &[SatLiteral::TRUE, SatLiteral::FALSE]);
        let exponent = self.exact_difference(&top, &count);
        // A sum of opposite numbers is a zero of one sign.
        let cancelled = self.choice(turned, mode.is(Rounding::Down), a.negative);
        let negative = self.choice(zero, cancelled, negative);
        Exact { negative, zero, exponent, significand }
    }

    /// `x + y`
    pub fn float_sum(&mut self, format: Format, mode: &Mode, x: &Unpacked, y: &Unpacked) -> Unpacked {
        let total = self.exact_total(mode, &x.exact(), &y.exact());
        let finite = self.rounded(format, mode, &total, Last::Precision);
        let opposite = self.xor(x.negative, y.negative);
        let invalid = self.all(&[x.infinite, y.infinite, opposite]);
        let nan = self.any(&[x.nan, y.nan, invalid]);
        let infinite = self.or(x.infinite, y.infinite);
        let sign = self.choice(x.infinite, x.negative, y.negative);
        self.special(finite, nan, infinite, sign)
    }

    /// A result, where it is none of these; an infinity has this sign.
    pub(super) fn special(
        &mut self,
        finite: Unpacked,
        nan: SatLiteral,
        infinite: SatLiteral,
        sign: SatLiteral,
    ) -> Unpacked {
        let is_infinite = self.or(finite.infinite, infinite);
        let is_zero = self.and(finite.zero, !infinite);
        Unpacked {
            nan,
            infinite: self.and(is_infinite, !nan),
            zero: self.and(is_zero, !nan),
            negative: self.choice(infinite, sign, finite.negative),
            ..finite
        }
    }

    /// The product, exactly, of finite numbers.
    fn exact_product(&mut self, x: &Unpacked, y: &Unpacked) -> Exact {
        let p = x.significand.len();
        let product = self.product(&x.significand, &y.significand, 2 * p);
        let top = product[2 * p - 1];
        let moved = raised(&product[..2 * p - 1], 1);
        let significand = self.choice_word(top, &product, &moved);
        let sum = self.exact_sum(&x.exponent, &y.exponent);
        let (exponent, _) = self.incremented(&sign_extended(&sum, sum.len() + 1), top);
        Exact { negative: self.xor(x.negative, y.negative), zero: self.or(x.zero, y.zero), exponent, significand }
    }

    /// Whether a product is infinite, and whether it is invalid.
    fn product_kinds(&mut self, x: &Unpacked, y: &Unpacked) -> (SatLiteral, SatLiteral) {
        let infinite = self.or(x.infinite, y.infinite);
        let zero = self.or(x.zero, y.zero);
        (infinite, self.and(infinite, zero))
    }

    /// `x * y`
    pub fn float_product(&mut self, format: Format, mode: &Mode, x: &Unpacked, y: &Unpacked) -> Unpacked {
        let product = self.exact_product(x, y);
        let finite = self.rounded(format, mode, &product, Last::Exponent(format.emin()));
        let (infinite, invalid) = self.product_kinds(x, y);
        let nan = self.any(&[x.nan, y.nan, invalid]);
        self.special(finite, nan, infinite, product.negative)
    }

    /// `x * y + z`
    pub fn float_fma(&mut self, format: Format, mode: &Mode, [x, y, z]: [&Unpacked; 3]) -> Unpacked {
        let product = self.exact_product(x, y);
        let addend = Exact { significand: raised(&z.significand, z.significand.len()), ..z.exact() };
        let total = self.exact_total(mode, &product, &addend);
        let finite = self.rounded(format, mode, &total, Last::Exponent(format.emin()));
        let (infinite, invalid) = self.product_kinds(x, y);
        let opposite = self.xor(product.negative, z.negative);
        let cancels = self.all(&[infinite, z.infinite, opposite]);
        let nan = self.any(&[x.nan, y.nan, z.nan, invalid, cancels]);
        let sign = self.choice(infinite, product.negative, z.negative);
        let infinite = self.or(infinite, z.infinite);
        self.special(finite, nan, infinite, sign)
    }

    /// `x / y`
    pub fn float_quotient(&mut self, format: Format, mode: &Mode, x: &Unpacked, y: &Unpacked) -> Unpacked {
        let p = x.significand.len();
        let divisor = resized(&y.significand, p + 1);
        let mut rest = resized(&x.significand, p + 1);
        // The first bit is that of the units; then p + 2 more.
        let mut quotient = Vec::new();
        for _ in 0..p + 3 {
            let (less, fits) = self.difference(&rest, &divisor);
            quotient.push(fits);
            let left = self.choice_word(fits, &less, &rest);
            rest = raised(&left[..p], 1);
        }
        quotient.reverse();
        let more = self.any(&rest);
        quotient[0] = self.or(quotient[0], more);
        let top = quotient[p + 2];
        let moved = raised(&quotient[..p + 2], 1);
        let significand = self.choice_word(top, &quotient, &moved);
        let gap = self.exact_difference(&x.exponent, &y.exponent);
        // One less where the first bit is not set.
        let wide = gap.len() + 1;
        let less = sign_extended(&[!top, !top], wide);
        let exponent = self.plus(&sign_extended(&gap, wide), &less);
        let zero = self.or(x.zero, y.infinite);
        let exact = Exact { negative: self.xor(x.negative, y.negative), zero, exponent, significand };
        let finite = self.rounded(format, mode, &exact, Last::Exponent(format.emin()));
        let infinite = self.or(x.infinite, y.zero);
        let zeros = self.and(x.zero, y.zero);
        let infinities = self.and(x.infinite, y.infinite);
        let nan = self.any(&[x.nan, y.nan, zeros, infinities]);
        self.special(finite, nan, infinite, exact.negative)
    }

    /// The square root.
    pub fn float_root(&mut self, format: Format, mode: &Mode, x: &Unpacked) -> Unpacked {
        let p = x.significand.len();
        let odd = x.exponent[0];
        // In [1, 4), so that the exponent is even; two bits before the point.
        let once = resized(&x.significand, p + 1);
        let twice = raised(&x.significand, 1);
        let radicand = self.choice_word(odd, &twice, &once);
        let digits = p + 2;
        let radicand = raised(&radicand, 2 * digits - (p + 1));
        let mut rest: Word = Vec::new();
        let mut root: Word = Vec::new();
        for k in (0..digits).rev() {
            // The rest and two digits more, against four times the root and one.
            rest.splice(0..0, radicand[2 * k..2 * k + 2].iter().copied());
            let width = rest.len().max(root.len() + 2);
            let trial: Word = [SatLiteral::TRUE, SatLiteral::FALSE].into_iter().chain(root.iter().copied()).collect();
            let rested = resized(&rest, width);
            let (less, fits) = self.difference(&rested, &resized(&trial, width));
            rest = self.choice_word(fits, &less, &rested);
            root.insert(0, fits);
            // The rest is at most twice the root.
            rest.truncate(root.len() + 1);
        }
        let more = self.any(&rest);
        root[0] = self.or(root[0], more);
        root[digits - 1] = SatLiteral::TRUE;
        let mut exponent = x.exponent[1..].to_vec();
        if exponent.is_empty() {
            exponent.push(odd);
        }
        let exact = Exact { negative: x.negative, zero: x.zero, exponent, significand: root };
        // Of formats with few exponents a root may be subnormal.
        let is_normal = format.least_exponent().div_euclid(2) >= format.emin();
        let last = if is_normal { Last::Precision } else { Last::Exponent(format.emin()) };
        let finite = self.rounded(format, mode, &exact, last);
        let below = self.and(x.negative, !x.zero);
        let nan = self.or(x.nan, below);
        self.special(finite, nan, x.infinite, SatLiteral::FALSE)
    }

    /// How many steps the remainder of a format takes, each as wide as its precision.
    #[must_use]
    pub fn remainder_steps(format: Format) -> usize {
        (format.emax() - format.emin()) as usize + format.precision() as usize
    }

    /// The remainder `x - y n`, n the integer nearest to `x / y`, the even one of two.
    pub fn float_remainder(&mut self, format: Format, x: &Unpacked, y: &Unpacked) -> Unpacked {
        let p = x.significand.len();
        let gap = self.exact_difference(&x.exponent, &y.exponent);
        let width = gap.len();
        let far = gap[width - 1];
        let divisor = resized(&y.significand, p + 1);
        let mut rest = resized(&x.significand, p + 1);
        let mut odd = SatLiteral::FALSE;
        for step in (0..Self::remainder_steps(format)).rev() {
            // Those from the difference of the exponents down are taken.
            let before = self.is_less_signed(&gap, &constant(step as i64, width));
            let (less, fits) = self.difference(&rest, &divisor);
            let taken = self.and(fits, !before);
            let left = self.choice_word(taken, &less, &rest);
            odd = self.choice(before, odd, taken);
            let moved = raised(&left[..p], 1);
            rest = if step == 0 { left } else { self.choice_word(before, &left, &moved) };
        }
        // In halves of the last place: where x is below y by one binade its significand counts as halves already.
        let one_below = self.same_words(&gap, &constant(-1, width));
        let halves = raised(&rest, 1);
        let rest = self.choice_word(one_below, &resized(&rest, p + 2), &halves);
        let divisor = raised(&divisor, 1);
        let doubled = raised(&rest, 1);
        let wide = resized(&divisor, p + 3);
        let more = self.is_less(&wide, &doubled);
        let tie = self.same_words(&wide, &doubled);
        let tie_up = self.and(tie, odd);
        let turned = self.or(more, tie_up);
        let other = self.minus(&divisor, &rest);
        let rest = self.choice_word(turned, &other, &rest);
        let zero = self.is_zero(&rest);
        let (significand, count) = self.normalized(&rest);
        let count: Word = count.into_iter().chain([SatLiteral::FALSE]).collect();
        // The top bit of p + 2 has the weight of twice the divisor's.
        let top = self.exact_sum(&y.exponent, &[SatLiteral::TRUE, SatLiteral::FALSE]);
        let exponent = self.exact_difference(&top, &count);
        let flipped = self.and(turned, !zero);
        let exact = Exact { negative: self.xor(x.negative, flipped), zero, exponent, significand };
        let even = Mode::of(self, &constant(0, 3));
        let found = self.rounded(format, &even, &exact, Last::Precision);
        let nan = self.any(&[x.nan, y.nan, x.infinite, y.zero]);
        // A number below half of the other stays.
        let two_below = self.is_less_signed(&gap, &constant(-1, width));
        let below = self.and(far, two_below);
        let stays = self.any(&[below, x.zero, y.infinite]);
        let kept = self.choice_unpacked(stays, x, &found);
        Unpacked { nan, infinite: SatLiteral::FALSE, zero: self.and(kept.zero, !nan), ..kept }
    }

    /// One float or another.
    pub fn choice_unpacked(&mut self, condition: SatLiteral, a: &Unpacked, b: &Unpacked) -> Unpacked {
        Unpacked {
            nan: self.choice(condition, a.nan, b.nan),
            infinite: self.choice(condition, a.infinite, b.infinite),
            zero: self.choice(condition, a.zero, b.zero),
            negative: self.choice(condition, a.negative, b.negative),
            exponent: self.choice_word(condition, &a.exponent, &b.exponent),
            significand: self.choice_word(condition, &a.significand, &b.significand),
        }
    }
}
