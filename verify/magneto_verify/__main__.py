"""`python3 -m magneto_verify DIR`: checks what a folder of `magneto gen` claims."""

import argparse
import os
import sys
from multiprocessing import Pool
from pathlib import Path

from .claims import Checker
from .covers import MOST_BOXES
from .folder import Folder, folders
from .fpcore import Unreadable
from .output import FORMATS, exit_code


def arguments():
    parser = argparse.ArgumentParser(prog="magneto_verify", description=__doc__)
    parser.add_argument("folder", type=Path, help="a folder that `magneto gen` wrote")
    parser.add_argument("--format", choices=FORMATS, default="text", help="of what is printed")
    parser.add_argument("--boxes", type=int, default=MOST_BOXES, help="the most boxes of one claim (%(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="specifications that are checked at once")
    return parser.parse_args()


def check(job):
    """The claims of one folder, or why it cannot be read."""
    path, boxes = job
    # Formulas are nested as deep as their brackets.
    sys.setrecursionlimit(20_000)
    try:
        return path.name, Checker(Folder(path), boxes).check(), None
    except Unreadable as e:
        return path.name, [], str(e)
    except Exception as e:  # Whatever a file holds that the checker does not expect: that is no refutation.
        return path.name, [], f"{path}: not as `magneto gen` writes it: {e!r}"


def main():
    options = arguments()
    try:
        paths, wrong = folders(options.folder)
    except (Unreadable, OSError, KeyError, ValueError) as e:
        print(f"error: {e}", file=sys.stderr)
        return 2
    jobs = [(path, options.boxes) for path in paths]
    if len(jobs) > 1 and options.jobs > 1:
        with Pool(options.jobs) as pool:
            found = pool.map(check, jobs, chunksize=1)
    else:
        found = [check(job) for job in jobs]
    unreadable = [why for _, _, why in found if why]
    if unreadable:
        print("".join(f"error: {why}\n" for why in unreadable), end="", file=sys.stderr)
        return 2
    checked = [(name, claims) for name, claims, _ in found]
    print(FORMATS[options.format](checked, wrong), end="")
    return exit_code(checked, wrong)


if __name__ == "__main__":
    sys.exit(main())
