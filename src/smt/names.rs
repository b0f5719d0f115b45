//! Names of functions, for what may have been meant by one that there is not.

use super::call::Call;
use super::overflow;
use crate::text::spelling::nearest;
use crate::text::{Diagnostic, quote};

/// Functions that have no indices, but for predicates of overflow.
const PLAIN: &str = "not and or xor => = distinct ite select store fp fp.abs fp.neg fp.add fp.sub fp.mul fp.div fp.fma fp.sqrt fp.rem \
    fp.roundToIntegral fp.min fp.max fp.leq fp.lt fp.geq fp.gt fp.eq fp.isNormal fp.isSubnormal fp.isZero fp.isInfinite fp.isNaN \
    fp.isNegative fp.isPositive fp.to_real fp.to_ieee_bv concat bvnot bvneg bvand bvor bvxor bvnand bvnor bvxnor bvcomp bvadd bvsub \
    bvmul bvudiv bvurem bvsdiv bvsrem bvsmod bvshl bvlshr bvashr bvult bvule bvugt bvuge bvslt bvsle bvsgt bvsge bvredor bvredand";
/// Functions with indices.
const INDEXED: &str =
    "to_fp to_fp_unsigned fp.to_ubv fp.to_sbv extract zero_extend sign_extend rotate_left rotate_right repeat";

/// That there is no such function, and which one is spelt almost so.
pub(super) fn unknown(call: &Call<'_>, has_indices: bool) -> Diagnostic {
    let (names, others) = if has_indices { (INDEXED, PLAIN) } else { (PLAIN, INDEXED) };
    let (with, other) = if has_indices { (" with indices", "no indices") } else { ("", "indices: `(_ NAME …)`") };
    let wrong = call.wrong(format!("there is no function {}{with}", quote(call.name)));
    let is_other = others.split_whitespace().any(|n| n == call.name);
    let overflow = overflow::names().filter(|_| !has_indices);
    let near = nearest(call.name, names.split_whitespace().chain(overflow));
    wrong.maybe_hint(match near {
        _ if is_other => Some(format!("`{}` has {other}", call.name)),
        near => near.map(|n| format!("did you mean `{n}`?")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smt::run;

    fn said(assertion: &str) -> String {
        let declared = "(declare-const x Float64)(declare-const b (_ BitVec 8))";
        run(&format!("{declared}(assert {assertion})"), 1).err().map(|d| format!("{d:?}")).unwrap_or_default()
    }

    #[test]
    fn names_that_are_meant_are_those_of_functions() {
        for name in PLAIN.split_whitespace() {
            assert!(!said(&format!("({name} x x)")).contains("there is no function"), "{name}");
        }
        for name in INDEXED.split_whitespace() {
            assert!(!said(&format!("((_ {name} 8 8) x)")).contains("there is no function"), "{name}");
        }
    }

    #[test]
    fn what_was_meant_is_said() {
        for (wrong, hint) in [
            ("(fp.isNan x)", "did you mean `fp.isNaN`?"),
            ("(bvxoor b b)", "did you mean `bvxor`?"),
            ("(bvumulto b b)", "did you mean `bvumulo`?"),
            ("((_ zero_extand 8) b)", "did you mean `zero_extend`?"),
            ("((_ fp.add 8) x)", "`fp.add` has no indices"),
            ("(extract b)", "`extract` has indices"),
        ] {
            let said = said(wrong);
            assert!(said.contains(hint), "{wrong}: {said}");
        }
    }
}
