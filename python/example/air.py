"""The mass flow of air through an orifice."""

import numpy as np


def mass_flow(dp, p, t):
    """kg/s, of the pressures dp and p in Pa and the temperature t in K."""
    density = p / (287.05 * t)
    return 0.98 * 0.00196 * np.sqrt(2 * density * dp)


def mass_flow_fast(dp, p, t):
    """The same with the constants put together, and a mistake."""
    return 0.0019208 * np.sqrt(2 * p * dp / (287.5 * t))
