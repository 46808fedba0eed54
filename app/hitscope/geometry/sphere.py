"""Points and linear probes against a sphere.

A probe is on the surface where a * t^2 + 2 * b * t + c = 0, with m from the center to the origin,
a = direction^2, b = dot(m, direction) and c = m^2 - radius^2. The methods differ in discriminant and roots.
"""

from hitscope.geometry import ieee
from hitscope.geometry.answers import NO_T_RANGE, SignedDistance, TRange
from hitscope.geometry.meanings import T_PAIR, T_RANGE, T, direction_at, length_along, vector_from
from hitscope.geometry.registry import WITH_ROOTS, kernel, method
from hitscope.geometry.shapes import Linear, Point, Sphere
from hitscope.geometry.vector import add, dot, length, normalized, subtract

DISTANCE_ROUNDED = "the distance from the center is rounded: a point on or near the surface may be judged wrong"
ROUNDED = "products are rounded: a probe that grazes the sphere, or starts or ends on it, may be judged wrong"
CANCELS = "a probe that starts far from a small sphere may hit what it misses, and miss what it hits"
NEAR = "where the origin is near the surface, the t there has few right digits"
ROOTS = {"t1, t2": T_PAIR, "t_enter, t_exit": T_RANGE}


@method(
    source="the definition, squared: (p - center)^2 <= radius^2",
    deviations=(DISTANCE_ROUNDED,),
    meanings={"from_center": vector_from("sphere.center")},
)
def squared_distance(point: Point, sphere: Sphere) -> bool:
    """Compare the squared distance from the center with the squared radius, without a root."""
    from_center = subtract(point.position, sphere.center)
    return dot(from_center, from_center) <= sphere.radius * sphere.radius


@method(
    source="Quilez's signed distance of a sphere (sdSphere)",
    readings=WITH_ROOTS,
    deviations=(DISTANCE_ROUNDED, "the difference cancels near the surface, where few digits of it are right"),
    meanings={"from_center": vector_from("sphere.center")},
)
def sd_sphere(point: Point, sphere: Sphere) -> SignedDistance:
    """Subtract the radius from the distance from the center."""
    from_center = subtract(point.position, sphere.center)
    distance = length(from_center) - sphere.radius
    return SignedDistance(distance <= 0, distance)


@method(
    source="Ericson 2005, 5.3.2 IntersectRaySphere, for a direction of any length, and with both roots",
    readings=WITH_ROOTS,
    deviations=(ROUNDED, f"b * b - a * c cancels: {CANCELS}", f"-b - root cancels too, not only c: {NEAR}"),
    meanings={"m": vector_from("sphere.center"), **ROOTS},
)
def quadratic(probe: Linear, sphere: Sphere) -> TRange:
    """Put origin + t * direction into the sphere's equation, and solve it by the school's formula."""
    m = subtract(probe.origin, sphere.center)
    a = dot(probe.direction, probe.direction)
    b = dot(m, probe.direction)
    c = dot(m, m) - sphere.radius * sphere.radius
    if a == 0:
        # A probe without direction is a point.
        return TRange(True, probe.t_min, probe.t_max) if c <= 0 else NO_T_RANGE
    discriminant = b * b - a * c
    if discriminant < 0:
        return NO_T_RANGE
    root = ieee.sqrt(discriminant)
    t1 = (-b - root) / a
    t2 = (-b + root) / a
    t_enter, t_exit = max(probe.t_min, t1), min(probe.t_max, t2)
    if t_enter > t_exit:
        return NO_T_RANGE
    return TRange(True, t_enter, t_exit)


@kernel
def roots(a: float, b: float, c: float, root: float) -> tuple[float, float]:
    """Return the roots in order, of which that of the larger size is first found, so that only c cancels."""
    q = -(b + root) if b > 0 else root - b
    t1 = q / a
    # Both roots are 0 where q is.
    t2 = c / q if q != 0 else t1
    return (t2, t1) if t1 > t2 else (t1, t2)


@method(
    source="Press et al., «Numerical Recipes», 2007, 5.6: the roots q / a and c / q, so that only c cancels",
    readings=WITH_ROOTS,
    deviations=(ROUNDED, f"b * b - a * c still cancels: {CANCELS}", f"c cancels: {NEAR}"),
    meanings={"m": vector_from("sphere.center"), **ROOTS},
)
def stable_roots(probe: Linear, sphere: Sphere) -> TRange:
    """Solve the quadratic by the root of the larger size first; the other one is c / (a * root)."""
    m = subtract(probe.origin, sphere.center)
    a = dot(probe.direction, probe.direction)
    b = dot(m, probe.direction)
    c = dot(m, m) - sphere.radius * sphere.radius
    if a == 0:
        # A probe without direction is a point.
        return TRange(True, probe.t_min, probe.t_max) if c <= 0 else NO_T_RANGE
    discriminant = b * b - a * c
    if discriminant < 0:
        return NO_T_RANGE
    t1, t2 = roots(a, b, c, ieee.sqrt(discriminant))
    t_enter, t_exit = max(probe.t_min, t1), min(probe.t_max, t2)
    if t_enter > t_exit:
        return NO_T_RANGE
    return TRange(True, t_enter, t_exit)


@method(
    source="Haines, Guenther and Akenine-Moeller, «Precision Improvements for Ray/Sphere Intersection», 2019",
    readings=WITH_ROOTS,
    deviations=(ROUNDED, f"c cancels: {NEAR}"),
    meanings={"m; perpendicular": vector_from("sphere.center"), "nearest": T, **ROOTS},
)
def haines(probe: Linear, sphere: Sphere) -> TRange:
    """Compare the radius with the perpendicular from the center to the line, where nothing large cancels."""
    m = subtract(probe.origin, sphere.center)
    a = dot(probe.direction, probe.direction)
    b = dot(m, probe.direction)
    c = dot(m, m) - sphere.radius * sphere.radius
    if a == 0:
        # A probe without direction is a point.
        return TRange(True, probe.t_min, probe.t_max) if c <= 0 else NO_T_RANGE
    nearest = -b / a
    dx, dy, dz = probe.direction
    perpendicular = add(m, (nearest * dx, nearest * dy, nearest * dz))
    discriminant = a * (sphere.radius * sphere.radius - dot(perpendicular, perpendicular))
    if discriminant < 0:
        return NO_T_RANGE
    t1, t2 = roots(a, b, c, ieee.sqrt(discriminant))
    t_enter, t_exit = max(probe.t_min, t1), min(probe.t_max, t2)
    if t_enter > t_exit:
        return NO_T_RANGE
    return TRange(True, t_enter, t_exit)


@method(
    source="Akenine-Moeller et al., «Real-Time Rendering», 2018, 22.6.2, for any direction and with both roots",
    readings=WITH_ROOTS,
    deviations=(
        ROUNDED,
        f"l2 - s * s cancels: {CANCELS}",
        f"s - q cancels: {NEAR}",
        "a direction that is not unit is normalised, and so rounded, first",
        "a probe without direction is always missed: it has no unit vector",
    ),
    meanings={
        "size; s": length_along("unit", "probe.origin"),
        "unit": direction_at("probe.origin"),
        "to_center": vector_from("probe.origin"),
        **ROOTS,
    },
)
def geometric(probe: Linear, sphere: Sphere) -> TRange:
    """Project the center onto the probe, and find half of the chord by Pythagoras; reject before the root."""
    size = length(probe.direction)
    unit = normalized(probe.direction)
    to_center = subtract(sphere.center, probe.origin)
    s = dot(to_center, unit)
    l2 = dot(to_center, to_center)
    r2 = sphere.radius * sphere.radius
    if probe.t_min >= 0 and s < 0 and l2 > r2:
        # The origin is outside, and the center behind it.
        return NO_T_RANGE
    m2 = l2 - s * s
    if not m2 <= r2:  # nor where it is NaN
        return NO_T_RANGE
    q = ieee.sqrt(r2 - m2)
    t1 = ieee.divide(s - q, size)
    t2 = ieee.divide(s + q, size)
    t_enter, t_exit = max(probe.t_min, t1), min(probe.t_max, t2)
    if t_enter > t_exit:
        return NO_T_RANGE
    return TRange(True, t_enter, t_exit)


@method(
    source="Ericson 2005, 5.1.2 and 4.5.1 TestSphereCapsule: the closest point of the probe, without a root",
    deviations=(ROUNDED,),
    meanings={"m": vector_from("sphere.center"), "t": T, "closest": vector_from("sphere.center")},
)
def closest_point(probe: Linear, sphere: Sphere) -> bool:
    """Compare the squared distance of the probe's closest point to the center with the squared radius."""
    m = subtract(probe.origin, sphere.center)
    a = dot(probe.direction, probe.direction)
    closest = m
    if a != 0:
        t = -dot(m, probe.direction) / a
        t = max(probe.t_min, min(probe.t_max, t))
        dx, dy, dz = probe.direction
        closest = add(m, (t * dx, t * dy, t * dz))
    return dot(closest, closest) <= sphere.radius * sphere.radius
