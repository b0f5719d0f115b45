//! `magneto solve` as a user runs it: answers, models, exit codes, and what is wrong with a script.

use crate::cli_support::Folder;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Command, Stdio};

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
    folder.write("open.smt2", PRODUCT);
    let unknown = folder.run(&["solve", "open.smt2", "--budget", "1"]);
    assert_eq!(unknown.code, Some(3), "{}", unknown.err);
    assert!(unknown.out.starts_with("unknown\n"), "{}", unknown.out);
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

/// x - f(x)/f'(x) for f(x) = x - x^3/6 is small.
const NEWTON: &str = "(declare-const x Float64)(define-fun c ((n Real)) Float64 ((_ to_fp 11 53) RNE n))\
    (define-fun value () Float64 (fp.sub RNE x (fp.div RNE (fp.mul RNE (fp.mul RNE x x) x) (c 6.0))))\
    (define-fun slope () Float64 (fp.sub RNE (c 1.0) (fp.div RNE (fp.mul RNE x x) (c 2.0))))\
    (assert (fp.leq (fp.abs x) (c 0.4)))\
    (assert (fp.gt (fp.abs (fp.sub RNE x (fp.div RNE value slope))) (c 0.025)))(check-sat)";

#[test]
fn proofs_are_looked_at_again() {
    let folder = Folder::new();
    let script = |more: &str| {
        format!(
            "(declare-const x Float64)(declare-const y Float64)(define-fun one () Float64 ((_ to_fp 11 53) RNE 1.0))\
             (assert (and (fp.leq (fp.abs x) one) {more}))(check-sat)"
        )
    };
    folder.write("square.smt2", script("(fp.lt (fp.mul RNE x x) (fp.neg one))"));
    let confirmed = folder.run(&["solve", "square.smt2", "--check"]);
    assert_eq!((confirmed.code, confirmed.out.as_str()), (Some(0), "unsat\n"), "{}", confirmed.err);
    assert!(confirmed.err.contains("unsat confirmed by evaluating"), "{}", confirmed.err);
    // What a comparison of the two says is not in what each of them may be, and the other engine knows it.
    folder.write("order.smt2", script("(fp.lt x y) (fp.lt y x)"));
    let order = folder.run(&["solve", "order.smt2", "--check", "--budget", "20"]).expect(0);
    assert_eq!(order.says(&["unsat confirmed by the engine of gates"]).out, "unsat\n");
    // What the engine of gates alone can prove is asked of another solver.
    let wide = "(declare-const a (_ BitVec 128))(declare-const b (_ BitVec 128))(assert (and (bvult a b) (bvult b a)))";
    folder.write("wide.smt2", format!("{wide}(check-sat)"));
    let wide = folder.run(&["solve", "wide.smt2", "--check"]).expect(0).says(&["unsat confirmed by a second solver"]);
    assert_eq!(wide.out, "unsat\n");
    // What follows from an order of factors is neither in boxes nor within reach of gates.
    let factors = "(declare-const z Float64)(assert (fp.leq one z))\
                   (assert (fp.lt (fp.mul RNE y (fp.mul RNE y z)) (fp.mul RNE x (fp.mul RNE x z))))";
    folder.write(
        "factors.smt2",
        script("(fp.lt x y) (fp.leq one x)").replace("(check-sat)", &format!("{factors}(check-sat)")),
    );
    let factors = folder.run(&["solve", "factors.smt2", "--check", "--budget", "20"]).expect(0);
    assert_eq!(factors.says(&["unsat confirmed by laws of rounding"]).out, "unsat\n");
    // The bound of a step of Newton's method takes an affine form.
    folder.write("newton.smt2", NEWTON);
    let line = ["solve", "newton.smt2", "--check", "--budget", "20"];
    let open = folder.run(&line).expect(3).says(&["unsat not confirmed by evaluating"]);
    assert_eq!(open.out, "unsat\n");
    assert_eq!(folder.run(&[&line[..], &["--json"]].concat()).json()["checks"][0]["reason"], "incomplete");
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
        ("(declare-const x (_ FloatingPoint 16 113))", ":1:18", "not supported"),
        ("(declare-const x Int)(assert (= x x))", ":1:33", "integers are no unknowns"),
        ("(declare-fun f (Real) Bool)", ":1:17", "no operands of declared functions"),
        ("(define-fun f ((x Float32)) Bool (fp.isNaN x))(assert (f 1.0))", ":1:55", "should be of sort"),
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
    folder.write("new.smt2", "(frobnicate)(check-sat)");
    assert_eq!(folder.run(&["solve", "new.smt2"]).expect(0).out, "unsupported\nsat\n");
    let deep = format!("(assert {}true{})", "(not ".repeat(9000), ")".repeat(9000));
    folder.write("deep.smt2", format!("{deep}(check-sat)"));
    let ended = folder.run(&["solve", "deep.smt2"]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(0), "sat\n"), "{}", ended.err);
}

/// A product of two primes of 32 bits, which no budget of these tests takes apart.
const PRODUCT: &str = "(declare-const a (_ BitVec 32))(declare-const b (_ BitVec 32))\n\
    (assert (bvult #x00000001 a))(assert (bvult a b))\n\
    (assert (= (bvmul (concat #x00000000 a) (concat #x00000000 b)) #x84ffefecf751fbb1))\n\
    (check-sat)(get-info :reason-unknown)\n\
    (push)(assert (! (= a b) :named same))(check-sat)(pop)\n";

#[test]
fn an_answer_that_is_unknown_has_its_reason() {
    let folder = Folder::new();
    folder.write("product.smt2", PRODUCT);
    folder.write("option.smt2", format!("(set-option :timeout 50){PRODUCT}"));
    let most = "100000000000";
    for (file, options, reason, note) in [
        ("product.smt2", ["--budget", most, "--timeout", "0.05"], "timeout", "the answers depend on this machine"),
        ("option.smt2", ["--budget", most, "--timeout", "86400"], "timeout", "the answers depend on this machine"),
        ("product.smt2", ["--budget", "1", "--timeout", "86400"], "incomplete", ""),
        #[cfg(target_os = "linux")]
        ("product.smt2", ["--budget", most, "--memory", "1"], "memout", "more than 1 MiB were in use"),
    ] {
        let arguments = [&["solve", file], &options[..]].concat();
        let ended = folder.run(&arguments).expect(3).says(&[note]);
        let (first, second) = (format!("unknown\n(:reason-unknown {reason})\n"), ended.out.lines().nth(2));
        // What is plain is answered, whatever happened before.
        assert!(ended.out.starts_with(&first) && second == Some("unsat"), "{file} {options:?}: {}", ended.out);
        let json = folder.run(&[&arguments[..], &["--json", "-o", "out"]].concat()).expect(3).json();
        assert_eq!((&json["checks"][0]["status"], &json["checks"][0]["reason"]), (&"unknown".into(), &reason.into()));
        assert_eq!(folder.json("out/solve.json"), json);
    }
    // What is answered in time does not tell of time.
    folder.write("root.smt2", ROOT);
    let quick = folder.run(&["solve", "root.smt2", "--timeout", "86400", "--json"]).expect(0);
    assert!(quick.err.is_empty() && quick.json()["checks"][0].get("reason").is_none(), "{}{}", quick.out, quick.err);
    for (option, value) in [("--timeout", "0"), ("--timeout", "soon"), ("--memory", "0")] {
        folder.run(&["solve", "root.smt2", option, value]).expect(2).says(&[option]);
    }
    folder.write("wrong.smt2", "(set-option :timeout soon)");
    folder.run(&["solve", "wrong.smt2"]).expect(2).says(&["wrong.smt2:1:22", "milliseconds"]);
}

#[test]
fn a_program_asks_and_waits_for_each_answer() {
    let folder = Folder::new();
    let mut command = folder.command(&["solve", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut to, mut from) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    for (asked, answer) in [
        ("(get-info :error-behavior)", "(:error-behavior continued-execution)"),
        // What is not whole is waited for.
        ("(declare-const |a ) b| Float32) ; )\n(assert (fp.isNegative\n|a ) b|))(echo \"(\"\"\")", "\"(\"\"\""),
        ("(check-sat)", "sat"),
        // What is wrong changes nothing, the model included.
        ("(assert (and (! true :named t) (fp.isNaN c)))", "(error \"3:74: `c` is not declared\")"),
        ("(get-value ((fp.isNegative |a ) b|)))", "(((fp.isNegative |a ) b|) true))"),
        ("(push)(assert (fp.isPositive |a ) b|))\n(check-sat)", "unsat"),
        ("(get-info :reason-unknown)(pop)", "(error \"the last answer is not unknown\")"),
        ("(check-sat)", "sat"),
        ("(set-option :print-success true)", "success"),
        ("(exit)", "success"),
    ] {
        to.write_all(asked.as_bytes()).and_then(|()| to.flush()).unwrap();
        let mut line = String::new();
        from.read_line(&mut line).unwrap();
        assert_eq!(line, format!("{answer}\n"), "{asked}");
    }
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!((child.wait().unwrap().code(), said.as_str()), (Some(2), "error: <stdin>: 1 command is wrong\n"));
}

/// Scripts in the shape of public families whose answer is known: nothing is wrong, and nothing open.
#[test]
fn families_are_answered_as_they_say() {
    let folder = Folder::new();
    let generator = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/smt/families.py");
    let Ok(written) = Command::new("python3").arg(generator).arg(folder.path("all")).output() else {
        eprintln!("skipped: no python3");
        return;
    };
    assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
    std::fs::create_dir(folder.path("known")).unwrap();
    for family in ["operations", "contracts"] {
        std::fs::rename(folder.path("all").join(family), folder.path("known").join(family)).unwrap();
    }
    let document =
        folder.run(&["bench", "solve", "known", "--alone", "--json", "-j", "2", "--timeout", "120"]).expect(0).json();
    let all = document["totals"].as_array().unwrap().iter().find(|t| t["family"].is_null()).unwrap();
    assert_eq!((&all["files"], &all["decided"], &all["wrong"]), (&80.into(), &80.into(), &0.into()), "{document}");
    let scripts = document["scripts"].as_array().unwrap();
    assert!(scripts.iter().all(|s| s["expected"][0] == "sat" || s["expected"][0] == "unsat"));
}
