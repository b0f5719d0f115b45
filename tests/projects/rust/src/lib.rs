//! Functions of a package that tests them with Magneto.

/// The growth exp(x) - 1 of a part x of the year, from 0 to 1.
#[must_use]
pub fn growth(x: f64) -> f64 {
    x.exp_m1()
}

/// The growth as many write it first: it loses digits near 0.
#[must_use]
pub fn careless_growth(x: f64) -> f64 {
    x.exp() - 1.0
}

/// The mass flow of air through an orifice. Units: dp and p in Pa, t in K, the flow in kg/s.
///
/// # Errors
/// An input outside of its range.
pub fn mass_flow(dp: f64, p: f64, t: f64) -> Result<f64, &'static str> {
    if !((100.0..=20e3).contains(&dp) && (50e3..=110e3).contains(&p) && (230.0..=330.0).contains(&t)) {
        return Err("an input is out of its range");
    }
    let rho = p / (287.05 * t);
    let beta = 0.6_f64;
    Ok(0.98 * 0.00196 * (2.0 * rho * dp / (1.0 - beta.powi(4))).sqrt())
}
