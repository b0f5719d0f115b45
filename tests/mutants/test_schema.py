"""Whether each mutant in the program that has them all does what the mutated text does by itself."""

import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

import schema
from main import SWITCH

SOURCE = (pathlib.Path(__file__).parent / "sample.rs").read_bytes()


def compiled(folder, name, text, mutants):
    """The program that a text is, or nothing where it does not compile."""
    place = folder / name
    place.mkdir()
    (place / "main.rs").write_bytes(text)
    (place / "mutant.rs").write_text(SWITCH.replace("COUNT]", f"{mutants}]"))
    told = subprocess.run(["rustc", "--edition=2024", "-Awarnings", "-o", place / "main", place / "main.rs"], capture_output=True, check=False)
    return place / "main" if told.returncode == 0 else None


def output(program, **more):
    done = subprocess.run([program], capture_output=True, text=True, timeout=20, check=False, env={**os.environ, **more})
    # Where a mutant panics, the message has the line and the thread.
    return done.returncode, done.stdout


def changed(mutant):
    """The text with one mutant alone, by hand as far as that goes."""
    begin, end = mutant.node.start_byte, mutant.node.end_byte
    own = mutant.node.text.decode()
    if mutant.kind == "body":
        own = f"{{ return {mutant.text}; }}"
    elif mutant.kind == "instead":
        own = f"({mutant.text})"
    elif mutant.kind == "arm":
        own = ""
    else:
        guard = mutant.node.child_by_field_name("pattern").child_by_field_name("condition")
        begin, end, own = guard.start_byte, guard.end_byte, mutant.text
    return SOURCE[:begin] + own.encode() + SOURCE[end:]


def main():
    mutants = schema.mutants_of("sample.rs", SOURCE)
    for number, mutant in enumerate(mutants):
        mutant.number = number
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = pathlib.Path(name)
        alone = list(pool.map(lambda m: compiled(folder, str(m.number), changed(m), len(mutants)), mutants))
        fit = [mutant for mutant in mutants if alone[mutant.number]]
        whole = compiled(folder, "whole", schema.write_schema(SOURCE, fit), len(mutants))
        plain = compiled(folder, "plain", SOURCE, len(mutants))
        wrong, other = [], 0
        for mutant in fit:
            expected = output(alone[mutant.number])
            other += expected != output(plain)
            if output(whole, MUTANT=str(mutant.number)) != expected:
                wrong.append(mutant.name)
        if output(whole) != output(plain):
            wrong.append("the program without a mutant")
        reached = folder / "reached"
        output(whole, MUTANT="reached", MUTANT_REACHED=str(reached))
        if len(reached.read_text().split()) != len(fit):
            wrong.append("all of it is reached")
        print(f"{len(mutants)} mutants, {len(fit)} of which compile; {other} of these do something else", *wrong, sep="\n  wrong: ")
        sys.exit(bool(wrong) or other < len(fit) // 2)


if __name__ == "__main__":
    main()
