//! Loops by running them, for each way to evaluate what stands in them: nothing is written out.

use magneto::spec::core::{Expr, Loop, LoopHead};

/// What evaluates expressions. Names are bound innermost last.
pub(super) trait Runs {
    type Value: Clone;
    /// Why there is no value at all.
    type Stop;
    fn of(&mut self, e: &Expr, scope: &mut Vec<(String, Self::Value)>) -> Result<Self::Value, Self::Stop>;
    /// Whether a condition holds.
    fn holds(&mut self, e: &Expr, scope: &mut Vec<(String, Self::Value)>) -> Result<bool, Self::Stop>;
    fn natural(&mut self, e: &Expr, scope: &mut Vec<(String, Self::Value)>) -> Result<usize, Self::Stop>;
    fn whole(&mut self, n: usize) -> Self::Value;
    fn array(&mut self, elements: Vec<Self::Value>) -> Result<Self::Value, Self::Stop>;
    /// Of a loop that has gone round this often.
    fn tired(&mut self) -> Self::Stop;
}

const MOST: usize = 20_000;

type Bound<R> = Vec<(String, <R as Runs>::Value)>;

/// The value of a loop.
pub(super) fn run<R: Runs>(r: &mut R, l: &Loop, scope: &mut Bound<R>) -> Result<R::Value, R::Stop> {
    let outer = scope.len();
    let value = inside(r, l, scope);
    scope.truncate(outer);
    value
}

fn inside<R: Runs>(r: &mut R, l: &Loop, scope: &mut Bound<R>) -> Result<R::Value, R::Stop> {
    let sizes = l.indices().iter().map(|(_, size)| r.natural(size, scope)).collect::<Result<Vec<_>, _>>()?;
    let names: Vec<&String> = l.indices().iter().map(|(name, _)| name).collect();
    let is_while = matches!(l.head, LoopHead::While(_));
    let first = scope.len();
    let mut inits = Vec::new();
    for v in &l.state {
        let value = r.of(&v.init, scope)?;
        if is_while && l.sequential { scope.push((v.name.clone(), value)) } else { inits.push((v.name.clone(), value)) }
    }
    scope.append(&mut inits);
    if let LoopHead::Tensor(_) = &l.head {
        return tensor(r, l, first, &names, &sizes, scope);
    }
    let rounds = sizes.iter().product::<usize>();
    let mut round = 0;
    loop {
        let goes_on = match &l.head {
            LoopHead::While(condition) => r.holds(condition, scope)?,
            _ => round < rounds,
        };
        if !goes_on {
            return r.of(&l.body, scope);
        }
        if round == MOST {
            return Err(r.tired());
        }
        // The last index changes fastest.
        let mut left = round;
        let mut places = vec![0; sizes.len()];
        for k in (0..sizes.len()).rev() {
            places[k] = left % sizes[k];
            left /= sizes[k];
        }
        // The indices stand behind the variables, which are none of them.
        let variables = scope.len();
        for (name, k) in names.iter().zip(&places) {
            let value = r.whole(*k);
            scope.push(((*name).clone(), value));
        }
        let mut new = Vec::new();
        for (k, v) in l.state.iter().enumerate() {
            let value = r.of(&v.update, scope)?;
            if l.sequential { scope[first + k].1 = value } else { new.push(value) }
        }
        scope.truncate(variables);
        new.into_iter().enumerate().for_each(|(k, value)| scope[first + k].1 = value);
        round += 1;
    }
}

/// The elements in order, the variables of the loop from place `first` of the scope on updated before each.
fn tensor<R: Runs>(
    r: &mut R,
    l: &Loop,
    first: usize,
    names: &[&String],
    sizes: &[usize],
    scope: &mut Bound<R>,
) -> Result<R::Value, R::Stop> {
    let (Some((name, names)), Some((size, sizes))) = (names.split_first(), sizes.split_first()) else {
        for (k, v) in l.state.iter().enumerate() {
            scope[first + k].1 = r.of(&v.update, scope)?;
        }
        return r.of(&l.body, scope);
    };
    let mut elements = Vec::new();
    for k in 0..*size {
        let value = r.whole(k);
        scope.push(((*name).clone(), value));
        let element = tensor(r, l, first, names, sizes, scope);
        scope.pop();
        elements.push(element?);
    }
    r.array(elements)
}
