"""Contacts: a point on the surface of a primitive, and a probe that rests there, passes through it or ends there.

On a grid of small integers nothing is rounded: the shapes then have common points and no common interior, but for
probes that are round, whose radius may be no number. Among real numbers everything is rounded, and verdicts are
delicate.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from hitscope.geometry import shapes
from hitscope.geometry.arrays import Array
from hitscope.geometry.kinds import ShapeTable
from hitscope.judge.drawing.drawn_shapes import DRAWN_SHAPES, edges, move, points_at
from hitscope.judge.drawing.samplers import IDENTITY, Sampler, cross, dot, powers_of_two

FACE, EDGE, CORNER = 0, 1, 2
"""The features of a primitive that a contact is on."""


class Contact(NamedTuple):
    """Primitives, a point on the surface of each, and the outward normals of supporting planes through these."""

    primitives: Array
    point: Array
    outward: Array
    lying: float = 0.0
    """How often linear probes lie in the supporting plane."""
    leaving: float = 0.0
    """How often they leave the contact outwards; others go through it."""


def contact_on(kind: type[shapes.Shape], sampler: Sampler, feature: Array | int) -> Contact:
    """Draw primitives and contacts on FACE, EDGE or CORNER, of all or of each (n,)."""
    return CONTACTS[kind](kind, sampler._replace(vectors=_spanning(sampler)), feature)


def resting(kind: type[shapes.Shape], sampler: Sampler, contact: Contact) -> Array:
    """Draw probes (k, n) at contacts, bodies outside of the supporting planes."""
    return RESTING[kind](kind, sampler, contact)


def _spanning(sampler: Sampler) -> Callable[[int], Array]:
    """Return a sampler's vectors; those that span no triangle or parallelepiped become the coordinate axes."""

    def vectors(count: int) -> Array:
        drawn = sampler.vectors(count)
        normal = cross(drawn[0], drawn[1])
        flat = dot(normal, drawn[2]) == 0 if count == 3 else (normal == 0).all(axis=0)
        return np.where(flat, IDENTITY[:count], drawn)

    return vectors


def _contact_on_plane(kind: type[shapes.Shape], sampler: Sampler, feature: Array | int) -> Contact:
    through, normal = sampler.point(), sampler.normals()
    contact = through + cross(normal, sampler.vector())
    planes = np.concatenate([normal, dot(normal, through)[None]])
    return Contact(planes, contact, normal * sampler.random.choice((-1, 1)))


def _contact_on_triangle(kind: type[shapes.Shape], sampler: Sampler, feature: Array | int) -> Contact:
    random = sampler.random
    triangles = DRAWN_SHAPES[kind].draw(sampler)
    corners = triangles.reshape(3, 3, -1)
    normal = cross(corners[1] - corners[0], corners[2] - corners[0])
    f, g = sampler.fraction(2)
    f, g = np.where(feature == CORNER, 0.0, f), np.where(feature != FACE, 0.0, g)
    weights = np.stack([1 - f, f * (1 - g), f * g])  # of three corners, beginning with the `first`
    first = random.indices(3)
    weights = np.take_along_axis(weights, (np.arange(3)[:, None] - first) % 3, axis=0)
    contact = corners[0] + weights[1] * (corners[1] - corners[0]) + weights[2] * (corners[2] - corners[0])
    steepness = np.where(feature == FACE, random.choice((-1, 1)), random.integers(-3, 3))
    outward = normal * steepness
    for k in range(3):
        pinned = (feature != FACE) & (first == k) | (feature == CORNER) & ((first + 2) % 3 == k)
        weight = np.where(pinned, random.integers(1, 3), 0.0)
        outward += weight * cross(corners[(k + 1) % 3] - corners[k], normal)
    return Contact(triangles, contact, outward)


def _contact_on_solid(kind: type[shapes.Shape], sampler: Sampler, feature: Array | int) -> Contact:
    random, drawn = sampler.random, DRAWN_SHAPES[kind]
    solids = drawn.draw(sampler)
    sides = edges(kind, solids)
    pinned = (np.arange(3)[:, None] - random.indices(3)) % 3 <= feature
    side = random.integers(0, 1, 3)
    coordinates = np.where(pinned, side, sampler.fraction(3))
    normals = [cross(sides[i - 2], sides[i - 1]) for i in range(3)]
    weights = np.where(pinned, random.integers(1, 3, 3) * (2 * side - 1), 0.0)
    outward = weights[0] * normals[0] + weights[1] * normals[1] + weights[2] * normals[2]
    outward *= np.where(dot(sides[0], normals[0]) < 0, -1.0, 1.0)
    touched = drawn.touched(sampler, solids, coordinates, pinned)
    return Contact(touched, points_at(kind, solids, coordinates), outward)


def _contact_on_round(kind: type[shapes.Shape], sampler: Sampler, feature: Array | int) -> Contact:
    """Draw contacts at an arm from the center of what is round: along an axis for CORNER, across one for EDGE."""
    center = sampler.point()
    arm, radius = _arms(sampler, feature)
    outward = np.where(radius == 0, sampler.normals(), arm)
    cores = center if DRAWN_SHAPES[kind].points == 1 else _axes_through(sampler, center, -outward)
    return Contact(np.concatenate([cores, radius[None]]), center + arm, outward)


def _axes_through(sampler: Sampler, points: Array, away: Array) -> Array:
    """Draw segments (6, n) through points, either across a direction or from the point on to where it leads."""
    random, way = sampler.random, sampler.vector()
    lies = random.chance(0.5)
    # Small integers keep the product short, so that it is not rounded.
    across = cross(away, random.integers(-1, 1, 3))
    along = np.where(lies, across, np.where(dot(away, way) < 0, -way, way))
    start = points - along * np.where(lies, sampler.fraction(), 0.0)
    end, swapped = start + along, random.chance(0.5)
    return np.concatenate([np.where(swapped, end, start), np.where(swapped, start, end)])


def _arms(sampler: Sampler, feature: Array | int) -> tuple[Array, Array]:
    """Draw vectors (3, n) from centers to contacts, with their lengths (n,)."""
    random = sampler.random
    p, q, r, s = np.concatenate([sampler.vector(), sampler.vector()[:1]])
    q, r, s = np.where(feature == FACE, (q, r, s), np.where(feature == EDGE, (0 * q, 0 * r, s), 0.0))
    # Euler's parameters of a sphere, whose points are as rational as they are.
    arm = np.stack([p * p + q * q - r * r - s * s, 2 * (q * r + p * s), 2 * (q * s - p * r)])
    turned = (np.arange(3)[:, None] - random.indices(3)) % 3
    arm = np.take_along_axis(arm, turned, axis=0) * random.choice((-1, 1))
    return arm, p * p + q * q + r * r + s * s


def _resting_linear(kind: type[shapes.Shape], sampler: Sampler, contact: Contact) -> Array:
    manner, any_way = sampler.random.unit(), sampler.vector()
    lies = manner < contact.lying
    leaves = ~lies & (manner < contact.lying + contact.leaving)
    outwards = np.where(leaves & (dot(contact.outward, any_way) < 0), -any_way, any_way)
    along = np.where(lies, cross(contact.outward, any_way), outwards)
    start = contact.point - along * np.where(leaves, 0.0, sampler.fraction())
    if DRAWN_SHAPES[kind].points == 1:
        return np.concatenate([start, along])
    end, swapped = start + along, sampler.random.chance(0.5)
    return np.concatenate([np.where(swapped, end, start), np.where(swapped, start, end)])


def _resting_line(kind: type[shapes.Shape], sampler: Sampler, contact: Contact) -> Array:
    lying = contact.lying + contact.leaving  # a line leaves a contact to both sides
    return _resting_linear(kind, sampler, contact._replace(lying=lying, leaving=0.0))


def _resting_body(kind: type[shapes.Shape], sampler: Sampler, contact: Contact) -> Array:
    random = sampler.random

    def with_an_edge_in_the_plane(count: int) -> Array:
        vectors = sampler.vectors(count)
        below = np.stack([dot(contact.outward, vector) < 0 for vector in vectors])[:, None]
        lying = random.integers(0, 2 * count - 1)  # half of the shapes have none
        in_plane = cross(contact.outward, sampler.vector())
        return np.where(lying == np.arange(count)[:, None, None], in_plane, np.where(below, -vectors, vectors))

    bodies = DRAWN_SHAPES[kind].draw(sampler._replace(vectors=with_an_edge_in_the_plane))
    slopes = np.stack([dot(contact.outward, edge) for edge in edges(kind, bodies)])
    if len(slopes) == 2:
        lowest = _lowest_of_triangles(sampler, slopes)
    else:
        lowest = np.where(slopes > 0, 0.0, np.where(slopes < 0, 1.0, sampler.fraction(3)))
    move(kind, bodies, contact.point - points_at(kind, bodies, lowest))
    return bodies


def _lowest_of_triangles(sampler: Sampler, slopes: Array) -> Array:
    """Draw the coordinates (2, n) of one of the lowest corners, or of the middle between two."""
    heights = np.stack([np.zeros_like(slopes[0]), *slopes])
    is_lowest = heights == np.fmin.reduce(heights)
    one, other = (np.argmax(is_lowest * (1 + sampler.random.unit(3)), axis=0) for _ in range(2))
    corner = np.array([[1], [2]])
    coordinates: Array = (one == corner) / 2 + (other == corner) / 2
    return coordinates


def _resting_round(kind: type[shapes.Shape], sampler: Sampler, contact: Contact) -> Array:
    """Draw spheres, and capsules by cap or side, that touch but for the rounding of a radius that is no number."""
    size, outward = sampler.size()[0], contact.outward
    arm = outward * powers_of_two(np.frexp(size)[1] - np.frexp(np.abs(outward).max(axis=0))[1])
    radius = sampler.random.precision.rounded(np.sqrt(dot(arm, arm)))
    center = contact.point + arm
    cores = center if DRAWN_SHAPES[kind].points == 1 else _axes_through(sampler, center, arm)
    return np.concatenate([cores, radius[None]])


SOLIDS = (shapes.Aabb, shapes.Obb, shapes.Parallelepiped, shapes.Polyhedron, shapes.Frustum)
CONTACTS: ShapeTable[Callable[[type[shapes.Shape], Sampler, Array | int], Contact]] = ShapeTable(
    f"{__name__}.CONTACTS",
    {
        shapes.Plane: _contact_on_plane,
        shapes.Triangle: _contact_on_triangle,
        **dict.fromkeys(SOLIDS, _contact_on_solid),
        **dict.fromkeys((shapes.Sphere, shapes.Capsule), _contact_on_round),
    },
    role="primitive",
)
RESTING: ShapeTable[Callable[[type[shapes.Shape], Sampler, Contact], Array]] = ShapeTable(
    f"{__name__}.RESTING",
    {
        shapes.Point: lambda kind, sampler, contact: contact.point,
        **dict.fromkeys((shapes.Segment, shapes.Ray), _resting_linear),
        shapes.Line: _resting_line,
        **dict.fromkeys((shapes.Triangle, *SOLIDS), _resting_body),
        **dict.fromkeys((shapes.Sphere, shapes.Capsule), _resting_round),
    },
    role="probe",
)
