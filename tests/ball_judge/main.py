"""An independent judge of Magneto: ball arithmetic (FLINT) instead of intervals, all inputs instead of a search.

It makes specifications over domains of a few floats, runs `magneto gen`, and looks at every input to see whether each
kill, proof, oracle and printed number holds. It shares no code with Magneto. Exit code 1: something does not hold.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from multiprocessing import Pool
from pathlib import Path

from claims import check_all, check_printed, check_refused
from judge import Judge
from printed import check_lint, check_summary_line
from specs import Maker


def judge_one(job):
    """Makes one specification, runs magneto on it, and judges the run."""
    seed, options = job
    # Loops are written out, one round inside the other.
    sys.setrecursionlimit(20_000)
    made = Maker(random.Random(seed), options.inputs, options.responses.split(","), options.loops, options.programs).make()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        spec = folder / "s.fpcore"
        spec.write_text(made.text)
        command = [options.magneto, "gen", "s.fpcore:meant", "-o", "out", "--jobs", "1", "--quiet"]
        if seed % 7 == 0:
            command.append("--boundary")
        if options.operators:
            command += ["--operators", options.operators]
        start = time.monotonic()
        try:
            ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=options.timeout)
        except subprocess.TimeoutExpired:
            return seed, made.text, Counter({"runs cut short": 1}), []
        took = time.monotonic() - start
        start = time.monotonic()
        judge = Judge(made.text, made.values, options.bits)
        if ended.returncode == 2:
            check_refused(judge, ended.stderr.strip()[-1000:])
        elif ended.returncode != 0:
            judge.wrong.append(f"exit code {ended.returncode}: {ended.stderr.strip()[-500:]}")
        else:
            judge.read(folder / "out")
            check_printed(judge) if options.printed else check_all(judge)
            judge_printed(judge, options, folder)
        judge.count["specifications"] += 1
        judge.count["mutants"] += len(judge.mutants)
        judge.count["inputs of domains"] += len(judge.domain)
        judge.count["milliseconds of magneto"] += round(1000 * took)
        judge.count["milliseconds of the judge"] += round(1000 * (time.monotonic() - start))
        return seed, made.text, judge.count, judge.wrong


def judge_printed(judge, options, folder):
    """Judges what a person reads of the plain evaluation."""
    def run(*command):
        try:
            ended = subprocess.run([options.magneto, *command], cwd=folder, capture_output=True, text=True, timeout=options.timeout)
        except subprocess.TimeoutExpired:
            judge.count["runs cut short"] += 1
            return ""
        if ended.returncode != 0:
            judge.wrong.append(f"{' '.join(command)}: exit code {ended.returncode}: {ended.stderr.strip()[-500:]}")
        return ended.stdout

    text, document = run("lint", "s.fpcore:meant"), run("lint", "s.fpcore:meant", "--json")
    if text and document:
        check_lint(judge, text, json.loads(document))
    text = run("gen", "s.fpcore:meant", "-o", "plain", "--jobs", "1", "--operators", "evaluation")
    if text:
        check_summary_line(judge, text, json.loads((folder / "plain/summary.json").read_text()))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--magneto", default="target/debug/magneto", help="the program that is judged")
    parser.add_argument("--specs", type=int, default=300, help="how many specifications to make")
    parser.add_argument("--seed", type=int, default=0, help="the first seed; specification k has seed + k")
    parser.add_argument("--bits", type=int, default=5000, help="the last precision")
    parser.add_argument("--inputs", type=int, default=24, help="the most inputs of a domain")
    parser.add_argument("--responses", default="nan", help="of :magneto-out-of-range, separated by commas")
    parser.add_argument("--operators", help="mutation operators, if not all; those of programs over floats are not judged")
    parser.add_argument("--loops", action="store_true", help="formulas with loops and arrays")
    parser.add_argument("--programs", action="store_true", help="formulas with roundings, most of which are programs")
    parser.add_argument("--jobs", type=int, default=2, help="processes at once")
    parser.add_argument("--bounds", type=int, default=1, help="how many printed bounds there have to be at least")
    parser.add_argument("--printed", action="store_true", help="judge nothing but the bounds that are printed")
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one run of magneto")
    parser.add_argument("--findings", type=Path, help="a file to which each finding is appended as a line of JSON")
    return parser.parse_args()


def main():
    options = arguments()
    options.magneto = str(Path(options.magneto).resolve())
    total, bad = Counter(), 0
    jobs = ((options.seed + k, options) for k in range(options.specs))
    with Pool(options.jobs) as pool:
        for seed, text, count, wrong in pool.imap_unordered(judge_one, jobs):
            total += count
            if wrong:
                bad += 1
                print(f"seed {seed}:\n{text}" + "".join(f"  WRONG {w}\n" for w in wrong[:10]), flush=True)
            if options.findings and wrong:
                with open(options.findings, "a") as file:
                    file.write(json.dumps({"seed": seed, "text": text, "wrong": wrong}) + "\n")
    for name, n in sorted(total.items()):
        print(f"{n:10} {name}")
    if total["printed bounds"] < options.bounds:
        print(f"fewer than {options.bounds} printed bounds were judged")
        bad += 1
    claims = () if options.printed else ("kills", "proofs")
    if total["refused"] > options.specs // 2 or any(total[c] == 0 for c in claims):
        print("too little was judged")
        bad += 1
    print(f"{bad} specifications with claims that do not hold")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
