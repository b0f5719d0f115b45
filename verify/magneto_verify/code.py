"""What `cover` and `reach` say of branches of code, found again. That no input takes one is proved: the module is run on sets of inputs
that together are all inputs.

Where a test is not settled, both ways are followed. A set on which the branch may be taken is cut in two, at one of the inputs.
Memory that nothing of the call has written may hold anything, but for constants; a function of the host may return anything.
"""

import hashlib
import math
from itertools import product
from pathlib import Path

from .bits import of_bits
from .floats import BITS, FLOAT_UNARY, INFINITY, MINUS, NOTHING, PLUS, everything, is_float, rank
from .texts import Unreadable
from .instructions import CONSTANTS, CONVERSIONS, DIVISIONS, HOST, LOADS, PURE, QUOTIENTS, RULES, STORES
from .integers import is_one, signed, unsigned, wrapped
from .wasm import BLOCK, ELSE, END, IF, LOOP, Module
from .ways import Frame, Memory, Way, overlap

# Calls within one another.
MOST_CALLS = 100
# Bytes of a page of memory.
PAGE = 1 << 16
# Bytes that one call of the host copies.
MOST_MOVED = 4096
# Instructions that are run for one set of inputs, and for one proof. A copy of all that is known counts as many as it has parts.
STEPS_OF_SET, STEPS_OF_PROOF = 20_000, 500_000


class Unsettled(Exception):
    """The branch may be taken, as far as this set of inputs shows."""


class Taken(Unsettled):
    """Each of these inputs takes the branch."""


def at_branch(path, ways):
    """What is known where the branch is among the ways on."""
    return Taken() if path.forks == 0 and len(ways) == 1 else Unsettled()


class Code:
    """A module with one of its functions and a branch in it, or in what it calls."""

    def __init__(self, module, entry, goal):
        self.module, self.entry = module, entry
        count = len(module.functions)
        if not 0 <= entry < count or not 0 <= goal["function"] < count:
            raise Unreadable("the module has no such function")
        self.place = (module.functions[goal["function"]], goal["offset"])
        self.value = goal["value"]
        others = lambda k: [s for i, s in enumerate(module.segments) if i != k]
        is_alone = lambda k, at, data: not overlap(others(k), at, len(data))
        self.constants = [s for k, s in enumerate(module.segments) if k in module.constant and is_alone(k, *s)]
        # What an earlier call made of a variable is not known; the stack's pointer is where it was.
        is_known = lambda k, changes: not changes or k == module.stack
        self.globals = [(g, g) if is_known(k, changes) else None for k, (g, changes) in enumerate(module.globals)]
        if self.at_goal() is None:
            raise Unreadable("the module has no branch at that offset")
        self.steps, self.why = 0, ""
        self.leads = self.leading()

    def leading(self):
        """For each function the instructions from which the branch can be reached, by the order of the code alone."""
        functions, imports, before = self.module.functions, len(self.module.imports), self.module.before
        indirect = {f - imports for f in self.module.table.values()}
        found = {function: set() for function in functions}
        goal = self.place[0]
        open_ = [(functions.index(goal), k) for k, (_, _, at) in enumerate(goal.code) if at == self.place[1]]
        while open_:
            index, k = open_.pop()
            if k in found[functions[index]]:
                continue
            found[functions[index]].add(k)
            open_ += [(index, other) for other in before[index].get(k, ())]
            if k == 0:
                open_ += self.module.calls.get(index + imports, []) + (self.module.calls.get(None, []) if index in indirect else [])
        return found

    def leads_on(self, path):
        """Whether the path may still come to the branch."""
        return any(frame.pc in self.leads[frame.function] for frame in path.frames)

    def at_goal(self):
        function, offset = self.place
        return next((op for op, _, at in function.code if at == offset and op in (IF, 0x0D, 0x0E, 0x1B, 0x1C)), None)

    def takes(self, inputs, most=STEPS_OF_SET):
        """Whether these inputs take the branch: all of them, none of them, or None where neither is shown. So many instructions are run
        at most."""
        function = self.module.functions[self.entry]
        path = Way([], list(inputs), list(self.globals), Memory(self.constants))
        self.call(path, function)
        # The ways that began rounds of loops, by place.
        self.rounds = {}
        open_, last = [path], self.steps + most
        try:
            while open_:
                path = open_.pop()
                if self.leads_on(path):
                    self.run(path, open_, last)
        except Taken:
            return True
        except Unsettled as why:
            self.why = str(why)
            return None
        return False

    def call(self, path, function):
        if len(path.frames) > MOST_CALLS:
            raise Unsettled("its calls are deep")
        taken = len(function.parameters)
        arguments = path.stack[len(path.stack) - taken :]
        del path.stack[len(path.stack) - taken :]
        zero = [(0, 0, 0) if is_float(kind) else (0, 0) for kind in function.locals]
        path.frames.append(Frame(function, arguments + zero, len(path.stack)))

    def run(self, path, open_, last):
        """Follows a path to its end; other ways on are put aside."""
        while path.frames:
            frame = path.frames[-1]
            if frame.pc >= len(frame.function.code):
                # What is below the results belongs to no block of the caller.
                _, results, height = frame.blocks[0]
                del path.stack[height : len(path.stack) - results]
                path.frames.pop()
                continue
            self.steps += 1
            if self.steps > last:
                raise Unsettled("its runs are long")
            op, operands, at = frame.function.code[frame.pc]
            frame.pc += 1
            if op in RULES:
                taken, rule = RULES[op]
                arguments = path.stack[-taken:]
                del path.stack[-taken:]
                if op in DIVISIONS:
                    n = DIVISIONS[op]
                    lo, hi = unsigned(arguments[1], n)
                    is_beyond = op in QUOTIENTS and signed(arguments[1], n) == (-1, -1) and signed(arguments[0], n) == (-1 << n - 1,) * 2
                    if hi == 0 or is_beyond:
                        return
                    # Some of the inputs may end here: by 0, or the least number by -1.
                    path.forks += lo == 0 or hi == (1 << n) - 1
                path.forks += op in CONVERSIONS
                path.stack.append(rule(*arguments))
            elif not self.step(path, frame, op, operands, at, open_):
                return

    def step(self, path, frame, op, operands, at, open_):
        """Any other instruction; False where the path ends."""
        stack = path.stack
        if op == 0x20:
            stack.append(frame.locals[operands[0]])
        elif op == 0x21:
            frame.locals[operands[0]] = stack.pop()
        elif op == 0x22:
            frame.locals[operands[0]] = stack[-1]
        elif op in CONSTANTS:
            stack.append(self.constant(CONSTANTS[op], operands[0]))
        elif op in LOADS:
            kind, size, is_signed = LOADS[op]
            address = self.address(path, operands[0], size)
            if address is None:
                return False
            value = path.memory.load(address, size, kind)
            if is_signed is not None:
                value = signed(value, 8 * size) if is_signed else unsigned(value, 8 * size)
            stack.append(value)
        elif op in STORES:
            kind, size = STORES[op]
            value = stack.pop()
            value = value if is_float(kind) else wrapped(*value, 8 * size)
            address = self.address(path, operands[0], size)
            if address is None:
                return False
            path.memory.store(address, size, kind if is_float(kind) else None, value)
        elif op in (BLOCK, LOOP):
            taken, results = operands[0]
            place = frame.pc - 1
            target = (place, taken) if op == LOOP else (frame.function.ends[place], results)
            frame.blocks.append((*target, len(stack) - taken))
            if op == LOOP:
                return self.begin_round(path)
        elif op in (IF, 0x0D, 0x1B, 0x1C):
            return self.decide(path, frame, op, operands, at, open_)
        elif op == ELSE:
            # The first part is done: on with what follows the block.
            frame.pc = frame.blocks[-1][0]
        elif op == END:
            frame.blocks.pop()
            if not frame.blocks:
                frame.blocks = [(len(frame.function.code), len(frame.function.results), len(stack) - len(frame.function.results))]
        elif op == 0x0C:
            return self.jump(path, frame, operands[0])
        elif op == 0x0E:
            return self.choose(path, operands[0], at, open_)
        elif op == 0x0F:
            frame.pc = len(frame.function.code)
        elif op in (0x10, 0x11):
            return self.enter(path, op, operands)
        elif op == 0x23:
            value = path.globals[operands[0]]
            if value is None:
                raise Unsettled("a variable that another call may have changed")
            stack.append(value)
        elif op == 0x24:
            path.globals[operands[0]] = stack.pop()
        elif op == 0x1A:
            stack.pop()
        elif op == 0x00:
            return False
        elif op != 0x01:
            raise Unsettled(f"the instruction {op:#x}")
        return True

    def constant(self, kind, value):
        return of_bits((value, value), kind) if is_float(kind) else (value, value)

    def address(self, path, offset, size):
        """Where an access is; None where that is outside of memory, which ends the path."""
        lo, hi = (end + offset for end in unsigned(path.stack.pop(), self.module.address))
        last = self.module.pages * PAGE - size
        path.forks += hi > last
        return (lo, min(hi, last)) if lo <= last else None

    def jump(self, path, frame, depth):
        for _ in range(depth):
            frame.blocks.pop()
        target, taken, height = frame.blocks[-1]
        del path.stack[height : len(path.stack) - taken]
        # The `end` of a block closes it, a loop begins again behind the instruction that opens it.
        is_loop = target < len(frame.function.code) and frame.function.code[target][0] == LOOP
        frame.pc = target + is_loop
        return self.begin_round(path) if is_loop else True

    def begin_round(self, path):
        """The beginning of a round of a loop; False where another way was there with all that this one may be. Where tests of the
        last round were not settled, what changes is given up, so that rounds come to an end."""
        place = path.place()
        before = path.begun.get(place)
        path.begun[place] = path.forks
        if before is None or before == path.forks:
            return True
        seen = self.rounds.setdefault(place, [])
        self.steps += path.size() * (1 + len(seen))
        if any(one.holds(path) for one in seen):
            return False
        if seen:
            wider = seen[-1].widened(path)
            if wider is None:
                raise Unsettled("a loop changes the stack")
            path.frames, path.memory = wider.frames, wider.memory
        seen.append(path.copy())
        return True

    def decide(self, path, frame, op, operands, at, open_):
        """An instruction with two ways on."""
        lo, hi = unsigned(path.stack.pop(), 32)
        ways = [way for way, may in ((0, lo == 0), (1, hi > 0)) if may]
        if (frame.function, at) == self.place and self.value in ways:
            raise at_branch(path, ways)
        path.forks += len(ways) - 1
        if len(ways) == 2:
            self.steps += path.size()
            other = path.copy()
            if self.go(other, other.frames[-1], op, operands, 1):
                open_.append(other)
        return self.go(path, frame, op, operands, ways[0]) and self.leads_on(path)

    def go(self, path, frame, op, operands, way):
        """Takes one of them; False where the path ends."""
        if op == 0x0D:
            return self.jump(path, frame, operands[0]) if way else True
        if op == IF:
            taken, results = operands[0]
            place = frame.pc - 1
            end = frame.function.ends[place]
            frame.blocks.append((end, results, len(path.stack) - taken))
            if not way:
                frame.pc = frame.function.elses.get(place, end - 1) + 1
        else:
            second = path.stack.pop()
            if not way:
                path.stack[-1] = second
        return True

    def choose(self, path, targets, at, open_):
        """A jump by a table, of which the last target is for all other numbers."""
        lo, hi = unsigned(path.stack.pop(), 32)
        last = len(targets) - 1
        arms = list(range(min(lo, last), min(hi, last) + 1))
        if (path.frames[-1].function, at) == self.place and self.value in arms:
            raise at_branch(path, arms)
        path.forks += len(arms) - 1
        for arm in arms[1:]:
            self.steps += path.size()
            other = path.copy()
            if self.jump(other, other.frames[-1], targets[arm]):
                open_.append(other)
        return self.jump(path, path.frames[-1], targets[arms[0]]) and self.leads_on(path)

    def enter(self, path, op, operands):
        """A call; False where it ends the path."""
        index = operands[0]
        if op == 0x11:
            place = path.stack.pop()
            if not is_one(place) or unsigned(place, 64)[0] not in self.module.table:
                raise Unsettled("a call of any function")
            index = self.module.table[unsigned(place, 64)[0]]
            if self.module.kind(index) != self.module.types[operands[0]]:
                return False
        if index >= len(self.module.imports):
            self.call(path, self.module.functions[index - len(self.module.imports)])
            return True
        name, (parameters, results) = self.module.imports[index]
        if name in ("memcpy", "memmove", "memset") and len(parameters) == 3:
            return self.move(path, name)
        # Any other one may write memory, or never return.
        if name not in HOST and name not in PURE or not all(map(is_float, parameters + results)):
            raise Unsettled(f"a call of {name}")
        if self.module.errno is not None:
            path.memory.forget(self.module.errno, self.module.errno + 4)
        arguments = path.stack[len(path.stack) - len(parameters) :]
        del path.stack[len(path.stack) - len(parameters) :]
        kind, rule = HOST.get(name, (None, None))
        if parameters == [kind] and results == [kind]:
            path.stack.append(FLOAT_UNARY[rule](arguments[0], kind))
        else:
            path.stack += map(everything, results)
        return True

    def move(self, path, name):
        """A call of `memcpy`, `memmove` or `memset` for stretches of memory that are known."""
        to, given, count = path.stack[-3:]
        (to, _), (given, last), (count, most) = (unsigned(a, self.module.address) for a in (to, given, count))
        stretches = [to] if name == "memset" else [to, given]
        is_known = is_one(path.stack[-3]) and given == last and count == most <= MOST_MOVED
        is_apart = name != "memcpy" or abs(to - given) >= count
        if not is_known or not is_apart or any(at + count > self.module.pages * PAGE for at in stretches):
            raise Unsettled(f"a call of {name}")
        del path.stack[-2:]
        self.steps += count
        if name == "memset":
            path.memory.fill(to, given & 255, count)
        else:
            path.memory.copy_bytes(given, to, count)
        return True


# Sets of inputs.


def all_of(kind):
    """All inputs of a kind, one set for each of which bits are in one order: negative numbers, others, NaNs."""
    if kind in BITS and is_float(kind):
        most = INFINITY[kind]
        return [(-most - 1, -1, 0), (0, most, 0), NOTHING + (PLUS,), NOTHING + (MINUS,)]
    if kind == "bool":
        return [(0, 1)]
    n = int(kind[1:])
    return [(0, (1 << n) - 1)] if kind[0] == "u" else [(-(1 << n - 1), -1), (0, (1 << n - 1) - 1)]


def machine_kind(kind):
    """The kind of a parameter that has inputs of a kind."""
    return kind if is_float(kind) else "i64" if kind[1:] == "64" else "i32"


def width(a):
    return a[1] - a[0]


def halves(a):
    middle = (a[0] + a[1]) // 2
    return [(a[0], middle) + a[2:], (middle + 1, a[1]) + a[2:]]


def is_never_taken(code, kinds):
    """Whether no input takes a branch; None where that is not settled within the limits. What is False is told of one input."""
    boxes = [[]]
    for kind in kinds:
        boxes = [box + [a] for box in boxes for a in all_of(kind)]
    while boxes:
        box = boxes.pop()
        found = code.takes(box)
        if found is False:
            continue
        if found:
            return False
        widest = max(range(len(box)), key=lambda k: width(box[k]), default=None)
        if code.steps > STEPS_OF_PROOF or widest is None or width(box[widest]) <= 0:
            return None
        boxes += [box[:widest] + [half] + box[widest + 1 :] for half in halves(box[widest])]
    return True


def inputs_told(texts, kinds):
    """The sets that inputs of a document may mean: a NaN is told without its sign."""
    def one(text, kind):
        if not is_float(kind):
            return [(int(text),) * 2]
        x = float.fromhex(text)
        return [NOTHING + (sign,) for sign in (PLUS, MINUS)] if math.isnan(x) else [(rank(x, kind),) * 2 + (0,)]

    return product(*map(one, texts, kinds))


def answers(codes, kinds, run):
    """Whether an input takes one of some branches, or, without one, no input does; None where that is not settled. And why not."""
    if run is None:
        found = [is_never_taken(code, kinds) for code in codes]
        answer = False if False in found else None if None in found else True
        why = "an input takes it" if answer is False else "not settled within the limits"
    else:
        found = [code.takes(inputs, STEPS_OF_PROOF) for code in codes for inputs in inputs_told(run, kinds)]
        answer = True if True in found else None if None in found else False
        why = "the input does not take it" if answer is False else "more depends on what is not known"
    last = next((code.why for code in codes if code.why), "")
    return answer, "" if answer else f"{why}: {last}" if last else why


def stated(document):
    """What a document of `cover` or `reach` says of branches: for each claim its kind, the place, where the branches stand in the module, and
    the input that takes one of them, or None where it is said that none does."""
    if "paths" in document:
        path = document["paths"][0]
        if path["status"] != "open" and not document["given"]:
            yield path["status"], document["question"], document.get("branches"), path["input"] if path["status"] == "feasible" else None
        return
    for branch in document["branches"]:
        place = f"{branch['file']}:{branch['line']}:{branch['column']} way {branch['way']}"
        codes = [branch["code"]] if branch.get("code") else None
        if branch["status"] == "infeasible":
            yield "infeasible", place, codes, None
        elif branch["status"] == "taken" and branch["by"] is not None:
            yield "taken", place, codes, document["runs"][branch["by"]]["input"]


def claims(file, document):
    """What a document of `cover` or `reach` says of branches, whatever the call: the kind of each claim, the place, whether it holds, and
    why not."""
    try:
        yield from claims_of(file, document)
    except (KeyError, TypeError, AttributeError, IndexError) as e:
        raise Unreadable(f"{file}: not as magneto writes it: {e!r}") from e


def claims_of(file, document):
    module, why = None, "its inputs are not all numbers, or nothing is proved of it"
    if document.get("module"):
        try:
            data = (Path(file).parent / document["module"]["file"]).read_bytes()
            if hashlib.sha256(data).hexdigest() != document["module"]["sha256"]:
                yield "module", document["module"]["file"], False, "not the one that the document is about"
                return
            module = Module(data)
            taken = [machine_kind(kind) for kind in document["module"]["inputs"]]
            if taken != module.functions[document["module"]["function"]].parameters:
                module, why = None, "the function takes other inputs"
        except (OSError, Unreadable, UnicodeDecodeError) as e:
            why = str(e)
    for kind, place, codes, run in stated(document):
        if module is None or not codes:
            yield kind, place, None, "the claim is about no branch" if module else why
            continue
        try:
            each = [Code(module, document["module"]["function"], code) for code in codes]
            yield kind, place, *answers(each, document["module"]["inputs"], run)
        except (Unreadable, ValueError) as e:
            yield kind, place, None, str(e)
