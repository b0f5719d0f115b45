# The pipe protocol around one Python function, behind calling.py: python3 -c TEXT MODULE FUNCTION INDEX COUNT KINDS INPUT..., with a call
# of main after this text. KINDS has an i for each input that is an integer, and an f for each other one. Lines of inputs, or with
# --batches and their number at the end batches of points.
import difflib
import importlib
import importlib.util
import platform
import struct
import sys
import time

START = os.getcwd()
# What Python loads by itself, as site-packages ask it to.
AT_START = set(sys.modules)

answers = os.fdopen(os.dup(1), "w", newline="\n")
os.dup2(2, 1)  # What the function prints is no answer.


def one_line(text):
    return text.replace("\r", " ").replace("\n", " ")[:400]


def say(text):
    answers.write(one_line(text) + "\n")
    answers.flush()


def load(module, function):
    sys.path.insert(0, START)
    if module.endswith(".py"):
        sys.path.insert(0, os.path.dirname(os.path.abspath(module)))
        spec = importlib.util.spec_from_file_location(os.path.basename(module)[:-3], module)
        loaded = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = loaded
        spec.loader.exec_module(loaded)
    else:
        loaded = importlib.import_module(module)
    found = loaded
    for part in function.split("."):
        if not hasattr(found, part):
            near = difflib.get_close_matches(part, dir(found), 1)
            hint = "; did you mean " + near[0] + "?" if near else ""
            raise Misfit(getattr(found, "__name__", module) + " has no " + part + hint)
        found = getattr(found, part)
    if not callable(found):
        raise TypeError(function + " is not a function")
    return found, getattr(loaded, "__file__", None)


# The way to an error, where its words do not say all of it; the same way once only.
def trace(error, shown):
    inside = frames(error)
    if len(inside) > 1:
        lines = traceback.format_list(inside) + traceback.format_exception_only(type(error), error)
        text = "".join(lines)
        if text not in shown:
            shown.add(text)
            sys.stderr.write(text)
            sys.stderr.flush()


def answer_lines(bound, kinds, place):
    shown = set()
    for line in sys.stdin:
        kind, answer = ask(bound, [of(float.fromhex(word)) for of, word in zip(kinds, line.split())], *place)
        if kind == VALUE:
            say(answer.hex())
        else:
            if kind == CRASHED:
                trace(answer, shown)
            say(kind + ": " + words(answer, START))


# Batches as harness/batch.rs has them: a byte that asks for a write after each answer unless it is 0, the number of points in four
# bytes, and their inputs. An answer is a byte for its kind and eight for a number, or for the length of the words that follow.
def answer_batches(bound, kinds, place):
    codes = {REFUSED: 3, CRASHED: 4}
    while len(head := sys.stdin.buffer.read(5)) == 5:
        careful, count = struct.unpack("<BI", head)
        numbers = struct.unpack(f"<{count * len(kinds)}d", sys.stdin.buffer.read(8 * count * len(kinds)))
        told, written = bytearray(), time.monotonic()
        for k in range(count):
            x = numbers[k * len(kinds):(k + 1) * len(kinds)]
            kind, answer = ask(bound, [of(number) for of, number in zip(kinds, x)], *place)
            if kind == VALUE:
                told += struct.pack("<Bd", 0, answer)
            else:
                text = one_line(words(answer, START)).encode(errors="replace")
                told += struct.pack("<BQ", codes[kind], len(text)) + text
            # Now and then in any case: a slow function is no hanging one.
            if careful or time.monotonic() - written > 0.02:
                answers.buffer.write(told)
                answers.buffer.flush()
                told, written = bytearray(), time.monotonic()
        answers.buffer.write(told)
        answers.buffer.flush()


def main():
    asked = sys.argv[6:]
    is_batches = asked[-2:-1] == ["--batches"]
    inputs = asked[:-2] if is_batches else asked
    try:
        function, path = load(sys.argv[1], sys.argv[2])
        bound = bind(function, sys.argv[2], inputs, int(sys.argv[4]))
    except Misfit as error:
        say("error: " + str(error))
        return
    except BaseException as error:
        trace(error, set())
        say("error: the function cannot be loaded: " + words(error, START))
        return
    place = int(sys.argv[3]), int(sys.argv[4])
    kinds = [int if kind == "i" else float for kind in sys.argv[5]]
    say("ready " + platform.python_version() + (" " + path if path else ""))
    (answer_batches if is_batches else answer_lines)(bound, kinds, place)
