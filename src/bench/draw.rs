//! Plots as SVG. The only module that names plotters.

use super::NotMade;
use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Colours that people with a colour deficiency can tell apart (Okabe and Ito, 2008).
const PALETTE: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(213, 94, 0),
    RGBColor(120, 120, 120),
];

/// The width of a plot in pixels.
const WIDTH: u32 = 960;
/// The height of a panel in pixels.
const PANEL: u32 = 330;
/// The height of the legend in pixels.
const LEGEND: u32 = 34;
/// The size of text in pixels.
const TEXT: u32 = 14;

/// One axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What it shows, with the unit.
    pub label: String,
    /// From and to.
    pub range: (f64, f64),
    /// Whether equal ratios have equal lengths.
    pub log: bool,
}

impl Axis {
    /// A linear axis.
    #[must_use]
    pub fn linear(label: &str, from: f64, to: f64) -> Self {
        Axis { label: label.to_owned(), range: (from, to), log: false }
    }

    /// A logarithmic axis over powers of ten around positive values.
    #[must_use]
    pub fn log(label: &str, values: impl Iterator<Item = f64>) -> Self {
        let (lo, hi) = values.filter(|v| *v > 0.0).fold((f64::INFINITY, 0.0_f64), |(a, b), v| (a.min(v), b.max(v)));
        let (lo, hi) = if lo <= hi { (lo, hi) } else { (1.0, 10.0) };
        let (lo, hi) = (lo.log10().floor(), hi.log10().ceil());
        Axis { label: label.to_owned(), range: (10f64.powf(lo), 10f64.powf(hi.max(lo + 1.0))), log: true }
    }
}

/// Points of one kind, in the same colour in every panel.
#[derive(Clone, Debug)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// Which colour and mark.
    pub style: usize,
    /// Whether a line joins the points.
    pub joined: bool,
    /// The points.
    pub points: Vec<(f64, f64)>,
}

/// One coordinate system.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What it shows.
    pub title: String,
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// What is drawn, the last on top.
    pub series: Vec<Series>,
}

/// A horizontal bar of shares that add up to 1.
#[derive(Clone, Debug)]
pub struct Bar {
    /// The name before it.
    pub label: String,
    /// What stands after it.
    pub note: String,
    /// The shares in the order of the legend.
    pub shares: Vec<f64>,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

fn said<E: std::fmt::Display>(e: E) -> String {
    format!("cannot draw: {e}")
}

/// Panels one above the other under one legend.
///
/// # Errors
/// What the library says.
pub fn panels(panels: &[Panel]) -> Result<String, NotMade> {
    let mut names: Vec<(&str, usize)> = Vec::new();
    for s in panels.iter().flat_map(|p| &p.series) {
        if !names.iter().any(|(n, _)| *n == s.name) {
            names.push((&s.name, s.style));
        }
    }
    let height = LEGEND + PANEL * u32::try_from(panels.len()).unwrap_or(1);
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        root.fill(&WHITE).map_err(said)?;
        legend(&root, &names, Some(mark), &PALETTE)?;
        let (_, body) = root.split_vertically(LEGEND);
        for (area, panel) in body.split_evenly((panels.len().max(1), 1)).iter().zip(panels) {
            let ((x0, x1), (y0, y1)) = (panel.x.range, panel.y.range);
            match (panel.x.log, panel.y.log) {
                (false, false) => one(area, panel, x0..x1, y0..y1)?,
                (true, false) => one(area, panel, (x0..x1).log_scale(), y0..y1)?,
                (false, true) => one(area, panel, x0..x1, (y0..y1).log_scale())?,
                (true, true) => one(area, panel, (x0..x1).log_scale(), (y0..y1).log_scale())?,
            }
        }
        root.present().map_err(said)?;
    }
    Ok(svg)
}

fn one<X, Y>(area: &Area<'_>, panel: &Panel, x: X, y: Y) -> Result<(), NotMade>
where
    X: AsRangedCoord<Value = f64>,
    Y: AsRangedCoord<Value = f64>,
    X::CoordDescType: ValueFormatter<f64> + Ranged<ValueType = f64>,
    Y::CoordDescType: ValueFormatter<f64> + Ranged<ValueType = f64>,
{
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, ("sans-serif", TEXT + 3))
        .margin(10)
        .margin_right(24)
        .x_label_area_size(44)
        .y_label_area_size(66)
        .build_cartesian_2d(x, y)
        .map_err(said)?;
    chart
        .configure_mesh()
        .x_desc(&panel.x.label)
        .y_desc(&panel.y.label)
        .x_labels(12)
        .y_labels(8)
        .x_label_formatter(&|v| number(*v))
        .y_label_formatter(&|v| number(*v))
        .label_style(("sans-serif", TEXT - 1))
        .axis_desc_style(("sans-serif", TEXT))
        .light_line_style(RGBColor(245, 245, 245))
        .bold_line_style(RGBColor(225, 225, 225))
        .draw()
        .map_err(said)?;
    for s in &panel.series {
        let color = PALETTE[s.style % PALETTE.len()];
        if s.joined {
            chart.draw_series(LineSeries::new(s.points.iter().copied(), color.stroke_width(2))).map_err(said)?;
        }
        let marks = s.points.iter().map(|p| EmptyElement::at(*p) + mark((0, 0), s.style));
        chart.draw_series(marks).map_err(said)?;
    }
    Ok(())
}

/// The mark of a style: filled or hollow, so that it is not told by colour alone.
fn mark(at: (i32, i32), style: usize) -> Circle<(i32, i32), i32> {
    let color = PALETTE[style % PALETTE.len()];
    let (size, fill) = match style % 3 {
        0 => (4, color.filled()),
        1 => (5, color.stroke_width(2)),
        _ => (3, color.filled()),
    };
    Circle::new(at, size, fill)
}

/// Shares as stacked bars under one legend.
///
/// # Errors
/// What the library says.
pub fn bars(title: &str, parts: &[&str], bars: &[Bar]) -> Result<String, NotMade> {
    const ROW: i32 = 34;
    const LEFT: i32 = 170;
    const RIGHT: i32 = 130;
    let top = i32::try_from(LEGEND).unwrap_or(0) + 40;
    let rows = i32::try_from(bars.len()).unwrap_or(0);
    let height = top + rows * ROW + 50;
    let wide = f64::from(i32::try_from(WIDTH).unwrap_or(0) - LEFT - RIGHT);
    let across = |share: f64| LEFT + (share * wide).round() as i32;
    let font = ("sans-serif", TEXT).into_font();
    let anchored = |h: HPos| font.clone().color(&BLACK).pos(Pos::new(h, VPos::Center));
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (WIDTH, height.unsigned_abs())).into_drawing_area();
        root.fill(&WHITE).map_err(said)?;
        let named: Vec<(&str, usize)> = parts.iter().copied().zip(0..).collect();
        legend(&root, &named, None, &PALETTE)?;
        let heading = ("sans-serif", TEXT + 3).into_font().color(&BLACK).pos(Pos::new(HPos::Center, VPos::Center));
        root.draw(&Text::new(title.to_owned(), (across(0.5), top - 18), heading)).map_err(said)?;
        for tick in 0..=10 {
            let x = across(f64::from(tick) / 10.0);
            let line = PathElement::new([(x, top), (x, top + rows * ROW)], RGBColor(225, 225, 225));
            root.draw(&line).map_err(said)?;
            let label = Text::new(format!("{} %", tick * 10), (x, top + rows * ROW + 16), anchored(HPos::Center));
            root.draw(&label).map_err(said)?;
        }
        for (k, bar) in (0..).zip(bars) {
            let (above, below) = (top + k * ROW + 5, top + (k + 1) * ROW - 5);
            let middle = i32::midpoint(above, below);
            root.draw(&Text::new(bar.label.clone(), (LEFT - 10, middle), anchored(HPos::Right))).map_err(said)?;
            let mut from = 0.0;
            for (style, share) in bar.shares.iter().enumerate() {
                let corners = [(across(from), above), (across(from + share), below)];
                if *share > 0.0 {
                    root.draw(&Rectangle::new(corners, PALETTE[style % PALETTE.len()].filled())).map_err(said)?;
                }
                from += share;
            }
            root.draw(&Text::new(bar.note.clone(), (across(1.0) + 10, middle), anchored(HPos::Left))).map_err(said)?;
        }
        root.present().map_err(said)?;
    }
    Ok(svg)
}

/// How a style is marked at a place.
type Marked = fn((i32, i32), usize) -> Circle<(i32, i32), i32>;

/// The names with their marks or colours, in one line at the top.
fn legend(
    root: &Area<'_>,
    names: &[(&str, usize)],
    marked: Option<Marked>,
    colours: &[RGBColor],
) -> Result<(), NotMade> {
    let style = ("sans-serif", TEXT).into_font().color(&BLACK).pos(Pos::new(HPos::Left, VPos::Center));
    let middle = i32::try_from(LEGEND).unwrap_or(0) / 2 + 2;
    let mut x = 76;
    for (name, k) in names {
        if let Some(mark) = marked {
            root.draw(&mark((x, middle), *k)).map_err(said)?;
        } else {
            let fill = colours[k % colours.len()].filled();
            root.draw(&Rectangle::new([(x - 7, middle - 7), (x + 7, middle + 7)], fill)).map_err(said)?;
        }
        root.draw(&Text::new((*name).to_owned(), (x + 13, middle), style.clone())).map_err(said)?;
        // The widths of a text's letters are about 0.57 of its size.
        x += 44 + (name.chars().count() as f64 * f64::from(TEXT) * 0.57) as i32;
    }
    Ok(())
}

/// A number at an axis: short, and a power of ten where it is far from 1.
fn number(v: f64) -> String {
    let near = (1e-3..1e5).contains(&v.abs()) || v == 0.0;
    if near { crate::report::number::decimal((v * 1e6).round() / 1e6) } else { format!("{v:.0e}") }
}
