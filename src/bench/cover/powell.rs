//! Powell's method (1964): minimisation without derivatives, along directions that are renewed as it goes; each line is
//! searched by golden sections within a bracket.

/// A function of several numbers that also says that its budget is used up.
pub(super) type Objective<'f> = dyn FnMut(&[f64]) -> Option<f64> + 'f;

/// The golden ratio.
const GOLDEN: f64 = 1.618_033_988_749_895;
/// The most sections of one line, and the most rounds over all directions.
const SECTIONS: u32 = 60;
const ROUNDS: u32 = 20;
/// A round that gains less than this share ends.
const TOLERANCE: f64 = 1e-8;
/// A bracket that is narrower than this share ends the search of a line: what is left is for the next round.
const NARROW: f64 = 1e-2;

/// Go down from `x`; the value there. `None` where the budget is used up.
pub(super) fn minimise(x: &mut Vec<f64>, f: &mut Objective<'_>) -> Option<f64> {
    let n = x.len();
    let mut directions: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    let mut here = f(x)?;
    for _ in 0..ROUNDS {
        let (start, before) = (x.clone(), here);
        let mut best = (0, 0.0);
        for (i, direction) in directions.iter().enumerate() {
            let at = here;
            here = line(x, direction, here, f)?;
            if at - here > best.1 {
                best = (i, at - here);
            }
        }
        if here == 0.0 || before - here <= TOLERANCE * (before.abs() + here.abs()) {
            break;
        }
        // The way gone in this round takes the place of the direction that gained most.
        let gone: Vec<f64> = x.iter().zip(&start).map(|(a, b)| a - b).collect();
        if n > 1 && gone.iter().all(|d| d.is_finite()) && gone.iter().any(|d| *d != 0.0) {
            here = line(x, &gone, here, f)?;
            directions[best.0] = gone;
        }
    }
    Some(here)
}

fn at(x: &[f64], direction: &[f64], t: f64) -> Vec<f64> {
    x.iter().zip(direction).map(|(a, d)| a + t * d).collect()
}

/// Search along a line; `x` is moved to the best point, whose value is returned.
fn line(x: &mut Vec<f64>, direction: &[f64], here: f64, f: &mut Objective<'_>) -> Option<f64> {
    let mut try_at = |t: f64| Some(f(&at(x, direction, t))?).map(|y| if y.is_nan() { f64::INFINITY } else { y });
    // A bracket: from 0 downhill in steps that grow.
    let (mut a, mut b, mut value) = (0.0, 1.0, try_at(1.0)?);
    if value > here {
        (b, value) = (-1.0, try_at(-1.0)?);
    }
    let mut best = if value < here { (b, value) } else { (0.0, here) };
    let mut c = b;
    if value < here {
        for _ in 0..SECTIONS {
            c = b + GOLDEN * (b - a);
            let next = try_at(c)?;
            if next >= value || !c.is_finite() {
                break;
            }
            (a, b, value, best) = (b, c, next, (c, next));
        }
    } else {
        (a, c) = (-1.0, 1.0);
    }
    for _ in 0..SECTIONS {
        if best.1 == 0.0 || (c - a).abs() <= NARROW * (a.abs() + c.abs()) {
            break;
        }
        let (p, q) = (c - (c - a) / GOLDEN, a + (c - a) / GOLDEN);
        let (u, v) = (try_at(p)?, try_at(q)?);
        for (t, y) in [(p, u), (q, v)] {
            if y < best.1 {
                best = (t, y);
            }
        }
        if u < v {
            c = q;
        } else {
            a = p;
        }
    }
    *x = at(x, direction, best.0);
    Some(best.1)
}
