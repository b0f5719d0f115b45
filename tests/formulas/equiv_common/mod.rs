//! What the tests of proofs share: two cores on one tape, the prover, and an attack on its claims.

#![allow(dead_code, missing_docs, unreachable_pub)]

use magneto::equiv::{Proof, Prover};
use magneto::num::float::rational;
use magneto::num::{MpInterval, Ternary};
use magneto::points::probes::probes;
use magneto::spec::{InputBox, Overrides, Spec, parse_file, resolve};
use magneto::tape::eval::{Multi, Rationals, mp_truth};
use magneto::tape::lower::lower;
use magneto::tape::{Builder, NodeId, Tape, evaluate};
use std::path::Path;

/// A file of this repository.
pub fn file(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The paper's 69 formulas, in its order.
pub fn paper69() -> Vec<u8> {
    let order = String::from_utf8(file("fpbench/paper/ORDER")).unwrap();
    order.lines().filter(|l| !l.trim().is_empty()).flat_map(|l| file(&format!("fpbench/paper/{}", l.trim()))).collect()
}

/// All specifications of a source.
pub fn specs(source: &[u8]) -> Vec<Spec> {
    let file = parse_file(source);
    let usable = (0..file.cores.len()).filter_map(|i| resolve(&file, i, "test", &Overrides::default()).ok());
    usable.collect()
}

/// Two functions on one tape.
pub struct Pair {
    pub tape: Tape,
    pub f: NodeId,
    pub g: NodeId,
    pub domain: InputBox,
    pub conditions: Vec<NodeId>,
    pub names: Vec<String>,
}

impl Pair {
    /// The bodies of two specifications over the domain of the first.
    pub fn new(spec: &Spec, mutant: &Spec) -> Self {
        let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
        let mut b = Builder::new(names.len());
        let f = lower(&mut b, &names, &spec.core.body);
        let g = lower(&mut b, &names, &mutant.core.body);
        let conditions = spec.constraints.iter().map(|c| lower(&mut b, &names, c)).collect();
        Pair { tape: b.finish(), f, g, domain: InputBox::new(spec).unwrap(), conditions, names }
    }

    /// Two bodies over `inputs` with a precondition.
    pub fn text(inputs: &str, pre: &str, f: &str, g: &str) -> Self {
        let core = |body: &str| format!("(FPCore ({inputs}) :pre {pre} {body})");
        let source = format!("{}\n{}", core(f), core(g));
        let both = specs(source.as_bytes());
        assert_eq!(both.len(), 2, "not to be read: {source}");
        Pair::new(&both[0], &both[1])
    }

    pub fn prove(&self) -> Option<Proof> {
        Prover::new(&self.tape, &self.domain, &self.conditions).with_names(&self.names).prove_equal(self.f, self.g)
    }
}

/// Points of the domain: the program's probes, and a grid from end to end.
pub fn points(domain: &InputBox) -> Vec<Vec<f64>> {
    let mut points = probes(domain);
    let n = domain.ranges.len();
    for k in 0..240_u32 {
        let at: Vec<f64> = domain
            .ranges
            .iter()
            .enumerate()
            .map(|(i, r)| {
                let t = f64::from(k * (2 * i as u32 + 1) % 241) / 240.0;
                r.inf() * (1.0 - t) + r.sup() * t
            })
            .collect();
        points.push(domain.clamp(&at));
    }
    // Ends and neighbours of ends of one input, the others anywhere.
    for i in 0..n {
        for x in [
            domain.ranges[i].inf(),
            domain.ranges[i].inf().next_up(),
            domain.ranges[i].sup().next_down(),
            domain.ranges[i].sup(),
            1e-300,
            -1e-300,
        ] {
            let mut p = points[i + 3].clone();
            p[i] = x;
            points.push(domain.clamp(&p));
        }
    }
    points
}

/// What one point says of a claimed equality.
#[derive(Debug, PartialEq)]
pub enum Finding {
    Agrees,
    Refuted(String),
    Unsettled,
}

/// Evaluate two nodes at an exact point in rational arithmetic and with 500 bits.
pub fn attack_at(tape: &Tape, f: NodeId, g: NodeId, conditions: &[NodeId], x: &[f64]) -> Finding {
    use magneto::ops::Exact;
    const BITS: u32 = 500;
    let point: Vec<_> = x.iter().map(|x| rational(*x)).collect();
    let inputs: Vec<MpInterval> = point.iter().map(|x| MpInterval::from_rational(x, BITS)).collect();
    let mut values = Vec::new();
    evaluate(tape, &mut Multi { inputs: &inputs, precision: BITS }, &mut values);
    let holds = |c: &NodeId| {
        let v = &values[c.index()];
        v.def & mp_truth(v)
    };
    match conditions.iter().map(holds).fold(Ternary::True, |all, c| all & c) {
        Ternary::True => {}
        _ => return Finding::Unsettled,
    }
    let mut exact = Vec::new();
    evaluate(tape, &mut Rationals { inputs: &point }, &mut exact);
    match (&exact[f.index()], &exact[g.index()]) {
        (Exact::Value(a), Exact::Value(b)) if a != b => return Finding::Refuted(format!("{a} and {b} at {x:?}")),
        (Exact::Value(_), Exact::Value(_)) | (Exact::Undefined, Exact::Undefined) => return Finding::Agrees,
        (Exact::Value(_), Exact::Undefined) | (Exact::Undefined, Exact::Value(_)) => {
            return Finding::Refuted(format!("only one has a value at {x:?}"));
        }
        _ => {}
    }
    let (a, b) = (&values[f.index()], &values[g.index()]);
    // The exact walk settles definedness where the enclosure does not.
    let def = |v: &MpInterval, e: &Exact| match e {
        Exact::Value(_) | Exact::OfPi(_) => Ternary::True,
        Exact::Undefined => Ternary::False,
        Exact::Unknown => v.def,
    };
    match (def(a, &exact[f.index()]), def(b, &exact[g.index()])) {
        (Ternary::True, Ternary::False) | (Ternary::False, Ternary::True) => {
            Finding::Refuted(format!("only one has a value at {x:?}"))
        }
        (Ternary::True, Ternary::True) if a.precedes(b) || b.precedes(a) => {
            Finding::Refuted(format!("{} and {} at {x:?}", a.lo, b.lo))
        }
        (Ternary::True, Ternary::True) | (Ternary::False, Ternary::False) => Finding::Agrees,
        _ => Finding::Unsettled,
    }
}

/// Attack a claim at all points; the first refutation, and how many points agreed.
pub fn attack(pair: &Pair) -> Result<usize, String> {
    let mut agreed = 0;
    for x in points(&pair.domain) {
        match attack_at(&pair.tape, pair.f, pair.g, &pair.conditions, &x) {
            Finding::Agrees => agreed += 1,
            Finding::Refuted(why) => return Err(why),
            Finding::Unsettled => {}
        }
    }
    Ok(agreed)
}

/// Whether the node surely has a value at the point.
pub fn has_value(tape: &Tape, f: NodeId, x: &[f64]) -> bool {
    let inputs: Vec<MpInterval> = x.iter().map(|x| MpInterval::from_f64(*x, 500)).collect();
    let mut values = Vec::new();
    evaluate(tape, &mut Multi { inputs: &inputs, precision: 500 }, &mut values);
    values[f.index()].def == Ternary::True
}
