"""Mutants of the trusted base: which of them no test finds.

  .ci/mutants               all of them: a day on two cores
  .ci/mutants 0/40          every fortieth mutant, from the first: a sample, or a part for one machine
  .ci/mutants 0/40 sat ops  of these rooms only
  .ci/mutants again         those that survived the last time, beside the tests that were written since

All mutants are built into one copy of the library and its tests, in target/mutants, and one of them runs at a time. Each test runs
by itself, first without a mutant to see which mutants it reaches and how long it takes; then a mutant runs through the tests that
reach it, the shortest first, until one fails twice or does not end, or until TEST_SECONDS=45 of them have passed.

Survivors that tests/survivors.csv names, with a reason, are equivalent or claim less. Exit code 1 where there are others, 2 where the
arguments are wrong. The table is in target/mutants/README.md, every mutant with what became of it in target/mutants/mutants.csv.
"""

import collections
import concurrent.futures
import csv
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

import schema

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WORK = ROOT / "target" / "mutants"
TREE = WORK / "tree"
# What DESIGN.md calls trusted, and what proofs about floats rest on.
TRUSTED = ["floats", "num", "ops", "tape", "oracle", "program", "rounding", "equiv", "csp", "solve", "decide", "sat"]
# Seconds of tests that a mutant runs through at most.
BUDGET = float(os.environ.get("TEST_SECONDS", "45"))
# A test is late after so many seconds and so many times its own time. Without a mutant it may take MOST.
LATE, TIMES, MOST = 10, 5, 400
# The memory and the files of one test with a mutant, in bytes.
MEMORY, FILES = 8 << 30, 1 << 30
WORKERS = os.cpu_count() or 1

SWITCH = """
//! Which mutant runs: the one whose number is in MUTANT. Where that is `reached`, the numbers of those that are come into a file.
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

const UNKNOWN: u32 = u32::MAX;
const NONE: u32 = u32::MAX - 1;
const REACHED: u32 = u32::MAX - 2;
static RUNS: AtomicU32 = AtomicU32::new(UNKNOWN);
static SEEN: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];

#[inline(always)]
pub fn on(number: u32) -> bool {
    let runs = RUNS.load(Relaxed);
    runs == number || (runs >= REACHED && runs != NONE && look(number, runs))
}

#[cold]
fn look(number: u32, mut runs: u32) -> bool {
    if runs == UNKNOWN {
        runs = match std::env::var("MUTANT") {
            Ok(text) if text == "reached" => REACHED,
            Ok(text) => text.parse().unwrap_or(NONE),
            Err(_) => NONE,
        };
        RUNS.store(runs, Relaxed);
    }
    if runs == REACHED && !SEEN[number as usize].swap(true, Relaxed) {
        let path = std::env::var("MUTANT_REACHED").expect("a file for the numbers");
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).expect("a file for the numbers");
        file.write_all(format!("{number}\\n").as_bytes()).expect("a file for the numbers");
    }
    runs == number
}
"""


def complain(text):
    print(f"mutants: {text}", file=sys.stderr)
    sys.exit(2)


def write_if_changed(path, content):
    """Writes a file only where it changes, since cargo looks at its time."""
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def copy_tree(changed):
    """The files of the checkout, with `changed` in place of some."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True)
    names = {name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()}
    for old in [path for path in TREE.rglob("*") if path.is_file() or path.is_symlink()]:
        name = str(old.relative_to(TREE))
        if name not in names | changed.keys() and "target" not in old.relative_to(TREE).parts:
            old.unlink()
    for name in names - changed.keys():
        write_if_changed(TREE / name, (ROOT / name).read_bytes())
        shutil.copymode(ROOT / name, TREE / name)
    for name, content in changed.items():
        write_if_changed(TREE / name, content)


def find_mutants(rooms):
    found = []
    for room in rooms:
        folder = ROOT / "src" / room
        for path in [ROOT / "src" / f"{room}.rs", *sorted(folder.rglob("*.rs"))]:
            # Unit tests in a file of their own are none.
            if path.exists() and "tests" not in path.relative_to(ROOT).with_suffix("").parts:
                found += schema.mutants_of(str(path.relative_to(ROOT)), path.read_bytes())
    return found


def schemata(mutants):
    """The texts of all files that have a mutant, and of the switch."""
    by_file = collections.defaultdict(list)
    for mutant in mutants:
        by_file[mutant.name.split(": ")[0]].append(mutant)
    changed = {name: schema.write_schema((ROOT / name).read_bytes(), own) for name, own in by_file.items()}
    changed["src/mutant.rs"] = SWITCH.replace("COUNT]", f"{max(m.number for m in mutants) + 1}]").encode()
    changed["src/lib.rs"] = (ROOT / "src/lib.rs").read_bytes() + b"\npub mod mutant;\n"
    return changed


def environment(**more):
    own = {"CARGO_TARGET_DIR": str(WORK / "build"), "CARGO_INCREMENTAL": "1", "CARGO_PROFILE_DEV_DEBUG": "false"}
    return {**os.environ, **own, **more}


def cargo_messages(*arguments):
    """What cargo says, line by line, and whether all is well."""
    run = ["cargo", *arguments, "--message-format=json"]
    with subprocess.Popen(run, cwd=TREE, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        told, errors = process.communicate()
    if process.returncode not in (0, 101):
        sys.exit(errors)
    messages = [json.loads(line) for line in told.splitlines() if line.startswith("{")]
    return messages, process.returncode == 0, errors


def build_mutants(mutants):
    """Those of the mutants that compile; all of them are in the tree."""
    while True:
        copy_tree(schemata(mutants))
        messages, passed, errors = cargo_messages("check", "--locked", "--lib")
        if passed:
            return mutants
        blamed = set()
        for message in messages:
            if message["reason"] == "compiler-message" and message["message"]["level"] == "error":
                for span in message["message"]["spans"]:
                    path = TREE / span["file_name"]
                    if span["is_primary"] and path.exists():
                        blamed |= set(schema.to_blame(path.read_bytes(), span["byte_start"], span["byte_end"]))
        if not blamed:
            sys.exit(f"{errors}\nmutants: none of them is to blame for these errors")
        print(f"mutants: {len(blamed)} do not compile", file=sys.stderr)
        mutants = [mutant for mutant in mutants if mutant.number not in blamed]
        if not mutants:
            print("mutants: none of them compiles")
            sys.exit(0)


def find_tests():
    """All tests: the program with it, and its name."""
    messages, passed, errors = cargo_messages("test", "--locked", "--no-run")
    if not passed:
        sys.exit(errors)
    found = []
    for message in messages:
        if message["reason"] == "compiler-artifact" and message["profile"]["test"] and message["executable"]:
            if message["target"]["name"] != "architecture":
                told = subprocess.run([message["executable"], "--list", "--format", "terse"], capture_output=True, text=True, check=True)
                found += [(message["executable"], line.removesuffix(": test")) for line in told.stdout.splitlines() if line.endswith(": test")]
    return found


def run_test(test, late, mutant, **more):
    """Whether a test passes (None: it does not end), and its seconds."""

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILES, FILES))

    begun = time.monotonic()
    run = [test[0], test[1], "--exact", "--test-threads=1", "-q"]
    with subprocess.Popen(
        run, cwd=TREE, env=environment(MUTANT=str(mutant), **more), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, preexec_fn=limit
    ) as process:
        try:
            passed = process.wait(late) == 0
        except subprocess.TimeoutExpired:
            passed = None
        # Also what it has started and left.
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    return passed, time.monotonic() - begun


class Run:
    """What is known of tests and mutants; it is kept in a file, with which the next run goes on if no text has changed."""

    def __init__(self, mutants, texts):
        self.mutants = mutants
        self.file = WORK / "state.json"
        self.lock = threading.Lock()
        self.busy = collections.defaultdict(threading.Lock)
        key = hashlib.sha256(b"".join(name.encode() + content for name, content in sorted(texts.items()))).hexdigest()
        old = json.loads(self.file.read_text()) if self.file.exists() else {}
        self.state = old if old.get("key") == key else {"key": key, "tests": {}, "verdicts": {}}

    def keep(self):
        self.file.write_text(json.dumps(self.state))

    def reach(self, test):
        """Runs a test without a mutant."""
        name = " ".join(test)
        if name in self.state["tests"]:
            return
        file = WORK / "reached" / hashlib.sha256(name.encode()).hexdigest()[:16]
        file.unlink(missing_ok=True)
        passed, seconds = run_test(test, MOST, "reached", MUTANT_REACHED=str(file))
        numbers = sorted(set(map(int, file.read_text().split()))) if passed and file.exists() else []
        with self.lock:
            self.state["tests"][name] = {"seconds": seconds, "passed": passed, "reached": numbers}
            self.keep()

    def judge(self, mutant):
        """Runs a mutant through the tests that reach it."""
        if str(mutant.number) in self.state["verdicts"]:
            return
        known = [(entry["seconds"], name) for name, entry in self.state["tests"].items() if mutant.number in entry["reached"]]
        verdict, finder, spent = "survived" if known else "not reached", "", 0.0
        for seconds, name in sorted(known):
            spent += seconds
            if finder or spent > BUDGET:
                break
            test = tuple(name.split(" ", 1))
            # Two runs of a test at once would share its folders.
            with self.busy[name]:
                ends = [run_test(test, LATE + TIMES * seconds, mutant.number)[0]]
                if ends[0] is False:
                    ends.append(run_test(test, LATE + TIMES * seconds, mutant.number)[0])
            if True not in ends:
                verdict, finder = ("late" if None in ends else "killed"), test[1]
        with self.lock:
            self.state["verdicts"][str(mutant.number)] = [verdict, finder]
            self.keep()
            print(f"{len(self.state['verdicts'])}/{len(self.mutants)} {verdict}: {mutant.name} {finder and 'by'} {finder}", flush=True)


def write_results(part, rooms, run, refused):
    """The list of mutants and the table; returns the survivors that are not named."""
    with (ROOT / "tests/survivors.csv").open(newline="") as file:
        named = {row["mutant"] for row in csv.DictReader(file)}
    counts, new = collections.Counter(), []
    with (WORK / "mutants.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["room", "line", "mutant", "verdict", "test"])
        for mutant in run.mutants:
            verdict, finder = run.state["verdicts"][str(mutant.number)]
            if verdict in ("survived", "not reached"):
                if mutant.name in named:
                    verdict = "equivalent"
                else:
                    new.append(f"{verdict}, line {mutant.line}: {mutant.name}")
            room = re.sub(r"(\.rs|/).*", "", mutant.name.removeprefix("src/"))
            counts[room, verdict] += 1
            counts["all", verdict] += 1
            writer.writerow([room, mutant.line, mutant.name, verdict, finder])
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    lines = [f"Commit {commit}, part {part}; {refused} more do not compile.", ""]
    columns = ["killed", "late", "survived", "not reached", "equivalent"]
    lines += [f"| room | mutants | {' | '.join(columns)} | score |", "|---|" + "---:|" * (len(columns) + 2)]
    for room in [*rooms, "all"]:
        own = [counts[room, column] for column in columns]
        told = sum(own) - counts[room, "equivalent"]
        score = f"{100 * (own[0] + own[1]) / told:.1f} %" if told else ""
        lines.append(f"| {room} | {sum(own)} | {' | '.join(map(str, own))} | {score} |")
    (WORK / "README.md").write_text("\n".join(lines) + "\n")
    return new


def survivors():
    """The names of those that survived the last time."""
    if not (WORK / "mutants.csv").exists():
        complain("nothing survived yet: target/mutants/mutants.csv is not there")
    with (WORK / "mutants.csv").open(newline="") as file:
        return {row["mutant"] for row in csv.DictReader(file) if row["verdict"] in ("survived", "not reached")}


def main():
    arguments = sys.argv[1:]
    part = arguments.pop(0) if arguments and ("/" in arguments[0] or arguments[0] == "again") else "0/1"
    rooms = arguments or TRUSTED
    if part != "again" and (not re.fullmatch(r"\d+/[1-9]\d*", part) or int(part.split("/")[0]) >= int(part.split("/")[1])):
        complain(f"expected a part such as 0/40, or `again`, not `{part}`")
    for room in rooms:
        if room not in TRUSTED:
            complain(f"`{room}` is none of {', '.join(TRUSTED)}")
    mutants = find_mutants(rooms)
    if part == "again":
        left = survivors()
        mutants = [mutant for mutant in mutants if mutant.name in left]
    else:
        first, step = map(int, part.split("/"))
        mutants = mutants[first::step]
    if not mutants:
        print("mutants: there are none")
        return
    for number, mutant in enumerate(mutants):
        mutant.number = number
    # First whether mutants are what they should be.
    if subprocess.run([sys.executable, ROOT / "tests/mutants/test_schema.py"], check=False).returncode != 0:
        sys.exit("mutants: the program that has all of them is not what each of them is by itself")
    (WORK / "reached").mkdir(parents=True, exist_ok=True)
    built = build_mutants(mutants)
    tests = find_tests()
    texts = {str(path.relative_to(TREE)): path.read_bytes() for path in TREE.rglob("*") if path.suffix in (".rs", ".fpcore", ".py", ".c", ".toml")}
    run = Run(built, texts)
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(run.reach, tests))
        broken = [name for name, entry in run.state["tests"].items() if not entry["passed"]]
        print(f"mutants: {len(tests)} tests, {len(broken)} of which fail without a mutant", *broken, sep="\n  ", flush=True)
        list(pool.map(run.judge, built))
    new = write_results(part, rooms, run, len(mutants) - len(built))
    print("\n".join(["", (WORK / "README.md").read_text(), *new]))
    sys.exit(1 if new else 0)


if __name__ == "__main__":
    main()
