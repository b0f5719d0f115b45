"""What the book's page on the package shows is so."""

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numpy")

PAGE = Path(__file__).parent / ".." / "python.md"
if not PAGE.exists():
    PAGE = Path(__file__).parent / "../../docs/src/python.md"


def is_like(shown, found):
    """Whether a text is what a page shows, where an ellipsis stands for anything, and on a line of its own for any lines."""
    lines = []
    for line in shown.splitlines():
        if line.strip() == "…":
            lines.append(r"(?:.*\n)*?")
        else:
            lines.append(".*".join(map(re.escape, re.sub(r"(.)\1{20,}", r"\1", line).split("…"))) + r"\s*\n")
    # Rulers are as long as the terminal is wide.
    found = "\n".join(re.sub(r"(.)\1{20,}", r"\1", line) for line in found.splitlines())
    return re.fullmatch("".join(lines), found.rstrip() + "\n") is not None


def test_the_page_shows_what_is_printed(tmp_path):
    blocks = re.findall(r"^```(\S*)([^\n]*)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    printed, names, shown = None, {"__name__": "__main__"}, 0
    for language, about, text in blocks:
        file = re.search(r"file=(\S+)", about)
        if language == "text":
            assert printed is None or is_like(text, printed), f"the page shows\n{text}\nand this is printed\n{printed}"
            shown += printed is not None
            printed = None
        elif file:
            (tmp_path / file.group(1)).write_text(text, encoding="utf-8")
        elif language == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(text, names)
            printed = out.getvalue()
        elif language == "sh" and "pytest " in text:
            words = [line for line in text.splitlines() if not line.startswith("#")][0].split()
            command = [sys.executable, "-m", *words, "-p", "no:cacheprovider"]
            printed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True).stdout
        else:
            printed = None
    assert shown == 4
