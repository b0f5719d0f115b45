"""`python3 -m magneto_verify DIR…`: checks what a folder of `magneto gen` claims, and what other commands say of the same."""

import argparse
import gc
import json
import os
import sys
import tempfile
from multiprocessing import Pool
from pathlib import Path

from .boxes import MOST_BOXES
from .code import claims as branches
from .claims import OPEN, REFUTED, VERIFIED, Checker, Claim
from .evidence import Evidence, about, answers, documents
from .folder import Folder, folders, sha256
from .fpcore import MALFORMED
from .texts import Unreadable
from .output import FORMATS, exit_code


def arguments():
    parser = argparse.ArgumentParser(prog="magneto_verify", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="+", help="a folder that `magneto gen` wrote, or of `check`, `worst`, `eval`, `cover` about the same specifications; or one of `cover`, `reach` or `solve`")
    parser.add_argument("--format", choices=FORMATS, default="text", help="of what is printed")
    parser.add_argument("--boxes", type=int, default=MOST_BOXES, help="the most boxes of one claim (%(default)s)")
    parser.add_argument("--keep", action="store_true", help="also write what was found into verify.json of the first folder, where reports look for it")
    parser.add_argument("--only", metavar="ID", help="check what is said of one test, or of the mutants whose ids begin so, and name each claim")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="specifications that are checked at once")
    options = parser.parse_args()
    if options.only and options.keep:
        parser.error("--keep is for all claims, and --only checks some")
    return options


def check(job):
    """The claims of one folder and of the documents about its specification, or why it cannot be read."""
    path, boxes, evidence, only = job
    # Formulas are nested as deep as their brackets.
    sys.setrecursionlimit(20_000)
    # Most of what is made is kept until the next test, and in vain looked at for what is not.
    gc.set_threshold(200_000, 20, 100)
    try:
        checker = Checker(Folder(path), boxes)
        if only:
            return path.name, checker.check_only(only), None
        checker.check()
        for document in evidence:
            Evidence(checker, *document).check()
        return path.name, checker.claims, None
    except Unreadable as e:
        return path.name, [], str(e)
    except Exception as e:  # Whatever a file holds that the checker does not expect: that is no refutation.
        return path.name, [], f"{path}: not as `magneto gen` writes it: {e!r}"


def runs(paths):
    """The folders of specifications in folders of results, and what is wrong between them; none in one that holds other documents."""
    found, wrong = [], []
    for path in paths:
        try:
            own, bad = folders(path)
        except Unreadable:
            if not any(documents(path)):
                raise
        else:
            found, wrong = found + own, wrong + bad
    if not found and all(about(kind, content) for path in paths for _, kind, content in documents(path)):
        raise Unreadable("none of the folders is one of `magneto gen`, which has the formulas")
    return found, wrong


def evidence_by_run(paths, found):
    """For each run the documents about its specification, and those about none of them."""
    told = {}
    for path in found:
        specification = json.loads((path / "manifest.json").read_text())["specification"]
        told[path] = (specification["name"], specification["sha256"])
    by_run, others = {path: [] for path in found}, []
    for document in dict((d[0].resolve(), d) for path in paths for d in documents(path)).values():
        subject = about(*document[1:])
        owner = next((path for path in found if subject == told[path]), None)
        (by_run[owner] if owner else others).append(document)
    return by_run, others


def overview(folder):
    """The file that stands for a folder: of a run its manifest or summary, of another one the first of the documents in it and
    below it; None if there is none."""
    names = [folder / name for name in ("manifest.json", "summary.json") if (folder / name).is_file()]
    return next(iter(names + [d[0] for d in documents(folder)]), None)


def keep(folder, checked, wrong, evidence):
    """Writes what was found into a folder, in one step, with the hashes of what stands for the folder and of the documents that
    it is about: (file, the name under which the claims of a document stand)."""
    found = json.loads(FORMATS["json"](checked, wrong))
    names = {file.resolve(): name for file, name in evidence}

    def hashed(file):
        here = file.relative_to(folder).as_posix() if folder in file.parents else file.name
        name = names.get(file.resolve())
        return {"file": here, "sha256": sha256(file)} | ({"specification": name} if name else {})

    about = overview(folder)
    found |= {"about": hashed(about), "evidence": [hashed(file) for file, _ in evidence if file != about]}
    kept = folder / "verify.json"
    if kept.is_symlink() or kept.exists() and not is_own(kept):
        raise Unreadable(f"{kept} is there already, and is none of this program's")
    with tempfile.NamedTemporaryFile("w", dir=folder, delete=False) as scratch:
        scratch.write(json.dumps(found, indent=1) + "\n")
    Path(scratch.name).chmod(0o644)
    os.replace(scratch.name, kept)


def is_own(file):
    """Whether an earlier run of this program wrote a file."""
    try:
        return json.loads(file.read_text())["schema"] == "magneto/verify/1"
    except (OSError, ValueError, KeyError, TypeError):
        return False


def without_run(document):
    """The claims of a document about no specification of a run: of scripts, or none that is checked."""
    file, kind, content = document
    word = {True: VERIFIED, False: REFUTED, None: OPEN}
    if kind in ("solve", "solve-script"):
        sys.setrecursionlimit(20_000)
        return file.name, [Claim(k, subject, word[answer], why) for k, subject, answer, why in answers(file, content)], None
    if kind in ("cover", "reach"):
        name = f"{content.get('function')} of {file}"
        try:
            return name, [Claim(k, subject, word[answer], why) for k, subject, answer, why in branches(file, content)], None
        except MALFORMED as e:
            return name, [], str(e) if isinstance(e, Unreadable) else f"{file}: not as `magneto {kind}` writes it: {e!r}"
    why = "no run of these folders is over that specification" if kind in ("check", "worst", "eval") else "the checker does not read code"
    return file.name, [Claim(kind, str(file), OPEN, why)], None


def main():
    options = arguments()
    try:
        paths, wrong = runs(options.folder)
        evidence, others = evidence_by_run(options.folder, paths)
    except (OSError, *MALFORMED) as e:
        print(f"error: {e if isinstance(e, (Unreadable, OSError)) else f'a file is not as `magneto` writes it: {e!r}'}", file=sys.stderr)
        return 2
    if options.keep and overview(options.folder[0]) is None:
        print(f"error: --keep writes into {options.folder[0]}, in which no command left a document", file=sys.stderr)
        return 2
    jobs = [(path, options.boxes, evidence[path], options.only) for path in paths]
    if len(jobs) > 1 and options.jobs > 1:
        with Pool(options.jobs) as pool:
            found = pool.map(check, jobs, chunksize=1)
    else:
        found = [check(job) for job in jobs]
    if options.only:
        found = [one for one in found if one[1] or one[2]]
        if not found:
            print(f"error: no test is called {options.only}, and no mutant has an id that begins so", file=sys.stderr)
            return 2
    else:
        found += map(without_run, others)
    unreadable = [why for _, _, why in found if why]
    if unreadable:
        print("".join(f"error: {why}\n" for why in unreadable), end="", file=sys.stderr)
        return 2
    checked = [(name, claims) for name, claims, _ in found]
    if options.keep:
        try:
            of_runs = [(d[0], path.name) for path, of_run in evidence.items() for d in of_run]
            alone = [(d[0], one[0]) for d, one in zip(others, found[len(jobs) :])]
            keep(options.folder[0], checked, wrong, of_runs + alone)
        except (Unreadable, OSError) as e:
            print(f"error: {e}", file=sys.stderr)
            return 2
    print(FORMATS[options.format](checked, wrong, bool(options.only)), end="")
    return exit_code(checked, wrong)


if __name__ == "__main__":
    sys.exit(main())
