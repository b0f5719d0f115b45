"""What both functions owe."""

import air
import magneto

right = magneto.test("air.fpcore")(air.mass_flow)
wrong = magneto.test("air.fpcore")(air.mass_flow_fast)


@magneto.test("c: [-273.15, 1000] -> 1.8*c + 32", abs=1e-9)
def fahrenheit(c):
    return 1.8 * c + 32
