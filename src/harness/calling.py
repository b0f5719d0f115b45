# How a Python function is called with the inputs of a specification, and what of it is a result, a refusal or a crash: one set
# of rules for the driver of `magneto check --python` and for the Python package.
import inspect
import keyword
import os
import traceback

# Refusals of an input; any other exception is a defect of the function.
REFUSALS = (ValueError, ArithmeticError, AssertionError)

# Kinds of answers.
VALUE, REFUSED, CRASHED = "value", "error", "crash"


class Misfit(TypeError):
    """The function cannot be called with the inputs of the specification."""


# The frames of an error that are neither of this code nor the import system's.
def frames(error):
    own = words.__code__.co_filename
    all = traceback.extract_tb(error.__traceback__)
    return [f for f in all if f.filename != own and not f.filename.startswith("<frozen ")]


def words(error, start=None):
    text = type(error).__name__ + ": " + str(error)
    inside = frames(error)
    if inside:
        text += " (" + os.path.relpath(inside[-1].filename, start) + ":" + str(inside[-1].lineno) + ")"
    return text


# Names for a sentence.
def listed(names):
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


# How a parameter is called that stands for an input: as the input, as far as Python allows.
def spelled(name):
    text = "".join(c if c.isalnum() or c == "_" else "_" for c in name)
    return text + "_" if keyword.iskeyword(text) else text


class Bound:
    """A function with where it takes each input. `order` has the places of the inputs that are arguments by position,
    `names` the parameter of each of the others."""

    def __init__(self, function, order, names):
        self.function, self.order, self.names = function, order, names
        self.in_order = not names and order == list(range(len(order)))

    def __call__(self, inputs):
        if self.in_order:
            return self.function(*inputs)
        named = {name: inputs[k] for k, name in self.names.items()}
        return self.function(*[inputs[k] for k in self.order], **named)


# A bound function that takes arrays as lists of lists: `shapes` has the place of each argument among the inputs, nested for an
# array.
class Gathered:
    in_order = False

    def __init__(self, bound, shapes):
        self.bound, self.shapes = bound, shapes

    def __call__(self, inputs):
        def value(shape):
            return [value(part) for part in shape] if isinstance(shape, list) else inputs[shape]
        return self.bound([value(shape) for shape in self.shapes])


# The arguments that inputs are elements of, in order, with their shapes: of A[0], A[1] the argument A.
def gathered(inputs):
    shapes = {}
    for k, name in enumerate(inputs):
        argument, *places = name.replace("]", "").split("[")
        if not places:
            shapes[argument] = k
            continue
        at = shapes.setdefault(argument, [])
        for place in map(int, places[:-1]):
            # Elements come in order.
            if place == len(at):
                at.append([])
            at = at[place]
        at.append(k)
    return shapes


# A function as it is called with the inputs of these names. Where its parameters have their names, these bind; else the places
# do. Names of parameters that are positional only, or of numpy's ufuncs, are no part of how a function is called.
def bind(function, shown, inputs, results=1):
    if any("[" in name for name in inputs):
        shapes = gathered(inputs)
        return Gathered(bind(function, shown, list(shapes), results), list(shapes.values()))
    by_place = Bound(function, list(range(len(inputs))), {})
    ufunc = getattr(function, "nin", None)
    if isinstance(ufunc, int) and isinstance(getattr(function, "nout", None), int):
        if ufunc != len(inputs) or function.nout != results:
            raise Misfit(counts(shown + "()", str(ufunc), len(inputs)) if ufunc != len(inputs)
                         else shown + "() gives " + str(function.nout) + " results, and "
                         + (str(results) + " are" if results > 1 else "one is") + " owed")
        return by_place
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # Some that are not written in Python do not tell.
        return by_place
    parameters = list(signature.parameters.values())
    anywhere = [p.name for p in parameters if p.kind == p.POSITIONAL_OR_KEYWORD]
    nameable = anywhere + [p.name for p in parameters if p.kind == p.KEYWORD_ONLY]
    named = {k: name for k, name in enumerate(map(spelled, inputs)) if name in nameable}
    if named and len(named) == len(inputs) and len(set(named.values())) == len(inputs):
        places = {name: k for k, name in named.items()}
        if set(anywhere[:len(inputs)]) == set(places) and parameters[0].kind != inspect.Parameter.POSITIONAL_ONLY:
            bound = Bound(function, [places[name] for name in anywhere[:len(inputs)]], {})
        else:
            bound = Bound(function, [], named)
    else:
        bound = by_place
    try:
        signature.bind(*[0.0] * len(bound.order), **dict.fromkeys(bound.names.values(), 0.0))
    except TypeError as error:
        raise Misfit(misfit(signature, shown, len(inputs), error)) from None
    if named and bound is by_place:
        known = [inputs[k] for k in named]
        others = [name for k, name in enumerate(inputs) if k not in named]
        raise Misfit(shown + str(signature) + " has " + plural("a parameter", "parameters", known) + " named "
                     + listed(known) + ", and none named " + listed(others)
                     + ": names bind where all inputs have one, places where none has")
    return bound


def plural(one, more, things):
    return one if len(things) == 1 else more


def counts(shown, takes, inputs):
    return (shown + " takes " + takes + (" number" if takes == "1" else " numbers") + ", and the specification has "
            + str(inputs) + (" input" if inputs == 1 else " inputs"))


# Why a function cannot be called with so many numbers.
def misfit(signature, shown, inputs, error):
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    places = [p for p in signature.parameters.values() if p.kind in kinds]
    least = sum(p.default is p.empty for p in places)
    most = len(places)
    takes = str(most) if least == most else "from " + str(least) + " to " + str(most)
    why = "" if not least <= inputs <= most else ": " + str(error)
    return counts(shown + str(signature), takes, inputs) + why


# The float that a result is: a number, or an array, a list or a tuple of one number.
def number(result):
    one = result[0] if isinstance(result, (list, tuple)) and len(result) == 1 else result
    size, item = getattr(result, "size", None), getattr(result, "item", None)
    if isinstance(size, int) and callable(item):
        if size != 1:
            raise TypeError("it returned an array of " + str(size) + " numbers for one input")
        one = item()
    if one is None or isinstance(one, (bool, str, bytes, complex)) or not hasattr(one, "__float__"):
        raise TypeError("it returned " + repr(result)[:100] + ", which is no number")
    try:
        return float(one)
    except OverflowError:  # An integer beyond every float.
        return float("inf") if one > 0 else float("-inf")


# The numbers of a result that is a tuple, a list or an array, nested or not, in order.
def flat(result):
    fields = getattr(result, "__dataclass_fields__", None)
    if fields is not None and not isinstance(result, type):
        result = [getattr(result, name) for name in fields]
    elif isinstance(result, dict):
        result = list(result.values())
    elif getattr(result, "shape", ()) != () and callable(getattr(result, "tolist", None)):
        result = result.tolist()
    if isinstance(result, (tuple, list)):
        return [one for part in result for one in flat(part)]
    return [result]


# One of several results.
def one_of(result, index, count):
    if count == 1:
        return number(result)
    all = flat(result)
    if len(all) != count:
        raise TypeError("it returned " + repr(result)[:100] + ", and " + str(count) + " results are owed")
    return number(all[index])


# What a bound function answers at some inputs: a kind, and a float or an exception.
def ask(bound, inputs, index=0, count=1):
    try:
        return VALUE, one_of(bound(inputs), index, count)
    except REFUSALS as error:
        # numpy and others derive their own from these.
        return REFUSED, error
    except BaseException as error:
        return CRASHED, error
