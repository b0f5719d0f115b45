//! Scripts with arrays, declared functions and sorts, wide floats and bit vectors, and the commands around them.

use magneto::decide::Confirmation;
use magneto::smt::{Budget, SatStatus, run};
use std::path::Path;

/// What a script prints.
fn printed(script: &str) -> String {
    run(script, 2000).unwrap_or_else(|e| panic!("{script}: {e:?}")).output
}

fn statuses(script: &str) -> Vec<SatStatus> {
    run(script, 2000).unwrap_or_else(|e| panic!("{script}: {e:?}")).checks.iter().map(|c| c.status).collect()
}

/// Every script of the folder, with the answer that it says.
#[test]
fn committed_scripts_have_the_answers_that_they_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/smt/theories");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().flatten().map(|e| e.path()).collect();
    files.sort();
    assert!(files.len() >= 30, "{} files", files.len());
    for file in files {
        let source = std::fs::read_to_string(&file).unwrap();
        let answers = run(&source, 20_000).unwrap_or_else(|e| panic!("{}: {e:?}", file.display()));
        assert!(!answers.checks.is_empty(), "{}", file.display());
        for check in &answers.checks {
            assert_eq!(Some(check.status), check.expected, "{}", file.display());
        }
    }
}

#[test]
fn arrays_are_read_as_they_were_written() {
    use SatStatus::{Sat, Unsat};
    let sorts = "(define-sort A () (Array (_ BitVec 8) (_ BitVec 8)))(declare-const a A)(declare-const b A)(declare-const c A)\
                 (declare-const i (_ BitVec 8))(declare-const j (_ BitVec 8))(declare-const v (_ BitVec 8))";
    for (formula, expected) in [
        ("(distinct (select (store a i v) i) v)", Unsat),
        ("(and (distinct i j) (distinct (select (store a i v) j) (select a j)))", Unsat),
        ("(distinct (select (store a i v) j) (select a j))", Sat),
        ("(and (= i j) (distinct (select a i) (select a j)))", Unsat),
        ("(and (= a b) (distinct (select a i) (select b i)))", Unsat),
        ("(and (= a b) (= b c) (distinct a c))", Unsat),
        ("(distinct a b c)", Sat),
        ("(and (= a (store b i v)) (distinct (select a j) (select b j)) (distinct i j))", Unsat),
        ("(distinct (store (store a i v) j v) (store (store a j v) i v))", Unsat),
        (
            "(and (distinct i j) (= a (store (store b i #x01) j #x02)) (distinct a (store (store b j #x02) i #x01)))",
            Unsat,
        ),
        ("(distinct (store a i (select a i)) a)", Unsat),
        ("(and (= a ((as const A) #x01)) (= b ((as const A) #x02)) (= (store a i v) (store b j v)))", Unsat),
        ("(and (= a ((as const A) #x01)) (= (select a i) #x02))", Unsat),
        ("(and (= (ite (= i j) a b) c) (= i j) (distinct a c))", Unsat),
        ("(and (distinct a b) (= (select a i) (select b i)))", Sat),
    ] {
        let script = format!("{sorts}(assert {formula})(check-sat)");
        assert_eq!(statuses(&script), [expected], "{formula}");
    }
    // All places of a small array are there to be named.
    let small = "(define-sort A () (Array (_ BitVec 1) Bool))(declare-const a A)(declare-const b A)";
    let script = format!(
        "{small}(assert (distinct a b))(assert (= (select a #b0) (select b #b0)))(assert (= (select a #b1) (select b #b1)))\
         (check-sat)"
    );
    assert_eq!(statuses(&script), [Unsat]);
    let script = format!(
        "{small}(assert (= (store (store a #b0 true) #b1 true) ((as const A) false)))(check-sat)(reset-assertions)\
         (declare-const a A)(assert (= (store (store a #b0 true) #b1 true) ((as const A) true)))(check-sat)"
    );
    assert_eq!(statuses(&script), [Unsat, Sat]);
}

/// Values are asked for of terms that the question did not have, and are what the array is.
#[test]
fn values_of_arrays_and_functions_are_those_of_one_meaning() {
    let script = "(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))(declare-const i (_ BitVec 8))\
                  (declare-fun f ((_ BitVec 8)) (_ BitVec 8))\
                  (assert (= i #x03))(assert (= (select a i) #x05))(assert (= (f (bvadd i #x01)) #x07))(check-sat)\
                  (get-value ((select a #x03) (f #x04) (select (store a #x03 #x06) #x03)))(get-model)";
    let out = printed(script);
    let expected = "((select a #x03) #b00000101) ((f #x04) #b00000111) ((select (store a #x03 #x06) #x03) #b00000110)";
    assert!(out.contains(expected), "{out}");
    assert!(out.contains("(store ((as const (Array (_ BitVec 8) (_ BitVec 8))) #b"), "{out}");
    assert!(
        out.contains("(define-fun f ((x!0 (_ BitVec 8))) (_ BitVec 8) (ite (and (= x!0 #b00000100)) #b00000111 "),
        "{out}"
    );
}

#[test]
fn declared_functions_and_sorts_are_functions_and_sorts() {
    use SatStatus::{Sat, Unsat};
    let head = "(declare-sort U 0)(declare-const x U)(declare-const y U)(declare-const z U)(declare-fun f (U) U)\
                (declare-fun g (Float32 Bool) Float32)(declare-const s Float32)(declare-const t Float32)";
    for (formula, expected) in [
        ("(and (= x y) (distinct (f x) (f y)))", Unsat),
        ("(and (= (f (f (f x))) x) (= (f (f (f (f (f x))))) x) (distinct (f x) x))", Unsat),
        ("(distinct x y z (f x) (f y))", Sat),
        // The same float is the same operand, and equal zeros are not.
        ("(and (fp.eq s t) (not (fp.isZero s)) (distinct (g s true) (g t true)))", Unsat),
        ("(and (fp.eq s t) (distinct (g s true) (g t true)))", Sat),
        ("(and (fp.isNaN s) (fp.isNaN t) (distinct (g s false) (g t false)))", Unsat),
    ] {
        assert_eq!(statuses(&format!("{head}(assert {formula})(check-sat)")), [expected], "{formula}");
    }
    let out = printed(&format!("{head}(assert (distinct x y))(check-sat)(get-value (x y))"));
    assert!(out.contains("(x (as @U!") && !out.contains("(error"), "{out}");
}

/// What is out of range is open, and is one value for one operand.
#[test]
fn integers_of_floats_out_of_range_are_open_and_functional() {
    use SatStatus::{Sat, Unsat};
    for (formula, expected) in [
        ("(= ((_ fp.to_ubv 8) RTZ x) #x2a)", Sat),
        ("(and (fp.isNaN x) (= ((_ fp.to_ubv 8) RTZ x) #x2a))", Sat),
        ("(and (fp.isNaN x) (fp.isNaN y) (distinct ((_ fp.to_sbv 8) RTZ x) ((_ fp.to_sbv 8) RTZ y)))", Unsat),
        (
            "(and (fp.gt x y) (fp.gt y ((_ to_fp 8 24) RNE 1000.0)) (distinct ((_ fp.to_sbv 8) RTZ x) ((_ fp.to_sbv 8) RTZ y)))",
            Sat,
        ),
        (
            "(and (fp.leq ((_ to_fp 8 24) RNE 0.0) x) (fp.lt x ((_ to_fp 8 24) RNE 255.5)) (bvugt ((_ fp.to_ubv 8) RNE x) #xfe) (fp.lt x ((_ to_fp 8 24) RNE 254.25)))",
            Unsat,
        ),
    ] {
        let script = format!("(declare-const x Float32)(declare-const y Float32)(assert {formula})(check-sat)");
        assert_eq!(statuses(&script), [expected], "{formula}");
    }
}

#[test]
fn wide_floats_and_vectors_are_decided() {
    use SatStatus::{Sat, Unsat};
    let head = "(declare-const x Float128)(declare-const y Float128)(declare-const v (_ BitVec 256))(declare-const w (_ BitVec 256))\
                (define-fun one () Float128 ((_ to_fp 15 113) RNE 1.0))";
    for (formula, expected) in [
        ("(and (= (fp.add RNE one x) y) (fp.lt y one) (fp.isPositive x))", Unsat),
        ("(and (= (fp.mul RNE x x) y) (fp.eq y ((_ to_fp 15 113) RNE 2.25)))", Sat),
        ("(distinct (bvadd v w) (bvadd w v))", Unsat),
        ("(and (= (bvand v w) v) (bvugt v w))", Unsat),
        (
            "(= (bvmul v #x0000000000000000000000000000000000000000000000000000000000000003) \
          #x0000000000000000000000000000000000000000000000000000000000000001)",
            Sat,
        ),
        ("(= ((_ to_fp 15 113) RNE 0.1) ((_ to_fp 15 113) RTP 0.1))", Sat),
        ("(= ((_ to_fp 15 113) RTN 0.1) ((_ to_fp 15 113) RTP 0.1))", Unsat),
    ] {
        assert_eq!(statuses(&format!("{head}(assert {formula})(check-sat)")), [expected], "{formula}");
    }
    let out = printed(&format!("{head}(assert (= y (fp.add RNE one one)))(check-sat)(get-value (y))"));
    assert!(out.contains(&format!("(y (fp #b0 #b1{} #b{}))", "0".repeat(14), "0".repeat(112))), "{out}");
}

/// Predicates of overflow, at all pairs of three bits.
#[test]
fn predicates_of_overflow_are_those_of_the_exact_result() {
    let signed = |x: i64| if x >= 4 { x - 8 } else { x };
    type Overflows = fn(i64, i64) -> bool;
    let table: [(&str, Overflows); 11] = [
        ("bvuaddo", |x, y| x + y > 7),
        ("bvusubo", |x, y| x < y),
        ("bvumulo", |x, y| x * y > 7),
        ("bvumul_noovfl", |x, y| x * y <= 7),
        ("bvsaddo", |_, _| false),
        ("bvssubo", |_, _| false),
        ("bvsmulo", |_, _| false),
        ("bvsdivo", |x, y| x == 4 && y == 7),
        ("bvsmul_noovfl", |_, _| false),
        ("bvsmul_noudfl", |_, _| false),
        ("bvnego", |x, _| x == 4),
    ];
    for (name, unsigned) in table {
        let mut all = String::new();
        for (x, y) in (0..8).flat_map(|x| (0..8).map(move |y| (x, y))) {
            let (a, b) = (signed(x), signed(y));
            let out = |v: i64| !(-4..=3).contains(&v);
            let expected = match name {
                "bvsaddo" => out(a + b),
                "bvssubo" => out(a - b),
                "bvsmulo" => out(a * b),
                "bvsmul_noovfl" => a * b <= 3,
                "bvsmul_noudfl" => a * b >= -4,
                _ => unsigned(x, y),
            };
            let operands = if name == "bvnego" { format!("#b{x:03b}") } else { format!("#b{x:03b} #b{y:03b}") };
            let holds = format!("({name} {operands})");
            all += &if expected { holds } else { format!("(not {holds})") };
        }
        assert_eq!(statuses(&format!("(assert (and {all}))(check-sat)")), [SatStatus::Sat], "{name}");
    }
}

#[test]
fn commands_answer_and_unknown_ones_keep_the_others() {
    let script = "(set-option :produce-unsat-cores true)(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)\
                  (assert (! (or p q) :named first))(assert (! (not p) :named second))(assert (! r :named third))\
                  (check-sat)(make-coffee)(get-assertions)(push 1)(assert (! (not q) :named last))(check-sat)(get-unsat-core)\
                  (pop 1)(check-sat)(check-sat-assuming ((not q) r))(get-unsat-assumptions)(get-value (p))\
                  (get-info :name)(echo \"so far\")(reset)(declare-const p (_ BitVec 70))(assert (bvult p p))(check-sat)";
    let expected = "sat\nunsupported\n((! (or p q) :named first)\n (! (not p) :named second)\n (! r :named third))\nunsat\n\
                    (first second last)\nsat\nunsat\n((not q))\n(error \"there is no model\")\n(:name \"magneto\")\n\"so far\"\n\
                    unsat\n";
    assert_eq!(printed(script), expected);
}

/// A formula under a quantifier with many values is not looked into: what is unsat without it is unsat.
#[test]
fn quantifiers_are_put_in_or_left_out() {
    use SatStatus::{Sat, Unknown, Unsat};
    let head = "(declare-const x Float32)(declare-const v (_ BitVec 4))";
    for (formula, expected) in [
        ("(forall ((w (_ BitVec 4))) (bvule v w))", Sat),
        ("(and (forall ((w (_ BitVec 4))) (bvule v w)) (distinct v #x0))", Unsat),
        ("(exists ((m RoundingMode)) (distinct (fp.add m x x) (fp.add RNE x x)))", Sat),
        ("(forall ((y Float32)) (fp.leq y x))", Unknown),
        ("(and (forall ((y Float32)) (fp.leq y x)) (fp.lt x x))", Unsat),
    ] {
        assert_eq!(statuses(&format!("{head}(assert {formula})(check-sat)")), [expected], "{formula}");
    }
    let script = format!("{head}(assert (forall ((y Float32)) (fp.leq y x)))(check-sat)(get-info :reason-unknown)");
    assert_eq!(printed(&script), "unknown\n(:reason-unknown incomplete)\n");
}

/// Where evaluation of few boxes does not suffice, a proof by propagation is confirmed by laws of rounding, or by gates.
#[test]
fn proofs_are_confirmed_by_the_other_engine() {
    let head =
        "(declare-const x Float64)(declare-const y Float64)(define-fun one () Float64 ((_ to_fp 11 53) RNE 1.0))";
    let product = "(fp.leq one x) (fp.lt (fp.mul RNE x x) one)";
    let order = "(fp.lt x y) (fp.lt y x)";
    for (question, boxes, confirmation) in [(product, 0, Confirmation::Laws), (order, 20, Confirmation::Gates)] {
        let script = format!("{head}(assert (and {question}))(check-sat)");
        let answers = run(&script, Budget { confirmation: Some(boxes), ..Budget::from(20_000) }).unwrap();
        assert_eq!(answers.checks[0].status, SatStatus::Unsat);
        assert_eq!(answers.checks[0].confirmation, Some(confirmation));
    }
}
