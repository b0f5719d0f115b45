use super::*;
use crate::equiv::table::Atom;

/// What a condition says where each of two signs is as asked for or not.
fn truth(logic: &Logic, cond: CondId, signs: &[(CondId, bool)]) -> bool {
    match logic.cond(cond) {
        Cond::Bool(b) => *b,
        Cond::All(parts) => parts.iter().all(|p| truth(logic, *p, signs)),
        Cond::Any(parts) => parts.iter().any(|p| truth(logic, *p, signs)),
        _ => signs.iter().any(|(c, holds)| *c == cond && *holds),
    }
}

#[test]
fn conditions_are_joined_as_their_truth_values_are() {
    let (mut logic, mut t) = (Logic::default(), Table::new());
    let [c, d] = [0, 1].map(|i| {
        let x = t.atomic(Atom::Input(i)).expect("a form");
        logic.cond_id(Cond::Sign(x, Signs::POSITIVE))
    });
    let [yes, no] = [true, false].map(|b| logic.cond_id(Cond::Bool(b)));
    let (both, either) = (logic.all(vec![c, d]), logic.any(vec![c, d]));
    let parts = [yes, no, c, d, both, either];
    for (p, q, r) in parts.iter().flat_map(|p| parts.iter().flat_map(move |q| parts.map(|r| (*p, *q, r)))) {
        for list in [vec![], vec![p], vec![p, q], vec![p, q, r]] {
            let (all, any) = (logic.all(list.clone()), logic.any(list.clone()));
            for signs in [(false, false), (false, true), (true, false), (true, true)] {
                let signs = [(c, signs.0), (d, signs.1)];
                let of = |cond: CondId| truth(&logic, cond, &signs);
                assert_eq!(of(all), list.iter().all(|p| of(*p)), "{list:?}");
                assert_eq!(of(any), list.iter().any(|p| of(*p)), "{list:?}");
            }
        }
    }
}

/// Of x^i y^j (x + y)^k, where x or the sum may be known not to be 0.
#[test]
fn squares_of_what_is_not_zero_are_left_out() {
    let mut t = Table::new();
    t.fuel = 1_000_000;
    let [x, y] = [0, 1].map(|i| t.atomic(Atom::Input(i)).expect("a form"));
    let sum = t.add(x, y).expect("a form");
    let mut product = |powers: [i32; 3]| {
        let mut all = FormId::ONE;
        for (factor, k) in [x, y, sum].into_iter().zip(powers) {
            let power = t.power(factor, k).expect("a power");
            all = t.mul(all, power).expect("a product");
        }
        all
    };
    let mut cases = Vec::new();
    for powers in (0..4).flat_map(|i| (0..4).flat_map(move |j| (0..4).map(move |k| [i, j, k]))) {
        for known in [[false, false], [true, false], [false, true], [true, true]] {
            let left = |k: i32, is_known: bool| if is_known && k % 2 == 0 { 0 } else { k };
            let kept = [left(powers[0], known[0]), powers[1], left(powers[2], known[1])];
            cases.push((product(powers), known, product(kept)));
        }
    }
    for (key, known, expected) in cases {
        let not_zero = [x, sum].into_iter().zip(known).filter(|(_, known)| *known).map(|(f, _)| f).collect();
        assert_eq!(t.without_squares(key, &not_zero), expected, "{known:?}");
    }
}

#[test]
fn signs_of_opposite_numbers_are_opposite() {
    for bits in 0..8 {
        let holds = |s: Signs| [Signs::NEGATIVE, Signs::ZERO, Signs::POSITIVE].map(|one| one.within(s));
        let mut expected = holds(Signs(bits));
        expected.reverse();
        assert_eq!(
            (holds(Signs(bits).flipped()), Signs(bits).flipped().within(Signs::ALL)),
            (expected, true),
            "{bits}"
        );
    }
}
