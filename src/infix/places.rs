//! Where the parts of a formula stand in the text that a person wrote, once it was printed as FPCore and read again.

use crate::spec::core::{Core, Expr, Value};
use crate::text::Span;

/// The places of a formula in two texts.
#[derive(Clone, Debug)]
pub struct Places {
    /// The place of each part in the FPCore, with that in the text that was written.
    pairs: Vec<(Span, Span)>,
}

impl Places {
    /// Of a formula as it was read, and of the same one as it was printed.
    #[must_use]
    pub fn new(written: &Core, printed: &Core) -> Self {
        let mut places = Places { pairs: vec![(printed.span, written.span)] };
        let condition = |core: &'_ Core| match core.property("pre").map(|p| p.value.clone()) {
            Some(Value::Expr(e)) => Some(e),
            _ => None,
        };
        if let (Some(a), Some(b)) = (condition(written), condition(printed)) {
            places.add(&a, &b);
        }
        places.add(&written.body, &printed.body);
        places
    }

    fn add(&mut self, written: &Expr, printed: &Expr) {
        if written.span != Span::default() {
            self.pairs.push((printed.span, written.span));
        }
        for (a, b) in written.children().into_iter().zip(printed.children()) {
            self.add(a, b);
        }
    }

    /// The place in the written text of what stands at a place of the FPCore: that of the smallest part around it.
    #[must_use]
    pub fn written(&self, span: Span) -> Span {
        let around = self.pairs.iter().filter(|(printed, _)| printed.start <= span.start && span.end <= printed.end);
        around.min_by_key(|(printed, _)| printed.end - printed.start).map_or(self.pairs[0].1, |(_, written)| *written)
    }
}
