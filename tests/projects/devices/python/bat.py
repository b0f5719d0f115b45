"""The battery gauge's model, as its designers wrote it."""

from math import exp, log10


def charge(v):
    return 1 / (1 + exp((3.6 - v) / 0.08))


def cell_temperature(r):
    # The B equation has the natural logarithm.
    return 1 / (1 / 298.15 + log10(r / 10000) / 3950)


def resistance(v0, v1, i0, i1):
    return (v0 - v1) / (i1 - i0)
