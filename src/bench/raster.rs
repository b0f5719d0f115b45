//! SVG to PNG with a font that is in the program, so that no machine needs one. The only module that names resvg and
//! the font.

use super::NotMade;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

/// Pixels of the PNG for one of the SVG.
const SCALE: f32 = 1.5;

/// The picture as PNG.
///
/// # Errors
/// What the library says.
pub fn png(svg: &str) -> Result<Vec<u8>, NotMade> {
    let said = |e: &dyn std::fmt::Display| format!("cannot draw: {e}");
    let mut options = Options { font_family: "DejaVu Sans".into(), ..Options::default() };
    let fonts: &mut fontdb::Database = options.fontdb_mut();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    fonts.set_sans_serif_family("DejaVu Sans");
    let tree = Tree::from_str(svg, &options).map_err(|e| said(&e))?;
    let size = tree.size().to_int_size().scale_by(SCALE).ok_or("cannot draw: no size")?;
    let mut pixels = Pixmap::new(size.width(), size.height()).ok_or("cannot draw: no size")?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    Ok(pixels.encode_png().map_err(|e| said(&e))?)
}
