"""Numbers of twice float64's precision, eight at a time, in compiled code: pairs (high, low) that mean high + low.

After Dekker 1971 and Knuth. The low part is at most 2**-49 of the terms that made the number. A product or a sum
loses less than 2**-99 of its terms, a dot product with a cross product less than 2**-96 of the sum of its terms'
magnitudes; `size` gives that sum. What underflows is lost besides.
"""

from typing import Any

from hitscope.geometry.error_free import two_sum
from hitscope.geometry.lanes import fused, inlined, magnitude


@inlined
def total(x: Any, y: Any) -> Any:
    """Give x + y."""
    high, low = two_sum(x[0], y[0])
    return high, low + (x[1] + y[1])


@inlined
def product(x: Any, y: Any) -> Any:
    """Give x * y."""
    high = x[0] * y[0]
    return high, fused(x[1], y[0], fused(x[0], y[1], fused(x[0], y[0], high * -1.0)))


@inlined
def negative(x: Any) -> Any:
    """Give -x."""
    return x[0] * -1.0, x[1] * -1.0


@inlined
def quotient(x: Any, y: Any) -> Any:
    """Give x / y, rounded to float64."""
    near = x[0] / y[0]
    rest = fused(near * -1.0, y[0], x[0]) + (x[1] - near * y[1])
    return near + rest / y[0]


@inlined
def cross(a: Any, b: Any) -> Any:
    """Give the cross product of two vectors, and the magnitudes of its terms."""
    (ax, ay, az), (bx, by, bz) = a, b
    normal = _minor(ay, bz, az, by), _minor(az, bx, ax, bz), _minor(ax, by, ay, bx)
    sizes = _minor_size(ay, bz, az, by), _minor_size(az, bx, ax, bz), _minor_size(ax, by, ay, bx)
    return normal, sizes


@inlined
def dot(a: Any, b: Any) -> Any:
    """Give the dot product of two vectors."""
    return total(total(product(a[0], b[0]), product(a[1], b[1])), product(a[2], b[2]))


@inlined
def size(sizes: Any, b: Any) -> Any:
    """Give the magnitudes of the terms of a dot product with a cross product."""
    return sizes[0] * magnitude(b[0][0]) + sizes[1] * magnitude(b[1][0]) + sizes[2] * magnitude(b[2][0])


@inlined
def _minor(a: Any, b: Any, c: Any, d: Any) -> Any:
    return total(product(a, b), negative(product(c, d)))


@inlined
def _minor_size(a: Any, b: Any, c: Any, d: Any) -> Any:
    return magnitude(a[0] * b[0]) + magnitude(c[0] * d[0])
