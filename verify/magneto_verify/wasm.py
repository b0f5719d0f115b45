"""Reads a WebAssembly module, from the standard's binary format: its functions as lists of instructions."""

from functools import cached_property

from .texts import Unreadable

# Operands of an instruction: no letter takes none, u and s are numbers in LEB128, f and d four and eight bytes, m an access to memory,
# b the type of a block, t a table of targets, z bytes that are zero.
OPERANDS = {
    0x02: "b", 0x03: "b", 0x04: "b", 0x0C: "u", 0x0D: "u", 0x0E: "t", 0x10: "u", 0x11: "uu", 0x1C: "v", 0x20: "u", 0x21: "u", 0x22: "u",
    0x23: "u", 0x24: "u", 0x3F: "u", 0x40: "u", 0x41: "s", 0x42: "s", 0x43: "f", 0x44: "d",
}
# Those without operands.
PLAIN = {0x00, 0x01, 0x05, 0x0B, 0x0F, 0x1A, 0x1B, *range(0x45, 0xC5)}
OPERANDS |= {code: "m" for code in range(0x28, 0x3F)}
# The variable of compiled C that is `errno`.
ERRNO = "magneto_errno"
BLOCK, LOOP, IF, ELSE, END = 0x02, 0x03, 0x04, 0x05, 0x0B
TYPES = {0x7F: "i32", 0x7E: "i64", 0x7D: "f32", 0x7C: "f64"}


class Reader:
    """A place in bytes."""

    def __init__(self, data, at=0, end=None):
        self.data, self.at, self.end = data, at, len(data) if end is None else end

    def byte(self):
        if self.at >= self.end:
            raise Unreadable("the module ends too early")
        self.at += 1
        return self.data[self.at - 1]

    def take(self, count):
        if self.at + count > self.end:
            raise Unreadable("the module ends too early")
        self.at += count
        return self.data[self.at - count : self.at]

    def groups(self):
        """A number in LEB128 as its bits, how many they are, and whether the last one is 1."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value, shift, byte & 0x40

    def unsigned(self):
        return self.groups()[0]

    def signed(self):
        value, bits, is_negative = self.groups()
        return value - (1 << bits) if is_negative else value

    def name(self):
        return self.take(self.unsigned()).decode()

    def vector(self, read):
        return [read() for _ in range(self.unsigned())]


class Function:
    """A function of a module: parameters, results, locals beside the parameters, and instructions (code, operands, offset in the code
    section), with the place of the `end` and of the `else` of each block."""

    def __init__(self, kind, locals_, code):
        self.parameters, self.results = kind
        self.locals, self.code = locals_, code
        self.ends, self.elses = {}, {}
        open_ = []
        for k, (op, _, _) in enumerate(code):
            if op in (BLOCK, LOOP, IF):
                open_.append(k)
            elif op == ELSE:
                self.elses[open_[-1]] = k
            elif op == END and open_:
                self.ends[open_.pop()] = k


    def ways_on(self):
        """For each instruction those that may follow it in this function; the one behind the last is its end."""
        targets, open_ = [], []
        for k, (op, operands, _) in enumerate(self.code):
            if op == END and open_:
                open_.pop()
            # Where a jump by so many blocks leads.
            to = lambda depth: open_[-1 - depth] if depth < len(open_) else len(self.code)
            if op in (0x0C, 0x0D):
                found = [to(operands[0])] + [k + 1] * (op == 0x0D)
            elif op == 0x0E:
                found = list(map(to, operands[0]))
            elif op == ELSE:
                found = [to(0)]
            elif op == IF:
                found = [k + 1, self.elses.get(k, self.ends[k] - 1) + 1]
            else:
                found = [] if op in (0x00, 0x0F) else [k + 1]
            targets.append(found)
            if op in (BLOCK, LOOP, IF):
                open_.append(k if op == LOOP else self.ends[k])
        return targets


class Module:
    """What of a module matters to whoever runs it."""

    def __init__(self, data):
        if data[:8] != b"\0asm\1\0\0\0":
            raise Unreadable("not a WebAssembly module")
        self.types, self.imports, self.functions, self.globals = [], [], [], []
        self.segments, self.constant, self.table, declared = [], set(), {}, []
        # The global that points into the stack, if one does.
        self.stack = None
        # Bits of an address, pages of memory, and where the code keeps `errno`.
        self.address, self.pages, self.errno = 32, 0, None
        reader = Reader(data, 8)
        while reader.at < reader.end:
            section = reader.byte()
            size = reader.unsigned()
            part = Reader(data, reader.at, reader.at + size)
            reader.take(size)
            if section == 0:
                self.custom(part)
            elif section == 1:
                self.types = part.vector(lambda: self.function_type(part))
            elif section == 2:
                part.vector(lambda: self.import_(part))
            elif section == 3:
                declared = part.vector(part.unsigned)
            elif section == 5:
                # Code that asks for more pages is not followed.
                self.address = 64 if part.unsigned() and part.byte() & 4 else 32
                self.pages = part.unsigned()
            elif section == 6:
                part.vector(lambda: self.global_(part))
            elif section == 7:
                part.vector(lambda: self.export(part))
            elif section == 8:
                raise Unreadable("the module has a function that runs at its start")
            elif section == 9:
                part.vector(lambda: self.elements(part))
            elif section == 10:
                start = part.at
                for kind in [declared[k] for k in range(part.unsigned())]:
                    self.functions.append(self.body(part, self.types[kind], start))
            elif section == 11:
                part.vector(lambda: self.segment(part))

    @cached_property
    def before(self):
        """For each function and each of its instructions those that may be the last one before."""
        found = []
        for function in self.functions:
            own = {}
            for k, ways in enumerate(function.ways_on()):
                for way in ways:
                    own.setdefault(way, []).append(k)
            found.append(own)
        return found

    @cached_property
    def calls(self):
        """Where each function is called, by its index, imports first: the function and the instruction; for None calls by the table."""
        found = {}
        for f, function in enumerate(self.functions):
            for k, (op, operands, _) in enumerate(function.code):
                if op in (0x10, 0x11):
                    found.setdefault(operands[0] if op == 0x10 else None, []).append((f, k))
        return found

    def kind(self, index):
        """The type of a function, imports first."""
        own = index - len(self.imports)
        return self.imports[index][1] if own < 0 else (self.functions[own].parameters, self.functions[own].results)

    def function_type(self, part):
        if part.byte() != 0x60:
            raise Unreadable("a type that is no function's")
        return tuple([TYPES.get(part.byte()) for _ in range(part.unsigned())] for _ in range(2))

    def import_(self, part):
        part.name()
        name, kind = part.name(), part.byte()
        if kind != 0:
            raise Unreadable(f"the module imports {name}, which is no function")
        self.imports.append((name, self.types[part.unsigned()]))

    def global_(self, part):
        part.byte()
        changes = part.byte() == 1
        self.globals.append((self.constant_expression(part), changes))

    def export(self, part):
        name, kind, index = part.name(), part.byte(), part.unsigned()
        if name == ERRNO and kind == 3:
            self.errno = self.globals[index][0]

    def constant_expression(self, part):
        op = part.byte()
        value = part.signed() if op in (0x41, 0x42) else None
        if value is None or part.byte() != END:
            raise Unreadable("an initial value that is no number")
        return value

    def elements(self, part):
        if part.unsigned() != 0:
            raise Unreadable("a table of another kind")
        at = self.constant_expression(part)
        self.table |= {at + k: f for k, f in enumerate(part.vector(part.unsigned))}

    def segment(self, part):
        kind = part.unsigned()
        if kind == 1:
            raise Unreadable("data without an address")
        at = self.constant_expression(part)
        self.segments.append((at, bytes(part.take(part.unsigned()))))

    def custom(self, part):
        """Which data no code changes, by their names."""
        if part.name() != "name":
            return
        while part.at < part.end:
            kind, size = part.byte(), part.unsigned()
            own = Reader(part.data, part.at, part.at + size)
            part.take(size)
            if kind == 7:
                named = own.vector(lambda: (own.unsigned(), own.name()))
                self.stack = next((index for index, name in named if name == "__stack_pointer"), None)
            elif kind == 9:
                named = own.vector(lambda: (own.unsigned(), own.name()))
                self.constant = {index for index, name in named if name.startswith(".rodata")}

    def body(self, part, kind, start):
        size = part.unsigned()
        own = Reader(part.data, part.at, part.at + size)
        part.take(size)
        declared = own.vector(lambda: (own.unsigned(), TYPES.get(own.byte())))
        code = []
        while own.at < own.end:
            at, op = own.at - start, own.byte()
            code.append(self.instruction(own, op, at))
        return Function(kind, [kind for count, kind in declared for _ in range(count)], code)

    def instruction(self, own, op, at):
        if op == 0xFC:
            op = 0xFC00 + own.unsigned()
            operands = {0xFC0A: "uu", 0xFC0B: "u"}.get(op, "" if op < 0xFC08 else None)
            if operands is None:
                raise Unreadable(f"instruction {op:#x}")
        else:
            operands = OPERANDS.get(op, "" if op in PLAIN else None)
            if operands is None:
                raise Unreadable(f"instruction {op:#x}")
        return op, [self.operand(own, letter) for letter in operands], at

    def operand(self, own, letter):
        if letter == "u":
            return own.unsigned()
        if letter == "s":
            return own.signed()
        if letter in "fd":
            return int.from_bytes(own.take(4 if letter == "f" else 8), "little")
        if letter == "m":
            if own.unsigned() >= 64:
                raise Unreadable("an access to another memory")
            return own.unsigned()
        if letter == "t":
            return own.vector(own.unsigned) + [own.unsigned()]
        if letter == "v":
            return own.vector(own.byte)
        kind = own.signed()
        # No result, one, or the parameters and results of a function's type.
        return (0, 0) if kind == -64 else (0, 1) if kind < 0 else tuple(map(len, self.types[kind]))
