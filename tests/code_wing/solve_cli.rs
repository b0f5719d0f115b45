//! `magneto solve` as a user runs it: answers, models, exit codes, and what is wrong with a script.

use crate::cli_support::Folder;

const ROOT: &str = include_str!("../smt/root.smt2");
const MIDDLE: &str = include_str!("../smt/middle.smt2");

#[test]
fn answers_models_and_exit_codes() {
    let folder = Folder::new();
    folder.write("root.smt2", ROOT).write("middle.smt2", MIDDLE);
    let root = folder.run(&["solve", "root.smt2"]);
    assert_eq!((root.code, root.out.as_str()), (Some(0), "unsat\n"), "{}", root.err);
    let middle = folder.run(&["solve", "middle.smt2"]);
    assert_eq!(middle.code, Some(0), "{}", middle.err);
    assert!(middle.out.starts_with("sat\n(\n  (define-fun a () (_ FloatingPoint 11 53) (fp #b"), "{}", middle.out);
    let json = folder.run(&["solve", "middle.smt2", "--json"]);
    let answers: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(answers["checks"][0]["status"], "sat", "{}", json.out);
    assert_eq!(answers["checks"][0]["model"].as_array().unwrap().len(), 2);
    folder.write("wrong.smt2", ROOT.replace("unsat", "sat"));
    let wrong = folder.run(&["solve", "wrong.smt2"]);
    assert_eq!((wrong.code, wrong.out.as_str()), (Some(1), "unsat\n"));
    assert!(wrong.err.contains("the script says that it is sat"), "{}", wrong.err);
    // What is plain from the terms alone.
    for contradiction in [
        "(not (fp.eq x x)) (not (fp.isNaN x))",
        "(fp.lt x x)",
        "(not (fp.leq x x)) (fp.leq x x)",
        "(fp.isZero (fp.mul RNE x x)) (not (fp.isZero (fp.mul RNE x x)))",
    ] {
        let script = format!("(declare-const x Float32)(assert (and {contradiction} true))(check-sat)");
        folder.write("plain.smt2", script);
        let plain = folder.run(&["solve", "plain.smt2", "--budget", "1"]);
        assert_eq!((plain.code, plain.out.as_str()), (Some(0), "unsat\n"), "{contradiction}: {}", plain.err);
    }
    // What orders do not tell.
    let open = "(declare-const x Float64)(declare-const y Float64)(define-fun one () Float64 ((_ to_fp 11 53) RNE 1.0))\
                (assert (and (fp.lt one x) (fp.lt x y) (fp.lt y ((_ to_fp 11 53) RNE 1000.0)) (fp.lt one (fp.div RNE x \
                y))))(check-sat)";
    folder.write("open.smt2", open);
    let unknown = folder.run(&["solve", "open.smt2", "--budget", "100"]);
    assert_eq!((unknown.code, unknown.out.as_str()), (Some(3), "unknown\n"), "{}", unknown.err);
}

/// The largest result of a recursive filter is the sum of the magnitudes of its response to an impulse: a bound above it holds,
/// and one below it fails where every input is at the end that counts.
#[test]
fn results_of_filters_with_many_inputs_are_bounded() {
    const INPUTS: usize = 24;
    let impulse = |k: usize| if k == 0 { 1.0 } else { 0.0 };
    let mut response = [0.0f64; INPUTS];
    for k in 0..INPUTS {
        let before = |n: usize| if k >= n { response[k - n] } else { 0.0 };
        response[k] = 0.75 * impulse(k) - if k == 1 { 1.0 } else { 0.0 } + 1.5 * before(1) - 0.75 * before(2);
    }
    let most: f64 = response.iter().map(|h| h.abs()).sum();
    let mut lets = String::new();
    for k in 0..INPUTS {
        let name = |n: usize, of: &str| if k >= n { format!("{of}{}", k - n) } else { "zero".to_owned() };
        let old = format!("(fp.sub RNE (fp.mul RNE c {}) (fp.mul RNE a {}))", name(1, "y"), name(2, "y"));
        let new = format!("(fp.sub RNE (fp.mul RNE a x{k}) {})", name(1, "x"));
        lets += &format!("(let ((y{k} (fp.add RNE {new} {old})))");
    }
    let folder = Folder::new();
    for (bound, status) in [(most * 1.001, "unsat"), (most * 0.999, "sat")] {
        let mut script = String::new();
        for (name, value) in [("zero", 0.0), ("one", 1.0), ("a", 0.75), ("c", 1.5), ("bound", bound)] {
            let bits = format!("{:064b}", f64::to_bits(value));
            let value = format!("(fp #b{} #b{} #b{})", &bits[..1], &bits[1..12], &bits[12..]);
            script += &format!("(define-fun {name} () Float64 {value})");
        }
        for k in 0..INPUTS {
            script += &format!("(declare-const x{k} Float64)(assert (fp.leq (fp.abs x{k}) one))");
        }
        let last = INPUTS - 1;
        script += &format!("(assert {lets}(fp.gt (fp.abs y{last}) bound){})(check-sat)", ")".repeat(INPUTS));
        folder.write("filter.smt2", script);
        let ended = folder.run(&["solve", "filter.smt2", "--budget", "2000"]);
        assert_eq!((ended.code, ended.out.lines().next()), (Some(0), Some(status)), "{bound}: {}", ended.err);
    }
}

#[test]
fn proofs_are_looked_at_again() {
    let folder = Folder::new();
    let script = |more: &str| {
        format!(
            "(declare-const x Float64)(declare-const y Float64)(define-fun one () Float64 ((_ to_fp 11 53) RNE 1.0))\
             (assert (and (fp.leq (fp.abs x) one) {more}))(check-sat)"
        )
    };
    folder.write("square.smt2", script("(fp.lt (fp.add RNE one one) (fp.mul RNE x x))"));
    let confirmed = folder.run(&["solve", "square.smt2", "--check"]);
    assert_eq!((confirmed.code, confirmed.out.as_str()), (Some(0), "unsat\n"), "{}", confirmed.err);
    assert!(confirmed.err.contains("unsat confirmed by evaluating"), "{}", confirmed.err);
    // What a comparison of the two says is not in what each of them may be.
    folder.write("order.smt2", script("(fp.lt x y) (fp.lt y x)"));
    let open = folder.run(&["solve", "order.smt2", "--check", "--budget", "20"]);
    assert_eq!((open.code, open.out.as_str()), (Some(3), "unsat\n"), "{}", open.err);
    assert!(open.err.contains("unsat not confirmed by evaluating"), "{}", open.err);
}

#[test]
fn mistakes_are_told_with_their_place() {
    let folder = Folder::new();
    for (script, place, told) in [
        ("(assert (fp.lt x y))", ":1:16", "`x` is not declared"),
        ("(declare-const x Float32)\n(assert (fp.lt x", ":2:1", "never closed"),
        ("(check-sat))", ":1:12", "closes nothing"),
        ("(declare-const x Float32)\n(assert x)", ":2:9", "true or false"),
        ("(declare-const x Float32)(declare-const y Float64)\n(assert (fp.lt x y))", ":2:10", "of sort"),
        ("(declare-const x (_ FloatingPoint 15 113))", ":1:18", "not supported"),
        ("(declare-const x Int)(assert (= x x))", ":1:33", "integers are no unknowns"),
        ("(declare-fun f (Float32) Bool)", ":1:16", "cannot be unknowns"),
        ("(define-fun f ((x Float32)) Bool (fp.isNaN x))(assert (f 1.0))", ":1:55", "should be of sort"),
        ("(frobnicate)", ":1:1", "not supported"),
        ("(assert (= #b2 #b0))", ":1:12", "no bit vector"),
        ("(assert (fp.isNaN (_ +oo 1 1)))", ":1:19", "not supported"),
        ("(pop)", ":1:1", "no `(push)`"),
        ("(assert |x", ":1:9", "never closed"),
        ("check-sat", ":1:1", "a command is expected"),
    ] {
        folder.write("bad.smt2", script);
        let ended = folder.run(&["solve", "bad.smt2"]);
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{script}: {}", ended.err);
        let start = format!("error: bad.smt2{place}: ");
        assert!(ended.err.starts_with(&start) && ended.err.contains(told), "{script}: {}", ended.err);
    }
    assert_eq!(folder.run(&["solve", "absent.smt2"]).code, Some(2));
    let deep = format!("(assert {}true{})", "(not ".repeat(9000), ")".repeat(9000));
    folder.write("deep.smt2", format!("{deep}(check-sat)"));
    let ended = folder.run(&["solve", "deep.smt2"]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(0), "sat\n"), "{}", ended.err);
}
