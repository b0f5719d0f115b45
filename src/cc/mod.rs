//! C, C++ and Fortran on this machine: compilers and what they are called with, declarations that a person writes, and
//! debugging information.

pub mod compiler;
pub mod debug;
pub mod declaration;
mod dwarf;
pub mod imports;
mod layouts;
pub mod library;
pub mod names;
pub mod prototype;
pub mod shape;
pub mod types;

pub use compiler::Flags;
pub use prototype::Prototype;
pub use types::{SourceFunction, SourceType, StructMember};
