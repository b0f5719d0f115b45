//! Proved bounds on rounding errors beside errors that a search finds, on real formulas.

use magneto::bench::corpus::{ALL, benchmarks};
use magneto::bench::rounding::{
    FormulaTable, Published, RoundingPlan, RoundingRow, RoundingStatus, measure, read, read_published, subjects,
    summary,
};
use magneto::floats::Format;
use magneto::num::float::rational;
use magneto::num::{Interval, MpInterval, Rational};
use magneto::ops::float::LibmUlps;
use magneto::oracle::formula::Formula;
use magneto::points::probes::probes;
use magneto::program::Program;
use magneto::rounding::{Bound, Goal, RealFunction, find, largest_of, meets, standard_bound};
use magneto::spec::{InputBox, Overrides, Spec, parse_file, resolve};
use magneto::tape::eval::Multi;
use magneto::tape::evaluate;

fn spec(text: &str) -> Spec {
    resolve(&parse_file(text.as_bytes()), 0, "text.fpcore", &Overrides::default()).unwrap()
}

/// What is made of the formula as it is written in a format, its exact value and its domain.
fn as_written<T>(spec: &Spec, format: Format, look: impl FnOnce(&Program, RealFunction<'_>, &InputBox) -> T) -> T {
    let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
    let program = Program::new(&names, &spec.core.body, format, format);
    let domain = InputBox::new(spec).unwrap();
    let formula = Formula::new(spec);
    look(&program, RealFunction { tape: &formula.tape, root: formula.root, conditions: &formula.conditions }, &domain)
}

/// The proof that the plain evaluation in a format meets the accuracy, and the largest error found in its units.
fn plain(spec: &Spec, format: Format) -> (Option<Bound>, f64) {
    as_written(spec, format, |program, exact, domain| {
        let proof = meets(program, exact, domain, &spec.accuracy, LibmUlps::default(), 2000, &[]);
        let found = find(program, exact, domain, Goal::Tolerance(&spec.accuracy), 2000);
        (proof, found.map_or(0.0, |f| f.error))
    })
}

/// All formulas, or those of a filter, without a table.
fn all(plan: &RoundingPlan, published: &Published, filter: Option<&str>) -> Vec<RoundingRow> {
    subjects(filter).iter().flat_map(|s| measure(plan, &FormulaTable::new(), published, s)).collect()
}

/// The paper's example of what its own method cannot tell (section 5.4).
#[test]
fn the_order_of_a_sum_decides_its_accuracy() {
    let sum = |body: &str| {
        spec(&format!(
            "(FPCore (x1 x2 x3) :precision binary32 :magneto-rel-error 1e-7
               :pre (and (<= 1024 x1 2048) (<= 1 x2 2) (<= -2048 x3 -1024)) {body})"
        ))
    };
    let (proof, found) = plain(&sum("(+ (+ x1 x3) x2)"), Format::BINARY32);
    let proof = proof.expect("a proof: the first sum is exact, the second correctly rounded");
    assert!(found <= proof.value && proof.value <= 1.0, "{found} {proof:?}");
    let (proof, found) = plain(&sum("(+ (+ x1 x2) x3)"), Format::BINARY32);
    assert!(proof.is_none() && found > 1.0, "{found} {proof:?}");
}

#[test]
fn bounds_in_units_in_the_last_place() {
    // Correctly rounded, in every binade.
    let (proof, _) = plain(&spec("(FPCore (x) :magneto-ulps 0.5 :pre (<= 0.1 x 1000) (sqrt x))"), Format::BINARY64);
    assert!(proof.is_some());
    let (proof, _) = plain(&spec("(FPCore (x) :magneto-ulps 0.49 :pre (<= 0.1 x 1000) (sqrt x))"), Format::BINARY64);
    assert!(proof.is_none());
    // A library function within 1 ulp.
    let (proof, _) = plain(&spec("(FPCore (x) :magneto-ulps 1 :pre (<= 0.1 x 10) (exp x))"), Format::BINARY64);
    assert!(proof.is_some());
    // Cancellation.
    let (proof, found) =
        plain(&spec("(FPCore (x) :magneto-ulps 1 :pre (<= 1e-9 x 1) (- (exp x) 1))"), Format::BINARY64);
    assert!(proof.is_none() && found > 1.0);
}

#[test]
fn overflow_and_missing_values_are_not_proved_away() {
    for body in ["(sqrt (* x x))", "(- (* x x) (* x x))"] {
        let text = format!("(FPCore (x) :magneto-abs-error 1e-3 :pre (<= 1 x 1e200) {body})");
        assert!(plain(&spec(&text), Format::BINARY64).0.is_none(), "{body}");
    }
    // The computed argument of the root may be negative.
    let text = "(FPCore (x y) :magneto-abs-error 1 :pre (and (<= 0 x 1) (<= 0 y 1))
                  (sqrt (- (* (+ x y) (+ x y)) (* (* 4 x) y))))";
    assert!(plain(&spec(text), Format::BINARY64).0.is_none());
}

/// The sides of a triangle whose area has a value by a condition alone, which no box of the ranges shows.
#[test]
fn conditions_bound_what_is_linear() {
    let heron = |margin: &str, pre: &str| {
        spec(&format!(
            "(FPCore (a b c) :magneto-rel-error 1e-10 :pre (and (<= 1 a 9) (<= 1 b 9) (<= 1 c 9) {pre}
               (<= (+ c {margin}) (+ a b)) (> (+ a c) (+ b {margin})) (> (- b {margin}) (- a c)))
               (let ([s (/ (+ (+ a b) c) 2)]) (sqrt (* (* (* s (- s a)) (- s b)) (- s c)))))"
        ))
    };
    let (proof, found) = plain(&heron("0.1", ""), Format::BINARY64);
    assert!(found <= proof.expect("a proof").value, "{found}");
    // Sides that may be on a line, a condition that does not always hold, and one that bounds something else.
    assert!(plain(&heron("0", ""), Format::BINARY64).0.is_none());
    assert!(plain(&heron("-0.1", "(or (<= a b) (<= b c))"), Format::BINARY64).0.is_none());
    assert!(plain(&heron("-0.1", "(<= (+ c 0.1) (+ a a))"), Format::BINARY64).0.is_none());
}

/// Sides in ascending order: c - b is below a by one condition, and so exact, which a box shows only where it is small.
#[test]
fn conditions_and_boxes_bound_together() {
    let sorted = |margin: &str, order: &str| {
        spec(&format!(
            "(FPCore (a b c) :magneto-rel-error 1e-10
               :pre (and (<= 1 a 9) (<= 1 b 9) (<= 1 c 9) (> (+ a b) (+ c {margin})) {order})
               (- a (- c b)))"
        ))
    };
    let (proof, found) = plain(&sorted("1e-6", "(<= a b c)"), Format::BINARY64);
    assert!(found <= proof.expect("a proof").value, "{found}");
    // Without the order a may be far larger than b, and the error of c - b, and without a margin a + b may be c.
    assert!(plain(&sorted("1e-6", "(<= b c)"), Format::BINARY64).0.is_none());
    assert!(plain(&sorted("-1e-6", "(<= a b c)"), Format::BINARY64).0.is_none());
}

/// s (s - a), multiplied out, is a multiple of what a condition bounds.
#[test]
fn conditions_bound_multiples_of_what_they_compare() {
    let area = |margin: &str| {
        spec(&format!(
            "(FPCore (a b c) :magneto-rel-error 1e-10
               :pre (and (<= 1 a 9) (<= 1 b 9) (<= 1 c 9) (>= (+ b c) (+ a {margin})))
               (let ([s (/ (+ (+ a b) c) 2)]) (- (* s s) (* s a))))"
        ))
    };
    let (proof, found) = plain(&area("0.1"), Format::BINARY64);
    assert!(found <= proof.expect("a proof").value, "{found}");
    assert!(plain(&area("0"), Format::BINARY64).0.is_none());
}

/// Products that are no negative numbers because a factor stands twice, in sums with another such number.
#[test]
fn repeated_factors_have_no_sign() {
    let sum = |p: i32| {
        spec(&format!(
            "(FPCore (p h) :magneto-rel-error 1e-14 :pre (and (<= {p} p 100) (<= -2 h 2)) (fma (* h p) h (+ (* (* h p) h) 0.5)))"
        ))
    };
    let (proof, found) = plain(&sum(0), Format::BINARY64);
    assert!(found <= proof.expect("a proof").value, "{found}");
    assert!(plain(&sum(-100), Format::BINARY64).0.is_none());
}

/// A root by two formulas, each where it is accurate: a program may take the other one, and errs by no more than that does.
#[test]
fn branches_that_are_one_function_make_no_jump() {
    let root = |below: &str| {
        spec(&format!(
            "(FPCore (c) :precision binary32 :magneto-rel-error 1e-5 :magneto-abs-error 1e-36 :pre (<= -2 c 1)
               (let ([d (- 12.25 (* 12 c))])
                 (if (> (- 12.25 (* 3.1 c)) 10)
                     (/ (* c 2) (- (- 3.5) (sqrt d)))
                     (/ (+ -3.5 (sqrt d)) {below}))))"
        ))
    };
    let (proof, found) = plain(&root("6"), Format::BINARY32);
    assert!(found <= proof.expect("a proof").value, "{found}");
    // Nearly one function is not enough.
    assert!(plain(&root("6.001"), Format::BINARY32).0.is_none());
}

/// Sums of terms of which one is small beside the other by a power of the inputs, on boxes that reach to 0.
#[test]
fn shares_of_sums_are_known_where_both_terms_vanish() {
    let polynomial = |most: u32, body: &str| {
        spec(&format!("(FPCore (x y) :magneto-rel-error 1e-10 :pre (and (<= 0 x {most}) (<= 0 y {most})) {body})"))
    };
    for body in ["(- x (* (* x x) (* x 0.125)))", "(+ (- (* -12 x) (* 7 y)) (* y y))", "(- (* (* y y) y) (* 16 y))"] {
        let (proof, found) = plain(&polynomial(2, body), Format::BINARY64);
        assert!(found <= proof.unwrap_or_else(|| panic!("a proof of {body}")).value, "{found}");
        // Where the terms may cancel.
        assert!(plain(&polynomial(8, body), Format::BINARY64).0.is_none(), "{body}");
    }
}

/// Where results are so small that no number of the format may be within the tolerance, a proof says that the program
/// returns one wherever there is one. At inputs of which the value is about so many times the least number that half of it
/// is the tolerance, that is looked at in exact arithmetic.
#[test]
fn results_near_the_least_number_are_as_near_as_any() {
    let least = f64::from_bits(1);
    let (tolerance, bits) = (Rational::from((1, 10_000_000_000u64)), 1200);
    let mut proved = 0;
    for (body, is_right) in [
        ("(/ (* x 2) (- (- 3.5) (sqrt (- 12.25 (* x 12)))))", true),
        ("(/ x 7)", true),
        ("(/ (* x 5) (pow 49 0.5))", true),
        ("(- (+ (- x (/ (* (* x x) x) 6)) (/ (* (* (* (* x x) x) x) x) 120)) (* (* x x) (fma x x x)))", true),
        ("(* 0.75 x)", false),
        ("(/ (* 0.75 x) 7)", false),
        ("(* (/ x 3) 3)", false),
        ("(- (/ x 3) (/ x 7))", false),
        ("(* 0.954929658551372 x)", false),
        ("(/ x 6)", false),
    ] {
        let spec = spec(&format!("(FPCore (x) :pre (<= -2e-313 x 2e-313) :magneto-rel-error 1e-10 {body})"));
        let (proof, found) = plain(&spec, Format::BINARY64);
        assert!(proof.is_none() || found <= 1.0, "{body}: {found}");
        assert!(proof.is_some() || !is_right, "{body}: {found}");
        proved += u32::from(proof.is_some());
        as_written(&spec, Format::BINARY64, |program, exact, _| {
            let mut values = Vec::new();
            let mut scratch = Vec::new();
            let slope = program.point(&[1e-290], &mut scratch) / 1e-290;
            let (mut asked, mut missed) = (0, 0);
            for k in -4000i32..=4000 {
                // The least few, and those at which the value is about 5e9 of the least number.
                for x in [f64::from(k) * least, ((5e9 + f64::from(k)) / slope).round() * least] {
                    let inputs = [MpInterval::from_f64(x, bits)];
                    evaluate(exact.tape, &mut Multi { inputs: &inputs, precision: bits }, &mut values);
                    let f = values[exact.root.index()].lo.to_rational().unwrap();
                    let is_valid = |y: f64| (rational(y) - &f).abs() <= Rational::from(&tolerance * &f).abs();
                    let near = Format::BINARY64.nearest(values[exact.root.index()].lo.to_f64());
                    asked += u32::from(is_valid(near));
                    missed += u32::from(is_valid(near) && !is_valid(program.point(&[x], &mut scratch)));
                }
            }
            assert!(asked > 1000 && (missed == 0 || proof.is_none()), "{body}: {missed} of {asked}, {proof:?}");
        });
    }
    assert!(proved >= 4, "{proved}");
}

/// Four times a quarter of x, less x, is 0, and -x is what is computed where x is the least number: two numbers of the format
/// that are one least number apart are both within an error of one.
#[test]
fn an_error_of_one_least_number_is_not_as_near_as_any() {
    let of = |body: &str| spec(&format!("(FPCore (x) :pre (<= 4.9e-324 x 5e-324) :magneto-rel-error 1e-10 {body})"));
    let (written, zero) = (of("(- (* (* 0.25 x) 4) x)"), of("0"));
    let proof = as_written(&written, Format::BINARY64, |program, _, domain| {
        let least = f64::from_bits(1);
        assert_eq!(program.point(&[least], &mut Vec::new()), -least);
        let function = Formula::new(&zero);
        let exact = RealFunction { tape: &function.tape, root: function.root, conditions: &[] };
        meets(program, exact, domain, &written.accuracy, LibmUlps::default(), 60, &[])
    });
    assert!(proof.is_none(), "{proof:?}");
}

/// What returns x where 1.5 x is asked for errs by a third of the exact value.
#[test]
fn errors_found_are_counted_in_units_of_the_exact_value() {
    let of = |body: &str| spec(&format!("(FPCore (x) :pre (<= -1e9 x 1e9) :magneto-ulps 4 {body})"));
    let (written, asked) = (of("x"), of("(* 1.5 x)"));
    let function = Formula::new(&asked);
    let exact = RealFunction { tape: &function.tape, root: function.root, conditions: &[] };
    as_written(&written, Format::BINARY64, |program, _, _| {
        for x in [1.0f64, 1.25, 1.5, 2.5, 1e-3, 3e8, 1e-310] {
            let f = 1.5 * x;
            let units = 0.5 * x / (f.next_up() - f);
            for at in [x, -x] {
                let goal = Goal::Tolerance(&asked.accuracy);
                let found = largest_of(program, exact, goal, &[vec![at]], 0.0, |_| true).expect("an error");
                assert!((found.error - units / 4.0).abs() <= 1e-9 * units, "{at}: {} {units}", found.error);
            }
        }
    });
}

#[test]
fn no_error_found_is_above_a_bound() {
    let long = std::env::var_os("MAGNETO_LONG").is_some();
    let (boxes, evaluations) = if long { (2000, 10_000) } else { (60, 60) };
    let plan = RoundingPlan { boxes, evaluations, ulps: LibmUlps::default() };
    let rows = all(&plan, &Published::new(), None);
    let s = summary(&rows);
    for row in &rows {
        assert!(!row.contradicted(), "{row:?}");
    }
    assert_eq!(s.formulas, 230);
    assert!(s.met >= 60 && s.missed >= 60, "{s:?}");
    assert!(rows.iter().all(|r| r.status != RoundingStatus::Met || r.relative_found.is_none_or(|e| e <= 1e-4)));
}

#[test]
fn tables_are_read_with_the_line_of_what_is_wrong() {
    let head = "name,suite,format,abs_bound,rel_bound,cpu_seconds,abs_lower,rel_lower\n";
    let table = read(&format!("{head}f,s,binary64,2,,5,1,\nf,s,binary64,1,3,6,0.5,\n")).unwrap();
    let one = table.values().next().unwrap();
    assert_eq!(
        (one.absolute, one.relative, one.seconds, one.absolute_found),
        (Some(1.0), Some(3.0), Some(5.0), Some(1.0))
    );
    assert_eq!(read(&format!("{head}f,s,binary64,x,,5,1,\n")), Err("line 2: `x` is not a number".into()));
    assert_eq!(read("name,suite\n"), Err("line 1: there is no column `format`".into()));
}

#[test]
fn published_bounds_stand_beside_those_proved() {
    let text = "name,One,Two,best,best_by\nsineOrder3,1e-15,,1e-15,One\nsqroot,5.4e-16,1e-30,1e-30,Two\n";
    let published = read_published(text).unwrap();
    let plan = RoundingPlan { boxes: 200, evaluations: 50, ulps: LibmUlps::default() };
    let rows = all(&plan, &published, Some("sineOrder3"));
    let row = rows.iter().find(|r| r.format == "binary64").unwrap();
    assert_eq!(row.best_published(), Some(("One", 1e-15)));
    assert!(rows.iter().all(|r| r.format == "binary64" || r.published.is_empty()));
    let mut rows = rows;
    rows.extend(all(&plan, &published, Some("sqroot")));
    let s = summary(&rows);
    // No bound is at most 1e-30 where the result is about 1.
    assert_eq!((s.published, s.at_most_published), (2, 1));
    assert_eq!(read_published("name,One\nf,x\n"), Err("line 2: `x` is not a number".into()));
    assert_eq!(read_published("One\n1\n"), Err("line 1: there is no column `name`".into()));
}

/// What is left out because it surely is small changes nothing of what is large.
#[test]
fn errors_that_are_left_out_are_small() {
    let (mut large, mut small) = (0, 0);
    for b in benchmarks(ALL, None) {
        let spec = b.spec.unwrap();
        let [all, few] = as_written(&spec, Format::BINARY64, |program, exact, domain| {
            let (goal, points) = (Goal::Tolerance(&spec.accuracy), probes(domain));
            [0.0, 0.5].map(|ignored| largest_of(program, exact, goal, &points, ignored, |_| true))
        });
        let size = all.as_ref().map_or(0.0, |a| a.error);
        if size > 0.5 {
            assert_eq!(all, few, "{}", spec.name);
            large += 1;
        } else {
            assert!(few.is_none_or(|f| f.error <= size), "{}", spec.name);
            small += 1;
        }
    }
    assert!(large >= 10 && small >= 30, "{large} {small}");
}

#[test]
fn the_standard_model_is_a_second_opinion() {
    let mut agreed = 0;
    for b in benchmarks(ALL, None) {
        let spec = b.spec.unwrap();
        let (first, second, found) = as_written(&spec, Format::BINARY64, |program, exact, domain| {
            let ulps = LibmUlps::default();
            let first = meets(program, exact, domain, &spec.accuracy, ulps, 60, &[]);
            let second = standard_bound(program, exact, domain, &spec.accuracy, ulps, 60).unwrap();
            (first, second, find(program, exact, domain, Goal::Tolerance(&spec.accuracy), 60))
        });
        assert!(found.is_none_or(|f| f.error <= second.value), "{}", spec.name);
        agreed += u32::from(first.is_some() && second.value <= 1.0);
    }
    assert!(agreed >= 20, "{agreed}");
}

/// The boxes of one proof hold all of the domain, and are a start for another program with the same function.
#[test]
fn one_proof_begins_where_another_ended() {
    let form = |body: &str| {
        spec(&format!(
            "(FPCore (x y) :precision binary64 :pre (and (<= 0.1 x 3) (<= -2 y 2) (< (* x y) 5)) :magneto-rel-error 2e-15 {body})"
        ))
    };
    let [first, second] = [form("(+ (* x x) (+ (* y y) (* x y)))"), form("(+ (+ (* x x) (* y y)) (* x y))")];
    let proof = |spec: &Spec, boxes: u64, start: &[Vec<Interval>]| {
        as_written(spec, Format::BINARY64, |program, exact, domain| {
            meets(program, exact, domain, &spec.accuracy, LibmUlps::default(), boxes, start)
        })
    };
    let known = proof(&first, 4000, &[]).expect("a proof");
    let parts = known.cover.len() as u64;
    assert!(parts > 10 && parts * 3 < known.boxes, "{parts} {}", known.boxes);
    for (i, j) in (0..=40).flat_map(|i| (0..=40).map(move |j| (i, j))) {
        let at = [0.1 + 2.9 * f64::from(i) / 40.0, -2.0 + f64::from(j) / 10.0];
        let held = known.cover.iter().any(|b| b.iter().zip(&at).all(|(r, x)| r.contains(*x)));
        assert!(held || at[0] * at[1] >= 5.0, "{at:?}");
    }
    let again = proof(&second, parts * 2, &known.cover).expect("a proof");
    assert!(again.value <= 1.0 && proof(&second, parts * 2, &[]).is_none());
}
