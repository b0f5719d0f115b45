"""Everyday functions with numpy: a formula, what is owed, a function that gives it and one that does not."""

import numpy as np

SINGLE = """(FPCore (x) :name "single" :precision binary32 :pre (<= 0 x 10) :magneto-ulps (4 binary32) (sqrt (+ (* x x) 1)))"""
REFUSES = """(FPCore (x) :name "refuses" :pre (<= 0 x 4) :magneto-out-of-range reject :magneto-rel-error 1e-15 (sqrt x))"""


def refusing(x):
    if np.any(x < 0) or np.any(x > 4):
        raise ValueError("outside of [0, 4]")
    return np.sqrt(x)


# Name: specification, accuracy, right function, wrong function.
FUNCTIONS = {
    "growth": ("x: [-1,1] -> exp(x) - 1", {"rel": 1e-14}, np.expm1, lambda x: np.exp(x) - 1),
    "log1p": ("x: [-0.5,1] -> log(1 + x)", {"rel": 1e-14}, np.log1p, lambda x: np.log(1 + x)),
    "distance": (
        "x: [1e-200,1e200], y: [1e-200,1e200] -> sqrt(x**2 + y**2)",
        {"ulps": 2},
        np.hypot,
        lambda x, y: np.sqrt(x * x + y * y),
    ),
    "sinc": ("x: [0.001,10] -> sin(x)/x", {"ulps": 4}, lambda x: np.sin(x) / x, np.sinc),
    "radians": ("d: [0,360] -> d*pi/180", {"ulps": 2}, np.deg2rad, lambda d: d * 3.14159 / 180),
    "logistic": (
        "x: [-30,30] -> 1/(1 + exp(-x))",
        {"rel": 1e-13},
        lambda x: 1 / (1 + np.exp(-x)),
        lambda x: 1 / (1 + np.exp(x)),
    ),
    "softplus": (
        "x: [-600,600] -> log(1 + exp(x))",
        {"rel": 1e-13},
        lambda x: np.logaddexp(0.0, x),
        lambda x: np.log(1 + np.exp(x)),
    ),
    "versine": (
        "x: [1e-6,1] -> 1 - cos(x)",
        {"rel": 1e-14},
        lambda x: 2 * np.square(np.sin(x / 2)),
        lambda x: 1 - np.cos(x),
    ),
    "polynomial": (
        "x: [0,2] -> 3*x**3 - 2*x + 5",
        {"rel": 1e-14},
        lambda x: np.polyval([3, 0, -2, 5], x),
        lambda x: np.polyval([3, -2, 0, 5], x),
    ),
    "root": (
        "b: [1e3,1e6] -> (-b + sqrt(b**2 - 4))/2",
        {"rel": 1e-14},
        lambda b: -2 / (b + np.sqrt(b * b - 4)),
        lambda b: (-b + np.sqrt(b * b - 4)) / 2,
    ),
    "kepler": ("r: [0.1,10] -> r**1.5", {"ulps": 4}, lambda r: np.power(r, 1.5), lambda r: r ** (3 // 2)),
    "fahrenheit": (
        "c: [-273.15,1000] -> 1.8*c + 32",
        {"abs": 1e-9},
        lambda c: 1.8 * c + 32,
        lambda c: c * 9 // 5 + 32,
    ),
    "ramp": ("x: [-5,5] -> max(x, 0)", {"ulps": 1}, lambda x: np.maximum(x, 0), lambda x: np.minimum(x, 0)),
    "cbrt": (
        "x: [-8,8] -> cbrt(x)",
        # Without AVX-512 numpy takes the C library's, and that of glibc errs by 3.7 ulps.
        {"ulps": 4},
        np.cbrt,
        lambda x: np.sign(x) * np.power(np.abs(x), 0.333333),
    ),
    "bearing": (
        "north: [0.1,1], east: [-1,1] -> atan2(east, north)",
        {"ulps": 2},
        lambda east, north: np.arctan2(east, north),
        lambda east, north: np.arctan2(north, east),
    ),
    "digits": ("x: [1,1e6] -> log10(x)", {"ulps": 2}, np.log10, np.log),
    "gauss": (
        "x: [-3,3] -> exp(-x**2/2)/sqrt(2*pi)",
        {"rel": 1e-14},
        lambda x: np.exp(-x * x / 2) / np.sqrt(2 * np.pi),
        lambda x: np.exp(-x * x / 2) / (2 * np.pi),
    ),
    "single": (SINGLE, {}, lambda x: np.sqrt(x * x + 1), lambda x: np.sqrt(np.float16(x) * np.float16(x) + 1)),
    "gap": ("x: [0,10] -> abs(x - 5)", {"ulps": 1}, lambda x: np.abs(x - 5), lambda x: x - 5),
    "floor": ("x: [-10,10] -> floor(x)", {"ulps": 1}, np.floor, np.trunc),
    "airflow": (
        "dp: [10,1000], p: [9e4,1.1e5], t: [250,320] -> sqrt(2*p/(287.05*t)*dp)",
        {"rel": 1e-13},
        lambda dp, p, t: np.sqrt(2 * p / (287.05 * t) * dp),
        lambda dp, p, t: np.sqrt(2 * p / (287.5 * t) * dp),
    ),
    "gamma": (
        "v: [0,2.9e8] -> 1/sqrt(1 - (v/299792458)**2)",
        {"rel": 1e-13},
        lambda v: 1 / np.sqrt(1 - (v / 299792458) ** 2),
        lambda v: 1 / (1 - (v / 299792458) ** 2),
    ),
    "interest": (
        "r: [1e-9,0.2], n: [1,100] -> (1 + r)**n",
        {"rel": 1e-12},
        lambda r, n: np.exp(n * np.log1p(r)),
        lambda r, n: (1 + r / n) ** n,
    ),
    "tanh": (
        "x: [-20,20] -> tanh(x)",
        {"ulps": 3},
        np.tanh,
        lambda x: (np.exp(x) - np.exp(-x)) / (np.exp(x) + np.exp(-x)),
    ),
    "decibels": ("p: [1e-6,1e6] -> 10*log10(p)", {"ulps": 4}, lambda p: 10 * np.log10(p), lambda p: 20 * np.log10(p)),
    "lens": (
        "f: [0.01,1], d: [2,100] -> 1/(1/f - 1/d)",
        {"rel": 1e-14},
        lambda f, d: f * d / (d - f),
        lambda f, d: f * d / (d + f),
    ),
    "difference": (
        "x: [1,2], y: [1e-9,1e-8] -> (x + y)**2 - x**2",
        {"rel": 1e-14},
        lambda x, y: y * (2 * x + y),
        lambda x, y: np.square(x + y) - np.square(x),
    ),
    "remainder": (
        "x: [0,100] -> x - 10*floor(x/10)",
        {"ulps": 1},
        lambda x: np.fmod(x, 10),
        lambda x: np.remainder(x, 9),
    ),
    "exp2": ("x: [-10,10] -> 2**x", {"ulps": 2}, np.exp2, lambda x: np.power(2.0, np.round(x))),
    "sinh": (
        "x: [-1,1] -> (exp(x) - exp(-x))/2",
        {"rel": 1e-14},
        np.sinh,
        lambda x: (np.exp(x) - np.exp(-x)) / 2,
    ),
    "refuses": (REFUSES, {}, refusing, lambda x: np.sqrt(np.abs(x))),
}
