"""The draw list of a report: roles, cues, split strokes, marks, and arrays that stay the same."""

from functools import cached_property
from typing import Any

import numpy as np
import pytest

import hitscope
from hitscope.draw.builder import Builder
from hitscope.draw.element_arrays import element_arrays_of
from hitscope.draw.items import Cue, Ending, FacetSide, Role
from hitscope.draw.probe_layouts import CROWDED_FROM, MARKED_HITS
from hitscope.draw.shape_drawings import handle_points
from hitscope.draw.target import Marked, Target
from hitscope.evaluate import Elements, Verdict, evaluate
from hitscope.geometry.shapes import (
    Aabb,
    Capsule,
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
)
from hitscope.scene import Scene
from hitscope.scene.items import AabbPrimitive, SegmentProbe, Single
from tests.draw.draw_lists import build

UNIT_FRAME = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
BOX = Aabb((1.0, -1.0, -1.0), (3.0, 1.0, 1.0))
BALL = Sphere((2.0, 0.75, 0.0), 1.25)
FAR_BOX = Aabb((1.0, 4.0, -1.0), (3.0, 6.0, 1.0))


class Given(Single, frozen=True, kw_only=True):
    """An item that is the shape it was given."""

    given: Any

    @cached_property
    def shape(self):
        return self.given


def elements_of(letter, shapes):
    return Elements([f"{letter}{i}" for i in range(len(shapes))], [Given(given=shape) for shape in shapes])


class Answers:
    """A report that answers as the test says; every hit is asked for once, `asked` counts."""

    scene = Scene(version=1, primitives=(), probes=())
    level = None
    nearest_only = False

    def __init__(self, probes, elements, hits, state="crossing", t_enter=0.25, t_exit=0.75):
        self.probes, self.disabled_probes = elements_of("p", probes), elements_of("p", ())
        self.elements = elements_of("e", elements)
        self.hits = np.array(hits, bool).reshape(len(probes), len(elements))
        self.hitting_probes = self.hits.any(axis=1)
        self.answer = (state, t_enter, t_exit)
        self.asked = 0

    @property
    def hit_elements(self):
        return self.hits.any(axis=0)

    def shown_row(self, p):
        return self.hits[p]

    def nearest_hits(self, k):
        return None

    def tally(self, k):
        return None

    def verdict(self, p, e):
        self.asked += 1
        state, t_enter, t_exit = self.answer
        hit = bool(self.hits[p, e])
        point, normal = ((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0)) if hit else (None, None)
        return Verdict(f"p{p}", f"e{e}", "exact", hit, state, None, t_enter, t_exit, point, normal, {}, ((), ()))


def crossing_segment():
    return Answers([Segment((0.0, 0.0, 0.0), (4.0, 0.0, 0.0))], [BOX, FAR_BOX], [[True, False]])


def test_elements_are_hit_or_miss_in_element_order():
    obb = Obb((0.0, 0.0, 0.0), (1.0, 2.0, 3.0), UNIT_FRAME)
    drawn = build(Answers([Segment((0.0,) * 3, (4.0, 0.0, 0.0))], [obb, BOX], [[False, True]]))
    assert drawn.single.boxes.roles.tolist() == [Role.MISS, Role.HIT]
    np.testing.assert_array_equal(drawn.single.boxes.origins, [[-1, -2, -3], [1, -1, -1]])
    np.testing.assert_array_equal(drawn.single.boxes.edges[0], np.diag([2, 4, 6]))


def test_a_segment_is_cut_where_it_enters_and_leaves():
    strokes = build(crossing_segment()).strokes
    assert strokes.inside.tolist() == [False, True, False]
    np.testing.assert_allclose(strokes.starts[:, 0], [0, 1, 3])
    np.testing.assert_allclose(strokes.ends[:, 0], [1, 3, 4])
    assert (strokes.roles == Role.PROBE).all()


def test_a_segment_is_cut_where_it_enters_and_leaves_a_sphere():
    strokes = build(Answers([Segment((0.0, 0.0, 0.0), (4.0, 0.0, 0.0))], [BALL, FAR_BOX], [[True, False]])).strokes
    assert strokes.inside.tolist() == [False, True, False]
    np.testing.assert_allclose(strokes.ends[:, 0], [1, 3, 4])


def test_sphere_probes_and_primitives_are_round_shapes_with_handles_at_center_and_radius():
    report = Answers([BALL], [BOX, BALL, FAR_BOX, Sphere((9.0, 9.0, 9.0), 0.5)], [[True, True, False, False]])
    drawn = build(report, selection=(Target("primitive", "e3"),))
    assert drawn.single.rounds.starts.tolist() == [[2, 0.75, 0], [9, 9, 9]]
    assert drawn.single.rounds.radii.tolist() == [1.25, 0.5]
    assert drawn.single.rounds.roles.tolist() == [Role.HIT, Role.MISS]
    assert drawn.single.rounds.cues.tolist() == [Cue.NONE, Cue.SELECTED]
    assert drawn.probes.rounds.radii.tolist() == [1.25]
    assert drawn.probes.rounds.roles.tolist() == [Role.PROBE]
    assert drawn.markers.positions.tolist() == [[2, 0.75, 0], [3.25, 0.75, 0], [9, 9, 9], [9.5, 9, 9]]


def test_overlapping_boxes_make_one_inside_part():
    boxes = [BOX, Aabb((2.0, -1.0, -1.0), (3.5, 1.0, 1.0))]
    strokes = build(Answers([Segment((0.0,) * 3, (4.0, 0.0, 0.0))], boxes, [[True, True]])).strokes
    assert strokes.inside.tolist() == [False, True, False]
    np.testing.assert_allclose(strokes.ends[:, 0], [1, 3.5, 4])


def test_a_missed_box_does_not_cut():
    strokes = build(Answers([Segment((0.0,) * 3, (4.0, 0.0, 0.0))], [BOX], [[False]])).strokes
    assert strokes.inside.tolist() == [False]


def test_a_ray_reaches_past_the_scene_and_fades_after_its_arrow():
    strokes = build(Answers([Ray((0.0,) * 3, (1.0, 0.0, 0.0))], [BOX, FAR_BOX], [[True, False]])).strokes
    assert strokes.ends[-1, 0] > 3
    assert strokes.endings.tolist() == [Ending.PLAIN, Ending.PLAIN, Ending.ARROW_END, Ending.FADE_END]


def test_a_line_fades_both_ways():
    strokes = build(Answers([Line((0.0,) * 3, (1.0, 0.0, 0.0))], [BOX], [[False]])).strokes
    assert strokes.endings[0] == Ending.FADE_START
    assert strokes.endings[-1] == Ending.FADE_END
    assert strokes.starts[0, 0] < 0 and strokes.ends[-1, 0] > 3


def test_a_hit_has_its_entry_its_exit_and_its_normal():
    drawn = build(crossing_segment())
    assert drawn.markers.roles.tolist() == [Role.ENTRY, Role.EXIT, Role.PROBE, Role.PROBE]
    np.testing.assert_allclose(drawn.markers.positions[:, 0], [1, 3, 0, 4])
    np.testing.assert_array_equal(drawn.arrows.directions, [[-1, 0, 0]])


def test_a_segment_that_ends_inside_has_no_exit():
    drawn = build(Answers([Segment((0.0,) * 3, (2.0, 0.0, 0.0))], [BOX], [[True]], t_exit=1.0))
    assert Role.EXIT not in drawn.markers.roles


@pytest.mark.parametrize("state, cue", [("touching", Cue.TOUCHING), ("inside", Cue.INSIDE), ("apart", Cue.NONE)])
def test_states_are_cues(state, cue):
    report = Answers([Segment((0.0,) * 3, (4.0, 0.0, 0.0))], [BOX], [[True]], state=state)
    assert build(report).single.boxes.cues.tolist() == [cue]


@pytest.mark.parametrize("shown, look", [("p0", (Role.HIT, Cue.TOUCHING)), ("p1", (Role.MISS, Cue.NONE))])
def test_the_shown_pair_has_the_colour_of_its_own_verdict_whatever_other_probes_hit(shown, look):
    segments = [Segment((0.0, y, 0.0), (4.0, y, 0.0)) for y in (1.0, 3.0)]
    report = Answers(segments, [BOX, FAR_BOX], [[True, True], [False, False]], state="touching")
    pair = Target("probe", shown), Target("primitive", "e0")
    drawn = build(report, selection=(pair[0],), partner=pair[1])
    role, cue = look
    assert drawn.single.boxes.roles.tolist() == [role, Role.HIT]
    assert drawn.single.boxes.cues.tolist() == [cue | Cue.PAIRED, Cue.TOUCHING]


def test_flat_boxes_and_collinear_triangles_are_degenerate():
    flat = Aabb((0.0, 0.0, 0.0), (1.0, 0.0, 1.0))
    collinear = Triangle((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (2.0, 2.0, 2.0))
    drawn = build(Answers([], [flat, BOX, collinear, Sphere((1.0, 2.0, 3.0), 0.0), BALL], []))
    assert drawn.single.boxes.cues.tolist() == [Cue.DEGENERATE, Cue.NONE]
    assert drawn.single.triangles.cues.tolist() == [Cue.DEGENERATE]
    assert drawn.single.rounds.cues.tolist() == [Cue.DEGENERATE, Cue.NONE]


@pytest.mark.parametrize("size", [2.0**-1000, 1.0, 2.0**1000])
def test_whether_edges_lie_in_a_plane_is_found_exactly(size):
    edges = np.random.default_rng(0).integers(-99, 99, (50, 3, 3)) * size
    edges[:, 2] = edges[:, 0] - 2 * edges[:, 1]
    lifted = edges.copy()
    lifted[:, 2] = np.nextafter(lifted[:, 2], np.inf)
    # All but the last coordinate as they were, or they could lie in another plane.
    lifted[:, 2, :2] = edges[:, 2, :2]
    flat, solid = ([Parallelepiped((0.0,) * 3, box) for box in found.tolist()] for found in (edges, lifted))
    assert set(element_arrays_of(evaluate(hitscope.scene(flat)).elements).cues) == {Cue.DEGENERATE}
    assert set(element_arrays_of(evaluate(hitscope.scene(solid)).elements).cues) == {Cue.NONE}


@pytest.mark.parametrize("size", [1.0, 2.0**-1030, 2.0**1000])
def test_whether_corners_are_in_line_is_found_exactly(size):
    starts, ways = np.random.default_rng(0).integers(-999, 999, (2, 200, 3)) * size
    inline = np.stack([starts, starts + ways, starts + 2 * ways], axis=1)
    bent = inline.copy()
    bent[:, 2] = np.nextafter(bent[:, 2], np.inf)
    # The last coordinate of all corners is the same, or they could be in line again.
    bent[:, :, 2] = inline[:, :1, 2]
    for corners, cue in ((inline, Cue.DEGENERATE), (bent, Cue.NONE)):
        triangles = [Triangle(*map(tuple, rows)) for rows in corners.tolist()]
        assert set(element_arrays_of(evaluate(hitscope.scene(triangles)).elements).cues) == {cue}


@pytest.mark.parametrize(
    "shape",
    [
        Segment((1.0, 2.0, 3.0), (1.0, 2.0, 3.0)),
        Ray((1.0, 2.0, 3.0), (0.0, 0.0, 0.0)),
        Line((1.0, 2.0, 3.0), (0.0, 0.0, 0.0)),
        Triangle((12.0, 0.0, 0.0), (13.0, 1.0, 0.0), (14.0, 2.0, 0.0)),
        Aabb((1.0, 1.0, 1.0), (2.0, 1.0, 2.0)),
        Parallelepiped((1.0, 1.0, 1.0), ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 1.0, 0.0))),
    ],
    ids=lambda shape: type(shape).__name__,
)
def test_the_first_handle_of_a_degenerate_probe_says_so(shape):
    whole = Segment((0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    drawn = build(Answers([whole, shape, Point((7.0, 7.0, 7.0))], [], [[]] * 3))
    marked = np.flatnonzero(drawn.markers.cues & Cue.DEGENERATE)
    assert marked.tolist() == [2]
    np.testing.assert_array_equal(drawn.markers.positions[2], handle_points(shape)[0])


def test_what_is_hovered_and_selected_is_pointed_out():
    drawn = build(crossing_segment(), Target("primitive", "e1"), (Target("probe", "p0"),))
    assert drawn.single.boxes.cues.tolist() == [Cue.NONE, Cue.HOVERED]
    assert (drawn.strokes.cues == Cue.SELECTED).all()
    assert drawn.markers.cues.tolist() == [Cue.NONE, Cue.NONE, Cue.SELECTED, Cue.SELECTED]


def test_a_selected_primitive_has_its_handles():
    box = Target("primitive", "e1")
    faces = ((box, 1, (1.0, 5.0, 0.0)), (box, 2, (3.5, 5.0, 0.0)))
    hovered = box._replace(handle=2)
    markers = Builder().build(crossing_segment(), Marked(hovered, (box,), faces=faces)).markers
    handles = markers.roles == Role.PROBE
    assert markers.cues[handles].tolist()[2:] == [Cue.SELECTED] * 2 + [Cue.SELECTED | Cue.HOVERED]
    np.testing.assert_array_equal(markers.positions[handles][2:], [[2, 5, 0], [1, 5, 0], [3.5, 5, 0]])


def test_a_hovered_handle_is_pointed_out_alone():
    drawn = build(crossing_segment(), Target("probe", "p0", 1))
    assert drawn.markers.cues.tolist() == [Cue.NONE, Cue.NONE, Cue.NONE, Cue.HOVERED]


def test_a_triangle_probe_is_a_triangle_with_outline_and_handles():
    triangle = Triangle((0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (0.0, 4.0, 0.0))
    drawn = build(Answers([triangle], [BOX, triangle], [[True, True]], t_enter=None, t_exit=None))
    assert drawn.single.triangles.roles.tolist() == [Role.HIT]
    assert drawn.probes.triangles.roles.tolist() == [Role.PROBE]
    np.testing.assert_array_equal(drawn.strokes.starts, triangle)
    assert (drawn.markers.roles == Role.PROBE).sum() == 3


@pytest.mark.parametrize("count, marked", [(CROWDED_FROM - 1, MARKED_HITS), (CROWDED_FROM, 1)])
def test_the_nearest_hits_are_marked_when_there_are_many(count, marked):
    boxes = [Aabb((float(x), -1.0, -1.0), (x + 0.5, 1.0, 1.0)) for x in reversed(range(count))]
    report = Answers([Segment((-1.0, 0.0, 0.0), (2000.0, 0.0, 0.0))], boxes, [[True] * count])
    drawn = build(report)
    assert report.asked == marked == (drawn.markers.roles == Role.ENTRY).sum()
    drawn = Builder().build(report, Marked(Target("primitive", "e0")))
    assert (drawn.markers.roles == Role.ENTRY).sum() == marked + 1


def test_unchanged_arrays_stay_the_same_objects():
    builder = Builder()
    report = crossing_segment()
    first = builder.build(report)
    hovered = builder.build(report, Marked(Target("probe", "p0")))
    assert hovered.single.boxes.origins is first.single.boxes.origins
    assert hovered.strokes.starts is first.strokes.starts
    assert hovered.strokes.cues is not first.strokes.cues
    moved = crossing_segment()
    moved.elements = report.elements
    moved.probes = elements_of("p", [Segment((0.0, 0.5, 0.0), (4.0, 0.0, 0.0))])
    dragged = builder.build(moved)
    assert dragged.single.boxes.edges is first.single.boxes.edges
    assert dragged.single.boxes.roles is first.single.boxes.roles
    np.testing.assert_array_equal(dragged.stage.anchor, first.stage.anchor)


@pytest.mark.parametrize("size", [1e308, 1e300, 1.0, 1e-300, 5e-324])
def test_no_size_of_scene_overflows(size):
    box = Aabb((-size, -size, -size), (size, size, size))
    probes = [Segment((-size, 0.0, 0.0), (size, 0.0, 0.0)), Ray((size, 0.0, 0.0), (size, size, 0.0))]
    with np.errstate(all="raise", under="ignore"):
        drawn = build(Answers(probes, [box], [[True], [True]]))
    for stroke_ends in (drawn.strokes.starts, drawn.strokes.ends):
        assert np.isfinite(stroke_ends / 2 - drawn.stage.anchor / 2).all()
    assert 0 < drawn.stage.scale < np.inf


def test_an_empty_scene_has_a_stage():
    drawn = build(Answers([], [], []))
    assert drawn.stage.scale == 1
    assert len(drawn.single.boxes.origins) == 0


def test_the_extent_of_a_sphere_is_that_of_its_surface_as_probe_and_as_primitive():
    for report in (Answers([BALL], [FAR_BOX], [[False]]), Answers([], [BALL, FAR_BOX], [])):
        np.testing.assert_allclose(Builder().extent(report), [[0.75, -0.5, -1.25], [3.25, 6, 1.25]])


def test_the_extent_holds_primitives_and_probes_but_no_far_tip():
    report = Answers([Ray((-5.0, 0.0, 0.0), (1e9, 0.0, 0.0))], [BOX], [[True]])
    lo, hi = Builder().extent(report)
    np.testing.assert_array_equal(lo, [-5, -1, -1])
    np.testing.assert_array_equal(hi, [3, 1, 1])


def test_capsules_are_round_shapes_among_spheres_with_handles_at_ends_and_side():
    capsule = Capsule((2.0, 0.0, 0.0), (4.0, 0.0, 0.0), 0.5)
    drawn = build(Answers([capsule], [BALL, capsule], [[True, True]]), selection=(Target("primitive", "e1"),))
    assert drawn.single.rounds.starts.tolist() == [[2, 0.75, 0], [2, 0, 0]]
    assert drawn.single.rounds.ends.tolist() == [[2, 0.75, 0], [4, 0, 0]]
    assert drawn.single.rounds.radii.tolist() == [1.25, 0.5]
    assert handle_points(capsule).tolist() == [[2, 0, 0], [4, 0, 0], [3, 0.5, 0]]
    diagonal = Capsule((1.0, 1.0, 1.0), (2.0, 2.0, 2.0), 3.0)
    side = handle_points(diagonal)[2] - 1.5
    assert np.linalg.norm(side) == pytest.approx(3) and side.sum() == pytest.approx(0, abs=1e-12)
    assert handle_points(Capsule((1.0, 1.0, 1.0), (1.0, 1.0, 1.0), 3.0))[2].tolist() == [4, 1, 1]


def test_a_scene_without_size_has_scale_one():
    point = Aabb((2.0, 2.0, 2.0), (2.0, 2.0, 2.0))
    assert build(Answers([], [point], [])).stage.scale == 1


@pytest.mark.parametrize("size", [1.7e308, 1e300, 1.0, 1e-300, 5e-324])
def test_no_size_of_a_sphere_overflows(size):
    spheres: list[Any] = [Sphere((size, 0.0, 0.0), size), Sphere((0.0, -size, 0.0), size / 2)]
    spheres += [
        Capsule((size, 0.0, 0.0), (-size, -size, -size), size),
        Capsule((0.0, 0.0, 0.0), (size, 0.0, 0.0), 0.0),
    ]
    report = Answers([Segment((-size, 0.0, 0.0), (size, 0.0, 0.0)), spheres[0]], spheres, [[True, False] * 2] * 2)
    drawn = build(report)
    ends = drawn.single.rounds.starts, drawn.single.rounds.ends, drawn.strokes.starts
    for numbers in (*ends, drawn.markers.positions, *Builder().extent(report)):
        assert np.isfinite(numbers).all()


TETRAHEDRON = Polyhedron(vertices=((0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (0.0, 4.0, 0.0), (0.0, 0.0, 4.0)))
CUBE = Polyhedron(vertices=tuple((x, y, z) for x in (1.0, 3.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)))
HALF_SPACE = Polyhedron(planes=(Plane((1.0, 0.0, 0.0), 2.0),))
FLOOR = Plane((0.0, 2.0, 0.0), -2.0)
ACROSS = Segment((0.0, 0.0, 0.0), (4.0, 0.0, 0.0))


def edges_of(drawn):
    """The drawn edges as pairs of corners."""
    facets = drawn.facets
    edges = facets.vertices[facets.sides == FacetSide.EDGE, 1:]
    return [frozenset(map(tuple, edge.tolist())) for edge in edges]


def test_every_true_edge_of_a_polyhedron_is_drawn_once_and_no_diagonal():
    edges = edges_of(build(Answers([], [CUBE], [])))
    assert len(edges) == len(set(edges)) == 12
    for a, b in edges:
        assert sum(p != q for p, q in zip(a, b, strict=True)) == 1
    assert len(edges_of(build(Answers([], [TETRAHEDRON], [])))) == 6


def test_the_facets_of_a_polyhedron_look_outward():
    facets = build(Answers([], [TETRAHEDRON], [])).facets
    outward = facets.vertices[:, 0] - np.mean(TETRAHEDRON.vertices, axis=0)
    assert facets.solid.all()
    assert ((facets.normals * outward).sum(axis=1) > 0).all()
    np.testing.assert_allclose(np.linalg.norm(facets.normals, axis=1), 1)


def test_polyhedra_and_planes_take_their_elements_role_and_cue():
    report = Answers([ACROSS], [FLOOR, CUBE, BOX], [[False, True, False]], state="touching")
    drawn = build(report, hovered=Target("primitive", "e0"))
    plane, cube = drawn.facets.sides == FacetSide.CUT, drawn.facets.solid
    assert set(drawn.facets.roles[plane]) == {Role.MISS} and set(drawn.facets.roles[cube]) == {Role.HIT}
    assert set(drawn.facets.cues[plane]) == {Cue.HOVERED} and set(drawn.facets.cues[cube]) == {Cue.TOUCHING}


def test_a_segment_is_cut_where_it_enters_and_leaves_a_polyhedron():
    strokes = build(Answers([ACROSS], [CUBE], [[True]])).strokes
    assert strokes.inside.tolist() == [False, True, False]
    np.testing.assert_allclose(strokes.starts[:, 0], [0, 1, 3])


def test_a_segment_stays_inside_of_an_unbounded_polyhedron():
    strokes = build(Answers([ACROSS], [HALF_SPACE], [[True]])).strokes
    assert strokes.inside.tolist() == [True, False]
    np.testing.assert_allclose(strokes.ends[0], [2, 0, 0])


def test_the_nearest_hits_come_first_whatever_their_type():
    boxes = [Aabb((float(x), -1.0, -1.0), (x + 0.5, 1.0, 1.0)) for x in range(MARKED_HITS, 2 * MARKED_HITS)]
    near = [Plane((1.0, 0.0, 0.0), 0.5), CUBE]
    report = Answers([Segment((0.0,) * 3, (500.0, 0.0, 0.0))], [*boxes, *near], [[True] * (MARKED_HITS + 2)])
    picture = Builder().picture(report)
    assert [e for _, e in picture.verdicts.by_pair][:2] == [MARKED_HITS, MARKED_HITS + 1]


def test_a_plane_is_a_square_about_its_point_nearest_to_the_scene_with_an_arrow_in_front():
    drawn = build(Answers([], [BOX, FLOOR], []))
    corners = drawn.facets.vertices[drawn.facets.sides == FacetSide.CUT, 1]
    assert len(corners) == 4
    np.testing.assert_allclose(corners[:, 1], -1)
    np.testing.assert_allclose(corners.mean(axis=0), [2, -1, 0], atol=1e-12)
    assert (np.abs(corners[:, [0, 2]] - [2, 0]) > 1).all(), "as large as the scene at least"
    np.testing.assert_array_equal(drawn.arrows.directions, [[0, 1, 0]])
    assert drawn.arrows.roles.tolist() == [Role.NEUTRAL]


def test_planes_and_unbounded_sets_do_not_enlarge_the_scene():
    wedge = Polyhedron(planes=(Plane((1.0, 0.0, 0.0), 5.0), Plane((0.0, 1.0, 0.0), 5.0)))
    far = Plane((0.0, 1.0, 0.0), 1e9)
    report = Answers([], [BOX, wedge, HALF_SPACE, FLOOR, far], [])
    drawn = build(report)
    assert drawn.stage.scale == 1 and drawn.stage.anchor.tolist() == [2, 0, 0]
    assert np.abs(drawn.facets.vertices).max() < 20
    lo, hi = Builder().extent(report)
    assert (lo >= [1, -1, -1]).all() and (hi <= [3, 1, 1]).all()


def test_a_plane_near_the_scene_is_framed_with_it():
    lo, _ = Builder().extent(Answers([], [BOX, Plane((0.0, 1.0, 0.0), -2.5)], []))
    np.testing.assert_array_equal(lo, [1, -2.5, -1])


def test_the_edges_of_an_unbounded_polyhedron_fade_and_its_cut_is_no_edge():
    corner = Polyhedron(planes=tuple(Plane(tuple(row), 0.0) for row in np.eye(3)))
    facets = build(Answers([], [corner], [])).facets
    edges = facets.sides == FacetSide.EDGE
    assert edges.sum() == 3 and (facets.sides == FacetSide.CUT).sum() > 0
    assert (facets.endings[edges] != Ending.PLAIN).all()
    kept = np.where(facets.endings[edges] == Ending.FADE_END, 1, 2)
    np.testing.assert_array_equal(facets.vertices[edges][range(3), kept], np.zeros((3, 3)))


def test_an_edge_without_ends_fades_both_ways():
    wedge = Polyhedron(planes=(Plane((1.0, 0.0, 0.0), 2.0), Plane((0.0, 1.0, 0.0), 0.0)))
    facets = build(Answers([], [BOX, wedge], [])).facets
    endings = facets.endings[facets.sides == FacetSide.EDGE]
    assert sorted(endings.tolist()) == [Ending.FADE_START, Ending.FADE_END]


@pytest.mark.parametrize("corners", [1, 2, 3])
def test_a_polyhedron_without_volume_is_degenerate(corners):
    drawn = build(Answers([], [Polyhedron(vertices=TETRAHEDRON.vertices[:corners]), CUBE], []))
    assert set(drawn.facets.cues[~drawn.facets.solid]) == {Cue.DEGENERATE}
    assert set(drawn.facets.cues[drawn.facets.solid]) == {Cue.NONE}
    assert len(edges_of(drawn)) == 12 + {1: 1, 2: 1, 3: 3}[corners]


def test_a_parallelepiped_is_a_box_and_degenerate_when_its_edges_lie_in_a_plane():
    edges = ((1.0, 0.0, 0.0), (0.5, 1.0, 0.0), (0.0, 0.2, 1.0))
    flat = (*edges[:2], (1.5, 1.0, 0.0))
    drawn = build(Answers([], [Parallelepiped((1.0, 2.0, 3.0), edges), Parallelepiped((0.0,) * 3, flat)], []))
    np.testing.assert_array_equal(drawn.single.boxes.edges[0], edges)
    assert drawn.single.boxes.cues.tolist() == [Cue.NONE, Cue.DEGENERATE]


def test_box_probes_are_boxes_with_a_handle_and_those_that_are_given_on_their_faces():
    skew = Parallelepiped((0.0,) * 3, UNIT_FRAME)
    report = Answers([BOX, skew, Point((7.0, 7.0, 7.0))], [FAR_BOX], [[False]] * 3)
    drawn = build(report)
    assert drawn.single.boxes.roles.tolist() == [Role.MISS]
    assert drawn.probes.boxes.roles.tolist() == [Role.PROBE, Role.PROBE]
    np.testing.assert_array_equal(drawn.markers.positions[0], [2, 0, 0])
    np.testing.assert_array_equal(drawn.markers.positions[1:5], [[0, 0, 0], *UNIT_FRAME])
    np.testing.assert_array_equal(drawn.markers.positions[5:], [[7, 7, 7]])
    assert drawn.markers.main.all()
    faces = tuple((Target("probe", "p0"), handle, (2.0 * handle - 1.0, 0.0, 0.0)) for handle in (1, 2))
    pointed = Builder().build(report, Marked(Target("probe", "p0"), faces=faces))
    assert pointed.probes.boxes.cues.tolist() == [Cue.HOVERED, Cue.NONE]
    assert pointed.markers.main.tolist() == [True] + [False] * 2 + [True] * 5
    np.testing.assert_array_equal(pointed.markers.positions[1:3], [[1, 0, 0], [3, 0, 0]])


def test_unbounded_shapes_keep_their_region_while_a_probe_moves_until_it_leaves():
    builder, elements = Builder(), None
    sheets = []
    for y in (3.0, 3.2, 300.0):
        report = Answers([Segment((0.0,) * 3, (4.0, y, 0.0))], [FLOOR, BOX], [[False, False]])
        elements = report.elements = elements or report.elements
        sheets.append(builder.build(report).facets.vertices)
    assert sheets[1] is sheets[0]
    assert np.ptp(sheets[2][:, :, 0]) > 2 * np.ptp(sheets[0][:, :, 0])


@pytest.mark.parametrize("size", [4e307, 1e300, 1.0, 1e-300])
def test_no_size_of_polyhedron_or_plane_overflows(size):
    corners = tuple((x * size, y * size, z * size) for x, y, z in TETRAHEDRON.vertices)
    octant = Polyhedron(planes=tuple(Plane(tuple(row), size) for row in np.eye(3)))
    report = Answers(
        [Segment((-size, 0.0, 0.0), (size, 0.0, 0.0))],
        [Polyhedron(vertices=corners), octant, Plane((0.0, 1e-5, 0.0), size * 1e-5)],
        [[True] * 3],
    )
    facets = build(report).facets
    for numbers in (facets.vertices, facets.normals, facets.centers, facets.sizes):
        assert np.isfinite(numbers).all()


# What is hidden, what is not enabled, and what is missed


def two_boxes_and_two_probes(**keys):
    probes = (
        SegmentProbe(id="through", start=(-1, 0, 0), end=(3, 0, 0)),
        SegmentProbe(id="over", start=(-1, 4, 0), end=(3, 4, 0), **keys),
    )
    boxes = (
        AabbPrimitive(id="near", min=(0, -1, -1), max=(1, 1, 1)),
        AabbPrimitive(id="far", min=(5, -1, -1), max=(6, 1, 1)),
    )
    return evaluate(Scene(version=1, primitives=boxes, probes=probes))


def test_what_is_hidden_is_marked_and_has_neither_handles_nor_entry_points():
    report = two_boxes_and_two_probes()
    shown, hidden = (
        build(report, hidden=what) for what in (frozenset(), frozenset({("primitive", "near"), ("probe", "over")}))
    )
    assert shown.single.boxes.cues.tolist() == [0, 0] and hidden.single.boxes.cues.tolist() == [Cue.HIDDEN, 0]
    assert Role.ENTRY in shown.markers.roles and Role.ENTRY not in hidden.markers.roles
    assert len(shown.arrows.positions) == 1 and len(hidden.arrows.positions) == 0
    over = hidden.strokes.starts[:, 1] == 4
    assert (hidden.strokes.cues[over] == Cue.HIDDEN).all() and not hidden.strokes.cues[~over].any()
    assert (hidden.markers.positions[:, 1] < 4).all()


def test_hiding_changes_nothing_but_cues_of_what_was_uploaded():
    report, builder = two_boxes_and_two_probes(), Builder()
    shown = builder.build(report)
    hidden = builder.build(report, Marked(hidden=frozenset({("primitive", "near")})))
    assert (
        hidden.single.boxes.origins is shown.single.boxes.origins
        and hidden.single.boxes.roles is shown.single.boxes.roles
    )


def test_a_probe_that_is_not_enabled_is_drawn_as_a_reference_and_can_be_pointed_at():
    report = two_boxes_and_two_probes(enabled=False)
    drawn = build(report, selection=(Target("probe", "over"),))
    over = drawn.strokes.starts[:, 1] == 4
    assert over.sum() == 1 and drawn.strokes.roles[over] == Role.REFERENCE
    assert drawn.strokes.cues[over] == Cue.SELECTED
    assert (drawn.strokes.roles[~over] == Role.PROBE).all()
    handles = drawn.markers.roles == Role.REFERENCE
    assert handles.sum() == 2 and not drawn.markers.main[handles].any()


def test_what_is_missed_and_looked_at_has_a_line_between_the_nearest_points():
    report = two_boxes_and_two_probes()
    missed = (Target("probe", "over"), Target("primitive", "near"))
    for pointed in (
        {"hovered": missed[0], "selection": missed[1:]},
        {"selection": missed[:1], "partner": missed[1]},
    ):
        gap = build(report, **pointed).gap
        assert gap.shape == (1, 2, 3)
        np.testing.assert_array_equal(gap[0, :, 1], [4, 1])
    assert len(build(report, hovered=Target("probe", "through"), selection=missed[1:]).gap) == 0
    assert len(build(report).gap) == 0


def test_a_missed_primitive_is_looked_at_with_the_probe_nearest_to_it():
    picture = Builder().picture(two_boxes_and_two_probes())
    through, far = 0, 1
    assert picture.pairs.find((Target("primitive", "far"),)) == (through, far)
    assert picture.pairs.find((Target("primitive", "far"), Target("probe", "over"))) == (1, far)
    assert picture.pairs.find((Target("primitive", "near"),)) == (through, 0)


def test_the_other_half_of_a_pair_is_pointed_out_unless_it_is_selected():
    report, over = two_boxes_and_two_probes(), Target("probe", "over")
    drawn = build(report, selection=(Target("primitive", "far"),), partner=over)
    assert drawn.single.boxes.cues.tolist() == [0, Cue.SELECTED]
    paired = (drawn.strokes.cues & Cue.PAIRED) != 0
    np.testing.assert_array_equal(paired, drawn.strokes.starts[:, 1] == 4)
    both = build(report, selection=(over, Target("primitive", "far")), partner=over)
    assert not (both.strokes.cues & Cue.PAIRED).any()
