#!/usr/bin/env python3
"""The licences of all libraries that a program of this workspace is linked with, as Markdown.

    packaging/notices.py PACKAGE [TARGET]     PACKAGE: magneto, or magneto-python for the wheel

A table of names, versions and licences, and below it each text that a library brings, once.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

NAMES = re.compile(r"(licen[cs]e|copying|copyright|notice)", re.IGNORECASE)
SOURCE = {".rs", ".c", ".h", ".py"}


def linked(metadata, name):
    """The packages whose code is in the program: what only builds it, or runs in the compiler, is not."""
    packages = {p["id"]: p for p in metadata["packages"]}
    nodes = {n["id"]: n for n in metadata["resolve"]["nodes"]}
    todo = [i for i, p in packages.items() if p["name"] == name and i in metadata["workspace_members"]]
    if not todo:
        sys.exit(f"notices: no package of this workspace is called {name}")
    seen = set(todo)
    while todo:
        for dep in nodes[todo.pop()]["deps"]:
            target = packages[dep["pkg"]]["targets"]
            is_linked = any(k["kind"] is None for k in dep["dep_kinds"]) and not any("proc-macro" in t["kind"] for t in target)
            if is_linked and dep["pkg"] not in seen:
                seen.add(dep["pkg"])
                todo.append(dep["pkg"])
    found = [packages[i] for i in seen if i not in metadata["workspace_members"]]
    return sorted(found, key=lambda p: (p["name"], p["version"]))


def texts(package):
    """The texts of licences in a package, and in the folders of it, in which the sources of others are."""
    root = Path(package["manifest_path"]).parent
    paths = sorted(path for path in [*root.glob("*"), *root.glob("*/*")] if path.is_file())
    text = lambda path: path.read_text(encoding="utf-8", errors="replace")
    own = [path for path in paths if NAMES.match(path.name) and path.suffix not in SOURCE]
    for path in own:
        yield path.relative_to(root).as_posix(), text(path).strip()
    # Some have it at the head of a source.
    for path in paths if not own else []:
        head = re.match(r"/\*.*?\*/", text(path), re.DOTALL) if path.suffix in SOURCE else None
        if head and "Permission is hereby granted" in head[0]:
            yield path.relative_to(root).as_posix(), head[0]


def main():
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    if len(sys.argv) == 3:
        command += ["--filter-platform", sys.argv[2]]
    packages = linked(json.loads(subprocess.check_output(command)), sys.argv[1])
    by_text = {}
    print("# Libraries of others in this program\n\n| library | version | licence |\n|---|---|---|")
    for package in packages:
        licence = package["license"] or "see its text below"
        print(f"| [{package['name']}]({package['repository'] or 'https://crates.io/crates/' + package['name']}) | {package['version']} | {licence} |")
        for name, text in texts(package):
            by_text.setdefault(text, []).append(f"{package['name']} {package['version']}: {name}")
    for text, names in by_text.items():
        fence = "`" * max(4, max((len(m) for m in re.findall("`+", text)), default=0) + 1)
        print("\n## " + "; ".join(names) + f"\n\n{fence}text\n{text}\n{fence}")


main()
