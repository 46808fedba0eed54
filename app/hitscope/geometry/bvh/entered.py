"""The point at which a ray enters a triangle, and the normal there."""

from math import nan, sqrt
from typing import Any

from hitscope.geometry.compiled import compiled
from hitscope.geometry.lanes import inlined

LOST = 8.0 * 2.0**-53
"""The relative error of a determinant of rounded differences, in units of its terms' magnitudes."""
LOST_OF_NORMAL = 1e-12
"""The relative error that a normal may have."""
LEAST, GREATEST = 2.0**-900, 2.0**900
"""The squares of lengths that neither underflow nor overflow on the way."""


@inlined
def entered(origin: Any, direction: Any, t: float, a: Any, b: Any, c: Any) -> Any:
    """Return origin + t * direction, the unit normal of the triangle towards the origin, and whether that is sure.

    It is not sure of a ray that begins on the triangle, or that perhaps lies in its plane.
    """
    ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    vx, vy, vz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
    px, py, pz, qx, qy, qz = uy * vz, uz * vx, ux * vy, uz * vy, ux * vz, uy * vx
    nx, ny, nz = px - qx, py - qy, pz - qz
    mx, my, mz = abs(px) + abs(qx), abs(py) + abs(qy), abs(pz) + abs(qz)
    dx, dy, dz = direction
    speed, terms = nx * dx + ny * dy + nz * dz, mx * abs(dx) + my * abs(dy) + mz * abs(dz)
    squared = nx * nx + ny * ny + nz * nz
    length = sqrt(squared)
    sure = (
        t > 0.0
        and LEAST < squared < GREATEST
        and LEAST < terms < GREATEST
        and abs(speed) > LOST * terms
        and LOST * (mx + my + mz) < LOST_OF_NORMAL * length
    )
    over = (-1.0 if speed > 0.0 else 1.0) / length if sure else nan
    point = origin[0] + t * dx, origin[1] + t * dy, origin[2] + t * dz
    # A zero is positive.
    return point, (nx * over + 0.0, ny * over + 0.0, nz * over + 0.0), sure


@compiled
def write_entered(
    rays: Any, triangles: Any, element: Any, t: Any, first: int, last: int, points: Any, normals: Any, sure: Any
) -> None:
    """Write what `entered` returns for rays `first` to `last`, where they hit an element; NaN for the others.

    `rays` (6, m) and `triangles` (9, n) are coordinate rows; points and normals are (m, 3).
    """
    for n in range(first, last):
        k = element[n]
        sure[n] = True
        points[n, :] = nan
        normals[n, :] = nan
        if k >= 0:
            point, normal, sure[n] = entered(
                (rays[0, n], rays[1, n], rays[2, n]),
                (rays[3, n], rays[4, n], rays[5, n]),
                t[n],
                (triangles[0, k], triangles[1, k], triangles[2, k]),
                (triangles[3, k], triangles[4, k], triangles[5, k]),
                (triangles[6, k], triangles[7, k], triangles[8, k]),
            )
            for axis in range(3):
                points[n, axis], normals[n, axis] = point[axis], normal[axis]
