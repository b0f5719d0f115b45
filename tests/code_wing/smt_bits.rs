//! Functions of bit vectors in scripts: all pairs of three bits against integer arithmetic.

use magneto::smt::{SatStatus, run};

/// The value of a vector of three bits in two's complement.
fn signed(x: i64) -> i64 {
    if x >= 4 { x - 8 } else { x }
}

/// What a function of two vectors is, by the standard.
fn expected(name: &str, x: i64, y: i64) -> i64 {
    let (a, b) = (signed(x), signed(y));
    let value = match name {
        "bvnand" => !(x & y),
        "bvnor" => !(x | y),
        "bvxnor" => !(x ^ y),
        "bvsdiv" if b == 0 => {
            if a < 0 {
                1
            } else {
                -1
            }
        }
        "bvsdiv" => a / b,
        "bvsrem" | "bvsmod" if b == 0 => a,
        "bvsrem" => a % b,
        // The sign is that of the divisor.
        "bvsmod" => a - b * a.div_euclid(b) + if a.rem_euclid(b) != 0 && b < 0 { b } else { 0 },
        "rotate_left" => x << (y % 3) | x >> (3 - y % 3),
        "rotate_right" => x >> (y % 3) | x << (3 - y % 3),
        _ => unreachable!("no such function"),
    };
    value & 7
}

#[test]
fn functions_are_those_of_the_standard() {
    let names = ["bvnand", "bvnor", "bvxnor", "bvsdiv", "bvsrem", "bvsmod", "rotate_left", "rotate_right"];
    for name in names {
        let mut script = String::from("(declare-const x (_ BitVec 3))(declare-const y (_ BitVec 3))");
        let mut table = String::new();
        for x in 0..8 {
            for y in 0..8 {
                let value = expected(name, x, y);
                let call = if name.starts_with("rotate") {
                    format!("((_ {name} {y}) #b{x:03b})")
                } else {
                    format!("({name} #b{x:03b} #b{y:03b})")
                };
                table.push_str(&format!("(= {call} #b{value:03b})"));
            }
        }
        script.push_str(&format!("(assert (not (and {table})))(check-sat)"));
        let answers = run(&script, 100).unwrap_or_else(|d| panic!("{name}: {d:?}"));
        assert_eq!(answers.checks[0].status, SatStatus::Unsat, "{name}");
    }
    let others =
        "(assert (not (and (= (bvcomp #b01 #b01) #b1) (= (bvcomp #b01 #b11) #b0) (= ((_ repeat 3) #b10) #b101010))))";
    assert_eq!(run(&format!("{others}(check-sat)"), 100).expect("a script").checks[0].status, SatStatus::Unsat);
}

#[test]
fn unknown_vectors_are_solved_for() {
    let script = "(set-logic QF_BV)(declare-const x (_ BitVec 16))(declare-const y (_ BitVec 16))
        (assert (= (bvsdiv x y) #xfffd))(assert (= (bvsrem x y) #xffff))(assert (= (bvsmod y #x0007) #x0003))(check-sat)";
    assert_eq!(run(script, 100_000).expect("a script").checks[0].status, SatStatus::Sat);
}
