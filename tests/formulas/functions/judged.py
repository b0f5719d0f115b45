"""Functions as people write them: what each computes is read as a formula, and compared with what it returns."""
import inspect
import math
import numpy as np
import numpy as xp
import math as m
from math import sqrt, pi as PI, exp as e_to, fabs

G = 9.81
R_DRY = 287.05
DOUBLE_G = 2 * G


def sq(x):
    return x * x


def fall(h):
    """The speed after a fall."""
    return sqrt(DOUBLE_G * abs(h))


def kinetic(m, v: float) -> float:
    return 0.5 * m * v**2


def flow(dp, p, T):
    beta = 0.6
    rho = abs(p) / (R_DRY * abs(T))
    return 0.98 * 0.00196 * math.sqrt(2 * rho * abs(dp) / (1 - beta**4))


def relu(x):
    if x > 0:
        y = x
    elif x > -1:
        y = x * 0.5
    else:
        y = -0.5
    return y


def guarded(x):
    if x <= 0:
        raise ValueError("x has to be positive")
    assert x < 100
    return math.log(x) + np.exp(-x) * PI * e_to(x)


def ordered(a, b):
    if a > b:
        a, b = b, a
    return b - a / b


def helper_twice(x, k):
    return sq(x) + sq(k + 1)


def between(x, y):
    return x if 0 < x <= y and not y < 3 else np.where(x > 1, y, x // 2)


def flags(x, y):
    big = x > 1
    far = not y < 2
    return 1.0 if big and far else 0.5 if big or far else 0


def steps(x):
    s = x
    s += 1
    s *= s
    s -= G
    s /= 3
    s **= 2
    return s


def modulo(x, y):
    return x % y + x // y


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softplus(x):
    if x > 2:
        return x + np.log1p(np.exp(-x))
    return np.log1p(np.exp(x))


def half(x):
    return 1 / 2 * x


def haversine(a, b):
    s = math.sin((b - a) / 2)
    return 2 * 6371.0 * math.asin(min(1.0, fabs(s)))


def norm(x, y, z):
    return m.sqrt(x * x + y * y + z * z)


def clipped(x, lo, hi):
    return min(max(x, lo), hi)


def early(x, y):
    s = x + y
    if s > 3:
        return s
    s = s * 2
    if s < 0:
        return -s
    return s + 0.5


def tuples(a, b):
    p, q = a + b, a - b
    p, q = q, p
    return p / (abs(q) + 1)


def powers(x):
    return -x**2 + 2**-x + (x**2) ** 0.5


def compound(x, n: int):
    return (1 + x / 12) ** (2 * n) - n // 2


def log2_of(x):
    return math.log(abs(x), 2) + math.log10(abs(x))


def rounding(x):
    return math.floor(x) + math.ceil(x) + math.trunc(x) + round(x)


def wrapped(x):
    return x - 2 * np.pi * np.floor(x / (2 * np.pi))


def polar(x, y):
    return np.arctan2(y, x) + xp.hypot(x, y)


def square(x):
    return np.square(x + 1) + np.sign(x)


def nested(x):
    y = 0.0
    if x > 0:
        y = x
        y = y * y
        y = y + x
    return y


def compound_interest(p, r):
    n = 12
    return p * (1 + r / n) ** (n * 2)


def normal(x):
    return 0.5 * (1 + math.erf(x / math.sqrt(2)))


def deadzone(x):
    if -0.5 <= x <= 0.5:
        return 0.0
    else:
        return x - 0.5 if x > 0 else x + 0.5


decadic = m.log10


def decibel(x):
    return 20 * decadic(abs(x))


cube = lambda x: x**3 - G


def of_cube(x, y):
    return cube(x) if x > y else cube(y)


def radians_of(x):
    return math.radians(x) + np.deg2rad(x)


@np.vectorize
def broadcast(x):
    return 2 * x - 1
