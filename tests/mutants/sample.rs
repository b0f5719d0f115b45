//! A program with something of all that changes, for the test of the mutants.

pub mod mutant;

fn sign(x: i64) -> i64 {
    match x {
        0 => 0,
        y if y > 0 => 1,
        _ => -1,
    }
}

fn is_between(x: i64, lo: i64, hi: i64) -> bool {
    lo <= x && x <= hi
}

fn name(x: i64) -> Option<String> {
    if !is_between(x, 0, 2) {
        return None;
    }
    let mut text = String::from("n");
    text += &format!("{}", x * 2 + (x - 1) * 3);
    Some(text)
}

struct Counter {
    bits: u32,
}

impl Counter {
    fn step(&mut self, by: u32) -> u32 {
        self.bits ^= by << 1 | self.bits & 1;
        self.bits += by % 3;
        self.bits / 2
    }
}

const LIMIT: i64 = 2 + 1;

fn half(x: f64) -> f64 {
    let halved = x / 2.0;
    if x < 1.0 { -halved } else { halved }
}

fn main() {
    let mut counter = Counter { bits: 1 };
    let steps: Vec<u32> = (1..5).map(|k| counter.step(k)).collect();
    println!("{:?} {:?} {steps:?}", [sign(-5), sign(0), sign(7)], [name(-1), name(1), name(2), name(LIMIT)]);
    println!("{:?}", [half(0.5), half(1.0), half(3.0)]);
}

#[cfg(test)]
mod tests {
    #[test]
    fn two_and_two() {
        assert_eq!(2 + 2, 4);
    }
}
