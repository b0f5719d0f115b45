//! The picture of a search for the worst input: the largest errors over the domain.

use super::NotMade;
use super::draw::{Axis, Map, Panel, Series, map, number, panels};
use crate::record::store::Files;
use crate::search::most::space::Space;
use crate::spec::diagnostic::visible;
use crate::spec::{InputBox, Spec};
use crate::worst::Profile;

/// Where magnitudes differ by more than this power of ten an axis is logarithmic.
const WIDE: f64 = 3.0;
/// Errors in units of the bound at which colours change.
const STEPS: [f64; 5] = [0.5, 1.0, 10.0, 1e3, 1e6];

/// `worst.svg`; nothing for more than two inputs, or where nothing was judged.
///
/// # Errors
/// What the libraries that draw say.
pub fn figure(spec: &Spec, profile: &Profile) -> Result<Files, NotMade> {
    let points: Vec<(&[f64], f64)> =
        profile.cells.iter().flatten().map(|(input, error)| (input.as_slice(), *error)).collect();
    let drawn = match spec.inputs.len() {
        _ if points.is_empty() => None,
        1 => Some(panels(&over_one(spec, &points))?),
        2 => Some(over_two(spec, profile)?),
        _ => None,
    };
    let mut files = Files::new();
    if let Some(svg) = drawn {
        files.insert("worst.svg".to_owned(), svg.into_bytes());
    }
    Ok(files)
}

/// Errors over one input: a panel for each sign where magnitudes differ much.
fn over_one(spec: &Spec, points: &[(&[f64], f64)]) -> Vec<Panel> {
    let (name, title) = (&spec.inputs[0].name, format!("{}: largest errors found", visible(&spec.name)));
    let of = |sign: f64| -> Vec<(f64, f64)> {
        let own = points.iter().filter(|p| p.0[0] * sign > 0.0);
        own.map(|p| (p.0[0].abs().log10(), height(p.1))).collect()
    };
    let is_wide = |list: &[(f64, f64)]| ends(list.iter().map(|p| p.0)).is_some_and(|(lo, hi)| hi - lo > WIDE);
    let sides = [(1.0, format!("log10 {name}")), (-1.0, format!("log10 |{name}|, where {name} < 0"))];
    let panel = |label: &str, points: Vec<(f64, f64)>| {
        let (from, to) = ends(points.iter().map(|p| p.0)).unwrap_or((0.0, 1.0));
        let (low, high) = ends(points.iter().map(|p| p.1).chain([0.0])).unwrap_or((0.0, 1.0));
        let bound = Series { name: "the bound".into(), style: 5, joined: true, points: vec![(from, 0.0), (to, 0.0)] };
        let x = Axis::linear(label, from, to);
        let y = Axis::linear("log10 of the error in units of the bound", low.floor(), high.ceil().max(1.0));
        let found = Series { name: "largest error found".into(), style: 0, joined: false, points };
        Panel { title: title.clone(), x, y, series: vec![bound, found] }
    };
    if sides.iter().any(|(sign, _)| is_wide(&of(*sign))) {
        let lists = sides.into_iter().map(|(sign, label)| (label, of(sign))).filter(|s| !s.1.is_empty());
        return lists.map(|(label, list)| panel(&label, list)).collect();
    }
    vec![panel(name, points.iter().map(|p| (p.0[0], height(p.1))).collect())]
}

/// An error as its logarithm. Axes are linear in it: the library takes minutes for a logarithmic axis of all binary64
/// magnitudes.
fn height(error: f64) -> f64 {
    error.clamp(1e-6, 1e300).log10()
}

/// The smallest and the largest of some numbers, a little apart.
fn ends(numbers: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let (lo, hi) = numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    (lo <= hi).then_some((lo, if hi > lo { hi } else { lo + 1.0 }))
}

/// A map of errors over two inputs, each axis by place in the sequence of floats.
fn over_two(spec: &Spec, profile: &Profile) -> Result<String, NotMade> {
    let space = Space::new(&InputBox::new(spec)?);
    let columns = profile.columns;
    let level = |error: f64| STEPS.iter().take_while(|step| error >= **step).count();
    let seen = profile.cells.iter().enumerate().filter_map(|(k, cell)| Some((k, cell.as_ref()?.1)));
    let cells = seen.map(|(k, error)| (k / columns, k % columns, level(error))).collect();
    let levels = (0..=STEPS.len()).map(|k| match (k.checked_sub(1).map(|k| STEPS[k]), STEPS.get(k)) {
        (None, Some(to)) => format!("below {}", number(*to)),
        (Some(from), Some(to)) => format!("{} to {}", number(from), number(*to)),
        (from, None) => format!("{} and more", number(from.unwrap_or_default())),
    });
    // The value that begins a column.
    let value_at = |k: usize, column: f64| {
        let (lo, hi) = (i128::from(space.whole.lo[k]), i128::from(space.whole.hi[k]));
        let place = lo + (hi - lo) * column as i128 / columns as i128;
        number(space.formats[k].from_rank(place as i64))
    };
    let (right, up) = (|column: f64| value_at(0, column), |row: f64| value_at(1, row));
    let label = |k: usize| format!("{}, equally many floats a column", spec.inputs[k].name);
    map(&Map {
        title: format!("{}: largest errors found, in units of the bound (white: not looked at)", visible(&spec.name)),
        axes: [(label(0), &right), (label(1), &up)],
        columns,
        levels: levels.collect(),
        cells,
    })
}
