"""The line that makes each known deviation of the catalogue wrong, and why."""

import inspect
import json
import linecache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from hitscope.explain import explain
from hitscope.geometry import shapes
from hitscope.geometry.registry import RANGE, choose, methods, pair_of
from hitscope.geometry.shapes import (
    Aabb,
    Capsule,
    Cast,
    Frustum,
    Obb,
    Parallelepiped,
    Plane,
    Point,
    Polyhedron,
    Ray,
    Segment,
    Sphere,
    Triangle,
)
from hitscope.geometry.vector import cross
from tests.judge.seeded_cases import generate

KNOWN = json.loads((Path(__file__).parents[1] / "judge" / "deviations.json").read_text(encoding="utf-8"))
PAIRS = json.loads(Path(__file__).with_name("deviation_pairs.json").read_text(encoding="utf-8"))
RECORDED = ()
"""Stands for a pair that a generator of `judge` once drew."""


class Case(NamedTuple):
    """A recorded deviation of a method, by how its text begins, with a pair that shows it."""

    method: str
    deviation: str
    pair: tuple[Any, ...]
    """The shapes, or RECORDED for those in the file beside this one."""
    cause: str
    line: str
    arguments: dict[str, float] = {}  # noqa: RUF012

    @property
    def shapes(self):
        if self.pair is not RECORDED:
            return self.pair
        return tuple(getattr(shapes, name)(*fields) for name, fields in PAIRS[f"{self.method}: {self.deviation}"])


UNIT_BOX = Aabb((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
UNIT_AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
# Its direction overflows, so it is at every t where it starts; it passes between the boxes' corners.
LONGEST = Segment((-1.7e308, -1.7e308, 0.0), (1.7e308, 1.7e308, 0.0))
BESIDE_IT = Aabb((1.0, -2.0, -1.0), (2.0, -1.0, 1.0))
TURNED_BESIDE_IT = Obb((1.5, -1.5, 0.0), (0.5, 0.5, 1.0), UNIT_AXES)
SMALLEST = Triangle((0.0, 0.0, 0.0), (1e-200, 0.0, 0.0), (0.0, 1e-200, 0.0))
TRIANGLE = Triangle((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
SMALL = Triangle((0.0, 0.0, 0.0), (1e-4, 0.0, 0.0), (0.0, 1e-4, 0.0))
CUBE = Parallelepiped((0.0, 0.0, 0.0), UNIT_AXES)
TINY_CUBE = Parallelepiped((0.0, 0.0, 0.0), ((1e-10, 0.0, 0.0), (0.0, 1e-10, 0.0), (0.0, 0.0, 1e-10)))
BALL, DOT = Sphere((0.0, 0.0, 0.0), 1.0), Sphere((0.0, 0.0, 0.0), 0.0)
FAR_AWAY = Ray((-1e9, 1.05, 0.0), (1.0, 0.0, 0.0))
PAST_A_SMALL_ONE = Ray((-3e-170, 2e-170, 0.0), (1.0, 0.0, 0.0))
INSIDE_SQUARED = "return dot(from_center, from_center) <= sphere.radius * sphere.radius"
CLOSEST_INSIDE = "return dot(closest, closest) <= sphere.radius * sphere.radius"
NO_ROOT, BESIDE = "if discriminant < 0:", "if not m2 <= r2:  # nor where it is NaN"
HUGE_SLOPE = Polyhedron((Plane((1e200, -1e200, 0.0), 0.0),))

ORIGIN = (0.0, 0.0, 0.0)
THREAD, LONG = Capsule(ORIGIN, (1.0, 0.0, 0.0), 0.0), Capsule(ORIGIN, (10.0, 0.0, 0.0), 5.0)
UPRIGHT, FLAT_BOX = Obb(ORIGIN, (0.5, 0.5, 0.5), UNIT_AXES), Obb(ORIGIN, (1.0, 0.0, 1.0), UNIT_AXES)
PYTHAGOREAN_AXES = ((0.6, 0.8, 0.0), (-0.8, 0.6, 0.0), (0.0, 0.0, 1.0))
CORNER = Triangle(ORIGIN, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
NEEDLE = Triangle(ORIGIN, (1000000.0, -0.3, -0.3), (200000.0, 0.4, 1.0))
SLANTED = Plane((0.1, 0.2, 0.3), 0.5)
MOVED = "return dot(moved, moved) <= sphere.radius * sphere.radius"
FROM_CLOSEST = "return dot(from_closest, from_closest) <= sphere.radius * sphere.radius"
SQUARED_INSIDE = "return squared <= sphere.radius * sphere.radius"
HEIGHT_INSIDE = "return height * height <= sphere.radius * sphere.radius * dot(plane.normal, plane.normal)"
AT_END = "return TRange(True, t, UNKNOWN) if t <= 1 else NO_T_RANGE"
IN_REACH = "if dot(nearest, nearest) <= radius * radius:"
BOXES_END = "return TRange(True, t_first, t_last)"
FAR_AND_FAST = (-1e9, 1.05, 0.0), (2e9, 0.0, 0.0)
CAMERA_SIDES = ((-1.0, 0.0, -1.0), (1.0, 0.0, -1.0), (0.0, -1.0, -1.0), (0.0, 1.0, -1.0), (0.0, 0.0, -1.0))
CAMERA_OFFSETS = (0.0, 0.0, 0.0, 0.0, -1.0, 10.0)
CAMERA = Frustum((*CAMERA_SIDES, (0.0, 0.0, 1.0)), CAMERA_OFFSETS)
TURNED_SIDES = (
    (-7.0, 0.0, 1.0),
    (-1.0, 0.0, -7.0),
    (-4.0, -5.0, -3.0),
    (-4.0, 5.0, -3.0),
    (-4.0, 0.0, -3.0),
)
TURNED = Frustum((*TURNED_SIDES, (4.0, 0.0, 3.0)), (0.0, 0.0, 0.0, 0.0, -5.0, 50.0))
NARROW = Frustum(
    ((-0.9, 0.0, -0.3), (0.9, 0.0, -0.3), (0.0, -0.7, -0.3), (0.0, 0.7, -0.3), (0.0, 0.0, -1.0), (0.0, 0.0, 1.0)),
    CAMERA_OFFSETS,
)
SMALL_SIDES = tuple(tuple(1e-150 * number for number in normal) for normal in CAMERA_SIDES[:4])
SMALL_FRUSTUM = Frustum((*SMALL_SIDES, (0.0, 0.0, -1.0), (0.0, 0.0, 1.0)), (0.0, 0.0, 0.0, 0.0, -1e-200, 1e-199))
BESIDE_SMALL = Aabb((6e-200, -1e-200, 4e-200), (7e-200, 1e-200, 5e-200))
IN_PLANES = "if dot(normal, vertex) > frustum.offsets[i]:"
COUNTED = "if dot(plane.normal, vertex) > plane.offset:"
INTERVALS = "if lowest > box_max or highest < box_min:"
OVER_PLANES = "if height > 0 and height * height > sphere.radius * sphere.radius * dot(normal, normal):"
MAST = Capsule((0.0, 0.0, -1.0), (0.0, 0.0, 1.0), 1.0)
FAR_FROM_A_MAST = Ray((-1e9, 1.05, 0.3), (1.0, 0.0, 0.0)), MAST
PAST_A_THIN_MAST = Ray((-1e-150, 1.5e-170, 0.0), (1.0, 0.0, 0.0)), MAST._replace(radius=1e-170)
PARALLEL = (
    Capsule(ORIGIN, (50.0, 0.0, 0.0), 0.5),
    Capsule((27.8, -9.647725350002677e-07, 1.0), (53.4, -6.891232392859056e-07, 1.0), 0.5000000000003634),
)
SHORT_AXES = Capsule(ORIGIN, (1e-5, 0.0, 0.0), 1e-6), Capsule((1e-5, 1.5e-6, 0.0), (2e-5, 1.5e-6, 0.0), 1e-6)
BEYOND_RADIUS = "return SignedDistance(distance <= 0, distance)"
BESIDE_AXIS = "return dot(ac, ac) - e * e / f <= reach * reach"
NEAR = "return dot(between, between) <= reach * reach"


def slanted(radius):
    return Capsule((0.1, 0.2, 0.3), (1.3, 0.7, -0.4), radius)


CASES = (
    Case(
        "sd_box",
        "the signed distance",
        RECORDED,
        "rounding",
        "return SignedDistance(outside + inside <= 0, outside + inside)",
    ),
    Case(
        "sd_box",
        RANGE,
        RECORDED,
        "rounding",
        "return SignedDistance(outside + inside <= 0, outside + inside)",
    ),
    Case(
        "sd_box_rotated",
        "the signed distance",
        RECORDED,
        "rounding",
        "return SignedDistance(outside + inside <= 0, outside + inside)",
    ),
    Case(
        "sd_box_rotated",
        "the transpose",
        RECORDED,
        "logic",
        "return SignedDistance(outside + inside <= 0, outside + inside)",
    ),
    Case(
        "sd_box_rotated",
        RANGE,
        RECORDED,
        "rounding",
        "return SignedDistance(outside + inside <= 0, outside + inside)",
    ),
    Case(
        "behind_planes",
        "planes and products",
        RECORDED,
        "rounding",
        "if dot(plane.normal, point.position) > plane.offset:",
    ),
    Case(
        "barycentric_point",
        "a point that rounding",
        RECORDED,
        "rounding",
        "if dot(normal, normal) == 0 or abs(dot(normal, ap)) > thickness:",
    ),
    Case(
        "barycentric_point",
        "a collinear",
        RECORDED,
        "logic",
        "if dot(normal, normal) == 0 or abs(dot(normal, ap)) > thickness:",
    ),
    Case("point_class", "the sum", RECORDED, "rounding", "behind = value < 0"),
    Case(
        "point_class",
        RANGE,
        RECORDED,
        "nan",
        "value = dot(plane.normal, point.position) - plane.offset",
    ),
    Case("slab_halfspaces", "fractions", RECORDED, "rounding", "if t_exit < t_enter:"),
    Case(
        "slab_ericson",
        "a direction",
        RECORDED,
        "tolerance",
        "if abs(probe.direction[axis]) <= epsilon:",
    ),
    Case("slab_ericson", "1 / d", RECORDED, "rounding", "if t_min > t_max:"),
    Case(
        "slab_intervals",
        "fractions",
        RECORDED,
        "rounding",
        "if t_in > t_out or t_in > probe.t_max or t_out < probe.t_min:",
    ),
    Case("slab_division_free", "products", RECORDED, "rounding", "if t_exit < t_enter:"),
    Case("slab_division_free", "it still divides", RECORDED, "rounding", "if t_exit < t_enter:"),
    Case("sat_segment", "epsilon", RECORDED, "tolerance", "if distance > radius:"),
    Case("sat_segment", "midpoint", RECORDED, "rounding", "if abs(m[0]) > e[0] + adx:"),
    Case("sat_segment", RANGE, RECORDED, "rounding", "if distance > radius:"),
    Case(
        "kay_kajiya",
        "a probe that lies",
        RECORDED,
        "zero sign",
        "inverse = ieee.divide(1.0, probe.direction[axis])",
    ),
    Case(
        "kay_kajiya",
        "a line without",
        RECORDED,
        "logic",
        "return TRangeFeature(True, t_near, t_far, NO_FEATURE)",
    ),
    Case("kay_kajiya", "1 / d", RECORDED, "rounding", "if t_near > t_far:"),
    Case("kay_kajiya", RANGE, RECORDED, "rounding", "if t_near > t_far:"),
    Case(
        "smits",
        "0 / 0",
        RECORDED,
        "nan",
        "lo = ieee.divide(box.lo[axis] - probe.origin[axis], probe.direction[axis])",
    ),
    Case(
        "smits",
        "the last comparison",
        RECORDED,
        "logic",
        "if not (t_min < probe.t_max and t_max > probe.t_min):",
    ),
    Case(
        "williams",
        "a probe that lies",
        RECORDED,
        "nan",
        "t_near = (near[axis] - probe.origin[axis]) * inverse",
    ),
    Case(
        "williams",
        "the last comparison",
        RECORDED,
        "logic",
        "if not (t_min < probe.t_max and t_max > probe.t_min):",
    ),
    Case("williams", "1 / d", RECORDED, "rounding", "if t_min > t_far or t_near > t_max:"),
    Case(
        "williams",
        RANGE,
        RECORDED,
        "rounding",
        "if not (t_min < probe.t_max and t_max > probe.t_min):",
    ),
    Case(
        "slab_efficient",
        "a probe that lies",
        RECORDED,
        "nan",
        "x0 = (box.lo[0] - probe.origin[0]) * inverse[0]",
    ),
    Case("slab_efficient", "a line without", RECORDED, "logic", "if t_enter <= t_exit:"),
    Case("slab_efficient", "1 / d", RECORDED, "rounding", "if t_enter <= t_exit:"),
    Case("slab_efficient", RANGE, RECORDED, "rounding", "if t_enter <= t_exit:"),
    Case(
        "slab_rotated",
        "the transpose",
        RECORDED,
        "logic",
        "return TRangeNormalFeature(True, t_min, t_max, normal, feature)",
    ),
    Case("slab_rotated", "a rotated", RECORDED, "tolerance", "if abs(direction) <= epsilon:"),
    Case("slab_rotated", "rotation", RECORDED, "rounding", "if t_min > t_max:"),
    Case(
        "cuboid_slabs",
        "an edge shorter",
        RECORDED,
        "tolerance",
        "if squared <= length_tolerance * length_tolerance or volume == 0:",
    ),
    Case(
        "cuboid_slabs",
        "a direction below",
        RECORDED,
        "tolerance",
        "if direction == 0 or direction * direction * squared <= parallel_tolerance * parallel_tolerance:",
    ),
    Case(
        "cuboid_slabs",
        "a flat",
        RECORDED,
        "logic",
        "if squared <= length_tolerance * length_tolerance or volume == 0:",
    ),
    Case("cuboid_slabs", "coordinates", RECORDED, "rounding", "if t_min > t_max:"),
    Case("cuboid_slabs", RANGE, RECORDED, "rounding", "if t_min > t_max:"),
    Case(
        "cuboid_printed",
        "specimen",
        RECORDED,
        "logic",
        "start = dot(edge, from_origin) / slab_max",
    ),
    Case(
        "cuboid_printed",
        RANGE,
        RECORDED,
        "rounding",
        "return t_min <= t_max and t_min <= 1 and t_max >= 0",
    ),
    Case("clip_planes", "planes", RECORDED, "rounding", "if t_exit < t_enter:"),
    Case("clip_planes", RANGE, RECORDED, "rounding", "if t_exit < t_enter:"),
    Case(
        "moller_trumbore",
        "a probe in",
        RECORDED,
        "logic",
        "if abs(determinant) <= epsilon:",
    ),
    Case("moller_trumbore", "barycentric", RECORDED, "rounding", "if v < 0 or u + v > 1:"),
    Case("moller_trumbore", RANGE, RECORDED, "nan", "determinant = dot(edge1, p)"),
    Case("barycentric", "a probe in", RECORDED, "logic", "if denominator == 0:"),
    Case(
        "barycentric",
        "the plane's",
        RECORDED,
        "rounding",
        "if v >= 0 and w >= 0 and v + w <= area:",
    ),
    Case(
        "barycentric",
        RANGE,
        RECORDED,
        "nan",
        "denominator = dot(normal, probe.direction)",
    ),
    Case(
        "angle_sum",
        "a hit on an edge",
        RECORDED,
        "nan",
        "theta_sum = ieee.acos(cosine1) + ieee.acos(cosine2) + ieee.acos(cosine3)",
    ),
    Case(
        "angle_sum",
        "tolerance",
        RECORDED,
        "tolerance",
        "if abs(theta_sum - 2 * math.pi) < tolerance:",
    ),
    Case(
        "angle_sum",
        "a segment with",
        RECORDED,
        "logic",
        "if start_class == dest_class:",
    ),
    Case(
        "angle_sum",
        RANGE,
        RECORDED,
        "rounding",
        "start_class = 1 if p_start > 0 else -1 if p_start < 0 else 0",
    ),
    Case("woop", "a probe in", RECORDED, "logic", "if determinant == 0:"),
    Case(
        "woop",
        "watertight",
        RECORDED,
        "rounding",
        "if (u < 0 or v < 0 or w < 0) and (u > 0 or v > 0 or w > 0):",
    ),
    Case("woop", RANGE, RECORDED, "nan", "u = cx * by - cy * bx"),
    Case(
        "plane_equation",
        "products",
        RECORDED,
        "rounding",
        "if t < probe.t_min or t > probe.t_max:",
    ),
    Case("plane_equation", RANGE, RECORDED, "rounding", "if denominator == 0:"),
    Case("class_change", "a segment", RECORDED, "logic", "if start_class == dest_class:"),
    Case(
        "class_change",
        "normal and ray",
        RECORDED,
        "rounding",
        "dest_class = 1 if p_dest > 0 else -1 if p_dest < 0 else 0",
    ),
    Case(
        "class_change",
        RANGE,
        RECORDED,
        "nan",
        "d = -ieee.divide(plane.offset, length(plane.normal))",
    ),
    Case(
        "sat13",
        "the box",
        RECORDED,
        "rounding",
        "if lowest > extents[i] or highest < -extents[i]:",
    ),
    Case("sat13", RANGE, RECORDED, "nan", "p1 = dot(v1, axis)"),
    Case(
        "sat13_intervals",
        "projections",
        RECORDED,
        "rounding",
        "if min(p0, p1, p2) > box_max or max(p0, p1, p2) < box_min:",
    ),
    Case("sat13_intervals", RANGE, RECORDED, "nan", "p2 = dot(triangle.c, axis)"),
    Case("sat13_printed", "specimen", RECORDED, "logic", "cross(u2, f2),"),
    Case("sat13_printed", "touching", RECORDED, "rounding", "if distance > r:"),
    Case("sat13_printed", RANGE, RECORDED, "nan", "p1 = dot(v1, axis)"),
    Case(
        "critical_points",
        "heights",
        RECORDED,
        "rounding",
        "return nx * (x1 if nx > 0 else x0) + ny * (y1 if ny > 0 else y0) < nx * px + ny * py",
    ),
    Case(
        "critical_points",
        RANGE,
        RECORDED,
        "nan",
        "normal = cross(subtract(b, a), subtract(c, a))",
    ),
    Case(
        "sat13_edges",
        "centre",
        RECORDED,
        "rounding",
        "if lowest > radius or highest < -radius:",
    ),
    Case("sat13_edges", "a flat", RECORDED, "logic", "return NOT_SEPARATED"),
    Case(
        "sat13_edges",
        RANGE,
        RECORDED,
        "rounding",
        "if lowest > radius or highest < -radius:",
    ),
    Case("clip_faces", "planes", RECORDED, "rounding", "if over_q <= 0:"),
    Case("clip_faces", RANGE, RECORDED, "rounding", "if over_q <= 0:"),
    Case(
        "sat17",
        "projections",
        RECORDED,
        "rounding",
        "if min(q0, q1, q2) > highest or max(q0, q1, q2) < lowest:",
    ),
    Case("sat17", "a collinear", RECORDED, "logic", "return NOT_SEPARATED"),
    Case(
        "sat17",
        RANGE,
        RECORDED,
        "rounding",
        "if min(q0, q1, q2) > highest or max(q0, q1, q2) < lowest:",
    ),
    Case(
        "vertex_heights",
        "products",
        RECORDED,
        "rounding",
        "if lowest <= plane.offset <= highest:",
    ),
    Case(
        "vertex_heights",
        RANGE,
        RECORDED,
        "rounding",
        "if lowest <= plane.offset <= highest:",
    ),
    Case("sat15", "centres", RECORDED, "rounding", "if distance > radius_a + radius_b:"),
    Case("sat15", "a flat", RECORDED, "logic", "return NOT_SEPARATED"),
    Case("sat15", RANGE, RECORDED, "rounding", "if distance > radius_a + radius_b:"),
    Case("plane_radius", "products", RECORDED, "rounding", "if abs(height) <= radius:"),
    Case("plane_radius", "centre", RECORDED, "rounding", "if abs(height) <= radius:"),
    Case(
        "plane_radius",
        RANGE,
        RECORDED,
        "nan",
        "height = dot(plane.normal, box.center) - plane.offset",
    ),
    Case("obb_tree", "epsilon", RECORDED, "tolerance", "if distance > ra + eb[i]:"),
    Case("obb_tree", "the transpose", RECORDED, "logic", "return NOT_SEPARATED"),
    Case(
        "behind_planes",
        RANGE,
        (Point((1e200, 5e199, 0.0)), HUGE_SLOPE),
        "nan",
        "if dot(plane.normal, point.position) > plane.offset:",
    ),
    Case(
        "barycentric_point",
        RANGE,
        (Point((1e-201, 1e-201, 0.0)), SMALLEST),
        "rounding",
        "if dot(normal, normal) == 0 or abs(dot(normal, ap)) > thickness:",
    ),
    Case("slab_halfspaces", RANGE, (LONGEST, BESIDE_IT), "rounding", "if t_exit < t_enter:"),
    Case("slab_ericson", RANGE, (LONGEST, BESIDE_IT), "rounding", "if t_min > t_max:"),
    Case(
        "slab_intervals",
        RANGE,
        (LONGEST, BESIDE_IT),
        "rounding",
        "if t_in > t_out or t_in > probe.t_max or t_out < probe.t_min:",
    ),
    Case("slab_division_free", RANGE, (LONGEST, BESIDE_IT), "rounding", "if t_exit < t_enter:"),
    Case("slab_rotated", RANGE, (LONGEST, TURNED_BESIDE_IT), "rounding", "if t_min > t_max:"),
    Case(
        "smits",
        RANGE,
        (Segment((-1.0, -1.0, 1.7e308), (2.0, 1.0, -1e308)), UNIT_BOX),
        "rounding",
        "if t_min > far or near > t_max:",
    ),
    Case(
        "smits",
        "d >= 0",
        (Ray((0.5, -1.0, 0.5), (-0.0, 1.0, 0.0)), UNIT_BOX),
        "zero sign",
        "lo = ieee.divide(box.lo[axis] - probe.origin[axis], probe.direction[axis])",
    ),
    Case(
        "slab_efficient",
        "a probe that lies",
        (Ray((0.0, 1.0, 0.0), (1.0, 0.0, -0.0)), UNIT_BOX),
        "zero sign",
        "inverse = (",
    ),
    Case(
        "cuboid_printed",
        "an edge shorter",
        (Segment((5e-11, 5e-11, -1.0), (5e-11, 5e-11, 1.0)), TINY_CUBE),
        "tolerance",
        "if slab_max < length_tolerance:",
    ),
    Case(
        "cuboid_printed",
        "a direction below",
        (Segment((-1e-10, 0.5, 0.5), (1e-10, 0.5, 0.5)), CUBE),
        "tolerance",
        "if abs(direction) < parallel_tolerance:",
    ),
    Case(
        "moller_trumbore",
        "with the paper's epsilon",
        (Segment((2e-5, 2e-5, -1.0), (2e-5, 2e-5, 1.0)), SMALL),
        "tolerance",
        "if abs(determinant) <= epsilon:",
        {"epsilon": 1e-6},
    ),
    Case(
        "moller_trumbore",
        "a probe in the triangle's plane, a probe without direction",
        (Ray((0.25, 0.25, 0.0), (0.0, 0.0, 0.0)), TRIANGLE),
        "logic",
        "if abs(determinant) <= epsilon:",
    ),
    Case(
        "angle_sum",
        "a hit at a vertex",
        (Segment((0.0, 0.0, -1.0), (0.0, 0.0, 1.0)), TRIANGLE),
        "nan",
        "v1 = normalized(subtract(intersect, triangle.a))",
    ),
    Case(
        "obb_tree",
        RANGE,
        (
            Obb((-1.7e308, 1.7e308, 1.7e308), (1.0, 1e308, 1e308), UNIT_AXES),
            Obb((1.0, -1e308, -1.0), (1.0, 1.7e308, 1.0), UNIT_AXES),
        ),
        "nan",
        "t = (dot(between, a.axes[0]), dot(between, a.axes[1]), dot(between, a.axes[2]))",
    ),
    *(
        Case(
            name,
            "the distance from the center is rounded",
            (Point(near), Sphere((0.1, 0.2, 0.3), radius)),
            "rounding",
            line,
        )
        for name, near, radius, line in (
            ("squared_distance", (-1.6, -1.6, -1.7), 3.1827660925679098, INSIDE_SQUARED),
            ("sd_sphere", (1.3, 2.6, -0.5), 2.8, "return SignedDistance(distance <= 0, distance)"),
        )
    ),
    *(
        Case(name, RANGE, (Point((1e-200, 0.0, 0.0)), DOT), "rounding", line)
        for name, line in (
            ("squared_distance", INSIDE_SQUARED),
            ("sd_sphere", "return SignedDistance(distance <= 0, distance)"),
        )
    ),
    *(
        Case(
            name,
            "products are rounded",
            (Ray(origin, direction), Sphere((0.0, 0.0, 0.0), radius)),
            "rounding",
            line,
        )
        for name, origin, direction, radius, line in (
            ("quadratic", (-4.6, 0.5, 0.1), (1.4, 0.3, 0.0), 1.456172731646299, NO_ROOT),
            ("stable_roots", (-5.9, 1.5, 0.1), (1.2, -0.1, 0.0), 1.0098139125259833, NO_ROOT),
            ("haines", (-4.9, 1.6, 0.1), (1.3, -0.1, 0.0), 1.223567589902096, NO_ROOT),
            ("geometric", (-5.7, 0.3, 0.1), (1.1, -0.6, 0.0), 2.46811514251015, BESIDE),
            ("closest_point", (-4.6, 2.0, 0.1), (0.5, 1.0, 0.0), 5.009790414777847, CLOSEST_INSIDE),
        )
    ),
    Case("quadratic", "b * b - a * c cancels", (FAR_AWAY, BALL), "rounding", NO_ROOT),
    Case("stable_roots", "b * b - a * c still cancels", (FAR_AWAY, BALL), "rounding", NO_ROOT),
    Case("geometric", "l2 - s * s cancels", (FAR_AWAY, BALL), "rounding", BESIDE),
    *(
        Case(name, RANGE, (PAST_A_SMALL_ONE, Sphere((0.0, 0.0, 0.0), 1e-170)), "rounding", line)
        for name, line in (
            ("quadratic", NO_ROOT),
            ("stable_roots", NO_ROOT),
            ("haines", NO_ROOT),
            ("geometric", BESIDE),
            ("closest_point", CLOSEST_INSIDE),
        )
    ),
    Case(
        "geometric",
        "a direction that is not unit",
        # Its direction has the length 21, and its point nearest to the center, (7, 14, -14), too.
        (Ray((-7.0, 7.0, -28.0), (14.0, 7.0, 14.0)), Sphere((0.0, 0.0, 0.0), 21.0)),
        "rounding",
        BESIDE,
    ),
    Case(
        "geometric",
        "a probe without direction",
        (Ray((0.5, 0.0, 0.0), (0.0, 0.0, 0.0)), BALL),
        "nan",
        "unit = normalized(probe.direction)",
    ),
    *(
        Case(name, deviation, pair, cause, line)
        for name, deviation, pair, cause, line in (
            (
                "sd_capsule",
                "the distance from the axis is rounded",
                (Point((0.4, 0.5, -1.7)), slanted(1.5832118092749063)),
                "rounding",
                BEYOND_RADIUS,
            ),
            (
                "sd_capsule",
                "a capsule whose ends are one point",
                (Point((0.5, 0.0, 0.0)), Capsule(ORIGIN, ORIGIN, 1.0)),
                "nan",
                "h = clamped(ieee.divide(dot(pa, ba), dot(ba, ba)))",
            ),
            ("sd_capsule", RANGE, (Point((0.0, 1e-200, 0.0)), THREAD), "rounding", BEYOND_RADIUS),
            (
                "sphere_axis",
                "products are rounded",
                (Sphere((-0.1, 0.9, 1.5), 0.7), slanted(0.7035668847618199)),
                "rounding",
                "return dot(ac, ac) <= reach * reach",
            ),
            (
                "sphere_axis",
                "the difference to e * e / f cancels",
                (Sphere((4.5e8, 270000001.7, 3.6e8), 1.0), Capsule(ORIGIN, (5e8, 3e8, 4e8), 0.5)),
                "rounding",
                BESIDE_AXIS,
            ),
            ("sphere_axis", RANGE, (Sphere((0.5, 1e-200, 0.0), 0.0), THREAD), "rounding", BESIDE_AXIS),
            *(
                (name, deviation, (Sphere(center, radius), body), "rounding", line)
                for name, deviation, center, radius, body, line in (
                    ("center_distance", "products", (-1.1, 2.0, -0.1), 1.7, Sphere((0.1, 0.2, 0.3), 0.5), NEAR),
                    ("center_distance", RANGE, (0.0, 1e-200, 0.0), 0.0, DOT, NEAR),
                    ("arvo", "products", (0.9, 1.7, -0.4), 0.8062257748298549, UNIT_BOX, SQUARED_INSIDE),
                    ("arvo", RANGE, (0.5, 0.5, -1e-200), 0.0, UNIT_BOX, SQUARED_INSIDE),
                    ("closest_in_box", "products", (-1.1, 1.9, -0.3), 1.5231546211727816, UPRIGHT, MOVED),
                    ("closest_in_box", RANGE, (0.5, 1e-200, 0.0), 0.0, FLAT_BOX, MOVED),
                    ("closest_in_triangle", "products", (0.3, 1.6, 0.7), 0.9695359714832658, CORNER, FROM_CLOSEST),
                    ("closest_in_triangle", "d1 * d4", (400000.0, 0.3, 0.2), 0.3, NEEDLE, FROM_CLOSEST),
                    ("closest_in_triangle", RANGE, (0.25, 0.25, 1e-200), 0.0, CORNER, FROM_CLOSEST),
                    (
                        "center_height",
                        "products",
                        (1.7, 1.4, 2.0),
                        1.469936830518334,
                        SLANTED,
                        HEIGHT_INSIDE,
                    ),
                    ("center_height", RANGE, (1e-200, 0.0, 0.0), 0.0, Plane((1.0, 0.0, 0.0), 0.0), HEIGHT_INSIDE),
                )
            ),
            (
                "closest_in_box",
                "the closest point is that of a box with orthonormal axes",
                (Sphere((0.1, 0.2, 0.3), 0.0), Obb(ORIGIN, (1.0, 1.0, 1.0), PYTHAGOREAN_AXES)),
                "logic",
                MOVED,
            ),
            (
                "closest_in_triangle",
                "where a and b are one point",
                (Sphere((0.5, 0.5, 0.0), 1.0), Triangle(ORIGIN, ORIGIN, (2.0, 2.0, 0.0))),
                "nan",
                "closest = along(a, ab, ieee.divide(d1, d1 - d3))",
            ),
            *(
                (name, deviation, (Cast(Sphere(center, radius), motion), body), cause, line)
                for name, body, rows in (
                    (
                        "moving_sphere_plane",
                        SLANTED,
                        (
                            (
                                "products",
                                ((0.5, 1.0, 1.2), 0.29398736610366677, (1.8, 1.0, 1.7)),
                                "rounding",
                                "if abs(distance) <= reach:",
                            ),
                        ),
                    ),
                    (
                        "moving_sphere_plane",
                        Plane((0.0, 0.0, 1.0), 0.0),
                        (
                            (
                                RANGE,
                                ((0.0, 0.0, 1e-200), 0.0, (0.0, 0.0, -1e-200)),
                                "rounding",
                                "if speed * distance >= 0:",
                            ),
                        ),
                    ),
                    (
                        "moving_spheres",
                        Sphere((0.1, 0.2, 0.3), 0.1869969687559332),
                        (
                            (
                                "products",
                                ((0.3, 0.4, 0.8), 0.1869969687559332, (-1.7, -0.6, -0.8)),
                                "rounding",
                                "if discriminant < 0:",
                            ),
                        ),
                    ),
                    (
                        "moving_spheres",
                        Sphere(ORIGIN, 1.0),
                        (
                            (
                                "b * b - a * c",
                                (FAR_AND_FAST[0], 0.0, FAR_AND_FAST[1]),
                                "rounding",
                                "if discriminant < 0:",
                            ),
                            (
                                "spheres that touch",
                                ((2.0, 0.0, 0.0), 1.0, (1.0, 0.0, 0.0)),
                                "logic",
                                "if approach >= 0:",
                            ),
                            (
                                "a motion whose",
                                ((2.00001, 0.0, 0.0), 1.0, (-2e-5, 0.0, 0.0)),
                                "tolerance",
                                "if speed < epsilon:",
                            ),
                            (
                                RANGE,
                                ((1e200, 0.0, 0.0), 1.0, (-1e200, 0.0, 0.0)),
                                "nan",
                                "discriminant = approach * approach - speed * c",
                            ),
                        ),
                    ),
                    (
                        "fauerby",
                        CORNER,
                        (
                            (
                                "products",
                                ((-0.6, -0.4, 0.2), 0.7483314773547883, (-0.3, -0.5, 1.4)),
                                "rounding",
                                "return r2 if 0 < r2 < highest else highest",
                            ),
                            (
                                "b * b - 4",
                                ((-1e9, -1.05, 0.0), 1.0, FAR_AND_FAST[1]),
                                "rounding",
                                "if determinant < 0:",
                            ),
                            ("where that one", ((-0.5, 0.0, 0.0), 1.0, (0.0, 0.0, 0.1)), "logic", AT_END),
                            ("a sphere that moves", ((0.25, 0.25, 0.0), 0.1, (0.01, 0.0, 0.0)), "logic", AT_END),
                        ),
                    ),
                    (
                        "fauerby",
                        SMALLEST,
                        (
                            (
                                RANGE,
                                ((2e-201, 2e-201, 1e-200), 0.0, (0.0, 0.0, -2e-200)),
                                "nan",
                                "normal = normalized(cross(ab, ac))",
                            ),
                        ),
                    ),
                    (
                        "expanded_box",
                        UNIT_BOX,
                        (
                            (
                                "products",
                                ((-1.5, 1.3, 0.1), 1.5297058540778354, (-1.3, 1.7, 1.5)),
                                "rounding",
                                IN_REACH,
                            ),
                            (
                                "b * b - a * c",
                                ((-1e9, -0.75, -0.75), 1.0, FAR_AND_FAST[1]),
                                "rounding",
                                "if b < 0 and b * b - nn * c >= 0:",
                            ),
                            (RANGE, ((-8e-171, -8e-171, -8e-171), 1e-170, ORIGIN), "rounding", IN_REACH),
                        ),
                    ),
                )
                for deviation, (center, radius, motion), cause, line in rows
            ),
            *(
                (name, deviation, (Cast(Aabb(lo, hi), motion), body), cause, line)
                for name, deviation, lo, hi, motion, body, cause, line in (
                    (
                        "moving_boxes_printed",
                        "differences",
                        (-0.4, 0.46, 0.5),
                        (-0.4, 0.46, 0.5),
                        (2.0, 2.7, 0.0),
                        UNIT_BOX,
                        "rounding",
                        "if t_first > t_last:",
                    ),
                    (
                        "slabs_of_sum",
                        "differences",
                        (-0.78, 0.79, 0.5),
                        (-0.78, 0.79, 0.5),
                        (2.6, 0.7, 0.0),
                        UNIT_BOX,
                        "rounding",
                        "if t_enter > t_exit:",
                    ),
                    (
                        "moving_boxes_printed",
                        "along an axis",
                        (-2.0, 3.0, 0.0),
                        (-1.0, 4.0, 1.0),
                        (4.0, 0.0, 0.0),
                        UNIT_BOX,
                        "logic",
                        BOXES_END,
                    ),
                    (
                        "moving_boxes_printed",
                        "t_last stays",
                        (-2.0, 1.0, 0.0),
                        (-1.0, 2.0, 1.0),
                        (4.0, 1.0, 0.0),
                        UNIT_BOX,
                        "logic",
                        BOXES_END,
                    ),
                    (
                        "slabs_of_sum",
                        "0 / 0",
                        (-2.0, 1.0, 0.0),
                        (-1.0, 2.0, 1.0),
                        (4.0, 0.0, 0.0),
                        UNIT_BOX,
                        "nan",
                        "t2 = ieee.divide(box.hi[axis] - moving.lo[axis], moving.motion[axis])",
                    ),
                    *(
                        (
                            name,
                            RANGE,
                            (-2e-308, 0.0, 0.0),
                            (-2e-308, 0.0, 0.0),
                            (1e300, 1e300, 1.0),
                            Aabb((0.0, 0.0, -1.0), (1.0, 1e-308, 1.0)),
                            "rounding",
                            line,
                        )
                        for name, line in (
                            ("moving_boxes_printed", "if t_first > t_last:"),
                            ("slabs_of_sum", "if t_enter > t_exit:"),
                        )
                    ),
                )
            ),
            *(
                (name, deviation, (body, frustum), cause, line)
                for name, deviation, body, frustum, cause, line in (
                    (
                        "positive_vertex",
                        "a body that is outside",
                        Aabb((10.5, -1.0, 9.0), (16.0, 1.0, 16.0)),
                        CAMERA,
                        "logic",
                        "return True",
                    ),
                    (
                        "positive_vertex",
                        "products",
                        Aabb((2.9, -2.3, 5.5), (3.9, -1.8, 8.7)),
                        NARROW,
                        "rounding",
                        IN_PLANES,
                    ),
                    ("positive_vertex", RANGE, BESIDE_SMALL, SMALL_FRUSTUM, "rounding", IN_PLANES),
                    (
                        "six_planes",
                        "a body that is outside",
                        Sphere((10.9, 0.0, 10.9), 1.0),
                        CAMERA,
                        "logic",
                        "return True",
                    ),
                    (
                        "six_planes",
                        "products",
                        Sphere((-1.3, -8.9, 1.1), 7.74707953872363),
                        NARROW,
                        "rounding",
                        OVER_PLANES,
                    ),
                    (
                        "six_planes",
                        RANGE,
                        Sphere((6e-200, 0.0, 4e-200), 1e-201),
                        SMALL_FRUSTUM,
                        "rounding",
                        OVER_PLANES,
                    ),
                    (
                        "planes_and_corners",
                        "a box that is outside",
                        Aabb((-5.7, -12.6, -2.2), (0.5, -4.6, 9.7)),
                        TURNED,
                        "logic",
                        "return True",
                    ),
                    (
                        "planes_and_corners",
                        "corners and products",
                        Aabb((1.8, 1.7, 3.8), (2.3, 2.2, 5.4)),
                        NARROW,
                        "rounding",
                        COUNTED,
                    ),
                    ("planes_and_corners", RANGE, BESIDE_SMALL, SMALL_FRUSTUM, "rounding", COUNTED),
                    (
                        "sat26",
                        "edges are those",
                        Aabb((-8.1, 4.4, 0.1), (-0.1, 13.8, 9.8)),
                        Frustum((*CAMERA_SIDES, (-1.6, 1.6, 1.0)), CAMERA_OFFSETS),
                        "logic",
                        "return NOT_SEPARATED",
                    ),
                    (
                        "sat26",
                        "corners and products",
                        Aabb((1.8, -0.8, 2.6), (2.8, -0.3, 5.4)),
                        NARROW,
                        "rounding",
                        INTERVALS,
                    ),
                    (
                        "sat26",
                        "an endless frustum",
                        Aabb((-7.0, 8.3, -6.2), (10.2, 13.2, 10.7)),
                        Frustum((*TURNED_SIDES, ORIGIN), (0.0, 0.0, 0.0, 0.0, -5.0, 1.0)),
                        "rounding",
                        INTERVALS,
                    ),
                    ("sat26", RANGE, BESIDE_SMALL, SMALL_FRUSTUM, "rounding", INTERVALS),
                )
            ),
            (
                "cylinder_and_spheres",
                "products are rounded",
                (Ray((-4.1, -0.3, 0.1), (1.1, -0.2, 0.0)), slanted(1.2592378647420033)),
                "rounding",
                "if nn != 0 and discriminant >= 0:",
            ),
            ("cylinder_and_spheres", "b * b - a * c cancels", FAR_FROM_A_MAST, "rounding", NO_ROOT),
            (
                "cylinder_and_spheres",
                "epsilon is compared",
                (Ray((-5.0, 0.5, 0.0), (1e-6, 0.0, 0.0)), MAST),
                "tolerance",
                "if abs(a) < epsilon:",
            ),
            ("cylinder_and_spheres", RANGE, PAST_A_THIN_MAST, "rounding", NO_ROOT),
            (
                "cap_intersect",
                "products are rounded",
                (Ray((-5.7, 1.4, 0.1), (1.5, 0.4, 0.0)), slanted(2.5299041360809182)),
                "rounding",
                "if not h > 0:",
            ),
            ("cap_intersect", "b * b - a * c cancels", FAR_FROM_A_MAST, "rounding", "if not h >= 0:"),
            (
                "cap_intersect",
                "it finds the entry alone",
                (Ray((5.0, 0.0, 0.0), (0.0, 1.0, 0.0)), LONG),
                "logic",
                "if not probe.t_min <= t_enter <= probe.t_max:",
            ),
            (
                "cap_intersect",
                "a is 0 of a probe along",
                (Segment((-9.0, 0.0, 0.0), (3.0, 0.0, 0.0)), LONG),
                "nan",
                "t = ieee.divide(-b - ieee.sqrt(h), a)",
            ),
            (
                "cap_intersect",
                "a tangent of a cap",
                (Ray((0.0, -5.0, 5.0), (0.0, 1.0, 0.0)), LONG),
                "logic",
                "if not h > 0:",
            ),
            (
                "cap_intersect",
                "a direction that is not unit",
                (Ray((5.0, 0.0, 0.0), ORIGIN), LONG),
                "nan",
                "rd = normalized(probe.direction)",
            ),
            ("cap_intersect", RANGE, PAST_A_THIN_MAST, "rounding", "if not h >= 0:"),
            (
                "ericson_segments",
                "products are rounded",
                (Capsule((-0.8, 1.1, 1.5), (-1.8, 0.5, -1.8), 0.25), slanted(1.1649349159330724)),
                "rounding",
                NEAR,
            ),
            ("ericson_segments", "a * e - b * b cancels", PARALLEL, "rounding", "if denominator != 0:"),
            (
                "ericson_segments",
                "an axis whose squared length",
                SHORT_AXES,
                "tolerance",
                "elif aa > epsilon and e <= epsilon:",
            ),
            (
                "sunday_segments",
                "products are rounded",
                (Capsule((0.9, -0.7, 1.5), (1.9, 0.0, 2.0), 0.25), slanted(1.45)),
                "rounding",
                "return dot(between, between) <= reach * reach",
            ),
            ("sunday_segments", "D cancels", PARALLEL, "tolerance", "if determinant <= epsilon:"),
            (
                "sunday_segments",
                "s and t below epsilon",
                SHORT_AXES,
                "tolerance",
                "s = 0 if abs(s_part) <= epsilon else ieee.divide(s_part, s_over)",
            ),
            (
                "eberly_segments",
                "products are rounded",
                (Capsule((-1.9, -1.8, 0.7), (1.9, -1.0, -0.2), 0.25), slanted(1.3018883521440752)),
                "rounding",
                NEAR,
            ),
            (
                "eberly_segments",
                "f / b that is rounded",
                (Capsule(ORIGIN, (3.0, 0.0, 0.0), 0.5), Capsule((0.6, -1.0, 1.0), (3.0, 2.0, 1.0), 0.75)),
                "rounding",
                "return t if 0 <= t <= 1 else 0.5",
            ),
            (
                "eberly_segments",
                "derivatives cancel",
                (
                    Capsule(ORIGIN, (50.0, 0.0, 0.0), 0.5),
                    Capsule(
                        (27.7, -1.6371870877583743e-07, 1.0),
                        (51.7, 2.619499340413399e-07, 1.0),
                        0.5000000000000037,
                    ),
                ),
                "rounding",
                "elif h1 <= 0:",
            ),
            *(
                (name, RANGE, (Capsule((0.0, 1e-200, 0.0), (1.0, 1e-200, 0.0), 0.0), THREAD), "rounding", NEAR)
                for name in ("ericson_segments", "sunday_segments", "eberly_segments")
            ),
        )
    ),
)

NOT_OF_THE_VERDICT = (
    "a probe in the plane of a flat",
    "the slab of a miss is one",
    "the article calls its vertex order clockwise",
    "-b - root cancels",
    "c cancels",
    "s - q cancels",
    "the difference cancels near the surface",
    "roots are over 0",
    "the last t of boxes",
)
"""Deviations of t, the distance, the normal, the feature or the words: hit or miss is right."""


def explained(case):
    probe, primitive = case.shapes
    chosen = choose(pair_of(probe, primitive), {"name": case.method, **case.arguments})
    return explain(chosen, probe, primitive)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.method}: {case.deviation[:20]}")
def test_a_deviation_is_blamed_on_its_line(case):
    explanation = explained(case)
    assert explanation.is_wrong
    assert (explanation.cause, explanation.wrong_line[1]) == (case.cause, case.line)


def test_the_fault_of_a_specimen_is_shown_in_the_pass_of_the_wrong_axis():
    (case,) = (case for case in CASES if (case.method, case.deviation) == ("sat13_printed", "specimen"))
    explanation = explained(case)
    step = explanation.trace.steps[explanation.wrong_step]
    assert step.iterations[-1].number == 6
    assert step.values["axis"] == cross(step.values["u2"], step.values["f2"])


def test_every_recorded_deviation_has_a_case():
    missing = [
        (method.name, deviation)
        for method in methods()
        for deviation in method.deviations
        if not deviation.startswith(NOT_OF_THE_VERDICT)
        and not any(case.method == method.name and deviation.startswith(case.deviation) for case in CASES)
    ]
    assert not missing


@pytest.mark.parametrize("name", KNOWN)
def test_every_known_wrong_verdict_is_blamed_on_a_line_of_the_method_or_its_helpers(name):
    for kind, witnesses in KNOWN[name].items():
        for generator, (pair, seed) in witnesses.items():
            chosen = choose(pair, name)
            explanation = explain(chosen, *generate(generator, pair, seed))
            where = f"{kind} {generator} {pair} {seed}"
            assert explanation.cause in ("rounding", "zero sign", "nan", "tolerance", "logic"), where
            number, text = explanation.wrong_line or (0, "")
            file = inspect.getsourcefile(inspect.unwrap(chosen.method.function))
            assert linecache.getline(file, number).strip() == text, where
            if departs := {"rounding": explanation.departs, "tolerance": explanation.by_tolerance}.get(
                explanation.cause
            ):
                assert departs.ours.result != departs.theirs.result, where
                assert departs.ours.text in text or "\n" in explanation.trace.steps[departs.step].source, where


def test_what_is_wrong_beside_the_verdict_is_not_blamed():
    flat = Aabb((0.0, 0.0, 0.0), (1.0, 1.0, 0.0))
    in_its_plane = Segment((-1.0, 0.5, 0.0), (2.0, 0.5, 0.0))
    explanation = explain(choose("segment_aabb", "slab_halfspaces"), in_its_plane, flat)
    assert not explanation.is_wrong and explanation.cause == "" and explanation.wrong_line is None


def test_a_right_answer_may_have_taken_another_way():
    # The two fractions of the slabs are equal without rounding.
    probe = Segment((0.1, 0.2, 0.3), (0.7, 0.8, 0.9))
    explanation = explain(choose("segment_aabb", "slab_intervals"), probe, UNIT_BOX)
    assert not explanation.is_wrong and explanation.cause == "" and explanation.wrong_step is None
