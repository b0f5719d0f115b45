"""One way through code, as far as it has come: calls, stack, variables and memory, each a set of numbers."""

from .bits import bits_of, of_bits
from .floats import everything, has_number, is_float
from .integers import disjoined, is_one, masked, shifted_left, shifted_right, unsigned, whole

# Bytes that a store of which the address is not settled may touch, without all memory being forgotten.
MOST_FORGOTTEN = 1 << 16


class Memory:
    """What a call has written: by address the number of bytes, their kind, and their value. A float is kept as one: its bits as an
    integer would be a larger set."""

    def __init__(self, constants, cells=None, is_lost=False):
        self.constants, self.cells, self.is_lost = constants, dict(cells or {}), is_lost

    def copy(self):
        return Memory(self.constants, self.cells, self.is_lost)

    def holds(self, other):
        """Whether all that another memory may be is in this one."""
        if self.is_lost or not self.cells and not self.constants:
            return True
        covers = lambda a, cell: a in other.cells and other.cells[a][:2] == cell[:2] and contains(cell[2], other.cells[a][2])
        is_changed = lambda a, cell: a not in self.cells and overlap(self.constants, a, cell[0])
        return (not other.is_lost and all(c in other.constants for c in self.constants) and all(covers(*c) for c in self.cells.items())
                and not any(is_changed(*c) for c in other.cells.items()))

    def widened(self, other):
        """A memory that has this one, and what the other one has where that is more."""
        if self.is_lost or other.is_lost:
            return Memory([], {}, True)
        constants = [c for c in self.constants if c in other.constants]
        cells = {}
        for a in self.cells.keys() | other.cells.keys():
            one, two = self.cells.get(a), other.cells.get(a)
            if one and two and one[:2] == two[:2]:
                cells[a] = one if contains(one[2], two[2]) else (one[0], None, whole(8 * one[0]))
            elif any(overlap(constants, a, cell[0]) for cell in (one, two) if cell):
                # What was a constant is none any more.
                return Memory([], {}, True)
        return Memory(constants, cells)

    def touching(self, at, end):
        """The written pieces that have bytes of a stretch."""
        # No piece is longer than 8 bytes.
        return [a for a in range(at - 7, end) if a in self.cells and a + self.cells[a][0] > at]

    def forget(self, lo, end):
        """Bytes from lo on may be anything; what is left of the pieces that they cut is kept."""
        if end - lo > MOST_FORGOTTEN:
            self.cells, self.is_lost = {}, True
            return
        self.constants = [c for c in self.constants if not overlap([c], lo, end - lo)]
        for a in self.touching(lo, end):
            size, kind, value = self.cells.pop(a)
            for first, last in ((a, min(lo, a + size)), (max(end, a), a + size)):
                if first < last:
                    self.cells[first] = (last - first, None, part(value, kind, size, first - a, last - first))

    def store(self, address, size, kind, value):
        lo, hi = address
        self.forget(lo, hi + size)
        if lo == hi:
            self.cells[lo] = (size, kind, value)

    def fill(self, to, byte, count):
        """Writes one byte so many times."""
        self.forget(to, to + count)
        for k in range(0, count, 8):
            length = min(8, count - k)
            self.cells[to + k] = (length, None, (int.from_bytes(bytes([byte]) * length, "little"),) * 2)

    def copy_bytes(self, source, to, count):
        """Copies bytes, all of which are read first."""
        found, at = {}, source
        while at < source + count:
            cell = self.cells.get(at)
            if not cell or self.is_lost or at + cell[0] > source + count:
                cell = (1, None, self.integer((at, at), 1))
            found[to + at - source] = cell
            at += cell[0]
        self.forget(to, to + count)
        # Bytes of which nothing is known are no pieces.
        self.cells |= {a: cell for a, cell in found.items() if cell != (1, None, whole(8))}

    def load(self, address, size, kind):
        """What some bytes are: a float, or an integer for any other kind."""
        found = self.cells.get(address[0]) if is_one(address) and not self.is_lost else None
        if is_float(kind) and found and found[:2] == (size, kind):
            return found[2]
        value = self.integer(address, size)
        return of_bits(value, kind) if is_float(kind) else value

    def integer(self, address, size):
        lo, hi = address
        if lo != hi or self.is_lost:
            return whole(8 * size)
        at, parts = lo, []
        while at < lo + size:
            piece = next((a for a in self.touching(at, at + 1)), None)
            if piece is None:
                known = self.constant(at)
                if known is None:
                    return whole(8 * size)
                parts.append((1, (known, known)))
                at += 1
                continue
            own, kind, value = self.cells[piece]
            last = min(piece + own, lo + size)
            parts.append((last - at, unsigned(part(value, kind, own, at - piece, last - at), 8 * (last - at))))
            at = last
        value, done = parts[0][1], parts[0][0]
        # Each is told without a sign, which would fill the bytes above it.
        for length, more in parts[1:]:
            value = disjoined(value, shifted_left(more, (8 * done,) * 2, 8 * size), 8 * size)
            done += length
        return value

    def constant(self, at):
        return next((data[at - start] for start, data in self.constants if start <= at < start + len(data)), None)


def overlap(segments, at, size):
    """Whether some bytes are of segments of data."""
    return any(at < start + len(data) and start < at + size for start, data in segments)


def part(value, kind, size, first, count):
    """Some bytes of a value of `size` bytes as an integer, those of the lowest digits first."""
    if kind:
        value = bits_of(value, kind)
    if count == size:
        return value
    moved = shifted_right(unsigned)(value, (8 * first,) * 2, 8 * size)
    return moved if first + count == size else masked(moved, (1 << 8 * count) - 1, 8 * size)


class Frame:
    """A call of a function: its place in the code, locals, and the blocks that are open, each with where a jump to it leads, how many
    values it takes along, and the height of the stack below."""

    def __init__(self, function, locals_, height):
        self.function, self.locals, self.pc = function, locals_, 0
        self.blocks = [(len(function.code), len(function.results), height)]

    def copy(self):
        other = Frame.__new__(Frame)
        other.function, other.locals, other.pc, other.blocks = self.function, list(self.locals), self.pc, list(self.blocks)
        return other


class Way:
    """One way through the code, as far as it has come. `forks` says how many tests on it were not settled, and `begun` for each loop
    that goes on how many they were when its last round began."""

    def __init__(self, frames, stack, globals_, memory, forks=0, begun=None):
        self.frames, self.stack, self.globals, self.memory = frames, stack, globals_, memory
        self.forks, self.begun = forks, dict(begun or {})

    def copy(self):
        frames = [f.copy() for f in self.frames]
        return Way(frames, list(self.stack), list(self.globals), self.memory.copy(), self.forks, self.begun)

    def size(self):
        """How many values it has."""
        return len(self.memory.cells) + len(self.stack) + sum(len(f.locals) for f in self.frames)

    def place(self):
        """Where it is: the functions that are called, and the instruction in each."""
        return tuple((id(f.function), f.pc) for f in self.frames)

    def holds(self, other):
        """Whether all that another way at the same place may be is in this one."""
        values = lambda way: [v for f in way.frames for v in f.locals] + way.stack + way.globals
        is_larger = all(map(contains, values(self), values(other)))
        return len(self.stack) == len(other.stack) and is_larger and self.memory.holds(other.memory)

    def widened(self, other):
        """A way that has this one and the other one at the same place; None where their stacks differ."""
        if len(self.stack) != len(other.stack) or not all(map(contains, self.stack, other.stack)):
            return None
        if not all(map(contains, self.globals, other.globals)):
            return None
        new = self.copy()
        for own, mine, theirs in zip(new.frames, self.frames, other.frames):
            kinds = own.function.parameters + own.function.locals
            own.locals = [a if contains(a, b) else everything(k) for a, b, k in zip(mine.locals, theirs.locals, kinds)]
        new.memory = self.memory.widened(other.memory)
        return new


def contains(a, b):
    """Whether a set has all that another one of the same kind has, as far as their ends show it."""
    if a is None or b is None:
        return a is b
    if len(a) == 3:
        return not b[2] & ~a[2] and (not has_number(b) or a[0] <= b[0] and b[1] <= a[1])
    return a[0] <= b[0] and b[1] <= a[1]
