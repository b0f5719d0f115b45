; No float's square rounds to 2.
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x Float64)
(assert (fp.eq (fp.mul RNE x x) ((_ to_fp 11 53) RNE 2.0)))
(check-sat)
