//! Formulas over floats and bits as gates, for a SAT solver.
//!
//! Gates become clauses as they are made ([`circuit`]), for one of two solvers (`clauses`); words of bits and floats are made of them ([`words`], [`float`]), and the terms
//! of a graph of both (`blast`). [`search`] asks the solver, and whatever it finds is evaluated exactly
//! ([`mod@crate::solve::float::evaluation`]) before it is told. Operations that no gates are made for are open at first; where a
//! solution has a wrong value for one, that is forbidden, and the solver is asked again.

mod blast;
pub mod circuit;
mod clauses;
pub mod float;
pub mod search;
pub mod words;

pub use search::{SatSearch, SatVerdict};
