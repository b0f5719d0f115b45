//! What a run found, for people and for other tools: functions of what [`record`](crate::record) holds. Only the reading
//! of folders in [`forms`], [`html`], [`code`] and [`explain`] touches files.

pub mod cases;
pub mod check;
pub mod code;
pub mod cover;
pub mod diff;
pub mod evaluation;
pub mod explain;
pub mod forms;
#[cfg(feature = "html")]
pub mod html;
pub mod junit;
pub mod lint;
pub mod off;
pub mod oracle;
pub mod point;
pub mod reach;
pub mod specification;
pub mod tap;
pub mod text;
pub mod worst;

pub use crate::record::{number, words};
