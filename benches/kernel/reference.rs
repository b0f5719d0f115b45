//! What the kernel is compared with: a tape of `inari` intervals, one box at a time.

use inari::Interval as I;

/// An operation on earlier places of the tape.
#[derive(Clone, Copy)]
pub(crate) enum Instruction {
    Var(usize),
    Const(I),
    Add(usize, usize),
    Neg(usize),
    Mul(usize, usize),
    Div(usize, usize),
    Sqr(usize),
}

/// doppler1's seven operations, as in `problems::doppler`.
pub(crate) fn doppler() -> Vec<Instruction> {
    use Instruction::{Add, Const, Div, Mul, Neg, Sqr, Var};
    let c = inari::interval!("[331.4]").expect("a number");
    let k = inari::interval!("[0.6]").expect("a number");
    vec![
        Var(0),
        Var(1),
        Var(2),
        Const(c),
        Const(k),
        Mul(4, 2),
        Add(3, 5),
        Neg(6),
        Mul(7, 1),
        Add(6, 0),
        Sqr(9),
        Div(8, 10),
    ]
}

fn mul_rev(divisor: I, numerator: I, x: I) -> I {
    let [a, b] = divisor.mul_rev_to_pair(numerator);
    a.intersection(x).convex_hull(b.intersection(x))
}

/// One forward and one backward walk for "the last place is not negative". Returns false if no solution is left.
pub(crate) fn hc4(tape: &[Instruction], values: &mut [I], domain: &mut [I]) -> bool {
    use Instruction::{Add, Const, Div, Mul, Neg, Sqr, Var};
    for (i, instruction) in tape.iter().enumerate() {
        values[i] = match *instruction {
            Var(v) => domain[v],
            Const(c) => c,
            Add(a, b) => values[a] + values[b],
            Neg(a) => -values[a],
            Mul(a, b) => values[a] * values[b],
            Div(a, b) => values[a] / values[b],
            Sqr(a) => values[a].sqr(),
        };
    }
    let last = tape.len() - 1;
    values[last] = values[last].intersection(inari::const_interval!(0.0, f64::INFINITY));
    for (i, instruction) in tape.iter().enumerate().rev() {
        let z = values[i];
        if z.is_empty() {
            return false;
        }
        match *instruction {
            Var(v) => domain[v] = domain[v].intersection(z),
            Const(_) => {}
            Add(a, b) => {
                values[a] = values[a].intersection(z - values[b]);
                values[b] = values[b].intersection(z - values[a]);
            }
            Neg(a) => values[a] = values[a].intersection(-z),
            Mul(a, b) => {
                values[a] = mul_rev(values[b], z, values[a]);
                values[b] = mul_rev(values[a], z, values[b]);
            }
            Div(a, b) => {
                values[a] = values[a].intersection(z * values[b]);
                values[b] = mul_rev(z, values[a], values[b]);
            }
            Sqr(a) => {
                let root = z.sqrt();
                values[a] = values[a].intersection(root).convex_hull(values[a].intersection(-root));
            }
        }
    }
    domain.iter().all(|x| !x.is_empty())
}
