//! Random preconditions.

use super::{InputBox, seeds};
use crate::support;
use crate::support::judge::{Judge, Tri};
use crate::support::points::Points;
use crate::support::rng::Rng;
use magneto::num::Ternary;
use magneto::oracle::formula::Formula;
use magneto::oracle::{Ladder, all_hold};
use magneto::spec::{Overrides, parse_file, resolve};

/// Makes preconditions over x and y.
struct Conditions {
    random: Rng,
}

const ENDS: [&str; 20] = [
    "0",
    "1",
    "-1",
    "0.5",
    "-0.5",
    "2",
    "1/3",
    "PI",
    "(/ PI 4)",
    "(- 1 3)",
    "5e-324",
    "-5e-324",
    "1e400",
    "-1e400",
    "3",
    "(sqrt 2)",
    "(* 2 0.1)",
    "0.1",
    "(fabs -0.5)",
    "(exp 0)",
];

impl Conditions {
    fn term(&mut self) -> String {
        match self.random.below(9) {
            0..=2 => "x".into(),
            3 | 4 => "y".into(),
            5 => format!("(fabs {})", self.random.pick(&["x", "y", "(fabs x)", "(+ x y)"])),
            6 => {
                (*self.random.pick(&["(+ x y)", "(* x x)", "(sqrt x)", "(/ 1 x)", "(log y)", "(- x)", "z", "(* x y)"]))
                    .into()
            }
            _ => (*self.random.pick(&ENDS)).into(),
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.below(4) == 0 {
            let relation = *self.random.pick(&["<", "<=", ">", ">=", "<", "<=", "==", "!="]);
            let n = 2 + self.random.below(3).min(self.random.below(3));
            let terms: Vec<String> = (0..n).map(|_| self.term()).collect();
            return format!("({relation} {})", terms.join(" "));
        }
        let d = depth - 1;
        match self.random.below(10) {
            0..=3 => format!("(and {} {})", self.condition(d), self.condition(d)),
            4..=6 => format!("(or {} {})", self.condition(d), self.condition(d)),
            7 => format!("(not {})", self.condition(d)),
            8 => {
                let (name, value) = (*self.random.pick(&["x", "y", "z"]), self.term().replace('z', "1"));
                let kind = *self.random.pick(&["let", "let*"]);
                format!("({kind} ([{name} {value}] [z x]) {})", self.condition(d))
            }
            _ => format!("(if {} {} {})", self.condition(0), self.condition(d), self.condition(0)),
        }
    }
}

/// The box and the conditions that are left say what the precondition says, at every point.
#[test]
fn random_preconditions() {
    let seeds = seeds(400);
    let (mut inside, mut outside, mut open) = (0, 0, 0);
    for &seed in &seeds {
        let mut maker = Conditions { random: Rng(seed.wrapping_mul(0x5851_f42d_4c95_7f2d)) };
        let condition = format!("(let ([z y]) {})", maker.condition(3));
        let text = format!("(FPCore (x y) :name \"pre\" :pre {condition} (+ x y))");
        let file = parse_file(text.as_bytes());
        let Ok(spec) = resolve(&file, 0, "pre.fpcore", &Overrides::default()) else {
            continue;
        };
        let everywhere = support::spec("(FPCore (x y) :name \"pre\" (+ x y))");
        let judge = Judge { spec: &spec, most: 512 };
        let formula = Formula::new(&spec);
        let domain = InputBox::new(&spec);
        let mut points = Points::new(&everywhere, &[]).unwrap().make(40, &mut maker.random);
        let ends =
            [0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 1.0 / 3.0, std::f64::consts::PI, -2.0, 5e-324, -5e-324, 0.1, 0.2, 1.5];
        for _ in 0..60 {
            let one = |r: &mut Rng| {
                let x = *r.pick(&ends);
                [x, x, x.next_up(), x.next_down(), -x + 0.0][r.below(5)]
            };
            points.push(vec![one(&mut maker.random) + 0.0, one(&mut maker.random) + 0.0]);
        }
        for x in points {
            let ours = match &domain {
                Ok(domain) if domain.contains(&x) => {
                    let mut ladder = Ladder::new(&formula.tape, &x, 480);
                    all_hold(&mut ladder, &formula.conditions)
                }
                _ => Ternary::False,
            };
            match (judge.precondition(&x), ours) {
                (Tri::Yes, Ternary::True) => inside += 1,
                (Tri::No, Ternary::False) => outside += 1,
                (Tri::Maybe, _) | (_, Ternary::Unknown) => open += 1,
                (said, ours) => panic!("{seed} at {x:?}: {said:?} {ours:?}: {condition}\n{:?}", domain),
            }
        }
    }
    println!("{inside} points inside, {outside} outside, {open} open");
    assert!(inside > seeds.len() && outside > seeds.len());
}
