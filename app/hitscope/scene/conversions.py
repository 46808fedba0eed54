"""Another type or another role of an item that is one shape.

A type that can hold the set holds it exactly, where float64 can; another one takes its obvious parts, such as the
bounds of a rotated box. `loss` says in words what became of the set.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from itertools import combinations, product
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from msgspec import UNSET
from msgspec.structs import replace

from hitscope import numerals
from hitscope.errors import Fault, HitscopeError
from hitscope.geometry import shapes
from hitscope.geometry.exact import corners, is_bounded, length_of, radius_of, rounded
from hitscope.geometry.exact.integers import ExactPoint, exact_point
from hitscope.geometry.kinds import Cast
from hitscope.geometry.shapes import Shape, Vec3
from hitscope.geometry.vector import cross, dot, subtract, vec3
from hitscope.scene import checked_shapes
from hitscope.scene.decimals import decimal, difference, total
from hitscope.scene.edits import Kind, add_items, ids_of, items_of, remove_items
from hitscope.scene.items import HalfSpace, Item, Single
from hitscope.scene.model import STRUCTS, Scene
from hitscope.scene.shape_items import fields_of

Fields: TypeAlias = dict[str, Any]
ROUNDING = 1e-12
"""The largest movement of a corner by rounding, as a part of the largest coordinate."""
OTHER: dict[Kind, Kind] = {"probe": "primitive", "primitive": "probe"}
"""The other role of each."""


class Conversion(NamedTuple):
    """How a shape, without its motion, becomes one of another type."""

    fields: Callable[[Any], Iterable[Fields]]
    """The fields of the other item, from an item: several, the first that holds the same set is right.

    Raises Fault for an item that cannot become one of the type.
    """
    loss: str = "rounded"
    """The change of the set where it is not the same."""


# Types


def types_of(item: Single, role: Kind) -> tuple[str, ...]:
    """The type words that an item of one shape can have in a role, its own among them."""
    others = CONVERSIONS.get(item.kind, {})
    return tuple(word for word in STRUCTS[role] if word == item.word or word in others)


def as_type(item: Single, word: str) -> Single:
    """The item as one of another type, with the same id, and the radius and motion that the type can have.

    Raises Fault where it has no such parts.
    """
    kept = _kept(item, word)
    core = replace(_at_rest(item), **dict.fromkeys(kept.keys() & {"radius"}, UNSET))
    made = [item_of_type(word, item, **fields) for fields in CONVERSIONS[item.kind][word].fields(core)]
    same = next((found for found in made if _is_same_set(core.shape, found.shape)), made[0])
    return replace(same, **kept)


def _kept(item: Single, word: str) -> Fields:
    """The radius and the motion of an item, as far as another type can have them."""
    kind: Any = STRUCTS[item.role][word]
    names = {"motion", *(("radius",) if item.is_roundable and kind.is_roundable else ())}
    return {name: getattr(item, name, UNSET) for name in names & {*kind.__struct_fields__}}


def loss(before: Single, after: Single) -> str:
    """The change of the set of an item that was made one of another type, in words; empty if it is the same."""
    lost = CONVERSIONS[before.kind][after.word].loss
    a, b = _at_rest(before).shape, _at_rest(after).shape
    if _is_same_set(a, b):
        lost = ""
    elif lost and _is_rounded(a, b):
        lost = "rounded"
    at_rest = isinstance(before.shape, Cast) and not isinstance(after.shape, Cast)
    return ", ".join(words for words in (lost, "its motion is gone" * at_rest) if words)


def _at_rest(item: Single) -> Single:
    return replace(item, motion=UNSET) if isinstance(item.shape, Cast) else item


def item_of_type(word: str, item: Single, **fields: Any) -> Single:
    """Make an item of another type with the same id and role."""
    more = {"enabled": item.enabled} if hasattr(item, "enabled") else {}
    made = STRUCTS[item.role][word](id=item.id, **fields, **more)
    assert isinstance(made, Single)
    return made


# Roles


def has_role(item: Item, role: Kind) -> bool:
    """Whether an item of its type can have a role."""
    is_own = isinstance(item, Single) and item.word in STRUCTS[role]
    return is_own and (role == "probe" or getattr(item, "motion", UNSET) is UNSET)


def exchange_roles(scene: Scene, chosen: Mapping[Kind, Collection[int]]) -> Scene:
    """Turn probes into primitives and primitives into probes, which are the last ones then.

    They keep their ids, where those are free, and lose their expectations. Raises HitscopeError for an item of a
    type that has only one role.
    """
    left = scene
    for kind, indices in chosen.items():
        left = remove_items(left, kind, indices)
    for kind, indices in chosen.items():
        items, ids = items_of(scene, kind), ids_of(scene, kind)
        left = add_items(left, OTHER[kind], [_with_role(items[i], ids[i], OTHER[kind]) for i in sorted(indices)])
    return left


def _with_role(item: Item, name: str, role: Kind) -> Item:
    if not has_role(item, role):
        moving = "moving " if getattr(item, "motion", UNSET) is not UNSET else ""
        raise HitscopeError(f"A {moving}{item.word} cannot be a {role}")
    of_probes = ("id", "enabled", "motion")
    fields = {field: getattr(item, field) for field in item.__struct_fields__ if field not in of_probes}
    return STRUCTS[role][item.word](id=name, **fields)


# Lines


def _ray_of_segment(item: Any) -> Iterable[Fields]:
    yield {"origin": item.start, "direction": difference(item.end, item.start)}


def _segment_of_ray(item: Any) -> Iterable[Fields]:
    yield {"start": item.origin, "end": total(item.origin, item.direction)}


def _same_ray(item: Any) -> Iterable[Fields]:
    yield {"origin": item.origin, "direction": item.direction}


# Boxes


def obb_of_aabb(item: Any) -> Single:
    """An aabb as an obb without a rotation, in the decimals of the file, with its radius and motion."""
    return item_of_type("obb", item, **_centered(item), **_kept(item, "obb"))


def parallelepiped_of_obb(item: Any) -> Single:
    """An obb as the parallelepiped that it is, in the decimals of the file, with its radius and motion."""
    return item_of_type("parallelepiped", item, **_skew_box(item, decimal), **_kept(item, "parallelepiped"))


def _skew_box(item: Any, number: Callable[[float], Fraction]) -> Fields:
    """The fields of an obb as a parallelepiped, its numbers taken as decimals or as they are."""
    edges = [
        [2 * number(extent) * number(value) for value in axis]
        for extent, axis in zip(item.half_extents, item.plain.axes, strict=True)
    ]
    corner = [number(c) - sum(along) / 2 for c, *along in zip(item.center, *edges, strict=True)]
    return {"origin": vec3(map(rounded, corner)), "edges": tuple(vec3(map(rounded, edge)) for edge in edges)}


def _centered(item: Any) -> Fields:
    """The fields of an aabb as an obb, in the decimals of the file."""
    if item.min is UNSET:
        return {"center": item.center, "half_extents": item.half_extents}
    return _middle(item.min, item.max, decimal)


def _middle(lo: Vec3, hi: Vec3, number: Callable[[float], Fraction]) -> Fields:
    """The center and the half extents of a box, rounded, its numbers taken as decimals or as they are."""
    ends = [(number(a), number(b)) for a, b in zip(lo, hi, strict=True)]
    halves = vec3(rounded((b - a) / 2) for a, b in ends)
    return {"center": vec3(rounded((a + b) / 2) for a, b in ends), "half_extents": halves}


def _aabb_as_parallelepiped(item: Any) -> Iterable[Fields]:
    lo, hi = item.plain
    exact = vec3(rounded(Fraction(b) - Fraction(a)) for a, b in zip(lo, hi, strict=True))
    for sides in difference(hi, lo), exact:
        yield {"origin": lo, "edges": tuple(vec3(sides[i] if i == k else 0.0 for k in range(3)) for i in range(3))}


def _bounds(item: Any) -> Iterable[Fields]:
    """The bounds along the coordinate axes."""
    columns, radius = list(zip(*_corners(item.shape), strict=True)), radius_of(item.shape)
    lo = vec3(rounded(min(values) - radius) for values in columns)
    yield {"min": lo, "max": vec3(rounded(max(values) + radius) for values in columns)}


def _box_around(item: Any) -> Iterable[Fields]:
    """The bounds along the edges of a parallelepiped, the second and third of which are made orthogonal."""
    axes, ends = _orthonormal(item.edges), _corners(item.shape)
    center, extents = [Fraction(0)] * 3, []
    for axis in axes:
        exact = vec3(map(Fraction, axis))
        along = [dot(exact, corner) / dot(exact, exact) for corner in ends]
        middle = (min(along) + max(along)) / 2
        center = [c + middle * u for c, u in zip(center, exact, strict=True)]
        extents.append(rounded((max(along) - min(along)) / 2))
    rotation = {} if tuple(axes) == checked_shapes.IDENTITY else {"axes": tuple(axes)}
    yield {"center": vec3(map(rounded, center)), "half_extents": vec3(extents), **rotation}


def _orthonormal(edges: Iterable[Vec3]) -> list[Vec3]:
    """Unit vectors along the first edges that are not parallel, each made orthogonal to those before it."""
    axes: list[Any] = []
    for edge in (*edges, *checked_shapes.IDENTITY):
        way = np.array(edge) / (max(map(abs, edge)) or 1.0)
        length = np.linalg.norm(way)
        for axis in axes * 2:  # twice, or rounding errors would stay
            way = way - (way @ axis) * axis
        if len(axes) < 3 and np.linalg.norm(way) > 1e-6 * length:
            axes.append(way / np.linalg.norm(way))
    return [vec3((axis + 0.0).tolist()) for axis in axes]


# Polyhedra, triangles and planes


def _vertices(item: Any) -> Iterable[Fields]:
    yield {"vertices": tuple(vec3(map(rounded, corner)) for corner in _corners(item.shape))}


def _polyhedron_as_parallelepiped(item: Any) -> Iterable[Fields]:
    """The parallelepiped with these corners if there is one, else the bounds."""
    corners = _corners(item.shape)
    first, *others = corners
    if len(corners) == 8:
        for tips in combinations(others, 3):
            edges = [subtract(tip, first) for tip in tips]
            sums = {
                vec3(o + i * a + j * b + k * c for o, a, b, c in zip(first, *edges, strict=True))
                for i, j, k in product((0, 1), repeat=3)
            }
            if sums == set(corners):
                yield {"origin": vec3(map(rounded, first)), "edges": tuple(vec3(map(rounded, e)) for e in edges)}
    (bounds,) = _bounds(item)
    yield from _aabb_as_parallelepiped(item_of_type("aabb", item, **bounds))


def _polyhedron_as_obb(item: Any) -> Iterable[Fields]:
    first, *_ = _polyhedron_as_parallelepiped(item)
    yield from _box_around(item_of_type("parallelepiped", item, **first))


def _polyhedron_as_triangle(item: Any) -> Iterable[Fields]:
    if item.vertices is UNSET or len(item.vertices) != 3:
        raise Fault((), "a polyhedron of 3 vertices", _size(item))
    yield {"vertices": item.vertices}


def _polyhedron_as_plane(item: Any) -> Iterable[Fields]:
    if item.planes is UNSET or len(item.planes) != 1:
        raise Fault((), "a polyhedron of one half-space", _size(item))
    yield {"normal": item.planes[0].normal, "offset": item.planes[0].offset}


def _size(item: Any) -> str:
    if item.planes is not UNSET:
        return numerals.counted(len(item.planes), "half-space")
    return numerals.counted(len(item.vertices), "vertex", "vertices")


def _half_space(item: Any) -> Iterable[Fields]:
    yield {"planes": (HalfSpace(normal=item.normal, offset=item.offset),)}


def _plane_of_triangle(item: Any) -> Iterable[Fields]:
    a, b, c = (vec3(map(decimal, vertex)) for vertex in item.vertices)
    normal = cross(subtract(b, a), subtract(c, a))
    yield {"normal": vec3(map(rounded, normal)), "offset": rounded(dot(normal, a))}


# Spheres and capsules


def _box_of_sphere(item: Any) -> Iterable[Fields]:
    yield {"center": item.center, "half_extents": (item.radius,) * 3}


def _sphere_around(item: Any) -> Iterable[Fields]:
    """The sphere around the middle of the bounds, its radius rounded up, so that all of the shape is in it."""
    corners = _corners(item.shape)
    ends = [(min(values), max(values)) for values in zip(*corners, strict=True)]
    center = vec3(rounded((lo + hi) / 2) for lo, hi in ends)
    arms = [subtract(corner, vec3(map(Fraction, center))) for corner in corners]
    squared, own = max(dot(arm, arm) for arm in arms), radius_of(item.shape)
    radius = rounded(Fraction(length_of(squared)) + own)
    while radius < math.inf and (Fraction(radius) - own) ** 2 < squared:
        radius = math.nextafter(radius, math.inf)
    yield {"center": center, "radius": radius}


# Sets


def _corners(shape: Shape) -> list[ExactPoint]:
    """The exact corners of a set, or of a round one's core; raises Fault for an unbounded one."""
    if not is_bounded(shape):
        raise Fault((), "a bounded polyhedron", "one without an end")
    return list(map(exact_point, corners(shape)))


def _is_same_set(a: Shape, b: Shape) -> bool:
    """Whether both are the same set; unbounded sets of two types never are."""
    if not (is_bounded(a) and is_bounded(b)):
        return False
    return radius_of(a) == radius_of(b) and set(_corners(a)) == set(_corners(b))


def _is_rounded(a: Shape, b: Shape) -> bool:
    """Whether every corner of each is next to one of the other, and their radii are nearly the same."""
    if not (is_bounded(a) and is_bounded(b)):
        return False
    first, second = (np.array([list(map(rounded, corner)) for corner in _corners(shape)]) for shape in (a, b))
    with np.errstate(over="ignore"):
        gaps = np.abs(first[:, None] - second).max(axis=2)
    most = ROUNDING * max(np.abs(first).max(), np.abs(second).max())
    change = max(gaps.min(axis=0).max(), gaps.min(axis=1).max(), abs(float(radius_of(a) - radius_of(b))))
    return bool(change <= most)


_ALONG_AXES = "its bounds along the axes"
_TO_AABB = Conversion(_bounds, _ALONG_AXES)
_TO_POLYHEDRON = Conversion(_vertices)
_TO_SPHERE = Conversion(_sphere_around, "a sphere around it")
_OF_BODIES = {"aabb": _TO_AABB, "polyhedron": _TO_POLYHEDRON, "sphere": _TO_SPHERE}

CONVERSIONS: dict[type[Shape], dict[str, Conversion]] = {
    shapes.Point: {"sphere": Conversion(lambda item: [{"center": item.position, "radius": 0.0}])},
    shapes.Segment: {
        "capsule": Conversion(lambda item: [{"start": item.start, "end": item.end, "radius": 0.0}]),
        "ray": Conversion(_ray_of_segment, "it goes on beyond its end"),
        "line": Conversion(_ray_of_segment, "it goes on beyond both ends"),
    },
    shapes.Ray: {
        "segment": Conversion(_segment_of_ray, "it ends where t = 1"),
        "line": Conversion(_same_ray, "it goes on before its origin"),
    },
    shapes.Line: {
        "segment": Conversion(_segment_of_ray, "it is from t = 0 to t = 1"),
        "ray": Conversion(_same_ray, "it begins at its origin"),
    },
    shapes.Aabb: {
        "obb": Conversion(lambda box: [_centered(box), _middle(box.plain.lo, box.plain.hi, Fraction)]),
        "parallelepiped": Conversion(_aabb_as_parallelepiped),
        "polyhedron": _TO_POLYHEDRON,
        "sphere": _TO_SPHERE,
    },
    shapes.Obb: _OF_BODIES
    | {"parallelepiped": Conversion(lambda box: [_skew_box(box, decimal), _skew_box(box, Fraction)])},
    shapes.Parallelepiped: _OF_BODIES | {"obb": Conversion(_box_around, "its bounds along its edges")},
    shapes.Triangle: _OF_BODIES | {"plane": Conversion(_plane_of_triangle, "the plane that it lies in")},
    shapes.Plane: {"polyhedron": Conversion(_half_space, "the half-space behind it")},
    shapes.Polyhedron: {
        "aabb": _TO_AABB,
        "obb": Conversion(_polyhedron_as_obb, "a box around it"),
        "parallelepiped": Conversion(_polyhedron_as_parallelepiped, _ALONG_AXES),
        "triangle": Conversion(_polyhedron_as_triangle),
        "plane": Conversion(_polyhedron_as_plane, "the plane that bounds it"),
        "sphere": _TO_SPHERE,
    },
    shapes.Frustum: _OF_BODIES | {"polyhedron": Conversion(lambda item: [fields_of(item.plain)], "")},
    shapes.Sphere: {
        "point": Conversion(lambda item: [{"position": item.center}], "its center"),
        "aabb": Conversion(_box_of_sphere, _ALONG_AXES),
        "obb": Conversion(_box_of_sphere, "a box around it"),
        "capsule": Conversion(lambda item: [{"start": item.center, "end": item.center, "radius": item.radius}]),
    },
    shapes.Capsule: {
        "segment": Conversion(lambda item: [{"start": item.start, "end": item.end}], "its axis"),
        "aabb": _TO_AABB,
        "sphere": _TO_SPHERE,
    },
}
"""The conversions to other types, by their words, of each type of shape that has any."""
