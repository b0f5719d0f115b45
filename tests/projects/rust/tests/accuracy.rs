//! What the functions of the package owe.

use magneto::testing::Demand;
use magneto_example::{careless_growth, growth, mass_flow};

#[test]
fn growth_is_accurate() {
    let demand = Demand::new("x: [0,1] -> exp(x) - 1").rel_error(1e-12);
    demand.random(1000, 1).assert(growth);
}

#[test]
fn the_flow_meets_its_specification_and_refuses_other_inputs() {
    let demand = Demand::new("../../../specs/airflow.fpcore:airflow");
    demand.assert(mass_flow);
    demand.assert_searched(20_000, mass_flow);
}

/// Before it is put right a function may be known to be wrong.
#[test]
#[should_panic(expected = "each operation rounded to binary64")]
fn careless_growth_loses_digits() {
    Demand::new("x: [0,1] -> exp(x) - 1").rel_error(1e-12).assert(careless_growth);
}

#[test]
fn the_cause_is_found() {
    let report = Demand::new("x: [0,1] -> exp(x) - 1").ulps(2).check(|x: f64| x.exp_m1() + x.powi(9) / 1e6);
    let report = report.expect("it can be checked");
    assert!(!report.is_ok() && report.summary().contains(" was returned, and "), "{report}");
}
