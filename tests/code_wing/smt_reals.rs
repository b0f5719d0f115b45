//! Real numbers in scripts: values of floats, unknowns, and what the standard leaves open.

use magneto::smt::{SatStatus, run};

/// The answers of a script.
fn answers(script: &str) -> Vec<SatStatus> {
    let answers = run(script, 20_000).unwrap_or_else(|d| panic!("{script}\n{d:?}"));
    answers.checks.iter().map(|c| c.status).collect()
}

fn answer(script: &str) -> SatStatus {
    answers(&format!("{script}(check-sat)"))[0]
}

const FINITE: &str = "(assert (not (or (fp.isInfinite x) (fp.isNaN x))))";
const FLOATS: &str = "(declare-const x Float32)(declare-const y Float32)(declare-const w Float64)";

#[test]
fn known_floats_are_known_numbers() {
    let of = |bits: &str, number: &str| {
        let script = format!(
            "(declare-const x Float32)(declare-const r Real)(declare-const result Real)
             (assert (= x {bits}))(assert (= r (fp.to_real x)))(assert (= result {number}))(assert (not (= r result)))"
        );
        answer(&script)
    };
    assert_eq!(of("(fp #b0 #x7e #b10000000000000000000000)", "(/ 3.0 4.0)"), SatStatus::Unsat);
    assert_eq!(of("(fp #b1 #x7e #b10000000000000000000000)", "(- 0.75)"), SatStatus::Unsat);
    assert_eq!(of("(fp #b1 #x00 #b00000000000000000000000)", "0.0"), SatStatus::Unsat);
    let least = "(/ 1 713623846352979940529142984724747568191373312)"; // 2^149
    assert_eq!(of("(fp #b0 #x00 #b00000000000000000000001)", least), SatStatus::Unsat);
    assert_eq!(of("(fp #b0 #x7e #b10000000000000000000001)", "0.75"), SatStatus::Sat);
}

#[test]
fn comparisons_with_numbers_are_exact() {
    // 0.1 is between two floats.
    let between = "(assert (< (fp.to_real x) 0.1))(assert (< ((_ to_fp 8 24) RTN 0.1) x))(assert (fp.lt x y))";
    assert_eq!(answer(&format!("{FLOATS}{}", between.replace("(< ((_", "(fp.lt ((_"))), SatStatus::Unsat);
    assert_eq!(answer(&format!("{FLOATS}{FINITE}(assert (= (fp.to_real x) 0.1))")), SatStatus::Unsat);
    assert_eq!(answer(&format!("{FLOATS}(assert (= (fp.to_real x) 0.5))")), SatStatus::Sat);
    // Beyond all floats.
    assert_eq!(
        answer(&format!(
            "{FLOATS}(assert (not (fp.isInfinite x)))(assert (not (fp.isNaN x)))\
        (assert (> (fp.to_real x) 340282346638528859811704183484516925440.0))"
        )),
        SatStatus::Unsat
    );
    // Of two formats.
    let two = "(assert (= w ((_ to_fp 11 53) RNE x)))(assert (distinct (fp.to_real x) (fp.to_real w)))";
    assert_eq!(answer(&format!("{FLOATS}{FINITE}{two}")), SatStatus::Unsat);
}

#[test]
fn polynomials_of_floats_are_exact() {
    // x y = 1 + 2^-22 + 2^-46 over the reals, with all bits of the product of two floats.
    let script = |last: &str| {
        format!(
            "{FLOATS}(assert (= (* (fp.to_real x) (fp.to_real y)) (/ {last}.0 70368744177664.0)))\
            (assert (fp.lt ((_ to_fp 8 24) RNE 1.0) x))(assert (fp.leq x ((_ to_fp 8 24) RNE 1.000001)))\
            (assert (fp.lt ((_ to_fp 8 24) RNE 1.0) y))(assert (fp.leq y ((_ to_fp 8 24) RNE 1.000001)))"
        )
    };
    assert_eq!(answer(&script("70368760954881")), SatStatus::Sat);
    assert_eq!(answer(&script("70368760954882")), SatStatus::Unsat);
    // Rounded once.
    let once = "(assert (not (= ((_ to_fp 8 24) RTP (* (fp.to_real x) (fp.to_real y))) (fp.mul RTP x y))))\
                (assert (fp.isNormal x))(assert (fp.isNormal y))";
    assert_eq!(answer(&format!("{FLOATS}{once}")), SatStatus::Unsat);
}

#[test]
fn unknown_numbers() {
    let unknown = "(declare-const r Real)(declare-const s Real)";
    // Defined by each other, in any order.
    let defined = "(assert (= r (+ s 1.0)))(assert (= (* 2.0 (fp.to_real x)) s))(assert (= r 4.0))";
    assert_eq!(answer(&format!("{FLOATS}{unknown}{defined}")), SatStatus::Sat);
    assert_eq!(answer(&format!("{FLOATS}{FINITE}{unknown}{defined}(assert (= r 4.25))")), SatStatus::Unsat);
    // Not every number is the value of a float: what is not found is not excluded.
    assert_eq!(
        answer(&format!("{unknown}(assert (= (* 3.0 r) (+ r s 1.0)))(assert (= (* 3.0 s) 1.0))")),
        SatStatus::Unknown
    );
    assert_eq!(answer(&format!("{unknown}(assert (< (* 3.0 r) 1.0 (+ r r r 0.1)))")), SatStatus::Sat);
    assert_eq!(
        answer(&format!("{FLOATS}{unknown}(assert (= x ((_ to_fp 8 24) RNE r)))(assert (< 0.1 r 0.2))")),
        SatStatus::Sat
    );
    // An assertion that may be taken back says nothing of what was asked before.
    let taken = format!("{unknown}(push)(assert (= r 1.0))(check-sat)(pop)(assert (= r 2.0))(check-sat)");
    assert_eq!(answers(&taken), [SatStatus::Sat, SatStatus::Sat]);
    assert_eq!(
        answers(&format!("{unknown}(assert (< r 1.0))(check-sat)(assert (= r 2.0))(check-sat)"))[0],
        SatStatus::Sat
    );
}

#[test]
fn what_is_asserted_later_defines_nothing_before() {
    for ask in ["(check-sat)", "(check-sat-assuming (true))"] {
        let script = format!("(declare-const r Real)(assert (< r 1.0)){ask}(assert (= r 2.0))(check-sat)");
        let answers = answers(&script);
        assert_eq!(answers[0], SatStatus::Sat, "{ask}");
        assert_ne!(answers[1], SatStatus::Sat, "{ask}");
    }
}

#[test]
fn values_of_infinities_are_open() {
    let open = format!("{FLOATS}(assert (fp.isInfinite x))(assert (< (fp.to_real x) 5.0))");
    assert_eq!(answer(&open), SatStatus::Sat);
    // Some number it is.
    assert_eq!(answer(&format!("{open}(assert (not (< (fp.to_real x) 5.0)))")), SatStatus::Unsat);
    // Where finite floats do as well, they are found.
    assert_eq!(answer(&format!("{FLOATS}(assert (not (< (fp.to_real x) 5.0)))")), SatStatus::Sat);
    let apart = "(assert (fp.lt x y))(assert (>= (fp.to_real x) (fp.to_real y)))";
    assert_eq!(answer(&format!("{FLOATS}{apart}")), SatStatus::Sat);
    assert_eq!(
        answer(&format!("{FLOATS}{apart}(assert (not (fp.isInfinite x)))(assert (not (fp.isInfinite y)))")),
        SatStatus::Unsat
    );
}

#[test]
fn values_of_a_model_are_floats() {
    // The search for equations walks over ordinals; beyond infinity there are none.
    let script = "(declare-const x (_ FloatingPoint 2 3))(declare-const y (_ FloatingPoint 2 3))
        (declare-const r RoundingMode)(declare-const p Bool)(declare-const b (_ BitVec 5))
        (assert (fp.leq (fp.sqrt RTP (fp.mul RTZ x (fp #b1 #b00 #b10))) (fp.add RNA (ite (>= (ite p (* (fp.to_real (ite p (fp #b0 #b10 #b11) ((_ to_fp 2 3) b))) (fp.to_real y)) (- (- (/ 8.0 4.0)))) (* (fp.to_real (fp.roundToIntegral RNE ((_ to_fp 2 3) b))) (fp.to_real x))) x x) (fp.div RTZ y y))))
        (assert (fp.eq (ite (>= (* (+ (fp.to_real x) (fp.to_real (fp #b0 #b10 #b00))) (* (- (/ 3.0 4.0)) (fp.to_real (fp #b1 #b10 #b01)))) (+ (- (fp.to_real y) (fp.to_real (fp #b0 #b01 #b00))) (fp.to_real (fp #b1 #b01 #b11)))) (fp.add r y x) y) (fp.add r (fp.max y x) (fp.add r ((_ to_fp 2 3) b) y))))(check-sat)";
    let answers = run(script, 20_000).expect("a script");
    for (name, value) in &answers.checks[0].model {
        // Of these bits they would be NaN, which is written otherwise.
        let beyond = value.starts_with("(fp ") && value.contains(" #b11 ") && !value.ends_with("#b00)");
        assert!(!beyond, "{name} is {value}");
    }
    let again: String = answers.checks[0].model.iter().map(|(n, v)| format!("(assert (= {n} {v}))")).collect();
    let script = script.replace("(check-sat)", &format!("{again}(check-sat)"));
    assert_eq!(run(&script, 20_000).expect("a script").checks[0].status, SatStatus::Sat);
}

#[test]
fn models_have_numbers() {
    let script = format!(
        "{FLOATS}(declare-const r Real)(declare-const unused Real)(declare-const i Int)\
        (assert (= i 7))(assert (= r (- (fp.to_real x))))(assert (= x ((_ to_fp 8 24) RNE (/ (to_real i) 4.0))))\
        (check-sat)(get-value (r (* 2.0 r) (/ r 3.0)))"
    );
    let answers = run(&script, 1000).expect("a script");
    let value = |name: &str| answers.checks[0].model.iter().find(|m| m.0 == name).map(|m| m.1.as_str());
    assert_eq!(value("r"), Some("(- (/ 7.0 4.0))"));
    assert_eq!((value("unused"), value("i")), (Some("0.0"), Some("7")));
    assert!(answers.output.contains("((r (- (/ 7.0 4.0))) ((* 2.0 r) (- (/ 7.0 2.0))) ((/ r 3.0) (- (/ 7.0 12.0))))"));
}

#[test]
fn what_is_not_there_is_told() {
    let wrong = |script: &str| run(script, 10).expect_err("a mistake").message;
    assert!(wrong("(declare-const i Int)(assert (< i 3))").contains("integers are no unknowns"));
    assert!(wrong("(declare-const r Real)(assert (= (/ 1.0 r) 3.0))").contains("no divisors"));
    assert!(wrong("(declare-const r Real)(assert (fp.isNaN r))").contains("real number"));
    assert!(wrong("(assert (= (/ 1.0 0.0) 3.0))").contains("division by zero"));
}
