//! Which decisions still lead to a branch. Ways that no run has may be counted, none that a run has is left out.

use super::ins::Ins;
use super::module::Module;
use super::program::BranchGoal;

/// For a branch: the instructions from which it may be reached before their function returns.
pub(super) struct Leads {
    goal: BranchGoal,
    /// By function and instruction.
    from: Vec<Vec<bool>>,
    /// For each site its function, and where each way goes on.
    ways: Vec<(usize, Vec<usize>)>,
}

impl Leads {
    /// To a branch of a module.
    pub(super) fn to(module: &Module, goal: BranchGoal) -> Leads {
        let ways = module.sites.iter().map(|site| {
            let (f, pc) = (site.function as usize, site.pc as usize);
            (f, after(&module.functions[f].code[pc], pc, site.ways))
        });
        let mut leads = Leads { goal, from: Vec::new(), ways: ways.collect() };
        leads.from = module.functions.iter().map(|f| vec![false; f.code.len()]).collect();
        let site = &module.sites[goal.site as usize];
        let previous: Vec<Vec<Vec<u32>>> = module.functions.iter().map(|f| previous(&f.code)).collect();
        let callers = callers(module);
        let mut open = vec![(site.function as usize, site.pc as usize)];
        while let Some((f, pc)) = open.pop() {
            if std::mem::replace(&mut leads.from[f][pc], true) {
                continue;
            }
            open.extend(previous[f][pc].iter().map(|before| (f, *before as usize)));
            if pc == 0 {
                open.extend(&callers[f]);
            }
        }
        leads
    }

    /// Whether this decision is the branch, or one after which it may be reached before the function returns.
    pub(super) fn on(&self, made: BranchGoal) -> bool {
        let (f, ways) = &self.ways[made.site as usize];
        made == self.goal || self.from[*f][ways[made.way as usize]]
    }

    /// Whether the branch may be reached from an instruction before its function returns.
    pub(super) fn from(&self, function: usize, pc: usize) -> bool {
        self.from[function][pc]
    }

    /// Whether this decision is the branch.
    pub(super) fn is_goal(&self, made: BranchGoal) -> bool {
        made == self.goal
    }
}

/// Where each way of a deciding instruction goes on.
fn after(ins: &Ins, pc: usize, ways: u32) -> Vec<usize> {
    match ins {
        Ins::Branch { when, to, .. } => {
            [false, true].map(|outcome| if outcome == *when { to.pc as usize } else { pc + 1 }).to_vec()
        }
        Ins::Table { targets, .. } => targets.iter().map(|to| to.pc as usize).collect(),
        _ => vec![pc + 1; ways as usize],
    }
}

/// Where a function may go on after an instruction: for each way of a deciding one, in their order.
pub(super) fn next(ins: &Ins, pc: usize) -> Vec<usize> {
    match ins {
        Ins::Jump(to) => vec![to.pc as usize],
        Ins::Branch { .. } | Ins::Table { .. } => after(ins, pc, 2),
        Ins::Return | Ins::Unreachable => Vec::new(),
        _ => vec![pc + 1],
    }
}

/// The instructions that may come before each one of a function; a call comes before what follows it.
pub(super) fn previous(code: &[Ins]) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new(); code.len()];
    for (pc, ins) in code.iter().enumerate() {
        for n in next(ins, pc) {
            if all[n].last() != Some(&(pc as u32)) {
                all[n].push(pc as u32);
            }
        }
    }
    all
}

/// For each function the calls of it.
fn callers(module: &Module) -> Vec<Vec<(usize, usize)>> {
    let imports = module.imports.len() as u32;
    let pointed = || module.table.iter().flatten().filter_map(|f| f.checked_sub(imports));
    let mut all = vec![Vec::new(); module.functions.len()];
    for (f, function) in module.functions.iter().enumerate() {
        for (pc, ins) in function.code.iter().enumerate() {
            match ins {
                Ins::Call(g) => all[*g as usize].push((f, pc)),
                Ins::CallIndirect(_) => pointed().for_each(|g| all[g as usize].push((f, pc))),
                _ => {}
            }
        }
    }
    all
}
