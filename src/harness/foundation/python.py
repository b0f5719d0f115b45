# What a Python function rests on, after the driver: a line for each file and each fact, and one for each reason why something
# else may bear on it. Only what Python itself loads is seen, so sources say what they may read besides.
# Modules of the standard library whose functions depend on their arguments alone.
PURE = {
    "__future__", "abc", "array", "bisect", "cmath", "collections", "copy", "dataclasses", "decimal", "enum", "fractions",
    "functools", "heapq", "itertools", "math", "numbers", "operator", "re", "string", "struct", "typing", "types", "warnings",
}
# What reads or loads something, or reaches what does, or differs from process to process.
READS = {
    "__builtins__", "__import__", "__loader__", "__spec__", "breakpoint", "compile", "eval", "exec", "getattr", "globals",
    "hash", "id", "input", "locals", "object", "open", "vars",
}
REACHES = {
    "__base__", "__bases__", "__builtins__", "__class__", "__closure__", "__code__", "__dict__", "__getattribute__",
    "__globals__", "__import__", "__loader__", "__module__", "__mro__", "__self__", "__spec__", "__subclasses__",
}


# `LIBRARY` has the folders of the standard library.
def is_of_python(path):
    path = os.path.realpath(path)
    inside = any(path.startswith(folder) for folder in LIBRARY)
    return inside and "site-packages" not in path and "dist-packages" not in path


def is_own(module):
    path = getattr(module, "__file__", None)
    return bool(path) and not is_of_python(path)


# Whether a name of a module leads to one that is known: of the standard library, or one whose source is looked at too.
def is_known(name):
    if is_own(sys.modules.get(name)):
        return True
    if name.split(".")[0] not in PURE:
        return False
    try:
        found = importlib.util.find_spec(name)
    except (ImportError, ValueError, AttributeError):
        return False
    return found is not None and (found.origin in ("built-in", "frozen") or is_of_python(found.origin or ""))


def imported(node, module):
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    base = node.module or ""
    if node.level:
        base = importlib.util.resolve_name("." * node.level + base, module.__package__)
    loaded = sys.modules.get(base)
    # A name of a package may be a module that is loaded then.
    inside = [base + "." + alias.name for alias in node.names
              if alias.name != "*" and (base + "." + alias.name in sys.modules or not hasattr(loaded, alias.name))]
    return [base] + (inside if is_own(loaded) else [])


# Why a piece of source may depend on more than its arguments.
def why(node, module, more):
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        names = imported(node, module)
        more.extend(name for name in names if is_own(sys.modules.get(name)))
        return next(("it imports " + name for name in names if not is_known(name)), None)
    if isinstance(node, ast.Name) and node.id in READS:
        return "it uses " + node.id
    if isinstance(node, ast.Attribute) and node.attr in REACHES:
        return "it uses " + node.attr
    return None


# The first reason why a module does; `more` gets the modules that it imports.
def reason(module, more):
    path = module.__file__
    if not path.endswith(".py"):
        return "it is not in Python"
    with open(path, "rb") as file:
        tree = ast.parse(file.read())
    reasons = ((node, why(node, module, more)) for node in ast.walk(tree))
    return next((said + " in line " + str(node.lineno) for node, said in reasons if said), None)


def foundation():
    global ast, LIBRARY
    load(sys.argv[1], sys.argv[2])
    # Not before: a module that is loaded already hides one of the same name.
    import ast
    import sysconfig
    LIBRARY = tuple(os.path.realpath(sysconfig.get_path(name)) + os.sep for name in ("stdlib", "platstdlib"))
    if not sys.argv[1].endswith(".py") and not is_known(sys.argv[1]):
        say("reason what " + sys.argv[1] + " reads is not known")
    say("fact " + sys.version)
    say("fact " + repr(sys.flags))
    for name in sorted(os.environ):
        if name.startswith("PYTHON"):
            say("fact " + name + "=" + os.environ[name])
    own = [name for name, module in sys.modules.items() if is_own(module) and name != "__main__"]
    # What Python loads by itself is no part of the function, unless that imports it or a person wrote it for all programs.
    waiting = [name for name in own if name not in AT_START or name in ("sitecustomize", "usercustomize")]
    seen = set()
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            module = sys.modules[name]
            said = reason(module, waiting)
            if said:
                say("reason " + os.path.relpath(module.__file__, START) + ": " + said)
    for name, module in sorted(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if path and name != "__main__":
            say("file " + os.path.abspath(path))
    try:
        with open("/proc/self/maps") as maps:
            for line in maps:
                words = line.split(None, 5)
                if "x" in words[1] and len(words) == 6 and words[5].startswith("/"):
                    say("file " + words[5].rstrip("\n"))
    except OSError:
        say("reason which libraries Python loads cannot be seen on this system")
    say("end")


foundation()
