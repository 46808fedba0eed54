"""Where the values of a step are drawn: at the places that the methods mean."""

import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from hitscope.evaluate import evaluate
from hitscope.explain import explain
from hitscope.explain.value_pictures import value_pictures
from hitscope.geometry import exact
from hitscope.geometry.registry import Chosen, Method, choose, methods, of_pair, pair_of
from hitscope.geometry.shapes import (
    Aabb,
    Capsule,
    Cast,
    Frustum,
    Line,
    Obb,
    Parallelepiped,
    Plane,
    Point,
    Polyhedron,
    Ray,
    Segment,
    Sphere,
    Triangle,
    linear,
)
from hitscope.scene import load

SCENES = Path(__file__).parents[2] / "scenes"
BOX = Aabb((0.0, 0.0, 0.0), (2.0, 3.0, 4.0))
THROUGH = Segment((-1.0, 1.0, 1.0), (5.0, 2.5, 3.0))
AXES = (0.6, 0.8, 0.0), (-0.8, 0.6, 0.0), (0.0, 0.0, 1.0)
TURNED = Obb((1.0, 2.0, 3.0), (1.0, 2.0, 1.0), AXES)
SKEW = Parallelepiped((0.5, 0.0, 0.0), ((2.0, 0.0, 0.0), (0.5, 2.0, 0.0), (0.0, 0.5, 2.0)))
TRIANGLE = Triangle((1.0, 0.0, 0.5), (4.0, 1.0, 0.0), (0.0, 5.0, 2.0))
ACROSS = Segment((1.0, 1.0, -3.0), (2.0, 2.0, 5.0))
CAMERA = Frustum(
    ((-1.0, 0.0, -1.0), (1.0, 0.0, -1.0), (0.0, -1.0, -1.0), (0.0, 1.0, -1.0), (0.0, 0.0, -1.0), (0.0, 0.0, 1.0)),
    (0.0, 0.0, 0.0, 0.0, -1.0, 10.0),
)
BALL = Sphere((1.0, 1.0, 1.0), 1.25)
LOG = Capsule((0.5, 1.0, 1.0), (2.0, 1.25, 0.75), 0.75)
BEAM = Capsule((0.0, 0.5, 2.0), (3.0, 1.0, 1.5), 0.5)
FLOOR = Plane((0.0, 2.0, 0.0), 1.0)
TETRAHEDRON = Polyhedron((), ((0.0, 0.0, 0.0), (3.0, 0.0, 0.0), (0.0, 3.0, 0.0), (0.0, 0.0, 3.0)))


def explained(probe, primitive, method, reading="interpreted"):
    return explain(choose(pair_of(probe, primitive), method), probe, primitive, reading)


def moments(explanation, first_to_last=1):
    """Yield the values of each step with its pictures by their names."""
    steps = explanation.trace.steps
    for k in range(len(steps))[::first_to_last]:
        pictures = {}
        for picture in value_pictures(explanation, k):
            pictures.setdefault(picture.name, []).append(picture)
        yield steps[k], pictures


def last(explanation, name):
    """The last picture of a name, with the values of its step."""
    backwards = moments(explanation, -1)
    return next((pictures[name][0], step.values) for step, pictures in backwards if name in pictures)


def last_of_lines(explanation):
    """The last step of each line of a run, by its index: that of clipping has thousands of steps."""
    return {step.line: k for k, step in enumerate(explanation.trace.steps)}.values()


def close(points, expected):
    return np.allclose(np.array(points, float), np.array(expected, float), rtol=1e-9, atol=1e-9)


def test_the_picture_of_t_is_the_point_of_the_probe():
    probes = THROUGH, Ray((-1.0, 1.0, 1.0), (2.0, 0.5, 0.25)), Line((-1.0, 1.0, 1.0), (2.0, 0.5, 0.25))
    for probe, box in product(probes, (BOX, TURNED, SKEW)):
        line = linear(probe)
        for name in of_pair(pair_of(probe, box)):
            drawn, run = set(), explained(probe, box, name)
            for step, pictures in moments(run):
                for names, (picture, *_) in pictures.items():
                    if not picture.meaning.startswith("t") or step.values.get(names.split(", ")[0]) is None:
                        continue
                    values = [float(step.values[each]) for each in names.split(", ")]
                    for t, point in zip(values, picture.points, strict=True):
                        drawn.add(picture.kind)
                        if math.isfinite(t):
                            expected = np.array(line.origin) + t * np.array(line.direction)
                            assert np.array_equal(point, expected)
            assert "interval" in drawn or name in ("sat_segment", "exact" if not run.hit else "")


def test_an_infinite_t_is_clipped_to_the_surroundings_and_says_so():
    endless = Line(THROUGH.start, (6.0, 1.5, 2.0))
    first = value_pictures(explained(endless, BOX, "slab_ericson"), 0)
    (picture,) = first
    assert (picture.name, picture.kind, picture.text) == ("t_min, t_max", "interval", "-inf, inf (clipped)")
    lo, hi = np.array(picture.points)
    assert np.isfinite([lo, hi]).all() and 4 < np.linalg.norm(hi - lo) < 60
    assert np.linalg.norm(np.cross(hi - lo, endless.direction)) < 1e-9
    assert (lo < BOX.lo).any() and (hi > BOX.hi).any()


def test_a_nan_and_a_single_infinite_t_have_no_picture():
    in_face = Segment((0.0, -1.0, 1.0), (0.0, 5.0, 1.0))
    run = explained(in_face, BOX, "kay_kajiya")
    nans = [k for k, step in enumerate(run.trace.steps) if math.isnan(step.values.get("t1", 0.0))]
    assert nans
    assert all(not picture.name.startswith("t1") for k in nans for picture in value_pictures(run, k))

    def function(probe, box):
        t = math.inf
        return t > 0

    assert of_own(function, THROUGH) == [[], []]


def test_values_of_an_earlier_pass_have_no_picture():
    for step, pictures in moments(explained(THROUGH, BOX, "slab_ericson")):
        is_set = {"t1": "t1 =", "t2": "t2 ="}
        if step.source.strip().startswith(is_set["t1"]):
            assert "t1" in pictures and "t1, t2" not in pictures
        if step.source.strip().startswith(is_set["t2"]):
            assert "t1, t2" in pictures
        if step.source.strip().startswith("for"):
            assert not {"t1", "t2", "t1, t2"} & set(pictures)
        assert "t_min, t_max" in pictures
    final = list(moments(explained(THROUGH, BOX, "slab_ericson")))[-1]
    assert set(final[1]) == {"t_min, t_max", "t_enter, t_exit"}


def test_an_empty_interval_says_so():
    beside = Segment((-1.0, 1.0, 1.0), (1.0, 9.0, 1.0))
    picture, values = last(explained(beside, BOX, "slab_ericson"), "t_min, t_max")
    assert values["t_min"] > values["t_max"]
    assert picture.text.endswith(" (empty)")
    assert [name for name, _ in picture.ends] == ["t_min", "t_max"]


def test_numbers_that_differ_by_rounding_are_told_apart():
    def function(probe, box):
        t_min, t_max = 0.1 + 0.2, 0.3
        return t_min <= t_max

    (picture,) = of_own(function, THROUGH)[0]
    assert picture.text == "0.30000000000000004, 0.3 (empty)"


def test_a_slab_is_the_two_faces_across_its_axis():
    for step, pictures in moments(explained(THROUGH, BOX, "slab_ericson")):
        if "axis" in pictures:
            axis = step.values["axis"]
            low, high = pictures["axis"]
            assert {point[axis] for point in low.points} == {BOX.lo[axis]}
            assert {point[axis] for point in high.points} == {BOX.hi[axis]}
            assert (low.kind, len(low.points), low.text) == ("patch", 4, f"{axis}: face -{'xyz'[axis]}")


def test_an_axis_with_a_sign_is_a_face_and_an_axis_alone_is_none():
    seen = set()
    for step, pictures in moments(explained(THROUGH, BOX, "slab_halfspaces")):
        if "axis, sign" in pictures:
            (face,) = pictures["axis, sign"]
            axis, sign = step.values["axis"], step.values["sign"]
            bound = BOX.lo if sign < 0 else BOX.hi
            assert {point[axis] for point in face.points} == {bound[axis]}
            seen.add((axis, sign))
        assert "axis" not in pictures
    assert len(seen) == 6


def test_the_faces_of_a_clipped_polyhedron_lie_in_its_planes():
    for body in (TETRAHEDRON, SKEW):
        seen = set()
        for step, pictures in moments(explained(THROUGH, body, "clip_planes")):
            if "plane" in pictures:
                plane, (face,) = step.values["plane"], pictures["plane"]
                assert close(np.array(face.points) @ plane.normal, plane.offset)
                assert len(face.points) == (4 if body is SKEW else 3)
                seen.add(plane)
        assert len(seen) >= 3


def test_points_relative_to_the_center_are_drawn_where_they_are():
    for method, box in (("sat13", BOX), ("sat13_printed", BOX), ("sat13_edges", TURNED), ("sat13_edges", SKEW)):
        for k, corner in enumerate(TRIANGLE):
            picture, _ = last(explained(TRIANGLE, box, method), f"v{k}")
            assert picture.kind == "point" and close(picture.points[0], corner)
            edge, _ = last(explained(TRIANGLE, box, method), f"f{k}")
            assert edge.kind == "arrow" and close(edge.points, (corner, TRIANGLE[(k + 1) % 3]))


def test_a_midpoint_that_becomes_relative_stays_in_its_place():
    run = explained(THROUGH, BOX, "sat_segment")
    middle = (np.array(THROUGH.start) + THROUGH.end) / 2
    drawn = [(step, pictures["m"][0]) for step, pictures in moments(run) if "m" in pictures]
    assert len({repr(step.values["m"]) for step, _ in drawn}) == 2
    assert all(close(picture.points[0], middle) for _, picture in drawn)
    for _, pictures in moments(run):
        if "d" in pictures:
            assert close(pictures["d"][0].points, (middle, THROUGH.end))


def test_local_coordinates_are_turned_into_the_scene():
    other = Obb((4.0, 1.0, 2.0), (1.0, 1.0, 1.0), ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
    picture, values = last(explained(other, TURNED, "obb_tree"), "t")
    assert not close(values["t"], TURNED.center) and close(picture.points[0], TURNED.center)


def test_barycentric_coordinates_are_the_point_where_the_plane_is_met():
    for method, names in (("moller_trumbore", "u, v"), ("barycentric", "v, w"), ("woop", "u, v, w")):
        run = explained(ACROSS, TRIANGLE, method)
        assert run.hit
        picture, values = last(run, names)
        expected = np.array(ACROSS.start) + values["t"] * (np.array(ACROSS.end) - ACROSS.start)
        assert picture.kind == "point" and close(picture.points[0], expected)
    a, b, c = map(np.array, TRIANGLE)
    inside = Point(tuple(((2 * a + b + c) / 4).tolist()))
    picture, _ = last(explain_with(inside, TRIANGLE, "barycentric_point", thickness=1.0), "v, w")
    assert close(picture.points[0], inside.position)


def test_a_t_that_is_a_length_is_drawn_on_the_segment():
    run = explained(ACROSS, TRIANGLE, "angle_sum")
    picture, values = last(run, "t")
    assert values["t"] > 1 and close(picture.points[0], values["intersect"])
    assert close(last(run, "fraction")[0].points[0], values["intersect"])
    plane, _ = last(run, "normal, d")
    assert close(np.array(plane.points) @ values["normal"], -values["d"])


def test_shadows_lie_on_the_axis_where_the_shapes_are_projected():
    boxes = {"sat13": (BOX, "radius"), "sat13_printed": (BOX, "r"), "sat13_edges": (TURNED, "radius")}
    for method, (box, name) in boxes.items():
        for triangle_is_probe in (True, False):
            probe, primitive = (TRIANGLE, box) if triangle_is_probe else (box, TRIANGLE)
            run = explained(probe, primitive, method)
            corners = corners_of(box)
            seen = 0
            for step, pictures in moments(run):
                axis = np.array(step.values.get("axis", (0, 0, 0)))
                for names, shadow_of, whose in (("lowest, highest", TRIANGLE, 0), (name, corners, 1)):
                    if names not in pictures or "axis" not in pictures:
                        continue
                    (picture,) = pictures[names]
                    heights = np.array(shadow_of) @ axis
                    assert close(np.array(picture.points) @ axis, (heights.min(), heights.max()))
                    assert picture.whose == ("probe" if (whose == 0) == triangle_is_probe else "primitive")
                    arrow = np.array(pictures["axis"][0].points)
                    between = np.cross(np.array(picture.points) - arrow[0], arrow[1] - arrow[0])
                    assert np.abs(between).max() < 1e-6 * np.linalg.norm(arrow[1] - arrow[0]) ** 2
                    seen += 1
            assert seen > 3


def test_absolute_projections_need_no_origin():
    for step, pictures in moments(explained(TRIANGLE, BOX, "sat13_intervals")):
        if "box_min, box_max" in pictures:
            axis = np.array(step.values["axis"])
            heights = corners_of(BOX) @ axis
            points = np.array(pictures["box_min, box_max"][0].points)
            assert close(points @ axis, (heights.min(), heights.max()))
    picture, _ = last(explained(TRIANGLE, FLOOR, "vertex_heights"), "lowest, highest")
    assert close(np.array(picture.points) @ FLOOR.normal, (0.0, 10.0))


def test_an_index_of_an_axis_is_the_axis_of_the_first_three_shadows():
    step, pictures = next(m for m in moments(explained(TRIANGLE, BOX, "sat13")) if "lowest, highest" in m[1])
    tail, tip = np.array(pictures["i"][0].points)
    assert close((tip - tail) / np.linalg.norm(tip - tail), np.eye(3)[step.values["i"]])
    corners = np.array(TRIANGLE)[:, step.values["i"]]
    assert close(np.array(pictures["lowest, highest"][0].points)[:, 0], (corners.min(), corners.max()))


def test_an_axis_without_direction_has_no_picture():
    flat = Triangle((1.0, 0.0, 0.5), (1.0, 0.0, 3.0), (1.0, 5.0, 2.0))
    none = [step for step, found in moments(explained(flat, BOX, "sat13")) if is_null(step) and "axis" in found]
    assert any(is_null(step) for step, _ in moments(explained(flat, BOX, "sat13"))) and not none


def is_null(step):
    return not any(step.values.get("axis", (1,)))


def test_a_side_is_the_sign_of_the_distance():
    run = explained(Segment((0.0, 3.0, 0.0), (0.0, -1.0, 0.0)), FLOOR, "class_change")
    start, end = last(run, "p_start")[0], last(run, "p_dest")[0]
    assert (start.kind, start.side, start.points) == ("side", 1, ((0.0, 3.0, 0.0),))
    assert (end.side, end.text) == (-1, "-1.5 (behind)")
    on_it = explained(Point((1.0, 0.5, 1.0)), FLOOR, "point_class")
    assert last(on_it, "value")[0].text == "0 (on it)"
    # The numerator of the plane's equation is what is left to the plane: positive behind it.
    behind = explained(Segment((0.0, -1.0, 0.0), (0.0, 3.0, 0.0)), FLOOR, "plane_equation")
    picture, values = last(behind, "numerator")
    assert values["numerator"] > 0 and picture.side == -1


def test_the_answer_of_a_method_has_pictures_at_the_last_step():
    run = explained(Segment((9.0, 9.0, 0.0), (9.0, 0.0, 9.0)), BOX, "sat_segment")
    (axis,) = list(moments(run))[-1][1]["axis"]
    assert axis.is_new and axis.meaning == "axis" and close(np.diff(axis.points, axis=0)[0][1:], 0)
    assert not any("axis" in pictures for _, pictures in list(moments(run))[:-1])
    missed = explained(Segment((9.0, -5.0, -3.0), (9.0, -5.0, 5.0)), TRIANGLE, "barycentric")
    (edge,) = list(moments(missed))[-1][1]["feature"]
    assert edge.kind == "interval" and close(edge.points, TRIANGLE[:2]) and edge.text == "0: edge 0-1"


def test_exact_has_pictures_of_what_decides():
    first, *_, facts = [pictures for _, pictures in moments(explained(THROUGH, BOX, "exact"))]
    assert first["t_enter"][0].is_new and first["feature"][0].is_new and not facts["feature"][0].is_new
    face = facts["feature"][0]
    assert face.kind == "patch" and {point[0] for point in face.points} == {0.0}
    assert facts["t_enter, t_exit"][0].points[0][0] == 0.0
    apart = list(moments(explained(TRIANGLE, Aabb((9.0, 9.0, 9.0), (10.0, 10.0, 10.0)), "exact")))[-1][1]
    assert apart["axis"][0].kind == "arrow"


def explain_with(probe, primitive, name, **arguments):
    return explain(choose(pair_of(probe, primitive), {"name": name, **arguments}), probe, primitive)


def corners_of(box):
    if isinstance(box, Aabb):
        return np.array(list(product(*zip(*box, strict=True))))
    signs = np.array(list(product((-1, 1), repeat=3)))
    return np.array(box.center) + (signs * box.half_extents) @ np.array(box.axes)


def of_own(function, probe):
    """The pictures of each step of a user's function."""
    method = Method(function.__name__, function, (pair_of(probe, BOX),), "own")
    run = explain(Chosen(method, {}), probe, BOX)
    return [list(value_pictures(run, k)) for k in range(len(run.trace.steps))]


def test_of_a_users_function_only_the_plainest_names_are_recognised():
    def function(probe, box):
        t_near, t_far = 0.25, 0.5
        from_a = (1.0, 2.0, 3.0)
        normal = np.array([0.0, 0.0, 2.0])
        t = "no number"
        return t_near < t_far and len(from_a) == len(normal) and bool(t)

    final = {picture.name: picture for picture in of_own(function, THROUGH)[-1]}
    assert set(final) == {"t_near, t_far", "normal"}
    tail, tip = np.array(final["normal"].points)
    assert close((tip - tail) / np.linalg.norm(tip - tail), (0, 0, 1))
    assert "t_near, t_far" not in {picture.name for picture in of_own(function, Point((0.0, 0.0, 0.0)))[-1]}


def test_what_a_step_sets_is_new_and_what_it_compares_is_read():
    run = explained(THROUGH, BOX, "slab_ericson")
    for step, pictures in moments(run):
        (running,) = pictures["t_min, t_max"]
        source = step.source.strip()
        assert running.is_new == source.startswith(("t_min", "t_max"))
        reads = source.startswith(("t_min = max", "t_max = min", "if t_min", "return TRangeFeature"))
        assert running.is_read == reads


@pytest.mark.parametrize(
    "method", [each for each in methods() if each.name != "exact"], ids=lambda each: each.name
)
def test_every_meaning_of_every_method_has_a_picture_in_some_run(method):
    """Also that no picture of any of them fails or is not finite, in float32 too."""
    drawn = set()
    for probe, primitive in product(EVERY_PROBE, EVERY_PRIMITIVE):
        pair = pair_of(probe, primitive)
        if of_pair(pair).get(method.name) is not method:
            continue
        readings = [each for each in ("interpreted", "float32") if each in method.readings]
        for reading in readings:
            run = explained(probe, primitive, method.name, reading)
            for k in last_of_lines(run):
                for picture in value_pictures(run, k):
                    assert np.isfinite(picture.points).all() and len(picture.points) > 0
                    drawn |= set(picture.name.split(", "))
    assert {name for names in method.meanings for name in names.split(", ")} <= drawn


EVERY_PROBE = (
    *(THROUGH, ACROSS, Segment((1.0, 5.0, 1.0), (1.5, -1.0, 1.25)), Segment((1.0, 1.0, 1.0), (7.0, 1.0, 1.0))),
    *(Ray((1.0, 1.0, -3.0), (0.5, 0.5, 4.0)), Line((-1.0, 1.0, 1.0), (2.0, 0.5, 0.25))),
    *(Point((1.0, 1.0, 1.0)), Point((1.25, 1.5, 0.75)), Point((7.0, 1.0, 1.0))),
    Point(TRIANGLE.a),
    *(TRIANGLE, Triangle((8.0, 8.0, 8.0), (9.0, 8.0, 8.0), (8.0, 9.0, 8.0)), BOX, TURNED, SKEW, BALL, LOG),
    Sphere((4.0, 2.0, 1.5), 1.0),
    *(
        Cast(Sphere((-4.0, y, 1.5), 1.0), motion)
        for y, motion in ((1.0, (8.0, 0.5, 0.25)), (3.5, (8.0, 0.0, 3.0)))
    ),
    *(
        Cast(Sphere((1.0, 1.0, 8.0), 1.0), (0.5, 0.25, -9.0)),
        Cast(Sphere((-1.0, 8.0, 0.0), 1.0), (0.0, -9.0, 0.0)),
    ),
    Cast(Aabb((-4.0, 1.0, 1.0), (-3.0, 2.0, 2.0)), (8.0, 0.5, 0.25)),
    CAMERA,
)
OTHER = Obb((4.0, 1.0, 2.0), (1.0, 1.0, 1.0), ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
EVERY_PRIMITIVE = (BOX, TURNED, OTHER, SKEW, TRIANGLE, FLOOR, TETRAHEDRON, BALL, LOG, BEAM, CAMERA)


DEGENERATE = "denormal-and-huge", "zero-direction", "zero-length-segments", "flat-boxes", "collinear-triangles"


def test_scenes_beyond_the_usual_have_pictures_or_none():
    for name in DEGENERATE:
        report = evaluate(load(SCENES / "degenerate" / f"{name}.scene.json"))
        for probe, element in product(report.probes, report.elements):
            pair = pair_of(probe.shape, element.shape)
            for method in of_pair(pair):
                run = explained(probe.shape, element.shape, method)
                for k in last_of_lines(run):
                    for picture in value_pictures(run, k):
                        assert np.isfinite(picture.points).all()


@pytest.mark.parametrize("primitive", [BOX, TRIANGLE], ids=["box", "triangle"])
def test_the_radius_of_a_sphere_that_moves_is_the_outline_of_the_minkowski_sum(primitive):
    start = (1.0, 1.0, 9.0)
    method = "expanded_box" if primitive is BOX else "fauerby"
    picture, values = last(explained(Cast(Sphere(start, 1.25), (0.0, 0.0, -6.0)), primitive, method), "radius")
    assert (picture.kind, values["radius"]) == ("outline", 1.25)
    for point in picture.points:
        assert math.isclose(exact.distance(Point(point), primitive), 1.25, rel_tol=1e-12)
    # Two edges of faces and two arcs of eight strokes for each edge.
    edges = 12 if primitive is BOX else 3
    assert len(picture.points) == 2 * edges * (2 + 2 * 8)
