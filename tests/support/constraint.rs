//! Problems without a specification and a mutant.

use magneto::csp::{Cone, Csp, InputBox};
use magneto::num::Interval;
use magneto::num::float::Format;
use magneto::tape::{Builder, NodeId};

/// A problem `root > 0` over a box: one constraint and nothing else.
pub(crate) fn constraint(b: Builder, root: NodeId, ranges: Vec<Interval>) -> Csp {
    let formats = vec![Format::Binary64; ranges.len()];
    let inputs = ranges.len();
    let (tape, at) = b.finish().extract(&[root]);
    let cone = Cone::of(&tape, &at);
    Csp {
        tape,
        start: InputBox { ranges, formats },
        inputs,
        f: at[0],
        g: at[0],
        gap: at[0],
        relative: None,
        scale: at[0],
        conditions: Vec::new(),
        exclusive: Vec::new(),
        auxiliary: Vec::new(),
        conditional: false,
        cone,
    }
}
