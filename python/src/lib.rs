//! The native part of the Python package `magneto`: specifications, their oracles and tests, and judgements of functions that
//! Python calls; scripts of SMT-LIB. What a function may be, and how a person reads what comes of it, is Python's part (`python/magneto`).

mod judge;
mod marshal;
mod read;
mod solve;
mod specification;

use pyo3::prelude::*;

/// What `import magneto._magneto` gives.
#[pymodule]
fn _magneto(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<specification::Specification>()?;
    module.add_function(wrap_pyfunction!(solve::solve, module)?)?;
    module.add("Refused", module.py().get_type::<read::Refused>())?;
    module.add("Broken", module.py().get_type::<judge::Broken>())?;
    module.add("RULES", magneto::harness::PYTHON_RULES)?;
    module.add("VERSION", magneto::record::manifest::VERSION)
}
