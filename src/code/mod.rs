//! Code under test as a program that can be watched: a WebAssembly module and an interpreter that is generic over its
//! values.
//!
//! [`compile`] turns C into a [`module`] whose branches are the source's, `decode` reads it, [`machine`] runs it over a
//! [`machine::ValueDomain`]: over bits ([`run`]) or over sets of values ([`boxes`]). [`program`] is one function of it with
//! its inputs, and [`crate::cc::debug`] knows where in the source an instruction stands.

mod aliases;
mod answers;
mod arrange;
pub mod assumed;
pub mod attack;
mod bare;
pub mod before;
mod bits;
pub mod boxes;
mod called;
mod callers;
pub mod compile;
pub mod compiled;
pub mod counted;
pub mod dead;
mod decode;
pub mod faithful;
mod flow;
pub mod given;
pub mod goal;
mod host;
mod hosted;
mod input;
pub mod ins;
mod ir;
pub mod kind;
mod libc;
mod lower;
pub mod machine;
mod made;
mod makers;
pub mod memory;
pub mod module;
pub mod native;
pub mod nearby;
mod objects;
pub mod passing;
pub mod plain;
pub mod probe;
pub mod program;
pub mod relation;
pub mod run;
pub mod sets;
mod siblings;
mod stubs;
pub mod symbolic;
mod symbols;
mod untyped;
mod wishes;
mod written;
