"""Point against a sphere: whether it is inside, and how far from the surface."""

from hitscope.geometry.answers import SignedDistance
from hitscope.geometry.meanings import vector_from
from hitscope.geometry.registry import RANGE, method
from hitscope.geometry.shapes import Point, Sphere
from hitscope.geometry.vector import dot, length, subtract

ROUNDED = "the distance from the center is rounded: a point on or near the surface may be judged wrong"


@method(
    source="the definition, squared: (p - center)^2 <= radius^2",
    deviations=(ROUNDED, RANGE),
    meanings={"from_center": vector_from("sphere.center")},
)
def squared_distance(point: Point, sphere: Sphere) -> bool:
    """Compare the squared distance from the center with the squared radius, without a root."""
    from_center = subtract(point.position, sphere.center)
    return dot(from_center, from_center) <= sphere.radius * sphere.radius


@method(
    source="Quilez's signed distance of a sphere (sdSphere)",
    readings=("interpreted", "compiled", "stepped", "float32"),
    deviations=(ROUNDED, "the difference cancels near the surface, where few digits of it are right", RANGE),
    meanings={"from_center": vector_from("sphere.center")},
)
def sd_sphere(point: Point, sphere: Sphere) -> SignedDistance:
    """Subtract the radius from the distance from the center."""
    from_center = subtract(point.position, sphere.center)
    distance = length(from_center) - sphere.radius
    return SignedDistance(distance <= 0, distance)
