//! Binary floating-point formats and their values: one type of format for every width and precision ([`mod@format`]), their values
//! as ordinals ([`mod@ordinal`]), as numbers ([`mod@real`]) and as bits beside those of integers ([`mod@kind`]), sets of them ([`set`], [`finite`]), and correctly rounded arithmetic,
//! in any format and direction ([`soft`]) and by the machine ([`fast`]), each a test of the other.

pub mod fast;
pub mod finite;
pub mod format;
pub mod kind;
pub mod ordinal;
pub mod rational;
pub mod real;
pub mod set;
pub mod soft;

pub use finite::FloatSet;
pub use format::{Format, Rounding};
pub use kind::BitsKind;
pub use real::{count_floats, from_rank, middle_float, rank};
