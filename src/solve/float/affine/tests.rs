use super::*;
use crate::num::Rational;
use crate::num::float::rational;
use crate::num::random::Random;

/// A form, a place, and what the form may stand for there: a number within its error of its linear part.
struct Sample {
    form: Form,
    value: Rational,
}

/// A number of any sign and of a size from 2^-20 to 2^20, or 0.
fn number(random: &mut Random) -> f64 {
    let size = 2f64.powi(random.index(41) as i32 - 20) * (1.0 + random.unit());
    [size, -size, 0.0][random.index(3)]
}

/// A place of two unknowns, at an end or between.
fn place(random: &mut Random) -> [f64; 2] {
    [(); 2].map(|()| [-1.0, 1.0, 0.0, random.unit()][random.index(4)])
}

/// The linear part at a place, exactly.
fn linear_part(form: &Form, place: [f64; 2]) -> Rational {
    let terms = form.linear.iter().zip(place).map(|(l, e)| rational(*l) * rational(e));
    terms.fold(rational(form.center), |sum, term| sum + term)
}

fn sample(random: &mut Random, place: [f64; 2]) -> Sample {
    let form =
        Form { center: number(random), linear: vec![number(random), number(random)], error: number(random).abs() };
    let off = rational(form.error) * rational([-1.0, 1.0, 0.0, random.unit()][random.index(4)]);
    let value = linear_part(&form, place) + off;
    Sample { form, value }
}

/// One whose numbers are all positive.
fn positive(random: &mut Random, place: [f64; 2]) -> Sample {
    let Sample { mut form, value } = sample(random, place);
    let moved = form.radius() * (1.0 + 2f64.powi(-(random.index(12) as i32)));
    let old = std::mem::replace(&mut form.center, moved);
    Sample { value: value - rational(old) + rational(form.center), form }
}

/// Whether a form may stand for a number at a place.
fn holds(form: &Form, place: [f64; 2], value: &Rational) -> bool {
    (linear_part(form, place) - value).abs() <= rational(form.error)
}

#[test]
fn forms_hold_the_sums_and_products_of_what_their_operands_hold() {
    let mut random = Random::seeded(5);
    for _ in 0..20_000 {
        let at = place(&mut random);
        let (a, b) = (sample(&mut random, at), sample(&mut random, at));
        let check = |form: Option<Form>, value: Rational| {
            let form = form.expect("a form of numbers as small");
            assert!(holds(&form, at, &value), "{:?} {:?} at {at:?} gives {form:?}", a.form, b.form);
        };
        check(a.form.plus(&b.form), Rational::from(&a.value + &b.value));
        check(a.form.times(&b.form), Rational::from(&a.value * &b.value));
        check(a.form.squared(), Rational::from(&a.value * &a.value));
        check(Some(a.form.negated()), Rational::from(-&a.value));
        let (slope, offset) = (number(&mut random), number(&mut random));
        check(a.form.mapped(slope, offset, 0.0), rational(slope) * &a.value + rational(offset));
    }
}

#[test]
fn forms_hold_inverses_and_roots_of_what_their_operand_holds() {
    let mut random = Random::seeded(6);
    for _ in 0..20_000 {
        let at = place(&mut random);
        let Sample { form, value } = positive(&mut random, at);
        let (lo, hi) = (form.center - form.radius(), form.center + form.radius());
        let (lo, hi) = (if lo > 0.0 { lo * (1.0 - OWN) } else { form.center * OWN }, hi * (1.0 + OWN));
        if form.center < 1e-30 || value < rational(lo) || value > rational(hi) {
            continue;
        }
        let inverse = form.inverse(lo, hi).expect("a form");
        assert!(holds(&inverse, at, &Rational::from(value.recip_ref())), "1 / {form:?} at {at:?} gives {inverse:?}");
        let minus = form.negated().inverse(-hi, -lo).expect("a form");
        assert!(holds(&minus, at, &-Rational::from(value.recip_ref())), "1 / -{form:?} at {at:?} gives {minus:?}");
        let root = form.root(lo, hi).expect("a form");
        // As wide as the root is curved, and not much wider.
        let wide = (hi.sqrt() - lo.sqrt()) / 2.0 + 0.5 / hi.sqrt() * form.error * (1.0 + 1e-9) + 1e-9 * hi.sqrt();
        assert!(root.error <= wide, "{} is more than {wide}", root.error);
        let (middle, off) = (linear_part(&root, at), rational(root.error));
        let (least, most) = (Rational::from(&middle - &off), middle + off);
        let is_below = least <= 0 || Rational::from(&least * &least) <= value;
        assert!(is_below && most >= 0 && Rational::from(&most * &most) >= value, "the root of {form:?} gives {root:?}");
    }
}

#[test]
fn rounded_forms_hold_what_numbers_round_to() {
    let mut random = Random::seeded(7);
    let mut rounded = 0;
    for _ in 0..10_000 {
        let at = place(&mut random);
        let Sample { form, value } = sample(&mut random, at);
        for format in [Format::BINARY32, Format::BINARY64] {
            let results = [
                (Some(Rounding::NearestEven), format.round_rational(&value)),
                (Some(Rounding::Down), format.floor_rational(&value).expect("a number as small")),
                (Some(Rounding::Up), format.ceil_rational(&value).expect("a number as small")),
                (None, format.ceil_rational(&value).expect("a number as small")),
            ];
            for (mode, result) in results {
                let form = form.clone().rounded(format, mode).expect("a form");
                assert!(holds(&form, at, &rational(result)), "{value} rounded to {result} in {form:?}");
                rounded += 1;
            }
        }
    }
    assert!(rounded > 50_000);
}

#[test]
fn a_form_between_two_numbers_holds_both() {
    let mut random = Random::seeded(8);
    for _ in 0..1000 {
        let (a, b) = (number(&mut random), number(&mut random));
        let form = Form::between(a.min(b), a.max(b), 2).expect("a form");
        assert!(holds(&form, [0.0; 2], &rational(a)) && holds(&form, [0.0; 2], &rational(b)));
        assert!(form.error <= (a - b).abs() + 1e-6 * a.abs().max(b.abs()) + TINY * 2.0);
    }
}

/// NaN is not at most 2, nor above it: a comparison that fails takes no NaN away.
#[test]
fn a_comparison_that_fails_may_be_of_nan() {
    let format = Format::BINARY32;
    let mut graph = Graph::default();
    let x = graph.variable(Sort::Float(format));
    let ordinal = |x: f64| format.ordinal_toward(Rounding::Down, x);
    let two = graph.constant(Sort::Float(format), ordinal(2.0));
    let compared = graph.apply(TermOp::Relation(TermRelation::LessEqual), Sort::Bool, &[x, two]);
    let narrowed = |nan: bool| {
        let mut domains: Vec<TermDomain> = graph.terms().map(|t| TermDomain::all(graph.sort(t))).collect();
        domains[x.index()] = TermDomain::Set(FloatSpan { nan, ..FloatSpan::between(ordinal(0.0), ordinal(1.0)) });
        domains[two.index()] = TermDomain::Set(FloatSpan::one(ordinal(2.0)));
        domains[compared.index()] = TermDomain::one(Sort::Bool, 0);
        Affine::new(&graph).narrow(&mut domains).map(|_| domains[x.index()].set().nan)
    };
    assert!(matches!(narrowed(true), Ok(true)));
    assert!(narrowed(false).is_err());
}

/// Half a unit in the last place, or a whole one, of a number at the end of its binade; the center is exact.
#[test]
fn rounding_adds_no_more_than_a_unit_in_the_last_place() {
    for (format, mode) in [Format::BINARY32, Format::BINARY64].into_iter().flat_map(|f| Rounding::ALL.map(|m| (f, m))) {
        let nearest = matches!(mode, Rounding::NearestEven | Rounding::NearestAway);
        for center in [1.0, -1.0, 3e5, -7e-9, 1e20] {
            let exact = Form { center, linear: vec![0.0; 2], error: 0.0 };
            let unit = format.ulp_exponent(crate::num::float::exponent(center.abs()));
            let bound = 2f64.powi(unit - i32::from(nearest));
            let error = exact.rounded(format, Some(mode)).expect("a form").error;
            assert!(error >= bound / 2.0 && error <= 3.0 * bound, "{format:?} {mode:?} {center}: {error:e}");
        }
    }
}
