# The pipe protocol around one Python function: python3 -c DRIVER MODULE FUNCTION
import importlib
import importlib.util
import os
import platform
import sys
import traceback

# Refusals of an input; any other exception is a defect of the function.
REFUSALS = (ValueError, ArithmeticError, AssertionError)

answers = os.fdopen(os.dup(1), "w", newline="\n")
os.dup2(2, 1)  # What the function prints is no answer.


def say(text):
    answers.write(text.replace("\r", " ").replace("\n", " ")[:400] + "\n")
    answers.flush()


def load(module, function):
    sys.path.insert(0, os.getcwd())
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


def words(error):
    return type(error).__name__ + ": " + str(error)


def number(result):
    if result is None or isinstance(result, (bool, str, bytes, complex)) or not hasattr(result, "__float__"):
        raise TypeError("it returned " + repr(result)[:100] + ", which is no number")
    try:
        return float(result).hex()
    except OverflowError:  # An integer beyond every float.
        return "inf" if result > 0 else "-inf"


def main():
    try:
        function, path = load(sys.argv[1], sys.argv[2])
    except BaseException as error:
        traceback.print_exc()
        say("error: the function cannot be loaded: " + words(error))
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
            traceback.print_exc()
            answer = "crash: " + words(error)
        say(answer)


main()
