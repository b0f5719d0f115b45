"""`python3 -m magneto_verify DIR`: checks what a folder of `magneto gen` claims."""

import argparse
import sys
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
    return parser.parse_args()


def main():
    options = arguments()
    # Formulas are nested as deep as their brackets.
    sys.setrecursionlimit(20_000)
    try:
        paths, wrong = folders(options.folder)
        checked = [(path.name, Checker(Folder(path), options.boxes).check()) for path in paths]
    except (Unreadable, OSError, KeyError, ValueError) as e:
        print(f"error: {options.folder}: {e!r}" if isinstance(e, KeyError) else f"error: {e}", file=sys.stderr)
        return 2
    print(FORMATS[options.format](checked, wrong), end="")
    return exit_code(checked, wrong)


if __name__ == "__main__":
    sys.exit(main())
