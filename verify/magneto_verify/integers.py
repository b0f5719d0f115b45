"""Sets of integers of n bits, and what instructions make of them.

A set is (lo, hi): all numbers from lo to hi modulo 2^n, less than 2^n of them. Every rule gives a set that has all results.
"""


def wrapped(lo, hi, n):
    """The set of all numbers from lo to hi modulo 2^n, of which the unsigned ones are named, else the signed ones."""
    whole = 1 << n
    if hi - lo >= whole - 1:
        return (0, whole - 1)
    turn = lo // whole * whole
    lo, hi = lo - turn, hi - turn
    return (lo, hi) if hi < whole else (lo - whole, hi - whole)


def unsigned(a, n):
    lo, hi = a
    return (lo, hi) if lo >= 0 else (lo + (1 << n), hi + (1 << n)) if hi < 0 else (0, (1 << n) - 1)


def signed(a, n):
    half, (lo, hi) = 1 << (n - 1), a
    if lo >= half:
        lo, hi = lo - 2 * half, hi - 2 * half
    return (lo, hi) if -half <= lo and hi < half else (-half, half - 1)


def hull(a, b, n):
    """A set that has both."""
    candidates = []
    for view in (unsigned, signed):
        (p, q), (r, s) = view(a, n), view(b, n)
        candidates.append((min(p, r), max(q, s)))
    return min(candidates, key=lambda c: c[1] - c[0])


def whole(n):
    return (0, (1 << n) - 1)


def is_one(a):
    return a[0] == a[1]


def masked(a, mask, n):
    """a & mask."""
    lo, hi = unsigned(a, n)
    if lo == hi:
        return (lo & mask, lo & mask)
    # Below the mask's highest bit all is one block where the bits above are the same.
    top = mask.bit_length()
    if lo >> top == hi >> top:
        lo, hi = lo & ((1 << top) - 1), hi & ((1 << top) - 1)
        low = (mask & -mask).bit_length() - 1
        if mask == (1 << top) - (1 << low):
            return (lo >> low << low, hi >> low << low)
        # The bits that are the same in all numbers, and no more than the mask has.
        return (0, min(hi, mask))
    return (0, mask)


def conjoined(a, b, n):
    if is_one(b):
        return masked(a, unsigned(b, n)[0], n)
    if is_one(a):
        return masked(b, unsigned(a, n)[0], n)
    return (0, min(unsigned(a, n)[1], unsigned(b, n)[1]))


def disjoined(a, b, n):
    (p, q), (r, s) = unsigned(a, n), unsigned(b, n)
    if is_one(a) and is_one(b):
        return (p | r, p | r)
    return (max(p, r), min(q + s, (1 << max(q.bit_length(), s.bit_length())) - 1))


def exclusive(a, b, n):
    (p, q), (r, s) = unsigned(a, n), unsigned(b, n)
    if is_one(a) and is_one(b):
        return (p ^ r, p ^ r)
    ones = (1 << n) - 1
    for x, y in ((a, b), (b, a)):
        # All bits are turned, or the sign is.
        mask, (lo, hi) = unsigned(y, n)[0], unsigned(x, n)
        if is_one(y) and mask == ones:
            return (ones - hi, ones - lo)
    return (0, min(q + s, (1 << max(q.bit_length(), s.bit_length())) - 1))


def shifted_left(a, b, n):
    if not is_one(b):
        return whole(n)
    k = unsigned(b, n)[0] % n
    return wrapped(a[0] << k, a[1] << k, n)


def shifted_right(view):
    def shift(a, b, n):
        lo, hi = view(a, n)
        if is_one(b):
            k = unsigned(b, n)[0] % n
            return (lo >> k, hi >> k)
        first, last = unsigned(b, n)
        if last < n:
            corners = [x >> k for x in (lo, hi) for k in (first, last)]
            return (min(corners), max(corners))
        return (min(lo, 0), max(hi, 0)) if view is unsigned else signed(whole(n), n)

    return shift


def multiplied(a, b, n):
    best = whole(n)
    for view in (unsigned, signed):
        corners = [x * y for x in view(a, n) for y in view(b, n)]
        found = wrapped(min(corners), max(corners), n)
        best = min(best, found, key=lambda c: c[1] - c[0])
    return best


def toward_zero(x, y):
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def toward_zero_rest(x, y):
    return x - y * toward_zero(x, y)


def divided(view, remainder):
    def divide(a, b, n):
        (p, q), (r, s) = view(a, n), view(b, n)
        # A division by 0 ends the path.
        r, s = r or 1, s or -1
        if remainder:
            if p == q and r == s:
                return (toward_zero_rest(p, r),) * 2
            # It is smaller than the divisor, and has the sign of what is divided.
            most = max(abs(r), abs(s)) - 1
            return (max(min(p, 0), -most), min(max(q, 0), most)) if not (0 <= p and q < r) else (p, q)
        if r < 0 < s:
            return whole(n)
        corners = [toward_zero(x, y) for x in (p, q) for y in (r, s)]
        return wrapped(min(corners), max(corners), n)

    return divide


def rotated(a, b, n):
    if not (is_one(a) and is_one(b)):
        return whole(n)
    x, k = unsigned(a, n)[0], unsigned(b, n)[0] % n
    x = (x << k | x >> (n - k)) & ((1 << n) - 1)
    return (x, x)


def zeros_before(a, n):
    lo, hi = unsigned(a, n)
    return (n - hi.bit_length(), n - lo.bit_length())


def counted(count):
    def of(a, n):
        lo, hi = unsigned(a, n)
        return (count(lo, n),) * 2 if lo == hi else (0, n)

    return of


INTEGER_BINARY = [
    lambda a, b, n: wrapped(a[0] + b[0], a[1] + b[1], n),
    lambda a, b, n: wrapped(a[0] - b[1], a[1] - b[0], n),
    multiplied, divided(signed, False), divided(unsigned, False), divided(signed, True), divided(unsigned, True),
    conjoined, disjoined, exclusive, shifted_left, shifted_right(signed), shifted_right(unsigned), rotated,
    lambda a, b, n: rotated(a, wrapped(-b[1], -b[0], n), n),
]
INTEGER_UNARY = [
    zeros_before,
    counted(lambda x, n: (x & -x).bit_length() - 1 if x else n),
    counted(lambda x, n: bin(x).count("1")),
]


def order(test, a, b):
    """Whether all of a are before all of b, or none is; None where that depends. `test` is <, <=, > or >=."""
    if test in (">", ">="):
        return order({">": "<", ">=": "<="}[test], b, a)
    below = a[1] < b[0] if test == "<" else a[1] <= b[0]
    beyond = a[0] >= b[1] if test == "<" else a[0] > b[1]
    return True if below else False if beyond else None


def same(a, b, n):
    if is_one(a) and is_one(b):
        return (a[0] - b[0]) % (1 << n) == 0
    apart = any(view(a, n)[1] < view(b, n)[0] or view(b, n)[1] < view(a, n)[0] for view in (unsigned, signed))
    return False if apart else None


def opposite(answer):
    return None if answer is None else not answer


# In the order of their opcodes: =, !=, and each other for signed and unsigned numbers.
INTEGER_COMPARE = [same, lambda a, b, n: opposite(same(a, b, n))] + [
    lambda a, b, n, test=test, view=view: order(test, view(a, n), view(b, n))
    for test in ("<", ">", "<=", ">=") for view in (signed, unsigned)
]
