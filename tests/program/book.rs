//! What README.md and the book say is so: links lead somewhere, commands print what is shown, tables name what there is.

use crate::book_support::{Block, Page, is_like, pages};
use crate::cli_support::Folder;
use crate::support;
use crate::support::compilers;
use crate::support::judge::{Judge, Tri};
use magneto::num::MpInterval;
use magneto::ops::Op;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Every link of a document leads to a file that is there, and to a heading of it if it names one. Pages of the book lead to
/// pages of the book alone: where the book is a web site, the rest of the repository is not beside it.
#[test]
fn links_lead_somewhere() {
    let (mut wrong, mut links) = (Vec::new(), 0);
    for page in
        pages(&["README.md", "CONTRIBUTING.md", "DESIGN.md", "CHANGELOG.md", "docs", "recipes", "fpbench", "tests"])
    {
        for link in page.links().into_iter().filter(|link| !link.contains("://")) {
            links += 1;
            let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
            let to = if file.is_empty() { page.path.clone() } else { page.path.parent().unwrap().join(file) };
            let leaves = page.name.starts_with("docs/") && file.contains("../");
            let is_there = to.exists() && !leaves;
            if !is_there || (!heading.is_empty() && !Page::read(&to).headings().contains(&heading.to_owned())) {
                wrong.push(format!("{}: {link}", page.name));
            }
        }
    }
    assert!(links > 60, "{links} links");
    assert!(wrong.is_empty(), "lead nowhere:\n{}", wrong.join("\n"));
}

/// A file of the repository that is named in a document is there.
#[test]
fn files_that_are_named_exist() {
    let ours = ["src/", "tests/", "specs/", "fpbench/", "benches/", "results/", "recipes/", "docs/"];
    for page in pages(&["README.md", "docs"]) {
        for file in page.text.split('`').skip(1).step_by(2).filter(|word| ours.iter().any(|f| word.starts_with(f))) {
            let file = file.split([' ', ':']).next().unwrap();
            assert!(support::here(file).exists() || file.contains(['*', 'X']), "{} names {file}: not there", page.name);
        }
    }
}

#[test]
fn the_readme_is_a_tour() {
    let readme = Page::read(&support::here("README.md"));
    assert!(readme.text.lines().count() <= 250, "what needs more room stands in the book");
    for command in ["make demo", "make test"] {
        assert!(readme.text.contains(command), "README.md says how to run `{command}`");
    }
}

/// The book's table of contents has every page once.
#[test]
fn the_summary_has_every_page() {
    let summary = Page::read(&support::here("docs/src/SUMMARY.md"));
    let mut listed = summary.links();
    listed.sort();
    let names = pages(&["docs/src"]).into_iter().map(|page| page.name.trim_start_matches("docs/src/").to_owned());
    let mut there: Vec<String> = names.filter(|name| name != "SUMMARY.md").collect();
    there.sort();
    assert_eq!(listed, there);
    assert!(there.len() > 10);
}

/// The tests in Rust that the book shows are those of the example, which are run with it.
#[test]
fn rust_on_the_page_is_of_the_example() {
    let page = Page::read(&support::here("docs/src/rust.md"));
    let example = std::fs::read_to_string(support::here("tests/projects/rust/tests/accuracy.rs")).unwrap();
    let shown: Vec<Block> = page.blocks().into_iter().filter(|block| block.language == "rust").collect();
    assert!(shown.len() > 1, "{} blocks", shown.len());
    for block in shown {
        assert!(example.contains(&block.text), "docs/src/rust.md:{}: not in the example", block.line);
    }
}

/// A package that tests its functions with Magneto pulls in nothing of the command line.
#[test]
fn the_example_needs_no_default_features() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let tree = ["tree", "--locked", "--offline", "-p", "magneto-example", "-e", "normal,dev", "--prefix", "none"];
    let output = Command::new(cargo).args(tree).current_dir(support::here("")).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let names: BTreeSet<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(names.contains("magneto") && names.contains("rug"), "{text}");
    for heavy in ["clap", "clap_mangen", "ctrlc", "maud", "plotters"] {
        assert!(!names.contains(heavy), "{heavy} comes with it");
    }
}

/// Every command that a document shows is run in a folder with the files that the document shows, and prints what is shown.
/// ```` ```sh ```` is run, ```` ```text ```` behind it is its standard output, where `…` stands for anything and on a line of its
/// own for any lines. ```` ```c file=NAME ```` is a file. A block that is `not-run` says why in a comment.
#[test]
fn commands_print_what_is_shown() {
    let pages = pages(&["README.md", "docs"]);
    let (next, blocks) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        let mut wrong = Vec::new();
        while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
            let begin = std::time::Instant::now();
            blocks.fetch_add(run_page(page, &mut wrong), Ordering::Relaxed);
            println!("{}: {:.1} s", page.name, begin.elapsed().as_secs_f64());
        }
        wrong
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|t| t.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(blocks.into_inner() > 40);
}

/// Runs the commands of a page in their order; how many blocks were run.
fn run_page(page: &Page, wrong: &mut Vec<String>) -> usize {
    let folder = Folder::new();
    let (mut run, mut printed): (usize, Option<String>) = (0, None);
    for folder_used in ["specs", "tests/code", "tests/paths", "tests/smt", "tests/smt/theories", "tests/faults"] {
        copy(&support::here(folder_used), &folder.path(folder_used));
    }
    for block in page.blocks() {
        let at = format!("{}:{}", page.name, block.line);
        match block.language.as_str() {
            "sh" if block.has("not-run") => {
                assert!(block.text.lines().any(|l| l.contains("# ")), "{at}: why is it not run?");
                printed = None;
            }
            "sh" => {
                printed = run_block(&folder, &block, &at, wrong);
                run += 1;
            }
            "text" => {
                let Some(found) = printed.take() else { continue };
                if !is_like(&block.text, &found) {
                    wrong.push(format!("{at}: the page shows\n{}\nbut this is printed\n{found}", block.text));
                }
            }
            _ => {
                let Some(name) = block.value("file") else { continue };
                if !page.text.contains(&format!("`{name}`")) {
                    wrong.push(format!("{at}: nobody says that this is {name}"));
                }
                folder.write(name, &block.text);
            }
        }
    }
    run
}

/// Standard output of a block, if what it needs is there.
fn run_block(folder: &Folder, block: &Block, at: &str, wrong: &mut Vec<String>) -> Option<String> {
    let asks = |words: &[&str]| words.iter().any(|word| block.text.contains(word));
    let looks_into_code = asks(&["magneto cover", "magneto reach", "bench cover", "bench paths"]);
    for (needed, programs) in [
        (looks_into_code, &["clang", "wasm-ld"][..]),
        (looks_into_code || asks(&["--c-source", "cc "]), &["cc"][..]),
        (asks(&["--python", "python3"]), &["python3"][..]),
        (asks(&["--fortran-source"]), &["gfortran"][..]),
        (asks(&["--octave"]), &["octave-cli"][..]),
    ] {
        if needed && !compilers::has(programs) {
            return None;
        }
    }
    let program = Path::new(env!("CARGO_BIN_EXE_magneto")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", &block.text]).current_dir(folder.root()).env("PATH", path).env_remove("NO_COLOR");
    let output = shell.stdin(Stdio::null()).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let code = block.value("exit").map_or(0, |code| code.parse().unwrap());
    if output.status.code() != Some(code) {
        wrong.push(format!("{at}: {} instead of {code}:\n{}\n{out}\n{err}", output.status, block.text));
        return None;
    }
    Some(out.into_owned())
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for file in std::fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()) {
        std::fs::copy(&file, to.join(file.file_name().unwrap())).unwrap();
    }
}

/// The table of operators has each of them once, and says of each where it has a value: the condition holds exactly where the
/// operator has one, at all pairs of some numbers.
#[test]
fn operators_have_the_domains_that_the_table_states() {
    let numbers = [-3.0, -2.5, -2.0, -1.5, -1.0, -0.5, -0.0, 0.25, 1.0, 1.5, 2.0, 7.0];
    let page = Page::read(&support::here("docs/src/operators.md"));
    let rows: Vec<Vec<String>> = page.rows().into_iter().filter(|row| row.len() == 3).collect();
    let mut found = BTreeSet::new();
    for row in &rows {
        let call = row[0].trim_matches('`');
        let words: Vec<&str> = call.trim_matches(['(', ')']).split(' ').collect();
        let op = Op::from_fpcore(words[0], words.len() - 1).unwrap_or_else(|| panic!("{call} is no operator"));
        assert!(found.insert(op), "{call} stands there twice");
        let condition = if row[2] == "all" { "TRUE" } else { row[2].trim_matches('`') };
        let spec = support::spec(&format!("(FPCore (x y z) :pre {condition} {call})"));
        let judge = Judge { spec: &spec, most: 1024 };
        for (x, y) in numbers.iter().flat_map(|x| numbers.map(|y| (*x, y))) {
            let arguments = [x, y, 0.5].map(|v| MpInterval::from_f64(v, 120));
            let arguments: Vec<&MpInterval> = arguments.iter().take(op.arity()).collect();
            let has_value = op.enclose(&arguments, 120).def.is_true();
            let states = judge.precondition(&[x, y, 0.5]) == Tri::Yes;
            assert_eq!(has_value, states, "{call} at x = {x}, y = {y}: the table says {}", row[2]);
        }
    }
    assert_eq!(
        found.len(),
        Op::ALL.len(),
        "the table lacks {:?}",
        Op::ALL.iter().filter(|op| !found.contains(op)).collect::<Vec<_>>()
    );
}

/// `magneto operators` prints the same table.
#[test]
fn operators_are_printed_as_the_page_has_them() {
    let folder = Folder::new();
    let all = folder.run(&["operators"]).expect(0).out;
    assert_eq!(all.lines().count(), Op::ALL.len());
    let page = Page::read(&support::here("docs/src/operators.md"));
    for row in page.rows().into_iter().filter(|row| row.len() == 3) {
        let cells = row.iter().map(|cell| cell.replace('`', ""));
        let line = all.lines().find(|l| l.split("  ").next().map(str::trim) == cells.clone().next().as_deref());
        assert!(line.is_some_and(|l| cells.clone().all(|cell| l.contains(&cell))), "{row:?}: {line:?}");
    }
    let minus = folder.run(&["operators", "-", "--json"]).expect(0).json();
    assert_eq!(minus["operators"].as_array().unwrap().len(), 2);
    folder.run(&["operators", "sine"]).expect(2).says(&["no operator `sine`", "did you mean `sin`?"]);
}

/// The commands and options of the program, by its help.
fn help(arguments: &[&str]) -> String {
    Folder::new().run(&[arguments, &["--help"]].concat()).expect(0).out
}

/// The names that help lists below `Commands:`.
fn commands(text: &str) -> Vec<String> {
    let list = text.lines().skip_while(|l| *l != "Commands:").skip(1).take_while(|l| l.starts_with("  "));
    let names = list.filter(|l| !l.starts_with("   ")).filter_map(|l| l.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// Every command, those of `bench` with it.
fn all_commands() -> Vec<String> {
    let with_parts = |command: String| {
        let parts = commands(&help(&[&command]));
        if parts.is_empty() { vec![command] } else { parts.iter().map(|part| format!("{command} {part}")).collect() }
    };
    commands(&help(&[])).into_iter().flat_map(with_parts).collect()
}

#[test]
fn the_table_of_commands_has_all_of_them() {
    let page = Page::read(&support::here("docs/src/commands.md"));
    let rows = page.rows();
    let listed = rows.iter().filter_map(|row| row[0].strip_prefix("`magneto ")).map(|row| row.trim_end_matches('`'));
    let is_name = |word: &&str| word.starts_with(|c: char| c.is_ascii_lowercase());
    let mut listed: Vec<String> =
        listed.map(|row| row.split(' ').take_while(is_name).collect::<Vec<_>>().join(" ")).collect();
    let mut wanted = all_commands();
    wanted.sort();
    listed.sort();
    assert_eq!(listed, wanted);
}

/// A flag that README.md or the book writes as code, alone or behind a command, is one of some command.
#[test]
fn flags_exist() {
    let flags = |text: &str| -> BTreeSet<String> {
        let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let words = text.split_whitespace().filter(|word| word.starts_with("--"));
        words.map(|word| word.split(|c| !is_part(c)).next().unwrap().to_owned()).collect()
    };
    let names = commands(&help(&[]));
    let is_ours = |word: &&str| {
        let first = word.split_whitespace().next().unwrap_or_default();
        first.starts_with("--") || first == "magneto" || names.iter().any(|name| name == first)
    };
    let helps = all_commands().iter().map(|c| help(&c.split(' ').collect::<Vec<_>>())).collect::<Vec<_>>();
    let known: BTreeSet<String> =
        helps.iter().chain([&help(&[])]).flat_map(|text| flags(&text.replace(['[', ',', '<', '|'], " "))).collect();
    let mut found = BTreeSet::new();
    for page in pages(&["README.md", "docs"]) {
        let words = page.text.split('`').skip(1).step_by(2).filter(is_ours).map(str::to_owned);
        let blocks = page.blocks().into_iter().filter(|block| block.language == "sh").map(|block| block.text);
        let lines = blocks.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
        for text in words.chain(lines.filter(|line| line.starts_with("magneto "))) {
            found.extend(flags(&text).into_iter().map(|flag| (flag, page.name.clone())));
        }
    }
    assert!(found.len() > 100, "{}", found.len());
    // `--include-ignored` is one of Rust's test programs, and those of the plugin of pytest begin with `--magneto-`.
    let is_elsewhere = |f: &str| f == "--include-ignored" || f.starts_with("--magneto-");
    let unknown: Vec<_> = found.iter().filter(|(f, _)| !known.contains(f) && !is_elsewhere(f)).collect();
    assert!(unknown.is_empty(), "no command has {unknown:?}");
}

/// The tables of options have the keys of `magneto.toml` and of its sections, with their defaults' words left to `--help`.
#[test]
fn the_table_of_options_has_every_key() {
    let page = Page::read(&support::here("docs/src/options.md"));
    let rows = page.rows();
    let mut listed: Vec<&str> = rows.iter().filter_map(|r| r[0].strip_prefix('`')?.strip_suffix('`')).collect();
    let mut wanted: Vec<&str> = magneto::options::KNOBS.iter().map(|knob| knob.name).collect();
    wanted.extend(magneto::options::OF_COMMANDS.iter().map(|(name, _)| *name));
    listed.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(listed, wanted);
}

/// The book is built where mdBook is installed.
#[test]
fn the_book_builds() {
    // No failure under CI either: all else that is checked here needs no mdBook.
    if !Command::new("mdbook").arg("--version").output().is_ok_and(|o| o.status.success()) {
        return println!("skipped: mdbook is not there");
    }
    let folder = Folder::new();
    let to = folder.path("book");
    let run = Command::new("mdbook").args(["build", "-d"]).arg(&to).arg(support::here("docs")).output().unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success() && !said.contains("WARN") && !said.contains("ERROR"), "{said}");
    assert!(to.join("index.html").exists() && to.join("operators.html").exists());
}
