//! Both engines on problems over formats so small that all values of the unknowns can be looked at: no answer is wrong, no true
//! proof is refuted and no false one confirmed.

#![no_main]

use libfuzzer_sys::fuzz_target;
use magneto::decide::{Asked, Confirmation, DecisionEffort, DecisionWork, Engine, confirm_by_another, decide_both};
use magneto::floats::Format;
use magneto::floats::ordinal::{MINUS_ZERO, ZERO};
use magneto::floats::set::Class;
use magneto::sat::SatVerdict;
use magneto::solve::float::project::RoundedFunction;
use magneto::solve::float::relate::TermRelation;
use magneto::solve::float::value::{MEANINGS, Met, Open, all};
use magneto::solve::float::{BitsOp, Graph, Sort, Term, TermOp};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The most operations of a problem.
const OPERATIONS: usize = 14;
/// Bits of the unknown that is a bit vector.
const BITS: u32 = 3;

/// How a term came about.
enum Step {
    Unknown(usize),
    Constant(i64),
    Applied(TermOp, Vec<usize>),
}

/// A term, as it was asked for and as the graph has it.
struct Made {
    step: Step,
    sort: Sort,
    term: Term,
}

/// A problem that bytes say.
#[derive(Default)]
struct TinyProblem {
    graph: Graph,
    made: Vec<Made>,
    unknowns: Vec<Sort>,
}

/// One operation after the other, four bytes each.
fn ops(format: Format, other: Format) -> Vec<(TermOp, Sort, Vec<Sort>)> {
    let (f, g, bits, truth, mode) = (Sort::Float(format), Sort::Float(other), Sort::Bits(BITS), Sort::Bool, Sort::Mode);
    let code = Sort::Bits(format.width());
    use RoundedFunction as R;
    let rounded = |function, operands: &[Sort], sort| (TermOp::Rounded(function), sort, [&[mode], operands].concat());
    let bit = |op| (TermOp::Bits(op), bits, vec![bits, bits]);
    let mut all = vec![
        rounded(R::Add, &[f, f], f),
        rounded(R::Mul, &[f, f], f),
        rounded(R::Div, &[f, f], f),
        rounded(R::Fma, &[f, f, f], f),
        rounded(R::Square, &[f], f),
        rounded(R::Sqrt, &[f], f),
        rounded(R::Integral, &[f], f),
        rounded(R::Add, &[g, g], g),
        rounded(R::Mul, &[g, g], g),
        rounded(R::Cast(other), &[f], g),
        rounded(R::Cast(format), &[g], f),
        (TermOp::Rem, f, vec![f, f]),
        (TermOp::Min, f, vec![f, f]),
        (TermOp::Max, f, vec![f, f]),
        (TermOp::Neg, f, vec![f]),
        (TermOp::Abs, f, vec![f]),
        (TermOp::Neg, g, vec![g]),
        (TermOp::IsNan, truth, vec![f]),
        (TermOp::IsNegative, truth, vec![f]),
        (TermOp::FromBits, f, vec![code]),
        (TermOp::Not, truth, vec![truth]),
        (TermOp::And, truth, vec![truth, truth]),
        (TermOp::And, truth, vec![truth, truth, truth]),
        (TermOp::Bits(BitsOp::Not), bits, vec![bits]),
        (TermOp::Bits(BitsOp::Neg), bits, vec![bits]),
        (TermOp::Bits(BitsOp::Less), truth, vec![bits, bits]),
        (TermOp::Bits(BitsOp::LessEqual), truth, vec![bits, bits]),
        (TermOp::Bits(BitsOp::Concat), Sort::Bits(2 * BITS), vec![bits, bits]),
        (TermOp::Bits(BitsOp::Extract(format.width() - 1)), code, vec![Sort::Bits(2 * BITS)]),
        (TermOp::Bits(BitsOp::Extract(BITS)), bits, vec![Sort::Bits(2 * BITS)]),
        (TermOp::Bits(BitsOp::SignExtend), Sort::Bits(2 * BITS), vec![bits]),
    ];
    let two = [BitsOp::And, BitsOp::Or, BitsOp::Xor, BitsOp::Add, BitsOp::Mul, BitsOp::Div, BitsOp::Rem];
    all.extend(two.into_iter().chain([BitsOp::Shl, BitsOp::Shr, BitsOp::Sar]).map(bit));
    for relation in [TermRelation::Less, TermRelation::LessEqual, TermRelation::Equal] {
        all.extend([f, g].map(|s| (TermOp::Relation(relation), truth, vec![s, s])));
    }
    all.extend(Class::ALL.map(|class| (TermOp::Is(class), truth, vec![f])));
    for sort in [f, g, bits, truth, mode] {
        all.push((TermOp::Same, truth, vec![sort, sort]));
        all.push((TermOp::Ite, sort, vec![truth, sort, sort]));
    }
    for signed in [false, true] {
        all.push((TermOp::FromInteger { signed }, f, vec![mode, bits]));
        all.push((TermOp::ToInteger { signed }, bits, vec![mode, f]));
    }
    all
}

/// Every value of a sort.
fn values(sort: Sort) -> Vec<i64> {
    let mut all: Vec<i64> = match sort {
        Sort::Float(format) => (0..1 << format.width()).map(|bits| format.from_bits(bits)).collect(),
        Sort::Bits(width) => (0..1 << width).collect(),
        Sort::Mode => (0..5).collect(),
        _ => vec![0, 1],
    };
    all.sort_unstable();
    all.dedup();
    all
}

impl TinyProblem {
    fn unknown(&mut self, sort: Sort) {
        let term = self.graph.variable(sort);
        self.made.push(Made { step: Step::Unknown(self.unknowns.len()), sort, term });
        self.unknowns.push(sort);
    }

    fn constant(&mut self, sort: Sort, choice: u8) -> usize {
        let all = values(sort);
        let value = all[usize::from(choice) % all.len()];
        let term = self.graph.constant(sort, value);
        self.made.push(Made { step: Step::Constant(value), sort, term });
        self.made.len() - 1
    }

    /// A term of a sort: one that is there, the latest for 0, else a constant.
    fn operand(&mut self, sort: Sort, choice: u8) -> usize {
        let fitting: Vec<usize> = (0..self.made.len()).rev().filter(|i| self.made[*i].sort == sort).collect();
        match fitting.get(usize::from(choice % 16)) {
            Some(place) => *place,
            None => self.constant(sort, choice),
        }
    }

    fn read(bytes: &[u8]) -> Option<(TinyProblem, Vec<(usize, bool)>)> {
        let [formats, third, roots, rest @ ..] = bytes else { return None };
        let format = Format::new(2, 2 + u32::from(formats % 2))?;
        let other = Format::new(2 + u32::from(formats / 2 % 2), 2 + u32::from(formats / 4 % 2))?;
        let ops = ops(format, other);
        let mut problem = TinyProblem::default();
        problem.unknown(Sort::Float(format));
        problem.unknown(Sort::Float(format));
        match third % 4 {
            0 => {}
            1 => problem.unknown(Sort::Mode),
            2 => problem.unknown(Sort::Bits(BITS)),
            _ => problem.unknown(Sort::Bool),
        }
        for step in rest.chunks_exact(4).take(OPERATIONS) {
            let (op, sort, below) = &ops[usize::from(step[0]) % ops.len()];
            // The fourth operand has the bits of the third that are left.
            let choices = [step[1], step[2], step[3], step[3] / 16];
            let operands: Vec<usize> = below.iter().zip(choices).map(|(s, c)| problem.operand(*s, c)).collect();
            let terms: Vec<Term> = operands.iter().map(|i| problem.made[*i].term).collect();
            let term = problem.graph.apply(*op, *sort, &terms);
            problem.made.push(Made { step: Step::Applied(*op, operands), sort: *sort, term });
        }
        let truths = (0..problem.made.len()).rev().filter(|i| problem.made[*i].sort == Sort::Bool);
        let asked: Vec<(usize, bool)> = truths.take(4).enumerate().map(|(k, i)| (i, roots >> k & 1 == 0)).collect();
        let count = 1 + usize::from(roots >> 4) % 4;
        (!asked.is_empty()).then(|| (problem, asked.into_iter().take(count).collect()))
    }
}

/// What an operation is for all values of its operands, each asked alone of unknowns, so that nothing is rewritten. Values go by
/// their places in [`values`].
struct Table {
    /// How many values each operand has.
    counts: Vec<usize>,
    /// For each meaning.
    results: Vec<Vec<u8>>,
}

impl Table {
    fn new(op: TermOp, sort: Sort, sorts: &[Sort]) -> Table {
        let mut graph = Graph::default();
        let operands: Vec<Term> = sorts.iter().map(|s| graph.variable(*s)).collect();
        let root = graph.apply(op, sort, &operands);
        let (own, lists): (_, Vec<_>) = (values(sort), sorts.iter().map(|s| values(*s)).collect());
        let mut found = Vec::new();
        let mut result = |x: &[i64], open: Open| {
            let met = all(&graph, x, Open::default(), &mut found);
            let value = match (op, met) {
                (_, Met::Nothing) => found[root.index()],
                // Of zeros with different signs either may be the minimum.
                (TermOp::Min, Met::Zeros) => chosen(open, u8::from(x[0] == ZERO)),
                (_, Met::Zeros) => chosen(open, 2 + u8::from(x[0] == ZERO)),
            };
            own.binary_search(&value).expect("a value of the sort") as u8
        };
        let points = choices(&lists);
        let meanings = if matches!(op, TermOp::Min | TermOp::Max) { MEANINGS } else { 1 };
        let mut of = |zeros| points.iter().map(|x| result(x, Open { zeros })).collect();
        Table { results: (0..meanings).map(&mut of).collect(), counts: lists.iter().map(Vec::len).collect() }
    }
}

fn chosen(open: Open, bit: u8) -> i64 {
    if open.zeros >> bit & 1 == 1 { MINUS_ZERO } else { ZERO }
}

type Tables = HashMap<(TermOp, Sort, Vec<Sort>), Rc<Table>>;

thread_local! {
    static TABLES: RefCell<Tables> = RefCell::default();
}

/// How a term is evaluated.
enum Evaluation {
    Unknown(usize),
    /// The place of a constant.
    Place(u8),
    Applied(Rc<Table>, Vec<usize>),
}

/// A problem to evaluate, and which of its terms are to be true or false.
struct Plain<'p> {
    steps: Vec<Evaluation>,
    asked: &'p [(usize, bool)],
}

fn place(sort: Sort, x: i64) -> Option<u8> {
    values(sort).binary_search(&x).ok().map(|place| place as u8)
}

impl<'p> Plain<'p> {
    fn new(problem: &TinyProblem, asked: &'p [(usize, bool)]) -> Self {
        let step = |made: &Made| match &made.step {
            Step::Unknown(k) => Evaluation::Unknown(*k),
            Step::Constant(value) => Evaluation::Place(place(made.sort, *value).expect("a value of the sort")),
            Step::Applied(op, below) => {
                let sorts: Vec<Sort> = below.iter().map(|i| problem.made[*i].sort).collect();
                let new = || Rc::new(Table::new(*op, made.sort, &sorts));
                let key = (*op, made.sort, sorts.clone());
                let table = TABLES.with_borrow_mut(|all| all.entry(key).or_insert_with(new).clone());
                Evaluation::Applied(table, below.clone())
            }
        };
        Plain { steps: problem.made.iter().map(step).collect(), asked }
    }

    /// Whether what is asked holds at some point. `unknowns` has the place of each unknown's value at every point.
    fn holds(&self, unknowns: &[Vec<u8>], open: Open) -> bool {
        let count = unknowns[0].len();
        let mut found: Vec<Vec<u8>> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            found.push(match step {
                Evaluation::Unknown(k) => unknowns[*k].clone(),
                Evaluation::Place(place) => vec![*place; count],
                Evaluation::Applied(table, below) => {
                    let mut at = vec![0; count];
                    for (operand, count) in below.iter().zip(&table.counts) {
                        at.iter_mut().zip(&found[*operand]).for_each(|(at, x)| *at = *at * count + usize::from(*x));
                    }
                    let results = &table.results[usize::from(open.zeros) % table.results.len()];
                    at.into_iter().map(|at| results[at]).collect()
                }
            });
        }
        // False is the first truth value.
        let is_it = |point: usize, (i, wanted): &(usize, bool)| (found[*i][point] == 1) == *wanted;
        (0..count).any(|point| self.asked.iter().all(|asked| is_it(point, asked)))
    }
}

/// All choices of one for each list.
fn choices<T: Copy>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    let mut all = vec![Vec::new()];
    for list in lists {
        all = all.iter().flat_map(|p: &Vec<T>| list.iter().map(|x| [p.as_slice(), &[*x]].concat())).collect();
    }
    all
}

fn check(problem: &TinyProblem, asked: &[(usize, bool)]) {
    let plain = Plain::new(problem, asked);
    let is_open = problem.made.iter().any(|m| matches!(m.step, Step::Applied(TermOp::Min | TermOp::Max, _)));
    let meanings = if is_open { MEANINGS } else { 1 };
    let places: Vec<Vec<u8>> = problem.unknowns.iter().map(|s| (0..values(*s).len() as u8).collect()).collect();
    let points = choices(&places);
    let column = |k: usize| points.iter().map(|p| p[k]).collect();
    let columns: Vec<Vec<u8>> = (0..places.len()).map(column).collect();
    let is_sat = (0..meanings).any(|zeros| plain.holds(&columns, Open { zeros }));
    let point =
        |x: &[i64]| problem.unknowns.iter().zip(x).map(|(s, x)| place(*s, *x).map(|place| vec![place])).collect();
    let mut graph = problem.graph.clone();
    let mut root = |(i, wanted): &(usize, bool)| {
        let term = problem.made[*i].term;
        if *wanted { term } else { graph.not(term) }
    };
    let roots: Vec<Term> = asked.iter().map(&mut root).collect();
    let both = DecisionEffort { gates: 200_000, ..DecisionEffort::of_boxes(300) };
    for effort in [both, DecisionEffort { conflicts: 0, ..both }, DecisionEffort { boxes: 0, ..both }] {
        let decided = decide_both(&graph, Asked { roots: &roots, lemmas: &[], effort });
        match &decided.verdict {
            SatVerdict::Sat(bits, open) => {
                let point: Option<Vec<Vec<u8>>> = point(&graph.narrow(bits));
                assert!(point.is_some_and(|p| plain.holds(&p, *open)), "no solution: {decided:?}");
            }
            SatVerdict::Unsat => assert!(!is_sat, "there is a solution, by {effort:?}: {decided:?}"),
            SatVerdict::Unknown => {}
        }
    }
    for engine in [Engine::Ordinals, Engine::Gates] {
        let asked = Asked { roots: &roots, lemmas: &[], effort: both };
        let confirmation = confirm_by_another(&graph, asked, engine, DecisionWork::default());
        match confirmation {
            Confirmation::Refuted(_) => assert!(is_sat, "a true proof is refuted for {engine:?}"),
            Confirmation::Open(_) => {}
            confirmed => assert!(!is_sat, "a false proof is {confirmed} for {engine:?}"),
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    if let Some((problem, asked)) = TinyProblem::read(bytes) {
        check(&problem, &asked);
    }
});
