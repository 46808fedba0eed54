"""Double-double arithmetic (Dekker 1971) on vectors of `lanes`: a pair (high, low) is the number high + low.

`low` is at most 2**-49 of the terms that the number was computed from. A product or a sum loses less than 2**-99
of its terms, a dot product with a cross product less than 2**-96 of the sum of its terms' magnitudes, which `size`
returns; underflow may lose more.
"""

from typing import Any

from hitscope.geometry.error_free import two_sum
from hitscope.geometry.lanes import fused, inlined, magnitude


@inlined
def total(x: Any, y: Any) -> Any:
    high, low = two_sum(x[0], y[0])
    return high, low + (x[1] + y[1])


@inlined
def product(x: Any, y: Any) -> Any:
    high = x[0] * y[0]
    return high, fused(x[1], y[0], fused(x[0], y[1], fused(x[0], y[0], high * -1.0)))


@inlined
def negative(x: Any) -> Any:
    return x[0] * -1.0, x[1] * -1.0


@inlined
def quotient(x: Any, y: Any) -> Any:
    """Return x / y, rounded to float64."""
    near = x[0] / y[0]
    rest = fused(near * -1.0, y[0], x[0]) + (x[1] - near * y[1])
    return near + rest / y[0]


@inlined
def cross(a: Any, b: Any) -> Any:
    """Return the cross product of two vectors, and the sum of the magnitudes of each component's terms."""
    (ax, ay, az), (bx, by, bz) = a, b
    normal = _minor(ay, bz, az, by), _minor(az, bx, ax, bz), _minor(ax, by, ay, bx)
    sizes = _minor_size(ay, bz, az, by), _minor_size(az, bx, ax, bz), _minor_size(ax, by, ay, bx)
    return normal, sizes


@inlined
def dot(a: Any, b: Any) -> Any:
    """Return the dot product of two vectors."""
    return total(total(product(a[0], b[0]), product(a[1], b[1])), product(a[2], b[2]))


@inlined
def size(sizes: Any, b: Any) -> Any:
    """Return the sum of the terms' magnitudes in a dot product of b with a cross product of these `sizes`."""
    return sizes[0] * magnitude(b[0][0]) + sizes[1] * magnitude(b[1][0]) + sizes[2] * magnitude(b[2][0])


@inlined
def _minor(a: Any, b: Any, c: Any, d: Any) -> Any:
    return total(product(a, b), negative(product(c, d)))


@inlined
def _minor_size(a: Any, b: Any, c: Any, d: Any) -> Any:
    return magnitude(a[0] * b[0]) + magnitude(c[0] * d[0])
