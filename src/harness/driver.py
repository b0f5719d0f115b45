# The pipe protocol around one Python function: python3 -c DRIVER MODULE FUNCTION INPUTS
import importlib
import importlib.util
import inspect
import os
import platform
import sys
import traceback

# Refusals of an input; any other exception is a defect of the function.
REFUSALS = (ValueError, ArithmeticError, AssertionError)

START = os.getcwd()

answers = os.fdopen(os.dup(1), "w", newline="\n")
os.dup2(2, 1)  # What the function prints is no answer.


def say(text):
    answers.write(text.replace("\r", " ").replace("\n", " ")[:400] + "\n")
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
        found = getattr(found, part)
    if not callable(found):
        raise TypeError(function + " is not a function")
    return found, getattr(loaded, "__file__", None)


# The frames of an error that are neither this driver's nor the import system's.
def frames(error):
    all = traceback.extract_tb(error.__traceback__)
    return [f for f in all if f.filename != "<string>" and not f.filename.startswith("<frozen ")]


def words(error):
    text = type(error).__name__ + ": " + str(error)
    inside = frames(error)
    if inside:
        text += " (" + os.path.relpath(inside[-1].filename, START) + ":" + str(inside[-1].lineno) + ")"
    return text


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


# Why a function cannot be called with so many numbers, if it cannot.
def misfit(function, name, inputs):
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # Some that are not written in Python do not tell.
        return None
    try:
        signature.bind(*[0.0] * inputs)
        return None
    except TypeError as error:
        kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        places = [p for p in signature.parameters.values() if p.kind in kinds]
        least = sum(p.default is p.empty for p in places)
        most = len(places)
        takes = str(most) if least == most else "from " + str(least) + " to " + str(most)
        why = "" if not least <= inputs <= most else ": " + str(error)
        return (name + str(signature) + " takes " + takes + (" number" if takes == "1" else " numbers")
                + ", and the specification has " + str(inputs) + (" input" if inputs == 1 else " inputs") + why)


def number(result):
    if result is None or isinstance(result, (bool, str, bytes, complex)) or not hasattr(result, "__float__"):
        raise TypeError("it returned " + repr(result)[:100] + ", which is no number")
    try:
        return float(result).hex()
    except OverflowError:  # An integer beyond every float.
        return "inf" if result > 0 else "-inf"


def main():
    shown = set()
    try:
        function, path = load(sys.argv[1], sys.argv[2])
        unfit = misfit(function, sys.argv[2], int(sys.argv[3]))
    except BaseException as error:
        trace(error, shown)
        say("error: the function cannot be loaded: " + words(error))
        return
    if unfit:
        say("error: " + unfit)
        return
    say("ready " + platform.python_version() + (" " + path if path else ""))
    for line in sys.stdin:
        inputs = [float.fromhex(word) for word in line.split()]
        try:
            answer = number(function(*inputs))
        except REFUSALS as error:
            # numpy and others derive their own from these.
            answer = "error: " + words(error)
        except BaseException as error:
            trace(error, shown)
            answer = "crash: " + words(error)
        say(answer)


main()
