"""A drag that is locked to a plane snaps to what lies in it, goes through it or is level with it."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from hitscope.draw.handle_targets import handle_target
from hitscope.geometry.exact import meet
from hitscope.geometry.exact.sets import convex_set
from hitscope.geometry.shapes import Segment, Triangle
from hitscope.scene.items import SegmentProbe
from hitscope.viewer.state.settings import SNAP_KINDS
from hitscope.viewer.state.tool import GizmoPart
from hitscope.viewer.tools.gizmo import gizmo_of
from hitscope.viewer.tools.snapping.search import SnapCandidates
from hitscope.viewer.tools.snapping.snap import snap
from tests.viewer.samples import BOX as CUBE
from tests.viewer.snap_queries import BOX, CRATE, SEGMENT, SLANTED, TRIANGLE, VIEW, query

pytestmark = pytest.mark.without_panels


def drag(point, elements, kinds=SNAP_KINDS, level=1, height=0.25, beside=(0.0, 0.0)):
    """The snap of the end of a segment that is dragged in a plane across an axis to the pixel of a point."""
    end = tuple(height if k == level else value for k, value in enumerate((4.0, 2.5, 0.5)))
    probe = replace(SEGMENT, end=end)
    wanted = query(handle_target(probe, 1), point, beside)
    free = tuple(height if k == level else value for k, value in enumerate(wanted.free))
    return snap(
        wanted.__class__(VIEW, handle_target(probe, 1), wanted.pixel, free, None, level),
        SnapCandidates(elements),
        frozenset(kinds),
    )


def test_a_corner_in_the_plane_is_snapped_to_and_another_gives_two_coordinates():
    flat = [("flat", Triangle((-1.0, 0.25, 0.0), (1.0, 0.25, 1.0), (0.5, 0.25, -1.0)))]
    found = drag((1.0, 0.25, 1.0), flat, kinds=["vertex"])
    assert (found.point, found.words, found.gap) == ((1.0, 0.25, 1.0), "corner of flat", 0.0)
    found = drag((1.0, 1.0, 1.0), CRATE, kinds=["vertex"])
    assert (found.point, found.words) == ((1.0, 0.25, 1.0), "level with corner of crate")


def test_an_edge_is_snapped_to_where_it_crosses_the_plane():
    found = drag((1.0, 0.25, 1.0), CRATE, kinds=["edge"], beside=(4.0, -3.0))
    assert (found.point, found.words, found.gap) == ((1.0, 0.25, 1.0), "edge of crate", 0.0)
    assert found.lines[0, :, 1].tolist() in ([-1.0, 1.0], [1.0, -1.0])
    assert drag((1.0, 1.5, 1.0), CRATE, kinds=["edge"], height=1.5) is None, "no edge goes up there"


def test_where_float64_has_no_such_point_one_in_the_plane_that_hits_is_taken_with_its_gap():
    for name, shape in (("slanted", SLANTED), ("tri", TRIANGLE)):
        corners = [tuple(Fraction(v, w) for v in (x, y, z)) for x, y, z, w in convex_set(shape).vertices]
        middle = sum(corner[1] for corner in corners) / len(corners)
        height = round(float(middle), 2)
        hits = 0
        for i, a in enumerate(corners):
            for b in corners[i + 1 :]:
                if not min(a[1], b[1]) < height < max(a[1], b[1]):
                    continue
                t = (Fraction(height) - a[1]) / (b[1] - a[1])
                seen = tuple(float(p + t * (q - p)) for p, q in zip(a, b, strict=True))
                found = drag(seen, [(name, shape)], kinds=["edge"], height=height)
                if found is None:
                    continue
                hits += 1
                assert found.point[1] == height
                assert meet(found.item.shape, shape) == (not found.words.endswith("no float64 near it hits"))
                assert found.gap == 0.0 or f"{found.gap:.2g} " in found.words
        assert hits


def test_a_face_is_snapped_to_where_its_plane_crosses_the_plane():
    found = drag((1.0, 0.25, 0.3), CRATE, kinds=["face"], beside=(5.0, 0.0))
    assert found.words == "face +x of crate" and found.point[:2] == (1.0, 0.25)
    assert meet(found.item.shape, BOX)
    beyond = drag((1.0, 0.25, 3.0), CRATE, kinds=["face"])
    assert beyond.words == "the plane of face +x of crate" and beyond.point[:2] == (1.0, 0.25)


def test_the_boundary_is_in_the_plane_too():
    tall = [("wall", Triangle((2.0, -5.0, -5.0), (2.0, 5.0, -5.0), (2.0, 0.0, 9.0)))]
    probe = SegmentProbe(start=(9.0, 0.25, 0.0), end=(4.0, 0.25, 0.5))
    at = (2.01, 0.25, 0.5)
    wanted = query(handle_target(probe, 1), at)
    found = snap(
        wanted.__class__(VIEW, handle_target(probe, 1), wanted.pixel, at, None, 1),
        SnapCandidates(tall),
        frozenset(["boundary"]),
    )
    assert found.words == "on the boundary of wall: one ulp further misses"
    assert found.point[1] == 0.25 and meet(found.item.shape, tall[0][1])


def test_the_grid_is_that_of_the_plane_and_comes_last():
    found = drag((2.2, 0.25, 2.9), CRATE)
    assert (found.point, found.words) == ((2.0, 0.25, 3.0), "grid 1")
    assert drag((2.2, 0.25, 2.9), CRATE, kinds=["vertex", "edge"]) is None


@pytest.mark.parametrize("fixed", [0, 1, 2])
def test_whatever_is_snapped_to_the_coordinate_across_the_plane_keeps_every_bit(fixed):
    height = 0.1 + 0.2
    for point in ((1.0, 1.0, 1.0), (0.5, 0.9, 1.0), (-1.0, 0.2, 0.3), (2.1, 0.1, 0.2)):
        for elements in (CRATE, [("slanted", SLANTED)]):
            found = drag(point, elements, level=fixed, height=height)
            assert found is None or found.item.end[fixed] == height


# In the window


def test_a_handle_in_a_plane_snaps_to_an_edge_of_a_box(open_items):
    probe = SegmentProbe(id="it", start=(-3.0, 0.5, 2.0), end=(2.5, 0.5, 2.0))
    user = open_items(CUBE, probes=(probe,))
    user.keys("S")
    user.drag(user.pixel(probe.end), user.pixel((1.4, 0.5, 1.3)), release=False)
    user.keys("Shift+Y")
    x, y = user.pixel((1.0, 0.5, 1.0))
    user.move((x + 4, y))
    assert "edge of box" in user.state.tool.drag.hint
    user.release()
    assert user.item("it").end == (1.0, 0.5, 1.0)
    assert isinstance(user.item("it").shape, Segment)


def test_the_square_of_a_gizmo_snaps_in_its_plane(open_items):
    probe = SegmentProbe(id="it", start=(1.5, 0.5, 3.0), end=(2.5, 0.5, 3.0))
    user = open_items(CUBE, probes=(probe,))
    user.click(user.pixel((2.2, 0.5, 3.0)))
    user.keys("W", "S")
    gizmo = gizmo_of(user.state)
    (square,) = [sketch for sketch in gizmo.sketches() if sketch.part == GizmoPart("plane", 1)]
    x, y = user.pixel(square.points.mean(axis=0))
    (a, b), (c, d) = user.pixel(gizmo.pivot), user.pixel((1.0, 0.5, 1.0))
    user.drag((x, y), (x + c - a, y + d - b), release=False)
    assert "edge of box" in user.state.tool.drag.hint
    user.release()
    assert user.item("it").start == (0.5, 0.5, 1.0) and user.item("it").end == (1.5, 0.5, 1.0)
