//! Claims "infeasible" under attack: the real source is called natively with very many inputs, and gcov counts what was
//! taken. `MAGNETO_MUTANTS=N` tries N mutants, `MAGNETO_FIRST=K` from the K-th on, `MAGNETO_ATTACK=FILE` the functions of a
//! list (with the columns name, base, sources, flags, inputs), and `MAGNETO_SECONDS` says how long each attack goes on.

mod mutants;

use crate::support::attack::{Attack, Effort, Verdict, judge, prototype};
use crate::support::compilers::{has, has_clang};
use crate::support::cover::{Branch, run};
use crate::support::rng::Rng;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A function and how it is compiled.
#[derive(Clone, Debug)]
struct Case {
    name: String,
    base: PathBuf,
    /// The first one defines the function.
    sources: Vec<PathBuf>,
    flags: Vec<String>,
    /// Pointers with inputs behind them, as `--input` names them.
    inputs: Vec<String>,
}

/// What came of a case.
enum Outcome {
    /// No claims, with the message.
    Refused(String),
    /// Claims that could not be attacked, with the reason.
    Unattacked(Vec<Branch>, String),
    Judged(Vec<Branch>, Verdict),
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn number(variable: &str) -> Option<f64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// Whatever the sources compare with: inputs should take such values.
fn values(case: &Case) -> Vec<u64> {
    let mut all = BTreeSet::new();
    for source in &case.sources {
        let bytes = std::fs::read(case.base.join(source)).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let mut rest = &text[..];
        while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
            let length = mutants::number_length(&rest[at..]).max(1);
            let token = &rest[at..at + length];
            let (whole, real) = (mutants::integer(token), token.trim_end_matches(['f', 'F']).parse::<f64>().ok());
            all.extend(whole.into_iter().chain(real.map(f64::to_bits)));
            all.extend(whole.map(|n| n << 32));
            rest = &rest[at + length..];
        }
    }
    all.into_iter().take(400).collect()
}

fn outcome(case: &Case, evaluations: &str, calls: u64) -> Outcome {
    let sources: Vec<&str> = case.sources.iter().map(|s| s.to_str().unwrap()).collect();
    let mut arguments = vec!["cover", "--json", "--fn", &case.name, "--evaluations", evaluations];
    arguments.extend(&sources);
    // `cover` has options for folders and macros, and one for all others.
    let flags: Vec<String> = case
        .flags
        .iter()
        .map(|f| if f.starts_with("-I") || f.starts_with("-D") { f.clone() } else { format!("--cflags={f}") })
        .collect();
    arguments.extend(flags.iter().map(String::as_str));
    for input in &case.inputs {
        arguments.extend(["--input", input]);
    }
    let answer = run(&case.base, &arguments);
    if answer.code != Some(0) {
        return Outcome::Refused(format!(
            "exit code {:?}: {}",
            answer.code,
            answer.err.lines().rfind(|l| l.starts_with("error")).unwrap_or(&answer.err)
        ));
    }
    let branches = answer.branches();
    // No claim, no attack.
    if !branches.iter().any(Branch::is_infeasible) {
        return Outcome::Judged(branches, Verdict::default());
    }
    let behind = |name: &str| {
        let given = case.inputs.iter().find_map(|i| i.strip_prefix(name)?.strip_prefix('[')?.strip_suffix(']'));
        given.map_or(1, |n| n.parse().unwrap())
    };
    let mut targets = prototype::targets(&case.base, &case.sources[0], &case.flags, &behind);
    targets.retain(|t| t.name == case.name);
    if targets.is_empty() {
        return Outcome::Unattacked(branches, "parameters that are no numbers or pointers to numbers".to_owned());
    }
    let effort = Effort { calls, seconds: number("MAGNETO_SECONDS").unwrap_or(2.0), seeds: &[], values: &values(case) };
    let counts = Attack::build(&case.base, &case.sources, &case.flags, &targets)
        .and_then(|attack| attack.run(0, &effort).and_then(|_| attack.counts()));
    match counts {
        Ok(counts) => {
            let verdict = judge(&branches, &counts);
            Outcome::Judged(branches, verdict)
        }
        Err(e) => Outcome::Unattacked(branches, e),
    }
}

/// Counts over all cases.
#[derive(Default)]
struct Summary {
    functions: usize,
    refused: Vec<String>,
    unattacked: Vec<String>,
    by_status: BTreeMap<String, usize>,
    compared: usize,
    unlike: usize,
    false_claims: Vec<String>,
}

impl Summary {
    fn add(&mut self, name: &str, outcome: Outcome) {
        self.functions += 1;
        let branches = match outcome {
            Outcome::Refused(why) => return self.refused.push(format!("{name}: {why}")),
            Outcome::Unattacked(branches, why) => {
                self.unattacked.push(format!("{name}: {why}"));
                branches
            }
            Outcome::Judged(branches, verdict) => {
                self.compared += verdict.compared;
                self.unlike += verdict.unlike;
                self.false_claims.extend(verdict.false_claims.into_iter().map(|c| format!("{name}: {c}")));
                branches
            }
        };
        for branch in branches {
            *self.by_status.entry(branch.status).or_default() += 1;
        }
    }

    fn text(&self) -> String {
        let mut text = format!(
            "{} functions, {} refused, {} without attack\nbranches: {:?}\nlines with claims: {} compared, {} unlike gcov's\nfalse claims: {}\n",
            self.functions,
            self.refused.len(),
            self.unattacked.len(),
            self.by_status,
            self.compared,
            self.unlike,
            self.false_claims.len()
        );
        for (what, list) in
            [("refused", &self.refused), ("without attack", &self.unattacked), ("FALSE", &self.false_claims)]
        {
            for line in list {
                let _ = writeln!(text, "{what}  {line}");
            }
        }
        text
    }
}

/// Own functions with their files.
fn own() -> Vec<Case> {
    let mut list = csv::Reader::from_path(here("tests/code/functions.csv")).unwrap();
    let rows = list.records().map(Result::unwrap);
    let case = |row: csv::StringRecord| Case {
        name: row[0].to_owned(),
        base: here("tests/code"),
        sources: vec![row[1].into()],
        flags: Vec::new(),
        inputs: row[2].split_whitespace().map(str::to_owned).collect(),
    };
    rows.map(case).collect()
}

/// The functions of Fdlibm, each with the files whose functions it calls, directly or not.
fn fdlibm() -> Vec<Case> {
    let shared = std::env::var_os("MAGNETO_SHARED_DATA").map_or_else(|| here("../shared/data"), PathBuf::from);
    let Ok(base) = shared.join("fdlibm").canonicalize() else { return Vec::new() };
    let flags = vec!["-D__LITTLE_ENDIAN".to_owned()];
    let scratch = tempfile::tempdir().unwrap();
    let (mut defines, mut needs) = (BTreeMap::new(), BTreeMap::<PathBuf, Vec<String>>::new());
    let mut cases = Vec::new();
    let mut sources: Vec<PathBuf> = std::fs::read_dir(&base).unwrap().map(|e| e.unwrap().path()).collect();
    sources.retain(|s| s.extension().is_some_and(|e| e == "c"));
    sources.sort();
    for source in sources {
        let (object, name) = (scratch.path().join("o.o"), PathBuf::from(source.file_name().unwrap()));
        let cc = Command::new("cc")
            .args(["-c", "-w", "-fno-builtin"])
            .args(&flags)
            .arg(&source)
            .arg("-o")
            .arg(&object)
            .output();
        assert!(cc.unwrap().status.success(), "{}", source.display());
        let symbols = Command::new("nm").args(["--format=posix"]).arg(&object).output().unwrap().stdout;
        for line in String::from_utf8(symbols).unwrap().lines() {
            match line.split_whitespace().collect::<Vec<_>>()[..] {
                [symbol, "U", ..] => needs.entry(name.clone()).or_default().push(symbol.to_owned()),
                [symbol, "T" | "D" | "B" | "R" | "C", ..] => {
                    defines.insert(symbol.to_owned(), name.clone());
                }
                _ => {}
            }
        }
        for target in prototype::targets(&base, &name, &flags, &|_| 1) {
            let sources = vec![name.clone()];
            cases.push(Case {
                name: target.name,
                base: base.clone(),
                sources,
                flags: flags.clone(),
                inputs: Vec::new(),
            });
        }
    }
    for case in &mut cases {
        let mut k = 0;
        while let Some(source) = case.sources.get(k).cloned() {
            for file in needs.get(&source).into_iter().flatten().filter_map(|s| defines.get(s)) {
                if !case.sources.contains(file) {
                    case.sources.push(file.clone());
                }
            }
            k += 1;
        }
    }
    cases
}

/// A case with one change in the file of the function, in a folder of its own.
fn mutant(case: &Case, rng: &mut Rng) -> Option<(Case, String, tempfile::TempDir)> {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(case.base.join(&case.sources[0])).ok()?;
    let changes = mutants::changes(&text);
    let change = changes.get(rng.below(changes.len()))?;
    for entry in std::fs::read_dir(&case.base).unwrap().flatten() {
        let name = entry.file_name();
        if Path::new(&name).extension().is_some_and(|e| e == "h") || case.sources.iter().any(|s| s.as_os_str() == name)
        {
            std::fs::copy(entry.path(), folder.path().join(&name)).unwrap();
        }
    }
    let file = folder.path().join(&case.sources[0]);
    std::fs::remove_file(&file).unwrap();
    std::fs::write(&file, change.applied(&text)).unwrap();
    let compiles = Command::new("cc").args(["-fsyntax-only", "-w"]).args(&case.flags).arg(&file).output();
    compiles.ok().filter(|o| o.status.success())?;
    let shown = format!("{} of {}, {}", case.name, case.sources[0].display(), change.shown(&text));
    Some((Case { base: folder.path().to_owned(), ..case.clone() }, shown, folder))
}

/// The attack takes what is rare, and a branch that no call takes is no contradiction; gcov counts the branches of a condition
/// over several lines on other lines than clang.
#[test]
fn the_attack_finds_rare_inputs() {
    if !has(&["cc", "gcov"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <stdint.h>\n\
        int f(int64_t a, double x)\n{   double y = x * x;\n\
        \x20   if (a >> 3 == -123456789)\n\
        \x20       if (x == 0x1.23456p-7)\n\
        \x20           return 1;\n\
        \x20   if (y < 0)\n\
        \x20       return 2;\n\
        \x20   if (a < 5 ||\n\
        \x20       a == 5 && y < 0)\n\
        \x20       return 3;\n\
        \x20   return 0;\n}\n";
    std::fs::write(folder.path().join("f.c"), text).unwrap();
    let source = PathBuf::from("f.c");
    let targets = prototype::targets(folder.path(), &source, &[], &|_| 1);
    assert_eq!(targets.len(), 1);
    let attack = Attack::build(folder.path(), &[source], &[], &targets).unwrap();
    attack.run(0, &Effort { calls: 400_000, seconds: 60.0, seeds: &[], values: &[] }).unwrap();
    let counts = attack.counts().unwrap();
    // On these lines (one for each branch) so many branches are called infeasible.
    let false_claims = |lines: &[u64], infeasible: usize| {
        let branch = |(i, line): (usize, &u64)| Branch {
            function: "f".into(),
            file: "somewhere/f.c".into(),
            line: *line,
            column: 9,
            way: i as u64,
            to: 0,
            status: if i < infeasible { "infeasible" } else { "taken" }.into(),
            given: Vec::new(),
        };
        let branches: Vec<Branch> = lines.iter().enumerate().map(branch).collect();
        judge(&branches, &counts).false_claims.len()
    };
    assert_eq!(false_claims(&[4, 4], 1), 1, "{counts:?}");
    assert_eq!(false_claims(&[5, 5], 1), 1, "{counts:?}");
    assert_eq!(false_claims(&[7, 7], 1), 0, "{counts:?}");
    assert_eq!(false_claims(&[10, 10, 10, 10, 9, 9], 1), 0, "{counts:?}");
    assert_eq!(false_claims(&[10, 10, 10, 10, 9, 9], 2), 1, "{counts:?}");
}

#[test]
fn claims_about_mutants_withstand_an_attack() {
    if !has_clang() || !has(&["cc", "gcov", "nm"]) {
        return;
    }
    let (own, fdlibm, mut rng) = (own(), fdlibm(), Rng(2025));
    let wanted = number("MAGNETO_MUTANTS").unwrap_or(3.0) as usize;
    let mut left_out = number("MAGNETO_FIRST").unwrap_or(0.0) as usize;
    let mut summary = Summary::default();
    while summary.functions < wanted {
        let from = if fdlibm.is_empty() || rng.below(3) == 0 { &own } else { &fdlibm };
        let Some((case, shown, _folder)) = mutant(rng.pick(from), &mut rng) else { continue };
        if left_out > 0 {
            left_out -= 1;
            continue;
        }
        let before = summary.false_claims.len();
        summary.add(&shown, outcome(&case, "3000", 300_000));
        for line in &summary.false_claims[before..] {
            eprintln!("FALSE  {line}");
        }
        if summary.functions.is_multiple_of(50) {
            eprintln!("{} mutants, {:?}", summary.functions, summary.by_status);
        }
    }
    eprintln!("{}", summary.text());
    assert!(summary.refused.len() < wanted / 2 + 2, "{}", summary.text());
    assert!(summary.false_claims.is_empty(), "{}", summary.text());
}

#[test]
fn claims_about_listed_functions_withstand_an_attack() {
    let Some(list) = std::env::var_os("MAGNETO_ATTACK") else { return };
    let mut summary = Summary::default();
    for row in csv::Reader::from_path(list).unwrap().records().map(Result::unwrap) {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
        let case = Case {
            name: row[0].to_owned(),
            base: row[1].into(),
            sources: words(&row[2]).into_iter().map(PathBuf::from).collect(),
            flags: words(&row[3]),
            inputs: words(&row[4]),
        };
        let before = summary.false_claims.len();
        summary.add(&format!("{} of {}", case.name, case.sources[0].display()), outcome(&case, "20000", u64::MAX));
        eprintln!("{} {} done, {} false claims", case.name, summary.functions, summary.false_claims.len() - before);
    }
    eprintln!("{}", summary.text());
    assert!(summary.false_claims.is_empty(), "{}", summary.text());
}
