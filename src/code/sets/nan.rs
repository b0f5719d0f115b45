//! Sets of NaNs, which code that looks at bits tells apart.

/// The NaNs of a set of floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nan {
    /// None.
    No,
    /// Those whose bits without the sign are between two bounds.
    Some {
        /// Whether the sign bit is set; `None` where both are possible.
        negative: Option<bool>,
        /// The least bits.
        lo: i64,
        /// The largest bits.
        hi: i64,
    },
}

impl Nan {
    /// The bits of infinity, and the largest without a sign.
    pub(super) fn limits(double: bool) -> (i64, i64) {
        if double {
            (f64::INFINITY.to_bits() as i64, i64::MAX)
        } else {
            (f32::INFINITY.to_bits().into(), i32::MAX.into())
        }
    }

    /// All of them, of binary64 or binary32.
    #[must_use]
    pub fn any(double: bool) -> Nan {
        let (infinity, most) = Nan::limits(double);
        Nan::Some { negative: None, lo: infinity + 1, hi: most }
    }

    /// Those that arithmetic may give: some bit of the fraction's upper part is set.
    #[must_use]
    pub fn of_arithmetic(double: bool) -> Nan {
        let (infinity, most) = Nan::limits(double);
        Nan::Some { negative: None, lo: infinity + if double { 1 << 32 } else { 1 }, hi: most }
    }

    /// What arithmetic makes of it, if there is any.
    pub(super) fn computed_if(double: bool, is: bool) -> Nan {
        if is { Nan::of_arithmetic(double) } else { Nan::No }
    }

    /// Whether there is one.
    #[must_use]
    pub fn is(self) -> bool {
        self != Nan::No
    }

    pub(super) fn hull(self, other: Nan) -> Nan {
        match (self, other) {
            (Nan::No, a) | (a, Nan::No) => a,
            (Nan::Some { negative, lo, hi }, Nan::Some { negative: other, lo: a, hi: b }) => {
                Nan::Some { negative: if negative == other { negative } else { None }, lo: lo.min(a), hi: hi.max(b) }
            }
        }
    }

    /// With another sign, by what becomes of a known one.
    pub(super) fn signed(self, sign: impl FnOnce(Option<bool>) -> Option<bool>) -> Nan {
        match self {
            Nan::No => Nan::No,
            Nan::Some { negative, lo, hi } => Nan::Some { negative: sign(negative), lo, hi },
        }
    }

    /// Bounds of the bits without the sign of those with a sign.
    pub(super) fn with_sign(self, sign: bool) -> Option<(i64, i64)> {
        match self {
            Nan::Some { negative, lo, hi } if negative.is_none_or(|n| n == sign) => Some((lo, hi)),
            _ => None,
        }
    }
}
